"""Archives: what goes in comes out, once; parts stay as they were written."""

from __future__ import annotations

import dataclasses
import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from helpers.fold_logs import fold_hand, fold_log
from helpers.random_hands import random_rules
from helpers.random_records import random_table_hand
from railbird.cli import run
from railbird.errors import BadInput, DamagedFile
from railbird.game import Raise, limit_holdem, no_limit_holdem
from railbird.histories import (
    HandRecord,
    Skipped,
    SkipReason,
    Source,
    archive,
    read,
    read_columns,
    read_hand,
    write,
)
from railbird.histories.archive import Added, Query
from railbird.histories.archive_rows import (
    SCHEMA,
    batch_of_rows,
    digests_of,
    parse_rules,
    rows_of,
    rules_text,
)
from railbird.histories.columns import HandBatch, batch_of, records_of
from railbird.histories.files import ARCHIVE_MARK
from railbird.histories.tournament_entries import entries_of
from railbird.units import Chips
from twins.slow_histories import digest_of, random_record, slow_row

GOLDEN = Path(__file__).parents[1] / "golden" / "archive-version-1"
SEEDS = st.integers(0, 2**32 - 1)
LIMIT = limit_holdem()
SIX = no_limit_holdem(6, blinds=(50, 100), stack=2000)


def hands_of(count: int, seed: int = 1) -> list[HandRecord]:
    rng = np.random.default_rng(seed)
    return [random_record(rng, (LIMIT, SIX)[n % 2], number=n) for n in range(count)]


def by_game(hands: list[HandRecord]) -> list[HandRecord]:
    return sorted(hands, key=lambda hand: f"{hand.rules.betting.value}-{hand.rules.seats}")


@pytest.mark.slow
@given(SEEDS, st.booleans(), st.sampled_from(["", "$", "€"]), st.text(max_size=5))
def test_any_record_is_the_same_after_being_a_row(
    seed: int, hidden: bool, currency: str, comment: str
) -> None:
    rng = np.random.default_rng(seed)
    hand = random_record(rng, random_rules(rng, raked=True), number=seed)
    zone = [None, UTC, timezone(timedelta(hours=-5))][seed % 3]
    hand = dataclasses.replace(
        hand,
        currency=currency,
        comment=comment,
        table="T",
        number=None if seed % 2 else seed,
        played_at=datetime(2014, 1, 6, 1, 42, 52, tzinfo=zone) if seed % 5 else None,
        denomination=Fraction(1, 100),
        source=Source("a.log", 7),
    )
    if hidden:
        holes = (None, *hand.holes[1:])
        hand = dataclasses.replace(hand, holes=holes, low_first=hand.low_first & ~1)
    rows = rows_of(batch_of([hand]))
    assert_frame_equal(rows, pl.DataFrame([slow_row(hand)], SCHEMA, orient="row"))
    (back,) = records_of(batch_of_rows(rows))
    assert back == hand
    assert (back.low_first, back.source) == (hand.low_first, hand.source)


@given(SEEDS)
def test_rules_read_back(seed: int) -> None:
    rules = random_rules(np.random.default_rng(seed), raked=True)
    assert parse_rules(rules_text(rules)) == rules


@pytest.mark.parametrize("text", ["", "7", "{}", '{"seats": 1}', "[" * 100_000])
def test_no_rules_are_told_in_a_line(text: str) -> None:
    with pytest.raises(DamagedFile, match="no rules"):
        parse_rules(text)


@pytest.mark.slow
def test_rows_of_many_games_are_those_of_single_hands() -> None:
    rng = np.random.default_rng(4)
    games = [random_rules(rng, raked=True) for _ in range(30)]
    hands = [random_record(rng, game, number=None) for game in games for _ in range(8)]
    rows = rows_of(batch_of(hands))
    assert_frame_equal(rows, pl.DataFrame(list(map(slow_row, hands)), SCHEMA, orient="row"))
    assert list(records_of(batch_of_rows(rows))) == hands
    for field in dataclasses.fields(HandBatch):
        column = getattr(batch_of_rows(rows), field.name)
        if isinstance(column, np.ndarray):
            assert column.flags.writeable, field.name
            assert column.dtype == getattr(batch_of(hands), field.name).dtype, field.name
    assert rows_of(batch_of([])).schema == SCHEMA
    assert len(batch_of_rows(rows.head(0))) == 0


