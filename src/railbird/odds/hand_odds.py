"""All odds of one holding on one board in a single result, including its outs."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird.cards import (
    Card,
    CardsLike,
    Category,
    HoldingLike,
    cards_of,
    category,
    format_card,
    strength,
)
from railbird.errors import BadInput
from railbird.odds.arguments import WeightsLike, check_opponents, known_cards, weights_from
from railbird.odds.hand_rank import RIVER_WHOLE, ehr, final_ranks, hand_rank
from railbird.odds.potential import hand_strength, potential
from railbird.odds.rank_tables import Tables
from railbird.odds.spectra import holdings_without
from railbird.progress import Progress

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOdds(HasTable):
    """Odds of one holding; None if undefined on the street."""

    ihr: float
    """Immediate hand rank, against one opponent."""
    hr7: float
    """Seven-card hand rank, against one opponent."""
    ehr: float
    """Effective hand rank, against one opponent."""
    hs: float | None
    """Hand strength: the probability of being ahead of all opponents now; from the flop on."""
    ppot1: float | None
    """Positive potential with one card to come; flop and turn."""
    ppot2: float | None
    """Positive potential with two cards to come; flop."""
    npot1: float | None
    npot2: float | None
    raw_odds: float
    """Probability of having the best hand at showdown against all opponents."""


@checked
def hand_odds(
    hole: HoldingLike,
    board: CardsLike = (),
    *,
    opponents: int = 1,
    make1: float = 0.58,
    tables: Tables | None = None,
    progress: Progress | None = None,
) -> HandOdds:
    """Compute all odds of a holding against opponents with any two cards.

    ``make1`` is the threshold in the effective hand rank. Without ``tables`` preflop odds take some
    seconds.

    >>> odds = hand_odds("AcKc", "Kd9s2h", opponents=2)
    >>> f"{odds.hs:.4f} {odds.raw_odds:.4f}"
    '0.9381 0.7875'
    """
    holding, board = known_cards(hole, board)
    check_opponents(opponents)
    rank = hand_rank(holding, board, tables=tables, progress=progress)
    street = max(0, len(board) - 2)
    one_card = potential(holding, board, to_come=1) if street in (1, 2) else None
    two_cards = potential(holding, board, to_come=2) if street == 1 else None
    return HandOdds(
        ihr=rank.ihr,
        hr7=rank.hr7,
        ehr=ehr(rank.ihr, rank.hr7, street, make1),
        hs=hand_strength(holding, board, opponents=opponents) if board else None,
        ppot1=one_card.ppot if one_card else None,
        ppot2=two_cards.ppot if two_cards else None,
        npot1=one_card.npot if one_card else None,
        npot2=two_cards.npot if two_cards else None,
        raw_odds=raw_odds(holding, board, opponents=opponents, tables=tables, progress=progress),
    )


@checked
def raw_odds(
    hole: HoldingLike,
    board: CardsLike = (),
    *,
    opponents: int = 1,
    tables: Tables | None = None,
    progress: Progress | None = None,
) -> float:
    """Return the probability of having the best hand at showdown, with independent opponents.

    Nobody folds. On each completed board the hand rank against one opponent is raised to the power
    of the number of opponents, and the results are averaged (Peretz 2005, "Raw Hand Odds vs. n
    Opponents"). So a draw to the nuts keeps its value against many. Against one opponent this is
    the exact equity.

    >>> [round(raw_odds("As5s", "Ks9s2d", opponents=n), 2) for n in (1, 2, 3)]
    [0.67, 0.53, 0.46]
    """
    check_opponents(opponents)
    counts = final_ranks(hole, board, tables=tables, progress=progress)
    ranks = np.arange(RIVER_WHOLE + 1) / RIVER_WHOLE
    return float(counts @ ranks**opponents / counts.sum())


# Outs: the next cards after which a holding is ahead, and their probability.


_AHEAD = 0.5


@dataclass(frozen=True, slots=True)
class NextCard:
    """A possible next card."""

    card: Card
    category: Category
    """The hand that it makes."""
    ahead: float
    """Probability of being ahead of all opponents after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outs(HasTable):
    """The effect of the next card: which cards put a holding ahead, and which behind."""

    ahead: float
    """Probability of being ahead of all opponents now."""
    cards: tuple[NextCard, ...]
    """All possible next cards, the best first."""

    @property
    def outs(self) -> tuple[NextCard, ...]:
        """Cards after which the holding is more likely ahead than not; none if it is ahead now."""
        if self.ahead > _AHEAD:
            return ()
        return tuple(card for card in self.cards if card.ahead > _AHEAD)

    @property
    def dangers(self) -> tuple[NextCard, ...]:
        """Cards that put behind a holding that is ahead."""
        if self.ahead <= _AHEAD:
            return ()
        return tuple(card for card in self.cards if card.ahead <= _AHEAD)

    def chance(self, cards_to_come: int = 1) -> float:
        """Return the probability that at least one out is among the next one or two cards.

        >>> f"{outs('As5s', 'Ks9s2d', 'KdQc').chance(2):.4f}"  # nine spades and three aces
        '0.4667'
        """
        seen, good = len(self.cards), len(self.outs)
        if not 1 <= cards_to_come <= 2:
            raise BadInput(f"{cards_to_come} cards to come; allowed: 1 or 2")
        return 1 - comb(seen - good, cards_to_come) / comb(seen, cards_to_come)

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each possible next card, the best first."""
        return table_of(
            {
                "card": format_card(next_card.card),
                "makes": next_card.category.name.lower().replace("_", " "),
                "ahead": next_card.ahead,
                "is_out": next_card in self.outs,
            }
            for next_card in self.cards
        )


@checked
def outs(
    hole: HoldingLike,
    board: CardsLike,
    weights: WeightsLike | None = None,
    *,
    opponents: int = 1,
) -> Outs:
    """Find the outs and dangers, against opponents with ``weights`` (1326,) or a range.

    The probability of being ahead of several opponents is that for one to the power of their
    number. Cards that every holding of the range contains are left out. Raises `BadInput` unless
    the board is a flop or a turn, and if the known cards leave nothing of the range.
    """
    holding, cards = known_cards(hole, board)
    if len(cards) not in (3, 4):
        raise BadInput(f"outs on a board of {len(cards)} cards; allowed: 3, 4")
    check_opponents(opponents)
    chances = weights_from(weights)
    if not chances[holdings_without(holding, cards)].any():
        raise BadInput("the known cards leave an opponent no holdings of the range")
    known = {*cards_of(holding), *cards}
    next_cards = []
    for card in (Card(number) for number in range(52) if number not in known):
        after = (*cards, card)
        if not chances[holdings_without(holding, after)].any():
            continue  # every opposing holding has this card
        ahead = hand_strength(holding, after, weights=chances, opponents=opponents)
        made = category(strength([*cards_of(holding), *after]))
        next_cards.append(NextCard(card, made, ahead))
    next_cards.sort(key=lambda next_card: (-next_card.ahead, -next_card.category, -next_card.card))
    now = hand_strength(holding, cards, weights=chances, opponents=opponents)
    return Outs(ahead=now, cards=tuple(next_cards))
