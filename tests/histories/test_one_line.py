from __future__ import annotations

import io
from fractions import Fraction

import pytest

from railbird.cards import Suits, format_cards, format_holding
from railbird.errors import BadInput
from railbird.game import Call, Fold, Raise
from railbird.histories import (
    BadHand,
    HandRecord,
    Skipped,
    SkipReason,
    betting_line,
    one_line,
    read,
    read_hand,
    resolve_game,
    state_line,
)

# The two games between Alice and Bob with which the thesis on DIVAT (Kan 2007, section 1.2) begins.
FIRST = "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC"
SECOND = "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBc/kBrC/bF"


def test_the_games_of_alice_and_bob() -> None:
    """The first pot has 22 small bets, the second 12, and player 1 wins both."""
    first, second = read_hand(FIRST), read_hand(SECOND)
    assert first.payoffs == (Fraction(110), Fraction(-110))
    assert second.payoffs == (Fraction(60), Fraction(-60))
    assert [format_holding(hole) for hole in first.holes if hole is not None] == ["Ts6s", "Jd5d"]
    assert format_cards(first.board) == "Td5hTh2d2h"
    assert list(map(type, second.actions)) == [
        *(Call, Call),
        *(Call, Raise, Call),
        *(Call, Raise, Raise, Call),
        *(Raise, Fold),
    ]
    for hand, text in ((first, FIRST), (second, SECOND)):
        assert one_line(hand) == text
        assert hand.players == ("player 1", "player 2")


@pytest.mark.parametrize(
    "text",
    [
        "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC",
        "ts-6s,jd-5d,10d-5h-10h/2d/2h   SlCk/kBrC/bRrC/bC\n",
        "T♠6♠,J♦5♦,T♦5♥T♥/2♦/2♥ SlCk/kBrC/bRrC/bC # just a comment",
    ],
)
def test_other_spellings_are_the_same_hand(text: str) -> None:
    hand = read_hand(text)
    assert hand.actions == read_hand(FIRST).actions
    assert hand.holes == read_hand(FIRST).holes
    assert one_line(hand) == FIRST
    assert one_line(hand, suits=Suits.LETTERS) == "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"


def test_a_hand_that_ends_early_has_a_shorter_board() -> None:
    assert read_hand("Ts6s,Jd5d SlF").payoffs == (Fraction(5), Fraction(-5))
    assert read_hand("Ts6s,Jd5d, SlF").board == ()
    assert one_line(read_hand("Ts6s,Jd5d,Td5hTh SlCk/bF")) == "T♠-6♠,J♦-5♦,T♦-5♥-T♥ SlCk/bF"


def test_hidden_cards_and_what_stands_behind_a_hand() -> None:
    hand = read_hand("?,Jd5d SlRf # 17:Alice|Bob # misdealt before")
    assert hand.holes[0] is None
    assert (hand.number, hand.players, hand.comment) == (17, ("Alice", "Bob"), "misdealt before")
    with pytest.raises(BadHand, match="unknown cards decide"):
        read_hand("?,?,Td5hTh/2d/2h SlCk/kK/kK/kK")


def test_a_line_of_a_match_log_in_one_line() -> None:
    """The text of the source for a pot of 16 small bets: SlCrC/kK/bC/bRc."""
    line = "STATE:0:crc/cc/rc/rrc:Ts6s|Jd5d/Td5hTh/2d/2h:80|-80:Alice|Bob"
    hand = read_hand(line)
    assert betting_line(hand.rules, hand.actions) == "SlCrC/kK/bC/bRc"
    assert state_line(hand, 0) == line + "\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ts6s,Jd5d", "allowed: HOLE,HOLE,BOARD Sl"),
        ("Ts6s SlF", "allowed: HOLE,HOLE,BOARD Sl"),
        ("Ts6s,Jd5d CkF", "begins with the posts: 'CkF' at character 1 .'C'.; allowed: Sl"),
        ("Ts6s,Jd5d Slf", "'Slf' at character 3 .'f'.; allowed: F, C, R"),
        ("Ts6s,Jd5d SlCc", "at character 4 .'c'.; allowed: f, k, r"),
        ("Ts6s,Jd5d SlCkk", "the street has ended: 'SlCkk' at character 5 .'k'.; allowed: /"),
        ("Ts6s,Jd5d,Td5hTh SlCk/r", "at character 6 .'r'.; allowed: f, k, b"),
        ("Ts6s,Jd5d SlFk", "the hand has ended: 'SlFk' at character 4"),
        ("Ts6s,Jd5d SlC/", "at character 4 .'/'.; allowed: f, k, r"),
        ("Ts6s,Jd5d SlRrRrR", "illegal action: action 3: .* 3 bets and raises"),
        ("Ts6s,Jd5d,Td5hTh SlCk/f", "illegal action: action 2: .* checking is free"),
        ("Ts6s,Jd5d,Td5hTh SlCk/b", "betting not finished: seat 1 is to act"),
        ("Ts6s,Jd5d,Td5hTh SlCk/kK", "board does not fit"),
        ("Ts6s,Jd5d,Td5hTh SlF", "board does not fit"),
        ("Ts6s,Jd5d,Td5hTh/2d/2h/2s SlF", "has 4 streets"),
        ("Ts6s,Jd5d,Td5h SlCk/bF", "2 cards instead of 3"),
        ("Ts6s,JdTs SlF", "duplicate card: Ts comes twice"),
        ("Ts6s,JdJd SlF", "duplicate card: Jd comes twice"),
        ("Ts6x,Jd5d SlF", "not a suit: 'Ts6x' at character 4"),
    ],
)
def test_an_error_says_where_it_is(text: str, message: str) -> None:
    with pytest.raises(BadHand, match=message) as caught:
        read_hand(text)
    assert "\n" not in str(caught.value)


def test_only_heads_up_limit_has_this_form() -> None:
    for game in ("holdem.nolimit.2p.reverse_blinds.game", "holdem.limit.3p.game"):
        with pytest.raises(BadHand, match=r"another game: .* heads-up limit"):
            read_hand(FIRST, game=game)
    big_blind_last = resolve_game("holdem.limit.2p.reverse_blinds.game,firstPlayer=1")
    with pytest.raises(BadHand, match="another game"):
        read_hand(FIRST, game=big_blind_last)


def test_stakes_of_a_file() -> None:
    text = f"# game holdem.limit.2p.reverse_blinds.game,blind=2/1,raiseSize=2/2/4/4\n{FIRST}\n"
    (hand,) = read(io.BytesIO(text.encode()))
    assert isinstance(hand, HandRecord)
    assert hand.payoffs == (Fraction(22), Fraction(-22))
    (unknown,) = read(io.BytesIO(text.replace("holdem.limit", "draw").encode()))
    assert isinstance(unknown, Skipped)
    assert unknown.reason is SkipReason.ANOTHER_GAME


def test_a_long_line_of_other_data_is_told_apart_at_once() -> None:
    """A table of numbers without line ends, so long that a quadratic search would take for ever."""
    with pytest.raises(BadInput, match="of no known format"):
        list(read(io.BytesIO(b"1," * 500_000)))
