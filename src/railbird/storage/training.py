"""Decisions against solved spots, in transactions: what they cost, and which come back when.

Who calls says how a memory changes with an answer (`Recall`); this module only stores it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from railbird.storage.database import now
from railbird.storage.puzzles import VISITOR_DAYS, Owner
from railbird.storage.tables import TrainedCardRow, TrainedDecisionRow

MOST_DECISIONS: Final = 20_000
"""Of one owner; the oldest make room."""
MOST_CARDS: Final = 500
"""Decisions of one owner that come back; those that are due last make room."""

Memory = dict[str, Any]
Recall = Callable[[Memory | None, float, datetime], tuple[Memory, datetime] | None]
"""From what is known of a card (None for a new one), how much of the pot the answer cost and the
time: what is known then and when it is due. None where a new one need not come back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedAnswer:
    """A decision that was made against a solution."""

    run: str
    place: int
    spot: str
    street: str
    made: str
    loss: float
    pot: float

    @property
    def cost(self) -> float:
        """The part of the pot that it cost."""
        return self.loss / self.pot if self.pot > 0 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedSum:
    """What decisions of one kind have cost."""

    count: int
    mean: float
    """Of the pot, 0 to 1, in each."""
    variance: float
    """Of the costs, of a sample; 0 of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedCard:
    """A decision that comes back."""

    id: int
    question: Mapping[str, Any]
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedProgress:
    """How somebody has done so far."""

    sums: Mapping[str, Mapping[str, TrainedSum]]
    """By ``street``, ``made``, ``spot`` and ``day``, each with its names; ``all`` has one."""
    due: int
    """Cards that are due now."""
    cards: int
    next_due: datetime | None
    """When the next one is; None without any."""


def record_trained(
    session: Session,
    owner: Owner,
    answer: TrainedAnswer,
    question: Mapping[str, Any],
    digest: str,
    recall: Recall,
) -> bool:
    """Record a decision unless that place of its run is; keep it as a card if it was hard."""
    _delete_old_training(session, owner)
    places = select(TrainedDecisionRow.id).where(
        TrainedDecisionRow.owner == owner.key,
        TrainedDecisionRow.run == answer.run,
        TrainedDecisionRow.place == answer.place,
    )
    # A page that is sent twice, or a browser that goes back, must not count a decision twice.
    if session.scalars(places).first() is not None:
        return False
    _add_answer(session, owner, answer)
    row = _card_row(session, owner, digest)
    memory = None if row is None else json.loads(row.memory)
    changed = recall(memory, answer.cost, now())
    if changed is None:
        return True
    if row is None:
        row = TrainedCardRow(owner=owner.key, account_id=owner.account_id, digest=digest, answers=0)
        session.add(row)
    row.question = json.dumps(question)
    _remember(row, changed)
    # Cards are counted below, and the new one among them.
    session.flush()
    _drop_late_cards(session, owner)
    return True


def answer_trained_card(
    session: Session, owner: Owner, card_id: int, answer: TrainedAnswer, recall: Recall
) -> bool:
    """Record an answer to a card that came back, if it has not been answered since."""
    row = session.get(TrainedCardRow, card_id)
    # The number of answers tells whether the card is still as it was when it was asked; another
    # window may have answered it.
    if row is None or row.owner != owner.key or row.answers != answer.place:
        return False
    _add_answer(session, owner, answer)
    changed = recall(json.loads(row.memory), answer.cost, now())
    if changed is not None:
        _remember(row, changed)
    return True


def _add_answer(session: Session, owner: Owner, answer: TrainedAnswer) -> None:
    session.add(TrainedDecisionRow(owner=owner.key, account_id=owner.account_id, **asdict(answer)))


def _remember(row: TrainedCardRow, changed: tuple[Memory, datetime]) -> None:
    memory, row.due_at = changed
    row.memory = json.dumps(memory)
    row.answers += 1


def _card_row(session: Session, owner: Owner, digest: str) -> TrainedCardRow | None:
    mine = TrainedCardRow.owner == owner.key, TrainedCardRow.digest == digest
    return session.scalars(select(TrainedCardRow).where(*mine)).first()


def due_trained_card(session: Session, owner: Owner) -> TrainedCard | None:
    """Return the card that has been due for longest; None where none is due."""
    row = session.scalars(
        select(TrainedCardRow)
        .where(TrainedCardRow.owner == owner.key, TrainedCardRow.due_at <= now())
        .order_by(TrainedCardRow.due_at, TrainedCardRow.id)
        .limit(1)
    ).first()
    return None if row is None else _as_card(row)


def trained_card(session: Session, owner: Owner, card_id: int) -> TrainedCard | None:
    """Return one card of this owner."""
    row = session.get(TrainedCardRow, card_id)
    return None if row is None or row.owner != owner.key else _as_card(row)


def _as_card(row: TrainedCardRow) -> TrainedCard:
    return TrainedCard(id=row.id, question=json.loads(row.question), answers=row.answers)


def trained_progress(session: Session, owner: Owner) -> TrainedProgress:
    """Return how an owner has done so far."""
    row = TrainedDecisionRow
    mine = row.owner == owner.key
    groups: dict[str, Any] = {"all": None, "street": row.street, "made": row.made, "spot": row.spot}
    sums: dict[str, dict[str, TrainedSum]] = {}
    cost = row.loss / row.pot
    numbers = func.count(), func.sum(cost), func.sum(cost * cost)
    for key, column in groups.items():
        if column is None:
            (counts,) = session.execute(select(*numbers).where(mine)).all()
            sums[key] = {"": _sum(*counts)} if counts[0] else {}
            continue
        rows = session.execute(select(column, *numbers).where(mine).group_by(column))
        sums[key] = {name: _sum(*counts) for name, *counts in rows}
    sums["day"] = _by_day(session, owner)
    card = TrainedCardRow.owner == owner.key
    cards, next_due = session.execute(
        select(func.count(), func.min(TrainedCardRow.due_at)).where(card)
    ).one()
    due = session.scalar(
        select(func.count()).select_from(TrainedCardRow).where(card, TrainedCardRow.due_at <= now())
    )
    return TrainedProgress(sums=sums, due=due or 0, cards=cards, next_due=next_due)


_DAYS: Final = 30


def _by_day(session: Session, owner: Owner) -> dict[str, TrainedSum]:
    """Return the sums of the last days, the newest first."""
    row = TrainedDecisionRow
    rows = session.execute(
        select(row.answered_at, row.loss / row.pot)
        .where(row.owner == owner.key, row.answered_at > now() - timedelta(days=_DAYS))
        .order_by(row.id.desc())
    )
    costs: dict[date, list[float]] = {}
    for answered_at, cost in rows:
        costs.setdefault(answered_at.date(), []).append(cost)
    return {
        day.isoformat(): _sum(len(of_day), sum(of_day), sum(cost * cost for cost in of_day))
        for day, of_day in costs.items()
    }


def _sum(count: int, total: float, squares: float) -> TrainedSum:
    mean = total / count
    # Sums come from the database, so the variance is their difference, which rounding may leave
    # below zero.
    spread = max(squares - count * mean * mean, 0.0)
    variance = spread / (count - 1) if count > 1 else 0.0
    return TrainedSum(count=count, mean=mean, variance=variance)


def export_training(session: Session, account_id: int) -> dict[str, Any]:
    """Return all that is stored of an account's training, as a JSON object."""
    decisions = session.scalars(
        select(TrainedDecisionRow)
        .where(TrainedDecisionRow.account_id == account_id)
        .order_by(TrainedDecisionRow.id)
    )
    cards = session.scalars(
        select(TrainedCardRow)
        .where(TrainedCardRow.account_id == account_id)
        .order_by(TrainedCardRow.id)
    )
    return {
        "decisions": [
            {
                "spot": row.spot,
                "street": row.street,
                "made": row.made,
                "loss": row.loss,
                "pot": row.pot,
                "answered_at": row.answered_at.isoformat(),
            }
            for row in decisions
        ],
        "hard": [
            {
                "question": json.loads(row.question),
                "memory": json.loads(row.memory),
                "due_at": row.due_at.isoformat(),
                "answers": row.answers,
            }
            for row in cards
        ],
    }


