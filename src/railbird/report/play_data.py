"""The report on one person's log as the server sends it: figures, decisions, hands to replay.

`play_document` is the report itself.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import polars as pl

from railbird.assessment import Assessment, assess, assess_table
from railbird.assessment.aivat.estimator import Aivat
from railbird.assessment.divat.estimators import FittedByRounds
from railbird.assessment.graded_decisions import Grade
from railbird.assessment.league import league_of
from railbird.assessment.limit_layout import is_heads_up_limit
from railbird.assessment.own_play import OwnPlay, assess_play, owner_of
from railbird.assessment.solved_decisions import SpotValues
from railbird.errors import NothingUsable, RailbirdError, absent_player
from railbird.histories import HandRecord, Skipped, read_columns, read_hand
from railbird.histories.columns import HandBatch, records_of
from railbird.histories.format import WriteOptions
from railbird.histories.phh import write as write_phh
from railbird.progress import Progress
from railbird.report.document import KeyFigure, Section, Table
from railbird.report.hand_digest import digest_of, stakes_in_words
from railbird.report.headline import (
    lines_of,
    no_verdict,
    plain_title,
    rake_of_table,
    reason_words,
    result_of,
    term_of,
)
from railbird.report.number_format import (
    counted,
    display_name,
    number,
    signed,
    times,
    with_interval,
)
from railbird.report.play_document import given_up_words, play_document
from railbird.units import reasons_in_words

if TYPE_CHECKING:
    from railbird.assessment import MatchAssessment
    from railbird.estimates import Estimate


# One person's result against an opponent whose strategy is known, with the luck taken out.


_HEADING: Final = "Luck taken out"
_MOST_HANDS: Final = 1_000_000


class WithoutLuck(NamedTuple):
    """A result less luck."""

    section: Section
    figures: tuple[KeyFigure, ...]
    """Figures set large; none where there is no result."""
    lead: str = ""
    """The report's first words where this result decides, as it does in `railbird assess`."""


def result_without_luck(
    play: OwnPlay, known: Mapping[str, str], progress: Progress | None = None
) -> WithoutLuck:
    """Return the result by AIVAT; ``known`` are the specs of known players by name.

    Where there is none, the section says why.
    """
    try:
        aivat = Aivat(known=known)
        assessment = assess(
            play.hands, player=play.player, more=[aivat], threads=1, progress=progress
        )
        by = next(
            estimator
            for estimator in assessment.estimators
            if isinstance(estimator, FittedByRounds) and estimator.beside
        )
        mean = assessment.estimates[play.player][by.name]
    except RailbirdError as problem:
        words = f"There is no such result: {problem}."
        return WithoutLuck(Section(heading=_HEADING, words=words), ())
    of_money = assessment.variance_reduction[play.player].get(by.name)
    hands = assessment.hands
    worth = ""
    if of_money is not None and of_money > 1:
        like = _hands_in_words(hands * of_money)
        worth = f" These {counted(hands)} say as much as {like} do in money."
    rows = (
        ("money", with_interval(assessment.estimates[play.player]["money"]), ""),
        (plain_title(by), with_interval(mean), times(of_money)),
    )
    others = " and ".join(display_name(name) for name in known if name != play.player)
    whose = f"The strategy of {others or 'the player'} is known"
    figure = KeyFigure(f"{play.unit} a hand, luck taken out", signed(mean.value, 2))
    section = Section(
        heading=f"{_HEADING}, {play.unit} a hand (95 % interval)",
        words=f"{whose}, so that most of the luck of the cards, and of what it drew, can be taken "
        f"out, which favours nobody.{worth}",
        table=Table(("result by", "mean", "hands needed ÷"), rows),
        terms=[term_of(by, plain_title(by))],
    )
    return WithoutLuck(section, (figure,), _lead(play, assessment, mean))


def _lead(play: OwnPlay, assessment: MatchAssessment, mean: Estimate) -> str:
    if why := assessment.integrity.withheld(play.player, display=display_name):
        return no_verdict(why)
    if assessment.decides.name in ("money", "fitted"):
        return ""
    result = result_of(play.player, mean, play.unit)
    rake = rake_of_table(play.assessment)
    return f"{result} {reason_words(assessment.overall)} {rake}".rstrip()


def _hands_in_words(count: float) -> str:
    return f"{count:,.0f}" if count < _MOST_HANDS else f"over {_MOST_HANDS:,}"


