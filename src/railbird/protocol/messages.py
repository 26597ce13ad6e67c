"""All messages: from clients, of the session, of the game, and the codes of errors."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Annotated, Final, Literal, TypeVar, dataclass_transform

from msgspec import Meta, Struct, field

from railbird.protocol.identity import PlayerKind

# Versions, sizes and counts of the protocol.


VERSION: Final = 1
"""The protocol's version; a change that breaks clients is a new number."""

VERSIONS: Final = (VERSION,)
"""Versions that the server speaks, the newest last."""

LONGEST_LINE: Final = 1 << 16
"""Maximum bytes in a client's line without its end; a longer one closes the connection at once."""

LONGEST_SERVER_LINE: Final = 1 << 20
"""Maximum bytes in a line that a client reads: a lobby of hundreds of tables."""

MALFORMED_IN_A_ROW: Final = 3
"""Consecutive malformed messages after which a connection is closed; any good one resets the
count."""

HELLO_SECONDS: Final = 5.0
"""Time from a connection to its hello; ten round trips to the other side of the earth."""

PING_SECONDS: Final = 10.0
"""Interval of the server's pings, which measure the lag of a connection."""

QUIET_SECONDS: Final = 30.0
"""Silence after which a connection counts as cut: three pings unanswered."""

LONGEST_NAME: Final = 32
"""Maximum characters of a name of an account, a queue or a table, and of a bot's version."""

LONGEST_PASSWORD: Final = 256
"""Maximum characters of a password, since hashing a longer one takes longer."""

LONGEST_TEXT: Final = 200
"""Maximum characters of free text from a client, and of a message that an error quotes."""

SHARE_BYTES: Final = 32
"""Bytes of a player's share of a seed."""

MOST_CHIPS: Final = 1 << 53
"""Largest amount in a message: the integers that every language's JSON reads exactly."""


# Base classes of messages: strict for what the server reads, lenient for what a client reads.
#
# Messages are msgspec structs: building and writing a turn, which repeats the whole hand after
# every action, takes a third of the time that validating models took. They are checked where bytes
# are read, not where they are built.


ValueT = TypeVar("ValueT")


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Message(Struct, frozen=True, omit_defaults=True):
    """Anything that is sent. Fields that are None are left out."""

    @property
    def type(self) -> str:
        """The message's kind, as it is written."""
        return str(self.__struct_config__.tag)


class ClientMessage(Message, forbid_unknown_fields=True):
    """A message of a client: unknown fields are refused, nothing is converted."""


class ServerMessage(Message, kw_only=True):
    """A message of the server: clients ignore fields that they do not know."""

    seq: Annotated[int, Meta(ge=1)] | None = None
    """Number of the message on its connection, counted from 1 without gaps."""


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Part(Struct, frozen=True, omit_defaults=True):
    """A part of a server's message."""


def written(default: ValueT) -> ValueT:
    """Return the default of a field that is written even if it has its default value.

    Only fields that are None by default may be left out: programs rely on all others.
    """
    value: ValueT = field(default_factory=lambda: default)
    return value


Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=r"^[!-~]+( [!-~]+)*$")]
"""Name: printable ASCII, single spaces inside it only."""

Reference = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
"""Name that the server gave to a table, a turn or a tournament."""

Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]

Amount = Annotated[int, Meta(ge=0, le=MOST_CHIPS)]
"""Chips."""

Number = Annotated[int, Meta(ge=0, le=MOST_CHIPS)]

CardText = Annotated[str, Meta(pattern="^[2-9TJQKA][cdhs]$")]
"""A card, such as ``Ts``."""

HoldingText = Annotated[str, Meta(pattern="^([2-9TJQKA][cdhs]){2}$")]
"""Two cards of one's own, such as ``AhKh``."""

ShareText = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]
"""A player's share of a seed, 32 bytes in hexadecimal; empty if none was given."""

Milliseconds = Annotated[int, Meta(ge=0)]

MOST_DRAWN: Final = 5
"""Most cards that are exchanged at once, in any game."""


# Messages of the game.


