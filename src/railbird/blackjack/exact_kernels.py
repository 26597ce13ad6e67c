"""Exact values of hands: the dealer's outcomes, the best play, and the value of a fixed one.

A shoe is the number of unseen cards of each rank (10,), the dealer's hole card among them. Values
are in units of the original wager. Where the dealer has peeked they are conditional on no
blackjack: the hole card is then of any rank but one, which also changes what the player draws.
"""

# What is computed, from the bottom up:
#
# - the dealer's outcomes for a shoe and an upcard (`dealer_outcomes`, `stand_values`), over a tree
#   of the cards that the dealer may draw, made once by `railbird.blackjack.tables`;
# - the best play of one hand (`best_play`), from the last hands that it can grow into back to
#   itself, and the value of a given strategy (`played_values`), from the hand on;
# - splits (`open_hands_values`), and two cards before the dealer peeks (`hand_value`);
# - the best strategy by the cards held (`solve_upcard`), or by the total alone (`solve_by_total`).
#
# Hands and draws are unordered. The dealer's final hands are the same whichever order the cards
# came in, so the tree has one path for each selection of cards, and ``ORDERS`` says in how many
# orders it can be drawn. The player's hands are numbered such that a hand comes after all those
# that it can grow from, so one pass up or down the numbers takes the place of recursion.
#
# Most of the time goes into the dealer's tree, and its walk is written for the processor: no test
# for ranks that have run out, whose probability is 0; no branch where a node is no end, since it
# then adds to a column that nobody reads (`OUTCOMES`); in `_walk` four shoes at once.
# `stand_values` keeps sums apart by depth, because the number of cards left, by which each draw is
# divided, is the same for all nodes of a depth: it divides once at the end and not at each node.
#
# Where the dealer has peeked, the hole card is not of one rank. `draw_probability` and
# `pair_probability` are that condition in closed form for the player's cards. For the dealer's
# outcomes the blackjacks are left out and the rest is divided by what remains (`stand_value`).
#
# A split is exact although its hands share a shoe, as long as each is played by a fixed strategy
# that does not look at the others (CDZ- in the usual names). The cards are exchangeable, so all
# that matters of the other hands is how many cards of the pair's rank went there.
# `open_hands_values` computes a hand's value for each such number and weights it by how likely each
# course of splitting and re-splitting is.
#
# Rounds are scored by differences of the values found here (`assessment_kernels`). An approximation
# in one function and not in the others would appear there as skill or luck.
#
# Who would notice: tests/twins/test_blackjack_twins.py enumerates one deck card by card, every hand
# of a split included (tests/twins/slow_blackjack.py); tests/oracles/test_blackjack_oracles.py has
# Kan's examples, published house edges and Farmer's splits to every digit.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.blackjack.tables import (
    ACE,
    BLACKJACK,
    BUST,
    CARD,
    CARDS,
    CHILD,
    COUNTS,
    DEPTH,
    HANDS,
    MOST_DRAWS,
    NATURAL,
    ORDERS,
    OUTCOME,
    OUTCOMES,
    PAIRED,
    RANKS,
    SOFT,
    TEN,
    TOTAL,
    TREE_START,
)

STAND, HIT, DOUBLE, SPLIT, SURRENDER = 0, 1, 2, 3, 4
FIRST, NO_SPLIT, TO_HIT = 0, 1, 2
"""Rows of a strategy: any action; stand, hit or double; stand or hit."""


class RuleArrays(NamedTuple):
    """The rules as kernels read them."""

    hits_soft_17: int
    peeks: int
    least_double: int
    """Lowest hard total of two cards that may be doubled; 0 for any two cards."""
    most_double: int
    double_after_split: int
    most_hands: int
    resplit_aces: int
    hit_split_aces: int
    surrender: int
    """0 for none, 1 for late, 2 for early."""
    charlie: int
    """Number of cards that wins at once; 99 for none."""
    payout: float
    removal: float
    """1.0, or 0.0 where a dealt card does not change the shoe: infinitely many decks."""


