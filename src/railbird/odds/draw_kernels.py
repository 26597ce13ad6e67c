"""Draw games: a fixed rule of what to throw away, and play-outs in which everybody follows it."""

# The rule looks at the own cards and at how many draws are left, this one included. It is no
# optimum, and need not be: `sensible` plays by it, and luck removed by its play-outs is luck
# whatever is thrown away later (`railbird.assessment.draw_luck`), only the variance would be less
# with a better one. Of low games two numbers by the draws left are enough: the highest card that is
# kept, and the highest card of a hand that stands pat. They are what books on these games say for
# hands without information on others, rounded to whole ranks.
#
# Who would notice: tests/odds/test_draw.py has hands and what is thrown away of them, and compares
# the shares with those that are known.

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.rankings_kernels import any_strength, badugi_strength
from railbird.cards.splitmix_kernels import GOLDEN, mixed_bits

# Numbers of rankings, as `railbird.cards.rankings.RANKING_NUMBER`.
ACE_TO_FIVE = 3
DEUCE_TO_SEVEN = 4
BADUGI = 5

KEPT = np.array([[0] * 4, [0] * 4, [0] * 4, [0, 8, 7, 6], [0, 7, 6, 5], [0, 12, 8, 7]])
"""(rankings, draws left) the highest card that is kept, as a place in the order of low ranks."""
PAT = np.array([[0] * 4, [0] * 4, [0] * 4, [0, 9, 8, 7], [0, 8, 7, 6], [0, 12, 10, 8]])
"""The same of a whole hand."""
for _table in (KEPT, PAT):
    _table.setflags(write=False)
del _table

MOST_CARDS = 5
TRIES = 8
"""Hands that are dealt to a rival until one exchanges as many cards as he did."""


@inline_kernel
def rank_at(cards: np.ndarray, i: int) -> int:
    """Return a card's rank, 0 for a deuce."""
    return np.int64(cards[i]) >> 2  # type: ignore[return-value]


@inline_kernel
def suit_at(cards: np.ndarray, i: int) -> int:
    """Return a card's suit, 0 to 3."""
    return np.int64(cards[i]) & 3  # type: ignore[return-value]


@inline_kernel
def place_at(cards: np.ndarray, i: int, ranking: int) -> int:
    """Return the place of a card's rank in the order of a low game, 0 for the best."""
    rank = rank_at(cards, i)
    return rank if ranking == DEUCE_TO_SEVEN else (rank + 1) % 13


@uncounted_kernel
def kept_low(cards: np.ndarray, ranking: int, left: int) -> int:
    """Return the mask of the cards that a hand of low ranks keeps."""
    places = 0
    mask = 0
    highest = -1
    suits = 0
    for i in range(len(cards)):
        place = place_at(cards, i, ranking)
        suits |= 1 << suit_at(cards, i)
        if places >> place & 1 == 0:
            places |= 1 << place
            mask |= 1 << i
            if highest < 0 or place > place_at(cards, highest, ranking):
                highest = i
    if mask == (1 << len(cards)) - 1:
        counts = False
        if ranking == DEUCE_TO_SEVEN:
            lowest = places & -places
            counts = suits & (suits - 1) == 0 or places == lowest * 31
        if not counts and place_at(cards, highest, ranking) <= PAT[ranking, left]:
            return mask
        mask &= ~(1 << highest)
    for i in range(len(cards)):
        if place_at(cards, i, ranking) > KEPT[ranking, left]:
            mask &= ~(1 << i)
    return mask


@uncounted_kernel
def kept_of_badugi(cards: np.ndarray, left: int) -> int:
    """Return the mask of the cards that a hand of badugi keeps: the best that are low enough."""
    best = 0
    most = 0
    sum_of_best = 0
    for mask in range(1 << len(cards)):
        ranks = 0
        suits = 0
        number = 0
        highest = 0
        for i in range(len(cards)):
            if mask >> i & 1:
                place = place_at(cards, i, BADUGI)
                ranks |= 1 << place
                suits |= 1 << suit_at(cards, i)
                number += 1
                highest = max(highest, place)
        pairs = 0
        for bit in range(13):
            pairs += (ranks >> bit & 1) + (suits >> bit & 1)
        limit = PAT[BADUGI, left] if number == len(cards) else KEPT[BADUGI, left]
        if pairs < 2 * number or highest > limit:
            continue
        if number > most or (number == most and ranks < sum_of_best):
            best, most, sum_of_best = mask, number, ranks
    return best


