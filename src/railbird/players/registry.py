"""Registry of players of any game by name: which specs each has, and the player a spec creates.

A new player needs one `PlayerEntry`. Error messages, the list of players, and the contract tests
that every player must pass all follow from it.
"""

# Specs are text because they are written into logs, run cards and ledgers, where they must name the
# same player years later and on another machine. An object could not be written there, and a pickle
# would not be safe to read. So options may be added, but must not change their meaning.
#
# What may follow a name is read off the parameters of its factory (`PlayerEntry.parameters`). A
# list of options beside it would be one more thing that messages, help and completion could differ
# from.
#
# `Fit` is a measured judgement, and guards those who cannot know it: somebody who sits down at a
# serious game, and a server that fills seats. It has no default, so that nobody adds a player
# without one.

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

from railbird._arguments import checked
from railbird._option_fields import Between, Description, OptionField
from railbird.errors import BadInput, did_you_mean, unknown_name
from railbird.game import Betting, Rules
from railbird.players.acpc import AcpcPlayer
from railbird.players.booker import (
    ROLLOUT_OPTIONS,
    BookerSettings,
    make_booker,
    make_rollout,
)
from railbird.players.bot_program import BotProgramPlayer
from railbird.players.claims import claims_of
from railbird.players.coach import ALLOWED as COACH_ALLOWED
from railbird.players.coach import CoachPlayer, CoachSettings, make_coach, parse_coach
from railbird.players.equilibrium import make_equilibrium
from railbird.players.killer import make_killer
from railbird.players.llm import LanguageModelPlayer
from railbird.players.loki.player import make_loki
from railbird.players.loki.settings import LokiSettings
from railbird.players.protocol import MEMORY_KEY, Player
from railbird.players.pushfold import PushFoldPlayer
from railbird.players.sensible import SensiblePlayer
from railbird.players.simple import BaselinePlayer, RaiseSize, WeightedPlayer, Weights
from railbird.players.spec import Spec, options_of, parse_arguments, parse_spec, read_option
from railbird.players.tight import TightPlayer
from railbird.players.vexbot.player import VexbotPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What a player is good for, as far as it has been measured; ``docs/cli.md`` has the figures.

    A player is fit for a stack if, heads-up, no player that looks at its cards beats it by more
    than folding every hand would lose.
    """

    is_drill: bool = False
    """Made for trying something out or for practice; no opponent for a serious game."""
    limit: bool = True
    """Fit for limit."""
    deepest: float = inf
    """Deepest stack in big blinds for which it is fit, if raises may have any size."""

    @property
    def note(self) -> str:
        """What to know before choosing it; empty if there is nothing."""
        if self.is_drill:
            return "for drills: no serious opponent"
        games = [] if self.limit else ["in limit"]
        if self.deepest < inf:
            over = f" with stacks over {self.deepest:g} big blinds" if self.deepest else ""
            games.append(f"in no-limit{over}")
        return f"beaten {' and '.join(games)} by more than folding would lose" if games else ""

    def why_not(self, betting: Betting, stack: float) -> str | None:
        """Return why it is not fit for a game with ``stack`` big blinds; None if it is."""
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
    """A player's name, and what may follow it in a spec: nothing, options, a variant, or text.

    Options, variant and text are annotated parameters of ``make``, or fields of ``settings``.
    """

    name: str
    summary: str
    make: Callable[..., Player]
    """Called with the values from a spec, by the names of parameters and fields."""
    settings: type | None = None
    """A dataclass whose fields are options too."""
    only: tuple[str, ...] = ()
    """Names of those fields that are options; all if empty."""
    first: str = ""
    """The parameter whose value follows the name without a key, as in ``name:value``."""
    is_text: bool = False
    """Whether that value is everything after the name, commas included."""
    fit: Fit
    """`_DRILL` until the player is measured, so no unmeasured player gets into a serious game."""
    variants_fit: Mapping[str, Fit] = field(default_factory=dict)
    """The same for variants that were measured separately."""

    @property
    def parameters(self) -> tuple[OptionField, ...]:
        """Everything that may follow the name; defaults of ``settings`` depend on the variant."""
        of_settings = () if self.settings is None else options_of(self.settings)
        return options_of(self.make) + tuple(
            [
                replace(option, default=None)
                for option in of_settings
                if option.name in (self.only or (option.name,))
            ]
        )

    @property
    def _first(self) -> OptionField | None:
        return next((option for option in self.parameters if option.name == self.first), None)

    @property
    def variant(self) -> OptionField | None:
        """The value in ``name:value``."""
        return None if self.is_text else self._first

    @property
    def text(self) -> OptionField | None:
        """Everything after the name."""
        return self._first if self.is_text else None

    @property
    def options(self) -> tuple[OptionField, ...]:
        """The options ``key=value``, which come after commas."""
        return tuple([option for option in self.parameters if option.name != self.first])

    def fit_of(self, spec: Spec) -> Fit:
        """Return what a spec is good for, by its variant if that was measured separately."""
        return self.variants_fit.get(spec.detail.partition(",")[0], self.fit)

    def values(self, spec: Spec) -> dict[str, Any]:
        """Return the values that a spec gives, by name. Raises `BadInput` with what is allowed."""
        if self.text is not None:
            texts = {self.text: spec.detail}
        else:
            variant, keyed = parse_arguments(spec)
            if variant and self.variant is None:
                raise BadInput(f"{self.name} has no variants; got {variant!r}")
            texts = self._texts_by_option(keyed)
            if self.variant is not None:
                texts = {self.variant: variant} | texts
        return {
            option.name: read_option(option, text, player=self.name)
            for option, text in texts.items()
            if text
        }

    def _texts_by_option(self, keyed: Mapping[str, str]) -> dict[OptionField, str]:
        """Return the options that a spec's keys name; a key may be an option's earlier name."""
        options = self.options
        known = {option.key: option for option in options}
        former = {option.former: option for option in options if option.former}
        texts: dict[OptionField, str] = {}
        for key, text in keyed.items():
            option = known.get(key.replace("_", "-")) or former.get(key)
            if option is None:
                raise unknown_name(f"option of {self.name}", key, known)
            if option in texts:
                twice = f"{option.key}= given twice"
                if option.former in keyed:
                    twice = f"{option.key}= and {option.former}=, its earlier name"
                raise BadInput(f"{self.name}: {twice}; allowed: one of the two")
            texts[option] = text
        return texts

    @property
    def keeps_opponents(self) -> bool:
        """Whether the player can keep what it knows about opponents in a database."""
        return any(option.key == MEMORY_KEY for option in self.options)

    @property
    def forms(self) -> tuple[tuple[str, OptionField], ...]:
        """Every allowed form, with its option."""
        return tuple(
            (
                f"{self.name}:{option.key.upper()}"
                if option.name == self.first
                else f"{option.key}=",
                option,
            )
            for option in self.parameters
        )

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
                {
                    "form": form,
                    "summary": option.summary,
                    "allowed": option.allowed,
                    "default": option.default_text or None,
                }
                for form, option in self.forms
            ],
        }


@checked
def make_player(text: str, *, writes: bool = True) -> Player:
    """Return the player that a spec names; without ``writes`` it only reads its memory.

    Raises `BadInput` for unknown names, options and values, in one line that lists what is allowed,
    and for a class that cannot be imported or is not a player.

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
    return entry.make(**values)


