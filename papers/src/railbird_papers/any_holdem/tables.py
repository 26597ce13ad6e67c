"""Tables of value policies in any hold'em: batches of hands for studies that need very many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from typing import Final

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.all_in import NO_ALL_IN, SEEN, Seen, all_ins_of, seen_of, taken_at_mean
from railbird.assessment.any_table import TableAssessment, assess_batches
from railbird.assessment.divat.any_game import LIMIT, NO_LIMIT, ValuePolicy, percentiles, space_of
from railbird.assessment.divat.any_game_estimators import unit_chips
from railbird.cards.splitmix_kernels import GOLDEN, mix
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.game import Rules, acpc_rules, limit_holdem, no_limit_holdem
from railbird.game import kernels as at
from railbird.histories.columns import (
    NO_TIME,
    UNKNOWN,
    Circumstances,
    HandBatch,
    answers_of,
    opened_vectors,
)
from railbird.players.compiled import rank_tables
from railbird.report.charts import crosstable_chart, line_scales
from railbird.report.document import Figure
from railbird_papers.any_holdem import kernels
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import (
    SIGMAS,
    Row,
    beside,
    claimed,
    measured,
    must_exceed_zero,
    sigmas_for,
    zero,
)
from railbird_papers.framework.workspace import Work, Workspace

_ACTIONS = 24
"""Room for the actions of a seat in a hand, on average over a batch; longer hands use what is
left."""


class Collusion(IntEnum):
    """Kinds of collusion of the first two players."""

    NONE = kernels.HONEST
    SOFT_PLAY = kernels.SOFT_PLAY
    """They stop betting and raising once only the two of them are left."""
    SQUEEZE = kernels.SQUEEZE
    """They also raise while somebody else is in, if either of them holds a strong hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPlayer:
    """A value policy, and the probability with which it draws a legal action instead."""

    name: str
    policy: ValuePolicy
    deviation: float = 0.0


def play_policies(
    rules: Rules,
    players: Sequence[PolicyPlayer],
    hands: int,
    *,
    seed: int,
    first: int = 0,
    collusion: Collusion = Collusion.NONE,
) -> HandBatch:
    """Play a table's hands from ``first`` on; players move by one seat each hand.

    A hand depends only on its number and the seed.
    """
    seats = rules.seats
    numbers = np.arange(first, first + hands)
    order = (np.arange(seats) + numbers[:, None]) % seats
    key = np.random.default_rng([seed, seats]).integers(1 << 63, dtype=np.uint64)
    opened = opened_vectors([rules])[0]
    played = kernels.WrittenHands(
        holding=np.zeros((hands, seats), np.int16),
        board=np.zeros((hands, 5), np.uint8),
        dealt=np.zeros(hands, np.uint8),
        start=np.zeros(hands + 1, np.int64),
        action=np.zeros(hands * seats * _ACTIONS, np.int64),
        payoff=np.zeros((hands, seats), np.int64),
    )
    done = kernels.play_hands(
        0,
        hands,
        opened,
        mix(key + numbers.astype(np.uint64) * GOLDEN),
        order,
        np.concatenate([space_of(player.policy) for player in players]),
        np.array([player.deviation for player in players]),
        int(collusion),
        percentiles(),
        rank_tables(),
        np.zeros_like(opened),
        played,
    )
    assert done == hands, "hands are longer than there is room for"
    action = played.action[: played.start[-1]].copy()
    rules_of = np.zeros(hands, np.int32)
    return HandBatch(
        rules=(rules,),
        rules_of=rules_of,
        player=order.astype(np.int32),
        names=tuple(player.name for player in players),
        holding=played.holding,
        low_first=np.zeros(hands, np.uint32),
        board=played.board,
        dealt=played.dealt,
        start=played.start,
        action=action,
        answers=answers_of((rules,), rules_of, played.start, action),
        payoff=played.payoff,
        parts=np.full(hands, opened[at.DENOMINATOR], np.int64),
        number=numbers,
        played_at=np.full(hands, NO_TIME),
        circumstances=(Circumstances(),),
        circumstances_of=np.zeros(hands, np.int32),
        sources=(),
        file=np.full(hands, UNKNOWN, np.int32),
        line=np.full(hands, UNKNOWN, np.int64),
    )


