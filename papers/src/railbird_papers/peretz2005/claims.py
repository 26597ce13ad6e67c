"""Every numeric claim of the source compared with ours, in limit; exact if it can be counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import comb
from pathlib import Path
from typing import Final, NamedTuple

import altair as alt
import numpy as np
import numpy.typing as npt

from railbird.cards import (
    HOLDING_CARDS,
    HOLDINGS,
    RANKS,
    STRENGTHS,
    Card,
    Holding,
    holding_of,
    parse_cards,
    parse_class,
    parse_holding,
)
from railbird.cards.isomorphism import board_classes
from railbird.estimates import Estimate, Moments
from railbird.histories import read_columns
from railbird.histories.columns import HandBatch, batches_of
from railbird.odds import (
    Opponent,
    PreflopSituation,
    classes_matrix,
    flop_outcomes,
    open_tables,
    preflop_value,
    raise_ratio,
    reflected_weights,
    required_equity,
    risk_ratio,
    showdown_odds,
    spectrum,
)
from railbird.odds.arguments import FLOPS_SEEN, LOOSENESS_HANDS, SHARES
from railbird.odds.spectra import (
    board_quantiles,
    compare_run_outs,
    joint_odds,
    power_odds,
    winning_share,
)
from railbird.odds.win_probability import win_probability
from railbird.report.charts import layered
from railbird.report.document import Figure
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import (
    Published,
    Row,
    Verdict,
    claimed,
    compared,
    measured,
    must_exceed_zero,
    published_as_positive,
)
from railbird_papers.framework.workspace import Workspace

# Numbers as Peretz (2005) prints them, in per cent where he does.


FIRST_BET_EVEN: Final = {
    9: "7",
    8: "8",
    7: "9",
    6: "11",
    5: "13",
    4: "16",
    3: "21",
    2: "29",
}
"""1-chip zero-blind: share of hands that bet first, by players ahead."""

FIRST_BET_BLINDS: Final = {
    9: "10",
    8: "11",
    7: "12",
    6: "14",
    5: "17",
    4: "20",
    3: "26",
    2: "37",
}
"""1-chip with blinds: the same where 2 of 5 must be won."""

SMALL_BLIND: Final = "75"
"""1-chip with blinds: the small blind, which risks half a chip."""

CALLS: Final = {9: "6", 8: "6.6"}
"""Share that calls a first bet by the same stake, by players ahead of the bettor."""

CALLS_BETTER: Final = {9: "7.1", 8: "7.8"}
"""The same with the bettor's chip in the stake."""

NEEDED_TO_BET: Final = "40"
NEEDED_TO_CALL: Final = "29"

SEVEN_CARD_HANDS: Final = "133"
"""Millions."""
FIVE_CARD_HANDS: Final = "2.7"
"""Millions."""
FLOP_HANDS: Final = "26"
"""Millions of hole cards with a flop."""
PUBLISHED_FLOPS: Final = "19600"
HOLE_CARDS: Final = "1326"

FLUSH_DRAW: Final = "25"
FLUSH_DRAW_SQUARED: Final = "6"
FLUSH_DRAW_CUBED: Final = "1.5"

POT_ODDS: Final = "25"
IMPLIED_ODDS: Final = "40"
CALL_INTO_FORTY: Final = "10"
RAISE_AGAINST_TWO: Final = "33"


# Shared by the experiments: exact numbers as estimates, in per cent.


GAME: Final = "holdem.nolimit.6p.game,stack=10000"
"""For logs of ACPC lines, which do not name their game."""


def exact(value: float, unit: str = "%") -> Estimate:
    """Return a number without an error."""
    return Estimate(float(value), 0.0, 1, unit=unit)


def in_percent(share: float) -> Estimate:
    """Return an exact share in per cent."""
    return exact(100 * share)


# What takes a sample: errors by the number of opponents, medians, the reflective nuts.


