"""Statistics of one opponent: counts, shown cards, ratings and win probabilities.

They follow Booker (2004), sections 3.4, 7.3 and 7.4. The source estimated strengths and
probabilities by sampling; here they are exact, or as exact as `railbird.odds.win_probability` is.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from railbird.cards import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    HOLDINGS,
    Card,
    HandClass,
    Holding,
    parse_class,
)
from railbird.cards.ranges import StartingGroups, starting_groups
from railbird.errors import BadInput, DamagedFile
from railbird.game import BOARD_CARDS, Event, Street, View
from railbird.modelling.opponent_memory import Learned, OpponentMemory
from railbird.modelling.public_hand import ObservedHand, PlayedAction, PublicHand, SeenAction
from railbird.modelling.settings import AGGRESSIVE_TABLE, MEMORY, SHOWN_HANDS, TABLE_HANDS
from railbird.odds.hand_rank import state_rating, state_strength
from railbird.odds.win_probability import state_probability
from railbird.units import Chips, Seat

if TYPE_CHECKING:
    from pathlib import Path

    from railbird.storage.opponents import MemoryPlace


# The fifteen rolling arrays of win probabilities (Booker 2004, section 7.6.4), and similar arrays.


LEARNED = (PlayedAction.CHECK, PlayedAction.CALL, PlayedAction.RAISE)
"""Actions that have an array. Folds have none, because a folded hand is not shown."""


class HandStage(IntEnum):
    """A part of a hand that has its own arrays."""

    ON_BLIND = 0
    """Before the flop, having posted a blind."""
    PREFLOP = 1
    """Before the flop, without a blind."""
    FLOP = 2
    TURN = 3
    RIVER = 4


def stage_of(street: Street, *, on_blind: bool) -> HandStage:
    """Return the stage to which an action on a street belongs."""
    if street is Street.PREFLOP:
        return HandStage.ON_BLIND if on_blind else HandStage.PREFLOP
    return HandStage(street + 1)


Entry = tuple[float, ...]
"""The numbers that one action with shown cards adds to an array."""

Pending = Callable[[], Entry]
"""An entry that is computed only when it is asked for."""


class RollingArray:
    """The last entries of one kind, and the number of all entries ever.

    An entry may be a function without arguments, which is called when the entry is first needed.
    Most players read few of the arrays, and an exact probability or rating takes a while.
    """

    __slots__ = ("_given", "_mean", "_memory", "total")

    def __init__(
        self, memory: int, entries: Iterable[Entry | Pending] = (), total: int = 0
    ) -> None:
        self._memory = memory
        self._given: deque[Entry | Pending] = deque(entries, maxlen=memory)
        self.total = max(total, len(self._given))
        self._mean: Entry | None = None

    def __len__(self) -> int:
        return len(self._given)

    @property
    def entries(self) -> list[Entry]:
        """The entries, oldest first."""
        # Entries that were computed replace the functions that gave them, so none is computed
        # twice.
        known = [entry if isinstance(entry, tuple) else entry() for entry in self._given]
        self._given = deque(known, maxlen=self._memory)
        return known

    def add(self, entry: Entry | Pending) -> None:
        """Add an entry, dropping the oldest if the array is full."""
        self._given.append(entry)
        self.total += 1
        self._mean = None

    def mean(self) -> Entry | None:
        """Return the mean entry, number by number; None if there are no entries."""
        if self._mean is None and self._given:
            columns = zip(*self.entries, strict=True)
            self._mean = tuple([sum(column) / len(self._given) for column in columns])
        return self._mean

    def as_record(self) -> list[object]:
        """Return the number of all entries ever, and the entries kept, oldest first."""
        return [self.total, [list(entry) for entry in self.entries]]

    def followed_by(self, later: RollingArray) -> RollingArray:
        """Return the array with the entries of both, this one's first."""
        return RollingArray(self._memory, [*self._given, *later._given], self.total + later.total)

    def since(self, earlier: RollingArray) -> RollingArray:
        """Return what was added since ``earlier``, a former state of this array."""
        # Counted by totals, because the entries themselves may have left the array since. More may
        # have been added than are kept; the total says so.
        added = self.total - earlier.total
        newest = list(self._given)[-added:] if added > 0 else []
        return RollingArray(self._memory, newest, max(added, 0))


