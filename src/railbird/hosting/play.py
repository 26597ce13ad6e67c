"""A game in play, its hands and players, without I/O: a fold of the records of its journal.

A command decides, writes a record and applies it; only then do clients learn of it. Reading a
journal applies the same records with no client listening, so an interrupted game resumes where it
stood.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.errors import BadInput, DamagedFile, IllegalAction, RailbirdError
from railbird.game import (
    BOARD_CARDS,
    Action,
    Call,
    DealBoard,
    Fold,
    HandDealer,
    Muck,
    Rules,
    Show,
    Step,
    action_of,
    code_of_any,
    legal,
    payoff_parts,
    refusal,
    replay,
    step,
)
from railbird.hosting.deck import mixed_seed
from railbird.hosting.formats import Clocks, Freeze
from railbird.hosting.interfaces import Latency, Offence, SessionOutcome
from railbird.hosting.journal import (
    Annulled,
    AnyRecord,
    CardsShown,
    Closed,
    DecidedBy,
    Entrant,
    HandDealt,
    Opened,
    Paid,
    PauseSet,
    Present,
    Resumed,
    SharedSeed,
    Took,
)
from railbird.hosting.settings import (
    MOST_LAG_SECONDS,
    REST_EVENT_SECONDS,
    REST_SECONDS,
    REST_SHOWN_SECONDS,
    SHARE_SECONDS,
    SHOW_SECONDS,
    STUDY_SECONDS,
)
from railbird.protocol.actions import chosen_action
from railbird.protocol.encoding import client_line
from railbird.protocol.identity import Identity, PlayerKind
from railbird.protocol.messages import (
    ActMessage,
    AskShare,
    ErrorCode,
    ErrorMessage,
    LeaveReason,
    Paused,
    PlayerInfo,
    PlayReport,
    Presence,
    PresenceChanged,
    SeedRevealed,
    SeedShare,
    ShowCards,
    TableInfo,
)
from railbird.protocol.redaction import (
    HandAnnulled,
    HandEnd,
    HandMoment,
    HandStart,
    HandStep,
    Private,
    Public,
    Reasons,
    Reveal,
    SeatHolder,
    ShownByChoice,
    TableEvent,
    TableMoment,
    TurnClock,
    TurnStart,
)
from railbird.units import Chips, Seat

# What a game in play is given: clocks, a place for records, and ears for its news.


@dataclass(frozen=True, slots=True)
class Time:
    """The two clocks of a game: one for deadlines, one for records."""

    seconds: Callable[[], float] = time.monotonic
    unix_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000


class Writer(Protocol):
    """The place where a game writes its records, before clients learn of them."""

    def write(self, record: AnyRecord) -> None:
        """Keep a record, or raise; then none of it counts."""


class PlayListener(Protocol):
    """Receiver of a game's news: its players, or nobody while a journal is read."""

    def tell(self, table: int, event: TableEvent) -> None:
        """Tell everybody at a table."""

    def tell_entrants(self, event: TableEvent) -> None:
        """Tell everybody who plays or played in this game."""

    def seated(self, player: int, table: int) -> None:
        """A player has come to a table, first or after a move."""

    def left(self, player: int, table: int, reason: LeaveReason) -> None:
        """A player has left; the account is free, unless it only moved."""

    def ask_house(self, player: int, turn: str) -> None:
        """Ask a house player for its action."""

    def froze(self, player: int) -> None:
        """A player did not act in time; its connection is to be closed."""

    def session_over(self, outcome: SessionOutcome) -> None:
        """A session at a ring table is over, whatever becomes of the table."""

    def finished(self, record: Closed) -> None:
        """The game is over."""


