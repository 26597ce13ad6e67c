"""Writer of the IRC poker database's format; see `railbird.histories.irc.read`.

The lines of the three files follow each other, hand by hand. A hand whose time is unknown or
already used gets a number instead that lies before all times of the database.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from datetime import datetime
from fractions import Fraction
from typing import Final, NamedTuple

from railbird.cards import Holding, format_cards
from railbird.errors import BadInput
from railbird.game import Action, Betting, HandState, Rules
from railbird.game.notation import ActionName, name_of
from railbird.histories.betting import BettingReplay
from railbird.histories.card_text import hole_cards
from railbird.histories.format import ReadOptions, WriteOptions
from railbird.histories.irc import read as irc
from railbird.histories.record import HandRecord, Skipped, not_representable
from railbird.histories.stakes import same_stakes
from railbird.units import Chips

_BIG_BETS: Final = 1000
"""Bankroll in big bets that is written where stacks are unlimited."""
_FIRST_KEY: Final = 100_000
"""First number of six digits, the fewest that a time has."""
_POTS: Final = 4


class _Played(NamedTuple):
    """The betting of a hand in letters."""

    deeds: list[list[str]]
    """Letters by seat and street."""
    pots: list[str]
    """Players and chips at each deal of the board, and at showdown."""
    state: HandState


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write each hand's line, its roster and its players' lines."""
    del options  # the format has no head and no choices
    taken: set[int] = set()
    for count, record in enumerate(records):
        time = _time_of(record.played_at)
        if time is None or time in taken:
            time = _FIRST_KEY + count
        try:
            lines = list(_lines(record, time, count if record.number is None else record.number))
            _check(record, lines)
        except BadInput as error:
            yield not_representable(record, error)
            continue
        taken.add(time)
        yield "".join([f"{line}\n" for line in lines])


def _time_of(moment: datetime | None) -> int | None:
    """Return seconds since 1970 if they are known and possible in the database."""
    if moment is None or moment.tzinfo is None or moment.microsecond:
        return None
    time = int(moment.timestamp())
    return time if irc.FIRST_MOMENT <= time <= irc.LAST_MOMENT else None


def _check(record: HandRecord, lines: list[str]) -> None:
    """Refuse hands that would not read back the same, with the same stakes."""
    rules = record.rules
    told = None if rules.betting is Betting.LIMIT else rules
    hands = list(irc.read([f"{line}\n" for line in lines], ReadOptions(rules=told)))
    back = hands[0] if len(hands) == 1 else None
    if isinstance(back, Skipped):
        raise BadInput(f"not as the database would have it: {back.detail}")
    if back is None or not same_stakes(back.rules, rules):
        raise BadInput("the stakes do not follow from the chips put in")
    same = dataclasses.replace(
        record,
        rules=back.rules,
        number=back.number,
        table="",
        played_at=back.played_at,
        comment="",
        denomination=Fraction(1),
        currency="",
    )
    if back != same or record.number not in (None, back.number):
        raise BadInput("it does not read back as the same hand")


def _lines(record: HandRecord, time: int, number: int) -> Iterator[str]:
    if record.rules.betting is Betting.SPREAD_LIMIT:
        raise BadInput("spread-limit betting")
    for name in record.players:
        if name.split() != [name]:
            raise BadInput(f"the name {name!r}")
    rules = _with_stacks(record.rules)
    assert rules.stacks is not None
    deeds, pots, state = _play(rules, record.actions)
    seats = rules.seats
    board = format_cards(record.board, separator=" ")
    yield " ".join([f"{time} 1 {number} {seats}", *pots, board]).rstrip()
    yield " ".join([f"{time} {seats}", *record.players])
    for seat, (name, stack, spent, payoff) in enumerate(
        zip(record.players, rules.stacks, state.spent, record.payoffs, strict=True)
    ):
        if payoff.denominator > 1:
            raise BadInput(f"{payoff} chips; allowed: whole ones")
        streets = " ".join([text or "-" for text in deeds[seat]])
        line = f"{name} {time} {seats} {seat + 1} {streets} {stack} {spent} {spent + payoff}"
        yield line + _shown(record.holes[seat], record.low_first >> seat & 1)


def _with_stacks(rules: Rules) -> Rules:
    if rules.stacks is not None:
        return rules
    plenty = Chips(_BIG_BETS * rules.bet_sizes[-1])
    return dataclasses.replace(rules, stacks=(plenty,) * rules.seats)


def _play(rules: Rules, actions: tuple[Action, ...]) -> _Played:
    walk = BettingReplay(rules)
    coming = iter(actions)
    deeds = [["B" if blind else "", "", "", ""] for blind in rules.blinds]
    pots: list[str] = []
    while walk.board_is_due or walk.betting_is_open:
        before = walk.state
        if walk.board_is_due:
            pots.append(_pot(before))
            walk.deal()
            continue
        seat, action = before.actor, next(coming)
        assert seat is not None
        walk.act(action)
        deeds[seat][before.street] += _letter(before, action, walk.state)
    if len(walk.state.in_hand) > 1:
        pots.append(_pot(walk.state))
    return _Played(deeds, pots + ["0/0"] * (_POTS - len(pots)), walk.state)


def _pot(state: HandState) -> str:
    return f"{len(state.in_hand)}/{state.pot}"


def _letter(before: HandState, action: Action, after: HandState) -> str:
    """Return the letter of an action, from the states before and after it."""
    seat, stacks = before.actor, after.stacks
    assert seat is not None
    assert stacks is not None
    name = name_of(action, to_call=before.to_call, bet=before.bet)
    chips_in = name not in (ActionName.FOLD, ActionName.CHECK)
    return "A" if chips_in and stacks[seat] == 0 else name.letter


def _shown(hole: Holding | None, low_first: int) -> str:
    """Return the cards at the end of a player's line."""
    if hole is None:
        return ""
    return " " + format_cards(hole_cards(hole, low_first=low_first), separator=" ")
