"""Runs series of ring games or tournaments, whose stacks carry over, in parts, into a log.

`match_runner` runs matches.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from railbird._display import ByPlayer
from railbird.arena._warm import compile_loops
from railbird.arena.guarded_player import FaultPolicy, FaultTally, close_all, seat_players
from railbird.arena.hand_loop import play_hand
from railbird.arena.job_log import LogFormat, open_part_log
from railbird.arena.match_chunks import CompiledTable, hands_text
from railbird.arena.match_runner import NOT_KEPT, KeptHands, logged_hands
from railbird.arena.names import PlayerLike, names_of
from railbird.arena.run import Run
from railbird.arena.seeds import hidden_generator
from railbird.game import Rules, action_of, initial
from railbird.game import kernels as at
from railbird.game.deal import Deals
from railbird.game.rules import SEATS
from railbird.histories import HandRecord
from railbird.histories.columns import HandBatch, PackedHands, Piece, batch_of, pack
from railbird.histories.protocol_errors import error_comment
from railbird.histories.variant_hands import fields_of_row
from railbird.players.compiled import LokiPolicy, WeightedPolicy, policy_of
from railbird.progress import Progress
from railbird.tournament.schedule import TableOrder, by_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A played part of a series."""

    index: int
    hands: int
    """Number of hands."""
    faults: tuple[FaultTally, ...]
    """By player."""
    text: bytes = b""
    """The hands as written in the log; empty without a log."""
    kept: Piece | None = None
    """The hands as columns, if they are kept."""


ResultT = TypeVar("ResultT")
SegmentT = TypeVar("SegmentT", bound=Segment)

_NUMBERS = 1_000_000
"""Factor of hand numbers: hand 7 of the third part has number 3000007."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesResult(ByPlayer, Generic[SegmentT]):
    """Results of a series, part by part."""

    parts: tuple[SegmentT, ...]
    """The parts, without their hands."""
    resumed: int
    """Parts that were already in the log."""
    seconds: float
    """Time taken by the others, including starting workers and compiling."""
    kept: KeptHands = field(default=NOT_KEPT, repr=False, compare=False)

    def batches(self) -> Iterator[HandBatch]:
        """Return the hands as columns, from memory or else from the log; see `KeptHands`."""
        return self.kept.batches()

    @property
    def hands(self) -> int:
        """Hands in all parts."""
        return sum(part.hands for part in self.parts)

    @property
    def hands_per_s(self) -> float:
        """Hands played in this run per second."""
        played = sum(part.hands for part in self.parts[self.resumed :])
        return played / self.seconds if self.seconds > 0 else 0.0

    def faults(self, player: int) -> FaultTally:
        """Return a player's faults in all parts."""
        tally = FaultTally()
        for part in self.parts:
            tally.add(part.faults[player])
        return tally


def play_series(
    table: Callable[[], SegmentTable[SegmentT]],
    count: int,
    form: LogFormat[SegmentT],
    result: Callable[..., ResultT],
    *,
    players: Sequence[PlayerLike],
    log: Path | str | None,
    keep: bool,
    workers: int,
    on: str | None,
    progress: Progress | None,
) -> ResultT:
    """Play a series, or the part that its log lacks; see `railbird.arena.play`.

    ``result`` makes the result from the fields of a `SeriesResult`.

    Raises `BadInput` for players or a log that cannot be used, `Interrupted` on Ctrl-C and
    `PlayerFault` at the first fault of a strict policy (what the log has by then stays),
    `RailbirdError` if workers keep dying.
    """
    log = None if log is None else Path(log)
    run = Run(
        job=partial(SegmentPlayer, table, logged=log is not None, kept=keep),
        players=players,
        numbers=range(count),
        title=f"playing {form.part}s",
        total=count,
        unit=f"{form.part}s",
        log=partial(open_part_log, log, lambda: form),
        path=log,
        prepare=compile_loops,
    )
    started = time.perf_counter()
    segments: list[SegmentT] = []
    pieces: list[Piece] = []
    with run.going(workers=workers, on=on, progress=progress) as going:
        for segment in going.pieces:
            if segment.kept is not None:
                pieces.append(segment.kept)
            segments.append(replace(segment, text=b"", kept=None))
            going.tell(len(segments))
    resumed = len(going.logged)
    before = sum(segment.hands for segment in segments[:resumed])
    if keep and log is not None and before:
        pieces[:0] = map(pack, logged_hands(log, before))
    kept = KeptHands(
        sum(segment.hands for segment in segments), log, PackedHands(pieces) if keep else None
    )
    seconds = time.perf_counter() - started
    return result(parts=tuple(segments), resumed=resumed, seconds=seconds, kept=kept)


