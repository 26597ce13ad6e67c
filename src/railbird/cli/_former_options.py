"""Options' former names, which work for one more minor version, and those that others give them.

`FORMER` is data: a verb's arguments are rewritten by it before click reads them, so that a former
name appears in no list of options, no help and no completion. `LIKE` has names that no verb, or
only another verb, has for an option; they do not work, but a message says the right one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

import click

from railbird.errors import did_you_mean

_VALUE: Final = "{}"
_APPENDED: Final = "..."

_CLOCK: Final = {"--time": "--clock {}", "--bank": "--clock ...+{}", "--refill": "--clock ...+{}"}
_ROUNDS: Final = {"--rounds": "--count {}", "--penetration": "--set penetration={}"}
_THREADS: Final = {"--threads": "--workers {}"}


def _keys(*names: str) -> dict[str, str]:
    """Options that are keys of ``--set`` now."""
    return {f"--{name}": f"--set {name}={{}}" for name in names}


_PRIZES: Final = _keys("paid-at-once", "bounty-model", "future-game")
_SPOT: Final = _THREADS | _keys(
    "rake-cap", "donk", "all-in-threshold", "force-all-in", "merging", "folded"
)

FORMER: Final[Mapping[str, Mapping[str, str]]] = {
    "archive query": {"--log": "--out {}"},
    "assess": {
        "--fold-pot": "--set fold-pot={}",
        "--crosstable": "--show crosstable",
        "--league": "--show league",
        "--anytime": "--show anytime",
        "--images": "--image {}",
        "--table": "--out {}",
        "--by-decisions": "--method decisions",
    },
    "bankroll": {"--played": "--hands {}"},
    "blackjack ev": {"--dealer": "--upcard {}", "--after-split": "--set after-split={}"},
    "blackjack match": _ROUNDS,
    "blackjack play": {"--rounds": "--count {}"},
    "blackjack simulate": _ROUNDS,
    "blackjack strategy": {"--count": "--system {}", "--against-source": "--show source"},
    "deals": {"--form": "--to {}"},
    "experiment": {"--images": "--image {}"},
    "explain": {"--as": "--ask {}"},
    "exploit": {
        "--lbr": "--method local",
        "--flops": "--samples {}flops",
        "--boards": "--samples {}boards",
        "--deals": "--samples {}deals",
        "--streets": "--set streets={}",
    },
    "icm": _PRIZES,
    "join": {"--buy-in": "--stack {}", "--bot-version": "--set bot-version={}"},
    "league": _CLOCK | {"--aivat": "--show aivat", "--until": "--stop {}"},
    "match": _CLOCK
    | {
        "--aivat": "--show aivat",
        "--assess": "--show assessment",
        "--until": "--stop {}",
        "--chunk": "--session {}",
    },
    "machine cache clear": {"--yes": "--force"},
    "mcp": {"--logs": "--log {}"},
    "odds": {
        "--opponents": "--count {}",
        "--model": "--against {}",
        "--spectrum": "--show spectrum",
        "--by-opponents": "--show by-opponents",
        "--outs": "--show outs",
        "--outs-table": "--show outs-table",
        "--groups": "--show groups",
        "--potentials": "--show potentials",
        "--image": "--out {}",
    }
    | _keys("future-bets", "future-winnings", "if-raised", "own-raise", "softness", "make1"),
    "odds preflop": {
        "--table": "--action {}",
        "--rake-cap": "--rake ...,cap={}",
        "--bets": "--set bets={}",
        "--paying": "--set paying={}",
        "--image": "--out {}",
    },
    "odds table169": {"--image": "--out {}"},
    "odds hits": {"--beside": "--against {}"},
    "opponents forget": {"--yes": "--force"},
    "play": {"--open-cards": "--show open-cards", "--letters": "--show letters"},
    "pushfold report": {"--first": "--count {}"},
    "report": {"--as": "--ask {}", "--no-advice": "--ask none"},
    "ring": _CLOCK | {"--rebuys": "--rebuy ...,most={}", "--bets": "--game ...,bets={}"},
    "score": {"--boards": "--samples {}"},
    "serve": {"--house-processes": "--workers {}"}
    | _keys("acpc-opponent", "acpc-game", "spots-memory", "spots-seconds", "spots-upload"),
    "server ratings": {"--ladder": "--game {}", "--fit": "--show fit"},
    "solve limit": {"--boards": "--samples {}", "--algorithm": "--method {}"},
    "solve nolimit": {"--deals": "--samples {}"},
    "solve preflop": {"--tolerance": "--gap {}"},
    "solve preflop-tree": _THREADS
    | _keys("small-blind", "big-blind", "dead", "flop-bets", "turn-bets", "river-bets")
    | _keys("payouts", "other-stacks", "lock", "rake-cap"),
    "solve pushfold": _PRIZES | {"--players": "--seats {}", "--tolerance": "--gap {}"},
    "solve spot file": _SPOT,
    "solve spot report": _SPOT | {"--csv": "--out {}", "--all": "--boards all"},
    "solve spot show": {"--csv": "--out {}"},
    "solve toy": {"--variant": "--method {}", "--tolerance": "--gap {}"},
    "stats": {
        "--by-position": "--by position",
        "--field": "--show field",
        "--position": "--where {}",
    },
    "train response": {"--kind": "--method {}", "--curve": "--out {}"},
    "tournament": _CLOCK | {"--icm": "--show icm"},
}
"""By verb, such as ``solve limit``: what a former option is written as now.

