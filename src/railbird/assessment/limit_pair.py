"""A whole match of two in heads-up limit: hands in, scores and estimates out, in one pass.

`any_table` is the form for any hold'em; both make an `assessment`.

Hands are laid out as arrays some thousands at a time, in the order in which they come, and scored
by compiled code in other threads while the next ones are read. One row of numbers is kept for each
hand, and sums are made a column at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import index
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird._memory import heap_trimmed
from railbird._threads import map_threads, thread_count
from railbird.assessment.any_table import errors_of
from railbird.assessment.assessment import Assessment, EvidenceCounts, reason_of_all_cards
from railbird.assessment.change_of_play import ChangeOfPlay, PlayerResults, changes_of_play
from railbird.assessment.costly_spots import spots_frame, sum_spots
from railbird.assessment.divat.any_game import BOARDS, POSITION_DEALS, baseline_for
from railbird.assessment.divat.estimators import (
    FITTED_BY_ROUNDS,
    ROUNDS,
    FittedByRounds,
    limit_scores,
)
from railbird.assessment.divat.preflop_values import PreflopValues
from railbird.assessment.divat.scorer import Scorer, open_scorer
from railbird.assessment.estimator import (
    CardsNeeded,
    Contest,
    Deciding,
    Estimator,
    EstimatorKind,
    Scoring,
    Sourced,
)
from railbird.assessment.frozen_coefficients import LIKE_DIVAT
from railbird.assessment.integrity import Integrity, luck_check
from railbird.assessment.limit_layout import (
    Unscorable,
    why_unscorable,
    why_unscorable_by_row,
)
from railbird.assessment.limit_rows import (
    INCOMPLETE,
    Deals,
    HandKind,
    MatchPart,
    deals_of_pairs,
    score_frame,
    with_pairs,
)
from railbird.assessment.log import Log
from railbird.assessment.protocol_errors import ProtocolErrors
from railbird.assessment.registry import estimators_of, fill
from railbird.baseline import STANDARD, BaselineSettings, SettingsLike, smoothing_from
from railbird.cards import DECK, HOLDINGS, Holding, Suits, format_card, format_cards
from railbird.errors import BadInput, NothingUsable, absent_player
from railbird.estimates.estimate import Estimate, Moments, ResultUnit, variance_reduction
from railbird.game import HEADS_UP_LIMIT
from railbird.game import walk_kernels as walk
from railbird.histories import HandRecord, HandsLike, Skipped, hands_from
from railbird.histories.columns import (
    UNKNOWN,
    HandBatch,
    PackedHands,
    Piece,
    batch_of,
    concat,
    pack,
)
from railbird.histories.text_values import hole_cards
from railbird.jobs import scheduler
from railbird.jobs.workers import PiecePlayer
from railbird.progress import Progress

# Hands of a match as lines of text, for tables that people read.


_POSTS = "Sl"
_LETTERS = np.zeros((5, 2), dtype=np.uint8)
"""Letters by action name and seat; capitals are the dealer's."""
for _name, _letter in (
    (walk.FOLD, "f"),
    (walk.CHECK, "k"),
    (walk.CALL, "c"),
    (walk.BET, "b"),
    (walk.RAISE, "r"),
):
    _LETTERS[_name] = ord(_letter), ord(_letter.upper())

_CARDS = pl.Series(["", *(format_card(card, suits=Suits.SYMBOLS) for card in DECK)])
_HOLES = pl.Series(
    [
        format_cards(hole_cards(Holding(h), low_first=low), suits=Suits.SYMBOLS, separator="-")
        for h in range(HOLDINGS)
        for low in (0, 1)
    ]
    + ["?"]
)
"""At 2 * holding + whether the lower card came first; at the end a hidden one."""
_HIDDEN = 2 * HOLDINGS


