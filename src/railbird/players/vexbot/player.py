"""Vexbot for heads-up limit: it plays what is worth most against the opponent seen so far.

`equilibrium` is the player that assumes nothing about its opponent.

It follows Billings, Davidson, Schauenberg, Burch, Bowling, Holte, Schaeffer and Szafron, "Game-tree
search with adaptation in stochastic imperfect-information games" (2004), as far as Kündig (2010)
could find out how it works. A reset makes it forget everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird._option_fields import Between, Description
from railbird.cards import HOLDINGS
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Act, Action, Event, Rules, View, action_of_kind, kind_of
from railbird.players.equilibrium import KIND_WORDS, tree_of, why_no_tree
from railbird.players.explanation import (
    Explanation,
    OpponentEstimates,
    Reading,
    Requirement,
    street_words,
)
from railbird.players.policy import Distribution
from railbird.players.vexbot.contexts import (
    HOLDING_CELLS,
    OWN_CELLS,
    RANGE_REFRESH,
    RANK_CELLS,
    REFRESH,
    TEMPERATURE,
    Board,
    ChoiceRule,
    Contexts,
    chances_ahead,
    contexts_of,
    river_cell,
    transitions,
)
from railbird.players.vexbot.kernels import (
    expect_replies,
    fill_showdowns,
    value_slots,
    value_street,
    weights_by_cell,
)
from railbird.players.vexbot.opponent_model import (
    Acted,
    Cells,
    OpponentCounts,
    RangeModel,
    range_cells,
    river_ranks,
    shipped_priors,
)
from railbird.solve.limit.betting_tree import FOLD, BettingTree, DecisionPlace
from railbird.solve.limit.matrix_cfr import round_arrays
from railbird.units import Seat

# The values of all betting sequences against a model of the opponent.
#
# This is expectimax over the betting tree. The opponent's decisions are averaged with the model's
# probabilities, and at the player's own the best action is taken. Cards enter as the cells of the
# player's hand, which develop by `Transitions`. The value of each street at its start is a table by
# sequence and cell, so a decision has to search only its own street. There the opponent acts as its
# likely holdings do on the actual board.


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """The values against an opponent in one seat, in chips."""

    contexts: Contexts
    opponent: int
    chances: tuple[Floats, ...]
    """By street, the probabilities of the opponent's actions, (decisions, 3)."""
    later: tuple[Floats, ...]
    """By street, the values of its ends, (ends, cells of the next street; of this one on the
    river)."""
    temperature: float
    """Chips by which an action must be better to be taken e times as often; 0 always takes the
    best."""

    def replies(self, street: int, sequence: int) -> Floats:
        """Return the opponent's probabilities in a round after a sequence, (nodes, 3)."""
        part = self.contexts.tree.rounds[street]
        return np.ascontiguousarray(self.chances[street][sequence :: part.sequences])

    def ends(self, street: int, sequence: int, ahead: Floats) -> Floats:
        """Return the values of the ends of a round that follows a sequence.

        ``ahead`` are the chances of the cells of `later`.
        """
        part = self.contexts.tree.rounds[street]
        ends: Floats = self.later[street][sequence :: part.sequences] @ ahead
        return ends

    def slots(self, street: int, sequence: int, ends: Floats, replies: Floats) -> Floats:
        """Return the values of all actions of a round after a sequence, by slot."""
        parts, part = _parts(self.contexts.tree)[street], self.contexts.tree.rounds[street]
        slots, nodes = np.empty((part.slots, 1)), np.empty((part.nodes, 1))
        value_slots(
            (part.before[sequence : sequence + 1], *parts[1:]),
            self.opponent,
            0,
            replies,
            ends[:, np.newaxis],
            self.temperature,
            slots,
            nodes,
        )
        return slots[:, 0]

    def in_range(
        self, street: int, sequence: int, chances: Floats, sums: Floats
    ) -> tuple[Floats, Floats]:
        """Return the replies of a range (like `replies`), and the values of its showdowns.

        ``chances`` and ``sums`` are as for `expect_replies`; the second result is for the river.
        """
        betting_round = self.contexts.tree.rounds[street]
        replies, margins = np.empty((betting_round.nodes, 3)), np.empty(len(betting_round.end_slot))
        expect_replies(
            _parts(self.contexts.tree)[street],
            self.opponent,
            sequence,
            chances,
            self.contexts.first[street],
            sums,
            replies,
            margins,
        )
        return replies, margins * (betting_round.before[sequence] + betting_round.end_paid)


