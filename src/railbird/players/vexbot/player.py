"""Vexbot: plays what is worth most against what its opponent has done so far.

After Billings, Davidson, Schauenberg, Burch, Bowling, Holte, Schaeffer and Szafron, "Game-tree
search with adaptation in stochastic imperfect-information games" (2004), as far as Kündig (2010)
could find out how it works. For heads-up limit; what it has learned it forgets at a reset.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS
from railbird.errors import BadInput
from railbird.game import Act, Action, Event, Rules, View
from railbird.players.explanation import (
    Explanation,
    OpponentEstimates,
    Reading,
    Requirement,
    street_words,
)
from railbird.players.limit_betting import (
    KIND_WORDS,
    KINDS,
    action_of_kind,
    tree_of,
    why_no_tree,
)
from railbird.players.policy import Distribution
from railbird.players.vexbot.contexts import contexts_of
from railbird.players.vexbot.opponent_model import OpponentModel
from railbird.players.vexbot.own_hand import Board, Floats, river_cell
from railbird.players.vexbot.prior import shipped_priors
from railbird.players.vexbot.range_model import Acted, Cells, RangeModel, range_cells, river_ranks
from railbird.players.vexbot.search import Search, StreetValues, search_street, searches
from railbird.players.vexbot.settings import (
    RANGE_REFRESH,
    RANK_CELLS,
    REFRESH,
    TEMPERATURE,
    Choice,
)
from railbird.solve.limit.betting_tree import FOLD, Place
from railbird.units import Seat

_LEVELS = ("this betting", "as many raises by street", "as many raises", "this place")


class VexbotPlayer:
    """Searches the betting tree with what the opponent has done and shown in it."""

    def __init__(
        self,
        choice: Choice = Choice.MIXIMAX,
        *,
        temperature: float = TEMPERATURE,
        kept: float = 0.0,
        ranges: bool = True,
    ) -> None:
        self.choice, self.temperature, self.kept = choice, temperature, kept
        self.ranges = ranges
        """Whether what the opponent does depends on the board, by its likely holdings."""
        self._ranges: RangeModel | None = None
        self._estimated = 0
        self._rng = np.random.default_rng(0)
        self._rules: Rules | None = None
        self._model: OpponentModel | None = None
        self._searches: tuple[Search, Search] | None = None
        self._searched = 0
        self._place: Place | None = None
        self._showdown: int | None = None
        self._acted: Acted = []
        self._cells: Cells | None = None
        self._street: StreetValues | None = None
        self._street_of = (-1, -1)
        self._last: list[tuple[int, float, float]] | None = None

    @property
    def model(self) -> OpponentModel:
        """What it knows of its opponent. Raises `LookupError` before the first hand."""
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
        """Begin a hand; search again if enough has been observed. Raises `BadInput`."""
        if view.rules != self._rules:
            if why := self.supports(view.rules):
                raise BadInput(why)
            contexts = contexts_of(tree_of(view.rules))
            priors = shipped_priors(contexts)
            self._model = OpponentModel(contexts, *priors, self.kept)
            self._ranges = RangeModel(contexts, *priors, self.kept) if self.ranges else None
            self._estimated = 0
            self._rules, self._searches = view.rules, None
        seen = self.model.observations
        if self._searches is None or seen > self._searched * (1 + REFRESH):
            # Here and not while acting, so that asking for probabilities changes nothing.
            if self.ranges:
                self.model.choose_detail()
            unit = self.model.contexts.tree.chips_per_unit
            mixes = self.choice is Choice.MIXIMIX
            self._searches = searches(self.model, self.temperature * unit if mixes else 0.0)
            self._searched = seen
        if self._ranges is not None and seen > self._estimated * (1 + RANGE_REFRESH):
            self._ranges.estimate(self.model.foretold(), detailed=self.model.detailed)
            self._estimated = seen
        self._place, self._showdown = self.model.contexts.tree.root, None
        self._acted, self._street, self._cells = [], None, None

    def observe(self, view: View, event: Event) -> None:
        """Follow an action, and count it if it is the opponent's."""
        if not isinstance(event, Act) or self._place is None:
            return
        model, kind = self.model, KINDS[type(event.action)]
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
        """Count the opponent's hand, in a showdown, whether it was shown or mucked."""
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
        """Choose by the values of the actions."""
        self._last = self._choices(view)
        left = float(self._rng.random()) if self.choice is Choice.MIXIMIX else 0.0
        for kind, _, chance in self._last:
            left -= chance
            if left < 0:
                return action_of_kind(kind, view)
        return action_of_kind(max(self._last, key=lambda each: each[2])[0], view)

    def distribution(self, view: View) -> Distribution:
        """Return the probabilities of its choice."""
        return Distribution.of(
            [(action_of_kind(kind, view), p) for kind, _, p in self._choices(view)]
        )

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._last is None:
            raise LookupError("this player has not decided anything yet")
        contexts, place = self.model.contexts, self._here()
        unit = contexts.tree.chips_per_unit
        street = street_words(view.state)
        needed = "a draw" if self.choice is Choice.MIXIMIX else "more than the others"
        return Explanation(
            rule=f"The values of all actions {street}, from all the betting that may follow.",
            readings=(
                Reading(name="betting so far", value=contexts.tree.text(place) or "none"),
                Reading(name="observations of the opponent", value=self.model.observations),
            ),
            requirements=tuple(
                Requirement(
                    action=KIND_WORDS[kind],
                    needed=needed,
                    actual=f"{value / unit:+.3f} small bets, chosen {chance:.0%}",
                    decided=chance == max(each[2] for each in self._last),
                )
                for kind, value, chance in self._last
            ),
            estimates=self._replies(view, place),
        )

    def _replies(self, view: View, place: Place) -> tuple[OpponentEstimates, ...]:
        """Return what the opponent is expected to do after each action that it answers."""
        contexts, seat = self.model.contexts, Seat(1 - view.seat)
        assert self._last is not None
        assert self._street is not None
        found = []
        for kind, _, _ in self._last:
            following = None if kind == FOLD else contexts.tree.step(place, kind)
            if following is None or following.street != place.street:
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
            found.append(OpponentEstimates(seat=seat, readings=tuple(readings)))
        return tuple(found)

    def _choices(self, view: View) -> list[tuple[int, float, float]]:
        """Return the kinds of actions, their values in chips and their probabilities."""
        place = self._here()
        assert self._searches is not None
        search, of = self._searches[1 - view.seat], (place.street, int(view.holding))
        if self._street is None or self._street_of != of:
            board = np.array(view.state.board, dtype=np.uint8)
            self._street_of = of
            self._street = search_street(
                search,
                place,
                board,
                view.holding,
                self._ranges,
                self._cells_on(board),
                self._acted,
            )
        part = search.contexts.tree.rounds[place.street]
        first, last = part.first_slot[place.node : place.node + 2].tolist()
        kinds, values = part.kind[first:last], self._street.slots[first:last]
        chances = _chances(kinds, values, search.temperature)
        return list(zip(kinds.tolist(), values.tolist(), chances.tolist(), strict=True))

    def _cells_on(self, board: Board) -> Cells:
        """Return the holdings' cells on the hand's board, which grows."""
        if self._cells is None or len(self._cells) < max(len(board) - 1, 1):
            self._cells = range_cells(board, self._cells)
        return self._cells

    def _here(self) -> Place:
        """Return its place. Raises `LookupError` where nobody is to act."""
        if self._place is None:
            raise LookupError("nobody is to act")
        return self._place


def _chances(kinds: npt.NDArray[np.int32], values: Floats, temperature: float) -> Floats:
    """Return the probabilities of actions as `value_slots` foresees them."""
    best = values.max()
    if temperature <= 0:
        certain: Floats = (np.arange(len(values)) == values.argmax()).astype(np.float64)
        return certain
    weights = np.exp((values - best) / temperature)
    if kinds[0] == FOLD and best > values[0]:
        weights[values <= values[0]] = 0.0
    chances: Floats = weights / weights.sum()
    return chances
