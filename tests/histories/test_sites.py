"""Sites other than PokerStars: what their texts leave unsaid, say oddly, or say of other games."""

from __future__ import annotations

import io
import re
from collections import Counter
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from railbird.cards import format_holding
from railbird.errors import BadInput
from railbird.game import Betting, Raise
from railbird.histories import (
    HandRecord,
    ReadOptions,
    Skipped,
    SkipReason,
    detect,
    format_named,
    read,
)
from railbird.histories.record import BadHand
from railbird.histories.sites.money import (
    UNIT,
    currency_in,
    read_amount,
    refuse_house_money,
)
from railbird.units import Chips

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
FILES = {
    "full-tilt": "full_tilt.txt",
    "ggpoker": "ggpoker.txt",
    "ipoker": "ipoker.xml",
    "pacific": "pacific.txt",
    "partypoker": "partypoker.txt",
    "winamax": "winamax.txt",
}


def golden(site: str) -> str:
    return (GOLDEN / FILES[site]).read_text(encoding="utf-8")


def hands(site: str, text: str | None = None) -> list[HandRecord]:
    found = list(format_named(site).read(io.StringIO(text or golden(site)), ReadOptions()))
    assert all(isinstance(hand, HandRecord) for hand in found), found
    return [hand for hand in found if isinstance(hand, HandRecord)]


def skipped(site: str, text: str) -> Skipped:
    found = format_named(site).read(io.StringIO(text), ReadOptions())
    return next(hand for hand in found if isinstance(hand, Skipped))


def changed(site: str, old: str, new: str) -> str:
    text = golden(site)
    assert old in text
    return text.replace(old, new, 1)


def money(hand: HandRecord) -> list[str]:
    """What everyone won, in coins."""
    return [f"{float(chips * hand.denomination):g}" for chips in hand.payoffs]


def holes(hand: HandRecord) -> list[str]:
    return ["" if hole is None else format_holding(hole) for hole in hand.holes]


def test_winamax() -> None:
    cash, late, fast, tournament = hands("winamax")
    assert cash.players == ("Ann", "Bo le Grand", "Cy-99"), "Di has nothing and is not dealt in"
    assert money(cash) == ["-0.5", "85", "-87.5"]
    assert (cash.currency, cash.number) == ("€", 881234517)
    assert cash.rake == 300
    assert cash.played_at == datetime(2017, 7, 14, 2, 40, tzinfo=UTC)
    assert holes(cash) == ["", "Ah7d", "AsKd"]
    assert late.players[2] == "Di"
    assert (late.rules.blinds, late.rules.antes) == ((50, 100, 100, 0), (0, 0, 50, 0))
    assert money(late) == ["-0.5", "-1", "2.25", "-1"]
    assert (fast.rules.betting, fast.rules.bet_sizes) == (Betting.LIMIT, (100, 100, 200, 200))
    assert money(fast) == ["-1", "1"]
    assert tournament.currency == ""
    assert tournament.rules.antes == (50,) * 4
    assert tournament.rules.blinds[:2] == (200, 400), "the blind that was short counts in full"
    assert tournament.number == 311600000000, "hand and time: the table's has too many digits"


@pytest.mark.parametrize(
    ("site", "game"),
    [
        ("ggpoker", "Hold'em No Limit"),
        ("ipoker", "Holdem NL"),
        ("pacific", "No Limit Holdem"),
        ("partypoker", "Texas Hold'em"),
    ],
)
@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("6+", "short-deck hold'em"),
        ("Double Board", "Double Board"),
        ("Bomb Pot", "Bomb Pot"),
        ("Short Deck", "short-deck hold'em"),
    ],
)
def test_words_after_the_game_name_another(site: str, game: str, word: str, said: str) -> None:
    refused = skipped(site, changed(site, game, f"{game} {word}"))
    assert refused.reason is SkipReason.ANOTHER_GAME
    assert said in refused.detail


@pytest.mark.parametrize(
    "line",
    [
        "PokerStars adds $1.00 to the pot",
        "Ann received $5.00 from the jackpot",
        "Ann wins $0.62 Lucky Ace bonus",
        "** Jackpot ** Ann wins $5",
        "Fast Fortune: Ann wins $5",
        "Cid pays 7-2 bounty $0.1",
        "Rabbit Hunt: Ann pays $0.02",
        "Ann cashes out for $3",
    ],
)
def test_money_beside_the_pot_is_refused(line: str) -> None:
    with pytest.raises(BadHand):
        refuse_house_money(line)


