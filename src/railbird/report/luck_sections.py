"""The first screen on one person in any hold'em: the result, the luck in it, the graph of both.

`headline` has the words on a match; `play_document` and `statistics_document` begin with these.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from railbird.assessment.player_luck import ALL_INS, BOARDS, HOLDINGS
from railbird.estimates.estimate import Z_95, hands_to_tell
from railbird.report.altair import alt
from railbird.report.charts import variable
from railbird.report.document import Figure, KeyFigure, Section, Table
from railbird.report.number_format import (
    about,
    counted,
    display_name,
    interval_of,
    number,
    percent,
    signed,
    signed_total,
    total,
)

if TYPE_CHECKING:
    from railbird.assessment.integrity import Integrity
    from railbird.assessment.player_luck import LuckSum, PlayerLuck
    from railbird.estimates import Estimate

_PER: Final = 100
_WIDTH, _HEIGHT = 480, 200
_NAMES: Final = {
    HOLDINGS: "your own two cards",
    BOARDS: "boards, while you could still bet",
    ALL_INS: "boards of all-ins",
}
_DIFFERENCES: Final = (1, 3, 5)
"""Win rates per hundred hands that are to be told from none."""
_LINES: Final = {"won": ("money", "money", [4, 2]), "without luck": ("without", "skill", [1, 0])}
"""Title of a line, its column, its colour and its dashes."""
_OUT: Final = {
    "money": "",
    "allin": " with all-ins evened out",
}
"""What is taken out of a result, by the estimator that decides."""
_LUCK_OUT: Final = " with luck taken out"
_OWN: Final = (
    "Your own cards and the boards show this. Other people’s cards are not used, even where the "
    "log has them, and how well they played is not known. It counts slightly too few lucky cards: "
    "up to 6 bb in a thousand hands among our own players, for which the last column has a range."
)
_ALL: Final = "Everybody’s cards show this. How well the others played is no luck and stays in."


def per_hundred(mean: Estimate) -> Estimate:
    """Return a mean per hand as one per hundred hands."""
    return replace(mean, value=_PER * mean.value, stderr=_PER * mean.stderr)


def a_hand(mean: Estimate) -> Estimate:
    """Return a mean per hundred hands as one per hand."""
    return replace(mean, value=mean.value / _PER, stderr=mean.stderr / _PER)


def result_sentence(
    player: str, mean: Estimate, decides: str, *, judged: bool = True, condition: str = ""
) -> str:
    """Say the result per hundred hands, its interval and whether luck explains it.

    Without ``judged`` nothing is said of luck; a verdict holds on a ``condition``
    (`Integrity.condition`).
    """
    name, out = display_name(player), _OUT.get(decides, _LUCK_OUT)
    result = f"{name}: {signed(_PER * mean.value, 1)} {mean.unit}/100{out}"
    if mean.alike:
        return f"{result} over {counted(mean.n)}, all alike."
    if not mean.enough:
        return f"{result}; {counted(mean.n)} {'is' if mean.n == 1 else 'are'} too few to say more."
    meaning = ""
    if judged:
        meaning = f", more than luck explains{condition}"
        if not mean.excludes_zero:
            meaning = ", which luck could explain"
    return f"{result} ({interval_of(per_hundred(mean), 1)}){meaning}."


def luck_sentence(luck: PlayerLuck | None) -> str:
    """Say what luck gave or took, and how often chance gives less; empty where it is unknown."""
    if luck is None or math.isnan(luck.total.percentile):
        return ""
    gave = "gave" if luck.total.total >= 0 else "took"
    return (
        f"Luck {gave} {total(abs(luck.total.total))} {luck.unit}: {_luckier(luck.total)} of such "
        f"{counted(luck.hands)}."
    )


def _luckier(luck: LuckSum) -> str:
    r"""Say how many equal stretches had less luck, or more.

    >>> from railbird.assessment.player_luck import LuckSum
    >>> ascii(_luckier(LuckSum(total=-9.0, deviation=3.0, hands=99, nonzero=99)))
    "'unluckier than over 99\\u202f%'"
    >>> _luckier(LuckSum(total=0.01, deviation=3.0, hands=99, nonzero=99))
    'neither luckier nor unluckier than half'
    >>> ascii(_luckier(LuckSum(total=0.0, deviation=3.0, hands=99, nonzero=99, drift=0.6)))
    "'luckier than 50 to 58\\u202f%'"
    """
    ends = luck.percentile, luck.percentile_high
    kind = "luckier" if ends[1] >= 0.5 else "unluckier"
    low, high = sorted(end if kind == "luckier" else 1 - end for end in ends)
    if max(high, 1 - low) < 0.505:
        return "neither luckier nor unluckier than half"
    if percent(low, 0) != percent(high, 0):
        return f"{kind} than {number(100 * low, 0)} to {percent(high, 0)}"
    return f"{kind} than {f'over {percent(0.99, 0)}' if low > 0.995 else percent(low, 0)}"


def withheld_sentence(integrity: Integrity, player: str) -> str:
    """Say in a few words why there is no verdict; the reason in full stands in a note."""
    return f"No verdict on {display_name(player)}: {integrity.brief(player)}."


def luck_key(luck: PlayerLuck | None, money: Estimate) -> Iterator[KeyFigure]:
    """Yield the winnings, the luck in them, and the rest."""
    yield KeyFigure(
        f"won, {money.unit}/100", signed(_PER * money.value, 1), interval_of(per_hundred(money), 1)
    )
    if luck is None or math.isnan(luck.total.percentile):
        return
    yield KeyFigure(f"luck, {luck.unit}", signed_total(luck.total.total), _luckier(luck.total))
    yield KeyFigure(
        f"without luck, {luck.unit}/100",
        signed(_PER * luck.without.value, 1),
        interval_of(per_hundred(luck.without), 1),
    )


def luck_graph(luck: PlayerLuck, player: str) -> Figure:
    """Draw what was won and the same without luck, with a band around each."""
    last = luck.course.row(-1, named=True)
    words = (
        f"Lines for {display_name(player)} over {counted(luck.hands)}: won "
        f"{signed_total(last['money'])} {luck.unit}, without luck {signed_total(last['without'])}."
    )
    note = (
        f"Running sums, {luck.unit}. Around each line, where it ends in 95 of 100 stretches of "
        "such play."
    )
    return Figure(partial(_chart, luck), words, note=note)


def _chart(luck: PlayerLuck) -> alt.LayerChart:
    deviations = {
        column: estimate.stderr * math.sqrt(estimate.n) if estimate.n > 1 else 0.0
        for column, estimate in (("money", luck.money), ("without", luck.without))
    }
    points = [
        {
            "line": title,
            "hand": hand,
            "sum": round(value, 2),
            "low": round(value - Z_95 * deviations[column] * math.sqrt(hand), 2),
            "high": round(value + Z_95 * deviations[column] * math.sqrt(hand), 2),
        }
        for title, (column, _, _) in _LINES.items()
        for hand, value in luck.course.select("hand", column).iter_rows()
    ]
    titles = list(_LINES)
    colours = [variable(colour) for _, colour, _ in _LINES.values()]
    hands = alt.Axis(tickCount=5, tickMinStep=1, grid=False, labelFlush=False)
    base = alt.Chart(alt.InlineData(values=points)).encode(
        x=alt.X("hand:Q", title="hands", axis=hands)
    )
    scale = alt.Scale(domain=titles, range=colours)
    bands = [
        base.transform_filter(alt.datum.line == title)
        .mark_area(opacity=0.12, color=colour)
        .encode(y=alt.Y("low:Q", title=luck.unit), y2="high:Q")
        for title, colour in zip(titles, colours, strict=True)
    ]
    line = base.mark_line(strokeWidth=1.75).encode(
        color=alt.Color("line:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
        y=alt.Y("sum:Q", title=luck.unit, axis=alt.Axis(tickCount=5)),
        strokeDash=alt.StrokeDash(
            "line:N",
            title=None,
            scale=alt.Scale(domain=titles, range=[dashes for _, _, dashes in _LINES.values()]),
        ),
    )
    return alt.LayerChart(layer=[*bands, line]).properties(width=_WIDTH, height=_HEIGHT)


def luck_table(luck: PlayerLuck, *, note: str = "") -> Section:
    """Show how much each kind of cards brought, next to what chance brings; ``note`` comes last."""
    names = _NAMES | {HOLDINGS: "everybody’s hole cards"} if luck.all_cards else _NAMES
    sums = [
        *((names[name], luck_of_kind) for name, luck_of_kind in luck.parts.items()),
        ("in all", luck.total),
    ]
    rows = [
        (
            name,
            signed_total(luck_of_kind.total),
            signed(_PER * luck_of_kind.total / luck_of_kind.hands, 1),
            f"±{total(luck_of_kind.margin)}",
            "too few" if math.isnan(luck_of_kind.percentile) else _luckier(luck_of_kind),
        )
        for name, luck_of_kind in sums
    ]
    caveat = _ALL if luck.all_cards else _OWN
    return Section(
        heading="How much of it was luck",
        table=Table(
            (
                "what gave it",
                luck.unit,
                f"{luck.unit} / 100",
                "by chance, 19 times in 20",
                f"of such {counted(luck.hands)}",
            ),
            rows,
            strong=(len(rows) - 1,),
        ),
        note=f"{caveat} {note}".strip(),
    )


def hands_table(means: dict[str, Estimate]) -> Section:
    """Say how many hands tell a win rate from none, by each way of counting the result.

    Empty where no result has hands enough to say.
    """
    if not any(mean.enough and not mean.alike for mean in means.values()):
        return Section()
    rows = [
        (
            name,
            *(
                "–" if count is None else about(count)
                for difference in _DIFFERENCES
                for count in [_hands(mean, difference)]
            ),
        )
        for name, mean in means.items()
    ]
    unit = next(iter(means.values())).unit
    heads = (f"{number(difference, 0)} {unit}/100" for difference in _DIFFERENCES)
    return Section(
        heading="Hands that tell a win rate from none",
        table=Table(("counting", *heads), rows, is_right=True),
        note="In four of five logs as long as this, a player who wins so much is shown to win. It "
        "goes by the ups and downs of these hands, not by what was won in them.",
    )


def _hands(mean: Estimate, difference: float) -> int | None:
    if not mean.enough or mean.alike:
        return None
    return hands_to_tell(difference / _PER, mean.stderr * math.sqrt(mean.n))
