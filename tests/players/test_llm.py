"""A language model at the table, played by a local server that speaks the form of its interface.

No model was asked: the server answers by rules, and now and then as models do that get it wrong.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema_rs import is_valid

from railbird.arena import Fault, Match, play
from railbird.arena.exam_decisions import ExamKind, draw_exam
from railbird.arena.examination import examine_on
from railbird.cli import run
from railbird.errors import BadInput
from railbird.game import (
    Call,
    Fold,
    HandDealer,
    Legal,
    Raise,
    Street,
    View,
    acpc_rules,
    no_limit_holdem,
    view,
)
from railbird.game.deal import seeded_deals
from railbird.players import IllegalAnswer, make_player
from railbird.players.llm import (
    RECORD_VARIABLE,
    LanguageModelPlayer,
    action_in,
    legal_answers,
    recorded_usage,
)
from railbird.units import Chips, Seat

KEY = "secret-of-the-test"


class Server:
    """Answers chat completions by a function of the prompt; keeps what it was asked."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        self.asked: list[tuple[dict[str, Any], str | None]] = []
        self.statuses: list[int] = []
        self.headers: dict[str, str] = {}
        self.usage: dict[str, int] = {"total_tokens": 100}
        self.finish = "stop"
        self.refused = ""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append((body, self.headers.get("Authorization")))
                status = outer.statuses.pop(0) if outer.statuses else 200
                if outer.refused in body:
                    content = b"Unsupported: use 'max_completion_tokens' instead."
                    self.send_response(400)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                    return
                said = answer(body["messages"][-1]["content"])
                told = {
                    "choices": [
                        {
                            "message": {"role": "assistant", "content": said},
                            "finish_reason": outer.finish,
                        }
                    ],
                    "usage": outer.usage,
                }
                content = json.dumps(told).encode()
                self.send_response(status)
                if status != 200:
                    for name, value in outer.headers.items():
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}/v1"


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[str], str]], Server]]:
    running: list[Server] = []

    def start(answer: Callable[[str], str]) -> Server:
        server = Server(answer)
        running.append(server)
        monkeypatch.setenv("RAILBIRD_LLM_URL", server.address)
        monkeypatch.setenv("RAILBIRD_LLM_KEY", KEY)
        return server

    yield start
    for server in running:
        server.http.shutdown()
        server.http.server_close()


def a_view() -> View:
    rules = no_limit_holdem(2, blinds=(50, 100), stack=20_000)
    dealer = HandDealer.of_row(rules, seeded_deals(np.random.default_rng(7), seats=2, deals=1)[0])
    dealer.begin()
    assert dealer.asks is not None
    return view(dealer.state, dealer.asks)


def test_answers_are_read_strictly() -> None:
    shown = a_view()
    for said, action in (
        ('{"action": "call"}', Call()),
        ('I think.\n{"action": "fold"}\n', Fold()),
        ('{"action": "fold"} no, {"action": "raise", "to": 300}', Raise(300)),  # type: ignore[arg-type]
        ('```json\n{"action": "RAISE", "to": 20000}\n```', Raise(20_000)),  # type: ignore[arg-type]
    ):
        assert action_in(said, shown) == action
    for said in (
        "",
        "I call",
        '{"action": "check"}',
        '{"action": "raise"}',
        '{"action": "raise", "to": 150}',
        '{"action": "raise", "to": 20001}',
        '{"action": "raise", "to": 300.5}',
        '{"action": "raise", "to": 1e999}',
        '{"action": "raise", "to": NaN}',
        '{"action": ["call"]}',
        "{" * 10_000,
    ):
        with pytest.raises(IllegalAnswer):
            action_in(said, shown)


