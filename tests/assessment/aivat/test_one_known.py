"""AIVAT with one player known: no card and no action has a mean effect, whatever the values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from helpers.limit_by_enumeration import (
    BEFORE,
    BOARD,
    DISJOINT,
    HELD,
    TREE,
    ByRanks,
    Groups,
    PlayedByMatrices,
    random_values,
    stake,
    zero_values,
)
from railbird.assessment.aivat._kernels_one_known import showdown_edges
from railbird.assessment.aivat.one_known import OneKnownScorer
from railbird.assessment.aivat.seats import SeatedPair
from railbird.assessment.aivat.settings import Exact
from railbird.cards import HOLDING_CARDS, HOLDINGS, parse_holding
from railbird.errors import BadInput
from railbird.odds import equity
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit import CALL, FOLD, RAISE
from railbird.solve.limit.pair_values import PairValues
from railbird.solve.real_game.opponents import BoardTable

KNOWN = pytest.mark.parametrize("known", [(True, False), (False, True)])


def scorer(
    known: tuple[bool, bool], values: PairValues, exact: Exact = Exact.RIVER
) -> OneKnownScorer:
    pair = SeatedPair(
        strategies=(ByRanks(1), ByRanks(2)), is_known=known, values=values, abstraction=Groups()
    )
    return OneKnownScorer(pair, exact=exact)


class Spot:
    """The start of the turn or of the river, from the unknown player's side."""

    def __init__(self, known: tuple[bool, bool], street: int) -> None:
        self.slow = PlayedByMatrices(known)
        self.street, self.board = street, BOARD[: street + 2]
        to = self.slow.to_the_turn if street == 2 else self.slow.to_the_river
        self.sides, self.sequence = to()
        self.known = int(np.argmax(known))
        self.sign = 1 if self.known == 1 else -1
        self.held = HELD[1 - self.known]
        self.weights = self.sides[self.known] * DISJOINT[self.held]

    def played(self, score: OneKnownScorer, actions: list[int]) -> float:
        """Return the value of the round and what the unknown player's actions changed."""
        between = [CALL, CALL] if self.street == 3 else []
        paths = score._paths([*BEFORE, *between, *actions])
        found = score._play(
            self.street,
            self.sequence,
            boards_of(score, self.board),
            self.held,
            self.weights,
            edges_on(self.board, self.held),
            self.board,
            paths,
        )
        return found.value + found.deviation


def boards_of(score: OneKnownScorer, board: npt.NDArray[np.uint8]) -> tuple[BoardTable, ...]:
    boards = score._first
    for count in range(3, len(board) + 1):
        boards = score.pair.on(board[:count], boards)
    return boards


def edges_on(board: npt.NDArray[np.uint8], holding: int) -> npt.NDArray[np.float64]:
    edges = np.empty(HOLDINGS)
    showdown_edges(holding, board, edges)
    return edges


@KNOWN
def test_actions_on_the_river_add_nothing_on_average(known: tuple[bool, bool]) -> None:
    """The unknown player does not play as the model has it, which makes no difference."""
    spot, score = Spot(known, 3), scorer(known, random_values(3))
    lines = list(spot.slow.lines(spot.sides, BOARD, spot.sequence))
    true = spot.sign * sum(line.probability * line.payoff for line in lines)
    found = [spot.played(score, line.actions) for line in lines]
    mean = sum(line.probability * x for line, x in zip(lines, found, strict=True))
    assert mean == pytest.approx(true, abs=1e-6)
    assert np.std(found) > 0.1, "what deviates from the model remains"


