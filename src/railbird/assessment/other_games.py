"""A match of any game but hold'em whose cards are all known: money, all-in equity, fitted luck.

`any_table` does the same for hold'em, and more. A row is a hand and a seat, and all hands of a deal
count as one value, as there.

The value of a hand for its seats is what they get of the pots if nobody bets again, on average over
the cards to come. What a street's cards change it by, less what they change it by on average before
they are dealt, is the luck of that street. Its mean is zero whoever plays. Averages over many cards
are taken over random ones, drawn by the hand's number alone and never by its cards or actions, so
the luck of a hand has the mean zero for any number of them: fewer only add noise. The first cards
need none: before them all seats are alike, so each pot belongs to those who are in it in equal
parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird._display import HasFigures
from railbird.assessment.assessment import reason_of_all_cards
from railbird.assessment.control_variates import CoefficientPrior, corrected, fit_of_match, luck_of
from railbird.cards import HOLDEM, Card, Variant
from railbird.cards.rankings import RANKING_NUMBER
from railbird.errors import BadInput
from railbird.estimates.estimate import FEWEST, Estimate, ResultUnit, ratio
from railbird.game import Betting, Call, Discard, HandDealer, HandState, Phase, act, pots
from railbird.game.actions import DealStreet
from railbird.game.state import Pot
from railbird.histories import HandRecord, Skipped, SkipReason
from railbird.histories.variant_hands import course_of_record, dealt_by_street, row_of_cards
from railbird.odds import shares_of_few_deals
from railbird.progress import Progress

DEALS: Final = 1_000
"""Deals behind a mean over cards to come; all of them are counted where there are no more."""
ALL_IN_DEALS: Final = 20_000
"""The same where nobody can act any more, and the mean takes the place of the result."""
GIVEN_TWICE: Final = "given twice"
"""Why a hand is left out that was there before."""

_WORD: Final = 2**64 - 1
NAMES: Final = ("money", "allin", "fitted")
"""Estimators, in the order of tables."""


class HandLuck(NamedTuple):
    """The luck of a hand's cards, in chips; zero in the mean whoever plays."""

    by_street: Floats
    """(seats, streets), zero for streets that were not dealt."""
    all_in: Floats
    """(seats,) the part of it after nobody could act any more."""


@checked
def hand_luck(
    record: HandRecord, *, number: int = 0, seed: int = 0, deals: int = DEALS
) -> HandLuck:
    """Return the luck of the cards of a hand of another game, all of which are known.

    ``number`` and ``seed`` alone choose the random cards; ``deals`` is how many of them stand for
    all. Raises `BadInput` for a hand of hold'em, one with a card unknown, and ``deals`` below 1.
    """
    variant = record.rules.variant
    if variant is HOLDEM:
        raise BadInput("a hand of hold'em; allowed: other games, in hold'em assess_table")
    if not all_known(record):
        raise BadInput("a hand with a card unknown; allowed: all cards known")
    if index(deals) < 1:
        raise BadInput(f"{deals} deals; allowed: 1 or more")
    luck = np.zeros((record.rules.seats, len(variant.streets)))
    all_in = np.zeros(record.rules.seats)
    # `SeedSequence` refuses negative numbers, which logs may have.
    stream = np.random.SeedSequence([seed & _WORD, number & _WORD])
    shares = (_DrawShares if variant.draws else _Shares)(variant, stream)
    row = row_of_cards(variant, record.cards, (record.board, *record.more_boards))
    dealer = HandDealer.of_row(record.rules, row)
    steps = dealer.begin()
    for action in record.actions:
        steps += dealer.act(action)
    dealt = [step for step in steps if isinstance(step.event, DealStreet)]
    for street, (_, cards_before, after) in enumerate(dealt):
        is_over = street > 0 and after.phase is not Phase.BETTING
        most = max(ALL_IN_DEALS, deals) if is_over else deals
        is_common = len(after.board) > variant.board_sizes[-1]
        for pot in pots(cards_before if street else _called(after)):
            if len(pot.seats) == 1 or is_common or not _serves(pot, cards_before):
                continue
            seats = [*pot.seats]
            expected = (
                shares.before(pot, cards_before, most)
                if street
                else np.full(len(seats), 1 / len(seats))
            )
            changed = pot.amount * luck_of(shares.after(pot, after, most), expected)
            luck[seats, street] += changed
            if is_over:
                all_in[seats] += changed
    return HandLuck(luck, all_in)