class NobodyListens:
    """An outlet that tells nobody, while a journal is read."""

    def tell(self, table: int, event: TableEvent) -> None:
        """Do nothing."""

    def tell_entrants(self, event: TableEvent) -> None:
        """Do nothing."""

    def seated(self, player: int, table: int) -> None:
        """Do nothing."""

    def left(self, player: int, table: int, reason: LeaveReason) -> None:
        """Do nothing."""

    def ask_house(self, player: int, turn: str) -> None:
        """Do nothing."""

    def froze(self, player: int) -> None:
        """Do nothing."""

    def session_over(self, outcome: SessionOutcome) -> None:
        """Do nothing."""

    def finished(self, record: Closed) -> None:
        """Do nothing."""


# A player of a game: clock, presence, and the figures that only the player is told.


class GamePlayer:
    """A player of a game."""

    def __init__(self, entrant: Entrant, clocks: Clocks) -> None:
        self.entrant = entrant
        self.identity = Identity(
            entrant.name, entrant.kind, entrant.version, entrant.owner, entrant.account
        )
        self.clock = clocks.clock()
        self.lag_left = clocks.lag
        self.chair = 0
        self.presence = Presence.HERE
        """HERE, FROZEN or SITTING_OUT, as recorded."""
        self.waits = False
        """Is dealt in when the big blind comes, rather than post what is owed."""
        self.is_leaving = False
        """Stays until the hand is over, and plays it as if frozen."""
        self.runs_twice = entrant.kind is PlayerKind.HOUSE
        """Would run all-ins twice at a private table."""
        self.connected = entrant.kind is PlayerKind.HOUSE
        self.times: list[int] = []
        """Milliseconds of all decisions."""
        self.offences: Counter[Offence] = Counter()

    @property
    def shown_presence(self) -> Presence:
        """Presence as others see it."""
        if self.is_leaving:
            return Presence.LEAVING
        if self.presence is Presence.HERE and not self.connected:
            return Presence.AWAY
        return self.presence

    @property
    def latency(self) -> Latency:
        """Times of all decisions."""
        times = sorted(self.times)
        if not times:
            return Latency(decisions=0)
        last = len(times) - 1
        p50, p95 = (float(times[round(q * last)]) for q in (0.5, 0.95))
        return Latency(decisions=len(times), p50=p50, p95=p95, worst=float(times[-1]))

    @property
    def report(self) -> PlayReport:
        """The player's own figures."""
        latency = self.latency
        return PlayReport(
            decisions=latency.decisions,
            p50_ms=latency.p50,
            p95_ms=latency.p95,
            worst_ms=latency.worst,
            time_outs=self.offences[Offence.TIME_OUT],
            refused=self.offences[Offence.ILLEGAL],
            stale=self.offences[Offence.STALE],
        )


# One hand at one table: its moments, turns and events.


class ChipsDiffer(RailbirdError):
    """The chips of a hand do not add up: a fault of the server, never of a player."""


