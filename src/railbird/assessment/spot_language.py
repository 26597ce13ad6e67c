"""A small language of spots in any hold'em: which of a player's hands are meant.

    3bet pot, in position, faced turn bet, 60-100bb, paired flop

Terms between commas hold together; ``or`` between terms leaves a choice, ``not`` before one turns
it around. `TERMS` is the language: a pattern, what it says of a row of `player_statistics.rows_of`,
an example and a meaning; a new term is an entry of it. `facts_of` fills the columns that terms ask
for.

Terms say what happened, in words: what a player faced on a street (``faced turn bet``), or did
there (``bet turn``, ``check-raised flop``). Some are fixed before any card is dealt, such as
positions and stacks: hands that these choose are as good a sample as all. Hands chosen by what
happened are not, whoever plays: `Spots.beforehand` tells them apart, and of the others there is no
luck and no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.cards import CLASS_NAMES
from railbird.errors import BadInput, did_you_mean, unknown_name
from railbird.game import ActionName
from railbird.histories.columns import HandBatch

STREETS: Final = ("preflop", "flop", "turn", "river")
LONGEST: Final = 2_000
"""Characters of a condition."""
BY_OUTCOME: Final = "the hands are chosen by what happened in them"
"""Why there is no verdict on them."""
_SHOWN: Final = 60
"""Characters of a wrong term that are quoted."""

FACED: Final = 1
"""Bit of `line_column`: a bet to call; before the flop a raise."""
FACED_RAISE: Final = 2
"""A raise of a bet; before the flop a third bet."""
BET: Final = 4
"""The first bet of the street; before the flop the first raise."""
RAISED: Final = 8
"""A raise of a bet; before the flop of a raise."""
CALLED: Final = 16
CHECKED: Final = 32
FOLDED: Final = 64
CHECK_RAISED: Final = 128

FACED_THIRD_BET: Final = "faced_third_bet"
"""Column: before the flop, whoever had raised."""
FOLDED_TO_THIRD_BET: Final = "folded_to_third_bet"
_THIRD_BET: Final = 3
"""Bets on the street before the flop, of which the big blind is one."""

PAIRED: Final = 1
"""Bit of the column ``texture``, of the flop."""
MONOTONE: Final = 2
TWO_TONE: Final = 4
CONNECTED: Final = 8
"""Three ranks within five, without a pair."""
ACE_HIGH: Final = 16


def line_column(street: str) -> str:
    """Name the column of what a player faced and did on a street."""
    return f"line_{street}"


# The facts of a hand and seat.


def facts_of(
    batch: HandBatch, saw_flop: npt.NDArray[np.bool_]
) -> dict[str, npt.NDArray[np.generic]]:
    """Return the columns that terms ask for, each (n, S).

    ``saw_flop`` (n, S) are the seats that had not folded when the flop was dealt.
    """
    n, seats = batch.player.shape
    answers, hand = batch.answers, batch.hand_of
    preflop = answers.street == 0
    aggressive = np.isin(answers.name, (ActionName.BET, ActionName.RAISE))
    first_bet = np.where(preflop, 2, 1)  # the big blind is a bet, too
    bets = answers.bets.astype(np.int64)
    bits = (
        FACED * (bets >= first_bet)
        | FACED_RAISE * (bets > first_bet)
        | BET * (aggressive & (bets < first_bet))
        | RAISED * (aggressive & (bets >= first_bet))
        | CALLED * (answers.name == ActionName.CALL)
        | CHECKED * (answers.name == ActionName.CHECK)
        | FOLDED * (answers.name == ActionName.FOLD)
    ).astype(np.uint8)
    lines = np.zeros((n, seats, len(STREETS)), np.uint8)
    np.bitwise_or.at(lines, (hand, answers.seat, answers.street), bits)
    lines |= np.where((lines & CHECKED > 0) & (lines & RAISED > 0), CHECK_RAISED, 0).astype(
        np.uint8
    )
    lines[:, :, 0] &= np.uint8(255 - CHECK_RAISED)  # a checked blind acts no more
    third = preflop & (bets == _THIRD_BET)
    faced_third, folded_third = np.zeros((2, n, seats), np.bool_)
    faced_third[hand[third], answers.seat[third]] = True
    third &= answers.name == ActionName.FOLD
    folded_third[hand[third], answers.seat[third]] = True
    raises = np.bincount(hand[preflop & aggressive], minlength=n).astype(np.uint8)
    last = np.where(saw_flop, np.arange(seats), -1).max(axis=1)
    return {
        "raises": np.repeat(raises[:, None], seats, axis=1),
        "at_flop": np.repeat(saw_flop.sum(axis=1, dtype=np.uint8)[:, None], seats, axis=1),
        "saw_flop": saw_flop,
        "in_position": saw_flop & (np.arange(seats) == last[:, None]),
        FACED_THIRD_BET: faced_third,
        FOLDED_TO_THIRD_BET: folded_third,
        "depth": _depths(batch),
        "texture": np.repeat(_textures(batch)[:, None], seats, axis=1),
        **{line_column(street): lines[:, :, place] for place, street in enumerate(STREETS)},
    }


def _depths(batch: HandBatch) -> npt.NDArray[np.float32]:
    """Return the stack that each seat can lose, in big blinds; infinite where none is limited."""
    shape = len(batch.rules), batch.player.shape[1]
    stacks, limited = np.full(shape, -np.inf), np.zeros(len(batch.rules), np.bool_)
    for number, rules in enumerate(batch.rules):
        if rules.stacks is not None:
            limited[number], stacks[number, : len(rules.stacks)] = True, rules.stacks
    # The largest stack of the others is the largest of all, or for its owner the next one.
    next_one, largest = np.partition(stacks, -2, axis=1)[:, -2:].T
    owner = np.arange(shape[1]) == stacks.argmax(axis=1)[:, None]
    others = np.where(owner, next_one[:, None], largest[:, None])
    blinds = np.array([rules.big_blind for rules in batch.rules], np.float64)
    lost = np.minimum(stacks, others) / blinds[:, None]
    depths = np.where(limited[:, None] & np.isfinite(stacks), lost, np.inf).astype(np.float32)
    return depths[batch.rules_of]


def _textures(batch: HandBatch) -> npt.NDArray[np.uint8]:
    """Return the texture of the flop, (n,); 0 without one."""
    flop = batch.board[:, :3].astype(np.int64)
    ranks, suits = np.sort(flop // 4, axis=1), np.sort(flop % 4, axis=1)
    paired = (np.diff(ranks, axis=1) == 0).any(axis=1)
    kinds = 1 + (np.diff(suits, axis=1) != 0).sum(axis=1)
    # An ace is the highest card, and the lowest below a deuce, so both orders are tried.
    low_ace = np.sort(np.where(ranks == 12, -1, ranks), axis=1)
    near = (np.ptp(ranks, axis=1) <= 4) | (np.ptp(low_ace, axis=1) <= 4)
    bits = (
        PAIRED * paired
        | MONOTONE * (kinds == 1)
        | TWO_TONE * (kinds == 2)
        | CONNECTED * (near & ~paired)
        | ACE_HIGH * (ranks[:, -1] == 12)
    )
    return np.where(batch.dealt >= 3, bits, 0).astype(np.uint8)


# The terms.


class Term(NamedTuple):
    """One kind of term."""

    pattern: str
    """Regular expression of the whole term in lower case."""
    condition: Callable[[re.Match[str]], pl.Expr]
    example: str
    meaning: str
    beforehand: bool = False
    """Whether it is fixed before the cards."""


_POTS: Final = {"limped": 0, "raised": 1, "single raised": 1, "2bet": 1, "3bet": 2, "4bet": 3}
_POSITIONS: Final = ("small blind", "big blind", "early", "middle", "cutoff", "button")
_DID: Final = {
    "bet": BET,
    "raised": RAISED,
    "called": CALLED,
    "checked": CHECKED,
    "folded": FOLDED,
    "check-raised": CHECK_RAISED,
}
_FLOPS: Final = {
    "paired": (PAIRED, True),
    "unpaired": (PAIRED, False),
    "monotone": (MONOTONE, True),
    "two-tone": (TWO_TONE, True),
    "rainbow": (MONOTONE | TWO_TONE, False),
    "connected": (CONNECTED, True),
    "ace-high": (ACE_HIGH, True),
}
_STREET: Final = f"(?P<street>{'|'.join(STREETS)})"
_NUMBER: Final = r"\d{1,6}(?:\.\d{1,3})?"


def _among(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in words)


def _has(column: str, bit: int) -> pl.Expr:
    return pl.col(column).and_(pl.lit(bit, pl.UInt8)) > 0


def _pot(match: re.Match[str]) -> pl.Expr:
    raises = _POTS[match["pot"]]
    return (
        pl.col("raises") >= raises if raises == max(_POTS.values()) else pl.col("raises") == raises
    )


def _did(match: re.Match[str]) -> pl.Expr:
    street, did = match["street"], match["did"]
    bits = _DID[did]
    if street == "preflop" and did == "raised":
        bits |= BET  # an open is called a raise
    return _has(line_column(street), bits)


def _faced(match: re.Match[str]) -> pl.Expr:
    street, what = match["street"], match["what"]
    third = {"raise": street != "preflop", "3bet": street == "preflop"}
    return _has(line_column(street), FACED_RAISE if third.get(what) else FACED)


def _flop(match: re.Match[str]) -> pl.Expr:
    bit, wanted = _FLOPS[match["flop"]]
    there = _has("texture", bit)
    return (pl.col("at_flop") > 0) & (there if wanted else ~there)


def _depth(match: re.Match[str]) -> pl.Expr:
    if match["low"] is not None:
        return pl.col("depth").is_between(float(match["low"]), float(match["high"]))
    bound = float(match["bound"])
    return pl.col("depth") > bound if match["side"] == "over" else pl.col("depth") < bound


def _result(match: re.Match[str]) -> pl.Expr:
    sign = 1 if match["result"] == "won" else -1
    return sign * pl.col("won") > float(match["least"] or 0)


def _holding(match: re.Match[str]) -> pl.Expr:
    names = {name.lower(): place for place, name in enumerate(CLASS_NAMES)}
    wanted = match["holdings"].split("/")
    for name in wanted:
        if name not in names:
            raise BadInput(str(unknown_name("holding", name, CLASS_NAMES)))
    return pl.col("class").is_in([names[name] for name in wanted]).fill_null(value=False)


def _statistic(match: re.Match[str]) -> pl.Expr:
    from railbird.assessment.player_statistics import Statistic  # which imports this module

    name = match["statistic"].replace("3bet", "three bet").replace("4bet", "four bet")
    keys = {statistic.key.replace("_", " "): statistic.key for statistic in Statistic}
    if (key := keys.get(re.sub("[ _-]+", " ", name))) is None:
        hint = did_you_mean(name, keys) or "allowed: those of the table of railbird stats"
        raise BadInput(f"no statistic {name!r}; {hint}")
    return pl.col(key if match["whether"] == "did" else f"{key}_chances").cast(pl.UInt8) > 0


TERMS: Final = (
    Term(
        f"(?P<pot>{_among(_POTS)}) pot",
        _pot,
        "3bet pot",
        "raises before the flop: limped, raised, 3bet, or 4bet and more",
    ),
    Term(
        f"(?P<place>{_among(_POSITIONS)}|blinds)",
        lambda m: pl.col("position").is_in(
            [0, 1] if m["place"] == "blinds" else [_POSITIONS.index(m["place"])]
        ),
        "button",
        "the position; blinds for both",
        beforehand=True,
    ),
    Term(
        "(?P<side>in|out of) position",
        lambda m: pl.col("saw_flop") & (pl.col("in_position") == (m["side"] == "in")),
        "in position",
        "last to act after the flop, or not",
    ),
    Term(
        rf"faced {_STREET} (?P<what>bet|raise|3bet)",
        _faced,
        "faced turn bet",
        "a bet to call, or a raise; before the flop a raise or a 3bet",
    ),
    Term(
        rf"(?P<did>{_among(_DID)}) {_STREET}",
        _did,
        "check-raised flop",
        "what the player did on a street",
    ),
    Term(
        "saw (?P<street>flop|turn|river)",
        lambda m: (
            pl.col("saw_flop")
            if m["street"] == "flop"
            else pl.col("saw_flop") & (pl.col(line_column(m["street"])) > 0)
        ),
        "saw turn",
        "had not folded, and acted on the turn or the river",
    ),
    Term(
        rf"(?:(?P<low>{_NUMBER})-(?P<high>{_NUMBER})"
        rf"|(?P<side>over|under) (?P<bound>{_NUMBER})) ?bb",
        _depth,
        "60-100bb",
        "the stack that can be lost, in big blinds; or over 100bb, under 40bb",
        beforehand=True,
    ),
    Term(
        f"(?P<flop>{_among(_FLOPS)}) flop",
        _flop,
        "paired flop",
        f"the flop: {', '.join(_FLOPS)}",
    ),
    Term(
        r"(?P<count>\d{1,2}) players?|(?P<many>heads-up|multiway)",
        lambda m: (
            pl.col("at_flop") == int(m["count"])
            if m["count"]
            else (pl.col("at_flop") == 2 if m["many"] == "heads-up" else pl.col("at_flop") > 2)
        ),
        "3 players",
        "players who saw the flop; or heads-up, multiway",
    ),
    Term(
        r"(?P<count>\d{1,2}) seats",
        lambda m: pl.col("seats") == int(m["count"]),
        "6 seats",
        "players who were dealt in",
        beforehand=True,
    ),
    Term(
        rf"(?P<result>won|lost)(?: over (?P<least>{_NUMBER}) ?bb)?",
        _result,
        "lost over 50bb",
        "the result",
    ),
    Term("showdown", lambda _: pl.col("showdown"), "showdown", "came to the showdown"),
    Term(
        "all-in",
        lambda _: pl.col("all_in_seen").is_not_null(),
        "all-in",
        "all-in with cards to come",
    ),
    Term(
        r"with (?P<holdings>[2-9tjqka]{2}[so]?(?:/[2-9tjqka]{2}[so]?)*)",
        _holding,
        "with aa/kk/aks",
        "own cards by kind",
    ),
    Term(
        r"(?P<whether>did|could) (?P<statistic>[a-z0-9 _-]{3,40})",
        _statistic,
        "did fold to three bet",
        "what a statistic counts; or of what: could fold to three bet",
    ),
)
"""The language; the first pattern that fits a term is meant."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Hands that are meant: those that fit any of some conditions."""

    texts: tuple[str, ...]
    condition: pl.Expr
    beforehand: bool
    """Whether all terms are fixed before the cards, so that the hands are as good as all."""

    @property
    def words(self) -> str:
        """The conditions as they were written."""
        return "; or ".join(self.texts)


