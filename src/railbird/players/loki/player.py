"""Loki's player for any hold'em: it evaluates by enumeration, bets by rules, models opponents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_OF_HOLDING, HOLDINGS, Card, Holding
from railbird.errors import BadInput
from railbird.game import (
    Action,
    ActionKind,
    Event,
    HandState,
    Raise,
    Rules,
    Street,
    View,
    action_of_kind,
)
from railbird.modelling import BeliefUpdate, Frequencies, Sigma, Tracker, income_rates
from railbird.modelling.learned import NO_FACTS, LearnedTracker, LearnedUpdate, Table, read_model
from railbird.modelling.settings import LOW, PREFLOP_SPREAD
from railbird.modelling.tracker import BETS, ObservedAction
from railbird.players.compiled import LokiPolicy
from railbird.players.explanation import (
    BeliefHistory,
    BeliefStage,
    Explanation,
    OpponentEstimates,
    Reading,
    Requirement,
    action_words,
    requirements_of,
    rule_sentence,
    street_words,
)
from railbird.players.loki.preflop import (
    ExpectedPlayers,
    LokiSpot,
    PreflopPlan,
    asked,
    cell_of,
    choose,
    expert_table,
    group_of,
    measured_thresholds,
    preflop_spot,
    spot_of,
)
from railbird.players.loki.rules import (
    EhsThresholds,
    HandEvaluation,
    LokiRule,
    RuleDecision,
    ahead_of_each,
    compared,
    deception,
    disguise,
    make,
    rule,
    threshold_chances,
    thresholds,
    worth,
)
from railbird.players.loki.settings import (
    VERSIONS,
    Checkers,
    Decider,
    FixedWeights,
    LokiSettings,
    Model,
    Modelling,
    Opponents,
    PreflopThresholds,
)
from railbird.players.loki.simulation import (
    Expected,
    FurtherFacts,
    actions_by,
    can_simulate,
    expected,
    make_ready,
)
from railbird.players.policy import Distribution, RangeDistribution, ask_each
from railbird.players.seeds import SplitMix64
from railbird.players.spec import version_description
from railbird.units import Seat

if TYPE_CHECKING:
    from collections.abc import Sequence


# The record of the numbers behind one of Loki's decisions.


@dataclass(frozen=True, slots=True, kw_only=True)
class Preflop:
    """How the strategy before the flop was chosen."""

    strategy: PreflopPlan
    income_rate: float
    """Income rate of the hand, in thousandths of a small bet."""
    thresholds: tuple[tuple[PreflopPlan, float], ...]
    """The threshold of each strategy, highest first."""
    group: ExpectedPlayers
    expected_players: int
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PostflopEvaluation:
    """How the hand was evaluated from the flop on."""

    worth: HandEvaluation
    thresholds: EhsThresholds
    barrel: bool
    """The semi-bluff flag: whether the player has semi-bluffed and nobody has bet since."""
    folds: float | None
    """Probability that everybody folds to a bet, if semi-bluffs depend on it; otherwise None."""
    honest: RuleDecision
    """What the rules decide without deception."""
    expected: Expected | None
    """Expected gains by simulation; None if there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRecord:
    """The record of a decision; `LokiPlayer.learned` has the beliefs about opponents."""

    seat: Seat
    holding: Holding
    board: tuple[Card, ...]
    spot: LokiSpot
    """The situation, with the pot and the odds."""
    reason: Preflop | PostflopEvaluation
    rule: LokiRule
    """The rule that decided."""
    verb: ActionKind
    """The intended action, legal or not."""
    action: Action


# Explaining a Loki player's decision: its numbers by name, and its beliefs in order.


_LIKELIEST: Final = 3
"""How many types an explanation names for each opponent."""


