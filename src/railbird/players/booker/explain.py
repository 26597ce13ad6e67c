"""Explanation of a Booker player's decision: its list of rules with what each asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from railbird.game import Street
from railbird.players.booker.judgement import Judgement, highest, lowest
from railbird.players.booker.rules import (
    AGGRESSIVE,
    CALL_AGGRESSIVE,
    RAISE_RATING,
    Decision,
    Rule,
)
from railbird.players.booker.settings import Charts, Generation, Ties
from railbird.players.explanation import (
    Explanation,
    OpponentEstimates,
    Reading,
    Requirement,
)

if TYPE_CHECKING:
    from railbird.modelling.opponent_statistics.opponent import Mean
    from railbird.units import Seat


def explained(mind: Judgement, decision: Decision) -> Explanation:
    """Put a decision into words and numbers."""
    rule = decision.rule
    words = rule.value
    return Explanation(
        rule=f"{words[0].upper()}{words[1:]}.",
        readings=tuple(_readings(mind)),
        requirements=tuple(
            [
                Requirement(action=action, needed=needed, actual=actual, decided=rule in rules)
                for rules, action, needed, actual in _requirements(mind, rule)
            ]
        ),
        estimates=tuple(_opponent(mind, seat) for seat in mind.situation.opponents)
        if mind.learns
        else (),
    )


_Row = tuple[tuple[Rule, ...], str, str, str]
"""Rules that say the same, an action, what it asks for, and what there is."""


def _readings(mind: Judgement) -> Iterator[Reading]:
    now, found = mind.situation, mind.probability
    yield Reading(name="probability that nobody is ahead", value=found.unbeaten)
    if found.deals:
        yield Reading(name="its standard error", value=found.stderr)
        yield Reading(name="deals behind it", value=found.deals)
    yield Reading(name="share of the pot", value=found.share)
    yield Reading(name="average of the players", value=now.average)
    yield Reading(name="pot odds", value=now.pot_odds if now.to_call else None)
    if now.bankroll is not None:
        yield Reading(name="chips left", value=now.bankroll)
    if not mind.learns:
        return
    generation, preflop = mind.settings.generation, now.street is Street.PREFLOP
    if preflop and generation in (Generation.SECOND, Generation.THIRD):
        yield Reading(name="group of the hand", value=mind.group)
    elif generation is Generation.SECOND:
        yield Reading(name="strength now", value=mind.strength)
    elif generation is Generation.THIRD:
        yield Reading(name="rating", value=mind.rating, decimals=2)


def _requirements(mind: Judgement, decided: Rule) -> Iterator[_Row]:
    """List the rules in their order."""
    settings = mind.settings
    if settings.noise:
        yield _chosen(Rule.NOISE, "raise", "a hand chosen to be raised throughout", decided)
    if settings.pay:
        needed = "a hand chosen to be called down, but never for all the chips"
        yield _chosen(Rule.PAY, _passive(mind), needed, decided)
    preflop = mind.situation.street is Street.PREFLOP
    match settings.generation:
        case Generation.FIRST:
            yield _value(mind)
        case Generation.SECOND | Generation.THIRD if preflop:
            yield from _groups(mind)
        case Generation.SECOND:
            yield from _second(mind)
        case Generation.THIRD:
            yield from _third(mind)
        case Generation.FOURTH:
            yield from _fourth(mind)
    yield from _pot_odds(mind)


def _chosen(rule: Rule, action: str, needed: str, decided: Rule) -> _Row:
    return (rule,), action, needed, "yes" if decided is rule else "no"


def _second(mind: Judgement) -> Iterator[_Row]:
    yield _value(mind)
    if mind.situation.to_call:
        theirs, mine = highest(mind.strengths), mind.strength
        yield _compared(Rule.STRENGTH, "call", "strength", theirs, mine, decimals=0)


def _third(mind: Judgement) -> Iterator[_Row]:
    if not mind.situation.to_call:
        yield _value(mind)
    theirs, mine = highest(mind.ratings), mind.rating
    higher = None if theirs is None else theirs + RAISE_RATING
    yield _compared(Rule.RATING_RAISE, "raise", "rating", higher, mine)
    yield _compared(Rule.RATING_CALL, _passive(mind), "rating", theirs, mine)


def _value(mind: Judgement) -> _Row:
    needed = f"{_worth(mind)} of {_percent(mind.raise_from)}"
    if mind.situation.low is None:
        needed += ", and that a raise is allowed"
    return (Rule.VALUE,), "raise", needed, _percent(mind.worth)


def _groups(mind: Judgement) -> Iterator[_Row]:
    group = f"group {mind.group}"
    yield (Rule.GROUP_1,), "all-in", "group 1", group
    yield (Rule.GROUP_2,), "raise to half", "group 2", group
    if mind.settings.charts is Charts.LOOSEN or not mind.situation.to_call:
        theirs = lowest(mind.groups)
        needed = "a group below the opponents' mean"
        if theirs is not None:
            needed += f", {theirs:.1f}"
        yield (Rule.BETTER_GROUP,), _passive(mind), needed, group if theirs else "none was shown"


def _fourth(mind: Judgement) -> Iterator[_Row]:
    now, settings = mind.situation, mind.settings
    if settings.short and now.street is Street.PREFLOP:
        yield _short(mind)
    if not now.to_call:
        yield _value(mind)
        return
    theirs, mine = highest(mind.estimates), mind.probability.unbeaten
    needed = "a probability above the best opponent's"
    if theirs is None:
        yield (Rule.ESTIMATE,), "raise", needed, "none can be estimated"
    else:
        yield (Rule.ESTIMATE,), "raise", f"{needed}, {_percent(theirs)}", _percent(mine)
    aggression = mind.lone_aggression
    if now.street is Street.PREFLOP and aggression is not None:
        needed = f"aggression over {_percent(AGGRESSIVE)}, {_worth(mind)} over"
        actual = f"{_percent(aggression.value)}, {_percent(mind.worth)}"
        yield (Rule.AGGRESSIVE,), "call", f"{needed} {_percent(CALL_AGGRESSIVE)}", actual


def _short(mind: Judgement) -> _Row:
    now, settings = mind.situation, mind.settings
    blinds = max(now.state.rules.blinds)
    needed = (
        f"at most {settings.short:g} big blinds left, {_worth(mind)} of"
        f" {_percent(settings.push * now.average)}"
    )
    left = "" if now.bankroll is None else f"{now.bankroll / blinds:.1f}, "
    return (Rule.PUSH, Rule.SHORT_FOLD), "all-in", needed, f"{left}{_percent(mind.worth)}"


def _pot_odds(mind: Judgement) -> Iterator[_Row]:
    now = mind.situation
    if not now.to_call:
        yield (Rule.FREE,), "check", "nothing", "free"
        return
    needed = f"{_worth(mind)} of {_percent(now.pot_odds)}, the pot odds"
    yield (Rule.POT_ODDS,), f"call {now.to_call}", needed, _percent(mind.worth)
    yield (Rule.TOO_DEAR,), "fold", "nothing", "the rest"


def _compared(
    rule: Rule, action: str, what: str, theirs: float | None, mine: float, *, decimals: int = 2
) -> _Row:
    if theirs is None:
        return (rule,), action, f"a {what} above the opponents'", "none was shown"
    needed = f"a {what} above {_number(theirs, decimals)}"
    return (rule,), action, needed, _number(mine, decimals)


def _passive(mind: Judgement) -> str:
    return "call" if mind.situation.to_call else "check"


def _worth(mind: Judgement) -> str:
    return "a probability" if mind.settings.ties is Ties.WIN else "a share"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _number(value: float, decimals: int) -> str:
    return f"{value:,.{decimals}f}".replace("-", "\N{MINUS SIGN}")


_PLURAL = {"action": "actions", "entry": "entries", "shown hand": "shown hands"}


def _opponent(mind: Judgement, seat: Seat) -> OpponentEstimates:
    """Return what was known of an opponent, with the number of shown hands or actions behind it."""
    known, seen = mind.known(seat), mind.last_action(seat)
    blind = mind.situation.state.rules.blinds[seat] > 0
    did = "nothing in this hand"
    if seen is not None:
        paid = f" {seen.paid}" if seen.paid else ""
        did = f"{seen.action.name.lower()}{paid}, {seen.street.name.lower()}"
    generation, preflop = mind.settings.generation, mind.situation.street is Street.PREFLOP
    readings = [
        Reading(name="last action", value=did),
        Reading(name="hands seen", value=known.hands),
        _mean("aggression", known.aggression, "action", percent=True),
    ]
    if preflop and generation in (Generation.SECOND, Generation.THIRD):
        where = "on the blind" if blind else "off the blind"
        readings.append(_mean(f"mean group {where}", dict(mind.groups)[seat], "shown hand"))
    elif generation is Generation.SECOND:
        readings.append(
            _mean("mean showdown strength", dict(mind.strengths)[seat], "shown hand", decimals=0)
        )
    elif generation is Generation.THIRD:
        readings.append(_mean("rating after it", dict(mind.ratings)[seat], "entry"))
    elif generation is Generation.FOURTH:
        readings.append(
            _mean("probability after it", dict(mind.estimates)[seat], "entry", percent=True)
        )
    return OpponentEstimates(seat=seat, readings=tuple(readings))


def _mean(
    name: str, mean: Mean | None, of: str, *, percent: bool = False, decimals: int = 2
) -> Reading:
    if mean is None:
        return Reading(name=name, value=None)
    value = _percent(mean.value) if percent else _number(mean.value, decimals)
    words = f"{mean.n:,} {of if mean.n == 1 else _PLURAL[of]}"
    return Reading(name=name, value=f"{value} from {words}")