def all_known(record: HandRecord) -> bool:
    """Return whether every card that a hand of another game dealt to a seat is known."""
    first, *later = record.rules.variant.streets
    if any(None in cards for cards in record.cards):
        return False
    if any(isinstance(done, Discard) and None in done.cards for done in record.actions):
        return False
    if not any(street.down or street.up or street.draw for street in later):
        return all(len(cards) == first.down + first.up for cards in record.cards)
    dealt = dealt_by_street(record, course_of_record(record))
    return not any(None in own for street in dealt for own in street.own)


def _serves(pot: Pot, state: HandState) -> bool:
    """Return whether the deck can give each seat of a pot all its cards to come.

    If not, or if the last card is one for all, the street counts as having no luck: that it does is
    known before its cards, so the mean of what is left stays zero.
    """
    variant = state.rules.variant
    held = [len(cards) for cards in state.cards]
    boards = variant.boards * variant.board_sizes[-1]
    needed = sum(variant.hand_size - held[seat] for seat in pot.seats) + boards
    return needed <= len(variant.deck) - sum(held)


def _called(state: HandState) -> HandState:
    """Return the hand after everybody has called what the first street asks for."""
    while state.phase is Phase.BETTING:
        state = act(state, Call())
    return state


class _Shares:
    """Shares of a hand's pots after so many cards, each of which is asked for twice."""

    def __init__(self, variant: Variant, stream: np.random.SeedSequence) -> None:
        self._single = replace(variant, boards=1)
        self._stream = stream
        self._known: dict[tuple[object, ...], Floats] = {}

    def after(self, pot: Pot, state: HandState, most: int) -> Floats:
        """Return the mean share of each seat of a pot, (seats of the pot,), with these boards."""
        # What a street begins with is what the one before it ended with, so most shares are
        # computed once for both.
        key = (pot.seats, state.cards, len(state.board), most)
        if key not in self._known:
            boards = state.boards
            shares = [self._on(pot, state, board, boards, most) for board in boards]
            self._known[key] = np.mean(shares, axis=0)
        return self._known[key]

    def before(self, pot: Pot, state: HandState, most: int) -> Floats:
        """Return their mean over the cards of the street that is due: what they are without it."""
        return self.after(pot, state, most)

    def _on(
        self,
        pot: Pot,
        state: HandState,
        board: tuple[Card, ...],
        boards: Sequence[tuple[Card, ...]],
        most: int,
    ) -> Floats:
        own = state.cards
        hands = [own[seat] for seat in pot.seats]
        dead = [card for seat, cards in enumerate(own) if seat not in pot.seats for card in cards]
        dead += [card for cards in state.discards for card in cards]
        single = self._single
        if any(len(cards) > single.hand_size for cards in hands):  # some of them have to go later
            single = single.undiscarded
        # With several boards each is valued alone, and no card of another one can come on it.
        dead += [card for other in boards if other is not board for card in other]
        # The stream begins anew each time, so a share does not depend on which pots were valued
        # before it, and the cards before and after a street are compared on the same draws.
        rng = np.random.default_rng(self._stream)
        return shares_of_few_deals(single, hands, [board], dead=dead, most=most, rng=rng)


class _DrawShares:
    """The same in a draw game, by play-outs in which all throw away by a fixed rule later on."""

    def __init__(self, variant: Variant, stream: np.random.SeedSequence) -> None:
        from railbird.assessment import draw_luck_kernels

        self._kernels = draw_luck_kernels
        self._variant = variant
        self._ranking = RANKING_NUMBER[variant.shares[0].ranking]
        self._stream = stream

    def after(self, pot: Pot, state: HandState, most: int) -> Floats:
        """Return the mean share of each seat of a pot, (seats of the pot,), with these cards."""
        return self._among(
            pot,
            state,
            lambda among, left, stream, shares: self._kernels.add_shares_after(
                state.vector, among, left, self._ranking, most, stream, shares, 1.0
            ),
        )

    def before(self, pot: Pot, state: HandState, most: int) -> Floats:
        """Return their mean over what may be dealt for the cards that were thrown away."""
        row = np.array(self._variant.deck, np.uint8)
        drawn = self._variant.streets[state.street + 1].draw
        return self._among(
            pot,
            state,
            lambda among, left, stream, shares: self._kernels.add_expected_shares(
                state.vector, row, drawn, among, left - 1, self._ranking, most, stream, shares
            ),
        )

    def _among(
        self,
        pot: Pot,
        state: HandState,
        add: Callable[[NDArray[np.int64], int, NDArray[np.uint64], Floats], None],
    ) -> Floats:
        shares = np.zeros(state.rules.seats)
        left = sum(street.draw > 0 for street in self._variant.streets[state.street + 1 :])
        # The same numbers for every call, for the reason given in `_Shares`.
        stream = np.array(self._stream.generate_state(1, np.uint64), np.uint64)
        add(np.array(pot.seats, np.int64), left, stream, shares)
        return shares[list(pot.seats)]


