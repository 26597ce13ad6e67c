"""What pages show of a solution: the grid, classes of hands, the way there, and comparisons."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from railbird import odds
from railbird.cards import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    TEXT_OF_CARD,
    Range,
    Suits,
    class_name,
    class_of,
    format_card,
    format_cards,
    format_holding,
    parse_cards,
    parse_holding,
)
from railbird.errors import BadInput
from railbird.report.number_format import blinds_words, counted, percent
from railbird.serve.pages import deck_by_suit
from railbird.solve.spot.notations import NOTATIONS, house_notation, in_notation
from railbird.solve.spot.presets import PRESETS, USUAL_SIZES
from railbird.solve.spot.spot import (
    PLAYERS,
    STREETS,
    Lock,
    Spot,
    betting_from,
    is_size_key,
    read_fields,
    rules_of,
)
from railbird.solve.spot.tree import read_line

NAMES: Final = ("First to act", "In position")
SHOWN: Final = {
    "mix": "Actions",
    "ev": "EV",
    "equity": "Equity",
    "realisation": "Realised",
    "regret": "Regret",
    "reach": "Reach",
}
CELL: Final = 26

_STEPS: Final = 10
_SEEN: Final = 0.005
"""Least share of an action that a mix in words mentions."""

_MOST_SHADES: Final = 5


def action_styles(actions: Sequence[str]) -> list[str]:
    """Return the style of each action: fold, call, and bets by their size.

    >>> action_styles(["fold", "call", "raise 300", "all-in 900"])
    ['fold', 'call', 'bet-1', 'all-in']
    """
    styles = []
    shade = 0
    for action in actions:
        word = action.split()[0]
        if word in ("bet", "raise"):
            shade += 1
            styles.append(f"bet-{min(shade, _MOST_SHADES)}")
        else:
            styles.append({"check": "call", "allin": "all-in"}.get(word, word))
    return styles


def sized_action_words(action: str, pot: int) -> str:
    """Return an action with what part of the pot a bet is.

    >>> sized_action_words("bet 120", 200), sized_action_words("raise 300", 440)
    ('bet 120 (60\u202f%)', 'raise to 300')
    >>> sized_action_words("all-in 900", 200)
    'all-in 900'
    """
    word, _, amount = action.partition(" ")
    if word == "bet" and pot:
        return f"{action} ({percent(int(amount) / pot, 0)})"
    return f"raise to {amount}" if word == "raise" else action


def mix_words(actions: Iterable[str], chances: Iterable[float]) -> str:
    """Return a mix in words, without actions that are never taken."""
    both = zip(actions, chances, strict=True)
    return ", ".join(f"{name} {percent(chance, 0)}" for name, chance in both if chance > _SEEN)


def chips_words(value: float | None) -> str:
    """Return chips with a true minus sign, and no sign at zero.

    >>> chips_words(-0.04), chips_words(-1234.56), chips_words(None)
    ('0.0', '−1,234.6', '–')
    """
    if value is None:
        return "–"
    text = f"{abs(value):,.1f}"
    return f"−{text}" if value < 0 and text.strip("0.,") else text


def evs_in_percent(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return a point, or the facts of a solution, with EVs in per cent of the prizes."""

    def times(ev: float | None) -> float | None:
        return None if ev is None else 100 * ev

    def is_worth(key: str) -> bool:
        return key in ("ev", "regret") or key.startswith("ev ")

    rows = [
        {key: times(value) if is_worth(key) else value for key, value in row.items()}
        for row in point.get("rows", ())
    ]
    in_percent = {**point, "ev": [times(ev) for ev in point["ev"]], "rows": rows}
    if "curves" in point:
        curves = [[times(ev) for ev in curve] for curve in point["curves"]["ev"]]
        in_percent["curves"] = point["curves"] | {"ev": curves}
    return in_percent


_LEAST_EQUITY: Final = 0.005
"""What a smaller equity realises is a ratio of two numbers that are both nothing."""


class Group:
    """Holdings of one player with their weights, and what they do and get on average."""

    def __init__(self, actions: Sequence[str]) -> None:
        self.actions = actions
        self.rows: list[Mapping[str, Any]] = []

    @property
    def reach(self) -> float:
        """Sum of the weights."""
        return float(sum(row["reach"] for row in self.rows))

    def mean(self, key: str) -> float | None:
        """Return the mean of a number over the pairs that the holdings meet; None if no row has it.

        Weights are rounded: where nothing is left of any, on a line that is hardly ever played,
        all count the same.
        """
        known = [(row["pairs"], row[key]) for row in self.rows if row.get(key) is not None]
        if not any(weight for weight, _ in known):
            known = [(1.0, value) for _, value in known]
        total = sum(weight for weight, _ in known)
        return sum(weight * value for weight, value in known) / total if total else None

    @property
    def mix(self) -> list[float]:
        """How often each action is taken; empty for one who does not act."""
        means = [self.mean(action) for action in self.actions]
        return [] if None in means else [mean for mean in means if mean is not None]

    @property
    def action_values(self) -> list[float | None]:
        """What each action is worth on average; empty for one who does not act."""
        return [self.mean(f"ev {action}") for action in self.actions]

    def realisation(self, pot: int) -> float | None:
        """Return EV over pot times equity, of all holdings together; None of hardly any equity."""
        ev, equity = self.mean("ev"), self.mean("equity")
        if ev is None or equity is None or equity < _LEAST_EQUITY:
            return None
        return ev / (pot * equity)

    def numbers(self, pot: int) -> dict[str, str]:
        """Return weight, EV, equity and what part of it is realised in words."""
        ev, equity, part = self.mean("ev"), self.mean("equity"), self.realisation(pot)
        return {
            "reach": f"{self.reach:.1f}",
            "ev": chips_words(ev),
            "equity": "–" if equity is None else percent(equity, 0),
            "realisation": "–" if part is None else percent(part, 0),
        }

    def worth(self, pot: int) -> list[dict[str, Any]]:
        """Return each action's frequency, mean EV, and loss compared with the best action."""
        values = self.action_values
        known = [value for value in values if value is not None]
        every = zip(self.actions, values, self.mix, action_styles(self.actions), strict=True)
        return [
            {
                "words": sized_action_words(action, pot),
                "style": style,
                "share": percent(share, 0),
                "ev": chips_words(value),
                "loss": "best" if value == max(known) else chips_words(value - max(known)),
                "is_best": value == max(known),
            }
            for action, value, share, style in every
            if value is not None
        ]


