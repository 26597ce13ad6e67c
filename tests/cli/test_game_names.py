"""Names of games, spelt alike by every verb."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command_line import call, call_json


@pytest.mark.parametrize(
    "command",
    [
        "match always-call random --hands 4",
        "league always-call random always-raise --hands 4",
        "tournament always-call random",
        "ring always-call random --hands 4",
    ],
)
def test_every_verb_spells_games_alike(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = [
        call_json(capsys, *command.split(), "--seed", "3", "--game", game)
        for game in ("nolimit", "No-Limit", "no_limit")
    ]
    for each in found:
        for key in [key for key in each if key.endswith("_per_s")]:
            del each[key]
    assert found[0] == found[1] == found[2]
    code, _, err = call(capsys, *command.split(), "--game", "no-limmit")
    assert code == 2
    assert "did you mean nolimit" in err


def test_logs_and_archives_spell_games_alike(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "a.log"
    args = ("match", "always-call", "random", "--hands", "9", "--game", "no-limit")
    call_json(capsys, *args, "--log", str(log))
    bare = tmp_path / "bare.log"
    bare.write_text(
        "".join(line + "\n" for line in log.read_text().splitlines() if "#" not in line)
    )
    for game in ("nolimit", "No-Limit", "holdem.no-limit"):
        hands = call_json(capsys, "archive", "add", str(tmp_path / game), str(bare), "--game", game)
        assert hands["hands"] == 9
        rows = call_json(capsys, "archive", "query", str(tmp_path / game), "--game", game)
        assert sum(row["hands"] for row in rows["players"]) == 18
