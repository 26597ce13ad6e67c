"""Logs of PokerNow as CSV, the site of home games: cash games and tournaments.

A row has an entry, its time and its order, the newest first. ``calls``, ``bets`` and ``raises to``
give the total of the street, and so do a straddle and a missed big blind. A missing small blind is
dead. Players are ``name @ id``: a person keeps the id and may change the name, so a name stands for
its id, the last that it had. Who logs in during a game gets another id, which a row tells. Amounts
are cents where they have decimals, else chips.

The cards of the log's owner are in it without a name. The owner is the only player who sat in every
such hand and never showed other cards in one, and is unknown if there are several. Cards are also
shown one by one, and after the hand has ended.
"""

# Rows are sorted by their order before anything else, for a hand's time does not order its rows.
# A part of a file from one head of columns to the next is one log; friends' logs of one game that
# were joined thus have owners of their own. Rows outside of hands (seats taken, settings) are not
# play. A setting may have several lines, which are no rows and are passed over.

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from railbird.cards import HOLDEM
from railbird.game import Betting
from railbird.game.reported import CALL, NOT_STATED, RAISE
from railbird.histories.format import ReadOptions
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason
from railbird.histories.sites.money import Conventions, Notation, Uncalled
from railbird.histories.sites.other_games import other_game, refused_game
from railbird.histories.sites.replay import (
    A_RUN,
    BOARD_SIZES,
    OwnCards,
    PostKind,
    SiteHand,
    SitePlayer,
    SiteVerb,
)
from railbird.histories.sites.text import (
    CHECKS,
    Acts,
    Effect,
    HandBlock,
    LineTable,
    SiteText,
    hole_in,
    posts,
    quiet,
    returned,
    seat_a_dead_button,
    wins,
)
from railbird.histories.text_values import (
    hand_number,
    in_zone,
    local_time,
    read_cards,
    read_hole,
)
from railbird.units import Chips

HEAD: Final = "entry,at,order"
"""First row of a log."""
_ROW: Final = re.compile(
    r'"?(.{1,2000}?)"?,(?=[0-9]{4}-)([0-9T:.-]{19,26})Z(?:,([0-9]{1,24}))?', re.DOTALL
)
_START: Final = "-- starting hand #"
_END: Final = "-- ending hand #"
_SEEN_FIRST: Final = 200
"""Rows by which a log is recognised."""
_PLAYER: Final = re.compile(r'"([^"]{1,80}) @ ([\w-]{1,40})"')
_NEW_ID: Final = re.compile(
    r'The player "[^"]{1,120}" changed the ID from ([\w-]{1,40}) to ([\w-]{1,40})'
)
_STACK: Final = re.compile(r'#([0-9]{1,3}) "([^"]{1,120})" \(([0-9.]{1,20})\)')
_OWN: Final = "Your hand is "
_SHOWN: Final = re.compile(r'"([^"]{1,120})" shows a (\S{2,3}(?:, \S{2,3})+)\.')
_NO_PLAY: Final = re.compile(
    r"The (?:player|admin|game)\b|WARNING|IMPORTANT|Undealt cards|Game (?:entering|Config)"
    r"|Dead Small Blind|Remaining players|Some players|All players|Asking to"
)
"""Beginnings of rows that tell nothing of a hand's play."""
_HEADER: Final = re.compile(
    r"-- starting hand #([0-9]{1,9}) (?: ?\(id: [\w-]{1,40}\))? *\(?([^()]{3,60}?)\)?"
    r' *\((?:dealer: "([^"]{1,120})"|dead button)\) -- ([0-9]{4})-([0-9]{2})-([0-9]{2})'
    r"T([0-9]{2}):([0-9]{2}):([0-9]{2})[.0-9]*"
)
_DECIMALS: Final = re.compile(r"\([0-9]+\.[0-9]{2}\)")
_GAME: Final = re.compile("(No Limit|Pot Limit|Limit) (Texas Hold'em|.*Omaha.*)")
_BETTINGS: Final = {
    "No Limit": Betting.NO_LIMIT,
    "Pot Limit": Betting.POT_LIMIT,
    "Limit": Betting.LIMIT,
}
_SUITS: Final = str.maketrans("♥♦♣♠", "hdcs", "\N{VARIATION SELECTOR-16}")
_CENTS: Final = 100


class _Row(NamedTuple):
    """A row of a log."""

    order: int
    """Its order, else its place from the end of the file."""
    line: int
    entry: str
    at: str


