"""The PHH format of poker hand histories, and PHHS, many hands in one file (Kim 2024).

A hand is a TOML document; in PHHS each has a table of its own, ``[1]``, ``[2]``, and so on::

    variant = 'NT'
    antes = [0, 0, 0]
    blinds_or_straddles = [50, 100, 0]
    min_bet = 100
    starting_stacks = [10000, 10000, 10000]
    actions = ['d dh p1 3c9s', 'd dh p2 6d5s', 'd dh p3 ????', 'p3 f', 'p1 cbr 300', 'p2 f']

Player 1 sits to the left of the button. Heads-up that is the big blind, but posts are listed in the
order of a full table. The format does not specify odd chips and short all-ins: a hand gets the
ACPC's rules and, if it does not verify under them, those of a card room. Other properties of our
rules that the format has no field for are kept in a user-defined field, ``_rules``.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial, wraps
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from railbird.cards import CARD_OF_TEXT, Card
from railbird.errors import BadInput
from railbird.game import (
    Betting,
    OddChips,
    OpenFold,
    Rules,
    ShortAllIn,
    UncallableRaise,
    parse_rake,
)
from railbird.game.engine.reported import CHECK_IF_OPEN, FOLD, NEXT_STREET, RAISE, UNSAID
from railbird.histories.card_text import UNKNOWN, Hole, after_showing, read_cards, read_hole
from railbird.histories.format import ReadOptions, read_in_stages
from railbird.histories.phh.fields import (
    amounts,
    difference,
    fields_of,
    moment_of,
    scale_of,
    shown_chips,
)
from railbird.histories.rake import settle_raked, uncalled
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason, Source, renamed
from railbird.histories.verify import Ending, Holes, reported_ending
from railbird.units import Chips, Seat

VARIANTS: Final = {
    "FT": Betting.LIMIT,
    "NT": Betting.NO_LIMIT,
    "PT": Betting.POT_LIMIT,
}
"""Hold'em games; PT is not in the format's own list, which has pot limit for Omaha only."""

LIMIT_RAISES: Final = (4, 4, 4, 4)
"""Cap of fixed-limit hold'em where the text does not give one, as in pokerkit."""

_VARIANT: Final = re.compile(r"""variant\s*=\s*['"]""")
_HEADER: Final = re.compile(r"""\[\s*[\w"'.-]+\s*\]\s*(?:#.*)?$""")
_MOST_RAKE: Final = Fraction(1, 4)
"""Share of a pot that can be missing from `winnings`; no house takes more."""
_LONGEST_HAND: Final = 1000
"""In lines; keeps text without hands from filling the memory."""
_NUMBERS: Final = 1 << 63
_KEPT: Final = 1 << 12
_ACTIONS_KEPT: Final = 1 << 15
_NO_SEAT: Final = 24
"""First number that is too high for a player."""
_KINDS: Final = {"f": FOLD, "cc": CHECK_IF_OPEN}

_P = ParamSpec("_P")
_T = TypeVar("_T")
Fields = Mapping[str, Any]


class _Block(NamedTuple):
    """Lines of one hand."""

    first: int
    lines: list[str]


class _Row(NamedTuple):
    """Row of a report (`railbird.game.engine.reported`)."""

    seat: int
    kind: int
    amount: int
    to: int


class _Deal(NamedTuple):
    """Cards dealt to the board."""

    cards: tuple[Card, ...]


class _Show(NamedTuple):
    """Hole cards dealt or shown."""

    seat: int
    hole: Hole


