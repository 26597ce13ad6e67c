"""What every format of hand histories keeps to, whatever it is.

A new format is added to `GOLDEN`, and to `GAMES` if it is written: the first test asks for it.
"""

from __future__ import annotations

import dataclasses
import gzip
import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.random_hands import chips, random_rules
from railbird.errors import BadInput
from railbird.extending import check_format
from railbird.game import (
    Betting,
    OpenFold,
    Rules,
    UncallableRaise,
    limit_holdem,
    no_limit_holdem,
    spread_limit_holdem,
)
from railbird.histories import (
    FORMATS,
    Format,
    HandRecord,
    ReadOptions,
    Skipped,
    SkipReason,
    WriteOptions,
    detect,
    format_named,
    read,
    resolve_game,
    write,
)
from railbird.histories.sites.replay import Posts, site_rules
from railbird.units import Chips
from twins.slow_histories import random_record

PLAIN = WriteOptions()
FOLDER = Path(__file__).parents[1] / "golden" / "histories"

ONE_OBJECT = ("kaggle",)
"""Formats in which a log is one object: of one that is cut or damaged nothing may be left."""

GOLDEN = {
    "bovada": [("bovada.txt", PLAIN)],
    "acpc": [
        (
            "limit.log",
            WriteOptions(match="golden", hands=12, seed=1876, notes=("--t_response 600000",)),
        ),
        ("six.log", WriteOptions(match="six")),
    ],
    "full-tilt": [("full_tilt.txt", PLAIN)],
    "kaggle": [("kaggle.json", PLAIN), ("kaggle_pokerkit.json", PLAIN)],
    "ggpoker": [("ggpoker.txt", PLAIN)],
    "ipoker": [("ipoker.xml", PLAIN)],
    "irc": [("irc.txt", PLAIN)],
    "line": [("limit.txt", PLAIN)],
    "ohh": [("hands.ohh", PLAIN)],
    "pacific": [("pacific.txt", PLAIN)],
    "partypoker": [("partypoker.txt", PLAIN)],
    "phh": [("hands.phhs", PLAIN)],
    "poker-academy": [("academy.txt", PLAIN)],
    "pokernow": [("pokernow.csv", PLAIN)],
    "pokerstars": [("stars.txt", PLAIN)],
    "transcript": [("transcript.txt", PLAIN)],
    "winamax": [("winamax.txt", PLAIN)],
    "winning": [("winning.txt", PLAIN), ("winning_old.txt", PLAIN)],
    "pokertracker": [
        ("../rooms/pokertracker.txt", PLAIN),
        ("../rooms/pokertracker_merge.txt", PLAIN),
        ("../rooms/pokertracker_everest.txt", PLAIN),
        ("../rooms/pokertracker_microgaming.txt", PLAIN),
        ("../rooms/pokertracker_older.txt", PLAIN),
    ],
    "ongame": [("../rooms/ongame.txt", PLAIN)],
    "pkr": [("../rooms/pkr.txt", PLAIN)],
    "betonline": [("../rooms/betonline.txt", PLAIN)],
    "everleaf": [("../rooms/everleaf.txt", PLAIN)],
    "absolute": [("../rooms/absolute.txt", PLAIN)],
    "poker-mavens": [("../rooms/poker_mavens.txt", PLAIN)],
    "kingsclub": [("../rooms/kingsclub.txt", PLAIN)],
    "entraction": [("../rooms/entraction.txt", PLAIN)],
    "cake": [("../rooms/cake.txt", PLAIN)],
    "unibet": [("../rooms/unibet.txt", PLAIN)],
    "big-game": [("../rooms/big_game.txt", PLAIN)],
    "merge": [("../rooms/merge.xml", PLAIN)],
    "everest": [("../rooms/everest.xml", PLAIN)],
    "boss": [("../rooms/boss.xml", PLAIN)],
    "microgaming": [("../rooms/microgaming.xml", PLAIN)],
}
"""Texts as the format writes them, and what has to be said beside the hands."""


