"""Laws that hand histories obey, whatever was played and whoever played it."""

from __future__ import annotations

import dataclasses
import io
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from helpers.random_hands import random_rules
from helpers.site_texts import WORDS, site_text
from railbird.cards import Suits
from railbird.errors import BadInput
from railbird.game import Betting, Rules, acpc_rules, limit_holdem
from railbird.histories import (
    FORMATS,
    STANDARD_GAMES,
    Format,
    HandRecord,
    ReadOptions,
    Skipped,
    SkipReason,
    WriteOptions,
    format_game,
    format_named,
    game_spec,
    parse_game,
    read_hand,
    resolve_game,
    state_line,
)
from railbird.histories.sites.replay import Posts, site_rules
from railbird.histories.text_values import (
    amounts_of,
    format_amounts,
    moment_text,
    parse_amounts,
    read_moment,
)
from railbird.histories.verify import same_stakes
from railbird.units import Chips
from twins.slow_histories import random_record, slow_state_line

patient = settings(deadline=None)
"""The first call of a kernel may compile it."""

TEST_HISTORIES_LAWS_SEEDS = st.integers(0, 2**32 - 1)
NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
WRITTEN = [known for known in FORMATS if known.write is not None]


@st.composite
def playable(draw: st.DrawFn) -> Rules:
    """Rules of an ACPC game: a standard one, or any that the dealer knows."""
    if draw(st.booleans()):
        return STANDARD_GAMES[draw(st.sampled_from(list(STANDARD_GAMES)))]
    rules = random_rules(np.random.default_rng(draw(TEST_HISTORIES_LAWS_SEEDS)))
    betting = Betting.LIMIT if rules.betting is Betting.LIMIT else Betting.NO_LIMIT
    big = max(rules.blinds)
    return acpc_rules(
        dataclasses.replace(
            rules,
            betting=betting,
            antes=(),
            largest_bets=None,
            lift_cap_heads_up=False,
            bet_sizes=rules.bet_sizes if betting is Betting.LIMIT else (big,) * 4,
        )
    )


@given(playable())
def test_a_game_reads_back_from_its_text_and_from_its_name(rules: Rules) -> None:
    assert parse_game(format_game(rules)) == rules
    assert resolve_game(game_spec(rules)) == rules


@given(TEST_HISTORIES_LAWS_SEEDS)
def test_any_rules_are_refused_or_read_back_as_the_dealer_plays_them(seed: int) -> None:
    rules = random_rules(np.random.default_rng(seed), raked=True)
    try:
        spec = game_spec(rules)
    except BadInput:
        return
    assert resolve_game(spec) == acpc_rules(rules)


@given(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(sorted(STANDARD_GAMES)),
        playable().map(format_game),
        st.builds(lambda rules, end: format_game(rules)[:end], playable(), st.integers(0, 400)),
    )
)
def test_any_text_is_a_game_or_refused(text: str) -> None:
    for parse, written in ((parse_game, format_game), (resolve_game, game_spec)):
        with suppress(BadInput):
            rules = parse(text)
            assert parse(written(rules)) == rules


@patient
@given(playable(), TEST_HISTORIES_LAWS_SEEDS)
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
@given(TEST_HISTORIES_LAWS_SEEDS, st.sampled_from(list(Suits)))
def test_one_line_hands_read_back_with_symbols_and_with_letters(seed: int, suits: Suits) -> None:
    rules = STANDARD_GAMES["holdem.limit.2p.reverse_blinds.game"]
    hand = random_record(np.random.default_rng(seed), rules)
    known = format_named("line")
    assert known.write is not None
    (line,) = known.write([hand], WriteOptions(suits=suits))
    assert isinstance(line, str)
    assert read_hand(line) == hand
    assert line.isascii() == (suits is Suits.LETTERS)


@pytest.mark.slow
@patient
@given(
    known=st.sampled_from(WRITTEN),
    seed=TEST_HISTORIES_LAWS_SEEDS,
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
        assert refused.reason is SkipReason.NOT_REPRESENTABLE
        return
    (back,) = known.read(io.StringIO(text, newline="\n"), ReadOptions())
    assert isinstance(back, HandRecord), back
    assert back.players == hand.players
    assert (back.holes, back.board, back.payoffs) == (hand.holes, hand.board, hand.payoffs)
    assert [type(action) for action in back.actions] == [type(action) for action in hand.actions]
    assert back.comment in ("", comment)
    assert back.table in ("", table)
    assert number is None or back.number == number


def seen_in_part(rng: np.random.Generator, hand: HandRecord) -> HandRecord:
    """The same as somebody at the table may know it, after the house has taken a share."""
    hidden = rng.random(len(hand.players)) < rng.choice([0.0, 0.5, 1.0])
    holes = [None if hide else hole for hide, hole in zip(hidden, hand.holes, strict=True)]
    rake = int(rng.integers(3))
    return dataclasses.replace(
        hand,
        holes=tuple(holes),
        low_first=sum(
            hand.low_first & 1 << seat for seat, hole in enumerate(holes) if hole is not None
        ),
        payoffs=tuple(
            [won - rake if won == max(hand.payoffs) >= rake else won for won in hand.payoffs]
        ),
    )


@patient
@given(st.sampled_from(WRITTEN), TEST_HISTORIES_LAWS_SEEDS)
def test_whatever_the_table_a_hand_is_refused_or_reads_back(known: Format, seed: int) -> None:
    """Antes, straddles, short stacks, pots in fractions, hidden cards and rake."""
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    hand = seen_in_part(rng, random_record(rng, rules, number=seed))
    assert known.write is not None
    pieces = list(known.write([hand], WriteOptions()))
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    if not text:
        (refused,) = pieces
        assert isinstance(refused, Skipped)
        assert refused.reason is SkipReason.NOT_REPRESENTABLE
        return
    blinds = rules if known.name == "irc" and rules.betting is not Betting.LIMIT else None
    (back,) = known.read(io.StringIO(text), ReadOptions(rules=blinds))
    assert isinstance(back, HandRecord), back
    unit = back.denomination  # money in cents is counted in cents
    paid, due = (tuple(a * u for a in h.payoffs) for h, u in ((back, unit), (hand, Fraction(1))))
    assert amounts_of(paid).millionths == amounts_of(due).millionths
    if unit == 1:
        assert same_stakes(back.rules, rules)
        assert back == dataclasses.replace(hand, rules=back.rules, payoffs=back.payoffs)
    assert (back.holes, back.board, back.low_first) == (hand.holes, hand.board, hand.low_first)


def test_stakes_are_the_same_if_the_same_is_posted_and_called() -> None:
    table = limit_holdem(3, stack=(3, 100, 100), ante=2)
    assert same_stakes(table, dataclasses.replace(table, blinds=(Chips(1), *table.blinds[1:])))
    for change in (
        {"antes": ()},
        {"blinds": table.blinds[::-1]},
        {"stacks": (Chips(9),) * 3},
        {"bet_sizes": (Chips(10),) * 4},
        {"betting": Betting.NO_LIMIT},
    ):
        assert not same_stakes(table, dataclasses.replace(table, **change))


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


# Laws of the formats of sites that are only read: any hand reads back from the site's words.


TEST_SITE_LAWS_SEEDS = st.integers(0, 2**32 - 1)
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


@pytest.mark.slow(but=["ipoker"])
@pytest.mark.parametrize("site", SITES)
@given(rules=tables(), seed=TEST_SITE_LAWS_SEEDS, rake=st.integers(0, 3))
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
