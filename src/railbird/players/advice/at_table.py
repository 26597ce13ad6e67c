"""What another player would do in somebody's place, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from railbird.errors import BadInput, RailbirdError
from railbird.game import Action, Event, Rules, View
from railbird.players.explanation import explanation_words
from railbird.players.policy import Distribution, Explaining, close, distribution_of, why_not
from railbird.players.protocol import Observer
from railbird.players.registry import make_player


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The decision of a player that knows this hand only."""

    player: str
    action: Action
    distribution: Distribution | None
    """None where the player does not know its probabilities."""
    reasons: str
    """Empty where it has none to give."""


def adviser_for(
    specs: Sequence[str], rules: Rules, *, carries_over: bool = False, explains: bool = False
) -> str:
    """Return the first player that can play a game, and say why it acts if it ``explains``.

    ``carries_over`` says that stacks go from hand to hand. Raises `BadInput` with the reason of the
    last one if none can.
    """
    why = "nobody to ask: no player is named"
    for spec in specs:
        try:
            player = make_player(spec, writes=False)
        except RailbirdError as problem:
            why = str(problem)
            continue
        try:
            refused = why_not(player, rules, carries_over=carries_over)
            if refused is None and explains and not isinstance(player, Explaining):
                refused = "it does not say why it acts"
        finally:
            close(player)
        if refused is None:
            return spec
        why = f"{spec} cannot play this game: {refused}"
    raise BadInput(why)


def advise(spec: str, dealt: View, news: Iterable[tuple[View, Event]], *, seed: int = 0) -> Advice:
    """Let a player see a hand so far, and ask it for the action of the last view's seat.

    ``dealt`` is the hand when the cards were dealt, ``news`` the events after that as the seat saw
    them, each with the view that it led to. Raises `RailbirdError` for what the player raises,
    which may be anybody's program.
    """
    player = make_player(spec, writes=False)
    try:
        player.reset(np.random.default_rng(seed))
        observer = player if isinstance(player, Observer) else None
        if observer is not None:
            observer.begin(dealt)
        shown = dealt
        for shown, event in news:
            if observer is not None:
                observer.observe(shown, event)
        distribution = distribution_of(player, shown)
        action = player.act(shown)
        reasons = explanation_words(player.explain(shown)) if isinstance(player, Explaining) else ""
    except RailbirdError:
        raise
    except (Exception, SystemExit) as problem:
        raise RailbirdError(f"{spec}: {type(problem).__name__}: {problem}") from problem
    finally:
        close(player)
    return Advice(player=spec, action=action, distribution=distribution, reasons=reasons)
