"""A match of any hold'em as a document: results, decisions, positions and hands.

`match_document` is the form for two players in heads-up limit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from railbird.assessment.divat.any_game import (
    CHANGING_STACKS_DEALS,
    POSITION_DEALS,
    score_table_hand,
)
from railbird.assessment.player_statistics import Position, position_of
from railbird.cards import cards_of
from railbird.estimates.estimate import Estimate, estimate
from railbird.histories.columns import records_of
from railbird.report import number_format
from railbird.report.charts import crosstable_chart
from railbird.report.document import Document, Figure, KeyFigure, ReplayedHand, Section, Table
from railbird.report.headline import (
    COLUMNS,
    course_rows,
    course_words,
    courses_words,
    headline,
    lines_of,
    method_words,
    plain_title,
    ranking,
    sample_words,
    selected_words,
    shown_estimators,
    sum_words,
    term_of,
    usual_estimators,
)
from railbird.report.number_format import (
    THIN,
    cards_text,
    display_name,
    file_name,
    file_names,
    signed,
    skipped_words,
    times,
    with_interval,
)
from railbird.report.running_sums import running_sums_chart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from railbird.assessment.any_table import TableAssessment
    from railbird.assessment.divat.any_game import TableDecision, TableHandScore, ValueChange
    from railbird.histories import HandRecord
    from railbird.progress import Progress
    from railbird.report.altair import alt
    from railbird.report.match_document import Specifications


# A hand of any hold'em in words: every decision beside the baseline's, and whom it moved.


_UNSEEN: Final = 0.005
"""Threshold below which amounts are hidden, being zero to two decimals."""
HAND_WORDS: Final = (
    "For each action: what the baseline would have done there; what the action changed for the "
    "player, compared with that, if the baseline plays on for everybody, and for the others; and "
    "the same change for the player if everybody only calls from here on (all-in). "
    "Errors are standard errors of the boards drawn before the flop; later changes are exact."
)
"""How to read a replayed hand."""


def replayed_hand(
    score: TableHandScore, *, amount: str = "", is_open: bool = False
) -> ReplayedHand:
    """Put a scored hand into words; ``amount`` is what hands are ordered by.

    Names lose invisible characters.
    """
    names = [display_name(name) for name in score.players]
    held = [cards_text(cards_of(hole)) for hole in score.holes]
    number = score.record.number
    place = _place(score.record)
    sections = [Section(note=place)] if place else []
    for row in score.rounds:
        luck = ", ".join(_changes(row.luck, names))
        sections.append(
            Section(
                heading=f"{row.street.name.capitalize()} {cards_text(row.board)}".rstrip(),
                words=f"Luck: {luck}." if luck else "",
                table=_decisions(row.decisions, names) if row.decisions else None,
            )
        )
    sections.append(Section(heading=f"Account, {score.unit.value}", table=_account(score, names)))
    return ReplayedHand(
        name="A hand" if number is None else f"Hand {number:,}",
        amount=amount,
        cards=", ".join(f"{name} {cards}" for name, cards in zip(names, held, strict=True)),
        sections=sections,
        is_open=is_open,
    )


def hand_document(score: TableHandScore) -> Document:
    """Say what one hand was: luck, decisions, and who changed whose result."""
    hand = replayed_hand(score, is_open=True)
    seat = max(range(len(score.players)), key=score.money.__getitem__)
    own = _own(score)[seat]
    lead = (
        f"{display_name(score.players[seat])} won {signed(score.money[seat], 2)} "
        f"{score.unit.words}: luck {_change_with_error(score.luck, seat)}, own decisions "
        f"{signed(own, 2)}, the others’ {signed(score.decisions.value[seat] - own, 2)}, position "
        f"{signed(score.position.value[seat], 2)}."
    )
    words = f"{HAND_WORDS} Settings {score.settings}, {score.boards:,} boards."
    return Document(title=hand.name, lead=lead, sections=(Section(words=words, hands=(hand,)),))


def _decisions(decisions: Sequence[TableDecision], names: Sequence[str]) -> Table:
    rows = [
        (
            f"{names[decision.seat]} {decision.action}",
            "the same" if decision.agrees else str(decision.baseline),
            "" if decision.agrees else _change_with_error(decision.delta, decision.seat),
            _change_with_error(decision.call_down, decision.seat),
            ", ".join(_changes(decision.delta, names, but=decision.seat)),
        )
        for decision in decisions
    ]
    agrees = [place for place, decision in enumerate(decisions) if decision.agrees]
    return Table(("Action", "Baseline", "Own", "All-in", "Others"), rows, faint=agrees)


def _account(score: TableHandScore, names: Sequence[str]) -> Table:
    """Lay out who got what: money = position + luck + own + others' decisions - rake."""
    own, rake = _own(score), any(score.rake)
    heads = ("Player", "Cards", "Money", "Position", "Luck", "Own decisions", "Others’")
    rows = []
    for seat, name in enumerate(names):
        place = _seat_words(seat, len(names))
        rows.append(
            (
                f"{name} ({place})" if place else name,
                cards_text(cards_of(score.holes[seat])),
                signed(score.money[seat], 2),
                signed(score.position.value[seat], 2),
                _change_with_error(score.luck, seat),
                signed(own[seat], 2),
                signed(score.decisions.value[seat] - own[seat], 2),
                *((signed(-score.rake[seat], 2),) if rake else ()),
            )
        )
    return Table((*heads, *(("Rake",) if rake else ())), rows)


