"""An examination in no-limit hold'em: what a player's decisions cost, in big blinds.

`exam_decisions` has the decisions. `evaluations` measures players by their winnings instead, which
takes thousands of hands.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird.arena.exam_decisions import ExamCost, ExamKind, ExamQuestion, draw_exam, guess_cost
from railbird.arena.guarded_player import CAUGHT, DEFAULT_FAULTS, Fault, FaultTally, GuardedPlayer
from railbird.arena.names import PlayerLike, parse_entrant
from railbird.arena.settings import EXAM_DECISIONS
from railbird.errors import BadInput
from railbird.estimates.distributions import student_t
from railbird.game import Action, Call, Fold, HandDealer, Raise, View, view
from railbird.players import Audience, Distribution, distribution_of, introduce
from railbird.players.policy import why_not
from railbird.progress import Progress
from railbird.units import Chips


@runtime_checkable
class Briefed(Protocol):
    """A player that takes information which a hand does not show, such as prizes."""

    def brief(self, words: str) -> None:
        """Take note of this information, which replaces any earlier one."""


class ExamAnswer(NamedTuple):
    """A player's answer to a question."""

    question: ExamQuestion
    action: Action
    """Its action or the replacement; if its probabilities are known, an action drawn by them."""
    cost: ExamCost
    """The cost; if the player's probabilities are known, the expected one."""
    fault: Fault | None = None
    """The fault for which the player's action was replaced, if any."""


class ExamLoss(NamedTuple):
    """The mean cost of a decision, in thousandths of a big blind, with a 95 % interval.

    The interval covers both the errors of the costs and the random choice of decisions.
    """

    value: float
    low: float
    high: float
    stderr: float
    """Standard error of the random choice alone."""

    def as_json(self) -> dict[str, float]:
        """Return the numbers unrounded."""
        return self._asdict()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExamResult(HasTable):
    """A player's result in an examination."""

    player: str
    answers: Sequence[ExamAnswer]
    faults: FaultTally = field(default_factory=FaultTally)
    refused: Mapping[ExamKind, str] = field(default_factory=dict)
    """Why the player was not asked decisions of some kinds."""

    @property
    def count(self) -> int:
        """Number of decisions that were asked."""
        return len(self.answers)

    @property
    def played(self) -> list[ExamAnswer]:
        """The answers that were the player's own."""
        return [answer for answer in self.answers if answer.fault is None]

    @property
    def ev_lost(self) -> ExamLoss:
        """The mean cost of a decision, without decisions whose answer was a fault."""
        return exam_loss(self.played)

    @property
    def with_faults(self) -> ExamLoss:
        """The same including faults, for which a check or a fold counts."""
        return exam_loss(self.answers)

    @property
    def by_kind(self) -> dict[ExamKind, ExamLoss]:
        """The mean cost of the decisions of each kind."""
        played = self.played
        parts = {
            kind: [answer for answer in played if answer.question.kind is kind] for kind in ExamKind
        }
        return {kind: exam_loss(answers) for kind, answers in parts.items() if answers}

    def faults_of(self, fault: Fault) -> int:
        """Return how many answers had a fault."""
        return sum(answer.fault is fault for answer in self.answers)

    def as_json(self) -> dict[str, Any]:
        """Return the unrounded numbers of `railbird exam --json`."""
        kinds = self.by_kind
        return {
            "player": self.player,
            "count": self.count,
            "ev_lost_mbb": self.ev_lost.as_json(),
            "with_faults_mbb": self.with_faults.as_json(),
            **{fault.value: self.faults_of(fault) for fault in Fault},
            "faults": self.faults.as_json(),
            "by_kind": {
                kind.name.lower(): {
                    "count": sum(answer.question.kind is kind for answer in self.played),
                    "ev_lost_mbb": loss.as_json(),
                }
                for kind, loss in kinds.items()
            },
            "not_asked": {kind.name.lower(): why for kind, why in self.refused.items()},
        }

    def to_polars(self) -> Any:
        """Return a row for each kind, and one for all."""
        losses = {"all": self.ev_lost, **{str(kind): loss for kind, loss in self.by_kind.items()}}
        return table_of({"decisions": name, **loss.as_json()} for name, loss in losses.items())


