"""Advice for any game: what another player would do in a seat's place, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from railbird.errors import BadInput, NothingUsable, RailbirdError
from railbird.game import (
    Act,
    Action,
    Event,
    Phase,
    Rules,
    View,
    view,
)
from railbird.game.deal import Step
from railbird.histories import HandRecord, Skipped
from railbird.histories.variant_hands import dealer_of
from railbird.players.audience import Audience
from railbird.players.policy import Distribution, Explaining, close, distribution_of, why_not
from railbird.players.protocol import Observer, Player, introduce
from railbird.players.registry import make_player
from railbird.units import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The decision of a player that knows only this hand."""

    player: str
    action: Action
    distribution: Distribution | None
    """Probabilities of its actions; None if the player does not know them."""
    reasons: str
    """Its reasons, in sentences; empty if it gives none."""


def adviser_for(
    specs: Sequence[str], rules: Rules, *, carries_over: bool = False, explains: bool = False
) -> str:
    """Return the first player that can play a game; with ``explains``, one that can explain itself.

    ``carries_over`` says that stacks carry over from hand to hand. Raises `BadInput` with the last
    player's reason if none can.
    """
    why = "nobody to ask: no player is named"
    for spec in specs:
        try:
            player = make_player(spec, writes=False)
        except RailbirdError as problem:
            why = str(problem)
            continue
        try:
            refused = why_not(player, rules, carries_over=carries_over)
            if refused is None and explains and not isinstance(player, Explaining):
                refused = "it does not say why it acts"
        finally:
            close(player)
        if refused is None:
            return spec
        why = f"{spec} cannot play this game: {refused}"
    raise BadInput(why)


def advise(spec: str, dealt: View, news: Iterable[tuple[View, Event]], *, seed: int = 0) -> Advice:
    """Show a player the hand so far, and ask it what it would do in the last view's seat.

    ``dealt`` is the view just after the deal. ``news`` are the events since, as the seat saw them,
    each with the view that it led to. The player may be anybody's program, so whatever it raises
    is raised as `RailbirdError`.
    """
    player = make_player(spec, writes=False)
    try:
        player.reset(np.random.default_rng(seed))
        observer = player if isinstance(player, Observer) else None
        if observer is not None:
            observer.begin(dealt)
        view = dealt
        for view, event in news:
            if observer is not None:
                observer.observe(view, event)
        distribution = distribution_of(player, view)
        action = player.act(view)
        reasons = player.explain(view).rule if isinstance(player, Explaining) else ""
    except RailbirdError:
        raise
    except (Exception, SystemExit) as problem:
        raise RailbirdError(f"{spec}: {type(problem).__name__}: {problem}") from problem
    finally:
        close(player)
    return Advice(player=spec, action=action, distribution=distribution, reasons=reasons)


# Replaying a recorded hand as a seat saw it, to players that did not play it.


def steps(record: HandRecord) -> Iterator[Step]:
    """Yield the steps of a hand, with cards and showdown; a showdown the log hides is left out."""
    dealer = dealer_of(record)
    yield from dealer.begin()
    for action in record.actions:
        yield from dealer.act(action)


def tell(
    observer: Observer,
    record: HandRecord,
    seat: Seat,
    people: tuple[int, ...] | None = None,
) -> Iterator[tuple[View, Step]]:
    """Show an observer a hand as the arena does, yielding each view and step afterwards.

    ``people`` gives the player in each seat, as in `railbird.players.KnowsOpponents`. While the
    iteration is suspended the hand is too, so the player can be asked for a decision. If the log
    hides the showdown, the observer is not shown an end.
    """
    audience = Audience([(seat, observer)])
    if people is not None:
        audience.meet(people)
    for played in steps(record):
        audience.notify([played])
        yield view(played.after, seat), played
    if played.after.phase is Phase.OVER:
        audience.end(played.after)


