"""Strength and potential on a board, compared with the same by enumeration of every next card."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.arena import Match, Ring, Seating, Tournaments
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop
from railbird.arena.ring import Rebuys, RingTable
from railbird.arena.series import TableSession
from railbird.arena.tournament import TournamentTables
from railbird.cards import HOLDING_CARDS, Card, parse_cards
from railbird.game import Betting, acpc_rules, limit_holdem
from railbird.modelling import board_values
from railbird.modelling.learned import shipped_model
from railbird.players.loki import kernels
from railbird.players.loki.rules import board_strengths

BOARDS = ["3h4cJs", "3h4cJh", "3h4hJh", "9s9dJs", "3h4cJs9d", "3h4hJs9d", "2h4hJh9d", "3h5h7hAh"]
"""With every number of cards of a suit, and with pairs."""


def _board(text: str) -> tuple[Card, ...]:
    return tuple(sorted(parse_cards(text)))


def _next(board: tuple[Card, ...]) -> list[Card]:
    return [Card(card) for card in range(52) if card not in board]


@pytest.mark.slow(only=["3h4cJs"])
@pytest.mark.parametrize("text", BOARDS)
def test_potential_adds_up_what_ranking_all_holdings_after_each_card_does(text: str) -> None:
    board, rng = _board(text), np.random.default_rng(len(text))
    now = board_strengths(board)
    later = {card: board_strengths(tuple(sorted((*board, card)))).level for card in _next(board)}
    for holding in rng.choice(np.flatnonzero(now.level >= 0), 30).tolist():
        weights = rng.random(1326) ** 3
        table = np.zeros((3, 3))
        kernels.tally_next(holding, np.array(board, np.uint8), now.level, now.later, weights, table)
        np.testing.assert_array_equal(table, _tallied(holding, now.level, later, weights))


def _tallied(
    holding: int,
    level: NDArray[np.int32],
    later: dict[Card, NDArray[np.int32]],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Rank all holdings after each card, and add up the rounded weights."""
    mine = HOLDING_CARDS[holding]
    others = (level >= 0) & ~np.isin(HOLDING_CARDS, mine).any(axis=1)
    most = weights[others].max()
    parts = np.where(others, (weights / most * kernels.PARTS + 0.5).astype(np.int64), 0)
    now = np.where(level < level[holding], 0, np.where(level == level[holding], 1, 2))
    sums = np.zeros((3, 3), np.int64)
    for card, then in later.items():
        if card not in mine:
            standing = np.where(then < then[holding], 0, np.where(then == then[holding], 1, 2))
            np.add.at(sums, (now, standing), np.where(then >= 0, parts, 0))
    tallied: NDArray[np.float64] = sums * (most / kernels.PARTS)
    return tallied


@pytest.mark.parametrize("text", BOARDS)
def test_gains_are_the_mean_increases_of_strength_by_the_next_card(text: str) -> None:
    board = _board(text)
    values = board_values(board)
    gain = np.zeros(1326)
    for card in _next(board):
        later = board_values(tuple(sorted((*board, card)))).strength
        can_come = np.all(np.not_equal(HOLDING_CARDS, card), axis=1)
        gain += np.where(can_come, np.maximum(later - values.strength, 0), 0)
    possible = ~np.isin(HOLDING_CARDS, board).any(axis=1)
    np.testing.assert_allclose(values.gain, gain * possible / (50 - len(board)), atol=1e-12)


@pytest.mark.parametrize("text", BOARDS)
def test_boards_of_other_suits_share_their_gains(text: str) -> None:
    board = _board(text)
    other = tuple(sorted(Card(card // 4 * 4 + (card + 1) % 4) for card in board))
    moved = HOLDING_CARDS // 4 * 4 + (HOLDING_CARDS + 1) % 4
    low, high = moved.min(axis=1).astype(int), moved.max(axis=1).astype(int)
    places = high * (high - 1) // 2 + low
    np.testing.assert_array_equal(board_values(board).gain, board_values(other).gain[places])


# Matches of compiled Lokis, byte for byte those of the Lokis in Python.


GENERIC = ("loki:gom", "loki:gom,tightness=tight,offset=20", "loki:gom,raise-to=cap")
SPECIFIC = ("loki:som", "loki:som,decay=0.9", "loki:som,scale=field,checks=inverse")
FIXED = ("loki:bpl", "loki:bpm,weights=uniform,opponents=each", "loki:basic", "loki:bpt")
DECEPTIVE = (
    "loki:gom2,jitter=0.1,fake-check-raise=0.5",
    "loki:som2,bluff-below=0.6",
    "loki:som,river-bluff=1",
)
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
    player = ChunkPlayer(ChunkJob(match, loop, logged=True))
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


@pytest.mark.slow(but=["players4-2-150", "players6-2-40"])
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


@pytest.mark.slow
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
        (("loki:som", "loki:gom"), 10, 3000),
        ((*SPECIFIC, *GENERIC, *FIXED, *DECEPTIVE, *SWITCHED, *SIMPLE), 20, 1000),
        ((*SPECIFIC, *SIMPLE), 6, 2000),
        (SWITCHED, 4, 2000),
        (DECEPTIVE, 3, 2000),
        (("loki:som", "baseline"), 2, 2000),
        (("always-raise", "loki:som,raise-to=cap"), 2, 1000),
        (("loki:som,model=learned",), 10, 2000),
        ((*LEARNED, *SPECIFIC, *FIXED), 10, 1000),
        ((*LEARNED, *SIMPLE), 5, 1500),
        (("loki:best,trials=40", "loki:som"), 2, 3000),
        (("loki:sim,trials=20", "baseline"), 2, 2500),
    ],
)
def test_compiled_lokis_play_20_000_hands_as_in_python(
    players: tuple[str, ...], seats: int, deals: int
) -> None:
    check(players, seats, deals)


@pytest.mark.slow(but=["players1-Betting.NO_LIMIT-100"])
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
        player = ChunkPlayer(ChunkJob(match, Loop.AUTO, logged=False))
        assert not player._compiled, spec
        player.close()