def paid_in_two_runs(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return net chips by seat where each of two runs has half of every pot.

    Odd chips go to those who won more in the first run, and of equals to the lower seat.

    >>> paid_in_two_runs([5, -5], [-5, 5])
    [0, 0]
    >>> paid_in_two_runs([5, -3, -2], [-5, 7, -2])
    [0, 2, -2]
    """
    # Their sum is even, so an even number of them is odd, and rounding half of these up keeps the
    # chips.
    both = [once + again for once, again in zip(first, second, strict=True)]
    odd = sorted(
        (seat for seat, chips in enumerate(both) if chips % 2),
        key=lambda seat: second[seat] - first[seat],
    )
    rounded_up = odd[: len(odd) // 2]
    return [chips // 2 + (seat in rounded_up) for seat, chips in enumerate(both)]


class TableHand:
    """A hand in play. Raises `ChipsDiffer` from any method once its chips do not add up."""

    def __init__(
        self,
        *,
        table: str,
        number: int,
        players: tuple[int, ...],
        holders: tuple[SeatHolder, ...],
        rules: Rules,
        cards: NDArray[np.uint8],
        shares: tuple[str, ...] | None = None,
    ) -> None:
        """``cards`` beyond those of one board are for a second run."""
        self.players = players
        """By seat, by their numbers in the game."""
        self.cards = cards
        self.turn = 0
        """Turns so far, the current one included."""
        self.reasons: list[tuple[int, int, str]] = []
        """Seat, number of the action in the history, and text: house players' reasons."""
        self.shown_by_choice: set[Seat] = set()
        """Seats that have shown their cards since the hand was over."""
        self.second_board: tuple[Card, ...] = ()
        """The board of the second run; empty where the board comes once."""
        self._actions: list[Action] = []
        once = rules.variant.row_length(len(players))
        self._further = tuple(map(Card, cards[once:].tolist()))
        self._dealer = HandDealer.of_row(rules, cards[:once])
        self._chips = sum(rules.stacks or ())
        self.moment = HandMoment(table, number, self._dealer.state, holders, shares=shares)

    @property
    def number(self) -> int:
        """The hand's number at its table."""
        return self.moment.hand

    @property
    def to_act(self) -> int | None:
        """The player to act; None once the betting is over."""
        seat = self._dealer.asks
        return None if seat is None else self.players[seat]

    @property
    def turn_id(self) -> str:
        """The id of the current turn."""
        return f"{self.moment.table}.{self.number}.{self.turn}"

    def begin(self, twice: Collection[int] = ()) -> list[TableEvent]:
        """Deal; return what happened. ``twice`` are the players who would run all-ins twice."""
        # With all stacks in the blinds the board may run out at once, without a single action.
        dealt, *boards = self._dealer.begin()
        self.moment = replace(self.moment, state=dealt.after)
        self.turn = 1
        events: list[TableEvent] = [HandStart(self.moment)]
        return [*events, *self._events(self._run_again(boards, twice), "player")]

    def act(
        self,
        action: Action,
        by: Literal["player", "clock", "absence"],
        twice: Collection[int] = (),
    ) -> list[TableEvent]:
        """Take an action; return what happened. Raises `IllegalAction`; nothing has then."""
        steps = self._dealer.act(action)
        self.turn += 1
        self._actions.append(action)
        return self._events(self._run_again(steps, twice), by)

    def _run_again(self, steps: list[Step], twice: Collection[int]) -> list[Step]:
        """Run the board a second time if these steps ran it out and everybody left wants that.

        Then nobody mucks: whoever has lost the first run may win the second.
        """
        # The board ran out in these steps if cards came and nobody is asked any more. The row must
        # have cards for a second board, which it has only where two runs are allowed.
        runs = [taken.before for taken in steps if isinstance(taken.event, DealBoard)]
        left = self._dealer.state.in_hand
        everybody = all(self.players[seat] in twice for seat in left)
        if not self._further or not runs or self._dealer.asks is not None or not everybody:
            return steps
        first_board = runs[0].board
        self.second_board = (*first_board, *self._further[: BOARD_CARDS[-1] - len(first_board)])
        opened = [taken for taken in steps if not isinstance(taken.event, Show | Muck)]
        # The engine lets the losers of the first run muck; here each shows instead, so that the
        # second run can be decided in view of everybody.
        for taken in steps[len(opened) :]:
            assert isinstance(taken.event, Show | Muck)
            state, seat = opened[-1].after, taken.event.seat
            holding = state.holdings[seat]
            assert holding is not None  # the house knows everybody's
            event = Show(seat, holding)
            opened.append(Step(event, state, step(state, event)))
        self._dealer.state = opened[-1].after
        return opened

    def default_action(self, freeze: Freeze) -> Action:
        """Return the action of a seat whose player does not act; it has to bring it in."""
        allowed = legal(self.moment.state)
        folds = allowed.fold and (allowed.to_call > 0 or freeze is Freeze.FOLD)
        return Fold() if folds else Call()

    def stacks_after(self) -> tuple[Chips, ...]:
        """Return the stacks by seat once the hand is over."""
        state = self.moment.state
        stacks_before, won = state.rules.stacks, payoff_parts(state)
        if self.second_board and won is not None:
            # The same actions on the other board: both runs share all betting, so only the showdown
            # differs.
            again = replay(state.rules, state.holdings, self.second_board, self._actions)
            won = paid_in_two_runs(won, payoff_parts(again) or ())
        if stacks_before is None or won is None:
            raise ChipsDiffer(f"{self.turn_id}: the hand is over, but not decided")
        stacks = tuple(Chips(had + more) for had, more in zip(stacks_before, won, strict=True))
        # Checked after every hand, so that a fault of the rules stops the game instead of moving
        # chips.
        if sum(stacks) + state.raked != self._chips or min(stacks) < 0:
            raise ChipsDiffer(f"{self.turn_id}: {sum(stacks)} chips and {state.raked} of rake")
        return stacks

    def hidden_seat(self, player: int) -> Seat | None:
        """Return a player's seat in the hand if nobody else has seen its cards."""
        if player not in self.players:
            return None
        seat = Seat(self.players.index(player))
        is_seen = seat in self.moment.state.shown or seat in self.shown_by_choice
        return None if is_seen else seat

    def set_presence(self, name: str, presence: Presence) -> None:
        """Show that somebody is away, frozen or back."""
        holders = tuple(
            replace(holder, presence=presence) if holder.name == name else holder
            for holder in self.moment.holders
        )
        self.moment = replace(self.moment, holders=holders)

    def _events(
        self, steps: list[Step], by: Literal["player", "clock", "absence"]
    ) -> list[TableEvent]:
        events: list[TableEvent] = []
        for event, before, after in steps:
            self.moment = self.moment.next_moment(event, before, after)
            events.append(HandStep(self.moment, event, before, by))
            self._check(after.pot)
        return events

    def _check(self, pot: int) -> None:
        left = sum(self.moment.state.stacks or ())
        if left + pot != self._chips:
            words = f"{left} chips in the stacks and {pot} in the pot"
            raise ChipsDiffer(f"{self.turn_id}: {words}; allowed: {self._chips} together")


# The game.


@dataclass(slots=True)
class OpenTurn:
    """A turn that waits for its action."""

    player: int
    began: float
    """In `Time.seconds`."""
    deadline: float
    id: str = field(default="")


class HostedPlay(ABC):
    """What tournaments and ring tables share: players, hands in play, turns and clocks."""

    id: str

    def __init__(self, opened: Opened, clocks: Clocks, freeze: Freeze, when: Time) -> None:
        self.opened = opened
        self.id = opened.id
        self.seed = bytes.fromhex(opened.seed)
        """The seed of the next hand's cards."""
        self.commitment = opened.commitment
        """The published commitment to that seed."""
        self.revealed: list[SeedRevealed] = []
        """What a ring table has revealed so far."""
        self.shares: dict[int, bytes] = {}
        """What players gave to that seed."""
        self._shares_due: dict[int, float] = {}
        """Players whose shares the next cards wait for, and until when, in `Time.seconds`."""
        self.clocks = clocks
        self.freeze = freeze
        self.when = when
        self.players: list[GamePlayer] = []
        self.hands: dict[int, TableHand] = {}
        self.turns: dict[int, OpenTurn] = {}
        is_practice = opened.kind == "practice"
        self.show_seconds = STUDY_SECONDS if is_practice else SHOW_SECONDS
        """Time after a hand in which its cards may be shown, if the next one does not end first."""
        self.hands_over: dict[int, tuple[TableHand, float]] = {}
        """The last hand of every table, and until when its cards may be shown, in
        `Time.seconds`."""
        self.hands_begun: Counter[int] = Counter()
        self.closed: Closed | None = None
        self.paused = False
        self.is_parked = False
        """True once the journal cannot be written: the game ends here, and another `HostedPlay`
        goes on from the journal."""
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
        self._outlet: PlayListener = NobodyListens()

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
    def rules_of(self, dealt: HandDealt) -> TableHand:
        """Return a hand as dealt."""

    @abstractmethod
    def stacks_paid(self, hand: TableHand, stacks: Sequence[Chips]) -> None:
        """Take over the stacks after a hand, by seat."""

    def runs_twice(self, hand: TableHand) -> Collection[int]:
        """Return the players of a hand who would run all-ins twice, where that is done at all."""
        return ()

    @abstractmethod
    def players_at(self, table: int) -> tuple[int, ...]:
        """Return the players at a table."""

    @property
    @abstractmethod
    def still_in(self) -> tuple[int, ...]:
        """Numbers of the players who have not left the game, whether they sit already or not."""

    @abstractmethod
    def table_info(self, table: int) -> TableInfo:
        """Return what everybody may know of a table."""

    # The fold.

    def attach(self, writer: Writer | None, outlet: PlayListener) -> None:
        """Write records and send news from now on; without a writer no action is possible."""
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
        """Change the game's state by a record, a new one or one of a journal that is read."""
        # A clock that was set back must not reduce the time of play, and a restart is no play.
        if not self.paused and not isinstance(record, Resumed):
            self.playing_ms += max(0, record.at - self._last_at)
        self._last_at = record.at
        # Stacks are shown as between hands.
        self.version += not isinstance(record, Took | CardsShown | SharedSeed)
        match record:
            case HandDealt() | Took() | Paid() | CardsShown() | Annulled():
                self._apply_to_hand(record)
            case SharedSeed(player=player, share=share):
                if player in self.shares or not 0 <= player < len(self.players):
                    # A second share could be chosen with knowledge of the others.
                    raise BadInput(f"a second share of player {player}, or of nobody")
                self.shares[player] = bytes.fromhex(share)
            case Present(player=player, presence=presence, waits=waits):
                self.players[player].presence = Presence(presence)
                self.players[player].waits = waits
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

    def _apply_to_hand(self, record: HandDealt | Took | Paid | CardsShown | Annulled) -> None:
        match record:
            case HandDealt():
                self._dealt(record)
            case Took():
                self._took(record)
            case Paid():
                self._paid(record)
            case CardsShown(table=table, player=player):
                self._showed(table, record.hand, player)
            case Annulled(table=table, hand=hand, why=why):
                self.hands.pop(table, None)
                self.turns.pop(table, None)
                self._outlet.tell(table, HandAnnulled(self.table_name(table), hand, why))

    def _dealt(self, record: HandDealt) -> None:
        hand = self.rules_of(record)
        self._rests_until = None
        self.hands[record.table] = hand
        self.hands_begun[record.table] += 1
        for player in record.seats:
            self.players[player].clock.next_hand()
        for event in hand.begin(self.runs_twice(hand)):
            self._outlet.tell(record.table, event)

    def _took(self, record: Took) -> None:
        hand = self.hands[record.table]
        if (hand.number, hand.turn) != (record.hand, record.turn) or hand.to_act is None:
            raise BadInput(f"turn {record.hand}.{record.turn} after {hand.turn_id}")
        player = self.players[hand.to_act]
        # Who is frozen is not charged: his bank and his lag allowance wait for his return.
        if record.by != "absence":
            player.clock.charge(record.ms / 1000)
            player.lag_left = max(0.0, player.lag_left - record.lag / 1000)
            if record.by == "player":
                player.times.append(record.ms)
            else:
                player.offences[Offence.TIME_OUT] += 1
        self.turns.pop(record.table, None)
        for event in hand.act(action_of(record.action), record.by, self.runs_twice(hand)):
            self._outlet.tell(record.table, event)

    def _paid(self, record: Paid) -> None:
        hand = self.hands.pop(record.table)
        if hand.number != record.hand or hand.to_act is not None:
            raise BadInput(f"hand {record.hand} paid before its end")
        stacks = tuple(map(Chips, record.stacks))
        # A journal that pays other chips than its hands give is damaged, or somebody wrote in it.
        if stacks != hand.stacks_after():
            raise BadInput(f"hand {record.hand} paid otherwise: {stacks}")
        self.stacks_paid(hand, stacks)
        self.hands_over[record.table] = hand, self.when.seconds() + self.show_seconds
        show_ms = round(1000 * self.show_seconds)
        self._outlet.tell(record.table, HandEnd(hand.moment, stacks, show_ms, hand.second_board))
        if self.opened.kind == "practice":
            self._reveal(record.table, hand)

    def _showed(self, table: int, number: int, player: int) -> None:
        hand, _ = self.hands_over[table]
        seat = hand.hidden_seat(player) if hand.number == number else None
        if seat is None:
            raise BadInput(f"cards of hand {number} shown, which the rules do not allow")
        hand.shown_by_choice.add(seat)
        cards = tuple(hand.moment.cards_known()[seat])
        self._outlet.tell(table, ShownByChoice(hand.moment, seat, cards))

    def _reveal(self, table: int, hand: TableHand) -> None:
        name = self.table_name(table)
        cards = tuple(map(tuple, hand.moment.cards_known()))
        self._outlet.tell(table, Reveal(name, hand.number, cards))
        for seat, action, text in hand.reasons:
            reasons = Reasons(name, hand.number, Seat(seat), action, text)
            self._outlet.tell(table, reasons)

    # The seed, in which everybody has a share.

    def seed_of(self, players: Sequence[int]) -> bytes:
        """Return what deals to some players: the house's seed, mixed with their shares."""
        if not self.opened.has_shares:
            return self.seed
        return mixed_seed(self.seed, [self.shares.get(player, b"") for player in players])

    def share_texts(self, players: Sequence[int]) -> tuple[str, ...] | None:
        """Return the shares of some players as messages have them."""
        if not self.opened.has_shares:
            return None
        return tuple(self.shares.get(player, b"").hex() for player in players)

    def ask_shares(self, players: Iterable[int], seconds: float, *, again: bool = False) -> None:
        """Ask players for their shares, and wait that long for those who are connected.

        They are not told ``again`` what they were asked before.
        """
        seconds = self.pace * seconds
        asked = [number for number in players if self._may_share(number)]
        until = self.when.seconds() + seconds
        # Only who is connected is waited for: an absent player must not delay the cards.
        self._shares_due |= dict.fromkeys(filter(self._is_connected, asked), until)
        question = AskShare(
            game=self.id, commitment=self.commitment, ms=round(1000 * self.pace * SHARE_SECONDS)
        )
        if not again and len(asked) == len(self.players):
            self._outlet.tell_entrants(Public(question))
        elif not again:
            for number in asked:
                name = self.players[number].entrant.name
                self._outlet.tell_entrants(Private(name, question))

    def _may_share(self, number: int) -> bool:
        """Whether somebody may still give a share; the house's bytes would be no protection."""
        is_house = self.players[number].entrant.kind is PlayerKind.HOUSE
        return self.opened.has_shares and not is_house and number not in self.shares

    def _is_connected(self, number: int) -> bool:
        return self.players[number].connected

    @property
    def awaits_shares(self) -> bool:
        """Whether the next cards wait for somebody's share of the seed."""
        now = self.when.seconds()
        # Waits that are over are dropped whenever somebody looks, so that no timer has to run for
        # each player.
        self._shares_due = {
            number: until
            for number, until in self._shares_due.items()
            if until > now and self._may_share(number) and self._is_connected(number)
        }
        return bool(self._shares_due)

    def give_share(self, number: int, message: SeedShare) -> ErrorMessage | None:
        """Take a player's share of the seed; return why not, if it is refused."""
        sent = client_line(message).decode().rstrip()
        if message.game != self.id or not self._may_share(number):
            text = f"a share of the seed of {message.game}; allowed: one, of {self.id}"
            return ErrorMessage(code=ErrorCode.STALE, text=text, sent=sent)
        was_awaited = self.awaits_shares
        self.commit(SharedSeed(at=self.when.unix_ms(), player=number, share=message.share))
        # The last share that was waited for lets the next hand begin; any other changes nothing
        # now.
        if was_awaited and not self.awaits_shares:
            self.advance()
        return None

    # Turns and clocks.

    def table_name(self, table: int) -> str:
        """Return a table's name on the wire."""
        return f"{self.id}-{table}"

    def hand_on(self) -> None:
        """Pay hands that are over; ask the player to act, and play for frozen seats at once."""
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
                # Several tables may end at different moments; the next hands of all wait for the
                # latest.
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
            player.entrant.kind is PlayerKind.PERSON and player.shown_presence is Presence.HERE
            for player in people
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
        # The deadline allows for the round trip, but never for more than a fixed amount: a client
        # could otherwise pretend to be slow.
        lag = min(player.lag_left, MOST_LAG_SECONDS)
        turn = OpenTurn(number, now, now + player.clock.allowance + lag, hand.turn_id)
        self.turns[table] = turn
        self._outlet.tell(table, TurnStart(hand.moment, self._turn_clock(turn)))
        if player.entrant.kind is PlayerKind.HOUSE:
            self._outlet.ask_house(number, hand.turn_id)

    def _turn_clock(self, turn: OpenTurn) -> TurnClock:
        clock = self.players[turn.player].clock
        took = self.when.seconds() - turn.began
        over = max(0.0, took - clock.limit)
        ms, bank = (max(0.0, clock.limit - took), max(0.0, clock.left - over))
        return TurnClock(turn.id, round(1000 * ms), round(1000 * bank))

    def _take(
        self,
        table: int,
        hand: TableHand,
        action: Action,
        *,
        by: DecidedBy,
        ms: int = 0,
        lag: int = 0,
    ) -> None:
        record = Took(
            at=self.when.unix_ms(),
            table=table,
            hand=hand.number,
            turn=hand.turn,
            action=code_of_any(action),
            by=by,
            ms=ms,
            lag=lag,
        )
        self.commit(record)

    @property
    def deadline(self) -> float | None:
        """The next moment, in `Time.seconds`, at which `tick` has something to do."""
        if self.paused or self.is_parked or self.closed is not None:
            return None
        turns = [turn.deadline for turn in self.turns.values()]
        rest = [self._rests_until] if self._rests_until is not None and not self.hands else []
        shares = self._shares_due.values() if self.awaits_shares and not self.hands else ()
        return min((*turns, *rest, *shares), default=None)

    def tick(self) -> None:
        """Act for everybody whose time has run out, and play on."""
        now = self.when.seconds()
        for table, turn in list(self.turns.items()):
            # What an earlier table did may have ended this turn, or begun another one at the same
            # table.
            if turn.deadline <= now and self.turns.get(table) is turn:
                self._time_out(table, turn)
        self.advance()

    def _time_out(self, table: int, turn: OpenTurn) -> None:
        hand, player = self.hands[table], self.players[turn.player]
        ms = round(1000 * (self.when.seconds() - turn.began))
        frozen = player.entrant.kind is not PlayerKind.HOUSE
        # The player is frozen first, so that the table sees why the clock acts.
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
        try:
            action = chosen_action(message, hand.moment.state)
        except IllegalAction as problem:
            player.offences[Offence.ILLEGAL] += 1
            clock = self._turn_clock(turn)
            return ErrorMessage(
                code=ErrorCode.ILLEGAL_ACTION,
                text=str(problem),
                sent=_sent(message),
                turn=turn.id,
                action=message.action,
                ms_left=clock.ms + clock.bank_ms,
            )
        took = max(0.0, self.when.seconds() - turn.began)
        # The network's part of the time is not charged, as far as it was measured and the game's
        # allowance for it lasts.
        off = max(0.0, min(lag, MOST_LAG_SECONDS, player.lag_left, took))
        ms, lag_ms = round(1000 * (took - off)), round(1000 * off)
        self._take(table, hand, action, by="player", ms=ms, lag=lag_ms)
        self.advance()
        return None

    def show(self, player: int, message: ShowCards) -> ErrorMessage | None:
        """Show a player's cards of a hand that is over; return why not, if it is refused."""
        now, sent = self.when.seconds(), client_line(message).decode().rstrip()
        for table, (hand, until) in self.hands_over.items():
            if (self.table_name(table), hand.number) != (message.table, message.hand):
                continue
            if until < now:
                break
            if hand.hidden_seat(player) is None:
                text = f"hand {message.hand}: you have no cards in it that nobody has seen"
                return ErrorMessage(code=ErrorCode.UNEXPECTED, text=text, sent=sent)
            at = self.when.unix_ms()
            self.commit(CardsShown(at=at, table=table, hand=hand.number, player=player))
            return None
        allowed = f"a table's last hand, within {self.show_seconds:g} seconds"
        text = f"cards of hand {message.hand} at {message.table}; allowed: {allowed}"
        return ErrorMessage(code=ErrorCode.STALE, text=text, sent=sent)

    def house_acted(self, turn_id: str, action: Action | None, reasons: str) -> None:
        """Take a house player's action; None, or one that is refused, is the default one."""
        table = next((t for t, turn in self.turns.items() if turn.id == turn_id), None)
        if table is None or self.paused:
            return
        hand, turn = self.hands[table], self.turns[table]
        state = hand.moment.state
        if action is None or refusal(state, action) is not None:
            # A house player that fails checks where it can, whatever the game's rule for people is:
            # it must not fold a free hand.
            action = hand.default_action(Freeze.CHECK)
        if reasons and state.actor is not None:
            hand.reasons.append((state.actor, len(hand.moment.history), reasons))
        ms = round(1000 * (self.when.seconds() - turn.began))
        self._take(table, hand, action, by="player", ms=ms)
        self.advance()

    def connected(self, number: int) -> None:
        """A player's connection is there, first or again."""
        player = self.players[number]
        was, is_back = player.shown_presence, not player.connected
        player.connected = True
        if player.presence is Presence.FROZEN:
            at = self.when.unix_ms()
            self.commit(Present(at=at, player=number, presence="here"))
            self.advance()
        elif was is not player.shown_presence:
            self.show_presence(number)
        if is_back and self.closed is None and self._may_share(number):
            self.ask_shares([number], 0)

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
            # A turn that is open again after a pause begins anew, since nobody can say how much of
            # its time was left in fairness.
            self.turns.clear()
            if not paused:
                self.advance()

    def park(self) -> None:
        """Stand still, because the journal cannot be written, and say so."""
        self.is_parked = True
        self.has_more = False
        self.turns.clear()
        self.version += 1
        self._tell_paused()

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
            # Hands are voided one by one before the game, so that each table is told that its hand
            # does not count.
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
        """Numbers of the tables of this game."""

    def table_moment(self, table: int) -> TableMoment:
        """Return a whole table as it is now, for a snapshot."""
        hand, turn = self.hands.get(table), self.turns.get(table)
        return TableMoment(
            info=self.table_info(table),
            commitment=self.commitment,
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
            paused = self.paused or self.is_parked
            message = Paused(table=self.table_name(table), paused=paused, parked=self.is_parked)
            self._outlet.tell(table, Public(message))

    def _knows(self, turn: str) -> bool:
        """Return whether a turn of this name may have been."""
        return turn.startswith((f"{self.id}-", f"{self.id}."))


def _error(code: ErrorCode, text: str, message: ActMessage) -> ErrorMessage:
    return ErrorMessage(code=code, text=text, sent=_sent(message), action=message.action)


def _sent(message: ActMessage) -> str:
    return client_line(message).decode().rstrip()