@pytest.mark.parametrize(
    "line",
    [
        "Ann wins the $5 bounty for eliminating Bob",
        "Total pot $1 | Rake $0.05 | Jackpot $0.02 | Fortune $0",
        "Ann declined the insurance",
        "Ann adds 500 chips",
    ],
)
def test_other_lines_of_money_are_not(line: str) -> None:
    refuse_house_money(line)


@pytest.mark.parametrize("broken", ["6..75€", "6. 75€", "6, 75€"])
def test_winnings_that_are_no_amount_are_not_those_of_the_summary(broken: str) -> None:
    text = changed("winamax", "collected 6.75€ from", f"collected {broken} from")
    assert "collected" in skipped("winamax", text).detail


def test_winamax_once_raised_over_all_ins_and_called_a_raise_a_bet() -> None:
    """Until 2011; nobody could call what comes back as a side pot."""
    text = """\
Winamax Poker - Tournament "T" buyIn: Ticket level: 7 - HandId: #6307872438-6-1288123510 - \
Holdem no limit (60/120) - 2010/10/26 21:05:10 UTC
Table: 'T(1468666)#118' 9-max (real money) Seat #5 is the button
Seat 3: Cy (6370)
Seat 6: Bo (2255)
Seat 7: Ann (1220)
*** ANTE/BLINDS ***
Bo posts small blind 60
Ann posts big blind 120
*** PRE-FLOP ***
Cy calls 120
Bo folds
Ann bets 300
Cy calls 300
*** FLOP *** [5h 3c 9d]
Ann bets 800 and is all-in
Cy raises 800 to 1600
*** TURN *** [5h 3c 9d][Jd]
*** RIVER *** [5h 3c 9d Jd][7h]
*** SHOW DOWN ***
Ann shows [Ah Td] (High card : Ace)
Cy shows [7c 9c] (Two pairs : 9 and 7)
Cy collected 800 from side pot 1
Cy collected 2500 from main pot
*** SUMMARY ***
Total pot 3.30k | No rake
"""
    (hand,) = hands("winamax", text)
    assert money(hand) == ["-60", "-1220", "1280"]
    assert hand.actions[2] == Raise(Chips(420))


HALVES = """\
Winamax Poker - Tournament "T" buyIn: Ticket level: 8 - HandId: #6307872438-7-1288124090 - \
Holdem no limit (75/150) - 2010/10/26 21:14:50 UTC
Table: 'T(1468666)#118' 9-max (real money) Seat #3 is the button
Seat 3: Cy (7410.50)
Seat 6: Bo (2255)
Seat 7: Ann (7780)
*** ANTE/BLINDS ***
Bo posts small blind 75
Ann posts big blind 150
*** PRE-FLOP ***
Cy raises 450 to 600
Bo folds
Ann calls 450
*** FLOP *** [Td 6c 4c]
Ann bets 7180 and is all-in
Cy calls 6810.50 and is all-in
*** TURN *** [Td 6c 4c][8c]
*** RIVER *** [Td 6c 4c 8c][Kh]
*** SHOW DOWN ***
Cy shows [6d 6s] (Trips of 6)
Ann shows [Jd Jc] (One pair : Jacks)
Ann collected 370 from side pot 1
Cy collected 14896 from main pot
*** SUMMARY ***
Total pot 15.27k | No rake
"""


def test_winamax_once_rounded_half_chips_in_what_was_collected() -> None:
    (hand,) = hands("winamax", HALVES)
    assert money(hand) == ["-75", "-7410.5", "7485.5"], "to the half chip, as the rules pay"
    wrong = skipped("winamax", HALVES.replace("Cy collected 14896", "Cy collected 14898"))
    assert wrong.reason is SkipReason.WRONG_PAYOFF


def test_ggpoker() -> None:
    cash, missed, tournament = hands("ggpoker")
    assert cash.players == ("77aa88bb", "1f2e3d4c", "Hero", "ab12cd34")
    assert cash.rake == 70
    assert money(cash) == ["-0.05", "-0.1", "6.75", "-7.3"]
    assert cash.played_at == datetime(2023, 11, 2, 20, 15, 7)
    assert missed.rules.antes == (0, 0, 5, 0)
    assert money(missed) == ["-0.05", "-0.1", "0.14", "0"]
    assert tournament.players == ("7c1b1bce", "Hero", "726d588a")
    assert list(map(int, tournament.payoffs)) == [-6250, 8350, -2100]
    assert holes(tournament) == ["", "9s9h", "AsQc"]
    assert [hand.tournament for hand in (cash, missed, tournament)] == [False, False, True]


