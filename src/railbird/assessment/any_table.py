"""A match of any hold'em whose cards are all known: estimates, and who changed what for whom.

`limit_pair` is the form for two players in heads-up limit; both make an `assessment`.

A row is a hand and a seat. All hands of a deal count as one value in every interval, because the
players of a hand, and the copies of a duplicate deal, are not independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import index
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arguments import checked
from railbird._threads import thread_count, threads_limited
from railbird.assessment.assessment import Assessment, EvidenceCounts, evidence_of
from railbird.assessment.change_of_play import ChangeOfPlay, PlayerResults, changes_of_play
from railbird.assessment.costly_spots import own_decisions
from railbird.assessment.crosstable import DecisionCrosstable, Gifts
from railbird.assessment.divat.any_game import (
    BOARDS,
    CHANGING_STACKS_DEALS,
    POSITION_DEALS,
    HandValueChanges,
    ValuePolicy,
    baseline_for,
    scorable,
)
from railbird.assessment.divat.any_game_estimators import FITTED, baseline_values, unit_chips
from railbird.assessment.estimator import (
    CardsNeeded,
    Columns,
    Contest,
    Deciding,
    Estimator,
    EstimatorKind,
    Scoring,
)
from railbird.assessment.frozen_coefficients import LIKE_DIVAT, FrozenCoefficients, frozen_for
from railbird.assessment.integrity import Integrity, luck_check
from railbird.assessment.log import Batches, Log
from railbird.assessment.own_side import (
    ALL_IN_CARDS,
    OWN_SIDE,
    board_moments,
    is_told_by_own_cards,
)
from railbird.assessment.player_luck import PlayerLuck, parts_of, player_luck
from railbird.assessment.protocol_errors import (
    Decisions,
    ErrorCount,
    ProtocolErrors,
    results_without,
)
from railbird.assessment.rake import rake_by_seat
from railbird.assessment.registry import estimators_of, fill, fitting
from railbird.baseline import STANDARD, BaselineSettings, SettingsLike, smoothing_from
from railbird.errors import BadInput
from railbird.estimates.estimate import FEWEST, Estimate, ResultUnit, ratio
from railbird.game import Betting, Rules
from railbird.histories import HandsLike, hands_from
from railbird.histories.columns import (
    UNKNOWN,
    HandBatch,
    PackedHands,
    Piece,
    batches_of,
    pack,
    with_blinds,
)
from railbird.jobs.scheduler import play_in_order
from railbird.jobs.workers import PiecePlayer
from railbird.progress import Progress

EVERYBODY: Final = "*"
"""In place of a player whose decisions are kept: all players', with a column of their names."""