def adopt_training(session: Session, visitor: Owner, account: Owner) -> None:
    """Let an account have what a browser has trained; of cards that both have, its own stay."""
    known = select(TrainedCardRow.digest).where(TrainedCardRow.owner == account.key)
    theirs = TrainedCardRow.owner == visitor.key
    session.execute(
        delete(TrainedCardRow).where(theirs, TrainedCardRow.digest.in_(known.scalar_subquery()))
    )
    values = {"owner": account.key, "account_id": account.account_id}
    session.execute(update(TrainedCardRow).where(theirs).values(values))
    _drop_late_cards(session, account)
    runs = select(TrainedDecisionRow.run).where(TrainedDecisionRow.owner == account.key)
    decisions = TrainedDecisionRow.owner == visitor.key
    session.execute(
        delete(TrainedDecisionRow).where(
            decisions, TrainedDecisionRow.run.in_(runs.scalar_subquery())
        )
    )
    session.execute(update(TrainedDecisionRow).where(decisions).values(values))


def _drop_late_cards(session: Session, owner: Owner) -> None:
    late = (
        select(TrainedCardRow.id)
        .where(TrainedCardRow.owner == owner.key)
        .order_by(TrainedCardRow.due_at, TrainedCardRow.id)
        .offset(MOST_CARDS)
    )
    doomed = list(session.scalars(late))
    if doomed:
        session.execute(delete(TrainedCardRow).where(TrainedCardRow.id.in_(doomed)))


def _delete_old_training(session: Session, owner: Owner) -> None:
    cutoff = now() - timedelta(days=VISITOR_DAYS)
    row = TrainedDecisionRow
    old = row.account_id.is_(None) & (row.answered_at < cutoff)
    session.execute(delete(row).where(old))
    old_cards = TrainedCardRow.account_id.is_(None) & (TrainedCardRow.due_at < cutoff)
    session.execute(delete(TrainedCardRow).where(old_cards))
    newest = select(row.id).where(row.owner == owner.key).order_by(row.id.desc())
    first = session.scalars(newest.offset(MOST_DECISIONS - 1).limit(1)).first()
    if first is not None:
        session.execute(delete(row).where(row.owner == owner.key, row.id <= first))
