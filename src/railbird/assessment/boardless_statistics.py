"""Statistics of people in games without a board: stud, stud hi-lo and razz, and draw games.

`player_statistics` has those of hold'em, which count in other games with a board, too. Positions,
re-raises and continuation bets are not among these: in stud who acts first changes from street to
street, and draw games have other numbers of streets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from railbird._arguments import checked
from railbird._display import HasFigures
from railbird.assessment.player_statistics import share_of
from railbird.cards import Variant
from railbird.errors import BadInput
from railbird.estimates.bounded_mean import BoundedMean
from railbird.estimates.estimate import Estimate, ResultUnit, ratio
from railbird.game import Betting, Call, Discard, Fold, Raise
from railbird.histories import HandRecord, Skipped, SkipReason
from railbird.histories.variant_hands import PlayedCourse, course_of_record
from railbird.progress import Progress
from railbird.units import Seat

STUD: Final = {
    "vpip": "put in chips on third street by choice, of hands; the bring-in alone is none",
    "completed": "completed or raised on third street, of hands in which it could",
    "steal": "completed with at most two others left, of chances to when nobody but the bring-in "
    "was in",
    "fourth": "was in on fourth street, of hands",
    "aggression": "bets and raises, of all bets, raises and calls from fourth street on",
    "wtsd": "saw a showdown, of hands on fourth street",
    "wsd": "won chips, of showdowns",
}
"""What each share counts in stud and razz, by its key."""
DRAW: Final = {
    "vpip": "put in chips before the first draw by choice, of hands; the blinds alone are none",
    "raised": "raised before the first draw, of hands in which it could",
    "drew": "was in at the first draw, of hands",
    "pat": "stood pat, of its draws",
    "one": "exchanged one card, of its draws",
    "many": "exchanged three cards or more, of its draws",
    "aggression": "bets and raises, of all bets, raises and calls from the first draw on",
    "wtsd": "saw a showdown, of hands at the first draw",
    "wsd": "won chips, of showdowns",
}
"""The same in draw games."""

_STEALS_FROM: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardlessStatistics(HasFigures):
    """How players play one game without a board, and one betting."""

    variant: Variant
    betting: Betting
    unit: ResultUnit
    skipped: dict[str, int]
    """Hands that could not be used, by reason."""
    hands: dict[str, int]
    """By player."""
    shares: dict[str, dict[str, BoundedMean]]
    """By player and key of `definitions`: occurrences over opportunities."""
    won: dict[str, Estimate]
    """By player, mean per hand in ``unit``."""

    @property
    def definitions(self) -> dict[str, str]:
        """What each share counts, by its key."""
        return _definitions(self.variant)

    def as_json(self) -> dict[str, Any]:
        """Return the unrounded numbers."""
        return {
            "game": self.variant.name,
            "betting": self.betting.value,
            "unit": self.unit,
            "skipped": self.skipped,
            "players": {
                name: {
                    "hands": hands,
                    **{key: share.as_json() for key, share in self.shares[name].items()},
                    "won": self.won[name].as_json(),
                }
                for name, hands in self.hands.items()
            },
        }


@checked
def statistics_without_board(
    hands: Iterable[HandRecord | Skipped], *, progress: Progress | None = None
) -> BoardlessStatistics:
    """Count how players play, in the game and betting of the first hand without a board.

    Hands of another game or betting are counted and left out. Raises `BadInput` if there is none.
    """
    skipped: Counter[str] = Counter()
    done: Counter[tuple[str, str]] = Counter()
    chances: Counter[tuple[str, str]] = Counter()
    money: dict[str, list[float]] = {}
    game: tuple[Variant, Betting] | None = None
    for number, item in enumerate(hands, 1):
        if isinstance(item, Skipped):
            skipped[item.reason.value] += 1
            continue
        rules = item.rules
        own_game = rules.variant.counted_as, rules.betting
        if not is_boardless(rules.variant) or (game or own_game) != own_game:
            skipped[SkipReason.ANOTHER_GAME.value] += 1
            continue
        game = own_game
        for seat, player in enumerate(item.players):
            money.setdefault(player, []).append(float(item.payoffs[seat] / rules.chips_per_unit))
        for seat, key, is_done in _answers(item):
            chances[item.players[seat], key] += 1
            done[item.players[seat], key] += is_done
        if progress is not None:
            progress(number, 0, "hands")
    if game is None:
        raise BadInput("no hand of a game without a board; allowed: stud, razz and draw games")
    unit = ResultUnit.SMALL_BETS if game[1] is Betting.LIMIT else ResultUnit.BIG_BLINDS
    return BoardlessStatistics(
        variant=game[0],
        betting=game[1],
        unit=unit,
        skipped=dict(skipped),
        hands={name: len(won) for name, won in money.items()},
        shares={
            name: {
                key: share_of(done[name, key], chances[name, key]) for key in _definitions(game[0])
            }
            for name in money
        },
        won={name: ratio(won, [1.0] * len(won), unit=unit) for name, won in money.items()},
    )


def is_boardless(variant: Variant) -> bool:
    """Return whether a game has statistics of its own, as one without a board."""
    return not variant.board_sizes[-1]


def _definitions(variant: Variant) -> dict[str, str]:
    return DRAW if variant.draws else STUD


def _answers(record: HandRecord) -> Iterator[tuple[int, str, bool]]:
    """Yield the seats, keys of the definitions, and whether it was done, a chance at a time."""
    answers = _answers_in_draw if record.rules.variant.draws else _answers_in_stud
    return answers(record, course_of_record(record))


def _answers_in_stud(record: HandRecord, course: PlayedCourse) -> Iterator[tuple[int, str, bool]]:
    """Yield the same for a hand of stud or razz."""
    chose, raised, could, on_fourth = set[Seat](), set[Seat](), set[Seat](), set[Seat]()
    folded_early = set[Seat]()
    for (street, seat, action), state in zip(course.moves, course.before, strict=True):
        raises = isinstance(action, Raise)
        if street == 0:
            folded_early |= {seat} if isinstance(action, Fold) else set()
            could |= set() if state.min_raise_to is None else {seat}
            raised |= {seat} if raises else set()
            if (
                state.completes
                and not state.must_bring_in
                and state.min_raise_to is not None
                and not chose
                and len(state.in_hand) - 1 <= _STEALS_FROM
            ):
                yield seat, "steal", raises
            by_choice = raises or (isinstance(action, Call) and not state.must_bring_in)
            chose |= {seat} if by_choice and (raises or state.to_call) else set()
        elif raises or (isinstance(action, Call) and state.to_call):
            yield seat, "aggression", raises
    end = course.state
    if end.street > 0:
        on_fourth = set(map(Seat, range(record.rules.seats))) - folded_early
    showdown = set(end.in_hand) if len(end.in_hand) > 1 else set()
    for number in range(record.rules.seats):
        seat = Seat(number)
        yield seat, "vpip", seat in chose
        yield seat, "fourth", seat in on_fourth
        if seat in could:
            yield seat, "completed", seat in raised
        if seat in on_fourth:
            yield seat, "wtsd", seat in showdown
        if seat in showdown:
            yield seat, "wsd", record.payoffs[seat] > 0


def _answers_in_draw(record: HandRecord, course: PlayedCourse) -> Iterator[tuple[int, str, bool]]:
    """Yield the same for a hand of a draw game."""
    chose, raised, could, folded_early = set[Seat](), set[Seat](), set[Seat](), set[Seat]()
    for (street, seat, action), state in zip(course.moves, course.before, strict=True):
        raises = isinstance(action, Raise)
        if isinstance(action, Discard):
            drawn = len(action.cards)
            yield seat, "pat", drawn == 0
            yield seat, "one", drawn == 1
            yield seat, "many", drawn >= _MANY
        elif street == 0:
            folded_early |= {seat} if isinstance(action, Fold) else set()
            could |= set() if state.min_raise_to is None else {seat}
            raised |= {seat} if raises else set()
            calls = isinstance(action, Call) and state.to_call > 0
            chose |= {seat} if raises or calls else set()
        elif raises or (isinstance(action, Call) and state.to_call):
            yield seat, "aggression", raises
    end = course.state
    showdown = set(end.in_hand) if len(end.in_hand) > 1 else set()
    for number in range(record.rules.seats):
        seat = Seat(number)
        drew = any(end.drawn[seat]) or (end.street > 0 and seat not in folded_early)
        yield seat, "vpip", seat in chose
        yield seat, "drew", drew
        if seat in could:
            yield seat, "raised", seat in raised
        if drew:
            yield seat, "wtsd", seat in showdown
        if seat in showdown:
            yield seat, "wsd", record.payoffs[seat] > 0


_MANY: Final = 3
