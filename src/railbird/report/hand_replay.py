"""Replays of single hands of heads-up limit in words, with every decision beside the baseline's.

`decision` explains one decision of any hold'em.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import polars as pl

from railbird.assessment import HandKind, open_scorer, score_hand
from railbird.cards import cards_of
from railbird.estimates.estimate import ResultUnit
from railbird.histories import one_line
from railbird.histories.columns import records_of
from railbird.report import number_format
from railbird.report.document import Document, ReplayedHand, Section, Table
from railbird.report.number_format import cards_text, display_name, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from railbird.assessment import HandScore, MatchAssessment, RoundScore
    from railbird.game.rules import Street
    from railbird.histories import HandRecord

Names = tuple[str, str]
"""By player: 1, the big blind, and 2, the dealer."""

HAND_WORDS: Final = (
    "For each action: what the baseline would have done there, what would have been best had all "
    "cards been seen, the change of value that the action made, and what it gave away "
    "against the best (hindsight), both for the player who acted."
)
"""How to read a replayed hand."""

_VERBS: Final = {"k": "checks", "c": "calls", "b": "bets", "r": "raises", "f": "folds"}
_POSTS: Final = "Sl"
_UNSEEN: Final = 0.005
"""Threshold below which an amount is zero to two decimals."""


class HandAmounts(NamedTuple):
    """What a hand brought one player; all but the money is before rake."""

    money: float
    divat: float
    rake: float


def largest(assessment: MatchAssessment, count: int) -> tuple[ReplayedHand, ...]:
    """Replay the hands with the largest DIVAT differences, largest first, from the first side.

    Hands with unknown cards are left out. Under several settings the first ones score.
    """
    numbered = assessment.scores.lazy().with_row_index("row")
    known = numbered.filter(pl.col("kind").is_in([HandKind.SHOWDOWN, HandKind.FOLD]))
    chosen = known.sort(pl.col("divat").abs(), descending=True, maintain_order=True).head(count)
    rows = chosen.collect()
    if rows.is_empty():
        return ()
    scorer = open_scorer(assessment.settings[0])
    records = records_of(assessment.played.rows(rows["row"]))
    return tuple(
        replayed_hand(
            score_hand(record, scorer=scorer),
            record,
            number=row["number"],
            seat=row["seat"],
            players=assessment.players,
            amounts=HandAmounts(row["money"], row["divat"], row["rake"]),
            rake=(row["rake"], row["other_rake"]),
            unit=assessment.unit,
            location=_place(row, assessment.form.sources),
        )
        for row, record in zip(rows.iter_rows(named=True), records, strict=True)
    )


def hand_document(record: HandRecord, score: HandScore) -> Document:
    """Say what one hand was, amounts for the big blind."""
    unit = ResultUnit.SMALL_BETS.words
    hand = replayed_hand(
        score,
        record,
        number=record.number,
        seat=0,
        players=score.players,
        amounts=HandAmounts(score.money, score.divat, score.rake[0]),
        rake=score.rake,
        unit=unit,
        is_open=True,
    )
    words = f"Differences are {display_name(score.players[0])}’s, in {unit}. {HAND_WORDS}"
    return Document(
        title=f"{hand.name}, settings {score.settings.name}",
        sections=(Section(words=words, hands=(hand,)),),
    )


def replayed_hand(
    score: HandScore,
    record: HandRecord,
    *,
    number: int | None,
    seat: int,
    players: Sequence[str],
    amounts: HandAmounts,
    rake: tuple[float, float],
    unit: str,
    location: str = "",
    is_open: bool = False,
) -> ReplayedHand:
    """Put a scored hand into words; amounts are what the first of ``players``, in ``seat``, wins.

    ``rake`` is what the house took of each of them.
    """
    first, second = (display_name(name) for name in players)
    names = (first, second) if seat == 0 else (second, first)
    board = cards_text(record.board)
    result_text = _result_words(first, amounts, unit)
    house = house_words((first, second), rake)
    return ReplayedHand(
        name="A hand" if number is None else f"Hand {number:,}",
        amount=f"{signed(amounts.divat, 2)} {unit}",
        cards="; ".join(filter(None, (_holes_text(names, record), board))),
        sections=(
            Section(
                words=" ".join(filter(None, (result_text, house))),
                note=". ".join(filter(None, (one_line(record), location))),
            ),
            *(_round(row, names, 1.0 if seat == 0 else -1.0) for row in score.rounds),
        ),
        is_open=is_open,
    )


def _result_words(name: str, amounts: HandAmounts, unit: str) -> str:
    money, divat, rake = amounts
    won = "broke even"
    if money:
        amount = number_format.number(abs(money), 2 if rake else 1)
        won = f"{'won' if money > 0 else 'lost'} {amount} {unit}"
    less = f", rake {signed(-rake, 2)}" if rake else ""
    luck = signed(money + rake - divat, 2)
    return f"{name} {won}: skill {signed(divat, 2)}, luck and position {luck}{less}."


def _round(row: RoundScore, names: Names, side: float) -> Section:
    """Describe a round; ``side`` is -1 to give amounts for player 2."""
    rows = list(_decisions(row, names))
    faint = [
        place
        for place, decision in enumerate(row.decisions)
        if abs(decision.divat) < _UNSEEN and abs(decision.evat) < _UNSEEN
    ]
    table = Table(("Action", "Baseline", "Best", "Change", "Hindsight"), rows, faint=faint)
    return Section(
        heading=f"{row.street.name.capitalize()} {cards_text(row.board)}".rstrip(),
        words=f"{betting_words(row.actual, names, row.street)}.",
        table=table if rows else None,
        note=f"Baseline: {betting_words(row.baseline, names, row.street)}. Difference "
        f"{signed(side * row.roe.difference, 2)}. Hands: {_classes(row, names)}.",
    )


def house_words(names: Names, rake: tuple[float, float]) -> str:
    """Say what the house took of a hand, in small bets; nothing without rake.

    >>> house_words(("Ann", "Bob"), (0.0, 0.15))
    'The house took 0.15 from Bob; all but the money is before rake.'
    """
    taken = [
        f"{number_format.number(amount, 2)} from {name}"
        for name, amount in zip(names, rake, strict=True)
        if amount
    ]
    return f"The house took {' and '.join(taken)}; all but the money is before rake." * bool(taken)


def _holes_text(names: Names, record: HandRecord) -> str:
    return ", ".join(
        f"{name} {cards_text(cards_of(hole))} ({role})"
        for name, hole, role in zip(names, record.holes, ("big blind", "dealer"), strict=True)
        if hole is not None
    )


def betting_words(line: str, names: Names, street: Street) -> str:
    """Put one round of the one-line text into words.

    >>> from railbird.game import Street
    >>> betting_words("kBrRc", ("Ann", "Bob"), Street.FLOP)
    'Ann checks, Bob bets, Ann raises, Bob re-raises, Ann calls'
    """
    line = line.removeprefix(_POSTS)
    verbs = [_verb(letter, line[:i]) for i, letter in enumerate(line)]
    said = [f"{names[letter.isupper()]} {verb}" for letter, verb in zip(line, verbs, strict=True)]
    return ", ".join(said) or "no betting"


def _verb(letter: str, before: str) -> str:
    again = letter in "rR" and "r" in before.lower()
    return f"re-{_VERBS['r']}" if again else _VERBS[letter.lower()]


def _decisions(row: RoundScore, names: Names) -> Iterator[tuple[str, ...]]:
    betting = ""
    for decision in row.decisions:
        yield (
            f"{names[decision.player]} {_verb(decision.action, betting)}",
            _verb(decision.baseline, betting),
            _verb(decision.best, betting),
            signed(decision.divat, 2),
            signed(decision.evat, 2),
        )
        betting += decision.action


def _classes(row: RoundScore, names: Names) -> str:
    return ", ".join(
        f"{name} {own.label} ({rank:.3f})"
        for name, own, rank in zip(names, row.classes, row.ehr, strict=True)
    )


def _place(row: dict[str, Any], sources: Sequence[str]) -> str:
    if row["file"] is None or row["line"] is None:
        return ""
    return f"{number_format.file_name(sources[row['file']])}, line {row['line']:,}"
