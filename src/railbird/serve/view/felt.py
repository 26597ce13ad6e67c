"""The felt as its template draws it: seats, board, bets and pots, from what a viewer was told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages.game import (
    ActionEntry,
    BoardEntry,
    HandOver,
    HandView,
    PlayerInfo,
    PotView,
    Presence,
    SeatView,
    TableInfo,
)
from railbird.serve.view.words import made, short_name

PLACES: Final[dict[int, tuple[str, ...]]] = {
    1: ("me",),
    2: ("me", "tc"),
    3: ("me", "lh", "rh"),
    4: ("me", "lh", "tc", "rh"),
    5: ("me", "ll", "lh", "rh", "rl"),
    6: ("me", "ll", "lh", "tc", "rh", "rl"),
    7: ("me", "ll", "lh", "tl", "tr", "rh", "rl"),
    8: ("me", "ll", "lh", "tl", "tc", "tr", "rh", "rl"),
    9: ("me", "bl", "ll", "lh", "tl", "tr", "rh", "rl", "br"),
    10: ("me", "bl", "ll", "lh", "tl", "tc", "tr", "rh", "rl", "br"),
}
"""Areas of the felt's grid by number of chairs, clockwise from the viewer's at the bottom. No more
than two seats share the height of the board, so that it has the whole width of a phone."""

_MOST_NAMED: Final = 3

MOST_PLACED: Final = max(PLACES)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltSeat:
    """A seat."""

    name: str
    place: str
    """Area of the felt's grid; empty where there are more seats than the felt has places for."""
    chair: int
    seat: int | None
    """Number in the hand; None for who is not dealt in."""
    stack: int
    bet: int = 0
    cards: tuple[str, ...] = ()
    """Cards that the viewer knows."""
    has_hidden: bool = False
    """Holds cards that the viewer does not know."""
    is_me: bool = False
    is_button: bool = False
    is_house: bool = False
    blind: str = ""
    """``SB`` or ``BB``."""
    last: str = ""
    """The last action on this street."""
    status: str = ""
    """Why the seat does not act: folded, all-in, away, frozen, sitting out."""
    to_act: bool = False
    won: int | None = None
    """Net chips of the finished hand."""
    made: str = ""
    """What shown cards make."""

    @property
    def short_name(self) -> str:
        """The name without what marks house players, which the seat shows otherwise."""
        return short_name(self.name)

    @property
    def is_out(self) -> bool:
        """Whether the seat has no part in the hand any more."""
        return self.seat is None or self.status == "folded"


@dataclass(frozen=True, slots=True)
class FeltPot:
    """The main pot or a side pot, with the names of those who can win it."""

    label: str
    amount: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """A table at one moment."""

    seats: tuple[FeltSeat, ...]
    """Clockwise, the viewer first."""
    chairs: int
    board: tuple[str, ...] = ()
    pots: tuple[FeltPot, ...] = ()
    total: int = 0
    """All chips put in."""
    hand: int = 0
    """Number of the hand; 0 before the first one."""
    is_over: bool = False

    @property
    def told_made(self) -> tuple[FeltSeat, ...]:
        """Seats whose hands are named below the board: of many, the winners' and the viewer's."""
        shown = tuple(seat for seat in self.seats if seat.made)
        if not self.is_over or len(shown) <= _MOST_NAMED:
            return shown
        return tuple(seat for seat in shown if seat.is_me or (seat.won or 0) > 0)

    @property
    def me(self) -> FeltSeat | None:
        """The viewer's seat."""
        return next((seat for seat in self.seats if seat.is_me), None)


def felt_of(
    hand: HandView | None,
    table: TableInfo | None = None,
    *,
    name: str | None = None,
    to_act: int | None = None,
    pots: Sequence[PotView] | None = None,
    over: HandOver | None = None,
    revealed: Sequence[Sequence[str]] = (),
) -> Felt:
    """Return a table as one viewer was told of it.

    ``table`` has those who are not dealt in, too; ``name`` is the viewer's, where the hand does not
    say it. ``pots`` are those of a message; without, they follow from what everybody put in.
    ``revealed`` are all cards by seat, after the hand at a practice table.
    """
    seats = [] if hand is None else _of_hand(hand, to_act, over, revealed)
    known = {seat.name for seat in seats}
    if table is not None:
        seats += [_idle(player) for player in table.players if player.name not in known]
    mine = name if hand is None or hand.you is None else hand.seats[hand.you].name
    chairs = table.format.table_seats if table is not None else len(seats)
    placed = _placed(seats, chairs, mine)
    if hand is None:
        return Felt(seats=placed, chairs=chairs)
    names = [short_name(seat.name) for seat in hand.seats]
    if pots is None:
        pots = over.pots if over is not None else pots_of(hand)
    pots = _apart(pots if over is None else _without_uncalled(pots, hand), hand)
    labels = ["Pot"] if len(pots) < 2 else ["Main pot", *("Side pot" for _ in pots[1:])]
    return Felt(
        seats=placed,
        chairs=chairs,
        board=tuple(hand.board),
        pots=tuple(
            FeltPot(label, pot.amount, tuple(names[seat] for seat in pot.seats))
            for label, pot in zip(labels, pots, strict=True)
        ),
        total=hand.pot,
        hand=hand.hand,
        is_over=over is not None,
    )