def read_array(record: Sequence[object], *, width: int, memory: int) -> RollingArray:
    """Read an array from its record. Raises `ValueError` if it is not one."""
    total, entries = record
    if not isinstance(total, int) or not isinstance(entries, list) or len(entries) > total:
        raise ValueError(f"array of {total} entries")
    read = [tuple([float(number) for number in entry]) for entry in entries]
    if any(len(entry) != width or not all(abs(n) < _LARGEST for n in entry) for entry in read):
        raise ValueError(f"entries that are not {width} finite numbers")
    return RollingArray(memory, read, total)


_LARGEST = 1e18


# Counts that reveal an opponent's deception and adaptation (Booker 2004, section 3.3).


_CHECK_RAISES = 0
_QUIET = 2
_AGGRESSIVE = 4
COUNTS = 6
"""Numbers in a record."""


class Share(NamedTuple):
    """How often something was done, and how often it could have been."""

    done: int
    n: int


class Cues:
    """Counts of check-raises, and of hands played at quiet and at aggressive tables."""

    def __init__(self, counts: Sequence[int] = (0,) * COUNTS) -> None:
        self.counts = list(counts)
        self._table: deque[tuple[int, int]] = deque()
        """Bets, and all actions, of the others in each of the latest hands."""
        self._bets = self._others = 0
        """Sums of these, kept up to date so that no hand is added up twice."""

    def learn(self, hand: ObservedHand, actions: Sequence[SeenAction]) -> None:
        """Learn from a hand and one seat's actions in it."""
        after_flop = [seen for seen in actions if seen.street is not Street.PREFLOP]
        if len(after_flop) > 1:
            for street in (Street.FLOP, Street.TURN, Street.RIVER):
                self._learn_check_raise([seen for seen in after_flop if seen.street is street])
        self._learn_table(hand, actions)

    @property
    def check_raises(self) -> Share:
        """Raises among the answers to a bet that followed the opponent's check, after the flop."""
        return self._share(_CHECK_RAISES)

    @property
    def played_when_quiet(self) -> Share:
        """Hands called or raised before the flop while the others had been betting little."""
        return self._share(_QUIET)

    @property
    def played_when_aggressive(self) -> Share:
        """Hands called or raised before the flop while the others had been betting a lot."""
        return self._share(_AGGRESSIVE)

    def followed_by(self, later: Cues) -> Cues:
        """Return the counts of this time and a later one together."""
        return Cues([a + b for a, b in zip(self.counts, later.counts, strict=True)])

    def since(self, earlier: Cues) -> Cues:
        """Return the counts of what came after an earlier state."""
        return Cues([a - b for a, b in zip(self.counts, earlier.counts, strict=True)])

    def _share(self, first: int) -> Share:
        # A record has the number of chances first, which is what `_count` increases every time.
        n, done = self.counts[first : first + 2]
        return Share(done, n)

    def _count(self, first: int, *, done: bool) -> None:
        self.counts[first] += 1
        self.counts[first + 1] += done

    def _learn_check_raise(self, actions: Sequence[SeenAction]) -> None:
        if len(actions) < 2:
            return
        first, answer = actions[:2]
        if first.action is PlayedAction.CHECK:
            self._count(_CHECK_RAISES, done=answer.action is PlayedAction.RAISE)

    def _learn_table(self, hand: ObservedHand, actions: Sequence[SeenAction]) -> None:
        before_flop = [seen.action for seen in actions if seen.street is Street.PREFLOP]
        # The table is judged by the hands before this one: the hand itself is added afterwards, or
        # an opponent's own hand would help to decide under what it is counted.
        if before_flop and len(self._table) == TABLE_HANDS:
            played = any(a in (PlayedAction.CALL, PlayedAction.RAISE) for a in before_flop)
            is_aggressive = self._bets > AGGRESSIVE_TABLE * self._others
            self._count(_AGGRESSIVE if is_aggressive else _QUIET, done=played)
        bets = _bets_in(hand.actions) - _bets_in(actions)
        others = len(hand.actions) - len(actions)
        self._table.append((bets, others))
        self._bets += bets
        self._others += others
        if len(self._table) > TABLE_HANDS:
            bets, others = self._table.popleft()
            self._bets -= bets
            self._others -= others


