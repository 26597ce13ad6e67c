"""Assessments of matches that were never played, for tests of what is made from them."""

from __future__ import annotations

import numpy as np
import polars as pl

from railbird.assessment import (
    ROUNDS,
    Assessment,
    Form,
    HandKind,
    Kind,
    Scoring,
    estimators_of,
)
from railbird.assessment.divat.estimators import LIKE_DIVAT
from railbird.assessment.score_frame import Deals
from railbird.baseline import STANDARD
from railbird.estimates import Estimate, Moments, variance_reduction
from railbird.histories import HandRecord, read_hand
from railbird.histories.columns import PackedHands, batch_of, pack

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
) -> Assessment:
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
    listed = estimators_of(Form.MATCH)
    samples = scores.select(one.values(scores, Scoring()) for one in listed)
    sides = {players[0]: samples, players[1]: samples.select(-pl.all())}
    deals = Deals.of(scores["pair"])
    return Assessment(
        players=players,
        settings=(STANDARD,),
        scores=scores,
        played=PackedHands([pack(batch_of([hand]).rows(np.zeros(hands, np.int64)))]),
        spots=_spots(players, hands),
        forward=False,
        coefficients=LIKE_DIVAT,
        skipped=skipped or {},
        sources=sources,
        position=Estimate(_POSITION, 0.001, 200_000),
        estimates={p: {c.name: deals.estimate(c) for c in s} for p, s in sides.items()},
        pairs={},
        rounds={
            player: {name: Moments.of(sign * scores[f"divat_{name}"]).estimate() for name in ROUNDS}
            for player, sign in zip(players, (1, -1), strict=True)
        },
        sd={p: {c.name: Moments.of(c).sd for c in s} for p, s in sides.items()},
        variance_reduction={
            player: {
                name: variance_reduction(Moments.of(samples["money"]), Moments.of(samples[name]))
                for name in (one.name for one in listed if one.kind is Kind.UNBIASED)
                if name != "money"
            }
            for player in players
        },
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
