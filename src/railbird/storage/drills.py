"""Answers to puzzles and drills that everybody is asked, in transactions.

Only the first answer to a question counts. A puzzle and who answers it change their ratings as two
players do, the puzzle being the winner where the answer is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from railbird.storage.database import now
from railbird.storage.puzzles import VISITOR_DAYS, Owner
from railbird.storage.results import LadderRating
from railbird.storage.tables import DrillAnswerRow, DrillRatingRow

Rate = Callable[[LadderRating | None, LadderRating | None, bool], tuple[LadderRating, LadderRating]]
"""From the ratings of a person and of a puzzle, and whether the answer is right, the next ones."""


class AskedAs(StrEnum):
    """Why a question was asked."""

    DAILY = "daily"
    PUZZLE = "puzzle"
    DRILL = "drill"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillAnswer:
    """An answer, and what it gave up in big blinds."""

    kind: AskedAs
    question: str
    answer: str
    cost: float
    error: float
    right: bool
    rating: LadderRating | None = None
    """The owner's after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillStanding:
    """How somebody has done so far."""

    puzzles: int = 0
    right: int = 0
    streak: int = 0
    """Puzzles answered right since the last that was not."""
    days: int = 0
    """Days in a row, up to today or yesterday, on which the daily puzzle was answered."""
    rating: LadderRating | None = None
    drills: int = 0
    lost: float = 0.0
    """Big blinds given up in each drill, on average."""
    stderr: float | None = None
    """Of that average; None of fewer than two."""


def record_answer(session: Session, owner: Owner, answer: DrillAnswer, rate: Rate) -> DrillAnswer:
    """Record an answer if the question is new to its owner; return what counts."""
    _delete_old_answers(session)
    before = answer_to(session, owner, answer.question)
    if before is not None:
        return before
    rating = None if answer.kind is AskedAs.DRILL else _rate(session, owner, answer, rate)
    row = DrillAnswerRow(
        owner=owner.key,
        account_id=owner.account_id,
        kind=str(answer.kind),
        question=answer.question,
        answer=answer.answer,
        cost=answer.cost,
        error=answer.error,
        right=answer.right,
        mean_after=None if rating is None else rating.mean,
        deviation_after=None if rating is None else rating.deviation,
    )
    session.add(row)
    session.flush()
    return _answer(row)


def _rate(session: Session, owner: Owner, answer: DrillAnswer, rate: Rate) -> LadderRating:
    puzzle = session.get(DrillRatingRow, answer.question)
    theirs = None
    if puzzle is not None:
        theirs = LadderRating(puzzle.mean, puzzle.deviation, puzzle.answers)
    person, harder = rate(_rating_of(session, owner), theirs, answer.right)
    session.merge(
        DrillRatingRow(
            question=answer.question,
            mean=harder.mean,
            deviation=harder.deviation,
            answers=harder.tournaments,
        )
    )
    return person


def _rating_of(session: Session, owner: Owner) -> LadderRating | None:
    mine = (DrillAnswerRow.owner == owner.key, DrillAnswerRow.mean_after.is_not(None))
    last = session.scalars(
        select(DrillAnswerRow).where(*mine).order_by(DrillAnswerRow.id.desc()).limit(1)
    ).first()
    if last is None or last.mean_after is None or last.deviation_after is None:
        return None
    count = session.scalar(select(func.count()).select_from(DrillAnswerRow).where(*mine))
    return LadderRating(last.mean_after, last.deviation_after, count or 0)


def answer_to(session: Session, owner: Owner, question: str) -> DrillAnswer | None:
    """Return how an owner answered a question; None before that."""
    row = session.scalars(
        select(DrillAnswerRow).where(
            DrillAnswerRow.owner == owner.key, DrillAnswerRow.question == question
        )
    ).first()
    return None if row is None else _answer(row)


def answered_puzzles(session: Session, owner: Owner) -> Sequence[str]:
    """Return the names of all puzzles that an owner has answered."""
    return session.scalars(
        select(DrillAnswerRow.question).where(
            DrillAnswerRow.owner == owner.key, DrillAnswerRow.kind == AskedAs.PUZZLE
        )
    ).all()


def drill_standing(session: Session, owner: Owner, today: date) -> DrillStanding:
    """Return how an owner has done so far."""
    mine = DrillAnswerRow.owner == owner.key
    rated_ones = session.execute(
        select(DrillAnswerRow.right, DrillAnswerRow.kind, DrillAnswerRow.answered_at)
        .where(mine, DrillAnswerRow.kind != AskedAs.DRILL)
        .order_by(DrillAnswerRow.id.desc())
    ).all()
    streak = next((place for place, row in enumerate(rated_ones) if not row.right), len(rated_ones))
    answered = {row.answered_at.date() for row in rated_ones if row.kind == AskedAs.DAILY}
    last = today if today in answered else today - timedelta(days=1)
    days = 0
    while last - timedelta(days=days) in answered:
        days += 1
    cost = DrillAnswerRow.cost
    count, total, squares = session.execute(
        select(func.count(), func.sum(cost), func.sum(cost * cost)).where(
            mine, DrillAnswerRow.kind == AskedAs.DRILL
        )
    ).one()
    mean = (total or 0.0) / count if count else 0.0
    spread = max((squares or 0.0) - count * mean * mean, 0.0)
    return DrillStanding(
        puzzles=len(rated_ones),
        right=sum(row.right for row in rated_ones),
        streak=streak,
        days=days,
        rating=_rating_of(session, owner),
        drills=count,
        lost=mean,
        stderr=math.sqrt(spread / (count - 1) / count) if count > 1 else None,
    )


def adopt_answers(session: Session, visitor: Owner, account: Owner) -> None:
    """Let an account have the answers of a browser, to questions that it has not answered."""
    known = select(DrillAnswerRow.question).where(DrillAnswerRow.owner == account.key)
    theirs = DrillAnswerRow.owner == visitor.key
    session.execute(
        delete(DrillAnswerRow).where(theirs, DrillAnswerRow.question.in_(known.scalar_subquery()))
    )
    values = {"owner": account.key, "account_id": account.account_id}
    session.execute(update(DrillAnswerRow).where(theirs).values(values))


def _delete_old_answers(session: Session) -> None:
    before = now() - timedelta(days=VISITOR_DAYS)
    old = DrillAnswerRow.account_id.is_(None) & (DrillAnswerRow.answered_at < before)
    session.execute(delete(DrillAnswerRow).where(old))


def _answer(row: DrillAnswerRow) -> DrillAnswer:
    known = row.mean_after is not None and row.deviation_after is not None
    return DrillAnswer(
        kind=AskedAs(row.kind),
        question=row.question,
        answer=row.answer,
        cost=row.cost,
        error=row.error,
        right=row.right,
        rating=LadderRating(row.mean_after, row.deviation_after) if known else None,  # type: ignore[arg-type]
    )
