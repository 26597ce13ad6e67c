"""Messages of the game, made by `railbird.protocol.redaction` alone where they tell of a table."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages.base import Amount, CardText, Milliseconds, Part, ServerMessage

SeatNumber = Annotated[int, Field(ge=0, le=22)]
"""Position in a hand: 0 left of the button, the button last; heads-up 0 is the big blind."""

CanonicalVerb = Literal["fold", "check", "call", "bet", "raise"]
"""Names of actions as they are logged; an all-in is a call, a bet or a raise."""


class Presence(StrEnum):
    """Whether somebody plays a seat."""

    HERE = "here"
    AWAY = "away"
    """The connection is cut; the clock runs as always."""
    FROZEN = "frozen"
    """Posts blinds, and checks or folds at once, until it logs in again."""
    SITTING_OUT = "sitting_out"
    """Is dealt no cards, at its own wish."""
    LEAVING = "leaving"
    """Has stood up, or was away for long, at a ring table; what is left of the hand is played as if
    frozen."""


class PlayerInfo(Part):
    """A player at a table."""

    name: str
    kind: PlayerKind
    version: str | None = None
    chair: int
    """Chair, which a player keeps while staying at a table."""
    stack: Amount
    presence: Presence


class GameFormat(Part):
    """What is played, by which clocks and for what."""

    name: str
    betting: Literal["limit", "spread-limit", "pot-limit", "no-limit"]
    seats: int
    """Players of a tournament, or seats of a ring table."""
    table_seats: int
    """Most players at one table."""
    stack: Amount
    """Chips at the start, or the largest buy-in."""
    least_buy_in: Amount | None = None
    top_up: bool = False
    """Everybody begins each hand with the same stack, whatever was won or lost before."""
    blinds: str
    """Levels SMALL/BIG or SMALL/BIG/ANTE, each with its length, as in ``10/20x10``; an ante
    ``bb20`` is the big blind's for all."""
    level_by: Literal["hands", "minutes"] = "hands"
    stages: Literal["freeze-out", "shoot-out"] = "freeze-out"
    fee: Amount = 0
    payouts: list[str] = Field(default_factory=list)
    """Percentages of all fees, by place."""
    rake: str | None = None
    limit_ms: Milliseconds
    """Time for each action."""
    bank_ms: Milliseconds
    """Time for longer ones, for all of them together."""
    refill: str | None = None
    """SECONDS/HANDS added to the bank."""
    freeze: Literal["check", "fold"] = "check"
    """Play of a frozen seat where checking is free; facing a bet it folds."""
    rated: bool = True


class QueueInfo(Part):
    """A queue of the lobby."""

    queue: str
    format: GameFormat
    waiting: int
    starts_in_ms: Milliseconds | None = None
    """Time until house players take the empty seats, or until a scheduled start."""
    tournaments: int
    """Tournaments from this queue that are running."""


class TableInfo(Part):
    """A table of the lobby."""

    table: str
    kind: Literal["tournament", "ring", "practice"]
    tournament: str | None = None
    format: GameFormat
    players: list[PlayerInfo]
    hand: int
    """Hands begun at this table."""
    paused: bool = False


class HousePlayer(Part):
    """A player of the registry that a practice table can seat."""

    name: str
    summary: str
    needs_top_up: bool = False
    """Plays heads-up limit alone, and only with `top_up`."""


class Lobby(ServerMessage):
    """Queues, tables and house players."""

    type: Literal["lobby"] = "lobby"
    queues: list[QueueInfo]
    tables: list[TableInfo]
    house: list[HousePlayer]


class Queued(ServerMessage):
    """The account waits in a queue; sent again as it fills."""

    type: Literal["queued"] = "queued"
    queue: str
    waiting: int
    seats: int
    starts_in_ms: Milliseconds | None = None


class Unqueued(ServerMessage):
    """The account waits no longer."""

    type: Literal["unqueued"] = "unqueued"
    queue: str


class Seated(ServerMessage):
    """The account sits at a table, first or after a move."""

    type: Literal["seated"] = "seated"
    table: TableInfo
    commitment: str | None = None
    """SHA-256 of the tournament's seed, which its result reveals."""


