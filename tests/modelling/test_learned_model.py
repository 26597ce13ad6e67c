"""The learned model of actions: situations and classes, fitting, what it makes of actions."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from railbird.cards import HOLDINGS, parse_cards, parse_holding
from railbird.errors import BadInput, DamagedFile
from railbird.game import (
    Act,
    Action,
    ActionKind,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Raise,
    Street,
    initial,
    limit_holdem,
    step,
    view,
)
from railbird.modelling.learned import (
    FORMAT,
    ActionCounts,
    ActionModel,
    LearnedTracker,
    classes_of,
    fit_types,
    later_action_chances,
    later_classes,
    preflop_strength_classes,
    read_model,
    shipped_model,
    situation_to_act,
)
from railbird.modelling.learned_kernels import (
    LATER_ROWS,
    PREFLOP_ROWS,
    class_of_strength,
    fact_of,
    later_row,
)
from railbird.modelling.reweighting import board_values
from railbird.units import Chips, Seat

BOARD = tuple(sorted(parse_cards("As9c8c3d2h")))


def after(seats: int, *actions: Action, holes: tuple[str | None, ...] | None = None) -> HandState:
    own = (None,) * seats if holes is None else holes
    held = tuple(None if one is None else parse_holding(one) for one in own)
    state = step(initial(limit_holdem(seats)), DealHoles(held))
    known = 0
    for action in actions:
        while state.actor is None:
            more = 3 if not known else 1
            state = step(state, DealBoard(parse_cards("As9c8c3d2h")[known : known + more]))
            known += more
        state = step(state, Act(state.actor, action))
    while state.actor is None and known < 5:
        more = 3 if not known else 1
        state = step(state, DealBoard(parse_cards("As9c8c3d2h")[known : known + more]))
        known += more
    return state


def counts_of(**actions: int) -> ActionCounts:
    """Counts of a player who looks at no card."""
    own = ActionCounts()
    for name, number in actions.items():
        own.preflop[:, :, ActionKind[name.upper()]] += number
        own.later[:, :, ActionKind[name.upper()]] += number
    return own


def by_strength() -> ActionCounts:
    """Counts of a player who raises with the upper half and folds or calls with the rest."""
    own = ActionCounts()
    for table in (own.preflop, own.later):
        middle = table.shape[1] // 2
        table[:, middle:, ActionKind.RAISE] += 50
        table[:, :middle, ActionKind.FOLD] += 25
        table[:, :middle, ActionKind.CALL] += 25
    return own


# --- Situations and classes ---


def test_situations_before_the_flop() -> None:
    """Rows: bets to call, own part, others who are in by choice, group of opponents."""
    first = situation_to_act(after(10))
    assert (first.street, first.group) == (Street.PREFLOP, 2)
    rows = {first.row}
    for actions in ((Call(),), (Call(), Call()), (Raise(Chips(20)),), (Fold(),) * 8):
        rows.add(situation_to_act(after(10, *actions)).row)
    assert len(rows) == 5
    heads_up = situation_to_act(after(2))
    assert heads_up.group == 0
    assert all(0 <= row < PREFLOP_ROWS for row in rows)


def test_situations_after_the_flop() -> None:
    checked = situation_to_act(after(3, *(Call(),) * 3))
    bet = situation_to_act(after(3, *(Call(),) * 3, Raise(Chips(10))))
    fewer = situation_to_act(after(3, *(Call(),) * 3, Raise(Chips(10)), Fold()))
    raised = situation_to_act(after(3, *(Call(),) * 3, Raise(Chips(10)), Raise(Chips(20)), Fold()))
    turn = situation_to_act(after(3, *(Call(),) * 6))
    assert [checked.row, bet.row, fewer.row] == [2, 8, 6]
    assert raised.row == 7  # one bet to call, one opponent, in already
    assert turn.row == 18 + checked.row


def test_kernels_have_the_same_rows_and_classes() -> None:
    rows = [
        later_row(street, bets, opponents, is_in)
        for street in (1, 2, 3)
        for bets in (0, 1, 2)
        for opponents in (1, 2, 3)
        for is_in in (False, True)
    ]
    assert rows == list(range(LATER_ROWS))
    assert later_row(2, 4, 9, True) == later_row(2, 2, 3, True)
    for known in (3, 4, 5):
        board = tuple(sorted(parse_cards("As9c8c3d2h")[:known]))
        values, classes = board_values(board), later_classes(board)
        found = [class_of_strength(s, g) for s, g in zip(values.strength, values.gain, strict=True)]
        assert classes.tolist() == found


def test_further_facts_are_of_the_street_before_the_price_and_those_behind() -> None:
    """Facts in the order of a column: own raise, others', the class of the pot odds, behind."""
    checked = after(3, *(Call(),) * 3)
    bet = after(3, *(Call(),) * 3, Raise(Chips(10)))
    last = after(3, *(Call(),) * 3, Raise(Chips(10)), Call())
    shape = (2, 2, 7, 3)
    for state, raised, facts in (
        (checked, 0, (0, 0, 0, 2)),
        (bet, 0, (0, 0, 4, 1)),
        (bet, 0b010, (1, 0, 4, 1)),
        (bet, 0b101, (0, 1, 4, 1)),
        (last, 0b111, (1, 1, 3, 0)),
    ):
        found = situation_to_act(state, raised)
        assert np.ravel_multi_index(facts, shape) == found.fact
        assert state.actor is not None
        others = 0b111 & ~(1 << state.actor)
        odds = state.to_call / (state.pot + state.to_call)
        assert fact_of(raised, state.actor, others, odds, facts[-1]) == found.fact
    with_folds = after(3, *(Call(),) * 3, Raise(Chips(10)), Fold())
    assert situation_to_act(with_folds, 0b010).fact % 63 == situation_to_act(with_folds, 0).fact


