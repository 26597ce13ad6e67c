"""Crosstables of many matches of heads-up limit or any hold'em: results of all pairs of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird._display import HasTable, table_of
from railbird.assessment.assessment import Assessment
from railbird.assessment.estimator import Contest, Estimator, Scoring
from railbird.assessment.limit_rows import INCOMPLETE
from railbird.assessment.protocol_errors import ProtocolErrors
from railbird.assessment.registry import estimators_of
from railbird.assessment.verdict import RefusedMoney, ResultVerdict
from railbird.estimates.estimate import Estimate, ratio
from railbird.game import Street
from railbird.histories.columns import UNKNOWN, HandBatch
from railbird.histories.same_hands import SeenHands

CrosstableRow = Mapping[str, Estimate]
"""An estimate per hand by the name of an estimator."""

_SCHEMA: dict[str, type[pl.DataType]] = {
    "player": pl.UInt32,
    "opponent": pl.UInt32,
    "deal": pl.UInt64,
}

_OTHERS = "others_"
"""Before the name of an estimator: the opponent's value."""
_WITHOUT = "without errors of protocol"
"""Column of the result without errors of protocol."""
_COUNT = "count_"
"""Before the name of an estimator: hands that it has a value of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crosstable(HasTable):
    """Results between players over any number of matches, in small bets a hand.

    Hands of one deal, as in a duplicate match and across the matches of a league, count as one
    value, for they are not independent.
    """

    players: tuple[str, ...]
    """The player with the highest fitted estimate against all comes first; money where cards are
    hidden."""
    totals: Mapping[str, CrosstableRow]
    """Totals by player, against all."""
    pairs: Mapping[tuple[str, str], CrosstableRow]
    """By player and opponent, for those who met; each meeting is listed from both sides."""
    hands: int
    """Different hands."""
    raked: float
    """What the house took, in small bets."""
    again: int
    """Hands given more than once, which count once."""
    contradictions: tuple[str, ...]
    """The first hands that another match contradicts; they count as that match has them."""
    hidden: int
    """Hands whose cards are not known because of how they ended; `Assessment.hidden`."""
    estimators: tuple[str, ...]
    """Names of the estimators that there are: money alone where cards are hidden."""
    verdicts: Mapping[tuple[str, ...], ResultVerdict]
    """By player, and by player and opponent, of the estimator by which players are ordered."""

    def as_json(self) -> dict[str, object]:
        """Return the players in order, their totals, and each pair once."""
        return {
            "hands": self.hands,
            "hidden": self.hidden,
            "raked_sb": self.raked,
            "players": {name: _as_json(self.totals[name]) for name in self.players},
            "pairs": [
                {"players": [first, second], **_as_json(row)}
                for (first, second), row in self.pairs.items()
                if self.players.index(first) < self.players.index(second)
            ],
            "verdicts": [
                {"players": list(names), **verdict.as_json()}
                for names, verdict in self.verdicts.items()
            ],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each player and opponent: money and scores in a hand."""
        return table_of(
            {"player": player, "opponent": opponent, **_as_json(row)}
            for (player, opponent), row in self.pairs.items()
        )


def _as_json(row: CrosstableRow) -> dict[str, object]:
    return {name: estimate.as_json() for name, estimate in row.items()}


