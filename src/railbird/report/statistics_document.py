"""Statistics of one person or of everybody in any hold'em: style and results, stake by stake.

`play_document` judges one person's decisions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.player_statistics import (
    DEFINITIONS,
    RESULTS,
    WINNINGS,
    By,
    LogCards,
    PlayerStatistics,
    Statistic,
    bankroll_of_player,
    divided,
    hands_of,
    last_parts,
    lucks_of,
)
from railbird.assessment.spot_language import BY_OUTCOME
from railbird.cards import CLASS_NAMES
from railbird.errors import NothingUsable
from railbird.report.altair import alt
from railbird.report.bankroll import bankroll_table
from railbird.report.charts import variable
from railbird.report.document import (
    Document,
    Figure,
    KeyFigure,
    ReplayedHand,
    Section,
    Table,
)
from railbird.report.headline import no_verdict
from railbird.report.luck_sections import (
    a_hand,
    hands_table,
    luck_graph,
    luck_key,
    luck_sentence,
    luck_table,
    result_sentence,
    withheld_sentence,
)
from railbird.report.number_format import (
    TOO_FEW,
    counted,
    display_name,
    interval,
    interval_of,
    money_won,
    number,
    percent,
    signed,
)
from railbird.report.range_chart import range_chart
from railbird.report.tournament_sections import return_words, tournament_sections

if TYPE_CHECKING:
    from railbird.assessment.field_differences import FieldDifference
    from railbird.assessment.integrity import Integrity
    from railbird.assessment.player_luck import PlayerLuck
    from railbird.assessment.player_statistics import HourlyRate, Style
    from railbird.assessment.spot_language import Spots
    from railbird.assessment.tournament_returns import TournamentReturn
    from railbird.estimates import BoundedMean, Estimate


PlaceAt = Callable[[int | None], int | None]
"""Function of a hand's first line in the log that returns the place of the hand."""

_MOST: Final = 12
"""Maximum number of players with their own section."""
_POINTS: Final = 400
_WIDTH, _HEIGHT = 420, 170
_MOST_LISTED: Final = 60
"""Hands of a list; JSON has all."""
_MOST_BEHIND: Final = 12
"""Hands of a list under a statistic of a page."""
_ROWS: Final = 40
"""Rows of a table by session or hand, the last; JSON and CSV have all."""
_PARTS: Final = (By.STAKE, By.SESSION, By.MONTH)
_GROUPS: Final = (
    (
        Statistic.VPIP,
        Statistic.PFR,
        Statistic.THREE_BET,
        Statistic.FOLD_TO_THREE_BET,
        Statistic.FOUR_BET,
        Statistic.SQUEEZE,
        Statistic.STEAL,
        Statistic.FOLD_TO_STEAL,
    ),
    (
        Statistic.CBET,
        Statistic.FOLD_TO_CBET,
        Statistic.CBET_TURN,
        Statistic.CHECK_RAISE,
        Statistic.AGGRESSION_FREQUENCY,
    ),
    (Statistic.WTSD, Statistic.WSD, Statistic.WWSF),
    (Statistic.SHOWN_BY_CHOICE,),
)
"""Statistics that stand beside each other: before the flop, after it, at its end."""
_KEY: Final = (Statistic.VPIP, Statistic.PFR, Statistic.WTSD, Statistic.WSD)
_NOTE: Final = "Shares with their exact 95 % intervals, of how many chances. " + " ".join(
    f"{statistic.key.upper()}: {DEFINITIONS[statistic]}." for statistic in _KEY[:2]
)
ROW_NOTE: Final = (
    "Shares are in per cent ± the larger side of their 95 % intervals. --player NAME shows one "
    "player’s intervals and numbers of chances."
)
_FALSE: Final = "Of such marks at most one in twenty is false on average."
_BANKROLL: Final = (
    "A bankroll, if hands are independent, play goes on like this and the stakes stay the same"
)
_LINES: Final = {
    "all hands": ("won", "money"),
    "at showdown": ("at_showdown", "skill"),
    "without showdown": ("without", "luck"),
}
_WINNINGS: Final = {
    "bb_per_100": "bb / 100",
    "showdown_bb_per_100": "at showdown",
    "non_showdown_bb_per_100": "without showdown",
    "allin_bb_per_100": "all-in adjusted",
}