@kernel
def dealer_outcomes(
    shoe: np.ndarray, size: float, upcard: int, table: RuleArrays, out: np.ndarray
) -> None:
    """Fill ``out`` (7,) with the probabilities of the dealer's outcomes, before any peek."""
    chance = np.empty(MOST_DRAWS + 1)
    chance[0] = 1.0
    per_draw = np.empty(MOST_DRAWS + 1)
    left = np.empty(RANKS * MOST_DRAWS)
    for depth in range(MOST_DRAWS):
        cards = size - depth * table.removal
        per_draw[depth + 1] = 1.0 / cards if cards > 0 else 0.0
        for rank in range(RANKS):
            left[rank * MOST_DRAWS + depth] = max(shoe[rank] - depth * table.removal, 0.0)
    sums = np.zeros(OUTCOMES + 1)
    tree = 10 * table.hits_soft_17 + upcard
    # Without a branch a node takes half the time of one that tests for empty ranks and ends.
    for node in range(TREE_START[tree], TREE_START[tree + 1]):
        depth = DEPTH[node]
        here = chance[depth - 1] * left[CARD[node]] * per_draw[depth]
        chance[depth] = here
        sums[OUTCOME[node]] += ORDERS[node] * here
    for outcome in range(OUTCOMES):
        out[outcome] = sums[outcome]


@uncounted_kernel
def blackjack_rank(upcard: int, table: RuleArrays) -> int:
    """Return the rank that a dealer who has peeked does not hold; -1 if any is possible."""
    if table.peeks and upcard == ACE:
        return TEN
    if table.peeks and upcard == TEN:
        return ACE
    return -1


@uncounted_kernel
def draw_probability(
    shoe: np.ndarray, size: float, rank: int, excluded: int, table: RuleArrays
) -> float:
    """Return the probability that the next card is of a rank, the hole card not ``excluded``."""
    if excluded < 0:
        return shoe[rank] / size if size > 0 else 0.0
    holes = size - shoe[excluded]
    left = size - table.removal
    if holes <= 0 or left <= 0:
        return 0.0
    same = table.removal if rank != excluded else 0.0
    chance: float = shoe[rank] * (holes - same) / (left * holes)
    return chance


@uncounted_kernel
def stand_value(total: int, outcomes: np.ndarray, excluded: int) -> float:
    """Return the value of standing on a total, from the dealer's outcomes before any peek."""
    value: float = outcomes[BUST]
    for place in range(5):
        if total > place + 17:
            value += outcomes[place]
        elif total < place + 17:
            value -= outcomes[place]
    if excluded >= 0:
        unseen = 1.0 - outcomes[NATURAL]
        return value / unseen if unseen > 0 else 0.0
    value -= outcomes[NATURAL]
    return value


@uncounted_kernel
def _walk(first: int, last: int, ways: np.ndarray, left: np.ndarray, sums: np.ndarray) -> None:
    """Add up the dealer's draws by outcome and depth, for four shoes at once.

    Written out, since LLVM makes vectors of it only where it sees every load before the stores:
    twice and a half as fast for each shoe as one alone.
    """
    for node in range(first, last):
        level = 4 * DEPTH[node]
        card = 4 * CARD[node]
        end = 4 * ((MOST_DRAWS + 1) * OUTCOME[node] + DEPTH[node])
        orders = ORDERS[node]
        way_0 = ways[level - 4] * left[card]
        way_1 = ways[level - 3] * left[card + 1]
        way_2 = ways[level - 2] * left[card + 2]
        way_3 = ways[level - 1] * left[card + 3]
        sum_0 = sums[end] + orders * way_0
        sum_1 = sums[end + 1] + orders * way_1
        sum_2 = sums[end + 2] + orders * way_2
        sum_3 = sums[end + 3] + orders * way_3
        ways[level], ways[level + 1], ways[level + 2], ways[level + 3] = way_0, way_1, way_2, way_3
        sums[end], sums[end + 1], sums[end + 2], sums[end + 3] = sum_0, sum_1, sum_2, sum_3


