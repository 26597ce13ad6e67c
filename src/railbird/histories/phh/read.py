"""The PHH format of poker hand histories, and PHHS, many hands in one file (Kim 2024).

A hand is a TOML document; in PHHS each has a table of its own, ``[1]``, ``[2]``, and so on::

    variant = 'NT'
    antes = [0, 0, 0]
    blinds_or_straddles = [50, 100, 0]
    min_bet = 100
    starting_stacks = [10000, 10000, 10000]
    actions = ['d dh p1 3c9s', 'd dh p2 6d5s', 'd dh p3 ????', 'p3 f', 'p1 cbr 300', 'p2 f']

Player 1 sits left of the button. Heads-up that is the big blind, but posts are listed in the order
of a full table. The format does not say how odd chips and short all-ins are settled: a hand gets
the ACPC's rules and, if it does not verify under them, those of a card room. What else our own
rules say that the format has no field for stands in a user's field, ``_rules``.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple

from railbird.cards import CARD_OF_TEXT, Card
from railbird.errors import BadInput
from railbird.game import (
    Betting,
    Call,
    Fold,
    OddChips,
    OpenFold,
    Raise,
    Rules,
    ShortAllIn,
    UncallableRaise,
)
from railbird.histories.betting import BettingReplay
from railbird.histories.card_text import UNKNOWN, Hole, after_showing, read_cards, read_hole
from railbird.histories.format import ReadOptions
from railbird.histories.phh.fields import moment_of, scale_of, shown_chips
from railbird.histories.rake import settle_raked
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason, Source, renamed
from railbird.histories.verify import ending_of
from railbird.units import Chips, Seat

VARIANTS: Final = {
    "FT": Betting.LIMIT,
    "NT": Betting.NO_LIMIT,
    "PT": Betting.POT_LIMIT,
}
"""The hold'em games; PT is not in the format's own list, which has pot limit for Omaha only."""

LIMIT_RAISES: Final = (4, 4, 4, 4)
"""The cap of fixed-limit hold'em where the text does not say it, as pokerkit plays it."""

_VARIANT: Final = re.compile(r"""variant\s*=\s*['"]""")
_HEADER: Final = re.compile(r"""\[\s*[\w"'.-]+\s*\]\s*(?:#.*)?$""")
_SIMPLE: Final = re.compile(
    r"(\w+) = (?:(0|[1-9][0-9]{0,17})|'([^'\x00-\x1f\x7f]*)'|\[((?:[0-9]{1,18}, )*[0-9]{1,18})\]"
    r"|\['([^'\x00-\x1f\x7f]*(?:', '[^'\x00-\x1f\x7f]*)*)'\]|(true|false))\r?\n?"
)
_LONGEST_HAND: Final = 1000
"""Lines; text without the beginnings of hands must not end up in memory."""
_LONGEST_DETAIL: Final = 200
"""Characters; numbers of TOML may have thousands of digits."""
_NUMBERS: Final = 1 << 63
_KEPT: Final = 1 << 12
_FOLD: Final = Fold()
_CALL: Final = Call()

Fields = Mapping[str, Any]


class _Block(NamedTuple):
    """The lines of one hand."""

    first: int
    lines: list[str]


