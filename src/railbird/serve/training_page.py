"""What pages show of a person who trains against a solution, and when a hard decision comes back.

Decisions come back by FSRS (the package ``fsrs``, with its published parameters), which plans from
how each was answered when it is about to be forgotten.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from railbird.estimates.estimate import Z_95
from railbird.odds import DRAWS, MADE_HANDS
from railbird.report.number_format import counted, number, percent
from railbird.serve.pages import board_words, line_words
from railbird.serve.spots_page import (
    NAMES,
    action_styles,
    chips_words,
    seconds_words,
    sized_action_words,
    symbols,
)
from railbird.solve.spot.drills import ONE_STREET, TEXTURES
from railbird.solve.spot.spot import STREETS
from railbird.storage.training import Memory, TrainedProgress, TrainedSum

if TYPE_CHECKING:
    from fsrs import Scheduler

HARD: Final = 0.02
"""Part of the pot from which on a decision was wrong, and comes back."""
_HALF_RIGHT: Final = 0.005
"""Part of the pot from which on one that came back was not quite right."""
_LEAST_LOSS: Final = 0.005
"""Chips below which nothing was lost, as it is printed."""
TEXTURE_WORDS: Final = {
    "paired": "Paired",
    "unpaired": "Not paired",
    "monotone": "Three of a suit",
    "two-tone": "Two of a suit",
    "rainbow": "No two of a suit",
    "connected": "Three to a straight",
    "ace-high": "With an ace",
}


@cache
def _scheduler() -> Scheduler:
    from fsrs import Scheduler

    return Scheduler(enable_fuzzing=False)


def recall(
    memory: Memory | None, cost: float, at: datetime, *, unsure: float = 0.0
) -> tuple[Memory, datetime] | None:
    """Return a card after an answer that cost a part of the pot, and when it is due next.

    The solution's values may be off by ``unsure`` of the pot, so smaller losses do not count as
    mistakes. A new decision comes back only if it was wrong.
    """
    from fsrs import Card, Rating

    wrong = max(HARD, unsure)
    if memory is None and cost < wrong:
        return None
    card = Card(card_id=0, due=at) if memory is None else Card.from_dict(memory)  # type: ignore[arg-type]
    half_right = Rating.Hard if cost >= max(_HALF_RIGHT, unsure) else Rating.Good
    rating = Rating.Again if cost >= wrong else half_right
    card, _ = _scheduler().review_card(card, rating, at.astimezone(UTC))
    return dict(card.to_dict()), card.due


def question_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decision as pages show it."""
    styles = action_styles(asked["actions"])
    return {
        "who": NAMES[asked["player"]],
        "board": board_words(asked["board"]),
        "holding": symbols(asked["holding"]),
        "line": line_words(asked["line"]),
        "pot": asked["pot"],
        "ways": [
            {"words": sized_action_words(action, asked["pot"]), "style": style}
            for action, style in zip(asked["actions"], styles, strict=True)
        ],
    }


def verdict_of(asked: Mapping[str, Any], taken: int) -> dict[str, Any]:
    """Return the verdict on a decision: what the action costs, and what each action is worth."""
    actions, values, pot = asked["actions"], asked["values"], asked["pot"]
    loss = max(values) - values[taken]
    every = zip(actions, values, asked["mix"], action_styles(actions), strict=True)
    return {
        "words": sized_action_words(actions[taken], pot),
        "holding": symbols(asked["holding"]),
        "board": board_words(asked["board"]),
        "loss": "" if loss < _LEAST_LOSS else f"{loss:,.2f}",
        "part": percent(loss / pot, 1),
        "rows": [
            {
                "words": sized_action_words(action, pot),
                "style": style,
                "share": percent(share, 0),
                "ev": chips_words(value),
                "is_best": value == max(values),
                "is_taken": place == taken,
            }
            for place, (action, value, share, style) in enumerate(every)
        ],
    }