MOST_HANDS: Final = 10_000
"""Hands of a log that a report takes in: about a minute of a core with everybody's cards."""
MOST_ASSESSED: Final = 50_000
"""Hands that an assessment for a program takes in."""
NAMES_OFFERED: Final = 30
"""Names to choose from where a log does not say whose it is."""
HANDS_OF_CHUNK: Final = 100
"""Hands that are compressed together; one replay unpacks one chunk."""
MOST_PUZZLES: Final = 20
"""Decisions of a report that can become puzzles."""
SOLVING_S: Final = 100.0
"""Seconds of a core for solving rivers; later decisions are not judged that way."""
LEAST_COST: Final = 0.5
"""Small bets or big blinds that a decision has to cost to be a puzzle."""
LEAST_EXACT: Final = 0.05
"""The same where an equilibrium knows the cost; below, its rounding of stacks may decide."""
SURE: Final = 3.0
"""A puzzle's answer is worth so many times what the models leave open of it."""


# A report as the data that its pages show, made by a worker process.


_POINTS = 240
"""Points of a line."""


class WhoseLog(NothingUsable):
    """A log that does not say whose play it is."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__("whose play is it?")
        self.names = list(names)


def made_report(
    path: str, player: str | None, progress: Progress, *, known: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Report on one person's play in a log; ``known`` are the specs of known players by name.

    Without a name it is the one whose log it is; raises `WhoseLog` where that is not clear, and
    `railbird.errors.RailbirdError` for what cannot be read.
    """
    bounded = BoundedLog(path, progress)
    hands = bounded.hands()
    if player is None:
        player, names, hands = owner_of(hands)
        if player is None:
            if not names:
                raise NothingUsable("no hand could be read")
            raise WhoseLog(list(names)[:NAMES_OFFERED])
    spots = SpotValues(seconds=SOLVING_S, threads=1)
    play = assess_play(hands, player, spots=spots, threads=1, progress=progress)
    less_luck = result_without_luck(play, known, progress) if known else None
    progress(0, 0, "writing")
    document = play_document(play, lead="" if less_luck is None else less_luck.lead)
    # The page has a chart of its own.
    figures, *rest = document.sections
    sections = [section for section in rest if not section.figures]
    if less_luck is not None:
        figures = replace(figures, key=(*figures.key, *less_luck.figures))
        sections.insert(0, less_luck.section)
    return {
        "player": player,
        "title": document.title,
        "lead": document.lead,
        "sections": [_section(section) for section in (figures, *sections)],
        "unit": play.unit,
        "integrity": play.assessment.integrity.as_json(player),
        "adviser": play.adviser,
        "cut": bounded.is_cut,
        "lines": _lines(play),
        "luck": None if play.luck is None else play.luck.total.total,
        "hands": _hands(play),
        "results": _results(play),
        "decisions": _decisions(play),
        "puzzles": _puzzles(play),
        "phh": _packed(play),
    }


def hand_results(path: str, player: str, progress: Progress) -> dict[str, Any]:
    """Return what every hand of a person in a log came to, as in `made_report`, and no more.

    Raises `railbird.errors.RailbirdError` for what cannot be read.
    """
    bounded = BoundedLog(path, progress)
    play = assess_play(bounded.hands(), player, ask=False, threads=1, progress=progress)
    return {"player": player, "results": _results(play), "cut": bounded.is_cut}


def _section(section: Section) -> dict[str, Any]:
    """Return a section as JSON has it."""
    terms = " ".join(f"{word}: {meaning}" for word, meaning in section.terms)
    table = section.table
    return {
        "heading": section.heading,
        "words": section.words or terms,
        "columns": [] if table is None else list(table.columns),
        "rows": [] if table is None else [list(row) for row in table.rows],
        "key": [(key_figure.name, key_figure.value) for key_figure in section.key],
        "places": list(section.places),
    }


