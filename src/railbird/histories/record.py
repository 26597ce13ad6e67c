"""Record of one hand, common to all formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from fractions import Fraction
from typing import Final, NamedTuple

from railbird._terminal_safe import visible
from railbird.cards import Card, Holding
from railbird.errors import BadInput
from railbird.game.actions import Action
from railbird.game.rules import Rules

LONGEST_DETAIL: Final = 200
"""Maximum characters of a detail of something skipped; logs have lines of any length."""


class Source(NamedTuple):
    """Place where a hand was read."""

    file: str
    """Path as given, "-" for standard input, "" for text in memory."""
    line: int
    """First line of the hand, counted from 1."""
    site: str = ""
    """Who dealt the hand, such as PokerStars; empty where the text does not say."""
    capped: bool = False
    """Whether stacks are shorter in the record than in the text, which caps what can be lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """A finished hand. Readers make only verified ones: legal, and leading to these payoffs.

    Tuples "by seat" follow `railbird.units.Seat`. Records are equal if the same people played the
    same hand, wherever it was read and in whichever order a seat's two cards were written.
    """

    rules: Rules
    players: tuple[str, ...]
    """Names by seat."""
    holes: tuple[Holding | None, ...]
    """Holdings by seat; None where the log does not show the cards, and in other games."""
    board: tuple[Card, ...]
    """Cards in the order of dealing: 0, 3, 4 or 5."""
    actions: tuple[Action, ...]
    """Actions without the posts, which the rules state."""
    payoffs: tuple[Fraction, ...]
    """Chips won (lost, if negative) by seat, after rake; exact fractions where a pot was split.

    They are those of the play: money of the house beside the pots stands in ``house``.
    """
    number: int | None = None
    """The log's own number of the hand."""
    number_text: str = ""
    """That number where it has letters, or more digits than 64 bits hold; then ``number`` is None.
    """
    table: str = ""
    played_at: datetime | None = None
    """Time of the hand, without a zone where the log's is unknown."""
    comment: str = ""
    """Comment of the log on the hand, without the comment sign."""
    denomination: Fraction = Fraction(1)
    """Money per chip: 1/100 where the log counts dollars and chips are cents."""
    currency: str = ""
    """Sign of the money, such as ``$``; empty for chips that are not money."""
    tournament: bool = field(default=False, compare=False)
    """True if the log says that the hand is of a tournament, whose chips are nobody's money."""
    play_money: bool = field(default=False, compare=False)
    """True if the log says that the hand is for play money, which nobody owes either."""
    more_boards: tuple[tuple[Card, ...], ...] = ()
    """The boards of the second run and of the third, each whole; empty if the board came once.

    ``board`` is that of the first run. Each pot was divided among the runs.
    """
    cards: tuple[tuple[Card | None, ...], ...] = ()
    """By seat, the cards of another game than hold'em in the order of dealing; empty in hold'em.

    None is an unknown card. Where a game has several boards, those behind the first are
    ``more_boards``.
    """
    house: tuple[Fraction, ...] = ()
    """Chips by seat that the house paid beside the pots, or took, if negative; empty if none.

    A hand was sold or insured, or the house dropped money on the table. What players paid each
    other beside the pots, such as a bounty on 7-2, stands here, too.
    """
    low_first: int = field(default=0, compare=False)
    """Mask whose bit s is set if seat s was dealt its lower card first.

    No rule depends on it; it allows writing a log back as it was read.
    """
    shown_by_choice: tuple[bool | None, ...] = field(default=(), compare=False)
    """By seat whether it showed cards that it could have thrown away; None where it had to show.

    Empty where the log does not say, as most do not.
    """
    source: Source | None = field(default=None, compare=False)

    @property
    def capped(self) -> bool:
        """Whether its stacks were longer in the log, whose game caps what can be lost."""
        return self.source is not None and self.source.capped

    @property
    def rake(self) -> Fraction:
        """Chips that left the table: what the players lost together."""
        return -sum(self.payoffs, Fraction(0))


def line_of(record: HandRecord) -> int:
    """Return the line where a hand was read; 0 if it was not read."""
    return 0 if record.source is None else record.source.line