def test_actions_as_text() -> None:
    texts = rows_of(batch_of(hands_of(2)))["actions"].to_list()
    assert texts == [slow_row(hand)[9] for hand in hands_of(2)]
    hand = read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC")
    assert rows_of(batch_of([hand]))["actions"].item() == "cccr10r20cr20r40r60cr20c"


def test_hands_come_out_as_they_went_in(tmp_path: Path) -> None:
    hands = hands_of(60)
    assert archive.add(hands, tmp_path / "all") == Added(60, 0)
    assert list(read(tmp_path / "all")) == by_game(hands)
    assert list(read(str(tmp_path / "all"))) == by_game(hands)
    assert sorted(path.name for path in (tmp_path / "all").glob("[a-z]*")) == [
        "limit-2",
        "no-limit-6",
        "railbird-archive.json",
    ]


def test_an_archive_grows_without_being_rewritten(tmp_path: Path) -> None:
    first, second = hands_of(40), hands_of(30, seed=2)
    archive.add(first, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("*/*.parquet")}
    assert archive.add([*first, *second, *second], tmp_path) == Added(30, 70)
    assert {path: path.read_bytes() for path in before} == before
    assert len(list(tmp_path.glob("*/*.parquet"))) == 2 * len(before)
    assert list(read(tmp_path)) == by_game([*first, *second])
    assert not list(tmp_path.glob("**/*.part"))


def test_full_parts_are_written_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "PART", 7)
    monkeypatch.setattr(archive, "_BATCH", 5)
    hands = hands_of(45)
    archive.add(hands, tmp_path)
    heights = [pl.read_parquet(path).height for path in sorted(tmp_path.glob("limit-2/*.parquet"))]
    assert heights == [7, 7, 7, 2]
    assert list(read(tmp_path)) == by_game(hands)


def test_what_stops_the_adding_loses_at_most_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "PART", 10)
    monkeypatch.setattr(archive, "_BATCH", 5)
    hands = hands_of(60)

    def broken() -> Iterator[HandRecord]:
        yield from hands[:50]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        archive.add(broken(), tmp_path)
    assert list(read(tmp_path)) == by_game(hands[:40])
    assert archive.add(hands, tmp_path) == Added(20, 40)
    assert list(read(tmp_path)) == by_game(hands)


def test_the_same_hand_of_two_formats_is_one(tmp_path: Path) -> None:
    hands = [dataclasses.replace(hand, table="T") for hand in hands_of(20)]
    write(hands, tmp_path / "hands.phhs")
    again = [hand for hand in read(tmp_path / "hands.phhs") if isinstance(hand, HandRecord)]
    other = [dataclasses.replace(hand, table="", comment="seen") for hand in again]
    assert [digest_of(hand) for hand in other] == [digest_of(hand) for hand in hands]
    assert digests_of(batch_of(other)) == [digest_of(hand) for hand in hands]
    assert archive.add([*hands, *other], tmp_path / "all") == Added(20, 20)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (Query(), lambda hand: True),
        (Query(player="P3"), lambda hand: "P3" in hand.players),
        (Query(game="limit"), lambda hand: hand.rules == LIMIT),
        (Query(where="seats = 6 AND length(board) = 10"), lambda hand: len(hand.board) == 5),
        (Query(where="number < 10"), lambda hand: hand.number < 10),
        (Query(game="holdem.limit.2p.reverse_blinds.game"), lambda hand: False),
    ],
)
def test_queries(query: Query, wanted: object, tmp_path: Path) -> None:
    hands = hands_of(60)
    archive.add(hands, tmp_path)
    assert callable(wanted)
    found = list(archive.read(tmp_path, query))
    if query.where is not None and "seats" in query.where:
        hands = [hand for hand in hands if hand.rules is SIX]
    assert found == by_game([hand for hand in hands if wanted(hand)])
    table = archive.count(tmp_path, query)
    assert table["hands"].sum() == sum(len(h.players) for h in found if isinstance(h, HandRecord))
    assert table["won"].sum() == pytest.approx(0)


