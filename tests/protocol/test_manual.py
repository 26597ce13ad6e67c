"""The manual's page on the protocol: every message, with an example that is sent here."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from railbird.protocol import (
    ClientSession,
    CloseCode,
    Deliver,
    ErrorCode,
    Identity,
    LogIn,
    ServerSession,
    SessionState,
    body_of,
    schemas,
)
from railbird.protocol.encoding import AnyClient, AnyServer, numbered
from railbird.protocol.messages import ActMessage, EnterQueue, TokenLogIn, Verb
from railbird.protocol.session import client_diagram, game_diagram, session_diagram

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
EXAMPLE = re.compile(r"^### `(\w+)` to the (server|client)$(.*?)(?=^##)", re.MULTILINE | re.DOTALL)
CLIENT = re.compile(r'^```python title="caller.py"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(side: str) -> list[dict[str, Any]]:
    found = []
    for kind, to, text in EXAMPLE.findall(PAGE):
        if to == side:
            blocks = [json.loads(block) for block in BLOCK.findall(text)]
            assert blocks, f"no example of {kind} to the {side}"
            assert {block["type"] for block in blocks} == {kind}
            found += blocks
    return found


def kinds(union: Any) -> set[str]:
    return {str(message.__struct_config__.tag) for message in get_args(union)}


@pytest.mark.parametrize("example", examples("server"), ids=lambda e: e["type"])
def test_the_server_takes_every_example(example: dict[str, Any]) -> None:
    session = ServerSession(server="railbird 0")
    if example["type"] != "hello":
        session.receive(json.dumps(examples("server")[0]).encode() + b"\n")
        session.accepted(Identity("ann"))
    session.take()
    session.receive(json.dumps(example).encode() + b"\n")
    assert b'"error"' not in session.take()
    assert session.state in (
        SessionState.LOGGING_IN if example["type"] == "hello" else SessionState.OPEN,
        SessionState.CLOSED if example["type"] == "bye" else SessionState.OPEN,
    )


@pytest.mark.parametrize("example", examples("client"), ids=lambda e: e["type"])
def test_a_client_reads_every_example(example: dict[str, Any]) -> None:
    client = ClientSession()
    (message,) = client.receive(numbered(json.dumps(example).encode(), 1))
    # Nothing in the example is unknown or missing: it is written back as it was read.
    assert json.loads(body_of(replace(message, seq=None))) == example


def test_the_page_has_all_messages() -> None:
    assert {example["type"] for example in examples("server")} == kinds(AnyClient)
    assert {example["type"] for example in examples("client")} == kinds(AnyServer)


def test_every_field_is_on_the_page() -> None:
    for schema in schemas().values():
        for name, part in schema["$defs"].items():
            for field in part.get("properties", {}):
                assert f"`{field}`" in PAGE or field in ("type", "by", "did"), f"{name}.{field}"


def client_of_the_page() -> dict[str, Any]:
    """Run the module of the page's client and return what it defines."""
    (source,) = CLIENT.findall(PAGE)
    namespace: dict[str, Any] = {"__name__": "caller"}
    exec(compile(source, "caller.py", "exec"), namespace)
    return namespace


def test_the_client_of_the_page_logs_in_waits_and_answers_the_turn_of_the_page() -> None:
    caller = client_of_the_page()["Caller"](TokenLogIn(token="t"), queue="six")
    server = ServerSession(server="railbird 0")
    (log_in,) = server.receive(caller.session.take())
    assert isinstance(log_in, LogIn)
    server.accepted(Identity("tom"))
    caller.receive(server.take())
    assert server.receive(caller.session.take()) == [Deliver(EnterQueue(queue="six"))]
    by_type = {example["type"]: example for example in examples("client")}
    for kind in ("turn", "result"):
        server.send(json.dumps(by_type[kind]).encode())
    caller.receive(server.take())
    call, *_ = server.receive(caller.session.take())
    assert call == Deliver(ActMessage(turn=by_type["turn"]["turn"], action=1, verb=Verb.CALL))
    assert caller.result is not None
    assert server.state is SessionState.CLOSED


@pytest.mark.parametrize("drawn", [session_diagram(), client_diagram(), game_diagram()])
def test_the_pictures_are_those_of_the_tables(drawn: str) -> None:
    assert f"```mermaid\n{drawn}```" in PAGE


@pytest.mark.parametrize("code", [*ErrorCode, *CloseCode])
def test_every_code_is_on_the_page(code: ErrorCode | CloseCode) -> None:
    cell = f"| `{code.value}` |" if isinstance(code, ErrorCode) else f"| {code.value} |"
    assert cell in PAGE
