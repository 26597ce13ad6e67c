"""One person's play in any hold'em as a document.

`table_document` reports on all players of a match.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from railbird.assessment.graded_decisions import SMALL, Grade, Judge, counts_of
from railbird.assessment.leaks import FEWEST_DECISIONS
from railbird.assessment.play_rating import rate_play
from railbird.assessment.player_statistics import Position
from railbird.assessment.spot_language import BY_OUTCOME
from railbird.cards import cards_of
from railbird.estimates.estimate import FEWEST, estimate
from railbird.game import Betting, Street
from railbird.histories.columns import records_of
from railbird.modelling.betting_ranges import observed_actions
from railbird.players.explanation import action_words, in_units
from railbird.report.document import (
    Document,
    Figure,
    KeyFigure,
    ReplayedHand,
    Section,
    Table,
    hand_anchor,
)
from railbird.report.hand_digest import number_apart
from railbird.report.headline import (
    TWO_WAYS,
    lines_of,
    method_words,
    no_verdict,
    plain_title,
    rake_of_table,
    reason_words,
    sample_words,
    shown_estimators,
    straddle_words,
    term_of,
)
from railbird.report.luck_sections import (
    hands_table,
    luck_graph,
    luck_key,
    luck_sentence,
    luck_table,
    result_sentence,
    withheld_sentence,
)
from railbird.report.number_format import (
    cards_text,
    counted,
    display_name,
    interval,
    number,
    percent,
    signed,
    times,
    with_interval,
)
from railbird.report.play_rating import rating_key, rating_words
from railbird.report.running_sums import running_sums_chart
from railbird.report.tournament_sections import return_words, tournament_sections

if TYPE_CHECKING:
    from railbird.assessment.own_play import OwnPlay
    from railbird.assessment.play_rating import PlayRating
    from railbird.assessment.tournament_returns import TournamentReturn
    from railbird.game import HandState
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
ToSpot = Callable[["HandRecord"], str]


def play_document(
    play: OwnPlay,
    *,
    lead: str = "",
    replays: bool = False,
    name_of: Callable[[HandRecord], str] | None = None,
    to_spot: ToSpot | None = None,
    tournaments: Mapping[str, TournamentReturn] = MappingProxyType({}),
) -> Document:
    """Put a person's play into words; ``lead`` is about an estimator that is not of ``play``.

    With ``replays`` the hands that lists name stand at the end, to open. ``name_of`` names a hand
    in lists, and ``to_spot`` returns the command that makes a spot of it, empty where there is
    none.
    ``tournaments`` are what the person's entries brought, by currency.
    """
    hands, withheld = _Hands(play, name_of), _withheld(play)
    luck, method, rating = play.luck, _method(play, withheld), rate_play(play)
    sections = [
        _key_figures(play, rating),
        Section(note=method) if luck is None else luck_table(luck, note=method),
        None if play.is_by_outcome else _hands_to_tell(play),
        _verdicts(play),
        _charted(play, hands),
        _solved(play, hands),
        _graded(play, hands),
        _given_up(play, hands),
        _open(play, hands),
        _leaks(play),
        _replays(play, hands),
        _sessions(play),
        *_tournaments(tournaments),
        None if luck is not None else _lines(play),
        _estimates(play, is_marked=not (lead or withheld)),
        _lost_most(play, hands),
        _otherwise(play, hands),
        _by_street(play),
        _by_position(play),
        _by_group(play),
        _not_judged(play, hands),
        _spots(play),
        _hindsight(play, hands),
        _skipped(play),
    ]
    filled_sections = [_without_blanks(section) for section in sections if section is not None]
    if replays:
        filled_sections.append(_replayed(play, hands, filled_sections, to_spot))
    return Document(
        title=_title(play),
        lead=" ".join(filter(None, _first_words(play, rating, lead, withheld))),
        sections=filled_sections,
    )


def short_play_document(play: OwnPlay) -> Document:
    """Put a person's play into a few words, with the number of decisions of each grade."""
    counts = play.decisions["grade"].drop_nulls().value_counts(sort=True)
    rows = [(str(grade), f"{count:,}") for grade, count in counts.iter_rows()]
    return Document(
        title=_title(play),
        lead=" ".join(filter(None, _first_words(play, rate_play(play), "", _withheld(play)))),
        sections=[Section(table=Table(("grade", "decisions"), rows))],
        footer="to_polars() has all decisions",
    )


def _title(play: OwnPlay) -> str:
    spots = f": {play.where.words}" if play.where else ""
    return f"{display_name(play.player)}, {counted(len(play.hands))}{spots}"


def _withheld(play: OwnPlay) -> str | None:
    """Say why there is no verdict; None if there is one.

    Hands that were chosen by their outcome have none, whatever the checks of the log say.
    """
    return BY_OUTCOME if play.is_by_outcome else play.assessment.withheld(play.player)


