"""Money of hands that are refused, by their text, beside what the engine finds in others."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from railbird.game import no_limit_holdem
from railbird.histories import (
    HandRecord,
    ReadOptions,
    Skipped,
    SkipReason,
    format_named,
    read,
    read_columns,
)
from railbird.histories.refused_money import refused_money
from railbird.histories.stake_names import stake_of

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
RUN_TWICE = """\
PokerStars Zoom Hand #250000000001:  Hold'em No Limit ($0.25/$0.50) - 2025/03/02 12:00:00 ET
Table 'Alba' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Seat 3: Cid ($50 in chips)
Bob: posts small blind $0.25
Cid: posts big blind $0.50
*** HOLE CARDS ***
Dealt to Cid [As Kd]
Ann: folds
Bob: raises $49.50 to $50 and is all-in
Cid: calls $49.50 and is all-in
*** FIRST FLOP *** [Ah 2h 4c]
*** FIRST TURN *** [Ah 2h 4c] [Kc]
*** FIRST RIVER *** [Ah 2h 4c Kc] [8c]
*** SECOND FLOP *** [2s 7s 3c]
*** SECOND TURN *** [2s 7s 3c] [Ac]
*** SECOND RIVER *** [2s 7s 3c Ac] [9c]
*** FIRST SHOW DOWN ***
Bob: shows [Qd Qs] (a pair of Queens)
Cid: shows [As Kd] (two pair, Aces and Kings)
Cid collected $49 from pot
*** SECOND SHOW DOWN ***
Cid collected $49 from pot
*** SUMMARY ***
Total pot $100 | Rake $2
"""
SOLD = """\
Poker Hand #HD250000004: Hold'em No Limit ($0.05/$0.10) - 2025/08/02 11:26:53
Table 'NLHWhite1' 6-max Seat #3 is the button
Seat 1: a1 ($10 in chips)
Seat 2: b2 ($10 in chips)
Seat 3: Hero ($10 in chips)
a1: posts small blind $0.05
b2: posts big blind $0.10
*** HOLE CARDS ***
Dealt to Hero [Ah Ad]
Hero: raises $0.20 to $0.30
a1: folds
b2: raises $9.70 to $10 and is all-in
Hero: calls $9.70 and is all-in
b2: shows [Kd Ks]
Hero: shows [Ah Ad]
Hero: Chooses to EV Cashout
*** FLOP *** [2s 7s 3c]
*** TURN *** [2s 7s 3c] [Kh]
*** RIVER *** [2s 7s 3c Kh] [9c]
*** SHOWDOWN ***
b2 collected $19.05 from pot
Hero: Receives Cashout ($15.45)
*** SUMMARY ***
Total pot $20.05 | Rake $1 | Jackpot $0 | Bingo $0
"""


@pytest.mark.parametrize(
    ("name", "text", "won"),
    [
        ("pokerstars", RUN_TWICE, {"Bob": -100.0, "Cid": 96.0}),
        ("ggpoker", SOLD, {"Hero": 54.5, "a1": -0.5, "b2": 90.5}),
    ],
)
def test_a_refused_hand_tells_its_money(name: str, text: str, won: dict[str, float]) -> None:
    (found,) = format_named(name).read(io.StringIO(text), ReadOptions(rules=OTHER_TABLE))
    assert isinstance(found, Skipped)
    assert found.hand.won == pytest.approx(won)


@pytest.mark.parametrize(
    "changed",
    [
        RUN_TWICE.replace("Hold'em", "Omaha"),
        RUN_TWICE.replace("Cid collected $49", "Cid collected $490"),
        RUN_TWICE.partition("*** SUMMARY")[0],
        RUN_TWICE.replace("posts big blind $0.50", "posts nothing"),
    ],
)
def test_a_text_that_does_not_add_up_tells_nothing(changed: str) -> None:
    assert refused_money(changed.splitlines()) == {}


OTHER_TABLE = no_limit_holdem(20, blinds=(1, 2), stack=200)
"""Rules of which no hand is, so that each is refused."""
FILES = {
    "pokerstars": "stars.txt",
    "ggpoker": "ggpoker.txt",
    "winamax": "winamax.txt",
    "partypoker": "partypoker.txt",
    "pacific": "pacific.txt",
    "full-tilt": "full_tilt.txt",
    "ipoker": "ipoker.xml",
    "ohh": "hands.ohh",
    "phh": "hands.phhs",
}


@pytest.mark.parametrize("name", FILES)
def test_a_refused_hand_tells_what_the_engine_finds_in_it(name: str) -> None:
    """Money, time, stake and number, each hand being refused for want of seats."""
    text = (GOLDEN / FILES[name]).read_text(encoding="utf-8")
    hands = list(format_named(name).read(io.StringIO(text), ReadOptions()))
    refused = list(format_named(name).read(io.StringIO(text), ReadOptions(rules=OTHER_TABLE)))
    assert len(hands) == len(refused) >= 3
    for hand, skip in zip(hands, refused, strict=True):
        assert isinstance(hand, HandRecord)
        assert isinstance(skip, Skipped)
        assert hand.source is not None
        assert skip.line == hand.source.line
        blind = hand.rules.chips_per_unit
        paid = dict(zip(hand.players, hand.payoffs, strict=True))
        assert skip.hand.won, skip
        assert {name: skip.hand.won.get(name, 0.0) for name in paid} == pytest.approx(
            {name: float(won / blind) for name, won in paid.items()}
        )
        assert skip.hand.played_at == hand.played_at
        assert skip.hand.number == (hand.number_text or str(hand.number))
        if skip.hand.stake and len(set(hand.rules.antes)) < 2:  # without dead blinds
            assert skip.hand.stake == stake_of(hand.rules, hand.denomination, hand.currency)
    assert sum(bool(skip.hand.stake) for skip in refused if isinstance(skip, Skipped)) >= 2


def test_what_an_acpc_log_says_of_a_hand_that_it_cannot_have() -> None:
    text = (GOLDEN / "six.log").read_text()
    broken = text.replace(":cfr200r10000cccf///:", ":cfr200r10000cccff///:")
    assert broken != text
    for items in (read(io.BytesIO(broken.encode())), read_columns(io.BytesIO(broken.encode()))):
        (skip,) = (item for item in items if isinstance(item, Skipped))
        assert (skip.hand.number, skip.hand.stake) == ("4", "50/100 no-limit")
        assert max(skip.hand.won.values()) == pytest.approx(302.0)


@pytest.mark.parametrize("cash_out", [False, True])
def test_what_open_hand_history_and_ipoker_say_of_hands_of_another_game(cash_out: bool) -> None:
    """Run twice, or sold: refused before they are replayed."""
    (text, *_) = (GOLDEN / "hands.ohh").read_text(encoding="utf-8").split("\n\n")
    fields = json.loads(text)
    (wins, *_) = fields["ohh"]["pots"][0]["player_wins"]
    if cash_out:
        wins["cashout_amount"] = wins["win_amount"] - 10
    else:
        fields["ohh"]["flags"] = ["Run_It_Twice"]
    (hand,) = format_named("ohh").read(io.StringIO(text), ReadOptions())
    (skip,) = format_named("ohh").read(io.StringIO(json.dumps(fields)), ReadOptions())
    assert isinstance(hand, HandRecord)
    assert isinstance(skip, Skipped)
    assert skip.reason is SkipReason.ANOTHER_GAME
    winner = fields["ohh"]["players"][wins["player_id"]]["name"]
    won = float(hand.payoffs[hand.players.index(winner)] / hand.rules.chips_per_unit)
    assert skip.hand.won[winner] == pytest.approx(won - (1.0 if cash_out else 0.0))


@pytest.mark.parametrize(("name", "file"), [("pokerstars", "stars"), ("ggpoker", "ggpoker")])
def test_the_words_of_hands_that_are_read_tell_what_the_engine_finds(name: str, file: str) -> None:
    lines = (GOLDEN / f"{file}.txt").read_text(encoding="utf-8").splitlines()
    hands = list(format_named(name).read(iter(f"{line}\n" for line in lines), ReadOptions()))
    starts = [hand.source.line for hand in hands if isinstance(hand, HandRecord) and hand.source]
    assert len(starts) == len(hands) >= 3
    for hand, first, end in zip(hands, starts, [*starts[1:], len(lines) + 1], strict=True):
        assert isinstance(hand, HandRecord)
        block = [line.strip() for line in lines[first - 1 : end - 1] if line.strip()]
        blind = hand.rules.chips_per_unit
        paid = dict(zip(hand.players, hand.payoffs, strict=True))
        told = refused_money(block)
        assert told, block[0]
        assert {name: told.get(name, 0.0) for name in paid} == pytest.approx(
            {name: float(won / blind) for name, won in paid.items()}
        )