SAMPLED_FLOPS: Final = 200
RIVERS: Final = 3_000
_LEAST: Final = 30
_DEALS: Final = 400_000
_MOST: Final = 9
_HELD, _SAMPLED_BOARD = parse_holding("QdQh"), parse_cards("Jc7d2s")
_TIGHT, _LOOSE = "preflop:call loose=0.5", "preflop:call loose=2"


@dataclass(frozen=True, slots=True)
class Dependence:
    """Distance of the power by final hand from the odds in which no card is in two hands."""

    mean: dict[int, float]
    """Mean distance over random flops, by the number of opponents."""
    queens: dict[int, float]
    """Distance for queens on a flop of lower cards."""
    estimates: dict[int, Estimate]


def dependence(workspace: Workspace) -> Dependence:
    """Measure the error of independence on random flops and on one where it is large."""
    rng = np.random.default_rng(workspace.seed)
    distances: dict[int, list[float]] = {number: [] for number in range(2, _MOST + 1)}
    states = [_state(rng, 3) for _ in range(max(_LEAST, round(SAMPLED_FLOPS * workspace.scale)))]
    for done, (holding, board) in enumerate(states, start=1):
        for number, distance in _distances(holding, board).items():
            distances[number].append(distance)
        workspace.tell(done, len(states), "opponents that share no card")
    estimates = {number: _mean(np.array(values)) for number, values in distances.items()}
    return Dependence(
        mean={number: mean.value / 100 for number, mean in estimates.items()},
        queens=_distances(_HELD, _SAMPLED_BOARD),
        estimates=estimates,
    )


def dependence_rows(errors: Dependence) -> list[Row]:
    """Return the errors by number of opponents."""
    note = "mean distance of the power by final hand from the odds of hands that share no card"
    rows = [
        measured(f"independence on random flops, {number} opponents", estimate, note)
        for number, estimate in errors.estimates.items()
    ]
    return rows + [
        measured(f"independence with QdQh on Jc7d2s, {number} opponents", in_percent(distance))
        for number, distance in errors.queens.items()
    ]


def corrected_rows(workspace: Workspace) -> list[Row]:
    """Return the error that the correction by pairs leaves, beside random deals."""
    deals = max(20_000, round(_DEALS * workspace.scale))
    rows = []
    for number in (3, 6, _MOST):
        corrected = showdown_odds(_HELD, _SAMPLED_BOARD, ["random"] * number).joint
        dealt = win_probability(_HELD, _SAMPLED_BOARD, opponents=number, deals=deals)
        error = Estimate(100 * (corrected - dealt.share), 100 * dealt.share_stderr, deals, unit="%")
        rows.append(
            claimed(
                f"correction by pairs, {number} opponents: what is left",
                error,
                abs(error.value) - 3 * error.stderr < 1,
                rule="below one per cent, within 3 standard errors",
            )
        )
    return rows


def spectrum_rows(workspace: Workspace) -> list[Row]:
    """Return how well medians and separate boards tell who is ahead."""
    rng = np.random.default_rng(workspace.seed + 1)
    states = [_state(rng, 3) for _ in range(max(_LEAST, round(SAMPLED_FLOPS * workspace.scale)))]
    wrong, distances = [], []
    for holding, board in states:
        drawn = spectrum(holding, board)
        odds = showdown_odds(holding, board, ["random"]).joint
        own, theirs = drawn.medians
        wrong.append(float((own > theirs) is not (odds > 0.5)))
        distances.append(abs(drawn.separate_odds() - odds))
    return [
        measured(
            "flops where the better median has the worse odds",
            _mean(np.array(wrong)),
            "the source compares medians to tell who is ahead",
        ),
        measured(
            "odds with a board of his own for each player: mean distance",
            _mean(np.array(distances)),
            "the source draws a dot of each spectrum, whose boards differ; in truth they share it",
        ),
    ]


