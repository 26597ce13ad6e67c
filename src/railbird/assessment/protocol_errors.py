"""Errors of protocol in any hold'em, apart from play: how a match would have gone without them.

An arena replaces a program's action where it is illegal, late or missing. The cost or gain of that
is part of the result, but says nothing of how the program plays. Leaving out the hands with an
error would be a selection: a player could err in hands that it is about to lose. So a hand is
followed up to the first error. The decisions that remain also count for those that errors cut off,
each weighted by one over the probability of getting there without an error (weights by the inverse
probability of censoring; Robins and Rotnitzky 1992). If errors do not depend on play, this is
unbiased decision by decision, as DIVAT is, which gives the changes of value:

    result without errors = position + sum over decisions of change / product of (1 - p),

the product being over the decisions of the players who err, up to and including this one. The
probability p of an error is estimated for each player by street, by whether a bet is faced, and by
the strength of the hand, in three parts.

If a player errs more often when it is behind, its errors do depend on play. They then count as
deliberate play: the actions that replaced them stay. If such a player wins, there is no verdict,
since an arena that folds bad hands for a program may have won for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats
from railbird.assessment.divat.any_game_estimators import PolicyValues, unit_chips
from railbird.estimates.confidence_sequences import AnytimeInterval
from railbird.estimates.estimate import Estimate
from railbird.histories import Skipped
from railbird.histories.columns import HandBatch
from railbird.histories.protocol_errors import errors_in

BEHIND_Z: Final = 2.326
"""Of errors that do not depend on the hand, one player's in a hundred seem to by chance."""
_PARTS: Final = 3
_PRIOR: Final = 2.0
"""Decisions at a player's mean rate that every class has besides its own."""
_MOST: Final = 0.9
"""Largest probability of an error: beyond it too few decisions would stand for too many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolErrors:
    """Errors of protocol in a log, and the results without them."""

    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """By player and kind of error, sorted."""
    without: Mapping[str, Estimate | AnytimeInterval] = field(default_factory=dict)
    """Results by player without errors; empty where none is apart from play, and where cards are
    hidden."""
    rows: pl.DataFrame | None = None
    """``row``, ``player`` and ``without``: the result of each row of a table."""
    in_hands: frozenset[str] = frozenset()
    """Players in whose hands an action replaces an error; hands that an error ended are no part of
    any result."""
    as_play: tuple[str, ...] = ()
    """Players who err more often when they are behind, whose errors count as play."""
    unplaced: Mapping[str, int] = field(default_factory=dict)
    """Errors by player that a log counts without saying in which hands."""
    largest: float = 0.0
    """Largest result of a hand, of either sign; where errors are unplaced."""

    def with_recorded(
        self, recorded: Mapping[tuple[str, str], int], *, largest: float
    ) -> ProtocolErrors:
        """Add the errors that a log counts besides those marked in its hands."""
        more = Counter({key: n - self.counts.get(key, 0) for key, n in recorded.items()})
        # A Counter's unary plus drops counts of zero or less: a log may count fewer errors than its
        # hands show.
        more = +more
        unplaced: Counter[str] = Counter()
        for (who, _), n in more.items():
            unplaced[who] += n
        counts = dict(sorted((more + Counter(self.counts)).items()))
        return replace(self, counts=counts, unplaced=unplaced, largest=largest) if more else self

    def among(self, players: Iterable[str]) -> ProtocolErrors:
        """Return the errors of these players alone."""
        names = {*players}
        return replace(
            self,
            counts={key: n for key, n in self.counts.items() if key[0] in names},
            unplaced={who: n for who, n in self.unplaced.items() if who in names},
            in_hands=self.in_hands & names,
            as_play=tuple(who for who in self.as_play if who in names),
        )

    @classmethod
    def of_matches(cls, matches: Sequence[ProtocolErrors]) -> ProtocolErrors:
        """Add up the errors of several matches; the caller computes the results without them."""
        return cls(
            counts=dict(sum((Counter(of_match.counts) for of_match in matches), Counter())),
            in_hands=frozenset(who for of_match in matches for who in of_match.in_hands),
            as_play=tuple(sorted({who for of_match in matches for who in of_match.as_play})),
            unplaced=dict(sum((Counter(of_match.unplaced) for of_match in matches), Counter())),
            largest=max((of_match.largest for of_match in matches), default=0.0),
        )

    def most_shift(self, hands: int) -> float:
        """Return the most by which errors in unknown hands may shift a mean over hands.

        At worst each was in a hand of its own, and turned the largest loss into the largest gain.
        """
        return 2 * self.largest * min(1.0, sum(self.unplaced.values()) / hands) if hands else 0.0

    def withheld(
        self,
        results: Mapping[str, Estimate | AnytimeInterval],
        hands: Mapping[str, int],
        *,
        display: Callable[[str], str] = str,
    ) -> str | None:
        """Return why ``results`` beyond chance may not be due to play; None if they are.

        ``hands`` is the number of hands of each result.
        """
        errors = ", ".join(
            f"{display(who)} {n:,} {what}"
            for (who, what), n in self.counts.items()
            if who in self.in_hands
        )
        for name, result in results.items():
            if not result.excludes_zero:
                continue
            for who in self.as_play:
                # It matters only where the errors may have helped: the player's own if it won,
                # another's if it lost.
                if (who == name) == (result.value > 0):
                    return (
                        f"errors of protocol ({errors}) came more often when {display(who)} was "
                        "behind, and what replaced them may have won for it"
                    )
            alone = self.without.get(name, None if self.in_hands - {*self.as_play} else result)
            if alone is None:
                return f"errors of protocol ({errors}) cannot be told from play, cards being hidden"
            if not alone.excludes_zero or alone.value * result.value < 0:
                return f"errors of protocol ({errors}) could explain the result of {display(name)}"
            ends = [
                abs(end) for interval in (result, alone) for end in (interval.low, interval.high)
            ]
            if 0 < self.most_shift(hands[name]) >= min(ends):
                count = ", ".join(f"{display(who)} {n:,}" for who, n in self.unplaced.items())
                return (
                    f"errors of protocol ({count}) that the log counts, without saying in which "
                    f"hands, could explain the result of {display(name)}"
                )
        return None

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded."""
        return {
            "count": [
                {"player": who, "error": what, "count": count}
                for (who, what), count in self.counts.items()
            ],
            "without": {name: mean.as_json() for name, mean in self.without.items()},
            "as_play": list(self.as_play),
            "unplaced": dict(self.unplaced),
        }