def test_two_blanks_in_a_header_are_one() -> None:
    text = golden("ggpoker").replace(": Hold'em", ":  Hold'em", 1)
    assert hands("ggpoker", text) == hands("ggpoker")
    assert hands("ggpoker", golden("ggpoker").replace(": Hold'em", ":\tHold'em", 1))


@pytest.mark.parametrize(
    ("old", "new", "is_read"),
    [
        ("Jackpot $0.2 ", "Jackpot $0.21 ", True),
        ("Jackpot $0.2 ", "Jackpot $0.19 ", True),
        ("Jackpot $0.2 ", "Jackpot $0.22 ", False),
        ("Rake $0.5 | Jackpot $0.2 ", "Rake $0.71 | Jackpot $0 ", False),
        ("Total pot $14.75", "Total pot $14.76", True),
        ("Total pot $14.75", "Total pot $14.77", False),
        ("Total pot $14.75", "Total pot: $14.75", True),
        ("Total pot 14,600", "Total pot 14,602", True),
        ("Total pot 14,600", "Total pot 14,603", False),
    ],
)
def test_fees_and_pots_may_be_rounded(old: str, new: str, is_read: bool) -> None:
    """Each of several fees to a cent, the pot of a tournament by two chips."""
    text = golden("ggpoker").replace(old, new)
    assert text != golden("ggpoker")
    if is_read:
        assert hands("ggpoker", text) == hands("ggpoker")
    else:
        assert skipped("ggpoker", text).reason is SkipReason.WRONG_PAYOFF


@pytest.mark.parametrize(
    ("site", "post"),
    [("pacific", "Di posts small blind"), ("partypoker", "cy_77 posts small blind")],
)
def test_a_post_is_read_or_its_hand_is_refused(site: str, post: str) -> None:
    """These sites do not say the rake: without the post everything else would agree."""
    name = post.split()[0]
    assert post in golden(site)
    tab = golden(site).replace(f"{name} posts", f"{name}\tposts", 1)
    assert hands(site, tab) == hands(site)
    for verb in ("xposts small blind", " postssmall blind", " pots small blind", " blind"):
        text = golden(site).replace(post, f"{name}{verb}", 1)
        assert skipped(site, text).reason is SkipReason.UNREADABLE


@pytest.mark.parametrize(
    ("site", "old", "new", "detail"),
    [
        ("ggpoker", "($0.05/$0.1)", "($0.05/$0.1?)", "no stakes"),
        ("ggpoker", "($0.05/$0.1)", "(?0.05/?0.1)", "no stakes"),
        ("winamax", "(0.50€/1€)", "(0.50€/1€?)", "stakes (0.50€/1€?)"),
        ("winamax", "(0.50€/1€)", "(x0.50€/1€)", "stakes (x0.50€/1€)"),
        ("winamax", "(0.50€/1€)", "(1€/0.50€)", "stakes '100/50'"),
        ("partypoker", "USD NL Texas", "? USD NL Texas", "? USD NL Texas"),
        ("partypoker", "0.10 USD NL", "0.10x USD NL", "0.10x USD NL Texas"),
        ("pacific", "$0.50/$1 Blinds", "$0.50/$1? Blinds", "$0.50/$1? Blinds"),
        ("pacific", "Table Bergen 6 Max (Real Money)\n", "", "no line names the table"),
        ("full-tilt", "- $0.05/$0.10 -", "- $0.05/$0.10? -", "no stakes"),
        ("ipoker", "€0.10/€0.20<", "€0.10/€0.20?<", "stakes '€0.10/€0.20?'"),
        ("ipoker", "<tablecurrency>EUR", "<tablecurrency>Eu ro", "currency 'Eu ro'"),
        ("ipoker", "<tablecurrency>EUR", "<tablecurrency>10", "currency '10'"),
    ],
)
def test_what_is_not_understood_of_a_header_refuses_its_hand(
    site: str, old: str, new: str, detail: str
) -> None:
    found = skipped(site, changed(site, old, new))
    assert found.reason is SkipReason.UNREADABLE
    assert detail in found.detail