def _bets_in(actions: Sequence[SeenAction]) -> int:
    return [seen.action for seen in actions].count(PlayedAction.RAISE)


# What is counted of one opponent.


VERSION = 1
"""Version of the records."""

BETS = 3
"""Number of contexts of an action: after no bet or raise on its street, one, two or more."""

_ACTIONS = len(PlayedAction)
_COUNTS = len(Street) * 2 * BETS * _ACTIONS
_RATINGS = len(Street) * len(LEARNED)
_PROBABILITIES = len(HandStage) * len(LEARNED)
_LATE = 4
_MOST = 1 << 53


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand that had to be shown, with all of its player's actions."""

    holding: Holding
    board: tuple[Card, ...]
    on_blind: bool
    big_blind: Chips
    actions: tuple[SeenAction, ...]


class Mean(NamedTuple):
    """A mean and the number of values behind it."""

    value: float
    n: int


class OpponentStatistics:
    """What one opponent did and showed, hand by hand.

    ``memory`` is the length of the rolling arrays; everything else counts all hands.
    """

    def __init__(self, *, memory: int = MEMORY) -> None:
        if memory < 1:
            raise BadInput(f"memory of {memory} hands; allowed: 1 or more")
        self.memory = memory
        self.hands = 0
        """Hands dealt to the opponent."""
        self._counts = [0] * _COUNTS
        self.late = [0] * _LATE
        """Preflop chances to bet first from a late position, bets then; the same after the flop."""
        self.cues = Cues()
        self.showdowns = 0
        self.unseen_showdowns = 0
        """Showdowns in which the opponent did not show its cards."""
        self.shown_freely = 0
        """Hands that it showed without having to; nothing is learned from them."""
        self.shown_classes: Counter[tuple[HandClass, bool]] = Counter()
        """Shown hands by class and by whether a blind was posted."""
        self._strength = (0, 0)
        """Number of the strengths shown down, and their sum."""
        self.shown_hands: deque[ShownHand] = deque(maxlen=SHOWN_HANDS)
        """The latest shown hands."""
        self._ratings = [RollingArray(memory) for _ in range(_RATINGS)]
        self._probabilities = [RollingArray(memory) for _ in range(_PROBABILITIES)]

    def learn(self, hand: ObservedHand, seat: Seat) -> None:
        """Learn from a hand that the opponent played in seat ``seat``."""
        self.hands += 1
        on_blind = hand.on_blind[seat]
        actions = hand.actions_of(seat)
        for seen in actions:
            self._counts[_place(seen.street, on_blind, seen.raises, seen.action)] += 1
            if seen.late:
                first = 0 if seen.street is Street.PREFLOP else 2
                self.late[first] += 1
                self.late[first + 1] += seen.action is PlayedAction.RAISE
        self.cues.learn(hand, actions)
        revealed = next((cards for cards in hand.shown if cards.seat == seat), None)
        if seat in hand.in_showdown:
            self.showdowns += 1
            self.unseen_showdowns += revealed is None
        if revealed is not None and not revealed.needed:
            self.shown_freely += 1
        elif revealed is not None:
            self._learn_shown(
                ShownHand(revealed.holding, hand.board, on_blind, hand.big_blind, actions)
            )

    def _learn_shown(self, hand: ShownHand) -> None:
        holding = hand.holding
        self.shown_hands.append(hand)
        self.shown_classes[HandClass(CLASS_OF_HOLDING.item(holding)), hand.on_blind] += 1
        count, total = self._strength
        self._strength = count + 1, total + round(state_strength(holding, hand.board))
        for seen in hand.actions:
            board = hand.board[: BOARD_CARDS[seen.street]]
            stage = stage_of(seen.street, on_blind=hand.on_blind)
            # Probabilities and ratings are computed when somebody asks for them: each takes a
            # while, and most players never look.
            self._probabilities[_array(stage, seen.action)].add(
                partial(_wins, holding, board, seen.opponents, seen.paid, hand.big_blind)
            )
            self._ratings[_array(seen.street, seen.action)].add(partial(_rated, holding, board))

    def count(
        self,
        *,
        street: Street | None = None,
        on_blind: bool | None = None,
        bets: int | None = None,
        action: PlayedAction | None = None,
    ) -> int:
        """Count actions; None matches anything, and ``bets`` of 2 means two or more."""
        streets = Street if street is None else (street,)
        blinds = (False, True) if on_blind is None else (on_blind,)
        contexts = range(BETS) if bets is None else (min(bets, BETS - 1),)
        actions = PlayedAction if action is None else (action,)
        return sum(
            self._counts[_place(s, blind, raises, a)]
            for s in streets
            for blind in blinds
            for raises in contexts
            for a in actions
        )

    @property
    def aggression(self) -> Mean | None:
        """Share of bets and raises among all actions; None before the first action."""
        actions = sum(self._counts)
        bets = sum(self._counts[PlayedAction.RAISE :: _ACTIONS])
        return Mean(bets / actions, actions) if actions else None

    @property
    def showdown_strength(self) -> Mean | None:
        """Mean strength, 0 to 7461, of the hands that had to be shown; None if there are none."""
        count, total = self._strength
        return Mean(total / count, count) if count else None

    def mean_group(
        self, groups: StartingGroups = StartingGroups.LIMIT, *, on_blind: bool
    ) -> Mean | None:
        """Return the mean group of the starting hands shown; None if there are none."""
        numbers = starting_groups(groups)
        classes = [
            (number, n) for (number, blind), n in self.shown_classes.items() if blind is on_blind
        ]
        count = sum(n for _, n in classes)
        return Mean(sum(numbers.item(k) * n for k, n in classes) / count, count) if count else None

    def shown_ratings(self, street: Street, action: PlayedAction) -> tuple[float, ...]:
        """Return the latest ratings of hands shown after an action on a street, oldest first."""
        return tuple([entry[0] for entry in self._ratings[_array(street, action)].entries])

    def shown_probabilities(
        self, stage: HandStage, action: PlayedAction
    ) -> tuple[tuple[float, float, float], ...]:
        """Return the latest entries of a rolling array of probabilities, oldest first.

        Each is the probability of winning, the same per chip put in, and per big blind; the last
        two are 0 after a check.
        """
        entries = self._probabilities[_array(stage, action)].entries
        return tuple([(wins, chip, blind) for wins, chip, blind in entries])

    def rating(self, street: Street, action: PlayedAction) -> Mean | None:
        """Return the mean rating of the hands shown after an action on a street.

        A rating is `railbird.odds.hand_rank.rating`. None without any.
        """
        array = self._ratings[_array(street, action)]
        mean = array.mean()
        return Mean(mean[0], len(array)) if mean else None

    def probability(
        self,
        stage: HandStage,
        action: PlayedAction,
        paid: float,
        *,
        big_blind: Chips | None = None,
    ) -> Mean | None:
        """Estimate the win probability of the hands that the opponent plays in this way.

        For a check it is the mean over the hands that were shown after one. For a call or a raise
        it is the mean probability per chip, times ``paid``; with ``big_blind`` the mean is per
        big blind of the hand in question instead. Estimates are limited to 0 to 1. Returns None if
        there are no data.
        """
        array = self._probabilities[_array(stage, action)]
        mean = array.mean()
        if mean is None:
            return None
        estimate = mean[0]
        if action is not PlayedAction.CHECK:
            estimate = mean[1] * paid if big_blind is None else mean[2] * paid / big_blind
        return Mean(min(max(estimate, 0.0), 1.0), len(array))

    def followed_by(self, later: OpponentStatistics) -> OpponentStatistics:
        """Return the joint statistics, with these hands first and this one's ``memory``."""
        both = OpponentStatistics(memory=self.memory)
        both.hands = self.hands + later.hands
        both._counts = [a + b for a, b in zip(self._counts, later._counts, strict=True)]
        both.late = [a + b for a, b in zip(self.late, later.late, strict=True)]
        both.cues = self.cues.followed_by(later.cues)
        both.showdowns = self.showdowns + later.showdowns
        both.unseen_showdowns = self.unseen_showdowns + later.unseen_showdowns
        both.shown_freely = self.shown_freely + later.shown_freely
        both.shown_classes = self.shown_classes + later.shown_classes
        both._strength = _added(self._strength, later._strength, 1)
        both.shown_hands.extend([*self.shown_hands, *later.shown_hands])
        both._ratings = _joined(self._ratings, later._ratings)
        both._probabilities = _joined(self._probabilities, later._probabilities)
        return both

    def since(self, earlier: OpponentStatistics) -> OpponentStatistics:
        """Return what was learned since ``earlier``, a former state of these statistics.

        ``earlier.followed_by(now.since(earlier))`` restores the statistics, so two processes that
        began with the same statistics can each add what it saw.
        """
        new = OpponentStatistics(memory=self.memory)
        new.hands = self.hands - earlier.hands
        new._counts = [a - b for a, b in zip(self._counts, earlier._counts, strict=True)]
        new.late = [a - b for a, b in zip(self.late, earlier.late, strict=True)]
        new.cues = self.cues.since(earlier.cues)
        new.showdowns = self.showdowns - earlier.showdowns
        new.unseen_showdowns = self.unseen_showdowns - earlier.unseen_showdowns
        new.shown_freely = self.shown_freely - earlier.shown_freely
        new.shown_classes = self.shown_classes - earlier.shown_classes
        new._strength = _added(self._strength, earlier._strength, -1)
        # Both shown strengths and shown hands grow by one for each shown hand, so the difference of
        # the counts is the number of new hands, even after old ones have left the deque.
        added = new._strength[0]
        new.shown_hands.extend(list(self.shown_hands)[-added:] if added else [])
        pairs = zip(self._ratings, earlier._ratings, strict=True)
        new._ratings = [now.since(then) for now, then in pairs]
        pairs = zip(self._probabilities, earlier._probabilities, strict=True)
        new._probabilities = [now.since(then) for now, then in pairs]
        return new

    def as_record(self) -> dict[str, Any]:
        """Return everything as plain numbers, strings and lists, for `from_record`."""
        return {
            "version": VERSION,
            "memory": self.memory,
            "hands": self.hands,
            "actions": list(self._counts),
            "late": list(self.late),
            "cues": list(self.cues.counts),
            "showdowns": self.showdowns,
            "unseen_showdowns": self.unseen_showdowns,
            "shown_freely": self.shown_freely,
            "shown_classes": [
                [CLASS_NAMES[number], int(on_blind), count]
                for (number, on_blind), count in sorted(self.shown_classes.items())
            ],
            "showdown_strengths": list(self._strength),
            "shown_hands": [_hand_record(hand) for hand in self.shown_hands],
            "ratings": [array.as_record() for array in self._ratings],
            "probabilities": [array.as_record() for array in self._probabilities],
        }

    @classmethod
    def from_record(
        cls, record: dict[str, Any], *, memory: int | None = None
    ) -> OpponentStatistics:
        """Restore statistics from a record; ``memory`` replaces the length of its arrays.

        Raises `DamagedFile` if it is not a record of this version.
        """
        try:
            version = record["version"]
            if version != VERSION:
                raise ValueError(f"version {version}; allowed: {VERSION}")
            return cls._read(record, memory)
        except (
            AttributeError,
            IndexError,
            KeyError,
            OverflowError,
            TypeError,
            ValueError,
        ) as problem:
            words = " ".join(str(problem).split())[:80]
            raise DamagedFile(f"no statistics of an opponent: {words}") from None

    @classmethod
    def _read(cls, record: dict[str, Any], memory: int | None) -> OpponentStatistics:
        new = cls(memory=_whole(record["memory"]) if memory is None else memory)
        new.hands = _whole(record["hands"])
        new._counts = _wholes(record["actions"], _COUNTS)
        new.late = _wholes(record["late"], _LATE)
        new.cues = Cues(_wholes(record["cues"], COUNTS))
        new.showdowns = _whole(record["showdowns"])
        new.unseen_showdowns = _whole(record["unseen_showdowns"])
        new.shown_freely = _whole(record["shown_freely"])
        for name, on_blind, count in record["shown_classes"]:
            new.shown_classes[parse_class(name), bool(on_blind)] = _whole(count)
        count, total = _wholes(record["showdown_strengths"], 2)
        new._strength = count, total
        new.shown_hands.extend(_read_hand(hand) for hand in record["shown_hands"])
        new._ratings = _read_arrays(record["ratings"], _RATINGS, 1, new.memory)
        new._probabilities = _read_arrays(record["probabilities"], _PROBABILITIES, 3, new.memory)
        return new


