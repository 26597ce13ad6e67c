"""``railbird exam``: decisions with known costs, asked of a player or a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from railbird import arena, game, players, report
from railbird.arena.settings import EXAM_DECISIONS, EXAM_FEWEST, EXAM_MOST
from railbird.cli._completion import PLAYER, Whole
from railbird.cli._console import (
    errors,
    json_option,
    output,
    print_json,
    print_table,
    progress,
    seed_option,
)
from railbird.errors import BadInput, NothingUsable
from railbird.report.number_format import cards_text, counted, number
from railbird.units import Chips

if TYPE_CHECKING:
    import numpy as np

    from railbird.arena.exam_decisions import ExamCost, ExamQuestion
    from railbird.arena.examination import ExamAnswer, ExamLoss, ExamResult

_PERSON: Final = "human"
_REFERENCES: Final = ("tight:nolimit", "always-call")
_DAILY: Final = 20
_WORST: Final = 5


@click.command(name="exam")
@click.argument("spec", metavar="PLAYER", type=PLAYER)
@click.option(
    "-n",
    "--count",
    type=Whole(EXAM_FEWEST, EXAM_MOST),
    help=f"Decisions; {EXAM_DECISIONS:,} by default, and {_DAILY} of a person.",
)
@seed_option
@json_option
def command(*, spec: str, count: int | None, seed: int, as_json: bool) -> None:
    """Examine PLAYER by decisions in which the cost of every action is known.

    The decisions are rivers between two players, and all-in bets before the flop, heads-up and for
    prizes. The result is how many thousandths of a big blind PLAYER loses per decision, with the
    losses of house players for comparison. Another seed gives other decisions. PLAYER is any spec,
    even of a bot or a language model; with human, you are asked.

    \b
    Examples:
      railbird exam killer --seed 7
      railbird exam human --seed 20261129
      railbird exam llm:small-model --count 200 --json
    """
    is_person = spec == _PERSON
    if count is None:
        count = _DAILY if is_person else EXAM_DECISIONS
    with progress() as notify:
        questions = arena.exam_decisions.draw_exam(seed, count, progress=notify)
    if is_person:
        answers = list(_asked(questions))
        if not answers:
            raise NothingUsable("no decision was answered")
        result = arena.examination.ExamResult(player="you", answers=answers)
    else:
        with progress() as notify:
            result = arena.examination.examine_on(spec, questions, seed=seed, progress=notify)
    asked = [answer.question for answer in result.answers]
    with progress() as notify:
        rows = [
            *arena.examination.reference_results(asked),
            *(
                arena.examination.examine_on(reference, asked, seed=seed, progress=notify)
                for reference in _REFERENCES
                if reference != spec
            ),
        ]
    if as_json:
        print_json({"seed": seed, **result.as_json(), "beside": [row.as_json() for row in rows]})
        return
    if is_person:
        _print_worst(result)
    print_table(exam_table([result, *rows]))
    lost = result.ev_lost
    output.print(
        f"On average {'you' if is_person else result.player} lost {_loss(lost)} thousandths of a "
        f"big blind per decision (95 % interval: {_interval(lost)}). The solution loses nothing.",
        soft_wrap=True,
    )
    for kind, why in result.refused.items():
        errors.print(f"{spec} had no decisions of the kind {kind}: {why}", soft_wrap=True)
    if result.count < len(questions) and not result.refused:
        errors.print(f"stopped after {result.count:,} of {len(questions):,} decisions")
    for fault, first in result.faults.first.items():
        count = result.faults.counts[fault]
        errors.print(f"{spec}: {fault.value} {count} times, first {first}", soft_wrap=True)


def exam_table(results: Sequence[ExamResult]) -> report.Table:
    """Return the table of an examination, a row for each player."""
    kinds = list(dict.fromkeys(kind for result in results for kind in result.by_kind))
    rows = []
    for result in results:
        by_kind = result.by_kind
        rows.append(
            (
                result.player,
                _loss(result.ev_lost),
                _interval(result.ev_lost),
                *(_loss(by_kind[kind]) if kind in by_kind else "–" for kind in kinds),
                str(result.faults_of(arena.Fault.ILLEGAL)),
                str(result.faults_of(arena.Fault.LATE)),
            )
        )
    columns = ("player", "lost", "95 % interval", *map(str, kinds), "illegal", "late")
    title = (
        f"Lost per decision, in thousandths of a big blind: {counted(results[0].count, 'decision')}"
    )
    return report.Table(columns, rows, title=title)


def _loss(loss: ExamLoss) -> str:
    return number(loss.value, 0)


def _interval(loss: ExamLoss) -> str:
    return f"{number(loss.low, 0)} to {number(loss.high, 0)}"


# A person at the terminal.


class _Person:
    """Asks whoever sits at the terminal, until an answer is legal."""

    def __init__(self) -> None:
        self._words = players.HandInWords()

    def reset(self, rng: np.random.Generator) -> None:
        self._words.forget()

    def brief(self, words: str) -> None:
        self._words.note = words

    def begin(self, view: game.View) -> None:
        self._words.begin(view)

    def observe(self, view: game.View, event: game.Event) -> None:
        self._words.observe(view, event)

    def end(self, view: game.View) -> None:
        pass

    def act(self, view: game.View) -> game.Action:
        errors.print(f"\n{self._words.decision(view)}", soft_wrap=True)
        choices = "f fold, " * view.legal.fold + ("c call" if view.legal.to_call else "c check")
        if view.legal.min_raise_to is not None:
            choices += ", r AMOUNT" + (" raise to" if view.legal.to_call else " bet")
        while True:
            try:
                answer = click.prompt(f"{choices}, q stop", prompt_suffix="? ", err=True)
            except (click.Abort, EOFError):
                raise _Stopped from None
            try:
                return _action_of(answer, view.legal)
            except BadInput as problem:
                errors.print(str(problem), soft_wrap=True)


class _Stopped(KeyboardInterrupt):
    """The person has had enough."""


def _action_of(answer: str, legal: game.Legal) -> game.Action:
    """Read an answer. Raises `BadInput` for one that is not legal."""
    word, _, rest = answer.strip().lower().partition(" ")
    action: game.Action | None = None
    match word:
        case "q" | "quit":
            raise _Stopped
        case "f" | "fold":
            action = game.Fold()
        case "c" | "k" | "call" | "check":
            action = game.Call()
        case "r" | "b" | "raise" | "bet":
            amount = rest.removeprefix("to ").strip()
            if amount.isascii() and amount.isdigit() and len(amount) < 10:
                action = game.Raise(Chips(int(amount)))
    if action is None or action not in legal:
        sizes = (
            ""
            if legal.min_raise_to is None
            else f", r {legal.min_raise_to} to r {legal.max_raise_to}"
        )
        raise BadInput(f"{answer[:20]!r}; allowed: {'f, ' * legal.fold}c{sizes}")
    return action


def _asked(questions: Sequence[ExamQuestion]) -> Iterator[ExamAnswer]:
    """Ask the person until there is no more, or they stop."""
    answers = arena.examination.exam_answers(_Person(), questions)
    try:
        for number_asked, answer in enumerate(answers, 1):
            errors.print(words_of_cost(answer), soft_wrap=True)
            errors.print(f"({number_asked} of {len(questions)})")
            yield answer
    except KeyboardInterrupt:
        errors.print("")


def words_of_cost(answer: ExamAnswer) -> str:
    """Say what an answer cost: no more than is known, as costs have errors."""
    cost, better = answer.cost, answer.question.best()
    if answer.action == better:
        return "Right. No action is better."
    best = _words(better, answer.question)
    if cost.low <= 0:
        most = f"{number(cost.high, 0)} thousandths of a big blind"
        return f"The best known action is to {best}. Yours costs at most {most} more."
    return f"That costs {_between(cost)} thousandths of a big blind. It is better to {best}."


def _between(cost: ExamCost) -> str:
    least, most = number(cost.low, 0), number(cost.high, 0)
    return most if least == most else f"{least} to {most}"


def _print_worst(result: ExamResult) -> None:
    """Print the answers that cost most, with what was better."""
    worst = sorted(result.answers, key=lambda answer: -answer.cost.low)[:_WORST]
    rows = [
        (
            _spot(answer.question),
            _words(answer.action, answer.question),
            _words(answer.question.best(), answer.question),
            _between(answer.cost),
        )
        for answer in worst
        if answer.cost.low > 0
    ]
    if rows:
        print_table(
            report.Table(
                ("decision", "you", "better", "cost"), rows, title="Your costliest decisions"
            )
        )


def _spot(question: ExamQuestion) -> str:
    """Return own cards and the board."""
    *_, last = question.steps()
    seat = last.after.actor
    assert seat is not None
    seen = game.view(last.after, seat)
    board = f" on {cards_text(seen.state.board)}" if seen.state.board else ""
    return f"{cards_text(reversed(seen.cards))}{board}"


def _words(action: game.Action, question: ExamQuestion) -> str:
    *_, last = question.steps()
    from railbird.players.explanation import action_words, in_units

    return action_words(action, last.after, in_units)
