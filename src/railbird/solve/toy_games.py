"""Toy games of two players: Kuhn poker (1950) and Leduc hold'em (Southey et al. 2005).

Their values are known, so they serve to test solvers of any game of two players.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird.solve.cfr import Chance, Decision, Game, Node, Terminal, compile_game

_FOLD, _SHOW = 0, 1


def kuhn() -> Game:
    """Build the game; the states are jack, queen and king."""
    deal = (1 - np.eye(3)) / 6
    card = np.arange(3)
    wins = deal * np.sign(card[:, None] - card[None, :])
    facing_check = Decision(
        1,
        "after a check",
        ("check", "bet"),
        (
            Terminal(_SHOW, 1),
            Decision(
                0, "after check, bet", ("fold", "call"), (Terminal(_FOLD, -1), Terminal(_SHOW, 2))
            ),
        ),
    )
    facing_bet = Decision(
        1, "after a bet", ("fold", "call"), (Terminal(_FOLD, 1), Terminal(_SHOW, 2))
    )
    root = Decision(0, "first", ("check", "bet"), (facing_check, facing_bet))
    return compile_game(root, [deal, wins], state_names="JQK")


# Leduc hold'em (Southey et al. 2005): six cards, a private one each, one for the board.
#
# Antes are 1, bets 2 in the first round and 4 in the second, with a bet and a raise a round. A pair
# with the board wins, otherwise the higher card. Suits do not matter, so the states are the three
# ranks with their probabilities.


_NAMES = "JQK"
_RANKS, _SUITS = len(_NAMES), 2
_ANTE = 1
_BETS = (2, 4)
_MOST_BETS = 2


def leduc() -> Game:
    """Build the game, worth -0.0856 to the first player; the states are jack, queen and king."""
    matrices = [_deal()]
    for board in range(_RANKS):
        dealt = _deal(board)
        hand = np.arange(_RANKS) + _RANKS * (np.arange(_RANKS) == board)
        matrices += [dealt, dealt * np.sign(hand[:, None] - hand[None, :])]
    root = _round(0, None, (_ANTE, _ANTE), 0, 0, (), "")
    return compile_game(root, matrices, state_names=_NAMES)


def _deal(board: int | None = None) -> npt.NDArray[np.float64]:
    """Return (3, 3) the probability of both players' ranks and, if given, the board's rank."""
    own = np.eye(_RANKS)
    pairs: npt.NDArray[np.float64] = _SUITS * (_SUITS - own) / 30
    if board is not None:
        pairs *= (_SUITS - own[board][:, None] - own[board][None, :]) / 4
    return pairs


def _round(
    street: int,
    board: int | None,
    paid: tuple[int, int],
    to_act: int,
    bets: int,
    line: tuple[str, ...],
    previous_round: str,
) -> Node:
    """Build the tree of a round from a decision on.

    ``line`` are the actions of this round, ``previous_round`` those of the round before.
    """
    opponent = 1 - to_act
    behind = paid[to_act] < paid[opponent]
    actions: list[str] = []
    children: list[Node] = []
    if behind:
        actions.append("fold")
        fold = 0 if board is None else 1 + 2 * board
        children.append(Terminal(fold, paid[to_act] if to_act else -paid[to_act]))
    passive = (*line, "call" if behind else "check")
    actions.append(passive[-1])
    level = (paid[opponent], paid[opponent])
    children.append(
        _close(street, board, level, passive)
        if line
        else _round(street, board, level, opponent, bets, passive, previous_round)
    )
    if bets < _MOST_BETS:
        aggressive = (*line, "raise" if behind else "bet")
        actions.append(aggressive[-1])
        more = [paid[0], paid[1]]
        more[to_act] = paid[opponent] + _BETS[street]
        children.append(
            _round(
                street, board, (more[0], more[1]), opponent, bets + 1, aggressive, previous_round
            )
        )
    where = ": ".join(filter(None, [previous_round, ", ".join(line)])) or "first"
    return Decision(to_act, where, tuple(actions), tuple(children))


def _close(street: int, board: int | None, paid: tuple[int, int], line: tuple[str, ...]) -> Node:
    if board is not None:
        return Terminal(2 + 2 * board, paid[0])
    before = ", ".join(line)
    return Chance(
        tuple(
            _round(street + 1, card, paid, 0, 0, (), f"{before}; board {_NAMES[card]}")
            for card in range(_RANKS)
        )
    )