def reflective_nuts_rows(workspace: Workspace) -> list[Row]:
    """Return how much more often a player has the reflective nuts against a tight opponent."""
    rng = np.random.default_rng(workspace.seed + 2)
    tight, loose = (reflected_weights(Opponent.parse(text)) for text in (_TIGHT, _LOOSE))
    count = max(10 * _LEAST, round(RIVERS * workspace.scale))
    has_nuts = np.zeros((count, 3))
    for place in range(count):
        holding, board = _state(rng, 5)
        shares = winning_share(holding, board, [tight, loose, np.ones(HOLDINGS)])
        has_nuts[place] = np.array(shares) == 0
    return [
        must_exceed_zero(
            "reflective nuts on the river, half as loose less twice as loose",
            _mean(has_nuts[:, 0] - has_nuts[:, 1]),
            "the source: easier against a tight player",
        ),
        measured("reflective nuts against one half as loose", _mean(has_nuts[:, 0])),
        measured("reflective nuts against one twice as loose", _mean(has_nuts[:, 1])),
        measured("nuts, against any hand", _mean(has_nuts[:, 2])),
    ]


def _distances(holding: Holding, board: tuple[Card, ...]) -> dict[int, float]:
    weights = np.ones(HOLDINGS)
    both = compare_run_outs(holding, board, [weights, weights])
    against = {number: replace(both, opponents=(0,) * number) for number in range(2, _MOST + 1)}
    return {
        number: abs(power_odds(run_outs) - joint_odds(run_outs))
        for number, run_outs in against.items()
    }


def _state(rng: np.random.Generator, board: int) -> tuple[Holding, tuple[Card, ...]]:
    cards = [Card(card) for card in rng.permutation(52)[: 2 + board].tolist()]
    return holding_of(cards[0], cards[1]), tuple(cards[2:])


def _mean(values: npt.NDArray[np.float64]) -> Estimate:
    return replace(Moments.of(100 * values).estimate(), unit="%")


# Whether a player's last hands tell more of his looseness than all of them.
#
# The source models opponents "in the current sitting", halving its counts of flops seen from time
# to time, and expects less of a database of all their hands. Given hands decide: both predict
# whether a player enters the pot, before every hand, and the logarithmic loss says who predicts
# better.


HALVED_AFTER: Final = (50, 200, 800)
"""Hands after which the counts are halved."""


def model_rows(workspace: Workspace) -> list[Row]:
    """Compare both models on the hands that were given; no rows without any."""
    if workspace.data is None:
        return []
    entered = entries(workspace.data)
    long = np.concatenate([losses(has_entered, None) for has_entered in entered.values()])
    rows = []
    for halved in HALVED_AFTER:
        short = np.concatenate([losses(has_entered, halved) for has_entered in entered.values()])
        gain = replace(Moments.of(long - short).estimate(), unit="nats")
        rows.append(
            published_as_positive(
                f"looseness by all hands less halved after {halved}: loss",
                gain,
                "above zero the last hands predict better whether a player enters the pot",
            )
        )
    return rows


def entries(data: Path) -> dict[str, npt.NDArray[np.bool_]]:
    """Return for each player whether he entered the pot, in the order of the hands.

    A big blind that nobody raised did not have to decide, and does not count.
    """
    read = read_columns(data, game=GAME if ".log" in data.suffixes else None)
    entered_by_player: dict[str, list[bool]] = {}
    for batch, _ in batches_of(read):
        for name, entered in _decisions(batch):
            entered_by_player.setdefault(name, []).append(entered)
    return {name: np.array(answers) for name, answers in entered_by_player.items()}


def _decisions(batch: HandBatch) -> list[tuple[str, bool]]:
    """Return the players who decided before the flop, and whether they put money in, by hand."""
    hand = np.repeat(np.arange(len(batch)), np.diff(batch.start))
    before = batch.answers.street == 0
    paid = (batch.action > 0) | ((batch.action == 0) & (batch.answers.to_call > 0))
    free = (batch.action == 0) & (batch.answers.to_call == 0)
    entered: dict[tuple[int, int], bool] = {}
    for place in np.flatnonzero(before & ~free).tolist():
        key = int(hand[place]), int(batch.answers.seat[place])
        entered[key] = entered.get(key, False) or bool(paid[place])
    return [
        (batch.names[batch.player[at, seat]], did) for (at, seat), did in sorted(entered.items())
    ]


