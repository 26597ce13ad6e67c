"""One person's play in words and tables, the same for terminal, page and web application."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from railbird.assessment.player_statistics.statistic_names import Position
from railbird.cards import cards_of
from railbird.estimates.estimate import estimate
from railbird.game import Street
from railbird.histories.columns import records_of
from railbird.report.several_players.hand_replay import cards_text
from railbird.report.several_players.headline import headline, sample_words, shown_estimators
from railbird.report.toolkit.number_format import (
    counted,
    display_name,
    number,
    percent,
    signed,
    times,
    with_interval,
)

if TYPE_CHECKING:
    from railbird.assessment.own_play.own_play import OwnPlay
    from railbird.histories import HandRecord

LISTED: Final = 15
"""Hands or decisions in each list."""
_SPOTS: Final = 12
_FACING: Final = {
    "nothing": "nothing to call",
    "blind": "the blind",
    "bet": "a bet",
    "raise": "a raise",
    "reraise": "a reraise",
    "cap": "a fourth bet or more",
}
_DASH: Final = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySection:
    """A heading, words and a table; rows about one hand say which."""

    heading: str = ""
    words: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    key: tuple[tuple[str, str], ...] = ()
    """Figures set large: name and value."""
    places: tuple[tuple[int, int | None], ...] = ()
    """For each row its hand, and the action in it, both from 0; empty for rows about no hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySummary:
    """The whole report."""

    title: str
    lead: str
    """The result, which estimator decides, and why."""
    sections: tuple[PlaySection, ...]


def play_summary(play: OwnPlay, *, lead: str = "") -> PlaySummary:
    """Put a person's play into words; ``lead`` tells of an estimator that is not of ``play``."""
    hands = _Hands(play)
    sections = [
        _key_figures(play),
        _estimates(play, is_marked=not lead),
        _costliest(play, hands),
        _given_up(play, hands),
        _lost_most(play, hands),
        _spots(play),
        _otherwise(play, hands),
        _by_street(play),
        _by_position(play),
        _by_group(play),
        _skipped(play),
    ]
    return PlaySummary(
        title=f"{display_name(play.player)}, {counted(len(play.hands))}",
        lead=lead or headline(play.assessment, play.player),
        sections=tuple(section for section in sections if section is not None),
    )


class _Hands:
    """The hands that lists name, taken out at once by row."""

    def __init__(self, play: OwnPlay) -> None:
        self._play = play
        self._records: dict[int, HandRecord] = {}

    def of(self, rows: Sequence[int]) -> list[HandRecord]:
        """Return hands by row."""
        new = sorted(set(rows) - self._records.keys())
        if new:
            taken = records_of(self._play.hands.rows(new))
            self._records.update(zip(new, taken, strict=True))
        return [self._records[row] for row in rows]

    def cards(self, record: HandRecord, street: int | None = None) -> tuple[str, str]:
        """Return the person's cards, and the board up to a street, as text."""
        hole = record.holes[record.players.index(self._play.player)]
        board = record.board if street is None else record.board[: (0, 3, 4, 5)[street]]
        return (
            _DASH if hole is None else cards_text(cards_of(hole)),
            cards_text(board) or _DASH,
        )


def hand_name(record: HandRecord, row: int) -> str:
    """Name a hand by the log's number, or else by its place, from 1."""
    return f"{row + 1:,}" if record.number is None else f"{record.number}"


def _key_figures(play: OwnPlay) -> PlaySection:
    asked = play.decisions["agrees"].count()
    figures = [
        ("hands", f"{len(play.hands):,}"),
        (f"won, {play.unit}", signed(float(play.rows["money"].sum()), 1)),
        ("decisions", f"{play.decisions.height:,}"),
    ]
    if asked:
        agreed = int(play.decisions["agrees"].sum() or 0)
        figures.append((f"as {play.adviser}", percent(agreed / asked, 0)))
    return PlaySection(key=tuple(figures))


def _estimates(play: OwnPlay, *, is_marked: bool) -> PlaySection:
    assessment, decides = play.assessment, play.evidence.decides
    names = {"money", decides, *(() if play.is_selected else ("divat", "fitted"))}
    listed = shown_estimators(assessment, names)
    rows = tuple(
        (
            one.title + (" (decides)" if is_marked and one.name == decides else ""),
            with_interval(mean),
            f"{mean.n:,}",
            times(assessment.variance_reduction[play.player].get(one.name)),
        )
        for one in listed
        if (mean := assessment.estimate(play.player, one.name)) is not None
    )
    said = " ".join(f"{one.title}: {one.meaning}. Assumption: {one.assumes}" for one in listed)
    return PlaySection(
        heading=f"Result, {play.unit} a hand (95 % interval)",
        words=said,
        columns=("estimator", "mean", "hands", "variance ÷"),
        rows=rows,
    )


