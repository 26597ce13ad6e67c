"""Heads-up rivers and turns solved in advance, with what each action is worth and how sure that is.

``release/drills.py`` makes the file. It has a member for each river and for each turn: the spot as
text, how it came about, and points of that street's betting tree. A point has some holdings of the
one who acts, each with the value of every action and the error of what it costs, in hundredths of a
chip; ten chips are a big blind. A decision's name is those of its spot, point and holding, as in
``0012-3.1.7`` for a river and ``t0012-0.1.7`` for a turn.

A cost is graded only beyond its error: it is called a loss where it is at least three times as
large. A decision can be a *puzzle* where that holds of every action but the best.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from railbird.errors import BadInput, DamagedFile
from railbird.solve.spot.presets import BIG_BLIND

UNIT: Final = 0.01
"""Chips in which values and errors are written."""
CLEAR: Final = 3.0
"""Times its error that a cost has to be to count as one."""
_LEAST_LOSS, _MOST_LOSS = 0.02, 0.5
"""Parts of the pot that the second best action of a puzzle costs: less is a trifle, and what costs
more nobody asks."""
_DAILY: Final = 4
"""One puzzle in so many is for the days, and is never asked otherwise."""
_TURNS: Final = 4
"""One drill in so many is a turn."""
_NAME: Final = re.compile(r"(t?\d{4}-\d{1,2})\.(\d{1,3})\.(\d{1,3})")
STORE: Final = Path(__file__).parent / "data" / "rivers.zip"


class DrillGrade(StrEnum):
    """What can be said of an action."""

    BEST = "best"
    """Every other one costs something."""
    EVEN = "even"
    """It costs nothing that can be told from the error."""
    UNCLEAR = "unclear"
    """It seems to cost something, less than three times the error."""
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class DrillAction:
    """An action of a decision, in big blinds."""

    name: str
    """As the solver writes it, ``bet 41``: chips of the street."""
    words: str
    value: float
    """What it is worth from here on."""
    cost: float
    """How much less it is worth than the best one."""
    error: float
    """Of the cost."""
    share: float
    """How often the solution takes it with these cards, 0 to 1."""

    @property
    def low(self) -> float:
        """What it costs at least."""
        return max(self.cost - self.error, 0.0)

    @property
    def high(self) -> float:
        """What it costs at most."""
        return self.cost + self.error

    @property
    def is_loss(self) -> bool:
        """Whether it costs so much more than its error that it counts as a mistake."""
        return self.cost >= CLEAR * self.error and self.cost > 0


@dataclass(frozen=True, slots=True)
class DrillDecision:
    """A decision on a river or a turn, all amounts in chips."""

    name: str
    seats: tuple[str, str]
    """What both are called, the first to act first."""
    story: tuple[str, ...]
    """How it came about, a sentence for each street."""
    board: str
    pot: int
    """Bets of the street included."""
    stacks: tuple[int, int]
    """What both have left."""
    bets: tuple[int, int]
    """Of the street."""
    player: int
    """Who acts."""
    holding: str
    actions: tuple[DrillAction, ...]
    other: tuple[float, ...]
    """(169,) the part of each class of hands that the other player still has."""

    @property
    def best(self) -> DrillAction:
        """The action that is worth most."""
        return min(self.actions, key=lambda action: action.cost)

    @property
    def second(self) -> float:
        """Big blinds that the cheapest other action costs."""
        return min(action.cost for action in self.actions if action is not self.best)

    @property
    def least(self) -> float:
        """Big blinds that any other action costs at least."""
        return min(action.low for action in self.actions if action is not self.best)

    @property
    def is_puzzle(self) -> bool:
        """Whether one action is right beyond doubt, and it is worth asking which.

        Of each point `DrillStore.puzzles` has one such decision; the others are drills.
        """
        others = [action for action in self.actions if action is not self.best]
        pot = self.pot / BIG_BLIND
        return all(map(_is_loss, others)) and _LEAST_LOSS * pot <= self.second <= _MOST_LOSS * pot

    def action(self, name: str) -> DrillAction:
        """Return an action by its name. Raises `BadInput`."""
        for action in self.actions:
            if action.name == name:
                return action
        raise BadInput(
            f"{name[:20]!r}; allowed: {', '.join(action.name for action in self.actions)}"
        )

    def grade(self, action: DrillAction) -> DrillGrade:
        """Say what can be said of an action."""
        if action.is_loss:
            return DrillGrade.LOSS
        if action.cost > action.error:
            return DrillGrade.UNCLEAR
        others = (rival for rival in self.actions if rival is not action)
        return DrillGrade.BEST if all(map(_is_loss, others)) else DrillGrade.EVEN


def _is_loss(action: DrillAction) -> bool:
    return action.is_loss


class DrillStore:
    """The spots of a file. Only its index is kept in memory, and the spots asked for last."""

    def __init__(self, path: Path = STORE) -> None:
        self._path = path
        self._archive: zipfile.ZipFile | None = None

    @cache  # noqa: B019 - there is one store in a process
    def index(self) -> Mapping[str, Any]:
        """Return the names of all puzzles, and for each spot how many holdings its points have."""
        index: Mapping[str, Any] = self._member("index")
        return index

    @property
    def rivers(self) -> int:
        """How many rivers there are."""
        return len(self.index()["rivers"])

    @property
    def turns(self) -> int:
        """How many turns there are."""
        return len(self.index()["turns"])

    @property
    def decisions(self) -> int:
        """How many decisions there are."""
        return sum(sum(points) for points in self.counts().values())

    @cache  # noqa: B019
    def counts(self) -> Mapping[str, Sequence[int]]:
        """Return for each river and each turn how many holdings its points have."""
        return {**self.index()["rivers"], **self.index()["turns"]}

    @cache  # noqa: B019
    def puzzles(self, *, daily: bool) -> tuple[str, ...]:
        """Return the names of puzzles, in an order that nobody chose."""
        names = sorted(self.index()["puzzles"], key=_shuffled)
        return tuple(name for name in names if _is_for_days(name) is daily)

    def of_day(self, day: date) -> str:
        """Return the name of a day's puzzle, the same for everybody."""
        names = self.puzzles(daily=True)
        return names[day.toordinal() % len(names)]

    def puzzle_for(self, owner: str, solved: Iterable[str]) -> str | None:
        """Return the name of the next puzzle of one who has answered some; None after the last."""
        known = set(solved)
        left = (name for name in self.puzzles(daily=False) if name not in known)
        return min(left, key=lambda name: _shuffled(f"{owner} {name}"), default=None)

    def is_puzzle(self, name: str) -> bool:
        """Whether a decision is asked as a puzzle, so that no drill gives its answer away."""
        return name in self._asked()

    @cache  # noqa: B019
    def _asked(self) -> frozenset[str]:
        return frozenset(self.index()["puzzles"])

    def drill_at(self, number: int) -> str:
        """Return the name of a decision that is no puzzle, by any whole number."""
        number, street = divmod(number, _TURNS)
        counts: Mapping[str, Sequence[int]] = self.index()["rivers" if street else "turns"]
        puzzles = self._asked()
        names = list(counts)
        while True:
            number, row = divmod(number, len(names))
            spot = names[row]
            choices = [
                f"{spot}.{point}.{holding}"
                for point, count in enumerate(counts[spot])
                for holding in range(count)
                if f"{spot}.{point}.{holding}" not in puzzles
            ]
            if choices:
                return choices[number % len(choices)]
            number = 7 * number + row + 1

    def decision(self, name: str) -> DrillDecision:
        """Return a decision. Raises `BadInput` where there is none of this name."""
        match = _NAME.fullmatch(name)
        if match is None or match[1] not in self.counts():
            raise BadInput(f"there is no decision {name[:30]!r}")
        counts = self.counts()[match[1]]
        point, holding = int(match[2]), int(match[3])
        if point >= len(counts) or holding >= counts[point]:
            raise BadInput(f"there is no decision {name[:30]!r}")
        return stored_decision(name, self.river(match[1]), point, holding)

    @lru_cache(maxsize=64)  # noqa: B019
    def river(self, name: str) -> Mapping[str, Any]:
        """Return a river, or a turn, as it is written."""
        spot: Mapping[str, Any] = self._member(name)
        return spot

    def _member(self, name: str) -> Any:
        try:
            if self._archive is None:
                self._archive = zipfile.ZipFile(self._path)
            return json.loads(self._archive.read(name))
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise DamagedFile(f"{self._path}: cannot be read: {error}") from None


