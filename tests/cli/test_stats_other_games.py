"""``railbird stats`` of other games: the betting of their hands, none of their cards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from railbird import arena, histories
from railbird.assessment import statistics_without_board
from railbird.cards import HOLDEM, VARIANTS, parse_cards
from railbird.game import (
    Action,
    Call,
    Discard,
    Fold,
    Raise,
    in_variant,
    limit_holdem,
    pot_limit_holdem,
)
from railbird.histories import HandRecord, betting_alone
from railbird.histories.variant_hands import course_of_record
from railbird.units import Chips


def played(name: str, deals: int = 60) -> list[HandRecord]:
    rules = replace(pot_limit_holdem(3, blinds=(1, 2), stack=100), variant=VARIANTS[name])
    match = arena.Match(players=("always-call", "random", "b=random"), rules=rules, deals=deals)
    return list(arena.hands(match))


@pytest.mark.parametrize("name", ["omaha-hilo", "courchevel", "double-board-holdem"])
def test_the_betting_counts_as_in_hold_em(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    hands, log = played(name), tmp_path / "log.phhs"
    histories.write(hands, log)
    told = call_json(capsys, "stats", str(log))
    found = told["players"]
    assert {of["hands"] for of in found.values()} == {60}
    assert found["always-call"]["vpip"]["value"] > 0.8
    assert found["always-call"]["pfr"]["value"] == 0
    assert 0 < found["random"]["pfr"]["value"] < 1
    won = sum(float(hand.payoffs[hand.players.index("random")]) for hand in hands) / 2
    assert found["random"]["bb_per_100"]["value"] == pytest.approx(100 * won / 60)
    code, out, err = call(capsys, "stats", str(log), "--player", "random")
    assert code == 0
    assert f"hands of {VARIANTS[name].title}, whose betting and results count, no cards" in err
    assert "VPIP" in out


def test_betting_alone_has_no_cards_and_the_same_actions() -> None:
    for hand in played("courchevel", 20):
        alone = betting_alone(hand)
        assert alone.rules.variant is HOLDEM
        assert (alone.actions, alone.payoffs) == (hand.actions, hand.payoffs)
        assert (alone.cards, set(alone.holes)) == ((), {None})
        assert len(alone.board) in (0, 3, 4, 5)


def test_only_the_first_game_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = tmp_path / "a.phhs", tmp_path / "b.phhs"
    histories.write(played("omaha", 20), first)
    histories.write(played("omaha5", 10), second)
    told = call_json(capsys, "stats", str(first), str(second))
    assert told["skipped"] == {"another game": 10}
    assert told["players"]["random"]["hands"] == 20


@pytest.mark.parametrize("name", ["stud", "razz"])
def test_games_that_a_card_opens_have_statistics_of_their_own(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = in_variant(pot_limit_holdem(3, blinds=(1, 2), stack=100), VARIANTS[name])
    match = arena.Match(players=("always-call", "random", "b=random"), rules=rules, deals=60)
    hands, log = list(arena.hands(match)), tmp_path / "log.phhs"
    histories.write(hands, log)
    told = call_json(capsys, "stats", str(log))
    assert (told["game"], told["unit"]) == (name, "bb")
    calling = told["players"]["always-call"]
    assert calling["hands"] == 60
    assert calling["completed"]["value"] == 0
    on_fourth = sum(any(len(cards) > 3 for cards in hand.cards) for hand in hands)
    assert calling["fourth"]["value"] == pytest.approx(on_fourth / 60)
    won = sum(float(hand.payoffs[hand.players.index("random")]) for hand in hands) / 2
    assert told["players"]["random"]["won"]["value"] == pytest.approx(won / 60)
    code, out, _ = call(capsys, "stats", str(log), "--player", "random")
    assert code == 0
    assert "always-call" not in out
    assert "VPIP: put in chips on third street by choice" in out
    for options, words in (
        (("--by", "position"), "--by in"),
        (("--player", "nobody"), "nobody"),
    ):
        code, _, err = call(capsys, "stats", str(log), *options)
        assert code != 0
        assert words in err


def test_a_hand_of_stud_counted_by_a_person() -> None:
    rules = in_variant(limit_holdem(3, small_bet=10), VARIANTS["stud"])
    # Third street: bring-in, completion, fold, call. Fourth: bet, call. Fifth: bet, fold.
    hand = HandRecord(
        rules=rules,
        players=("first", "second", "third"),
        holes=(None,) * 3,
        board=(),
        actions=(
            *(Call(), Raise(Chips(10)), Fold(), Call()),
            *(Raise(Chips(10)), Call()),
            *(Raise(Chips(20)), Fold()),
        ),
        payoffs=(Fraction(-21), Fraction(22), Fraction(-1)),
        cards=tuple(map(parse_cards, ("5c6c2c9hTh", "5d6d9dKd2d", "5h6hTd"))),
    )
    counted = statistics_without_board([hand])
    found = {
        name: {key: (share.value, share.n) for key, share in of.items() if share.n}
        for name, of in counted.shares.items()
    }
    assert found["first"] == {
        "vpip": (1, 1),
        "completed": (0, 1),
        "fourth": (1, 1),
        "aggression": (0, 1),
        "wtsd": (0, 1),
    }
    assert found["second"] == {
        "vpip": (1, 1),
        "completed": (1, 1),
        "steal": (1, 1),
        "fourth": (1, 1),
        "aggression": (1, 2),
        "wtsd": (0, 1),
    }
    assert found["third"] == {"vpip": (0, 1), "completed": (0, 1), "fourth": (0, 1)}
    assert counted.won["second"].value == pytest.approx(2.2)


def test_draw_games_have_statistics_of_their_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = in_variant(limit_holdem(3), VARIANTS["27-triple"])
    match = arena.Match(players=("always-call", "sensible", "random"), rules=rules, deals=60)
    hands, log = list(arena.hands(match)), tmp_path / "log.phhs"
    histories.write(hands, log)
    told = call_json(capsys, "stats", str(log))
    assert (told["game"], told["unit"]) == ("27-triple", "sb")
    calling = told["players"]["always-call"]
    assert calling["hands"] == 60
    assert (calling["pat"]["value"], calling["raised"]["value"]) == (1, 0)
    assert 0 < told["players"]["sensible"]["pat"]["value"] < 1
    draws = [
        (hand.players[seat], len(action.cards))
        for hand in hands
        for seat, action in moves_of(hand)
        if isinstance(action, Discard)
    ]
    for name, player in told["players"].items():
        counts = [count for who, count in draws if who == name]
        for key, is_it in (("pat", 0), ("one", 1)):
            assert player[key]["value"] == pytest.approx(counts.count(is_it) / len(counts))
        assert player["many"]["value"] == pytest.approx(sum(n > 2 for n in counts) / len(counts))
    code, out, _ = call(capsys, "stats", str(log), "--player", "sensible")
    assert code == 0
    assert "pat: stood pat, of its draws." in out


def moves_of(hand: HandRecord) -> list[tuple[int, Action]]:
    return [(seat, action) for _, seat, action in course_of_record(hand).moves]


def test_a_hand_of_draw_counted_by_a_person() -> None:
    # Before the draw: raise, call, fold. Draws of two and none. Then a bet and a fold.
    hand = HandRecord(
        rules=in_variant(limit_holdem(3, small_bet=10), VARIANTS["27-single"]),
        players=("small", "big", "button"),
        holes=(None,) * 3,
        board=(),
        actions=(
            *(Raise(Chips(20)), Call(), Fold()),
            *(Discard(parse_cards("KsKd")), Discard(())),
            *(Call(), Raise(Chips(20)), Fold()),
        ),
        payoffs=(Fraction(-20), Fraction(-10), Fraction(30)),
        cards=tuple(map(parse_cards, ("2c3c4cKsKd8h9h", "5d6d9dKh2d", "7c6c5c4h2h"))),
    )
    counted = statistics_without_board([hand])
    found = {
        name: {key: (share.value, share.n) for key, share in of.items() if share.n}
        for name, of in counted.shares.items()
    }
    assert found["small"] == {
        "vpip": (1, 1),
        "raised": (0, 1),
        "drew": (1, 1),
        "pat": (0, 1),
        "one": (0, 1),
        "many": (0, 1),
        "wtsd": (0, 1),
    }
    assert found["big"] == {"vpip": (0, 1), "raised": (0, 1), "drew": (0, 1)}
    assert found["button"] == {
        "vpip": (1, 1),
        "raised": (1, 1),
        "drew": (1, 1),
        "pat": (1, 1),
        "one": (0, 1),
        "many": (0, 1),
        "aggression": (1, 1),
        "wtsd": (0, 1),
    }
