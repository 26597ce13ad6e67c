"""A ring table in play: chairs, buy-ins, sitting out, rake; a practice table is one, too."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from railbird.errors import BadInput
from railbird.hosting.deck import deal
from railbird.hosting.formats import ring_format
from railbird.hosting.interfaces import SessionOutcome
from railbird.hosting.journal import (
    AnyRecord,
    Bought,
    Closed,
    Dealt,
    Entrant,
    Joined,
    Opened,
    Present,
    StoodUp,
)
from railbird.hosting.play import GamePlayer, HostedPlay, TableHand, Time
from railbird.hosting.settings import PRACTICE_AWAY_SECONDS, RING_AWAY_SECONDS, STUDY_SECONDS
from railbird.protocol.identity import Identity, PlayerKind
from railbird.protocol.messages import (
    ErrorCode,
    PlayerLeft,
    PlayerSat,
    Presence,
    SessionReport,
    TableInfo,
)
from railbird.protocol.redaction import Private, Public, SeatHolder
from railbird.units import Chips

TABLE = 1
"""The number of the only table."""


class Refused(BadInput):
    """A wish that the table refuses."""

    def __init__(self, code: ErrorCode, text: str) -> None:
        self.code = code
        super().__init__(text)


class Session:
    """A player's chips at a ring table."""

    def __init__(self, record: Joined) -> None:
        self.began = record.at
        self.stack = record.chips
        self.bought = record.chips
        self.asked = 0
        """Chips that come before the next hand."""
        self.hands = 0
        self.rake = 0


