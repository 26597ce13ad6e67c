"""One person's play in any hold'em: the result, the decisions and their costs, others' answers.

The estimators are those of `any_table`, chosen by the kind of log in the same way. Decisions are
graded by what could be seen when they were taken (`graded_decisions`), or not at all. What they
changed in view of all cards (`costly_spots`) is shown beside the grade but is no part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import polars as pl

from railbird._arguments import checked
from railbird._display import HasTable
from railbird.assessment.any_table import TableAssessment, assess_batches
from railbird.assessment.assessment import EvidenceCounts
from railbird.assessment.costly_spots import STREETS
from railbird.assessment.graded_decisions import Grade, counts_of, grades
from railbird.assessment.leaks import Leaks, find_leaks, texture_of
from railbird.assessment.log import Batches, Log
from railbird.assessment.player_luck import PlayerLuck
from railbird.assessment.player_statistics import hands_in_spots, position_of
from railbird.assessment.solved_decisions import SpotValues
from railbird.assessment.spot_language import BY_OUTCOME, Spots
from railbird.cards import CLASS_OF_HOLDING
from railbird.cards.ranges import StartingGroups, starting_groups
from railbird.errors import NothingUsable, absent_player
from railbird.estimates.estimate import Estimate
from railbird.game import Act, Betting, Rules, name_of
from railbird.game.rules import BOARD_CARDS
from railbird.histories import HandRecord, HandsLike, Skipped, hands_from
from railbird.histories.columns import (
    UNKNOWN,
    HandBatch,
    PackedHands,
    Piece,
    batches_of,
    pack,
    records_of,
    with_blinds,
)
from railbird.players import make_player
from railbird.players.advice import Asked, answers
from railbird.players.advice import adviser_for as first_able
from railbird.players.explanation import action_words, in_units
from railbird.players.policy import Explaining, close
from railbird.progress import Progress
from railbird.units import reasons_in_words

ADVISERS: Final = {
    Betting.LIMIT: ("loki:som", "baseline"),
    Betting.POT_LIMIT: ("tight:nolimit", "baseline"),
    Betting.NO_LIMIT: ("tight:nolimit", "baseline"),
}
"""Players that may be asked what they would have done; the first that supports the game is used. It
is the strongest of ours that explains itself and answers within milliseconds."""

FEWEST_IN_SPOT: Final = 3
"""The fewest decisions of a spot: with fewer, a sum of costs says little beyond single hands."""


_JSON_DECISIONS: Final = 50
"""Decisions in each list of the JSON."""
_MOST_NAMES: Final = 10_000
"""The most names remembered for the message about a missing name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPlay(HasTable):
    """One person's play."""

    player: str
    assessment: TableAssessment
    """The assessment of the hands that the person was dealt into, for this person only."""
    hands: PackedHands
    """These hands, by ``row`` of the frames."""
    rows: pl.DataFrame
    """A row for each hand of the person: ``row``, ``number``, ``position``, ``seats``, ``class``
    of the holding and its ``group`` (null where it is not known), ``last``, the street on which the
    hand ended, and the estimators' columns of `AnyTable.every`."""
    decisions: pl.DataFrame
    """A row for each decision: the columns of `own_decisions`, of `grades` and of
    `AdviceByDecision.rows`, null where the cards are not known or nobody was asked; ``position``
    and ``texture``, as in `railbird.assessment.leaks.texture_of`; ``cost``, what it gave up at
    least, in the unit of the game, null where nothing judges."""
    leaks: Leaks
    """Where decisions cost most, by what could be seen."""
    adviser: str
    """Spec of the player that was asked; empty if none was."""
    groups: StartingGroups
    where: Spots | None = None
    """The filter that chose the hands; None for all."""

    @property
    def is_by_outcome(self) -> bool:
        """Whether hands were chosen by what happened in them, so that they are no fair sample."""
        return self.where is not None and not self.where.beforehand

    @property
    def unit(self) -> str:
        """``sb``, small bets, in limit; ``bb``, big blinds, elsewhere."""
        return self.assessment.unit

    @property
    def betting(self) -> Betting:
        """The betting of all hands."""
        return Betting.LIMIT if self.groups is StartingGroups.LIMIT else Betting.NO_LIMIT

    @property
    def evidence(self) -> EvidenceCounts:
        """Counts of the person's hands by evidence, and the estimator that decides by them."""
        return self.assessment.evidence[self.player]

    @property
    def result(self) -> Estimate:
        """The deciding estimate."""
        estimate = self.assessment.estimate(self.player, self.evidence.decides)
        return estimate or self.money

    @property
    def money(self) -> Estimate:
        """The money of all hands."""
        return self.assessment.estimates[self.player]["money"]

    @property
    def luck(self) -> PlayerLuck | None:
        """What the cards gave; None if too few of them are known."""
        return None if self.is_by_outcome else self.assessment.form.luck

    @property
    def is_selected(self) -> bool:
        """Whether costs of decisions come from a selected sample, namely hands that were shown."""
        return bool(self.assessment.hidden)

    @property
    def mistakes(self) -> pl.DataFrame:
        """Decisions that gave something up by what could be seen, the costliest first."""
        lost = self.decisions.filter(pl.col("grade") == Grade.MISTAKE.value)
        return lost.sort("cost", "row", "act", descending=[True, False, False])

    @property
    def hindsight(self) -> pl.DataFrame:
        """Decisions that gave something up with all cards seen, by the baseline; most first."""
        return self.decisions.filter(pl.col("own") < 0).sort("own", "row", "act")

    @property
    def given_up(self) -> pl.DataFrame:
        """Decisions that gave something up by the push/fold equilibrium, the costliest first."""
        lost = self.decisions.filter(pl.col("given_up") > 0)
        return lost.sort("given_up", "row", "act", descending=[True, False, False])

    @property
    def otherwise(self) -> pl.DataFrame:
        """Decisions that the adviser would have taken otherwise, the largest pots first."""
        other = self.decisions.filter(~pl.col("agrees"))
        return other.sort("pot", "row", "act", descending=[True, False, False])

    @property
    def spots(self) -> pl.DataFrame:
        """Decisions summed up by street, action faced and action taken; the costliest first.

        Empty if cards are hidden: sums over the hands that were shown would be of a selected
        sample.
        """
        judged = self.decisions.filter(pl.col("own").is_not_null())
        if self.is_selected:
            judged = judged.clear()
        return (
            judged.group_by("street", "facing", "action", maintain_order=True)
            .agg(
                pl.len().alias("decisions"),
                pl.col("own").sum(),
                (pl.col("own").std() * pl.len().cast(pl.Float64).sqrt()).alias("stderr"),
            )
            .filter(pl.col("decisions") >= FEWEST_IN_SPOT)
            .sort("own", "street", "facing", "action")
        )

    def to_polars(self) -> pl.DataFrame:
        """Return ``decisions``, a row for each."""
        return self.decisions

    def as_json(self) -> dict[str, object]:
        """Return the numbers unrounded, as `railbird report --json` has them."""
        unit = self.unit
        mine = self.assessment.as_json()["players"]
        assert isinstance(mine, dict)
        return {
            "player": self.player,
            "hands": len(self.hands),
            "unit": unit,
            "skipped": self.assessment.skipped,
            **({} if self.where is None else {"where": list(self.where.texts)}),
            "integrity": self.assessment.integrity.as_json(self.player)
            | ({"verdict_withheld": BY_OUTCOME} if self.is_by_outcome else {}),
            "result": self.result.as_json(),
            "estimates": mine[self.player],
            "luck": None if self.luck is None else self.luck.as_json(),
            "adviser": self.adviser,
            "decisions": self.decisions.height,
            "asked": self.decisions["agrees"].count(),
            "agreed": int(self.decisions["agrees"].sum() or 0),
            "selected": self.is_selected,
            "grades": counts_of(self.decisions["grade"]),
            "unknown": counts_of(self.decisions["reason"]),
            "leaks": self.leaks.as_json(unit),
            "costliest": [_decision(row, unit) for row in _head(self.mistakes)],
            "hindsight": [_decision(row, unit) for row in _head(self.hindsight)],
            "pushfold": [_decision(row, unit) for row in _head(self.given_up)],
            "spots": [
                {
                    "street": row["street"],
                    "facing": row["facing"],
                    "action": row["action"],
                    "decisions": row["decisions"],
                    f"own_{unit}": row["own"],
                    f"stderr_{unit}": row["stderr"],
                }
                for row in self.spots.iter_rows(named=True)
            ],
        }