def pots_of(hand: HandView) -> list[PotView]:
    """Return the pots of a hand if its betting ended now, from what everybody has put in."""
    antes = _antes(hand)
    most = max(antes, default=0)
    live = [seat.spent - ante for seat, ante in zip(hand.seats, antes, strict=True)]
    levels = {
        number: antes[number] if antes[number] < hand.antes[number] else most + live[number]
        for number, seat in enumerate(hand.seats)
        if not seat.folded
    }
    pots: list[PotView] = []
    shared = 0
    for level in sorted(set(levels.values())):
        below = sum(
            min(ante, level) + min(chips, max(level - most, 0))
            for ante, chips in zip(antes, live, strict=True)
        )
        up_to = hand.pot if level == max(levels.values()) else below
        if up_to > shared:
            able = [number for number, own in levels.items() if own >= level]
            pots.append(PotView(amount=up_to - shared, seats=able))
        shared = up_to
    return pots


def _antes(hand: HandView) -> list[int]:
    """Return the antes that were posted: of a short stack, what it had."""
    return [
        min(ante, seat.stack + seat.spent)
        for ante, seat in zip(hand.antes, hand.seats, strict=True)
    ]


def _without_uncalled(pots: Sequence[PotView], hand: HandView) -> list[PotView]:
    """Return what was won: without the part of the largest bet that nobody called."""
    if not pots:
        return []
    bets = [seat.spent - ante for seat, ante in zip(hand.seats, _antes(hand), strict=True)]
    second, largest = sorted(bets)[-2:]
    *lower, last = pots
    uncalled = largest - second if bets.index(largest) in last.seats else 0
    won = last.amount - uncalled
    return [*lower, PotView(amount=won, seats=last.seats)] if won else lower


def _apart(pots: Sequence[PotView], hand: HandView) -> list[PotView]:
    """Join pots that only an open bet keeps apart: a side pot is one that somebody all-in lacks."""
    joined: list[PotView] = []
    for pot in pots:
        lacking = set(joined[-1].seats) - set(pot.seats) if joined else set[int]()
        if joined and not any(not hand.seats[seat].stack for seat in lacking):
            both = joined[-1].amount + pot.amount
            joined[-1] = PotView(amount=both, seats=joined[-1].seats)
        else:
            joined.append(pot)
    return joined


def last_acts(hand: HandView) -> dict[int, str]:
    """Return the last action of each seat on this street, as a word: the bet says how much."""
    acts: dict[int, str] = {}
    for entry in hand.history:
        match entry:
            case BoardEntry():
                acts = {seat: act for seat, act in acts.items() if act == "Fold"}
            case ActionEntry(seat=seat, verb=verb):
                acts[seat] = verb.capitalize()
            case _:
                pass
    return acts


def _of_hand(
    hand: HandView,
    to_act: int | None,
    over: HandOver | None,
    revealed: Sequence[Sequence[str]],
) -> list[FeltSeat]:
    posts = sorted({chips for chips in hand.blinds if chips})
    acts = last_acts(hand)
    found = []
    for number, seat in enumerate(hand.seats):
        cards = tuple(revealed[number]) if number < len(revealed) else tuple(seat.cards or ())
        blind = hand.blinds[number]
        names = {posts[0]: "SB", posts[-1]: "BB"} if len(posts) > 1 else {}
        is_shown = bool(cards) and len(hand.board) >= 3 and not seat.folded
        found.append(
            FeltSeat(
                name=seat.name,
                place="",
                chair=seat.chair,
                seat=number,
                stack=seat.stack if over is None else over.stacks[number],
                bet=seat.bet if over is None else 0,
                cards=cards,
                has_hidden=not cards and not seat.folded and not seat.mucked,
                is_me=number == hand.you,
                is_button=number == hand.button,
                is_house=seat.kind is PlayerKind.HOUSE,
                blind=names.get(blind, "") if blind else "",
                last=acts.get(number, ""),
                status=_status(seat, is_over=over is not None),
                to_act=number == to_act,
                won=None if over is None else over.won[number],
                made=made(cards, hand.board) if is_shown else "",
            )
        )
    return found


def _status(seat: SeatView, *, is_over: bool) -> str:
    if seat.presence is not Presence.HERE:
        return seat.presence.value.replace("_", " ")
    if seat.folded:
        return "folded"
    if seat.mucked:
        return "mucked"
    return "all-in" if not seat.stack and not is_over else ""


def _idle(player: PlayerInfo) -> FeltSeat:
    here = player.presence is Presence.HERE
    return FeltSeat(
        name=player.name,
        place="",
        chair=player.chair,
        seat=None,
        stack=player.stack,
        is_house=player.kind is PlayerKind.HOUSE,
        status="waits" if here else player.presence.value.replace("_", " "),
    )


def _placed(seats: list[FeltSeat], chairs: int, mine: str | None) -> tuple[FeltSeat, ...]:
    """Order seats clockwise from the viewer's, or from the lowest chair, and give them places."""
    if not seats:
        return ()
    base = next((seat.chair for seat in seats if seat.name == mine), min(s.chair for s in seats))
    around = max(chairs, 1 + max(seat.chair for seat in seats) - min(seat.chair for seat in seats))
    ordered = sorted(seats, key=lambda seat: (seat.chair - base) % around)
    if around <= MOST_PLACED:
        places = [PLACES[max(around, 1)][(seat.chair - base) % around] for seat in ordered]
    elif len(ordered) <= MOST_PLACED:
        places = list(PLACES[len(ordered)])
    else:
        places = [""] * len(ordered)
    return tuple(
        replace(seat, place=place, is_me=seat.name == mine)
        for seat, place in zip(ordered, places, strict=True)
    )
