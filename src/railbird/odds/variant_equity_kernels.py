"""Showdowns of any variant: all deals in order, random deals, boards by tables of three cards."""

# A deal is the known cards and the missing ones of each player and of each board. Who has which
# share is settled in one place, `share_pot`, in whole parts of a pot, so sums are integers and no
# result depends on how the work is cut.
#
# - `play_all_deals` counts through the missing cards: groups (each player's, each board's) are
#   combinations of what the groups before them leave, stepped like the digits of a number.
# - `play_dealt` shuffles the first cards of the deck for each deal.
# - `count_boards` is for games of two own cards, all of them known, before the flop. Each player's
#   table (`cards.rankings_kernels.best_with_three`) is laid out by the cards that are left, so a
#   board a < b < c < d < e takes ten entries: three lie behind each other as the pair a, b runs,
#   seven depend on at most one of its cards and are joined beforehand. Outcomes are counted by who
#   wins which share, and settled once each. Heads-up before the flop are 1,086,008 boards.
#
# Who would notice: tests/twins/test_variant_equity_twins.py deals every card by the rules.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards.rankings_kernels import (
    TRIPLES_OF_BOARD,
    add_triples,
    any_strength,
    best_with_two,
)
from railbird.odds.equity_kernels import SHARES, fill_random

CHOOSE = np.zeros((53, 53), dtype=np.int64)
CHOOSE[:, 0] = 1
for _n in range(1, 53):
    CHOOSE[_n, 1:] = np.minimum(CHOOSE[_n - 1, 1:] + CHOOSE[_n - 1, :-1], 2**62)
CHOOSE.setflags(write=False)

_HALF = np.uint64(32)
_DEALS = 64
"""Deals for which random numbers are made at once."""


class Sharing(NamedTuple):
    """How a pot is shared."""

    rankings: np.ndarray
    """(shares,) int64."""
    least: np.ndarray
    """(shares,) uint16: the least strength that can win."""
    two: bool
    """Whether a hand is two own cards and three of the board."""


class PotTally(NamedTuple):
    """What came out, added up over deals; cells are boards times shares."""

    parts: np.ndarray
    """(players, whole + 1) int64: deals by the parts of the pot that a player had of them."""
    wins: np.ndarray
    """(cells, players) int64: best alone."""
    ties: np.ndarray
    """(cells, players) int64: one of several best."""
    shares: np.ndarray
    """(cells, players) int64: parts of pots."""


@uncounted_kernel
def share_pot(
    strengths: np.ndarray, boards: int, times: int, got: np.ndarray, tally: PotTally
) -> None:
    """Share so many pots: ``strengths`` (cells, players) uint16, 0 of hands that cannot win.

    ``got`` (players,) int64 is scratch. Of two shares the one that nobody wins goes to the other.
    """
    players = got.size
    shares = len(strengths) // boards
    got[:] = 0
    for board in range(boards):
        awarded = 0
        for cell in range(board * shares, (board + 1) * shares):
            best = np.uint16(0)
            for p in range(players):
                best = max(best, strengths[cell, p])
            awarded += int(best > 0)
        for cell in range(board * shares, (board + 1) * shares):
            best = np.uint16(1)
            winners = 0
            for p in range(players):
                strength = strengths[cell, p]
                winners = 1 if strength > best else winners + int(strength == best)
                best = max(best, strength)
            if winners == 0:
                continue
            amount = SHARES * shares // (awarded * winners)
            for p in range(players):
                if strengths[cell, p] == best:
                    got[p] += amount
                    tally.shares[cell, p] += times * amount
                    if winners == 1:
                        tally.wins[cell, p] += times
                    else:
                        tally.ties[cell, p] += times
    for p in range(players):
        tally.parts[p, got[p]] += times


@uncounted_kernel
def _place_of(a: int, b: int, c: int) -> int:
    """Return the place of three ascending cards in a table by three cards."""
    place: int = CHOOSE[c, 3] + CHOOSE[b, 2] + a
    return place