@checked
def crosstable(matches: Iterable[Assessment[Any]]) -> Crosstable:
    """Combine assessed matches of two; those between the same players are pooled.

    Takes the matches one at a time, so they may come from a generator.
    """
    numbers: dict[str, int] = {}
    listed = [estimator for estimator in estimators_of(Contest.MATCH) if estimator.in_crosstable]
    parts, hidden, seen = list[pl.DataFrame](), 0, SeenHands()
    refused, is_numbered = dict[tuple[str, ...], RefusedMoney](), True
    errors: dict[tuple[str, ...], list[ProtocolErrors]] = {}
    for file, match in enumerate(matches):
        if not parts:
            listed = [estimator for estimator in match.estimators if estimator.in_crosstable]
        first, second = (numbers.setdefault(name, len(numbers)) for name in match.players)
        parts.append(_hands(match, listed, seen, file, first, second))
        hidden += match.hidden
        is_numbered &= match.integrity.consecutive
        for pair in permutations(match.players):
            missing = match.integrity.refused.get(pair[0], RefusedMoney())
            # Once for the player against everybody and once against this opponent: each has a
            # verdict.
            for key in (pair[:1], pair):
                refused[key] = refused.get(key, RefusedMoney()).plus(missing)
                errors.setdefault(key, []).append(match.errors)
    amounts = [estimator.name for estimator in listed]
    columns = ["raked", *(side + name for name in [*amounts, _WITHOUT] for side in ("", _OTHERS))]
    none = pl.DataFrame(schema={**_SCHEMA, **dict.fromkeys(columns, pl.Float64)})
    played = pl.concat([none, *(part.select(none.columns) for part in parts)])
    # A hand becomes two rows, one seen from each side, so that grouping by player finds all of a
    # player's hands.
    sides = pl.concat([played, _other_side(played, [*amounts, _WITHOUT])])
    # Which cards are shown depends on how a hand ends. So where some are hidden, only money is
    # unbiased.
    names, estimators = tuple(numbers), amounts[:1] if hidden else amounts
    totals = {names[player]: row for (player,), row in _by(sides, ["player"], estimators).items()}
    pairs = {
        (names[player], names[opponent]): row
        for (player, opponent), row in _by(sides, ["player", "opponent"], estimators).items()
    }
    by = "money" if hidden else "fitted"
    results: dict[tuple[str, ...], CrosstableRow] = {
        **{(player,): row for player, row in totals.items()},
        **{tuple(pair): row for pair, row in pairs.items()},
    }
    without = {
        tuple(names[number] for number in key): row[_WITHOUT]
        for who in (["player"], ["player", "opponent"])
        for key, row in _by(sides, who, [_WITHOUT]).items()
    }
    parted = {
        tuple(names[number] for number in key): rows
        for who in (["player"], ["player", "opponent"])
        for key, rows in sides.partition_by(who, as_dict=True).items()
    }
    ranking = sorted(totals, key=lambda player: -totals[player][by].value)
    return Crosstable(
        players=tuple(ranking),
        totals=totals,
        pairs=pairs,
        hands=played.height,
        raked=float(played["raked"].sum()),
        again=seen.merged,
        contradictions=tuple(map(str, seen.told)),
        hidden=hidden,
        estimators=tuple(estimators),
        verdicts={
            key: ResultVerdict(
                result=results[key][by],
                values=rows[by].to_numpy(),
                money=rows["money"].to_numpy(),
                numbered=is_numbered,
                refused=refused[key],
                errors=replace(
                    ProtocolErrors.of_matches(errors[key]),
                    without={} if hidden else {key[0]: without[key]},
                ).withheld({key[0]: results[key][by]}, {key[0]: rows.height}),
            )
            for key, rows in parted.items()
        },
    )


def _hands(
    match: Assessment[Any],
    listed: Sequence[Estimator],
    seen: SeenHands,
    file: int,
    first: int,
    second: int,
) -> pl.DataFrame:
    """Lay out the hands of one file that no other had, from the first player's side."""
    fresh, done = [np.empty(0, np.int64)], 0
    for batch in match.played.batches():
        fresh.append(done + seen.fresh(batch))
        done += len(batch)
    first_held, second_held = match.played.column("holding")[:, :2].T
    # Hands whose cards are not known, or that have no number, are deals apart.
    shared = pl.col("number").is_not_null() & ~pl.col("kind").is_in(INCOMPLETE)
    alone = pl.struct(file=pl.lit(file), row=pl.int_range(pl.len()))
    deal = pl.struct("number", one=pl.Series(first_held), two=pl.Series(second_held))
    laid_out = match.scores.select(
        player=pl.lit(first, pl.UInt32),
        opponent=pl.lit(second, pl.UInt32),
        deal=pl.when(shared).then(deal.hash()).otherwise(alone.hash()),
        raked=pl.col("rake") + pl.col("other_rake"),
        **{estimator.name: estimator.values(match.scores, Scoring()) for estimator in listed},
        **{
            _OTHERS + estimator.name: estimator.others(match.scores, Scoring())
            for estimator in listed
        },
    )
    rows = match.errors.rows
    laid_out = laid_out.with_columns(
        pl.col(f"{side}fitted").alias(side + _WITHOUT)
        if rows is None
        else rows.filter(player=place).sort("row")["without"].alias(side + _WITHOUT)
        for place, side in enumerate(("", _OTHERS))
    )
    return laid_out[np.concatenate(fresh)]


def _other_side(hands: pl.DataFrame, amounts: Sequence[str]) -> pl.DataFrame:
    return hands.with_columns(
        player="opponent", opponent="player", **{name: pl.col(_OTHERS + name) for name in amounts}
    )


