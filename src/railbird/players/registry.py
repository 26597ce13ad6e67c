"""Registry of players by name: the specs of each, and the player that a spec creates.

A player is added by an `Entry`. Error messages, the list of players and the contract tests that
every player must pass follow from it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from railbird._arguments import checked
from railbird._did_you_mean import did_you_mean
from railbird.baseline import STANDARD, parse_settings
from railbird.errors import BadInput, unknown_name
from railbird.players.acpc.program_player import AcpcPlayer
from railbird.players.baseline import BaselinePlayer
from railbird.players.booker.options import OPTIONS as BOOKER_OPTIONS
from railbird.players.booker.options import ROLLOUT_OPTIONS, make_booker, make_rollout
from railbird.players.booker.options import VERSION as BOOKER_VERSION
from railbird.players.bot_program.player import BotProgramPlayer
from railbird.players.coach.options import ALLOWED as COACH_ALLOWED
from railbird.players.coach.options import make_coach, parse_coach
from railbird.players.equilibrium.resolving import Resolve, make_equilibrium, read_resolve
from railbird.players.killer.options import OPTIONS as KILLER_OPTIONS
from railbird.players.killer.options import make_killer
from railbird.players.loki.options import OPTIONS as LOKI_OPTIONS
from railbird.players.loki.options import VERSION as LOKI_VERSION
from railbird.players.loki.options import make_loki
from railbird.players.memory import MemoryOption
from railbird.players.protocol import Player
from railbird.players.pushfold import PushFoldPlayer
from railbird.players.simple import RaiseSize, WeightedPlayer, Weights
from railbird.players.spec import Option, Spec, number_between, parse_arguments, parse_spec
from railbird.players.tight.player import TightPlayer
from railbird.players.vexbot.options import OPTIONS as VEXBOT_OPTIONS
from railbird.players.vexbot.options import VARIANT as VEXBOT_SEARCH
from railbird.players.vexbot.options import make_vexbot
from railbird.solve import LEAST_STACK, MOST_STACK
from railbird.solve.abstraction.settings import BUCKET_SIZES
from railbird.solve.limit.settings import SIZES


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A name, and what may follow it: nothing, options, a variant before them, or free text."""

    name: str
    summary: str
    make: Callable[[Mapping[str, Any]], Player]
    """Called with the values of the options, the variant and the text, by key."""
    variant: Option | None = None
    """The value in ``name:value``, written without its key."""
    options: tuple[Option, ...] = ()
    """Options ``key=value``, after commas."""
    text: Option | None = None
    """Everything after the name, if it must not be split at commas."""

    def values(self, spec: Spec) -> dict[str, Any]:
        """Return the values in a spec. Raises `BadInput` with what is allowed."""
        if self.text is not None:
            return {self.text.key: self.text.value(spec.detail, player=self.name)}
        variant, given = parse_arguments(spec)
        for option in self.options:
            if option.former in given:
                if option.key in given:
                    raise BadInput(
                        f"{self.name}: {option.key}= and {option.former}=, its earlier name;"
                        " allowed: one of the two"
                    )
                given[option.key] = given.pop(option.former)
        values: dict[str, Any] = {}
        if self.variant is not None:
            values[self.variant.key] = self.variant.value(variant, player=self.name)
        elif variant:
            raise BadInput(f"{self.name} has no variants; got {variant!r}")
        if unknown := sorted(given.keys() - {option.key for option in self.options}):
            keys = [option.key for option in self.options]
            raise unknown_name(f"option of {self.name}", unknown[0], keys)
        for option in self.options:
            values[option.key] = option.value(given.get(option.key, ""), player=self.name)
        return values

    @property
    def forms(self) -> tuple[tuple[str, Option], ...]:
        """Return every allowed form and its option."""
        behind = [
            (f"{self.name}:{option.key.upper()}", option)
            for option in (self.variant, self.text)
            if option is not None
        ]
        return (*behind, *((f"{option.key}=", option) for option in self.options))

    def as_json(self) -> dict[str, Any]:
        """Return the output of `railbird players --json`."""
        return {
            "name": self.name,
            "summary": self.summary,
            "forms": [
                {"form": form, "summary": option.summary, "allowed": option.allowed}
                for form, option in self.forms
            ],
        }


@checked
def make_player(text: str, *, writes: bool = True) -> Player:
    """Return the player named by a spec; unless it ``writes`` it only reads what it remembers.

    Raises `BadInput`, in one line that lists what is allowed, for unknown names, options and
    values, and for a class that cannot be imported or is not a player.

    >>> make_player("basline")
    Traceback (most recent call last):
    railbird.errors.BadInput: no player 'basline'; did you mean baseline?
    """
    spec = parse_spec(text)
    if spec.name not in REGISTRY:
        raise unknown_name("player", spec.name, REGISTRY)
    entry = REGISTRY[spec.name]
    values = entry.values(spec)
    if not writes:
        for option in entry.options:
            if isinstance(option, MemoryOption) and values[option.key] is not None:
                values[option.key] = replace(values[option.key], is_read_only=True)
    return entry.make(values)


