"""A person's game against house players in this process, by the games that the server hosts.

House players and the person get the messages that a server would send them, so nobody knows more
here than there.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Final

import numpy as np

from railbird.arena.guarded_player import FaultTally, GuardedPlayer, close_all
from railbird.cards import Variant
from railbird.client.join import PlayerAtServer, TurnAnswer
from railbird.client.table_model import (
    CLOSE_SECONDS,
    HAND_PAUSE,
    OUT_OF_HAND,
    PAUSE,
    FinishedHands,
    HandLog,
    LinkNews,
    LinkState,
    News,
)
from railbird.errors import BadInput, RailbirdError
from railbird.game import View
from railbird.histories import HandRecord
from railbird.hosting.deck import commitment
from railbird.hosting.formats import RingFormat, TournamentFormat, format_text
from railbird.hosting.interfaces import SessionOutcome
from railbird.hosting.journal import AnyRecord, Bought, Closed, Entrant, Opened, Present
from railbird.hosting.play import Time
from railbird.hosting.ring_play import RingPlay
from railbird.hosting.tournament_play import TournamentPlay
from railbird.players.policy import Explaining
from railbird.protocol import PlayerKind, told
from railbird.protocol.messages import (
    ActMessage,
    BuyChips,
    GameRequest,
    LeaveReason,
    Left,
    Seated,
    ShowCards,
    StandUp,
)
from railbird.protocol.redaction import (
    HandEnd,
    HandStart,
    HandStep,
    Reasons,
    Reveal,
    ShownByChoice,
    TableEvent,
    TurnStart,
)

_LOG = logging.getLogger(__name__)
_ME: Final = 0


class _Stopped(Exception):
    """The person has left, and nobody plays on."""


class LocalGame:
    """A ring game or a tournament of a person, who is player 0, and house players.

    It is played in a thread of its own, in which house players take any time to decide. With
    ``open_cards``, all cards and the house players' reasons are shown after each hand. A series has
    ``count`` tournaments, each with its own cards and seats; house players keep what they learned
    through all of them, as in Booker (2004), section 9.
    """

    is_server = False

    def __init__(
        self,
        form: RingFormat | TournamentFormat,
        me: str,
        house: Mapping[str, GuardedPlayer],
        *,
        seed: int,
        log: HandLog | None = None,
        open_cards: bool = False,
        pause: float = PAUSE,
        count: int = 1,
    ) -> None:
        self.me = me
        self.pause = pause
        """Seconds to show each action of others; a hand's end stays longer in proportion."""
        self.failure: RailbirdError | None = None
        """Why the game ended early."""
        self.hands = 0
        """Hands that the person was dealt, and that have ended."""
        self.net = 0
        """Chips that the person won in them."""
        self.places: list[int] = []
        """The person's places in the tournaments that were played to their end."""
        self._count = count
        self._form, self._seed = form, seed
        self._house = dict(house)
        self._log = log
        self._finished = FinishedHands()
        self._choosing: dict[int, HandRecord] = {}
        """By table the last hand, while the person may still show its cards."""
        self._open_cards = open_cards
        self._hear: Callable[[News], object] = lambda _: None
        self._calls: queue.SimpleQueue[GameRequest | tuple[int, TurnAnswer]] = queue.SimpleQueue()
        self._shows: queue.SimpleQueue[ShowCards] = queue.SimpleQueue()
        """Hands whose cards the person shows, which need not wait for the end of a pause."""
        self._on = threading.Event()
        self._leaving = False
        self._is_out = False
        """The person is knocked out, and watches."""
        self._reasons: list[Reasons] = []
        self._thread = threading.Thread(target=self._run, name="game", daemon=True)
        self._play = self._opened(0)
        rng = np.random.default_rng(seed).spawn(len(house))
        carries_over = not (isinstance(form, RingFormat) and form.top_up)
        self._players = {
            name: PlayerAtServer(player, generator, carries_over=carries_over, is_series=count > 1)
            for (name, player), generator in zip(house.items(), rng, strict=True)
        }

    def _opened(self, number: int) -> RingPlay | TournamentPlay:
        """Open the game, or the tournament of the series with this number, from 0."""
        form, self._number = self._form, number
        # The first tournament's key is that of a single one, so a seed deals the same cards whether
        # one is played or a series.
        of_series = f" {number}" if number else ""
        key = sha256(f"railbird play {self._seed}{of_series}".encode()).digest()
        person = Entrant(name=self.me, kind=PlayerKind.PERSON)
        others = [Entrant(name=name, kind=PlayerKind.HOUSE, spec=name) for name in self._house]
        is_ring = isinstance(form, RingFormat)
        opened = Opened(
            at=Time().unix_ms(),
            kind="ring" if is_ring else "tournament",
            # Turns are named after their game, and nobody may take one for a turn of the last game.
            id="play" if self._count == 1 else f"play-{number + 1}",
            format=form.name,
            settings=format_text(form),
            commitment=commitment(key),
            seed=key.hex(),
            entrants=() if is_ring else (person, *others),
        )
        play = RingPlay(opened) if is_ring else TournamentPlay(opened)
        play.show_seconds = form.clocks.limit  # nobody else waits
        self._entrants = (person, *others)
        return play

    @property
    def series(self) -> tuple[int, int] | None:
        """The number of the tournament in play and the number of all; None for a single one."""
        return None if self._count == 1 else (self._number + 1, self._count)

    @property
    def variant(self) -> Variant:
        """The game."""
        return self._form.game

    @property
    def payouts(self) -> str:
        """The prizes of a series of tournaments in per cent, as `assess --payouts` takes them."""
        if self._count == 1 or isinstance(self._form, RingFormat):
            return ""
        return ",".join(f"{float(100 * share):g}" for share in self._form.payouts)

    # What the screen calls.

    def start(self, hear: Callable[[News], object]) -> None:
        """Begin the game in a thread of its own."""
        self._hear = hear
        self._thread.start()

    def send(self, request: GameRequest) -> None:
        """Take a message of the person."""
        if isinstance(request, StandUp):
            # The mark is set here and not where the thread takes the message: a pause that begins
            # in between would let the person wait for it.
            self._leaving = True
            self._on.set()
        elif isinstance(request, ShowCards):
            self._shows.put(request)
            self._on.set()
        self._calls.put(request)

    def come_back(self) -> None:
        """Do nothing: this game is always there."""

    def hurry(self) -> None:
        """Cut the present pause short."""
        self._on.set()

    def close(self) -> None:
        """Leave the game; a hand in play is folded or checked, and logged if that is quick."""
        self.send(StandUp())
        if self._thread.ident is not None:
            self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            _LOG.warning("a house player still thinks: the last hand is not in the log")

    def take_faults(self) -> list[tuple[str, FaultTally]]:
        """Return the house players' failures, by name, once the game is over."""
        return [(name, player.take_faults()) for name, player in self._house.items()]

    # The thread.

    def _run(self) -> None:
        text = ""
        try:
            self._hear(LinkNews(LinkState.OPEN))
            try:
                self._play_all()
            finally:
                # The last hand of each table waits for the person's choice to show cards; it must
                # be logged even where the game fails.
                self._log_choices()
        except _Stopped:
            pass
        except RailbirdError as problem:
            self.failure, text = problem, str(problem)
        except Exception as problem:
            _LOG.exception("the game has failed")
            text = f"{type(problem).__name__}: {problem}"
            self.failure = RailbirdError(text)
        finally:
            close_all(self._house.values())
        self._hear(LinkNews(LinkState.OVER, text, is_failure=self.failure is not None))

    def _play_all(self) -> None:
        self._play_through()
        for number in range(1, self._count):
            self._wait(self.pause * HAND_PAUSE)
            self._play, self._is_out = self._opened(number), False
            self._play_through()

    def _play_through(self) -> None:
        """Play the game to its end, or until the person leaves."""
        self._play.attach(self, self)
        self._seat_everybody()
        self._play.advance()
        while self._play.closed is None:
            # The game takes one step at a time, so that what the person sends in a long series of
            # house players' actions is not delayed to its end.
            if self._play.has_more:
                self._play.advance()
            else:
                self._do(self._calls.get())
        self._log_choices()
        if isinstance(self._play, TournamentPlay):
            self.places.append(self._play.places[_ME])

    def _log_choices(self) -> None:
        for table in list(self._choosing):
            self._log_choice(table)

    def _seat_everybody(self) -> None:
        play = self._play
        if isinstance(play, RingPlay):
            for entrant in self._entrants:
                play.join(entrant, play.form.buy_ins[1])
        else:
            play.players[_ME].connected = True

    def _do(self, call: GameRequest | tuple[int, TurnAnswer]) -> None:
        match call:
            case ActMessage() if not self._leaving:
                refused = self._play.act(_ME, call)
                if refused is not None:
                    self._hear(refused)
            case ShowCards():
                self._show()
            case BuyChips(amount=amount):
                self._buy(amount)
            case StandUp():
                self._stand_up()
            case (int(number), TurnAnswer() as answer):
                message = ActMessage(
                    turn=answer.turn.turn,
                    action=0,
                    verb=answer.verb,
                    to=answer.to,
                    cards=answer.cards,
                )
                refused = self._play.act(number, message)
                if refused is not None:
                    # House players' answers were checked before they were sent, so a refusal is a
                    # fault of this program and not of a player.
                    raise BadInput(refused.text)
            case _:
                pass

    def _show(self) -> None:
        """Show the person's cards of hands that are over, as far as that was not done yet."""
        while not self._shows.empty():
            refused = self._play.show(_ME, self._shows.get())
            if refused is not None:
                self._hear(refused)

    def _buy(self, chips: int) -> None:
        play = self._play
        if not isinstance(play, RingPlay) or play.form.top_up or self._leaving:
            return
        session = play.sessions[_ME]
        most = play.form.buy_ins[1] - session.stack - session.asked
        if 0 < chips <= most:
            play.commit(Bought(at=play.when.unix_ms(), player=_ME, chips=chips))

    def _stand_up(self) -> None:
        """Let the hand be played to its end without the person."""
        play, self._leaving = self._play, True
        if play.table_of(_ME) not in play.hands or self._is_out:
            raise _Stopped
        play.players[_ME].is_leaving = True  # which is what the table says, rather than frozen
        play.commit(Present(at=play.when.unix_ms(), player=_ME, presence="frozen"))
        # The turn is withdrawn first: its answer can come no more, and the game acts for who is
        # frozen.
        for table, turn in list(play.turns.items()):
            if turn.player == _ME:
                del play.turns[table]
        play.advance()

    def _wait(self, seconds: float) -> None:
        """Pause, so that the person can read what has happened."""
        is_next_wanted = self._is_out and self._number + 1 < self._count
        if self._leaving or self.pause == 0 or is_next_wanted:
            return
        # The order matters: a key that is pressed between clearing and waiting ends the wait, and
        # one pressed before clearing to leave is seen by the second look.
        self._on.clear()
        if not self._leaving:  # which may have been said meanwhile
            self._on.wait(seconds)

    def _rest(self) -> None:
        """Pause after a hand, in which the person may show cards."""
        end = time.monotonic() + self.pause * HAND_PAUSE
        while (left := end - time.monotonic()) > 0:
            # A wait that ends early is either a key to go on or cards to show; the rest of the
            # pause follows the latter only.
            self._wait(left)
            if self._shows.empty():
                return
            self._show()  # and rest on

    # What the game calls, in its thread.

    def write(self, record: AnyRecord) -> None:
        """Keep no journal: a hand is logged when it ends."""

    def tell(self, table: int, event: TableEvent) -> None:
        """Send an event to everybody at a table, and let house players answer."""
        is_mine = self._tell_me(table, event)
        if isinstance(event, HandStart | HandStep | HandEnd | ShownByChoice | TurnStart):
            self._tell_house(table, event)
        self._follow_hands(table, event)
        if is_mine and isinstance(event, HandStep):
            self._pause_after(event)
        elif isinstance(event, HandEnd):
            self._after_hand(table, event, is_mine=is_mine)

    def _follow_hands(self, table: int, event: TableEvent) -> None:
        """Log each hand that ends; one of which the person may show cards waits for the next."""
        if isinstance(event, ShownByChoice) and table in self._choosing:
            choices = list(self._choosing[table].shown_by_choice)
            choices[event.seat] = True
            self._choosing[table] = replace(self._choosing[table], shown_by_choice=tuple(choices))
        record = self._finished.hears(event)
        if record is None:
            return
        self._log_choice(table)
        if isinstance(self._play, TournamentPlay):  # as logs of tournaments name their tables
            record = replace(record, table=f"{len(self.places) + 1}.{table}")
        # A record is written once and never changed, so a hand whose cards may still be shown is
        # held back until the next one begins.
        self._choosing[table] = record
        if self.me not in record.players:
            self._log_choice(table)

    def _log_choice(self, table: int) -> None:
        """Log the last hand of a table, of which nobody shows cards any more."""
        record = self._choosing.pop(table, None)
        if record is not None and self._log is not None:
            self._log.append(record)

    def _tell_me(self, table: int, event: TableEvent) -> bool:
        """Inform the person, or else a spectator; return whether there was one."""
        if self._is_out:
            viewer = None
            # Somebody who is out watches one table only, the lowest that is left.
            if table != min(self._play.tables, default=0):
                return False
        elif _ME in self._play.players_at(table):
            viewer = self.me
        else:
            return False
        message = told(event, viewer)
        if message is not None:
            self._hear(message)
        return True

    def _tell_house(self, table: int, event: TableEvent) -> None:
        for number in self._play.players_at(table):
            if number == _ME:
                continue
            name = self._play.players[number].entrant.name
            message = told(event, name)
            player = self._players[name]
            answer = None if message is None else player.hears(message)
            if answer is None:
                continue
            if self._open_cards and player.view is not None:
                # Reasons are asked for at once, as the player remembers its last decision only.
                self._keep_reasons(answer, self._house[name], player.view)
            # The answer goes through the same queue as the person's, so that the game is changed by
            # one thread.
            self._calls.put((number, answer))

    def _keep_reasons(self, answer: TurnAnswer, player: GuardedPlayer, seat_view: View) -> None:
        explaining, turn = player.player, answer.turn
        if isinstance(explaining, Explaining):
            text = explaining.explain(seat_view).rule
            seat, number = seat_view.seat, len(turn.hand.history)
            self._reasons.append(Reasons(turn.table, turn.hand.hand, seat, number, text))

    def _pause_after(self, step: HandStep) -> None:
        seat = getattr(step.event, "seat", None)
        holders = step.moment.holders
        mine = next((s for s, holder in enumerate(holders) if holder.name == self.me), None)
        is_in = mine is not None and mine in step.moment.state.in_hand
        # The person's own actions need no pause to be read.
        if seat is None or seat != mine:
            self._wait(self.pause if is_in else self.pause * OUT_OF_HAND)

    def _after_hand(self, table: int, event: HandEnd, *, is_mine: bool) -> None:
        names = [holder.name for holder in event.moment.holders]
        if self.me in names:
            seat, before = names.index(self.me), event.moment.state.rules.stacks or ()
            self.hands += 1
            self.net += event.stacks[seat] - before[seat]
        if is_mine and self._open_cards:
            self._reveal(table, event)
        if self._leaving and (is_mine or self._is_out):
            raise _Stopped
        if is_mine:
            self._rest()
        if isinstance(self._play, RingPlay) and not self._play.form.top_up:
            self._buy_in_again(self._play)

    def _reveal(self, table: int, event: HandEnd) -> None:
        moment = event.moment
        self._tell_me(table, Reveal(moment.table, moment.hand, moment.state.cards))
        for reasons in self._reasons:
            if (reasons.table, reasons.hand) == (moment.table, moment.hand):
                self._tell_me(table, reasons)
        self._reasons = [r for r in self._reasons if r.table != moment.table]

    def _buy_in_again(self, play: RingPlay) -> None:
        """Give new chips to house players without any; wait until the person has decided."""
        for number, session in play.sessions.items():
            if not session.stack + session.asked and number != _ME:
                chips = play.form.buy_ins[1]
                play.commit(Bought(at=play.when.unix_ms(), player=number, chips=chips))
        mine = play.sessions[_ME]
        while not mine.stack + mine.asked:
            # Without chips the person can only buy, show cards or leave; other messages, such as a
            # late answer to a turn, are dropped.
            call = self._calls.get()
            if isinstance(call, BuyChips):
                self._buy(call.amount)
            elif isinstance(call, ShowCards):
                self._show()
            elif isinstance(call, StandUp):
                raise _Stopped

    def tell_entrants(self, event: TableEvent) -> None:
        """Send the person news of the whole tournament."""
        message = told(event, self.me)
        if message is not None:
            self._hear(message)

    def seated(self, player: int, table: int) -> None:
        """Tell a player about the table."""
        name = self._play.players[player].entrant.name
        message = Seated(table=self._play.table_info(table))
        if player == _ME:
            self._hear(message)
        else:
            self._players[name].hears(message)

    def left(self, player: int, table: int, reason: LeaveReason) -> None:
        """Tell the person that the seat is gone; a person knocked out sees the others play."""
        if player != _ME:
            return
        name = self._play.table_name(table)
        self._hear(Left(table=name, reason=reason))
        if reason == "knocked_out":
            self._is_out = True

    def ask_house(self, player: int, turn: str) -> None:
        """Do nothing: a house player answers its turn like anybody else."""

    def froze(self, player: int) -> None:
        """Do nothing: nobody has a clock here."""

    def session_over(self, outcome: SessionOutcome) -> None:
        """Do nothing: nobody keeps results here."""

    def finished(self, record: Closed) -> None:
        """Do nothing: the loop sees it."""
