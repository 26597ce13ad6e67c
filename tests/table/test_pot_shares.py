"""Who won high and low, or which board: as the engine pays, and in words on the table."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from msgspec.structs import replace as with_fields

from railbird.cards import VARIANTS
from railbird.game import (
    Call,
    HandDealer,
    in_variant,
    legal,
    payoffs,
    pot_limit_holdem,
    public,
    seeded_deals,
)
from railbird.protocol import PlayerKind
from railbird.protocol.messages import HandOver, HandView, HistoryEntry
from railbird.protocol.redaction import (
    HandMoment,
    SeatHolder,
    entry_of,
    hand_view,
    pot_views,
    texts,
)
from railbird.table.advice import odds_of, odds_words
from railbird.table.felt import facts, felt_of
from railbird.table.pot_shares import won_shares
from railbird.table.words import hand_lines, line_text

NAMES = ("ann", "bob", "cid")


def _played(variant: str, seed: int) -> tuple[HandView, HandOver, tuple[Fraction, ...]]:
    """A hand that three play to the end, one of them with a short stack."""
    rules = pot_limit_holdem(3, blinds=(1, 2), stack=[40, 200, 200])
    rules = in_variant(rules, VARIANTS[variant])
    rng = np.random.default_rng(seed)
    dealer = HandDealer.of_row(rules, seeded_deals(rng, 3, 1, rules.variant)[0])
    history: list[HistoryEntry] = []
    steps = dealer.begin()
    while dealer.asks is not None:
        raises = [one for one in legal(dealer.state).actions() if rng.random() < 0.3]
        steps += dealer.act(raises[-1] if raises else Call())
    for event, before, after in steps:
        entry = entry_of(event, before, after)
        history += [] if entry is None else [entry]
    holders = tuple(SeatHolder(name, PlayerKind.PERSON, n) for n, name in enumerate(NAMES, 1))
    moment = HandMoment("t", 1, dealer.state, holders, tuple(history))
    won = payoffs(dealer.state)
    stacks = [had + int(more) for had, more in zip(rules.stacks or (), won, strict=True)]
    over = HandOver(
        table="t",
        hand=1,
        pots=pot_views(public(dealer.state)),
        won=[int(chips) for chips in won],
        stacks=stacks,
        rake=0,
    )
    return hand_view(moment, "ann"), over, won


def _all_cards(hand: HandView, variant: str, seed: int) -> HandView:
    """The hand as if nobody had mucked."""
    row = seeded_deals(np.random.default_rng(seed), 3, 1, VARIANTS[variant])[0].tolist()
    size = VARIANTS[variant].hand_size
    seats = [
        with_fields(seat, cards=texts(sorted(row[size * n : size * (n + 1)])))
        for n, seat in enumerate(hand.seats)
    ]
    return with_fields(hand, seats=seats)


@pytest.mark.parametrize("variant", ["omaha-hilo", "double-board-omaha", "omaha6-hilo"])
@pytest.mark.parametrize("seed", range(6))
def test_the_winners_of_the_shares_are_those_whom_the_engine_pays(variant: str, seed: int) -> None:
    hand, over, won = _played(variant, seed)
    whole = _all_cards(hand, variant, seed)
    game = VARIANTS[variant]
    paid = [Fraction(-seat.spent) for seat in hand.seats]
    for pot in over.pots:
        if len(pot.seats) == 1:
            paid[pot.seats[0]] += pot.amount
            continue
        shares = won_shares(whole, [pot])
        assert len(shares) == game.boards * len(game.shares)
        for number, share in enumerate(shares):
            first = number - number % len(game.shares)
            winners = share.seats or shares[first].seats
            for seat in winners:
                paid[seat] += Fraction(pot.amount, len(shares) * len(winners))
    for mine, engines in zip(paid, won, strict=True):
        assert abs(mine - engines) < 4, "odd chips apart"
    mucked = [n for n, seat in enumerate(hand.seats) if seat.mucked]
    told = won_shares(hand, over.pots)
    assert all(n not in share.seats for n in mucked for share in told)


def test_the_table_says_who_won_high_and_low() -> None:
    hand, over, _ = next(
        played
        for seed in range(99)
        if len((played := _played("omaha-hilo", seed))[0].board) == 5
        and all(share.seats for share in won_shares(played[0], played[1].pots))
        and not played[0].seats[0].folded
    )
    felt = felt_of(hand, over=over)
    assert felt.won_shares
    assert {words.rpartition(":")[0].rpartition(", ")[2].lower() for words in felt.won_shares} == {
        "high",
        "low",
    }
    lines = [line_text(line) for line in hand_lines(hand, over)]
    assert [line for line in lines if line in felt.won_shares] == list(felt.won_shares)
    assert {len(seat.cards) for seat in felt.seats if seat.cards} == {4}
    assert {card for seat in felt.seats for card in seat.cards} & felt.best
    assert "You hold" in facts(felt)["cards"]


def test_hidden_cards_are_as_many_as_the_game_deals() -> None:
    hand, _, _ = _played("omaha6-hilo", 1)
    unseen = with_fields(
        hand, seats=[with_fields(seat, cards=None, mucked=False) for seat in hand.seats]
    )
    assert {seat.hidden for seat in felt_of(unseen).seats} == {6}
    assert felt_of(hand).seats[0].hidden == 0


def test_a_game_on_two_boards_has_both() -> None:
    hand, over, _ = next(
        played
        for seed in range(99)
        if len((played := _played("double-board-omaha", seed))[0].board) == 5
    )
    felt = felt_of(hand, over=over)
    assert (len(felt.board), len(felt.second_board)) == (5, 5)
    labels = [words.partition(":")[0] for words in felt.won_shares]
    assert all("board" in label.lower() for label in labels)
    assert sum(line.kind == "street" for line in hand_lines(hand)) == 3


def test_odds_of_another_game_are_those_against_any_cards() -> None:
    hand, _, _ = _played("omaha-hilo", 2)
    before = with_fields(hand, board=[], history=[], street="preflop")
    odds = odds_of(before, 2)
    assert odds is not None
    assert 0 < odds.equity < 1
    assert 0 < odds.stderr < 0.005
    first = next(iter(odds_words(odds)))
    assert first.startswith("You win some of the pot")
    assert first.endswith(" with any 4 cards.")