def _place(street: Street, on_blind: bool, raises: int, action: PlayedAction) -> int:
    context = (street * 2 + on_blind) * BETS + min(raises, BETS - 1)
    return context * _ACTIONS + action


def _array(stage: int, action: PlayedAction) -> int:
    return stage * len(LEARNED) + action - 1


def _wins(
    holding: Holding, board: tuple[Card, ...], opponents: int, paid: Chips, big_blind: Chips
) -> Entry:
    """Return the win probability: as it is, per chip paid, and per big blind paid."""
    wins = state_probability(holding, board, opponents).unbeaten
    per_chip = wins / paid if paid else 0.0
    return wins, per_chip, per_chip * big_blind


def _rated(holding: Holding, board: tuple[Card, ...]) -> Entry:
    return (state_rating(holding, board),)


def _added(left: tuple[int, int], right: tuple[int, int], sign: int) -> tuple[int, int]:
    return left[0] + sign * right[0], left[1] + sign * right[1]


def _joined(earlier: list[RollingArray], later: list[RollingArray]) -> list[RollingArray]:
    return [a.followed_by(b) for a, b in zip(earlier, later, strict=True)]


def _hand_record(hand: ShownHand) -> list[Any]:
    actions = [
        [int(a.street), int(a.action), a.paid, a.raises, a.opponents, int(a.late)]
        for a in hand.actions
    ]
    return [int(hand.holding), list(hand.board), int(hand.on_blind), hand.big_blind, actions]