def _own(score: TableHandScore) -> list[float]:
    """Return what each player's decisions changed for that player."""
    own = [0.0] * len(score.players)
    for row in score.rounds:
        for decision in row.decisions:
            own[decision.seat] += decision.delta.value[decision.seat]
    return own


def _changes(change: ValueChange, names: Sequence[str], *, but: int | None = None) -> list[str]:
    return [
        f"{name} {_change_with_error(change, seat)}"
        for seat, name in enumerate(names)
        if seat != but and abs(change.value[seat]) >= _UNSEEN
    ]


def _change_with_error(change: ValueChange, seat: int) -> str:
    error = change.stderr[seat]
    within = f"{THIN}±{THIN}{number_format.number(error, 2)}" if error >= _UNSEEN else ""
    return signed(change.value[seat], 2) + within


def _seat_words(seat: int, seats: int) -> str:
    if seats == 2:
        return ("big blind", "dealer")[seat]
    if seat < 2:
        return ("small blind", "big blind")[seat]
    return "button" if seat == seats - 1 else "cutoff" if seat == seats - 2 else ""


def _place(record: HandRecord) -> str:
    source = record.source
    return (
        ""
        if source is None or not source.file
        else f"{file_name(source.file)}, line {source.line:,}"
    )


_MOST_IN_CHART: Final = 9
"""Players beyond which the names of a chart are no longer legible; the JSON has all pairs."""
_PAIRS: Final = 10
"""Pairs in the table of partiality, the largest; the JSON has all."""
_BOARDS: Final = 2_000
"""Boards before the flop of a replayed hand."""
_FEW_RULES: Final = 4
"""Different stacks up to which a replayed hand has its position from a large sample."""
_THOUSANDTHS: Final = 1000
_STREETS: Final = ("preflop", "flop", "turn", "river")


def table_document(
    assessment: TableAssessment,
    *,
    player: str | None = None,
    estimators: Collection[str] | None = None,
    replayed: int = 0,
    listed: Collection[str] = (),
    progress: Progress | None = None,
) -> Document:
    """Say who won, by whose decisions, and where.

    ``player`` limits hands, positions and course to that player. ``estimators`` are shown by their
    titles, by default the usual ones in a player's words. ``replayed`` says how many of the
    costliest hands are replayed. Reasons for skipping hands are left out if they are ``listed``
    elsewhere.
    """
    sections = [
        _key_figures(assessment),
        _estimates(assessment, player, estimators),
        _lines(assessment, player),
        _by_position(assessment, player),
    ]
    if assessment.form.crosstable.cells:
        sections += [
            _crosstable(assessment, player),
            *_partiality(assessment),
            _by_street(assessment, player),
        ]
    if assessment.known:
        sections += [
            *_course(assessment, player),
            *_costliest(assessment, player, replayed, progress),
        ]
    if left := {why: count for why, count in assessment.skipped.items() if why not in listed}:
        sections.append(Section(heading="Hands skipped", words=skipped_words(left)))
    return Document(
        title=f"{len(assessment.players)} players, {assessment.hands:,} hands",
        lead=headline(assessment, player),
        sections=sections,
    )


