"""Judging rounds by a baseline: skill, luck, and what they say about a player."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird._threads import in_slices
from railbird.blackjack import assessment_kernels as kernels
from railbird.blackjack import exact_kernels
from railbird.blackjack.assessment_kernels import policy_values
from railbird.blackjack.exact import Action, Strategy, game_value, kernel_table
from railbird.blackjack.round import parse_round, round_text
from railbird.blackjack.rules import (
    MOST_ROUNDS,
    MOST_WAGER,
    RANKS,
    SCORED_AT_ONCE,
    Rules,
    Shoe,
    check_shoe,
    full_shoe,
    parse_shoe,
    shoe_text,
)
from railbird.blackjack.simulation import UNIT, LoggedRounds, TableSeat, play_logged
from railbird.blackjack.tables import ACTION, DEALER, HANDS, MOST_TOKENS, OTHERS_DEAL
from railbird.errors import BadInput, NothingUsable
from railbird.estimates import Estimate, hands_to_tell, variance_reduction
from railbird.estimates.estimate import FEWEST, Moments, estimate
from railbird.progress import Progress

if TYPE_CHECKING:
    import polars as pl

# Rounds in a CSV file, with a column round and optionally wager, player and shoe.


COLUMNS: Final = ("round", "wager", "player", "shoe")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoundList:
    """The rounds of one player."""

    tokens: npt.NDArray[np.int8]
    before: Shoe
    wagers: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoundsRead:
    """Rounds by player, and skipped rounds by reason, each with its first line."""

    players: dict[str, RoundList]
    skipped: Counter[str]
    first_line: dict[str, int]


@checked
def read_rounds(lines: Iterable[str], rules: Rules) -> RoundsRead:
    """Read a CSV file; lines that do not follow the rules are skipped and counted.

    The default wager is 1 and the default shoe is full. Raises `NothingUsable` for a file without a
    column ``round``.
    """
    reader = csv.DictReader(lines)
    if "round" not in (reader.fieldnames or ()):
        raise NothingUsable("no column 'round'; allowed: round, wager, player, shoe")
    rows: dict[str, list[tuple[list[int], Shoe, float]]] = {}
    skipped: Counter[str] = Counter()
    first_line: dict[str, int] = {}
    for row in _rows(reader):
        try:
            tokens, shoe, wager = _round(row, rules)
        except BadInput as problem:  # the text after the colon differs from line to line
            reason = str(problem).partition(":")[0]
            skipped[reason] += 1
            first_line.setdefault(reason, reader.line_num)
            continue
        rows.setdefault((row.get("player") or "").strip() or "player", []).append(
            (tokens, shoe, wager)
        )
    players = {
        name: RoundList(
            tokens=np.array(
                [tokens + [-1] * (MOST_TOKENS - len(tokens)) for tokens, _, _ in of], np.int8
            ),
            before=np.array([shoe for _, shoe, _ in of]),
            wagers=np.array([wager for _, _, wager in of]),
        )
        for name, of in rows.items()
    }
    return RoundsRead(players=players, skipped=skipped, first_line=first_line)


def write_rounds(players: Sequence[tuple[str, LoggedRounds]]) -> str:
    """Write rounds for `read_rounds`; rounds that a player sat out are left out."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for name, of in players:
        for tokens, before, wager in zip(of.tokens, of.before, of.wagers, strict=True):
            if wager > 0:
                events = tokens[: int(np.argmax(tokens < 0))].tolist()
                writer.writerow([round_text(events), f"{wager:g}", name, shoe_text(before)])
    return text.getvalue()


def _rows(reader: csv.DictReader[str]) -> Iterator[dict[str, str]]:
    try:
        for count, row in enumerate(reader):
            if count >= MOST_ROUNDS:
                raise NothingUsable(f"more than {MOST_ROUNDS:,} rounds; allowed: so many a file")
            yield row
    except csv.Error as problem:
        raise NothingUsable(f"line {reader.line_num}: {problem}") from None


def _round(row: dict[str, str], rules: Rules) -> tuple[list[int], Shoe, float]:
    played = parse_round(row["round"] or "", rules)
    shoe = parse_shoe(row["shoe"]) if row.get("shoe") else full_shoe(rules)
    cards = [token % ACTION for token in played.tokens if not ACTION <= token < OTHERS_DEAL]
    used = np.bincount(cards, minlength=len(shoe))
    check_shoe(shoe, rules)
    if rules.decks and (shoe < used).any():
        rank = int(np.argmax(shoe < used))
        excess = f"{used[rank]} {RANKS[rank]}; allowed: {shoe[rank]:g}"
        raise BadInput(f"more cards than the shoe has: {excess}")
    try:
        wager = float(row.get("wager") or 1)
    except ValueError:
        raise BadInput(f"a wager that is no number: {row['wager'][:20]!r}") from None
    if not 0 < wager <= MOST_WAGER:
        raise BadInput(f"a wager out of range: {wager:g}; allowed: above 0, to {MOST_WAGER:,}")
    return played.tokens, shoe, wager


