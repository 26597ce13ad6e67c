"""Writer of Poker Academy's format; see `railbird.histories.sites.poker_academy`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from railbird.cards import cards_of, describe, format_cards, strength
from railbird.errors import BadInput
from railbird.game import BOARD_CARDS, ActionName, Betting, Raise, Rules, Street
from railbird.histories.betting import BettingAction, BettingSequence, course_of
from railbird.histories.format import WriteOptions, check_name, check_text
from railbird.histories.record import HandRecord, Skipped, not_representable
from railbird.histories.sites.poker_academy import BETTINGS
from railbird.histories.sites.replay import Posts, site_rules
from railbird.histories.text_values import hole_cards, moment_text
from railbird.histories.verify import BettingOutcome, confirm, ending_of
from railbird.units import Chips, Seat

_STARS: Final = "*" * 30
_SUFFIXES: Final = {Betting.LIMIT: "", Betting.NO_LIMIT: " NL", Betting.POT_LIMIT: " PL"}
_NAMES: Final = {betting: name for name, betting in BETTINGS.items()}
_BIG_BETS: Final = 1000
"""Stack written, in big bets, where stacks are unlimited."""


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write a block of lines per hand."""
    del options  # the format has no head and no choices
    for count, record in enumerate(records):
        try:
            lines = list(_lines(record, count))
        except BadInput as error:
            yield not_representable(record, error)
        else:
            yield "\n".join([*lines, "", _STARS, ""])


def _lines(record: HandRecord, count: int) -> Iterator[str]:
    if record.rules.betting not in _NAMES:
        raise BadInput(f"{record.rules.betting.value} betting")
    rules, stakes, stacks = record.rules, _stakes(record.rules), _stacks(record.rules)
    posts = Posts(rules.blinds, (Chips(0),) * rules.seats)
    as_read = site_rules(rules.betting, stakes, posts, stacks=stacks)
    confirm(record, as_read)
    course = course_of(as_read, record.actions)
    ending = ending_of(as_read, record.actions, record.holes, record.board)
    small, big = (_money(record, amount) for amount in stakes)
    number = count if record.number is None else record.number
    yield f"Poker Academy Pro #{number:,}"
    yield f"{_NAMES[rules.betting]} Texas Holdem ({small}/{big}{_SUFFIXES[rules.betting]})"
    if record.table:
        check_text(record.table, "a table")
        yield f"Table {record.table}"
    if record.played_at is not None:
        yield moment_text(record.played_at)
    yield ""
    yield from _seats(record, stacks)
    yield ""
    yield from _posts(record)
    yield from _deeds(record, course)
    yield from _shows(record, ending)
    yield ""
    yield from _wins(record, ending)


def _stakes(rules: Rules) -> tuple[Chips, Chips]:
    if rules.betting is Betting.LIMIT:
        return rules.bet_sizes[0], rules.bet_sizes[2]
    return min(filter(None, rules.blinds)), max(rules.blinds)


def _stacks(rules: Rules) -> tuple[Chips, ...]:
    return rules.stacks or (Chips(_BIG_BETS * rules.bet_sizes[2]),) * rules.seats


def _money(record: HandRecord, chips: Chips | Fraction) -> str:
    if record.denomination == 1 and chips == int(chips):
        return f"${int(chips):,}"
    cents = chips * record.denomination * 100
    if cents != int(cents):
        raise BadInput(f"{chips} chips of {record.denomination} are no dollars and cents")
    dollars, rest = divmod(int(cents), 100)
    return f"${dollars:,}.{rest:02}"


def _seats(record: HandRecord, stacks: tuple[Chips, ...]) -> Iterator[str]:
    width = max(map(len, record.players))
    for seat, (name, stack, hole) in enumerate(
        zip(record.players, stacks, record.holes, strict=True)
    ):
        check_name(name, "  ", " *", "$", "(sitting out)")
        button = "*" if seat == len(stacks) - 1 else " "
        cards = "" if hole is None else _hole(record, Seat(seat))
        yield f" {seat + 1}) {name:{width}} {button}  {_money(record, stack)}  {cards}".rstrip()


def _hole(record: HandRecord, seat: Seat) -> str:
    hole = record.holes[seat]
    assert hole is not None
    return format_cards(hole_cards(hole, low_first=record.low_first >> seat & 1), separator=" ")


def _posts(record: HandRecord) -> Iterator[str]:
    posts = [(chips, seat) for seat, chips in enumerate(record.rules.blinds) if chips]
    if len(posts) > 2:
        raise BadInput(f"{len(posts)} posts; allowed: a small blind and a big blind")
    words, stacks = ("small", "big")[-len(posts) :], record.rules.stacks
    for word, (chips, seat) in zip(words, sorted(posts), strict=True):
        paid = chips if stacks is None else min(chips, stacks[seat])
        yield f"{record.players[seat]} posts {word} blind {_money(record, paid)}"


def _deeds(record: HandRecord, course: BettingSequence) -> Iterator[str]:
    street = Street.PREFLOP
    for move in course.moves:
        yield from _streets(record, street, move.street)
        street = move.street
        yield f"{record.players[move.seat]} {_deed(record, move)}"
    yield from _streets(record, street, course.street)


def _streets(record: HandRecord, done: Street, until: Street) -> Iterator[str]:
    for street in range(done + 1, until + 1):
        board = format_cards(record.board[: BOARD_CARDS[street]], separator=" ")
        yield ""
        yield f"{Street(street).name}:  {board}"


def _deed(record: HandRecord, move: BettingAction) -> str:
    match move.action:
        case Raise(to):
            by = _money(record, Chips(to - move.bet))
            # Whoever has nothing to call bets, the big blind after calls too.
            return f"raises {by}" if move.to_call else f"bets {by}"
        case _ if move.name is ActionName.CALL:
            # The program itself writes the trailing space.
            return f"calls {_money(record, move.to_call)} "
        case _:
            return f"{move.name.word}s"


def _shows(record: HandRecord, ending: BettingOutcome) -> Iterator[str]:
    for seat in ending.contenders:
        if record.holes[seat] is not None:
            yield f"{record.players[seat]} shows {_hole(record, seat)}"


def _wins(record: HandRecord, ending: BettingOutcome) -> Iterator[str]:
    called = _called_chips(ending.state.spent)
    for seat, payoff in enumerate(record.payoffs):
        amount = payoff + called[seat]
        if amount:
            how = f"with {_rank(record, Seat(seat))}" if ending.contenders else "uncontested"
            yield f"{record.players[seat]} wins {_money(record, amount)} {how}"


def _rank(record: HandRecord, seat: Seat) -> str:
    hole = record.holes[seat]
    return "unknown cards" if hole is None else describe(strength((*cards_of(hole), *record.board)))


def _called_chips(spent: tuple[Chips, ...]) -> tuple[Chips, ...]:
    """Return the chips that each seat put in, without the uncalled part of the last bet."""
    called = sorted(spent)[-2]
    return tuple([min(chips, called) for chips in spent])