class _Story(NamedTuple):
    """Contents of a hand's fields, not verified yet."""

    fields: Fields
    scale: int
    players: tuple[str, ...]
    report: list[int]
    """Actions for `railbird.game.engine.reported`."""
    holes: list[Hole]
    board: tuple[Card, ...]


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hands, one or many."""
    return read_in_stages(_blocks(lines), _told, partial(_hand, options=options), _skipped)


def _skipped(block: _Block, problem: BadInput) -> Skipped:
    if isinstance(problem, BadHand):
        return Skipped(problem.reason, block.first, problem.detail)
    return Skipped(SkipReason.ANOTHER_GAME, block.first, str(problem))  # posts that no table has


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines names the variant."""
    return any(map(_VARIANT.match, lines))


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    first, block, named = 1, list[str](), False
    for number, line in enumerate(lines, 1):
        if line[0] in "[v" or not block or len(block) > _LONGEST_HAND:
            variant = line[0] == "v" and _VARIANT.match(line) is not None
            header = line[0] == "[" and _HEADER.match(line.rstrip()) is not None
            if header or (variant and named) or len(block) > _LONGEST_HAND:
                if any(map(str.strip, block)):
                    yield _Block(first, block)
                first, block, named = number, [], False
            named = named or variant
            if header or (not block and (not line.strip() or line[0] == "#")):
                continue
            if not block and first < number - 1:
                first = number
        block.append(line)
    if any(map(str.strip, block)):
        yield _Block(first, block)


