"""What does not keep to a contract is found out, by the contract's name and in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from railbird.assessment import ColumnEstimator, Contest, EstimatorKind
from railbird.assessment.estimator import Columns, Scoring
from railbird.errors import BadInput
from railbird.extending import (
    ESTIMATOR_CONTRACTS,
    FORMAT_CONTRACTS,
    PLAYER_CONTRACTS,
    BrokenContract,
    check_estimator,
    check_format,
    check_player,
)
from railbird.game import Action, Call, Fold, Raise, Rules, View
from railbird.histories import (
    Format,
    HandBatch,
    HandRecord,
    ReadOptions,
    Skipped,
    WriteOptions,
    format_named,
)
from railbird.players import Claims, Distribution, RangeDistribution
from railbird.units import Chips


class Caller:
    """Keeps to everything, and tells what it does; those below break one contract each."""

    def reset(self, rng: np.random.Generator) -> None:
        self.rng, self.hands = rng, 0

    def act(self, view: View) -> Action:
        return Call()

    def distribution(self, view: View) -> Distribution:
        return Distribution(call=1.0)

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        return RangeDistribution.same(self.distribution(view), len(holdings))


class Mute:
    reset = Caller.reset


class Cheat(Caller):
    def act(self, view: View) -> Action:
        return Raise(Chips(1))


class Chancer(Caller):
    """Draws from no generator that it was given."""

    draws = np.random.default_rng()

    def act(self, view: View) -> Action:
        return Fold() if view.state.to_call and self.draws.random() < 0.5 else Call()


class Elephant(Caller):
    seen = 0

    def act(self, view: View) -> Action:
        self.seen += 1
        return Fold() if view.state.to_call and self.seen > 60 else Call()


class Liar(Caller):
    def distribution(self, view: View) -> Distribution:
        return Distribution(call=0.5, fold=0.5) if view.state.to_call else Distribution(call=1.0)


class Boaster(Caller):
    """Folds its low holdings, and tells that it calls with all."""

    def act(self, view: View) -> Action:
        return Fold() if view.state.to_call and view.holding < 900 else Call()

    def distribution(self, view: View) -> Distribution:
        return Distribution.certain(self.act(view))

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        return RangeDistribution.same(Distribution(call=1.0), len(holdings))


class Learner(Caller):
    """Folds more once it has decided often; it is claimed to remember nothing."""

    def act(self, view: View) -> Action:
        self.hands += 1
        return Call()

    def distribution(self, view: View) -> Distribution:
        return Distribution(fold=0.5, call=0.5) if self.hands > 30 else Distribution(call=1.0)


PLAYERS: dict[str, tuple[Callable[[], Any], str]] = {
    "methods": (Mute, "lacks act"),
    "legal actions": (Cheat, "illegal, .*limit, 2 seats"),
    "same seed": (Chancer, "end otherwise the second time"),
    "reset": (Elephant, "after a reset"),
    "probabilities": (Liar, "0 folds, where it told"),
    "other cards": (Boaster, "of other cards it tells"),
    "claims": (Learner, "remembers is claimed to be False; by .* it is True"),
}


def test_every_contract_of_players_can_be_broken() -> None:
    assert [contract.name for contract in PLAYER_CONTRACTS] == list(PLAYERS)


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_that_breaks_a_contract_is_found_out(name: str) -> None:
    player, breach = PLAYERS[name]
    claims = Claims(tells=True, tells_ranges=True)
    with pytest.raises(BrokenContract, match=rf"^{player.__name__} breaks '{name}'") as caught:
        check_player(player, claims=claims, hands=60, only=[name])
    assert caught.value.contract == name
    assert "\n" not in str(caught.value)
    with pytest.raises(BrokenContract, match=breach):
        check_player(player, claims=claims, hands=60, only=[name])


@pytest.mark.slow
def test_a_player_that_keeps_to_all_contracts_passes() -> None:
    check_player(Caller, claims=Claims(tells=True, tells_ranges=True))


def test_what_makes_no_player_is_refused() -> None:
    with pytest.raises(BadInput, match="no player 'nobody'"):
        check_player("nobody")
    with pytest.raises(BadInput, match="allowed: a spec, or a class"):
        check_player(Caller())  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="no contract 'rest'; did you mean reset"):
        check_player(Caller, only=["rest"])

    class Needy(Caller):
        def __init__(self, name: str) -> None: ...

    with pytest.raises(BadInput, match="it cannot be made: TypeError"):
        check_player(Needy)  # type: ignore[arg-type]


# Formats: the one-line format with one function replaced.

LINE = format_named("line")
TEXT = (Path(__file__).parents[1] / "golden/histories/limit.txt").read_text(encoding="utf-8")
assert LINE.write is not None
WRITE = LINE.write


def reading(change: Callable[[HandRecord], HandRecord]) -> Format:
    def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
        for item in LINE.read(lines, options):
            yield change(item) if isinstance(item, HandRecord) else item

    return replace(LINE, read=read)


def refusing(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """End at the first line that is no hand, as a parser does that nobody has guarded."""
    for item in LINE.read(lines, options):
        if isinstance(item, Skipped):
            raise ValueError(item.detail)
        yield item


def all_or_nothing(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    items = list(LINE.read(lines, options))
    skipped = [item for item in items if isinstance(item, Skipped)]
    return iter(skipped or items)


def careless(hands: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    for hand in hands:
        yield from WRITE([replace(hand, number=1)], options)


def bold(hands: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    for hand in hands:
        names = tuple(name.strip() or "nobody" for name in hand.players)
        yield from WRITE([replace(hand, players=names)], options)


FORMATS: dict[str, tuple[Format, str]] = {
    "recognised": (replace(LINE, recognises=lambda lines: True), "any text is recognised"),
    "hands": (
        reading(lambda hand: replace(hand, payoffs=hand.payoffs[::-1])),
        "pays .*; by its rules",
    ),
    "sources": (reading(lambda hand: replace(hand, source=None)), "has the source None"),
    "names": (
        reading(lambda hand: replace(hand, players=("Ann", "Bob"))),
        "renamed is a hand of Ann, Bob",
    ),
    "cut text": (replace(LINE, read=all_or_nothing), "it has 0 hands"),
    "damaged text": (replace(LINE, read=refusing), "reading ends: ValueError"),
    "written text": (replace(LINE, write=careless), "is read otherwise: number"),
    "strange names": (replace(LINE, write=bold), "named '' is written"),
}


def test_every_contract_of_formats_can_be_broken() -> None:
    assert [contract.name for contract in FORMAT_CONTRACTS] == list(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_that_breaks_a_contract_is_found_out(name: str) -> None:
    known, breach = FORMATS[name]
    with pytest.raises(BrokenContract, match=rf"^line breaks '{name}': .*{breach}"):
        check_format(known, TEXT, only=[name])


# Estimators: the money, with something changed.

PLAIN = ColumnEstimator(
    name="mine",
    title="Mine",
    kind=EstimatorKind.UNBIASED,
    meaning="the money",
    assumes="Nothing.",
    forms=Contest.TABLE,
    value=pl.col("money"),
)


def by_size(batch: HandBatch, _how: Scoring) -> Columns:
    """Fill a column that depends on how many hands a batch has."""
    return {"size": np.full(batch.player.shape, float(len(batch)))}


class Unruly(ColumnEstimator):
    __slots__ = ()

    def values(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        return rows["money"].head(3)


def unruly() -> ColumnEstimator:
    return Unruly(**{field.name: getattr(PLAIN, field.name) for field in fields(PLAIN)})


def needy(_rules: Rules) -> str | None:
    return ""


ESTIMATORS: dict[str, tuple[ColumnEstimator, str]] = {
    "members": (replace(PLAIN, title="two\nlines"), "its title is"),
    "own name": (replace(PLAIN, name="money"), "Money has the same name"),
    "columns": (replace(PLAIN, fill=by_size), "column size of two halves"),
    "values": (unruly(), "cannot be assessed with it: .*length 3"),
    "unbiased": (replace(PLAIN, value=pl.col("money").clip(-3, 0)), "a hand beside the money"),
}


def test_every_contract_of_estimators_can_be_broken() -> None:
    assert [contract.name for contract in ESTIMATOR_CONTRACTS] == list(ESTIMATORS)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_estimator_that_breaks_a_contract_is_found_out(name: str) -> None:
    estimator, breach = ESTIMATORS[name]
    with pytest.raises(BrokenContract, match=rf" breaks '{name}': .*{breach}"):
        check_estimator(estimator, only=[name])


def test_an_estimator_that_needs_nothing_it_can_name_is_found_out() -> None:
    with pytest.raises(BrokenContract, match="needs says ''"):
        check_estimator(replace(PLAIN, why_not=needy), only=["columns"])


@pytest.mark.slow
def test_an_estimator_of_tournaments_is_tried_on_some() -> None:
    prize = replace(PLAIN, forms=Contest.TOURNAMENT, value=pl.col("prize"))
    check_estimator(prize)
    with pytest.raises(BrokenContract, match=r"'unbiased': over 120 tournaments .* a tournament"):
        check_estimator(replace(prize, value=pl.col("prize") / 2))
    with pytest.raises(BrokenContract, match=r"cannot be assessed with it: .*money"):
        check_estimator(replace(prize, value=pl.col("money")))
