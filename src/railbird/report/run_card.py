"""The card of a match of two, or of a ring game, in any hold'em: what was played, and the verdict.

A paper that cites a match cites its card. Everything on a card follows from the match's log and the
record of questions to language models. Anybody who has these can make the card again and see where
the two differ (`differences`). Every card dealt is compared with the seed's. None of this shows
that a program of this name played: only the program itself can show that.

Cards are JSON. Their numbers are compared to nine digits, since the order of a sum may differ from
machine to machine.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from railbird._provenance import KEY, Provenance, current_provenance, digest
from railbird.arena import Dealing, Match, Ring, Seating
from railbird.arena.job_log import logged_header
from railbird.arena.names import names_of
from railbird.arena.seeds import Purpose, deals, generator
from railbird.assessment import (
    anytime_intervals,
    assess,
    assess_table,
    is_heads_up_limit,
    league_of,
)
from railbird.cards import HOLDING_INDEX, holding_of
from railbird.errors import BadInput, DamagedFile, NothingUsable
from railbird.game import Rules, seeded_deals
from railbird.histories import read_columns, recorded_errors
from railbird.histories.columns import HandBatch, batches_of, records_of
from railbird.players.llm import PROMPT_DIGEST, recorded_usage
from railbird.progress import Progress
from railbird.report.document import Document, Section, Table
from railbird.report.number_format import counted, display_name, number, signed

VERSION: Final = 1
MOST_BYTES: Final = 1 << 20
"""Of a card that is read."""

_TITLE: Final = "railbird run"
_RELATIVE: Final = 1e-9
_PLAYERS: Final = 2
_SESSION: Final = re.compile(r"[1-9][0-9]{0,8}")
_MATCH: Final = "match"
_RING: Final = "ring"
_OF_THIS_MAKING: Final = {KEY, "log.name", "models.record"}
"""Fields that may differ when a card is made again: its time, its program, and the files' names,
since their digests identify them."""
_STAND_INS: Final = ("a=random", "b=random")
"""Players of a match that only deals: cards do not depend on who plays."""


def run_card(
    log: Path, record: Path | None = None, *, progress: Progress | None = None
) -> dict[str, Any]:
    """Make the card of a match's log, and of the record of questions to its language models.

    Coefficients of luck come from earlier hands alone, so that the intervals hold however often
    the match is looked at. Raises `BadInput` for a log that is not of a match of two or a ring game
    in hold'em that the arena played, `NothingUsable` for one without a hand, and `DamagedFile` for
    one whose cards are not those of its seed.
    """
    job, header = _header(log)
    batches, skipped = _read(log, job)
    rules = batches[0].rules[0]
    if job == _MATCH and rules.seats != _PLAYERS:
        raise BadInput(f"{log}: {rules.seats} players; allowed: a match of two")
    _check_names(log, header, batches)
    errors = sum(recorded_errors(log).values(), Counter[tuple[str, str]]())
    at_every_look: dict[str, Any]
    if job == _MATCH:
        dealt = _check_deals(log, header, rules, batches)
        judge = assess if is_heads_up_limit(rules) else assess_table
        assessment = judge(iter(batches), forward=True, progress=progress).with_recorded(errors)
        intervals = anytime_intervals(assessment)
        at_every_look = {"anytime": [interval.as_json() for interval in intervals]}
    else:
        dealt = _check_ring_deals(log, header, batches)
        league = league_of(iter(batches), progress=progress, recorded=errors)
        assessment = league.assessment
        at_every_look = {"league": league.table.as_json()}
    verdict = assessment.as_json()
    card = {
        _TITLE: VERSION,
        KEY: current_provenance().as_json(),
        "log": {"name": log.name, "sha256": digest(log), "hands": sum(map(len, batches))},
        "skipped": skipped,
        job: {name: value for name, value in header.items() if name != KEY},
        "program": header.get(KEY),
        "deals_sha256": dealt,
        "models": None if record is None else _models(record),
        "faults": [
            {"player": player, "kind": kind, "count": count}
            for (player, kind), count in sorted(errors.items())
        ],
        "verdict": {
            name: verdict[name]
            for name in ("hands", "unit", "evidence", "integrity", "errors_of_protocol", "players")
        },
        **at_every_look,
    }
    as_read: dict[str, Any] = json.loads(json.dumps(card))
    return as_read


def _header(log: Path) -> tuple[str, dict[str, Any]]:
    """Return the kind of a log, and its first line."""
    for job in (_MATCH, _RING):
        try:
            return job, logged_header(log, job)
        except BadInput:
            continue
    raise NothingUsable(f"{log} is not the log of a match or ring game that Railbird played")


def read_card(path: Path) -> dict[str, Any]:
    """Read a card. Raises `BadInput` for a file that is none."""
    with path.open("rb") as file:
        text = file.read(MOST_BYTES + 1)
    try:
        card = json.loads(text) if len(text) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        card = None
    if not isinstance(card, dict) or card.get(_TITLE) != VERSION:
        raise BadInput(f"{path}: not a card written by `railbird run-card`; allowed: its .json")
    return card


def differences(card: Mapping[str, Any], anew: Mapping[str, Any]) -> list[str]:
    """List the differences between a card and the one that was made again, a line for each."""
    return list(_differences(card, anew, field=""))


def _differences(card: Any, anew: Any, *, field: str) -> Iterator[str]:
    if field in _OF_THIS_MAKING:
        return
    if isinstance(card, dict) and isinstance(anew, dict):
        for name in dict.fromkeys([*card, *anew]):
            yield from _differences(
                card.get(name), anew.get(name), field=f"{field}.{name}" if field else str(name)
            )
    elif isinstance(card, list) and isinstance(anew, list) and len(card) == len(anew):
        for position, values in enumerate(zip(card, anew, strict=True)):
            yield from _differences(*values, field=f"{field}[{position}]")
    elif not _same(card, anew):
        yield f"{field}: {_short(card)} on the card, {_short(anew)} from the log"


def _same(card: Any, anew: Any) -> bool:
    numbers = (int, float)
    if type(card) in numbers and type(anew) in numbers:
        return math.isclose(card, anew, rel_tol=_RELATIVE, abs_tol=_RELATIVE)
    return type(card) is type(anew) and card == anew


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _models(record: Path) -> dict[str, Any]:
    """Describe what the models were asked, and what that took."""
    return {
        "record": record.name,
        "sha256": digest(record),
        "prompt_sha256": PROMPT_DIGEST,
        "usage": [usage._asdict() for usage in recorded_usage(record)],
    }


def _read(log: Path, job: str) -> tuple[list[HandBatch], int]:
    """Read all hands, which are of one game."""
    batches, skipped = [], 0
    for batch, left_out in batches_of(read_columns(log)):
        skipped += len(left_out)
        if len(batch):
            batches.append(batch)
    if not batches:
        raise NothingUsable(f"{log}: no hand of hold'em; allowed: the log of a match or ring game")
    if job == _MATCH and len(set(chain.from_iterable(batch.rules for batch in batches))) > 1:
        raise BadInput(f"{log}: hands of several games; allowed: the log of a match of two")
    return batches, skipped


def _check_names(log: Path, header: Mapping[str, Any], batches: Sequence[HandBatch]) -> None:
    """Raise `DamagedFile` if others played the hands than those whom the header names."""
    try:
        names = names_of(
            [
                f"{player['name']}=random" if isinstance(player, dict) else player
                for player in header["players"]
            ]
        )
    except (KeyError, TypeError, BadInput) as problem:
        raise BadInput(f"{log}: a header that no match has: {problem!r}") from None
    seated = dict.fromkeys(
        batch.names[number] for batch in batches for number in np.unique(batch.player).tolist()
    )
    if len(seated) != len(names):
        raise BadInput(
            f"{log}: its hands name {len(seated)} players; allowed: the {len(names)} of its first "
            "line"
        )
    if {*seated} != {*names}:
        raise DamagedFile(
            f"{log}: its first line names {_listed(names)}, its hands {_listed(list(seated))}"
        )


def _check_deals(
    log: Path, header: Mapping[str, Any], rules: Rules, batches: Sequence[HandBatch]
) -> str:
    """Deal the match again, compare every card of the log, and return the deals' digest."""
    try:
        match = Match(
            players=_STAND_INS,
            rules=rules,
            seed=header["seed"],
            seating=Seating(header["seating"]),
            dealing=Dealing(header["dealing"]),
            chunk=header["chunk"],
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise BadInput(f"{log}: a header that no match has: {problem!r}") from None
    hands = sum(map(len, batches))
    numbers = _deal_numbers(match, hands)
    rows = deals(match, range(int(numbers.max()) + 1))
    first = 0
    for batch in batches:
        dealt = rows[numbers[first : first + len(batch)]]
        first += len(batch)
        if (place := _first_difference(batch, dealt, rules.seats)) is not None:
            raise DamagedFile(
                f"{log}: hand {first - len(batch) + place + 1} does not have the cards of seed "
                f"{match.seed}"
            )
    return hashlib.sha256(np.ascontiguousarray(rows, np.uint8).tobytes()).hexdigest()


def _check_ring_deals(log: Path, header: Mapping[str, Any], batches: Sequence[HandBatch]) -> str:
    """Deal each session anew, compare every card of the log, and return the deals' digest."""
    try:
        seed = int(header["seed"])
        stand_ins = [f"p{number}=random" for number in range(len(header["players"]))]
        Ring(
            players=tuple(stand_ins),
            hands=1,
            seed=seed,
            buy_in=header["buy_in"],
            blinds=tuple(header["blinds"]),
            session=header["session"],
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise BadInput(f"{log}: a header that no ring game has: {problem!r}") from None
    digests, session, dealer = hashlib.sha256(), 0, generator(seed, Purpose.RING_CARDS, 0)
    hands = (record for batch in batches for record in records_of(batch))
    for hand_number, record in enumerate(hands, 1):
        if not _SESSION.fullmatch(record.table) or (number := int(record.table)) < session:
            raise DamagedFile(
                f"{log}: hand {hand_number} is of no session, or of one that had ended"
            )
        if number > session:
            session = number
            dealer = generator(seed, Purpose.RING_CARDS, session - 1)
        seats = record.rules.seats
        (dealt,) = seeded_deals(dealer, seats, 1)
        holes = [holding_of(*dealt[2 * seat : 2 * seat + 2].tolist()) for seat in range(seats)]
        board = tuple(dealt[2 * seats :][: len(record.board)].tolist())
        seen = zip(record.holes, holes, strict=True)
        if record.board != board or any(hole not in (None, drawn) for hole, drawn in seen):
            raise DamagedFile(f"{log}: hand {hand_number} does not have the cards of seed {seed}")
        digests.update(np.ascontiguousarray(dealt, np.uint8).tobytes())
    return digests.hexdigest()


def _deal_numbers(match: Match, hands: int) -> npt.NDArray[np.int64]:
    """Return the deal of each hand in the order of the log, (hands,).

    A chunk has its deals once in each direction; the last may be cut off, and is shorter in all.
    """
    per_chunk = match.chunk * match.directions
    chunks, rest = divmod(hands, per_chunk)
    sizes = [match.chunk] * chunks + ([rest // match.directions] if rest else [])
    return np.concatenate(
        [
            np.tile(np.arange(size) + number * match.chunk, match.directions)
            for number, size in enumerate(sizes)
        ]
    )


def _first_difference(
    batch: HandBatch, dealt: npt.NDArray[np.integer[Any]], seats: int
) -> int | None:
    """Return the first hand whose cards are not those dealt; cards that nobody saw are passed."""
    if len(dealt) != len(batch):
        return len(dealt)
    holes = dealt[:, : 2 * seats].reshape(len(batch), seats, 2)
    holding = HOLDING_INDEX[holes[:, :, 0], holes[:, :, 1]]
    seen = batch.holding[:, :seats]
    is_seen = np.arange(dealt.shape[1] - 2 * seats) < batch.dealt[:, None]
    board = dealt[:, 2 * seats :]
    differs = ((seen >= 0) & (seen != holding)).any(axis=1)
    differs |= (is_seen & (batch.board[:, : board.shape[1]] != board)).any(axis=1)
    return int(np.argmax(differs)) if differs.any() else None


def card_document(card: Mapping[str, Any]) -> Document:
    """Return a card as a page: the verdict, what was played, what it took."""
    verdict, match = card["verdict"], card.get(_MATCH)
    unit, by = verdict["unit"], verdict["evidence"]["verdict_by"]
    names = list(verdict["players"])
    withheld = verdict["errors_of_protocol"].get("verdict_withheld") or verdict["integrity"].get(
        "verdict_withheld"
    )
    if withheld:
        lead = f"No verdict: {withheld}."
    elif match:
        lead = _result(names, card, by or "money", unit)
    else:
        lead = _result_of_ring(card["league"], unit)
    how = f"{match['seating']}, cards {match['dealing']}" if match else "a ring game"
    rows = [
        ("players", (" against " if match else ", ").join(map(display_name, names))),
        ("hands", f"{card['log']['hands']:,}"),
        ("seed", f"{card[_MATCH if match else _RING]['seed']}, {how}"),
        ("program", str(Provenance.from_json(card["program"]) or "unknown")),
        ("log", f"{card['log']['name']}, SHA-256 {card['log']['sha256']}"),
        ("deals", f"SHA-256 {card['deals_sha256']}"),
        ("errors of protocol", _faults(card["faults"])),
        *_usage_rows(card["models"]),
    ]
    estimates = [
        (
            display_name(player),
            name,
            signed(mean["value"], 3),
            f"{signed(mean['low'], 3)} to {signed(mean['high'], 3)}",
            _at_every_look(card, player, name),
        )
        for player, estimates in verdict["players"].items()
        for name, mean in estimates.items()
        if isinstance(mean, dict)
        and {"value", "low", "high"} <= {*mean}
        and mean["low"] is not None
    ]
    sections = [
        Section(
            heading="Results",
            table=Table(
                ("player", "estimate", f"{unit} a hand", "95 %, one look", "at every look"),
                estimates,
            ),
            note="An interval for one look holds for a match whose length was set beforehand; "
            "the others hold whenever it was stopped.",
        ),
        *([] if match else [_pairs(card["league"], unit)]),
        Section(heading="What was played", table=Table(("", ""), rows)),
    ]
    return Document(
        title=_listed(names, " against " if match else ", "), lead=lead, sections=sections
    )


def _listed(names: Sequence[str], between: str = " and ") -> str:
    return between.join(map(display_name, names))


def _pairs(league: Mapping[str, Any], unit: str) -> Section:
    """Compare each two players by the hands that both were dealt."""
    rows = [
        (
            _listed(pair["players"], " beside "),
            f"{pair['hands']:,}",
            signed(pair["value"], 3),
            _interval(pair),
            _interval(pair["without_errors"]) if pair["without_errors"] else "the same",
        )
        for pair in league["pairs"]
    ]
    return Section(
        heading="Each two players",
        table=Table(
            ("players", "hands", f"half the difference, {unit}", "at every look", "without errors"),
            rows,
        ),
        note="All these intervals, and those of the players, hold together with 95 %, whenever the "
        "game was stopped. They are by hands without luck; the last column leaves out hands with "
        "errors of protocol.",
    )


def _result_of_ring(league: Mapping[str, Any], unit: str) -> str:
    """Say who is shown to play better than whom."""
    decided = [pair for pair in league["pairs"] if pair["decided"]]
    if not decided:
        return f"Nobody is shown to play better than another; {len(league['pairs'])} pairs."
    words = [
        f"{_listed(pair['players'] if pair['value'] > 0 else pair['players'][::-1], ' than ')} by "
        f"{number(abs(pair['value']), 3)} {unit} a hand"
        for pair in decided
    ]
    return f"Better whenever the game was stopped: {'; '.join(words)}."


def _interval(interval: Mapping[str, float | None]) -> str:
    low, high = interval["low"], interval["high"]
    return "–" if low is None or high is None else f"{signed(low, 3)} to {signed(high, 3)}"


def _at_every_look(card: Mapping[str, Any], player: str, estimator: str) -> str:
    """Show a player's interval that holds whenever the game was stopped."""
    if (league := card.get("league")) is not None:
        results = {row["player"]: row["result"] for row in league["players"]}
        return _interval(results[player]) if estimator == league["decides"] else "–"
    always = {row["estimator"]: row["asymptotic"] for row in card["anytime"]}
    interval = always.get(estimator)
    if interval is None or interval["low"] is None or interval["high"] is None:
        return "–"
    low, high = interval["low"], interval["high"]
    if player != next(iter(card["verdict"]["players"])):
        low, high = -high, -low
    return f"{signed(low, 3)} to {signed(high, 3)}"


def _result(names: Sequence[str], card: Mapping[str, Any], by: str, unit: str) -> str:
    """Say who played better, by the interval that holds at every look.

    A card does not show when, or why, its match was stopped.
    """
    hands = counted(card["verdict"]["hands"], "hand")
    interval = next((row["asymptotic"] for row in card["anytime"] if row["estimator"] == by), None)
    if interval is None or interval["low"] is None or interval["high"] is None:
        return f"{hands} are too few for a result."
    if interval["low"] <= 0 <= interval["high"]:
        return f"Who plays better is not decided after {hands}."
    return (
        f"{display_name(names[interval['value'] < 0])} won more than luck explains, whenever the "
        f"match was stopped: {number(abs(interval['value']), 3)} {unit} a hand, by {by}."
    )


def _faults(faults: Sequence[Mapping[str, Any]]) -> str:
    return (
        ", ".join(f"{display_name(f['player'])} {f['count']:,} {f['kind']}" for f in faults)
        or "none"
    )


def _usage_rows(models: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    if models is None:
        return
    yield "record", f"{models['record']}, SHA-256 {models['sha256']}"
    yield "prompt", f"SHA-256 {models['prompt_sha256']}"
    for usage in models["usage"]:
        price = "" if usage["price"] is None else f", price {number(usage['price'], 4)}"
        yield (
            display_name(usage["model"]),
            f"{usage['questions']:,} questions, {usage['prompt_tokens']:,} tokens of prompts, "
            f"{usage['completion_tokens']:,} of answers, {number(usage['seconds'], 1)} s{price}",
        )
