"""A spot solved slowly: every card dealt, every pair of holdings compared, in plain Python.

No suits are alike, no holdings are sorted, and amounts come from what was paid at each node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from railbird.cards import cards_of, strength

Vector = dict[int, float]
"""By holding."""

Strategy = Callable[[Any, tuple[int, ...], int], Sequence[float]]
"""The mix of a holding at a node on a board."""

Worth = Callable[[int, float, float, float], float]
"""What a player has at the end: the player, chips behind, chips won, chips put in."""


class SlowSpot:
    """Both ranges, a betting tree by its nodes, and a deck."""

    def __init__(
        self,
        root: Any,
        board: tuple[int, ...],
        ranges: tuple[Vector, Vector],
        deck: Sequence[int],
        payoff: Callable[[int, Any, str], float],
        flops: Mapping[tuple[int, ...], float] | None = None,
        folded: Sequence[Vector] = (),
    ) -> None:
        self.root, self.board, self.ranges, self.deck = root, board, ranges, deck
        self.flops = flops or {}
        """What each counts, if the spot begins before the flop."""
        self.payoff = payoff
        """Of a player, a node, and win, tie or lose."""
        self.folded = folded
        """The holdings of players who are not in the hand."""
        self.cards = {h: set(cards_of(h)) for each in (*ranges, *folded) for h in each}  # type: ignore[arg-type]
        self.regrets: dict[tuple[int, tuple[int, ...], int], list[float]] = {}
        self.averages: dict[tuple[int, tuple[int, ...], int], list[float]] = {}
        self.strengths: dict[tuple[tuple[int, ...], int], int] = {}
        self.counts: dict[frozenset[int], float] = {}
        pairs = [
            (ranges[0][one] * ranges[1][other], self.cards[one] | self.cards[other])
            for one in ranges[0]
            for other in ranges[1]
            if not self.cards[one] & self.cards[other]
        ]
        counted = sum(weight * self._left(known | set(board)) for weight, known in pairs)
        self.mean = counted / sum(weight for weight, _ in pairs)
        """What folded players' weights come to beside a pair of holdings."""

    def values(
        self, player: int, strategy: Strategy, *, best: bool, locked: Mapping[Any, Any]
    ) -> Vector:
        """Return counterfactual values of the root: by the strategy, or of a best response."""

        def choose(node: Any, board: tuple[int, ...], own: int, found: list[float]) -> float:
            mix = strategy(node, board, own)
            if best and not locked.get((id(node), own)):
                return max(found)
            return sum(p * v for p, v in zip(mix, found, strict=True))

        return self._walk(self.root, self.board, player, self.ranges[1 - player], strategy, choose)

    def iterate(self, t: int) -> None:
        """Do one iteration of discounted regret matching, of one player after the other."""
        gain, loss, keep = t**1.25 / (t**1.25 + 1), t / (t + 20), (t / (t + 1)) ** 6

        def strategy(node: Any, board: tuple[int, ...], holding: int) -> Sequence[float]:
            regrets = self.regrets.get((id(node), board, holding))
            positive = [max(each, 0.0) for each in regrets or ()]
            if sum(positive) <= 0:
                return [1 / len(node.actions)] * len(node.actions)
            return [each / sum(positive) for each in positive]

        def learn(node: Any, board: tuple[int, ...], own: int, found: list[float]) -> float:
            mix, key = strategy(node, board, own), (id(node), board, own)
            value = sum(p * v for p, v in zip(mix, found, strict=True))
            none = [0.0] * len(mix)
            before = [r * (gain if r > 0 else loss) for r in self.regrets.get(key, none)]
            self.regrets[key] = [r + v - value for r, v in zip(before, found, strict=True)]
            sums = self.averages.get(key, none)
            self.averages[key] = [s * keep + p for s, p in zip(sums, mix, strict=True)]
            return value

        for player in (0, 1):
            self._walk(self.root, self.board, player, self.ranges[1 - player], strategy, learn)

    def _walk(
        self,
        node: Any,
        board: tuple[int, ...],
        player: int,
        reach: Vector,
        strategy: Strategy,
        choose: Callable[[Any, tuple[int, ...], int, list[float]], float],
    ) -> Vector:
        own = [h for h in self.ranges[player] if not self.cards[h] & set(board)]
        kind = node.kind.name
        if kind in ("FOLD", "SHOWDOWN"):
            return {h: self._ended(node, board, player, h, reach) for h in own}
        if kind == "LATER":
            total = dict.fromkeys(own, 0.0)
            unseen = len(self.deck) - len(board) - 4 - 2 * len(self.folded)
            coming = {(card,): 1 / unseen for card in self.deck if card not in board}
            for cards, chance in (coming if board else self.flops).items():
                left = {h: w for h, w in reach.items() if not self.cards[h] & set(cards)}
                after = (*board, *cards)
                found = self._walk(node.children[0], after, player, left, strategy, choose)
                for holding, value in found.items():
                    total[holding] += value * chance
            return total
        if node.player != player:
            total = dict.fromkeys(own, 0.0)
            for number, child in enumerate(node.children):
                acted = {h: w * strategy(node, board, h)[number] for h, w in reach.items()}
                for holding, value in self._walk(
                    child, board, player, acted, strategy, choose
                ).items():
                    total[holding] += value
            return total
        each = [self._walk(c, board, player, reach, strategy, choose) for c in node.children]
        return {h: choose(node, board, h, [found[h] for found in each]) for h in own}

    def _ended(
        self, node: Any, board: tuple[int, ...], player: int, own: int, reach: Vector
    ) -> float:
        value = 0.0
        for holding, weight in reach.items():
            if self.cards[holding] & self.cards[own]:
                continue
            if node.kind.name == "FOLD":
                how = "lose" if node.player == player else "win"
            else:
                mine, theirs = self._strength(board, own), self._strength(board, holding)
                how = "win" if mine > theirs else "tie" if mine == theirs else "lose"
            known = self.cards[holding] | self.cards[own] | set(board)
            value += weight * self._left(known) / self.mean * self.payoff(player, node, how)
        return value

    def _left(self, known: set[int]) -> float:
        """Return the weight of what has been folded beside known cards."""
        key = frozenset(known)
        if key not in self.counts:
            self.counts[key] = self._ways(key, len(self.folded))
        return self.counts[key]

    def _ways(self, known: frozenset[int], players: int) -> float:
        if players == 0:
            return 1.0
        return sum(
            weight * self._ways(known | self.cards[holding], players - 1)
            for holding, weight in self.folded[players - 1].items()
            if not self.cards[holding] & known
        )

    def _strength(self, board: tuple[int, ...], holding: int) -> int:
        key = board, holding
        if key not in self.strengths:
            self.strengths[key] = int(strength([*board, *sorted(self.cards[holding])]))  # type: ignore[list-item]
        return self.strengths[key]
