"""What every player keeps to, and `check_player`, which tries one out.

A player is made anew for each try, and closed after it. All tries have fixed seeds, so a player
that passes once passes again.
"""

# A player is somebody else's code: it may raise anything, leave processes behind, or change with
# every call. Hence a new one for each try (`TriedPlayer.made`), which is closed whatever happens,
# and a difference between two tries is then the player's and not what an earlier try left in it.
#
# Two contracts catch what costs their authors most. A player that is not the same after the same
# seed cannot be debugged, and its matches cannot be resumed. A player that remembers through
# `reset` makes a match depend on how it was cut into pieces for processes: the arena resets players
# where a chunk begins, and promises that the number of workers changes nothing.
#
# Stated probabilities are tested by counts over many deals: a single decision shows nothing. The
# bound (`MOST_SIGMAS`) is wide, so that an honest player does not fail by chance under one of the
# seeds, which are fixed. Estimates such as AIVAT take these probabilities at their word, so a
# player that misstates them makes its opponents' results wrong, and not only its own.
#
# Claims are checked in one direction where events are rare: what play shows must have been claimed,
# while what is claimed may not occur in so few deals.

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.arena import Match
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop
from railbird.cards import HOLDING_INDEX, Holding
from railbird.errors import BadInput
from railbird.extending.contract import Contract, require
from railbird.game import (
    Action,
    Call,
    Fold,
    HandDealer,
    Moment,
    Raise,
    Rules,
    Step,
    View,
    acpc_rules,
    limit_holdem,
    no_limit_holdem,
    seeded_deals,
    seen_by,
)
from railbird.players import (
    Distribution,
    NotAPlayer,
    Observer,
    Player,
    Policy,
    RangePolicy,
    check_methods,
    distribution_of,
    make_player,
)
from railbird.players.claims import Claims, claims_of
from railbird.players.policy import close, why_not
from railbird.units import Chips, Seat

HANDS: Final = 1_000
"""Hands of all tables together that are played legally."""
REPEATED_DEALS: Final = 60
FORGOTTEN_DEALS: Final = 40
COUNTED_DEALS: Final = 400
"""Deals in which actions are counted and compared with the player's stated probabilities."""
DEALT_HANDS: Final = 15
"""Hands in which a player is asked what it would do with other cards."""
LESSONS: Final = 100
"""Hands that a player sees before it is asked whether they change its decisions."""
PROBED_DEALS: Final = 40
"""Deals in which decisions are compared: after other seeds, and after other hands."""
MOST_SIGMAS: Final = 4.5
"""Standard deviations by which counts may miss the stated probabilities: once in 150,000 counts."""
_KINDS: Final = 3


def tables() -> Iterator[Rules]:
    """Limit and no-limit for two to six, with deep, short and uneven stacks."""
    for seats in range(2, 7):
        yield limit_holdem(seats)
        yield limit_holdem(seats, stack=[35 + 40 * seat for seat in range(seats)], ante=3)
        yield acpc_rules(no_limit_holdem(seats, blinds=(50, 100), stack=20_000))
        yield no_limit_holdem(seats, blinds=(1, 2), stack=[3 + 17 * seat for seat in range(seats)])


TWO_GAMES: Final = (limit_holdem(2), no_limit_holdem(3, blinds=(1, 2), stack=100))
_COUNTED_GAMES: Final = (
    limit_holdem(2),
    limit_holdem(3),
    no_limit_holdem(2, blinds=(1, 2), stack=20),
)
_CLAIMED_GAMES: Final = (*TWO_GAMES, _COUNTED_GAMES[2])
_DEALT_GAMES: Final = (limit_holdem(2), no_limit_holdem(2, blinds=(50, 100), stack=10_000))


