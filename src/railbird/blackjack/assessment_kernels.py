"""Kernels that divide a round's result: the cost of each decision, and the gain of each card."""

# Kan (2007, section 2.3) begins his explanation of DIVAT with blackjack, and there it can be
# carried out exactly. At every moment a round has a value: what the rest of it is worth if the
# player goes on by the baseline strategy. Every event from the deal to the dealer's last card
# changes it. A change by a card is luck; a change by an action is skill, and is 0 where the
# baseline would have done the same.
#
# `score_round` is one long function because it is one walk along the events: the deal, insurance,
# early surrender, the peek, other players' cards, one's own hands with their splits, the dealer's
# cards. Each step computes the value afterwards and writes the difference to the place of its
# event. What looks like a list of special cases are the moments at which the condition of the
# values changes: before the peek they include the dealer's blackjack, after it they do not.
#
# All values come from the same functions of `exact_kernels`. So the terms add up to the money of
# every single round, not only on average, and luck has a mean of 0, because the value before a card
# is the mean of those after it. A rounded or tabulated value in one place would break both.
#
# ``known`` are the values of all actions with a full shoe, computed once and looked up where no
# hand is split. It is empty for rounds within a shoe, where all values are different.
#
# Who would notice: tests/blackjack/test_scores.py checks that luck and skill are the money of every
# round, within shoes as well, and that the score is unbiased over ten million rounds.

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.blackjack.exact_kernels import (
    DOUBLE,
    FIRST,
    HIT,
    NO_SPLIT,
    SPLIT,
    STAND,
    SURRENDER,
    TO_HIT,
    RuleArrays,
    best_play,
    blackjack_rank,
    dealer_outcomes,
    draw_probability,
    hand_value,
    hit_values,
    natural_probability,
    open_hands_value,
    open_hands_values,
    played_value,
    split_level,
    stand_value,
    surrender_value,
)
from railbird.blackjack.tables import (
    ACE,
    ACTION,
    BLACKJACK,
    BUST,
    CARDS,
    CHILD,
    COUNTS,
    DEALER,
    HANDS,
    INSURANCE,
    MOST_SPLIT,
    NATURAL,
    OTHERS_DEAL,
    OTHERS_DRAW,
    OUTCOMES,
    PAIRED,
    RANKS,
    SOFT,
    TEN,
    TOTAL,
)


@kernel
def policy_values(
    shoe: np.ndarray, upcard: int, strategy: np.ndarray, table: RuleArrays, values: np.ndarray
) -> None:
    """Fill ``values`` (5, hands) with those of each action, the strategy going on after it.

    ``shoe`` is what is unseen without the player's hand. Splits are those of two cards.
    """
    values[:] = np.nan
    best_play(shoe, upcard, 0, NO_SPLIT, table, values[:3])
    hit_values(shoe, upcard, strategy, table, values)
    left = np.empty(RANKS)
    for first in range(RANKS):
        for second in range(first, RANKS):
            hand = CHILD[CHILD[0, first], second]
            if np.isnan(values[STAND, hand]):
                continue
            for rank in range(RANKS):
                left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            values[SURRENDER, hand] = surrender_value(left, upcard, table)
            if first == second:
                again = strategy[FIRST, hand] == SPLIT
                values[SPLIT, hand] = open_hands_values(
                    left, upcard, first, 2, 2, strategy, again, table
                )[0]


@kernel
def action_value(
    shoe: np.ndarray, upcard: int, hand: int, action: int, strategy: np.ndarray, table: RuleArrays
) -> float:
    """Return the value of stand, hit or double for one hand, the strategy going on after it."""
    size = 0.0
    for rank in range(RANKS):
        size += shoe[rank]
    excluded = blackjack_rank(upcard, table)
    outcomes = np.empty(OUTCOMES)
    if action == STAND:
        dealer_outcomes(shoe, size, upcard, table, outcomes)
        return stand_value(TOTAL[hand], outcomes, excluded)
    value = 0.0
    for rank in range(RANKS):
        chance = draw_probability(shoe, size, rank, excluded, table)
        if chance <= 0:
            continue
        child = CHILD[hand, rank]
        if child < 0:
            value -= chance
            continue
        shoe[rank] -= table.removal
        if action == HIT:
            then = played_value(shoe, upcard, child, strategy, TO_HIT, False, table)
        else:
            dealer_outcomes(shoe, size - table.removal, upcard, table, outcomes)
            then = stand_value(TOTAL[child], outcomes, excluded)
        value += chance * then
        shoe[rank] += table.removal
    return 2.0 * value if action == DOUBLE else value


