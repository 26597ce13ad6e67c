"""What people's files show: one rule for each kind, and nothing read wrong in silence."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path

import pytest

from railbird.histories import (
    HandRecord,
    Skipped,
    SkipReason,
    archive,
    read,
    tournament_entries,
    write,
)

CASH = """\
PokerStars Hand #7100:  Hold'em No Limit ($0.05/$0.10 USD) - 2024/05/06 21:03:04 ET
Table 'Rhea' 6-max Seat #2 is the button
Seat 2: Uma ($12 in chips)
Seat 4: Vic ($9 in chips)
Seat 6: Wes ($10 in chips)
Vic: posts small blind $0.05
Wes: posts big blind $0.10
*** HOLE CARDS ***
Dealt to Wes [Qs Jd]
Uma: raises $0.20 to $0.30
Vic: folds
Wes: calls $0.20
*** FLOP *** [Qh 3h 5c]
Wes: checks
Uma: bets $0.50
Wes: folds
Uncalled bet ($0.50) returned to Uma
Uma collected $0.62 from pot
*** SUMMARY ***
Total pot $0.65 | Rake $0.03
Board [Qh 3h 5c]
Seat 2: Uma (button) collected ($0.62)
Seat 4: Vic (small blind) folded before Flop
Seat 6: Wes (big blind) folded on the Flop
"""
WON = {"Uma": "8/25", "Vic": "-1/20", "Wes": "-3/10"}

TOURNAMENT = """\
PokerStars Hand #7200: Tournament #8800, $4.90+$4.90+$1.10 USD Hold'em No Limit - Level V (100/200)\
 - 2024/05/06 21:04:04 ET
