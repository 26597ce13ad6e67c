"""Answers of other players, and of the push/fold equilibrium, to one person's decisions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from railbird.assessment.own_play.pushfold_spots import solved
from railbird.assessment.own_play.settings import ADVISERS
from railbird.game import Act, Rules
from railbird.game.notation import name_of
from railbird.histories import HandRecord
from railbird.histories.columns import PackedHands, records_of
from railbird.players import make_player
from railbird.players.advice.at_table import adviser_for as first_able
from railbird.players.advice.recorded_hands import Asked, answers
from railbird.players.explanation import action_words, explanation_words
from railbird.players.policy import Explaining, close
from railbird.progress import Progress

SCHEMA = {
    "row": pl.Int64,
    "act": pl.Int64,
    "played": pl.String,
    "house": pl.String,
    "why": pl.String,
    "agrees": pl.Boolean,
    "best": pl.String,
    "frequency": pl.Float64,
    "given_up": pl.Float64,
}
"""Columns of `Advice.rows`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What another player would have done, decision by decision."""

    adviser: str
    """Spec of the player that was asked."""
    rows: pl.DataFrame
    """A row for each decision that it answered: ``row`` of the hand, ``act``, the number of the
    action in the hand, both from 0; ``played``, ``house`` and ``why`` in words; ``agrees`` if both
    fold, check, call, bet or raise, whatever the size; ``best``, ``frequency`` and ``given_up``
    (big blinds) by the push/fold equilibrium, null where it has no answer."""


def adviser_for(rules: Rules, spec: str | None = None) -> str:
    """Return the player to ask in a game: the one named, or the first of `ADVISERS` that plays it.

    Raises `BadInput` for a player that cannot play the game.
    """
    chosen = ADVISERS.get(rules.betting, ("baseline",)) if spec is None else (spec,)
    return first_able(chosen, rules)


def advice_on(
    hands: PackedHands, name: str, adviser: str, *, progress: Progress | None = None
) -> Advice:
    """Ask a player about every decision of one participant; it is told the hands in their order.

    Hands in which the participant's cards are not known are left out.
    """
    player = make_player(adviser, writes=False)
    rows = []
    try:
        for place, asked in answers(player, _records(hands, progress), name):
            judged = solved(asked.view.state, asked.view.holding, asked.played)
            why = ""
            if isinstance(player, Explaining):
                why = explanation_words(player.explain(asked.view))
            rows.append((place, _act(asked), *_words(asked), why, _agree(asked), *(judged or ())))
    finally:
        close(player)
    filled = [row + (None,) * (len(SCHEMA) - len(row)) for row in rows]
    frame = pl.DataFrame(filled, schema=SCHEMA, orient="row")
    return Advice(adviser=adviser, rows=frame)


def _records(hands: PackedHands, progress: Progress | None) -> Iterable[HandRecord]:
    done = 0
    for batch in hands.batches():
        for record in records_of(batch):
            if progress is not None and done % 100 == 0:
                progress(done, len(hands), "hands asked about")
            done += 1
            yield record


def _act(asked: Asked) -> int:
    """Number the decision among the actions of its hand, from 0."""
    return sum(isinstance(step.event, Act) for step in asked.before)


def _words(asked: Asked) -> tuple[str, str]:
    state = asked.view.state
    return action_words(asked.played, state), action_words(asked.action, state)


def _agree(asked: Asked) -> bool:
    state = asked.view.state
    names = [
        name_of(action, to_call=state.to_call, bet=state.bet)
        for action in (asked.played, asked.action)
    ]
    return names[0] is names[1]
