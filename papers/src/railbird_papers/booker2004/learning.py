"""A learner in place of section 9's person, in no-limit tournaments against Booker 1 and 4."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from railbird.estimates import Moments
from railbird.estimates.confidence_sequences import AnytimeInterval, confidence_sequence
from railbird.estimates.estimate import ALPHA, estimate
from railbird.game import Action, Event, View, payoffs
from railbird.players import KnowsOpponents, Observer, Player, make_player
from railbird.report import number_format
from railbird_papers.booker2004.sessions import (
    AGAINST_BOOKER_1,
    AGAINST_BOOKER_4,
    BOOKER_1_LAST_TEN,
    ENDS,
    ENTRY,
    GAIN_AGAINST_BOOKER_4,
    MOST_AT_A_TABLE,
    PERSON_SESSIONS,
    PRIZES,
    SESSION,
    TABLE_SESSION,
    TOURNAMENTS,
    PlayedSessions,
    Sessions,
    between_equals,
    faultless,
    means_with_intervals,
    play_sessions,
    play_tables,
    said_to_win,
    share_measured,
    share_won,
    winning_curves,
)
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.rows import (
    Row,
    Verdict,
    compared,
    measured,
    published_as_positive,
)

if TYPE_CHECKING:
    from railbird.estimates import Estimate
    from railbird_papers.framework.figures import Drawing
    from railbird_papers.framework.workspace import Workspace


PERSON: Final = "person=python:railbird_papers.booker2004.learning:Bandit"
OPPONENTS: Final = {"Booker 1": "booker:1", "Booker 4": "booker:4"}
_LENGTHS: Final = {"Booker 1": AGAINST_BOOKER_1, "Booker 4": AGAINST_BOOKER_4}
_NOTE = (
    "The stand-in chooses between four ways of playing by what each won; the source's person was "
    "its supervisor."
)


def learning(workspace: Workspace) -> ExperimentResult:
    """Play the stand-in against both, in sessions like the source's, and in equally long ones."""
    count = max(2, round(PERSON_SESSIONS * workspace.scale))
    longest = max(_LENGTHS.values())
    played = {
        label: play_sessions(
            workspace,
            Sessions(players=(PERSON, spec), length=longest, count=count, seed=workspace.seed),
        )
        for label, spec in OPPONENTS.items()
    }
    won = {label: result.won[:, :, 0] for label, result in played.items()}
    own = {label: won[label][:, : _LENGTHS[label]] for label in won}
    gains = {label: _gain(table) for label, table in own.items()}
    rows = [share_measured(f"the stand-in against {label}", own[label]) for label in OPPONENTS]
    rows += [
        share_measured(f"{label}, tournaments {start + 1} to {start + ENDS}", ten)
        for label in OPPONENTS
        for start in range(0, longest, ENDS)
        for ten in (won[label][:, start : start + ENDS],)
    ]
    rows += [
        compared(
            "its last ten of twenty against Booker 1",
            BOOKER_1_LAST_TEN,
            share_won(own["Booker 1"][:, -ENDS:]),
            _NOTE,
        ),
        published_as_positive("its gain against Booker 1, last ten less first", gains["Booker 1"]),
        compared(
            "its gain against Booker 4, last ten of fifty less first",
            GAIN_AGAINST_BOOKER_4,
            gains["Booker 4"],
        ),
        measured("its gain against Booker 1 over fifty", _gain(won["Booker 1"])),
        published_as_positive(
            "its first and last ten of fifty against Booker 4, less the thirty in between",
            estimate(_ends_less_middle(won["Booker 4"]), unit="of tournaments"),
        ),
        published_as_positive(
            "its gain over fifty, against Booker 1 less against Booker 4",
            estimate(
                _learning_gains(won["Booker 1"]) - _learning_gains(won["Booker 4"]),
                unit="of tournaments",
            ),
        ),
    ]
    hands = sum(result.hands for result in played.values())
    rows.append(faultless(sum(result.faults for result in played.values()), hands))
    return ExperimentResult(
        hands=2 * count * longest,
        noun="tournament",
        rows=tuple(rows),
        drawings=(
            winning_curves(
                "person",
                "A learner in place of a person",
                {f"against {label}": table for label, table in won.items()},
                subtitle=f"{count} sessions of {longest} tournaments each, seed {workspace.seed}",
                note="The share that the stand-in has won so far, mean over sessions.",
            ),
        ),
    )


