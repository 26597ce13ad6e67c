"""A night among friends, or a season of them, in any hold'em: one page to be shared.

Who owes whom, who stands where, whether that is more than luck, awards and three hands.
`statistics_document` is about one player.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from railbird.assessment.season import DIFFERENCES
from railbird.histories.ledger import HOUSE
from railbird.report.altair import alt
from railbird.report.charts import line_scales
from railbird.report.document import Document, Figure, KeyFigure, ReplayedHand, Section, Table
from railbird.report.luck_sections import per_hundred
from railbird.report.number_format import (
    MINUS,
    about,
    cards_text,
    counted,
    display_name,
    interval,
    interval_of,
    number,
    percent,
    signed,
    signed_total,
)
from railbird.report.statistics_document import ROW_NOTE, players_table
from railbird.report.street_document import street_document

if TYPE_CHECKING:
    from railbird.assessment.player_statistics import HourlyRate, PlayerStatistics, Style
    from railbird.assessment.season import Award, Night, PairLead, Season, SeasonStanding
    from railbird.estimates import Estimate
    from railbird.histories import HandRecord, Settlement

_PER: Final = 100
_POINTS: Final = 200
_WIDTH, _HEIGHT = 620, 260
_MOST_LINES: Final = 10
_MOST_NIGHTS: Final = 60
_NAMED_LEADS: Final = 6
_NO_LUCK: Final = "–"
_OF_ALL: Final = "Luck is what everybody’s cards and the boards gave."
_OF_OWN: Final = (
    "Luck is told where a log shows a player’s own cards in every hand. For the others all-ins are "
    "evened out where the cards of all are known."
)
_STANDINGS: Final = (
    "Big blinds per hundred hands, each hand in its own, with 95 % intervals. Where zero is in an "
    "interval, the result could be luck."
)
_AWARDS: Final = (
    "An award needs play that differs from all the others’ together by more than chance. Among "
    "equal players, any of these awards is given in at most one night of twenty."
)
_DECIDED: Final = (
    "You may look after every night: among equal players, somebody is called better in at most one "
    "season of twenty."
)


# Who owes whom.


def results_table(currency: str, won: Mapping[str, Fraction]) -> Table:
    """Lay out what everybody won, the winners first."""
    decimals = _decimals(currency, won)
    ordered = sorted(won.items(), key=lambda name_amount: -name_amount[1])
    return Table(
        ("player", currency or "won"),
        [(display_name(name), signed(float(amount), decimals)) for name, amount in ordered],
        is_right=True,
    )


def payment_words(currency: str, won: Mapping[str, Fraction], settled: Settlement) -> Iterator[str]:
    """Yield a line for each payment, and one that says whether fewer would do."""
    decimals = _decimals(currency, won)
    for payment in settled.payments:
        amount = f"{currency}{number(float(payment.amount), decimals)}"
        yield f"{display_name(payment.payer)} pays {display_name(payment.payee)} {amount}"
    if not settled.payments:
        yield "Nobody owes anything."
        return
    fewest = "no fewer do" if settled.is_fewest else "perhaps fewer do"
    rounded = "; results are rounded to hundredths" if settled.is_rounded else ""
    yield f"{counted(len(settled.payments), 'payment')}; {fewest}{rounded}."


def _decimals(currency: str, won: Mapping[str, Fraction]) -> int:
    return 2 if currency or any(amount.denominator > 1 for amount in won.values()) else 0


def _money(currency: str, amount: float, *, decimals: int) -> str:
    r"""Write an amount of money with its sign before its currency.

    >>> ascii(_money("$", -195.0, decimals=2)), _money("", 40.0, decimals=0)
    ("'\\u2212$195.00'", '+40')
    """
    text = signed(amount, decimals)
    place = len(text) - len(text.lstrip(f"+{MINUS}"))
    return f"{text[:place]}{currency}{text[place:]}"


def _settlement(
    currency: str,
    won: Mapping[str, Fraction],
    settled: Settlement,
    *,
    heading: str,
    doubt: str | None,
) -> Section:
    """Say who pays whom, as a table of its own."""
    decimals = _decimals(currency, won)
    rows = [
        (
            display_name(payment.payer),
            "pays",
            display_name(payment.payee),
            f"{currency}{number(float(payment.amount), decimals)}",
        )
        for payment in settled.payments
    ]
    *_, last = payment_words(currency, won, settled)
    house = " What hands paid beside the players is owed to the house." if HOUSE in won else ""
    warning = f" This may be wrong: {doubt}." if doubt else ""
    return Section(
        heading=heading,
        table=Table(("", "", "", ""), rows, names=3) if rows else None,
        note=f"{last}{house}{warning}",
    )


# The page.


def hand_told(record: HandRecord, title: str, winner: str, won: float) -> ReplayedHand:
    """Tell one hand of the night, which opens when it is asked for; ``won`` is in big blinds."""
    return ReplayedHand(
        name=title,
        amount=f"{display_name(winner)} {signed(won, 1)} bb",
        cards=cards_text(record.board),
        sections=street_document(record).sections,
    )


def night_document(
    season: Season,
    rows: pl.DataFrame,
    by_player: Mapping[str, PlayerStatistics],
    won: Mapping[str, Mapping[str, Fraction]],
    settled: Mapping[str, Settlement],
    *,
    styles: Mapping[str, Style],
    rates: Mapping[str, HourlyRate],
    hands: Sequence[ReplayedHand],
    withheld: str | None = None,
    doubt: str | None = None,
) -> Document:
    """Say how a night or a season went.

    ``rows`` are those of the hands (`player_statistics.rows_of`), ``by_player`` what they sum up
    to, and ``won`` and ``settled`` the money by currency. ``withheld`` says why nothing is said of
    who is better, if so: hands are missing. ``doubt`` says why the money may be wrong, too.
    """
    currency, money = next(iter(won.items()))
    played = int(rows["hand"].n_unique())
    pages = [
        Section(key=list(_key(season, rows, currency, money, played))),
        *(
            _settlement(
                *(of, won[of], settled[of]), heading="" if place else "Who owes whom", doubt=doubt
            )
            for place, of in enumerate(won)
        ),
        _standings(season, currency, money, rows),
        *([] if withheld else [_decision(season, played)]),
        *_nights(
            season.nights,
            partial(_money, currency, decimals=_decimals(currency, money))
            if len(won) == 1
            else lambda amount: f"{signed(amount, 1)} bb",
        ),
        *([] if withheld else [_awards(season.awards)]),
        Section(
            heading="Hands to remember",
            words="" if hands else "No hand was won by anybody.",
            hands=hands,
            page_only=True,
        ),
        Section(
            heading="How everybody played",
            table=players_table(by_player, styles, rates),
            note=ROW_NOTE,
        ),
    ]
    if withheld:
        pages.insert(1, Section(note=f"Nothing is said of who is better: {withheld}."))
    return Document(
        title=_title(season.nights),
        lead=_lead(season, money, currency, played, withheld),
        sections=pages,
    )


def _title(nights: Sequence[Night]) -> str:
    if not nights:
        return "A night among friends"
    first, last = (f"{night.begun:%Y-%m-%d}" for night in (nights[0], nights[-1]))
    if len(nights) == 1:
        return f"The night of {first}"
    return f"{counted(len(nights), 'night')}, {first} to {last}"


def _lead(
    season: Season, money: Mapping[str, Fraction], currency: str, played: int, withheld: str | None
) -> str:
    """Say who won most, and whether anybody is ahead beyond luck."""
    people = {name: amount for name, amount in money.items() if name != HOUSE}
    first = max(people, key=people.__getitem__)
    amount = _money(currency, float(people[first]), decimals=_decimals(currency, money))
    sentence = f"{display_name(first)} won most, {amount} in {counted(played)}."
    if people[first] <= 0:
        sentence = f"Nobody won anything in {counted(played)}."
    if withheld:
        return sentence
    return f"{sentence} {_verdict(season.leads)}"


def _verdict(leads: Sequence[PairLead]) -> str:
    """Say in a sentence who is ahead of whom beyond luck."""
    decided = [lead for lead in leads if lead.decided]
    if not decided:
        return "Luck could explain every lead so far."
    named = [
        f"{display_name(lead.ahead)} of {display_name(lead.behind)}"
        for lead in decided[:_NAMED_LEADS]
    ]
    more = f" and {len(decided) - len(named)} more" if len(decided) > len(named) else ""
    return f"Ahead by more than luck: {', '.join(named)}{more}."


def _key(
    season: Season,
    rows: pl.DataFrame,
    currency: str,
    money: Mapping[str, Fraction],
    played: int,
) -> Iterator[KeyFigure]:
    """Yield how much was played, and the largest numbers."""
    nights = len(season.nights)  # none where hands have no time
    yield KeyFigure("hands", f"{played:,}", counted(nights, "night") if nights else "")
    yield KeyFigure("players", f"{rows['player'].n_unique():,}")
    people = {name: amount for name, amount in money.items() if name != HOUSE}
    first = max(people, key=people.__getitem__)
    amount = _money(currency, float(people[first]), decimals=_decimals(currency, money))
    yield KeyFigure("won most", amount, display_name(first))
    pots = rows.filter(pl.col("won") > 0).group_by("hand").agg(pl.col("won").sum())
    if pots.height:
        largest = float(pots["won"].max())  # type: ignore[arg-type]
        yield KeyFigure("largest win of a hand, bb", number(largest, 1))


def _standings(
    season: Season, currency: str, money: Mapping[str, Fraction], rows: pl.DataFrame
) -> Section:
    """Lay out everybody's result with and without luck, and draw it through the night."""
    has_luck = any(standing.without is not None for standing in season.standings)
    lucky = any(standing.luck is not None for standing in season.standings)
    decimals = _decimals(currency, money)
    cells = [
        (
            display_name(standing.player),
            f"{standing.money.n:,}",
            signed(float(money.get(standing.player, 0)), decimals),
            _per_hundred(standing.money),
            _NO_LUCK if standing.without is None else _per_hundred(standing.without),
            *_luck_cells(standing),
        )
        for standing in sorted(
            season.standings, key=lambda standing: -float(money.get(standing.player, 0))
        )
    ]
    table = Table(
        (
            "player",
            "hands",
            f"won, {currency}" if currency else "won",
            "won, bb/100",
            "without luck, bb/100",
            "luck, bb",
            "luckier than",
        ),
        cells,
    )
    unseen = ([] if has_luck else [4]) + ([] if lucky else [5, 6])
    note = f"{_STANDINGS} {_OF_ALL if season.all_cards else _OF_OWN}"
    return Section(
        heading="Standings",
        figures=(_course(season, rows),),
        table=table.without(unseen),
        note=note,
    )


