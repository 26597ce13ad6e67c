"""ACPC logs read into columns: compiled for lines in the dealer's form, checked throughout.

The rules engine replays every hand, and its payoffs are compared with the log's, as in
`railbird.histories.acpc.log`. That reader takes over at each line that the compiled one leaves, and
reports what is wrong with it. So both readers yield the same hands and skip the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDING_CARDS, TEXT_OF_CARD
from railbird.errors import BadInput
from railbird.game import Betting, Rules, acpc_rules
from railbird.game.walk_kernels import SCRATCH, Answers
from railbird.histories.acpc import kernels
from railbird.histories.acpc.log import LogReader
from railbird.histories.columns import (
    NO_TIME,
    UNKNOWN,
    Circumstances,
    HandBatch,
    Numbered,
    batch_of,
    concat,
    in_parts,
    opened_vectors,
)
from railbird.histories.files import decoded
from railbird.histories.format import (
    ReadOptions,
    attempt,
    check_name,
    check_text,
    hand_or_skipped,
)
from railbird.histories.record import BadHand, HandRecord, Skipped
from railbird.histories.text_values import format_amount

MOST_HANDS: Final = 1 << 14
"""Maximum number of hands in a batch."""

_SLOTS: Final = 1 << 16
_MILLION: Final = 1_000_000


def read_batches(pieces: Iterable[bytes], options: ReadOptions) -> Iterator[HandBatch | Skipped]:
    """Read a match log, or several one after the other, in batches.

    ``pieces`` come from `railbird.histories.files.LogFile.pieces`. Hands and skipped lines are the
    same as those of `railbird.histories.acpc.log.read`.
    """
    reader = ColumnReader(options)
    for piece in pieces:
        for hands, skipped in reader.read(piece):
            yield from skipped
            if len(hands):
                yield hands


class ColumnsRead(NamedTuple):
    """A batch of hands, and what was skipped among them."""

    hands: HandBatch
    skipped: tuple[Skipped, ...]


class ColumnReader:
    """A log read piece by piece; `railbird.histories.files.LogFile.pieces` defines a piece."""

    def __init__(self, options: ReadOptions) -> None:
        self._reader = LogReader(options)
        self._file = options.file
        self._line = 1
        self._names = _NameFields()

    def read(self, piece: bytes) -> Iterator[ColumnsRead]:
        """Read a piece that ends with a line, keeping none of its text.

        Raises `railbird.errors.BadInput` as `railbird.histories.acpc.log.read` does.
        """
        text = np.frombuffer(piece, dtype=np.uint8)
        position = 0
        skipped: list[Skipped] = []
        while position < len(text):
            slow: list[HandRecord] = []
            fast, position = self._run(text, position, slow, skipped)
            batches = [batch for batch in (fast, batch_of(slow) if slow else None) if batch]
            if batches:
                yield ColumnsRead(concat(batches), tuple(skipped))
                skipped.clear()
        if skipped:
            yield ColumnsRead(batch_of([]), tuple(skipped))

    def _run(
        self,
        text: npt.NDArray[np.uint8],
        position: int,
        slow: list[HandRecord],
        skipped: list[Skipped],
    ) -> tuple[HandBatch | None, int]:
        """Read compiled until a line is left over or the arrays are full, then read such lines.

        Returns the hands read compiled, and where the next run begins.
        """
        fast: HandBatch | None = None
        rules = self._reader.rules
        if rules is not None:
            fast, position = self._compiled(text, position, rules)
            if fast is not None and len(fast) == MOST_HANDS:
                return fast, position
        while position < len(text) and len(slow) < MOST_HANDS:
            end = _end_of_line(text, position)
            line = decoded(text[position:end].tobytes())
            is_hand = line.startswith("STATE:")
            position = end
            record = attempt(line, self._reader.take, line, self._line)
            refused = partial(self._reader.refused, line)
            match record and hand_or_skipped(record, self._line, refused=refused):
                case HandRecord() as hand:
                    slow.append(hand)
                case Skipped() as skip:
                    skipped.append(skip)
            self._line += 1
            if not is_hand:
                break  # a comment may have named the game; hands are the compiled reader's again
            if self._reader.rules is not None:
                break
        return fast, position

    def _compiled(
        self, text: npt.NDArray[np.uint8], position: int, rules: Rules
    ) -> tuple[HandBatch | None, int]:
        opened = opened_vectors([rules])[0]
        seats = rules.seats
        out, answers = _room(MOST_HANDS, seats, len(text) - position)
        scratch = np.zeros(1, SCRATCH)
        hands, first_line = 0, self._line
        while True:
            log = kernels.Log(text, opened, max(rules.blinds), *self._names.arrays)
            why, position, line, hands = kernels.read_hands(
                log, position, self._line, scratch, hands, out, answers
            )
            self._line = line
            if why != kernels.NEW_NAMES or not self._add_names(text, position, seats):
                break
        if hands == 0:
            return None, position
        batch = self._batch(rules, out, answers, hands)
        self._reader.sums.add_all(batch.names, batch.player, _millionths(batch))
        self._reader.known.update(batch.names)
        assert self._line - first_line == hands
        return batch, position

    def _add_names(self, text: npt.NDArray[np.uint8], position: int, seats: int) -> bool:
        """Enter the names of the hand at a position; say whether to resume compiled."""
        line = text[position : _end_of_line(text, position)].tobytes()
        field = line.split(b":", 5)[5].rstrip(bytes(range(33)))
        try:
            players, comment = self._reader.players_of(decoded(field))
        except BadHand:
            return False
        return len(players) == seats and self._names.add(field, players, comment)

    def _batch(self, rules: Rules, out: kernels.Columns, answers: Answers, hands: int) -> HandBatch:
        actions = int(out.start[hands])
        chosen, field_of = np.unique(out.names[:hands], return_inverse=True)
        names: Numbered[str] = Numbered()
        comments: Numbered[Circumstances] = Numbered()
        fields = [self._names.fields[field] for field in chosen.tolist()]
        players = [[names(player) for player in field[0]] for field in fields]
        circumstances = [comments(Circumstances(comment=field[1])) for field in fields]
        payoff, parts = in_parts(out.payoff[:hands], rules.denominator)
        return HandBatch(
            rules=(rules,),
            rules_of=np.zeros(hands, np.int32),
            names=names.values(),
            player=np.array(players, dtype=np.int32)[field_of],
            holding=out.holding[:hands].copy(),
            low_first=out.low_first[:hands].copy(),
            board=out.board[:hands].copy(),
            dealt=out.dealt[:hands].copy(),
            start=out.start[: hands + 1].copy(),
            action=out.action[:actions].copy(),
            answers=Answers(*(column[:actions].copy() for column in answers)),
            payoff=payoff,
            parts=parts,
            number=out.number[:hands].copy(),
            played_at=np.full(hands, NO_TIME, np.int64),
            circumstances=comments.values(),
            circumstances_of=np.array(circumstances, dtype=np.int32)[field_of],
            sources=(self._file,),
            file=np.zeros(hands, np.int32),
            line=out.line[:hands].copy(),
        )


class _NameFields:
    """The fields of names seen in a log, as the kernel looks them up."""

    def __init__(self) -> None:
        self.fields: list[tuple[tuple[str, ...], str]] = []
        """Players by seat, and the comment behind them."""
        self._known = np.zeros(_SLOTS, dtype=np.int64)
        self._start = [0]
        self._text = bytearray()

    @property
    def arrays(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
        """Return the arguments of `railbird.histories.acpc.kernels.Log`."""
        start = np.array(self._start, dtype=np.int64)
        return self._known, start, np.frombuffer(bytes(self._text) or b"\0", dtype=np.uint8)

    def add(self, field: bytes, players: tuple[str, ...], comment: str) -> bool:
        """Enter a field unless the table is half full; return whether it was entered."""
        if 2 * len(self.fields) >= _SLOTS:
            return False
        text = np.frombuffer(field, dtype=np.uint8)
        kernels.add_names(self._known, text, 0, len(text), len(self.fields))
        self.fields.append((players, comment))
        self._text += field
        self._start.append(len(self._text))
        return True


def _room(hands: int, seats: int, actions: int) -> tuple[kernels.Columns, Answers]:
    """Make arrays for so many hands, with an action for every byte."""
    columns = kernels.Columns(
        start=np.zeros(hands + 1, np.int64),
        action=np.empty(actions, np.int64),
        number=np.empty(hands, np.int64),
        holding=np.empty((hands, seats), np.int16),
        low_first=np.empty(hands, np.uint32),
        board=np.empty((hands, 5), np.uint8),
        dealt=np.empty(hands, np.uint8),
        payoff=np.empty((hands, seats), np.int64),
        names=np.empty(hands, np.int32),
        line=np.empty(hands, np.int64),
    )
    answers = Answers(
        name=np.empty(actions, np.uint8),
        seat=np.empty(actions, np.uint8),
        street=np.empty(actions, np.uint8),
        amount=np.empty(actions, np.int64),
        to_call=np.empty(actions, np.int64),
        bets=np.empty(actions, np.uint8),
        pot=np.empty(actions, np.int64),
    )
    return columns, answers


def _end_of_line(text: npt.NDArray[np.uint8], position: int) -> int:
    """Return where the line at a position ends, its newline included."""
    step = 256
    while True:
        ends = np.flatnonzero(text[position : position + step] == ord("\n"))
        if len(ends):
            return position + int(ends[0]) + 1
        if position + step >= len(text):
            return len(text)
        step *= 16


def _millionths(batch: HandBatch) -> npt.NDArray[np.int64]:
    """Return payoffs as a log prints them, (n, S)."""
    parts = batch.parts[:, None]
    rounded: npt.NDArray[np.int64] = (2 * batch.payoff * _MILLION + parts) // (2 * parts)
    return rounded


# STATE lines of a batch of hands, laid out all at once.
#
# Every line is a row of a matrix of bytes, in which each field has the room of its longest text;
# taking out the places that were not filled leaves the lines. That is twenty times as fast as a
# line after the other, and needs no kernel to be compiled.


_Text = npt.NDArray[np.uint8]
"""(n, width) bytes of texts, 0 behind the end of each."""
_Numbers = npt.NDArray[np.int64]

_CARDS: Final = np.frombuffer("".join(TEXT_OF_CARD).encode(), dtype=np.uint8).reshape(-1, 2)
_LETTERS: Final = np.frombuffer(b"fccrr", dtype=np.uint8)
"""The letter that the dealer writes for each action, by the number of its name."""
_STREETS: Final = 4


def state_lines(hands: HandBatch) -> bytes:
    """Write hands as `railbird.histories.acpc.log.state_line` does, one line each.

    All must have a number, and be played by the ACPC's rules. Raises `railbird.errors.BadInput` for
    other rules, and for names and comments that would not read back.
    """
    for rules in hands.rules:
        if acpc_rules(rules) != rules:
            raise BadInput("a STATE line is for hands played by the ACPC's rules")
    for name in hands.names:
        check_name(name, "|", " #", "\0")
    for beside in hands.circumstances:
        check_text(beside.comment, "a comment")
        if "\0" in beside.comment:
            raise BadInput(f"a comment {beside.comment!r}")
    if not len(hands):
        return b""
    seats = hands.seats
    comments = [
        f" # {circumstances.comment}" if circumstances.comment else ""
        for circumstances in hands.circumstances
    ]
    fields = [
        *_fixed(len(hands), "STATE:"),
        _digits(hands.whole_number),
        *_fixed(len(hands), ":"),
        _betting(hands),
        *_fixed(len(hands), ":"),
        *_holes(hands, seats),
        *_board(hands),
        *_fixed(len(hands), ":"),
        *_between(_payoffs(hands), seats),
        *_fixed(len(hands), ":"),
        *_between(_spread(hands.names, hands.player), seats),
        *_spread(comments, hands.circumstances_of[:, None]),
        *_fixed(len(hands), "\n"),
    ]
    lines = np.concatenate(fields, axis=1)
    text: bytes = lines[lines != 0].tobytes()
    return text


def _fixed(count: int, text: str) -> list[_Text]:
    return [np.broadcast_to(np.frombuffer(text.encode(), dtype=np.uint8), (count, len(text)))]


def _digits(numbers: _Numbers) -> _Text:
    """Write whole numbers, right-aligned."""
    width = len(str(numbers.max(initial=0)))
    powers = 10 ** np.arange(width - 1, -1, -1)
    shown = (numbers[:, None] >= powers) | (powers == 1)
    return np.where(shown, ord("0") + numbers[:, None] // powers % 10, 0).astype(np.uint8)


def _spread(texts: Sequence[str], of: npt.NDArray[np.integer]) -> list[_Text]:
    """Return for each column of indices the texts, left-aligned; nothing at -1."""
    encoded = [text.encode() for text in texts]
    width = max(map(len, encoded), default=0)
    table = np.frombuffer(b"".join(text.ljust(width, b"\0") for text in [*encoded, b""]), np.uint8)
    rows = table.reshape(len(encoded) + 1, width)
    return [rows[column] for column in of.T]


def _between(columns: Sequence[_Text], seats: _Numbers) -> list[_Text]:
    """Put a bar between what belongs to a hand's seats, and nothing beyond them."""
    fields = [columns[0]]
    for seat, column in enumerate(columns[1:], 1):
        there = (seat < seats)[:, None]
        bar = np.where(there, np.uint8(ord("|")), np.uint8(0))
        fields += [bar, np.where(there, column, np.uint8(0))]
    return fields


