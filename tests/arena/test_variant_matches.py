"""Matches and ring games of other games than hold'em, and their logs of PHHS."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird import arena, histories
from railbird.cards import HOLDEM, VARIANTS
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Betting,
    Call,
    View,
    acpc_rules,
    in_variant,
)
from railbird.histories import HandRecord, Skipped
from railbird.players import policy, registry

PLAYED = [name for name, variant in VARIANTS.items() if variant is not HOLDEM]


def match_of(name: str, *players: str, deals: int = 40, **fields: object) -> arena.Match:
    rules = in_variant(HEADS_UP_NO_LIMIT, VARIANTS[name])
    players = players or ("random", "always-call")
    return arena.Match(players=players, rules=rules, deals=deals, chunk=16, **fields)  # type: ignore[arg-type]


def read(path: Path) -> list[HandRecord]:
    hands = list(histories.read(path, variants=True))
    assert not [hand for hand in hands if isinstance(hand, Skipped)], hands
    return [hand for hand in hands if isinstance(hand, HandRecord)]


@pytest.mark.parametrize("name", PLAYED)
def test_a_log_has_the_hands_and_goes_on_where_it_stopped(name: str, tmp_path: Path) -> None:
    log, cut = tmp_path / "a.phhs", tmp_path / "b.phhs"
    match = match_of(name, seating=arena.Seating.DUPLICATE)
    result = arena.play(match, log=log)
    hands = read(log)
    assert len(hands) == 80
    assert [(h.cards, h.actions, h.payoffs) for h in hands] == [
        (h.cards, h.actions, h.payoffs) for h in arena.hands(match)
    ]
    won = np.zeros(2)
    for hand in hands:
        won += [float(hand.payoffs[hand.players.index(player)]) for player in match.names]
    assert won == pytest.approx(result.payoffs.sum(axis=(0, 1)))
    lines = log.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[: len(lines) // 2]))
    again = arena.play(match, log=cut)
    assert again.resumed > 0
    assert cut.read_bytes() == log.read_bytes()
    assert np.array_equal(again.payoffs, result.payoffs)


def test_duplicate_deals_give_both_players_the_same_cards(tmp_path: Path) -> None:
    match = match_of("omaha", "always-call", "always-call", seating=arena.Seating.DUPLICATE)
    assert not arena.play(match).payoffs.sum(axis=0).any()


@pytest.mark.parametrize("betting", [Betting.LIMIT, Betting.POT_LIMIT, Betting.NO_LIMIT])
def test_ring_games(betting: Betting, tmp_path: Path) -> None:
    log, written = tmp_path / "ring.phhs", tmp_path / "again.phhs"
    ring = arena.Ring(
        players=("random", "random", "always-call", "always-raise", "random"),
        hands=60,
        seed=1,
        buy_in=40,
        betting=betting,
        variant=VARIANTS["omaha5-hilo"],
        session=30,
    )
    result = arena.play_ring(ring, log=log)
    assert result.hands == 60
    assert result.won.sum() == 0
    hands = read(log)
    assert sum(sum(hand.payoffs) for hand in hands) == 0
    assert {hand.rules.variant.name for hand in hands} == {"omaha5-hilo"}
    histories.write(hands, written)
    assert [replace(hand, number=None) for hand in read(written)] == [
        replace(hand, number=None) for hand in hands
    ]
    assert arena.play_ring(ring, log=log).won.tolist() == result.won.tolist()


@pytest.mark.parametrize("seating", [arena.Seating.SINGLE, arena.Seating.PERMUTED])
def test_tournaments(seating: arena.Seating, tmp_path: Path) -> None:
    log, cut = tmp_path / "a.phhs", tmp_path / "b.phhs"
    tournaments = arena.Tournaments(
        players=("random", "always-call", "a=random"),
        count=3,
        seed=2,
        stack=150,
        betting=Betting.POT_LIMIT,
        variant=VARIANTS["omaha-hilo"],
        seating=seating,
    )
    result = arena.play_tournaments(tournaments, log=log)
    assert result.as_json()["variant"] == "omaha-hilo"
    hands = read(log)
    assert len(hands) == result.hands
    assert all(hand.tournament and hand.rules.variant.name == "omaha-hilo" for hand in hands)
    assert sum(sum(hand.payoffs) for hand in hands) == 0
    cut.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:40]))
    assert np.array_equal(arena.play_tournaments(tournaments, log=cut).places, result.places)
    assert cut.read_bytes() == log.read_bytes()
    if seating is not arena.Seating.SINGLE:  # the first hands of a set have the same cards
        first = [hand for hand in hands if hand.number == 1]
        assert len({frozenset(hand.cards) for hand in first}) == 1
    with pytest.raises(BadInput, match="another series of tournaments"):
        arena.play_tournaments(replace(tournaments, variant=VARIANTS["omaha"]), log=log)


def test_a_tournament_that_is_not_dealt_is_refused_at_once() -> None:
    with pytest.raises(BadInput, match="9 seats in omaha6; allowed: 2 to 7"):
        arena.Tournaments(
            players=("random",) * 10, count=1, seed=1, stack=100, variant=VARIANTS["omaha6"]
        )
    with pytest.raises(BadInput, match="8 players in duplicate in stud"):
        arena.Tournaments(
            players=("random",) * 8,
            count=8,
            seed=1,
            stack=100,
            variant=VARIANTS["stud"],
            seating=arena.Seating.PERMUTED,
        )


@pytest.mark.parametrize("name", ["stud", "razz", "27-triple"])
def test_tournaments_of_eight_in_stud_and_draw(name: str, tmp_path: Path) -> None:
    log, written = tmp_path / "a.phhs", tmp_path / "again.phhs"
    tournaments = arena.Tournaments(
        players=("random",) * 4 + ("always-call",) * 4,
        count=2,
        seed=3,
        stack=200,
        betting=Betting.LIMIT,
        variant=VARIANTS[name],
    )
    result = arena.play_tournaments(tournaments, log=log)
    hands = read(log)
    assert len(hands) == result.hands
    assert sum(sum(hand.payoffs) for hand in hands) == 0
    assert max(hand.rules.seats for hand in hands) == 8
    if VARIANTS[name].has_bring_in:
        assert all(hand.rules.antes and hand.rules.bring_in for hand in hands)
    histories.write(hands, written)
    assert [hand.cards for hand in read(written)] == [hand.cards for hand in hands]


def test_others_are_given_hold_em_only(tmp_path: Path) -> None:
    log = tmp_path / "a.phhs"
    match = match_of("omaha", deals=10)
    result = arena.play(match, log=log)
    with pytest.raises(BadInput, match=r"columns of hands in omaha; allowed: in hold'em"):
        next(result.batches())
    with pytest.raises(BadInput, match="columns of hands in omaha"):
        arena.play(match, keep=True)
    skipped = list(histories.read(log))
    assert len(skipped) == 10
    assert all(isinstance(skip, Skipped) and "'NO'" in skip.detail for skip in skipped)
    for form, hands in (("acpc", 0), ("ohh", 10), ("irc", 0), ("line", 0)):
        written = histories.write(
            histories.read(log, variants=True), tmp_path / "out", format_name=form
        )
        assert written.hands == hands, form
    with pytest.raises(BadInput, match="the ACPC's dealer in omaha"):
        match_of("omaha", dealing=arena.Dealing.ACPC)


def test_players_say_which_games_they_play() -> None:
    rules = acpc_rules(in_variant(HEADS_UP_LIMIT, VARIANTS["omaha"]))
    plays = []
    for name in ("always-call", "always-raise", "always-fold", "random", "sensible", "booker:4"):
        if policy.why_not(registry.make_player(name), rules) is None:
            plays.append(name)
    assert plays == ["always-call", "always-raise", "always-fold", "random", "sensible"]


def test_no_player_is_shown_what_it_may_not_see() -> None:
    seen: list[View] = []

    class Watcher:
        def reset(self, rng: np.random.Generator) -> None:
            """Nothing to forget."""

        def plays(self, variant: object) -> bool:
            return True

        def act(self, view: View) -> Call:
            seen.append(view)
            return Call()

    match = arena.Match(
        players=(Watcher(), "always-call"),
        rules=in_variant(HEADS_UP_NO_LIMIT, VARIANTS["omaha"]),
        deals=20,
    )
    arena.play(match)
    assert seen
    for view in seen:
        others = [cards for seat, cards in enumerate(view.state.cards) if seat != view.seat]
        assert others == [()]
        assert len(view.cards) == 4
