"""What a player is shown of the frame that its hand is played in."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from railbird.arena import FaultPolicy
from railbird.arena.guarded_player import GuardedPlayer
from railbird.arena.hand_loop import play_hand
from railbird.game import HEADS_UP_LIMIT, Action, View, initial, seeded_deals, view
from railbird.players import make_player


class Keeper:
    """Plays as another player does, and keeps all that it was shown."""

    def __init__(self, spec: str) -> None:
        self.kept: list[View] = []
        self._player = make_player(spec)

    def reset(self, rng: np.random.Generator) -> None:
        self._player.reset(rng)

    def act(self, view: View) -> Action:
        self.kept.append(view)
        return self._player.act(view)


@pytest.fixture
def kept() -> list[View]:
    """What always-raise was shown, who looks at it, and always-call, who does not."""
    keepers = Keeper("always-raise"), Keeper("always-call")
    seats = [GuardedPlayer(keeper, FaultPolicy()) for keeper in keepers]
    deals = seeded_deals(np.random.default_rng(1), 2, 1)
    play_hand(initial(HEADS_UP_LIMIT), deals, 0, seats, 0)
    return [shown for keeper in keepers for shown in keeper.kept]


def test_a_view_is_what_the_game_makes_of_its_own_state(kept: list[View]) -> None:
    assert {shown.seat for shown in kept} == {0, 1}
    for shown in kept:
        plain = view(shown.state, shown.seat)
        assert shown == plain
        assert plain == shown
        assert hash(shown) == hash(plain)
        assert repr(shown) == repr(plain)
        assert shown.legal.seat == shown.seat == shown.state.actor
        assert shown.state.holdings[1 - shown.seat] is None


def test_a_view_that_is_sent_away_leaves_the_others_cards_behind(kept: list[View]) -> None:
    for shown in kept:
        sent = pickle.loads(pickle.dumps(shown))
        assert type(sent) is View
        assert sent == shown
        assert len(pickle.dumps(shown)) < 2_000  # the frame has 32,256 bytes