def academy(betting: Betting, blinds: list[int], stacks: list[int]) -> Rules:
    big = max(blinds)
    small, large = (big, 2 * big) if betting is Betting.LIMIT else (min(filter(None, blinds)), big)
    stakes = Chips(small), Chips(large)
    posts = Posts(chips(blinds), chips([0] * len(blinds)))
    return site_rules(betting, stakes, posts, stacks=chips(stacks))


def stars(
    betting: Betting,
    stakes: tuple[int, int],
    blinds: list[int],
    stacks: list[int],
    *,
    antes: list[int] | None = None,
    last: int = 1,
) -> Rules:
    """A table of PokerStars; ``last`` is the seat behind which the betting begins."""
    dead = chips(antes or [0] * len(blinds))
    posts = Posts(chips(blinds), dead, small=0, last=last)
    return site_rules(betting, (Chips(stakes[0]), Chips(stakes[1])), posts, stacks=chips(stacks))


def irc_table(stacks: list[int], *, late: tuple[int, ...] = ()) -> Rules:
    """A limit table of the IRC poker database; who came ``late`` posted a big blind."""
    rules = limit_holdem(len(stacks), max_raises=None, stack=stacks)
    blinds = tuple(Chips(10) if seat in late else chip for seat, chip in enumerate(rules.blinds))
    return dataclasses.replace(
        rules,
        blinds=blinds,
        open_fold=OpenFold.ALLOWED,
        uncallable_raise=UncallableRaise.ALLOWED,
    )


GAMES = {
    "acpc": [
        resolve_game("holdem.limit.2p.reverse_blinds.game"),
        resolve_game("holdem.limit.3p.game"),
        resolve_game("holdem.limit.2p.reverse_blinds.game,blind=2/1,raiseSize=2/2/4/4,stack=9/12"),
        resolve_game("holdem.nolimit.2p.reverse_blinds.game"),
        resolve_game("holdem.nolimit.6p.game,stack=10000"),
        resolve_game("holdem.nolimit.4p.game,blind=1/2/0/4,stack=40/7/100/3,maxRaises=2"),
    ],
    "irc": [
        *(irc_table([900 + 10 * seat for seat in range(seats)]) for seats in range(2, 10)),
        irc_table([1200] * 6, late=(3, 4)),
    ],
    "line": [
        resolve_game("holdem.limit.2p.reverse_blinds.game"),
        resolve_game("holdem.limit.2p.reverse_blinds.game,blind=2/1,raiseSize=2/2/4/4"),
    ],
    "phh": [
        *(random_rules(np.random.default_rng(seed), raked=True) for seed in range(20)),
        limit_holdem(),
        resolve_game("holdem.limit.3p.game"),
        resolve_game("holdem.nolimit.6p.game,stack=10000"),
        no_limit_holdem(4, blinds=(1, 2), stack=(9, 80, 7, 200), straddle=4, ante=1),
    ],
    "poker-academy": [
        academy(Betting.LIMIT, [10, 5], [900, 900]),
        academy(Betting.LIMIT, [1, 2, 0], [30, 20, 10]),
        academy(Betting.NO_LIMIT, [5, 10, 0], [90, 400, 15]),
        academy(Betting.POT_LIMIT, [2, 1], [100, 60]),
    ],
    "pokerstars": [
        stars(Betting.LIMIT, (10, 20), [10, 5], [2000, 2000], last=0),
        stars(Betting.LIMIT, (2, 4), [1, 2, 0], [30, 20, 10]),
        stars(Betting.NO_LIMIT, (5, 10), [5, 10, 0, 0], [90, 400, 15, 60], antes=[1] * 4),
        stars(Betting.NO_LIMIT, (50, 100), [50, 100, 200, 0, 0], [5000] * 5, last=2),
        stars(Betting.NO_LIMIT, (5, 10), [5, 10, 0, 10], [300] * 4, antes=[0, 0, 0, 5]),
        stars(Betting.POT_LIMIT, (1, 2), [2, 1], [100, 60], last=0),
        stars(Betting.NO_LIMIT, (5, 10), [5, 10, 0], [3, 7, 800]),
    ],
}
GAMES["ohh"] = GAMES["pokerstars"]
"""Tables whose hands the format can say in full."""