# Partners at the table, and their traces in the crosstable.
#
# Two of three players, or of six, play softly against each other, or also squeeze the others: they
# raise while somebody else is in and one of the two holds a strong hand. The experiment measures
# the pair's mutual partiality (what each gives the other, minus what it gives the rest), and the
# money that it costs the rest.


NAMES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
TABLES: Final = ((3, 6_000), (6, 4_000))
"""Number of seats, and of hands."""
LOOSE: Final = replace(
    LIMIT, name="loose", gamma=0.0, offset=tuple(offset - 0.1 for offset in LIMIT.offset)
)
"""The policy of all players: the baseline, but looser."""
DEVIATION: Final = 0.07
_PROTOTYPE: Final = {
    (3, "gift", 0, 1): "0.622",
    (3, "gift", 1, 0): "0.540",
    (3, "gift", 0, 2): "-0.154",
    (3, "gift", 1, 2): "-0.044",
    (3, "victim"): "-0.602",
    (3, "mutual"): "1.359",
    (6, "mutual"): "1.385",
}
"""Results for other players, from a prototype of this measure."""


def collusion(workspace: Workspace) -> ExperimentResult:
    """Play each table three times over and assess it."""
    rows: list[Row] = []
    total = 0
    drawings = []
    for seats, published in TABLES:
        hands = workspace.hands(published)
        by_collusion = {how: _assessed(workspace, seats, hands, how) for how in Collusion}
        rows += _rows(seats, by_collusion)
        total += 3 * hands
        drawings.append(_collusion_drawing(by_collusion[Collusion.SQUEEZE], workspace.seed))
    return ExperimentResult(hands=total, rows=tuple(rows), drawings=tuple(drawings))


def _assessed(workspace: Workspace, seats: int, hands: int, how: Collusion) -> TableAssessment:
    players = [PolicyPlayer(name=name, policy=LOOSE, deviation=DEVIATION) for name in NAMES[:seats]]
    rules = acpc_rules(limit_holdem(seats))
    batch = play_policies(rules, players, hands, seed=workspace.seed, collusion=how)
    workspace.record(Work("played", hands, 0.0))
    tell = partial(workspace.tell, total=hands, what=f"{seats} players, {how.name.lower()}")
    return assess_batches([(batch, ())], boards=64, progress=lambda done, _total, _what: tell(done))


def _rows(seats: int, by_collusion: dict[Collusion, TableAssessment]) -> list[Row]:
    size = f"{seats} players"
    pair = NAMES[0], NAMES[1]
    squeeze = by_collusion[Collusion.SQUEEZE]
    mutual = {
        how: assessment.form.crosstable.partiality[pair] for how, assessment in by_collusion.items()
    }
    rows = [
        zero(
            f"{size}, honest: mutual partiality of the first two",
            mutual[Collusion.NONE].mutual,
            note="All play alike here; honest players of different styles are far from zero.",
        ),
        measured(
            f"{size}, soft play: mutual partiality",
            mutual[Collusion.SOFT_PLAY].mutual,
            note="Soft play alone does not show.",
        ),
        beside(
            f"{size}, squeeze: mutual partiality",
            _PROTOTYPE[seats, "mutual"],
            mutual[Collusion.SQUEEZE].mutual,
            note="Beside each number that of a prototype with other players.",
        ),
        must_exceed_zero(
            f"{size}, squeeze: mutual partiality, beyond chance", mutual[Collusion.SQUEEZE].mutual
        ),
    ]
    if seats == len(TABLES[0]) + 1:
        rows += [
            beside(
                f"{size}, squeeze: what {NAMES[actor]}'s decisions changed for {NAMES[receiver]}",
                _PROTOTYPE[seats, "gift", actor, receiver],
                squeeze.form.crosstable.cells[NAMES[actor], NAMES[receiver]],
            )
            for actor, receiver in ((0, 1), (1, 0), (0, 2), (1, 2))
        ]
        rows.append(
            beside(
                f"{size}, squeeze: money of the third",
                _PROTOTYPE[seats, "victim"],
                squeeze.estimates[NAMES[2]]["money"],
            )
        )
    rows.append(
        claimed(
            f"{size}: times the hands that the pair's money needs to show as much",
            _times(squeeze),
            _times(squeeze).value > 1,
            rule="above 1",
            note="Squares of the two numbers of standard errors.",
        )
    )
    squeeze_partiality = mutual[Collusion.SQUEEZE]
    rows.append(
        claimed(
            f"{size}, squeeze: others that both take from, of {squeeze_partiality.others}",
            Estimate(
                float(min(squeeze_partiality.takes)), 0.0, squeeze_partiality.mutual.n, "players"
            ),
            all(squeeze_partiality.gives),
            rule="both give to each other",
            note=f"Signs: {squeeze_partiality.pattern}.",
        )
    )
    return rows


