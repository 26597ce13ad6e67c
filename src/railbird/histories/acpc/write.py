"""Writer of match logs in the form of the ACPC's dealer; see `railbird.histories.acpc.read`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from railbird._arguments import checked
from railbird.cards import TEXT_OF_CARD
from railbird.errors import BadInput
from railbird.game import Rules, acpc_rules
from railbird.histories.acpc.betting import betting_text
from railbird.histories.acpc.gamedef import game_spec
from railbird.histories.amounts import format_amounts
from railbird.histories.card_text import TEXT_OF_HOLE, Hole
from railbird.histories.format import WriteOptions, check_name, check_text
from railbird.histories.record import HandRecord, Skipped, not_representable
from railbird.histories.verify import confirm


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write a match log with the sums at its end.

    The head names the game, with changes to it where no standard name suffices (see
    `railbird.histories.acpc.gamedef.game_spec`). Where the rules change, another log begins.
    """
    if len(options.match.split()) != 1:
        raise BadInput(f"match {options.match!r}; allowed: a name without blanks")
    rules: Rules | None = None
    totals: dict[str, Fraction] = {}
    for count, record in enumerate(records):
        try:
            line = state_line(record, count if record.number is None else record.number)
            game = game_spec(record.rules)
        except BadInput as error:
            yield not_representable(record, error)
            continue
        if record.rules != rules:
            yield from _score(totals)
            yield _head(game, options, first=rules is None)
            rules = record.rules
        for player, payoff in zip(record.players, record.payoffs, strict=True):
            totals[player] = totals.get(player, Fraction(0)) + payoff
        yield line
    yield from _score(totals)


def _head(game: str, options: WriteOptions, *, first: bool) -> str:
    hands = "-" if options.hands is None else options.hands
    seed = "-" if options.seed is None else options.seed
    head = f"# name/game/hands/seed {options.match} {game} {hands} {seed}\n"
    return head + "".join(f"#{note}\n" for note in options.notes if first)


def _score(totals: dict[str, Fraction]) -> Iterator[str]:
    """Yield the line of sums, if there are any, and reset them."""
    if totals:
        yield f"SCORE:{format_amounts(tuple(totals.values()))}:{'|'.join(totals)}\n"
        totals.clear()


@checked
def state_line(record: HandRecord, number: int) -> str:
    """Write a hand as one STATE line.

    Raises `railbird.errors.BadInput` for names that would not read back, and for a hand that the
    ACPC's dealer would have played or settled otherwise.
    """
    rules = acpc_rules(record.rules)
    betting = betting_text(rules, record.actions)
    confirm(record, rules)
    for name in record.players:
        check_name(name, "|", " #")
    check_text(record.comment, "a comment")
    holes = [
        "" if hole is None else TEXT_OF_HOLE[Hole(hole, record.low_first >> seat & 1)]
        for seat, hole in enumerate(record.holes)
    ]
    board = "".join([TEXT_OF_CARD[card] for card in record.board])
    streets = [board[:6], board[6:8], board[8:]]
    cards = "/".join(["|".join(holes), *filter(None, streets)])
    comment = f" # {record.comment}" if record.comment else ""
    return (
        f"STATE:{number}:{betting}:{cards}:{format_amounts(record.payoffs)}"
        f":{'|'.join(record.players)}{comment}\n"
    )
