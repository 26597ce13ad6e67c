"""Fingerprints of players whose answers to every probe are known, and their maps."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from helpers.command_line import call_in
from railbird.arena import play_fingerprint
from railbird.arena.fingerprint import probe_spec
from railbird.errors import BadInput
from railbird.game import limit_holdem, no_limit_holdem
from railbird.report import fingerprint_document, html_page


def test_the_grid_is_of_probabilities_that_add_up_to_one_at_most() -> None:
    probed = play_fingerprint("always-call", deals=2, steps=2)
    grid = [(point.raising, point.fold) for point in probed.points]
    assert grid == [(0, 0), (0, 0.5), (0, 1), (0.5, 0), (0.5, 0.5), (1, 0)]
    assert probe_spec(0.5, 0.25) == "random,fold=0.25,call=0.25,raise=0.5,size=pot"


def test_simple_players_answer_as_they_are_called() -> None:
    for spec, raises, folds in (("always-call", 0, 0), ("always-fold", 0, 1)):
        for point in play_fingerprint(spec, deals=10, steps=1).points:
            assert point.hands == 20
            assert point.raises == raises
            assert point.folds == folds or np.isnan(point.folds)
    folding = play_fingerprint("always-raise", deals=10, steps=1).points[1]
    assert (folding.raises, folding.money.value > 0) == (1, True)


def test_money_is_what_a_caller_of_everything_wins_of_a_folder() -> None:
    """The probe folds the small blind whenever it must call: half a small bet, every other hand."""
    probed = play_fingerprint("always-call", deals=10, steps=1)
    assert probed.points[1].money.value == pytest.approx(0.25)


def test_the_same_seed_gives_the_same_fingerprint() -> None:
    rules = no_limit_holdem(2, blinds=(1, 2), stack=40)
    one, again, another = (
        play_fingerprint("random", rules=rules, deals=10, steps=2, seed=seed) for seed in (3, 3, 4)
    )
    assert one.as_json() == again.as_json() != another.as_json()
    assert one.to_polars().height == 6


def test_what_is_no_fingerprint_is_refused() -> None:
    with pytest.raises(BadInput, match="a fingerprint at 3 seats; allowed: 2"):
        play_fingerprint("random", rules=limit_holdem(3))
    with pytest.raises(BadInput, match="0 steps; allowed: 1 to 20"):
        play_fingerprint("random", steps=0)


def test_maps_are_drawn(tmp_path: Path) -> None:
    document = fingerprint_document(play_fingerprint("random", deals=5, steps=1))
    assert [figure.name for figure in document.figures] == ["raises", "folds", "wins"]
    html_page.write(document, tmp_path / "random.svg")
    picture = (tmp_path / "random.svg").read_text()
    assert "Fingerprint of random" in picture
    assert "Folds, % of bets faced" in picture


def test_the_command_writes_what_it_prints(tmp_path: Path) -> None:
    options = ["--fingerprint", "always-call", "--hands", "4", "--json", "-o", "call.html"]
    code, out, _ = call_in(tmp_path, "players", *options)
    assert code == 0
    answer = json.loads(out)
    assert len(answer["points"]) == 15
    assert "Fingerprint of always-call" in (tmp_path / "call.html").read_text()
    code, _, err = call_in(tmp_path, "players", *options)
    assert (code, "exists; --force replaces it" in err) == (2, True)
    code, _, err = call_in(tmp_path, "players", "--fingerprint")
    assert (code, "--fingerprint without a player" in err) == (2, True)


@pytest.mark.slow
def test_the_command_says_what_a_player_breaks(tmp_path: Path) -> None:
    code, out, _ = call_in(tmp_path, "players", "--check", "always-call", "--json")
    assert code == 0
    assert all(contract["kept"] for contract in json.loads(out)["contracts"])


FAILING = """
class Failing:
    def reset(self, rng):
        pass

    def act(self, view):
        raise ValueError("no answer")
"""


def test_what_cannot_be_tried_is_not_said_to_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "failing_player.py").write_text(FAILING)
    monkeypatch.syspath_prepend(tmp_path)
    check = ("players", "--check", "python:failing_player:Failing")
    code, out, _ = call_in(tmp_path, *check, "--json")
    methods, actions, *others = json.loads(out)["contracts"]
    assert (code, methods["kept"], actions["kept"]) == (1, True, False)
    assert {contract["kept"] for contract in others} == {None}
    words = " ".join(call_in(tmp_path, *check)[1].split())
    assert "forgets on reset all that it saw and decided: not tried" in words


def test_a_class_without_a_method_breaks_a_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mute_player.py").write_text(
        "class Mute:\n    def reset(self, rng):\n        pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    check = ("players", "--check", "python:mute_player:Mute", "--json")
    code, out, _ = call_in(tmp_path, *check)
    methods, *others = json.loads(out)["contracts"]
    assert (code, methods["kept"]) == (1, False)
    assert methods["breach"] == "python:mute_player:Mute is not a player: it lacks act"
    assert {contract["kept"] for contract in others} == {None}
