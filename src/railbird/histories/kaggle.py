"""Replays of Kaggle's poker environments, which play hold'em by OpenSpiel's rules or pokerkit's.

A replay is one JSON object, and has neither hands nor bets: `actionHistory` of its ``info`` lists
the numbers that chance and players chose, and `stateHistory` the state before each of them. The
state says which hand a number belongs to, and who has the button in it. The rules that the
configuration names say what the number means. Our own engine replays a hand from its numbers:

- a card is ``4 * rank + suit``, as here. ``repeated_poker`` and ``universal_poker`` deal a player
  both cards at once, ``python_repeated_pokerkit`` one to each player in turn;
- 0 folds, 1 checks or calls, and any other number bets or raises to that amount: of the whole hand
  in the first two, of the street in pokerkit's.

An agent that errs (an illegal number, an exception, too much time) ends the replay, and with it a
hand that nobody won: it is `Skipped` as a forfeit, with the name of the agent that erred.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, Final

from railbird.cards import Card, Holding, holding_of
from railbird.game import Action, Call, Fold, Raise, Rules, no_limit_holdem
from railbird.histories.betting import BettingReplay
from railbird.histories.format import ReadOptions, attempt
from railbird.histories.record import (
    BadHand,
    HandRecord,
    Skipped,
    SkipReason,
    Source,
    renamed,
)
from railbird.histories.text_values import amounts_of
from railbird.histories.verify import ending_of
from railbird.units import Chips

_NAMED: Final = re.compile(
    r'"(?:name|openSpielGameName)"\s*:\s*"(?:open_spiel_)?'
    r"(?:repeated_poker|universal_poker|python_repeated_pokerkit)\b"
)
_LONGEST: Final = 1 << 28
"""Maximum characters of a replay; one of a hundred hands between models has some ten million."""
_MANY: Final = 1 << 20
"""Maximum number of states of a replay."""
_LONGEST_NAME: Final = 200
_HAND_NUMBER: Final = re.compile(r"Hand number: ([0-9]{1,7})\n")
_POKERKIT: Final = "python_repeated_pokerkit"
_SINGLE: Final = "universal_poker"
_REPEATED: Final = "repeated_poker"
_BOARD_DEALS: Final = {0: 3, 3: 1, 4: 1}
_ERRORS: Final = {"INVALID": "an illegal action", "TIMEOUT": "a time-out", "ERROR": "an error"}

_Json = Mapping[str, Any]


def recognises(lines: Sequence[str]) -> bool:
    """Return whether these lines begin a replay."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return first.startswith("{") and any(map(_NAMED.search, lines))


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read a replay: its hands in order, then the error that ended it, if one did."""
    replay = attempt("a replay", _replay, lines, options)
    if isinstance(replay, BadHand):
        yield Skipped(replay.reason, 1, replay.detail)
    else:
        yield from replay.hands()


def _replay(lines: Iterable[str], options: ReadOptions) -> _Replay:
    return _Replay.of(_whole(lines), options)


def _whole(lines: Iterable[str]) -> Any:
    """Parse the object. A long line comes in pieces, between which no line has ended."""
    parts, size = list[str](), 0
    for line in lines:
        parts.append(line.rstrip("\n"))
        size += len(parts[-1])
        if size > _LONGEST:
            raise BadHand(SkipReason.UNREADABLE, f"a replay of more than {_LONGEST >> 20} MiB")
    try:
        return json.loads("".join(parts), strict=False)
    except (ValueError, RecursionError) as problem:
        raise BadHand(SkipReason.UNREADABLE, f"not valid JSON: {str(problem)[:100]}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _KaggleHand:
    """Numbers of one hand, and the table that they were chosen at; all by player, not by seat."""

    number: int
    dealer: int
    blinds: tuple[int, ...]
    stacks: tuple[int, ...]
    chosen: tuple[int, ...]
    won: tuple[float, ...] | None
    """What each player won, if the replay says so."""
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Replay:
    """A replay that has been parsed, and is of a known kind."""

    content: _Json
    kind: str
    parameters: _Json
    names: tuple[str, ...]
    states: Sequence[str]
    chosen: Sequence[int]
    error: tuple[str, str] | None
    """The player who ended the replay by an error, and the error."""
    options: ReadOptions

    @classmethod
    def of(cls, replay: Any, options: ReadOptions) -> _Replay:
        """Check a replay's form. Raises `BadHand`, or what a wrong form leads to."""
        info, configuration = replay["info"], replay["configuration"]
        kind = str(configuration["openSpielGameName"])
        if kind not in (_POKERKIT, _REPEATED, _SINGLE):
            raise BadHand(SkipReason.ANOTHER_GAME, kind)
        states = info["stateHistory"]
        chosen = [int(number) for number in info["actionHistory"]]
        if not len(chosen) < len(states) <= _MANY:
            raise BadHand(SkipReason.UNREADABLE, f"{len(states)} states, {len(chosen)} actions")
        parameters = configuration["openSpielGameParameters"]
        seats = len(replay["rewards"])
        team_names = [str(name)[:_LONGEST_NAME].strip() for name in info.get("TeamNames") or ()]
        names = (
            team_names
            if len(team_names) == seats
            else [f"agent {place + 1}" for place in range(seats)]
        )
        if len(set(names)) < seats or not all(names):  # a model against itself
            names = [f"{name or 'agent'} ({place + 1})" for place, name in enumerate(names)]
        players = renamed(tuple(names), options.rename)
        return cls(
            content=replay,
            kind=kind,
            parameters=parameters,
            names=players,
            states=states,
            chosen=chosen,
            error=_error(replay["steps"], players),
            options=options,
        )

    def hands(self) -> Iterator[HandRecord | Skipped]:
        """Yield the hands, and what ended the replay before its time."""
        by_hand = self._by_hand()
        while (kaggle_hand := attempt("a replay", next, by_hand, None)) is not None:
            if isinstance(kaggle_hand, BadHand):
                yield Skipped(kaggle_hand.reason, 1, kaggle_hand.detail)
                return
            who = f"hand {kaggle_hand.number}"
            if self.error is not None and not kaggle_hand.is_over:
                player, kind = self.error
                yield Skipped(SkipReason.FORFEIT, 1, f"{who}: {kind}", by=player)
                return
            hand = attempt("a hand", self._record, kaggle_hand)
            if isinstance(hand, BadHand):
                yield Skipped(hand.reason, 1, f"{who}: {hand.detail}")
            else:
                yield hand

    def _by_hand(self) -> Iterator[_KaggleHand]:
        """Cut the numbers where a hand begins."""
        hand_start: tuple[int, int] | None = None
        for index, state in enumerate(self.states[: len(self.chosen)]):
            number = self._number(state)
            if hand_start is not None and number == hand_start[0]:
                continue
            if hand_start is not None:
                yield self._hand(*hand_start, index, is_over=True)
            hand_start = number, index
        if hand_start is not None:
            yield self._hand(*hand_start, len(self.chosen), is_over=self.error is None)

    def _number(self, state: str) -> int:
        if self.kind == _SINGLE:
            return 0
        if self.kind == _POKERKIT:
            number_match = _HAND_NUMBER.match(state)
            return int(number_match[1]) if number_match else -1
        return int(json.loads(state)["hand_number"])

    def _hand(self, number: int, begin: int, end: int, *, is_over: bool) -> _KaggleHand:
        chosen = tuple(self.chosen[begin:end])
        seats = len(self.names)
        if self.kind == _REPEATED:
            state = json.loads(self.states[begin])
            table = json.loads(state["current_universal_poker_json"])
            returns = json.loads(self.states[-1])["hand_returns"]
            return _KaggleHand(
                number=number,
                dealer=int(state["dealer"]),
                blinds=tuple(map(int, table["blinds"])),
                stacks=tuple(map(int, table["starting_stacks"])),
                chosen=chosen,
                won=tuple(map(float, returns[number])) if is_over else None,
                is_over=is_over,
            )
        if self.kind == _SINGLE:
            rewards = self.content["rewards"]
            return _KaggleHand(
                number=number,
                dealer=seats - 1,
                blinds=_numbers(self.parameters["blind"]),
                stacks=_numbers(self.parameters["stack"]),
                chosen=chosen,
                won=tuple(map(float, rewards)) if is_over else None,
                is_over=is_over,
            )
        table = self.parameters["pokerkit_game_params"]
        first = int(self.parameters.get("first_button_player", -1))
        turned = number if self.parameters.get("rotate_dealer", True) else 0
        dealer = ((seats - 1 if first < 0 else first) + turned) % seats
        # Its blinds and stacks are by seat from the left of the button; heads-up, the small blind
        # is named first all the same, and the button pays it.
        blinds, stacks = (_numbers(table[key]) for key in ("blinds", "stack_sizes"))
        if seats == 2:
            blinds = blinds[::-1]
        else:
            blinds += (0,) * (seats - len(blinds))
        return _KaggleHand(
            number=number,
            dealer=dealer,
            blinds=_turned(blinds, seats - 1 - dealer),
            stacks=stacks if self._is_reset else (),
            chosen=chosen,
            won=None,
            is_over=is_over,
        )

    @property
    def _is_reset(self) -> bool:
        return bool(self.parameters.get("reset_stacks", False))

    def _record(self, kaggle_hand: _KaggleHand) -> HandRecord:
        seats, turn = len(self.names), kaggle_hand.dealer + 1
        if not len(kaggle_hand.blinds) == len(kaggle_hand.stacks) == seats:
            raise BadHand(SkipReason.ANOTHER_GAME, "stacks that carry over from hand to hand")
        rules = _rules(_turned(kaggle_hand.blinds, turn), _turned(kaggle_hand.stacks, turn))
        holes, board, actions = self._played(kaggle_hand, rules)
        ending = ending_of(rules, actions, holes, board)
        won = (
            None if kaggle_hand.won is None else amounts_of(_exact(_turned(kaggle_hand.won, turn)))
        )
        return HandRecord(
            rules=rules,
            players=_turned(self.names, turn),
            holes=holes,
            board=board,
            actions=ending.actions,
            payoffs=ending.settle(holes, board, won),
            number=kaggle_hand.number,
            source=Source(self.options.file, 1),
        )

    def _played(
        self, kaggle_hand: _KaggleHand, rules: Rules
    ) -> tuple[tuple[Holding, ...], tuple[Card, ...], tuple[Action, ...]]:
        """Return holdings by seat, board and actions. Raises `BadHand`."""
        seats, chosen = rules.seats, iter(kaggle_hand.chosen)

        def cards(count: int) -> list[Card]:
            dealt = list(islice(chosen, count))
            if len(dealt) < count or not all(0 <= number < 52 for number in dealt):
                raise BadHand(SkipReason.CUT, f"cards {dealt}")
            return [Card(number) for number in dealt]

        dealt = cards(2 * seats)
        if len(set(dealt)) < len(dealt):
            raise BadHand(SkipReason.DUPLICATE_CARD, "a card is dealt twice")
        if self.kind == _POKERKIT:
            holes = tuple(holding_of(dealt[seat], dealt[seats + seat]) for seat in range(seats))
        else:
            pairs = [holding_of(*dealt[2 * who : 2 * who + 2]) for who in range(seats)]
            holes = _turned(tuple(pairs), kaggle_hand.dealer + 1)
        walk, board = BettingReplay(rules), list[Card]()
        while True:
            if walk.board_is_due:
                board += cards(_BOARD_DEALS[len(board)])
                walk.deal()
            elif walk.betting_is_open:
                number = next(chosen, None)
                if number is None:
                    raise BadHand(SkipReason.UNFINISHED, "the replay ends in it")
                walk.act(self._action(number, walk))
            else:
                break
        if next(chosen, None) is not None:
            raise BadHand(SkipReason.UNREADABLE, "numbers after its end")
        return holes, tuple(board), walk.actions

    def _action(self, number: int, walk: BettingReplay) -> Action:
        if number == 0:
            return Fold()
        if number == 1:
            return Call()
        return Raise(Chips(number if self.kind == _POKERKIT else number - walk.before))


def _error(steps: Sequence[Sequence[_Json]], names: Sequence[str]) -> tuple[str, str] | None:
    """Return who ended a replay by an error, and how."""
    for states in reversed(steps[-2:]):
        for name, state in zip(names, states, strict=True):
            info = state.get("info") or {}
            if (kind := _ERRORS.get(str(state.get("status")))) is not None and (
                info.get("actionApplied") is None
            ):
                return name, kind
            submitted = info.get("actionSubmitted")
            if submitted is not None and info.get("actionApplied") is None:
                return name, f"an illegal action, {str(submitted)[:20]}"
    return None


def _turned(values: tuple[Any, ...], turn: int) -> tuple[Any, ...]:
    """Return values by player as values by seat, the first of which is ``turn``."""
    turn %= len(values)
    return values[turn:] + values[:turn]


def _numbers(text: object) -> tuple[int, ...]:
    """Parse numbers separated by blanks."""
    return tuple(int(part) for part in str(text).split())


def _exact(amounts: Iterable[float]) -> tuple[Fraction, ...]:
    return tuple(Fraction(amount).limit_denominator(10**6) for amount in amounts)


def _rules(blinds: tuple[int, ...], stacks: tuple[int, ...]) -> Rules:
    small, big = (blinds[1], blinds[0]) if len(blinds) == 2 else blinds[:2]
    if any(blinds[2:]) or not 0 < small <= big:
        raise BadHand(SkipReason.ANOTHER_GAME, f"blinds {blinds}")
    return no_limit_holdem(len(blinds), blinds=(small, big), stack=stacks)
