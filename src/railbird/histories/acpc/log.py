"""Match logs of the Annual Computer Poker Competition, as written by its dealer since 2010.

A log has comments, one of which names the game, a line for each hand, and the sums at the end::

    # name/game/hands/seed limit2p holdem.limit.2p.reverse_blinds.game 1000 42
    STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob
    SCORE:-620|620:Alice|Bob

Everything is by seat, and names move from seat to seat. Some logs have a comment after a hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from railbird._arguments import checked
from railbird.cards import CARD_OF_TEXT, TEXT_OF_CARD, Card
from railbird.errors import BadInput
from railbird.game import Action, Betting, Call, Fold, Raise, Rules, Street, acpc_rules, acpc_text
from railbird.histories.acpc.gamedef import game_spec, resolve_game
from railbird.histories.betting import BettingReplay, course_of
from railbird.histories.format import (
    ReadOptions,
    WriteOptions,
    attempt,
    check_name,
    check_text,
    hand_or_skipped,
)
from railbird.histories.record import (
    BadHand,
    HandRecord,
    RefusedHand,
    Skipped,
    SkipReason,
    Source,
    UnnamedGame,
    not_representable,
    renamed,
)
from railbird.histories.refused_lines import read_refused_line
from railbird.histories.stake_names import stake_of
from railbird.histories.text_values import (
    TEXT_OF_HOLE,
    Amounts,
    Hole,
    format_amount,
    format_amounts,
    parse_amounts,
    read_cards,
    read_hole,
)
from railbird.histories.verify import BettingOutcome, Board, Holes, confirm, ending_of
from railbird.units import Chips

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


# Betting in the ACPC's notation: ``crrc/rc/cc/crf``, in no-limit ``r300c/cr900f``.
#
# A check is written as a call and a bet as a raise; in no-limit the number after ``r`` is the
# seat's total for the whole hand. Each street that was dealt has a slash, even if nobody could act
# any more.


_LIMIT: Final = re.compile(r"[fcr/]*")
_SIZED: Final = re.compile(r"(?:[fc/]|r[0-9]{1,15})*")
_TOKEN: Final = re.compile(r"[fc/]|r[0-9]+")
_KEPT: Final = 1 << 14
_FOLD: Final = Fold()
_CALL: Final = Call()


def read_actions(rules: Rules, text: str) -> tuple[Action, ...]:
    """Parse a betting text without checking legality, which is left to a replay.

    Raises `BadHand`.
    """
    limit = rules.betting is Betting.LIMIT
    pattern, other = (_LIMIT, _SIZED) if limit else (_SIZED, _LIMIT)
    if pattern.fullmatch(text) is None:
        if other.fullmatch(text):
            raise BadHand(
                SkipReason.ANOTHER_GAME, f"betting {text!r} in a {rules.betting.value} game"
            )
        raise BadHand(SkipReason.UNREADABLE, f"betting {text!r}; allowed: f, c, r and /")
    if not limit:
        return _sized_actions(rules, text)
    return _limit_actions(rules, text) if rules.stacks is None else _short_actions(rules, text)


@lru_cache(_KEPT)
def betting_text(rules: Rules, actions: tuple[Action, ...]) -> str:
    """Write a hand's betting; `read_actions` reads it back. Raises `BadHand`."""
    course = course_of(rules, actions)
    sized = rules.betting is not Betting.LIMIT
    pieces: list[str] = []
    street = Street.PREFLOP
    for move in course.moves:
        pieces.append("/" * (move.street - street))
        street = move.street
        pieces.append(acpc_text(move.action, move.before if sized else None))
    pieces.append("/" * (course.street - street))
    return "".join(pieces)


def _limit_actions(rules: Rules, text: str) -> tuple[Action, ...]:
    actions: list[Action] = []
    street = Street.PREFLOP
    bet: int = max(rules.blinds)
    for character in text:
        match character:
            case "f":
                actions.append(_FOLD)
            case "c":
                actions.append(_CALL)
            case "r":
                bet += rules.bet_sizes[street]
                actions.append(Raise(Chips(bet)))
            case _:
                street = Street(min(street + 1, Street.RIVER))
                bet = 0
    return tuple(actions)


def _sized_actions(rules: Rules, text: str) -> tuple[Action, ...]:
    actions: list[Action] = []
    earlier_total = 0  # what everyone who can still raise has put in on earlier streets
    total: int = max(rules.blinds)
    for token in _TOKEN.findall(text):
        match token:
            case "f":
                actions.append(_FOLD)
            case "c":
                actions.append(_CALL)
            case "/":
                earlier_total = total
            case _:
                total = int(token[1:])
                actions.append(Raise(Chips(total - earlier_total)))
    return tuple(actions)


def _short_actions(rules: Rules, text: str) -> tuple[Action, ...]:
    """Read limit betting in which a raise may be the rest of a stack."""
    walk = BettingReplay(rules)
    for character in text:
        match character:
            case "f":
                walk.act(_FOLD)
            case "c":
                walk.act(_CALL)
            case "r":
                walk.act(walk.fixed_raise())
            case _:
                walk.deal()
    return walk.actions


# The lines of a log.