def test_money_is_added_up_exactly(tmp_path: Path) -> None:
    """Dimes are no binary fractions."""
    short = (hand for hand in hands_of(60) if len(hand.players) == 2 and len(hand.board) < 4)
    hand = next(hand for hand in short if hand.payoffs[0])
    cents = dataclasses.replace(hand, denomination=Fraction(1, 100), currency="$")
    payoff = Fraction(10)
    dimes = [dataclasses.replace(cents, payoffs=(payoff, -payoff), number=i) for i in range(3)]
    archive.add(dimes, tmp_path)
    assert set(archive.count(tmp_path)["won"]) == {0.3, -0.3}
    assert sum([0.1] * 3) != 0.3  # as a sum of floats says it


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("foo = 1", "no column 'foo'; allowed: digest, number"),
        ("player = 'x'", "no column 'player'; did you mean players"),
        ("players = 'x'", r"players is a list; allowed: array_contains\(players, 'Hero'\)"),
        ("payoffs > 5", r"payoffs is a list; allowed: array_contains\(payoffs, 10\)"),
        ("seats = 6 AND rake > 'abc'", "rake is a number and 'abc' is text; allowed: a number"),
        ("seats IN ('6')", "seats is a number and '6' is text"),
        ("rake between 'a' and 'b'", "rake is a number and 'a' is text"),
        ("currency > 5", "currency is text and 5 is a number; allowed: text in single quotes"),
        ("rake >", "condition 'rake >': nothing follows '>'; allowed: such as rake > 0"),
        ("rake > 0 and ", "nothing follows 'and'; allowed"),
        ("(rake > 0", "a bracket is not closed"),
        ("board = '2c", "a quotation mark is not closed"),
        ("", "not a condition in SQL; allowed: such as"),
        ("date > '2009-01-01'", "no column 'date'; did you mean played_at"),
        ("Time > 3", "no column 'Time'; did you mean played_at"),
        ("played_at > 'yesterday'", "compared with 'yesterday'; allowed: '2009-07-01' or"),
        ("played_at > 2009", "compared with 2009; allowed: '2009-07-01'"),
        ("played_at BETWEEN '2009-01-01' AND '2009-02-30'", "compared with '2009-02-30'"),
        ("played_at NOT BETWEEN 3 AND 4", "played_at is compared with 4;"),
        ("number +", r"nothing follows '\+'"),
        ("select 1", "expected an expression"),
        ("number", "condition 'number': allowed: a condition on a hand"),
    ],
)
def test_conditions_that_cannot_be(where: str, message: str, tmp_path: Path) -> None:
    archive.add(hands_of(2), tmp_path)
    with pytest.raises(BadInput, match=message) as caught:
        archive.read(tmp_path, Query(where=where))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("where", "days"),
    [
        ("played_at >= '2009-07-02'", [2, 3]),
        ("played_at>'2009-07-02'", [2, 3]),
        ("played_at <= '2009-07-02 18:30:00' AND table <> 'played_at > 5'", [1, 2]),
        ("played_at < '2009-07-02T20:00+02:00'", [1]),
        ("played_at BETWEEN '2009-07-01' AND '2009-07-02' OR number = 3", [1, 3]),
        ("played_at not between '2009-07-02' and '2009-07-03'", [1, 3]),
        ("played_at = TIMESTAMP '2009-07-01 18:30:00'", [1]),
        ("played_at > DATE '2009-07-03'", [3]),
        ("YEAR(played_at) > 2009", []),
        ("played_at IS NULL", []),
    ],
)
def test_times_are_compared_with_text(where: str, days: list[int], tmp_path: Path) -> None:
    first, *_ = (hand for hand in hands_of(60) if len(hand.board) < 4)
    moments = {day: datetime(2009, 7, day, 18, 30, tzinfo=UTC) for day in (1, 2, 3)}
    hands = [dataclasses.replace(first, number=day, played_at=at) for day, at in moments.items()]
    archive.add(hands, tmp_path)
    assert [hand.number for hand in found(tmp_path, where)] == days


def found(folder: Path, where: str) -> list[HandRecord]:
    hands = archive.read(folder, Query(where=where))
    return [hand for hand in hands if isinstance(hand, HandRecord)]