Table '8800 1' 6-max Seat #1 is the button
Seat 1: Uma (9000 in chips, $12.25 bounty)
Seat 2: Vic (2000 in chips, $4.90 bounty)
Seat 3: Wes (9000 in chips, $4.90 bounty)
Vic: posts small blind 100
Wes: posts big blind 200
*** HOLE CARDS ***
Dealt to Uma [As Kd]
Uma: raises 1800 to 2000
Vic: calls 1900 and is all-in
Wes: calls 1800
*** FLOP *** [Ah 2h 4c]
Wes: checks
Uma: checks
*** TURN *** [Ah 2h 4c] [7s]
Wes: checks
Uma: checks
*** RIVER *** [Ah 2h 4c 7s] [9s]
Wes: checks
Uma: checks
*** SHOW DOWN ***
Wes: shows [Ac Ks] (a pair of Aces)
Uma: shows [As Kd] (a pair of Aces)
Vic: shows [Qd Qs] (a pair of Queens)
Uma collected 3000 from pot
Wes collected 3000 from pot
Uma wins the $4.90 bounty for eliminating Vic
Vic finished the tournament in 3rd place
Uma finished the tournament in 2nd place and received $20.00.
*** SUMMARY ***
Total pot 6000 | Rake 0
Board [Ah 2h 4c 7s 9s]
"""


def found(text: str) -> list[HandRecord | Skipped]:
    return list(read(io.BytesIO(text.encode())))


def money(item: HandRecord | Skipped) -> dict[str, str]:
    assert isinstance(item, HandRecord), item
    amounts = [str(chips * item.denomination) for chips in item.payoffs]
    return dict(zip(item.players, amounts, strict=True))


def one(text: str) -> HandRecord:
    (item,) = found(text)
    assert isinstance(item, HandRecord), item
    return item


def refused(text: str) -> Skipped:
    (item,) = found(text)
    assert isinstance(item, Skipped), item
    return item


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


# Amounts, numbers, games, times, and the ends of hands.


def in_commas(text: str, currency: str) -> str:
    text = text.replace("$", currency).replace("USD", "EUR")
    for whole in range(13):
        text = text.replace(f"{currency}{whole}.", f"{currency}{whole},")
    return text


@pytest.mark.parametrize("currency", ["€", "$", "£"])
def test_decimal_commas(currency: str) -> None:
    text = in_commas(CASH, currency)
    assert "0,05" in text
    hand = one(text)
    assert money(hand) == WON
    assert hand.rules.blinds == (5, 10, 0)


@pytest.mark.parametrize("stack", ["$1,200", "$1.200", "$1 200", "$1,200.00", "$1.200,00"])
def test_thousands_in_any_notation(stack: str) -> None:
    hand = one(changed(CASH, ("$12 in", f"{stack} in")))
    assert hand.rules.stacks == (900, 1000, 120_000)


@pytest.mark.parametrize("stack", ["$12.0051", "$1,20,0", "$12.5.5"])
def test_what_is_no_amount_of_cents_is_refused(stack: str) -> None:
    assert refused(changed(CASH, ("$12 in", f"{stack} in"))).reason is SkipReason.UNREADABLE


@pytest.mark.parametrize("number", ["1250000000000000010", "9" * 30, "ab12CD-7", "00012"])
def test_numbers_of_any_length_and_with_letters(number: str, tmp_path: Path) -> None:
    hand = one(changed(CASH, ("7100", number)))
    whole = number.isdecimal() and int(number) < 2**63
    assert (hand.number, hand.number_text) == ((int(number), "") if whole else (None, number))
    archive.add([hand], tmp_path / "all")
    (kept,) = archive.read(tmp_path / "all")
    assert kept == hand
    for form in ("phh", "ohh", "pokerstars"):
        write([hand], tmp_path / form, format_name=form)
        (back,) = read(tmp_path / form)
        assert isinstance(back, HandRecord)
        assert (back.number, back.number_text) == (hand.number, hand.number_text)


@pytest.mark.parametrize(
    "game", ["No Limit Texas Hold'em", "No Limit Hold'em", "Texas Hold'em No Limit"]
)
def test_converters_write_no_limit_first(game: str) -> None:
    text = changed(CASH, ("Hold'em No Limit", game), ("in chips", "in Chips"))
    assert money(one(text)) == WON


@pytest.mark.parametrize(
    "word", ["Split", "Swap", "Showtime", "Unfold", "Tempest", "6+", "Fusion", "Whatever", "5-Card"]
)
@pytest.mark.parametrize("game", ["Hold'em No Limit", "No Limit Hold'em"])
def test_other_holdem_is_refused_by_its_name(word: str, game: str) -> None:
    skip = refused(changed(CASH, ("Hold'em No Limit", f"{word} {game}")))
    assert skip.reason is SkipReason.ANOTHER_GAME
    read_games = {"6+": "short-deck", "Split": "double-board"}  # read, but no plain hold'em
    assert word in skip.detail or read_games[word] in skip.detail


def test_a_time_need_not_have_zeros() -> None:
    hand = one(changed(CASH, ("2024/05/06 21:03:04", "2024/5/6 9:3:4")))
    assert f"{hand.played_at:%d %H:%M:%S}" == "06 09:03:04"


def test_single_blank_lines_do_not_end_a_hand() -> None:
    text = changed(CASH, ("\nVic: posts", "\n\nVic: posts"), ("\n***", "\n\n***"))
    assert money(one(text)) == WON
    two = found(f"{text}\n{text.replace('7100', '7101')}\n\n\n")
    assert [money(item) for item in two] == [WON, WON]


@pytest.mark.parametrize(
    "cut", ["Uma: bets $0.5", "Seat 6: Wes (big bl", "Total pot $0.6", "*** SU"]
)
def test_a_hand_after_a_cut_line_is_whole(cut: str) -> None:
    lost, whole = found(CASH.partition(cut)[0] + cut + CASH.replace("7100", "7101"))
    if "Seat 6" not in cut:
        assert isinstance(lost, Skipped)
    assert isinstance(whole, HandRecord)
    assert (whole.number, money(whole)) == (7101, WON)


PARTY = """\
***** Hand History For Game 17706abc9h5 *****
0.10/0.25 Texas Holdem Game Table (NL) - Mon Feb 09 12:10:26 EST 2026
Table Ostrava 3 (Real Money) -- Seat 1 is the button
Total number of players : 3/6
Seat 1: Uma ($20)
Seat 2: Vic ($20)
Seat 3: Wes ($20)
Vic posts small blind (0.10)
Wes posts big blind (0.25)
** Dealing down cards **
Dealt to Wes [ Kh, Kd ]
Uma folds
Vic folds
** Summary **
Main Pot: $0.20 Rake: $0
Uma balance $20, didn't bet (folded)
Vic balance $19.90, lost $0.10 (folded)
Wes balance $20.10, bet $0.25, collected $0.35, net +$0.10
"""


def test_partypoker_has_its_currency_in_the_stacks_and_letters_in_numbers() -> None:
    hand = one(PARTY)
    assert (hand.currency, hand.number_text) == ("$", "17706abc9h5")
    assert money(hand) == {"Vic": "-1/10", "Wes": "1/10", "Uma": "0"}
    assert one(PARTY.replace("$", "€")).currency == "€"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("net +$0.10", "net +$0.11"),
        ("lost $0.10", "lost $1.0"),
        ("$19.90", "$19.80"),
        ("lost $0.10", "lost $0..10"),
    ],
)
def test_partypoker_balances_contradict(old: str, new: str) -> None:
    reasons = (SkipReason.WRONG_PAYOFF, SkipReason.UNREADABLE)
    assert refused(changed(PARTY, (old, new))).reason in reasons


def test_partypoker_rounds_a_chip_of_an_all_in_away() -> None:
    text = changed(
        PARTY,
        ("0.10/0.25 Texas Holdem Game Table (NL)", "100/200 Tourney Texas Holdem Game Table (NL)"),
        ("$20", "4001"),
        ("(0.10)", "(100)"),
        ("(0.25)", "(200)"),
        ("Vic folds\n** Summary", "Vic raises 3900 to 4000\nVic is all-In.\nWes calls (3800)\n"
        "** Dealing Flop ** [ 7s, 9c, 5s ]\n** Dealing Turn ** [ 3s ]\n** Dealing River ** [ Qs ]\n"
        "Creating Main Pot with 8000 with Vic\n** Summary"),
    )  # fmt: skip
    head, _, _ = text.partition("Main Pot:")
    text = (
        f"{head}Main Pot: 8000\nBoard: [ 7s, 9c, 5s, 3s, Qs ]\nUma balance 4001, didn't bet"
        " (folded)\nVic balance 8000, bet 4001, collected 8000, net +3999 [ As, 2s ]\n"
        "Wes balance 1, lost 4000 [ Kh, Kd ]\n"
    )
    assert money(one(text)) == {"Vic": "4000", "Wes": "-4000", "Uma": "0"}


# Money between players and the house outside the pot.


GG = """\
Poker Hand #HD7300: Hold'em No Limit ($0.05/$0.10) - 2024/08/02 11:26:53
Table 'NLHGreen1' 6-max Seat #3 is the button
Seat 1: u1 ($10 in chips)
Seat 2: v2 ($10 in chips)
Seat 3: Hero ($10 in chips)
u1: posts small blind $0.05
v2: posts big blind $0.10
*** HOLE CARDS ***
Dealt to Hero [7h 7d]
Hero: folds
u1: calls $0.05
v2: checks
*** FLOP *** [2d 3c Kd]
u1: checks
v2: checks
*** TURN *** [2d 3c Kd] [Ks]
u1: checks
v2: checks
*** RIVER *** [2d 3c Kd Ks] [7c]
u1: Bet & Muck $0.10
v2: calls $0.10
u1: Bet & Muck folds
v2: shows [Ah 8d] (Pair of Kings)
*** SHOWDOWN ***
v2 collected $0.39 from pot
*** SUMMARY ***
Total pot $0.40 | Rake $0.01 | Jackpot $0 | Bingo $0
Board [2d 3c Kd Ks 7c]
"""
WINAMAX = """\
Winamax Poker - CashGame - HandId: #11-22-1417000000 - Holdem no limit (0.05€/0.10€)\
 - 2024/05/06 12:1:40 UTC
