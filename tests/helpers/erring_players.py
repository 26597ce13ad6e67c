"""Players with errors of protocol: twins of a random one, who err by chance or when behind."""

from __future__ import annotations

import numpy as np

from railbird.cards import cards_of
from railbird.game import Action, View
from railbird.players import make_player
from railbird.players.protocol import IllegalAnswer

_TEN = 8


class Erring:
    """Plays as another player does, but errs instead in a part of its decisions."""

    def __init__(self, part: float = 0.0, behind: bool = False, plays: str = "random") -> None:
        self._part = part
        self._behind = behind
        self._player = make_player(plays)

    def reset(self, rng: np.random.Generator) -> None:
        """Begin anew; errors have a generator of their own."""
        own, self._errors = rng.spawn(2)
        self._player.reset(own)

    def act(self, view: View) -> Action:
        """Decide, and err now and then, or only where it is likely to lose."""
        action = self._player.act(view)
        if self._errors.random() < self._part and (not self._behind or _is_behind(view)):
            raise IllegalAnswer("no action in ''")
        return action


def _is_behind(view: View) -> bool:
    """Return whether a bet is faced without a ten, a pair or a card of the board's ranks."""
    first, second = (card // 4 for card in cards_of(view.holding))
    board = {card // 4 for card in view.state.board}
    return (
        view.legal.to_call > 0
        and max(first, second) < _TEN
        and first != second
        and not ({first, second} & board)
    )