SeatNumber = Annotated[int, Meta(ge=0, le=22)]
"""Position in a hand: 0 left of the button, the button last; heads-up 0 is the big blind."""

StreetName = Literal[
    "preflop",
    "flop",
    "turn",
    "river",
    "third street",
    "fourth street",
    "fifth street",
    "sixth street",
    "seventh street",
    "deal",
    "draw",
    "first draw",
    "second draw",
    "third draw",
]
"""Name of a betting round: `railbird.cards.Variant.street_names`."""

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
    """Has stood up, or was away for long, at a ring table; the rest of the hand is played as if
    frozen."""


class PlayerInfo(Part, kw_only=True):
    """A player at a table."""

    name: str
    kind: PlayerKind
    version: str | None = None
    chair: int
    """Chair, which a player keeps while staying at a table."""
    stack: Amount
    presence: Presence
    runs_twice: bool | None = None
    """At a private table, whether the player would run all-ins twice."""


class GameFormat(Part, kw_only=True):
    """The game, its clocks and its prizes."""

    name: str
    betting: Literal["limit", "spread-limit", "pot-limit", "no-limit"]
    variant: str | None = None
    """The game, such as omaha-hilo; absent in hold'em."""
    seats: int
    """Players of a tournament, or seats of a ring table."""
    table_seats: int
    """Most players at one table."""
    stack: Amount
    """Chips at the start, or the largest buy-in."""
    least_buy_in: Amount | None = None
    top_up: bool = written(False)
    """Everybody begins each hand with the same stack, no matter what was won or lost before."""
    blinds: str
    """Levels SMALL/BIG or SMALL/BIG/ANTE, each with its length, as in ``10/20x10``; an ante
    ``bb20`` is the big blind's for all."""
    level_by: Literal["hands", "minutes"] = written("hands")
    stages: Literal["freeze-out", "shoot-out"] = written("freeze-out")
    fee: Amount = written(0)
    payouts: list[str] = field(default_factory=lambda: list[str]())  # an empty one is written too
    """Percentages of all fees, by place."""
    rake: str | None = None
    limit_ms: Milliseconds
    """Time for each action."""
    bank_ms: Milliseconds
    """Time for longer ones, for all of them together."""
    refill: str | None = None
    """SECONDS/HANDS added to the bank."""
    freeze: Literal["check", "fold"] = written("check")
    """Play of a frozen seat where checking is free; facing a bet it folds."""
    rated: bool = written(True)


class QueueInfo(Part, kw_only=True):
    """A queue of the lobby."""

    queue: str
    format: GameFormat
    waiting: int
    starts_in_ms: Milliseconds | None = None
    """Time until house players take the empty seats, or until a scheduled start."""
    tournaments: int
    """Tournaments from this queue that are running."""


class TableInfo(Part, kw_only=True):
    """A table of the lobby."""

    table: str
    kind: Literal["tournament", "ring", "practice"]
    tournament: str | None = None
    format: GameFormat
    players: list[PlayerInfo]
    hand: int
    """Hands begun at this table."""
    paused: bool = written(False)
    parked: bool = written(False)
    """The game waits until the server can write its journal again."""


class HousePlayer(Part):
    """A player of the registry that a practice table can seat."""

    name: str
    summary: str
    needs_top_up: bool = written(False)
    """Plays heads-up limit alone, and only with `top_up`."""


class Lobby(ServerMessage, tag="lobby"):
    """Queues, tables and house players."""

    queues: list[QueueInfo]
    tables: list[TableInfo]
    house: list[HousePlayer]
    parked: int = written(0)
    """Games that wait until the server can write their journals again."""


class Queued(ServerMessage, tag="queued"):
    """The account waits in a queue; sent again as it fills."""

    queue: str
    waiting: int
    seats: int
    starts_in_ms: Milliseconds | None = None
    held: bool = written(False)
    """The tournament would start, but the server cannot write; it starts as soon as it can."""


class Unqueued(ServerMessage, tag="unqueued"):
    """The account waits no longer."""

    queue: str


