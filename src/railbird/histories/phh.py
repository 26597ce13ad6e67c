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
rules that the format has no field for are kept in a user-defined field, ``_rules``, and that a hand
is of a tournament or for play money in ``_tournament`` and ``_play_money``.
"""

from __future__ import annotations

import dataclasses
import datetime
import itertools
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache, partial, wraps
from itertools import chain
from operator import sub
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar, assert_never
from zoneinfo import ZoneInfo

from railbird.cards import CARD_OF_TEXT, HOLDEM, TEXT_OF_CARD, Card, Variant
from railbird.cards import VARIANTS as GAMES
from railbird.errors import BadInput
from railbird.game import (
    BOARD_CARDS,
    Action,
    Betting,
    Call,
    Discard,
    Fold,
    OddChips,
    OpenFold,
    Phase,
    Raise,
    Rake,
    Rules,
    ShortAllIn,
    ShowCards,
    Street,
    UncallableRaise,
    parse_rake,
    step,
)
from railbird.game.reported import CHECK_IF_OPEN, FOLD, NEXT_STREET, NOT_STATED, RAISE
from railbird.game.rules import bets_by_street
from railbird.histories.betting import course_of
from railbird.histories.format import ReadOptions, WriteOptions, read_in_stages
from railbird.histories.record import (
    BadHand,
    HandRecord,
    RefusedHand,
    Skipped,
    SkipReason,
    Source,
    not_representable,
    renamed,
)
from railbird.histories.refused_lines import read_refused_line
from railbird.histories.refused_money import refused_hand
from railbird.histories.sites.money import UNIT
from railbird.histories.text_values import (
    NUMBER,
    UNKNOWN,
    HandNumber,
    Hole,
    after_showing,
    hand_number,
    hole_cards,
    read_cards,
    read_hole,
)
from railbird.histories.variant_hands import (
    SeatCards,
    course_of_cards,
    course_of_record,
    dealt_by_street,
    with_shown,
)
from railbird.histories.verify import (
    MOST_RAKE,
    BettingOutcome,
    Holes,
    at_stake,
    ending_of,
    outcome_of,
    reported_ending,
    run_again,
    settle_raked,
    why_refused,
)
from railbird.units import Chips, Seat

# Fields, amounts and times in the PHH format.


_VALUES_KEPT: Final = 1 << 14
_REMEMBERED: Final = 200
"""Length of the longest value that is cached; longer ones rarely repeat."""
_N: Final = r"(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?"
_NUMBER: Final = re.compile(_N)
_TEXT: Final = re.compile("'([^']*)'")
_NUMBER_LIST: Final = re.compile(rf"\[({_N}(?:, {_N})*)\]")
_TEXTS: Final = re.compile(r"\['([^']*(?:', '[^']*)*)'\]")
_NO_TOML: Final = (ValueError, ArithmeticError, RecursionError)
"""Errors of the TOML parser, the last two for numbers that are too long and deep nesting."""
_MOST_DIGITS: Final = 18
"""The first number of digits that is too high for a whole amount."""
_MOST_TOML: Final = 1 << 16
"""Length of the longest hand that is parsed as TOML, at a second per million characters."""
_LONGEST_NUMBER: Final = 40
"""Most digits of any number."""
_BETS: Final = ("small_bet", "big_bet", "min_bet", "bring_in")
_MOST_DECIMALS: Final = 6


def fields_of(lines: Sequence[str]) -> dict[str, Any]:
    """Return a hand's fields, decimal numbers as `Decimal`. Raises `BadHand`.

    Most lines are fields of their own, which are parsed line by line and cached: a TOML parser
    would take most of the time. Cached values are shared and must not be modified.
    """
    fields: dict[str, Any] = {}
    try:
        for line in lines:
            key, equals, text = line.rstrip().partition(" = ")
            if not equals or key in fields or not (key.isidentifier() and key.isascii()):
                if not key or key[0] == "#":
                    continue
                break
            short = len(text) <= _REMEMBERED
            fields[key] = _known_value(text) if short else _value(text)
        else:
            return fields
    except _NO_TOML:  # for example the first line of a field that spans several
        pass
    if sum(map(len, lines)) > _MOST_TOML:
        raise BadHand(SkipReason.UNREADABLE, f"more than {_MOST_TOML:,} characters of TOML")
    try:
        return tomllib.loads("".join(lines).replace("\r\n", "\n"), parse_float=Decimal)
    except _NO_TOML as error:
        raise BadHand(SkipReason.UNREADABLE, str(error) or "no TOML") from None


def _value(text: str) -> Any:
    """Parse the value of a key on one line. Raises one of `_NO_TOML`."""
    if match := _NUMBER.fullmatch(text):
        return _number_of(text)
    if (match := _TEXT.fullmatch(text)) and text.isprintable():
        return match[1]
    if match := _NUMBER_LIST.fullmatch(text):
        return [_number_of(number) for number in match[1].split(", ")]
    if (match := _TEXTS.fullmatch(text)) and text.isprintable():
        return match[1].split("', '")
    return tomllib.loads(f"value = {text}", parse_float=Decimal)["value"]


_known_value = lru_cache(_VALUES_KEPT)(_value)


def _number_of(text: str) -> int | Decimal:
    return Decimal(text) if "." in text else int(text)


def scale_of(fields: Mapping[str, Any]) -> int:
    """Return the chips per unit of the text: 1, 100 if there are cents, or more. Raises `BadHand`.

    Finishing stacks are ignored: half a chip there comes from a split pot.
    """
    if "_scale" in fields:
        scale = fields["_scale"]
        if type(scale) is not int or not 0 < scale <= 10**_MOST_DECIMALS:
            raise BadHand(SkipReason.UNREADABLE, f"scale {scale!r}")
        return scale
    numbers = [*fields["antes"], *fields["blinds_or_straddles"], *fields["starting_stacks"]]
    numbers += [fields[key] for key in _BETS if key in fields]
    shown: list[Decimal] = []
    if Decimal in map(type, numbers):
        shown = [number for number in numbers if isinstance(number, Decimal)]
    raises = [action.partition("#")[0] for action in fields["actions"] if "." in action]
    shown += [_number(text.split()[-1]) for text in raises if " cbr " in text and "." in text]
    decimals = max(map(_decimals, shown)) if shown else 0
    if decimals > _MOST_DECIMALS:
        raise BadHand(SkipReason.UNREADABLE, f"amounts with {decimals} decimals")
    return 10 ** max(decimals, 2) if decimals else 1


def amounts(*fields: Sequence[Any], scale: int) -> list[tuple[int | None, ...]]:
    """Return the amounts of fields in whole chips, None for unlimited ones. Raises `BadHand`."""
    if scale == 1 and set(map(type, chain(*fields))) == {int}:
        return [tuple(values) for values in fields]
    return [tuple([_amount(value, scale) for value in values]) for values in fields]


def _amount(value: object, scale: int) -> int | None:
    if type(value) is int:
        return value * scale
    if isinstance(value, Decimal) and value.is_infinite():
        return None
    return shown_chips(str(value), scale)


@lru_cache(_VALUES_KEPT)
def shown_chips(text: str, scale: int) -> Chips:
    """Return an amount in whole chips. Raises `BadHand`."""
    if text.isdecimal() and len(text) < _MOST_DIGITS:
        return Chips(int(text) * scale)
    chips = _exact(_number(text)) * scale
    if chips.denominator != 1:
        raise BadHand(SkipReason.UNREADABLE, f"{text[:30]!r} is no amount")
    return Chips(chips.numerator)


def difference(end: object, start: object, scale: int) -> Fraction | int:
    """Return the difference of two amounts in chips. Raises `BadHand`."""
    if type(end) is type(start) is int:
        return (end - start) * scale
    exact = [amount if type(amount) is int else _exact(amount) for amount in (end, start)]
    chips = (exact[0] - exact[1]) * scale
    return chips.numerator if chips.denominator == 1 else chips


def _exact(number: object) -> Fraction:
    """Return a decimal number as a fraction; refuse sizes that would exhaust the memory."""
    if not isinstance(number, Decimal):
        raise BadHand(SkipReason.UNREADABLE, f"{str(number)[:30]!r} is no amount")
    size = number.adjusted() if number.is_finite() else _MOST_DIGITS
    if not -_MOST_DIGITS < size < _MOST_DIGITS or len(number.as_tuple().digits) > _LONGEST_NUMBER:
        raise BadHand(SkipReason.UNREADABLE, f"{str(number)[:30]!r} is no amount")
    return Fraction(number)


def amount_text(chips: Fraction | int, scale: int) -> str:
    """Write an amount in the text's unit, fractions of a chip rounded to millionths."""
    amount = Decimal(round(Fraction(chips) * 1_000_000)) / (1_000_000 * scale)
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def moment_of(fields: Mapping[str, Any]) -> datetime.datetime | None:
    """Return the time of the hand if its day and time are given; zones have IANA names."""
    time = fields.get("time")
    if not isinstance(time, datetime.time) or not {"year", "month", "day"} <= fields.keys():
        return None
    day = datetime.date(fields["year"], fields["month"], fields["day"])
    return datetime.datetime.combine(day, time, tzinfo=_zone(fields.get("time_zone")))


