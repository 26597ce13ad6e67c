"""Laws that hand histories obey, whatever was played and whoever played it."""

from __future__ import annotations

import dataclasses
import io
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.errors import BadInput
from railbird.game import Betting, Rules, acpc_rules
from railbird.histories import (
    FORMATS,
    STANDARD_GAMES,
    Format,
    HandRecord,
    ReadOptions,
    Skipped,
    SkipReason,
    Suits,
    WriteOptions,
    format_game,
    format_named,
    game_spec,
    parse_game,
    read_hand,
    resolve_game,
    state_line,
)
from railbird.histories.amounts import amounts_of, format_amounts, parse_amounts
from railbird.histories.moment import moment_text, read_moment
from reference.random_hands import random_rules
from reference.slow_histories import random_record, slow_state_line

patient = settings(deadline=None)
"""The first call of a kernel may compile it."""

SEEDS = st.integers(0, 2**32 - 1)
NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
WRITTEN = [known for known in FORMATS if known.write is not None]


@st.composite
def playable(draw: st.DrawFn) -> Rules:
    """Rules of an ACPC game: a standard one, or any that the dealer knows."""
    if draw(st.booleans()):
        return STANDARD_GAMES[draw(st.sampled_from(list(STANDARD_GAMES)))]
    rules = random_rules(np.random.default_rng(draw(SEEDS)))
    betting = Betting.LIMIT if rules.betting is Betting.LIMIT else Betting.NO_LIMIT
    big = max(rules.blinds)
    return acpc_rules(
        dataclasses.replace(
            rules,
            betting=betting,
            antes=(),
            lift_cap_heads_up=False,
            bet_sizes=rules.bet_sizes if betting is Betting.LIMIT else (big,) * 4,
        )
    )


@given(playable())
def test_a_game_reads_back_from_its_text_and_from_its_name(rules: Rules) -> None:
    assert parse_game(format_game(rules)) == rules
    assert resolve_game(game_spec(rules)) == rules


@given(SEEDS)
def test_any_rules_are_refused_or_read_back_as_the_dealer_plays_them(seed: int) -> None:
    rules = random_rules(np.random.default_rng(seed))
    try:
        spec = game_spec(rules)
    except BadInput:
        return
    assert resolve_game(spec) == acpc_rules(rules)


@given(st.text(max_size=60))
def test_any_text_is_a_game_or_refused(text: str) -> None:
    for parse in (parse_game, resolve_game):
        with pytest.raises(BadInput):
            parse(text)


@patient
@given(playable(), SEEDS)
def test_a_line_reads_as_its_slow_twin_does(rules: Rules, seed: int) -> None:
    hand = random_record(np.random.default_rng(seed), rules, number=seed)
    line = state_line(hand, seed)
    if all(payoff.denominator in (1, 2, 4, 5) for payoff in hand.payoffs):
        assert slow_state_line(line, rules) == hand
    read = read_hand(line, game=rules)
    assert read == hand
    assert read.low_first == hand.low_first
    assert state_line(read, seed) == line


@patient
@given(SEEDS, st.sampled_from(list(Suits)))
def test_one_line_hands_read_back_with_symbols_and_with_letters(seed: int, suits: Suits) -> None:
    rules = STANDARD_GAMES["holdem.limit.2p.reverse_blinds.game"]
    hand = random_record(np.random.default_rng(seed), rules)
    known = format_named("line")
    assert known.write is not None
    (line,) = known.write([hand], WriteOptions(suits=suits))
    assert isinstance(line, str)
    assert read_hand(line) == hand
    assert line.isascii() == (suits is Suits.LETTERS)


@patient
@given(
    known=st.sampled_from(WRITTEN),
    seed=SEEDS,
    names=st.lists(NAMES, min_size=2, max_size=2, unique=True),
    number=st.none() | st.integers(0, 10**9),
    remarks=st.tuples(NAMES, NAMES),
)
def test_whatever_the_names_a_hand_is_refused_or_reads_back(
    known: Format,
    seed: int,
    names: list[str],
    number: int | None,
    remarks: tuple[str, str],
) -> None:
    rules = STANDARD_GAMES["holdem.limit.2p.reverse_blinds.game"]
    table, comment = remarks
    hand = dataclasses.replace(
        random_record(np.random.default_rng(seed), rules),
        players=tuple(names),
        number=number,
        table=table,
        comment=comment,
    )
    assert known.write is not None
    pieces = list(known.write([hand], WriteOptions()))
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    if not text:
        (refused,) = pieces
        assert isinstance(refused, Skipped)
        assert refused.reason is SkipReason.UNSAYABLE
        return
    (back,) = known.read(io.StringIO(text, newline="\n"), ReadOptions())
    assert isinstance(back, HandRecord), back
    assert back.players == hand.players
    assert (back.holes, back.board, back.payoffs) == (hand.holes, hand.board, hand.payoffs)
    assert [type(action) for action in back.actions] == [type(action) for action in hand.actions]
    assert back.comment in ("", comment)
    assert back.table in ("", table)
    assert number is None or back.number == number


@given(st.lists(st.fractions(-(10**6), 10**6, max_denominator=60), min_size=1))
def test_amounts_read_back_to_six_decimals(amounts: list[Fraction]) -> None:
    exact = tuple(amounts)
    back = parse_amounts(format_amounts(exact))
    assert back.millionths == amounts_of(exact).millionths
    assert max(abs(a - b) for a, b in zip(back.exact, exact, strict=True)) <= Fraction(1, 2 * 10**6)
    assert format_amounts(back.exact) == format_amounts(exact)


@given(
    st.datetimes(min_value=datetime(1900, 1, 1)),
    st.sampled_from([None, timezone(timedelta(hours=1), "CET"), UTC]),
)
def test_a_moment_reads_back(moment: datetime, zone: timezone | None) -> None:
    moment = moment.replace(microsecond=0, tzinfo=zone)
    assert read_moment(moment_text(moment)) == moment