def _first_words(
    play: OwnPlay, rating: PlayRating, lead: str, withheld: str | None
) -> Iterator[str]:
    """Yield what decisions lost, the result, the luck in it, and one leak or none.

    A loss that is not known is left to the key figures: it would only delay the result.
    """
    integrity = play.assessment.integrity
    if not rating.withheld:
        yield rating_words(rating)
    if lead:
        yield lead
    elif play.is_by_outcome:
        yield result_sentence(play.player, play.money, "money", judged=False)
    elif withheld:
        yield withheld_sentence(integrity, play.player)
    else:
        condition = integrity.condition(play.player) if play.result.excludes_zero else ""
        yield result_sentence(play.player, play.result, play.evidence.decides, condition=condition)
        yield luck_sentence(play.luck)
    yield _leak_sentence(play)


def _leak_sentence(play: OwnPlay) -> str:
    """Name the costliest spot whose cost is no chance; say if there is none."""
    if not play.leaks.looked_at:
        return ""
    for leak in play.leaks.leaks:
        if leak.interval[0] > 0:
            cost = f"{_bounds(leak.low.value, leak.high.value)} {play.unit}/100"
            return f"Costliest leak: {_spot_words(leak.spot)}, {cost}."
    return "No leak shows beyond chance."


def _method(play: OwnPlay, withheld: str | None) -> str:
    """Say what the result rests on: how luck was taken out, and what the log may lack."""
    assessment = play.assessment
    decides = "" if assessment.hidden and play.luck else reason_words(play.evidence)
    if play.is_by_outcome:
        return no_verdict(BY_OUTCOME)
    parts = (
        no_verdict(withheld) if withheld else decides,
        assessment.integrity.words(play.player, display=display_name),
        straddle_words(assessment),
        rake_of_table(assessment),
    )
    return " ".join(filter(None, parts))


def _hands_to_tell(play: OwnPlay) -> Section:
    """Say how many hands tell win rates apart by money, by what decides and without luck."""
    titles = lines_of(play.assessment, play.player)
    means = {
        title: mean
        for name, title in titles.items()
        if (mean := play.assessment.estimate(play.player, name)) is not None
    }
    if play.luck is not None and not play.luck.all_cards:
        means["without luck, as above"] = play.luck.without
    return hands_table(means)


def _without_blanks(section: Section) -> Section:
    """Leave out columns that say nothing in any row, as where nobody was asked for advice."""
    table = section.table
    if table is None or not table.rows:
        return section
    blank = [
        place
        for place in range(1, len(table.columns))
        if all(row[place] in ("", _DASH) for row in table.rows)
    ]
    return replace(section, table=table.without(blank)) if blank else section


class _Hands:
    """The hands that lists name, taken out at once by row."""

    def __init__(self, play: OwnPlay, name_of: Callable[[HandRecord], str] | None) -> None:
        self._play, self._name_of = play, name_of
        self._records: dict[int, HandRecord] = {}

    def of(self, rows: Sequence[int]) -> list[HandRecord]:
        """Return hands by row."""
        # Hands are unpacked together, once for each list, since each one alone would unpack its
        # whole piece.
        new = sorted(set(rows) - self._records.keys())
        if new:
            taken = records_of(self._play.hands.rows(new))
            self._records.update(zip(new, taken, strict=True))
        return [self._records[row] for row in rows]

    def name(self, record: HandRecord, row: int) -> str:
        """Return the name of a hand: its place among all, from 1, unless the caller names it."""
        return f"{row + 1}" if self._name_of is None else self._name_of(record)

    def cards(self, record: HandRecord, street: int | None = None) -> tuple[str, str]:
        """Return the person's cards, and the board up to a street, as text."""
        hole = record.holes[record.players.index(self._play.player)]
        board = record.board if street is None else record.board[: (0, 3, 4, 5)[street]]
        return (
            _DASH if hole is None else cards_text(cards_of(hole)),
            cards_text(board) or _DASH,
        )


def _replayed(
    play: OwnPlay, hands: _Hands, sections: Iterable[Section], to_spot: ToSpot | None
) -> Section:
    """Tell the hands that sections name, in the order of the log."""
    rows = sorted({row for section in sections for row, _ in section.places})
    graded = {(row["row"], row["act"]): row for row in play.decisions.iter_rows(named=True)}
    money = dict(play.rows.select("row", "money").iter_rows())
    records = hands.of(rows)
    return Section(
        heading="The hands",
        words=f"Those that stand above, with your grades; amounts in {play.unit}.",
        hands=[
            ReplayedHand(
                name=f"Hand {hands.name(record, row)}{number_apart(record)}",
                anchor=hand_anchor(row),
                amount=f"{signed(money[row], 1)} {play.unit}",
                cards=", ".join(cell for cell in hands.cards(record) if cell != _DASH),
                sections=[*_streets(record, row, graded), *_spot_of(record, to_spot)],
            )
            for row, record in zip(rows, records, strict=True)
        ],
    )