@dataclass(frozen=True, slots=True, eq=False)
class StreetValues:
    """The values on a street, given the betting and the board that led to it."""

    replies: Floats
    """(nodes, 3) probabilities of the opponent's actions."""
    slots: Floats
    """(slots,) values of all actions, in chips."""


def search_street(
    search: Search,
    decision_place: DecisionPlace,
    board: Board,
    holding: int,
    ranges: RangeModel | None,
    cells: Cells,
    acted: Acted,
) -> StreetValues:
    """Search a street, with `Search.later` for everything that may follow.

    With ``ranges`` the opponent acts as the holdings do that its earlier actions, among ``acted``,
    leave likely on the board. On the river these holdings also give the values of showdowns.
    ``cells`` are the holdings' cells on the board.
    """
    street, sequence, _ = decision_place
    ends = search.ends(street, sequence, chances_ahead(board, holding))
    if ranges is None:
        replies = search.replies(street, sequence)
    else:
        weights = ranges.weights(cells, [action for action in acted if action[0] < street], holding)
        last = street + 1 == len(search.later)
        ranks = river_ranks(board) if last else np.empty(0, dtype=np.uint16)
        sums = np.empty((HOLDING_CELLS, 2))
        weights_by_cell(weights, cells[street], ranks, int(ranks[holding]) if last else 0, sums)
        replies, shown = search.in_range(street, sequence, ranges.chances, sums)
        ends = shown if last else ends
    return StreetValues(replies, search.slots(street, sequence, ends, replies))


def searches(model: OpponentCounts, temperature: float) -> tuple[Search, Search]:
    """Search against the model's opponent in either seat; ``temperature`` is in chips."""
    contexts = model.contexts
    tree = contexts.tree
    actions, ranks = model.action_chances(), model.rank_chances()
    bounds = [*contexts.first, len(actions)]
    chances = tuple(actions[start:stop] for start, stop in pairwise(bounds))
    last = tree.rounds[-1]
    paid = (last.end_paid[:, np.newaxis] + last.before).ravel().astype(np.float64)
    moves = {2: transitions().river, 1: transitions().turn}
    by_opponent = []
    for opponent in (0, 1):
        shown = np.empty((last.ends, OWN_CELLS))
        fill_showdowns(paid, ranks[opponent * last.ends :][: last.ends], shown)
        later = [shown]
        for street in (3, 2, 1):
            part, ends = tree.rounds[street], later[0]
            if street < 3:
                ends = np.ascontiguousarray(ends @ moves[street].T)
            values = np.empty((part.sequences, ends.shape[1]))
            value_street(_parts(tree)[street], opponent, chances[street], ends, temperature, values)
            later.insert(0, values)
        by_opponent.append(Search(contexts, opponent, chances, tuple(later), temperature))
    return by_opponent[0], by_opponent[1]


@lru_cache(maxsize=8)
def _parts(tree: BettingTree) -> tuple[tuple[Any, ...], ...]:
    return tuple(round_arrays(part) for part in tree.rounds)


# The player.


_LEVELS = ("this betting", "as many raises by street", "as many raises", "this place")


