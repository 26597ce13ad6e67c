"""Writer of PokerStars hand histories, of hold'em and Omaha; `sites.pokerstars` reads them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from railbird.cards import (
    HOLDEM,
    VARIANTS,
    Variant,
    cards_of,
    describe,
    format_cards,
    share_words,
    strength,
)
from railbird.errors import BadInput
from railbird.game import (
    BOARD_CARDS,
    ActionName,
    Betting,
    Fold,
    HandState,
    Phase,
    Raise,
    Rules,
    Street,
)
from railbird.histories.betting import BettingAction, BettingSequence, course_of
from railbird.histories.format import ReadOptions, WriteOptions, check_name, check_text
from railbird.histories.record import HandRecord, Skipped, not_representable
from railbird.histories.sites.money import CODES
from railbird.histories.sites.pokerstars import SITE
from railbird.histories.sites.pokerstars_head import (
    BETTINGS,
    NO_TABLE,
    PLAY_MONEY,
    TOURNAMENT,
    money_text,
    scale_of,
    time_text,
)
from railbird.histories.text_values import hole_cards
from railbird.histories.variant_hands import course_of_record
from railbird.histories.verify import (
    BettingOutcome,
    ending_of,
    outcome_of,
    same_stakes,
    uncalled,
)
from railbird.units import Chips, Seat

_GAMES: Final = {
    HOLDEM: "Hold'em",
    VARIANTS["omaha"]: "Omaha",
    VARIANTS["omaha-hilo"]: "Omaha Hi/Lo",
    VARIANTS["omaha5"]: "5 Card Omaha",
    VARIANTS["omaha5-hilo"]: "5 Card Omaha Hi/Lo",
    VARIANTS["omaha6"]: "6 Card Omaha",
    VARIANTS["omaha6-hilo"]: "6 Card Omaha Hi/Lo",
}
"""The games that are written, by the site's names."""
_NAMES: Final = {betting: name for name, betting in BETTINGS.items()}
_BIG_BETS: Final = 1000
"""Stack written, in big bets, where stacks are unlimited."""
_FOLDED: Final = ("before Flop", "on the Flop", "on the Turn", "on the River")


class _Money(NamedTuple):
    """Chips spent, returned and won, by seat."""

    spent: tuple[Chips, ...]
    returned: tuple[Chips, ...]
    won: tuple[Fraction, ...]


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write a block of lines per hand, with seats numbered from the left of the button."""
    del options  # the format has no head and no choices
    for count, record in enumerate(records):
        try:
            lines = list(_lines(record, count))
            _check(record, lines)
        except BadInput as error:
            yield not_representable(record, error)
        else:
            yield "\n".join([*lines, "", "", ""])


def _check(record: HandRecord, lines: list[str]) -> None:
    """Refuse hands that would not read back the same, apart from the site's own rules."""
    back, *more = SITE.read([f"{line}\n" for line in lines], ReadOptions(variants=True))
    if more:
        raise BadInput("a name that looks like the beginning of a hand")
    if isinstance(back, Skipped):
        raise BadInput(f"not allowed on this site: {back.detail}")
    if not same_stakes(back.rules, record.rules):
        raise BadInput("posts or stakes that this site does not have")
    same = dataclasses.replace(
        record,
        rules=back.rules,
        cards=tuple(own if any(card is not None for card in own) else () for own in record.cards),
        number=back.number,
        comment="",
        played_at=back.played_at,
    )
    if back != same or (record.played_at or back.played_at) != back.played_at:
        raise BadInput("it does not read back as the same hand")


def _lines(record: HandRecord, count: int) -> Iterator[str]:
    if record.denomination != Fraction(1, scale_of(record.currency)):
        raise BadInput(f"chips of {record.denomination} {record.currency}".rstrip())
    for name in record.players:
        check_name(name)
    check_text(record.table, "a table")
    rules = record.rules
    ending = _ending(record)
    course = course_of(dataclasses.replace(rules, variant=HOLDEM), record.actions)
    money = _money_of(record, ending.state)
    number = count + 1 if record.number is None else record.number
    yield _head(record, record.number_text or str(number))
    seats = len(record.players)
    kind = f"{max(seats, 2)}-max{f' {PLAY_MONEY}' if record.play_money else ''}"
    yield f"Table '{record.table or NO_TABLE}' {kind} Seat #{seats} is the button"
    for seat, (name, stack) in enumerate(zip(record.players, _stacks(rules), strict=True), 1):
        yield f"Seat {seat}: {name} ({_text(record, stack)} in chips)"
    yield from _posts(record)
    yield "*** HOLE CARDS ***"
    for seat, name in enumerate(record.players):
        if _is_known(record, seat) and seat not in ending.contenders:
            yield f"Dealt to {name} {_hole(record, seat)}"
    yield from _deeds(record, course)
    for name, chips in zip(record.players, money.returned, strict=True):
        if chips:
            yield f"Uncalled bet ({_text(record, chips)}) returned to {name}"
    yield from _showdown(record, ending)
    for name, amount in zip(record.players, money.won, strict=True):
        if amount:
            yield f"{name} collected {_text(record, amount)} from pot"
    yield from _summary(record, ending, course, money)


