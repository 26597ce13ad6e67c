"""The fit behind the frozen coefficients, and their performance on other matches.

``python -m railbird.experiments.any_holdem.frozen_coefficients FOLDER`` writes the files anew, from
the matches listed here and nothing else; the experiment fits them again and compares.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._files import replace_files
from railbird.arena import Match
from railbird.assessment import assess
from railbird.assessment.all_in.adjusted_winnings import all_ins_of
from railbird.assessment.decision_divat.estimators import (
    baseline_values,
    call_down_values,
    unit_chips,
)
from railbird.assessment.decision_divat.settings import (
    BOARDS,
    LIMIT,
    NO_LIMIT,
    POSITION_DEALS,
    baseline_for,
)
from railbird.assessment.divat.estimators import CALL_LUCK, LUCK
from railbird.assessment.estimator import Scoring
from railbird.assessment.mivat.frozen import FrozenCoefficients, fingerprints_of
from railbird.assessment.own_side.own_luck import own_luck_of
from railbird.assessment.scorable_batch import is_heads_up_limit
from railbird.experiments.any_holdem.play import PolicyPlayer, play_policies
from railbird.experiments.framework.workspace import Workspace
from railbird.game import Rules, acpc_rules, limit_holdem, no_limit_holdem
from railbird.histories import Skipped, read_columns
from railbird.histories.columns import UNKNOWN, HandBatch, batches_of, concat

Floats = npt.NDArray[np.float64]

SEED: Final = 2009
"""Of the fit; White and Bowling's year. Matches of other seeds have other hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitMatch:
    """One match of a fit."""

    players: tuple[str | PolicyPlayer, ...]
    hands: int

    @property
    def name(self) -> str:
        """The players and hands in words."""
        names = (one.name if isinstance(one, PolicyPlayer) else one for one in self.players)
        return f"{', '.join(names)}: {self.hands}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form of hold'em, and the matches that its coefficients are fitted on."""

    rules: Rules
    matches: tuple[FitMatch, ...]


def _players(limit: bool) -> dict[str, PolicyPlayer]:
    """Baselines with bets of other sizes, with other folds, and with deviations at random."""
    plain = LIMIT if limit else NO_LIMIT
    offset = np.array(plain.offset)
    looser, tighter = (tuple((offset + by).tolist()) for by in (-0.1, 0.1))
    kinds = {
        "steady": (plain, 0.03),
        "loose": (replace(plain, gamma=0.0, offset=looser), 0.3),
        "erratic": (replace(plain, gamma=0.0, offset=looser), 0.5),
        "tight": (replace(plain, offset=tighter), 0.05),
        "large": (replace(plain, fraction=0.75), 0.05),
        "half-pot": (replace(plain, fraction=0.5, gamma=0.5), 0.1),
    }
    return {
        name: PolicyPlayer(name=name, policy=policy, deviation=deviation)
        for name, (policy, deviation) in kinds.items()
    }


def _match(players: str, hands: int) -> FitMatch:
    return FitMatch(players=tuple(players.split()), hands=hands)


def _table(by: Mapping[str, PolicyPlayer], players: str, hands: int) -> FitMatch:
    """A match of policies; the second of a name has a number."""
    seated: list[PolicyPlayer] = []
    for name in players.split():
        count = sum(one.name.partition("#")[0] == name for one in seated)
        seated.append(replace(by[name], name=f"{name}#{count + 1}" if count else name))
    return FitMatch(players=tuple(seated), hands=hands)


def _forms() -> tuple[Form, ...]:
    limit, no_limit = _players(limit=True), _players(limit=False)
    return (
        Form(
            rules=acpc_rules(limit_holdem(2)),
            matches=(
                _match("loki baseline", 3000),
                _match("loki:bpl baseline:tight-low", 3000),
                _match("loki baseline:loose-high", 3000),
                _table(limit, "loose loose", 4000),
                _table(limit, "erratic erratic", 4000),
                _table(limit, "erratic loose", 4000),
            ),
        ),
        Form(
            rules=acpc_rules(limit_holdem(3)),
            matches=(
                _match("loki baseline always-call", 3000),
                _match("loki:bpl baseline:tight-low random", 3000),
                _table(limit, "loose steady tight", 3000),
                _table(limit, "erratic loose loose", 3000),
            ),
        ),
        Form(
            rules=acpc_rules(limit_holdem(6)),
            matches=(
                _match("loki baseline always-call random loki:bpl baseline:tight-low", 2500),
                _table(limit, "steady tight steady tight loose tight", 2500),
                _table(limit, "erratic loose steady loose tight erratic", 2500),
            ),
        ),
        Form(
            rules=_no_limit(2),
            matches=(
                _table(no_limit, "steady large", 4000),
                _table(no_limit, "half-pot loose", 4000),
                _table(no_limit, "tight half-pot", 4000),
                _table(no_limit, "erratic erratic", 4000),
            ),
        ),
        Form(
            rules=_no_limit(6),
            matches=(
                _table(no_limit, "steady large half-pot tight loose erratic", 4000),
                _table(no_limit, "steady tight half-pot steady tight half-pot", 4000),
                _table(no_limit, "loose loose half-pot loose erratic half-pot", 4000),
            ),
        ),
    )


def _no_limit(seats: int) -> Rules:
    return no_limit_holdem(seats, blinds=(50, 100), stack=10_000)


FORMS: Final = _forms()