def _spot_of(record: HandRecord, to_spot: ToSpot | None) -> Iterator[Section]:
    if to_spot is not None and (command := to_spot(record)):
        yield Section(note=f"To solve its decisions, make a spot of it: {command}")


def _streets(
    record: HandRecord, row: int, graded: Mapping[tuple[int, int], Mapping[str, Any]]
) -> Iterator[Section]:
    """Tell a hand street by street, with the grades of one player's decisions."""
    rows_by_street: dict[Street, list[tuple[str, ...]]] = {}
    start: dict[Street, HandState] = {}
    for place, observed in enumerate(observed_actions(record)):
        state, grade = observed.before, ""
        if (graded_row := graded.get((row, place))) is not None and graded_row["by"] is not None:
            cost = "" if graded_row["grade"] != Grade.MISTAKE.value else ", cost "
            cost += _bounds(graded_row["cost_low"], graded_row["cost_high"]) if cost else ""
            grade = f"{graded_row['grade']}{cost}"
        start.setdefault(state.street, state)
        name = display_name(record.players[observed.act.seat])
        did = action_words(observed.act.action, state, in_units)
        rows_by_street.setdefault(state.street, []).append((name, did, grade))
    for street, rows in rows_by_street.items():
        pot, board = in_units(start[street].pot, record.rules), cards_text(start[street].board)
        table = Table(("player", "did", "grade"), rows)
        yield _without_blanks(
            Section(
                heading=f"{street.name.capitalize()} {board}".rstrip(),
                words=f"{pot} in the pot.",
                table=table,
            )
        )
    known_cards = [
        f"{display_name(name)} {cards_text(cards_of(hole))}"
        for name, hole in zip(record.players, record.holes, strict=True)
        if hole is not None
    ]
    yield Section(note=f"Cards that are known: {', '.join(known_cards) or 'none'}.")


def _key_figures(play: OwnPlay, rating: PlayRating) -> Section:
    lost = play.mistakes.height
    return Section(
        key=(
            rating_key(rating),
            *luck_key(play.luck, play.money),
            *([] if play.luck is not None else [KeyFigure("hands", f"{len(play.hands):,}")]),
            KeyFigure("mistakes", f"{lost:,}", f"in {rating.lost.judged:,} judged decisions"),
        ),
        figures=() if play.luck is None else (luck_graph(play.luck, play.player),),
    )


def _lines(play: OwnPlay) -> Section:
    titles = " and ".join(lines_of(play.assessment, play.player).values())
    chart = Figure(
        partial(running_sums_chart, play.assessment, play.player),
        f"Lines: running sums of {titles} for {display_name(play.player)}.",
    )
    return Section(
        heading="Running sums",
        words=f"What was won, and the estimate that decides, {play.unit}, hand by hand.",
        figures=(chart,),
        page_only=True,
    )


def _estimates(play: OwnPlay, *, is_marked: bool) -> Section:
    assessment, decides = play.assessment, play.evidence.decides
    names = {"money", decides, *(() if play.is_selected else ("divat", "fitted"))}
    listed = shown_estimators(assessment, names)
    rows = tuple(
        (
            plain_title(estimator)
            + (" (decides)" if is_marked and estimator.name == decides else ""),
            with_interval(mean),
            f"{mean.n:,}",
            times(assessment.variance_reduction[play.player].get(estimator.name)),
        )
        for estimator in listed
        if (mean := assessment.estimate(play.player, estimator.name)) is not None
    )
    return Section(
        heading=f"Result, {play.unit} a hand (95 % interval)",
        table=Table(("result by", "mean", "hands", "hands needed ÷"), rows),
        terms=[term_of(estimator, plain_title(estimator)) for estimator in listed],
        note=f"{method_words(assessment, play.player)}{_other_way(play)}" if is_marked else "",
    )


def _other_way(play: OwnPlay) -> str:
    """Say that `railbird assess` takes luck out of heads-up limit in another way."""
    is_heads_up = bool((play.rows["seats"] == 2).all())
    if play.evidence.decides != "fitted" or play.betting is not Betting.LIMIT or not is_heads_up:
        return ""
    return f" Luck is taken out by decisions; `railbird assess` {TWO_WAYS}."


