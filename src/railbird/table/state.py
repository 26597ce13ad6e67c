"""A table as its viewer sees it: the fold of the protocol's messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final

from msgspec import structs

from railbird.errors import BadInput
from railbird.protocol import AnyServer, following, messages
from railbird.table.felt import Felt, felt_of
from railbird.table.words import (
    YOU,
    LogLine,
    amount,
    does,
    end_lines,
    entry_line,
    hand_lines,
    is_,
    names_of,
    short_name,
    table_title,
)

LOG_LINES: Final = 60
"""Lines of the log that are kept: two or three hands."""

LONG_CLOCK_S: Final = 120.0
"""A longer limit is no pressure, and its clock is not drawn."""


@dataclass(frozen=True, slots=True)
class TurnClock:
    """Time of the player to act, in seconds of the clock that the fold is given."""

    seat: int
    ends: float
    """End of the limit of this action."""
    bank_s: float
    """Seconds in the bank after that."""
    limit_s: float
    """Length of the limit."""

    def left(self, now: float) -> tuple[float, float]:
        """Return the seconds left of the limit and of the bank."""
        # The bank is spent only after the limit of the action, so its clock stands until that is
        # over.
        over = max(0.0, now - self.ends)
        return max(0.0, self.ends - now), max(0.0, self.bank_s - over)

    @property
    def is_drawn(self) -> bool:
        """Whether the limit is short enough to press."""
        return self.limit_s <= LONG_CLOCK_S


@dataclass(frozen=True, slots=True)
class SeenPlay:
    """What everybody could see a player do before the flop, in whole hands."""

    hands: int = 0
    """Dealt in, and played to the end while the viewer was told of them."""
    joined: int = 0
    """Those in which the player put chips in by choice."""
    raised: int = 0
    """Those in which the player raised, or bet first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """A table as one viewer knows it."""

    info: messages.TableInfo
    name: str | None
    """The viewer's name, where the viewer plays here."""
    hand: messages.HandView | None = None
    """The hand in play, or the last one."""
    over: messages.HandOver | None = None
    won: int = 0
    """Chips that the viewer has won in all, in hands that ended here."""
    hands: int = 0
    """Number of those hands."""
    seen: Mapping[str, SeenPlay] = field(default_factory=dict)
    """By name, how players of this table played in the hands that ended here."""
    pots: tuple[messages.PotView, ...] | None = None
    """As the last message had them; None where they follow from the bets."""
    turn: messages.Turn | None = None
    """The viewer's turn."""
    clock: TurnClock | None = None
    revealed: tuple[tuple[str, ...], ...] = ()
    reasons: tuple[messages.Explained, ...] = ()
    shown_by_choice: frozenset[int] = frozenset()
    """Seats that have shown their cards since the hand was over."""
    unseen: int = 0
    """The hand before this one, if the viewer may still show its cards; else 0."""
    lines: tuple[tuple[int, LogLine], ...] = ()
    """The log with numbers, which tell old lines from new ones."""
    fresh: tuple[LogLine, ...] = ()
    """The lines of the last message that had any."""
    news: str = ""
    """The type of the last message."""
    needs_snapshot: bool = False
    """True after news that do not continue the hand, until a snapshot comes."""
    knocked_out: messages.KnockedOut | None = None
    """The viewer's own end."""
    result: messages.Result | None = None
    report: messages.SessionReport | None = None
    left: str = ""
    """Why the viewer sits here no longer."""

    @property
    def is_practice(self) -> bool:
        """Whether this is a practice table."""
        return self.info.kind == "practice"

    @property
    def waits_for_me(self) -> bool:
        """Whether the next hand of a practice table comes when the viewer wants it."""
        between = self.over is not None or self.hand is None
        return self.is_practice and between and self.info.hand > 0 and not self.is_over

    @property
    def is_over(self) -> bool:
        """Whether the viewer has nothing more to do here."""
        return self.left not in ("", "moved") or self.result is not None

    @property
    def place(self) -> int | None:
        """The viewer's place in a tournament that is over for the viewer."""
        if self.knocked_out is not None:
            return self.knocked_out.place
        places = () if self.result is None else self.result.places
        return next((finish.place for finish in places if finish.name == self.name), None)

    @property
    def to_act(self) -> int | None:
        """The seat to act."""
        return None if self.clock is None else self.clock.seat

    @property
    def me(self) -> int | None:
        """The viewer's seat in the hand."""
        return None if self.hand is None else self.hand.you

    @property
    def is_in(self) -> bool:
        """Whether the viewer holds cards in a hand that goes on."""
        hand = self.hand
        if hand is None or hand.you is None or self.over is not None:
            return False
        return not hand.seats[hand.you].folded

    @property
    def own_cards(self) -> tuple[str, ...]:
        """The viewer's cards; up cards come last, in the order of dealing."""
        if self.hand is None or self.hand.you is None:
            return ()
        seat = self.hand.seats[self.hand.you]
        up = tuple(seat.up or ())
        return (*(card for card in seat.cards or () if card not in up), *up)

    @property
    def may_show(self) -> bool:
        """Whether the viewer may show cards of the last hand, which nobody else has seen."""
        hand, over = self.hand, self.over
        if hand is None or over is None or over.show_ms is None or hand.you is None:
            return False
        seen = {entry.seat for entry in hand.history if isinstance(entry, messages.ShowEntry)}
        return bool(self.own_cards) and hand.you not in seen | self.shown_by_choice

    @property
    def showable(self) -> int:
        """The number of the hand whose cards the viewer may show: the last one that ended; or 0."""
        return self.hand.hand if self.hand is not None and self.may_show else self.unseen

    @property
    def presence(self) -> messages.Presence:
        """The viewer's presence, as the others see it."""
        mine = (player.presence for player in self.info.players if player.name == self.name)
        return next(mine, messages.Presence.HERE)

    @property
    def runs_twice(self) -> bool | None:
        """Whether the viewer would run all-ins twice; None where they are always run once."""
        mine = (player.runs_twice for player in self.info.players if player.name == self.name)
        return next(mine, None)

    @property
    def can_buy(self) -> int:
        """Chips that the viewer may add at a ring table."""
        if self.info.kind != "ring" or self.info.format.top_up:
            return 0
        mine = (player.stack for player in self.info.players if player.name == self.name)
        return max(0, self.info.format.stack - next(mine, self.info.format.stack))

    @property
    def lacks_players(self) -> bool:
        """Whether the next hand of a ring game waits for somebody to bring chips or to sit in."""
        form, idle = self.info.format, (messages.Presence.SITTING_OUT, messages.Presence.LEAVING)
        ready = [
            p for p in self.info.players if (p.stack or form.top_up) and p.presence not in idle
        ]
        return self.info.kind == "ring" and len(ready) < 2

    @property
    def is_broke(self) -> bool:
        """Whether the viewer lost the last chips in the hand that is over, and may buy new ones."""
        if self.over is None or self.me is None or not self.can_buy:
            return False
        return self.over.stacks[self.me] == 0

    def felt(self) -> Felt:
        """Return the table as it is drawn."""
        return felt_of(
            self.hand,
            self.info,
            name=self.name,
            to_act=self.to_act,
            pots=self.pots,
            over=self.over,
            revealed=self.revealed,
        )


