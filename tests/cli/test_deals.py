"""`railbird deals`: each deal from every seat, and `assess` that knows the copies."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from helpers.command_line import call
from railbird.assessment import assess_table
from railbird.cards import Card, format_card, holding_of
from railbird.game import Call, HandDealer, Raise, no_limit_holdem, payoffs
from railbird.game.deal import duplicate_deals
from railbird.histories import HandRecord
from railbird.units import Chips


@pytest.mark.parametrize("seats", [2, 6])
def test_every_player_has_every_seat_of_every_deal_once(seats: int) -> None:
    deals = 2 * seats
    rows = duplicate_deals(np.random.default_rng(3), seats, deals)
    assert rows.shape == (deals * seats, 2 * seats + 5)
    played = defaultdict(set)
    for hand, row in enumerate(rows.tolist()):
        assert len(set(row)) == len(row)
        dealer = (seats - 1 + hand) % seats  # as repeated_poker moves the button
        cards = [tuple(row[2 * player : 2 * player + 2]) for player in range(seats)]
        by_seat = tuple(cards[(dealer + 1 + seat) % seats] for seat in range(seats))
        played[by_seat, tuple(row[2 * seats :])].add(dealer)
    assert len(played) == deals
    assert all(len(buttons) == seats for buttons in played.values())


def test_forms_and_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "preset.json"
    asked = ("deals", "--duplicate", "--seats", "2", "--count", "4", "--seed", "5")
    code, _, err = call(capsys, *asked, "--out", str(out))
    assert code == 0, err
    hands = json.loads(out.read_text())["presetHands"]
    assert len(hands) == 8
    assert all(len(hand) == 9 and all(0 <= card < 52 for card in hand) for hand in hands)
    code, text, _ = call(capsys, *asked, "--to", "text")
    lines = text.split("\n")[:8]
    words = [format_card(Card(card)) for card in hands[0]]
    assert code == 0
    assert all(word in lines[0] for word in words)
    assert [len(line) for line in lines] == [4 + 1 + 4 + 1 + 10] * 8
    code, _, err = call(capsys, "deals", "--duplicate", "--seats", "6", "--count", "4")
    assert code == 2
    assert "a multiple of 6" in err
    code, _, err = call(capsys, *asked, "--out", str(out))
    assert code == 2, "nothing is overwritten unasked"


def records(rows: list[list[int]], seats: int) -> list[HandRecord]:
    """Play hands as an arena does, numbered one by one; one player raises whatever it has."""
    rules = no_limit_holdem(seats, blinds=(1, 2), stack=200)
    names = [f"agent {player}" for player in range(seats)]
    found = []
    for number, row in enumerate(rows):
        turn = number % seats
        order = [(turn + seat) % seats for seat in range(seats)]
        holes = tuple(holding_of(Card(row[2 * p]), Card(row[2 * p + 1])) for p in order)
        dealer = HandDealer(rules, holes, tuple(Card(card) for card in row[2 * seats :]))
        dealer.begin()
        actions = []
        while dealer.asks is not None:
            raises = order[dealer.asks] == 0 and dealer.state.raises == 0
            actions.append(Raise(Chips(dealer.state.bet + 6)) if raises else Call())
            dealer.act(actions[-1])
        found.append(
            HandRecord(
                rules=rules,
                players=tuple(names[player] for player in order),
                holes=holes,
                board=tuple(dealer.state.board),
                actions=tuple(actions),
                payoffs=tuple(map(Fraction, payoffs(dealer.state))),
                number=number,
            )
        )
    return found


@pytest.mark.slow
def test_assess_counts_the_copies_of_a_deal_as_one_value() -> None:
    rows = duplicate_deals(np.random.default_rng(4), 2, 40)
    told = assess_table(records(rows.tolist(), 2), threads=1)
    assert told.hands == 80
    assert told.scores["deal"].n_unique() == 40
    # The two of a deal sit with each other's cards, in another hand of the series.
    spans = told.scores.group_by("deal").agg(pl.col("row").n_unique())
    assert spans["row"].to_list() == [2] * 40
    alone = assess_table(records(rows.tolist()[:40], 2), threads=1)
    assert alone.scores["deal"].n_unique() == 40, "no copy is there"
    duplicate, single = (one.estimates["agent 0"]["money"] for one in (told, alone))
    assert duplicate.stderr < single.stderr
