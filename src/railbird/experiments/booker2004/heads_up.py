"""Each agent against each test agent, and everybody against its like (Booker 2004, section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from railbird.estimates.estimate import estimate
from railbird.experiments.booker2004.curves import winning_curves
from railbird.experiments.booker2004.sessions import PlayedSessions, Sessions, play_sessions
from railbird.experiments.booker2004.setting import SESSION, TOURNAMENTS
from railbird.experiments.booker2004.verdicts import (
    between_equals,
    faultless,
    said_to_win,
    share_measured,
)
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, measured, published_as_positive

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

TESTS: Final = {
    "always-call": "always-call",
    "always-raise": "always-raise:random",
    "random": "random:amount",
}
"""The source's test agents (6.2 to 6.4): label and spec."""
AGENTS: Final = {
    "Booker 1": "booker:1",
    "Booker 1n": "booker:1n",
    "Booker 2": "booker:2",
    "Booker 3": "booker:3",
    "Booker 4": "booker:4",
    "Booker 5": "booker:5",
    "rollout": "rollout",
    "tight": "tight:nolimit",
}
SAID_TO_WIN: Final = {
    f"{agent} v {test}"
    for agent in ("Booker 1", "Booker 2", "Booker 3", "Booker 4")
    for test in TESTS
}
"""Pairs of which the source says that its agent fares well (7.7, 7.9); the figures are lost."""
LEARNERS: Final = ("Booker 2", "Booker 3", "Booker 4")
UNLEARNING: Final = "Booker 1"
_PART = 5
"""Learning is judged by the first and the last fifth of a session."""


def perform(workspace: Workspace) -> Result:
    """Play all pairs."""
    length = SESSION
    count = max(2, round(TOURNAMENTS * workspace.scale / length))
    agents = {**AGENTS, **TESTS}
    played = {
        f"{agent} v {test}": _played(workspace, (spec, other), length, count)
        for agent, spec in AGENTS.items()
        for test, other in TESTS.items()
    }
    alike = {
        f"{agent} v {agent}": _played(workspace, (spec, spec), length, count)
        for agent, spec in agents.items()
    }
    won = {pair: result.won[:, :, 0] for pair, result in played.items()}
    rows = [
        said_to_win(pair, table) if pair in SAID_TO_WIN else share_measured(pair, table)
        for pair, table in won.items()
    ]
    rows += [between_equals(pair, result.won[:, :, 0]) for pair, result in alike.items()]
    rows += _learning(won)
    rows += _compared(won)
    everything = [*played.values(), *alike.values()]
    hands = sum(result.hands for result in everything)
    rows.append(faultless(sum(result.faults for result in everything), hands))
    return Result(
        hands=sum(result.places.shape[0] * result.places.shape[1] for result in everything),
        noun="tournament",
        rows=tuple(rows),
        drawings=tuple(
            winning_curves(
                agent.lower().replace(" ", "-"),
                f"{agent} against the test agents",
                {test: won[f"{agent} v {test}"] for test in TESTS},
                subtitle=f"{count} sessions of {length} tournaments for two, seed {workspace.seed}",
                note="The share won so far, mean over sessions; the source shows one session.",
            )
            for agent in AGENTS
        ),
    )


def _played(
    workspace: Workspace, players: tuple[str, str], length: int, count: int
) -> PlayedSessions:
    sessions = Sessions(players=players, length=length, count=count, seed=workspace.seed)
    return play_sessions(workspace, sessions)


def _learning(won: dict[str, NDArray[np.float64]]) -> list[Row]:
    """Compare the end of a session with its beginning; the source saw the learners learn.

    Booker 1 remembers nothing, so that its gain is that of the cards, with mean zero; less it, the
    others' gain has less than half its variance.
    """
    cards = _gains(won[f"{UNLEARNING} v always-raise"])
    return [
        published_as_positive(
            f"{agent} v always-raise, last fifth of a session less the first, "
            f"less the same of {UNLEARNING}",
            estimate(_gains(won[f"{agent} v always-raise"]) - cards, unit="of tournaments"),
        )
        for agent in LEARNERS
    ]


def _gains(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shares won in the last fifth less those in the first, (sessions,)."""
    part = max(1, table.shape[1] // _PART)
    gains: NDArray[np.float64] = table[:, -part:].mean(axis=1) - table[:, :part].mean(axis=1)
    return gains


def _compared(won: dict[str, NDArray[np.float64]]) -> list[Row]:
    """Compare the agents against always-raise (7.9.2 to 7.9.4)."""
    rows = []
    for agent, other, said in (
        ("Booker 1", "Booker 2", True),
        ("Booker 3", "Booker 2", True),
        ("Booker 4", "Booker 2", True),
        ("Booker 4", "Booker 3", False),
    ):
        # The same seed deals the same cards, so sessions are paired.
        better, worse = (won[f"{one} v always-raise"].mean(axis=1) for one in (agent, other))
        lead = estimate(better - worse, unit="of tournaments")
        name = f"{agent} less {other}, against always-raise"
        rows.append(published_as_positive(name, lead) if said else measured(name, lead))
    return rows