@kernel
def stand_values(
    shoe: np.ndarray,
    upcard: int,
    start: int,
    hands: np.ndarray,
    count: int,
    table: RuleArrays,
    values: np.ndarray,
) -> None:
    """Fill ``values`` (hands,) with those of standing on the first ``count`` of ``hands``.

    ``shoe`` is what is unseen with the hand ``start``; what a hand has more is taken from it.
    """
    tree = 10 * table.hits_soft_17 + upcard
    excluded = blackjack_rank(upcard, table)
    ways = np.ones(4 * (MOST_DRAWS + 1))
    left = np.empty(4 * RANKS * MOST_DRAWS)
    sums = np.empty(4 * (OUTCOMES + 1) * (MOST_DRAWS + 1))
    sizes = np.empty(4)
    outcomes = np.empty(OUTCOMES)
    for first in range(0, count, 4):
        for lane in range(4):
            hand = hands[min(first + lane, count - 1)]  # lanes behind the last hand repeat it
            sizes[lane] = 0.0
            for rank in range(RANKS):
                own = COUNTS[hand, rank] - COUNTS[start, rank]
                cards = shoe[rank] - own * table.removal
                sizes[lane] += cards
                for depth in range(MOST_DRAWS):
                    cell = 4 * (rank * MOST_DRAWS + depth) + lane
                    left[cell] = max(cards - depth * table.removal, 0.0)
        sums[:] = 0.0
        _walk(TREE_START[tree], TREE_START[tree + 1], ways, left, sums)
        for lane in range(min(4, count - first)):
            outcomes[:] = 0.0
            orders = 1.0
            for depth in range(MOST_DRAWS):
                cards = sizes[lane] - depth * table.removal
                orders = orders / cards if cards > 0 else 0.0
                for outcome in range(OUTCOMES):
                    cell = (MOST_DRAWS + 1) * outcome + depth + 1
                    outcomes[outcome] += orders * sums[4 * cell + lane]
            hand = hands[first + lane]
            values[hand] = stand_value(TOTAL[hand], outcomes, excluded)


@uncounted_kernel
def may_double(hand: int, table: RuleArrays) -> bool:
    """Return whether the rules allow to double this hand of two cards."""
    if CARDS[hand] != 2:
        return False
    if table.least_double == 0:
        return True
    return not SOFT[hand] and table.least_double <= TOTAL[hand] <= table.most_double


@kernel
def best_play(
    shoe: np.ndarray, upcard: int, start: int, level: int, table: RuleArrays, values: np.ndarray
) -> None:
    """Fill ``values`` (3, hands) with the values of stand, hit and double, played best.

    ``shoe`` is what is unseen without the player's hand: a hand's own cards are taken from it. Only
    hands that ``start`` can grow into are filled; others are nan. Doubling is open at ``level``
    `NO_SPLIT`, where the rules allow it. The player is not in a blackjack, nor splits.
    """
    values[:] = np.nan
    excluded = blackjack_rank(upcard, table)
    reached = np.zeros(HANDS, np.bool_)
    reached[start] = True
    for hand in range(start, HANDS):
        if reached[hand]:
            for rank in range(RANKS):
                if CHILD[hand, rank] >= 0 and shoe[rank] - COUNTS[hand, rank] * table.removal > 0:
                    reached[CHILD[hand, rank]] = True
    asked = np.empty(HANDS, np.int16)
    count = 0
    for hand in range(start, HANDS):
        if reached[hand] and CARDS[hand] < table.charlie:
            asked[count] = hand
            count += 1
    stand_values(shoe, upcard, 0, asked, count, table, values[STAND])
    left = np.empty(RANKS)
    for hand in range(HANDS - 1, start - 1, -1):
        if not reached[hand]:
            continue
        size = 0.0
        for rank in range(RANKS):
            left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            size += left[rank]
        if CARDS[hand] >= table.charlie:
            values[STAND, hand] = 1.0
            values[HIT, hand] = 1.0
            continue
        hit = 0.0
        double = 0.0
        for rank in range(RANKS):
            probability = draw_probability(left, size, rank, excluded, table)
            if probability <= 0:
                continue
            child = CHILD[hand, rank]
            if child < 0:
                hit -= probability
                double -= probability
                continue
            best = max(values[STAND, child], values[HIT, child])
            if CARDS[child] == 2 and level == NO_SPLIT and values[DOUBLE, child] > best:
                best = values[DOUBLE, child]
            hit += probability * best
            double += probability * values[STAND, child]
        values[HIT, hand] = hit
        if may_double(hand, table):
            values[DOUBLE, hand] = 2.0 * double


@uncounted_kernel
def played_value(
    shoe: np.ndarray,
    upcard: int,
    start: int,
    strategy: np.ndarray,
    level: int,
    stands: bool,
    table: RuleArrays,
) -> float:
    """Return the value of a hand played by a strategy (3, hands) for this upcard.

    ``shoe`` is what is unseen, without the hand. Two cards are played at ``level``; if ``stands``,
    they stand whatever the strategy says, as split aces do.
    """
    return played_values(shoe, upcard, start, -1, strategy, level, stands, table)[0]


