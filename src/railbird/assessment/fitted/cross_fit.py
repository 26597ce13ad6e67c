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

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.assessment.settings import FEWEST_HANDS, FOLDS

Floats = npt.NDArray[np.float64]

_BLOCKS = 50
"""Number of refits of the coefficients in the forward fit."""


class Fit(NamedTuple):
    """Fitted values and the coefficients behind them."""

    values: Floats
    """(rows,) money less fitted luck."""
    coefficients: Floats
    """(folds or blocks, terms)."""


def cross_fit(
    money: Floats,
    luck: Floats,
    deal: npt.NDArray[np.int64],
    *,
    folds: int = FOLDS,
    seed: int = 0,
) -> Fit:
    """Take from each row's money the luck that other deals' rows say it was worth.

    ``money`` (rows,), ``luck`` (rows, terms) of mean zero, ``deal`` (rows,) what rows belong
    together. There should be many more deals than terms.
    """
    fold = folds_of(deal, folds, seed)
    values, coefficients = np.empty_like(money), np.zeros((folds, luck.shape[1]))
    whole = _moments(money, luck)
    for f in range(folds):
        inside = fold == f
        if not inside.any():
            continue
        coefficients[f] = _solve(whole - _moments(money[inside], luck[inside]))
        values[inside] = money[inside] - luck[inside] @ coefficients[f]
    return Fit(values, coefficients)


def forward_fit(money: Floats, luck: Floats, deal: npt.NDArray[np.int64], start: Floats) -> Fit:
    """Take coefficients from earlier deals alone, from ``start`` (terms,) as long as few are there.

    Rows are in the order of play; ``deal`` never falls. Unbiased for any players, and the only form
    that may be looked at while a match goes on.
    """
    last = int(deal[-1]) + 1 if len(deal) else 0
    edges = np.searchsorted(deal, np.linspace(0, last, _BLOCKS + 1).astype(np.int64))
    values, coefficients = np.empty_like(money), np.tile(start, (_BLOCKS, 1))
    before = np.zeros((luck.shape[1] + 2,) * 2)
    for block, (first, end) in enumerate(pairwise(edges)):
        if first and len(np.unique(deal[:first])) >= FEWEST_HANDS:
            coefficients[block] = _solve(before)
        values[first:end] = money[first:end] - luck[first:end] @ coefficients[block]
        before = before + _moments(money[first:end], luck[first:end])
    return Fit(values, coefficients)


def frozen_fit(money: Floats, luck: Floats, coefficients: Floats) -> Fit:
    """Take luck at coefficients that were fixed before the hands were played."""
    return Fit(money - luck @ coefficients, coefficients[None])


def folds_of(deal: npt.NDArray[np.int64], folds: int, seed: int) -> npt.NDArray[np.int64]:
    """Draw a fold for each deal; the number of a hand would follow the button around the table."""
    different, number = np.unique(deal, return_inverse=True)
    drawn = np.random.default_rng(seed).permutation(len(different)) % folds
    fold: npt.NDArray[np.int64] = drawn[number]
    return fold


def _moments(money: Floats, luck: Floats) -> Floats:
    """Sums of products of one, money and luck, all that least squares needs.

    They add up, and the sums of what is left out come off again.
    """
    columns = np.column_stack([np.ones(len(money)), money, luck])
    products: Floats = columns.T @ columns
    return products


def _solve(moments: Floats) -> Floats:
    """Least squares of centred money on the luck, which is not centred: its mean is known."""
    rows, money, luck = moments[0, 0], moments[0, 1], moments[0, 2:]
    if rows == 0:
        return np.zeros(len(luck))
    centred = moments[1, 2:] - luck * (money / rows)
    coefficients: Floats = np.linalg.lstsq(moments[2:, 2:], centred, rcond=1e-12)[0]
    return coefficients