def in_terminal(
    assessment: TableAssessment,
    *,
    player: str | None,
    estimators: Collection[str] | None,
    listed: Collection[str],
) -> Document:
    """Say what the assessment found, for a terminal."""
    return table_document(assessment, player=player, estimators=estimators, listed=listed)


def on_page(
    assessment: TableAssessment,
    *,
    player: str | None,
    largest: int,
    progress: Progress | None,
    **_others: object,
) -> tuple[Document, Specifications]:
    """Return the page, and its figures by name; see `railbird.report.write`."""
    document = table_document(assessment, player=player, replayed=largest, progress=progress)
    return document, figures_of(assessment)


def figures_of(assessment: TableAssessment) -> Specifications:
    """Return the figures by name."""
    charts = {
        f"running-sums-{name}": partial(running_sums_chart, assessment, player)
        for player, name in file_names(_most_hands(assessment)).items()
    }
    if cells := assessment.form.crosstable.cells:
        shown = _shown(assessment, None)
        charts["crosstable"] = partial(crosstable_chart, cells, shown, assessment.unit)
    return {name: partial(_specification, chart) for name, chart in charts.items()}


def _specification(chart: Callable[[], alt.LayerChart]) -> dict[str, Any]:
    from railbird.report.html_page import framed  # takes a while to load

    return framed(chart())


def _key_figures(assessment: TableAssessment) -> Section:
    everybody = assessment.variance_reduction.get("all", {})
    less = (("by decisions", "divat"), ("with luck taken out", "fitted"))
    reduced = () if assessment.hidden else less
    return Section(
        key=(
            KeyFigure("hands with all cards known", f"{assessment.known:,}"),
            KeyFigure("hands with hidden cards", f"{assessment.hidden:,}"),
            *(
                KeyFigure(f"hands by money worth one {whose}", times(everybody.get(name)))
                for whose, name in reduced
            ),
        )
    )


def _estimates(
    assessment: TableAssessment, player: str | None, wanted: Collection[str] | None
) -> Section:
    """One column for each estimator, so that a mean and its interval are never parted."""
    names = wanted or usual_estimators(assessment)
    title = attrgetter("title") if wanted else plain_title
    estimators = shown_estimators(assessment, names)
    judging = {estimator.name for estimator in estimators} - {"money"}
    players = ranking(assessment, assessment.players if player is None else (player,))
    reduced = any(assessment.decision(name).decides in judging for name in players)
    rows = []
    for name in players:
        evidence = assessment.evidence[name]
        cells = [
            with_interval(assessment.estimate(name, estimator.name)) for estimator in estimators
        ]
        if reduced:
            cells.append(times(assessment.variance_reduction[name].get(evidence.decides)))
        rows.append((display_name(name), f"{evidence.hands:,}", *cells))
    last = ("variance ÷",) if reduced else ()
    return Section(
        heading=f"Results, {assessment.unit} a hand (95 % interval)",
        table=Table(("player", "hands", *map(title, estimators), *last), rows),
        terms=[term_of(estimator, title(estimator)) for estimator in estimators],
        note=f"{method_words(assessment, player)} "
        f"{selected_words(assessment, names, title)}".rstrip(),
    )


def _with_error(mean: Estimate) -> str:
    if not mean.enough:
        return "too few"
    return f"{signed(_THOUSANDTHS * mean.value, 0)} ± {_THOUSANDTHS * mean.stderr:.0f}"


def _shown(assessment: TableAssessment, player: str | None) -> list[str]:
    """Players with most hands, as many as a chart has room for, and the one that is looked at."""
    cells = assessment.form.crosstable.cells
    ranked = sorted(assessment.form.crosstable.players, key=lambda name: -cells[name, name].n)
    shown = ranked[:_MOST_IN_CHART]
    if player is not None and player in ranked and player not in shown:
        shown = [player, *shown[:-1]]
    return shown


