"""`railbird ledger`: from results and from hands, and what it refuses."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest

from helpers.command_line import call
from railbird.histories import HandRecord, archive, read, write

HAND = """PokerStars Hand #{number}: Hold'em No Limit ($0.05/$0.10) - 2019/05/01 20:0{number}:00 ET
Table 'Home' 6-max Seat #1 is the button
Seat 1: Ann ($10 in chips)
Seat 2: Bob ($10 in chips)
Seat 3: Cid ($10 in chips)
Bob: posts small blind $0.05
Cid: posts big blind $0.10
*** HOLE CARDS ***
Ann: raises $0.20 to $0.30
Bob: folds
Cid: folds
Uncalled bet ($0.20) returned to Ann
Ann collected $0.23 from pot
*** SUMMARY ***
Total pot $0.25 | Rake $0.02


"""
CHIPS = HAND.replace("$0.", "").replace("$10", "1000")
THOUSANDS = "a point or a blank that may mark thousands"


def test_given_results(capsys: pytest.CaptureFixture[str]) -> None:
    net = ("ledger", "--net", "Ann +12.50, Bob -7.50, Cid -5")
    code, out, _ = call(capsys, *net)
    assert code == 0
    assert out.splitlines()[-3:] == [
        "Bob pays Ann 7.50",
        "Cid pays Ann 5.00",
        "2 payments; no fewer do.",
    ]
    (told,) = json.loads(call(capsys, *net, "--json")[1])["ledgers"]
    assert told["payments"][0] == {"from": "Bob", "to": "Ann", "amount": 7.5}
    assert (told["fewest"], told["rounded"]) == (True, False)


def test_hands_with_rake_and_two_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "home.txt"
    second = HAND.format(number=2).replace("Bob", "Bobby")
    log.write_text(HAND.format(number=1) + second)
    options = ("ledger", str(log), "--same", "Bob=Bobby")
    (told,) = json.loads(call(capsys, *options, "--json")[1])["ledgers"]
    assert told["currency"] == "$"
    assert told["results"] == {"Ann": 0.26, "Bob": -0.1, "Cid": -0.2, "the house": 0.04}
    assert sum(each["amount"] for each in told["payments"]) == pytest.approx(0.3)
    out = call(capsys, *options)[1]
    assert "Cid pays Ann $0.20" in out
    assert "missing" not in out
    log.write_text(HAND.format(number=1) + second + "PokerStars Hand #3: nothing\n\n\n")
    assert "This ledger may be wrong: " in call(capsys, *options)[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "a ledger of FILE or --net; allowed: one of them"),
        (("nowhere.log",), "nowhere.log: cannot be read: No such file or directory"),
        (("--net", "Ann +3, Bob -2"), "results that sum to +1.00; allowed: to zero"),
        (("--net", "Ann"), "'Ann'; allowed: a name and an amount, as in Ann +12.50"),
        *(
            (
                ("--net", f"Ann +{text}; Bob -{text}"),
                f"'Ann +{text}': {why}; allowed: such as {how}",
            )
            for text, why, how in (
                ("1,000", "commas inside of amounts", "Ann +12.50"),
                ("12,50", "commas inside of amounts", "Ann +12.50"),
                ("1.000", THOUSANDS, "Ann +12.50 or Ann +1250"),
                ("12.500", THOUSANDS, "Ann +12.50 or Ann +1250"),
                ("1 000", THOUSANDS, "Ann +12.50 or Ann +1250"),
            )
        ),
    ],
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    code, out, err = call(capsys, "ledger", *options)
    assert (code, out, err.strip()) == (2, "", f"railbird: {message}")


def test_other_games_coins_and_chips(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    hand = HAND.format(number=1)
    for game in ("No Limit 6+", "No Limit Tempest", "No Limit Bomb Pot"):
        log.write_text(hand.replace("No Limit", game), encoding="utf-8")
        code, _, err = call(capsys, "ledger", str(log))
        assert (code, "1 of another game" in err) == (1, True), game
    coins = hand.replace("$0.05/$0.10", "0.05/0.10 mBTC").replace("$", "")
    log.write_text(coins, encoding="utf-8")
    assert "mBTC" in call(capsys, "ledger", str(log))[1], "a thousandth of the coin"
    log.write_text(hand + CHIPS.format(number=2), encoding="utf-8")
    code, out, err = call(capsys, "ledger", str(log))
    assert code == 0
    assert "left out: hands for chips that are not money" in err
    assert out.count("pays") == 3
    code, _, err = call(capsys, "ledger", "--net", "Ann +5, Bob -5", "--same", "Ann=Anna")
    assert (code, "--same" in err) == (2, True)


@pytest.mark.parametrize(
    "name",
    [
        *("golden/histories/full_tilt.txt", "golden/histories/ggpoker.txt"),
        *("golden/histories/ipoker.xml", "golden/histories/pacific.txt"),
        *("golden/histories/partypoker.txt", "golden/histories/winamax.txt"),
        "histories/pokerstars_tournaments.txt",
    ],
)
def test_chips_of_tournaments_are_nobodys_debts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    """Whatever the site, and in the other formats that say of a hand what it is of."""
    log = Path(__file__).parents[1] / name
    hands = [hand for hand in read(log) if isinstance(hand, HandRecord) and hand.tournament]
    write(hands, tmp_path / "out.phhs")
    write(hands, tmp_path / "out.ohh")
    archive.add(hands, tmp_path / "archive")
    for file in (log, tmp_path / "out.phhs", tmp_path / "out.ohh", tmp_path / "archive"):
        code, out, err = call(capsys, "ledger", str(file))
        assert (code, out) == (2, "")
        assert "a hand of a tournament, whose chips are not money" in err
    source = hands[0].source
    assert source is not None
    assert f"{log} line {source.line}: " in call(capsys, "ledger", str(log))[2]


def test_a_hand_of_a_tournament_converted_stays_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = Path(__file__).parents[1] / "golden/histories/ggpoker.txt"
    hands = [hand for hand in read(log) if isinstance(hand, HandRecord) and hand.tournament]
    assert write(hands, tmp_path / "out.txt", format_name="pokerstars").hands == len(hands)
    code, out, err = call(capsys, "ledger", str(tmp_path / "out.txt"))
    assert (code, out, "a hand of a tournament" in err) == (2, "", True)


PLAY_MONEY = {
    "pokerstars": ("'Home' 6-max", "'Home' 6-max (Play Money)", CHIPS.format(number=1)),
    "pacific": ("(Real Money)", "(Practice Play)", "pacific.txt"),
    "partypoker": ("(Real Money)", "(Play Money)", "partypoker.txt"),
    "winamax": ("(real money)", "(play money)", "winamax.txt"),
    "ipoker": ("<mode>real</mode>", "<mode>fun</mode>", "ipoker.xml"),
    "full-tilt": ("Table Harbour", "Table Play Chip 12", "full_tilt.txt"),
}
"""By site the mark of money, that of play money, and a text or the name of one."""


@pytest.mark.parametrize("site", PLAY_MONEY)
def test_play_money_is_nobodys_debt(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, site: str
) -> None:
    """Whatever sign the chips have, and wherever the hands are kept."""
    money, play, text = PLAY_MONEY[site]
    if "\n" not in text:
        text = (Path(__file__).parents[1] / "golden" / "histories" / text).read_text("utf-8")
    first = next(hand for hand in _hands(text) if not hand.tournament)
    assert not first.play_money
    log = tmp_path / f"{site}.log"
    log.write_text(text.replace(money, play), encoding="utf-8")
    hands = [hand for hand in _hands(log.read_text("utf-8")) if not hand.tournament]
    same = next(hand for hand in hands if hand.number == first.number)
    assert (same.play_money, same.currency, same.payoffs) == (True, "", first.payoffs)
    write([same], tmp_path / "out.phhs")
    write([same], tmp_path / "out.ohh")
    written = write([same], tmp_path / "out.txt", format_name="pokerstars").hands
    archive.add([same], tmp_path / "archive")
    copies = ["out.phhs", "out.ohh", "archive", *(["out.txt"] if written else [])]
    for file in (log, *(tmp_path / copy for copy in copies)):
        code, out, err = call(capsys, "ledger", str(file))
        assert (code, out, "a hand for play money, whose chips are not" in err) == (2, "", True), (
            err
        )


def test_open_hand_history_names_play_money_by_its_currency(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Ours has no other word for chips, which a home game may settle."""
    log = tmp_path / "home.ohh"
    write(_hands(CHIPS.format(number=1)), log)
    assert call(capsys, "ledger", str(log))[0] == 0
    ours = log.read_text()
    log.write_text(re.sub('"site_name":"[^"]*"', '"site_name":"Site"', ours))
    assert call(capsys, "ledger", str(log))[0] == 0, "ours, whatever the site"
    log.write_text(re.sub(',"_decimals":[0-9]', "", log.read_text()))
    code, _, err = call(capsys, "ledger", str(log))
    assert (code, "a hand for play money" in err) == (2, True)


