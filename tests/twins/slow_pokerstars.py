"""The reader of PokerStars' texts as it was before all sites' texts had one reader.

It parses line by line by functions of its own, and makes rules and payoffs from what it parsed; of
the other readers it shares the amounts, the rules engine and the verification.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from fractions import Fraction
from functools import lru_cache, partial
from operator import add, mul
from typing import Final, NamedTuple, TypeVar

from railbird.cards import CARD_OF_TEXT, Card
from railbird.errors import BadInput
from railbird.game import LIMIT_RAISES, Betting, OpenFold, Rules, UncallableRaise, payoffs
from railbird.game.reported import (
    CALL,
    CHECK_IF_OPEN,
    DEAL,
    FOLD_IF_ABLE,
    NEXT_STREET,
    NOT_STATED,
    PUT_IN,
    RAISE,
)
from railbird.histories.format import ReadOptions, attempt, read_in_stages
from railbird.histories.record import (
    RUN_TWICE,
    BadHand,
    HandRecord,
    RefusedHand,
    Skipped,
    SkipReason,
    Source,
    renamed,
)
from railbird.histories.refused_money import ante_in, refused_hand, refused_money
from railbird.histories.sites.money import AMOUNT as MONEY
from railbird.histories.sites.money import (
    ANY_AMOUNT,
    UNIT,
    check_stakes,
    currency_in,
    read_amount,
    refuse_house_money,
)
from railbird.histories.text_values import (
    HOLE_OF_TEXT,
    NUMBER,
    UNKNOWN,
    HandNumber,
    Hole,
    after_showing,
    hand_number,
    in_zone,
    local_time,
    read_cards,
    read_hole,
)
from railbird.histories.verify import (
    MOST_ROUNDED,
    BettingOutcome,
    exact,
    is_rounded,
    reported_ending,
    settle_raked,
    uncalled,
    why_refused,
)
from railbird.units import Chips, Seat

_Who = TypeVar("_Who")


# Rules of a PokerStars table, inferred from the posts.


_RULES_KEPT: Final = 1 << 12


class Posts(NamedTuple):
    """Posts by seat; counted in full where a stack was too short for them."""

    live: tuple[Chips, ...]
    dead: tuple[Chips, ...]
    small: int | None = None
    last: int | None = None
    """The seat after which the betting begins: the big blind, or the last straddle."""
    short_antes: tuple[int, ...] = ()
    """Seats that the ante put all-in."""

    @classmethod
    def none(cls, seats: int) -> Posts:
        """Return empty posts."""
        return cls((Chips(0),) * seats, (Chips(0),) * seats)

    def add(
        self, seat: int, post_kind: str, amount: Chips, *, all_in: bool, full: tuple[Chips, Chips]
    ) -> Posts:
        """Return the posts with one more; ``full`` are the blinds. Raises `BadHand`.

        A second small blind, and the small part of "small & big blinds", come from a player who
        missed a blind: they go into the pot dead. A later big blind above the first is a straddle.
        """
        small, big = full
        live, dead, first, last, short = self
        match post_kind:
            case "the ante":
                short = (*short, seat) if all_in else short
                return Posts(live, _plus(dead, seat, amount), first, last, short)
            case "small blind" if first is None:
                live = _with(live, seat, max(small, amount) if all_in else amount)
                return Posts(live, dead, seat, last, short)
            case "big blind" if last is not None and amount > big:
                return self.add(seat, "straddle", amount, all_in=all_in, full=full)
            case "big blind":
                live = _with(live, seat, max(big, amount) if all_in else amount)
                return Posts(live, dead, first, seat if last is None else last, short)
            case "small blind" | "dead blind" | "dead small blind":
                return Posts(live, _plus(dead, seat, amount), first, last, short)
            case "small & big blinds":
                live = _with(live, seat, min(big, amount))
                dead = _plus(dead, seat, Chips(max(amount - big, 0)))
                return Posts(live, dead, first, last, short)
            case "straddle":
                return Posts(_with(live, seat, amount), dead, first, seat, short)
            case _:
                raise BadHand(SkipReason.UNREADABLE, f"posts {post_kind[:40]!r}")

    def with_big_blind(self, big: Chips) -> Posts:
        """Return the posts with the missing big blind of a seat whose ante put it all-in.

        It is the seat to the left of the small blind; the others still call the full big blind.
        """
        if self.last is not None or self.small is None:
            return self
        seat = (self.small + 1) % len(self.live)
        if seat not in self.short_antes:
            return self
        return self._replace(live=_with(self.live, seat, big), last=seat)

    @property
    def antes(self) -> tuple[Chips, ...]:
        """Dead posts by seat; an all-in ante counts as much as the others."""
        if not self.short_antes:
            return self.dead
        most = max(self.dead)
        return tuple(
            [most if seat in self.short_antes else chips for seat, chips in enumerate(self.dead)]
        )


class Posted(NamedTuple):
    """A blind or an ante as the text has it."""

    seat: int
    what: str
    amount: Chips
    all_in: bool


@lru_cache(_RULES_KEPT)
def posts_of(seats: int, posted: tuple[Posted, ...], full: tuple[Chips, Chips]) -> Posts:
    """Add up a hand's posts; ``full`` are the blinds. Raises `BadHand`."""
    posts = Posts.none(seats)
    if len({post[:2] for post in posted}) < len(posted):
        raise BadHand(SkipReason.UNREADABLE, "one player posts the same twice")
    for seat, what, amount, all_in in posted:
        posts = posts.add(seat, what, amount, all_in=all_in, full=full)
    return posts.with_big_blind(full[1])


def _with(amounts: tuple[Chips, ...], seat: int, amount: Chips) -> tuple[Chips, ...]:
    return (*amounts[:seat], amount, *amounts[seat + 1 :])


def _plus(amounts: tuple[Chips, ...], seat: int, amount: Chips) -> tuple[Chips, ...]:
    return _with(amounts, seat, Chips(amounts[seat] + amount))


