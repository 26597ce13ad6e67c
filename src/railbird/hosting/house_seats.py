"""House players: registered players that sit in games of the server."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from railbird.cards import HOLDEM
from railbird.errors import BadInput, RailbirdError
from railbird.game import (
    HEADS_UP_LIMIT,
    Action,
    Betting,
    Rules,
    View,
    seen_by,
    view,
)
from railbird.hosting.ladder import BY_SPEC, EVERYWHERE, LADDER
from railbird.players import Observer, Player, equilibrium, make_player, meet, policy
from railbird.players.coach import parse_coach
from railbird.players.equilibrium import DEFAULT_STRATEGY, TABLE, TREE_PLAYERS, tree_of
from railbird.players.policy import Explaining
from railbird.players.protocol import MEMORY_KEY, SeesShown
from railbird.players.registry import REGISTRY, why_unfit
from railbird.players.spec import parse_spec
from railbird.protocol.identity import account_name
from railbird.protocol.redaction import HandEnd, HandStart, HandStep, ShownByChoice
from railbird.solve.abstraction.card_abstraction import BUCKET_SIZES
from railbird.solve.limit.betting_tree import same_game
from railbird.solve.limit.settings import SIZES
from railbird.solve.limit.solving import strategy_path
from railbird.solve.limit.strategy import open_strategy
from railbird.solve.nolimit.solving import NAMES, is_blueprint, nolimit_path
from railbird.solve.nolimit.strategy import open_nolimit
from railbird.tournament.schedule import hand_rules
from railbird.units import Seat

# The house players that practice tables can seat, by the names that clients know.


PROGRAMS: Final = ("acpc", "bot", "llm", "python")
"""Players that run somebody's program or spend his money, which no client may start."""

_VARIANTS: Final = ("booker:4", "loki:som", "tight:nolimit")
"""Specs with an option that practice tables have, too; a client may choose no options freely,
since some are files."""

_BLUEPRINTS: Final = NAMES | {TABLE: NAMES["nolimit"]}
"""Sizes of the no-limit blueprints that equilibria play, by their names."""

_STRATEGIES: Final = (*(size for size in SIZES if size != "blind"), *BUCKET_SIZES, *_BLUEPRINTS)
"""Equilibria that look at their cards, by their names."""

_NAME: Final = re.compile(r"[!-~]{1,58}")
"""Pattern of the names that a message can have after ``house:``."""


class HousePlayers:
    """House players by name, including those that an operator adds.

    Raises `BadInput` for an added player that cannot be seated.
    """

    def __init__(self, more: Iterable[str] = ()) -> None:
        self._more: dict[str, str] = {}
        self._solved: tuple[str, ...] | None = None
        self._offered: Mapping[str, str] = {}
        for spec in more:
            if (name := checked_house_player(spec)) in self._more:
                raise BadInput(f"two house players {name}; allowed: different names of files")
            self._more[name] = spec

    def offered(self) -> Mapping[str, str]:
        """Return the specs of the players that can be seated now, by name; cached meanwhile."""
        # Strategies may be solved while the server runs, so the files are asked each time; the rest
        # is made again only where one came or went.
        solved = tuple(f"equilibrium:{name}" for name in _STRATEGIES if _is_solved(name))
        if solved != self._solved:
            self._solved, self._offered = solved, self._with(solved)
        return self._offered

    def _with(self, solved: Sequence[str]) -> Mapping[str, str]:
        names = {*REGISTRY, *_VARIANTS} - {*PROGRAMS, *TREE_PLAYERS}
        coached = ["coach:vexbot+equilibrium:small"] if "equilibrium:small" in solved else []
        specs = {spec: spec for spec in (*names, "vexbot", *solved, *coached)}
        named = {who.name: who.spec for who in LADDER if who in EVERYWHERE or who.spec in specs}
        return dict(sorted({**specs, **named, **self._more}.items()))

    def spec_of(self, name: str) -> str:
        """Return the spec of a house player. Raises `BadInput` if there is none of this name."""
        spec = self.offered().get(name)
        if spec is None:
            lacks = (
                unsolved(name)
                if name in {f"equilibrium:{strategy}" for strategy in _STRATEGIES}
                else None
            )
            raise BadInput(lacks or f"{name!r} is no house player")
        return spec


