"""A match of any hold'em whose cards are all known: estimates, and who changed what for whom.

One row is a hand and a seat; the hands of a deal are one value of every interval, since those who
play a hand, and the copies of a duplicate deal, are not independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import index

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arguments import checked
from railbird._threads import thread_count, threads_limited
from railbird.assessment.decision_divat.crosstable import DecisionCrosstable, Gifts
from railbird.assessment.decision_divat.estimators import (
    FITTED,
    LIKE_DIVAT,
    baseline_values,
    unit_chips,
)
from railbird.assessment.decision_divat.own_decisions import own_decisions
from railbird.assessment.decision_divat.rows import (
    estimates_of,
    joined,
    reductions_of,
    rows_of,
    valued,
)
from railbird.assessment.decision_divat.scorer import HandValues, scorable
from railbird.assessment.decision_divat.settings import (
    BOARDS,
    CHANGING_STACKS_DEALS,
    POSITION_DEALS,
    ValuePolicy,
    baseline_for,
)
from railbird.assessment.estimator import Cards, Estimator, Floats, Form, Scoring
from railbird.assessment.mivat.frozen import FrozenCoefficients, frozen_for
from railbird.assessment.own_side.evidence import Evidence, evidence_of
from railbird.assessment.registry import estimators_of, fill, fitting
from railbird.assessment.scorable_batch import Unscorable
from railbird.baseline import STANDARD, BaselineSettings, SettingsLike, smoothing_from
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate
from railbird.game import Betting, Rules
from railbird.histories import HandsLike, Skipped, hands_from
from railbird.histories.columns import UNKNOWN, HandBatch, batches_of, hand_keys
from railbird.histories.columns.packed import PackedHands, Piece, pack
from railbird.jobs.mapping import mapped
from railbird.progress import Progress

_FEW_STACKS = 16
"""Different rules up to which every position is worth a large sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAssessment:
    """Everybody who sat at the table, in the table's unit per hand."""

    players: tuple[str, ...]
    """In the order of their first hand."""
    unit: str
    """``sb``, small bets, in limit; ``bb``, big blinds, elsewhere."""
    seats: tuple[int, int]
    """The fewest and the most players of a hand."""
    hands: int
    """Hands with all cards known, which are all that is scored."""
    hidden: int
    """Hands that have a card unknown; they are left out of every estimate but ``of_all``."""
    raked: float
    """What the house took of all hands, in the unit."""
    skipped: dict[str, int]
    """Hands, or lines, that could not be used, by reason."""
    scores: pl.DataFrame
    """A row for each hand and seat.

    ``row`` of the hand, ``player``, ``seat``, ``number``, ``file``, ``line``, ``deal``; amounts in
    the unit: ``money``, ``rake``, ``position``, ``luck_*`` by the baseline's values, ``own`` and
    ``others`` (what the player's and the others' decisions changed for it), ``divat`` (position +
    own + others), and the other estimators with the columns that they are made from.
    """
    every: pl.DataFrame
    """``scores``, with rows of the hands that have a card unknown.

    ``row`` counts all hands; what needs all cards is null in those others, and estimators that do
    not are valued over all hands.
    """
    played: PackedHands
    """The hands scored, by ``row`` of ``scores``."""
    settings: tuple[BaselineSettings, ...]
    """Changes to the baseline; the values of several are averaged."""
    forward: bool
    """True if coefficients come from earlier hands only."""
    crosstable: DecisionCrosstable
    estimates: dict[str, dict[str, Estimate]]
    """By player and name of an estimator of `Form.TABLE`."""
    of_all: dict[str, dict[str, Estimate]]
    """The same of all hands, also those with hidden cards, for estimators that need not know all
    cards."""
    variance_reduction: dict[str, dict[str, float]]
    """Variance of a hand's money over that of the estimator, by player, on the hands of its
    estimate; ``all`` pools everybody."""
    evidence: dict[str, Evidence]
    """By player: what is known of its hands, and which estimator decides by it."""
    table_evidence: Evidence
    """The same where no player is asked for: of the ``hero``, else of the table."""
    hero: str | None
    """The player whose cards are known in every hand of a log with hidden cards, if there is
    one."""
    coefficients: Floats
    """(8,) mean coefficients of the luck of both values: deal, flop, turn, river of each."""
    estimators: tuple[Estimator, ...]
    """Those that ``estimates`` has, in their order."""
    decisions: pl.DataFrame | None = None
    """Decisions of the player who was asked for (`own_decisions`), by ``row`` of ``every``."""

    @property
    def headline(self) -> str:
        """The estimator that decides, fixed by the kind of log before any number is seen."""
        return self.table_evidence.decides

    def decision(self, player: str | None = None) -> Evidence:
        """Return which estimator decides for a player, or for the table, and why."""
        return self.table_evidence if player is None else self.evidence[player]

    @property
    def money_of_all(self) -> dict[str, Estimate]:
        """Money of all hands, by player."""
        return {name: row["money"] for name, row in self.of_all.items()}

    def estimate(self, player: str, name: str) -> Estimate | None:
        """Return what a table shows: the estimate of all hands if that can be, else of the known.

        None where a player has no hand that can be scored.
        """
        of_all = self.of_all[player].get(name)
        return of_all or self.estimates.get(player, {}).get(name)

    def as_json(self) -> dict[str, object]:
        """Return the numbers unrounded, as `railbird assess --json` has them.

        Estimates that need all cards are of the hands that have them, as their ``n`` says.
        """
        return {
            "hands": self.hands + self.hidden,
            "unit": self.unit,
            f"raked_{self.unit}": self.raked,
            "settings": "+".join(one.name for one in self.settings),
            "forward": self.forward,
            "seats": list(self.seats),
            "skipped": self.skipped,
            "evidence": {
                "all_cards": self.hands,
                "own_cards": self.hidden,
                "verdict_by": self.headline,
                "reason": self.table_evidence.reason,
                "hero": self.hero,
            },
            "players": {
                name: {
                    **{
                        one.name: mean.as_json()
                        for one in self.estimators
                        if (mean := self.estimate(name, one.name)) is not None
                    },
                    "variance_reduction": self.variance_reduction.get(name, {}),
                    "evidence": self.evidence[name].as_json(),
                }
                for name in self.of_all
            },
            "variance_reduction": self.variance_reduction.get("all", {}),
            "crosstable": self.crosstable.as_json(),
            "partiality": self.crosstable.partiality_json(),
            "coefficients": self.coefficients.tolist(),
        }


