"""One person's result against an opponent whose strategy is known, with the luck taken out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from railbird.assessment import assess
from railbird.assessment.aivat.estimator import Aivat
from railbird.errors import RailbirdError
from railbird.report.one_player.summary import PlaySection
from railbird.report.several_players.headline import result_of
from railbird.report.toolkit.number_format import (
    counted,
    display_name,
    signed,
    times,
    with_interval,
)
from railbird.report.toolkit.rake_text import rake_of_table

if TYPE_CHECKING:
    from railbird.assessment import Assessment
    from railbird.assessment.own_play.own_play import OwnPlay
    from railbird.estimates import Estimate
    from railbird.progress import Progress

_HEADING: Final = "Luck taken out"
_MOST_HANDS: Final = 1_000_000


class WithoutLuck(NamedTuple):
    """A result less luck."""

    section: PlaySection
    figures: tuple[tuple[str, str], ...]
    """Figures set large: name and value; none where there is no result."""
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
        found = assess(play.hands, player=play.player, more=[aivat], threads=1, progress=progress)
        mean = found.estimates[play.player][aivat.name]
    except RailbirdError as problem:
        words = f"There is no such result: {problem}."
        return WithoutLuck(PlaySection(heading=_HEADING, words=words), ())
    of_money = found.variance_reduction[play.player].get(aivat.name)
    hands = found.hands
    worth = ""
    if of_money is not None and of_money > 1:
        worth = f" These {counted(hands)} say as much as {_hands(hands * of_money)} do in money."
    rows = (
        ("money", with_interval(found.estimates[play.player]["money"]), ""),
        (aivat.title, with_interval(mean), times(of_money)),
    )
    others = " and ".join(display_name(name) for name in known if name != play.player)
    whose = f"The strategy of {others or 'the player'} is known"
    figure = (f"{play.unit} a hand, luck taken out", signed(mean.value, 2))
    section = PlaySection(
        heading=f"{_HEADING}, {play.unit} a hand (95 % interval)",
        words=f"{whose}, so that most of the luck of the cards, and of what it drew, can be taken "
        f"out without a bias (AIVAT).{worth}",
        columns=("estimator", "mean", "variance ÷"),
        rows=rows,
    )
    return WithoutLuck(section, (figure,), _lead(play, found, mean))


def _lead(play: OwnPlay, found: Assessment, mean: Estimate) -> str:
    if not isinstance(found.decides, Aivat):
        return ""
    result = result_of(play.player, mean, play.unit)
    said = f"{found.decides.title} decides for {display_name(play.player)}"
    rake = rake_of_table(play.assessment)
    return f"{result} {said}: {found.evidence['reason']}. {rake}".rstrip()


def _hands(count: float) -> str:
    return f"{count:,.0f}" if count < _MOST_HANDS else f"over {_MOST_HANDS:,}"