def plays_limit_heads_up(spec: str) -> bool:
    """Return whether a player plays heads-up limit alone, with stacks that do not run out."""
    return equilibrium.follows_tree(parse_spec(spec))


def why_off_tree(spec: str, rules: Rules, *, top_up: bool) -> str | None:
    """Return why a player that follows the tree cannot play; None if it can, and for all others.

    The player is not made for it. ``top_up`` says that stacks are filled up before each hand.
    """
    if not plays_limit_heads_up(spec):
        return None
    try:
        if top_up and same_game(tree_of(rules).betting, tree_of(HEADS_UP_LIMIT).betting):
            return None
    except BadInput:
        pass
    return (
        f"{known_as(spec)} plays limit against one opponent, with an even big blind and stacks of"
        " 24 of them or more that are filled up before each hand"
    )


def shown_name(spec: str) -> str:
    """Return a house player's name, which everybody may read: its spec, without its database.

    Of files only the names are left, without the folders.

    >>> shown_name("coach:vexbot+equilibrium:/srv/poker/dbr.strategy")
    'coach:vexbot+equilibrium:dbr.strategy'
    >>> shown_name("booker:4,database=postgresql://ann:secret@db/poker,memory=9")
    'booker:4,memory=9'
    """
    return "+".join(map(_shown_expert, spec.split("+")))


def _shown_expert(spec: str) -> str:
    name, *rest = re.split("(?=[:,])", spec, maxsplit=1)
    entry = REGISTRY.get(name.strip())
    options = () if entry is None else entry.options
    hidden = {
        key for option in options if option.key == MEMORY_KEY for key in (MEMORY_KEY, option.former)
    }
    pieces = re.split("(?=,)", "".join(rest))
    kept = [piece for piece in pieces if piece[1:].partition("=")[0].strip() not in hidden]
    return name + "".join(re.sub(r"^(.[^=]*=|.).*[/\\]", r"\1", piece) for piece in kept)


def known_as(spec: str) -> str:
    """Return what people know a house player as: its name on the ladder, or `shown_name`.

    >>> known_as("tight:nolimit"), known_as("booker:4")
    ('Sol', 'booker:4')
    """
    named = BY_SPEC.get(spec)
    return shown_name(spec) if named is None else named.name


def remembering(spec: str) -> str:
    """Return the spec of a house player that remembers people in the server's database.

    Raises `BadInput` for a player that keeps nothing.

    >>> remembering("booker:4"), shown_name(remembering("booker:4"))
    ('booker:4,database=server', 'booker:4')
    """
    entry = REGISTRY.get(parse_spec(spec).name)
    if entry is None or not entry.keeps_opponents:
        keep = [name for name, entry_of_name in REGISTRY.items() if entry_of_name.keeps_opponents]
        raise BadInput(f"{spec} remembers nobody; allowed: {', '.join(keep)}")
    remembered = f"{spec},database=server"
    policy.close(make_player(remembered, writes=False))  # some versions of a player keep nothing
    return remembered


OTHER_GAMES: Final = ("sensible", "always-call", "always-raise", "random")
"""Players of every game that the rules deal; the first sits down where nobody is named."""


def why_other_game(spec: str, rules: Rules) -> str | None:
    """Return why a player does not play a game because it is not hold'em; None if it does."""
    if rules.variant is HOLDEM or spec in OTHER_GAMES:
        return None
    return (
        f"{known_as(spec)} does not play {rules.variant.title}; allowed: {', '.join(OTHER_GAMES)}"
    )


def unsolved(spec: str) -> str | None:
    """Return how to solve the strategies that a player lacks; None if it lacks none."""
    for expert in _experts(spec):
        parsed = parse_spec(expert)
        if parsed.name == "equilibrium":
            name = REGISTRY[parsed.name].values(parsed).get("strategy", DEFAULT_STRATEGY)
            if name in {*SIZES, *BUCKET_SIZES, *_BLUEPRINTS} and not _path(name).exists():
                blueprint = _BLUEPRINTS.get(name)
                game, size = ("limit", name) if blueprint is None else ("nolimit", blueprint)
                command = f"railbird solve {game} --size {size}"
                return f"equilibrium:{name} has not been solved on this machine; {command} does"
    return None