def training_of(at: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page shows of a person who trains: the question, the last answer, the sums."""
    last_answer, decisions = at["said"], at["decisions"]
    lost = sum(decision["loss"] for decision in decisions)
    return {
        **question_of(at["question"]),
        "hand": at["hand"],
        "said": last_answer and verdict_of(last_answer, last_answer["taken"]),
        "ended": at["ended"] and at["ended"] | {"opponent": symbols(at["ended"]["opponent"])},
        "uncertainty": None if at["uncertainty"] is None else f"{at['uncertainty']:.2f}",
        "count": len(decisions),
        "lost": f"{lost:,.2f}",
        "sums": [
            {"title": title, "rows": _loss_rows(decisions, key)}
            for title, key in (("Street", "street"), ("Class of hand", "class"))
        ],
    }


def _loss_rows(decisions: Sequence[Mapping[str, Any]], key: str) -> list[dict[str, Any]]:
    groups: dict[str, list[float]] = defaultdict(list)
    for decision in decisions:
        groups[decision[key]].append(decision["loss"])
    costly = sorted(groups.items(), key=lambda group: -sum(group[1]))
    return [
        {"name": name, "count": len(losses), "mean": f"{sum(losses) / len(losses):,.2f}"}
        for name, losses in costly
    ]


def drill_menus(cards: int, drill: str) -> dict[str, Any]:
    """Return the menus of a drill at a board of so many cards, with what is chosen."""
    words = drill.split(", ")
    made = [*reversed(MADE_HANDS)]
    draws = [] if cards == len(STREETS) + 2 else [*DRAWS]
    menus = (
        ("Street", "Any street", {name: name.capitalize() for name in STREETS[cards - 3 :]}),
        ("Board", "Any board", {name: TEXTURE_WORDS[name] for name in TEXTURES}),
        ("Hand", "Any hand", {name: name.capitalize() for name in (*made, *draws)}),
    )
    return {
        "menus": [
            {"title": title, "any": all_words, "ways": ways}
            for title, all_words, ways in menus
            if len(ways) > 1
        ],
        "chosen": words,
        "one_street": ONE_STREET,
        "words": drill,
    }


_TITLES: Final = {"street": "Street", "made": "Class of hand", "spot": "Spot", "day": "Day"}
_MOST_ROWS: Final = 20
_HOUR: Final = 3_600


def progress_of(progress: TrainedProgress, now: datetime) -> dict[str, Any]:
    """Return what the page of progress shows."""
    total = progress.sums["all"].get("")
    tables = []
    for key, title in _TITLES.items():
        sums = [*progress.sums[key].items()]
        if key == "street":
            sums.sort(key=lambda item: STREETS.index(item[0]))
        elif key != "day":  # the costliest first
            sums.sort(key=lambda item: -item[1].count * item[1].mean)
        rows = [
            {"name": name, "count": f"{costs.count:,}", "mean": lost_words(costs)}
            for name, costs in sums[:_MOST_ROWS]
        ]
        tables.append({"title": title, "rows": rows})
    left = None
    if progress.next_due is not None and not progress.due:
        left = due_words((progress.next_due - now).total_seconds())
    return {
        "words": total
        and f"{counted(total.count, 'decision')}, {lost_words(total)} of the pot lost in each",
        "tables": tables if total else [],
        "due": progress.due,
        "cards": progress.cards,
        "next": left,
    }


def due_words(seconds: float) -> str:
    """Say in how long a decision comes back.

    >>> due_words(40), due_words(600), due_words(7300), due_words(200_000)
    ('about 40 seconds', 'about 10 minutes', 'about 3 hours', 'about 3 days')
    """
    if seconds < _HOUR:
        return seconds_words(max(seconds, 1.0))
    if seconds < 24 * _HOUR:
        return f"about {-(-int(seconds) // _HOUR)} hours"
    return f"about {-(-int(seconds) // (24 * _HOUR))} days"


def lost_words(costs: TrainedSum) -> str:
    """Return the mean part of the pot that was lost, with its 95 % bound where there is one.

    >>> lost_words(TrainedSum(count=4, mean=0.02, variance=0.0004))
    '2.0 ± 2.0\u202f%'
    >>> lost_words(TrainedSum(count=1, mean=0.02, variance=0.0))
    '2.0\u202f%'
    """
    if costs.count < 2:
        return percent(costs.mean, 1)
    bound = Z_95 * math.sqrt(costs.variance / costs.count)
    return f"{number(100 * costs.mean, 1)} ± {percent(bound, 1)}"
