"""Classes of opponents (Booker 2004, section 3.3): what kind of player one is, and how surely.

The source lists the questions that a player asks about an opponent, and for some of them the cue
that answers it. Each class here is a share that the statistics count, with its Clopper-Pearson
interval and a threshold. The class holds if the whole interval lies above the threshold, and does
not hold if it lies below. Otherwise the hands seen so far do not decide.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird.cards import Card, cards_of
from railbird.cards.hand_strength import Category, category, strength, strengths
from railbird.estimates import BoundedMean
from railbird.game import BOARD_CARDS, Street
from railbird.modelling import settings
from railbird.modelling.opponent_statistics import OpponentStatistics, Share, ShownHand
from railbird.modelling.public_hand import PlayedAction
from railbird.odds.hand_rank import state_rating

_POSTFLOP = (Street.FLOP, Street.TURN, Street.RIVER)
_DRAWN = (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH)
_DECK = frozenset(map(Card, range(52)))


class ClassVerdict(Enum):
    """Whether a class holds."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"
    """The interval contains the threshold."""
    TOO_FEW = "too few to say"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentClass:
    """One class, and what the statistics say of it."""

    name: str
    cue: str
    """What was counted, in words."""
    n: int
    """Number of occasions counted."""
    value: float
    """The share; nan where there was nothing to count."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    threshold: float
    least: int
    """Least ``n`` for a verdict."""

    @property
    def verdict(self) -> ClassVerdict:
        """Return what the interval says about the threshold."""
        if self.n < self.least:
            return ClassVerdict.TOO_FEW
        if self.low > self.threshold:
            return ClassVerdict.YES
        return ClassVerdict.NO if self.high < self.threshold else ClassVerdict.UNDECIDED

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded, None for those that are not finite."""
        return {
            "name": self.name,
            "cue": self.cue,
            "value": None if math.isnan(self.value) else self.value,
            "low": self.low,
            "high": self.high,
            "n": self.n,
            "threshold": self.threshold,
            "least": self.least,
            "verdict": self.verdict.value,
        }


def opponent_classes(statistics: OpponentStatistics, seats: int) -> tuple[OpponentClass, ...]:
    """Return all classes in the source's order; ``seats`` is the number at the table."""
    return (*counted_classes(statistics, seats), *_shown_classes(statistics))


def counted_classes(statistics: OpponentStatistics, seats: int) -> tuple[OpponentClass, ...]:
    """Return the classes that need only counts, which take next to no time to compute."""
    bets = _bets_after_flop(statistics)
    folds = statistics.count(street=Street.PREFLOP, action=PlayedAction.FOLD)
    played = Share(statistics.hands - folds, statistics.hands)
    chances, first, later_chances, later = statistics.late
    return (
        _class("aggressive", "bets and raises after the flop", bets, settings.AGGRESSIVE),
        _class(
            "conservative",
            "checks, calls and folds after the flop",
            _others(bets),
            1 - settings.AGGRESSIVE / 2,
        ),
        _class(
            "loose",
            "hands not folded before the flop",
            played,
            settings.LOOSE_ABOVE.get(seats, settings.LOOSE_ABOVE_FULL),
        ),
        _class(
            "tight",
            "hands folded before the flop",
            _others(played),
            1 - settings.TIGHT_BELOW.get(seats, settings.TIGHT_BELOW_FULL),
        ),
        _class(
            "pot stealer",
            "first bets from late position",
            Share(first + later, chances + later_chances),
            settings.STEALS,
        ),
        _class(
            "trapper",
            "raises behind its own check",
            statistics.cues.check_raises,
            settings.CHECK_RAISES,
        ),
        _class(
            "loose caller",
            "calls of bets after the flop",
            _calls(statistics),
            settings.LOOSE_CALLS,
        ),
        _varies(statistics),
    )


def _shown_classes(statistics: OpponentStatistics) -> tuple[OpponentClass, ...]:
    hands = statistics.shown_hands
    return (
        _shown(
            "slow-player",
            "strong flops first bet on the turn or river",
            _slow_plays(hands),
            settings.SLOW_PLAYS,
        ),
        _shown("bets draws", "draws that were bet", _draws(hands), settings.DRAW_BETS),
        _shown(
            "bets its strength",
            "bets above, checks below the average hand",
            _fitting(statistics),
            settings.FITTING_BETS,
        ),
    )


def _class(
    name: str, cue: str, share: Share, threshold: float, least: int = settings.LEAST_ACTIONS
) -> OpponentClass:
    mean = _mean(share)
    return OpponentClass(
        name=name,
        cue=cue,
        n=share.n,
        value=mean.value,
        low=mean.low,
        high=mean.high,
        threshold=threshold,
        least=least,
    )


def _shown(name: str, cue: str, share: Share, threshold: float) -> OpponentClass:
    return _class(name, cue, share, threshold, settings.LEAST_SHOWN)