@kernel
def finish_dealer(shoe: np.ndarray, start: int, table: RuleArrays, outcomes: np.ndarray) -> None:
    """Fill ``outcomes`` (7,) with the chances of the dealer's outcomes from the cards so far."""
    outcomes[:] = 0.0
    if start < 0:
        outcomes[BUST] = 1.0
        return
    reach = np.zeros(HANDS)
    reach[start] = 1.0
    last = start
    for hand in range(start, HANDS):
        if hand > last:
            break
        chance = reach[hand]
        if chance == 0.0:
            continue
        total = TOTAL[hand]
        if hand == BLACKJACK:
            outcomes[NATURAL] += chance
        elif total > 17 or (total == 17 and not (SOFT[hand] and table.hits_soft_17)):
            outcomes[total - 17] += chance
        else:
            size = 0.0
            for rank in range(RANKS):
                own = COUNTS[hand, rank] - COUNTS[start, rank]
                size += shoe[rank] - own * table.removal
            for rank in range(RANKS):
                own = COUNTS[hand, rank] - COUNTS[start, rank]
                cards = shoe[rank] - own * table.removal
                if cards <= 0:
                    continue
                child = CHILD[hand, rank]
                if child < 0:
                    outcomes[BUST] += chance * cards / size
                else:
                    reach[child] += chance * cards / size
                    last = max(last, child)


# What a round is worth in the midst of it, if the baseline plays on.


LIVE, OVER = 1, 2
"""States of a hand that has been played: the dealer decides, or not."""


@kernel
def deal_luck(
    shoe: np.ndarray,
    first: int,
    upcard: int,
    start: float,
    values: np.ndarray,
    terms: np.ndarray,
    insured: bool,
    table: RuleArrays,
) -> float:
    """Fill in the luck of the first two cards; return the value after them.

    ``values`` (10, hands) are those of two cards against each upcard, before the peek.
    """
    left = shoe.copy()
    size = 0.0
    for rank in range(RANKS):
        size += left[rank]
    left[first] -= table.removal
    size -= table.removal
    after_first = 0.0
    after_upcard = 0.0
    for up in range(RANKS):
        if left[up] <= 0:
            continue
        chance = left[up] / size
        left[up] -= table.removal
        mean = 0.0
        for second in range(RANKS):
            if left[second] > 0:
                hand = CHILD[CHILD[0, first], second]
                mean += left[second] / (size - table.removal) * values[up, hand]
        if insured and up == ACE:
            mean += 1.5 * left[TEN] / (size - table.removal) - 0.5
        left[up] += table.removal
        after_first += chance * mean
        if up == upcard:
            after_upcard = mean
    terms[0] = after_first - start
    terms[1] = after_upcard - after_first
    return after_upcard


@uncounted_kernel
def waiting_value(
    left: np.ndarray,
    upcard: int,
    pair: int,
    waiting: int,
    held: int,
    strategy: np.ndarray,
    table: RuleArrays,
) -> float:
    """Return what the hands of a split are worth that wait for their second card."""
    if waiting == 0:
        return 0.0
    return open_hands_value(left, upcard, pair, waiting, held, strategy, table)


