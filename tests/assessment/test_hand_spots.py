"""Hands that were played as spots: what is kept of them, and that every one becomes one."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from helpers.played_hand import HAND, HEADS_UP
from railbird import histories
from railbird.assessment import hand_spots
from railbird.cards import Range, parse_holding
from railbird.errors import BadInput, NothingUsable
from railbird.game import parse_rake
from railbird.solve.spot import solve_spot


def _record(text: str) -> histories.HandRecord:
    (record,) = histories.read(BytesIO(text.encode()))
    assert isinstance(record, histories.HandRecord), record
    return record


def test_a_log_opens_at_its_owners_last_decision(tmp_path: Path) -> None:
    """The same from a file and from text, packed or not, and after a hand that cannot be read."""
    torn = HAND[: HAND.index("*** TURN")]
    log = tmp_path / "log.txt.gz"
    text = f"{torn}\n\n\n{HAND}\n\n\n{HEADS_UP}".encode()
    log.write_bytes(gzip.compress(text))
    for source in (log, text):
        first = hand_spots.played_spot(source)
        assert (first.number, first.hand.street) == (2, "turn")
        assert first.opening.line == "check all-in 3050"
        assert [first.hand.players[decision.player] for decision in first.own] == ["Bob"] * 4
        river = hand_spots.played_spot(source, street="river")
        assert (river.number, river.big_blind, river.opening.action) == (3, 100, "call")
        of_flop = hand_spots.played_spot(source, number=2, act=7)
        assert (of_flop.hand.street, of_flop.opening.line) == ("flop", "bet 200")
        with pytest.raises(NothingUsable, match="hand 1 cannot be used"):
            hand_spots.played_spot(source, number=1)
        with pytest.raises(NothingUsable, match="hand 4; allowed: 1 to 3"):
            hand_spots.played_spot(source, number=4)


def test_a_hand_keeps_its_board_chips_and_bets() -> None:
    """A bet into a flop's raiser, sizes that no menu has, and one beyond the shorter stack."""
    hand = hand_spots.hand_spot(_record(HAND))
    spot = hand.spot
    assert (hand.street, hand.players) == ("flop", ("Bob", "Fay"))
    assert (spot.pot, spot.stack) == (550, 3750)
    assert hand.line == "bet 200 raise 700 call Tc check all-in 3050 call"
    assert [(d.player, d.line, d.action) for d in hand.decisions[:2]] == [
        (0, "", "bet 200"),
        (1, "bet 200", "raise 700"),
    ]
    assert hand.decisions[-1].line == "bet 200 raise 700 call Tc check all-in 3050"
    assert [decision.act for decision in hand.decisions] == [6, 7, 8, 9, 10, 11]
    assert [decision.street for decision in hand.decisions] == ["flop"] * 3 + ["turn"] * 3
    acted = [hand_spots.street_of(_record(HAND), act) for act in range(6, 12)]
    assert acted == ["flop"] * 3 + ["turn"] * 3
    for act in (-1, 0, 5, 12, 10**9):
        with pytest.raises(BadInput, match="no part of a spot"):
            hand_spots.street_of(_record(HAND), act)
    assert "button raises" not in hand.text
    assert "# oop: BB calls a raise of BTN: as oop in preset bu-bb" in hand.text
    assert spot.ranges[0].weights[parse_holding("7d2h")] == hand_spots.OWN_WEIGHT
    assert "the holding shown was not in it" in hand.text.splitlines()[1]


def _limped(line: str) -> str:
    """The hand with other actions before the flop, and checked down."""
    before, _, _ = HEADS_UP.partition("Gus: raises")
    streets = "".join(
        f"*** {name} *** {cards}\nHal: checks\nGus: checks\n"
        for name, cards in (
            ("FLOP", "[Ks 7d 2c]"),
            ("TURN", "[Ks 7d 2c] [9h]"),
            ("RIVER", "[Ks 7d 2c 9h] [3d]"),
        )
    )
    return (
        f"{before}{line}{streets}*** SHOW DOWN ***\nHal: shows [9s 8s] (a pair of Nines)\n"
        "Gus: shows [Ah Kd] (a pair of Kings)\n"
    )


@pytest.mark.parametrize(
    ("before_the_flop", "pot", "oop", "ip"),
    [
        ("Gus: raises $1.50 to $2.50\nHal: calls $1.50\n", 500, "hu/oop", "hu/ip"),
        (
            "Gus: raises $1.50 to $2.50\nHal: raises $7.50 to $10\nGus: calls $7.50\n",
            *(2000, "hu-3/oop", "hu-3/ip"),
        ),
        ("Gus: calls $0.50\nHal: checks\n", 200, "any two cards", "hu/ip"),
        (
            "Gus: calls $0.50\nHal: raises $3 to $4\nGus: calls $3\n",
            *(800, "hu-3/oop", "hu-3/ip"),
        ),
    ],
)
def test_a_heads_up_hand_gets_the_ranges_of_two_seats(
    before_the_flop: str, pot: int, oop: str, ip: str
) -> None:
    """By its line before the flop, and never those of a blind battle at six seats."""
    text = f"{_limped(before_the_flop)}Gus collected ${pot / 100} from pot\n*** SUMMARY ***\n"
    hand = hand_spots.hand_spot(_record(f"{text}Total pot ${pot / 100} | Rake $0\n"))
    assert (hand.spot.pot, hand.players) == (pot, ("Hal", "Gus"))
    for line, expected in zip(hand.text.splitlines()[1:3], (oop, ip), strict=True):
        preset, _, player = expected.partition("/")
        words = f"as {player} in preset {preset} (" if player else preset
        assert words in line, line
    assert "sb-bb" not in hand.text
    assert "Hal (BB) against Gus (BTN)" in hand.text


