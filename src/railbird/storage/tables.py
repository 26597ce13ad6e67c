"""All tables: accounts, opponents, push/fold, puzzles, results and ratings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Float,
    ForeignKey,
    Index,
    LargeBinary,
    Select,
    String,
    Text,
    UniqueConstraint,
    select,
    text,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from railbird.errors import DamagedFile
from railbird.storage.database import Base as Base  # at the room's door with all of its tables
from railbird.storage.database import UtcMoment, now
from railbird.storage.settings import NAME_WIDTH


class AccountRow(Base):
    """A person, a bot, or a bot of the house."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(NAME_WIDTH))
    """The name as its owner writes it."""
    key: Mapped[str] = mapped_column(String(NAME_WIDTH), unique=True)
    """The name in lower case: names that differ in their case only are one. The house's players
    have a prefix that no other name can have."""
    kind: Mapped[str] = mapped_column(String(8))
    """One of `railbird.storage.accounts.AccountKind`."""
    owner_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), default=None, index=True
    )
    """The person whose bot it is; None for people and the house."""
    password_hash: Mapped[str | None] = mapped_column(String(255), default=None)
    """By Argon2; None for bots, which log in by tokens."""
    created_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class FormerNameRow(Base):
    """A name that an account had until it was deleted or renamed; only its hash is stored."""

    __tablename__ = "former_name"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the name in lower case."""
    account_id: Mapped[int]
    """The account, which may take the name back; no other account has had, or gets, its number."""
    ended_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class TokenRow(Base):
    """A random token that opens an account; only its hash is stored."""

    __tablename__ = "account_token"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), index=True
    )
    label: Mapped[str] = mapped_column(String(NAME_WIDTH), default="")
    """What its owner calls it."""
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class AccountSessionRow(Base):
    """A browser that has logged in; only the hash of its random key is stored."""

    __tablename__ = "account_session"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), index=True
    )
    created_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)
    ends_at: Mapped[datetime] = mapped_column(UtcMoment)


class OffenceRow(Base):
    """Something that an account did and should not have."""

    __tablename__ = "account_offence"
    __table_args__ = (Index("ix_account_offence", "account_id", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    code: Mapped[str] = mapped_column(String(32))
    """The error code sent to the account."""
    detail: Mapped[str] = mapped_column(String(200), default="")
    at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class BanRow(Base):
    """An account that may not log in for a time."""

    __tablename__ = "account_ban"

    account_id: Mapped[int] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    reason: Mapped[str] = mapped_column(String(200), default="")
    banned_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)
    ends_at: Mapped[datetime | None] = mapped_column(UtcMoment, default=None)
    """None for a ban without an end."""


class GuessRow(Base):
    """Wrong passwords of a name, which servers that share a database count together."""

    __tablename__ = "guess"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the name and the browser."""
    full_at: Mapped[float] = mapped_column(Float, index=True)
    """When all guesses have come back, as in `TokenBuckets`, in seconds since 1970."""


# The tables of what players remember of their opponents.


NAME_LENGTH: Final = 255
"""Characters of a name, PostgreSQL's index having its bounds."""

_LOCK: Final = 0x6F70706F  # an arbitrary number that all our programs share