_FEW_STACKS = 16
"""Different rules up to which every position is worth a large sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyTable:
    """What an assessment of any hold'em has besides.

    Its ``scores`` have a row for each seat of a hand with all cards known: ``row`` of the hand,
    ``player``, ``seat``, ``number``, ``file``, ``line``, ``deal``; amounts in
    the unit: ``money``, ``rake``, ``position``, ``luck_*`` by the baseline's values, ``own`` and
    ``others`` (what the player's and the others' decisions changed for it), ``divat`` (position +
    own + others), and the other estimators with the columns that they are made from. ``played`` are
    the hands by ``row``.

    ``estimates`` that need all cards are of the hands that have them, the others of all hands.
    """

    hero: str | None
    """The player whose cards are known in every hand of a log with hidden cards, if there is
    one."""
    seats: tuple[int, int]
    """The fewest and the most players of a hand."""
    straddled: int
    """Hands with a straddle, whose unit is the big blind like that of the others."""
    every: pl.DataFrame
    """The scores, with rows of the hands that have a card unknown.

    ``row`` counts all hands; what needs all cards is null in those others, and estimators that do
    not are valued over all hands.
    """
    crosstable: DecisionCrosstable
    """Empty where cards are hidden: those of showdowns alone are of a selected sample."""
    decisions: pl.DataFrame | None
    """Decisions of the player who was asked for (`own_decisions`), by ``row`` of ``every``."""
    luck: PlayerLuck | None = None
    """Of that player, where the cards tell it."""

    def course(self, assessment: TableAssessment, *, seed: int) -> dict[str, ChangeOfPlay]:
        """Test all players at the table, or the hero of a log."""
        # A player wins more or less by who else sits there, so hands are compared only within one
        # company: the set of names at the table, which their sorted list identifies.
        names = pl.col("player").sort().implode().over("row")
        every = self.every.with_columns(lineup=names.rank("dense"))
        results = {
            player: PlayerResults(
                rows[assessment.headline].to_numpy(),
                _shared(rows["deal"].to_numpy()),
                rows["lineup"].to_numpy(),
            )
            for number, player in enumerate(assessment.players)
            if self.hero in (None, player)
            for rows in [every.filter(pl.col("player") == number)]
        }
        return changes_of_play(
            results, estimator=assessment.headline, unit=assessment.unit, seed=seed
        )

    def largest(self, assessment: TableAssessment) -> float:
        """Return the largest result of a hand by the estimator that decides, of either sign."""
        return float(self.every.select(pl.col(assessment.headline).abs().max()).item() or 0.0)

    def to_polars(self, assessment: TableAssessment) -> pl.DataFrame:
        """Return the rows of all hands, with the players' names."""
        names = pl.Series(assessment.players, dtype=pl.Enum(assessment.players))
        return self.every.with_columns(player=names.gather(self.every["player"])).drop("deal")

    def as_json(self, assessment: TableAssessment) -> dict[str, Any]:
        """Return who sat there, and who changed what for whom."""
        return {
            "evidence": {"hero": self.hero},
            "straddled": self.straddled,
            "seats": list(self.seats),
            "variance_reduction": assessment.variance_reduction.get("all", {}),
            "crosstable": self.crosstable.as_json(),
            "partiality": self.crosstable.partiality_json(),
        }

    def player_json(
        self, assessment: TableAssessment, player: str, estimators: Sequence[str]
    ) -> dict[str, Any]:
        """Return the counts of the player's hands by what they show."""
        return {"evidence": assessment.evidence[player].as_json()}


TableAssessment: TypeAlias = Assessment[AnyTable]


def _shared(deals: npt.NDArray[np.int64]) -> npt.NDArray[np.int64] | None:
    """Return the deals, or None if a player had each only once."""
    return None if len(np.unique(deals)) == len(deals) else deals


@checked
def assess_table(
    hands: HandsLike,
    *,
    settings: SettingsLike | Sequence[SettingsLike] = STANDARD,
    forward: bool = False,
    boards: int = BOARDS,
    seed: int = 0,
    more: Sequence[Estimator] = (),
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
        more=more,
        threads=threads,
        on=on,
        progress=progress,
    )


