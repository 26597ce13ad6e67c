"""Luck of one seat by what its own player knows, and how far from zero its mean is.

With only one side's cards, as in every site's history, no value of the hand to all players can be
followed. What can be followed is a guess at one seat's share of the pot from its own holding, the
board and the number of live opponents. Its change at a card event, less the mean over all cards
that the player has not seen, is luck whose mean is nearly zero: the cards that are left are not
quite uniform, since opponents' actions tell something of what they hold. `own_bias_of` measures by
how much, exactly, where all cards are known.
"""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.assessment.all_in._kernels_all_in import Hands
from railbird.assessment.all_in.all_in_equity import MOST_SEATS, kernel_hands
from railbird.assessment.decision_divat.scorer import percentiles
from railbird.assessment.decision_divat.settings import ValuePolicy
from railbird.assessment.own_side import _kernels_own_side as kernels
from railbird.cards import CLASS_OF_HOLDING, CLASSES
from railbird.histories.columns import HandBatch
from railbird.players.compiled_policies import rank_tables

_SLICE = 64
_FEW_CLASSES = 8

Floats = npt.NDArray[np.float64]


def own_luck_of(batch: HandBatch, policy: ValuePolicy) -> Floats:
    """Return the luck of each seat by its own cards, (n, 4, S) chips: deal, flop, turn, river.

    Zero where a seat's cards are not known. Of ``policy`` counts how a rank stands against several
    (``gamma``) and from where a hand may be bet. Hands have ten seats at most.
    """
    luck = np.zeros((len(batch), 4, batch.player.shape[1]))
    _of_flops(policy)  # once, not in every thread
    in_slices(partial(_luck, kernel_hands(batch), policy, luck), len(batch), size=_SLICE, what="")
    return luck


def own_bias_of(batch: HandBatch, policy: ValuePolicy) -> Floats:
    """Return what `own_luck_of` is on average given all cards dealt, (n, 4, S) chips.

    The cards to come are uniform over those that nobody holds, whatever was bet, so this is exact.
    That of the deal is zero. All cards of the hands are known (`scorable`).
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
    """Mean guess over all holdings, by the number of opponents, (10,)."""
    opponents = np.arange(MOST_SEATS)
    powers = 1 + policy.gamma * (opponents - 1)
    means: Floats = (percentiles()[:, None] ** powers).mean(axis=0)
    return means


@lru_cache(maxsize=8)
def _of_flops(policy: ValuePolicy) -> Floats:
    """Mean guess over all flops, by class of the holding and number of opponents, (169, 10)."""
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
