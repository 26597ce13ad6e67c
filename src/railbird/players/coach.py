"""The coach, for any hold'em: before each hand it chooses which of several players plays it.

Kan (2007) describes two such programs. One changed its player according to the chips that were left
(5.3). The other chose "which of the two programs will play the next hand based on the performance
of each program", measured by runtime DIVAT (3.3, 5.4.1): by DIVAT if the opponent's cards were
revealed, and by the money otherwise. The source does not say by which rule it chose. Ours uses
upper confidence bounds. Runtime DIVAT is biased (`railbird experiment runtime`), so by default the
bounds come from imaginary observations where these can be made, and from the money where they
cannot. All players observe all hands, so those that learn also learn from each other's hands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from typing import Annotated, Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from railbird import _services
from railbird._arrays import Floats
from railbird._option_fields import Between, Description
from railbird.cards import HOLDING_CARDS, HOLDINGS, Holding
from railbird.cards.hand_strength import strengths
from railbird.errors import BadInput
from railbird.estimates import Moments
from railbird.estimates.confidence_sequences import AnytimeInterval, confidence_sequence
from railbird.game import (
    BOARD_CARDS,
    Act,
    Action,
    Call,
    Event,
    Fold,
    Muck,
    Raise,
    Rules,
    Show,
    Street,
    View,
    kind_of,
)
from railbird.game.play import payoff_parts
from railbird.histories import HandRecord
from railbird.odds import Tables, open_tables
from railbird.odds.rank_tables import HR7_WHOLE
from railbird.players.equilibrium import StrategyPlayer, tree_of, why_no_tree
from railbird.players.explanation import Explanation, Reading
from railbird.players.policy import (
    Distribution,
    Explaining,
    RaiseSizes,
    close,
    distribution_of,
    why_not,
)
from railbird.players.protocol import KnowsOpponents, Observer, Player
from railbird.players.simple import WeightedPlayer
from railbird.players.spec import options_of, read_option
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit.betting_tree import BettingTree, DecisionPlace, same_game
from railbird.solve.real_game import OneRowStrategy, StatesStrategy, by_weights
from railbird.solve.real_game.opponents import BoardStrategy, BoardTable
from railbird.units import Seat

# What each expert would have won in a hand that another expert played.
#
# If an expert's probabilities are known for all holdings, a hand shows what it would have won on
# average over all holdings that the opponent could not tell apart (imaginary observations; Bowling,
# Johanson, Burch and Szafron 2008). With reach(h) for the probability of the player's own actions
# with holding h,
#
#     estimate = sum of reach_expert(h) won(h) / sum of reach_played(h)
#
# over the holdings h for which the hand would have looked the same. The estimate is unbiased if the
# expert that played takes every action at times; a hand shows nothing about actions that it never
# takes. If the opponent showed its cards, the holdings are those for which it would have shown
# them. If it mucked, nobody knows what other holdings would have won, so only the actual one
# counts. After a fold all holdings win the same. Some of them share a card with the opponent's
# hand; which ones is not known, and this is ignored.


class OwnDecision(NamedTuple):
    """One of the player's own actions: where it was taken, and its slot there."""

    place: DecisionPlace
    slot: int


class HandEnding(NamedTuple):
    """How a hand ended for one seat."""

    board: npt.NDArray[np.uint8]
    holding: Holding
    won: float
    """Chips won, in any unit; the estimates are in the same unit."""
    staked: float
    """What each player put in, in the same unit; only used if there was a showdown."""
    at_showdown: bool
    shown: Holding | None
    """The opponent's holding, if it was shown."""
    opponent_first: bool
    """Whether the opponent had to show first, whatever it held."""


def reach(
    strategy: BoardStrategy, board: npt.NDArray[np.uint8], decided: list[OwnDecision]
) -> Floats:
    """Return the probability of the player's own actions by holding, (1326,); 0 if blocked."""
    reached = np.ones(HOLDINGS)
    tables: list[BoardTable] = []
    for (street, sequence, _), slot in decided:
        while len(tables) <= street:
            cards = board[: BOARD_CARDS[len(tables)]]
            tables.append(strategy.on(cards, tables[-1] if tables else None))
        table, rows = tables[street]
        lane = strategy.tree.rounds[street].lane(slot, sequence)
        reached *= table[np.maximum(rows, 0), lane]
    reached[is_blocked(board)] = 0.0
    return reached


