"""Rounds by the simulator, by hand and from text."""

from __future__ import annotations

import math

import numpy as np
import pytest

from railbird.blackjack import game_value, parse_rules
from railbird.blackjack.chart import PAIRS, ROWS, UPCARDS
from railbird.blackjack.exact import strategy_of_chart
from railbird.blackjack.round import Round, parse_round, round_text
from railbird.blackjack.simulation import TableSeat, parse_seat, play_logged, simulate
from railbird.errors import BadInput

RULES = (
    "",
    "decks=6,S17,resplit=2,rsa,ls",
    "decks=2,enhc,ls,resplit=3,rsa,hsa",
    "decks=1,es,charlie=5,nodas",
    "decks=8,enhc,es,dbl=9-11,bj=6:5",
)


@pytest.mark.slow
@pytest.mark.parametrize("text", RULES)
def test_every_seat_of_a_table_keeps_what_it_did_and_saw(text: str) -> None:
    rules = parse_rules(text)
    names = ("basic:count=hi-lo", "never-bust", "source")
    seats = [parse_seat(name, rules) for name in names]
    rows = play_logged(rules, seats, 150, penetration=0.0, seed=1)
    for seat, played in enumerate(rows):
        for turn, (tokens, won) in enumerate(zip(played.tokens, played.won, strict=True)):
            events = tokens[: int(np.argmax(tokens < 0))].tolist()
            again = parse_round(round_text(events), rules)
            assert again.tokens == events
            assert again.won() == won, again.text()
            # What the others drew is what they have in their own rows.
            others = [_own_cards(row.tokens[turn]) for row in rows if row is not rows[seat]]
            seen = sorted(token % 10 for token in events if token >= 20)
            assert seen == sorted(card for cards in others for card in cards)


def _own_cards(tokens: np.ndarray) -> list[int]:
    """The player's cards: all before the dealer's turn but the upcard."""
    events = tokens[: int(np.argmax(tokens == 16))].tolist()
    return [card for place, card in enumerate(events) if place != 1 and card < 10]


@pytest.mark.slow
def test_a_table_that_runs_out_of_cards_goes_on() -> None:
    rules = parse_rules("decks=1,resplit=8,rsa,hsa,enhc")
    greedy = {
        row: dict.fromkeys(UPCARDS, "P" if row in PAIRS else "S" if row in ("19", "20") else "H")
        for row in ROWS
    }
    seat = TableSeat(name="greedy", strategy=strategy_of_chart("greedy", rules, greedy))
    results = simulate(rules, [seat] * 7, 20_000, penetration=0.0, seed=1)
    assert all(-2 < result.won.value < 0 for result in results)
    rows = play_logged(rules, [seat] * 7, 2_000, penetration=0.0, seed=1)
    assert len(rows[0].won) < 2_000  # some rounds cannot be kept


@pytest.mark.slow(but=["decks=1,es,charlie=5,nodas"])
@pytest.mark.parametrize("text", RULES)
def test_simulated_rounds_follow_the_rules_and_pay_what_they_should(text: str) -> None:
    rules = parse_rules(text)
    for name in ("basic", "source", "mimic"):
        (played,) = play_logged(rules, [parse_seat(name, rules)], 500, penetration=0.4, seed=1)
        assert len(played.won) > 495
        for tokens, won, before in zip(played.tokens, played.won, played.before, strict=True):
            events = tokens[: int(np.argmax(tokens < 0))].tolist()
            again = parse_round(round_text(events), rules)
            assert again.tokens == events
            assert again.won() == won, again.text()
            used = np.bincount([event for event in events if event < 10], minlength=10)
            assert (before >= used).all()


@pytest.mark.slow(but=["decks=1,es,charlie=5,nodas"])
@pytest.mark.parametrize("text", [*RULES, "decks=inf,S17"])
def test_simulated_money_agrees_with_the_exact_value(text: str) -> None:
    rules = parse_rules(text)
    for name in ("basic", "never-bust"):
        seat = parse_seat(name, rules)
        (result,) = simulate(rules, [seat], 200_000, penetration=0.0, seed=7)
        off = result.won.value - game_value(seat.strategy).mean
        assert abs(off) < 4 * result.won.stderr, name


@pytest.mark.slow
def test_seats_share_a_dealer_and_a_shoe_but_not_the_result() -> None:
    rules = parse_rules("decks=6,S17")
    seats = [parse_seat(name, rules) for name in ("basic", "mimic", "basic")]
    first, second, third = simulate(rules, seats, 100_000, penetration=0.75, seed=2)
    assert first.won.value != third.won.value
    assert second.won.value < first.won.value - 0.03
    again = simulate(rules, seats, 100_000, penetration=0.75, seed=2)
    assert [one.won for one in again] == [first.won, second.won, third.won]