def _times(assessment: TableAssessment) -> Estimate:
    """Return the square of the partiality's z over that of the pair's money."""
    scores = assessment.scores
    mine = scores["player"].is_in([0, 1])
    hands = scores.filter(mine).group_by("row", maintain_order=True)
    by_hand = hands.agg(pl.col("money").sum())["money"].to_numpy()
    money = by_hand.mean() / (by_hand.std(ddof=1) / np.sqrt(len(by_hand)))
    pair = assessment.form.crosstable.partiality[NAMES[0], NAMES[1]].mutual
    partial_z = pair.value / pair.stderr
    return Estimate(float((partial_z / max(abs(money), 1 / SIGMAS)) ** 2), 0.0, pair.n, "times")


def _collusion_drawing(assessment: TableAssessment, seed: int) -> Drawing:
    size = len(assessment.players)
    figure = Figure(
        name=f"squeeze-{size}",
        title=f"Two of {size} squeeze the others",
        words=f"Table of the mean change of each player's result by each player's decisions; the "
        f"first two of {size} are partners, give to each other and take from the rest.",
        note="No cell proves that two play together; the pattern is what to look at.",
        chart=crosstable_chart(
            assessment.form.crosstable.cells, assessment.players, assessment.unit
        ),
    )
    return Drawing(
        figure=figure, data={}, subtitle=f"{assessment.hands:,} hands of limit, seed {seed}"
    )


# All-in equity in logs of a player whose opponents muck some of their losing hands.
#
# Which live hands are known depends on who won. So a rule that replaces some all-ins by their mean
# may choose them by luck. Heads-up matches are played with all cards known. The loser's cards are
# then hidden in some of the all-ins that the player won, and each log's estimate is compared with
# the one that takes every all-in at its mean.


RULES: Final = no_limit_holdem(2, blinds=(50, 100), stack=10_000)
SIZES: Final = (150, 1_000)
"""Number of hands in a log."""
HANDS: Final = 4_000_000
"""Number of hands for each size."""
SHARES: Final = (0.0, 0.3, 0.7, 0.9, 1.0)
"""Shares of the lost all-ins that are shown."""
LEFT_OUT: Final = "leave one out"
_PIECE: Final = 100_000
_ALWAYS: Final = (0.0, 1.0)


def losers_show(workspace: Workspace) -> ExperimentResult:
    """Play logs, hide the losers' cards in some, and compare the rules."""
    rows: list[Row] = []
    table = []
    tests = len(SIZES) * len(_ALWAYS)
    for size in SIZES:
        hands = workspace.hands(HANDS, least=20 * size) // size * size
        played = _played(workspace, hands, size)
        for share in SHARES:
            for rule, (error, adjusted) in errors_by_rule(played, share, workspace.seed).items():
                name = f"{size:,} hands, losers show {share:.0%}, {rule}: bias, bb a hand"
                note = f"{adjusted:.0%} of all-ins count by their mean."
                if rule == LEFT_OUT and share in _ALWAYS:
                    rows.append(zero(name, error, note, sigmas=sigmas_for(tests)))
                else:
                    rows.append(measured(name, error, note))
                measures = {"bias": error.value, "stderr": error.stderr, "adjusted": adjusted}
                table.append({"hands": size, "shown": share, "rule": rule, **measures})
    biases = pl.DataFrame(table)
    return ExperimentResult(
        hands=workspace.hands(HANDS) * len(SIZES),
        rows=tuple(rows),
        drawings=(_losers_show_drawing(biases, workspace.seed),),
        tables={"bias": biases},
    )


