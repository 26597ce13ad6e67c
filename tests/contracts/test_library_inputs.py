"""Texts, paths and objects where the library takes cards, ranges, settings, hands and options."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from polars.testing import assert_frame_equal

from railbird.arena import Dealing, Match, Seating, play
from railbird.arena.settings import HANDS
from railbird.assessment import (
    HandScore,
    MatchAssessment,
    SmoothedScore,
    assess,
    find_table,
    score_hand,
)
from railbird.assessment.divat.any_game import score_table_hand
from railbird.baseline import STANDARD, parse_settings, parse_smoothing
from railbird.cards import Range, cards_from, parse_cards, parse_holding, strength
from railbird.cli._play import chunk_for, rules_of
from railbird.cli.match import command
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Action, Call, View, replay
from railbird.histories import format_game, read, read_columns, read_game, write
from railbird.odds import (
    Mode,
    equity,
    hand_odds,
    hand_strength,
    joint_hand_strength,
    model_odds,
    potential,
)

HELD, FLOP = parse_holding("AcKc"), parse_cards("Kd9s2h")
HOLDINGS: list[Any] = [HELD, np.int64(HELD), "AcKc", "k♣-a♣", ["Ac", "Kc"], parse_cards("AcKc")]
BOARDS: list[Any] = [FLOP, list(FLOP), np.array(FLOP, np.uint8), "Kd9s2h", ["Kd", "9s", "2h"]]


@pytest.mark.parametrize("board", BOARDS, ids=repr)
@pytest.mark.parametrize("hole", HOLDINGS, ids=repr)
def test_cards_may_be_written(hole: Any, board: Any) -> None:
    assert hand_strength(hole, board) == hand_strength(HELD, FLOP)


def test_every_question_about_odds_reads_texts() -> None:
    assert hand_odds("AcKc", "Kd9s2h") == hand_odds(HELD, FLOP)
    assert potential("AcKc", "Kd9s2h", weights="QQ+") == potential(
        HELD, FLOP, weights=Range.parse("QQ+").weights
    )
    assert model_odds("AcKc", "Kd9s2h", ["QQ+"]) == model_odds(HELD, FLOP, [Range.parse("QQ+")])
    anything = np.ones(1326)
    assert joint_hand_strength("AcKc", "Kd9s2h", "random", "random") == pytest.approx(
        joint_hand_strength(HELD, FLOP, anything, anything)
    )
    texts = equity(["AcKc", "QQ+"], "Kd9s2h", mode="exact")
    assert texts == equity([HELD, Range.parse("QQ+")], FLOP, mode=Mode.EXACT)
    assert equity([["Ac", "Kc"], "QQ+"], "Kd9s2h") == texts
    assert strength("TsJsQsKsAs") == strength(parse_cards("TsJsQsKsAs"))
    assert Range.full().without("AcKc") == Range.full().without(cards_from("AcKc"))


def test_a_record_may_be_written() -> None:
    state = replay(HEADS_UP_LIMIT, ["AsKs", None], "", [])
    assert state.holdings[0] == parse_holding("AsKs")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    log = tmp_path_factory.mktemp("logs") / "tom.log"
    match = Match(players=("random", "baseline"), rules=HEADS_UP_LIMIT, deals=40, seed=3)
    play(match, log=str(log))
    return log


def same(one: MatchAssessment, other: MatchAssessment) -> None:
    assert_frame_equal(one.scores, other.scores)
    assert one.settings == other.settings


@pytest.mark.slow
def test_hands_are_taken_from_wherever_they_are(log: Path) -> None:
    whole = assess(read(log))
    same(assess(log), whole)
    same(assess(str(log)), whole)
    same(assess([log]), whole)
    same(assess(read_columns(log)), whole)
    same(assess(list(read(log))), whole)
    with log.open("rb") as stream:
        assert_frame_equal(assess(stream).scores.drop("file"), whole.scores.drop("file"))
    twice = assess([log, str(log)])
    assert (twice.hands, twice.integrity.merged) == (whole.hands, whole.hands)


@pytest.mark.slow
def test_one_hand_is_assessed_and_scored_as_text_or_record(log: Path) -> None:
    text = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"
    (first, *_) = read(log)
    assert assess(first).hands == 1  # type: ignore[arg-type]
    score = score_hand(text, "tight-low")
    assert isinstance(score, HandScore)
    assert score.settings == parse_settings("tight-low")


@pytest.mark.parametrize("times", [2, 1000])
@pytest.mark.parametrize("name", [str, Path, lambda text: [text]], ids=["text", "path", "list"])
def test_the_text_of_a_log_is_no_path(log: Path, name: Any, times: int) -> None:
    text = "".join(log.read_text().splitlines(keepends=True)[:times])
    with pytest.raises(BadInput) as refused:
        assess(name(text))
    said = str(refused.value)
    assert len(said) < 150
    assert said.splitlines() == [said]
    assert said.endswith("is no path of a log; allowed for text: io.BytesIO(text.encode())")
    whole = io.BytesIO(log.read_bytes())
    assert assess(whole).hands == 40


def test_a_name_that_no_file_can_have_is_refused() -> None:
    for name in ("x" * 5000, "x\0y\nz", "x\n"):
        with pytest.raises(BadInput, match="is no path of a log"):
            assess(name)


def test_a_file_may_have_a_line_break_in_its_name(log: Path, tmp_path: Path) -> None:
    odd = tmp_path / "two\nlines.log"
    odd.write_bytes(log.read_bytes())
    assert assess(odd).hands == 40


BOTH = "standard+tight-low"


@pytest.mark.slow
@pytest.mark.parametrize("settings", [BOTH, [BOTH], ["standard", "tight-low"]], ids=str)
def test_settings_are_averaged_as_on_the_command_line(log: Path, settings: Any) -> None:
    averaged = parse_smoothing(BOTH)
    same(assess(log, settings=settings), assess(log, settings=averaged))
    text = "As8s,9d9c,Td2hKh/3c/4c SlCk/kK/bC/kK"
    alone = tuple(score_hand(text, one) for one in averaged)
    score = score_hand(text, settings)
    assert isinstance(score, SmoothedScore)
    assert score.scores == alone
    assert score.divat == pytest.approx((alone[0].divat + alone[1].divat) / 2)
    assert alone[0].divat != alone[1].divat
    assert score.to_polars().height == 4
    assert score_table_hand(text, settings, boards=8, position_deals=8).settings == BOTH


@pytest.mark.slow
def test_settings_may_be_written(log: Path) -> None:
    tight, loose = parse_settings("tight-low"), parse_settings("loose-low")
    same(assess(log, settings="tight-low"), assess(log, settings=tight))
    same(assess(log, settings=["tight-low", loose]), assess(log, settings=[tight, loose]))
    assert find_table("standard") is not None
    assert find_table(STANDARD) is not None


def test_what_was_skipped_in_reading_is_skipped_in_writing(log: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.log"
    lines = log.read_text().splitlines(keepends=True)
    hand = next(i for i, line in enumerate(lines) if line.startswith("STATE:"))
    lines[hand] = lines[hand].replace("STATE:0:", "STATE:0:x")
    broken.write_text("".join(lines))
    heard: list[Any] = []
    written = write(read(broken), tmp_path / "out.phhs", on_skip=heard.append)
    assert (written.hands, sum(written.skipped.values()), len(heard)) == (39, 1, 1)


def test_options_may_be_written() -> None:
    written = Match(
        players=("random", "baseline"),
        rules=HEADS_UP_LIMIT,
        deals=2,
        seed=1,
        seating="duplicate",  # type: ignore[arg-type]
        dealing="acpc",  # type: ignore[arg-type]
    )
    assert (written.seating, written.dealing) == (Seating.DUPLICATE, Dealing.ACPC)
    with pytest.raises(BadInput, match="no mode 'exactly'; did you mean exact"):
        equity(["AA", "KK"], mode="exactly")


def test_a_match_of_players_alone_is_that_of_the_command() -> None:
    match = Match(players=("random", "baseline"))
    options: dict[str | None, Any] = {one.name: one.default for one in command.params}
    assert match.rules == rules_of(options["game"])
    assert (match.deals, match.seed) == (HANDS, options["seed"])
    assert match.chunk == chunk_for(match.specs)
    assert Seating(match.seating) is Seating.SINGLE
    assert match.dealing == Dealing(options["dealer"])


def test_an_object_plays_without_further_options() -> None:
    class Bot:
        """Checks or calls every time."""

        def reset(self, rng: np.random.Generator) -> None:
            pass

        def act(self, view: View) -> Action:
            return Call()

    result = play(Match(players=(Bot(), "always-call")))
    assert result.match.names == ("Bot", "always-call")
    assert result.match.hands == HANDS


def test_a_game_is_read_from_a_path_as_text(tmp_path: Path) -> None:
    (tmp_path / "a.game").write_text(format_game(HEADS_UP_LIMIT))
    assert read_game(str(tmp_path / "a.game")) == HEADS_UP_LIMIT


def late(function: Any, *args: Any, **options: Any) -> Any:
    """A call of what a type checker would refuse."""
    return partial(function, *args, **options)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (late(hand_odds, 3.5), "3.5 (float) is no holding; allowed: two cards, or text"),
        (late(hand_odds, "AcKc", 7), "7 (int) is no run of cards; allowed: text such as Td5hTh"),
        (late(hand_odds, 5000), "no holding has the number 5000; allowed: 0 to 1325"),
        (late(hand_odds, "AcKc", opponents="two"), "opponents is 'two' (str); allowed: int"),
        (
            late(assess, 3),
            "3 (int) is no log; allowed: a path, hands, the result of a match, or a list of such",
        ),
        (late(assess, [], settings=3), "settings is 3 (int); allowed: BaselineSettings | str"),
        (late(equity, "AA"), "equity needs 2 to 10 hands, got the text 'AA'"),
    ],
)
def test_a_refusal_says_what_was_got_and_what_is_allowed(call: Any, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        call()
    assert str(refused.value).startswith(said)
