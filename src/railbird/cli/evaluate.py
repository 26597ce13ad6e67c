"""``railbird evaluate``: a no-limit player against the house and local best responses, kept."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from railbird import arena, assessment, report, solve
from railbird._files import bounded_text
from railbird.arena.settings import RESPONSE_DEALS
from railbird.cli._completion import OUTPUT_FILE, PLAYER, Whole
from railbird.cli._console import (
    cluster_option,
    errors,
    json_option,
    output,
    print_json,
    print_table,
    resumable_progress,
    seed_option,
    workers_option,
)
from railbird.cli._hand_files import check_kind, force_option
from railbird.cli._play import rules_of
from railbird.cli._result_tables import known_among
from railbird.cli._solve_nolimit import stacks_of
from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.arena.evaluations import Evaluation, Subject
    from railbird.progress import Progress

HOUSE: Final = (
    *("tight:nolimit", "killer", "baseline"),
    *(f"booker:{version}" for version in range(1, 6)),
    *("loki:som", "loki:gom", "loki:basic", "rollout"),
)
"""The house players that look at their cards, and play no-limit."""

RESPONSES: Final = (("fc", "all"), ("fcpa", "turn,river"), ("56", "turn,river"), ("56", "flop"))
"""Menus and streets of local best responses: the four rows of Lisý and Bowling (2017)."""

_HANDS: Final = 20_000

_DEAL_OF_RESPONSE: Final = 15
"""Hands of a match that take about as long as a deal of a local best response."""

_PLAN: Final = ".toml"
"""How the name of a plan's file ends."""
_LONGEST_PLAN: Final = 1 << 20
"""Bytes of a plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measurement:
    """A match, or a local best response, and what the ledger says of it."""

    subject: Subject
    match: arena.Match | None = None
    known: Mapping[str, str] = field(default_factory=dict)
    """The specs of the match's known players, by name."""
    menu: str = ""
    streets: str = ""

    @property
    def work(self) -> int:
        """How long it takes, in hands of a match."""
        return self.match.hands if self.match else self.subject.deals * _DEAL_OF_RESPONSE

    @property
    def words(self) -> str:
        """What it is, for those who wait for it."""
        subject = self.subject
        response = "local best response " if self.match is None else ""
        return f"{response}{subject.opponent} at {report.evaluations.stack_text(subject.rules)}"

    def run(self, *, workers: int, on: str | None, force: bool, notify: Progress) -> Evaluation:
        """Measure it, or what is left of it unless that is to begin anew by ``force``."""

        def tell(done: int, total: int, words: str) -> None:
            notify(done, total, f"{self.words}, {words}")

        subject = self.subject
        how: dict[str, Any] = {"workers": workers, "on": on, "progress": tell}
        log = arena.evaluations.parts_log(subject)
        if force:
            log.unlink(missing_ok=True)
        if self.match is None:
            from railbird.arena import exploitability

            response = exploitability.local_best_response(
                subject.player,
                subject.rules,
                menu=self.menu,
                streets=self.streets,
                deals=subject.deals,
                seed=subject.seed,
                log=log,
                **how,
            )
            return subject.measured(-response.won)
        scorer = partial(assessment.less_luck_of_first, self.known)
        return subject.measured(
            arena.evaluations.play_scored(
                self.match, scorer=scorer, scored_by=subject.method, log=log, **how
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """A player, and by what it is to be measured."""

    player: str
    stacks: tuple[int, ...]
    """Big blinds."""
    against: tuple[str, ...]
    """Opponents; none for those of the house, and then there are local best responses, too."""
    responses: tuple[tuple[str, str], ...] | None
    """Menus and streets of local best responses; None for `RESPONSES` where the house plays."""
    hands: int
    """Of a match."""
    deals: int
    """Of a local best response; 0 for none."""
    seed: int


@click.command(name="evaluate")
@click.argument("spec", metavar="[PLAYER|PLAN.toml]", type=PLAYER, required=False)
@click.option(
    "--against",
    metavar="OTHER",
    type=PLAYER,
    multiple=True,
    help="Only against this player; may be repeated. By default against twelve house players and "
    "four local best responses.",
)
@click.option(
    "--stacks",
    default="100",
    help="Stacks in big blinds, such as 20,50,100,200; local best responses take the first.",
)
@click.option(
    "-n",
    "--hands",
    type=Whole(min=2),
    default=_HANDS,
    help="Hands against each player, two of each deal.",
)
@click.option(
    "--samples",
    "responded",
    type=Whole(min=0),
    default=RESPONSE_DEALS,
    help="Deals of each local best response, in tens; 0 for none.",
)
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FILE,
    help="The ledger to append to; by default the one that RAILBIRD_EVALUATIONS names, or the "
    "user's.",
)
@force_option
@seed_option
@workers_option
@cluster_option
@json_option
def command(
    *,
    spec: str | None,
    against: Sequence[str],
    stacks: str,
    hands: int,
    responded: int,
    out: Path | None,
    force: bool,
    seed: int,
    workers: int,
    on: str | None,
    as_json: bool,
) -> None:
    """Measure PLAYER against the house and local best responses, and keep every result in a ledger.

    PLAYER plays heads-up no-limit in duplicate. Its winnings are measured less the luck of cards
    and of known players' actions. The winnings of local best responses are a lower bound of what it
    can lose. Each result is one line of the ledger, with the strategy's hash, the seed and the
    commit of the source code. A result in the ledger is measured again only with --force, which
    adds another line. Ctrl-C loses nothing: the same command continues. Without PLAYER the ledger
    is printed. A plan has several players, each with opponents, stacks and sizes; the options apply
    to everything that it leaves out.

    With the environment variable RAILBIRD_EVALUATIONS=FILE, `match`, `league` and `exploit` append
    their results to the same file.

    \b
    Examples:
      railbird evaluate equilibrium:nolimit --stacks 100,50,200
      railbird evaluate equilibrium:nolimit --against killer --hands 12000 --samples 0
      railbird evaluate evaluations.toml
      railbird evaluate
    """
    ledger = arena.evaluations.default_ledger() if out is None else out
    check_kind(ledger, folder=False)
    lines = arena.evaluations.read_evaluations(ledger)
    if spec is not None:
        request = _Request(
            player=spec,
            stacks=tuple(stacks_of(stacks)),
            against=tuple(against),
            responses=None,
            hands=hands,
            deals=responded,
            seed=seed,
        )
        requests = read_plan(Path(spec), request) if spec.endswith(_PLAN) else [request]
        wanted = [measurement for request in requests for measurement in _wanted(request)]
        lines = _fill(ledger, wanted, workers=workers, on=on, force=force)
    if as_json:
        print_json({"ledger": str(ledger), "evaluations": [line.as_json() for line in lines]})
    elif lines:
        print_table(report.evaluations.evaluations_table(lines))
        for sentence in report.evaluations.evaluations_words(lines):
            output.print(sentence, soft_wrap=True)
        output.print(f"kept in {ledger}", soft_wrap=True)
    else:
        output.print(f"{ledger} has no evaluations yet", soft_wrap=True)


_FIELDS: Final[Mapping[str, type]] = {
    "player": str,
    "against": list,
    "stacks": list,
    "responses": list,
    "hands": int,
    "samples": int,
    "seed": int,
}
"""What an entry of a plan may say."""


def read_plan(path: Path, usual: _Request) -> list[_Request]:
    """Return what a plan asks for, and what it leaves out as ``usual``.

    Raises `BadInput` for a file that cannot be read or is no plan.
    """
    text = bounded_text(path, _LONGEST_PLAN)
    try:
        entries = tomllib.loads(text).get("evaluations")
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise BadInput(f"{path}: no plan: {problem}") from None
    if not isinstance(entries, list) or not entries:
        raise BadInput(f"{path}: no plan; allowed: [[evaluations]], each with player = ...")
    return [
        _entry(entry, usual, f"{path}: entry {number}") for number, entry in enumerate(entries, 1)
    ]


def _entry(entry: Any, usual: _Request, where: str) -> _Request:
    if not isinstance(entry, dict) or "player" not in entry:
        raise BadInput(f"{where} names no player; allowed: player = ...")
    for key, value in entry.items():
        if key not in _FIELDS:
            raise BadInput(f"{where}: {key!r}; allowed: {', '.join(sorted(_FIELDS))}")
        items = value if isinstance(value, list) else []
        kind = int if key == "stacks" else str
        if type(value) is not _FIELDS[key] or any(type(item) is not kind for item in items):
            raise BadInput(f"{where}: {key} = {value!r}; allowed: as in the manual's example")
    hands, deals = entry.get("hands", usual.hands), entry.get("samples", usual.deals)
    seed = entry.get("seed", usual.seed)
    if not (2 <= hands <= 10**9 and deals >= 0 and 0 <= seed < 1 << 63):
        raise BadInput(
            f"{where}: hands {hands}, samples {deals}, seed {seed}; allowed: 2 or more hands, "
            "and no number below 0"
        )
    return replace(
        usual,
        player=entry["player"],
        stacks=tuple(entry.get("stacks", usual.stacks)),
        against=tuple(entry.get("against", usual.against)),
        responses=(
            tuple(_response_named(text, where) for text in entry["responses"])
            if "responses" in entry
            else usual.responses
        ),
        hands=hands,
        deals=deals,
        seed=seed,
    )


def _response_named(text: str, where: str) -> tuple[str, str]:
    """Return the menu and the streets of a local best response, as the ledger names it."""
    menu, on, streets = text.partition(" on ")
    if not on:
        raise BadInput(f"{where}: response {text!r}; allowed: such as 'fcpa on turn,river'")
    return menu, streets


def _wanted(request: _Request) -> Iterator[_Measurement]:
    """Yield what is to be measured, after a look at the players and the game of each."""
    from railbird.arena.exploitability import by_ranges

    spec = request.player
    solve.nolimit.strategy.check_stacks(request.stacks)
    if request.deals:
        by_ranges.check_deals(request.deals)
    responses: tuple[tuple[str, str], ...] = () if request.against else RESPONSES
    if request.responses is not None:
        responses = request.responses
    # A plan that names responses alone wants no match.
    opponents = request.against or (HOUSE if request.responses is None else ())
    for number, stack in enumerate(request.stacks):
        rules = rules_of("nolimit", stack=f"{stack}bb")
        for opponent in opponents:
            if opponent == spec:
                continue
            match = arena.Match(
                players=(spec, opponent),
                rules=rules,
                deals=-(-request.hands // 2),
                seed=request.seed,
                seating=arena.Seating.DUPLICATE,
            )
            try:
                known = known_among(rules, match.names, match.players)
            except BadInput as reason:
                why = str(reason).partition(": ")[2]
                raise BadInput(f"{spec} against {opponent}: {why}") from None
            yield _Measurement(
                subject=arena.evaluations.match_subject(
                    match, arena.evaluations.AIVAT, known.values()
                ),
                match=match,
                known=known,
            )
        if number or not responses or not request.deals:
            continue
        by_ranges.RangeResponder(spec, rules, by_ranges.parse_menu("fc")).close()  # it can tell
        for menu, streets in responses:
            subject = arena.evaluations.response_subject(
                spec,
                by_ranges.parse_menu(menu),
                by_ranges.parse_streets(streets),
                rules,
                deals=request.deals,
                seed=request.seed,
            )
            yield _Measurement(subject=subject, menu=menu, streets=streets)


def _fill(
    ledger: Path, wanted: Sequence[_Measurement], *, workers: int, on: str | None, force: bool
) -> tuple[Evaluation, ...]:
    """Measure what a ledger lacks; return all that was wanted, in order."""
    by_key = {line.key: line for line in arena.evaluations.read_evaluations(ledger)}
    lines = []
    total = sum(part.work for part in wanted if force or part.subject.key not in by_key)
    begun = 0
    with resumable_progress() as notify:
        for number, measurement in enumerate(wanted):
            line = None if force else by_key.get(measurement.subject.key)
            if line is None:
                line = measurement.run(
                    workers=workers,
                    on=on,
                    force=force,
                    notify=partial(_tell_all, notify, begun, measurement.work, total),
                )
                begun += measurement.work
                arena.evaluations.append_evaluations(ledger, [line])
                errors.print(
                    f"{number + 1} of {len(wanted)}: {measurement.words}: {line.won}",
                    soft_wrap=True,
                )
            lines.append(line)
    return tuple(lines)


def _tell_all(
    notify: Progress, begun: int, work: int, total: int, done: int, of: int, words: str
) -> None:
    """Tell how far a measurement is, and how far all of them, so that the time left is shown."""
    share = min(done / of, 1.0) if of else 0.0
    notify(begun + round(share * work), total, "hands of all evaluations")
    notify(done, of, words)
