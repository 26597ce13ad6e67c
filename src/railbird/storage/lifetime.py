"""The hands of an account's lifetime in transactions: what each came to, with and without luck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import case, delete, func, select
from sqlalchemy.orm import Session

from railbird.storage.tables import LifeHandRow

MOST_HANDS: Final = 100_000
"""Hands of one account."""


@dataclass(frozen=True, slots=True)
class LifeHand:
    """A hand of somebody's lifetime."""

    digest: str
    source: str
    game: str
    position: str
    money: float
    """Big blinds won."""
    skill: float | None
    """The same without what luck is known of; None where nothing is."""


@dataclass(frozen=True, slots=True)
class LifeSums:
    """Sums over hands: of all, and of those in which luck can be told from the rest."""

    name: str
    hands: int
    money: float
    money_squares: float
    known: int
    known_money: float
    skill: float
    skill_squares: float


def add_life_hands(session: Session, account_id: int, hands: Iterable[LifeHand]) -> int:
    """Keep hands that an account does not have yet, up to `MOST_HANDS`; return how many."""
    mine = LifeHandRow.account_id == account_id
    known = set(session.scalars(select(LifeHandRow.digest).where(mine)))
    added = 0
    for hand in hands:
        if hand.digest in known or len(known) >= MOST_HANDS:
            continue
        known.add(hand.digest)
        added += 1
        session.add(
            LifeHandRow(
                account_id=account_id,
                digest=hand.digest,
                source=hand.source[:80],
                game=hand.game[:80],
                position=hand.position[:24],
                money=hand.money,
                skill=hand.skill,
            )
        )
    session.flush()
    return added


def life_sources(session: Session, account_id: int) -> set[str]:
    """Return the games and logs that have hands in an account's lifetime."""
    mine = LifeHandRow.account_id == account_id
    return set(session.scalars(select(LifeHandRow.source).where(mine).distinct()))


def life_sums(session: Session, account_id: int, by: str = "") -> list[LifeSums]:
    """Sum an account's hands up by ``game`` or ``position``, or all; most hands first."""
    known = LifeHandRow.skill.is_not(None)
    money, skill = LifeHandRow.money, LifeHandRow.skill
    sums = (
        func.count(),
        func.sum(money),
        func.sum(money * money),
        func.count(skill),
        func.sum(case((known, money), else_=0.0)),
        func.coalesce(func.sum(skill), 0.0),
        func.coalesce(func.sum(skill * skill), 0.0),
    )
    mine = LifeHandRow.account_id == account_id
    if not by:
        row = session.execute(select(*sums).where(mine)).one()
        return [LifeSums("", *row)] if row[0] else []
    column = {"game": LifeHandRow.game, "position": LifeHandRow.position}[by]
    rows = session.execute(select(column, *sums).where(mine).group_by(column)).all()
    return sorted((LifeSums(*row) for row in rows), key=lambda one: (-one.hands, one.name))


def life_results(session: Session, account_id: int) -> Sequence[tuple[float, float | None]]:
    """Return money and skill of each hand, in the order in which they were added."""
    mine = LifeHandRow.account_id == account_id
    query = select(LifeHandRow.money, LifeHandRow.skill).where(mine).order_by(LifeHandRow.id)
    return [(row.money, row.skill) for row in session.execute(query)]


def life_hands(session: Session, account_id: int) -> Iterator[LifeHand]:
    """Yield an account's hands in the order in which they were added."""
    mine = LifeHandRow.account_id == account_id
    for row in session.scalars(select(LifeHandRow).where(mine).order_by(LifeHandRow.id)):
        yield LifeHand(row.digest, row.source, row.game, row.position, row.money, row.skill)


def forget_life_hands(session: Session, account_id: int) -> None:
    """Delete the hands of an account's lifetime."""
    session.execute(delete(LifeHandRow).where(LifeHandRow.account_id == account_id))