@lru_cache(_RULES_KEPT)
def site_rules(
    betting: Betting, stakes: tuple[Chips, Chips], posts: Posts, *, stacks: tuple[Chips, ...]
) -> Rules:
    """Return the rules of a table; ``stakes`` are the bets in limit, otherwise the blinds.

    Stacks too deep for a limit hand to exhaust are omitted, as they make no difference. Raises
    `railbird.errors.BadInput`.
    """
    small, big = stakes
    limit = betting is Betting.LIMIT
    most = max(posts.live)
    sizes = (small, small, big, big) if limit else (max(big, most), big, big, big)
    antes = posts.antes
    deepest = most + max(antes) + sum(map(mul, LIMIT_RAISES, sizes))
    last = posts.live.index(most) if posts.last is None else posts.last
    return Rules(
        betting=betting,
        blinds=posts.live,
        antes=antes if any(antes) else (),
        stacks=None if limit and min(stacks) >= deepest else stacks,
        bet_sizes=sizes,
        max_raises=LIMIT_RAISES if limit else None,
        first_to_act=(Seat((last + 1) % len(stacks)), Seat(0), Seat(0), Seat(0)),
        open_fold=OpenFold.ALLOWED,
        uncallable_raise=UncallableRaise.ALLOWED,
    )


# Header of a PokerStars hand (game, stakes, time, table), and its amounts of money.


_KEPT: Final = 1 << 14
NO_TABLE: Final = "Unnamed"
"""Written where hands have no table, for every table of the site has a name."""
BETTINGS: Final = {
    "Fixed Limit": Betting.LIMIT,
    "Limit": Betting.LIMIT,
    "No Limit": Betting.NO_LIMIT,
    "Pot Limit": Betting.POT_LIMIT,
}
TOURNAMENT: Final = "Tournament #"
"""Mark of a tournament in the first line of its hands."""
HEADER: Final = re.compile(
    r"(?:PokerStars (?:Zoom |Home Game )?|Full Tilt (?:Rush )?"
    r"|Run It Once Poker |PokerBros |PokerMaster )(?:Game|Hand)"
    rf" #({NUMBER}):\s+(.+)",
    re.IGNORECASE,
)
"""First line of a hand, in which the rooms differ that write the rest as PokerStars does.

From 2016 on the hands of Full Tilt Poker were dealt and written by PokerStars.
"""
_ANY_TIME: Final = re.compile(
    r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2}) (?:- )?([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2}))?"
)
_TIMES: Final = tuple(
    (re.compile(rf"{_ANY_TIME.pattern} \(?{zone}\b"), zone) for zone in ("ET", "UTC")
)
"""Zones that are read, in the order of preference where a line has its time in several."""
_LIMITS: Final = "No Limit|Pot Limit|Fixed Limit|Limit"
_BETTING: Final = re.compile(
    rf"(?:({_LIMITS}) +)?(?:Texas +)?Hold'em(?: +({_LIMITS})\b)?", re.IGNORECASE
)
"""Pattern of the game; converters write the betting before its name."""
_ENTRY: Final = r"(?:[A-Z]{0,2}[^\w\s+#-])?[0-9](?:[0-9.,]*[0-9])?"
_ENTRIES: Final = rf"{_ENTRY}(?:\+{_ENTRY})*"
"""Parts of a buy-in: ``$5+$0.50``, ``T$5+T$0.50``, ``80`` of points."""
_PLAIN: Final = re.compile(
    rf"(?:\S+ )?(?:[A-Z]{{3}}|Freeroll|\S*[,:}})-]|{_ENTRIES}[A-Z]{{0,3}})|{_ENTRIES} [A-Z]{{2}}"
)
"""Last two words before the game's name that leave it plain, such as the end of a buy-in.

All others name another game: Split, Swap, 6+, and what comes next.
"""
_GAMES: Final = (
    r"(?:Split|Swap|Showtime|Unfold|Tempest|Fusion|Crazy|Irish|Super|Royal|Double|Pineapple|[0-9]\+"
    r"|Card|Deck|Board|Burst|Flop|Limit|Hi/?Lo|Side|Short|Bomb)"
)
_OTHER_GAMES: Final = re.compile(rf"{_GAMES}$", re.IGNORECASE)
"""Last words before "Hold'em" that no title of a tournament should end with."""
_GAME_AFTER: Final = re.compile(rf"\W*{_GAMES}(?!\w)", re.IGNORECASE)
_AFTER: Final = re.compile(r" *(?:[(,]| - )")
"""What follows the game's name and its betting: a word there names another game, as before it."""
_STAKES: Final = re.compile(rf"[(,] ?{MONEY}/{MONEY}([^()]*)\)", re.IGNORECASE)
"""Pattern of the stakes, in parentheses, or after a comma where the parentheses enclose the game of
a mix."""
_AFTER_STAKES: Final = re.compile(
    rf"(?:/{ANY_AMOUNT})?(?: - {MONEY} Cap)?"
    rf"(?:[ ,-]+(?:[mµ]?[A-Z]{{3}}|Ante:? {ANY_AMOUNT})){{0,3}} ?",
    re.IGNORECASE,
)
"""All that may follow them: a third amount, a cap, a currency, an ante."""
_OF_TOURNAMENT: Final = re.compile(r"tournament #|[0-9]\+|\blevel ?[0-9ivxl]", re.IGNORECASE)
"""Marks of a tournament, which has several: one that is garbled does not make its chips money."""
PLAY_MONEY: Final = "(Play Money)"
"""Mark of play money in the line of the table."""
TABLE: Final = re.compile(r"Table (?:ID )?'(.*)'[^']*?(?: Seat #([0-9]{1,3}) is the button)?")