def _read_hand(record: list[Any]) -> ShownHand:
    holding, board, on_blind, big_blind, actions = record
    cards = tuple([Card(_whole(card, 52)) for card in board])
    return ShownHand(
        Holding(_whole(holding, HOLDINGS)),
        cards,
        bool(on_blind),
        Chips(_whole(big_blind)),
        tuple([_read_action(*_wholes(action, 6)) for action in actions]),
    )


def _read_action(
    street: int, action: int, paid: int, raises: int, opponents: int, late: int
) -> SeenAction:
    return SeenAction(
        Seat(0), Street(street), PlayedAction(action), Chips(paid), raises, opponents, bool(late)
    )


def _read_arrays(record: list[Any], count: int, width: int, memory: int) -> list[RollingArray]:
    if len(record) != count:
        raise ValueError(f"{len(record)} arrays; allowed: {count}")
    return [read_array(array, width=width, memory=memory) for array in record]


def _whole(value: Any, below: int = _MOST) -> int:
    # `isinstance` would let booleans through, which are integers to Python but none in a record.
    if type(value) is not int or not 0 <= value < below:
        raise ValueError(f"{value!r}; allowed: whole numbers from 0")
    return value


def _wholes(values: Any, count: int) -> list[int]:
    if len(values) != count:
        raise ValueError(f"{len(values)} numbers; allowed: {count}")
    return [_whole(value) for value in values]


