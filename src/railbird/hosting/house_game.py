"""The house players of one game, away from its table: they follow the game's journal.

A table never waits for a house player, and no house player's computation may delay other players'
clocks. So they live in processes of their own (`railbird.hosting.house_workers`), which receive
hardly anything: the journal's file and its length by now. The journal gives them the whole game,
since its state is the fold of the journal. A process that has died is replaced by one that reads
the journal from the beginning, as after a restart of the server. The players have then seen all
that they had seen before, without deciding anew. Their random numbers follow from the game's seed,
their number and the length of the journal when they were made, so the same game leads to the same
decisions.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from fractions import Fraction
from hashlib import sha256
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from msgspec.structs import replace

from railbird import _jit
from railbird.cards import Card, cards_of, format_cards
from railbird.errors import BadInput
from railbird.game import (
    Act,
    Action,
    DealBoard,
    DealStreet,
    Discard,
    Event,
    HandState,
    Muck,
    Raise,
    Rules,
    Show,
    ShowCards,
    name_of,
    view,
)
from railbird.histories import HandRecord
from railbird.histories.format import WriteOptions
from railbird.histories.phh import write as write_phh
from railbird.histories.record import Skipped
from railbird.histories.variant_hands import cards_in_record
from railbird.hosting.house_seats import HouseSeat, shown_name
from railbird.hosting.journal import (
    Annulled,
    AnyRecord,
    CardsShown,
    Closed,
    Entrant,
    Joined,
    JournalTail,
    Opened,
    Placed,
    Present,
    Reseeded,
    SharedSeed,
    StoodUp,
    Took,
    WantsRuns,
    record_line,
)
from railbird.hosting.ladder import EVERYWHERE
from railbird.hosting.play import HostedPlay, NobodyListens
from railbird.hosting.ring_play import RingPlay
from railbird.hosting.settings import HOUSE_NICE
from railbird.hosting.tournament_play import TournamentPlay
from railbird.protocol.identity import account_name
from railbird.protocol.redaction import (
    HandEnd,
    HandStart,
    HandStep,
    ShownByChoice,
    TableEvent,
    texts,
)
from railbird.units import Seat

# The proceedings of a game from its journal: hands for any format, and a log for readers.
#
# While a game is played, its proceedings end at the last finished hand and lack every card that was
# not shown; once it is over, everything is open.


def play_of(opened: Opened) -> TournamentPlay | RingPlay:
    """Return a game as its journal's first record has it."""
    return TournamentPlay(opened) if opened.kind == "tournament" else RingPlay(opened)


def is_over(records: Sequence[AnyRecord]) -> bool:
    """Return whether a journal's game is over, so that its cards and its seed are open."""
    return any(isinstance(record, Closed) for record in records[-2:])


def hand_records(
    records: Sequence[AnyRecord], *, own: Collection[str] = ()
) -> Iterator[HandRecord]:
    """Yield the finished hands of a journal in the order in which they ended.

    While the game is played, cards that were not shown are None, but for those of the players
    ``own``. Players have the names of their accounts, so that whoever adds up hands takes nobody's
    seat at a further table for somebody else. Raises `DamagedFile`.
    """
    play, listening = _listen(records)
    over = is_over(records)
    own = set(map(account_name, own))
    by_choice = {
        (record.table, record.hand, record.player)
        for record in records
        if isinstance(record, CardsShown)
    }
    for record in records[1:]:
        listening.at = record.at
        play.read([record])
        for end, acts, began in listening.taken():
            moment = end.moment
            state = moment.state
            names = {
                play.players[player].entrant.name
                for table, hand, player in by_choice
                if (play.table_name(table), hand) == (moment.table, moment.hand)
            }
            known_seats = {
                seat
                for seat, holder in enumerate(moment.holders)
                if over or account_name(holder.name) in own
            }
            open_seats = known_seats | {
                seat
                for seat, holder in enumerate(moment.holders)
                if seat in state.shown or holder.name in names
            }
            yield HandRecord(
                rules=state.rules,
                players=tuple(account_name(holder.name) for holder in moment.holders),
                **cards_in_record(
                    state,
                    open_seats,
                    end.second_board,
                    held=moment.cards_known(),
                    dealt=moment.cards_dealt(),
                    acts=acts,
                    with_discards=known_seats,
                ),
                payoffs=tuple(
                    Fraction(after - had)
                    for after, had in zip(end.stacks, state.rules.stacks or (), strict=True)
                ),
                number=moment.hand,
                table=moment.table,
                played_at=datetime.fromtimestamp(began / 1000, UTC),
                tournament=isinstance(play, TournamentPlay),
                shown_by_choice=tuple(
                    None if seat in state.shown else holder.name in names
                    for seat, holder in enumerate(moment.holders)
                ),
            )