def test_amounts_are_added_only_where_stakes_and_currencies_are_the_same(tmp_path: Path) -> None:
    first, *_ = (hand for hand in hands_of(60) if hand.rules == LIMIT and len(hand.board) < 4)
    cents = dataclasses.replace(first, denomination=Fraction(1, 100), currency="$")
    bets = [Chips(2 * bet) for bet in LIMIT.bet_sizes]
    double = dataclasses.replace(
        LIMIT,
        blinds=tuple(Chips(2 * blind) for blind in LIMIT.blinds),
        bet_sizes=(bets[0], bets[1], bets[2], bets[3]),
    )
    euros = dataclasses.replace(cents, currency="€")
    higher = dataclasses.replace(
        cents,
        rules=double,
        actions=tuple(
            Raise(Chips(2 * each.to)) if isinstance(each, Raise) else each for each in cents.actions
        ),
        payoffs=tuple(2 * payoff for payoff in cents.payoffs),
    )
    kinds = [first, cents, euros, higher]
    hands = enumerate([*kinds, *kinds])
    archive.add([dataclasses.replace(hand, number=n) for n, hand in hands], tmp_path)
    table = archive.count(tmp_path, Query(player=first.players[0]))
    rows = table.filter(player=first.players[0]).sort("stakes").to_dicts()
    assert [(row["stakes"], row["hands"]) for row in rows] == [
        ("$0.10/$0.20", 2),
        ("$0.20/$0.40", 2),
        ("10/20", 2),
        ("€0.10/€0.20", 2),
    ]
    won = float(first.payoffs[0])
    assert [row["won"] for row in rows] == pytest.approx(
        [2 * won / 100, 4 * won / 100, 2 * won, 2 * won / 100]
    )


def test_batches_and_records_are_added_alike(tmp_path: Path) -> None:
    hands = [hand for hand in hands_of(40) if hand.rules == LIMIT]
    write(hands, tmp_path / "match.log")
    batches = [
        each for each in read_columns(tmp_path / "match.log") if not isinstance(each, Skipped)
    ]
    assert any(isinstance(batch, HandBatch) for batch in batches)
    assert archive.add(batches, tmp_path / "all") == Added(20, 0)
    assert archive.add(hands, tmp_path / "all") == Added(0, 20)
    found = list(read_columns(tmp_path / "all"))
    assert all(isinstance(batch, HandBatch) for batch in found)
    assert list(read(tmp_path / "all")) == list(read(tmp_path / "match.log"))


def test_an_archive_of_the_first_records_is_still_read() -> None:
    """Files written hand by hand, before there were batches; the format has not changed since."""
    first, *found = list(read(GOLDEN))
    assert isinstance(first, Skipped)
    assert first.reason is SkipReason.NO_REFUSED
    assert found == by_game(hands_of(6))
    assert archive.count(GOLDEN)["hands"].sum() == 3 * 2 + 3 * 6
    assert entries_of([GOLDEN]) == []


def test_who_plays_in_an_archive(tmp_path: Path) -> None:
    hands = hands_of(20)
    archive.add(hands, tmp_path)
    assert archive.players(tmp_path) == sorted({name for hand in hands for name in hand.players})


