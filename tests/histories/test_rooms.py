"""Rooms that are tables of patterns: the same hands in every grammar, and what is refused.

`tests/golden/rooms` has four hands, told as each room tells them: a showdown with rake, a bet
that nobody calls, two all-ins with a side pot, and antes in a tournament. They were made for these
tests.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import pytest

from contracts.test_formats_contract import GOLDEN
from railbird.cards import cards_of
from railbird.histories import HandRecord, Skipped, SkipReason, read

FOLDER = Path(__file__).parents[1] / "golden" / "rooms"
ROOMS = (
    *("pokertracker", "ongame", "pkr", "betonline", "everleaf", "absolute", "poker-mavens"),
    *("kingsclub", "entraction", "merge", "everest", "boss", "microgaming"),
)
TEXTS = [Path(name).name for room in ROOMS for name, _ in GOLDEN[room]]

# Left of the button first, in hundredths; worked out by hand.
PAYOFFS = [
    [-1700, -100, 1650, 0],  # Di wins 33.50 of 35, having put in 17
    [-50, -100, 0, 150],
    [-50, 6750, -2000, -5000],  # Ann wins both pots, 117.50, having put in 50
    [-110, 120, -10],
]
PLAYERS = [
    ("Bo", "Cy", "Di", "Ann"),
    ("Cy", "Di", "Ann", "Bo"),
    ("Di", "Ann", "Bo", "Cy"),
    ("Bo", "Cy", "Ann"),
]
CARDS = ["Qd Qc, , As Ks, 7h 6h", ", , 7h 2c, ", ", As Ks, 2d 2c, Qd Qc", ", , 7h 2c"]


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def hands_in(text: str) -> list[HandRecord | Skipped]:
    return list(read(io.BytesIO(text.encode())))


def shown(record: HandRecord) -> set[frozenset[str]]:
    return {frozenset(map(str, cards_of(hole))) for hole in record.holes if hole is not None}


@pytest.mark.parametrize("name", TEXTS)
def test_the_same_hands_in_every_grammar(name: str) -> None:
    hands = hands_in(text_of(name))
    assert len(hands) in (3, 4)
    standard = [hand for hand in hands_in(text_of("pkr.txt")) if isinstance(hand, HandRecord)]
    for hand, other, payoffs, players in zip(hands, standard, PAYOFFS, PLAYERS, strict=False):
        assert isinstance(hand, HandRecord), hand
        assert list(hand.payoffs) == payoffs
        assert hand.players == players
        assert hand.tournament == (len(players) == 3)
        assert (hand.rules.blinds, hand.rules.antes) == (other.rules.blinds, other.rules.antes)
        assert (hand.actions, hand.board, shown(hand)) == (
            other.actions,
            other.board,
            shown(other),
        )


def results(hands: Iterable[HandRecord | Skipped]) -> list[dict[str, Fraction]]:
    """What players won in the hands that were read, in money or chips of a tournament."""
    return [
        {
            player: won * hand.denomination
            for player, won in zip(hand.players, hand.payoffs, strict=True)
        }
        for hand in hands
        if isinstance(hand, HandRecord)
    ]


POST = re.compile("blind|Post|ante|SB|BB|penalty", re.IGNORECASE)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.slow(but=["pkr.txt", "merge.xml", "boss.xml"])
def test_a_line_less_makes_no_other_result(name: str) -> None:
    """Where a line is lost, its hand is refused, or it told nothing of the result.

    Posts are left out: a small blind may be missing, and where no rake is told nobody can know.
    """
    lines = text_of(name).splitlines(keepends=True)
    right = results(hands_in(text_of(name)))
    for place, line in enumerate(lines):
        if not POST.search(line):
            for result in results(hands_in("".join(lines[:place] + lines[place + 1 :]))):
                assert result in right, line


@pytest.mark.parametrize("name", TEXTS)
def test_other_games_are_refused_by_name(name: str) -> None:
    text = text_of(name)
    for word in ("Texas Hold'em", "Hold'em", "TEXAS_HOLDEM", "HOLD'EM", "Holdem", "hold-em"):
        text = text.replace(word, "OMAHA")
    text = text.replace("Hold&apos;em", "Omaha").replace("GAME_THM", "GAME_OMA")
    hands = hands_in(text)
    assert hands
    for hand in hands:
        assert isinstance(hand, Skipped)
        assert hand.reason is SkipReason.ANOTHER_GAME


NAMES = ("Di: folds", "Bo calls $4", "[Ah 9d]", "Seat 1", "\u00c5ke", "-_-", "posts", "Ann Ann")


@pytest.mark.parametrize("name", TEXTS)
def test_strange_names_make_no_other_result(name: str) -> None:
    """A name may look like a line: such hands are read as they were, or refused."""
    text = text_of(name)
    right = results(hands_in(text))
    for strange in NAMES:
        for result in results(hands_in(text.replace("Di", strange))):
            renamed = {"Di" if player == strange else player: of for player, of in result.items()}
            assert renamed in right, strange


def test_a_late_entrant_pays_what_the_text_leaves_out() -> None:
    """Bo posts a big blind to play: in these rooms a dead small one is paid besides, untold."""
    text = text_of("microgaming.xml").split("----PRIMA.DAT----")[2]
    text = text.replace(
        '<Action seq="2" type="BigBlind" seat="4" value="1.00"/>',
        '<Action seq="2" type="BigBlind" seat="4" value="1.00"/>\n'
        '<Action seq="3" type="PostedToPlay" seat="2" value="1.00"/>',
    ).replace('type="Raise" seat="2" value="3.00"', 'type="Raise" seat="2" value="2.00"')
    text = text.replace('<Seat num="2" amount="2.50"', '<Seat num="2" amount="3.00"')
    (hand,) = hands_in(text)
    assert isinstance(hand, HandRecord), hand
    assert list(hand.payoffs) == [-50, -100, 0, 150]
    assert hand.rules.antes == (0, 0, 0, 50)