class SegmentTable(ABC, Generic[SegmentT]):
    """Players who can play any segment of a series."""

    _session: TableSession

    @abstractmethod
    def play(self, index: int) -> tuple[SegmentT, list[HandRecord]]:
        """Play one segment; return it with its hands in the order of play."""

    def rollback(self) -> None:
        """Let the players forget the segment that is not over."""
        self._session.rollback()

    def close(self) -> None:
        """Let the players end."""
        self._session.close()


class SegmentPlayer(Generic[SegmentT]):
    """Plays the segments of a series by number; created once in every process."""

    def __init__(
        self, table: Callable[[], SegmentTable[SegmentT]], *, logged: bool, kept: bool
    ) -> None:
        self._table = table()
        self._logged = logged
        self._kept = kept

    def play(self, index: int) -> SegmentT:
        """Play one segment, and keep its hands if they are logged or wanted."""
        segment, hands = self._table.play(index)
        text = hands_text(hands, (index + 1) * _NUMBERS + 1) if self._logged else b""
        return replace(segment, text=text, kept=pack(batch_of(hands)) if self._kept else None)

    def rollback(self) -> None:
        """Let the players forget the segment that is not over."""
        self._table.rollback()

    def close(self) -> None:
        """Let the players end."""
        self._table.close()


# Players whose stacks carry over from hand to hand, at one or several tables.


class TableSession:
    """Players who remember what they learn from hand to hand, at any table, until they are reset.

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
        """Complete the part before, and reset all players with generators seeded by ``purpose``."""
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
        tournament: bool = False,
    ) -> HandRecord:
        """Play one hand with given cards (1, 2 * seats + 5), updating ``stacks`` (by player)."""
        seated = by_seat(table)
        codes: list[int]
        payoffs: list[int]
        comment = ""
        if self._compiled is None:
            seats = [self._players[player] for player in seated]
            hand, codes, faults = play_hand(initial(rules), deals, 0, seats, number)
            comment = error_comment((act, fault.value) for act, fault in faults)
            end = at.HEADER + at.STRIDE * rules.seats
            payoffs = hand[at.HEADER + at.PAYOFF : end : at.STRIDE].tolist()
            street = hand[at.STREET]
        else:
            hands = self._compiled.play(rules, deals[:1], np.array([seated], np.int64))
            codes, street = hands.actions.tolist(), hands.streets[0]
            payoffs = hands.payoffs[0, seated].tolist()
        for player, won in zip(seated, payoffs, strict=True):
            stacks[player] += won
        played = tuple(map(action_of, codes))
        return HandRecord(
            rules=rules,
            players=tuple(self._names[player] for player in seated),
            payoffs=tuple(map(Fraction, payoffs)),
            number=number,
            table=name,
            comment=comment,
            tournament=tournament,
            **fields_of_row(rules, deals[0], int(street), played),
        )

    def _compiled_table(self) -> CompiledTable | None:
        """Return the compiled players after a reset, if all can be compiled for any stacks.

        Tables without a Loki would gain less time than compiling takes.
        """
        forms = [policy_of(player.player, self._rules) for player in self._players]
        policies = [form for form in forms if isinstance(form, LokiPolicy | WeightedPolicy)]
        if len(policies) < len(forms) or len(forms) >= SEATS.stop:
            return None
        if not any(isinstance(policy, LokiPolicy) for policy in policies):
            return None
        return CompiledTable(policies, together=False)