class GameLine(NamedTuple):
    """Game and stakes."""

    betting: Betting
    stakes: tuple[Chips, Chips]
    """Small and big bet in limit, otherwise the blinds."""
    full_blinds: tuple[Chips, Chips]
    """Blinds implied by the stakes; in limit half a small bet and one."""
    cap: Chips | None
    """Most that a player can lose in the hand."""
    currency: str
    scale: int
    """Chips per unit of the written amounts: money is counted in cents."""
    tournament: bool


class Head(NamedTuple):
    """First line of a hand."""

    number: HandNumber
    game: GameLine
    played_at: datetime | None


def scale_of(currency: str) -> int:
    """Return the chips per unit of a currency; "" stands for tournament or play chips."""
    return 100 if currency else 1


def read_head(line: str) -> Head:
    """Read the first line. Raises `BadHand`."""
    header = HEADER.fullmatch(line)
    if header is None:
        raise BadHand(SkipReason.UNREADABLE, f"no hand: {line[:60]!r}")
    number, text = header.groups()
    what, _, when = text.rpartition(" - ")  # games repeat and are cached, times do not repeat
    game, end = _game_in(what or text)
    return Head(hand_number(number), game, read_time(f"{what[end:]} {when}"))


@lru_cache(_KEPT)
def _game_in(text: str) -> tuple[GameLine, int]:
    """Return the game in a first line, and where its text ends. Raises `BadHand`."""
    betting_match = _BETTING.search(text)
    stakes_said = list(_STAKES.finditer(text, betting_match.end() if betting_match else 0))
    limits = [] if betting_match is None else [limit for limit in betting_match.groups() if limit]
    if (
        betting_match is None
        or len(limits) != 1
        or not stakes_said
        or not is_plain(text[: betting_match.start()])
        or not _AFTER.match(text, betting_match.end())
    ):
        raise BadHand(SkipReason.ANOTHER_GAME, repr(text[:60]))
    *amounts, after = stakes_said[-1].groups()
    after_stakes = _AFTER_STAKES.fullmatch(after)
    if after_stakes is None:
        raise BadHand(SkipReason.UNREADABLE, f"stakes {stakes_said[-1][0][:60]!r}")
    cap = after_stakes[1]
    currency = currency_in(stakes_said[-1][0].partition(" - ")[0])
    scale = scale_of(currency)
    small, big = (chips_of(amount, scale) for amount in amounts)
    check_stakes(small, big, stakes_said[-1][0])
    betting = BETTINGS[limits[0].title()]
    game = GameLine(
        betting=betting,
        stakes=(small, big),
        full_blinds=(Chips(small // 2), small) if betting is Betting.LIMIT else (small, big),
        cap=chips_of(cap, scale) if cap else None,
        currency=currency,
        scale=scale,
        tournament=is_of_tournament(text),
    )
    return game, stakes_said[-1].end()


def is_of_tournament(game: str) -> bool:
    """Return whether the text of a hand's game is of a tournament.

    >>> [is_of_tournament(text) for text in ("Hold'em No Limit ($1/$2)", "Trnament #7, $5+$0.50 X")]
    [False, True]
    """
    return _OF_TOURNAMENT.search(game) is not None


def is_plain(prefix: str) -> bool:
    """Return whether "Hold'em" after this text is plain hold'em, and no game named after it.

    >>> [is_plain(text) for text in ("", "Tournament #7, $5+$0.50 USD ", "HORSE (", "Split ", "6+")]
    [True, True, True, False, False]
    >>> [is_plain(text) for text in ("#7, 300 SC ", "#7, T$5+T$0.50 ", "#7, 2500 PM ", "#7, XL ")]
    [True, True, True, False]
    """
    if prefix == "" or prefix[-1] == "(":
        return True
    last = " ".join(prefix.split()[-2:])
    return not last or (prefix[-1].isspace() and _PLAIN.fullmatch(last) is not None)


def chips_of(text: str, scale: int) -> Chips:
    """Return the chips of an amount matched by `MONEY`. Raises `BadHand`.

    These texts have no more than two decimals, so a dot before three digits separates thousands.
    """
    if text.isdecimal():
        return Chips(int(text) * scale)
    chips, rest = divmod(read_amount(text, dot_groups=True) * scale, UNIT)
    if rest:
        raise BadHand(SkipReason.UNREADABLE, f"{text} chips")
    return Chips(chips)


def read_time(text: str) -> datetime | None:
    """Return the time in ET or UTC if the text has one; other zones are ignored."""
    for pattern, zone in _TIMES:
        if match := pattern.search(text):
            moment = _moment(match)
            return None if moment is None else in_zone(moment, zone)
    match = _ANY_TIME.search(text)
    return None if match is None else _moment(match)


def _moment(match: re.Match[str]) -> datetime | None:
    year, month, day, *clock = [int(part or 0) for part in match.groups()]
    hour, minute, second = clock
    return local_time(year, month, day, hour, minute, second)


# The lines themselves.


_ACT: Final = re.compile(
    rf"(folds|checks|calls|bets|raises)(?: {MONEY}(?: to {MONEY})?)?"
    r"( and is all-in| and has reached the \S+ cap)?(?: \[(\S\S)(?: (\S\S))?\])?"
)
_POST: Final = re.compile(rf"posts (.+?) {MONEY}( and is all-in)?")
_SHOW: Final = re.compile(r"shows \[(\S\S) (\S\S)\](?: .*)?")
_QUIET: Final = re.compile(
    r"mucks hand|doesn't show hand|shows \[\S\S\].*|has timed out.*"
    r"|is (?:dis)?connected.*|has returned|re-buys .*|Table deposit .*"
)
_AWAY: Final = ("sits out", "is sitting out")
_HIDDEN: Final = "XX"
"""Placeholder that some tracking programs write for a card that was not shown."""
_BOARD_SIZES: Final = {"*** FLOP ***": 3, "*** TURN ***": 4, "*** RIVER ***": 5}
_SECTIONS: Final = ("HOLE CARDS", "SHOW DOWN", "SHOWDOWN", "SUMMARY")
_HEADINGS: Final = frozenset(f"*** {section} ***" for section in _SECTIONS)
_NTH: Final = ("FIRST ", "SECOND ", "THIRD ")
_STARS: Final = re.compile(r"\*\*\* (.+) \*\*\*.*")
_COLLECTED: Final = re.compile(rf"{MONEY} from (?:main |side )?pot(?:-[0-9]+)?")
_DEALT_HOLE: Final = {f" [{text[:2]} {text[2:]}]": hole for text, hole in HOLE_OF_TEXT.items()}
"""Holes by the end of a line that deals them."""
_DEALT: Final = re.compile(r"Dealt to (.+) \[(\S\S) (\S\S)\]")
_STACK: Final = re.compile(rf"{MONEY} in [Cc]hips(?:, [^()]*)?\)(.*)")
_TOTAL: Final = re.compile(rf"Total pot:? {MONEY}( .*)?\| Rake:? {MONEY}.*")
TOTAL_POT: Final = ("Total pot ", "Total pot:")
"""Beginnings of the line with the pot and the rake; converters write colons."""
_ONE_POT: Final = re.compile(rf"(?:Main|Side) pot(?:-[0-9]+)?:? {MONEY}\.")
_CARDS: Final = re.compile(r" (?:showed|mucked) \[(\S\S) (\S\S)\]")
_WON: Final = re.compile(rf" (?:collected|won) \((?:{MONEY}\))?")
"""Pattern of winnings; without an amount where it is none."""
_BUTTON: Final = " (button)"


class ActionLine(NamedTuple):
    """Action: a row of `railbird.game.reported`, and the cards if it is an open fold."""

    kind: int
    amount: int
    to: int
    hole: Hole | None


class Post(NamedTuple):
    """Blind or ante."""

    what: str
    amount: Chips
    all_in: bool


class ShownCards(NamedTuple):
    """Two cards shown by a player."""

    hole: Hole


class Remark(Enum):
    """Text without effect on the play."""

    QUIET = 0
    AWAY = 1
    """The player is away from the table."""


class SeatSummary(NamedTuple):
    """Summary of a seat."""

    on_button: bool
    hole: Hole | None
    won: Chips | None


@lru_cache(_KEPT)
def read_play(text: str, scale: int) -> ActionLine | Post | ShownCards | Remark | None:
    """Read the text after a player's name and a colon; None if it is none of the known kinds.

    Raises `BadHand` for impossible amounts and cards.
    """
    if match := _ACT.fullmatch(text):
        return _act(match, scale)
    if match := _POST.fullmatch(text):
        return Post(match[1], chips_of(match[2], scale), bool(match[3]))
    if match := _SHOW.fullmatch(text):
        hole = _hole(match[1], match[2])
        return Remark.QUIET if hole is None else ShownCards(hole)
    if text in _AWAY:
        return Remark.AWAY
    if _QUIET.fullmatch(text):
        return Remark.QUIET
    refuse_house_money(text)
    return None


def _act(match: re.Match[str], scale: int) -> ActionLine:
    verb, amount, to, _, first, second = match.groups()
    chips = chips_of(amount or "0", scale)
    hole = _hole(first, second) if second else None
    match verb:
        case "folds":
            return ActionLine(FOLD_IF_ABLE, NOT_STATED, NOT_STATED, hole)
        case "checks" | "calls":
            return ActionLine(CALL, chips, NOT_STATED, hole)
        case _:
            return ActionLine(RAISE, chips, chips_of(to, scale) if to else chips, hole)


def _hole(first: str, second: str) -> Hole | None:
    """Return two cards; None if one of them is hidden."""
    if _HIDDEN in (first, second):
        return None
    return HOLE_OF_TEXT.get(first + second) or read_hole(first + second)


@lru_cache(_KEPT)
def read_result(text: str, scale: int) -> SeatSummary:
    """Read the text after a player's name in the summary. Raises `BadHand`."""
    refuse_house_money(text)
    # Most players fold: what their lines do not have is not searched for.
    cards = _CARDS.search(text) if "[" in text else None
    won = _WON.findall(text) if "(" in text else []
    if "" in won:
        raise BadHand(SkipReason.UNREADABLE, repr(text[-60:]))
    return SeatSummary(
        on_button=text.startswith(_BUTTON),
        hole=_hole(cards[1], cards[2]) if cards else None,
        won=chips_of(won[-1], scale) if won else None,
    )


def read_total(line: str, scale: int) -> tuple[Chips, Chips] | None:
    """Read the pot and the rake from a line of the summary; None if it is another line."""
    match = _TOTAL.fullmatch(line)
    if match is None:
        return None
    total, rake = chips_of(match[1], scale), chips_of(match[3], scale)
    if match[2] and (pots := _ONE_POT.findall(match[2])):
        parts = sum([chips_of(pot, scale) for pot in pots])
        if parts not in (total, total - rake):
            raise BadHand(SkipReason.WRONG_PAYOFF, f"pots of {parts} in a total pot of {total}")
    return total, rake


def has_total(line: str) -> bool:
    """Return whether a line has the pot and the rake."""
    return line.startswith(TOTAL_POT) and _TOTAL.fullmatch(line) is not None


def read_street(line: str) -> tuple[Card, ...]:
    """Read the whole board from a line that deals a street; empty for headings of other sections.

    Raises `BadHand` for sections that this game does not have.
    """
    if line in _HEADINGS:
        return ()
    head, _, cards = line.partition(" [")
    size = _BOARD_SIZES.get(head)
    if size is None:
        name = _STARS.fullmatch(line)
        if name is None:
            raise BadHand(SkipReason.UNREADABLE, f"{line[:60]!r}")
        if name[1] not in _SECTIONS:
            twice = name[1].startswith(_NTH)
            detail = f"{RUN_TWICE}: {line[:40]!r}" if twice else f"{line[:60]!r}"
            raise BadHand(SkipReason.ANOTHER_GAME, detail)
        return ()
    texts = cards[:-1].replace("] [", " ").split()
    if cards[-1:] == "]" and len(texts) == size:
        try:
            return tuple([CARD_OF_TEXT[text] for text in texts])
        except KeyError:
            pass
    return read_cards("".join(texts), size)


@lru_cache(_KEPT)
def read_stack(text: str, scale: int) -> tuple[Chips, bool] | None:
    """Read the text after the last " (" of a seat's line: the stack, and whether text follows it.

    Returns None if there is no stack. Raises `BadHand`.
    """
    match = _STACK.fullmatch(text)
    return None if match is None else (chips_of(match[1], scale), bool(match[2].strip()))


@lru_cache(_KEPT)
def read_table(line: str) -> tuple[str, int, bool] | None:
    """Read the table's name, the seat of the button (0 if it is not given), and of play money."""
    match = TABLE.fullmatch(line)
    if match is None:
        return None
    play_money = PLAY_MONEY.lower() in line[match.end(1) :].lower()
    return "" if match[1] == NO_TABLE else match[1], int(match[2] or 0), play_money


@lru_cache(_KEPT)
def read_collected(text: str, scale: int) -> Chips | None:
    """Read the chips after "collected"; None for any other text."""
    match = _COLLECTED.fullmatch(text)
    return None if match is None else chips_of(match[1], scale)


def read_dealt(line: str) -> tuple[str, Hole] | None:
    """Read the player who was dealt cards, and the cards. Raises `BadHand` for invalid cards."""
    hole = _DEALT_HOLE.get(line[-8:])
    if hole is not None:
        return line[9:-8], hole
    match = _DEALT.fullmatch(line)
    return None if match is None else (match[1], read_hole(match[2] + match[3]))


def folded_all_in(
    stacks: Mapping[_Who, int], posts: Iterable[tuple[_Who, int]], folds: Iterable[_Who]
) -> list[_Who]:
    """Return absent players whom the site folds although a post put them all-in.

    The engine asks nobody without chips. They are given one chip more, with which they fold; what
    they put in stays the same.
    """
    left = dict(stacks)
    for who, amount in posts:
        left[who] -= amount
    return [who for who in folds if left[who] <= 0]


_SEAT: Final = re.compile(r"Seat ([0-9]{1,3}): (.+) \((\S+ in [Cc]hips.*)")
_SEAT_DIGITS: Final = 3
_RETURNED: Final = re.compile(rf"Uncalled bet \({MONEY}\) returned to (.+)")
_ARCHIVE_MARK: Final = re.compile(r"\*{5,20} # [0-9]{1,9} \*{5,20}")
_SUMMARY: Final = "*** SUMMARY ***"
_SAID: Final = ' said, "'
"""Mark of chat, which may say anything."""
_ORDER_MARK: Final = "\ufeff"
_ROOMS: Final = ("PokerStars", "Full Tilt ", "Run It Once", "PokerBros ", "PokerMaster")
_RUN_IT_ONCE: Final = "Run It Once"
_FIRST_WORDS: Final = frozenset([room[:10].lower() for room in _ROOMS])
_BEGINNINGS: Final = frozenset(
    [
        f"{mark}{spelt}"[:10]
        for mark in ("", _ORDER_MARK)
        for room in _ROOMS
        for spelt in (room, room.upper(), room.lower())
    ]
)
"""Beginnings of a hand's first line; only lines that have one are matched against `HEADER`."""
_INITIALS: Final = frozenset([beginning[0] for beginning in _BEGINNINGS])
"""Their first characters, which most lines do not have."""
_LONGEST_HAND: Final = 1000
"""Most lines of a hand, so that text without empty lines does not fill the memory."""
_LONGEST_LINE: Final = 1000
"""Most characters of a line that are kept; a longer line can only be chat."""
_DENOMINATIONS: Final = {1: Fraction(1), 100: Fraction(1, 100)}


class _PokerStarsBlock(NamedTuple):
    """Lines of one hand."""

    first: int
    lines: list[str]
    ended: bool
    """Whether anything follows the block."""


@dataclass(slots=True)
class _Player:
    name: str
    index: int
    """Position among the seats in the text."""
    seat: int
    """Number of the seat at the table."""
    stack: Chips
    away: bool
    takes_part: bool = False
    hole: Hole = UNKNOWN
    won: int = 0
    returned: int = 0
    """Uncalled part of a bet."""
    said: Chips | None = None
    """Chips won according to the summary."""

    def show(self, hole: Hole) -> None:
        """Record the player's cards. Raises `BadHand` if they differ from earlier ones."""
        if self.hole is not hole:
            self.hole = after_showing(self.hole, hole, f"seat {self.seat}")


@dataclass(slots=True)
class _ParsedHand:
    """Contents of a hand's lines, not verified yet."""

    head: Head
    scale: int
    table: str = ""
    button: int = 0
    play_money: bool = False
    players: dict[str, _Player] = field(default_factory=dict)
    seats: dict[str, _Player] = field(default_factory=dict)
    """Players by the number of their seat."""
    colons: bool = False
    """Whether a name contains a colon and a space, which also end names."""
    posts: list[tuple[_Player, Post]] = field(default_factory=list)
    report: list[int] = field(default_factory=list)
    """Actions for `railbird.game.reported`, with player indices instead of seats."""
    board: tuple[Card, ...] = ()
    total: Chips | None = None
    rake: Chips | None = None


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hand histories hand by hand."""
    verify = partial(_hand, options=options)
    return read_in_stages(_divided(_blocks(lines)), _story, verify, _refused, _reason)


def _refused(block: _PokerStarsBlock, story: _ParsedHand | None) -> RefusedHand:
    """Return what the text tells of a hand that is refused."""
    line = block.lines[0]
    head = attempt(line, read_head, line) if story is None else story.head
    won = refused_money(block.lines)
    if isinstance(head, BadHand):
        return refused_hand(won, played_at=read_time(line))
    return refused_hand(
        won,
        head.number,
        played_at=head.played_at,
        betting=head.game.betting,
        stakes=[chips * UNIT // head.game.scale for chips in head.game.stakes],
        ante=ante_in(block.lines),
        currency=head.game.currency,
    )


def _reason(block: _PokerStarsBlock, problem: BadHand) -> SkipReason:
    cut = not block.ended and not any(map(has_total, block.lines))
    is_certain = problem.reason is SkipReason.ANOTHER_GAME or not cut
    return problem.reason if is_certain else SkipReason.CUT


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines begins a hand."""
    return any(HEADER.match(line.strip().lstrip(_ORDER_MARK)) for line in lines)


def _blocks(lines: Iterable[str]) -> Iterator[_PokerStarsBlock]:
    first, block = 1, list[str]()
    blanks = spacing = 0  # consecutive empty lines, and those that separate this hand's lines
    # One empty line may stand between the sections of a hand.
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if (
            block
            and text
            and (text[0] not in _INITIALS or text[:10] not in _BEGINNINGS)
            and number - first < _LONGEST_HAND
        ):
            block.append(text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE])
            blanks = 0
        elif text:
            text = text.lstrip(_ORDER_MARK)[:_LONGEST_LINE]
            starts = text[:10].lower() in _FIRST_WORDS and HEADER.match(text) is not None
            if block and (starts or number - first >= _LONGEST_HAND):
                yield _PokerStarsBlock(first, block, ended=True)
                block = []
            if block or not _ARCHIVE_MARK.fullmatch(text):
                first, spacing = (first, spacing) if block else (number, 0)
                block.append(text)
            blanks = 0
        else:
            blanks += 1
            spacing = 1 if len(block) == 1 and blanks == 1 else spacing
            if block and blanks > 1 + 2 * spacing:
                yield _PokerStarsBlock(first, block, ended=True)
                block = []
    if block:
        yield _PokerStarsBlock(first, block, ended=False)


def _divided(blocks: Iterable[_PokerStarsBlock]) -> Iterator[_PokerStarsBlock]:
    """Divide blocks in whose lines, whose ends were cut off, other hands begin."""
    for block in blocks:
        text = "\n".join(block.lines)
        begins_well = text[:10].lower() in _FIRST_WORDS
        if begins_well and text.count("Hand #") + text.count("Game #") < 2:
            yield block
            continue
        first, lines = block.first, list[str]()
        for number, line in enumerate(block.lines, block.first):
            rest = line
            # Chat may quote the first line of a hand.
            while _SAID not in line and (begins := HEADER.search(rest, 1)) is not None:
                yield _PokerStarsBlock(first, [*lines, rest[: begins.start()]], ended=True)
                first, lines, rest = number, [], rest[begins.start() :]
            lines.append(rest)
        yield _PokerStarsBlock(first, lines, block.ended)


def _story(block: _PokerStarsBlock) -> _ParsedHand:
    """Parse the lines without judging whether the hand is possible. Raises `BadHand`."""
    lines = block.lines
    head = read_head(lines[0])
    scale = head.game.scale
    story = _ParsedHand(head, scale)
    players, report = story.players, story.report
    try:
        end = lines.index(_SUMMARY)
    except ValueError:
        end = len(lines)
    for line in lines[1:end]:
        name, colon, text = line.partition(": ")
        player = players.get(name) if colon else None
        if player is None and story.colons and colon:
            player, text = _longest_name(story, line)
        if player is None:
            _tell(story, line)
            continue
        play = read_play(text, scale)
        if isinstance(play, ActionLine):
            kind, amount, to, hole = play
            player.takes_part = True
            report += (player.index, kind, amount, to)
            if hole is not None:
                player.show(hole)
        else:
            _tell_play(story, player, play, text)
    for line in lines[end + 1 :]:
        _tell_result(story, line)
    if story.total is None:
        summed_up = end + 1 < len(lines)
        reason = SkipReason.UNREADABLE if summed_up else SkipReason.CUT
        raise BadHand(reason, "no total pot")
    return story


def _longest_name(story: _ParsedHand, line: str) -> tuple[_Player | None, str]:
    """Return the player whose name and a colon begin the line, and the text after them."""
    if line.startswith("Seat "):
        return None, ""
    names = [name for name in story.players if line.startswith(f"{name}: ")]
    if not names:
        return None, ""
    name = max(names, key=len)
    return story.players[name], line[len(name) + 2 :]


def _tell_play(
    story: _ParsedHand, player: _Player, play: Post | ShownCards | Remark | None, text: str
) -> None:
    """Record a post, shown cards or absence."""
    match play:
        case Post():
            player.takes_part = True
            story.posts.append((player, play))
        case ShownCards(hole):
            player.show(hole)
        case Remark.AWAY:
            player.away = True
        case None:
            raise BadHand(SkipReason.UNREADABLE, repr(f"{player.name}: {text}"[:60]))


def _tell(story: _ParsedHand, line: str) -> None:
    """Record a line without a player's name; chat and other remarks are ignored."""
    first = line[:4]  # one comparison for a line is faster than one for each kind
    if first == "*** ":
        _tell_street(story, line)
    elif first == "Seat" and line[4:5] == " " and ": " in line:
        _tell_seat(story, line)
    elif first == "Deal" and line.startswith("Dealt to ") and (dealt := read_dealt(line)):
        _player(story, dealt[0]).show(dealt[1])
    elif first == "Unca" and line.startswith("Uncalled bet "):
        match = _RETURNED.fullmatch(line)
        if match is None:
            raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
        _player(story, match[2]).returned += chips_of(match[1], story.scale)
    elif " collected " in line:
        _tell_collected(story, line)
    elif first == "Tabl" and line.startswith("Table ") and (table := read_table(line)):
        story.table, story.button, story.play_money = table
    elif _SAID not in line:
        _refuse_unread(story, line)


def _tell_collected(story: _ParsedHand, line: str) -> None:
    """Record winnings; nobody at the table collects in chat."""
    name, _, text = line.rpartition(" collected ")
    if name in story.players:
        chips = read_collected(text, story.scale)
        if chips is None:
            refuse_house_money(text, line)
            raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
        story.players[name].won += chips


def _refuse_unread(story: _ParsedHand, line: str) -> None:
    """Refuse money of the house, and actions of somebody without a seat. Raises `BadHand`."""
    refuse_house_money(line)
    name, colon, text = line.partition(": ")
    if colon and isinstance(read_play(text.strip(), story.scale), ActionLine | Post):
        raise _nobody(name)


def _tell_street(story: _ParsedHand, line: str) -> None:
    board = read_street(line)
    if not board:
        return
    if board[: len(story.board)] != story.board:
        raise BadHand(SkipReason.WRONG_BOARD, f"{line!r} does not continue the board")
    story.board = board
    story.report += NEXT_STREET


def _tell_seat(story: _ParsedHand, line: str) -> None:
    seat, _, text = line[5:].partition(": ")
    name, _, text = text.rpartition(" (")
    stack = read_stack(text, story.scale)
    if stack is None and (match := _SEAT.fullmatch(line)):  # more parentheses after the stack
        seat, name, text = match.groups()
        stack = read_stack(text, story.scale)
    if stack is None or not name or not (seat.isdecimal() and len(seat) <= _SEAT_DIGITS):
        raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
    if name in story.players or seat in story.seats:
        raise BadHand(SkipReason.SAME_NAME, f"seat {seat} or {name} twice")
    player = _Player(name, len(story.players), int(seat), *stack)
    story.players[name] = story.seats[seat] = player
    story.colons = story.colons or ": " in name


def _tell_result(story: _ParsedHand, line: str) -> None:
    """Record a line of the summary."""
    if line.startswith("Seat "):
        seat, _, text = line[5:].partition(": ")
        player = story.seats.get(seat)
        if player is None or not text.startswith(player.name):
            raise BadHand(SkipReason.UNREADABLE, f"{line[:60]!r}: the seat has another player")
        result = read_result(text[len(player.name) :], story.scale)
        if result.on_button and player.seat != story.button:
            raise BadHand(
                SkipReason.UNREADABLE, f"the button is in seats {story.button} and {player.seat}"
            )
        if result.hole is not None:
            player.show(result.hole)
        if result.won is not None:
            player.said = result.won
    elif line.startswith(TOTAL_POT) and (total := read_total(line, story.scale)):
        if story.total is not None and (story.total, story.rake) != total:
            raise BadHand(SkipReason.WRONG_PAYOFF, f"two total pots: {line[:60]!r}")
        story.total, story.rake = total
    elif line.startswith("*** "):
        raise BadHand(SkipReason.UNREADABLE, f"{line[:60]!r} in the summary")
    elif line.startswith("Hand was run "):
        raise BadHand(SkipReason.ANOTHER_GAME, RUN_TWICE)


def _player(story: _ParsedHand, name: str) -> _Player:
    if name not in story.players:
        raise _nobody(name)
    return story.players[name]


def _nobody(name: str) -> BadHand:
    return BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} has no seat")