@checked
def assess_table(
    hands: HandsLike,
    *,
    settings: SettingsLike | Sequence[SettingsLike] = STANDARD,
    forward: bool = False,
    boards: int = BOARDS,
    seed: int = 0,
    threads: int | None = None,
    on: str | None = None,
    progress: Progress | None = None,
) -> TableAssessment:
    """Assess hands of any hold'em, two to ten seats, decision by decision.

    ``hands`` are the path of a log, or records, or batches of them as
    `railbird.histories.read_columns` gives, or several of these. The other arguments are those of
    `assess_batches`.

    >>> from railbird.histories import read_hand
    >>> hand = read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC # 1:Ann|Bob")
    >>> found = assess_table([hand], boards=8)
    >>> found.hands, found.headline, found.estimates["Ann"]["money"].value
    (1, 'fitted', 11.0)
    """
    return assess_batches(
        batches_of(hands_from(hands)),
        settings=settings,
        forward=forward,
        boards=boards,
        seed=seed,
        threads=threads,
        on=on,
        progress=progress,
    )


def assess_batches(
    batches: Iterable[tuple[HandBatch, Sequence[Skipped]]],
    *,
    policy: ValuePolicy | None = None,
    settings: SettingsLike | Sequence[SettingsLike] = STANDARD,
    forward: bool = False,
    boards: int = BOARDS,
    seed: int = 0,
    threads: int | None = None,
    on: str | None = None,
    decisions_of: str | None = None,
    progress: Progress | None = None,
) -> TableAssessment:
    """Assess batches of hands of any hold'em, with the lines that were no hands, as they come.

    ``policy`` is the baseline, by default that of the betting under ``settings``; several of these,
    listed or joined by ``+``, are averaged. ``forward`` lets
    the fitted estimator take its coefficients from earlier hands alone. ``threads`` score, by
    default one for each core, or as many workers on the Ray cluster ``on`` (``ray``: of this
    machine); the result is the same to the last digit. Hands of another betting than
    the first one are counted and left out, since their units differ. The same hand given again
    counts once. Every decision of the player ``decisions_of`` is kept. Raises
    `BadInput` if ``boards`` or ``threads`` is less than 1.
    """
    if boards < 1:
        raise BadInput(f"{boards} boards; allowed: 1 or more")
    if threads is not None and index(threads) < 1:
        raise BadInput(f"{threads} threads; allowed: 1 or more")
    chosen = smoothing_from(settings)
    policies = () if policy is None else (policy,)
    intake = _Intake(
        policies=policies,
        settings=chosen,
        forward=forward,
        boards=boards,
        seed=seed,
        decisions_of=decisions_of,
    )
    with threads_limited(threads):
        parts = intake.parts(batches)
        scored = (
            map(_scored, parts)
            if on is None
            else mapped(_scoring_in_one_thread, parts, workers=thread_count(), on=on)
        )
        for part in scored:
            intake.keep(part)
            if progress is not None:
                progress(intake.kept, 0, "hands")
        return intake.finish()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Hands to be scored, which may happen elsewhere."""

    batch: HandBatch
    numbers: npt.NDArray[np.int64]
    """Players of the match by the batch's names."""
    first: int
    """Hands before, also those with hidden cards."""
    known: npt.NDArray[np.bool_]
    """(n,) which hands have all cards known."""
    how_all: Scoring
    how_known: Scoring
    decisions_of: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoredPart:
    """Rows of all hands of a part, and what is kept of those whose cards are all known."""

    every: pl.DataFrame
    rows: pl.DataFrame | None
    gifts: Gifts | None
    piece: Piece | None
    decisions: pl.DataFrame | None