def assess_batches(
    batches: Batches,
    *,
    policy: ValuePolicy | None = None,
    settings: SettingsLike | Sequence[SettingsLike] = STANDARD,
    forward: bool = False,
    boards: int = BOARDS,
    seed: int = 0,
    more: Sequence[Estimator] = (),
    threads: int | None = None,
    on: str | None = None,
    decisions_of: str | None = None,
    log: Log | None = None,
    progress: Progress | None = None,
) -> TableAssessment:
    """Assess batches of hands of any hold'em, with the lines that were no hands, as they come.

    ``policy`` is the baseline, by default that of the betting under ``settings``; several of these,
    listed or joined by ``+``, are averaged. ``forward`` lets
    the fitted estimator take its coefficients from earlier hands alone. ``threads`` score, by
    default one for each core, or as many workers on the Ray cluster ``on`` (``ray``: of this
    machine); the result is the same to the last digit. Hands of another betting than
    the first one are counted and left out, since their units differ. The same hand given again
    counts once, with the cards that any view of it knows; ``log`` says that the batches have been
    through it (`Log.hands`). Every decision of the player ``decisions_of`` is kept, or of
    `EVERYBODY`. ``more`` are estimators besides those of the registry, such as
    `railbird.assessment.aivat.no_limit.NoLimitAivat`; they are not for a cluster. Raises
    `BadInput` if ``boards`` or ``threads`` is less than 1.
    """
    if boards < 1:
        raise BadInput(f"{boards} boards; allowed: 1 or more")
    if threads is not None and index(threads) < 1:
        raise BadInput(f"{threads} threads; allowed: 1 or more")
    if more and on is not None:
        raise BadInput(f"{more[0].name} on a cluster; allowed: on this machine")
    chosen = smoothing_from(settings)
    policies = () if policy is None else (policy,)
    intake = _Intake(
        everybody=(*estimators_of(Contest.TABLE), *more),
        policies=policies,
        settings=chosen,
        forward=forward,
        boards=boards,
        seed=seed,
        decisions_of=decisions_of,
        log=Log() if log is None else log,
    )
    with threads_limited(threads):
        hands = (
            intake.log.hands(batches, selector=with_blinds)
            if log is None
            else (batch for batch, _ in batches)
        )
        parts = filter(None, map(intake.part, hands))
        scored = (
            map(_scored, parts)
            if on is None
            else play_in_order(
                _Scorer, ((part,) for part in parts), workers=thread_count(), on=on, ahead=1
            )
        )
        for part in scored:
            intake.keep(part)
            if progress is not None:
                progress(intake.kept, 0, "hands")
        return intake.finish()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chunk:
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
    everybody: Sequence[Estimator]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoredChunk:
    """Rows of all hands of a part, and the scores of those whose cards are all known."""

    every: pl.DataFrame
    rows: pl.DataFrame | None
    gifts: Gifts | None
    piece: Piece | None
    decisions: pl.DataFrame | None


def _scored(chunk: _Chunk) -> _ScoredChunk:
    # Estimators that need no hidden card are computed before hands are chosen, so their columns
    # cover every hand. For the hands with all cards their values are taken over rather than
    # computed twice.
    modest = [estimator for estimator in chunk.everybody if estimator.cards is not CardsNeeded.ALL]
    columns = fill(modest, chunk.batch, chunk.how_all)
    every = rows_of(chunk.batch, chunk.numbers, chunk.first, columns)
    if not chunk.known.any():
        kept = _decisions_kept(chunk, None)
        return _ScoredChunk(every=every, rows=None, gifts=None, piece=None, decisions=kept)
    batch, how = chunk.batch.rows(chunk.known), chunk.how_known
    demanding = [estimator for estimator in chunk.everybody if estimator.cards is CardsNeeded.ALL]
    columns = {name: values[chunk.known] for name, values in columns.items()}
    columns |= fill(demanding, batch, how)
    values = baseline_values(batch, how).values
    return _ScoredChunk(
        every=every,
        rows=rows_of(batch, chunk.numbers, how.first, columns),
        gifts=Gifts.of(batch, values.decisions, unit_chips(batch), chunk.numbers),
        piece=pack(batch),
        decisions=_decisions_kept(chunk, values),
    )


def _decisions_kept(chunk: _Chunk, values: HandValueChanges | None) -> pl.DataFrame | None:
    if chunk.decisions_of is None:
        return None
    if chunk.decisions_of != EVERYBODY:
        return own_decisions(chunk.batch, chunk.decisions_of, chunk.first, chunk.known, values)
    return pl.concat(
        own_decisions(chunk.batch, name, chunk.first, chunk.known, values).with_columns(
            player=pl.lit(name)
        )
        for name in chunk.batch.names
    )


class _Scorer(PiecePlayer[_ScoredChunk]):
    """Scores parts in a worker, of which there are as many as cores."""

    def play(self, part: _Chunk) -> _ScoredChunk:
        """Score a part in one thread."""
        with threads_limited(1):
            return _scored(part)