@pytest.mark.parametrize("site", FILES)
def test_reais_are_read_of_every_site(site: str) -> None:
    text = re.sub("[$€]", "R$", golden(site))
    reais = hands(site, re.sub(r"\b(?:USD|EUR)\b", "BRL", text))
    for hand, before in zip(reais, hands(site), strict=True):
        assert hand.currency == before.currency.replace("$", "R$").replace("€", "R$")
        assert hand.payoffs == before.payoffs


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ("Hold'em No Limit ($0.05/$0.1)", "PLO-5 ($0.05/$0.1)", "pot-limit five-card Omaha"),
        ("Hold'em No Limit ($0.05/$0.1)", "ShortDeck No Limit ($0.1)", "no-limit short-deck"),
        ("Hero: shows [Qs Qh]", "Hero: Chooses to EV Cashout", "sells the hand"),
        ("*** TURN ***", "*** FIRST TURN *** [2d 9c Kh] [Qd]\n*** TURN ***", "one board"),
    ],
)
def test_ggpoker_plays_what_the_engine_does_not(old: str, new: str, detail: str) -> None:
    found = skipped("ggpoker", changed("ggpoker", old, new))
    assert found.reason is SkipReason.ANOTHER_GAME
    assert detail in found.detail


def test_full_tilt() -> None:
    cash, late, limit, tournament = hands("full-tilt")
    assert cash.players == ("Ann", "Bo: b", "Cy the 3rd"), "what observers say is no play"
    assert money(cash) == ["3.83", "-0.1", "-4.15"]
    assert cash.played_at == datetime(2014, 1, 6, 0, 1, 12, tzinfo=UTC)
    assert late.rules.blinds == (5, 10, 10)
    assert (limit.rules.betting, limit.rules.bet_sizes) == (Betting.LIMIT, (200, 200, 400, 400))
    assert holes(limit) == ["Ah3c", "QdJd"], "what was mucked is in the summary"
    assert tournament.table == "3"
    assert (tournament.rules.blinds, tournament.rules.antes) == ((2000, 1000), (200, 200))
    assert tournament.played_at == datetime(2012, 2, 1, 20, 6, 40, tzinfo=UTC)


def test_full_tilt_of_2016_writes_as_pokerstars_does() -> None:
    stars = (GOLDEN / "stars.txt").read_text(encoding="utf-8")
    for words in ("Full Tilt Hand", "Full Tilt Rush Hand"):
        text = stars.replace("PokerStars Hand", words)
        found = detect(text.splitlines(keepends=True))
        assert found is format_named("pokerstars")
        assert hands("pokerstars", text) == hands("pokerstars", stars)


def test_full_tilt_says_winners_in_the_summary_at_least() -> None:
    text = re.sub(r"^Ann wins the pot \(\$7.98\).*\n", "", golden("full-tilt"), flags=re.MULTILINE)
    assert text != golden("full-tilt")
    assert hands("full-tilt", text) == hands("full-tilt")


def test_full_tilt_cap_games_are_played_for_no_more_than_the_cap() -> None:
    text = changed(
        "full-tilt", "$0.05/$0.10 - 19:01", "$0.05/$0.10 - $8 Cap No Limit Hold'em - 19:01"
    )
    text = text.replace("NL Hold'em - $0.05/$0.10 - $8", "$0.05/$0.10 - $8", 1)
    assert hands("full-tilt", text)[0].rules.stacks == (800, 800, 415)


