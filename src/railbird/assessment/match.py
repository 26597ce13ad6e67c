"""A whole match: hands in, scores of every hand and estimates out, in one pass.

Hands are taken as they come, laid out as arrays some thousands at a time, and scored by compiled
code in other threads while the next ones are read. What is kept is one row of numbers a hand; what
is summed up is summed a column at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import index
from typing import Any, NamedTuple, TypedDict

import numpy as np
import polars as pl

from railbird._arguments import checked
from railbird._display import Illustrated
from railbird._memory import heap_trimmed
from railbird._threads import in_order, thread_count
from railbird.assessment.costly_spots import spots_frame, sum_spots
from railbird.assessment.divat.estimators import (
    FITTED_BY_ROUNDS,
    LIKE_DIVAT,
    ROUNDS,
    limit_scores,
)
from railbird.assessment.divat.preflop_values import PreflopValues
from railbird.assessment.divat.scorer import Scorer, open_scorer
from railbird.assessment.estimator import (
    Cards,
    Deciding,
    Estimator,
    Floats,
    Form,
    Kind,
    Scoring,
    Sourced,
)
from railbird.assessment.hand_text import one_lines
from railbird.assessment.match_reader import Intake
from railbird.assessment.mivat.frozen import frozen_for
from railbird.assessment.own_side.evidence import reason_of_all_cards
from railbird.assessment.registry import estimators_of, fill
from railbird.assessment.score_frame import (
    Chunk,
    Deals,
    HandKind,
    score_frame,
    with_pairs,
)
from railbird.baseline import STANDARD, BaselineSettings, SettingsLike, smoothing_from
from railbird.errors import BadInput, NothingUsable, absent_player
from railbird.estimates.estimate import Estimate, Moments, variance_reduction
from railbird.estimates.result_units import ResultUnit
from railbird.game import Betting
from railbird.histories import HandsLike, hands_from
from railbird.histories.columns import PackedHands, Piece, batch_of, pack
from railbird.jobs.mapping import mapped
from railbird.progress import Progress

_NO_HANDS = Chunk(batch_of([]), np.empty(0, np.uint8), np.empty(0, np.int32))

_Scored = tuple[pl.DataFrame, Piece, Floats]
"""Rows of `Assessment.scores`, the hands they are of, and sums by spot, of a chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment(Illustrated):
    """A match between two players, scored hand by hand.

    ``scores`` has one row for each hand in the order of the match, amounts in small bets for
    ``players[0]``: ``number``, ``file`` (an index into ``sources``) and ``line`` say where it was
    read; ``seat`` is 0 where ``players[0]`` was the big blind; ``kind`` is a `HandKind`;
    ``money`` after rake, ``rake`` of each player's winnings (``other_rake`` is the other's),
    ``divat``, the same by round (``divat_preflop`` to ``divat_river``), ``luck_*`` and ``position``
    (money and rake are the sum of these), ``call_luck_*`` (luck if everybody only calls), and the
    other columns of the estimators, among them ``fitted``. ``pair`` is
    the same number in both hands of a duplicate pair, elsewhere null. A score that needs cards
    which are not known is null; ``divat`` is the money before rake then.
    """

    players: tuple[str, str]
    settings: tuple[BaselineSettings, ...]
    """Settings whose scores are averaged; one without smoothing."""
    scores: pl.DataFrame
    played: PackedHands
    """The hands themselves, in the rows of ``scores``."""
    spots: pl.DataFrame
    """Decisions summed up by ``player``, ``street``, ``facing`` (what was to be answered),
    ``class`` (of the hand, by the baseline) and ``action``: how many ``decisions``, the sums of
    ``divat`` (with its ``stderr``) and ``evat`` for that player. What cost most comes first. Only
    hands whose cards are known: a selected sample where there are `hidden` ones."""
    skipped: dict[str, int]
    """Hands, or lines, that were not scored, by reason."""
    sources: tuple[str, ...]
    """Names of the files."""
    position: Estimate
    """Value of a hand to the big blind before the deal."""
    estimates: dict[str, dict[str, Estimate]]
    """Mean per hand by player and name of an estimator of `Form.MATCH`; the two hands of a
    duplicate pair are one value, for they are not independent."""
    pairs: dict[str, dict[str, Estimate]]
    """The same over complete duplicate pairs only; empty if there are none."""
    rounds: dict[str, dict[str, Estimate]]
    """DIVAT per hand by player and round."""
    sd: dict[str, dict[str, float]]
    """Standard deviation of one hand, by player and name of an estimator."""
    variance_reduction: dict[str, dict[str, float]]
    """Variance of the money over that of the estimator, both of single hands, by player; empty
    where cards are `hidden`."""
    forward: bool
    """True if coefficients come from earlier hands only."""
    coefficients: Floats
    """(8,) mean coefficients of luck in ``fitted``: by calling down and by the baseline's values,
    each of the deal, flop, turn and river."""
    unit: ResultUnit = ResultUnit.SMALL_BETS
    estimators: tuple[Estimator, ...] = field(default_factory=lambda: estimators_of(Form.MATCH))
    """In the order of every table."""

    @property
    def hands(self) -> int:
        """Hands scored."""
        return self.scores.height

    @property
    def raked(self) -> dict[str, float]:
        """Total rake taken from each player's winnings."""
        columns = zip(self.players, ("rake", "other_rake"), strict=True)
        return {player: float(self.scores[column].sum()) for player, column in columns}

    @property
    def hidden(self) -> int:
        """Hands whose cards are not known because of how they ended.

        Where there are any, the others are a selected sample: the loser of a showdown need not
        show, so a player is seen with the hands that won. Of all scores only the money still says
        who is better.
        """
        return self.kinds[HandKind.UNKNOWN]

    def withholds(self, estimator: Estimator) -> bool:
        """Return whether an estimate is of a selected sample, since cards are `hidden`."""
        return estimator.cards is Cards.ALL and self.hidden > 0

    @property
    def decides(self) -> Estimator:
        """The estimator that decides who is better, whatever any of them says.

        Money where cards are `hidden`; else what was given as `Deciding`, the last if there are
        several, unless a card is missing; else the fitted estimate.
        """
        name = "money" if self.hidden else "fitted"
        if not self.hidden and not self.kinds[HandKind.MASKED]:
            claims = [one for one in self.estimators if isinstance(one, Deciding)]
            for one in claims:
                if one.grounds(self.players) is not None:
                    name = one.name
        return next(one for one in self.estimators if one.name == name)

    @property
    def evidence(self) -> dict[str, int | str | None]:
        """Count the hands by what is known of them, and name the estimator that decides.

        The kind of log, and which players are said to be known, fix it before any number is seen;
        ``reason`` says how.
        """
        kinds = self.kinds
        known = kinds[HandKind.SHOWDOWN] + kinds[HandKind.FOLD]
        decides = self.decides
        reason = reason_of_all_cards(known, frozen_for(Betting.LIMIT, 2).name)
        if isinstance(decides, Deciding):
            reason = str(decides.grounds(self.players))
        if self.hidden:
            reason = f"some cards of {self.hidden:,} of {self.hands:,} hands are not known"
        return {
            "all_cards": known,
            "own_cards": self.hands - known,
            "verdict_by": decides.name if self.hands else None,
            "reason": reason if self.hands else None,
        }

    def as_json(self, estimators: Iterable[str] | None = None) -> dict[str, Any]:
        """Return what `railbird assess --json` prints, these estimators of each player or all."""
        wanted = [one.name for one in self.estimators] if estimators is None else [*estimators]
        return {
            "hands": self.hands,
            "kinds": self.kinds,
            "evidence": self.evidence,
            "skipped": self.skipped,
            "unit": self.unit,
            f"raked_{self.unit}": sum(self.raked.values()),
            "settings": "+".join(settings.name for settings in self.settings),
            "forward": self.forward,
            "position": self.position.as_json(),
            "coefficients": self.coefficients.tolist(),
            "sources": [
                line for one in self.estimators if isinstance(one, Sourced) for line in one.sources
            ],
            "players": {name: self._player_json(name, wanted) for name in self.players}
            if self.hands
            else {},
        }

    def _player_json(self, name: str, wanted: Sequence[str]) -> dict[str, Any]:
        pairs = self.pairs.get(name)
        withheld = {one.name for one in self.estimators if self.withholds(one)}

        def told(estimates: dict[str, Estimate]) -> dict[str, Any]:
            return {key: None if key in withheld else estimates[key].as_json() for key in wanted}

        sd = self.sd[name]
        return {
            **told(self.estimates[name]),
            **{f"{key}_sd": None if key in withheld else sd[key] for key in wanted},
            f"raked_{self.unit}": self.raked[name],
            "variance_reduction": self.variance_reduction[name],
            **({} if pairs is None else {"pairs": told(pairs)}),
            "rounds": {
                key: None if self.hidden else row.as_json()
                for key, row in self.rounds[name].items()
            },
        }

    @property
    def kinds(self) -> dict[str, int]:
        """Number of hands by `HandKind`."""
        counts = dict(self.scores["kind"].value_counts().iter_rows())
        return {kind.value: counts.get(kind, 0) for kind in HandKind}

    def to_polars(self) -> pl.DataFrame:
        """Return `scores` with the ``text`` of each hand: a row for each hand."""
        texts = [pl.Series("text", [], pl.String), *map(one_lines, self.played.batches())]
        return self.scores.select(pl.exclude("pair"), pl.concat(texts), "pair")


