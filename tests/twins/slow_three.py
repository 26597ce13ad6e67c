"""Three players at a spot, one triple of holdings after the other: values and best responses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

Triple = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
Reach = dict[Triple, float]
Mix = Callable[[Any, tuple[int, ...], int, tuple[int, int]], Sequence[float]]
"""From a decision, the board, the seat and the holding, the chances of its actions."""


def triples(weights: Sequence[dict[tuple[int, int], float]], board: Sequence[int]) -> Reach:
    """All three holdings that share no card with each other or the board, with their weights."""
    reach: Reach = {}
    for held in product(weights[0], weights[1], weights[2]):
        cards = [card for holding in held for card in holding] + list(board)
        if len(set(cards)) == len(cards):
            weight = 1.0
            for of, holding in zip(weights, held, strict=True):
                weight *= of[holding]
            if weight > 0:
                reach[held] = weight
    return reach


def shares(
    pot: int, paid: Sequence[int], folded: Sequence[bool], ranks: Sequence[int]
) -> list[float]:
    """What each wins less what it paid: side pots are peeled off, the smallest stake first."""
    left = list(paid)
    won = [-float(put) for put in paid]
    chips = float(pot)
    live = [seat for seat in range(3) if not folded[seat]]
    while True:
        if chips:
            best = max(ranks[seat] for seat in live)
            winners = [seat for seat in live if ranks[seat] == best]
            for seat in winners:
                won[seat] += chips / len(winners)
        stakes = [put for put in left if put > 0]
        if not stakes:
            return won
        smallest = min(stakes)
        live = [seat for seat in range(3) if not folded[seat] and left[seat] > 0]
        chips = sum(min(put, smallest) for put in left)
        left = [max(put - smallest, 0) for put in left]


def values(
    node: Any,
    player: int,
    reach: Reach,
    board: tuple[int, ...],
    mix: Mix,
    rank: Callable[[tuple[int, ...], tuple[int, int]], int],
    pot: int,
    *,
    best: bool,
) -> dict[tuple[int, int], float]:
    """What each holding of a player is worth at a node, summed over what it meets."""
    worth: dict[tuple[int, int], float] = {}

    def add(more: dict[tuple[int, int], float]) -> None:
        for holding, value in more.items():
            worth[holding] = worth.get(holding, 0.0) + value

    if node.kind == 1:
        holdings = {holding for held in reach for holding in held}
        ranked = {holding: rank(board, holding) if len(board) == 5 else 0 for holding in holdings}
        won = cache(lambda *ranks: shares(pot, node.paid, node.folded, ranks)[player])
        for held, weight in reach.items():
            of_triple = weight * won(*(ranked[holding] for holding in held))
            worth[held[player]] = worth.get(held[player], 0.0) + of_triple
        return worth
    if node.kind == 2:
        for card, dealt in _cards(reach, board):
            add(values(node.children[0], player, dealt, (*board, card), mix, rank, pot, best=best))
        return worth
    if node.seat != player:
        holdings = {held[node.seat] for held in reach}
        mixes = {holding: mix(node, board, node.seat, holding) for holding in holdings}
        for place, child in enumerate(node.children):
            seen = {held: weight * mixes[held[node.seat]][place] for held, weight in reach.items()}
            add(values(child, player, seen, board, mix, rank, pot, best=best))
        return worth
    of_actions = [
        values(child, player, reach, board, mix, rank, pot, best=best) for child in node.children
    ]
    for holding in of_actions[0]:
        found = [of.get(holding, 0.0) for of in of_actions]
        chances = mix(node, board, player, holding)
        mean = sum(chance * value for chance, value in zip(chances, found, strict=True))
        worth[holding] = max(found) if best else mean
    return worth


def _cards(reach: Reach, board: tuple[int, ...]) -> Iterator[tuple[int, Reach]]:
    left = 52 - len(board) - 6
    for card in range(52):
        if card in board:
            continue
        yield (
            card,
            {
                held: weight / left
                for held, weight in reach.items()
                if all(card not in holding for holding in held)
            },
        )
