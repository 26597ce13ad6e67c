"""Registry of players of any game by name: the specs of each, and the player that a spec creates.

A player is added by a `PlayerEntry`. Error messages, the list of players and the contract tests
that every player must pass follow from it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from railbird._arguments import checked
from railbird.baseline import STANDARD, parse_settings
from railbird.errors import BadInput, did_you_mean, unknown_name
from railbird.game import Betting, Rules
from railbird.players.acpc import AcpcPlayer
from railbird.players.booker import OPTIONS as BOOKER_OPTIONS
from railbird.players.booker import ROLLOUT_OPTIONS, make_booker, make_rollout
from railbird.players.booker import VERSION as BOOKER_VERSION
from railbird.players.bot_program import BotProgramPlayer
from railbird.players.claims import claims_of
from railbird.players.coach import ALLOWED as COACH_ALLOWED
from railbird.players.coach import make_coach, parse_coach
from railbird.players.equilibrium import Resolve, make_equilibrium, read_resolve
from railbird.players.killer import OPTIONS as KILLER_OPTIONS
from railbird.players.killer import VERSION as KILLER_VERSION
from railbird.players.killer import make_killer
from railbird.players.llm import EFFORTS, SECONDS, TOKENS, make_llm
from railbird.players.loki.player import OPTIONS as LOKI_OPTIONS
from railbird.players.loki.player import VERSION as LOKI_VERSION
from railbird.players.loki.player import make_loki
from railbird.players.protocol import MemoryOption, Player
from railbird.players.pushfold import PushFoldPlayer
from railbird.players.simple import BaselinePlayer, RaiseSize, WeightedPlayer, Weights
from railbird.players.spec import (
    Option,
    Spec,
    number_between,
    number_option,
    parse_arguments,
    parse_spec,
)
from railbird.players.tight import TightPlayer
from railbird.players.vexbot.player import OPTIONS as VEXBOT_OPTIONS
from railbird.players.vexbot.player import VARIANT as VEXBOT_SEARCH
from railbird.players.vexbot.player import make_vexbot
from railbird.solve import LEAST_STACK, MOST_STACK
from railbird.solve.abstraction.card_abstraction import BUCKET_SIZES
from railbird.solve.limit.settings import SIZES
from railbird.solve.nolimit.solving import NAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What a player is good for, as far as it was measured: ``docs/cli.md`` has the figures.

    A player is fit for a stack where no player that looks at its cards beats it, heads-up, by more
    than folding every hand loses.
    """

    is_drill: bool = False
    """Made to try something out, or to practise against: nobody's opponent where it counts."""
    limit: bool = True
    """Fit for limit."""
    deepest: float = inf
    """Deepest stack in big blinds for which it is fit where raises may be of any size."""

    @property
    def note(self) -> str:
        """What to know before choosing it; empty where there is nothing."""
        if self.is_drill:
            return "for drills: no serious opponent"
        games = [] if self.limit else ["in limit"]
        if self.deepest < inf:
            over = f" with stacks over {self.deepest:g} big blinds" if self.deepest else ""
            games.append(f"in no-limit{over}")
        return f"beaten {' and '.join(games)} by more than folding would lose" if games else ""

    def why_not(self, betting: Betting, stack: float) -> str | None:
        """Return why it is not fit for a game with stacks of so many big blinds; None if it is."""
        if self.is_drill:
            return "is for drills, and no serious opponent"
        if betting is Betting.LIMIT:
            return None if self.limit else "is beaten in limit by more than folding would lose"
        if stack <= self.deepest:
            return None
        least = f"stacks over {self.deepest:g} big blinds" if self.deepest else "no-limit"
        return f"is beaten with {least} by more than folding would lose"


_FIT = Fit()
_DRILL = Fit(is_drill=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerEntry:
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
    fit: Fit
    """`_DRILL` until it is measured, so that nothing unmeasured is seated where it counts."""

    def values(self, spec: Spec) -> dict[str, Any]:
        """Return the values in a spec. Raises `BadInput` with what is allowed."""
        if self.text is not None:
            return {self.text.key: self.text.value(spec.detail, player=self.name)}
        variant, arguments = parse_arguments(spec)
        for option in self.options:
            if option.former in arguments:
                if option.key in arguments:
                    raise BadInput(
                        f"{self.name}: {option.key}= and {option.former}=, its earlier name;"
                        " allowed: one of the two"
                    )
                arguments[option.key] = arguments.pop(option.former)
        values: dict[str, Any] = {}
        if self.variant is not None:
            values[self.variant.key] = self.variant.value(variant, player=self.name)
        elif variant:
            raise BadInput(f"{self.name} has no variants; got {variant!r}")
        if unknown := sorted(arguments.keys() - {option.key for option in self.options}):
            keys = [option.key for option in self.options]
            raise unknown_name(f"option of {self.name}", unknown[0], keys)
        for option in self.options:
            values[option.key] = option.value(arguments.get(option.key, ""), player=self.name)
        return values

    @property
    def keeps_opponents(self) -> bool:
        """Whether it can keep its knowledge of opponents in a database, between sessions."""
        return any(isinstance(option, MemoryOption) for option in self.options)

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
            "drill": self.fit.is_drill,
            "fit_for_limit": self.fit.limit and not self.fit.is_drill,
            "deepest_fit_bb": None if self.fit.deepest == inf else self.fit.deepest,
            "claims": claims_of(self.name),
            "keeps_opponents": self.keeps_opponents,
            "forms": [
                {"form": form, "summary": option.summary, "allowed": option.allowed}
                for form, option in self.forms
            ],
        }


