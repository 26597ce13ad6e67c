"""Hands as columns: the same hands as records, whichever way they came."""

from __future__ import annotations

import dataclasses
import gzip
import io
import pickle
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from helpers.random_records import random_hand, random_table_hand
from railbird.errors import BadInput
from railbird.game import name_of, no_limit_holdem
from railbird.histories import (
    HandRecord,
    ReadOptions,
    Skipped,
    read,
    read_columns,
    read_hand,
    resolve_game,
)
from railbird.histories.acpc.columns import ColumnReader
from railbird.histories.betting import course_of
from railbird.histories.columns import HandBatch, PackedHands, batch_of, concat, pack, records_of

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
PLURIBUS = "holdem.nolimit.6p.game,stack=10000"


def columns_of(
    text: bytes, *, game: str | None = None, block: int = 1 << 20
) -> tuple[list[HandRecord], list[Skipped], list[HandBatch]]:
    options = ReadOptions(rules=resolve_game(game) if game else None)
    reader = ColumnReader(options)
    read_ = [part for piece in _pieces(text, block) for part in reader.read(piece)]
    batches = [part.hands for part in read_]
    skipped = [skip for part in read_ for skip in part.skipped]
    return [hand for batch in batches for hand in records_of(batch)], skipped, batches


def _pieces(text: bytes, size: int) -> Iterator[bytes]:
    """Cut a text at the ends of lines."""
    start = 0
    while start < len(text):
        end = text.rfind(b"\n", start, start + size) + 1 or text.find(b"\n", start) + 1
        yield text[start : end or len(text)]
        start = end or len(text)


def both(text: bytes, *, game: str | None = None, block: int = 1 << 20) -> list[HandRecord]:
    """Read compiled and by records; compare, with what is skipped and where each stood."""
    slow = list(read(io.BytesIO(text), game=game, format_name="acpc"))
    hands, skipped, _ = columns_of(text, game=game, block=block)
    expected = [hand for hand in slow if isinstance(hand, HandRecord)]
    assert hands == expected
    assert [(hand.source, hand.low_first) for hand in hands] == [
        (hand.source, hand.low_first) for hand in expected
    ]
    assert skipped == [hand for hand in slow if isinstance(hand, Skipped)]
    of_log = list(read_columns(io.BytesIO(text), game=game, format_name="acpc"))
    batches = [item for item in of_log if isinstance(item, HandBatch)]
    assert [hand for batch in batches for hand in records_of(batch)] == expected
    assert [item for item in of_log if isinstance(item, Skipped)] == skipped
    return hands


def _with_long_line(text: bytes) -> bytes:
    first, _, rest = text.partition(b"STATE:3:")
    return first + b"x" * 200_000 + b"\nSTATE:3:" + rest


ZOE = "Zo\xeb"
SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "cp1252": lambda text: text.replace(b"Annie", ZOE.encode("cp1252")),
    "one line in cp1252": lambda text: text.replace(b"Annie", ZOE.encode()).replace(
        ZOE.encode(), ZOE.encode("cp1252"), 1
    ),
    "utf-16": lambda text: text.decode().encode("utf-16"),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text,
    "cr": lambda text: text.replace(b"\n", b"\r"),
    "crlf": lambda text: text.replace(b"\n", b"\r\n"),
    "no end": lambda text: text.rstrip(),
    "long line": _with_long_line,
    "packed": lambda text: gzip.compress(text, mtime=0),
    "damaged": lambda text: gzip.compress(text, mtime=0)[:-8],
}