# Reading rows, and cutting them into hands.


def recognises(lines: Sequence[str]) -> bool:
    """Return whether the lines are of a log: by the head, or by a hand's first row."""
    texts = [text for line in lines[:_SEEN_FIRST] if (text := line.strip("\ufeff \t\r\n"))]
    if not texts:
        return False
    return texts[0] == HEAD or any(_START in text and _ROW.fullmatch(text) for text in texts)


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read the hands of a log in the order of play."""
    return SITE.read_blocks(_blocks(lines), options)


def _blocks(lines: Iterable[str]) -> Iterator[HandBlock]:
    """Cut a text into hands; each has its players' final names."""
    rows = list[_Row]()
    for line, text in enumerate(lines, 1):
        stripped = text.strip("\ufeff \t\r\n")
        if stripped == HEAD:
            yield from _hands(rows)
            rows = []
        elif row_match := _ROW.fullmatch(stripped):
            entry, at, order = row_match.groups()
            rows.append(_Row(int(order or -line), line, entry.replace('""', '"'), at))
    yield from _hands(rows)


def _hands(rows: list[_Row]) -> Iterator[HandBlock]:
    """Cut one log's rows into hands, in the order of play."""
    rows.sort()
    rows = _with_one_id(rows)
    names = _names(rows)
    hands = list[list[_Row]]()
    for row in rows:
        if row.entry.startswith(_START):
            hands.append([])
        if not hands and _PLAY.search(row.entry):
            hands.append([])  # of a hand whose beginning is missing
        if hands:
            hands[-1].append(row)
    owner = _owner(hands)
    in_tournament = any("in the tournament" in row.entry for row in rows)
    blinds = dict.fromkeys(("small", "big"), "0")
    for number, hand in enumerate(hands):
        first = hand[0]
        blinds |= dict(_FULL_BLIND.findall("\n".join(row.entry for row in hand)))
        headed = first.entry.startswith(_START)
        lines = [_with_names(row.entry, names) for row in hand if not _NO_PLAY.match(row.entry)]
        lines[0:1] = [f"{lines[0]} {first.at}" if headed else lines[0]]
        lines[1:1] = ["{}{small}/{big}".format(_BLINDS_ARE, **blinds)]
        if owner:
            lines.append(f"{_OWNER}{names.get(owner, owner)}")
        if in_tournament:
            lines.append(_TOURNAMENT)
        ended = number + 1 < len(hands) or any(row.entry.startswith(_END) for row in hand)
        yield HandBlock(first.line, lines, headed, ended)


_PLAY: Final = re.compile('" (?:folds|checks|calls|bets|raises|posts)')
_FULL_BLIND: Final = re.compile(r"(?m) posts a (small|big) blind of ([0-9.]{1,20})$")
_BLINDS_ARE: Final = "-- blinds: "
_OWNER: Final = "-- owner: "
_TOURNAMENT: Final = "-- tournament"


def _with_one_id(rows: list[_Row]) -> list[_Row]:
    """Return the rows with one id for each person, as logging in during a game gives another."""
    first = dict[str, str]()
    for row in rows:
        if changed := _NEW_ID.match(row.entry):
            former, new = changed.groups()
            first[new] = first.get(former, former)
    if not first:
        return rows

    def with_first(player: re.Match[str]) -> str:
        name, number = player.groups()
        return f'"{name} @ {first.get(number, number)}"'

    return [row._replace(entry=_PLAYER.sub(with_first, row.entry)) for row in rows]


def _names(rows: Iterable[_Row]) -> dict[str, str]:
    """Return the last name of each id, with the id where several have one name."""
    last = {number: name for row in rows for name, number in _PLAYER.findall(row.entry)}
    shared = defaultdict[str, int](int)
    for name in last.values():
        shared[name] += 1
    return {
        number: name if shared[name] == 1 else f"{name} @ {number}" for number, name in last.items()
    }


def _with_names(entry: str, names: dict[str, str]) -> str:
    """Return an entry with the players' names, and cards spelt with letters outside of them.

    A player's row begins with the name itself, without its quotation mark.
    """
    parts = _PLAYER.sub(lambda found: f'"{names[found[2]]}"', entry).split('"')
    texts = [part if place % 2 else part.translate(_SUITS) for place, part in enumerate(parts)]
    return '"'.join(texts).removeprefix('"')