def _per_hundred(mean: Estimate) -> str:
    scaled = per_hundred(mean)
    return f"{signed(scaled.value, 1)} ({interval_of(scaled, 1)})"


def _luck_cells(standing: SeasonStanding) -> tuple[str, str]:
    luck = standing.luck
    if luck is None:
        return _NO_LUCK, _NO_LUCK
    if math.isnan(luck.percentile):
        return signed_total(luck.total), "too few"
    return signed_total(luck.total), percent(luck.percentile, 0)


def _course(season: Season, rows: pl.DataFrame) -> Figure:
    """Draw what everybody has won after each hand."""
    names = [standing.player for standing in season.standings][:_MOST_LINES]
    words = f"Lines: what {', '.join(map(display_name, names))} had won after each hand."
    note = "Running sums in big blinds, over all hands of the table."
    return Figure(partial(_chart, rows, names), words, note=note)


def _chart(rows: pl.DataFrame, names: Sequence[str]) -> alt.LayerChart:
    ordered = rows.sort("played_at", maintain_order=True, nulls_last=False)
    place = ordered["hand"].to_numpy()
    _, first, number_of = np.unique(place, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))[number_of]
    last = len(first)
    ends = np.unique(np.linspace(0, last, min(last, _POINTS) + 1).round().astype(np.int64))
    points = []
    for name in names:
        mine = (ordered["player"] == name).to_numpy()
        by_hand = np.bincount(rank[mine], ordered["won"].to_numpy()[mine], minlength=last)
        sums = np.concatenate([[0.0], np.cumsum(by_hand)])[ends]
        points += [
            {"player": display_name(name), "hand": hand, "sum": round(value, 2)}
            for hand, value in zip(ends.tolist(), sums.tolist(), strict=True)
        ]
    colours, dashes = line_scales([display_name(name) for name in names])
    axis = alt.Axis(tickCount=6, tickMinStep=1, grid=False, labelFlush=False)
    lines = (
        alt.Chart(alt.InlineData(values=points))
        .mark_line(strokeWidth=1.75)
        .encode(
            x=alt.X("hand:Q", title="hands", axis=axis),
            y=alt.Y("sum:Q", title="big blinds", axis=alt.Axis(tickCount=5)),
            color=alt.Color(
                "player:N",
                title=None,
                scale=colours,
                legend=alt.Legend(orient="top", columns=4, labelLimit=120),
            ),
            strokeDash=alt.StrokeDash("player:N", title=None, scale=dashes),
        )
    )
    return alt.LayerChart(layer=[lines]).properties(width=_WIDTH, height=_HEIGHT)


