"""Comparison of winnings in a site's text with the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add, sub
from typing import Final

from railbird.game import is_settled, payoffs, pots
from railbird.histories.rake import exact, settle_raked, uncalled
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.conventions import Conventions, Uncalled
from railbird.histories.sites.hand import SiteHand, SitePlayer
from railbird.histories.sites.money import UNIT
from railbird.histories.verify import Ending
from railbird.units import Chips

_MOST_RAKE: Final = Fraction(1, 4)
"""Largest share of the pot accepted as rake where a text does not state it."""


@dataclass(frozen=True, slots=True)
class SeatedHand:
    """Players of a hand by seat, from the left of the button on, and their chips."""

    hand: SiteHand
    names: tuple[str, ...]
    players: tuple[SitePlayer, ...]
    scale: int

    def chips(self, amount: int) -> Chips:
        """Return the chips of an amount."""
        return Chips(amount * self.scale // UNIT)


def payoffs_of(
    seated: SeatedHand, ending: Ending, conventions: Conventions, unused: Sequence[Chips]
) -> tuple[Fraction, ...]:
    """Return the payoffs after comparing all that the text states of them. Raises `BadHand`.

    ``unused`` are chips by seat that were put in although nobody was left to call them.
    """
    won = [seated.chips(player.won + player.returned) for player in seated.players]
    if not any(won):
        raise BadHand(SkipReason.CUT, "nobody wins")
    for player in seated.players:
        _compare(seated, player)
    logged = list(map(sub, map(sub, won, ending.state.spent), unused))
    if any(player.returned for player in seated.players):
        return _settled(seated, ending, logged)
    without = list(map(add, map(add, logged, uncalled(ending.state)), unused))
    ways = [logged, without] if without != logged else [logged]
    if conventions.uncalled is Uncalled.EXCLUDED:
        ways.reverse()
    refusals = list[BadHand]()
    for way in ways:
        try:
            return _settled(seated, ending, way)
        except BadHand as error:
            refusals.append(error)
    raise refusals[0]


def _compare(seated: SeatedHand, player: SitePlayer) -> None:
    """Compare a player's winnings with the summary. Raises `BadHand`."""
    said = player.said_to_win
    if said is not None and said not in (player.won, player.won + player.returned):
        raise BadHand(
            SkipReason.WRONG_PAYOFF,
            f"seat {player.number} wins {seated.chips(player.won)}, in the summary"
            f" {seated.chips(said)}",
        )


def _settled(seated: SeatedHand, ending: Ending, logged: Sequence[int]) -> tuple[Fraction, ...]:
    """Compare payoffs with the stated rake and pot, and with the engine's payoffs."""
    hand = seated.hand
    rake = -sum(logged)
    pot = sum(ending.state.spent)
    if hand.rake is not None and rake != seated.chips(hand.rake):
        raise BadHand(
            SkipReason.WRONG_PAYOFF, f"a rake of {seated.chips(hand.rake)}, but {rake} is missing"
        )
    if hand.rake is None and (rake > _MOST_RAKE * pot + 1 or (hand.tournament and rake)):
        raise BadHand(SkipReason.WRONG_PAYOFF, f"{rake} of {pot} is missing")
    won = sum(player.won for player in seated.players)
    if hand.total not in (None, won, won + (hand.rake or 0)):
        raise BadHand(
            SkipReason.WRONG_PAYOFF,
            f"a pot of {seated.chips(hand.total or 0)}, {seated.chips(won)} of it are won",
        )
    try:
        return settle_raked(ending, logged)
    except BadHand:
        if rake == 0 and _is_rounded(ending, logged):
            return exact(logged)
        raise


def _is_rounded(ending: Ending, logged: Sequence[int]) -> bool:
    """Return whether the log differs from the rules only in the odd chips, one for each pot."""
    state = ending.state
    if not is_settled(state):
        return False
    most = len(pots(state))
    return all(
        got == due if -spent in (got, due) else abs(got - due) <= most
        for got, due, spent in zip(logged, payoffs(state), state.spent, strict=True)
    )
