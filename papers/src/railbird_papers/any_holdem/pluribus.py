"""Pluribus against professionals: 10,000 hands of six-handed no-limit (Brown, Sandholm 2019).

The published result comes from AIVAT, which knows Pluribus' strategy and averages over its own
cards: 48 ± 25 (standard error) thousandths of a big blind per hand. The strategy is not public, so
our numbers beside it use only cards and actions.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.arena import Match
from railbird.assessment import assess
from railbird.assessment.all_in import all_ins_of
from railbird.assessment.any_table import TableAssessment, assess_batches
from railbird.assessment.divat.any_game import BOARDS, LIMIT, NO_LIMIT, POSITION_DEALS, baseline_for
from railbird.assessment.divat.any_game_estimators import (
    baseline_values,
    call_down_values,
    unit_chips,
)
from railbird.assessment.divat.estimators import CALL_LUCK, LUCK
from railbird.assessment.estimator import Scoring
from railbird.assessment.frozen_coefficients import FrozenCoefficients, fingerprints_of
from railbird.assessment.limit_layout import is_heads_up_limit
from railbird.assessment.own_side import own_luck_of
from railbird.errors import BadInput
from railbird.estimates import Estimate, Moments, paired_difference
from railbird.extending import Floats
from railbird.game import Rules, acpc_rules, limit_holdem, no_limit_holdem
from railbird.histories import Skipped, read_columns
from railbird.histories.columns import UNKNOWN, HandBatch, batches_of, concat
from railbird.report.charts import crosstable_chart
from railbird.report.document import Figure
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import (
    Published,
    Row,
    compared,
    measured,
    reduction,
    sigmas_for,
    zero,
)
from railbird_papers.framework.workspace import Workspace, write_whole

PLAYER: Final = "Pluribus"
PLURIBUS_HANDS: Final = 10_000
WHERE: Final = (
    "the hands are not part of Railbird; they are pluribus/ of the PHH dataset, "
    "https://github.com/uoftcprg/phh-dataset, also on https://zenodo.org/records/13997158; give "
    "the folder, or one file of them, with --data"
)
_GAME: Final = "holdem.nolimit.6p.game,stack=10000"
"""The game of logs in ACPC lines, which do not name it."""
_SHOWN: Final = ("divat", "fitted", "mivat", "allin", "own_side")


def pluribus(workspace: Workspace) -> ExperimentResult:
    """Assess the given hands."""
    if workspace.data is None:
        raise BadInput(f"experiment pluribus needs --data; {WHERE}")
    assessment = _assess(workspace, workspace.data)
    if PLAYER not in assessment.estimates:
        raise BadInput(f"{workspace.data}: {PLAYER} does not play in these hands; {WHERE}")
    return ExperimentResult(
        hands=assessment.hands,
        rows=tuple(_rows(assessment)),
        drawings=(_pluribus_drawing(assessment),),
        tables={},
    )


def _assess(workspace: Workspace, data: Path) -> TableAssessment:
    game = _GAME if ".log" in data.suffixes else None
    read = read_columns(data, game=game)
    first = next(iter(read), None)
    hands = batches_of(chain([] if first is None else [first], read))
    wanted = _first(hands, workspace.hands(PLURIBUS_HANDS))
    return assess_batches(wanted, seed=workspace.seed, progress=workspace.progress)


def _first(
    batches: Iterable[tuple[HandBatch, Sequence[Skipped]]], hands: int
) -> Iterator[tuple[HandBatch, Sequence[Skipped]]]:
    """Keep only the first hands."""
    for batch, skipped in batches:
        part = batch.rows(np.arange(min(hands, len(batch))))
        hands -= len(part)
        yield part, skipped
        if not hands:
            return


def _rows(assessment: TableAssessment) -> list[Row]:
    scores = assessment.scores
    mine = scores.filter(pl.col("player") == assessment.players.index(PLAYER))
    published = Published(text="0.048", stderr=0.025)
    rows = [
        compared(
            f"{name} of {PLAYER}",
            published,
            assessment.estimates[PLAYER][name],
            note="Published is AIVAT's estimate, which knows the strategy.",
        )
        for name in ("money", "divat", "fitted")
    ]
    money = mine["money"].to_numpy()
    names = [name for name in _SHOWN if scores[name].null_count() == 0]
    for name in names:
        rows.append(
            measured(
                f"variance of money ÷ that of {name}, all seats",
                reduction(scores["money"].to_numpy(), scores[name].to_numpy()),
            )
        )
        rows.append(
            zero(
                f"money less {name} of {PLAYER}, paired",
                paired_difference(money, mine[name].to_numpy()),
                sigmas=sigmas_for(len(names)),
            )
        )
    own = mine["own"].to_numpy()
    rows.append(
        measured(f"{PLAYER}'s own decisions", assessment.form.crosstable.cells[PLAYER, PLAYER])
    )
    rows.append(
        measured(
            "the others' decisions on it",
            paired_difference(mine["divat"].to_numpy() - mine["position"].to_numpy(), own),
        )
    )
    return rows


def _pluribus_drawing(assessment: TableAssessment) -> Drawing:
    ranked = sorted(
        assessment.players, key=lambda name: -assessment.form.crosstable.cells[name, name].n
    )[:9]
    figure = Figure(
        name="pluribus",
        title="Whose decisions changed whose result",
        words="Table of the mean change of each player's result by each player's decisions, of the "
        "nine players with most hands.",
        note="A column adds up to DIVAT less position; a row to zero.",
        chart=crosstable_chart(assessment.form.crosstable.cells, ranked, assessment.unit),
    )
    return Drawing(figure=figure, data={}, subtitle=f"{assessment.hands:,} hands")


# The fit behind the frozen coefficients, and how well they do on other matches.
#
# ``python -m railbird_papers.any_holdem.pluribus FOLDER`` writes the files anew, only from the
# matches listed here. The experiment fits them again and compares.


SEED: Final = 2009
"""The seed of the fit, the year of White and Bowling. Other seeds deal other hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitMatch:
    """One match of a fit."""

    players: tuple[str | PolicyPlayer, ...]
    hands: int

    @property
    def name(self) -> str:
        """The players and hands in words."""
        names = (
            player.name if isinstance(player, PolicyPlayer) else player for player in self.players
        )
        return f"{', '.join(names)}: {self.hands}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldemForm:
    """One form of hold'em, and the matches that its coefficients are fitted on."""

    rules: Rules
    matches: tuple[FitMatch, ...]