@dataclasses.dataclass(slots=True)
class _Story:
    """What a hand's actions tell."""

    walk: BettingReplay
    holes: list[Hole]
    board: list[Card]


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hands, one or many."""
    for block in _blocks(lines):
        try:
            yield _hand(fields_of(block.lines), options, block.first)
        except BadHand as error:
            yield Skipped(error.reason, block.first, error.detail[:_LONGEST_DETAIL])
        except BadInput as error:  # posts and stacks that no table has
            detail = str(error)[:_LONGEST_DETAIL]
            yield Skipped(SkipReason.ANOTHER_GAME, block.first, detail)


def recognises(lines: Sequence[str]) -> bool:
    """Whether one of these lines says the variant."""
    return any(map(_VARIANT.match, lines))


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    first, block, named = 1, list[str](), False
    for number, line in enumerate(lines, 1):
        variant = line.startswith("variant") and _VARIANT.match(line) is not None
        header = line.startswith("[") and _HEADER.match(line.rstrip()) is not None
        if header or (variant and named) or len(block) > _LONGEST_HAND:
            if any(map(str.strip, block)):
                yield _Block(first, block)
            first, block, named = number, [], False
        named = named or variant
        if not header:
            if not block and (not line.strip() or line.startswith("#")):
                continue
            if not block and first < number - 1:
                first = number
            block.append(line)
    if any(map(str.strip, block)):
        yield _Block(first, block)


def fields_of(lines: Sequence[str]) -> Fields:
    """Return a hand's fields; decimal numbers as `Decimal`. Raises `BadHand`.

    Plain lines, which most are, need no parser of TOML: that would take most of the time.
    """
    fields: dict[str, Any] = {}
    for line in lines:
        match = _SIMPLE.fullmatch(line)
        if match is None:
            if not line.strip():
                continue
            break
        key, number, text, numbers, texts, truth = match.groups()
        if key in fields:
            break
        if number is not None:
            fields[key] = int(number)
        elif texts is not None:
            fields[key] = texts.split("', '")
        elif numbers is not None:
            fields[key] = list(map(int, numbers.split(", ")))
        else:
            fields[key] = text if truth is None else truth == "true"
    else:
        return fields
    try:
        return tomllib.loads("".join(lines).replace("\r\n", "\n"), parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:  # any, from numbers too long
        detail = " ".join(str(error).split())
        raise BadHand(SkipReason.UNREADABLE, detail or "no TOML") from None


def _hand(fields: Fields, options: ReadOptions, line: int) -> HandRecord:
    try:
        return _record(fields, options, line)
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        if isinstance(error, BadInput):
            raise
        problem = f"no field {error}" if isinstance(error, KeyError) else str(error)
        raise BadHand(SkipReason.UNREADABLE, " ".join(problem.split())[:120]) from None


def _record(fields: Fields, options: ReadOptions, line: int) -> HandRecord:
    variant = fields["variant"]
    if variant not in VARIANTS:
        raise BadHand(
            SkipReason.ANOTHER_GAME, f"variant {variant!r}; allowed: {', '.join(VARIANTS)}"
        )
    scale = scale_of(fields)
    seats = len(fields["starting_stacks"])
    players = tuple(fields.get("players") or [f"p{seat + 1}" for seat in range(seats)])
    candidates = [options.rules] if options.rules is not None else _candidates(fields, scale)
    if not seats == len(players) == candidates[0].seats:
        raise BadHand(
            SkipReason.WRONG_SEATS,
            f"{len(players)} players and {seats} stacks in a game of {candidates[0].seats}",
        )
    if not all(isinstance(player, str) and player for player in players):
        raise BadHand(SkipReason.UNREADABLE, f"players {players}")
    number = fields.get("hand")
    record = HandRecord(
        rules=candidates[0],
        players=renamed(players, options.rename),
        holes=(),
        board=(),
        actions=(),
        payoffs=(),
        number=number if type(number) is int and abs(number) < _NUMBERS else None,
        table=str(fields.get("table", "")),
        played_at=moment_of(fields),
        comment=str(fields.get("_comment", "")),
        denomination=Fraction(1, scale),
        currency=str(fields.get("currency_symbol", "")),
        source=Source(options.file, line),
    )
    *others, last = candidates
    for rules in others:
        try:
            return _played(record, rules, fields, scale)
        except BadHand:
            continue
    return _played(record, last, fields, scale)


def _played(record: HandRecord, rules: Rules, fields: Fields, scale: int) -> HandRecord:
    """Fill in what the actions tell, verified under these rules. Raises `BadHand`."""
    story = _Story(BettingReplay(rules), [UNKNOWN] * rules.seats, [])
    for action in fields["actions"]:
        _tell(story, action, scale)
    holes = tuple([hole.holding for hole in story.holes])
    board = tuple(story.board)
    ending = ending_of(rules, story.walk.actions, holes, board)
    ends = fields.get("finishing_stacks")
    if ends is None:
        payoffs = ending.settle(holes, board, None)
    else:
        pairs = zip(ends, fields["starting_stacks"], strict=True)
        logged = tuple([_won(end, start, scale) for end, start in pairs])
        payoffs = settle_raked(ending, logged)
    return dataclasses.replace(
        record,
        rules=rules,
        holes=holes,
        board=board,
        actions=ending.actions,
        payoffs=payoffs,
        low_first=sum([hole.low_first << seat for seat, hole in enumerate(story.holes)]),
    )


def _won(end: int | Decimal, start: int | Decimal, scale: int) -> Fraction:
    if type(end) is type(start) is int:
        return Fraction((end - start) * scale)
    return (Fraction(end) - Fraction(start)) * scale


def _tell(story: _Story, text: str, scale: int) -> None:
    """Let one of the text's actions happen in the engine. Raises `BadHand`."""
    match text.partition("#")[0].split():
        case [player, "f"]:
            _turn(story, player)
            story.walk.act(_FOLD)
        case [player, "cc"]:
            # pokerkit also asks the last player with chips to check when nobody is left to bet.
            if story.walk.betting_is_open:
                _turn(story, player)
                story.walk.act(_CALL)
        case [player, "cbr", amount]:
            _turn(story, player)
            story.walk.act(Raise(shown_chips(amount, scale)))
        case ["d", "dh", player, cards]:
            _show(story, player, cards)
        case ["d", "db", cards]:
            story.walk.deal()
            story.board += _cards(cards)
        case [player, "sm", cards] if cards != "-":
            _show(story, player, cards)
        case [] | [_, "sm"] | [_, "sm", "-"]:
            pass
        case _:
            raise BadHand(SkipReason.UNREADABLE, f"action {text[:60]!r}")


