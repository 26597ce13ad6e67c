"""Asking a player what it would do in the middle of a recorded hand, after those before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from railbird.errors import NothingUsable
from railbird.game import Act, Action, View, initial, view
from railbird.histories import HandRecord, Skipped
from railbird.players import Observer, Player, introduce
from railbird.players.replay import Step, steps, tell
from railbird.units import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One decision of a hand, and the answer of whoever was asked."""

    record: HandRecord
    seat: Seat
    view: View
    """What was to be seen."""
    before: tuple[Step, ...]
    """All that had happened in the hand."""
    action: Action
    """What the player does."""
    played: Action
    """What the log has there."""


def nth_hand(
    hands: Iterable[HandRecord | Skipped], number: int
) -> tuple[list[HandRecord], HandRecord]:
    """The ``number``-th hand, from 1, and those before it.

    Raises `NothingUsable` if there are fewer, or if it cannot be used.
    """
    found = [hand for _, hand in zip(range(number), hands, strict=False)]
    if len(found) < number:
        raise NothingUsable(f"hand {number}; allowed: 1 to {len(found)}, the hands of the log")
    wanted = found[-1]
    if isinstance(wanted, Skipped):
        raise NothingUsable(f"hand {number} cannot be used: {wanted.reason.value}, {wanted.detail}")
    return [hand for hand in found[:-1] if isinstance(hand, HandRecord)], wanted


def decisions_of(record: HandRecord, seat: Seat) -> int:
    """How often a seat acted in a hand."""
    acts = (step.event for step in steps(record))
    return sum(isinstance(event, Act) and event.seat == seat for event in acts)


def ask(
    player: Player,
    record: HandRecord,
    seat: Seat,
    *,
    decision: int | None = None,
    before: Iterable[HandRecord] = (),
    seed: int = 0,
) -> Asked:
    """Show a player the hands that somebody saw, and ask for one decision of the last one.

    ``decision`` counts those of the seat in ``record`` from 1 and is the last one by default. Of
    the hands ``before``, the player sees what the same person saw; it knows people by their names.

    Raises `NothingUsable` if the seat did not act so often, or if its cards are not known.
    """
    count = decisions_of(record, seat)
    if not count:
        raise NothingUsable(f"{record.players[seat]} in seat {seat} decided nothing in this hand")
    decision = count if decision is None else decision
    if not 1 <= decision <= count:
        raise NothingUsable(f"decision {decision}; allowed: 1 to {count} of {record.players[seat]}")
    if record.holes[seat] is None:
        raise NothingUsable(f"the log does not show the cards of {record.players[seat]}")
    player.reset(np.random.default_rng(seed))
    numbers: dict[str, int] = {}
    for earlier in before:
        if record.players[seat] in earlier.players:
            own = Seat(earlier.players.index(record.players[seat]))
            people = _people(earlier, numbers)
            introduce([player], numbers)
            for _ in _told(player, earlier, own, people):
                pass
    people = _people(record, numbers)
    introduce([player], numbers)
    return _answer(player, record, seat, decision, people)


def _people(record: HandRecord, numbers: dict[str, int]) -> tuple[int, ...]:
    """Everybody's number, given out in the order of appearance."""
    return tuple(numbers.setdefault(name, len(numbers)) for name in record.players)


def _told(
    player: Player, record: HandRecord, seat: Seat, people: tuple[int, ...]
) -> Iterator[tuple[View, Step]]:
    """Tell a player of a hand if it listens; else only go through it."""
    if isinstance(player, Observer):
        yield from tell(player, record, seat, people)
    else:
        for step in steps(record):
            yield view(step.after, seat), step


def _answer(
    player: Player, record: HandRecord, seat: Seat, decision: int, people: tuple[int, ...]
) -> Asked:
    seen, past, left = view(initial(record.rules), seat), list[Step](), decision
    following = list(steps(record))
    for now, step in _told(player, record, seat, people):
        past.append(step)
        seen = now
        if now.state.actor != seat:
            continue
        action = player.act(seen)
        left -= 1
        if not left:
            played = following[len(past)].event
            assert isinstance(played, Act)
            return Asked(
                record=record,
                seat=seat,
                view=seen,
                before=tuple(past),
                action=action,
                played=played.action,
            )
    raise AssertionError("the decisions were counted")
