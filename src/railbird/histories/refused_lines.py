"""Refused hands in a log that has comments: a line each, so that a converted log keeps their money.

Other programs pass such a line over: ``# railbird refused: {"reason":"another game",...}``.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Final

from railbird.histories.record import RefusedHand, Skipped, SkipReason

_MARK: Final = "# railbird refused: "


def refused_line(skip: Skipped) -> str:
    """Return the line of what was refused."""
    won, played_at, stake, number = skip.hand
    fields = {
        "reason": skip.reason.value,
        "detail": skip.detail,
        "won": dict(won),
        "played_at": None if played_at is None else played_at.isoformat(),
        "stake": stake,
        "number": number,
    }
    return f"{_MARK}{json.dumps(fields)}\n"


def read_refused_line(text: str, line: int) -> Skipped | None:
    """Read a line; None if it is another one, or none of ours.

    >>> skip = Skipped(SkipReason.CUT, 7, "'Ann'", hand=RefusedHand({"Ann": -1.5}, number="12"))
    >>> copy = read_refused_line(refused_line(skip), 9)
    >>> copy.line, copy.hand == skip.hand
    (9, True)
    """
    if not text.startswith(_MARK):
        return None
    try:
        fields = json.loads(text[len(_MARK) :])
        when = fields["played_at"]
        hand = RefusedHand(
            {str(name): float(amount) for name, amount in fields["won"].items()},
            None if when is None else datetime.fromisoformat(when),
            str(fields["stake"]),
            str(fields["number"]),
        )
        return Skipped(SkipReason(fields["reason"]), line, str(fields["detail"]), hand=hand)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