@dataclass
class _Intake:
    """Everything read so far."""

    everybody: Sequence[Estimator]
    policies: tuple[ValuePolicy, ...]
    settings: tuple[BaselineSettings, ...]
    forward: bool
    boards: int
    seed: int
    log: Log
    decisions_of: str | None = None
    hands: int = 0
    kept: int = 0
    """Hands of ``hands`` that have come back."""
    hidden: int = 0
    straddled: int = 0
    raked: float = 0.0
    names: dict[str, int] = field(default_factory=dict)
    betting: Betting | None = None
    seats: tuple[int, int] = (99, 0)
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

    def keep(self, scored: _ScoredChunk) -> None:
        """Add what came of a part."""
        self.every.append(scored.every)
        if scored.decisions is not None:
            self.decisions.append(scored.decisions)
        if scored.rows is not None and scored.gifts is not None and scored.piece is not None:
            self.rows.append(scored.rows)
            self.gifts.append(scored.gifts)
            self.pieces.append(scored.piece)
            self.kept += len(scored.piece)

    def part(self, batch: HandBatch) -> _Chunk | None:
        """Return the hands to score."""
        if not len(batch):
            return None
        if self.betting is None:
            self.betting = batch.rules[batch.rules_of[0]].betting
            rules = batch.rules[batch.rules_of[0]]
            self.policies = self.policies or tuple(
                baseline_for(rules, settings) for settings in self.settings
            )
        batch = self._of_one_betting(batch)
        if not len(batch):
            return None
        self.log.take(batch)
        numbers = np.full(len(batch.names), UNKNOWN)
        for who in dict.fromkeys(batch.player[batch.player != UNKNOWN].tolist()):
            # A name of a hand that is left out plays no part.
            numbers[who] = self.names.setdefault(batch.names[who], len(self.names))
        sizes = batch.seats
        self.seats = (min(self.seats[0], int(sizes.min())), max(self.seats[1], int(sizes.max())))
        self.fits.update(estimator.name for estimator in fitting(self.everybody, batch.rules))
        # Two descriptions of the scoring: the rules of these hands must be counted before the
        # second is made, since their number decides how many deals a position is worth, and the
        # hands after it, since random boards go by the number of known hands before the chunk.
        first, known, how_all = self.hands + self.hidden, scorable(batch), self._how()
        if known.any():
            self.rules.update(batch.rows(known).rules)
        how_known = self._how()
        self.known.append(known)
        self.hands += int(known.sum())
        self.hidden += int((~known).sum())
        straddles = np.array([rules.straddle > 0 for rules in batch.rules])
        self.straddled += int(straddles[batch.rules_of].sum())
        self.raked += float((batch.rake / unit_chips(batch)).sum())
        return _Chunk(
            batch=batch,
            numbers=numbers,
            first=first,
            known=known,
            how_all=how_all,
            how_known=how_known,
            decisions_of=self.decisions_of,
            everybody=self.everybody,
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
            all_known=not self.hidden,
            forward=self.forward,
        )

    def _frozen(self) -> FrozenCoefficients:
        """Coefficients of the form of hold'em that is nearest to the log's largest table."""
        return frozen_for(self.betting or Betting.NO_LIMIT, self.seats[1])

    def _of_one_betting(self, batch: HandBatch) -> HandBatch:
        same = np.array([rules.betting is self.betting for rules in batch.rules])[batch.rules_of]
        if same.all():
            return batch
        self.log.skipped[f"not {self.betting.value if self.betting else ''} betting"] += int(
            (~same).sum()
        )
        return batch.rows(same)

    def finish(self) -> TableAssessment:
        names = tuple(self.names)
        limit = self.betting is Betting.LIMIT
        unit = ResultUnit.SMALL_BETS if limit else ResultUnit.BIG_BLINDS
        listed = tuple(estimator for estimator in self.everybody if estimator.name in self.fits)
        modest = [estimator for estimator in listed if estimator.cards is not CardsNeeded.ALL]
        # Of hands that happen to have been shown, nothing can be said of a player's own side.
        of_known = [
            estimator
            for estimator in listed
            if not (self.hidden and estimator.cards is CardsNeeded.OWN)
        ]
        # Each frame has a Scoring of its own: what is computed once for a Scoring, such as the fit,
        # belongs to the rows from which it was computed.
        how = self._how()
        # `scores` are of the hands whose cards are all known, `every` of all hands, for the
        # estimators that manage without.
        scores, every = valued(self.rows, of_known, how), valued(self.every, modest, self._how())
        known, all_rows = self._by_player(scores), self._by_player(every)
        lacking = self._lacking()
        fit = FITTED.fit(scores, how).coefficients if self.rows else LIKE_DIVAT[None]
        evidence = {
            name: self._decided(
                evidence_of(rows, hidden=int(lacking[rows["row"]].sum()), of_log=self.hidden)
            )
            for name, rows in all_rows.items()
        }
        hero = self._hero(evidence)
        of_some = {name: estimates_of(rows, of_known, unit) for name, rows in known.items()}
        of_all = {name: estimates_of(rows, modest, unit) for name, rows in all_rows.items()}
        # An estimator that can do both is estimated from all hands: the right side of `|` wins.
        estimates = {name: of_some.get(name, {}) | of for name, of in of_all.items()}
        return Assessment(
            form=AnyTable(
                hero=hero,
                seats=self.seats if self.seats[1] else (0, 0),
                straddled=self.straddled,
                every=joined(every, scores, ~lacking) if self.hidden else scores,
                crosstable=DecisionCrosstable.of([] if self.hidden else self.gifts, names, unit),
                decisions=pl.concat(self.decisions) if self.decisions else None,
                luck=self._luck(all_rows, scores, evidence, unit, how),
            ),
            players=names,
            unit=unit,
            settings=self.settings,
            forward=self.forward,
            hands=self.hands + self.hidden,
            known=self.hands,
            hidden=self.hidden,
            raked=self.raked,
            skipped=dict(self.log.skipped),
            scores=scores,
            played=PackedHands(self.pieces),
            estimators=listed,
            estimates=estimates,
            variance_reduction={
                name: reductions_of(known.get(name), rows, listed)
                for name, rows in all_rows.items()
            }
            | ({"all": reductions_of(scores, every, listed)} if self.every else {}),
            evidence=evidence,
            overall=self._of_table(evidence, hero, every),
            coefficients=fit.mean(axis=0),
            integrity=self._integrity(all_rows, known, evidence, unit, estimates),
            # Hands are scored once more from the first on, so that each has the number, and hence
            # the random boards, that it had the first time.
            errors=errors_of(
                self.log.errors,
                () if self.hidden else self.pieces,
                replace(how, first=0),
                names,
                unit,
            ),
        )

    def _luck(
        self,
        all_rows: Mapping[str, pl.DataFrame],
        scores: pl.DataFrame,
        evidence: Mapping[str, EvidenceCounts],
        unit: str,
        how: Scoring,
    ) -> PlayerLuck | None:
        """Return the luck of the player whose decisions are kept; None where no cards tell it."""
        name = self.decisions_of
        if name is None or name not in all_rows:
            return None
        rows, of_boards = all_rows[name], None
        if not self.hidden:
            mine = (scores["player"] == self.names[name]).to_numpy()
            events = FITTED.luck_fitted(scores, how).filter(mine)
            luck = parts_of(events, scores.filter(mine)[ALL_IN_CARDS].fill_null(np.nan).to_numpy())
        elif is_told_by_own_cards(rows, evidence[name].own_cards):
            luck = parts_of(OWN_SIDE.luck_taken(rows, how))
            of_boards = board_moments(rows)
        else:
            return None
        money = rows["money"].to_numpy()
        return player_luck(money, luck, unit=unit, all_cards=not self.hidden, of_boards=of_boards)

    def _integrity(
        self,
        all_rows: Mapping[str, pl.DataFrame],
        known: Mapping[str, pl.DataFrame],
        evidence: Mapping[str, EvidenceCounts],
        unit: str,
        estimates: Mapping[str, Mapping[str, Estimate]],
    ) -> Integrity:
        """Check the log by the luck of everybody whose cards are known in all hands."""
        luck, how = {}, self._how()
        judged = all_rows if self.hidden else known
        money = {name: rows["money"].to_numpy() for name, rows in all_rows.items()}
        for name, rows in judged.items():
            deal = rows["deal"].to_numpy()
            if not self.hidden:
                taken = FITTED.luck_taken(rows, how)
            elif is_told_by_own_cards(rows, evidence[name].own_cards):
                taken = OWN_SIDE.luck_taken(rows, how)
            else:
                continue
            luck[name] = luck_check(taken, deal, money=money[name])
        integrity = self.log.integrity(unit=unit, luck=luck, money=money).judging(
            {
                name: (estimates[name][decides], rows[decides].to_numpy(), money[name])
                for name, rows in judged.items()
                for decides in [evidence[name].decides]
                if decides in estimates[name] and not rows[decides].has_nulls()
            }
        )
        if self.forward:
            integrity.check_order()
        return integrity

    def _hero(self, evidence: Mapping[str, EvidenceCounts]) -> str | None:
        """Return who sat in every hand of a log with hidden cards and always saw its own."""
        total = self.hands + self.hidden
        always = [name for name, counts in evidence.items() if counts.own_cards == total]
        return always[0] if self.hidden and len(always) == 1 else None

    def _of_table(
        self, evidence: Mapping[str, EvidenceCounts], hero: str | None, every: pl.DataFrame
    ) -> EvidenceCounts:
        if hero is not None:
            return evidence[hero]
        if every.is_empty():
            return EvidenceCounts(
                hands=0,
                own_cards=0,
                all_ins=0,
                unknown=0,
                adjusted=0,
                decides="money",
                reason="no hands",
            )
        of_all = evidence_of(every, hidden=self.hidden, of_log=self.hidden)
        if not self.hidden:
            return self._decided(of_all)
        reason = f"some cards of {self.hidden:,} of {of_all.hands:,} hands are not known"
        return replace(of_all, decides="money", reason=reason)

    def _decided(self, evidence: EvidenceCounts) -> EvidenceCounts:
        """Let the last estimator decide that does between two players, where no card is hidden."""
        for estimator in () if self.hidden or len(self.names) > 2 else self.everybody:
            if estimator.name in self.fits and isinstance(estimator, Deciding):
                why = estimator.grounds(tuple(self.names))
                if why is not None:
                    evidence = replace(evidence, decides=estimator.name, reason=why)
        return evidence

    def _lacking(self) -> npt.NDArray[np.bool_]:
        """Return which of all hands have a card unknown."""
        return ~np.concatenate([np.zeros(0, np.bool_), *self.known])

    def _by_player(self, rows: pl.DataFrame) -> dict[str, pl.DataFrame]:
        """Split rows by player, without players who have none."""
        if rows.is_empty():
            return {}
        parts = rows.partition_by("player", as_dict=True)
        return {name: parts[p,] for name, p in self.names.items() if (p,) in parts}