_OF_ONE: Final = "Result, luck and verdict of one of them: name one by `--player`."


def statistics_document(
    rows: pl.DataFrame,
    styles: Mapping[str, Style],
    rates: Mapping[str, HourlyRate],
    returns: Mapping[str, Mapping[str, TournamentReturn]] = MappingProxyType({}),
    *,
    bankroll: float | None = None,
    field: Sequence[FieldDifference] = (),
    integrity: Integrity,
    cards: LogCards,
    spots: Spots | None = None,
    note: str = "",
    place_at: PlaceAt | None = None,
) -> Document:
    """Say how the players of ``rows``, the result of `statistics.rows_of`, play and win.

    Of several players there is one table with a row for each; a page adds a section for each.

    ``bankroll``, in big blinds, adds what the winnings mean for it, and ``field`` how the one
    player differs from the others. ``integrity`` says whether there is a verdict, and on what
    condition, and ``cards`` what the whole log knows. ``spots`` chose the hands: if what happened
    in them did, there is neither luck nor a verdict.
    """
    by_player = {name: of[""] for name, of in divided(rows, None).items()}
    names = list(by_player)[:_MOST]
    of_all = integrity.withheld(names[0] if len(by_player) == 1 else None, display=display_name)
    selected = spots is not None and not spots.beforehand
    if selected:
        of_all = BY_OUTCOME
    withheld = {name: of_all or integrity.turned(name, display=display_name) for name in names}
    several = len(by_player) > 1
    lucks = {} if selected else lucks_of(rows, cards, names)
    sections: list[Section] = []
    if several:
        sections.append(Section(table=players_table(by_player, styles, rates), note=ROW_NOTE))
    for name in names:
        mine = rows.filter(pl.col("player") == name)
        heading, rate = display_name(name), rates.get(name)
        sentences = [_style_words(by_player[name], styles[name], of_log=spots is not None)]
        sentences += [] if rate is None else [_rate_words(rate)]
        tournaments = [return_words(*of_currency) for of_currency in returns.get(name, {}).items()]
        luck = lucks.get(name)
        sections += [
            replace(
                _first_figures(by_player[name], luck, name),
                heading=heading if several else "",
                page_only=several,
            ),
            *([] if luck is None else [replace(luck_table(luck), page_only=several)]),
            *(
                []
                if selected
                else [replace(_hands_to_tell(by_player[name], luck), page_only=several)]
            ),
            Section(
                heading="" if several else "How it was played",
                words=" ".join(filter(None, sentences + ([] if several else tournaments))),
                table=_table(by_player[name]),
                page_only=several,
            ),
            *(Section(words=f"{heading}: {text}") for text in tournaments if several),
            *(
                replace(section, page_only=several)
                for section in tournament_sections(
                    f"{heading}’s tournaments" if several else "", returns.get(name, {})
                )
            ),
            *_bankroll(
                f"{heading}’s bankroll" if several else "",
                *(by_player[name], bankroll, withheld[name], integrity.condition(name)),
            ),
            *_field(heading, field, withheld[name]),
            _lines(heading, mine),
            *_divided(heading, mine, By.POSITION),
            *_own_hands(heading, mine),
            *(section for by in _PARTS for section in _divided(heading, mine, by)),
            *([] if several else [_hands_behind(mine, place_at)]),
        ]
    sections += [Section(note=_NOTE, page_only=several), *([Section(note=note)] if note else [])]
    title = f"{display_name(names[0])}, session report"
    if several:
        title = counted(len(by_player), "player")
    # Where the luck of one player alone is known, it is that player's log, and the first words are
    # about that player.
    owners = [name for name in names if lucks.get(name) is not None]
    first = owners[0] if len(owners) == 1 else names[0]
    of_one = not several or len(owners) == 1
    words = _first_words(first, by_player[first], lucks.get(first), cards, integrity, rows)
    lead = " ".join(filter(None, words)) if of_one else _OF_ONE
    if spots is not None:
        title = f"{title}: {spots.words}"
    if selected:
        won = a_hand(by_player[first].winnings[WINNINGS[0]])
        lead = result_sentence(first, won, "money", judged=False) if of_one else lead
        sections.insert(1, Section(note=no_verdict(of_all or "")))
    elif why := withheld[first] if of_one else of_all:
        lead = withheld_sentence(integrity, first) if of_one else lead
        sections.insert(1, Section(note=no_verdict(why)))
    elif not several and (unused := integrity.unused(first, display=display_name)):
        sections.insert(1, Section(note=unused))
    return Document(title=title, lead=lead, sections=sections)


