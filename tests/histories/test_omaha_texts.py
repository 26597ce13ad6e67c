"""Omaha in sites' words: one hand that every site writes, and hands of ours that come back."""

from __future__ import annotations

import io
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from helpers.random_hands import random_action
from railbird.cards import VARIANTS, parse_cards
from railbird.game import (
    Betting,
    OpenFold,
    Rules,
    UncallableRaise,
    act,
    in_variant,
    legal,
    limit_holdem,
    no_limit_holdem,
    parse_rake,
    payoffs,
    pot_limit_holdem,
    seeded_deals,
    start,
)
from railbird.histories import HandRecord, Skipped, convert, format_named, read, write
from railbird.histories.format import ReadOptions, WriteOptions
from railbird.histories.sites.other_games import named_game, of_hand_size, other_game
from railbird.histories.variant_hands import fields_of_row

POKERSTARS = """\
PokerStars Hand #7: Omaha Hi/Lo Pot Limit ($1/$2 USD) - 2024/01/02 3:04:05 ET
Table 'Vega' 6-max Seat #1 is the button
Seat 1: Ann ($200 in chips)
Seat 2: Bob ($200 in chips)
Seat 3: Cid ($200 in chips)
Bob: posts small blind $1
Cid: posts big blind $2
*** HOLE CARDS ***
Dealt to Ann [As 4s Kh Kc]
Ann: raises $4 to $6
Bob: folds
Cid: calls $4
*** FLOP *** [2c 7d 8h]
Cid: checks
Ann: bets $10
Cid: calls $10
*** TURN *** [2c 7d 8h] [Kd]
Cid: checks
Ann: checks
*** RIVER *** [2c 7d 8h Kd] [Qs]
Cid: checks
Ann: checks
*** SHOW DOWN ***
Cid: shows [Ah 3h 8c 8d] (HI: three of a kind, Eights; LO: 8,7,3,2,A)
Ann: shows [As 4s Kh Kc] (HI: three of a kind, Kings)
Ann collected $16 from pot
Cid collected $16 from pot
*** SUMMARY ***
Total pot $33 | Rake $1
Board [2c 7d 8h Kd Qs]
Seat 1: Ann (button) showed [As 4s Kh Kc] and won ($16) with HI: three of a kind, Kings
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cid (big blind) showed [Ah 3h 8c 8d] and won ($16) with LO: 8,7,3,2,A
"""
SPLIT = """\
PokerStars Hand #8:  Split Hold'em No Limit ($1/$2 USD) - 2024/01/02 3:04:05 ET
Table 'Vega' 6-max Seat #1 is the button
Seat 1: Ann ($200 in chips)
Seat 2: Bob ($200 in chips)
Seat 3: Cid ($50 in chips)
Bob: posts small blind $1
Cid: posts big blind $2
*** HOLE CARDS ***
Dealt to Ann [As Kd]
Ann: raises $4 to $6
Bob: folds
Cid: calls $4
*** FIRST FLOP *** [Kh 8s 3c]
*** SECOND FLOP *** [9d 7h 2s]
Cid: bets $10
Ann: raises $34 to $44
Cid: calls $34 and is all-in
*** FIRST TURN *** [Kh 8s 3c] [Tc]
*** SECOND TURN *** [9d 7h 2s] [Jh]
*** FIRST RIVER *** [Kh 8s 3c Tc] [5d]
*** SECOND RIVER *** [9d 7h 2s Jh] [4c]
*** FIRST SHOW DOWN ***
Cid: shows [9c 9h] (a pair of Nines)
Ann: shows [As Kd] (a pair of Kings)
Ann collected $49.50 from pot
*** SECOND SHOW DOWN ***
Cid: shows [9c 9h] (three of a kind, Nines)
Ann: shows [As Kd] (high card Ace)
Cid collected $49.50 from pot
*** SUMMARY ***
Total pot $101 | Rake $2
FIRST Board [Kh 8s 3c Tc 5d]
SECOND Board [9d 7h 2s Jh 4c]
Seat 1: Ann (button) showed [As Kd] and won ($49.50) with a pair of Kings
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cid (big blind) showed [9c 9h] and won ($49.50) with three of a kind, Nines
"""
GGPOKER = (
    POKERSTARS.replace("PokerStars Hand #7", "Poker Hand #OM7")
    .replace("($1/$2 USD)", "($1/$2)")
    .replace(" ET\n", "\n")
    .replace("SHOW DOWN", "SHOWDOWN")
    .replace("Rake $1", "Rake $1 | Jackpot $0 | Bingo $0")
    .replace("won ($16)", "collected ($16)")
)
WINAMAX = """\
Winamax Poker - CashGame - HandId: #12-3-4 - Omaha Hi/Lo pot limit (1€/2€) - 2024/01/02 03:04:05 UTC
Table: 'Vega' 6-max (real money) Seat #1 is the button
Seat 1: Ann (200€)
Seat 2: Bob (200€)
Seat 3: Cid (200€)
*** ANTE/BLINDS ***
Bob posts small blind 1€
Cid posts big blind 2€
Dealt to Ann [As 4s Kh Kc]
*** PRE-FLOP ***
Ann raises 4€ to 6€
Bob folds
Cid calls 4€
*** FLOP *** [2c 7d 8h]
Cid checks
Ann bets 10€
Cid calls 10€
*** TURN *** [2c 7d 8h][Kd]
Cid checks
Ann checks
*** RIVER *** [2c 7d 8h Kd][Qs]
Cid checks
Ann checks
*** SHOW DOWN ***
Cid shows [Ah 3h 8c 8d] (Three of a kind : 8)
Ann shows [As 4s Kh Kc] (Three of a kind : K)
Ann collected 16€ from pot(HI)
Cid collected 16€ from pot(LO)
*** SUMMARY ***
Total pot 32€ | Rake 1€
Board: [2c 7d 8h Kd Qs]
Seat 1: Ann (button) showed [As 4s Kh Kc] and won 16€ with HI : Three of a kind : K
Seat 3: Cid (big blind) showed [Ah 3h 8c 8d] and won 16€ with LO : 8,7,3,2,A
"""
PACIFIC = """\
***** 888poker Hand History for Game 7 *****
$1/$2 Blinds Pot Limit OmahaHL - *** 02 01 2024 03:04:05
Table Vega 6 Max (Real Money)
Seat 1 is the button
Total number of players : 3
Seat 1: Ann ( $200 )
Seat 2: Bob ( $200 )
Seat 3: Cid ( $200 )
Bob posts small blind [$1]
Cid posts big blind [$2]
** Dealing down cards **
Dealt to Ann [ As, 4s, Kh, Kc ]
Ann raises [$6]
Bob folds
Cid calls [$4]
** Dealing flop ** [ 2c, 7d, 8h ]
Cid checks
Ann bets [$10]
Cid calls [$10]
** Dealing turn ** [ Kd ]
Cid checks
Ann checks
** Dealing river ** [ Qs ]
Cid checks
Ann checks
** Summary **
Cid shows [ Ah, 3h, 8c, 8d ]
Ann shows [ As, 4s, Kh, Kc ]
Ann collected [ $16 ]
Cid collected [ $16 ]
"""
PARTYPOKER = """\
***** Hand History for Game 7 *****
$200 USD PL Omaha Hi-Lo - Tuesday, January 02, 03:04:05 EST 2024
Table Vega (Real Money)
Seat 1 is the button
Total number of players : 3/6
Seat 1: Ann ( $200 USD )
Seat 2: Bob ( $200 USD )
Seat 3: Cid ( $200 USD )
Bob posts small blind [$1 USD].
Cid posts big blind [$2 USD].
** Dealing down cards **
Dealt to Ann [ As 4s Kh Kc ]
Ann raises [$6 USD]
Bob folds
Cid calls [$4 USD]
** Dealing Flop ** [ 2c, 7d, 8h ]
Cid checks
Ann bets [$10 USD]
Cid calls [$10 USD]
** Dealing Turn ** [ Kd ]
Cid checks
Ann checks
** Dealing River ** [ Qs ]
Cid checks
Ann checks
Cid shows [ Ah, 3h, 8c, 8d ] three of a kind, Eights.
Ann shows [ As, 4s, Kh, Kc ] three of a kind, Kings.
Ann wins $16 USD from the main pot with three of a kind, Kings.
Cid wins $16 USD from the main pot with a low hand.
"""
FULL_TILT = """\
Full Tilt Poker Game #7: Table Vega (6 max) - PL Omaha H/L - $1/$2 - 03:04:05 ET - 2013/01/02
Seat 1: Ann ($200)
Seat 2: Bob ($200)
Seat 3: Cid ($200)
Bob posts the small blind of $1
Cid posts the big blind of $2
The button is in seat #1
*** HOLE CARDS ***
Dealt to Ann [As 4s Kh Kc]
Ann raises to $6
Bob folds
Cid calls $4
*** FLOP *** [2c 7d 8h] (Total Pot: $13, 2 Players)
Cid checks
Ann bets $10
Cid calls $10
*** TURN *** [2c 7d 8h] [Kd] (Total Pot: $33, 2 Players)
Cid checks
Ann checks
*** RIVER *** [2c 7d 8h Kd] [Qs] (Total Pot: $33, 2 Players)
Cid checks
Ann checks
*** SHOW DOWN ***
Cid shows [Ah 3h 8c 8d] three of a kind, Eights, for high and 8,7,3,2,A, for low
Ann shows [As 4s Kh Kc] three of a kind, Kings, for high
Ann wins the high pot ($16) with three of a kind, Kings
Cid wins the low pot ($16) with 8,7,3,2,A
*** SUMMARY ***
Total pot $33 | Rake $1
Board: [2c 7d 8h Kd Qs]
Seat 1: Ann (button) showed [As 4s Kh Kc] and won ($16) with three of a kind, Kings
Seat 2: Bob (small blind) folded before the Flop
Seat 3: Cid (big blind) showed [Ah 3h 8c 8d] and won ($16) with 8,7,3,2,A
"""
BOVADA = """\
Bovada Hand #7 TBL#8 OMAHA HiLo Pot Limit - 2014-01-02 03:04:05
Seat 1: Dealer [ME] ($200 in chips)
Seat 2: Small Blind ($200 in chips)
Seat 3: Big Blind ($200 in chips)
Dealer  [ME] : Set dealer [1]
Small Blind : Small Blind $1
Big Blind : Big blind $2
*** HOLE CARDS ***
Dealer  [ME] : Card dealt to a spot [As 4s Kh Kc]
Small Blind : Card dealt to a spot [2d 3d 4d 5d]
Big Blind : Card dealt to a spot [Ah 3h 8c 8d]
Dealer  [ME] : Raises $6 to $6
Small Blind : Folds
Big Blind : Call $4
*** FLOP *** [2c 7d 8h]
Big Blind : Checks
Dealer  [ME] : Bets $10
Big Blind : Call $10
*** TURN *** [2c 7d 8h] [Kd]
Big Blind : Checks
Dealer  [ME] : Checks
*** RIVER *** [2c 7d 8h Kd] [Qs]
Big Blind : Checks
Dealer  [ME] : Checks
Dealer  [ME] : Hand result $16
Big Blind : Hand result $16
*** SUMMARY ***
Total Pot($33)
Board [2c 7d 8h Kd Qs]
"""
WINNING = (
    POKERSTARS.replace(
        "PokerStars Hand #7: Omaha Hi/Lo Pot Limit ($1/$2 USD) - 2024/01/02 3:04:05 ET\n"
        "Table 'Vega' 6-max",
        "Hand #7 - Omaha H/L(Pot Limit) - $1.00/$2.00 - 2024/01/02 03:04:05 UTC\nVega 6-max",
    )
    .replace(" in chips)", ".00)")
    .replace(": ", " ")
    .replace("Seat 1 ", "Seat 1: ")
    .replace("Seat 2 ", "Seat 2: ")
    .replace("Seat 3 ", "Seat 3: ")
    .replace("posts small", "posts the small")
    .replace("posts big", "posts the big")
    .replace("raises $4 to", "raises $6.00 to")
    .replace("from pot", "from main pot")
    .replace("Total pot $33 | Rake $1", "Total pot $32.00 | Rake $1.00 | JP Fee $0.00")
)
WINNING_OLD = """\
Game started at: 2016/1/2 3:4:5
Game ID: 7 1/2 (PRR) Vega (Omaha HiLow)
Seat 1 is the button
Seat 1: Ann (200).
Seat 2: Bob (200).
Seat 3: Cid (200).
Player Bob has small blind (1)
Player Cid has big blind (2)
Player Bob received a card.
Player Ann received card: [As]
Player Ann received card: [4s]
Player Ann received card: [Kh]
Player Ann received card: [Kc]
Player Ann raises (6)
Player Bob folds
Player Cid calls (4)
*** FLOP ***: [2c 7d 8h]
Player Cid checks
Player Ann bets (10)
Player Cid calls (10)
*** TURN ***: [2c 7d 8h] [Kd]
Player Cid checks
Player Ann checks
*** RIVER ***: [2c 7d 8h Kd] [Qs]
Player Cid checks
Player Ann checks
------ Summary ------
Pot: 32. Rake 1
Board: [2c 7d 8h Kd Qs]
*Player Ann shows: Three of a kind [As 4s Kh Kc]. Bets: 16. Collects: 16. Wins: 0.
Player Bob does not show cards.Bets: 1. Collects: 0. Loses: 1.
*Player Cid shows: Three of a kind [Ah 3h 8c 8d]. Bets: 16. Collects: 16. Wins: 0.
Game ended at: 2016/1/2 3:5:5
"""
EVERLEAF = """\
***** Hand history for game #7 *****
Blinds $1/$2 PL Omaha Hi/Lo - 2010/01/02 - 03:04:05
Table Vega
Seat 1 is the button
Total number of players: 3
Seat 1: Ann (  $ 200 USD )
Seat 2: Bob (  $ 200 USD )
Seat 3: Cid (  $ 200 USD )
Bob: posts small blind [$ 1 USD]
Cid: posts big blind [$ 2 USD]
** Dealing down cards **
Dealt to Ann [ As, 4s, Kh, Kc ]
Ann raises [$ 6 USD]
Bob folds
Cid calls [$ 4 USD]
** Dealing Flop ** [ 2c, 7d, 8h ]
Cid checks
Ann: bets [$ 10 USD]
Cid calls [$ 10 USD]
** Dealing Turn ** [ Kd ]
Cid checks
Ann checks
** Dealing River ** [ Qs ]
Cid checks
Ann checks
Cid shows [ Ah, 3h, 8c, 8d ] three of a kind, eights
Ann shows [ As, 4s, Kh, Kc ] three of a kind, kings
Ann wins  high ($ 16 USD) from main pot with three of a kind, kings [ Kh, Kc, Kd, Qs, 8h ]
Cid wins  low ($ 16 USD) from main pot with 8,7,3,2,A [ Ah, 3h, 2c, 7d, 8h ]
"""
ONGAME = """\
***** History for hand R5-7-7 *****
Start hand: Mon Jan 2 03:04:05 GMT+0100 2010
Table: Vega [7] (POT_LIMIT OMAHA_HI_LO $1/$2, Real money)
Button: seat 1
Players in round: 3
Seat 1: Ann ($200)
Seat 2: Bob ($200)
Seat 3: Cid ($200)
Bob posts small blind ($1)
Cid posts big blind ($2)
---
Dealing pocket cards
Dealing to Ann: [As, 4s, Kh, Kc]
Ann raises $6 to $6
Bob folds
Cid calls $4
--- Dealing flop [2c, 7d, 8h]
Cid checks
Ann bets $10
Cid calls $10
--- Dealing turn [Kd]
Cid checks
Ann checks
--- Dealing river [Qs]
Cid checks
Ann checks
---
Summary:
Main pot: $33 won by Ann ($16), Cid ($16)
Rake taken: $1
Seat 1: Ann ($200), net: $0, [As, 4s, Kh, Kc]
Seat 2: Bob ($199), net: -$1
Seat 3: Cid ($200), net: $0, [Ah, 3h, 8c, 8d]
***** End of hand R5-7-7 *****
"""
IPOKER = """\
<session sessioncode="1">
<general><mode>real</mode><gametype>Omaha Hi-Lo PL $1/$2</gametype><tablename>Vega</tablename>
<currency>USD</currency></general>
<game gamecode="7"><general><startdate>2014-01-02 03:04:05</startdate><players>
<player seat="1" name="Ann" chips="$200" dealer="1" win="$16" bet="$16"/>
<player seat="2" name="Bob" chips="$200" dealer="0" win="$0" bet="$1"/>
<player seat="3" name="Cid" chips="$200" dealer="0" win="$16" bet="$16"/></players></general>
<round no="0"><action no="1" player="Bob" type="1" sum="$1"/>
<action no="2" player="Cid" type="2" sum="$2"/></round>
<round no="1"><cards type="Pocket" player="Ann">SA S4 HK CK</cards>
<cards type="Pocket" player="Bob">X X X X</cards>
<cards type="Pocket" player="Cid">HA H3 C8 D8</cards>
<action no="3" player="Ann" type="23" sum="$6"/><action no="4" player="Bob" type="0" sum="$0"/>
<action no="5" player="Cid" type="3" sum="$4"/></round>
<round no="2"><cards type="Flop" player="">C2 D7 H8</cards>
<action no="6" player="Cid" type="4" sum="$0"/><action no="7" player="Ann" type="5" sum="$10"/>
<action no="8" player="Cid" type="3" sum="$10"/></round>
<round no="3"><cards type="Turn" player="">DK</cards>
<action no="9" player="Cid" type="4" sum="$0"/>
<action no="10" player="Ann" type="4" sum="$0"/></round>
<round no="4"><cards type="River" player="">SQ</cards>
<action no="11" player="Cid" type="4" sum="$0"/><action no="12" player="Ann" type="4" sum="$0"/>
</round></game></session>
"""
POKERNOW_ROWS = (
    '-- starting hand #7 (id: ab7)  (Pot Limit Omaha Hi/Lo) (dealer: ""Ann @ a"") --',
    'Player stacks: #1 ""Ann @ a"" (200) | #2 ""Bob @ b"" (200) | #3 ""Cid @ c"" (200)',
    "Your hand is A♠, 4♠, K♥, K♣",
    '""Bob @ b"" posts a small blind of 1',
    '""Cid @ c"" posts a big blind of 2',
    '""Ann @ a"" raises to 6',
    '""Bob @ b"" folds',
    '""Cid @ c"" calls 6',
    "Flop:  [2♣, 7♦, 8♥]",
    '""Cid @ c"" checks',
    '""Ann @ a"" bets 10',
    '""Cid @ c"" calls 10',
    "Turn: 2♣, 7♦, 8♥ [K♦]",
    '""Cid @ c"" checks',
    '""Ann @ a"" checks',
    "River: 2♣, 7♦, 8♥, K♦ [Q♠]",
    '""Cid @ c"" checks',
    '""Ann @ a"" checks',
    '""Cid @ c"" shows a A♥, 3♥, 8♣, 8♦.',
    '""Ann @ a"" shows a A♠, 4♠, K♥, K♣.',
    '""Ann @ a"" collected 17 from pot with Three of a Kind, K\'s',
    '""Cid @ c"" collected 16 from pot with 8,7,3,2,A',
    "-- ending hand #7 --",
)
POKERNOW = "entry,at,order\n" + "".join(
    f'"{row}",2024-01-02T03:04:05.{order:03}Z,{1000 + order}\n'
    for order, row in reversed(list(enumerate(POKERNOW_ROWS)))
)
TEXTS = {
    "pokerstars": POKERSTARS,
    "ggpoker": GGPOKER,
    "winamax": WINAMAX,
    "pacific": PACIFIC,
    "partypoker": PARTYPOKER,
    "full-tilt": FULL_TILT,
    "bovada": BOVADA,
    "winning": WINNING,
    "winning old": WINNING_OLD,
    "everleaf": EVERLEAF,
    "ongame": ONGAME,
    "ipoker": IPOKER,
    "pokernow": POKERNOW,
}
HI = parse_cards("As4sKhKc")
LO = parse_cards("Ah3h8c8d")