def test_strength_classes_divide_hands_evenly_before_the_flop() -> None:
    for group in range(3):
        sizes = np.bincount(preflop_strength_classes(group))
        assert len(sizes) == 24
        assert sizes.max() < 2.2 * HOLDINGS / 24
    assert preflop_strength_classes(0)[parse_holding("AsAh")] == 23
    assert preflop_strength_classes(0)[parse_holding("3s2h")] == 0


# --- Fitting ---


def test_a_model_gives_back_what_was_counted() -> None:
    model = fit_types({"station": counts_of(call=80, fold=20), "honest": by_strength()}, types=4)
    assert set(model.names) == {"station", "honest"}
    station, honest = model.names.index("station"), model.names.index("honest")
    assert model.later[station, 5, 40] == pytest.approx([0.2, 0.8, 0.0], abs=0.03)
    assert model.preflop[honest, 5, 20, ActionKind.RAISE] > 0.85
    assert model.preflop[honest, 5, 3] == pytest.approx([0.5, 0.5, 0.0], abs=0.1)
    assert np.allclose(model.later.sum(axis=-1), 1)


def known_actions(
    rng: np.random.Generator, often: float, rarely: float, count: int
) -> ActionCounts:
    """Counts of a player who bets ``often`` after a raise on the street before, else rarely."""
    own = ActionCounts()
    raised, behind = rng.integers(2, size=count), rng.integers(3, size=count)
    bets = rng.random(count) < np.where(raised, often, rarely)
    for other, last, kind in zip(raised, behind, np.where(bets, 2, 1), strict=True):
        own.later[0, 40, kind] += 1
        own.known.extend((0, 40, 42 * int(other) + int(last), int(kind)))
    return own


def test_further_facts_multiply_what_tables_say() -> None:
    """Each player's own table comes first, so that the factors are of facts alone."""
    rng = np.random.default_rng(4)
    bets = {"bold": (0.8, 0.3), "timid": (0.5, 0.1)}
    model = fit_types(
        {name: known_actions(rng, *own, 12_000) for name, own in bets.items()}, types=4
    )
    for name, (often, rarely) in bets.items():
        for fact, share in ((42, often), (0, rarely), (44, often)):
            adjusted = model.later[model.names.index(name), 0, 40] * model.facts[0, fact, 10]
            found = adjusted[ActionKind.RAISE] / adjusted.sum()
            assert found == pytest.approx(share, abs=0.09), (name, fact)
    assert np.array_equal(model.facts[5], np.ones_like(model.facts[5]))


