"""A player of a strategy for heads-up limit, such as an equilibrium of an abstraction.

`blueprint` does the same for heads-up no-limit.
"""

from __future__ import annotations

import logging
from enum import Enum
from functools import lru_cache
from typing import Annotated, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._option_fields import Between, Description
from railbird.cards import HOLDINGS
from railbird.errors import BadInput, TooLarge
from railbird.game import Act, Action, Event, Rules, View, action_of_kind, kind_of
from railbird.game.rules import BOARD_CARDS
from railbird.players.blueprint import (
    ActionChoice,
    BlueprintPlayer,
    ResolvingBlueprintPlayer,
    Solving,
    why_no_blueprint,
)
from railbird.players.explanation import Explanation, Reading, Requirement, street_words
from railbird.players.policy import Distribution
from railbird.players.spec import Spec, parse_arguments
from railbird.players.table_blueprint import TableBlueprintPlayer, why_no_charts
from railbird.solve.abstraction.card_abstraction import BUCKET_SIZES, States, is_blocked
from railbird.solve.limit.betting_tree import (
    CALL,
    FOLD,
    RAISE,
    BettingTree,
    DecisionPlace,
    betting_tree,
    same_game,
)
from railbird.solve.limit.settings import SIZES, SUBGAME_GAP, SUBGAME_ITERATIONS
from railbird.solve.limit.solving import open_equilibrium
from railbird.solve.limit.strategy import LimitStrategy
from railbird.solve.limit.subgame import Subgame, solve_subgame
from railbird.solve.nolimit.solving import NAMES, is_blueprint, open_blueprint

_LOG = logging.getLogger(__name__)

# The actions of heads-up limit in its betting tree, for players that follow the tree.


KIND_WORDS = {FOLD: "fold", CALL: "call or check", RAISE: "bet or raise"}


@lru_cache(maxsize=64)
def tree_of(rules: Rules) -> BettingTree:
    """Return the betting tree of the rules. Raises `BadInput` unless they are heads-up limit."""
    return betting_tree(rules)


TABLE: Final = "nolimit6"
"""Name of the player for two to six seats that uses charts."""

TREE_PLAYERS: Final = ("coach", "equilibrium", "vexbot")
"""Players that follow the betting tree of heads-up limit, where nobody is ever all-in."""


def why_no_tree(rules: Rules, *, carries_over: bool) -> str | None:
    """Return why a player that follows a tree cannot play; None if it can."""
    if carries_over and rules.stacks is not None:
        return "it plays heads-up limit without stacks that run out, as in matches or play --top-up"
    try:
        tree_of(rules)
    except BadInput as problem:
        return f"it plays heads-up limit: {problem}"
    return None


def follows_tree(spec: Spec) -> bool:
    """Return whether a player follows limit's betting tree; a coach may."""
    if spec.name == "equilibrium":
        name = parse_arguments(spec)[0]
        return name != TABLE and not is_blueprint(name)
    return spec.name in TREE_PLAYERS


def why_not_unmade(spec: Spec, rules: Rules, *, carries_over: bool) -> str | None:
    """Return why a player cannot play, as far as that is known before it is made.

    Making an equilibrium may first solve it, which takes minutes.
    """
    if spec.name not in TREE_PLAYERS:
        return None
    if not follows_tree(spec):
        at_table = spec.name == "equilibrium" and parse_arguments(spec)[0] == TABLE
        return why_no_charts(rules) if at_table else why_no_blueprint(rules)
    # A coach may choose among players that need no betting tree.
    if spec.name == "coach" and not any(name in spec.detail for name in TREE_PLAYERS):
        return None
    return why_no_tree(rules, carries_over=carries_over)


# The player.


_LEAST_SAID: Final = 0.005
"""Explanations leave out actions that are less likely than this."""