class Seated(ServerMessage, tag="seated"):
    """The account sits at a table, first or after a move."""

    table: TableInfo
    commitment: str | None = None
    """SHA-256 of the seed of the next cards; `result` reveals a tournament's seed, `seed` that of
    another table."""


class AskShare(ServerMessage, kw_only=True, tag="ask_share"):
    """Ask for 32 bytes of the client's own, on which the next cards depend as on the house's seed.

    The house is committed to its seed before it asks.
    """

    game: str
    """The tournament, or the ring or practice table."""
    commitment: str
    """SHA-256 of the house's seed."""
    ms: Milliseconds
    """Time for which the game waits; a later share counts from the next hand on."""


LeaveReason = Literal["moved", "knocked_out", "over", "stood_up", "busted", "unwatched"]
"""Why an account no longer sits at a table, or no longer watches it."""


class Left(ServerMessage, tag="left"):
    """The account no longer sits at a table, or no longer watches it."""

    table: str
    reason: LeaveReason


class DrawView(Part):
    """A seat's draw: how many cards it threw away, and of the viewer's own draw which."""

    count: int
    """0 if the seat stood pat."""
    thrown: list[CardText] | None = None
    """What the viewer threw away; nobody else ever sees it."""
    cards: list[CardText] | None = None
    """What the viewer was dealt for it; absent until everybody has drawn."""


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
    folded: bool = written(False)
    mucked: bool = written(False)
    cards: list[CardText] | None = None
    """The viewer's own cards, or cards shown, street by street; in stud also the up cards."""
    up: list[CardText] | None = None
    """In stud, the cards that everybody sees, in the order of dealing."""
    draws: list[DrawView] | None = None
    """In draw games, the draws of the seat so far; `street` says how many there have been."""


class Entry(Part):
    """An entry in the history of a hand."""

    @property
    def did(self) -> str:
        """The entry's kind, as it is written."""
        return str(self.__struct_config__.tag)


class ActionEntry(Entry, kw_only=True, tag_field="did", tag="act"):
    """An action."""

    seat: SeatNumber
    verb: CanonicalVerb
    to: Amount | None = None
    """In a bet or raise, what the seat has put in on this street afterwards."""
    paid: Amount
    """Chips that moved into the pot."""
    opening: Literal["bring-in", "completion"] | None = None
    """In stud, whether the call was the bring-in, or the raise the first bet after it."""


class BoardEntry(Entry, tag_field="did", tag="deal"):
    """Cards dealt to the board; in stud the last card of all, where the deck has too few."""

    cards: list[CardText]
    second_board: list[CardText] | None = None
    """Those dealt to the second board, in a game on two boards."""


class DiscardEntry(Entry, tag_field="did", tag="discard"):
    """Cards thrown away, in a draw game, for others that come once everybody has chosen."""

    seat: SeatNumber
    count: int
    """0 if the seat stood pat."""


class StreetEntry(Entry, tag_field="did", tag="street"):
    """Cards dealt to the seats on a later street of stud, or of a draw game."""

    up: list[list[CardText]]
    """By seat, the cards that everybody sees; empty lists for seats without one."""
    down: int = written(0)
    """Cards that every seat in the hand was dealt unseen."""
    drawn: list[int] | None = None
    """In draw games, by seat, the cards that were dealt unseen for those thrown away."""


class ShowEntry(Entry, tag_field="did", tag="show"):
    """A hand that was shown."""

    seat: SeatNumber
    cards: list[CardText]


class MuckEntry(Entry, tag_field="did", tag="muck"):
    """A hand that was thrown away unseen."""

    seat: SeatNumber


HistoryEntry = ActionEntry | DiscardEntry | BoardEntry | StreetEntry | ShowEntry | MuckEntry