# Judging rounds by a baseline.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Baseline:
    """A strategy, and the value of each state of a round from a full shoe if it plays on."""

    strategy: Strategy
    start: float
    dealt: npt.NDArray[np.float64]
    known: npt.NDArray[np.float64]


@checked
def baseline_of(strategy: Strategy) -> Baseline:
    """Compute the values of a strategy for rounds from a full shoe."""
    rules = strategy.rules
    table = kernel_table(rules)
    known = np.full((len(RANKS), len(Action), HANDS), np.nan)
    dealt = np.zeros((len(RANKS), HANDS))
    for upcard in range(len(RANKS)):
        left = full_shoe(rules)
        left[upcard] -= table.removal
        plan = strategy.actions[upcard]
        policy_values(left, upcard, plan, table, known[upcard])
        exact_kernels.round_values(left, upcard, plan, table, dealt[upcard])
    start = game_value(strategy).mean
    return Baseline(strategy=strategy, start=start, dealt=dealt, known=known)


class Column:
    """The columns of scores."""

    MONEY, SKILL, LUCK, START = range(4)


Scores = npt.NDArray[np.float64]
"""(rounds, 4) money, skill, luck and the value at the start, in wagers; see `Column`."""


@checked
def score_rounds(
    baseline: Baseline,
    tokens: npt.NDArray[np.int8],
    shoes_before: Shoe | None = None,
    *,
    progress: Progress | None = None,
) -> Scores:
    """Score rounds; in each round, money is the sum of skill, luck and start.

    ``tokens`` are (rounds, `MOST_TOKENS`), and ``shoes_before`` (rounds, 10) are the shoes before
    the deals. If a shoe is not full, or others play at the table, the value starts after the deal.
    """
    rules = baseline.strategy.rules
    full = full_shoe(rules)
    shoes = np.tile(full, (len(tokens), 1)) if shoes_before is None else shoes_before
    # The baseline's values hold for a full shoe and one player; any other card that was seen
    # changes the probabilities, and such a round is computed by itself, which takes far longer.
    fresh = (shoes == full).all(axis=1) & (tokens < OTHERS_DEAL).all(axis=1)
    scores = np.zeros((len(tokens), 4))
    for from_full in (True, False):
        rows = np.flatnonzero(fresh == from_full)
        _score(baseline, tokens[rows], shoes[rows], scores, rows, from_full, progress)
    return scores


def _score(
    baseline: Baseline,
    tokens: npt.NDArray[np.int8],
    shoes: Shoe,
    scores: Scores,
    rows: npt.NDArray[np.int64],
    from_full: bool,
    progress: Progress | None,
) -> None:
    strategy = baseline.strategy
    table = kernel_table(strategy.rules)
    start = baseline.start if from_full else math.nan
    known = baseline.known if from_full else baseline.known[:0]

    def work(first: int, last: int) -> None:
        slice_scores = np.zeros((last - first, 4))
        # Kernels change the plan and change it back, so threads must not share one.
        plan = strategy.actions.copy()
        kernels.fill_scores(
            tokens[first:last], shoes[first:last], plan, strategy.insures,
            start, baseline.dealt, known, table, slice_scores,
        )  # fmt: skip
        scores[rows[first:last]] = slice_scores

    if len(rows):
        in_slices(work, len(rows), size=SCORED_AT_ONCE, what="scoring", progress=progress)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A card or an action, and what it was worth, in wagers."""

    token: int
    skill: bool
    """Whether it was a decision; otherwise it was luck."""
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRound:
    """One round, event by event."""

    start: float
    """The value before the first event listed."""
    declined: float
    """The skill of declining insurance or early surrender."""
    peek: float
    """The luck of the dealer's peek."""
    events: tuple[Event, ...]
    won: float

    @property
    def skill(self) -> float:
        """The sum over the decisions."""
        return self.declined + sum(event.value for event in self.events if event.skill)

    @property
    def luck(self) -> float:
        """The sum over the cards."""
        return self.peek + sum(event.value for event in self.events if not event.skill)


@checked
def score_one(
    baseline: Baseline, tokens: Sequence[int], *, shoe: Shoe | None = None
) -> ScoredRound:
    """Score one round event by event; ``shoe`` is the shoe before it, by default a full one."""
    strategy = baseline.strategy
    row = np.full(MOST_TOKENS, -1, np.int8)
    row[: len(tokens)] = tokens
    full = full_shoe(strategy.rules)
    shoe_before = full if shoe is None else shoe
    fresh = bool((shoe_before == full).all()) and max(tokens) < OTHERS_DEAL
    terms, extras = np.zeros(MOST_TOKENS), np.zeros(kernels.EXTRAS)
    won = kernels.score_round(
        row, shoe_before, strategy.actions, strategy.insures,
        baseline.start if fresh else math.nan, baseline.dealt,
        baseline.known if fresh else baseline.known[:0],
        kernel_table(strategy.rules), terms, extras,
    )  # fmt: skip
    return ScoredRound(
        start=float(extras[kernels.START]),
        declined=float(extras[kernels.OFFER]),
        peek=float(extras[kernels.PEEK]),
        events=tuple(
            Event(token=token, skill=ACTION <= token < OTHERS_DEAL, value=float(value))
            for token, value in zip(tokens, terms, strict=False)
            if token != DEALER
        ),
        won=float(won),
    )