class Left(ServerMessage):
    """The account no longer sits at a table, or no longer watches it."""

    type: Literal["left"] = "left"
    table: str
    reason: Literal["moved", "knocked_out", "over", "stood_up", "busted", "unwatched"]


class SeatView(Part):
    """A seat in a hand, as one viewer sees it."""

    name: str
    kind: PlayerKind
    chair: int
    presence: Presence
    stack: Amount
    """Chips left to bet."""
    bet: Amount
    """Chips put in on this street."""
    spent: Amount
    """Chips put in during the hand, antes included."""
    folded: bool = False
    mucked: bool = False
    cards: list[CardText] | None = None
    """One's own cards, or those that were shown."""


class ActionEntry(Part):
    """An action, in the history of a hand."""

    did: Literal["act"] = "act"
    seat: SeatNumber
    verb: CanonicalVerb
    to: Amount | None = None
    """In a bet or raise, what the seat has put in on this street afterwards."""
    paid: Amount
    """Chips that moved into the pot."""


class BoardEntry(Part):
    """Cards dealt to the board."""

    did: Literal["deal"] = "deal"
    cards: list[CardText]


class ShowEntry(Part):
    """A hand that was shown."""

    did: Literal["show"] = "show"
    seat: SeatNumber
    cards: list[CardText]


class MuckEntry(Part):
    """A hand that was thrown away unseen."""

    did: Literal["muck"] = "muck"
    seat: SeatNumber


HistoryEntry = Annotated[
    ActionEntry | BoardEntry | ShowEntry | MuckEntry, Field(discriminator="did")
]


class HandView(Part):
    """A hand so far, as one viewer sees it."""

    hand: int
    """Number at this table, from 1."""
    blinds: list[Amount]
    """Live posts asked of each seat."""
    antes: list[Amount]
    button: SeatNumber
    you: SeatNumber | None = None
    """The viewer's seat."""
    street: Literal["preflop", "flop", "turn", "river"]
    board: list[CardText]
    pot: Amount
    """All chips put in."""
    seats: list[SeatView]
    history: list[HistoryEntry]


class PotView(Part):
    """The main pot or a side pot, and the seats that can win it."""

    amount: Amount
    seats: list[SeatNumber]


class HandBegins(ServerMessage):
    """A hand begins: blinds are posted, cards are dealt."""

    type: Literal["hand"] = "hand"
    table: str
    hand: HandView


class Acted(ServerMessage):
    """A seat acted."""

    type: Literal["acted"] = "acted"
    table: str
    hand: int
    entry: ActionEntry
    stack: Amount
    """The seat's chips left to bet."""
    pot: Amount
    by: Literal["player", "clock", "absence"] = "player"
    """Whoever decided: the player, the clock that ran out, or the rule for frozen seats."""


class BoardDealt(ServerMessage):
    """Cards were dealt to the board."""

    type: Literal["board"] = "board"
    table: str
    hand: int
    entry: BoardEntry
    street: Literal["flop", "turn", "river"]
    pots: list[PotView]


class Shown(ServerMessage):
    """A seat showed its cards."""

    type: Literal["shown"] = "shown"
    table: str
    hand: int
    entry: ShowEntry


class Mucked(ServerMessage):
    """A seat threw its beaten hand away."""

    type: Literal["mucked"] = "mucked"
    table: str
    hand: int
    entry: MuckEntry


class LegalActions(Part):
    """What the rules allow; calling (or checking) is always allowed."""

    fold: bool
    to_call: Amount
    """Cost of a call; 0 for a check."""
    min_to: Amount | None = None
    """The smallest bet or raise, as the street's total; absent if none is allowed."""
    max_to: Amount | None = None


class Turn(ServerMessage):
    """It is the client's turn. Nothing else needs to be known to answer."""

    type: Literal["turn"] = "turn"
    table: str
    turn: str
    """The turn's id, to be sent back with the action."""
    hand: HandView
    pots: list[PotView]
    legal: LegalActions
    ms: Milliseconds
    """Time left, without the bank."""
    bank_ms: Milliseconds
    """Time in the bank, used up after that."""


