"""Checking the cards of a game: by its own journal, or by the messages that a client kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from railbird.cards import CARD_OF_TEXT, TEXT_OF_CARD
from railbird.errors import BadInput, DamagedFile, NothingUsable
from railbird.hosting.deck import SEED_BYTES, commitment, deal, draw_seats
from railbird.hosting.house_game import is_over, play_of
from railbird.hosting.journal import AnyRecord, Drawn, Opened, Paid, parse_record
from railbird.hosting.tournament_play import TournamentPlay
from railbird.protocol import AnyServer, parse_server
from railbird.protocol.messages import (
    BoardDealt,
    HandBegins,
    HandView,
    Result,
    Seated,
    Shown,
    Snapshot,
    Turn,
)
from railbird.tournament.schedule import first_tables


@dataclass(slots=True, kw_only=True)
class Checked:
    """What was compared with the cards that a seed deals."""

    game: str
    hands: int = 0
    cards: int = 0
    problems: list[str] = field(default_factory=list)
    """Every difference in one line; empty if all is as committed."""


def verify(lines: Iterable[bytes]) -> list[Checked]:
    """Check a journal, or a log with one message of the server in each line.

    Raises `NothingUsable` for games that are not over, for their seeds are not revealed yet, and
    for a text that is neither.
    """
    found = [line.strip() for line in lines if line.strip()]
    if not found:
        raise NothingUsable("an empty log; allowed: a journal, or messages as a client got them")
    if b'"r":"opened"' in found[0]:
        return [_by_journal(list(map(_record, found)))]
    return _by_messages([message for message in map(_message, found) if message is not None])


def _record(line: bytes) -> AnyRecord:
    try:
        return parse_record(line)
    except BadInput:
        raise NothingUsable("a line of the journal that is no record") from None


def _message(line: bytes) -> AnyServer | None:
    try:
        return parse_server(line)
    except BadInput as problem:
        raise NothingUsable(f"neither a journal nor messages of the server: {problem}") from None


def _by_journal(records: Sequence[AnyRecord]) -> Checked:
    opened = records[0]
    if not isinstance(opened, Opened) or not is_over(records):
        raise NothingUsable("this game is not over; its seed is revealed with its result")
    checked = Checked(game=opened.id)
    seed = _seed(checked, opened.seed, opened.commitment)
    play = play_of(opened)
    left = list(range(len(opened.entrants)))
    for record in records[1:]:
        if isinstance(record, Drawn) and isinstance(play, TournamentPlay):
            drawn = first_tables(draw_seats(seed, record.stage, left), play.form.table_seats)
            if tuple(drawn) != record.tables:
                checked.problems.append(f"stage {record.stage}: other seats than the seed draws")
        if isinstance(record, Paid):
            name = play.table_name(record.table)
            seats = (len(record.cards) - 5) // 2
            checked.hands += 1
            _compare(checked, seed, name, record.hand, seats, set(enumerate(record.cards)))
        try:
            play.read([record])
        except DamagedFile as problem:
            checked.problems.append(str(problem))
            break
        if isinstance(play, TournamentPlay) and play.stage:
            left = [player for player, stack in enumerate(play.stacks) if stack]
    return checked


def _by_messages(messages: Sequence[AnyServer]) -> list[Checked]:
    seen = _Seen()
    for message in messages:
        seen.take(message)
    if not seen.results:
        raise NothingUsable("no result of a tournament; the seed is revealed with it")
    return [seen.check(result) for result in seen.results.values()]


class _Seen:
    """The cards that a client was shown."""

    def __init__(self) -> None:
        self.results: dict[str, Result] = {}
        self._games: dict[str, str] = {}
        """Tournament by table."""
        self._promised: dict[str, str] = {}
        self._hands: dict[tuple[str, int], tuple[int, set[tuple[int, int]]]] = {}
        """Seats, and all places in the deal with the cards that were shown there, by table and
        hand. The place of one of a seat's two cards is negative: they come in any order."""

    def take(self, message: AnyServer) -> None:
        """Remember what a message shows."""
        match message:
            case Seated(table=info) | Snapshot(table=info):
                if info.tournament is not None:
                    self._games[info.table] = info.tournament
                    self._promised.setdefault(info.tournament, message.commitment or "")
                if isinstance(message, Snapshot) and message.hand is not None:
                    self._hand(info.table, message.hand)
            case HandBegins(table=table, hand=hand) | Turn(table=table, hand=hand):
                self._hand(table, hand)
            case BoardDealt(entry=entry, street=street):
                seats, cards = self._hands.setdefault((message.table, message.hand), (0, set()))
                first = 2 * seats + {"flop": 0, "turn": 3, "river": 4}[street]
                cards |= {(first + n, CARD_OF_TEXT[text]) for n, text in enumerate(entry.cards)}
            case Shown(entry=entry):
                _, cards = self._hands.setdefault((message.table, message.hand), (0, set()))
                cards |= _holding(entry.seat, entry.cards)
            case Result():
                self.results[message.tournament] = message
            case _:
                pass

    def _hand(self, table: str, hand: HandView) -> None:
        seats = len(hand.seats)
        _, cards = self._hands.get((table, hand.hand), (seats, set()))
        self._hands[table, hand.hand] = seats, cards
        cards |= {(2 * seats + n, CARD_OF_TEXT[text]) for n, text in enumerate(hand.board)}
        for seat, view in enumerate(hand.seats):
            cards |= _holding(seat, view.cards or [])

    def check(self, result: Result) -> Checked:
        """Compare a tournament's cards with those that its seed deals."""
        game = result.tournament
        checked = Checked(game=game)
        seed = _seed(checked, result.seed, self._promised.get(game) or result.commitment)
        for (table, number), (seats, cards) in self._hands.items():
            if seats and self._games.get(table) == game:
                checked.hands += 1
                _compare(checked, seed, table, number, seats, cards)
        return checked


def _holding(seat: int, cards: Sequence[str]) -> set[tuple[int, int]]:
    return {(-2 * seat - 1 - n, CARD_OF_TEXT[text]) for n, text in enumerate(cards)}


def _seed(checked: Checked, text: str, promised: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES or commitment(seed) != promised:
        checked.problems.append("the seed is not the one that was committed to")
    return seed


def _compare(
    checked: Checked, seed: bytes, table: str, hand: int, seats: int, cards: set[tuple[int, int]]
) -> None:
    """Compare cards by their place; a negative place is one of a seat's two in any order."""
    if not 2 <= seats <= 23:
        checked.problems.append(f"hand {hand} at {table}: {seats} seats")
        return
    dealt = deal(seed, table, hand, seats=seats).tolist()
    for place, card in sorted(cards):
        checked.cards += 1
        seat = (-place - 1) // 2
        wanted = [dealt[place]] if place >= 0 else dealt[2 * seat : 2 * seat + 2]
        if card not in wanted:
            where = f"seat {seat}" if place < 0 else f"place {place}"
            texts = " or ".join(TEXT_OF_CARD[one] for one in wanted)
            words = f"{where} has {TEXT_OF_CARD[card]}, the seed deals {texts}"
            checked.problems.append(f"hand {hand} at {table}: {words}")
            return
