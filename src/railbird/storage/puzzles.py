"""Puzzles in transactions: kept by account, or by browser for a while."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from railbird.storage.database import now
from railbird.storage.tables import PuzzleRow

MOST_PUZZLES: Final = 100
"""Puzzles of one owner; the oldest make room."""
VISITOR_DAYS: Final = 30
"""Days after which those of a browser that is not logged in are deleted."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose puzzles they are: an account's, or those of a browser that is not logged in."""

    account_id: int | None
    token: str

    @property
    def key(self) -> str:
        """The owner as the table has it; a browser's token only as a hash."""
        if self.account_id is not None:
            return f"account:{self.account_id}"
        return f"visitor:{hashlib.sha256(self.token.encode()).hexdigest()[:48]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPuzzle:
    """A puzzle and how it was answered so far."""

    id: int
    puzzle: Mapping[str, Any]
    asked: int
    right: int


def add_puzzles(session: Session, owner: Owner, puzzles: Iterable[Mapping[str, Any]]) -> int:
    """Keep puzzles; return how many are new. The oldest beyond `MOST_PUZZLES` are deleted."""
    _delete_old(session)
    known = set(session.scalars(select(PuzzleRow.digest).where(PuzzleRow.owner == owner.key)))
    added = 0
    for puzzle in puzzles:
        text = json.dumps(puzzle, sort_keys=True)
        # Only the hand and the decision identify a puzzle: its answers may be computed better
        # later.
        which = f"{puzzle['hand']}\0{puzzle['player']}\0{puzzle['act']}"
        digest = hashlib.sha256(which.encode()).hexdigest()
        if digest in known:
            continue
        known.add(digest)
        added += 1
        row = PuzzleRow(owner=owner.key, account_id=owner.account_id, digest=digest, puzzle=text)
        session.add(row)
    session.flush()
    _keep_newest(session, owner)
    return added


def adopt_puzzles(session: Session, visitor: Owner, account: Owner) -> None:
    """Let an account have the puzzles of a browser; of those that both have, its own stay."""
    known = select(PuzzleRow.digest).where(PuzzleRow.owner == account.key)
    theirs = PuzzleRow.owner == visitor.key
    session.execute(delete(PuzzleRow).where(theirs, PuzzleRow.digest.in_(known.scalar_subquery())))
    values = {"owner": account.key, "account_id": account.account_id}
    session.execute(update(PuzzleRow).where(theirs).values(values))
    _keep_newest(session, account)


def _keep_newest(session: Session, owner: Owner) -> None:
    newest = (
        select(PuzzleRow.id)
        .where(PuzzleRow.owner == owner.key)
        .order_by(PuzzleRow.id.desc())
        .limit(MOST_PUZZLES)
    )
    newest_puzzles = list(session.scalars(newest))
    if len(newest_puzzles) == MOST_PUZZLES:
        doomed = (PuzzleRow.owner == owner.key) & (PuzzleRow.id < newest_puzzles[-1])
        session.execute(delete(PuzzleRow).where(doomed))


def next_puzzle(session: Session, owner: Owner) -> KeptPuzzle | None:
    """Return what to ask: one that was never asked, else the one whose answer is longest ago."""
    row = session.scalars(
        select(PuzzleRow)
        .where(PuzzleRow.owner == owner.key)
        .order_by(PuzzleRow.asked > 0, PuzzleRow.answered_at, PuzzleRow.id)
        .limit(1)
    ).first()
    return None if row is None else _kept(row)


def puzzle_of(session: Session, owner: Owner, puzzle_id: int) -> KeptPuzzle | None:
    """Return one puzzle of this owner."""
    row = session.get(PuzzleRow, puzzle_id)
    return None if row is None or row.owner != owner.key else _kept(row)


def answer_puzzle(session: Session, owner: Owner, puzzle_id: int, *, right: bool) -> None:
    """Count an answer to a puzzle, right or wrong."""
    row = session.get(PuzzleRow, puzzle_id)
    if row is not None and row.owner == owner.key:
        row.asked += 1
        row.right += right
        row.answered_at = now()


def forget_puzzles(session: Session, owner: Owner) -> None:
    """Delete all puzzles of an owner."""
    session.execute(delete(PuzzleRow).where(PuzzleRow.owner == owner.key))


def count_puzzles(session: Session, owner: Owner) -> tuple[int, int, int]:
    """Return how many puzzles there are, how often they were asked, and answered right."""
    counted = select(func.count(), func.sum(PuzzleRow.asked), func.sum(PuzzleRow.right))
    number, asked, right = session.execute(counted.where(PuzzleRow.owner == owner.key)).one()
    return number, asked or 0, right or 0


def _delete_old(session: Session) -> None:
    before = now() - timedelta(days=VISITOR_DAYS)
    old = PuzzleRow.account_id.is_(None) & (PuzzleRow.taken_at < before)
    session.execute(delete(PuzzleRow).where(old))


def _kept(row: PuzzleRow) -> KeptPuzzle:
    return KeptPuzzle(id=row.id, puzzle=json.loads(row.puzzle), asked=row.asked, right=row.right)