class ErrorCount:
    """Counts errors of protocol while hands are read."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self.in_hands: set[str] = set()
        """Players in whose hands an action replaces an error."""

    def take(self, batch: HandBatch) -> None:
        """Count the actions of hands that replace an error."""
        hand, kinds = error_actions(batch)
        seats = batch.answers.seat[hand]
        who = batch.player[batch.hand_of[hand], seats]
        self.in_hands.update(batch.names[number] for number in who)
        self._counts.update(
            (batch.names[number], kind) for number, kind in zip(who, kinds, strict=True)
        )

    def skip(self, skipped: Iterable[Skipped]) -> None:
        """Count the hands that an error ended."""
        self._counts.update(
            (skipped_hand.by, skipped_hand.detail.partition(": ")[2].partition(",")[0])
            for skipped_hand in skipped
            if skipped_hand.by
        )

    @property
    def sorted(self) -> dict[tuple[str, str], int]:
        """The counts by player and kind."""
        return dict(sorted(self._counts.items()))


def error_actions(batch: HandBatch) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Return which actions of a batch replace an error, as indices of actions, and the errors."""
    actions: list[int] = []
    kinds: list[str] = []
    error_lists = [errors_in(beside.comment) for beside in batch.circumstances]
    for hand in np.flatnonzero(
        np.array([bool(errors) for errors in error_lists])[batch.circumstances_of]
    ):
        first, end = batch.start[hand : hand + 2].tolist()
        for action, kind in error_lists[batch.circumstances_of[hand]]:
            if first + action < end:
                actions.append(first + action)
                kinds.append(kind)
    return np.array(actions, np.int64), kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """The decisions of a batch: m actions of n hands, S seats; amounts in the unit of the game."""

    position: Floats
    """(n, S)"""
    changes: Floats
    """(m, S) what each changed for everybody."""
    hand: npt.NDArray[np.int64]
    """(m,)"""
    player: npt.NDArray[np.int64]
    """(m,) number of who decided."""
    spot: npt.NDArray[np.int64]
    """(m,) street, and whether a bet is faced."""
    standing: Floats
    """(m,) value of the hand to who decides, before the decision."""
    errs: npt.NDArray[np.bool_]
    """(m,) whether it replaces an error."""

    @classmethod
    def of(
        cls, batch: HandBatch, scored: PolicyValues, numbers: npt.NDArray[np.int64]
    ) -> Decisions:
        """Lay out decisions; ``numbers`` identify the names of the batch."""
        answers, hand = batch.answers, batch.hand_of
        unit = unit_chips(batch)
        values, indices, seat = scored.values, np.arange(len(hand)), answers.seat
        # What decisions changed before this one in the same hand: a running sum over all hands less
        # what it was when the hand began.
        earlier_changes = np.cumsum(values.decisions, axis=0) - values.decisions
        earlier_changes -= earlier_changes[batch.start[:-1]][hand]
        cards = np.cumsum(np.concatenate([values.deal[:, None], values.luck], axis=1), axis=1)
        errs = np.zeros(len(hand), np.bool_)
        errs[error_actions(batch)[0]] = True
        return cls(
            position=scored.position / unit[:, None],
            changes=values.decisions / unit[hand, None],
            hand=hand,
            player=numbers[batch.player[hand, seat]],
            spot=2 * answers.street.astype(np.int64) + (answers.to_call > 0),
            standing=(cards[hand, answers.street, seat] + earlier_changes[indices, seat])
            / unit[hand],
            errs=errs,
        )

    @property
    def reached(self) -> npt.NDArray[np.bool_]:
        """(m,) whether no error came before in the hand."""
        before = _within(self.errs.astype(np.float64), self.hand) - self.errs
        return np.equal(before, 0)