def estimates(ending: HandEnding, reaches: list[Floats | None], played: int) -> list[float | None]:
    """Return what each expert would have won; None if that is not known.

    ``reaches`` come from `reach`, with None for experts whose strategy is not known. If the expert
    that played is one of those, only its own result is known.
    """
    own = reaches[played]
    if own is None:
        return [ending.won if number == played else None for number in range(len(reaches))]
    alike, won = _alike(ending)
    total = float(own[alike].sum())
    if not total > 0:
        return [None] * len(reaches)
    return [
        None if expert_reach is None else float(expert_reach[alike] @ won[alike]) / total
        for expert_reach in reaches
    ]


def _alike(ending: HandEnding) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Return which holdings would have given the same hand, and what each would have won."""
    if not ending.at_showdown:
        return np.ones(HOLDINGS, dtype=np.bool_), np.full(HOLDINGS, ending.won)
    alike = np.zeros(HOLDINGS, dtype=np.bool_)
    if ending.shown is None:
        alike[ending.holding] = True
        return alike, np.full(HOLDINGS, ending.won)
    used = np.append(ending.board, HOLDING_CARDS[ending.shown])
    alike = ~is_blocked(used)
    cards = np.empty((HOLDINGS, 7), dtype=np.uint8)
    cards[:, :2], cards[:, 2:] = HOLDING_CARDS, ending.board
    live = alike.copy()
    live[ending.shown] = True
    strength = np.zeros(HOLDINGS, dtype=np.int64)
    strength[live] = strengths(cards[live])
    ahead = np.sign(strength - strength[ending.shown])
    if not ending.opponent_first:
        alike &= ahead <= 0  # otherwise the opponent would have mucked
    return alike, ahead * ending.staked


# Defaults of the coach.


class Switch(Enum):
    """How the coach chooses the player of the next hand."""

    BOUNDS = "bounds"
    """The player that may be the best: the one with the highest upper confidence bound."""
    CHIPS = "chips"
    """The first of two until it has lost too much, and again when little is left."""
    HANDS = "hands"
    """Each in turn for the same number of hands, like a player that changes its style."""


class Feed(Enum):
    """What the coach learns from a hand."""

    IMAGINED = "imagined"
    """What each player would have won, as far as that is known; otherwise the money."""
    MONEY = "money"
    """The money, for the player who won it."""
    DIVAT = "divat"
    """Runtime DIVAT (Kan 2007, 3.3) of the player who played, if the opponent's cards were seen;
    its money otherwise."""


LOST: Final = 60.0
"""Small bets that the first player may lose before the second takes over (`Switch.CHIPS`)."""

LEFT: Final = 40.0
"""Small bets left of `STAKE` at which the first player returns."""

STAKE: Final = 200.0
"""Small bets at the beginning of a match (`Switch.CHIPS`).