class StrategyPlayer:
    """Draws each action with the probability that its strategy gives.

    It follows the actions of a hand to know where in the betting tree it is. It forgets them at the
    end of the hand.
    """

    def __init__(self, strategy: LimitStrategy) -> None:
        self.strategy = strategy
        self._rng = np.random.default_rng(0)
        self._place: DecisionPlace | None = strategy.tree.root
        self._states: list[States] = []
        self._drawn: float | None = None
        self._rules: Rules | None = None

    @property
    def strategy_hash(self) -> str:
        """The hash of the strategy."""
        return self.strategy.hash

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Return why it cannot play by these rules; None if it can."""
        if why := why_no_tree(rules, carries_over=carries_over):
            return why
        if not same_game(tree_of(rules).betting, self.strategy.tree.betting):
            return "its strategy is for other blinds, bets or caps"
        return None

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        self._rng = rng
        self._place, self._states, self._drawn = self.strategy.tree.root, [], None

    def begin(self, view: View) -> None:
        """Begin a hand at the root of the tree. Raises `BadInput` for another game."""
        if view.rules is not self._rules and (why := self.supports(view.rules)):
            raise BadInput(why)
        self._rules = view.rules
        self._place, self._states = self.strategy.tree.root, []

    def observe(self, view: View, event: Event) -> None:
        """Follow an action."""
        if isinstance(event, Act) and self._place is not None:
            self._place = self.strategy.tree.step(self._place, kind_of(event.action))

    def end(self, view: View) -> None:
        """Do nothing: this player learns nothing."""

    def act(self, view: View) -> Action:
        """Draw an action."""
        self._drawn = float(self._rng.random())
        left = self._drawn
        chances = self._chances(view)
        for kind, chance in chances:
            left -= chance
            if left < 0:
                return action_of_kind(view.state, kind)
        return action_of_kind(view.state, max(chances, key=lambda choice: choice[1])[0])

    def distribution(self, view: View) -> Distribution:
        """Return the strategy's probabilities."""
        chances = self._chances(view)
        return Distribution.of([(action_of_kind(view.state, kind), p) for kind, p in chances])

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._drawn is None:
            raise LookupError("this player has not decided anything yet")
        abstraction = self.strategy.abstraction
        requirements, least, decided = [], 0.0, False
        chances = self._chances(view)
        for kind, chance in chances:
            now = not decided and self._drawn < least + chance
            requirements.append(
                Requirement(
                    action=KIND_WORDS[kind],
                    needed=f"a draw from {least:.4f} to {least + chance:.4f}",
                    actual=f"{self._drawn:.4f}",
                    decided=now,
                )
            )
            least, decided = least + chance, decided or now
        return Explanation(
            rule=f"{_shares_words(chances)}, by the strategy of the abstraction "
            f"{abstraction.name}, hash {self.strategy.hash[:12]}.",
            readings=self._readings(view),
            requirements=tuple(requirements),
        )

    def _readings(self, view: View) -> tuple[Reading, ...]:
        states = self.strategy.abstraction.states[view.state.street]
        line = self.strategy.tree.text(self._here())
        return (
            Reading(name=f"state {street_words(view.state)}", value=self._state(view)),
            Reading(name="of states", value=states),
            Reading(name="betting so far", value=line or "none"),
        )

    def _chances(self, view: View) -> list[tuple[int, float]]:
        """Return the kinds of actions at this place, with their probabilities."""
        place = self._here()
        part = self.strategy.tree.rounds[place.street]
        first, last = part.first_slot[place.node : place.node + 2].tolist()
        chances = self.strategy.at(place, self._state(view)).tolist()
        return list(zip(part.kind[first:last].tolist(), chances, strict=True))

    def _here(self) -> DecisionPlace:
        """Return its place in the tree. Raises `LookupError` if nobody is to act."""
        if self._place is None:
            raise LookupError("nobody is to act")
        return self._place

    def _state(self, view: View) -> int:
        """Return the state of the player's holding, computing the states of new streets."""
        board = np.array(view.state.board, dtype=np.uint8)
        abstraction = self.strategy.abstraction
        while len(self._states) <= view.state.street:
            cards = board[: BOARD_CARDS[len(self._states)]]
            before = self._states[-1] if self._states else None
            self._states.append(abstraction.next_states(cards, before))
        return int(self._states[view.state.street][view.holding])


