"""Pictures of the tables of transitions, as Mermaid text for the manual."""

from __future__ import annotations

from railbird.protocol.messages.codes import CloseCode, ErrorCode
from railbird.protocol.session.client import CLIENT_TRANSITIONS, ClientState
from railbird.protocol.session.transitions import (
    GAME_TRANSITIONS,
    TRANSITIONS,
    PlayState,
    Reaction,
    SessionState,
)


def session_diagram() -> str:
    """Draw the server's side of a session.

    An arrow's label is the input and, after a slash, what is done.
    """
    lines = ["stateDiagram-v2", f"    [*] --> {_id(SessionState.GREETING)}"]
    for (state, what), transition in TRANSITIONS.items():
        done = ", ".join(map(_words, transition.reactions))
        label = f"{what.value} / {done}" if done else what.value
        lines.append(f"    {_id(state)} --> {_id(transition.to)}: {label}")
    return "\n".join([*lines, f"    {_id(SessionState.CLOSED)} --> [*]", ""])


def client_diagram() -> str:
    """Draw the client's side of a session."""
    lines = ["stateDiagram-v2", f"    [*] --> {_id(ClientState.CONNECTED)}"]
    for (state, what), to in CLIENT_TRANSITIONS.items():
        lines.append(f"    {_id(state)} --> {_id(to)}: {what}")
    return "\n".join([*lines, f"    {_id(ClientState.CLOSED)} --> [*]", ""])


def game_diagram() -> str:
    """Draw an account's way through the game; messages that change nothing are left out."""
    lines = ["stateDiagram-v2", f"    [*] --> {_id(PlayState.LOBBY)}"]
    for (state, what), to in GAME_TRANSITIONS.items():
        if isinstance(to, PlayState) and to is not state:
            lines.append(f"    {_id(state)} --> {_id(to)}: {what}")
    return "\n".join([*lines, ""])


def _id(state: SessionState | ClientState | PlayState) -> str:
    return state.value.replace(" ", "_")


def _words(reaction: Reaction) -> str:
    match reaction:
        case ErrorCode():
            return f"error {reaction.value}"
        case CloseCode():
            return f"close {reaction.value}"
        case _:
            return reaction.value