class VexbotPlayer:
    """Searches the betting tree, using what the opponent has done and shown."""

    def __init__(
        self,
        choice: Annotated[
            ChoiceRule,
            Description("takes the best action, or mixes those that beat folding", key="search"),
        ] = ChoiceRule.MIXIMAX,
        *,
        temperature: Annotated[
            float,
            Between(0.01, 10),
            "small bets that make an action e times as likely, miximix",
        ] = TEMPERATURE,
        kept: Annotated[
            float,
            Between(0.5, 0.9999),
            Description(
                "share that each observation leaves to coarser ones, the source's 0.95",
                if_absent="learnt",
            ),
        ] = 0.0,
        ranges: Annotated[
            bool,
            "expect of the opponent on each board what its likely holdings do; the source's did "
            "not look at the board",
        ] = True,
    ) -> None:
        self.choice, self.temperature, self.kept = choice, temperature, kept
        self.ranges = ranges
        """Whether the opponent's actions depend on the board, through its likely holdings."""
        self._ranges: RangeModel | None = None
        self._estimated = 0
        self._rng = np.random.default_rng(0)
        self._rules: Rules | None = None
        self._model: OpponentCounts | None = None
        self._searches: tuple[Search, Search] | None = None
        self._searched = 0
        self._place: DecisionPlace | None = None
        self._showdown: int | None = None
        self._acted: Acted = []
        self._cells: Cells | None = None
        self._street: StreetValues | None = None
        self._street_of = (-1, -1)
        self._last: list[tuple[int, float, float]] | None = None

    @property
    def model(self) -> OpponentCounts:
        """What it knows about its opponent. Raises `LookupError` before the first hand."""
        if self._model is None:
            raise LookupError("this player has not seen a hand yet")
        return self._model

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Return why it cannot play by these rules; None if it can."""
        return why_no_tree(rules, carries_over=carries_over)

    def reset(self, rng: np.random.Generator) -> None:
        """Forget the opponent."""
        self._rng = rng
        self._rules = self._model = self._searches = self._place = self._last = None
        self._ranges = self._street = None

    def begin(self, view: View) -> None:
        """Begin a hand, and search again if enough is new. Raises `BadInput` for other games."""
        if view.rules != self._rules:
            if why := self.supports(view.rules):
                raise BadInput(why)
            contexts = contexts_of(tree_of(view.rules))
            priors = shipped_priors(contexts)
            self._model = OpponentCounts(contexts, *priors, self.kept)
            self._ranges = RangeModel(contexts, *priors, self.kept) if self.ranges else None
            self._estimated = 0
            self._rules, self._searches = view.rules, None
        seen = self.model.observations
        if self._searches is None or seen > self._searched * (1 + REFRESH):
            # Done here and not in `act`, so that asking for probabilities changes nothing.
            if self.ranges:
                self.model.choose_detail()
            unit = self.model.contexts.tree.chips_per_unit
            mixes = self.choice is ChoiceRule.MIXIMIX
            self._searches = searches(self.model, self.temperature * unit if mixes else 0.0)
            self._searched = seen
        if self._ranges is not None and seen > self._estimated * (1 + RANGE_REFRESH):
            self._ranges.estimate(self.model.foretold(), detailed=self.model.detailed)
            self._estimated = seen
        self._place, self._showdown = self.model.contexts.tree.root, None
        self._acted, self._street, self._cells = [], None, None

    def observe(self, view: View, event: Event) -> None:
        """Follow an action, and count it if the opponent took it."""
        if not isinstance(event, Act) or self._place is None:
            return
        model, kind = self.model, kind_of(event.action)
        contexts = model.contexts
        if event.seat != view.seat:
            decision = contexts.decision(self._place)
            model.saw_action(decision, kind)
            self._acted.append((self._place.street, decision, kind))
        following = contexts.tree.step(self._place, kind)
        if following is None and kind != FOLD:
            slot = contexts.tree.slot(self._place, kind)
            self._showdown = contexts.showdown(self._place, slot, 1 - view.seat)
        self._place = following

    def end(self, view: View) -> None:
        """Count the opponent's hand if there was a showdown, whether shown or mucked."""
        board = np.array(view.state.board, dtype=np.uint8)
        holding = view.state.holdings[1 - view.seat]
        if self._ranges is not None:
            cells = self._cells_on(board)
            if holding is not None:
                weights = np.eye(1, HOLDINGS, holding)[0]
            else:
                weights = self._ranges.weights(cells, self._acted, view.holding)
                if self._showdown is not None:
                    ranks = river_ranks(board)
                    weights[ranks > ranks[view.holding]] = 0
            self._ranges.saw_hand(cells, self._acted, weights)
        if self._showdown is None:
            return
        if holding is not None:
            self.model.saw_rank(self._showdown, river_cell(board, holding, RANK_CELLS))
        else:
            own = river_cell(board, view.holding, RANK_CELLS)
            self.model.saw_beaten(self._showdown, own)
        self._showdown = None

    def act(self, view: View) -> Action:
        """Choose an action by the actions' values."""
        self._last = self._choices(view)
        left = float(self._rng.random()) if self.choice is ChoiceRule.MIXIMIX else 0.0
        for kind, _, chance in self._last:
            left -= chance
            if left < 0:
                return action_of_kind(view.state, kind)
        return action_of_kind(view.state, max(self._last, key=lambda choice: choice[2])[0])

    def distribution(self, view: View) -> Distribution:
        """Return the probabilities with which it chooses."""
        return Distribution.of(
            [(action_of_kind(view.state, kind), p) for kind, _, p in self._choices(view)]
        )

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._last is None:
            raise LookupError("this player has not decided anything yet")
        contexts, decision_place = self.model.contexts, self._here()
        unit = contexts.tree.chips_per_unit
        street = street_words(view.state)
        needed = "a draw" if self.choice is ChoiceRule.MIXIMIX else "more than the others"
        return Explanation(
            rule=f"The values of all actions {street}, from all the betting that may follow.",
            readings=(
                Reading(name="betting so far", value=contexts.tree.text(decision_place) or "none"),
                Reading(name="observations of the opponent", value=self.model.observations),
            ),
            requirements=tuple(
                Requirement(
                    action=KIND_WORDS[kind],
                    needed=needed,
                    actual=f"{value / unit:+.3f} small bets, chosen {chance:.0%}",
                    decided=chance == max(choice[2] for choice in self._last),
                )
                for kind, value, chance in self._last
            ),
            estimates=self._replies(view, decision_place),
        )

    def _replies(self, view: View, decision_place: DecisionPlace) -> tuple[OpponentEstimates, ...]:
        """Return how the opponent is expected to answer each action."""
        contexts, seat = self.model.contexts, Seat(1 - view.seat)
        assert self._last is not None
        assert self._street is not None
        estimates = []
        for kind, _, _ in self._last:
            following = None if kind == FOLD else contexts.tree.step(decision_place, kind)
            if following is None or following.street != decision_place.street:
                continue
            decision = contexts.decision(following)
            row = self._street.replies[following.node]
            readings = [
                Reading(name=f"after {KIND_WORDS[kind]}: {KIND_WORDS[reply]}", value=float(p))
                for reply, p in enumerate(row)
                if p > 0
            ]
            readings += [
                Reading(name=f"seen with {level}", value=count)
                for level, count in zip(_LEVELS, self.model.seen(decision), strict=True)
            ]
            estimates.append(OpponentEstimates(seat=seat, readings=tuple(readings)))
        return tuple(estimates)

    def _choices(self, view: View) -> list[tuple[int, float, float]]:
        """Return the kinds of actions, with values in chips and probabilities."""
        decision_place = self._here()
        assert self._searches is not None
        search, of = self._searches[1 - view.seat], (decision_place.street, int(view.holding))
        if self._street is None or self._street_of != of:
            board = np.array(view.state.board, dtype=np.uint8)
            self._street_of = of
            self._street = search_street(
                search,
                decision_place,
                board,
                view.holding,
                self._ranges,
                self._cells_on(board),
                self._acted,
            )
        part = search.contexts.tree.rounds[decision_place.street]
        first, last = part.first_slot[decision_place.node : decision_place.node + 2].tolist()
        kinds, values = part.kind[first:last], self._street.slots[first:last]
        chances = _chances(kinds, values, search.temperature)
        return list(zip(kinds.tolist(), values.tolist(), chances.tolist(), strict=True))

    def _cells_on(self, board: Board) -> Cells:
        """Return the holdings' cells on the board so far."""
        if self._cells is None or len(self._cells) < max(len(board) - 1, 1):
            self._cells = range_cells(board, self._cells)
        return self._cells

    def _here(self) -> DecisionPlace:
        """Return its place in the tree. Raises `LookupError` if nobody is to act."""
        if self._place is None:
            raise LookupError("nobody is to act")
        return self._place