WRITTEN = [known for known in FORMATS if known.write is not None]
TEXTS = pytest.mark.parametrize(
    ("known", "name", "options"),
    [
        pytest.param(known, *golden, id=golden[0])
        for known in FORMATS
        for golden in GOLDEN[known.name]
    ],
)


def hands_of(known: Format, seed: int = 0, count: int = 40) -> list[HandRecord]:
    rng = np.random.default_rng(seed)
    games = GAMES[known.name]
    return [random_record(rng, games[n % len(games)], number=n) for n in range(count)]


def text_of(known: Format, hands: list[HandRecord], options: WriteOptions = PLAIN) -> str:
    assert known.write is not None
    pieces = list(known.write(hands, options))
    assert not [piece for piece in pieces if isinstance(piece, Skipped)]
    return "".join(map(str, pieces))


def read_text(known: Format, text: str) -> list[HandRecord | Skipped]:
    return list(known.read(io.StringIO(text), ReadOptions()))


def test_every_format_is_tested() -> None:
    assert set(GOLDEN) == {known.name for known in FORMATS}
    assert set(GAMES) == {known.name for known in WRITTEN}


@TEXTS
@pytest.mark.slow(only=["hands.ohh"])
def test_a_format_keeps_to_its_contracts(known: Format, name: str, options: WriteOptions) -> None:
    hands = hands_of(known) if known.write is not None else ()
    check_format(
        known,
        (FOLDER / name).read_text(encoding="utf-8"),
        hands=hands,
        header=1 if known.name in ("acpc", "transcript") else 0,
        is_one_object=known.name in ONE_OBJECT,
    )


@pytest.mark.parametrize("known", WRITTEN, ids=lambda known: known.name)
@pytest.mark.parametrize("seed", range(1, 5))
def test_what_is_written_reads_back(known: Format, seed: int) -> None:
    check_format(known, "", hands=hands_of(known, seed), only=["written text"])


@pytest.mark.parametrize("known", WRITTEN, ids=lambda known: known.name)
def test_unknown_cards_read_back(known: Format) -> None:
    hands = [
        dataclasses.replace(hand, holes=(None, *hand.holes[1:]), low_first=hand.low_first & ~1)
        for hand in hands_of(known, count=80)
        if hand.payoffs[0] < 0
    ]
    assert len(hands) > 20
    check_format(known, "", hands=hands, only=["written text"])


@TEXTS
def test_what_is_read_is_written_back_byte_for_byte(
    known: Format, name: str, options: WriteOptions
) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    hands = [hand for hand in read_text(known, text) if isinstance(hand, HandRecord)]
    assert len(hands) == len(read_text(known, text)) >= 3
    if known.write is not None:
        assert text_of(known, hands, options) == text


@TEXTS
def test_the_format_is_found_out(known: Format, name: str, options: WriteOptions) -> None:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines(keepends=True)
    assert detect(lines) is known
    assert detect(["\n", *lines]) is known


@TEXTS
def test_every_way_in_reads_the_same(
    known: Format, name: str, options: WriteOptions, tmp_path: Path
) -> None:
    content = (FOLDER / name).read_bytes()
    (tmp_path / "packed").write_bytes(gzip.compress(content))
    (tmp_path / "windows").write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))
    hands = read_text(known, content.decode())
    assert list(read(FOLDER / name)) == hands
    assert list(read(str(FOLDER / name), format_name=known.name)) == hands
    assert list(read(tmp_path / "packed")) == hands
    assert list(read(tmp_path / "windows")) == hands
    assert list(read(io.BytesIO(content))) == hands


