"""The option ``--gap``, at which verbs stop to solve; it is checked before anything is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from railbird import solve

_Verb = Callable[..., None]


def gap_option(unit: str, **attributes: Any) -> Callable[[_Verb], _Verb]:
    """Return the option for a gap in this unit of `solve.settings`, a decorator."""

    def check(
        _context: click.Context, _option: click.Parameter, value: float | None
    ) -> float | None:
        if value is not None:
            solve.settings.check_goal("gap:", value, unit)
        return value

    return click.option("--gap", type=float, callback=check, **attributes)
