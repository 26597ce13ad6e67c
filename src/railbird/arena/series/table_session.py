"""Players whose stacks carry over from hand to hand, at one or several tables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from railbird.arena.compiled_table import CompiledTable
from railbird.arena.fault_policy import FaultPolicy, FaultTally
from railbird.arena.guarded_player import close_all, seat_players
from railbird.arena.hand_loop import action_of, play_hand
from railbird.arena.names import PlayerLike, names_of
from railbird.arena.seeds import hidden_generator
from railbird.cards import HOLDING_INDEX, Card, Holding
from railbird.game import (
    BOARD_CARDS,
    Rules,
    initial,
)
from railbird.game.deal import Deals
from railbird.game.engine import _kernels_layout as at
from railbird.game.rules import SEATS
from railbird.histories import HandRecord
from railbird.players.compiled.policies import LokiPolicy, WeightedPolicy, policy_of
from railbird.tournament.seating import TableOrder, by_seat


class TableSession:
    """The players, who can be reset and can play a hand at any table.

    ``rules`` are those of the first hand. Raises `BadInput` if a player cannot be created or
    cannot play.
    """

    def __init__(self, players: Sequence[PlayerLike], faults: FaultPolicy, rules: Rules) -> None:
        self._names = names_of(players)
        self._players = seat_players(players, self._names, faults, rules, carries_over=True)
        self._rules = rules
        self._compiled: CompiledTable | None = None

    def rollback(self) -> None:
        """Let the players forget what they have seen since the reset."""
        for player in self._players:
            player.rollback()

    def close(self) -> None:
        """Let the players end."""
        close_all(self._players)

    def reset(self, purpose: str) -> None:
        """Reset all players, seeding their generators by ``purpose``; the part before is over."""
        for number, player in enumerate(self._players):
            player.commit()
            player.reset(hidden_generator(f"{purpose} {number}"))
        self._compiled = self._compiled_table()

    def take_faults(self) -> tuple[FaultTally, ...]:
        """Return all players' faults since the last call."""
        return tuple(player.take_faults() for player in self._players)

    def play(
        self,
        table: TableOrder,
        stacks: list[int],
        rules: Rules,
        deals: Deals,
        *,
        number: int,
        name: str,
    ) -> HandRecord:
        """Play one hand with these cards (1, 2 * seats + 5), updating ``stacks`` (by player)."""
        seated = by_seat(table)
        codes: list[int]
        payoffs: list[int]
        if self._compiled is None:
            seats = [self._players[player] for player in seated]
            hand, codes = play_hand(initial(rules), deals, 0, seats, number)
            payoffs, street = hand[at.HEADER + at.PAYOFF :: at.STRIDE].tolist(), hand[at.STREET]
        else:
            hands = self._compiled.play(rules, deals[:1], np.array([seated], np.int64))
            codes, street = hands.actions.tolist(), hands.streets[0]
            payoffs = hands.payoffs[0, seated].tolist()
        for player, won in zip(seated, payoffs, strict=True):
            stacks[player] += won
        cards = deals[0]
        low, high = cards[: 2 * rules.seats : 2], cards[1 : 2 * rules.seats : 2]
        dealt = BOARD_CARDS[int(street)]
        return HandRecord(
            rules=rules,
            players=tuple(self._names[player] for player in seated),
            holes=tuple(map(Holding, HOLDING_INDEX[low, high].tolist())),
            board=tuple(map(Card, cards[2 * rules.seats :][:dealt].tolist())),
            actions=tuple(map(action_of, codes)),
            payoffs=tuple(map(Fraction, payoffs)),
            number=number,
            table=name,
        )

    def _compiled_table(self) -> CompiledTable | None:
        """Return the players as they are after the reset, if all can be compiled for any stacks.

        Without Lokis it would gain less than it takes to compile.
        """
        forms = [policy_of(player.player, self._rules) for player in self._players]
        policies = [form for form in forms if isinstance(form, LokiPolicy | WeightedPolicy)]
        if len(policies) < len(forms) or len(forms) >= SEATS.stop:
            return None
        if not any(isinstance(policy, LokiPolicy) for policy in policies):
            return None
        return CompiledTable(policies, together=False)