_HEADER: Final = re.compile(r"\s*#\s*name/game/hands/seed\s+\S+\s+(\S+)")
_FIELDS: Final = 6
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_BOARD: Final = re.compile(r"(?:(..)(..)(..)(?:/(..)(?:/(..))?)?)?")


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read a match log, or several one after the other.

    Raises `railbird.errors.BadInput` if the log has hands but neither it nor ``options`` names
    their game.
    """
    reader = LogReader(options)
    for number, line in enumerate(lines, 1):
        record = attempt(line, reader.take, line, number)
        if isinstance(record, BadHand):
            yield hand_or_skipped(record, number, refused=partial(reader.refused, line))
        elif record is not None:
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

    def take(self, line: str, number: int) -> HandRecord | Skipped | None:
        """Take the next line; return the hand if it is one, or tells of one. Raises `BadHand`."""
        line = line.lstrip()
        try:
            if line.startswith("STATE:"):
                return self.hand(line, number)
            if line.startswith("#"):
                self.comment(line)
                return read_refused_line(line, number)
            if line.startswith("SCORE:"):
                self.score(line)
            elif line:
                raise BadHand(SkipReason.UNREADABLE, f"no line of a log: {line.strip()[:60]!r}")
        except Exception:
            self.sums.complete = False
            raise
        return None

    def _play(self, rules: Rules | None) -> None:
        self.rules = rules
        """Rules of the current game; None until the log or the options name it."""
        self._endings: dict[str, BettingOutcome] = {}

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

    def _ending(self, rules: Rules, betting: str, holes: Holes, board: Board) -> BettingOutcome:
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

    def refused(self, line: str) -> RefusedHand:
        """Return what the line of a hand that is refused says of it. Raises `BadHand`."""
        fields = line.strip().split(":", _FIELDS - 1)
        if self.rules is None or fields[0] != "STATE" or len(fields) < _FIELDS:
            return RefusedHand()
        players, _ = self.players_of(fields[5])
        payoffs = parse_amounts(fields[4]).exact
        unit = self.rules.chips_per_unit
        won = {name: float(chips / unit) for name, chips in zip(players, payoffs, strict=True)}
        return RefusedHand(
            won={} if sum(payoffs) > 0 else {name: bb for name, bb in won.items() if bb},
            stake=stake_of(self.rules, Fraction(1), ""),
            number=fields[1],
        )

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
        return UnnamedGame(
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


def players_in(line: str) -> Sequence[str]:
    """Find the players in the line of a hand, without reading it."""
    if not line.lstrip().startswith("STATE:"):
        return ()
    return line.partition(" # ")[0].rpartition(":")[2].strip().split("|")


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines is a hand or the head of a match log."""
    return any(line.lstrip().startswith("STATE:") or _HEADER.match(line) for line in lines)


# Writer of match logs in the form of the ACPC's dealer; see `railbird.histories.acpc.log`.


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write a match log with the sums at its end.

    The head names the game, with changes to it where no standard name suffices (see
    `railbird.histories.acpc.gamedef.game_spec`). Where the rules change, another log begins.
    """
    if len(options.match.split()) != 1:
        raise BadInput(f"match {options.match!r}; allowed: a name without blanks")
    rules: Rules | None = None
    totals: dict[str, Fraction] = {}
    for count, record in enumerate(records):
        try:
            line = state_line(record, count if record.number is None else record.number)
            game = game_spec(record.rules)
        except BadInput as error:
            yield not_representable(record, error)
            continue
        if record.rules != rules:
            yield from _score(totals)
            yield _head(game, options, first=rules is None)
            rules = record.rules
        for player, payoff in zip(record.players, record.payoffs, strict=True):
            totals[player] = totals.get(player, Fraction(0)) + payoff
        yield line
    yield from _score(totals)


def _head(game: str, options: WriteOptions, *, first: bool) -> str:
    hands = "-" if options.hands is None else options.hands
    seed = "-" if options.seed is None else options.seed
    head = f"# name/game/hands/seed {options.match} {game} {hands} {seed}\n"
    return head + "".join(f"#{note}\n" for note in options.notes if first)


def _score(totals: dict[str, Fraction]) -> Iterator[str]:
    """Yield the line of sums, if there are any, and reset them."""
    if totals:
        yield f"SCORE:{format_amounts(tuple(totals.values()))}:{'|'.join(totals)}\n"
        totals.clear()


@checked
def state_line(record: HandRecord, number: int) -> str:
    """Write a hand as one STATE line.

    Raises `railbird.errors.BadInput` for names that would not read back, and for a hand that the
    ACPC's dealer would have played or settled otherwise.
    """
    rules = acpc_rules(record.rules)
    betting = betting_text(rules, record.actions)
    confirm(record, rules)
    for name in record.players:
        check_name(name, "|", " #")
    check_text(record.comment, "a comment")
    holes = [
        "" if hole is None else TEXT_OF_HOLE[Hole(hole, record.low_first >> seat & 1)]
        for seat, hole in enumerate(record.holes)
    ]
    board = "".join([TEXT_OF_CARD[card] for card in record.board])
    streets = [board[:6], board[6:8], board[8:]]
    cards = "/".join(["|".join(holes), *filter(None, streets)])
    comment = f" # {record.comment}" if record.comment else ""
    return (
        f"STATE:{number}:{betting}:{cards}:{format_amounts(record.payoffs)}"
        f":{'|'.join(record.players)}{comment}\n"
    )
