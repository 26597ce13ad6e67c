"""Replays of single hands in words, with every decision beside the baseline's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from railbird.assessment import (
    HandKind,
    HandScore,
    RoundScore,
    Scorer,
    open_scorer,
    score_hand,
)
from railbird.cards import Card, Suits, cards_of, format_cards
from railbird.estimates.result_units import ResultUnit
from railbird.game.rules import Street
from railbird.histories import HandRecord, one_line
from railbird.histories.columns import records_of
from railbird.report.toolkit import number_format
from railbird.report.toolkit.templates import fill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from railbird.assessment import Assessment

Names = tuple[str, str]
"""By player: 1, the big blind, and 2, the dealer."""

_VERBS = {"k": "checks", "c": "calls", "b": "bets", "r": "raises", "f": "folds"}
_POSTS = "Sl"
_PLAIN = "\N{VARIATION SELECTOR-15}"
"""Asks for the plain suit symbol where a phone would draw a picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedDecision:
    """One action; the amounts are those of the player who acted."""

    player: str
    action: str
    baseline: str
    best: str
    """With all cards seen."""
    divat: float
    evat: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One betting round; the difference is the first player's."""

    name: str
    board: str
    classes: str
    actions: str
    baseline: str
    difference: float
    decisions: tuple[ReplayedDecision, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One hand; amounts are the first player's."""

    name: str
    place: str
    """File and line, as far as they are known."""
    holes: str
    board: str
    line: str
    """The hand in one line of text."""
    money: float
    """After rake; all else is before it."""
    rake: float
    divat: float
    house: str
    """What the house took, in words; empty without rake."""
    rounds: tuple[Round, ...]


def largest(assessment: Assessment, count: int) -> tuple[Story, ...]:
    """Replay the hands with the largest DIVAT differences, largest first.

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
        _story(row, record, assessment, scorer)
        for row, record in zip(rows.iter_rows(named=True), records, strict=True)
    )


def _story(
    row: dict[str, Any], record: HandRecord, assessment: Assessment, scorer: Scorer
) -> Story:
    first, second = (number_format.display_name(name) for name in assessment.players)
    names = (first, second) if row["seat"] == 0 else (second, first)
    side = 1.0 if row["seat"] == 0 else -1.0
    number = row["number"]
    rake = (row["rake"], row["other_rake"])
    score = score_hand(record, scorer=scorer)
    return Story(
        name="A hand" if number is None else f"Hand {number:,}",
        place=_place(row, assessment.sources),
        line=one_line(record),
        money=row["money"],
        rake=row["rake"],
        divat=row["divat"],
        house=house_words((first, second), rake),
        holes=_holes_text(names, record),
        board=cards_text(record.board),
        rounds=rounds_of(score, names, side),
    )


def hand_page(record: HandRecord, score: HandScore) -> str:
    """Write one hand as a page of its own, amounts for the big blind; it runs no script."""
    first, second = (number_format.display_name(name) for name in score.players)
    story = Story(
        name="A hand" if record.number is None else f"Hand {record.number:,}",
        place="",
        holes=_holes_text((first, second), record),
        board=cards_text(record.board),
        line=one_line(record),
        money=score.money,
        rake=score.rake[0],
        divat=score.divat,
        house=house_words((first, second), score.rake),
        rounds=rounds_of(score, (first, second), 1.0),
    )
    facts = {"first": first, "unit": ResultUnit.SMALL_BETS.words}
    return fill("limit_hand.html.jinja", story=story, facts=facts, settings=score.settings.name)


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


def rounds_of(score: HandScore, names: Names, side: float) -> tuple[Round, ...]:
    """Describe a hand round by round; ``side`` is -1 to give amounts for player 2."""
    return tuple(
        Round(
            name=row.street.name.capitalize(),
            board=cards_text(row.board),
            classes=_classes(row, names),
            actions=betting_words(row.actual, names, row.street),
            baseline=betting_words(row.baseline, names, row.street),
            difference=side * row.roe.difference,
            decisions=tuple(_decisions(row, names)),
        )
        for row in score.rounds
    )


def betting_words(line: str, names: Names, street: Street) -> str:
    """Put one round of the one-line text into words.

    >>> betting_words("kBrRc", ("Ann", "Bob"), Street.FLOP)
    'Ann checks, Bob bets, Ann raises, Bob re-raises, Ann calls'
    """
    line = line.removeprefix(_POSTS)
    verbs = [_verb(letter, line[:i]) for i, letter in enumerate(line)]
    said = [f"{names[letter.isupper()]} {verb}" for letter, verb in zip(line, verbs, strict=True)]
    return ", ".join(said) or "no betting"


def cards_text(cards: Sequence[Card]) -> str:
    """Show cards with suit symbols that stay text on a phone."""
    shown = (f"{format_cards((card,), suits=Suits.SYMBOLS)}{_PLAIN}" for card in cards)
    return number_format.THIN.join(shown)


def _verb(letter: str, before: str) -> str:
    again = letter in "rR" and "r" in before.lower()
    return f"re-{_VERBS['r']}" if again else _VERBS[letter.lower()]


def _decisions(row: RoundScore, names: Names) -> Iterator[ReplayedDecision]:
    before = ""
    for decision in row.decisions:
        yield ReplayedDecision(
            player=names[decision.player],
            action=_verb(decision.action, before),
            baseline=_verb(decision.baseline, before),
            best=_verb(decision.best, before),
            divat=decision.divat,
            evat=decision.evat,
        )
        before += decision.action


def _classes(row: RoundScore, names: Names) -> str:
    return ", ".join(
        f"{name} {own.label} ({rank:.3f})"
        for name, own, rank in zip(names, row.classes, row.ehr, strict=True)
    )


def _place(row: dict[str, Any], sources: Sequence[str]) -> str:
    if row["file"] is None or row["line"] is None:
        return ""
    return f"{number_format.file_name(sources[row['file']])}, line {row['line']:,}"
