"""The house players that practice tables can seat, by the names that clients know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from railbird.errors import BadInput, RailbirdError
from railbird.game import HEADS_UP_LIMIT, Betting, Rules
from railbird.players import make_player, policy
from railbird.players.coach.options import parse_coach
from railbird.players.limit_betting import tree_of
from railbird.players.registry import REGISTRY
from railbird.players.spec import parse_spec
from railbird.solve.abstraction.settings import BUCKET_SIZES
from railbird.solve.limit.betting_tree import same_game
from railbird.solve.limit.settings import SIZES
from railbird.solve.limit.solving import strategy_path
from railbird.solve.limit.strategy import open_strategy
from railbird.tournament.table_rules import table_rules

PROGRAMS: Final = ("acpc", "bot", "python")
"""Players that run somebody's program, which no client may start."""

TREE_PLAYERS: Final = ("coach", "equilibrium", "vexbot")
"""Players that follow the betting tree of heads-up limit, in which nobody is ever all-in."""

_VARIANTS: Final = ("booker:4", "loki:som", "tight:nolimit")
"""Specs with an option that practice tables have, too; a client may choose no options freely,
since some are files."""

_SIZES: Final = (*(size for size in SIZES if size != "blind"), *BUCKET_SIZES)
"""Equilibria that look at their cards."""

_NAME: Final = re.compile(r"[!-~]{1,58}")
"""What the protocol can name, after ``house:``."""


class HousePlayers:
    """House players by name, those included that an operator adds.

    Raises `BadInput` for what the operator added and cannot be seated.
    """

    def __init__(self, more: Iterable[str] = ()) -> None:
        self._more: dict[str, str] = {}
        self._solved: tuple[str, ...] | None = None
        self._offered: Mapping[str, str] = {}
        for spec in more:
            if (name := checked_name(spec)) in self._more:
                raise BadInput(f"two house players {name}; allowed: different names of files")
            self._more[name] = spec

    def offered(self) -> Mapping[str, str]:
        """Return the specs of those that can be seated now, by name; the same until it changes."""
        solved = tuple(f"equilibrium:{size}" for size in _SIZES if _is_solved(size))
        if solved != self._solved:
            self._solved, self._offered = solved, self._with(solved)
        return self._offered

    def _with(self, solved: Sequence[str]) -> Mapping[str, str]:
        names = {*REGISTRY, *_VARIANTS} - {*PROGRAMS, *TREE_PLAYERS}
        coached = ["coach:vexbot+equilibrium:small"] if "equilibrium:small" in solved else []
        found = {spec: spec for spec in (*names, "vexbot", *solved, *coached)}
        return dict(sorted({**found, **self._more}.items()))

    def spec_of(self, name: str) -> str:
        """Return the spec of a house player. Raises `BadInput` if there is none of this name."""
        found = self.offered().get(name)
        if found is None:
            lacks = unsolved(name) if name in {f"equilibrium:{size}" for size in _SIZES} else None
            raise BadInput(lacks or f"{name!r} is no house player")
        return found


def follows_tree(spec: str) -> bool:
    """Return whether a player plays heads-up limit alone, with stacks that do not run out."""
    return parse_spec(spec).name in TREE_PLAYERS


def why_off_tree(spec: str, rules: Rules, *, top_up: bool) -> str | None:
    """Return why a player that follows the tree cannot play; None if it can, and for all others.

    The player is not made for it. ``top_up`` says that stacks are filled up before each hand.
    """
    if not follows_tree(spec):
        return None
    try:
        if top_up and same_game(tree_of(rules).betting, tree_of(HEADS_UP_LIMIT).betting):
            return None
    except BadInput:
        pass
    return (
        f"{shown_name(spec)} plays limit against one opponent, with an even big blind and stacks of"
        " 24 of them or more that are filled up before each hand"
    )


def shown_name(spec: str) -> str:
    """Return a house player's name: its spec, without the folders of files.

    >>> shown_name("coach:vexbot+equilibrium:/srv/poker/dbr.strategy")
    'coach:vexbot+equilibrium:dbr.strategy'
    """
    return re.sub(r"(equilibrium:)[^,+]*[/\\]", r"\1", spec)


def unsolved(spec: str) -> str | None:
    """Return how to solve what a player needs and nobody has solved; None if nothing lacks."""
    for each in _experts(spec):
        parsed = parse_spec(each)
        if parsed.name == "equilibrium":
            size = REGISTRY[parsed.name].values(parsed)["strategy"]
            if size in {*SIZES, *BUCKET_SIZES} and not strategy_path(size).exists():
                command = f"railbird solve limit --size {size}"
                return f"equilibrium:{size} has not been solved on this machine; {command} does"
    return None


def vexbots_in(spec: str) -> int:
    """Return how many Vexbots play as a spec; each keeps what it learns.

    >>> vexbots_in("coach:vexbot+loki:som"), vexbots_in("equilibrium:small")
    (1, 0)
    """
    return sum(parse_spec(each).name == "vexbot" for each in _experts(spec))


def _experts(spec: str) -> Iterator[str]:
    """Yield a player and, of a coach, all of its experts."""
    yield spec
    parsed = parse_spec(spec)
    if parsed.name == "coach" and parsed.detail:
        for expert in parse_coach(parsed.detail).experts:
            yield from _experts(expert)


def checked_name(spec: str) -> str:
    """Return the name of a player of the tree that an operator names; make it once.

    Raises `BadInput` for other players, and for one that cannot be seated.
    """
    if not follows_tree(spec) or any(parse_spec(each).name in PROGRAMS for each in _experts(spec)):
        raise BadInput(f"house player {spec}; allowed: {', '.join(TREE_PLAYERS)}, and no programs")
    if lacks := unsolved(spec):
        raise BadInput(lacks)
    name = shown_name(spec)
    if _NAME.fullmatch(name) is None:
        raise BadInput(f"house player {name!r}; allowed: names of 1 to 58 letters without spaces")
    player = make_player(spec, writes=False)
    try:
        rules = table_rules(Betting.LIMIT, blinds=(10, 20), ante=0, stacks=(480, 480))
        why = policy.why_not(player, rules)
    finally:
        policy.close(player)
    if why is not None:
        raise BadInput(f"house player {spec}: {why}")
    return name


def _is_solved(size: str) -> bool:
    """Return whether the strategy of a size is there, with the tables that it needs."""
    path = strategy_path(size)
    try:
        return _opens(path, path.stat().st_mtime_ns)
    except OSError:
        return False


@lru_cache(maxsize=16)
def _opens(path: Path, changed_at: int) -> bool:
    del changed_at
    try:
        open_strategy(path)
    except RailbirdError:
        return False
    return True