def test_the_rake_that_was_taken_comes_along() -> None:
    """A small part of a pot was capped; a twentieth, rounded down, was not. A rule comes first."""
    capped = hand_spots.hand_spot(_record(HEADS_UP))
    assert (capped.spot.rake, capped.spot.rake_cap) == (0.05, 50)
    assert (
        "# rake: 50 of this hand's 2,300 chips were taken, which counts as the cap" in capped.text
    )
    for rake, share in (("1.15", 0.05), ("1.05", 0.0457)):
        won = f"{23 - float(rake):g}"
        text = HEADS_UP.replace("Rake $0.50", f"Rake ${rake}").replace("$22.50", f"${won}")
        spot = hand_spots.hand_spot(_record(text)).spot
        assert spot.rake == pytest.approx(share), rake
        assert np.isinf(spot.rake_cap)
    free = HEADS_UP.replace("Rake $0.50", "Rake $0").replace("$22.50", "$23")
    assert hand_spots.hand_spot(_record(free)).spot.rake == 0
    record = _record(free)
    stated = replace(record, rules=replace(record.rules, rake=parse_rake("3%,cap=40")))
    hand = hand_spots.hand_spot(stated)
    assert (hand.spot.rake, hand.spot.rake_cap, "# rake" in hand.text) == (0.03, 40, False)


def test_other_stacks_than_those_of_the_ranges_are_said() -> None:
    assert "made for" not in hand_spots.hand_spot(_record(HEADS_UP)).text
    short = HEADS_UP.replace("$100 in", "$20 in")
    text = hand_spots.hand_spot(_record(short)).text
    assert text.count("; made for 100 big blinds, and here are 20") == 2
    of_forty = hand_spots.hand_spot(_record(HAND)).text
    assert of_forty.count("; made for 100 big blinds, and here are 40") == 2


def test_an_early_seat_at_a_full_table_has_a_later_seats_range_and_says_so() -> None:
    before, _, after = HAND.partition("*** FLOP ***")
    before = before.replace("'x' 6-max Seat #6", "'x' 9-max Seat #7")
    before = before.replace("Ann: posts", "Seat 7: Gil (10000 in chips)\nAnn: posts")
    before, _, _ = before.partition("Cid: folds")
    folds = "".join(f"{name}: folds\n" for name in ("Dan", "Eve", "Fay", "Gil", "Ann"))
    opened = f"Cid: raises 150 to 250\n{folds}Bob: calls 150\n"
    text = f"{before}{opened}*** FLOP ***{after.replace('Fay', 'Cid')}"
    source = hand_spots.hand_spot(_record(text)).text.splitlines()[2]
    assert source.startswith("# ip: early raises first: as ip in preset lj-bb")
    assert "made for a later seat, which plays more hands" in source


def test_a_later_street_narrows_the_ranges() -> None:
    """Who raises on the flop has more of a set than of a hand that missed."""
    first = hand_spots.hand_spot(_record(HAND)).spot
    hand = hand_spots.hand_spot(_record(HAND), street="turn")
    assert (hand.spot.pot, hand.spot.stack) == (1950, 3050)
    assert hand.line == "check all-in 3050 call"
    better, worse = parse_holding("JdJc"), parse_holding("9d8d")
    before, after = (one.ranges[1].weights for one in (first, hand.spot))
    assert after[better] / after[worse] > 1.5 * before[better] / before[worse]
    assert "narrowed by the betting after the flop" in hand.text
    steps = np.unique(Range.parse(hand.text.split("ip = ")[1].splitlines()[0]).weights) / 0.05
    assert steps == pytest.approx(np.round(steps), abs=1e-6)
    assert not re.search(r":0\.\d{3}", hand.text), "two digits say a twentieth"


def test_every_decision_has_values_in_the_solution() -> None:
    hand = hand_spots.hand_spot(_record(HAND), street="turn")
    solution = solve_spot(hand.spot, gap_percent=5, threads=1)
    for decision in hand.decisions:
        node = solution.node(decision.line)
        assert node.player == decision.player
        assert decision.action in map(str, node.actions)
        assert np.isfinite(node.action_values[:, parse_holding(decision.holding)]).all()


@pytest.mark.parametrize(
    ("street", "refused"),
    [("river", "allowed for this hand: flop, turn"), ("preflop", "allowed: flop, turn, river")],
)
def test_streets_that_are_no_spot_are_refused(street: str, refused: str) -> None:
    with pytest.raises(BadInput, match=refused):
        hand_spots.hand_spot(_record(HAND), street=street)


def test_hands_that_are_no_spot_are_refused() -> None:
    folded = HAND.split("Bob: calls 150")[0] + (
        "Bob: folds\nUncalled bet (150) returned to Fay\nFay collected 250 from pot\n"
        "*** SUMMARY ***\nTotal pot 250 | Rake 0\n"
    )
    assert hand_spots.streets_of(_record(folded)) == ()
    with pytest.raises(BadInput, match="no street on which two players are left"):
        hand_spots.hand_spot(_record(folded))


@pytest.mark.slow
def test_every_hand_of_two_players_becomes_a_spot(shared_data: Path) -> None:
    """The first 1,000 of Pluribus's hands that two see, each from the last street that can be."""
    count = 0
    for record in histories.read(shared_data / "pluribus" / "pluribus_10000.phhs.gz"):
        assert isinstance(record, histories.HandRecord)
        streets = hand_spots.streets_of(record)
        if not streets:
            continue
        hand = hand_spots.hand_spot(record, street=streets[-1])
        assert hand.spot.pairs() > 0
        first = len(record.actions) - len(hand.decisions)
        assert first > 0
        count += 1
        if count == 1_000:
            break
    assert count == 1_000