def _of_player(node: Mapping[str, Any], player: int) -> list[Mapping[str, Any]]:
    name = ("oop", "ip")[player]
    return [row for row in node["rows"] if row["player"] == name]


def grid_of(node: Mapping[str, Any], player: int, measure: str, pot: int) -> list[dict[str, Any]]:
    """Return the cells of the grid: bars of a mix or a shade, and words for each."""
    actions = node["actions"] if player == node["player"] else []
    groups: dict[str, Group] = defaultdict(lambda: Group(actions))
    for row in _of_player(node, player):
        groups[class_name(class_of(parse_holding(row["holding"])))].rows.append(row)
    styles = action_styles(actions)
    values = {name: _value(group, measure, pot) for name, group in groups.items()}
    most = max((value for value in values.values() if value is not None), default=0) or 1
    # Beside the hand of which most comes: on a rare line nothing would be seen otherwise.
    fullest = max((group.reach / _held(name) for name, group in groups.items()), default=0.0)
    cells = []
    for number, name in enumerate(CLASS_NAMES):
        x, y = number % 13 * CELL, number // 13 * CELL
        cell: dict[str, Any] = {"name": name, "x": x, "y": y, "bars": [], "text": "", "told": name}
        group = groups.get(name)
        if group is not None:
            # Weights are rounded: of a line that is hardly ever played nothing may be left.
            part = group.reach / _held(name) / (fullest or 1.0)
            value = values[name]
            if measure == "mix" and actions:
                cell["bars"] = _bars(x, y, part, group.mix, styles)
            elif value is not None:
                scale = 1.0 if measure == "equity" else most
                shade = max(0, min(_STEPS, round(_STEPS * value / scale)))
                cell["bars"] = [{"x": x, "y": y, "w": 25, "h": 25, "style": f"shade-{shade}"}]
                cell["text"] = _cell_text(value, measure)
            cell["told"] = _told(name, group, pot)
        cells.append(cell)
    return cells


def _cell_text(value: float, measure: str) -> str:
    """Write a number that fits into a cell: chips, or per cent."""
    if measure == "regret":
        return f"{value:.1f}".removesuffix(".0")
    if measure == "ev":
        return f"{value:.0f}".replace("-0", "0") if -1 < value < 0 else f"{value:.0f}"
    return f"{100 * value:.0f}"


def _held(name: str) -> int:
    return 6 if len(name) == 2 else 4 if name[2] == "s" else 12


def _value(group: Group, measure: str, pot: int) -> float | None:
    if measure == "realisation":
        return group.realisation(pot)
    if measure in ("ev", "equity", "regret"):
        return group.mean(measure)
    return group.reach / len(group.rows)


_RARE: Final = 0.01


def rare_words(node: Mapping[str, Any], at_start: Sequence[float]) -> str:
    """Say that a line is hardly ever taken, after which a solution is less exact.

    ``at_start`` are the combinations of both players at the beginning.
    """
    for name, count, start in zip(NAMES, node["combinations"], at_start, strict=True):
        if count < _RARE * start:
            return (
                f"{name} plays this line with {100 * count / start:.2g}\u202f% of the range: what "
                "follows hardly counts, and is less exact"
            )
    return ""


def _bars(
    x: float, y: float, part: float, mix: Sequence[float], styles: Sequence[str]
) -> list[dict[str, Any]]:
    """Return a bar for each action, side by side; their height is the part that comes here."""
    height = round(max(25 * part, 1), 1)
    bars, left = [], float(x)
    for chance, style in zip(mix, styles, strict=True):
        width = 25 * chance
        if width > 0.1:
            bars.append(
                {
                    "x": round(left, 1),
                    "y": round(y + 25 - height, 1),
                    "w": round(width, 1),
                    "h": height,
                    "style": style,
                }
            )
        left += width
    return bars


def _told(name: str, group: Group, pot: int) -> str:
    """Say what each suit of a class does, for those who point at it."""
    if not group.actions:
        numbers = group.numbers(pot)
        return f"{name}: weight {numbers['reach']}, equity {numbers['equity']}"
    names = [sized_action_words(action, pot) for action in group.actions]
    worth = ", ".join(f"{action['words']} {action['ev']}" for action in group.worth(pot))
    lines = [f"{name}: {mix_words(names, group.mix)}", f"EV of {worth}"]
    for row in group.rows:
        mix = mix_words(group.actions, [row[action] or 0 for action in group.actions])
        lines.append(f"{symbols(row['holding'])} {mix}")
    return "\n".join(lines)


def symbols(cards: str) -> str:
    """Return cards with signs of suits.

    >>> symbols("AsKd")
    'A♠K♦'
    """
    return format_cards(parse_cards(cards), suits=Suits.SYMBOLS)


def holding_rows(node: Mapping[str, Any], player: int, name: str, pot: int) -> list[dict[str, Any]]:
    """Return a row for a class of hands, and one for each of its holdings."""
    actions = node["actions"] if player == node["player"] else []
    rows = []
    whole_class = Group(actions)
    for row in _of_player(node, player):
        if class_name(class_of(parse_holding(row["holding"]))) != name:
            continue
        group = Group(actions)
        group.rows.append(row)
        whole_class.rows.append(row)
        rows.append(_line(symbols(row["holding"]), group, pot))
    return [_line("All", whole_class, pot), *rows] if len(rows) > 1 else rows


