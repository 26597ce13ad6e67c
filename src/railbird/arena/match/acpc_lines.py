"""Hands as lines of an ACPC log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.arena.hand_loop import action_of
from railbird.arena.match.chunks import Hands
from railbird.arena.match.definition import Match
from railbird.cards import HOLDING_INDEX
from railbird.errors import BadInput
from railbird.game import BOARD_CARDS, Rules, acpc_rules
from railbird.game.deal import Deals
from railbird.histories import HandRecord, game_spec
from railbird.histories.acpc.write import state_line


def head(rules: Rules, seed: int) -> bytes:
    """Return the comment that tells a reader of the log which game it is.

    Raises `BadInput` for rules whose ACPC log could not be read back.
    """
    if acpc_rules(rules) != rules:
        raise BadInput(
            "a log is played by the ACPC's rules: odd chips split, short all-ins reopen the betting"
        )
    return f"# name/game/hands/seed railbird {game_spec(rules)} - {seed}\n".encode()


def records(
    match: Match,
    numbers: range,
    seated: NDArray[np.int64],
    cards: Deals,
    hands: Hands,
) -> Iterator[HandRecord]:
    """Yield the hands of one direction of a chunk as records."""
    rules, names, denominator = match.rules, match.names, match.rules.denominator
    seats = rules.seats
    low, high = cards[:, 0 : 2 * seats : 2], cards[:, 1 : 2 * seats : 2]
    holdings = HOLDING_INDEX[low, high].tolist()
    flags = ((low < high) << np.arange(seats)).sum(axis=1).tolist()
    boards = cards[:, 2 * seats :].tolist()
    payoffs = np.take_along_axis(hands.payoffs, seated, axis=1).tolist()
    for hand, (number, players) in enumerate(zip(numbers, seated.tolist(), strict=True)):
        dealt = BOARD_CARDS[hands.streets[hand]]
        yield HandRecord(
            rules=rules,
            players=tuple([names[player] for player in players]),
            holes=tuple(holdings[hand]),
            board=tuple(boards[hand][:dealt]),
            actions=tuple(map(action_of, hands.actions_of(hand))),
            payoffs=tuple([_chips(paid, denominator) for paid in payoffs[hand]]),
            number=number,
            low_first=flags[hand],
        )


@lru_cache(maxsize=1 << 12)
def _chips(paid: int, denominator: int) -> Fraction:
    """Return a payoff in chips, cached: few amounts recur, and constructing a fraction is slow."""
    return Fraction(paid, denominator)


def log_lines(hands: Iterable[HandRecord]) -> bytes:
    """Return records as lines of an ACPC log, without its header and totals."""
    return "".join([state_line(hand, hand.number or 0) for hand in hands]).encode()
