"""The independent chip model: the prize money that stacks are worth, and who is paid what.

A player's chance of finishing first is his share of the chips. Given the winner, each other
player's chance of the second place is his share of the chips that are left, and so on. The model is
Harville's ("Assigning probabilities to the outcomes of multi-entry competitions", Journal of the
American Statistical Association 68, 1973). Malmuth brought it to poker ("Gambling Theory and Other
Topics", 1987). It ignores skill, position and the blinds.

The model does not say who knocks out whom. Bounties depend on that, so they need a second
assumption (`BountyModel`).
"""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import permutations

import numpy as np

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird.errors import BadInput, unknown_name
from railbird.progress import Progress
from railbird.tournament.icm_kernels import (
    bounties_by_subsets,
    places_by_quadrature,
    places_by_subsets,
)
from railbird.tournament.settings import MOST_BY_SUBSETS, MOST_PLAYERS, MOST_WITH_BOUNTIES

_STEP = 1 / 8
"""Step of the quadrature in the logarithm of time, for up to 64 players. With more players it is
divided by the root of their number, because the time at which a place is decided has a narrower
distribution. Halving the step changes no digit."""
_NEGLIGIBLE = 38.0
"""exp(-38) is smaller than the rounding error of a probability near 1."""
_FEW = 12
"""Up to so many players, summing over subsets is faster than the quadrature."""
_FINEST = 10**18
"""Largest denominator of a share. Files store shares as text, whose length must have a bound."""


@checked
def prize_equities(
    stacks: Sequence[float], payouts: Sequence[float], *, had: Sequence[float] | None = None
) -> Floats:
    """Return the expected prize of each stack, (players,), in the unit of the payouts.

    ``payouts`` are the prizes from the first place on. Those beyond the number of players have
    already been paid to others. Players without chips have finished behind all others. Of these,
    one who ``had`` more chips before the hand places higher, and equals share their prizes. With
    up to 20 players the sum over all orders is exact; with more it is an integral, good to twelve
    digits.

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
    """Return the expected prize for each number of chips, (chips,), of one of two in a hand.

    The other player has the rest of ``total``. ``others`` are the stacks of the players who are not
    in the hand. Two players without chips count as equals. Raises the errors of `prize_equities`.

    >>> prize_curve([0, 50, 100], 100, [100], [70, 30]).tolist()
    [0.0, 27.5, 50.0]
    """
    prizes = _checked_payouts(payouts)[: 2 + len(others)]
    curve = np.empty(len(chips))
    for number, own_chips in enumerate(chips):
        stacks = _checked_stacks([own_chips, total - own_chips, *others])
        curve[number] = _places(stacks, len(prizes), None, _FEW)[0] @ prizes
    return curve


@checked
def place_probabilities(
    stacks: Sequence[float], places: int | None = None, *, had: Sequence[float] | None = None
) -> Floats:
    """Return the probability of each place, (players, places); the default is all places.

    >>> place_probabilities([50, 30, 20])[0].round(4).tolist()
    [0.5, 0.3393, 0.1607]
    """
    checked_stacks = _checked_stacks(stacks)
    places = len(checked_stacks) if places is None else places
    if not 1 <= places <= len(checked_stacks):
        raise BadInput(f"{places} places; allowed: 1 to {len(checked_stacks)}")
    return _places(checked_stacks, places, had, MOST_BY_SUBSETS)


@checked
def bubble_factors(
    stacks: Sequence[float],
    payouts: Sequence[float],
    *,
    bounties: Bounties | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Return the loss over the gain of the row's player when all-in, (players, players).

    The players of the row and of the column are all-in for the smaller of their stacks. The factor
    is the equity that the row's player loses if he loses the hand, over what he gains if he wins
    it. Equity counts prizes and ``bounties``, including the bounty of a player who is knocked out.
    For chips that are money the factor is 1. With a factor of 1.5, a call needs 60 % where chips
    alone would need 50 %. It is nan on the diagonal and for players without chips, and infinite if
    there is nothing to gain.
    """
    had = _checked_stacks(stacks)
    prizes = _checked_payouts(payouts)[: len(had)]
    players = len(had)

    def worth(after: Floats, heads: Bounties | None) -> Floats:
        equities: Floats = _places(after, len(prizes), had, _FEW) @ prizes
        return equities if heads is None else equities + bounty_equities(after.tolist(), heads)

    now = worth(had, bounties)
    won, lost = np.full((2, players, players), math.nan)
    hands = list(permutations(np.flatnonzero(had > 0).tolist(), 2))
    for done, (winner, loser) in enumerate(hands):
        if progress is not None:
            progress(done, len(hands), "all-ins of two")
        at_risk = min(had[winner], had[loser])
        after = had.copy()
        after[winner], after[loser] = had[winner] + at_risk, had[loser] - at_risk
        heads, cash = bounties, 0.0
        if bounties is not None and not after[loser]:
            taken = np.zeros((players, players))
            taken[loser, winner] = 1.0
            paid, heads = bounties.after(taken)
            cash = paid[winner]
        equities = worth(after, heads)
        won[winner, loser] = equities[winner] + cash - now[winner]
        lost[loser, winner] = now[loser] - equities[loser]
    # A gain as small as a rounding error counts as none.
    least = 1e-12 * max([prizes.max(), *(bounties.heads if bounties else ())])
    some = won > least
    factors = np.where(np.isnan(won), math.nan, math.inf)
    factors[some] = lost[some] / won[some]
    return factors