def test_from_few_actions_further_facts_are_not_learned() -> None:
    counts = {"bold": known_actions(np.random.default_rng(4), 0.8, 0.3, 500)}
    assert np.all(fit_types(counts, types=4).facts == 1)
    given = shipped_model().facts
    assert fit_types(counts, types=4, facts=given).facts is given


def test_players_who_act_alike_share_a_type() -> None:
    counts = {f"caller {n}": counts_of(call=9, fold=1) for n in range(3)}
    counts |= {f"folder {n}": counts_of(fold=9, call=1) for n in range(3)}
    model = fit_types(counts, types=2)
    assert sorted(model.names) == [
        "caller 0, caller 1, caller 2",
        "folder 0, folder 1, folder 2",
    ]


def test_a_model_that_is_written_is_read(tmp_path: Path) -> None:
    model = fit_types({"honest": by_strength(), "station": counts_of(call=8)}, types=4)
    path = tmp_path / "model.npz"
    with path.open("wb") as file:
        model.write(file)
    again = read_model(path)
    assert again.names == model.names
    assert np.abs(again.later - model.later).max() < 0.01
    shipped = shipped_model()
    with path.open("wb") as file:
        shipped.write(file)
    assert np.array_equal(read_model(path).facts, shipped.facts)


def test_nothing_to_learn_from_and_no_model_are_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no action of a player whose cards are known"):
        fit_types({"nobody": ActionCounts()}, types=4)
    path = tmp_path / "model.npz"
    path.write_bytes(b"no model")
    with pytest.raises(DamagedFile, match="no model written by railbird train loki"):
        read_model(path)
    buffer = BytesIO()
    np.savez(buffer, format=np.array("another"))
    path.write_bytes(buffer.getvalue())
    with pytest.raises(DamagedFile, match="no model"):
        read_model(path)


