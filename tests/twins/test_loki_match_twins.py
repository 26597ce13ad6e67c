"""Matches of compiled Lokis, byte for byte those of the Lokis in Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from railbird.arena import Match, Ring, Seating, Tournaments
from railbird.arena.match.chunk_player import ChunkPlayer, Job, Loop
from railbird.arena.series.ring import Rebuys, RingTable
from railbird.arena.series.table_session import TableSession
from railbird.arena.series.tournament import TournamentTables
from railbird.game import Betting, acpc_rules, limit_holdem
from railbird.modelling.learned import shipped_model

GENERIC = ("loki:gom", "loki:gom,tightness=tight,offset=20", "loki:gom,raise-to=cap")
SPECIFIC = ("loki:som", "loki:som,decay=0.9", "loki:som,scale=field,checks=inverse")
FIXED = ("loki:bpl", "loki:bpm,weights=uniform,opponents=each", "loki:basic", "loki:bpt")
DECEPTIVE = ("loki:gom2,jitter=0.1", "loki:som2,bluff-below=0.6", "loki:som,river-bluff=1")
SWITCHED = (
    "loki:som,opponents=each,checkers=count",
    "loki:gom,opponents=one,potential=off",
    "loki:som,semi-bluff=off,pot-odds=off,floor=0.0001",
    "loki:gom,showdown-odds=off,make1=0.4,make2=0.7,checks=inverse",
)
MEASURED = ("loki:som,preflop=measured", "loki:bpt,preflop=measured", "loki:gom")
LEARNED = (
    "loki:som,model=learned",
    "loki:gom,model=learned,checkers=count",
    "loki:best,trials=10",
    "loki:sim,trials=10",
    "loki:sim,model=learned,opponents=each,trials=5,jitter=0.1",
    "loki:som,model=learned,fold-equity=off",
)
SIMPLE = ("random", "always-raise", "always-call")


def named(specs: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"p{number}={spec}" for number, spec in enumerate(specs))


def played(
    players: tuple[str, ...], seats: int, deals: int, loop: Loop, seating: Seating, seed: int
) -> bytes:
    everyone = named(players[seat % len(players)] for seat in range(seats))
    rules = acpc_rules(limit_holdem(seats))
    match = Match(
        players=everyone, rules=rules, deals=deals, seed=seed, seating=seating, chunk=deals
    )
    player = ChunkPlayer(Job(match, loop, logged=True))
    try:
        return player.play(0).text
    finally:
        player.close()


def check(
    players: tuple[str, ...], seats: int, deals: int, seating: Seating = Seating.SINGLE
) -> None:
    compiled, slow = (
        played(players, seats, deals, loop, seating, seed=deals + seats)
        for loop in (Loop.COMPILED, Loop.PYTHON)
    )
    for mine, theirs in zip(compiled.splitlines(), slow.splitlines(), strict=True):
        assert mine == theirs
    assert compiled == slow


@pytest.mark.parametrize(
    ("players", "seats", "deals"),
    [
        ((*SPECIFIC, *GENERIC, *FIXED), 10, 250),
        ((*DECEPTIVE, *SIMPLE), 6, 250),
        (SWITCHED, 4, 200),
        (MEASURED, 7, 100),
        (MEASURED, 2, 150),
        ((*LEARNED, "random", "loki:som", "loki:bpl"), 8, 30),
        (LEARNED[:3:2], 2, 40),
    ],
)
def test_compiled_lokis_play_as_in_python(players: tuple[str, ...], seats: int, deals: int) -> None:
    check(players, seats, deals)


def test_compiled_lokis_begin_every_direction_afresh() -> None:
    check(("loki:som2", "loki:som"), 2, 120, Seating.DUPLICATE)


def test_each_compiled_loki_has_its_own_model_of_actions(tmp_path: Path) -> None:
    shipped, path = shipped_model(), tmp_path / "model.npz"
    with path.open("wb") as file:
        replace(
            shipped,
            names=shipped.names[:3],
            preflop=shipped.preflop[:3],
            later=shipped.later[:3],
        ).write(file)
    check(("loki:som,model=learned", f"loki:som,model=learned,actions={path}"), 3, 40)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "seats", "deals"),
    [
        (("loki:som", "loki:gom"), 10, 6000),
        ((*SPECIFIC, *GENERIC, *FIXED, *DECEPTIVE, *SWITCHED, *SIMPLE), 20, 2000),
        ((*SPECIFIC, *SIMPLE), 6, 4000),
        (SWITCHED, 4, 4000),
        (DECEPTIVE, 3, 4000),
        (("loki:som", "baseline"), 2, 4000),
        (("always-raise", "loki:som,raise-to=cap"), 2, 2000),
        (("loki:som,model=learned",), 10, 4000),
        ((*LEARNED, *SPECIFIC, *FIXED), 10, 2000),
        ((*LEARNED, *SIMPLE), 5, 3000),
        (("loki:best,trials=40", "loki:som"), 2, 6000),
        (("loki:sim,trials=20", "baseline"), 2, 5000),
    ],
)
def test_compiled_lokis_play_20_000_hands_as_in_python(
    players: tuple[str, ...], seats: int, deals: int
) -> None:
    check(players, seats, deals)


@pytest.mark.parametrize(
    ("players", "betting", "buy_in"),
    [
        ((*DECEPTIVE, "loki:som", "loki:gom"), Betting.LIMIT, 40),
        (("loki:som", "loki:som", "random", "loki:gom"), Betting.NO_LIMIT, 100),
        (("loki:best", "random", "loki:gom,model=learned", "loki:som"), Betting.NO_LIMIT, 100),
    ],
)
def test_ring_games_of_compiled_lokis_are_those_of_python(
    players: tuple[str, ...], betting: Betting, buy_in: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = Ring(
        players=named(players),
        hands=100,
        session=100,
        betting=betting,
        buy_in=buy_in,
        rebuys=Rebuys(most=1),
        seed=6,
    )
    compiled = RingTable(ring).play(0)
    monkeypatch.setattr(TableSession, "_compiled_table", lambda _: None)
    assert compiled == RingTable(ring).play(0)


@pytest.mark.parametrize("second", ["loki:gom2", "loki:som,model=learned"])
def test_tournaments_of_compiled_lokis_are_those_of_python(
    second: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At three tables players see different hands, and what they learned stays."""
    tournaments = Tournaments(
        players=named(("loki:som", second, "loki:som", "random") * 2),
        count=2,
        seed=7,
        stack=40,
        seats=4,
        betting=Betting.LIMIT,
    )
    compiled = _finishes(tournaments)
    monkeypatch.setattr(TableSession, "_compiled_table", lambda _: None)
    assert compiled == _finishes(tournaments)


def _finishes(tournaments: Tournaments) -> list[object]:
    table = TournamentTables(tournaments)
    return [table.play(0), table.play(1, reset=False)]


def test_what_is_not_compiled_is_played_in_python() -> None:
    for spec in (
        "loki:som,sigma=learned",
        "loki:gom,lookahead=2",
        "loki:sim,lookahead=2",
    ):
        match = Match(players=(f"a={spec}", "b=loki"), deals=1)
        player = ChunkPlayer(Job(match, Loop.AUTO, logged=False))
        assert not player._compiled, spec
        player.close()
