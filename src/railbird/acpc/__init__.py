"""The protocol of the Annual Computer Poker Competition, version 2.0.0: messages and connections.

It is independent of which side is ours: `railbird.players` has the player that runs as an external
program, and the client that lets our players join an external dealer.
"""

from railbird.acpc.client_connection import ClientConnection, News
from railbird.acpc.dealer_connection import DealerConnection
from railbird.acpc.lines import Lines
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
from railbird.acpc.tcp_link import Closed, Disconnected, Link

__all__ = [
    "VERSION_LINE",
    "Answer",
    "ClientConnection",
    "Closed",
    "DealerConnection",
    "Disconnected",
    "Lines",
    "Link",
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