def _costliest(play: OwnPlay, hands: _Hands) -> PlaySection | None:
    worst = play.costly.head(LISTED)
    if not play.assessment.hands:
        return PlaySection(
            heading="Costliest decisions",
            words="What a decision cost needs all cards of the hand, which no hand of this log "
            "shows. Below are the hands that lost most"
            + (
                ", and where another player would have done otherwise."
                if play.decisions["agrees"].count()
                else "."
            ),
        )
    if worst.is_empty():
        return None
    rows, places = [], []
    for row in worst.iter_rows(named=True):
        (record,) = hands.of([row["row"]])
        cards, board = hands.cards(record, _street(row["street"]))
        rows.append(
            (
                hand_name(record, row["row"]),
                signed(row["own"], 2),
                cards,
                board,
                _situation(row),
                row["played"] or row["action"],
                row["house"] or _DASH,
            )
        )
        places.append((row["row"], row["act"]))
    return PlaySection(
        heading=f"Costliest decisions, {play.unit}",
        words="What a decision changed for the player beside the baseline’s, which plays on for "
        "everybody, judged with all cards seen: paying off the best hand stands here too, and a "
        f"decision may have been right as far as one could know.{sample_words(play.assessment)}",
        columns=("hand", "cost", "cards", "board", "facing", "did", play.adviser or "other"),
        rows=tuple(rows),
        places=tuple(places),
    )


def _given_up(play: OwnPlay, hands: _Hands) -> PlaySection | None:
    judged = play.decisions.filter(pl.col("given_up").is_not_null())
    if judged.is_empty():
        return None
    mean = estimate(judged["given_up"].to_numpy(), unit="bb")
    rows, places = [], []
    for row in play.given_up.head(LISTED).iter_rows(named=True):
        (record,) = hands.of([row["row"]])
        rows.append(
            (
                hand_name(record, row["row"]),
                number(row["given_up"], 3),
                hands.cards(record)[0],
                row["played"],
                row["best"],
                percent(row["frequency"], 0),
            )
        )
        places.append((row["row"], row["act"]))
    return PlaySection(
        heading="All-in or fold, by the equilibrium",
        words=f"{counted(judged.height, 'decision')} for short stacks heads-up have an exact "
        f"answer, that of the push/fold equilibrium for the stack; they gave up "
        f"{number(mean.value, 3)} bb each on average. It assumes an opponent who plays the "
        "equilibrium, too, and chips that are worth the same in every stack.",
        columns=("hand", "gave up, bb", "cards", "did", "best", "played by it"),
        rows=tuple(rows),
        places=tuple(places),
    )


def _lost_most(play: OwnPlay, hands: _Hands) -> PlaySection | None:
    decides = play.evidence.decides
    worst = play.rows.filter(pl.col("money") < 0).sort("money", "row").head(LISTED)
    if worst.is_empty():
        return None
    title = next(one.title for one in play.assessment.estimators if one.name == decides)
    adjusted = decides != "money"
    rows = []
    for row, record in zip(
        worst.iter_rows(named=True), hands.of(worst["row"].to_list()), strict=True
    ):
        money = (signed(row["money"], 1), *((signed(row[decides], 2),) if adjusted else ()))
        name = hand_name(record, row["row"])
        rows.append((name, *money, row["position"], *hands.cards(record)))
    return PlaySection(
        heading=f"Hands that lost most, {play.unit}",
        words="What a hand lost is cards and play together"
        + (f"; {title.lower()} is what is left when luck is taken out." if adjusted else "."),
        columns=("hand", "money", *((title,) if adjusted else ()), "position", "cards", "board"),
        rows=tuple(rows),
        places=tuple((row, None) for row in worst["row"].to_list()),
    )


def _spots(play: OwnPlay) -> PlaySection | None:
    lost = play.spots.filter(pl.col("own") < 0).head(_SPOTS)
    if lost.is_empty():
        return None
    return PlaySection(
        heading=f"Spots that cost most, {play.unit} in all",
        words="Decisions summed up by street, by what there was to answer and by what was done, "
        "beside the baseline’s. Sums within two standard errors of zero say nothing yet.",
        columns=("spot", "did", "in all", "std. error", "times", "each"),
        rows=tuple(
            (
                _situation(row),
                row["action"],
                signed(row["own"], 1),
                number(row["stderr"], 1),
                f"{row['decisions']:,}",
                signed(row["own"] / row["decisions"], 2),
            )
            for row in lost.iter_rows(named=True)
        ),
    )