def _players(limit: bool) -> dict[str, PolicyPlayer]:
    """Return baselines with other sizes of bets, with other folds, and with random deviations."""
    plain = LIMIT if limit else NO_LIMIT
    offset = np.array(plain.offset)
    looser, tighter = (tuple((offset + by).tolist()) for by in (-0.1, 0.1))
    kinds = {
        "steady": (plain, 0.03),
        "loose": (replace(plain, gamma=0.0, offset=looser), 0.3),
        "erratic": (replace(plain, gamma=0.0, offset=looser), 0.5),
        "tight": (replace(plain, offset=tighter), 0.05),
        "large": (replace(plain, sizes=(0.75,) * 4), 0.05),
        "half-pot": (replace(plain, sizes=(0.5,) * 4, gamma=0.5), 0.1),
    }
    return {
        name: PolicyPlayer(name=name, policy=policy, deviation=deviation)
        for name, (policy, deviation) in kinds.items()
    }


def _match(players: str, hands: int) -> FitMatch:
    return FitMatch(players=tuple(players.split()), hands=hands)


def _table(by: Mapping[str, PolicyPlayer], players: str, hands: int) -> FitMatch:
    """Return a match of policies; a name's second player gets a number."""
    seated: list[PolicyPlayer] = []
    for name in players.split():
        count = sum(player.name.partition("#")[0] == name for player in seated)
        seated.append(replace(by[name], name=f"{name}#{count + 1}" if count else name))
    return FitMatch(players=tuple(seated), hands=hands)


