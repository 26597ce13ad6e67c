"""A hand of push/fold, and the equilibrium that judges its decisions."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import math
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import and_, case, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from railbird.cards import (
    CLASSES,
    Card,
    HandClass,
    Strength,
    class_name,
    class_of,
    format_cards,
    holding_of,
    parse_cards,
    strength,
)
from railbird.errors import BadInput
from railbird.estimates.estimate import Z_95, Estimate
from railbird.progress import Progress
from railbird.solve import (
    BIG_BLIND,
    LEAST_STACK,
    MOST_STACK,
    SMALL_BLIND,
    PushFoldValues,
    Seat,
    pushfold_ev,
    solve_pushfold,
)
from railbird.storage import Database, PushFoldDecisionRow, PushFoldHandRow, PushFoldPlayerRow


class Choice(StrEnum):
    """A seat's choice; the data set calls both pushing and calling ``aggress``."""

    AGGRESS = "aggress"
    FOLD = "fold"


class Ending(StrEnum):
    """The way a hand ended."""

    SHOWDOWN = "showdown"
    PLAYER_FOLDED = "player folded"
    OPPONENT_FOLDED = "opponent folded"


@dataclass(frozen=True, slots=True)
class PushFoldDeal:
    """Nine cards, and a number in [0, 1) that decides the opponent's mixed actions."""

    own: tuple[Card, Card]
    opponent: tuple[Card, Card]
    board: tuple[Card, ...]
    roll: float


def deal_pushfold(rng: np.random.Generator) -> PushFoldDeal:
    """Shuffle and deal.

    >>> first, again = (deal_pushfold(np.random.default_rng(7)) for _ in range(2))
    >>> first == again, len({*first.own, *first.opponent, *first.board})
    (True, 9)
    """
    a, b, c, d, *board = (Card(card) for card in rng.permutation(52)[:9].tolist())
    return PushFoldDeal((a, b), (c, d), tuple(board), rng.random())


def ending(seat: Seat, own: Choice, opponent: Choice) -> Ending:
    """Determine how a hand ends; a fold of the small blind ends it before the big blind acts."""
    first, second = (own, opponent) if seat is Seat.SMALL_BLIND else (opponent, own)
    if first is Choice.FOLD:
        folds = Seat.SMALL_BLIND
    elif second is Choice.FOLD:
        folds = Seat.BIG_BLIND
    else:
        return Ending.SHOWDOWN
    return Ending.PLAYER_FOLDED if folds is seat else Ending.OPPONENT_FOLDED


def hand_winnings(
    seat: Seat, how: Ending, *, own: Strength, opponent: Strength, stack: float
) -> float:
    """Compute the player's winnings in big blinds.

    >>> hands = {"own": Strength(9), "opponent": Strength(2), "stack": 8.0}
    >>> hand_winnings(Seat.BIG_BLIND, Ending.PLAYER_FOLDED, **hands)
    -1.0
    """
    posted = {Seat.SMALL_BLIND: SMALL_BLIND, Seat.BIG_BLIND: BIG_BLIND}
    match how:
        case Ending.PLAYER_FOLDED:
            return -posted[seat]
        case Ending.OPPONENT_FOLDED:
            return posted[seat.other]
        case Ending.SHOWDOWN:
            return stack * ((own > opponent) - (own < opponent))


def showdown_strengths(dealt: PushFoldDeal) -> tuple[Strength, Strength]:
    """Compute the strengths of both hands with the whole board, the player's first."""
    return strength((*dealt.own, *dealt.board)), strength((*dealt.opponent, *dealt.board))


# The equilibrium at a stack, solved once, and the value of decisions against it.


def checked_stack(stack: float) -> float:
    """Round a stack to a tenth of a big blind.

    Raises `railbird.errors.BadInput` outside 1 to 100 and for finer steps.

    >>> checked_stack(9.5)
    9.5
    """
    if not (math.isfinite(stack) and LEAST_STACK <= stack <= MOST_STACK):
        raise BadInput(f"a stack of {stack:g} big blinds; allowed: 1 to 100")
    tenths = round(stack, 1)
    if not math.isclose(tenths, stack, rel_tol=0, abs_tol=1e-9):
        raise BadInput(f"a stack of {stack:g} big blinds; allowed: steps of 0.1")
    return tenths


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """Both strategies at a stack, and the value of every class against them."""

    stack: float
    push: NDArray[np.float64]
    """(169,) how often the small blind pushes each class."""
    call: NDArray[np.float64]
    """(169,) how often the big blind calls with each class."""
    values: PushFoldValues

    def frequencies(self, seat: Seat) -> NDArray[np.float64]:
        """Return how often each class pushes or calls, (169,)."""
        return self.push if seat is Seat.SMALL_BLIND else self.call

    def choice(self, seat: Seat, hand_class: HandClass, roll: float) -> Choice:
        """Return the choice of the equilibrium for a random ``roll`` in [0, 1)."""
        frequency = self.frequencies(seat)[hand_class]
        return Choice.AGGRESS if roll < frequency else Choice.FOLD

    def value_of(self, seat: Seat, hand_class: HandClass) -> ChoiceValues:
        """Return the values of both choices of the player with a class."""
        if seat is Seat.SMALL_BLIND:
            aggress, fold = self.values.push_ev[hand_class], self.values.fold_ev_sb
        else:
            aggress, fold = self.values.call_ev[hand_class], self.values.fold_ev_bb
        return ChoiceValues(float(self.frequencies(seat)[hand_class]), float(aggress), float(fold))


