"""A game in play, without I/O: its state is the fold of the records of its journal.

A command decides, writes a record, applies it, and only then is anybody told. Reading a journal
applies the same records with nobody listening, so a game that was cut off stands where it stood.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from railbird.errors import BadInput, DamagedFile
from railbird.game import Action, Call, Fold, Raise, legal, refusal, view
from railbird.hosting.formats import Clocks, Freeze
from railbird.hosting.games.outlet import Outlet, Silence, Time, Writer
from railbird.hosting.games.seated import Seated
from railbird.hosting.games.table_hand import TableHand, action_of, code_of
from railbird.hosting.interfaces import Offence
from railbird.hosting.records import (
    Annulled,
    AnyRecord,
    Closed,
    Dealt,
    Opened,
    Paid,
    PauseSet,
    Present,
    Resumed,
    Took,
)
from railbird.hosting.settings import (
    MOST_LAG_SECONDS,
    REST_EVENT_SECONDS,
    REST_SECONDS,
    REST_SHOWN_SECONDS,
)
from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages.client import ActMessage, Verb
from railbird.protocol.messages.codes import ErrorCode
from railbird.protocol.messages.game import (
    Paused,
    PlayerInfo,
    Presence,
    PresenceChanged,
    TableInfo,
)
from railbird.protocol.messages.session import ErrorMessage
from railbird.protocol.redaction.events import (
    HandAnnulled,
    HandEnd,
    Public,
    Reasons,
    Reveal,
    TableMoment,
    TurnClock,
    TurnStart,
)
from railbird.units import Chips, Seat


@dataclass(slots=True)
class OpenTurn:
    """A turn that waits for its action."""

    player: int
    began: float
    """In `Time.seconds`."""
    deadline: float
    id: str = field(default="")


class Play(ABC):
    """What tournaments and ring tables share: players, hands in play, turns and clocks."""

    id: str

    def __init__(self, opened: Opened, clocks: Clocks, freeze: Freeze, when: Time) -> None:
        self.opened = opened
        self.id = opened.id
        self.seed = bytes.fromhex(opened.seed)
        self.clocks = clocks
        self.freeze = freeze
        self.when = when
        self.players: list[Seated] = []
        self.hands: dict[int, TableHand] = {}
        self.turns: dict[int, OpenTurn] = {}
        self.hands_begun: Counter[int] = Counter()
        self.closed: Closed | None = None
        self.paused = False
        self.has_more = False
        self.version = 0
        """Grows whenever `table_info` may have changed for any table."""
        self.pace = 0.0
        """Factor of the pauses between hands where people play; 0 for none."""
        self._rests_until: float | None = None
        """When the next hands may be dealt, in `Time.seconds`."""
        self.playing_ms = 0
        """Time of play, without pauses and restarts."""
        self._last_at = opened.at
        self._writer: Writer | None = None
        self._outlet: Outlet = Silence()

    # What the two kinds of games add.

    @abstractmethod
    def apply_own(self, record: AnyRecord) -> None:
        """Apply a record that only this kind of game has."""

    @abstractmethod
    def advance(self) -> None:
        """Do what needs no player: pay hands, deal the next, end the game.

        At most one hand of every table is begun; `has_more` then says whether to call it again, so
        that a game without players does not keep the others waiting.
        """

    @abstractmethod
    def rules_of(self, dealt: Dealt) -> TableHand:
        """Return a hand as dealt."""

    @abstractmethod
    def stacks_paid(self, hand: TableHand, stacks: Sequence[Chips]) -> None:
        """Take over the stacks after a hand, by seat."""

    @abstractmethod
    def players_at(self, table: int) -> tuple[int, ...]:
        """Return the players at a table."""

    @property
    @abstractmethod
    def still_in(self) -> tuple[int, ...]:
        """The players who have not left the game, whether they sit already or not."""

    @abstractmethod
    def table_info(self, table: int) -> TableInfo:
        """Return what everybody may know of a table."""

    # The fold.

    def attach(self, writer: Writer, outlet: Outlet) -> None:
        """Write records and tell news from now on."""
        self._writer, self._outlet = writer, outlet

    def read(self, records: Iterable[AnyRecord]) -> None:
        """Apply the records of a journal after its first. Raises `DamagedFile`."""
        for record in records:
            try:
                self.apply(record)
            except (BadInput, LookupError) as problem:
                words = f"{self.id}: {type(record).__name__}: {problem}"
                raise DamagedFile(f"{words}; the journal does not replay") from problem

    def commit(self, record: AnyRecord) -> None:
        """Write a record, then let it happen."""
        if self._writer is None:
            raise BadInput(f"{self.id} has no journal to write to")
        self._writer.write(record)
        self.apply(record)

    def apply(self, record: AnyRecord) -> None:
        """Let a record happen."""
        if not self.paused and not isinstance(record, Resumed):
            self.playing_ms += max(0, record.at - self._last_at)
        self._last_at = record.at
        self.version += not isinstance(record, Took)  # stacks are shown as between hands
        match record:
            case Dealt():
                self._dealt(record)
            case Took():
                self._took(record)
            case Paid():
                self._paid(record)
            case Annulled(table=table, hand=hand, why=why):
                self.hands.pop(table, None)
                self.turns.pop(table, None)
                self._outlet.tell(table, HandAnnulled(self.table_name(table), hand, why))
            case Present(player=player, presence=presence):
                self.players[player].presence = Presence(presence)
                self.show_presence(player)
            case Resumed():
                pass
            case PauseSet(paused=paused):
                self.paused = paused
                self._tell_paused()
            case Closed():
                self.closed = record
                self.hands.clear()
                self.turns.clear()
                self.apply_own(record)
                self._outlet.finished(record)
            case _:
                self.apply_own(record)

    def _dealt(self, record: Dealt) -> None:
        hand = self.rules_of(record)
        self._rests_until = None
        self.hands[record.table] = hand
        self.hands_begun[record.table] += 1
        for player in record.seats:
            self.players[player].clock.next_hand()
        for event in hand.begin():
            self._outlet.tell(record.table, event)

    def _took(self, record: Took) -> None:
        hand = self.hands[record.table]
        if (hand.number, hand.turn) != (record.hand, record.turn) or hand.to_act is None:
            raise BadInput(f"turn {record.hand}.{record.turn} after {hand.turn_id}")
        player = self.players[hand.to_act]
        if record.by != "absence":
            player.clock.charge(record.ms / 1000)
            player.lag_left = max(0.0, player.lag_left - record.lag / 1000)
            if record.by == "player":
                player.times.append(record.ms)
            else:
                player.offences[Offence.TIME_OUT] += 1
        self.turns.pop(record.table, None)
        for event in hand.act(action_of(record.action), record.by):
            self._outlet.tell(record.table, event)

    def _paid(self, record: Paid) -> None:
        hand = self.hands.pop(record.table)
        if hand.number != record.hand or hand.to_act is not None:
            raise BadInput(f"hand {record.hand} paid before its end")
        stacks = tuple(map(Chips, record.stacks))
        if stacks != hand.stacks_after():
            raise BadInput(f"hand {record.hand} paid otherwise: {stacks}")
        self.stacks_paid(hand, stacks)
        self._outlet.tell(record.table, HandEnd(hand.moment, stacks))
        if self.opened.kind == "practice":
            self._reveal(record.table, hand)

    def _reveal(self, table: int, hand: TableHand) -> None:
        name = self.table_name(table)
        holdings = tuple(h for h in hand.moment.state.holdings if h is not None)
        self._outlet.tell(table, Reveal(name, hand.number, holdings))
        for seat, action, text in hand.reasons:
            reasons = Reasons(name, hand.number, Seat(seat), action, text)
            self._outlet.tell(table, reasons)

    # Turns and clocks.

    def table_name(self, table: int) -> str:
        """Return a table's name on the wire."""
        return f"{self.id}-{table}"

    def hand_on(self) -> None:
        """Pay hands that are over; ask whoever is to act, and play for frozen seats at once."""
        for table in list(self.hands):
            self._hand_on(table)

    def _hand_on(self, table: int) -> None:
        hand = self.hands[table]
        while (number := hand.to_act) is not None and self.closed is None:
            player = self.players[number]
            if player.presence is not Presence.FROZEN:
                self._ask(table, hand, number)
                return
            self._take(table, hand, hand.default_action(self.freeze), by="absence")
        if self.closed is None:
            rest = self.rest_after(hand)
            if rest > 0:
                until = self.when.seconds() + rest
                self._rests_until = max(until, self._rests_until or until)
            self.commit(
                Paid(
                    at=self.when.unix_ms(),
                    table=table,
                    hand=hand.number,
                    stacks=tuple(hand.stacks_after()),
                    cards=tuple(hand.cards.tolist()),
                )
            )

    def rest_after(self, hand: TableHand) -> float:
        """Return the seconds that people at a table need to see how a hand ended.

        Nobody waits for those who are away or frozen.
        """
        people = (self.players[number] for number in hand.players)
        if not any(
            one.entrant.kind is PlayerKind.PERSON and one.shown_presence is Presence.HERE
            for one in people
        ):
            return 0.0
        kinds = (entry.did for entry in reversed(hand.moment.history))
        after = list(takewhile(REST_EVENT_SECONDS.__contains__, kinds))
        least = REST_SHOWN_SECONDS if "show" in after else REST_SECONDS
        return self.pace * (least + sum(map(REST_EVENT_SECONDS.__getitem__, after)))

    @property
    def is_resting(self) -> bool:
        """Whether the next hands wait until people have seen the last ones."""
        if self._rests_until is not None and self._rests_until <= self.when.seconds():
            self._rests_until = None
        return self._rests_until is not None

    def end_rest(self) -> None:
        """Deal the next hands without a pause."""
        self._rests_until = None

    def _ask(self, table: int, hand: TableHand, number: int) -> None:
        if table in self.turns or self.paused:
            return
        player, now = self.players[number], self.when.seconds()
        lag = min(player.lag_left, MOST_LAG_SECONDS)
        turn = OpenTurn(number, now, now + player.clock.allowance + lag, hand.turn_id)
        self.turns[table] = turn
        self._outlet.tell(table, TurnStart(hand.moment, self._turn_clock(turn)))
        if player.entrant.kind is PlayerKind.HOUSE:
            seat = hand.moment.state.actor
            assert seat is not None
            self._outlet.ask_house(number, view(hand.moment.state, seat), hand.turn_id)

    def _turn_clock(self, turn: OpenTurn) -> TurnClock:
        clock = self.players[turn.player].clock
        took = self.when.seconds() - turn.began
        over = max(0.0, took - clock.limit)
        ms, bank = (max(0.0, clock.limit - took), max(0.0, clock.left - over))
        return TurnClock(turn.id, round(1000 * ms), round(1000 * bank))

    def _take(
        self, table: int, hand: TableHand, action: Action, *, by: str, ms: int = 0, lag: int = 0
    ) -> None:
        record = Took.model_construct(
            at=self.when.unix_ms(),
            table=table,
            hand=hand.number,
            turn=hand.turn,
            action=code_of(action),
            by=by,
            ms=ms,
            lag=lag,
        )
        self.commit(record)

    @property
    def deadline(self) -> float | None:
        """The next moment, in `Time.seconds`, at which `tick` has something to do."""
        if self.paused or self.closed is not None:
            return None
        turns = [turn.deadline for turn in self.turns.values()]
        rest = [self._rests_until] if self._rests_until is not None and not self.hands else []
        return min((*turns, *rest), default=None)

    def tick(self) -> None:
        """Let the clocks run out that have."""
        now = self.when.seconds()
        for table, turn in list(self.turns.items()):
            if turn.deadline <= now and self.turns.get(table) is turn:
                self._time_out(table, turn)
        self.advance()

    def _time_out(self, table: int, turn: OpenTurn) -> None:
        hand, player = self.hands[table], self.players[turn.player]
        ms = round(1000 * (self.when.seconds() - turn.began))
        frozen = player.entrant.kind is not PlayerKind.HOUSE
        if frozen:
            at = self.when.unix_ms()
            self.commit(Present(at=at, player=turn.player, presence="frozen"))
        self._take(table, hand, hand.default_action(self.freeze), by="clock", ms=ms)
        if frozen:
            player.connected = False
            self._outlet.froze(turn.player)

    # What players do.

    def act(self, number: int, message: ActMessage, *, lag: float = 0.0) -> ErrorMessage | None:
        """Take a player's action; return why not, if it is refused."""
        player = self.players[number]
        table = next((t for t, turn in self.turns.items() if turn.player == number), None)
        turn = None if table is None else self.turns[table]
        if table is None or turn is None or turn.id != message.turn or self.paused:
            if turn is None and not self._knows(message.turn):
                return _error(ErrorCode.NOT_YOUR_TURN, "it is not your turn", message)
            player.offences[Offence.STALE] += 1
            return _error(ErrorCode.STALE, f"turn {message.turn} is over", message)
        hand = self.hands[table]
        action = _action(message, hand)
        refused = refusal(hand.moment.state, action)
        if refused is not None:
            player.offences[Offence.ILLEGAL] += 1
            clock = self._turn_clock(turn)
            return ErrorMessage(
                code=ErrorCode.ILLEGAL_ACTION,
                text=str(refused),
                sent=_sent(message),
                turn=turn.id,
                action=message.action,
                ms_left=clock.ms + clock.bank_ms,
            )
        took = max(0.0, self.when.seconds() - turn.began)
        off = max(0.0, min(lag, MOST_LAG_SECONDS, player.lag_left, took))
        ms, lag_ms = round(1000 * (took - off)), round(1000 * off)
        self._take(table, hand, action, by="player", ms=ms, lag=lag_ms)
        self.advance()
        return None

    def house_acted(self, turn_id: str, action: Action | None, reasons: str) -> None:
        """Take a house player's action; None, or one that is refused, is the default one."""
        table = next((t for t, turn in self.turns.items() if turn.id == turn_id), None)
        if table is None or self.paused:
            return
        hand, turn = self.hands[table], self.turns[table]
        state = hand.moment.state
        if action is None or refusal(state, action) is not None:
            action = hand.default_action(Freeze.CHECK)
        if reasons and state.actor is not None:
            hand.reasons.append((state.actor, len(hand.moment.history), reasons))
        ms = round(1000 * (self.when.seconds() - turn.began))
        self._take(table, hand, action, by="player", ms=ms)
        self.advance()

    def connected(self, number: int) -> None:
        """A player's connection is there, first or again."""
        player = self.players[number]
        was = player.shown_presence
        player.connected = True
        if player.presence is Presence.FROZEN:
            at = self.when.unix_ms()
            self.commit(Present(at=at, player=number, presence="here"))
            self.advance()
        elif was is not player.shown_presence:
            self.show_presence(number)

    def disconnected(self, number: int) -> None:
        """A player's connection is gone; the clock runs as always."""
        player = self.players[number]
        was = player.shown_presence
        player.connected = False
        if was is not player.shown_presence and self.closed is None:
            self.show_presence(number)

    def pause(self, paused: bool) -> None:
        """Stop the clocks, or let them start again; an open turn gets its full time anew."""
        if self.closed is None and paused is not self.paused:
            self.commit(PauseSet(at=self.when.unix_ms(), paused=paused))
            self.turns.clear()
            if not paused:
                self.advance()

    def resume(self) -> None:
        """Go on after a restart; everybody is away until they come back."""
        if self.closed is None:
            for player in self.players:
                player.connected = player.entrant.kind is PlayerKind.HOUSE
            self.commit(Resumed(at=self.when.unix_ms()))
            self.advance()

    def close(self, *, void: bool, why: str) -> None:
        """End the game now."""
        if self.closed is None:
            self.commit(Closed(at=self.when.unix_ms(), void=void, why=why))

    def annul(self, why: str) -> None:
        """Void all hands in play and the game, after a fault of the server."""
        if self.closed is None:
            at = self.when.unix_ms()
            for table, hand in list(self.hands.items()):
                self.commit(Annulled(at=at, table=table, hand=hand.number, why=why))
            self.commit(Closed(at=at, void=True, why=why))

    # What others may know.

    def show_presence(self, number: int) -> None:
        """Tell the table that somebody came, went or froze."""
        self.version += 1
        player = self.players[number]
        table = self.table_of(number)
        if table is None:
            return
        if table in self.hands:
            self.hands[table].set_presence(player.entrant.name, player.shown_presence)
        turn = self.turns.get(table)
        mine = turn is not None and turn.player == number
        left = None if turn is None or not mine else turn.deadline - self.when.seconds()
        message = PresenceChanged(
            table=self.table_name(table),
            name=player.entrant.name,
            presence=player.shown_presence,
            ms_left=None if left is None else max(0, round(1000 * left)),
        )
        self._outlet.tell(table, Public(message))

    def table_of(self, number: int) -> int | None:
        """Return the table of a player; None for who has left."""
        return next((t for t in self.tables if number in self.players_at(t)), None)

    @property
    @abstractmethod
    def tables(self) -> tuple[int, ...]:
        """The tables that there are."""

    def table_moment(self, table: int) -> TableMoment:
        """Return a whole table as it is now, for a snapshot."""
        hand, turn = self.hands.get(table), self.turns.get(table)
        return TableMoment(
            info=self.table_info(table),
            commitment=self.opened.commitment,
            hand=None if hand is None else hand.moment,
            clock=None if turn is None or hand is None else self._turn_clock(turn),
        )

    def player_info(self, number: int, stack: int) -> PlayerInfo:
        """Return what everybody may know of a player."""
        player = self.players[number]
        return PlayerInfo(
            name=player.entrant.name,
            kind=player.entrant.kind,
            version=player.entrant.version or None,
            chair=player.chair,
            stack=stack,
            presence=player.shown_presence,
        )

    def _tell_paused(self) -> None:
        for table in self.tables:
            message = Paused(table=self.table_name(table), paused=self.paused)
            self._outlet.tell(table, Public(message))

    def _knows(self, turn: str) -> bool:
        """Return whether a turn of this name may have been."""
        return turn.startswith((f"{self.id}-", f"{self.id}."))


def _action(message: ActMessage, hand: TableHand) -> Action:
    """Return the rules' action; an all-in is the largest raise, or a call where none is allowed."""
    match message.verb:
        case Verb.FOLD:
            return Fold()
        case Verb.CHECK | Verb.CALL:
            return Call()
        case Verb.BET | Verb.RAISE:
            return Raise(Chips(message.to or 0))
        case Verb.ALL_IN:
            most = legal(hand.moment.state).max_raise_to
            return Call() if most is None else Raise(most)


def _error(code: ErrorCode, text: str, message: ActMessage) -> ErrorMessage:
    return ErrorMessage(code=code, text=text, sent=_sent(message), action=message.action)


def _sent(message: ActMessage) -> str:
    return message.model_dump_json(exclude_none=True)
