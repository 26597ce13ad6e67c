"""The ledger of evaluations in any game: a line of JSON for each measurement of a player.

`job_log` keeps the parts of one measurement; `railbird.histories.ledger` settles money.

A line says which player was measured, against which opponent, in which game, on which deals, with
which result, and by which source code. Lines never change: measuring again adds a line. So a
player's results before and after a change stand side by side.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, partial
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._arguments import checked
from railbird._files import created_folder, errors_named
from railbird._provenance import KEY, Provenance, current_provenance
from railbird._version import __version__
from railbird.arena.guarded_player import FaultTally
from railbird.arena.job_log import AppendLog, LogEntry, LogFormat, locked_log, open_part_log
from railbird.arena.match import Match, Seating
from railbird.arena.match_chunks import Chunk, ChunkJob, ChunkPlayer, Loop
from railbird.arena.match_runner import MatchResult, match_log
from railbird.arena.names import parse_entrant
from railbird.arena.run import Run
from railbird.errors import BadInput, DamagedFile
from railbird.estimates.estimate import Estimate, estimate
from railbird.game import Rules, Street
from railbird.histories import game_spec
from railbird.histories.columns import HandBatch, PackedHands
from railbird.jobs.workers import PiecePlayer
from railbird.players import parse_spec
from railbird.players.known_strategy import asked_player
from railbird.players.policy import close, hash_of
from railbird.progress import Progress

if TYPE_CHECKING:
    from railbird.arena.exploitability.by_ranges import LocalResponse, Menu

VARIABLE: Final = "RAILBIRD_EVALUATIONS"
"""Environment variable that names the ledger's file."""

MONEY: Final = "money"
AIVAT: Final = "aivat"
LOCAL_RESPONSE: Final = "local best response"
_TURN: Final = 10.0
"""Seconds for which a process waits for others that write the ledger, each for a moment."""

