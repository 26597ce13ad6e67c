"""What an opponent is seen to do: flops seen, and how often he bets, raises and goes on."""

from __future__ import annotations

from dataclasses import dataclass, field

from railbird.odds.settings import FLOPS_SEEN, TABLE_SEATS
from railbird.odds.spectra.opponent import looseness_of
from railbird.players.killer.settings import HALVED_EVERY, MOST_IDEAL, PRIOR_DECISIONS, Memory

_STREETS = 4


@dataclass(slots=True)
class Rates:
    """Decisions of a kind: with or without a bet to call, on one street."""

    decisions: float = 0.0
    aggressive: float = 0.0
    """Bets and raises."""
    passive: float = 0.0
    """Calls, or checks where that is free."""

    def halve(self) -> None:
        """Let older decisions count half."""
        self.decisions /= 2
        self.aggressive /= 2
        self.passive /= 2


def _rates() -> list[list[Rates]]:
    return [[Rates(), Rates()] for _ in range(_STREETS)]


@dataclass(slots=True)
class Habits:
    """Counts of one opponent, kept as long as ``memory`` says."""

    memory: Memory = Memory.SHORT
    known_looseness: float | None = None
    """If it is given and not learnt."""
    hands: float = 0.0
    flops: float = 0.0
    """Flops seen."""
    rates: list[list[Rates]] = field(default_factory=_rates)
    """By street, and 1 where there was a bet to call."""
    _since_halved: int = 0

    def begin_hand(self) -> None:
        """Count a hand that the opponent is dealt."""
        if self.memory is Memory.OFF:
            return
        self._since_halved += 1
        if self.memory is Memory.SHORT and self._since_halved >= HALVED_EVERY:
            self._since_halved = 0
            self.hands /= 2
            self.flops /= 2
            for street in self.rates:
                for rates in street:
                    rates.halve()
        self.hands += 1

    def see_flop(self) -> None:
        """Count a flop that he sees."""
        if self.memory is not Memory.OFF:
            self.flops += 1

    def act(self, street: int, *, facing: bool, aggressive: bool, folds: bool) -> None:
        """Count an action."""
        if self.memory is Memory.OFF:
            return
        rates = self.rates[street][facing]
        rates.decisions += 1
        rates.aggressive += aggressive
        rates.passive += not (aggressive or folds)

    def looseness(self, seats: int) -> float:
        """Return starting hands that he plays, as a multiple of the ideal at so many seats."""
        if self.known_looseness is not None:
            return self.known_looseness
        ideal = min(MOST_IDEAL, FLOPS_SEEN * TABLE_SEATS / seats)
        return looseness_of(min(self.flops, self.hands), self.hands, ideal=ideal)

    def raising_share(self, street: int, usual: float, *, facing: bool) -> float:
        """Return the share of holdings with which he bets, or raises a bet, ``usual`` at first."""
        rates = self.rates[street][facing]
        return (usual * PRIOR_DECISIONS + rates.aggressive) / (PRIOR_DECISIONS + rates.decisions)

    def staying_share(self, street: int, usual: float) -> float:
        """Return the share of holdings with which he calls a bet or raises it."""
        rates = self.rates[street][True]
        stays = rates.aggressive + rates.passive
        return (usual * PRIOR_DECISIONS + stays) / (PRIOR_DECISIONS + rates.decisions)

    def staying_rate(self, street: int, unknown: float) -> float:
        """Return how often he calls or raises a bet after the flop, ``unknown`` at first.

        What he does on the other streets counts as long as little is seen of this one.
        """
        seen = [self.rates[each][True] for each in range(1, _STREETS)]
        decisions = sum(rates.decisions for rates in seen)
        stays = sum(rates.aggressive + rates.passive for rates in seen)
        ever = (unknown * PRIOR_DECISIONS + stays) / (PRIOR_DECISIONS + decisions)
        return self.staying_share(street, ever)
