"""The protocol of the Annual Computer Poker Competition, version 2.0.0: messages and connections.

It is independent of which side is ours: `railbird.players` has the player that runs as an external
program, and the client that lets our players join an external dealer.
"""

from railbird.acpc.connection import (
    AcpcLink,
    ClientConnection,
    ConnectionClosed,
    DealerConnection,
    Disconnected,
    LineBuffer,
    News,
)
from railbird.acpc.matchstate import (
    VERSION_LINE,
    Answer,
    MatchState,
    action_text,
    is_comment,
    is_version,
    parse_answer,
    parse_state,
    read_action,
)
from railbird.acpc.program import Program, launch

__all__ = [
    "VERSION_LINE",
    "AcpcLink",
    "Answer",
    "ClientConnection",
    "ConnectionClosed",
    "DealerConnection",
    "Disconnected",
    "LineBuffer",
    "MatchState",
    "News",
    "Program",
    "action_text",
    "is_comment",
    "is_version",
    "launch",
    "parse_answer",
    "parse_state",
    "read_action",
]
