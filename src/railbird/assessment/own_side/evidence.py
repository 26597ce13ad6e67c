"""Known cards of a player's hands, and the estimator that decides given these.

The kind of log determines the estimator before any number is seen. Choosing the one with the
smallest standard error on the same heavy-tailed hands would give intervals that are too narrow.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from railbird.assessment.own_side.estimators import ALL_IN_CARDS, ALL_IN_UNKNOWN, OWN_CARDS
from railbird.assessment.settings import FEWEST_HANDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Counts of a player's hands, and the estimator that decides."""

    hands: int
    """Hands that the player was dealt into."""
    own_cards: int
    """Hands in which the player's own cards are known."""
    all_ins: int
    """Hands in which the player was all-in, or had called an all-in, with cards to come."""
    unknown: int
    """All-ins in which the cards of a live hand are not known."""
    decides: str
    """Name of the estimator."""
    reason: str
    """Reason for this estimator, as the end of a sentence."""

    def as_json(self) -> dict[str, int | str]:
        """Return the fields."""
        return {
            "hands": self.hands,
            "own_cards": self.own_cards,
            "all_ins": self.all_ins,
            "all_ins_unknown": self.unknown,
            "verdict_by": self.decides,
            "reason": self.reason,
        }


def evidence_of(rows: pl.DataFrame, *, hidden: int, of_log: int, frozen: str) -> Evidence:
    """Choose the estimator for one player, or for a table whose cards are all known.

    ``rows`` are those of all hands; ``hidden`` of these have unknown cards, and ``of_log`` of the
    log's. ``frozen`` names the coefficients that replace those of a short match.
    """
    hands = rows["row"].n_unique()
    own = int(rows[OWN_CARDS].sum() or 0) if OWN_CARDS in rows else 0
    all_in = int(rows[ALL_IN_CARDS].is_not_null().sum()) if ALL_IN_CARDS in rows else 0
    unknown = int(rows[ALL_IN_UNKNOWN].sum() or 0) if ALL_IN_UNKNOWN in rows else 0
    decides, reason = "money", f"some cards of {hidden:,} of {_hands(hands)} are not known"
    if not hidden:
        reason = f"some cards of {_hands(of_log)} of others are not known"
    if not of_log:
        decides, reason = "fitted", reason_of_all_cards(hands, frozen)
    elif own < rows.height:
        reason += ", this player's own among them"
    elif unknown:
        reason = (
            f"in {unknown:,} of {_all_ins(all_in)} a live hand was not shown, and those that were "
            "shown are not representative"
        )
    elif all_in:
        decides = "allin"
        reason = (
            f"only own cards are known, and every live hand of {_all_ins(all_in)}; folded cards "
            "are taken as uniform"
        )
    else:
        reason += ", and there was no all-in with cards to come"
    return Evidence(
        hands=hands,
        own_cards=own,
        all_ins=all_in,
        unknown=unknown,
        decides=decides,
        reason=reason,
    )


def reason_of_all_cards(hands: int, frozen: str) -> str:
    """Return why fitted decides, all cards of these hands being known.

    >>> reason_of_all_cards(499, "limit-2")
    'all cards of 499 hands are known; fewer than 500, so its coefficients are those of limit-2'
    """
    reason = f"all cards of {_hands(hands)} are known"
    if hands < FEWEST_HANDS:
        reason += f"; fewer than {FEWEST_HANDS}, so its coefficients are those of {frozen}"
    return reason


def _hands(count: int) -> str:
    return f"{count:,} hand{'' if count == 1 else 's'}"


def _all_ins(count: int) -> str:
    return f"{count:,} all-in{'' if count == 1 else 's'}"
