"""Replays that Kaggle's own environments wrote (kaggle-environments 1.33.2, open_spiel 2.0.2).

`tests/golden/histories/kaggle*.json` are games of five hands between two simple agents, less the
observations and the environment's own description; the forfeit is as long as it was.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from railbird.histories import HandRecord, Skipped, SkipReason, read

FOLDER = Path(__file__).parents[1] / "golden" / "histories"


def hands_of(name: str) -> list[HandRecord | Skipped]:
    return list(read(FOLDER / name))


@pytest.mark.parametrize("name", ["kaggle.json", "kaggle_pokerkit.json"])
def test_rewards_are_what_the_engine_pays(name: str) -> None:
    hands = hands_of(name)
    assert [hand.number for hand in hands if isinstance(hand, HandRecord)] == [0, 1, 2, 3, 4]
    told = json.loads((FOLDER / name).read_text())
    won = dict.fromkeys(told["info"]["TeamNames"], 0.0)
    for hand in hands:
        assert isinstance(hand, HandRecord)
        for player, payoff in zip(hand.players, hand.payoffs, strict=True):
            won[player] += float(payoff)
    assert list(won.values()) == told["rewards"]


def test_both_environments_played_the_same_cards_and_bets() -> None:
    """One seed gives both the same numbers, dealt in another order; the agents betted alike."""
    one, two = hands_of("kaggle.json"), hands_of("kaggle_pokerkit.json")
    for first, second in zip(one, two, strict=True):
        assert isinstance(first, HandRecord)
        assert isinstance(second, HandRecord)
        assert first.players == second.players
        assert first.rules.blinds == second.rules.blinds
        assert first.payoffs == second.payoffs


def test_an_error_of_protocol_is_a_forfeit_of_who_made_it() -> None:
    (forfeit,) = hands_of("kaggle_forfeit.json")
    assert isinstance(forfeit, Skipped)
    assert forfeit.reason is SkipReason.FORFEIT
    assert forfeit.by == "bad"
    assert "illegal action" in forfeit.detail


def test_a_replay_of_another_game_or_a_broken_one_is_skipped(tmp_path: Path) -> None:
    whole = json.loads((FOLDER / "kaggle.json").read_text())
    whole["info"]["actionHistory"][4] = "51"  # a raise of another size than the next states show
    del whole["info"]["stateHistory"][20:]
    path = tmp_path / "replay.json"
    path.write_text(json.dumps(whole))
    (told,) = read(path)
    assert isinstance(told, Skipped)
    assert told.reason is SkipReason.UNREADABLE


def test_a_long_line_is_joined_where_it_was_cut(tmp_path: Path) -> None:
    whole = json.loads((FOLDER / "kaggle.json").read_text())
    whole = {"name": whole["name"], "metadata": ["x" * 1000] * 300, **whole}
    path = tmp_path / "replay.json"
    path.write_text(json.dumps(whole))
    assert [type(hand) for hand in read(path)] == [HandRecord] * 5