# Rows of a hand and a seat, from which a table's estimates are made.
#
# The hands of a deal are one value of every interval, since those who play a hand, and the copies
# of a duplicate deal, are not independent.


_OF_DECISIONS: Final = ("divat", "fitted", "mivat")
"""Estimators that leave nothing to chance in hands in which everybody plays the baseline."""
_MIX = 0x9E3779B97F4A7C15


def rows_of(
    batch: HandBatch, numbers: npt.NDArray[np.int64], first: int, columns: Columns
) -> pl.DataFrame:
    """Arrange columns in a row for each hand and seat; ``numbers`` identify the names."""
    hand, seat = np.nonzero(batch.player != UNKNOWN)
    money = batch.chips / unit_chips(batch)[:, None]
    flop = np.where(batch.dealt >= 3, _hashed(batch.board[:, :3].T), 0)
    # In the order of the seats, which `deals_of` does not keep: an arena that presets deals gives
    # each seat the same cards, and sorted holdings would agree by chance more often.
    held = _hashed(batch.holding.T)
    dead = np.array([rules.dead_small_blind for rules in batch.rules], np.bool_)
    return pl.DataFrame(
        {
            "row": first + hand,
            "player": numbers[batch.player[hand, seat]],
            "seat": seat.astype(np.uint8),
            "dead_small_blind": dead[batch.rules_of][hand],
            "number": batch.whole_number[hand],
            "file": np.array([*batch.sources, ""])[batch.file[hand]],
            "line": batch.line[hand],
            "deal": deals_of(batch, first)[hand],
            "held": held[hand],
            "flop": flop[hand],
            "known": scorable(batch)[hand],
            "money": money[hand, seat],
            "rake": rake_by_seat(batch)[hand, seat],
            **{
                name: pl.Series(values[hand, seat], nan_to_null=True)
                for name, values in columns.items()
            },
        }
    )