def losses(entered: npt.NDArray[np.bool_], halved_after: int | None) -> npt.NDArray[np.float64]:
    """Return the logarithmic loss of each prediction from the hands before it.

    Both counts begin with `LOOSENESS_HANDS` hands at the ideal rate, which are not halved.
    """
    seen = hands = 0.0
    lost = np.empty(len(entered))
    for place, did in enumerate(entered.tolist()):
        rate = (seen + LOOSENESS_HANDS * FLOPS_SEEN) / (hands + LOOSENESS_HANDS)
        lost[place] = -np.log(rate if did else 1 - rate)
        seen, hands = seen + did, hands + 1
        if halved_after is not None and (place + 1) % halved_after == 0:
            seen, hands = seen / 2, hands / 2
    return lost


# Which share of holdings players bet, call and raise after the flop, beside the filter's.
#
# The source leaves the "is-bettable" heuristic to the program. Given hands in which all cards are
# known measure it: of the holdings that came to a decision, ordered on the board, the filter's
# share should be as many as were bet (or called, or raised). What a share is worth also shows in
# how many of those actions were taken by holdings within it.


_STREETS: Final = ("preflop", "flop", "turn", "river")
_SHARES_WORTH_BOARD: Final = (0, 3, 4, 5)
_RESAMPLED: Final = 200


class Decisions(NamedTuple):
    """Decisions of one kind."""

    quantile: npt.NDArray[np.float64]
    """(n,) share of better holdings on the board."""
    taken: npt.NDArray[np.bool_]
    """(n,) whether the action was taken, or a stronger one."""

    @property
    def share(self) -> float:
        """Share of the best holdings on a board that is as large as the share of this action."""
        return float(np.quantile(self.quantile, self.taken.mean()))

    @property
    def within(self) -> float:
        """Share of the actions that were taken by these holdings."""
        return float((self.quantile[self.taken] <= self.share).mean())


def share_rows(workspace: Workspace) -> list[Row]:
    """Measure the shares on the hands that were given; no rows without any."""
    if workspace.data is None:
        return []
    rows = []
    rng = np.random.default_rng(workspace.seed)
    for (street, act), observed in decisions(workspace.data).items():
        ours = SHARES[street][act]
        rows.append(
            measured(
                f"holdings worth a {act} on the {_STREETS[street]}",
                _estimate(observed, rng),
                f"the filter's share is {100 * ours:.0f} %; {100 * observed.within:.0f} % of these "
                "actions were by holdings within what was measured",
            )
        )
    return rows


def decisions(data: Path) -> dict[tuple[int, str], Decisions]:
    """Return the decisions after the flop by street and action, of players whose cards are known.

    Without a bet to call the decision is whether to bet, otherwise whether to call or raise; a
    player who raises would have called.
    """
    read = read_columns(data, game=GAME if ".log" in data.suffixes else None)
    quantiles: dict[tuple[int, str], list[float]] = {}
    taken: dict[tuple[int, str], list[bool]] = {}
    for batch, _ in batches_of(read):
        for street, act, quantile, did in _of_batch(batch):
            quantiles.setdefault((street, act), []).append(quantile)
            taken.setdefault((street, act), []).append(did)
    return {
        key: Decisions(np.array(quantiles[key]), np.array(taken[key])) for key in sorted(quantiles)
    }