@dataclass(frozen=True, slots=True)
class TriedPlayer:
    """A player that is tried out: how it is made, and the tables that it may be asked to play."""

    make: Callable[[], Player]
    games: tuple[Rules, ...] | None = None
    """Instead of those of each contract; what it does not support is left out of both."""
    claims: Claims | None = None
    """Its claims, which play must confirm; None for none."""
    hands: int = HANDS

    @contextmanager
    def made(self) -> Iterator[Player]:
        """Make one, and close it at the end. Raises `BadInput` if it cannot be made."""
        try:
            player = self.make()
        except BadInput:
            raise
        except (Exception, SystemExit) as problem:
            raise BadInput(f"it cannot be made: {type(problem).__name__}: {problem}") from problem
        try:
            yield player
        finally:
            close(player)

    def playable(self, games: Sequence[Rules]) -> list[Rules]:
        """Leave out what it says that it does not play."""
        with self.made() as player:
            return [rules for rules in self.games or games if why_not(player, rules) is None]


def check_player(
    player: str | Callable[[], Player],
    *,
    games: Sequence[Rules] | None = None,
    claims: Claims | None = None,
    hands: int = HANDS,
    only: Collection[str] = (),
) -> None:
    """Test a player against `PLAYER_CONTRACTS`; return if it keeps them.

    ``player`` is a spec, or a class or function that makes the player. ``games`` replace limit and
    no-limit hold'em for two to six players; games that it does not support (`Selective`) are left
    out. Play verifies its ``claims``, by default those of a spec (`claims_of`). Every action must
    be legal in ``hands`` hands of all games together. ``only`` names the contracts, by default all.
    The player takes some thousand decisions. Raises `BrokenContract` with the first contract that
    it breaks, and `railbird.errors.BadInput` for a spec that names no player or a player that
    cannot be made.

    >>> check_player("always-call", only=["same seed", "reset"])
    >>> class Stubborn:
    ...     def reset(self, rng):
    ...         self.hands = 0
    ...     def act(self, view):
    ...         return Fold()
    >>> check_player(Stubborn)
    Traceback (most recent call last):
    railbird.extending.contract.BrokenContract: Stubborn breaks 'legal actions': illegal, ...
    """
    make: Callable[[], Player]
    if isinstance(player, str):
        name, make = player, partial(make_player, player)
        claims = claims or claims_of(player)
    else:
        name, make = getattr(player, "__name__", type(player).__name__), player
        if not callable(player):
            raise BadInput(f"{name} object; allowed: a spec, or a class or function that makes one")
    tried = TriedPlayer(make, None if games is None else tuple(games), claims, hands)
    require(name, tried, PLAYER_CONTRACTS, only)


# The contracts.


def _lacks_methods(tried: TriedPlayer) -> Iterator[str]:
    try:
        with tried.made() as player:
            check_methods(player)
    except NotAPlayer as problem:
        yield str(problem)


