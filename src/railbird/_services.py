"""What lower rooms need of higher ones, which they cannot import.

The package itself, `railbird/__init__.py`, stands above all rooms and says what gives each of them,
importing it when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

layout: Callable[[], Any]
"""Gives `railbird.report.notebook`, which lays results out as words and figures."""

divat_scorer: Callable[[], Any]
"""Gives a scorer of heads-up limit hands by the usual baseline, as DIVAT at the table needs."""