Table: 'Nice 05' 5-max (real money) Seat #1 is the button
Seat 1: Uma (10€)
Seat 2: Vic (10€)
*** ANTE/BLINDS ***
Uma posts small blind 0.05€
Vic posts big blind 0.10€
Dealt to Uma [As 9d]
*** PRE-FLOP ***
Uma raises 0.20€ to 0.30€
Vic folds
Uma collected 0.40€ from pot
*** SUMMARY ***
Total pot 0.40€ | No rake
Seat 1: Uma (button) (small blind) won 0.40€
"""


def test_bet_and_muck_throws_the_cards_away() -> None:
    assert money(one(GG)) == {"u1": "-1/5", "v2": "19/100", "Hero": "0"}


def test_winamax_numbers_may_have_letters() -> None:
    numbers = ("11-22-1417000000", "a1b2-22-14170c", "6f2ab9d4")
    hands = [one(WINAMAX.replace(numbers[0], number)) for number in numbers]
    assert [(hand.number, hand.number_text) for hand in hands] == [
        (1122, ""),
        *((None, number) for number in numbers[1:]),
    ]


@pytest.mark.parametrize(
    ("text", "blinds", "ante"),
    [
        (
            CASH,
            "Vic: posts small blind $0.05\nWes: posts big blind $0.10\n",
            ": posts the ante $1\n",
        ),
        (GG, "u1: posts small blind $0.05\nv2: posts big blind $0.10\n", ": posts the ante $1\n"),
        (WINAMAX, "Uma posts small blind 0.05€\nVic posts big blind 0.10€\n", " posts ante 1€\n"),
        (PARTY, "Vic posts small blind (0.10)\nWes posts big blind (0.25)\n", " posts ante (1)\n"),
    ],
    ids=["pokerstars", "ggpoker", "winamax", "partypoker"],
)
@pytest.mark.parametrize("cards", ["after betting", "at once"])
def test_antes_alone_are_another_game(text: str, blinds: str, ante: str, cards: str) -> None:
    names = ("u1", "v2", "Hero") if text is GG else ("Uma", "Vic", "Wes")
    seated = [name for name in names if f": {name} (" in text]
    text = text.replace(blinds, "".join(f"{name}{ante}" for name in seated))
    if cards == "at once":
        head, _, played = text.partition("Dealt to")
        name = "** Dealing Flop **" if text.startswith("*****") else "*** FLOP ***"
        flop = f"{name}{played.partition(name)[2] or ' [Qh 3h 5c]'}"
        text = f"{head}Dealt to {seated[0]} [As 9d]\n{flop}\n"
    skip = refused(text)
    assert (skip.reason, skip.detail) == (
        SkipReason.ANOTHER_GAME,
        "antes and no blinds, as in a bomb pot",
    )


def test_winamax_times_need_no_zeros() -> None:
    assert money(one(WINAMAX)) == {"Vic": "-1/10", "Uma": "1/10"}


@pytest.mark.parametrize(
    ("text", "before", "line"),
    [
        (CASH, "*** FLOP", "Wes: cashes out $0.45"),
        (GG, "*** FLOP", "v2: Chooses to EV Cashout"),
        (GG, "*** FLOP", "v2: Pays All-In Insurance premium ($0.05)"),
        (PARTY, "** Summary", "Vic has cashed out for $0.05"),
        (PARTY, "** Summary", "Vic bought insurance for $0.05"),
        *(
            (site, before, f"Vic: {words}")
            for site, before in ((PARTY, "** Summary"), (WINAMAX, "*** PRE-FLOP"))
            for words in (
                "Chooses to EV Cashout",
                "EV Cashout (0.30)",
                "Receives Cashout (0.30)",
                "Pays All-In Insurance premium (0.05)",
                "Insurance: 0.05",
            )
        ),
        (WINAMAX, "*** PRE-FLOP", "Splash pot: 0.50€ added"),
    ],
)
def test_money_of_the_house_outside_the_pot_refuses_a_hand(
    text: str, before: str, line: str
) -> None:
    skip = refused(text.replace(before, f"{line}\n{before}", 1))
    assert skip.reason is SkipReason.ANOTHER_GAME
    words = ("sells the hand to the house", "insures the hand", "the house adds money")
    assert any(word in skip.detail for word in words)


@pytest.mark.parametrize(
    "result", ["lost (cashed out)", "won ($0.62) (pot not awarded as player cashed out)"]
)
def test_a_sale_in_the_summary_alone_refuses_a_hand(result: str) -> None:
    skip = refused(changed(CASH, ("Uma (button) collected ($0.62)", f"Uma (button) {result}")))
    assert "sells the hand to the house" in skip.detail


def test_chat_about_it_is_chat() -> None:
    text = CASH.replace("*** FLOP", 'Vic said, "i cashed out $500, insurance"\n*** FLOP')
    assert money(one(text)) == WON
    for chat in ("cashed out $500", "Insurance is expensive", "Cashout? never"):
        assert money(one(PARTY.replace("** Summary", f"Vic: {chat}\n** Summary")))


@pytest.mark.parametrize("site", [CASH, GG])
def test_run_twice_is_the_reason(site: str) -> None:
    skip = refused(site.replace("*** FLOP ***", "*** FIRST FLOP ***"))
    assert skip.reason is SkipReason.ANOTHER_GAME
    assert "run twice" in skip.detail


# Short blinds, absent players, antes and positions.


SHORT = """\
PokerStars Hand #7400: Tournament #8800, $5.00+$0.50 USD Hold'em No Limit - Level III (100/200)\
 - 2024/05/06 12:00:00 ET
