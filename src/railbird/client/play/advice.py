"""Advice on demand: odds, and what a house player would do and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from railbird.client.followed_hand import FollowedHand, rules_of
from railbird.errors import BadInput, RailbirdError
from railbird.game import Betting, View
from railbird.odds import pot_odds
from railbird.odds.win_probability.win_probability import win_probability
from railbird.players import Observer, make_player, policy
from railbird.players.explanation import action_words, explanation_words
from railbird.players.policy import Explaining
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What a house player would do, who knows this hand only."""

    player: str
    action: str
    probabilities: str
    """Empty where the player does not know them."""
    reasons: str
    """Empty where the player has none to give."""


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


def adviser_for(specs: Sequence[str], betting: Betting, hand: HandView) -> str:
    """Return the first player that can play such a hand. Raises `BadInput` if none can."""
    why = "no player is named"
    for spec in specs:
        try:
            player = make_player(spec, writes=False)
        except RailbirdError as problem:
            why = str(problem)
            continue
        refused = policy.why_not(player, rules_of(betting, hand), carries_over=True)
        policy.close(player)
        if refused is None:
            return spec
        why = f"{spec}: {refused}"
    raise BadInput(f"nobody to ask: {why}")


def advice_of(spec: str, betting: Betting, hand: HandView, *, seed: int = 0) -> Advice:
    """Ask a house player for the viewer's action. Raises `RailbirdError` if it has none."""
    player = make_player(spec, writes=False)
    try:
        player.reset(np.random.default_rng(seed))
        shown = _told(player, betting, hand)
        distribution = policy.distribution_of(player, shown)
        action = player.act(shown)
        reasons = explanation_words(player.explain(shown)) if isinstance(player, Explaining) else ""
    except RailbirdError:
        raise
    except (Exception, SystemExit) as problem:  # a player may be anybody's program
        raise RailbirdError(f"{spec}: {type(problem).__name__}: {problem}") from problem
    finally:
        policy.close(player)
    return Advice(
        player=spec,
        action=action_words(action, shown.state),
        probabilities="" if distribution is None else _in_words(distribution),
        reasons=reasons,
    )


def _told(player: object, betting: Betting, hand: HandView) -> View:
    """Show a player the hand so far; return it as it is now."""
    followed = FollowedHand(betting, hand)
    observer = player if isinstance(player, Observer) else None
    if observer is not None:
        observer.begin(followed.view)
    for shown, event in followed.news(hand):
        if observer is not None:
            observer.observe(shown, event)
    return followed.view


def _in_words(distribution: policy.Distribution) -> str:
    raises = sum(sizes.probability for sizes in distribution.raises)
    parts = (("fold", distribution.fold), ("call", distribution.call), ("raise", raises))
    return ", ".join(f"{name} {100 * p:.0f} %" for name, p in parts if p >= 0.005)
