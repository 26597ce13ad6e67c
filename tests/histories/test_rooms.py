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
    *("kingsclub", "entraction", "cake", "unibet"),
    *("merge", "everest", "boss", "microgaming"),
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
        assert re.fullmatch("(no-|pot-|)limit Omaha", hand.detail)


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
    unpaid = text.replace('endbalance="81.50"', 'endbalance="82.00"')
    assert isinstance(hands_in(unpaid)[0], Skipped), "nobody put in the chips that Bo has"
    (hand,) = hands_in(text.replace('amount="3.00" pot', 'amount="2.50" pot'))
    assert isinstance(hand, HandRecord), hand
    assert not any(hand.rules.antes), "the stacks after the hand say that it was not paid"


OLD_MERGE = """<description type="Holdem" stakes="No Limit ($0.50/$1.00)"/>
<game id="70-9" starttime="20081013150000" numholecards="2" gametype="2" realmoney="true" data="x">
<players dealer="0">
<player seat="0" nickname="Ann" balance="$100.00" dealtin="true" />
<player seat="1" nickname="Bo" balance="$80.00" dealtin="true" />
</players>
<event sequence="1" type="SMALL_BLIND" player="0" amount="0.50"/>
<event sequence="2" type="BIG_BLIND" player="1" amount="1.00"/>
<event sequence="3" type="CALL" player="0" amount="0.50"/>
<event sequence="4" type="RAISE" player="1" amount="5.00"/>
<event sequence="5" type="CALL" player="0" amount="{call}"/>
<round id="POSTFLOP" sequence="3">
<event sequence="6" type="CHECK" player="1"/>
<event sequence="7" type="BET" player="0" amount="4.00"/>
<event sequence="8" type="FOLD" player="1"/>
<cards type="COMMUNITY" cards="5h,3c,Kd" hand="Ace High"/>
</round>
<winner amount="11.50" uncalled="false" potnumber="1" player="0" pottype="n"/>
<winner amount="4.00" uncalled="true" potnumber="1" player="0" pottype="n"/>
</game>
"""


def test_a_raise_in_old_texts_of_merge_is_what_was_put_in() -> None:
    """Until 2008, when events had no time: Bo puts 5 on a blind of 1, which is a raise to 6.

    A call of less, as after a raise to 5, contradicts that: this room states neither pot nor rake.
    """
    (hand,) = hands_in(OLD_MERGE.format(call="5.00"))
    assert isinstance(hand, HandRecord), hand
    assert list(hand.payoffs) == [-600, 550]
    (refused,) = hands_in(OLD_MERGE.format(call="4.00"))
    assert isinstance(refused, Skipped)
    assert refused.reason is SkipReason.ILLEGAL_ACTION


MERGE_TOURNAMENT = """MERGE_GAME #70-8: Holdem NL Tournament 11/02/2011 21:16:13
Table Alba (Tournament: Alba Buy-In: $2+$0.20)
Seat 1: Ann ($1,490.00 in chips) DEALER
Seat 2: Bo ($90.00 in chips)
Seat 3: Cy ($1,390.00 in chips)
Ann: Post Ante $10.00
Bo: Post Ante $10.00
Cy: Post Ante $10.00
Bo: Post SB $50.00
Cy: Post BB $100.00
*** HOLE CARDS ***
Dealt to Ann [9d 4c]
Ann: Fold
Bo: Allin $90.00
Cy: Call $40.00
*** FLOP *** [9h 5s Qc]
*** TURN *** [6c]
*** RIVER *** [Jd]
*** SUMMARY ***
Bo: Shows [6s 2h]
Cy: Shows [Qh 7s]
Cy: wins $310.00
"""


def test_stacks_in_merge_tournaments_are_told_without_the_posts() -> None:
    """Bo has 90 besides the blind of 50 and the ante of 10, and is all-in for 140."""
    (hand,) = hands_in(MERGE_TOURNAMENT)
    assert isinstance(hand, HandRecord), hand
    assert hand.rules.stacks == (150, 1500, 1500)
    assert list(hand.payoffs) == [-150, 160, -10]


def test_the_big_game() -> None:
    """The button pays the ante of all; a pot that was won has no more streets; a board twice."""
    first, second, _ = hands_in(text_of("big_game.txt"))
    assert isinstance(first, HandRecord), first
    assert isinstance(second, HandRecord), second
    assert first.players == ("B. BO", "CY", "DI", "A. ANN")
    assert list(first.payoffs) == [-120000, -40000, 220000, -60000]
    assert first.rules.antes == (0, 0, 0, 60000)
    assert len(first.board) == 3
    assert first.number_text == "d1h1"
    assert second.players == ("CY", "DI", "A. ANN", "B. BO")
    assert second.rules.blinds == (20000, 40000, 80000, 0)
    assert [len(board) for board in second.more_boards] == [5]
    assert list(second.payoffs) == [70000, 70000, -80000, -60000]


def test_a_table_of_one_of_the_big_game_is_no_table() -> None:
    """Found by a mutated header: the other seats cannot be read, so nobody posts the big blind."""
    text = text_of("big_game.txt").partition("\nURL")[0]
    second, plays = text.index('{Name:"B. BO"'), text.index("]},Plays")
    broken = f'{text[:second]}{{N_ame:"B. B","sk"],CurrentBet:0}}{text[plays:]}'
    (refused,) = hands_in(broken)
    assert isinstance(refused, Skipped)
    assert refused.detail == "players whose seats can be read: 1"


def test_the_big_game_takes_no_rake() -> None:
    text = text_of("big_game.txt").replace('"Wins",value:5000', '"Wins",value:4900')
    refused = hands_in(text)[0]
    assert isinstance(refused, Skipped)
    assert refused.reason is SkipReason.WRONG_PAYOFF
