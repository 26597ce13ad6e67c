"""Statistics by stake, session, month and hand; people under one name; style; real hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from railbird.assessment.player_statistics.sessions import hourly_rates
from railbird.assessment.player_statistics.statistic_names import Position, Statistic
from railbird.assessment.player_statistics.statistics import (
    By,
    Filter,
    chosen_rows,
    divided,
    rows_of,
)
from railbird.assessment.player_statistics.style import styles_of
from railbird.errors import BadInput, NothingUsable
from railbird.histories import HandRecord, read_columns, read_hand
from railbird.histories.columns import HandBatch, batch_of

SIX = "holdem.nolimit.6p.game,stack=10000"
NAMES = "sb|bb|utg|mp|co|btn"
CARDS = "2c2d|3c3d|4c4d|5c5d|6c6d|AsKs"
NOON = datetime(2020, 2, 29, 12, 0)
STEAL = "fffr300ff", "-50|-100|0|0|0|150"
WALK = "fffff", "-50|50|0|0|0|0"


def hand(betting: str, payoffs: str, *, minute: int = 0, **changes: object) -> HandRecord:
    text = f"STATE:1:{betting}:{CARDS}:{payoffs}:{NAMES}"
    record = read_hand(text, game=SIX)
    return replace(record, played_at=NOON + timedelta(minutes=minute), **changes)  # type: ignore[arg-type]


def rows(records: Sequence[HandRecord]) -> pl.DataFrame:
    return rows_of([batch_of(records)])


def test_a_pause_of_an_hour_begins_a_session_for_the_player_alone() -> None:
    played = rows([hand(*WALK, minute=minute) for minute in (0, 40, 95, 160, 161)])
    found = divided(played, By.SESSION)["bb"]
    assert {key: of.hands for key, of in found.items()} == {
        "2020-02-29 12:00": 3,
        "2020-02-29 14:40": 2,
    }
    rate = hourly_rates(played)["bb"]
    assert rate.sessions == 2
    assert rate.hours == pytest.approx((95 + 1) / 60)
    assert rate.bb.value == pytest.approx(5 * 0.5 / (96 / 60))


def test_money_is_never_added_up_over_stakes_or_currencies() -> None:
    dollars = [
        hand(*STEAL, denomination=Fraction(1, 100), currency="$"),
        hand(*WALK, minute=5, denomination=Fraction(1, 100), currency="$"),
    ]
    euros = hand(*STEAL, minute=9, denomination=Fraction(1, 100), currency="€")
    dear = hand(*STEAL, minute=9, denomination=Fraction(1, 10), currency="$")
    played = rows([*dollars, euros, dear])
    whole = divided(played, None)["btn"][""]
    assert whole.money == {}
    assert whole.winnings["bb_per_100"].value == pytest.approx(100 * 3 * 1.5 / 4)
    by_stake = divided(played, By.STAKE)["btn"]
    assert {key: of.money for key, of in by_stake.items()} == {
        "$0.50/$1 no-limit": {"$": pytest.approx(1.5)},
        "$5/$10 no-limit": {"$": pytest.approx(15)},
        "€0.50/€1 no-limit": {"€": pytest.approx(1.5)},
    }
    assert set(hourly_rates(played)["btn"].money) == {"$0.50/$1 no-limit"}


def test_other_names_dates_stakes_and_positions() -> None:
    played = rows([hand(*STEAL), hand(*WALK, minute=2000)])
    one = chosen_rows(played, Filter(same={"btn": "co"}, players=("co",)))
    assert one.height == 4
    assert divided(one, None)["co"][""].hands == 4
    assert chosen_rows(played, Filter(since="2020-03-01")).height == 6
    assert chosen_rows(played, Filter(until="2020-02-29")).height == 6
    assert chosen_rows(played, Filter(positions=(Position.BUTTON,)))["player"].to_list() == [
        "btn",
        "btn",
    ]
    assert chosen_rows(played, Filter(stakes=("50/100 no-limit",))).height == 12
    with pytest.raises(BadInput, match="'yesterday' is no date"):
        chosen_rows(played, Filter(since="yesterday"))


def test_months_and_own_hands() -> None:
    played = rows([hand(*STEAL), hand(*WALK, minute=2000)])
    assert list(divided(played, By.MONTH)["btn"]) == ["2020-02", "2020-03"]
    own = divided(played, By.HAND)["btn"]
    assert list(own) == ["AKs"]
    assert own["AKs"].shares[Statistic.VPIP].value == 0.5
    timeless = rows([replace(hand(*STEAL), played_at=None)])
    with pytest.raises(NothingUsable, match="no hand has a time"):
        divided(timeless, By.SESSION)


def test_all_ins_count_by_their_mean() -> None:
    text = "STATE:1:r10000fffcf///:{}/2h3h4d/9c/Td:10100|-100|-10000|0|0|0:" + NAMES
    cards = "AsAd|7c2d|KsKd|5c5d|6c6d|8c8d"
    record = read_hand(text.format(cards), game=SIX)
    found = divided(rows([record]), None)
    won, by_mean = (
        found["sb"][""].winnings[key].value for key in ("bb_per_100", "allin_bb_per_100")
    )
    assert won == 10_100
    assert 5_500 < by_mean < 7_500  # aces against kings win four times in five
    assert found["sb"][""].unknown_all_ins == 0
    hidden = replace(record, holes=(record.holes[0], *[None] * 5))
    unknown = divided(rows([hidden]), None)["sb"][""]
    assert unknown.unknown_all_ins == 1
    assert unknown.winnings["allin_bb_per_100"].value == won


def test_style_is_told_beside_the_others() -> None:
    raised = [hand(*STEAL, minute=minute) for minute in range(60)]
    found = styles_of(rows(raised))
    assert found["btn"].tightness is not None
    assert found["btn"].words == "loose"
    assert found["utg"].words == "tight"
    assert found["btn"].aggressiveness is None
    few = styles_of(rows(raised[:10]))
    assert few["btn"].words == ""


def test_ten_real_hands_as_counted_by_hand(shared_data: Path) -> None:
    """Counted from the text: jimmyhoo called three times and raised once before the flop, saw four
    flops, showed once and won; 22.98 + 282 - 5 + 92 + 37.08 dollars; 1:11:20 to 1:53:51."""
    file = shared_data / "sites" / "pokerstars" / "10MultipleHands.txt"
    batches = [each for each in read_columns(str(file)) if isinstance(each, HandBatch | HandRecord)]
    played = rows([each for each in batches if isinstance(each, HandRecord)])
    of = divided(played, None)["jimmyhoo"][""]
    assert of.hands == 10
    assert of.money == {"$": pytest.approx(429.06)}
    counts = {each: (share.value, share.n) for each, share in of.shares.items() if share.n}
    assert counts[Statistic.VPIP] == (0.4, 10)
    assert counts[Statistic.PFR] == (0.1, 10)
    assert counts[Statistic.WTSD] == (0.25, 4)
    assert counts[Statistic.WSD] == (1.0, 1)
    assert counts[Statistic.WWSF] == (1.0, 4)
    assert list(divided(played, By.STAKE)["jimmyhoo"]) == ["$5/$10 no-limit"]
    rate = hourly_rates(played)["jimmyhoo"]
    assert rate.sessions == 1
    assert rate.hours * 3600 == pytest.approx(42 * 60 + 31)
    assert rate.money["$5/$10 no-limit"].value == pytest.approx(429.06 / rate.hours)