@dataclass(frozen=True, slots=True)
class ChoiceValues:
    """Values of the choices against the equilibrium, in big blinds."""

    frequency: float
    aggress: float
    fold: float

    def loss(self, choice: Choice) -> float:
        """Compute what a choice gives up.

        >>> ChoiceValues(1.0, 0.25, -0.5).loss(Choice.FOLD)
        0.75
        """
        chosen = self.aggress if choice is Choice.AGGRESS else self.fold
        return max(self.aggress, self.fold) - chosen


def solve_at(stack: float, *, progress: Progress | None = None) -> Equilibrium:
    """Solve the game at a stack."""
    solution = solve_pushfold(stack, progress=progress)
    values = pushfold_ev(solution.push, solution.call, stack=stack)
    return Equilibrium(stack, solution.push, solution.call, values)


class Equilibria:
    """Cache of equilibria; each is solved once, in a thread, one at a time."""

    def __init__(
        self, solver: Callable[[float], Equilibrium] = solve_at, *, most: int = 256
    ) -> None:
        self._solver = solver
        self._most = most
        self._solved: OrderedDict[float, Equilibrium] = OrderedDict()
        self._solving = asyncio.Lock()

    async def at(self, stack: float) -> Equilibrium:
        """Return the equilibrium at a stack. Raises `railbird.errors.BadInput`."""
        stack = checked_stack(stack)
        if stack not in self._solved:
            async with self._solving:
                if stack not in self._solved:
                    solution = await asyncio.to_thread(self._solver, stack)
                    assert solution.push.shape == (CLASSES,)
                    self._solved[stack] = solution
                    if len(self._solved) > self._most:
                        self._solved.popitem(last=False)
                    return solution
        self._solved.move_to_end(stack)
        return self._solved[stack]


# Push/fold in the database: dealing, deciding, the leaderboard, and the export.
#
# A hand is dealt to its end in advance, and a decision closes it in one statement that only an open
# hand satisfies. So a form that is sent twice, at once or much later, changes nothing the second
# time: neither the cards nor the opponent's random choice can be drawn again.


class OutOfTurn(Exception):
    """A form that does not fit the state of the hand; the message is for the player."""


@dataclass(frozen=True, slots=True)
class PlayerTotals:
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


def cards_of_hand(hand: PushFoldHandRow) -> PushFoldDeal:
    """Return the cards of a stored hand."""
    (a, b), (c, d) = parse_cards(hand.own), parse_cards(hand.opponent)
    return PushFoldDeal((a, b), (c, d), parse_cards(hand.board), 0.0)


async def player_with_token(session: AsyncSession, token: str | None) -> PushFoldPlayerRow | None:
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


async def decision_row_of(
    session: AsyncSession, hand: PushFoldHandRow
) -> PushFoldDecisionRow | None:
    """Find the decision of a hand."""
    return await session.get(PushFoldDecisionRow, hand.id)


