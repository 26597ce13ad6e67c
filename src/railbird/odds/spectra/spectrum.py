"""Spectra: how often a holding and its opponents end with each strength (Peretz 2005)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import STRENGTHS, Card, CardsLike, Category, Holding, HoldingLike
from railbird.cards.hand_strength._kernels_evaluator import CATEGORY_OF_STRENGTH
from railbird.odds._checks import WeightsLike, known_cards, weights_from
from railbird.odds.settings import PREFLOP_BOARDS
from railbird.odds.spectra._kernels_spectra import count_spectra, find_winning
from railbird.odds.spectra.run_outs import reduced_ranges, run_out_boards

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spectrum:
    """Final hands of a holding and of an opponent's range, by strength, worst first."""

    own: Floats
    """(7462,) probability of each strength at the end."""
    opponent: Floats
    """(7462,) the same for the opponent's range; on a given board, holdings count by weight."""
    sampled: bool
    """True before the flop, where the boards are a sample."""

    def bins(self, count: int) -> tuple[Floats, Floats]:
        """Sum both over ``count`` equally wide bins of strength, worst first."""
        edges = np.arange(count) * STRENGTHS // count
        return np.add.reduceat(self.own, edges), np.add.reduceat(self.opponent, edges)

    def by_category(self) -> dict[Category, tuple[float, float]]:
        """Sum both over the categories of hands, from high card on."""
        category = CATEGORY_OF_STRENGTH.astype(np.int64)
        sums = [np.bincount(category, side, len(Category)) for side in (self.own, self.opponent)]
        return {each: (float(sums[0][i]), float(sums[1][i])) for i, each in enumerate(Category)}

    @property
    def medians(self) -> tuple[int, int]:
        """Median strengths of the holding and of the opponent."""
        half = [int(np.searchsorted(np.cumsum(side), 0.5)) for side in (self.own, self.opponent)]
        return half[0], half[1]

    def separate_odds(self, opponents: int = 1) -> float:
        """Return the odds as the source counts them, each player's final hand on its own board.

        The odds against one are raised to the power of the number of opponents for each own final
        hand. In truth all share a board, which is what `reflective_odds` computes.
        """
        below = np.cumsum(self.opponent) - self.opponent / 2
        return float(self.own @ below**opponents)


@checked
def spectrum(
    hole: HoldingLike,
    board: CardsLike = (),
    weights: WeightsLike | None = None,
    *,
    samples: int = PREFLOP_BOARDS,
    rng: np.random.Generator | None = None,
) -> Spectrum:
    """Return the final hands of a holding and of an opponent with ``weights`` (1326,) or a range.

    Exact from the flop on; before it, over ``samples`` of boards drawn with ``rng``.

    >>> draw = spectrum("As5s", "Ks9s2d")
    >>> f"{draw.by_category()[Category.FLUSH][0]:.4f}"  # 1 - (38 * 37) / (47 * 46)
    '0.3497'
    """
    holding, cards = known_cards(hole, board)
    boards = run_out_boards(holding, cards, rng, samples)
    free, reduced = reduced_ranges(holding, cards, [weights_from(weights).astype(np.float64)])
    own, theirs = np.zeros(STRENGTHS), np.zeros(STRENGTHS)
    count_spectra(holding, boards, free, reduced[0], own, theirs)
    return Spectrum(own=own / own.sum(), opponent=theirs / theirs.sum(), sampled=not cards)


def winning_share(
    holding: Holding, board: Sequence[Card], weights: Sequence[Floats]
) -> list[float]:
    """Return the share of each opponent's weights (1326,) that wins on some run-out.

    0 against all is what the source calls the nuts, or the reflective nuts.
    """
    free, reduced = reduced_ranges(holding, board, weights)
    winning = np.zeros(len(free), dtype=np.uint8)
    boards = run_out_boards(holding, board)
    find_winning(holding, boards, free, winning)
    shares: list[float] = (reduced @ winning / reduced.sum(axis=1)).tolist()
    return shares