def exam_loss(answers: Sequence[ExamAnswer]) -> ExamLoss:
    """Return the mean cost, by the weights of the decisions.

    One decision was drawn from each stratum, and strata are ordered by difficulty. So the error of
    the draw is estimated from the differences of neighbours, which leaves out how the strata
    themselves differ. A few answers may happen to include no rare, expensive mistake: the upper end
    counts one more answer that costs as much as a random action.
    """
    if not answers:
        return ExamLoss(*[float("nan")] * 4)
    ordered = sorted(answers, key=lambda answer: (answer.question.kind, answer.question.stratum))
    weights = np.array([answer.question.weight for answer in ordered])
    weights /= weights.sum()
    costs = np.array([answer.cost for answer in ordered])[:, [0, 3, 4]]
    parts = weights[:, None] * costs
    kinds = np.array([answer.question.kind.value for answer in ordered])
    variance = np.zeros(3)
    for kind in set(kinds.tolist()):
        of_kind = parts[kinds == kind]
        if len(of_kind) < 2:
            continue
        steps = np.diff(of_kind, axis=0)
        # Their sum of squares is that of so many values less one, twice.
        variance += (steps**2).mean(axis=0) / 2 * len(of_kind)
    stderr = np.sqrt(variance)
    value, low, high = parts.sum(axis=0)
    guesses = [guess_cost(answer.question).value for answer in ordered]
    stderr[2] = math.hypot(stderr[2], float(weights @ guesses) / len(answers))
    times = student_t(0.975, max(len(answers) - 1, 1))
    return ExamLoss(
        float(value),
        max(float(low - times * stderr[1]), 0.0),
        float(high + times * stderr[2]),
        float(stderr[0]),
    )


# Asking.


def exam_answers(
    player: PlayerLike,
    questions: Sequence[ExamQuestion],
    *,
    seed: int = 0,
    faults: FaultTally | None = None,
    refused: dict[ExamKind, str] | None = None,
) -> Iterator[ExamAnswer]:
    """Ask a player questions, and yield its answers.

    Each decision is a fresh hand, which the player sees from the deal on as at a table and does not
    remember afterwards. If the player gives probabilities of its actions, the cost is the expected
    one. ``faults`` and ``refused`` record what went wrong. Raises `BadInput` for a player that
    cannot be made.
    """
    entrant = parse_entrant(player)
    guarded = GuardedPlayer(
        entrant.player(), DEFAULT_FAULTS, name=entrant.spec, is_ours=entrant.is_made_here
    )
    refused = {} if refused is None else refused
    try:
        introduce([guarded.player], [entrant.spec])
        for number, question in enumerate(questions):
            if question.kind in refused:
                continue
            why = why_not(guarded.player, question.rules)
            if why is not None:
                refused[question.kind] = why
                continue
            guarded.reset(np.random.default_rng([seed, number]))
            yield _answer(guarded, question, np.random.default_rng([seed, number, 1]))
            if faults is not None:
                faults.add(guarded.take_faults())
    finally:
        guarded.close()


def _answer(guarded: GuardedPlayer, question: ExamQuestion, rng: np.random.Generator) -> ExamAnswer:
    """Show the player a hand and ask for its decision."""
    where = question.name
    if isinstance(guarded.player, Briefed):
        guarded.player.brief(question.note)
    dealer = HandDealer.of_row(question.rules, question.cards)
    steps = list(question.steps())
    seat = steps[-1].after.actor
    assert seat is not None
    audience = None
    if guarded.observer is not None:
        if guarded.relay is not None:
            relay = guarded.relay
            guarded.tell(lambda: relay.deal(question.cards), where)
        if guarded.acquainted is not None:
            known = guarded.acquainted
            people = tuple((at - seat) % question.rules.seats for at in range(question.rules.seats))
            guarded.tell(lambda: known.meet(people), where)
        audience = Audience(
            [(seat, guarded.observer)], failed=lambda _, problem: guarded.count(problem, where)
        )
        audience.notify(steps)
    seen = view(steps[-1].after, seat)
    distribution = _distribution(guarded, seen)
    fault = None
    if distribution is None:
        before = dict(guarded.tally.counts)
        action = guarded.answer(seen, where)
        raised = [
            kind for kind, count in guarded.tally.counts.items() if count > before.get(kind, 0)
        ]
        fault = raised[0] if raised else None
        cost = question.cost_of(action)
    else:
        action = distribution.draw(rng)
        cost = _expected(distribution, question, rng)
    if audience is not None:
        dealer.begin()
        for earlier in question.before:
            dealer.act(earlier)
        audience.notify(dealer.act(action))
        while dealer.asks is not None:  # the others fold, which ends the hand
            audience.notify(dealer.act(Fold() if dealer.state.to_call else Call()))
        audience.end(dealer.state)
    return ExamAnswer(question, action, cost, fault)