def _betting_by_row(hands: HandBatch) -> pl.Series:
    """Write the betting of heads-up hands as `railbird.histories.one_line` does, without posts."""
    answers, n = hands.answers, len(hands)
    street, first = answers.street.astype(np.int64), hands.start[:-1]
    # The text of all hands is one array of bytes, filled with slashes. An action takes as many
    # slashes as streets began before it, and then its letter; streets that were dealt without an
    # action add slashes at the end of the hand. So only the places of the letters are computed, and
    # no loop visits every action.
    slashes = np.diff(street, prepend=0)
    slashes[first] = street[first]
    last = np.maximum(hands.dealt.astype(np.int64) - 2, 0)
    after = last - street[hands.start[1:] - 1]
    ends = np.cumsum(slashes + 1)
    letters = ends + np.repeat(np.cumsum(after) - after, np.diff(hands.start)) - 1
    text = np.full(int(ends[-1] + after.sum()) if n else 0, ord("/"), dtype=np.uint8)
    text[letters] = _LETTERS[answers.name, answers.seat]
    stops = (ends[hands.start[1:] - 1] + np.cumsum(after)).tolist()
    joined = text.tobytes().decode("ascii")
    return pl.Series(
        [joined[a:b] for a, b in zip([0, *stops], stops, strict=False)], dtype=pl.String
    )


@checked
def one_lines(hands: HandBatch) -> pl.Series:
    """Write heads-up limit hands as lines, such as ``T♠-6♠,J♦-5♦ SlF``.

    They are those of `railbird.histories.one_line`; the series is called ``text``.
    """
    # The first of `_CARDS` is the empty text, so cards count from 1 and those that were not dealt
    # are 0, whatever number the batch has in their place.
    there = np.arange(hands.board.shape[1]) < hands.dealt[:, None]
    board = np.where(there, hands.board.astype(np.int16) + 1, 0)
    pieces = {f"card {k}": _CARDS.gather(column) for k, column in enumerate(board.T)}
    for seat, name in enumerate(("first", "second")):
        low = (hands.low_first >> np.uint32(seat)) & 1
        holding = hands.holding[:, seat]
        pieces[name] = _HOLES.gather(np.where(holding == UNKNOWN, _HIDDEN, 2 * holding + low))
    line = pl.concat_str(
        pl.format("{},{}", "first", "second"),
        _if_dealt("card 0", pl.format(",{}-{}-{}", "card 0", "card 1", "card 2")),
        _if_dealt("card 3", pl.format("/{}", "card 3")),
        _if_dealt("card 4", pl.format("/{}", "card 4")),
        pl.format(" {}{}", pl.lit(_POSTS), "betting"),
    )
    frame = pl.DataFrame({**pieces, "betting": _betting_by_row(hands)})
    return frame.select(line.alias("text")).to_series()


def _if_dealt(card: str, text: pl.Expr) -> pl.Expr:
    return pl.when(pl.col(card) != "").then(text).otherwise(pl.lit(""))


_NO_HANDS = MatchPart(batch_of([]), np.empty(0, np.uint8), np.empty(0, np.int32))

