"""The independent chip model: the prize money that stacks are worth, and who is paid what.

A player's chance of the first place is his share of the chips; given who takes it, the second place
is shared by the chips of the others, and so on. The model is Harville's ("Assigning probabilities
to the outcomes of multi-entry competitions", Journal of the American Statistical Association 68,
1973), brought to poker by Malmuth ("Gambling Theory and Other Topics", 1987). It knows neither
skill nor position nor the blinds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird.errors import BadInput
from railbird.tournament.icm_kernels import places_by_quadrature, places_by_subsets
from railbird.tournament.settings import MOST_BY_SUBSETS, MOST_PLAYERS

_STEP = 1 / 8
"""Step in the logarithm of time for up to 64 players, divided by the root of their number beyond:
the time of a place has a narrower distribution with more of them. Halving it changes no digit."""
_NEGLIGIBLE = 38.0
"""exp of minus this is below the rounding of the largest probability."""
_FEW = 12
"""Players for whom the subsets are faster than the quadrature."""


@checked
def prize_equities(
    stacks: Sequence[float], payouts: Sequence[float], *, had: Sequence[float] | None = None
) -> Floats:
    """Return the expected prize of every stack (players,), in the unit of the payouts.

    ``payouts`` are the prizes from the first place on; those beyond the number of players have
    been paid to others. Players without chips have finished behind all others: one who ``had``
    more chips before the hand places higher, equals share their prizes. Up to 20 players the sum
    over orders is exact, with more it is an integral to twelve digits.

    Raises `BadInput` for stacks or payouts that are negative, infinite or too many.

    >>> prize_equities([50, 30, 20], [70, 30]).round(2).tolist()
    [45.18, 32.25, 22.57]
    """
    prizes = _checked_payouts(payouts)[: len(stacks)]
    equities: Floats = _places(_checked_stacks(stacks), len(prizes), had, MOST_BY_SUBSETS) @ prizes
    return equities


@checked
def prize_curve(
    chips: Sequence[float], total: float, others: Sequence[float], payouts: Sequence[float]
) -> Floats:
    """Return (chips,) the expected prize of each number of chips, of one of two in a hand.

    The other one has what is left of ``total``; ``others`` are the stacks of those who are not in
    the hand. Two who both have no chips are not told apart. Raises what `prize_equities` does.

    >>> prize_curve([0, 50, 100], 100, [100], [70, 30]).tolist()
    [0.0, 27.5, 50.0]
    """
    prizes = _checked_payouts(payouts)[: 2 + len(others)]
    curve = np.empty(len(chips))
    for number, each in enumerate(chips):
        stacks = _checked_stacks([each, total - each, *others])
        curve[number] = _places(stacks, len(prizes), None, _FEW)[0] @ prizes
    return curve


@checked
def place_probabilities(
    stacks: Sequence[float], places: int | None = None, *, had: Sequence[float] | None = None
) -> Floats:
    """Return the probability of each place (players, places), by default of all.

    >>> place_probabilities([50, 30, 20])[0].round(4).tolist()
    [0.5, 0.3393, 0.1607]
    """
    checked_stacks = _checked_stacks(stacks)
    places = len(checked_stacks) if places is None else places
    if not 1 <= places <= len(checked_stacks):
        raise BadInput(f"{places} places; allowed: 1 to {len(checked_stacks)}")
    return _places(checked_stacks, places, had, MOST_BY_SUBSETS)


@checked
def bubble_factors(stacks: Sequence[float], payouts: Sequence[float]) -> Floats:
    """Return (players, players): loss over gain of the row's player when all-in.

    The row's and the column's player are all-in for the smaller of their stacks; the factor is the
    prize equity that the row's player loses with the hand over what he gains by winning it. It is
    1 for chips that are money; a factor of 1.5 takes 60 % to call where chips would take 50 %. It
    is nan on the diagonal and for players without chips, and infinite if there is nothing to gain.
    """
    had = _checked_stacks(stacks)
    prizes = _checked_payouts(payouts)[: len(had)]
    players = len(had)

    def equity_of(after: Floats, player: int) -> float:
        return float(_places(after, len(prizes), had, _FEW)[player] @ prizes)

    factors = np.full((players, players), math.nan)
    playing = np.flatnonzero(had > 0).tolist()
    for row in playing:
        now = equity_of(had, row)
        for column in playing:
            if row == column:
                continue
            at_risk = min(had[row], had[column])
            won, lost = had.copy(), had.copy()
            won[row], won[column] = had[row] + at_risk, had[column] - at_risk
            lost[row], lost[column] = had[row] - at_risk, had[column] + at_risk
            gain, loss = equity_of(won, row) - now, now - equity_of(lost, row)
            # A gain that is only rounding stands for none.
            factors[row, column] = loss / gain if gain > 1e-12 * prizes.max() else math.inf
    return factors


def _places(
    stacks: Floats, places: int, had: Sequence[float] | Floats | None, most_by_subsets: int
) -> Floats:
    """Return (players, places): those with chips by the model, those without by what they had."""
    probabilities = np.zeros((len(stacks), places))
    playing = np.flatnonzero(stacks > 0)
    among = min(places, len(playing))
    # Shares rather than chips, so that no unit of chips leaves the range of the quadrature.
    shares = stacks[playing] / stacks[playing].sum()
    out = np.empty((len(playing), among))
    if len(playing) <= most_by_subsets:
        places_by_subsets(shares, among, out)
    else:
        high = math.log(_NEGLIGIBLE / shares.min())
        step = _STEP / max(1.0, math.sqrt(len(playing) / 64))
        nodes = math.ceil((high + _NEGLIGIBLE) / step) + 1
        places_by_quadrature(shares, among, -_NEGLIGIBLE, step, nodes, out)
    probabilities[playing, :among] = out
    busted = np.flatnonzero(stacks <= 0)
    if busted.size and len(playing) < places:
        before = np.zeros(len(stacks)) if had is None else _same_length(had, len(stacks))
        place = len(playing)
        for level in sorted({float(before[player]) for player in busted}, reverse=True):
            tied = busted[before[busted] == level]
            probabilities[tied, place : place + len(tied)] = 1 / len(tied)
            place += len(tied)
    return probabilities


def _same_length(had: Sequence[float] | Floats, players: int) -> Floats:
    before = np.asarray(had, dtype=np.float64)
    if before.shape != (players,):
        raise BadInput(f"{before.size} stacks before the hand for {players} players")
    return before


def _checked_stacks(stacks: Sequence[float]) -> Floats:
    array = np.asarray(stacks, dtype=np.float64)
    if array.ndim != 1 or not 1 <= len(array) <= MOST_PLAYERS:
        raise BadInput(f"{array.size} stacks; allowed: 1 to {MOST_PLAYERS:,}")
    _refuse_negative(array, "stack")
    if not 0 < array.sum() < math.inf:
        raise BadInput("no chips in the stacks; allowed: at least one stack above 0")
    return array


def _checked_payouts(payouts: Sequence[float]) -> Floats:
    array = np.asarray(payouts, dtype=np.float64)
    if array.ndim != 1 or not len(array):
        raise BadInput("no payouts; allowed: one or more prizes, the first place's first")
    _refuse_negative(array, "payout")
    if not array.any():
        raise BadInput("no payout above 0; allowed: one or more prizes, the first place's first")
    return array


def _refuse_negative(array: Floats, what: str) -> None:
    wrong = np.flatnonzero(~((array >= 0) & (array < math.inf)))
    if wrong.size:
        first = int(wrong[0])
        raise BadInput(f"{what} {first + 1} is {array[first]:g}; allowed: 0 or more")


# Shares of the prize money by place, and prizes that tied players split.


@checked
def parse_payouts(text: str) -> tuple[Fraction, ...]:
    """Parse percentages of the prize money by place into fractions, from ``70/30`` or ``70,30``.

    Raises `BadInput` if they are malformed, increase or do not add up to 100.

    >>> parse_payouts("70/30")
    (Fraction(7, 10), Fraction(3, 10))
    """
    parts = re.split(r"[/,]", text)
    if not all(re.fullmatch(r"\d{1,3}(\.\d{1,6})?", part) for part in parts):
        raise BadInput(f"payouts {text!r}; allowed: percentages by place such as 70/30")
    shares = tuple(Fraction(part) / 100 for part in parts)
    if sum(shares) != 1 or list(shares) != sorted(shares, reverse=True):
        raise BadInput(
            f"payouts {text!r}; allowed: percentages that do not increase and add up to 100"
        )
    return shares


def shared_out(payouts: Sequence[Fraction], places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return each player's share of the prize money; tied players split the prizes of their places.

    >>> shared_out(parse_payouts("70/30"), [1, 2, 2])
    (Fraction(7, 10), Fraction(3, 20), Fraction(3, 20))
    """
    prizes = [*payouts, *[Fraction(0)] * len(places)]
    parts = []
    for place in places:
        sharers = places.count(place)
        parts.append(sum(prizes[place - 1 : place - 1 + sharers], Fraction(0)) / sharers)
    return tuple(parts)


# Finishing places, also of players who are knocked out at the same time.


def places_of(knocked_out: Sequence[int], had: Sequence[int], left: int) -> dict[int, int]:
    """Return the places of players knocked out at the same time, with ``left`` players remaining.

    A player who had more chips before the hand places higher; equals share the better place.

    >>> places_of([4, 5, 6], had=[0, 0, 0, 0, 50, 80, 50], left=3)
    {4: 5, 5: 4, 6: 5}
    """
    return {
        player: left + 1 + sum(had[other] > had[player] for other in knocked_out)
        for player in knocked_out
    }