def played_class(form: Mapping[str, str]) -> str:
    """Return the class of hands of the holding that a played hand shows, or nothing."""
    cards = form.get("holding", "").partition(" ")[2]
    return class_name(class_of(parse_holding(cards))) if cards else ""


def played_decision(
    node: Mapping[str, Any], form: Mapping[str, str], pot: int, big_blind: int
) -> dict[str, Any] | None:
    """Return what was done at a point by the holding that a played hand shows, and its worth.

    None where the hand did not come there, or somebody else acted.
    """
    player, _, cards = form.get("holding", "").partition(" ")
    names = PLAYERS[node["player"]] if node["actions"] else ""
    rest = _rest_of_line(form.get("played", ""), node["line"])
    if not cards or names != player or rest is None:
        return None
    taken = next((at for at in node["actions"] if _rest_of_line(rest, at) is not None), "")
    group = Group(node["actions"])
    group.rows = [row for row in _of_player(node, node["player"]) if row["holding"] == cards]
    worth = dict(zip(node["actions"], group.worth(pot), strict=False)) if group.rows else {}
    if taken not in worth:
        return None
    best = next(action["words"] for action in worth.values() if action["is_best"])
    blinds = blinds_words(group.mean(f"ev {taken}"), big_blind)
    return {"holding": symbols(cards), "best": best, "blinds": blinds, **worth[taken]}


def hand_points(form: Mapping[str, str], line: str) -> list[dict[str, Any]]:
    """Return the decisions of the player whose hand was played, in order, and which is at a line.

    >>> form = {"played": "bet 20 call 2c check bet 40 call", "holding": "oop AhKd"}
    >>> [(point["words"], point["line"]) for point in hand_points(form, "")]
    [('bet 20', ''), ('check', 'bet 20 call 2c'), ('call', 'bet 20 call 2c check bet 40')]
    """
    owner = form.get("holding", "").partition(" ")[0]
    try:
        words = read_line(form.get("played", "")) if owner else ()
    except BadInput:
        return []
    points, before, player = [], list[str](), 0
    for word in words:
        text = TEXT_OF_CARD[word] if isinstance(word, int) else str(word)
        if isinstance(word, int):
            player = 0
        else:
            if PLAYERS[player] == owner:
                at = " ".join(before)
                words_here = sized_action_words(text, 0)
                points.append({"words": words_here, "line": at, "is_here": at == line})
            player = 1 - player
        before.append(text)
    return points


def _rest_of_line(line: str, start: str) -> str | None:
    """Return what follows after the beginning of a line; None if it begins otherwise."""
    words, first = line.split(), start.split()
    return " ".join(words[len(first) :]) if words[: len(first)] == first else None


def _line(name: str, group: Group, pot: int) -> dict[str, Any]:
    return {
        "name": name,
        **group.numbers(pot),
        "worth": group.worth(pot),
        "bars": _bars(0, 0, 1, group.mix, action_styles(group.actions)),
    }


def locks_of(node: Mapping[str, Any], player: int, name: str) -> list[dict[str, str]]:
    """Return the locks that a touch puts on a class of hands at a decision.

    Each always takes one action; the last keeps the mix that the solution has now.
    """
    if player != node["player"] or not node["actions"]:
        return []
    group = Group(node["actions"])
    rows = _of_player(node, player)
    group.rows = [
        row for row in rows if class_name(class_of(parse_holding(row["holding"]))) == name
    ]
    if not group.rows or not group.mix:
        return []
    locks = [
        {"words": f"always {action}", "lock": f"{node['line']} > {name} > {action} 1"}
        for action in node["actions"]
    ]
    chances = [round(chance, 4) for chance in group.mix]
    most = chances.index(max(chances))
    chances[most] = round(1 - sum(chances[:most]) - sum(chances[most + 1 :]), 4)
    mix = ", ".join(
        f"{action} {chance:g}"
        for action, chance in zip(node["actions"], chances, strict=True)
        if chance > 0
    )
    if sum(chance > 0 for chance in chances) > 1:
        lock = f"{node['line']} > {name} > {mix}"
        locks.append({"words": "as it is played here", "lock": lock})
    return locks


def made_hand_rows(node: Mapping[str, Any], player: int, pot: int) -> list[dict[str, Any]]:
    """Return a row for each class of made hands, the best first."""
    made = odds.hands_on_board(node["board"]).made
    names = [odds.MADE_HANDS[place] for place in made.tolist()]
    return _rows_by(names, reversed(odds.MADE_HANDS), node, player, pot)


def draws_of(node: Mapping[str, Any], player: int, pot: int) -> list[dict[str, Any]]:
    """Return a row for each kind of draw, the best first; none on the river."""
    if len(parse_cards(node["board"])) == _RIVER:
        return []
    made, draws = odds.hands_on_board(node["board"])
    names = [
        _draw(*made_and_draw) for made_and_draw in zip(made.tolist(), draws.tolist(), strict=True)
    ]
    return _rows_by(names, _DRAWS, node, player, pot)


def _rows_by(
    names: Sequence[str], order: Iterable[str], node: Mapping[str, Any], player: int, pot: int
) -> list[dict[str, Any]]:
    """Return the rows of groups that ``names`` gives every holding, (1326,)."""
    actions = node["actions"] if player == node["player"] else []
    groups: dict[str, Group] = defaultdict(lambda: Group(actions))
    for row in _of_player(node, player):
        groups[names[parse_holding(row["holding"])]].rows.append(row)
    all_reach = sum(group.reach for group in groups.values()) or 1
    rows = [
        _line(name, group, pot) | {"share": percent(group.reach / all_reach, 1)}
        for name in order
        if (group := groups.get(name)) is not None
    ]
    none = percent(0.0, 1)
    return [row for row in rows if row["share"] != none] or rows


_DRAWS: Final = (
    *("flush and straight draw", "flush draw", "open-ended straight draw", "gutshot"),
    *("backdoor flush and straight draw", "backdoor flush draw", "backdoor straight draw"),
    *("none", "straight or better"),
)
_RIVER: Final = 5
_STRAIGHT: Final = odds.MADE_HANDS.index("straight")