@uncounted_kernel
def kept_high(cards: np.ndarray) -> int:
    """Return the mask of the cards that a high hand keeps.

    Whole hands and four to a flush or to a straight open at both ends, else cards of one rank, else
    the two highest.
    """
    ranks = 0
    alike = 0
    suit_mask = 0
    for i in range(len(cards)):
        ranks |= 1 << rank_at(cards, i)
        same_suit = 0
        for j in range(len(cards)):
            if i != j and rank_at(cards, i) == rank_at(cards, j):
                alike |= 1 << i
            if suit_at(cards, i) == suit_at(cards, j):
                same_suit += 1
        if same_suit >= 4:
            suit_mask |= 1 << i
    everything = (1 << len(cards)) - 1
    wheel = 1 << 12 | 15
    lowest = ranks & -ranks
    if alike == everything:
        return everything
    if suit_mask == everything or (alike == 0 and (ranks == lowest * 31 or ranks == wheel)):
        return everything
    if alike:
        return alike
    if suit_mask:
        return suit_mask
    for low in range(9):
        four = 15 << low
        if ranks & four == four:
            mask = 0
            for i in range(len(cards)):
                if four >> rank_at(cards, i) & 1:
                    mask |= 1 << i
            return mask
    mask = 0
    for i in range(len(cards)):
        higher = 0
        for j in range(len(cards)):
            higher += cards[j] > cards[i]
        if higher < 2:
            mask |= 1 << i
    return mask


@uncounted_kernel
def keep_first(cards: np.ndarray, ranking: int, left: int) -> int:
    """Put the cards in front that the rule keeps with ``left`` draws, this one included."""
    if ranking == BADUGI:
        mask = kept_of_badugi(cards, left)
    elif ranking >= ACE_TO_FIVE:
        mask = kept_low(cards, ranking, left)
    else:
        mask = kept_high(cards)
    kept = 0
    for i in range(len(cards)):
        if mask >> i & 1:
            cards[kept], cards[i] = cards[i], cards[kept]
            kept += 1
    return kept


