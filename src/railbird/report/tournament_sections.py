"""Results of tournaments: what entries cost and brought, in words and by kind of tournament."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from railbird.report.document import Document, Section, Table
from railbird.report.number_format import TOO_FEW, counted, display_name, interval, percent, signed

if TYPE_CHECKING:
    from railbird.assessment.tournament_returns import TournamentReturn

_NAMED: Final = 3
"""Summaries left out that are named."""
_NOTE: Final = (
    "Return: prizes less buy-ins, in per cent of the buy-ins, with re-entries, re-buys, add-ons "
    "and bounties. Its interval is of entries drawn again at random."
)
_COLUMNS: Final = ("", "finished", "buy-ins", "prizes", "return", "95 %", "in the money")


def tournaments_document(
    returns: Mapping[str, Mapping[str, TournamentReturn]], refused: Sequence[tuple[str, str]] = ()
) -> Document:
    """Show the results of tournaments by player, where there are no hands."""
    sections = [
        part
        for name, by_currency in returns.items()
        for part in (
            Section(
                heading=display_name(name) if len(returns) > 1 else "",
                words=" ".join(return_words(*of) for of in by_currency.items()),
            ),
            *tournament_sections("", by_currency),
        )
    ]
    if refused:
        sections.append(Section(note=refused_summaries_words(refused)))
    names = [display_name(name) for name in returns]
    title = f"{names[0]}, tournaments" if len(names) == 1 else "Tournaments"
    return Document(title=title, sections=sections)


def refused_summaries_words(refused: Sequence[tuple[str, str]]) -> str:
    """Say which summaries count for nothing."""
    named = "; ".join(f"{file}: {reason}" for file, reason in refused[:_NAMED])
    more = f"; and {len(refused) - _NAMED:,} more" if len(refused) > _NAMED else ""
    verb = "counts" if len(refused) == 1 else "count"
    plural = "summary" if len(refused) == 1 else "summaries"
    return f"{len(refused):,} {plural} of tournaments {verb} for nothing: {named}{more}."


def return_words(currency: str, tournament_return: TournamentReturn) -> str:
    """Describe the results of tournaments, from those whose end is known."""
    entered = f"{counted(tournament_return.entered, 'tournament')} entered"
    if not tournament_return.finished:
        return f"{entered}; no text tells a finish, so there is no return on investment."
    words = (
        f"{entered}, {tournament_return.finished:,} with a known finish: buy-ins "
        f"{currency}{tournament_return.buy_ins:,.2f}, prizes "
        f"{currency}{tournament_return.prizes:,.2f}"
    )
    if tournament_return.roi is None:
        return f"{words}; none cost money, so there is no return on investment."
    words += (
        f", return on investment {signed(100 * tournament_return.roi.value, 1)} % "
        f"({_interval(tournament_return)}), in the money "
        f"{percent(tournament_return.in_money.value)}."
    )
    if tournament_return.bound is not None:
        low, high = tournament_return.bound
        words += (
            " A large prize that has not come yet can hide in that: whatever prizes are, up to all "
            f"that a tournament pays, it is {interval(100 * low, 100 * high, 0)} %."
        )
    return words


def _interval(of: TournamentReturn) -> str:
    if of.resampled is not None:
        low, high = of.resampled
    elif of.roi is not None and of.roi.enough:
        low, high = of.roi.interval()
    else:
        return TOO_FEW
    return interval(100 * low, 100 * high, 1)


def tournament_sections(
    heading: str, by_currency: Mapping[str, TournamentReturn]
) -> Iterator[Section]:
    """Yield a table by buy-in, size, speed and format for each currency that has several."""
    for currency, tournament_return in by_currency.items():
        rows = [
            _row(label, currency, part)
            for parts in tournament_return.parts.values()
            for label, part in parts.items()
            if len(parts) > 1 and part.finished
        ]
        if rows:
            yield Section(
                heading=heading or "Kinds of tournaments", table=Table(_COLUMNS, rows), note=_NOTE
            )


def _row(label: str, currency: str, of: TournamentReturn) -> list[str]:
    return [
        label,
        f"{of.finished:,}",
        f"{currency}{of.buy_ins:,.2f}",
        f"{currency}{of.prizes:,.2f}",
        "" if of.roi is None else f"{signed(100 * of.roi.value, 1)} %",
        "" if of.roi is None else _interval(of),
        percent(of.in_money.value),
    ]
