"""A table as a person's screen shows it: the fold of what was told, from here or from a server."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from railbird.cards import Suits
from railbird.client.play.event_words import (
    cards_text,
    chips,
    entry_words,
    made_hand,
    posts_words,
)
from railbird.client.play.planned_action import Plan, PlannedAction, price_of
from railbird.client.play.settings import LOG_LINES
from railbird.client.play.shown import (
    LogLine,
    SeatShown,
    Tone,
    absence_words,
    seated_before_hand,
)
from railbird.client.play.source import LinkNews, LinkState, News
from railbird.errors import BadInput
from railbird.protocol import following
from railbird.protocol.messages.game import (
    Acted,
    ActionEntry,
    BoardDealt,
    CardsRevealed,
    Explained,
    HandBegins,
    HandOver,
    HandView,
    HandVoid,
    KnockedOut,
    Left,
    Lobby,
    Mucked,
    Paused,
    PlayerLeft,
    PlayerSat,
    PotView,
    Presence,
    PresenceChanged,
    Queued,
    Result,
    Seated,
    SessionReport,
    Shown,
    Snapshot,
    TableInfo,
    ToAct,
    Turn,
    Unqueued,
)
from railbird.protocol.messages.session import Announcement, ErrorMessage, Welcome

_LONGEST_CLOCK_MS = 3_600_000
"""A longer limit is none to be shown."""


@dataclass(slots=True)
class Clock:
    """A turn's time."""

    ends: float
    """In the clock's seconds; then the bank begins."""
    bank: float