def spots_from(texts: Sequence[str]) -> Spots | None:
    """Read conditions, of which one must hold; None without any.

    Raises `BadInput` that names the term which is none, and some that are.
    """
    if not texts:
        return None
    read = [_conjunction(text) for text in texts]
    condition = read[0][0]
    for other, _ in read[1:]:
        condition |= other
    return Spots(tuple(texts), condition, all(beforehand for _, beforehand in read))


def _conjunction(text: str) -> tuple[pl.Expr, bool]:
    if len(text) > LONGEST:
        raise BadInput(f"a condition of {len(text):,} characters; allowed: up to {LONGEST:,}")
    # One term that is fixed by the cards is enough to make the sample unfair, so `beforehand` must
    # hold for all terms, even for those that are joined by `or`.
    condition, beforehand = pl.lit(True), True
    for part in text.split(","):
        choice = pl.lit(False)
        for term in re.split(r"\s+or\s+", part):
            holds, is_beforehand = _term(term)
            choice |= holds
            beforehand &= is_beforehand
        condition &= choice
    return condition, beforehand


def _term(text: str) -> tuple[pl.Expr, bool]:
    words = " ".join(text.lower().split())
    plain = words.removeprefix("not ")
    # Hyphens are optional in positions alone: in `all-in` or `check-raised` they are part of the
    # word.
    if plain.replace("-", " ") in (*_POSITIONS, "in position", "out of position"):
        plain = plain.replace("-", " ")
    plain = plain.replace("check raised", "check-raised").replace("two tone", "two-tone")
    for term in TERMS:
        if match := re.fullmatch(term.pattern, plain):
            holds = term.condition(match)
            return (
                ~holds if words != plain and words.startswith("not ") else holds
            ), term.beforehand
    known = [*_POSITIONS, *(term.example for term in TERMS)]
    raise BadInput(str(unknown_name("term of a spot", text.strip()[:_SHOWN], known)))
