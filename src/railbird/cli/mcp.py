"""``railbird mcp``: the table, odds and assessment as tools of a language model."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path

import click

from railbird.cli._completion import PLAYER


@click.command(name="mcp")
@click.option(
    "--opponent",
    type=PLAYER,
    default="tight:nolimit",
    help="Player of the house that plays heads-up no-limit.",
)
@click.option("--name", default="model", help="The program's name in the log.")
@click.option(
    "--log",
    "logs",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for a log of the hands; by default they are not kept.",
)
def command(*, opponent: str, name: str, logs: Path | None) -> None:
    """Let a language model play, by the Model Context Protocol over standard input and output.

    Programs that host models start this command themselves; name it in their settings. The tools
    are state, act, odds and assess. The game is heads-up no-limit, 200 big blinds deep, against a
    player of the house; assess says what the hands were worth without luck.

    \b
    Example:
      railbird mcp --opponent equilibrium:nolimit --log visits
    """
    import anyio

    from railbird.serve.mcp_server import serve_stdio
    from railbird.serve.opponent import OpponentSettings

    with ExitStack() as stack:
        folder = logs or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="railbird-")))
        anyio.run(serve_stdio, OpponentSettings(player=opponent, folder=folder), name)
