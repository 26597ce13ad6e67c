"""``railbird exam``: a player's row beside the references, and a person's answers."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from helpers import calling_model as calling_model_program
from helpers.command_line import call, call_json
from railbird.arena import exam_decisions
from railbird.arena.exam_decisions import ExamCost, ExamKind, ExamQuestion
from railbird.arena.examination import ExamAnswer
from railbird.cli import exam
from railbird.errors import BadInput
from railbird.game import Call, Fold, Raise, legal, view
from railbird.units import Chips

BETS = (ExamKind.HEADS_UP, ExamKind.PRIZES)


@pytest.fixture
def without_rivers() -> Iterator[None]:
    """Examinations of all-in bets alone, which are drawn in a moment."""
    draw = exam_decisions.draw_exam

    def drawn(seed: int, count: int, **how: object) -> tuple[ExamQuestion, ...]:
        return draw(seed, count, kinds=BETS)

    with mock.patch.object(exam_decisions, "draw_exam", drawn):
        yield


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def type_lines(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))

    return type_lines


@pytest.mark.usefixtures("without_rivers")
def test_json_has_the_loss_and_the_rows_beside(capsys: pytest.CaptureFixture[str]) -> None:
    document = call_json(capsys, "exam", "always-fold", "--count", "20", "--seed", "3")
    loss = document["ev_lost_mbb"]
    assert loss["low"] <= loss["value"] <= loss["high"]
    assert (document["player"], document["count"], document["seed"]) == ("always-fold", 20, 3)
    assert document["illegal"] == document["late"] == document["exception"] == 0
    assert {kind: part["count"] for kind, part in document["by_kind"].items()} == {
        "heads_up": 7,
        "prizes": 13,
    }
    beside = {row["player"]: row["ev_lost_mbb"]["value"] for row in document["beside"]}
    assert beside["the solution"] == 0
    assert list(beside)[2:] == ["tight:nolimit", "always-call"]


@pytest.mark.usefixtures("without_rivers")
def test_a_person_answers_until_they_stop(
    capsys: pytest.CaptureFixture[str], typed: Callable[[str], None]
) -> None:
    typed("f\nhello\nr 50\nc\nq\n")
    code, out, err = call(capsys, "exam", "human")
    assert code == 0
    assert "'hello'; allowed: f, c" in err
    assert "'r 50'; allowed: f, c" in err
    assert "(2 of 20)" in err
    assert len(re.findall("Right[.]|The best known|That costs", err)) == 2
    assert "stopped after 2 of 20 decisions" in err
    assert "2 decisions" in out
    assert out.index("you") < out.index("the solution")


@pytest.mark.usefixtures("without_rivers")
def test_a_person_who_answers_nothing_gets_one_line(
    capsys: pytest.CaptureFixture[str], typed: Callable[[str], None]
) -> None:
    typed("")
    code, out, err = call(capsys, "exam", "human")
    assert (code, out) == (1, "")
    assert err.strip().splitlines()[-1].endswith("no decision was answered")


@pytest.mark.parametrize(
    ("low", "value", "high", "words"),
    [
        (40.2, 51.0, 63.7, "That costs 40 to 64 thousandths of a big blind. It is better to "),
        (51.0, 51.0, 51.0, "That costs 51 thousandths of a big blind. It is better to "),
        (-3.0, 4.0, 12.0, "Yours costs at most 12 thousandths of a big blind more."),
    ],
)
def test_a_person_is_told_what_an_answer_cost(
    low: float, value: float, high: float, words: str
) -> None:
    question = exam_decisions.draw_exam(1, 20, kinds=BETS)[0]
    best = question.best()
    worse = Fold() if best == Call() else Call()
    answer = ExamAnswer(question, worse, ExamCost.of(value, low, high))
    assert words in exam.words_of_cost(answer)
    right = ExamAnswer(question, best, ExamCost.of(0, 0, 0))
    assert exam.words_of_cost(right) == "Right. No action is better."


def test_what_a_person_types_is_read_strictly() -> None:
    *_, last = exam_decisions.draw_exam(1, 20, kinds=BETS)[0].steps()
    state = last.before if last.before.min_raise_to is not None else last.after
    allowed = legal(last.after)
    assert exam._action_of(" FOLD ", allowed) == Fold()
    assert exam._action_of("k", allowed) == Call()
    with pytest.raises(BadInput):
        exam._action_of("raise", allowed)
    if state.actor is not None and state.min_raise_to is not None:
        open_bet = view(state, state.actor).legal
        assert exam._action_of(f"raise to {open_bet.min_raise_to}", open_bet) == Raise(
            Chips(int(open_bet.min_raise_to or 0))
        )
        for text in ("r 1e3", "r -5", "r 99999999999", "r ٣", ""):
            with pytest.raises(BadInput, match="allowed: "):
                exam._action_of(text, open_bet)


def test_bad_counts_and_players_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, "exam", "killer", "--count", "3")
    assert code == 2
    assert "20" in err


@pytest.mark.slow
def test_a_player_of_another_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, "exam", "vexbot", "--count", "20")
    assert (code, out) == (2, "")
    assert "vexbot: it plays heads-up limit" in err


@pytest.mark.slow
def test_rivers_are_asked_too(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "exam", "always-call", "--count", "20", "--json")
    assert code == 0
    assert json.loads(out)["by_kind"]["river"]["count"] == 14


@pytest.fixture
def calling_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that speaks the form of a model's interface, at the address of the environment."""
    script = str(Path(calling_model_program.__file__))
    with subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        monkeypatch.setenv("RAILBIRD_LLM_URL", f"http://127.0.0.1:{port}/v1")
        monkeypatch.setenv("RAILBIRD_LLM_KEY", "secret-of-the-test")
        yield
        assert process.stdin is not None
        process.stdin.close()


def _exam_as_process(*arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "railbird", "exam", *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


@pytest.mark.slow
@pytest.mark.usefixtures("calling_model")
def test_what_answers_over_http_is_examined_as_a_player_here() -> None:
    """A program that always calls, asked as a model is, loses what always-call loses, exactly."""
    document = _exam_as_process("llm:calls", "--count", "60", "--seed", "3")
    (same,) = (row for row in document["beside"] if row["player"] == "always-call")
    assert document["count"] == 60
    assert document["illegal"] == document["late"] == 0
    for field in ("value", "low", "high"):
        assert document["ev_lost_mbb"][field] == pytest.approx(same["ev_lost_mbb"][field])
    assert set(document["by_kind"]) == {"river", "heads_up", "prizes"}


@pytest.mark.slow
@pytest.mark.usefixtures("calling_model")
def test_answers_over_http_that_are_no_actions_are_apart() -> None:
    document = _exam_as_process("llm:mute", "--count", "20", "--seed", "3")
    assert document["illegal"] == 20
    assert document["ev_lost_mbb"]["value"] is None
