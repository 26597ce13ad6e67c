"""Logs of PokerNow: rows newest first, people under ids, blinds of all kinds, two runs."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from railbird.cards import format_cards
from railbird.histories import (
    HandRecord,
    ReadOptions,
    Skipped,
    SkipReason,
    detect,
    format_named,
)
from railbird.histories.text_values import hole_cards

GOLDEN = (Path(__file__).parents[1] / "golden" / "histories" / "pokernow.csv").read_text("utf-8")
ANN, BO, CY = '""Ann @ aB3-dE6_gH""', '""Bo @ qW5eR-t_Yu""', '""Cy, the 3rd @ Zz9_yX8-wV""'


def items(text: str) -> list[HandRecord | Skipped]:
    return list(format_named("pokernow").read(io.StringIO(text), ReadOptions()))


def hands(text: str) -> list[HandRecord]:
    return [item for item in items(text) if isinstance(item, HandRecord)]


def refused(text: str) -> Skipped:
    (skip,) = [item for item in items(text) if isinstance(item, Skipped)]
    return skip


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def log(*entries: str, at: str = "2024-03-08T20:15:{:02}.000Z") -> str:
    """Rows of entries in the order of play."""
    rows = [
        '"{}",{},{}'.format(entry.replace('"', '""'), at.format(number), 170_000_000 + number)
        for number, entry in enumerate(entries)
    ]
    return "\n".join(["entry,at,order", *reversed(rows)]) + "\n"


def held(hand: HandRecord) -> list[str]:
    return [
        "" if hole is None else format_cards(hole_cards(hole, low_first=hand.low_first >> seat & 1))
        for seat, hole in enumerate(hand.holes)
    ]


def test_hands_are_read_in_the_order_of_play() -> None:
    first, second, third = hands(GOLDEN)
    assert [hand.number for hand in (first, second, third)] == [1, 2, 3]
    assert first.players == ("Ann", "Bo", "Cy, the 3rd"), "Bo had another name then"
    assert first.played_at == datetime(2024, 3, 8, 20, 15, 16, tzinfo=UTC)
    assert (first.currency, first.denomination.denominator) == ("", 100)
    assert [int(chips) for chips in first.payoffs] == [400, -50, -350]
    assert first.source is not None
    assert GOLDEN.splitlines()[first.source.line - 1].startswith('"-- starting hand #1 ')


def test_the_owner_is_who_never_showed_other_cards() -> None:
    first, second, third = hands(GOLDEN)
    assert held(first) == ["TdAh", "", ""]
    assert held(second) == ["", "QdQh", "KcKs"]
    assert held(third) == ["", "9d9s", "KsKh", ""]
    without = "\n".join(row for row in GOLDEN.splitlines() if "shows a" not in row)
    assert held(hands(without)[0]) == ["", "", ""], "several may be the owner"


def test_cards_shown_one_by_one_are_a_hole() -> None:
    rows = [row for row in GOLDEN.splitlines() if "Your hand" not in row]
    assert held(hands("\n".join(rows))[0]) == ["TdAh", "", ""]
    alone = "\n".join(row for row in rows if "shows a A♥." not in row)
    assert held(hands(alone)[0]) == ["", "", ""]


def test_straddle_and_two_runs() -> None:
    _, hand, _ = hands(GOLDEN)
    assert (hand.rules.blinds, hand.rules.first_to_act[0]) == ((25, 50, 100), 0)
    assert [format_cards(board) for board in (hand.board, *hand.more_boards)] == [
        "4s3d4cQs7d",
        "Jd5c7cJhTc",
    ]
    assert [int(chips) for chips in hand.payoffs] == [-400, 200, 200]


def test_a_dead_button_and_missed_blinds() -> None:
    *_, hand = hands(GOLDEN)
    assert hand.players == ("Cy, the 3rd", "Ann", "Bo", "Di")
    assert (hand.rules.blinds, hand.rules.antes) == ((25, 50, 0, 50), (0, 0, 0, 25))
    assert [int(chips) for chips in hand.payoffs] == [-25, -3550, 3650, -75]


def test_rows_may_be_in_any_order_and_may_lack_the_head() -> None:
    _, *rows = GOLDEN.splitlines()
    turned = "\n".join(reversed(rows))
    assert [hand.payoffs for hand in hands(turned)] == [hand.payoffs for hand in hands(GOLDEN)]
    assert detect(turned.splitlines()) is format_named("pokernow")
    assert detect(rows) is format_named("pokernow")


def test_several_logs_in_a_file_have_owners_of_their_own() -> None:
    """Ann's log, then the same game with Cy's cards."""
    other = "\n".join(
        row.replace("A♥, 10♦", "2♥, 2♦").replace("Your hand is K♣, K♠", "Your hand is Q♦, Q♥")
        for row in GOLDEN.splitlines()
        if "9♦, 9♠" not in row or "Your" not in row
    )
    twice = hands(GOLDEN + other)
    assert [hand.number for hand in twice] == [1, 2, 3, 1, 2, 3]
    assert held(twice[3]) == ["TdAh", "", "2h2d"]


def test_two_people_of_one_name_are_told_apart() -> None:
    first, *_ = hands(
        changed(GOLDEN, ("Bo @ qW5eR-t_Yu", "Ann @ qW5eR-t_Yu"), ("bo the old", "Ann"))
    )
    assert first.players == ("Ann @ aB3-dE6_gH", "Ann @ qW5eR-t_Yu", "Cy, the 3rd")


def test_who_logs_in_during_a_game_stays_one_person() -> None:
    """The site gives another id then, here amid the third hand, and a row tells it."""
    late, early = GOLDEN.split('"Flop:  [9♥, 2♠, K♦]"')
    row = '"The player ""Ann @ new_Id-1"" changed the ID from aB3-dE6_gH to new_Id-1 because '
    text = (
        late.replace("aB3-dE6_gH", "new_Id-1")
        + f'{row}authenticated login.",2024-03-08T20:17:04.000Z,170992902400000\n'
        + f'"Flop:  [9♥, 2♠, K♦]"{early}'
    )
    assert hands(text) == hands(GOLDEN)


def table(
    *play: str, head: str = "No Limit Texas Hold'em", stacks: Sequence[int] = (100, 90)
) -> str:
    seated = " | ".join(
        f'#{seat} "{name} @ id{seat}" ({chips})'
        for seat, (name, chips) in enumerate(zip("ABC", stacks, strict=False), 1)
    )
    return log(
        f'-- starting hand #7 (id: x1)  {head} (dealer: "A @ id1") --',
        f"Player stacks: {seated}",
        *play,
        "-- ending hand #7 --",
    )


BLINDS = ('"A @ id1" posts a small blind of 1', '"B @ id2" posts a big blind of 2')


def test_chips_without_cents_and_a_game_without_brackets() -> None:
    text = table(
        *BLINDS,
        '"A @ id1" raises to 6',
        '"B @ id2" folds',
        'Uncalled bet of 4 returned to "A @ id1"',
        '"A @ id1" collected 4 from pot',
    )
    (hand,) = hands(text)
    assert hand.players == ("B", "A")
    assert hand.denomination == 1
    assert [int(chips) for chips in hand.payoffs] == [-2, 2]


def test_a_bounty_on_seven_deuce_is_paid_beside_the_pot() -> None:
    text = table(
        *BLINDS,
        '"C @ id3" folds',
        '"A @ id1" raises to 6',
        '"B @ id2" folds',
        'Uncalled bet of 4 returned to "A @ id1"',
        '"A @ id1" collected 4 from pot',
        '"A @ id1" shows a 7♣, 2♥.',
        '"B @ id2" paid 3 for the 7-2 bounty to "A @ id1"',
        '"C @ id3" paid 3 for the 7-2 bounty to "A @ id1"',
        '"A @ id1" collected 6 from the 7-2 bounty',
        stacks=(100, 90, 80),
    ).replace('dealer: ""A @ id1', 'dealer: ""C @ id3')
    (hand,) = hands(text)
    assert hand.players == ("A", "B", "C")
    assert [int(chips) for chips in hand.payoffs] == [2, -2, 0]
    assert [int(chips) for chips in hand.house] == [6, -3, -3]
    assert refused(text.replace("collected 6 from the", "collected 5 from the")).detail.endswith(
        "of 5, paid by nobody"
    )


def test_a_raise_to_what_the_others_have_left() -> None:
    """Below the least raise, and a call in a raise's words."""
    text = table(
        *BLINDS,
        '"A @ id1" raises to 50',
        '"B @ id2" raises to 90 and go all in',
        '"A @ id1" raises to 90',
        '"A @ id1" shows a A♣, A♥.',
        '"B @ id2" shows a K♣, K♥.',
        "Flop:  [2♣, 3♥, 9♠]",
        "Turn: 2♣, 3♥, 9♠ [9♦]",
        "River: 2♣, 3♥, 9♠, 9♦ [5♦]",
        '"A @ id1" collected 180 from pot with Two Pair (combination: A♣, A♥, 9♠, 9♦, 5♦)',
    )
    assert [int(chips) for chips in hands(text)[0].payoffs] == [-90, 90]
    short = table(
        *BLINDS,
        '"A @ id1" raises to 6',
        '"B @ id2" raises to 60',
        '"A @ id1" raises to 90',
        '"B @ id2" calls 90 and go all in',
        '"A @ id1" shows a A♣, A♥.',
        '"B @ id2" shows a K♣, K♥.',
        "Flop:  [2♣, 3♥, 9♠]",
        "Turn: 2♣, 3♥, 9♠ [9♦]",
        "River: 2♣, 3♥, 9♠, 9♦ [5♦]",
        '"A @ id1" collected 180 from pot with Two Pair (combination: A♣, A♥, 9♠, 9♦, 5♦)',
        stacks=(150, 90),
    )
    assert [int(chips) for chips in hands(short)[0].payoffs] == [-90, 90]