def _bankroll(
    heading: str,
    of: PlayerStatistics,
    bankroll: float | None,
    withheld: str | None,
    condition: str,
) -> list[Section]:
    """Say what winnings mean for a bankroll; of selected hands nothing."""
    if bankroll is None:
        return []
    if withheld is not None:
        words = f"Nothing is said of a bankroll: {withheld}."
        return [Section(heading=heading, words=words)]
    bankroll_figures = bankroll_of_player(of, bankroll)
    if bankroll_figures is None:
        why = "all alike" if of.winnings["bb_per_100"].alike else "too few"
        words = f"{counted(of.hands)}: {why}, so nothing is said of a bankroll."
        return [Section(heading=heading, words=words)]
    table = bankroll_table(bankroll_figures, rate="bb / 100", unit="bb", hands="hands", per=100)
    more = f"; and{condition.removeprefix(',')}" if condition else ""
    return [Section(heading=heading, words=f"{_BANKROLL}{more}.", table=table)]


def _field(
    heading: str, differences: Sequence[FieldDifference], withheld: str | None
) -> list[Section]:
    """Say how a player differs from the others, marking what chance does not explain."""
    if not differences:
        return []
    standing = [] if withheld else [difference for difference in differences if difference.stands]
    if withheld:
        verdict = f"Nothing is said of chance: {withheld}."
    elif standing:
        names = ", ".join(_named(difference.statistic) for difference in standing)
        verdict = f"Beyond chance: {names}. {_FALSE}"
    else:
        verdict = "No difference is beyond chance."
    rows = [
        (
            _named(difference.statistic),
            percent(difference.share) if difference.chances else "–",
            f"{difference.chances:,}",
            percent(difference.field) if difference.field_chances else "–",
            f"{difference.field_chances:,}",
            _apart(difference),
            "differs" if difference in standing else "",
        )
        for difference in differences
    ]
    heads = ("statistic", "share", "of", "field", "of the field", "difference, points", "")
    return [
        Section(
            heading=f"{heading} beside the field",
            words=f"The field are all others in these hands, taken as one player. {verdict}",
            table=Table(
                heads,
                rows,
                page_only=("of the field",),
                strong=[
                    place for place, difference in enumerate(differences) if difference in standing
                ],
            ),
        )
    ]


def _named(statistic: Statistic) -> str:
    return statistic.key.replace("_", " ")


def _apart(difference: FieldDifference) -> str:
    if math.isinf(difference.high):
        return TOO_FEW
    low, high = (100 * end for end in (difference.low, difference.high))
    return f"{signed(100 * difference.value, 1)} ({interval(low, high, 1)})"


def hands_document(rows: pl.DataFrame, place_at: PlaceAt | None = None) -> Document:
    """List the hands behind numbers, the first of them (`hands_of`).

    ``place_at`` returns the place of a hand in the one log that there is, by the hand's first line;
    without it hands are told by their own numbers.
    """
    table = _list_of_hands(rows, _MOST_LISTED, place_at)
    more = rows.height - len(table.rows)
    note = f"Those with the largest results; {more:,} more are in --json." if more else ""
    return Document(title="Hands", sections=[Section(table=table, note=note)])


def _list_of_hands(rows: pl.DataFrame, most: int, place_at: PlaceAt | None = None) -> Table:
    """List the hands with the largest results, up to so many."""
    listed = hands_of(rows).head(most)
    if place_at is not None:
        listed = listed.with_columns(
            number=pl.Series(map(place_at, listed["line"]), dtype=pl.Int64)
        )
    cells = [
        (*("" if cell is None else str(cell).replace("_", " ") for cell in row), signed(won, 1))
        for *row, won in listed.iter_rows()
    ]
    hand = "number" if place_at is None else "hand"
    heads = ("player", hand, "line", "time", "position", "cards", "won, bb")
    return Table(heads, cells, names=2)