def _learning_gains(table: NDArray[np.float64]) -> NDArray[np.float64]:
    gains: NDArray[np.float64] = table[:, -ENDS:].mean(axis=1) - table[:, :ENDS].mean(axis=1)
    return gains


def _ends_less_middle(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the difference that to the source shows adaptation (9.2), (sessions,)."""
    ends = np.hstack([table[:, :ENDS], table[:, -ENDS:]]).mean(axis=1)
    less: NDArray[np.float64] = ends - table[:, ENDS:-ENDS].mean(axis=1)
    return less


def _gain(table: NDArray[np.float64]) -> Estimate:
    return estimate(_learning_gains(table), unit="of tournaments")


# Each agent against each test agent, and everybody against its like (Booker 2004, section 7).


TESTS: Final = {
    "always-call": "always-call",
    "always-raise": "always-raise:random",
    "random": "random:amount",
}
"""The source's test agents (6.2 to 6.4): label and spec."""
AGENTS: Final = {
    "Booker 1": "booker:1",
    "Booker 1n": "booker:1n",
    "Booker 2": "booker:2",
    "Booker 3": "booker:3",
    "Booker 4": "booker:4",
    "Booker 5": "booker:5",
    "rollout": "rollout",
    "tight": "tight:nolimit",
}
SAID_TO_WIN: Final = {
    f"{agent} v {test}"
    for agent in ("Booker 1", "Booker 2", "Booker 3", "Booker 4")
    for test in TESTS
}
"""Pairs in which, by the source's text, its agent fares well (7.7, 7.9); the figures are lost."""
SESSIONS: Final = {"always-raise": 100, "random": 30, "always-call": 10}
"""Sessions of a pair at scale 1, by the test agent; the source played one. A tournament against
always-call takes nine hands, most of them to the river, one against always-raise three."""
SLOW_SESSIONS: Final = {"rollout": 3, "tight": 3}
"""Most sessions of an agent that rolls out or ranks every hand."""
ALIKE: Final = 3
"""Sessions of an agent against a copy of itself, in which it can only win one half."""
LEARNERS: Final = ("Booker 2", "Booker 3", "Booker 4")
UNLEARNING: Final = "Booker 1"
_PART = 5
"""Learning is judged by the first and the last fifth of a session."""


def heads_up(workspace: Workspace) -> ExperimentResult:
    """Play all pairs."""
    length = SESSION
    agents = {**AGENTS, **TESTS}

    def count(sessions: int) -> int:
        return max(2, round(sessions * workspace.scale))

    def sessions(players: tuple[str, str], published: int) -> Sessions:
        return Sessions(players=players, length=length, count=count(published), seed=workspace.seed)

    pairs = {
        f"{agent} v {test}": sessions(
            (spec, opponent), min(SESSIONS[test], SLOW_SESSIONS.get(agent, SESSIONS[test]))
        )
        for agent, spec in AGENTS.items()
        for test, opponent in TESTS.items()
    }
    equals = {f"{agent} v {agent}": sessions((spec, spec), ALIKE) for agent, spec in agents.items()}
    tables = [*pairs.values(), *equals.values()]
    results = play_tables(workspace, tables, title="all pairs")
    played = dict(zip(pairs, results, strict=False))
    alike = dict(zip(equals, results[len(pairs) :], strict=True))
    won = {pair: result.won[:, :, 0] for pair, result in played.items()}
    rows = [
        said_to_win(pair, table) if pair in SAID_TO_WIN else share_measured(pair, table)
        for pair, table in won.items()
    ]
    rows += [between_equals(pair, result.won[:, :, 0]) for pair, result in alike.items()]
    rows += _learning(won)
    rows += _compared(won)
    everything = [*played.values(), *alike.values()]
    hands = sum(result.hands for result in everything)
    rows.append(faultless(sum(result.faults for result in everything), hands))
    return ExperimentResult(
        hands=sum(result.places.shape[0] * result.places.shape[1] for result in everything),
        noun="tournament",
        rows=tuple(rows),
        drawings=tuple(
            winning_curves(
                agent.lower().replace(" ", "-"),
                f"{agent} against the test agents",
                {test: won[f"{agent} v {test}"] for test in TESTS},
                subtitle=f"sessions of {length} tournaments for two, seed {workspace.seed}",
                note="The share won so far, mean over sessions; the source shows one session.",
            )
            for agent in AGENTS
        ),
    )


def _learning(won: dict[str, NDArray[np.float64]]) -> list[Row]:
    """Compare the end of a session with its beginning, where the source saw the learners learn.

    All against always-raise (7.9.2 to 7.9.4), Booker 4 against always-call too (figure 7.4.3).

    Booker 1 remembers nothing, so its gain comes from the cards and has mean zero. Subtracting it
    more than halves the variance of the others' gain.
    """
    learned = [(agent, "always-raise") for agent in LEARNERS] + [(LEARNERS[-1], "always-call")]
    return [
        published_as_positive(
            f"{agent} v {test}, last fifth of a session less the first, "
            f"less the same of {UNLEARNING}",
            estimate(
                _heads_up_gains(won[f"{agent} v {test}"])
                - _heads_up_gains(won[f"{UNLEARNING} v {test}"]),
                unit="of tournaments",
            ),
        )
        for agent, test in learned
    ]


def _heads_up_gains(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shares won in the last fifth less those in the first, (sessions,)."""
    part = max(1, table.shape[1] // _PART)
    gains: NDArray[np.float64] = table[:, -part:].mean(axis=1) - table[:, :part].mean(axis=1)
    return gains


def _compared(won: dict[str, NDArray[np.float64]]) -> list[Row]:
    """Compare the agents against always-raise (7.9.2 to 7.9.4)."""
    rows = []
    for agent, reference, is_stated in (
        ("Booker 1", "Booker 2", True),
        ("Booker 3", "Booker 2", True),
        ("Booker 4", "Booker 2", True),
        ("Booker 4", "Booker 3", False),
    ):
        # The same seed deals the same cards, so sessions are paired.
        better, worse = (
            won[f"{player} v always-raise"].mean(axis=1) for player in (agent, reference)
        )
        lead = estimate(better - worse, unit="of tournaments")
        name = f"{agent} less {reference}, against always-raise"
        rows.append(published_as_positive(name, lead) if is_stated else measured(name, lead))
    return rows


# What paying for information is worth (Booker 2004, section 7.6.3).


PAYING: Final = {"Booker 3": "booker:3", "Booker 4": "booker:4"}
"""Agents that call a hand down now and then to see what the opponents hold."""


def paying(workspace: Workspace) -> ExperimentResult:
    """Play each agent with and without paying for information, against the test agents.

    The cards of both are the same, so sessions are paired.
    """
    sessions = {
        (agent, test, option): Sessions(
            players=(f"{spec}{option}", TESTS[test]),
            length=SESSION,
            count=max(2, round(count * workspace.scale)),
            seed=workspace.seed,
        )
        for agent, spec in PAYING.items()
        for test, count in SESSIONS.items()
        for option in ("", ",pay=0")
    }
    results = play_tables(workspace, list(sessions.values()), title="with paying and without")
    won = {
        key: result.won[:, :, 0].mean(axis=1) for key, result in zip(sessions, results, strict=True)
    }
    rows: list[Row] = []
    gains: dict[str, Estimate] = {}
    for agent, test in dict.fromkeys((agent, test) for agent, test, _ in sessions):
        pays, spares = won[agent, test, ""], won[agent, test, ",pay=0"]
        pair = f"{agent} v {test}"
        gains[pair] = estimate(pays - spares, unit="of tournaments")
        rows += [
            measured(f"{pair}, paying", estimate(pays, unit="of tournaments")),
            measured(f"{pair}, not paying", estimate(spares, unit="of tournaments")),
            measured(f"{pair}, what paying gains", gains[pair]),
        ]
    hands = sum(result.hands for result in results)
    rows.append(faultless(sum(result.faults for result in results), hands))
    return ExperimentResult(
        hands=sum(session.length * session.count for session in sessions.values()),
        noun="tournament",
        rows=tuple(rows),
        drawings=(
            means_with_intervals(
                "paying",
                "What paying for information gains",
                gains,
                amount="share of tournaments won, paying less not paying",
                subtitle=f"sessions of {SESSION} tournaments for two, seed {workspace.seed}",
                note="Means over sessions, on the same cards, with 95 % intervals.",
            ),
        ),
    )


# Tournaments of six for money (Booker 2004, section 8).


PLAYERS: Final = {
    "Booker 1": "booker:1",
    "Booker 4": "booker:4",
    "rollout": "rollout",
    "tight": "tight:nolimit",
    "Booker 1n": "booker:1n",
    "always-raise": "always-raise:random",
}
"""The players of the table of six. The source's other four were programs of fellow students, which
are lost."""


def multiplayer(workspace: Workspace) -> ExperimentResult:
    """Play until all neighbours in the ranking differ significantly, or for long enough."""
    most = max(2, round(MOST_AT_A_TABLE * workspace.scale / TABLE_SESSION))
    sessions = Sessions(
        players=tuple(PLAYERS.values()),
        length=TABLE_SESSION,
        count=most,
        seed=workspace.seed,
        payouts=PRIZES,
        entry=ENTRY,
    )
    played = play_sessions(workspace, sessions, enough=_told_apart)
    by_session = played.profits.mean(axis=1)
    profits = {
        label: estimate(by_session[:, place], unit="money") for place, label in enumerate(PLAYERS)
    }
    ranking = sorted(profits, key=lambda label: -profits[label].value)
    rows = [measured(f"profit of {label}", profits[label]) for label in ranking]
    rows += [
        _neighbours(better, worse, moments)
        for (better, worse), moments in zip(pairwise(ranking), _leads(played), strict=True)
    ]
    rows += _said(by_session)
    rows.append(faultless(played.faults, played.hands))
    tournaments = played.places.shape[0] * TABLE_SESSION
    return ExperimentResult(
        hands=tournaments,
        noun="tournament",
        rows=tuple(rows),
        drawings=(
            means_with_intervals(
                "profits",
                "Six players for money",
                {label: profits[label] for label in ranking},
                amount=f"profit a tournament, entry {float(ENTRY):g}",
                subtitle=f"{tournaments:,} tournaments, prizes 70/30, seed {workspace.seed}",
                note="Means over sessions of ten tournaments, with 95 % intervals.",
            ),
        ),
    )


def _leads(played: PlayedSessions) -> list[Moments]:
    """Return the leads between neighbours in the ranking, each session one value."""
    by_session = played.profits.mean(axis=1)
    order = np.argsort(-by_session.mean(axis=0), kind="stable").tolist()
    return [
        Moments.of(by_session[:, better] - by_session[:, worse])
        for better, worse in pairwise(order)
    ]


def _at_any_time(lead: Moments) -> AnytimeInterval:
    """Return an interval that is valid for all pairs at once, since any may become neighbours."""
    pairs = len(PLAYERS) * (len(PLAYERS) - 1) // 2
    return confidence_sequence(
        lead,
        alpha=ALPHA / pairs,
        tuned_for=MOST_AT_A_TABLE // TABLE_SESSION // 2,
        unit="money",
    )


def _told_apart(played: PlayedSessions) -> bool:
    return all(_at_any_time(lead).low > 0 for lead in _leads(played))


def _neighbours(better: str, worse: str, lead: Moments) -> Row:
    """Return a row whose verdict is by the anytime-valid interval."""
    interval = _at_any_time(lead)
    finite = np.isfinite(interval.low)
    ends = number_format.interval(interval.low, interval.high, 2) if finite else "none so early"
    return Row(
        name=f"{better} less {worse}, its neighbour",
        ours=lead.estimate("money"),
        verdict=Verdict.HOLDS if interval.low > 0 else Verdict.UNDECIDED,
        rule="anytime-valid interval above 0, for all fifteen pairs at once",
        note=f"{better} less {worse}, at any time: {ends}.",
    )


def _said(by_session: NDArray[np.float64]) -> list[Row]:
    """Compare with the source's ranking: Booker 1 first, Booker 4 second."""
    labels = list(PLAYERS)
    rows = []
    for better in ("Booker 1", "Booker 4"):
        for worse in labels:
            if worse == better or (better, worse) == ("Booker 4", "Booker 1"):
                continue
            lead = by_session[:, labels.index(better)] - by_session[:, labels.index(worse)]
            rows.append(
                published_as_positive(f"{better} less {worse}", estimate(lead, unit="money"))
            )
    return rows


# A stand-in for the person of section 9: it learns which way of playing wins.
#
# It chooses among whole players by Thompson sampling: every twenty hands it draws a mean for each
# from a normal posterior of what its stretches won, and plays the one with the highest draw.


ARMS: Final = {
    "Booker 1": "booker:1",
    "tight": "tight:nolimit",
    "maniac": "random,fold=0.5,call=4.5,raise=5",
    "rock": "loki:bpt,make1=0.75,make2=0.95",
}
STRETCH: Final = 20
"""Hands after which the bandit chooses again; the source's person had no fixed rhythm."""

_PRIOR_SD: Final = 0.25
"""Spread of a stretch's money before any is seen, in starting stacks of the hand."""


class Bandit:
    """A player that plays as one of `ARMS` for `STRETCH` hands, then chooses again by winnings."""

    def __init__(self) -> None:
        self._arms: list[Player] = [make_player(spec) for spec in ARMS.values()]
        self.reset(np.random.default_rng(0))

    def reset(self, rng: np.random.Generator) -> None:
        """Forget everything."""
        self._rng, *own = rng.spawn(1 + len(self._arms))
        for arm, generator in zip(self._arms, own, strict=True):
            arm.reset(generator)
        self._won: list[list[float]] = [[] for _ in self._arms]
        self._hands, self._money, self._chosen = 0, 0.0, self._choose()

    @property
    def stretches(self) -> dict[str, int]:
        """How often each way of playing was chosen and played to the end of its stretch."""
        return {name: len(won) for name, won in zip(ARMS, self._won, strict=True)}

    def meet(self, people: tuple[int, ...]) -> None:
        """Tell all ways of playing who sits where."""
        for arm in self._arms:
            if isinstance(arm, KnowsOpponents):
                arm.meet(people)

    def begin(self, view: View) -> None:
        """Begin a hand, perhaps with another way of playing."""
        if self._hands == STRETCH:
            self._won[self._chosen].append(self._money)
            self._hands, self._money, self._chosen = 0, 0.0, self._choose()
        for arm in self._observers():
            arm.begin(view)

    def observe(self, view: View, event: Event) -> None:
        """Pass an event to all ways of playing, so that each has seen everything."""
        for arm in self._observers():
            arm.observe(view, event)

    def end(self, view: View) -> None:
        """Count the money."""
        for arm in self._observers():
            arm.end(view)
        stacks = view.rules.stacks
        assert stacks is not None
        won = float(payoffs(view.state)[view.seat])
        self._hands += 1
        self._money += won / (sum(stacks) / len(stacks))

    def act(self, view: View) -> Action:
        """Answer as the chosen player does."""
        return self._arms[self._chosen].act(view)

    def _observers(self) -> list[Observer]:
        return [arm for arm in self._arms if isinstance(arm, Observer)]

    def _choose(self) -> int:
        draws = []
        for won in self._won:
            n, mean = len(won), sum(won) / (len(won) + 1)  # the prior counts as one stretch of zero
            draws.append(mean + _PRIOR_SD / math.sqrt(n + 1) * float(self._rng.standard_normal()))
        return int(np.argmax(draws))


# Booker 3 and 4 at several aggressions, among themselves (Booker 2004, 7.6.3).


AGGRESSIONS: Final = (0, 10, 25, 50, 75, 100)
GENERATIONS: Final = ("booker:3", "booker:4")


def aggression(workspace: Workspace) -> ExperimentResult:
    """Play each generation at one table of six, every seat with another aggression."""
    count = max(2, round(TOURNAMENTS * workspace.scale / TABLE_SESSION))
    played = {
        spec: play_sessions(
            workspace,
            Sessions(
                players=tuple(f"{spec},aggression={figure}" for figure in AGGRESSIONS),
                length=TABLE_SESSION,
                count=count,
                seed=workspace.seed,
                payouts=PRIZES,
                entry=ENTRY,
            ),
        )
        for spec in GENERATIONS
    }
    rows = [row for spec, result in played.items() for row in _rows(spec, result)]
    hands = sum(result.hands for result in played.values())
    rows.append(faultless(sum(result.faults for result in played.values()), hands))
    return ExperimentResult(
        hands=len(GENERATIONS) * count * TABLE_SESSION,
        noun="tournament",
        rows=tuple(rows),
        drawings=tuple(_drawing(spec, result, workspace.seed) for spec, result in played.items()),
    )


def _name(spec: str) -> str:
    return spec.replace("booker:", "Booker ")


def _rows(spec: str, played: PlayedSessions) -> list[Row]:
    by_session = played.profits.mean(axis=1)
    rows = [
        measured(f"profit of {_name(spec)} at {figure}", estimate(column, unit="money"))
        for figure, column in zip(AGGRESSIONS, by_session.T, strict=True)
    ]
    means = by_session.mean(axis=0)
    best = int(means.argmax())
    default = AGGRESSIONS.index(50)
    others = [place for place in range(len(AGGRESSIONS)) if place != best]
    second = max(others, key=lambda place: means[place])
    for rival in dict.fromkeys((second, default)):
        if rival != best:
            rows.append(
                measured(
                    f"{_name(spec)} at {AGGRESSIONS[best]}, the best, less at {AGGRESSIONS[rival]}",
                    estimate(by_session[:, best] - by_session[:, rival], unit="money"),
                    "The best of six is chosen after the fact, so its lead is too large.",
                )
            )
    return rows


def _drawing(spec: str, played: PlayedSessions, seed: int) -> Drawing:
    by_session = played.profits.mean(axis=1)
    return means_with_intervals(
        spec.replace(":", "-"),
        f"{_name(spec)} at several aggressions",
        {
            f"aggression {figure}": estimate(column, unit="money")
            for figure, column in zip(AGGRESSIONS, by_session.T, strict=True)
        },
        amount=f"profit a tournament, entry {float(ENTRY):g}",
        subtitle=f"{by_session.shape[0] * TABLE_SESSION:,} tournaments of six, seed {seed}",
        note="Means over sessions of ten tournaments, with 95 % intervals.",
    )
