"""Hands of heads-up limit as arrays for kernels, and the check whether they can be scored.

`divat.any_game.scorable` is the check for any hold'em.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.assessment.divat.kernels import MOST, Hands
from railbird.assessment.divat.preflop_values import BASELINE_MOST
from railbird.baseline import BET_SIZES
from railbird.baseline.kernels import CALL, FOLD, RAISE
from railbird.game import Betting, Raise, Rules, Street
from railbird.histories import HandRecord, columns
from railbird.histories.columns import UNKNOWN, HandBatch
from railbird.histories.same_hands import SeenHands

_NO_CAP = 32_767


class Unscorable(Enum):
    """Reasons why a hand cannot be scored; the values are shown to people."""

    SEATS = "not heads-up"
    BETTING = "not limit betting"
    STRUCTURE = (
        "not the structure of limit hold'em: blinds of 1/2 and 1 small bet, bets of 1, 1, 2, 2"
    )
    BLINDS = "not with reversed blinds, where the dealer posts the small one"
    STACKS = "stacks too short for the betting"
    DEPTH = "more bets than can be scored"
    PLAYERS = "hands of other players"
    AGAIN = "hands given twice"
    """The same hand, perhaps seen from another side; it counts once, with the cards of both."""
    CONTRADICTED = "hands contradicted by another view"


def copies_left_out(seen: SeenHands) -> dict[str, int]:
    """Count the hands left out because they contradict an earlier one, by reason.

    Views that were merged are part of a hand that counts, so they are not among them.
    """
    count = seen.contradictions
    return {Unscorable.CONTRADICTED.value: count} if count else {}


@checked
def why_unscorable(record: HandRecord) -> Unscorable | None:
    """Return the reason why a hand cannot be scored, or None."""
    game = _game_of(record.rules)
    if game.why_unscorable is not None or game.most is not None:
        return game.why_unscorable
    most = _most_put_in(record)
    if most + BASELINE_MOST > MOST:
        return Unscorable.DEPTH
    stacks = record.rules.stacks
    # Whoever may be all-in may have skipped decisions.
    if stacks is not None and most * record.rules.bet_sizes[0] >= min(stacks):
        return Unscorable.STACKS
    return None


class _ScorableGame(NamedTuple):
    """Consequences of a table's rules for scoring."""

    why_unscorable: Unscorable | None
    cap: tuple[int, ...]
    """Most bets by street, the blind included."""
    most: int | None
    """Most small bets that a player can put in; None if it depends on the hand."""


@lru_cache(maxsize=256)
def _game_of(rules: Rules) -> _ScorableGame:
    reason = _unfit_rules(rules)
    if rules.max_raises is None or rules.lift_cap_heads_up:
        return _ScorableGame(reason, (_NO_CAP,) * len(BET_SIZES), None)
    preflop, *later = rules.max_raises
    cap = (preflop + 1, *later)
    most = sum(bets * size for bets, size in zip(cap, BET_SIZES, strict=True))
    bounded = rules.stacks is None and most + BASELINE_MOST <= MOST
    return _ScorableGame(reason, cap, most if bounded else None)


def _unfit_rules(rules: Rules) -> Unscorable | None:
    if rules.seats != 2:
        return Unscorable.SEATS
    if rules.betting is not Betting.LIMIT:
        return Unscorable.BETTING
    small = rules.bet_sizes[0]
    halves = sorted(2 * blind for blind in rules.blinds)
    sizes = tuple(small * size for size in BET_SIZES)
    if halves != [small, 2 * small] or any(rules.antes) or rules.bet_sizes != sizes:
        return Unscorable.STRUCTURE
    if rules.first_to_act != (1, 0, 0, 0) or rules.blinds[0] != small:
        return Unscorable.BLINDS
    return None


def is_heads_up_limit(rules: Rules) -> bool:
    """Return whether DIVAT by rounds, with its exact tables, supports a game; hands may differ."""
    return _unfit_rules(rules) is None