def phh(records: Sequence[AnyRecord]) -> Iterator[str]:
    """Yield the proceedings as PHH. Raises `DamagedFile`."""
    for text in write_phh(hand_records(records), WriteOptions()):
        if isinstance(text, Skipped):
            raise BadInput(f"{text.reason.value}: {text.detail}")
        yield text


def log(records: Sequence[AnyRecord]) -> Iterator[str]:
    """Yield the proceedings as lines for readers. Raises `DamagedFile`."""
    play, listening = _listen(records)
    over = is_over(records)
    yield from _head(play, records[0], over)
    waiting: dict[str, list[str]] = {}
    for record in records[1:]:
        listening.news.clear()
        took = record.ms if isinstance(record, Took) and record.by != "absence" else None
        play.read([record])
        for event in listening.news:
            lines = list(_event_lines(event, over, took))
            table = event.moment.table
            if isinstance(event, ShownByChoice):
                yield from lines
            elif isinstance(event, HandStart):
                waiting[table] = [f"{_clock(record.at)}", *lines]
            else:
                waiting[table] += lines
            if isinstance(event, HandEnd):
                yield from waiting.pop(table)  # no line of a hand before its end
        if isinstance(record, Annulled):
            waiting.pop(play.table_name(record.table), None)
        if isinstance(record, Reseeded | Closed) and play.revealed:
            last = play.revealed[-1]
            yield f"seed of hands {last.first_hand} to {last.last_hand}: {last.seed}"
            if last.next_commitment is not None:
                yield f"commitment {last.next_commitment}"
        yield from _record_lines(play, record)


def published(records: Sequence[AnyRecord]) -> Iterator[str]:
    """Yield the public lines of a journal.

    Specs of house players are without databases and folders, as in `shown_name`; all else, and with
    it every card, is as it was written.
    """
    for record in records:
        match record:
            case Opened():
                entrants = tuple(map(_published, record.entrants))
                settings = _shown_settings(record.settings)
                public = replace(record, entrants=entrants, settings=settings)
                yield record_line(public).decode()
            case Joined():
                entrant = _published(record.entrant)
                yield record_line(replace(record, entrant=entrant)).decode()
            case _:
                yield record_line(record).decode()


def _published(entrant: Entrant) -> Entrant:
    return replace(entrant, spec=shown_name(entrant.spec) if entrant.spec else "")


def _shown_settings(settings: str) -> str:
    """Return a format's JSON text with the names of its house players instead of their specs."""
    form = json.loads(settings)
    if form.get("house"):
        form["house"] = [shown_name(spec) for spec in form["house"]]
        return json.dumps(form, separators=(",", ":"))
    return settings


class _Listening(NobodyListens):
    """Collects hands while a journal is read."""

    def __init__(self) -> None:
        self.news: list[HandStart | HandStep | HandEnd | ShownByChoice] = []
        self._began: dict[str, int] = {}
        self._acts: dict[str, list[Act]] = {}
        self._done: list[tuple[HandEnd, tuple[Act, ...], int]] = []
        self.at = 0

    def tell(self, table: int, event: TableEvent) -> None:
        """Keep what happens in hands."""
        match event:
            case HandStart(moment):
                self._began[moment.table], self._acts[moment.table] = self.at, []
            case HandStep(moment=moment, event=Act() as act):
                self._acts[moment.table].append(act)
            case HandEnd(moment):
                acts = tuple(self._acts.pop(moment.table))
                self._done.append((event, acts, self._began.pop(moment.table)))
            case _:
                pass
        if isinstance(event, HandStart | HandStep | HandEnd | ShownByChoice):
            self.news.append(event)

    def taken(self) -> list[tuple[HandEnd, tuple[Act, ...], int]]:
        """Return the ends of hands since the last call, with the actions and the beginning."""
        done, self._done = self._done, []
        return done