def _most_hands(assessment: TableAssessment) -> list[str]:
    ranked = sorted(assessment.players, key=lambda name: -assessment.evidence[name].hands)
    return ranked[:_MOST_IN_CHART]


def _lines(assessment: TableAssessment, player: str | None) -> Section:
    looked_at = player or assessment.hero
    names = [looked_at] if looked_at is not None else _most_hands(assessment)
    return Section(
        heading="Running sums",
        words="What was won, and the estimate that decides for the player, "
        f"{assessment.unit}, hand by hand of each player.",
        figures=[
            Figure(
                partial(running_sums_chart, assessment, name),
                f"Lines: running sums of {' and '.join(lines_of(assessment, name).values())} for "
                f"{display_name(name)}.",
            )
            for name in names
        ],
        page_only=True,
    )


def _crosstable(assessment: TableAssessment, player: str | None) -> Section:
    cells, listed_players = assessment.form.crosstable.cells, _shown(assessment, player)
    left_out = len(assessment.form.crosstable.players) > len(listed_players)
    more = f" The {len(listed_players)} players with most hands." if left_out else ""
    chart = Figure(
        partial(crosstable_chart, cells, listed_players, assessment.unit),
        f"Table: mean change of each player's result by each player's decisions, in thousandths "
        f"of a {assessment.unit} a hand.",
    )
    return Section(
        heading="Whose decisions changed whose result",
        words=f"{sum_words(assessment)} The diagonal says "
        "better than the baseline, not well played. Single cells depend on the baseline: bluffs "
        "and mixed play look like gifts, and honest players of different styles give unequally, so "
        f"no cell shows that two play together.{more} Thousandths of a {assessment.unit} a hand "
        "± standard error.",
        figures=(chart,),
        table=Table(
            ("decisions of", *(f"changed {display_name(name)}’s" for name in listed_players)),
            [
                (
                    f"{rank} {display_name(decider)}",
                    *(
                        _with_error(cells[decider, affected_player])
                        if (decider, affected_player) in cells
                        else ""
                        for affected_player in listed_players
                    ),
                )
                for rank, decider in enumerate(listed_players, 1)
            ],
            short=("", *(str(rank) for rank, _ in enumerate(listed_players, 1))),
        ),
        either=True,
    )


def _partiality(assessment: TableAssessment) -> list[Section]:
    pairs = assessment.form.crosstable.partiality
    if not pairs:
        return []
    ranked = sorted(pairs.items(), key=lambda item: -item[1].mutual.value)[:_PAIRS]
    rows = [
        (
            f"{display_name(first)}, {display_name(second)}",
            _with_error(pair.mutual),
            " ".join("+" if gift else "−" for gift in pair.gives),
            f"{pair.takes[0]} and {pair.takes[1]} of {pair.others}",
        )
        for (first, second), pair in ranked
    ]
    section = Section(
        heading=f"Partiality of pairs, m{assessment.unit} a hand",
        words="What each of two gave the other less what it gave the others on average, both added "
        "and with standard errors; whether each gave to the other; and from how many of the others "
        "each took. Honest players of different styles are far from zero, too, and soft play alone "
        f"does not show. No verdict follows. The {len(rows)} largest of {len(pairs)}.",
        table=Table(("pair", "mutual", "to each other", "take from"), rows),
        page_only=True,
    )
    return [section]


def _by_street(assessment: TableAssessment, player: str | None) -> Section:
    names = assessment.form.crosstable.players if player is None else (player,)
    rows = [
        (
            display_name(name),
            *(
                _with_error(assessment.form.crosstable.streets[name, name, street])  # type: ignore[index]
                for street in range(len(_STREETS))
            ),
        )
        for name in names
        if (name, name) in assessment.form.crosstable.cells
    ]
    return Section(
        heading=f"Own decisions by street, m{assessment.unit} a hand",
        words="What a player's own decisions changed for that player, with standard errors.",
        table=Table(("player", *_STREETS), rows),
        page_only=True,
    )


