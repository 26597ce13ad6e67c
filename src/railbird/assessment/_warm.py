"""Compile the kernels of this room for any game, each by a call that does almost nothing.

`railbird.arena._warm` does the same for the arena.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from railbird.assessment.aivat.scorer import Exact, OneKnownScorer, SeatedPair, SeatedScorer
from railbird.assessment.all_in import all_ins_of, compile_sharing
from railbird.assessment.divat import preflop_builder
from railbird.assessment.divat.any_game import CALL_DOWN, position_of, values_of
from railbird.assessment.divat.hand import score_hand
from railbird.assessment.divat.preflop_values import EnumeratedPreflopValues, SampledPreflopValues
from railbird.assessment.divat.scorer import compile_scoring, open_scorer
from railbird.assessment.graded_decisions import grades
from railbird.assessment.limit_pair import assess
from railbird.assessment.own_side import own_bias_of, own_luck_of
from railbird.assessment.player_statistics import counts_of
from railbird.assessment.prizes import outcomes_of
from railbird.baseline import STANDARD
from railbird.game import HEADS_UP_LIMIT
from railbird.histories import read_hand
from railbird.histories.columns import batch_of
from railbird.odds.rank_tables import open_tables
from railbird.players.known_strategy import known_strategy
from railbird.solve.abstraction.card_abstraction import CardBlind
from railbird.solve.limit.pair_values import Effects, PairValues, ShowdownLines

_HAND = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"
_ALL_IN = "STATE:0:cc/r20000c//:AsAh|KsKh/2c7d9h/Js/Td:20000|-20000:A|B"
_LIMIT = "holdem.limit.2p.reverse_blinds.game"
_TOLD = (
    "STATE:0:rc/rrc/rrc/rrc:Ks3d|Ah6s/Kd5d5c/8h/Ts:120|-120:A|B",
    "STATE:1:crc/rf:Jh4s|3c2c/TcTs9d:20|-20:B|A",
    "STATE:2:rc/rc/rc/rc:Ks3d|Ah6s/Kd5d5c/8h/Ts:70|-70:A|B",
)
"""Of one who folds and of one who shows, so that all that is learned of either is called."""
_NO_LIMIT = "holdem.nolimit.2p.reverse_blinds.game"


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Name and call for each group of kernels."""
    return [
        ("values of any hold'em", lambda: values_of(batch_of([]), CALL_DOWN, boards=1)),
        ("pots of all-ins", compile_sharing),
        ("scores by rounds", compile_scoring),
        ("luck from one side's cards", lambda: own_luck_of(batch_of([]), CALL_DOWN)),
        ("all-ins", lambda: all_ins_of(batch_of([]))),
        ("position of any hold'em", lambda: position_of(HEADS_UP_LIMIT, CALL_DOWN, deals=1)),
        ("bias of one side's cards", lambda: own_bias_of(batch_of([]), CALL_DOWN)),
        ("statistics of players", lambda: counts_of(batch_of([]))),
        ("scores of hands", lambda: (score_hand(read_hand(_HAND)), assess([read_hand(_HAND)]))),
        ("orders of all-ins", lambda: outcomes_of(batch_of([read_hand(_ALL_IN, game=_NO_LIMIT)]))),
        ("grades of decisions", _grades),
        ("AIVAT of limit hold'em", _aivat),
        ("sampled preflop values", _sampled),
        ("enumerated preflop values", _enumerated),
        *preflop_builder.warm_up_steps(),
    ]


def _grades() -> None:
    grades([read_hand(hand, game=_LIMIT) for hand in _TOLD], "A")


def _sampled() -> None:
    sampled = SampledPreflopValues(STANDARD, open_tables(), samples=2)
    open_scorer(STANDARD, values=sampled)
    sampled.values(*_pairs(1), np.ones((1, 1), dtype=np.int16))


def _enumerated() -> None:
    enumerated = EnumeratedPreflopValues(STANDARD, open_tables())
    enumerated.values(*_pairs(1), np.empty((1, 0), dtype=np.int16))


def _pairs(n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(n, dtype=np.int16), np.full(n, 1325, dtype=np.int16)


def _aivat() -> None:
    strategy = known_strategy("always-call").on_boards
    tree = strategy.tree
    none = tuple(
        (np.zeros((part.lanes, 1), np.float32), np.zeros((part.sequences, 1), np.float32))
        for part in tree.rounds
    )
    lines = tuple(ShowdownLines(*np.zeros((2, part.sequences))) for part in tree.rounds)
    values = PairValues(
        tuple(Effects(after, after) for after, _ in none),
        tuple(Effects(start, start) for _, start in none),
        0.0,
        (lines, lines),
    )
    board = np.array([0, 5, 10, 15, 20], dtype=np.uint8)
    for is_known in ((True, True), (True, False)):
        pair = SeatedPair(
            strategies=(strategy, strategy),
            is_known=is_known,
            values=values,
            abstraction=CardBlind(),
        )
        for exact in Exact:
            by_table = all(is_known) or exact is Exact.NEVER
            scorer = (SeatedScorer if by_table else OneKnownScorer)(pair, exact=exact)
            scorer.score((1325, 1300), board, [1] * 8)