``{}`` is the former option's value; a former option without it was a flag. A value that begins with
``...`` is appended to what the line gives that option, in the order of this table: where ``--bank``
is ``--clock ...+{}`` and ``--time`` is ``--clock {}``, ``--bank 60 --time 5`` is ``--clock 5+60``.
"""


LIKE: Final[Mapping[str, tuple[str, ...]]] = {
    "--accuracy": ("--gap", "--stop", "--samples"),
    "--bets": ("--menu", "--flops", "--game", "--set"),
    "--blinds": ("--game",),
    "--boards": ("--board", "--samples"),
    "--cards": ("--hands", "--oop"),
    "--chart": ("--image", "--show", "--out"),
    "--deals": ("--count", "--hands", "--samples"),
    "--depth": ("--stack", "--stacks"),
    "--file": ("--log", "--out"),
    "--filter": ("--where",),
    "--format": ("--to", "--from"),
    "--games": ("--count", "--hands", "--game"),
    "--hands": ("--count", "--samples"),
    "--hero": ("--player",),
    "--input": ("--log", "--from"),
    "--jobs": ("--workers",),
    "--limit": ("--count", "--game"),
    "--name": ("--player",),
    "--opponent": ("--against",),
    "--output": ("--out",),
    "--overwrite": ("--force",),
    "--payouts": ("--entry",),
    "--players": ("--seats", "--player", "--count", "--game"),
    "--plot": ("--image", "--show", "--out"),
    "--position": ("--where", "--seat", "--seats"),
    "--precision": ("--gap", "--stop", "--samples"),
    "--prizes": ("--payouts",),
    "--processes": ("--workers",),
    "--random-seed": ("--seed",),
    "--ranges": ("--oop", "--ip"),
    "--rounds": ("--count",),
    "--rules": ("--game", "--set"),
    "--save": ("--out",),
    "--seat": ("--player", "--seats"),
    "--seats": ("--count", "--game"),
    "--since": ("--where",),
    "--size": ("--count", "--samples"),
    "--stack": ("--stacks", "--game"),
    "--stacks": ("--stack", "--game"),
    "--stakes": ("--game", "--blinds"),
    "--threads": ("--workers",),
    "--time": ("--clock", "--stop"),
    "--tolerance": ("--gap",),
    "--trials": ("--samples", "--count"),
    "--until": ("--stop", "--where"),
    "--user": ("--player",),
    "--variant": ("--game",),
    "--versus": ("--against",),
    "--vs": ("--against",),
    "--yes": ("--force",),
}
"""Names that people try, and the options that may be meant; a verb has some of them."""


def wrong_option(name: str, command: click.Command) -> str:
    """Say that a command has no such option, and which is meant, or else all that it has."""
    known = [
        option
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden
        for option in parameter.opts
        if option.startswith("--")
    ]
    meant = [option for option in LIKE.get(name, ()) if option in known]
    hint = f"did you mean {' or '.join(meant)}?" if meant else did_you_mean(name, known)
    return f"No such option {name!r}; {hint or 'allowed: ' + ', '.join(sorted(known))}"


def with_current_options(
    verb: str, command: click.Command, args: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Write a verb's arguments with the options' current names, and a note for each former one.

    What follows ``--``, or is another option's value, stays as it is.
    """
    former = FORMER.get(verb)
    if not former:
        return [*args], []
    widths = _values_by_option(command)
    current: list[str] = []
    appended: dict[str, str] = {}
    notes: list[str] = []
    remaining = deque(args)
    while remaining and remaining[0] != "--":
        argument = remaining.popleft()
        name, _, value = argument.partition("=")
        if name not in former:
            current.append(argument)
            # A value that looks like a former option, as in ``--name --time``, is another option's
            # value and must not be rewritten.
            if argument == name:
                current += [remaining.popleft() for _ in range(widths.get(name, 0)) if remaining]
            continue
        option, _, form = former[name].partition(" ")
        if _VALUE in form:
            if argument == name and not remaining:
                current.append(option)  # of which click says that its value is missing
                break
            form = form.replace(_VALUE, value if argument != name else remaining.popleft())
        replacement = f"{option} {form}" if form else option
        notes.append(f"`{name}` is now `{replacement}`")
        if form.startswith(_APPENDED):
            # What is appended waits until the line is read, since the option it belongs to may come
            # later.
            appended[name] = form.removeprefix(_APPENDED)
        else:
            current += [option, form] if form else [option]
    for name in former:
        if name in appended:
            _append(current, former[name].partition(" ")[0], appended[name])
    return [*current, *remaining], notes


def _values_by_option(command: click.Command) -> dict[str, int]:
    """How many arguments belong to each option that takes a value of its own."""
    return {
        name: option.nargs
        for option in command.params
        if isinstance(option, click.Option) and not (option.is_flag or option.count)
        for name in option.opts
    }


def _append(args: list[str], option: str, text: str) -> None:
    """Append to an option's value, which stands after it or, with an equals sign, within it."""
    for index, argument in enumerate(args):
        if argument.startswith(f"{option}="):
            args[index] += text
            return
        if argument == option and index + 1 < len(args):
            args[index + 1] += text
            return
    args += [option, text]
