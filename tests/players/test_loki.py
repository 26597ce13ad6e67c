"""Loki's decisions: the source's worked examples, each rule, each switch, what it forgets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from railbird.arena import Match, Seating
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop
from railbird.cards import HOLDINGS, parse_cards, parse_holding
from railbird.cards.isomorphism import board_index
from railbird.errors import BadInput
from railbird.game import (
    Act,
    Action,
    ActionKind,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Raise,
    Street,
    initial,
    limit_holdem,
    step,
)
from railbird.histories import HandRecord
from railbird.modelling.learned import NO_FACTS
from railbird.modelling.settings import BLENDED
from railbird.modelling.tracker import BETS, Frequencies
from railbird.odds import equity, hand_rank
from railbird.odds.potential import hand_strength, potential
from railbird.players import make_player
from railbird.players.advice import Asked, ask, decisions_of
from railbird.players.loki import (
    VERSIONS,
    EhsThresholds,
    HandEvaluation,
    LokiPlayer,
    LokiRule,
    LokiSettings,
    LokiSpot,
    simulation_kernels,
    worth,
)
from railbird.players.loki.player import DecisionRecord, _counted, rule_words
from railbird.players.loki.preflop import most_raises, spot_of
from railbird.players.loki.rules import ahead_of_each, disguise, folds_asked, make, rule, thresholds
from railbird.players.loki.settings import Checkers, Opponents, RaiseTo
from railbird.players.loki.simulation import (
    Expected,
    FurtherFacts,
    actions_by,
    expected,
    rank_tables,
    triple,
)
from railbird.players.seeds import SplitMix64
from railbird.units import Chips, Seat

FLOP = LokiSpot(
    street=Street.FLOP,
    pot=60,
    to_call=0,
    bet_size=10,
    bets=0,
    cap=4,
    bets_to_call=0,
    is_in=False,
    opponents=3,
    checkers=(),
)
BET = replace(FLOP, pot=70, to_call=10, bets=1, bets_to_call=1)
RAISED = replace(FLOP, pot=90, to_call=20, bets=2, bets_to_call=2)
LEVELS = EhsThresholds(0.50, 0.85)
ALL = LokiSettings()


def hand(hs: float, ppot: float = 0.0, npot: float = 0.0) -> HandEvaluation:
    return HandEvaluation(hs1=hs, hs=hs, ppot=ppot, npot=npot, opponents=1)


def decided(
    spot: LokiSpot, own: HandEvaluation, settings: LokiSettings = ALL, *, barrel: bool = False
) -> object:
    found = rule(spot, own, LEVELS, settings, barrel=barrel)
    return found.rule, found.verb


# --- What a hand is worth ---


BOARD = parse_cards("As9c8c3d2h")


def test_worth_of_the_worked_example() -> None:
    """Papp 1998, ch. 5: Ad Qc on 3h 4c Jh; HS .585, against five .069, PPot1 .108, NPot1 .145."""
    hole, flop = parse_holding("AdQc"), parse_cards("3h4cJh")
    one = worth(hole, flop, np.ones(HOLDINGS), opponents=1)
    assert one.hs == pytest.approx(0.585106, abs=5e-7)
    assert one.ppot == pytest.approx(0.108312, abs=5e-7)
    assert one.npot == pytest.approx(0.145402, abs=5e-7)
    assert worth(hole, flop, np.ones(HOLDINGS), opponents=5).hs == pytest.approx(0.068576, abs=5e-7)
    two = worth(hole, flop, np.ones(HOLDINGS), opponents=1, lookahead=2)
    assert two.ehs == pytest.approx(0.511399, abs=5e-7)
    assert two.optimistic_ehs == pytest.approx(0.671539, abs=5e-7)


@pytest.mark.parametrize("known", [3, 4, 5])
def test_worth_is_what_slow_enumeration_says(known: int) -> None:
    rng = np.random.default_rng(known)
    for _ in range(10):
        hole, board = parse_holding("AdQc"), parse_cards("3h4cJh8s2d")[:known]
        weights = rng.random(HOLDINGS) ** 3
        found = worth(hole, board, weights, opponents=3)
        slow = hand_strength(hole, board, weights=weights)
        assert found.hs1 == pytest.approx(slow, abs=1e-5)
        assert found.hs == pytest.approx(slow**3, abs=1e-5)
        if known < 5:
            other = potential(hole, board, to_come=1, weights=weights)
            assert found.ppot == pytest.approx(other.ppot, abs=1e-5)
            assert found.npot == pytest.approx(other.npot, abs=1e-5)
        else:
            assert found.ppot == found.npot == 0.0


# --- The rules, from the boldest down ---


def test_what_is_made_of_a_number_of_bets() -> None:
    assert make(2, FLOP) is make(2, BET) is ActionKind.RAISE
    assert make(2, RAISED) is ActionKind.CALL
    assert make(1, FLOP) is ActionKind.RAISE
    assert make(1, BET) is ActionKind.CALL
    assert make(1, RAISED) is ActionKind.FOLD
    assert make(1, replace(RAISED, is_in=True)) is ActionKind.CALL
    assert make(0, FLOP) is ActionKind.CALL
    assert make(0, BET) is ActionKind.FOLD


def test_strength_bets_and_raises() -> None:
    assert decided(FLOP, hand(0.85)) == (LokiRule.MAKE2, ActionKind.RAISE)
    assert decided(BET, hand(0.85)) == (LokiRule.MAKE2, ActionKind.RAISE)
    assert decided(BET, hand(0.849)) == (LokiRule.MAKE1, ActionKind.CALL)
    assert decided(FLOP, hand(0.50)) == (LokiRule.MAKE1, ActionKind.RAISE)
    assert decided(FLOP, hand(0.499)) == (LokiRule.CHECK, ActionKind.CALL)
    # EHS' = .4 + .6 * .2 = .52; HS alone is not enough.
    assert decided(FLOP, hand(0.40, 0.2))[0] is LokiRule.MAKE1  # type: ignore[index]
    hs_only = replace(ALL, potential=False, semi_bluff=False)
    assert decided(FLOP, hand(0.40, 0.2), hs_only) == (LokiRule.CHECK, ActionKind.CALL)


def test_a_draw_is_bet_when_potential_pays_two_bets_into_the_pot_of_six_more() -> None:
    # 2 * 10 / (60 + 6 * 10) = 1/6.
    draw = hand(0.1, 1 / 6)
    assert decided(FLOP, draw) == (LokiRule.SEMI_BLUFF, ActionKind.RAISE)
    assert decided(FLOP, hand(0.1, 0.166)) == (LokiRule.CHECK, ActionKind.CALL)
    assert decided(FLOP, draw, replace(ALL, semi_bluff=False)) == (LokiRule.CHECK, ActionKind.CALL)
    river = replace(FLOP, street=Street.RIVER, bet_size=20)
    assert decided(river, draw) == (LokiRule.CHECK, ActionKind.CALL)


@pytest.mark.parametrize("street", [Street.TURN, Street.RIVER])
def test_a_semi_bluff_goes_on_without_potential_until_somebody_bets(street: Street) -> None:
    """Papp 1998, section 6.4 and the algorithm at the end of chapter 6."""
    later, nothing = replace(FLOP, street=street, bet_size=20), hand(0.01)
    assert decided(later, nothing, barrel=True) == (LokiRule.SEMI_BLUFF, ActionKind.RAISE)
    assert decided(later, nothing) == (LokiRule.CHECK, ActionKind.CALL)
    without = replace(ALL, semi_bluff=False)
    assert decided(later, nothing, without, barrel=True) == (LokiRule.CHECK, ActionKind.CALL)
    bet = replace(later, pot=80, to_call=20, bets=1, bets_to_call=1)
    assert decided(bet, nothing, barrel=True) == (LokiRule.FOLD, ActionKind.FOLD)


@pytest.mark.parametrize(
    ("own", "asked"),
    [
        (hand(0.2, ppot=0.1), 0.2),  # 8 chips lost on average when called, 32 of 40 to win
        (hand(0.0), 0.2),
        (hand(0.4, ppot=0.5), 0.0),
        (hand(0.2, ppot=0.9), 0.0),
    ],
)
def test_folds_that_pay_for_a_bet_decide_instead_where_they_are_learned(
    own: HandEvaluation, asked: float
) -> None:
    spot = replace(FLOP, pot=40)
    assert folds_asked(spot, own) == pytest.approx(asked)
    enough, too_few = asked + 1e-9, asked - 1e-9
    sure = EhsThresholds(1, 1)
    bet = rule(spot, own, sure, ALL, barrel=False, folds=enough)
    assert (bet.verb, bet.rule) == (ActionKind.RAISE, LokiRule.FOLD_EQUITY)
    check = rule(spot, own, sure, ALL, barrel=True, folds=too_few)
    assert (check.verb, check.rule) == (ActionKind.CALL, LokiRule.CHECK)


def test_a_hand_worth_a_bet_falls_back_on_the_odds_where_it_would_fold() -> None:
    """Papp 1998, section 6.2: a decision that is rejected leaves the next in the order."""
    assert make(1, RAISED) is ActionKind.FOLD
    assert decided(RAISED, hand(0.6)) == (LokiRule.SHOWDOWN_ODDS, ActionKind.CALL)
    no_showdown = replace(ALL, showdown_odds=False)
    assert decided(RAISED, hand(0.6), no_showdown) == (LokiRule.FOLD, ActionKind.FOLD)
    assert decided(RAISED, hand(0.5, 0.2), no_showdown) == (LokiRule.POT_ODDS, ActionKind.CALL)
    river = replace(RAISED, street=Street.RIVER)
    assert decided(river, hand(0.6)) == (LokiRule.POT_ODDS, ActionKind.CALL)
    assert decided(replace(RAISED, is_in=True), hand(0.6)) == (LokiRule.MAKE1, ActionKind.CALL)


def test_a_hand_worth_a_raise_is_raised_to_two_bets_or_to_the_cap() -> None:
    to_cap = replace(ALL, raise_to=RaiseTo.CAP)
    capped = replace(RAISED, bets=4)
    assert decided(RAISED, hand(0.9)) == (LokiRule.MAKE2, ActionKind.CALL)
    assert decided(RAISED, hand(0.9), to_cap) == (LokiRule.MAKE2, ActionKind.RAISE)
    assert decided(capped, hand(0.9), to_cap) == (LokiRule.MAKE2, ActionKind.CALL)


@pytest.mark.parametrize(("caps", "preflop", "later"), [((2, 3, 5, 5), 3, 5), (None, 4, 4)])
def test_the_cap_is_that_of_the_rules_or_else_the_usual_one(
    caps: tuple[int, int, int, int] | None, preflop: int, later: int
) -> None:
    rules = replace(limit_holdem(2), max_raises=caps)
    state = step(initial(rules), DealHoles((None, None)))
    assert spot_of(state, Seat(0)).cap == preflop
    assert most_raises(rules, Street.TURN) == later


def test_pot_odds() -> None:
    """Papp 1998, ch. 6: a chance of a fifth calls one bet into a pot of four, not of three."""
    river = replace(BET, street=Street.RIVER, pot=80, to_call=20, bet_size=20)
    assert decided(river, hand(0.2)) == (LokiRule.POT_ODDS, ActionKind.CALL)
    assert decided(replace(river, pot=60), hand(0.2)) == (LokiRule.FOLD, ActionKind.FOLD)
    honest = replace(ALL, showdown_odds=False)
    assert decided(BET, hand(0.01, 0.125), honest) == (
        LokiRule.POT_ODDS,
        ActionKind.CALL,
    )  # 10 / 80
    assert decided(BET, hand(0.01, 0.124), honest) == (LokiRule.FOLD, ActionKind.FOLD)
    assert decided(BET, hand(0.01, 0.125), replace(honest, pot_odds=False))[0] is LokiRule.FOLD  # type: ignore[index]


def test_showdown_odds() -> None:
    assert pytest.approx(50 / 160) == BET.showdown_odds  # (10 + 4 * 10) / (70 + 10 + 8 * 10)
    turn = replace(BET, street=Street.TURN, pot=120, to_call=20, bet_size=20)
    assert turn.showdown_odds == pytest.approx(40 / 180)  # (20 + 20) / (120 + 20 + 2 * 20)
    assert decided(BET, hand(0.32)) == (LokiRule.SHOWDOWN_ODDS, ActionKind.CALL)
    assert decided(BET, hand(0.31)) == (LokiRule.FOLD, ActionKind.FOLD)
    assert decided(BET, hand(0.40, npot=0.3)) == (LokiRule.FOLD, ActionKind.FOLD)
    assert decided(BET, hand(0.32), replace(ALL, showdown_odds=False))[0] is LokiRule.FOLD  # type: ignore[index]


# --- Deception ---


@pytest.mark.parametrize(
    ("option", "spot", "own", "said", "verb"),
    [
        ("check_raise", FLOP, hand(0.9), LokiRule.CHECK_RAISE, ActionKind.CALL),
        ("fake_check_raise", FLOP, hand(0.6), LokiRule.FAKE_CHECK_RAISE, ActionKind.CALL),
        ("balancing_raise", BET, hand(0.6), LokiRule.BALANCING_RAISE, ActionKind.RAISE),
        (
            "river_bluff",
            replace(FLOP, street=Street.RIVER),
            hand(0.05),
            LokiRule.RIVER_BLUFF,
            ActionKind.RAISE,
        ),
    ],
)
def test_deception_happens_as_often_as_asked(
    option: str, spot: LokiSpot, own: HandEvaluation, said: LokiRule, verb: ActionKind
) -> None:
    stream = SplitMix64(5)
    honest = rule(spot, own, LEVELS, ALL, barrel=False)
    before = stream.state
    assert disguise(honest, spot, own, ALL, stream) == honest
    assert stream.state == before
    given: dict[str, Any] = {option: 0.25}
    sometimes = replace(ALL, **given)
    found = [disguise(honest, spot, own, sometimes, stream) for _ in range(4000)]
    changed = [each for each in found if each != honest]
    assert 880 < len(changed) < 1120  # 1000, and more than four standard deviations of 27
    assert {(each.rule, each.verb) for each in changed} == {(said, verb)}


@pytest.mark.parametrize("hs", [0.6, 0.9])
def test_no_check_raise_without_somebody_left_to_bet(hs: float) -> None:
    last = replace(FLOP, checkers=(Seat(1), Seat(2), Seat(3)))
    honest = rule(last, hand(hs), LEVELS, ALL, barrel=False)
    always = replace(ALL, check_raise=1.0, fake_check_raise=1.0)
    assert disguise(honest, last, hand(hs), always, SplitMix64(1)) == honest


def test_a_mediocre_hand_that_was_checked_in_disguise_raises_the_bet() -> None:
    """Papp 1998, 6.7: fake check-raises, so that a check-raise says less."""
    fakes = replace(ALL, fake_check_raise=0.01)
    after_check = replace(BET, has_checked=True)

    def verb_of(spot: LokiSpot, hs: float, settings: LokiSettings) -> ActionKind:
        honest = rule(spot, hand(hs), LEVELS, settings, barrel=False)
        return disguise(honest, spot, hand(hs), settings, SplitMix64(1)).verb

    assert verb_of(after_check, 0.6, fakes) is ActionKind.RAISE
    assert verb_of(after_check, 0.6, ALL) is ActionKind.CALL
    assert verb_of(BET, 0.6, fakes) is ActionKind.CALL, "it had not checked"
    assert verb_of(after_check, 0.3, fakes) is ActionKind.FOLD, "no longer worth a bet"
    two_bets = replace(RAISED, has_checked=True)
    assert verb_of(two_bets, 0.6, fakes) is ActionKind.CALL, "by showdown odds"


def test_who_has_checked_is_known_until_the_street_ends() -> None:
    small, big = Seat(1), Seat(0)
    state = step(initial(limit_holdem(2)), DealHoles((None, None)))
    for event in (
        Act(small, Call()),
        Act(big, Call()),
        DealBoard(parse_cards("2c7dTh")),
    ):
        state = step(state, event)
    assert not spot_of(state, big).has_checked
    state = step(state, Act(big, Call()))
    behind = spot_of(state, small)
    assert (behind.has_checked, behind.checkers) == (False, (big,))
    state = step(state, Act(small, Raise(Chips(10))))
    first = spot_of(state, big)
    assert (first.has_checked, first.checkers) == (True, ())


def test_thresholds_move_by_chance_only_if_asked() -> None:
    stream = SplitMix64(2)
    assert thresholds(ALL, stream) == LEVELS
    moved = [thresholds(replace(ALL, jitter=0.1), stream) for _ in range(500)]
    first = np.array([each.make1 for each in moved])
    assert first.min() >= 0.4
    assert first.max() <= 0.6
    assert first.std() == pytest.approx(0.1 / 3**0.5, rel=0.1)


# --- Simulation ---


def test_triples_invert_the_frequencies() -> None:
    """Averaged over all hands, the triple gives back the frequencies it was made of."""
    ranks = (np.arange(4000) + 0.5) / 4000
    for frequencies in ([0.5, 0.3, 0.2], [0.7, 0.2, 0.1], [0, 0.5, 0.5], [0.001, 0.5, 0.499]):
        triples = [triple(rank, frequencies) for rank in ranks]
        means = np.mean([(each.fold, each.call, each.bet) for each in triples], axis=0)
        assert means == pytest.approx(frequencies, abs=0.001)
    assert triple(0.0, [0, 0, 1]).bet == 1.0


def test_triples_refuse_what_is_no_distribution() -> None:
    with pytest.raises(BadInput, match="three that add up to 1"):
        triple(0.5, [0.5, 0.5, 0.5])


@pytest.mark.parametrize(
    ("call", "bet", "to_call", "verb"),
    [
        (5.0, 6.0, 10, ActionKind.RAISE),
        (5.0, 4.0, 10, ActionKind.CALL),
        (-1.0, -2.0, 10, ActionKind.FOLD),
        (-2.0, -1.0, 10, ActionKind.FOLD),
        (-2.0, -1.0, 0, ActionKind.RAISE),
        (0.0, -1.0, 0, ActionKind.CALL),
    ],
)
def test_the_better_action_is_taken(
    call: float, bet: float, to_call: int, verb: ActionKind
) -> None:
    assert Expected(call=call, bet=bet, trials=9).decision(to_call=to_call).verb is verb


# --- At the table ---


def played(*specs: str, deals: int = 6, seed: int = 3) -> np.ndarray:
    players = (specs * 10)[:10]
    match = Match(
        players=players,
        rules=limit_holdem(10),
        deals=deals,
        seed=seed,
        seating=Seating.PERMUTED,
        chunk=deals,
    )
    return np.asarray(ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=False)).play(0).payoffs)


@pytest.mark.slow(but=["potential"])
@pytest.mark.parametrize("switch", ["semi-bluff", "pot-odds", "showdown-odds", "potential"])
def test_every_switch_changes_the_play(switch: str) -> None:
    assert not np.array_equal(
        played("loki:bpm", deals=30, seed=9),
        played("loki:bpm", f"loki:bpm,{switch}=off", deals=30, seed=9),
    )


@pytest.mark.slow(but=["checks=inverse"])
@pytest.mark.parametrize(
    "option",
    ["scale=field", "checks=inverse", "sigma=learned", "opponents=one", "opponents=each"],
)
def test_every_way_to_model_changes_the_play(option: str) -> None:
    assert not np.array_equal(
        played("loki:som", "loki:bpl", deals=15, seed=9),
        played(f"loki:som,{option}", "loki:bpl", deals=15, seed=9),
    )


def test_with_one_opponent_who_counts_a_hand_is_worth_as_much_in_a_crowd() -> None:
    usual, only_one = VERSIONS["bpl"], replace(VERSIONS["bpl"], opponents=Opponents.ONE)
    others = (Seat(0), Seat(2), Seat(3), Seat(5))
    spot = replace(FLOP, checkers=(Seat(3),))
    assert _counted(others, spot, usual) == (0, 2, 5)
    assert len(_counted(others, replace(FLOP, checkers=others), usual)) == 1
    assert len(_counted(others, spot, only_one)) == 1
    assert _counted(others, spot, replace(usual, checkers=Checkers.COUNT)) == others


def test_a_hand_is_ahead_of_each_by_what_it_may_hold() -> None:
    """Beside the slow count of either."""
    rng = np.random.default_rng(2)
    weights = [rng.random(HOLDINGS), rng.random(HOLDINGS) ** 8]
    board, own = BOARD[:4], parse_holding("QcJc")
    slow = [hand_strength(own, board, weights=each) for each in weights]
    assert ahead_of_each(own, board, weights) == pytest.approx(slow[0] * slow[1])
    assert slow[0] != pytest.approx(slow[1], rel=1e-3)


@pytest.mark.slow(only=["sim", "best"])
@pytest.mark.parametrize("version", VERSIONS)
def test_a_seed_plays_the_same(version: str) -> None:
    spec = f"loki:{version},river-bluff=0.5,jitter=0.05"
    assert np.array_equal(played(spec, deals=2), played(spec, deals=2))


def test_options_reach_the_settings() -> None:
    player = make_player("loki:som,tightness=tight,semi-bluff=off,trials=7,make1=0.6,decay=0.9")
    assert isinstance(player, LokiPlayer)
    assert player.settings == replace(
        VERSIONS["som"],
        tightness=type(player.settings.tightness)("tight"),
        semi_bluff=False,
        trials=7,
        make1=0.6,
        decay=0.9,
    )


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("loki:xyz", ", ".join(VERSIONS)),
        ("loki:gom,semi-bluff=maybe", "on, off"),
        ("loki:gom,trials=0", "1 to 100000"),
        ("loki:gom,tightness=wild", "tight, moderate, loose"),
        ("loki:gom,bluff=1", "no option of loki 'bluff'"),
        ("loki:bpl,model=learned", "opponents are not modelled; allowed: gom, som"),
        ("loki:som,fold-equity=on", "fold-equity needs model=learned"),
        ("loki:best,decay=0.9", "decay with model=learned, which does not use it"),
    ],
)
def test_what_is_not_allowed_is_said(spec: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        make_player(spec)


def test_no_explanation_before_a_decision() -> None:
    with pytest.raises(LookupError, match="not decided"):
        _ = LokiPlayer(LokiSettings()).explanation


# --- Why ---


def test_explanations_come_from_the_decisions_themselves() -> None:
    """Asked again for each decision of a log, a fresh player does the same and says why."""
    match = Match(players=("loki:gom",) * 10, rules=limit_holdem(10), deals=4, seed=2)
    told: Counter[LokiRule] = Counter()
    for record in ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=True)).records(0):
        for seat in range(10):
            for decision in range(1, decisions_of(record, Seat(seat)) + 1):
                player = make_player("loki:gom")
                assert isinstance(player, LokiPlayer)
                asked = ask(player, record, Seat(seat), decision=decision)
                found = player.explanation
                assert found.action == asked.action == asked.played
                assert (found.seat, found.board) == (seat, asked.view.state.board)
                told[found.rule] += 1
                _check_beliefs(player, asked)
    assert told[LokiRule.STRATEGY] >= 30
    assert told[LokiRule.MAKE1]
    assert told[LokiRule.MAKE2]


def _check_beliefs(player: LokiPlayer, asked: Asked) -> None:
    """The opponents' actions that taught something, in order, each with the weights around it."""
    acts = (step.event for step in asked.before if isinstance(step.event, Act))
    learned = player.learned()
    assert all(each.act in acts for each in learned)  # a subsequence: an iterator is used up
    assert all(each.act.seat != asked.seat for each in learned)
    for each in learned:
        assert each.after.shape == each.before.shape == (HOLDINGS,)
        assert each.after.sum() <= each.before.sum()


