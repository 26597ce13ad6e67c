"""Laws of the formats of sites that are only read: any hand reads back from the site's words."""

from __future__ import annotations

import dataclasses
import io
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers.site_texts import WORDS, site_text
from railbird.game import Betting, Rules
from railbird.histories import HandRecord, ReadOptions, format_named
from railbird.histories.pokerstars.rules import Posts, site_rules
from railbird.units import Chips
from twins.slow_histories import random_record

SEEDS = st.integers(0, 2**32 - 1)
SITES = [*WORDS, "ipoker"]


@st.composite
def tables(draw: st.DrawFn) -> Rules:
    """Any table of a site: antes, late posts, stacks from a chip to a hundred big blinds."""
    seats = draw(st.integers(2, 9))
    betting = draw(st.sampled_from([Betting.LIMIT, Betting.POT_LIMIT, Betting.NO_LIMIT]))
    big = 2 * draw(st.integers(1, 50))
    live, dead = [0] * seats, [0] * seats
    small_seat, big_seat = (1, 0) if seats == 2 else (0, 1)
    live[small_seat], live[big_seat] = big // 2, big
    if draw(st.booleans()):
        dead = [draw(st.integers(1, big // 2))] * seats
    elif seats > 2 and draw(st.booleans()):
        late = draw(st.integers(2, seats - 1))
        live[late] = big
        dead[late] = draw(st.sampled_from([0, big // 2]))
    late_posts = [
        live[seat] + dead[seat] if seat > 1 and live[seat] else 0 for seat in range(seats)
    ]
    stacks = [draw(st.integers(late + 1, 100 * big)) for late in late_posts]
    assume(stacks[small_seat] > dead[small_seat])
    short = tuple(seat for seat in range(seats) if stacks[seat] <= dead[seat])
    posts = Posts(
        tuple(map(Chips, live)),
        tuple(map(Chips, dead)),
        small=small_seat,
        last=big_seat,
        short_antes=short,
    )
    stakes = (
        (Chips(big), Chips(2 * big)) if betting is Betting.LIMIT else (Chips(big // 2), Chips(big))
    )
    rules = site_rules(betting, stakes, posts, stacks=tuple(map(Chips, stacks)))
    return dataclasses.replace(rules, stacks=tuple(map(Chips, stacks)))


def raked(hand: HandRecord, rake: int) -> HandRecord:
    """The same hand after the house has taken something from who wins most."""
    most = max(hand.payoffs)
    winner = hand.payoffs.index(most)
    taken = min(rake, int(most) // 4)
    payoffs = [won - taken * (seat == winner) for seat, won in enumerate(hand.payoffs)]
    return dataclasses.replace(hand, payoffs=tuple(payoffs))


@pytest.mark.parametrize("site", SITES)
@given(rules=tables(), seed=SEEDS, rake=st.integers(0, 3))
def test_a_hand_reads_back_from_the_words_of_a_site(
    site: str, rules: Rules, seed: int, rake: int
) -> None:
    hand = raked(random_record(np.random.default_rng(seed), rules, number=seed), rake)
    text = site_text(site, hand)
    (back,) = format_named(site).read(io.StringIO(text), ReadOptions())
    assert isinstance(back, HandRecord), (back, text)
    assert (back.players, back.holes, back.board) == (hand.players, hand.holes, hand.board)
    assert (back.actions, back.payoffs) == (hand.actions, hand.payoffs), text
    assert (back.denomination, back.low_first) == (Fraction(1, 100), hand.low_first)
