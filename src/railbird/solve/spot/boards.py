"""The boards of a heads-up no-limit spot: the holdings that each leaves, and suit isomorphism.

Boards that a permutation of suits maps to each other are solved once if that permutation changes
nothing in the spot: neither its board, ranges and locks nor the deck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDING_CARDS, HOLDINGS
from railbird.cards.isomorphism_kernels import CARD_UNDER, HOLDING_UNDER
from railbird.solve.simd_kernels import LINE
from railbird.solve.spot.kernels import Boards, live_holdings, place_holdings
from railbird.solve.spot.preflop import PreflopSpot
from railbird.solve.spot.spot import Lock, Spot
from railbird.solve.spot.tree import read_line

_DECK = 52
_RIVER_CARDS = 5
_FIXED, _SHORT = 5, 2
"""Two-byte numbers of a holding on a board, besides one for each member; and their bytes."""
_NONE = np.zeros((0, HOLDINGS), dtype=np.int16)

Held = npt.NDArray[np.int16]
"""(holdings,) holdings, by number, in a board's order."""

_Parents = list[tuple[tuple[int, ...], tuple[Held, Held], list[int]]]
"""For each board: its cards, both players' holdings, and the permutations that keep it."""

_Dealt = list[tuple[tuple[int, ...], int, list[int], list[int]]]
"""For each board: its cards, the number of the board before, the permutations that keep it, and
those that turn it into the boards that it represents."""


@dataclass(slots=True, eq=False)
class StreetBoards:
    """The boards of a street, one for each class of boards that differ by suits alone."""

    cards: list[tuple[int, ...]]
    """The cards of each board, the spot's own first."""
    parents: list[int]
    """The number of each board's parent on the street before."""
    held: list[tuple[Held, Held]]
    """The holdings of each board and player."""
    permutations: list[list[int]]
    """For each board, the permutations of suits that turn it into those that it represents."""
    boards: Boards
    numbers: int
    """The number of regrets of the street; there are as many averages."""

    @property
    def nbytes(self) -> int:
        """The size of the boards' tables in bytes, without the weights of pairs."""
        tables = sum(table.nbytes for table in self.boards) - self.boards.pairs.nbytes
        return tables + sum(holdings.nbytes for both in self.held for holdings in both)

    @property
    def widest(self) -> int:
        """The largest number of holdings on a board, with padding."""
        return int(self.boards.sizes[:, :, 1].max())


def deal_streets(
    spot: Spot,
    slots: Sequence[Sequence[int]],
    *,
    isomorphism: bool = True,
    deck: Sequence[int] = tuple(range(_DECK)),
) -> tuple[list[StreetBoards], tuple[Held, Held]]:
    """Return the streets, and the holdings with which both players begin.

    ``slots`` are the numbers of both players' actions by street. ``deck`` are the cards in play.
    """
    board = tuple(int(card) for card in spot.board)
    ranges = [player_range.weights for player_range in spot.ranges]
    held = tuple(np.flatnonzero(weights > 0).astype(np.int16) for weights in ranges)
    alike = _alike(spot, deck) if isomorphism else [0]
    streets: list[StreetBoards] = []
    previous: _Parents = []
    base = 0
    for number, street_slots in enumerate(slots):
        if number == 0:
            boards: _Dealt = [(board, 0, alike, [0])]
            parents: _Parents = [((), (held[0], held[1]), alike)]
        else:
            parents = previous
            boards = []
            if isinstance(spot, PreflopSpot) and number == 1:
                boards = [
                    _flop(tuple(map(int, flop_share.flop)), alike) for flop_share in spot.flops
                ]
            for parent, (cards, _, group) in enumerate(previous if not boards else ()):
                for card, members in orbits_of_cards(deck, cards, group):
                    # The symmetries of a board are those of its parent that also keep the new card.
                    fixed = [p for p in group if CARD_UNDER[p, card] == card]
                    boards.append(((*cards, card), parent, fixed, members))
        street = _street(boards, parents, street_slots, base)
        streets.append(street)
        base += street.numbers
        previous = [(cards, street.held[k], group) for k, (cards, _, group, _) in enumerate(boards)]
    _link(streets)
    return streets, (held[0], held[1])


def expected_bytes(
    spot: Spot, *, isomorphism: bool = True, deck: Sequence[int] = tuple(range(_DECK))
) -> int:
    """Return an upper bound of the size of all boards' tables in bytes, about a fifth too large."""
    held = sum(len(player_range) for player_range in spot.ranges)
    dealt = list(_boards_of(spot, isomorphism=isomorphism, deck=deck))[1:]
    return sum(_FIXED + len(members) for boards in dealt for _, members in boards) * held * _SHORT