@uncounted_kernel
def _rank_deal(
    holes: np.ndarray,
    boards: np.ndarray,
    rules: Sharing,
    tabled: np.ndarray,
    tables: np.ndarray,
    strengths: np.ndarray,
    triples: np.ndarray,
    places: np.ndarray,
    best: np.ndarray,
) -> None:
    """Fill in ``strengths`` (cells, players) of a deal whose cards are all known.

    ``tabled`` (players,) bool: whether ``tables`` (shares, players, 22100) has the hand.
    """
    players, shares = len(holes), rules.rankings.size
    for b in range(len(boards)):
        board = boards[b]
        if rules.two:
            for i in range(1, 5):  # insertion sort
                card, j = board[i], i
                while j > 0 and board[j - 1] > card:
                    board[j] = board[j - 1]
                    j -= 1
                board[j] = card
            add_triples(board, triples)
            n = 0
            for k in range(2, 5):
                for j in range(1, k):
                    for i in range(j):
                        places[n] = _place_of(board[i], board[j], board[k])
                        n += 1
        for p in range(players):
            if rules.two:
                if tabled[p]:
                    for s in range(shares):
                        best[s] = 0
                        for t in range(TRIPLES_OF_BOARD):
                            best[s] = max(best[s], tables[s, p, places[t]])
                else:
                    best_with_two(holes[p], board, triples, rules.rankings, best)
            else:
                for s in range(shares):
                    best[s] = any_strength(holes[p], board, rules.rankings[s])
            for s in range(shares):
                enough = best[s] >= rules.least[s]
                strengths[b * shares + s, p] = best[s] if enough else np.uint16(0)


@uncounted_kernel
def _combination(rank: int, size: int, chosen: np.ndarray) -> None:
    """Fill in the ascending places of a combination of ``size`` things."""
    n = size
    for i in range(chosen.size - 1, -1, -1):
        n -= 1
        while CHOOSE[n, i + 1] > rank:
            n -= 1
        chosen[i] = n
        rank -= CHOOSE[n, i + 1]


@uncounted_kernel
def _step(chosen: np.ndarray) -> None:
    i = 0
    while i + 1 < chosen.size and chosen[i] + 1 == chosen[i + 1]:
        chosen[i] = i
        i += 1
    if i < chosen.size:
        chosen[i] += 1


@kernel
def play_all_deals(
    holes: np.ndarray,
    boards: np.ndarray,
    missing: np.ndarray,
    deck: np.ndarray,
    rules: Sharing,
    tabled: np.ndarray,
    tables: np.ndarray,
    start: int,
    stop: int,
    tally: PotTally,
) -> None:
    """Settle deals start..stop of all that the cards of ``deck`` make.

    ``holes`` (players, k) and ``boards`` (boards, m) uint8 have room for the ``missing``
    (players + boards,) int64 cards at the end of each row; both are overwritten.
    """
    players, groups = len(holes), missing.size
    strengths = np.zeros((len(boards) * rules.rankings.size, players), dtype=np.uint16)
    triples = np.empty(TRIPLES_OF_BOARD, dtype=np.uint64)
    places = np.empty(TRIPLES_OF_BOARD, dtype=np.int64)
    best = np.empty(rules.rankings.size, dtype=np.uint16)
    got = np.empty(players, dtype=np.int64)
    known = boards.copy()
    pools = np.empty((groups + 1, deck.size), dtype=np.uint8)
    pools[0] = deck
    chosen = np.zeros((groups, 52), dtype=np.int64)
    ranks = np.zeros(groups, dtype=np.int64)
    sizes = np.zeros(groups, dtype=np.int64)
    left = np.zeros(groups + 1, dtype=np.int64)
    left[0] = deck.size
    for g in range(groups):
        sizes[g] = CHOOSE[left[g], missing[g]]
        left[g + 1] = left[g] - missing[g]
    rest = start
    for g in range(groups - 1, -1, -1):
        ranks[g] = rest % sizes[g]
        rest //= sizes[g]
        _combination(ranks[g], left[g], chosen[g, : missing[g]])
    changed = 0
    for _ in range(start, stop):
        for g in range(changed, groups):
            place = 0
            n = 0
            for i in range(left[g]):
                if place < missing[g] and chosen[g, place] == i:
                    place += 1
                    card = pools[g, i]
                    if g < players:
                        holes[g, holes.shape[1] - place] = card
                    else:
                        known[g - players, boards.shape[1] - place] = card
                else:
                    pools[g + 1, n] = pools[g, i]
                    n += 1
        boards[:] = known
        _rank_deal(holes, boards, rules, tabled, tables, strengths, triples, places, best)
        share_pot(strengths, len(boards), 1, got, tally)
        changed = groups - 1
        while changed > 0 and ranks[changed] + 1 == sizes[changed]:
            ranks[changed] = 0
            _combination(0, left[changed], chosen[changed, : missing[changed]])
            changed -= 1
        ranks[changed] += 1
        _step(chosen[changed, : missing[changed]])