def remembers(text: str) -> bool:
    """Return whether a spec names a database in which its player remembers opponents.

    >>> remembers("booker:4,database=people.sqlite3"), remembers("booker:4")
    (True, False)
    """
    spec = parse_spec(text)
    entry = REGISTRY[spec.name]
    values = entry.values(spec)
    return any(
        isinstance(option, MemoryOption) and values[option.key] is not None
        for option in entry.options
    )


@checked
def check_names(specs: Iterable[str]) -> None:
    """Refuse the specs that name no kind of player, all of them in one line.

    >>> check_names(["tmo", "random", "basline"])
    Traceback (most recent call last):
    railbird.errors.BadInput: no player 'tmo', no player 'basline' (did you mean baseline?)
    """
    names = dict.fromkeys(parse_spec(spec).name for spec in specs)
    unknown = [name for name in names if name not in REGISTRY]
    if len(unknown) == 1:
        raise unknown_name("player", unknown[0], REGISTRY)
    if unknown:
        hints = [did_you_mean(name, REGISTRY) for name in unknown]
        words = [
            f"no player {name!r}" + (f" ({hint})" if hint else "")
            for name, hint in zip(unknown, hints, strict=True)
        ]
        allowed = "" if any(hints) else f"; allowed: {', '.join(REGISTRY)}"
        raise BadInput(", ".join(words) + allowed)


@checked
def keeps_memory(text: str) -> bool:
    """Return whether a spec's player saves what it learns, so that it needs a single process.

    >>> keeps_memory("loki:som,database=people.sqlite3"), keeps_memory("loki:som")
    (True, False)
    >>> keeps_memory("booker:4,database=people.sqlite3"), keeps_memory("booker:4,memory=20")
    (True, False)
    """
    spec = parse_spec(text)
    entry = REGISTRY.get(spec.name)
    keys = [o.key for o in entry.options if isinstance(o, MemoryOption)] if entry else []
    return entry is not None and any(entry.values(spec)[key] is not None for key in keys)


def check_player(player: object, what: str | None = None) -> None:
    """Raise `BadInput` for an object that lacks a method of `Player`; ``what`` is its name."""
    missing = [verb for verb in ("reset", "act") if not callable(getattr(player, verb, None))]
    if missing:
        words = f"{' '.join(repr(player).split())[:60]} ({type(player).__name__})"
        raise BadInput(f"{what or words} is not a player: it lacks {' and '.join(missing)}")


def _weight(key: str) -> Option:
    return Option(
        key=key,
        read=number_between(0.0, 1e6),
        default=1.0,
        allowed="0 to 1000000",
        summary=f"how often to {key}, in proportion to the others",
    )


def _size(default: RaiseSize) -> Option:
    return Option(
        key="size",
        read=RaiseSize,
        default=default,
        allowed=", ".join(size.value for size in RaiseSize),
        summary="size of a raise if the rules leave a choice",
    )


def _only(word: str) -> Callable[[str], str]:
    """Return a parser of a variant that can be but one word."""

    def read(text: str) -> str:
        if text != word:
            raise ValueError(text)
        return text

    return read


def _import(detail: str) -> Player:
    """Create an instance of ``module:Class,key=value``, also from modules in the current folder."""
    location, options = parse_arguments(Spec("python", detail))
    module, colon, name = location.partition(":")
    if not (module and colon and name):
        raise BadInput(f"python:{detail}; allowed: python:MODULE:CLASS,KEY=VALUE")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        player = getattr(importlib.import_module(module), name)(**options)
    except (Exception, SystemExit) as problem:
        raise BadInput(f"python:{detail}: {type(problem).__name__}: {problem}") from problem
    check_player(player, f"python:{detail}")
    return player  # type: ignore[no-any-return]


def _make_expert(spec: str) -> Player:
    """Make a player for a coach, which does not tell it when a chunk is over."""
    if keeps_memory(spec):
        raise BadInput(f"coach: {spec} keeps what it learns; allowed: players without database=")
    return make_player(spec)


