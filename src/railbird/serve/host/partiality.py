"""Partiality between accounts, for the operator: favours of two players to each other.

It is computed by `railbird assess` in a process of its own, which compiles and calculates for as
long as it needs while the tables play on.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from railbird.errors import RailbirdError
from railbird.hosting.journal import SUFFIX, read_journal
from railbird.hosting.proceedings import is_over, phh

MOST_GAMES: Final = 1000
_SECONDS: Final = 300.0
"""Longest calculation, the compilation at a first use included."""


READING: Final = (
    "A pair's value is what each gives the other by its decisions, less what it gives the others "
    "on average, both added, in big blinds a hand. It is no proof of anything: honest players of "
    "different styles give unequally too, and two who only play softly do not show."
)


class NoPartiality(RailbirdError):
    """There are no hands from which it could be computed."""


async def partiality(folder: Path, games: int, least_hands: int) -> dict[str, Any]:
    """Return the pairs of the newest finished games, the largest first.

    Pairs that were dealt fewer than ``least_hands`` hands together are left out.

    Raises `NoPartiality`.
    """
    with tempfile.TemporaryDirectory(prefix="railbird-partiality-") as temporary:
        log = Path(temporary) / "hands.phhs"
        count = await asyncio.to_thread(_write, folder / "done", games, log)
        if not count:
            raise NoPartiality("no finished game")
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "railbird", "assess", str(log), "--json"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            out, problems = await asyncio.wait_for(process.communicate(), _SECONDS)
        except TimeoutError:
            raise NoPartiality(f"{count} games took longer than {_SECONDS:g} s") from None
        finally:
            with suppress(ProcessLookupError):
                process.kill()
    if process.returncode:
        last = problems.decode(errors="replace").strip().splitlines()[-1:]
        raise NoPartiality(" ".join(last) or "the calculation failed")
    found = json.loads(out)
    pairs = [pair for pair in found.get("partiality", []) if pair["n"] >= least_hands]
    return {"games": count, "hands": found.get("hands"), "pairs": pairs, "reading": READING}


def _write(done: Path, games: int, log: Path) -> int:
    """Write the hands of the newest finished games to a file; return how many games there were."""
    paths = sorted(done.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    count = 0
    with log.open("w", encoding="utf-8") as file:
        for path in paths[:games]:
            with suppress(RailbirdError):
                records = read_journal(path)
                if is_over(records):
                    file.writelines(phh(records))
                    count += 1
    return count
