"""A learner in place of section 9's person, against Booker 1 and against Booker 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from railbird.estimates.estimate import estimate
from railbird.experiments.booker2004.curves import winning_curves
from railbird.experiments.booker2004.published import (
    AGAINST_BOOKER_1,
    AGAINST_BOOKER_4,
    BOOKER_1_LAST_TEN,
    ENDS,
    GAIN_AGAINST_BOOKER_4,
)
from railbird.experiments.booker2004.sessions import Sessions, play_sessions
from railbird.experiments.booker2004.setting import PERSON_SESSIONS
from railbird.experiments.booker2004.verdicts import faultless, share_measured, share_won
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import compared, measured, published_as_positive

if TYPE_CHECKING:
    from railbird.estimates import Estimate
    from railbird.experiments.framework.workspace import Workspace

PERSON: Final = "person=python:railbird.experiments.booker2004.bandit:Bandit"
OPPONENTS: Final = {"Booker 1": "booker:1", "Booker 4": "booker:4"}
_LENGTHS: Final = {"Booker 1": AGAINST_BOOKER_1, "Booker 4": AGAINST_BOOKER_4}
_NOTE = (
    "The stand-in chooses between four ways of playing by what each won; the source's person was "
    "its supervisor."
)


def perform(workspace: Workspace) -> Result:
    """Play the stand-in against both, in sessions as long as the source's, and as long ones."""
    count = max(2, round(PERSON_SESSIONS * workspace.scale))
    longest = max(_LENGTHS.values())
    played = {
        label: play_sessions(
            workspace,
            Sessions(players=(PERSON, spec), length=longest, count=count, seed=workspace.seed),
        )
        for label, spec in OPPONENTS.items()
    }
    won = {label: result.won[:, :, 0] for label, result in played.items()}
    own = {label: won[label][:, : _LENGTHS[label]] for label in won}
    gains = {label: _gain(table) for label, table in own.items()}
    rows = [share_measured(f"the stand-in against {label}", own[label]) for label in OPPONENTS]
    rows += [
        compared(
            "its last ten of twenty against Booker 1",
            BOOKER_1_LAST_TEN,
            share_won(own["Booker 1"][:, -ENDS:]),
            _NOTE,
        ),
        published_as_positive("its gain against Booker 1, last ten less first", gains["Booker 1"]),
        compared(
            "its gain against Booker 4, last ten of fifty less first",
            GAIN_AGAINST_BOOKER_4,
            gains["Booker 4"],
        ),
        measured("its gain against Booker 1 over fifty", _gain(won["Booker 1"])),
        published_as_positive(
            "its gain over fifty, against Booker 1 less against Booker 4",
            estimate(_gains(won["Booker 1"]) - _gains(won["Booker 4"]), unit="of tournaments"),
        ),
    ]
    hands = sum(result.hands for result in played.values())
    rows.append(faultless(sum(result.faults for result in played.values()), hands))
    return Result(
        hands=2 * count * longest,
        noun="tournament",
        rows=tuple(rows),
        drawings=(
            winning_curves(
                "person",
                "A learner in place of a person",
                {f"against {label}": table for label, table in won.items()},
                subtitle=f"{count} sessions of {longest} tournaments each, seed {workspace.seed}",
                note="The share that the stand-in has won so far, mean over sessions.",
            ),
        ),
    )


def _gains(table: NDArray[np.float64]) -> NDArray[np.float64]:
    gains: NDArray[np.float64] = table[:, -ENDS:].mean(axis=1) - table[:, :ENDS].mean(axis=1)
    return gains


def _gain(table: NDArray[np.float64]) -> Estimate:
    return estimate(_gains(table), unit="of tournaments")