def test_a_small_blind_that_two_rows_tell_is_posted_once() -> None:
    missed = (
        '"B @ id2" posts a missing small blind of 1',
        '"B @ id2" posts a missed big blind of 2',
    )
    start = ('"B @ id2" posts a small blind of 1', '"C @ id3" posts a big blind of 2')
    end = (
        '"A @ id1" folds',
        '"C @ id3" checks',
        "Flop:  [2♣, 3♥, 9♠]",
        '"B @ id2" checks',
        '"C @ id3" bets 5',
        '"B @ id2" folds',
        'Uncalled bet of 5 returned to "C @ id3"',
    )
    both = table(
        *start,
        *missed,
        end[0],
        '"B @ id2" checks',
        *end[1:],
        '"C @ id3" collected 5 from pot',
        stacks=(90, 90, 90),
    )
    (hand,) = hands(both)
    assert (hand.rules.blinds, hand.rules.antes) == ((2, 2, 0), (1, 0, 0))
    once = table(
        *start,
        missed[0],
        end[0],
        '"B @ id2" calls 2',
        *end[1:],
        '"C @ id3" collected 4 from pot',
        stacks=(90, 90, 90),
    )
    (hand,) = hands(once)
    assert (hand.rules.blinds, hand.rules.antes) == ((1, 2, 0), ())


