"""Running ring games: here or in worker processes, into a log, resuming where they stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.arena.fault_policy import FaultTally
from railbird.arena.match.resumable_log import plain
from railbird.arena.names import parse_entrant, specs_of
from railbird.arena.series.log import SeriesFormat
from railbird.arena.series.ring import Ring, RingTable, Session
from railbird.arena.series.runner import SegmentPlayer, SeriesResult, play_series
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate
from railbird.estimates.ratio import ratio
from railbird.estimates.result_units import ResultUnit
from railbird.progress import Progress

VERSION = 1
_BY_PLAYER = ("dealt", "won", "bought", "rebuys")


@dataclass(frozen=True, slots=True, kw_only=True)
class RingResult(SeriesResult[Session]):
    """Results of the sessions of a ring game."""

    ring: Ring

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The sessions, in order."""
        return self.parts

    @property
    def won(self) -> NDArray[np.int64]:
        """Return final stacks less all buy-ins, in chips, shape (sessions, players)."""
        return np.array([session.won for session in self.sessions], np.int64)

    @property
    def dealt(self) -> NDArray[np.int64]:
        """Return hands dealt until each player left, shape (sessions, players)."""
        return np.array([session.dealt for session in self.sessions], np.int64)

    @property
    def bought(self) -> NDArray[np.int64]:
        """Return the total of buy-ins in chips, shape (sessions, players)."""
        return np.array([session.bought for session in self.sessions], np.int64)

    @property
    def raked(self) -> int:
        """Return the rake of all sessions, in chips."""
        return -int(self.won.sum())

    @property
    def rebuys(self) -> NDArray[np.int64]:
        """Return the number of re-buys, shape (sessions, players)."""
        return np.array([session.rebuys for session in self.sessions], np.int64)

    @property
    def unit(self) -> ResultUnit:
        """Unit of the winnings."""
        return ResultUnit.BIG_BLINDS

    def money(self, player: int, *, hands: int = 1) -> Estimate:
        """Estimate a player's winnings per ``hands`` hands dealt, in `unit`, from the sessions."""
        won = hands * self.won[:, player] / self.ring.blinds[1]
        return ratio(won, self.dealt[:, player], unit=self.unit)

    def as_json(self, log: Path | None = None) -> dict[str, Any]:
        """Return the output of `railbird ring --json`; ``log`` is the file of the hands."""
        ring = self.ring
        specs, big = specs_of(ring.players), ring.blinds[1]
        return {
            "hands": self.hands,
            "sessions": ring.sessions,
            "seed": ring.seed,
            "unit": self.unit,
            "buy_in_bb": ring.buy_in / big,
            "rebuy": str(ring.rebuys),
            "top_up": ring.top_up.value,
            "rake": None if ring.rake is None else str(ring.rake),
            "raked_bb": self.raked / big,
            "hands_per_s": self.hands_per_s,
            "log": None if log is None else str(log),
            "players": {
                name: {
                    "spec": specs[player],
                    "money": self.money(player).as_json(),
                    "per_100": self.money(player, hands=100).as_json(),
                    "hands": int(self.dealt[:, player].sum()),
                    "won_bb": float(self.won[:, player].sum() / big),
                    "bought_bb": float(self.bought[:, player].sum() / big),
                    "rebuys": int(self.rebuys[:, player].sum()),
                    "faults": self.faults(player).as_json(),
                }
                for player, name in enumerate(ring.names)
            },
        }


@checked
def play_ring(
    ring: Ring,
    *,
    log: Path | str | None = None,
    workers: int = 1,
    on: str | None = None,
    keep: bool = False,
    progress: Progress | None = None,
) -> RingResult:
    """Play a ring game, or the sessions that its log lacks.

    The log and the results are the same for any number of workers and on any Ray cluster (``on``);
    see `railbird.arena.play`. ``progress`` counts sessions. With ``keep`` the result
    holds the hands as columns.

    Raises `BadInput` for unusable players or logs, `Interrupted` on Ctrl-C (the log keeps what was
    played), `RailbirdError` if workers keep dying.
    """
    played = play_series(
        partial(_open, ring, logged=log is not None, kept=keep),
        ring.sessions,
        ring_log(ring),
        players=ring.players,
        log=None if log is None else Path(log),
        workers=workers,
        on=on,
        keep=keep,
        progress=progress,
    )
    return RingResult(
        ring=ring,
        parts=played.parts,
        resumed=played.resumed,
        seconds=played.seconds,
        kept=played.kept,
    )


def ring_log(ring: Ring) -> SeriesFormat[Session]:
    """Return the format of this ring game's log."""
    return SeriesFormat(
        title="ring game",
        series="ring",
        part="session",
        names=ring.names,
        identity=_identity(ring),
        said=partial(_said, ring),
        read=partial(_session, ring),
    )


def _said(ring: Ring, session: Session) -> dict[str, Any]:
    by_player = {key: list(getattr(session, key)) for key in _BY_PLAYER}
    return {"hands": session.hands, "of": ring.hands_of(session.index), **by_player}


def _session(
    ring: Ring, index: int, entry: Mapping[str, Any], faults: tuple[FaultTally, ...]
) -> Session:
    dealt, won, bought, rebuys = (tuple(map(int, entry[key])) for key in _BY_PLAYER)
    if {len(dealt), len(won), len(bought), len(rebuys)} != {len(ring.players)}:
        raise ValueError(f"not {len(ring.players)} players")
    if index < ring.sessions and (most := ring.hands_of(index)) != entry["of"]:
        words = f"session {index + 1} of the log was planned for {entry['of']} hands, not {most}"
        raise BadInput(f"{words}; allowed: as before, or whole sessions of {ring.session}")
    return Session(
        index=index,
        hands=int(entry["hands"]),
        dealt=dealt,
        won=won,
        bought=bought,
        rebuys=rebuys,
        faults=faults,
    )


def _identity(ring: Ring) -> dict[str, Any]:
    """Return everything that determines the log's bytes, except the number of sessions."""
    return {
        "version": VERSION,
        "players": [parse_entrant(player).as_json() for player in ring.players],
        "seed": ring.seed,
        "buy_in": ring.buy_in,
        "blinds": list(ring.blinds),
        "ante": ring.ante,
        "betting": ring.betting.value,
        "bets": None if ring.bets is None else list(ring.bets),
        "rake": None if ring.rake is None else str(ring.rake),
        "rebuys": str(ring.rebuys),
        "top_up": ring.top_up.value,
        "session": ring.session,
        "faults": plain(ring.faults.as_json()),
    }


def _open(ring: Ring, *, logged: bool, kept: bool) -> SegmentPlayer[Session]:
    """Return what plays sessions by number; called once in every process."""
    return SegmentPlayer(RingTable(ring), logged=logged, kept=kept)