def assessed(
    path: str, progress: Progress, *, game: str | None, player: str | None, league: bool
) -> dict[str, Any]:
    """Assess a log as ``railbird assess --json`` does, or a league as with ``--show league``.

    Of a log with more than `MOST_ASSESSED` hands the first ones count, and ``cut`` says so. Raises
    `railbird.errors.RailbirdError` for what cannot be read or assessed.
    """
    bounded = BoundedLog(path, progress, most=MOST_ASSESSED, game=game)
    hands = bounded.hands()
    if league:
        league_result = league_of(hands, threads=1, progress=progress)
        return {**league_result.as_json(), "cut": bounded.is_cut}
    # The game is known with the first hand only, and what was skipped before it must not be lost.
    skipped, first, rules = list[Skipped](), None, None
    for first in hands:
        if not isinstance(first, Skipped):
            rules = first.rules if isinstance(first, HandRecord) else first.rules[first.rules_of[0]]
            break
        skipped.append(first)
    if first is None or rules is None:
        raise NothingUsable("no hand could be read")
    every = chain(skipped, [first], hands)
    assessment: Assessment[Any]
    if is_heads_up_limit(rules):
        assessment = assess(every, player=player, threads=1, progress=progress)
    else:
        assessment = assess_table(every, threads=1, progress=progress)
    if not assessment.hands:
        said = reasons_in_words(assessment.skipped)
        raise NothingUsable(f"no hand could be assessed: {said}")
    if player is not None and player not in assessment.players:
        raise absent_player(player, assessment.players, where="this log")
    return {**assessment.as_json(), "change_of_play": assessment.course(), "cut": bounded.is_cut}


class BoundedLog:
    """The first hands of a log, of an upload as many as a report may have."""

    def __init__(
        self, path: str, progress: Progress, *, most: int | None = None, game: str | None = None
    ) -> None:
        self._path = path
        self._progress = progress
        self.most = MOST_HANDS if most is None else most
        self._game = game
        self.is_cut = False

    def hands(self) -> Iterator[HandRecord | HandBatch | Skipped]:
        """Yield them in their order."""
        left = self.most
        for item in read_columns(self._path, game=self._game, progress=self._progress):
            size = len(item) if isinstance(item, HandBatch) else int(isinstance(item, HandRecord))
            if size > left:
                self.is_cut = True
                if isinstance(item, HandBatch) and left:
                    yield item.rows(range(left))
                return
            left -= size
            yield item