@kernel
def played_hands_value(
    left: np.ndarray,
    size: float,
    upcard: int,
    number: np.ndarray,
    stake: np.ndarray,
    state: np.ndarray,
    hands: int,
    alone: bool,
    side: float,
    late_loss: float,
    table: RuleArrays,
) -> float:
    """Return the open value: the first ``hands``, once they have been played, and insurance.

    Where a hand is ``alone``, not one of a split, an ace and a ten are a blackjack.
    ``late_loss`` is what a surrendered hand loses besides if the dealer turns up a blackjack.
    """
    excluded = blackjack_rank(upcard, table)
    outcomes = np.empty(OUTCOMES)
    value = 0.0
    if excluded < 0:
        natural = natural_probability(left, upcard, table)
        value = side * (3.0 * natural - 1.0) - late_loss * natural
    asked = False
    for hand in range(hands):
        if state[hand] != LIVE:
            continue
        if not asked:
            dealer_outcomes(left, size, upcard, table, outcomes)
            asked = True
        if number[hand] == BLACKJACK and alone:
            unbeaten = 1.0 if excluded >= 0 else 1.0 - natural_probability(left, upcard, table)
            value += table.payout * unbeaten
        else:
            value += stake[hand] * stand_value(TOTAL[number[hand]], outcomes, excluded)
    return value


@uncounted_kernel
def action_and_rest_value(
    left: np.ndarray,
    upcard: int,
    hand: int,
    action: int,
    plan: np.ndarray,
    use_known: bool,
    known: np.ndarray,
    rest: float,
    waiting: int,
    held: int,
    pair: int,
    table: RuleArrays,
) -> float:
    """Return the value of an action for a hand and for those that wait for a card."""
    if use_known and not np.isnan(known[upcard, action, hand]):
        value: float = known[upcard, action, hand]
        return value
    if action == SPLIT:
        return open_hands_value(left, upcard, PAIRED[hand], waiting + 2, held + 1, plan, table)
    if action == SURRENDER:
        return surrender_value(left, upcard, table) + rest
    return action_value(left, upcard, hand, action, plan, table) + rest


# Rounds taken apart: what each decision cost, and what each card gave.
#
# The value of a state is what the rest of the round is worth if the baseline plays it. An action's
# skill is the value after it less that before it; a card's luck is the change that it makes. So the
# two add up to the money by construction, and luck is zero on average because the value before a
# card is the mean of those after it.


START, OFFER, PEEK, EXTRAS = 0, 1, 2, 3
"""Terms that belong to no event: the value before the deal (or after it, where that is not known),
the skill of what was declined before the peek, the luck of the peek."""