def test_folders_that_are_no_archive(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no archive"):
        archive.read(tmp_path)
    (tmp_path / "mine").write_text("x")
    with pytest.raises(BadInput, match="neither an archive nor an empty folder"):
        archive.add(hands_of(1), tmp_path)
    archive.add(hands_of(2), tmp_path / "all")
    (part, *_) = (tmp_path / "all").glob("*/*.parquet")
    part.write_bytes(part.read_bytes()[:-10])
    with pytest.raises(BadInput, match=r"000001\.parquet"):
        list(read(tmp_path / "all"))
    (tmp_path / "all" / ARCHIVE_MARK).write_text('{"railbird archive": 99}')
    with pytest.raises(BadInput, match="version 99"):
        read(tmp_path / "all")


def test_players_are_renamed_and_two_of_a_name_skipped(tmp_path: Path) -> None:
    archive.add(hands_of(4), tmp_path)
    hands = list(read(tmp_path, rename={"P0": "P1"}))
    assert all(isinstance(hand, Skipped) for hand in hands)
    assert {hand.reason for hand in hands if isinstance(hand, Skipped)} == {SkipReason.SAME_NAME}
    (hand, *_) = read(tmp_path, rename={"P0": "Hero"})
    assert isinstance(hand, HandRecord)
    assert "Hero" in hand.players


@pytest.mark.slow(but=["23-50"])
@pytest.mark.parametrize(
    ("every", "least"), [(97, 12), pytest.param(23, 50, marks=pytest.mark.slow)]
)
def test_a_damaged_part_is_refused_or_tells_no_other_hand(
    tmp_path: Path, every: int, least: int
) -> None:
    """Parquet has no checksums here, and Polars panics on some damage: the digests find it."""
    archive.add(hands_of(6), tmp_path)
    part = tmp_path / "limit-2" / "000001.parquet"
    whole = part.read_bytes()
    stored = {digest_of(hand) for hand in read(tmp_path) if isinstance(hand, HandRecord)}
    refusals: list[str] = []
    for place in range(0, len(whole), every):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        part.write_bytes(damaged)
        try:
            found = list(read(tmp_path, progress=lambda *_: None))
        except DamagedFile as error:
            refusals.append(str(error))
        else:
            assert {digest_of(hand) for hand in found if isinstance(hand, HandRecord)} == stored
    assert len(refusals) > least
    assert all(str(part) in refusal and "\n" not in refusal for refusal in refusals)


def test_a_row_that_is_not_what_its_digest_names() -> None:
    rows = rows_of(batch_of(hands_of(2)))
    changed = rows.with_columns(actions=pl.lit("cc"))
    with pytest.raises(DamagedFile, match=r"hand 0 from .* has changed"):
        batch_of_rows(changed)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("denomination", pl.lit("1/0")),
        ("actions", pl.lit("rf")),
        ("actions", pl.lit("c3")),
        ("actions", pl.lit("7c")),
        ("actions", pl.lit("r0")),
        ("actions", pl.lit("cé")),
        ("actions", pl.lit(None, pl.String)),
        ("board", pl.lit("AsKs")),
        ("board", pl.lit("AsKsXx")),
        ("holes", pl.lit(["AsKd"])),
        ("holes", pl.lit(["AsKd", "7s7s"])),
        ("players", pl.lit(["Ann", None], pl.List(pl.String))),
        ("payoffs", pl.lit([1, 2, 3])),
        ("parts", pl.lit(0)),
        ("rules", pl.lit("{}")),
        ("line", pl.lit("x")),
        ("played_at", pl.lit(2**62).cast(pl.Datetime("us"))),
        ("played_at", pl.lit(-(2**62)).cast(pl.Datetime("us"))),
    ],
)
def test_rows_that_are_no_hands(column: str, value: pl.Expr) -> None:
    rows = rows_of(batch_of([hand for hand in hands_of(6) if hand.rules == LIMIT]))
    with pytest.raises(DamagedFile, match=r"no rows of an archive|no rules"):
        batch_of_rows(rows.with_columns(value.alias(column)))


def test_betting_that_the_rules_refuse_is_damage() -> None:
    """Digests do not name the rules, so that a hand may stand under others."""
    hands = [hand for hand in hands_of(20) if hand.rules == SIX]
    rows = rows_of(batch_of(hands))
    limit = pl.lit(rules_text(limit_holdem(6)))
    with pytest.raises(DamagedFile, match="betting is not allowed by its rules"):
        batch_of_rows(rows.with_columns(rules=limit))