@inline_kernel
def random_below(state: np.ndarray, bound: int) -> int:
    """Return a random number below a bound, from a stream of one uint64."""
    state[0] += GOLDEN
    return int(((mixed_bits(state[0]) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@inline_kernel
def drawn_card(pool: np.ndarray, size: int, state: np.ndarray) -> int:
    """Move a random card of the first ``size`` of a pool to their end, and return it."""
    place = random_below(state, size)
    pool[place], pool[size - 1] = pool[size - 1], pool[place]
    return int(pool[size - 1])


@uncounted_kernel
def replace_rest(
    cards: np.ndarray, held: int, pool: np.ndarray, size: int, state: np.ndarray
) -> None:
    """Exchange the cards behind the first ``held`` for random ones of a pool, where those go."""
    for i in range(held, len(cards)):
        place = random_below(state, size - (i - held))
        last = size - 1 - (i - held)
        pool[place], pool[last] = pool[last], pool[place]
    for i in range(held, len(cards)):
        last = size - 1 - (i - held)
        cards[i], pool[last] = pool[last], cards[i]


@uncounted_kernel
def strength_of(cards: np.ndarray, nothing: np.ndarray, ranking: int) -> int:
    """Return the strength of a whole hand."""
    if ranking == BADUGI:
        return int(badugi_strength(cards))
    return int(any_strength(cards, nothing, ranking))


@uncounted_kernel
def add_shares(
    hands: np.ndarray, nothing: np.ndarray, ranking: int, shares: np.ndarray, weight: float
) -> None:
    """Add each hand's part of a pot in a showdown."""
    best = -1
    winners = 0
    for player in range(len(hands)):
        strength = strength_of(hands[player], nothing, ranking)
        if strength > best:
            best = strength
            winners = 0
        winners += strength == best
    for player in range(len(hands)):
        if strength_of(hands[player], nothing, ranking) == best:
            shares[player] += weight / winners


@kernel
def share_seen(
    own: np.ndarray,
    unseen: np.ndarray,
    drawn: np.ndarray,
    draws: int,
    ranking: int,
    samples: int,
    seed: int,
) -> float:
    """Return the mean part of the pot of a hand whose rivals' cards are not known.

    ``own`` uint8 (size,) is the hand, ``unseen`` uint8 the cards that it does not see, ``drawn``
    int64 (rivals, draws so far) how many cards each rival has exchanged. A rival is dealt hands,
    and exchanges by the rule, until he has exchanged as many as he did in the last draw.
    """
    rivals, done = drawn.shape
    size = len(own)
    state = np.array([seed], np.uint64)
    hands = np.empty((rivals + 1, size), np.uint8)
    nothing = np.empty(0, np.uint8)
    shares = np.zeros(rivals + 1)
    pool = np.empty_like(unseen)
    for _ in range(samples):
        left = len(pool)
        for i in range(left):
            pool[i] = unseen[i]
        for i in range(size):
            hands[0, i] = own[i]
        for rival in range(1, rivals + 1):
            for attempt in range(TRIES):
                for i in range(size):
                    hands[rival, i] = drawn_card(pool, left - i, state)
                as_often = True
                rest = left - size
                for draw in range(done):
                    held = keep_first(hands[rival], ranking, draws - draw)
                    if draw == done - 1:
                        as_often = size - held == drawn[rival - 1, draw]
                    if rest >= size - held:
                        replace_rest(hands[rival], held, pool, rest, state)
                if as_often or attempt == TRIES - 1:
                    break
                for i in range(size):  # back into the pool, whose places they leave filled
                    pool[left - 1 - i] = hands[rival, i]
            left -= size
        for draw in range(done, draws):
            for player in range(rivals + 1):
                held = keep_first(hands[player], ranking, draws - draw)
                if left >= size - held:
                    replace_rest(hands[player], held, pool, left, state)
        add_shares(hands, nothing, ranking, shares, 1 / samples)
    return float(shares[0])


@kernel
def shares_played_out(
    hands: np.ndarray,
    among: np.ndarray,
    deck: np.ndarray,
    thrown: np.ndarray,
    left: int,
    ranking: int,
    deals: int,
    state: np.ndarray,
    shares: np.ndarray,
) -> None:
    """Add to ``shares`` (players,) the mean parts of the pot of known hands, uint8 (players, size).

    The pot is shared ``among`` these players. ``left`` draws are to come, in which all exchange by
    the rule, from the ``deck``; where it does not serve all in a draw, ``thrown`` cards come in.
    So players are alike but for their cards. Without a draw to come, one deal says all.
    """
    size = hands.shape[1]
    nothing = np.empty(0, np.uint8)
    compared = np.empty((len(among), size), np.uint8)
    parts_of_pot = np.zeros(len(among))
    played = hands.copy()
    pool = np.empty(len(deck) + len(thrown) + hands.size, np.uint8)
    held = np.empty(len(hands), np.int64)
    if left == 0:
        deals = 1
    for _ in range(deals):
        for player in range(len(hands)):
            for i in range(size):
                played[player, i] = hands[player, i]
        cards = len(deck)
        spare = cards + len(thrown)
        for i in range(cards):
            pool[i] = deck[i]
        for i in range(len(thrown)):
            pool[cards + i] = thrown[i]
        for draw in range(left, 0, -1):
            asked = 0
            for player in range(len(played)):
                held[player] = keep_first(played[player], ranking, draw)
                asked += size - held[player]
            for player in range(len(played)):
                for i in range(held[player], size):
                    pool[spare] = played[player, i]
                    spare += 1
            if asked > cards:
                cards = spare
            for player in range(len(played)):
                for i in range(held[player], size):
                    played[player, i] = drawn_card(pool, cards, state)
                    cards -= 1
                    spare -= 1
                    pool[cards] = pool[spare]
        for i in range(len(among)):
            compared[i] = played[among[i]]
        add_shares(compared, nothing, ranking, parts_of_pot, 1 / deals)
    for i in range(len(among)):
        shares[among[i]] += parts_of_pot[i]