def first_state(
    message: messages.Seated | messages.Snapshot, name: str | None, now: float
) -> TableState:
    """Return a table as its first message has it."""
    return after(TableState(info=message.table, name=name), message, now)


def is_of(message: AnyServer, state: TableState) -> bool:
    """Return whether a message is about a table, or about the tournament that it belongs to."""
    if getattr(message, "table", "") == state.info.table:
        return True
    tournament = state.info.tournament
    return tournament is not None and getattr(message, "tournament", "") == tournament


def after(state: TableState, message: AnyServer, now: float) -> TableState:
    """Return the table after one more message about it.

    ``now`` is the moment by the clock that the table's own is compared with, in seconds.
    """
    state = replace(state, news=getattr(message, "type", ""))
    match message:
        case messages.Seated(table=info):
            # What belonged to another chair or table goes; the log and what was seen of the players
            # stay, since the viewer may only have moved.
            seated = TableState(
                info=info, name=state.name, lines=state.lines, news=state.news, seen=state.seen
            )
            return _said(seated, [LogLine(table_title(info), kind="note")])
        case messages.Snapshot():
            return _after_snapshot(state, message, now)
        case messages.HandBegins(hand=hand):
            # The hand's stacks are after its posts, but those of the table are before a hand.
            stacks = {seat.name: seat.stack + seat.spent for seat in hand.seats}
            begun = replace(
                _between_hands(state, hand),
                info=_with_stacks(state.info, stacks),
                unseen=state.showable if state.over is not None else 0,
            )
            return _said(begun, hand_lines(structs.replace(hand, history=[])))
        case messages.Turn() | messages.ToAct():
            return _after_turn(state, message, now)
        case (
            messages.Acted()
            | messages.BoardDealt()
            | messages.StreetDealt()
            | messages.Shown()
            | messages.Mucked()
        ):
            return _after_step(state, message)
        case messages.HandOver(hand=number) if state.hand is not None and state.hand.hand == number:
            return _after_hand(state, state.hand, message)
        case messages.Showed():
            return _after_choice(state, message)
        case messages.CardsRevealed(cards=cards) if state.hand is not None:
            uncovered = replace(state, revealed=tuple(map(tuple, cards)))
            seats = zip(state.hand.seats, names_of(state.hand), cards, strict=True)
            hidden = [(name, two) for seat, name, two in seats if seat.cards is None]
            return _said(
                uncovered, [LogLine(f"{name} had", tuple(two), kind="show") for name, two in hidden]
            )
        case messages.Explained(seat=seat, text=text) if state.hand is not None:
            name = names_of(state.hand)[seat]
            explained = replace(state, reasons=(*state.reasons, message))
            return _said(explained, [LogLine(f"{name}: {text}", kind="note")])
        case _:
            return _after_news(state, message)


