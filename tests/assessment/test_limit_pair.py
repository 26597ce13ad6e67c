"""Whole matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from helpers.random_records import random_hand
from railbird.assessment import (
    ROUNDS,
    Contest,
    MatchAssessment,
    Scorer,
    Unscorable,
    assess,
    estimators_of,
    limit_pair,
    open_scorer,
    score_hand,
    why_unscorable,
)
from railbird.assessment.limit_layout import why_unscorable_by_row
from railbird.baseline import SETTINGS, STANDARD
from railbird.errors import BadInput, NothingUsable
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, Call, Fold, Raise, limit_holdem
from railbird.histories import (
    HandRecord,
    Skipped,
    SkipReason,
    Source,
    one_line,
    read,
    read_columns,
    read_hand,
    write,
)
from railbird.histories.columns import batch_of, records_of
from railbird.units import Chips

PLAYERS = ("Ann", "Bob")


def _match(n: int, seed: int = 1) -> list[HandRecord]:
    rng = np.random.default_rng(seed)
    return [
        replace(
            random_hand(rng, players=PLAYERS if i % 2 else PLAYERS[::-1], number=i),
            source=Source("match.log", i + 4),
        )
        for i in range(n)
    ]


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    return _match(200)


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(STANDARD)


@pytest.fixture(scope="module")
def assessment(records: list[HandRecord]) -> MatchAssessment:
    return assess(records, player="Ann")


def test_rows_are_the_hands_in_order(
    records: list[HandRecord], assessment: MatchAssessment
) -> None:
    scores = assessment.scores
    assert assessment.players == PLAYERS
    assert scores["number"].to_list() == list(range(200))
    assert scores["line"].to_list() == list(range(4, 204))
    assert assessment.form.sources == ("match.log",)
    assert scores["file"].unique().to_list() == [0]
    lines = [one_line(record) for record in records]
    assert assessment.to_polars()["text"].to_list() == lines
    assert list(records_of(assessment.played.rows(range(200)))) == records
    assert scores["seat"].to_list() == [1, 0] * 100
    assert sum(assessment.form.kinds.values()) == assessment.hands == 200


@pytest.mark.slow
def test_scores_are_those_of_single_hands(
    records: list[HandRecord], assessment: MatchAssessment, scorer: Scorer
) -> None:
    for record, row in list(zip(records, assessment.scores.iter_rows(named=True), strict=True))[
        :20
    ]:
        score = score_hand(record)
        side = 1 if record.players[0] == "Ann" else -1
        assert row["money"] == side * score.money
        assert row["divat"] == pytest.approx(side * score.divat, abs=1e-12)
        assert row["dcash"] == side * score.dcash
        assert row["position"] == side * score.position
        streets = {r.street.name.lower(): r for r in score.rounds}
        for name in ROUNDS:
            difference = streets[name].roe.difference if name in streets else 0.0
            luck = streets[name].luck if name in streets else 0.0
            assert row[f"divat_{name}"] == pytest.approx(side * difference, abs=1e-12)
            assert row[f"luck_{name}"] == pytest.approx(side * luck, abs=1e-12)
        errors = [0.0, 0.0]
        for decision in (d for r in score.rounds for d in r.decisions):
            errors[decision.player] += decision.evat
        assert row["evat"] == pytest.approx(side * (errors[0] - errors[1]), abs=1e-12)
        assert row["lfat"] == pytest.approx(side * sum(r.lfat for r in score.rounds), abs=1e-12)
        assert row["aie"] == pytest.approx(
            side * sum(r.aie.difference for r in score.rounds), abs=1e-12
        )


def test_credit_goes_to_whoever_left_the_baseline_first(
    records: list[HandRecord], assessment: MatchAssessment, scorer: Scorer
) -> None:
    rows = assessment.scores.head(40).iter_rows(named=True)
    for record, row in zip(records[:40], rows, strict=True):
        ann = record.players.index("Ann")
        credit = 0.0
        for round_ in score_hand(record, scorer=scorer).rounds:
            first = next((d for d in round_.decisions if d.action != d.baseline), None)
            if first is not None and first.player == ann:
                credit += round_.roe.difference * (-1 if ann else 1)
        assert row["redgreen"] == pytest.approx(credit, abs=1e-12)


def test_estimates_sum_the_scores_up(assessment: MatchAssessment) -> None:
    ann, bob = (assessment.estimates[name] for name in PLAYERS)
    assert ann.keys() == {one.name for one in estimators_of(Contest.MATCH)}
    divat = assessment.scores["divat"].to_numpy()
    assert ann["divat"].value == pytest.approx(divat.mean())
    assert ann["divat"].stderr == pytest.approx(divat.std(ddof=1) / np.sqrt(200))
    assert bob["divat"].value == -ann["divat"].value
    assert ann["redgreen"].value - bob["redgreen"].value == pytest.approx(ann["divat"].value)
    assert assessment.form.sd["Ann"]["money"] == pytest.approx(assessment.scores["money"].std())
    reduction = assessment.variance_reduction["Ann"]
    assert reduction["divat"] == pytest.approx(
        (assessment.form.sd["Ann"]["money"] / assessment.form.sd["Ann"]["divat"]) ** 2
    )
    by_round = assessment.form.rounds["Bob"]
    assert sum(e.value for e in by_round.values()) == pytest.approx(bob["divat"].value)


def test_chunks_and_threads_change_nothing(
    records: list[HandRecord], assessment: MatchAssessment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limit_pair, "CHUNK", 17)
    again = assess(iter(records), player="Ann", threads=3)
    assert again.scores.equals(assessment.scores)
    assert again.estimates == assessment.estimates


def test_columns_are_scored_as_records_are(tmp_path: Path) -> None:
    """A log with everything that a log can have, read compiled and as records."""
    hands = _match(60)
    no_limit = replace(
        read_hand(
            "STATE:7:cr300c/r900f:AsAd|KcQc/2h3h4h:300|-300:Ann|Bob",
            game="holdem.nolimit.2p.reverse_blinds.game",
        ),
        number=999,
    )
    log = tmp_path / "match.log"
    write([*hands, hands[3], replace(hands[5], players=("Ann", "Cid")), no_limit], log)
    with log.open("a") as stream:
        stream.write("STATE:61:cc/kk\n")
    by_columns, by_records = (assess(each(log), player="Bob") for each in (read_columns, read))
    assert by_columns.hands == 60
    assert by_columns.scores.equals(by_records.scores)
    assert by_columns.form.spots.equals(by_records.form.spots)
    assert by_columns.estimates == by_records.estimates
    assert by_columns.skipped == by_records.skipped
    assert by_columns.skipped == {
        reason.value: 1 for reason in (SkipReason.CUT, Unscorable.PLAYERS, Unscorable.BETTING)
    }
    assert by_columns.integrity.merged == by_records.integrity.merged == 1


def test_uncapped_betting_of_columns_has_the_same_bounds() -> None:
    """How deep a hand went decides where the rules do not bound it."""
    hand = read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC")
    raises = tuple(Raise(Chips(20 + 10 * i)) for i in range(330))
    no_cap, short = limit_holdem(max_raises=None), limit_holdem(stack=1000, max_raises=None)
    later = (Call(),) * 6
    hands = [
        replace(hand, rules=no_cap, actions=(*raises, Call(), *later)),
        replace(hand, rules=no_cap, actions=(*raises[:3], Call(), *later)),
        replace(hand, rules=short, actions=(*raises[:3], Call(), *later)),
        replace(hand, rules=short, actions=(*raises[:60], Call(), *later)),
    ]
    found = why_unscorable_by_row(batch_of(hands)).tolist()
    assert found == [why_unscorable(hand) for hand in hands]
    assert found == [None, None, None, Unscorable.STACKS]


def test_no_hands_at_all_are_refused() -> None:
    with pytest.raises(NothingUsable, match="no hand could be assessed: the input has none"):
        assess([])


def test_what_is_not_scored_is_counted(records: list[HandRecord]) -> None:
    hand = records[0]
    foreign = replace(hand, players=("Ann", "Cid"))
    no_limit = replace(hand, rules=HEADS_UP_NO_LIMIT)
    cut = Skipped(SkipReason.CUT, 7, "the line ends early")
    result = assess([hand, cut, foreign, no_limit, records[1], cut])
    assert result.hands == 2
    assert result.skipped == {"cut off": 2, "hands of other players": 1, "not limit betting": 1}


def test_hands_with_unknown_cards_count_their_money(records: list[HandRecord]) -> None:
    known, folded = records[2], next(r for r in records if r.actions[-1] == Fold())
    hidden = replace(folded, holes=(folded.holes[0], None))
    result = assess([known, hidden], player="Ann")
    assert result.form.kinds["unknown cards"] == result.hidden == 1
    assert result.as_json()["evidence"] == {
        "all_cards": 1,
        "own_cards": 1,
        "verdict_by": "money",
        "reason": "some cards of 1 of 2 hands are not known",
    }
    assert result.variance_reduction == {"Ann": {}, "Bob": {}}
    row = result.scores.row(1, named=True)
    assert row["divat"] == row["fitted"] == row["money"]
    for name in ("divat_flop", "luck_preflop", "position", "aie", "dcash", "redgreen", "evat"):
        assert row[name] is None
    assert result.estimates["Ann"]["divat"].n == 2
    assert result.estimates["Ann"]["aie"].n == 1


def test_cards_may_be_hidden_by_the_ending_but_for_those_of_a_winner(
    records: list[HandRecord],
) -> None:
    shown = next(r for r in records if r.actions[-1] != Fold() and any(r.payoffs))
    winner, loser = (0, 1) if shown.payoffs[0] > 0 else (1, 0)

    def without(*seats: int) -> HandRecord:
        holes = tuple(None if seat in seats else hole for seat, hole in enumerate(shown.holes))
        return replace(shown, holes=holes)

    for seats, kind in (((loser,), "unknown cards"), ((winner,), "masked cards")):
        result = assess([without(*seats)])
        assert result.form.kinds[kind] == 1
        assert result.hidden == (kind == "unknown cards")
    assert assess([without(0, 1)]).form.kinds["masked cards"] == 1


def test_a_hand_given_twice_counts_once(
    records: list[HandRecord], assessment: MatchAssessment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same file under another name, its lines elsewhere, in the same chunk or a later one."""
    copies = [replace(r, source=Source("copy.log", r.source.line + 7)) for r in records if r.source]
    for chunk in (16_384, 64):
        monkeypatch.setattr(limit_pair, "CHUNK", chunk)
        twice = assess([*records, *copies], player="Ann")
        assert twice.scores.equals(assessment.scores)
        spot = ("player", "street", "facing", "class", "action")
        assert_frame_equal(twice.form.spots.sort(spot), assessment.form.spots.sort(spot))
        assert (twice.skipped, twice.integrity.merged) == ({}, 200)