def _head(frame: pl.DataFrame) -> Iterable[dict[str, object]]:
    return frame.head(_JSON_DECISIONS).iter_rows(named=True)


def _decision(row: dict[str, object], unit: str) -> dict[str, object]:
    return {
        "hand": row["row"],
        "number": row["number"],
        "action_number": row["act"],
        "street": row["street"],
        "facing": row["facing"],
        f"to_call_{unit}": row["to_call"],
        f"pot_{unit}": row["pot"],
        "played": row["played"] or row["action"],
        f"own_{unit}": row["own"],
        "house": row["house"],
        "why": row["why"],
        "best": row["best"],
        "given_up_bb": row["given_up"],
        "grade": row["grade"],
        "by": row["by"],
        "reason": row["reason"],
        f"cost_{unit}": row["cost"],
        f"cost_low_{unit}": row["cost_low"],
        f"cost_high_{unit}": row["cost_high"],
        "required": row["required"],
        "equity_low": row["equity_low"],
        "equity_high": row["equity_high"],
        f"call_low_{unit}": row["call_low"],
        f"call_high_{unit}": row["call_high"],
    }


@checked
def assess_play(
    hands: HandsLike,
    player: str,
    *,
    adviser: str | None = None,
    ask: bool = True,
    spots: SpotValues | None = None,
    where: Spots | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> OwnPlay:
    """Assess one person's play over hands of any hold'em.

    ``hands`` are as for `railbird.assessment.assess_table`. Hands that the person was not dealt
    into, repeated hands, and hands with other betting than the first one are left out. Unless
    ``ask`` is false, the ``adviser``, a player's spec, answers every decision; by default it is one
    that fits the game. ``spots`` solves the rest of the hand for decisions that can be judged in
    this way; by default nothing is solved. ``where`` filters the hands. Raises `NothingUsable` for
    a person who is in no hand, and `railbird.errors.BadInput` for an adviser that cannot play the
    game.
    """
    if adviser is not None:
        close(make_player(adviser, writes=False))  # raises before anything is read
    taken = _TakenAdvice(player, where)
    assessment = assess_batches(
        taken.batches(hands_from(hands)),
        decisions_of=player,
        log=taken.log,
        threads=threads,
        progress=progress,
    )
    if not taken.pieces:
        if where is not None and player in taken.seen:
            raise NothingUsable(f"no hand of {player} is like this: {where.words}")
        if taken.seen:
            raise absent_player(player, taken.seen, where="these hands")
        said = reasons_in_words(assessment.skipped) or "there are none"
        raise NothingUsable(f"no hand could be read: {said}")
    assert taken.first is not None
    integrity = assessment.integrity
    # Hands without the person, and those that the filter left out, were in the log, so each may
    # explain a gap in the numbers.
    left_out = integrity.left_out + taken.others
    assessment = replace(assessment, integrity=replace(integrity, left_out=left_out))
    assert assessment.form.decisions is not None
    packed = PackedHands(taken.pieces)
    advice_rows = pl.DataFrame(schema=SCHEMA)
    chosen = ""
    if ask:
        first = taken.first
        chosen = first_adviser(first.rules[first.rules_of[0]], adviser)
        advice_rows = advice_on_decisions(packed, player, chosen, progress=progress).rows
    groups = (
        StartingGroups.LIMIT
        if taken.first.rules[taken.first.rules_of[0]].betting is Betting.LIMIT
        else StartingGroups.REVISED
    )
    rows = _rows(assessment, packed, player, groups)
    decisions = assessment.form.decisions.with_columns(pl.col("row", "act").cast(pl.Int64))
    decisions = decisions.join(advice_rows, on=["row", "act"], how="left", maintain_order="left")
    decisions = decisions.join(rows.select("row", "number", "position"), on="row", how="left")
    decisions = decisions.join(
        _textures(packed), on=["row", "street"], how="left", maintain_order="left"
    )
    judged = grades(records_in(packed, "hands graded", progress), player, spots=spots)
    decisions = decisions.join(judged, on=["row", "act"], how="left", maintain_order="left")
    # The push/fold equilibrium gives the loss itself. Elsewhere only a sure mistake counts, by the
    # least that it can have cost, so that sums of costs never exaggerate.
    lost = pl.when(pl.col("grade") == Grade.MISTAKE.value).then("cost_low").otherwise(0.0)
    decisions = decisions.with_columns(
        cost=pl.when(pl.col("by").is_not_null()).then(pl.coalesce("given_up", lost))
    )
    played_at = np.concatenate([batch.played_at for batch in packed.batches()])
    return OwnPlay(
        leaks=find_leaks(decisions, len(packed), played_at),
        player=player,
        assessment=assessment,
        hands=packed,
        rows=rows,
        decisions=decisions,
        adviser=chosen,
        groups=groups,
        where=where,
    )


class _TakenAdvice:
    """Filters one person's hands from a stream of hands."""

    def __init__(self, player: str, where: Spots | None = None) -> None:
        self.player, self.where = player, where
        self.pieces: list[Piece] = []
        self.seen: set[str] = set()
        self.first: HandBatch | None = None
        self.others = 0
        """Number of hands without the person, and of hands that the filter left out."""
        self.log = Log()
        self._betting: Betting | None = None

    def batches(self, items: Iterable[object]) -> Batches:
        """Yield the person's hands; hands that are left out are counted in ``log``."""
        batches = batches_of(items)  # type: ignore[arg-type]
        for batch in self.log.hands(batches, own=self._own, selector=with_blinds):
            yield self._of_one_betting(batch), ()

    def _own(self, batch: HandBatch) -> HandBatch:
        if not len(batch):
            return batch
        if len(self.seen) < _MOST_NAMES:
            self.seen.update(batch.names)
        who = batch.names.index(self.player) if self.player in batch.names else None
        own = np.zeros(len(batch), np.bool_) if who is None else (batch.player == who).any(axis=1)
        self.others += int((~own).sum())
        mine = batch.rows(own)
        if self.where is None or not len(mine):
            return mine
        chosen = next(hands_in_spots([mine], self.player, self.where), mine.rows([]))
        self.others += len(mine) - len(chosen)
        return chosen

    def _of_one_betting(self, fresh: HandBatch) -> HandBatch:
        if self._betting is None:
            self._betting = fresh.rules[fresh.rules_of[0]].betting
        same = np.array([rules.betting is self._betting for rules in fresh.rules])[fresh.rules_of]
        if not same.all():
            self.log.skipped[f"not {self._betting.value} betting"] += int((~same).sum())
            fresh = fresh.rows(same)
        if len(fresh):
            self.first = self.first or fresh
            self.pieces.append(pack(fresh))
        return fresh


def _rows(
    assessment: TableAssessment, hands: PackedHands, player: str, groups: StartingGroups
) -> pl.DataFrame:
    """Return the person's rows, with position, holding and last street."""
    mine = assessment.form.every.with_columns(seats=pl.len().over("row")).filter(
        pl.col("player") == assessment.players.index(player)
    )
    of_class = starting_groups(groups)
    holdings, last, dead = list[int](), list[int](), list[bool]()
    at = 0
    seats = mine["seat"].to_numpy()
    for batch in hands.batches():
        here = seats[at : at + len(batch)].astype(np.int64)
        holdings += batch.holding[np.arange(len(batch)), here].tolist()
        # Boards of three, four and five cards are the streets 1 to 3.
        last += np.maximum(batch.dealt.astype(np.int64) - 2, 0).tolist()
        nobody = np.array([rules.dead_small_blind for rules in batch.rules], np.bool_)
        dead += nobody[batch.rules_of].tolist()
        at += len(batch)
    held = np.array(holdings, dtype=np.int64)
    known = held != UNKNOWN
    # A holding that is not known would index the last entry; it takes the first class here and
    # becomes null below.
    classes = CLASS_OF_HOLDING[np.where(known, held, 0)].astype(np.int64)
    places = [
        position_of(seat, count, dead_small_blind=no_small).key.replace("_", " ")
        for seat, count, no_small in zip(seats.tolist(), mine["seats"].to_list(), dead, strict=True)
    ]
    return mine.with_columns(
        pl.Series("position", places),
        pl.Series("class", classes),
        pl.Series("group", of_class[classes]),
        pl.Series("last", last, dtype=pl.Int64),
        pl.Series("known", known),
    ).with_columns(pl.when("known").then(name).alias(name) for name in ("class", "group"))


def _textures(hands: PackedHands) -> pl.DataFrame:
    """Return the texture of the board by hand and street, from the flop on."""
    textures: list[tuple[int, str, str]] = []
    first = 0
    for batch in hands.batches():
        for row, (board, dealt) in enumerate(zip(batch.board, batch.dealt.tolist(), strict=True)):
            for street, count in zip(STREETS[1:], BOARD_CARDS[1:], strict=True):
                if count <= dealt:
                    textures.append(
                        (first + row, street, texture_of(board[:count].astype(np.int64)))
                    )
        first += len(batch)
    frame = pl.DataFrame(textures, schema=["row", "street", "texture"], orient="row")
    return frame.cast({"row": pl.Int64, "street": pl.Enum(STREETS), "texture": pl.String})


def owner_of(
    hands: HandsLike,
) -> tuple[str | None, dict[str, int], Iterator[HandBatch | Skipped]]:
    """Return the owner of a log, the hands of each name (most first), and the log's hands.

    The hands are read once, and stay packed until they are asked for. The owner is the player whose
    cards are known in all of his hands, if these are most of the hands and more than any other such
    player has. None for a log that shows everybody's cards alike.
    """
    played, with_cards = Counter[str](), Counter[str]()
    total, read = 0, list[tuple[Piece, Sequence[Skipped]]]()
    for batch, skipped in batches_of(hands_from(hands)):
        read.append((pack(batch), skipped))
        there = batch.player != UNKNOWN
        names = np.array([*batch.names, ""])
        for counter, mask in ((played, there), (with_cards, there & (batch.holding != UNKNOWN))):
            numbers, counts = np.unique(batch.player[mask], return_counts=True)
            counter.update(dict(zip(names[numbers].tolist(), counts.tolist(), strict=True)))
        total += len(batch)
    always = Counter({name: count for name, count in with_cards.items() if count == played[name]})
    first, second, *_ = [*always.most_common(2), ("", 0), ("", 0)]
    is_clear = first[1] > second[1] and 2 * first[1] > total
    return (first[0] if is_clear else None), dict(played.most_common()), _unpacked(read)


def _unpacked(read: Iterable[tuple[Piece, Sequence[Skipped]]]) -> Iterator[HandBatch | Skipped]:
    for piece, skipped in read:
        yield from skipped
        if len(piece):
            yield piece.rows(np.arange(len(piece)))


# Answers of other players to one person's decisions.


SCHEMA = {
    "row": pl.Int64,
    "act": pl.Int64,
    "played": pl.String,
    "house": pl.String,
    "why": pl.String,
    "agrees": pl.Boolean,
}
"""Columns of `AdviceByDecision.rows`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceByDecision:
    """Another player's answers to one person's decisions."""

    adviser: str
    """Spec of the player that was asked."""
    rows: pl.DataFrame
    """A row for each decision that it answered: ``row`` of the hand, ``act``, the number of the
    action in the hand, both from 0; ``played`` and ``house`` in words, amounts in the unit of the
    game, and ``why``; ``agrees`` if both
    fold, check, call, bet or raise, whatever the size."""


def first_adviser(rules: Rules, spec: str | None = None) -> str:
    """Return the player to ask in a game: ``spec``, or the first of `ADVISERS` that can play it.

    Raises `BadInput` for a player that cannot play the game.
    """
    chosen = ADVISERS.get(rules.betting, ("baseline",)) if spec is None else (spec,)
    return first_able(chosen, rules)


def advice_on_decisions(
    hands: PackedHands, name: str, adviser: str, *, progress: Progress | None = None
) -> AdviceByDecision:
    """Ask a player about every decision of one participant; it observes the hands in order.

    Hands in which the participant's cards are not known are left out.
    """
    player = make_player(adviser, writes=False)
    rows = []
    try:
        for place, asked in answers(player, records_in(hands, "hands asked about", progress), name):
            why = ""
            if isinstance(player, Explaining):
                why = player.explain(asked.view).rule
            rows.append((place, _act(asked), *_words(asked), why, _agree(asked)))
    finally:
        close(player)
    return AdviceByDecision(adviser=adviser, rows=pl.DataFrame(rows, schema=SCHEMA, orient="row"))


def records_in(
    hands: PackedHands, task: str, progress: Progress | None = None
) -> Iterator[HandRecord]:
    """Unpack hands one by one, reporting progress."""
    done = 0
    for batch in hands.batches():
        for record in records_of(batch):
            if progress is not None and done % 100 == 0:
                progress(done, len(hands), task)
            done += 1
            yield record


def _act(asked: Asked) -> int:
    """Return the number of the decision among the actions of its hand, from 0."""
    return sum(isinstance(step.event, Act) for step in asked.before)


def _words(asked: Asked) -> tuple[str, str]:
    state = asked.view.state
    return (
        action_words(asked.played, state, in_units),
        action_words(asked.action, state, in_units),
    )


def _agree(asked: Asked) -> bool:
    state = asked.view.state
    names = [
        name_of(action, to_call=state.to_call, bet=state.bet)
        for action in (asked.played, asked.action)
    ]
    return names[0] is names[1]
