"""Bots of OpenSpiel as our players, and our players as its bots (the extra ``openspiel``).

OpenSpiel's universal poker plays the ACPC's games. Its chance outcomes number the cards as we do,
and its actions are 0 to fold, 1 to call, and a raise: 2 in limit, else all chips that the seat has
then put in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
import pyspiel

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
from railbird.histories import format_game
from railbird.players import Observer, Player
from railbird.units import Chips, Seat

_FOLD, _CALL, _RAISE = 0, 1, 2

MakeBot = Callable[[pyspiel.Game, int, int], pyspiel.Bot]
"""Makes a bot from the game, the number of its seat and a seed."""


def universal_poker(rules: Rules) -> pyspiel.Game:
    """OpenSpiel's game by our rules, with every size of raise.

    Raises `BadInput` for rules that an ACPC game definition cannot say.
    """
    game = pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(format_game(rules))
    if rules.betting is Betting.LIMIT:
        return game
    parameters = game.get_parameters() | {"bettingAbstraction": "fullgame"}
    return pyspiel.load_game("universal_poker", parameters)


def to_spiel(state: HandState, action: Action) -> int:
    """An action of the seat to act as OpenSpiel numbers it."""
    match action:
        case Fold():
            return _FOLD
        case Call():
            return _CALL
        case Raise(to):
            return _RAISE if state.rules.betting is Betting.LIMIT else _before(state) + to


def from_spiel(state: HandState, number: int) -> Action:
    """The inverse of `to_spiel`."""
    if number in (_FOLD, _CALL):
        return Fold() if number == _FOLD else Call()
    if state.rules.betting is not Betting.LIMIT:
        return Raise(Chips(number - _before(state)))
    if state.min_raise_to is None:
        raise BadInput(f"a raise where none is allowed: {state!r}")
    return Raise(state.min_raise_to)


class SpielPlayer:
    """A bot of OpenSpiel as a player of ours; a bot is made for each seat, anew at each reset.

    The others' cards are not known where a bot is asked, but its states have them: in their place
    are the lowest cards that nobody is known to have. A bot that goes by information states, as it
    should, cannot tell.
    """

    def __init__(self, make_bot: MakeBot) -> None:
        self._make_bot = make_bot
        self._seed = 0
        self._game: tuple[Rules, pyspiel.Game] | None = None
        self._bots: dict[Seat, pyspiel.Bot] = {}
        self._actions: list[int] = []
        self._before: HandState | None = None

    def reset(self, rng: np.random.Generator) -> None:
        """Make all bots anew when they are asked next."""
        self._seed = int(rng.integers(1 << 31))
        self._bots.clear()

    def begin(self, view: View) -> None:
        """A hand without actions so far."""
        self._actions = []
        self._before = view.state

    def observe(self, view: View, event: Event) -> None:
        """Note what was done."""
        if isinstance(event, Act) and self._before is not None:
            self._actions.append(to_spiel(self._before, event.action))
        self._before = view.state

    def end(self, view: View) -> None:
        """A bot is not told; it sees a new state in the next hand."""

    def act(self, view: View) -> Action:
        """Ask the bot of this seat."""
        if self._game is None or self._game[0] != view.rules:
            self._game = view.rules, universal_poker(view.rules)
            self._bots.clear()
        game = self._game[1]
        if view.seat not in self._bots:
            self._bots[view.seat] = self._make_bot(game, view.seat, self._seed)
        state = _spiel_state(game, view, self._actions)
        return from_spiel(view.state, self._bots[view.seat].step(state))


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """A player of ours as a bot that plays one seat of `universal_poker`.

    OpenSpiel tells bots neither that a hand is over nor what was shown; a player that learns from
    that learns nothing here.
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
        """A new hand, which the player sees when it is asked."""
        self._told = []

    def restart(self) -> None:
        """Likewise."""
        self._told = []

    def step(self, state: pyspiel.State) -> int:
        """The player's action, after it was told what has happened since."""
        events = [seen_by(event, self._seat) for event in _events(self._rules, state)]
        if events[: len(self._told)] != self._told:
            self._told = []
        now = initial(self._rules)
        for number, event in enumerate(events):
            now = step(now, event)
            if self._observer is not None and number >= len(self._told):
                shown = View(self._seat, now)
                if isinstance(event, DealHoles):
                    self._observer.begin(shown)
                else:
                    self._observer.observe(shown, event)
        self._told = events
        return to_spiel(now, self._player.act(View(self._seat, now)))


def _events(rules: Rules, state: pyspiel.State) -> list[Event]:
    """The history of a state of universal poker as events of ours."""
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
    """The state that a view and its actions stand for, with cards for the others."""
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
    """What the seat to act put in on earlier streets."""
    assert state.actor is not None
    return state.spent[state.actor] - state.street_bets[state.actor]
