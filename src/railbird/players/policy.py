"""Optional capabilities of a player of any game: probabilities, games, closing, explanations.

`protocol` has what every player must do.

A class with only `reset` and `act` is still a player. The functions here ask a player for a
capability, and define the answer if it lacks it, so no caller needs to know the player's class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDEM, Variant
from railbird.errors import BadInput
from railbird.game import Action, Call, Discard, Fold, Raise, Rules, View
from railbird.players.explanation import Explanation
from railbird.players.protocol import Player
from railbird.units import Chips

Floats = npt.NDArray[np.float64]

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class RaiseSizes:
    """Raises to any whole number of chips from ``low`` to ``high``, all equally likely."""

    low: Chips
    high: Chips
    probability: float
    """The probability of all these sizes together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """The probabilities of a decision's actions, which sum to one; `call` is a check if free.

    Where cards are exchanged, `call` is all there is, whatever is thrown away.

    Raises `BadInput` if the values are no probabilities.
    """

    fold: float = 0.0
    call: float = 0.0
    raises: tuple[RaiseSizes, ...] = ()
    """One entry for each single size or span of sizes."""

    def __post_init__(self) -> None:
        parts = (self.fold, self.call, *(sizes.probability for sizes in self.raises))
        if min(parts) < 0 or abs(sum(parts) - 1) > _TOLERANCE:
            raise BadInput(f"probabilities {', '.join(f'{p:g}' for p in parts)}; allowed: sum 1")
        if any(not 0 < sizes.low <= sizes.high for sizes in self.raises):
            raise BadInput(f"raises {self.raises}; allowed: from low to high")

    @classmethod
    def certain(cls, action: Action) -> Distribution:
        """Return the distribution that always takes one action."""
        return cls.of([(action, 1.0)])

    @classmethod
    def of(cls, actions: list[tuple[Action, float]]) -> Distribution:
        """Return a distribution over single actions; an action may occur several times."""
        fold = sum(p for action, p in actions if isinstance(action, Fold))
        call = sum(p for action, p in actions if isinstance(action, Call | Discard))
        sizes: dict[Chips, float] = {}
        for action, p in actions:
            if isinstance(action, Raise) and p:
                sizes[action.to] = sizes.get(action.to, 0.0) + p
        raises = tuple(RaiseSizes(to, to, p) for to, p in sizes.items())
        return cls(fold=fold, call=call, raises=raises)

    def probability(self, action: Action) -> float:
        """Return the probability of exactly this action.

        >>> halves = Distribution(call=0.5, raises=(RaiseSizes(Chips(3), Chips(4), 0.5),))
        >>> halves.probability(Raise(Chips(4))), halves.probability(Fold())
        (0.25, 0.0)
        """
        match action:
            case Fold():
                return self.fold
            case Call() | Discard():
                return self.call
            case Raise(to):
                return sum(
                    sizes.probability / (sizes.high - sizes.low + 1)
                    for sizes in self.raises
                    if sizes.low <= to <= sizes.high
                )

    def draw(self, rng: np.random.Generator) -> Action:
        """Draw an action."""
        left = float(rng.random()) - self.fold
        if left < 0:
            return Fold()
        for sizes in self.raises:
            left -= sizes.probability
            if left < 0:
                return Raise(Chips(int(rng.integers(sizes.low, sizes.high + 1))))
        return Call()


@dataclass(frozen=True, slots=True, eq=False)
class RangeDistribution:
    """The probabilities of a decision's actions with each of several holdings; each sums to one."""

    fold: Floats
    """(holdings,)"""
    call: Floats
    """(holdings,)"""
    sizes: tuple[tuple[Chips, Chips], ...]
    """Raises to any whole number of chips from the first to the second, all equally likely."""
    raises: Floats
    """(holdings, sizes)"""

    @classmethod
    def of(cls, distributions: Sequence[Distribution]) -> RangeDistribution:
        """Combine the distributions of single holdings."""
        columns: dict[tuple[Chips, Chips], int] = {}
        for distribution in distributions:
            for sizes in distribution.raises:
                columns.setdefault((sizes.low, sizes.high), len(columns))
        raises = np.zeros((len(distributions), len(columns)))
        for row, distribution in enumerate(distributions):
            for sizes in distribution.raises:
                raises[row, columns[sizes.low, sizes.high]] += sizes.probability
        return cls(
            np.array([distribution.fold for distribution in distributions], np.float64),
            np.array([distribution.call for distribution in distributions], np.float64),
            tuple(columns),
            raises,
        )

    @classmethod
    def by_action(cls, actions: Sequence[Action], table: Floats) -> RangeDistribution:
        """Return a distribution from the probabilities of distinct actions, (holdings, actions)."""
        columns = {action: table[:, number] for number, action in enumerate(actions)}
        raises = [action for action in actions if isinstance(action, Raise)]
        none = np.zeros(len(table))
        return cls(
            columns.get(Fold(), none),
            columns.get(Call(), none),
            tuple((action.to, action.to) for action in raises),
            np.stack([columns[action] for action in raises], axis=1)
            if raises
            else np.zeros((len(table), 0)),
        )

    @classmethod
    def same(cls, distribution: Distribution, holdings: int) -> RangeDistribution:
        """Return the distribution of a player that ignores its cards.

        >>> RangeDistribution.same(Distribution(call=1.0), 2).probability(Call())
        array([1., 1.])
        """
        single = cls.of([distribution])
        many = single.fold.repeat(holdings), single.call.repeat(holdings)
        return cls(*many, single.sizes, single.raises.repeat(holdings, axis=0))

    def probability(self, action: Action) -> Floats:
        """Return the probability (holdings,) of exactly this action."""
        match action:
            case Fold():
                return self.fold
            case Call() | Discard():
                return self.call
            case Raise(to):
                share = [
                    1 / (high - low + 1) if low <= to <= high else 0.0 for low, high in self.sizes
                ]
                shares: Floats = self.raises @ np.array(share, np.float64)
                return shares

    def of_some(self, rows: npt.NDArray[np.integer]) -> RangeDistribution:
        """Return the distribution of some of the holdings, given by their rows here."""
        return RangeDistribution(self.fold[rows], self.call[rows], self.sizes, self.raises[rows])

    def row(self, number: int) -> Distribution:
        """Return the distribution of one of the holdings."""
        raises = zip(self.sizes, self.raises[number].tolist(), strict=True)
        return Distribution(
            fold=float(self.fold[number]),
            call=float(self.call[number]),
            raises=tuple(RaiseSizes(low, high, p) for (low, high), p in raises if p),
        )