@kernel
def played_values(
    shoe: np.ndarray,
    upcard: int,
    start: int,
    second: int,
    strategy: np.ndarray,
    level: int,
    stands: bool,
    table: RuleArrays,
) -> tuple[float, float]:
    """Return `played_value` of a hand, and of the hand ``second`` that it may grow into.

    Reach probabilities go forward through the hands in their order, so only what the strategy
    stands on asks for the dealer's outcomes, and once for both.
    """
    excluded = blackjack_rank(upcard, table)
    reach = np.zeros((HANDS, 2))
    stood = np.zeros((HANDS, 2))
    reach[start, 0] = 1.0
    last = start
    if second >= 0:
        reach[second, 1] = 1.0
        last = second
    asked = np.empty(HANDS, np.int16)
    count = 0
    left = np.empty(RANKS)
    value = np.zeros(2)
    for hand in range(start, HANDS):
        if hand > last:
            break
        from_start, from_second = reach[hand, 0], reach[hand, 1]
        ends = stood[hand, 0] + stood[hand, 1] > 0.0
        if from_start + from_second == 0.0 and not ends:
            continue
        size = 0.0
        for rank in range(RANKS):
            own = COUNTS[hand, rank] - COUNTS[start, rank]
            left[rank] = shoe[rank] - own * table.removal
            size += left[rank]
        if CARDS[hand] < 2:
            action = HIT
        elif CARDS[hand] > 2:
            action = strategy[TO_HIT, hand]
        elif stands:
            action = STAND
        else:
            action = strategy[level, hand]
        if CARDS[hand] >= table.charlie:
            value[0] += from_start
            value[1] += from_second
        elif action == STAND:
            stood[hand, 0] += from_start
            stood[hand, 1] += from_second
            ends = True
        else:
            stake = 2.0 if action == DOUBLE else 1.0
            for rank in range(RANKS):
                probability = stake * draw_probability(left, size, rank, excluded, table)
                if probability <= 0:
                    continue
                child = CHILD[hand, rank]
                if child < 0:
                    value[0] -= from_start * probability
                    value[1] -= from_second * probability
                    continue
                last = max(last, child)
                if action == DOUBLE:
                    stood[child, 0] += from_start * probability
                    stood[child, 1] += from_second * probability
                else:
                    reach[child, 0] += from_start * probability
                    reach[child, 1] += from_second * probability
        if ends:
            asked[count] = hand
            count += 1
    stands_for = np.empty(HANDS)
    stand_values(shoe, upcard, start, asked, count, table, stands_for)
    for place in range(count):
        hand = asked[place]
        value[0] += stood[hand, 0] * stands_for[hand]
        value[1] += stood[hand, 1] * stands_for[hand]
    return value[0], value[1]


# Exact values of splits, re-splits and of two cards before the dealer peeks.


@uncounted_kernel
def split_level(table: RuleArrays) -> int:
    """Return the row of a strategy that two cards after a split are played by."""
    return NO_SPLIT if table.double_after_split else TO_HIT


@uncounted_kernel
def pair_probability(
    shoe: np.ndarray, pair: int, removed: int, others: int, upcard: int, table: RuleArrays
) -> float:
    """Return the probability that the next card is of the pair's rank.

    ``removed`` more cards of the rank are out of ``shoe``, and ``others`` unknown cards of other
    ranks; after a peek the hole card is not of one rank.
    """
    gone = table.removal
    pairs: float = shoe[pair] - removed * gone
    if pairs <= 0:
        return 0.0
    size = -removed * gone
    for rank in range(RANKS):
        size += shoe[rank]
    excluded = blackjack_rank(upcard, table)
    if excluded < 0:
        return min(pairs / (size - others * gone), 1.0)
    if excluded == pair:  # the hole card is one more card of another rank
        return min(pairs / (size - (others + 1) * gone), 1.0)
    # The hole card is of the pair's rank, or neither of it nor of the excluded one. The ratio of
    # the orders in which the others can follow is a telescoped product.
    rest: float = size - pairs - shoe[excluded]
    spare = size - pairs - others * gone
    if gone == 0.0:
        return pairs / size
    if spare <= 0 and rest <= 0:
        return 1.0
    in_hole = pairs * (size - pairs)
    elsewhere = rest * spare
    return (in_hole * (pairs - gone) + elsewhere * pairs) / (
        (size - (others + 1) * gone) * (in_hole + elsewhere)
    )