class ToAct(ServerMessage):
    """It is somebody else's turn."""

    type: Literal["to_act"] = "to_act"
    table: str
    hand: int
    seat: SeatNumber
    ms: Milliseconds
    bank_ms: Milliseconds


class HandOver(ServerMessage):
    """The hand is over, and the chips are paid out."""

    type: Literal["hand_over"] = "hand_over"
    table: str
    hand: int
    pots: list[PotView]
    won: list[int]
    """Net chips by seat, after rake."""
    stacks: list[Amount]
    """By seat, afterwards."""
    rake: Amount


class HandVoid(ServerMessage):
    """The hand does not count: everybody has the chips from before it."""

    type: Literal["hand_void"] = "hand_void"
    table: str
    hand: int
    text: str


class CardsRevealed(ServerMessage):
    """All cards of a finished hand, at practice tables only."""

    type: Literal["cards"] = "cards"
    table: str
    hand: int
    cards: list[list[CardText]]
    """By seat."""


class Explained(ServerMessage):
    """A house player's reasons, at practice tables only, after the hand."""

    type: Literal["explained"] = "explained"
    table: str
    hand: int
    seat: SeatNumber
    action: int
    """Number of the action in the hand's history, from 0."""
    text: str


class PresenceChanged(ServerMessage):
    """Somebody is here, away, frozen, sitting out or leaving."""

    type: Literal["presence"] = "presence"
    table: str
    name: str
    presence: Presence
    ms_left: Milliseconds | None = None
    """Of somebody away whose turn it is: the time until the seat is frozen."""


class PlayerLeft(ServerMessage):
    """Somebody left a table."""

    type: Literal["player_left"] = "player_left"
    table: str
    name: str


class PlayerSat(ServerMessage):
    """Somebody took a seat at a table."""

    type: Literal["player_sat"] = "player_sat"
    table: str
    player: PlayerInfo


class Paused(ServerMessage):
    """The table waits for the operator, or plays on."""

    type: Literal["paused"] = "paused"
    table: str
    paused: bool


class PlayReport(Part):
    """A player's own figures of a tournament or a session; nobody else gets them."""

    decisions: int
    p50_ms: float | None = None
    p95_ms: float | None = None
    worst_ms: float | None = None
    time_outs: int
    refused: int
    """Illegal actions."""
    stale: int
    """Actions that came too late or twice."""


class KnockedOut(ServerMessage):
    """Somebody has no chips left."""

    type: Literal["knocked_out"] = "knocked_out"
    table: str
    tournament: str
    name: str
    place: int
    prize: str
    """Money, as a decimal or a fraction."""
    you: PlayReport | None = None


class Place(Part):
    """A line of a result."""

    name: str
    kind: PlayerKind
    version: str | None = None
    place: int
    prize: str


class Result(ServerMessage):
    """A tournament is over."""

    type: Literal["result"] = "result"
    tournament: str
    void: bool = False
    """It does not count: nobody is rated, fees go back."""
    rated: bool
    places: list[Place]
    commitment: str
    seed: str
    """The seed of all cards, in hexadecimal; its SHA-256 is the commitment."""
    you: PlayReport | None = None


class SessionReport(ServerMessage):
    """The end of a session at a ring or a practice table."""

    type: Literal["session_report"] = "session_report"
    table: str
    hands: int
    won: int
    """Chips, net of all buy-ins."""
    you: PlayReport


class Snapshot(ServerMessage):
    """A table as its viewer may see it now: all that is needed to go on."""

    type: Literal["snapshot"] = "snapshot"
    table: TableInfo
    commitment: str | None = None
    hand: HandView | None = None
    turn: Turn | None = None
    """The viewer's turn, with the remaining time."""
    to_act: ToAct | None = None
    """Somebody else's."""


GameMessage = (
    Lobby
    | Queued
    | Unqueued
    | Seated
    | Left
    | HandBegins
    | Acted
    | BoardDealt
    | Shown
    | Mucked
    | Turn
    | ToAct
    | HandOver
    | HandVoid
    | CardsRevealed
    | Explained
    | PresenceChanged
    | PlayerLeft
    | PlayerSat
    | Paused
    | KnockedOut
    | Result
    | SessionReport
    | Snapshot
)
