"""Outs: the next cards after which a holding is ahead, and how likely they come."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from railbird._arguments import checked
from railbird.cards import Card, CardsLike, Category, HoldingLike, cards_of, category, strength
from railbird.errors import BadInput
from railbird.odds._checks import WeightsLike, check_opponents, known_cards, weights_from
from railbird.odds.potential.strength_and_potential import hand_strength
from railbird.odds.spectra.run_outs import holdings_without

_AHEAD = 0.5


@dataclass(frozen=True, slots=True)
class NextCard:
    """A card that may come next."""

    card: Card
    category: Category
    """The hand that it makes."""
    ahead: float
    """Probability of being ahead of all opponents after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outs:
    """What the next card does."""

    ahead: float
    """Probability of being ahead of all opponents now."""
    cards: tuple[NextCard, ...]
    """All cards that may come, best first."""

    @property
    def outs(self) -> tuple[NextCard, ...]:
        """Cards that put the holding ahead, more likely than not; none if it is ahead."""
        if self.ahead > _AHEAD:
            return ()
        return tuple(each for each in self.cards if each.ahead > _AHEAD)

    @property
    def dangers(self) -> tuple[NextCard, ...]:
        """Cards that put a holding behind that is ahead."""
        if self.ahead <= _AHEAD:
            return ()
        return tuple(each for each in self.cards if each.ahead <= _AHEAD)

    def chance(self, cards_to_come: int = 1) -> float:
        """Return the probability that at least one out is among the next one or two cards.

        >>> f"{outs('As5s', 'Ks9s2d', 'KdQc').chance(2):.4f}"  # nine spades and three aces
        '0.4667'
        """
        seen, good = len(self.cards), len(self.outs)
        if not 1 <= cards_to_come <= 2:
            raise BadInput(f"{cards_to_come} cards to come; allowed: 1 or 2")
        return 1 - comb(seen - good, cards_to_come) / comb(seen, cards_to_come)


@checked
def outs(
    hole: HoldingLike,
    board: CardsLike,
    weights: WeightsLike | None = None,
    *,
    opponents: int = 1,
) -> Outs:
    """Look at every card that may come next, against opponents with ``weights`` (1326,) or a range.

    Being ahead of several is being ahead of one to the power of their number. Cards that all of the
    range's holdings have are left out. Raises `BadInput` unless the board is a flop or a turn, and
    if the known cards leave nothing of the range.
    """
    holding, cards = known_cards(hole, board)
    if len(cards) not in (3, 4):
        raise BadInput(f"outs on a board of {len(cards)} cards; allowed: 3, 4")
    check_opponents(opponents)
    chances = weights_from(weights)
    if not chances[holdings_without(holding, cards)].any():
        raise BadInput("the known cards leave an opponent no holdings of the range")
    known = {*cards_of(holding), *cards}
    found = []
    for card in (Card(number) for number in range(52) if number not in known):
        after = (*cards, card)
        if not chances[holdings_without(holding, after)].any():
            continue  # the opponent has it
        ahead = hand_strength(holding, after, weights=chances, opponents=opponents)
        made = category(strength([*cards_of(holding), *after]))
        found.append(NextCard(card, made, ahead))
    found.sort(key=lambda each: (-each.ahead, -each.category, -each.card))
    now = hand_strength(holding, cards, weights=chances, opponents=opponents)
    return Outs(ahead=now, cards=tuple(found))
