"""Games as files: opened with a journal, resumed from it, and closed."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from railbird._files import atomic_write, errors_named
from railbird._version import __version__
from railbird.cards import HOLDEM, variant_from
from railbird.errors import BadInput, DamagedFile, RailbirdError, WriteFailed
from railbird.game import Betting, Rules
from railbird.hosting.deck import commitment, new_seed
from railbird.hosting.formats import (
    Clocks,
    RingFormat,
    TournamentFormat,
    format_text,
)
from railbird.hosting.house_seats import chosen
from railbird.hosting.journal import SUFFIX, Entrant, Joined, Journal, Opened, Paid, mend
from railbird.hosting.play import HostedPlay, Time
from railbird.hosting.ring_play import RingPlay
from railbird.hosting.settings import (
    MOST_PRACTICE_BYTES,
    MOST_PRACTICE_KEPT,
    PRACTICE_KEPT_SECONDS,
    PRACTICE_SECONDS,
)
from railbird.hosting.tournament_play import TournamentPlay
from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages import Practise
from railbird.tournament.schedule import hand_rules

_LOG = logging.getLogger(__name__)
_ID = re.compile(r"[A-Za-z0-9_-]+\.\d+")


class Openings:
    """The folder of journals: those of games in play, and in ``done`` those that are over.

    Those of practice tables are kept for a while in ``practice``, in a folder for each person.

    An id is the name of the format and a number, which is never used again.
    """

    def __init__(
        self,
        folder: Path,
        when: Time,
    ) -> None:
        self._folder = folder
        self._done = folder / "done"
        self._practice = folder / "practice"
        self._when = when
        self._lock = FileLock(folder / "lock")
        self._last: dict[str, int] = {}

    def lock(self) -> None:
        """Create the folder and claim it. Raises `RailbirdError`."""
        try:
            self._done.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=0)
        except Timeout:
            raise RailbirdError(f"another server plays in {self._folder}") from None
        except OSError as problem:
            raise BadInput(f"{self._folder}: {problem.strerror}") from problem
        self._delete_old_practice()
        practice_files = self._practice.glob(f"*/*{SUFFIX}")
        # Numbers of finished and of damaged games count as well: an id is never used twice.
        for path in (
            *self._folder.glob(f"*{SUFFIX}*"),
            *self._done.glob(f"*{SUFFIX}"),
            *practice_files,
        ):
            name, _, number = path.name.partition(SUFFIX)[0].rpartition(".")
            if number.isdecimal():
                self._last[name] = max(self._last.get(name, 0), int(number))

    def unlock(self) -> None:
        """Let another process have the folder."""
        self._lock.release()

    def tournament(
        self, form: TournamentFormat, entrants: list[Entrant]
    ) -> tuple[TournamentPlay, Journal]:
        """Open a tournament."""
        opened, journal = self._open("tournament", form.name, format_text(form), entrants)
        return TournamentPlay(opened, self._when), journal

    def ring(self, form: RingFormat) -> tuple[RingPlay, Journal]:
        """Open a ring table."""
        opened, journal = self._open("ring", form.name, format_text(form))
        return RingPlay(opened, self._when), journal

    def practice(
        self, message: Practise, specs: Sequence[str]
    ) -> tuple[RingPlay, Journal, list[Entrant]]:
        """Open a practice table; return it with its house players, whose ``specs`` are given."""
        big = message.big_blind
        form = RingFormat(
            name="practice",
            betting=_betting_of(message),
            variant=message.variant or HOLDEM.name,
            seats=len(message.opponents) + 1,
            blinds=(big // 2, big),
            buy_ins=(
                message.stack if message.top_up else min(big, message.stack),
                message.stack,
            ),
            clocks=Clocks(limit=PRACTICE_SECONDS),
            practice=True,
            top_up=message.top_up,
        )
        house = self.house_entrants(specs)
        opened, journal = self._open("practice", form.name, format_text(form))
        play = RingPlay(opened, self._when)
        play.waits = message.waits
        return play, journal, house

    def house_entrants(self, specs: Sequence[str], taken: Sequence[str] = ()) -> list[Entrant]:
        """Return house players as entrants, whose names are none of those ``taken``."""
        names = list(taken)
        for spec in specs:
            ((name, _),) = chosen([spec], 1, names)
            names.append(name)
        new = zip(names[len(taken) :], specs, strict=True)
        return [self.house_entrant(name, spec) for name, spec in new]

    def house_entrant(self, name: str, spec: str) -> Entrant:
        """Return a house player as an entrant."""
        return Entrant(name=name, kind=PlayerKind.HOUSE, version=__version__, spec=spec)

    def resumed(self) -> Iterator[tuple[TournamentPlay | RingPlay, Journal]]:
        """Yield the games of all journals; one that does not replay is set aside and said."""
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            try:
                play = self._read(path)
            except RailbirdError as problem:
                self.set_aside(path.name.removesuffix(SUFFIX), problem)
                continue
            if play is not None:
                yield play, Journal(path, resume=True)

    def set_aside(self, id_: str, problem: RailbirdError) -> None:
        """Give a game up whose journal does not replay."""
        path = self._path(id_)
        _LOG.error("%s is set aside: %s", path.name, problem)
        path.rename(path.with_name(f"{path.name}.damaged"))

    def _read(self, path: Path) -> TournamentPlay | RingPlay | None:
        records_read = mend(path)
        if not records_read:
            path.unlink()
            return None
        opened, *records = records_read
        if not isinstance(opened, Opened) or opened.id != path.name.removesuffix(SUFFIX):
            raise DamagedFile(f"{path} is the journal of another game")
        if opened.kind == "practice":
            # Its person is not there any more.
            person = person_among(
                record.entrant for record in records if isinstance(record, Joined)
            )
            played = any(isinstance(record, Paid) for record in records)
            self.put_practice_away(opened.id, person if played else None)
            return None
        play = self._new(opened)
        play.read(records)
        return play

    def _new(self, opened: Opened) -> TournamentPlay | RingPlay:
        if opened.kind == "tournament":
            return TournamentPlay(opened, self._when)
        return RingPlay(opened, self._when)

    def again(self, parked: HostedPlay) -> tuple[TournamentPlay | RingPlay, Journal]:
        """Read a game again whose journal could not be written, once it can be.

        The journal is written again as a whole, to a new file: after an error of the disk the
        system may have lost what it had accepted for the old one. Raises `RailbirdError`.
        """
        path = self._path(parked.id)
        play = self._new(parked.opened)
        play.read(mend(path)[1:])
        if isinstance(play, RingPlay) and isinstance(parked, RingPlay):
            play.waits, play.is_kept = parked.waits, parked.is_kept
        with atomic_write(path) as part, errors_named(path):
            part.touch(mode=0o600)  # before any cards are in it
            shutil.copyfile(path, part)
            with part.open("rb") as file:
                os.fsync(file.fileno())
        return play, Journal(path, resume=True)

    def file_name(self, id_: str) -> str:
        """Return the name of a game's journal."""
        return f"{id_}{SUFFIX}"

    def put_away(self, id_: str) -> None:
        """Put the journal of a finished game, whose results are kept, with the others.

        Raises `OSError` where that cannot be done now; nothing is lost where it never is, since
        the next start offers the results again.
        """
        path = self._path(id_)
        if path.exists():
            path.rename(self._done / path.name)

    def put_practice_away(self, id_: str, name: str | None) -> None:
        """Keep the journal of a practice table for a while; delete one of nobody, or a long one."""
        path = self._path(id_)
        try:
            if name is None or path.stat().st_size > MOST_PRACTICE_BYTES:
                path.unlink(missing_ok=True)
                return
            self._keep_for(name, path)
        except OSError as problem:
            _LOG.error("%s is not kept: %s", path.name, problem)

    def _keep_for(self, name: str, path: Path) -> None:
        folder = self._practice / name.lower()
        folder.mkdir(parents=True, exist_ok=True)
        path.rename(folder / path.name)
        for _, old in self._kept_of(name)[MOST_PRACTICE_KEPT:]:
            old.unlink(missing_ok=True)

    def practice_of(self, name: str) -> list[tuple[str, datetime]]:
        """Return the practice tables that are kept of a person, each with its end, latest first."""
        return [
            (path.name.removesuffix(SUFFIX), datetime.fromtimestamp(at, UTC))
            for at, path in self._kept_of(name)
        ]

    def adopt_practice(self, guest: str, name: str) -> None:
        """Give the records of somebody without an account to the account of a name."""
        for _, path in self._kept_of(guest):
            with contextlib.suppress(OSError):
                self._keep_for(name, path)
        self.forget_practice(guest)

    def forget_practice(self, name: str) -> None:
        """Delete the records of a person's practice tables."""
        shutil.rmtree(self._practice / name.lower(), ignore_errors=True)

    def _kept_of(self, name: str) -> list[tuple[float, Path]]:
        """Return when each kept journal of a person was last written, the latest first."""
        journals = []
        for path in (self._practice / name.lower()).glob(f"*{SUFFIX}"):
            with contextlib.suppress(FileNotFoundError):
                journals.append((path.stat().st_mtime, path))
        return sorted(journals, reverse=True)

    def _delete_old_practice(self) -> None:
        oldest = self._when.unix_ms() / 1000 - PRACTICE_KEPT_SECONDS
        for path in self._practice.glob(f"*/*{SUFFIX}"):
            if path.stat().st_mtime < oldest:
                path.unlink()

    def find(self, id_: str) -> Path | None:
        """Return the journal of a game, in play or over; None if there is none."""
        if _ID.fullmatch(id_) is None:
            return None
        path = self._path(id_)
        practice_files = self._practice.glob(f"*/{path.name}")
        return next(
            (p for p in (path, self._done / path.name, *practice_files) if p.exists()), None
        )

    def _path(self, id_: str) -> Path:
        return self._folder / self.file_name(id_)

    def _open(
        self,
        kind: Literal["tournament", "ring", "practice"],
        name: str,
        settings: str,
        entrants: list[Entrant] | None = None,
    ) -> tuple[Opened, Journal]:
        number = self._last.get(name, 0) + 1
        seed = new_seed()
        opened = Opened(
            at=self._when.unix_ms(),
            kind=kind,
            id=f"{name}.{number}",
            format=name,
            settings=settings,
            commitment=commitment(seed),
            seed=seed.hex(),
            entrants=tuple(entrants or ()),
            house_seed=new_seed().hex() if kind == "ring" else "",
            has_shares=True,
        )
        path = self._path(opened.id)
        try:
            journal = Journal(path)
            try:
                journal.write(opened)
            except WriteFailed:
                journal.close()
                path.unlink(missing_ok=True)
                raise
        finally:
            if path.exists():  # a disk that is full for hours uses no numbers up
                self._last[name] = number
        return opened, journal


def practice_rules(message: Practise) -> Rules:
    """Return the rules of a practice table's first hand. Raises `BadInput` for no such game."""
    big, stacks = message.big_blind, [message.stack] * (len(message.opponents) + 1)
    betting, variant = _betting_of(message), variant_from(message.variant or HOLDEM)
    return hand_rules(betting, blinds=(big // 2, big), ante=0, stacks=stacks, variant=variant)


def _betting_of(message: Practise) -> Betting:
    """Return the betting of a practice table: if none is named, the game's usual one."""
    return Betting(message.betting or variant_from(message.variant or HOLDEM).betting)


def person_among(entrants: Iterable[Entrant]) -> str | None:
    """Return the name of the person at a practice table; None where a program practises."""
    return next((entrant.name for entrant in entrants if entrant.kind is PlayerKind.PERSON), None)