def errors_of(
    errors: ErrorCount, pieces: Sequence[Piece], how: Scoring, names: Sequence[str], unit: str
) -> ProtocolErrors:
    """Return the errors of protocol, and the results without them; hands are scored once more.

    ``pieces`` are all hands, or none where cards are hidden.
    """
    in_hands = frozenset(errors.in_hands)
    if not in_hands or not pieces:
        return ProtocolErrors(counts=errors.sorted, in_hands=in_hands)
    number = {name: place for place, name in enumerate(names)}
    parts, batches, numbers, firsts = [], [], [], [how.first]
    for batch in PackedHands(pieces).batches():
        numbers.append(np.array([number.get(name, UNKNOWN) for name in batch.names], np.int64))
        # The cache is emptied, since it keeps the values of one batch.
        scored = baseline_values(batch, replace(how, first=firsts[-1], results={}))
        parts.append(Decisions.of(batch, scored, numbers[-1]))
        batches.append(batch)
        firsts.append(firsts[-1] + len(batch))
    results, selected = results_without(parts)
    as_play = tuple(names[who] for who in sorted(selected))
    if in_hands <= {*as_play}:
        return ProtocolErrors(counts=errors.sorted, in_hands=in_hands, as_play=as_play)
    rows = _with_copies(
        pl.concat(
            rows_of(batch, who, first, {"without": result})
            for batch, who, first, result in zip(
                batches, numbers, firsts[:-1], results, strict=True
            )
        )
    )
    return ProtocolErrors(
        counts=errors.sorted,
        without={
            names[who]: _estimate(part, "without", unit)
            for (who,), part in rows.partition_by("player", as_dict=True).items()
        },
        in_hands=in_hands,
        rows=rows.select("row", "player", "without"),
        as_play=as_play,
    )


