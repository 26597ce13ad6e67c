"""Playing the chunks of a match, through Python or compiled, with identical hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from railbird.arena.compiled_table import CompiledTable
from railbird.arena.guarded_player import close_all, seat_players
from railbird.arena.hand_loop import play_hands
from railbird.arena.match.chunks import Chunk, Hands, batch_of_hands, in_chips
from railbird.arena.match.definition import Match
from railbird.arena.seeds import deals, player_rng
from railbird.errors import BadInput
from railbird.game import initial
from railbird.game.deal import Deals
from railbird.game.engine import _kernels_layout as at
from railbird.histories import HandRecord
from railbird.histories.acpc.write_columns import state_lines
from railbird.histories.columns import HandBatch, concat, pack, records_of
from railbird.players import CompiledPolicy
from railbird.players.compiled.policies import Compiled, policy_of


class Loop(Enum):
    """Way of playing hands."""

    AUTO = "auto"
    """Compiled if every player has a compiled form, else through Python."""
    PYTHON = "python"
    COMPILED = "compiled"


@dataclass(frozen=True, slots=True)
class Job:
    """Everything needed to play a part of a match."""

    match: Match
    loop: Loop
    logged: bool
    kept: bool = False
    """True to return the hands as columns."""


class ChunkPlayer:
    """The players of a match, ready to play any of its chunks.

    Raises `BadInput` if a player cannot be created, or lacks a compiled form that it needs.
    """

    def __init__(self, job: Job) -> None:
        self._match = job.match
        self._job = job
        match = job.match
        self._players = seat_players(match.players, match.names, match.faults, match.rules)
        everyone = [guarded.player for guarded in self._players]
        self._compilable = [player for player in everyone if isinstance(player, Compiled)]
        self._compiled = self._is_compiled(job.loop)
        # Constructing a generator takes as long as a hundred compiled hands.
        self._reset = [
            number
            for number, guarded in enumerate(self._players)
            if not (self._compiled and self._is_fixed(guarded.player))
        ]

    def rollback(self) -> None:
        """Let the players forget the chunk that is not over."""
        for player in self._players:
            player.rollback()

    def close(self) -> None:
        """Let the players end."""
        close_all(self._players)

    def play(self, index: int) -> Chunk:
        """Play one chunk, resetting the players before each direction."""
        match = self._match
        payoffs: list[NDArray[np.int64]] = []
        batches: list[HandBatch] = []
        for cards, seated, hands in self._directions(index):
            payoffs.append(hands.payoffs)
            if self._job.logged or self._job.kept:
                numbers = match.deals_of(index)
                batches.append(batch_of_hands(match, numbers, seated, cards, hands))
        text = b"".join(map(state_lines, batches)) if self._job.logged else b""
        kept = pack(concat(batches)) if self._job.kept else None
        chips = in_chips(np.stack(payoffs) / match.rules.denominator)
        faults = tuple(player.take_faults() for player in self._players)
        return Chunk(index, chips, faults, text, kept)

    def records(self, index: int) -> Iterator[HandRecord]:
        """Play one chunk; yield its hands in the order of play."""
        numbers = self._match.deals_of(index)
        for cards, seated, hands in self._directions(index):
            yield from records_of(batch_of_hands(self._match, numbers, seated, cards, hands))

    def _directions(self, index: int) -> Iterator[tuple[Deals, NDArray[np.int64], Hands]]:
        """Play each direction of a chunk; yield its cards, seating and hands."""
        match = self._match
        numbers = match.deals_of(index)
        cards = deals(match, numbers)
        for player in self._players:
            player.commit()
        for direction in range(match.directions):
            for number in self._reset:
                rng = player_rng(match, chunk=index, direction=direction, player=number)
                self._players[number].reset(rng)
            seated = match.seatings(numbers, direction)
            play = self._play_compiled if self._compiled else self._play_python
            yield cards, seated, play(cards, seated, numbers)

    def _play_python(self, cards: Deals, seated: NDArray[np.int64], numbers: range) -> Hands:
        start = initial(self._match.rules)
        actions: list[int] = []
        ends: list[int] = []
        finished = np.empty((len(cards), len(start.vector)), np.int64)
        played = play_hands(start, cards, self._players, seated.tolist(), numbers)
        for deal, (vector, codes) in enumerate(played):
            finished[deal] = vector
            actions += codes
            ends.append(len(actions))
        payoffs = np.empty(seated.shape, np.int64)
        by_seat = finished[:, at.HEADER + at.PAYOFF :: at.STRIDE]
        np.put_along_axis(payoffs, seated, by_seat, axis=1)
        return Hands(
            actions=np.array(actions, np.int64),
            ends=np.array(ends, np.int64),
            streets=finished[:, at.STREET],
            payoffs=payoffs,
        )

    def _play_compiled(self, cards: Deals, seated: NDArray[np.int64], _: range) -> Hands:
        table = CompiledTable(self._policies(), together=True)
        return table.play(self._match.rules, cards, seated)

    def _policies(self) -> list[CompiledPolicy]:
        """Return the compiled forms of the players that have one."""
        forms = (player.policy(self._match.rules) for player in self._compilable)
        return [form for form in forms if form is not None]

    def _is_fixed(self, player: object) -> bool:
        policy = policy_of(player, self._match.rules)
        return policy is not None and not policy.draws

    def _is_compiled(self, loop: Loop) -> bool:
        everyone = len(self._policies()) == len(self._players)
        if loop is Loop.COMPILED and not everyone:
            raise BadInput("not every player has a compiled form for this game; use another loop")
        return everyone and loop is not Loop.PYTHON
