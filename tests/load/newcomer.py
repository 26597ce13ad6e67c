"""A newcomer, who follows the manual's page on bots from an empty folder to a rated tournament."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from load.rows import Row, Scale
from load.server import serving

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots.md"
USUAL = """
[[tournament]]
name = "six"
"""
"""As a server has it by default: after 30 s, house players take the empty seats."""


async def newcomer(folder: Path, scale: Scale) -> list[Row]:
    """Time the way into a rated tournament; the commands are those of the page."""
    del scale
    script = re.search(r"<!-- newcomer -->\n```text\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert script is not None
    with serving(folder, USUAL) as server:
        empty = folder / "newcomer"
        empty.mkdir()
        binaries = empty / "bin"
        binaries.mkdir()
        command = binaries / "railbird"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m railbird "$@"\n')
        command.chmod(0o755)
        commands = script[1].replace("http://localhost:8080", server.http.rstrip("/"))
        commands = commands.replace(" 8081", f" {server.tcp}")
        began = time.monotonic()
        process = subprocess.Popen(
            ["bash", "-e", "-c", commands],
            cwd=empty,
            env={**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            found = None
            while found is None and time.monotonic() - began < 300:
                await asyncio.sleep(0.25)
                found = _seated(json.loads(await asyncio.to_thread(server.get, "/api/lobby")))
                if process.poll() is not None and found is None:
                    break
            seconds = time.monotonic() - began
        finally:
            os.killpg(process.pid, 9) if process.poll() is None else None
            said, _ = process.communicate()
    return [
        Row(
            "a newcomer's bot, from an empty folder, by the page",
            "in a rated tournament within 5 minutes",
            f"{seconds:.0f} s, 30 of them the wait for other players" if found else said[-300:],
            found is not None and seconds < 300,
        )
    ]


def _seated(lobby: dict[str, list[dict[str, object]]]) -> str | None:
    """Return the rated table at which the newcomer sits."""
    for table in lobby["tables"]:
        form, players = table["format"], table["players"]
        assert isinstance(form, dict)
        assert isinstance(players, list)
        if form["rated"] and any(player["name"] == "tom" for player in players):
            return str(table["table"])
    return None