def explained(
    record: DecisionRecord, state: HandState, beliefs: Beliefs, settings: LokiSettings
) -> Explanation:
    """Put a decision into words and numbers; ``beliefs`` are those at the decision."""
    learned = [update for update in beliefs.learned() if update.act.seat != record.seat]
    opponents = [seat for seat in state.in_hand if seat != record.seat]
    return Explanation(
        rule=rule_words(record),
        readings=(*_spot(record.spot), *_reason(record)),
        beliefs=tuple(_belief(state, beliefs, learned, seat) for seat in opponents),
        requirements=_requirements(record, settings),
        estimates=tuple(
            OpponentEstimates(seat=seat, readings=readings)
            for seat in opponents
            if (readings := _habits(state, beliefs, learned, seat))
        ),
    )


def rule_words(explanation: DecisionRecord) -> str:
    """Name the rule that decided, and what prevented its action."""
    words = rule_sentence(explanation.rule)
    if explanation.verb is ActionKind.RAISE and not isinstance(explanation.action, Raise):
        return f"{words}, but no raise is allowed."
    if explanation.rule is LokiRule.MAKE2 and explanation.verb is ActionKind.CALL:
        return f"{words}, and enough bets are in already."
    return f"{words}."


def _spot(spot: LokiSpot) -> tuple[Reading, ...]:
    if spot.street is Street.PREFLOP:
        return (Reading(name="bets to call", value=spot.bets_to_call),)
    return (
        Reading(name="bets to call", value=spot.bets_to_call),
        Reading(name="pot odds", value=spot.pot_odds),
        Reading(name="semi-bluff odds", value=spot.semi_bluff_odds),
        Reading(name="showdown odds", value=spot.showdown_odds),
    )


def _reason(explanation: DecisionRecord) -> tuple[Reading, ...]:
    match explanation.reason:
        case Preflop() as reason:
            return (
                Reading(name="strategy", value=reason.strategy.name.lower()),
                Reading(name="income rate", value=reason.income_rate, decimals=1),
                *(
                    Reading(name=f"{strategy.name.lower()} asks for", value=least)
                    for strategy, least in reason.thresholds
                ),
                Reading(name="expected players", value=reason.expected_players),
                Reading(name="position", value=str(reason.position)),
            )
        case PostflopEvaluation() as reason:
            worth, played = reason.worth, reason.expected
            instead = "without deception" if played is None else "by the rules"
            return (
                Reading(name="HS against one", value=worth.hs1),
                Reading(name="opponents who count", value=worth.opponents),
                Reading(name="HS", value=worth.hs),
                Reading(name="PPot", value=worth.ppot),
                Reading(name="NPot", value=worth.npot),
                Reading(name="EHS", value=worth.ehs),
                Reading(name="EHS'", value=worth.optimistic_ehs),
                *_semi_bluff(reason),
                Reading(name=instead, value=_verb(reason.honest.verb, explanation.spot)),
                *(() if played is None else _played_out(played)),
            )


def _semi_bluff(reason: PostflopEvaluation) -> tuple[Reading, ...]:
    """Return what else than potential decides about semi-bluffs."""
    if reason.folds is not None:
        return (Reading(name="chance that all fold", value=reason.folds),)
    return (Reading(name="semi-bluff flag", value="set" if reason.barrel else "not set"),)


def _requirements(record: DecisionRecord, settings: LokiSettings) -> tuple[Requirement, ...]:
    """Return the rules without deception, in the order in which they were tried."""
    reason = record.reason
    if not isinstance(reason, PostflopEvaluation):
        return ()
    simulated = record.rule is LokiRule.SIMULATION
    return requirements_of(
        lambda ask: rule(
            record.spot,
            reason.worth,
            reason.thresholds,
            settings,
            barrel=reason.barrel,
            folds=reason.folds,
            ask=ask,
        ),
        () if simulated else (reason.honest.rule,),
    )


