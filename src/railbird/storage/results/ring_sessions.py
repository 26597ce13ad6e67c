"""Sessions at ring tables, and what an account won there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from railbird.storage.account_tables import AccountRow
from railbird.storage.accounts.accounts import find, nobody
from railbird.storage.result_tables import RingSessionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RingSession:
    """A player's session at a ring table."""

    id: str
    game: str
    name: str
    started_at: datetime
    finished_at: datetime
    hands: int
    won: int
    """Chips, net of all buy-ins."""
    rake: int
    big_blind: int
    version: str = ""
    service: Mapping[str, Any] = field(default_factory=dict)


def record_ring_session(session: Session, played: RingSession) -> bool:
    """Store a session; return False if it was stored before."""
    if session.get(RingSessionRow, played.id) is not None:
        return False
    account = find(session, played.name)
    row = RingSessionRow(
        id=played.id,
        game=played.game,
        account_id=None if account is None else account.id,
        name=nobody() if account is None else account.name,
        version="" if account is None else played.version,
        started_at=played.started_at,
        finished_at=played.finished_at,
        hands=played.hands,
        won=played.won,
        rake=played.rake,
        big_blind=played.big_blind,
        service=json.dumps(dict(played.service), sort_keys=True),
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:  # PostgreSQL, where another has stored it in the same moment
        return False
    return True


def won_by_game(session: Session, name: str) -> dict[str, int]:
    """Return an account's net chips by ring game."""
    query = (
        select(RingSessionRow.game, func.sum(RingSessionRow.won))
        .join(AccountRow, AccountRow.id == RingSessionRow.account_id)
        .where(AccountRow.key == name.lower())
        .group_by(RingSessionRow.game)
    )
    return {game: int(won) for game, won in session.execute(query)}
