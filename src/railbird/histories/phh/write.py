"""Writer of the PHH format; see `railbird.histories.phh.read`."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final, assert_never

from railbird.cards import TEXT_OF_CARD
from railbird.errors import BadInput
from railbird.game import (
    BOARD_CARDS,
    Betting,
    Call,
    Fold,
    OddChips,
    OpenFold,
    Phase,
    Raise,
    Rake,
    Rules,
    ShortAllIn,
    Street,
    UncallableRaise,
)
from railbird.histories.betting import course_of
from railbird.histories.card_text import hole_cards
from railbird.histories.format import WriteOptions
from railbird.histories.phh.fields import amount_text
from railbird.histories.phh.read import LIMIT_RAISES, VARIANTS, first_seats
from railbird.histories.record import HandRecord, Skipped, not_representable
from railbird.histories.verify import Ending, ending_of
from railbird.units import Chips, Seat

_NAMES: Final = {betting: name for name, betting in VARIANTS.items()} | {Betting.SPREAD_LIMIT: "NT"}
"""The format knows no spread limit; whoever reads no-limit instead finds every raise legal."""
_BIG_BETS: Final = 1000
"""Stack written, in the largest bets, where stacks are unlimited."""
_KEPT: Final = 1 << 12
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
    for place, record in enumerate(itertools.chain(first, hands), 1):
        try:
            lines = list(_lines(record))
        except BadInput as error:
            yield not_representable(record, error)
        else:
            yield "\n".join([*lines, ""] if alone else [f"[{place}]", *lines, "", ""])


def _lines(record: HandRecord) -> Iterator[str]:
    scale = _scale(record)
    rules = record.rules
    ending = ending_of(rules, record.actions, record.holes, record.board)
    yield from _table_lines(rules, scale)
    if record.number is not None:
        yield f"hand = {record.number}"
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
    yield from _own_lines(record, scale)
    # Last, so that no hand of a truncated file looks complete.
    yield f"actions = [{', '.join(map(_text, _actions(record, ending, scale)))}]"


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
        f"variant = '{_NAMES[rules.betting]}'",
        f"ante_trimming_status = {'true' if len(set(antes)) == 1 else 'false'}",
        f"antes = {_amounts(antes, scale)}",
        f"blinds_or_straddles = {_amounts(posts, scale)}",
        *bets,
        f"starting_stacks = {_amounts(_stacks(rules), scale)}",
    )


def _stacks(rules: Rules) -> tuple[Chips, ...]:
    return rules.stacks or (Chips(_BIG_BETS * max(rules.bet_sizes)),) * rules.seats


def _amounts(amounts: Iterable[int], scale: int) -> str:
    return f"[{', '.join(amount_text(amount, scale) for amount in amounts)}]"


def _actions(record: HandRecord, ending: Ending, scale: int) -> Iterator[str]:
    for seat in range(len(record.holes)):
        yield f"d dh p{seat + 1} {_hole(record, seat)}"
    course = course_of(record.rules, record.actions)
    street = Street.PREFLOP
    for move in course.moves:
        yield from _deals(record, street, move.street)
        street = move.street
        match move.action:
            case Fold():
                yield f"p{move.seat + 1} f"
            case Call():
                yield f"p{move.seat + 1} cc"
            case Raise(to):
                yield f"p{move.seat + 1} cbr {amount_text(to, scale)}"
            case other:
                assert_never(other)
    yield from _deals(record, street, course.street)
    for seat in _showers(ending):
        known = record.holes[seat] is not None
        yield f"p{seat + 1} sm {_hole(record, seat) if known else '-'}"


def _deals(record: HandRecord, done: Street, until: Street) -> Iterator[str]:
    for street in range(done, until):
        cards = record.board[BOARD_CARDS[street] : BOARD_CARDS[street + 1]]
        yield f"d db {''.join([TEXT_OF_CARD[card] for card in cards])}"


def _showers(ending: Ending) -> list[Seat]:
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


@lru_cache(_KEPT)
def _rules_said(rules: Rules) -> str:
    """Return the rules that a reader would not infer from the other fields."""
    small, big = rules.bet_sizes[0], rules.bet_sizes[-1]
    if rules.betting is not Betting.LIMIT:
        small = big
    posts = rules.blinds[::-1] if rules.seats == 2 else rules.blinds
    plain = {
        "betting": VARIANTS[_NAMES[rules.betting]],
        "largest_bets": None,
        "bet_sizes": (small, small, big, big),
        "max_raises": LIMIT_RAISES if rules.betting is Betting.LIMIT else None,
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
