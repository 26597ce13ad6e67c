"""Hints: the odds of a hand, and what a house player would do and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from helpers.told_table import info_of
from railbird.cards import parse_cards, parse_holding
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Event,
    Raise,
    initial,
    step,
)
from railbird.odds.win_probability import win_probability
from railbird.protocol import PlayerKind
from railbird.protocol.messages import GameFormat, HistoryEntry, LegalActions, Turn
from railbird.protocol.redaction import HandMoment, SeatHolder, entry_of, hand_view
from railbird.solve.abstraction import CardBlind
from railbird.solve.limit import betting_tree, write_strategy
from railbird.solve.limit.strategy import uniform_strategy
from railbird.table.advice import (
    BettorOdds,
    Odds,
    advice_on,
    bettor_odds_of,
    hint,
    odds_of,
    short_hint,
)
from railbird.tournament.schedule import hand_rules
from railbird.units import Chips, Seat


def _form(betting: Betting, *, top_up: bool = False) -> GameFormat:
    return replace(info_of().format, betting=betting.value, top_up=top_up)


def _facing_a_bet(betting: Betting) -> Turn:
    """Top pair heads-up on the flop, facing a bet of 40 into 80; the other's cards are unknown."""
    rules = hand_rules(betting, blinds=(20, 40), ante=0, stacks=[2000, 2000])
    state = step(initial(rules), DealHoles((parse_holding("AsKd"), parse_holding("2c7h"))))
    history: list[HistoryEntry] = []
    for event in (
        Act(Seat(1), Call()),
        Act(Seat(0), Call()),
        DealBoard(parse_cards("Kc 8d 3s")),
        Act(Seat(0), Call()),
        Act(Seat(1), Raise(Chips(40))),
    ):
        before, state = state, step(state, event)
        entry = entry_of(event, before, state)
        assert entry is not None
        history.append(entry)
    holders = tuple(SeatHolder(name, PlayerKind.BOT, n) for n, name in enumerate("ab", 1))
    hand = hand_view(HandMoment("t", 1, state, holders, tuple(history)), "a")
    legal = LegalActions(fold=True, to_call=40, min_to=80, max_to=1960)
    return Turn(table="t", turn="1", hand=hand, pots=[], legal=legal, ms=1, bank_ms=0)


@pytest.mark.parametrize("betting", [Betting.NO_LIMIT, Betting.LIMIT])
def test_a_hint_has_odds_and_the_advice_of_a_house_player(betting: Betting) -> None:
    turn = _facing_a_bet(betting)
    assert turn.hand.seats[1].cards is None
    lines = hint(turn, _form(betting), ("always-call", "tight"))
    short, *bets, chance, share, price, advice = lines
    is_limit = betting is Betting.LIMIT
    whom = "any two cards" if is_limit else "hands that bet like this"
    assert re.fullmatch(
        rf"(Call 40|Raise to \d+)\. You need 25 % and have (7\d|8\d|90) % against {whom}\. Clear\.",
        short,
    )
    assert len(bets) == (0 if is_limit else 2), "limits have no frequencies"
    assert chance.startswith("You win or tie 90.1 % ")
    assert chance.endswith("against one opponent with any two cards.")
    assert share.startswith("Your share of the pot is 8")
    assert price == "Calling 40 for a pot of 120 needs 25.0 %."
    assert advice.startswith("tight would ")
    assert ": " in advice


@pytest.mark.parametrize(
    ("do", "equity", "needed", "says"),
    [
        ("fold", 0.12, 0.4, "Clear."),
        ("call 40", 0.45, 0.4, "Close."),
        ("raise to 90", 0.2, 0.4, "Not sure."),
        ("fold", 0.5, 0.4, "Not sure."),
        ("check", 0.5, None, "Checking is free; you have 50 % against any two cards."),
    ],
)
def test_a_hint_says_how_sure_it_is(
    do: str, equity: float, needed: float | None, says: str
) -> None:
    odds = Odds(
        opponents=1, win=equity, equity=equity, stderr=0.0, to_call=40, pot=60, needed=needed
    )
    assert short_hint(do, odds).startswith(do.capitalize())
    assert short_hint(do, odds).endswith(says)
    assert short_hint(do, None) == f"{do.capitalize()}."
    reason = {"fold": ", against the odds", "raise to 90": ", as a bluff"}
    is_against = says == "Not sure."
    assert (reason.get(do, "?") in short_hint(do, odds)) is is_against


@pytest.mark.parametrize(
    ("do", "shares", "says"),
    [
        ("fold", (0.12, 0.05, 0.2), "12 %, Clear."),
        ("fold", (0.28, 0.2, 0.4), "28 %, Close."),
        ("call 40", (0.6, 0.5, 0.7), "60 %, Clear."),
        ("call 40", (0.2, 0.1, 0.5), "20 %, Not sure."),
    ],
    ids=["fold", "close", "call", "against"],
)
def test_a_hint_is_as_sure_as_all_readings_of_the_bets_agree(
    do: str, shares: tuple[float, float, float], says: str
) -> None:
    odds = Odds(opponents=1, win=0.9, equity=0.9, stderr=0.0, to_call=40, pot=60, needed=0.29)
    equity, least, most = shares
    against = BettorOdds(bettors=1, equity=equity, least=least, most=most)
    share, sure = says.split(", ")
    words = f"You need 29 % and have {share} against hands that bet like this. {sure}"
    assert short_hint(do, odds, against).endswith(words)