def valued(
    parts: Sequence[pl.DataFrame], estimators: Sequence[Estimator], how: Scoring
) -> pl.DataFrame:
    """Join rows and add the values of estimators."""
    if not parts:
        return pl.DataFrame()
    rows = _with_copies(pl.concat(parts))
    return rows.with_columns(
        estimator.values(rows, how).alias(estimator.name) for estimator in estimators
    )


def joined(every: pl.DataFrame, scores: pl.DataFrame, known: npt.NDArray[np.bool_]) -> pl.DataFrame:
    """Add to the rows of all hands what those with all cards known have besides."""
    if scores.is_empty():
        return every
    more = [name for name in scores.columns if name not in every.columns]
    # `scores` number the hands whose cards are known, `every` numbers all: the mask leads from one
    # count to the other.
    among_all = np.flatnonzero(known)[scores["row"].to_numpy()]
    part = scores.select("seat", *more).with_columns(row=pl.Series(among_all, dtype=pl.Int64))
    return every.join(part, on=["row", "seat"], how="left", maintain_order="left")


def deals_of(batch: HandBatch, first: int) -> npt.NDArray[np.int64]:
    """Number the deals: hands with the same number and the same holdings, (n,).

    Hands whose cards are not all known are deals apart, by their row, counted from ``first``.
    """
    known = scorable(batch)
    holdings = np.sort(batch.holding.astype(np.int64), axis=1)
    row = np.arange(first, first + len(batch))
    return _hashed([batch.number, *holdings.T, np.where(known, -1, row)])


_LEAST_COPIES: Final = 0.2
"""Part of the hands that have copies where a log has any. By chance two hands of two players have
the same holdings by seat one time in 1.6 million: so many only in a log of 300,000 hands."""