@pytest.mark.slow(
    but=[
        "1-cp1252",
        "1-one line in cp1252",
        "1-utf-16",
        "1-byte order mark",
        "1-cr",
        "1-crlf",
        "1-no end",
        "1-long line",
        "1-packed",
        "1-damaged",
    ]
)
@pytest.mark.parametrize("kind", SPOILT)
@pytest.mark.parametrize("repeats", [1, 400])
def test_bytes_are_read_as_lines_are(kind: str, repeats: int, tmp_path: Path) -> None:
    """Columns are read from undecoded blocks; what lines would have been must not matter."""
    head, *hands = (GOLDEN / "limit.log").read_text().splitlines(keepends=True)
    states = [line for line in hands if line.startswith("STATE:")]
    if kind == "damaged":
        repeats = max(repeats, 100)  # of a short one nothing can be unpacked
    text = (head + "".join(states) * repeats).encode()
    log = tmp_path / "match.log"
    log.write_bytes(SPOILT[kind](text))
    slow = list(read(log, game="holdem.limit.2p.reverse_blinds.game"))
    for source in (log, io.BytesIO(log.read_bytes())):
        fast = list(read_columns(source, game="holdem.limit.2p.reverse_blinds.game"))
        batches = [item for item in fast if isinstance(item, HandBatch)]
        assert [hand for batch in batches for hand in records_of(batch)] == [
            hand for hand in slow if isinstance(hand, HandRecord)
        ]
        lines = [line for batch in batches for line in batch.line.tolist()]
        assert lines == [
            hand.source.line for hand in slow if isinstance(hand, HandRecord) and hand.source
        ]
        assert [item for item in fast if isinstance(item, Skipped)] == [
            item for item in slow if isinstance(item, Skipped)
        ]


@pytest.mark.slow(but=["limit2p"])
@pytest.mark.parametrize("name", ["limit2p", "limit3p", "nolimit2p", "nolimit3p"])
def test_logs_of_the_acpc_dealer(name: str, shared_data: Path) -> None:
    text = (shared_data / "acpc_loopback" / f"{name}.log").read_bytes()
    assert len(both(text)) == 1000
    assert len(both(text, block=777)) == 1000


@pytest.mark.slow
def test_hands_of_people_with_comments_and_split_pots(shared_data: Path) -> None:
    text = gzip.decompress((shared_data / "pluribus" / "pluribus_10000.state.log.gz").read_bytes())
    hands = both(text, game=PLURIBUS)
    assert len(hands) == 10_000
    assert sum(any(won.denominator > 1 for won in hand.payoffs) for hand in hands) == 8


@pytest.mark.slow(but=["six.log"])
@pytest.mark.parametrize("name", ["limit.log", "six.log"])
def test_damaged_lines_are_skipped_for_the_same_reasons(name: str) -> None:
    """Bytes changed, removed and doubled at random; the compiled reader must not believe more."""
    text = (GOLDEN / name).read_bytes()
    rng = np.random.default_rng(11)
    skipped = 0
    for _ in range(300):
        damaged = bytearray(text)
        for _ in range(rng.integers(1, 4)):
            at = int(rng.integers(text.index(b"STATE"), len(damaged)))
            what = rng.integers(3)
            if what == 0:
                damaged[at] = int(rng.choice(list(b"fcr/|:0159-.AdKh# \n\xff")))
            elif what == 1:
                del damaged[at]
            else:
                damaged[at:at] = damaged[at : at + int(rng.integers(1, 40))]
        game = None if b"# name/game" in damaged else "limit"
        both(bytes(damaged), game=game)
        skipped += len(columns_of(bytes(damaged), game=game)[1])
    assert skipped > 150


def test_columns_of_other_formats_are_records() -> None:
    log = GOLDEN / "stars.txt"
    assert list(read_columns(log)) == list(read(log))


def test_a_log_that_does_not_name_its_game() -> None:
    text = b"STATE:0:cc/kk:2c3c|4c5c:0|0:A|B\n"
    with pytest.raises(BadInput, match="does not name its game"):
        columns_of(text)


def hands_of_all_kinds() -> list[HandRecord]:
    rng = np.random.default_rng(5)
    return [random_table_hand(rng) for _ in range(400)]