def _owner(hands: Iterable[Sequence[_Row]]) -> str:
    """Return the id of the player whose cards the log has; empty if several may be.

    Players without an id go by their names.
    """
    owners: set[str] | None = None
    for hand in hands:
        own = next((row.entry for row in hand if row.entry.startswith(_OWN)), "")
        if not own:
            continue
        cards = {*own.removeprefix(_OWN).split(", ")}
        seated = set[str]()
        for row in hand:
            if row.entry.startswith("Player stacks"):
                seated = {_id_of(name) for _, name, _ in _STACK.findall(row.entry)}
            elif showdown := _SHOWN.fullmatch(row.entry):
                who = _id_of(showdown[1])
                if {*showdown[2].split(", ")} == cards:
                    seated &= {who}
                else:
                    seated.discard(who)
        owners = seated if owners is None else owners & seated
    return next(iter(owners)) if owners is not None and len(owners) == 1 else ""


def _id_of(name: str) -> str:
    return name.rpartition(" @ ")[2]


# Effects of lines.


@dataclass(slots=True)
class _HomeHand(SiteHand):
    """A hand, and what its rows tell of its course."""

    dealer: str = ""
    """Player on the button; empty for a dead one."""
    own_hole: OwnCards | None = None
    """Cards of the log's owner."""
    street: dict[int, Chips] = field(default_factory=dict)
    """Chips that each player, by index, has in on this street."""
    single: dict[int, str] = field(default_factory=dict)
    """Cards that were shown one by one."""


def _begin(lines: Sequence[str]) -> _HomeHand:
    head = _HEADER.fullmatch(lines[0])
    if head is None:
        raise BadHand(SkipReason.UNREADABLE, repr(lines[0][:60]))
    number, game, dealer, *moment = head.groups()
    named = _GAME.fullmatch(game.strip())
    if named is None:
        raise refused_game(game)
    in_cents = any(map(_DECIMALS.search, lines[1:4]))
    played_at = local_time(*map(int, moment))
    return _HomeHand(
        number=hand_number(number),
        betting=_BETTINGS[named[1]],
        variant=HOLDEM if named[2] == "Texas Hold'em" else other_game(game),
        notation=Notation(_CENTS if in_cents else 1),
        played_at=None if played_at is None else in_zone(played_at, "UTC"),
        tournament=_TOURNAMENT in lines,
        rake=0,
        dealer=dealer or "",
    )


def _seats(hand: _HomeHand, text: str) -> None:
    """Take the players who are dealt in, and with them the button."""
    stacks = _STACK.findall(text)
    if not stacks or len(stacks) != text.count('" (') or hand.players:
        raise BadHand(SkipReason.UNREADABLE, f"stacks {text[:60]!r}")
    for number, name, stack in stacks:
        player = hand.take_seat(name, int(number), hand.amount(stack))
        player.dealt_in = True
        if name == hand.dealer:
            hand.button = player.number


def _blinds_are(hand: _HomeHand, small: Chips, big: Chips) -> None:
    hand.stakes = (small, big) if small <= big else None


def _owns(hand: _HomeHand, cards: str) -> None:
    hand.own_hole = hole_in(cards, hand.notation)


def _owner_is(hand: _HomeHand, name: str) -> None:
    if hand.own_hole is not None and name in hand.players:
        hand.players[name].show(hand.own_hole)


def _posts_live(kind: PostKind) -> Effect:
    """Return the effect of a live post, of the total that the player then has in."""

    def effect(
        hand: _HomeHand, player: SitePlayer, amount: Chips, all_in: str | None = None
    ) -> None:
        hand.posts = [
            post
            for post in hand.posts
            if post.player is not player or post.kind in (PostKind.ANTE, PostKind.DEAD_BLIND)
        ]
        hand.post(player, kind, amount, all_in=bool(all_in))
        hand.street[player.index] = amount

    return effect


def _calls(hand: _HomeHand, player: SitePlayer, total: Chips) -> None:
    before = hand.street.get(player.index, 0)
    hand.street[player.index] = total
    hand.act(player, CALL, total - before, NOT_STATED)


def _raises(hand: _HomeHand, player: SitePlayer, total: Chips) -> None:
    """Take a raise, or a call in its words of a bet that nobody can be raised above."""
    if total <= max(hand.street.values(), default=0):
        _calls(hand, player, total)
        return
    hand.street[player.index] = total
    hand.act(player, RAISE, NOT_STATED, total)