Table '8800 1' 9-max Seat #1 is the button
Seat 1: Uma (1000 in chips)
Seat 2: Vic (1000 in chips)
Seat 3: Wes (150 in chips)
Vic: posts small blind 100
Wes: posts big blind 150 and is all-in
*** HOLE CARDS ***
Dealt to Vic [As Kd]
Uma: folds
Vic: calls 100
Uncalled bet (50) returned to Vic
*** FLOP *** [Ah 2h 4c]
*** TURN *** [Ah 2h 4c] [7s]
*** RIVER *** [Ah 2h 4c 7s] [9s]
*** SHOW DOWN ***
Vic: shows [As Kd] (a pair of Aces)
Wes: shows [Qd Qs] (a pair of Queens)
Vic collected 300 from pot
*** SUMMARY ***
Total pot 300 | Rake 0
"""
SHORT_888 = """\
***** 888poker Hand History for Game 7500 *****
$100/$200 Blinds No Limit Holdem - *** 17 02 2012 0:38:5
Tournament #3621 $5 + $0.50 - Table #3 (Real Money)
Seat 1 is the button
Total number of players : 3
Seat 1: Uma ( $1,000 )
Seat 2: Vic ( $1,000 )
Seat 3: Wes ( $150 )
Vic posts small blind [$100]
Wes posts big blind [$150]
** Dealing down cards **
Dealt to Vic [ As, Kd ]
Uma folds
Vic calls [$100]
** Dealing flop ** [ Ah, 2h, 4c ]
** Dealing turn ** [ 7s ]
** Dealing river ** [ 9s ]
** Summary **
Vic shows [ As, Kd ]
Wes shows [ Qd, Qs ]
Vic collected [ $300 ]
Vic collected [ $50 ]
"""


def test_a_small_blind_is_completed_over_a_short_big_one() -> None:
    won = {"Vic": "150", "Wes": "-150", "Uma": "0"}
    assert money(one(SHORT)) == won
    unsaid = changed(SHORT, ("Uncalled bet (50) returned to Vic\n", ""), ("300", "350"))
    assert money(one(unsaid)) == won
    assert money(one(SHORT_888)) == won
    for wrong in (changed(SHORT, ("(50)", "(60)")), changed(SHORT_888, ("[ $50 ]", "[ $60 ]"))):
        assert refused(wrong).reason in (SkipReason.WRONG_PAYOFF, SkipReason.ILLEGAL_ACTION)


def folded_blind(text: str) -> str:
    """Let the absent big blind be folded over a raise."""
    head, _, _ = text.partition("Uma: folds")
    return head + (
        "Uma: raises 250 to 400\nVic: folds\nWes: folds\nUncalled bet (250) returned to Uma\n"
        "Uma collected 400 from pot\n*** SUMMARY ***\nTotal pot 400 | Rake 0\n"
    )


def test_an_absent_player_all_in_by_the_blind_is_folded() -> None:
    assert money(one(folded_blind(SHORT))) == {"Vic": "-100", "Wes": "-150", "Uma": "250"}
    head, _, _ = SHORT_888.partition("Uma folds")
    text = f"{head}Uma raises [$400]\nVic folds\nWes folds\n** Summary **\nUma collected [ $400 ]\n"
    assert money(one(text)) == {"Vic": "-100", "Wes": "-150", "Uma": "250"}


IPOKER = """\
<session sessioncode="1"><general><gametype>Holdem L $0.10/$0.20</gametype>\
<tablename>T</tablename><currency>USD</currency><nickname>Wes</nickname></general>
<game gamecode="7600"><general><startdate>2011-07-22 7:5:42</startdate><players>
<player seat="1" name="Uma" chips="$5" dealer="1" win="$0" bet="$0" />
<player seat="3" name="Vic" chips="$0.23" dealer="0" win="$0" bet="$0.23" />
<player seat="5" name="Wes" chips="$5" dealer="0" win="$0.83" bet="$0.50" />
</players></general>
<round no="0"><action no="1" player="Vic" type="1" sum="$0.05"/>\
<action no="2" player="Wes" type="2" sum="$0.10"/></round>
<round no="1"><cards type="Pocket" player="Uma">X X</cards>\
<cards type="Pocket" player="Vic">D4 S4</cards><cards type="Pocket" player="Wes">HA DA</cards>
<action no="3" player="Uma" type="3" sum="$0.10"/><action no="4" player="Vic" type="3" sum="$0.05"/>
<action no="5" player="Wes" type="4" sum="$0"/></round>
<round no="2"><cards type="Flop" player="">H3 S8 H2</cards>
<action no="6" player="Vic" type="7" sum="$0.13"/>
<action no="7" player="Wes" type="23" sum="$0.40"/>
<action no="8" player="Uma" type="0" sum="$0"/></round>
<round no="3"><cards type="Turn" player="">D2</cards></round>
<round no="4"><cards type="River" player="">D6</cards></round>
</game></session>
"""


def test_ipoker_completes_an_all_in_of_half_a_bet_and_raises_that() -> None:
    # The flop's bet is of $0.10, so that the all-in of 0.13 is a bet and a short raise; the next
    # one goes to 0.20 elsewhere.
    text = changed(IPOKER, ("$0.10/$0.20", "$0.20/$0.40"), ("$0.05", "$0.10")).replace(
        'type="2" sum="$0.10"', 'type="2" sum="$0.20"'
    )
    text = changed(
        text,
        ('type="3" sum="$0.10"/><action no="4" player="Vic" type="3" sum="$0.10"',
         'type="3" sum="$0.20"/><action no="4" player="Vic" type="3" sum="$0.10"'),
        ('chips="$0.23"', 'chips="$0.33"'),
        ('win="$0.83"', 'win="$1.13"'),
    )  # fmt: skip
    assert money(one(text)) == {"Vic": "-33/100", "Wes": "53/100", "Uma": "-1/5"}
    called = refused(text.replace('type="0" sum="$0"', 'type="3" sum="$0.40"'))
    assert called.reason is SkipReason.ILLEGAL_ACTION


# Prizes and buy-ins.


def entry(text: str, tmp_path: Path) -> tuple[float, float]:
    path = tmp_path / "log.txt"
    path.write_text(text, encoding="utf-8")
    (told,) = tournament_entries.entries_of([path])
    return float(told.buy_in), float(told.prize)


BOUNTY = "Uma wins the $4.90 bounty for eliminating Vic"
MORE = "Uma re-buys and receives 3000 chips for $9.80\nUma takes the add-on and receives 5000 chips"


@pytest.mark.parametrize(
    ("new", "buy_in", "prize"),
    [
        (BOUNTY, 10.9, 24.9),
        ("Wes, Uma split the $4.90 bounty for eliminating Vic", 10.9, 22.45),
        ("Uma and Wes split the $4.90 bounty for eliminating Vic", 10.9, 22.45),
        ("Uma wins $1.22 for splitting the elimination of Vic and their own bounty increases by"
         " $1.23 to $13.48", 10.9, 21.22),
        ("Uma wins $2.45 for eliminating Vic and their own bounty increases by $2.45 to $14.70",
         10.9, 22.45),
        (f"{MORE} for $9.80", 30.5, 20),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["plain", "zoom", "zoom hand", "indented", "commas"])
def test_bounties_and_buy_ins(
    new: str, buy_in: float, prize: float, kind: str, tmp_path: Path
) -> None:
    text = changed(TOURNAMENT, (BOUNTY, new))
    match kind:
        case "zoom":
            text = text.replace("Tournament #", "Zoom Tournament #", 1)
        case "zoom hand":
            text = text.replace("PokerStars Hand", "PokerStars Zoom Hand")
        case "indented":
            text = text.replace("\n", "\n   ")
        case "commas":
            text = in_commas(text, "€").replace("€20.00", "€20,00").replace("€13.48", "€13,48")
    assert entry(text, tmp_path) == pytest.approx((buy_in, prize))


# One identity of a hand.


WALK = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
players = ["Uma", "Vic", "Wes"]
actions = ["p3 f", "p1 f"]
"""


