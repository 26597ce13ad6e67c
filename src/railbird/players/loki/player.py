"""Loki's player: evaluation by enumeration, betting by rules, beliefs from a model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from railbird.cards import CLASS_OF_HOLDING, Holding
from railbird.game import (
    Action,
    Call,
    Event,
    Fold,
    HandState,
    Raise,
    Rules,
    Street,
    View,
)
from railbird.modelling import BeliefUpdate, Sigma, income_rates
from railbird.modelling.learned.learned_tracker import LearnedUpdate
from railbird.players.compiled.policies import LokiPolicy
from railbird.players.compiled.splitmix import SplitMix64
from railbird.players.explanation import Explanation
from railbird.players.loki.beliefs import (
    Beliefs,
    beliefs_of,
    chance_of_folds,
    further_facts,
    later_actions,
)
from railbird.players.loki.decision_record import DecisionRecord, Postflop, Preflop
from railbird.players.loki.explain import explained
from railbird.players.loki.preload import make_ready
from railbird.players.loki.rules.betting import (
    Rule,
    compared,
    make,
    rule,
    threshold_chances,
    thresholds,
)
from railbird.players.loki.rules.deception import deception, disguise
from railbird.players.loki.rules.measured_preflop import cell_of, measured_thresholds
from railbird.players.loki.rules.preflop import Strategy, asked, choose, expert_table, group_of
from railbird.players.loki.rules.spot import Spot, Verb, preflop_spot, spot_of
from railbird.players.loki.settings import (
    Checkers,
    Decider,
    LokiSettings,
    Modelling,
    Opponents,
    PreflopTable,
)
from railbird.players.loki.simulation.selective_sampling import Expected, can_simulate, expected
from railbird.players.loki.strength import HandEvaluation, ahead_of_each, worth
from railbird.players.policy import Distribution
from railbird.units import Seat


class LokiPlayer:
    """Plays limit hold'em as Papp's Loki does; in other games its raises are the smallest allowed.

    It observes every hand it sits in and, with a database, recognises opponents by name between
    sessions. After `act`, `explain` gives the reasons.
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
        """Current beliefs about opponents."""
        return self._beliefs

    def learned(self) -> tuple[BeliefUpdate | LearnedUpdate, ...]:
        """Return the updates of the weights by each of the opponents' actions in this hand."""
        return self._beliefs.learned()

    def reset(self, rng: np.random.Generator) -> None:
        """Forget all opponents, except in the database."""
        make_ready()
        self._stream = SplitMix64(int(rng.integers(1 << 64, dtype=np.uint64)))
        self._beliefs.reset()
        self._chosen, self._barrel, self._explanation = None, False, None

    def meet(self, people: tuple[int, ...]) -> None:
        """Set the player in each seat of the next hand."""
        self._beliefs.meet(people)

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set players' names by number; those in the database are recognised."""
        self._beliefs.introduce(names)

    def begin(self, view: View) -> None:
        """Begin a hand, keeping only what the last one taught about opponents' frequencies."""
        self._chosen, self._barrel = None, False
        self._beliefs.begin(view)

    def observe(self, view: View, event: Event) -> None:
        """Learn from an action."""
        self._beliefs.observe(view, event)

    def end(self, view: View) -> None:
        """Learn from shown hands, if the settings say so."""
        self._beliefs.end(view)

    def commit(self) -> None:
        """Write the memory, if there is one, and forget everybody."""
        self._beliefs.commit()

    def rollback(self) -> None:
        """Forget what was learned since `commit`, which will be played again."""
        self._beliefs.rollback()

    def close(self) -> None:
        """Write the memory, if there is one."""
        self._beliefs.close()

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        return explained(self.explanation, view.state, self._beliefs, self.settings)

    def policy(self, rules: Rules) -> LokiPolicy | None:
        """Return the compiled form, unless it needs what only Python has."""
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
        """Return the probabilities of deception and of moved thresholds; else one action is sure.

        None where hands are played out at random to decide.
        """
        state, seat = view.state, view.seat
        spot = spot_of(state, seat)
        if spot.street is Street.PREFLOP:
            chosen = self._chosen or self._choose(state, view.holding, seat)
            return Distribution.certain(_action(state, _preflop_verb(chosen.strategy, spot)))
        settings = self.settings
        if self._simulates(state.rules):
            return None
        found = self._worth(state, view.holding, spot, seat)
        barrel = self._barrel and not spot.bets_to_call
        folds = self._folds(state, spot)
        actions: list[tuple[Action, float]] = []
        for levels, chance in threshold_chances(compared(found, settings), settings):
            honest = rule(spot, found, levels, settings, barrel=barrel, folds=folds)
            other, often = deception(honest, spot, found, settings)
            actions.append((_action(state, honest.verb), chance * (1 - often)))
            actions.append((_action(state, other.verb), chance * often))
        return Distribution.of(actions)

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
        self, state: HandState, holding: Holding, spot: Spot, seat: Seat
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
            rule=Rule.STRATEGY,
            verb=verb,
            action=_action(state, verb),
        )

    def _choose(self, state: HandState, holding: Holding, seat: Seat) -> Preflop:
        """Choose the strategy for the whole street."""
        where, table = preflop_spot(state, seat), expert_table()
        players = table.expected_players(where.guaranteed, where.others)
        group = group_of(players)
        rate = float(income_rates(group.opponents)[CLASS_OF_HOLDING[holding]])
        if self.settings.preflop is PreflopTable.MEASURED:
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
        self, state: HandState, holding: Holding, spot: Spot, seat: Seat
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
        reason = Postflop(
            worth=evaluation,
            thresholds=levels,
            barrel=self._barrel,
            folds=folds,
            honest=honest,
            expected=simulated,
        )
        if decision.rule is Rule.SEMI_BLUFF:
            self._barrel = True
        return DecisionRecord(
            seat=seat,
            holding=holding,
            board=state.board,
            spot=spot,
            reason=reason,
            rule=decision.rule,
            verb=decision.verb,
            action=_action(state, decision.verb),
        )

    def _worth(self, state: HandState, holding: Holding, spot: Spot, seat: Seat) -> HandEvaluation:
        """Evaluate the hand against what the opponents are believed to hold."""
        settings = self.settings
        opponents = tuple(other for other in state.in_hand if other != seat)
        counted = _counted(opponents, spot, settings)
        evaluation = worth(
            holding,
            state.board,
            self._beliefs.field(opponents),
            opponents=len(counted),
            lookahead=settings.lookahead,
        )
        if settings.opponents is Opponents.EACH:
            believed = [self._beliefs.weights(other) for other in counted]
            evaluation = replace(evaluation, hs=ahead_of_each(holding, state.board, believed))
        return evaluation

    def _folds(self, state: HandState, spot: Spot) -> float | None:
        """Return the probability that everybody folds to a bet, if that decides on semi-bluffs."""
        if spot.bets_to_call or not self.settings.uses_fold_equity:
            return None
        return chance_of_folds(self._beliefs, state)

    def _simulate(self, state: HandState, holding: Holding, seat: Seat) -> Expected | None:
        """Simulate the rest of the hand, if this Loki does and supports the rules."""
        if not self._simulates(state.rules):
            return None
        everyone, beliefs = state.in_hand, self._beliefs
        return expected(
            state,
            seat,
            holding,
            [beliefs.weights(other) for other in everyone],
            [later_actions(beliefs, other) for other in everyone],
            further_facts(beliefs),
            trials=self.settings.trials,
            stream=self._stream,
        )


def _preflop_verb(strategy: Strategy, spot: Spot) -> Verb:
    """Say what a strategy of the first street does in a spot."""
    match strategy:
        case Strategy.CALL1:
            return Verb.CALL if spot.is_in or spot.bets_to_call < 2 else Verb.FOLD
        case Strategy.CALL2:
            return Verb.CALL
        case _:
            return make(strategy.bets(spot.cap), spot)


def _counted(opponents: tuple[Seat, ...], spot: Spot, settings: LokiSettings) -> tuple[Seat, ...]:
    """Return the opponents that the hand must be ahead of, at least one."""
    if settings.opponents is Opponents.ONE:
        return opponents[:1]
    if settings.checkers is Checkers.COUNT:
        return opponents
    return tuple([seat for seat in opponents if seat not in spot.checkers]) or opponents[:1]


def _action(state: HandState, verb: Verb) -> Action:
    """Return the nearest legal action: a call for an illegal raise, a check for a free fold."""
    if verb is Verb.RAISE and (low := state.min_raise_to) is not None:
        return Raise(low)
    return Fold() if verb is Verb.FOLD and state.to_call > 0 else Call()
