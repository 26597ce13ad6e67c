"""Plays chunks of matches of any hold'em: the units that are sent to workers and logged.

`series` plays the segments of games in which stacks carry over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.arena import kernels
from railbird.arena.guarded_player import FaultTally, close_all, seat_players
from railbird.arena.hand_loop import play_hands
from railbird.arena.match import Match
from railbird.arena.seeds import deals, player_rng
from railbird.cards import HOLDEM, HOLDING_INDEX
from railbird.errors import BadInput, RailbirdError
from railbird.game import BOARD_CARDS, HEADS_UP_LIMIT, Rules, action_of, initial, start
from railbird.game import kernels as at
from railbird.game.deal import Deals
from railbird.game.walk_kernels import SCRATCH
from railbird.histories import HandRecord, Skipped, WriteOptions, format_named
from railbird.histories.acpc.columns import state_lines
from railbird.histories.columns import (
    NO_TIME,
    UNKNOWN,
    Circumstances,
    HandBatch,
    Numbered,
    Piece,
    answers_of,
    concat,
    in_parts,
    pack,
    records_of,
)
from railbird.histories.protocol_errors import error_comment
from railbird.histories.variant_hands import fields_of_row
from railbird.players import CompiledPolicy
from railbird.players.compiled import (
    BaselinePolicy,
    Compiled,
    LokiPolicy,
    policies_of,
    policy_of,
    tables_for,
)

_DECIMALS = 6
"""Decimals of an amount in a log. Results are rounded to these, so that reading them back
agrees."""


@dataclass(frozen=True, slots=True)
class PlayedHands:
    """Consecutive hands, as both loops return them."""

    actions: NDArray[np.int64]
    """Codes of all hands' actions, end to end."""
    ends: NDArray[np.int64]
    """(hands,) where each hand's actions end."""
    streets: NDArray[np.int64]
    """(hands,) the last street that was dealt."""
    payoffs: NDArray[np.int64]
    """(hands, players) chips won, times the rules' denominator."""
    comments: tuple[str, ...] = ()
    """The log's comment on each hand; empty if no hand has one."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A played chunk of a match."""

    index: int
    payoffs: NDArray[np.float64]
    """Chips won, shape (directions, deals, players)."""
    faults: tuple[FaultTally, ...]
    """By player."""
    text: bytes = b""
    """The hands as lines of the log; empty without a log."""
    hands: Piece | None = None
    """The hands as columns, if they are kept."""

    def without_text(self) -> Chunk:
        """Return the chunk without the text."""
        return replace(self, text=b"")


def batch_of_hands(
    match: Match,
    numbers: range,
    seated: NDArray[np.int64],
    cards: Deals,
    hands: PlayedHands,
) -> HandBatch:
    """Lay out the hands of one direction of a chunk as columns."""
    rules, n, seats = match.rules, len(numbers), match.rules.seats
    low, high = cards[:, 0 : 2 * seats : 2], cards[:, 1 : 2 * seats : 2]
    dealt = np.array(BOARD_CARDS, np.uint8)[hands.streets]
    board = cards[:, 2 * seats :]
    start = np.concatenate([[0], hands.ends])
    rules_of = np.zeros(n, np.int32)
    comments: Numbered[Circumstances] = Numbered()
    comments(Circumstances())
    comment_numbers = [comments(Circumstances(comment=comment)) for comment in hands.comments]
    comment_numbers = comment_numbers or [0] * n
    payoff, parts = in_parts(np.take_along_axis(hands.payoffs, seated, axis=1), rules.denominator)
    return HandBatch(
        rules=(rules,),
        rules_of=rules_of,
        names=match.names,
        player=seated.astype(np.int32),
        holding=HOLDING_INDEX[low, high].astype(np.int16),
        low_first=((low < high) << np.arange(seats)).sum(axis=1).astype(np.uint32),
        board=np.where(np.arange(board.shape[1]) < dealt[:, None], board, 0).astype(np.uint8),
        dealt=dealt,
        start=start,
        action=hands.actions,
        answers=answers_of((rules,), rules_of, start, hands.actions),
        payoff=payoff,
        parts=parts,
        number=np.arange(numbers.start, numbers.stop),
        played_at=np.full(n, NO_TIME),
        circumstances=comments.values(),
        circumstances_of=np.array(comment_numbers, np.int32),
        sources=(),
        file=np.full(n, UNKNOWN, np.int32),
        line=np.full(n, UNKNOWN, np.int64),
    )


