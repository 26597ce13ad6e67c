"""``railbird solve spot play``: hands of a solved spot, against the solution."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click

from railbird import cards, solve
from railbird.cli._completion import INPUT_FILE, OneOf, Whole
from railbird.cli._console import errors, json_option, output, print_json, progress, seed_option
from railbird.cli._hand_files import check_inputs, is_folder
from railbird.cli._solve_spot import opened_spot
from railbird.cli._solve_spot_report import solutions_of_report
from railbird.errors import BadInput
from railbird.report.number_format import counted, percent

_LONGEST_LINE: Final = 1_000
"""Characters of what is typed at a time."""
_LEAST_LOSS: Final = 0.005
"""Chips below which nothing was lost, as it is printed."""


@click.command(name="play")
@click.argument("files", type=INPUT_FILE, nargs=-1, required=True)
@click.option("-n", "--count", type=Whole(1, 100_000), default=10, help="Number of hands.")
@click.option(
    "--player",
    type=OneOf(("oop", "ip")),
    help="Seat to play, the first to act or in position; by turns if not given.",
)
@click.option(
    "--line",
    default="",
    show_default=False,
    help='Begin each hand after this, such as "check bet 120".',
)
@click.option(
    "--where",
    "drill",
    default="",
    show_default=False,
    metavar="DRILL",
    help='Only decisions like this: "turn, paired, top pair"; "one street" ends a hand with it.',
)
@seed_option
@json_option
def play(
    *,
    files: tuple[Path, ...],
    count: int,
    player: str | None,
    line: str,
    drill: str,
    seed: int,
    as_json: bool,
) -> None:
    """Play hands of a solved spot against the solution, and see what each decision costs.

    Holdings are dealt from both ranges. Type the number of an action or its name; q ends it. Each
    decision is followed by how much less the action is worth than the best one with these cards;
    at the end the same is shown by street and by class of hand. What a whole range is worth is off
    by no more than twice the gap, in a spot without rake; with one hand it may be off by more.

    With several solutions each hand is dealt at one of them, all equally likely; a folder of
    railbird solve spot report --out gives its boards as often as these ranges see them. A drill
    names a street, a board (paired, unpaired, monotone, two-tone, rainbow, connected, ace-high), a
    made hand or a draw; until such a decision comes, the solution plays for you.

    \b
    Examples:
      railbird solve spot play FILE.solution
      railbird solve spot play FILE.solution -n 50 --player ip --line "check bet 120 call"
      railbird solve spot play FILE.solution FILE2.solution --where "turn, gutshot, one street"
      railbird solve spot play FOLDER -n 50 --where flop
    """
    import numpy as np

    drawn = _drawn(files)
    trainers = _Trainers(
        [path for path, _ in drawn], line, solve.spot.drills.Drill.parse(drill), seed
    )
    if len(drawn) == 1:
        trainers.at(0)  # what cannot be trained at is said before the first line is read
    rng = np.random.default_rng([seed, 1])
    chances = np.array([chance for _, chance in drawn])
    lines = _typed()
    say = errors if as_json else output
    stopped = False
    for number in range(count):
        seat = number % 2 if player is None else solve.spot.spot.PLAYERS.index(player)
        trainer = trainers.at(int(rng.choice(len(drawn), p=chances / chances.sum())))
        if not _played(trainer, number + 1, seat, lines, say):
            stopped = True
            break
    if as_json:
        print_json(_answer(trainers, stopped=stopped))
    else:
        _print_summary(trainers)


def _drawn(files: Sequence[Path]) -> list[tuple[Path, float]]:
    """Return solutions, those of folders as well, and in what proportions they are drawn."""
    check_inputs(files)
    drawn: list[tuple[Path, float]] = []
    for file in files:
        of_file = solutions_of_report(file) if is_folder(file) else [(file, 1.0)]
        total = sum(chance for _, chance in of_file)
        if not total > 0:
            raise BadInput(f"{file}: no board on which both ranges hold something")
        drawn += [(path, chance / total * len(of_file)) for path, chance in of_file]
    check_inputs([path for path, _ in drawn])
    return drawn


class _Trainers:
    """Trainers at solutions, of which one is open at a time, and what was decided at all."""

    def __init__(
        self, files: Sequence[Path], line: str, drill: solve.spot.drills.Drill, seed: int
    ) -> None:
        import numpy as np

        self.files, self.line, self.drill = files, line, drill
        self.rng = np.random.default_rng(seed)
        self.decisions: list[solve.spot.training.TrainedDecision] = []
        self.hands = 0
        self.uncertainty: float | None = 0.0
        """The largest of all solutions; None where of one none is known."""
        self._open: tuple[int, solve.spot.training.SpotTrainer] | None = None

    def at(self, number: int) -> solve.spot.training.SpotTrainer:
        """Return the trainer at a file, and collect what was decided at the one before."""
        if self._open is None or self._open[0] != number:
            self.collect()
            self._open = None
            with progress() as notify:
                solution = opened_spot(self.files[number], notify)
                trainer = solve.spot.training.SpotTrainer(
                    solution, self.rng, line=self.line, drill=self.drill
                )
            if trainer.uncertainty is None or self.uncertainty is None:
                self.uncertainty = None
            else:
                self.uncertainty = max(self.uncertainty, trainer.uncertainty)
            self._open = number, trainer
        return self._open[1]

    def collect(self) -> None:
        """Take what was decided at the solution that is open."""
        if self._open is not None:
            trainer = self._open[1]
            self.decisions += trainer.decisions
            self.hands += trainer.hands
            trainer.restart(self.rng)


def _typed() -> Iterator[str]:
    while line := sys.stdin.readline(_LONGEST_LINE):
        yield line.strip()


def _played(
    trainer: solve.spot.training.SpotTrainer, number: int, seat: int, lines: Iterator[str], say: Any
) -> bool:
    """Play a hand; tell whether it was played to its end."""
    name = solve.spot.spot.PLAYERS[seat]
    known = ""
    question = None
    for question in trainer.hand(seat):
        node = question.node
        if not known:
            begun = f', after "{node.line}"' if node.line else ""
            holding = cards.format_holding(question.holding)
            say.print()
            say.print(f"Hand {number}: you are {name} with {holding}{begun}", soft_wrap=True)
        elif new := node.line.removeprefix(known).strip():
            say.print(f"  then: {new}", soft_wrap=True)
        behind = trainer.solution.spot.stack - max(node.paid)
        say.print(
            f"{cards.format_cards(node.board)}, {node.pot} in the pot, {behind} behind:  "
            + "  ".join(f"{k} {action}" for k, action in enumerate(question.actions, 1)),
            soft_wrap=True,
        )
        action = _chosen(question, lines)
        if action is None:
            return False
        decision = question.decide(action)
        say.print(f"  {_cost_words(question, decision)}", soft_wrap=True)
        known = f"{node.line} {decision.action}".strip()
    if question is not None:
        end = trainer.last_line.removeprefix(known).strip()
        if end:
            say.print(f"  then: {end}", soft_wrap=True)
        other = cards.format_holding(question.opponent)
        say.print(f"  The hand is over; your opponent had {other}.", soft_wrap=True)
    return True


def _chosen(question: solve.spot.training.SpotQuestion, lines: Iterator[str]) -> int | None:
    """Read an action; None at the end of what is typed, or for q."""
    while True:
        errors.print("> ", end="")
        text = next(lines, None)
        if text is None or text.lower() in ("q", "quit"):
            return None
        names = [action.lower() for action in question.actions]
        fits = [k for k, name in enumerate(names) if text and name.startswith(text.lower())]
        if text.isdecimal() and 1 <= int(text[:6]) <= len(names):
            return int(text) - 1
        if len(fits) == 1:
            return fits[0]
        errors.print(f"allowed: 1 to {len(names)}, {', '.join(question.actions)}, or q")


def _cost_words(
    question: solve.spot.training.SpotQuestion, decision: solve.spot.training.TrainedDecision
) -> str:
    mix = question.node.strategy[question.holding].tolist()
    every = ", ".join(
        f"{name} {percent(chance, 0)} worth {round(value, 2) + 0.0:.2f}"
        for name, chance, value in zip(question.actions, mix, question.values, strict=True)
    )
    if decision.loss < _LEAST_LOSS:
        return f"{decision.action} costs nothing. The solution: {every}"
    return (
        f"{decision.action} costs {decision.loss:.2f} beside {decision.best}. The solution: {every}"
    )


def _answer(trainer: _Trainers, *, stopped: bool) -> dict[str, object]:
    trainer.collect()
    losses = solve.spot.training.losses_by
    return {
        "hands": trainer.hands,
        "stopped": stopped,
        "lost": sum(decision.loss for decision in trainer.decisions),
        "uncertainty": trainer.uncertainty,
        "decisions": [
            {
                "line": decision.line,
                "street": decision.street,
                "holding": cards.format_holding(decision.holding),
                "class": decision.made,
                "action": decision.action,
                "best": decision.best,
                "loss": decision.loss,
                "behind_mix": decision.behind,
                "frequency": decision.frequency,
            }
            for decision in trainer.decisions
        ],
        "by_street": {
            name: {"decisions": mean.n, "loss": mean.value, "stderr": mean.stderr}
            for name, mean in losses(trainer.decisions, lambda d: d.street).items()
        },
        "by_class": {
            name: {"decisions": mean.n, "loss": mean.value, "stderr": mean.stderr}
            for name, mean in losses(trainer.decisions, lambda d: d.made).items()
        },
    }


def _print_summary(trainer: _Trainers) -> None:
    trainer.collect()
    decisions = trainer.decisions
    output.print()
    if not decisions:
        output.print("no decision was made")
        return
    lost = sum(decision.loss for decision in decisions)
    output.print(
        f"{counted(trainer.hands)}, {counted(len(decisions), 'decision')}: {lost:.2f} chips lost, "
        f"{lost / len(decisions):.3f} a decision",
        soft_wrap=True,
    )
    if trainer.uncertainty is not None:
        output.print(
            f"what a whole range is worth here is off by {trainer.uncertainty:.3f} at most",
            soft_wrap=True,
        )
    for title, key in (("street", lambda d: d.street), ("class", lambda d: d.made)):
        for name, mean in solve.spot.training.losses_by(decisions, key).items():
            output.print(
                f"  {title} {name}: {mean.value:.3f} a decision, {counted(mean.n, 'decision')}",
                soft_wrap=True,
            )
