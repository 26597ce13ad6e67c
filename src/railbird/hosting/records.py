"""Records of a journal: the accepted events of one game, from which its state is folded."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from railbird.protocol.identity import PlayerKind


class Record(BaseModel):
    """A line of a journal."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: int
    """Milliseconds since 1970, UTC."""


class Entrant(BaseModel):
    """A player of a game, who keeps the number of the entry in all records."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    kind: PlayerKind
    version: str = ""
    owner: str = ""
    spec: str = ""
    """Of a house player, the player of the registry."""


class Opened(Record):
    """A tournament, a ring table or a practice table begins."""

    r: Literal["opened"] = "opened"
    journal: Literal[1] = 1
    """Version of the journal's form."""
    kind: Literal["tournament", "ring", "practice"]
    id: str
    format: str
    """Name of the format."""
    settings: str
    """The format as JSON: a resumed game keeps its own, whatever the server offers now."""
    commitment: str
    seed: str
    entrants: tuple[Entrant, ...] = ()


class Drawn(Record):
    """The seats of a stage are drawn: tables by number, players clockwise from the button."""

    r: Literal["drawn"] = "drawn"
    stage: int
    first_table: int
    tables: tuple[tuple[int, ...], ...]


class Dealt(Record):
    """A hand begins; its cards follow from the seed."""

    r: Literal["dealt"] = "dealt"
    table: int
    hand: int
    seats: tuple[int, ...]
    """Players by seat, the button last."""
    stacks: tuple[int, ...]
    """By seat."""
    small: int
    big: int
    ante: int
    big_blind_ante: int = 0


class Took(Record):
    """A seat's action was accepted."""

    r: Literal["took"] = "took"
    table: int
    hand: int
    turn: int
    """Turns of the hand, from 1."""
    action: int
    """-1 fold, 0 call or check, otherwise the total that is bet or raised to."""
    by: Literal["player", "clock", "absence"]
    ms: int
    """Time that is charged to the player."""
    lag: int = 0
    """Milliseconds of lag that were taken off."""


class Paid(Record):
    """A hand is over and its chips are paid out."""

    r: Literal["paid"] = "paid"
    table: int
    hand: int
    stacks: tuple[int, ...]
    """By seat, afterwards."""
    cards: tuple[int, ...]
    """All cards of the deal, so that the journal can be checked by itself."""


class Annulled(Record):
    """A hand is void: the stacks from before it stand."""

    r: Literal["annulled"] = "annulled"
    table: int
    hand: int
    why: str


class Placed(Record):
    """Players are knocked out, or the tournament is decided."""

    r: Literal["placed"] = "placed"
    places: tuple[tuple[int, int], ...]
    """Player and place."""


class Round(Record):
    """All tables have finished a hand and are balanced for the next."""

    r: Literal["round"] = "round"
    tables: tuple[tuple[int, ...], ...]
    """Players clockwise from the next button, by table; empty for a table that was broken."""


class Present(Record):
    """A player is frozen, sits out, or plays again."""

    r: Literal["present"] = "present"
    player: int
    presence: Literal["here", "frozen", "sitting_out"]


class Joined(Record):
    """A player takes a chair at a ring table."""

    r: Literal["joined"] = "joined"
    player: int
    entrant: Entrant
    chair: int
    chips: int


class Bought(Record):
    """Chips come before a player's next hand; where stacks are filled up, some may go."""

    r: Literal["bought"] = "bought"
    player: int
    chips: int


class StoodUp(Record):
    """A player has left a ring table."""

    r: Literal["stood_up"] = "stood_up"
    player: int


class Resumed(Record):
    """The server has started again and goes on with this game."""

    r: Literal["resumed"] = "resumed"


class PauseSet(Record):
    """The operator pauses the game, or lets it go on."""

    r: Literal["pause"] = "pause"
    paused: bool


class Closed(Record):
    """The game is over."""

    r: Literal["closed"] = "closed"
    void: bool = False
    why: str = ""


AnyRecord = (
    Opened
    | Drawn
    | Dealt
    | Took
    | Paid
    | Annulled
    | Placed
    | Round
    | Present
    | Joined
    | Bought
    | StoodUp
    | Resumed
    | PauseSet
    | Closed
)

RECORDS: TypeAdapter[AnyRecord] = TypeAdapter(Annotated[AnyRecord, Field(discriminator="r")])
