"""Scores one hand of heads-up limit in full: the tables of Kan (2007, 3.3, 3.4) and decisions."""

# Logs are scored by the million in columns (`scorer`). This is the same computation for one hand,
# laid out so that a reader can follow it line by line in Kan's tables. It must not compute anything
# a second time: every amount comes from the scorer's arrays, with one hand in the batch. What is
# added is words, and the text of the betting.
#
# The columns of Kan's table 3.3 are here as he has them. Luck is the step from the equity after one
# round to the equity under the baseline's play of the next, so a round's luck, its DIVAT difference
# and what came before add up to the money, whatever the baseline is. That identity is what makes
# the difference unbiased, and a term that is rounded or clipped on its own would break it.
#
# Before the flop the equity with both hands known takes 1.7 million boards for each hand. A table
# of values (`preflop_builder`) saves that. Values may be sampled and have a standard error. Both
# values of a difference come from the same deals, so its error is taken from their covariance
# (`_preflop_stderr`); as if independent, the errors would add up to one that is too large.
#
# Rake is subtracted from the money alone. DIVAT compares actions before the house has taken
# anything, and the house's share would otherwise count as the winner's bad play.
#
# Who would notice: tests/oracles/test_divat_tables.py has the hands of Kan's tables;
# tests/laws/test_divat_laws.py has the identities.

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird.assessment.divat.preflop_values import EnumeratedPreflopValues, find_table
from railbird.assessment.divat.scorer import Scorer, open_scorer, tables_for
from railbird.assessment.limit_layout import lay_out, why_unscorable
from railbird.baseline import (
    STANDARD,
    BaselineClass,
    BaselineSettings,
    SettingsLike,
    baseline_line,
    smoothing_from,
)
from railbird.cards import CLASS_OF_HOLDING, Card, Holding, format_cards
from railbird.errors import BadInput
from railbird.game import ActionKind, ActionName, name_of
from railbird.game.rules import BOARD_CARDS, Street
from railbird.histories import HandRecord, columns, read_hand
from railbird.odds.hand_rank import ehr
from railbird.odds.rank_tables import HR7_WHOLE, IHR_WHOLE, Tables
from railbird.progress import Progress

if TYPE_CHECKING:
    import polars as pl

_POSTS = "Sl"
"""The blinds, in the letters of the one-line text."""

