"""What an interrupted job says: how far it came, what is kept, how to resume."""

from __future__ import annotations

from pathlib import Path

from railbird.errors import Interrupted, PlayerFault


def stopped(
    problem: KeyboardInterrupt | PlayerFault, done: int, total: int, what: str, log: Path | None
) -> Interrupted | PlayerFault:
    """Return the error for Ctrl-C, or for a fault that stops the game, which says what is kept."""
    onward = "nothing is kept" if log is not None else "without a log, nothing is kept"
    if log is not None and done:
        onward = f"they are kept in {log}; run the same command again to resume"
    words = f"stopped after {done:,} of {total:,} {what}; {onward}"
    if isinstance(problem, PlayerFault):
        return PlayerFault(problem.player, problem.words, problem.trace, words)
    return Interrupted(words)