class _Nowhere:
    """Keeps no record: nothing is decided while a journal is read."""

    def write(self, record: AnyRecord) -> None:
        """Refuse to write, since nothing may be decided here."""
        raise AssertionError(f"{record} while a journal is read")


def _listen(records: Sequence[AnyRecord]) -> tuple[TournamentPlay | RingPlay, _Listening]:
    if not records or not isinstance(records[0], Opened):
        raise BadInput("no journal: its first line is not that of a game")
    play, listening = play_of(records[0]), _Listening()
    play.attach(_Nowhere(), listening)
    return play, listening


def _head(play: HostedPlay, opened: AnyRecord, over: bool) -> Iterator[str]:
    assert isinstance(opened, Opened)
    yield f"{opened.kind} {opened.id}, {_clock(opened.at)}"
    yield f"settings {_shown_settings(opened.settings)}"
    yield f"commitment {opened.commitment}"
    if over and opened.kind == "tournament":
        yield f"seed {opened.seed}"
    for entrant in opened.entrants:
        version = f" {entrant.version}" if entrant.version else ""
        yield f"enters: {entrant.name} ({entrant.kind.value}{version})"
    yield ""


def _wish(record: Present | WantsRuns) -> str:
    if isinstance(record, Present):
        return f"is {record.presence.replace('_', ' ')}"
    return f"would run all-ins {'twice' if record.wants else 'once'}"


def _record_lines(play: HostedPlay, record: AnyRecord) -> Iterator[str]:
    def name(player: int) -> str:
        return play.players[player].entrant.name

    match record:
        case Placed(places=places):
            for player, place in places:
                yield f"place {place}: {name(player)}"
            yield ""
        case Present() | WantsRuns():
            yield f"{name(record.player)} {_wish(record)}"
        case Joined(player=player, chair=chair, chips=chips):
            yield f"{name(player)} takes chair {chair} with {chips}"
        case SharedSeed(player=player, share=share):
            yield f"{name(player)} gives the share {share}"
        case StoodUp(player=player):
            yield f"{name(player)} stands up"
        case Annulled(hand=hand, why=why):
            yield f"hand {hand} is void: {why}"
        case Closed(void=void, why=why):
            yield f"void: {why}" if void else "over"
        case _:
            pass


def _event_lines(
    event: HandStart | HandStep | HandEnd | ShownByChoice, over: bool, took: int | None
) -> Iterator[str]:
    moment = event.moment
    names = [holder.name for holder in moment.holders]
    state = moment.state
    match event:
        case HandStart():
            rules = state.rules
            owed = _is_owed(rules)
            ante = f", ante {max(rules.antes)}" if rules.antes and not owed else ""
            yield f"hand {moment.hand} at {moment.table}, {_blinds(state)}{ante}"
            for seat, name in enumerate(names):
                stack = (rules.stacks or ())[seat]
                known = state.cards[seat] if over else state.up_cards[seat]
                cards = f", {_cards(known)}" if known or over else ""
                dead = f", posts {rules.antes[seat]} dead" if owed and rules.antes[seat] else ""
                yield f"  seat {seat}: {name} with {stack}{dead}{cards}"
        case HandStep(event=happened, before=before):
            seconds = "" if took is None or not isinstance(happened, Act) else f" ({took} ms)"
            by = "" if event.by == "player" else f" [{event.by}]"
            yield f"  {_words(happened, before, state, names, over=over)}{by}{seconds}"
        case ShownByChoice(seat=seat, cards=cards):
            yield f"{names[seat]} shows {_cards(cards)} of hand {moment.hand}"
        case HandEnd(stacks=stacks, second_board=again):
            if again:
                yield f"  second run: {' '.join(texts(again))}"
            for name, stack, had in zip(names, stacks, state.rules.stacks or (), strict=True):
                yield f"  {name} has {stack} ({stack - had:+d})"
            if state.raked:
                yield f"  rake {state.raked}"
            yield ""


