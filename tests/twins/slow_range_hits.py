"""Made hands and draws again, one holding at a time, as a person would name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from railbird.cards import Card, Holding, cards_of
from twins.slow_odds import DECK, value

_MADE = {
    4: "straight",
    5: "flush",
    6: "full house",
    7: "four of a kind",
    8: "straight flush",
}
_ACE = 12
_STRAIGHTS = [{12, 0, 1, 2, 3}, *(set(range(low, low + 5)) for low in range(9))]


def made_hand(holding: Sequence[Card], board: Sequence[Card]) -> str:
    kind = value([*holding, *board])[0]
    if kind in _MADE:
        return _MADE[kind]
    own, ranks = [card // 4 for card in holding], [card // 4 for card in board]
    distinct = sorted(set(ranks), reverse=True)
    if own[0] == own[1]:
        if own[0] in ranks:
            return "set"
        below = sum(rank > own[0] for rank in distinct)
        if below == 0:
            return "overpair"
        return "pair below the board" if below == len(distinct) else "pair below top pair"
    paired = [rank for rank in own if rank in ranks]
    if any(ranks.count(rank) > 1 for rank in paired):
        return "three of a kind"
    if len(paired) > 1:
        return "two pair"
    if not paired:
        return "ace high" if _ACE in own else "high card"
    place = distinct.index(paired[0])
    if 0 < place == len(distinct) - 1:
        return "bottom pair"
    return ("top pair", "second pair", "third pair", "fourth pair")[place]


def draws(holding: Sequence[Card], board: Sequence[Card]) -> set[str]:
    """Names of `Draw`, found by dealing the cards to come and looking at what they make."""
    if len(board) == 5:
        return set()
    every = [*holding, *board]
    kind = value(every)[0]
    told = set()
    if kind < 5:
        counts = Counter(card % 4 for card in every)
        most = max(counts[card % 4] for card in holding)
        told |= {"FLUSH"} if most == 4 else set()
        told |= {"BACKDOOR_FLUSH"} if most == 3 and len(board) == 3 else set()
    if kind < 4:
        ranks, shared = {card // 4 for card in every}, {card // 4 for card in board}
        outs = _completing(ranks, shared, 1)
        if len(outs) > 1:
            told.add(
                "OPEN_ENDED" if _is_open(ranks, {rank for (rank,) in outs}) else "DOUBLE_GUTSHOT"
            )
        elif outs:
            told.add("GUTSHOT")
        elif len(board) == 3 and _completing(ranks, shared, 2):
            told.add("BACKDOOR_STRAIGHT")
    if made_hand(holding, board) in ("high card", "ace high"):
        over = sum(card // 4 > max(one // 4 for one in board) for card in holding)
        told |= [set(), {"ONE_OVERCARD"}, {"TWO_OVERCARDS"}][over]
    return told


def _completing(ranks: set[int], shared: set[int], cards: int) -> set[tuple[int, ...]]:
    """So many ranks that make a straight together with a rank that only the player has."""
    return {
        more
        for more in combinations(sorted(set(range(13)) - ranks), cards)
        for straight in _STRAIGHTS
        if set(more) <= straight <= ranks | set(more) and not straight <= shared | set(more)
    }


def _is_open(ranks: set[int], outs: set[int]) -> bool:
    """Whether two outs are at the ends of four in a row; the ace is also below the deuce."""
    return any(
        low % 13 in outs and low + 5 in outs and set(range(low + 1, low + 5)) <= ranks
        for low in range(-1, 8)
    )


def shares(
    weights: dict[Holding, float], board: Sequence[Card], to_come: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Shares by made hand and by name of `Draw` over all boards that can follow."""
    made: Counter[str] = Counter()
    drawing: Counter[str] = Counter()
    total = 0.0
    for holding, weight in weights.items():
        own = cards_of(holding)
        if set(own) & set(board):
            continue
        for more in combinations(_left([*own, *board]), to_come):
            total += weight
            made[made_hand(own, [*board, *more])] += weight  # type: ignore[assignment]
            for name in draws(own, [*board, *more]):
                drawing[name] += weight  # type: ignore[assignment]
    return (
        {name: share / total for name, share in made.items()},
        {name: share / total for name, share in drawing.items()},
    )


def _left(known: Iterable[Card]) -> list[Card]:
    dead = set(known)
    return [card for card in DECK if card not in dead]