def _scored(part: _Part) -> _ScoredPart:
    everybody = estimators_of(Form.TABLE)
    modest = [one for one in everybody if one.cards is not Cards.ALL]
    columns = fill(modest, part.batch, part.how_all)
    every = rows_of(part.batch, part.numbers, part.first, columns)
    if not part.known.any():
        kept = _decisions_kept(part, None)
        return _ScoredPart(every=every, rows=None, gifts=None, piece=None, decisions=kept)
    batch, how = part.batch.rows(part.known), part.how_known
    demanding = [one for one in everybody if one.cards is Cards.ALL]
    columns = {name: values[part.known] for name, values in columns.items()}
    columns |= fill(demanding, batch, how)
    values = baseline_values(batch, how).values
    return _ScoredPart(
        every=every,
        rows=rows_of(batch, part.numbers, how.first, columns),
        gifts=Gifts.of(batch, values.decisions, unit_chips(batch), part.numbers),
        piece=pack(batch),
        decisions=_decisions_kept(part, values),
    )


def _decisions_kept(part: _Part, values: HandValues | None) -> pl.DataFrame | None:
    if part.decisions_of is None:
        return None
    return own_decisions(part.batch, part.decisions_of, part.first, part.known, values)


def _scoring_in_one_thread() -> Callable[[_Part], _ScoredPart]:
    """Return what scores a part in a worker, of which there are as many as cores."""

    def score(part: _Part) -> _ScoredPart:
        with threads_limited(1):
            return _scored(part)

    return score