def vexbots_in(spec: str) -> int:
    """Return how many Vexbots play as a spec; each keeps what it learns.

    >>> vexbots_in("coach:vexbot+loki:som"), vexbots_in("equilibrium:small")
    (1, 0)
    """
    return sum(parse_spec(expert).name == "vexbot" for expert in _experts(spec))


def _experts(spec: str) -> Iterator[str]:
    """Yield a player and, of a coach, all of its experts."""
    yield spec
    parsed = parse_spec(spec)
    if parsed.name == "coach" and parsed.detail:
        for expert in parse_coach(parsed.detail).experts:
            yield from _experts(expert)


def checked_house_player(spec: str) -> str:
    """Return the name of a player of the tree that an operator names; make it once.

    Raises `BadInput` for other players, and for one that cannot be seated.
    """
    is_known = parse_spec(spec).name in TREE_PLAYERS
    if not is_known or any(parse_spec(expert).name in PROGRAMS for expert in _experts(spec)):
        raise BadInput(f"house player {spec}; allowed: {', '.join(TREE_PLAYERS)}, and no programs")
    if lacks := unsolved(spec):
        raise BadInput(lacks)
    name = shown_name(spec)
    if _NAME.fullmatch(name) is None:
        raise BadInput(f"house player {name!r}; allowed: names of 1 to 58 letters without spaces")
    player = make_player(spec, writes=False)
    try:
        betting = Betting.LIMIT if plays_limit_heads_up(spec) else Betting.NO_LIMIT
        # Stacks of 24 big blinds are the fewest with which limit never runs out of chips, so they
        # suit every player that can sit at all.
        rules = hand_rules(betting, blinds=(10, 20), ante=0, stacks=(480, 480))
        why = policy.why_not(player, rules)
    finally:
        policy.close(player)
    if why is not None:
        raise BadInput(f"house player {spec}: {why}")
    return name


def _path(name: str) -> Path:
    """Return the file of an equilibrium that has a name."""
    blueprint = _BLUEPRINTS.get(name)
    return strategy_path(name) if blueprint is None else nolimit_path(blueprint)


def _is_solved(name: str) -> bool:
    """Return whether the strategy of a name is there, with the tables that it needs."""
    path = _path(name)
    try:
        return _opens(path, path.stat().st_mtime_ns)
    except OSError:
        return False


@lru_cache(maxsize=16)
def _opens(path: Path, changed_at: int) -> bool:
    # The time is only part of the key: a file that is written anew is opened anew.
    del changed_at
    try:
        open_nolimit(path) if is_blueprint(str(path)) else open_strategy(path)
    except RailbirdError:
        return False
    return True


# The seats.


_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)

PREFIX = "house:"
"""Beginning of house players' names, which no account may have."""
_LONGEST: Final = 60
"""Characters of a name; results have 64, of which ``#2`` and the like need some."""


SHORT_BB: Final = 25.0
"""Stacks in big blinds above which the ladder holds: its league was played with a hundred."""


