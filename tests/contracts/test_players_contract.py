"""What every player of the registry keeps to, whatever it is.

A new player is added to `SPECS`; the first test fails until it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np
import pytest

from railbird.arena import Match
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop
from railbird.game import Rules, acpc_rules, limit_holdem, no_limit_holdem, pot_limit_holdem
from railbird.odds import flop_book
from railbird.players import REGISTRY, make_player
from railbird.players.booker import VERSIONS as BOOKERS
from railbird.players.loki import VERSIONS
from railbird.players.policy import why_not

SPECS = {
    "always-call": ["always-call"],
    "always-raise": [
        "always-raise",
        "always-raise:pot",
        "always-raise:max",
        "always-raise:random",
    ],
    "always-fold": ["always-fold"],
    "random": ["random", "random:amount", "random,fold=0.1,raise=5,size=min"],
    "baseline": ["baseline", "baseline:aggressive-high,turn=loose-low,pot=facing-bet"],
    "loki": [
        *(f"loki:{version}" for version in VERSIONS),
        "loki:gom,check-raise=0.3,fake-check-raise=0.3,balancing-raise=0.3,river-bluff=0.5,jitter=0.1",
    ],
    "booker": [
        *(f"booker:{version}" for version in BOOKERS),
        "booker:2,charts=loosen,groups=revised,ties=share",
        "booker:3,aggression=100,pay=1,memory=5",
    ],
    "killer": ["killer", "killer:groups,draws=on,types=on", "killer:flops"],
    "equilibrium": ["equilibrium:blind"],
    "vexbot": ["vexbot:miximix"],
    "coach": ["coach:random+baseline,tricky=flop"],
    "rollout": ["rollout"],
    "pushfold": ["pushfold", "pushfold:12.5"],
    "tight": ["tight:nolimit"],
    "bot": [],  # as with the next; tests/players/test_bot_program.py
    "llm": [],  # its answers are somebody else's; tests/players/test_llm.py
    "acpc": [],  # what a program keeps to is its own; tests/players/test_acpc.py
    "python": ["python:railbird.players.simple:WeightedPlayer"],
}
OWN = {"python"}
"""Players of the user's; what they keep to is theirs."""
PLAYERS = [spec for name, specs in SPECS.items() if name not in OWN for spec in specs]


@pytest.fixture(autouse=True)
def small_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `killer:flops` play by a book of one page, of one opponent with any two cards.

    Its own book takes a quarter of an hour for tables of six; what it must keep to is the same.
    """
    monkeypatch.setattr(flop_book, "STEPS", (1.0,))
    monkeypatch.setattr(flop_book, "MOST_IN", 1)
    monkeypatch.setattr(flop_book, "MOST_MORE", 1)
    monkeypatch.setattr(flop_book, "compute_page", lambda which, progress=None: one_page(which))
    monkeypatch.setattr(flop_book.FlopBook, "_read", lambda self, which: None)


@cache
def one_page(which: flop_book.Opposition) -> flop_book.Page:
    """Compute a page, once for all tests; (0, 0, 1, 0) is the only one that is asked for."""
    return COMPUTE_PAGE(which)


COMPUTE_PAGE = flop_book.compute_page

TWO_GAMES = (limit_holdem(2), no_limit_holdem(3, blinds=(1, 2), stack=100))
HANDS = 1_000


def tables() -> Iterator[Rules]:
    """Limit and no-limit for two to six, with deep, short and uneven stacks."""
    for seats in range(2, 7):
        yield limit_holdem(seats)
        yield limit_holdem(seats, stack=[35 + 40 * seat for seat in range(seats)], ante=3)
        yield acpc_rules(no_limit_holdem(seats, blinds=(50, 100), stack=20_000))
        yield no_limit_holdem(seats, blinds=(1, 2), stack=[3 + 17 * seat for seat in range(seats)])


def playable(spec: str, games: Iterable[Rules]) -> list[Rules]:
    """Leave out what a player says that it does not play."""
    player = make_player(spec)
    found = [rules for rules in games if why_not(player, rules) is None]
    assert found
    return found


def match(spec: str, rules: Rules, *, deals: int, chunk: int = 1000) -> Match:
    opponents = ("random",) * (rules.seats - 1)
    return Match(
        players=(spec, *opponents),
        rules=rules,
        deals=deals,
        seed=1,
        chunk=chunk,
    )


def table(of: Match) -> ChunkPlayer:
    return ChunkPlayer(ChunkJob(of, Loop.PYTHON, logged=False))


def test_every_player_is_here() -> None:
    assert SPECS.keys() == REGISTRY.keys()


@pytest.mark.slow(
    only=[
        "loki:papp",
        "loki:papp-gom",
        "loki:basic",
        "loki:som",
        "loki:gom2",
        "loki:som2",
        "loki:sim",
        "loki:best",
        "killer",
        "killer:groups,draws=on,types=on",
        "killer:flops",
        "equilibrium:blind",
        "vexbot:miximix",
        "coach:random+baseline,tricky=flop",
        "tight:nolimit",
    ]
)
@pytest.mark.parametrize("spec", PLAYERS)
def test_never_at_fault(spec: str) -> None:
    """How long decisions take, ``tests/bench players`` measures."""
    games = playable(spec, tables())
    for rules in games:
        played = table(match(spec, rules, deals=HANDS // len(games))).play(0)
        assert played.faults[0].as_json() == {}


@pytest.mark.slow(
    only=[
        "loki:best",
        "killer",
        "killer:groups,draws=on,types=on",
        "killer:flops",
        "vexbot:miximix",
    ]
)
@pytest.mark.parametrize("spec", PLAYERS)
def test_the_same_seed_plays_the_same(spec: str) -> None:
    for rules in playable(spec, TWO_GAMES):
        of = match(spec, rules, deals=60)
        assert np.array_equal(table(of).play(0).payoffs, table(of).play(0).payoffs)


@pytest.mark.slow(
    only=[
        "loki:sim",
        "loki:best",
        "killer",
        "killer:groups,draws=on,types=on",
        "killer:flops",
        "vexbot:miximix",
    ]
)
@pytest.mark.parametrize("spec", PLAYERS)
def test_forgets_on_reset(spec: str) -> None:
    for rules in playable(spec, TWO_GAMES):
        played = table(match(spec, rules, deals=120, chunk=40))
        first = played.play(0).payoffs
        played.play(1)
        played.play(2)
        assert np.array_equal(played.play(0).payoffs, first)


@pytest.mark.parametrize("spec", [spec for spec in PLAYERS if spec.startswith(("booker", "roll"))])
def test_full_tables_of_pot_limit(spec: str) -> None:
    """Ten seats, stacks from one chip to deep: tournaments have them."""
    stacks = [1, 2, 5, 30, 35, 200, 600, 1_500, 9_000, 20_000]
    rules = pot_limit_holdem(10, blinds=(10, 20), stack=stacks)
    assert table(match(spec, rules, deals=40)).play(0).faults[0].as_json() == {}
    antes = no_limit_holdem(10, blinds=(10, 20), stack=stacks, ante=5)
    assert table(match(spec, antes, deals=40)).play(0).faults[0].as_json() == {}