@kernel
def open_hands_values(
    shoe: np.ndarray,
    upcard: int,
    pair: int,
    open_hands: int,
    hands: int,
    strategy: np.ndarray,
    again: bool,
    table: RuleArrays,
) -> tuple[float, float]:
    """Return the summed value of hands of one card each, of a pair that has been split.

    First, that where pairs are split ``again``, as far as the rules allow; second, where not.
    ``hands`` are in play altogether, and ``open_hands`` of them wait for their second card;
    ``shoe`` is unseen. Every hand is played by the strategy without regard to the others (CDZ-),
    which is what makes this exact: cards are exchangeable, so a hand is worth the same whether it
    is played first or last, and only the number of cards of the pair's rank that went to other
    hands matters. Farmer (2007), Analysis of Blackjack, describes the idea.
    """
    level = split_level(table)
    stands = pair == ACE and not table.hit_split_aces
    single_hand, pair_hand = CHILD[0, pair], CHILD[CHILD[0, pair], pair]
    more = again and (pair != ACE or table.resplit_aces)
    most = max(table.most_hands, hands) if more else hands
    extra = most - hands
    depth = open_hands + 2 * extra if extra else 1
    single = np.zeros((depth + 1, depth + 1))
    paired = np.zeros((depth + 1, depth + 1))
    left = np.empty(RANKS)
    for removed in range(depth):
        for rank in range(RANKS):
            left[rank] = shoe[rank]
        left[pair] -= removed * table.removal
        if left[pair] < 0:
            break
        # A hand that has grown to a pair leaves the same shoe as a pair: one pass for both.
        second = pair_hand if extra and left[pair] > 0 else -1
        single[removed, 0], paired[removed, 0] = played_values(
            left, upcard, single_hand, second, strategy, level, stands, table
        )
    once = open_hands * single[0, 0]
    if not extra:
        return once, once
    # From hands whose other cards are unknown to hands that know how many others are no pair.
    for others in range(depth - 1):
        for removed in range(depth - 1 - others):
            p = pair_probability(shoe, pair, removed, others, upcard, table)
            q = pair_probability(shoe, pair, removed + 1, others, upcard, table)
            if p < 1.0:
                single[removed, others + 1] = (
                    single[removed, others] - p * single[removed + 1, others]
                ) / (1.0 - p)
            if q < 1.0:
                paired[removed, others + 1] = (
                    paired[removed, others] - q * paired[removed + 1, others]
                ) / (1.0 - q)
    value = 0.0
    # A second card that makes no pair closes a hand; one that makes a pair opens another.
    ways = np.zeros((extra + 1, depth + 1))
    ways[0, 0] = 1.0
    for removed in range(extra + 1):
        for others in range(open_hands + removed + 1):
            way = ways[removed, others]
            if way == 0.0:
                continue
            waiting = open_hands + removed - others
            if waiting == 0 or removed == extra:
                if others:
                    p = pair_probability(shoe, pair, removed, others - 1, upcard, table)
                    known = single[removed, others - 1] - p * paired[removed, others - 1]
                    value += way * others * known / (1.0 - p)
                if waiting:
                    value += way * waiting * single[removed, others]
                continue
            p = pair_probability(shoe, pair, removed, others, upcard, table)
            ways[removed + 1, others] += way * p
            ways[removed, others + 1] += way * (1.0 - p)
    return value, once


@uncounted_kernel
def open_hands_value(
    shoe: np.ndarray,
    upcard: int,
    pair: int,
    open_hands: int,
    hands: int,
    strategy: np.ndarray,
    table: RuleArrays,
) -> float:
    """Return what `open_hands_values` are where a pair is split again if the strategy says so."""
    again = strategy[FIRST, CHILD[CHILD[0, pair], pair]] == SPLIT
    return open_hands_values(shoe, upcard, pair, open_hands, hands, strategy, again, table)[0]