def test_what_only_looks_alike_is_not_given_twice(records: list[HandRecord]) -> None:
    hand = records[0]
    assert hand.source is not None
    exchanged = replace(hand, players=hand.players[::-1])
    elsewhere = replace(hand, number=1_000)
    unnumbered = [replace(hand, number=None, source=Source("a.log", n)) for n in (1, 2)]
    for others in ([exchanged], [elsewhere], unnumbered):
        assert assess([hand, *others]).integrity.merged == 0
    again = replace(unnumbered[1], source=Source("b.log", 2))
    assert assess([*unnumbered, again]).integrity.merged == 1
    folds = replace(hand, actions=(*hand.actions[:-1], Fold()))
    calls = replace(hand, actions=(*hand.actions[:-1], Call()))
    assert assess([folds, calls]).integrity.merged == 0


@pytest.mark.slow
def test_smoothing_is_the_mean_over_settings(records: list[HandRecord]) -> None:
    some = records[:30]
    settings = (STANDARD, SETTINGS["tight-high"])
    alone = [assess(some, settings=one, player="Ann") for one in settings]
    both = assess(some, settings=settings, player="Ann")
    assert both.settings == settings
    for name in ("divat", "dcash", "luck_flop", "redgreen"):
        mean = (alone[0].scores[name] + alone[1].scores[name]) / 2
        assert both.scores[name].to_list() == pytest.approx(mean.to_list(), abs=1e-12)
    assert both.scores["money"].equals(alone[0].scores["money"])
    mean_position = (alone[0].form.position.value + alone[1].form.position.value) / 2
    assert both.form.position.value == pytest.approx(mean_position)