def _draw(made: int, draws: int) -> str:
    """Name what a holding needs one card for, or two if there is nothing better.

    Two gutshots are as good as an open-ended draw.
    """
    if made >= _STRAIGHT:
        return "straight or better"
    eight_outs = draws & (odds.Draw.OPEN_ENDED | odds.Draw.DOUBLE_GUTSHOT)
    straight = eight_outs or draws & odds.Draw.GUTSHOT
    if draws & odds.Draw.FLUSH:
        return "flush and straight draw" if straight else "flush draw"
    if straight:
        return "open-ended straight draw" if eight_outs else "gutshot"
    backdoors = [
        name
        for flag, name in (
            (odds.Draw.BACKDOOR_FLUSH, "flush"),
            (odds.Draw.BACKDOOR_STRAIGHT, "straight"),
        )
        if draws & flag
    ]
    return f"backdoor {' and '.join(backdoors)} draw" if backdoors else "none"


def path_to(node: Mapping[str, Any], names: Sequence[str] = NAMES) -> list[dict[str, Any]]:
    """Return the decisions and cards before a point, each with what could have been instead."""
    steps = []
    for step in node["path"]:
        ways = step["actions"] or [step["taken"]]
        steps.append(
            {
                "who": names[step["player"]] if step["player"] >= 0 else "Card",
                "line": step["line"],
                "is_card": step["player"] < 0,
                "ways": [
                    {
                        "words": sized_action_words(way, step["pot"])
                        if step["actions"]
                        else symbols(way),
                        "line": f"{step['line']} {way}".strip(),
                        "taken": way == step["taken"],
                    }
                    for way in ways
                ],
            }
        )
    return steps


