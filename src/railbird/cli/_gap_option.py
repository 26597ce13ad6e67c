"""The option ``--gap``, at which verbs stop to solve; it is checked before anything is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from railbird import solve

_Verb = Callable[..., None]


def gap_option(*names: str, unit: str = "", **attributes: Any) -> Callable[[_Verb], _Verb]:
    """Return the option for a gap, a decorator; ``unit`` is one of `solve.settings`.

    The command gets it as the argument ``gap``, or of the name given.
    """

    def check(
        _context: click.Context, _option: click.Parameter, value: float | None
    ) -> float | None:
        if value is not None:
            solve.settings.check_goal("--gap", value, unit)
        return value

    return click.option("--gap", *names, type=float, callback=check, **attributes)