def _hands_behind(rows: pl.DataFrame, place_at: PlaceAt | None) -> Section:
    """List under each statistic of one player the hands that it counts."""
    lists = []
    for statistic in Statistic:
        taken = rows.filter(pl.col(statistic.key).cast(pl.UInt8) > 0)
        if taken.height:
            of_one = _list_of_hands(taken, _MOST_BEHIND, place_at)
            table = replace(
                of_one, columns=of_one.columns[1:], rows=[row[1:] for row in of_one.rows]
            )
            note = (
                f'Of all: --where "did {_named(statistic)}" --hands'
                if (taken.height > _MOST_BEHIND)
                else ""
            )
            lists.append(
                ReplayedHand(
                    name=_named(statistic),
                    amount=counted(taken.height),
                    sections=(Section(table=replace(table, names=1), note=note),),
                )
            )
    return Section(
        heading="Hands behind the statistics",
        words="Each opens the hands that it counts, those with the largest results first.",
        hands=lists,
        page_only=True,
    )


def divided_document(by_player: Mapping[str, Mapping[str, PlayerStatistics]], by: By) -> Document:
    """Return statistics by position, stake, session, month or hand, a table for each player."""
    listed_players = list(by_player.items())[:_MOST]
    more = (
        f", {len(listed_players)} of {len(by_player):,}"
        if len(by_player) > len(listed_players)
        else ""
    )
    return Document(
        title=f"Players by {by.value}{more}",
        sections=[_part(display_name(name), of, by, len(of)) for name, of in listed_players],
    )


def players_table(
    by_player: Mapping[str, PlayerStatistics],
    styles: Mapping[str, Style] = MappingProxyType({}),
    rates: Mapping[str, HourlyRate] = MappingProxyType({}),
) -> Table:
    """Lay out a row for each player, and all that is known of none of them left out."""
    adjusted = any(of.adjusted_all_ins for of in by_player.values())
    rows = []
    for name, of in by_player.items():
        style, rate = styles.get(name), rates.get(name)
        cells = {
            "player": display_name(name),
            "hands": f"{of.hands:,}",
            "won": money_won(of.money),
            "bb / 100": _per_hundred(of.winnings["bb_per_100"]),
            "all-in adjusted": _per_hundred(of.winnings["allin_bb_per_100"]) if adjusted else "",
            "bb / hour": "" if rate is None else f"{signed(rate.bb.value, 1)}",
            "style": "" if style is None else style.words,
        }
        for group in _GROUPS:
            cells |= {_named(statistic): _share(of.shares[statistic]) for statistic in group}
            if Statistic.AGGRESSION_FREQUENCY in group:
                cells["aggression factor"] = number(of.aggression, 2)
        rows.append(cells)
    columns = [name for name in rows[0] if any(row[name] for row in rows)]
    return Table(
        tuple(columns),
        [[row[name] for name in columns] for row in rows],
        short=tuple(map(_two_lines, columns)),
        groups=[_named(group[0]) for group in _GROUPS],
    )


def _share(share: BoundedMean) -> str:
    if not share.n:
        return "–"
    low, high = share.interval()
    # The interval of a share is not symmetrical; a single number after ± must cover its longer
    # side.
    margin = max(share.value - low, high - share.value)
    return f"{number(100 * share.value, 0)} ±{number(100 * margin, 0)}"


def _two_lines(heading: str) -> str:
    """Break a heading at its most central blank."""
    blanks = [place for place, letter in enumerate(heading) if letter == " "]
    if not blanks or "/" in heading:
        return heading
    middle = min(blanks, key=lambda place: abs(2 * place - len(heading)))
    return f"{heading[:middle]}\n{heading[middle + 1 :]}"


def _first_words(
    name: str,
    of: PlayerStatistics,
    luck: PlayerLuck | None,
    cards: LogCards,
    integrity: Integrity,
    rows: pl.DataFrame,
) -> Iterator[str]:
    """Yield the result, the luck in it, and where more can be told: a short sentence each."""
    decides = cards.decides(rows.filter(pl.col("player") == name))
    mean = a_hand(of.winnings[RESULTS[decides]])
    yield result_sentence(
        name,
        mean,
        decides or "money",
        judged=bool(decides),
        condition=integrity.condition(name) if mean.excludes_zero else "",
    )
    yield luck_sentence(luck)
    if not decides:
        yield "All cards are known: `railbird assess` tells luck from skill by them."