def house_specs(rules: Rules) -> tuple[str, ...]:
    """Return the specs of house players that play well by these rules, with changing stacks.

    They are those of the ladder from its middle upwards. Where none of them can sit, and with
    stacks too short for the league that made the ladder, they are those of the registry that are
    known to play well, or else all that can play, except for drills. In other games than hold'em
    the one that looks at its cards sits down.
    """
    if rules.variant is not HOLDEM:
        return OTHER_GAMES[:1]
    named = [who.spec for who in EVERYWHERE]
    upper = [
        spec
        for spec in named[len(named) // 2 :]
        if why_unseatable(spec, rules) is None and why_unfit(spec, rules) is None
    ]
    # The second largest stack is what can be lost: nobody can win more from the largest than that.
    stack = sorted(rules.stacks or (0, 0))[-2] / max(*rules.blinds, 1)
    if upper and stack > SHORT_BB:
        return tuple(upper)
    able = [
        name
        for name, entry in REGISTRY.items()
        if not entry.fit.is_drill and why_unseatable(name, rules) is None
    ]
    fit = [name for name in able if why_unfit(name, rules) is None]
    return tuple(fit or able)


def why_unseatable(spec: str, rules: Rules, *, top_up: bool = False) -> str | None:
    """Return why a player cannot be made, or cannot play; None if it can.

    Players of the betting tree are not made for it, since some have much to read. ``top_up`` says
    that stacks are filled up before each hand.
    """
    try:
        if plays_limit_heads_up(spec):
            return why_off_tree(spec, rules, top_up=top_up) or unsolved(spec)
        if lacks := unsolved(spec):
            return lacks
    except RailbirdError as problem:
        return str(problem)
    return _why_not_made(spec, rules, top_up=top_up)


@lru_cache(maxsize=4096)
def _why_not_made(spec: str, rules: Rules, *, top_up: bool) -> str | None:
    """Return why a player cannot sit, by making it and asking it; None if it can."""
    if spec.partition(":")[0] in PROGRAMS:
        return f"{spec!r} is a program; allowed: players of Railbird's own"
    try:
        player = make_player(spec)
    except RailbirdError as problem:
        return str(problem)
    try:
        why = policy.why_not(player, rules, carries_over=not top_up)
    finally:
        policy.close(player)
    return None if why is None else f"{spec} cannot play this: {why}"


def chosen(specs: Sequence[str], count: int, taken: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Draw house players: names and specs, as different as possible."""
    order = list(specs)
    random.SystemRandom().shuffle(order)
    names = set(taken)
    drawn: list[tuple[str, str]] = []
    for place in range(count if order else 0):
        spec = order[place % len(order)]
        first = f"{PREFIX}{known_as(spec)}"[:_LONGEST]
        copy, name = 1, first
        while name in names:
            copy += 1
            name = f"{first}#{copy}"
        names.add(name)
        drawn.append((name, spec))
    return drawn


class HouseSeat:
    """A house player in a game; its methods are called in one thread, one after the other.

    The player is made by the first of them, for some load large tables. All that it draws comes
    from ``seed``.
    """

    def __init__(self, spec: str, seed: int) -> None:
        self._name = spec
        self._seed = seed
        self._met: dict[str, int] = {}

    @cached_property
    def _player(self) -> Player:
        if lacks := unsolved(self._name):
            raise BadInput(lacks)
        player = make_player(self._name)
        player.reset(np.random.default_rng(self._seed))
        return player

    def load(self) -> None:
        """Make the player now, which takes the longest where none of its kind was made before."""
        self._guarded(lambda: self._player)
        self.close()

    def act(self, shown: View) -> tuple[Action | None, str]:
        """Return the player's action, and its reasons; None if it failed."""
        action = self._guarded(lambda: self._player.act(shown))
        return action, self._reasons(shown) if action is not None else ""

    def happened(self, news: HandStart | HandStep | HandEnd | ShownByChoice, seat: Seat) -> None:
        """Let the player see what its seat sees."""
        seat_view = view(news.moment.state, seat)
        match news:
            case HandStart(moment):
                names = [account_name(holder.name) for holder in moment.holders]
                self._guarded(lambda: meet(self._player, names, self._met))
                self._told(lambda observer: observer.begin(seat_view))
            case HandStep(event=event):
                self._told(lambda observer: observer.observe(seat_view, seen_by(event, seat)))
            case HandEnd():
                self._told(lambda observer: observer.end(seat_view))
            case ShownByChoice(moment, shower):
                person = self._met.get(account_name(moment.holders[shower].name))
                player = self._guarded(lambda: self._player)
                if person is not None and shower != seat and isinstance(player, SeesShown):
                    self._guarded(lambda: player.shown_by_choice(person))

    def close(self) -> None:
        """Let the player end, if there is one."""
        # Asking for the property would make a player only to close it.
        if "_player" in self.__dict__:
            self._guarded(lambda: policy.close(self._player))

    def _told(self, tell: Callable[[Observer], None]) -> None:
        player = self._guarded(lambda: self._player)
        if isinstance(player, Observer):
            self._guarded(lambda: tell(player))

    def _reasons(self, seat_view: View) -> str:
        player = self._player
        if not isinstance(player, Explaining):
            return ""
        explained = self._guarded(lambda: player.explain(seat_view))
        return "" if explained is None else explained.rule

    def _guarded(self, call: Callable[[], _T]) -> _T | None:
        try:
            return call()
        # Whatever a player raises, the game goes on: the rules act for it. Somebody's code may also
        # call `exit`.
        except (Exception, SystemExit):
            _LOG.exception("house player %s", self._name)
            return None
