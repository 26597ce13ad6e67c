"""Transactions on the database: dealing, deciding and adding up.

A hand is dealt to its end in advance, and a decision closes it in one statement that only an open
hand satisfies. So a form that is sent twice, at once or much later, changes nothing the second
time: neither the cards nor the opponent's random choice can be drawn again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from railbird.cards import CLASSES, class_of, format_cards, holding_of, parse_cards
from railbird.serve.pushfold.equilibrium import Equilibria, Equilibrium
from railbird.serve.pushfold.hand import (
    Choice,
    Deal,
    Ending,
    deal,
    ending,
    showdown,
    winnings,
)
from railbird.solve import Seat
from railbird.storage import Database, PushFoldDecisionRow, PushFoldHandRow, PushFoldPlayerRow


class OutOfTurn(Exception):
    """A form that does not fit the state of the hand; the message is for the player."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's totals so far, amounts in big blinds."""

    hands: int = 0
    winnings: float = 0.0
    decisions: int = 0
    loss: float = 0.0
    hints: int = 0

    @property
    def loss_per_decision(self) -> float | None:
        """Mean loss; None before the first decision."""
        return self.loss / self.decisions if self.decisions else None


def dealt(hand: PushFoldHandRow) -> Deal:
    """Return the cards of a stored hand."""
    (a, b), (c, d) = parse_cards(hand.own), parse_cards(hand.opponent)
    return Deal((a, b), (c, d), parse_cards(hand.board), 0.0)


async def player_of(session: AsyncSession, token: str | None) -> PushFoldPlayerRow | None:
    """Find the player whom a cookie names."""
    if token is None:
        return None
    return (
        await session.scalars(select(PushFoldPlayerRow).where(PushFoldPlayerRow.token == token))
    ).one_or_none()


async def last_hand(session: AsyncSession, player: PushFoldPlayerRow) -> PushFoldHandRow | None:
    """Find the player's latest hand."""
    query = (
        select(PushFoldHandRow)
        .where(PushFoldHandRow.player_id == player.id)
        .order_by(PushFoldHandRow.number.desc())
        .limit(1)
    )
    return (await session.scalars(query)).one_or_none()


async def decision_of(session: AsyncSession, hand: PushFoldHandRow) -> PushFoldDecisionRow | None:
    """Find the decision of a hand."""
    return await session.get(PushFoldDecisionRow, hand.id)


async def deal_next(
    database: Database,
    player: PushFoldPlayerRow,
    after: int,
    *,
    equilibrium: Equilibrium,
    rng: np.random.Generator,
) -> None:
    """Deal the hand after number ``after``; do nothing if it has been dealt already.

    Raises `OutOfTurn` while the hand before it is still to be played.
    """
    async with database.read() as session:
        last = await last_hand(session, player)
    number = last.number if last else 0
    if after < number:
        return
    if after > number:
        raise OutOfTurn("There is no such hand. Please reload the page.")
    if last and last.ending is None:
        raise OutOfTurn("This hand has yet to be played.")
    hand = _new_hand(player, last, equilibrium=equilibrium, rng=rng)
    try:
        async with database.write() as session:
            session.add(hand)
    except IntegrityError:
        return  # the same form, sent twice, has dealt it in the meantime


def _new_hand(
    player: PushFoldPlayerRow,
    last: PushFoldHandRow | None,
    *,
    equilibrium: Equilibrium,
    rng: np.random.Generator,
) -> PushFoldHandRow:
    cards = deal(rng)
    seat = Seat(last.seat).other if last else Seat(str(rng.choice(list(Seat))))
    choice = equilibrium.choice(seat.other, class_of(holding_of(*cards.opponent)), cards.roll)
    hand = PushFoldHandRow(
        player_id=player.id,
        number=last.number + 1 if last else 1,
        stack=equilibrium.stack,
        seat=seat,
        own=format_cards(cards.own),
        opponent=format_cards(cards.opponent),
        board=format_cards(cards.board),
        opponent_choice=choice,
        hinted=False,
        winnings=0.0,
    )
    if seat is Seat.BIG_BLIND and choice is Choice.FOLD:
        hand.ending = Ending.OPPONENT_FOLDED
        hand.winnings = 0.5
    return hand


async def hint(database: Database, player: PushFoldPlayerRow, number: int) -> None:
    """Record that the player asked for a hint. Raises `OutOfTurn`."""
    async with database.write() as session:
        changed = await session.execute(
            update(PushFoldHandRow)
            .where(
                PushFoldHandRow.player_id == player.id,
                PushFoldHandRow.number == number,
                PushFoldHandRow.ending.is_(None),
            )
            .values(hinted=True)
            .returning(PushFoldHandRow.id)
        )
        if changed.first() is None:
            raise OutOfTurn("That hand is over; it is too late for a hint.")


