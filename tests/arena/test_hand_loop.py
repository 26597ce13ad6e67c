"""What a player is shown of the frame that its hand is played in."""

from __future__ import annotations

import importlib
import pickle
from functools import reduce
from typing import Any

import numpy as np
import pytest

from railbird.arena import FaultPolicy, Match, Seating
from railbird.arena.guarded_player import GuardedPlayer
from railbird.arena.hand_loop import play_hand
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Action,
    DealBoard,
    DealHoles,
    Phase,
    Rules,
    Show,
    View,
    initial,
    limit_holdem,
    no_limit_holdem,
    seeded_deals,
    step,
    view,
)
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


# What players are told: everything that their seat sees, and nothing else.


News = list[tuple[Any, ...]]


def told(bad_players: str, rules: Rules, opponent: str, **options: Any) -> News:
    others = (opponent,) * (rules.seats - 1)
    match = Match(players=(f"{bad_players}:Witness", *others), rules=rules, seed=5, **options)
    table = ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=False))
    news: News = importlib.import_module("bad_players_of_test").Witness.told
    news.clear()
    for chunk in range(match.chunks):
        table.play(chunk)
    return news


def hands(news: News) -> list[News]:
    starts = [i for i, item in enumerate(news) if item[0] == "begin"]
    return [news[a:b] for a, b in zip(starts, [*starts[1:], len(news)], strict=True)]


def test_memory_is_reset_at_each_chunk_and_direction(bad_players: str) -> None:
    news = told(
        bad_players, HEADS_UP_LIMIT, "random", deals=25, chunk=10, seating=Seating.DUPLICATE
    )
    begun = [item[0] for item in news if item[0] in ("reset", "begin")]
    runs = "".join("R" if what == "reset" else "." for what in begun).split("R")[1:]
    assert [len(run) for run in runs] == [10, 10, 10, 10, 5, 5]
    draws = [item[1] for item in news if item[0] == "reset"]
    assert len(set(draws)) == 6


@pytest.mark.parametrize(
    "rules", [HEADS_UP_LIMIT, limit_holdem(4), no_limit_holdem(3, blinds=(1, 2), stack=40)]
)
def test_the_events_add_up_to_the_view(bad_players: str, rules: Rules) -> None:
    for hand in hands(told(bad_players, rules, "random", deals=40)):
        first: View = hand[0][1]
        own = tuple(first.holding if seat == first.seat else None for seat in range(rules.seats))
        events = [item[2] for item in hand if item[0] == "observe"]
        log = [DealHoles(own), *events]
        last: View = hand[-1][1]
        assert hand[-1][0] == "end"
        assert reduce(step, log, initial(rules)) == last.state
        assert last.state.phase is Phase.OVER


def test_nobody_sees_what_is_not_shown(bad_players: str) -> None:
    for hand in hands(told(bad_players, limit_holdem(4), "random", deals=60)):
        shown: set[int] = set()
        for item in hand:
            view: View = item[1]
            if item[0] == "observe":
                event = item[2]
                assert isinstance(event, Act | DealBoard | Show) or type(event).__name__ == "Muck"
                if isinstance(event, Show):
                    shown.add(event.seat)
            known = {seat for seat, held in enumerate(view.state.holdings) if held is not None}
            assert known == shown | {view.seat}


def test_the_player_acts_on_the_view_of_its_seat(bad_players: str) -> None:
    news = told(bad_players, limit_holdem(3), "random", deals=30)
    acts = [item[1] for item in news if item[0] == "act"]
    assert acts
    for seen in acts:
        assert seen.state.actor == seen.seat == seen.legal.seat
