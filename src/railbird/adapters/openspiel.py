"""OpenSpiel's bots as our players and ours as its bots (needs the extra ``openspiel``).

OpenSpiel's universal poker plays the ACPC's games. Its chance outcomes number cards as we do. Its
actions are 0 for a fold and 1 for a call. A raise is 2 in limit; otherwise it is the seat's total
chips in the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._extras import needing
from railbird.cards import DECK, Card, cards_of, holding_of
from railbird.errors import BadInput
from railbird.game import (
    BOARD_CARDS,
    Act,
    Action,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Event,
    Fold,
    HandState,
    Phase,
    Raise,
    Rules,
    View,
    initial,
    seen_by,
    step,
)
from railbird.game.actions import betting_action
from railbird.histories import format_game
from railbird.players import Observer, Player
from railbird.players.audience import notify
from railbird.players.policy import Distribution, RangeDistribution, ask_each, close
from railbird.units import Chips, Seat

with needing("openspiel"):
    import pyspiel

_FOLD, _CALL, _RAISE = 0, 1, 2

MakeBot = Callable[[pyspiel.Game, int, int], pyspiel.Bot]
"""Makes a bot from the game, the number of its seat and a seed."""

MakePolicy = Callable[[pyspiel.Game], Any]
"""Makes a policy from the game: an object with ``action_probabilities(state)``."""


def universal_poker(rules: Rules) -> pyspiel.Game:
    """Return OpenSpiel's game for our rules, with all sizes of raises.

    Raises `BadInput` for rules that an ACPC game definition cannot express.
    """
    game = pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(format_game(rules))
    if rules.betting is Betting.LIMIT:
        return game
    parameters = game.get_parameters() | {"bettingAbstraction": "fullgame"}
    return pyspiel.load_game("universal_poker", parameters)


def to_spiel(state: HandState, action: Action) -> int:
    """Return OpenSpiel's number for an action of the seat to act."""
    match betting_action(action):
        case Fold():
            return _FOLD
        case Call():
            return _CALL
        case Raise(to):
            return _RAISE if state.rules.betting is Betting.LIMIT else _before(state) + to


def from_spiel(state: HandState, number: int) -> Action:
    """Return the action that a number of OpenSpiel's stands for; undoes `to_spiel`."""
    if number in (_FOLD, _CALL):
        return Fold() if number == _FOLD else Call()
    if state.rules.betting is not Betting.LIMIT:
        return Raise(Chips(number - _before(state)))
    if state.min_raise_to is None:
        raise BadInput(f"a raise when none is allowed: {state!r}")
    return Raise(state.min_raise_to)


class _SpielFollower:
    """Follows a hand for OpenSpiel.

    OpenSpiel's states contain the others' cards, which a player does not know. They are replaced by
    the lowest unused cards. Bots that use only information states, as they should, do not notice.
    """

    def __init__(self) -> None:
        self._game: tuple[Rules, pyspiel.Game] | None = None
        self._actions: list[int] = []
        self._before: HandState | None = None

    def begin(self, view: View) -> None:
        """Begin a hand without actions."""
        self._actions = []
        self._before = view.state

    def observe(self, view: View, event: Event) -> None:
        """Record an action."""
        if isinstance(event, Act) and self._before is not None:
            self._actions = [*self._actions, to_spiel(self._before, event.action)]
        self._before = view.state

    def end(self, view: View) -> None:
        """Do nothing: in the next hand, bots get a new state."""

    def _game_of(self, rules: Rules) -> pyspiel.Game:
        if self._game is None or self._game[0] != rules:
            self._game = rules, universal_poker(rules)
            self._forget_game()
        return self._game[1]

    def _forget_game(self) -> None:
        """Drop everything that was made for another game."""


class SpielPlayer(_SpielFollower):
    """An OpenSpiel bot as our player, with a bot for each seat, made afresh at each reset."""

    def __init__(self, make_bot: MakeBot) -> None:
        super().__init__()
        self._make_bot = make_bot
        self._seed = 0
        self._bots: dict[Seat, pyspiel.Bot] = {}

    def reset(self, rng: np.random.Generator) -> None:
        """Drop all bots; they are made again when they are next needed."""
        self._seed = int(rng.integers(1 << 31))
        self._forget_game()

    def _forget_game(self) -> None:
        self._bots.clear()

    def act(self, view: View) -> Action:
        """Ask the bot of this seat."""
        game = self._game_of(view.rules)
        if view.seat not in self._bots:
            self._bots[view.seat] = self._make_bot(game, view.seat, self._seed)
        state = _spiel_state(game, view, self._actions)
        return from_spiel(view.state, self._bots[view.seat].step(state))


