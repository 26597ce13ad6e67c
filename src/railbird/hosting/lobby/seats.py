"""What players ask for at their tables, as calls in the queues of their games."""

from __future__ import annotations

from collections.abc import Callable

from railbird.hosting.connection import Connection
from railbird.hosting.game_task import GameTask
from railbird.hosting.games.ring_play import Refused, RingPlay
from railbird.hosting.lobby.account import Account, entrant_of
from railbird.protocol import ErrorCode
from railbird.protocol.messages.client import ActMessage, BuyChips, SitIn, SitOut, StandUp

_NO_SEAT = "you have no seat any more"


def act(
    task: GameTask,
    connection: Connection,
    message: ActMessage,
    offended: Callable[[str, str], object],
) -> None:
    """Act; ``offended`` is told the account and the code of a refusal."""

    def call() -> None:
        number = task.number_of(connection.name)
        if number is None:
            connection.refuse(ErrorCode.NOT_SEATED, _NO_SEAT)
            return
        error = task.play.act(number, message, lag=connection.lag)
        if error is None:
            connection.answered += 1
        else:
            offended(connection.name, error.code.value)
            connection.send_error(error)

    task.post(call)


def change_seat(
    task: GameTask, connection: Connection, message: BuyChips | SitOut | SitIn | StandUp
) -> None:
    """Buy chips at a ring table, sit out or in, or stand up. Raises `Refused`."""
    play = task.play
    if not isinstance(play, RingPlay):
        raise Refused(ErrorCode.NOT_SEATED, "that is for ring tables")

    def call() -> None:
        number = task.number_of(connection.name)
        if number is None or number not in play.sessions:
            connection.refuse(ErrorCode.NOT_SEATED, _NO_SEAT)
            return
        try:
            match message:
                case BuyChips(amount=amount):
                    play.buy(number, amount)
                case SitOut():
                    play.sit_out(number, True)
                case SitIn():
                    play.sit_out(number, False)
                case StandUp():
                    play.stand_up(number)
        except Refused as problem:
            connection.refuse(problem.code, str(problem))

    task.post(call)


def take_seat(task: GameTask, play: RingPlay, account: Account, chips: int) -> None:
    """Seat an account, within a call of its game. Raises `Refused`."""
    number = play.join(entrant_of(account.identity), chips)
    if account.connection is None:
        play.disconnected(number)
    else:
        task.came(number)