def _between_hands(state: TableState, hand: messages.HandView | None) -> TableState:
    """Return a table without what belongs to the hand before."""
    return replace(
        state,
        hand=hand,
        over=None,
        pots=None,
        turn=None,
        clock=None,
        revealed=(),
        reasons=(),
        shown_by_choice=frozenset(),
        needs_snapshot=False,
    )


def _after_snapshot(state: TableState, message: messages.Snapshot, now: float) -> TableState:
    hand, former_hand = message.hand, state.hand
    refreshed = replace(_between_hands(state, hand), info=message.table, left="")
    if hand is not None:
        # A snapshot often comes in the middle of a hand, after a lost connection. Only what the
        # viewer has not read is said: a log that repeated the hand would be read aloud again.
        is_same = (
            former_hand is not None
            and former_hand.hand == hand.hand
            and former_hand.you == hand.you
        )
        known_lines = (
            sum(1 for _ in hand_lines(former_hand)) if former_hand is not None and is_same else 0
        )
        refreshed = _said(refreshed, list(hand_lines(hand))[known_lines:])
    turn = message.turn or message.to_act
    return refreshed if turn is None else _after_turn(refreshed, turn, now)


def _after_turn(
    state: TableState, message: messages.Turn | messages.ToAct, now: float
) -> TableState:
    limit = state.info.format.limit_ms / 1000
    seat = message.seat if isinstance(message, messages.ToAct) else message.hand.you
    assert seat is not None
    # The message tells how long is left rather than when the time is up, as the clocks of the two
    # machines need not agree.
    clock = TurnClock(seat, now + message.ms / 1000, message.bank_ms / 1000, limit)
    if isinstance(message, messages.ToAct):
        return replace(state, turn=None, clock=clock)
    return replace(
        state,
        hand=message.hand,
        pots=tuple(message.pots),
        turn=message,
        clock=clock,
        needs_snapshot=False,
    )


def _after_step(
    state: TableState,
    message: messages.Acted
    | messages.BoardDealt
    | messages.StreetDealt
    | messages.Shown
    | messages.Mucked,
) -> TableState:
    # A message may have been lost or belong to a hand that the viewer never saw. A wrong table is
    # worse than none, so nothing is guessed and the whole hand is asked for.
    try:
        hand = following(None if state.over is not None else state.hand, message)
    except (BadInput, LookupError):
        return replace(state, needs_snapshot=True)
    assert hand is not None  # a step leads to a hand
    deal = message if isinstance(message, messages.BoardDealt | messages.StreetDealt) else None
    pots = None if deal is None else tuple(deal.pots)
    stacks = [seat.stack for seat in hand.seats]
    line = entry_line(hand, len(hand.history) - 1, names_of(hand), stacks)
    if isinstance(message, messages.Acted) and message.by != "player":
        is_leaving = hand.seats[message.entry.seat].presence is messages.Presence.LEAVING
        absent = "leaving" if is_leaving else "frozen"
        line = replace(line, after="the clock ran out" if message.by == "clock" else absent)
    keeps_clock = isinstance(message, messages.Shown | messages.Mucked)
    clock = state.clock if keeps_clock else None
    return _said(replace(state, hand=hand, pots=pots, turn=None, clock=clock), [line])