class HandView(Part, kw_only=True):
    """A hand so far, as one viewer sees it."""

    hand: int
    """Number at this table, from 1."""
    blinds: list[Amount]
    """Live posts asked of each seat."""
    antes: list[Amount]
    button: SeatNumber
    you: SeatNumber | None = None
    """The viewer's seat."""
    street: StreetName
    board: list[CardText]
    pot: Amount
    """All chips put in."""
    seats: list[SeatView]
    history: list[HistoryEntry]
    variant: str | None = None
    """The game; absent in hold'em."""
    second_board: list[CardText] | None = None
    """In a game on two boards, each of which has half of every pot."""
    bring_in: Amount | None = None
    """In stud, what the first to act has to put in, unless it completes to the small bet."""
    small_bet: Amount | None = None
    """In stud, the smallest bet, to which a completion raises."""


class PotView(Part):
    """The main pot or a side pot, and the seats that can win it."""

    amount: Amount
    seats: list[SeatNumber]


class HandBegins(ServerMessage, tag="hand"):
    """A hand begins: blinds are posted, cards are dealt."""

    table: str
    hand: HandView
    shares: list[ShareText] | None = None
    """By seat, the shares of the seed that deals this hand; empty texts for seats without one."""


class Acted(ServerMessage, tag="acted"):
    """A seat acted."""

    table: str
    hand: int
    entry: ActionEntry | DiscardEntry
    stack: Amount
    """The seat's chips left to bet."""
    pot: Amount
    by: Literal["player", "clock", "absence"] = written("player")
    """Who decided: the player, the clock that ran out, or the rule for frozen seats."""
    thrown: list[CardText] | None = None
    """In a draw game, what the viewer threw away; nobody else is told."""


class BoardDealt(ServerMessage, tag="board"):
    """Cards were dealt to the board."""

    table: str
    hand: int
    entry: BoardEntry
    street: StreetName
    pots: list[PotView]


class StreetDealt(ServerMessage, tag="street"):
    """Cards were dealt to the seats, in stud and in draw games."""

    table: str
    hand: int
    entry: StreetEntry
    street: StreetName
    pots: list[PotView]
    cards: list[CardText] | None = None
    """The cards of this street that only the viewer sees."""


class Shown(ServerMessage, tag="shown"):
    """A seat showed its cards."""

    table: str
    hand: int
    entry: ShowEntry


class Mucked(ServerMessage, tag="mucked"):
    """A seat threw its beaten hand away."""

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
    opening: Literal["bring-in", "completion"] | None = None
    """In stud, whether a call is the bring-in, or else a raise the first bet after it."""
    two_sizes: Literal[True] | None = None
    """In stud with an open pair, true if nothing between `min_to` and `max_to` is allowed."""
    draw: int | None = None
    """The most cards that may be thrown away now; then nothing else is allowed but a check, which
    stands pat."""
    must_discard: int | None = None
    """In Irish, the fewest of them; a check throws away as many, the lowest."""


class Turn(ServerMessage, tag="turn"):
    """It is the client's turn. The message has everything needed to answer."""

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


class AskStrategy(ServerMessage, tag="ask_strategy"):
    """What a bot would do at a decision with each of some holdings.

    The decision need not be in this hand. A program that measures a bot asks this; a tournament
    server never does.
    """

    ask: str
    """The question's id, to be sent back with the answer."""
    hand: HandView
    """The decision, without anybody's cards; ``you`` is the seat that is asked."""
    pots: list[PotView]
    legal: LegalActions
    holdings: list[HoldingText]
    """At most 128, which share no card with the board."""


class ToAct(ServerMessage, tag="to_act"):
    """It is somebody else's turn."""

    table: str
    hand: int
    seat: SeatNumber
    ms: Milliseconds
    bank_ms: Milliseconds


class HandOver(ServerMessage, tag="hand_over"):
    """The hand is over, and the chips are paid out."""

    table: str
    hand: int
    pots: list[PotView]
    won: list[int]
    """Net chips by seat, after rake."""
    stacks: list[Amount]
    """By seat, afterwards."""
    rake: Amount
    show_ms: Milliseconds | None = None
    """Time in which a player who was dealt in may still `show` cards that nobody has seen; after it
    they are mucked."""
    second_board: list[CardText] | None = None
    """The whole board of the second run, if there was one; each run had half of every pot."""