def _hand(block: _PokerStarsBlock, story: _ParsedHand, options: ReadOptions) -> HandRecord:
    players = _seated(story)
    places = [NOT_STATED] * (len(story.players) + 1)  # the last is for rows without a player
    for seat, player in enumerate(players):
        places[player.index] = seat
    rules = options.rules or _rules(story, players, places)
    report = _report(story, places)
    record = partial(_record, block, story, options)
    try:
        return record(rules, players, report)
    except BadHand as problem:
        try:
            if block.lines[0].startswith(_RUN_IT_ONCE):
                return record(rules, players, _of_early_run_it_once(report))
            if absent := _folded_all_in(story, report, players):
                for player in absent:
                    player.stack = Chips(player.stack + 1)
                return record(_rules(story, players, places, absent), players, report)
            if (completed := _completed(report, story, len(players))) is not None:
                return record(rules, players, *completed)
        except BadInput:  # what the text says as it stands is the better reason
            pass
        raise why_refused(problem, rules) from None


def _folded_all_in(
    story: _ParsedHand, report: Sequence[int], players: Sequence[_Player]
) -> list[_Player]:
    rows = zip(report[::4], report[1::4], strict=True)
    absent = folded_all_in(
        {player.index: player.stack for player in story.players.values()},
        ((player.index, post.amount) for player, post in story.posts),
        (players[seat].index for seat, kind in rows if kind == FOLD_IF_ABLE),
    )
    return [player for player in players if player.index in absent]