@pytest.mark.parametrize(
    ("site", "old", "new", "words"),
    [
        ("winamax", "Holdem no limit", "Omaha pot limit", "pot-limit Omaha"),
        ("winamax", "Holdem no limit", "Omaha8 pot limit", "pot-limit Omaha hi-lo"),
        ("full-tilt", "NL Hold'em", "PL Omaha H/L", "pot-limit Omaha hi-lo"),
        ("full-tilt", "NL Hold'em", "FL Badugi", "limit badugi"),
        ("partypoker", "NL Texas Hold'em", "PL Omaha Hi-Lo", "pot-limit Omaha hi-lo"),
        ("partypoker", "NL Texas Hold'em", "NL Double Hold'em", 'no-limit, "$'),
        ("partypoker", "NL Texas Hold'em", "NL Short Deck", "no-limit short-deck hold'em"),
        ("pacific", "No Limit Holdem", "Pot Limit OmahaHL", "pot-limit Omaha hi-lo"),
        ("ipoker", "Holdem NL €", "Omaha PL €", "pot-limit Omaha"),
        ("ipoker", "Holdem NL €", "Six Plus Holdem NL €", "no-limit short-deck hold'em"),
        ("ipoker", "Holdem NL €", "PL €", "pot-limit, 'PL €"),
    ],
)
def test_other_games_are_skipped_with_limit_and_name(
    site: str, old: str, new: str, words: str
) -> None:
    refused = skipped(site, changed(site, old, new))
    assert refused.reason is SkipReason.ANOTHER_GAME
    assert refused.detail.startswith(words)
    assert "201" not in refused.detail, "the game, not when it was played"


def test_partypoker() -> None:
    cash, late, tournament, mailed = hands("partypoker")
    assert cash.players == ("cy_77", "Di", "Ann", "Bo. B"), "who joins the table is not dealt in"
    assert cash.table == "Bergen"
    assert money(cash) == ["-0.05", "-0.1", "7.78", "-8.13"]
    assert holes(cash) == ["", "", "8d8c", "JdJc"]
    assert cash.played_at == datetime(2014, 1, 6, 0, 24, 7, tzinfo=UTC)
    assert (late.currency, late.rules.betting) == ("€", Betting.POT_LIMIT)
    assert (late.rules.blinds, late.rules.antes) == ((2, 4, 4, 0), (0, 0, 2, 0))
    assert (tournament.currency, tournament.rules.blinds) == ("", (100, 200, 0))
    assert tournament.players == ("Bo. B", "Di", "Ann")
    assert list(map(int, tournament.payoffs)) == [350, -350, 0]
    assert mailed.rake == 10
    assert money(mailed) == ["-1", "0.9", "0"]


JOINS = """\
***** Hand History for Game 10000000001 *****
$0.10/$0.25 USD NL Texas Hold'em - Saturday, September 21, 16:06:03 EDT 2013
Table Bergen (Real Money)
Seat 5 is the button
Total number of players : 4/6
Seat 2: Bo ( $41.38 USD )
Seat 3: Cy ( $25 USD )
Seat 1: Ann ( $57.18 USD )
Seat 5: Di ( $96.40 USD )
Ann posts small blind [$0.10 USD].
Bo posts big blind [$0.25 USD].
Eve has joined the table.
Cy is sitting out
Eve posts big blind [$0.25 USD].
Fay has joined the table.
** Dealing down cards **
Eve checks
Di folds
Ann raises [$0.90 USD]
Bo calls [$0.75 USD]
Eve folds
** Dealing Flop ** [ Ts, 3h, 5c ]
Ann bets [$1.25 USD]
Bo folds
Ann wins $3.39 USD
"""


def test_partypoker_players_who_join_are_dealt_in_where_they_act() -> None:
    (hand,) = hands("partypoker", JOINS)
    assert hand.players == ("Ann", "Bo", "Eve", "Di"), "Fay waits for the next hand"
    assert hand.rules.blinds == (10, 25, 25, 0)
    assert hand.rules.stacks == (5718, 4138, 9640, 9640), "one that limits nobody"
    assert money(hand) == ["1.14", "-1", "-0.25", "0"]


def test_partypoker_players_who_join_may_be_all_in_or_listed_with_nothing() -> None:
    all_in = JOINS.replace("Eve folds", "Eve is all-In  [$0.75 USD]").replace(
        "Bo folds", "Bo folds\n** Dealing Turn ** [ 2d ]\n** Dealing River ** [ 2h ]"
    )
    won = all_in.replace(
        "Ann wins $3.39",
        "Eve shows [ Ah, Ad ]\nAnn wins $1.25 USD from the side pot 1\nEve wins $2.89",
    )
    (hand,) = hands("partypoker", won)
    assert hand.rules.stacks == (5718, 4138, 100, 9640)
    assert money(hand) == ["-1", "-1", "1.89", "0"]
    listed = JOINS.replace("Seat 5: Di", "Seat 4: Eve ( $0 USD )\nSeat 5: Di")
    assert hands("partypoker", listed) == hands("partypoker", JOINS)