class Showed(ServerMessage, kw_only=True, tag="showed"):
    """Somebody shows cards after a hand by choice: folded, mucked, or won without a call."""

    table: str
    hand: int
    seat: SeatNumber
    """In that hand; the next one may have begun."""
    name: str
    cards: list[CardText]


class HandVoid(ServerMessage, tag="hand_void"):
    """The hand does not count: everybody has the chips from before it."""

    table: str
    hand: int
    text: str


class CardsRevealed(ServerMessage, tag="cards"):
    """All cards of a finished hand, at practice tables only."""

    table: str
    hand: int
    cards: list[list[CardText]]
    """By seat."""


class Explained(ServerMessage, tag="explained"):
    """A house player's reasons, at practice tables only, after the hand."""

    table: str
    hand: int
    seat: SeatNumber
    action: int
    """Number of the action in the hand's history, from 0."""
    text: str


class PresenceChanged(ServerMessage, tag="presence"):
    """Somebody is here, away, frozen, sitting out or leaving."""

    table: str
    name: str
    presence: Presence
    ms_left: Milliseconds | None = None
    """Of somebody away whose turn it is: the time until the seat is frozen."""


class RunsTwice(ServerMessage, tag="runs_twice"):
    """Somebody would run all-ins twice at a private table, or would not any more."""

    table: str
    name: str
    wants: bool


class PlayerLeft(ServerMessage, tag="player_left"):
    """Somebody left a table."""

    table: str
    name: str


class PlayerSat(ServerMessage, tag="player_sat"):
    """Somebody took a seat at a table."""

    table: str
    player: PlayerInfo


class Paused(ServerMessage, tag="paused"):
    """The table waits, or plays on."""

    table: str
    paused: bool
    parked: bool = written(False)
    """It does not wait for the operator, but until the server can write its journal again: then
    a snapshot comes."""


class PlayReport(Part, kw_only=True):
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


class KnockedOut(ServerMessage, tag="knocked_out"):
    """Somebody has no chips left."""

    table: str
    tournament: str
    name: str
    place: int
    prize: str
    """Money, as a decimal or a fraction."""
    you: PlayReport | None = None


class Place(Part, kw_only=True):
    """A line of a result."""

    name: str
    kind: PlayerKind
    version: str | None = None
    place: int
    prize: str


class Result(ServerMessage, kw_only=True, tag="result"):
    """A tournament is over."""

    tournament: str
    void: bool = written(False)
    """It does not count: nobody is rated, fees go back."""
    rated: bool
    places: list[Place]
    commitment: str
    seed: str
    """The house's seed of all cards, in hexadecimal; its SHA-256 is the commitment."""
    you: PlayReport | None = None


class SeedRevealed(ServerMessage, kw_only=True, tag="seed"):
    """The seed of a ring or a practice table's hands: every hour, and when the table closes."""

    table: str
    first_hand: int
    last_hand: int
    commitment: str
    seed: str
    """The house's seed of these hands' cards, in hexadecimal; its SHA-256 is the commitment."""
    next_commitment: str | None = None
    """The commitment to the seed of the next hands; absent if there are none."""


class SessionReport(ServerMessage, tag="session_report"):
    """The end of a session at a ring or a practice table."""

    table: str
    hands: int
    won: int
    """Chips, net of all buy-ins."""
    you: PlayReport


class Snapshot(ServerMessage, tag="snapshot"):
    """A table as its viewer may see it now: all that is needed to go on."""

    table: TableInfo
    commitment: str | None = None
    hand: HandView | None = None
    turn: Turn | None = None
    """The viewer's turn, with the remaining time."""
    to_act: ToAct | None = None
    """Somebody else's."""
    shares: list[ShareText] | None = None
    """As in `hand`, of a hand in play."""


GameMessage = (
    Lobby
    | Queued
    | Unqueued
    | Seated
    | AskShare
    | Left
    | HandBegins
    | Acted
    | BoardDealt
    | StreetDealt
    | Shown
    | Mucked
    | Turn
    | AskStrategy
    | ToAct
    | HandOver
    | Showed
    | HandVoid
    | CardsRevealed
    | Explained
    | PresenceChanged
    | RunsTwice
    | PlayerLeft
    | PlayerSat
    | Paused
    | KnockedOut
    | Result
    | SeedRevealed
    | SessionReport
    | Snapshot
)