# The hands of a match.


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherGameAssessment(HasFigures):
    """Finished hands of one game and betting, in the unit of the game per hand."""

    variant: Variant
    betting: Betting
    players: tuple[str, ...]
    """In the order of their first hand."""
    unit: ResultUnit
    hands: int
    known: int
    """Hands with all cards known: only if these are all do estimates but the money's count."""
    skipped: dict[str, int]
    """Hands that could not be used, by reason."""
    rows: pl.DataFrame
    """A row a hand and seat: ``row`` of the hand, ``deal``, ``seat``, ``player``, and in the unit
    ``money`` and, null where a card is unknown, ``allin``, ``fitted`` and ``luck_0`` and so on, by
    street."""
    estimates: dict[str, dict[str, Estimate]]
    """Mean per hand by player and name of an estimator."""
    variance_reduction: dict[str, float]
    """Variance of a hand's money over that of the estimator, all players together."""
    coefficients: Floats
    """(streets,) mean coefficients of the luck."""
    forward: bool

    @property
    def headline(self) -> str:
        """Name of the estimator that decides, which depends on what is known alone."""
        return "fitted" if self.known == self.hands else "money"

    @property
    def reason(self) -> str:
        """Why that one decides, as the end of a sentence."""
        if self.headline == "fitted":
            return reason_of_all_cards(self.hands)
        hidden = self.hands - self.known
        return f"some cards of {hidden:,} of {self.hands:,} hands are not known"

    @property
    def usable(self) -> tuple[str, ...]:
        """Names of the estimators that tables show: where cards are hidden, the money alone."""
        return NAMES if self.headline == "fitted" else NAMES[:1]

    def to_polars(self) -> pl.DataFrame:
        """Return the rows."""
        return self.rows

    def as_json(self) -> dict[str, Any]:
        """Return the unrounded numbers."""
        return {
            "hands": self.hands,
            "game": self.variant.name,
            "betting": self.betting.value,
            "unit": self.unit,
            "forward": self.forward,
            "skipped": self.skipped,
            "evidence": {
                "all_cards": self.known,
                "verdict_by": self.headline if self.hands else None,
                "reason": self.reason if self.hands else None,
            },
            "coefficients": self.coefficients.tolist(),
            "variance_reduction": self.variance_reduction,
            "players": {
                name: {key: of_player[key].as_json() for key in self.usable}
                for name, of_player in self.estimates.items()
            },
        }


