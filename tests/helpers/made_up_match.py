"""Assessments of matches that were never played, for tests of what is made from them."""

from __future__ import annotations

import numpy as np
import polars as pl

from railbird.assessment import ROUNDS, Contest, HandKind, MatchAssessment, estimators_of
from railbird.assessment.frozen_coefficients import LIKE_DIVAT
from railbird.assessment.integrity import Integrity, luck_check
from railbird.assessment.limit_pair import match_of
from railbird.baseline import STANDARD
from railbird.cards import CLASSES
from railbird.estimates import Estimate
from railbird.histories import HandRecord, read_hand
from railbird.histories.columns import PackedHands, batch_of, pack
from railbird.serve.pushfold_game import Equilibrium
from railbird.solve import PushFoldValues

HAND = read_hand("T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC")
"""The first half of the source's example game."""

_LUCK = (0.8, 1.5, 2.0, 3.0)
_SKILL = (0.3, 0.6, 1.0, 1.4)
_POSITION = -0.111


def made_up(
    hands: int,
    *,
    edge: float = 0.0,
    players: tuple[str, str] = ("Ann", "Bob"),
    sources: tuple[str, ...] = ("match.log",),
    skipped: dict[str, int] | None = None,
    unknown: int = 0,
    favour: float = 0.0,
    duplicate: bool = False,
    hand: HandRecord = HAND,
    seed: int = 3,
) -> MatchAssessment:
    """Make an assessment in which money is skill + luck + position and skill has a mean.

    The first ``unknown`` hands have cards that were not shown; ``favour`` is what the cards bring
    the first player in a hand beyond what is fair.
    """
    scores = _scores(hands, edge, favour, np.random.default_rng(seed))
    known = pl.int_range(pl.len()) >= unknown
    hidden = [name for name in scores.columns if name not in ("money", "divat", "fitted", "seat")]
    scores = scores.with_columns(pl.when(known).then(pl.col(name)) for name in hidden)
    scores = scores.with_columns(
        *(pl.when(known).then(name).otherwise("money").alias(name) for name in ("divat", "fitted")),
        rake=pl.lit(0.0),
        other_rake=pl.lit(0.0),
        kind=pl.when(~known)
        .then(pl.lit(HandKind.UNKNOWN))
        .otherwise(
            pl.when(pl.col("money") > 0)
            .then(pl.lit(HandKind.SHOWDOWN))
            .otherwise(pl.lit(HandKind.FOLD))
        )
        .cast(pl.Enum(HandKind)),
        number=pl.int_range(pl.len(), dtype=pl.Int64),
        file=pl.lit(0, dtype=pl.UInt16),
        line=pl.int_range(pl.len(), dtype=pl.Int64) + 1,
        pair=pl.int_range(pl.len()) // 2 * 2 if duplicate else pl.lit(None, dtype=pl.Int64),
    )
    return match_of(
        players,
        scores,
        estimators=estimators_of(Contest.MATCH),
        spots=_spots(players, hands),
        sources=sources,
        position=Estimate(_POSITION, 0.001, 200_000),
        settings=(STANDARD,),
        played=PackedHands([pack(batch_of([hand]).rows(np.zeros(hands, np.int64)))]),
        forward=False,
        coefficients=LIKE_DIVAT,
        integrity=_integrity(players[0], scores, unknown),
        skipped=skipped or {},
    )


def _spots(players: tuple[str, str], hands: int) -> pl.DataFrame:
    """Let the first player lose by folding good hands on the river, and the second nowhere."""
    return pl.DataFrame(
        {
            "player": [players[0], players[0], players[1]],
            "street": ["turn", "river", "flop"],
            "facing": ["nothing", "raise", "bet"],
            "class": ["make1", "make2", "call"],
            "action": ["check", "fold", "raise"],
            "decisions": [9, 1, 20],
            "divat": [-1.8, -14.0, 2.5],
            "stderr": [0.6, None, 0.7],
            "evat": [-2.0, -15.0, -0.5],
        }
    ).head(3 if hands else 0)


def _integrity(player: str, scores: pl.DataFrame, unknown: int) -> Integrity:
    events = ("deal", *ROUNDS[1:])
    luck = scores.select(
        pl.col(f"luck_{name}").alias(event) for name, event in zip(ROUNDS, events, strict=True)
    )
    checked = {} if unknown or not scores.height else {player: luck_check(luck)}
    return Integrity(unit="sb", luck=checked)


def _scores(hands: int, edge: float, favour: float, rng: np.random.Generator) -> pl.DataFrame:
    seat = np.arange(hands) % 2
    skill = {
        f"divat_{name}": scale * rng.standard_t(5, hands) + edge / 4
        for name, scale in zip(ROUNDS, _SKILL, strict=True)
    }
    luck = {
        f"luck_{name}": rng.normal(favour / 4, scale, hands)
        for name, scale in zip(ROUNDS, _LUCK, strict=True)
    }
    position = np.where(seat == 0, _POSITION, -_POSITION)
    divat = np.sum(list(skill.values()), axis=0)
    return pl.DataFrame(
        {
            "seat": seat.astype(np.uint8),
            "money": divat + np.sum(list(luck.values()), axis=0) + position,
            "divat": divat,
            **skill,
            **luck,
            "position": position,
            "aie": divat + rng.normal(0, 0.4, hands),
            "dcash": rng.normal(0, 4, hands),
            "redgreen": rng.normal(0, 1, hands),
            "evat": rng.normal(0, 1, hands),
            "lfat": rng.normal(0, 3, hands),
            "fitted": divat + rng.normal(0, 0.2, hands),
        }
    )


# An equilibrium that needs no solver: what a server does with one is the same with any.


def made_up_equilibrium(stack: float) -> Equilibrium:
    """The better a class's row and column, the better to push it; one class is mixed."""
    row, column = np.divmod(np.arange(CLASSES), 13)
    goodness = 1.0 - (row + column) / 24
    push = (goodness > 0.4).astype(np.float64)
    call = (goodness > 0.6).astype(np.float64)
    push[42] = 0.5
    values = PushFoldValues(
        push_ev=np.where(push == 0.5, -0.5, goodness * 2 - 1.3),
        fold_ev_sb=-0.5,
        call_ev=goodness * stack / 2 - 0.3 * stack - 1.0,
        fold_ev_bb=-1.0,
        sb_value=0.0,
        facing=push,
    )
    return Equilibrium(stack, push, call, values)