def actions_of(node: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the actions at a point: how often, and where they lead."""
    group = Group(node["actions"])
    group.rows = _of_player(node, node["player"]) if node["player"] >= 0 else []
    return [
        {
            "name": action,
            "words": sized_action_words(action, node["pot"]),
            "line": f"{node['line']} {action}".strip(),
            "share": percent(chance, 1),
            "style": style,
        }
        for action, chance, style in zip(
            node["actions"], node["frequency"], action_styles(node["actions"]), strict=True
        )
    ]


def numbers_of(node: Mapping[str, Any], big_blind: int = 0) -> list[dict[str, str]]:
    """Return EV, equity and the size of both ranges."""
    return [
        {
            "name": name,
            "ev": chips_words(ev),
            "blinds": blinds_words(ev, big_blind),
            "equity": "–" if equity is None else percent(equity, 1),
            "realisation": "–" if part is None else percent(part, 0),
            "reach": f"{count:,.1f}",
        }
        for name, ev, equity, part, count in zip(
            NAMES,
            node["ev"],
            node["equity"],
            node["realisation"],
            node["combinations"],
            strict=True,
        )
    ]


_CURVE_WIDTH: Final = 300
_CURVE_HEIGHT: Final = 120


def curves_of(node: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the curves of EV and of equity of both ranges, as points of a drawing."""
    drawn = []
    for key, words in (("equity", "Equity, % of the pot"), ("ev", "EV")):
        curves = node["curves"][key]
        known = [at for curve in curves for at in curve if at is not None]
        if not known:
            continue
        least, most = (0.0, 1.0) if key == "equity" else (min(0.0, *known), max(known))
        span = (most - least) or 1.0
        lines = []
        for curve in curves:
            step = _CURVE_WIDTH / max(1, len(curve) - 1)
            points = [
                f"{number * step:.1f},{_CURVE_HEIGHT * (1 - (at - least) / span):.1f}"
                for number, at in enumerate(curve)
                if at is not None
            ]
            lines.append(" ".join(points))
        scale = 100 if key == "equity" else 1
        ticks = [
            {
                "y": round(_CURVE_HEIGHT * (1 - part), 1),
                "words": f"{scale * (least + part * span):,.0f}".replace("-", "−"),
            }
            for part in (0.0, 0.5, 1.0)
        ]
        drawn.append({"words": words, "lines": lines, "ticks": ticks})
    return drawn


_MOST_BLOCKERS: Final = 4
_LEAST_CHANGE: Final = 0.001


def blockers_of(node: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return for each action the cards that change its frequency most in the other's hand.

    Nothing where no card changes any.
    """
    rows = []
    styles = action_styles(node["actions"])
    for number, (action, style) in enumerate(zip(node["actions"], styles, strict=True)):
        changes = [(row["changes"][number], row["card"]) for row in node["blockers"]]
        changes = [change for change in changes if abs(change[0]) >= _LEAST_CHANGE]
        changes.sort(key=lambda change: (-change[0], change[1]))
        more = [change for change in changes[:_MOST_BLOCKERS] if change[0] > 0]
        less = [change for change in changes[: -_MOST_BLOCKERS - 1 : -1] if change[0] < 0]
        rows.append(
            {
                "words": sized_action_words(action, node["pot"]),
                "style": style,
                "more": [_changed_words(*change) for change in more],
                "less": [_changed_words(*change) for change in less],
            }
        )
    return rows if any(row["more"] or row["less"] for row in rows) else []


def _changed_words(change: float, card: str) -> str:
    sign = "+" if change > 0 else "−"
    return f"{symbols(card)} {sign}{abs(100 * change):.1f}"


def cards_left(node: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the cards that can come, by suit, with the lines that they make."""
    dead = parse_cards(node["board"])
    return deck_by_suit(
        lambda card: {
            "text": format_card(card, suits=Suits.SYMBOLS),
            "line": "" if card in dead else f"{node['line']} {format_card(card)}".strip(),
        }
    )


RUN_OUT_ORDERS: Final = {"card": "Card", "ev": "EV", "equity": "Equity"}
"""Columns that a table of run-outs may be sorted by, in addition to the actions."""
_HUES: Final = 10


def run_outs_of(
    run_outs: Sequence[Mapping[str, Any]], line: str, order: str = "ev"
) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Return a row for each card that can come, and the columns of actions with their colours.

    ``order`` is a key of `RUN_OUT_ORDERS` or an action; the greatest come first, but cards by rank.
    After some cards, such as those that leave nobody a bet, an action may be missing.
    """
    names = list(dict.fromkeys(name for run_out in run_outs for name in run_out["actions"]))
    evs = [run_out["ev"][0] for run_out in run_outs if run_out["ev"][0] is not None]
    least, most = min(evs, default=0.0), max(evs, default=0.0)
    rows = []
    for run_out in run_outs:
        shares = dict(zip(run_out["actions"], run_out["frequency"], strict=True))
        ev, equity = run_out["ev"][0], run_out["equity"][0]
        shade = 0 if ev is None or most <= least else round(_HUES * (ev - least) / (most - least))
        by = {"ev": ev, "equity": equity, "card": 0.0} | shares
        rows.append(
            {
                "card": symbols(run_out["card"]),
                "line": f"{line} {run_out['card']}".strip(),
                "ev": chips_words(ev),
                "shade": shade,
                "equity": "–" if equity is None else percent(equity, 1),
                "shares": [percent(shares[name], 0) if name in shares else "–" for name in names],
                "bars": _bars(0, 0, 1, run_out["frequency"], action_styles(run_out["actions"])),
                "key": (-(by.get(order) or 0.0), -int(parse_cards(run_out["card"])[0])),
            }
        )
    rows.sort(key=lambda row: row["key"])
    legend = [
        {"name": name, "style": style}
        for name, style in zip(names, action_styles(names), strict=True)
    ]
    return rows, legend


def run_out_rows(run_outs: Sequence[Mapping[str, Any]]) -> list[dict[str, object]]:
    """Return the rows of a CSV file of run-outs."""
    return [
        {
            "card": run_out["card"],
            "ev_oop": run_out["ev"][0],
            "ev_ip": run_out["ev"][1],
            "equity_oop": run_out["equity"][0],
            "player": PLAYERS[run_out["player"]] if run_out["player"] >= 0 else "",
            **dict(zip(run_out["actions"], run_out["frequency"], strict=True)),
        }
        for run_out in run_outs
    ]


_FORM_WORDS: Final = {
    "table": "a table",
    "UPI": "a session of UPI",
    "TexasSolver": "a dump of TexasSolver",
}


def compared_of(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page shows of a solution next to another strategy."""
    placed, back = answer["placed"], answer.get("back")
    rows = [("This solution", answer["ev"], answer["gap"])]
    if other := answer.get("other"):
        rows.append(("The other one", other["ev"], other["gap"]))
    if placed:
        rows.append(("The other one in this tree", placed["ev"], placed["gap_percent_of_pot"]))
    if back:
        rows.append(("This one in the other's tree", back["ev"], back["gap_percent_of_pot"]))
    return {
        "form": _FORM_WORDS.get(answer["form"], answer["form"]),
        "decisions": answer.get("decisions"),
        "inputs": answer.get("inputs", []),
        "is_same_game": placed is not None,
        "moved": placed["moved"] if placed else 0,
        "unknown": placed["unknown"] if placed else 0,
        "rows": [
            {"name": name, "ev": chips_words(ev[0]), "gap": gap_words(gap)}
            for name, ev, gap in rows
        ],
        "partings": [
            {
                "line": parting["line"],
                "who": NAMES[parting["player"]],
                "reach": percent(parting["reach"], 1),
                "difference": percent(parting["difference"], 1),
                "first": mix_words(parting["actions"], parting["first"]),
                "second": mix_words(parting["actions"], parting["second"]),
            }
            for parting in answer["partings"]
            if parting["difference"] >= _SEEN / 10
        ],
    }


def hand_notes(spot: str) -> list[str]:
    """Say where the ranges of a played hand come from, and its rake, by the comments of its spot.

    >>> hand_notes("# oop: BB calls a raise of BTN: as oop in preset bu-bb (our estimate)")
    ['First to act: BB calls a raise of BTN: as the first to act in BTN - BB (our estimate).']
    """
    notes = []
    for key, name in (*zip(PLAYERS, NAMES, strict=True), ("rake", "Rake")):
        for line in spot.splitlines():
            if line.startswith(f"# {key}: "):
                words = line.removeprefix(f"# {key}: ").replace(
                    " as oop in", " as the first to act in"
                )
                words = words.replace(" as ip in", " as the one in position in")
                words = re.sub(r"preset ([\w-]+)", lambda at: _preset_words(at[1]), words)
                notes.append(f"{name}: {words}.")
    return notes


def _preset_words(name: str) -> str:
    preset = PRESETS[name]
    return preset.short + (" of a heads-up game" if preset.seats == 2 else "")


def hand_decisions(decisions: Sequence[Mapping[str, Any]], act: int) -> list[dict[str, Any]]:
    """Return the decisions of a hand at which its spot can open, those of the log's owner.

    ``act`` is that at which it opens; it may be another player's.
    """
    return [
        {
            "act": decision["act"],
            "words": f"{decision['street']}: {sized_action_words(decision['action'], 0)}",
            "who": decision["who"],
            "holding": symbols(decision["holding"]),
            "is_chosen": decision["act"] == act,
        }
        for decision in decisions
        if decision["is_own"] or decision["act"] == act
    ]


def gap_words(gap: float) -> str:
    """Say how far a solution is from perfect play.

    >>> gap_words(0.2871)
    '0.29\u202f% of the pot'
    """
    text = f"{gap:.2f}" if gap < 1 else f"{gap:.1f}"
    return f"{text}\u202f% of the pot"


def seconds_words(seconds: float) -> str:
    """Say about how long something takes.

    >>> seconds_words(3), seconds_words(47), seconds_words(200)
    ('a few seconds', 'about 50 seconds', 'about 4 minutes')
    """
    if seconds < 8:
        return "a few seconds"
    if seconds < 90:
        return f"about {-(-int(seconds) // 10) * 10} seconds"
    return f"about {-(-int(seconds) // 60)} minutes"


def left_out_words(left_out: Sequence[str]) -> str:
    """Say what nobody may do in a tree.

    >>> left_out_words(["re-raises on turn and river", "raises on the flop"])
    'Left out: re-raises on turn and river; raises on the flop'
    """
    return f"Left out: {'; '.join(left_out)}" if left_out else ""


def size_words(
    size: Mapping[str, Any], memory_mb: float, seconds: float | None
) -> tuple[str, bool]:
    """Say how large a tree is, how much it needs, and whether that is too much."""
    memory = size["memory_mb"]
    if memory is None:
        return f"more than {size['nodes'] - 1:,} points of betting, too many to build", True
    shown = f"{memory:,.0f} MB" if memory >= 1 else "less than 1 MB"
    words = f"{size['nodes']:,} points of betting, {shown} of memory"
    if size["store"] < _FULL_BITS:
        words += " in half precision"
    if memory > memory_mb:
        return (
            f"{words}; allowed: {memory_mb:,.0f} MB. A smaller range or a board of four cards "
            "makes it smaller",
            True,
        )
    if seconds is not None and size["seconds"] > seconds:
        return (
            f"{words}, {seconds_words(size['seconds'])}; it is stopped after "
            f"{seconds / 60:.0f}, and can be continued",
            False,
        )
    return f"{words}, {seconds_words(size['seconds'])}", False


def tree_steps(
    size: Mapping[str, Any], memory_mb: float, seconds: float | None
) -> list[dict[str, Any]]:
    """Return the trees of a spot, the whole one first, each with what the last step gave up."""
    rows = []
    for number, tree in enumerate(size["trees"]):
        words, is_too_large = size_words(tree, memory_mb, seconds)
        memory = tree["memory_mb"]
        gone = [step["words"] for step in size["trees"][1 : number + 1]]
        rows.append(
            {
                "number": number,
                "words": words,
                "given_up": f"Given up: {'; '.join(gone)}" if gone else "",
                "short": f"{counted(len(gone), 'detail')} given up" if gone else "",
                "left_out": left_out_words(tree["left_out"]),
                "step": _sentence(tree["words"] or "nothing: all that was asked for"),
                "cost": _sentence(tree["cost"]),
                "memory": "too many points" if memory is None else f"{memory:,.0f} MB",
                "time": "–" if memory is None else seconds_words(tree["seconds"]),
                "fits": not is_too_large,
            }
        )
    return rows


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def comparison_words(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """Return sentences on the difference of two solutions, from a worker's numbers.

    A gap is the mean of what both players could gain; one of them could gain twice that, and a
    player's EV is off by at most their sum. That holds if one wins what the other loses.
    """
    if first["dealt"] != second["dealt"]:
        return ["The other one has another board, pot, stack, range or prizes: EVs do not compare"]
    if not (first["zero_sum"] and second["zero_sum"]):
        return ["With rake or prizes nothing says how far off both may be"]
    gain = [first["ev"][player] - second["ev"][player] for player in range(2)]
    doubt = 2 * (first["gap"] + second["gap"]) * first["pot"] / 100
    verdicts = []
    for name, difference in zip(NAMES, gain, strict=True):
        if abs(difference) <= doubt:
            verdicts.append(
                f"{name}: {abs(difference):,.2f} chips apart, no more than both may be off "
                f"({doubt:,.2f})"
            )
        else:
            which = "more" if difference > 0 else "less"
            verdicts.append(f"{name} gets {abs(difference):,.2f} chips {which} than in the other")
    return verdicts


# The form of a spot: its fields, what is wrong with which, and what a touch changes.


_FULL_BITS: Final = 32

MOST_SIZES: Final = 6
"""Of one field."""

GAPS: Final = {"1": "1 %", "0.5": "0.5 %", "0.3": "0.3 %", "0.1": "0.1 %"}
"""Of the pot, from perfect play, at which solving may end."""

BRUSHES: Final = ("100", "75", "50", "25", "0")
"""Weights in per cent that a touch gives a class of hands."""

_SIZE_KINDS: Final = ("bets", "raises")
SIZES: Final = {
    f"{street}_{kind}": f"{street} {kind}" for street in STREETS for kind in _SIZE_KINDS
}
"""Fields of bet sizes, and what they are called: of both players, if the next say no other."""
SIZES_IN_POSITION: Final = {f"ip_{key}": words for key, words in SIZES.items()}
DONKS: Final = {f"{street}_donk": f"{street} donk bets" for street in STREETS[1:]}
"""Of the first to act, into the player who bet last on the street before."""

_TWO_FLOP_SIZES: Final = "flop-two"
MENUS: Final = USUAL_SIZES | {
    _TWO_FLOP_SIZES: USUAL_SIZES["flop"] | {"flop_bets": "33%, 75%"},
}
"""Bet sizes that a touch sets; the last takes about twice the memory of the first."""
MENU_NAMES: Final = {street: f"Usual from the {street}" for street in STREETS} | {
    _TWO_FLOP_SIZES: "From the flop, two sizes there"
}

RULES: Final = {option.key: option for option in rules_of(Spot) if option.key != "big_blind"}
"""Options of a spot that have a field each, under the sizes; the big blind is beside the pot."""

LONGEST: Final = (
    dict.fromkeys(PLAYERS, 16_000)
    | dict.fromkeys(("board", "pot", "stack", "big_blind", "gap", "brush", "beside"), 20)
    | dict.fromkeys((*SIZES, *SIZES_IN_POSITION, *DONKS), 60)
    | dict.fromkeys(RULES, 20)
    | {"more": 4_000, "line": 400, "played": 400, "holding": 8, "detail": 2, "fitted": 2}
)
"""Characters that each field may have."""

LABELS: Final = (
    {"oop": "First to act", "ip": "In position", "pot": "In the pot", "stack": "Behind"}
    | {"big_blind": "Big blind"}
    | SIZES
    | {key: f"{words}, in position" for key, words in SIZES_IN_POSITION.items()}
    | DONKS
    | {key: option.label for key, option in RULES.items()}
    | {"line": "Line", "played": "Line", "holding": "Hand"}
    | {"board": "Board", "more": "More", "gap": "Gap", "brush": "Weight", "beside": "Comparison"}
    | {"detail": "Detail", "fitted": "Detail"}
)
"""What each field is called on the page."""

FORM_BYTES: Final = 1 << 16
_LONG_LOCK: Final = 150

_DEFAULTS: Final = {"gap": "0.3", "brush": "100"}
_PERCENT: Final = 100
_NOT_OF_SPOT: Final = (
    *("gap", "brush", "beside", "more", "line", "played", "holding"),
    *("detail", "fitted"),
)
_OF_SPOT: Final = tuple(key for key in LONGEST if key not in _NOT_OF_SPOT)
"""Fields that are lines of a spot's file. Of the others, line is where the last decision of a
played hand is, played is all that was done in it, and holding is who had which cards; detail is how
many steps a person gives up, and fitted how many were when that was asked."""


@dataclass(slots=True)
class SpotForm:
    """The contents of the fields, with a message for each that is wrong."""

    values: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    """By field; what belongs to none is under ``more``."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> SpotForm:
        """Read fields that were sent; those that are missing are empty."""
        form = cls()
        for key, most in LONGEST.items():
            text = given.get(key, "")
            text = text if isinstance(text, str) else ""
            if len(text) > most:
                form.problems[key] = f"{len(text):,} characters; allowed: up to {most:,}"
                text = text[:most]
            breaks = "\n" if key == "more" else ","
            form.values[key] = re.sub(r"[\r\n]+", breaks, text.strip())
        if form.values["gap"] not in GAPS:
            form.values["gap"] = _DEFAULTS["gap"]
        if form.values["brush"] not in BRUSHES:
            form.values["brush"] = BRUSHES[0]
        player, _, cards = form.values["holding"].partition(" ")
        try:
            holding = f"{player} {format_holding(parse_holding(cards))}"
        except BadInput:
            holding = ""
        form.values["holding"] = holding if player in PLAYERS else ""
        return form

    @classmethod
    def empty(cls, preset: str = "", street: str = "flop") -> SpotForm:
        """Return the form that one begins with."""
        chosen = PRESETS.get(preset)
        values = (
            dict.fromkeys(LONGEST, "") | _DEFAULTS | USUAL_SIZES.get(street, USUAL_SIZES["flop"])
        )
        if chosen is not None:
            values |= chosen.lines()
        return cls.of(values)

    @classmethod
    def from_lines(cls, lines: str) -> SpotForm:
        """Return the form of a spot by its lines, as `Spot` writes them.

        Settings without a field are kept among the other lines.
        """
        values, more = dict.fromkeys(LONGEST, ""), []
        for line in lines.splitlines():
            key, _, value = (part.strip() for part in line.partition("="))
            if is_size_key(key):
                continue
            if key in _OF_SPOT and len(value) <= LONGEST[key]:
                values[key] = value
            else:
                more.append(line)
        for street, both in zip(STREETS, betting_from(read_fields(lines)), strict=True):
            for kind in _SIZE_KINDS:
                oop_sizes, ip_sizes = (", ".join(map(str, getattr(sizes, kind))) for sizes in both)
                values[f"{street}_{kind}"] = oop_sizes
                if oop_sizes != ip_sizes:
                    values[f"ip_{street}_{kind}"] = ip_sizes or "-"
            if (donks := both[0].donks) is not None:
                values[f"{street}_donk"] = ", ".join(map(str, donks)) or "-"
        for key in [
            key for key in values if is_size_key(key) and len(values[key]) > LONGEST.get(key, 0)
        ]:
            more.append(f"{key} = {values.pop(key)}")
        return cls.of(values | {"more": "\n".join(more)})

    @classmethod
    def from_file(cls, text: str, lines: str) -> SpotForm:
        """Return the form of a spot's file, of which ``lines`` say what `Spot` makes of it.

        Ranges stay as they are written: a spot has lost what its board blocks, and here another
        board may be chosen.
        """
        form, fields = cls.from_lines(lines), read_fields(text)
        for player in PLAYERS:
            if len(fields[player]) <= LONGEST[player]:
                form.values[player] = fields[player]
        return form

    def add_lock(self, text: str) -> None:
        """Add a lock, in place of one of the same holdings on the same line. Raises `BadInput`."""
        lock = Lock.parse(text)
        if len(text) > _LONG_LOCK:
            text = str(lock)  # many hands, one by one
        same = f"{lock.line} > {text.split('>')[1].strip()} >".strip()
        lines = [
            line
            for line in self.values["more"].splitlines()
            if not line.partition("=")[2].strip().startswith(same)
        ]
        more = "\n".join([*lines, f"lock = {text.strip()}"])
        if len(more) > LONGEST["more"]:
            raise BadInput(f"locks of {len(more):,} characters; allowed: {LONGEST['more']:,}")
        self.values["more"] = more

    def text(self) -> str:
        """Return the lines that `Spot.parse` reads."""
        lines = [f"{key} = {self.values[key]}" for key in _OF_SPOT if self.values[key]]
        return "\n".join([*lines, self.values["more"]])

    @property
    def detail(self) -> int | None:
        """How many steps a person chose to give up; None for as few as fit."""
        detail = self.values["detail"]
        is_chosen = detail.isdecimal() and detail != self.values["fitted"]
        return int(detail) if is_chosen else None

    def is_whole(self) -> bool:
        """Return whether nothing is missing, and put a message next to each field that is wrong.

        The worth of chips is not checked, since that takes long with prizes.
        """
        for key, words in (
            ("oop", "a range, such as QQ+,AKs,A5s:0.5, or a preset"),
            ("ip", "a range, such as QQ+,AKs,A5s:0.5, or a preset"),
            ("board", "three to five cards: touch them below"),
            ("pot", "the chips in the pot, such as 55"),
            ("stack", "the chips that both have left, such as 975"),
        ):
            if not self.values[key]:
                self.problems.setdefault(key, f"Missing: {words}")
        for key in PLAYERS:
            self.range_of(key)
        if self.problems:
            return False
        try:
            for street, both in zip(STREETS, betting_from(read_fields(self.text())), strict=True):
                for key in (*_SIZE_KINDS, "donk"):
                    count = max(
                        len(getattr(sizes, key.replace("donk", "donks")) or ()) for sizes in both
                    )
                    if count > MOST_SIZES:
                        raise BadInput(
                            f"{street}_{key}: {count} sizes; allowed: up to {MOST_SIZES}"
                        )
        except BadInput as problem:
            self.refused(str(problem))
        return not self.problems

    def refused(self, problem: str) -> None:
        """Put a message next to the field that it names."""
        words = problem.removeprefix("spot: ")
        name, colon, rest = words.partition(": ")
        key = name if colon and name in _OF_SPOT else "more"
        self.problems[key] = rest if key == name else words

    def range_of(self, player: str) -> Range:
        """Return a range; an unreadable one is empty, with a message next to it."""
        try:
            return Range.parse(house_notation(self.values[player]))
        except BadInput as problem:
            self.problems.setdefault(player, str(problem))
            return Range(np.zeros_like(CLASS_OF_HOLDING, dtype=np.float64))

    # What a touch changes.

    def edit(self, what: str) -> None:
        """Take a touch: ``oop AKs AQs:50``, weights in per cent, ``board Ks``.

        Or ``preset NAME``, or ``sizes MENU``. Raises `BadInput` for what the page does not send.
        """
        kind, _, rest = what.partition(" ")
        if kind == "board":
            self._touch_card(rest)
        elif kind == "preset" and rest in PRESETS:
            self._put(PRESETS[rest].lines())
        elif kind == "sizes" and rest in MENUS:
            menu = (*SIZES, *SIZES_IN_POSITION, *DONKS, "all_in_threshold")
            self._put(dict.fromkeys(menu, "") | MENUS[rest])
        elif kind in PLAYERS and rest:
            self._paint(kind, rest.split())
        else:
            raise BadInput("this page has no such button")

    def _put(self, values: Mapping[str, str]) -> None:
        self.values |= values
        for key in values:
            self.problems.pop(key, None)

    def _touch_card(self, text: str) -> None:
        (card,) = parse_cards(text) or [None]
        try:
            board = list(parse_cards(self.values["board"]))
        except BadInput:
            board = []
        if card is None:
            return
        if card in board:
            board.remove(card)
        elif len(board) < 5:
            board.append(card)
        self.values["board"] = format_cards(board)

    def _paint(self, player: str, cells: list[str]) -> None:
        before = self.range_of(player)
        if player in self.problems:
            return
        weights = before.weights.copy()
        for cell in cells[: len(CLASS_NAMES)]:
            name, colon, percent = cell.partition(":")
            brush = percent if colon else self.values["brush"]
            if name not in CLASS_NAMES or brush not in BRUSHES:
                raise BadInput(f"{cell[:20]!r} is no class of hands")
            of_class = CLASS_NAMES.index(name) == CLASS_OF_HOLDING
            weight = int(brush) / _PERCENT
            if not colon and np.all(weights[of_class] == weight):
                weight = 0.0
            weights[of_class] = weight
        self.values[player] = str(Range(weights))

    # What the template draws.

    @property
    def uses_more(self) -> bool:
        """Whether something that is folded away is set or wrong, but for bets of a played hand."""
        folded = (*RULES, "more")
        values = {key: self.values[key] for key in folded if key not in USUAL_SIZES["river"]}
        values["more"] = re.sub(r"(?m)^add = .*\n?", "", values["more"])
        return any(values.values()) or any(key in self.problems for key in folded)

    @property
    def uses_other_sizes(self) -> bool:
        """Whether sizes of one player alone, which are folded away, are unusual or wrong."""
        folded = (*SIZES_IN_POSITION, *DONKS)
        usual = ("", USUAL_SIZES["flop"]["turn_donk"])
        return any(self.values[key] not in usual or key in self.problems for key in folded)

    @property
    def preset(self) -> str:
        """The name of the preset whose ranges, pot and stack the form has, or nothing."""
        return next(
            (
                name
                for name, preset in PRESETS.items()
                if all(self.values[key] == value for key, value in preset.lines().items())
            ),
            "",
        )

    def grid(self, player: str) -> list[dict[str, Any]]:
        """Return the 169 cells of a range, row by row."""
        weights = self.range_of(player).weights
        sums = np.bincount(CLASS_OF_HOLDING, weights, minlength=len(CLASS_NAMES))
        counts = np.bincount(CLASS_OF_HOLDING, minlength=len(CLASS_NAMES))
        cells = []
        for number, name in enumerate(CLASS_NAMES):
            share = round(100 * sums[number] / counts[number])
            cells.append({"name": name, "share": share, "step": -(-share // 10)})
        return cells

    def notations(self, player: str) -> dict[str, str]:
        """Return a range as other programs write it, by an example of each notation."""
        player_range = self.range_of(player)
        return {example: in_notation(player_range, example) for example in NOTATIONS}

    def combinations(self, player: str) -> str:
        """Say how large a range is."""
        count = self.range_of(player).combinations
        return f"{count:,.0f} combinations, {count / 13.26:.0f} % of hands"

    def deck(self) -> list[dict[str, Any]]:
        """Return the cards by suit, and which are on the board."""
        try:
            board = parse_cards(self.values["board"])
        except BadInput:
            board = ()
        return deck_by_suit(
            lambda card: {
                "text": format_card(card),
                "shown": format_card(card, suits=Suits.SYMBOLS),
                "on": card in board,
            }
        )
