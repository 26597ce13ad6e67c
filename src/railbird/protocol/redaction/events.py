"""What happens at a table, with everybody's cards. Nothing here has a form that can be sent.

`railbird.protocol.redaction.told` turns an event into the message for one viewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from railbird.cards import Holding
from railbird.game import Event, HandState
from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages.game import (
    HistoryEntry,
    KnockedOut,
    Left,
    Lobby,
    Paused,
    PlayerLeft,
    PlayerSat,
    PlayReport,
    Presence,
    PresenceChanged,
    Queued,
    Result,
    Seated,
    SessionReport,
    TableInfo,
    Unqueued,
)
from railbird.protocol.redaction.hand_parts import HandParts
from railbird.units import Chips, Seat

Viewer = str | None
"""The name of a player, who sees the own cards; None for a spectator."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Whoever holds a seat in a hand."""

    name: str
    kind: PlayerKind
    chair: int
    presence: Presence = Presence.HERE


@dataclass(frozen=True, slots=True)
class HandMoment:
    """A hand at one moment."""

    table: str
    hand: int
    """Number at this table, from 1."""
    state: HandState
    holders: tuple[SeatHolder, ...]
    """By seat."""
    history: tuple[HistoryEntry, ...] = ()
    """Public events so far (`railbird.protocol.redaction.hand_view.entry_of`)."""
    parts: HandParts = field(default_factory=HandParts, compare=False, repr=False)
    """What is already encoded of this hand; `dataclasses.replace` hands it on."""


@dataclass(frozen=True, slots=True)
class TurnClock:
    """Time of a turn."""

    turn: str
    ms: int
    bank_ms: int


@dataclass(frozen=True, slots=True)
class HandStart:
    """A hand begins; its cards are dealt."""

    moment: HandMoment


@dataclass(frozen=True, slots=True)
class HandStep:
    """An event of a hand; ``moment`` is what it led to."""

    moment: HandMoment
    event: Event
    before: HandState
    by: Literal["player", "clock", "absence"] = "player"


@dataclass(frozen=True, slots=True)
class TurnStart:
    """The seat to act is asked."""

    moment: HandMoment
    clock: TurnClock


@dataclass(frozen=True, slots=True)
class HandEnd:
    """A hand is paid out."""

    moment: HandMoment
    stacks: tuple[Chips, ...]
    """By seat, afterwards."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """The cards of a finished hand at a practice table, for everybody."""

    table: str
    hand: int
    holdings: tuple[Holding, ...]


@dataclass(frozen=True, slots=True)
class Reasons:
    """A house player's reasons for an action, after the hand, at a practice table."""

    table: str
    hand: int
    seat: Seat
    action: int
    text: str


@dataclass(frozen=True, slots=True)
class HandAnnulled:
    """A hand does not count."""

    table: str
    hand: int
    text: str


@dataclass(frozen=True, slots=True)
class Public:
    """Something without secrets, for everybody."""

    message: PresenceChanged | PlayerLeft | PlayerSat | Paused


@dataclass(frozen=True, slots=True)
class Private:
    """Something that concerns one account only, and no cards."""

    name: str
    message: Queued | Unqueued | Seated | Left | SessionReport | Lobby


@dataclass(frozen=True, slots=True)
class KnockOut:
    """Somebody has no chips left."""

    message: KnockedOut
    report: PlayReport | None


@dataclass(frozen=True, slots=True)
class TournamentEnd:
    """A tournament is over."""

    message: Result
    reports: Mapping[str, PlayReport]
    """By name."""


@dataclass(frozen=True, slots=True)
class TableMoment:
    """A whole table at one moment."""

    info: TableInfo
    commitment: str | None = None
    hand: HandMoment | None = None
    clock: TurnClock | None = None


TableEvent = (
    HandStart
    | HandStep
    | TurnStart
    | HandEnd
    | Reveal
    | Reasons
    | HandAnnulled
    | Public
    | Private
    | KnockOut
    | TournamentEnd
    | TableMoment
)
