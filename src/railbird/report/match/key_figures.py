"""Key figures at the top of a report."""

from __future__ import annotations

from dataclasses import dataclass

from railbird.report.match.match_summary import MatchSummary
from railbird.report.toolkit import number_format


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """One number with its name and a line that qualifies it."""

    name: str
    value: str
    under: str


def key_figures(facts: MatchSummary) -> tuple[KeyFigure, ...]:
    """Choose the numbers to show first."""
    if not facts.hands:
        return (KeyFigure("Hands", "0", "none could be judged"),)
    money, skill, decisive = facts.money, facts.skill, facts.decisive
    always = (
        KeyFigure("Hands", f"{facts.hands:,}", facts.endings),
        KeyFigure(f"Money, {facts.unit} a hand", money.shown, money.shown_interval),
    )
    if facts.hidden:
        share = number_format.percent(facts.hidden / facts.hands)
        return (
            *always,
            KeyFigure("Cards not shown", share, "of the hands; those shown are not representative"),
            KeyFigure("Hands to decide", money.shown_needed, "by money"),
        )
    luck = (money.value - skill.value) * facts.hands + facts.raked[0]
    return (
        *always,
        KeyFigure(
            f"{decisive.label}, {facts.unit} a hand", decisive.shown, decisive.shown_interval
        ),
        KeyFigure(f"DIVAT, {facts.unit} a hand", skill.shown, skill.shown_interval),
        KeyFigure(
            f"Luck and position, {facts.unit}",
            number_format.signed_total(luck),
            "in all, money and rake less DIVAT" if facts.house else "in all, money less DIVAT",
        ),
        KeyFigure(
            "Variance reduction",
            _factor(decisive.reduction),
            f"sd of a {facts.of_one} {number_format.number(money.sd, 2)} by money, "
            f"{number_format.number(decisive.sd, 2)} {facts.decisive_word}",
        ),
        KeyFigure(
            "Hands to decide",
            decisive.shown_needed,
            f"by {facts.decisive_words}; {money.shown_needed} by money",
        ),
    )


def _factor(value: float | None) -> str:
    said = number_format.times(value)
    return f"{said}\N{MULTIPLICATION SIGN}" if said[-1].isdigit() else said