# Bounties: money on players' heads, for those who knock them out.


class BountyModel(StrEnum):
    """Which of the players who finish higher has knocked a player out."""

    PROPORTIONAL = "proportional"
    """Each of them, with a chance in proportion to his stack."""
    FLAT = "flat"
    """Each of them, with the same chance, as HoldemResources' calculator assumed in 2016."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Bounties:
    """The bounties of a knock-out tournament, plain or progressive.

    Whoever knocks out a player is paid the part ``paid_at_once`` of the bounty on that player's
    head, and the rest is added to his own bounty. The winner of the tournament is paid his own
    bounty. Raises `BadInput` for bounties or a part that no tournament has.
    """

    heads: tuple[float, ...]
    """(players,) the full bounty on each head, in the unit of the prizes."""
    paid_at_once: float = 0.5
    """0.5 in most progressive knock-out tournaments, 1 if bounties do not grow."""
    model: BountyModel = BountyModel.PROPORTIONAL
    """Used for knock-outs to come; in a hand, its pots decide who knocked out whom."""

    def __post_init__(self) -> None:
        _refuse_negative(_numbers(self.heads, "bounties"), "bounty")
        if not 0 <= self.paid_at_once <= 1:
            raise BadInput(f"{self.paid_at_once:g} of a bounty paid at once; allowed: 0 to 1")
        if self.model not in list(BountyModel):
            raise unknown_name("bounty model", self.model, list(BountyModel))

    def after(self, taken: Floats) -> tuple[Floats, Bounties]:
        """Return the bounties paid at once, (players,), and the bounties that remain.

        ``taken`` (players, players) is the part of the row's bounty that the column's player wins.
        Rows of players who are knocked out sum to 1, the others to 0.
        """
        heads = np.asarray(self.heads)
        won = heads @ taken
        left = np.where(taken.any(axis=1), 0.0, heads) + (1 - self.paid_at_once) * won
        return self.paid_at_once * won, replace(self, heads=tuple(left.tolist()))


@checked
def bounty_equities(stacks: Sequence[float], bounties: Bounties) -> Floats:
    """Return the expected bounties that each stack will win, its own included, (players,).

    The order of finish is that of `prize_equities`, and the sum over all orders is exact here too.
    `Bounties.model` says who knocks out whom. The results sum to all bounties.

    Raises `BadInput` for more than 16 players with chips, for a different number of bounties than
    stacks, and for a bounty on a player without chips, who has been knocked out already.

    >>> bounty_equities([50, 30, 20], Bounties(heads=(10, 10, 10))).round(3).tolist()
    [15.268, 8.946, 5.786]
    """
    array = _checked_stacks(stacks)
    heads = np.asarray(bounties.heads, dtype=np.float64)
    if len(heads) != len(array):
        raise BadInput(f"{len(heads)} bounties of {len(array)} players; allowed: one a player")
    playing = np.flatnonzero(array > 0)
    if len(playing) > MOST_WITH_BOUNTIES:
        raise BadInput(
            f"bounties of {len(playing)} players; allowed: up to {MOST_WITH_BOUNTIES} with chips"
        )
    gone = np.flatnonzero((array <= 0) & (heads > 0))
    if gone.size:
        first = int(gone[0])
        raise BadInput(
            f"bounty {heads[first]:g} of player {first + 1}, who has no chips; allowed: 0, as it"
            " has been won"
        )
    shares = array[playing] / array.sum()
    weights = shares if bounties.model == BountyModel.PROPORTIONAL else np.ones(len(playing))
    out = np.empty(len(playing))
    bounties_by_subsets(shares, weights, heads[playing], bounties.paid_at_once, out)
    equities = np.zeros(len(array))
    equities[playing] = out
    return equities


# Probabilities of places.


def _places(
    stacks: Floats, places: int, had: Sequence[float] | Floats | None, most_by_subsets: int
) -> Floats:
    """Return place probabilities: by the model with chips, by what they had without."""
    probabilities = np.zeros((len(stacks), places))
    playing = np.flatnonzero(stacks > 0)
    among = min(places, len(playing))
    # Shares and not chips, so that amounts in any unit stay in the quadrature's range.
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


def _numbers(values: Sequence[float], what: str) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"{what} {reprlib.repr(values)}; allowed: numbers") from None


def _checked_stacks(stacks: Sequence[float]) -> Floats:
    array = _numbers(stacks, "stacks")
    if array.ndim != 1 or not 1 <= len(array) <= MOST_PLAYERS:
        raise BadInput(f"{array.size} stacks; allowed: 1 to {MOST_PLAYERS:,}")
    _refuse_negative(array, "stack")
    if not 0 < array.sum() < math.inf:
        raise BadInput("no chips in the stacks; allowed: at least one stack above 0")
    return array


def _checked_payouts(payouts: Sequence[float]) -> Floats:
    array = _numbers(payouts, "payouts")
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


# Shares of the prize money by place, and the prizes that tied players split.


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


def check_shares(shares: Sequence[Fraction], entrants: int) -> None:
    """Raise `BadInput` unless these are shares of the prize money, by place, for the entrants.

    >>> check_shares([Fraction(3, 2), Fraction(-1, 2)], 6)
    Traceback (most recent call last):
    ...
    railbird.errors.BadInput: 2 prizes for 6 players; allowed: one each at most, the \
first above 0, none below 0, 1 in all, denominators up to 10^18
    """
    fit = all(share >= 0 and share.denominator <= _FINEST for share in shares)
    if len(shares) > entrants or not fit or sum(shares) != 1 or not shares[0]:
        raise BadInput(
            f"{len(shares)} prizes for {entrants} players; allowed: one each at most, the first"
            " above 0, none below 0, 1 in all, denominators up to 10^18"
        )


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


# Finishing places, also for players who are knocked out at the same time.


def places_of(knocked_out: Sequence[int], had: Sequence[int], left: int) -> dict[int, int]:
    """Return the places of players knocked out at the same time, with ``left`` players remaining.

    A player who had more chips before the hand places higher; equals share the better place.

    >>> places_of([4, 5, 6], had=[0, 0, 0, 0, 50, 80, 50], left=3)
    {4: 5, 5: 4, 6: 5}
    """
    return {
        player: left + 1 + sum(had[rival] > had[player] for rival in knocked_out)
        for player in knocked_out
    }