def test_walks_that_look_alike_are_told_apart_by_time_or_line(tmp_path: Path) -> None:
    timed = "".join(
        f"[{n}]\n{WALK}time = 12:{n}0:00\nday = 1\nmonth = 7\nyear = 2025\n" for n in (1, 2)
    )
    untimed = f"[1]\n{WALK}[2]\n{WALK}"
    for text in (timed, untimed, PARTY + PARTY.replace("abc9", "abd9")):
        hands = [item for item in found(text) if isinstance(item, HandRecord)]
        place = tmp_path / str(len(list(tmp_path.iterdir())))
        assert archive.add(hands, place).hands == 2
        assert archive.add(hands, place).duplicates == 2
        kept = list(archive.read(place))
        assert len(kept) == 2
        assert all(hand in kept for hand in hands)


# PHH.


SHOWDOWN = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 AsKs", "d dh p2 7h2c", "d dh p3 QdQc", "p3 cbr 6", "p1 cc", "p2 f",
 "d db 2s3d4h", "p1 cc", "p3 cc", "d db 5c", "p1 cc", "p3 cc", "d db 9s", "p1 cc", "p3 cc",
 "p3 sm QdQc", "p1 sm"]
"""


def test_phh_mucks_without_cards() -> None:
    assert list(map(int, one(SHOWDOWN).payoffs)) == [-6, -2, 8]
    assert list(map(int, one(SHOWDOWN.replace('"p1 sm"', '"p1 sm -"')).payoffs)) == [8, -2, -6]
    lost = one(SHOWDOWN.replace("5c", "Kc").replace("QdQc", "AdAc"))
    assert None not in lost.holes  # nothing is forgotten of cards that lose


def test_phh_short_big_blinds_are_called_in_full_unless_the_stacks_tell() -> None:
    short = changed(
        WALK,
        ("[1, 2, 0]", "[5, 10, 0]"),
        ("[200, 200, 200]", "[100, 8, 100]"),
        ('["p3 f", "p1 f"]', '["d dh p1 AsKs", "d dh p2 QhQc", "d dh p3 Td9c", "p3 cc", "p1 cc",'
         ' "d db 2s3d4h", "p1 cc", "p3 cc", "d db 6c", "p1 cc", "p3 cc", "d db 9s", "p1 cc",'
         ' "p3 cc"]'),
    )  # fmt: skip
    assert list(map(int, one(short).payoffs)) == [-10, 16, -6]
    told = one(f"{short}finishing_stacks = [92, 24, 92]\n")
    assert list(map(int, told.payoffs)) == [-8, 16, -8]


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ("antes = [0, 0, 0]", "antes = 0", "antes = 0; allowed: a list"),
        ('["p3 f", "p1 f"]', "[3]", "action 3; allowed: text"),
        ("min_bet = 2", "min_bet = 2\nfinishing_stacks = [1, 2]", "finishing_stacks of 2"),
        ("min_bet = 2", "min_bet = 2\nwinnings = 5", "winnings = 5; allowed: a list"),
        ("min_bet = 2", "min_bet = 2\n_rules = 3", "_rules = 3; allowed: a table"),
    ],
)
def test_phh_errors_name_the_field(old: str, new: str, detail: str) -> None:
    assert detail in refused(changed(WALK, (old, new))).detail


# The inputs of the reports, where they are.


EXPECTED: dict[str, dict[str, str | int]] = {
    "888-short-big-blind-completed.txt": {"Bob": 125, "Cid": -125},
    "gg-cash-out-loser.txt": {"a1": "-0.05", "b2": "9.05", "Hero": "-10"},
    "gg-bet-and-muck.txt": {"b2": "0.11", "a1": "-0.10", "Hero": "-0.02"},
    "ipoker-limit-short-all-in.xml": {"Hero": "0.93", "Bob": "-0.53", "Ann": "-0.40"},
    "party-modern-walks.txt": {"Hero": "0.10"},
    "party-tournament-rounded-all-in.txt": {"Hero": -4_280_272, "Ann": -87_500},
    "phh-muck-bare.phh": {"p1": -16, "p2": -2, "p3": 18},
    "phh-muck-dash-shows.phh": {"p1": 18, "p2": -2, "p3": -16},
    "ps-19-digits.txt": {"Ann": "0.32"},
    "ps-all-in-blind-folds.txt": {"Ann": 74, "Bob": -30, "Cid": -44},
    "ps-base.txt": {"Ann": "0.32"},
    "ps-blank-lines-between-sections.txt": {"Ann": "0.32"},
    "ps-cash-out-loser.txt": {"Ann": "-0.05", "Bob": "9.05", "Cid": "-10"},
    "ps-cut-and-glued.txt": {"Ann": "0.32"},
    "ps-decimal-comma.txt": {"Ann": "0.32"},
    "ps-pokernow-converter.txt": {"Ann": "0.32"},
    "ps-run-it-twice.txt": {"Ann": 0, "Bob": -1, "Cid": -1},
}
REFUSED = {
    "ps-split-holdem.txt": "no-limit double-board hold'em",
}


@pytest.mark.parametrize("name", [*EXPECTED, *REFUSED])
def test_the_inputs_of_the_reports(name: str, shared_data: Path) -> None:
    folder = shared_data / "faults-3"
    if not folder.is_dir():
        pytest.skip("needs the files of people's reports in ../shared/data/faults-3")
    items = list(read(folder / name))
    if name in REFUSED:
        (skip,) = items
        assert isinstance(skip, Skipped)
        assert REFUSED[name] in skip.detail
        return
    hands = [item for item in items if isinstance(item, HandRecord)]
    assert hands
    for hand in hands:
        won = money(hand)
        for player, amount in EXPECTED[name].items():
            assert Fraction(won[player]) == Fraction(str(amount))


READ = {
    **{f"buyin-{kind}.txt": 1 for kind in ("fpp", "playmoney", "sc", "sc-plus")},
    "cur-BRL.txt": 1,
    "ps-converter-colons.txt": 1,
    "enc-nul.txt": 2,
    "gg-double-space.txt": 2,
}
"""Hands of files that were refused."""
PRIZES = {
    "ps-pko-win.txt": ["55"],
    "ps-pko-second.txt": ["20"],
    "ps-reentry-open.txt": ["0", "0"],
}
"""What each entry won, bounties and the winner's own among it."""


@pytest.mark.parametrize("name", [*READ, *PRIZES])
def test_the_inputs_of_the_fifth_reports(name: str, shared_data: Path) -> None:
    folder = shared_data / "faults-5"
    if not folder.is_dir():
        pytest.skip("needs the files of people's reports in ../shared/data/faults-5")
    items = list(read(folder / name))
    assert all(isinstance(item, HandRecord) for item in items), items
    if name in READ:
        assert len(items) == READ[name]
    else:
        entries = tournament_entries.entries_of([folder / name])
        assert [entry.prize for entry in entries] == list(map(Fraction, PRIZES[name]))