def _with_copies(rows: pl.DataFrame) -> pl.DataFrame:
    """Recognise copies of deals that a log numbers apart, as arenas do that deal preset hands.

    They have the same holdings by seat, and the same flop where they have one. Each copy then has
    the number of the deal.
    """
    hands = rows.filter("known").unique("row").select("row", "deal", "held", "flop")
    # A hand that ended before the flop has 0 there, which contradicts no copy. Two different flops
    # after equal holdings are two deals that agree by chance.
    flops = pl.col("flop").filter(pl.col("flop") != 0).n_unique()
    by_holding = hands.group_by("held").agg(pl.col("deal").n_unique(), flops=flops)
    copies = hands.join(by_holding.filter((pl.col("deal") > 1) & (pl.col("flops") <= 1)), on="held")
    if copies.height >= max(_LEAST_COPIES * hands.height, 2):
        of = copies.select("row", of="held")
        rows = rows.join(of, on="row", how="left", maintain_order="left")
        rows = rows.with_columns(deal=pl.coalesce("of", "deal")).drop("of")
    return rows.drop("held", "flop", "known")


def _hashed(columns: Iterable[npt.NDArray[np.integer]]) -> npt.NDArray[np.int64]:
    """Mix columns into one number a row, the same on every machine."""
    first, *more = [column.astype(np.int64).view(np.uint64) for column in columns]
    # Zero stays zero when multiplied, so one is added; and a column of zeros begins the loop, so
    # that the first column is mixed even where it is the only one.
    mixed = first + np.uint64(1)
    with np.errstate(over="ignore"):
        for column in [np.zeros_like(first), *more]:
            mixed = (mixed ^ column) * np.uint64(_MIX)
            mixed = mixed ^ (mixed >> np.uint64(29))
    keys: npt.NDArray[np.int64] = mixed.view(np.int64)
    return keys


def estimates_of(
    rows: pl.DataFrame, estimators: Sequence[Estimator], unit: str
) -> dict[str, Estimate]:
    """Estimate by every estimator that applies to these rows."""
    able = [
        estimator.name
        for estimator in estimators
        if rows[estimator.name].null_count() < rows.height
    ]
    estimates = {name: _estimate(rows, name, unit) for name in able}
    return estimates | {
        name: replace(estimates[name], nonzero=judged_deals(rows))
        for name in _OF_DECISIONS
        if name in estimates
    }


def judged_deals(rows: pl.DataFrame) -> int:
    """Count the deals in which a decision that was not the baseline's changed these results.

    In all others nothing is left but position, and of fitted estimates the noise of coefficients,
    which fit nearly nothing: a few deviations among such hands give too narrow an interval.
    """
    changed = (pl.col("own") != 0) | (pl.col("others") != 0)
    return rows.filter(changed)["deal"].n_unique()


def _estimate(rows: pl.DataFrame, column: str, unit: str) -> Estimate:
    """Mean of a hand that has a value, the deals being independent."""
    rows = rows.filter(pl.col(column).is_not_null())
    deals = rows.group_by("deal", maintain_order=True).agg(pl.col(column).sum(), hands=pl.len())
    # Deals have different numbers of rows, so the mean is a ratio of two sums that vary together.
    mean = ratio(deals[column], deals["hands"])
    return Estimate(mean.value, mean.stderr, mean.n, unit, mean.nonzero)


def reductions_of(
    known: pl.DataFrame | None, every: pl.DataFrame, estimators: Sequence[Estimator]
) -> dict[str, float]:
    """Divide the variance of the money by that of each estimator on the rows of its estimate."""
    reductions = {}
    for estimator in estimators:
        rows = known if estimator.cards is CardsNeeded.ALL else every
        if (
            rows is None
            or rows.is_empty()
            or estimator.kind is not EstimatorKind.UNBIASED
            or estimator.name == "money"
        ):
            continue
        values = rows[estimator.name].drop_nulls()
        if values.len() < FEWEST:
            continue
        # Both variances are of the same rows: hands without a value of the estimator are no random
        # part.
        money = rows["money"].filter(rows[estimator.name].is_not_null()).to_numpy()
        if (spread := np.var(values.to_numpy())) > 0:
            reductions[estimator.name] = float(np.var(money) / spread)
    return reductions