def _ending(record: HandRecord) -> BettingOutcome:
    """Return how a hand ended. Raises `railbird.errors.BadInput` for a game that is not written."""
    variant: Variant = record.rules.variant
    if variant is HOLDEM:
        return ending_of(record.rules, record.actions, record.holes, record.board)
    if variant not in _GAMES:
        raise BadInput(f"{variant.name} in pokerstars")
    return outcome_of(course_of_record(record))


def _head(record: HandRecord, number: str) -> str:
    rules = record.rules
    if rules.betting not in _NAMES:
        raise BadInput(f"{rules.betting.value} betting")
    small, big = rules.bet_sizes[0], rules.bet_sizes[-1]
    if rules.betting is not Betting.LIMIT:
        small = rules.blinds[-1 if rules.seats == 2 else 0] or Chips(big // 2)
    code = f" {CODES[record.currency]}" if record.currency in CODES else ""
    stakes = f"{_text(record, small)}/{_text(record, big)}{code}"
    when = "" if record.played_at is None else f" - {time_text(record.played_at)}"
    # Which tournament it is of, a record does not know.
    of = f"{TOURNAMENT}0, " if record.tournament else ""
    game = f"{_GAMES[rules.variant]} {_NAMES[rules.betting]}"
    return f"PokerStars Hand #{number}:  {of}{game} ({stakes}){when}"


def _stacks(rules: Rules) -> tuple[Chips, ...]:
    return rules.stacks or (Chips(_BIG_BETS * rules.bet_sizes[2]),) * rules.seats


def _text(record: HandRecord, chips: Fraction | int) -> str:
    return money_text(chips, record.currency)


def _posts(record: HandRecord) -> Iterator[str]:
    """Yield the blinds, then the antes; a further big blind is a late entrant's."""
    rules = record.rules
    stacks = _stacks(rules)
    antes = rules.antes or (Chips(0),) * rules.seats
    heads_up = rules.seats == 2
    small, big = (1, 0) if heads_up else (0, 1)
    order = [small, big, *range(2, rules.seats)]
    for seat in order:
        chips = rules.blinds[seat]
        words = {small: "small blind", big: "big blind"}.get(seat, "big blind")
        if seat > 1 and chips > rules.blinds[big]:
            words = "straddle"
        # The ante comes first, whichever line stands above.
        left = stacks[seat] - min(antes[seat], stacks[seat])
        if chips and left:
            yield f"{record.players[seat]}: posts {words} {_paid(record, chips, left)}"
    for seat, chips in enumerate(antes):
        if chips:
            yield f"{record.players[seat]}: posts the ante {_paid(record, chips, stacks[seat])}"


def _paid(record: HandRecord, chips: Chips, stack: int) -> str:
    return f"{_text(record, min(chips, stack))}{' and is all-in' if chips >= stack else ''}"


def _deeds(record: HandRecord, course: BettingSequence) -> Iterator[str]:
    street = Street.PREFLOP
    left = _behind(record.rules)
    for move in course.moves:
        yield from _streets(record, street, move.street)
        street = move.street
        all_in = ""
        if not isinstance(move.action, Fold):
            total = move.before + _put_in(move, record.rules)
            all_in = " and is all-in" if total == left[move.seat] else ""
        yield f"{record.players[move.seat]}: {_deed(record, move)}{all_in}"
    yield from _streets(record, street, course.street)


def _behind(rules: Rules) -> tuple[int, ...]:
    """Return the stacks by seat, antes included; -1 where stacks are unlimited."""
    return (-1,) * rules.seats if rules.stacks is None else rules.stacks


def _put_in(move: BettingAction, rules: Rules) -> int:
    """Return a seat's chips on this street after a call or raise, with the ante preflop."""
    ante = rules.antes[move.seat] if rules.antes and move.street is Street.PREFLOP else 0
    match move.action:
        case Raise(to):
            return to + ante
        case _:
            return move.bet + ante


def _streets(record: HandRecord, done: Street, until: Street) -> Iterator[str]:
    for street in range(done + 1, until + 1):
        seen = 0 if street == Street.FLOP else BOARD_CARDS[street - 1]
        old, new = record.board[:seen], record.board[seen : BOARD_CARDS[street]]
        shown = f"[{format_cards(old, separator=' ')}] " if old else ""
        yield f"*** {Street(street).name} *** {shown}[{format_cards(new, separator=' ')}]"


def _deed(record: HandRecord, move: BettingAction) -> str:
    match move.action, move.name:
        case Raise(to), ActionName.RAISE:
            return f"raises {_text(record, to - move.bet)} to {_text(record, to)}"
        case Raise(to), _:
            return f"bets {_text(record, to)}"
        case _, ActionName.CALL:
            return f"calls {_text(record, move.to_call)}"
        case _, name:
            return f"{name.word}s"


def _is_known(record: HandRecord, seat: int) -> bool:
    if record.rules.variant is HOLDEM:
        return record.holes[seat] is not None
    own = record.cards[seat]
    return bool(own) and None not in own


def _hole(record: HandRecord, seat: int) -> str:
    hole = record.holes[seat]
    if hole is None:
        cards = tuple(card for card in record.cards[seat] if card is not None)
    else:
        cards = hole_cards(hole, low_first=record.low_first >> seat & 1)
    return f"[{format_cards(cards, separator=' ')}]"


def _showdown(record: HandRecord, ending: BettingOutcome) -> Iterator[str]:
    if not ending.contenders:
        return
    yield "*** SHOW DOWN ***"
    for seat in _in_turn(ending):
        if not _is_known(record, seat):
            yield f"{record.players[seat]}: mucks hand"
        else:
            yield f"{record.players[seat]}: shows {_hole(record, seat)} ({_rank(record, seat)})"


def _in_turn(ending: BettingOutcome) -> list[Seat]:
    """Return the seats of the showdown in the order of showing."""
    seats = list(ending.contenders)
    first = ending.state.shower if ending.state.phase is Phase.SHOWDOWN else ending.state.aggressor
    place = seats.index(first) if first in seats else 0
    return seats[place:] + seats[:place]


def _rank(record: HandRecord, seat: int) -> str:
    hole = record.holes[seat]
    if hole is None:
        own = tuple(card for card in record.cards[seat] if card is not None)
        return share_words(record.rules.variant.shares[0], own, record.board)
    return describe(strength((*cards_of(hole), *record.board)))


def _money_of(record: HandRecord, state: HandState) -> _Money:
    """Return the chips put in, the uncalled part returned, and the winnings."""
    spent, returned = state.spent, uncalled(state)
    won = [
        payoff + chips - back
        for payoff, chips, back in zip(record.payoffs, spent, returned, strict=True)
    ]
    return _Money(spent, returned, tuple(won))


def _summary(
    record: HandRecord, ending: BettingOutcome, course: BettingSequence, money: _Money
) -> Iterator[str]:
    total = sum(money.spent) - sum(money.returned)
    yield "*** SUMMARY ***"
    yield f"Total pot {_text(record, total)} | Rake {_text(record, total - sum(money.won))}"
    if record.board:
        yield f"Board [{format_cards(record.board, separator=' ')}]"
    folded = {move.seat: move.street for move in course.moves if isinstance(move.action, Fold)}
    for seat, name in enumerate(record.players):
        fate = _fate(record, ending, folded, money, seat)
        yield f"Seat {seat + 1}: {name}{_role(record.rules, seat)} {fate}"


def _role(rules: Rules, seat: int) -> str:
    button = " (button)" if seat == rules.seats - 1 else ""
    small, big = (1, 0) if rules.seats == 2 else (0, 1)
    return button + {small: " (small blind)", big: " (big blind)"}.get(seat, "")


def _fate(
    record: HandRecord, ending: BettingOutcome, folded: dict[Seat, Street], money: _Money, seat: int
) -> str:
    won = f"({_text(record, money.won[seat])})"
    if Seat(seat) in folded:
        street = folded[Seat(seat)]
        idle = " (didn't bet)" if money.spent[seat] == 0 else ""
        return f"folded {_FOLDED[street]}{idle}"
    if seat not in ending.contenders:
        return f"collected {won}"
    if not _is_known(record, seat):
        return f"collected {won}" if money.won[seat] else "mucked"
    outcome = f"won {won}" if money.won[seat] else "lost"
    return f"showed {_hole(record, seat)} and {outcome} with {_rank(record, seat)}"
