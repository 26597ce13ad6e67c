"""Progress of long jobs."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called with what is done, how much there is (0 where nobody knows), and what it is."""
