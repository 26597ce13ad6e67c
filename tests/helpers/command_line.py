"""Running the command line in this process."""

from __future__ import annotations

import json
from typing import Any

import pytest

from railbird.cli import run


def call(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = run(list(args))
    out, err = capsys.readouterr()
    return code, out, err


def call_json(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    code, out, err = call(capsys, *args, "--json")
    assert code == 0, err
    assert out.count("\n") == 1, "one JSON object and nothing else"
    return json.loads(out)