def test_a_match_is_played_recorded_and_its_faults_counted(
    serve: Callable[[Callable[[str], str]], Server],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    turn = iter(range(10**6))

    def answer(prompt: str) -> str:
        if next(turn) % 10 == 9:
            return "I would like to think about it."
        word = "check" if '"check"' in prompt else "call"
        return json.dumps({"action": word})

    server = serve(answer)
    record = tmp_path / "record.jsonl"
    monkeypatch.setenv("RAILBIRD_LLM_RECORD", str(record))
    rules = no_limit_holdem(2, blinds=(50, 100), stack=20_000)
    players = ("llm:model-1,prompt_price=3", "always-call")
    match = Match(rules=acpc_rules(rules), players=players, deals=20, seed=3)
    result = play(match, log=tmp_path / "match.log")
    entries = [json.loads(line) for line in record.read_text().splitlines()]
    wrong = [entry for entry in entries if entry["problem"]]
    assert wrong
    assert all("no action" in entry["problem"] for entry in wrong)
    assert "Legal actions:" in entries[0]["prompt"]
    faults = result.faults[0].as_json()
    assert faults["illegal"]["count"] == len(wrong)
    assert all(key == f"Bearer {KEY}" for _, key in server.asked)
    assert {body["model"] for body, _ in server.asked} == {"model-1"}
    capsys.readouterr()
    for how in ([], ["--show", "league"]):
        command = ["assess", str(tmp_path / "match.log"), *how, "--record", str(record)]
        assert run([*command, "--json"]) == 0
        (usage,) = json.loads(capsys.readouterr().out)["usage"]
        assert (usage["model"], usage["questions"]) == ("model-1", len(entries))
        assert usage["prompt_tokens"] == 100 * len(entries)
        assert usage["seconds"] == pytest.approx(sum(entry["seconds"] for entry in entries))
        assert usage["price"] == pytest.approx(0.0001 * len(entries) * 3)
        assert run(command) == 0
        assert f"{100 * len(entries):,}" in capsys.readouterr().out
    for path in tmp_path.iterdir():
        assert KEY not in path.read_text()
        assert server.address not in path.read_text()


@pytest.mark.parametrize(
    "line",
    ["", "{}", "[1]", "no JSON", '{"model": 3}', json.dumps({"model": "m", "price": -1.0})],
    ids=repr,
)
def test_a_record_with_another_line_is_refused(tmp_path: Path, line: str) -> None:
    good = {"model": "m", "prompt_tokens": 3, "completion_tokens": 1, "seconds": 0.5, "price": 0}
    record = tmp_path / "record.jsonl"
    record.write_text(json.dumps(good) + "\n" + json.dumps(good) + "\n")
    assert recorded_usage(record) == [("m", 2, 2, 6, 2, 1.0, 0)]
    wrong = good | json.loads(line) if line.startswith('{"') else line
    with record.open("a") as lines:
        lines.write((wrong if isinstance(wrong, str) else json.dumps(wrong)) + "\n")
    with pytest.raises(BadInput, match=r"record\.jsonl line 3: .*; allowed: a question"):
        recorded_usage(record)


@pytest.mark.parametrize(
    ("answer", "illegal"), [('{"action": "fold"}', 0), ("I would rather not.", 20)], ids=["y", "n"]
)
def test_a_model_is_examined_and_reads_the_prizes(
    serve: Callable[[Callable[[str], str]], Server], answer: str, illegal: int
) -> None:
    server = serve(lambda prompt: answer)
    decisions = draw_exam(1, 20, kinds=[ExamKind.HEADS_UP, ExamKind.PRIZES])
    result = examine_on("llm:model-1", decisions)
    prompts = [request["messages"][-1]["content"] for request, _ in server.asked]
    assert len(prompts) == 20
    for prompt, decision in zip(prompts, decisions, strict=True):
        assert ("Only prizes count." in prompt) is bool(decision.prizes)
    assert result.faults_of(Fault.ILLEGAL) == illegal
    assert len(result.played) == 20 - illegal


def test_nothing_of_anothers_cards_is_in_a_prompt(
    serve: Callable[[Callable[[str], str]], Server],
) -> None:
    server = serve(lambda prompt: '{"action": "call"}')
    player = make_player("llm:model-1")
    assert isinstance(player, LanguageModelPlayer)
    shown = a_view()
    player.begin(shown)
    assert player.act(shown) == Call()
    prompt = server.asked[0][0]["messages"][-1]["content"]
    assert "Your cards: " in prompt
    assert (
        len(
            [word for word in prompt.split() if word[:1] in "23456789TJQKA" and word[1:2] in "cdhs"]
        )
        <= 2
    )
    assert player.spent.tokens == 100


def test_a_busy_server_is_asked_again_and_a_slow_one_is_late(
    serve: Callable[[Callable[[str], str]], Server],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = serve(lambda prompt: '{"action": "call"}')
    server.statuses += [429, 503]
    record = tmp_path / "record.jsonl"
    monkeypatch.setenv(RECORD_VARIABLE, str(record))
    player = LanguageModelPlayer("model-1")
    assert player.act(a_view()) == Call()
    assert player.spent.requests == 3
    (usage,) = recorded_usage(record)
    assert (usage.questions, usage.requests, usage.price) == (1, 3, None)
    monkeypatch.delenv(RECORD_VARIABLE)
    server.statuses += [401]
    with pytest.raises(IllegalAnswer, match="401"):
        player.act(a_view())
    hold, answered = threading.Event(), list[bool]()

    def answers_late(prompt: str) -> str:
        answered.append(hold.wait(60))
        return prompt

    serve(answers_late)
    late = LanguageModelPlayer("model-1", seconds=0.2)
    with pytest.raises(TimeoutError):
        late.act(a_view())
    assert not answered
    hold.set()


def test_a_budget_ends(serve: Callable[[Callable[[str], str]], Server]) -> None:
    serve(lambda prompt: '{"action": "call"}')
    player = LanguageModelPlayer("model-1", tokens=150)
    for _ in range(2):
        assert player.act(a_view()) == Call()
    with pytest.raises(TimeoutError, match="budget"):
        player.act(a_view())


def test_an_address_is_asked_for_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAILBIRD_LLM_URL", raising=False)
    with pytest.raises(BadInput, match="RAILBIRD_LLM_URL is not set"):
        make_player("llm:model-1")
    with pytest.raises(BadInput, match="RAILBIRD_LLM_URL_TWO is not set"):
        make_player("llm:model-1,at=TWO")
    monkeypatch.setenv("RAILBIRD_LLM_URL", "file:///etc/passwd")
    with pytest.raises(BadInput, match="no address"):
        make_player("llm:model-1")


class Dawdler:
    """Answers on a raw socket, a piece at a time, until nobody listens."""

    def __init__(self, pieces: Callable[[], Iterator[bytes]]) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, args=(pieces,), daemon=True).start()

    def _serve(self, pieces: Callable[[], Iterator[bytes]]) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listening.accept()
                with connection, suppress(OSError):
                    connection.recv(1 << 16)
                    for piece in pieces():
                        connection.sendall(piece)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"


def _drops() -> Iterator[bytes]:
    yield HEAD
    while True:
        yield b" "
        time.sleep(0.02)


def _flood() -> Iterator[bytes]:
    yield HEAD
    while True:
        yield b"[" * 65536


@pytest.mark.parametrize(
    ("pieces", "problem"), [(_drops, TimeoutError), (_flood, IllegalAnswer)], ids=["drops", "flood"]
)
def test_a_reply_without_end_ends(
    pieces: Callable[[], Iterator[bytes]],
    problem: type[Exception],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dawdler = Dawdler(pieces)
    port = dawdler.listening.getsockname()[1]
    monkeypatch.setenv("RAILBIRD_LLM_URL", f"http://127.0.0.1:{port}/v1")
    seconds = 0.3 if problem is TimeoutError else 30
    with pytest.raises(problem):
        LanguageModelPlayer("model-1", seconds=seconds).act(a_view())
    dawdler.listening.close()


def test_a_limit_of_the_newer_name_is_learnt(
    serve: Callable[[Callable[[str], str]], Server],
) -> None:
    server = serve(lambda prompt: '{"action": "call"}')
    server.refused = "max_tokens"
    player = LanguageModelPlayer("model-1", answer=77)
    for _ in range(2):
        assert player.act(a_view()) == Call()
    limits = [{key: body[key] for key in body if "max" in key} for body, _ in server.asked]
    assert limits == [{"max_tokens": 77}, *[{"max_completion_tokens": 77}] * 2]


def test_a_key_that_is_none_is_not_told(
    serve: Callable[[Callable[[str], str]], Server],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    serve(lambda prompt: "")
    monkeypatch.setenv("RAILBIRD_LLM_KEY", f"{KEY}\nX-Other: 1")
    with pytest.raises(BadInput, match="RAILBIRD_LLM_KEY") as told:
        make_player("llm:model-1")
    assert KEY not in str(told.value)
    monkeypatch.setenv("RAILBIRD_LLM_KEY", KEY)
    monkeypatch.setenv("RAILBIRD_LLM_RECORD", str(tmp_path))
    with pytest.raises(BadInput, match="cannot be written"):
        make_player("llm:model-1")


def test_nothing_bounds_an_answer_that_nobody_bounded(
    serve: Callable[[Callable[[str], str]], Server],
) -> None:
    server = serve(lambda prompt: '{"action": "call"}')
    spec = "llm:model-1,temperature=0.5,effort=low,seed=7"
    for given in ("llm:model-1", spec, f"{spec},answer=300"):
        make_player(given).act(a_view())
    plain, chosen, bounded = ({**body} for body, _ in server.asked)
    assert set(plain) == {"model", "messages"}
    options = {"temperature": 0.5, "reasoning_effort": "low", "seed": 7}
    assert {key: chosen[key] for key in chosen if key not in plain} == options
    assert {key: bounded[key] for key in bounded if key not in plain} == {
        **options,
        "max_tokens": 300,
    }
    for wrong in ("effort=much", "temperature=3", "seed=-1", "answer=0", "prompt_price=-1"):
        with pytest.raises(BadInput, match="allowed"):
            make_player(f"llm:model-1,{wrong}")


def test_a_schema_admits_the_legal_answers_alone(
    serve: Callable[[Callable[[str], str]], Server],
) -> None:
    said = {"answer": {"action": "raise", "to": 300}}
    server = serve(lambda prompt: json.dumps(said))
    shown = a_view()
    assert make_player("llm:model-1,schema=on").act(shown) == Raise(300)  # type: ignore[arg-type]
    asked = server.asked[-1][0]["response_format"]["json_schema"]
    assert asked["strict"] is True
    answers: list[Any] = [
        *({"action": word} for word in ("fold", "check", "call", "raise", "allin")),
        *({"action": "raise", "to": to} for to in (199, 200, 201.5, 20_000, 20_001, "300", None)),
        {"action": "fold", "to": 300},
        {"action": "call", "why": "odds"},
    ]
    for answer in answers:
        try:
            action_in(json.dumps({"answer": answer}), shown)
            is_legal = len(answer) == (2 if answer["action"] == "raise" else 1)
        except IllegalAnswer:
            is_legal = False
        assert is_valid(asked["schema"], {"answer": answer}) == is_legal, answer
    assert not is_valid(asked["schema"], answers[0])


@pytest.mark.parametrize(
    ("legal", "words"),
    [
        (Legal(Seat(0), Street.RIVER, Chips(0), None, None, fold=False), ["check"]),
        (Legal(Seat(0), Street.RIVER, Chips(50), None, None, fold=True), ["fold", "call"]),
    ],
)
def test_a_schema_without_raises(legal: Legal, words: list[str]) -> None:
    schema = legal_answers(legal)["json_schema"]["schema"]
    for word in ("fold", "check", "call", "raise"):
        assert is_valid(schema, {"answer": {"action": word}}) == (word in words)
    assert not is_valid(schema, {"answer": {"action": "raise", "to": 100}})


def test_an_answer_that_was_cut_off_says_so(
    serve: Callable[[Callable[[str], str]], Server],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As of a model that thinks: hidden tokens use up the bound, and nothing is said."""
    server = serve(lambda prompt: "")
    server.finish = "length"
    server.usage = {"prompt_tokens": 300, "completion_tokens": 1000, "total_tokens": 1300}
    record = tmp_path / "record.jsonl"
    monkeypatch.setenv("RAILBIRD_LLM_RECORD", str(record))
    player = make_player("llm:model-1,answer=1000,prompt_price=2,completion_price=10")
    with pytest.raises(IllegalAnswer, match="finish_reason is 'length', at most 1,000 tokens"):
        player.act(a_view())
    (entry,) = (json.loads(line) for line in record.read_text().splitlines())
    assert entry["finish_reason"] == "length"
    assert (entry["prompt_tokens"], entry["completion_tokens"]) == (300, 1000)
    assert entry["price"] == pytest.approx(0.0106)
    assert entry["seconds"] >= 0
    server.finish = "stop"
    with pytest.raises(IllegalAnswer, match=r"no action in ''$"):
        player.act(a_view())


@pytest.mark.parametrize(
    "usage",
    [{}, {"prompt_tokens": "many"}, {"prompt_tokens": -1}, {"total_tokens": True}, {"other": 3}],
    ids=str,
)
def test_a_usage_that_does_not_read_is_counted_by_characters(
    serve: Callable[[Callable[[str], str]], Server], usage: dict[str, int]
) -> None:
    server = serve(lambda prompt: '{"action": "call"}')
    server.usage = usage
    player = LanguageModelPlayer("model-1")
    player.act(a_view())
    assert 100 < player.spent.prompt < 1000
    assert 10 < player.spent.completion < 100


def test_a_server_is_asked_again_when_it_says(
    serve: Callable[[Callable[[str], str]], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("railbird.players.llm.time.sleep", waits.append)
    server = serve(lambda prompt: '{"action": "call"}')
    player = LanguageModelPlayer("model-1")
    for said, wait in (
        ("7", 7.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("soon", 0.5),
        ("-3", 0.5),
        ("9" * 30, 0.5),
    ):
        server.statuses, server.headers = [429], {"Retry-After": said}
        assert player.act(a_view()) == Call()
        assert waits.pop() == wait, said
    server.statuses, server.headers = [503], {"Retry-After": "3600"}
    asked = len(server.asked)
    with pytest.raises(TimeoutError, match="answers 503, to be asked again after 3,600 s"):
        player.act(a_view())
    assert len(server.asked) == asked + 1
    assert not waits


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b'{"choices": []}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [null]}',
        b"\xff\xfe",
        b"[" * 50_000,
    ],
    ids=lambda content: content[:20].decode("latin-1"),
)
def test_a_malformed_reply_is_an_illegal_answer(
    content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content)
        yield content

    dawdler = Dawdler(pieces)
    port = dawdler.listening.getsockname()[1]
    monkeypatch.setenv("RAILBIRD_LLM_URL", f"http://127.0.0.1:{port}/v1")
    player = LanguageModelPlayer("model-1")
    with pytest.raises(IllegalAnswer, match="no chat completion"):
        player.act(a_view())
    player.close()
    dawdler.listening.close()


def test_a_prompt_tells_checks_calls_bets_and_raises(
    serve: Callable[[Callable[[str], str]], Server],
) -> None:
    """The button calls, the flop is checked, bet and raised, and so on, with amounts."""
    line = {"preflop": ["call", "check"], "flop": ["check", "bet", "raise", "call"]}
    stories: list[str] = []

    def answer(prompt: str) -> str:
        stories.append(next(line for line in prompt.splitlines() if line.startswith("So far")))
        street = "flop" if "(flop)" in prompt else "preflop"
        if not line.get(street) or ("(preflop)" not in prompt and street == "preflop"):
            return json.dumps({"action": "check" if '"check"' in prompt else "call"})
        word = line[street].pop(0)
        size = {"bet": {"to": 200}, "raise": {"to": 600}}.get(word, {})
        return json.dumps({"action": word, **size})

    server = serve(answer)
    rules = no_limit_holdem(2, blinds=(50, 100), stack=20_000)
    players = ("llm:model-1", "llm:model-2")
    play(Match(rules=acpc_rules(rules), players=players, deals=1, seed=3))
    last = stories[-1]
    for words in ("calls? 50;", "checks?;", "bets? 200;", "raises? to 600;", "calls? 400;"):
        assert re.search(words, last)
    assert not re.search(r"you (checks|calls|bets|raises)|player \d (check|call|bet|raise)\b", last)
    for words in ("checks or calls", "bets or raises"):
        assert words not in "".join(stories)
    told = server.asked[0][0]["messages"][0]["content"]
    assert "any other answer, or none in time, checks where that is free and else folds" in told