def _played(workspace: Workspace, hands: int, size: int) -> pl.DataFrame:
    """Play hands, and return all all-ins and one row without an all-in for each log.

    ``player`` is the number of the log, `SEEN` as if everything were shown, ``luck`` what the
    boards gave the player, and ``hands`` the size of the log.
    """
    policy = replace(NO_LIMIT, sizes=(0.75,) * 4)
    players = [
        PolicyPlayer(name=name, policy=policy, deviation=0.2) for name in ("hero", "villain")
    ]
    numbers = np.arange(hands // size)
    parts = [pl.DataFrame({"player": numbers, SEEN: np.nan, "luck": 0.0}, strict=False)]

    def all_ins_from(first: int, end: int) -> pl.DataFrame:
        batch = play_policies(RULES, players, end - first, seed=workspace.seed, first=first)
        all_ins = all_ins_of(batch)
        hand = np.flatnonzero(all_ins.cards != NO_ALL_IN)
        seat = np.argmax(batch.player[hand] == 0, axis=1)
        luck = (batch.chips - all_ins.chips) / unit_chips(batch)[:, None]
        mine = {SEEN: seen_of(all_ins, batch)[hand, seat], "luck": luck[hand, seat]}
        return pl.DataFrame({"player": (first + hand) // size} | mine)

    for first in range(0, hands, _PIECE):
        end = min(first + _PIECE, hands)
        part = f"losers-show-logs-of-{size}-hands-{first}-to-{end}"
        parts.append(workspace.kept_table(part, partial(all_ins_from, first, end)))
        workspace.tell(end, hands, f"logs of {size:,} hands")
    return pl.concat(parts).with_columns(pl.col(SEEN).fill_nan(None), hands=pl.lit(size))


def errors_by_rule(
    played: pl.DataFrame, share: float, seed: int
) -> dict[str, tuple[Estimate, float]]:
    """Return each rule's mean error per hand, and the share of all-ins that it adjusts.

    ``share`` is the part of the all-ins won by the player that their losers show.
    """
    shows = np.random.default_rng(seed).random(played.height) < share
    rows = played.with_columns(
        pl.when((pl.col(SEEN) == Seen.WON) & ~pl.Series(shows))
        .then(float(Seen.UNKNOWN))
        .otherwise(SEEN)
        .alias(SEEN)
    )
    unknown = (pl.col(SEEN) == Seen.UNKNOWN).any().over("player")
    won = (pl.col(SEEN) == Seen.WON).any().over("player")
    rules = {
        "every hand known": ~unknown,
        "won ones known": ~unknown & won,
        LEFT_OUT: taken_at_mean(pl.lit(value=True), all_known=False),
    }
    errors = {}
    for name, rule in rules.items():
        marked_rows = rows.with_columns(taken=rule & pl.col(SEEN).is_not_null())
        error = pl.when("taken").then(0.0).otherwise("luck").sum() / pl.col("hands").first()
        by_log: npt.NDArray[np.float64] = (
            marked_rows.group_by("player", maintain_order=True).agg(error=error)["error"].to_numpy()
        )
        adjusted = marked_rows.filter(pl.col(SEEN).is_not_null())["taken"].mean()
        errors[name] = (estimate(by_log, unit="bb"), float(adjusted or 0.0))  # type: ignore[arg-type]
    return errors


def _losers_show_drawing(table: pl.DataFrame, seed: int) -> Drawing:
    colours, dashes = line_scales(table["rule"].unique(maintain_order=True).to_list())
    points = (
        alt.Chart(alt.InlineData(values=table.to_dicts()))
        .mark_line(point=True)
        .encode(
            x=alt.X("shown:Q", title="share of losing hands that are shown"),
            y=alt.Y("bias:Q", title="bias, big blinds a hand"),
            color=alt.Color("rule:N", title=None, scale=colours),
            strokeDash=alt.StrokeDash("rule:N", title=None, scale=dashes),
            row=alt.Row("hands:O", title="hands of a log"),
        )
    )
    figure = Figure(
        name="losers-show",
        title="Bias of all-in equity where losers need not show",
        words="Lines of the bias of all-in equity over the share of losing hands that are shown, "
        "for logs of two lengths and by three rules of what counts by its mean.",
        note="Leaving one out has none where losers always or never show.",
        chart=points,
    )
    return Drawing(figure=figure, data={}, subtitle=f"own players, seed {seed}")
