"""Equity of two to ten hands in any variant: Omaha, high-low, stud, draw, several boards.

Unknown cards come from the rest of the deck, all equally likely. Up to `EXACT_DEALS` ways to deal
them are all counted; more are sampled. `railbird.odds.equity` serves hold'em, and takes ranges as
well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked, choice
from railbird._display import HasTable, table_of
from railbird._threads import in_slices
from railbird.cards import (
    VARIANTS,
    Card,
    CardsLike,
    HandRanking,
    Variant,
    VariantLike,
    cards_from,
    format_card,
    variant_from,
)
from railbird.cards.card import SEPARATORS, read_card
from railbird.cards.rankings import RANKING_NUMBER, least_strength
from railbird.cards.rankings_kernels import best_with_three
from railbird.cards.tables import CARD_KEY, CARD_MASK
from railbird.errors import BadInput, DuplicateCard
from railbird.odds.all_in_equity import Method, Mode
from railbird.odds.arguments import MOST_SAMPLES, SAMPLES
from railbird.odds.equity_kernels import SHARES
from railbird.odds.variant_equity_kernels import (
    PotTally,
    Sharing,
    count_boards,
    count_run_outs,
    left_tables,
    play_all_deals,
    play_dealt,
    play_drawn,
)
from railbird.progress import Progress

if TYPE_CHECKING:
    import polars as pl

EXACT_DEALS: Final = 5_000_000
"""The most deals of which `Mode.AUTO` counts all."""
MOST_EXACT_DEALS: Final = 2_000_000_000
"""The most deals that `Mode.EXACT` counts, which takes a quarter of an hour or more."""
SEEN_SAMPLES: Final = 200
"""Deals of `share_against_unknown`; its standard error is at most 0.036."""
MOST_BOARDS: Final = 3
"""The most boards of one hand."""

HandLike: TypeAlias = CardsLike
"""A player's cards; in a text ``??`` and ``xx`` are unknown ones, and ``random`` is a full hand."""

UNKNOWN: Final = frozenset({"??", "xx", "XX", "**"})
"""How an unknown card is written."""

_AT_ONCE: Final = 1 << 14
"""Random deals per stream."""
_MOST_SLICES: Final = 256
_Masks: TypeAlias = npt.NDArray[np.uint64]
_MOST_BITS: Final = 16
"""The most bits of winners of a deal (by share and player) that have a count of their own."""
_DEALS_OF_SLICE: Final = 1 << 14
"""Deals that are worth a thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareEquity:
    """A player's result in one share of the pot, on one board."""

    name: str
    """Its name, such as high, low, or high of board 2."""
    win: int
    """Deals in which the player's hand is best alone."""
    tie: int
    equity: float
    """Mean part of the whole pot that the player wins through this share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEquity:
    """A player's result."""

    equity: float
    """Share of the pot, 0 to 1."""
    stderr: float
    """Standard error of ``equity``; 0 if exact."""
    scoop: int
    """Deals in which the player wins the whole pot."""
    nothing: int
    """Deals in which the player wins nothing."""
    shares: tuple[ShareEquity, ...]
    """Board by board, high before low."""
    parts: Mapping[float, int]
    """Deals by the player's part of the pot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantEquity(HasTable):
    """The players' equities, which sum to 1."""

    variant: str
    players: tuple[HandEquity, ...]
    trials: int
    """Number of deals."""
    method: Method

    @property
    def exact(self) -> bool:
        """True if nothing was sampled."""
        return self.method is not Method.SAMPLED

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each player, numbered from 1, with columns for each share."""
        return table_of(
            {
                "player": number,
                **{
                    f"{share.name} {what}": getattr(share, what)
                    for share in player.shares
                    for what in ("win", "tie", "equity")
                },
                "scoop": player.scoop,
                "nothing": player.nothing,
                "equity": player.equity,
                "stderr": player.stderr,
            }
            for number, player in enumerate(self.players, start=1)
        )


@dataclass(frozen=True, slots=True)
class _Spot:
    """A checked question as arrays."""

    variant: Variant
    hands: tuple[tuple[Card, ...], ...]
    boards: tuple[tuple[Card, ...], ...]
    deck: npt.NDArray[np.uint8]
    """Unknown cards, ascending."""

    @property
    def missing(self) -> npt.NDArray[np.int64]:
        """Cards to come, by player and board."""
        hand, board = self.variant.hand_size, self.variant.board_sizes[-1]
        return np.array(
            [hand - len(cards) for cards in self.hands]
            + [board - len(cards) for cards in self.boards]
        )

    @property
    def deals(self) -> int:
        """Ways to deal the missing cards."""
        ways, left = 1, len(self.deck)
        for cards in self.missing.tolist():
            ways *= comb(left, cards)
            left -= cards
        return ways

    def arrays(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return holes and boards with the known cards first."""
        holes = np.zeros((len(self.hands), self.variant.hand_size), dtype=np.uint8)
        boards = np.zeros((len(self.boards), self.variant.board_sizes[-1]), dtype=np.uint8)
        for rows, known in ((holes, self.hands), (boards, self.boards)):
            for row, cards in zip(rows, known, strict=True):
                row[: len(cards)] = cards
        return holes, boards