async def deal_hand_after(
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
    cards = deal_pushfold(rng)
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


async def record_hint(database: Database, player: PushFoldPlayerRow, number: int) -> None:
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


async def decide_stored_hand(
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
    seat, cards = Seat(hand.seat), cards_of_hand(hand)
    how = ending(seat, choice, Choice(hand.opponent_choice))
    own, opponent = showdown_strengths(cards)
    won = hand_winnings(seat, how, own=own, opponent=opponent, stack=hand.stack)
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
            before = await decision_row_of(session, hand)
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


async def tally(session: AsyncSession, player: PushFoldPlayerRow) -> PlayerTotals:
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
    return PlayerTotals(hands, float(won), count, float(loss), hints)


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

    Each batch is a separate transaction, so that a slow client does not occupy a connection to the
    database.
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


# The leaderboard: players by what they give up per decision, with intervals.
#
# Luck at the cards plays no part in it.


TYPICAL_MISTAKE_BB = 0.2
"""Cost of a mistake as long as nobody has made one."""

NO_MISTAKE_BB = 1e-4
"""Tolerance: if the equilibrium mixes, both choices are equal up to the solver's precision."""


@dataclass(frozen=True, slots=True)
class LeaderPlace:
    """A player's place."""

    player_id: int
    nickname: str
    loss: Estimate
    """Big blinds given up per decision."""


def loss_per_decision(n: int, total: float, squares: float, mistake: float) -> Estimate:
    """Estimate the mean loss of ``n`` decisions from their sum and sum of squares.

    Mistakes are rare and each costs much more than the mean, so a short record without one has no
    variance at all and would look like certainty. A few mistakes of the usual cost are therefore
    added to the variance, not to the mean: so many that the interval of a record without any ends
    near three in ``n``, the rule of three.

    >>> round(loss_per_decision(100, 0.0, 0.0, 0.2).high, 4)
    0.0061
    """
    if n == 0:
        return Estimate(math.nan, math.inf, 0, "bb")
    mean = total / n
    spread = max(squares - n * mean * mean, 0.0) + (3 / Z_95 * mistake) ** 2
    return Estimate(mean, math.sqrt(spread) / n, n, "bb")


async def leaders(
    session: AsyncSession, *, stack: float, minimum: int, most: int = 50
) -> tuple[LeaderPlace, ...]:
    """Rank the players with enough decisions at a stack, the smallest loss first.

    One stack at a time, because what can be given up depends on it: next to nothing at one big
    blind.
    """
    counted = (PushFoldHandRow.stack == stack, PushFoldHandRow.hinted.is_(False))
    decided = select(
        func.sum(
            case((PushFoldDecisionRow.loss > NO_MISTAKE_BB, PushFoldDecisionRow.loss), else_=0.0)
        ),
        func.sum(case((PushFoldDecisionRow.loss > NO_MISTAKE_BB, 1), else_=0)),
    ).join(PushFoldHandRow, PushFoldHandRow.id == PushFoldDecisionRow.hand_id)
    cost, mistakes = (await session.execute(decided.where(*counted))).one()
    mistake = float(cost) / int(mistakes) if mistakes else TYPICAL_MISTAKE_BB
    mean = func.avg(PushFoldDecisionRow.loss)
    query = (
        select(
            PushFoldPlayerRow.id,
            PushFoldPlayerRow.nickname,
            func.count(),
            func.sum(PushFoldDecisionRow.loss),
            func.sum(PushFoldDecisionRow.loss * PushFoldDecisionRow.loss),
        )
        .join(PushFoldHandRow, PushFoldHandRow.player_id == PushFoldPlayerRow.id)
        .join(PushFoldDecisionRow, PushFoldDecisionRow.hand_id == PushFoldHandRow.id)
        .where(*counted)
        .group_by(PushFoldPlayerRow.id, PushFoldPlayerRow.nickname)
        .having(func.count() >= minimum)
        .order_by(mean, func.count().desc(), PushFoldPlayerRow.id)
        .limit(most)
    )
    return tuple(
        LeaderPlace(
            player_id, nickname, loss_per_decision(n, float(total), float(squares), mistake)
        )
        for player_id, nickname, n, total, squares in await session.execute(query)
    )


# Export of all decisions without names, for ``railbird pushfold report`` and for everybody.


COLUMNS = (
    *("card1", "card2", "position", "skill", "decision", "played_at"),
    *("stack_bb", "hand", "hinted", "equilibrium", "ev_aggress_bb", "ev_fold_bb", "loss_bb"),
    *("opponent1", "opponent2", "board", "winnings_bb"),
)
"""Columns of the export: first six as in the published data set; cards only after a showdown."""

ExportRow = dict[str, str | float | bool | None]


def row(decision: PushFoldDecisionRow, hand: PushFoldHandRow, skill: str) -> ExportRow:
    """Describe a decision; nothing says who made it."""
    is_showdown = hand.ending == Ending.SHOWDOWN
    return {
        "card1": hand.own[:2],
        "card2": hand.own[2:],
        "position": hand.seat,
        "skill": skill,
        "decision": decision.choice,
        "played_at": decision.decided_at.strftime("%Y-%m-%d %H:%M:%S.%f"),
        "stack_bb": hand.stack,
        "hand": class_name(HandClass(decision.hand_class)),
        "hinted": hand.hinted,
        "equilibrium": decision.frequency,
        "ev_aggress_bb": decision.ev_aggress,
        "ev_fold_bb": decision.ev_fold,
        "loss_bb": decision.loss,
        "opponent1": hand.opponent[:2] if is_showdown else None,
        "opponent2": hand.opponent[2:] if is_showdown else None,
        "board": hand.board if is_showdown else None,
        "winnings_bb": hand.winnings,
    }


async def as_csv(database: Database) -> AsyncIterator[str]:
    """Stream all decisions as CSV."""
    line = io.StringIO()
    writer = csv.DictWriter(line, COLUMNS, lineterminator="\n")
    writer.writeheader()
    async for decision in all_decisions(database):
        writer.writerow(row(*decision))
        if line.tell() > 16_384:
            yield line.getvalue()
            line.seek(0)
            line.truncate()
    yield line.getvalue()


async def decisions_as_json(database: Database) -> AsyncIterator[str]:
    """Stream all decisions as one JSON array."""
    before = "["
    async for decision in all_decisions(database):
        yield f"{before}\n{json.dumps(row(*decision))}"
        before = ","
    yield "[]\n" if before == "[" else "\n]\n"