# Messages that a client sends.


Password = Annotated[str, Meta(min_length=1, max_length=LONGEST_PASSWORD)]


class PasswordLogIn(ClientMessage, tag_field="by", tag="password"):
    """Log in by name and password."""

    name: Name
    password: Password


class TokenLogIn(ClientMessage, tag_field="by", tag="token"):
    """Log in a bot by one of its tokens."""

    token: Annotated[str, Meta(min_length=1, max_length=256, pattern=r"^[!-~]+$")]


class SignUp(ClientMessage, tag_field="by", tag="sign_up"):
    """Create a person's account and log in; bots are created by their owners."""

    name: Name
    password: Password


Credentials = PasswordLogIn | TokenLogIn | SignUp


class Hello(ClientMessage, tag="hello"):
    """The first message of every connection."""

    versions: Annotated[list[Annotated[int, Meta(ge=1)]], Meta(min_length=1, max_length=16)]
    """Versions of the protocol that the client speaks."""
    log_in: Credentials
    version: Name | None = None
    """A bot's own version; another version is rated as another player."""
    client: Text = written("")
    """The program, for the server's log."""


class ClientPing(ClientMessage, tag="ping"):
    """Ask whether the server is there; answered by a `pong` with the same number."""

    n: Number


class ClientPong(ClientMessage, tag="pong"):
    """The answer to the server's `ping`, with its number."""

    n: Number


class Bye(ClientMessage, tag="bye"):
    """End the connection; a seat at a table stays, away."""


class AskLobby(ClientMessage, tag="lobby"):
    """Ask for queues, tables and house players."""


class EnterQueue(ClientMessage, tag="enter_queue"):
    """Wait for a tournament."""

    queue: Reference
    again: bool = written(False)
    """Wait again after every tournament of this connection, once knocked out."""


class LeaveQueue(ClientMessage, tag="leave_queue"):
    """Wait no longer."""


class Sit(ClientMessage, tag="sit"):
    """Take a seat at a ring table, or wait for one if all of its game are full.

    `queued` then says so, and `leave_queue` ends it.
    """

    table: Reference
    """The table, or the ring game."""
    buy_in: Amount
    waits: bool = False
    """Be dealt in when the big blind comes, rather than post one at a table in play."""


class BuyChips(ClientMessage, tag="buy_chips"):
    """Add chips to the stack at a ring table, before the next hand."""

    amount: Amount


class SitOut(ClientMessage, tag="sit_out"):
    """Be dealt no cards at a ring table from the next hand on."""


class SitIn(ClientMessage, tag="sit_in"):
    """Be dealt cards again from the next hand on; at a practice table, at once.

    Missed blinds are posted then: a small one dead, a big one live.
    """

    waits: bool = False
    """Be dealt in when the big blind comes, rather than post what is owed."""


class StandUp(ClientMessage, tag="stand_up"):
    """Leave a ring or a practice table after the hand."""


class Practise(ClientMessage, tag="practise"):
    """Open a practice table with house players, at once and unrated."""

    opponents: Annotated[list[Reference], Meta(min_length=1, max_length=8)]
    """House players, as the lobby names them."""
    stack: Annotated[int, Meta(ge=1, le=10**9)] = written(2000)
    big_blind: Annotated[int, Meta(ge=2, le=10**6)] = written(20)
    betting: Literal["limit", "pot-limit", "no-limit"] | None = None
    """By default what the game is usually played by; in hold'em that is no-limit."""
    variant: Reference | None = None
    """The game, such as omaha; hold'em if absent."""
    top_up: bool = written(False)
    """Begin each hand with this stack, no matter what was won or lost before."""
    waits: bool = written(False)
    """Deal each further hand only at a ``sit_in``, or after five minutes."""


