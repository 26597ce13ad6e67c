"""Luck of one seat from its own player's knowledge, and the bias of its mean.

With only one side's cards, as in hand histories from sites, the value of a hand to all players is
unknown. But one seat's share of the pot can be estimated from its own holding, the board and the
number of live opponents. The change of this estimate at a card event, less its mean over all cards
that the player has not seen, is luck with a mean of nearly zero: the unseen cards are not quite
uniform, since opponents' actions reveal something about their holdings. `own_bias_of` computes the
exact bias if all cards are known.
"""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.assessment.all_in._kernels_all_in import Hands
from railbird.assessment.all_in.adjusted_winnings import MOST_SEATS, kernel_hands
from railbird.assessment.decision_divat.scorer import percentiles
from railbird.assessment.decision_divat.settings import ValuePolicy
from railbird.assessment.own_side import _kernels_own_side as kernels
from railbird.cards import CLASS_OF_HOLDING, CLASSES
from railbird.histories.columns import HandBatch
from railbird.players.compiled.policies import rank_tables

_SLICE = 64
_FEW_CLASSES = 8

Floats = npt.NDArray[np.float64]


def own_luck_of(batch: HandBatch, policy: ValuePolicy) -> Floats:
    """Return the luck of each seat by its own cards, (n, 4, S) chips: deal, flop, turn, river.

    Zero if a seat's cards are unknown. ``policy`` supplies the exponent for several opponents
    (``gamma``) and the thresholds for betting. Hands have at most ten seats.
    """
    luck = np.zeros((len(batch), 4, batch.player.shape[1]))
    _of_flops(policy)  # once, not in every thread
    in_slices(partial(_luck, kernel_hands(batch), policy, luck), len(batch), size=_SLICE, what="")
    return luck


def own_bias_of(batch: HandBatch, policy: ValuePolicy) -> Floats:
    """Return the mean of `own_luck_of` given all cards dealt, (n, 4, S) chips.

    Whatever the betting, the cards to come are uniform over those that nobody holds, so this is
    exact. It is zero for the deal. All cards of the hands must be known (`scorable`).
    """
    bias = np.zeros((len(batch), 4, batch.player.shape[1]))
    _of_flops(policy)
    in_slices(partial(_bias, kernel_hands(batch), policy, bias), len(batch), size=_SLICE, what="")
    return bias


def _luck(hands: Hands, policy: ValuePolicy, luck: Floats, first: int, end: int) -> None:
    kernels.own_luck(
        first,
        end,
        hands,
        CLASS_OF_HOLDING,
        percentiles(),
        _of_deals(policy),
        _of_flops(policy),
        rank_tables(),
        _space(policy),
        luck,
    )


def _bias(hands: Hands, policy: ValuePolicy, bias: Floats, first: int, end: int) -> None:
    kernels.own_bias(
        first,
        end,
        hands,
        CLASS_OF_HOLDING,
        _of_flops(policy),
        rank_tables(),
        _space(policy),
        bias,
    )


def _of_deals(policy: ValuePolicy) -> Floats:
    """Return the mean estimate over all holdings, by the number of opponents, (10,)."""
    opponents = np.arange(MOST_SEATS)
    powers = 1 + policy.gamma * (opponents - 1)
    means: Floats = (percentiles()[:, None] ** powers).mean(axis=0)
    return means


@lru_cache(maxsize=8)
def _of_flops(policy: ValuePolicy) -> Floats:
    """Return the mean estimate over all flops, by class and number of opponents, (169, 10)."""
    holdings = np.unique(CLASS_OF_HOLDING, return_index=True)[1].astype(np.int64)
    means = np.zeros((CLASSES, MOST_SEATS))

    def work(first: int, end: int) -> None:
        kernels.tabulate_flops(holdings[first:end], _space(policy), rank_tables(), means[first:end])

    in_slices(work, CLASSES, size=_FEW_CLASSES, what="flops")
    return means


def _space(policy: ValuePolicy) -> npt.NDArray[np.void]:
    space = np.zeros(1, kernels.SPACE)
    space["gamma"] = policy.gamma
    space["bettable"] = [make[0] for make in policy.make]
    return space