def _zone(name: object) -> datetime.tzinfo | None:
    if name == "UTC":
        return datetime.UTC
    try:
        return ZoneInfo(str(name)) if name else None
    except (KeyError, ValueError, OSError):  # no such zone, or none of them on this machine
        return None


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise BadHand(SkipReason.UNREADABLE, f"{text[:30]!r} is no amount") from None


def _decimals(number: Decimal) -> int:
    """Return the number of decimals without trailing zeros: 0.50 has one."""
    exponent = number.normalize().as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


# Reading.


VARIANTS: Final = {
    "FT": Betting.LIMIT,
    "NT": Betting.NO_LIMIT,
    "PT": Betting.POT_LIMIT,
}
"""Hold'em games; PT is not in the format's own list, which has pot limit for Omaha only."""

OTHER_GAMES: Final = {
    f"{letter}{variant.code}": (betting, variant)
    for letter, betting in (
        ("F", Betting.LIMIT),
        ("N", Betting.NO_LIMIT),
        ("P", Betting.POT_LIMIT),
    )
    for variant in GAMES.values()
    if variant is not HOLDEM
}
"""Other games; the format's own list has NS, PO, FO/8, F7S, F7S/8, FR, N2L1D, F2L3D and FB."""

POKERKIT_RAISES: Final = (4, 4, 4, 4)
"""Cap of fixed-limit hold'em where the text does not give one, as in pokerkit: four raises before
the flop, too, where `railbird.game.LIMIT_RAISES` counts the big blind as the first bet."""

_VARIANT: Final = re.compile(r"""variant\s*=\s*['"]""")
_HEADER: Final = re.compile(r"""\[\s*[\w"'.-]+\s*\]\s*(?:#.*)?$""")
_CURRENCY_SIGN: Final = re.compile(r"[^\s\d.,/'\"]{0,8}")
_LONGEST_HAND: Final = 1000
"""Most lines of a hand, so that text without hands does not fill the memory."""
_LARGEST_NUMBER: Final = 1 << 63
_KEPT: Final = 1 << 12
_ACTIONS_KEPT: Final = 1 << 15
_NO_SEAT: Final = 24
"""The first number that is too high for a player's."""
_LISTS: Final = ("antes", "blinds_or_straddles", "starting_stacks", "actions", "players")
_BY_SEAT: Final = ("finishing_stacks", "winnings")
_KINDS: Final = {"f": FOLD, "cc": CHECK_IF_OPEN}

_P = ParamSpec("_P")
_T = TypeVar("_T")
Fields = Mapping[str, Any]


class _HandLines(NamedTuple):
    """Lines of one hand."""

    first: int
    lines: list[str]


class _Row(NamedTuple):
    """Row of a report (`railbird.game.reported`)."""

    seat: int
    kind: int
    amount: int
    to: int