The source gives no numbers. Its program changed over after some ninety hands of bad luck, and back
when few chips were left (Kan 2007, section 5.3).
"""

AFTER: Final = 250
"""Number of hands after which the next player takes over (`Switch.HANDS`)."""

TRICKY: Final = 0.2
"""Probability that a trickiness filter changes an action that it may change. The source's filter
"does not come into effect very often" (Kan 2007, section 5.4.2)."""

STRONG: Final = 0.85
WEAK: Final = 0.25
"""Hand ranks from which a filter plays slowly, and below which it bluffs."""

LEAST_TAKEN: Final = 1e-3
"""A strategy takes an action at times if, in some state of the cards, it does so this often."""

ALPHA: Final = 0.05
"""Largest probability that any bound of any expert is wrong at any time."""


# A trickiness filter: on some streets it slow-plays strong hands and bluffs with weak ones.
#
# It follows Kan (2007, section 5.4.2), whose program did so on the flop.


def tricked(action: Action, view: View, streets: frozenset[Street]) -> Action:
    """Return what the filter would do: call instead of betting, or bet instead of giving up."""
    state = view.state
    if state.street not in streets:
        return action
    rank = _rank(view)
    if isinstance(action, Raise) and rank >= STRONG:
        return Call()
    gives_in = isinstance(action, Fold) or (isinstance(action, Call) and not state.to_call)
    if gives_in and rank < WEAK and state.min_raise_to is not None:
        return Raise(state.min_raise_to)
    return action


def filtered(
    action: Action, view: View, streets: frozenset[Street], rng: np.random.Generator
) -> Action:
    """Return the action or, with probability `TRICKY`, what the filter makes of it."""
    changed = tricked(action, view, streets)
    return changed if changed != action and rng.random() < TRICKY else action


def mixed(distribution: Distribution, view: View, streets: frozenset[Street]) -> Distribution:
    """Return the probabilities of the actions after `filtered`."""
    fold, call = distribution.fold, distribution.call
    raises = list(distribution.raises)
    to = view.state.min_raise_to
    for action, chance in ((Fold(), distribution.fold), (Call(), distribution.call)):
        if chance and tricked(action, view, streets) != action and to is not None:
            raises.append(RaiseSizes(to, to, TRICKY * chance))
            fold -= TRICKY * chance if isinstance(action, Fold) else 0
            call -= TRICKY * chance if isinstance(action, Call) else 0
    if distribution.raises and tricked(Raise(distribution.raises[0].low), view, streets) == Call():
        total = sum(sizes.probability for sizes in distribution.raises)
        raises = [replace(sizes, probability=(1 - TRICKY) * sizes.probability) for sizes in raises]
        call += TRICKY * total
    return Distribution(fold=fold, call=call, raises=tuple(raises))


def _rank(view: View) -> float:
    """Return the mean rank that the player's hand has on the river, 0 to 1."""
    tables, street = _tables(), view.state.street
    if street is Street.PREFLOP:
        return 0.5  # before the flop no hand is strong or weak yet
    place = tables.place(view.state.board, view.holding)
    entries = {Street.FLOP: tables.flop_hr7, Street.TURN: tables.turn_hr7}
    table = entries.get(street, tables.river_ihr)
    return float(table[place]) / HR7_WHOLE[street]


@cache
def _tables() -> Tables:
    return open_tables()


@cache
def _divat_scorer() -> Any:
    """Open the scorer of hands. It lies in a higher room, so it is imported only when needed."""
    return _services.divat_scorer()


# Who plays the next hand: by upper confidence bounds, by the chips, or in turn.


class Chooser(Protocol):
    """Chooses an expert for each hand. Amounts are in small bets per hand."""

    def choose(self) -> int:
        """Return who plays the next hand."""

    def learn(self, won: float, estimates: list[float | None]) -> None:
        """Learn what the hand won, and what each expert would have won; None if not known."""


@dataclass(slots=True)
class UpperBounds:
    """Chooses the expert whose upper confidence bound is the highest.

    The bounds are those of asymptotic confidence sequences. Over many hands they hold at all times
    at once, for the mean of any distribution with a variance; UCB1's bounds hold only for results
    between known limits. They assume that an expert's mean does not change, which is not true if
    the expert or the opponent learns.
    """

    experts: int
    moments: list[Moments] = field(init=False)
    """The moments of each expert's estimated winnings."""

    def __post_init__(self) -> None:
        self.moments = [Moments() for _ in range(self.experts)]

    def intervals(self) -> list[AnytimeInterval]:
        """Return each expert's interval; all of them hold at all times with about 95 %."""
        alpha = ALPHA / self.experts
        return [confidence_sequence(moments, alpha=alpha) for moments in self.moments]

    def choose(self) -> int:
        """Return the expert with the highest bound; among equals, the one least known."""
        bounds = [
            (interval.high, -interval.n, -number)
            for number, interval in enumerate(self.intervals())
        ]
        return -max(bounds)[2]

    def learn(self, won: float, estimates: list[float | None]) -> None:
        """Add the hand's estimate to those of each expert that has one."""
        for number, value in enumerate(estimates):
            if value is not None and math.isfinite(value):
                self.moments[number] += Moments(1, value, 0.0, int(value != 0))


@dataclass(slots=True)
class ByChips:
    """Lets the first expert play until it has lost too much, then the second.

    When little of the stake is left, the first returns.
    """

    stake: float = STAKE
    lost: float = LOST
    left: float = LEFT
    bankroll: float = field(default=0.0, init=False)

    def choose(self) -> int:
        """Return 0, the first expert, until it has lost too much, then 1 until it returns."""
        if self.stake + self.bankroll <= self.left:
            return 0
        return int(self.bankroll <= -self.lost)

    def learn(self, won: float, estimates: list[float | None]) -> None:
        """Add the winnings to the chips of this match."""
        self.bankroll += won


