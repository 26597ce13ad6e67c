"""Tools over the Model Context Protocol: a program's own poker table, odds and assessment.

A program that speaks the protocol plays heads-up no-limit against a player of the house, hand after
hand, and asks what its hands were worth. The table is that of `railbird.serve.opponent`; the
protocol is that of its own kit, ``mcp``.
"""

from __future__ import annotations

import asyncio
import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from railbird import __version__
from railbird.cards import format_cards, format_holding
from railbird.errors import RailbirdError
from railbird.game import Action, Call, Fold, Raise, legal
from railbird.serve.opponent import (
    Guest,
    HostedOpponent,
    OpenHand,
    OpponentSettings,
    RefusedRequest,
)
from railbird.units import Chips

MOST_LOG: Final = 4 << 20
"""Characters of a log that is assessed."""
_INSTRUCTIONS: Final = (
    "You play heads-up no-limit hold'em against a player of the house: blinds 50 and 100, both "
    "with 20,000 chips in every hand. Ask for the state, act until the hand is over, and ask "
    "for the state again: it deals the next hand. Amounts are chips; a raise says the total "
    "of your chips on the street."
)


class ModelTable:
    """One program at the house's table."""

    def __init__(self, opponent: HostedOpponent, guest: Guest) -> None:
        self.opponent = opponent
        self.guest = guest
        self._hand: OpenHand | None = None
        self._told_end = True
        self._turn = asyncio.Lock()

    async def state(self) -> dict[str, Any]:
        """Return the hand as it stands; after one that is over, deal the next."""
        async with self._turn:
            if self._hand is None or (self._hand.is_over and self._told_end):
                self._hand = await self.opponent.new_hand(self.guest)
            return self._told(self._hand)

    async def act(self, action: str, to: int | None) -> dict[str, Any]:
        """Act in the hand. Raises `ToolError` for what is not legal; the hand then goes on."""
        async with self._turn:
            hand = self._hand
            if hand is None or hand.is_over:
                raise ToolError("no hand is open; ask for the state, which deals one")
            try:
                await self.opponent.act(self.guest, hand, _action(hand, action, to))
            except RefusedRequest as problem:
                raise ToolError(str(problem)) from None
            return self._told(hand)

    def _told(self, hand: OpenHand) -> dict[str, Any]:
        state, seat = hand.state, hand.seat
        assert state.stacks is not None
        held = state.holdings[seat]
        fields: dict[str, Any] = {
            "hand": self.guest.hands,
            "you_are": ("big blind", "button")[seat],
            "street": state.street.name.lower(),
            "your_cards": "" if held is None else format_holding(held),
            "board": format_cards(state.board),
            "betting": hand.betting(),
            "pot": int(state.pot),
            "your_stack": int(state.stacks[seat]),
            "their_stack": int(state.stacks[1 - seat]),
            "is_over": hand.is_over,
        }
        if hand.is_over:
            self._told_end = True
            theirs = state.holdings[1 - seat]
            shown = theirs is not None and (1 - seat) in state.shown
            return fields | {
                "you_won": hand.winnings,
                "their_cards": format_holding(theirs) if shown and theirs is not None else None,
                "hands_played": self.guest.money.n,
                "won_in_all": round(self.guest.money.mean * self.guest.money.n * 100),
            }
        self._told_end = False
        options = legal(state)
        actions = ["fold"] if options.fold else []
        actions.append("call" if state.to_call else "check")
        if options.min_raise_to is not None:
            actions.append("raise")
            fields["raise_to"] = [int(options.min_raise_to), int(options.max_raise_to or 0)]
        return fields | {"to_call": int(state.to_call), "legal": actions}

    async def assessed(self, log: str) -> dict[str, Any]:
        """Assess a log, or the hands played here. Raises `ToolError` where there is nothing."""
        from railbird.report.play_data import assessed

        if len(log) > MOST_LOG:
            raise ToolError(f"a log of {len(log):,} characters; allowed: {MOST_LOG:,}")
        if not log and (self.guest.path is None or not self.guest.path.exists()):
            raise ToolError("no hand has been played to its end")
        with tempfile.TemporaryDirectory(prefix="railbird-mcp-") as folder:
            path = Path(folder) / "log" if log else self.guest.path
            assert path is not None
            if log:
                path.write_text(log, encoding="utf-8")
            assess = partial(
                assessed, str(path), lambda *_: None, game=None, player=None, league=False
            )
            try:
                return await asyncio.to_thread(assess)
            except RailbirdError as problem:
                raise ToolError(str(problem).replace(str(path), "the log")) from None


def _action(hand: OpenHand, action: str, to: int | None) -> Action:
    free = not hand.state.to_call
    if action == "fold":
        return Fold()
    if action in ("check", "call"):
        if (action == "check") != free:
            raise ToolError(f"{action} is not legal; {'check' if free else 'call'} is")
        return Call()
    if to is None:
        raise ToolError("a raise needs `to`, the total of your chips on this street")
    return Raise(Chips(to))


def mcp_server(table: ModelTable) -> MCPServer[Any]:
    """Return a server of the protocol with the tools of one table."""
    server: MCPServer[Any] = MCPServer(
        "railbird", version=__version__, instructions=_INSTRUCTIONS, log_level="ERROR"
    )

    @server.tool()
    async def state() -> dict[str, Any]:
        """Show the hand: your cards, the board, the betting, what is legal.

        The first call deals a hand, and so does one after a hand is over.
        """
        return await table.state()

    @server.tool()
    async def act(
        action: Literal["fold", "check", "call", "raise"],
        to: Annotated[
            int | None, Field(description="Of a raise, the total of your chips on this street")
        ] = None,
    ) -> dict[str, Any]:
        """Act; the house answers, and you see the hand as it then stands."""
        return await table.act(action, to)

    @server.tool()
    async def odds(
        hands: Annotated[
            list[str], Field(min_length=2, max_length=6, description='Such as ["AhKd", "QQ+,AK"]')
        ],
        board: Annotated[str, Field(max_length=20, description="Such as Ks7d2c")] = "",
    ) -> dict[str, Any]:
        """Tell what part of the pot hands or ranges win if all cards are dealt."""
        return await asyncio.to_thread(_odds, hands, board)

    @server.tool()
    async def assess(
        log: Annotated[
            str, Field(description="A log of any known format; empty for your hands here")
        ] = "",
    ) -> dict[str, Any]:
        """Tell skill from luck: means with intervals by several estimators, and which decides."""
        return await table.assessed(log)

    return server


def _odds(hands: list[str], board: str) -> dict[str, Any]:
    import numpy as np

    from railbird.odds import equity

    try:
        equities = equity(hands, board, rng=np.random.default_rng(0))
    except RailbirdError as problem:
        raise ToolError(str(problem)) from None
    return {
        "equities": [
            {"hand": hand, "equity": player.equity, "win": player.win, "tie": player.tie}
            for hand, player in zip(hands, equities.players, strict=True)
        ],
        "exact": equities.exact,
        "boards": equities.trials,
    }


async def serve_stdio(settings: OpponentSettings, name: str) -> None:
    """Serve one program over standard input and output, until it ends."""
    opponent = HostedOpponent(settings)
    try:
        table = ModelTable(opponent, opponent.welcome(name, "127.0.0.1"))
        await mcp_server(table).run_stdio_async()
    finally:
        await opponent.close()