def items(site: str, text: str, *, variants: bool = True) -> list[HandRecord | Skipped]:
    reader = format_named(site.partition(" ")[0])
    return list(reader.read(io.StringIO(text), ReadOptions(variants=variants)))


def through_phh(hand: HandRecord) -> HandRecord:
    """The hand as PHH has it, where rake is what the winners lack."""
    phh = format_named("phh")
    assert phh.write is not None
    (piece,) = phh.write([hand], WriteOptions())
    assert isinstance(piece, str), piece
    (back,) = items("phh", piece)
    assert isinstance(back, HandRecord), back
    return back


@pytest.mark.parametrize("site", TEXTS)
def test_every_site_has_the_hand(site: str) -> None:
    (hand,) = items(site, TEXTS[site])
    assert isinstance(hand, HandRecord), hand
    assert (hand.rules.variant.name, hand.rules.betting) == ("omaha-hilo", Betting.POT_LIMIT)
    big_blinds = [chips / hand.rules.big_blind for chips in hand.payoffs]
    odd = Fraction(1, 2) if site == "pokernow" else 0  # which takes no rake
    assert big_blinds == [Fraction(-1, 2), 0, odd]
    assert [set(own) for own in hand.cards[1:]] == [set(LO), set(HI)]
    assert hand.board == parse_cards("2c7d8hKdQs")
    assert through_phh(hand).payoffs == hand.payoffs