def _after_hand(state: TableState, hand: messages.HandView, over: messages.HandOver) -> TableState:
    stacks = {seat.name: stack for seat, stack in zip(hand.seats, over.stacks, strict=True)}
    info = structs.replace(_with_stacks(state.info, stacks), hand=over.hand)
    seen = seen_play(state.seen, hand)
    done = replace(state, over=over, turn=None, clock=None, info=info, seen=seen, unseen=0)
    if hand.you is not None:
        done = replace(done, won=state.won + over.won[hand.you], hands=state.hands + 1)
    return _said(done, end_lines(over, hand, names_of(hand)))


def seen_play(counts: Mapping[str, SeenPlay], hand: messages.HandView) -> dict[str, SeenPlay]:
    """Return what has been seen of everybody after one more hand.

    A hand in which everybody else folded gives the big blind no choice, but counts.
    """
    later = messages.BoardEntry | messages.StreetEntry
    preflop = takewhile(lambda entry: not isinstance(entry, later), hand.history)
    verbs: dict[int, set[str]] = {seat: set() for seat in range(len(hand.seats))}
    for entry in preflop:
        # A bring-in is forced by the card, so it is no choice to join.
        if isinstance(entry, messages.ActionEntry) and entry.opening != "bring-in":
            verbs[entry.seat].add(entry.verb)
    after_hand = dict(counts)
    for number, seat in enumerate(hand.seats):
        known = counts.get(seat.name, SeenPlay())
        raised = bool(verbs[number] & {"raise", "bet"})
        after_hand[seat.name] = SeenPlay(
            known.hands + 1,
            known.joined + (raised or "call" in verbs[number]),
            known.raised + raised,
        )
    return after_hand


def _after_choice(state: TableState, message: messages.Showed) -> TableState:
    """Return a table after somebody showed cards of a hand that is over."""
    hand, seat = state.hand, message.seat
    # Cards may be shown after the next hand has begun; then the line names the hand, and the seats,
    # which are another hand's, are left alone.
    is_last = hand is not None and hand.hand == message.hand and state.over is not None
    if hand is not None and is_last:
        seats = list(hand.seats)
        seats[seat] = structs.replace(seats[seat], cards=message.cards)
        state = replace(
            state,
            hand=structs.replace(hand, seats=seats),
            shown_by_choice=state.shown_by_choice | {seat},
        )
    if message.hand == state.unseen and message.name == state.name:
        state = replace(state, unseen=0)
    who = does(_called(state, message.name), "show")
    after = "by choice" if is_last else f"of hand {message.hand}, by choice"
    return _said(state, [LogLine(who, tuple(message.cards), after, kind="show")])


def _with_stacks(info: messages.TableInfo, stacks: Mapping[str, int]) -> messages.TableInfo:
    players = [
        structs.replace(player, stack=stacks.get(player.name, player.stack))
        for player in info.players
    ]
    return structs.replace(info, players=players)


_PRESENCE: Final = {
    messages.Presence.HERE: "back",
    messages.Presence.AWAY: "away",
    messages.Presence.FROZEN: "frozen",
    messages.Presence.SITTING_OUT: "sitting out",
    messages.Presence.LEAVING: "leaving",
}


_LEFT: Final = {
    "moved": "You move to another table",
    "stood_up": "You leave the table",
    "busted": "You have no chips left",
    "over": "The game is over",
}
"""Why somebody sits here no longer, where nothing else says so."""