def _decision(season: Season, played: int) -> Section:
    """Say who is ahead beyond luck, and when differences will be told."""
    decided = [lead for lead in season.leads if lead.decided]
    words = _verdict(season.leads)
    if decided:
        leads = [
            f"{display_name(lead.ahead)} of {display_name(lead.behind)} "
            f"{signed(_PER * lead.interval.value, 0)} bb/100 "
            f"({interval(_PER * lead.interval.low, _PER * lead.interval.high, 0)})"
            for lead in decided
        ]
        words = f"Ahead by more than luck: {'; '.join(leads)}."
    pace = played / max(1, len(season.nights))
    rows = []
    for difference in DIFFERENCES:
        hands = season.to_decide[difference]
        nights = "–" if hands is None or not season.nights else about(hands / pace)
        cells = (_NO_LUCK if hands is None else about(hands), nights)
        rows.append((f"{difference} bb/100 better", *cells))
    table = Table(("if a player is", "hands together", "nights like these"), rows, is_right=True)
    known = any(hands is not None for hands in season.to_decide.values())
    return Section(
        heading="When it will be decided",
        words=words,
        table=table if known else None,
        note=f"In four of five seasons as long as this, such a player is shown to be better. "
        f"{_DECIDED}"
        if known
        else f"There are too few hands to say when. {_DECIDED}",
    )