def test_partypoker_players_without_a_place_are_refused() -> None:
    """Who plays without having joined, and who joins between neighbours."""
    unseated = skipped("partypoker", JOINS.replace("Eve has joined the table.\n", ""))
    assert unseated.detail == "'Eve' plays without a seat and a stack"
    full = JOINS.replace("Seat 5", "Seat 4").replace("Cy is sitting out\n", "")
    full = full.replace("Di folds", "Cy folds\nDi folds").replace("Eve checks\n", "")
    found = skipped("partypoker", full.replace("Cy folds", "Eve checks\nCy folds"))
    assert found.detail == "'Eve' joins, but no seat is free"


def test_partypoker_may_double_its_spaces() -> None:
    spaced = changed("partypoker", "USD NL Texas Hold'em", "USD  NL  Texas Hold'em")
    assert hands("partypoker", spaced) == hands("partypoker")


def test_partypoker_does_not_end_all_lines() -> None:
    lines = golden("partypoker")
    glued = lines.replace(
        "Ann wins $1.57 USD from the side pot 1 with three of a kind, Eights.\nAnn wins",
        "Ann wins $1.57 USD from the side pot 1 with three of a kind, Eights.Ann wins",
    ).replace("Bo. B does not show cards.\nBo. B wins", "Bo. B does not show cards.Bo. B wins")
    assert glued.count("\n") == lines.count("\n") - 2
    assert hands("partypoker", glued) == hands("partypoker")


def test_partypoker_has_live_second_small_blinds() -> None:
    text = """\
***** Hand History for Game 10398176832 *****
$15/$30 USD Texas Hold'em - Monday, April 25, 09:42:13 BST 2011
Table Table  125413 (Real Money)
Seat 3 is the button
Total number of players : 4/6
Seat 3: Cy ( $964 USD )
Seat 5: Ann ( $905 USD )
Seat 6: Bo ( $150 USD )
Seat 4: Di ( $638.50 USD )
Di posts small blind [$10 USD].
Ann posts big blind [$15 USD].
Bo posts small blind [$10 USD].
** Dealing down cards **
Bo calls [$5 USD]
Cy folds
Di folds
Ann raises [$15 USD]
Bo folds
Ann does not show cards.
Ann wins $55 USD
"""
    (hand,) = hands("partypoker", text)
    assert (hand.rules.blinds, hand.rules.antes) == ((1000, 1500, 1000, 0), ())
    assert money(hand) == ["-10", "25", "-15", "0"]


def test_pacific() -> None:
    cash, dead, tournament = hands("pacific")
    assert money(cash) == ["-0.5", "-29.33", "-29.33", "56.16"]
    assert cash.rake == 300
    assert dead.players == ("Bo B.", "Ann", "Di"), "who folds before the deal is not in the hand"
    assert (dead.rules.bet_sizes, dead.rules.antes) == ((100, 100, 200, 200), (0, 0, 50))
    assert [str(card) for card in dead.board[:1]] == [str(4 * 10 + 2)], "the queen of hearts, dame"
    assert dead.rules.stacks is None or dead.rules.stacks[0] == 103_845
    assert tournament.currency == "", "chips with a dollar sign"
    assert list(map(int, tournament.payoffs)) == [-70, 1315, -1245]


@pytest.mark.parametrize(
    ("site", "shown", "mucked", "better"),
    [
        ("pacific", "M007 shows [ As, Qs ]", "M007 mucks [ As, Qs ]", "Ks, Kh"),
        ("partypoker", "Bo. B doesn't show [ Jc, Jd ]", "Bo. B doesn't show [ Jc, Jd ]", "Ad, Ah"),
        ("full-tilt", "mucked [Qd Jd]", "mucked [Qd Jd]", "Ad Qd"),
    ],
)
def test_better_cards_that_are_thrown_away_win_nothing(
    site: str, shown: str, mucked: str, better: str
) -> None:
    """They stay unknown, as folded cards do."""
    old = re.search(r"\[ ?(.*?) ?\]", mucked)
    assert old is not None
    text = changed(site, shown, mucked.replace(old[1], better))
    before, after = hands(site), hands(site, text)
    assert [hand.payoffs for hand in after] == [hand.payoffs for hand in before]
    (changed_hand,) = [n for n, hand in enumerate(after) if hand != before[n]]
    assert holes(after[changed_hand]).count("") == holes(before[changed_hand]).count("") + 1