def _first_figures(of: PlayerStatistics, luck: PlayerLuck | None, name: str) -> Section:
    """Return what was won with and without luck, and the graph of both."""
    money = KeyFigure("hands", f"{of.hands:,}", money_won(of.money) if of.money else "")
    won = a_hand(of.winnings["bb_per_100"])
    figures = () if luck is None else (luck_graph(luck, name),)
    return Section(key=(*luck_key(luck, won), money), figures=figures)


def _hands_to_tell(of: PlayerStatistics, luck: PlayerLuck | None) -> Section:
    """Say how many hands tell win rates apart by money, all-in adjusted and without luck."""
    means = {"money": a_hand(of.winnings["bb_per_100"])}
    if of.adjusted_all_ins:
        means["all-in adjusted"] = a_hand(of.winnings["allin_bb_per_100"])
    if luck is not None:
        means["without luck"] = luck.without
    return hands_table(means)


def _per_hundred(won: Estimate) -> str:
    return f"{signed(won.value, 1)} ({interval_of(won, 1)})"


def _style_words(of: PlayerStatistics, style: Style, *, of_log: bool) -> str:
    """Say the style, which is always that of all hands ``of_log``, and what a sample may lack."""
    name = "Style in the whole log" if of_log else "Style"
    style_text = f"{name}: {style.words}, beside the others at the table." if style.words else ""
    if of.unknown_all_ins:
        style_text += (
            f" In {counted(of.unknown_all_ins, 'all-in')} the cards of a live hand are not known, "
            "so all-ins count as they ended: those whose cards are known may be a selection."
        )
    return style_text.strip()


def _rate_words(rate: HourlyRate) -> str:
    hours = f"{rate.hours:,.1f} hours in {counted(rate.sessions, 'session')}"
    low, high = rate.bb.interval()
    text = f"{hours}: {signed(rate.bb.value, 1)} bb an hour ({interval(low, high, 1)})"
    for stake, mean in rate.money.items():
        low, high = mean.interval()
        amount = money_won({mean.unit: mean.value})
        text += f"; {stake}: {amount} an hour ({interval(low, high, 2)})"
    return f"{text}."


