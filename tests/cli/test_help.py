"""Help as it is read."""

from __future__ import annotations

import pytest

from railbird.cli import VERBS, run


@pytest.mark.parametrize("verb", VERBS)
def test_examples_stand_on_lines_of_their_own(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([verb, "--help"]) == 0
    said = capsys.readouterr().out
    assert "\\b" not in said
    assert "\b" not in said
    if "Example" in said:
        assert "\n    railbird " in said or "\n  railbird " in said
