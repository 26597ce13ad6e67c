"""A ring table in play: chairs, buy-ins, sitting out, rake; practice tables included."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Literal

from msgspec.structs import replace

from railbird.errors import BadInput
from railbird.hosting.deck import commitment, deal_from_seed, new_seed
from railbird.hosting.formats import ring_format
from railbird.hosting.interfaces import SessionOutcome
from railbird.hosting.journal import (
    AnyRecord,
    Bought,
    Closed,
    Entrant,
    HandDealt,
    Joined,
    Opened,
    Present,
    Reseeded,
    StoodUp,
    WantsRuns,
)
from railbird.hosting.play import GamePlayer, HostedPlay, TableHand, Time
from railbird.hosting.settings import (
    PRACTICE_AWAY_SECONDS,
    RING_AWAY_SECONDS,
    RING_SEED_SECONDS,
    SHARE_SECONDS,
    STUDY_SECONDS,
)
from railbird.protocol.identity import Identity, PlayerKind
from railbird.protocol.messages import (
    ErrorCode,
    PlayerInfo,
    PlayerLeft,
    PlayerSat,
    Presence,
    RunsTwice,
    SeedRevealed,
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


class PlayerSession:
    """A player's chips at a ring table."""

    def __init__(self, record: Joined) -> None:
        self.began = record.at
        self.stack = record.chips
        self.bought = record.chips
        self.asked = 0
        """Chips that come before the next hand."""
        self.hands = 0
        self.rake = 0
        self.owes_small = False
        """Missed a small blind, which is paid dead: into the pot, and towards no call."""
        self.owes_big = False
        """Missed a big blind, or has come to a table in play; it is paid live, like a bet."""

    @property
    def owes(self) -> bool:
        """Whether anything is to be posted before being dealt in away from the big blind."""
        return self.owes_small or self.owes_big