def _river_raise(cards: str) -> BettorOdds | None:
    """A pair of kings on the river, raised all-in there by who has raised before."""
    rules = hand_rules(Betting.NO_LIMIT, blinds=(20, 40), ante=0, stacks=[2000, 2000])
    state = step(initial(rules), DealHoles((parse_holding(cards), parse_holding("2c7h"))))
    history: list[HistoryEntry] = []
    acts = [Act(Seat(1), Raise(Chips(120))), Act(Seat(0), Call())]
    flop = [Act(Seat(0), Raise(Chips(100))), Act(Seat(1), Raise(Chips(400))), Act(Seat(0), Call())]
    checks = [Act(Seat(0), Call()), Act(Seat(1), Call())]
    shove = [Act(Seat(0), Call()), Act(Seat(1), Raise(Chips(1480)))]
    events: list[Event] = [
        *acts,
        DealBoard(parse_cards("Kc 8d 3s")),
        *flop,
        DealBoard(parse_cards("9h")),
        *checks,
        DealBoard(parse_cards("4d")),
        *shove,
    ]
    for event in events:
        before, state = state, step(state, event)
        entry = entry_of(event, before, state)
        assert entry is not None
        history.append(entry)
    holders = tuple(SeatHolder(name, PlayerKind.BOT, n) for n, name in enumerate("ab", 1))
    hand = hand_view(HandMoment("t", 1, state, holders, tuple(history)), "a")
    return bettor_odds_of(hand, Betting.NO_LIMIT)


def test_a_bet_takes_away_from_hands_that_beat_only_the_worse_half_and_not_from_the_best() -> None:
    pair, set_of_kings = _river_raise("KhQd"), _river_raise("KhKd")
    assert pair is not None
    assert set_of_kings is not None
    any_two = win_probability("KhQd", "Kc8d3s9h4d").share
    assert pair.equity < any_two - 0.1
    assert pair.least < 0.5, "whoever never bluffs there has better"
    assert set_of_kings.equity > 0.9
    for odds in (pair, set_of_kings):
        assert 0 <= odds.least <= odds.equity <= odds.most <= 1


def test_nobody_has_bet_before_anybody_has_acted() -> None:
    rules = hand_rules(Betting.NO_LIMIT, blinds=(20, 40), ante=0, stacks=[2000, 2000])
    state = step(initial(rules), DealHoles((parse_holding("AsKd"), parse_holding("2c7h"))))
    holders = tuple(SeatHolder(name, PlayerKind.BOT, n) for n, name in enumerate("ab", 1))
    hand = hand_view(HandMoment("t", 1, state, holders, ()), "b")
    assert bettor_odds_of(hand, Betting.NO_LIMIT) is None
    assert bettor_odds_of(_facing_a_bet(Betting.LIMIT).hand, Betting.LIMIT) is None


def test_ties_count_in_the_chance_whole_and_in_the_share_by_half() -> None:
    odds = odds_of(_facing_a_bet(Betting.LIMIT).hand, 40)
    assert odds is not None
    assert odds.win is not None
    assert odds.equity is not None
    assert odds.win > odds.equity > 0.8
    assert odds.needed == 0.25


def test_where_stacks_are_filled_up_an_equilibrium_says_what_it_draws(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    write_strategy(path, uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind()))
    turn, spec = _facing_a_bet(Betting.LIMIT), f"equilibrium:{path}"
    advice = hint(turn, _form(Betting.LIMIT, top_up=True), [spec], named=lambda _: "it")[-1]
    assert advice.startswith("it would ")
    assert "fold 33 %, call or check 33 %, bet or raise 33 %, by the strategy" in advice
    carried = hint(turn, _form(Betting.LIMIT), [spec])
    assert not any("equilibrium" in line for line in carried), "it cannot play there"
    # The terminal asks likewise.
    assert advice_on([spec], turn.hand, _form(Betting.LIMIT, top_up=True)).startswith(spec)
    with pytest.raises(BadInput, match="cannot play this game"):
        advice_on([spec], turn.hand, _form(Betting.LIMIT))


def test_advice_comes_from_a_house_player_that_can_say_why() -> None:
    turn, form = _facing_a_bet(Betting.NO_LIMIT), _form(Betting.NO_LIMIT)
    lines = hint(turn, form, ["always-call"])
    assert len(lines) == 7
    assert not any("always-call" in line for line in lines)
    # Unless it was named on purpose.
    words = advice_on(["nobody", "always-call"], turn.hand, form, explains=False)
    assert words.startswith("always-call would call 40")
    with pytest.raises(BadInput, match="no player is named"):
        advice_on([], turn.hand, form)