class _DealtBoard(NamedTuple):
    """Cards dealt to the board."""

    cards: tuple[Card, ...]


class _Show(NamedTuple):
    """Hole cards dealt or shown."""

    seat: int
    hole: Hole


class _Muck(NamedTuple):
    """Hole cards thrown away at showdown, which win nothing."""

    seat: int


class _OtherStory(NamedTuple):
    """Contents of the fields of a hand of another game than hold'em, not verified yet."""

    fields: Fields
    scale: int
    players: tuple[str, ...]
    acts: list[tuple[Seat | None, Action]]
    cards: list[SeatCards]
    boards: list[tuple[Card, ...]]


class _PhhStory(NamedTuple):
    """Contents of a hand's fields, not verified yet."""

    fields: Fields
    scale: int
    players: tuple[str, ...]
    report: list[int]
    """Actions for `railbird.game.reported`."""
    holes: list[Hole]
    board: tuple[Card, ...]
    mucked: frozenset[int]
    """Seats that threw their cards away at showdown."""


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hands, one or many."""
    refused = list[Skipped]()
    blocks = _blocks(lines, refused)
    read_fields = partial(_told, variants=options.variants)
    yield from read_in_stages(blocks, read_fields, partial(_hand, options=options), _refused)
    yield from refused


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines names the variant."""
    return any(map(_VARIANT.match, lines))


_SERIES: Final = "# railbird tournaments "
"""How the log of `railbird tournament` begins; its hands did not state it before version 3."""


def _blocks(lines: Iterable[str], refused: list[Skipped]) -> Iterator[_HandLines]:
    """Cut a text into hands; those below the first line of `_SERIES` are of tournaments.

    What was refused for this log, its comments say: it is appended to ``refused``.
    """
    first, block, named = 1, list[str](), False
    of_series: list[str] = []
    for number, line in enumerate(lines, 1):
        sign = line[0]
        if sign == "#" and _begins_series(line, number, refused):
            of_series = ["_tournament = true\n"]
        if sign in "[v" or not block or len(block) > _LONGEST_HAND:
            variant = sign == "v" and _VARIANT.match(line) is not None
            header = sign == "[" and _HEADER.match(line.rstrip()) is not None
            if header or (variant and named) or len(block) > _LONGEST_HAND:
                if any(map(str.strip, block)):
                    yield _HandLines(first, _stated(block, of_series))
                first, block, named = number, [], False
            named = named or variant
            if header or (not block and (not line.strip() or sign == "#")):
                continue
            if not block and first < number - 1:
                first = number
        block.append(line)
    if any(map(str.strip, block)):
        yield _HandLines(first, _stated(block, of_series))


def _begins_series(line: str, number: int, refused: list[Skipped]) -> bool:
    """Return whether a comment is the first line of `_SERIES`, or take what it says was refused."""
    skip = read_refused_line(line, number)
    refused += [] if skip is None else [skip]
    return number == 1 and line.startswith(_SERIES)


def _stated(block: list[str], of_series: list[str]) -> list[str]:
    """Add what the log's first line states of all its hands where the hand does not state it."""
    if not of_series or any(line.startswith("_tournament") for line in block):
        return block
    return [*block, *of_series]


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
def _told(block: _HandLines, *, variants: bool) -> _PhhStory | _OtherStory:
    """Parse the fields without judging whether the hand is possible. Raises `BadInput`."""
    fields = fields_of(block.lines)
    variant = fields["variant"]
    is_other = variants and variant in OTHER_GAMES
    if variant not in VARIANTS and not is_other:
        allowed = ", ".join(VARIANTS)
        if variants:
            codes = ", ".join(game.code for game in GAMES.values())
            allowed = f"F, N or P before one of {codes}"
        raise BadHand(SkipReason.ANOTHER_GAME, f"variant {variant!r}; allowed: {allowed}")
    if is_other and OTHER_GAMES[variant][1].has_bring_in:
        fields["blinds_or_straddles"] = [0] * len(fields["antes"])
    _check_types(fields)
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
    if is_other:
        _, game = OTHER_GAMES[variant]
        course = _other_course(fields["actions"], game, len(players), scale)
        return _OtherStory(fields, scale, players, *course)
    return _PhhStory(fields, scale, players, *_course(fields["actions"], players, scale))