def test_a_damaged_model_is_refused_wherever_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    with path.open("wb") as file:
        shipped_model().write(file)
    sound = path.read_bytes()
    for place in range(100, len(sound), len(sound) // 10):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 0x5A]) + sound[place + 1 :])
        with pytest.raises(DamagedFile, match="no model written by railbird train loki"):
            read_model(path)


def test_a_file_that_unpacks_to_much_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    zeros = np.zeros(1 << 23, np.uint8)
    np.savez_compressed(path, format=np.array(FORMAT), names=np.array(["x"]), preflop=zeros)
    with pytest.raises(DamagedFile, match="no model"):
        read_model(path)


def test_the_shipped_model_prefers_raises_with_good_hands() -> None:
    model = shipped_model()
    pooled = model.preflop.mean(axis=0)
    row = situation_to_act(after(6)).row
    assert pooled[row, 23, ActionKind.RAISE] > pooled[row, 12, ActionKind.RAISE]
    assert pooled[row, 0, ActionKind.FOLD] > pooled[row, 23, ActionKind.FOLD]


# --- Beliefs ---


MODEL = fit_types({"station": counts_of(call=80), "honest": by_strength()}, types=4)


def watched(
    tracker: LearnedTracker,
    *actions: Action,
    own: int = 0,
    seats: int = 2,
    stacks: tuple[Chips, ...] | None = None,
) -> HandState:
    """Show a hand to a tracker; two players show a pair of deuces at the end."""
    state = initial(replace(limit_holdem(seats), stacks=stacks))
    holes = (parse_holding("2s2d"), parse_holding("7c2c")) if seats == 2 else (None,) * seats
    state = step(state, DealHoles(holes))
    tracker.begin(view(state, Seat(own)))
    cards = list(parse_cards("As9c8c3d4h"))
    for action in actions:
        event: Act | DealBoard
        assert state.actor is not None
        event = Act(state.actor, action)
        state = step(state, event)
        tracker.observe(view(state, Seat(own)), event)
        while state.actor is None and cards and len(state.in_hand) > 1:
            count = 3 if len(cards) == 5 else 1
            event = DealBoard(tuple(cards[:count]))
            del cards[:count]
            state = step(state, event)
            tracker.observe(view(state, Seat(own)), event)
    return state


def test_weights_multiply_by_the_probability_of_each_action() -> None:
    tracker = LearnedTracker(MODEL)
    state = after(2)
    situation = situation_to_act(state)
    watched(tracker, Raise(Chips(20)))
    weights = tracker.weights(Seat(1))
    expected = MODEL.preflop.mean(axis=0)[situation.row, :, ActionKind.RAISE]
    expected = expected[classes_of(situation, ())]
    assert weights == pytest.approx(expected / expected.max(), abs=1e-9)
    assert weights[parse_holding("AsAh")] > 10 * weights[parse_holding("7s2h")]
    (update,) = tracker.learned()
    assert update.expected == pytest.approx(expected.mean())


def test_a_check_counts_and_cards_on_the_board_are_excluded() -> None:
    tracker = LearnedTracker(MODEL)
    watched(tracker, Call(), Call())
    assert tracker.weights(Seat(1))[parse_holding("AsKh")] == 0
    before = tracker.weights(Seat(0)).copy()
    watched(tracker, Call(), Call(), Call())
    assert not np.array_equal(before, tracker.weights(Seat(0)))


def test_all_fold_as_often_as_each_is_expected_to_when_its_turn_comes() -> None:
    tracker = LearnedTracker()
    before = (Raise(Chips(20)), *(Call(),) * 5)
    state = watched(tracker, *before, own=2, seats=4)
    chance = tracker.chance_of_folds(state)
    assert state.actor == 2
    assert tracker.chance_of_folds(state) == chance
    watched(tracker, *before, Raise(Chips(10)), Fold(), Fold(), Fold(), own=2, seats=4)
    folds = tracker.learned()[-3:]
    assert chance == np.prod([each.expected for each in folds])
    assert [each.act.seat for each in folds] == [3, 0, 1]
    assert 0 < chance < 0.3


def test_who_is_all_in_does_not_fold() -> None:
    tracker = LearnedTracker()
    actions = (Raise(Chips(20)), Call(), Call())
    for short, all_in in ((200, False), (20, True)):
        stacks = (Chips(200), Chips(200), Chips(short))
        state = watched(tracker, *actions, seats=3, stacks=stacks)
        assert state.street is Street.FLOP
        assert (tracker.chance_of_folds(state) == 0) is all_in


@pytest.mark.parametrize("specific", [True, False])
def test_types_are_learned_from_hands_unless_generic(specific: bool) -> None:
    tracker = LearnedTracker(MODEL, specific=specific)
    for _ in range(8):
        state = watched(tracker, *(Call(),) * 8)
        tracker.end(view(state, Seat(0)))
    watched(tracker)
    station = MODEL.names.index("station")
    chances = tracker.types(Seat(1)).chances
    assert bool(chances[station] > 0.9) is specific
    table = later_action_chances(tracker.types(Seat(1)))
    assert bool(table[5, 40, ActionKind.CALL] > 0.8) is specific
    assert tracker.later_actions(Seat(1)) is table


def test_observers_who_have_seen_the_same_share_beliefs() -> None:
    one, other = LearnedTracker(MODEL), LearnedTracker(MODEL)
    watched(one, Raise(Chips(20)), Call(), own=0)
    watched(other, Raise(Chips(20)), Call(), own=1)
    one.weights(Seat(0)), other.weights(Seat(0))
    assert one._seats[0].belief is other._seats[0].belief


def test_a_player_is_known_in_any_seat_until_the_reset() -> None:
    tracker = LearnedTracker(MODEL)
    tracker.meet((5, 3))
    state = watched(tracker, *(Call(),) * 8)
    tracker.end(view(state, Seat(0)))
    tracker.meet((3, 5))
    watched(tracker)
    known = tracker.types(Seat(0))
    assert known.logs.any()
    assert isinstance(known.model, ActionModel)
    tracker.reset()
    tracker.meet((3, 5))
    watched(tracker)
    assert not tracker.types(Seat(0)).logs.any()