def _acts_illegally(tried: TriedPlayer) -> Iterator[str]:
    games = tried.playable(tuple(tables()))
    if not games:
        yield "it supports none of the games that were tried"
    for rules in games:
        with tried.made() as player:
            table = _table(player, rules, deals=max(1, tried.hands // len(games)))
            for fault, tally in table.play(0).faults[0].as_json().items():
                yield f"{fault}, {tally['first']} ({_game(rules)})"


def _differs_after_the_same_seed(tried: TriedPlayer) -> Iterator[str]:
    for rules in tried.playable(TWO_GAMES):
        first, second = (_results(tried, rules, deals=REPEATED_DEALS) for _ in range(2))
        if not np.array_equal(first, second):
            yield f"the same {REPEATED_DEALS} hands of {_game(rules)} end otherwise the second time"


def _remembers_after_reset(tried: TriedPlayer) -> Iterator[str]:
    for rules in tried.playable(TWO_GAMES):
        with tried.made() as player:
            table = _table(player, rules, deals=3 * FORGOTTEN_DEALS, chunk=FORGOTTEN_DEALS)
            first = table.play(0).payoffs
            table.play(1)
            table.play(2)
            if not np.array_equal(table.play(0).payoffs, first):
                yield f"after a reset it plays the first hands of {_game(rules)} otherwise"


def _contradicts_its_probabilities(tried: TriedPlayer) -> Iterator[str]:
    for rules in tried.playable(_COUNTED_GAMES):
        with tried.made() as player:
            if not isinstance(player, Policy):
                return
            asking = _Asking(player)
            asked = _table(asking, rules, deals=COUNTED_DEALS).play(0)
        yield from (f"{breach} ({_game(rules)})" for breach in asking.breaches)
        for fault, tally in asked.faults[0].as_json().items():
            yield f"{fault}, {tally['first']} ({_game(rules)})"
        off = np.abs(asking.seen - asking.expected)
        for kind, miss in enumerate(off > MOST_SIGMAS * np.sqrt(asking.variance) + 1e-6):
            if miss:
                yield (
                    f"{int(asking.seen[kind])} {('folds', 'calls', 'raises')[kind]}, where it told "
                    f"{asking.expected[kind]:.1f} ± {np.sqrt(asking.variance[kind]):.1f} "
                    f"({_game(rules)})"
                )
        if not np.array_equal(asked.payoffs, _results(tried, rules, deals=COUNTED_DEALS)):
            yield f"hands in which it is asked for probabilities end otherwise ({_game(rules)})"


def _plays_other_cards_otherwise(tried: TriedPlayer) -> Iterator[str]:
    with tried.made() as player:
        if not isinstance(player, RangePolicy):
            return
    for rules in tried.playable(_DEALT_GAMES):
        for seed in range(DEALT_HANDS):
            cards = np.random.default_rng(seed).permutation(52)
            with tried.made() as playing, tried.made() as asked:
                if rules.seats == 2:
                    yield from _held_and_asked((playing, asked), rules, seed, cards)


def _claims_otherwise(tried: TriedPlayer) -> Iterator[str]:
    if tried.claims is None:
        return
    seen = claims_in_play(tried).as_json()
    for name, claim in tried.claims.as_json().items():
        # What was not seen in so few deals may be rare: only probabilities are told or not.
        if seen[name] != claim and (seen[name] or name.startswith("tells")):
            yield (
                f"{name} is claimed to be {claim}; by {PROBED_DEALS} deals of each game it is "
                f"{seen[name]}"
            )


def claims_in_play(tried: TriedPlayer) -> Claims:
    """Return what some deals of each game show; a rare draw may not be among them."""
    games = tried.playable(_CLAIMED_GAMES)
    return Claims(
        draws=any(
            len({_answers(tried, rules, seed=seed, acts=True) for seed in range(3)}) > 1
            for rules in games
        ),
        remembers=any(
            len({_answers(tried, rules, lesson=lesson) for lesson in _LESSONS}) > 1
            for rules in games
        ),
        tells=all(_tells(tried, rules) for rules in games),
        tells_ranges=all(_tells_ranges(tried, rules) for rules in games),
    )


PLAYER_CONTRACTS: Final[Sequence[Contract[TriedPlayer]]] = (
    Contract("methods", "has the methods reset and act", _lacks_methods),
    Contract(
        "legal actions",
        "answers every view with an action that the rules allow, and raises nothing",
        _acts_illegally,
    ),
    Contract(
        "same seed",
        "plays the same hands alike after equal seeds",
        _differs_after_the_same_seed,
    ),
    Contract("reset", "forgets on reset all that it saw and decided", _remembers_after_reset),
    Contract(
        "probabilities",
        "acts as often as its stated probabilities say, whether asked for them or not",
        _contradicts_its_probabilities,
    ),
    Contract(
        "other cards",
        "does with other cards what it states for them, and refuses where it cannot state it",
        _plays_other_cards_otherwise,
    ),
    Contract("claims", "draws, remembers and states probabilities as it claims", _claims_otherwise),
)
"""In the order of checking. The last three are for players with probabilities (`Policy`),
those of other cards (`RangePolicy`), and make claims (`Claims`)."""


# How they are tried.


def _game(rules: Rules) -> str:
    stacks = "" if rules.stacks is None else f", stacks {'/'.join(map(str, rules.stacks))}"
    return f"{rules.betting.value}, {rules.seats} seats{stacks}"


def _table(player: Player, rules: Rules, *, deals: int, chunk: int = 1000) -> ChunkPlayer:
    """Seat a player among others that act at random."""
    players: tuple[str | Player, ...] = (player, *("random",) * (rules.seats - 1))
    match = Match(players=players, rules=rules, deals=deals, seed=1, chunk=chunk)
    return ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=False))


def _results(tried: TriedPlayer, rules: Rules, *, deals: int) -> npt.NDArray[np.float64]:
    with tried.made() as player:
        return _table(player, rules, deals=deals).play(0).payoffs