_Scored = tuple[pl.DataFrame, Piece, Floats]
"""Rows of `Assessment.scores`, the hands they are of, and sums by spot, of a chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitPair:
    """What an assessment of a match of two in heads-up limit has besides.

    Its ``scores`` have one row for each hand in the order of the match, amounts in small bets for
    ``players[0]``: ``number``, ``file`` (an index into ``sources``) and ``line`` say where it was
    read; ``seat`` is 0 where ``players[0]`` was the big blind; ``kind`` is a `HandKind`;
    ``money`` after rake, ``rake`` of each player's winnings (``other_rake`` is the other's),
    ``divat``, the same by round (``divat_preflop`` to ``divat_river``), ``luck_*`` and ``position``
    (money and rake are the sum of these), ``call_luck_*`` (luck if everybody only calls), and the
    other columns of the estimators, among them ``fitted``. ``pair`` is
    the same number in both hands of a duplicate pair, elsewhere null. A score that needs cards
    which are not known is null; ``divat`` is the money before rake then.

    In ``estimates`` the two hands of a duplicate pair are one value, for they are not independent.
    """

    hero: str
    """``players[0]``."""
    kinds: dict[str, int]
    """Number of hands by `HandKind`."""
    spots: pl.DataFrame
    """Decisions summed up by ``player``, ``street``, ``facing`` (what was to be answered),
    ``class`` (of the hand, by the baseline) and ``action``: how many ``decisions``, the sums of
    ``divat`` (with its ``stderr``) and ``evat`` for that player. What cost most comes first. Only
    hands whose cards are known: a selected sample where there are hidden ones."""
    sources: tuple[str, ...]
    """Names of the files."""
    position: Estimate
    """Value of a hand to the big blind before the deal."""
    pairs: dict[str, dict[str, Estimate]]
    """The estimates over complete duplicate pairs only; empty if there are none."""
    rounds: dict[str, dict[str, Estimate]]
    """DIVAT per hand by player and round."""
    sd: dict[str, dict[str, float]]
    """Standard deviation of one hand, by player and name of an estimator."""
    raked: dict[str, float]
    """Total rake taken from each player's winnings."""

    def course(self, assessment: MatchAssessment, *, seed: int) -> dict[str, ChangeOfPlay]:
        """Test the match; both players have the same course with opposite signs."""
        pair, deals = assessment.scores["pair"], None
        if pair.null_count() < len(pair):
            # A pair has the number of its first row, so the rows of other hands cannot be taken for
            # pairs.
            rows = np.arange(len(pair))
            deals = np.where(pair.is_null().to_numpy(), rows, pair.fill_null(0).to_numpy())
        first, second = assessment.players
        name = assessment.headline
        results = {first: PlayerResults(assessment.scores[name].to_numpy(), deals)}
        courses = changes_of_play(results, estimator=name, unit=assessment.unit, seed=seed)
        return {**courses, second: -courses[first]} if courses else {}

    def largest(self, assessment: MatchAssessment) -> float:
        """Return the largest result of a hand by the estimator that decides, of either sign."""
        return float(
            assessment.scores.select(pl.col(assessment.headline).abs().max()).item() or 0.0
        )

    def to_polars(self, assessment: MatchAssessment) -> pl.DataFrame:
        """Return the scores with the ``text`` of each hand: a row for each hand."""
        texts = [pl.Series("text", [], pl.String), *map(one_lines, assessment.played.batches())]
        return assessment.scores.select(pl.exclude("pair"), pl.concat(texts), "pair")

    def as_json(self, assessment: MatchAssessment) -> dict[str, Any]:
        """Return the kinds of hands, the value of position, where estimators have values from."""
        sourced = (
            estimator for estimator in assessment.estimators if isinstance(estimator, Sourced)
        )
        return {
            "kinds": self.kinds,
            "position": self.position.as_json(),
            "sources": [line for estimator in sourced for line in estimator.sources],
        }

    def player_json(
        self, assessment: MatchAssessment, player: str, estimators: Sequence[str]
    ) -> dict[str, Any]:
        """Return standard deviations, rake, results of pairs and by round."""
        pairs, sd = self.pairs.get(player), self.sd[player]
        return {
            **{f"{key}_sd": None if key in assessment.selected else sd[key] for key in estimators},
            f"raked_{assessment.unit}": self.raked[player],
            **({} if pairs is None else {"pairs": assessment.told(pairs, estimators)}),
            "rounds": {
                key: None if assessment.hidden else row.as_json()
                for key, row in self.rounds[player].items()
            },
        }


MatchAssessment: TypeAlias = Assessment[LimitPair]


def evidence_of_pair(
    players: Sequence[str], estimators: Sequence[Estimator], kinds: Mapping[str, int]
) -> EvidenceCounts:
    """Choose the estimator that decides, whatever any of them says.

    Money where the cards of hands are unknown because of how they ended; else the fitted estimate,
    with AIVAT among its terms where the strategy of a player was given (the last that was, if there
    are several) and no card is missing. The kind of log, and which players are said to be known,
    fix it before any number is seen.
    """
    hands, hidden = sum(kinds.values()), kinds[HandKind.UNKNOWN]
    known = kinds[HandKind.SHOWDOWN] + kinds[HandKind.FOLD]
    decides, reason = "fitted", reason_of_all_cards(known)
    if hidden:
        decides = "money"
        reason = f"some cards of {hidden:,} of {hands:,} hands are not known"
    elif not kinds[HandKind.MASKED]:
        for estimator in estimators:
            if isinstance(estimator, Deciding) and (why := estimator.grounds(players)) is not None:
                decides, reason = estimator.name, why
    return EvidenceCounts(hands=hands, own_cards=known, decides=decides, reason=reason)


def _kinds(scores: pl.DataFrame) -> dict[str, int]:
    counts = dict(scores["kind"].value_counts().iter_rows())
    return {kind.value: counts.get(kind, 0) for kind in HandKind}