def records_of_hands(
    match: Match,
    numbers: range,
    seated: NDArray[np.int64],
    cards: Deals,
    hands: PlayedHands,
) -> Iterator[HandRecord]:
    """Yield the hands of one direction of a chunk, in games other than hold'em."""
    rules, begin = match.rules, 0
    for deal, end in enumerate(hands.ends.tolist()):
        played = tuple(map(action_of, hands.actions[begin:end].tolist()))
        cards_and_actions = fields_of_row(rules, cards[deal], int(hands.streets[deal]), played)
        won = hands.payoffs[deal, seated[deal]].tolist()
        yield HandRecord(
            rules=rules,
            players=tuple(match.names[player] for player in seated[deal]),
            payoffs=tuple(Fraction(parts, rules.denominator) for parts in won),
            **cards_and_actions,
            number=numbers[deal],
            comment=hands.comments[deal] if hands.comments else "",
        )
        begin = end


def hands_text(hands: Iterable[HandRecord], first: int) -> bytes:
    """Return hands as in a PHHS log, numbered from ``first``.

    Raises `RailbirdError` for a hand that the format cannot express.
    """
    write = format_named("phh").write
    assert write is not None
    pieces = []
    for number, hand in enumerate(hands, first):
        for piece in write([hand], WriteOptions()):
            if isinstance(piece, Skipped):
                raise RailbirdError(f"hand {number} cannot be written: {piece.detail}")
            pieces.append(f"[{number}]\n{piece}\n")
    return "".join(pieces).encode()


def in_chips(payoffs: ArrayLike) -> NDArray[np.float64]:
    """Return amounts rounded as in a log, so that a resumed match has the same result."""
    chips: NDArray[np.float64] = np.asarray(payoffs, np.float64).round(_DECIMALS)
    return chips


# A table of compiled players, whose hands are played in one call.


_ACTIONS_A_SEAT = 8
"""Initial room for actions, on average; grown as needed."""


class CompiledTable:
    """A table of compiled players, who begin without memory and remember from hand to hand.

    ``together`` says that all of them see every hand; only then can they share observations.
    """

    def __init__(self, players: Sequence[CompiledPolicy], *, together: bool) -> None:
        self._players = len(players)
        self._policies, self._streams = policies_of(players)
        self._tables = tables_for(players)
        self._lokis = None
        if any(isinstance(player, LokiPolicy) for player in players):
            from railbird.players.loki.compiled import table_of

            self._lokis, self._extensions = table_of(players, together=together)
        self._has_baselines = any(isinstance(player, BaselinePolicy) for player in players)
        self._scratch = np.zeros(1, SCRATCH)

    def play(self, rules: Rules, cards: Deals, seated: NDArray[np.int64]) -> PlayedHands:
        """Play deals one after the other; ``seated`` (deals, seats) are the players."""
        play = self._loop(rules)
        actions = np.empty(seated.size * _ACTIONS_A_SEAT, np.int64)
        ends = np.zeros(len(cards), np.int64)
        streets = np.empty(len(cards), np.int64)
        payoffs = np.zeros((len(cards), self._players), np.int64)
        done, empty = 0, initial(rules).vector
        while True:
            done = play(
                self._scratch, empty, cards, seated, self._streams, done,
                actions, ends, streets, payoffs,
            )  # fmt: skip
            # The loop stops when the room for actions is full and returns how many hands it
            # finished. The next call continues with the first unfinished hand, which it plays again
            # from its beginning.
            if done == len(cards):
                return PlayedHands(actions[: ends[-1]], ends, streets, payoffs)
            actions = np.concatenate([actions, np.empty_like(actions)])

    def _loop(self, rules: Rules) -> Callable[..., int]:
        """Return the loop that the players need; the one for Lokis takes longer to compile."""
        policies, tables = self._policies, self._tables
        if self._lokis is None:
            return partial(kernels.play_hands, policies, tables)
        from railbird.arena import kernels as observed
        from railbird.modelling.reweighting import board_tables
        from railbird.players.loki.compiled import set_rules

        set_rules(self._lokis, rules)
        return partial(
            observed.play_observed_hands,
            self._lokis,
            self._extensions,
            board_tables(),
            observed.Baselines(policies, tables) if self._has_baselines else None,
            policies.kind,
            policies.weights,
        )


def choose_once() -> None:
    """Let a Loki make one decision before the flop, which compiles all of its code."""
    from railbird.arena import kernels as observed
    from railbird.players.loki.compiled import set_rules, table_of
    from railbird.players.loki.settings import LokiSettings

    rules, scratch = HEADS_UP_LIMIT, np.zeros(1, SCRATCH)
    vector = start(rules, np.arange(2 * rules.seats + 5, dtype=np.uint8)).vector
    scratch[0]["hand"][: len(vector)] = vector
    players = [LokiPolicy(settings=LokiSettings(), stream=0)] * rules.seats
    table, _ = table_of(players, together=True)
    set_rules(table, rules)
    observed.choose_once(scratch, table, np.zeros(rules.seats, np.uint64))


# Playing the chunks of a match, in Python or compiled, with identical hands.


class Loop(Enum):
    """How hands are played."""

    AUTO = "auto"
    """Compiled if every player has a compiled form, else in Python."""
    PYTHON = "python"
    COMPILED = "compiled"


