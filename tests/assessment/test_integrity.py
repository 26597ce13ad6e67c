"""Is the log whole: luck that must have mean zero, numbers, the button, the order of results."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from railbird.assessment import assess, assess_table
from railbird.assessment.any_table import TableAssessment
from railbird.assessment.divat.any_game import NO_LIMIT
from railbird.assessment.integrity import (
    Integrity,
    LogOrder,
    LogSigns,
    LuckCheck,
    luck_check,
    order_z,
)
from railbird.errors import NothingUsable
from railbird.game import Fold, no_limit_holdem
from railbird.histories import HandRecord, SeenHands, Source, read_hand
from railbird.histories.columns import HandBatch, batch_of
from railbird.report.headline import headline
from railbird.units import Chips
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies

EVENTS = ("deal", "flop", "turn", "river")


def of_mean(mean: float, hands: int = 10_000, seed: int = 1) -> LuckCheck:
    rng = np.random.default_rng(seed)
    luck = {name: rng.standard_t(5, hands) for name in EVENTS}
    luck["turn"] += mean
    return luck_check(pl.DataFrame(luck))


def test_luck_without_mean_passes_and_other_luck_is_named() -> None:
    fair = of_mean(0.0)
    assert fair.failing() is None
    assert [*fair.z] == ["total", *EVENTS]
    assert of_mean(0.1).failing() == "total"
    check = of_mean(-0.055)
    assert check.failing() == "turn"
    found = Integrity(luck={"Ann": check})
    assert found.withheld("Ann") == (
        f"the turns were {-100 * check.means['turn']:.1f} bb/100 too unkind to Ann"
        ", more than chance explains: hands may be missing or doubled"
    )
    z = f"z = \N{MINUS SIGN}{-check.z['turn']:.1f}"
    assert found.figure("Ann") == f"Check for missing hands: {z} for Ann."
    assert found.words("Ann") == ""
    assert found.as_json()["verdict_withheld"] == found.withheld()


def test_many_players_have_wider_bounds() -> None:
    check = LuckCheck(means={"total": 0.1}, z={"total": 3.2})
    three = dict.fromkeys(("Ann", "Bob", "Cy"), check)
    assert Integrity(luck=three).withheld() is None
    assert Integrity(luck=three).withheld("Bob") is not None
    unknown = LuckCheck(means={"total": 0.1}, z={"total": math.nan})
    assert Integrity(luck={"Ann": check, "Bob": unknown, "Cy": unknown}).withheld() is not None


def test_a_deal_played_twice_is_one_value() -> None:
    luck = pl.DataFrame({name: np.random.default_rng(2).normal(0.02, 1, 4_000) for name in EVENTS})
    alone, deal = luck_check(luck), np.repeat(np.arange(4_000), 2)
    twice = luck_check(pl.concat([luck, luck]), np.tile(np.arange(4_000), 2))
    assert twice.z == pytest.approx(alone.z)
    assert luck_check(pl.concat([luck, luck])).z["total"] > 1.3 * alone.z["total"]
    assert len(deal) == 2 * luck.height


def test_luck_that_is_always_the_same_is_no_sign_of_missing_hands() -> None:
    """A third added up differs by rounding alone, of which no deviation is made."""
    alike = np.full(40, 1 / 3)
    alike[::2] += 1e-16
    checked = luck_check(pl.DataFrame({"flop": alike, "turn": np.zeros(40)}))
    assert all(math.isnan(z) for z in checked.z.values()), checked.z


def test_sorted_results_are_no_order_of_play() -> None:
    money = np.random.default_rng(3).standard_t(3, 1_000) * 5
    assert abs(order_z(money)) < 3.3
    assert order_z(np.sort(money)) > 16
    assert math.isnan(order_z(money[:5]))


def hands(numbers: list[int], table: str = "Halley") -> list[HandRecord]:
    """Hands of two players who change seats with every number."""
    texts = ("Ts6s,Jd5d SlF # 1:Ann|Bob", "Ts6s,Jd5d SlF # 1:Bob|Ann")
    both = [read_hand(text) for text in texts]
    return [replace(both[number % 2], number=number, table=table) for number in numbers]


def test_gaps_and_jumps_are_counted_where_numbers_run_one_by_one() -> None:
    log = LogOrder()
    some = [number for number in range(40) if number not in (7, 20, 21, 33)]
    log.take(batch_of(hands(some[::-1])))
    log.take(batch_of(hands([*range(100, 115)], "Encke")))
    assert (log.gaps(), log.button_jumps()) == (3, 2)
    site = LogOrder()
    site.take(batch_of(hands([2 * number * number for number in range(40)])))
    assert (site.gaps(), site.button_jumps()) == (None, None)
    assert LogOrder().gaps() is None


def ring(numbers: list[int], seats: int = 3, **changed: object) -> list[HandRecord]:
    """Hands of ``seats`` players, among whom the button moves by one seat with every number."""
    rules = no_limit_holdem(seats, stack=200, blinds=(1, 2))
    folded = HandRecord(
        rules=rules,
        players=("",) * seats,
        holes=(None,) * seats,
        board=(),
        actions=(Fold(),) * (seats - 1),
        payoffs=(Fraction(-1), Fraction(1), *(Fraction(0),) * (seats - 2)),
    )
    people = ("Ann", "Bob", "Cy", "Di", "Ed", "Flo")[:seats]
    return [
        replace(
            folded,
            number=number,
            players=tuple(people[(number + seat) % seats] for seat in range(seats)),
            **changed,  # type: ignore[arg-type]
        )
        for number in numbers
    ]


def sample(records: list[HandRecord], skipped: int = 0) -> Integrity:
    log = LogOrder()
    log.take(batch_of(records))
    reasons = {"cut off": skipped}
    return Integrity.judged(
        LogSigns.of(SeenHands(), log), unit="bb", luck={}, money={}, skipped=reasons
    )


def without(every: int, hands: int = 400) -> list[int]:
    return [number for number in range(hands) if number % every != every - 1]


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_hands_cut_out_of_consecutive_numbers_leave_no_verdict(seats: int) -> None:
    found = sample(ring(without(67), seats))
    assert found.gaps == found.button_jumps == 5
    assert found.withheld("Ann") == (
        "the hand numbers have 5 gaps and the button jumped 5 times among the same players: "
        "hands are missing"
    )
    assert found.words("Ann") == ""
    assert found.as_json()["verdict_withheld"] == found.withheld()
    # One hand in two hundred, and three of them at least.
    assert sample(ring(without(300, 1200), seats)).withheld() is None
    assert sample(ring(without(30, 70), seats)).withheld() is None


def test_the_button_tells_of_missing_hands_where_numbers_do_not() -> None:
    site = [replace(hand, number=7 * n * n + 1) for n, hand in enumerate(ring(without(67)))]
    assert (found := sample(site)).gaps is None
    assert found.withheld() == (
        "the button jumped 5 times among the same players: hands are missing"
    )
    unnumbered = [replace(hand, number=None) for hand in ring(without(67))]
    assert sample(unnumbered).withheld() == found.withheld()


def test_a_copy_missing_from_a_duplicate_match_is_a_missing_hand() -> None:
    twice = [hand for hand in ring([*range(200)], 2) for _ in range(2)]
    assert sample(twice).withheld() is None
    assert sample(twice[:-1]).withheld() is None
    assert sample([hand for n, hand in enumerate(twice) if n % 60 != 7]).gaps == 7
    assert sample([hand for n, hand in enumerate(twice) if n % 60 != 7]).withheld() is not None


def test_what_whole_logs_have_is_no_missing_hand() -> None:
    """The end of a log, a pause, the next file, hands left out by the reader, a seat left."""
    whole = ring([*range(400)], 6)
    assert sample(whole[50:350]).withheld() is None
    assert sample(whole[::-1]).withheld() is None
    matches = [hand for _ in range(5) for hand in ring([*range(80)], 6)]
    assert (sample(matches).gaps, sample(matches).withheld()) == (0, None)
    cut = ring(without(67), 6)
    assert sample(cut).withheld() is not None
    assert sample(cut, skipped=5).withheld() is None
    paused = [
        replace(hand, played_at=datetime(2026, 1, 1 + (hand.number or 0) // 67)) for hand in cut
    ]
    assert sample(paused).withheld() is None
    filed = [
        replace(hand, source=Source(file=f"{(hand.number or 0) // 67}.txt", line=1)) for hand in cut
    ]
    assert sample(filed).withheld() is None
    alone = [replace(hand, source=Source(file=f"{hand.number}.txt", line=1)) for hand in cut]
    assert sample(alone).withheld() is not None


def test_hands_sat_out_are_no_missing_hands() -> None:
    """Who comes back waits for the big blind, or posts."""
    back = [n for n in range(400) if n % 66 not in (60, 61, 62)]
    waited = ring(back, 3)
    assert sample(waited).gaps == 6
    assert {hand.players[1] for hand in waited if (hand.number or 0) % 66 == 63} == {"Bob"}
    assert sample(waited).withheld() is None
    rules = no_limit_holdem(6, stack=200, blinds=(1, 2))
    posting = replace(rules, antes=tuple(map(Chips, (0, 0, 0, 2, 0, 0))))
    cut = ring(without(67), 6)
    posted = [
        replace(hand, rules=posting) if (hand.number or 0) % 67 == 0 else hand for hand in cut
    ]
    assert sample(posted).withheld() is None


@pytest.fixture(scope="module")
def played() -> HandBatch:
    rules = no_limit_holdem(2, stack=20_000, blinds=(50, 100))
    players = [PolicyPlayer(name=name, policy=NO_LIMIT, deviation=0.2) for name in ("Ann", "Bob")]
    return play_policies(rules, players, hands=1_000, seed=4)


@pytest.mark.slow
def test_a_log_without_its_worst_hands_has_no_verdict(played: HandBatch) -> None:
    whole = assess_table([played], boards=4)
    assert whole.withheld("Ann") is None
    assert "No sign of missing hands" in headline(whole, "Ann")
    assert told(whole)["verdict_withheld"] is None
    won = played.chips[played.player == played.names.index("Ann")]
    cut = assess_table([played.rows(np.sort(np.argsort(won)[50:]))], boards=4)
    for player, kind in (("Ann", "kind to Ann"), ("Bob", "unkind to Bob")):
        assert headline(cut, player).startswith("No verdict: ")
        assert f"too {kind}" in headline(cut, player)
    assert cut.as_json()["evidence"]["verdict_by"] is None
    assert "too " in str(told(cut)["verdict_withheld"])
    assert cut.course() == {}


def told(found: TableAssessment) -> dict[str, object]:
    integrity = found.as_json()["integrity"]
    assert isinstance(integrity, dict)
    return integrity


def test_one_players_log_is_checked_by_its_own_cards(played: HandBatch) -> None:
    mine = played.player == played.names.index("Ann")
    own = replace(played, holding=np.where(mine, played.holding, -1).astype(np.int16))
    found = assess_table([own], boards=4)
    assert found.hero == "Ann"
    assert [*found.integrity.luck] == ["Ann"]
    assert found.integrity.luck["Ann"].z.keys() == {"total", *EVENTS, "all_in"}
    assert found.withheld() is None


@pytest.mark.slow
def test_views_of_both_sides_are_the_whole_log(played: HandBatch) -> None:
    views = []
    for name in ("Ann", "Bob"):
        mine = played.player == played.names.index(name)
        views.append(replace(played, holding=np.where(mine, played.holding, -1).astype(np.int16)))
    both, whole = (assess_table(given, boards=4).as_json() for given in (views, [played]))
    assert both["players"] == whole["players"]
    assert both["skipped"] == {}
    integrity = both["integrity"]
    assert isinstance(integrity, dict)
    assert integrity["duplicates_merged"] == 1_000


@pytest.mark.slow
def test_sorted_hands_have_no_course_and_no_forward_estimate() -> None:
    texts = ("Ts6s,Jd5d SlF # 1:Ann|Bob", "Ts6s,Jd5d SlF # 1:Bob|Ann")
    records = [replace(read_hand(texts[n >= 600]), number=n) for n in range(1_200)]
    found = assess(records)
    assert not found.integrity.ordered
    assert found.course() == {}
    assert "not in the order of play" in found.integrity.words()
    with pytest.raises(NothingUsable, match="sorted by results"):
        assess(records, forward=True)


def test_a_contradiction_withholds_the_verdict(tmp_path: Path) -> None:
    lines = ["Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC", "Ts6c,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"]
    for name, line in zip(("mine", "theirs"), lines, strict=True):
        (tmp_path / f"{name}.txt").write_text(f"{line} # 7:Ann|Bob\n", encoding="utf-8")
    found = assess([tmp_path / "mine.txt", tmp_path / "theirs.txt"])
    assert found.hands == 1
    why = found.withheld()
    assert why is not None
    assert "theirs.txt line 1 contradicts " in why
    assert "mine.txt line 1: " in why
    assert found.as_json()["integrity"]["contradictions"] == 1
