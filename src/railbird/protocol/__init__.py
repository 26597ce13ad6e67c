"""The tournament server's protocol without I/O: messages, both sides of a connection, redaction.

Messages are lines of JSON over TCP, or the same over WebSocket; `messages` has a class for each.
`ClientSession` and `ServerSession` turn bytes into messages and outcomes. `told` alone turns what
happens at a table into a message for one viewer. The manual's page on the protocol has a client of
a few lines.

>>> session = ClientSession()
>>> session.hello(messages.TokenLogIn(token="t"), client="caller")
>>> session.take()[:36]
b'{"type":"hello","versions":[1],"log_'
"""

from railbird.protocol import messages
from railbird.protocol.actions import (
    chosen_action,
    event_of,
    verb_of,
)
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
from railbird.protocol.messages import CloseCode, ErrorCode
from railbird.protocol.redaction import following, told
from railbird.protocol.session import (
    ClientSession,
    ClientState,
    Close,
    Deliver,
    Gone,
    Input,
    Lag,
    LogIn,
    Outcome,
    PlayState,
    ServerSession,
    SessionState,
)

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
    "event_of",
    "following",
    "messages",
    "parse_client",
    "parse_server",
    "schema_text",
    "schemas",
    "told",
    "verb_of",
]
