"""Plays hands of any game with Python players, whose failures do not end the hand.

`kernels` has the compiled loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from railbird._jit import direct
from railbird.arena import kernels
from railbird.arena.guarded_player import CAUGHT, Fault, GuardedPlayer, fault_of
from railbird.cards import HOLDEM
from railbird.game import (
    Action,
    Call,
    HandDealer,
    HandState,
    Rules,
    View,
    action_of,
    code_of,
    code_of_any,
    refusal,
)
from railbird.game import kernels as at
from railbird.game.deal import Deals
from railbird.game.rules import SEATS
from railbird.players import Audience, NotAnAction
from railbird.units import Seat

PlayedHand = tuple[NDArray[np.int64], list[int], list[tuple[int, Fault]]]
"""The vector after the betting, the codes of the actions, and the replaced actions: for each its
place and the fault."""

_ROWS = 64
"""Rows of a frame: the hand, 62 decisions (more than most hands have), and the cards."""
_LAST = _ROWS - 1
_FRAMES = 16
_SEATS = tuple(map(Seat, range(SEATS.stop)))


def play_hand(
    start: HandState, deals: Deals, deal: int, seats: Sequence[GuardedPlayer], number: int
) -> PlayedHand:
    """Play one of ``deals``."""
    (played,) = play_hands(start, deals[deal : deal + 1], seats, [range(len(seats))], [number])
    return played


def play_hands(
    start: HandState,
    deals: Deals,
    players: Sequence[GuardedPlayer],
    seated: Sequence[Sequence[int]],
    numbers: Sequence[int],
) -> Iterator[PlayedHand]:
    """Play deals one after the other.

    ``seated`` has the player in each seat by deal, ``numbers`` the hands' numbers in messages of
    faults. A hand is advanced in the first row of a frame; at each decision the player sees a copy
    in a later row, which never changes again, so that a player may keep what it has seen.
    """
    rules, empty = start.rules, start.vector
    begin, advance_with = _loop_of(rules)
    coding = code_of if rules.variant is HOLDEM else code_of_any
    observed = any(player.observer is not None for player in players)
    timed = any(player.clock is not None for player in players)
    for cards, people, number, frame in zip(
        deals, seated, numbers, _frames(len(deals), len(empty)), strict=True
    ):
        seats = [players[player] for player in people]
        if timed:
            for clock in [seat.clock for seat in seats if seat.clock is not None]:
                clock.next_hand()
        news = _News(start, cards, seats, f"hand {number}") if observed else None
        codes: list[int] = []
        faults: list[tuple[int, Fault]] = []
        row = 1
        actor = begin(frame, empty, cards)
        advance = advance_with(cards)
        while actor >= 0:
            player = seats[actor]
            view = _Shown(_SEATS[actor], rules, frame, row)
            try:
                answer = player.act(view)
                code = at.CALL if type(answer) is Call else _code(answer, coding)
            except CAUGHT as problem:
                answer = player.failed(problem, view, f"hand {number}")
                code = code_of_any(answer)
                faults.append((len(codes), fault_of(problem)))
            row += 1
            if row == _LAST:
                frame, row = _new_frame(frame), 1
            following = advance(frame, row, code)
            if following == kernels.REFUSED:
                words = f"hand {number}: {refusal(view.state, answer)}"
                code = code_of_any(player.instead(Fault.ILLEGAL, view, answer, words))
                following = advance(frame, row, code)
                faults.append((len(codes), Fault.ILLEGAL))
            codes.append(code)
            if news is not None:
                news.acted(action_of(code))
            actor = following
        if news is not None:
            news.over()
        yield frame[0], codes, faults


def _frames(count: int, width: int) -> Iterator[NDArray[np.int64]]:
    """Yield frames, allocated several at a time: allocating one costs as much as a decision."""
    for first in range(0, count, _FRAMES):
        yield from np.empty((min(_FRAMES, count - first), _ROWS, width), np.int64)


_Advance = Callable[[NDArray[np.int64], int, int], int]


def _loop_of(
    rules: Rules,
) -> tuple[
    Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]], int],
    Callable[[NDArray[np.uint8]], _Advance],
]:
    """Return the functions that begin a hand and, for a row of cards, advance it."""
    if rules.variant is HOLDEM:
        advance = _advance()
        return kernels.start, lambda cards: advance
    from railbird.arena import variant_kernels

    return (
        variant_kernels.start_variant,
        lambda cards: partial(variant_kernels.advance_variant, cards),
    )


@cache
def _advance() -> _Advance:
    return direct(kernels.advance, "(int64[:, ::1], int64, int64)")


class _Shown(View):
    """A row of a frame as a view, whose state is computed only when it is used."""

    __slots__ = ("_frame", "_made", "_row", "_rules")

    def __init__(self, seat: Seat, rules: Rules, frame: NDArray[np.int64], row: int) -> None:
        self._seat = seat
        self._rules = rules
        self._frame = frame
        self._row = row
        self._made: HandState | None = None

    @property
    def state(self) -> HandState:
        """The hand, without what the seat has not seen."""
        made = self._made
        if made is None:
            self._made = made = HandState(self._rules, self._frame[self._row])
        return made

    def __reduce__(self) -> tuple[type[View], tuple[Seat, HandState]]:
        """Pickle the state alone: the frame contains everybody's cards."""
        return View, (self.seat, self.state)


def _new_frame(frame: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a frame for more decisions of the same hand."""
    more = np.empty_like(frame)
    more[0] = frame[0]
    more[_LAST] = frame[_LAST]
    return more


class _News:
    """Announces a hand to the players who observe, in the order of players.

    That is the order in which the ACPC's dealer sends its messages.
    """

    def __init__(
        self, start: HandState, cards: NDArray[np.uint8], seats: Sequence[GuardedPlayer], where: str
    ) -> None:
        people, observers = tuple([guarded.number for guarded in seats]), []
        for seat, guarded in sorted(enumerate(seats), key=lambda taken: taken[1].number):
            if guarded.observer is None:
                continue
            observers.append((Seat(seat), guarded.observer))
            if guarded.relay is not None:
                guarded.tell(partial(guarded.relay.deal, cards), where)
            if guarded.acquainted is not None:
                guarded.tell(partial(guarded.acquainted.meet, people), where)
        self._audience = Audience(
            observers, failed=lambda seat, problem: seats[seat].count(problem, where)
        )
        self._dealer = HandDealer.of_row(start.rules, cards)
        self._audience.notify(self._dealer.begin())

    def acted(self, action: Action) -> None:
        """Announce an action, the cards dealt after it, and the showdown."""
        self._audience.notify(self._dealer.act(action))

    def over(self) -> None:
        """Announce the end."""
        self._audience.end(self._dealer.state)


def _code(answer: object, coding: Callable[[Action], int]) -> int:
    """Return an action's code. Raises `NotAnAction` for other objects."""
    try:
        return coding(answer)  # type: ignore[arg-type]
    except TypeError:
        words = f"answered with {type(answer).__name__}, which is not an action"
        raise NotAnAction(words) from None
