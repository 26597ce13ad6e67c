"""One person's play over any hands: the result, the decisions with their costs, others' answers.

The estimators are those of `assess_table`, and the kind of log decides between them in the same
way. A decision's cost needs all cards of its hand (`own_decisions`), or a push/fold equilibrium
(`pushfold_spots`); where neither answers, no cost is made up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from railbird._arguments import checked
from railbird.assessment.decision_divat.match import TableAssessment, assess_batches
from railbird.assessment.own_play.advice import SCHEMA, advice_on, adviser_for
from railbird.assessment.own_play.settings import FEWEST_IN_SPOT
from railbird.assessment.own_side.evidence import Evidence
from railbird.assessment.player_statistics.statistic_names import position_of
from railbird.assessment.scorable_batch import Unscorable
from railbird.cards import CLASS_OF_HOLDING
from railbird.cards.starting_groups import StartingGroups, starting_groups
from railbird.errors import NothingUsable, absent_player
from railbird.estimates.estimate import Estimate
from railbird.game import Betting
from railbird.histories import HandsLike, Skipped, hands_from
from railbird.histories.columns import (
    UNKNOWN,
    HandBatch,
    PackedHands,
    Piece,
    SeenHands,
    batches_of,
    pack,
)
from railbird.players import make_player
from railbird.players.policy import close
from railbird.progress import Progress

_JSON_DECISIONS: Final = 50
"""Decisions in each list of the JSON."""
_MOST_NAMES: Final = 10_000
"""Names that are remembered for the message about one that is absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPlay:
    """One person's play."""

    player: str
    assessment: TableAssessment
    """Of the hands that the person was dealt into, and nobody else's."""
    hands: PackedHands
    """These hands, by ``row`` of the frames."""
    rows: pl.DataFrame
    """A row for each hand of the person: ``row``, ``number``, ``position``, ``seats``, ``class``
    of the holding and its ``group`` (null where it is not known), ``last``, the street on which the
    hand ended, and the estimators' columns of `TableAssessment.every`."""
    decisions: pl.DataFrame
    """A row for each decision: the columns of `own_decisions` and of `Advice.rows`, null where a
    decision was not asked about."""
    adviser: str
    """Spec of the player that was asked; empty if none was."""
    groups: StartingGroups

    @property
    def unit(self) -> str:
        """``sb``, small bets, in limit; ``bb``, big blinds, elsewhere."""
        return self.assessment.unit

    @property
    def evidence(self) -> Evidence:
        """What is known of the person's hands, and which estimator decides by it."""
        return self.assessment.evidence[self.player]

    @property
    def result(self) -> Estimate:
        """The estimate that decides."""
        found = self.assessment.estimate(self.player, self.evidence.decides)
        return found or self.money

    @property
    def money(self) -> Estimate:
        """Money of all hands."""
        return self.assessment.money_of_all[self.player]

    @property
    def is_selected(self) -> bool:
        """Whether costs of decisions are of a selected sample: of hands that were shown."""
        return bool(self.assessment.hidden)

    @property
    def costly(self) -> pl.DataFrame:
        """Decisions that gave something away by the baseline, which sees all cards; worst first."""
        return self.decisions.filter(pl.col("own") < 0).sort("own", "row", "act")

    @property
    def given_up(self) -> pl.DataFrame:
        """Decisions that gave something up by the push/fold equilibrium, the worst first."""
        lost = self.decisions.filter(pl.col("given_up") > 0)
        return lost.sort("given_up", "row", "act", descending=[True, False, False])

    @property
    def otherwise(self) -> pl.DataFrame:
        """Decisions that the adviser would have taken otherwise, the largest pots first."""
        other = self.decisions.filter(~pl.col("agrees"))
        return other.sort("pot", "row", "act", descending=[True, False, False])

    @property
    def spots(self) -> pl.DataFrame:
        """Decisions summed up by street, what was faced and what was done; the costliest first.

        Empty where cards are hidden: sums over the hands that were shown would be of a selected
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
            "result": self.result.as_json(),
            "estimates": mine[self.player],
            "adviser": self.adviser,
            "decisions": self.decisions.height,
            "asked": self.decisions["agrees"].count(),
            "agreed": int(self.decisions["agrees"].sum() or 0),
            "selected": self.is_selected,
            "costliest": [_decision(row, unit) for row in _head(self.costly)],
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
    }


@checked
def assess_play(
    hands: HandsLike,
    player: str,
    *,
    adviser: str | None = None,
    ask: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> OwnPlay:
    """Assess one person's play over hands of any hold'em.

    ``hands`` are as for `railbird.assessment.assess_table`. Hands that the person was not dealt
    into, hands given twice and hands of another betting than the first one are left out. Unless
    ``ask`` is false the ``adviser``, a player's spec, by default one that fits the game, answers
    every decision. Raises `NothingUsable` for a person who is in no hand, and
    `railbird.errors.BadInput` for an adviser that cannot play the game.
    """
    if adviser is not None:
        close(make_player(adviser, writes=False))  # refused before anything is read
    taken = _Taken(player)
    assessment = assess_batches(
        taken.batches(hands_from(hands)), decisions_of=player, threads=threads, progress=progress
    )
    if not taken.pieces:
        if taken.seen:
            raise absent_player(player, taken.seen, where="these hands")
        said = ", ".join(f"{count:,} {reason}" for reason, count in assessment.skipped.items())
        raise NothingUsable(f"no hand could be read: {said or 'there are none'}")
    assert taken.first is not None
    assert assessment.decisions is not None
    packed = PackedHands(taken.pieces)
    assessment.skipped.update(taken.skipped)
    told = pl.DataFrame(schema=SCHEMA)
    chosen = ""
    if ask:
        first = taken.first
        chosen = adviser_for(first.rules[first.rules_of[0]], adviser)
        told = advice_on(packed, player, chosen, progress=progress).rows
    groups = (
        StartingGroups.LIMIT
        if taken.first.rules[taken.first.rules_of[0]].betting is Betting.LIMIT
        else StartingGroups.REVISED
    )
    rows = _rows(assessment, packed, player, groups)
    decisions = assessment.decisions.with_columns(pl.col("row", "act").cast(pl.Int64))
    decisions = decisions.join(told, on=["row", "act"], how="left", maintain_order="left")
    decisions = decisions.join(rows.select("row", "number"), on="row", how="left")
    return OwnPlay(
        player=player,
        assessment=assessment,
        hands=packed,
        rows=rows,
        decisions=decisions,
        adviser=chosen,
        groups=groups,
    )


class _Taken:
    """The hands of one person out of many, as they go by."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.pieces: list[Piece] = []
        self.seen: set[str] = set()
        self.first: HandBatch | None = None
        self.skipped: Counter[str] = Counter()
        self._known = SeenHands()
        self._betting: Betting | None = None

    def batches(self, items: Iterable[object]) -> Iterator[tuple[HandBatch, Sequence[Skipped]]]:
        """Yield the person's hands; what is left out is counted in ``skipped``."""
        for batch, skipped in batches_of(items):  # type: ignore[arg-type]
            yield self._own(batch), skipped

    def _own(self, batch: HandBatch) -> HandBatch:
        if not len(batch):
            return batch
        if len(self.seen) < _MOST_NAMES:
            self.seen.update(batch.names)
        who = batch.names.index(self.player) if self.player in batch.names else None
        if who is None:
            return batch.rows([])
        mine = batch.rows((batch.player == who).any(axis=1))
        fresh = mine.rows(self._known.fresh(mine))
        if again := len(mine) - len(fresh):
            self.skipped[Unscorable.AGAIN.value] += again
        if not len(fresh):
            return fresh
        if self._betting is None:
            self._betting = fresh.rules[fresh.rules_of[0]].betting
        same = np.array([rules.betting is self._betting for rules in fresh.rules])[fresh.rules_of]
        if not same.all():
            self.skipped[f"not {self._betting.value} betting"] += int((~same).sum())
            fresh = fresh.rows(same)
        if len(fresh):
            self.first = self.first or fresh
            self.pieces.append(pack(fresh))
        return fresh


