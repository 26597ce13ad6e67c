"""Replay of a finished hand, step by step, as one viewer may see it.

Cards are hidden by the protocol's own redaction, before anything is drawn. `Sight.OPEN` shows what
the record has; what is not to be seen at all has to be absent from the record.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from railbird.game import Act
from railbird.histories import HandRecord
from railbird.players.replay import steps
from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages.game import HandOver, HandView, HistoryEntry
from railbird.protocol.redaction.events import HandMoment, SeatHolder
from railbird.protocol.redaction.hand_view import entry_of, hand_view, holding_texts
from railbird.report.toolkit.number_format import display_name
from railbird.serve.view.felt import Felt, felt_of, pots_of
from railbird.serve.view.words import Line, hand_lines, made
from railbird.units import Chips

_HOUSE: Final = "house:"
_DEEP: Final = 1000
"""Largest bets in the stacks that are drawn where a game has none."""


class Sight(Enum):
    """Whose cards are seen."""

    OWN = "own"
    """One's own, and those of others once they were shown."""
    OPEN = "open"
    """All that the record has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayLine:
    """A line of the hand's log, and the step that it belongs to."""

    line: Line
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A hand at one of its steps."""

    step: int
    """0 before anybody acts."""
    last: int
    """Number of the last step, the payout."""
    felt: Felt
    lines: tuple[ReplayLine, ...]
    """The whole log; those after ``step`` have not happened yet."""
    own: str
    """What the viewer has, in words; empty for none."""
    said: str
    """What happened in this step."""
    to_act: str
    """Who acts next; empty where nobody does."""
    unit: str
    """What a chip is, where it is money."""


def replay_of(
    record: HandRecord, *, viewer: str | None = None, step: int | None = None, sight: Sight
) -> Replay:
    """Return a hand at a step, by default the last, as ``viewer`` sees it.

    Steps beyond the last are the last one.
    """
    names = shown_names(record.players)
    me = None if viewer not in record.players else names[record.players.index(viewer)]
    moments, over = _moments(record, names)
    last = len(moments)
    at = last if step is None else min(max(step, 0), last)
    moment = moments[min(at, last - 1)]
    ending = over if at == last else None
    seen = hand_view(moment, me)
    revealed = [] if sight is Sight.OWN else [_texts(hole) for hole in record.holes]
    actor = moment.state.actor if ending is None else None
    felt = felt_of(
        seen,
        to_act=actor,
        pots=pots_of(seen) if ending is None else None,
        over=ending,
        revealed=revealed,
    )
    views = [hand_view(one, me) for one in moments]
    lines = _lines(views, over)
    said = [one.line for one in lines if one.step == at]
    own = felt.me
    return Replay(
        step=at,
        last=last,
        felt=felt,
        lines=lines,
        own="" if own is None or not own.cards else made(own.cards, seen.board),
        said=". ".join(map(line_text, said)) or "Blinds are posted and cards are dealt",
        to_act="" if actor is None else names[actor],
        unit=_unit(record),
    )


def step_of(record: HandRecord, act: int | None) -> int | None:
    """Return the step at which the player of an action, counted from 0, is about to take it."""
    if act is None:
        return None
    count = 0
    for place, step in enumerate(steps(record)):
        if isinstance(step.event, Act):
            if count == act:
                return place - 1
            count += 1
    return None


def shown_names(players: Iterable[str]) -> tuple[str, ...]:
    """Return names without invisible characters, told apart by number where they look alike."""
    shown: list[str] = []
    for name in map(display_name, players):
        count, unique = 1, name
        while unique in shown:
            count += 1
            unique = f"{name} ({count})"
        shown.append(unique)
    return tuple(shown)


def line_text(line: Line) -> str:
    """Return a line as plain text."""
    text = " ".join((line.text, *line.cards))
    return f"{text}: {line.after}" if line.after else text


def _moments(record: HandRecord, names: tuple[str, ...]) -> tuple[list[HandMoment], HandOver]:
    """Return the hand after each of its events, and its payout."""
    rules = record.rules
    if rules.stacks is None:
        deep = _DEEP * max(rules.bet_sizes)
        record = replace(record, rules=replace(rules, stacks=(Chips(deep),) * rules.seats))
    holders = tuple(
        SeatHolder(
            name, PlayerKind.HOUSE if name.startswith(_HOUSE) else PlayerKind.PERSON, chair + 1
        )
        for chair, name in enumerate(names)
    )
    number = 1 if record.number is None else record.number
    history: list[HistoryEntry] = []
    moments = []
    for event, before, after in steps(record):
        entry = entry_of(event, before, after)
        if entry is not None:
            history.append(entry)
        moments.append(HandMoment("", number, after, holders, tuple(history)))
    won = [math.floor(amount) for amount in record.payoffs]
    stacks = [had + gain for had, gain in zip(record.rules.stacks or (), won, strict=True)]
    over = HandOver(
        table="",
        hand=number,
        pots=pots_of(hand_view(moments[-1], None)),
        won=won,
        stacks=stacks,
        rake=max(0, -sum(won)) if record.rake else 0,
    )
    return moments, over


def _lines(views: list[HandView], over: HandOver) -> tuple[ReplayLine, ...]:
    """Number the lines of the log by the step in which they come."""
    every = list(hand_lines(views[-1], over))
    found = []
    told = 0
    for step, view in enumerate(views):
        until = sum(1 for _ in hand_lines(view))
        found += [ReplayLine(line=line, step=step) for line in every[told:until]]
        told = until
    return (*found, *(ReplayLine(line=line, step=len(views)) for line in every[told:]))


def _texts(hole: object) -> list[str]:
    return [] if hole is None else holding_texts(hole)  # type: ignore[arg-type]


def _unit(record: HandRecord) -> str:
    if not record.currency or record.denomination == 1:
        return f"amounts in {record.currency}" if record.currency else ""
    return f"a chip is {record.currency}{float(record.denomination):g}"
