"""Export of all decisions without names, for ``railbird pushfold report`` and for everybody."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator

from railbird.cards import class_name
from railbird.cards.holding import HandClass
from railbird.serve.pushfold.hand import Ending
from railbird.serve.pushfold.transactions import all_decisions
from railbird.storage import Database, PushFoldDecisionRow, PushFoldHandRow

COLUMNS = (
    *("card1", "card2", "position", "skill", "decision", "played_at"),
    *("stack_bb", "hand", "hinted", "equilibrium", "ev_aggress_bb", "ev_fold_bb", "loss_bb"),
    *("opponent1", "opponent2", "board", "winnings_bb"),
)
"""The first six are those of the published data set; opponent's cards only after a showdown."""

ExportRow = dict[str, str | float | bool | None]


def row(decision: PushFoldDecisionRow, hand: PushFoldHandRow, skill: str) -> ExportRow:
    """Describe a decision; nothing says who made it."""
    shown = hand.ending == Ending.SHOWDOWN
    return {
        "card1": hand.own[:2],
        "card2": hand.own[2:],
        "position": hand.seat,
        "skill": skill,
        "decision": decision.choice,
        "played_at": decision.decided_at.strftime("%Y-%m-%d %H:%M:%S.%f"),
        "stack_bb": hand.stack,
        "hand": class_name(HandClass(decision.hand_class)),
        "hinted": hand.hinted,
        "equilibrium": decision.frequency,
        "ev_aggress_bb": decision.ev_aggress,
        "ev_fold_bb": decision.ev_fold,
        "loss_bb": decision.loss,
        "opponent1": hand.opponent[:2] if shown else None,
        "opponent2": hand.opponent[2:] if shown else None,
        "board": hand.board if shown else None,
        "winnings_bb": hand.winnings,
    }


async def as_csv(database: Database) -> AsyncIterator[str]:
    """Stream all decisions as CSV."""
    line = io.StringIO()
    writer = csv.DictWriter(line, COLUMNS, lineterminator="\n")
    writer.writeheader()
    async for decision in all_decisions(database):
        writer.writerow(row(*decision))
        if line.tell() > 16_384:
            yield line.getvalue()
            line.seek(0)
            line.truncate()
    yield line.getvalue()


async def as_json(database: Database) -> AsyncIterator[str]:
    """Stream all decisions as one JSON array."""
    before = "["
    async for decision in all_decisions(database):
        yield f"{before}\n{json.dumps(row(*decision))}"
        before = ","
    yield "[]\n" if before == "[" else "\n]\n"