def test_som_learns_from_habits_and_forgets_them_on_reset() -> None:
    """The raises of somebody who always raises say little, once that is known."""
    rules = limit_holdem(3)
    match = Match(
        players=("always-raise", "always-call", "always-call"), rules=rules, deals=60, seed=1
    )
    records = list(ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=True)).records(0))
    maniacs = [record.players.index("always-raise") for record in records]
    last, seat = records[-1], Seat((maniacs[-1] + 1) % 3)
    player = make_player("loki:som")
    assert isinstance(player, LokiPlayer)

    def spread(before: list[HandRecord]) -> float:
        ask(player, last, seat, before=before)
        weights = player.beliefs.weights(Seat(maniacs[-1]))
        return float(weights.sum())

    fresh = spread([])
    known = spread(records[:-1])
    assert known > fresh
    assert spread([]) == fresh


def checked_to(cards: int, *actions: Action) -> HandState:
    """Two players who have checked to a board of so many cards, and what happens there."""
    state = initial(limit_holdem(2))
    state = step(state, DealHoles((None, None)))
    for known, more in ((0, 3), (3, 1), (4, 1)):
        if known < cards:
            while state.actor is not None:
                state = step(state, Act(state.actor, Call()))
            state = step(state, DealBoard(BOARD[known : known + more]))
    for action in actions:
        assert state.actor is not None
        state = step(state, Act(state.actor, action))
    return state