Pair = tuple[float, float]
"""A number for player 1 and one for player 2."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The equity after the action taken, and after the baseline's action."""

    actual: float
    baseline: float
    stderr: float = 0.0
    """Standard error of the difference; zero if everything was enumerated."""

    @property
    def difference(self) -> float:
        """Actual minus baseline."""
        return self.actual - self.baseline

    def as_json(self) -> dict[str, float]:
        """Return the three numbers."""
        return {
            "actual": self.actual,
            "baseline": self.baseline,
            "difference": self.difference,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionScore:
    """One action and its value to the player who took it."""

    street: Street
    player: int
    """0 for player 1, the big blind, 1 for player 2."""
    action: str
    """The action, in the letters of the one-line text: k, c, b, r, f, in capitals for player 2."""
    baseline: str
    """The baseline's action at this point."""
    best: str
    """The best action with all cards seen; the action taken if none was better."""
    divat: float
    """Change of the roll-out equity, with the baseline finishing the round before and after the
    action. A round's decisions add up to its DIVAT difference, with player 2's sign reversed."""
    evat: float
    """Pot equity compared with the best action if all cards had been seen; never above zero."""

    def as_json(self) -> dict[str, Any]:
        """Return a decision as `railbird score --json` prints it."""
        return {
            "player": self.player,
            "action": self.action,
            "baseline": self.baseline,
            "best": self.best,
            "divat": self.divat,
            "evat": self.evat,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundScore:
    """One round of a hand; amounts are player 1's, in small bets."""

    street: Street
    board: tuple[Card, ...]
    ihr: Pair
    hr7: Pair
    ehr: Pair
    classes: tuple[BaselineClass, BaselineClass]
    actual: str
    """The round as it was played, in the letters of the one-line text."""
    baseline: str
    """The round as the baseline plays it."""
    aie: Comparison
    roe: Comparison
    luck: float
    """Change of roll-out equity by the cards dealt before this round."""
    lfat: float
    """Change of pot equity by the cards dealt before this round."""
    decisions: tuple[DecisionScore, ...]

    def as_json(self) -> dict[str, Any]:
        """Return a round as `railbird score --json` prints it."""
        return {
            "round": self.street.name.lower(),
            "board": format_cards(self.board),
            "ihr": list(self.ihr),
            "hr7": list(self.hr7),
            "ehr": list(self.ehr),
            "classes": [own.label for own in self.classes],
            "actual": self.actual,
            "baseline": self.baseline,
            "aie": self.aie.as_json(),
            "roe": {**self.roe.as_json(), "stderr": self.roe.stderr},
            "luck": self.luck,
            "lfat": self.lfat,
            "decisions": [decision.as_json() for decision in self.decisions],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class HandScore(HasTable):
    """One hand in full; amounts are player 1's, in small bets.

    money = divat + luck + position - rake[0]
    """

    players: tuple[str, str]
    """Player 1, the big blind, and player 2, the dealer."""
    holes: tuple[Holding, Holding]
    settings: BaselineSettings
    money: float
    """Money after rake; everything else is before rake."""
    rake: Pair
    """What the house took from each player's winnings."""
    position: float
    """The value of a hand to player 1 before the deal."""
    position_stderr: float
    """Standard error of ``position``, and therefore of ``luck``; zero with a preflop table."""
    dcash: float
    rounds: tuple[RoundScore, ...]

    @property
    def divat(self) -> float:
        """The DIVAT difference."""
        return math.fsum(row.roe.difference for row in self.rounds)

    @property
    def luck(self) -> float:
        """Change of value by the cards, summed over the deals."""
        return math.fsum(row.luck for row in self.rounds)

    def as_json(self) -> dict[str, Any]:
        """Return the hand as `railbird score --json` prints it."""
        return {
            "players": list(self.players),
            "money_sb": self.money,
            "rake_sb": list(self.rake),
            "divat_sb": self.divat,
            "luck_sb": self.luck,
            "position_sb": self.position,
            "position_stderr": self.position_stderr,
            "dcash_sb": self.dcash,
            "settings": self.settings.name,
            "rounds": [row.as_json() for row in self.rounds],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each round: ranks and classes of both players, and the amounts."""
        return table_of(map(_without_decisions, self.as_json()["rounds"]))


@dataclass(frozen=True, slots=True)
class SmoothedScore(HasTable):
    """One hand under several settings; amounts are means over the settings (Kan 2007, 4.3)."""

    scores: tuple[HandScore, ...]

    def mean(self, amount: Callable[[HandScore], float]) -> float:
        """Average an amount over the settings."""
        return fmean(map(amount, self.scores))

    @property
    def divat(self) -> float:
        """The mean of the DIVAT differences."""
        return self.mean(attrgetter("divat"))

    def to_polars(self) -> pl.DataFrame:
        """Return a row of means for each round, as `HandScore.to_polars` does."""
        return table_of(map(_without_decisions, self.as_json()["rounds"]))

    def as_json(self) -> dict[str, Any]:
        """Return the means, and the scores under each of the settings.

        Text on which the settings disagree is null. With a single setting the object is that of
        `HandScore`.
        """
        objects = [score.as_json() for score in self.scores]
        if len(objects) == 1:
            return objects[0]
        by_settings = {hand.pop("settings"): hand for hand in objects}
        rounds = [_without_decisions(row) for row in _average([hand["rounds"] for hand in objects])]
        return {
            **_average(objects),
            "settings": "+".join(by_settings),
            "rounds": rounds,
            "by_settings": by_settings,
        }


def _without_decisions(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "decisions"}


def _average(values: list[Any]) -> Any:
    """Average the numbers in JSON values of equal structure; texts that differ become None."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if isinstance(first, dict):
        return {key: _average([value[key] for value in values]) for key in first}
    if isinstance(first, list) and len({len(value) for value in values}) == 1:
        return [_average([value[i] for value in values]) for i in range(len(first))]
    return fmean(values) if isinstance(first, float) else None


@overload
def score_hand(
    record: HandRecord | str,
    settings: BaselineSettings = ...,
    *,
    scorer: Scorer | None = ...,
    progress: Progress | None = ...,
) -> HandScore: ...
@overload
def score_hand(
    record: HandRecord | str,
    settings: SettingsLike | Sequence[SettingsLike],
    *,
    progress: Progress | None = ...,
) -> HandScore | SmoothedScore: ...
@checked
def score_hand(
    record: HandRecord | str,
    settings: SettingsLike | Sequence[SettingsLike] = STANDARD,
    *,
    scorer: Scorer | None = None,
    progress: Progress | None = None,
) -> HandScore | SmoothedScore:
    """Score a heads-up limit hand whose cards are known, a record or its text (`read_hand`).

    Several ``settings``, listed or joined by ``+``, are averaged, and the result is a
    `SmoothedScore`. A ``scorer`` has its own settings. Without one, tables are opened for this
    hand, and every value except that of the position is exact, which takes a second under settings
    without a preflop table. Raises `railbird.errors.BadInput` for another game and for a hand with
    unknown cards.
    """
    if isinstance(record, str):
        record = read_hand(record)
    reason = why_unscorable(record)
    if reason is not None:
        raise BadInput(f"a hand that cannot be scored: {reason.value}")
    first, second = record.holes
    if first is None or second is None:
        raise BadInput("a hand with unknown cards has no equity; both holdings must be known")
    holes = first, second
    if scorer is not None:
        return _HandScoring(record, holes, scorer).hand()
    scores = tuple(
        _HandScoring(record, holes, _exact_scorer(baseline, progress)).hand()
        for baseline in smoothing_from(settings)
    )
    return scores[0] if len(scores) == 1 else SmoothedScore(scores)


def _exact_scorer(settings: BaselineSettings, progress: Progress | None) -> Scorer:
    tables = tables_for(settings, progress=progress)
    values = find_table(settings) or EnumeratedPreflopValues(settings, tables)
    return open_scorer(settings, values=values, progress=progress)


class _HandScoring:
    """Assembles the kernels' numbers for one hand."""

    def __init__(self, record: HandRecord, holes: tuple[Holding, Holding], scorer: Scorer) -> None:
        self._record = record
        self._holes = holes
        self._scorer = scorer
        hands = columns.batch_of([record])
        self._answers = hands.answers
        self._batch = lay_out(hands)
        self._scores = scorer.score(self._batch)
        reached = BOARD_CARDS.index(len(record.board))
        self._played = tuple(
            (street, self._betting(street)) for street in list(Street)[: reached + 1]
        )

    def hand(self) -> HandScore:
        first, second = self._record.players
        position = self._scorer.position.value
        rake1, rake2 = self._batch.rake[0].tolist()
        return HandScore(
            players=(first, second),
            holes=self._holes,
            settings=self._scorer.settings,
            money=float(self._batch.money[0]) - rake1,
            rake=(rake1, rake2),
            position=position,
            position_stderr=self._scorer.position.stderr,
            dcash=float(self._scores.dcash[0]),
            rounds=tuple(self._round(street, text, position) for street, text in self._played),
        )

    def _round(self, street: Street, text: str, position: float) -> RoundScore:
        scores, board = self._scores, self._record.board[: BOARD_CARDS[street]]
        first_class, second_class = self._classes(street)
        (ihr1, hr1), (ihr2, hr2) = (
            hand_ranks(hole, board, self._scorer.tables) for hole in self._holes
        )
        make1 = self._scorer.settings[street].make[0]
        previous_value = float(scores.actual[0, street - 1]) if street else position
        after, by_baseline = float(scores.actual[0, street]), float(scores.baseline[0, street])
        posts = "" if street else _POSTS
        return RoundScore(
            street=street,
            board=board,
            ihr=(ihr1, ihr2),
            hr7=(hr1, hr2),
            ehr=(ehr(ihr1, hr1, street, make1), ehr(ihr2, hr2, street, make1)),
            classes=(first_class, second_class),
            actual=posts + text,
            baseline=posts + baseline_line(street, first_class, second_class).text,
            aie=Comparison(
                float(scores.aie_actual[0, street]), float(scores.aie_baseline[0, street])
            ),
            roe=Comparison(after, by_baseline, 0.0 if street else self._preflop_stderr(text)),
            luck=by_baseline - previous_value,
            lfat=float(scores.lfat[0, street]),
            decisions=self._decisions(street, text),
        )

    def _betting(self, street: Street) -> str:
        """Return a round in the letters of the one-line text, without posts."""
        names, seats = self._answers.name.tolist(), self._answers.seat.tolist()
        return "".join(
            _letter(ActionName(names[i]), seats[i])
            for i in np.flatnonzero(self._answers.street == street).tolist()
        )

    def _best(self, i: int) -> str:
        """Return the letter of the best action in place of the i-th action."""
        to_call, bets = int(self._answers.to_call[i]), int(self._answers.bets[i])
        name = name_of(ActionKind(self._scores.best[i]), to_call=to_call, bet=bets)
        return _letter(name, int(self._answers.seat[i]))

    def _classes(self, street: Street) -> tuple[BaselineClass, BaselineClass]:
        first, second = self._scores.classes[0, street].tolist()
        return BaselineClass(first), BaselineClass(second)

    def _decisions(self, street: Street, text: str) -> tuple[DecisionScore, ...]:
        first_class, second_class = self._classes(street)
        start = sum(len(played) for _, played in self._played[:street])
        return tuple(
            DecisionScore(
                street=street,
                player=int(letter.isupper()),
                action=letter,
                baseline=baseline_line(street, first_class, second_class, after=text[:i]).text[i],
                best=self._best(start + i),
                divat=float(self._scores.divat_by_action[start + i]),
                evat=-float(self._scores.evat_loss[start + i]),
            )
            for i, letter in enumerate(text)
        )

    def _preflop_stderr(self, text: str) -> float:
        """Return the standard error of the preflop difference, whose values share a sample."""
        line = baseline_line(Street.PREFLOP, *self._classes(Street.PREFLOP))
        actual = baseline_line(Street.PREFLOP, *self._classes(Street.PREFLOP), after=text)
        if line.level == actual.level and line.folded_by is actual.folded_by is None:
            return 0.0
        first, second = (np.array([hole], dtype=np.int16) for hole in self._holes)
        # A round that a fold ends may have no level to look up; its value is exact and its weight
        # below is zero, so level 1 stands in its place.
        levels = np.array([[max(1, actual.level), max(1, line.level)]], dtype=np.int16)
        covariance = self._scorer.values.values(first, second, levels).covariance[0]
        # A round that ends with a fold has an exact value.
        weight = np.array([float(actual.folded_by is None), -float(line.folded_by is None)])
        # Rounding can leave the variance of nearly equal values a little below zero.
        return math.sqrt(max(0.0, float(weight @ covariance @ weight)))


def _letter(name: ActionName, seat: int) -> str:
    return name.letter.upper() if seat else name.letter


def hand_ranks(hole: Holding, board: tuple[Card, ...], tables: Tables) -> Pair:
    """Look up IHR and 7cHR."""
    street = Street(max(0, len(board) - 2))
    if street is Street.PREFLOP:
        of_class = CLASS_OF_HOLDING[hole]
        ihr, hr7 = tables.preflop_ihr[of_class], tables.preflop_hr7[of_class]
    else:
        place, name = tables.place(board, hole), street.name.lower()
        ihr = getattr(tables, f"{name}_ihr")[place]
        hr7 = ihr if street is Street.RIVER else getattr(tables, f"{name}_hr7")[place]
    return int(ihr) / IHR_WHOLE[street], int(hr7) / HR7_WHOLE[street]
