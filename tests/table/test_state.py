"""The fold of messages into a table, and what a person may choose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import structs

from helpers.told_table import NAMES, hand_of, info_of, state_of, turn_of
from railbird.protocol.messages import (
    Acted,
    ActionEntry,
    BoardDealt,
    BoardEntry,
    CardsRevealed,
    Explained,
    HandBegins,
    HandOver,
    HandView,
    HandVoid,
    KnockedOut,
    Left,
    Paused,
    Presence,
    PresenceChanged,
    Seated,
    Showed,
    Snapshot,
    ToAct,
)
from railbird.table.state import SeenPlay, TableState, after, first_state, is_of, turn_words
from railbird.table.words import LogLine, hand_lines, line_text


def test_a_hand_is_followed_from_its_deal_to_its_end() -> None:
    state = first_state(Snapshot(table=info_of()), "ann", 0.0)
    state = after(state, HandBegins(table="six.1-1", hand=hand_of()), 1.0)
    state = after(state, ToAct(table="six.1-1", hand=1, seat=2, ms=40_000, bank_ms=9_000), 2.0)
    assert state.to_act == 2
    raised = ActionEntry(seat=2, verb="raise", to=60, paid=60)
    acted = Acted(table="six.1-1", hand=1, entry=raised, stack=940, pot=90)
    state = after(state, acted, 3.0)
    assert state.to_act is None
    assert state.fresh[0].text == "bob raises to 60"
    state = after(state, turn_of(hand_of((10, 20, 60)), 50), 4.0)
    assert turn_words(state, 14.0) == "Your turn: 50 to call, 90 seconds"
    folded = ActionEntry(seat=0, verb="fold", paid=0)
    late = Acted(table="six.1-1", hand=1, entry=folded, stack=990, pot=90, by="clock")
    state = after(state, late, 5.0)
    assert state.turn is None
    assert (state.fresh[0].text, state.fresh[0].after) == ("You fold", "the clock ran out")
    over = HandOver(
        table="six.1-1", hand=1, pots=[], won=[-10, -20, 30], stacks=[990, 980, 1030], rake=0
    )
    state = after(state, over, 6.0)
    assert [player.stack for player in state.info.players] == [990, 980, 1030]
    assert [line.text for _, line in state.lines][-2:] == ["You fold", "bob wins 30"]
    numbers = [number for number, _ in state.lines]
    assert numbers == sorted(set(numbers))


def test_what_everybody_did_before_the_flop_is_counted_in_whole_hands() -> None:
    state = first_state(Snapshot(table=info_of()), "ann", 0.0)
    ann, tight, bob = NAMES
    entries = [
        ActionEntry(seat=2, verb="raise", to=60, paid=60),
        ActionEntry(seat=0, verb="call", paid=50),
        ActionEntry(seat=1, verb="fold", paid=0),
        BoardEntry(cards=["2c", "3c", "4c"]),
        ActionEntry(seat=0, verb="bet", to=60, paid=60),
        ActionEntry(seat=2, verb="call", paid=60),
    ]
    over = HandOver(table="six.1-1", hand=1, pots=[], won=[0, 0, 0], stacks=[990] * 3, rake=0)
    for history in (entries, entries, entries[2:3]):
        hand = structs.replace(hand_of(), history=history)
        state = after(state, HandBegins(table="six.1-1", hand=hand), 1.0)
        assert state.hand is not None
        state = after(replace(state, hand=hand), over, 2.0)
    assert state.seen == {ann: SeenPlay(3, 2, 0), tight: SeenPlay(3, 0, 0), bob: SeenPlay(3, 2, 2)}
    # It goes with the viewer to another table, and a hand that does not count is none.
    state = after(state, Seated(table=info_of()), 3.0)
    state = after(state, HandBegins(table="six.1-1", hand=hand_of()), 4.0)
    state = after(state, HandVoid(table="six.1-1", hand=1, text="a fault"), 5.0)
    assert state.seen[bob] == SeenPlay(3, 2, 2)


def test_news_of_another_hand_changes_nothing() -> None:
    state = after(state_of(), HandBegins(table="six.1-1", hand=hand_of()), 0.0)
    flop = BoardEntry(cards=["2c", "3c", "4c"])
    other = BoardDealt(table="six.1-1", hand=7, entry=flop, street="flop", pots=[])
    assert after(state, other, 1.0).hand == state.hand


def test_others_come_and_go_and_the_viewers_own_end_is_known() -> None:
    state = after(state_of(), HandBegins(table="six.1-1", hand=hand_of()), 0.0)
    away = PresenceChanged(table="six.1-1", name="bob", presence=Presence.AWAY)
    state = after(state, away, 1.0)
    assert state.hand is not None
    assert state.hand.seats[2].presence is Presence.AWAY
    for presence, words, why in (
        (Presence.FROZEN, "bob is frozen", "frozen"),
        (Presence.LEAVING, "bob is leaving", "leaving"),
    ):
        gone = after(state, structs.replace(away, presence=presence), 1.0)
        assert gone.fresh[0].text == words
        fold = ActionEntry(seat=2, verb="fold", paid=0)
        acted = Acted(table="six.1-1", hand=1, entry=fold, stack=990, pot=30, by="absence")
        assert after(gone, acted, 2.0).fresh[0].after == why
    out = KnockedOut(table="six.1-1", tournament="six.1", name="bob", place=3, prize="0")
    state = after(state, out, 2.0)
    assert [player.name for player in state.info.players] == ["ann", "house:tight"]
    assert state.knocked_out is None
    state = after(state, structs.replace(out, name="ann", place=2), 3.0)
    assert state.knocked_out is not None
    assert not state.is_over
    assert after(state, Left(table="six.1-1", reason="knocked_out"), 4.0).is_over
    assert not after(state, Left(table="six.1-1", reason="moved"), 4.0).is_over


def begun(hand: HandView | None = None, **changes: Any) -> TableState:
    return after(state_of(**changes), HandBegins(table="six.1-1", hand=hand or hand_of()), 0.0)


def texts(state: TableState) -> list[str]:
    return [line_text(line) for _, line in state.lines]


def test_lines_speak_to_their_viewer() -> None:
    called = ActionEntry(seat=0, verb="call", paid=10)
    state = begun()
    assert texts(state) == ["Hand 1", "You post 10", "tight posts 20", "Your cards As Kd"]
    acted = Acted(table="six.1-1", hand=1, entry=called, stack=980, pot=40)
    assert texts(after(state, acted, 1.0))[-1] == "You call 10"
    watched = begun(hand_of(you=None), name=None)
    assert texts(watched) == ["Hand 1", "ann posts 10", "tight posts 20"]
    assert texts(after(watched, acted, 1.0))[-1] == "ann calls 10"
    assert [line.text for line in hand_lines(hand_of(), names=NAMES)][1] == "ann posts 10"


def test_a_snapshot_repeats_nothing_that_the_log_has() -> None:
    state = begun()
    folds = ActionEntry(seat=2, verb="fold", paid=0)
    calls = ActionEntry(seat=0, verb="call", paid=10)
    state = after(state, Acted(table="six.1-1", hand=1, entry=folds, stack=1000, pot=30), 1.0)
    before = texts(state)
    hand = hand_of((20, 20, 0), history=[folds, calls])
    state = after(state, Snapshot(table=info_of(), hand=hand), 2.0)
    assert texts(state) == [*before, "You call 10"]
    # Another hand is told whole.
    state = after(state, Snapshot(table=info_of(), hand=hand_of(hand=2)), 3.0)
    assert texts(state)[len(before) + 1 :][0] == "Hand 2"


def test_news_that_do_not_fit_need_a_snapshot() -> None:
    entry = BoardEntry(cards=["2c", "3c", "4c"])
    other = BoardDealt(table="six.1-1", hand=7, entry=entry, street="flop", pots=[])
    nobody = ActionEntry(seat=7, verb="fold", paid=0)
    wrong = Acted(table="six.1-1", hand=1, entry=nobody, stack=0, pot=30)
    for message in (other, wrong):
        state = after(begun(), message, 1.0)
        assert state.needs_snapshot
        assert state.hand == begun().hand
        assert not after(state, Snapshot(table=info_of(), hand=hand_of()), 2.0).needs_snapshot
        assert not after(state, turn_of(hand_of(), 10), 2.0).needs_snapshot


def test_a_void_hand_gives_everybody_the_chips_back() -> None:
    void = after(begun(), HandVoid(table="six.1-1", hand=1, text="the server failed"), 1.0)
    assert texts(void)[-1] == "The hand does not count: the server failed"
    assert void.hand is None
    assert [seat.stack for seat in void.felt().seats] == [1000, 1000, 1000]


def test_a_table_that_pauses_has_no_turn() -> None:
    state = after(begun(), turn_of(hand_of(), 10), 1.0)
    state = after(state, Paused(table="six.1-1", paused=True), 2.0)
    assert (state.turn, state.clock) == (None, None)
    assert texts(state)[-1] == "The table pauses"
    assert texts(after(state, Paused(table="six.1-1", paused=False), 3.0))[-1] == "Play goes on"


def test_who_has_folded_is_out_whether_there_or_not() -> None:
    folds = ActionEntry(seat=2, verb="fold", paid=0)
    state = after(begun(), Acted(table="six.1-1", hand=1, entry=folds, stack=1000, pot=30), 1.0)
    away = PresenceChanged(table="six.1-1", name="bob", presence=Presence.AWAY)
    bob = after(state, away, 2.0).felt().seats[2]
    assert (bob.is_out, bob.status, bob.folded) == (True, "away", True)


def test_chips_are_bought_where_stacks_are_not_filled_up() -> None:
    info = info_of("ring")
    players = [structs.replace(info.players[0], stack=300), *info.players[1:]]
    ring = structs.replace(info, players=players)
    assert state_of(info=ring).can_buy == 700
    assert state_of(info=ring, name="bob").can_buy == 0
    assert state_of(info=ring, name=None).can_buy == 0
    filled = structs.replace(ring, format=structs.replace(ring.format, top_up=True))
    assert state_of(info=filled).can_buy == 0
    assert state_of(info=structs.replace(ring, kind="tournament")).can_buy == 0


def test_a_ring_game_waits_for_a_second_player_who_has_chips_and_does_not_sit_out() -> None:
    ann, tight, bob = info_of("ring").players
    broke = structs.replace(tight, stack=0)
    out = structs.replace(bob, presence=Presence.SITTING_OUT)

    def lacks(*players: Any, **changes: Any) -> bool:
        info = structs.replace(info_of("ring"), players=list(players), **changes)
        return state_of(info=info).lacks_players

    assert lacks(ann)
    assert lacks(ann, broke, out)
    assert not lacks(ann, broke, bob)
    assert not lacks(ann, structs.replace(bob, presence=Presence.AWAY))
    filled = structs.replace(info_of().format, top_up=True)
    assert not lacks(ann, broke, format=filled)
    assert not lacks(ann, kind="tournament")


def test_chips_that_were_bought_are_in_the_stack_of_the_next_hand() -> None:
    info = info_of("ring")
    broke = structs.replace(
        info, players=[structs.replace(info.players[0], stack=0), *info.players[1:]]
    )
    assert state_of(info=broke).can_buy == 1000
    assert begun(info=broke).can_buy == 0


def test_a_long_limit_is_no_pressure_and_has_no_clock() -> None:
    clock = after(begun(), turn_of(hand_of(), 10), 1.0).clock
    assert clock is not None
    assert clock.is_drawn
    assert not replace(clock, limit_s=121.0).is_drawn


def test_hidden_cards_that_are_revealed_are_said() -> None:
    over = HandOver(
        table="six.1-1", hand=1, pots=[], won=[10, -10, 0], stacks=[1010, 990, 1000], rake=0
    )
    cards = [["As", "Kd"], ["2c", "2d"], ["7h", "8h"]]
    state = after(begun(), over, 1.0)
    assert (state.won, state.hands, texts(state)[-1]) == (10, 1, "You win 10")
    state = after(state, CardsRevealed(table="six.1-1", hand=1, cards=cards), 2.0)
    assert texts(state)[-2:] == ["tight had 2c 2d", "bob had 7h 8h"]
    why = Explained(table="six.1-1", hand=1, seat=1, action=0, text="Why.")
    assert after(state, why, 3.0).fresh == (LogLine("tight: Why.", kind="note"),)


def test_a_seat_that_is_taken_again_begins_anew() -> None:
    over = HandOver(
        table="six.1-1", hand=1, pots=[], won=[10, -10, 0], stacks=[1010, 990, 1000], rake=0
    )
    left = after(after(begun(), over, 1.0), Left(table="six.1-1", reason="stood_up"), 2.0)
    assert texts(left)[-1] == "You leave the table"
    again = after(left, Seated(table=info_of()), 3.0)
    assert (again.hand, again.won, again.hands, again.left) == (None, 0, 0, "")
    assert texts(again) == [*texts(left), "Table six.1-1"]


def test_messages_belong_to_a_table_or_to_its_tournament() -> None:
    state = state_of()
    out = KnockedOut(table="six.1-2", tournament="six.1", name="eve", place=9, prize="0")
    assert is_of(out, state)
    assert not is_of(structs.replace(out, tournament="six.2"), state)
    assert is_of(Paused(table="six.1-1", paused=True), state)
    assert not is_of(Paused(table="six.1-2", paused=True), state)
    ring = state_of(info=structs.replace(info_of("ring"), tournament=None))
    assert not is_of(Left(table="other", reason="over"), ring)


def test_cards_that_nobody_has_seen_may_be_shown_once() -> None:
    hand = hand_of(you=0)
    cards = hand.seats[0].cards
    assert cards
    state = begun(hand)
    assert not state.may_show, "while it is played"
    count = len(hand.seats)
    over = HandOver(
        table=state.info.table,
        hand=hand.hand,
        pots=[],
        won=[0] * count,
        stacks=[1000] * count,
        rake=0,
        show_ms=10_000,
    )
    ended = after(state, over, 0.0)
    assert ended.may_show
    assert not after(state, structs.replace(over, show_ms=None), 0.0).may_show
    shown = Showed(
        table=state.info.table, hand=hand.hand, seat=0, name=hand.seats[0].name, cards=cards
    )
    assert not after(ended, shown, 0.0).may_show
    # The next hand does not wait, and the cards may still be shown while it is played.
    assert ended.showable == hand.hand
    later = HandBegins(table=state.info.table, hand=structs.replace(hand, hand=hand.hand + 1))
    next_hand = after(ended, later, 0.0)
    assert (next_hand.may_show, next_hand.showable) == (False, hand.hand)
    assert after(next_hand, shown, 0.0).showable == 0
    assert after(after(ended, shown, 0.0), later, 0.0).showable == 0
    last = after(next_hand, structs.replace(over, hand=hand.hand + 1), 0.0)
    assert last.showable == hand.hand + 1
    other = structs.replace(shown, seat=1, name=hand.seats[1].name)
    assert after(ended, other, 0.0).may_show
    told = after(ended, other, 0.0)
    assert told.hand is not None
    assert told.hand.seats[1].cards == cards
    assert "by choice" in texts(told)[-1]