def _after_news(state: TableState, message: AnyServer) -> TableState:
    match message:
        case messages.HandVoid(text=text):
            void = _between_hands(state, None)
            return _said(void, [LogLine(f"The hand does not count: {text}", kind="note")])
        case messages.PresenceChanged(name=name, presence=presence):
            hand = following(state.hand, message)
            players = [
                structs.replace(player, presence=presence) if player.name == name else player
                for player in state.info.players
            ]
            words = f"{is_(_called(state, name))} {_PRESENCE[presence]}"
            return _noted(replace(state, hand=hand, info=_with(state, players)), words)
        case messages.RunsTwice(name=name, wants=wants):
            players = [
                structs.replace(player, runs_twice=wants) if player.name == name else player
                for player in state.info.players
            ]
            words = f"{_called(state, name)} would run all-ins {'twice' if wants else 'once'}"
            return _noted(replace(state, info=_with(state, players)), words)
        case messages.PlayerSat(player=player):
            # A player who sits down again after a lost connection must not be listed twice.
            others = [
                other_player
                for other_player in state.info.players
                if other_player.name != player.name
            ]
            words = f"{does(_called(state, player.name), 'sit')} down"
            return _noted(replace(state, info=_with(state, [*others, player])), words)
        case messages.PlayerLeft(name=name):
            gone = replace(state, info=_with(state, _without(state, name)))
            return _noted(gone, f"{does(_called(state, name), 'leave')} the table")
        case messages.Paused(paused=paused, parked=parked):
            info = structs.replace(state.info, paused=paused, parked=parked)
            words = "The table pauses" if paused else "Play goes on"
            if parked:
                words = "The table waits until the server can save"
            stopped = replace(state, info=info)
            if paused:
                stopped = replace(stopped, turn=None, clock=None)
            return _noted(stopped, words)
        case _:
            return _after_end(state, message)


def _after_end(state: TableState, message: AnyServer) -> TableState:
    match message:
        case messages.KnockedOut(name=name, place=place, prize=prize):
            out = replace(state, info=_with(state, _without(state, name)))
            if name == state.name:
                out = replace(out, knocked_out=message, turn=None, clock=None)
            money = f", prize {prize}" if prize != "0" else ""
            return _noted(out, f"{is_(_called(state, name))} out, place {place}{money}")
        case messages.Result(places=places, void=void):
            ended = replace(state, result=message, turn=None, clock=None)
            first = [_called(state, finish.name) for finish in places if finish.place == 1]
            who = does(first[0], "win") if len(first) == 1 else f"{' and '.join(first)} win"
            words = "The tournament is void" if void else f"{who} the tournament"
            return _said(ended, [LogLine(words, kind="win")])
        case messages.SessionReport():
            return replace(state, report=message)
        case messages.Left(reason=reason):
            gone = replace(state, left=reason, turn=None, clock=None)
            return _noted(gone, _LEFT[reason]) if reason in _LEFT else gone
        case _:
            return state


def _called(state: TableState, name: str) -> str:
    return YOU if name == state.name else short_name(name)


def _without(state: TableState, name: str) -> list[messages.PlayerInfo]:
    return [player for player in state.info.players if player.name != name]


def _with(state: TableState, players: list[messages.PlayerInfo]) -> messages.TableInfo:
    return structs.replace(state.info, players=players)


def _noted(state: TableState, words: str) -> TableState:
    return _said(state, [LogLine(words, kind="note")])


def _said(state: TableState, lines: Iterable[LogLine]) -> TableState:
    number = state.lines[-1][0] if state.lines else 0
    fresh = tuple(lines)
    if not fresh:
        return state
    # Lines are numbered without end though few are kept, so that a page knows which ones it has
    # drawn.
    added = tuple((number + place, line) for place, line in enumerate(fresh, 1))
    return replace(state, fresh=fresh, lines=(*state.lines, *added)[-LOG_LINES:])


def turn_words(state: TableState, now: float) -> str:
    """Say that it is the viewer's turn: ``Your turn: 40 to call, 12 seconds``."""
    turn = state.turn
    if turn is None or state.clock is None:
        return ""
    limit, bank = state.clock.left(now)
    return f"Your turn: {price_words(turn.legal)}, {limit + bank:.0f} seconds"


def price_words(legal: messages.LegalActions) -> str:
    """Say what a call costs, or how many cards may be exchanged.

    >>> allowed = messages.LegalActions(fold=True, to_call=5)
    >>> price_words(allowed), price_words(structs.replace(allowed, opening="bring-in"))
    ('5 to call', '5 to bring in')
    >>> price_words(messages.LegalActions(fold=False, to_call=0, draw=5))
    'throw away up to 5 cards'
    """
    if legal.draw is not None:
        return f"throw away {'' if legal.must_discard else 'up to '}{legal.draw} cards"
    if not legal.to_call:
        return "checking is free"
    return f"{amount(legal.to_call)} to {'bring in' if legal.opening == 'bring-in' else 'call'}"
