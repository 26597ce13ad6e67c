"""Advice on demand: odds, and what a house player would do and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from railbird.client.followed_hand import FollowedHand, rules_of
from railbird.game import Betting
from railbird.odds import pot_odds
from railbird.odds.win_probability.win_probability import win_probability
from railbird.players.advice.at_table import advise, adviser_for
from railbird.players.explanation import action_words
from railbird.players.policy import Distribution
from railbird.protocol.messages.game import HandView


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The chances of a hand."""

    opponents: int
    win: float
    """Probability of winning or tying against so many opponents with any two cards."""
    equity: float
    """Expected share of the pot, if nobody folds."""
    needed: float | None
    """Equity at which a call breaks even without more betting; None where there is no call."""


def odds_of(
    hole: Sequence[str], board: Sequence[str], *, opponents: int, to_call: int, pot: int
) -> Odds:
    """Compute the odds of a hand. Raises `BadInput`.

    >>> odds = odds_of(["As", "Ah"], [], opponents=1, to_call=10, pot=30)
    >>> round(odds.win, 2), odds.needed
    (0.85, 0.25)
    """
    found = win_probability(" ".join(hole), " ".join(board), opponents=opponents)
    return Odds(
        opponents=opponents,
        win=found.unbeaten,
        equity=found.share,
        needed=pot_odds(to_call, pot) if to_call else None,
    )


def advice_on(specs: Sequence[str], betting: Betting, hand: HandView) -> str:
    """Ask the first player that can play for the viewer's action; return its answer in words.

    Raises `RailbirdError` if none can, or if it has no answer.
    """
    followed = FollowedHand(betting, hand)
    spec = adviser_for(specs, rules_of(betting, hand), carries_over=True)
    dealt = followed.view
    advice = advise(spec, dealt, followed.news(hand))
    words = f"{spec} would {action_words(advice.action, followed.view.state)}"
    if advice.distribution is not None:
        words += f" ({_in_words(advice.distribution)})"
    return f"{words}\n{advice.reasons}".rstrip()


def _in_words(distribution: Distribution) -> str:
    raises = sum(sizes.probability for sizes in distribution.raises)
    parts = (("fold", distribution.fold), ("call", distribution.call), ("raise", raises))
    return ", ".join(f"{name} {100 * p:.0f} %" for name, p in parts if p >= 0.005)