def played_out(own: str, other: str, *actions: Action, cards: int = 5, trials: int = 5) -> Expected:
    """Against somebody who holds just that and calls whatever comes."""
    state = checked_to(cards, *actions)
    assert state.actor is not None
    weights = np.zeros(HOLDINGS)
    weights[parse_holding(other)] = 1.0
    calls = Frequencies(counts=[[[0, BLENDED, 0]] * BETS] * len(Street))
    return expected(
        state,
        state.actor,
        parse_holding(own),
        [weights, weights],
        [actions_by(calls)] * 2,
        FurtherFacts(NO_FACTS, 0, 0),
        trials=trials,
        stream=SplitMix64(1),
    )


def test_simulation_against_a_caller_on_the_river_is_arithmetic() -> None:
    """Bets of 20 into a pot of 20."""
    wins = Expected(call=20.0, bet=40.0, trials=5)
    loses = Expected(call=0.0, bet=-20.0, trials=5)
    splits = Expected(call=10.0, bet=10.0, trials=5)
    assert played_out("AhAd", "KhKd") == wins
    assert played_out("QhQd", "KhKd") == loses
    assert played_out("QhQd", "QcQs") == splits
    assert loses.decision(to_call=0).verb is ActionKind.CALL
    faced = played_out("QhQd", "KhKd", Raise(Chips(20)))
    assert faced == Expected(call=-20.0, bet=-40.0, trials=5)
    assert faced.decision(to_call=20).verb is ActionKind.FOLD
    assert played_out("AhAd", "KhKd", Raise(Chips(20))) == Expected(call=40.0, bet=60.0, trials=5)


