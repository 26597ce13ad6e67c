"""``railbird stats`` of other games: the betting of their hands, none of their cards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from railbird import arena, histories
from railbird.cards import HOLDEM, VARIANTS
from railbird.game import pot_limit_holdem
from railbird.histories import HandRecord, betting_alone


def played(name: str, deals: int = 60) -> list[HandRecord]:
    rules = replace(pot_limit_holdem(3, blinds=(1, 2), stack=100), variant=VARIANTS[name])
    match = arena.Match(players=("always-call", "random", "b=random"), rules=rules, deals=deals)
    return list(arena.hands(match))


@pytest.mark.parametrize("name", ["omaha-hilo", "courchevel", "double-board-holdem"])
def test_the_betting_counts_as_in_hold_em(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    hands, log = played(name), tmp_path / "log.phhs"
    histories.write(hands, log)
    told = call_json(capsys, "stats", str(log))
    found = told["players"]
    assert {of["hands"] for of in found.values()} == {60}
    assert found["always-call"]["vpip"]["value"] > 0.8
    assert found["always-call"]["pfr"]["value"] == 0
    assert 0 < found["random"]["pfr"]["value"] < 1
    won = sum(float(hand.payoffs[hand.players.index("random")]) for hand in hands) / 2
    assert found["random"]["bb_per_100"]["value"] == pytest.approx(100 * won / 60)
    code, out, err = call(capsys, "stats", str(log), "--player", "random")
    assert code == 0
    assert f"hands of {name}, whose betting and results count, no cards" in err
    assert "VPIP" in out


def test_betting_alone_has_no_cards_and_the_same_actions() -> None:
    for hand in played("courchevel", 20):
        alone = betting_alone(hand)
        assert alone.rules.variant is HOLDEM
        assert (alone.actions, alone.payoffs) == (hand.actions, hand.payoffs)
        assert (alone.cards, set(alone.holes)) == ((), {None})
        assert len(alone.board) in (0, 3, 4, 5)


def test_only_the_first_game_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = tmp_path / "a.phhs", tmp_path / "b.phhs"
    histories.write(played("omaha", 20), first)
    histories.write(played("omaha5", 10), second)
    told = call_json(capsys, "stats", str(first), str(second))
    assert told["skipped"] == {"another game": 10}
    assert told["players"]["random"]["hands"] == 20