def _lines(heading: str, rows: pl.DataFrame) -> Section:
    ordered = rows.sort("played_at", maintain_order=True, nulls_last=False)
    sums = ordered.select(
        won=pl.col("won").cum_sum(),
        at_showdown=pl.when("showdown").then("won").otherwise(0.0).cum_sum(),
        without=pl.when("showdown").then(0.0).otherwise("won").cum_sum(),
    )
    stride = max(1, -(-sums.height // _POINTS))
    row_indices = sorted({*range(stride - 1, sums.height, stride), sums.height - 1})
    values = [
        {"line": label, "hand": hand, "sum": round(value, 3)}
        for label, (column, _) in _LINES.items()
        for hand, value in [
            (0, 0.0),
            *zip(
                [row + 1 for row in row_indices],
                sums[column].gather(row_indices).to_list(),
                strict=True,
            ),
        ]
    ]
    return Section(
        page_only=True,
        words="Running sums, each hand in its own big blinds.",
        figures=(
            Figure(
                partial(_lines_chart, values),
                f"Lines: {heading}’s winnings, with and without showdowns.",
            ),
        ),
    )


def _lines_chart(values: list[dict[str, object]]) -> alt.LayerChart:
    colours = [variable(colour) for _, colour in _LINES.values()]
    lines = (
        alt.Chart(alt.InlineData(values=values))
        .mark_line(strokeWidth=1.75)
        .encode(
            x=alt.X("hand:Q", title="hands", axis=alt.Axis(tickCount=5, grid=False)),
            y=alt.Y("sum:Q", title="big blinds", axis=alt.Axis(tickCount=4)),
            color=alt.Color(
                "line:N",
                title=None,
                scale=alt.Scale(domain=list(_LINES), range=colours),
                legend=alt.Legend(orient="top"),
            ),
            strokeDash=alt.StrokeDash(
                "line:N",
                title=None,
                scale=alt.Scale(domain=list(_LINES), range=[[1, 0], [4, 2], [1, 2]]),
            ),
        )
    )
    return alt.LayerChart(layer=[lines]).properties(width=_WIDTH, height=_HEIGHT)


def _table(of: PlayerStatistics) -> Table:
    """Lay out winnings and shares with their intervals, and of how many hands or chances."""
    rows = [
        (label, _per_hundred(won), f"{won.n:,}")
        for key, label in _WINNINGS.items()
        for won in [of.winnings[key]]
        # With no all-in adjusted it would say the first line again, as if luck were out of it.
        if key != "allin_bb_per_100" or of.adjusted_all_ins
    ]
    for statistic, share in of.shares.items():
        cell = "–"
        if share.n:
            low, high = share.interval()
            cell = f"{percent(share.value)} ({number(100 * low, 1)} to {number(100 * high, 1)})"
        rows.append((statistic.key.replace("_", " "), cell, f"{share.n:,}"))
    played = f"{of.bets_and_raises + of.calls:,}"
    rows.append(("aggression factor", number(of.aggression, 2), played))
    for label, count, among in (
        ("all-ins adjusted", of.adjusted_all_ins, of.all_ins),
        ("all-ins with cards unknown", of.unknown_all_ins, 0),
        ("hands with a straddle", of.straddled, 0),
    ):
        if count or among:
            rows.append((label, f"{count:,}", f"{among:,}" if among else ""))
    return Table(("statistic", "95 % interval", "of"), rows)


def _divided(heading: str, rows: pl.DataFrame, by: By) -> list[Section]:
    """Return a table by position, stake, session or month, if known and there are several."""
    try:
        parts, total = last_parts(rows, by, _ROWS)
    except NothingUsable:
        return []
    return [replace(_part(heading, parts, by, total), page_only=True)] if total > 1 else []


def _part(heading: str, parts: Mapping[str, PlayerStatistics], by: By, total: int) -> Section:
    every = list(parts.items())
    visible_parts = every[:_ROWS] if by is By.HAND else every[-_ROWS:]
    left = f" {len(visible_parts)} of {total:,} rows." if total > len(visible_parts) else ""
    rows = [
        (
            key.replace("_", " "),
            f"{of.hands:,}",
            _per_hundred(of.winnings["bb_per_100"]),
            money_won(of.money),
            *(
                percent(of.shares[statistic].value) if of.shares[statistic].n else "–"
                for statistic in _KEY
            ),
        )
        for key, of in visible_parts
    ]
    heads = (by.value, "hands", "bb / 100 (95 % interval)", "money")
    names = tuple(statistic.key.replace("_", " ") for statistic in _KEY)
    return Section(
        heading=f"{heading} by {by.value}",
        words=f"Money is summed up within one stake alone.{left}",
        table=Table((*heads, *names), rows),
    )


def _own_hands(heading: str, rows: pl.DataFrame) -> list[Section]:
    """Return a chart of the player's play by the 169 classes of starting hands."""
    try:
        parts = next(iter(divided(rows, By.HAND).values()))
    except NothingUsable:
        return []
    figures = []
    for statistic, title in ((Statistic.VPIP, "played"), (Statistic.PFR, "raised before the flop")):
        values: npt.NDArray[np.float64] = np.full(len(CLASS_NAMES), np.nan)
        notes = [""] * len(CLASS_NAMES)
        for place, name in enumerate(CLASS_NAMES):
            share = None if name not in parts else parts[name].shares[statistic]
            if share is not None and share.n:
                values[place], notes[place] = share.value, f"{share.n:,}"
        figures.append(
            Figure(
                partial(range_chart, values, title=title, notes=notes),
                f"Shares of the 169 kinds of hands that {heading} {title}.",
            )
        )
    return [
        Section(
            heading=f"{heading}’s own hands",
            words="How often each kind of hand was played, of how many; hands whose cards the log "
            "does not show are left out, so of other people’s hands these are selected ones.",
            figures=figures,
            page_only=True,
        )
    ]