def _chances(kinds: npt.NDArray[np.int32], values: Floats, temperature: float) -> Floats:
    """Return the probabilities of actions, as `value_slots` assumes them."""
    best = values.max()
    if temperature <= 0:
        certain: Floats = (np.arange(len(values)) == values.argmax()).astype(np.float64)
        return certain
    weights = np.exp((values - best) / temperature)
    if kinds[0] == FOLD and best > values[0]:
        weights[values <= values[0]] = 0.0
    chances: Floats = weights / weights.sum()
    return chances


# Compiling Vexbot before its first hand.


def make_ready() -> None:
    """Call every kernel that it uses once."""
    contexts = contexts_of(tree_of(HEADS_UP_LIMIT))
    priors, holding = shipped_priors(contexts), 1_000
    search, _ = searches(OpponentCounts(contexts, *priors), 0.0)
    ranges, model = RangeModel(contexts, *priors), OpponentCounts(contexts, *priors)
    ranges.estimate(model.action_chances())
    board = np.arange(5, dtype=np.uint8)
    cells = range_cells(board)
    for street, cards in enumerate((0, 3, 4, 5)):
        place = contexts.tree.root._replace(street=street)
        search_street(search, place, board[:cards], holding, ranges, cells, [])
    ranges.saw_hand(cells, [], ranges.weights(cells, [], holding))
