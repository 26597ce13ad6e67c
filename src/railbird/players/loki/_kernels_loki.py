"""Loki's decisions on the engine's vector, the same as those of `LokiPlayer`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards import CLASS_OF_HOLDING
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_pots import copy
from railbird.modelling._kernels_tracker import begin_hand, board_of, fill_field
from railbird.modelling.learned._kernels_learned_tracker import (
    Learned,
    begin_types,
    chance_of_folds,
)
from railbird.players.compiled._kernels_policies import next_fraction
from railbird.players.loki import _kernels_loki_layout as by
from railbird.players.loki._kernels_weighted_potential import (
    evaluate,
    fill_strengths,
    strength_now,
)
from railbird.players.loki.simulation._kernels_simulated_decision import (
    Extensions,
    simulated_verb,
)

_FLOP, _TURN, _RIVER = 1, 2, 3
_NO_BARREL, _BARREL = 0, 1


class Loki(NamedTuple):
    """Everything that the Lokis of a table know and keep; records as the layouts describe them."""

    players: np.ndarray
    """(players,) of `by.PLAYER`, by number; rows of others are not used."""
    table: np.ndarray
    """(1,) of `by.TABLE`."""
    trackers: np.ndarray
    """(trackers,) of `railbird.modelling._kernels_tracker_layout.TRACKER`."""
    boards: np.ndarray
    """(1,) of `railbird.modelling._kernels_tracker_layout.BOARDS`."""


class Spot(NamedTuple):
    """One decision; see `railbird.players.loki.rules.spot.Spot`."""

    seat: int
    street: int
    pot: int
    to_call: int
    bet_size: int
    bets: int
    cap: int
    bets_to_call: int
    is_in: bool
    checkers: int
    """Mask."""


@kernel
def begin(loki: Loki, seated: np.ndarray) -> None:
    """Begin a hand of the players in the seats."""
    for number in range(len(loki.trackers)):
        begin_hand(loki.trackers[number])
    for number in seated:
        player = loki.players[number]
        player["strategy"], player["barrel"] = by.UNDECIDED, _NO_BARREL
        if player["tracker"] >= 0:
            loki.trackers[player["tracker"]]["observes"] = 1
    for seat in range(len(seated)):
        loki.table[0]["seated"][seat] = seated[seat]
    loki.table[0]["ranked_on"] = 0


@kernel
def begin_learned(loki: Loki, learned: Learned, seated: np.ndarray) -> None:
    """Begin a hand of those who learn types, after `begin`."""
    learned.classes[0]["raised"] = 0
    for number in range(len(loki.trackers)):
        tracker = loki.trackers[number]
        if tracker["learner"] >= 0 and tracker["observes"] != 0:
            begin_types(learned.evidence[tracker["learner"]], seated)


@inline_kernel
def _put_in(hand: np.ndarray, seat: int) -> int:
    chips: int = hand[at.HEADER + at.STRIDE * seat + at.IN]
    return chips


@kernel
def _spot_of(hand: np.ndarray, table: np.ndarray) -> Spot:
    """Extract the decision of the seat to act; see `spot_of`."""
    seat, street, to_call = hand[at.ACTOR], hand[at.STREET], hand[at.TO_CALL]
    preflop = int(street == 0)
    size = hand[at.BET_SIZE + street]
    checkers = 0
    for other in range(hand[at.SEATS]):
        has_acted = (hand[at.ALIVE] & hand[at.ACTED]) >> other & 1
        if has_acted and not preflop and other != seat and _put_in(hand, other) == 0:
            checkers |= 1 << other
    return Spot(
        seat,
        street,
        hand[at.POT],
        to_call,
        size,
        hand[at.RAISES] + preflop,
        table["caps"][street] + preflop,
        -(-to_call // size),
        _put_in(hand, seat) > (table["blinds"][seat] if preflop else 0),
        checkers,
    )


@inline_kernel
def _make(bets: int, spot: Spot) -> int:
    """Return what brings the street to so many bets and calls more; see `betting.make`."""
    verb = by.FOLD
    if spot.bets < bets:
        verb = by.RAISE
    elif (
        spot.bets_to_call == 0 or bets >= 2 or (bets > 0 and (spot.is_in or spot.bets_to_call < 2))
    ):
        verb = by.CALL
    return verb


@inline_kernel
def _cell_of(blinds: np.ndarray, seat: int, raised: bool) -> int:
    """Return the place of a situation in `measured_preflop.CELLS`."""
    kind = 0
    if blinds[seat] != 0:
        kind = 2 if blinds[seat] == np.max(blinds) else 1
    return 2 * kind + (1 if raised else 0)


@kernel
def _choose(hand: np.ndarray, table: np.ndarray, player: np.ndarray, seat: int) -> int:
    """Choose the strategy for the first street; see `LokiPlayer._choose` and `preflop_spot`."""
    seats, alive, first = hand[at.SEATS], hand[at.ALIVE], table["small_blind"]
    guaranteed, others, position = 0, 0, 0
    for other in range(seats):
        if alive >> other & 1:
            if other == seat or _put_in(hand, other) > 0:
                guaranteed += 1
            else:
                others += 1
            if other != seat and (seat == first or (other - seat) % seats < (first - seat) % seats):
                position += 1
    cell = int(seat == first and hand[at.BET] > _put_in(hand, seat))
    if player["measured"] != 0:
        cell = _cell_of(table["blinds"][:seats], seat, hand[at.RAISES] > 0)
    group = table["group"][guaranteed, others]
    holding = hand[at.HEADER + at.STRIDE * seat + at.HOLDING]
    rate = table["rates"][group, CLASS_OF_HOLDING[holding]]
    least = player["thresholds"][group, position, cell]
    chosen = 0
    for strategy in range(len(least)):
        if rate >= least[strategy]:
            chosen = strategy
    return chosen


@kernel
def _before_flop(hand: np.ndarray, table: np.ndarray, player: np.ndarray, spot: Spot) -> int:
    """Return the intended action before the flop."""
    if player["strategy"] == by.UNDECIDED:
        player["strategy"] = _choose(hand, table, player, spot.seat)
    strategy = player["strategy"]
    if strategy == by.CALL1:
        return by.CALL if spot.is_in or spot.bets_to_call < 2 else by.FOLD
    if strategy == by.CALL2:
        return by.CALL
    return _make(spot.cap if strategy == by.MAKE4 else int(strategy // 2), spot)


@inline_kernel
def _counted(spot: Spot, opponents: int, player: np.ndarray) -> int:
    """Return a mask of the opponents that the hand must be ahead of; see `player._counted`."""
    counted = opponents
    if player["counts_checkers"] == 0:
        counted = opponents & ~spot.checkers
    if counted == 0 or player["opponents"] == by.ONE:
        counted = opponents & -opponents
    return counted


@kernel
def _evaluate(
    hand: np.ndarray, loki: Loki, player: np.ndarray, spot: Spot
) -> tuple[float, float, float, float]:
    """Return the HS against one opponent and against all, PPot and NPot; see `worth`."""
    table, boards, tracked = loki.table[0], loki.boards[0], player["tracker"]
    board = board_of(hand, spot.street)
    if table["ranked_on"] != spot.street:
        table["ranked_on"] = spot.street
        fill_strengths(board, table["level"], table["later"])
    opponents = hand[at.ALIVE] & ~(1 << spot.seat)
    counted = _counted(spot, opponents, player)
    holding = hand[at.HEADER + at.STRIDE * spot.seat + at.HOLDING]
    field = np.empty(1326)
    if tracked >= 0:
        fill_field(loki.trackers[tracked], boards, hand, opponents, field)
    else:
        copy(player["fixed"], field, len(field))
    hs1, ppot, npot = evaluate(holding, board, table["level"], table["later"], field)
    hs, count = 1.0, 0
    for seat in range(hand[at.SEATS]):
        if counted >> seat & 1:
            count += 1
            if player["opponents"] == by.EACH:
                weights = player["fixed"][:]
                if tracked >= 0:
                    weights = loki.trackers[tracked]["weights"][seat, spot.street + 1]
                hs *= strength_now(holding, table["level"], weights)
    if player["opponents"] != by.EACH:
        hs = math.pow(hs1, float(count))
    return hs1, hs, ppot, npot


@inline_kernel
def _semi_bluff_odds(spot: Spot) -> float:
    return 2 * spot.bet_size / (spot.pot + 6 * spot.bet_size)


@inline_kernel
def _pot_odds(spot: Spot) -> float:
    return spot.to_call / (spot.pot + spot.to_call)


@inline_kernel
def _showdown_odds(spot: Spot) -> float:
    more = spot.bet_size * (4 if spot.street == _FLOP else 1 if spot.street == _TURN else 0)
    cost = spot.to_call + more
    return cost / (spot.pot + cost + more)


@inline_kernel
def _checkers_behind(hand: np.ndarray, spot: Spot) -> bool:
    """Tell whether some opponent has not checked yet."""
    return bool(hand[at.ALIVE] & ~(1 << spot.seat) & ~spot.checkers != 0)


@kernel
def _bluffs(
    hand: np.ndarray,
    loki: Loki,
    extensions: Extensions | None,
    number: int,
    spot: Spot,
    hs: float,
    ppot: float,
) -> bool:
    """Tell whether folds pay for a bet; see `betting.folds_asked`."""
    if extensions is not None:  # without them nobody bets by what is learned
        tracker = loki.trackers[loki.players[number]["tracker"]]
        folds = chance_of_folds(
            tracker, loki.boards[0], extensions.learned, hand, loki.table[0]["blinds"]
        )
        gain = (1.0 - hs) * spot.pot
        cost = (1.0 - 2.0 * ppot) * spot.bet_size
        return bool(cost <= 0.0 or folds >= cost / (cost + gain))
    return False


@kernel
def _by_rules(
    hand: np.ndarray,
    loki: Loki,
    extensions: Extensions | None,
    number: int,
    spot: Spot,
    streams: np.ndarray,
) -> int:
    """Return the intended action from the flop on: `betting.rule`, then `deception.disguise`."""
    player = loki.players[number]
    if spot.bets_to_call > 0:
        player["barrel"] = _NO_BARREL
    hs1, hs, ppot, npot = _evaluate(hand, loki, player, spot)
    make1, make2 = player["make1"], player["make2"]
    jitter = player["jitter"]
    if jitter != 0.0:
        make1 += jitter * (2.0 * next_fraction(streams, number) - 1.0)
        make2 += jitter * (2.0 * next_fraction(streams, number) - 1.0)
    river = spot.street == _RIVER
    value = hs + (1.0 - hs) * ppot if player["potential"] != 0 else hs
    other, chance, is_semi_bluff = -1, 0.0, False
    if value >= make2:
        verb = _make(spot.cap if player["to_cap"] != 0 else 2, spot)
        if verb == by.RAISE and spot.bets == 0 and _checkers_behind(hand, spot):
            other, chance = by.CALL, player["check_raise"]
    elif value >= make1 and _make(1, spot) != by.FOLD:
        verb = _make(1, spot)
        if verb == by.CALL and spot.bets_to_call > 0:
            other, chance = by.RAISE, player["balancing_raise"]
    elif spot.bets_to_call == 0:
        draws = not river and ppot >= _semi_bluff_odds(spot)
        verb = by.CALL
        if player["fold_equity"] != 0:
            if _bluffs(hand, loki, extensions, number, spot, hs, ppot):
                verb = by.RAISE
        elif player["semi_bluff"] != 0 and (player["barrel"] == _BARREL or draws):
            verb, is_semi_bluff = by.RAISE, True
        if verb == by.CALL and river and hs1 < player["bluff_below"]:
            other, chance = by.RAISE, player["river_bluff"]
    else:
        verb = by.FOLD
        if player["pot_odds"] != 0 and (hs if river else ppot) >= _pot_odds(spot):
            verb = by.CALL
        elif player["showdown_odds"] != 0 and not river:
            ehs = hs + (1.0 - hs) * ppot - hs * npot
            if ehs >= _showdown_odds(spot):
                verb = by.CALL
    if is_semi_bluff:
        player["barrel"] = _BARREL
    if chance > 0.0 and next_fraction(streams, number) < chance:
        verb = other
    return verb


@kernel
def _after_flop(
    hand: np.ndarray,
    loki: Loki,
    extensions: Extensions | None,
    number: int,
    spot: Spot,
    streams: np.ndarray,
) -> int:
    """Return the intended action from the flop on."""
    if extensions is not None:  # without them it is not compiled
        player = loki.players[number]
        if player["trials"] > 0:
            tracker = loki.trackers[player["tracker"]]
            if player["jitter"] != 0.0:  # drawn for thresholds, which explanations show
                next_fraction(streams, number)
                next_fraction(streams, number)
            return simulated_verb(
                hand, loki.table[0], tracker, loki.boards[0], extensions,
                player["trials"], number, streams,
            )  # fmt: skip
    return _by_rules(hand, loki, extensions, number, spot, streams)


@kernel
def choose(
    hand: np.ndarray,
    loki: Loki,
    extensions: Extensions | None,
    number: int,
    streams: np.ndarray,
) -> int:
    """Return Loki's action as the engine's code: the nearest legal one to what it intends."""
    spot = _spot_of(hand, loki.table[0])
    if spot.street == 0:
        verb = _before_flop(hand, loki.table[0], loki.players[number], spot)
    else:
        verb = _after_flop(hand, loki, extensions, number, spot, streams)
    action = at.CALL
    if verb == by.RAISE and hand[at.NO_RAISE] == 0:
        action = hand[at.LOW_TO]
    elif verb == by.FOLD and hand[at.TO_CALL] > 0:
        action = at.FOLD
    return action