@pytest.mark.parametrize("site", TEXTS)
def test_who_wants_hold_em_alone_is_told_the_game(site: str) -> None:
    (skip,) = items(site, TEXTS[site], variants=False)
    assert isinstance(skip, Skipped)
    assert skip.reason.value == "another game"
    assert "Omaha hi-lo" in skip.detail
    assert not skip.hand.won, "what another game won is nowhere counted"


@pytest.mark.parametrize("site", TEXTS)
def test_low_cards_that_win_nothing_are_refused(site: str) -> None:
    """The same hand with a low one that does not qualify, whose pots are paid as before."""
    text = TEXTS[site]
    for three, king in (("3h", "Th"), ("H3", "HT"), ("3♥", "T♥")):
        text = text.replace(three, king)
    (skip,) = items(site, text)
    assert isinstance(skip, Skipped)
    assert skip.reason.value == "wrong payoff"


@pytest.mark.parametrize("site", ["pacific", "partypoker", "bovada", "everleaf", "ipoker"])
def test_what_one_winner_lacks_is_no_rake(site: str) -> None:
    """These texts state no rake, which both winners would bear."""
    text = TEXTS[site]
    (place, *_) = [
        place
        for place in range(len(text))
        if text.startswith("16", place) and "200" not in text[place - 3 : place]
    ]
    (skip,) = items(site, f"{text[:place]}12{text[place + 2 :]}")
    assert isinstance(skip, Skipped)
    assert skip.reason.value == "wrong payoff"


