"""Exit codes of all commands; 0 is success."""

from typing import Final

EXIT_FINDING: Final = 1
"""Input was read but nothing came of it, or a check found something."""
EXIT_BAD_INPUT: Final = 2
"""The command or its arguments are wrong, and nothing was read."""
EXIT_INTERRUPTED: Final = 130
"""Stopped by Ctrl-C or SIGTERM; the shells' number."""