_KEY: Final = (
    *("player", "player_hash", "opponent", "opponent_hash", "game"),
    *("method", "duplicate", "deals", "seed"),
)
"""The fields that identify a measurement."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """A line of the ledger."""

    player: str
    """The player's spec."""
    player_hash: str
    """Hash of its strategy; empty for a player that the source code alone determines."""
    opponent: str
    """The opponent's spec; for a local best response, its menu and streets."""
    opponent_hash: str
    game: str
    """The game, as `railbird.histories.game_spec` writes it."""
    method: str
    """`MONEY`, `AIVAT` or `LOCAL_RESPONSE`."""
    duplicate: bool
    """Whether every deal was played in both seats."""
    deals: int
    seed: int
    value: float
    """What the player wins a hand, in big blinds or, in limit, small bets."""
    stderr: float
    low: float | None
    """Lower end of the 95 % interval; None with too few deals."""
    high: float | None
    unit: str
    made: Provenance
    commit: str
    """The commit of the source code, with a plus sign if files differed; empty if installed."""

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that identifies the measurement: all but the result and the source code."""
        return tuple(getattr(self, name) for name in _KEY)

    @property
    def won(self) -> Estimate:
        """The player's winnings a hand."""
        return Estimate(self.value, self.stderr, self.deals, self.unit)

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """Read a line's object. Raises `ValueError`, `KeyError` or `TypeError` for another one."""
        known = {field.name: values[field.name] for field in fields(cls)}
        numbers = (known["value"], known["stderr"], known["deals"], known["seed"])
        if not all(isinstance(number, int | float) for number in numbers):
            raise TypeError(f"{numbers}; allowed: numbers")
        if (made := Provenance.from_json(known[KEY])) is None:
            raise TypeError(f"{KEY} {known[KEY]}; allowed: what made the line")
        return cls(**known | {KEY: made})

    def as_json(self) -> dict[str, Any]:
        """Return the line's object, for JSON."""
        return asdict(self) | {KEY: self.made.as_json()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A measurement to be made: an `Evaluation` without its result."""

    player: str
    opponent: str
    rules: Rules
    method: str
    duplicate: bool
    deals: int
    seed: int
    player_hash: str
    opponent_hash: str

    @property
    def key(self) -> tuple[object, ...]:
        """The key that its line will have."""
        record = self._record
        return tuple(record[name] for name in _KEY)

    @property
    def _record(self) -> dict[str, Any]:
        record = {field.name: getattr(self, field.name) for field in fields(self)}
        record["game"] = game_spec(record.pop("rules"))
        return record

    def measured(self, won: Estimate) -> Evaluation:
        """Return the line for a result: the player's winnings a hand."""
        numbers = won.as_json()
        return Evaluation(
            **self._record,
            value=won.value,
            stderr=won.stderr,
            low=numbers["low"],
            high=numbers["high"],
            unit=str(won.unit),
            made=current_provenance(seed=self.seed),
            commit=source_commit(),
        )


@cache
def _hash(spec: str, *, is_asked: bool) -> str:
    """Return the hash of a player's strategy; a bot is started for it only if ``is_asked``."""
    if parse_spec(spec).name == "bot" and not is_asked:
        return ""
    player = asked_player(spec)
    try:
        return hash_of(player)
    finally:
        close(player)


@cache
def source_commit() -> str:
    """Return the commit of the source code, with a plus sign if files differ; empty without git."""
    folder = Path(__file__).parent

    def asked(*words: str) -> str:
        answer = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, check=True
        )
        return answer.stdout.strip()

    try:
        asked("ls-files", "--error-unmatch", __file__)  # fails if merely installed in a clone
        changed = asked("status", "--porcelain", "--untracked-files=no", "--", str(folder.parent))
        return asked("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


# The ledger's file.


def named_ledger() -> Path | None:
    """Return the file that ``RAILBIRD_EVALUATIONS`` names; None if it names none."""
    name = os.environ.get(VARIABLE)
    return Path(name) if name else None


def default_ledger() -> Path:
    """Return the file that ``RAILBIRD_EVALUATIONS`` names, or one in the folder of user data."""
    return named_ledger() or _paths.data_folder() / "evaluations.jsonl"


@checked
def read_evaluations(path: Path) -> tuple[Evaluation, ...]:
    """Read a ledger; a missing file has no lines.

    Raises `BadInput` for a file that cannot be read, and `DamagedFile` for a line that is no
    evaluation.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    evaluations = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            evaluations.append(Evaluation.from_json(json.loads(line)))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise DamagedFile(f"{path}: line {number} is no evaluation") from None
    return tuple(evaluations)


@checked
def append_evaluations(path: Path, evaluations: Iterable[Evaluation]) -> None:
    """Append lines to a ledger, each as a whole. Raises `BadInput` if it cannot be written.

    Processes that write the same ledger take turns: one whose disk is full cuts off what it has
    written itself, which must not be another's line.
    """
    with (
        created_folder(path.parent),
        locked_log(path, wait_seconds=_TURN),
        errors_named(path),
        FileIO(path, "ab") as file,
    ):
        ledger = AppendLog(file, path)
        for evaluation in evaluations:
            ledger.append(json.dumps(evaluation.as_json()).encode() + b"\n")


def record_match(
    result: MatchResult, less_luck: Estimate | None = None, known: Iterable[str] = ()
) -> None:
    """Append a match of two to the ledger that ``RAILBIRD_EVALUATIONS`` names, if it names one.

    ``less_luck`` are the first player's winnings by AIVAT, if they were computed, and ``known`` the
    specs whose strategies it used. Matches of players that were given as objects are left out,
    since they have no spec by which they could be found again.
    """
    path, match = named_ledger(), result.match
    entrants = [parse_entrant(player) for player in match.players]
    if path is None or len(entrants) != 2 or any(entrant.made for entrant in entrants):
        return
    lines = [match_subject(match, MONEY).measured(result.money(0))]
    if less_luck is not None:
        lines.append(match_subject(match, AIVAT, known).measured(less_luck))
    append_evaluations(path, lines)


def record_response(response: LocalResponse, rules: Rules, seed: int) -> None:
    """Append a local best response to the ledger that the environment names, if it names one."""
    if (path := named_ledger()) is not None:
        subject = response_subject(
            response.spec, response.menu, response.streets, rules, deals=response.deals, seed=seed
        )
        append_evaluations(path, [subject.measured(-response.won)])


def match_subject(match: Match, method: str, known: Iterable[str] = ()) -> Subject:
    """Return the measurement by a match of two players; the strategies of some are ``known``."""
    player, opponent = match.specs
    asked = frozenset(known)
    return Subject(
        player=player,
        opponent=opponent,
        rules=match.rules,
        method=method,
        duplicate=match.seating is not Seating.SINGLE,
        deals=match.deals,
        seed=match.seed,
        player_hash=_hash(player, is_asked=player in asked),
        opponent_hash=_hash(opponent, is_asked=opponent in asked),
    )


def response_subject(
    player: str, menu: Menu, streets: Iterable[Street], rules: Rules, *, deals: int, seed: int
) -> Subject:
    """Return the measurement by a local best response; the player loses what that wins."""
    return Subject(
        player=player,
        opponent=f"{menu.text} on {','.join(street.name.lower() for street in streets)}",
        rules=rules,
        method=LOCAL_RESPONSE,
        duplicate=True,
        deals=deals,
        seed=seed,
        player_hash=_hash(player, is_asked=True),
        opponent_hash="",
    )


# Matches that are scored as they are played, some deals at a time. An interrupted run repeats
# neither the play nor the scoring of deals that are in its log.


Score = Callable[[HandBatch], Floats]
"""Returns what the match's first player won in each hand, (hands,), in the unit of results."""

_DEALS_A_PIECE = 50
"""Deals that are scored at a time. That takes seconds, while a whole chunk is played in one."""


@dataclass(frozen=True, slots=True, eq=False)
class _ScoredDeals:
    """The first player's scores on some deals of a chunk."""

    index: int
    won: Floats
    """(deals,) a hand's score, averaged over the directions."""
    faults: tuple[FaultTally, ...]
    text: bytes = b""


class _ScoredPieces:
    """The pieces of a match. Chunks are played as in any match, and each piece is part of one."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._in_chunk = -(-match.chunk // _DEALS_A_PIECE)

    def __len__(self) -> int:
        last = self.match.chunks - 1
        return last * self._in_chunk + -(-len(self.match.deals_of(last)) // _DEALS_A_PIECE)

    def chunk(self, index: int) -> int:
        """Return the chunk that a piece belongs to."""
        return index // self._in_chunk

    def deals(self, index: int) -> range:
        """Return the numbers of a piece's deals."""
        first = index % self._in_chunk * _DEALS_A_PIECE
        return self.match.deals_of(self.chunk(index))[first : first + _DEALS_A_PIECE]


class _ScoringPlayer(PiecePlayer[_ScoredDeals]):
    """Plays a match chunk by chunk, and scores its hands piece by piece."""

    def __init__(self, match: Match, scorer: Callable[[], Score]) -> None:
        self._pieces = _ScoredPieces(match)
        self._chunks = ChunkPlayer(ChunkJob(match, Loop.AUTO, logged=False, kept=True))
        self._score = scorer()
        self._chunk: Chunk | None = None

    def play(self, index: int) -> _ScoredDeals:
        number, deals = self._pieces.chunk(index), self._pieces.deals(index)
        # A chunk is played whole, since players are reset at its beginning, and is then scored in
        # pieces. A worker that begins in the middle of a chunk plays it again: that is cheap beside
        # the scoring.
        if self._chunk is None or self._chunk.index != number:
            self._chunk = self._chunks.play(number)
        chunk, match = self._chunk, self._pieces.match
        assert chunk.hands is not None
        won = np.zeros(len(deals))
        for batch in PackedHands([chunk.hands]).batches():
            rows = np.flatnonzero((deals.start <= batch.number) & (batch.number < deals.stop))
            np.add.at(won, batch.number[rows] - deals.start, self._score(batch.rows(rows)))
        # The faults of a chunk are counted with its first piece only, so that they are not counted
        # repeatedly.
        is_first = deals.start == match.deals_of(number).start
        faults = chunk.faults if is_first else tuple(FaultTally() for _ in chunk.faults)
        return _ScoredDeals(index, won / match.directions, faults)

    def rollback(self) -> None:
        self._chunks.rollback()

    def close(self) -> None:
        self._chunks.close()


def _scored_log(pieces: _ScoredPieces, scored_by: str) -> LogFormat[_ScoredDeals]:
    def read(entry: LogEntry) -> _ScoredDeals:
        won = np.array(entry.result["won"], np.float64)
        if won.shape != (len(pieces.deals(entry.index)),):
            raise BadInput(f"{entry.where} is of a match of another length (--force begins anew)")
        return _ScoredDeals(entry.index, won, entry.faults)

    return LogFormat(
        title="evaluation",
        job="evaluation",
        part="piece",
        first=0,
        names=pieces.match.names,
        identity={**match_log(pieces.match).identity, "scored_by": scored_by},
        said=lambda piece: {"won": piece.won.tolist()},
        read=read,
    )


@checked
def play_scored(
    match: Match,
    *,
    scorer: Callable[[], Score],
    scored_by: str,
    log: Path | None = None,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Return the mean score of a match's first player a hand, playing what the log lacks.

    ``scorer`` makes the score in each process; ``scored_by`` identifies it in the log. The result
    does not depend on the number of workers. Raises `BadInput` for players or a log that cannot be
    used, and `Interrupted` on Ctrl-C.
    """
    pieces = _ScoredPieces(match)
    run = Run(
        job=partial(_ScoringPlayer, match, scorer),
        players=match.players,
        numbers=range(len(pieces)),
        title="scored hands",
        total=match.hands,
        unit="hands",
        log=partial(open_part_log, log, partial(_scored_log, pieces, scored_by)),
        path=log,
    )
    won: list[Floats] = []

    def estimate_so_far() -> Estimate:
        return estimate(np.concatenate(won), unit=match.rules.result_unit)

    with run.going(workers=workers, on=on, progress=progress) as going:
        for piece in going.pieces:
            won.append(piece.won)
            done = pieces.deals(piece.index).stop * match.directions
            going.tell(done, lambda: f", {estimate_so_far()}")
    return estimate_so_far()


def parts_log(subject: Subject) -> Path:
    """Return the file in the cache folder for the parts of an unfinished measurement.

    A measurement begun by another state of the source code is not continued. A local best response
    with more deals begins with those of a shorter one.
    """
    key = replace(subject, deals=0).key if subject.method == LOCAL_RESPONSE else subject.key
    digest = hashlib.sha256(json.dumps([*key, __version__, source_commit()]).encode()).hexdigest()
    return _paths.cache_folder() / "evaluations" / f"{digest[:16]}.log"