@_strict
def _refused(block: _HandLines, story: _PhhStory | _OtherStory | None) -> RefusedHand:
    """Return what the text tells of a hand that is refused. Raises `BadInput`."""
    fields = fields_of(block.lines) if story is None else story.fields
    number, played_at = _hand_number(fields.get("hand")), moment_of(fields)
    if not isinstance(story, _PhhStory):  # of another game, or not understood
        return refused_hand({}, number, played_at=played_at)
    betting = VARIANTS[fields["variant"]]
    antes, posts, (unit, *more) = amounts(
        fields["antes"],
        fields["blinds_or_straddles"],
        [fields[key] for key in _bets(betting)],
        scale=story.scale,
    )
    if not unit:
        return refused_hand({}, number, played_at=played_at)
    results = _results(fields, story)
    won = {
        name: float(result / unit)
        for name, result in zip(story.players, results, strict=True)
        if result
    }
    sizes = (unit, *more) if more else [abs(post or 0) for post in posts]
    return refused_hand(
        won if sum(results) <= 0 else {},
        number,
        played_at=played_at,
        betting=betting,
        stakes=[size * UNIT // story.scale for size in sizes if size and (more or size <= unit)],
        ante=max([ante or 0 for ante in antes]) * UNIT // story.scale,
        currency=fields.get("currency_symbol", ""),
    )


def _bets(betting: Betting) -> tuple[str, ...]:
    return ("small_bet", "big_bet") if betting is Betting.LIMIT else ("min_bet",)


def _results(fields: Fields, story: _PhhStory) -> list[Fraction | int]:
    """Return what each seat won by the text: by its stacks, or by its winnings and actions.

    Winnings may be with or without the uncalled part of a bet.
    """
    if (results := _logged(fields, story.scale)) is not None:
        return results
    paid = [difference(amount, 0, story.scale) for amount in fields.get("winnings", ())]
    put = _put_in(fields, story)
    *_, called, most = sorted(put)
    for largest in (called, most) if any(paid) else ():
        results = [won - min(chips, largest) for won, chips in zip(paid, put, strict=True)]
        if 0 <= -sum(results) <= MOST_RAKE * sum(put):
            return results
    return [0] * len(put)


def _put_in(fields: Fields, story: _PhhStory) -> list[int]:
    """Return the chips that each seat put in by the actions."""
    antes, posts, stacks = amounts(
        fields["antes"],
        fields["blinds_or_straddles"],
        fields["starting_stacks"],
        scale=story.scale,
    )
    order = slice(None, None, -1 if len(posts) == 2 else 1)  # posts are in a full table's order
    put = [ante or 0 for ante in antes[order]]
    street = [abs(post or 0) for post in posts[order]]
    for action in fields["actions"]:
        event = _read_action(action, story.scale)
        if isinstance(event, _DealtBoard):
            put = [sum(pair) for pair in zip(put, street, strict=True)]
            street = [0] * len(put)
        elif isinstance(event, _Row) and event.kind == RAISE:
            street[event.seat] = event.to
        elif isinstance(event, _Row) and event.kind == CHECK_IF_OPEN:
            stack = stacks[event.seat]
            left = max(street) if stack is None else stack - put[event.seat]
            street[event.seat] = min(max(street), left)
    return [sum(pair) for pair in zip(put, street, strict=True)]


def _check_types(fields: Fields) -> None:
    """Raise `BadHand` for a field that is no list or no table where it must be one."""
    for key in (*_LISTS, *_BY_SEAT):
        if not isinstance(value := fields.get(key, []), list):
            raise BadHand(SkipReason.UNREADABLE, f"{key} = {value!r}; allowed: a list")
    if wrong := next((action for action in fields["actions"] if not isinstance(action, str)), None):
        raise BadHand(SkipReason.UNREADABLE, f"action {wrong!r}; allowed: text")
    if not isinstance(rules := fields.get("_rules", {}), dict):
        raise BadHand(SkipReason.UNREADABLE, f"_rules = {rules!r}; allowed: a table")
    sign = fields.get("currency_symbol", "")
    if not isinstance(sign, str) or not _CURRENCY_SIGN.fullmatch(sign):
        raise BadHand(SkipReason.UNREADABLE, f"currency_symbol = {sign!r}; allowed: a sign")
    seats = len(fields["starting_stacks"])
    for key in _BY_SEAT:
        if (values := fields.get(key)) is not None and len(values) != seats:
            detail = f"{key} of {len(values)} players and {seats} stacks"
            raise BadHand(SkipReason.UNREADABLE, detail)


@_strict
def _hand(block: _HandLines, story: _PhhStory | _OtherStory, options: ReadOptions) -> HandRecord:
    """Verify a hand under the first rules that allow it. Raises `BadHand`."""
    fields, scale = story.fields, story.scale
    number = _hand_number(fields.get("hand"))
    if isinstance(story, _PhhStory):
        play = _holdem(story, options.rules)
    else:
        play = _other_game(story, options.rules)
    return HandRecord(
        **play,
        players=renamed(story.players, options.rename),
        number=number.whole,
        number_text=number.text,
        table=str(fields.get("table", "")),
        played_at=moment_of(fields),
        comment=str(fields.get("_comment", "")),
        denomination=_denomination(scale),
        currency=fields.get("currency_symbol", ""),
        tournament=fields.get("_tournament") is True,
        play_money=fields.get("_play_money") is True,
        house=_house(fields, len(story.players)),
        shown_by_choice=_choices(fields, len(story.players)),
        source=Source(options.file, block.first),
    )


def _other_game(story: _OtherStory, given: Rules | None) -> dict[str, Any]:
    """Return the fields of a record that have the play of another game. Raises `BadHand`."""
    fields, scale = story.fields, story.scale
    betting, game = OTHER_GAMES[fields["variant"]]
    problem: BadHand | None = None
    for rules in _candidates(fields, scale, betting, game) if given is None else (given,):
        if rules.seats != len(story.players) or rules.variant is not game:
            raise BadHand(SkipReason.WRONG_SEATS, f"not a hand of {rules.variant.name}")
        try:
            course = course_of_cards(rules, story.cards, story.boards, story.acts)
            payoffs = _payoffs(fields, outcome_of(course), scale)
            break
        except BadHand as error:
            problem = error
    else:
        assert problem is not None
        raise problem
    return {
        "rules": rules,
        "holes": (None,) * rules.seats,
        "board": story.boards[0],
        "more_boards": (*story.boards[1:], *_more_boards(fields)),
        "cards": tuple(story.cards),
        "actions": course.actions,
        "payoffs": payoffs,
    }


def _logged(fields: Fields, scale: int) -> list[Fraction | int] | None:
    """Return what each seat won by its stacks; None without finishing stacks."""
    ends = fields.get("finishing_stacks")
    if ends is None:
        return None
    pairs = zip(ends, fields["starting_stacks"], strict=True)
    return [difference(end, start, scale) for end, start in pairs]


def _other_course(
    actions: Sequence[str], game: Variant, seats: int, scale: int
) -> tuple[list[tuple[Seat | None, Action]], list[SeatCards], list[tuple[Card, ...]]]:
    """Parse the actions of another game: the players', their cards, the boards. Raises `BadHand`.

    Boards are dealt in turn, each its cards of a street.
    """
    acts: list[tuple[Seat | None, Action]] = []
    cards: list[SeatCards] = [()] * seats
    boards: list[tuple[Card, ...]] = [()] * game.boards
    for text in actions:
        match text.partition("#")[0].split():
            case ["d", "dh", player, shown]:
                seat = _seat_below(player, seats)
                cards[seat] += _dealt_cards(shown)
            case ["d", "db", shown]:
                shortest = min(range(game.boards), key=lambda board: len(boards[board]))
                boards[shortest] += _cards(shown)
            case [player, ("f" | "cc" | "pb") as verb]:
                acts.append((_seat_below(player, seats), Fold() if verb == "f" else Call()))
            case [player, "sd", *texts] if game.throws_away and len(texts) < 2:
                away = _dealt_cards("".join(texts).replace("-", ""))
                acts.append((_seat_below(player, seats), Discard(away)))
            case [player, "cbr", amount]:
                acts.append((_seat_below(player, seats), Raise(shown_chips(amount, scale))))
            case [player, "sm", shown] if shown != "-":
                seat = _seat_below(player, seats)
                thrown = _thrown_by(seat, acts)
                cards[seat] = _after_showing(cards, seat, _dealt_cards(shown), thrown)
            case [player, "sm"] | [player, "sm", "-"]:
                _seat_below(player, seats)
            case []:
                pass
            case _:
                raise BadHand(SkipReason.UNREADABLE, f"action {text[:60]!r}")
    return acts, cards, boards


def _dealt_cards(text: str) -> SeatCards:
    """Parse a player's cards, ``??`` for unknown ones. Raises `BadHand`."""
    pieces = [text[i : i + 2] for i in range(0, len(text), 2)]
    return tuple([None if piece == "??" else _cards(piece)[0] for piece in pieces])


def _thrown_by(seat: Seat, acts: Sequence[tuple[Seat | None, Action]]) -> SeatCards:
    """Return the cards that a seat has thrown away in draws."""
    own = (action for actor, action in acts if actor == seat and isinstance(action, Discard))
    return tuple(card for action in own for card in action.cards)


def _after_showing(
    cards: Sequence[SeatCards], seat: int, shown: SeatCards, thrown: SeatCards
) -> SeatCards:
    """Return a player's cards after they were shown. Raises `BadHand` if they are others."""
    known = tuple(card for card in shown if card is not None)
    others = [own for other, own in enumerate(cards) if other != seat]
    after = with_shown(cards[seat], known, thrown, others) if len(known) == len(shown) else None
    if after is None:
        raise BadHand(SkipReason.UNREADABLE, f"'p{seat + 1}' shows other cards")
    return after


def _seat_below(player: str, seats: int) -> Seat:
    if (seat := _seat(player)) >= seats:
        raise _nobody(player)
    return Seat(seat)


def _holdem(story: _PhhStory, given: Rules | None) -> dict[str, Any]:
    """Return the fields of a record that have the play of a hand of hold'em. Raises `BadHand`."""
    betting = VARIANTS[story.fields["variant"]]
    candidates = _candidates(story.fields, story.scale, betting) if given is None else (given,)
    holes, ending, payoffs = _settled(story, list(candidates))
    return {
        "rules": ending.state.rules,
        "holes": holes,
        "board": story.board,
        "more_boards": _more_boards(story.fields),
        "actions": ending.actions,
        "payoffs": payoffs,
        "low_first": sum([hole.low_first << seat for seat, hole in enumerate(story.holes)]),
    }


def _settled(
    story: _PhhStory, candidates: Sequence[Rules]
) -> tuple[Holes, BettingOutcome, tuple[Fraction, ...]]:
    """Return the holes, the ending and the payoffs; cards thrown away win nothing.

    Those that were better are as good as unknown. Raises `BadHand`.
    """
    holes = tuple([hole.holding for hole in story.holes])
    try:
        ending, payoffs = _verified(story, holes, candidates)
        losses = at_stake(ending.state) if story.mucked else ()
        if not any(payoffs[seat] > -losses[seat] for seat in story.mucked):
            return holes, ending, payoffs
    except BadHand:
        if not story.mucked:
            raise
    holes = tuple([None if seat in story.mucked else hole for seat, hole in enumerate(holes)])
    return holes, *_verified(story, holes, candidates)


def _hand_number(value: object) -> HandNumber:
    """Return the number of a hand, an integer or text; none for anything else."""
    if type(value) is int and -_LARGEST_NUMBER < value < 0:
        return HandNumber(value)
    text = str(value) if type(value) in (int, str) else ""
    return hand_number(text) if re.fullmatch(NUMBER, text) else HandNumber()


def _more_boards(fields: Fields) -> tuple[tuple[Card, ...], ...]:
    """Return the boards of the second run and later. Raises `BadHand`."""
    boards = fields.get("_more_boards", [])
    if not isinstance(boards, list) or not all(isinstance(board, str) for board in boards):
        raise BadHand(SkipReason.UNREADABLE, f"_more_boards = {boards!r}; allowed: texts of cards")
    return tuple([_cards(board) for board in boards])


def _house(fields: Fields, players: int) -> tuple[Fraction, ...]:
    """Return the chips of the house beside the pots by seat. Raises `BadHand`."""
    amounts = fields.get("_house")
    if amounts is None:
        return ()
    texts = amounts if isinstance(amounts, list) else []
    if len(texts) != players or not all(map(_PARTS.fullmatch, map(str, texts))):
        detail = f"_house = {amounts!r}; allowed: texts of chips for {players} players"
        raise BadHand(SkipReason.UNREADABLE, detail)
    return tuple([Fraction(text) for text in texts])


_PARTS: Final = re.compile("-?[0-9]{1,15}(?:/[1-9][0-9]{0,5})?")
"""Pattern of chips in parts of one."""

_CHOICES: Final = {"shown": True, "mucked": False, "": None}
"""Values of ``_shown_by_choice``, which has a text for each player."""


def _choices(fields: Mapping[str, object], players: int) -> tuple[bool | None, ...]:
    words = fields.get("_shown_by_choice")
    if not isinstance(words, list) or len(words) != players or not _CHOICES.keys() >= {*words}:
        return ()
    return tuple(_CHOICES[word] for word in words)


@lru_cache
def _denomination(scale: int) -> Fraction:
    return Fraction(1, scale)


def _verified(
    story: _PhhStory, holes: Holes, candidates: Iterable[Rules]
) -> tuple[BettingOutcome, tuple[Fraction, ...]]:
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
            problem = why_refused(error, rules)
    assert problem is not None
    raise problem


def _payoffs(fields: Fields, ending: BettingOutcome, scale: int) -> tuple[Fraction, ...]:
    """Return the payoffs after comparing them with the text. Raises `BadHand`.

    The text gives the finishing stacks or else the winnings from the pots; winnings of zero for all
    stand for unknown ones, and they may or may not include the uncalled part of a bet.
    """
    if boards := _more_boards(fields):
        ending = run_again(ending, boards)
    if (results := _logged(fields, scale)) is not None:
        return settle_raked(ending, results)
    state = ending.state
    paid = [difference(amount, 0, scale) for amount in fields.get("winnings", ())]
    if not any(paid):
        holes = state.holdings if state.rules.variant is HOLDEM else ()
        return ending.settle(holes, state.board, None)
    losses = at_stake(state)
    net = list(map(sub, paid, state.spent))
    with_back = list(map(sub, paid, losses))
    pot = sum(losses)
    for amounts_won in (with_back, net):
        if 0 <= -sum(amounts_won) <= MOST_RAKE * pot:
            return settle_raked(ending, amounts_won)
    raise BadHand(SkipReason.WRONG_PAYOFF, f"winnings of {sum(paid)} chips out of a pot of {pot}")


def _course(
    actions: Sequence[str], players: tuple[str, ...], scale: int
) -> tuple[list[int], list[Hole], tuple[Card, ...], frozenset[int]]:
    """Parse the actions: a report, holes by seat, the board, who mucks. Raises `BadHand`."""
    report: list[int] = []
    mucked = set[int]()
    holes = [UNKNOWN] * len(players)
    board: tuple[Card, ...] = ()
    for action in actions:
        event = _read_action(action, scale)
        if type(event) is _Row:
            report += event
        elif type(event) is _Show:
            seat, hole = event
            if seat >= len(players):
                raise _nobody(f"p{seat + 1}")
            if hole is not UNKNOWN:
                holes[seat] = after_showing(holes[seat], hole, f"p{seat + 1}")
        elif type(event) is _DealtBoard:
            board += event.cards
            report += NEXT_STREET
        elif type(event) is _Muck:
            mucked.add(event.seat)
    last = max([*report[::4], *mucked], default=0)
    if last >= len(players):
        raise _nobody(f"p{last + 1}")
    return report, holes, board, frozenset(mucked)


@lru_cache(_ACTIONS_KEPT)
def _read_action(text: str, scale: int) -> _Row | _DealtBoard | _Show | _Muck | None:
    """Parse one action: a row of a report, cards, or nothing. Raises `BadHand`.

    Actions repeat, and looking one up takes a tenth of the time of parsing it.
    """
    match text.partition("#")[0].split():
        case [player, ("f" | "cc") as verb]:
            # pokerkit also asks the last player with chips to check when nobody else can bet.
            return _Row(_seat(player), _KINDS[verb], NOT_STATED, NOT_STATED)
        case [player, "cbr", amount]:
            return _Row(_seat(player), RAISE, NOT_STATED, shown_chips(amount, scale))
        case ["d", "dh", player, cards]:
            return _show(player, cards)
        case ["d", "db", cards]:
            return _DealtBoard(_cards(cards))
        case [player, "sm", cards] if cards != "-":
            return _show(player, cards)
        case [player, "sm"]:
            return _Muck(_seat(player))
        case [] | [_, "sm", "-"]:
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


def _candidates(
    fields: Fields, scale: int, betting: Betting, game: Variant = HOLDEM
) -> Iterator[Rules]:
    """Yield the rules that the text can mean, the likeliest first. Raises `BadInput`."""
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
            [fields[key] for key in _bets(betting)],
            [fields["bring_in"] if game.has_bring_in else 0],
            scale=scale,
        ),
        extras,
        game,
    )
    yield acpc
    if not extras:
        yield from _card_room(acpc)
        if (posted := _called_as_posted(acpc)) is not None:
            yield from (posted, *_card_room(posted))


