"""A language model as a player of any game: it reads the hand in words, and answers with an action.

`bot_program` is for other programs.

The model is asked through the usual interface for chat completions: a POST of ``model`` and
``messages`` to ``ADDRESS/chat/completions``, answered with ``choices[0].message.content`` and
usually ``usage``. The address and the key come only from the environment, because specs are written
into logs. The variables are ``RAILBIRD_LLM_URL`` and ``RAILBIRD_LLM_KEY``, or with ``at=NAME``
``RAILBIRD_LLM_URL_NAME`` and ``RAILBIRD_LLM_KEY_NAME``, so models of two makers can sit at one
table.

Every decision is a fresh question, without memory of earlier hands. If a reply contains no action
or an illegal one, the player checks or folds, and the reply counts as illegal. If a reply takes
longer than ``seconds``, or the budget of ``tokens`` is spent, the player checks or folds too, and
the decision counts as late. A missing answer is never replaced by a call, since a model that cannot
answer must not look like one that calls. With ``RAILBIRD_LLM_RECORD=FILE``, each prompt and answer
is written to a file as a line of JSON, with tokens, seconds and price, but without the key.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from railbird._option_fields import Between, Description
from railbird.errors import BadInput
from railbird.game import Action, Call, Event, Fold, Legal, Raise, View
from railbird.players.hand_in_words import HandInWords
from railbird.players.protocol import IllegalAnswer
from railbird.units import Chips

URL_VARIABLE: Final = "RAILBIRD_LLM_URL"
KEY_VARIABLE: Final = "RAILBIRD_LLM_KEY"
RECORD_VARIABLE: Final = "RAILBIRD_LLM_RECORD"
TOKENS: Final = 1_000_000
SECONDS: Final = 60.0
_LONGEST_REPLY: Final = 1 << 20
_LONGEST_RECORDED: Final = 1 << 16
_NEWER: Final = "max_completion_tokens"
_LONGEST_REASON: Final = 40
_MILLION: Final = 1_000_000
_PAUSE_S: Final = 0.5
_OBJECT: Final = re.compile(r"\{[^{}]{0,400}\}")
_MODEL: Final = re.compile(r"[A-Za-z0-9._:/@+-]{1,100}")
_KEY: Final = re.compile(r"[!-~]{0,4000}")
_PLACE: Final = re.compile(r"[A-Za-z0-9_]{1,32}")
_writing = threading.Lock()

_RULES: Final = (
    "You play Texas hold'em for chips. You see one decision at a time. Answer with one JSON object"
    ' and nothing after it: {"action": "fold"}, {"action": "check"}, {"action": "call"}, or'
    ' {"action": "raise", "to": N}, where N is the total of your chips on this street after the'
    " bet or raise. Only the legal actions listed are accepted; any other answer, or none in time,"
    " checks where that is free and else folds your hand."
)

PROMPT_DIGEST: Final = hashlib.sha256(_RULES.encode()).hexdigest()
"""SHA-256 of the text with which every question begins; the rest of a question is the hand."""


@dataclass(slots=True)
class Spent:
    """What a model has used so far."""

    requests: int = 0
    prompt: int = 0
    """Tokens of prompts."""
    completion: int = 0
    """Tokens of answers, thoughts included."""

    @property
    def tokens(self) -> int:
        """All tokens: the server's count, or a quarter of the characters if it gives none."""
        return self.prompt + self.completion


class Usage(NamedTuple):
    """What the answers of a model took, from the record of its questions."""

    model: str
    questions: int = 0
    requests: int = 0
    """Requests to the server; more than the questions if a busy server was asked again."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    price: float | None = None
    """Price in the currency of the player's options; None if they give none."""

    def plus(self, question: Mapping[str, Any]) -> Usage:
        """Return the usage with one more question."""
        price = question["price"]
        return Usage(
            model=self.model,
            questions=self.questions + 1,
            requests=self.requests + question["requests"],
            prompt_tokens=self.prompt_tokens + question["prompt_tokens"],
            completion_tokens=self.completion_tokens + question["completion_tokens"],
            seconds=self.seconds + question["seconds"],
            price=self.price if price is None else (self.price or 0.0) + price,
        )


def recorded_usage(record: Path) -> list[Usage]:
    """Add up a record by model, with models in the order of their first questions.

    Raises `BadInput` for a line that is not a question.
    """
    usage: dict[str, Usage] = {}
    with record.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            try:
                entry = {"requests": 1} | json.loads(line)
                *amounts, price = (entry[name] for name in Usage._fields[2:])
                model = entry["model"]
            except (ValueError, KeyError, TypeError, RecursionError):
                entry, model, amounts, price = {}, None, [], None
            amounts += [] if price is None else [price]
            if not isinstance(model, str) or not all(map(_is_amount, amounts)):
                raise BadInput(
                    f"{record} line {number}: {line.strip()[:60]!r}; allowed: a question to a "
                    f"model, as {RECORD_VARIABLE} records them"
                )
            usage[model] = usage.get(model, Usage(model)).plus(entry)
    return list(usage.values())


