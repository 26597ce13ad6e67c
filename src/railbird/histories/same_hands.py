"""Which hands are one and the same, in whatever log and from whatever side they were seen.

A hand consists of the players in their seats, the actions, the board and the payoffs. A log's
knowledge of the hole cards is no part of it: a friend's log of the same table knows other cards, so
one hand would count twice. A complete turn makes this unique. With fewer board cards distinct hands
agree by chance (everybody folds to the big blind again and again), so there the log's number of the
hand must agree as well. Where hands have no number, the time must agree, and where the log has no
time, the line and the cards.

Two views of one hand are merged: each side's knowledge of the cards is joined. Two views may agree
in everything else but contradict each other in the cards. Then either they are two hands after all,
such as hand 17 of two matches that are both numbered from 0, or one of the logs is wrong. An error
is reported only where number and table, or number and four board cards, leave no other explanation,
and with fewer board cards only if at most one holding differs. At one table hands of different
numbers are different hands, however equal: many hands dealt from one spot are.

Conversely, hands that differ in their bets, their board or their cards are one hand if number,
table, players and time are the same: a site gives a number once. Logs without times may be of
matches that are numbered alike; there the neighbours decide. If nine in ten of the hands that two
logs number alike are the same hands, one log is a copy of the other, and the hands that differ are
the same hands, too.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDING_CARDS
from railbird.cards.splitmix_kernels import GOLDEN, mix
from railbird.histories.columns import NO_TIME, UNKNOWN, HandBatch, Piece, pack
from railbird.histories.record import Skipped

_KEPT: Final = 1 << 14
UNIQUE_BOARD: Final = 4
"""Cards on the board from which on equal hands are one hand: there are 22,100 flops times 49
turns."""
_ENOUGH_DIFFER: Final = 2
"""Number of holdings that differ, from which on hands without a turn are two hands: a wrong log
errs in one holding."""
COPY: Final = 10
"""Number of hands that two logs share, from which on one is a copy of the other."""
_SAME: Final = 9
"""Hands that a copy shares for each one that differs."""
_CARDS: Final = "with other hole cards"
_PLAY: Final = "with other bets, board or results"
_LISTED: Final = 10
"""Number of contradictions that are kept in words; further ones are only counted."""

_Rows = npt.NDArray[np.int64]
_Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two views of one hand that cannot both be right."""

    first: str
    """Where the first view stands: ``mine.txt line 12``."""
    second: str
    about: str = _CARDS
    """The difference between the two."""

    def __str__(self) -> str:
        return f"{self.second} contradicts {self.first}: the same hand {self.about}"


class _Views(NamedTuple):
    """The columns kept of each hand of a batch, (n,) or (n, S)."""

    holding: npt.NDArray[np.int16]
    low_first: npt.NDArray[np.uint32]
    board: _Keys
    """The cards of the board as bits."""
    long: npt.NDArray[np.bool_]
    """Whether the board has as many cards as make a hand unique."""
    number: npt.NDArray[np.int64]
    table: npt.NDArray[np.uint32]
    """A hash of the table's name, 0 where it has none."""
    log: npt.NDArray[np.int64]
    """A file, or a part of one in which numbers do not go back."""
    file: npt.NDArray[np.int32]
    line: npt.NDArray[np.int64]

    def rows(self, rows: _Rows) -> _Views:
        return _Views(*(column[rows] for column in self))  # type: ignore[arg-type]


class _Index:
    """Hands by their keys, in sorted arrays: a set of a million keys takes ten times the memory."""

    def __init__(self) -> None:
        # In runs each of which is longer than all after it, as a single one would be merged anew
        # with every batch.
        self._runs: list[tuple[_Keys, _Rows]] = []

    def numbers(self, keys: _Keys) -> _Rows:
        """Return the numbers of the hands with these keys, -1 where there are none."""
        hand_numbers = np.full(len(keys), UNKNOWN, np.int64)
        for run, numbers in self._runs:
            places = np.searchsorted(run, keys)
            places[places == run.size] = 0
            there = run[places] == keys
            hand_numbers[there] = numbers[places[there]]
        return hand_numbers

    def add(self, keys: _Keys, numbers: _Rows) -> None:
        """Remember hands by keys that are not there yet, each once."""
        while self._runs and self._runs[-1][0].size <= keys.size:
            before, earlier = self._runs.pop()
            keys, numbers = np.concatenate([before, keys]), np.concatenate([earlier, numbers])
        if keys.size:
            # A stable sort merges what is sorted already in one pass.
            order = np.argsort(keys, kind="stable")
            self._runs.append((keys[order], numbers[order]))


