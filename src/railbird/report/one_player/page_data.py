"""A report as the data that its pages show, made by a worker process."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import polars as pl

from railbird.assessment.own_play.alternatives import alternatives
from railbird.assessment.own_play.own_play import OwnPlay, assess_play, player_of
from railbird.errors import NothingUsable
from railbird.histories import HandRecord, Skipped, read_columns, read_hand
from railbird.histories.columns import HandBatch, records_of
from railbird.histories.format import WriteOptions
from railbird.histories.phh.write import write as write_phh
from railbird.progress import Progress
from railbird.report.one_player.known_opponent import result_without_luck
from railbird.report.one_player.settings import (
    HANDS_OF_CHUNK,
    LEAST_COST,
    MOST_HANDS,
    MOST_PUZZLES,
    NAMES_OFFERED,
)
from railbird.report.one_player.summary import hand_name, play_summary
from railbird.report.several_players.headline import lines_of
from railbird.report.toolkit.number_format import signed

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
    if player is None:
        player, names = player_of(_bounded(path, progress))
        if player is None:
            if not names:
                raise NothingUsable("no hand could be read")
            raise WhoseLog(list(names)[:NAMES_OFFERED])
    bounded = _Bounded(path, progress)
    play = assess_play(bounded.hands(), player, threads=1, progress=progress)
    less_luck = result_without_luck(play, known, progress) if known else None
    progress(0, 0, "writing")
    summary = play_summary(play, lead="" if less_luck is None else less_luck.lead)
    figures, *sections = summary.sections
    if less_luck is not None:
        figures = replace(figures, key=(*figures.key, *less_luck.figures))
        sections.insert(0, less_luck.section)
    return {
        "player": player,
        "title": summary.title,
        "lead": summary.lead,
        "sections": [asdict(section) for section in (figures, *sections)],
        "unit": play.unit,
        "adviser": play.adviser,
        "cut": bounded.is_cut,
        "lines": _lines(play),
        "hands": _hands(play),
        "decisions": _decisions(play),
        "puzzles": _puzzles(play),
        "phh": _packed(play),
    }


class _Bounded:
    """The first hands of a log."""

    def __init__(self, path: str, progress: Progress) -> None:
        self._path = path
        self._progress = progress
        self.is_cut = False

    def hands(self) -> Iterator[HandRecord | HandBatch | Skipped]:
        left = MOST_HANDS
        for item in read_columns(self._path, progress=self._progress):
            size = len(item) if isinstance(item, HandBatch) else int(isinstance(item, HandRecord))
            if size > left:
                self.is_cut = True
                if isinstance(item, HandBatch) and left:
                    yield item.rows(range(left))
                return
            left -= size
            yield item


def _bounded(path: str, progress: Progress) -> Iterable[HandRecord | HandBatch | Skipped]:
    return _Bounded(path, progress).hands()


def _lines(play: OwnPlay) -> dict[str, Any]:
    """Return the running sums of money and of the estimate that decides, thinned out."""
    titles = lines_of(play.assessment, play.player)
    sums = play.rows.select(pl.col(name).cum_sum() for name in titles)
    stride = max(1, -(-sums.height // _POINTS))
    kept = sorted({*range(stride - 1, sums.height, stride), sums.height - 1})
    return {
        "hands": [0, *(row + 1 for row in kept)],
        "sums": {
            title: [0.0, *(round(value, 2) for value in sums[name].gather(kept).to_list())]
            for name, title in titles.items()
        },
    }


def _hands(play: OwnPlay) -> list[dict[str, Any]]:
    """Return a line for each hand."""
    rows = play.rows.select("row", "money", "position").iter_rows(named=True)
    return [
        {
            "name": hand_name(record, row["row"]),
            "won": signed(row["money"], 1),
            "position": row["position"],
            "players": len(record.players),
        }
        for row, record in zip(rows, _records(play), strict=True)
    ]


def _decisions(play: OwnPlay) -> dict[str, list[list[Any]]]:
    """Return every decision by the row of its hand.

    Each is the number of the action, what was done, what the adviser would have done and why, and
    the cost by the baseline and by the equilibrium.
    """
    found: dict[str, list[list[Any]]] = {}
    columns = ("row", "act", "action", "played", "house", "why", "own", "given_up")
    for row, act, action, played, house, why, own, given_up in play.decisions.select(
        columns
    ).iter_rows():
        told = [act, played or action, house or "", why or "", own, given_up]
        found.setdefault(str(row), []).append(told)
    return found


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


def _puzzles(play: OwnPlay) -> list[dict[str, Any]]:
    """Return the decisions worth asking again, the costliest first."""
    judged = play.costly.filter(pl.col("own") <= -LEAST_COST)
    solved = play.given_up
    chosen = [(row, "baseline") for row in judged.head(MOST_PUZZLES).iter_rows(named=True)]
    chosen += [(row, "equilibrium") for row in solved.head(MOST_PUZZLES).iter_rows(named=True)]
    if not chosen:
        other = play.otherwise.head(MOST_PUZZLES).iter_rows(named=True)
        chosen = [(row, "house") for row in other]
    records = records_of(play.hands.rows([row["row"] for row, _ in chosen])) if chosen else ()
    puzzles = []
    for (row, by), record in zip(chosen, records, strict=True):
        (text,) = write_phh([record], WriteOptions())
        if isinstance(text, Skipped):
            continue
        options = []
        if by == "baseline":
            options = [[one.words, round(one.value, 4)] for one in alternatives(record, row["act"])]
        puzzles.append(
            {
                "row": row["row"],
                "act": row["act"],
                "by": by,
                "player": play.player,
                "unit": "bb" if by == "equilibrium" else play.unit,
                "played": row["played"] or "",
                "house": row["house"] or "",
                "adviser": play.adviser,
                "why": row["why"] or "",
                "best": row["best"] or "",
                "frequency": row["frequency"],
                "cost": row["given_up"] if by == "equilibrium" else -(row["own"] or 0.0),
                "options": options,
                "hand": text,
            }
        )
    return puzzles[:MOST_PUZZLES]