@dataclass(frozen=True, slots=True)
class ChunkJob:
    """Everything needed to play a part of a match."""

    match: Match
    loop: Loop
    logged: bool
    kept: bool = False
    """Whether the hands are returned as columns."""


class ChunkPlayer:
    """The players of a match, ready to play any of its chunks.

    Raises `BadInput` if a player cannot be created, or lacks a compiled form that it needs.
    """

    def __init__(self, job: ChunkJob) -> None:
        self._match = job.match
        self._job = job
        match = job.match
        if job.kept:
            match.rules.check_holdem("columns of hands")
        self._players = seat_players(match.players, match.names, match.faults, match.rules)
        everyone = [guarded.player for guarded in self._players]
        self._compilable = [player for player in everyone if isinstance(player, Compiled)]
        self._compiled = self._is_compiled(job.loop)
        # Only players that draw random numbers or run in Python need a reset: constructing a
        # generator takes as long as a hundred compiled hands.
        self._reset = [
            number
            for number, guarded in enumerate(self._players)
            if not (self._compiled and self._is_fixed(guarded.player))
        ]

    def rollback(self) -> None:
        """Let the players forget the unfinished chunk."""
        for player in self._players:
            player.rollback()

    def close(self) -> None:
        """Close the players."""
        close_all(self._players)

    def play(self, index: int) -> Chunk:
        """Play one chunk, resetting the players before each direction."""
        match = self._match
        payoffs: list[NDArray[np.int64]] = []
        batches: list[HandBatch] = []
        records: list[HandRecord] = []
        numbers = match.deals_of(index)
        for cards, seated, hands in self._directions(index):
            payoffs.append(hands.payoffs)
            if match.rules.variant is not HOLDEM:
                of_direction = records_of_hands(match, numbers, seated, cards, hands)
                records += of_direction if self._job.logged else ()
            elif self._job.logged or self._job.kept:
                batches.append(batch_of_hands(match, numbers, seated, cards, hands))
        text = b"".join(map(state_lines, batches)) if self._job.logged else b""
        if self._job.logged and records:
            text = hands_text(records, 1 + numbers.start * match.directions)
        kept = pack(concat(batches)) if self._job.kept else None
        chips = in_chips(np.stack(payoffs) / match.rules.denominator)
        faults = tuple(player.take_faults() for player in self._players)
        return Chunk(index, chips, faults, text, kept)

    def records(self, index: int) -> Iterator[HandRecord]:
        """Play one chunk; yield its hands in the order of play."""
        numbers = self._match.deals_of(index)
        for cards, seated, hands in self._directions(index):
            if self._match.rules.variant is not HOLDEM:
                yield from records_of_hands(self._match, numbers, seated, cards, hands)
            else:
                yield from records_of(batch_of_hands(self._match, numbers, seated, cards, hands))

    def _directions(self, index: int) -> Iterator[tuple[Deals, NDArray[np.int64], PlayedHands]]:
        """Play each direction of a chunk; yield its cards, seating and hands."""
        match = self._match
        numbers = match.deals_of(index)
        cards = deals(match, numbers)
        for player in self._players:
            player.commit()
        for direction in range(match.directions):
            # Every direction begins with the same memory and its own random stream: that makes
            # duplicate play fair, and the chunk independent of the process that plays it.
            for number in self._reset:
                rng = player_rng(match, chunk=index, direction=direction, player=number)
                self._players[number].reset(rng)
            seated = match.seatings(numbers, direction)
            play = self._play_compiled if self._compiled else self._play_python
            yield cards, seated, play(cards, seated, numbers)

    def _play_python(self, cards: Deals, seated: NDArray[np.int64], numbers: range) -> PlayedHands:
        start = initial(self._match.rules)
        actions: list[int] = []
        ends: list[int] = []
        finished = np.empty((len(cards), len(start.vector)), np.int64)
        played = play_hands(start, cards, self._players, seated.tolist(), numbers)
        comments: list[str] = []
        for deal, (vector, codes, faults) in enumerate(played):
            finished[deal] = vector
            comments.append(error_comment((act, fault.value) for act, fault in faults))
            actions += codes
            ends.append(len(actions))
        payoffs = np.empty(seated.shape, np.int64)
        end = at.HEADER + at.STRIDE * start.rules.seats
        by_seat = finished[:, at.HEADER + at.PAYOFF : end : at.STRIDE]
        np.put_along_axis(payoffs, seated, by_seat, axis=1)
        return PlayedHands(
            actions=np.array(actions, np.int64),
            ends=np.array(ends, np.int64),
            streets=finished[:, at.STREET],
            payoffs=payoffs,
            comments=tuple(comments) if any(comments) else (),
        )

    def _play_compiled(self, cards: Deals, seated: NDArray[np.int64], _: range) -> PlayedHands:
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