class Watch(ClientMessage, tag="watch"):
    """See a table as a spectator; answered by a snapshot."""

    table: Reference


class Unwatch(ClientMessage, tag="unwatch"):
    """See a table no longer."""

    table: Reference


class AskSnapshot(ClientMessage, tag="snapshot"):
    """Ask for the present state of the table where the client sits, or of one that it watches."""

    table: Reference


class Verb(StrEnum):
    """Action of a player.

    A call is a check if that is free. The server accepts a bet for a raise and the reverse, and
    refuses a check that is not free.
    """

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"
    DISCARD = "discard"


class ActMessage(ClientMessage, tag="act"):
    """The answer to a turn."""

    turn: Reference
    """The id of the turn that is answered."""
    action: Number
    """The client's own number of the action, which an error brings back."""
    verb: Verb
    to: Amount | None = None
    """In a bet or raise, what one has put in on this street afterwards."""
    cards: Annotated[list[CardText], Meta(max_length=MOST_DRAWN)] | None = None
    """In a discard, the cards to throw away; empty to stand pat."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for a size or cards where none belong, or none where they do."""
        _check_size(self.verb, self.to)
        if (self.cards is not None) is not (self.verb is Verb.DISCARD):
            raise ValueError("a discard needs `cards`, any other verb has none")


def _check_size(verb: Verb, to: int | None) -> None:
    if (to is not None) is not (verb in (Verb.BET, Verb.RAISE)):
        raise ValueError("a bet or raise needs `to`, any other verb has none")


