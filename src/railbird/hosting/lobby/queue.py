"""Queues in which accounts wait for a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from railbird.hosting.formats import TournamentFormat
from railbird.hosting.games.house_seats import chosen
from railbird.hosting.games.outlet import Time
from railbird.protocol import Identity
from railbird.protocol.messages.game import Queued, QueueInfo


class Queue:
    """Accounts that wait for one kind of tournament, the first one first."""

    def __init__(self, form: TournamentFormat, when: Time) -> None:
        self.form = form
        self.running = 0
        """Tournaments from this queue that are being played."""
        self._when = when
        self._waiting: dict[str, tuple[Identity, float]] = {}
        self.is_over = False
        """True once the scheduled start has passed."""
        self._asked = float("-inf")
        """When house players were last asked for, in vain."""

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of those who wait."""
        return tuple(self._waiting)

    def add(self, identity: Identity) -> None:
        """Let an account wait, behind all others."""
        self._waiting.setdefault(identity.name, (identity, self._when.seconds()))

    def remove(self, name: str) -> None:
        """Let an account wait no longer."""
        self._waiting.pop(name, None)

    def take_full(self) -> list[Identity] | None:
        """Return and remove the entrants of a full tournament; None while there are too few."""
        able = self._able()
        if len(able) < self.form.seats:
            return None
        return self._taken(able[: self.form.seats])

    def starts_in(self) -> float | None:
        """Return the seconds until `take_due`; None while it is not foreseen."""
        if self.form.starts_at is not None:
            if self.is_over:
                return None
            now = datetime.fromtimestamp(self._when.unix_ms() / 1000, UTC)
            return max(0.0, (self.form.starts_at - now).total_seconds())
        if self.form.house_after is None or not self._waiting:
            return None
        first = min(since for _, since in self._waiting.values())
        return max(0.0, max(first, self._asked) + self.form.house_after - self._when.seconds())

    @property
    def starts_in_ms(self) -> int | None:
        """`starts_in` as messages have it."""
        delay = self.starts_in()
        return None if delay is None else round(1000 * delay)

    def take_due(self, specs: Sequence[str]) -> tuple[list[Identity], list[tuple[str, str]]]:
        """Return and remove the entrants of a tournament that is due, with house players.

        ``specs`` are those of house players, who take the empty seats. Nobody is returned where
        not even two would play.
        """
        if self.form.starts_at is not None:
            self.is_over = True
        able = self._able()[: self.form.seats]
        wanted = self.form.seats - len(able) if self.form.house_after is not None else 0
        house = chosen(specs, wanted, [identity.name for identity in able])
        if not able or len(able) + len(house) < 2:
            self._asked = self._when.seconds()
            return [], []
        return self._taken(able), house

    def message(self) -> Queued:
        """Return what those who wait are told."""
        return Queued(
            queue=self.form.name,
            waiting=len(self),
            seats=self.form.seats,
            starts_in_ms=self.starts_in_ms,
        )

    def info(self) -> QueueInfo:
        """Return what the lobby shows."""
        return QueueInfo(
            queue=self.form.name,
            format=self.form.as_message(),
            waiting=len(self),
            starts_in_ms=self.starts_in_ms,
            tournaments=self.running,
        )

    def _able(self) -> list[Identity]:
        """Return those who may play together: of one interest, only the first to come.

        An owner's bots, and an owner and a bot, never share a rated tournament.
        """
        interests: set[str] = set()
        able = []
        for identity, _ in self._waiting.values():
            if not self.form.rated or identity.interest not in interests:
                interests.add(identity.interest)
                able.append(identity)
        return able

    def _taken(self, able: list[Identity]) -> list[Identity]:
        for identity in able:
            del self._waiting[identity.name]
        return able