@kernel
def play_dealt(
    state: np.ndarray,
    deals: int,
    holes: np.ndarray,
    boards: np.ndarray,
    missing: np.ndarray,
    deck: np.ndarray,
    rules: Sharing,
    tabled: np.ndarray,
    tables: np.ndarray,
    tally: PotTally,
) -> None:
    """Settle random deals; arguments as in `play_all_deals`, ``state`` (4,) uint64 is advanced."""
    players = len(holes)
    strengths = np.zeros((len(boards) * rules.rankings.size, players), dtype=np.uint16)
    triples = np.empty(TRIPLES_OF_BOARD, dtype=np.uint64)
    places = np.empty(TRIPLES_OF_BOARD, dtype=np.int64)
    best = np.empty(rules.rankings.size, dtype=np.uint16)
    got = np.empty(players, dtype=np.int64)
    known = boards.copy()
    drawn = missing.sum()
    numbers = np.empty(_DEALS * max(drawn, 1), dtype=np.uint64)
    unused = 0
    for _ in range(deals):
        if unused == 0:
            fill_random(state, numbers, numbers.size)
            unused = _DEALS
        first = (_DEALS - unused) * drawn
        unused -= 1
        n = 0
        boards[:] = known
        for g in range(missing.size):
            for i in range(missing[g]):
                # a partial shuffle; the deck's order from the deal before does no harm
                number = numbers[first + n] >> _HALF
                j = n + np.int64(number * np.uint64(deck.size - n) >> _HALF)
                deck[n], deck[j] = deck[j], deck[n]
                if g < players:
                    holes[g, holes.shape[1] - 1 - i] = deck[n]
                else:
                    boards[g - players, boards.shape[1] - 1 - i] = deck[n]
                n += 1
        _rank_deal(holes, boards, rules, tabled, tables, strengths, triples, places, best)
        share_pot(strengths, len(boards), 1, got, tally)


@kernel
def left_tables(tables: np.ndarray, deck: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Return tables by three cards, (shares, players, 22100), by places in an ascending deck.

    Entries of less than the ``least`` strength become 0.
    """
    shares, players = tables.shape[:2]
    out = np.zeros((shares, players, CHOOSE[deck.size, 3]), dtype=np.uint16)
    for s in range(shares):
        for p in range(players):
            n = 0
            for c in range(2, deck.size):
                for b in range(1, c):
                    for a in range(b):
                        strength = tables[s, p, _place_of(deck[a], deck[b], deck[c])]
                        out[s, p, n] = strength if strength >= least[s] else np.uint16(0)
                        n += 1
    return out


@kernel
def count_boards(tables: np.ndarray, cards: int, start: int, stop: int, tally: PotTally) -> None:
    """Settle all boards whose highest three cards have numbers start..stop, by `left_tables`."""
    shares, players = tables.shape[:2]
    pairs = CHOOSE[cards, 2]
    outcomes = np.zeros(1 << shares * players, dtype=np.int64)
    with_one = np.empty(cards, dtype=np.uint16)
    strengths = np.empty((players, pairs), dtype=np.uint16)
    best = np.empty(pairs, dtype=np.uint16)
    winners = np.empty(pairs, dtype=np.uint32)
    highest = np.empty(3, dtype=np.int64)
    _combination(start, cards, highest)
    for number in range(start, stop):
        c, d, e = highest
        at_c, at_d, at_e = CHOOSE[c, 3], CHOOSE[d, 3], CHOOSE[e, 3]
        n, de = CHOOSE[c, 2], at_e + CHOOSE[d, 2]
        winners[:n] = 0
        for s in range(shares):
            best[:n] = 1  # so that hands of 0 do not win
            for p in range(players):
                table, strength = tables[s, p], strengths[p]
                for x in range(c):
                    with_one[x] = max(
                        table[at_d + n + x],
                        max(table[at_e + n + x], table[de + x]),
                    )
                for b in range(1, c):
                    below = CHOOSE[b, 2]
                    with_b = max(table[number], with_one[b])
                    for a in range(b):
                        strength[below + a] = max(with_b, with_one[a])
                # long loops without branches, which the processor does 16 at a time
                for i in range(n):
                    strength[i] = max(
                        max(strength[i], table[at_c + i]), max(table[at_d + i], table[at_e + i])
                    )
                for i in range(n):
                    best[i] = max(best[i], strength[i])
            for p in range(players):
                strength, bit = strengths[p], np.uint32(1 << s * players + p)
                for i in range(n):
                    winners[i] |= bit if strength[i] == best[i] else np.uint32(0)
        for i in range(n):
            outcomes[winners[i]] += 1
        _step(highest)
    got = np.empty(players, dtype=np.int64)
    won = np.empty((shares, players), dtype=np.uint16)
    for outcome in range(outcomes.size):
        if outcomes[outcome]:
            for s in range(shares):
                for p in range(players):
                    won[s, p] = outcome >> (s * players + p) & 1
            share_pot(won, 1, outcomes[outcome], got, tally)
