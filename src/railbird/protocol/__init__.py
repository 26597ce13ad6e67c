"""Railbird's own protocol without I/O: messages, the session's table, and redaction.

Newline-delimited JSON over TCP, or the same messages over WebSocket. `ServerSession` and
`ClientSession` turn bytes into messages and outcomes; `told` alone turns what happens at a table
into a message for one viewer.
"""

from railbird.protocol.chosen_action import chosen_action
from railbird.protocol.encoding import (
    AnyClient,
    AnyServer,
    body_of,
    client_line,
    parse_client,
    parse_server,
    schema_text,
    schemas,
)
from railbird.protocol.identity import Identity, PlayerKind
from railbird.protocol.messages.codes import CloseCode, ErrorCode
from railbird.protocol.redaction.hand_view import following
from railbird.protocol.redaction.told import told
from railbird.protocol.session.client import ClientSession, ClientState
from railbird.protocol.session.server import (
    Close,
    Deliver,
    Gone,
    Lag,
    LogIn,
    Outcome,
    ServerSession,
)
from railbird.protocol.session.transitions import Input, PlayState, SessionState

__all__ = [
    "AnyClient",
    "AnyServer",
    "ClientSession",
    "ClientState",
    "Close",
    "CloseCode",
    "Deliver",
    "ErrorCode",
    "Gone",
    "Identity",
    "Input",
    "Lag",
    "LogIn",
    "Outcome",
    "PlayState",
    "PlayerKind",
    "ServerSession",
    "SessionState",
    "body_of",
    "chosen_action",
    "client_line",
    "following",
    "parse_client",
    "parse_server",
    "schema_text",
    "schemas",
    "told",
]
