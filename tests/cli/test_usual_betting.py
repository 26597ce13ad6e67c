"""Games are played by what they are usually played by where nobody says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command_line import call
from railbird.cards import HOLDEM, VARIANTS
from railbird.game import Betting
from railbird.histories import read

USUAL = {
    "stud": "limit",
    "razz": "limit",
    "badugi": "limit",
    "27-triple": "limit",
    "27-single": "no-limit",
    "omaha": "pot-limit",
    "omaha-hilo": "pot-limit",
    "short-deck": "no-limit",
}
THREE = ("always-call",) * 3


def test_every_game_has_a_usual_betting() -> None:
    assert {Betting(variant.betting) for variant in VARIANTS.values()} == {
        Betting.LIMIT,
        Betting.POT_LIMIT,
        Betting.NO_LIMIT,
    }
    assert {name: VARIANTS[name].betting for name in USUAL} == USUAL


@pytest.mark.slow(but=["ring-razz"])
@pytest.mark.parametrize("name", ["razz", "omaha", "27-single"])
@pytest.mark.parametrize("verb", ["ring", "tournament"])
def test_verbs_play_it(verb: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    how = ("--hands", "3") if verb == "ring" else ("--count", "3")
    code, out, err = call(capsys, verb, *THREE, "--variant", name, *how)
    assert code == 0, err
    assert f"of {USUAL[name]} {VARIANTS[name].title}" in " ".join((out + err).split())
    asked = "nolimit" if USUAL[name] == "limit" else "limit"
    code, out, err = call(capsys, verb, *THREE, "--variant", name, *how, "--game", asked)
    assert code == 0, err
    betting = Betting.NO_LIMIT.value if asked == "nolimit" else asked
    assert f"of {betting} {VARIANTS[name].title}" in " ".join((out + err).split())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["razz", "omaha", "27-single", "holdem"])
def test_matches_have_no_pot_limit(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "match.phhs"
    code, _, err = call(
        capsys, "match", *THREE[:2], "--variant", name, "--hands", "2", "--log", str(log)
    )
    assert code == 0, err
    hands = [hand.rules for hand in read(log, variants=True)]  # type: ignore[union-attr]
    expected = "limit" if name in ("omaha", HOLDEM.name) else USUAL[name]
    assert {rules.betting.value for rules in hands} == {expected}