_ENTRIES = (
    Entry(
        name="always-call",
        summary="checks or calls, whatever happens",
        make=lambda _: WeightedPlayer(Weights(call=1.0)),
    ),
    Entry(
        name="always-raise",
        summary="bets or raises as long as the rules allow it, then calls",
        make=lambda values: WeightedPlayer(Weights(bet=1.0, size=values["size"])),
        variant=_size(RaiseSize.MIN),
    ),
    Entry(
        name="always-fold",
        summary="folds to any bet, checks when that is free",
        make=lambda _: WeightedPlayer(Weights(fold=1.0)),
    ),
    Entry(
        name="random",
        summary="draws a legal action by weight, and any legal size",
        make=lambda values: WeightedPlayer(
            Weights(
                fold=values["fold"], call=values["call"], bet=values["raise"], size=values["size"]
            )
        ),
        variant=Option(
            key="amount",
            read=_only("amount"),
            default=None,
            allowed="amount",
            summary="the same, by a name that says so",
        ),
        options=(_weight("fold"), _weight("call"), _weight("raise"), _size(RaiseSize.RANDOM)),
    ),
    Entry(
        name="baseline",
        summary="bets its hand rank for value, as the baseline of DIVAT does",
        make=lambda values: BaselinePlayer(values["settings"]),
        text=Option(
            key="settings",
            read=parse_settings,
            default=STANDARD,
            allowed="settings such as aggressive-high,turn=loose-low,pot=facing-bet",
            summary="the settings, as for assessment",
        ),
    ),
    Entry(
        name="loki",
        summary="enumerates, models its opponents and bets by rules, as Papp's Loki does",
        make=make_loki,
        variant=LOKI_VERSION,
        options=LOKI_OPTIONS,
    ),
    Entry(
        name="booker",
        summary="wins tournaments by its probability of winning, and learns from shown cards",
        make=make_booker,
        variant=BOOKER_VERSION,
        options=BOOKER_OPTIONS,
    ),
    Entry(
        name="rollout",
        summary="calls what its probability of winning pays for, and never raises",
        make=make_rollout,
        options=ROLLOUT_OPTIONS,
    ),
    Entry(
        name="killer",
        summary="weighs its odds against what others' bets say, as Hold'em Killer does",
        make=make_killer,
        options=KILLER_OPTIONS,
    ),
    Entry(
        name="equilibrium",
        summary="plays a solved strategy of heads-up limit: equilibrium:small, equilibrium:FILE",
        make=lambda values: make_equilibrium(values["strategy"], values["resolve"]),
        variant=Option(
            key="strategy",
            read=str,
            default="small",
            allowed=f"{', '.join([*SIZES, *BUCKET_SIZES])} or a file of `railbird solve limit`",
            summary="the size, solved on first use up to small, or a strategy's file",
        ),
        options=(
            Option(
                key="resolve",
                read=read_resolve,
                default=None,
                allowed=", ".join(each.value for each in Resolve),
                summary="solve the rest of each hand from this street on, without buckets",
            ),
        ),
    ),
    Entry(
        name="vexbot",
        summary="learns how its opponent bets in heads-up limit, and plays what is worth most",
        make=make_vexbot,
        variant=VEXBOT_SEARCH,
        options=VEXBOT_OPTIONS,
    ),
    Entry(
        name="coach",
        summary="lets one of several players play each hand, by what each would win: coach:A+B+C",
        make=lambda values: make_coach(values["experts"], _make_expert),
        text=Option(
            key="experts",
            read=parse_coach,
            default=None,
            allowed=COACH_ALLOWED,
            summary="who can play, and how the coach chooses",
        ),
    ),
    Entry(
        name="pushfold",
        summary="shoves or folds by the equilibrium: pushfold:STACK, or by the stacks of the hand",
        make=lambda values: PushFoldPlayer(values["stack"]),
        variant=Option(
            key="stack",
            read=number_between(LEAST_STACK, MOST_STACK),
            default=None,
            allowed=f"{LEAST_STACK:g} to {MOST_STACK:g} big blinds",
            summary="the stack whose chart is played, in big blinds",
        ),
    ),
    Entry(
        name="tight",
        summary="plays good hands and bets them for value, by ranges and equities: tight:nolimit",
        make=lambda _: TightPlayer(),
        variant=Option(
            key="betting",
            read=_only("nolimit"),
            default="nolimit",
            allowed="nolimit",
            summary="the betting that its rules are for",
        ),
    ),
    Entry(
        name="acpc",
        summary="a program that speaks the ACPC's protocol: acpc:PROGRAM ARGUMENTS",
        make=lambda values: AcpcPlayer(values["command"]),
        text=Option(
            key="command",
            read=str,
            default="",
            allowed="a program and its arguments; the host and the port are appended",
            summary="the program to start",
        ),
    ),
    Entry(
        name="bot",
        summary="a program that speaks Railbird's protocol: bot:PROGRAM ARGUMENTS",
        make=lambda values: BotProgramPlayer(values["command"]),
        text=Option(
            key="command",
            read=str,
            default="",
            allowed="a program and its arguments; it is told and asked on its standard input",
            summary="the program to start",
        ),
    ),
    Entry(
        name="python",
        summary="an instance of your own class: python:MODULE:CLASS,KEY=VALUE",
        make=lambda values: _import(values["class"]),
        text=Option(
            key="class",
            read=str,
            default="",
            allowed="MODULE:CLASS,KEY=VALUE",
            summary="the class, and arguments for its constructor",
        ),
    ),
)

REGISTRY: Mapping[str, Entry] = {entry.name: entry for entry in _ENTRIES}
"""All kinds of players by name."""
