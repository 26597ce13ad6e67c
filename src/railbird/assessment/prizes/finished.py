"""Knock-out tournaments as their hands tell them: who played, and who came where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from railbird.errors import NothingUsable
from railbird.histories import HandRecord
from railbird.tournament.finishing_places import places_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finished:
    """A tournament from its first hand to its last."""

    players: tuple[str, ...]
    """In the order in which they first sat."""
    places: tuple[int, ...]
    """By player, from 1; players knocked out in equal circumstances share one."""
    stack: int
    """Chips of everybody at the beginning."""
    hands: tuple[HandRecord, ...]

    @property
    def is_known(self) -> bool:
        """Whether all cards dealt are known."""
        return all(hole is not None for hand in self.hands for hole in hand.holes)


@dataclass(slots=True)
class Unfinished:
    """Tournaments that cannot be followed from beginning to end."""

    count: int = 0
    why: str = ""
    """What is the matter with the first of them."""
    hands: int = 0

    def add(self, why: str, hands: int) -> None:
        """Count one."""
        self.count += 1
        self.hands += hands
        self.why = self.why or why


def finished_tournaments(hands: Iterable[HandRecord], unfinished: Unfinished) -> Iterator[Finished]:
    """Yield the tournaments whose hands lead from equal stacks to one player with all chips.

    Hands come in the order of play, with tables named ``TOURNAMENT.TABLE`` as `railbird.arena`
    names them. The others are counted in ``unfinished``.

    Raises `NothingUsable` for tables with other names.
    """
    part: list[HandRecord] = []
    number = 0
    for hand in hands:
        tournament, _ = _numbers(hand.table)
        if part and (tournament != number or _restarts(part[-1], hand)):
            yield from _followed(part, number, unfinished)
            part = []
        number = tournament
        part.append(hand)
    if part:
        yield from _followed(part, number, unfinished)


def _restarts(before: HandRecord, hand: HandRecord) -> bool:
    """Return whether the numbers of the hands begin again, as where another log follows."""
    numbers = before.number, hand.number
    return None not in numbers and (hand.number or 0) <= (before.number or 0)


@dataclass(slots=True)
class _Field:
    """The players of a tournament while it is followed."""

    stacks: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)

    def finish(self, had: dict[str, int]) -> None:
        """Place those who lost their last chips in a round that began with ``had``."""
        names = list(self.stacks)
        out = [place for place, name in enumerate(names) if had[name] and not self.stacks[name]]
        left = sum(chips > 0 for chips in self.stacks.values())
        before = [had[name] for name in names]
        self.places |= {names[at]: place for at, place in places_of(out, before, left).items()}


def _followed(part: list[HandRecord], number: int, unfinished: Unfinished) -> Iterator[Finished]:
    """Yield the tournament of these hands, or count it."""
    found = _Field()
    why = _follow(part, found)
    if why is None:
        names = tuple(found.stacks)
        yield Finished(
            players=names,
            places=tuple([found.places.get(name, 1) for name in names]),
            stack=_stacks_of(part[0])[0],
            hands=tuple(part),
        )
    else:
        unfinished.add(f"tournament {number}: {why}", len(part))


def _follow(part: list[HandRecord], found: _Field) -> str | None:
    """Follow the chips from hand to hand; return why they cannot be followed."""
    stack = _stacks_of(part[0])[0]
    had: dict[str, int] = {}
    last = -1
    for count, hand in enumerate(part, 1):
        _, table = _numbers(hand.table)
        if table <= last:
            # A new round: all tables have played one hand.
            found.finish(had)
            had = dict(found.stacks)
        last = table
        for name, chips in zip(hand.players, _stacks_of(hand), strict=True):
            if found.stacks.setdefault(name, stack) != chips:
                return (
                    f"{name} has {chips} chips in its hand {count}, not {found.stacks[name]}; "
                    "the log lacks hands, or is no freeze-out with equal stacks"
                )
            had.setdefault(name, stack)
        for name, won in zip(hand.players, hand.payoffs, strict=True):
            found.stacks[name] += int(won)
    found.finish(had)
    left = [name for name, chips in found.stacks.items() if chips]
    if len(left) != 1:
        return f"{len(left)} players still have chips after its last hand"
    return None


def _stacks_of(hand: HandRecord) -> tuple[int, ...]:
    if hand.rules.stacks is None:
        raise NothingUsable("hands without stacks; allowed: those of tournaments")
    return tuple(map(int, hand.rules.stacks))


def _numbers(table: str) -> tuple[int, int]:
    """Return the numbers of a tournament and of its table. Raises `NothingUsable`."""
    number, _, rest = table.partition(".")
    if not all(part.isdecimal() and part.isascii() and len(part) < 10 for part in (number, rest)):
        raise NothingUsable(
            f"table {table!r}; allowed: TOURNAMENT.TABLE such as 3.1, as logs of railbird"
            " tournament name them"
        )
    return int(number), int(rest)