def _blinds(state: HandState) -> str:
    rules = state.rules
    if rules.bring_in:
        return f"bring-in {rules.bring_in}, bets of {rules.bet_sizes[0]}"
    return "blinds " + "/".join(map(str, sorted({post for post in rules.blinds if post})))


def _is_owed(rules: Rules) -> bool:
    """Return whether antes are small blinds that were missed: neither everybody's nor a big one."""
    return any(rules.antes) and min(rules.antes) < max(rules.antes) < rules.big_blind


def _act_words(
    event: Act, state_before: HandState, after: HandState, names: Sequence[str], *, over: bool
) -> str:
    seat, action = event.seat, event.action
    if isinstance(action, Discard):
        known = [card for card in action.cards if card is not None] if over else []
        has_to = state_before.rules.variant.discards > 0
        verb, before = ("throws away", ":") if has_to else ("draws", " for")
        what = f"{verb} {len(action.cards)}" if action.cards else "stands pat"
        return f"{names[seat]} {what}{f'{before} {_cards(known)}' if known else ''}"
    past = name_of(action, to_call=state_before.to_call, bet=state_before.bet).past
    if state_before.must_bring_in and not isinstance(action, Raise):
        past = f"brought it in for {after.street_bets[seat]}"
    elif state_before.completes and isinstance(action, Raise):
        past = "completed"
    to = f" to {after.street_bets[seat]}" if isinstance(action, Raise) else ""
    all_in = " all-in" if (after.stacks or (1,) * 23)[seat] == 0 else ""
    return f"{names[seat]} {past}{to}{all_in}"


def _deal_words(event: DealStreet, after: HandState, names: Sequence[str], *, over: bool) -> str:
    draws = after.rules.variant.draws
    visible = [own or () for own in event.down] if draws and over else event.up
    to_seats = (f"{names[seat]} {' '.join(texts(own))}" for seat, own in enumerate(visible) if own)
    cards_of_boards = (" ".join(texts(board)) for board in event.boards)
    dealt = f"{', '.join(to_seats)}{' | '.join(cards_of_boards)}"
    words = dealt or ("" if draws else "a card down")
    return f"{after.street_name}: {words}" if words else after.street_name


def _words(
    event: Event, state_before: HandState, after: HandState, names: Sequence[str], *, over: bool
) -> str:
    match event:
        case Act():
            return _act_words(event, state_before, after, names, over=over)
        case DealBoard(cards):
            return f"{after.street_name}: {' '.join(texts(cards))}"
        case DealStreet():
            return _deal_words(event, after, names, over=over)
        case Show(seat, holding):
            return f"{names[seat]} shows {_cards(cards_of(holding))}"
        case ShowCards(seat, cards):
            return f"{names[seat]} shows {_cards(cards)}"
        case Muck(seat):
            return f"{names[seat]} mucks"
        case _:
            return "deal"


def _cards(cards: Sequence[Card]) -> str:
    """Write a seat's cards, the highest first."""
    return format_cards(sorted(cards, reverse=True)) if cards else "—"


def _clock(unix_ms: int) -> str:
    return f"{datetime.fromtimestamp(unix_ms / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


