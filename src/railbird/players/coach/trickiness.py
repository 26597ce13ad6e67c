"""A trickiness filter: slow-plays strong hands and bluffs with weak ones on some streets.

After Kan (2007, section 5.4.2), whose program did so on the flop.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from railbird.game import Action, Call, Fold, Raise, Street, View
from railbird.odds import Tables, open_tables
from railbird.odds.tables.rank_tables import HR7_WHOLE
from railbird.players.coach.settings import STRONG, TRICKY, WEAK
from railbird.players.policy import Distribution, RaiseSizes


def tricked(action: Action, view: View, streets: frozenset[Street]) -> Action:
    """Return what the filter may make of an action: a call of a bet, a bet of a check or a fold."""
    state = view.state
    if state.street not in streets:
        return action
    rank = _rank(view)
    if isinstance(action, Raise) and rank >= STRONG:
        return Call()
    gives_in = isinstance(action, Fold) or (isinstance(action, Call) and not state.to_call)
    if gives_in and rank < WEAK and state.min_raise_to is not None:
        return Raise(state.min_raise_to)
    return action


def filtered(
    action: Action, view: View, streets: frozenset[Street], rng: np.random.Generator
) -> Action:
    """Return the action, or sometimes what the filter makes of it."""
    changed = tricked(action, view, streets)
    return changed if changed != action and rng.random() < TRICKY else action


def mixed(said: Distribution, view: View, streets: frozenset[Street]) -> Distribution:
    """Return the probabilities of `filtered` actions from those of the actions."""
    fold, call = said.fold, said.call
    raises = list(said.raises)
    to = view.state.min_raise_to
    for action, chance in ((Fold(), said.fold), (Call(), said.call)):
        if chance and tricked(action, view, streets) != action and to is not None:
            raises.append(RaiseSizes(to, to, TRICKY * chance))
            fold -= TRICKY * chance if isinstance(action, Fold) else 0
            call -= TRICKY * chance if isinstance(action, Call) else 0
    if said.raises and tricked(Raise(said.raises[0].low), view, streets) == Call():
        total = sum(sizes.probability for sizes in said.raises)
        raises = [replace(sizes, probability=(1 - TRICKY) * sizes.probability) for sizes in raises]
        call += TRICKY * total
    return Distribution(fold=fold, call=call, raises=tuple(raises))


def _rank(view: View) -> float:
    """Return the mean rank of the own hand on the river, 0 to 1."""
    tables, street = _tables(), view.state.street
    if street is Street.PREFLOP:
        return 0.5  # nothing is strong or weak yet
    place = tables.place(view.state.board, view.holding)
    entries = {Street.FLOP: tables.flop_hr7, Street.TURN: tables.turn_hr7}
    table = entries.get(street, tables.river_ihr)
    return float(table[place]) / HR7_WHOLE[street]


@cache
def _tables() -> Tables:
    return open_tables()
