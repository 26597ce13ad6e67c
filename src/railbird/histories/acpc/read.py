"""Match logs of the Annual Computer Poker Competition, as written by its dealer since 2010.

Comments, one of which names the game, a line for each hand, and the sums at the end::

    # name/game/hands/seed limit2p holdem.limit.2p.reverse_blinds.game 1000 42
    STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob
    SCORE:-620|620:Alice|Bob

Everything is by seat, and names move from seat to seat. Some logs have a comment after a hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from railbird.cards import CARD_OF_TEXT, Card
from railbird.errors import BadInput
from railbird.game import Rules
from railbird.histories.acpc.betting import read_actions
from railbird.histories.acpc.gamedef import resolve_game
from railbird.histories.amounts import Amounts, format_amount, parse_amounts
from railbird.histories.card_text import read_cards, read_hole
from railbird.histories.format import ReadOptions
from railbird.histories.record import (
    BadHand,
    HandRecord,
    Skipped,
    SkipReason,
    Source,
    renamed,
)
from railbird.histories.verify import Board, Ending, Holes, ending_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_HEADER: Final = re.compile(r"\s*#\s*name/game/hands/seed\s+\S+\s+(\S+)")
_FIELDS: Final = 6
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_BOARD: Final = re.compile(r"(?:(..)(..)(..)(?:/(..)(?:/(..))?)?)?")
_KEPT: Final = 1 << 14
"""Number of texts of a kind to remember; without a limit memory would grow with the file."""


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read a match log, or several one after the other.

    Raises `railbird.errors.BadInput` if the log has hands but neither it nor ``options`` names
    their game.
    """
    reader = LogReader(options)
    for number, line in enumerate(lines, 1):
        try:
            record = reader.take(line, number)
        except BadHand as error:
            yield Skipped(error.reason, number, error.detail)
        else:
            if record is not None:
                yield record


class LogReader:
    """State of a log while it is read."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._no_game = "the log does not name its game"
        self.known: set[str] = set()
        """Names seen in hands."""
        self.sums = _Sums()
        self.players_of = lru_cache(_KEPT)(self._read_players)
        """Function from a field of names to the players by seat and the comment after them."""
        self._play(options.rules)

    def take(self, line: str, number: int) -> HandRecord | None:
        """Take the next line; return the hand if it is one. Raises `BadHand`."""
        line = line.lstrip()
        try:
            if line.startswith("STATE:"):
                return self.hand(line, number)
            if line.startswith("#"):
                self.comment(line)
            elif line.startswith("SCORE:"):
                self.score(line)
            elif line:
                raise BadHand(SkipReason.UNREADABLE, f"no line of a log: {line.strip()[:60]!r}")
        except BadHand:
            self.sums.complete = False
            raise
        return None

    def _play(self, rules: Rules | None) -> None:
        self.rules = rules
        """Rules of the current game; None until the log or the options name it."""
        self._endings: dict[str, Ending] = {}

    def comment(self, line: str) -> None:
        """Take the game from a comment that names one, unless the user has named it."""
        header = _HEADER.match(line)
        if header is None:
            return
        self.sums = _Sums()
        if self._options.rules is not None:
            return
        try:
            self._play(resolve_game(header[1], beside=self._options.folder))
        except BadInput as error:
            self._no_game = str(error)
            self._play(None)

    def hand(self, line: str, number: int) -> HandRecord:
        """Read and verify one hand. Raises `BadHand`."""
        fields = line.rstrip().split(":", _FIELDS - 1)
        if len(fields) < _FIELDS:
            raise BadHand(SkipReason.CUT, f"{len(fields)} of {_FIELDS} fields")
        _, index, betting, cards, amounts, names = fields
        players, comment = self.players_of(names)
        if not line.endswith("\n") and not self.known.issuperset(players) and self.known:
            raise BadHand(SkipReason.CUT, f"a new name where the file ends: {names!r}")
        logged = parse_amounts(amounts)
        record = self.played(
            number=index,
            betting=betting,
            cards=cards,
            logged=logged,
            players=players,
            comment=comment,
            line=number,
        )
        self.sums.add(players, logged)
        self.known.update(players)
        return record

    def played(
        self,
        *,
        number: str,
        betting: str,
        cards: str,
        logged: Amounts | None,
        players: tuple[str, ...],
        comment: str = "",
        line: int,
    ) -> HandRecord:
        """Verify a hand of the log's game, given its fields. Raises `BadHand`."""
        rules = self.rules
        if rules is None:
            raise self._without_game()
        hole_texts, _, board_text = cards.partition("/")
        holes_read = [read_hole(text) for text in hole_texts.split("|")]
        payoff_count = rules.seats if logged is None else len(logged.exact)
        if not len(players) == len(holes_read) == payoff_count == rules.seats:
            raise BadHand(
                SkipReason.WRONG_SEATS,
                f"{len(players)} names, {len(holes_read)} holes and {payoff_count} payoffs"
                f" in a game of {rules.seats}",
            )
        holes = tuple([hole.holding for hole in holes_read])
        board = _read_board(board_text)
        ending = self._endings.get(betting) or self._ending(rules, betting, holes, board)
        return HandRecord(
            rules=rules,
            players=players,
            holes=holes,
            board=board,
            actions=ending.actions,
            payoffs=ending.settle(holes, board, logged),
            number=_read_number(number),
            comment=comment,
            low_first=sum([hole.low_first << seat for seat, hole in enumerate(holes_read)]),
            source=Source(self._options.file, line),
        )

    def _ending(self, rules: Rules, betting: str, holes: Holes, board: Board) -> Ending:
        ending = ending_of(rules, read_actions(rules, betting), holes, board)
        street = ending.state.street
        if betting.count("/") != street:
            raise BadHand(
                SkipReason.UNREADABLE,
                f"betting {betting!r}, which ends on the {street.name.lower()}",
            )
        if len(self._endings) >= _KEPT:
            self._endings.clear()
        self._endings[betting] = ending
        return ending

    def score(self, line: str) -> None:
        """Compare the log's own sums with those of its hands. Raises `BadHand`."""
        sums, self.sums = self.sums, _Sums()
        if not sums.complete:
            return  # some hands could not be read, so the sums must differ
        _, *fields = line.rstrip().split(":", 2)
        if len(fields) != 2:
            raise BadHand(SkipReason.WRONG_SCORE, f"not readable: {line.strip()[:60]!r}")
        sums.compare(self.players_of(fields[1])[0], parse_amounts(fields[0]))

    def _read_players(self, text: str) -> tuple[tuple[str, ...], str]:
        """Return names by seat, and the comment after them."""
        names, _, comment = text.partition(" # ")
        players = tuple(names.rstrip().split("|"))
        if "" in players:
            raise BadHand(SkipReason.CUT, f"a player without a name: {names!r}")
        return renamed(players, self._options.rename), comment.strip()

    def _without_game(self) -> BadInput:
        if self.known:  # an earlier part of the file could be read, so this is not the end
            return BadHand(SkipReason.ANOTHER_GAME, self._no_game)
        return BadInput(
            f"{self._options.file or 'the log'}: {self._no_game}; say it with --game FILE or NAME,"
            " such as holdem.nolimit.6p.game,stack=10000"
        )


