"""Odds against opponents who have shown something by betting (Peretz 2005)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import Card, CardsLike, Holding, HoldingLike
from railbird.odds._checks import known_cards
from railbird.odds.settings import PREFLOP_BOARDS
from railbird.odds.spectra.odds_against import ShowdownOdds, average_weights, showdown_odds
from railbird.odds.spectra.opponent import Opponent, reflected_weights
from railbird.odds.spectra.run_outs import holdings_without
from railbird.odds.spectra.spectrum import Spectrum, spectrum, winning_share

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectiveOdds:
    """The odds before and after reflection on what the opponents did."""

    raw: ShowdownOdds
    """Against the opponents' ranges."""
    reflective: ShowdownOdds
    """Against what their actions leave."""
    kept: tuple[float, ...]
    """Share of each opponent's range that his actions leave."""
    better: tuple[float, ...] | None
    """Share of what is left of each that wins on some run-out; None before the flop."""
    nuts: bool | None
    """True if no holding of the opponents' ranges can win; None before the flop."""
    reflective_nuts: bool | None
    """The same of what their actions leave."""
    before: Spectrum
    """Final hands of the holding and of the average opponent."""
    after: Spectrum
    """The same for what the actions leave."""


@checked
def reflective_odds(
    hole: HoldingLike,
    board: CardsLike = (),
    opponents: Sequence[Opponent] = (Opponent(),),
    *,
    softness: float = 0.0,
    samples: int = PREFLOP_BOARDS,
) -> ReflectiveOdds:
    """Compute a holding's odds against opponents, before and after reflection on their actions.

    ``softness`` is the width of the fuzzy filter, in shares of all holdings; 0 is the boolean one.
    Before the flop the boards are a sample of so many, always the same. Raises `BadInput` for too
    many opponents, and for ranges or actions that leave no holding.

    >>> odds = reflective_odds("AsTh", "Ts8d2c", [Opponent.parse("preflop:call flop:bet")])
    >>> f"{odds.raw.joint:.4f} {odds.reflective.joint:.4f} {odds.kept[0]:.3f}"
    '0.8114 0.6633 0.102'
    """
    holding, cards = known_cards(hole, board)
    before = [reflected_weights(Opponent(range=each.range), ()) for each in opponents]
    after = [reflected_weights(each, cards, softness=softness) for each in opponents]
    raw, winning, dealt = _against(holding, cards, before, samples)
    if all(map(np.array_equal, before, after)):  # nothing was done yet
        reflective, better, spread = raw, winning, dealt
    else:
        reflective, better, spread = _against(holding, cards, after, samples)
    free = holdings_without(holding, cards)
    return ReflectiveOdds(
        raw=raw,
        reflective=reflective,
        kept=tuple(
            float(left[free].sum() / whole[free].sum())
            for whole, left in zip(before, after, strict=True)
        ),
        better=better,
        nuts=None if winning is None else not any(winning),
        reflective_nuts=None if better is None else not any(better),
        before=dealt,
        after=spread,
    )


def _against(
    holding: Holding, board: Sequence[Card], weights: Sequence[Floats], samples: int
) -> tuple[ShowdownOdds, tuple[float, ...] | None, Spectrum]:
    """Return the odds, what still can win, and the spectrum, against opponents' weights."""
    return (
        showdown_odds(holding, board, weights, samples=samples),
        _winning(holding, board, weights),
        spectrum(holding, board, average_weights(holding, board, weights), samples=samples),
    )


def _winning(
    holding: Holding, board: Sequence[Card], weights: Sequence[Floats]
) -> tuple[float, ...] | None:
    return tuple(winning_share(holding, board, weights)) if board else None