def _shares_words(chances: list[tuple[int, float]]) -> str:
    """Say how often each kind of action is drawn, with the likeliest first."""
    order = sorted(chances, key=lambda choice: -choice[1])
    return ", ".join(f"{KIND_WORDS[kind]} {100 * p:.0f} %" for kind, p in order if p >= _LEAST_SAID)


# A player that solves the turn and the river, or only the river, while it plays.


_TURN, _RIVER = 2, 3


class Resolve(Enum):
    """The street from which the rest of a hand is solved while it is played."""

    TURN = "turn"
    """The turn and river when the turn comes, and the river again when the river comes."""
    RIVER = "river"

    @property
    def street(self) -> int:
        """The number of the street."""
        return _TURN if self is Resolve.TURN else _RIVER


class _Taken(NamedTuple):
    """An earlier action of the hand."""

    place: DecisionPlace
    action: int
    """Its number among the decision's actions."""


class ResolvingPlayer(StrategyPlayer):
    """Plays its strategy up to a street, and from then on a solution of the hand at hand.

    On the streets that it solves, holdings do not share states. The ranges of both players are
    those with which the strategy reaches the street, so an opponent with another strategy can
    exploit the solution. The solution depends only on public cards and actions, so the same hand is
    always played with the same probabilities.
    """

    def __init__(self, strategy: LimitStrategy, resolve: Resolve) -> None:
        super().__init__(strategy)
        self._first = resolve.street
        self._actions: list[_Taken] = []
        self._solved: dict[int, Subgame | None] = {}

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        super().reset(rng)
        self._forget()

    def begin(self, view: View) -> None:
        """Begin a hand at the root of the tree. Raises `BadInput` for another game."""
        super().begin(view)
        self._forget()

    def observe(self, view: View, event: Event) -> None:
        """Follow an action, and keep it for the ranges."""
        if isinstance(event, Act) and self._place is not None:
            part = self.strategy.tree.rounds[self._place.street]
            slot = self.strategy.tree.slot(self._place, kind_of(event.action))
            self._actions.append(_Taken(self._place, slot - int(part.first_slot[self._place.node])))
        super().observe(view, event)

    def _forget(self) -> None:
        self._actions, self._solved = [], {}

    def _chances(self, view: View) -> list[tuple[int, float]]:
        chances = super()._chances(view)
        place = self._here()
        if (solved := self._subgame(view, place.street)) is None:
            return chances
        own = solved.shares(place.node)[view.holding]
        return [(kind, float(p)) for (kind, _), p in zip(chances, own / own.sum(), strict=True)]

    def _readings(self, view: View) -> tuple[Reading, ...]:
        solved = self._subgame(view, self._here().street)
        iterations = "the strategy's own" if solved is None else solved.iterations
        return (
            *super()._readings(view),
            Reading(name="iterations of solving this hand", value=iterations),
        )

    def _shares(self, view: View, decision_place: DecisionPlace) -> npt.NDArray[np.float64]:
        """Return what each holding does at a decision, (1326, actions)."""
        subgame = self._subgame(view, decision_place.street)
        if subgame is not None:
            return subgame.shares(decision_place.node)
        part = self.strategy.tree.rounds[decision_place.street]
        first, last = part.first_slot[decision_place.node : decision_place.node + 2]
        lanes = np.arange(first, last) * part.sequences + decision_place.sequence
        rows = np.maximum(self._states[decision_place.street], 0)
        return self.strategy.probabilities[decision_place.street][rows][:, lanes].astype(np.float64)

    def _subgame(self, view: View, street: int) -> Subgame | None:
        """Return the solution by which a street is played; None if there is none."""
        if street < self._first:
            return None
        if street not in self._solved:
            self._solved[street] = self._solve(view, street)
        return self._solved[street]

    def _solve(self, view: View, street: int) -> Subgame | None:
        board = np.array(view.state.board, dtype=np.uint8)[: BOARD_CARDS[street]]
        sequence = next(
            (
                past_action.place.sequence
                for past_action in self._actions
                if past_action.place.street == street
            ),
            self._here().sequence,
        )
        try:
            return solve_subgame(
                self.strategy.tree,
                board,
                self._ranges(view, board, street),
                sequence=sequence,
                gap_percent=SUBGAME_GAP[len(board)],
                iterations=SUBGAME_ITERATIONS,
            )
        except TooLarge as problem:
            _tell_unsolved(str(problem).partition(";")[0])
        except BadInput:
            pass  # the strategy never reaches this place
        return None

    def _ranges(
        self, view: View, board: npt.NDArray[np.uint8], street: int
    ) -> npt.NDArray[np.float64]:
        """Return the probability that each holding of both players reaches a street, (2, 1326)."""
        ranges = np.ones((2, HOLDINGS))
        ranges[:, is_blocked(board)] = 0.0
        self._state(view)  # fills in the states of all streets
        for place, action in self._actions:
            if place.street < street:
                player = int(self.strategy.tree.rounds[place.street].player[place.node])
                ranges[player] *= self._shares(view, place)[:, action]
        return ranges