def _distribution(guarded: GuardedPlayer, seen: View) -> Distribution | None:
    """Return the player's probabilities, or None if it has none or some are of illegal actions."""
    try:
        distribution = distribution_of(guarded.player, seen)
    except CAUGHT:
        return None
    if distribution is None:
        return None
    legal = seen.legal
    low, high = legal.min_raise_to, legal.max_raise_to
    fits = all(
        low is not None and high is not None and low <= sizes.low and sizes.high <= high
        for sizes in distribution.raises
        if sizes.probability
    )
    return distribution if fits and (legal.fold or not distribution.fold) else None


def _expected(
    distribution: Distribution, question: ExamQuestion, rng: np.random.Generator
) -> ExamCost:
    """Return the expected cost; from a continuous range of sizes one is drawn."""
    parts: list[tuple[float, Action]] = [(distribution.fold, Fold()), (distribution.call, Call())]
    parts += [
        (sizes.probability, Raise(Chips(int(rng.integers(sizes.low, sizes.high + 1)))))
        for sizes in distribution.raises
    ]
    total = np.zeros(len(ExamCost._fields))
    for probability, action in parts:
        if probability:
            total += probability * np.array([*question.cost_of(action)])
    return ExamCost(*map(float, total))


@checked
def examine(
    player: PlayerLike,
    *,
    seed: int,
    count: int = EXAM_DECISIONS,
    progress: Progress | None = None,
) -> ExamResult:
    """Examine a player: a spec, an object with ``reset`` and ``act``, or its class.

    Raises `BadInput` for a player that cannot be made, and a count that is not allowed.
    """
    questions = draw_exam(seed, count, progress=progress)
    return examine_on(player, questions, seed=seed, progress=progress)


@checked
def examine_on(
    player: PlayerLike,
    questions: Sequence[ExamQuestion],
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> ExamResult:
    """Examine a player on decisions that were drawn before; ``seed`` is of its own draws.

    A `KeyboardInterrupt` ends the examination, not the call: the result is of what was answered.
    """
    faults, refused = FaultTally(), dict[ExamKind, str]()
    answers = list[ExamAnswer]()
    entrant = parse_entrant(player)
    asking = exam_answers(player, questions, seed=seed, faults=faults, refused=refused)
    try:
        for answer in asking:
            answers.append(answer)
            if progress is not None:
                progress(len(answers), len(questions), f"decisions of {entrant.spec}")
    except KeyboardInterrupt:
        if not answers:
            raise
    if not answers:
        raise BadInput(f"{entrant.spec}: {next(iter(refused.values()), 'no decision')}")
    return ExamResult(
        player=entrant.name or entrant.spec, answers=answers, faults=faults, refused=refused
    )


SOLUTION, GUESS = "the solution", "any action at random"
"""Names of the two reference rows that need no player."""


def reference_results(questions: Sequence[ExamQuestion]) -> Iterator[ExamResult]:
    """Yield what the best action of every decision costs, and a listed action at random."""
    best = [
        ExamAnswer(question, question.best(), question.costs[question.best()])
        for question in questions
    ]
    yield ExamResult(player=SOLUTION, answers=best)
    guessed = [answer._replace(cost=guess_cost(answer.question)) for answer in best]
    yield ExamResult(player=GUESS, answers=guessed)
