"""Redaction in draw games: how many cards each seat draws for all, which for one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from helpers.random_hands import random_discard
from railbird.cards import VARIANTS
from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    Action,
    Betting,
    Call,
    Discard,
    Fold,
    HandDealer,
    HandState,
    Phase,
    Rules,
    Show,
    ShowCards,
    in_variant,
    legal,
    limit_holdem,
)
from railbird.protocol import PlayerKind, chosen_action, following, told, verb_of
from railbird.protocol.encoding import parse_client
from railbird.protocol.messages import Acted, ActMessage, HandView, StreetDealt, Turn, Verb
from railbird.protocol.redaction import (
    HandMoment,
    HandStart,
    HandStep,
    SeatHolder,
    TurnClock,
    TurnStart,
    hand_view,
    told_apart,
    told_body,
)
from railbird.table.advice import FollowedHand

DRAWS = [name for name, variant in VARIANTS.items() if variant.draws]
Happened = list[HandStart | HandStep | TurnStart]


def rules_of(name: str, seats: int) -> Rules:
    return in_variant(limit_holdem(seats, small_bet=20, stack=400), VARIANTS[name])


def action_at(state: HandState, rng: np.random.Generator, folds: int) -> Action:
    if state.phase is Phase.DRAW:
        return random_discard(rng, state)
    allowed = legal(state)
    return Fold() if allowed.fold and not rng.integers(folds) else Call()


def play(
    rules: Rules,
    row: np.ndarray,
    rng: np.random.Generator,
    actions: Sequence[Action] | None = None,
    *,
    folds: int = 8,
) -> tuple[Happened, list[Action]]:
    """Play a hand, at random or with these actions; return what happened at its table."""
    holders = tuple(SeatHolder(f"p{seat}", PlayerKind.BOT, seat + 1) for seat in range(rules.seats))
    dealer, taken = HandDealer.of_row(rules, row), list[Action]()
    dealt, *steps = dealer.begin()
    moment = HandMoment("t", 1, dealt.after, holders)
    events: Happened = [HandStart(moment)]
    while True:
        for event, before, after in steps:
            moment = moment.next_moment(event, before, after)
            events.append(HandStep(moment, event, before))
        if dealer.asks is None:
            return events, taken
        events.append(TurnStart(moment, TurnClock(f"t.{len(taken)}", 40_000, 0)))
        action = action_at(dealer.state, rng, folds) if actions is None else actions[len(taken)]
        taken.append(action)
        steps = dealer.act(action)


def row_of(rng: np.random.Generator) -> np.ndarray:
    return rng.permutation(np.arange(52, dtype=np.uint8))


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("hands", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_every_viewers_view_is_the_fold_of_the_stream(name: str, hands: int) -> None:
    rng = np.random.default_rng(3)
    reshuffled = 0
    for number in range(hands):
        rules = rules_of(name, 6 if number % 2 else 3)
        events, _ = play(rules, row_of(rng), rng)
        reshuffled += any(any(event.moment.reshuffled) for event in events)
        for viewer in (None, *(f"p{seat}" for seat in range(rules.seats))):
            view: HandView | None = None
            for event in events:
                message = told(event, viewer)
                assert message is not None
                view = following(view, message)
                assert view == hand_view(event.moment, viewer)
                if viewer not in told_apart(event):
                    assert message == told(event, None)
    assert reshuffled or "triple" not in name


@pytest.mark.parametrize("name", DRAWS)
def test_a_stream_does_not_depend_on_cards_that_others_hold_or_throw_away(name: str) -> None:
    rng = np.random.default_rng(5)
    compared = 0
    for _ in range(30):
        rules = rules_of(name, 3)
        row = row_of(rng)
        events, actions = play(rules, row, rng)
        until = next(
            (n for n, one in enumerate(events) if _shows(one)),
            len(events) - 1,  # the last one may end the hand, and says nothing else
        )
        dealt = events[-1].moment.cards_dealt()
        for seat in range(rules.seats):
            own = {*dealt[seat]}
            free = [place for place, card in enumerate(row) if int(card) not in own]
            order = rng.permutation(len(free))
            again = row.copy()
            again[free] = row[np.array(free)[order]]
            moved = dict(zip(row.tolist(), again.tolist(), strict=True))
            exchanged = [
                Discard(tuple(moved[card] for card in action.cards if card is not None))
                if isinstance(action, Discard)
                else action
                for action in actions
            ]
            changed, _ = play(rules, again, rng, exchanged)
            viewer = f"p{seat}"
            streams = [
                [told_body(one, viewer) for one in some[:until]] for some in (events, changed)
            ]
            assert streams[0] == streams[1]
            compared += until
    assert compared > 500


def _shows(event: HandStart | HandStep | TurnStart) -> bool:
    return isinstance(event, HandStep) and isinstance(event.event, Show | ShowCards)


@pytest.mark.parametrize("name", DRAWS)
def test_a_player_follows_a_hand_from_any_of_its_turns(name: str) -> None:
    """What a program without memory is sent is enough, also once the deck has run out."""
    rng = np.random.default_rng(11)
    followed = 0
    for number in range(20):
        rules = rules_of(name, 6 if number % 2 else 2)
        events, _ = play(rules, row_of(rng), rng)
        for event in events:
            if not isinstance(event, TurnStart):
                continue
            seat = event.moment.state.actor
            turn = told(event, f"p{seat}")
            assert isinstance(turn, Turn)
            hand = FollowedHand(Betting.LIMIT, turn.hand)
            for _ in hand.news(turn.hand):
                pass
            state = hand.view.state
            assert state.cards[seat or 0] == event.moment.state.cards[seat or 0]
            assert state.discards[seat or 0] == event.moment.state.discards[seat or 0]
            allowed = legal(state)
            assert (allowed.draw or None) == turn.legal.draw
            assert (allowed.fold, allowed.to_call) == (turn.legal.fold, turn.legal.to_call)
            followed += 1
    assert followed > 100


def test_a_discard_is_answered_with_cards_and_told_to_one() -> None:
    rng = np.random.default_rng(2)
    rules = rules_of("27-single", 2)
    row = np.arange(52, dtype=np.uint8)  # seat 0 has 2c to 3c, seat 1 3d to 4d
    thrown = Discard((row[0].item(), row[2].item()))
    acts: list[Action] = [Call(), Call(), thrown, Discard(()), Call(), Call()]
    events, _ = play(rules, row, rng, acts)
    turns = [turn for event in events if isinstance(turn := told(event, "p0"), Turn)]
    draw = next(turn for turn in turns if turn.legal.draw)
    assert (draw.legal.draw, draw.legal.fold, draw.legal.min_to) == (5, False, None)
    assert (draw.hand.street, draw.hand.seats[0].draws) == ("deal", [])
    acted = [one for event in events if isinstance(one := told(event, "p0"), Acted)]
    mine = next(one for one in acted if one.entry.did == "discard")
    assert mine.thrown == ["2c", "2h"]
    others = [one for event in events if isinstance(one := told(event, "p1"), Acted)]
    theirs = next(one for one in others if one.entry.did == "discard")
    assert (theirs.entry.count, theirs.thrown) == (2, None)  # type: ignore[union-attr]
    new = next(one for event in events if isinstance(one := told(event, "p0"), StreetDealt))
    assert (new.street, new.entry.drawn, len(new.cards or ())) == ("draw", [2, 0], 2)
    last = hand_view(events[-1].moment, "p0").seats
    assert [(one.count, one.thrown, one.cards) for one in last[0].draws or ()] == [
        (2, ["2c", "2h"], new.cards)
    ]
    assert [(one.count, one.thrown, one.cards) for one in last[1].draws or ()] == [(0, None, None)]


def drawing() -> HandState:
    dealer = HandDealer.of_row(rules_of("badugi", 2), np.arange(52, dtype=np.uint8))
    dealer.begin()
    dealer.act(Call())
    dealer.act(Call())
    return dealer.state


def act(verb: Verb, cards: list[str] | None = None, to: int | None = None) -> ActMessage:
    return ActMessage(turn="t", action=1, verb=verb, cards=cards, to=to)


def test_the_answer_to_a_draw() -> None:
    state = drawing()
    assert chosen_action(act(Verb.DISCARD, ["2c", "2h"]), state) == Discard((0, 2))  # type: ignore[arg-type]
    assert chosen_action(act(Verb.DISCARD, []), state) == Discard(())
    assert chosen_action(act(Verb.CHECK), state) == Call()
    assert verb_of(Discard((0, 2))) == (Verb.DISCARD, None, ["2c", "2h"])  # type: ignore[arg-type]
    for message, words in (
        (act(Verb.DISCARD, ["2c", "2c"]), "a card comes twice"),
        (act(Verb.DISCARD, ["As"]), "does not hold these cards"),
        (act(Verb.DISCARD, ["2c", "2d", "2h", "2s", "3c"]), "up to 4 cards"),
        (act(Verb.FOLD), "exchanges cards now"),
        (act(Verb.ALL_IN), "exchanges cards now"),
        (act(Verb.BET, to=40), "exchanges cards now"),
    ):
        with pytest.raises(IllegalAction, match=words):
            chosen_action(message, state)
    before_draw = HandDealer.of_row(rules_of("badugi", 2), np.arange(52, dtype=np.uint8))
    before_draw.begin()
    with pytest.raises(IllegalAction, match="no cards are exchanged now"):
        chosen_action(act(Verb.DISCARD, ["2c"]), before_draw.state)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ('"verb":"discard"', "a discard needs `cards`"),
        ('"verb":"call","cards":[]', "a discard needs `cards`"),
        ('"verb":"discard","cards":["2c","2d","2h","2s","3c","3d"]', "length <= 5"),
        ('"verb":"discard","cards":["1c"]', "cards"),
        ('"verb":"discard","cards":[],"to":20', "any other verb has none"),
    ],
)
def test_malformed_discards(fields: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        parse_client(f'{{"type":"act","turn":"t","action":1,{fields}}}'.encode())