@KNOWN
def test_actions_before_the_river_have_the_mean_of_the_ends(known: tuple[bool, bool]) -> None:
    spot, score = Spot(known, 2), scorer(known, random_values(4))
    part, (constant, slope) = TREE.rounds[2], score._lines[3]
    true = mean = 0.0
    for actions, probability, after, slot in spot.slow.plays(spot.sides, BOARD[:4], spot.sequence):
        mean += probability * spot.played(score, actions)
        if part.kind[slot] == FOLD:
            true += probability * spot.sign * stake(2, spot.sequence, slot, 0.0)
            continue
        end = int(np.searchsorted(part.end_slot, slot)) * part.sequences + spot.sequence
        weights = after[spot.known] * DISJOINT[spot.held]
        edge = weights @ edges_on(BOARD[:4], spot.held) / weights.sum()
        true += probability * (constant[end] + slope[end] * edge)
    assert mean == pytest.approx(true, abs=1e-6)


def test_a_card_changes_no_edge_on_average() -> None:
    """So the line's value before a card is the mean of those after it."""
    held = HELD[0]
    for count in (3, 4):
        edges, total = edges_on(BOARD[:count], held), np.zeros(HOLDINGS)
        for card in np.setdiff1d(np.arange(52), [*BOARD[:count], *HOLDING_CARDS[held]]):
            total += edges_on(np.append(BOARD[:count], np.uint8(card)), held)
        np.testing.assert_allclose(edges, total / (48 - count), atol=1e-12)
        assert not edges[is_blocked(BOARD[:count]) | ~DISJOINT[held].astype(bool)].any()


def test_edges_are_those_of_showdowns() -> None:
    mine, other = (int(parse_holding(text)) for text in ("Kd9s", "QhTh"))
    shares = [player.equity for player in equity(["Kd9s", "QhTh"], "Ah7h2c").players]
    assert edges_on(BOARD[:3], mine)[other] == pytest.approx(shares[0] - shares[1])


@KNOWN
def test_exact_turns_end_in_the_mean_of_all_rivers(known: tuple[bool, bool]) -> None:
    spot, score = Spot(known, 2), scorer(known, zero_values(), Exact.TURN)
    boards = boards_of(score, BOARD[:4])
    part = TREE.rounds[2]
    constant, slope = score._ends(2, spot.sequence, boards, spot.held, spot.weights, BOARD[:4])
    assert not slope.any()
    actions, _, after, slot = next(
        line
        for line in spot.slow.plays(spot.sides, BOARD[:4], spot.sequence)
        if part.kind[line[3]] != FOLD
    )
    end = int(np.searchsorted(part.end_slot, slot))
    weights = after[spot.known] * DISJOINT[spot.held]
    total = 0.0
    for card in np.setdiff1d(np.arange(52), [*BOARD[:4], *HOLDING_CARDS[spot.held]]):
        whole = np.append(BOARD[:4], np.uint8(card))
        left = np.where(is_blocked(whole), 0.0, weights)
        found = score._play(
            3,
            end * part.sequences + spot.sequence,
            score.pair.on(whole, boards),
            spot.held,
            left,
            edges_on(whole, spot.held),
            whole,
            [[], [], [], []],
        )
        total += left.sum() * found.value
    assert constant[end] / TREE.chips_per_unit == pytest.approx(
        total / weights.sum() / 44, abs=1e-5
    ), actions


def test_a_line_that_the_known_player_never_plays_has_no_estimate() -> None:
    score = scorer((True, False), random_values(1))
    part = TREE.rounds[0]
    seat_0 = next(n for n in range(part.nodes) if part.player[n] == 0)
    assert part.player[0] == 1, "seat 1 acts first before the flop"
    table = np.array(score._first[0].table)
    raises = [
        s
        for s in range(part.first_slot[seat_0], part.first_slot[seat_0 + 1])
        if part.kind[s] == RAISE
    ]
    table[:, raises] = 0
    table.flags.writeable = False
    score._first = (score._first[0]._replace(table=table), score._first[1])
    assert np.isnan(score.score(HELD, BOARD[:0], [CALL, RAISE, FOLD]))
    assert np.isfinite(score.score(HELD, BOARD[:3], [CALL, CALL, CALL, RAISE, FOLD]))


def test_two_known_players_are_refused() -> None:
    with pytest.raises(BadInput, match="one known"):
        scorer((True, True), zero_values())