@checked
def assess(
    hands: HandsLike,
    *,
    settings: SettingsLike | Sequence[SettingsLike] = STANDARD,
    player: str | None = None,
    values: Callable[[BaselineSettings], PreflopValues] | None = None,
    forward: bool = False,
    more: Sequence[Estimator] = (),
    threads: int | None = None,
    on: str | None = None,
    progress: Progress | None = None,
) -> Assessment:
    """Score a match between two players.

    ``hands`` are the path of a log, or records, or batches of them as
    `railbird.histories.read_columns` gives, or several of these. Several ``settings``, listed or
    joined by ``+``, are averaged ("smoothing"). ``player`` is whose side the scores are seen from,
    by default the big blind of the first hand. ``values`` says where values before the flop come
    from. ``forward`` lets the fitted estimator take its coefficients from earlier deals alone.
    ``more`` are estimators besides those of the registry, such as
    `railbird.assessment.aivat.Aivat`; they are not for a cluster.
    ``threads`` score, by default one for each core, or as many workers on the Ray cluster ``on``
    (``ray``: of this machine); the result is the same to the last digit. Hands of another game or
    other players are counted in ``skipped`` and left out. Raises `railbird.errors.NothingUsable` if
    there are none, `railbird.errors.BadInput` if ``player`` never plays.
    """
    chosen = smoothing_from(settings)
    if threads is not None and index(threads) < 1:
        raise BadInput(f"{threads} threads; allowed: 1 or more")
    scorers = [
        open_scorer(one, values=values(one) if values else None, progress=progress)
        for one in chosen
    ]
    position = _mean([scorer.position for scorer in scorers])
    intake = Intake(hands_from(hands), player, progress)
    if more and on is not None:
        raise BadInput(f"{more[0].name} on a cluster; allowed: on this machine")
    listed = (*estimators_of(Form.MATCH), *more)
    score = partial(_score, scorers=scorers, estimators=listed)
    count = threads or thread_count()
    if on is None:
        scored = in_order(score, intake.chunks(), threads=count)
    else:
        job = partial(_scoring_by, chosen, values)
        scored = mapped(job, intake.chunks(), workers=count, on=on)
    frames, pieces, spots = zip(score(_NO_HANDS), *heap_trimmed(scored), strict=True)
    # The tables take as much memory as the scores of half a million hands: let them go.
    del scorers, score, scored
    if not (intake.seen or intake.skipped):
        raise NothingUsable("no hand could be assessed: there are none")
    played = PackedHands(pieces)
    scores = with_pairs(pl.concat(frames), played.column("holding"))
    how = Scoring(frozen=frozen_for(Betting.LIMIT, 2), forward=forward)
    scores = scores.with_columns(FITTED_BY_ROUNDS.values(scores, how))
    players = intake.players or (player or "", "")
    if player is not None and intake.players is None and intake.seen:
        raise absent_player(player, intake.seen, where="this log")
    return Assessment(
        players=players,
        settings=chosen,
        scores=scores,
        played=played,
        spots=spots_frame(np.sum(spots, axis=0), players),
        skipped=dict(intake.skipped),
        sources=intake.sources,
        position=position,
        forward=forward,
        coefficients=FITTED_BY_ROUNDS.fit(scores, how).coefficients.mean(axis=0)
        if scores.height
        else LIKE_DIVAT,
        estimators=listed,
        **_summaries(players, scores, listed),
    )