@dataclass(slots=True)
class InTurn:
    """Lets each expert play the same number of hands in turn, whatever it wins."""

    experts: int
    after: int = AFTER
    played: int = field(default=0, init=False)

    def choose(self) -> int:
        """Return whose turn it is."""
        return self.played // self.after % self.experts

    def learn(self, won: float, estimates: list[float | None]) -> None:
        """Count the hand."""
        self.played += 1


# The player.


@dataclass(frozen=True, slots=True)
class Expert:
    """A player that the coach can let play."""

    name: str
    player: Player
    known: BoardStrategy | None = None
    """What the player does with each holding; None if that is not known."""
    tells_of_others: bool = False
    """Whether it takes every action at times, so its hands show what any other would have won."""


class CoachPlayer:
    """Lets one of its experts play each hand."""

    def __init__(
        self,
        experts: Sequence[Expert],
        new_chooser: Callable[[int], Chooser] = UpperBounds,
        tricky: frozenset[Street] = frozenset(),
        feed: Feed = Feed.IMAGINED,
    ) -> None:
        """Make a coach; ``new_chooser`` is called with the number of experts."""
        self.team = tuple(experts)
        self.names = tuple(expert.name for expert in experts)
        self.experts = tuple(expert.player for expert in experts)
        self.tricky = tricky
        self.feed = feed
        self._new_chooser = new_chooser
        self.chooser = new_chooser(len(experts))
        self.hands = [0] * len(experts)
        """Number of hands that each expert has played since the reset."""
        imagined = feed is Feed.IMAGINED and not tricky
        self._known = [expert.known if imagined else None for expert in experts]
        self._tells = [expert.tells_of_others for expert in experts]
        self._rng = np.random.default_rng(0)
        self._playing = 0
        self._tree: BettingTree | None = None
        self._place: DecisionPlace | None = None
        self._decided: list[OwnDecision] = []
        self._actions: list[Action] = []
        self._shows: list[Seat] = []

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Return why any of its experts cannot play by these rules; None if all can."""
        if self.feed is Feed.DIVAT and (why := why_no_tree(rules, carries_over=carries_over)):
            return f"feed=divat: {why}"
        for name, player in zip(self.names, self.experts, strict=True):
            if why := why_not(player, rules, carries_over=carries_over):
                return f"{name}: {why}"
        return None

    def reset(self, rng: np.random.Generator) -> None:
        """Forget what the experts have won, and reset them too."""
        self._rng = rng
        self.chooser = self._new_chooser(len(self.experts))
        self.hands = [0] * len(self.experts)
        for player in self.experts:
            # Each gets a seed of its own: some bit generators cannot spawn children.
            player.reset(np.random.default_rng(rng.integers(2**63)))

    def close(self) -> None:
        """Close all experts."""
        for player in self.experts:
            close(player)

    def meet(self, people: tuple[int, ...]) -> None:
        """Tell all experts who sits where."""
        for player in self.experts:
            if isinstance(player, KnowsOpponents):
                player.meet(people)

    def begin(self, view: View) -> None:
        """Choose who plays this hand."""
        self._playing = self.chooser.choose()
        self.hands[self._playing] += 1
        known = any(self._known) and why_no_tree(view.rules, carries_over=False) is None
        self._tree = tree_of(view.rules) if known else None
        self._place = self._tree.root if self._tree is not None else None
        self._decided, self._actions, self._shows = [], [], []
        for player in self._observers():
            player.begin(view)

    def observe(self, view: View, event: Event) -> None:
        """Tell all experts, and follow the betting."""
        for player in self._observers():
            player.observe(view, event)
        if isinstance(event, (Show, Muck)):
            self._shows.append(event.seat)
        if not isinstance(event, Act):
            return
        self._actions.append(event.action)
        if self._tree is None or self._place is None:
            return
        kind = kind_of(event.action)
        if event.seat == view.seat:
            self._decided.append(OwnDecision(self._place, self._tree.slot(self._place, kind)))
        self._place = self._tree.step(self._place, kind)

    def end(self, view: View) -> None:
        """Tell all experts, and learn what each of them would have won."""
        for player in self._observers():
            player.end(view)
        parts = payoff_parts(view.state)
        if parts is None:
            return
        unit = view.rules.denominator * (view.rules.bet_sizes or view.rules.blinds)[0]
        won = parts[view.seat] / unit
        if self.feed is Feed.DIVAT:
            would_have_won: list[float | None] = [None] * len(self.experts)
            would_have_won[self._playing] = self._runtime_divat(view, parts, won)
            self.chooser.learn(won, would_have_won)
            return
        board = np.array(view.state.board, dtype=np.uint8)
        reaches: list[Floats | None] = [None] * len(self.experts)
        if self._tree is not None and self._is_known(self._playing):
            reaches = [
                reach(known, board, self._decided)
                if known is not None and self._tells_of(number)
                else None
                for number, known in enumerate(self._known)
            ]
        ending = HandEnding(
            board=board,
            holding=view.holding,
            won=won,
            staked=view.state.pot * view.rules.denominator / (2 * unit),
            at_showdown=bool(self._shows),
            shown=view.state.holdings[1 - view.seat] if self._tree is not None else None,
            opponent_first=self._shows[:1] == [1 - view.seat],
        )
        self.chooser.learn(won, estimates(ending, reaches, self._playing))

    def _runtime_divat(self, view: View, parts: list[int], won: float) -> float:
        """Return the hand's DIVAT and position if both hands are known, else the winnings."""
        state = view.state
        if None in state.holdings:
            return won
        value: float = _divat_scorer().value(
            HandRecord(
                rules=view.rules,
                players=("big blind", "dealer"),
                holes=state.holdings,
                board=state.board,
                actions=tuple(self._actions),
                payoffs=tuple(Fraction(part, view.rules.denominator) for part in parts),
            )
        )
        return value if view.seat == 0 else -value

    def act(self, view: View) -> Action:
        """Let the chosen expert act."""
        action = self.experts[self._playing].act(view)
        return filtered(action, view, self.tricky, self._rng) if self.tricky else action

    def distribution(self, view: View) -> Distribution | None:
        """Return the chosen expert's probabilities after the filter; None if it knows none."""
        said = distribution_of(self.experts[self._playing], view)
        return said if said is None or not self.tricky else mixed(said, view, self.tricky)

    def explain(self, view: View) -> Explanation:
        """Explain who plays and what that expert says. Raises `LookupError` before an answer."""
        expert, name = self.experts[self._playing], self.names[self._playing]
        rule, readings = f"{name} plays this hand.", self._readings()
        if not isinstance(expert, Explaining):
            return Explanation(rule=rule, readings=readings)
        said = expert.explain(view)
        return replace(said, rule=f"{rule} {said.rule}", readings=readings)

    def _readings(self) -> tuple[Reading, ...]:
        """Return the numbers about the experts."""
        known: list[Reading] = []
        for number, name in enumerate(self.names):
            known.append(Reading(name=f"{name}, hands", value=self.hands[number]))
            if isinstance(self.chooser, UpperBounds):
                interval = self.chooser.intervals()[number]
                mean = interval.value if interval.n else None
                high = interval.high if interval.n and math.isfinite(interval.high) else None
                known.append(Reading(name="small bets a hand", value=mean))
                known.append(Reading(name="at most", value=high))
        return tuple(known)

    def _observers(self) -> list[Observer]:
        return [player for player in self.experts if isinstance(player, Observer)]

    def _tells_of(self, number: int) -> bool:
        """Return whether the hands of the expert that plays show what ``number`` would have won."""
        return (number == self._playing or self._tells[self._playing]) and self._is_known(number)

    def _is_known(self, number: int) -> bool:
        """Return whether an expert's strategy is known for the game that is being played."""
        known, tree = self._known[number], self._tree
        return (
            known is not None and tree is not None and same_game(known.tree.betting, tree.betting)
        )