def _of_batch(batch: HandBatch) -> Iterator[tuple[int, str, float, bool]]:
    hand = np.repeat(np.arange(len(batch)), np.diff(batch.start))
    tables = open_tables()
    known: dict[tuple[int, int], npt.NDArray[np.float64]] = {}
    for row in np.flatnonzero(batch.answers.street > 0).tolist():
        at, street = int(hand[row]), int(batch.answers.street[row])
        holding = int(batch.holding[at, batch.answers.seat[row]])
        if holding < 0:
            continue
        if (at, street) not in known:
            board = [Card(card) for card in batch.board[at, : _SHARES_WORTH_BOARD[street]].tolist()]
            known[at, street] = board_quantiles(board, tables=tables)
        quantile, action = float(known[at, street][holding]), int(batch.action[row])
        if batch.answers.to_call[row] == 0:
            yield street, "bet", quantile, action > 0
        else:
            yield street, "call", quantile, action >= 0
            yield street, "raise", quantile, action > 0


def _estimate(observed: Decisions, rng: np.random.Generator) -> Estimate:
    """Return the share in per cent, its standard error by resampling decisions."""
    n = len(observed.taken)
    again = [
        Decisions(observed.quantile[chosen], observed.taken[chosen]).share
        for chosen in (rng.integers(0, n, n) for _ in range(_RESAMPLED))
    ]
    return Estimate(100 * observed.share, 100 * float(np.std(again)), n, unit="%")


# Flops that a simple rule finds not worth a bet: no pair, no draw, no strong overcards.


_RANKS = 13
_FOUR = 4
_ACE_LOW = 1 << 12 | 0b1111
_STRAIGHTS = (_ACE_LOW, *(0b11111 << low for low in range(_RANKS - 4)))

_IN_A_ROW = (1 << 12 | 0b111, *(0b1111 << low for low in range(_RANKS - 3)))