@lru_cache(_KEPT)
def _rules(
    betting: Betting,
    antes: tuple[int, ...],
    posts: tuple[int, ...],
    stacks: tuple[int | None, ...],
    bets: tuple[int, ...],
    bring_ins: tuple[int, ...],
    extras: tuple[tuple[str, Any], ...],
    game: Variant,
) -> Rules:
    extra_fields = dict(extras)
    if len(posts) == 2:
        posts, antes = posts[::-1], antes[::-1]
    small, big = Chips(bets[0]), Chips(bets[-1])
    sizes = bets_by_street(game, (small, small, big, big))
    caps = POKERKIT_RAISES if betting is Betting.LIMIT else None
    unlimited = extra_fields.get("stacks") == "unlimited" or None in stacks
    return Rules(
        betting=Betting(extra_fields.get("betting", betting.value)),
        blinds=tuple([Chips(abs(post)) for post in posts]),
        antes=tuple(map(Chips, antes)) if any(antes) else (),
        bring_in=Chips(bring_ins[0]),
        stacks=None if unlimited else tuple([Chips(stack or 0) for stack in stacks]),
        bet_sizes=extra_fields.get("bet_sizes", sizes),
        largest_bets=extra_fields.get("largest_bets"),
        max_raises=(extra_fields["max_raises"] or None) if "max_raises" in extra_fields else caps,
        lift_cap_heads_up=bool(extra_fields.get("lift_cap_heads_up", False)),
        first_to_act=extra_fields.get("first_to_act", first_seats(posts)),
        short_all_in=ShortAllIn(extra_fields.get("short_all_in", ShortAllIn.REOPENS.value)),
        uncallable_raise=UncallableRaise(
            extra_fields.get("uncallable_raise", UncallableRaise.ALLOWED.value)
        ),
        odd_chips=OddChips(extra_fields.get("odd_chips", OddChips.FRACTION.value)),
        open_fold=OpenFold(extra_fields.get("open_fold", OpenFold.REFUSED.value)),
        rake=parse_rake(extra_fields["rake"]) if "rake" in extra_fields else None,
        variant=game,
    )