def estimators_beside(more: Sequence[Estimator]) -> tuple[Estimator, ...]:
    """Return the estimators of a match in which ``more`` are given; each AIVAT is also fitted."""
    if not more:
        return estimators_of(Contest.MATCH)
    from railbird.assessment.aivat.estimator import Aivat

    fitted = [
        FittedByRounds(beside=estimator) for estimator in more if isinstance(estimator, Aivat)
    ]
    return (*estimators_of(Contest.MATCH), *more, *fitted)


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
) -> MatchAssessment:
    """Score a match between two players.

    ``hands`` are the path of a log, or records, or batches of them as
    `railbird.histories.read_columns` gives, or several of these. Several ``settings``, listed or
    joined by ``+``, are averaged ("smoothing"). ``player`` is the player whose scores are reported,
    by default the big blind of the first hand. ``values`` is the source of values before the
    flop. ``forward`` lets the fitted estimator take its coefficients from earlier deals alone.
    ``more`` are estimators besides those of the registry, such as
    `railbird.assessment.aivat.Aivat`; they do not run on a cluster.
    Raises `railbird.errors.NothingUsable` with ``forward`` for hands that are sorted by results.
    ``threads`` score, by default one for each core, or as many workers on the Ray cluster ``on``
    (``ray``: of this machine); the result is the same to the last digit. Hands of another game or
    other players are counted in ``skipped`` and left out. Raises `railbird.errors.NothingUsable` if
    there are none, `railbird.errors.BadInput` if ``player`` never plays.
    """
    chosen = smoothing_from(settings)
    if threads is not None and index(threads) < 1:
        raise BadInput(f"{threads} threads; allowed: 1 or more")
    scorers = [
        open_scorer(baseline, values=values(baseline) if values else None, progress=progress)
        for baseline in chosen
    ]
    position = _mean([scorer.position for scorer in scorers])
    intake = Intake(hands_from(hands), player, progress)
    if more and on is not None:
        raise BadInput(f"{more[0].name} on a cluster; allowed: on this machine")
    listed = estimators_beside(more)
    score = partial(_score, scorers=scorers, estimators=listed)
    count = threads or thread_count()
    if on is None:
        scored = map_threads(score, intake.chunks(), threads=count)
    else:
        job = partial(_ChunkScorer, chosen, values)
        chunks = ((chunk,) for chunk in intake.chunks())
        scored = scheduler.play_in_order(job, chunks, workers=count, on=on, ahead=1)
    # A batch without hands comes first, so that a log of which no hand can be used still has tables
    # with all columns.
    frames, pieces, spots = zip(score(_NO_HANDS), *heap_trimmed(scored), strict=True)
    # The tables take as much memory as the scores of half a million hands: let them go.
    del scorers, score, scored
    if not (intake.seen or intake.log.skipped):
        raise NothingUsable("no hand could be assessed: the input has none")
    played = PackedHands(pieces)
    scores = with_pairs(pl.concat(frames), played.column("holding"))
    how = Scoring(forward=forward)
    # Coefficients are fitted to the whole match, so these values come after the parts are joined.
    scores = scores.with_columns(
        estimator.values(scores, how)
        for estimator in listed
        if isinstance(estimator, FittedByRounds)
    )
    players = intake.players or (player or "", "")
    if player is not None and intake.players is None and intake.seen:
        raise absent_player(player, intake.seen, where="this log")
    integrity = _integrity(intake, players[0], scores, how)
    if forward:
        integrity.check_order()
    return match_of(
        players,
        scores,
        settings=chosen,
        played=played,
        spots=spots_frame(np.sum(spots, axis=0), players),
        skipped=dict(intake.log.skipped),
        sources=intake.sources,
        position=position,
        forward=forward,
        coefficients=FITTED_BY_ROUNDS.fit(scores, how).coefficients.mean(axis=0)
        if scores.height
        else LIKE_DIVAT,
        estimators=listed,
        integrity=integrity,
        errors=_errors(intake, scores, pieces, players, chosen),
    )


