"""``railbird match``: two players against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from railbird import arena, assessment, cards, estimates, game, report
from railbird.arena.settings import CHUNK, HANDS, MOST_HANDS, SOLVING_CHUNK
from railbird.cli._completion import PLAYER, OneOf, Whole
from railbird.cli._console import output, print_json, print_table, progress
from railbird.cli._keyed_options import show_option
from railbird.cli._play import (
    Playing,
    chunk_for,
    game_option,
    game_or_usual,
    naming_option,
    playing_options,
    rake_option,
    rules_of,
    stack_option,
    variant_option,
)
from railbird.cli._result_tables import (
    aivat_match_table,
    aivat_of,
    match_table,
    paired_table,
    tell_faults,
    warn_unfit,
)
from railbird.errors import BadInput
from railbird.units import counted

if TYPE_CHECKING:
    from railbird.assessment import Assessment
    from railbird.assessment.aivat.no_limit import LessLuck
    from railbird.progress import Progress


@click.command(name="match")
@click.argument("first", metavar="A", type=PLAYER)
@click.argument("second", metavar="B", type=PLAYER)
@game_option
@variant_option
@stack_option
@click.option(
    "-n",
    "--hands",
    type=Whole(min=1),
    help=f"{HANDS:,} by default; with --stop the most that are played, {MOST_HANDS:,} by default.",
)
@click.option(
    "--against",
    metavar="OTHER",
    type=PLAYER,
    multiple=True,
    help="Let A and B play this player on the same deals, in duplicate, and compare them; may be "
    "repeated.",
)
@click.option("--duplicate", is_flag=True, help="Play each deal twice, with the seats swapped.")
@click.option(
    "--stop",
    "until",
    help="Stop when A's winnings are known to within 0.02sb, say, or when decided.",
)
@click.option(
    "--dealer",
    type=OneOf(["seeded", "acpc"]),
    default="seeded",
    help="Shuffle as Railbird or as the ACPC's dealer does.",
)
@click.option(
    "--session",
    "chunk",
    type=Whole(min=1),
    help="Deals after which players forget what they have learned of each other, and the log is "
    f"written: {CHUNK:,} by default, {SOLVING_CHUNK} if a player solves while it plays and none "
    "remembers.",
)
@rake_option
@show_option(
    assessment="skill apart from luck",
    aivat="winnings less the luck of cards and of known players' actions, heads-up; in limit "
    "together with assessment",
)
@playing_options(log="ACPC log to write; an unfinished one is resumed.")
def command(
    *,
    first: str,
    second: str,
    game: str,
    variant: str,
    stack: str | None,
    hands: int | None,
    against: tuple[str, ...],
    duplicate: bool,
    until: str | None,
    dealer: str,
    chunk: int | None,
    rake: str | None,
    assessment: bool,
    aivat: bool,
    how: Playing,
) -> None:
    """Play A against B and print what they won; `railbird players` lists who can play.

    In other games than hold'em (--variant) only a few players can play, and the log is PHHS. A
    stopped match with a log is resumed. The same seed plays the same hands with any number of
    workers. --stop checks a confidence sequence after every chunk of deals; it holds at all times
    at once, so stopping early does not favour either player.

    With --against two versions of a player are compared. Each plays all the others, on the same
    deals from both seats, and --hands is the number for each pair. Most of the luck cancels.

    \b
    Examples:
      railbird match always-call always-raise --hands 10000
      railbird match baseline baseline:aggressive-high --hands 4000 --duplicate --log match.log
      railbird match baseline baseline:aggressive-high --duplicate --stop decided --show assessment
      railbird match vexbot always-raise --hands 20000 --session 20000
      railbird match booker:4 tight:nolimit --game nolimit --stack 100bb
      railbird match random always-call --variant omaha-hilo --hands 1000
      railbird match equilibrium:nolimit killer --game nolimit --stack 100bb --show aivat
      railbird match new=bot:./new old=bot:./old --against killer --against tight --stop decided
    """
    dealt = cards.variant_from(variant)
    game = game_or_usual(game, dealt, has_pot_limit=False)
    rules = rules_of(game, rake=rake, stack=stack, variant=dealt)
    shown = assessment or aivat
    if shown:
        rules.check_holdem("--show")
    if against and (shown or how.log is not None):
        raise BadInput("--against with --show or --log; allowed: one of them")
    if rules.rake is not None and until is not None:
        # It takes what one player wins for what the other loses.
        raise BadInput(f"--stop with a rake of {rules.rake}; allowed: one of the two")
    if hands is None:
        hands = HANDS if until is None else MOST_HANDS
    match = arena.Match(
        players=(first, second),
        rules=rules,
        deals=-(-hands // 2) if duplicate or against else hands,
        seed=how.seed,
        seating=arena.Seating.DUPLICATE if duplicate else arena.Seating.SINGLE,
        dealing=arena.Dealing(dealer),
        chunk=chunk_for((first, second, *against)) if chunk is None else chunk,
        faults=how.faults,
    )
    more = aivat_of(match, assessed=assessment) if aivat else []
    watch = None if until is None else _watch(rules, until)
    warn_unfit((first, second, *against), rules)
    if against:
        _compare(match, against, how, until, watch)
        return
    with how.begun(how.log), progress() as notify:
        result = arena.play(
            match,
            log=how.log,
            workers=how.workers,
            on=how.on,
            until=watch,
            keep=assessment or aivat,
            progress=notify,
        )
        judged = _judge(result, more, notify, assessed=assessment)
    if watch is None and rules.variant is cards.HOLDEM:  # else the interval is another
        known = more[0].known.values() if more else ()
        arena.evaluations.record_match(result, judged.less_luck_of(match.names[0]), known)
    faults = list(zip(match.names, result.faults, strict=True))
    if how.as_json:
        document = result.as_json(how.log)
        document |= {} if watch is None else {"until": until, **watch.as_json()}
        judged.add_to(document)
        print_json(document)
        tell_faults(faults, match.hands, strict=how.strict)
        return
    print_table(match_table(result, (0, 1), watch=watch))
    if watch is not None:
        output.print(_reached(match, until, watch), soft_wrap=True)
    elif judged == _Judged():
        output.print(_verdict(result), soft_wrap=True)
    judged.show(rules.result_unit)
    tell_faults(faults, match.hands, strict=how.strict)


def _reached(match: arena.Match, until: str | None, watch: estimates.StoppingRule) -> str:
    """Say who wins by the interval that decided when the match ended."""
    winner, won = match.names[0], watch.interval
    if won.value < 0:
        winner, won = match.names[1], -won
    return f"{until} {'reached' if watch.reached else 'not reached'}: {winner} wins {won}"


def _verdict(result: arena.MatchResult) -> str:
    """Say who is better as far as the money tells, and what would tell more."""
    first, second = result.match.names
    won = result.money(0)
    if won.alike:
        return f"all hands ended alike, which says nothing of {first} and {second}"
    if not won.enough:
        return f"{counted(result.match.hands)} are too few to tell {first} from {second}"
    if won.excludes_zero:
        winner = first if won.value > 0 else second
        return f"{winner} wins; luck alone gives as much in less than 1 match of 20"
    ways = ["--stop decided plays on until they are"]
    if result.match.seating is not arena.Seating.DUPLICATE:
        ways.append("--duplicate gives both the same cards")
    said = f"{first} and {second} are not told apart: luck could explain the difference"
    return f"{said}; {', '.join(ways)}"


def _compare(
    match: arena.Match,
    against: Sequence[str],
    how: Playing,
    until: str | None,
    watch: estimates.StoppingRule | None,
) -> None:
    """Compare two versions of a player against others, and print the difference."""
    with how.begun(None), progress() as notify:
        result = arena.play_paired(
            match, against, workers=how.workers, on=how.on, until=watch, progress=notify
        )
    faults = list(zip(result.versions, result.faults, strict=True))
    if how.as_json:
        print_json(
            result.as_json() | ({} if watch is None else {"until": until, **watch.as_json()})
        )
    else:
        print_table(paired_table(result, watch=watch))
        won = result.overall if watch is None else watch.interval
        new, old = result.versions
        better, worse = (new, old) if won.value >= 0 else (old, new)
        said = "wins more than" if won.low > 0 or won.high < 0 else "is not told apart from"
        if watch is not None:
            output.print(f"{until} {'reached' if watch.reached else 'not reached'}")
        output.print(f"{better} {said} {worse} against these", soft_wrap=True)
    tell_faults(faults, result.hands // 2, strict=how.strict)


def _watch(rules: game.Rules, until: str) -> estimates.StoppingRule:
    unit = rules.result_unit
    with naming_option("--stop"):
        goal = estimates.parse_goal(until, unit=unit)
    return estimates.StoppingRule(goal, chips=rules.chips_per_unit, unit=unit)


class _Judged(NamedTuple):
    """What is said of a match besides who won how much."""

    assessment: Assessment[Any] | None = None
    less: Mapping[str, LessLuck] | None = None
    """By AIVAT alone, where nothing else was asked for."""

    def less_luck_of(self, name: str) -> estimates.Estimate | None:
        """Return what a player won by AIVAT; None where that was not asked for."""
        if self.less is not None:
            return self.less[name].aivat
        return None if self.assessment is None else self.assessment.estimate(name, "aivat")

    def add_to(self, document: dict[str, Any]) -> None:
        """Add it to the output of ``--json``."""
        if self.assessment is not None:
            document["assessment"] = {"files": [], **self.assessment.as_json(), "report": None}
        for name, player_object in document["players"].items():
            if self.less is not None:
                player_object["aivat"] = self.less[name].aivat.as_json()
                player_object["variance_reduction"] = {"aivat": self.less[name].variance_reduction}
            elif (estimate := self.less_luck_of(name)) is not None:
                player_object["aivat"] = estimate.as_json()

    def show(self, unit: str) -> None:
        """Print it."""
        if self.less is not None:
            print_table(aivat_match_table(self.less, unit))
        if self.assessment is not None:
            output.print(report.text(self.assessment))


def _judge(
    result: arena.MatchResult, more: Sequence[assessment.Aivat], notify: Progress, *, assessed: bool
) -> _Judged:
    if not assessed:
        if not more:
            return _Judged()

        return _Judged(less=assessment.less_luck(result, known=more[0].known, progress=notify))

    if assessment.is_heads_up_limit(result.match.rules):
        player = result.match.names[0]
        return _Judged(assessment.assess(result, player=player, more=more, progress=notify))
    return _Judged(assessment.assess_table(result, more=more, progress=notify))
