"""What says how to install an extra: by the program and from the place that Railbird came by."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path

import pytest

from railbird import _extras
from railbird._version import __version__

CLONE = {"url": "file:///src/railbird", "dir_info": {}}
EDITABLE = {"url": "file:///src/railbird", "dir_info": {"editable": True}}
WHEEL = {"url": "file:///tmp/a%20b/railbird-1-py3-none-any.whl", "archive_info": {}}


class Installed:
    """What an installer writes down of a package."""

    def __init__(self, by: str, origin: object) -> None:
        self.texts = {"INSTALLER": f"{by}\n"}
        if origin:
            self.texts["direct_url.json"] = json.dumps(origin)

    def read_text(self, name: str) -> str | None:
        return self.texts.get(name)


@pytest.mark.parametrize(
    ("by", "origin", "receipt", "command"),
    [
        ("pip", CLONE, "", "pip install '/src/railbird[serve]'"),
        ("pip", EDITABLE, "", "pip install -e '/src/railbird[serve]'"),
        ("uv", EDITABLE, "", "uv pip install -e '/src/railbird[serve]'"),
        ("pip", WHEEL, "", "pip install '/tmp/a b/railbird-1-py3-none-any.whl[serve]'"),
        ("pip", CLONE, "pipx_metadata.json", "pipx install --force '/src/railbird[serve]'"),
        ("uv", CLONE, "uv-receipt.toml", "uv tool install --force '/src/railbird[serve]'"),
        ("pip", None, "", f"pip install 'railbird-{__version__}-py3-none-any.whl[serve]'"),
    ],
)
def test_an_extra_is_added_as_the_program_was_installed(
    by: str,
    origin: object,
    receipt: str,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda name: Installed(by, origin))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    if receipt:
        (tmp_path / receipt).touch()
    assert _extras.how_to_install("serve") == command