def _errors(
    intake: Intake,
    scores: pl.DataFrame,
    pieces: Sequence[Piece],
    players: Sequence[str],
    settings: Sequence[BaselineSettings],
) -> ProtocolErrors:
    """Return the errors of protocol; results without them are by decisions, as of any table.

    By decisions the bet always counts into the pot, whatever the settings say of it.
    """
    # Where cards are hidden there are no values of decisions, so no result without errors either:
    # the errors are then counted only.
    known = not scores["kind"].is_in(INCOMPLETE).any()
    how = Scoring(
        policies=tuple(
            baseline_for(HEADS_UP_LIMIT, replace(baseline, pot=STANDARD.pot))
            for baseline in settings
        ),
        boards=BOARDS,
        position_deals=POSITION_DEALS,
    )
    return errors_of(
        intake.log.errors, pieces if known else (), how, players, ResultUnit.SMALL_BETS
    )


def match_of(
    players: tuple[str, str],
    scores: pl.DataFrame,
    *,
    estimators: Sequence[Estimator],
    spots: pl.DataFrame,
    sources: tuple[str, ...],
    position: Estimate,
    integrity: Integrity,
    **rest: Any,
) -> MatchAssessment:
    """Sum up the scores of a match; ``rest`` are fields of the `Assessment`."""
    kinds = _kinds(scores)
    overall = evidence_of_pair(players, estimators, kinds)
    hidden, deals = kinds[HandKind.UNKNOWN], Deals.of(scores["pair"])
    sides = _sides(players, scores, estimators, deals)
    rounds = {name: deals.estimate(scores[f"divat_{name}"]) for name in ROUNDS}
    columns = zip(players, ("rake", "other_rake"), strict=True)
    raked = {player: float(scores[column].sum()) for player, column in columns}
    decides = next(estimator for estimator in estimators if estimator.name == overall.decides)
    judged = scores.select("money", value=decides.values(scores, Scoring())).drop_nulls("value")
    return Assessment(
        form=LimitPair(
            hero=players[0],
            kinds=kinds,
            spots=spots,
            sources=sources,
            position=position,
            pairs={
                p: {name: s.of_pairs for name, s in side.items()}
                for p, side in sides.items()
                if deals.has_pairs
            },
            rounds={players[0]: rounds, players[1]: {key: -mean for key, mean in rounds.items()}},
            sd={p: {name: s.sd for name, s in side.items()} for p, side in sides.items()},
            raked=raked,
        ),
        players=players,
        unit=ResultUnit.SMALL_BETS,
        hands=scores.height,
        known=overall.own_cards,
        hidden=hidden,
        raked=sum(raked.values()),
        scores=scores,
        estimators=tuple(estimators),
        estimates={p: {name: s.mean for name, s in side.items()} for p, side in sides.items()},
        # These have values only where all cards were shown, and what is shown depends on results.
        selected=frozenset(
            estimator.name
            for estimator in estimators
            if hidden and estimator.cards is CardsNeeded.ALL
        ),
        variance_reduction=dict.fromkeys(players, _variance_reductions(scores, estimators)),
        evidence=dict.fromkeys(players, overall),
        overall=overall,
        integrity=integrity.judging(
            {
                players[0]: (
                    sides[players[0]][decides.name].mean,
                    judged["value"].to_numpy(),
                    judged["money"].to_numpy(),
                )
            }
        ),
        **rest,
    )


def _integrity(intake: Intake, player: str, scores: pl.DataFrame, how: Scoring) -> Integrity:
    """Check the log by the first player's luck, where all cards are known."""
    known = scores.filter(pl.col("position").is_not_null())
    luck, money = {}, {player: scores["money"].to_numpy()}
    if known.height and not (scores["kind"] == HandKind.UNKNOWN).any():
        luck[player] = luck_check(
            FITTED_BY_ROUNDS.luck_taken(known, how),
            deals_of_pairs(known["pair"]),
            money=known["money"].to_numpy(),
        )
    return intake.log.integrity(unit="sb", luck=luck, money=money)


class _ChunkScorer(PiecePlayer[_Scored]):
    """Scores chunks in a worker elsewhere, which opens its own tables."""

    def __init__(
        self,
        chosen: Sequence[BaselineSettings],
        values: Callable[[BaselineSettings], PreflopValues] | None,
    ) -> None:
        self._scorers = [
            open_scorer(baseline, values=values(baseline) if values else None)
            for baseline in chosen
        ]

    def play(self, chunk: MatchPart) -> _Scored:
        """Score a chunk."""
        return _score(chunk, scorers=self._scorers, estimators=estimators_of(Contest.MATCH))