def _scoring_by(
    chosen: Sequence[BaselineSettings],
    values: Callable[[BaselineSettings], PreflopValues] | None,
) -> Callable[[Chunk], _Scored]:
    """Open the tables of a worker elsewhere and return what scores a chunk there."""
    scorers = [open_scorer(one, values=values(one) if values else None) for one in chosen]
    return partial(_score, scorers=scorers, estimators=estimators_of(Form.MATCH))


def _score(chunk: Chunk, scorers: Sequence[Scorer], estimators: Sequence[Estimator]) -> _Scored:
    how = Scoring(scorers=tuple(scorers))
    columns = fill(estimators, chunk.hands, how)
    limit = limit_scores(chunk.hands, how)
    frame = score_frame(chunk, limit.batch, columns)
    return frame, pack(chunk.hands), sum_spots(chunk, limit)


class _Summaries(TypedDict):
    """Summary fields of an `Assessment`, by player."""

    estimates: dict[str, dict[str, Estimate]]
    pairs: dict[str, dict[str, Estimate]]
    rounds: dict[str, dict[str, Estimate]]
    sd: dict[str, dict[str, float]]
    variance_reduction: dict[str, dict[str, float]]


class _Summary(NamedTuple):
    """One score of one player in the whole match."""

    mean: Estimate
    of_pairs: Estimate
    sd: float

    @classmethod
    def of(cls, values: pl.Series, deals: Deals) -> _Summary:
        return cls(*deals.estimates(values), Moments.of(values).sd)

    def told_by(self, other: _Summary) -> _Summary:
        """Count as nonzero no more values than another score has.

        Where both play the baseline, DIVAT is zero and fitted what its coefficients leave of luck,
        nearly nothing: a few deviations among such hands give too narrow an interval.
        """
        pairs = ((self.mean, other.mean), (self.of_pairs, other.of_pairs))
        mean, of_pairs = (replace(one, nonzero=two.nonzero) for one, two in pairs)
        return self._replace(mean=mean, of_pairs=of_pairs)