# How a memory stores the statistics of an opponent.


KIND: Final = "statistics"
"""The kind of record, as a memory names it."""


@dataclass(frozen=True, slots=True)
class StatisticsForm:
    """How a memory stores `OpponentStatistics`; ``memory`` is the length of rolling arrays."""

    memory: int
    kind: str = KIND
    version: int = VERSION

    def read(self, record: Mapping[str, Any]) -> OpponentStatistics:
        """Read a record. Raises `railbird.errors.DamagedFile`."""
        return OpponentStatistics.from_record(dict(record), memory=self.memory)

    def written(self, learned: OpponentStatistics) -> dict[str, Any]:
        """Return the record from which `read` restores the statistics."""
        return learned.as_record()

    def after(self, earlier: OpponentStatistics, later: OpponentStatistics) -> OpponentStatistics:
        """Return the statistics after the hands of both, ``earlier`` first."""
        return earlier.followed_by(later)

    def former(self, file: Path) -> Mapping[str, OpponentStatistics]:
        """Return no opponents: no earlier version kept statistics in files."""
        return {}


# The statistics of everybody whom a player has met, kept up to date hand by hand.


class OpponentObserver:
    """Follows the hands of a table (`railbird.players.KnowsNames`) and learns from finished ones.

    ``memory`` is the length of the rolling arrays. With ``place``, players who have names are
    remembered between sessions.
    """

    def __init__(self, *, memory: int = MEMORY, place: MemoryPlace | None = None) -> None:
        self._memory = memory
        self._kept = None if place is None else OpponentMemory(place, StatisticsForm(memory))
        self._names: tuple[str, ...] = ()
        self._forget()

    def reset(self) -> None:
        """End the session: write what it taught, if there is a memory, and forget everybody."""
        if self._kept is not None:
            self._kept.end(self._learned(self._kept))
        self._forget()

    def commit(self) -> None:
        """End the session and its part of a game; see `railbird.players.Remembering`.

        Without a memory this is the same as `reset`.
        """
        if self._kept is not None:
            self._kept.commit(self._learned(self._kept))
        self._forget()

    def rollback(self) -> None:
        """Forget what was learned since the last `commit` or `reset`."""
        if self._kept is not None:
            self._kept.rollback()
        self._forget()

    def close(self) -> None:
        """End the last session and close the memory."""
        if self._kept is not None:
            self._kept.close(self._learned(self._kept))
        self._forget()

    def _forget(self) -> None:
        self._met: dict[int, OpponentStatistics] = {}
        self._next: tuple[int, ...] | None = None
        self._sitting: tuple[int, ...] | None = None
        self._own: Seat | None = None
        self._hand = PublicHand()

    def meet(self, people: tuple[int, ...]) -> None:
        """Set who sits in each seat from the next hand on; the default is one player per seat."""
        self._next = people

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set the players' names, by number."""
        self._names = names

    def begin(self, view: View) -> None:
        """Begin a hand."""
        self._sitting = self._next
        self._own = view.seat
        self._hand.begin(view)
        if self._kept is not None:
            self._recall(self._kept, view)

    def observe(self, view: View, event: Event) -> None:
        """Record an event."""
        self._hand.observe(view, event)

    def end(self, view: View) -> None:
        """Learn from a finished hand about all other players."""
        hand = self._hand.end(view)
        for seat in map(Seat, range(hand.seats)):
            if seat != self._own:
                self[seat].learn(hand, seat)

    def shown_by_choice(self, person: int) -> None:
        """Count cards that somebody chose to show after a hand; nothing is learned from them."""
        if (statistics := self._met.get(person)) is not None:
            statistics.shown_freely += 1

    def last_action(self, seat: Seat) -> SeenAction | None:
        """Return a seat's latest action in this hand; None if it has not acted."""
        return self._hand.last_action(seat)

    @property
    def met(self) -> dict[str, OpponentStatistics]:
        """The statistics of everybody who has a name, by name."""
        return {
            self._names[number]: statistics
            for number, statistics in self._met.items()
            if number < len(self._names)
        }

    def __getitem__(self, seat: Seat) -> OpponentStatistics:
        """Return the statistics of the player in a seat, empty for a new player."""
        number = seat if self._sitting is None else self._sitting[seat]
        if number not in self._met:
            new = OpponentStatistics(memory=self._memory)
            known = self._known(number)
            # Joined to an empty record, the recalled one is copied: memories are shared between
            # sessions and must not change.
            self._met[number] = new if known is None else new.followed_by(known)
        return self._met[number]

    def _recall(self, memory: OpponentMemory[OpponentStatistics], view: View) -> None:
        rules = view.public.rules
        people = self._sitting or tuple(range(rules.seats))
        own = people[view.seat]
        if own < len(self._names):
            names = [self._names[number] for number in people if number < len(self._names)]
            memory.begin(
                names, observer=self._names[own], game=rules.betting.value, seats=rules.seats
            )

    def _known(self, number: int) -> OpponentStatistics | None:
        """Return what earlier sessions taught about a player; None if nothing."""
        if self._kept is None or number >= len(self._names):
            return None
        return self._kept.recall(self._names[number])

    def _learned(
        self, memory: OpponentMemory[OpponentStatistics]
    ) -> dict[str, Learned[OpponentStatistics]]:
        learned = {}
        for name, now in self.met.items():
            known = memory.recall(name)
            # The memory adds what it is given to what it has, so only what this session saw may be
            # handed over.
            new = now if known is None else now.since(known)
            bets = new.count(action=PlayedAction.RAISE)
            learned[name] = Learned(new, hands=new.hands, bets=bets, actions=new.count())
        return learned
