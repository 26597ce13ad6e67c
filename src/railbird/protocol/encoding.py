"""Messages of any game as lines of JSON, and lines of a byte stream from a hostile sender."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, get_args

import msgspec
from msgspec import DecodeError, Struct

from railbird.errors import BadInput
from railbird.protocol import messages as base
from railbird.protocol import messages as client
from railbird.protocol import messages as game
from railbird.protocol import messages as session
from railbird.protocol.messages import (
    LONGEST_LINE,
    LONGEST_TEXT,
    Bye,
    ClientPing,
    ClientPong,
    GameMessage,
    GameRequest,
    Hello,
    Part,
    ServerMessage,
    SessionMessage,
)

AnyClient = Hello | ClientPing | ClientPong | Bye | GameRequest
"""Any message of a client."""

AnyServer = SessionMessage | GameMessage
"""Any message of the server."""

_CLIENT = msgspec.json.Decoder(AnyClient)
_SERVER = msgspec.json.Decoder(AnyServer)
_ENCODER = msgspec.json.Encoder()
_KINDS = frozenset(str(message.__struct_config__.tag) for message in get_args(AnyServer))
UNREADABLE = (DecodeError, UnicodeDecodeError, RecursionError)
"""Errors that msgspec raises for text that is not JSON, or JSON of another form."""


class _Kind(Struct):
    """What every message has."""

    type: str


def parse_client(line: bytes) -> AnyClient:
    """Parse a client's line strictly. Raises `BadInput` in one sentence for anything else.

    >>> parse_client(b'{"type":"act","turn":"t1","action":1,"verb":"raise","to":200}')
    ActMessage(turn='t1', action=1, verb=<Verb.RAISE: 'raise'>, to=200, cards=None)
    >>> parse_client(b'{"type":"act","turn":"t1","action":1,"verb":"raze"}')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    railbird.errors.BadInput: verb: invalid value; allowed: all_in, bet, call, check, discard, ...
    """
    try:
        message: AnyClient = _CLIENT.decode(line)
    except UNREADABLE as problem:
        raise BadInput(_sentence(problem)) from None
    return message


def parse_server(line: bytes | str) -> AnyServer | None:
    """Parse a server's line leniently; None for a type that this version does not know.

    Raises `BadInput` for a line that is no message.
    """
    try:
        message: AnyServer = _SERVER.decode(line)
    except UNREADABLE as problem:
        try:
            if msgspec.json.decode(line, type=_Kind).type not in _KINDS:
                return None
        except UNREADABLE:
            pass
        raise BadInput(_sentence(problem)) from None
    return message


def client_line(message: AnyClient) -> bytes:
    r"""Return a client's message as a line.

    >>> client_line(Bye())
    b'{"type":"bye"}\n'
    """
    return _ENCODER.encode(message) + b"\n"


def body_of(message: ServerMessage | Part) -> bytes:
    """Return a server's message without its number, which differs from connection to connection.

    A part of a message is encoded in the same way as inside a message.
    """
    return _ENCODER.encode(message)


def numbered(body: bytes, seq: int) -> bytes:
    r"""Return the line of a message on one connection.

    >>> numbered(b'{"type":"pong","n":3}', 17)
    b'{"seq":17,"type":"pong","n":3}\n'
    """
    return b'{"seq":%d,%b\n' % (seq, body[1:])


def quoted(line: bytes) -> str | None:
    """Return a refused line as an error message quotes it; None if it may contain a secret."""
    if b"log_in" in line or b"password" in line or b"token" in line:
        return None
    text = line[: 4 * LONGEST_TEXT].decode("utf-8", errors="replace")
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON Schemas of all messages: ``client`` and ``server``."""
    made = {"client": AnyClient, "server": AnyServer}
    schema = "https://json-schema.org/draft/2020-12/schema"
    return {side: {"$schema": schema, **_described(union)} for side, union in made.items()}


def schema_text(side: str) -> str:
    """Return one of the schemas as JSON text."""
    return json.dumps(schemas()[side], indent=2) + "\n"


def _described(union: Any) -> dict[str, Any]:
    """Return the schema of some messages, with the docstrings of their fields."""
    schema, docstrings = msgspec.json.schema(union), _field_docstrings()
    for name, part in schema["$defs"].items():
        for field, form in part.get("properties", {}).items():
            if text := docstrings.get((name, field)) or docstrings.get(("ServerMessage", field)):
                form["description"] = text
    return schema


def _field_docstrings() -> dict[tuple[str, str], str]:
    """Return the strings below the fields of messages, by class and field."""
    return {
        (part.name, field.target.id): " ".join(inspect.cleandoc(text).split())
        for module in (base, client, session, game)
        for part in ast.parse(inspect.getsource(module)).body
        if isinstance(part, ast.ClassDef)
        for field, below in pairwise(part.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        if isinstance(text := below.value.value, str)
    }


@cache
def _allowed(field: str) -> str:
    """Return the values that clients may give to a field, if there are only a few."""
    schema = schemas()["client"]
    forms = [part.get("properties", {}).get(field, {}) for part in schema["$defs"].values()]
    named = [schema["$defs"].get(form.get("$ref", "").rpartition("/")[2], form) for form in forms]
    return ", ".join(sorted({str(value) for form in named for value in form.get("enum", ())}))


def _sentence(problem: Exception) -> str:
    """Return what is wrong, without quoting values, which may be secrets."""
    words, _, path = str(problem).partition(" - at `$")
    where = path.rstrip("`").removeprefix(".")
    if words.startswith("Invalid") and (allowed := _allowed(where.rpartition(".")[2])):
        words = f"invalid value; allowed: {allowed}"
    text = f"{where}: {words}" if where else words
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


# Lines from a byte stream whose sender may be hostile.


class LineTooLong(BadInput):
    """A line over the maximum."""


class Lines:
    r"""A buffer of received bytes, never longer than a line and one reading.

    >>> lines = Lines()
    >>> list(lines.feed(b'{"type":')), list(lines.feed(b'"bye"}\r\n{}\n\n{'))
    ([], [b'{"type":"bye"}', b'{}'])
    """

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._waiting = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        r"""Add bytes; yield the complete lines without their ends (``\n`` or ``\r\n``).

        Empty lines are skipped. Raises `LineTooLong`, also before the end of the line has come.
        """
        searched = len(self._waiting)
        self._waiting += data
        start = 0
        while (end := self._waiting.find(b"\n", max(start, searched))) >= 0:
            if end - start > self._longest:
                raise LineTooLong(f"a line of more than {self._longest} bytes")
            line = bytes(self._waiting[start:end]).removesuffix(b"\r")
            start = end + 1
            if line:
                yield line
        del self._waiting[:start]
        if len(self._waiting) > self._longest:
            raise LineTooLong(f"a line of more than {self._longest} bytes")