def test_a_counter_wins_where_the_count_is_high() -> None:
    rules = parse_rules("decks=6,S17,ls")
    counter = parse_seat("basic:count=hi-lo,bets=1:4/3:12", rules)
    (result,) = simulate(rules, [counter], 1_000_000, penetration=0.8, seed=3)
    low, high = result.by_count[-3], result.by_count[4]
    assert low.high < high.low
    assert result.wagered > 1.5
    assert result.won.value > 0
    # about half a per cent more at each true count (Griffin, The Theory of Blackjack)
    assert high.value - low.value == pytest.approx(7 * 0.0055, abs=0.02)


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("45v7 dT|T", 2.0),
        ("45v7 dA|T", 2.0),
        ("T6vT h5|T", 1.0),
        ("T6vT hT|", -1.0),
        ("ATv9 |", 1.5),
        ("ATvA i|T", 1.0),
        ("ATvA |T", 0.0),
        ("TTvA i|T", 0.0),
        ("TTvA is|9", -0.5),
        ("88vT p3d9Ts|7", 3.0),
        ("AAv6 p9T|TT", 2.0),
        ("TTv6 pAT s|TT", 2.0),
        ("45v7 oT3A8 x5 dT x26|T", 2.0),
        ("ATv9 o22 x7|", 1.5),
    ],
)
def test_rounds_in_words_are_paid(text: str, won: float) -> None:
    assert parse_round(text, parse_rules("")).won() == won


@pytest.mark.parametrize(
    ("text", "rules", "says"),
    [
        ("45v7 d|T", "", "allowed: a card"),
        ("45v7 pT", "", "no split now"),
        ("45v7 iT", "", "no insurance now"),
        ("88vT r|", "", "no surrender now"),
        ("45v7 h2d", "", "no double now"),
        ("A2v7 d", "dbl=9-11", "no double now"),
        ("AAv6 p9s", "", "a card"),
        ("TTv6 sT", "", "allowed: the dealer's turn"),
        ("TTv6 s", "", "the round is not over"),
        ("TTv6 s|T", "", "the round is not over"),
        ("TTvA |9", "", "no blackjack"),
        ("TTvT s|A", "", "after the peek"),
        ("TTvT x5 |A", "", "others' cards|card that makes|allowed"),
        ("45v7 d x5", "", "others' cards; allowed: before"),
        ("45v7 s o55", "", "others' first cards; allowed: after the deal"),
        ("45v7 x5 o55", "", "others' first cards; allowed: after the deal"),
        ("T6vT x5 rA", "es", "no surrender now"),
        ("TTv6 o" + "2" * 200 + " s|TT", "", "199 of them"),
        ("TTv6 s|TT5", "", "nothing, the round is over"),
        ("TTx6", "", "not a round"),
        ("TTv6 s?", "", "not an event of a round"),
        ("", "", "not a round"),
    ],
)
def test_rounds_that_break_the_rules_are_refused_where_they_do(
    text: str, rules: str, says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        parse_round(text, parse_rules(rules))


def test_what_is_allowed_is_said_at_every_step() -> None:
    played = Round(parse_rules("ls,resplit=1"))
    for token in (7, 9, 7):
        assert played.needs_card
        played.add(token)
    assert [action.word for action in played.legal] == [
        "stand", "hit", "double", "split", "surrender",
    ]  # fmt: skip
    assert played.must_peek
    played.no_blackjack()
    played.add(13)
    assert played.needs_card
    played.add(7)
    assert "split" in [action.word for action in played.legal]
    played.add(13)
    played.add(7)
    assert "split" not in [action.word for action in played.legal]


def test_bad_tables_are_refused() -> None:
    rules = parse_rules("decks=1")
    basic = parse_seat("basic", rules)
    for seats, rounds, penetration in (
        ([basic], 0, 0.5),
        ([basic], 10, 0.9),
        ([basic], 10, -0.1),
        ([basic], 10, math.nan),
        ([basic] * 8, 10, 0.1),
        ([], 10, 0.1),
    ):
        with pytest.raises(BadInput):
            simulate(rules, seats, rounds, penetration=penetration, seed=0)
    with pytest.raises(BadInput, match="a strategy for decks=1"):
        simulate(parse_rules("decks=2"), [basic], 10, penetration=0.0, seed=0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("basix", "did you mean basic"),
        ("basic:count=hilo", "did you mean hi-lo"),
        ("basic:index", "no count"),
        ("basic:bets=1:2", "no count"),
        ("basic:count=hi-lo,bets=a:2", "counts and units"),
        ("basic:count=hi-lo,bets=1:-2", "units from 0"),
        ("basic:count=1/2/3", "ten numbers"),
        ("basic:speed=3", "no option of a seat"),
        ("nowhere.csv", "cannot be read"),
    ],
)
def test_bad_seats_are_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says) as refused:
        parse_seat(text, parse_rules(""))
    assert "\n" not in str(refused.value)