@checked
def make_player(text: str, *, writes: bool = True) -> Player:
    """Return the player named by a spec; unless it ``writes``, it only reads its memory.

    Raises `BadInput`, in one line that lists the allowed values, for unknown names, options and
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
        places = {key: value for key, value in values.items() if _is_place(value)}
        values |= {key: replace(place, is_read_only=True) for key, place in places.items()}
    return entry.make(values)


def remembers(text: str) -> bool:
    """Return whether a spec names a database in which its player remembers opponents.

    >>> remembers("booker:4,database=people.sqlite3"), remembers("booker:4")
    (True, False)
    """
    spec = parse_spec(text)
    return any(map(_is_place, REGISTRY[spec.name].values(spec).values()))


def _is_place(value: object) -> bool:
    """Return whether an option's value is a `MemoryPlace`, without loading databases for it."""
    return type(value).__name__ == "MemoryPlace"


@checked
def check_names(specs: Iterable[str]) -> None:
    """Refuse the specs that name no kind of player, all of them in one line.

    Then the first whose options are wrong, before any player is made: that may compile.

    >>> check_names(["tmo", "random", "basline"])
    Traceback (most recent call last):
    railbird.errors.BadInput: no player 'tmo', no player 'basline' (did you mean baseline?)
    """
    parsed = [parse_spec(spec) for spec in specs]
    names = dict.fromkeys(spec.name for spec in parsed)
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
    for spec in parsed:
        REGISTRY[spec.name].values(spec)


@checked
def keeps_memory(text: str) -> bool:
    """Return whether a spec's player saves what it learns, so that it needs a single process.

    >>> keeps_memory("loki:som,database=people.sqlite3"), keeps_memory("loki:som")
    (True, False)
    >>> keeps_memory("booker:4,memory=source"), keeps_memory("booker:4,memory=20")
    (True, False)
    """
    return parse_spec(text).name in REGISTRY and remembers(text)


def why_unfit(text: str, rules: Rules, *, drills: bool = False) -> str | None:
    """Return a warning if a player can play by these rules but not well; None otherwise.

    With ``drills``, players for drills get no warning.

    >>> from railbird.game.rules import HEADS_UP_NO_LIMIT
    >>> why_unfit("rollout", HEADS_UP_NO_LIMIT)
    'rollout is beaten with no-limit by more than folding would lose'
    >>> why_unfit("tight", HEADS_UP_NO_LIMIT)
    """
    entry = REGISTRY.get(parse_spec(text).name)
    stacks = sorted(rules.stacks or (0, 0))
    stack = stacks[-2] / max(*rules.blinds, 1)  # all that can be played for
    if entry is None or (drills and entry.fit.is_drill):
        return None
    why = entry.fit.why_not(rules.betting, stack)
    return None if why is None else f"{text} {why}"


def check_methods(player: object, what: str | None = None) -> None:
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


def _only(*words: str) -> Callable[[str], str]:
    """Return a parser of a text that can be but one of these words."""

    def read(text: str) -> str:
        if text not in words:
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
    check_methods(player, f"python:{detail}")
    return player  # type: ignore[no-any-return]


def _make_expert(spec: str) -> Player:
    """Make a player for a coach, which does not report the end of a chunk to it."""
    if keeps_memory(spec):
        raise BadInput(f"coach: {spec} keeps what it learns; allowed: players without database=")
    return make_player(spec)