class SeenHands:
    """The hands met so far, so that a hand met again counts once; some 70 bytes a hand.

    ``merged`` counts the views dropped because their hand was known already, and ``contradictions``
    the views that cannot be right if the first one is; ``told`` describes the first few of these.
    """

    def __init__(self) -> None:
        self._played = _Index()
        self._places = _Index()
        self._last = (UNKNOWN, UNKNOWN, 0)
        """File, number and log of the last hand."""
        self._shared: dict[int, Counter[int]] = {}
        """Hands that a later log shares with each earlier one."""
        self._differing: Counter[tuple[int, int]] = Counter()
        """Hands of equal numbers in which a later log differs from an earlier one."""
        self._views: list[_Views] = []
        self._starts: list[int] = []
        self._sources: dict[str, int] = {}
        self._amended: set[int] = set()
        self.taken = 0
        """Hands given so far, which number them."""
        self.merged = 0
        self.contradictions = 0
        self.told: list[Contradiction] = []

    @property
    def completions(self) -> int:
        """Hands for which a later view knew cards that the first did not."""
        return len(self._amended)

    def fresh(self, hands: HandBatch) -> _Rows:
        """Return the rows of the hands not met before, and remember them.

        What the other rows know of the cards is joined to what was known (`completed`).
        """
        if not len(hands):
            return np.empty(0, np.int64)
        keys, first = _identities(hands, first=self.taken), self.taken
        views = self._views_of(hands)
        self._views.append(views)
        self._starts.append(first)
        self.taken += len(hands)
        new: list[_Rows] = []
        other_cards = np.zeros(len(hands), np.bool_)
        left = np.arange(len(hands), dtype=np.int64)
        while left.size:
            # One row of each key at a time, so that none is compared with what it is merged into.
            _, chosen = np.unique(keys[left], return_index=True)
            rows = left[chosen]
            number = self._played.numbers(keys[rows])
            unknown = number == UNKNOWN
            self._played.add(keys[rows[unknown]], first + rows[unknown])
            new.append(rows[unknown])
            rows, number = rows[~unknown], number[~unknown]
            step = self._meet(views, rows, number)
            different = rows[step != 0]
            keys[different] = mixed(keys[different] + step[step != 0])
            other_cards[different] = True
            done = np.zeros(left.size, np.bool_)
            done[chosen] = True
            left = np.concatenate([left[~done], different])
        fresh = np.sort(np.concatenate(new))
        rival = self._rivals(hands, views, fresh, first)
        wrong = rival != UNKNOWN
        if wrong.any():
            rows = fresh[wrong]
            self._tell(self._known(rival[wrong]), views.rows(rows), other_cards[rows])
        right: _Rows = fresh[~wrong]
        return right

    def completed(self, hands: HandBatch, numbers: _Rows) -> HandBatch:
        """Return the hands with these ``numbers``, with the cards that any view of them shows."""
        rows = [row for row, number in enumerate(numbers.tolist()) if number in self._amended]
        if not rows:
            return hands
        holding, low_first = hands.holding.copy(), hands.low_first.copy()
        known = self._known(numbers[rows])
        holding[rows], low_first[rows] = known.holding[:, : holding.shape[1]], known.low_first
        return replace(hands, holding=holding, low_first=low_first)

    def _meet(self, views: _Views, rows: _Rows, number: _Rows) -> _Keys:
        """Merge rows into the hands that they seem to be.

        ``rows`` and ``number`` (k,) are pairs, no number twice. Returns (k,) what to add to the
        keys of those that are others, 0 for those that are merged.
        """
        mine, theirs = views.rows(rows), self._known(number)
        both = (mine.holding != UNKNOWN) & (theirs.holding != UNKNOWN)
        union = np.where(mine.holding != UNKNOWN, mine.holding, theirs.holding)
        differ = both & (mine.holding != theirs.holding)
        clash = differ.any(axis=1) | _a_card_twice(union, mine.board)
        same_number = (mine.number == theirs.number) & (mine.number != UNKNOWN)
        numbered = (mine.number != UNKNOWN) & (theirs.number != UNKNOWN)
        same_table = (mine.table == theirs.table) & (mine.table != 0)
        certain = same_number & (mine.long | same_table)
        elsewhere = ~mine.long & (mine.table != theirs.table)
        elsewhere &= (mine.table != 0) & (theirs.table != 0)
        # Logs with all cards of tables numbered alike, such as two series of tournaments.
        alike = ~mine.long & (differ.sum(axis=1) >= _ENOUGH_DIFFER)
        apart = same_table & numbered & ~same_number
        others = (clash & (~certain | alike)) | elsewhere | apart
        wrong = clash & ~others
        if wrong.any():
            self._tell(theirs.rows(wrong), mine.rows(wrong), wrong[wrong])
        agree = ~clash & ~others
        self.merged += int(agree.sum())
        # Walks of which neither side shows cards are alike by chance.
        sure = agree & (mine.long | both.any(axis=1))
        pairs = np.stack([mine.log, theirs.log], axis=1)[sure]
        for (later, earlier), count in Counter(map(tuple, pairs.tolist())).items():
            self._shared.setdefault(later, Counter())[earlier] += count
        more = agree & ((mine.holding != UNKNOWN) & (theirs.holding == UNKNOWN)).any(axis=1)
        for k in np.flatnonzero(more).tolist():
            self._join(int(number[k]), union[k], int(mine.low_first[k]), both[k])
        # By their number, or many equal hands of one table would be compared each with each.
        return np.where(apart, mixed(mine.number.view(np.uint64)), others.astype(np.uint64))

    def _logs_of(
        self, file: npt.NDArray[np.int32], number: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """Number the logs that hands (n,) are of, given in the order of their files."""
        last_file, last_number, log = self._last
        files, numbers = np.append(last_file, file), np.append(last_number, number)
        begins = (files[1:] != files[:-1]) | (numbers[1:] < numbers[:-1])
        logs: npt.NDArray[np.int64] = log + np.cumsum(begins)
        self._last = (int(file[-1]), int(number[-1]), int(logs[-1]))
        return logs

    def _rivals(self, hands: HandBatch, views: _Views, fresh: _Rows, first: int) -> _Rows:
        """Return the earlier hands that fresh ones (k,) are views of, played otherwise; or -1."""
        timed = hands.played_at != NO_TIME
        has_time_or_file = timed | (hands.file != UNKNOWN)
        fresh_of = np.flatnonzero(((hands.number != UNKNOWN) & has_time_or_file)[fresh])
        rows = fresh[fresh_of]
        seating_key, timed, log, own = (
            _places(hands)[rows],
            timed[rows],
            views.log[rows],
            first + rows,
        )
        when = np.where(timed, hands.played_at[rows], log)
        keys, at, of = np.unique(
            mixed(seating_key + when.view(np.uint64)), return_index=True, return_inverse=True
        )
        there = self._places.numbers(keys)
        new = there == UNKNOWN
        self._places.add(keys[new], own[at[new]])
        there[new] = own[at[new]]
        rival = np.where(timed & (there[of] != own), there[of], UNKNOWN)
        for later in np.unique(log[~timed]).tolist():
            for earlier, shared in self._shared.get(later, {}).items():
                if shared < COPY:
                    continue
                mine = np.flatnonzero(~timed & (log == later))
                earlier_hands = self._places.numbers(
                    mixed(seating_key[mine] + np.int64(earlier).view(np.uint64))
                )
                differs = (earlier_hands != UNKNOWN) & (earlier_hands != own[mine])
                self._differing[later, earlier] += int(differs.sum())
                if shared >= _SAME * self._differing[later, earlier]:
                    rival[mine[differs]] = earlier_hands[differs]
        all_rivals = np.full(len(fresh), UNKNOWN, np.int64)
        all_rivals[fresh_of] = rival
        return all_rivals

    def _tell(self, theirs: _Views, mine: _Views, other_cards: npt.NDArray[np.bool_]) -> None:
        """Count contradictions (k,), and put the first ones in words."""
        self.contradictions += len(mine.line)
        for k in range(min(len(mine.line), _LISTED - len(self.told))):
            first, second = (_place(views, k, [*self._sources]) for views in (theirs, mine))
            self.told.append(Contradiction(first, second, _CARDS if other_cards[k] else _PLAY))

    def _join(
        self,
        number: int,
        holding: npt.NDArray[np.int16],
        low_first: int,
        is_told: npt.NDArray[np.bool_],
    ) -> None:
        """Let a hand have these holdings; ``is_told`` seats keep the order of their cards."""
        block = int(np.searchsorted(self._starts, number, side="right")) - 1
        views, row = self._views[block], number - self._starts[block]
        width = views.holding.shape[1]
        mask = int((is_told << np.arange(len(is_told))).sum())
        views.low_first[row] |= np.uint32(low_first & ~mask)
        views.holding[row] = holding[:width]
        self._amended.add(number)

    def _known(self, numbers: _Rows) -> _Views:
        """Return the kept facts of the hands with these numbers."""
        width = max((views.holding.shape[1] for views in self._views), default=0)
        blocks = np.searchsorted(self._starts, numbers, side="right") - 1
        columns: list[npt.NDArray[np.generic]] = []
        for name in _Views._fields:
            shape = (len(numbers), width) if name == "holding" else (len(numbers),)
            fill = UNKNOWN if name == "holding" else 0
            column = np.full(shape, fill, getattr(self._views[0], name).dtype)
            for block in np.unique(blocks).tolist():
                inside = blocks == block
                values = getattr(self._views[block], name)[numbers[inside] - self._starts[block]]
                if name == "holding":
                    column[inside, : values.shape[1]] = values
                else:
                    column[inside] = values
            columns.append(column)
        return _Views(*columns)  # type: ignore[arg-type]

    def _views_of(self, hands: HandBatch) -> _Views:
        tables = [
            _name_key(circumstances.table) & 0xFFFFFFFF if circumstances.table else 0
            for circumstances in hands.circumstances
        ]
        places = [self._sources.setdefault(name, len(self._sources)) for name in hands.sources]
        file = np.array([*places, UNKNOWN], np.int32)[hands.file]
        width = max((views.holding.shape[1] for views in self._views), default=0)
        missing = max(0, width - hands.holding.shape[1])
        return _Views(
            holding=np.pad(hands.holding, ((0, 0), (0, missing)), constant_values=UNKNOWN),
            low_first=hands.low_first.copy(),
            board=_cards_of(hands),
            long=hands.dealt >= UNIQUE_BOARD,
            number=hands.number,
            table=np.array(tables, np.uint32)[hands.circumstances_of],
            log=self._logs_of(file, hands.number),
            file=file,
            line=hands.line,
        )


def whole_hands(
    batches: Iterable[tuple[HandBatch, Sequence[Skipped]]],
    seen: SeenHands,
    *,
    select: Callable[[HandBatch], HandBatch] = lambda batch: batch,
) -> Iterator[tuple[HandBatch, Sequence[Skipped]]]:
    """Yield each hand once, in order, with the cards that any of its views shows.

    ``select`` returns the hands of a batch that are compared. Nothing can be added to a hand whose
    cards are all known. From the first one that lacks cards on, hands are held, packed, until all
    views have been read.
    """
    held: list[tuple[Piece, _Rows]] = []
    for batch, skipped in batches:
        hands = select(batch)
        first = seen.taken
        rows = seen.fresh(hands)
        hands = hands.rows(rows) if len(rows) < len(hands) else hands
        if len(hands) and (held or _lacking(hands)):
            held.append((pack(hands), first + rows))
            hands = hands.rows([])
        if len(hands) or skipped:
            yield hands, skipped
    for piece, numbers in held:
        yield seen.completed(piece.rows(np.arange(len(piece))), numbers), ()


def _lacking(hands: HandBatch) -> bool:
    return bool(((hands.player != UNKNOWN) & (hands.holding == UNKNOWN)).any())


def _identities(hands: HandBatch, *, first: int) -> _Keys:
    """Hash what identifies each hand, (n,), the same on every machine.

    Hands with neither a turn nor a number are distinguished by their time, or else by their line or
    row, counted from ``first``, and by the cards.
    """
    within = np.arange(len(hands.action)) - hands.start[hands.hand_of]
    acts = mixed(mixed(within.view(np.uint64)) + hands.action.view(np.uint64))
    running = np.concatenate([np.zeros(1, np.uint64), np.cumsum(acts, dtype=np.uint64)])
    key = mixed(running[hands.start[1:]] - running[hands.start[:-1]])
    key = mixed(key + hands.parts.view(np.uint64))
    names = np.array([*map(_name_key, hands.names), 0], dtype=np.uint64)
    # Seats that a smaller table does not have change nothing, however wide the batch is.
    for player, payoff in zip(hands.player.T, hands.payoff.T, strict=True):
        seated = mixed(key + names[player] + mixed(payoff.astype(np.int64).view(np.uint64)))
        key = np.where(player == UNKNOWN, key, seated)
    board = (np.arange(1, 6) <= hands.dealt[:, None]) * (hands.board + np.uint64(1))
    packed = (board << (np.arange(5, dtype=np.uint64) * np.uint64(6))).sum(axis=1, dtype=np.uint64)
    key = mixed(key + packed)
    short = hands.dealt < UNIQUE_BOARD
    numbered = hands.number != UNKNOWN
    row = np.arange(first, first + len(hands))
    place = np.where(hands.line == UNKNOWN, row, hands.line)
    timed = ~numbered & (hands.played_at != NO_TIME)
    identity = np.where(timed, hands.played_at, np.where(numbered, hands.number, -2 - place))
    own = mixed(identity.view(np.uint64) + timed.astype(np.uint64))
    for holding in hands.holding.T:
        cards = mixed(own + holding.astype(np.int64).view(np.uint64))
        own = np.where(numbered | timed | (holding == UNKNOWN), own, cards)
    return np.where(short, mixed(key + own), key)


def _places(hands: HandBatch) -> _Keys:
    """Hash the number, the table and the players in their seats of each hand, (n,)."""
    names = np.array([*map(_name_key, hands.names), 0], np.uint64)
    tables = np.array(
        [_name_key(circumstances.table) for circumstances in hands.circumstances], np.uint64
    )
    key = mixed(hands.number.view(np.uint64) + tables[hands.circumstances_of])
    for player in hands.player.T:
        key = np.where(player == UNKNOWN, key, mixed(key + names[player]))
    return key


def _cards_of(hands: HandBatch) -> _Keys:
    """Return the cards of each board as bits, (n,)."""
    there = np.arange(5) < hands.dealt[:, None]
    bits = np.where(there, np.uint64(1) << hands.board.astype(np.uint64), np.uint64(0))
    cards: _Keys = np.bitwise_or.reduce(bits, axis=1)
    return cards


def _a_card_twice(holding: npt.NDArray[np.int16], board: _Keys) -> npt.NDArray[np.bool_]:
    """Return whether any card is in two holdings (n, S), or in one and on the board (n,)."""
    used, twice = board.copy(), np.zeros(len(board), np.bool_)
    bits = _card_bits()
    for cards in (bits[seat] for seat in holding.T):
        twice |= (used & cards) != 0
        used |= cards
    return twice


@lru_cache(maxsize=1)
def _card_bits() -> _Keys:
    """Return the two cards of each holding as bits; none for an unknown one, which is the last."""
    both = np.uint64(1) << HOLDING_CARDS.astype(np.uint64)
    bits: _Keys = np.append(np.bitwise_or.reduce(both, axis=1), np.uint64(0))
    return bits


def _place(views: _Views, row: int, sources: Sequence[str]) -> str:
    file, line = int(views.file[row]), int(views.line[row])
    if file == UNKNOWN or line == UNKNOWN:
        number = int(views.number[row])
        return "another hand" if number == UNKNOWN else f"hand {number}"
    return f"{sources[file]} line {line}"


def mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Spread numbers over all 64 bits with the next of SplitMix64."""
    return mix(numbers + GOLDEN)


@lru_cache(_KEPT)
def _name_key(name: str) -> int:
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")