def test_pairs_are_the_same_deal_with_the_seats_exchanged(records: list[HandRecord]) -> None:
    a, b, c = records[:3]
    turned = [replace(r, players=r.players[::-1]) for r in (a, b)]
    other_deal = replace(records[3], number=b.number)
    found = assess([a, b, c, *turned, other_deal])
    assert found.scores["pair"].to_list() == [0, 1, None, 0, 1, None]
    money = found.scores["money"].to_list()
    one, other = (money[0] + money[3]) / 2, (money[1] + money[4]) / 2
    for player, sign in zip(found.players, (1, -1), strict=True):
        mean = found.form.pairs[player]["money"]
        assert mean.n == 2
        assert mean.value == pytest.approx(sign * (one + other) / 2)
        assert mean.stderr == pytest.approx(abs(one - other) / 2)
        red = found.form.pairs[player]["redgreen"]
        assert red.n == 2
    difference = (
        found.form.pairs["Ann"]["redgreen"].value - found.form.pairs["Bob"]["redgreen"].value
    )
    assert abs(difference) == pytest.approx(abs(found.form.pairs["Ann"]["divat"].value))


def test_no_pairs_no_estimates_of_them(assessment: MatchAssessment) -> None:
    assert assessment.form.pairs == {}


def test_lines_that_are_no_hands_make_an_empty_assessment() -> None:
    result = assess([Skipped(SkipReason.CUT, 7, "the line ends early")])
    assert (result.hands, result.skipped) == (0, {"cut off": 1})
    assert result.scores.schema["money"] == pl.Float64
    assert set(result.form.kinds.values()) == {0}
    assert result.as_json()["evidence"]["verdict_by"] is None