_ENTRIES = (
    PlayerEntry(
        name="always-call",
        fit=_DRILL,
        summary="checks or calls, whatever happens",
        make=lambda _: WeightedPlayer(Weights(call=1.0)),
    ),
    PlayerEntry(
        name="always-raise",
        fit=_DRILL,
        summary="bets or raises as long as the rules allow it, then calls",
        make=lambda values: WeightedPlayer(Weights(bet=1.0, size=values["size"])),
        variant=_size(RaiseSize.MIN),
    ),
    PlayerEntry(
        name="always-fold",
        fit=_DRILL,
        summary="folds to any bet, checks when that is free",
        make=lambda _: WeightedPlayer(Weights(fold=1.0)),
    ),
    PlayerEntry(
        name="random",
        fit=_DRILL,
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
    PlayerEntry(
        name="baseline",
        fit=Fit(deepest=25),
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
    PlayerEntry(
        name="loki",
        summary="enumerates, models its opponents and bets by rules, as Papp's Loki does",
        make=make_loki,
        variant=LOKI_VERSION,
        options=LOKI_OPTIONS,
        fit=_FIT,
    ),
    PlayerEntry(
        name="booker",
        fit=Fit(limit=False, deepest=10),
        summary="wins tournaments by its probability of winning, and learns from shown cards",
        make=make_booker,
        variant=BOOKER_VERSION,
        options=BOOKER_OPTIONS,
    ),
    PlayerEntry(
        name="rollout",
        fit=Fit(deepest=0),
        summary="calls what its probability of winning pays for, and never raises",
        make=make_rollout,
        options=ROLLOUT_OPTIONS,
    ),
    PlayerEntry(
        name="killer",
        summary="weighs its odds against what others' bets say, as Hold'em Killer does",
        make=make_killer,
        variant=KILLER_VERSION,
        options=KILLER_OPTIONS,
        fit=_FIT,
    ),
    PlayerEntry(
        name="equilibrium",
        summary="plays a solved strategy heads-up: equilibrium:small, equilibrium:nolimit",
        make=lambda values: make_equilibrium(
            values["strategy"], values["resolve"], values["seconds"]
        ),
        variant=Option(
            key="strategy",
            read=str,
            default="small",
            allowed=f"{', '.join([*SIZES, *BUCKET_SIZES])} of limit, {', '.join(NAMES)}, "
            "or a file of `railbird solve limit` or `nolimit`",
            summary="the strategy, solved on first use if it is small, or its file",
        ),
        options=(
            Option(
                key="resolve",
                read=read_resolve,
                default=None,
                allowed=", ".join(street.value for street in Resolve),
                summary="solve the rest of each hand from this street on, without buckets",
            ),
            number_option(
                "seconds", 0.05, 600, "time that it may take to solve a decision of no-limit"
            ),
        ),
        fit=_FIT,
    ),
    PlayerEntry(
        name="vexbot",
        summary="learns how its opponent bets in heads-up limit, and plays what is worth most",
        make=make_vexbot,
        variant=VEXBOT_SEARCH,
        options=VEXBOT_OPTIONS,
        fit=_FIT,
    ),
    PlayerEntry(
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
        fit=_FIT,
    ),
    PlayerEntry(
        name="pushfold",
        fit=Fit(deepest=50),
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
    PlayerEntry(
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
        fit=_FIT,
    ),
    PlayerEntry(
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
        fit=_FIT,
    ),
    PlayerEntry(
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
        fit=_FIT,
    ),
    PlayerEntry(
        name="llm",
        summary="a language model at the address in RAILBIRD_LLM_URL: llm:MODEL",
        make=make_llm,
        variant=Option(
            key="model",
            read=str,
            default="",
            allowed="the model's name, as its server knows it",
            summary="the model to ask",
        ),
        options=(
            Option(
                key="at",
                read=str,
                default="",
                allowed="NAME, for RAILBIRD_LLM_URL_NAME and RAILBIRD_LLM_KEY_NAME",
                summary="which of several servers has it",
            ),
            Option(
                key="tokens",
                read=number_between(1, 1e12),
                default=TOKENS,
                allowed="1 to 1000000000000",
                summary="budget of tokens for all hands; beyond it the player checks or folds",
            ),
            Option(
                key="seconds",
                read=number_between(0.1, 86400),
                default=SECONDS,
                allowed="0.1 to 86400",
                summary="time for a decision",
            ),
            Option(
                key="answer",
                read=number_between(1, 1e6),
                default=None,
                allowed="1 to 1000000",
                summary="most tokens of one answer, thoughts included; by default the server's",
            ),
            Option(
                key="temperature",
                read=number_between(0, 2),
                default=None,
                allowed="0 to 2",
                summary="how freely it draws its words; by default the server's",
            ),
            Option(
                key="effort",
                read=_only(*EFFORTS),
                default="",
                allowed=", ".join(EFFORTS),
                summary="effort of reasoning; by default the server's",
            ),
            Option(
                key="seed",
                read=number_between(0, 2**31 - 1),
                default=None,
                allowed="0 to 2147483647",
                summary="seed of its draws, where the server knows one",
            ),
            Option(
                key="prompt_price",
                read=number_between(0, 1e6),
                default=0.0,
                allowed="0 to 1000000",
                summary="price of a million tokens of prompts, for the record",
            ),
            Option(
                key="completion_price",
                read=number_between(0, 1e6),
                default=0.0,
                allowed="0 to 1000000",
                summary="price of a million tokens of answers, for the record",
            ),
        ),
        fit=_FIT,
    ),
    PlayerEntry(
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
        fit=_FIT,
    ),
)

REGISTRY: Mapping[str, PlayerEntry] = {entry.name: entry for entry in _ENTRIES}
"""All kinds of players by name."""