@pytest.mark.slow
def test_answers_are_what_the_readable_walk_says() -> None:
    hands = hands_of_all_kinds()
    batch = batch_of(hands)
    said = batch.answers
    for hand, (first, end) in zip(hands, pairwise(batch.start.tolist()), strict=True):
        moves = course_of(hand.rules, hand.actions).moves
        assert len(moves) == end - first
        for i, move in zip(range(first, end), moves, strict=True):
            assert said.seat[i] == move.seat
            assert said.street[i] == move.street
            assert said.to_call[i] == move.to_call
            assert said.name[i] == name_of(move.action, to_call=move.to_call, bet=move.bet)


@pytest.mark.slow
def test_records_come_back() -> None:
    hands = hands_of_all_kinds()
    assert list(records_of(batch_of(hands))) == hands


@pytest.mark.slow
def test_batches_join_and_part() -> None:
    hands = hands_of_all_kinds()
    parts = [hands[:100], hands[100:101], [], hands[101:]]
    joined = concat([batch_of(part) for part in parts])
    assert list(records_of(joined)) == hands
    whole = batch_of(hands)
    assert np.array_equal(joined.answers.pot, whole.answers.pot)
    chosen = np.arange(len(hands)) % 3 == 1
    assert list(records_of(joined.rows(chosen))) == _pick(hands, np.flatnonzero(chosen))
    assert list(records_of(joined.rows([7, 3, 7]))) == _pick(hands, [7, 3, 7])


def _pick(hands: Sequence[HandRecord], rows: Sequence[int] | np.ndarray) -> list[HandRecord]:
    return [hands[row] for row in rows]


# Hands packed and taken out again by row.


FOUR_SEATS = Path(__file__).parent / "pokerstars_tournaments.txt"


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    """Hands of two games and of tables of different sizes, some far apart in number."""
    rng = np.random.default_rng(8)
    found = [random_hand(rng, number=i * 10**12) for i in range(50)]
    return [*found, *(hand for hand in read(FOUR_SEATS) if isinstance(hand, HandRecord))]


def test_every_column_comes_back(records: list[HandRecord]) -> None:
    parts = [batch_of(records[:20]), batch_of([]), batch_of(records[20:21]), batch_of(records[21:])]
    packed = PackedHands(map(pack, parts))
    assert len(packed) == len(records)
    whole = concat([part for part in parts if len(part)])
    again = concat(list(packed.batches()))
    for field in dataclasses.fields(whole):
        was, now = getattr(whole, field.name), getattr(again, field.name)
        if isinstance(was, np.ndarray):
            assert (was == now).all()
            assert was.dtype == now.dtype
        elif field.name == "answers":
            assert all((a == b).all() for a, b in zip(was, now, strict=True))
        else:
            assert was == now


def test_rows_come_in_the_order_that_is_asked_for(records: list[HandRecord]) -> None:
    parts = np.array_split(np.arange(len(records)), 4)
    packed = PackedHands(pack(batch_of([records[i] for i in part])) for part in parts)
    rng = np.random.default_rng(0)
    chosen = rng.integers(len(records), size=30).tolist()
    assert list(records_of(packed.rows(chosen))) == [records[i] for i in chosen]
    assert list(records_of(packed.rows([]))) == []
    assert list(records_of(PackedHands().rows([]))) == []
    assert len(PackedHands()) == 0


def test_a_column_that_differs_in_no_row_is_kept_once() -> None:
    hand = random_hand(np.random.default_rng(1), folds=0.0)
    piece = pack(batch_of([hand]).rows(np.zeros(1000, np.int64)))
    assert [len(narrow) for narrow, _ in piece.columns.values()] == [1] * len(piece.columns)
    assert len(pickle.dumps(piece)) < 60_000
    assert list(records_of(piece.rows(np.array([999])))) == [hand]


def test_large_amounts_are_kept_whole() -> None:
    deep = no_limit_holdem(blinds=(1, 2), stack=10**12)
    hand = read_hand(f"STATE:7:r{10**12}f:AsAd|KcQc:-2|2:Ann|Bob", game=deep)
    packed = PackedHands([pack(batch_of([hand]))])
    assert list(records_of(packed.rows([0]))) == [hand]