class RingPlay(HostedPlay):
    """A ring table, from its first player until it is closed.

    The button moves to the next player clockwise who is dealt in. Whoever sits down is dealt in at
    the next hand, and posts only the blinds that fall to the seat.
    """

    def __init__(self, opened: Opened, when: Time | None = None) -> None:
        form = ring_format(opened.settings)
        super().__init__(opened, form.clocks, form.freeze, when or Time())
        self.form = form
        self.sessions: dict[int, Session] = {}
        """By player; only of those at the table."""
        self.ended: list[SessionOutcome] = []
        """Sessions that are over and, as far as this process knows, not yet kept as results."""
        self.waits = False
        """Whether a practice table deals the next hand when its person says so."""
        self.is_kept = True
        """Whether the hands of a practice table are kept for its person."""
        self._button = 0
        """Chair of the last button."""
        self._away_since: dict[int, float] = {}

    # Commands.

    def join(self, entrant: Entrant, chips: int) -> int:
        """Seat a player; return the number. Raises `Refused`."""
        low, high = self.form.buy_ins
        if not low <= chips <= high:
            raise Refused(ErrorCode.BUY_IN, f"{chips} chips; allowed: {low} to {high}")
        own = Identity(entrant.name, entrant.kind, entrant.version, entrant.owner).interest.lower()
        for seated in (self.players[each].identity for each in self.sessions):
            if seated.interest.lower() == own and self.opened.kind == "ring":
                words = f"{seated.name} is here, of the same owner"
                raise Refused(ErrorCode.SAME_OWNER, words)
        taken = {self.players[p].chair for p in self.sessions}
        free = [c for c in range(1, self.form.seats + 1) if c not in taken]
        if not free:
            raise Refused(ErrorCode.TABLE_FULL, f"all {self.form.seats} chairs are taken")
        number = len(self.players)
        at = self.when.unix_ms()
        self.commit(Joined(at=at, player=number, entrant=entrant, chair=free[0], chips=chips))
        return number

    def buy(self, number: int, chips: int) -> None:
        """Add chips before the next hand. Raises `Refused`."""
        if self.form.top_up:
            raise Refused(ErrorCode.BUY_IN, "stacks are filled up before each hand anyway")
        session = self.sessions[number]
        most = self.form.buy_ins[1] - session.stack - session.asked
        if not 0 < chips <= most:
            words = f"{chips} chips; allowed: 1 to {most}" if most > 0 else "the stack is full"
            raise Refused(ErrorCode.BUY_IN, words)
        self.commit(Bought(at=self.when.unix_ms(), player=number, chips=chips))
        self.advance()

    def sit_out(self, number: int, out: bool) -> None:
        """Be dealt no cards from the next hand on, or be dealt cards again.

        At a practice table, whoever sits in wants the next hand at once.
        """
        if not out and self.opened.kind == "practice" and not self.hands:
            self.end_rest()
            self.advance()
        now = self.players[number].presence
        if (now is Presence.SITTING_OUT) is not out:
            wanted: Literal["sitting_out", "here"] = "sitting_out" if out else "here"
            at = self.when.unix_ms()
            self.commit(Present(at=at, player=number, presence=wanted))
            self.advance()

    def stand_up(self, number: int) -> None:
        """Leave after the hand; a hand in play is folded or checked on."""
        self.players[number].is_leaving = True
        at = self.when.unix_ms()
        self.commit(Present(at=at, player=number, presence="frozen"))
        turn = self.turns.get(TABLE)
        if turn is not None and turn.player == number:
            del self.turns[TABLE]
        self.advance()

    def advance(self) -> None:
        """Play on as far as no player is needed, for one hand."""
        self.has_more = False
        if self.closed is not None or self.paused:
            return
        self.hand_on()
        if self.hands:
            return
        self._between_hands()
        if self.is_resting:
            return
        if len(ready := self._ready()) > 1:
            self._deal(ready)
            self.has_more = not self.hands

    def resume(self) -> None:
        """Go on after a restart; who does not come back in time leaves."""
        now = self.when.seconds()
        self._away_since = {
            n: now for n in self.sessions if self.players[n].entrant.kind is not PlayerKind.HOUSE
        }
        super().resume()

    def disconnected(self, number: int) -> None:
        """A player's connection is gone; away for long, the player leaves."""
        super().disconnected(number)
        self._away_since[number] = self.when.seconds()

    def connected(self, number: int) -> None:
        """A player's connection is there again."""
        self._away_since.pop(number, None)
        if not self.players[number].is_leaving:
            super().connected(number)

    @property
    def deadline(self) -> float | None:
        """The next moment at which `tick` has something to do."""
        turn = super().deadline
        away = [since + self._patience for since in self._away_since.values()]
        moments = [moment for moment in (turn, *away) if moment is not None]
        return None if self.closed is not None else min(moments, default=None)

    def tick(self) -> None:
        """Let the clocks run out that have, and those leave who were away for long."""
        now = self.when.seconds()
        for number, since in list(self._away_since.items()):
            if since + self._patience <= now:
                del self._away_since[number]
                self.stand_up(number)
        super().tick()

    def rest_after(self, hand: TableHand) -> float:
        """Return the seconds until the next hand, which may also be asked for."""
        return STUDY_SECONDS if self.waits else super().rest_after(hand)

    @property
    def _patience(self) -> float:
        practice = self.opened.kind == "practice"
        return PRACTICE_AWAY_SECONDS if practice else RING_AWAY_SECONDS

    def _between_hands(self) -> None:
        for number in list(self.sessions):
            if self.players[number].is_leaving:
                self.commit(StoodUp(at=self.when.unix_ms(), player=number))
        people = [n for n in self.sessions if not self.players[n].entrant.spec]
        if self.form.top_up:
            self._fill_up()
        if self.opened.kind == "practice":
            self._buy_in_again()
            # Without its person it closes, or house players would play on among themselves.
            ready = self._ready()
            if len(ready) < 2 or not people or not all(n in ready for n in people):
                self.close(void=False, why="")
        elif not people and (self.sessions or self.hands_begun[TABLE]):
            self.close(void=False, why="")  # which reveals the seed; the next table has its own

    def _fill_up(self) -> None:
        """Give everybody the same stack for the next hand; what was won above it goes."""
        if self.is_resting:
            return  # while people see what the last hand brought
        for number, session in self.sessions.items():
            if chips := self.form.buy_ins[1] - session.stack - session.asked:
                self.commit(Bought(at=self.when.unix_ms(), player=number, chips=chips))

    def _buy_in_again(self) -> None:
        """Give new chips to house players of a practice table that have none."""
        for number, session in self.sessions.items():
            if self.players[number].entrant.spec and not session.stack + session.asked:
                at, chips = self.when.unix_ms(), self.form.buy_ins[1]
                self.commit(Bought(at=at, player=number, chips=chips))

    def _ready(self) -> list[int]:
        """Return the players to be dealt in, by chair."""
        if self.closed is not None:
            return []
        able = [
            n
            for n, session in self.sessions.items()
            if (session.stack + session.asked or self.form.top_up)
            and self.players[n].presence is Presence.HERE
        ]
        return sorted(able, key=lambda n: self.players[n].chair)

    def _deal(self, ready: list[int]) -> None:
        after = [n for n in ready if self.players[n].chair > self._button]
        button = (after or ready)[0]
        place = ready.index(button)
        seats = ready[place + 1 :] + ready[: place + 1]
        small, big = self.form.blinds
        dealt = Dealt(
            at=self.when.unix_ms(),
            table=TABLE,
            hand=self.hands_begun[TABLE] + 1,
            seats=tuple(seats),
            stacks=tuple(self.sessions[n].stack + self.sessions[n].asked for n in seats),
            small=small,
            big=big,
            ante=self.form.ante,
        )
        self.commit(dealt)
        self.hand_on()

    # The fold.

    def apply_own(self, record: AnyRecord) -> None:
        """Apply a record of a ring table."""
        match record:
            case Joined():
                self._apply_joined(record)
            case Bought(player=player, chips=chips):
                self.sessions[player].asked += chips
                self.sessions[player].bought += chips
            case StoodUp(player=player):
                self._apply_stood_up(player, record.at)
            case Closed():
                for player in list(self.sessions):
                    self._apply_stood_up(player, record.at)
            case _:
                raise BadInput(f"a ring table has no {type(record).__name__}")

    def rules_of(self, dealt: Dealt) -> TableHand:
        """Return a hand as dealt."""
        for number, stack in zip(dealt.seats, dealt.stacks, strict=True):
            session = self.sessions[number]
            session.stack, session.asked = session.stack + session.asked, 0
            session.hands += 1
            if session.stack != stack:
                raise BadInput(f"hand {dealt.hand} dealt with other stacks")
        self._button = self.players[dealt.seats[-1]].chair
        name = self.table_name(TABLE)
        return TableHand(
            table=name,
            number=dealt.hand,
            players=dealt.seats,
            holders=tuple(map(self._holder, dealt.seats)),
            rules=self.form.rules(list(dealt.stacks)),
            cards=deal(self.seed, name, dealt.hand, seats=len(dealt.seats)),
        )

    def stacks_paid(self, hand: TableHand, stacks: Sequence[Chips]) -> None:
        """Take over the stacks after a hand; the rake is that of whoever won most."""
        after = dict(zip(hand.players, stacks, strict=True))
        winner = max(after, key=lambda n: after[n] - self.sessions[n].stack)
        self.sessions[winner].rake += hand.moment.state.raked
        for number, stack in zip(hand.players, stacks, strict=True):
            self.sessions[number].stack = stack

    def _apply_joined(self, record: Joined) -> None:
        if record.player != len(self.players):
            raise BadInput(f"player {record.player} after {len(self.players)}")
        seated = GamePlayer(record.entrant, self.clocks)
        seated.chair = record.chair
        seated.connected = True
        self.players.append(seated)
        self.sessions[record.player] = Session(record)
        info = self.player_info(record.player, record.chips)
        self._outlet.tell(TABLE, Public(PlayerSat(table=self.table_name(TABLE), player=info)))
        self._outlet.seated(record.player, TABLE)

    def _apply_stood_up(self, number: int, at: int) -> None:
        session, player = self.sessions.pop(number), self.players[number]
        name = player.entrant.name
        outcome = SessionOutcome(
            session=f"{self.id}/{number}",
            game=self.form.name,
            player=player.identity,
            began=datetime.fromtimestamp(session.began / 1000, UTC),
            ended=datetime.fromtimestamp(at / 1000, UTC),
            hands=session.hands,
            won=session.stack + session.asked - session.bought,
            rake=session.rake,
            big_blind=self.form.blinds[1],
            latency=player.latency,
            offences=dict(player.offences),
        )
        if self.opened.kind == "ring":
            self.ended.append(outcome)
            self._outlet.session_over(outcome)
        self._away_since.pop(number, None)
        report = SessionReport(
            table=self.table_name(TABLE),
            hands=session.hands,
            won=outcome.won,
            you=player.report,
        )
        self._outlet.tell_entrants(Private(name, report))
        self._outlet.left(number, TABLE, "stood_up" if self.closed is None else "over")
        self._outlet.tell(TABLE, Public(PlayerLeft(table=self.table_name(TABLE), name=name)))

    # What others may know.

    @property
    def tables(self) -> tuple[int, ...]:
        """The number of the only table."""
        return (TABLE,)

    def table_name(self, table: int) -> str:
        """Return the name on the wire, which is the id."""
        return self.id

    def players_at(self, table: int) -> tuple[int, ...]:
        """Return the players at the table."""
        return tuple(self.sessions)

    @property
    def still_in(self) -> tuple[int, ...]:
        """Numbers of the players at the table."""
        return tuple(self.sessions)

    def table_info(self, table: int) -> TableInfo:
        """Return what everybody may know of the table."""
        return TableInfo(
            table=self.table_name(table),
            kind="practice" if self.opened.kind == "practice" else "ring",
            format=self.form.as_message(),
            players=[self.player_info(n, s.stack + s.asked) for n, s in self.sessions.items()],
            hand=self.hands_begun[TABLE],
            paused=self.paused or self.is_parked,
            parked=self.is_parked,
        )

    def _holder(self, number: int) -> SeatHolder:
        player = self.players[number]
        entrant = player.entrant
        return SeatHolder(entrant.name, entrant.kind, player.chair, player.shown_presence)