def _score(chunk: MatchPart, scorers: Sequence[Scorer], estimators: Sequence[Estimator]) -> _Scored:
    how = Scoring(scorers=tuple(scorers))
    columns = fill(estimators, chunk.hands, how)
    limit = limit_scores(chunk.hands, how)
    frame = score_frame(chunk, limit.batch, columns)
    return frame, pack(chunk.hands), sum_spots(chunk, limit)


class _Summary(NamedTuple):
    """One score of one player in the whole match."""

    mean: Estimate
    of_pairs: Estimate
    sd: float

    @classmethod
    def of(cls, values: pl.Series, deals: Deals) -> _Summary:
        return cls(*deals.estimates(values), Moments.of(values).sd)

    def told_by(self, teller: _Summary) -> _Summary:
        """Count as nonzero no more values than another score has.

        Where both play the baseline, DIVAT is zero and fitted what its coefficients leave of luck,
        nearly nothing: a few deviations among such hands give too narrow an interval.
        """
        pairs = ((self.mean, teller.mean), (self.of_pairs, teller.of_pairs))
        mean, of_pairs = (replace(own, nonzero=theirs.nonzero) for own, theirs in pairs)
        return self._replace(mean=mean, of_pairs=of_pairs)


def _sides(
    players: tuple[str, str],
    scores: pl.DataFrame,
    estimators: Sequence[Estimator],
    deals: Deals,
) -> dict[str, dict[str, _Summary]]:
    """Sum up the scores for both players."""
    how = Scoring()
    first = {
        estimator.name: _Summary.of(estimator.values(scores, how), deals)
        for estimator in estimators
    }
    # The second player's values are not always the first's with another sign: rake is taken from
    # the winner of each hand, and RedGreen credits each player with other rounds.
    second = {
        estimator.name: _Summary.of(estimator.others(scores, how), deals)
        for estimator in estimators
    }
    for side in (first, second):
        for estimator in estimators:
            if isinstance(estimator, FittedByRounds):
                teller = "divat" if estimator.beside is None else estimator.beside.name
                side[estimator.name] = side[estimator.name].told_by(side[teller])
    return dict(zip(players, (first, second), strict=True))


def _variance_reductions(scores: pl.DataFrame, estimators: Sequence[Estimator]) -> dict[str, float]:
    """Divide the variance of money by that of each unbiased estimator on the same hands."""
    if (scores["kind"] == HandKind.UNKNOWN).any():
        return {}
    reductions = {}
    for estimator in estimators:
        if estimator.kind is not EstimatorKind.UNBIASED or estimator.name == "money":
            continue
        values = estimator.values(scores, Scoring())
        money = scores["money"].filter(values.is_not_null())
        reductions[estimator.name] = variance_reduction(Moments.of(money), Moments.of(values))
    return reductions


def _mean(estimates: Sequence[Estimate]) -> Estimate:
    """Average independent estimates of as many values."""
    k = len(estimates)
    return Estimate(
        math.fsum(e.value for e in estimates) / k,
        math.hypot(*(e.stderr for e in estimates)) / k,
        min(e.n for e in estimates),
    )


# Reader of a match: finds out who plays, sorts out unusable hands, hands on chunks of the rest.


CHUNK = 16_384
"""Hands scored at a time: enough that many share a flop, which is read only once then."""

_Rows = npt.NDArray[np.int64]