def decision_words(play: OwnPlay) -> str:
    """Say how the decisions were; nothing where none could be judged."""
    valued = play.decisions.filter(pl.col("by").is_not_null())
    if valued.is_empty():
        return ""
    counts = dict(valued["grade"].value_counts().iter_rows())
    good, close, mistakes, unknown = (
        counts.get(grade.value, 0)
        for grade in (Grade.GOOD, Grade.CLOSE, Grade.MISTAKE, Grade.UNKNOWN)
    )
    unjudged = play.decisions.height - valued.height
    cost = ""
    if mistakes:
        lost = valued.filter(pl.col("grade") == Grade.MISTAKE.value)
        hands = len(play.hands)
        is_rate = hands >= FEWEST  # of fewer, it would tell of hands that were never played
        per = 100 / hands if is_rate else 1.0
        low, high = (per * float(lost[name].sum()) for name in _COSTS)
        cost = f", which cost {_bounds(low, high)} {play.unit}"
        cost += " for 100 hands" if is_rate else f" in {counted(hands)}"
    return (
        f"Of {counted(play.decisions.height, 'decision')}, by what could be seen then, {good:,} "
        f"{_were(good)} good, {close:,} close and {mistakes:,} "
        f"{'a mistake' if mistakes == 1 else 'mistakes'}{cost}; {unknown:,} {_were(unknown)} "
        f"unknown, and {unjudged:,} could not be judged."
    )


_COSTS: Final = ("cost_low", "cost_high")


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _bounds(low: float, high: float, decimals: int = 1) -> str:
    """Say the least and the most of a cost."""
    least, most = number(low, decimals), number(high, decimals)
    return most if least == most else f"{least} to {most}"


_JUDGES: Final = {
    Judge.SOLUTION: "the rest of the hand, solved",
    Judge.EQUILIBRIUM: "push or fold, solved",
    Judge.CHARTS: "before the flop, by charts",
    Judge.RANGES: "what the call wins",
}


def _verdicts(play: OwnPlay) -> Section | None:
    """Count grades by what judged."""
    known = play.decisions.filter(pl.col("grade").is_not_null())
    if known.is_empty():
        return None
    rows = []
    for judge, words in _JUDGES.items():
        here = known.filter(pl.col("by") == judge.value)
        if here.is_empty():
            continue
        counts = dict(here["grade"].value_counts().iter_rows())
        low, high = (float(here[name].sum()) for name in _COSTS)
        graded = (f"{counts.get(grade.value, 0):,}" for grade in Grade)
        rows.append((words, *graded, _bounds(low, high)))
    reasons = counts_of(known.filter(pl.col("by").is_null())["reason"])
    unjudged = "; ".join(f"{reason}, {count:,}" for reason, count in reasons.items())
    valued = known.filter(pl.col("by").is_not_null())
    unknown = valued.filter(pl.col("grade") == Grade.UNKNOWN.value).height
    few = (
        f"{valued.height - unknown:,} of {counted(play.decisions.height, 'decision')} could be "
        "judged"
        f"{f'; what {unknown:,} more cost is known too roughly for a grade' if unknown else ''}."
    )
    # Otherwise a log without mistakes looks like faultless play.
    if valued.filter(pl.col("grade") == Grade.MISTAKE.value).is_empty():
        few += (
            f" No mistake is named, since none of these cost more than {percent(SMALL, 0)} of the "
            "pot by every reading; of the other decisions that says nothing."
        )
    return Section(
        heading="Your decisions, by what you could see",
        words=decision_words(play),
        note="A grade knows your cards, the board so far and the betting so far, and nothing that "
        "came later: neither the cards of others nor how the hand ended. What opponents hold is "
        "assumed. Before the flop they play by one of two sets of charts. Later their betting is "
        "read in two ways, and by one of them also as if they bluffed more, had the best third of "
        "their hands, or bet with any hand. A mistake cost something by each of these; where they "
        "differ, or nothing can judge, the grade is unknown. Of players who bet otherwise it may "
        "be wrong. The cost, "
        f"{play.unit} in all, is the least and the most by these readings, small costs of good "
        "decisions included."
        f" {few}{f' Nothing judges: {unjudged}.' if unjudged else ''}",
        table=Table(("judged by", *(grade.value for grade in Grade), "cost"), rows),
    )


def _charted(play: OwnPlay, hands: _Hands) -> Section | None:
    return _mistakes_by(
        play,
        hands,
        Judge.CHARTS,
        heading=f"Mistakes before the flop, {play.unit}",
        words="{} before the flop, each compared with how two good tables would play it: one where "
        "play after the flop goes on as a solved game does, and one where everybody then checks. A "
        "mistake is worse than something else at both, by far.",
    )


def _solved(play: OwnPlay, hands: _Hands) -> Section | None:
    return _mistakes_by(
        play,
        hands,
        Judge.SOLUTION,
        heading=f"Mistakes between two players, {play.unit}",
        words="{} after the flop with one opponent left, each checked by solving the rest of the "
        "hand with what the betting before says of both hands. It assumes an opponent who plays "
        "well from there on: against one who folds or calls too much, something else may win more.",
        others=_OPPONENTS,
    )