def test_simulation_calls_down_where_its_own_table_would_fold() -> None:
    """Aces on the river, in a pot of 20 with bets of 20, to somebody who always raises."""
    state = checked_to(5)
    assert state.actor is not None
    weights = np.zeros(HOLDINGS)
    weights[parse_holding("KhKd")] = 1.0
    folds, raises = (
        Frequencies(counts=[[kinds] * BETS] * len(Street))
        for kinds in ([BLENDED, 0, 0], [0, 0, BLENDED])
    )
    found = expected(
        state,
        state.actor,
        parse_holding("AhAd"),
        [weights, weights],
        [actions_by(folds), actions_by(raises)],
        FurtherFacts(NO_FACTS, 0, 0),
        trials=5,
        stream=SplitMix64(1),
    )
    assert found == Expected(call=40.0, bet=60.0, trials=5)


@pytest.mark.parametrize("cards", [3, 4])
def test_simulation_against_a_caller_comes_to_the_equity(cards: int) -> None:
    """Of a pot of 20, or of 20 and two bets of which one is the actor's own."""
    found = played_out("QcJc", "AhKd", cards=cards, trials=20_000)
    share = equity(["QcJc", "AhKd"], board=BOARD[:cards]).players[0].equity
    bet = (10, 20)[cards - 3]
    error = np.sqrt(share * (1 - share) / 20_000)
    assert found.call == pytest.approx(20 * share, abs=4 * 20 * error)
    assert found.bet == pytest.approx((20 + 2 * bet) * share - bet, abs=4 * (20 + 2 * bet) * error)