# The coach's spec: ``A+B+C``, followed by its own options.


ALLOWED = (
    "two or more players joined by +, then any of feed=divat, switch=chips, stake=, lost=, left=,"
    " switch=hands, after=, tricky=flop"
)
_LEAST_EXPERTS = 2
_MOST_CHIPS = 1e6
_STREETS = tuple(street.name.lower() for street in Street if street is not Street.PREFLOP)


def _streets(text: str) -> frozenset[Street]:
    names = text.split("&")
    if not set(names) <= set(_STREETS):
        raise ValueError(text)
    return frozenset(Street[name.upper()] for name in names)


_GOES_WITH: Final = {"feed": Switch.BOUNDS, "after": Switch.HANDS}
"""Options that belong to one way of choosing; those not named here belong to the chips."""


@dataclass(frozen=True, slots=True)
class CoachSettings:
    """The experts that a spec names, and how the coach chooses among them.

    ``stake``, ``lost`` and ``left`` go with ``switch=chips``, ``after`` with ``switch=hands``.
    """

    experts: tuple[str, ...]
    switch: Annotated[Switch, "by what the next hand's player is chosen"] = Switch.BOUNDS
    stake: Annotated[float, Between(0, _MOST_CHIPS), "small bets to begin with"] = STAKE
    lost: Annotated[
        float, Between(0, _MOST_CHIPS), "small bets lost at which the second takes over"
    ] = LOST
    left: Annotated[
        float, Between(0, _MOST_CHIPS), "small bets left at which the first comes back"
    ] = LEFT
    after: Annotated[int, Between(1, 10**9), "hands that each plays with switch=hands"] = AFTER
    tricky: Annotated[
        frozenset[Street],
        Description("streets of a trickiness filter", parse=_streets, allowed="&".join(_STREETS)),
    ] = frozenset()
    feed: Annotated[Feed, "what is counted of each hand"] = Feed.IMAGINED