def test_cards_say_how_many_a_hand_has() -> None:
    text = POKERSTARS.replace("As 4s Kh Kc]", "As 4s Kh Kc 9d]").replace("8c 8d]", "8c 8d Jd]")
    (hand,) = items("pokerstars", text)
    assert isinstance(hand, HandRecord)
    assert hand.rules.variant.name == "omaha5-hilo"
    seven = text.replace("9d]", "9d 5d 6s]")
    (skip,) = items("pokerstars", seven)
    assert isinstance(skip, Skipped)
    assert skip.detail == "Omaha hi-lo with a hand of 7 cards"


def test_shown_by_choice() -> None:
    shown = POKERSTARS.replace(
        "Cid: shows [Ah 3h 8c 8d] (HI: three", "Cid: shows [Ah 3h] (HI: three"
    )
    shown = shown.replace("Cid (big blind) showed [Ah 3h 8c 8d] and", "Cid (big blind) and")
    (hand,) = items("pokerstars", shown)
    assert isinstance(hand, HandRecord)
    assert hand.cards[1] == (), "two of four cards are no hand"


def test_run_twice() -> None:
    text = POKERSTARS.replace("Ann: bets $10", "Ann: bets $10").replace(
        "*** TURN *** [2c 7d 8h] [Kd]\nCid: checks\nAnn: checks\n"
        "*** RIVER *** [2c 7d 8h Kd] [Qs]\nCid: checks\nAnn: checks\n",
        "*** FIRST TURN *** [2c 7d 8h] [Kd]\n*** FIRST RIVER *** [2c 7d 8h Kd] [Qs]\n"
        "*** SECOND TURN *** [2c 7d 8h] [9s]\n*** SECOND RIVER *** [2c 7d 8h 9s] [Jc]\n",
    )
    text = text.replace("($200 in chips)", "($16 in chips)").replace(
        "Seat 2: Bob ($16", "Seat 2: Bob ($200"
    )
    text = text.replace("bets $10", "bets $10 and is all-in").replace(
        "calls $10", "calls $10 and is all-in"
    )
    text = text.replace("Ann collected $16", "Ann collected $8").replace(
        "Cid collected $16", "Cid collected $24"
    )
    text = text.replace("won ($16) with HI", "won ($8) with HI").replace(
        "won ($16) with LO", "won ($24) with LO"
    )
    text = text.replace(
        "Board [2c 7d 8h Kd Qs]",
        "Hand was run twice\nFIRST Board [2c 7d 8h Kd Qs]\nSECOND Board [2c 7d 8h 9s Jc]",
    )
    (hand,) = items("pokerstars", text)
    assert isinstance(hand, HandRecord), hand
    assert hand.more_boards == (parse_cards("2c7d8h9sJc"),)
    assert [chips / 100 for chips in hand.payoffs] == [-1, 8, -8]
    back = through_phh(hand)
    assert (back.board, back.more_boards) == (hand.board, hand.more_boards)
    assert (back.payoffs, back.rake) == (hand.payoffs, hand.rake)
    assert hand.rake


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("OMAHA HiLo Pot Limit", "omaha-hilo"),
        ("Big O", "omaha5-hilo"),
        ("PLO-6", "omaha6"),
        ("5 Card Omaha", "omaha5"),
        ("Courchevel Hi", "courchevel"),
    ],
)
def test_names(game: str, name: str) -> None:
    assert other_game(game).name == name