@runtime_checkable
class Policy(Protocol):
    """A player that can give the probabilities of its actions."""

    def distribution(self, view: View) -> Distribution | None:
        """Return the probabilities with which `act` would choose now; None if they are not known.

        Asking must not change later draws, memory or decisions. A player that observes has been
        shown the hand so far, as before `act`.
        """


@runtime_checkable
class RangePolicy(Player, Policy, Protocol):
    """A policy that depends only on the cards and on public information of the hand.

    So it can give probabilities for any holding, whatever it was dealt. Its earlier draws and
    decisions do not matter.
    """

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the probabilities with each of the given holdings.

        ``holdings`` are indices (holdings,) that share no card with the board. Raises `BadInput`
        with the reason if the player's settings make it depend on more.
        """


@runtime_checkable
class Frozen(Protocol):
    """A player whose strategy never changes."""

    @property
    def strategy_hash(self) -> str:
        """The strategy's identity: different strategies have different hashes."""


def hash_of(player: object) -> str:
    """Return the hash of a player's strategy; empty if the source code determines it."""
    return player.strategy_hash if isinstance(player, Frozen) else ""


def ask_each(policy: Policy, view: View, holdings: npt.NDArray[np.integer]) -> RangeDistribution:
    """Ask a policy for its probabilities with each of the given holdings, one by one."""
    distributions = []
    for holding in holdings.tolist():
        distribution = policy.distribution(view.holding_instead(holding))
        if distribution is None:
            raise BadInput("it gives no probabilities of its actions")
        distributions.append(distribution)
    return RangeDistribution.of(distributions)


@runtime_checkable
class Selective(Protocol):
    """A player that supports only some games."""

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Return why it cannot play by these rules; None if it can.

        ``carries_over`` says that stacks carry over from hand to hand, as in ring games and
        tournaments; ``rules`` are then those of the first hand. It is called once, before any hand.
        """


@runtime_checkable
class PlaysVariants(Protocol):
    """A player of games other than hold'em; a player without this method is given only hold'em."""

    def plays(self, variant: Variant) -> bool:
        """Return whether it plays a game, with any betting structure."""


@runtime_checkable
class Closable(Protocol):
    """A player that must save or release something at the end."""

    def close(self) -> None:
        """Save what must be kept, and end the player's processes.

        Whoever made the player calls this once after its last hand, even if a match is stopped. A
        user who passes in a player object closes it. Nobody calls it if a worker process is killed.
        """


@runtime_checkable
class Remembering(Protocol):
    """A player that stores what it learns, and can drop hands that will be played again."""

    def commit(self) -> None:
        """Store everything learned so far, and forget as at a reset.

        Called between the parts of a game, because an interrupted part is played again as a whole.
        Nothing more is stored until the next call or the end.
        """

    def rollback(self) -> None:
        """Forget everything learned since the last `commit`: those hands will be played again."""


@runtime_checkable
class Explaining(Protocol):
    """A player that can explain its decisions."""

    def explain(self, view: View) -> Explanation:
        """Explain the last answer of `act`, which was to this view."""


def distribution_of(player: object, view: View) -> Distribution | None:
    """Ask a player for its probabilities; None if it does not know them."""
    return player.distribution(view) if isinstance(player, Policy) else None


def why_not(player: object, rules: Rules, *, carries_over: bool = False) -> str | None:
    """Ask a player why it cannot play by these rules; None if it can."""
    variant = rules.variant
    if variant is not HOLDEM and not (isinstance(player, PlaysVariants) and player.plays(variant)):
        return f"it does not play {variant.title}, only hold'em"
    if not isinstance(player, Selective):
        return None
    if carries_over and _takes(player.supports, "carries_over"):
        return player.supports(rules, carries_over=True)
    return player.supports(rules)


def close(player: object) -> None:
    """Close a player, if it has anything to close."""
    if isinstance(player, Closable):
        player.close()


def _takes(function: Callable[..., object], keyword: str) -> bool:
    """Return whether a function takes a keyword; players may leave out what they do not use."""
    parameters = signature(function).parameters.values()
    return any(p.name == keyword or p.kind is Parameter.VAR_KEYWORD for p in parameters)