@dataclass
class _Intake:
    """Everything read so far."""

    policies: tuple[ValuePolicy, ...]
    settings: tuple[BaselineSettings, ...]
    forward: bool
    boards: int
    seed: int
    decisions_of: str | None = None
    hands: int = 0
    kept: int = 0
    """Hands of ``hands`` that have come back."""
    hidden: int = 0
    raked: float = 0.0
    skipped: Counter[str] = field(default_factory=Counter)
    names: dict[str, int] = field(default_factory=dict)
    betting: Betting | None = None
    seats: tuple[int, int] = (99, 0)
    seen: set[int] = field(default_factory=set)
    taken: int = 0
    """Hands read, also those given before."""
    rules: set[Rules] = field(default_factory=set)
    """Of the hands that were scored."""
    fits: set[str] = field(default_factory=set)
    """Names of the estimators that could score a hand."""
    rows: list[pl.DataFrame] = field(default_factory=list)
    every: list[pl.DataFrame] = field(default_factory=list)
    """Rows of all hands, also of those with hidden cards."""
    known: list[npt.NDArray[np.bool_]] = field(default_factory=list)
    """Which of all hands have all cards known, by part."""
    gifts: list[Gifts] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    decisions: list[pl.DataFrame] = field(default_factory=list)
    everybody: Sequence[Estimator] = field(default_factory=lambda: estimators_of(Form.TABLE))

    def parts(self, batches: Iterable[tuple[HandBatch, Sequence[Skipped]]]) -> Iterator[_Part]:
        """Yield what is to be scored, in order."""
        for batch, skipped in batches:
            self.skipped.update(skip.reason.value for skip in skipped)
            if (part := self._part(batch)) is not None:
                yield part

    def keep(self, part: _ScoredPart) -> None:
        """Add what came of a part."""
        self.every.append(part.every)
        if part.decisions is not None:
            self.decisions.append(part.decisions)
        if part.rows is not None and part.gifts is not None and part.piece is not None:
            self.rows.append(part.rows)
            self.gifts.append(part.gifts)
            self.pieces.append(part.piece)
            self.kept += len(part.piece)

    def _part(self, batch: HandBatch) -> _Part | None:
        if not len(batch):
            return None
        if self.betting is None:
            self.betting = batch.rules[batch.rules_of[0]].betting
            rules = batch.rules[batch.rules_of[0]]
            self.policies = self.policies or tuple(
                baseline_for(rules, settings) for settings in self.settings
            )
        batch = self._of_one_betting(self._new(batch))
        if not len(batch):
            return None
        numbers = np.full(len(batch.names), UNKNOWN)
        for who in dict.fromkeys(batch.player[batch.player != UNKNOWN].tolist()):
            # A name of a hand that is left out plays no part.
            numbers[who] = self.names.setdefault(batch.names[who], len(self.names))
        sizes = batch.seats
        self.seats = (min(self.seats[0], int(sizes.min())), max(self.seats[1], int(sizes.max())))
        self.fits.update(one.name for one in fitting(Form.TABLE, batch.rules))
        first, known, how_all = self.hands + self.hidden, scorable(batch), self._how()
        if known.any():
            self.rules.update(batch.rows(known).rules)
        how_known = self._how()
        self.known.append(known)
        self.hands += int(known.sum())
        self.hidden += int((~known).sum())
        self.raked += float((batch.rake / unit_chips(batch)).sum())
        return _Part(
            batch=batch,
            numbers=numbers,
            first=first,
            known=known,
            how_all=how_all,
            how_known=how_known,
            decisions_of=self.decisions_of,
        )

    def _how(self) -> Scoring:
        few = len(self.rules) <= _FEW_STACKS
        return Scoring(
            policies=self.policies,
            boards=self.boards,
            position_deals=POSITION_DEALS if few else CHANGING_STACKS_DEALS,
            seed=self.seed,
            first=self.hands,
            frozen=self._frozen(),
            forward=self.forward,
        )

    def _frozen(self) -> FrozenCoefficients:
        """Coefficients of the form of hold'em that is nearest to the log's largest table."""
        return frozen_for(self.betting or Betting.NO_LIMIT, self.seats[1])

    def _new(self, batch: HandBatch) -> HandBatch:
        """Leave out hands that were given before."""
        keys = hand_keys(batch, first=self.taken).tolist()
        self.taken += len(batch)
        fresh = np.array([not (key in self.seen or self.seen.add(key)) for key in keys])  # type: ignore[func-returns-value]
        if fresh.all():
            return batch
        self.skipped[Unscorable.AGAIN.value] += int((~fresh).sum())
        return batch.rows(fresh)

    def _of_one_betting(self, batch: HandBatch) -> HandBatch:
        same = np.array([rules.betting is self.betting for rules in batch.rules])[batch.rules_of]
        if same.all():
            return batch
        self.skipped[f"not {self.betting.value if self.betting else ''} betting"] += int(
            (~same).sum()
        )
        return batch.rows(same)

    def finish(self) -> TableAssessment:
        names = tuple(self.names)
        unit = "sb" if self.betting is Betting.LIMIT else "bb"
        listed = tuple(one for one in self.everybody if one.name in self.fits)
        modest = [one for one in listed if one.cards is not Cards.ALL]
        how = self._how()
        scores, every = valued(self.rows, listed, how), valued(self.every, modest, self._how())
        known, all_rows = self._by_player(scores), self._by_player(every)
        lacking = self._lacking()
        fit = FITTED.fit(scores, how).coefficients if self.rows else LIKE_DIVAT[None]
        frozen = self._frozen().name
        evidence = {
            name: evidence_of(
                rows, hidden=int(lacking[rows["row"]].sum()), of_log=self.hidden, frozen=frozen
            )
            for name, rows in all_rows.items()
        }
        hero = self._hero(evidence)
        return TableAssessment(
            players=names,
            unit=unit,
            seats=self.seats if self.seats[1] else (0, 0),
            hands=self.hands,
            hidden=self.hidden,
            raked=self.raked,
            skipped=dict(self.skipped),
            scores=scores,
            every=joined(every, scores, ~lacking) if self.hidden else scores,
            played=PackedHands(self.pieces),
            settings=self.settings,
            forward=self.forward,
            crosstable=DecisionCrosstable.of(self.gifts, names, unit),
            estimates={name: estimates_of(rows, listed, unit) for name, rows in known.items()},
            of_all={name: estimates_of(rows, modest, unit) for name, rows in all_rows.items()},
            variance_reduction={
                name: reductions_of(known.get(name), rows, listed)
                for name, rows in all_rows.items()
            }
            | ({"all": reductions_of(scores, every, listed)} if self.every else {}),
            evidence=evidence,
            table_evidence=self._of_table(evidence, hero, every),
            hero=hero,
            coefficients=fit.mean(axis=0),
            estimators=listed,
            decisions=pl.concat(self.decisions) if self.decisions else None,
        )

    def _hero(self, evidence: Mapping[str, Evidence]) -> str | None:
        """Return who sat in every hand of a log with hidden cards and always saw its own."""
        total = self.hands + self.hidden
        always = [name for name, one in evidence.items() if one.own_cards == total]
        return always[0] if self.hidden and len(always) == 1 else None

    def _of_table(
        self, evidence: Mapping[str, Evidence], hero: str | None, every: pl.DataFrame
    ) -> Evidence:
        if hero is not None:
            return evidence[hero]
        if every.is_empty():
            return Evidence(
                hands=0, own_cards=0, all_ins=0, unknown=0, decides="money", reason="no hands"
            )
        of_all = evidence_of(
            every, hidden=self.hidden, of_log=self.hidden, frozen=self._frozen().name
        )
        if not self.hidden:
            return of_all
        reason = f"some cards of {self.hidden:,} of {of_all.hands:,} hands are not known"
        return replace(of_all, decides="money", reason=reason)

    def _lacking(self) -> npt.NDArray[np.bool_]:
        """Return which of all hands have a card unknown."""
        return ~np.concatenate([np.zeros(0, np.bool_), *self.known])

    def _by_player(self, rows: pl.DataFrame) -> dict[str, pl.DataFrame]:
        """Split rows by player, without players who have none."""
        if rows.is_empty():
            return {}
        parts = rows.partition_by("player", as_dict=True)
        return {name: parts[p,] for name, p in self.names.items() if (p,) in parts}