def _completed(
    report: list[int], story: _ParsedHand, seats: int
) -> tuple[list[int], list[int]] | None:
    """Return a report in which a blind is completed over a short one, alone against it.

    The site takes the full big blind and gives the excess back. Returns the report with the call
    of what is due, and the excess by seat; None if it is another hand.
    """
    full = story.head.game.full_blinds[1]
    posted = [post.amount for _, post in story.posts if post.what == "big blind"]
    end = report[1::4].index(DEAL) if DEAL in report[1::4] else 0
    if not posted or posted[0] >= full or not end or report[4 * end - 3] != CALL:
        return None
    row = 4 * end - 4
    excess = [0] * seats
    excess[report[row]] = full - posted[0]
    return [*report[: row + 2], NOT_STATED, *report[row + 3 :]], excess


def _record(
    block: _PokerStarsBlock,
    story: _ParsedHand,
    options: ReadOptions,
    rules: Rules,
    players: list[_Player],
    report: list[int],
    unused: Sequence[int] = (),
) -> HandRecord:
    """Replay the reported actions and compare the payoffs. Raises `BadHand`.

    ``unused`` are chips by seat that the text puts in although nobody is left to call them.
    """
    names = tuple([player.name for player in players])
    if rules.seats != len(names):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"{len(names)} players in a game of {rules.seats} seats"
        )
    holes = tuple([player.hole.holding for player in players])
    ending = reported_ending(rules, report, holes, story.board, names)
    return HandRecord(
        rules=rules,
        players=renamed(names, options.rename) if options.rename else names,
        holes=holes,
        board=story.board,
        actions=ending.actions,
        payoffs=_payoffs(story, players, ending, unused),
        number=story.head.number.whole,
        number_text=story.head.number.text,
        table=story.table,
        played_at=story.head.played_at,
        denomination=_DENOMINATIONS[story.scale],
        currency=story.head.game.currency,
        tournament=story.head.game.tournament,
        play_money=story.play_money,
        low_first=sum([player.hole.low_first << seat for seat, player in enumerate(players)]),
        source=Source(options.file, block.first),
    )