def _holes(hands: HandBatch, seats: _Numbers) -> list[_Text]:
    columns = []
    for seat, holding in enumerate(hands.holding.T):
        low, high = np.sort(HOLDING_CARDS[holding], axis=1).T
        low_first = (hands.low_first >> np.uint32(seat)) & 1 == 1
        first, second = np.where(low_first, low, high), np.where(low_first, high, low)
        text = np.concatenate([_CARDS[first], _CARDS[second]], axis=1)
        columns.append(np.where((holding == UNKNOWN)[:, None], np.uint8(0), text))
    return _between(columns, seats)


def _board(hands: HandBatch) -> list[_Text]:
    fields = []
    for first, stop in ((0, 3), (3, 4), (4, 5)):
        cards = _CARDS[hands.board[:, first:stop]].reshape(len(hands), -1)
        text = np.concatenate([*_fixed(len(hands), "/"), cards], axis=1)
        fields.append(np.where((hands.dealt >= stop)[:, None], text, np.uint8(0)))
    return fields


def _betting(hands: HandBatch) -> _Text:
    """Write the betting: a slash for each street dealt, in no-limit the hand's total of a raise."""
    answers, hand = hands.answers, hands.hand_of
    street = answers.street.astype(np.int64)
    sized = np.array([rules.betting is not Betting.LIMIT for rules in hands.rules])
    raised = (hands.action > 0) & sized[hands.rules_of][hand]
    total = np.where(raised, _before(hands) + hands.action, 0)
    digits = np.zeros(len(total), np.int64)
    for digit in range(len(str(total.max(initial=0)))):
        digits += raised & (total >= 10**digit)
    slashes = np.diff(street, prepend=0)
    first = hands.start[:-1][np.diff(hands.start) > 0]
    slashes[first] = street[first]
    ends = np.cumsum(slashes + 1 + digits)
    offsets = np.concatenate([[0], ends])[hands.start]
    # A hand whose players were all-in by their blinds has no action.
    reached = np.zeros(len(hands), np.int64)
    reached[hand] = street
    after = np.maximum(hands.dealt.astype(np.int64) - 2, 0) - reached
    lengths = np.diff(offsets)
    text = np.zeros((len(hands), int((lengths + after).max())), np.uint8)
    text[np.arange(text.shape[1]) < (lengths + after)[:, None]] = ord("/")
    letters = ends - digits - 1 - offsets[hand]
    text[hand, letters] = _LETTERS[answers.name]
    for digit in range(int(digits.max(initial=0))):
        there = digits > digit
        at = letters[there] + digits[there] - digit
        text[hand[there], at] = ord("0") + total[there] // 10**digit % 10
    return text