def remembers(text: str) -> bool:
    """Return whether a spec's player remembers opponents in a database.

    >>> remembers("booker:4,database=people.sqlite3"), remembers("booker:4")
    (True, False)
    """
    spec = parse_spec(text)
    return any(map(_is_place, REGISTRY[spec.name].values(spec).values()))


def _is_place(value: object) -> bool:
    """Return whether an option's value is a `MemoryPlace`, without importing databases."""
    return type(value).__name__ == "MemoryPlace"


@checked
def check_names(specs: Iterable[str]) -> None:
    """Refuse specs that name no kind of player, all of them in one line.

    Then refuse the first one with wrong options. This comes before any player is made, because
    making one may take a while to compile.

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
    """Return whether a spec's player saves what it learns, and so needs a single process.

    >>> keeps_memory("loki:som,database=people.sqlite3"), keeps_memory("loki:som")
    (True, False)
    >>> keeps_memory("booker:4,memory=source"), keeps_memory("booker:4,memory=20")
    (True, False)
    """
    return parse_spec(text).name in REGISTRY and remembers(text)


@checked
def solves_while_playing(text: str) -> bool:
    """Return whether a spec's player is told to solve its decisions, which takes seconds a hand.

    >>> solves_while_playing("equilibrium:nolimit,resolve=turn"), solves_while_playing("loki:som")
    (True, False)
    """
    spec = parse_spec(text)
    return spec.name in REGISTRY and any(
        type(value).__name__ == "Resolve"  # by name, without importing solvers
        for value in REGISTRY[spec.name].values(spec).values()
    )


def why_unfit(text: str, rules: Rules, *, drills: bool = False) -> str | None:
    """Return a warning if a player can play by these rules, but not well; otherwise None.

    With ``drills``, players made for practice get no warning.

    >>> from railbird.game.rules import HEADS_UP_NO_LIMIT
    >>> why_unfit("rollout", HEADS_UP_NO_LIMIT)
    'rollout is beaten with no-limit by more than folding would lose'
    >>> why_unfit("tight", HEADS_UP_NO_LIMIT)
    """
    spec = parse_spec(text)
    entry = REGISTRY.get(spec.name)
    stacks = sorted(rules.stacks or (0, 0))
    stack = stacks[-2] / max(*rules.blinds, 1)  # the most that can be won or lost
    if entry is None or (drills and entry.fit.is_drill):
        return None
    why = entry.fit_of(spec).why_not(rules.betting, stack)
    return None if why is None else f"{text} {why}"


class NotAPlayer(BadInput):
    """An object that lacks a method of `Player`."""


def check_methods(player: object, what: str | None = None) -> None:
    """Raise `NotAPlayer` if an object lacks a method of `Player`; ``what`` is its name."""
    missing = [verb for verb in ("reset", "act") if not callable(getattr(player, verb, None))]
    if missing:
        words = f"{' '.join(repr(player).split())[:60]} ({type(player).__name__})"
        raise NotAPlayer(f"{what or words} is not a player: it lacks {' and '.join(missing)}")


_WEIGHT = Between(0, 1e6)
_SIZE = "size of a raise if the rules leave a choice"


def _always_raise(size: Annotated[RaiseSize, _SIZE] = RaiseSize.MIN) -> Player:
    return WeightedPlayer(Weights(bet=1.0, size=size))


def _random(
    amount: Annotated[Literal["amount"] | None, "the same, by a name that says so"] = None,
    *,
    fold: Annotated[float, _WEIGHT, "how often to fold, in proportion to the others"] = 1.0,
    call: Annotated[float, _WEIGHT, "how often to call, in proportion to the others"] = 1.0,
    bet: Annotated[
        float,
        _WEIGHT,
        Description("how often to raise, in proportion to the others", key="raise"),
    ] = 1.0,
    size: Annotated[RaiseSize, _SIZE] = RaiseSize.RANDOM,
) -> Player:
    return WeightedPlayer(Weights(fold=fold, call=call, bet=bet, size=size))


def _tight(
    betting: Annotated[Literal["nolimit"] | None, "the betting that its rules are for"] = None,
) -> Player:
    return TightPlayer()


def _coach(
    experts: Annotated[
        CoachSettings | None,
        Description(
            "who can play, and how the coach chooses", parse=parse_coach, allowed=COACH_ALLOWED
        ),
    ] = None,
) -> CoachPlayer:
    return make_coach(experts, _make_expert)


def _import(
    detail: Annotated[
        str,
        Description(
            "the class, and arguments for its constructor",
            key="class",
            allowed="MODULE:CLASS,KEY=VALUE",
        ),
    ] = "",
) -> Player:
    """Make an instance of ``module:Class,key=value``; the module may be in the current folder."""
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
    """Make a player for a coach, which does not pass on the ends of chunks."""
    if keeps_memory(spec):
        raise BadInput(f"coach: {spec} keeps what it learns; allowed: players without database=")
    return make_player(spec)


_ENTRIES = (
    PlayerEntry(
        name="always-call",
        summary="checks or calls, whatever happens",
        make=lambda: WeightedPlayer(Weights(call=1.0)),
        fit=_DRILL,
    ),
    PlayerEntry(
        name="always-raise",
        summary="bets or raises as long as the rules allow it, then calls",
        make=_always_raise,
        first="size",
        fit=_DRILL,
    ),
    PlayerEntry(
        name="always-fold",
        summary="folds to any bet, checks when that is free",
        make=lambda: WeightedPlayer(Weights(fold=1.0)),
        fit=_DRILL,
    ),
    PlayerEntry(
        name="random",
        summary="draws a legal action by weight, and any legal size",
        make=_random,
        first="amount",
        fit=_DRILL,
    ),
    PlayerEntry(
        name="sensible",
        summary="bets and calls by what its cards win against any others, in every game",
        make=SensiblePlayer,
        fit=_DRILL,
    ),
    PlayerEntry(
        name="baseline",
        summary="bets its hand rank for value, as the baseline of DIVAT does",
        make=BaselinePlayer,
        first="settings",
        is_text=True,
        fit=Fit(deepest=25),
    ),
    PlayerEntry(
        name="loki",
        summary="enumerates, models its opponents and bets by rules, as Papp's Loki does",
        make=make_loki,
        first="version",
        settings=LokiSettings,
        fit=_FIT,
    ),
    PlayerEntry(
        name="booker",
        summary="wins tournaments by its probability of winning, and learns from shown cards",
        make=make_booker,
        first="version",
        settings=BookerSettings,
        fit=Fit(limit=False, deepest=10),
        variants_fit=dict.fromkeys(("1", "1n"), Fit(limit=False, deepest=0)),
    ),
    PlayerEntry(
        name="rollout",
        summary="calls what its probability of winning pays for, and never raises",
        make=make_rollout,
        settings=BookerSettings,
        only=ROLLOUT_OPTIONS,
        fit=Fit(deepest=0),
    ),
    PlayerEntry(
        name="killer",
        summary="weighs its odds against what others' bets say, as Hold'em Killer does",
        make=make_killer,
        first="version",
        fit=_FIT,
    ),
    PlayerEntry(
        name="equilibrium",
        summary="plays a solved strategy heads-up: equilibrium:small, equilibrium:nolimit",
        make=make_equilibrium,
        first="strategy",
        fit=_FIT,
    ),
    PlayerEntry(
        name="vexbot",
        summary="learns how its opponent bets in heads-up limit, and plays what is worth most",
        make=VexbotPlayer,
        first="choice",
        fit=_FIT,
    ),
    PlayerEntry(
        name="coach",
        summary="lets one of several players play each hand, by what each would win: coach:A+B+C",
        make=_coach,
        first="experts",
        is_text=True,
        fit=_FIT,
    ),
    PlayerEntry(
        name="pushfold",
        summary="shoves or folds by the equilibrium: pushfold:STACK, or by the stacks of the hand",
        make=PushFoldPlayer,
        first="stack",
        fit=Fit(deepest=50),
    ),
    PlayerEntry(
        name="tight",
        summary="plays good hands and bets them for value, by ranges and equities: tight:nolimit",
        make=_tight,
        first="betting",
        fit=_FIT,
    ),
    PlayerEntry(
        name="acpc",
        summary="a program that speaks the ACPC's protocol: acpc:PROGRAM ARGUMENTS",
        make=AcpcPlayer,
        first="command",
        is_text=True,
        fit=_FIT,
    ),
    PlayerEntry(
        name="bot",
        summary="a program that speaks Railbird's protocol: bot:PROGRAM ARGUMENTS",
        make=BotProgramPlayer,
        first="command",
        is_text=True,
        fit=_FIT,
    ),
    PlayerEntry(
        name="llm",
        summary="a language model at the address in RAILBIRD_LLM_URL: llm:MODEL",
        make=LanguageModelPlayer,
        first="model",
        fit=_FIT,
    ),
    PlayerEntry(
        name="python",
        summary="an instance of your own class: python:MODULE:CLASS,KEY=VALUE",
        make=_import,
        first="detail",
        is_text=True,
        fit=_FIT,
    ),
)

REGISTRY: Mapping[str, PlayerEntry] = {entry.name: entry for entry in _ENTRIES}
"""All kinds of players, by name."""