class TableModel:
    """What one viewer knows of one table, and of the way there."""

    def __init__(
        self, *, now: Callable[[], float] = time.monotonic, suits: Suits = Suits.SYMBOLS
    ) -> None:
        self.me: str | None = None
        self.suits = suits
        self.table: TableInfo | None = None
        self.hand: HandView | None = None
        """The hand in play, or the last one until the next begins."""
        self.is_over = True
        """Whether the hand has ended."""
        self.turn: Turn | None = None
        """My turn."""
        self.to_act: int | None = None
        self.clock: Clock | None = None
        self.pots: list[PotView] = []
        self.won: list[int] = []
        """By seat, once the hand is over."""
        self.plan: PlannedAction | None = None
        self.log: deque[LogLine] = deque(maxlen=LOG_LINES)
        self.logged = 0
        """Lines so far, those that were dropped included."""
        self.lobby: Lobby | None = None
        self.queued: Queued | None = None
        self.result: Result | None = None
        self.place: KnockedOut | None = None
        """My own end of a tournament."""
        self.session: SessionReport | None = None
        self.link: LinkNews | None = None
        self.net = 0
        """Chips won at ring tables, as far as hands ended here."""
        self.hands = 0
        self.is_watching = False
        self.needs_snapshot = False
        """True after news that do not fit, until somebody asks for a snapshot."""
        self._now = now
        self._doing: dict[int, str] = {}
        self._revealed: dict[int, tuple[str, ...]] = {}

    # News.

    def hears(self, news: News) -> None:
        """Follow what was told."""
        match news:
            case LinkNews():
                self._link(news)
            case Seated(table=table):
                self._sit(table)
            case Left():
                self._left(news)
            case KnockedOut() | Result() | SessionReport():
                self._end(news)
            case Welcome() | Lobby() | Queued() | Unqueued() | Announcement() | ErrorMessage():
                self._away_from_tables(news)
            case _:
                if self._is_mine(news):
                    self._at_table(news)

    def _away_from_tables(
        self, news: Welcome | Lobby | Queued | Unqueued | Announcement | ErrorMessage
    ) -> None:
        match news:
            case Welcome(name=name):
                self.me = name
            case Lobby():
                self.lobby = news
            case Queued():
                self.queued = news
            case Unqueued():
                self.queued = None
            case Announcement(text=text):
                self.say(text, Tone.NOTICE)
            case ErrorMessage(text=text):
                self.say(text, Tone.PROBLEM)

    def say(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Add a line to the log."""
        self.log.append(LogLine(text, tone))
        self.logged += 1

    def leave_table(self) -> None:
        """Forget the table, on the way back to a lobby."""
        self.table = self.result = self.place = self.session = None
        self.is_watching = False
        self._clear()

    def _is_mine(self, news: News) -> bool:
        """Return whether news are of the table that is shown."""
        if isinstance(news, Snapshot):
            return True
        table = getattr(news, "table", None)
        return self.table is None or table == self.table.table

    def _link(self, news: LinkNews) -> None:
        was, self.link = self.link, news
        if news.state is not LinkState.OPEN:
            self.turn = self.to_act = self.clock = self.plan = None
        elif was is not None and was.state is LinkState.CONNECTING and self.table is not None:
            self.say("connected again", Tone.NOTICE)
        if news.text and (was is None or was.text != news.text):
            self.say(news.text, Tone.PROBLEM if news.is_failure else Tone.NOTICE)

    def _sit(self, table: TableInfo) -> None:
        if self.table is None or self.table.table != table.table:
            self.say(f"seated at {table.table}", Tone.NOTICE)
        self.table, self.queued, self.is_watching = table, None, False
        self.result = self.place = self.session = None
        self.net = self.hands = 0
        self._clear()

    def _clear(self) -> None:
        self.hand = self.turn = self.to_act = self.clock = self.plan = None
        self.is_over = True
        self.pots, self.won = [], []
        self._doing.clear()
        self._revealed.clear()

    def _left(self, left: Left) -> None:
        words = {
            "moved": "moved to another table",
            "knocked_out": "knocked out",
            "over": "the game is over",
            "stood_up": "left the table",
            "busted": "no chips left",
            "unwatched": "watched no longer",
        }
        if self.table is None or left.table != self.table.table:
            return
        self.say(words[left.reason], Tone.NOTICE)
        self.turn = self.clock = self.plan = None
        if left.reason == "unwatched":
            self.table = None
            self._clear()

    def _end(self, news: KnockedOut | Result | SessionReport) -> None:
        match news:
            case KnockedOut(name=name, place=place, prize=prize):
                money = f", prize {prize}" if prize != "0" else ""
                who = "you are" if name == self.me else f"{name} is"
                self.say(f"{who} knocked out: place {place}{money}", Tone.NOTICE)
                if name == self.me:
                    self.place = news
            case Result(places=places, void=void):
                self.result = news
                if void:
                    self.say("the tournament is void", Tone.NOTICE)
                elif places:
                    mine = places[0].name == self.me
                    winner = "you win" if mine else f"{places[0].name} wins"
                    self.say(f"{winner} the tournament", Tone.NOTICE)
            case SessionReport():
                self.session = news

    def _at_table(self, news: News) -> None:
        try:
            seen = following(None if self.is_over else self.hand, news)  # type: ignore[arg-type]
        except (BadInput, LookupError):
            self.needs_snapshot = True
            return
        if seen is not None:
            self.hand = seen
        self._follow(news)
        if self.plan is not None and not self.plan.holds(None if self.is_over else self.hand):
            self.say(f"“{self.plan}” is given up: the price has changed", Tone.NOTICE)
            self.plan = None

    def _follow(self, news: News) -> None:
        """Follow news of this table, after the hand has."""
        match news:
            case Snapshot():
                self._snapshot(news)
            case HandBegins():
                self._hand_begins(news.hand)
            case Turn():
                self._my_turn(news)
            case ToAct(seat=seat, ms=ms, bank_ms=bank):
                self.turn, self.to_act = None, seat
                self._wind(ms, bank)
            case Acted() | BoardDealt() | Shown() | Mucked():
                self._happened(news)
            case HandOver():
                self._hand_over(news)
            case HandVoid() | CardsRevealed() | Explained():
                self._after_hand(news)
            case _:
                self._people(news)

    def _after_hand(self, news: HandVoid | CardsRevealed | Explained) -> None:
        match news:
            case HandVoid(text=text):
                self.say(f"the hand is void: {text}", Tone.NOTICE)
                self.is_over, self.turn, self.to_act, self.clock = True, None, None, None
            case CardsRevealed(cards=cards):
                self._reveal(cards)
            case Explained(seat=seat, text=text):
                self.say(f"{self._name(seat)}: {text}")

    def _snapshot(self, news: Snapshot) -> None:
        self._clear()
        self.table, self.needs_snapshot = news.table, False
        self.is_watching = self.me not in {player.name for player in news.table.players}
        if news.hand is not None:
            self.hand, self.is_over = news.hand, False
            self._retell(news.hand)
        if news.turn is not None:
            self._my_turn(news.turn)
        elif news.to_act is not None:
            self.to_act = news.to_act.seat
            self._wind(news.to_act.ms, news.to_act.bank_ms)

    def _retell(self, hand: HandView) -> None:
        """Find what each seat did last on this street."""
        for entry in hand.history:
            if isinstance(entry, ActionEntry):
                self._doing[entry.seat] = _short(entry)
            else:
                self._new_street()

    def _hand_begins(self, hand: HandView) -> None:
        self._clear()
        self.hand, self.is_over = hand, False
        self.say(f"hand {hand.hand}, {posts_words(hand)}", Tone.HAND)
        if hand.you is not None and (cards := hand.seats[hand.you].cards):
            self.say(f"your cards: {cards_text(cards, self.suits)}", Tone.MINE)

    def _my_turn(self, turn: Turn) -> None:
        self.turn, self.pots = turn, turn.pots
        self.to_act = turn.hand.you
        self._wind(turn.ms, turn.bank_ms)

    def _wind(self, ms: int, bank: int) -> None:
        shown = ms < _LONGEST_CLOCK_MS
        self.clock = Clock(self._now() + ms / 1000, bank / 1000) if shown else None

    def _happened(self, news: Acted | BoardDealt | Shown | Mucked) -> None:
        hand = self.hand
        assert hand is not None  # `following` refuses these without one
        self.turn = self.to_act = self.clock = None
        entry = news.entry
        mine = isinstance(news, Acted) and news.entry.seat == hand.you
        tone = Tone.MINE if mine else Tone.BOARD if isinstance(news, BoardDealt) else Tone.PLAIN
        words = entry_words(entry, hand, self.suits)
        if isinstance(news, Acted):
            self._doing[news.entry.seat] = _short(news.entry)
            if news.by != "player":
                words += " (out of time)" if news.by == "clock" else " (absent)"
        elif isinstance(news, BoardDealt):
            self._new_street()
            self.pots = news.pots
        self.say(words, tone)

    def _new_street(self) -> None:
        self._doing = {seat: doing for seat, doing in self._doing.items() if doing == "fold"}

    def _hand_over(self, news: HandOver) -> None:
        self.is_over, self.pots, self.won = True, news.pots, news.won
        self.turn = self.to_act = self.clock = None
        self.hands += 1
        if self.hand is None:
            return
        seats = [
            seat.model_copy(update={"stack": stack, "bet": 0})
            for seat, stack in zip(self.hand.seats, news.stacks, strict=False)
        ]
        self.hand = self.hand.model_copy(update={"seats": seats})
        for seat, won in enumerate(news.won):
            if won > 0:
                mine = self.hand.you == seat
                words = "you win" if mine else f"{self._name(seat)} wins"
                self.say(f"{words} {chips(won)}", Tone.BOARD)
        if self.hand.you is not None:
            self.net += news.won[self.hand.you]

    def _reveal(self, cards: list[list[str]]) -> None:
        self._revealed = {seat: tuple(two) for seat, two in enumerate(cards)}
        hidden = [
            f"{self._name(seat)} {cards_text(two, self.suits)}"
            for seat, two in enumerate(cards)
            if self.hand is not None and self.hand.seats[seat].cards is None
        ]
        if hidden:
            self.say(f"also dealt: {'; '.join(hidden)}")

    def _people(self, news: News) -> None:
        match news:
            case PresenceChanged(name=name, presence=presence):
                words = presence.value.replace("_", " ")
                self.say(f"{name} is {'back' if presence is Presence.HERE else words}", Tone.NOTICE)
                self._change_table(presence=(name, presence))
            case PlayerLeft(name=name):
                self.say(f"{name} leaves the table")
                self._change_table(out=name)
            case PlayerSat(player=player):
                if self.table is not None:
                    others = [p for p in self.table.players if p.name != player.name]
                    self.table = self.table.model_copy(update={"players": [*others, player]})
            case Paused(paused=paused):
                self.say("the table waits for the operator" if paused else "the table plays on")
            case _:
                pass

    def _change_table(
        self, *, presence: tuple[str, Presence] | None = None, out: str | None = None
    ) -> None:
        if self.table is None:
            return
        players = [
            p.model_copy(update={"presence": presence[1]})
            if presence is not None and p.name == presence[0]
            else p
            for p in self.table.players
            if p.name != out
        ]
        self.table = self.table.model_copy(update={"players": players})

    # What is shown.

    def _name(self, seat: int) -> str:
        return "?" if self.hand is None else self.hand.seats[seat].name

    @property
    def is_in(self) -> bool:
        """Whether I hold cards in a hand that goes on."""
        hand = self.hand
        if hand is None or hand.you is None or self.is_over:
            return False
        return not hand.seats[hand.you].folded

    @property
    def price(self) -> int:
        """What a call costs me now, or would if it were my turn."""
        if self.turn is not None:
            return self.turn.legal.to_call
        return price_of(self.hand) if self.hand is not None and self.is_in else 0

    @property
    def can_plan(self) -> bool:
        """Whether an action can be chosen before its turn."""
        hand = self.hand
        if hand is None or hand.you is None or not self.is_in or self.turn is not None:
            return False
        return hand.seats[hand.you].stack > 0 and self.to_act is not None

    def make_plan(self, plan: Plan) -> None:
        """Choose an action before its turn; the same one again gives it up."""
        hand = self.hand
        if hand is None or not self.can_plan:
            return
        made = PlannedAction(plan, hand.hand, hand.street, self.price)
        self.plan = None if self.plan == made else made

    @property
    def seats(self) -> list[SeatShown]:
        """Seats by position, mine first, clockwise; without a hand, whoever sits there."""
        hand = self.hand
        if hand is None:
            return [] if self.table is None else seated_before_hand(self.table, self.me)
        first = hand.you or 0
        order = [*range(first, len(hand.seats)), *range(first)]
        return [self._seat(hand, seat) for seat in order]

    def _seat(self, hand: HandView, number: int) -> SeatShown:
        seat = hand.seats[number]
        known = seat.cards or self._revealed.get(number)
        in_hand = not (seat.folded or seat.mucked)
        doing = self._doing.get(number, "")
        won = self.is_over and number < len(self.won) and self.won[number] > 0
        if won:
            doing = f"wins {chips(self.won[number])}"
        elif self.is_over and self.won:
            doing = "fold" if seat.folded else ""
        elif not doing and seat.bet and hand.street == "preflop":
            doing = f"blind {chips(seat.bet)}"
        shows = known is not None and (in_hand or number == hand.you or bool(self._revealed))
        return SeatShown(
            name=seat.name,
            stack=seat.stack,
            bet=seat.bet,
            cards=tuple(known) if known is not None and shows else None,
            holds_cards=in_hand,
            is_me=number == hand.you,
            is_to_act=number == self.to_act and not self.is_over,
            is_button=number == hand.button,
            folded=seat.folded,
            all_in=in_hand and seat.stack == 0 and not self.is_over,
            doing=doing,
            absence=absence_words(seat.presence),
            won=won,
        )

    @property
    def board(self) -> tuple[str, ...]:
        """The board's cards."""
        return () if self.hand is None else tuple(self.hand.board)

    @property
    def pot(self) -> int:
        """All chips put in."""
        return 0 if self.hand is None else self.hand.pot

    @property
    def pot_lines(self) -> list[str]:
        """The pot; where somebody is all-in, each pot with those who can win it."""
        if self.hand is None:
            return []
        all_in = any(not s.stack and not s.folded and s.spent for s in self.hand.seats)
        if len(self.pots) < 2 or not (all_in or self.is_over):
            return [f"pot {chips(self.pot)}"]
        lines = [f"pot {chips(self.pot)}"] if not self.is_over else []
        for number, pot in enumerate(self.pots):
            names = ", ".join(self._name(seat) for seat in pot.seats)
            kind = "main pot" if number == 0 else "side pot"
            lines.append(f"{kind} {chips(pot.amount)}: {names}")
        return lines

    @property
    def my_cards(self) -> tuple[str, ...]:
        """My own cards."""
        hand = self.hand
        if hand is None or hand.you is None:
            return ()
        return tuple(hand.seats[hand.you].cards or ())

    @property
    def my_hand(self) -> str:
        """What my cards make with the board, in words."""
        return made_hand(self.my_cards, self.board) if self.my_cards else ""

    @property
    def my_hand_in_short(self) -> str:
        """The same without the cards beside it, and nothing for a high card."""
        made = self.my_hand.partition(" with ")[0]
        return "" if made.startswith("high card") else made

    def seconds_left(self) -> tuple[int, int] | None:
        """Return the seconds left of the turn that runs, and those of the bank; None without."""
        if self.clock is None:
            return None
        left = self.clock.ends - self._now()
        return max(0, round(left)), max(0, round(self.clock.bank + min(0.0, left)))

    @property
    def opponents_in(self) -> int:
        """Others who still hold cards."""
        hand = self.hand
        if hand is None:
            return 0
        return sum(not s.folded and n != hand.you for n, s in enumerate(hand.seats))


def _short(entry: ActionEntry) -> str:
    match entry.verb:
        case "fold" | "check":
            return entry.verb
        case "call":
            return f"call {chips(entry.paid)}"
        case "bet" | "raise":
            return f"{entry.verb} {chips(entry.to or 0)}"