def _strict(stage: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a function raise `BadHand` where a field is missing or of another type."""

    @wraps(stage)
    def run(*arguments: _P.args, **options: _P.kwargs) -> _T:
        try:
            return stage(*arguments, **options)
        except BadInput:
            raise
        except (KeyError, TypeError, ValueError, ArithmeticError) as error:
            problem = f"no field {error}" if isinstance(error, KeyError) else str(error)
            raise BadHand(SkipReason.UNREADABLE, problem) from None

    return run


@_strict
def _told(block: _Block) -> _Story:
    """Parse the fields without judging whether the hand is possible. Raises `BadInput`."""
    fields = fields_of(block.lines)
    variant = fields["variant"]
    if variant not in VARIANTS:
        raise BadHand(
            SkipReason.ANOTHER_GAME, f"variant {variant!r}; allowed: {', '.join(VARIANTS)}"
        )
    seats = len(fields["starting_stacks"])
    antes, posts = len(fields["antes"]), len(fields["blinds_or_straddles"])
    if not antes == posts == seats:
        raise BadInput(f"{antes} antes, {posts} posts and {seats} stacks")
    players = tuple(fields.get("players") or [f"p{seat + 1}" for seat in range(seats)])
    if len(players) != seats:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(players)} players and {seats} stacks")
    if set(map(type, players)) != {str} or not all(players):
        raise BadHand(SkipReason.UNREADABLE, f"players {players}")
    scale = scale_of(fields)
    return _Story(fields, scale, players, *_course(fields["actions"], players, scale))


@_strict
def _hand(block: _Block, story: _Story, options: ReadOptions) -> HandRecord:
    fields, scale = story.fields, story.scale
    candidates = _candidates(fields, scale) if options.rules is None else [options.rules]
    holes = tuple([hole.holding for hole in story.holes])
    ending, payoffs = _verified(story, holes, candidates)
    number = fields.get("hand")
    return HandRecord(
        rules=ending.state.rules,
        players=renamed(story.players, options.rename),
        holes=holes,
        board=story.board,
        actions=ending.actions,
        payoffs=payoffs,
        number=number if type(number) is int and abs(number) < _NUMBERS else None,
        table=str(fields.get("table", "")),
        played_at=moment_of(fields),
        comment=str(fields.get("_comment", "")),
        denomination=_denomination(scale),
        currency=str(fields.get("currency_symbol", "")),
        low_first=sum([hole.low_first << seat for seat, hole in enumerate(story.holes)]),
        source=Source(options.file, block.first),
    )


@lru_cache
def _denomination(scale: int) -> Fraction:
    return Fraction(1, scale)


def _verified(
    story: _Story, holes: Holes, candidates: Iterable[Rules]
) -> tuple[Ending, tuple[Fraction, ...]]:
    """Replay the hand under the first rules that allow it. Raises `BadHand`."""
    problem: BadHand | None = None
    for rules in candidates:
        if rules.seats != len(holes):
            raise BadHand(
                SkipReason.WRONG_SEATS, f"{len(holes)} players in a game of {rules.seats} seats"
            )
        try:
            ending = reported_ending(rules, story.report, holes, story.board, story.players)
            return ending, _payoffs(story.fields, ending, story.scale)
        except BadHand as error:
            problem = error
    assert problem is not None
    raise problem


def _payoffs(fields: Fields, ending: Ending, scale: int) -> tuple[Fraction, ...]:
    """Return the payoffs after comparing them with the text. Raises `BadHand`.

    The text gives the finishing stacks or else the winnings from the pots; winnings of zero for all
    stand for unknown ones, and they may or may not include the uncalled part of a bet.
    """
    ends = fields.get("finishing_stacks")
    if ends is not None:
        pairs = zip(ends, fields["starting_stacks"], strict=True)
        return settle_raked(ending, [difference(end, start, scale) for end, start in pairs])
    state = ending.state
    paid = [difference(amount, 0, scale) for amount in fields.get("winnings", ())]
    if not any(paid):
        return ending.settle(state.holdings, state.board, None)
    net = [got - put for got, put in zip(paid, state.spent, strict=True)]
    back = uncalled(state)
    with_back = [won + chips for won, chips in zip(net, back, strict=True)]
    pot = sum(state.spent) - sum(back)
    for amounts_won in (with_back, net):
        if 0 <= -sum(amounts_won) <= _MOST_RAKE * pot:
            return settle_raked(ending, amounts_won)
    raise BadHand(SkipReason.WRONG_PAYOFF, f"winnings of {sum(paid)} chips out of a pot of {pot}")


def _course(
    actions: Sequence[str], players: tuple[str, ...], scale: int
) -> tuple[list[int], list[Hole], tuple[Card, ...]]:
    """Parse the actions: a report, the hole cards by seat, the board. Raises `BadHand`."""
    report: list[int] = []
    holes = [UNKNOWN] * len(players)
    board: tuple[Card, ...] = ()
    for action in actions:
        said = _read_action(action, scale)
        if type(said) is _Row:
            report += said
        elif type(said) is _Show:
            seat, hole = said
            if seat >= len(players):
                raise _nobody(f"p{seat + 1}")
            if hole is not UNKNOWN:
                holes[seat] = after_showing(holes[seat], hole, f"p{seat + 1}")
        elif type(said) is _Deal:
            board += said.cards
            report += NEXT_STREET
    last = max(report[::4], default=0)
    if last >= len(players):
        raise _nobody(f"p{last + 1}")
    return report, holes, board


@lru_cache(_ACTIONS_KEPT)
def _read_action(text: str, scale: int) -> _Row | _Deal | _Show | None:
    """Parse one action: a row of a report, cards, or nothing. Raises `BadHand`.

    Actions repeat, and looking one up takes a tenth of the time of parsing it.
    """
    match text.partition("#")[0].split():
        case [player, ("f" | "cc") as verb]:
            # pokerkit also asks the last player with chips to check when nobody else can bet.
            return _Row(_seat(player), _KINDS[verb], UNSAID, UNSAID)
        case [player, "cbr", amount]:
            return _Row(_seat(player), RAISE, UNSAID, shown_chips(amount, scale))
        case ["d", "dh", player, cards]:
            return _show(player, cards)
        case ["d", "db", cards]:
            return _Deal(_cards(cards))
        case [player, "sm", cards] if cards != "-":
            return _show(player, cards)
        case [] | [_, "sm"] | [_, "sm", "-"]:
            return None
        case _:
            raise BadHand(SkipReason.UNREADABLE, f"action {text[:60]!r}")


def _cards(text: str) -> tuple[Card, ...]:
    try:
        return tuple([CARD_OF_TEXT[text[i : i + 2]] for i in range(0, len(text), 2)])
    except KeyError:
        return read_cards(text, len(text) // 2)


def _seat(player: str) -> int:
    if player[:1] != "p" or not player[1:].isdecimal() or not 0 < int(player[1:3]) < _NO_SEAT:
        raise _nobody(player)
    return int(player[1:3]) - 1


def _nobody(player: str) -> BadHand:
    return BadHand(SkipReason.UNREADABLE, f"player {player[:40]!r}")


def _show(player: str, cards: str) -> _Show:
    return _Show(_seat(player), UNKNOWN if "?" in cards else read_hole(cards))


def _candidates(fields: Fields, scale: int) -> Iterator[Rules]:
    """Yield the rules that the text can mean, the likeliest first. Raises `BadInput`."""
    betting = VARIANTS[fields["variant"]]
    bets = ("small_bet", "big_bet") if betting is Betting.LIMIT else ("min_bet",)
    extras = tuple(
        [
            (key, tuple(value) if isinstance(value, list) else value)
            for key, value in fields.get("_rules", {}).items()
        ]
    )
    acpc = _rules(
        betting,
        *amounts(
            fields["antes"],
            fields["blinds_or_straddles"],
            fields["starting_stacks"],
            [fields[key] for key in bets],
            scale=scale,
        ),
        extras,
    )
    yield acpc
    if not extras:
        yield from _card_room(acpc)


@lru_cache(_KEPT)
def _rules(
    betting: Betting,
    antes: tuple[int, ...],
    posts: tuple[int, ...],
    stacks: tuple[int | None, ...],
    bets: tuple[int, ...],
    extras: tuple[tuple[str, Any], ...],
) -> Rules:
    said = dict(extras)
    if len(posts) == 2:
        posts, antes = posts[::-1], antes[::-1]
    sizes = (bets[0], bets[0], bets[-1], bets[-1])
    caps = LIMIT_RAISES if betting is Betting.LIMIT else None
    unlimited = said.get("stacks") == "unlimited" or None in stacks
    return Rules(
        betting=Betting(said.get("betting", betting.value)),
        blinds=tuple([Chips(abs(post)) for post in posts]),
        antes=tuple(map(Chips, antes)) if any(antes) else (),
        stacks=None if unlimited else tuple([Chips(stack or 0) for stack in stacks]),
        bet_sizes=said.get("bet_sizes", sizes),
        largest_bets=said.get("largest_bets"),
        max_raises=(said["max_raises"] or None) if "max_raises" in said else caps,
        lift_cap_heads_up=bool(said.get("lift_cap_heads_up", False)),
        first_to_act=said.get("first_to_act", first_seats(posts)),
        short_all_in=ShortAllIn(said.get("short_all_in", ShortAllIn.REOPENS.value)),
        uncallable_raise=UncallableRaise(
            said.get("uncallable_raise", UncallableRaise.ALLOWED.value)
        ),
        odd_chips=OddChips(said.get("odd_chips", OddChips.FRACTION.value)),
        open_fold=OpenFold(said.get("open_fold", OpenFold.REFUSED.value)),
        rake=parse_rake(said["rake"]) if "rake" in said else None,
    )


@lru_cache(_KEPT)
def _card_room(rules: Rules) -> list[Rules]:
    """Return a card room's rules of the table, with odd chips awarded and with odd chips split."""
    plain = dataclasses.replace(rules, short_all_in=ShortAllIn.CLOSED, open_fold=OpenFold.ALLOWED)
    return [dataclasses.replace(plain, odd_chips=OddChips.FIRST_LEFT), plain]


def first_seats(posts: Sequence[int]) -> tuple[Seat, Seat, Seat, Seat]:
    """Return the first seat to act by street: preflop the one after the last highest blind.

    A negative post is one of a player who comes in late, and does not count.
    """
    last = max(range(len(posts)), key=lambda seat: (max(posts[seat], 0), seat))
    return Seat((last + 1) % len(posts)), Seat(0), Seat(0), Seat(0)