class HouseGame(NobodyListens):
    """A game as its house players see it."""

    def __init__(self, journal: Path) -> None:
        self._tail = JournalTail(journal)
        self._play: HostedPlay | None = None
        self._seats: dict[int, HouseSeat] = {}
        self._numbers: dict[str, int] = {}
        self._records_before = 0
        """Records that the journal had already when the players were made."""

    def follow(self, size: int) -> None:
        """Show the players the events of the journal's first ``size`` bytes."""
        records = self._tail.read(size)
        # Set once: the seed of the players depends on where the journal stood when they were made,
        # and a later call must not change it.
        self._records_before = self._records_before or len(records)
        for record in records:
            self._apply(record)

    def decide(self, player: int, turn: str) -> tuple[Action | None, str]:
        """Return a player's action in a turn, and its reasons; None if there is none."""
        hands = self._play.hands.values() if self._play is not None else ()
        for hand in hands:
            if hand.turn_id == turn and hand.to_act == player:
                seat = hand.moment.state.actor
                assert seat is not None
                return self._seats[player].act(view(hand.moment.state, seat))
        return None, ""

    def close(self) -> None:
        """Let the players end."""
        for seat in self._seats.values():
            seat.close()
        self._tail.close()

    def _apply(self, record: AnyRecord) -> None:
        if self._play is not None:
            self._play.apply(record)
        else:
            assert isinstance(record, Opened)
            self._play = play_of(record)
            self._play.attach(None, self)

    # What the game tells.

    def seated(self, player: int, table: int) -> None:
        """Seat a house player."""
        assert self._play is not None
        entrant = self._play.players[player].entrant
        if entrant.spec and player not in self._seats:
            opened = self._play.opened
            # A ring table reveals its seeds while it is played, so its house players draw from one
            # of their own; elsewhere the seed of the cards is secret until the end.
            secret = opened.house_seed or opened.seed
            origin = f"house player {secret} {player} {self._records_before}"
            seed = int.from_bytes(sha256(origin.encode()).digest(), "big")
            self._seats[player] = HouseSeat(entrant.spec, seed)
            self._numbers[entrant.name] = player

    def left(self, player: int, table: int, reason: str) -> None:
        """Let a house player end."""
        # A player that moves to another table of its tournament goes on with all that it has
        # learned.
        if reason != "moved" and (seat := self._seats.pop(player, None)) is not None:
            seat.close()

    def tell(self, table: int, event: TableEvent) -> None:
        """Let the house players of a hand see what happened."""
        if isinstance(event, HandStart | HandStep | HandEnd | ShownByChoice):
            for place, holder in enumerate(event.moment.holders):
                seat = self._seats.get(self._numbers.get(holder.name, -1))
                if seat is not None:
                    seat.happened(event, Seat(place))


_games: dict[Path, HouseGame] = {}
"""The games of this process."""


_watching = ExitStack()


class _Compiles:
    """Writes down when code was last compiled, where the server reads it."""

    def __init__(self, compiled_at: Synchronized[float]) -> None:
        self._at = compiled_at

    def begins(self, room: str, kernel: str) -> None:
        """Note that a kernel is being compiled."""
        self._at.value = time.monotonic()

    def ends(self) -> None:
        """Note that the kernel is there."""
        self._at.value = time.monotonic()


def prepare_process(compiled_at: Synchronized[float]) -> None:
    """Begin a process of house players, given the variable for the time of its last compiling."""
    _watching.enter_context(_jit.watched(_Compiles(compiled_at)))
    _unhurried.append(HOUSE_NICE)


_unhurried: list[int] = []
"""How much this process is to give way from its first game on; empty once it does, and where house
players share the server's process."""


def _give_way() -> None:
    while _unhurried and hasattr(os, "nice"):
        os.nice(_unhurried.pop())


def load_players(_: Path) -> None:
    """Make named opponents once, so that their code and tables are loaded before a game.

    Somebody is about to wait for it, so it gives way to nothing. Not those that play a solution:
    where it is missing, to make them is to solve it, for minutes.
    """
    for opponent in EVERYWHERE:
        HouseSeat(opponent.spec, seed=0).load()


def follow_game(journal: Path, size: int) -> HouseGame:
    """Let the house players of a game see what has happened."""
    _give_way()
    game = _games.get(journal)
    if game is None:
        game = _games[journal] = HouseGame(journal)
    game.follow(size)
    return game


def see(journal: Path, size: int) -> None:
    """Do the same, for a caller in another process."""
    follow_game(journal, size)


def decide_turn(journal: Path, size: int, player: int, turn: str) -> tuple[Action | None, str]:
    """Return a house player's action in a turn, and its reasons; None if there is none."""
    return follow_game(journal, size).decide(player, turn)


def forget_game(journal: Path) -> None:
    """Let the house players of a game end."""
    game = _games.pop(journal, None)
    if game is not None:
        game.close()
