"""One assessment of any hold'em: estimators, the rows of hands, and the evidence that decides.

`Assessment` holds what every assessment of hands has. A *form* adds the rest: how its rows are made
and summed up, and what only this form can tell. There are two forms: `limit_pair`, a match of two
in heads-up limit, whose rows are hands, and `any_table`, any hold'em with up to ten seats, whose
rows are hands and seats. No code asks for an assessment's form; code that needs what only one form
has takes an ``Assessment`` of that form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, Self, TypeVar

import polars as pl

from railbird._arrays import Floats
from railbird._display import HasFigures
from railbird.assessment.all_in import SEEN, Seen
from railbird.assessment.change_of_play import ChangeOfPlay
from railbird.assessment.estimator import Estimator
from railbird.assessment.integrity import Integrity
from railbird.assessment.own_side import ALL_IN_CARDS, OWN_CARDS, at_mean
from railbird.assessment.protocol_errors import ProtocolErrors
from railbird.baseline import BaselineSettings
from railbird.estimates.estimate import Estimate, ResultUnit
from railbird.histories.columns import PackedHands

# Known cards of a player's hands, and the estimator that decides given these.
#
# The kind of log determines the estimator before any number is seen. Choosing the one with the
# smallest standard error on the same heavy-tailed hands would give intervals that are too narrow,
# and what was shown at showdowns must not choose either, for losers need not show. All-in equity is
# the money where no all-in counts by its mean, so it makes no difference there which of them is
# named.


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceCounts:
    """Counts of a player's hands, and the estimator that decides."""

    hands: int
    """Hands that the player was dealt into."""
    own_cards: int
    """Hands in which the player's own cards are known; of a match of two, everybody's."""
    decides: str
    """Name of the estimator."""
    reason: str
    """Reason for this estimator, as the end of a sentence."""
    all_ins: int = 0
    """Hands in which the player was all-in, or had called an all-in, with cards to come."""
    unknown: int = 0
    """All-ins in which the cards of a live hand are not known."""
    adjusted: int = 0
    """All-ins that count by their mean over all boards (`leave_one_out`)."""

    def as_json(self) -> dict[str, int | str]:
        """Return the fields."""
        return {
            "hands": self.hands,
            "own_cards": self.own_cards,
            "all_ins": self.all_ins,
            "all_ins_unknown": self.unknown,
            "all_ins_adjusted": self.adjusted,
            "verdict_by": self.decides,
            "reason": self.reason,
        }


def evidence_of(rows: pl.DataFrame, *, hidden: int, of_log: int) -> EvidenceCounts:
    """Choose the estimator for one player, or for a table whose cards are all known.

    ``rows`` are those of all hands; ``hidden`` of these have unknown cards, and ``of_log`` of the
    log's.
    """
    hands = rows["row"].n_unique()
    own = int(rows[OWN_CARDS].sum() or 0) if OWN_CARDS in rows else 0
    all_in = unknown = adjusted = 0
    if ALL_IN_CARDS in rows:
        all_in = int(rows[ALL_IN_CARDS].is_not_null().sum())
        unknown = int((rows[SEEN] == Seen.UNKNOWN).sum() or 0)
        adjusted = int(rows.select(at_mean(all_known=not of_log).sum()).item() or 0)
    decides, reason = "money", f"some cards of {hidden:,} of {_hands(hands)} are not known"
    if not hidden:
        reason = f"some cards of {_hands(of_log)} of others are not known"
    if not of_log:
        decides, reason = "fitted", reason_of_all_cards(hands)
    elif own < rows.height:
        reason += ", this player's own among them"
    elif adjusted:
        decides = "allin"
        reason = (
            f"only own cards are known; {_of_all_ins(adjusted, all_in)} by what they win on "
            "average over all boards, since the log's others show that losers turn their cards up; "
            "folded cards are taken to be any"
        )
    elif unknown:
        reason = (
            f"in {unknown:,} of {_all_ins(all_in)} a hand stayed hidden, so all-ins count as they "
            "ended, luck included: those whose cards are known may be a selection"
        )
    elif all_in:
        reason = (
            "too few all-ins were won to know whether losers always turn their cards up, so "
            f"{_of_all_ins(all_in, all_in)} as ended, luck included"
        )
    else:
        reason += ", and there was no all-in with cards to come"
    return EvidenceCounts(
        hands=hands,
        own_cards=own,
        all_ins=all_in,
        unknown=unknown,
        adjusted=adjusted,
        decides=decides,
        reason=reason,
    )


