"""Statistics of one opponent: counts, shown cards, ratings and win probabilities.

Booker (2004), sections 3.4, 7.3 and 7.4. Where the source sampled, strengths and probabilities are
exact or as exact as `railbird.odds.win_probability` says.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from railbird.cards import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    HOLDINGS,
    Card,
    HandClass,
    Holding,
    parse_class,
)
from railbird.cards.starting_groups import StartingGroups, starting_groups
from railbird.errors import BadInput, DamagedFile
from railbird.game import BOARD_CARDS, Street
from railbird.modelling.opponent_statistics.cues import COUNTS, Cues
from railbird.modelling.opponent_statistics.public_hand import (
    ObservedHand,
    PlayedAction,
    SeenAction,
)
from railbird.modelling.opponent_statistics.rolling import (
    LEARNED,
    Entry,
    RollingArray,
    Stage,
    read_array,
    stage_of,
)
from railbird.modelling.settings import MEMORY, SHOWN_HANDS
from railbird.odds.hand_rank.final_strength import state_rating, state_strength
from railbird.odds.win_probability.win_probability import state_probability
from railbird.units import Chips, Seat

VERSION = 1
"""Version of the records."""

BETS = 3
"""Contexts of an action: no bet or raise on the street before it, one, two or more."""

_ACTIONS = len(PlayedAction)
_COUNTS = len(Street) * 2 * BETS * _ACTIONS
_RATINGS = len(Street) * len(LEARNED)
_PROBABILITIES = len(Stage) * len(LEARNED)
_LATE = 4
_MOST = 1 << 53


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand that had to be shown, with everything that its player did."""

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

    ``memory`` is the length of the rolling arrays; everything else is counted from the beginning.
    """

    def __init__(self, *, memory: int = MEMORY) -> None:
        if memory < 1:
            raise BadInput(f"memory of {memory} hands; allowed: 1 or more")
        self.memory = memory
        self.hands = 0
        """Hands dealt to the opponent."""
        self._counts = [0] * _COUNTS
        self.late = [0] * _LATE
        """Before the flop: chances to bet first from a late position, and bets; later the same."""
        self.cues = Cues()
        self.showdowns = 0
        self.unseen_showdowns = 0
        """Showdowns in which it did not show its cards."""
        self.shown_freely = 0
        """Hands that it showed without need; nothing is learned from them."""
        self.shown_classes: Counter[tuple[HandClass, bool]] = Counter()
        """Shown hands by class, and whether a blind was posted."""
        self._strength = (0, 0)
        """Number and sum of the strengths that it showed down."""
        self.shown_hands: deque[ShownHand] = deque(maxlen=SHOWN_HANDS)
        """The latest shown hands."""
        self._ratings = [RollingArray(memory) for _ in range(_RATINGS)]
        self._probabilities = [RollingArray(memory) for _ in range(_PROBABILITIES)]

    def learn(self, hand: ObservedHand, seat: Seat) -> None:
        """Learn from a hand that the opponent played in this seat."""
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
        shown = next((cards for cards in hand.shown if cards.seat == seat), None)
        if seat in hand.in_showdown:
            self.showdowns += 1
            self.unseen_showdowns += shown is None
        if shown is not None and not shown.needed:
            self.shown_freely += 1
        elif shown is not None:
            self._learn_shown(
                ShownHand(shown.holding, hand.board, on_blind, hand.big_blind, actions)
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
        """Count actions; whatever is None may be anything. ``bets`` of 2 means two or more."""
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
        """Bets and raises over all actions; None before the first."""
        actions = sum(self._counts)
        bets = sum(self._counts[PlayedAction.RAISE :: _ACTIONS])
        return Mean(bets / actions, actions) if actions else None

    @property
    def showdown_strength(self) -> Mean | None:
        """Mean strength, 0 to 7461, of the hands that it had to show; None without any."""
        count, total = self._strength
        return Mean(total / count, count) if count else None

    def mean_group(
        self, groups: StartingGroups = StartingGroups.LIMIT, *, on_blind: bool
    ) -> Mean | None:
        """Return the mean group of shown starting hands; None without any."""
        numbers = starting_groups(groups)
        shown = [
            (number, n) for (number, blind), n in self.shown_classes.items() if blind is on_blind
        ]
        count = sum(n for _, n in shown)
        return Mean(sum(numbers.item(k) * n for k, n in shown) / count, count) if count else None

    def shown_ratings(self, street: Street, action: PlayedAction) -> tuple[float, ...]:
        """Return the latest ratings of hands shown after an action on a street, oldest first."""
        return tuple([entry[0] for entry in self._ratings[_array(street, action)].entries])

    def shown_probabilities(
        self, stage: Stage, action: PlayedAction
    ) -> tuple[tuple[float, float, float], ...]:
        """Return the latest entries of a rolling array of probabilities, oldest first.

        Each is the probability of winning, the same per chip put in, and per big blind; the last
        two are 0 after a check.
        """
        entries = self._probabilities[_array(stage, action)].entries
        return tuple([(wins, chip, blind) for wins, chip, blind in entries])

    def rating(self, street: Street, action: PlayedAction) -> Mean | None:
        """Return the mean rating of the hands shown after an action on a street.

        A rating is `railbird.odds.hand_rank.final_strength.rating`. None without any.
        """
        array = self._ratings[_array(street, action)]
        mean = array.mean()
        return Mean(mean[0], len(array)) if mean else None

    def probability(
        self,
        stage: Stage,
        action: PlayedAction,
        paid: float,
        *,
        big_blind: Chips | None = None,
    ) -> Mean | None:
        """Estimate the probability of winning with which a hand is played so.

        After a check it is the mean of the hands that were shown after one; after a call or raise
        the mean probability per chip, times ``paid``. With ``big_blind`` the mean is of the
        probability per big blind of that time. No estimate leaves 0 to 1; None without data.
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
        """Return the statistics of both together, these hands first; ``memory`` is this one's."""
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
        """Return what came after a former state of these statistics.

        ``earlier.followed_by(now.since(earlier))`` are the statistics now, so that two processes
        that began with the same can add what each saw.
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
        added = new._strength[0]
        new.shown_hands.extend(list(self.shown_hands)[-added:] if added else [])
        pairs = zip(self._ratings, earlier._ratings, strict=True)
        new._ratings = [now.since(then) for now, then in pairs]
        pairs = zip(self._probabilities, earlier._probabilities, strict=True)
        new._probabilities = [now.since(then) for now, then in pairs]
        return new

    def as_record(self) -> dict[str, Any]:
        """Return everything as plain numbers, texts and lists; `from_record` reads it."""
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
        """Return the statistics of a record; ``memory`` replaces that of the record.

        Raises `DamagedFile` for anything but a record of this version.
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
    """Return the probability of winning, the same per chip and per big blind."""
    wins = state_probability(holding, board, opponents).unbeaten
    per_chip = wins / paid if paid else 0.0
    return wins, per_chip, per_chip * big_blind


def _rated(holding: Holding, board: tuple[Card, ...]) -> Entry:
    return (state_rating(holding, board),)


def _added(one: tuple[int, int], other: tuple[int, int], sign: int) -> tuple[int, int]:
    return one[0] + sign * other[0], one[1] + sign * other[1]


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
    if type(value) is not int or not 0 <= value < below:
        raise ValueError(f"{value!r}; allowed: whole numbers from 0")
    return value


def _wholes(values: Any, count: int) -> list[int]:
    if len(values) != count:
        raise ValueError(f"{len(values)} numbers; allowed: {count}")
    return [_whole(value) for value in values]
