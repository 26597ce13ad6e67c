"""Messages as lines of JSON, and lines as messages."""

from __future__ import annotations

import json
from functools import cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from railbird.errors import BadInput
from railbird.protocol.messages.base import Part, ServerMessage
from railbird.protocol.messages.client import (
    CLIENT_MESSAGES,
    Bye,
    ClientPing,
    ClientPong,
    GameRequest,
    Hello,
)
from railbird.protocol.messages.game import GameMessage
from railbird.protocol.messages.session import SessionMessage
from railbird.protocol.settings import LONGEST_TEXT

AnyClient = Hello | ClientPing | ClientPong | Bye | GameRequest
"""Any message of a client."""

AnyServer = SessionMessage | GameMessage
"""Any message of the server."""

SERVER_MESSAGES: TypeAdapter[AnyServer] = TypeAdapter(
    Annotated[AnyServer, Field(discriminator="type")]
)


def parse_client(line: bytes) -> AnyClient:
    """Parse a client's line strictly. Raises `BadInput` in one sentence for anything else.

    >>> parse_client(b'{"type":"act","turn":"t1","action":1,"verb":"raise","to":200}')
    ActMessage(type='act', turn='t1', action=1, verb=<Verb.RAISE: 'raise'>, to=200)
    >>> parse_client(b'{"type":"act","turn":"t1","action":1,"verb":"raze"}')
    Traceback (most recent call last):
    railbird.errors.BadInput: act.verb: Input should be 'fold', 'check', 'call', 'bet', 'raise' or \
'all_in'
    """
    try:
        return CLIENT_MESSAGES.validate_json(line)
    except ValidationError as problem:
        raise BadInput(_sentence(problem)) from None


def parse_server(line: bytes | str) -> AnyServer | None:
    """Parse a server's line leniently; None for a type that this version does not know.

    Raises `BadInput` for what is no message at all.
    """
    try:
        return SERVER_MESSAGES.validate_json(line)
    except ValidationError as problem:
        if problem.errors(include_url=False)[0]["type"] == "union_tag_invalid":
            return None
        raise BadInput(_sentence(problem)) from None


def client_line(message: AnyClient) -> bytes:
    r"""Return a client's message as a line.

    >>> client_line(Bye())
    b'{"type":"bye"}\n'
    """
    return type(message).__pydantic_serializer__.to_json(message, exclude_none=True) + b"\n"


def body_of(message: ServerMessage | Part) -> bytes:
    """Return a server's message without its number, which differs from connection to connection.

    A part of a message is encoded as it is within one.
    """
    return type(message).__pydantic_serializer__.to_json(message, exclude_none=True)


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
    made = {
        "client": CLIENT_MESSAGES.json_schema(),
        "server": SERVER_MESSAGES.json_schema(mode="serialization"),
    }
    return {
        side: {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
        for side, schema in made.items()
    }


def schema_text(side: str) -> str:
    """Return one of the schemas as JSON text."""
    return json.dumps(schemas()[side], indent=2) + "\n"


def _sentence(problem: ValidationError) -> str:
    """Return the first complaint, without quoting values, which may be secrets."""
    first = problem.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    words = first["msg"].removeprefix("Value error, ")
    text = f"{where}: {words}" if where else words
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
