"""What calls and folds that end the betting cost by their bounds, and with everybody's real cards.

``pytest -m slow tests/assessment/test_costs_by_real_cards.py -s`` prints the tables of the manual.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from railbird.assessment.graded_decisions import _pots, call_ends_betting, grades
from railbird.cards import HOLDINGS
from railbird.game import Betting, Call, Fold, HandState, act
from railbird.histories import HandRecord, read
from railbird.modelling.betting_ranges import Shares, count_betting, observed_actions
from railbird.odds import showdown_odds

GROUP = 40
"""Decisions of a group: the bounds are of what a call is worth on average against opponents whose
cards nobody sees, and one decision with its real cards is won or lost."""


class Costs(NamedTuple):
    """What a decision cost, in big blinds, or small bets in limit."""

    action: str
    grade: str
    low: float
    high: float
    true: float
    """With the real cards; below zero where the decision gained."""


def costs_in(hands: Sequence[HandRecord], shares: Shares | None = None) -> Iterator[Costs]:
    """Yield the calls and folds that ended the betting, with what they were worth.

    ``low`` and ``high`` are not cut off at zero here: they bound gains, too.
    """
    names = sorted({name for hand in hands for name in hand.players})
    if hands[0].rules.betting is Betting.LIMIT:  # what is learned of opponents goes on
        told = {name: [hand for hand in hands if name in hand.players] for name in names}
        pieces = list(told.items())
    else:
        pieces = [(name, [hand]) for hand in hands for name in _answering(hand)]
    for name, played in pieces:
        found = grades(played, name, shares=shares).filter(by="ranges")
        for row in found.iter_rows(named=True):
            hand = played[row["row"]]
            worth = _worth(hand, row["act"])
            if worth is None:
                continue
            folded = isinstance(hand.actions[row["act"]], Fold)
            sign = 1 if folded else -1
            low, high = sorted((sign * row["call_low"], sign * row["call_high"]))
            yield Costs("fold" if folded else "call", row["grade"], low, high, sign * worth)


def _answering(hand: HandRecord) -> set[str]:
    return {
        hand.players[observed.act.seat]
        for observed in observed_actions(hand)
        if isinstance(observed.act.action, Call | Fold) and call_ends_betting(observed.before)
    }


def _worth(hand: HandRecord, number: int) -> float | None:
    """Return what a call was worth with all cards seen; None where some are unknown."""
    state = _state(hand, number)
    seat = state.actor
    assert seat is not None
    after = act(state, Call())
    held = {rival: hand.holes[rival] for rival in after.in_hand}
    if None in held.values():
        return None
    holding = held[seat]
    assert holding is not None
    ranges = {
        rival: np.eye(1, HOLDINGS, holes)[0] for rival, holes in held.items() if holes is not None
    }
    won = 0.0
    for pot in _pots(after, seat):
        theirs = [ranges[rival] for rival in pot.rivals]
        share = showdown_odds(holding, state.board, theirs, samples=2_000).joint if theirs else 1.0
        won += pot.chips * share
    rake = 1 - after.raked / max(after.pot, 1)
    return (won * rake - (after.spent[seat] - state.spent[seat])) / hand.rules.chips_per_unit


def _state(hand: HandRecord, number: int) -> HandState:
    for place, observed in enumerate(observed_actions(hand)):
        if place == number:
            return observed.before
    raise AssertionError("no such action")


def groups(costs: Sequence[Costs]) -> Iterator[tuple[float, float, float, float]]:
    """Yield mean bounds, mean true cost and its standard error by action and told cost."""
    for action in ("call", "fold"):
        table = np.array([each[2:] for each in costs if each.action == action])
        if len(table) < GROUP:
            continue
        ordered = table[np.argsort(table[:, :2].sum(axis=1), kind="stable")]
        for part in np.array_split(ordered, len(ordered) // GROUP):
            low, high, true = part.mean(axis=0)
            yield low, high, true, float(part[:, 2].std(ddof=1) / len(part) ** 0.5)


class Means(NamedTuple):
    """Mean bounds and mean true cost of decisions with one grade."""

    title: str
    decisions: int
    low: float
    high: float
    true: float
    error: float
    """Standard error of the true cost."""

    def __str__(self) -> str:
        return (
            f"| {self.title} | {self.decisions:,} | {self.low:+.1f} to {self.high:+.1f} "
            f"| {self.true:+.1f} ± {self.error:.1f} |"
        )


def by_grade(costs: Sequence[Costs]) -> Iterator[Means]:
    """Yield told and true costs by action and grade."""
    for action in ("call", "fold"):
        for grade in ("good", "close", "mistake", "unknown"):
            table = np.array([each[2:] for each in costs if each[:2] == (action, grade)])
            if len(table) > 1:
                low, high, true = table.mean(axis=0).tolist()
                error = float(table[:, 2].std(ddof=1) / len(table) ** 0.5)
                yield Means(f"{action}, {grade}", len(table), low, high, true, error)


def _held_out(hands: Sequence[HandRecord]) -> Iterator[Costs]:
    """Yield the costs in each half, read by what was counted in the other."""
    half = len(hands) // 2
    for judged, counted in ((hands[:half], hands[half:]), (hands[half:], hands[:half])):
        yield from costs_in(judged, count_betting(counted).shares)


class Log(NamedTuple):
    """A log with everybody's cards, or a part of it."""

    file: str
    first: int = 0
    hands: int = 1_000


LOGS = {
    "pluribus": Log("pluribus/pluribus_10000.phhs.gz", hands=10_000),
    "no-limit for two": Log("acpc_loopback/nolimit2p.log"),
    # Nobody had looked at these when the width of the bounds was chosen.
    "no-limit for three": Log("acpc_loopback/nolimit3p.log", hands=200),
    "limit for two": Log("acpc_loopback/limit2p.log"),
    "limit for three": Log("acpc_loopback/limit3p.log", hands=200),
    "poker academy": Log("poker_academy/mvb1_mvb2.acpc.log.gz", first=4_000, hands=2_000),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LOGS)
def test_bounds_hold_with_real_cards(name: str, shared_data: Path) -> None:
    log = LOGS[name]
    records = (hand for hand in read(str(shared_data / log.file)) if isinstance(hand, HandRecord))
    hands = list(islice(records, log.first, log.first + log.hands))
    costs = list(_held_out(hands) if name == "pluribus" else costs_in(hands))
    inside = covered = 0
    parts = list(groups(costs))
    for low, high, true, error in parts:
        inside += low <= true <= high
        covered += low - 1.96 * error <= true <= high + 1.96 * error
    first = (
        f"{name}: {len(costs):,} decisions in {len(parts)} groups; the mean lies between its "
        f"bounds in {inside}, its 95 % interval meets them in {covered}"
    )
    means = list(by_grade(costs))
    sys.stdout.write("\n".join(["", first, *map(str, means), ""]))
    assert covered >= 0.93 * len(parts)
    for each in means:
        if each.decisions >= GROUP // 2:
            assert each.low - 2 * each.error <= each.true <= each.high + 2 * each.error, each
