"""Money less luck with coefficients fitted on other hands, so that it cannot lose to money.

F = money - X beta, X being terms of luck whose mean is zero whoever plays. Any beta that does not
depend on the hand itself leaves the mean as it was; the least squares of the other hands make the
variance small. A luck term of DIVAT enters with the coefficient that the data give it, not with one
(White and Bowling 2009 fit coefficients on other matches; here every match fits its own).

Hands of one deal are never split: a fold is a set of whole deals, drawn at random. For players who
learn, or stacks that carry over, hands depend on each other and the mean moves by the order of 1/n;
``forward`` takes coefficients from earlier hands only and is free of that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.control_variate import corrected
from railbird.assessment.settings import FEWEST_HANDS, FOLDS

Floats = npt.NDArray[np.float64]
Luck = Floats | pl.DataFrame
"""(rows, terms) of luck of mean zero."""
Deals = npt.NDArray[np.int64] | None
"""(rows,) rows of equal numbers belong together; None if none do."""

_BLOCKS = 50
"""Number of refits of the coefficients in the forward fit."""

_SLICE = 1 << 16
"""Rows laid out at a time: the luck of a million hands takes as much memory as all of a report."""


class Fit(NamedTuple):
    """Fitted values and the coefficients behind them."""

    values: Floats
    """(rows,) money less fitted luck."""
    coefficients: Floats
    """(folds or blocks, terms)."""
    part: npt.NDArray[np.uint8]
    """(rows,) the fold or block of each."""


def fit_of_match(
    money: Floats,
    luck: Luck,
    deal: Deals,
    *,
    hands: int,
    frozen: Floats,
    forward: bool = False,
    seed: int = 0,
) -> Fit:
    """Fit in the way that suits the kind of match.

    ``forward`` fits on earlier deals, in the order in which deals began; their copies may come
    later. Otherwise coefficients are those of other deals, or below `FEWEST_HANDS` ``frozen``.
    """
    if forward:
        return forward_fit(money, luck, deal, frozen)
    if hands < FEWEST_HANDS:
        return frozen_fit(money, luck, frozen)
    return cross_fit(money, luck, deal, seed=seed)


def fit_of_sums(
    money: Floats,
    luck: Luck,
    deal: Deals,
    *,
    hands: int,
    frozen: Floats,
    forward: bool = False,
    seed: int = 0,
) -> Fit:
    """Fit like `fit_of_match`, but so that the sums of deals vary least.

    For rows of one player: in a duplicate match the luck of a deal's two hands largely cancels, and
    coefficients of single hands would put some of it back.
    """
    number, count = _in_order_of_play(deal, len(money))
    sums, of_sums = money, luck
    if count < len(money):
        columns = luck.iter_columns() if isinstance(luck, pl.DataFrame) else luck.T
        sums = np.bincount(number, money, count).astype(np.float64)
        of_sums = np.column_stack([np.bincount(number, column, count) for column in columns])
    fit = fit_of_match(sums, of_sums, None, hands=hands, frozen=frozen, forward=forward, seed=seed)
    if count == len(money):
        return fit
    part = fit.part[number]
    return Fit(_less(money, luck, fit.coefficients, part), fit.coefficients, part)


def cross_fit(
    money: Floats, luck: Luck, deal: Deals = None, *, folds: int = FOLDS, seed: int = 0
) -> Fit:
    """Subtract luck from each row's money, weighted by a fit on the rows of other deals.

    ``money`` (rows,), ``luck`` (rows, terms) of mean zero, ``deal`` (rows,) what rows belong
    together. There should be many more deals than terms.
    """
    fold = folds_of(deal, folds, seed, rows=len(money))
    sums = _moments(money, luck, fold, folds)
    coefficients = np.array([_solve(sums.sum(axis=0) - inside) for inside in sums])
    return Fit(_less(money, luck, coefficients, fold), coefficients, fold)


def forward_fit(money: Floats, luck: Luck, deal: Deals, start: Floats) -> Fit:
    """Take coefficients from earlier deals alone, from ``start`` (terms,) as long as few are there.

    Rows are in the order of play. Unbiased for any players, and the only form that may be looked at
    while a match goes on.
    """
    number, count = _in_order_of_play(deal, len(money))
    edges = np.linspace(0, count, _BLOCKS + 1).astype(np.int64)
    part = (np.searchsorted(edges, number, side="right") - 1).astype(np.uint8)
    sums = _moments(money, luck, part, _BLOCKS)
    coefficients = np.tile(start, (_BLOCKS, 1))
    for block, before in enumerate(edges[:-1].tolist()):
        if before >= FEWEST_HANDS:
            coefficients[block] = _solve(sums[:block].sum(axis=0))
    return Fit(_less(money, luck, coefficients, part), coefficients, part)


def frozen_fit(money: Floats, luck: Luck, coefficients: Floats) -> Fit:
    """Subtract luck with coefficients that were fixed before the hands were played."""
    part, weights = np.zeros(len(money), np.uint8), coefficients[None]
    return Fit(_less(money, luck, weights, part), weights, part)


def folds_of(deal: Deals, folds: int, seed: int, *, rows: int) -> npt.NDArray[np.uint8]:
    """Draw a fold for each deal; the number of a hand would follow the button around the table."""
    rng = np.random.default_rng(seed)
    if deal is None:
        return (rng.permutation(rows) % folds).astype(np.uint8)
    different, number = np.unique(deal, return_inverse=True)
    fold: npt.NDArray[np.uint8] = (rng.permutation(len(different)) % folds).astype(np.uint8)[number]
    return fold


def _in_order_of_play(deal: Deals, rows: int) -> tuple[npt.NDArray[np.int64], int]:
    """Number deals by their first rows, (rows,); return how many there are."""
    if deal is None:
        return np.arange(rows), rows
    _, first, number = np.unique(deal, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[number], len(first)


def _slices(luck: Luck) -> Iterator[tuple[slice, Floats]]:
    for first in range(0, len(luck), _SLICE):
        rows = slice(first, first + _SLICE)
        part = luck[rows]
        yield rows, part.to_numpy() if isinstance(part, pl.DataFrame) else part


def _less(money: Floats, luck: Luck, coefficients: Floats, part: npt.NDArray[np.uint8]) -> Floats:
    """Subtract luck from money with the coefficients of each row's fold or block."""
    values = np.array(money)
    for rows, terms in _slices(luck):
        for number in np.unique(part[rows]):
            inside = part[rows] == number
            values[rows][inside] = corrected(
                money[rows][inside], terms[inside], coefficients[number]
            )
    return values


def _moments(money: Floats, luck: Luck, part: npt.NDArray[np.uint8], parts: int) -> Floats:
    """Sums of products of one, money and luck by part: all that least squares needs.

    They add up, and the sums of what is left out come off again.
    """
    products: Floats = np.zeros((parts, luck.shape[1] + 2, luck.shape[1] + 2))
    for rows, terms in _slices(luck):
        columns = np.column_stack([np.ones(len(terms)), money[rows], terms])
        for number in np.unique(part[rows]):
            inside = columns[part[rows] == number]
            products[number] += inside.T @ inside
    return products


def _solve(moments: Floats) -> Floats:
    """Least squares of centred money on the luck, which is not centred: its mean is known."""
    rows, money, luck = moments[0, 0], moments[0, 1], moments[0, 2:]
    if rows == 0:
        return np.zeros(len(luck))
    centred = moments[1, 2:] - luck * (money / rows)
    coefficients: Floats = np.linalg.lstsq(moments[2:, 2:], centred, rcond=1e-12)[0]
    return coefficients
