"""A hand in words, for people and for screen readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from railbird.cards import class_name, class_of, describe, parse_holding, strength
from railbird.protocol.messages.game import (
    ActionEntry,
    BoardEntry,
    HandOver,
    HandView,
    HistoryEntry,
    MuckEntry,
    ShowEntry,
)

PAST: Final = {"fold": "folds", "check": "checks", "call": "calls", "bet": "bets"}
_STREETS: Final = {3: "Flop", 4: "Turn", 5: "River"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a hand's log: text, cards, text."""

    text: str
    cards: tuple[str, ...] = ()
    after: str = ""
    """What follows the cards."""
    kind: str = ""
    """``street``, ``hand``, ``show``, ``win`` or ``note``; empty for an action."""


def short_name(name: str) -> str:
    """Return a name without what marks house players, which pages show otherwise.

    >>> short_name("house:tight#2")
    'tight#2'
    """
    return name.removeprefix("house:")


def amount(chips: int) -> str:
    """Write chips with separators.

    >>> amount(12500)
    '12,500'
    """
    return f"{chips:,}"


def made(cards: Sequence[str], board: Sequence[str]) -> str:
    """Say what two cards make with a board.

    >>> made(["As", "Ks"], [])
    'AKs'
    >>> made(["As", "Ks"], ["Kd", "7c", "2h"])
    'pair, kings with ace, seven, deuce'
    """
    if len(board) < 3:
        return class_name(class_of(parse_holding("".join(cards))))
    return describe(strength("".join((*cards, *board))))


def hand_lines(hand: HandView, over: HandOver | None = None) -> Iterator[Line]:
    """Yield the log of a hand in words; ``over`` adds who wins."""
    names = [short_name(seat.name) for seat in hand.seats]
    left = [seat.stack + seat.spent for seat in hand.seats]
    of_all = all(hand.antes)
    yield Line(f"Hand {hand.hand}", kind="hand")
    for seat, (ante, blind) in enumerate(zip(hand.antes, hand.blinds, strict=True)):
        for chips, what in ((ante, "the ante of "), (blind, "")):
            paid = min(chips, left[seat])
            left[seat] -= paid
            if paid and not (what and of_all and seat):
                who = "Everybody" if what and of_all else names[seat]
                yield Line(f"{who} posts {what}{amount(paid)}")
    shown: list[str] = []
    for entry in hand.history:
        if isinstance(entry, ActionEntry):
            left[entry.seat] -= entry.paid
        if isinstance(entry, BoardEntry):
            shown += entry.cards
        yield line_of(entry, names, left, shown)
    if over is not None:
        yield from end_lines(over, names)


def line_of(
    entry: HistoryEntry, names: Sequence[str], left: Sequence[int], board: Sequence[str]
) -> Line:
    """Say what happened; ``left`` are the stacks and ``board`` the board after it."""
    match entry:
        case ActionEntry(seat=seat):
            all_in = ", all-in" if entry.paid and not left[seat] else ""
            return Line(f"{names[seat]} {act_words(entry)}{all_in}")
        case BoardEntry(cards=cards):
            return Line(_STREETS.get(len(board), "Board"), tuple(cards), kind="street")
        case ShowEntry(seat=seat, cards=cards):
            after = made(cards, board) if len(board) >= 3 else ""
            return Line(f"{names[seat]} shows", tuple(cards), after, kind="show")
        case MuckEntry(seat=seat):
            return Line(f"{names[seat]} mucks", kind="show")
        case other:
            assert_never(other)


def act_words(entry: ActionEntry) -> str:
    """Say an action in the third person: ``raises to 120``."""
    if entry.verb == "raise":
        return f"raises to {amount(entry.to or 0)}"
    size = entry.to if entry.verb == "bet" else entry.paid
    return PAST[entry.verb] + (f" {amount(size)}" if size else "")


def end_lines(over: HandOver, names: Sequence[str]) -> Iterator[Line]:
    """Yield who wins what, net of what they put in."""
    for name, won in zip(names, over.won, strict=True):
        if won > 0:
            yield Line(f"{name} wins {amount(won)}", kind="win")
    if not any(won > 0 for won in over.won):
        yield Line("Everybody gets the chips back", kind="win")
    if over.rake:
        yield Line(f"The rake is {amount(over.rake)}", kind="note")