class _Sums:
    """Sums of the payoffs of a match by player, in millionths of a chip."""

    def __init__(self) -> None:
        self._totals: dict[str, int] = {}
        self._hands = 0
        self.complete = True
        """True if every hand of the match was added."""

    def add(self, players: tuple[str, ...], amounts: Amounts) -> None:
        totals = self._totals
        for player, amount in zip(players, amounts.millionths, strict=True):
            totals[player] = totals.get(player, 0) + amount
        self._hands += 1

    def add_all(
        self,
        names: Sequence[str],
        player: npt.NDArray[np.int32],
        millionths: npt.NDArray[np.int64],
    ) -> None:
        """Add many hands, both arrays (hands, seats); ``player`` indexes ``names``."""
        for number, name in enumerate(names):
            won = int(millionths[player == number].sum())
            self._totals[name] = self._totals.get(name, 0) + won
        self._hands += len(player)

    def compare(self, players: tuple[str, ...], score: Amounts) -> None:
        """Raise `BadHand` if the score differs by more than the rounding of all hands."""
        for player, said in zip(players, score.millionths, strict=False):
            total = self._totals.get(player, 0)
            if abs(total - said) > self._hands:
                raise BadHand(
                    SkipReason.WRONG_SCORE,
                    f"the log gives {player} {format_amount(Fraction(said, 1_000_000))},"
                    f" its hands {format_amount(Fraction(total, 1_000_000))}",
                )


def _read_board(text: str) -> tuple[Card, ...]:
    match = _BOARD.fullmatch(text)
    if match is None:
        raise BadHand(SkipReason.WRONG_BOARD, f"board {text!r}; allowed: three cards, one and one")
    cards = match.groups()[: match.lastindex or 0]
    try:
        return tuple(map(CARD_OF_TEXT.__getitem__, cards))
    except KeyError:
        return read_cards("".join(cards), len(cards))


def _read_number(text: str) -> int:
    if _NUMBER.fullmatch(text) is None:
        raise BadHand(SkipReason.UNREADABLE, f"{text[:40]!r} is no hand number")
    return int(text)


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines is a hand or the head of a match log."""
    return any(line.lstrip().startswith("STATE:") or _HEADER.match(line) for line in lines)