@pytest.mark.parametrize(
    ("text", "reason", "detail"),
    [
        (table(*BLINDS, head="Pot Limit Omaha Hi"), SkipReason.ANOTHER_GAME, "Omaha"),
        (
            table('"A @ id1" posts a bet of 5 (bomb pot bet)'),
            SkipReason.ANOTHER_GAME,
            "a bomb pot",
        ),
        (
            table(*BLINDS, "Flop:  [2♣, 3♥, 9♠]", "Flop (second board):  [2♦, 3♦, 9♦]"),
            SkipReason.ANOTHER_GAME,
            "two boards",
        ),
        (
            table(*BLINDS, '"A @ id1" collected 5 from the 7-2 bounty'),
            SkipReason.ANOTHER_GAME,
            "7-2",
        ),
        (changed(GOLDEN, ("collected 7.50", "collected 7.49")), SkipReason.WRONG_PAYOFF, "rake 0"),
        (changed(GOLDEN, ("calls 1.50", "calls 1.25")), SkipReason.ILLEGAL_ACTION, "due"),
        (
            changed(GOLDEN, (f"{ANN} calls 1.50", f"{ANN} meows 1.50")),
            SkipReason.UNREADABLE,
            "meow",
        ),
        (changed(GOLDEN, ("(25.50)", "(NaN)")), SkipReason.UNREADABLE, "stacks"),
        (changed(GOLDEN, ("raises to 1.50", f"raises to {'9' * 30}")), None, ""),
        (changed(GOLDEN, ("10♠, 4♥, 2♣", "10♠, 4♥, 4♥")), SkipReason.DUPLICATE_CARD, "4h"),
    ],
)
def test_what_is_wrong_is_said(text: str, reason: SkipReason | None, detail: str) -> None:
    skip = refused(text)
    assert reason is None or skip.reason is reason
    assert detail in skip.detail


def test_a_tournaments_chips_are_nobodys_money() -> None:
    row = '"The player ""Ann @ aB3-dE6_gH"" is in the tournament with a stack of 100.",'
    text = f"{GOLDEN}{row}2024-03-08T20:00:00.000Z,170000000000000\n"
    assert all(hand.tournament for hand in hands(text))
    assert not any(hand.tournament for hand in hands(GOLDEN))