def test_a_player_who_is_not_there_is_refused(records: list[HandRecord]) -> None:
    with pytest.raises(BadInput, match="no player 'Eve' in this log; players: Ann, Bob"):
        assess(records[:3], player="Eve")


def test_records_are_taken_as_they_come(
    records: list[HandRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than a few chunks are read ahead: a log may be longer than the memory."""
    monkeypatch.setattr(limit_pair, "CHUNK", 5)
    taken = 0
    ahead: list[int] = []

    def endless() -> Iterator[HandRecord]:
        nonlocal taken
        for record in records:
            taken += 1
            yield record

    def progress(done: int, total: int, what: str) -> None:
        if what == "hands":
            ahead.append(taken - done)

    assess(endless(), threads=2, progress=progress)
    assert len(ahead) == 40
    assert max(ahead) <= 1


def test_a_real_match(shared_data: Path) -> None:
    """Every hand of the log, and the money to the chip."""
    log = shared_data / "acpc_loopback" / "limit2p.log"
    records = [r for r in read(log, game=HEADS_UP_LIMIT) if isinstance(r, HandRecord)]
    result = assess(records)
    assert result.hands == len(records) == 1000
    first = result.players[0]
    won = sum(r.payoffs[r.players.index(first)] / 10 for r in records)
    assert result.scores["money"].sum() == pytest.approx(float(won))
    parts = ["position", *(f"{what}_{name}" for what in ("divat", "luck") for name in ROUNDS)]
    total = result.scores.select(pl.sum_horizontal(parts)).to_series()
    assert (total - result.scores["money"]).abs().max() < 1e-9  # type: ignore[operator]