def hands_of(workspace: Workspace, form: Form, place: int) -> HandBatch:
    """Play one of a form's matches, or the part that its log lacks."""
    match = form.matches[place]
    seed = workspace.seed + place
    policies = [one for one in match.players if isinstance(one, PolicyPlayer)]
    if policies:
        return play_policies(form.rules, policies, match.hands, seed=seed)
    specs = tuple(one for one in match.players if isinstance(one, str))
    played = workspace.play(Match(players=specs, rules=form.rules, deals=match.hands, seed=seed))
    read = (hands for hands in read_columns(played.log) if not isinstance(hands, Skipped))
    return concat([batch for batch, _ in batches_of(read)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression:
    """Data of a fit: a row for each hand and seat."""

    money: Floats
    all_in: Floats
    luck: Floats
    """(rows, 8)."""
    own: Floats
    """(rows, 4)."""
    open: npt.NDArray[np.bool_]
    """(rows, 4) whether all-in equity leaves the luck of a street."""

    @classmethod
    def of(cls, batch: HandBatch) -> Regression:
        """Score hands whose cards are all known."""
        how = Scoring(boards=BOARDS, position_deals=POSITION_DEALS)
        units = unit_chips(batch)[:, None]
        all_ins = all_ins_of(batch, folded_known=False)
        hand, seat = np.nonzero(batch.player != UNKNOWN)
        luck = [call_down_values(batch, how).luck, baseline_values(batch, how).luck]
        own = own_luck_of(batch, baseline_for(batch.rules[0])) / units[:, None]
        cards = np.where(all_ins.known, all_ins.cards, 5)[hand]
        return cls(
            money=(batch.chips / units)[hand, seat],
            all_in=(all_ins.chips / units)[hand, seat],
            luck=np.concatenate(luck, axis=2)[hand, seat],
            own=own[hand, :, seat],
            open=np.array([-1, 0, 3, 4]) < cards[:, None],
        )

    @classmethod
    def joined(cls, parts: Sequence[Regression]) -> Regression:
        """Combine matches with equal weights, in standard deviations of their money.

        Else the coefficients would be those of the wildest match.
        """
        scaled = [part.divided(float(part.money.std())) for part in parts]
        return cls(
            money=np.concatenate([part.money for part in scaled]),
            all_in=np.concatenate([part.all_in for part in scaled]),
            luck=np.concatenate([part.luck for part in scaled]),
            own=np.concatenate([part.own for part in scaled]),
            open=np.concatenate([part.open for part in scaled]),
        )

    def divided(self, by: float) -> Regression:
        """Convert all amounts to another unit and subtract their means."""
        return Regression(
            money=(self.money - self.money.mean()) / by,
            all_in=(self.all_in - self.all_in.mean()) / by,
            luck=(self.luck - self.luck.mean(axis=0)) / by,
            own=(self.own - self.own.mean(axis=0)) / by,
            open=self.open,
        )


def least_squares(utility: Floats, luck: Floats) -> Floats:
    """White and Bowling's coefficients: of centred utility on centred luck."""
    centred = luck - luck.mean(axis=0)
    coefficients: Floats = np.linalg.lstsq(centred, utility - utility.mean(), rcond=None)[0]
    return coefficients


def fit_by_rounds(batches: Sequence[HandBatch]) -> Floats:
    """Fit the coefficients of heads-up limit with its exact tables, (8,)."""
    money, luck = [], []
    for batch in batches:
        scores = assess([batch]).scores
        one = scores.select(pl.col("money") + pl.col("rake") - pl.col("position"))
        # The other side's rows, of opposite sign, add nothing.
        spread = float(one.to_series().std())  # type: ignore[arg-type]
        money.append(one.to_series().to_numpy() / spread)
        luck.append(scores.select(*CALL_LUCK, *LUCK).to_numpy() / spread)
    found: Floats = np.linalg.lstsq(np.concatenate(luck), np.concatenate(money), rcond=None)[0]
    return found


def fit(workspace: Workspace, form: Form) -> FrozenCoefficients:
    """Play a form's matches and fit its coefficients."""
    batches = [hands_of(workspace, form, place) for place in range(len(form.matches))]
    rows = Regression.joined([Regression.of(batch) for batch in batches])
    names = [fingerprints_of(batch) for batch in batches]
    return FrozenCoefficients(
        betting=form.rules.betting,
        seats=form.rules.seats,
        players=tuple(match.name for match in form.matches),
        hands=sum(map(len, batches)),
        seed=workspace.seed,
        date=datetime.now(UTC).date().isoformat(),
        luck=least_squares(rows.money, rows.luck),
        luck_by_rounds=fit_by_rounds(batches) if is_heads_up_limit(form.rules) else None,
        own=least_squares(rows.money, rows.own),
        own_all_in=least_squares(rows.all_in, rows.own * rows.open),
        fingerprints=np.unique(np.concatenate(names)),
    )


def write(folder: Path, *, workers: int = 1) -> None:
    """Fit all forms and write their files, in place of those that are there."""
    with TemporaryDirectory() as logs:
        workspace = Workspace(seed=SEED, workers=workers, folder=logs)
        for form in FORMS:
            frozen = fit(workspace, form)
            text = json.dumps(frozen.as_json(), indent=1) + "\n"
            replace_files({folder / f"{frozen.name}.json": text.encode()})


if __name__ == "__main__":
    write(Path(sys.argv[1]))
