"""The tools over the Model Context Protocol, used by the protocol's own client."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from railbird.histories import HandRecord, read
from railbird.serve.mcp_server import ModelTable, mcp_server
from railbird.serve.opponent import HostedOpponent, OpponentSettings

pytestmark = pytest.mark.anyio


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    (content,) = answer.content
    told: dict[str, Any] = json.loads(content.text)  # type: ignore[union-attr]
    return told


async def play(client: Client, hands: int) -> int:
    """Check or call to the end of some hands; return what was won."""
    won, won_in_all = 0, 0
    for _ in range(hands):
        told = await call(client, "state")
        while not told["is_over"]:
            action = "check" if "check" in told["legal"] else "call"
            told = await call(client, "act", action=action)
        won, won_in_all = won + told["you_won"], told["won_in_all"]
    assert won_in_all == won
    return won


@pytest.mark.slow
async def test_a_client_plays_and_its_hands_are_assessed(tmp_path: Path) -> None:
    opponent = HostedOpponent(OpponentSettings(player="always-call", folder=tmp_path))
    try:
        guest = opponent.welcome("model", "127.0.0.1")
        async with Client(mcp_server(ModelTable(opponent, guest))) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {"state", "act", "odds", "assess"}
            early = await client.call_tool("assess", {})
            assert early.is_error
            won = await play(client, 4)
            told = await call(client, "assess")
            assert told["hands"] == 4
            bad = await client.call_tool("act", {"action": "check"})
            assert bad.is_error, "no hand is open"
            state = await call(client, "state")
            low, high = state["raise_to"]
            refused = await client.call_tool("act", {"action": "raise", "to": low - 1})
            assert refused.is_error
            assert str(low) in refused.content[0].text  # type: ignore[union-attr]
            assert (await call(client, "state"))["betting"] == state["betting"]
            assert high == 20_000
            assert "their_cards" not in state
        (log,) = tmp_path.iterdir()
        records = [one for one in read(log) if isinstance(one, HandRecord)]
        assert sum(one.payoffs[one.players.index("model")] for one in records) == won
    finally:
        await opponent.close()


async def test_odds_are_exact_and_nonsense_is_an_error() -> None:
    opponent = HostedOpponent(OpponentSettings(player="always-call"))
    table = ModelTable(opponent, opponent.welcome("model", "127.0.0.1"))
    async with Client(mcp_server(table)) as client:
        told = await call(client, "odds", hands=["AhAd", "KhKd"], board="2c3c4d")
        assert told["exact"]
        assert sum(one["equity"] for one in told["equities"]) == pytest.approx(1)
        assert told["boards"] == 45 * 44 / 2
        for wrong in ({"hands": ["AhAd", "AhKd"]}, {"hands": ["nonsense", "AhKd"]}):
            assert (await client.call_tool("odds", wrong)).is_error
        log = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC # 1:Ann|Bob"
        assert (await call(client, "assess", log=log))["hands"] == 1
        assert (await client.call_tool("assess", {"log": "nonsense"})).is_error


@pytest.mark.slow
async def test_the_command_speaks_the_protocol_over_standard_streams(tmp_path: Path) -> None:
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "railbird", "mcp", "--opponent", "always-call", "--log", str(tmp_path)],
        env={"PYTHONPATH": ":".join(sys.path), "HOME": str(Path.home())},
    )
    async with Client(stdio_client(started)) as client:
        await play(client, 1)
    assert list(tmp_path.iterdir())