def _shuffled(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def _is_for_days(name: str) -> bool:
    return _shuffled(name)[-1] % _DAILY == 0


def stored_decision(name: str, spot: Mapping[str, Any], point: int, holding: int) -> DrillDecision:
    """Return a decision of a spot as it is written."""
    at = spot["points"][point]
    cards, values, errors, shares = at["decisions"][holding]
    fields = dict(line.split(" = ", 1) for line in spot["spot"].splitlines())
    stack, paid, player = int(fields["stack"]), at["paid"], at["player"]
    best = max(values)
    to_chips = UNIT / BIG_BLIND
    pot = at["pot"]
    seats = (spot["seats"][0], spot["seats"][1])
    return DrillDecision(
        name=name,
        seats=seats,
        story=story_of(spot, seats, at["line"]),
        board=fields["board"],
        pot=pot,
        stacks=(stack - paid[0], stack - paid[1]),
        bets=(paid[0], paid[1]),
        player=player,
        holding=cards,
        actions=tuple(
            DrillAction(
                action,
                drill_action_words(action, paid[player], paid[1 - player]),
                value * to_chips,
                (best - value) * to_chips,
                error * to_chips,
                share / 100,
            )
            for action, value, error, share in zip(
                at["actions"], values, errors, shares, strict=True
            )
        ),
        other=tuple(part / 100 for part in at["other"]),
    )


def in_blinds(chips: float) -> str:
    """Write chips in big blinds.

    >>> in_blinds(41), in_blinds(250)
    ('4.1 bb', '25 bb')
    """
    return f"{chips / BIG_BLIND:.1f}".removesuffix(".0") + " bb"


def drill_action_words(action: str, own: int, to_match: int) -> str:
    """Say what an action is, on a button.

    >>> drill_action_words("raise 120", 0, 40), drill_action_words("call", 10, 40)
    ('Raise to 12 bb', 'Call 3 bb')
    """
    act, _, amount = action.partition(" ")
    match act:
        case "call":
            return f"Call {in_blinds(to_match - own)}"
        case "bet":
            return f"Bet {in_blinds(int(amount))}"
        case "raise":
            return f"Raise to {in_blinds(int(amount))}"
        case "all-in":
            return f"All-in, {in_blinds(int(amount))}"
        case _:
            return act.capitalize()


_PAST: Final = {"check": "checks", "fold": "folds", "call": "calls"}


def spot_line_words(line: str, seats: tuple[str, str]) -> str:
    """Say who did what on a street.

    >>> spot_line_words("check bet 41 call", ("Big blind", "Button"))
    'the big blind checks, the button bets 4.1 bb, the big blind calls'
    """
    clauses, player, words = [], 0, iter(line.split())
    for act in words:
        who = f"the {seats[player].lower()}"
        match act:
            case "bet":
                clauses.append(f"{who} bets {in_blinds(int(next(words)))}")
            case "raise":
                clauses.append(f"{who} raises to {in_blinds(int(next(words)))}")
            case "all-in":
                clauses.append(f"{who} is all-in with {in_blinds(int(next(words)))}")
            case _:
                clauses.append(f"{who} {_PAST[act]}")
        player = 1 - player
    return ", ".join(clauses)


def story_of(spot: Mapping[str, Any], seats: tuple[str, str], line: str) -> tuple[str, ...]:
    """Say how a decision came about, a sentence for each street."""
    before = [spot["turn"]] if "turn" in spot else []
    lines = zip(("turn", "river"), [*before, line], strict=False)
    sentences = [
        f"On the {street}, {spot_line_words(acts, seats)}." for street, acts in lines if acts
    ]
    return (f"{spot['story']}.", "Both check the flop.", *sentences)