def _seated(story: _ParsedHand) -> list[_Player]:
    """Return the players dealt in, clockwise from the left of the button."""
    for player in story.players.values():
        if not player.takes_part and not player.away:
            raise BadHand(SkipReason.UNREADABLE, f"{player.name} neither acts nor sits out")
    seated = [player for player in story.players.values() if player.takes_part]
    if len(seated) < 2:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(seated)} players")
    if story.button == 0:
        raise BadHand(SkipReason.UNREADABLE, "no line gives the button")
    seated.sort(key=lambda player: (player.seat <= story.button, player.seat))
    return seated


def _report(story: _ParsedHand, places: list[int]) -> list[int]:
    """Return the reported actions with seats instead of player indices.

    After a short big blind the site counts the first raise from the amount posted, although the
    others must call the full blind.
    """
    report = story.report
    report[::4] = [places[index] for index in report[::4]]
    full = story.head.game.full_blinds[1]
    posted = [post.amount for _, post in story.posts if post.what == "big blind"]
    if posted and posted[0] < full and RAISE in report[1::4]:
        first = 4 * report[1::4].index(RAISE)
        if report[first + 3] - report[first + 2] == posted[0]:
            report[first + 2] = NOT_STATED
    return report


def _of_early_run_it_once(report: Sequence[int]) -> list[int]:
    """Return reported actions as Run It Once meant them in the beginning of 2019.

    The total of a raise is the chips put in: over a raise to 0.58, "raises 0.54 to 1.12" from a
    player who has bet 0.19 is a raise to 1.31. Players check although all are all-in.
    """
    corrected = list(report)
    for row in range(0, len(report), 4):
        match report[row + 1 : row + 4]:
            case [kind, _, to] if kind == RAISE:
                corrected[row + 1 : row + 4] = [PUT_IN, to, NOT_STATED]
            case [kind, 0, _] if kind == CALL:
                corrected[row + 1] = CHECK_IF_OPEN
    return corrected