class _Asking:
    """Asks a player for its probabilities before each of its actions."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.expected = np.zeros(_KINDS)
        """Stated probabilities of folds, calls and raises."""
        self.variance = np.zeros(_KINDS)
        self.seen = np.zeros(_KINDS)
        self.breaches: list[str] = []

        self.is_silent = False
        """Whether it stated no probabilities for some decision."""
        # What else it can do, so that it is known as an `Observer` and so on.
        for name in dir(type(player)):
            if (
                name[0] != "_"
                and name not in {"act", "reset"}
                and callable(getattr(type(player), name))
            ):
                self.__dict__[name] = getattr(player, name)

    def reset(self, rng: np.random.Generator) -> None:
        self._player.reset(rng)

    def act(self, view: View) -> Action:
        probabilities = distribution_of(self._player, view)
        if probabilities != distribution_of(self._player, view):
            self.breaches.append("asked twice, it tells two things")
        action = self._player.act(view)
        if probabilities is None:
            self.is_silent = True
            return action
        self.breaches += _impossible(probabilities, view)
        if not probabilities.probability(action) > 0:
            self.breaches.append(f"{action} had the probability 0")
        chances = np.array(
            [
                probabilities.fold,
                probabilities.call,
                sum(size.probability for size in probabilities.raises),
            ]
        )
        self.expected += chances
        self.variance += chances * (1 - chances)
        self.seen[0 if action == Fold() else 1 if action == Call() else 2] += 1
        return action


def _impossible(probabilities: Distribution, view: View) -> Iterator[str]:
    """Yield faults in a player's stated probabilities: actions that the rules do not allow."""
    low, high = view.legal.min_raise_to, view.legal.max_raise_to
    for sizes in probabilities.raises:
        if low is None or high is None or not low <= sizes.low <= sizes.high <= high:
            yield f"a raise to {sizes.low}–{sizes.high} has a probability; allowed: {low}–{high}"
    if probabilities.fold and not view.legal.fold:
        yield "a fold has a probability where nothing is to call"


def _held_and_asked(
    players: tuple[Player, Player], rules: Rules, seed: int, cards: npt.NDArray[np.int64]
) -> Iterator[str]:
    """Let one player play a holding, and ask another, dealt others, what it would do with it."""
    held, opposing, dealt = (
        Holding(HOLDING_INDEX.item(*sorted(cards[at : at + 2].tolist()))) for at in (0, 2, 4)
    )
    seat, board = Seat(seed % 2), cards[6:11].tolist()
    rng, dealers = np.random.default_rng(seed), []
    for player, own in zip(players, (held, dealt), strict=True):
        player.reset(np.random.default_rng(seed))
        dealer = HandDealer(rules, [own, opposing] if seat == 0 else [opposing, own], board)
        first, *steps = dealer.begin()
        if isinstance(player, Observer):
            player.begin(Moment(first.after).view(seat))
        _tell(player, seat, steps)
        dealers.append(dealer)
    while (actor := dealers[0].asks) is not None:
        state = dealers[0].state
        if actor == seat:
            view = Moment(state).view(seat)
            probabilities, asked = distribution_of(players[0], view), players[1]
            assert isinstance(asked, RangePolicy)
            try:
                of_cards = asked.range_distribution(
                    Moment(dealers[1].state).view(seat), np.array([held, opposing])
                )
            except BadInput:  # with such settings more matters than its cards
                return
            action = players[0].act(view)
            if of_cards.row(0) != probabilities:
                stated = of_cards.row(0)
                yield f"of other cards it tells {stated}, of the same as its own {probabilities}"
                return
            if not of_cards.probability(action)[0] > 0:
                yield f"{action} had the probability 0"
        else:
            action = _now_and_then_raising(state.min_raise_to, state.max_raise_to, rng)
        for player, dealer in zip(players, dealers, strict=True):
            _tell(player, seat, dealer.act(action))


# Claims are tried in hands in which everybody, the player too, acts by a script, so that all tries
# have the same views. What others did in hands before (a lesson) must change the answers of a
# player that remembers, and of no other. Its generator is set back after the lesson, so that it
# draws the same numbers without it.