def test_the_parts_are_plain_parquet(tmp_path: Path) -> None:
    archive.add(hands_of(4), tmp_path)
    rows = pl.read_parquet(tmp_path / "limit-2" / "000001.parquet")
    assert rows.schema == SCHEMA
    assert json.loads(rows["rules"][0])["bet_sizes"] == [10, 10, 20, 20]


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = [hand for hand in hands_of(30) if hand.rules is LIMIT]
    write(hands, tmp_path / "hands.log")
    place = str(tmp_path / "all")
    assert run(["archive", "add", place, str(tmp_path / "hands.log"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "hands": 15,
        "duplicates": 0,
        "completed": 0,
        "contradictions": [],
        "contradicting": 0,
        "skipped": 0,
    }
    assert run(["archive", "add", place, str(tmp_path / "hands.log")]) == 0
    assert "0 hands added, 15 were there already, 0 skipped" in capsys.readouterr().err
    assert run(["archive", "query", place]) == 0
    assert "P0" in capsys.readouterr().out
    out = str(tmp_path / "out.phhs")
    assert run(["archive", "query", place, "--where", "number < 9", "--out", out]) == 0
    assert len(list(read(out))) == 5
    assert run(["assess", place, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hands"] == 15
    assert run(["archive", "query", str(tmp_path)]) == 2
    assert run(["convert", place, str(tmp_path / "again.log")]) == 0
    assert list(read(tmp_path / "again.log")) == list(read(tmp_path / "hands.log"))


MEASURE = """
import json, resource, sys
from railbird.cli import run
code = run(["assess", sys.argv[1], "--json"])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.slow
def test_a_million_hands_are_assessed_without_being_loaded(tmp_path: Path) -> None:
    """Five times the hands may cost the rows of scores, not the records, which are far larger."""
    log = str(tmp_path / "match.log.gz")
    match = ["match", "always-call", "random", "--hands", "1000000", "--seed", "1", "--log", log]
    assert run(match) == 0
    peaks: dict[int, int] = {}
    for hands in (200_000, 1_000_000):
        place = tmp_path / str(hands)
        records = (hand for hand in read(log) if isinstance(hand, HandRecord))
        assert archive.add(itertools.islice(records, hands), place) == Added(hands, 0)
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, str(place)], capture_output=True, text=True, check=True
        )
        assert json.loads(done.stdout)["hands"] == hands
        peaks[hands] = int(done.stderr.split()[-1])
    assert peaks[1_000_000] - peaks[200_000] < 1200  # MiB; 800,000 records would be more than 2000


@pytest.mark.slow
def test_another_view_of_a_hand_brings_its_cards_and_no_row(tmp_path: Path) -> None:
    drawn = (random_table_hand(np.random.default_rng(seed)) for seed in range(60))
    hands = [
        replace(hand, number=number, table="Halley")
        for number, hand in enumerate(drawn)
        if None not in hand.holes
    ]

    def seen_from(seat: int) -> list[HandRecord]:
        return [
            replace(
                hand,
                holes=tuple(
                    hole if place == seat else None for place, hole in enumerate(hand.holes)
                ),
                low_first=hand.low_first & 1 << seat,
            )
            for hand in hands
            if seat < hand.rules.seats
        ]

    folder = tmp_path / "archive"
    assert archive.add(seen_from(0), folder) == Added(len(hands), 0)
    assert archive.add(seen_from(1), folder) == Added(0, len(hands), completed=len(hands))
    found = {hand.number: hand for hand in archive.read(folder) if isinstance(hand, HandRecord)}
    assert len(found) == len(hands)
    for hand in hands:
        assert found[hand.number].holes[:2] == hand.holes[:2]
        assert {*found[hand.number].holes[2:]} <= {None}
    rest = [hand for seat in range(2, 10) for hand in seen_from(seat)]
    assert archive.add(rest, folder).duplicates == len(rest)
    assert set(archive.read(folder)) == set(hands)
    other = replace(hands[0], holes=(hands[0].holes[0], *hands[0].holes[2:], hands[0].holes[1]))
    refused = archive.add([replace(other, source=Source("theirs.txt", 7))], folder)
    assert (refused.hands, len(refused.contradictions)) == (0, 1)
    assert str(refused.contradictions[0]).startswith("theirs.txt line 7 contradicts ")


@pytest.mark.parametrize("at_once", [True, False])
def test_one_number_with_other_bets_is_a_contradiction(tmp_path: Path, at_once: bool) -> None:
    """A site gives a number once; that of another table, or of another time, is another hand."""
    moment = datetime(2024, 3, 2, 12)
    hand, other, later, elsewhere = (
        replace(fold_hand(7, "log.txt", cards, bets), table="Halley", played_at=moment)
        for cards, bets in (("Ts6s", "F"), ("Ts6s", "Rf"), ("Ts6h", "RrF"), ("Ts6d", "RrRf"))
    )
    later = replace(later, played_at=moment + timedelta(hours=1))
    elsewhere = replace(elsewhere, table="Encke")
    given = [[hand, other, later, elsewhere]] if at_once else [[hand], [other, later], [elsewhere]]
    added = [archive.add(part, tmp_path / "hands") for part in given]
    assert sum(each.hands for each in added) == 3
    assert sum(each.contradicting for each in added) == 1
    assert set(archive.read(tmp_path / "hands")) == {hand, later, elsewhere}


@pytest.mark.parametrize("at_once", [True, False])
def test_a_copy_that_differs_in_a_card_contradicts(tmp_path: Path, at_once: bool) -> None:
    first, second = fold_log("first.log"), fold_log("second.log", suit="c")
    copy = fold_log("copy.log", suit="c")
    copy[7] = fold_hand(7, "copy.log", "Ts6h")
    given = [[*first, *second, *copy]] if at_once else [first, second, copy]
    added = [archive.add(part, tmp_path / "hands") for part in given]
    assert [sum(each.hands for each in added), sum(each.duplicates for each in added)] == [24, 11]
    (told,) = (str(one) for each in added for one in each.contradictions)
    assert told == (
        "copy.log line 8 contradicts second.log line 8: the same hand with other hole cards"
    )