DIFFERENCE: Final = 0.01
"""A difference in wagers per round; Kan (2007), section 2.2, asks how many rounds show it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackAssessment(HasTable):
    """What rounds say about a player, in units per round."""

    rounds: int
    money: Estimate
    skill: Estimate
    luck: Estimate
    money_sd: float
    skill_sd: float
    variance_reduction: float
    """The factor by which skill needs fewer rounds than money."""
    rounds_by_money: int | None
    """How many rounds it takes for the money to show a difference of `DIFFERENCE` in four of five
    tries; None if the money does not vary."""
    rounds_by_skill: int | None


def _rounds_needed(sd: float) -> int | None:
    """Return how many rounds show a difference of `DIFFERENCE`; None if nothing varies."""
    rounds = hands_to_tell(DIFFERENCE, sd)
    return max(rounds, FEWEST) if rounds else None


@checked
def assess(scores: Scores, wagers: npt.ArrayLike = 1.0) -> BlackjackAssessment:
    """Summarise scores, each multiplied by its wager. Raises `BadInput` without rounds."""
    if not len(scores):
        raise BadInput("no rounds; allowed: at least one")
    units = np.broadcast_to(np.asarray(wagers, float), len(scores))
    money, skill, luck = (scores[:, column] * units for column in range(3))
    of_money, of_skill = Moments.of(money), Moments.of(skill)
    return BlackjackAssessment(
        rounds=len(scores),
        money=estimate(money, unit=UNIT),
        skill=estimate(skill, unit=UNIT),
        luck=estimate(luck, unit=UNIT),
        money_sd=of_money.sd,
        skill_sd=of_skill.sd,
        variance_reduction=variance_reduction(of_money, of_skill),
        rounds_by_money=_rounds_needed(of_money.sd),
        rounds_by_skill=_rounds_needed(of_skill.sd),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackMatch(HasTable):
    """Two players with the same number of rounds, and the evidence that they differ."""

    names: tuple[str, str]
    players: tuple[BlackjackAssessment, BlackjackAssessment]
    money: Estimate
    """How much more the first player won per round than the second."""
    skill: Estimate
    rounds_by_money: int | None
    """How many rounds of each it takes for the money to tell players apart that differ by
    `DIFFERENCE`, in four of five matches; None if the money does not vary."""
    rounds_by_skill: int | None

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each player."""
        return table_of(
            {"player": name, **of.to_polars().row(0, named=True)}
            for name, of in zip(self.names, self.players, strict=True)
        )


@checked
def play_match(
    rules: Rules,
    seats: tuple[TableSeat, TableSeat],
    baseline: Baseline,
    rounds: int,
    *,
    penetration: float,
    seed: int,
    progress: Progress | None = None,
) -> BlackjackMatch:
    """Let two players play the same number of rounds, each alone with the dealer."""
    results: list[tuple[Scores, npt.NDArray[np.float64]]] = []
    for number, seat in enumerate(seats):
        # Each player gets its own cards, so results are independent, like those of two people in
        # a casino.
        (played,) = play_logged(
            rules, [seat], rounds, penetration=penetration, seed=2 * seed + number
        )
        scores = score_rounds(baseline, played.tokens, played.before, progress=progress)
        results.append((scores, played.wagers))
    first, second = (assess(scores, wagers) for scores, wagers in results)
    # Rounds are not paired by their cards, but the difference round by round is an estimate all the
    # same; a round that one of the two lacks has no partner.
    most = min(len(scores) for scores, _ in results)
    units = [scores[:most] * wagers[:most, None] for scores, wagers in results]
    money, skill = (
        estimate(units[0][:, column] - units[1][:, column], unit=UNIT)
        for column in (Column.MONEY, Column.SKILL)
    )
    return BlackjackMatch(
        names=(seats[0].name, seats[1].name),
        players=(first, second),
        money=money,
        skill=skill,
        # The two players' rounds are independent, so the variances of their results add.
        rounds_by_money=_rounds_needed(math.hypot(first.money_sd, second.money_sd)),
        rounds_by_skill=_rounds_needed(math.hypot(first.skill_sd, second.skill_sd)),
    )


SOURCE_ROUNDS: Final = 52_716
"""Rounds that it takes to see 0.01 wagers per round, by Kan (2007), section 2.2: (2 x 1.148 /
0.01)²."""