def test_hand_sizes() -> None:
    assert of_hand_size(VARIANTS["omaha"], 6).name == "omaha6"
    assert of_hand_size(VARIANTS["omaha-hilo"], 5).name == "omaha5-hilo"
    assert of_hand_size(VARIANTS["courchevel"], 5).name == "courchevel"
    assert of_hand_size(VARIANTS["27-triple"], 9).name == "27-triple"


def played(rng: np.random.Generator, name: str, betting: Betting, rake: str) -> HandRecord:
    seats = int(rng.integers(2, 7))
    stacks: list[int] = rng.integers(15, 600, seats).tolist()
    holdem: Rules = {
        Betting.LIMIT: lambda: limit_holdem(seats, small_bet=10, stack=stacks),
        Betting.POT_LIMIT: lambda: pot_limit_holdem(seats, blinds=(5, 10), stack=stacks),
        Betting.NO_LIMIT: lambda: no_limit_holdem(seats, blinds=(5, 10), stack=stacks),
    }[betting]()
    rules = replace(
        in_variant(holdem, VARIANTS[name]),
        rake=parse_rake(rake) if rake else None,
        open_fold=OpenFold.ALLOWED,
        uncallable_raise=UncallableRaise.ALLOWED,
    )
    row = seeded_deals(rng, seats, 1, rules.variant)[0]
    state, actions = start(rules, row), []
    while state.actor is not None:
        actions.append(random_action(rng, legal(state)))
        state = act(state, actions[-1], row)
    return HandRecord(
        rules=rules,
        players=tuple(f"player {seat}" for seat in range(seats)),
        payoffs=payoffs(state),
        number=7,
        currency="$",
        denomination=Fraction(1, 100),
        **fields_of_row(rules, row, state.street, actions),
    )


