"""What one player remembers of one opponent, in numbers for all forms in which they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from railbird.cards import CLASS_NAMES
from railbird.errors import DamagedFile
from railbird.estimates import BoundedMean
from railbird.game import Street
from railbird.modelling.opponent_memory.model_records import ModelForm, ModelRecord
from railbird.modelling.opponent_statistics import KIND, OpponentStatistics, PlayedAction, Stage
from railbird.modelling.opponent_statistics.classes import (
    OpponentClass,
    Verdict,
    counted_classes,
    opponent_classes,
)
from railbird.modelling.opponent_statistics.opponent import Mean
from railbird.storage.opponents import Opponent

ACTIONS: Final = tuple(PlayedAction)
LEARNED: Final = (PlayedAction.CHECK, PlayedAction.CALL, PlayedAction.RAISE)
STAGE_NAMES: Final = {
    Stage.ON_BLIND: "preflop, on the blind",
    Stage.PREFLOP: "preflop",
    Stage.FLOP: "flop",
    Stage.TURN: "turn",
    Stage.RIVER: "river",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentSummary:
    """A stored opponent, its record read; one of ``statistics`` and ``model`` is None."""

    stored: Opponent
    statistics: OpponentStatistics | None = None
    model: ModelRecord | None = None

    @property
    def bets(self) -> BoundedMean:
        """Bets and raises, of all actions."""
        if self.statistics is not None:
            total = self.statistics.count()
            done = self.statistics.count(action=PlayedAction.RAISE)
        else:
            total = sum(each.actions for each in self.stored.history)
            done = sum(each.bets for each in self.stored.history)
        return share(done, total)

    @property
    def words(self) -> str:
        """The classes that hold, of those that counts alone decide; empty where none does."""
        if self.statistics is None:
            return ""
        found = counted_classes(self.statistics, self.stored.scope.seats)
        return ", ".join(each.name for each in found if each.verdict is Verdict.YES)

    @property
    def classes(self) -> tuple[OpponentClass, ...]:
        """All classes; none where the memory has no statistics."""
        if self.statistics is None:
            return ()
        return opponent_classes(self.statistics, self.stored.scope.seats)

    def as_json(self) -> dict[str, Any]:
        """Return everything that is remembered, unrounded."""
        stored = self.stored
        known: Mapping[str, Any] = {}
        if self.statistics is not None:
            known = _statistics(self.statistics)
        elif self.model is not None:
            known = {"actions": self.model.actions, "shown": self.model.shown}
        return {
            **asdict(stored.scope),
            "version": stored.version,
            "sessions": stored.sessions,
            "hands": stored.hands,
            "first_met_at": stored.first_met_at.isoformat(),
            "last_met_at": stored.last_met_at.isoformat(),
            "aggression": self.bets.as_json(),
            **known,
            "classes": [each.as_json() for each in self.classes],
            "history": [asdict(each) for each in stored.history],
        }


def summarise(stored: Opponent) -> OpponentSummary:
    """Read a stored opponent's record.

    Raises `railbird.errors.DamagedFile`, also for a kind of record that nobody here knows.
    """
    kind = stored.scope.kind
    try:
        if kind == KIND:
            statistics = OpponentStatistics.from_record(stored.record)
            return OpponentSummary(stored=stored, statistics=statistics)
        if kind == ModelForm().kind:
            return OpponentSummary(stored=stored, model=ModelForm().read(stored.record))
    except DamagedFile as problem:
        where = f"what {stored.scope.observer} remembers of {stored.name}"
        raise DamagedFile(f"{where}: {problem}") from None
    raise DamagedFile(
        f"what {stored.scope.observer} remembers of {stored.name}: a record of kind {kind!r};"
        f" allowed: {KIND}, {ModelForm().kind}"
    )


def share(done: int, n: int) -> BoundedMean:
    """Return a share with its exact interval."""
    return BoundedMean.of_counts({0.0: n - done, 1.0: done}, least=0, most=1, unit="share")


def counts_of(statistics: OpponentStatistics, stage: Stage) -> dict[PlayedAction, int]:
    """Count the actions of a stage."""
    street = Street.PREFLOP if stage <= Stage.PREFLOP else Street(stage - 1)
    on_blind = {Stage.ON_BLIND: True, Stage.PREFLOP: False}.get(stage)
    return {
        action: statistics.count(street=street, on_blind=on_blind, action=action)
        for action in ACTIONS
    }


def folds_of(statistics: OpponentStatistics) -> dict[str, int]:
    """Count hands by the street of the fold; the rest were not folded."""
    folds = {
        street.name.lower(): statistics.count(street=street, action=PlayedAction.FOLD)
        for street in Street
    }
    return {**folds, "not folded": statistics.hands - sum(folds.values())}


def _statistics(statistics: OpponentStatistics) -> dict[str, Any]:
    return {
        "actions": {
            stage.name.lower(): {
                action.name.lower(): n for action, n in counts_of(statistics, stage).items()
            }
            for stage in Stage
        },
        "folds": folds_of(statistics),
        "showdowns": statistics.showdowns,
        "unseen_showdowns": statistics.unseen_showdowns,
        "shown_freely": statistics.shown_freely,
        "shown_classes": [
            {"hand": CLASS_NAMES[number], "on_blind": on_blind, "n": n}
            for (number, on_blind), n in sorted(statistics.shown_classes.items())
        ],
        "group_on_blind": _mean(statistics.mean_group(on_blind=True)),
        "group_off_blind": _mean(statistics.mean_group(on_blind=False)),
        "showdown_strength": _mean(statistics.showdown_strength),
        "ratings": {
            street.name.lower(): {
                action.name.lower(): _mean(statistics.rating(street, action)) for action in LEARNED
            }
            for street in Street
        },
        "probabilities": {
            stage.name.lower(): {
                action.name.lower(): _columns(statistics.shown_probabilities(stage, action))
                for action in LEARNED
            }
            for stage in Stage
        },
    }


def _mean(mean: Mean | None) -> dict[str, float | int | None]:
    return {"value": None, "n": 0} if mean is None else {"value": mean.value, "n": mean.n}


def _columns(entries: tuple[tuple[float, float, float], ...]) -> dict[str, Any]:
    """The means of a rolling array and their count."""
    n = len(entries)
    names = ("value", "per_chip", "per_big_blind")
    means = [sum(column) / n for column in zip(*entries, strict=True)] if n else [None] * 3
    return {**dict(zip(names, means, strict=True)), "n": n}