class PossibleAction(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An action of a strategy."""

    verb: Verb
    to: Amount | None = None
    """In a bet or raise, what one has put in on this street afterwards."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for a size where none belongs, or none where one does."""
        _check_size(self.verb, self.to)


Probability = Annotated[float, Meta(ge=0, le=1)]


class StrategyMessage(ClientMessage, tag="strategy"):
    """The answer to `ask_strategy`: what a bot does with each of the holdings."""

    ask: Reference
    """The id of the question that is answered."""
    hash: Annotated[str, Meta(min_length=1, max_length=128, pattern=r"^[!-~]+$")]
    """The name of the strategy: any change to the strategy must change it."""
    actions: Annotated[list[PossibleAction], Meta(min_length=1, max_length=64)]
    """Each once."""
    probabilities: Annotated[list[list[Probability]], Meta(max_length=128)]
    """For each holding, in the order of the question, the probabilities of the actions, which sum
    to one."""


class ShowCards(ClientMessage, tag="show"):
    """Show everybody your cards of a finished hand, although you need not."""

    table: Reference
    hand: Number


class RunTwice(ClientMessage, tag="run_twice"):
    """Run your all-ins twice at a private table from now on, or once again.

    A hand is run twice if everybody left in it wants that when the last bet is called, and cards of
    the board are still to come.
    """

    table: Reference
    wants: bool


class SeedShare(ClientMessage, tag="seed_share"):
    """The answer to `ask_share`: 32 random bytes, once for each seed of the house."""

    game: Reference
    share: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """In hexadecimal."""


GameRequest = (
    AskLobby
    | EnterQueue
    | LeaveQueue
    | Sit
    | BuyChips
    | SitOut
    | SitIn
    | StandUp
    | Practise
    | Watch
    | Unwatch
    | AskSnapshot
    | ActMessage
    | StrategyMessage
    | ShowCards
    | RunTwice
    | SeedShare
)
"""Messages that the session passes on to the game."""


# Codes of errors and of the end of a connection.


class ErrorCode(StrEnum):
    """Reason for refusing a message; the connection stays open."""

    MALFORMED = "malformed"
    """Not a message of the protocol: not JSON, an unknown type or field, a wrong value."""
    UNEXPECTED = "unexpected"
    """A message that has no place in this state, such as a second hello."""
    NOT_LOGGED_IN = "not_logged_in"
    WRONG_VERSION = "wrong_version"
    LOG_IN_REFUSED = "log_in_refused"
    """Name, password or token are wrong; it is not said which."""
    NAME_TAKEN = "name_taken"
    BAD_PASSWORD = "bad_password"
    """Too short, or too common, for a new account."""
    BANNED = "banned"
    BUSY = "busy"
    """The database is away, or too many want to log in; try again."""
    RATE_LIMITED = "rate_limited"
    STALE = "stale"
    """The turn is over: the action came late, twice or after a time-out. No chips moved. Or it is
    too late to show cards."""
    NOT_YOUR_TURN = "not_your_turn"
    ILLEGAL_ACTION = "illegal_action"
    """The rules refuse it; the turn goes on."""
    NOT_SEATED = "not_seated"
    SEATED = "seated"
    """Already at a table, and an account plays at one at a time."""
    QUEUED = "queued"
    NOT_QUEUED = "not_queued"
    NO_SUCH_QUEUE = "no_such_queue"
    NO_SUCH_TABLE = "no_such_table"
    TABLE_FULL = "table_full"
    BUY_IN = "buy_in"
    """Too few or too many chips, or more than the account has."""
    STAKES_LOCKED = "stakes_locked"
    """These stakes are opened by winnings at lower ones."""
    SAME_OWNER = "same_owner"
    """Another bot of the same owner, or the owner, is at that table."""
    NO_SUCH_PLAYER = "no_such_player"
    DRAINING = "draining"
    """The server is about to restart and starts nothing new."""


class CloseCode(IntEnum):
    """Reason for closing a connection, in WebSocket's numbers."""

    NORMAL = 1000
    """The client said good-bye."""
    MALFORMED = 1008
    """Three malformed messages in a row, or no version in common."""
    TOO_LONG = 1009
    """A line over 64 KiB."""
    RESTART = 1012
    """The server restarts. Come back."""
    NO_HELLO = 4001
    """No hello in time."""
    REFUSED = 4002
    """The log-in was refused."""
    TAKEN_OVER = 4003
    """The same account has logged in elsewhere."""
    FROZEN = 4004
    """No action in time; log in again to play on."""
    TOO_SLOW = 4005
    """The client reads more slowly than it is written to."""
    QUIET = 4006
    """No pong in time."""
    BANNED = 4007
    FLOOD = 4008
    """More messages than any player needs."""

    @property
    def comes_back(self) -> bool:
        """Whether a client should connect again by itself; otherwise a person decides."""
        return self is CloseCode.RESTART


# Messages of the session, which know nothing of poker.


class Welcome(ServerMessage, kw_only=True, tag="welcome"):
    """The log-in succeeded."""

    version: int
    """The version of the protocol that is spoken from now on."""
    name: str
    kind: PlayerKind
    player_version: str | None = None
    """A bot's own version, as it said in its hello."""
    server: str
    """The server's program and its version."""


class LogInQueue(ServerMessage, tag="log_in_queue"):
    """The log-in waits: checking passwords takes time on purpose."""

    before: int
    """Log-ins that come before this one."""


class ServerPing(ServerMessage, tag="ping"):
    """Ask whether the client is there; to be answered by a `pong` with the same number."""

    n: int


class ServerPong(ServerMessage, tag="pong"):
    """The answer to the client's `ping`."""

    n: int


class ErrorMessage(ServerMessage, tag="error"):
    """Refusal of a message; after a refused action the turn goes on."""

    code: ErrorCode
    text: str
    """One sentence: what was got, what is allowed."""
    sent: str | None = None
    """The message that was refused, cut off if it is long."""
    turn: str | None = None
    """The turn that goes on, after a refused action."""
    action: int | None = None
    """The client's number of the action that was refused."""
    ms_left: Milliseconds | None = None
    """Time left for another answer, bank included."""


class Announcement(ServerMessage, tag="announcement"):
    """A text of the operator, for people."""

    text: str


class Closing(ServerMessage, tag="close"):
    """The last message of a connection, if there is time for one."""

    code: CloseCode
    text: str
    reconnect: bool
    """Whether to connect again automatically."""


SessionMessage = (
    Welcome | LogInQueue | ServerPing | ServerPong | ErrorMessage | Announcement | Closing
)
