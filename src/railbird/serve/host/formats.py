"""What a server plays unless it is told otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from railbird.hosting.formats import RingFormat, TournamentFormat
from railbird.tournament import parse_payouts


@dataclass(frozen=True, slots=True, kw_only=True)
class Games:
    """Kinds of tournaments and ring games."""

    tournaments: tuple[TournamentFormat, ...]
    rings: tuple[RingFormat, ...] = ()


DEFAULT_GAMES: Final = Games(
    tournaments=(
        TournamentFormat(name="six"),
        TournamentFormat(name="heads-up", seats=2, table_seats=2, payouts=parse_payouts("100")),
    ),
    rings=(
        RingFormat(name="ring-10-20"),
        RingFormat(
            name="ring-50-100",
            blinds=(50, 100),
            buy_ins=(2_000, 10_000),
            opened_by=("ring-10-20", 2_000),
        ),
    ),
)
"""Booker's (2004) six-player tournaments, heads-up ones, and ring games at two stakes."""
