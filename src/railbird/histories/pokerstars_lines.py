"""Parts of a PokerStars hand: its header, its single lines, and the rules that its posts imply.

Actions repeat: each text after a name is parsed once and then cached, which is five times as fast
as matching its pattern.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import Final, NamedTuple

from railbird.cards import CARD_OF_TEXT, Card
from railbird.errors import BadInput
from railbird.game import LIMIT_RAISES, Betting, OpenFold, Rules, UncallableRaise
from railbird.game.reported import CALL, FOLD_IF_ABLE, NOT_STATED, RAISE
from railbird.histories.record import RUN_TWICE, BadHand, SkipReason
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
    HandNumber,
    Hole,
    hand_number,
    in_zone,
    is_new_york_summer,
    local_time,
    read_cards,
    read_hole,
)
from railbird.units import Chips, Seat

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


def is_another_game(after: str) -> bool:
    """Return whether words after "Hold'em" and its betting name another game.

    >>> [is_another_game(text) for text in (" 6+ ($1)", " Double Board", " - Level 2", " ($1)")]
    [True, True, False, False]
    """
    return _GAME_AFTER.match(after) is not None


def is_title(before: str) -> bool:
    """Return whether words before "Hold'em" may end a tournament's title and name no other game."""
    return before[-1:].isspace() and not _OTHER_GAMES.search(before.rstrip())


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


def money_text(chips: Fraction | int, currency: str) -> str:
    """Write an amount: ``$5``, ``$0.50``, ``1500``.

    Raises `railbird.errors.BadInput` for fractions of a chip.
    """
    if chips != int(chips):
        raise BadInput(f"{chips} chips; allowed: whole ones")
    units, cents = divmod(int(chips), scale_of(currency))
    return f"{currency}{units}.{cents:02}" if cents else f"{currency}{units}"


def time_text(moment: datetime) -> str:
    """Write a time as the site does, in New York time; unchanged if it has no zone."""
    if moment.tzinfo is None:
        return f"{moment:%Y/%m/%d} {moment.hour}:{moment:%M:%S}"
    standard = moment.astimezone(timezone(timedelta(hours=-5)))
    local = standard.replace(tzinfo=None)
    if is_new_york_summer(local):
        local += timedelta(hours=1)
    return f"{local:%Y/%m/%d} {local.hour}:{local:%M:%S} ET"


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