def _cards(text: str) -> tuple[Card, ...]:
    try:
        return tuple([CARD_OF_TEXT[text[i : i + 2]] for i in range(0, len(text), 2)])
    except KeyError:
        return read_cards(text, len(text) // 2)


def _turn(story: _Story, player: str) -> None:
    if story.walk.state.actor != _seat(story, player):
        raise BadHand(SkipReason.ILLEGAL_ACTION, f"{player} acts out of turn")


def _seat(story: _Story, player: str) -> int:
    seat = int(player[1:]) - 1 if player[:1] == "p" and player[1:].isdecimal() else -1
    if not 0 <= seat < len(story.holes):
        raise BadHand(SkipReason.UNREADABLE, f"player {player!r}")
    return seat


def _show(story: _Story, player: str, cards: str) -> None:
    seat = _seat(story, player)
    if "?" in cards:
        return
    story.holes[seat] = after_showing(story.holes[seat], read_hole(cards), player)


def _candidates(fields: Fields, scale: int) -> list[Rules]:
    """The rules that the text can mean, the likeliest first. Raises `BadInput`."""
    betting = VARIANTS[fields["variant"]]
    bets = ("small_bet", "big_bet") if betting is Betting.LIMIT else ("min_bet",)
    extras = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in fields.get("_rules", {}).items()
    }
    return _rules(
        betting,
        *(
            _amounts(fields[key], scale)
            for key in ("antes", "blinds_or_straddles", "starting_stacks")
        ),
        _amounts([fields[key] for key in bets], scale),
        tuple(extras.items()),
    )


def _amounts(values: Sequence[object], scale: int) -> tuple[int | None, ...]:
    return tuple([_amount(value, scale) for value in values])


def _amount(value: object, scale: int) -> int | None:
    """Whole chips; None for no limit."""
    if type(value) is int:
        return value * scale
    if isinstance(value, Decimal) and value.is_infinite():
        return None
    return shown_chips(str(value), scale)


@lru_cache(_KEPT)
def _rules(
    betting: Betting,
    antes: tuple[int, ...],
    posts: tuple[int, ...],
    stacks: tuple[int | None, ...],
    bets: tuple[int, ...],
    extras: tuple[tuple[str, Any], ...],
) -> list[Rules]:
    said = dict(extras)
    if not len(antes) == len(posts) == len(stacks):
        raise BadInput(f"{len(antes)} antes, {len(posts)} posts and {len(stacks)} stacks")
    if len(posts) == 2:
        posts, antes = posts[::-1], antes[::-1]
    sizes = (bets[0], bets[0], bets[-1], bets[-1])
    caps = LIMIT_RAISES if betting is Betting.LIMIT else None
    unlimited = said.get("stacks") == "unlimited" or None in stacks
    acpc = Rules(
        betting=betting,
        blinds=tuple([Chips(abs(post)) for post in posts]),
        antes=tuple(map(Chips, antes)) if any(antes) else (),
        stacks=None if unlimited else tuple([Chips(stack or 0) for stack in stacks]),
        bet_sizes=said.get("bet_sizes", sizes),
        max_raises=(said["max_raises"] or None) if "max_raises" in said else caps,
        lift_cap_heads_up=bool(said.get("lift_cap_heads_up", False)),
        first_to_act=said.get("first_to_act", first_seats(posts)),
        short_all_in=ShortAllIn(said.get("short_all_in", ShortAllIn.REOPENS.value)),
        uncallable_raise=UncallableRaise(
            said.get("uncallable_raise", UncallableRaise.ALLOWED.value)
        ),
        odd_chips=OddChips(said.get("odd_chips", OddChips.FRACTION.value)),
        open_fold=OpenFold(said.get("open_fold", OpenFold.REFUSED.value)),
    )
    if said:
        return [acpc]
    return [acpc, *_card_room(acpc)]


def _card_room(rules: Rules) -> list[Rules]:
    """The same table as people play it, with odd chips given away and split."""
    plain = dataclasses.replace(rules, short_all_in=ShortAllIn.CLOSED, open_fold=OpenFold.ALLOWED)
    return [dataclasses.replace(plain, odd_chips=OddChips.FIRST_LEFT), plain]


def first_seats(posts: Sequence[int]) -> tuple[Seat, Seat, Seat, Seat]:
    """Return who acts first by street: before the flop the seat left of the last highest blind.

    A negative post is one that was made to come in, and does not count.
    """
    last = max(range(len(posts)), key=lambda seat: (max(posts[seat], 0), seat))
    return Seat((last + 1) % len(posts)), Seat(0), Seat(0), Seat(0)