@pytest.mark.parametrize("letters", ["SL", "БЛ"])
def test_ipoker_says_no_limit_in_spanish_and_russian(letters: str) -> None:
    text = changed("ipoker", "Holdem NL €", f"Holdem {letters} €")
    assert hands("ipoker", text) == hands("ipoker")


def test_pacific_cards_in_german_words_and_in_russian_of_windows() -> None:
    text = golden("pacific")
    german = text.replace("[ Th, Tc ]", "[ 10Herz, 10Kreuz ]").replace("As, Qs", "APik, QPik")
    german = german.replace("3d, 8h, Kd", "3Karo, 8Herz, KKaro")
    assert german != text
    assert hands("pacific", german) == hands("pacific")
    russian = text.split("\n\n\n")[0].replace("As, Qs", "Òs, Äs").replace("Kd", "Êd")
    assert hands("pacific", russian) == hands("pacific")[:1]


def test_full_tilt_names_the_game_that_it_does_not_read_and_not_its_stakes() -> None:
    text = changed("full-tilt", "NL Hold'em - $0.05/$0.10", "$0.05/$0.10 - Limit Razz")
    assert skipped("full-tilt", text).detail == "limit razz"


def test_ipoker() -> None:
    cash, late, limit, tournament = hands("ipoker")
    assert cash.table == "Bergen & Oslo, 817000001"
    assert cash.players == ("Ann", "bo b", "cy<77>")
    assert cash.currency == "€", "the table's, not the account's"
    assert cash.rake == 100
    assert money(cash) == ["19.04", "-20", "-0.04"]
    assert holes(cash) == ["KsKh", "TdTc", ""]
    assert late.rules.antes == (0, 0, 10)
    assert (limit.currency, limit.played_at) == ("$", datetime(2014, 7, 6, 20, 13, 47))
    assert limit.actions[0] == Raise(Chips(1000))
    assert (tournament.currency, tournament.rules.stacks) == ("", (1460, 1540))
    assert tournament.played_at == datetime(2019, 10, 21, 8, 10)


def test_ipoker_parses_no_document_type_and_no_entities() -> None:
    """Neither in the game, where XML has no place for them, nor anywhere else: it is not parsed.

    Written out, the last entity would have ten billion characters.
    """
    bomb = '<!DOCTYPE x [<!ENTITY e0 "l">'
    bomb += "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 11)) + "]>"
    text = golden("ipoker")
    first, *others = hands("ipoker")
    assert hands("ipoker", text.replace("<session ", bomb + "<session ", 1)) == [first, *others]
    assert hands("ipoker", text.replace("<game ", bomb + "<game ", 1)) == [first, *others]
    begin = 'gamecode="5384000001">'
    for before, old, new in (
        ("", begin, begin + bomb),
        ("", begin, f"{begin}{bomb}<x>&e10;</x>"),
        ("", begin, f'{begin}<!DOCTYPE x SYSTEM "file:///etc/passwd">'),
        ("", begin, f'{begin}<!ENTITY e10 "l">'),
        ("", 'name="Ann"', 'name="&e10;"'),
        (bomb, 'name="Ann"', 'name="&e10;"'),
        (bomb, begin, begin + "&e10;"),
    ):
        broken, *rest = format_named("ipoker").read(
            io.StringIO(before + changed("ipoker", old, new)), ReadOptions()
        )
        assert rest == others
        assert isinstance(broken, Skipped)
        assert broken.reason is SkipReason.UNREADABLE
        assert broken.detail.startswith("not valid XML: ")
        assert "\n" not in broken.detail


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ('type="23" sum="€0.60"', 'type="99" sum="€0.60"', "type '99'"),
        ('sum="€0.60"', 'sum="DP"', "sum 'DP' is no amount"),
        ('chips="€21.25"', "", "chips '' is no amount"),
        ('seat="1" name="Ann"', 'seat="x" name="Ann"', "sits in seat 'x'"),
        ('<action no="9"', '<action no="x"', "action number 'x'"),
        ("</players>", "", "not valid XML"),
    ],
)
def test_ipoker_says_what_is_wrong(old: str, new: str, detail: str) -> None:
    found = skipped("ipoker", changed("ipoker", old, new))
    assert found.reason is SkipReason.UNREADABLE
    assert detail in found.detail


