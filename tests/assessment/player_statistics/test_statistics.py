"""Statistics of players, checked hand by hand and against a plain count in Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from helpers.random_records import random_table_hand
from railbird.assessment.player_statistics.statistic_names import DEFINITIONS, Position, Statistic
from railbird.assessment.player_statistics.statistics import (
    by_position,
    counts_of,
    statistics_of,
)
from railbird.estimates.bounded_mean import BoundedMean
from railbird.game import Call, Fold, Raise, Street
from railbird.histories import HandRecord, read_hand
from railbird.histories.betting import course_of
from railbird.histories.columns import batch_of

SIX = "holdem.nolimit.6p.game,stack=10000"
# Blinds 50 and 100; seats: small blind, big blind, early, middle, cutoff, button.
NAMES = "sb|bb|utg|mp|co|btn"
S = Statistic


def of_hand(betting: str, payoffs: str, cards: str = "") -> dict[str, dict[str, tuple[int, int]]]:
    """What one hand counts for each player: how often of how many chances."""
    holes = "2c2d|3c3d|4c4d|5c5d|6c6d|7c7d"
    record = read_hand(f"STATE:1:{betting}:{holes}{cards}:{payoffs}:{NAMES}", game=SIX)
    rows = counts_of(batch_of([record])).to_dicts()
    return {
        row["player"]: {each.key: (row[each.key], row[f"{each.key}_chances"]) for each in S}
        for row in rows
    }


def test_a_steal_that_the_blinds_give_up() -> None:
    found = of_hand("ffr300fff", "-50|-100|0|0|150|0")
    assert found["co"]["steal"] == (1, 1)
    assert found["co"]["vpip"] == found["co"]["pfr"] == (1, 1)
    assert found["btn"]["steal"] == (0, 0)
    assert found["btn"]["three_bet"] == (0, 1)
    assert found["sb"]["fold_to_steal"] == found["bb"]["fold_to_steal"] == (1, 1)
    assert found["utg"]["vpip"] == (0, 1)
    assert found["utg"]["steal"] == (0, 0)


def test_a_walk_is_no_chance_for_anything() -> None:
    found = of_hand("fffff", "-50|50|0|0|0|0")
    assert found["bb"]["vpip"] == (0, 0)
    assert found["sb"]["steal"] == (0, 1)
    assert found["btn"]["steal"] == (0, 1)


def test_a_squeeze_a_fold_to_it_and_a_fourth_bet() -> None:
    found = of_hand("r300cfffr1200r3000ff", "-50|-1200|1550|-300|0|0")
    assert found["bb"]["squeeze"] == found["bb"]["three_bet"] == (1, 1)
    assert found["utg"]["fold_to_three_bet"] == (0, 1)
    assert found["utg"]["four_bet"] == (1, 1)
    assert found["mp"]["three_bet"] == (0, 1)
    assert found["mp"]["squeeze"] == (0, 0)
    assert found["mp"]["four_bet"] == (0, 0)
    assert found["co"]["squeeze"] == (0, 1)


def test_continuation_bets_and_what_they_meet() -> None:
    found = of_hand("r300ffffc/cr800c/cr1700f", "-50|-800|850|0|0|0", "/8s9sTh/Jc")
    assert found["utg"]["cbet"] == found["utg"]["cbet_turn"] == (1, 1)
    assert found["bb"]["fold_to_cbet"] == (0, 1)
    assert found["bb"]["check_raise"] == (0, 2)
    assert found["utg"]["aggression_frequency"] == (2, 2)
    assert found["bb"]["aggression_frequency"] == (0, 2)
    assert found["utg"]["wwsf"] == (1, 1)
    assert found["bb"]["wtsd"] == (0, 1)
    assert found["utg"]["wsd"] == (0, 0)


def test_a_check_raise_and_a_showdown() -> None:
    found = of_hand("r300ffffc/cr500r1500c/cc/cc", "-50|-1500|1550|0|0|0", "/8s9sKh/Qc/2h")
    assert found["bb"]["check_raise"] == (1, 1)
    assert found["bb"]["fold_to_cbet"] == (0, 1)
    assert found["utg"]["wtsd"] == found["bb"]["wtsd"] == (1, 1)
    assert found["utg"]["wsd"] == (1, 1)
    assert found["bb"]["wsd"] == (0, 1)
    assert found["bb"]["wwsf"] == (0, 1)


def test_a_checked_flop_is_a_chance_not_taken() -> None:
    found = of_hand("r300ffffc/cc/cr600f", "-50|-300|350|0|0|0", "/8s9sKh/Qc")
    assert found["utg"]["cbet"] == (0, 1)
    assert found["utg"]["cbet_turn"] == (0, 0)
    assert found["bb"]["fold_to_cbet"] == (0, 0)


def plain_counts(records: Sequence[HandRecord]) -> Counter[tuple[str, str]]:
    """VPIP, PFR, aggression and showdowns, counted from the readable walk."""
    counts: Counter[tuple[str, str]] = Counter()
    for record in records:
        moves = course_of(record.rules, record.actions).moves
        folded = {move.seat for move in moves if isinstance(move.action, Fold)}
        early = {m.seat for m in moves if isinstance(m.action, Fold) and m.street == 0}
        for seat, name in enumerate(record.players):
            mine = [move for move in moves if move.seat == seat]
            preflop = [move for move in mine if move.street is Street.PREFLOP]
            later = [move for move in mine if move.street is not Street.PREFLOP]
            if preflop:
                counts[name, "chances"] += 1
                counts[name, "pfr"] += any(isinstance(m.action, Raise) for m in preflop)
                counts[name, "vpip"] += any(
                    isinstance(m.action, Raise) or (isinstance(m.action, Call) and m.to_call > 0)
                    for m in preflop
                )
            counts[name, "bets"] += sum(isinstance(m.action, Raise) for m in later)
            counts[name, "calls"] += sum(
                isinstance(m.action, Call) and m.to_call > 0 for m in later
            )
            if len(record.board) >= 3 and seat not in early:
                counts[name, "flops"] += 1
                showdown = seat not in folded and len(folded) < record.rules.seats - 1
                counts[name, "showdowns"] += showdown
    return counts


def times(share: BoundedMean) -> int:
    return dict(zip(share.levels, share.counts, strict=True)).get(1.0, 0)


def test_counts_agree_with_a_plain_count() -> None:
    rng = np.random.default_rng(8)
    records = [random_table_hand(rng) for _ in range(500)]
    plain = plain_counts(records)
    found = statistics_of([batch_of(records[:123]), batch_of(records[123:])])
    assert len(found) == 9
    for name, of in found.items():
        shares = of.shares
        assert (shares[S.VPIP].n, times(shares[S.VPIP])) == (
            plain[name, "chances"],
            plain[name, "vpip"],
        )
        assert times(shares[S.PFR]) == plain[name, "pfr"]
        assert (of.bets_and_raises, of.calls) == (plain[name, "bets"], plain[name, "calls"])
        assert (shares[S.WTSD].n, times(shares[S.WTSD])) == (
            plain[name, "flops"],
            plain[name, "showdowns"],
        )


def test_winnings_of_showdowns_and_others_add_up() -> None:
    rng = np.random.default_rng(9)
    records = [random_table_hand(rng) for _ in range(200)]
    for of in statistics_of([batch_of(records)]).values():
        won, shown, other, _ = of.winnings.values()
        assert won.value == pytest.approx(shown.value + other.value)
    positions = by_position([batch_of(records)], players=["P0"])["P0"]
    whole = statistics_of([batch_of(records)], players=["P0"])["P0"]
    assert sum(of.hands for of in positions.values()) == whole.hands
    assert set(positions) <= set(Position)


def test_every_statistic_is_defined() -> None:
    assert set(DEFINITIONS) == set(Statistic)