def _by_position(assessment: TableAssessment, player: str | None) -> Section:
    scores = assessment.form.every.with_columns(seats=pl.len().over("row"))
    player = player or assessment.hero
    if player is not None:
        scores = scores.filter(pl.col("player") == assessment.players.index(player))
    keys = ("seat", "seats", "dead_small_blind")
    places = {
        (seat, seats, dead): position_of(seat, seats, dead_small_blind=dead)
        for seat, seats, dead in scores.select(keys).unique().iter_rows()
    }
    if assessment.hidden:
        decides = assessment.decision(player).decides
        columns = dict.fromkeys(("money", decides))
    else:
        columns = dict.fromkeys(("money", "fitted", "own"))
    titles = {estimator.name: plain_title(estimator) for estimator in assessment.estimators} | {
        "own": "Own decisions"
    }
    compare = (
        ": compare own decisions, which are measured against the baseline in the same place."
        if "own" in columns
        else "."
    )
    rows = []
    for position in Position:
        here = [key for key, place in places.items() if place is position]
        subset = scores.join(
            pl.DataFrame(here, schema={key: scores[key].dtype for key in keys}, orient="row"),
            on=keys,
            how="semi",
        )
        if subset.height:
            cells = (
                with_interval(estimate(subset[key].to_numpy(), unit=assessment.unit))
                for key in columns
            )
            rows.append((position.key.replace("_", " "), f"{subset.height:,}", *cells))
    whose = "Everybody’s" if player is None else f"{display_name(player)}’s"
    return Section(
        heading=f"By position, {assessment.unit} a hand (95 % interval)",
        words=f"{whose} results in each place. Positions are not equal{compare}",
        table=Table(("position", "hands", *(titles[name] for name in columns)), rows),
        page_only=True,
    )


def _course(assessment: TableAssessment, player: str | None) -> list[Section]:
    courses, player = assessment.course(), player or assessment.hero
    if player is not None:
        chosen = {name: of for name, of in courses.items() if name == player}
    else:
        ranked = sorted(courses, key=lambda name: courses[name].p_value)
        chosen = {name: courses[name] for name in ranked[:_MOST_IN_CHART]}
    if not chosen:
        return []
    rows = [(display_name(name), *row) for name, of in chosen.items() for row in course_rows(of)]
    if player is None:
        words = courses_words(courses, assessment.unit)
    else:
        name = display_name(player)
        words = course_words(name, courses[player], assessment.unit, players=len(courses))
    return [
        Section(
            heading=f"Change of play, {assessment.unit} a hand",
            words=words,
            table=Table(("player", *COLUMNS), rows),
        )
    ]


def _costliest(
    assessment: TableAssessment, player: str | None, replayed: int, progress: Progress | None
) -> list[Section]:
    scores = assessment.scores
    if player is not None:
        scores = scores.filter(pl.col("player") == assessment.players.index(player))
    worst = scores.sort("own").head(replayed).filter(pl.col("own") < 0)
    if worst.is_empty():
        return []
    return [
        Section(
            heading=f"Costliest hands by own decisions, {assessment.unit}",
            words="Where a player's decisions gave away most, judged by the baseline with all "
            "cards seen. So losing with the second-best hand stands here too. "
            f"{HAND_WORDS} {_BOARDS:,} boards.{sample_words(assessment)}",
            hands=_replayed(assessment, worst, progress),
            page_only=True,
        ),
    ]


def _replayed(
    assessment: TableAssessment, worst: pl.DataFrame, progress: Progress | None
) -> list[ReplayedHand]:
    records = list(records_of(assessment.played.rows(worst["row"].to_numpy())))
    few = len({record.rules for record in records}) <= _FEW_RULES
    hands = []
    for done, (record, row) in enumerate(zip(records, worst.iter_rows(named=True), strict=True)):
        if progress is not None:
            progress(done, len(records), "hands replayed")
        score = score_table_hand(
            record,
            assessment.settings,
            boards=_BOARDS,
            position_deals=POSITION_DEALS if few else CHANGING_STACKS_DEALS,
        )
        name = display_name(assessment.players[row["player"]])
        amount = f"{name} {signed(row['own'], 1)} {assessment.unit}"
        hands.append(replayed_hand(score, amount=amount))
    return hands