def _lines(play: OwnPlay) -> dict[str, Any]:
    """Return the running sums of money and of the estimate that decides, thinned out."""
    titles = lines_of(play.assessment, play.player)
    sums = play.rows.select(pl.col(name).cum_sum() for name in titles)
    stride = max(1, -(-sums.height // _POINTS))
    # The last hand is always among the points, so that a line ends at the sum that the page states.
    points = sorted({*range(stride - 1, sums.height, stride), sums.height - 1})
    return {
        "hands": [0, *(row + 1 for row in points)],
        "sums": {
            title: [0.0, *(round(value, 2) for value in sums[name].gather(points).to_list())]
            for name, title in titles.items()
        },
    }


def _hands(play: OwnPlay) -> list[dict[str, Any]]:
    """Return a line for each hand."""
    rows = play.rows.select("row", "money", "position").iter_rows(named=True)
    return [
        {
            "name": f"{row['row'] + 1}",
            "won": signed(row["money"], 1),
            "position": row["position"],
            "players": len(record.players),
        }
        for row, record in zip(rows, _records(play), strict=True)
    ]


def _results(play: OwnPlay) -> list[list[Any]]:
    """Return a line for each hand: its digest, game, position, and big blinds won.

    Last comes what was won without the luck that the deciding estimator takes out, None where it
    knows nothing. A hand has the same digest however it was written and whose cards are seen.
    """
    decides = [name for name in lines_of(play.assessment, play.player) if name != "money"]
    columns = ["position", "money", *decides]
    rows = play.rows.select(columns).iter_rows()
    return [
        [digest_of(record), stakes_in_words(record), position, round(money, 4), *_rounded(skill)]
        for (position, money, *skill), record in zip(rows, _records(play), strict=True)
    ]


def _rounded(values: Sequence[float | None]) -> list[float | None]:
    value = values[0] if values else None
    return [None if value is None else round(value, 4)]


def _decisions(play: OwnPlay) -> dict[str, list[list[Any]]]:
    """Return every decision by the row of its hand.

    Each is the number of the action, what was done, what the adviser would have done and why, the
    grade and what the decision gave up in words, and what it changed with all cards seen.
    """
    by_row: dict[str, list[list[Any]]] = {}
    for row in play.decisions.iter_rows(named=True):
        cells = [row["act"], row["played"] or row["action"], row["house"] or "", row["why"] or ""]
        by_row.setdefault(str(row["row"]), []).append(
            [*cells, row["grade"] if row["by"] else "", _given_up(row), row["own"]]
        )
    return by_row


def _given_up(row: Mapping[str, Any]) -> str:
    if row["grade"] != Grade.MISTAKE.value:
        return ""
    if row["given_up"] is not None:
        return number(row["given_up"], 3)
    return given_up_words(row["cost_low"], row["cost_high"])


def _records(play: OwnPlay) -> Iterator[HandRecord]:
    for batch in play.hands.batches():
        yield from records_of(batch)


def _packed(play: OwnPlay) -> list[str]:
    """Compress the hands as PHH, some at a time; a hand that PHH cannot express is empty."""
    chunks, texts = [], list[str]()
    for record in _records(play):
        # Alone, a hand has no section of its own.
        (text,) = write_phh([record], WriteOptions())
        texts.append("" if isinstance(text, Skipped) else text)
        if len(texts) == HANDS_OF_CHUNK:
            chunks.append(_chunk(texts))
            texts = []
    return [*chunks, _chunk(texts)] if texts else chunks


def _chunk(texts: Sequence[str]) -> str:
    return base64.b64encode(zlib.compress("\0".join(texts).encode())).decode()


def hand_text(chunks: Sequence[str], row: int) -> str:
    """Return a hand of `made_report` as PHH; empty where there is none."""
    place, within = divmod(row, HANDS_OF_CHUNK)
    if not 0 <= place < len(chunks):
        return ""
    texts = zlib.decompress(base64.b64decode(chunks[place])).decode().split("\0")
    return texts[within] if within < len(texts) else ""


def hand_of(chunks: Sequence[str], row: int) -> HandRecord | None:
    """Return a hand of `made_report`."""
    text = hand_text(chunks, row)
    return read_hand(text) if text else None


def _least(low: str, high: str) -> pl.Expr:
    """Return the smaller size of two columns."""
    return pl.min_horizontal(pl.col(low).abs(), pl.col(high).abs())


def _puzzles(play: OwnPlay) -> list[dict[str, Any]]:
    """Return the decisions worth asking again: those whose answer is certain, mistakes first.

    Then come right answers, the hardest first, so that an answer is not always another one.
    """
    middle = (pl.col("call_low") + pl.col("call_high")) / 2
    spread = (pl.col("call_high") - pl.col("call_low")) / 2
    certain = (middle.abs() >= SURE * spread) & (_least("call_low", "call_high") >= LEAST_COST)
    # A solution may know of something better than both.
    same = pl.col("best").is_null() | (
        pl.col("best") == pl.when(middle > 0).then(pl.lit("call")).otherwise(pl.lit("fold"))
    )
    graded = play.decisions.filter(certain & same)
    lost = graded.filter(pl.col("grade") == Grade.MISTAKE.value)
    solved = play.given_up.filter(pl.col("given_up") >= LEAST_EXACT)
    right = graded.filter(pl.col("grade") == Grade.GOOD.value)
    rows = [
        *lost.sort("cost", "row", "act", descending=[True, False, False]).iter_rows(named=True),
        *solved.iter_rows(named=True),
        *right.sort(middle.abs() / pl.col("pot"), "row", "act").iter_rows(named=True),
    ][:MOST_PUZZLES]
    records = records_of(play.hands.rows([row["row"] for row in rows])) if rows else ()
    puzzles = []
    for row, record in zip(rows, records, strict=True):
        (text,) = write_phh([record], WriteOptions())
        if isinstance(text, Skipped):
            continue
        by = "equilibrium" if row["given_up"] is not None else "equity"
        puzzles.append(
            {
                "row": row["row"],
                "act": row["act"],
                "by": by,
                "player": play.player,
                "unit": "bb" if by == "equilibrium" else play.unit,
                "played": row["played"] or row["action"],
                "house": row["house"] or "",
                "adviser": play.adviser,
                "why": row["why"] or "",
                # Of a good decision a solution does not say what it was better than.
                "best": row["best"] or ("call" if row["call_low"] > 0 else "fold"),
                "frequency": row["frequency"],
                "cost": row["cost"],
                "required": row["required"],
                "equity": [row["equity_low"], row["equity_high"]],
                "call": [row["call_low"], row["call_high"]],
                "hand": text,
            }
        )
    return puzzles