OMAHAS = [name for name in VARIANTS if name.startswith("omaha")]


@pytest.mark.slow(but=["5%,cap=20-Betting.POT_LIMIT-omaha-hilo"])
@pytest.mark.parametrize("name", OMAHAS)
@pytest.mark.parametrize("betting", [Betting.LIMIT, Betting.POT_LIMIT, Betting.NO_LIMIT])
@pytest.mark.parametrize("rake", ["", "5%,cap=20"])
def test_what_is_written_comes_back(
    name: str, betting: Betting, rake: str, tmp_path: object
) -> None:
    rng = np.random.default_rng([len(name), len(betting.value), len(rake)])
    folder, written = tmp_path, 0
    for number in range(8):
        record = played(rng, name, betting, rake)
        path = f"{folder}/{number}.txt"
        result = write([record], path, format_name="pokerstars")
        if any(chips.denominator > 1 for chips in record.payoffs):
            assert result.hands == 0, "half a chip is not written"
            continue
        assert result.hands == 1, list(result.skipped)
        (back,) = read(path, variants=True)
        assert isinstance(back, HandRecord)
        assert (back.actions, back.payoffs, back.board) == (
            record.actions,
            record.payoffs,
            record.board,
        )
        assert back.cards == record.cards
        assert back.rules.variant is record.rules.variant
        written += 1
    assert written > 2