class SpielPolicyPlayer(_SpielFollower):
    """An OpenSpiel policy as our player, which can give its probabilities with any holding.

    So a local best response and AIVAT can measure it; see `railbird.players.policy.RangePolicy`.
    """

    def __init__(self, make_policy: MakePolicy, strategy_hash: str = "") -> None:
        """Prepare a policy; a ``strategy_hash`` promises that it never changes."""
        super().__init__()
        self._make_policy = make_policy
        self._policy: Any = None
        self._rng = np.random.default_rng(0)
        self.strategy_hash = strategy_hash

    def __deepcopy__(self, memo: dict[int, Any]) -> SpielPolicyPlayer:
        """Return an independent copy with the same policy."""
        return copy(self)

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        self._rng = rng

    def _forget_game(self) -> None:
        self._policy = None

    def act(self, view: View) -> Action:
        """Draw an action."""
        return self.distribution(view).draw(self._rng)

    def distribution(self, view: View) -> Distribution:
        """Return the policy's probabilities."""
        game = self._game_of(view.rules)
        if self._policy is None:
            self._policy = self._make_policy(game)
        state = _spiel_state(game, view, self._actions)
        chances = self._policy.action_probabilities(state)
        return Distribution.of(
            [(from_spiel(view.state, number), float(chance)) for number, chance in chances.items()]
        )

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the policy's probabilities with each of the given holdings."""
        return ask_each(self, view, holdings)


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """Our player as a bot for one seat of `universal_poker`.

    OpenSpiel does not tell bots how a hand ended or which cards were shown, so the player cannot
    learn from either.
    """

    def __init__(self, player: Player, rules: Rules, seat: int, *, seed: int = 0) -> None:
        super().__init__()
        self._player = player
        self._observer = player if isinstance(player, Observer) else None
        self._rules = rules
        self._seat = Seat(seat)
        self._rng = np.random.default_rng(seed)
        self._told: list[Event] = []
        player.reset(self._rng.spawn(1)[0])

    def restart_at(self, state: pyspiel.State) -> None:
        """Start a new hand, which the player is shown when it is next asked."""
        self._told = []

    def restart(self) -> None:
        """Start a new hand, which the player is shown when it is next asked."""
        self._told = []

    def step(self, state: pyspiel.State) -> int:
        """Show the player the new events, and return its action."""
        events = [seen_by(event, self._seat) for event in _events(self._rules, state)]
        if events[: len(self._told)] != self._told:
            self._told = []
        now = initial(self._rules)
        for number, event in enumerate(events):
            now = step(now, event)
            if self._observer is not None and number >= len(self._told):
                notify(self._observer, View(self._seat, now), event)
        self._told = events
        return to_spiel(now, self._player.act(View(self._seat, now)))

    def close(self) -> None:
        """Close the player; OpenSpiel does not say which hand was the last."""
        close(self._player)


def _events(rules: Rules, state: pyspiel.State) -> list[Event]:
    """Return the history of a universal poker state as our events."""
    events: list[Event] = []
    now = initial(rules)
    history = iter([(entry.player, entry.action) for entry in state.full_history()])
    while True:
        match now.phase:
            case Phase.DEAL_HOLES:
                cards = _dealt(history, 2 * rules.seats)
                pairs = zip(cards[::2], cards[1::2], strict=True)
                event: Event = DealHoles(tuple([holding_of(*pair) for pair in pairs]))
            case Phase.DEAL_BOARD:
                count = BOARD_CARDS[now.street + 1] - BOARD_CARDS[now.street]
                event = DealBoard(tuple(_dealt(history, count)))
            case Phase.BETTING:
                done = next(history, None)
                if done is None:
                    return events
                event = Act(Seat(done[0]), from_spiel(now, done[1]))
            case _:
                return events
        now = step(now, event)
        events.append(event)


def _dealt(history: Iterator[tuple[int, int]], count: int) -> list[Card]:
    return [Card(card) for _, card in islice(history, count)]


def _spiel_state(game: pyspiel.Game, view: View, actions: list[int]) -> pyspiel.State:
    """Return the state for a view and its actions, with substitute cards for the others."""
    own, board = cards_of(view.holding), view.state.board
    others = (card for card in DECK if card not in own and card not in board)
    seats = range(view.rules.seats)
    holes = [own if seat == view.seat else tuple(islice(others, 2)) for seat in seats]
    cards = iter([*(card for hole in holes for card in hole), *board])
    done = iter(actions)
    state = game.new_initial_state()
    while True:
        number = next(cards if state.is_chance_node() else done, None)
        if number is None:
            return state
        state.apply_action(number)


def _before(state: HandState) -> int:
    """Return the chips that the seat to act put in on earlier streets."""
    assert state.actor is not None
    return state.spent[state.actor] - state.street_bets[state.actor]