def _rows(
    assessment: TableAssessment, hands: PackedHands, player: str, groups: StartingGroups
) -> pl.DataFrame:
    """Return the person's rows, with position, holding and last street."""
    mine = assessment.every.with_columns(seats=pl.len().over("row")).filter(
        pl.col("player") == assessment.players.index(player)
    )
    of_class = starting_groups(groups)
    holdings, last = list[int](), list[int]()
    at = 0
    seats = mine["seat"].to_numpy()
    for batch in hands.batches():
        here = seats[at : at + len(batch)].astype(np.int64)
        holdings += batch.holding[np.arange(len(batch)), here].tolist()
        last += np.maximum(batch.dealt.astype(np.int64) - 2, 0).tolist()
        at += len(batch)
    held = np.array(holdings, dtype=np.int64)
    known = held != UNKNOWN
    classes = CLASS_OF_HOLDING[np.where(known, held, 0)].astype(np.int64)
    places = [
        position_of(seat, count).key.replace("_", " ")
        for seat, count in zip(seats.tolist(), mine["seats"].to_list(), strict=True)
    ]
    return mine.with_columns(
        pl.Series("position", places),
        pl.Series("class", classes),
        pl.Series("group", of_class[classes]),
        pl.Series("last", last, dtype=pl.Int64),
        pl.Series("known", known),
    ).with_columns(pl.when("known").then(name).alias(name) for name in ("class", "group"))


def player_of(hands: HandsLike) -> tuple[str | None, dict[str, int]]:
    """Return whose log it is, and how many hands each name was dealt into, the most first.

    It is the one whose cards are known in every hand of theirs, if that is most of the hands and
    more than anybody else has of whom this is true. None in a log that shows everybody alike.
    """
    played, shown = Counter[str](), Counter[str]()
    total = 0
    for batch, _ in batches_of(hands_from(hands)):
        there = batch.player != UNKNOWN
        names = np.array([*batch.names, ""])
        for counter, mask in ((played, there), (shown, there & (batch.holding != UNKNOWN))):
            found, counts = np.unique(batch.player[mask], return_counts=True)
            counter.update(dict(zip(names[found].tolist(), counts.tolist(), strict=True)))
        total += len(batch)
    always = Counter({name: count for name, count in shown.items() if count == played[name]})
    first, second, *_ = [*always.most_common(2), ("", 0), ("", 0)]
    is_clear = first[1] > second[1] and 2 * first[1] > total
    return (first[0] if is_clear else None), dict(played.most_common())