_Script = Callable[[View], Action]
_CALL: Final = Call()


def _raise(view: View) -> Action:
    to = view.state.min_raise_to
    return _CALL if to is None else Raise(to)


def _fold(view: View) -> Action:
    return Fold() if view.state.to_call else _CALL


_LESSONS: Final[Sequence[_Script | None]] = (None, lambda _: _CALL, _raise, _fold)
"""What the others do in the hands before: nothing, as there are none; call, raise, fold."""


def _answers(
    tried: TriedPlayer,
    rules: Rules,
    *,
    seed: int = 0,
    lesson: _Script | None = None,
    acts: bool = False,
) -> tuple[object, ...]:
    """Return what a player would do in each decision of some hands.

    These are probabilities where it tells them, unless it ``acts``.
    """
    answers: list[object] = []
    rng = np.random.default_rng(seed)
    deals = seeded_deals(np.random.default_rng(1), rules.seats, LESSONS + PROBED_DEALS)
    others = np.random.default_rng(2)
    with tried.made() as player:
        player.reset(rng)
        initial_state = rng.bit_generator.state

        def seeing(view: View) -> Action:
            if isinstance(player, Policy):  # what others draw would differ after a lesson
                player.act(view)
            return _CALL

        if lesson is not None:
            for number, row in enumerate(deals[:LESSONS]):
                seat = Seat(number % rules.seats)
                _play_scripted(player, rules, row, seat, own=seeing, others=lesson)
        rng.bit_generator.state = initial_state

        def own(view: View) -> Action:
            probabilities = None if acts else distribution_of(player, view)
            answers.append(player.act(view) if probabilities is None else probabilities)
            return _CALL

        for number, row in enumerate(deals[LESSONS:]):
            _play_scripted(
                player,
                rules,
                row,
                Seat(number % rules.seats),
                own=own,
                others=lambda view: _now_and_then_raising(
                    view.state.min_raise_to, view.state.max_raise_to, others
                ),
            )
    return tuple(answers)


def _play_scripted(
    player: Player,
    rules: Rules,
    row: npt.NDArray[np.uint8],
    seat: Seat,
    *,
    own: _Script,
    others: _Script,
) -> None:
    """Play a scripted hand and send a player every message of it."""
    dealer = HandDealer.of_row(rules, row)
    first, *steps = dealer.begin()
    if isinstance(player, Observer):
        player.begin(Moment(first.after).view(seat))
    _tell(player, seat, steps)
    while (actor := dealer.asks) is not None:
        view = Moment(dealer.state).view(actor)
        _tell(player, seat, dealer.act(own(view) if actor == seat else others(view)))
    if isinstance(player, Observer):
        player.end(Moment(dealer.state).view(seat))


def _tells(tried: TriedPlayer, rules: Rules) -> bool:
    with tried.made() as player:
        asking = _Asking(player)
        _table(asking, rules, deals=PROBED_DEALS).play(0)
    return not asking.is_silent


def _tells_ranges(tried: TriedPlayer, rules: Rules) -> bool:
    dealer = HandDealer.of_row(rules, seeded_deals(np.random.default_rng(1), rules.seats, 1)[0])
    with tried.made() as player:
        if not isinstance(player, RangePolicy):
            return False
        player.reset(np.random.default_rng(1))
        first, *steps = dealer.begin()
        seat = dealer.asks
        assert seat is not None  # the blinds do not put anybody all-in
        if isinstance(player, Observer):
            player.begin(Moment(first.after).view(seat))
        _tell(player, seat, steps)
        try:
            player.range_distribution(Moment(dealer.state).view(seat), np.array([0, 1]))
        except BadInput:
            return False
    return True


def _now_and_then_raising(
    low: Chips | None, high: Chips | None, rng: np.random.Generator
) -> Action:
    if low is not None and high is not None and rng.random() < 0.4:
        return Raise(Chips(min(high, low * int(rng.integers(1, 3)))))
    return Call()


def _tell(player: Player, seat: Seat, steps: Sequence[Step]) -> None:
    if isinstance(player, Observer):
        for event, _, state in steps:
            player.observe(Moment(state).view(seat), seen_by(event, seat))