def _mistakes_by(
    play: OwnPlay,
    hands: _Hands,
    judge: Judge,
    *,
    heading: str,
    words: str,
    others: Mapping[str, str] = MappingProxyType({}),
) -> Section | None:
    """List the mistakes that a judge names; ``others`` are columns for other opponents."""
    judged = play.decisions.filter(pl.col("by") == judge.value)
    if judged.is_empty():
        return None
    rows, places = [], []
    lost = play.mistakes.filter(pl.col("by") == judge.value)
    for row in lost.head(LISTED).iter_rows(named=True):
        (record,) = hands.of([row["row"]])
        cards, board = hands.cards(record, _street(row["street"]))
        rows.append(
            (
                hands.name(record, row["row"]),
                _bounds(row["cost_low"], row["cost_high"]),
                *(_costs_retold(row) if others else ()),
                cards,
                *([] if judge is Judge.CHARTS else [board]),
                number(row["pot"], 1),
                row["played"] or row["action"],
                row["best"],
            )
        )
        places.append((row["row"], row["act"]))
    more = _NO_MISTAKE if not rows else f" {_RETOLD}" if others else ""
    board_heading = () if judge is Judge.CHARTS else ("board",)
    return Section(
        heading=heading,
        words=words.format(counted(judged.height, "decision")) + more,
        table=Table(
            ("hand", "cost", *others.values(), "cards", *board_heading, "pot", "did", "better"),
            rows,
        ),
        places=places,
    )


_OPPONENTS: Final = {"half": "bluffing more", "best": "best third", "any": "any hand"}
"""Headings of what a mistake cost against opponents whose betting is read otherwise."""
_RETOLD: Final = (
    "Beside the cost stands what it was if they bluff more, have the best third of their hands, or "
    "bet with any hand."
)
_NO_MISTAKE: Final = " None of them was a mistake."