def _habits(
    state: HandState,
    beliefs: Beliefs,
    learned: Sequence[BeliefUpdate | LearnedUpdate],
    seat: Seat,
) -> tuple[Reading, ...]:
    """Return what earlier hands say about an opponent, if it has acted in this one.

    With a learned model these are its likeliest types, otherwise its frequencies by street and bets
    to call, with the number of observations behind them.
    """
    if isinstance(beliefs, LearnedTracker):
        evidence = beliefs.types(seat)
        by_chance = sorted(
            zip(evidence.chances.tolist(), evidence.model.names, strict=True), reverse=True
        )
        return tuple(
            Reading(name=f"plays like {name}", value=chance)
            for chance, name in by_chance[:_LIKELIEST]
        )
    habits, contexts = beliefs.habits(seat), {}
    for update in learned:
        if update.act.seat == seat:
            contexts[ObservedAction(update.state, update.act).context] = update.state
    readings = []
    for (street, bets), before in contexts.items():
        bets = min(bets, BETS - 1)
        where = f"{street_words(before)}, {('no bet', 'one bet', 'more bets')[bets]} to call"
        counts = habits.counts[street][bets]
        if sum(counts):
            shares = zip(("folds", "calls", "raises"), habits.of(street, bets), strict=True)
            readings += [Reading(name=f"{kind} {where}", value=share) for kind, share in shares]
            readings.append(Reading(name=f"seen {where}", value=sum(counts)))
    return tuple(readings)


def _played_out(expected: Expected) -> tuple[Reading, ...]:
    """Return the results of the simulation, in chips; a fold gains 0."""
    return (
        Reading(name="deals played out", value=expected.trials),
        Reading(name="a call or check gains", value=expected.call, decimals=1),
        Reading(name="a bet or raise gains", value=expected.bet, decimals=1),
    )


def _verb(verb: ActionKind, spot: LokiSpot) -> str:
    """Name an intended action as a player would in this spot."""
    match verb:
        case ActionKind.RAISE:
            return "raise" if spot.bets else "bet"
        case ActionKind.FOLD | ActionKind.CALL if not spot.to_call:
            return "check"
        case _:
            return verb.name.lower()


def _belief(
    state: HandState, beliefs: Beliefs, learned: Sequence[BeliefUpdate | LearnedUpdate], seat: Seat
) -> BeliefHistory:
    """Return an opponent's weights from the deal on, after each action that changed them."""
    updates = [update for update in learned if update.act.seat == seat]
    now = beliefs.weights(seat)
    if not updates:
        return BeliefHistory(
            seat=seat, stages=(BeliefStage(what="no action yet that tells anything", weights=now),)
        )
    stages = [BeliefStage(what="at the deal", weights=updates[0].before), *map(_stage, updates)]
    if len(state.board) > len(updates[-1].board):
        stages.append(BeliefStage(what="after the cards dealt since", weights=now))
    return BeliefHistory(seat=seat, stages=tuple(stages))


def _stage(learned: BeliefUpdate | LearnedUpdate) -> BeliefStage:
    state = learned.state
    return BeliefStage(
        what=f"{action_words(learned.act.action, state)}, {street_words(state)}",
        weights=learned.after,
        readings=_grounds(learned),
    )


def _grounds(learned: BeliefUpdate | LearnedUpdate) -> tuple[Reading, ...]:
    """Return the numbers with which an action changed the weights."""
    if isinstance(learned, LearnedUpdate):
        return (Reading(name="expected", value=learned.expected),)
    evidence = learned.evidence
    readings = [Reading(name="mean", value=evidence.mean)]
    if evidence.pot_odds < 1:
        readings.append(Reading(name="pot odds", value=evidence.pot_odds))
    if evidence.spread != 1:
        readings.append(Reading(name="spread over the usual", value=evidence.spread))
    return tuple(readings)


# Loki's beliefs about its opponents' holdings.


Weights = NDArray[np.float64]
"""(1326,) weights of holdings, not negative; only their ratios matter."""


