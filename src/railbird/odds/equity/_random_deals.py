"""Equity by random deals: preparing the draws, and counting the winners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.cards.hand_strength._kernels_evaluator import CARD_KEY, CARD_MASK, HOLDING_MASK
from railbird.errors import BadInput
from railbird.odds.equity._equity_request import NO_DEAL, Question, Tally
from railbird.odds.equity._kernels_equity import SHARES, list_deals
from railbird.odds.equity._kernels_random_deals import Deck, Groups, alias_table, play_random_deals
from railbird.odds.settings import MOST_SAMPLES
from railbird.odds.tables._kernels_ranking import key_of, mask_of
from railbird.progress import Progress

_AT_ONCE = 1 << 17
"""Trials per random stream; a thread needs one or two milliseconds for them."""
_ALWAYS_JOINED = 1 << 12
"""Maximum number of pairs of combinations for drawing two ranges jointly, without clashes."""
_MOST_JOINED = 1 << 18
"""The same if most pairs clash."""

_Masks = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class _Group:
    """Joint holdings of several players: combinations that share no card."""

    players: tuple[int, ...]
    holdings: npt.NDArray[np.uint16]
    """(n, players)."""
    weights: npt.NDArray[np.float64]
    masks: _Masks

    def __len__(self) -> int:
        return len(self.masks)

    def joined(self, other: _Group) -> _Group:
        """Return the combination with another group."""
        mine, its = np.nonzero((self.masks[:, None] & other.masks) == 0)
        return _Group(
            self.players + other.players,
            np.hstack([self.holdings[mine], other.holdings[its]]),
            self.weights[mine] * other.weights[its],
            self.masks[mine] | other.masks[its],
        )


def by_random_deals(
    question: Question, samples: int, rng: np.random.Generator, progress: Progress | None
) -> Tally:
    """Deal and evaluate independent random trials.

    Each run of `_AT_ONCE` has its own stream, seeded with four numbers from ``rng``, so that the
    seed determines every trial, whatever the number of threads.
    """
    if not 1 <= samples <= MOST_SAMPLES:
        raise BadInput(f"{samples} samples; allowed: 1 to {MOST_SAMPLES:,}")
    players = len(question.weights)
    known, anything, groups = _taken_apart(question)
    deck = _deck(question, known)
    hands = np.zeros(players, dtype=np.uint16)
    hands[list(known)] = list(known.values())
    parts = _in_arrays(groups, players)
    whoever = np.array(anything, dtype=np.int64)
    streams = rng.integers(2**64, size=(-(-samples // _AT_ONCE), 4), dtype=np.uint64)
    board_key, board_mask = np.uint64(key_of(question.board)), np.uint64(mask_of(question.board))

    def deal(start: int, stop: int) -> npt.NDArray[np.int64]:
        outcomes = np.zeros(1 << players, dtype=np.int64)
        play_random_deals(
            streams[start // _AT_ONCE],
            stop - start,
            hands,
            parts,
            whoever,
            deck,
            board_key,
            board_mask,
            outcomes,
        )
        return outcomes

    runs = in_slices(deal, samples, size=_AT_ONCE, what="samples", progress=progress)
    return _tally(np.sum(runs, axis=0), players)


def _tally(outcomes: npt.NDArray[np.int64], players: int) -> Tally:
    """Count wins, ties and shares; ``outcomes`` (2**players,) are trials by mask of the winners."""
    masks = np.arange(len(outcomes))
    winners = np.bitwise_count(masks).astype(np.int64)
    share = SHARES // np.maximum(winners, 1)
    among = (masks >> np.arange(players)[:, None] & 1).astype(np.int64)
    return Tally(
        wins=among @ np.where(winners == 1, outcomes, 0),
        ties=among @ np.where(winners > 1, outcomes, 0),
        shares=among @ (outcomes * share),
        squares=among @ (outcomes * share**2),
        trials=int(outcomes.sum()),
    )


def _taken_apart(question: Question) -> tuple[dict[int, int], list[int], list[_Group]]:
    """Return the players with one holding, those with any two cards, and groups of the rest.

    Raises `BadInput` if no deal gives everybody a holding.
    """
    used = np.uint64(mask_of(question.board) | question.dead)
    weights = dict(enumerate(question.weights))
    known: dict[int, int] = {}
    while True:
        # A certain holding removes its cards from the others' ranges.
        weights = {
            p: np.where(HOLDING_MASK & used == 0, chances, 0) for p, chances in weights.items()
        }
        if not all(chances.any() for chances in weights.values()):
            raise BadInput(NO_DEAL)
        certain = next(
            (p for p, chances in weights.items() if np.count_nonzero(chances) == 1), None
        )
        if certain is None:
            break
        known[certain] = int(np.argmax(weights.pop(certain)))
        used |= HOLDING_MASK[known[certain]]
    pairs = comb(52 - int(used).bit_count(), 2)
    anything = [p for p, chances in weights.items() if _is_any(chances, pairs)]
    ranges = {p: chances for p, chances in weights.items() if p not in anything}
    _check_dealable(list(weights.values()), used)
    return known, anything, _joined([_group(p, chances) for p, chances in ranges.items()])


def _is_any(weights: npt.NDArray[np.float64], pairs: int) -> bool:
    """Return whether all pairs of the cards left are equally likely."""
    held = weights[weights != 0]
    return len(held) == pairs and bool((held == held[0]).all())


def _check_dealable(weights: Sequence[npt.NDArray[np.float64]], used: np.uint64) -> None:
    by_player = [np.flatnonzero(chances).astype(np.uint16) for chances in weights]
    if not by_player:
        return
    begins = np.cumsum([0, *map(len, by_player)])
    first = np.empty((1, len(by_player)), dtype=np.uint16)
    if list_deals(np.concatenate(by_player), begins, used, 1, first) == 0:
        raise BadInput(NO_DEAL)


def _group(player: int, weights: npt.NDArray[np.float64]) -> _Group:
    held = np.flatnonzero(weights)
    return _Group(
        (player,), held.astype(np.uint16)[:, None], weights[held], HOLDING_MASK[held].copy()
    )


def _joined(groups: list[_Group]) -> list[_Group]:
    """Join narrow ranges, which would otherwise often clash."""
    groups = sorted(groups, key=len)
    while len(groups) > 1 and len(groups[0]) * len(groups[1]) <= _MOST_JOINED:
        first, second, *rest = groups
        both = first.joined(second)
        if len(both) > max(_ALWAYS_JOINED, len(first) * len(second) // 2):
            break
        groups = sorted([both, *rest], key=len)
    return groups


def _in_arrays(groups: Sequence[_Group], players: int) -> Groups:
    """Return the groups as arrays for the kernel."""
    begins = np.cumsum([0, *map(len, groups)], dtype=np.int64)
    size = int(begins[-1])
    keep, other = np.empty(size), np.empty(size, dtype=np.int64)
    masks = np.empty(size, dtype=np.uint64)
    holdings = np.zeros((size, players), dtype=np.uint16)
    members = np.zeros((len(groups), players), dtype=np.bool_)
    for number, (group, begin) in enumerate(zip(groups, begins.tolist(), strict=False)):
        rows = slice(begin, begin + len(group))
        alias_table(group.weights, keep[rows], other[rows])
        other[rows] += begin
        masks[rows] = group.masks
        holdings[rows, list(group.players)] = group.holdings
        members[number, list(group.players)] = True
    most = np.iinfo(np.uint64).max
    parts = np.where(keep < 1, keep, 0) * 2.0**64
    threshold = np.where(keep < 1, parts.astype(np.uint64), most)
    return Groups(begins, threshold, other, masks, holdings, members)


def _deck(question: Question, known: dict[int, int]) -> Deck:
    """Return the possible draws from the unknown cards."""
    used = np.uint64(mask_of(question.board) | question.dead)
    for holding in known.values():
        used |= HOLDING_MASK[holding]
    to_come = 5 - question.board.size
    first, second = {0: (0, 0), 1: (1, 0), 2: (2, 0), 5: (2, 3)}[to_come]
    free = np.flatnonzero(HOLDING_MASK & used == 0)
    return Deck(
        free.astype(np.uint16),
        HOLDING_MASK[free],
        *_free(first, used),
        *_free(second, used),
    )


def _free(cards: int, used: np.uint64) -> tuple[_Masks, _Masks]:
    """Return masks and keys of all combinations of ``cards`` unused cards; empty for 0 cards."""
    masks, keys = _all_combinations(cards)
    free = masks & used == 0
    return masks[free], keys[free]


@cache
def _all_combinations(cards: int) -> tuple[_Masks, _Masks]:
    if cards == 0:
        return np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.uint64)
    listed = np.array(list(combinations(range(52), cards)))
    return CARD_MASK[listed].sum(axis=1), CARD_KEY[listed].sum(axis=1)