def why_unscorable_by_row(hands: HandBatch) -> npt.NDArray[np.object_]:
    """Return for each hand the reason why it cannot be scored, or None."""
    games = [_game_of(rules) for rules in hands.rules]
    reasons = np.array([game.why_unscorable for game in games], dtype=np.object_)[hands.rules_of]
    # Only the hand itself tells how deep the betting went where the rules do not bound it.
    if all(game.why_unscorable is not None or game.most is not None for game in games):
        return reasons
    most = _most_by_row(hands)
    stacks = [min(rules.stacks) if rules.stacks else MOST * MOST for rules in hands.rules]
    small = np.array([rules.bet_sizes[0] for rules in hands.rules], dtype=np.int64)
    unbounded = np.array([game.most is None for game in games])[hands.rules_of]
    open_ = unbounded & (reasons == None)  # noqa: E711 -- by element
    short = most * small[hands.rules_of] >= np.array(stacks, dtype=np.int64)[hands.rules_of]
    reasons[open_ & short] = Unscorable.STACKS
    reasons[open_ & (most + BASELINE_MOST > MOST)] = Unscorable.DEPTH
    return reasons


def _most_put_in(record: HandRecord) -> int:
    """Upper bound on either player's contribution in small bets: the blind, and two a raise."""
    return 1 + 2 * sum(type(action) is Raise for action in record.actions)


def _most_by_row(hands: HandBatch) -> npt.NDArray[np.int64]:
    raises = np.concatenate([[0], np.cumsum(hands.action > 0)])
    most: npt.NDArray[np.int64] = 1 + 2 * np.diff(raises[hands.start])
    return most


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Hands as arrays, in small bets; player 1 is the big blind of each hand."""

    hands: Hands
    dealt: npt.NDArray[np.uint8]
    """(n,) cards on the board."""
    preflop_bets: npt.NDArray[np.int64]
    """(n,) bets before the flop, the blind included."""
    money: npt.NDArray[np.float64]
    """(n,) what player 1 won, before rake: the rest of the accounting has the pots alone."""
    rake: npt.NDArray[np.float64]
    """(n, 2) what the house took of each player's winnings."""
    known: npt.NDArray[np.bool_]
    """(n,) whether both holdings are known."""
    folded: npt.NDArray[np.bool_]
    """(n,) whether the hand ended by a fold."""
    most: int
    """Small bets that neither player exceeds, however the baseline may go on."""


def batch_of(records: Sequence[HandRecord]) -> Batch:
    """Lay out records that are fit to be scored (`why_unscorable` says None)."""
    return lay_out(columns.batch_of(records))


def lay_out(hands: HandBatch) -> Batch:
    """Lay out hands that are fit to be scored, all of them."""
    games = [_game_of(rules) for rules in hands.rules]
    small = np.array([rules.bet_sizes[0] for rules in hands.rules], dtype=np.int64)
    caps = np.array([game.cap for game in games], dtype=np.int16).reshape(-1, len(BET_SIZES))
    most = max((game.most for game in games if game.most is not None), default=0)
    if any(game.most is None for game in games):
        most = max(most, int(_most_by_row(hands).max(initial=0)))
    first, second = (np.ascontiguousarray(hands.holding[:, seat]) for seat in (0, 1))
    action = np.where(hands.action > 0, RAISE, np.where(hands.action == 0, CALL, FOLD))
    raised = (hands.action > 0) & (hands.answers.street == Street.PREFLOP)
    money, unit = _before_rake(hands.payoff), hands.parts * small[hands.rules_of]
    rake = np.stack([money, -money], axis=1) - hands.payoff[:, :2]
    return Batch(
        hands=Hands(
            first=first,
            second=second,
            board=np.array(hands.board),  # writable, as kernels are compiled for
            start=hands.start,
            action=action.astype(np.uint8),
            cap=caps[hands.rules_of],
        ),
        dealt=hands.dealt,
        preflop_bets=1 + np.bincount(hands.hand_of[raised], minlength=len(hands)),
        money=money / unit,
        rake=rake / unit[:, None],
        known=(first != UNKNOWN) & (second != UNKNOWN),
        folded=hands.action[hands.start[1:] - 1] < 0,
        most=most + BASELINE_MOST,
    )


def _before_rake(payoff: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Winnings of the first of two: what the loser lost; nothing if both share the pot."""
    first, second = payoff[:, 0], payoff[:, 1]
    return np.where(first > 0, -second, np.where(second > 0, first, 0))
