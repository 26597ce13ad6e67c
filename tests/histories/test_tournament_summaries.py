"""Summaries of tournaments: what an entry cost and brought, alone and beside hands."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from railbird import histories
from railbird.histories.tournament_entries import entries_of, results_of

STARS = """PokerStars Tournament #7001, No Limit Hold'em
Buy-In: $4.00/$1.00/$0.50 USD
12 players
Total Prize Pool: $48.00 USD
Tournament started 2024/03/02 12:00:00 ET
Tournament finished 2024/03/02 14:00:00 ET

  1: Bob (Iceland), $24.00 (50%)
  2: Ann (Malta), $14.40 (30%)
  3: Cy (2) (Chile), $9.60 (20%)
  4: Dee (Peru),

You finished in 2nd place (eliminated at hand #99).

You collected 3 bounties for a total of USD 3.00.
"""
GGPOKER = """Tournament #7002, Bounty Hunters $10.80, Hold'em No Limit
Buy-in: $5+$0.80+$5
1024 Players
Total Prize Pool: $10,240
Tournament started 2024/03/02 12:00:00
271st : Hero, $7.5
You finished the tournament in 271st place.
You made 1 re-entries and received a total of $7.5.
"""
FULL_TILT = """Full Tilt Poker Tournament Summary $9 KO (Turbo) (7003) Hold'em No Limit (Knockout)
Buy-In: $8 + $1
Rebuy: $8
Add-On: $5
Knockout Bounty: $2
Hero received 2 Knockout Bounty Awards
Hero performed 1 Add-On
Hero performed 2 Rebuys
40 Entries
Total Rebuys: 9Total Prize Pool: $300
Tournament started: 2012/03/02 12:00:00 ET
Tournament is still in progress

Still Playing - Cy
2: Hero, $60.50
Hero finished in 2nd place
"""
PACIFIC = """***** Cassava Tournament Summary *****
Tournament ID: 7004
Buy-In: 0,09 \u20ac + 0,01 \u20ac
Hero finished 1/6 and won 0,38 \u20ac
"""
WINAMAX = """Winamax Poker - Tournament summary : Night (deep)(7005) - Late registration
Player : Hero
Buy-In : 9\u20ac + 1\u20ac
Rebuy cost : 9\u20ac + 1\u20ac
Addon cost : 9\u20ac + 1\u20ac
Your rebuys : 1
Your addons : 1
Registered players : 1743
Mode : tt
Speed : semiturbo
Prizepool : 39348\u20ac
Tournament started 2024/03/02 12:00:00 UTC
You played 1h 11min 5s
You finished in 12th place
You won 120.50\u20ac + Ticket 5\u20ac
"""
POKER_TRACKER = """PokerTracker 4 Tournament Summary
Site: Merge
Game: Holdem
Tournament #: 7006
Started: 2012/03/04 09:22:46
Buyin: $10.00
Bounty: $4.00
Fee: $1.00
Rebuy: $10.00
Table Type: STT Turbo SNG BOUNTY
Players: 3

Place: 1, Player: Hero, Won: $20.00, Rebuys: 1, Bounties: 2,
Place: 2, Player: Bob, Won: $10.00,
Place: 3, Player: Cy, Won: $0.00,
"""
IPOKER = """<session sessioncode="55">
<general><nickname>Hero</nickname><tournamentcode>7007</tournamentcode>
<tournamentname>Twister $1</tournamentname><place>3</place><buyin>$0.67+$0.07+$0.26</buyin>
<totalbuyin>$1.00</totalbuyin><currency>USD</currency><win>$0.00</win></general>
<game gamecode="1">
</game></session>
"""

# Costs and prizes added up by hand.
TEXTS = {
    "pokerstars": (STARS, 7001, "Ann", "$", "5.5", "17.4", 2, 12),
    "ggpoker": (GGPOKER, 7002, "Hero", "$", "21.6", "7.5", 271, 1024),
    "full-tilt": (FULL_TILT, 7003, "Hero", "$", "30", "64.5", 2, 40),
    "pacific": (PACIFIC, 7004, "Hero", "\u20ac", "0.1", "0.38", 1, 6),
    "winamax": (WINAMAX, 7005, "Hero", "\u20ac", "30", "125.5", 12, 1743),
    "ipoker": (IPOKER, 7007, "Hero", "$", "1", "0", 3, None),
}


def _written(folder: Path, **texts: str) -> list[str]:
    paths = []
    for name, text in texts.items():
        paths.append(str(folder / f"{name}.txt"))
        Path(paths[-1]).write_text(text, encoding="utf-8")
    return paths


@pytest.mark.parametrize("site", TEXTS)
def test_cost_prize_and_place(site: str, tmp_path: Path) -> None:
    text, number, player, currency, cost, prize, place, entrants = TEXTS[site]
    (path,) = _written(tmp_path, log=text)
    (entry,) = entries_of([path])
    assert (entry.tournament, entry.player, entry.currency) == (number, player, currency)
    assert (entry.buy_in, entry.prize) == (Fraction(cost), Fraction(prize))
    assert (entry.place, entry.finished, entry.entrants) == (place, True, entrants)


def test_a_summary_has_no_hands(tmp_path: Path) -> None:
    (path,) = _written(tmp_path, log=STARS)
    assert list(histories.read(path)) == []
    assert list(histories.read(tmp_path)) == []


def test_a_list_without_an_owner_is_that_of_the_player_asked_for(tmp_path: Path) -> None:
    (path,) = _written(tmp_path, log=POKER_TRACKER)
    assert results_of([path]).entries == []
    assert "no word on whose summary it is" in results_of([path]).refused[0][1]
    (entry,) = results_of([path], ["Hero"]).entries
    # 10 + 4 + 1, one re-buy; 20 and two bounties of 4.
    assert (entry.buy_in, entry.prize, entry.place) == (Fraction(25), Fraction(28), 1)
    # Another summary says whose files these are.
    assert len(entries_of([path, *_written(tmp_path, gg=GGPOKER)])) == 2


@pytest.mark.parametrize("cost", ["100/9", "100 FPP", "250 Play Chips + 0 Play Chips"])
def test_points_and_play_chips_are_no_money(cost: str, tmp_path: Path) -> None:
    text = STARS.replace("$4.00/$1.00/$0.50 USD", cost).replace("USD", "").replace("$", "")
    (path,) = _written(tmp_path, log=text)
    results = results_of([path])
    assert results.entries == []
    assert "not for money" in results.refused[0][1]


def test_a_ticket_without_an_amount_is_no_prize_of_zero(tmp_path: Path) -> None:
    text = STARS.replace("$14.40 (30%)", "Sunday Million ticket")
    (path,) = _written(tmp_path, log=text)
    results = results_of([path])
    assert results.entries == []
    assert "a prize of unknown worth" in results.refused[0][1]


def test_a_seat_in_a_target_tournament_is_worth_its_buy_in(tmp_path: Path) -> None:
    text = STARS.replace("$14.40 (30%)", "(qualified for the target tournament)").replace(
        "12 players\n", "12 players\nTarget Tournament #8 Buy-In: $109.00 USD\n"
    )
    (path,) = _written(tmp_path, log=text)
    assert entries_of([path])[0].prize == 112


def test_whoever_is_listed_twice_has_entered_twice(tmp_path: Path) -> None:
    text = STARS.replace("  4: Dee (Peru),", "  4: Dee (Peru),\n  9: Ann [2] (Malta),").replace(
        "You collected", "You made 1 re-entries for a total of $5.50.\n\nYou collected"
    )
    (path,) = _written(tmp_path, log=text)
    first, second = entries_of([path])
    assert (first.buy_in, first.place) == (Fraction("5.5"), 2)
    assert (second.buy_in, second.prize, second.place) == (Fraction("5.5"), Fraction(0), 9)
    alone = text.replace("  9: Ann [2] (Malta),\n", "")
    (path,) = _written(tmp_path, log=alone)
    assert [entry.buy_in for entry in entries_of([path])] == [11]


def test_a_copy_counts_once_and_the_end_stands_for_what_was_written_before(tmp_path: Path) -> None:
    playing = STARS.replace("$14.40 (30%)", "still playing").replace("You finished in 2nd", "You")
    paths = _written(tmp_path, first=playing, second=STARS, third=STARS)
    (entry,) = entries_of([*paths, *_written(tmp_path, gg="")])
    assert entry.finished


HAND = """PokerStars Hand #{hand}: Tournament #{number}, $4.00+$1.00+$0.50 USD Hold'em No Limit - \
Level II (15/30) - 2024/03/02 12:0{hand}:00 ET
Table '{number} 1' 3-max Seat #1 is the button
Seat 1: Ann (1500 in chips)
Seat 2: Bob (1500 in chips)
Seat 3: Cy (1500 in chips)
Bob: posts small blind 15
Cy: posts big blind 30
*** HOLE CARDS ***
Dealt to Ann [4s 7h]
Ann: folds
Bob: folds
Uncalled bet (15) returned to Cy
Cy collected 30 from pot
*** SUMMARY ***
Total pot 30 | Rake 0


"""


def test_a_summary_stands_in_place_of_what_hands_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The hands tell of an entry without an end; a summary without an owner is theirs, too."""
    hands = HAND.format(hand=1, number=7001) + HAND.format(hand=2, number=7009)
    paths = _written(tmp_path, hands=hands, stars=STARS)
    first, second = sorted(entries_of(paths), key=lambda entry: entry.tournament)
    assert (first.prize, first.finished, second.finished) == (Fraction("17.4"), True, False)
    nameless = STARS[: STARS.index("You finished")]
    (path,) = _written(tmp_path, stars=nameless)
    assert entries_of([path]) == []
    by_hands = [entry for entry in entries_of([paths[0], path]) if entry.finished]
    assert [(entry.player, entry.prize) for entry in by_hands] == [("Ann", Fraction("14.4"))]

    (tmp_path / "stars.txt").write_text(STARS)
    archive = str(tmp_path / "archive")
    assert call(capsys, "archive", "add", archive, *paths)[0] == 0
    assert entries_of([archive]) == entries_of(paths)
    told = [call_json(capsys, "stats", *of)["tournaments"] for of in ([archive], paths)]
    assert told[0] == told[1]
    assert told[0]["Ann"]["$"]["prizes"] == pytest.approx(17.4)


def test_the_command_line_tells_of_summaries_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {f"t{n}": GGPOKER.replace("7002", str(8000 + n)) for n in range(24)}
    texts |= {f"u{n}": GGPOKER.replace("7002", str(9000 + n)).replace("1024", "6") for n in (1, 2)}
    _written(tmp_path, **texts, play=STARS.replace("$", "").replace("USD", ""))
    code, out, _ = call(capsys, "stats", str(tmp_path), "--player", "Hero")
    words = " ".join(out.split())
    assert code == 0
    assert "26 tournaments entered, 26 with a known finish: buy-ins $561.60" in words
    assert "over 1,000 entries" in words
    assert "3 to 10 entries" in words
    assert "1 summary of tournaments counts for nothing" in words
    answer = call_json(capsys, "stats", str(tmp_path))
    told = answer["tournaments"]["Hero"]["$"]
    assert told["by"]["size"]["3 to 10 entries"]["finished"] == 2
    assert told["in_money"]["value"] == 1
    # Gaffke's interval allows for a first prize of all that 1,024 players paid.
    assert told["bound"][0] < told["roi"]["value"] < told["resampled"][1] + 1e-9 < told["bound"][1]
    (play,) = answer["summaries_left_out"]
    assert "not for money" in play["reason"]
    page = tmp_path.parent / f"{tmp_path.name}.html"
    assert call(capsys, "stats", str(tmp_path), "-o", str(page))[0] == 0
    assert "Kinds of tournaments" in page.read_text()
    code, _, problem = call(capsys, "stats", str(tmp_path / "play.txt"))
    assert (code, problem.count("\n")) == (1, 1)


def test_a_report_has_what_entries_brought(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hands = HAND.format(hand=1, number=7001) + HAND.format(hand=2, number=7009)
    paths = _written(tmp_path, hands=hands, stars=STARS)
    quick = ("report", *paths, "--player", "Ann", "--ask", "none", "--solve", "none")
    code, out, err = call(capsys, *quick)
    assert code == 0, err
    words = " ".join(out.split())
    assert "2 tournaments entered, 1 with a known finish: buy-ins $5.50" in words
    stats = call_json(capsys, "stats", *paths, "--player", "Ann")["tournaments"]
    assert call_json(capsys, *quick)["tournaments"] == stats
    assert "tournaments" not in call_json(capsys, *quick, "--where", "limped pot")
    alone = ("report", paths[1], "--player", "Ann")
    assert call_json(capsys, *alone)["tournaments"]["Ann"]["$"]["finished"] == 1
    code, out, _ = call(capsys, *alone)
    assert code == 0
    assert "1 tournament entered" in " ".join(out.split())
    code, _, problem = call(capsys, "report", paths[1], "--player", "Nobody")
    assert (code != 0, problem.count("\n")) == (True, 1)


def test_other_verbs_find_no_hands(tmp_path: Path) -> None:
    (path,) = _written(tmp_path, log=STARS)
    assert histories.convert(path, tmp_path / "log.phhs").hands == 0


@pytest.mark.parametrize("cut", range(0, 300, 23))
def test_a_mangled_summary_raises_nothing(cut: int, tmp_path: Path) -> None:
    for text in (STARS, FULL_TILT, WINAMAX, POKER_TRACKER, IPOKER, GGPOKER, PACIFIC):
        mangled = text[:cut] + "9" * 40 + text[cut + 7 :]
        (path,) = _written(tmp_path, log=mangled)
        results_of([path], ["Hero"])