class Beliefs(Protocol):
    """Weights of each opponent's holdings, updated by what is observed."""

    def reset(self) -> None:
        """Forget everything."""

    def meet(self, people: tuple[int, ...]) -> None:
        """Set who sits in each seat in the next hand."""

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set players' names by number."""

    def begin(self, view: View) -> None:
        """Begin a hand."""

    def observe(self, view: View, event: Event) -> None:
        """Learn from an event of the hand."""

    def end(self, view: View) -> None:
        """End the hand."""

    def weights(self, seat: Seat) -> Weights:
        """Return the weights of one opponent's holdings."""

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """Return the mean of several opponents' normalised weights."""

    def habits(self, seat: Seat) -> Frequencies:
        """Return the frequencies of a seat's player."""

    def learned(self) -> tuple[BeliefUpdate | LearnedUpdate, ...]:
        """Return what each action in the hand has changed so far."""

    def commit(self) -> None:
        """Save what must be kept, and forget everything."""

    def rollback(self) -> None:
        """Forget everything since the last `commit`."""

    def close(self) -> None:
        """Save what must be kept."""


class FixedBeliefs:
    """The same beliefs about everybody, whatever they do."""

    def __init__(self, weights: FixedWeights) -> None:
        self._weights = fixed_weights(weights)

    def reset(self) -> None:
        """Do nothing."""

    def meet(self, people: tuple[int, ...]) -> None:
        """Do nothing."""

    def introduce(self, names: tuple[str, ...]) -> None:
        """Do nothing."""

    def begin(self, view: View) -> None:
        """Do nothing."""

    def observe(self, view: View, event: Event) -> None:
        """Do nothing."""

    def end(self, view: View) -> None:
        """Do nothing."""

    def weights(self, seat: Seat) -> Weights:
        """The fixed weights."""
        return self._weights

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """The fixed weights."""
        return self._weights

    def habits(self, seat: Seat) -> Frequencies:
        """Return the default frequencies."""
        return Frequencies()

    def learned(self) -> tuple[BeliefUpdate, ...]:
        """Return nothing."""
        return ()

    def commit(self) -> None:
        """Do nothing."""

    def rollback(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def later_actions(beliefs: Beliefs, seat: Seat) -> Table:
    """Return the probabilities of a player's actions from the flop on, (rows, classes, 3)."""
    if isinstance(beliefs, LearnedTracker):
        return beliefs.later_actions(seat)
    return actions_by(beliefs.habits(seat))


def chance_of_folds(beliefs: Beliefs, state: HandState) -> float | None:
    """Return the learned probability that everybody folds to a bet; None if there is none."""
    return beliefs.chance_of_folds(state) if isinstance(beliefs, LearnedTracker) else None


def further_facts(beliefs: Beliefs) -> FurtherFacts:
    """Return the factors of further facts; factors of one without a learned model."""
    if isinstance(beliefs, LearnedTracker):
        return FurtherFacts(beliefs.facts, *beliefs.raised)
    return FurtherFacts(NO_FACTS, 0, 0)


def beliefs_of(settings: LokiSettings) -> Beliefs:
    """Return the beliefs that the settings ask for: fixed weights or a tracker."""
    specific = settings.modelling is Modelling.SPECIFIC
    if settings.modelling is Modelling.NONE:
        return FixedBeliefs(settings.weights)
    if settings.model is Model.LEARNED:
        model = None if settings.actions is None else read_model(settings.actions)
        return LearnedTracker(model, specific=specific)
    return Tracker(
        specific=specific,
        decay=settings.decay,
        ranking=settings.scale,
        checks=settings.checks,
        sigma=settings.sigma,
        floor=settings.floor,
        memory=settings.database,
    )


@cache
def fixed_weights(kind: FixedWeights) -> Weights:
    """Return uniform weights, or typical ones, which rise with the income rate.

    Typical weights are those after a preflop call by the default frequencies. The threshold is the
    best half of hands, against six opponents. Weights are 0.01 up to 330 thousandths of a small bet
    below the threshold, 1 from 330 above it, and linear in between.
    """
    weights = np.ones(HOLDINGS)
    if kind is FixedWeights.TYPICAL:
        rates = income_rates(6)[CLASS_OF_HOLDING]
        middle = float(np.quantile(rates, 0.5))
        weights = np.clip((rates - middle + PREFLOP_SPREAD) / (2 * PREFLOP_SPREAD), LOW, 1.0)
    weights.flags.writeable = False
    return weights


# The player.


class LokiPlayer:
    """Plays limit hold'em like Papp's Loki; in other games it raises by the smallest legal amount.

    It observes every hand in which it sits. With a database it recognises opponents by name in
    later sessions. After `act`, `explain` gives the reasons.
    """

    def __init__(self, settings: LokiSettings) -> None:
        self.settings = settings
        self._beliefs = beliefs_of(settings)
        self._stream = SplitMix64(0)
        self._chosen: Preflop | None = None
        self._barrel = False
        self._explanation: DecisionRecord | None = None

    @property
    def explanation(self) -> DecisionRecord:
        """The record of the last decision. Raises `LookupError` before the first."""
        if self._explanation is None:
            raise LookupError("this player has not decided anything yet")
        return self._explanation

    @property
    def beliefs(self) -> Beliefs:
        """The present beliefs about opponents."""
        return self._beliefs

    def learned(self) -> tuple[BeliefUpdate | LearnedUpdate, ...]:
        """Return how each of the opponents' actions in this hand has changed the weights."""
        return self._beliefs.learned()

    def reset(self, rng: np.random.Generator) -> None:
        """Forget all opponents, except in the database."""
        make_ready()
        self._stream = SplitMix64(int(rng.integers(1 << 64, dtype=np.uint64)))
        self._beliefs.reset()
        self._chosen, self._barrel, self._explanation = None, False, None

    def meet(self, people: tuple[int, ...]) -> None:
        """Set who sits in each seat in the next hand."""
        self._beliefs.meet(people)

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set the players' names, by number; those in the database are recognised."""
        self._beliefs.introduce(names)

    def begin(self, view: View) -> None:
        """Begin a hand; of earlier ones, only the opponents' frequencies are kept."""
        self._chosen, self._barrel = None, False
        self._beliefs.begin(view)

    def observe(self, view: View, event: Event) -> None:
        """Learn from an action."""
        self._beliefs.observe(view, event)

    def end(self, view: View) -> None:
        """Learn from shown hands, if the settings say so."""
        self._beliefs.end(view)

    def commit(self) -> None:
        """Write the memory, if there is one, and forget all opponents."""
        self._beliefs.commit()

    def rollback(self) -> None:
        """Forget everything learned since `commit`: those hands will be played again."""
        self._beliefs.rollback()

    def close(self) -> None:
        """Write the memory, if there is one."""
        self._beliefs.close()

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        return explained(self.explanation, view.state, self._beliefs, self.settings)

    def policy(self, rules: Rules) -> LokiPolicy | None:
        """Return the compiled form; None if the player needs what only Python has."""
        settings = self.settings
        learns_spreads = (
            settings.sigma is Sigma.LEARNED and settings.modelling is not Modelling.NONE
        )
        if learns_spreads or settings.lookahead > 1 or settings.database is not None:
            return None
        return LokiPolicy(
            settings=settings, stream=self._stream.state, simulates=self._simulates(rules)
        )

    def _simulates(self, rules: Rules) -> bool:
        return self.settings.decider is Decider.SIMULATION and can_simulate(rules)

    def distribution(self, view: View) -> Distribution | None:
        """Return the probabilities, which come from deception and jitter; otherwise one is certain.

        Returns None if the decision is based on random simulations.
        """
        state, seat = view.state, view.seat
        spot = spot_of(state, seat)
        if spot.street is Street.PREFLOP:
            chosen = self._chosen or self._choose(state, view.holding, seat)
            return Distribution.certain(action_of_kind(state, _preflop_verb(chosen.strategy, spot)))
        settings = self.settings
        if self._simulates(state.rules):
            return None
        worth = self._worth(state, view.holding, spot, seat)
        barrel = self._barrel and not spot.bets_to_call
        folds = self._folds(state, spot)
        actions: list[tuple[Action, float]] = []
        for levels, chance in threshold_chances(compared(worth, settings), settings):
            honest = rule(spot, worth, levels, settings, barrel=barrel, folds=folds)
            deceptive, often = deception(honest, spot, worth, settings)
            actions.append((action_of_kind(state, honest.verb), chance * (1 - often)))
            actions.append((action_of_kind(state, deceptive.verb), chance * often))
        return Distribution.of(actions)

    def range_distribution(self, view: View, holdings: NDArray[np.integer]) -> RangeDistribution:
        """Return the distributions of the given holdings; refused if semi-bluffs may go on."""
        if self.settings.semi_bluff:
            raise BadInput(
                "whether it goes on with a semi-bluff is not seen; allowed: semi-bluff=off"
            )
        return ask_each(self, view, holdings)

    def act(self, view: View) -> Action:
        """Decide by the first rule that applies."""
        state, seat = view.state, view.seat
        spot = spot_of(state, seat)
        if spot.street is Street.PREFLOP:
            explanation = self._before_flop(state, view.holding, spot, seat)
        else:
            explanation = self._after_flop(state, view.holding, spot, seat)
        self._explanation = explanation
        return explanation.action

    def _before_flop(
        self, state: HandState, holding: Holding, spot: LokiSpot, seat: Seat
    ) -> DecisionRecord:
        if self._chosen is None:
            self._chosen = self._choose(state, holding, seat)
        verb = _preflop_verb(self._chosen.strategy, spot)
        return DecisionRecord(
            seat=seat,
            holding=holding,
            board=(),
            spot=spot,
            reason=self._chosen,
            rule=LokiRule.STRATEGY,
            verb=verb,
            action=action_of_kind(state, verb),
        )

    def _choose(self, state: HandState, holding: Holding, seat: Seat) -> Preflop:
        """Choose the strategy for the whole street."""
        where, table = preflop_spot(state, seat), expert_table()
        players = table.expected_players(where.guaranteed, where.others)
        group = group_of(players)
        rate = float(income_rates(group.opponents)[CLASS_OF_HOLDING[holding]])
        if self.settings.preflop is PreflopThresholds.MEASURED:
            cell = cell_of(group, state, seat, spot_of(state, seat))
            least = measured_thresholds(cell, where.position, self.settings.offset)
        else:
            least = asked(
                group,
                self.settings.tightness,
                where.position,
                small_blind=where.small_blind,
                offset=self.settings.offset,
            )
        return Preflop(
            strategy=choose(least, rate),
            income_rate=rate,
            thresholds=least,
            group=group,
            expected_players=players,
            position=where.position,
        )

    def _after_flop(
        self, state: HandState, holding: Holding, spot: LokiSpot, seat: Seat
    ) -> DecisionRecord:
        settings = self.settings
        if spot.bets_to_call:
            self._barrel = False
        evaluation = self._worth(state, holding, spot, seat)
        levels = thresholds(settings, self._stream)
        folds = self._folds(state, spot)
        honest = rule(spot, evaluation, levels, settings, barrel=self._barrel, folds=folds)
        simulated = self._simulate(state, holding, seat)
        if simulated is None:
            decision = disguise(honest, spot, evaluation, settings, self._stream)
        else:
            decision = simulated.decision(to_call=spot.to_call)
        reason = PostflopEvaluation(
            worth=evaluation,
            thresholds=levels,
            barrel=self._barrel,
            folds=folds,
            honest=honest,
            expected=simulated,
        )
        if decision.rule is LokiRule.SEMI_BLUFF:
            self._barrel = True
        return DecisionRecord(
            seat=seat,
            holding=holding,
            board=state.board,
            spot=spot,
            reason=reason,
            rule=decision.rule,
            verb=decision.verb,
            action=action_of_kind(state, decision.verb),
        )

    def _worth(
        self, state: HandState, holding: Holding, spot: LokiSpot, seat: Seat
    ) -> HandEvaluation:
        """Evaluate the hand against what the opponents are believed to hold."""
        settings = self.settings
        opponents = tuple(opponent for opponent in state.in_hand if opponent != seat)
        counted = _counted(opponents, spot, settings)
        evaluation = worth(
            holding,
            state.board,
            self._beliefs.field(opponents),
            opponents=len(counted),
            lookahead=settings.lookahead,
        )
        if settings.opponents is Opponents.EACH:
            believed = [self._beliefs.weights(opponent) for opponent in counted]
            evaluation = replace(evaluation, hs=ahead_of_each(holding, state.board, believed))
        return evaluation

    def _folds(self, state: HandState, spot: LokiSpot) -> float | None:
        """Return the probability that everybody folds to a bet, if semi-bluffs depend on it."""
        if spot.bets_to_call or not self.settings.uses_fold_equity:
            return None
        return chance_of_folds(self._beliefs, state)

    def _simulate(self, state: HandState, holding: Holding, seat: Seat) -> Expected | None:
        """Simulate the rest of the hand, if this Loki simulates and the rules allow it."""
        if not self._simulates(state.rules):
            return None
        everyone, beliefs = state.in_hand, self._beliefs
        return expected(
            state,
            seat,
            holding,
            [beliefs.weights(opponent) for opponent in everyone],
            [later_actions(beliefs, opponent) for opponent in everyone],
            further_facts(beliefs),
            trials=self.settings.trials,
            stream=self._stream,
        )


def _preflop_verb(strategy: PreflopPlan, spot: LokiSpot) -> ActionKind:
    """Return what a strategy for the first street does in a spot."""
    match strategy:
        case PreflopPlan.CALL1:
            return ActionKind.CALL if spot.is_in or spot.bets_to_call < 2 else ActionKind.FOLD
        case PreflopPlan.CALL2:
            return ActionKind.CALL
        case _:
            return make(strategy.bets(spot.cap), spot)


def _counted(
    opponents: tuple[Seat, ...], spot: LokiSpot, settings: LokiSettings
) -> tuple[Seat, ...]:
    """Return the opponents that the hand must be ahead of; there is at least one."""
    if settings.opponents is Opponents.ONE:
        return opponents[:1]
    if settings.checkers is Checkers.COUNT:
        return opponents
    return tuple([seat for seat in opponents if seat not in spot.checkers]) or opponents[:1]


# The options of a spec such as ``loki:som,tightness=tight,semi-bluff=off``.


def make_loki(
    version: Annotated[LokiSettings, version_description(VERSIONS, default="gom")] = VERSIONS[
        "gom"
    ],
    **options: Any,
) -> LokiPlayer:
    """Return the player of a version, with options of `LokiSettings` changed."""
    settings = replace(version, **options)
    if settings.database is not None and not settings.learns:
        raise BadInput("loki: database=, but nothing is learned; allowed: som, sigma=learned")
    if "fold_equity" in options and settings.model is not Model.LEARNED:
        raise BadInput("loki: fold-equity needs model=learned")
    if settings.actions is not None and settings.model is not Model.LEARNED:
        raise BadInput("loki: actions needs model=learned")
    if settings.model is Model.LEARNED:
        if settings.modelling is Modelling.NONE:
            raise BadInput("loki: model=learned, but opponents are not modelled; allowed: gom, som")
        if unused := [name for name in _OF_THRESHOLDS if name in options]:
            raise BadInput(f"loki: {unused[0]} with model=learned, which does not use it")
    return LokiPlayer(settings)


_OF_THRESHOLDS = ("scale", "checks", "sigma", "floor", "decay")
"""Options that only matter to inference by thresholds."""