def _otherwise(play: OwnPlay, hands: _Hands) -> PlaySection | None:
    asked = play.decisions.filter(pl.col("agrees").is_not_null())
    if asked.is_empty():
        return None
    shares = []
    for street in Street:
        here = asked.filter(pl.col("street") == street.name.lower())["agrees"]
        if len(here):
            agreed = int(here.sum() or 0)
            words = f"{percent(agreed / len(here), 0)} of {len(here):,}"
            shares.append(f"{street.name.lower()} {words}")
    rows, places = [], []
    for row in play.otherwise.head(LISTED).iter_rows(named=True):
        (record,) = hands.of([row["row"]])
        cards, board = hands.cards(record, _street(row["street"]))
        rows.append(
            (
                hand_name(record, row["row"]),
                number(row["pot"], 1),
                cards,
                board,
                row["played"],
                row["house"],
                row["why"] or _DASH,
            )
        )
        places.append((row["row"], row["act"]))
    return PlaySection(
        heading=f"What {play.adviser} would have done",
        words=f"It was told every hand as the player saw it, and asked at each of "
        f"{counted(asked.height, 'decision')}. The same kind of action: {', '.join(shares)}. "
        "Another player’s way is not proof of a mistake."
        + (" The largest pots in which it would have done otherwise:" if rows else ""),
        columns=("hand", f"pot, {play.unit}", "cards", "board", "did", play.adviser, "why"),
        rows=tuple(rows),
        places=tuple(places),
    )


def _by_street(play: OwnPlay) -> PlaySection | None:
    if play.is_selected or not play.assessment.hands:
        return _by_last_street(play)
    hands = len(play.hands)
    rows = []
    for street in Street:
        here = play.decisions.filter(pl.col("street") == street.name.lower())
        if here.is_empty():
            continue
        by_hand = here.group_by("row").agg(pl.col("own").sum())["own"].to_numpy()
        values = pl.concat([pl.Series(by_hand), pl.zeros(hands - len(by_hand), eager=True)])
        mean = estimate(values.to_numpy(), unit=play.unit)
        rows.append((street.name.lower(), f"{here.height:,}", with_interval(mean)))
    return PlaySection(
        heading=f"Own decisions by street, {play.unit} a hand (95 % interval)",
        words="What the player’s own decisions changed beside the baseline’s; above zero is better "
        "than the baseline, not well played.",
        columns=("street", "decisions", "own decisions"),
        rows=tuple(rows),
    )


def _by_last_street(play: OwnPlay) -> PlaySection:
    return _divided(
        play,
        "By the street on which the hand ended",
        "Decisions by street need all cards. How far a hand goes is itself a result of the cards, "
        "so streets do not compare.",
        "ended",
        [(street.name.lower(), pl.col("last") == int(street)) for street in Street],
    )


def _by_position(play: OwnPlay) -> PlaySection:
    places = [position.key.replace("_", " ") for position in Position]
    return _divided(
        play,
        "By position",
        "Positions are not equal: blinds lose whoever sits there.",
        "position",
        [(place, pl.col("position") == place) for place in places],
    )


def _by_group(play: OwnPlay) -> PlaySection:
    evidence, groups = play.evidence, play.groups
    if evidence.own_cards < evidence.hands:
        return PlaySection(
            heading="By starting hand",
            words=f"The player’s own cards are known in {evidence.own_cards:,} of "
            f"{counted(evidence.hands)} only, mostly those that were shown at the end, so results "
            "by starting hand would be of a selected sample and are not given.",
        )
    parts = [
        (_group_name(group, play), pl.col("group") == group)
        for group in range(groups.first, groups.rest + 1)
    ]
    return _divided(
        play,
        "By starting hand",
        "Groups of falling strength (Sklansky and Malmuth’s in limit, Booker’s revision "
        "elsewhere); better hands win more whoever plays them.",
        "group",
        parts,
    )


def _group_name(group: int, play: OwnPlay) -> str:
    from railbird.cards import CLASS_NAMES
    from railbird.cards.starting_groups import starting_groups

    if group == play.groups.rest:
        return "the rest"
    of_class = starting_groups(play.groups)
    names = [name for name, number in zip(CLASS_NAMES, of_class, strict=True) if number == group]
    return " ".join(names[:4]) + (" …" if names[4:] else "")


def _divided(
    play: OwnPlay,
    heading: str,
    words: str,
    first: str,
    parts: Iterable[tuple[str, pl.Expr]],
) -> PlaySection:
    """Show money and the estimate that decides for parts of the hands."""
    decides = play.evidence.decides
    titles = {one.name: one.title for one in play.assessment.estimators}
    shown = list(dict.fromkeys(("money", decides)))
    rows = []
    for name, chosen in parts:
        part = play.rows.filter(chosen)
        if part.height:
            cells = (
                with_interval(estimate(part[key].drop_nulls().to_numpy(), unit=play.unit))
                for key in shown
            )
            rows.append((name, f"{part.height:,}", *cells))
    return PlaySection(
        heading=f"{heading}, {play.unit} a hand (95 % interval)",
        words=words,
        columns=(first, "hands", *(titles[key] for key in shown)),
        rows=tuple(rows),
    )


def _skipped(play: OwnPlay) -> PlaySection | None:
    if not play.assessment.skipped:
        return None
    return PlaySection(
        heading="Left out",
        columns=("reason", "count"),
        rows=tuple((reason, f"{count:,}") for reason, count in play.assessment.skipped.items()),
    )


def _situation(row: dict[str, object]) -> str:
    return f"{row['street']}, {_FACING[str(row['facing'])]}"


def _street(name: str) -> int:
    return int(Street[name.upper()])