@kernel
def round_values(
    shoe: np.ndarray, upcard: int, strategy: np.ndarray, table: RuleArrays, values: np.ndarray
) -> None:
    """Fill ``values`` (hands,) with what two-card hands are worth, played by a strategy.

    ``shoe`` is what is unseen without the player's hand. Blackjacks are paid, early surrender and
    the dealer's own blackjack are counted: these are values before the dealer peeks.
    """
    left = np.empty(RANKS)
    for first in range(RANKS):
        for second in range(first, RANKS):
            hand = CHILD[CHILD[0, first], second]
            for rank in range(RANKS):
                left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            if left[first] < 0 or left[second] < 0:
                values[hand] = 0.0
                continue
            values[hand] = hand_value(left, upcard, hand, strategy, table)


@uncounted_kernel
def natural_probability(shoe: np.ndarray, upcard: int, table: RuleArrays) -> float:
    """Return the probability that the dealer's hole card makes a blackjack."""
    if upcard != ACE and upcard != TEN:
        return 0.0
    size = 0.0
    for rank in range(RANKS):
        size += shoe[rank]
    return shoe[TEN if upcard == ACE else ACE] / size if size > 0 else 0.0


@uncounted_kernel
def hand_value(
    shoe: np.ndarray, upcard: int, hand: int, strategy: np.ndarray, table: RuleArrays
) -> float:
    """Return the value of two cards before the dealer peeks, played by a strategy."""
    natural = natural_probability(shoe, upcard, table)
    if hand == BLACKJACK:
        return table.payout * (1.0 - natural)
    action = strategy[FIRST, hand]
    if action == SURRENDER:
        return -0.5 if table.surrender == 2 else -0.5 * (1.0 - natural) - natural
    if action == SPLIT:
        value = open_hands_value(shoe, upcard, PAIRED[hand], 2, 2, strategy, table)
    else:
        value = played_value(shoe, upcard, hand, strategy, NO_SPLIT, False, table)
    if blackjack_rank(upcard, table) < 0:
        return value
    return value * (1.0 - natural) - natural


# The best strategy against an upcard: by the hand's cards, and by its total alone.


CLASSES = 44
"""Totals of hands: hard ones at 0..21, soft ones at 22 and up."""
_ROUNDS = 20


@uncounted_kernel
def surrender_value(shoe: np.ndarray, upcard: int, table: RuleArrays) -> float:
    """Return what surrender is worth, in the terms of the other actions.

    These are conditional on no blackjack where the dealer peeks; early surrender, which comes
    before that, is put into the same terms. nan where the rules have no surrender.
    """
    if table.surrender == 0:
        return np.nan
    natural = natural_probability(shoe, upcard, table)
    early = table.surrender == 2
    if blackjack_rank(upcard, table) < 0:
        return -0.5 if early else -0.5 * (1.0 - natural) - natural
    return (natural - 0.5) / (1.0 - natural) if early and natural < 1.0 else -0.5


@kernel
def choose_first(
    shoe: np.ndarray,
    upcard: int,
    start: int,
    values: np.ndarray,
    strategy: np.ndarray,
    table: RuleArrays,
) -> None:
    """Complete ``values`` (5, hands) and ``strategy`` with splits and surrender of two cards.

    Both hold stand, hit and double before. Only hands that ``start`` can grow into are looked at.
    """
    left = np.empty(RANKS)
    for first in range(RANKS):
        for second in range(first, RANKS):
            hand = CHILD[CHILD[0, first], second]
            if np.isnan(values[STAND, hand]):
                continue
            for rank in range(RANKS):
                left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            best = values[strategy[NO_SPLIT, hand], hand]
            strategy[FIRST, hand] = strategy[NO_SPLIT, hand]
            if first == second and (start == 0 or start == CHILD[0, first]):
                again, once = open_hands_values(left, upcard, first, 2, 2, strategy, True, table)
                values[SPLIT, hand] = max(again, once)
                if again > best:
                    strategy[FIRST, hand] = SPLIT
                    best = again
            values[SURRENDER, hand] = surrender_value(left, upcard, table)
            if hand != BLACKJACK and values[SURRENDER, hand] > best:
                strategy[FIRST, hand] = SURRENDER