def _nights(nights: Sequence[Night], amount: Callable[[float], str]) -> Iterator[Section]:
    """Lay out the nights of a season, the last ones."""
    if len(nights) < 2:
        return
    rows = []
    for night in nights[-_MOST_NIGHTS:]:
        (first, most), (last, least) = (list(night.won.items())[place] for place in (0, -1))
        rows.append(
            (
                f"{night.begun:%Y-%m-%d}",
                f"{night.hands:,}",
                f"{len(night.won)}",
                f"{display_name(first)} {amount(most)}",
                f"{display_name(last)} {amount(least)}",
            )
        )
    more = len(nights) - len(rows)
    yield Section(
        heading="Night by night",
        table=Table(("night", "hands", "players", "won most", "lost most"), rows),
        note=f"The last {len(rows)}; {more:,} came before." if more else "",
    )


def _awards(awards: Sequence[Award]) -> Section:
    """Lay out the awards; of a night without any, say so."""
    rows = [
        (
            award.rule.title,
            display_name(award.player),
            award.rule.deed,
            percent(award.share, 0),
            percent(award.field, 0),
        )
        for award in awards
    ]
    return Section(
        heading="Awards",
        words="" if rows else "Nobody played differently from the others by more than chance.",
        table=Table(("award", "player", "by", "share", "the others"), rows) if rows else None,
        note=_AWARDS,
    )