def expected_numbers(spot: Spot, slots: Sequence[Sequence[int]]) -> int:
    """Return how many regrets a tree has over all boards, with isomorphism, without dealing.

    ``slots`` are the numbers of both players' actions by street.
    """
    return sum(
        count * actions
        for counts, of_street in zip(holdings_by_street(spot), slots, strict=True)
        for count, actions in zip(counts, of_street, strict=True)
    )


def holdings_by_street(spot: Spot) -> list[tuple[int, int]]:
    """Return by street how many holdings each player has over all boards, with padding."""
    by_street = []
    for boards in _boards_of(spot):
        cards = np.array([cards for cards, _ in boards], dtype=np.int64)
        counts = []
        for player_range in spot.ranges:
            of_pair = np.zeros((_DECK, _DECK), dtype=np.int64)
            low, high = HOLDING_CARDS[player_range.weights > 0].T
            of_pair[low, high] = of_pair[high, low] = 1
            left = np.full(len(cards), len(low))
            for k, card in enumerate(cards.T):
                # Holdings of two board cards have been subtracted twice; add them back once.
                left -= of_pair.sum(axis=1)[card]
                left += sum((of_pair[card, other] for other in cards.T[:k]), start=np.int64(0))
            counts.append(int((-(-left // LINE) * LINE).sum()))
        by_street.append((counts[0], counts[1]))
    return by_street


def _boards_of(
    spot: Spot, *, isomorphism: bool = True, deck: Sequence[int] = tuple(range(_DECK))
) -> Iterator[list[tuple[tuple[int, ...], list[int]]]]:
    """Yield by street the boards, with the permutations that turn each into its class."""
    alike = _alike(spot, deck) if isomorphism else [0]
    boards = [(tuple(map(int, spot.board)), alike)]
    yield [(cards, [0]) for cards, _ in boards]
    if isinstance(spot, PreflopSpot):
        flops = [_flop(tuple(map(int, flop_share.flop)), alike) for flop_share in spot.flops]
        boards = [(cards, group) for cards, _, group, _ in flops]
        yield [(cards, members) for cards, *_, members in flops]
    while len(boards[0][0]) < _RIVER_CARDS:
        later, street = [], []
        for cards, group in boards:
            for card, members in orbits_of_cards(deck, cards, group):
                later.append(((*cards, card), [p for p in group if CARD_UNDER[p, card] == card]))
                street.append(((*cards, card), members))
        boards = later
        yield street


def _alike(spot: Spot, deck: Sequence[int]) -> list[int]:
    """Return the permutations of suits that change nothing in a spot."""
    weights = [player_range.weights for player_range in (*spot.ranges, *spot.folded)]
    return [
        number
        for number in suits_alike(spot.board, weights, deck)
        if all(_keeps(number, lock) for lock in spot.locks)
    ]


def suits_alike(
    board: Sequence[int], ranges: Sequence[npt.NDArray[np.float64]], deck: Sequence[int]
) -> list[int]:
    """Return the permutations of suits that change neither a board nor ranges nor the deck.

    ``ranges`` are (1326,) each. The first permutation of the result is the identity.
    """
    cards = {int(card) for card in board}
    return [
        number
        for number in range(len(CARD_UNDER))
        if {CARD_UNDER[number, card] for card in cards} == cards
        and all(np.array_equal(weights[HOLDING_UNDER[number]], weights) for weights in ranges)
        and set(CARD_UNDER[number, list(deck)]) == set(deck)
    ]


def _keeps(suits: int, lock: Lock) -> bool:
    """Return whether a permutation changes neither a lock's cards nor its holdings."""
    cards = [word for word in read_line(lock.line) if isinstance(word, int) and word >= 0]
    weights = lock.holdings.weights
    return all(CARD_UNDER[suits, card] == card for card in cards) and np.array_equal(
        weights[HOLDING_UNDER[suits]], weights
    )


def _flop(
    cards: tuple[int, ...], alike: Sequence[int]
) -> tuple[tuple[int, ...], int, list[int], list[int]]:
    """Return a flop with the permutations that keep it and those that turn it into its class."""
    to: dict[frozenset[int], list[int]] = {}
    for number in alike:
        to.setdefault(frozenset(CARD_UNDER[number, list(cards)].tolist()), []).append(number)
    return cards, 0, to[frozenset(cards)], [permutations[0] for permutations in to.values()]


def orbits_of_cards(
    deck: Sequence[int], cards: Sequence[int], group: Sequence[int]
) -> list[tuple[int, list[int]]]:
    """Return one card of each class, with a permutation from it to each card of its class.

    ``cards`` have been dealt, and ``group`` are the permutations that keep the board so far. The
    first card of a class in the deck represents it, and its first permutation is the identity.
    """
    orbits, seen = [], set(cards)
    for card in deck:
        if card in seen:
            continue
        to: dict[int, int] = {}
        for number in group:
            to.setdefault(int(CARD_UNDER[number, card]), number)
        seen.update(to)
        orbits.append((card, list(to.values())))
    return orbits


def _street(
    boards: _Dealt,
    parents: _Parents,
    slots: Sequence[int],
    base: int,
) -> StreetBoards:
    count = len(boards)
    is_river = len(boards[0][0]) == 5
    sizes = np.zeros((count, 2, 4), dtype=np.int64)
    order, strength = np.zeros(HOLDINGS, dtype=np.int64), np.zeros(HOLDINGS, dtype=np.int64)
    left, levels, held = [], [], []
    at = 0
    start = base
    level_first = [0]
    for number, (cards, parent, _, _) in enumerate(boards):
        orders, strengths = [], []
        for player in range(2):
            own = parents[parent][1][player]
            live = live_holdings(np.array(cards, dtype=np.int64), own, is_river, order, strength)
            orders.append(order[:live].astype(np.int16))
            strengths.append(strength[:live].copy())
            # Kernels read whole lines, so each player's holdings are padded to a multiple.
            padded = -(-live // LINE) * LINE
            sizes[number, player] = live, padded, at, start
            at += live
            start += padded * slots[player]
        left.append(orders)
        held.append(tuple(parents[parent][1][p][orders[p]] for p in range(2)))
        begin = np.zeros((1, 2), dtype=np.int64)
        if is_river:
            # Levels of strength of both players together, so that one walk over them compares the
            # two orders.
            every = np.unique(np.concatenate(strengths))
            begin = np.stack(
                [np.searchsorted(player_strengths, every) for player_strengths in strengths], axis=1
            )
            begin = np.vstack([begin, [len(player_strengths) for player_strengths in strengths]])
        levels.append(begin)
        level_first.append(level_first[-1] + len(begin))
    low, high, same = (np.zeros(at, dtype=np.int16) for _ in range(3))
    members = np.cumsum([0] + [len(dealt[3]) for dealt in boards])
    targets = np.zeros((members[-1], 2), dtype=np.int64)
    for player in range(2):
        lengths = [n for k in range(count) for n in [sizes[k, player, 0]] * len(boards[k][3])]
        before = 0 if player == 0 else int(targets[-1, 0] + sizes[-1, 0, 0])
        targets[:, player] = before + np.cumsum([0, *lengths[:-1]])
    target = np.zeros(int(targets[-1, 1] + sizes[-1, 1, 0]), dtype=np.int16)
    numbers = [np.zeros(HOLDINGS, dtype=np.int16) for _ in range(2)]
    place_before = [np.zeros(HOLDINGS, dtype=np.int16) for _ in range(2)]
    last = -1
    for number, (_, parent, _, permutations) in enumerate(boards):
        for player in range(2):
            # A holding that the other player does not have is found at the first place beyond all
            # holdings, where reach is always zero.
            numbers[player][:] = sizes[number, player, 1]
            numbers[player][held[number][player]] = np.arange(len(held[number][player]))
            # Boards come grouped by parent, so its numbering is written once.
            if parent != last:
                own = parents[parent][1][player]
                place_before[player][own] = np.arange(len(own))
        last = parent
        for player in range(2):
            place_holdings(
                parents[parent][1][player],
                left[number][player],
                len(left[number][player]),
                numbers[1 - player],
                low,
                high,
                same,
                int(sizes[number, player, 2]),
                HOLDING_UNDER[permutations],
                place_before[player],
                target,
                int(targets[members[number], player]),
            )
    return StreetBoards(
        cards=[dealt[0] for dealt in boards],
        parents=[dealt[1] for dealt in boards],
        held=held,  # type: ignore[arg-type]
        permutations=[dealt[3] for dealt in boards],
        boards=Boards(
            sizes=sizes,
            order=np.concatenate([holdings for orders in left for holdings in orders]),
            low=low,
            high=high,
            same=same,
            levels=np.ascontiguousarray(np.vstack(levels).astype(np.int16)),
            levels_first=np.array(level_first, dtype=np.int64),
            children=np.zeros(count + 1, dtype=np.int64),
            members=members.astype(np.int64),
            targets=targets,
            target=target,
            pairs=np.zeros(0, dtype=np.float32),
            pairs_first=np.full(count, -1, dtype=np.int64),
        ),
        numbers=start - base,
    )


def _link(streets: list[StreetBoards]) -> None:
    """Fill in which boards of the next street follow each board."""
    for street, later in pairwise(streets):
        street.boards.children[:] = np.searchsorted(later.parents, np.arange(len(street.cards) + 1))