def test_hands_are_ranked_by_the_tables() -> None:
    holding = parse_holding("QcJc")
    for table, cards in zip(rank_tables(), (4, 5), strict=True):
        found = simulation_kernels._rank(table, board_index(BOARD[:cards]), holding)
        assert found == pytest.approx(hand_rank(holding, BOARD[:cards]).ihr, abs=1e-6)


# A decision of a Loki in words.


@pytest.mark.parametrize(
    ("rule", "verb", "action", "words"),
    [
        (
            LokiRule.MAKE2,
            ActionKind.RAISE,
            Raise(Chips(40)),
            "The hand and its chances are worth a raise.",
        ),
        (
            LokiRule.MAKE2,
            ActionKind.RAISE,
            Call(),
            "The hand and its chances are worth a raise, but no raise is allowed.",
        ),
        (
            LokiRule.MAKE2,
            ActionKind.CALL,
            Call(),
            "The hand and its chances are worth a raise, and enough bets are in already.",
        ),
        (LokiRule.MAKE1, ActionKind.CALL, Call(), "The hand and its chances are worth a bet."),
        (
            LokiRule.STRATEGY,
            ActionKind.RAISE,
            Call(),
            "The strategy chosen before the flop, but no raise is",
        ),
        (LokiRule.FOLD, ActionKind.FOLD, Fold(), "There is no reason to call."),
    ],
)
def test_a_rule_says_what_keeps_its_action_from_being_taken(
    rule: LokiRule, verb: ActionKind, action: Action, words: str
) -> None:
    explanation = DecisionRecord(
        seat=Seat(0),
        holding=parse_holding("AsKs"),
        board=(),
        spot=cast("Any", None),
        reason=cast("Any", None),
        rule=rule,
        verb=verb,
        action=action,
    )
    assert rule_words(explanation).startswith(words)