@checked
def assess_other_game(
    hands: Iterable[HandRecord | Skipped],
    *,
    forward: bool = False,
    seed: int = 0,
    deals: int = DEALS,
    notice: Callable[[int, HandRecord], object] | None = None,
    progress: Progress | None = None,
) -> OtherGameAssessment:
    """Assess hands of a game that is not hold'em, the game and betting of the first of them.

    Hands of another game or betting are counted and left out, since their units differ, and so are
    hands given twice. ``forward`` takes the coefficients of the luck from earlier hands alone.
    ``notice`` is called with the row of each hand that counts, and the hand.

    >>> from railbird.arena import Match, hands
    >>> from railbird.cards import VARIANTS
    >>> from railbird.game import HEADS_UP_LIMIT
    >>> rules = replace(HEADS_UP_LIMIT, variant=VARIANTS["omaha"])
    >>> played = hands(Match(players=("always-call", "random"), rules=rules, deals=30))
    >>> result = assess_other_game(played, deals=50)
    >>> result.hands, result.known, result.headline
    (30, 30, 'fitted')
    """
    if index(deals) < 1:
        raise BadInput(f"{deals} deals; allowed: 1 or more")
    skipped: Counter[str] = Counter()
    seen: set[int] = set()
    columns: dict[str, list[Any]] = {
        name: [] for name in ("row", "deal", "seat", "player", "money")
    }
    luck: list[Floats] = []
    all_in: list[Floats] = []
    deal_numbers: dict[Any, int] = {}
    game: tuple[Variant, Betting] | None = None
    count = known = 0
    for item in hands:
        if isinstance(item, Skipped):
            skipped[item.reason.value] += 1
            continue
        rules = item.rules
        own_game = rules.variant.counted_as, rules.betting
        if rules.variant is HOLDEM or (game or own_game) != own_game:
            skipped[SkipReason.ANOTHER_GAME.value] += 1
            continue
        # The hash is kept instead of the hand: eight bytes for each hand of a log of any length.
        mark = hash(_identity(item))
        if mark in seen:
            skipped[GIVEN_TWICE] += 1
            continue
        seen.add(mark)
        game = own_game
        has_all = all_known(item)
        chips = rules.chips_per_unit
        if has_all:
            of_hand = hand_luck(
                item, number=count if item.number is None else item.number, seed=seed, deals=deals
            )
            luck.append(of_hand.by_street / chips)
            all_in.append(of_hand.all_in / chips)
        else:
            luck.append(np.full((rules.seats, len(rules.variant.streets)), np.nan))
            all_in.append(np.full(rules.seats, np.nan))
        # A hand with a hidden card cannot be recognised as a copy, so it is a deal of its own.
        deal = deal_numbers.setdefault(_deal_of(item) if has_all else (count,), len(deal_numbers))
        columns["row"] += [count] * rules.seats
        columns["deal"] += [deal] * rules.seats
        columns["seat"] += range(rules.seats)
        columns["player"] += item.players
        columns["money"] += [float(won / chips) for won in item.payoffs]
        if notice is not None:
            notice(count, item)
        count += 1
        known += has_all
        if progress is not None:
            progress(count, 0, "hands")
    if game is None:
        game = (HOLDEM, Betting.LIMIT)
    luck_columns = np.concatenate(luck) if luck else np.zeros((0, len(game[0].streets)))
    rows = pl.DataFrame(columns, schema_overrides={"player": pl.String, "money": pl.Float64})
    rows, coefficients = _valued(rows, luck_columns, all_in, forward=forward, seed=seed)
    players = tuple(dict.fromkeys(columns["player"]))
    unit = ResultUnit.SMALL_BETS if game[1] is Betting.LIMIT else ResultUnit.BIG_BLINDS
    return OtherGameAssessment(
        variant=game[0],
        betting=game[1],
        players=players,
        unit=unit,
        hands=count,
        known=known,
        skipped=dict(skipped),
        rows=rows,
        estimates={
            name: {
                estimator: _mean_of(rows.filter(pl.col("player") == name), estimator, unit)
                for estimator in (NAMES if known == count else NAMES[:1])
            }
            for name in players
        },
        variance_reduction=_reductions(rows) if known == count else {},
        coefficients=coefficients,
        forward=forward,
    )


def _identity(record: HandRecord) -> tuple[object, ...]:
    """Return what makes a hand another one; its views may know other cards."""
    number = (record.number, record.number_text, record.table)
    played = (record.players, record.board, record.actions, record.payoffs)
    return (*number, *played) if any(number[:2]) else (record.cards, *played)


def _deal_of(record: HandRecord) -> tuple[tuple[int, ...], ...]:
    """Return what hands of one deal have in common, whoever holds the cards."""
    street = record.rules.variant.streets[0]
    first = [own[: street.down + street.up] for own in record.cards]
    return tuple(sorted(tuple(sorted(c for c in own if c is not None)) for own in first))


def _valued(
    rows: pl.DataFrame, luck: Floats, all_in: Sequence[Floats], *, forward: bool, seed: int
) -> tuple[pl.DataFrame, Floats]:
    """Add the estimators' values and the luck; return the mean coefficients, too."""
    terms = luck.shape[1]
    known = ~np.isnan(luck[:, 0]) if terms else np.zeros(0, np.bool_)
    money, fitted = rows["money"].to_numpy(), np.full(len(rows), np.nan)
    prior = CoefficientPrior(np.ones(terms), np.eye(terms))
    coefficients = prior.mean
    if known.any():
        fit = fit_of_match(
            money[known],
            luck[known],
            rows["deal"].to_numpy()[known],
            prior,
            forward=forward,
            seed=seed,
        )
        fitted[known], coefficients = fit.values, fit.coefficients.mean(axis=0)
    chance = np.concatenate(all_in) if all_in else np.zeros(0)
    columns = {"allin": corrected(money, chance[:, None]), "fitted": fitted}
    columns |= {f"luck_{street}": luck[:, street] for street in range(terms)}
    return rows.with_columns(
        pl.Series(name, values, nan_to_null=True) for name, values in columns.items()
    ), coefficients


def _mean_of(rows: pl.DataFrame, column: str, unit: ResultUnit) -> Estimate:
    """Return the mean of a hand, the deals being independent."""
    deals = rows.group_by("deal", maintain_order=True).agg(pl.col(column).sum(), hands=pl.len())
    return ratio(deals[column], deals["hands"], unit=unit)


def _reductions(rows: pl.DataFrame) -> dict[str, float]:
    if len(rows) < FEWEST:
        return {}
    spreads = {name: float(np.var(rows[name].to_numpy())) for name in NAMES}
    return {name: spreads["money"] / spreads[name] for name in NAMES[1:] if spreads[name] > 0}