def share_without_hope(*, gutshots: bool = True, strong: str = "2") -> float:
    """Return the share of all hole cards and flops that the rule finds not worth a bet.

    A draw has four cards of a suit or within a straight, at least one of them in the hole;
    overcards are two, both above the flop and at least of the rank ``strong``, of which the source
    says nothing more. Without ``gutshots`` the four of a straight draw must
    follow one another.
    """
    flops = board_classes(3)
    board = flops.representative.astype(np.int64)
    holes = HOLDING_CARDS.astype(np.int64)
    hole_ranks, board_ranks = _bits(holes // 4), _bits(board // 4)
    possible = np.ones((len(board), len(holes)), dtype=bool)
    for card in board.T:
        possible &= (holes != card[:, np.newaxis, np.newaxis]).all(axis=2)
    pocket = holes[:, 0] // 4 == holes[:, 1] // 4
    hope = pocket | ((board_ranks[:, np.newaxis] & hole_ranks) != 0)
    for suit in range(4):
        held = (holes % 4 == suit).sum(axis=1)
        shown = (board % 4 == suit).sum(axis=1)
        hope |= (held > 0) & (shown[:, np.newaxis] + held >= _FOUR)
    both = board_ranks[:, np.newaxis] | hole_ranks
    new = hole_ranks & ~board_ranks[:, np.newaxis]
    for straight in _STRAIGHTS if gutshots else _IN_A_ROW:
        hope |= (np.bitwise_count(both & straight) >= _FOUR) & ((new & straight) != 0)
    lower, highest = (holes // 4).min(axis=1), (board // 4).max(axis=1)[:, np.newaxis]
    hope |= (lower > highest) & (lower >= RANKS.index(strong))
    weights = flops.orbit.astype(np.float64)
    return float(weights @ (possible & ~hope).sum(axis=1) / (weights @ possible.sum(axis=1)))


def _bits(ranks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    bits: npt.NDArray[np.int64] = np.bitwise_or.reduce(1 << ranks, axis=1)
    return bits


_MULTIWAY_SCALE = 0.1
"""Share of the experiment from which a pot of several is valued, which takes half a minute."""


def perform(workspace: Workspace) -> ExperimentResult:
    """Compare the claims, and measure the source's assumptions."""
    errors = dependence(workspace)
    rows = [
        *_counts(),
        *_flush_draw(),
        *_ratios(),
        *_pair_against_ace_king(workspace),
        *_flops(),
        *dependence_rows(errors),
        *corrected_rows(workspace),
        *spectrum_rows(workspace),
        *reflective_nuts_rows(workspace),
        *model_rows(workspace),
        *share_rows(workspace),
    ]
    return ExperimentResult(
        hands=len(rows), noun="claim", rows=tuple(rows), drawings=(_drawing(errors),)
    )


def _counts() -> list[Row]:
    return [
        _against(
            "hands of seven cards, millions",
            SEVEN_CARD_HANDS,
            comb(52, 7) / 1e6,
            "the source cuts 133.8 off",
        ),
        _against(
            "hands of five cards, millions",
            FIVE_CARD_HANDS,
            comb(52, 5) / 1e6,
            "2,598,960, which rounds to 2.6",
        ),
        measured("hands of five cards that differ in strength", exact(STRENGTHS, "hands")),
        _against(
            "hole cards with a flop, millions",
            FLOP_HANDS,
            comb(52, 2) * comb(50, 3) / 1e6,
        ),
        _against("flops for given hole cards", PUBLISHED_FLOPS, comb(50, 3)),
        _against("hole cards", HOLE_CARDS, comb(52, 2)),
        measured(
            "opponent's final hands to one's own on a flop",
            exact(comb(45, 2), "times"),
            "the source says thousands of times more; 990 holdings is all there is",
        ),
        measured(
            "hands of seven cards that can make one of five, at most",
            exact(comb(47, 2), "hands"),
            "the source says up to thousands",
        ),
    ]


def _flush_draw() -> list[Row]:
    by_river = 1 - comb(38, 2) / comb(47, 2)
    against_one, against_two = (
        showdown_odds("As5s", "Ks9s2d8h", ["Kd9d", "Kh9h"][:number]).joint for number in (1, 2)
    )
    any_hand = [showdown_odds("As5s", "Ks9s2d", ["random"] * number).joint for number in (1, 2, 3)]
    quarter = float(FLUSH_DRAW) / 100
    return [
        _against(
            "draw to the nut flush, made from the flop on",
            FLUSH_DRAW,
            100 * by_river,
            "the source does not say on which street; a quarter lies between one card to come, 19 "
            "or 20 %, and two",
            percent=True,
        ),
        measured("the same on the turn", in_percent(9 / 46)),
        _against(
            "a quarter squared (wrong)",
            FLUSH_DRAW_SQUARED,
            100 * quarter**2,
            percent=True,
        ),
        _against(
            "a quarter cubed (wrong)",
            FLUSH_DRAW_CUBED,
            100 * quarter**3,
            "1.5625, which rounds to 1.6",
            percent=True,
        ),
        _said(
            "a draw to the nuts loses nothing against two, on the turn against two pairs",
            in_percent(against_two - against_one),
            against_two >= against_one,
            "9 outs of 44 cards against one, of 42 against two",
        ),
        *(
            measured(
                f"As5s on Ks9s2d against {number} with any hands",
                in_percent(odds),
                "an ace and a pair win too, so that the odds fall, though not to the power",
            )
            for number, odds in enumerate(any_hand, start=1)
        ),
    ]


def _ratios() -> list[Row]:
    call = risk_ratio(4, 44)
    return [
        _against("pot odds of 4 into 16", POT_ODDS, 100 * risk_ratio(4, 20), percent=True),
        _against("implied odds of 8 to 20", IMPLIED_ODDS, 100 * risk_ratio(8, 28), percent=True),
        _against(
            "4 into 40: what a call needs",
            CALL_INTO_FORTY,
            100 * required_equity(call),
            "10 % is the ratio; by the source's function F the odds must exceed 10 / 110",
            percent=True,
        ),
        _against(
            "4 into 40: what a raise against two needs",
            RAISE_AGAINST_TWO,
            100 * required_equity(raise_ratio(2)),
            percent=True,
        ),
    ]


def _pair_against_ace_king(workspace: Workspace) -> list[Row]:
    matrix, pair, suited = classes_matrix(), parse_class("22"), parse_class("AKs")
    equity = float(matrix.equity[pair, suited])
    wins = float(matrix.wins[pair, suited] / matrix.boards[pair, suited])
    rows = [
        _said(
            "22 wins more boards than AKs",
            in_percent(wins - float(matrix.wins[suited, pair] / matrix.boards[pair, suited])),
            bool(matrix.wins[pair, suited] > matrix.wins[suited, pair]),
        ),
        _said("22 wins more than half of all boards against AKs", in_percent(wins), wins > 0.5),
        measured("equity of 22 against AKs", in_percent(equity)),
    ]
    situations = {"heads-up, small blind": PreflopSituation(seats=2)}
    if workspace.scale >= _MULTIWAY_SCALE:
        callers = PreflopSituation.parse("utg:call,hj:call,co:call")
        situations["after three callers, on the button"] = callers
    for name, situation in situations.items():
        values = [
            preflop_value(hand, situation, progress=workspace.tell).call or 0.0
            for hand in ("AKs", "22")
        ]
        rows.append(
            _said(
                f"AKs is worth more than 22, {name}",
                exact(values[0] - values[1], "bb"),
                values[0] > values[1],
                "value of a call over all flops",
            )
        )
        bettable = [
            flop_outcomes(hand, situation, "call", progress=workspace.tell).bettable
            for hand in ("22", "AKs")
        ]
        rows.append(
            _said(
                f"22 bets more flops than AKs, {name}",
                in_percent(bettable[0] - bettable[1]),
                bettable[0] > bettable[1],
                "the source has AKs bet fewer flops for more; it bets more of them, and for more",
            )
        )
    return rows


def _flops() -> list[Row]:
    rows = []
    for name, share in (
        ("gutshots are draws", share_without_hope()),
        ("overcards are tens or more", share_without_hope(strong="T")),
        ("overcards are jacks or more", share_without_hope(strong="J")),
        ("gutshots are none", share_without_hope(gutshots=False)),
    ):
        rows.append(
            _said(
                f"most flops are unbettable by a simple rule, {name}",
                in_percent(share),
                share > 0.5,
                "no pair, no four to a flush or a straight, and no two overcards, of all hole "
                "cards and flops",
            )
        )
    return rows


def _said(name: str, ours: Estimate, holds: bool, note: str = "") -> Row:
    """Return a row for something that the source says without a number."""
    verdict = Verdict.AGREES if holds else Verdict.DIFFERS
    return Row(name=name, ours=ours, verdict=verdict, rule="true or not", note=note)


def _against(name: str, text: str, value: float, note: str = "", *, percent: bool = False) -> Row:
    return compared(name, Published(text=text), exact(value, "%" if percent else ""), note)


def _drawing(errors: Dependence) -> Drawing:
    values = [
        {"opponents": number, "error": value, "what": what}
        for what, by_number in (
            ("mean of random flops", errors.mean),
            ("queens on Jc7d2s", errors.queens),
        )
        for number, value in by_number.items()
    ]
    chart = layered(
        alt.Chart(alt.InlineData(values=values))
        .mark_line(point=True)
        .encode(
            x=alt.X("opponents:O", title="opponents", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("error:Q", title="error of independence", axis=alt.Axis(format=".1%")),
            strokeDash=alt.StrokeDash("what:N", title=None),
        )
    )
    figure = Figure(
        name="dependence",
        title="How much opponents taken as independent are wrong",
        words="Two rising lines over two to nine opponents: how far the odds by final hand to a "
        "power lie from those in which no card is in two hands.",
        note="Above one per cent from a few opponents on; the odds of railbird.odds are corrected.",
        chart=chart,
    )
    return Drawing(figure=figure, data={}, subtitle="flops, any hands")
