"""The book of odds over all flops."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from railbird.cards import CLASSES, HandClass, parse_class
from railbird.odds import flop_book
from railbird.odds.flop_book import (
    MOST_MORE,
    STEPS,
    FlopBook,
    Opposition,
    Page,
    compute_page,
    opposition,
    step_of,
)
from railbird.odds.flop_values import flop_values
from railbird.odds.preflop_value import class_weights


@pytest.mark.slow(but=["20.0-3.0"])
@pytest.mark.parametrize(("pot", "bets"), [(8.5, 3.0), (20.0, 3.0), (4.0, 0.0)])
def test_a_page_has_the_sum_over_all_flops(pot: float, bets: float) -> None:
    """Bins change the sum by less than their width times the pot: here by far less."""
    hand, step = parse_class("76s"), step_of(0.25)
    page = compute_page(Opposition(0, 0, 2, step), classes=[hand])
    flops = flop_values(hand, [], class_weights(STEPS[step]), 2)
    for more in (1, 2):
        odds = flops.won[:, more] / flops.whole[:, more]
        chance = flops.flops * flops.whole[:, more]
        exact = np.maximum(pot * odds - bets, 0.0) @ (chance / chance.sum())
        assert page.value(hand, more, pot=pot, bets=bets) == pytest.approx(exact, abs=0.0005 * pot)
    assert page.weight[:, hand].sum(axis=1) == pytest.approx(1)
    assert page.weight.sum() == pytest.approx(3)


def test_flops_that_do_not_pay_are_worth_nothing() -> None:
    weight, odds = (np.zeros((1, CLASSES, 4)) for _ in range(2))
    weight[0, 5] = [0.5, 0, 0, 0.5]
    odds[0, 5] = [0.5 * 0.1, 0, 0, 0.5 * 0.9]
    page = Page(weight=weight, odds=odds)
    assert page.value(HandClass(5), 0, pot=10.0, bets=2.0) == pytest.approx(0.5 * (9 - 2))
    assert page.value(HandClass(5), 0, pot=10.0, bets=0.0) == pytest.approx(5.0)


def test_one_page_serves_every_seat_and_every_division_of_the_same_share() -> None:
    assert opposition(2, 1, 0.25, 0, 1.0) == (Opposition(0, 0, 1, step_of(0.25)), 1)
    assert opposition(2, 0, 1.0, 1, 0.25) == (Opposition(0, 0, 1, step_of(0.25)), 0)
    late, early = opposition(6, 1, 0.1, 1, 0.4), opposition(6, 1, 0.1, 4, 0.4)
    assert late == early == (Opposition(1, step_of(0.1), 4, step_of(0.4)), 0)
    assert opposition(6, 2, 0.1, 1, 0.11) == (Opposition(0, 0, 5, step_of(0.1)), 2)
    assert opposition(10, 0, 1.0, 9, 0.25)[0].more == MOST_MORE


def counted_pages(monkeypatch: pytest.MonkeyPatch) -> list[Opposition]:
    computed: list[Opposition] = []

    def page(which: Opposition, progress: object = None) -> Page:
        computed.append(which)
        values = np.full((which.more + 1, CLASSES, flop_book._BINS), 1 / 4)
        return Page(weight=values, odds=values)

    monkeypatch.setattr(flop_book, "compute_page", page)
    return computed


def test_a_page_is_computed_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    computed = counted_pages(monkeypatch)
    which = Opposition(0, 0, 1, 3)
    first = FlopBook(folder=tmp_path).find(which)
    again = FlopBook(folder=tmp_path)
    second = again.find(which)
    assert computed == [which]
    assert first is not None
    assert second is not None
    assert np.array_equal(first.weight, second.weight)
    assert again.kept() == (which,)
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"cut")
    assert FlopBook(folder=tmp_path).find(which) is not None
    assert computed == [which, which]


def test_in_idle_time_a_missing_page_comes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = counted_pages(monkeypatch)
    book = FlopBook(waits=False, folder=tmp_path)
    which = Opposition(0, 0, 1, 2)
    assert book.find(which) is None
    end = time.monotonic() + 60
    while not book.kept() and time.monotonic() < end:
        time.sleep(0.01)
    assert book.find(which) is not None
    assert computed == [which]