class RingPlay(HostedPlay):
    """A ring table, from its first player until it is closed.

    The big blind moves to the next player clockwise who is here, the small blind to where the big
    one was, and the button to where the small one was; a small blind is dead where whoever posted
    the big one is not dealt in any more. So a blind passes over nobody but those who are out, and
    they owe it: whoever comes back posts a dead small and a live big blind, or waits for the big
    one, as in card rooms (Robert's Rules of Poker, "Button and Blind Use"). Whoever comes to a
    table in play owes a big blind, and the small one, too, if that name has left this table before.
    Where a card opens the betting there are no blinds: nobody owes any, and "big blind" is only who
    is dealt to first, or second.
    """

    def __init__(self, opened: Opened, when: Time | None = None) -> None:
        form = ring_format(opened.settings)
        super().__init__(opened, form.clocks, form.freeze, when or Time())
        self.form = form
        self.sessions: dict[int, PlayerSession] = {}
        """By player; only of those at the table."""
        self.ended: list[SessionOutcome] = []
        """Sessions that are over and, as far as this process knows, not yet kept as results."""
        self.waits = False
        """Whether a practice table deals the next hand when its person says so."""
        self.begins_anew = False
        """Whether everybody gets the first stack again before the next hand."""
        self.is_kept = True
        """Whether the hands of a practice table are kept for its person."""
        self._small, self._big = 0, 0
        """Chairs of the last small and big blind, dead ones included; 0 before the first hand."""
        self._names_before: set[str] = set()
        """Names of those who have left this table, in small letters."""
        self._away_since: dict[int, float] = {}
        self._first_seeded = 1
        """The first hand of the seed, and when it was dealt."""
        self._seeded_at: int | None = None

    # Commands.

    def join(self, entrant: Entrant, chips: int, *, waits: bool = False, least: int = 0) -> int:
        """Seat a player, who may wait for the big blind; return the number. Raises `Refused`.

        ``least`` are the chips with which the player left this stake a while ago.
        """
        low, high = max(least, self.form.buy_ins[0]), max(least, self.form.buy_ins[1])
        if not low <= chips <= high:
            why = f", since you left with {least}" if least > self.form.buy_ins[0] else ""
            raise Refused(ErrorCode.BUY_IN, f"{chips} chips; allowed: {low} to {high}{why}")
        own = Identity(entrant.name, entrant.kind, entrant.version, entrant.owner).interest.lower()
        for seated in (self.players[number].identity for number in self.sessions):
            if seated.interest.lower() == own and self.opened.kind == "ring":
                words = f"{seated.name} is here, of the same owner"
                raise Refused(ErrorCode.SAME_OWNER, words)
        taken = {self.players[p].chair for p in self.sessions}
        free = [c for c in range(1, self.form.seats + 1) if c not in taken]
        if not free:
            raise Refused(ErrorCode.TABLE_FULL, f"all {self.form.seats} chairs are taken")
        number = len(self.players)
        at = self.when.unix_ms()
        chair = free[0]
        self.commit(
            Joined(at=at, player=number, entrant=entrant, chair=chair, chips=chips, waits=waits)
        )
        self.ask_shares([number], SHARE_SECONDS)
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

    def sit_out(self, number: int, out: bool, *, waits: bool = False) -> None:
        """Be dealt no cards from the next hand on, or be dealt cards again.

        A player who ``waits`` is dealt in when the big blind comes, and posts nothing else. At a
        practice table, sitting in also asks for the next hand.
        """
        if not out and self.opened.kind == "practice" and not self.hands:
            self.end_rest()
            self.advance()
        now = self.players[number].presence
        if (now is Presence.SITTING_OUT) is not out:
            wanted: Literal["sitting_out", "here"] = "sitting_out" if out else "here"
            at = self.when.unix_ms()
            self.commit(Present(at=at, player=number, presence=wanted, waits=waits))
            self.advance()

    def run_twice(self, number: int, wants: bool) -> None:
        """Run a player's all-ins twice if the others want it too, or not. Raises `Refused`."""
        if not self.form.runs_twice:
            raise Refused(ErrorCode.UNEXPECTED, "all-ins are run twice at private tables only")
        if self.players[number].runs_twice is not wants:
            self.commit(WantsRuns(at=self.when.unix_ms(), player=number, wants=wants))

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
            self._change_seed()
            if self.awaits_shares:
                return
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
    def _has_debts(self) -> bool:
        """Whether whoever misses a blind owes it."""
        return self.opened.kind == "ring" and not self.form.game.has_bring_in

    @property
    def _patience(self) -> float:
        practice = self.opened.kind == "practice"
        return PRACTICE_AWAY_SECONDS if practice else RING_AWAY_SECONDS

    def _between_hands(self) -> None:
        for number in list(self.sessions):
            if self.players[number].is_leaving:
                self.commit(StoodUp(at=self.when.unix_ms(), player=number))
        people = [n for n in self.sessions if not self.players[n].entrant.spec]
        if self.form.top_up or self.begins_anew:
            self._fill_up()
        if self.opened.kind == "practice" or self.form.is_private:
            self._buy_in_again()
        if self.opened.kind == "practice":
            # Without its person it closes, or house players would play on among themselves.
            ready = self._ready()
            if len(ready) < 2 or not people or not all(n in ready for n in people):
                self.close(void=False, why="")
        elif not people and (self.sessions or self.hands_begun[TABLE]):
            self.close(void=False, why="")  # which reveals the seed; the next table has its own

    def _fill_up(self) -> None:
        """Give everybody the same stack for the next hand, and take chips above it away."""
        if self.is_resting:
            return  # while people see what the last hand brought
        for number, session in self.sessions.items():
            if chips := self.form.buy_ins[1] - session.stack - session.asked:
                self.commit(Bought(at=self.when.unix_ms(), player=number, chips=chips))
        self.begins_anew = False

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

    def _change_seed(self) -> None:
        """Reveal the seed of an hour's hands, and commit to the next one."""
        at, since = self.when.unix_ms(), self._seeded_at
        is_due = since is not None and at - since >= 1000 * RING_SEED_SECONDS
        if is_due and self.opened.kind == "ring":
            seed = new_seed()
            self.commit(Reseeded(at=at, commitment=commitment(seed), seed=seed.hex()))
            self.ask_shares(self.sessions, SHARE_SECONDS)

    def _deal(self, ready: list[int]) -> None:
        seats, blinds, dead = self._posts(self._order(ready))
        small, big = self.form.blinds
        dealt = HandDealt(
            at=self.when.unix_ms(),
            table=TABLE,
            hand=self.hands_begun[TABLE] + 1,
            seats=tuple(seats),
            stacks=tuple(self.sessions[n].stack + self.sessions[n].asked for n in seats),
            small=small,
            big=big,
            ante=self.form.ante,
            blinds=blinds,
            dead=dead,
        )
        self.commit(dealt)
        self.hand_on()

    def _after_big(self, number: int) -> int:
        """Return how many chairs a player sits from the one after the last big blind."""
        return (self.players[number].chair - self._big - 1) % self.form.seats

    def _order(self, ready: list[int]) -> list[int]:
        """Return the players to be dealt in, clockwise from the next big blind."""
        if not self._big:
            # The lowest chair has the button. At a practice table, where it is the person's, it
            # acts first instead: house players may still be loading, and nobody waits for them.
            is_practice = self.opened.kind == "practice"
            first = len(ready) - 1 if is_practice else min(2, len(ready) - 1)
            return [*ready[first:], *ready[:first]]
        order = sorted(ready, key=self._after_big)
        button = (self._small - self._big - 1) % self.form.seats

        def is_in(number: int) -> bool:
            if not self.sessions[number].owes or number == order[0]:
                return True
            # From the button to the small blind a place would be bought for what was owed anyway,
            # and whoever follows the big blind has it in the next hand.
            is_place = self._after_big(number) < button and number != order[1]
            return is_place and not self.players[number].waits

        dealt = list(filter(is_in, order))
        return dealt if len(dealt) > 1 else order

    def _posts(self, order: list[int]) -> tuple[list[int], tuple[int, ...], tuple[int, ...]]:
        """Return the players by seat, their live and their dead posts; empty where as usual."""
        if len(order) == 2:
            return order, (), ()
        last = order[-1]
        had_big = self.players[last].chair == self._big and not self.sessions[last].owes
        has_small = had_big or not self._big
        seats = [last, *order[:-1]] if has_small else order
        small, big = self.form.blinds
        usual = [small, big] if has_small else [big, 0]
        posting = [self.sessions[number] for number in seats[len(usual) + has_small :]]
        blinds = [*usual, *[0] * has_small, *[big * session.owes_big for session in posting]]
        dead = [0] * (len(seats) - len(posting)) + [
            small * session.owes_small for session in posting
        ]
        is_usual = (has_small and not any(blinds[2:])) or self.form.game.has_bring_in
        return seats, () if is_usual else tuple(blinds), tuple(dead) if any(dead) else ()

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
            case WantsRuns(player=player, wants=wants):
                self.players[player].runs_twice = wants
                name = self.players[player].entrant.name
                message = RunsTwice(table=self.table_name(TABLE), name=name, wants=wants)
                self._outlet.tell(TABLE, Public(message))
            case Reseeded():
                self._reveal_seed(record.commitment)
                self.seed, self.commitment = bytes.fromhex(record.seed), record.commitment
                self.shares = {}  # the house knew them when it drew this seed
            case Closed():
                for player in list(self.sessions):
                    self._apply_stood_up(player, record.at)
                self._reveal_seed(None)
            case _:
                raise BadInput(f"a ring table has no {type(record).__name__}")

    def rules_of(self, dealt: HandDealt) -> TableHand:
        """Return a hand as dealt."""
        for number, stack in zip(dealt.seats, dealt.stacks, strict=True):
            session = self.sessions[number]
            session.stack, session.asked = session.stack + session.asked, 0
            session.hands += 1
            if session.stack != stack:
                raise BadInput(f"hand {dealt.hand} dealt with other stacks")
        self._move_blinds(dealt)
        self._seeded_at = self._seeded_at or dealt.at
        name = self.table_name(TABLE)
        return TableHand(
            table=name,
            number=dealt.hand,
            players=dealt.seats,
            holders=tuple(map(self._holder, dealt.seats)),
            rules=self.form.rules(list(dealt.stacks), posts=dealt.blinds, dead=dealt.dead),
            cards=deal_from_seed(
                self.seed_of(dealt.seats),
                name,
                dealt.hand,
                seats=len(dealt.seats),
                runs=1 + self.form.runs_twice,
                variant=self.form.game,
            ),
            shares=self.share_texts(dealt.seats),
        )

    def _move_blinds(self, dealt: HandDealt) -> None:
        """Move the blinds on; those whom they pass, and who are out, owe them."""
        is_dead = dealt.blinds[:1] > dealt.blinds[1:2]
        big, small = (0, 1) if len(dealt.seats) == 2 or is_dead else (1, 0)
        passed = self._after_big(dealt.seats[big])
        for number, session in self.sessions.items():
            if number in dealt.seats:
                session.owes_small = session.owes_big = self.players[number].waits = False
            elif self._big and self._has_debts:
                is_passed = self._after_big(number) < passed
                session.owes_big |= is_passed
                session.owes_small |= is_passed or self.players[number].chair == self._big
        self._small = self._big or self.players[dealt.seats[small]].chair
        self._big = self.players[dealt.seats[big]].chair

    def stacks_paid(self, hand: TableHand, stacks: Sequence[Chips]) -> None:
        """Take over the stacks after a hand; the player who won most pays the rake."""
        after = dict(zip(hand.players, stacks, strict=True))
        winner = max(after, key=lambda n: after[n] - self.sessions[n].stack)
        self.sessions[winner].rake += hand.moment.state.raked
        for number, stack in zip(hand.players, stacks, strict=True):
            self.sessions[number].stack = stack

    def runs_twice(self, hand: TableHand) -> Collection[int]:
        """Return the players who would run all-ins twice; nobody where only the house is left."""
        if not self.form.runs_twice:
            return ()
        left = [self.players[hand.players[seat]] for seat in hand.moment.state.in_hand]
        if all(player.entrant.spec for player in left):
            return ()
        return [number for number in hand.players if self.players[number].runs_twice]

    def _reveal_seed(self, following: str | None) -> None:
        """Tell everybody the seed of the hands since the last one."""
        first, last = self._first_seeded, self.hands_begun[TABLE]
        self._first_seeded, self._seeded_at = last + 1, None
        if first > last:
            return
        message = SeedRevealed(
            table=self.table_name(TABLE),
            first_hand=first,
            last_hand=last,
            commitment=self.commitment,
            seed=self.seed.hex(),
            next_commitment=following,
        )
        self.revealed.append(message)
        self._outlet.tell_entrants(Public(message))

    def _apply_joined(self, record: Joined) -> None:
        if record.player != len(self.players):
            raise BadInput(f"player {record.player} after {len(self.players)}")
        seated = GamePlayer(record.entrant, self.clocks)
        seated.chair = record.chair
        seated.connected = True
        self.players.append(seated)
        seated.waits = record.waits
        session = self.sessions[record.player] = PlayerSession(record)
        if self._has_debts and self._big:
            session.owes_big = True
            session.owes_small = record.entrant.name.lower() in self._names_before
        info = self.player_info(record.player, record.chips)
        self._outlet.tell(TABLE, Public(PlayerSat(table=self.table_name(TABLE), player=info)))
        self._outlet.seated(record.player, TABLE)

    def _apply_stood_up(self, number: int, at: int) -> None:
        session, player = self.sessions.pop(number), self.players[number]
        name = player.entrant.name
        self._names_before.add(name.lower())
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
            stack=session.stack + session.asked,
        )
        if self.opened.kind == "ring" and not self.form.is_private:
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

    def player_info(self, number: int, stack: int) -> PlayerInfo:
        """Return what everybody may know of a player."""
        info = super().player_info(number, stack)
        wants = self.players[number].runs_twice
        return replace(info, runs_twice=wants) if self.form.runs_twice else info

    def _holder(self, number: int) -> SeatHolder:
        player = self.players[number]
        entrant = player.entrant
        return SeatHolder(entrant.name, entrant.kind, player.chair, player.shown_presence)