def _forms() -> tuple[HoldemForm, ...]:
    limit, no_limit = _players(limit=True), _players(limit=False)
    return (
        HoldemForm(
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
        HoldemForm(
            rules=acpc_rules(limit_holdem(3)),
            matches=(
                _match("loki baseline always-call", 3000),
                _match("loki:bpl baseline:tight-low random", 3000),
                _table(limit, "loose steady tight", 3000),
                _table(limit, "erratic loose loose", 3000),
            ),
        ),
        HoldemForm(
            rules=acpc_rules(limit_holdem(6)),
            matches=(
                _match("loki baseline always-call random loki:bpl baseline:tight-low", 2500),
                _table(limit, "steady tight steady tight loose tight", 2500),
                _table(limit, "erratic loose steady loose tight erratic", 2500),
            ),
        ),
        HoldemForm(
            rules=_no_limit(2),
            matches=(
                _table(no_limit, "steady large", 4000),
                _table(no_limit, "half-pot loose", 4000),
                _table(no_limit, "tight half-pot", 4000),
                _table(no_limit, "erratic erratic", 4000),
            ),
        ),
        HoldemForm(
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


def hands_of(workspace: Workspace, form: HoldemForm, place: int) -> HandBatch:
    """Play one of a form's matches, or as much as its log lacks."""
    match = form.matches[place]
    seed = workspace.seed + place
    policies = [player for player in match.players if isinstance(player, PolicyPlayer)]
    if policies:
        return play_policies(form.rules, policies, match.hands, seed=seed)
    specs = tuple(player for player in match.players if isinstance(player, str))
    played = workspace.play(Match(players=specs, rules=form.rules, deals=match.hands, seed=seed))
    read = (hands for hands in read_columns(played.log) if not isinstance(hands, Skipped))
    return concat([batch for batch, _ in batches_of(read)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression:
    """The data of a fit, with a row for each hand and seat."""

    money: Floats
    all_in: Floats
    luck: Floats
    """(rows, 8) luck by kind."""
    own: Floats
    """(rows, 4) luck from the player's own cards."""
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

        Otherwise the wildest match would decide the coefficients.
        """
        scaled = [regression.divided(float(regression.money.std())) for regression in parts]
        return cls(
            money=np.concatenate([regression.money for regression in scaled]),
            all_in=np.concatenate([regression.all_in for regression in scaled]),
            luck=np.concatenate([regression.luck for regression in scaled]),
            own=np.concatenate([regression.own for regression in scaled]),
            open=np.concatenate([regression.open for regression in scaled]),
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
    """Return White and Bowling's coefficients, of centred utility on centred luck."""
    centred = luck - luck.mean(axis=0)
    coefficients: Floats = np.linalg.lstsq(centred, utility - utility.mean(), rcond=None)[0]
    return coefficients


def fit_by_rounds(batches: Sequence[HandBatch]) -> Floats:
    """Fit the coefficients of heads-up limit with its exact tables, (8,)."""
    money, luck = [], []
    for batch in batches:
        scores = assess([batch]).scores
        net_money = scores.select(pl.col("money") + pl.col("rake") - pl.col("position"))
        # The other side's rows are the same with the opposite sign, so they add nothing.
        spread = float(net_money.to_series().std())  # type: ignore[arg-type]
        money.append(net_money.to_series().to_numpy() / spread)
        luck.append(scores.select(*CALL_LUCK, *LUCK).to_numpy() / spread)
    betas: Floats = np.linalg.lstsq(np.concatenate(luck), np.concatenate(money), rcond=None)[0]
    return betas


def fit(workspace: Workspace, form: HoldemForm) -> FrozenCoefficients:
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
    """Fit all forms, and replace their files."""
    with TemporaryDirectory() as logs:
        workspace = Workspace(seed=SEED, workers=workers, folder=logs)
        for form in FORMS:
            frozen = fit(workspace, form)
            text = json.dumps(frozen.as_json(), indent=1) + "\n"
            write_whole(folder / f"{frozen.name}.json", text.encode())


if __name__ == "__main__":
    write(Path(sys.argv[1]))


# No bias in any form of hold'em: money minus each estimator, paired, over very many hands.
#
# ``--scale 10`` plays a million hands of each form. Few boards are drawn before the flop, which
# costs precision but adds no bias.


UNBIASED_FORMS_HANDS: Final = 100_000
"""Number of hands of each form."""
ESTIMATORS: Final = ("divat", "call_down", "fitted", "mivat", "allin", "own_side")

_BOARDS: Final = 8
_PIECE: Final = 10_000
_TOGETHER: Final = 100_000
"""Number of hands that are assessed together; a million would take gigabytes."""


def unbiased_forms(workspace: Workspace) -> ExperimentResult:
    """Play and assess every form."""
    tests = len(ESTIMATORS) * sum(form.rules.seats for form in FORMS)
    rows: list[Row] = []
    z: list[dict[str, str | float]] = []
    hands = workspace.hands(UNBIASED_FORMS_HANDS)
    for form in FORMS:
        for (estimator, player), difference in differences(workspace, form, hands).items():
            name = f"{name_of(form)}: money less {estimator} of {player}, paired"
            rows.append(zero(name, difference, sigmas=sigmas_for(tests)))
            errors = difference.value / difference.stderr if difference.stderr else 0.0
            z.append({"form": name_of(form), "estimator": estimator, "z": errors})
    table = pl.DataFrame(z)
    return ExperimentResult(
        hands=hands * len(FORMS),
        rows=tuple(rows),
        drawings=(_unbiased_forms_drawing(table, sigmas_for(tests), hands, workspace.seed),),
        tables={"z": table},
    )


def name_of(form: HoldemForm) -> str:
    """Return a form's name, as in the names of its files of coefficients."""
    return f"{form.rules.betting.value}-{form.rules.seats}"


def differences(
    workspace: Workspace, form: HoldemForm, hands: int
) -> dict[tuple[str, str], Estimate]:
    """Return money minus each estimator, by estimator and player."""
    sums: dict[tuple[str, str], Moments] = defaultdict(Moments)
    unit = form.rules.result_unit
    for first in range(0, hands, _TOGETHER):
        end = min(hands, first + _TOGETHER)
        part = f"unbiased-forms-{name_of(form)}-hands-{first}-to-{end}"
        for name, player, *moments in workspace.kept(
            part, partial(_moments, workspace, form, first, end)
        ):
            sums[name, player] += Moments(*moments)
        workspace.tell(end, hands, name_of(form))
    return {key: total.estimate(unit) for key, total in sums.items()}


def _moments(workspace: Workspace, form: HoldemForm, first: int, end: int) -> list[list[Any]]:
    """Return estimator, player, and the fields of `Moments` of money minus the estimator."""
    assessment = assess_batches(_pieces(workspace, form, first, end), boards=_BOARDS)
    moments: list[list[Any]] = []
    for number, player in enumerate(assessment.players):
        mine = assessment.scores.filter(pl.col("player") == number)
        for name in ESTIMATORS:
            rest = (mine["money"] - mine[name]).to_numpy()
            moments.append([name, player, *astuple(Moments.of(rest))])
    return moments


def _pieces(
    workspace: Workspace, form: HoldemForm, first: int, end: int
) -> Iterator[tuple[HandBatch, tuple[Skipped, ...]]]:
    players = [player for player in form.matches[-1].players if isinstance(player, PolicyPlayer)]
    for start in range(first, end, _PIECE):
        count = min(_PIECE, end - start)
        yield play_policies(form.rules, players, count, seed=workspace.seed, first=start), ()


def _unbiased_forms_drawing(table: pl.DataFrame, sigmas: float, hands: int, seed: int) -> Drawing:
    values = alt.InlineData(values=table.to_dicts())
    points = (
        alt.Chart(values)
        .mark_point()
        .encode(
            x=alt.X("z:Q", title="difference from money, standard errors"),
            y=alt.Y("estimator:N", title=None, axis=alt.Axis(labelOverlap=False)),
            row=alt.Row("form:N", title=None),
        )
    )
    farthest = max(abs(z) for z in table["z"].to_list())
    figure = Figure(
        name="unbiased-forms",
        title="Money less each estimator, in standard errors",
        words=f"Points for every player, estimator and form of hold'em; the farthest lies "
        f"{farthest:.1f} standard errors from zero, of {sigmas:.1f} that chance is granted.",
        note="Without a bias they scatter about zero like standard normal numbers.",
        chart=points,
    )
    return Drawing(figure=figure, data={}, subtitle=f"{hands:,} hands of each form, seed {seed}")
