"""Blackjack enumerated card by card: every hole card, every draw, every hand of a split.

Ranks are 1 for an ace to 10. The hole card is dealt before anybody plays and enumerated like any
other card, so nothing here knows a conditional probability in closed form, nor that the hands of a
split are alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

Shoe = tuple[int, ...]
"""Cards of each rank, the ace first."""


@dataclass(frozen=True)
class SlowRules:
    hits_soft_17: bool = True
    peeks: bool = True
    double_after_split: bool = True
    most_hands: int = 2
    resplit_aces: bool = False
    hit_split_aces: bool = False
    charlie: int = 99


def total_of(cards: tuple[int, ...]) -> tuple[int, bool]:
    hard = sum(cards)
    soft = 1 in cards and hard <= 11
    return hard + 10 * soft, soft


def less(shoe: Shoe, *cards: int) -> Shoe:
    left = list(shoe)
    for card in cards:
        left[card - 1] -= 1
    assert min(left) >= 0
    return tuple(left)


def draws(shoe: Shoe) -> Iterator[tuple[int, float]]:
    size = sum(shoe)
    for place, count in enumerate(shoe):
        if count:
            yield place + 1, count / size


class Enumeration:
    """One upcard and one set of rules."""

    def __init__(self, upcard: int, rules: SlowRules) -> None:
        self.upcard = upcard
        self.rules = rules
        self.dealer = cache(self._dealer)
        # Of this object, not of the class: gigabytes go with it.
        self._values = cache(self._values_of)

    def _dealer(self, shoe: Shoe, cards: tuple[int, ...]) -> dict[int, float]:
        """The dealer's totals, 0 for a bust and 22 for a blackjack."""
        total, soft = total_of(cards)
        if len(cards) == 2 and total == 21:
            return {22: 1.0}
        if total > 21:
            return {0: 1.0}
        if total > 17 or (total == 17 and not (soft and self.rules.hits_soft_17)):
            return {total: 1.0}
        ends: dict[int, float] = {}
        for card, chance in draws(shoe):
            for end, later in self.dealer(less(shoe, card), tuple(sorted((*cards, card)))).items():
                ends[end] = ends.get(end, 0.0) + chance * later
        return ends

    def holes(self, shoe: Shoe) -> list[tuple[int, float]]:
        """Hole cards that are possible when the player acts, with their chances."""
        possible = [
            (card, chance)
            for card, chance in draws(shoe)
            if not (self.rules.peeks and {card, self.upcard} == {1, 10})
        ]
        whole = sum(chance for _, chance in possible)
        return [(card, chance / whole) for card, chance in possible]

    def stand(self, shoe: Shoe, total: int) -> float:
        value = 0.0
        for hole, chance in self.holes(shoe):
            ends = self.dealer(less(shoe, hole), tuple(sorted((self.upcard, hole))))
            for end, later in ends.items():
                value += chance * later * ((total > end) - (total < end))
        return value

    def next_cards(self, shoe: Shoe) -> dict[int, float]:
        chances: dict[int, float] = {}
        for hole, chance in self.holes(shoe):
            for card, later in draws(less(shoe, hole)):
                chances[card] = chances.get(card, 0.0) + chance * later
        return chances

    def values(self, shoe: Shoe, cards: tuple[int, ...]) -> dict[str, float]:
        """Values of a hand, whose cards are not in the shoe."""
        return self._values(shoe, tuple(sorted(cards)))

    def _values_of(self, shoe: Shoe, cards: tuple[int, ...]) -> dict[str, float]:
        total, _ = total_of(cards)
        if len(cards) >= self.rules.charlie:
            return {"stand": 1.0}
        values = {"stand": self.stand(shoe, total), "hit": 0.0}
        double = 0.0
        for card, chance in self.next_cards(shoe).items():
            after = (*cards, card)
            if total_of(after)[0] > 21:
                values["hit"] -= chance
                double -= chance
                continue
            then = self.values(less(shoe, card), after)
            values["hit"] += chance * max(then["stand"], then.get("hit", -9.0))
            double += chance * then["stand"]
        if len(cards) == 2:
            values["double"] = 2 * double
        return values

    def split(self, shoe: Shoe, card: int, *, again: bool) -> float:
        """Value of splitting a pair that is not in the shoe, each hand played as before it."""
        before = list(shoe)
        before[card - 1] += 2
        value = 0.0
        for hole, chance in self.holes(shoe):
            self._before = tuple(before)
            self._hole = hole
            self._again = again
            value += chance * self._play(less(shoe, hole), card, 2, 2, ())
        return value

    def _action(self, cards: tuple[int, ...]) -> str:
        values = self.values(less(self._before, *cards), cards)
        allowed = ["stand", "hit"]
        if len(cards) == 2 and self.rules.double_after_split:
            allowed.append("double")
        return max(allowed, key=lambda action: values.get(action, -9.0))

    def _play(
        self, shoe: Shoe, card: int, waiting: int, hands: int, done: tuple[tuple[int, int], ...]
    ) -> float:
        """Play the hands that wait for a second card, one after the other; then the dealer."""
        memo: dict[object, float] = self.__dict__.setdefault("_memo", {})
        key = (self._hole, self._again, shoe, card, waiting, hands, done)
        if key not in memo:
            memo[key] = self._play_once(shoe, card, waiting, hands, done)
        return memo[key]

    def _play_once(
        self, shoe: Shoe, card: int, waiting: int, hands: int, done: tuple[tuple[int, int], ...]
    ) -> float:
        if not waiting:
            ends = self.dealer(shoe, tuple(sorted((self.upcard, self._hole))))
            return sum(
                chance * bet * ((total > end) - (total < end))
                for end, chance in ends.items()
                for total, bet in done
            )
        value = 0.0
        for second, chance in draws(shoe):
            left = less(shoe, second)
            room = hands < self.rules.most_hands and (card != 1 or self.rules.resplit_aces)
            if second == card and self._again and room:
                value += chance * self._play(left, card, waiting + 1, hands + 1, done)
            else:
                value += chance * self._hand(left, (card, second), card, waiting - 1, hands, done)
        return value

    def _hand(
        self,
        shoe: Shoe,
        cards: tuple[int, ...],
        card: int,
        waiting: int,
        hands: int,
        done: tuple[tuple[int, int], ...],
    ) -> float:
        total, _ = total_of(cards)
        if total > 21:  # lost now: a total of -1 loses to a bust, too
            return self._next(shoe, card, waiting, hands, done, -1, 1)
        one_card = card == 1 and not self.rules.hit_split_aces
        action = "stand" if one_card else self._action(tuple(sorted(cards)))
        if action == "stand":
            return self._next(shoe, card, waiting, hands, done, total, 1)
        value = 0.0
        for drawn, chance in draws(shoe):
            left, after = less(shoe, drawn), (*cards, drawn)
            if action == "hit":
                value += chance * self._hand(left, after, card, waiting, hands, done)
            else:
                end = total_of(after)[0]
                end = -1 if end > 21 else end
                value += chance * self._next(left, card, waiting, hands, done, end, 2)
        return value

    def _next(
        self,
        shoe: Shoe,
        card: int,
        waiting: int,
        hands: int,
        done: tuple[tuple[int, int], ...],
        total: int,
        bet: int,
    ) -> float:
        return self._play(shoe, card, waiting, hands, tuple(sorted((*done, (total, bet)))))
