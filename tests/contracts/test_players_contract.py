"""What every player of the registry keeps to, whatever it is.

A new player is added to `SPECS`; the first test fails until it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path

import pytest

from railbird.cards import HOLDEM, VARIANTS, Variant
from railbird.extending import check_player
from railbird.extending.player_contract import TWO_GAMES, TriedPlayer, claims_in_play, tables
from railbird.game import Rules, in_variant, limit_holdem, no_limit_holdem, pot_limit_holdem
from railbird.odds import flop_book
from railbird.players import CLAIMS, REGISTRY, claims_of, make_player
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
    "sensible": ["sensible"],
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
RARE = {
    "coach:random+baseline,tricky=flop": ["remembers"],  # not seen after 100 hands
    "tight:nolimit": ["draws"],  # a few short-stacked hands alone are mixed
}
"""Claims that are true, and that the deals of the contract are too few to show."""
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


def playable(spec: str, games: Iterable[Rules]) -> list[Rules]:
    """Leave out what a player says that it does not play."""
    player = make_player(spec)
    return [rules for rules in games if why_not(player, rules) is None]


OF_EVERY_GAME = ("always-call", "always-raise:random", "always-fold", "random", "sensible")
GAMES = [name for name, variant in VARIANTS.items() if variant is not HOLDEM]


def other_tables(variant: Variant) -> list[Rules]:
    """Two and as many as the deck serves, by every betting, with deep and uneven stacks."""
    most = variant.most_players
    return [
        in_variant(rules, variant)
        for rules in (
            limit_holdem(2),
            limit_holdem(most, stack=[35 + 40 * seat for seat in range(most)], ante=3),
            pot_limit_holdem(most, blinds=(1, 2), stack=200),
            no_limit_holdem(3, blinds=(1, 2), stack=[3, 20, 37]),
        )
    ]


@pytest.mark.slow(
    but=["omaha", "short-deck-trips"],
)
@pytest.mark.parametrize("name", GAMES)
def test_players_of_every_game_keep_to_it_in_each(name: str) -> None:
    games = other_tables(VARIANTS[name])
    for spec in OF_EVERY_GAME:
        assert playable(spec, games) == games
        check_player(
            spec, games=games, hands=60, only=["methods", "legal actions", "same seed", "reset"]
        )


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
    assert playable(spec, tables())
    check_player(spec, only=["methods", "legal actions"])


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
    assert playable(spec, TWO_GAMES)
    check_player(spec, only=["same seed"])


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
    check_player(spec, only=["reset"])


@pytest.mark.slow(but=["always-call", "always-raise:random", "pushfold"])
@pytest.mark.parametrize("spec", PLAYERS)
def test_claims_are_confirmed_by_play(spec: str) -> None:
    claims = claims_of(spec)
    assert claims is not None
    seen = claims_in_play(TriedPlayer(partial(make_player, spec))).as_json()
    assert seen | dict.fromkeys(RARE.get(spec, ()), True) == claims.as_json()


def test_somebody_else_s_players_have_no_claims() -> None:
    unclaimed = {name for name in REGISTRY if claims_of(name) is None}
    assert unclaimed == {"bot", "llm", "acpc", "python"}
    assert {key.partition(":")[0] for key in CLAIMS} == REGISTRY.keys() - unclaimed


@pytest.mark.parametrize("spec", [spec for spec in PLAYERS if spec.startswith(("booker", "roll"))])
def test_full_tables_of_pot_limit(spec: str) -> None:
    """Ten seats, stacks from one chip to deep: tournaments have them."""
    stacks = [1, 2, 5, 30, 35, 200, 600, 1_500, 9_000, 20_000]
    rules = pot_limit_holdem(10, blinds=(10, 20), stack=stacks)
    antes = no_limit_holdem(10, blinds=(10, 20), stack=stacks, ante=5)
    check_player(spec, games=[rules, antes], hands=80, only=["legal actions"])


def test_the_manual_has_the_claims() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    for spec, claims in CLAIMS.items():
        cells = " | ".join("yes" if claim else "no" for claim in claims.as_json().values())
        assert f"| `{spec}` | {cells} |\n" in page
