"""The felt: seats around the viewer, pots as the rules have them, and the hand in words."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from helpers.random_hands import random_log, random_rules
from railbird.game import initial, payoff_parts, step
from railbird.protocol import PlayerKind
from railbird.protocol.messages import HandOver, HandView, HistoryEntry
from railbird.protocol.redaction import HandMoment, SeatHolder, entry_of, hand_view, pot_views, seen
from railbird.table.felt import _antes, felt_of, pots_of
from railbird.table.words import hand_lines

NAMES = ("ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal", "ivy")


def _views(seed: int, viewer: str | None) -> list[tuple[HandView, HandMoment]]:
    """A random hand as a viewer sees it after each event, with what it was seen of."""
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    holders = tuple(SeatHolder(NAMES[i], PlayerKind.PERSON, i + 1) for i in range(rules.seats))
    state, history = initial(rules), list[HistoryEntry]()
    views = []
    for event in random_log(rng, rules):
        before, state = state, step(state, event)
        entry = entry_of(event, before, state)
        if entry is not None:
            history.append(entry)
        moment = HandMoment("t", 1, state, holders, tuple(history))
        views.append((hand_view(moment, viewer), moment))
    return views


@pytest.mark.parametrize("seed", range(60))
def test_pots_from_what_everybody_put_in_are_those_of_the_rules(seed: int) -> None:
    for view, moment in _views(seed, None):
        assert pots_of(view) == pot_views(seen(moment, None))


@pytest.mark.parametrize("seed", range(60))
def test_a_side_pot_is_drawn_only_where_somebody_is_all_in(seed: int) -> None:
    for view, _ in _views(seed, None):
        drawn = felt_of(view).pots
        assert sum(pot.amount for pot in drawn) == view.pot - _beyond_all_others(view)
        all_in = {seat.name for seat in view.seats if not seat.stack and not seat.folded}
        for lower, higher in itertools.pairwise(drawn):
            assert all_in & (set(lower.names) - set(higher.names))


def _beyond_all_others(view: HandView) -> int:
    """What one has bet beyond the others, if these are all-in, and is in no pot; else 0."""
    *_, last = pots_of(view)
    (owner, *others), in_hand = last.seats, pots_of(view)[0].seats
    rivals = [view.seats[seat] for seat in in_hand if seat != owner]
    if others or not rivals or any(seat.stack for seat in rivals):
        return 0
    bets = [seat.spent - ante for seat, ante in zip(view.seats, _antes(view), strict=True)]
    return max(bets[owner] - max(bet for seat, bet in enumerate(bets) if seat != owner), 0)


@pytest.mark.parametrize("seed", range(60))
def test_the_pots_of_a_finished_hand_are_what_was_won(seed: int) -> None:
    view, moment = _views(seed, None)[-1]
    payoffs = payoff_parts(moment.state)
    assert payoffs is not None
    over = HandOver(
        table="t",
        hand=1,
        pots=pot_views(seen(moment, None)),
        won=[int(won) for won in payoffs],
        stacks=[seat.stack for seat in view.seats],
        rake=0,
    )
    drawn = felt_of(view, over=over).pots
    bets = sorted(seat.spent for seat in view.seats)
    if not any(view.antes):
        assert sum(pot.amount for pot in drawn) == view.pot - (bets[-1] - bets[-2])
    for pot in drawn:
        assert pot.amount > 0
    assert sum(pot.amount for pot in drawn) <= view.pot


@pytest.mark.parametrize("seed", range(20))
def test_only_cards_that_the_viewer_was_told_are_drawn(seed: int) -> None:
    for view, moment in _views(seed, "ann"):
        known = {
            holder.name: None if holding is None else holding
            for holder, holding in zip(moment.holders, seen(moment, "ann").holdings, strict=True)
        }
        for seat in felt_of(view).seats:
            assert bool(seat.cards) == (known[seat.name] is not None)
            assert not (seat.cards and seat.hidden)


@pytest.mark.parametrize("viewer", ["ann", "bob", None])
def test_the_viewer_sits_at_the_bottom_and_the_others_clockwise(viewer: str | None) -> None:
    view = _views(3, viewer)[0][0]
    table = felt_of(view)
    names = [seat.name for seat in table.seats]
    first = names.index("ann") if viewer is None else 0
    assert table.seats[first].distance == 0
    order = [seat.name for seat in view.seats]
    start = order.index(names[0])
    assert names == order[start:] + order[:start]
    assert (table.me.name if table.me else None) == viewer


def test_the_log_says_blinds_streets_and_who_wins() -> None:
    view = next(
        views[-1][0] for seed in range(100) if (views := _views(seed, None)) and views[-1][0].board
    )
    over = HandOver(
        table="t",
        hand=1,
        pots=[],
        won=[5, *(0 for _ in view.seats[1:])],
        stacks=[seat.stack for seat in view.seats],
        rake=0,
    )
    lines = list(hand_lines(view, over))
    text = "\n".join(line.text for line in lines)
    assert lines[0].text == "Hand 1"
    assert " posts " in text
    assert "Flop" in text
    assert lines[-1].text == "ann wins 5"
    assert [line.cards for line in lines if line.text == "Flop"] == [tuple(view.board[:3])]