def results_without(parts: Sequence[Decisions]) -> tuple[list[Floats], set[int]]:
    """Return the results without errors, (n, S) for each part, and those whose errors are play."""
    player = np.concatenate([decisions.player for decisions in parts])
    standing = np.concatenate([decisions.standing for decisions in parts])
    errs = np.concatenate([decisions.errs for decisions in parts])
    spot = np.concatenate([decisions.spot for decisions in parts])
    reached = np.concatenate([decisions.reached for decisions in parts])
    p = np.zeros(len(player))
    selected: set[int] = set()
    for who in np.unique(player[errs]).tolist():
        mine = np.flatnonzero(reached & (player == who))
        ranks = _ranks(standing[mine], spot[mine])
        count = int(errs[mine].sum())
        # Ranks of errors that do not depend on the hand are uniform, with mean a half and variance
        # a twelfth: so this is a standard normal deviate for many errors, high where the player was
        # behind.
        if count and (0.5 - ranks[errs[mine]].mean()) * np.sqrt(12 * count) > BEHIND_Z:
            selected.add(who)
            continue
        kind = spot[mine] * _PARTS + np.minimum((ranks * _PARTS).astype(np.int64), _PARTS - 1)
        hands, wrong = np.bincount(kind), np.bincount(kind, errs[mine])
        # Classes with few decisions lean towards the player's mean rate, as if two more decisions
        # had had it.
        rate = (wrong + _PRIOR * count / max(len(mine), 1)) / (hands + _PRIOR)
        p[mine] = np.minimum(rate[kind], _MOST)
    results, first = [], 0
    for decisions in parts:
        end = first + len(decisions.hand)
        cut = decisions.errs & ~np.isin(decisions.player, list(selected))
        lost = _within(cut.astype(np.float64), decisions.hand) > 0
        # Products of survival probabilities are sums of logarithms, which can be added up within
        # each hand.
        weights = np.exp(-_within(np.log1p(-p[first:end]), decisions.hand))
        changes = np.where(lost, 0.0, weights)[:, None] * decisions.changes
        result = decisions.position.copy()
        np.add.at(result, decisions.hand, changes)
        results.append(result)
        first = end
    return results, selected


def _within(values: Floats, hand: npt.NDArray[np.int64]) -> Floats:
    """Add up values within each hand, up to and with each decision."""
    total = np.cumsum(values)
    begins = np.searchsorted(hand, hand)
    within: Floats = total - (total[begins] - values[begins])
    return within


def _ranks(values: Floats, kind: npt.NDArray[np.int64]) -> Floats:
    """Return the place of each value among those of its kind, between 0 and 1; equal ones alike."""
    ranks = np.empty(len(values))
    for distinct_kind in np.unique(kind):
        at = kind == distinct_kind
        order = np.sort(values[at])
        low, high = (np.searchsorted(order, values[at], side) for side in ("left", "right"))
        ranks[at] = (low + high) / (2 * len(order))
    return ranks
