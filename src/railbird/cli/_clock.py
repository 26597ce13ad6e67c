"""The clock of players, for the verbs that let them play."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from railbird.arena import FaultPolicy

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def clock_options(command: CommandT) -> CommandT:
    """Add ``--time``, ``--bank`` and ``--refill``; `policy_of` makes something of them."""
    for option in (
        click.option(
            "--refill", metavar="S/HANDS", help="Seconds back into the bank each so many hands."
        ),
        click.option(
            "--bank",
            type=click.FloatRange(min=0),
            help="Seconds of each player for decisions that take longer than --time.",
        ),
        click.option(
            "--time",
            "seconds",
            type=click.FloatRange(min=0),
            help="The limit for one decision, in seconds; a later one is a fault.",
        ),
    ):
        command = option(command)
    return command


def policy_of(seconds: float | None, bank: float | None, refill: str | None) -> FaultPolicy:
    """What the options mean. Raises `BadInput` for a bank without a limit, and the like."""
    from railbird.arena import FaultPolicy, parse_refill

    return FaultPolicy(
        decision_limit=seconds,
        bank=bank or 0.0,
        refill=None if refill is None else parse_refill(refill),
    )