def _rules(
    story: _ParsedHand, players: list[_Player], places: list[int], absent: Sequence[_Player] = ()
) -> Rules:
    game, blinds = story.head.game, story.head.game.full_blinds
    spent = [0] * len(story.players)
    posted = []
    for player, (post_kind, amount, all_in) in story.posts:
        index = player.index
        spent[index] += amount
        if spent[index] > player.stack or (all_in and spent[index] < player.stack and not absent):
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"{player.name} posts another amount than all")
        all_in = (all_in or spent[index] >= player.stack) and player not in absent
        posted.append(Posted(places[index], post_kind, amount, all_in))
    big = next((post for post in posted if post.what == "big blind"), None)
    if big is not None and big.amount != blinds[1] and not (big.all_in or absent):
        detail = f"a big blind of {big.amount}, by the first line {blinds[1]}"
        raise BadHand(SkipReason.ILLEGAL_ACTION, detail)
    posts = posts_of(len(players), tuple(posted), blinds)
    cap = game.cap
    return site_rules(
        game.betting,
        game.stakes,
        posts,
        stacks=tuple([min(player.stack, cap or player.stack) for player in players]),
    )


def _payoffs(
    story: _ParsedHand, players: list[_Player], ending: BettingOutcome, unused: Sequence[int]
) -> tuple[Fraction, ...]:
    """Return the payoffs after checking every amount that the text gives. Raises `BadHand`."""
    spent: Sequence[int] = ending.state.spent
    if unused:
        spent = list(map(add, spent, unused))
    won = [player.won for player in players]
    returned: Sequence[int] = [player.returned for player in players]
    total, taken = sum(spent) - sum(returned), sum(won)
    if not (right := _adds_up(story, total, taken)) and not any(returned):
        returned = unused or uncalled(ending.state)
        total -= sum(returned)
        right = _adds_up(story, total, taken)
    if not right and not _is_near(story, total, taken):
        raise BadHand(
            SkipReason.WRONG_PAYOFF,
            f"total pot {story.total} and rake {story.rake}; {total} were put in and {taken} won",
        )
    for player in players:
        if player.said is not None and player.said != player.won:
            raise BadHand(
                SkipReason.WRONG_PAYOFF,
                f"seat {player.seat} wins {player.won}, but {player.said} in the summary",
            )
    amounts = zip(won, returned, spent, strict=True)
    logged = [got + back - put for got, back, put in amounts]
    if right:
        return settle_raked(ending, logged)
    if not is_rounded(ending, logged):
        raise BadHand(SkipReason.WRONG_PAYOFF, f"{total} were put in and {taken} won")
    return exact(payoffs(ending.state))


def _adds_up(story: _ParsedHand, total: int, won: int) -> bool:
    """Return whether the summary has this pot, which some programs write without the rake."""
    return story.rake == total - won and story.total in (total, won)


def _is_near(story: _ParsedHand, total: int, won: int) -> bool:
    """Return whether the summary has this pot but for the rounding of a tournament's chips."""
    off = max(abs(total - won), abs(total - (story.total or 0)))
    return story.head.game.tournament and story.rake == 0 and off <= MOST_ROUNDED