def _shows(hand: _HomeHand, player: SitePlayer, cards: str) -> None:
    """Take shown cards: all, or one of hold'em's two, of which the other may follow."""
    card = hand.notation.cards(cards)
    if hand.variant is not HOLDEM:
        player.show(read_cards("".join(card), len(card)))
        return
    before = hand.single.setdefault(player.index, cards)
    if len(card) == 1 and before != cards:
        card = hand.notation.cards(f"{before} {cards}")
    if len(card) == 2:
        hole = read_hole("".join(card))
        if player.hole.holding is None or player.hole.holding != hole.holding:
            player.show(hole)


def _deals(hand: _HomeHand, street: str, run: str | None, cards: str) -> None:
    if run == "second board":
        raise BadHand(SkipReason.ANOTHER_GAME, "two boards")
    hand.deal(cards.replace(",", " ").split(), BOARD_SIZES[street.upper()] + 2 * A_RUN * bool(run))
    if not run:
        hand.street.clear()


def _is_bomb_pot(hand: _HomeHand, player: SitePlayer, *_: object) -> None:
    raise BadHand(SkipReason.ANOTHER_GAME, "a bomb pot")


def _pays_bounty(hand: _HomeHand, player: SitePlayer, amount: Chips, winner: str) -> None:
    """Take a bounty on 7-2, which players pay beside the pot."""
    hand.sold = True
    for side, chips in ((player, -amount), (hand.player(winner), amount)):
        side.house = (side.house or 0) + chips


def _wins_bounty(hand: _HomeHand, player: SitePlayer, amount: Chips) -> None:
    """Compare a bounty with what others were said to pay. Raises `BadHand`."""
    if player.house != amount:
        raise BadHand(SkipReason.ANOTHER_GAME, f"a bounty on 7-2 of {amount}, paid by nobody")


def _finish(hand: SiteHand) -> None:
    """Seat a dead button, and take a small blind once that two lines tell."""
    small = {post.player for post in hand.posts if post.kind is PostKind.SMALL_BLIND}
    hand.posts = [
        post
        for post in hand.posts
        if post.kind is not PostKind.DEAD_BLIND or post.player not in small
    ]
    if not hand.button:
        seat_a_dead_button(hand)


_WORDS: Final = {
    "all in": "( and go all in)?",
    "quietly": "(?: and go all in)?",
    "text": "(.*)",
    "street": "(Flop|Turn|River)",
    "run": r"(?: \((second run|second board)\))?",
}
SITE: Final = SiteText(
    header=re.compile(_START),
    begin=_begin,
    after_name=('" ',),
    players=LineTable(
        {
            "posts an ante of {amount}{all in}": posts(PostKind.ANTE),
            "posts a small blind of {amount}{all in}": _posts_live(PostKind.SMALL_BLIND),
            "posts a big blind of {amount}{all in}": _posts_live(PostKind.BIG_BLIND),
            "posts a missing small blind of {amount}{all in}": posts(PostKind.DEAD_BLIND),
            "posts a missed big blind of {amount}{all in}": _posts_live(PostKind.EXTRA_BLIND),
            "posts a straddle of {amount}{all in}": _posts_live(PostKind.STRADDLE),
            "folds": Acts(SiteVerb.FOLD_IF_ABLE),
            "checks": CHECKS,
            "calls {amount}{quietly}": _calls,
            "bets {amount}{quietly}": _raises,
            "raises to {amount}{quietly}": _raises,
            "{...}(bomb pot bet)": _is_bomb_pot,
            "collected {amount} from pot{...}": wins,
            'paid {amount} for the 7-2 bounty to "{name}"': _pays_bounty,
            "collected {amount} from the 7-2 bounty": _wins_bounty,
            "shows a {text}": _shows,
            "chooses to {...}": quiet,
            "will be {...}": quiet,
        },
        **_WORDS,
    ),
    unread=re.compile(".*"),
    others=LineTable(
        {
            "Player stacks: {text}": _seats,
            "Your hand is {text}": _owns,
            f"{_OWNER}{{text}}": _owner_is,
            f"{_BLINDS_ARE}{{amount}}/{{amount}}": _blinds_are,
            'Uncalled bet of {amount} returned to "{name}"': returned,
            "{street}{run}: {text}": _deals,
        },
        **_WORDS,
    ),
    finish=_finish,
    conventions=Conventions(site="PokerNow", uncalled=Uncalled.INCLUDED, complete=True),
)
