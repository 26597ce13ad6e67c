"""A player's fingerprint, heads-up: its answers to opponents that fold and raise at random.

Each opponent is a mixture of two probes: it folds to a bet with one probability, raises with
another where the rules allow it, and calls otherwise, whatever its cards. The grid of the two
probabilities has always-call, always-fold and always-raise at its corners. How often the player
itself folds and raises there, and what it wins, separates players that win equally against each
other. The idea is of D. Ashlock and E.-Y. Kim, "Fingerprinting: Visualization and Automatic
Analysis of Prisoner's Dilemma Strategies", IEEE Transactions on Evolutionary Computation 12 (2008).
"""

# The prisoner's dilemma has two moves, so its probes do not carry over to poker. Cards add noise:
# all points use the same deals, from both seats, so that the differences between points, which a
# picture shows, have less noise than the points themselves. A player that learns is new at each
# point, so what it learns about a probe is part of its answer.

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import index
from typing import Any, Final

import numpy as np
import polars as pl

from railbird._arguments import checked
from railbird._display import HasTable
from railbird.arena.match import Match, Seating
from railbird.arena.match_runner import MatchResult, play
from railbird.arena.names import PlayerLike, names_of
from railbird.arena.settings import SEED
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate
from railbird.game import HEADS_UP_LIMIT, ActionName, Rules
from railbird.progress import Progress

PROBED_DEALS: Final = 50
"""Deals at each point, played from both seats."""
STEPS: Final = 4
"""Steps from 0 to 1 of each probability: 15 points."""
MOST_STEPS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedPoint:
    """A player against one probe."""

    fold: float
    """Probability with which the probe folds to a bet."""
    raising: float
    """Probability with which it bets or raises if that is possible."""
    hands: int
    decisions: int
    bets_faced: int
    raises: float
    """Share of the player's decisions in which it bet or raised; nan without any."""
    folds: float
    """Share of the bets it faced to which it folded; nan without any."""
    money: Estimate
    """The player's winnings a hand."""

    def as_json(self) -> dict[str, Any]:
        """Return the fields."""
        return {
            "probe_folds": self.fold,
            "probe_raises": self.raising,
            "hands": self.hands,
            "decisions": self.decisions,
            "bets_faced": self.bets_faced,
            "raises": self.raises,
            "folds": self.folds,
            "money": self.money.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFingerprint(HasTable):
    """A player against probes of a grid of probabilities."""

    player: str
    rules: Rules
    deals: int
    """Deals at each point."""
    seed: int
    steps: int
    points: tuple[ProbedPoint, ...]
    """Points by the probe's probability of raising, then of folding, whose sum is at most 1."""

    def as_json(self) -> dict[str, Any]:
        """Return the output of `railbird players --fingerprint`."""
        return {
            "player": self.player,
            "betting": self.rules.betting.value,
            "deals": self.deals,
            "seed": self.seed,
            "unit": self.rules.result_unit,
            "points": [point.as_json() for point in self.points],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each point."""
        return pl.DataFrame(
            {
                **{key: value for key, value in point.as_json().items() if key != "money"},
                "money": point.money.value,
                "money_stderr": point.money.stderr,
            }
            for point in self.points
        )


@checked
def play_fingerprint(
    player: PlayerLike,
    *,
    rules: Rules = HEADS_UP_LIMIT,
    deals: int = PROBED_DEALS,
    steps: int = STEPS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> PlayerFingerprint:
    """Play a player against probes at ``steps`` + 1 probabilities of raising and of folding.

    Every probe plays the same ``deals`` from both seats, which makes 2 * ``deals`` hands; in
    no-limit, raises are pot-sized. The same ``seed`` gives the same fingerprint. Raises `BadInput`
    for rules of more than two seats, for a player that does not play by them, and for steps that
    are not 1 to 20.

    >>> from railbird.arena import play_fingerprint
    >>> fingerprint = play_fingerprint("always-call", deals=5, steps=1)
    >>> [(point.raising, point.fold, point.raises, point.folds) for point in fingerprint.points]
    [(0.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)]
    """
    if rules.seats != 2:
        raise BadInput(f"a fingerprint at {rules.seats} seats; allowed: 2")
    if not 1 <= index(steps) <= MOST_STEPS:
        raise BadInput(f"{steps} steps; allowed: 1 to {MOST_STEPS}")
    (name,) = names_of([player])
    probes = [
        (raising / steps, fold / steps)
        for raising in range(steps + 1)
        for fold in range(steps + 1 - raising)
    ]
    points = []
    for number, (raising, fold) in enumerate(probes):
        if progress is not None:
            progress(number, len(probes), f"playing {name} against probes")
        match = Match(
            players=(player, f"probe={probe_spec(raising, fold)}"),
            rules=rules,
            deals=deals,
            seed=seed,
            seating=Seating.DUPLICATE,
        )
        points.append(_point(play(match, keep=True), raising, fold))
    return PlayerFingerprint(
        player=name, rules=rules, deals=deals, seed=seed, steps=steps, points=tuple(points)
    )


def probe_spec(raising: float, fold: float) -> str:
    """Return the spec of a probe.

    >>> probe_spec(0.25, 0.5)
    'random,fold=0.5,call=0.25,raise=0.25,size=pot'
    """
    call = max(0.0, 1 - raising - fold)
    return f"random,fold={fold:g},call={call:g},raise={raising:g},size=pot"


def _point(result: MatchResult, raising: float, fold: float) -> ProbedPoint:
    name = result.match.names[0]
    counts = np.sum(list(_counts(result, name)), axis=0)
    decisions, raises, faced, folds = counts.tolist()
    return ProbedPoint(
        fold=fold,
        raising=raising,
        hands=result.match.hands,
        decisions=decisions,
        bets_faced=faced,
        raises=raises / decisions if decisions else np.nan,
        folds=folds / faced if faced else np.nan,
        money=result.money(0),
    )


def _counts(result: MatchResult, name: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield the numbers of a player's decisions, bets and raises, bets faced, and folds."""
    for batch in result.batches():
        answers = batch.answers
        own = batch.player[batch.hand_of, answers.seat] == batch.names.index(name)
        raised = np.isin(answers.name, (ActionName.BET, ActionName.RAISE))
        faced = answers.to_call > 0
        yield (
            int(own.sum()),
            int((own & raised).sum()),
            int((own & faced).sum()),
            int((own & (answers.name == ActionName.FOLD)).sum()),
        )
