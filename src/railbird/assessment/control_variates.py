"""Money less luck, in any game: coefficients fitted on other hands, luck from known probabilities.

`frozen_coefficients` keeps coefficients of other matches; here they are fitted to the match itself.

F = money - X beta, X being terms of luck whose mean is zero whoever plays. Any beta that does not
depend on the hand itself leaves the mean as it was; one that fits the players makes the variance
small. A luck term of DIVAT enters with the coefficient that the data give it, not with one.

The terms are nearly collinear and their tails are heavy: large pots have much luck and much else in
them, so a few hands decide the fit. Least squares lost to money at 50 hands and to DIVAT at 1,000.
So beta is the mean of a normal posterior. Its prior comes from other matches (White and Bowling
2009 fit coefficients there and go no further): coefficients are pure numbers, and those of DIVAT,
of calling down, of other matches and of the money say where to look and how far. The variance of
the noise is measured at the prior's mean; where hands with much luck have more of it, it counts as
much everywhere. Nothing is tuned on the match.

Hands of one deal are never split: a fold is a set of whole deals, drawn at random. For players who
learn, or stacks that carry over, hands depend on each other and the mean moves by the order of 1/n;
``forward`` takes coefficients from earlier hands only and is free of that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats

# Utility less the effects of chance: the formula behind every unbiased estimator of this room.
#
#     estimate = utility - sum over corrected events k of w_k (V(after k) - E V(after k))
#
# An event is anything whose distribution is known before it happens: dealing cards, or the action
# of a player whose probabilities are known. V is any function of the hand, exact or approximate;
# the expectation is over the event only, given everything before it. Then every term has mean zero,
# and the estimate has the mean of the utility for any V and weights w, as long as each weight is
# fixed before its event. The better V, the smaller the variance. DIVAT (Kan 2007) corrects the
# cards by the value of a baseline's play, MIVAT (White and Bowling 2009) by features with weights
# fitted on other matches, and AIVAT (Burch et al. 2018) also corrects known players' actions.


CARD_EVENTS: Final = ("deal", "flop", "turn", "river")
STREETS: Final = len(CARD_EVENTS)


def corrected(utility: Floats, luck: Floats, weights: Floats | float = 1.0) -> Floats:
    """Remove the luck of events from utilities.

    ``utility`` (...), ``luck`` (..., events) V after an event less its expectation, zero for one
    that did not happen; ``weights`` a number, or (events,).
    """
    taken = weights * luck.sum(axis=-1) if isinstance(weights, float) else luck @ weights
    left: Floats = utility - taken
    return left


def taken_by_event(luck: Floats, weights: Floats) -> pl.DataFrame:
    """Return the luck that weights take out of every row, a column for each of `CARD_EVENTS`.

    ``luck`` (rows, values x events) has the events of one value function after those of another,
    ``weights`` (values x events,) a number for each. The sum of a row is what `corrected`
    subtracts; null where the luck is nan.
    """
    taken = (luck * weights).reshape(len(luck), -1, STREETS).sum(axis=1)
    return pl.DataFrame(taken, schema=CARD_EVENTS, nan_to_null=True)


def luck_of(after: npt.ArrayLike, expected: npt.ArrayLike) -> Floats:
    """Return V after events less its expectation before them, of any shape."""
    return np.subtract(after, expected, dtype=np.float64)


FOLDS = 10
"""Parts of whole deals, of which each gets the coefficients that the others give."""

Luck = Floats | pl.DataFrame
"""(rows, terms) of luck of mean zero."""
Deals = npt.NDArray[np.int64] | None
"""(rows,) rows of equal numbers belong together; None if none do."""

_BLOCKS = 50
"""Number of refits of the coefficients in the forward fit."""

_LEAST_SPREAD = 0.1
"""Standard deviation of a coefficient on which all candidates of a prior agree."""

_SLICE = 1 << 16
"""Rows laid out at a time: the luck of a million hands takes as much memory as all of a report."""


class CoefficientPrior(NamedTuple):
    """What coefficients are expected to be before any hand is seen: normal, with these moments."""

    mean: Floats
    """(terms,)."""
    covariance: Floats
    """(terms, terms)."""


def prior_among(candidates: Floats, mean: Floats) -> CoefficientPrior:
    """Expect coefficients about as far from ``mean`` as the candidates are, (candidates, terms).

    A coefficient is a pure number, so a tenth is a small difference in any game; it is the spread
    in the directions in which the candidates agree.
    """
    apart = candidates - mean
    spread = apart.T @ apart / len(apart) + _LEAST_SPREAD**2 * np.eye(len(mean))
    return CoefficientPrior(mean, spread)


class FittedValues(NamedTuple):
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
    prior: CoefficientPrior,
    *,
    forward: bool = False,
    seed: int = 0,
) -> FittedValues:
    """Subtract luck from each row's money, at coefficients that its own deal does not change.

    ``money`` (rows,), ``luck`` (rows, terms) of mean zero, ``deal`` (rows,) what rows belong
    together. Coefficients are those of the other folds of deals. With ``forward`` they are those of
    earlier deals alone, in the order in which deals began (their copies may come later), which is
    unbiased for any players and may be looked at while a match goes on.
    """
    if not forward:
        fold = folds_of(deal, FOLDS, seed, rows=len(money))
        inside = _moments_by_part(money, luck, fold, FOLDS, prior)
        coefficients = np.array([_posterior_mean(inside.without(k), prior) for k in range(FOLDS)])
        return FittedValues(_less(money, luck, coefficients, fold), coefficients, fold)
    number, count = _in_order_of_play(deal, len(money))
    edges = np.linspace(0, count, _BLOCKS + 1).astype(np.int64)
    block = (np.searchsorted(edges, number, side="right") - 1).astype(np.uint8)
    inside = _moments_by_part(money, luck, block, _BLOCKS, prior)
    coefficients = np.array([_posterior_mean(inside.before(k), prior) for k in range(_BLOCKS)])
    return FittedValues(_less(money, luck, coefficients, block), coefficients, block)


def fit_of_sums(
    money: Floats,
    luck: Luck,
    deal: Deals,
    prior: CoefficientPrior,
    *,
    forward: bool = False,
    seed: int = 0,
) -> FittedValues:
    """Fit like `fit_of_match`, but so that the sums of deals vary least.

    For rows of one player: in a duplicate match the luck of a deal's two hands largely cancels, and
    coefficients of single hands would put some of it back.
    """
    number, count = _in_order_of_play(deal, len(money))
    if count == len(money):
        return fit_of_match(money, luck, None, prior, forward=forward, seed=seed)
    sums = np.bincount(number, money, count).astype(np.float64)
    columns = luck.iter_columns() if isinstance(luck, pl.DataFrame) else luck.T
    of_sums: Floats = np.column_stack([np.bincount(number, column, count) for column in columns])
    fit = fit_of_match(sums, of_sums, None, prior, forward=forward, seed=seed)
    part = fit.part[number]
    return FittedValues(_less(money, luck, fit.coefficients, part), fit.coefficients, part)


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


class _Moments(NamedTuple):
    """Sums over the rows of parts, which add up: all that the posterior needs.

    r is the money less luck at the prior's mean, q a row's sum of squared luck.
    """

    products: Floats
    """(parts, terms + 2, terms + 2) of one, r and the luck."""
    of_large: Floats
    """(parts, 2) of q r and q r^2."""

    def without(self, part: int) -> _Moments:
        return _Moments(*(sums.sum(axis=0) - sums[part] for sums in self))

    def before(self, part: int) -> _Moments:
        return _Moments(*(sums[:part].sum(axis=0) for sums in self))


def _moments_by_part(
    money: Floats, luck: Luck, part_of: npt.NDArray[np.uint8], parts: int, prior: CoefficientPrior
) -> _Moments:
    terms = len(prior.mean)
    moments = _Moments(np.zeros((parts, terms + 2, terms + 2)), np.zeros((parts, 2)))
    for rows, x in _slices(luck):
        r = money[rows] - x @ prior.mean
        columns = np.column_stack([np.ones(len(x)), r, x])
        large = np.einsum("ij,ij->i", x, x) * r
        for number in np.unique(part_of[rows]):
            inside = part_of[rows] == number
            moments.products[number] += columns[inside].T @ columns[inside]
            moments.of_large[number] += large[inside].sum(), large[inside] @ r[inside]
    return moments


def _posterior_mean(moments: _Moments, prior: CoefficientPrior) -> Floats:
    """Return the posterior's mean after the rows of these sums; the luck is not centred.

    Its mean is known to be zero. The money is one, since its mean is the quantity estimated.
    """
    products, (qr, qrr) = moments
    rows, total = products[0, 0], products[0, 1]
    if rows == 0:
        return prior.mean
    mean = total / rows
    noise = products[1, 1] / rows - mean**2
    size = np.trace(products[2:, 2:])
    qrr += mean**2 * size - 2 * mean * qr
    noise = max(noise, qrr / size) if size > 0 else noise
    # Multiplied by the noise, of which there may be none.
    precision = products[2:, 2:] + noise * np.linalg.inv(prior.covariance)
    cross_products = products[1, 2:] - mean * products[0, 2:]
    step: Floats = np.linalg.lstsq(precision, cross_products, rcond=1e-12)[0]
    return prior.mean + step