def test_what_the_site_has_no_word_for_is_not_written(tmp_path: object) -> None:
    rng = np.random.default_rng(3)
    record = played(rng, "courchevel", Betting.POT_LIMIT, "")
    log = f"{tmp_path}/log.phhs"
    write([record], log)
    result = convert(log, f"{tmp_path}/log.txt", target_format="pokerstars")
    assert result.hands == 0
    assert sum(result.skipped.values()) == 1


def test_each_of_two_boards_has_half_a_pot(tmp_path: Path) -> None:
    def hand(text: str) -> HandRecord | Skipped:
        path = tmp_path / "split.txt"
        path.write_text(text)
        (only,) = read(path, variants=True)
        return only

    record = hand(SPLIT)
    assert isinstance(record, HandRecord)
    assert record.rules.variant.name == "double-board-holdem"
    assert record.board == parse_cards("Kh8s3cTc5d")
    assert record.more_boards == (parse_cards("9d7h2sJh4c"),)
    payoffs_by_name = dict(zip(record.players, record.payoffs, strict=True))
    assert payoffs_by_name == {"Ann": -50, "Bob": -100, "Cid": -50}
    before, after = SPLIT.partition("Cid: calls $4\n")[::2]
    ended = "Cid: folds\nUncalled bet ($4) returned to Ann\nAnn collected $5 from pot\n"
    ended += "*** SUMMARY ***\nTotal pot $5 | Rake $0\n"
    folded = hand(before + ended)
    assert isinstance(folded, HandRecord)
    assert (folded.board, folded.more_boards) == ((), ())
    swept = after.replace("Cid collected", "Ann collected")
    assert isinstance(hand(before + "Cid: calls $4\n" + swept), Skipped)