def test_ipoker_sessions_need_neither_lines_nor_ends() -> None:
    text = golden("ipoker")
    assert hands("ipoker", text.replace("\n", "")) == hands("ipoker")
    assert hands("ipoker", text[: text.rindex("</game>")]) == hands("ipoker")


@pytest.mark.parametrize(
    ("site", "old", "new"),
    [
        ("winamax", "Bo le Grand collected 172.50€", "Bo le Grand collected 171.50€"),
        ("winamax", "Rake 3€", "Rake 4€"),
        ("winamax", "and won 172.50€", "and won 172.60€"),
        ("ggpoker", "Jackpot $0.2", "Jackpot $0.3"),
        ("full-tilt", "Total pot $8.40", "Total pot $8.50"),
        ("partypoker", "Ann wins $15.91", "Bo. B wins $15.91"),
        ("partypoker", "wins 700 chips", "wins 600 chips"),
        ("pacific", "Ann collected [ $85.49 ]", "Bo B. collected [ $85.49 ]"),
        ("pacific", "Ann collected [ $85.49 ]", "Ann collected [ $45.49 ]"),
        ("ipoker", 'win="€39.44"', 'win="€40.84"'),
    ],
)
def test_what_the_engine_does_not_pay_is_skipped(site: str, old: str, new: str) -> None:
    assert skipped(site, changed(site, old, new)).reason is SkipReason.WRONG_PAYOFF


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("5", 5),
        ("0.02", Fraction(2, 100)),
        (".25", Fraction(1, 4)),
        ("0,02", Fraction(2, 100)),
        ("1,234", 1234),
        ("1,234,567.5", Fraction(2469135, 2)),
        ("1.234.567,50", Fraction(2469135, 2)),
        ("1 123 698", 1123698),
        ("3Â\xa0023,50", Fraction(6047, 2)),
        ("0.00012345", Fraction(12345, 10**8)),
        ("12'500", 12500),
    ],
)
def test_amounts_are_exact(text: str, exact: Fraction | int) -> None:
    assert Fraction(read_amount(text), UNIT) == exact


@pytest.mark.parametrize("text", ["1,23,456", "1.2.3", "0.123456789", "12345678901234567"])
def test_other_numbers_are_no_amounts(text: str) -> None:
    with pytest.raises(BadInput):
        read_amount(text)


def test_any_currency_and_as_many_decimals_as_a_hand_needs() -> None:
    assert [currency_in(text) for text in ("RSD1/RSD2", "₹5", "0.10/0.20", "€5 EUR", "5 SEK")] == [
        "RSD",
        "₹",
        "",
        "€",
        "SEK",
    ]
    text = golden("ipoker").replace("€0.04", "€0.005").replace("€16.36", "€16.395")
    text = text.replace("€39.44", "€39.37").replace("EUR", "XBT").replace("€", "XBT")
    hand = hands("ipoker", text)[0]
    assert (hand.currency, hand.denomination) == ("XBT", Fraction(1, 1000))
    assert hand.rules.antes == (5, 5, 5)


REAL = {
    "fulltilt": (15, {"another game": 6, "unreadable": 1}, 3),
    "ipoker": (16, {"another game": 18}, 0),
    "pacific": (12, {"another game": 5, "board does not fit the betting": 1}, 2),
    "partypoker": (24, {"another game": 6, "cut off": 1}, 0),
    "winamax": (20, {"another game": 2}, 1),
}
"""By folder: hands, what is skipped (the files that are meant to be wrong), files of no format."""


@pytest.mark.parametrize("folder", REAL)
def test_real_hands(folder: str, shared_data: Path) -> None:
    good, bad, strange = 0, Counter[str](), 0
    for path in sorted((shared_data / "sites" / folder).iterdir()):
        try:
            found = list(read(path))
        except BadInput:
            strange += 1
            continue
        good += sum(isinstance(hand, HandRecord) for hand in found)
        bad.update(hand.reason.value for hand in found if isinstance(hand, Skipped))
    assert (good, dict(bad), strange) == REAL[folder]


def test_real_hands_of_ggpoker(shared_data: Path) -> None:
    folder = shared_data / "sites" / "ggpoker"
    if not folder.is_dir():
        pytest.skip("needs the hands of GGPoker in ../shared/data/sites")
    for path in folder.iterdir():
        for hand in read(path):
            assert isinstance(hand, HandRecord) or hand.reason is SkipReason.ANOTHER_GAME, hand
