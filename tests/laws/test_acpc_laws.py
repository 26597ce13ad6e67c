"""What holds for the ACPC protocol at every table: the dealer's half and the player's agree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.random_hands import random_action, random_rules
from railbird.acpc import (
    Answer,
    ClientConnection,
    DealerConnection,
    LineBuffer,
    MatchState,
    action_text,
    parse_answer,
    parse_state,
    read_action,
)
from railbird.cards import Card
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Action,
    Event,
    HandState,
    Phase,
    Rules,
    Show,
    due,
    initial,
    legal,
    seeded_deals,
    step,
    view,
)
from railbird.units import Seat

seeds = st.integers(0, 2**32 - 1)


def told(
    rng: np.random.Generator, rules: Rules, hand: int = 0
) -> Iterator[tuple[HandState, tuple[MatchState, ...], set[Card]]]:
    """A random hand as its seats are told it: the state, a message for each, all hole cards."""
    cards = seeded_deals(rng, rules.seats, 1)[0]
    tellers = [
        DealerConnection(rules, seat=Seat(seat), hand=hand, cards=cards)
        for seat in range(rules.seats)
    ]
    state = initial(rules)
    event: Event = due(state, cards)
    while True:
        state = step(state, event)
        messages = [
            teller.happened(view(state, Seat(seat)).state, event)
            for seat, teller in enumerate(tellers)
        ]
        assert len({message is None for message in messages}) == 1
        if messages[0] is not None:
            yield state, tuple(filter(None, messages)), set(cards[: 2 * rules.seats].tolist())
        if state.phase is Phase.DEAL_BOARD:
            event = due(state, cards)
        elif state.phase is Phase.BETTING:
            actor = state.actor
            assert actor is not None
            event = Act(actor, random_action(rng, legal(state)))
        else:
            return


@pytest.mark.slow
@given(seeds)
def test_reading_is_the_inverse_of_writing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    for _, messages, _ in told(rng, rules, hand=seed):
        for message in messages:
            assert parse_state(str(message)) == message


@given(seeds)
def test_nobody_is_told_cards_that_are_not_shown(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    for state, messages, holes in told(rng, rules):
        open_hands = len(state.in_hand) > 1 and state.phase in (Phase.SHOWDOWN, Phase.OVER)
        for seat, message in enumerate(messages):
            may_see = {seat, *state.in_hand} if open_hands else {seat}
            seen = {s for s, hole in enumerate(message.holes) if hole is not None}
            assert seen == may_see
            hidden = holes - {card for s in seen for card in message.holes[s] or ()}
            last = str(message).rpartition(":")[2].replace("|", "").replace("/", "")
            assert not hidden & {
                Card("23456789TJQKA".index(a) * 4 + "cdhs".index(b))
                for a, b in zip(last[::2], last[1::2], strict=True)
            }


@pytest.mark.slow
@given(seeds, st.floats(0, 1))
def test_the_player_s_half_follows_the_dealer_s(seed: int, lost: float) -> None:
    """Each seat knows what its view shows, also if some messages never reach it."""
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    followers = [ClientConnection(rules) for _ in range(rules.seats)]
    for hand in range(3):
        for state, messages, _ in told(rng, rules, hand):
            for seat, (follower, message) in enumerate(zip(followers, messages, strict=True)):
                if rng.random() < lost:
                    continue
                news = follower.read(parse_state(str(message)))
                seen = follower.view
                assert seen is not None
                assert seen.seat == seat
                if state.phase is Phase.BETTING:
                    assert seen.state == view(state, Seat(seat)).state
                else:
                    assert seen.state.phase is Phase.OVER
                    shown = {item.event.seat for item in news if isinstance(item.event, Show)}
                    assert shown == set(state.in_hand if state.phase is Phase.SHOWDOWN else ())


@given(seeds, st.sampled_from(["", "|", "/", "c", "r", "2c", "|AsKs", "r999999999999999"]))
def test_a_message_with_something_wrong_in_it_is_followed_or_refused(seed: int, wrong: str) -> None:
    """What comes after is followed again: a message says all that has happened in its hand."""
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    follower = ClientConnection(rules)
    for _, messages, _ in told(rng, rules):
        whole = str(messages[0])
        start, end = np.sort(rng.integers(len(whole) + 1, size=2))
        with suppress(BadInput):
            follower.read(parse_state(whole[:start] + wrong + whole[min(end, start + 5) :]))
        follower.read(messages[0])


def test_a_seat_that_goes_missing_in_the_middle_of_a_hand() -> None:
    follower = ClientConnection(HEADS_UP_LIMIT)
    follower.read(parse_state("MATCHSTATE:0:0::7d3d|"))
    with pytest.raises(BadInput, match="seat 0 of 1 in a game of 2"):
        follower.read(parse_state("MATCHSTATE:0:0:cc/cc/cc/cc:7d3d/5sKs7s/9s/6h"))


@given(seeds)
def test_actions_read_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    for state, _, _ in told(rng, rules):
        if state.phase is Phase.BETTING:
            actions: tuple[Action, ...] = legal(state).actions()
            texts = [action_text(state, action) for action in actions]
            assert tuple(read_action(state, text) for text in texts) == actions


@given(st.text() | st.text("MATCHSE:0123456789cfr/|AsKd").map(lambda text: f"MATCHSTATE:{text}"))
def test_any_text_is_read_or_refused(text: str) -> None:
    parse_answer(text)
    try:
        message = parse_state(text)
    except BadInput:
        return
    assert parse_state(str(message)) == message
    assert parse_answer(f"{message}:c") == Answer(str(message), "c")


@given(st.binary(max_size=200), st.lists(st.integers(1, 50)))
def test_lines_do_not_depend_on_how_bytes_arrive(data: bytes, sizes: list[int]) -> None:
    whole, pieces = LineBuffer(), LineBuffer()
    whole.feed(data)
    found = list(iter(whole.take, None))
    got: list[str] = []
    at = 0
    for size in [*sizes, len(data)]:
        pieces.feed(data[at : at + size])
        at += size
        got += iter(pieces.take, None)
    assert got == found
    assert len(found) == data.count(b"\n")


def test_a_line_without_an_end_is_refused_in_time() -> None:
    lines = LineBuffer()
    lines.feed(b"fine\r\n" + b"x" * (1 << 16))
    assert lines.take() == "fine"
    with pytest.raises(BadInput, match="a line of more than 65536 bytes"):
        lines.take()