def _is_amount(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value < 1 << 53  # type: ignore[operator]


class _Reply(NamedTuple):
    """What a server answered."""

    status: int
    """The HTTP status; 0 if the server did not answer."""
    content: bytes
    """The body of the answer, or the problem if there was none."""
    retry_after: float | None = None
    """Seconds that the server asks to wait."""


@dataclass(slots=True)
class LanguageModelPlayer:
    """Asks a model at each decision."""

    model: Annotated[
        str,
        Description("the model to ask", allowed="the model's name, as its server knows it"),
    ] = ""
    at: Annotated[
        str,
        Description(
            "which of several servers has it",
            allowed="NAME, for RAILBIRD_LLM_URL_NAME and RAILBIRD_LLM_KEY_NAME",
        ),
    ] = ""
    tokens: Annotated[
        int,
        Between(1, 1e12),
        "budget of tokens for all hands; beyond it the player checks or folds",
    ] = TOKENS
    """Tokens of prompts and answers for all hands together."""
    seconds: Annotated[float, Between(0.1, 86_400), "time for a decision"] = SECONDS
    """Time for one decision, including all retries."""
    answer: Annotated[
        int | None,
        Between(1, 1e6),
        "most tokens of one answer, thoughts included; by default the server's",
    ] = None
    """Most tokens of one answer, thoughts included; by default the server's own bound.

    A model that thinks before it answers would use up any limit meant for the answer alone.
    """
    temperature: Annotated[
        float | None, Between(0, 2), "how freely it draws its words; by default the server's"
    ] = None
    effort: Annotated[
        Literal["none", "minimal", "low", "medium", "high"] | None,
        "effort of reasoning; by default the server's",
    ] = None
    """Reasoning effort, under the server's own names."""
    seed: Annotated[
        int | None, Between(0, 2**31 - 1), "seed of its draws, where the server knows one"
    ] = None
    """Seed of the model's draws, if its server takes one."""
    schema: Annotated[
        bool, "whether the server is asked to let the model write a legal action and nothing else"
    ] = False
    """Whether each question carries the JSON schema of its legal answers.

    A server that knows structured output then admits no other answer, so a small model can be
    examined for its play. It also takes away what a model would think aloud before it answers.
    """
    prompt_price: Annotated[
        float, Between(0, 1e6), "price of a million tokens of prompts, for the record"
    ] = 0.0
    """Price of a million tokens of prompts, in any currency."""
    completion_price: Annotated[
        float, Between(0, 1e6), "price of a million tokens of answers, for the record"
    ] = 0.0
    """Price of a million tokens of answers."""
    spent: Spent = field(default_factory=Spent)
    _words: HandInWords = field(default_factory=HandInWords)
    _connection: http.client.HTTPConnection | None = None
    _limit: str = "max_tokens"
    """The server's name for the limit on an answer's tokens."""
    _hand: int = 0
    _finish: str = ""
    """Why the model ended its last answer, as its server says."""

    def __post_init__(self) -> None:
        if not _MODEL.fullmatch(self.model):
            raise BadInput(
                f"llm:{self.model}; allowed: llm:MODEL, a name of letters, digits and . _ : / @ + -"
            )
        if self.at and not _PLACE.fullmatch(self.at):
            raise BadInput(f"llm: at={self.at}; allowed: letters, digits and _")
        self._address()
        if not _KEY.fullmatch(os.environ.get(self._variable(KEY_VARIABLE), "")):
            raise BadInput(f"llm: {self._variable(KEY_VARIABLE)} has characters that no key has")
        if path := os.environ.get(RECORD_VARIABLE):
            try:
                Path(path).open("a").close()
            except OSError as problem:
                raise BadInput(f"{path}: cannot be written: {problem.strerror}") from problem

    def _variable(self, name: str) -> str:
        return f"{name}_{self.at}" if self.at else name

    def _address(self) -> tuple[str, str, int | None, str]:
        """Return scheme, host, port and target of the endpoint. Raises `BadInput`."""
        variable = self._variable(URL_VARIABLE)
        address = os.environ.get(variable, "")
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except ValueError:
            parts, host, port = urlsplit(""), None, None
        if parts.scheme not in ("http", "https") or not host:
            state = "not set" if not address else "no address"
            raise BadInput(
                f"llm: {variable} is {state}; allowed: the address of a server of chat completions,"
                " as in https://HOST/v1"
            )
        query = f"?{parts.query}" if parts.query else ""
        return parts.scheme, host, port, f"{parts.path.rstrip('/')}/chat/completions{query}"

    def reset(self, rng: np.random.Generator) -> None:
        """Start afresh; a model's answers do not come from ``rng``."""
        self._words.forget()

    def brief(self, words: str) -> None:
        """Note what else matters in the next decisions, such as prizes."""
        self._words.note = words

    def begin(self, view: View) -> None:
        """Begin the text of a hand."""
        self._hand += 1
        self._words.begin(view)

    def observe(self, view: View, event: Event) -> None:
        """Add an event to the text."""
        self._words.observe(view, event)

    def end(self, view: View) -> None:
        """Do nothing: this player remembers nothing."""

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def act(self, view: View) -> Action:
        """Ask the model. Raises `IllegalAnswer`, or `TimeoutError` if time or budget ran out."""
        if self.spent.tokens >= self.tokens:
            raise TimeoutError(f"the budget of {self.tokens:,} tokens is spent")
        prompt = self.prompt(view)
        began, spent_before = time.monotonic(), replace(self.spent)
        answer, problem, self._finish = "", "", ""
        try:
            answer = self._ask(prompt, view.legal, began + self.seconds)
            return self._action_in(answer, view)
        except (IllegalAnswer, TimeoutError) as wrong:
            problem = str(wrong)
            raise
        finally:
            self._record(prompt, answer, problem, time.monotonic() - began, spent_before)

    def _action_in(self, answer: str, view: View) -> Action:
        """Read an answer. Raises `IllegalAnswer`, which says so if the answer was cut off."""
        try:
            return action_in(answer, view)
        except IllegalAnswer as wrong:
            if self._finish in ("", "stop"):
                raise
            bound = f", at most {self.answer:,} tokens" if self.answer is not None else ""
            raise IllegalAnswer(f"{wrong}; finish_reason is {self._finish!r}{bound}") from None

    def prompt(self, view: View) -> str:
        """Return the decision in words."""
        return self._words.decision(view)

    def _ask(self, prompt: str, legal: Legal, deadline: float) -> str:
        """Return what the model says; a busy server is asked again until the deadline."""
        body: dict[str, object] = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": _RULES},
                {"role": "user", "content": prompt},
            ],
        }
        options = (
            (self._limit, self.answer),
            ("temperature", self.temperature),
            ("reasoning_effort", self.effort or None),
            ("seed", self.seed),
            ("response_format", legal_answers(legal) if self.schema else None),
        )
        body |= {name: value for name, value in options if value is not None}
        text, problem = json.dumps(body), "no answer"
        while (left := deadline - time.monotonic()) > 0:
            status, content, wait = self._post(text, left)
            if time.monotonic() >= deadline:
                self.spent.prompt += len(text) // 4  # the answer is paid for, though unknown
                break
            if status == 200:
                return self._said(content, len(text))
            if status == 400 and "max_tokens" in body and _NEWER.encode() in content:
                body[_NEWER] = body.pop(self._limit)
                self._limit, text = _NEWER, json.dumps(body)
                continue
            problem = f"the server answers {status}" if status else content.decode()
            if status and status not in (408, 409, 425, 429) and status < 500:
                raise IllegalAnswer(problem)
            if wait is not None and wait > deadline - time.monotonic():
                raise TimeoutError(f"{problem}, to be asked again after {wait:,.0f} s")
            pause = _PAUSE_S if wait is None else wait
            time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
        raise TimeoutError(f"{problem} in {self.seconds:g} s")

    def _post(self, text: str, seconds: float) -> _Reply:
        """Ask once, within ``seconds``.

        The connection's own time-out is not enough: it starts again with each byte that arrives, so
        a server that dawdles could take for ever.
        """
        scheme, host, port, path = self._address()
        kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        if self._connection is None:
            self._connection = kind(host, port, timeout=seconds)
        connection = self._connection
        if connection.sock is not None:
            connection.sock.settimeout(seconds)
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(self._variable(KEY_VARIABLE)):
            headers["Authorization"] = f"Bearer {key}"
        self.spent.requests += 1
        late = threading.Timer(seconds, _hang_up, (connection,))
        late.daemon = True
        late.start()
        try:
            connection.request("POST", path, text, headers)
            answer = connection.getresponse()
            content = answer.read(_LONGEST_REPLY + 1)
            if not answer.isclosed():
                self.close()
            return _Reply(answer.status, content, _wait_in(answer.getheader("Retry-After")))
        except (OSError, http.client.HTTPException, ValueError) as problem:
            self.close()
            return _Reply(0, type(problem).__name__.encode())  # its message may contain the key
        finally:
            late.cancel()

    def _said(self, content: bytes, asked: int) -> str:
        """Count what a reply cost, and return its text. Raises `IllegalAnswer`."""
        try:
            reply = json.loads(content)
            choice = reply["choices"][0]
            answer = choice["message"]["content"] or ""
        except (ValueError, KeyError, IndexError, TypeError, RecursionError):
            self.spent.prompt += asked // 4
            raise IllegalAnswer("the server's reply is no chat completion") from None
        self._finish = str(choice.get("finish_reason") or "")[:_LONGEST_REASON]
        usage = reply.get("usage")
        prompt, completion = _usage_in(usage if isinstance(usage, Mapping) else {})
        self.spent.prompt += asked // 4 if prompt is None else prompt
        self.spent.completion += len(content) // 4 if completion is None else completion
        return str(answer)

    def _record(
        self, prompt: str, answer: str, problem: str, took: float, spent_before: Spent
    ) -> None:
        path = os.environ.get(RECORD_VARIABLE)
        if not path:
            return
        prompt_tokens = self.spent.prompt - spent_before.prompt
        completion_tokens = self.spent.completion - spent_before.completion
        entry = {
            "model": self.model,
            "hand": self._hand,
            "prompt": prompt,
            "answer": answer[:_LONGEST_RECORDED],
            "problem": problem,
            "finish_reason": self._finish,
            "seconds": round(took, 3),
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "requests": self.spent.requests - spent_before.requests,
            "price": (
                (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price)
                / _MILLION
                if self.prompt_price or self.completion_price
                else None
            ),
            "tokens_so_far": self.spent.tokens,
        }
        line = json.dumps(entry, ensure_ascii=False) + "\n"
        # An answer may contain lone surrogates, which no encoding can write.
        with _writing, Path(path).open("a", encoding="utf-8", errors="backslashreplace") as record:
            record.write(line)