@pytest.mark.parametrize("name", OMAHAS)
def test_open_hand_history_has_omaha(name: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(len(name))
    records = [played(rng, name, Betting.POT_LIMIT, "5%,cap=20") for _ in range(3)]
    records = [hand for hand in records if all(chips.denominator == 1 for chips in hand.payoffs)]
    path = tmp_path / "log.ohh"
    assert write(records, path, format_name="ohh").hands == len(records) > 0
    for back, record in zip(read(path, variants=True), records, strict=True):
        assert isinstance(back, HandRecord), back
        assert back.rules.variant is record.rules.variant
        assert (back.actions, back.payoffs) == (record.actions, record.payoffs)
        assert (back.cards, back.board) == (record.cards, record.board)
    for game in ("courchevel", "stud"):
        record = replace(records[0], rules=in_variant(records[0].rules, VARIANTS[game]))
        assert write([record], tmp_path / "none.ohh", format_name="ohh").hands == 0


BOVADA_ALL_IN = """\
Bovada Hand #7 TBL#8 OMAHA Pot Limit - 2012-01-02 03:04:05
Seat 1: Dealer [ME] ($18 in chips)
Seat 2: Small Blind ($200 in chips)
Seat 3: Big Blind ($200 in chips)
Dealer  [ME] : Set dealer/Bring in spot [1]
Small Blind : Ante/Small Blind $1
Big Blind : Big blind/Bring in $2
*** HOLE CARDS ***
Dealer  [ME] : Card dealt to a spot [As 4s Kh Kc]
Small Blind : Card dealt to a spot [2d 3d 4d 5d]
Big Blind : Card dealt to a spot [Ah 3h 8c 8d]
Dealer  [ME] : Calls $2
Small Blind : Folds
Big Blind : Raises $6
Dealer  [ME] : All-in(raise) $18
Big Blind : Calls $12
Dealer  [ME] : Showdown [Kh Kc Kd Qs 9h] (Three of a kind)
Big Blind : Showdown [8c 8d Kd Qs 9h] (One pair)
Dealer  [ME] : Hand result $36
*** SUMMARY ***
Total Pot($37) | Rake ($1)
Board [2c 7d 9h Kd Qs]
"""


def test_bovadas_raise_all_in_may_give_the_whole_stack() -> None:
    (hand,) = items("bovada", BOVADA_ALL_IN)
    assert isinstance(hand, HandRecord), hand
    assert [chips / hand.rules.big_blind for chips in hand.payoffs] == [Fraction(-1, 2), -9, 9]


PKR_TIE = """\
Table #1 - Vega
Starting Hand #7
Start time of hand: 26 Aug 2011 11:24:50
Last Hand #6
Game Type: OMAHA HI/LO
Limit Type: POT LIMIT
Table Type: RING
Money Type: REAL MONEY
Blinds are now $2 / $4
Button is at seat 5
Seat 1: Ann - $402
Seat 5: Bob - $213.90
Seat 6: Cid - $491.70
Shuffling Deck
Moving Button to seat 6
Ann posts small blind ($2)
Bob posts big blind ($4)
Dealing Cards
Dealing [A s][5 s][Q d][Q h] to Ann
Cid folds
Ann raises to $12
Bob calls $12
Pot sizes: $24
Dealing Flop [3 d][2 c][8 s]
Ann checks
Bob checks
Dealing Turn [K c]
Ann checks
Bob checks
Dealing River [4 h]
Ann checks
Bob checks
Taking Rake of $1 from pot 1
Ann shows [A s][5 s][Q d][Q h]
Ann has Straight, 5 high
Ann has low hand: A2345
Bob shows [A h][5 h][J d][J c]
Bob has Straight, 5 high
Bob has low hand: A2345
Ann ties, and wins $5.75 with high hand: Straight, 5 high
Bob ties, and wins $5.75 with high hand: Straight, 5 high
Ann ties $5.75 with low hand: A2345
Bob ties $5.75 with low hand: A2345
Seat 1: Ann - $401.50
Seat 5: Bob - $213.40
Seat 6: Cid - $491.70
End of Hand #7
"""


def test_pkr_divides_a_low_half_without_the_word_wins() -> None:
    (hand,) = items("pkr", PKR_TIE)
    assert isinstance(hand, HandRecord), hand
    won = dict(zip(hand.players, hand.payoffs, strict=True))
    half = Fraction(-1, 2)
    money = {name: chips * hand.denomination for name, chips in won.items()}
    assert money == {"Ann": half, "Bob": half, "Cid": 0}


def test_ipoker_may_state_an_ante_of_nothing() -> None:
    (hand,) = items("ipoker", IPOKER.replace("PL $1/$2", "Pot limit $1/$2 Ante $0.00"))
    assert isinstance(hand, HandRecord), hand
    assert not any(hand.rules.antes)


@pytest.mark.parametrize(
    ("name", "game"),
    [("Seven Card Stud", VARIANTS["stud"].title), ("2-7 Razz", "2-7 razz")],
)
def test_stud_without_a_button_is_refused_by_name(name: str, game: str) -> None:
    text = f"#7: Limit {name} - 44/88\n2020-10-26 19:00:47\nTable 'Mix'\n"
    (skip,) = items("kingsclub", text)
    assert isinstance(skip, Skipped)
    assert (skip.reason.value, skip.detail) == ("another game", f"limit {game}")


@pytest.mark.parametrize(
    ("text", "name"), [("A-5 Triple Draw", "a5-triple"), ("2-7 Razz", None), ("Razz", "razz")]
)
def test_low_games_by_name(text: str, name: str | None) -> None:
    game = named_game(text)
    assert (game and game.name) == name