@lru_cache(maxsize=1)
def _tell_unsolved(why: str) -> None:
    """Say once that hands are not solved during play, and why."""
    _LOG.warning("resolve: %s: such hands are played by the strategy as it is", why)


DEFAULT_STRATEGY: Final = "small"


def make_equilibrium(
    strategy: Annotated[
        str,
        Description(
            "the strategy, solved on first use if it is small, or its file",
            allowed=f"{', '.join([*SIZES, *BUCKET_SIZES])} of limit, {', '.join(NAMES)}, "
            f"{TABLE} of two to six seats, or a file of `railbird solve limit` or `nolimit`",
        ),
    ] = DEFAULT_STRATEGY,
    *,
    resolve: Annotated[
        Resolve | None, "solve the rest of each hand from this street on, without buckets"
    ] = None,
    seconds: Annotated[
        float | None,
        Between(0.05, 600),
        "time that it may take to solve a decision of no-limit",
    ] = None,
    play: Annotated[
        ActionChoice | None, "which of a decision's actions no-limit plays, by default all"
    ] = None,
    solving: Annotated[
        Solving | None, "whether no-limit solves for the blueprint's range, or safely for any"
    ] = None,
) -> StrategyPlayer | BlueprintPlayer:
    """Return the player of a built-in size or of a file; with ``resolve`` it solves as it plays.

    If the strategy is a trunk, the rest is always solved. Raises `DamagedFile` if a strategy's file
    was changed. Raises `BadInput` for ``seconds`` or ``solving`` if nothing is solved, for these or
    ``play`` in limit, and if only the river of a trunk is to be solved.
    """
    if strategy == TABLE:
        if resolve is not None or seconds is not None or solving is not None:
            raise BadInput(
                f"equilibrium:{TABLE} with resolve=, seconds= or solving=; allowed: play="
            )
        small = open_blueprint(next(iter(NAMES)))
        return TableBlueprintPlayer(small, choice=play or ActionChoice.SAMPLED)
    is_of_limit = not is_blueprint(strategy)
    if play is not None and is_of_limit:
        raise BadInput(f"equilibrium: play={play.value}; allowed: in no-limit")
    blueprint = None if is_of_limit else open_blueprint(strategy)
    if blueprint is not None and blueprint.is_trunk:
        if resolve is Resolve.RIVER:
            raise BadInput(
                f"{strategy} ends with the turn; allowed: resolve=turn, which is its default"
            )
        resolve = Resolve.TURN
    if seconds is not None and (resolve is None or is_of_limit):
        raise BadInput(f"equilibrium: seconds={seconds:g}; allowed: with resolve=, in no-limit")
    if solving is not None and (resolve is None or is_of_limit):
        raise BadInput(f"equilibrium: solving={solving.value}; allowed: with resolve=, in no-limit")
    if blueprint is None:
        opened = open_equilibrium(strategy, verify=True)
        return StrategyPlayer(opened) if resolve is None else ResolvingPlayer(opened, resolve)
    choice = play or ActionChoice.SAMPLED
    if resolve is None:
        return BlueprintPlayer(blueprint, choice=choice)
    return ResolvingBlueprintPlayer(
        blueprint,
        resolve.street,
        seconds=seconds,
        choice=choice,
        solving=solving or Solving.UNSAFE,
    )