@kernel
def score_round(
    tokens: np.ndarray,
    shoe: np.ndarray,
    strategy: np.ndarray,
    insures: bool,
    start: float,
    dealt: np.ndarray,
    known: np.ndarray,
    table: RuleArrays,
    terms: np.ndarray,
    extras: np.ndarray,
) -> float:
    """Fill ``terms`` with the skill or luck of each event, and return what the round won.

    ``tokens`` end with -1; ``shoe`` is unseen before the deal; ``strategy`` (10, 3, hands) is the
    baseline. ``dealt`` (10, hands) are values of two cards and ``start`` of a round; with ``start``
    nan, the value begins after the deal. ``known`` (10, 5, hands) are `policy_values`, or empty.
    """
    terms[:] = 0.0
    extras[:] = 0.0
    gone = table.removal
    first, upcard, second = tokens[0], tokens[1], tokens[2]
    plan = strategy[upcard]
    excluded = blackjack_rank(upcard, table)
    left = shoe.copy()
    left[first] -= gone
    left[upcard] -= gone
    left[second] -= gone
    at = 3
    while OTHERS_DEAL <= tokens[at] < OTHERS_DRAW:
        left[tokens[at] - OTHERS_DEAL] -= gone
        at += 1
    hand = CHILD[CHILD[0, first], second]
    natural = natural_probability(left, upcard, table)
    side_value = 1.5 * natural - 0.5 if upcard == ACE else 0.0
    # Before the peek: the deal, insurance, early surrender.
    fresh = not np.isnan(start)
    value = dealt[upcard, hand] if fresh else hand_value(left, upcard, hand, plan, table)
    value += side_value if insures else 0.0
    extras[START] = value
    if fresh:
        extras[START] = start
        terms[2] = value - deal_luck(shoe, first, upcard, start, dealt, terms, insures, table)
    insured = tokens[at] == INSURANCE
    if upcard == ACE and insured != insures:
        change = side_value if insured else -side_value
        value += change
        if insured:
            terms[at] = change
        else:
            extras[OFFER] = change
    at += insured
    side = 0.5 if insured else 0.0
    row = FIRST
    early = table.surrender == 2 and excluded >= 0
    gave_up = False
    if hand != BLACKJACK and early:
        if tokens[at] == ACTION + SURRENDER:
            now = -0.5 + (side_value if insured else 0.0)
            terms[at] = now - value
            value = now
            gave_up = True
            at += 1
        elif plan[FIRST, hand] == SURRENDER:
            row = NO_SPLIT
            kept = played_value(left, upcard, hand, plan, NO_SPLIT, False, table)
            now = kept * (1.0 - natural) - natural + (side_value if insured else 0.0)
            extras[OFFER] += now - value
            value = now
    if excluded >= 0:
        wins = tokens[at] == DEALER and tokens[at + 1] >= 0 and tokens[at + 1] + upcard == TEN
        if wins:
            money = 2.0 * side
            if gave_up:
                money -= 0.5
            elif hand != BLACKJACK:
                money -= 1.0
            extras[PEEK] = money - value
            return money
        if natural > 0:
            now = -side
            if gave_up:
                now -= 0.5
            elif hand == BLACKJACK:
                now += table.payout
            else:
                # The value was that before the peek: a blackjack loses the wager.
                before = value - (side_value if insured else 0.0)
                now += (before + natural) / (1.0 - natural)
            extras[PEEK] = now - value
            value = now
    settled = -side if excluded >= 0 else 0.0
    drawn = at
    while tokens[at] >= OTHERS_DRAW:
        left[tokens[at] - OTHERS_DRAW] -= gone
        at += 1
    drawn = at - drawn
    # The player's hands, in the order of play.
    number = np.zeros(MOST_SPLIT, np.int64)
    stake = np.ones(MOST_SPLIT)
    state = np.zeros(MOST_SPLIT, np.int64)
    number[0] = hand
    held = 1
    pair = PAIRED[hand]
    level = split_level(table)
    one_card = pair == ACE and not table.hit_split_aces
    size = 0.0
    for rank in range(RANKS):
        size += left[rank]
    mine = 0
    if gave_up:
        settled -= 0.5
        state[0] = OVER
        mine = 1
    if hand == BLACKJACK:
        state[0] = LIVE
        mine = 1
    use_known = len(known) > 0
    late_loss = 0.0
    while mine < held:
        hand = number[mine]
        if CARDS[hand] == 1:
            card = tokens[at]
            hand = CHILD[hand, card]
            left[card] -= gone
            size -= gone
            number[mine] = hand
        # What this hand is worth, and what the others are.
        while True:
            split_hand = held > 1
            asked = TOTAL[hand] < 21 and CARDS[hand] < table.charlie
            room = split_hand and held < table.most_hands and CARDS[hand] == 2
            may_split = room and PAIRED[hand] >= 0 and (pair != ACE or table.resplit_aces)
            if split_hand and one_card and not may_split:
                asked = False
            waiting = held - mine - 1
            others = settled + played_hands_value(
                left, size, upcard, number, stake, state, mine, held == 1, side, 0.0, table
            )
            rest = waiting_value(left, upcard, pair, waiting, held, plan, table)
            if CARDS[hand] >= table.charlie:
                value_now = others + rest + 1.0
                planned = STAND
            elif not asked:
                planned = STAND
                value_now = others + rest + action_value(left, upcard, hand, STAND, plan, table)
            else:
                if CARDS[hand] > 2:
                    planned = plan[TO_HIT, hand]
                elif not split_hand:
                    planned = plan[row, hand]
                else:
                    planned = STAND if one_card else plan[level, hand]
                    if may_split and plan[FIRST, hand] == SPLIT:
                        planned = SPLIT
                value_now = others + action_and_rest_value(
                    left,
                    upcard,
                    hand,
                    planned,
                    plan,
                    use_known and not split_hand,
                    known,
                    rest,
                    waiting,
                    held,
                    pair,
                    table,
                )
            if CARDS[hand] > 2 or split_hand:  # a card has come
                terms[at] = value_now - value
                at += 1
                value = value_now
            elif drawn:
                terms[at - 1] = value_now - value
                value = value_now
            if not asked:
                state[mine] = LIVE
                if CARDS[hand] >= table.charlie:
                    state[mine] = OVER
                    settled += stake[mine]
                break
            action = tokens[at] - ACTION
            if action != planned:
                now = others + action_and_rest_value(
                    left,
                    upcard,
                    hand,
                    action,
                    plan,
                    use_known and not split_hand,
                    known,
                    rest,
                    waiting,
                    held,
                    pair,
                    table,
                )
                terms[at] = now - value
                value = now
            at += 1
            if action == STAND:
                state[mine] = LIVE
                break
            if action == SURRENDER:
                state[mine] = OVER
                settled -= 0.5
                late_loss = 0.5 if table.surrender == 1 and excluded < 0 else 0.0
                break
            if action == SPLIT:
                for index in range(held, mine + 1, -1):
                    number[index] = number[index - 1]
                hand = CHILD[0, PAIRED[hand]]
                number[mine + 1] = hand
                held += 1
            card = tokens[at]
            left[card] -= gone
            size -= gone
            hand = CHILD[hand, card]
            number[mine] = hand
            if action == DOUBLE:
                stake[mine] = 2.0
            if hand < 0 or action == DOUBLE:
                if hand < 0:
                    state[mine] = OVER
                    settled -= stake[mine]
                else:
                    state[mine] = LIVE
                now = settled + played_hands_value(
                    left, size, upcard, number, stake, state, mine + 1, held == 1, side, 0.0, table
                )
                waiting = held - mine - 1
                now += waiting_value(left, upcard, pair, waiting, held, plan, table)
                terms[at] = now - value
                value = now
                at += 1
                break
        mine += 1
    if tokens[at] >= OTHERS_DRAW:
        while tokens[at] >= OTHERS_DRAW:
            left[tokens[at] - OTHERS_DRAW] -= gone
            size -= gone
            at += 1
        now = settled + played_hands_value(
            left, size, upcard, number, stake, state, held, held == 1, side, late_loss, table
        )
        terms[at - 1] = now - value
        value = now
    # The dealer's cards, each by the change of what is expected.
    at += 1
    outcomes = np.empty(OUTCOMES)
    dealer = CHILD[0, upcard]
    while tokens[at] >= 0:
        card = tokens[at]
        left[card] -= gone
        size -= gone
        dealer = CHILD[dealer, card] if dealer >= 0 else -1
        finish_dealer(left, dealer, table, outcomes)
        now = settled - late_loss * outcomes[NATURAL]
        if side > 0 and excluded < 0:
            now += side * (3.0 * outcomes[NATURAL] - 1.0) if upcard == ACE else -side
        for index in range(held):
            if state[index] != LIVE:
                continue
            if number[index] == BLACKJACK and held == 1:
                now += table.payout * (1.0 - outcomes[NATURAL])
            else:
                now += stake[index] * stand_value(TOTAL[number[index]], outcomes, -1)
        terms[at] = now - value
        value = now
        at += 1
    return value


@kernel
def fill_scores(
    tokens: np.ndarray,
    shoes: np.ndarray,
    strategy: np.ndarray,
    insures: bool,
    start: float,
    dealt: np.ndarray,
    known: np.ndarray,
    table: RuleArrays,
    results: np.ndarray,
) -> None:
    """Fill ``results`` (rounds, 4) with money, skill, luck and start, by one baseline."""
    terms = np.empty(tokens.shape[1])
    extras = np.empty(EXTRAS)
    for turn in range(len(tokens)):
        money = score_round(
            tokens[turn], shoes[turn], strategy, insures, start, dealt, known, table, terms, extras
        )
        skill = extras[OFFER]
        luck = extras[PEEK]
        for at in range(tokens.shape[1]):
            token = tokens[turn, at]
            if token < 0:
                break
            if token < ACTION or token >= OTHERS_DEAL:
                luck += terms[at]
            else:
                skill += terms[at]
        results[turn, 0] = money
        results[turn, 1] = skill
        results[turn, 2] = luck
        results[turn, 3] = extras[START]
