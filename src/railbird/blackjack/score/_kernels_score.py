"""Rounds taken apart: what each decision cost, and what each card gave.

The value of a state is what the rest of the round is worth if the baseline plays it. An action's
skill is the value after it less that before it; a card's luck is the change that it makes. So the
two add up to the money by construction, and luck is zero on average because the value before a card
is the mean of those after it.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.blackjack.exact._kernels_split import (
    hand_value,
    natural_probability,
    split_level,
)
from railbird.blackjack.exact._kernels_values import (
    DOUBLE,
    FIRST,
    NO_SPLIT,
    SPLIT,
    STAND,
    SURRENDER,
    TO_HIT,
    Table,
    blackjack_rank,
    played_value,
    stand_value,
)
from railbird.blackjack.exact._tables_hands import (
    ACE,
    BLACKJACK,
    CARDS,
    CHILD,
    NATURAL,
    OUTCOMES,
    PAIRED,
    RANKS,
    TEN,
    TOTAL,
)
from railbird.blackjack.play._tables_tokens import (
    ACTION,
    DEALER,
    INSURANCE,
    MOST_SPLIT,
    OTHERS_DEAL,
    OTHERS_DRAW,
)
from railbird.blackjack.score._kernels_policy import action_value, finish_dealer
from railbird.blackjack.score._kernels_state import (
    LIVE,
    OVER,
    action_and_rest_value,
    deal_luck,
    played_hands_value,
    waiting_value,
)

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
    table: Table,
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
    place = 3
    while OTHERS_DEAL <= tokens[place] < OTHERS_DRAW:
        left[tokens[place] - OTHERS_DEAL] -= gone
        place += 1
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
    insured = tokens[place] == INSURANCE
    if upcard == ACE and insured != insures:
        change = side_value if insured else -side_value
        value += change
        if insured:
            terms[place] = change
        else:
            extras[OFFER] = change
    place += insured
    side = 0.5 if insured else 0.0
    row = FIRST
    early = table.surrender == 2 and excluded >= 0
    gave_up = False
    if hand != BLACKJACK and early:
        if tokens[place] == ACTION + SURRENDER:
            now = -0.5 + (side_value if insured else 0.0)
            terms[place] = now - value
            value = now
            gave_up = True
            place += 1
        elif plan[FIRST, hand] == SURRENDER:
            row = NO_SPLIT
            kept = played_value(left, upcard, hand, plan, NO_SPLIT, False, table)
            now = kept * (1.0 - natural) - natural + (side_value if insured else 0.0)
            extras[OFFER] += now - value
            value = now
    if excluded >= 0:
        wins = (
            tokens[place] == DEALER and tokens[place + 1] >= 0 and tokens[place + 1] + upcard == TEN
        )
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
    drawn = place
    while tokens[place] >= OTHERS_DRAW:
        left[tokens[place] - OTHERS_DRAW] -= gone
        place += 1
    drawn = place - drawn
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
            card = tokens[place]
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
                terms[place] = value_now - value
                place += 1
                value = value_now
            elif drawn:
                terms[place - 1] = value_now - value
                value = value_now
            if not asked:
                state[mine] = LIVE
                if CARDS[hand] >= table.charlie:
                    state[mine] = OVER
                    settled += stake[mine]
                break
            action = tokens[place] - ACTION
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
                terms[place] = now - value
                value = now
            place += 1
            if action == STAND:
                state[mine] = LIVE
                break
            if action == SURRENDER:
                state[mine] = OVER
                settled -= 0.5
                late_loss = 0.5 if table.surrender == 1 and excluded < 0 else 0.0
                break
            if action == SPLIT:
                for other in range(held, mine + 1, -1):
                    number[other] = number[other - 1]
                hand = CHILD[0, PAIRED[hand]]
                number[mine + 1] = hand
                held += 1
            card = tokens[place]
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
                terms[place] = now - value
                value = now
                place += 1
                break
        mine += 1
    if tokens[place] >= OTHERS_DRAW:
        while tokens[place] >= OTHERS_DRAW:
            left[tokens[place] - OTHERS_DRAW] -= gone
            size -= gone
            place += 1
        now = settled + played_hands_value(
            left, size, upcard, number, stake, state, held, held == 1, side, late_loss, table
        )
        terms[place - 1] = now - value
        value = now
    # The dealer's cards, each by the change of what is expected.
    place += 1
    outcomes = np.empty(OUTCOMES)
    dealer = CHILD[0, upcard]
    while tokens[place] >= 0:
        card = tokens[place]
        left[card] -= gone
        size -= gone
        dealer = CHILD[dealer, card] if dealer >= 0 else -1
        finish_dealer(left, dealer, table, outcomes)
        now = settled - late_loss * outcomes[NATURAL]
        if side > 0 and excluded < 0:
            now += side * (3.0 * outcomes[NATURAL] - 1.0) if upcard == ACE else -side
        for other in range(held):
            if state[other] != LIVE:
                continue
            if number[other] == BLACKJACK and held == 1:
                now += table.payout * (1.0 - outcomes[NATURAL])
            else:
                now += stake[other] * stand_value(TOTAL[number[other]], outcomes, -1)
        terms[place] = now - value
        value = now
        place += 1
    return value


@kernel
def score_rounds(
    tokens: np.ndarray,
    shoes: np.ndarray,
    strategy: np.ndarray,
    insures: bool,
    start: float,
    dealt: np.ndarray,
    known: np.ndarray,
    table: Table,
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
        for place in range(tokens.shape[1]):
            token = tokens[turn, place]
            if token < 0:
                break
            if token < ACTION or token >= OTHERS_DEAL:
                luck += terms[place]
            else:
                skill += terms[place]
        results[turn, 0] = money
        results[turn, 1] = skill
        results[turn, 2] = luck
        results[turn, 3] = extras[START]