def _called_as_posted(rules: Rules) -> Rules | None:
    """Return the rules under which a short big blind is called for what was posted, as in pokerkit.

    None where no blind is short. Only finishing stacks, or winnings, tell which was played.
    """
    stacks, antes = rules.stacks, rules.antes or (Chips(0),) * rules.seats
    if stacks is None or rules.betting is Betting.LIMIT:
        return None
    left = [Chips(max(stack - ante, 0)) for stack, ante in zip(stacks, antes, strict=True)]
    blinds = tuple(map(min, rules.blinds, left))
    return None if blinds == rules.blinds else dataclasses.replace(rules, blinds=blinds)


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


# Writer of the PHH format; see `railbird.histories.phh`.


_CODES: Final = {(betting, HOLDEM.name): code for code, betting in VARIANTS.items()} | {
    (betting, game.name): code for code, (betting, game) in OTHER_GAMES.items()
}


def _code(rules: Rules) -> str:
    """Return the code; the format has no spread limit: read as no-limit, every raise is legal."""
    spread = rules.betting is Betting.SPREAD_LIMIT
    return _CODES[Betting.NO_LIMIT if spread else rules.betting, rules.variant.name]


_BIG_BETS: Final = 1000
"""Stack written, in the largest bets, where stacks are unlimited."""
_RULES_FIELDS: Final = (
    "betting",
    "bet_sizes",
    "largest_bets",
    "max_raises",
    "lift_cap_heads_up",
    "first_to_act",
    "short_all_in",
    "uncallable_raise",
    "odd_chips",
    "open_fold",
    "rake",
)


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write one hand as PHH, several as PHHS under consecutive numbers."""
    del options  # the format has no head and no choices
    hands = iter(records)
    first = list(itertools.islice(hands, 2))
    alone = len(first) < 2
    for number, record in enumerate(itertools.chain(first, hands), 1):
        try:
            lines = list(_lines(record))
        except BadInput as error:
            yield not_representable(record, error)
        else:
            yield "\n".join([*lines, ""] if alone else [f"[{number}]", *lines, "", ""])


def _lines(record: HandRecord) -> Iterator[str]:
    scale = _scale(record)
    rules = record.rules
    if rules.variant is HOLDEM:
        ending = ending_of(rules, record.actions, record.holes, record.board)
        actions = list(_actions(record, ending, scale))
    else:
        actions = _other_actions(record, scale)
    yield from _table_lines(rules, scale)
    if record.number is not None:
        yield f"hand = {record.number}"
    elif record.number_text:
        yield f"hand = {_text(record.number_text)}"
    if not all(record.players):
        raise BadInput("an empty name")
    yield f"players = [{', '.join(map(_text, record.players))}]"
    ends = [Fraction(s) + won for s, won in zip(_stacks(rules), record.payoffs, strict=True)]
    yield f"finishing_stacks = [{', '.join(amount_text(end, scale) for end in ends)}]"
    if record.table:
        yield f"table = {_text(record.table)}"
    if record.played_at is not None:
        yield from _moment(record.played_at)
    if record.currency:
        yield f"currency_symbol = {_text(record.currency)}"
    if record.tournament:
        yield "_tournament = true"
    if record.play_money:
        yield "_play_money = true"
    yield from _own_lines(record, scale)
    # Last, so that no hand of a truncated file looks complete.
    yield f"actions = [{', '.join(map(_text, actions))}]"


def _scale(record: HandRecord) -> int:
    if record.denomination.numerator != 1 or record.denomination.denominator > 10**6:
        raise BadInput(f"chips of {record.denomination} not in decimals")
    if 10**6 % record.denomination.denominator:
        raise BadInput(f"chips of {record.denomination} not in decimals")
    return record.denomination.denominator


@lru_cache(_KEPT)
def _table_lines(rules: Rules, scale: int) -> tuple[str, ...]:
    antes: tuple[int, ...] = rules.antes or (0,) * rules.seats
    posts: tuple[int, ...] = rules.blinds
    if rules.seats == 2:  # posts are listed in the order of a full table
        antes, posts = antes[::-1], posts[::-1]
    small, *_, big = rules.bet_sizes
    if rules.betting is Betting.LIMIT:
        bets = [f"small_bet = {amount_text(small, scale)}", f"big_bet = {amount_text(big, scale)}"]
    else:
        bets = [f"min_bet = {amount_text(big, scale)}"]
    return (
        f"variant = '{_code(rules)}'",
        f"ante_trimming_status = {'true' if len(set(antes)) == 1 else 'false'}",
        f"antes = {_amounts(antes, scale)}",
        f"bring_in = {amount_text(rules.bring_in, scale)}"
        if rules.variant.has_bring_in
        else f"blinds_or_straddles = {_amounts(posts, scale)}",
        *bets,
        f"starting_stacks = {_amounts(_stacks(rules), scale)}",
    )


def _stacks(rules: Rules) -> tuple[Chips, ...]:
    return rules.stacks or (Chips(_BIG_BETS * max(rules.bet_sizes)),) * rules.seats


def _amounts(amounts: Iterable[int], scale: int) -> str:
    return f"[{', '.join(amount_text(amount, scale) for amount in amounts)}]"


def _actions(record: HandRecord, ending: BettingOutcome, scale: int) -> Iterator[str]:
    for seat in range(len(record.holes)):
        yield f"d dh p{seat + 1} {_hole(record, seat)}"
    course = course_of(record.rules, record.actions)
    street = Street.PREFLOP
    for move in course.moves:
        yield from _deals(record, street, move.street)
        street = move.street
        yield f"p{move.seat + 1} {_verb(move.action, scale)}"
    yield from _deals(record, street, course.street)
    for seat in _showers(ending):
        known = record.holes[seat] is not None
        yield f"p{seat + 1} sm {_hole(record, seat) if known else '-'}"


def _other_actions(record: HandRecord, scale: int) -> list[str]:
    """Return the deals and actions of a hand of another game. Raises `BadHand`."""
    course = course_of_record(record)
    lines: list[str] = []
    for street, dealt in enumerate(dealt_by_street(record, course)):
        moves = [
            (seat, action, state_before)
            for (number, seat, action), state_before in zip(
                course.moves, course.before, strict=True
            )
            if number == street
        ]
        draws = [move for move in moves if isinstance(move[1], Discard)]
        lines += [f"p{seat + 1} {_verb(action, scale)}" for seat, action, _ in draws]
        for seat, cards in enumerate(dealt.own):
            lines += [f"d dh p{seat + 1} {_other_cards(cards)}"] if cards else []
        lines += [f"d db {_other_cards(board)}" for board in dealt.boards if board]
        for seat, action, state_before in moves[len(draws) :]:
            brings_in = state_before.must_bring_in and isinstance(action, Call)
            verb = "pb" if brings_in else _verb(action, scale)
            lines.append(f"p{seat + 1} {verb}")
    state = course.state
    lines += [f"p{seat + 1} sm -" for seat in state.mucked]
    while state.phase is Phase.SHOWDOWN and (shower := state.shower) is not None:
        if len(state.cards[shower]) < state.cards_each:
            break  # nobody's are known
        own = state.cards[shower]
        in_order = own if record.rules.variant.throws_away else record.cards[shower]
        lines.append(f"p{shower + 1} sm {_other_cards(in_order)}")
        state = step(state, ShowCards(shower, own))
    return lines


def _other_cards(cards: SeatCards) -> str:
    return "".join(["??" if card is None else TEXT_OF_CARD[card] for card in cards])


def _verb(action: Action, scale: int) -> str:
    match action:
        case Fold():
            return "f"
        case Call():
            return "cc"
        case Raise(to):
            return f"cbr {amount_text(to, scale)}"
        case Discard(cards):
            return f"sd {_other_cards(cards)}".rstrip()
        case other:
            assert_never(other)


def _deals(record: HandRecord, done: Street, until: Street) -> Iterator[str]:
    for street in range(done, until):
        cards = record.board[BOARD_CARDS[street] : BOARD_CARDS[street + 1]]
        yield f"d db {''.join([TEXT_OF_CARD[card] for card in cards])}"


def _showers(ending: BettingOutcome) -> list[Seat]:
    """Return the seats of the showdown in the order of showing."""
    seats = list(ending.contenders)
    state = ending.state
    if state.phase is Phase.SHOWDOWN and state.shower in seats:
        first = state.shower
    elif state.aggressor in seats:
        first = state.aggressor
    else:
        return seats
    place = seats.index(first)
    return seats[place:] + seats[:place]


def _hole(record: HandRecord, seat: int) -> str:
    hole = record.holes[seat]
    if hole is None:
        return "????"
    cards = hole_cards(hole, low_first=record.low_first >> seat & 1)
    return "".join([TEXT_OF_CARD[card] for card in cards])


def _moment(moment: datetime.datetime) -> Iterator[str]:
    if moment.tzinfo is not None:
        moment = moment.astimezone(datetime.UTC)
    yield f"time = {moment:%H:%M:%S}"
    if moment.tzinfo is not None:
        yield "time_zone = 'UTC'"
    yield f"day = {moment.day}"
    yield f"month = {moment.month}"
    yield f"year = {moment.year}"


def _own_lines(record: HandRecord, scale: int) -> Iterator[str]:
    """Yield our own fields, for properties without a field in the format."""
    said = _rules_said(record.rules)
    if said:
        yield f"_rules = {{{said}}}"
    if scale != 1:
        yield f"_scale = {scale}"
    if record.comment:
        yield f"_comment = {_text(record.comment)}"
    if runs := record.more_boards[record.rules.variant.boards - 1 :]:
        boards = ("".join([TEXT_OF_CARD[card] for card in board]) for board in runs)
        yield f"_more_boards = [{', '.join(map(_text, boards))}]"
    if record.house:
        yield f"_house = [{', '.join(_text(str(chips)) for chips in record.house)}]"
    if record.shown_by_choice:
        words = {choice: word for word, choice in _CHOICES.items()}
        chosen = ", ".join(f"'{words[choice]}'" for choice in record.shown_by_choice)
        yield f"_shown_by_choice = [{chosen}]"


@lru_cache(_KEPT)
def _rules_said(rules: Rules) -> str:
    """Return the rules that a reader would not infer from the other fields."""
    small, big = rules.bet_sizes[0], rules.bet_sizes[-1]
    if rules.betting is not Betting.LIMIT:
        small = big
    posts = rules.blinds[::-1] if rules.seats == 2 else rules.blinds
    plain = {
        "betting": Betting.NO_LIMIT if rules.betting is Betting.SPREAD_LIMIT else rules.betting,
        "largest_bets": None,
        "bet_sizes": (small, small, big, big),
        "max_raises": POKERKIT_RAISES if rules.betting is Betting.LIMIT else None,
        "lift_cap_heads_up": False,
        "first_to_act": first_seats(posts[::-1] if rules.seats == 2 else posts),
        "short_all_in": ShortAllIn.REOPENS,
        "uncallable_raise": UncallableRaise.ALLOWED,
        "odd_chips": OddChips.FRACTION,
        "open_fold": OpenFold.REFUSED,
        "rake": None,
    }
    said = [] if rules.stacks else ["stacks = 'unlimited'"]
    for key in _RULES_FIELDS:
        value = getattr(rules, key)
        if value != plain[key]:
            said.append(f"{key} = {_own_value(value)}")
    return ", ".join(said)


def _own_value(value: object) -> str:
    match value:
        case None:
            return "[]"
        case bool():
            return "true" if value else "false"
        case tuple():
            return f"[{', '.join(map(str, value))}]"
        case Betting() | ShortAllIn() | UncallableRaise() | OddChips() | OpenFold():
            return f"'{value.value}'"
        case Rake():
            return f"'{value}'"
        case _:
            raise BadInput(f"the value {value!r}")


def _text(text: str) -> str:
    """Return text as TOML, in single quotes if possible."""
    if text.isprintable() and "'" not in text:
        return f"'{text}'"
    escaped = [
        char if char.isprintable() and char not in '"\\' else f"\\U{ord(char):08x}" for char in text
    ]
    return f'"{"".join(escaped)}"'