@uncounted_kernel
def solve_upcard(
    shoe: np.ndarray,
    upcard: int,
    start: int,
    table: RuleArrays,
    values: np.ndarray,
    strategy: np.ndarray,
) -> None:
    """Fill ``values`` (5, hands) and ``strategy`` (3, hands) with the best play by cards.

    ``shoe`` is what is unseen without the player's hand. Hands that ``start`` does not grow into
    stay nan. Play after a split is that before it, as far as the rules allow (CDZ-).
    """
    values[:] = np.nan
    best_play(shoe, upcard, start, NO_SPLIT, table, values[:3])
    for hand in range(HANDS):
        hit = values[HIT, hand] > values[STAND, hand]
        strategy[TO_HIT, hand] = HIT if hit else STAND
        best = max(values[HIT, hand], values[STAND, hand])
        strategy[NO_SPLIT, hand] = strategy[TO_HIT, hand]
        if values[DOUBLE, hand] > best:
            strategy[NO_SPLIT, hand] = DOUBLE
        strategy[FIRST, hand] = strategy[NO_SPLIT, hand]
    choose_first(shoe, upcard, start, values, strategy, table)


@uncounted_kernel
def _class_of(hand: int) -> int:
    group: int = TOTAL[hand] + 22 * SOFT[hand]
    return group


@uncounted_kernel
def deal_probability(
    shoe: np.ndarray, first: int, second: int, excluded: int, table: RuleArrays
) -> float:
    """Return the probability of two cards in either order, the hole card not ``excluded``."""
    size = 0.0
    for rank in range(RANKS):
        size += shoe[rank]
    first_chance = draw_probability(shoe, size, first, excluded, table)
    if first_chance <= 0:
        return 0.0
    shoe[first] -= table.removal
    second_chance = draw_probability(shoe, size - table.removal, second, excluded, table)
    shoe[first] += table.removal
    return first_chance * second_chance * (1.0 if first == second else 2.0)


@kernel
def _reach(
    shoe: np.ndarray, upcard: int, strategy: np.ndarray, table: RuleArrays, reach: np.ndarray
) -> None:
    """Fill ``reach`` (hands,) with how often a hand is decided on, splits and naturals apart."""
    reach[:] = 0.0
    excluded = blackjack_rank(upcard, table)
    for first in range(RANKS):
        for second in range(first, RANKS):
            hand = CHILD[CHILD[0, first], second]
            if hand != BLACKJACK and strategy[FIRST, hand] != SPLIT:
                reach[hand] = deal_probability(shoe, first, second, excluded, table)
    left = np.empty(RANKS)
    for hand in range(1, HANDS):
        if reach[hand] == 0.0:
            continue
        row = NO_SPLIT if CARDS[hand] == 2 else TO_HIT
        if strategy[row, hand] != HIT or CARDS[hand] >= table.charlie:
            continue
        size = 0.0
        for rank in range(RANKS):
            left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            size += left[rank]
        for rank in range(RANKS):
            if CHILD[hand, rank] >= 0:
                probability = draw_probability(left, size, rank, excluded, table)
                reach[CHILD[hand, rank]] += reach[hand] * probability


@kernel
def hit_values(
    shoe: np.ndarray, upcard: int, strategy: np.ndarray, table: RuleArrays, values: np.ndarray
) -> None:
    """Replace the values of hit by those of going on with the strategy."""
    excluded = blackjack_rank(upcard, table)
    left = np.empty(RANKS)
    for hand in range(HANDS - 1, 0, -1):
        if np.isnan(values[STAND, hand]) or CARDS[hand] >= table.charlie:
            continue
        size = 0.0
        for rank in range(RANKS):
            left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            size += left[rank]
        hit = 0.0
        for rank in range(RANKS):
            probability = draw_probability(left, size, rank, excluded, table)
            if probability <= 0:
                continue
            child = CHILD[hand, rank]
            hit += probability * (-1.0 if child < 0 else values[strategy[TO_HIT, child], child])
        values[HIT, hand] = hit