@TEXTS
def test_hands_say_where_they_were_read(known: Format, name: str, options: WriteOptions) -> None:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    for hand in read(FOLDER / name):
        assert isinstance(hand, HandRecord)
        assert hand.source is not None
        assert hand.source.file == str(FOLDER / name)
        head = "".join(lines[hand.source.line - 1 : hand.source.line + 1])
        digits = head.replace(",", "").replace("-", "")
        assert (hand.number_text or str(hand.number)) in digits


@TEXTS
def test_two_players_of_one_name_are_skipped(
    known: Format, name: str, options: WriteOptions
) -> None:
    hand = next(read(FOLDER / name))
    assert isinstance(hand, HandRecord)
    first, second = hand.players[:2]
    skipped = next(read(FOLDER / name, rename={first: second}))
    assert isinstance(skipped, Skipped)
    assert skipped.reason is SkipReason.SAME_NAME


@TEXTS
def test_what_no_reader_has_foreseen_loses_its_hand_alone(
    known: Format, name: str, options: WriteOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = list(read(FOLDER / name))
    second = hands[min(1, len(hands) - 1)]
    assert isinstance(second, HandRecord)
    assert second.source is not None
    made = HandRecord.__init__

    def fail_once(record: HandRecord, **fields: Any) -> None:
        made(record, **fields)
        if record == second:
            raise RuntimeError("what nobody has foreseen")

    monkeypatch.setattr(HandRecord, "__init__", fail_once)
    found = list(read(FOLDER / name))
    (skipped,) = [hand for hand in found if isinstance(hand, Skipped)]
    assert [hand for hand in found if hand is not skipped] == [h for h in hands if h != second]
    assert (skipped.reason, skipped.line) == (SkipReason.UNREADABLE, second.source.line)
    assert skipped.detail.endswith("RuntimeError: what nobody has foreseen")


@pytest.mark.parametrize("known", WRITTEN, ids=lambda known: known.name)
def test_writing_skips_what_cannot_be_said(known: Format, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    antes = dataclasses.replace(GAMES["acpc"][1], antes=chips([1, 1, 1]))
    strange = dataclasses.replace(random_record(rng, antes), denomination=Fraction(1, 7))
    hands = hands_of(known, count=3)
    mixed = [hands[0], strange, *hands[1:]]
    heard: list[Skipped] = []
    written = write(mixed, tmp_path / "out", format_name=known.name, on_skip=heard.append)
    assert written.hands == 3
    assert written.skipped == {SkipReason.NOT_REPRESENTABLE: 1}
    assert [skipped.reason for skipped in heard] == [SkipReason.NOT_REPRESENTABLE]
    assert list(read(tmp_path / "out")) == hands


def test_text_of_no_format_is_refused_in_one_line() -> None:
    for content in (b"", b"\n\n", b"hello\nworld\n", bytes(range(256)) * 10):
        with pytest.raises(BadInput, match=r"is empty|no known format") as caught:
            read(io.BytesIO(content))
        assert "\n" not in str(caught.value)
    with pytest.raises(BadInput, match=r"no format 'xhh'; did you mean .*phh"):
        format_named("xhh")


@pytest.mark.parametrize("known", WRITTEN, ids=lambda known: known.name)
@pytest.mark.parametrize("stack", [None, 300])
def test_spread_limit_is_read_back_or_refused(
    known: Format, stack: int | None, tmp_path: Path
) -> None:
    rules = spread_limit_holdem(4, blinds=(10, 20), bets=(10, 50), stack=stack)
    hand = random_record(np.random.default_rng(5), rules)
    written = write([hand], tmp_path / "out", format_name=known.name)
    if written.hands:
        assert list(read(tmp_path / "out")) == [hand]
    else:
        assert written.skipped == {SkipReason.NOT_REPRESENTABLE: 1}
        assert known.name != "phh"