@checked
def variant_equity(
    variant: VariantLike,
    hands: Sequence[HandLike],
    boards: Sequence[CardsLike] = (),
    *,
    dead: CardsLike = (),
    mode: Mode | str = Mode.AUTO,
    samples: int = SAMPLES,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> VariantEquity:
    """Compute the equity of hands in a variant if everybody stays to the showdown.

    ``boards`` has the cards of each board so far; an equal part of the pot is played for on each.
    In stud, cards that are not given are still to come. In draw games they are drawn: the given
    cards are those that a player keeps at the last draw, and discards are ``dead``. ``rng`` is used
    only for sampling; by default it is seeded with 0.

    Raises `railbird.errors.BadInput` for an unknown variant, a wrong number of players, boards or
    cards, a card that is not in the variant's deck, and an exact result that is out of reach;
    `railbird.errors.DuplicateCard` for a repeated card.

    >>> result = variant_equity("omaha-hilo", ["As2sKdQd", "JhJcTh9c"], ["3s4s8h"])
    >>> result.trials, [player.scoop for player in result.players]
    (820, [535, 0])
    >>> f"{result.players[0].equity:.4f}"
    '0.8262'
    """
    spot, mode = _checked(variant_from(variant), hands, boards, dead), choice(Mode, mode)
    deals = spot.deals
    if mode is Mode.EXACT and deals > MOST_EXACT_DEALS:
        raise BadInput(
            f"{deals:,} deals are too many to count, the most is {MOST_EXACT_DEALS:,}; sample them"
        )
    if mode is Mode.EXACT or (mode is Mode.AUTO and deals <= EXACT_DEALS):
        return _result(spot, _all_deals(spot, deals, progress), deals, Method.DEALS)
    if not 1 <= samples <= MOST_SAMPLES:
        raise BadInput(f"{samples} samples; allowed: 1 to {MOST_SAMPLES:,}")
    rng = np.random.default_rng(0) if rng is None else rng
    return _result(spot, _random_deals(spot, samples, rng, progress), samples, Method.SAMPLED)


@checked
def share_against_unknown(
    variant: VariantLike,
    own: CardsLike,
    others: Sequence[CardsLike],
    boards: Sequence[CardsLike] = (),
    *,
    dead: CardsLike = (),
    samples: int = SEEN_SAMPLES,
) -> float:
    """Estimate the mean part of the pot that a hand wins if everybody stays, by what it sees.

    ``others`` has the visible cards of each other hand, () for none. The same cards always give
    the same number, whatever their order: the stream of deals is seeded by them. Raises
    `railbird.errors.BadInput` as `variant_equity` does.

    >>> aces, rags = (share_against_unknown("omaha", own, [()]) for own in ("AsAhKsKh", "2c7d8hKs"))
    >>> aces > 0.6 > 0.5 > rags
    True
    """
    if not 1 <= samples <= MOST_SAMPLES:
        raise BadInput(f"{samples} samples; allowed: 1 to {MOST_SAMPLES:,}")
    variant, own = variant_from(variant), cards_from(own)
    _check_number(variant, 1, len(own))
    spot = _spot(variant, [own, *map(cards_from, others)], boards, dead)
    # Sums of bits do not depend on the order of the cards, so neither does the stream.
    seen = (_mask(own), *map(_mask, spot.boards))
    return float(_few_deals(spot, samples, np.random.default_rng(seen))[0])


@checked
def shares_of_few_deals(
    variant: VariantLike,
    hands: Sequence[CardsLike],
    boards: Sequence[CardsLike] = (),
    *,
    dead: CardsLike = (),
    most: int,
    rng: np.random.Generator,
) -> npt.NDArray[np.float64]:
    """Return the mean part of the pot that each hand wins if everybody stays, (players,).

    If there are at most ``most`` deals, all are counted; else that many are drawn by ``rng``. It
    serves many questions of few deals each: no table is built, which would take as long as
    thousands of deals. Raises `railbird.errors.BadInput` as `variant_equity` does.

    >>> rng = np.random.default_rng(0)
    >>> shares_of_few_deals("omaha", ["AsAhKsKh", "QdQcJdJc"], ["2s3s4d"], most=820, rng=rng)
    array([0.85853659, 0.14146341])
    """
    return _few_deals(
        _spot(variant_from(variant), list(map(cards_from, hands)), boards, dead), most, rng
    )


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def _few_deals(spot: _Spot, most: int, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    rules, missing = _rules(spot.variant), spot.missing
    nowhere = np.zeros(len(spot.hands), dtype=np.bool_)
    tables = np.zeros((len(rules.rankings), len(spot.hands), 0), dtype=np.uint16)
    known, tally, deals = spot.arrays(), _empty(spot), spot.deals
    if deals <= most:
        play_all_deals(*known, missing, spot.deck, rules, nowhere, tables, 0, deals, tally)
    else:
        deals = most
        stream = rng.integers(2**64, size=4, dtype=np.uint64)
        play_dealt(stream, deals, *known, missing, spot.deck, rules, nowhere, tables, tally)
    pot = tally.parts.shape[1] - 1
    shares: npt.NDArray[np.float64] = tally.parts @ np.arange(pot + 1) / (pot * deals)
    return shares


# From the question to arrays.


def _hand(value: HandLike, variant: Variant) -> tuple[tuple[Card, ...], int]:
    """Return the known cards of a hand, and the number of cards given, unknown ones included."""
    if not isinstance(value, str):
        cards = cards_from(value)
        return cards, len(cards)
    if value.strip().lower() == "random":
        return (), variant.hand_size
    known: list[Card] = []
    unknown = position = 0
    while position < len(value):
        if value[position] in SEPARATORS:
            position += 1
        elif value[position : position + 2] in UNKNOWN:
            unknown += 1
            position += 2
        else:
            card, position = read_card(value, position)
            known.append(card)
    return tuple(known), len(known) + unknown


def _checked(
    variant: Variant, hands: Sequence[HandLike], boards: Sequence[CardsLike], dead: CardsLike
) -> _Spot:
    if isinstance(hands, str):
        most = _most_hands(variant)
        raise BadInput(f"the text {hands!r} in {variant.name}; allowed: 2 to {most}")
    known = []
    for number, value in enumerate(hands, start=1):
        cards, given = _hand(value, variant)
        _check_number(variant, number, given)
        known.append(cards)
    return _spot(variant, known, boards, dead)


def _spot(
    variant: Variant,
    known: Sequence[tuple[Card, ...]],
    boards: Sequence[CardsLike],
    dead: CardsLike,
) -> _Spot:
    """Check known cards, which may be fewer than a full hand."""
    name = variant.name
    for number, cards in enumerate(known, start=1):
        if len(cards) > variant.hand_size:
            _check_number(variant, number, len(cards))
    most = _most_hands(variant)
    if not 2 <= len(known) <= most:
        raise BadInput(f"{len(known)} hands in {name}; allowed: 2 to {most}")
    common = _boards(variant, [boards] if isinstance(boards, str) else boards)
    seen: set[Card] = set()
    for card in (card for cards in (*known, *common, cards_from(dead)) for card in cards):
        if card not in variant.deck:
            text, lowest = format_card(card), format_card(variant.deck[0])[0]
            raise BadInput(f"{text} is not in the deck of {name}, which begins with {lowest}")
        if card in seen:
            raise DuplicateCard(f"{format_card(card)} is named twice")
        seen.add(card)
    deck = np.array([card for card in variant.deck if card not in seen], dtype=np.uint8)
    spot = _Spot(variant, tuple(known), common, deck)
    needed = int(spot.missing.sum())
    if needed > len(deck):
        raise BadInput(f"{len(deck)} cards left; {needed} are still to be dealt")
    return spot


def _most_hands(variant: Variant) -> int:
    """Return the number of hands for all of whose cards there is a place in the deck."""
    return variant.most_players - variant.may_run_out(variant.most_players)


def _boards(variant: Variant, boards: Sequence[CardsLike]) -> tuple[tuple[Card, ...], ...]:
    """Return the cards of each board; a game without boards counts as having one empty board."""
    common = [cards_from(board) for board in boards]
    if not variant.board_sizes[-1]:
        if any(common):
            raise BadInput(f"{variant.name} has no board; cards out of play are dead ones")
        return ((),)
    if len(common) > MOST_BOARDS:
        raise BadInput(f"{len(common)} boards; allowed: {MOST_BOARDS} at most")
    sizes = sorted({0, *variant.board_sizes})
    for cards in common:
        if len(cards) not in sizes:
            allowed = ", ".join(map(str, sizes))
            raise BadInput(f"a board of {len(cards)} cards in {variant.name}; allowed: {allowed}")
    common += [()] * (max(variant.boards, 1) - len(common))
    if len({len(cards) for cards in common}) > 1:
        counts = " and ".join(str(len(cards)) for cards in common)
        raise BadInput(f"boards of {counts} cards; allowed: as many on each")
    return tuple(common)


def _check_number(variant: Variant, number: int, count: int) -> None:
    """Check the number of a player's cards."""
    size = variant.hand_size
    if count == size or (count < size and not variant.board_sizes[-1]):
        return
    if count > size and count <= size + variant.discards:
        raise BadInput(
            f"hand {number} has {count} cards: in {variant.name} which {variant.discards} to throw "
            f"away is still to be decided; allowed: the {size} that are kept"
        )
    alike = [
        other.name
        for other in VARIANTS.values()
        if (other.hand_size, other.shares, other.board_sizes, other.boards)
        == (count, variant.shares, variant.board_sizes, variant.boards)
    ]
    raise BadInput(
        f"hand {number} has {count} cards; allowed in {variant.name}: {size}, unknown ones as ??"
        + (f" ({count} are {' or '.join(alike)})" if alike else "")
    )


# The deals.


def _rules(variant: Variant) -> Sharing:
    return Sharing(
        np.array([RANKING_NUMBER[share.ranking] for share in variant.shares]),
        np.array([least_strength(share) for share in variant.shares], dtype=np.uint16),
        variant.shares[0].use is not None,
    )


def _tables(spot: _Spot, rules: Sharing) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.uint16]]:
    """Return which hands have a table by three board cards, and the tables by share and player.

    In games that use two hole cards, a complete hand's result depends only on which three cards of
    the board are used, so its best strength with each three is computed once.
    """
    known = np.array([len(cards) == spot.variant.hand_size for cards in spot.hands]) & rules.two
    shape = (len(spot.variant.shares), len(spot.hands), comb(52, 3) if known.any() else 0)
    tables = np.zeros(shape, dtype=np.uint16)
    for share, ranking in enumerate(rules.rankings.tolist()):
        for player in np.flatnonzero(known).tolist():
            holes = np.array(spot.hands[player], dtype=np.uint8)
            best_with_three(holes, ranking, tables[share, player])
    return known, tables