def parse_coach(text: str) -> CoachSettings:
    """Parse ``A+B,switch=chips``; the last player's own options come before the coach's.

    >>> parse_coach("loki:som,jitter=0.1+booker:1,tricky=flop&turn").experts
    ('loki:som,jitter=0.1', 'booker:1')

    Raises `BadInput`.
    """
    known = {option.key: option for option in options_of(CoachSettings)}
    options: dict[str, str] = {}
    while True:
        rest, comma, piece = text.rpartition(",")
        key, equals, value = (part.strip() for part in piece.partition("="))
        if not (comma and equals and key in known):
            break
        if key in options:
            raise BadInput(f"coach: {key} given twice")
        options[key], text = value, rest
    experts = tuple(expert.strip() for expert in text.split("+"))
    if len(experts) < _LEAST_EXPERTS or not all(experts):
        raise BadInput(f"coach:{text}; allowed: {ALLOWED}")
    values = {key: read_option(known[key], text, player="coach") for key, text in options.items()}
    settings = CoachSettings(experts, **values)
    if settings.switch is Switch.CHIPS and len(experts) > _LEAST_EXPERTS:
        raise BadInput(f"coach: switch=chips of {len(experts)} players; allowed: 2")
    for key in options.keys() - {"switch", "tricky"}:
        goes_with = _GOES_WITH.get(key, Switch.CHIPS)
        if settings.switch is not goes_with:
            raise BadInput(
                f"coach: {key}= with switch={settings.switch.value};"
                f" allowed: with switch={goes_with.value}"
            )
    return settings


def make_coach(settings: CoachSettings | None, make: Callable[[str], Player]) -> CoachPlayer:
    """Make a coach; ``make`` makes a spec's player. Raises `BadInput`, and what ``make`` raises."""
    if settings is None:
        raise BadInput(f"a coach without players; allowed: {ALLOWED}")
    new_chooser: Callable[[int], Chooser] = UpperBounds
    if settings.switch is Switch.CHIPS:
        new_chooser = partial(_by_chips, settings)
    elif settings.switch is Switch.HANDS:
        new_chooser = partial(InTurn, after=settings.after)
    experts = [_expert(spec, make(spec)) for spec in settings.experts]
    return CoachPlayer(experts, new_chooser, settings.tricky, settings.feed)


def _expert(spec: str, player: Player) -> Expert:
    if type(player) is StrategyPlayer:
        tables = player.strategy.probabilities
        everything = all(float(table.max(axis=0).min()) >= LEAST_TAKEN for table in tables)
        return Expert(spec, player, StatesStrategy(player.strategy), everything)
    if type(player) is WeightedPlayer:
        weights = player.weights.fold, player.weights.call, player.weights.bet
        return Expert(spec, player, OneRowStrategy(by_weights(weights)), min(weights) > 0)
    return Expert(spec, player)


def _by_chips(settings: CoachSettings, _: int) -> Chooser:
    return ByChips(settings.stake, settings.lost, settings.left)