def _summaries(
    players: tuple[str, str], scores: pl.DataFrame, estimators: Sequence[Estimator]
) -> _Summaries:
    """Sum up the scores for both players."""
    deals, how = Deals.of(scores["pair"]), Scoring()
    first = {one.name: _Summary.of(one.values(scores, how), deals) for one in estimators}
    second = {one.name: _Summary.of(one.others(scores, how), deals) for one in estimators}
    for side in (first, second):
        side["fitted"] = side["fitted"].told_by(side["divat"])
    rounds = {name: deals.estimate(scores[f"divat_{name}"]) for name in ROUNDS}
    sides = dict(zip(players, (first, second), strict=True))
    return _Summaries(
        estimates={p: {name: s.mean for name, s in side.items()} for p, side in sides.items()},
        pairs={
            p: {name: s.of_pairs for name, s in side.items()}
            for p, side in sides.items()
            if deals.has_pairs
        },
        rounds={players[0]: rounds, players[1]: {name: -mean for name, mean in rounds.items()}},
        sd={p: {name: s.sd for name, s in side.items()} for p, side in sides.items()},
        variance_reduction=dict.fromkeys(players, _variance_reductions(scores, estimators)),
    )


def _variance_reductions(scores: pl.DataFrame, estimators: Sequence[Estimator]) -> dict[str, float]:
    """Divide the variance of money by that of each unbiased estimator on the same hands."""
    if (scores["kind"] == HandKind.UNKNOWN).any():
        return {}
    reductions = {}
    for one in estimators:
        if one.kind is not Kind.UNBIASED or one.name == "money":
            continue
        values = one.values(scores, Scoring())
        money = scores["money"].filter(values.is_not_null())
        reductions[one.name] = variance_reduction(Moments.of(money), Moments.of(values))
    return reductions


def _mean(estimates: Sequence[Estimate]) -> Estimate:
    """Average independent estimates of as many values."""
    k = len(estimates)
    return Estimate(
        math.fsum(e.value for e in estimates) / k,
        math.hypot(*(e.stderr for e in estimates)) / k,
        min(e.n for e in estimates),
    )