def _before(hands: HandBatch) -> _Numbers:
    """Return the chips that each actor put in on earlier streets, (m,); before the flop none."""
    street, seat, hand = hands.answers.street, hands.answers.seat, hands.hand_of
    # What a seat has on a street after its last action there; whoever acts again has acted on each.
    put_in = np.zeros((len(hands), _STREETS, hands.player.shape[1]), np.int64)
    put_in[hand, street, seat] = hands.answers.amount
    before: _Numbers = (np.cumsum(put_in, axis=1) - put_in)[hand, street, seat]
    antes = np.zeros((len(hands.rules), put_in.shape[2]), np.int64)
    for row, rules in zip(antes, hands.rules, strict=True):
        row[: len(rules.antes)] = rules.antes
    before += np.where(street > 0, antes[hands.rules_of][hand, seat], 0)
    return before


def _payoffs(hands: HandBatch) -> list[_Text]:
    """Write payoffs by seat, as few different ones as there are."""
    pairs = np.stack([hands.payoff, np.broadcast_to(hands.parts[:, None], hands.payoff.shape)])
    distinct, of = np.unique(pairs.reshape(2, -1), axis=1, return_inverse=True)
    texts = [format_amount(Fraction(chips, parts)) for chips, parts in distinct.T.tolist()]
    return _spread(texts, of.reshape(hands.payoff.shape))
