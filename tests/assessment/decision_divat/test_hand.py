"""One hand of any hold'em in full: the account adds up, and its standard errors are honest."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from helpers.random_records import random_table_hand
from railbird.assessment.decision_divat import hand
from railbird.assessment.decision_divat.hand import TableHandScore, score_table_hand
from railbird.assessment.decision_divat.settings import baseline_for
from railbird.baseline import parse_settings
from railbird.errors import BadInput
from railbird.game import Call, Fold, Raise, Street, replay
from railbird.game.notation import ActionName
from railbird.histories import HandRecord, read_hand
from railbird.histories.columns import batch_of
from twins.slow_decision_divat import choice

LINE = (
    "STATE:7:ffr300fcf/cr800c/cc/cc:AsAd|KcQc|2d2c|3d3c|9s8s|7h7c/2h3h4h/Ts/Js:"
    "900|-100|0|0|-800|0:Ann|Bob|Cy|Di|Ed|Flo"
)
SIX = "holdem.nolimit.6p.game,stack=10000"


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Position is sampled for a second else, for each of the random rules."""
    monkeypatch.setattr(hand, "POSITION_DEALS", 2_000)


def hands(seed: int, count: int) -> list[HandRecord]:
    rng = np.random.default_rng(seed)
    return [random_table_hand(rng, all_cards=True) for _ in range(count)]


def scored(record: HandRecord, *, boards: int = 200, seed: int = 0) -> TableHandScore:
    return score_table_hand(record, boards=boards, seed=seed)


def test_the_account_of_every_seat_adds_up_to_the_money() -> None:
    for record in hands(3, 12):
        score = scored(record)
        scale = max(1.0, *(abs(amount) for amount in score.money))
        for seat in range(record.rules.seats):
            parts = (score.position.value, score.luck.value, score.decisions.value)
            total = sum(part[seat] for part in parts) - score.rake[seat]
            assert total == pytest.approx(score.money[seat], abs=1e-9 * scale)
            by_street = sum(row.luck.value[seat] for row in score.rounds)
            assert by_street == pytest.approx(score.luck.value[seat], abs=1e-9 * scale)
            by_action = sum(d.delta.value[seat] for row in score.rounds for d in row.decisions)
            assert by_action == pytest.approx(score.decisions.value[seat], abs=1e-9 * scale)


def test_every_decision_has_the_baseline_of_the_readable_form() -> None:
    compared = 0
    for record in hands(4, 25):
        score = scored(record, boards=1)
        answers, policy = batch_of([record]).answers, baseline_for(record.rules)
        decisions = [each for row in score.rounds for each in row.decisions]
        assert len(decisions) == len(record.actions)
        unit = record.rules.chips_per_unit
        for i, each in enumerate(decisions):
            if answers.street[i] < Street.TURN:
                continue
            dealt = (0, 3, 4, 5)[answers.street[i]]
            state = replay(record.rules, record.holes, record.board[:dealt], record.actions[:i])
            match choice(state, policy):
                case Fold():
                    assert each.baseline.name is ActionName.FOLD
                case Call():
                    assert each.baseline.name in (ActionName.CALL, ActionName.CHECK)
                case Raise(to):
                    assert each.baseline.name.is_aggressive
                    assert each.baseline.amount * unit == pytest.approx(to)
            compared += 1
    assert compared > 20


def test_standard_errors_are_the_spread_of_other_seeds() -> None:
    record = read_hand(LINE, game=SIX)
    several = [scored(record, boards=500, seed=seed) for seed in range(40)]
    said = np.array([each.decisions.stderr for each in several])
    spread = np.array([each.decisions.value for each in several]).std(axis=0, ddof=1)
    moved = spread > 1e-6
    assert moved.any()
    ratios = spread[moved] / np.sqrt((said**2).mean(axis=0))[moved]
    assert np.all((ratios > 0.6) & (ratios < 1.6)), ratios


def test_what_happens_after_the_flop_is_exact() -> None:
    score = scored(read_hand(LINE, game=SIX))
    preflop, *later = score.rounds
    assert any(preflop.luck.stderr)
    assert any(any(each.delta.stderr) for each in preflop.decisions if not each.agrees)
    assert not any(any(each.delta.stderr) for row in later for each in row.decisions)
    assert not any(any(row.luck.stderr) for row in later[1:])


def test_agreement_changes_nothing_and_changes_add_up_to_nothing() -> None:
    seen = 0
    for record in hands(5, 15):
        for row in scored(record, boards=50).rounds:
            for each in row.decisions:
                if each.agrees:
                    assert not any(each.delta.value)
                    seen += 1
                assert math.fsum(each.delta.value) == pytest.approx(0, abs=1e-6)
    assert seen > 10


def test_several_settings_are_averaged() -> None:
    record = read_hand(LINE, game=SIX)
    settings = [parse_settings("standard"), parse_settings("loose-high")]
    one, two = (scored(record).decisions.value, score_table_hand(record, settings[1], boards=200))
    both = score_table_hand(record, settings, boards=200)
    mean = [(a + b) / 2 for a, b in zip(one, two.decisions.value, strict=True)]
    assert both.decisions.value == pytest.approx(mean)
    assert both.settings == "standard+loose-high"


def test_hidden_cards_are_refused_by_name() -> None:
    record = read_hand(LINE, game=SIX)
    hidden = replace(record, holes=(*record.holes[:5], None))
    with pytest.raises(BadInput, match=record.players[5]):
        scored(hidden)


def test_settings_without_a_meaning_here_are_refused() -> None:
    record = read_hand(LINE, game=SIX)
    with pytest.raises(BadInput, match="heads-up limit alone"):
        score_table_hand(record, "standard,pot=facing-bet", boards=10)