class SkipReason(Enum):
    """Reason why something in a log is not a `HandRecord`; the values are for people."""

    CUT = "cut off"
    UNREADABLE = "unreadable"
    ANOTHER_GAME = "another game"
    WRONG_SEATS = "wrong number of seats"
    SAME_NAME = "one name in two seats"
    DUPLICATE_CARD = "duplicate card"
    ILLEGAL_ACTION = "illegal action"
    UNFINISHED = "betting not finished"
    WRONG_BOARD = "board does not fit the betting"
    WRONG_PAYOFF = "wrong payoff"
    NO_BLINDS = "neither a blind nor a decision"
    """Used in statistics only: antes put all in, so that nothing is decided nor measured in blinds.
    """
    WRONG_SCORE = "final score differs from the hands"
    """The only one that is not about a hand: the hands stand, the log's own sum is wrong."""
    NO_LOG = "file of no known format"
    """Used in folders and zip archives only, which may contain other files."""
    NO_GAME = "log that does not name its game"
    """Used in folders and zip archives only; `railbird.errors.BadInput` is raised for one log."""
    NO_REFUSED = "archive that does not tell refused hands"
    """Used of archives from before they kept them: what was refused is not known, nor its money."""
    FORFEIT = "ended by an error of protocol"
    """An illegal action, an exception or a time-out of a program, by which nobody plays worse."""
    CONTRADICTED = "contradicted by another view of the same hand"
    """Used where the hands of several logs are counted once each: the first view stands."""
    NOT_REPRESENTABLE = "cannot be written in this format"
    """Used in writing only: a hand that the format has no words for."""


_NOBODY: Final[Mapping[str, float]] = {}


class RefusedHand(NamedTuple):
    """The facts in the text of a refused hand; unknown ones are empty."""

    won: Mapping[str, float] = _NOBODY
    """By player, big blinds won."""
    played_at: datetime | None = None
    stake: str = ""
    """The stake as `railbird.histories.stake_names` names it."""
    number: str = ""
    """The log's own number of the hand."""

    @property
    def key(self) -> object:
        """A key that is equal for all views of one hand only; None without a number."""
        return (self.number, *sorted(self.won.items())) if self.number and self.won else None


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something unusable in a log; reading continues after it."""

    reason: SkipReason
    line: int
    """Line, counted from 1; 0 where nothing was read."""
    detail: str
    """Line of at most `LONGEST_DETAIL` characters: what was found, what is allowed."""
    file: str = ""
    """Name of the log among several; "" where only one is read."""
    by: str = ""
    """Player by whose error of protocol a hand was forfeited."""
    hand: RefusedHand = field(default=RefusedHand(), compare=False)
    """The facts in the text of the refused hand."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "detail", _shown(self.detail))


def _shown(detail: str) -> str:
    r"""Make one line of a detail that quotes a log; the raw bytes of a broken one drive terminals.

    >>> ascii(_shown("a\x1b[31m\n b"))
    "'a\\ufffd[31m b'"
    """
    if len(detail) <= LONGEST_DETAIL and detail.isprintable():
        return detail
    line = visible(" ".join(detail.split()), layout="")
    return line if len(line) <= LONGEST_DETAIL else f"{line[: LONGEST_DETAIL - 1]}…"


RUN_TWICE: Final = "run twice, with more than one board"
"""Detail of a hand whose rest of the board was dealt more than once, where that is not read."""


class UnnamedGame(BadInput):
    """A log's hands can only be read once somebody says what game they are of."""


class BadHand(BadInput):
    """Unusable hand, with the reason."""

    def __init__(self, reason: SkipReason, detail: str) -> None:
        self.reason = reason
        self.detail = _shown(detail)
        super().__init__(f"{reason.value}: {self.detail}" if detail else reason.value)


def not_representable(record: HandRecord, error: BadInput) -> Skipped:
    """Return a hand that a format cannot represent as skipped, with the writer's reason."""
    said = isinstance(error, BadHand) and error.reason is SkipReason.NOT_REPRESENTABLE
    detail = error.detail if said and isinstance(error, BadHand) else str(error)
    file = "" if record.source is None else record.source.file
    return Skipped(SkipReason.NOT_REPRESENTABLE, line_of(record), detail, file)


def renamed(players: tuple[str, ...], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the players under their new names. Raises `BadHand` if two then have one name."""
    if names:
        players = tuple([names.get(player, player) for player in players])
    if len(set(players)) < len(players):
        raise BadHand(SkipReason.SAME_NAME, "|".join(players))
    return players
