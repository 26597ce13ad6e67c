"""The simplest player with a roll-out, which compares its chance with the pot odds."""

from __future__ import annotations

import numpy as np

from railbird.game import Action, View
from railbird.players.booker.judgement import Judgement
from railbird.players.booker.rules import Decision, by_pot_odds
from railbird.players.booker.settings import BookerSettings
from railbird.players.booker.situation import situation_of
from railbird.players.policy import Distribution


class RolloutPlayer:
    """Never raises, checks for free, and calls what its probability of winning pays for."""

    def __init__(self, settings: BookerSettings) -> None:
        self._settings = settings

    def reset(self, rng: np.random.Generator) -> None:
        """Do nothing."""

    def act(self, view: View) -> Action:
        """Compare the probability with the pot odds."""
        return self._decide(view).action

    def distribution(self, view: View) -> Distribution:
        """Return its one action."""
        return Distribution.certain(self.act(view))

    def _decide(self, view: View) -> Decision:
        return by_pot_odds(Judgement(situation_of(view), self._settings, None))