def _wait_in(header: str | None) -> float | None:
    """Read a Retry-After in seconds or as a date; None if it is missing or unreadable."""
    if not header:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header.strip()):
        return float(header)
    try:
        then = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, then.timestamp() - time.time())


def _usage_in(usage: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Return the tokens of the prompt and of the answer; None if the server does not say."""
    prompt, completion, total = (
        count if type(count := usage.get(name)) is int and count >= 0 else None
        for name in ("prompt_tokens", "completion_tokens", "total_tokens")
    )
    if prompt is None and total is not None:
        prompt = max(0, total - (completion or 0))
        completion = completion or 0
    return prompt, completion


def _hang_up(connection: http.client.HTTPConnection) -> None:
    if connection.sock is not None:
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)


def legal_answers(legal: Legal) -> dict[str, Any]:
    """Return the ``response_format`` that admits the legal actions of a decision alone.

    The action stands below the key ``answer``, since servers that keep strictly to a schema want no
    alternatives at its root.
    """
    words = [*(["fold"] if legal.fold else []), "call" if legal.to_call else "check"]
    answers = [_object_of(action={"type": "string", "enum": words})]
    if legal.min_raise_to is not None:
        to = {"type": "integer", "minimum": legal.min_raise_to, "maximum": legal.max_raise_to}
        answers.append(_object_of(action={"type": "string", "enum": ["raise"]}, to=to))
    schema = _object_of(answer={"anyOf": answers})
    return {
        "type": "json_schema",
        "json_schema": {"name": "action", "strict": True, "schema": schema},
    }


def _object_of(**properties: object) -> dict[str, object]:
    """Return the schema of an object with just these keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def action_in(answer: str, view: View) -> Action:
    """Read the last JSON object in an answer that names an action. Raises `IllegalAnswer`."""
    for text in reversed(_OBJECT.findall(answer[-_LONGEST_RECORDED:])):
        try:
            reply: Any = json.loads(text)
        except ValueError:
            continue
        if isinstance(reply, dict) and "action" in reply:
            return _legal_action(reply, view)
    raise IllegalAnswer(f"no action in {' '.join(answer.split())[-60:]!r}")


def _legal_action(reply: Mapping[str, Any], view: View) -> Action:
    legal = view.legal
    word, to = str(reply["action"]).strip().lower(), reply.get("to")
    action: Action
    match word:
        case "fold" if legal.fold:
            action = Fold()
        case "check" if not legal.to_call:
            action = Call()
        case "call" if legal.to_call:
            action = Call()
        case "raise" | "bet" if isinstance(to, int | float) and to == to and abs(to) < 1 << 53:
            if to != int(to):
                raise IllegalAnswer(f"{word} to {to}: chips are whole")
            action = Raise(Chips(int(to)))
        case "raise" | "bet":
            raise IllegalAnswer(f"{word} to {str(to)[:20]!r}: 'to' is no number of chips")
        case _:
            raise IllegalAnswer(f"{word[:40]!r} is not legal")
    if action not in legal:
        raise IllegalAnswer(
            f"{word} to {to} is not legal: {legal.min_raise_to} to {legal.max_raise_to}"
        )
    return action