def _by(
    hands: pl.DataFrame, who: list[str], estimators: Sequence[str]
) -> dict[tuple[int, ...], CrosstableRow]:
    """Estimate the mean of a hand for each of ``who``, the different deals being independent."""
    deals = hands.group_by(*who, "deal", maintain_order=True).agg(
        pl.col(estimators).sum(), pl.col(estimators).count().name.prefix(_COUNT)
    )
    return {
        tuple(int(number) for number in key): {
            name: ratio(rows[name], rows[_COUNT + name]) for name in estimators
        }
        for key, rows in deals.group_by(who, maintain_order=True)
    }


# Effects of every player's decisions on every player, by street.
#
# A cell is the mean change, per hand that both were dealt into, of the column's value by the row's
# decisions. Columns add up to the player's DIVAT less its position, so they estimate money. Single
# cells depend on the baseline: the diagonal says "better than the baseline", not "well played", and
# bluffs and mixed play look like gifts to and from others. Nor does a pair that gives to each other
# prove anything about it: honest players of different styles give unequally too.
#
# The partiality of a pair is what each gives the other less what it gives the others on average,
# both added. Two who squeeze a third between them give to each other and take from all others, and
# are seen with a twentieth of the hands that money needs; two who only play softly against each
# other are not seen. A large partiality alone says no more than that two play differently.


_STREETS = len(Street)


class Gifts(NamedTuple):
    """Changes by decisions in one batch, in the table's unit."""

    sums: Floats
    """(P, P, 4) by who acted, whom it moved, and street; P players so far."""
    squares: Floats
    """(P, P, 4) of a hand's changes."""
    street_squares: Floats
    """(P, P) of a hand's changes over all streets."""
    met: npt.NDArray[np.int64]
    """(P, P) hands that both were dealt into."""
    partial: Floats
    """(2, P, P) sums and squares of the mutual partiality in a hand of three or more."""
    beside: npt.NDArray[np.int64]
    """(P, P) hands of three or more that both were dealt into."""

    @classmethod
    def of(
        cls,
        batch: HandBatch,
        decisions: Floats,
        units: Floats,
        numbers: npt.NDArray[np.int64],
    ) -> Gifts:
        """Add up ``decisions`` (m, S) chips; ``numbers`` say who the batch's names are."""
        n, seats = batch.player.shape
        cells = np.zeros((n, seats, _STREETS, seats))
        where = (batch.hand_of, batch.answers.seat, batch.answers.street)
        np.add.at(cells, where, decisions / units[batch.hand_of][:, None])
        cells = cells.transpose(0, 1, 3, 2)
        most = int(numbers.max()) + 1
        who = np.where(batch.player == UNKNOWN, most, np.append(numbers, most)[batch.player])
        pairs = (who[:, :, None] * (most + 1) + who[:, None, :]).ravel()
        size = (most + 1) ** 2

        def by_pair(values: Floats) -> Floats:
            added = np.bincount(pairs, weights=values.ravel(), minlength=size).astype(np.float64)
            return added.reshape(most + 1, most + 1)[:most, :most]

        streets = [cells[..., street] for street in range(_STREETS)]
        given = cells.sum(axis=3)
        mutual, tables = _mutual(given, batch.seats)
        return cls(
            sums=np.stack([by_pair(street) for street in streets], axis=2),
            squares=np.stack([by_pair(street**2) for street in streets], axis=2),
            street_squares=by_pair(cells.sum(axis=3) ** 2),
            met=by_pair(np.ones((n, seats, seats))).astype(np.int64),
            partial=np.stack([by_pair(mutual), by_pair(mutual**2)]),
            beside=by_pair(tables).astype(np.int64),
        )