def _mean(share: Share) -> BoundedMean:
    counts = {0.0: share.n - share.done, 1.0: share.done}
    return BoundedMean.of_counts(counts, least=0, most=1, unit="share")


def _others(share: Share) -> Share:
    return Share(share.n - share.done, share.n)


def _bets_after_flop(statistics: OpponentStatistics) -> Share:
    raises, actions = PlayedAction.RAISE, 0
    done = 0
    for street in _POSTFLOP:
        actions += statistics.count(street=street)
        done += statistics.count(street=street, action=raises)
    return Share(done, actions)


def _calls(statistics: OpponentStatistics) -> Share:
    def answers(action: PlayedAction | None) -> int:
        return sum(
            statistics.count(street=street, bets=bets, action=action)
            for street in _POSTFLOP
            for bets in (1, 2)
        )

    return Share(answers(PlayedAction.CALL), answers(None))


def _varies(statistics: OpponentStatistics) -> OpponentClass:
    """Judge whether the opponent plays more hands at quiet tables than at aggressive ones.

    The interval of the difference is built from the intervals of the two shares, by the method of
    Zou and Donner (Statistics in Medicine 27, 2008).
    """
    cues = statistics.cues
    shares = (cues.played_when_quiet, cues.played_when_aggressive)
    quiet, aggressive = map(_mean, shares)
    value = quiet.value - aggressive.value
    low, high = -1.0, 1.0
    if min(share.n for share in shares):
        low = value - math.hypot(quiet.value - quiet.low, aggressive.high - aggressive.value)
        high = value + math.hypot(quiet.high - quiet.value, aggressive.value - aggressive.low)
    return OpponentClass(
        name="varies play",
        cue="hands played at quiet less at aggressive tables",
        n=min(share.n for share in shares),
        value=value,
        low=low,
        high=high,
        threshold=0.0,
        least=settings.LEAST_ACTIONS,
    )


def _slow_plays(hands: Iterable[ShownHand]) -> Share:
    """Count the strong flops that were bet, and those of them that were first bet later."""
    done = n = 0
    for hand in hands:
        streets = {seen.street for seen in hand.actions if seen.action is PlayedAction.RAISE}
        bet = sorted(streets - {Street.PREFLOP})
        on_flop = any(seen.street is Street.FLOP for seen in hand.actions)
        if bet and on_flop and _rating(hand, Street.FLOP) >= settings.STRONG_RATING:
            n += 1
            done += bet[0] is not Street.FLOP
    return Share(done, n)


def _rating(hand: ShownHand, street: Street) -> float:
    return state_rating(hand.holding, hand.board[: BOARD_CARDS[street]])


def _draws(hands: Iterable[ShownHand]) -> Share:
    done = n = 0
    for hand in hands:
        for street in (Street.FLOP, Street.TURN):
            actions = [seen.action for seen in hand.actions if seen.street is street]
            if actions and outs_to_draw(cards_of(hand.holding), hand.board[: BOARD_CARDS[street]]):
                n += 1
                done += PlayedAction.RAISE in actions
    return Share(done, n)


def outs_to_draw(hole: Sequence[Card], board: Sequence[Card]) -> int:
    """Return the number of outs to a straight or a flush; 0 if the hand is no draw.

    A draw has at most a pair and at least `DRAW_OUTS` outs, and its hole cards are needed for them.

    >>> from railbird.cards import parse_cards
    >>> outs_to_draw(parse_cards("AsKs"), parse_cards("Qs7s2d"))
    9
    >>> outs_to_draw(parse_cards("AsKs"), parse_cards("Qd7d2d"))
    0
    """
    cards = [*hole, *board]
    if category(strength(cards)) > Category.PAIR:
        return 0
    rest = sorted(_DECK.difference(cards))
    made = _makes(cards, rest)
    # With three cards on the board no fourth makes a straight or a flush, so the board alone needs
    # no look.
    if len(board) > 3:
        # A card that completes the board by itself completes it for everybody, so it is no out of
        # this hand.
        made &= ~_makes(board, rest)
    outs = int(made.sum())
    return outs if outs >= settings.DRAW_OUTS else 0


def _makes(cards: Sequence[Card], rest: Sequence[Card]) -> npt.NDArray[np.bool_]:
    """Return for each of the other cards whether it makes a straight or a flush, (n,)."""
    hands = np.empty((len(rest), len(cards) + 1), np.uint8)
    hands[:, :-1] = cards
    hands[:, -1] = rest
    return np.array([category(value) in _DRAWN for value in strengths(hands)], np.bool_)


def _fitting(statistics: OpponentStatistics) -> Share:
    done = n = 0
    for street in _POSTFLOP:
        bets = statistics.shown_ratings(street, PlayedAction.RAISE)
        checks = statistics.shown_ratings(street, PlayedAction.CHECK)
        n += len(bets) + len(checks)
        done += sum(rating > 0 for rating in bets) + sum(rating <= 0 for rating in checks)
    return Share(done, n)