def reason_of_all_cards(hands: int) -> str:
    """Return why fitted decides, all cards of these hands being known.

    >>> reason_of_all_cards(1)
    'all cards of 1 hand are known'
    """
    return f"all cards of {_hands(hands)} are known"


def _hands(count: int) -> str:
    return f"{count:,} hand{'' if count == 1 else 's'}"


def _all_ins(count: int) -> str:
    return f"{count:,} all-in{'' if count == 1 else 's'}"


def _of_all_ins(some: int, count: int) -> str:
    if some < count:
        return f"{some:,} of {_all_ins(count)} count"
    return f"all {count:,} all-ins count" if count > 1 else "the all-in counts"


class AssessmentForm(Protocol):
    """What only one form of assessment has."""

    @property
    def hero(self) -> str | None:
        """The player from whose side results are reported; None if from everybody's."""

    def course(self, assessment: Assessment[Any], *, seed: int) -> dict[str, ChangeOfPlay]:
        """Test the players' results by the estimator that decides, in the order of play."""

    def largest(self, assessment: Assessment[Any]) -> float:
        """Return the largest result of a hand by the estimator that decides, of either sign."""

    def to_polars(self, assessment: Assessment[Any]) -> pl.DataFrame:
        """Return the rows as they are written to a file."""

    def as_json(self, assessment: Assessment[Any]) -> dict[str, Any]:
        """Return what the form alone has; ``evidence`` joins that of every form."""

    def player_json(
        self, assessment: Assessment[Any], player: str, estimators: Sequence[str]
    ) -> Mapping[str, Any]:
        """Return what the form alone has of a player."""


