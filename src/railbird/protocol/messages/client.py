"""Messages that a client sends."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter, model_validator

from railbird.protocol.messages.base import Amount, ClientMessage, Name, Number, Reference, Text
from railbird.protocol.settings import LONGEST_PASSWORD

Password = Annotated[str, Field(min_length=1, max_length=LONGEST_PASSWORD)]


class PasswordLogIn(ClientMessage):
    """Log in by name and password."""

    by: Literal["password"]
    name: Name
    password: Password


class TokenLogIn(ClientMessage):
    """Log in a bot by one of its tokens."""

    by: Literal["token"]
    token: Annotated[str, Field(min_length=1, max_length=256, pattern=r"^[!-~]+$")]


class SignUp(ClientMessage):
    """Create a person's account and log in; bots are created by their owners."""

    by: Literal["sign_up"]
    name: Name
    password: Password


Credentials = Annotated[PasswordLogIn | TokenLogIn | SignUp, Field(discriminator="by")]


class Hello(ClientMessage):
    """The first message of every connection."""

    type: Literal["hello"] = "hello"
    versions: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1, max_length=16)]
    """Versions of the protocol that the client speaks."""
    log_in: Credentials
    version: Name | None = None
    """A bot's own version; another version is rated as another player."""
    client: Text = ""
    """The program, for the server's log."""


class ClientPing(ClientMessage):
    """Ask whether the server is there; answered by a `pong` with the same number."""

    type: Literal["ping"] = "ping"
    n: Number


class ClientPong(ClientMessage):
    """The answer to the server's `ping`, with its number."""

    type: Literal["pong"] = "pong"
    n: Number


class Bye(ClientMessage):
    """End the connection; a seat at a table stays, away."""

    type: Literal["bye"] = "bye"


class AskLobby(ClientMessage):
    """Ask for queues, tables and house players."""

    type: Literal["lobby"] = "lobby"


class EnterQueue(ClientMessage):
    """Wait for a tournament."""

    type: Literal["enter_queue"] = "enter_queue"
    queue: Reference
    again: bool = False
    """Wait again after every tournament of this connection, once knocked out."""


class LeaveQueue(ClientMessage):
    """Wait no longer."""

    type: Literal["leave_queue"] = "leave_queue"


class Sit(ClientMessage):
    """Take a seat at a ring table."""

    type: Literal["sit"] = "sit"
    table: Reference
    buy_in: Amount


class BuyChips(ClientMessage):
    """Add chips to the stack at a ring table, before the next hand."""

    type: Literal["buy_chips"] = "buy_chips"
    amount: Amount


class SitOut(ClientMessage):
    """Be dealt no cards at a ring table from the next hand on."""

    type: Literal["sit_out"] = "sit_out"


class SitIn(ClientMessage):
    """Be dealt cards again from the next hand on; at a practice table, at once."""

    type: Literal["sit_in"] = "sit_in"


class StandUp(ClientMessage):
    """Leave a ring or a practice table after the hand."""

    type: Literal["stand_up"] = "stand_up"


class Practise(ClientMessage):
    """Open a practice table with house players, at once and unrated."""

    type: Literal["practise"] = "practise"
    opponents: Annotated[list[Reference], Field(min_length=1, max_length=8)]
    """House players, as the lobby names them."""
    stack: Annotated[int, Field(ge=1, le=10**9)] = 2000
    big_blind: Annotated[int, Field(ge=2, le=10**6)] = 20
    betting: Literal["limit", "pot-limit", "no-limit"] = "no-limit"
    top_up: bool = False
    """Begin each hand with this stack, whatever was won or lost before."""
    waits: bool = False
    """Deal each further hand only at a ``sit_in``, or after five minutes."""


class Watch(ClientMessage):
    """See a table as a spectator; answered by a snapshot."""

    type: Literal["watch"] = "watch"
    table: Reference


class Unwatch(ClientMessage):
    """See a table no longer."""

    type: Literal["unwatch"] = "unwatch"
    table: Reference


class AskSnapshot(ClientMessage):
    """Ask for the table where one sits, or one that one watches, as it is now."""

    type: Literal["snapshot"] = "snapshot"
    table: Reference


class Verb(StrEnum):
    """Action of a player; each of the two spellings of a call and of a raise is taken."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"


class ActMessage(ClientMessage):
    """The answer to a turn."""

    type: Literal["act"] = "act"
    turn: Reference
    """The id of the turn that is answered."""
    action: Number
    """The client's own number of the action, which an error brings back."""
    verb: Verb
    to: Amount | None = None
    """In a bet or raise, what one has put in on this street afterwards."""

    @model_validator(mode="after")
    def _check_size(self) -> Self:
        if (self.to is not None) is not (self.verb in (Verb.BET, Verb.RAISE)):
            raise ValueError("a bet or raise needs `to`, any other verb has none")
        return self


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
)
"""Messages that the session passes on to the game."""

AnyClientMessage = Annotated[
    Hello | ClientPing | ClientPong | Bye | GameRequest, Field(discriminator="type")
]

CLIENT_MESSAGES: TypeAdapter[Hello | ClientPing | ClientPong | Bye | GameRequest] = TypeAdapter(
    AnyClientMessage
)
