"""Prizes less the luck of all-ins: zero on average over all boards, and narrower."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Tournaments, play_tournaments
from railbird.arena.series.tournament import TournamentTables
from railbird.assessment import all_in_prize_luck
from railbird.assessment.all_in.adjusted_winnings import where_all_in
from railbird.cards import Card, cards_of
from railbird.cli import run
from railbird.errors import BadInput
from railbird.game import payoffs, replay
from railbird.histories import HandRecord
from railbird.histories.columns import batch_of
from railbird.tournament import parse_payouts, parse_schedule, prize_equities

SERIES = Tournaments(
    players=("random:fold=0.2", "random", "always-raise", "random", "always-call"),
    count=40,
    seed=2,
    stack=300,
    schedule=parse_schedule("10/20x3,25/50/5x3"),
    payouts=parse_payouts("60/30/10"),
)
PRIZES = SERIES.prizes(range(1, 6))


def luck_of(hands: list[HandRecord], tournaments: int = SERIES.count) -> np.ndarray:
    return all_in_prize_luck(
        [batch_of(hands)],
        names=SERIES.names,
        tournaments=tournaments,
        stack=SERIES.stack,
        prizes=PRIZES,
    ).luck


def with_board(hand: HandRecord, board: tuple[Card, ...]) -> HandRecord:
    state = replay(hand.rules, hand.holes, board, hand.actions)
    return replace(hand, board=board, payoffs=tuple(map(Fraction, payoffs(state))))


@pytest.fixture(scope="module")
def played() -> list[list[HandRecord]]:
    floor = TournamentTables(SERIES)
    return [floor.play(index)[1] for index in range(SERIES.count)]


@pytest.mark.parametrize("dealt", [3, 4])
def test_luck_is_zero_over_all_boards(played: list[list[HandRecord]], dealt: int) -> None:
    """Every board that may come is dealt; the expectation is enumerated apart from the kernel."""
    checked = several = 0
    for index, hands in enumerate(played):
        cards, live = where_all_in(batch_of(hands))
        for place in np.flatnonzero((cards == dealt) & (live.sum(axis=1) < 5)).tolist():
            hand, before = hands[place], hands[:place]
            if checked >= 5 - dealt or (several and live[place].sum() == 2):
                continue
            seen = {card for hole in hand.holes if hole is not None for card in cards_of(hole)}
            seen |= set(hand.board[:dealt])
            left = [Card(card) for card in range(52) if Card(card) not in seen]
            until = luck_of(before)[index] if before else np.zeros(5)
            stacks = dict.fromkeys(SERIES.names, SERIES.stack)
            for each in before:
                for name, won in zip(each.players, each.payoffs, strict=True):
                    stacks[name] += int(won)
            boards = list(combinations(left, 5 - dealt))
            found, values = np.zeros((len(boards), 5)), np.zeros((len(boards), 5))
            chosen = range(0, len(boards), 1 if dealt == 4 else 60)
            for number, board in enumerate(boards):
                other = with_board(hand, (*hand.board[:dealt], *board))
                after = dict(stacks)
                for name, won in zip(other.players, other.payoffs, strict=True):
                    after[name] += int(won)
                had = [float(stacks[name]) for name in SERIES.names]
                values[number] = prize_equities(list(after.values()), PRIZES, had=had)
                if number in chosen:
                    found[number] = luck_of([*before, other])[index] - until
            wanted = values - values.mean(axis=0)
            np.testing.assert_allclose(found[chosen], wanted[chosen], atol=1e-9)
            if len(chosen) == len(boards):
                np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-9)
            assert np.abs(wanted).max() > 0.01
            checked += 1
            several += int(live[place].sum() > 2)
    assert checked


def test_the_luck_of_a_tournament_adds_up_to_zero_and_takes_variance_out(
    played: list[list[HandRecord]],
) -> None:
    result = play_tournaments(replace(SERIES, count=150), keep=True)
    found = all_in_prize_luck(
        result.batches(), names=SERIES.names, tournaments=150, stack=SERIES.stack, prizes=PRIZES
    )
    assert found.luck.sum(axis=1) == pytest.approx(np.zeros(150), abs=1e-9)
    assert found.all_ins > 200
    less = result.prizes - found.luck
    assert less.sum(axis=1) == pytest.approx(5)
    assert result.prizes.var(axis=0).sum() / less.var(axis=0).sum() > 1.3
    # The mean stays: the luck's mean is within four of its standard errors of zero.
    error = found.luck.std(axis=0) / np.sqrt(150)
    assert (np.abs(found.luck.mean(axis=0)) < 4 * error).all()
    logged = luck_of([hand for hands in played for hand in hands])
    np.testing.assert_allclose(found.luck[:40], logged, atol=1e-12)


def test_large_fields_value_stacks_by_their_share() -> None:
    field = replace(SERIES, players=("random",) * 50, count=1, seats=9)
    result = play_tournaments(field, keep=True)
    found = all_in_prize_luck(
        result.batches(),
        names=field.names,
        tournaments=1,
        stack=field.stack,
        prizes=field.prizes(range(1, 51)),
    )
    assert found.luck.sum() == pytest.approx(0, abs=1e-9)
    assert found.all_ins > 10


def test_hands_of_others_are_refused(played: list[list[HandRecord]]) -> None:
    with pytest.raises(BadInput, match="hands of other tournaments"):
        luck_of(played[3], tournaments=2)
    with pytest.raises(BadInput, match="hands of other tournaments"):
        luck_of([replace(played[0][0], players=tuple("abcde"))])
    with pytest.raises(BadInput, match="table 'x'; allowed: those of tournaments"):
        luck_of([replace(played[0][0], table="x")])


def test_prizes_that_are_all_alike_are_compared_with_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each wins one tournament of each set, by other all-ins: no variance, and no ratio of it."""
    args = ["tournament", "random", "always-call", "--duplicate", "--count", "4", "--icm"]
    assert run([*args, "--stack", "100", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "4 tournaments in 2 sets" in out
    assert "less the luck of " in out
    assert "As narrow as" not in out
    # The interval of a prize is that of the share of wins, here of one prize of two.
    assert "all alike" not in out


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["tournament", "always-raise", "always-call", "random", "--stack", "200", "--icm"]
    log = ["--log", str(tmp_path / "t.phhs")]
    assert run([*args, "--count", "6", *log]) == 0
    assert "less the luck of " in capsys.readouterr().out
    # What the log has already counts too.
    assert run([*args, "--count", "12", *log, "--duplicate", "--json", "--force"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["prize_less_luck"].keys() == answer["players"].keys()
    assert answer["prize_less_luck"]["random"]["n"] == 4
    assert sum(each["value"] for each in answer["prize_less_luck"].values()) == pytest.approx(3)
    assert answer["variance_reduction"] > 0.5
    assert run([*args, "--count", "15", *log, "--duplicate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["prize_less_luck"]["random"]["n"] == 5
    assert run([*args, "--shoot-out"]) == 2
    assert "--icm with --shoot-out; allowed: one of the two" in capsys.readouterr().err