@kernel
def solve_by_total(
    shoe: np.ndarray, upcard: int, table: RuleArrays, values: np.ndarray, strategy: np.ndarray
) -> None:
    """Fill ``strategy`` (3, hands) with the best play that knows the total only.

    Hands of a total count by how often the strategy comes to decide on them, which depends on the
    strategy, so both are found in turn. Pairs are known as such when they may be split or given up.
    """
    solve_upcard(shoe, upcard, 0, table, values, strategy)
    reach = np.empty(HANDS)
    sums = np.empty((CLASSES, 3))
    pairs = np.empty((CLASSES, 3))
    weights = np.empty(CLASSES)
    for turn in range(_ROUNDS):
        hit_values(shoe, upcard, strategy, table, values)
        _reach(shoe, upcard, strategy, table, reach)
        sums[:] = 0.0
        pairs[:] = 0.0
        weights[:] = 0.0
        for hand in range(1, HANDS):
            if np.isnan(values[STAND, hand]) or hand == BLACKJACK or CARDS[hand] < 2:
                continue
            weight = reach[hand] + 1e-12  # a total that the strategy never sees has an answer, too
            group = _class_of(hand)
            for action in (STAND, HIT):
                sums[group, action] += weight * values[action, hand]
                if CARDS[hand] == 2:
                    pairs[group, action] += weight * values[action, hand]
            if CARDS[hand] == 2 and may_double(hand, table):
                pairs[group, DOUBLE] += weight * values[DOUBLE, hand]
                weights[group] += weight
        changed = False
        for hand in range(1, HANDS):
            group = _class_of(hand)
            hit = HIT if sums[group, HIT] > sums[group, STAND] else STAND
            best = hit
            doubles = CARDS[hand] == 2 and weights[group] > 0 and may_double(hand, table)
            if doubles and pairs[group, DOUBLE] > pairs[group, hit]:
                best = DOUBLE
            changed |= strategy[TO_HIT, hand] != hit or strategy[NO_SPLIT, hand] != best
            strategy[TO_HIT, hand] = hit
            strategy[NO_SPLIT, hand] = best
        if not changed and turn > 0:
            break
    _first_by_total(shoe, upcard, table, reach, values, strategy)


@kernel
def _first_by_total(
    shoe: np.ndarray,
    upcard: int,
    table: RuleArrays,
    reach: np.ndarray,
    values: np.ndarray,
    strategy: np.ndarray,
) -> None:
    """Choose splits by pair and surrender by total."""
    choose_first(shoe, upcard, 0, values, strategy, table)
    gain = np.zeros(CLASSES)
    for hand in range(1, HANDS):
        if CARDS[hand] == 2 and PAIRED[hand] < 0 and hand != BLACKJACK:
            kept = values[strategy[NO_SPLIT, hand], hand]
            if not np.isnan(kept):
                gain[_class_of(hand)] += (reach[hand] + 1e-12) * (values[SURRENDER, hand] - kept)
    for hand in range(1, HANDS):
        if CARDS[hand] == 2 and PAIRED[hand] < 0:
            gives_up = gain[_class_of(hand)] > 0.0 and hand != BLACKJACK
            strategy[FIRST, hand] = SURRENDER if gives_up else strategy[NO_SPLIT, hand]


@kernel
def fill_game_values(
    shoe: np.ndarray, strategy: np.ndarray, table: RuleArrays, by_upcard: np.ndarray
) -> float:
    """Fill ``by_upcard`` (10,) with the value of a round for each upcard; return their mean.

    ``shoe`` is undealt; ``strategy`` is (10, 3, hands). No insurance is taken.
    """
    size = 0.0
    for rank in range(RANKS):
        size += shoe[rank]
    left = shoe.copy()
    values = np.zeros(HANDS)
    mean = 0.0
    for upcard in range(RANKS):
        by_upcard[upcard] = 0.0
        if shoe[upcard] <= 0:
            continue
        left[upcard] -= table.removal
        round_values(left, upcard, strategy[upcard], table, values)
        for first in range(RANKS):
            for second in range(first, RANKS):
                probability = deal_probability(left, first, second, -1, table)
                if probability > 0:
                    hand = CHILD[CHILD[0, first], second]
                    by_upcard[upcard] += probability * values[hand]
        left[upcard] += table.removal
        mean += shoe[upcard] / size * by_upcard[upcard]
    return mean


@kernel
def solve_all(
    shoe: np.ndarray, by_total: bool, table: RuleArrays, values: np.ndarray, strategy: np.ndarray
) -> None:
    """Solve every upcard: ``values`` (10, 5, hands), ``strategy`` (10, 3, hands)."""
    left = shoe.copy()
    for upcard in range(RANKS):
        if shoe[upcard] <= 0:
            continue
        left[upcard] -= table.removal
        if by_total:
            solve_by_total(left, upcard, table, values[upcard], strategy[upcard])
        else:
            solve_upcard(left, upcard, 0, table, values[upcard], strategy[upcard])
        left[upcard] += table.removal
