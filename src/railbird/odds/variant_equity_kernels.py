"""Showdowns of any variant: all deals in order, random deals, boards by tables of three cards."""

# A deal is the known cards and the missing ones of each player and of each board. Who has which
# share is settled in one place, `share_pot`, in whole parts of a pot, so sums are integers and no
# result depends on how the work is cut.
#
# - `play_all_deals` counts through the missing cards: groups (each player's, each board's) are
#   combinations of what the groups before them leave, stepped like the digits of a number.
# - `play_dealt` shuffles the first cards of the deck for each deal.
# - `play_drawn` draws pairs of cards for hundreds of deals at once, where any cards count.
# - `count_run_outs` adds up keys, for known hands of whose cards any count.
# - `count_boards` is for known hands of which two cards count, before the flop or on it: the known
#   cards of a board are the last of the row, so they are the highest of each five. Each player's
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
from railbird.cards.kernels import code_of_key, has_flush, index_of_code, ranks_of_flush
from railbird.cards.rankings_kernels import (
    TRIPLES_OF_BOARD,
    add_triples,
    any_strength,
    best_with_two,
    strength_in,
)
from railbird.cards.tables import CARD_KEY, CARD_MASK
from railbird.cards.tables_of_rankings import FLUSH_IN, FLUSHES_COUNT, PLAIN_IN
from railbird.odds.equity_kernels import BLOCK, NOBODY, SHARES, draw_cards, fill_random

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
            if g + 1 == groups:  # the longest of these loops makes no further pool
                for i in range(missing[g]):
                    card = pools[g, chosen[g, i]]
                    if g < players:
                        holes[g, holes.shape[1] - 1 - i] = card
                    else:
                        known[g - players, boards.shape[1] - 1 - i] = card
                continue
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
        for b in range(len(boards)):
            for i in range(boards.shape[1]):
                boards[b, i] = known[b, i]
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
        for b in range(len(boards)):
            for i in range(boards.shape[1]):
                boards[b, i] = known[b, i]
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
def left_tables(tables: np.ndarray, cards: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Return tables by three cards, (shares, players, 22100), by places in a row of cards.

    Entries of less than the ``least`` strength become 0.
    """
    shares, players = tables.shape[:2]
    out = np.zeros((shares, players, CHOOSE[cards.size, 3]), dtype=np.uint16)
    for s in range(shares):
        for p in range(players):
            n = 0
            for c in range(2, cards.size):
                for b in range(1, c):
                    for a in range(b):
                        x, y, z = int(cards[a]), int(cards[b]), int(cards[c])
                        low, high = min(x, min(y, z)), max(x, max(y, z))
                        strength = tables[s, p, _place_of(low, x + y + z - low - high, high)]
                        out[s, p, n] = strength if strength >= least[s] else np.uint16(0)
                        n += 1
    return out


@kernel
def _share_outcomes(
    outcomes: np.ndarray, boards: int, cells: int, players: int, tally: PotTally
) -> None:
    """Share the pots of deals counted by their winners: bit ``cell * players + player``."""
    got = np.zeros(players, dtype=np.int64)
    won = np.zeros((cells, players), dtype=np.uint16)
    for outcome in range(outcomes.size):
        if outcomes[outcome]:
            for cell in range(cells):
                for p in range(players):
                    won[cell, p] = outcome >> (cell * players + p) & 1
            share_pot(won, boards, outcomes[outcome], got, tally)


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
    _share_outcomes(outcomes, 1, shares, players, tally)


@kernel
def count_run_outs(
    holes: np.ndarray,
    board: np.ndarray,
    missing: int,
    deck: np.ndarray,
    ranking: int,
    start: int,
    stop: int,
    tally: PotTally,
) -> None:
    """Share the pots of run-outs start..stop of hands that are known and use any of their cards.

    ``holes`` (players, k) and ``board`` (m,) uint8 are the known cards; one share, not badugi.
    """
    players = len(holes)
    keys = np.zeros(players, dtype=np.uint64)
    masks = np.zeros(players, dtype=np.uint64)
    for p in range(players):
        for card in board:
            keys[p] += CARD_KEY[card]
            masks[p] |= CARD_MASK[card]
        for card in holes[p]:
            keys[p] += CARD_KEY[card]
            masks[p] |= CARD_MASK[card]
    outcomes = np.zeros(1 << players, dtype=np.int64)
    strengths = np.empty(players, dtype=np.uint16)
    chosen = np.zeros(missing, dtype=np.int64)
    _combination(start, deck.size, chosen)
    done = start
    while done < stop:
        key, mask = np.uint64(0), np.uint64(0)
        for i in range(1, missing):
            key += CARD_KEY[deck[chosen[i]]]
            mask |= CARD_MASK[deck[chosen[i]]]
        # the loop over the lowest card makes most of the steps
        end = chosen[1] if missing > 1 else deck.size
        run = min(end - chosen[0], stop - done)
        for place in range(chosen[0], chosen[0] + run):
            with_card = key + CARD_KEY[deck[place]]
            cards = mask | CARD_MASK[deck[place]]
            best = np.uint16(0)
            for p in range(players):
                strengths[p] = strength_in(ranking, keys[p] + with_card, masks[p] | cards)
                best = max(best, strengths[p])
            winners = 0
            for p in range(players):
                winners |= int(strengths[p] == best) << p
            outcomes[winners] += 1
        done += run
        chosen[0] += run - 1
        _step(chosen)
    _share_outcomes(outcomes, 1, 1, players, tally)


@kernel
def play_drawn(
    state: np.ndarray,
    deals: int,
    keys: np.ndarray,
    masks: np.ndarray,
    pieces: np.ndarray,
    piece_masks: np.ndarray,
    piece_keys: np.ndarray,
    singles: int,
    rules: Sharing,
    players: int,
    tally: PotTally,
) -> None:
    """Share the pots of random deals of hands of which any cards count, but for badugi.

    ``keys`` and ``masks`` (players + boards,) uint64 are of the known cards, ``pieces`` (n, 2) the
    row to which one or two unknown cards belong and their number. The first ``singles`` entries of
    ``piece_masks`` and ``piece_keys`` are the unknown cards, the others all pairs of them. All
    pairs are equally likely and how many are left does not depend on the cards that are out, so
    a pair that clashes is drawn again (`railbird.odds.equity_kernels`). A third of the time of
    `play_dealt`, which is for games of few cards left.
    """
    boards, shares = keys.size - players, rules.rankings.size
    cells = boards * shares
    numbers = np.empty(BLOCK, dtype=np.uint64)
    halves = numbers.view(np.uint32)
    pending = np.empty(BLOCK, dtype=np.uint32)
    places = np.empty(BLOCK, dtype=np.uint32)
    used = np.empty(BLOCK, dtype=np.uint64)
    row_keys = np.empty((keys.size, BLOCK), dtype=np.uint64)
    row_masks = np.empty((keys.size, BLOCK), dtype=np.uint64)
    hands = np.empty(BLOCK, dtype=np.uint64)
    strengths = np.empty((players, BLOCK), dtype=np.uint16)
    best = np.empty(BLOCK, dtype=np.uint16)
    winners = np.empty(BLOCK, dtype=np.uint32)
    outcomes = np.zeros(1 << cells * players, dtype=np.int64)
    while deals > 0:
        n = min(deals, BLOCK)
        deals -= n
        for i in range(n):
            used[i] = NOBODY
            winners[i] = 0
        for row in range(keys.size):
            for i in range(n):
                row_keys[row, i] = keys[row]
                row_masks[row, i] = masks[row]
        for piece in range(len(pieces)):
            row = pieces[piece, 0]
            first, last = (0, singles) if pieces[piece, 1] == 1 else (singles, piece_masks.size)
            draw_cards(state, piece_masks[first:last], n, numbers, halves, pending, places, used)
            for i in range(n):
                row_keys[row, i] += piece_keys[first + places[i]]
                row_masks[row, i] |= piece_masks[first + places[i]]
        for cell in range(cells):
            board, share = players + cell // shares, cell % shares
            ranking, least = rules.rankings[share], rules.least[share]
            for i in range(n):
                best[i] = max(least, np.uint16(1))
            for p in range(players):
                flushes = 0
                for i in range(n):
                    hands[i] = row_keys[p, i] + row_keys[board, i]
                for i in range(n):
                    pending[flushes] = i
                    flushes += int(has_flush(hands[i]))
                    strengths[p, i] = PLAIN_IN[ranking, index_of_code(code_of_key(hands[i]))]
                if FLUSHES_COUNT[ranking]:
                    for k in range(flushes):
                        i = pending[k]
                        cards = row_masks[p, i] | row_masks[board, i]
                        strengths[p, i] = FLUSH_IN[ranking, ranks_of_flush(hands[i], cards)]
                for i in range(n):
                    best[i] = max(best[i], strengths[p, i])
            for p in range(players):
                bit = np.uint32(1 << cell * players + p)
                for i in range(n):
                    winners[i] |= bit if strengths[p, i] == best[i] else np.uint32(0)
        for i in range(n):
            outcomes[winners[i]] += 1
    _share_outcomes(outcomes, boards, cells, players, tally)