class OpponentRow(Base):
    """What one observer remembers of one opponent in one kind of game."""

    __tablename__ = "opponent"
    __table_args__ = (
        UniqueConstraint("observer", "kind", "game", "seats", "name", name="uq_opponent"),
        Index("ix_opponent_name", "name"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    observer: Mapped[str] = mapped_column(String(NAME_LENGTH))
    """The player that remembers."""
    kind: Mapped[str] = mapped_column(String(32))
    """What the record contains, which depends on the kind of player that keeps it."""
    game: Mapped[str] = mapped_column(String(32))
    """The betting structure."""
    seats: Mapped[int]
    """Seats at the start of the session; a tournament stays with it as players bust."""
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    """The opponent."""
    version: Mapped[int]
    """Version of the record's form."""
    record: Mapped[str] = mapped_column(Text)
    """The statistics, a JSON object of numbers and lists."""
    history: Mapped[str] = mapped_column(Text)
    """The latest sessions, a JSON list of `SessionFigures` as lists."""
    sessions: Mapped[int]
    hands: Mapped[int]
    first_met_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)
    last_met_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class OpponentImportRow(Base):
    """A file of an earlier version whose opponents have been taken over."""

    __tablename__ = "opponent_import"

    file: Mapped[str] = mapped_column(String(NAME_LENGTH), primary_key=True)
    """Name of the file, which lies beside the database."""
    imported_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryScope:
    """Whose memory it is, and of which games: numbers of different games must not mix."""

    observer: str
    kind: str
    """Kind of the records."""
    game: str
    """The betting structure."""
    seats: int


@dataclass(frozen=True, slots=True)
class SessionFigures:
    """One session in an opponent's history."""

    ended_at: str
    """Time in UTC, as ISO 8601."""
    hands: int
    bets: int
    """Bets and raises."""
    actions: int
    """All actions, folds included."""


def rows_in_scope(scope: MemoryScope) -> Select[Any]:
    """Select everybody in a scope."""
    return select(OpponentRow).where(
        OpponentRow.observer == scope.observer,
        OpponentRow.kind == scope.kind,
        OpponentRow.game == scope.game,
        OpponentRow.seats == scope.seats,
    )


def wait_for_others(session: Session) -> None:
    """Let one transaction at a time add up. SQLite's writers have the lock from the beginning."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def loaded(row: OpponentRow, value: str) -> Any:
    """Read a column of JSON. Raises `railbird.errors.DamagedFile`."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise DamagedFile(f"{whose(row)}: not JSON") from None


def whose(row: OpponentRow) -> str:
    """Say in messages which row it is."""
    return f"what {row.observer} remembers of {row.name}"


# The tables of the push/fold game: players, hands and decisions.


class PushFoldPlayerRow(Base):
    """A browser that plays; there are no accounts."""

    __tablename__ = "pushfold_player"

    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(String(32), unique=True)
    """Token in the signed cookie."""
    nickname: Mapped[str] = mapped_column(String(24), default="")
    skill: Mapped[str] = mapped_column(String(12), default="")
    """Stated by the player: beginner, intermediate, advanced, expert or nothing."""
    stack: Mapped[float] = mapped_column(Float)
    """Big blinds, from the next hand on."""
    joined_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class PushFoldHandRow(Base):
    """A hand of push/fold, dealt to its end in advance; the page shows only what may be seen."""

    __tablename__ = "pushfold_hand"
    __table_args__ = (UniqueConstraint("player_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("pushfold_player.id", ondelete="CASCADE"))
    number: Mapped[int]
    """1, 2, ... for each player."""
    stack: Mapped[float] = mapped_column(Float)
    seat: Mapped[str] = mapped_column(String(2))
    own: Mapped[str] = mapped_column(String(4))
    opponent: Mapped[str] = mapped_column(String(4))
    board: Mapped[str] = mapped_column(String(10))
    opponent_choice: Mapped[str] = mapped_column(String(8))
    """Choice of the opponent, should it come to act."""
    hinted: Mapped[bool] = mapped_column(default=False)
    ending: Mapped[str | None] = mapped_column(String(16), default=None)
    """None while it is the player's turn."""
    winnings: Mapped[float] = mapped_column(Float, default=0.0)
    """The player's winnings in big blinds."""
    dealt_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class PushFoldDecisionRow(Base):
    """The player's choice with a hand, and its value against the equilibrium."""

    __tablename__ = "pushfold_decision"
    __table_args__ = (Index("ix_pushfold_decision_decided_at", "decided_at"),)

    hand_id: Mapped[int] = mapped_column(
        ForeignKey("pushfold_hand.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    choice: Mapped[str] = mapped_column(String(8))
    hand_class: Mapped[int]
    frequency: Mapped[float] = mapped_column(Float)
    """Frequency with which the equilibrium pushes or calls with this class."""
    ev_aggress: Mapped[float] = mapped_column(Float)
    ev_fold: Mapped[float] = mapped_column(Float)
    loss: Mapped[float] = mapped_column(Float)
    """Big blinds given up: EV of the better choice less EV of the chosen one."""
    decided_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


# The table of puzzles: decisions that somebody asked to be asked again.


class PuzzleRow(Base):
    """A decision, of an account or of a browser that is not logged in."""

    __tablename__ = "puzzle"
    __table_args__ = (
        Index("ix_puzzle_account", "account_id"),
        UniqueConstraint("owner", "digest"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    """``account:ID``, or ``visitor:`` and a hash of the browser's token."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), default=None
    )
    digest: Mapped[str] = mapped_column(String(64))
    """Of the hand and the decision, so that none is kept twice."""
    puzzle: Mapped[str] = mapped_column(Text)
    """A JSON object: the hand as PHH, the decision, the answers and what they cost."""
    taken_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)
    answered_at: Mapped[datetime | None] = mapped_column(UtcMoment, default=None)
    asked: Mapped[int] = mapped_column(default=0)
    right: Mapped[int] = mapped_column(default=0)


class DrillAnswerRow(Base):
    """The first answer to a question that everybody is asked."""

    __tablename__ = "drill_answer"
    __table_args__ = (
        Index("ix_drill_answer_account", "account_id"),
        UniqueConstraint("owner", "question"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    """As in `PuzzleRow`."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), default=None
    )
    kind: Mapped[str] = mapped_column(String(8))
    """``daily``, ``puzzle`` or ``drill``."""
    question: Mapped[str] = mapped_column(String(24))
    answer: Mapped[str] = mapped_column(String(24))
    cost: Mapped[float] = mapped_column(Float)
    """Big blinds that the answer gave up."""
    error: Mapped[float] = mapped_column(Float)
    """Of the cost."""
    right: Mapped[bool]
    mean_after: Mapped[float | None] = mapped_column(Float, default=None)
    """The owner's rating after a puzzle."""
    deviation_after: Mapped[float | None] = mapped_column(Float, default=None)
    answered_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class DrillRatingRow(Base):
    """How hard a puzzle has turned out to be: its rating, as of one who wins if it is missed."""

    __tablename__ = "drill_rating"

    question: Mapped[str] = mapped_column(String(24), primary_key=True)
    mean: Mapped[float] = mapped_column(Float)
    deviation: Mapped[float] = mapped_column(Float)
    answers: Mapped[int]


class LifeHandRow(Base):
    """What one hand of an account came to, in big blinds, however often it was uploaded."""

    __tablename__ = "life_hand"
    __table_args__ = (UniqueConstraint("account_id", "digest"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    digest: Mapped[str] = mapped_column(String(32))
    """Of who played, what they did and the board, so that no hand counts twice."""
    source: Mapped[str] = mapped_column(String(80))
    """The game on this server, or the title of the log."""
    game: Mapped[str] = mapped_column(String(80))
    """What was played, in words."""
    position: Mapped[str] = mapped_column(String(24))
    money: Mapped[float] = mapped_column(Float)
    skill: Mapped[float | None] = mapped_column(Float, default=None)
    """The result without what luck is known of; None where nothing is."""


class TrainedDecisionRow(Base):
    """A decision against a solved spot, and what it cost."""

    __tablename__ = "trained_decision"
    __table_args__ = (
        Index("ix_trained_decision_account", "account_id"),
        UniqueConstraint("owner", "run", "place"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    """As in `PuzzleRow`."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), default=None
    )
    run: Mapped[str] = mapped_column(String(32))
    """Which hands were dealt: a digest of the solution, the seat, the drill and the seed."""
    place: Mapped[int]
    """Of the decision in the run, so that a page that is sent twice counts once."""
    spot: Mapped[str] = mapped_column(String(80))
    """The title of the spot."""
    street: Mapped[str] = mapped_column(String(8))
    made: Mapped[str] = mapped_column(String(24))
    """The made hand."""
    loss: Mapped[float] = mapped_column(Float)
    """Chips less than the best action."""
    pot: Mapped[float] = mapped_column(Float)
    """Chips in the pot at the decision."""
    answered_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class TrainedCardRow(Base):
    """A decision that was hard, with all that is needed to ask it again, and when that is due."""

    __tablename__ = "trained_card"
    __table_args__ = (
        Index("ix_trained_card_account", "account_id"),
        Index("ix_trained_card_due", "owner", "due_at"),
        UniqueConstraint("owner", "digest"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    """As in `PuzzleRow`."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), default=None
    )
    digest: Mapped[str] = mapped_column(String(32))
    """Of the spot, the line and the holding."""
    question: Mapped[str] = mapped_column(Text)
    """A JSON object: the decision, its actions and what each is worth."""
    memory: Mapped[str] = mapped_column(Text)
    """A JSON object: what the scheduler knows of it."""
    due_at: Mapped[datetime] = mapped_column(UtcMoment)
    answers: Mapped[int] = mapped_column(default=0)


# The tables of finished tournaments and ring sessions, and of ratings.


class TournamentRow(Base):
    """A finished or void tournament, once, whatever how often its result arrives."""

    __tablename__ = "tournament"
    __table_args__ = (Index("ix_tournament_finished_at", "finished_at"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The identifier that its journal has."""
    ladder: Mapped[str] = mapped_column(String(32))
    """The ladder that it counts in: the name of the game."""
    rated: Mapped[bool]
    """Whether it counted in that ladder."""
    void_reason: Mapped[str | None] = mapped_column(String(200), default=None)
    """None for a tournament that was played to its end."""
    details: Mapped[str] = mapped_column(Text, default="{}")
    """A JSON object with its rules, as the server announced them."""
    started_at: Mapped[datetime] = mapped_column(UtcMoment)
    finished_at: Mapped[datetime] = mapped_column(UtcMoment)
    recorded_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class EntryRow(Base):
    """One player's entry into a tournament, and its place in the end."""

    __tablename__ = "tournament_entry"
    __table_args__ = (Index("ix_tournament_entry_account", "account_id"),)

    tournament_id: Mapped[str] = mapped_column(
        ForeignKey("tournament.id", ondelete="CASCADE"), primary_key=True
    )
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Number of the entry, from 0."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="SET NULL"), default=None
    )
    """None where the account has been deleted since."""
    name: Mapped[str] = mapped_column(String(NAME_WIDTH))
    version: Mapped[str] = mapped_column(String(NAME_WIDTH), default="")
    kind: Mapped[str] = mapped_column(String(8))
    place: Mapped[int | None] = mapped_column(default=None)
    """From 1; equal places share a prize. None in a void tournament."""
    prize: Mapped[float] = mapped_column(Float, default=0.0)
    fee: Mapped[float] = mapped_column(Float, default=0.0)
    hands: Mapped[int] = mapped_column(default=0)
    service: Mapped[str] = mapped_column(Text, default="{}")
    """A JSON object: latencies, actions that came too late, actions that were refused."""
    mean_after: Mapped[float | None] = mapped_column(Float, default=None)
    """The ladder rating's mean after a rated tournament."""
    deviation_after: Mapped[float | None] = mapped_column(Float, default=None)


class RatingRow(Base):
    """An account's rating in one ladder; a bot has one in each of its versions."""

    __tablename__ = "rating"

    ladder: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[int] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    version: Mapped[str] = mapped_column(String(NAME_WIDTH), primary_key=True, default="")
    mean: Mapped[float] = mapped_column(Float)
    deviation: Mapped[float] = mapped_column(Float)
    tournaments: Mapped[int]
    rated_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class RatingPairRow(Base):
    """How often two owners have met in rated tournaments of a ladder; one twice is all of its own.

    An owner is the person whose bot plays, or who plays itself. Players of the house have none.
    """

    __tablename__ = "rating_pair"
    __table_args__ = (Index("ix_rating_pair_other", "other_id"),)

    ladder: Mapped[str] = mapped_column(String(32), primary_key=True)
    one_id: Mapped[int] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    other_id: Mapped[int] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    met: Mapped[float] = mapped_column(Float, default=0.0)
    """Meetings as the ladder's rule counts them, faded until `met_at`."""
    met_at: Mapped[datetime] = mapped_column(UtcMoment)
    tournaments: Mapped[int] = mapped_column(default=0)
    """Number of tournaments in which both have played."""
    ahead: Mapped[int] = mapped_column(default=0)
    """Those in which ``one`` finished ahead of the other."""
    behind: Mapped[int] = mapped_column(default=0)
    """Those in which ``one`` finished behind the other."""
    established: Mapped[bool] = mapped_column(default=False)
    """Of one twice: whether it has met enough others not to be a newcomer."""


class RingSessionRow(Base):
    """A player's session at a ring table, from the first buy-in to standing up."""

    __tablename__ = "ring_session"
    __table_args__ = (Index("ix_ring_session_account", "account_id"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The identifier that its journal has."""
    game: Mapped[str] = mapped_column(String(32))
    """Name of the ring game, and so of its stakes."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="SET NULL"), default=None
    )
    """None where the account has been deleted since."""
    name: Mapped[str] = mapped_column(String(NAME_WIDTH))
    version: Mapped[str] = mapped_column(String(NAME_WIDTH), default="")
    started_at: Mapped[datetime] = mapped_column(UtcMoment)
    finished_at: Mapped[datetime] = mapped_column(UtcMoment)
    hands: Mapped[int]
    won: Mapped[int] = mapped_column(BigInteger)
    """Chips, net of all buy-ins."""
    rake: Mapped[int] = mapped_column(BigInteger)
    """Chips of rake taken from pots that the player won."""
    big_blind: Mapped[int] = mapped_column(BigInteger)
    service: Mapped[str] = mapped_column(Text, default="{}")
    """A JSON object: latencies, actions that came too late, actions that were refused."""


class SharedNightRow(Base):
    """The page of a night among friends, for whoever has its link."""

    __tablename__ = "shared_night"
    __table_args__ = (
        Index("ix_shared_night_owner", "owner"),
        Index("ix_shared_night_account", "account_id"),
    )

    link: Mapped[str] = mapped_column(String(43), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    """As in `PuzzleRow`."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), default=None
    )
    title: Mapped[str] = mapped_column(String(300))
    page: Mapped[bytes] = mapped_column(LargeBinary)
    """HTML, compressed by zlib."""
    size: Mapped[int] = mapped_column()
    """Bytes of that."""
    made_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)