FormT = TypeVar("FormT", bound=AssessmentForm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment(HasFigures, Generic[FormT]):
    """Finished hands, scored by every estimator, in the unit of the game per hand."""

    form: FormT
    """What only this form of assessment has."""
    players: tuple[str, ...]
    """In a match of two, the one from whose side ``scores`` are comes first; else in the order of
    their first hand."""
    unit: ResultUnit
    """Small bets in limit, big blinds elsewhere."""
    settings: tuple[BaselineSettings, ...]
    """Settings of the baseline whose scores are averaged; one without smoothing."""
    forward: bool
    """True if coefficients come from earlier hands only."""
    hands: int
    known: int
    """Hands with all cards known."""
    hidden: int
    """Hands with a card unknown, where those with all cards known are therefore a selected sample:
    the loser of a showdown need not show, so a player is seen with the hands that won. Of all
    estimates that need all cards none then says who is better."""
    raked: float
    """What the house took of all hands, in the unit."""
    skipped: dict[str, int]
    """Hands, or lines, that could not be used, by reason."""
    scores: pl.DataFrame
    """The rows that are scored; the form says which."""
    played: PackedHands
    """The hands of ``scores``."""
    estimators: tuple[Estimator, ...]
    """In the order of every table."""
    estimates: dict[str, dict[str, Estimate]]
    """Mean per hand by player and name of an estimator."""
    selected: frozenset[str] = frozenset()
    """Names of estimators that tables leave out, since they are of a selected sample."""
    variance_reduction: dict[str, dict[str, float]]
    """Variance of a hand's money over that of the estimator, by player, on the hands of its
    estimate; ``all`` pools everybody at a table."""
    evidence: dict[str, EvidenceCounts]
    """By player: which of its cards are known, and which estimator therefore decides."""
    overall: EvidenceCounts
    """The same where no player is asked for: of the hero, else of all."""
    coefficients: Floats
    """(8,) mean coefficients of the luck of both values: by calling down and by the baseline's,
    each of the deal, flop, turn and river."""
    integrity: Integrity
    """Whether hands are missing."""
    errors: ProtocolErrors = field(default_factory=ProtocolErrors)
    """Errors of protocol, and the results without them."""

    @property
    def hero(self) -> str | None:
        """The player from whose side results are reported; None if from everybody's."""
        return self.form.hero

    @property
    def headline(self) -> str:
        """Name of the estimator that decides, fixed before any number is seen."""
        return self.overall.decides

    @property
    def decides(self) -> Estimator:
        """The estimator that decides who is better, chosen without regard to the results."""
        return next(estimator for estimator in self.estimators if estimator.name == self.headline)

    def decision(self, player: str | None = None) -> EvidenceCounts:
        """Return which estimator decides for a player, or for all, and why."""
        return self.overall if player is None else self.evidence[player]

    def withheld(
        self, player: str | None = None, *, display: Callable[[str], str] = str
    ) -> str | None:
        """Return why there is no verdict; None if there is one.

        Reasons are missing or doubled hands, and errors of protocol that could explain the result.
        ``display`` writes a player's name.
        """
        return self.integrity.withheld(player or self.hero, display=display) or self._not_play(
            player, display=display
        )

    def _not_play(
        self, player: str | None = None, *, display: Callable[[str], str] = str
    ) -> str | None:
        """Return why errors of protocol leave no verdict; else None."""
        who = player or self.hero
        decided = {
            name: mean
            for name in ([who] if who in self.estimates else self.players)
            if (mean := self.estimates.get(name, {}).get(self.decision(name).decides)) is not None
            and mean.enough
        }
        hands = {name: self.decision(name).hands for name in decided}
        return self.errors.withheld(decided, hands, display=display)

    def with_recorded(self, recorded: Mapping[tuple[str, str], int]) -> Self:
        """Add the errors of protocol that a log counts apart from its hands, by player and kind."""
        if not self.hands:
            return self
        return replace(
            self, errors=self.errors.with_recorded(recorded, largest=self.form.largest(self))
        )

    def estimate(self, player: str, name: str) -> Estimate | None:
        """Return the estimate that a table shows; None if it shows none."""
        return None if name in self.selected else self.estimates.get(player, {}).get(name)

    def course(self, *, seed: int = 0) -> dict[str, ChangeOfPlay]:
        """Test each player's play for a change, by the estimator that decides.

        The result is empty for short matches, and if hands are missing or out of order.
        """
        if not self.hands or self.withheld() or not self.integrity.ordered:
            return {}
        return self.form.course(self, seed=seed)

    def to_polars(self) -> pl.DataFrame:
        """Return the rows, with the further columns of a file."""
        return self.form.to_polars(self)

    def as_json(self, estimators: Iterable[str] | None = None) -> dict[str, Any]:
        """Return the unrounded numbers of the given estimators, or of all, for each player.

        Estimates that need all cards cover the hands that show them, as their ``n`` says.
        """
        wanted = (
            [estimator.name for estimator in self.estimators]
            if estimators is None
            else [*estimators]
        )
        own = self.form.as_json(self)
        decided = bool(self.hands) and not self.withheld()
        evidence = {
            "all_cards": self.known,
            "own_cards": self.hands - self.known,
            "verdict_by": self.headline if decided else None,
            "reason": self.overall.reason if self.hands else None,
            **own.pop("evidence", {}),
        }
        return {
            "hands": self.hands,
            "unit": self.unit,
            f"raked_{self.unit}": self.raked,
            "settings": "+".join(baseline.name for baseline in self.settings),
            "forward": self.forward,
            "skipped": self.skipped,
            "evidence": evidence,
            "integrity": self.integrity.as_json(self.hero),
            "errors_of_protocol": {**self.errors.as_json(), "verdict_withheld": self._not_play()},
            "coefficients": self.coefficients.tolist(),
            **own,
            "players": {
                name: self._player_json(name, wanted) for name in self.players if self.hands
            },
        }

    def _player_json(self, player: str, wanted: Sequence[str]) -> dict[str, Any]:
        return {
            **self.told(self.estimates[player], wanted),
            "variance_reduction": self.variance_reduction.get(player, {}),
            **self.form.player_json(self, player, wanted),
        }

    def told(self, estimates: Mapping[str, Estimate], wanted: Iterable[str]) -> dict[str, Any]:
        """Return the ``wanted`` estimates as JSON, null for those that are `selected`."""
        return {
            name: None if name in self.selected else estimates[name].as_json()
            for name in wanted
            if name in estimates
        }