class Intake:
    """Stream of the hands that can be scored, with the players and the reasons for leaving out."""

    def __init__(
        self,
        hands: Iterable[HandRecord | HandBatch | Skipped],
        player: str | None,
        progress: Progress | None,
    ) -> None:
        self._hands = hands
        self._player = player
        self._progress = progress
        self._files: dict[str, int] = {}
        self.log = Log()
        self.players: tuple[str, str] | None = None
        self.seen: set[str] = set()

    @property
    def sources(self) -> tuple[str, ...]:
        """Files by the number that `MatchPart` gives them."""
        return tuple(self._files)

    def chunks(self) -> Iterator[MatchPart]:
        """Yield the hands that can be scored, `CHUNK` at a time."""
        done = 0
        for hands in _in_chunks(self.log.hands((hands, ()) for hands in self._fit())):
            done += len(hands)
            if self._progress is not None:
                self._progress(done, 0, "hands")
            self.log.take(hands)
            seats = self._seats(hands).astype(np.uint8)
            yield MatchPart(hands, seats, self._numbers_of_files(hands))

    def _batches(self) -> Iterator[HandBatch]:
        """Yield all hands as batches, without records that cannot be scored."""
        waiting: list[HandRecord] = []
        for item in self._hands:
            if isinstance(item, Skipped):
                self.log.leave_out([item])
            elif isinstance(item, HandRecord):
                reason = why_unscorable(item)
                if reason is None:
                    waiting.append(item)
                else:
                    self.log.skipped[reason.value] += 1
                if len(waiting) == CHUNK:
                    yield batch_of(waiting)
                    waiting = []
            else:
                # Records that wait go before the batch, so that hands stay in the order of play, on
                # which the forward fit and the course of the match rest.
                if waiting:
                    yield batch_of(waiting)
                    waiting = []
                yield item
        if waiting:
            yield batch_of(waiting)

    def _fit(self) -> Iterator[HandBatch]:
        for hands in self._batches():
            reasons = why_unscorable_by_row(hands)
            fit = reasons == None  # noqa: E711 -- by element
            # Until the players are known nobody has a seat, so they are taken from the first hand
            # that fits before the seats are asked for.
            self._meet(hands, fit)
            fit &= self._seats(hands) != UNKNOWN
            reasons[~fit & (reasons == None)] = Unscorable.PLAYERS  # noqa: E711
            self.log.skipped.update(reason.value for reason in reasons[~fit].tolist())
            if fit.all():
                yield hands
            elif fit.any():
                yield hands.rows(fit)

    def _meet(self, hands: HandBatch, fit: npt.NDArray[np.bool_]) -> None:
        """Take the players from the first hand that can be scored."""
        if self.players is not None or not fit.any():
            return
        first, second = (hands.names[i] for i in hands.player[np.argmax(fit), :2].tolist())
        self.seen.update((first, second))
        if self._player in (None, first):
            self.players = (first, second)
        elif self._player == second:
            self.players = (second, first)

    def _seats(self, hands: HandBatch) -> _Rows:
        """Return the first player's seat in each hand, -1 where others play."""
        if self.players is None:
            return np.full(len(hands), UNKNOWN)
        # A name that the batch lacks is −2, because −1 stands for an empty seat, which it must not
        # match.
        who = [hands.names.index(name) if name in hands.names else -2 for name in self.players]
        at_seat_0, at_seat_1 = hands.player[:, 0], hands.player[:, 1]
        as_first = (at_seat_0 == who[0]) & (at_seat_1 == who[1])
        as_second = (at_seat_0 == who[1]) & (at_seat_1 == who[0])
        return np.where(as_first, 0, np.where(as_second, 1, UNKNOWN))

    def _numbers_of_files(self, hands: HandBatch) -> npt.NDArray[np.int32]:
        """Number the files in the order in which scored hands come from them, -1 for none."""
        places, first = np.unique(hands.file, return_index=True)
        # `np.unique` sorts by number, but files are listed in the order in which their hands come.
        for place in hands.file[np.sort(first)].tolist():
            if place != UNKNOWN:
                self._files.setdefault(hands.sources[place], len(self._files))
        number_of = {place: self._files[hands.sources[place]] for place in places if place >= 0}
        numbers = np.array([number_of.get(place, UNKNOWN) for place in places.tolist()], np.int32)
        return numbers[np.searchsorted(places, hands.file)]


def _in_chunks(batches: Iterable[HandBatch]) -> Iterator[HandBatch]:
    """Cut and join batches so that all but the last have `CHUNK` hands."""
    waiting: list[HandBatch] = []
    count = 0
    for hands in batches:
        waiting.append(hands)
        count += len(hands)
        while count >= CHUNK:
            joined = concat(waiting)
            yield joined.rows(np.arange(CHUNK)) if count > CHUNK else joined
            count -= CHUNK
            waiting = [joined.rows(np.arange(CHUNK, CHUNK + count))] if count else []
    if count:
        yield concat(waiting)