async def decide(
    database: Database,
    player: PushFoldPlayerRow,
    number: int,
    choice: Choice,
    *,
    equilibria: Equilibria,
) -> None:
    """Play a hand to its end; the same decision sent again changes nothing.

    Raises `OutOfTurn` if there is no such hand, or it was decided otherwise or without the player.
    """
    async with database.read() as session:
        query = select(PushFoldHandRow).where(
            PushFoldHandRow.player_id == player.id, PushFoldHandRow.number == number
        )
        hand = (await session.scalars(query)).one_or_none()
    if hand is None:
        raise OutOfTurn("There is no such hand. Please reload the page.")
    seat, cards = Seat(hand.seat), dealt(hand)
    how = ending(seat, choice, Choice(hand.opponent_choice))
    own, opponent = showdown(cards)
    won = winnings(seat, how, own=own, opponent=opponent, stack=hand.stack)
    hand_class = class_of(holding_of(*cards.own))
    values = (await equilibria.at(hand.stack)).value_of(seat, hand_class)
    async with database.write() as session:
        closed = await session.execute(
            update(PushFoldHandRow)
            .where(PushFoldHandRow.id == hand.id, PushFoldHandRow.ending.is_(None))
            .values(ending=str(how), winnings=won)
            .returning(PushFoldHandRow.id)
        )
        if closed.first() is None:
            before = await decision_of(session, hand)
            if before is None or before.choice != choice:
                raise OutOfTurn("That hand is over and cannot be played again.")
            return
        session.add(
            PushFoldDecisionRow(
                hand_id=hand.id,
                choice=str(choice),
                hand_class=hand_class,
                frequency=values.frequency,
                ev_aggress=values.aggress,
                ev_fold=values.fold,
                loss=values.loss(choice),
            )
        )


async def tally(session: AsyncSession, player: PushFoldPlayerRow) -> Tally:
    """Add up a player's finished hands; decisions after a hint are counted apart."""
    mine = (PushFoldHandRow.player_id == player.id, PushFoldHandRow.ending.is_not(None))
    hands, won = (
        await session.execute(
            select(func.count(), func.coalesce(func.sum(PushFoldHandRow.winnings), 0.0)).where(
                *mine
            )
        )
    ).one()
    decided = (
        select(func.count(), func.coalesce(func.sum(PushFoldDecisionRow.loss), 0.0))
        .join(PushFoldHandRow, PushFoldHandRow.id == PushFoldDecisionRow.hand_id)
        .where(*mine)
    )
    count, loss = (await session.execute(decided.where(PushFoldHandRow.hinted.is_(False)))).one()
    hints = (await session.execute(decided.where(PushFoldHandRow.hinted.is_(True)))).one()[0]
    return Tally(hands, float(won), count, float(loss), hints)


async def running_winnings(
    session: AsyncSession, player: PushFoldPlayerRow, *, most: int
) -> list[float]:
    """Return the winnings of the last ``most`` hands, the latest last."""
    query = (
        select(PushFoldHandRow.winnings)
        .where(PushFoldHandRow.player_id == player.id, PushFoldHandRow.ending.is_not(None))
        .order_by(PushFoldHandRow.number.desc())
        .limit(most)
    )
    return [*(await session.scalars(query))][::-1]


async def counts(
    session: AsyncSession, player: PushFoldPlayerRow | None, *, seat: Seat, stack: float
) -> NDArray[np.int64]:
    """Count a player's decisions without a hint, (169, 2): pushes or calls, and all."""
    counts = np.zeros((CLASSES, 2), dtype=np.int64)
    if player is None:
        return counts
    query = (
        select(PushFoldDecisionRow.hand_class, PushFoldDecisionRow.choice, func.count())
        .join(PushFoldHandRow, PushFoldHandRow.id == PushFoldDecisionRow.hand_id)
        .where(
            PushFoldHandRow.player_id == player.id,
            PushFoldHandRow.seat == str(seat),
            PushFoldHandRow.stack == stack,
            PushFoldHandRow.hinted.is_(False),
        )
        .group_by(PushFoldDecisionRow.hand_class, PushFoldDecisionRow.choice)
    )
    for hand_class, choice, count in await session.execute(query):
        counts[hand_class] += (count if choice == Choice.AGGRESS else 0, count)
    return counts


async def all_decisions(
    database: Database, *, batch: int = 500
) -> AsyncIterator[tuple[PushFoldDecisionRow, PushFoldHandRow, str]]:
    """Iterate over all decisions, oldest first, with the hand and the player's stated skill.

    Each batch is a transaction of its own, so that a slow client does not occupy a connection to
    the database.
    """
    query = (
        select(PushFoldDecisionRow, PushFoldHandRow, PushFoldPlayerRow.skill)
        .join(PushFoldHandRow, PushFoldHandRow.id == PushFoldDecisionRow.hand_id)
        .join(PushFoldPlayerRow, PushFoldPlayerRow.id == PushFoldHandRow.player_id)
        .order_by(PushFoldDecisionRow.decided_at, PushFoldDecisionRow.hand_id)
        .limit(batch)
    )
    following = query
    while True:
        async with database.read() as session:
            rows = (await session.execute(following)).all()
        for decision, hand, skill in rows:
            yield decision, hand, skill
        if len(rows) < batch:
            return
        last = rows[-1][0]
        following = query.where(
            or_(
                PushFoldDecisionRow.decided_at > last.decided_at,
                and_(
                    PushFoldDecisionRow.decided_at == last.decided_at,
                    PushFoldDecisionRow.hand_id > last.hand_id,
                ),
            )
        )