@pytest.mark.parametrize("states_it", [True, False], ids=["version-3", "version-2"])
def test_chips_of_our_own_tournaments_are_nobodys_debts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, states_it: bool
) -> None:
    """Hands of older logs do not state it, but the first line says what they are of."""
    log = tmp_path / "series.log"
    series = ("tournament", "random", "always-call", "--count", "1", "--seed", "1")
    assert call(capsys, *series, "--log", str(log))[0] == 0
    text = log.read_text()
    assert "_tournament = true\n" in text
    log.write_text(text if states_it else text.replace("_tournament = true\n", ""))
    code, out, err = call(capsys, "ledger", str(log))
    assert (code, out, "line 2: a hand of a tournament" in err) == (2, "", True)


def test_an_older_archive_does_not_say_what_is_of_a_tournament(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It lacks the column; what is added to it later has it, and a folder may be around it."""
    first, second = (CHIPS.format(number=number) for number in (1, 2))
    archive.add(_hands(first), tmp_path / "home")
    assert "may be wrong" not in call(capsys, "ledger", str(tmp_path / "home"))[1]
    (part,) = (tmp_path / "home").glob("*/*.parquet")
    pl.read_parquet(part).drop("tournament").write_parquet(part)
    assert archive.add(_hands(second), tmp_path / "home").hands == 1
    for folder in (tmp_path / "home", tmp_path):
        code, out, _ = call(capsys, "ledger", str(folder))
        assert (code, "older archive" in out) == (0, True)


def _hands(text: str) -> list[HandRecord]:
    return [hand for hand in read(BytesIO(text.encode())) if isinstance(hand, HandRecord)]


def test_one_number_with_other_bets_counts_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine, theirs = tmp_path / "mine.txt", tmp_path / "theirs.txt"
    mine.write_text(HAND.format(number=1))
    theirs.write_text(
        mine.read_text().replace("$0.20 to $0.30", "$0.30 to $0.40").replace("($0.20", "($0.30")
    )
    told = json.loads(call(capsys, "ledger", str(mine), str(theirs), "--json")[1])
    assert told["ledgers"][0]["results"]["Ann"] == 0.13
    assert f"{theirs} line 1 contradicts {mine} line 1: the same hand" in told["withheld"]
    assert "This ledger may be wrong: " in call(capsys, "ledger", str(mine), str(theirs))[1]
    archive = str(tmp_path / "archive")
    code, _, err = call(capsys, "archive", "add", archive, str(mine), str(theirs))
    assert (code, "1 hand added, 0 were there already, 1 left out" in err) == (0, True)


POKERNOW = """player_nickname,player_id,session_start_at,session_end_at,buy_in,buy_out,stack,net
"Ann, Jr.",a1,2024-03-02T20:00:00Z,,1000,,1500,500
Bob,b2,2024-03-02T20:00:00Z,2024-03-02T21:00:00Z,1000,400,0,-600
Bobby,b2,2024-03-02T21:05:00Z,,500,,700,200
Bobby,c3,2024-03-02T20:00:00Z,2024-03-02T22:00:00Z,1000,900,0,-100
"""


def test_nobody_is_paid_by_position(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    texts = (Path(__file__).parents[1] / "golden" / "histories" / "bovada.txt").read_text("utf-8")
    log = tmp_path / "cash.txt"
    log.write_text("".join(texts.splitlines(keepends=True)[:66]), encoding="utf-8")
    code, out, err = call(capsys, "ledger", str(log))
    assert code == 2
    assert "players are called by their positions (Big Blind, " in err
    assert "pays" not in out


def test_the_ledger_of_pokernow(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A person is told by the id, whatever the nickname; of two of one name one has the id."""
    file = tmp_path / "ledger.csv"
    file.write_text("\ufeff" + POKERNOW, encoding="utf-8")
    (told,) = json.loads(call(capsys, "ledger", str(file), "--json")[1])["ledgers"]
    assert told["results"] == {"Ann, Jr.": 500, "Bobby": -400, "Bobby (c3)": -100}
    assert sum(each["amount"] for each in told["payments"]) == 500
    code, out, _ = call(capsys, "ledger", str(file), "--same", "Bobby=Bobby (c3)")
    assert code == 0
    assert out.splitlines()[-1] == "1 payment; no fewer do."


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("1500,500", "1500,900", "line 2: a net of 900.00 that does not add up"),
        ("400,0,-600", "500,0,-500", "results sum to +100.00"),
        ("Bob,b2", ",b2", "line 3: no nickname"),
        ("Bob,b2", f"{'B' * 70},b2", "line 3: no nickname"),
        ("-600", "1e9", "net '1e9'"),
        ("1000,400", "nan,400", "buy_in 'nan'"),
        (POKERNOW[POKERNOW.index("\n") + 1 :], "", "a ledger without players"),
    ],
    ids=["net", "sum", "nobody", "long", "power", "nan", "empty"],
)
def test_a_ledger_that_does_not_add_up(
    old: str, new: str, problem: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "ledger.csv"
    file.write_text(POKERNOW.replace(old, new))
    code, out, said = call(capsys, "ledger", str(file))
    assert (code, out, said.count("\n")) == (2, "", 1)
    assert problem in said


def test_a_ledger_and_a_log_are_not_added(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "ledger.csv").write_text(POKERNOW)
    (tmp_path / "home.txt").write_text(HAND.format(number=1))
    files = [str(tmp_path / name) for name in ("ledger.csv", "home.txt")]
    code, _, said = call(capsys, "ledger", *files)
    assert code == 2
    assert "home.txt is none; allowed: one kind" in said