def _costs_retold(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the cells of `_OPPONENTS`."""
    for reading in _OPPONENTS:
        cost = row[f"cost_{reading}"]
        yield _DASH if cost is None else number(cost, 1)


def _spot_words(spot: Mapping[str, str]) -> str:
    """Say which spot this is.

    >>> _spot_words({"street": "river", "facing": "bet", "texture": "paired"})
    'river, a bet, paired board'
    """
    parts = [spot["street"]]
    if "position" in spot:
        parts.append(spot["position"])
    if "facing" in spot:
        parts.append(_FACING[spot["facing"]])
    if "texture" in spot:
        parts.append(f"{spot['texture']} board")
    return ", ".join(parts)


def _leaks(play: OwnPlay) -> Section | None:
    leaks = play.leaks
    if not leaks.looked_at:
        return None
    rows = []
    for leak in leaks.leaks:
        low, high = leak.interval
        rows.append(
            (
                _spot_words(leak.spot),
                f"{leak.decisions:,}",
                f"{leak.mistakes:,}",
                _bounds(leak.low.value, leak.high.value, 2),
                interval(low, high, 2) if math.isfinite(high) else "too few",
            )
        )
    spots = f"{counted(leaks.looked_at, 'spot')} with {FEWEST_DECISIONS} or more judged decisions"
    none = "" if leaks.leaks else " None of them had a mistake."
    left = (
        leaks.valued
        - play.decisions.filter(
            (pl.col("grade") != Grade.UNKNOWN.value) & pl.col("cost_low").is_not_null()
        ).height
    )
    unknown = (
        f" The most that a spot cost counts {left:,} without a grade, too, whose cost is known "
        "only roughly."
        if left
        else ""
    )
    return Section(
        heading=f"Where decisions cost most, {play.unit} for 100 hands",
        words=f"Costs summed up over {spots}. Some spot always looks bad by chance, so the "
        "intervals are the wider the more spots there are: a spot whose interval begins above zero "
        "costs something, the others may be chance."
        f"{unknown}{none}",
        table=Table(("spot", "judged", "mistakes", "cost", "95 % interval"), rows),
    )


def _replays(play: OwnPlay, hands: _Hands) -> Section | None:
    """List the hands of the costliest spots."""
    leak_hands = [(leak, decision) for leak in play.leaks.leaks for decision in leak.hands]
    if not leak_hands:
        return None
    every = {(row["row"], row["act"]): row for row in play.decisions.iter_rows(named=True)}
    decision_rows = [every[decision] for _, decision in leak_hands]
    return Section(
        heading=f"Hands to replay from these spots, {play.unit}",
        words="The costliest decisions of each.",
        table=Table(
            ("hand", "spot", *_DECISION),
            [
                (name, _spot_words(leak.spot), *cells)
                for (leak, _), (name, *cells) in zip(
                    leak_hands, _listed(decision_rows, hands), strict=True
                )
            ],
        ),
        places=[decision for _, decision in leak_hands],
    )


_DECISION: Final = ("cost", "cards", "board", "pot", "did", "grade")


def _listed(rows: Iterable[Mapping[str, Any]], hands: _Hands) -> Iterator[tuple[str, ...]]:
    """Yield the name of the hand and the cells of `_DECISION` for each decision."""
    for row in rows:
        (record,) = hands.of([row["row"]])
        yield (
            hands.name(record, row["row"]),
            _DASH if row["cost_high"] is None else _bounds(row["cost_low"], row["cost_high"]),
            *hands.cards(record, _street(row["street"])),
            number(row["pot"], 1),
            row["played"] or row["action"],
            row["grade"] or _DASH,
        )


def _open(play: OwnPlay, hands: _Hands) -> Section | None:
    """List the decisions that are neither right nor wrong, those that may cost most first."""
    grade = pl.col("grade")
    left = play.decisions.filter(
        grade.is_in([Grade.CLOSE.value, Grade.UNKNOWN.value]) & pl.col("by").is_not_null()
    ).sort("cost_high", "row", "act", descending=[True, False, False])
    if left.is_empty():
        return None
    decision_rows = list(left.head(LISTED).iter_rows(named=True))
    close = left.filter(grade == Grade.CLOSE.value).height
    return Section(
        heading=f"Close or unknown, {play.unit}",
        words=f"{close:,} {_were(close)} close: whatever is better is better by little. "
        f"{left.height - close:,} {_were(left.height - close)} unknown: the answer depends on how "
        "your opponents play. Those that may have cost most:",
        table=Table(("hand", *_DECISION), list(_listed(decision_rows, hands))),
        places=[(row["row"], row["act"]) for row in decision_rows],
    )


def _not_judged(play: OwnPlay, hands: _Hands) -> Section | None:
    """List the largest pots in which nothing judges."""
    left = play.decisions.filter(pl.col("grade").is_not_null() & pl.col("by").is_null()).sort(
        "pot", "row", "act", descending=[True, False, False]
    )
    if left.is_empty():
        return None
    decision_rows = list(left.head(LISTED).iter_rows(named=True))
    return Section(
        heading=f"Not judged, {play.unit}",
        words=f"{counted(left.height, 'decision')} that nothing here can judge, those in the "
        "largest pots first. That they stand here says nothing of how they were.",
        table=Table(
            ("hand", "cards", "board", "pot", "did", "why not"),
            [
                (name, cards, board, pot, did, row["reason"] or _DASH)
                for row, (name, _, cards, board, pot, did, _) in zip(
                    decision_rows, _listed(decision_rows, hands), strict=True
                )
            ],
        ),
        places=[(row["row"], row["act"]) for row in decision_rows],
    )


def _tournaments(by_currency: Mapping[str, TournamentReturn]) -> Iterator[Section]:
    """Yield what entries in tournaments cost and brought, and by kind of tournament."""
    if by_currency:
        words = " ".join(return_words(*of) for of in by_currency.items())
        yield Section(heading="Tournaments", words=words)
        yield from tournament_sections("Kinds of tournaments", by_currency)


def _sessions(play: OwnPlay) -> Section | None:
    leaks = play.leaks
    if len(leaks.sessions) < 2 or not leaks.valued:
        return None
    rows = [
        (
            f"{ordinal:,}",
            f"{session.hands:,}",
            _bounds(session.low.value, session.high.value, 2),
            interval(max(session.low.low, 0.0), session.high.high, 2)
            if math.isfinite(session.high.high)
            else "too few",
        )
        for ordinal, session in enumerate(leaks.sessions, 1)
    ]
    trend = leaks.trend
    words = "Too few mistakes to tell a trend."
    if trend is not None and trend.enough:
        words = f"The second half of the log cost {with_interval(trend)} more than the first: " + (
            "a change." if trend.excludes_zero else "no trend can be told."
        )
    name = "session" if leaks.by_time else "part"
    return Section(
        heading=f"Cost of decisions by {name}, {play.unit} for 100 hands",
        words=words,
        table=Table((name, "hands", "cost", "95 % interval"), rows[-LISTED:]),
    )


def _graded(play: OwnPlay, hands: _Hands) -> Section:
    judged = play.decisions.filter(pl.col("by") == Judge.RANGES.value)
    heading = f"Calls and folds that ended the betting, {play.unit}"
    if judged.is_empty():
        return Section(
            heading=heading,
            words="None of which the cards are known and that nothing else judges.",
        )
    lost = play.mistakes.filter(pl.col("by") == Judge.RANGES.value)
    rows, places = [], []
    for row in lost.head(LISTED).iter_rows(named=True):
        (record,) = hands.of([row["row"]])
        cards, board = hands.cards(record, _street(row["street"]))
        rows.append(
            (
                hands.name(record, row["row"]),
                _bounds(row["cost_low"], row["cost_high"]),
                *_costs_retold(row),
                cards,
                board,
                percent(row["required"], 0),
                between(row["equity_low"], row["equity_high"]),
                row["action"],
            )
        )
        places.append((row["row"], row["act"]))
    counts = dict(judged["grade"].value_counts().iter_rows())
    shares = [
        f"{counts[grade]:,} {words}"
        for grade, words in (
            ("good", "right"),
            ("mistake", "gave something up"),
            ("close", "close"),
            ("unknown", "unknown"),
        )
        if grade in counts
    ]
    return Section(
        heading=heading,
        words=f"{counted(judged.height, 'decision')}: {', '.join(shares)}. By what could be seen "
        "then: a call needs to win as much of the pot as it pays for, and what it wins depends on "
        "the hands that bet like this. How your opponents bet is not known exactly; where the "
        f"answer depends on that the grade is unknown. {_RETOLD if rows else ''}".rstrip(),
        table=Table(
            ("hand", "gave up", *_OPPONENTS.values(), "cards", "board", "needed", "had", "did"),
            rows,
        ),
        places=places,
    )


def given_up_words(low: float, high: float) -> str:
    """Say what the wrong choice of a fold and a call costs, given what the call is worth."""
    least, most = sorted((abs(low), abs(high)))
    return " to ".join(dict.fromkeys((number(least, 1), number(most, 1))))


def between(low: float, high: float) -> str:
    r"""Say a share that two models put at so much.

    >>> print(ascii(between(0.1, 0.2)), ascii(between(0.201, 0.199)))
    '10 to 20\u202f%' '20\u202f%'
    """
    first, last = (number(100 * value, 0) for value in sorted((low, high)))
    return (
        percent(max(low, high), 0) if first == last else f"{first} to {percent(max(low, high), 0)}"
    )


def _hindsight(play: OwnPlay, hands: _Hands) -> Section | None:
    worst = play.hindsight.head(LISTED)
    if worst.is_empty():
        return None
    rows, places = [], []
    for row in worst.iter_rows(named=True):
        (record,) = hands.of([row["row"]])
        cards, board = hands.cards(record, _street(row["street"]))
        rows.append(
            (
                hands.name(record, row["row"]),
                signed(row["own"], 2),
                cards,
                board,
                _situation(row),
                row["played"] or row["action"],
                row["grade"] if row["by"] else _DASH,
            )
        )
        places.append((row["row"], row["act"]))
    return Section(
        heading=f"In hindsight: what the cards were, {play.unit}",
        words="Decisions that turned out worst beside the baseline’s once all cards are known, "
        "which nobody at the table could know: paying off the best hand stands here, and so does a "
        "fold that was right. Nothing here is a mistake for that."
        f"{sample_words(play.assessment)}",
        table=Table(
            ("hand", "turned out", "cards", "board", "facing", "did", "grade"),
            rows,
        ),
        places=places,
    )


def _given_up(play: OwnPlay, hands: _Hands) -> Section | None:
    judged = play.decisions.filter(pl.col("given_up").is_not_null())
    if judged.is_empty():
        return None
    mean = estimate(judged["given_up"].to_numpy(), unit="bb")
    rows, places = [], []
    for row in play.given_up.head(LISTED).iter_rows(named=True):
        (record,) = hands.of([row["row"]])
        rows.append(
            (
                hands.name(record, row["row"]),
                number(row["given_up"], 3),
                hands.cards(record)[0],
                row["played"],
                row["best"],
                percent(row["frequency"], 0),
            )
        )
        places.append((row["row"], row["act"]))
    return Section(
        heading="All-in or fold, by the equilibrium",
        words=f"{counted(judged.height, 'decision')} for short stacks heads-up have an exact "
        f"answer, that of the push/fold equilibrium for the stack; they gave up "
        f"{number(mean.value, 3)} bb each on average. It assumes an opponent who plays the "
        "equilibrium, too, and chips that are worth the same in every stack.",
        table=Table(
            ("hand", "gave up, bb", "cards", "did", "best", "played by it"),
            rows,
        ),
        places=places,
    )


def _lost_most(play: OwnPlay, hands: _Hands) -> Section | None:
    decides = play.evidence.decides
    worst = play.rows.filter(pl.col("money") < 0).sort("money", "row").head(LISTED)
    if worst.is_empty():
        return None
    title = next(
        plain_title(estimator)
        for estimator in play.assessment.estimators
        if estimator.name == decides
    )
    adjusted = decides != "money"
    rows = []
    for row, record in zip(
        worst.iter_rows(named=True), hands.of(worst["row"].to_list()), strict=True
    ):
        money = (signed(row["money"], 1), *((signed(row[decides], 2),) if adjusted else ()))
        name = hands.name(record, row["row"])
        rows.append((name, *money, row["position"], *hands.cards(record)))
    return Section(
        heading=f"Hands that lost most, {play.unit}",
        words="What a hand lost is cards and play together"
        + (f"; “{title.lower()}” is what the hand was worth without luck." if adjusted else "."),
        table=Table(
            ("hand", "money", *((title,) if adjusted else ()), "position", "cards", "board"), rows
        ),
        places=tuple((row, None) for row in worst["row"].to_list()),
    )


def _spots(play: OwnPlay) -> Section | None:
    lost = play.spots.filter(pl.col("own") < 0).head(_SPOTS)
    if lost.is_empty():
        return None
    return Section(
        heading=f"Spots beside the baseline, {play.unit} in all",
        words="Decisions summed up by street, by what there was to answer and by what was done, "
        "beside the baseline’s, with all cards known; over many hands luck evens out. “± by luck” "
        "is how far luck alone often moves such a sum; one within twice of it says nothing yet.",
        table=Table(
            ("spot", "did", "in all", "± by luck", "times", "each"),
            [
                (
                    _situation(row),
                    row["action"],
                    signed(row["own"], 1),
                    number(row["stderr"], 1),
                    f"{row['decisions']:,}",
                    signed(row["own"] / row["decisions"], 2),
                )
                for row in lost.iter_rows(named=True)
            ],
        ),
    )


def _otherwise(play: OwnPlay, hands: _Hands) -> Section | None:
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
                hands.name(record, row["row"]),
                number(row["pot"], 1),
                cards,
                board,
                row["played"],
                row["house"],
                row["why"] or _DASH,
            )
        )
        places.append((row["row"], row["act"]))
    return Section(
        heading=f"What {play.adviser} would have done",
        words=f"It was told every hand as the player saw it, and asked at each of "
        f"{counted(asked.height, 'decision')}. The same kind of action: {', '.join(shares)}. "
        "Another player’s way is not proof of a mistake."
        + (" The largest pots in which it would have done otherwise:" if rows else ""),
        table=Table(
            ("hand", f"pot, {play.unit}", "cards", "board", "did", play.adviser, "why"),
            rows,
            page_only=("why",),
        ),
        places=places,
    )


def _by_street(play: OwnPlay) -> Section | None:
    if play.is_selected or not play.assessment.hands:
        return _by_last_street(play)
    hands = len(play.hands)
    rows = []
    for street in Street:
        decisions = play.decisions.filter(pl.col("street") == street.name.lower())
        if decisions.is_empty():
            continue
        by_hand = decisions.group_by("row").agg(pl.col("own").sum())["own"].to_numpy()
        # Hands without a decision on the street changed nothing there and count as zero, so that
        # the mean is of all hands.
        values = pl.concat([pl.Series(by_hand), pl.zeros(hands - len(by_hand), eager=True)])
        mean = estimate(values.to_numpy(), unit=play.unit)
        rows.append((street.name.lower(), f"{decisions.height:,}", with_interval(mean)))
    return Section(
        heading=f"Own decisions by street, {play.unit} a hand (95 % interval)",
        words="What the player’s own decisions changed beside the baseline’s; above zero is better "
        "than the baseline, not well played.",
        table=Table(
            ("street", "decisions", "own decisions"),
            rows,
        ),
    )


def _by_last_street(play: OwnPlay) -> Section:
    return _divided(
        play,
        "By the street on which the hand ended",
        "Decisions by street need all cards. How far a hand goes is itself a result of the cards, "
        "so streets do not compare.",
        "ended",
        [(street.name.lower(), pl.col("last") == int(street)) for street in Street],
    )


def _by_position(play: OwnPlay) -> Section:
    places = [position.key.replace("_", " ") for position in Position]
    return _divided(
        play,
        "By position",
        "Positions are not equal: blinds lose whoever sits there.",
        "position",
        [(place, pl.col("position") == place) for place in places],
    )


def _by_group(play: OwnPlay) -> Section:
    evidence, groups = play.evidence, play.groups
    if evidence.own_cards < evidence.hands:
        return Section(
            heading="By starting hand",
            words=f"The player’s own cards are known in {evidence.own_cards:,} of "
            f"{counted(evidence.hands)} only, mostly those that were shown at the end. Shown "
            "hands are not like the others, so results by starting hand are not given.",
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
    from railbird.cards.ranges import starting_groups

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
) -> Section:
    """Show money and the estimate that decides for parts of the hands."""
    decides = play.evidence.decides
    titles = {estimator.name: plain_title(estimator) for estimator in play.assessment.estimators}
    columns = list(dict.fromkeys(("money", decides)))
    rows = []
    for name, chosen in parts:
        subset = play.rows.filter(chosen)
        if subset.height:
            cells = (
                with_interval(estimate(subset[key].drop_nulls().to_numpy(), unit=play.unit))
                for key in columns
            )
            rows.append((name, f"{subset.height:,}", *cells))
    return Section(
        heading=f"{heading}, {play.unit} a hand (95 % interval)",
        words=words,
        table=Table(
            (first, "hands", *(titles[key] for key in columns)),
            rows,
        ),
    )


def _skipped(play: OwnPlay) -> Section | None:
    if not play.assessment.skipped:
        return None
    return Section(
        heading="Left out",
        table=Table(
            ("reason", "count"),
            [(reason, f"{count:,}") for reason, count in play.assessment.skipped.items()],
        ),
    )


def _situation(row: dict[str, object]) -> str:
    return f"{row['street']}, {_FACING[str(row['facing'])]}"


def _street(name: str) -> int:
    return int(Street[name.upper()])