def _empty(spot: _Spot) -> PotTally:
    players, shares = len(spot.hands), len(spot.variant.shares)
    cells = shares * len(spot.boards)
    return PotTally(
        np.zeros((players, SHARES * cells + 1), dtype=np.int64),
        *(np.zeros((cells, players), dtype=np.int64) for _ in range(3)),
    )


class _Sum:
    """Sums the tallies of slices. They are whole numbers, so their order does not matter."""

    def __init__(self, spot: _Spot) -> None:
        self.tally = _empty(spot)
        self._lock = Lock()

    def add(self, tally: PotTally) -> None:
        with self._lock:
            for total, counts in zip(self.tally, tally, strict=True):
                total += counts


def _all_deals(spot: _Spot, deals: int, progress: Progress | None) -> PotTally:
    rules, total, missing = _rules(spot.variant), _Sum(spot), spot.missing
    tabled, tables = _tables(spot, rules)
    parts, (holes, boards) = deals, spot.arrays()
    common = spot.boards[0]
    # Only the board is still to come, and there is one: its cards can be counted by place or run
    # out, which is far faster than dealing players and boards.
    run_out = len(spot.boards) == 1 and missing[-1] == missing.sum() > 0
    if run_out and rules.two and len(common) in (0, 1, 3):
        # A task is the highest three places of a board's five. The known cards have the last
        # places, so these three include them all, and such threes have the numbers from ``first``
        # on.
        row = np.array([*spot.deck, *common], dtype=np.uint8)
        by_place = left_tables(tables, row, rules.least)
        parts = comb(len(spot.deck), 3 - len(common))
        first = comb(len(row), 3) - parts

        def play(start: int, stop: int, tally: PotTally) -> None:
            count_boards(by_place, len(row), first + start, first + stop, tally)
    elif run_out and not rules.two and len(spot.variant.shares) == 1 and boards.size:
        (ranking,) = rules.rankings.tolist()
        board = boards[0, : len(common)].copy()

        def play(start: int, stop: int, tally: PotTally) -> None:
            to_come = int(missing[-1])
            count_run_outs(holes, board, to_come, spot.deck, ranking, start, stop, tally)
    else:

        def play(start: int, stop: int, tally: PotTally) -> None:
            play_all_deals(
                *spot.arrays(), missing, spot.deck, rules, tabled, tables, start, stop, tally
            )

    def add(start: int, stop: int) -> None:
        tally = _empty(spot)
        play(start, stop, tally)
        total.add(tally)

    slices = max(1, min(_MOST_SLICES, deals // _DEALS_OF_SLICE))
    in_slices(add, parts, size=-(-parts // slices), what="deals", progress=progress)
    return total.tally


def _random_deals(
    spot: _Spot, samples: int, rng: np.random.Generator, progress: Progress | None
) -> PotTally:
    rules, total, missing = _rules(spot.variant), _Sum(spot), spot.missing
    streams = rng.integers(2**64, size=(-(-samples // _AT_ONCE), 4), dtype=np.uint64)
    play: Callable[[npt.NDArray[np.uint64], int, PotTally], None]
    if _adds_keys(spot, rules):
        keys, masks, pieces, piece_masks, piece_keys = _drawn(spot)
        singles, players = len(spot.deck), len(spot.hands)

        def play(state: npt.NDArray[np.uint64], deals: int, tally: PotTally) -> None:
            cards = (keys, masks, pieces, piece_masks, piece_keys)
            play_drawn(state, deals, *cards, singles, rules, players, tally)
    else:
        tabled, tables = _tables(spot, rules)

        def play(state: npt.NDArray[np.uint64], deals: int, tally: PotTally) -> None:
            # The deck is shuffled in place, so each thread has a copy.
            known = (*spot.arrays(), missing, spot.deck.copy(), rules, tabled, tables)
            play_dealt(state, deals, *known, tally)

    def add(start: int, stop: int) -> None:
        tally = _empty(spot)
        play(streams[start // _AT_ONCE], stop - start, tally)
        total.add(tally)

    in_slices(add, samples, size=_AT_ONCE, what="deals", progress=progress)
    return total.tally


def _adds_keys(spot: _Spot, rules: Sharing) -> bool:
    """Return whether the fast method applies: hands as sums of keys, few cards, few winners."""
    badugi = RANKING_NUMBER[HandRanking.BADUGI] in rules.rankings
    cells = len(spot.boards) * len(spot.variant.shares)
    # Pieces are drawn apart and rejected if they share a card, which is rare only while at most
    # half of the deck is dealt.
    few = 2 * int(spot.missing.sum()) <= len(spot.deck) and cells * len(spot.hands) <= _MOST_BITS
    return few and not rules.two and not badugi


def _drawn(
    spot: _Spot,
) -> tuple[_Masks, _Masks, npt.NDArray[np.int64], _Masks, _Masks]:
    """Return keys and masks of the known cards, the pieces of unknown cards, and their tables."""
    rows = [np.array(cards, dtype=np.int64) for cards in (*spot.hands, *spot.boards)]
    keys, masks = (
        np.array([table[row].sum(dtype=np.uint64) for row in rows], dtype=np.uint64)
        for table in (CARD_KEY, CARD_MASK)
    )
    # Unknown cards are drawn two at a time, since a table of pairs is small; an odd one comes
    # alone.
    pieces = [
        (row, min(2, cards - dealt))
        for row, cards in enumerate(spot.missing.tolist())
        for dealt in range(0, cards, 2)
    ]
    first, second = (spot.deck[places] for places in np.triu_indices(len(spot.deck), 1))
    masks_of_pieces, keys_of_pieces = (
        np.concatenate([table[spot.deck], table[first] + table[second]])
        for table in (CARD_MASK, CARD_KEY)
    )
    return (
        keys,
        masks,
        np.array(pieces, dtype=np.int64).reshape(-1, 2),
        masks_of_pieces,
        keys_of_pieces,
    )


# The answer.


def _result(spot: _Spot, tally: PotTally, trials: int, method: Method) -> VariantEquity:
    names = _share_names(spot)
    pot_size = tally.parts.shape[1] - 1
    players = []
    for player, counts in enumerate(tally.parts):
        had = np.flatnonzero(counts)
        parts = {int(part) / pot_size: int(counts[part]) for part in had}
        mean = int(had @ counts[had]) / (pot_size * trials)
        variance = sum(count * (part - mean) ** 2 for part, count in parts.items()) / trials
        players.append(
            HandEquity(
                equity=mean,
                stderr=sqrt(variance / trials) if method is Method.SAMPLED else 0.0,
                scoop=parts.get(1.0, 0),
                nothing=parts.get(0.0, 0),
                shares=tuple(
                    ShareEquity(
                        name=name,
                        win=int(tally.wins[cell, player]),
                        tie=int(tally.ties[cell, player]),
                        equity=int(tally.shares[cell, player]) / (pot_size * trials),
                    )
                    for cell, name in enumerate(names)
                ),
                parts=parts,
            )
        )
    return VariantEquity(
        variant=spot.variant.name, players=tuple(players), trials=trials, method=method
    )


def _share_names(spot: _Spot) -> list[str]:
    names = [share.name for share in spot.variant.shares]
    if len(spot.boards) == 1:
        return names
    if len(names) == 1:
        return [f"board {board}" for board in range(1, len(spot.boards) + 1)]
    return [f"board {board} {name}" for board in range(1, len(spot.boards) + 1) for name in names]