# Asking a player for a decision in a recorded hand, after showing it the earlier hands.


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One decision in a hand, and the player's answer to it."""

    record: HandRecord
    seat: Seat
    view: View
    """The player's view."""
    before: tuple[Step, ...]
    """Everything that had happened in the hand before."""
    action: Action
    """What the player would do."""
    played: Action
    """What was done, by the log."""


def nth_hand(
    hands: Iterable[HandRecord | Skipped],
    number: int,
    *,
    since: int = 1,
    on_skip: Callable[[Skipped], object] = lambda _: None,
) -> tuple[list[HandRecord], HandRecord]:
    """Return hand ``number`` (from 1) and, before it, the hands from ``since`` on.

    Earlier hands that cannot be used are given to ``on_skip``. Raises `NothingUsable` if there are
    fewer hands, or if that one cannot be used.
    """
    first = [hand for _, hand in zip(range(number), hands, strict=False)]
    if len(first) < number:
        raise NothingUsable(f"hand {number}; allowed: 1 to {len(first)}, the hands of the log")
    wanted = first[-1]
    if isinstance(wanted, Skipped):
        raise NothingUsable(f"hand {number} cannot be used: {wanted.reason.value}, {wanted.detail}")
    before = first[since - 1 : -1]
    for skipped in before:
        if isinstance(skipped, Skipped):
            on_skip(skipped)
    return [hand for hand in before if isinstance(hand, HandRecord)], wanted


def decisions_of(record: HandRecord, seat: Seat) -> int:
    """Return how many decisions a seat had in a hand."""
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
    """Show a player hands as one seat saw them, and ask it for a decision in the last one.

    ``decision`` counts the seat's decisions in ``record`` from 1; the default is the last one. The
    player sees the hands ``before`` as the same participant did, and knows the others by name.

    Raises `NothingUsable` if the seat acted fewer times, or if its cards are not known.
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


def answers(
    player: Player, records: Iterable[HandRecord], name: str, *, seed: int = 0
) -> Iterator[tuple[int, Asked]]:
    """Show a player hands as one participant saw them, and yield its answer to each decision.

    Each answer comes with the place of its hand in ``records``, from 0. After it the player is
    shown the action that was really taken, and goes on from there. Hands in which the participant's
    cards are not known are not shown, nor are hands that the player does not support.
    """
    player.reset(np.random.default_rng(seed))
    numbers: dict[str, int] = {}
    for index, record in enumerate(records):
        if name not in record.players:
            continue
        seat = Seat(record.players.index(name))
        if record.holes[seat] is None or why_not(player, record.rules):
            continue
        people = _people(record, numbers)
        introduce([player], numbers)
        yield from ((index, asked) for asked in _answers(player, record, seat, people))


def _answers(
    player: Player, record: HandRecord, seat: Seat, people: tuple[int, ...]
) -> Iterator[Asked]:
    """Ask for every decision of a seat in one hand."""
    past, following = list[Step](), list(steps(record))
    for seen, step in _told(player, record, seat, people):
        past.append(step)
        if seen.state.actor != seat:
            continue
        action = player.act(seen)
        played = following[len(past)].event
        assert isinstance(played, Act)
        yield Asked(
            record=record,
            seat=seat,
            view=seen,
            before=tuple(past),
            action=action,
            played=played.action,
        )


def _people(record: HandRecord, numbers: dict[str, int]) -> tuple[int, ...]:
    """Return the players' numbers by seat, given out in the order of appearance."""
    return tuple(numbers.setdefault(name, len(numbers)) for name in record.players)


def _told(
    player: Player, record: HandRecord, seat: Seat, people: tuple[int, ...]
) -> Iterator[tuple[View, Step]]:
    """Replay a hand, notifying the player if it is an observer."""
    if isinstance(player, Observer):
        yield from tell(player, record, seat, people)
    else:
        for step in steps(record):
            yield view(step.after, seat), step


def _answer(
    player: Player, record: HandRecord, seat: Seat, decision: int, people: tuple[int, ...]
) -> Asked:
    asked = islice(_answers(player, record, seat, people), decision - 1, None)
    return next(asked)