def _mutual(effects: Floats, seats: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return each hand's mutual partiality of two seats, and 1 where it is defined, (n, S, S).

    A row of ``effects`` adds up to zero, so the diagonal says what the others got in all.
    """
    others = np.where(seats > 2, seats - 2, 1)[:, None, None]
    own = np.einsum("nii->ni", effects)[:, :, None]
    partial = effects - (-own - effects) / others
    defined = np.broadcast_to((seats > 2)[:, None, None], effects.shape) & ~np.eye(
        effects.shape[1], dtype=np.bool_
    )
    mutual = np.where(defined, partial + partial.transpose(0, 2, 1), 0.0)
    return mutual, defined.astype(np.float64)


class Partiality(NamedTuple):
    """Favours of two players to each other; no verdict follows from it."""

    mutual: Estimate
    """What each gives the other less what it gives the others on average, both added; per hand of
    three or more."""
    gives: tuple[bool, bool]
    """Whether the first gives to the second, and the second to the first."""
    takes: tuple[int, int]
    """From how many of the others each of the two takes."""
    others: int
    """Players that both have met beside each other."""

    @property
    def pattern(self) -> str:
        """The signs in words: of both gifts, and how many of the others each takes from.

        >>> Partiality(Estimate(1.4, 0.1, 900), (True, True), (1, 1), 1).pattern
        '+ +, takes from 1 and 1 of 1'
        """
        signs = " ".join("+" if gift else "−" for gift in self.gives)
        return f"{signs}, takes from {self.takes[0]} and {self.takes[1]} of {self.others}"

    @property
    def both_for_each_other(self) -> bool:
        """True if both give to each other and take from everybody else."""
        return all(self.gives) and self.others > 0 and min(self.takes) == self.others


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionCrosstable:
    """Means per hand; see the module for how to read them."""

    players: tuple[str, ...]
    cells: dict[tuple[str, str], Estimate]
    """By acting and affected player, over all streets."""
    streets: dict[tuple[str, str, Street], Estimate]
    """The same by street."""
    partiality: dict[tuple[str, str], Partiality]
    """By pair, each once, of players who sat at tables of three or more."""

    @classmethod
    def of(cls, parts: Sequence[Gifts], names: Sequence[str], unit: str) -> DecisionCrosstable:
        """Combine batches."""
        size = len(names)
        sums, squares = np.zeros((size, size, _STREETS)), np.zeros((size, size, _STREETS))
        street_squares, met = np.zeros((size, size)), np.zeros((size, size), dtype=np.int64)
        partial, beside = np.zeros((2, size, size)), np.zeros((size, size), dtype=np.int64)
        for gifts in parts:
            known = len(gifts.met)
            sums[:known, :known] += gifts.sums
            squares[:known, :known] += gifts.squares
            street_squares[:known, :known] += gifts.street_squares
            met[:known, :known] += gifts.met
            partial[:, :known, :known] += gifts.partial
            beside[:known, :known] += gifts.beside
        cells, streets = {}, {}
        for actor, affected in zip(*np.nonzero(met), strict=True):
            hands, pair = int(met[actor, affected]), (names[actor], names[affected])
            total = float(sums[actor, affected].sum())
            cells[pair] = _mean(total, float(street_squares[actor, affected]), hands, unit)
            for street in Street:
                added, squared = sums[actor, affected, street], squares[actor, affected, street]
                streets[(*pair, street)] = _mean(float(added), float(squared), hands, unit)
        players = tuple(name for name in names if (name, name) in cells)
        return cls(
            players=players,
            cells=cells,
            streets=streets,
            partiality=_partiality(sums.sum(axis=2), partial, beside, names, unit),
        )

    def partiality_json(self) -> list[dict[str, object]]:
        """Give the pairs, largest first."""
        ranked = sorted(self.partiality.items(), key=lambda item: -item[1].mutual.value)
        return [
            {
                "players": list(pair),
                **partiality.mutual.as_json(),
                "gives": list(partiality.gives),
                "takes_from": list(partiality.takes),
                "others": partiality.others,
            }
            for pair, partiality in ranked
        ]

    def as_json(self) -> dict[str, dict[str, dict[str, object]]]:
        """Return ``crosstable.A.B``: what A's decisions did to B, with ``streets``."""
        return {
            actor: {
                affected: {
                    **self.cells[actor, affected].as_json(),
                    "streets": {
                        street.name.lower(): self.streets[actor, affected, street].as_json()
                        for street in Street
                    },
                }
                for affected in self.players
                if (actor, affected) in self.cells
            }
            for actor in self.players
        }


def _partiality(
    effects: Floats,
    partial: Floats,
    beside: npt.NDArray[np.int64],
    names: Sequence[str],
    unit: str,
) -> dict[tuple[str, str], Partiality]:
    """Combine the pairs; ``effects`` (P, P) are sums of all hands."""
    pairs = {}
    for first, second in zip(*np.nonzero(np.triu(beside, 1)), strict=True):
        others = np.flatnonzero((beside[first] > 0) & (beside[second] > 0))
        others = others[(others != first) & (others != second)]
        total, squares = partial[:, first, second]
        pairs[names[first], names[second]] = Partiality(
            mutual=_mean(float(total), float(squares), int(beside[first, second]), unit),
            gives=(bool(effects[first, second] > 0), bool(effects[second, first] > 0)),
            takes=(
                int((effects[first, others] < 0).sum()),
                int((effects[second, others] < 0).sum()),
            ),
            others=len(others),
        )
    return pairs


def _mean(total: float, squares: float, hands: int, unit: str) -> Estimate:
    mean = total / hands
    spread = max(0.0, squares - hands * mean * mean)
    error = float(np.sqrt(spread / (hands - 1) / hands)) if hands > 1 else float("inf")
    return Estimate(mean, error, hands, unit)
