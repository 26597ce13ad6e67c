"""Hands as rows of an archive: the schema, and conversion from and to columns.

Everything in a row can be read without Railbird: cards and betting are text, amounts are whole
numbers, and the rules are JSON. A batch becomes rows, and rows a batch, a column at a time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.cards import CARD_OF_TEXT, HOLDEM, TEXT_OF_CARD, Card, variant_from
from railbird.errors import BadInput, DamagedFile
from railbird.game import (
    Betting,
    OddChips,
    OpenFold,
    Rake,
    Rules,
    ShortAllIn,
    UncallableRaise,
    parse_rake,
)
from railbird.game import kernels as at
from railbird.game.walk_kernels import Answers
from railbird.histories.columns import (
    NO_TIME,
    UNKNOWN,
    Circumstances,
    HandBatch,
    Numbered,
    answers_of,
    number_code,
)
from railbird.histories.same_hands import UNIQUE_BOARD
from railbird.histories.text_values import HOLE_OF_TEXT
from railbird.units import Seat

# Rules as JSON, in which an archive keeps them.


_KEPT: Final = 1 << 14
_ENUMS: Final = {
    "betting": Betting,
    "short_all_in": ShortAllIn,
    "uncallable_raise": UncallableRaise,
    "odd_chips": OddChips,
    "open_fold": OpenFold,
}
_FIELDS: Final = tuple(Rules.__slots__)


@lru_cache(_KEPT)
def rules_text(rules: Rules) -> str:
    """Format rules as JSON; `parse_rules` reads them."""
    values = {name: getattr(rules, name) for name in _FIELDS if name != "variant"}
    if rules.variant is not HOLDEM:
        values["variant"] = rules.variant.name
    return json.dumps(values, default=_plain, separators=(",", ":"))


def _plain(value: Enum | Rake) -> str:
    return str(value) if isinstance(value, Rake) else value.value


@lru_cache(_KEPT)
def parse_rules(text: str) -> Rules:
    """Parse rules. Raises `railbird.errors.DamagedFile`."""
    try:
        values = json.loads(text)
        for name, value in values.items():
            if name in _ENUMS:
                values[name] = _ENUMS[name](value)
            elif name == "variant":
                values[name] = variant_from(value)
            elif name == "rake":
                values[name] = None if value is None else parse_rake(value)
            elif isinstance(value, list):
                values[name] = tuple(value)
        values["first_to_act"] = tuple(map(Seat, values["first_to_act"]))
        return Rules(**values)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedFile(f"no rules: {text[:60]!r}") from error


# Hands as rows.


SCHEMA: Final = pl.Schema(
    {
        "digest": pl.Binary(),
        "number": pl.Int64(),
        "number_text": pl.String(),
        "betting": pl.String(),
        "seats": pl.Int16(),
        "rules": pl.String(),
        "players": pl.List(pl.String()),
        "holes": pl.List(pl.String()),
        "board": pl.String(),
        "actions": pl.String(),
        "payoffs": pl.List(pl.Int64()),
        "parts": pl.Int64(),
        "rake": pl.Float64(),
        "table": pl.String(),
        "played_at": pl.Datetime("us"),
        "zoned": pl.Boolean(),
        "comment": pl.String(),
        "denomination": pl.String(),
        "currency": pl.String(),
        "tournament": pl.Boolean(),
        "play_money": pl.Boolean(),
        "more_boards": pl.String(),
        "house": pl.String(),
        "file": pl.String(),
        "line": pl.Int64(),
    }
)
"""The columns of an archive, each with its type.

``digest`` names what was played (`digests_of`); ``number_text`` is a number with letters, or of
more digits than ``number`` holds, else null; ``players``, ``holes`` (two cards in the order of
dealing, null if unknown) and ``payoffs`` are by seat; ``actions`` is ``f``, ``c``, and ``r`` with
the street's total; a payoff is chips times ``parts``, which is 1 unless a pot was split into parts
of a chip; ``rake`` is chips; ``played_at`` is UTC if ``zoned``, else the log's own clock;
``tournament`` says whether the hand is of one, and ``play_money`` whether it is for that; both are
null in archives from before they kept it; ``more_boards`` has the boards of further runs,
separated by blanks, and ``house`` the chips by seat that the house paid beside the pots, separated
by commas; both are null if there are none.
"""


_NULLABLE: Final = (
    *("number", "number_text", "played_at", "tournament", "play_money"),
    *("more_boards", "house"),
)
_BOARD: Final = 5
_DIGITS: Final = 18
"""Most digits of an amount that an integer of 64 bits holds, whatever they are."""
_LETTERS: Final = np.frombuffer(b"fcr", dtype=np.uint8)
_NOT_ACTIONS: Final = "actions that are none"


def rows_of(hands: HandBatch) -> pl.DataFrame:
    """Return hands as rows, in order."""
    if not len(hands):
        return pl.DataFrame(schema=SCHEMA)
    rules, beside = hands.rules, hands.circumstances
    texts = _Texts(hands)
    moments = pl.Series(np.where(hands.played_at == NO_TIME, 0, hands.played_at))
    columns = {
        "digest": pl.Series(_digests_of(hands, texts), dtype=pl.Binary),
        "number": or_null(hands.whole_number, hands.whole_number != UNKNOWN),
        "number_text": repeat_values(
            [circumstances.number or None for circumstances in beside], hands.circumstances_of
        ),
        "betting": repeat_values(
            [game_rules.betting.value for game_rules in rules], hands.rules_of
        ),
        "seats": hands.seats.astype(np.int16),
        "rules": repeat_values(list(map(rules_text, rules)), hands.rules_of),
        "players": texts.players,
        "holes": texts.by_seat(hole_texts(hands)),
        "board": texts.board,
        "actions": texts.actions,
        "payoffs": texts.by_seat(pl.Series(hands.payoff.ravel())),
        "parts": hands.parts,
        "rake": hands.rake,
        "table": repeat_values(
            [circumstances.table for circumstances in beside], hands.circumstances_of
        ),
        "played_at": or_null(moments, hands.played_at != NO_TIME),
        "zoned": np.array([kind.zoned for kind in beside], np.bool_)[hands.circumstances_of],
        "comment": repeat_values([kind.comment for kind in beside], hands.circumstances_of),
        "denomination": repeat_values(
            [str(kind.denomination) for kind in beside], hands.circumstances_of
        ),
        "currency": repeat_values([kind.currency for kind in beside], hands.circumstances_of),
        "tournament": pl.Series([kind.tournament for kind in beside], dtype=pl.Boolean).gather(
            hands.circumstances_of
        ),
        "play_money": pl.Series([kind.play_money for kind in beside], dtype=pl.Boolean).gather(
            hands.circumstances_of
        ),
        "more_boards": repeat_values(
            [_boards_text(kind.more_boards) for kind in beside], hands.circumstances_of
        ),
        "house": repeat_values(
            [",".join(map(str, kind.house)) or None for kind in beside], hands.circumstances_of
        ),
        # What no file told has line 0.
        "file": repeat_values(
            [*hands.sources, ""], np.where(hands.line == UNKNOWN, -1, hands.file)
        ),
        "line": np.where(hands.line == UNKNOWN, 0, hands.line),
    }
    return pl.DataFrame(columns).cast(SCHEMA)


def batch_of_rows(rows: pl.DataFrame) -> HandBatch:
    """Return the hands of rows, in order.

    Raises `railbird.errors.DamagedFile` for rows that are not an archive's, and for a hand that
    does not match its stored digest: Parquet as Polars writes it has no checksums.
    """
    try:
        rows = rows.select(SCHEMA.names()).cast(SCHEMA)
        hands = _batch(rows)
        stored, digests = rows["digest"].to_list(), digests_of(hands)
        if stored != digests and stored != (digests := _older_digests(stored, digests, hands)):
            changed = next(i for i, digest in enumerate(digests) if digest != stored[i])
            number, file, line = rows.select("number", "file", "line").row(changed)
            raise DamagedFile(f"hand {number} from {file}, line {line} has changed")
        answers = answers_of(hands.rules, hands.rules_of, hands.start, hands.action)
        return replace(hands, answers=answers)
    except DamagedFile:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise _damaged(f"{type(error).__name__} {error}") from error
    except pl.exceptions.PolarsError as error:
        raise _damaged(str(error).partition("\n")[0]) from error
    except BadInput as error:
        raise _damaged(str(error)) from error


class _Texts:
    """Columns of text that rows and digests share."""

    def __init__(self, hands: HandBatch) -> None:
        self._seats = pl.Series(hands.seats)
        self._width = hands.player.shape[1]
        self.players = self.by_seat(repeat_values(hands.names, hands.player.ravel()))
        self.board = board_text(hands, list(TEXT_OF_CARD))
        self.actions = _actions_text(hands)

    def by_seat(self, values: pl.Series) -> pl.Series:
        """Return values (n * S,) as lists of as many as each hand has seats."""
        wide = values.reshape((-1, self._width)).arr.to_list()
        return pl.select(pl.lit(wide).list.head(pl.lit(self._seats))).to_series()


def digests_of(hands: HandBatch) -> list[bytes]:
    """Return 16 bytes for each hand that identify players, cards, betting, payoffs and number.

    A hand without a number is unique only if it has a turn. Otherwise its time is part of the
    digest, or else its line, as in `railbird.histories.same_hands`, since all walks look the same.
    A hand has the same digest whichever format it was read from, though formats differ in what they
    tell about the table and its rules.
    """
    return _digests_of(hands, _Texts(hands)) if len(hands) else []


def _older_digests(stored: list[bytes], current: list[bytes], hands: HandBatch) -> list[bytes]:
    """Return digests with those of archives in which time and line were no part of them."""
    older = _digests_of(hands, _Texts(hands), placed=False)
    return [
        old if stored_digest == old else new
        for stored_digest, old, new in zip(stored, older, current, strict=True)
    ]


def _place_text(hands: HandBatch) -> pl.Series:
    """Return the time, else the line, of hands that nothing else tells apart; else empty."""
    timed, read = hands.played_at != NO_TIME, hands.line != UNKNOWN
    alike = (hands.number == UNKNOWN) & (hands.dealt < UNIQUE_BOARD)
    times = _text_or_empty(pl.Series(hands.played_at), alike & timed)
    lines = _text_or_empty(pl.Series(hands.line), alike & ~timed & read)
    tails = pl.select(pl.concat_str(pl.lit(times), pl.lit(lines))).to_series()
    return pl.Series([f"\x1f{tail}" if tail else "" for tail in tails.to_list()], dtype=pl.String)


def _digests_of(hands: HandBatch, texts: _Texts, *, placed: bool = True) -> list[bytes]:
    holding, parts = pl.Series(hands.holding.ravel()), hands.parts
    holding_texts = _text_or_empty(holding, hands.holding.ravel() != UNKNOWN)
    payoffs = _texts_joined(texts.by_seat(pl.Series(hands.payoff.ravel()).cast(pl.String)))
    if (parts != 1).any():
        seats = hands.seats
        exact = payoffs.to_list()
        for i in np.flatnonzero(parts != 1).tolist():
            paid = hands.payoff[i, : seats[i]].tolist()
            exact[i] = ",".join([str(Fraction(chips, int(parts[i]))) for chips in paid])
        payoffs = pl.Series(exact, dtype=pl.String)
    text = pl.select(
        pl.concat_str(
            pl.lit(_text_or_empty(pl.Series(hands.number), hands.number != UNKNOWN)),
            pl.lit(texts.players.list.join("\x1f")),
            pl.lit(_texts_joined(texts.by_seat(holding_texts))),
            pl.lit(board_text(hands, [f"{card:02x}" for card in range(len(TEXT_OF_CARD))])),
            pl.lit(texts.actions),
            pl.lit(payoffs),
            separator="\x1f",
        )
    ).to_series()
    if placed:
        text = text + _place_text(hands)
    return [
        hashlib.blake2b(hand_text.encode(), digest_size=16).digest() for hand_text in text.to_list()
    ]


def _damaged(problem: str) -> DamagedFile:
    return DamagedFile(f"no rows of an archive: {problem}")


def _texts_joined(texts: pl.Series) -> pl.Series:
    return texts.list.join(",")


def repeat_values(values: Sequence[str | None], of: npt.NDArray[np.integer]) -> pl.Series:
    """Return the values at these indices; -1 is the last one."""
    texts = pl.Series([*values, values[-1] if values else ""], dtype=pl.String)
    return texts.gather(np.where(of < 0, len(values), of))


def or_null(values: pl.Series | npt.NDArray[np.int64], known: npt.NDArray[np.bool_]) -> pl.Series:
    """Return values where they are known, null elsewhere."""
    return pl.select(pl.when(pl.lit(pl.Series(known))).then(pl.lit(pl.Series(values)))).to_series()


def _text_or_empty(values: pl.Series, known: npt.NDArray[np.bool_]) -> pl.Series:
    return or_null(values, known).cast(pl.String).fill_null("")


def hole_texts(hands: HandBatch) -> pl.Series:
    """Return what each seat holds as text, (n * S,); null where it is not known."""
    low = (hands.low_first[:, None] >> np.arange(hands.player.shape[1], dtype=np.uint32)) & 1
    place = np.where(hands.holding == UNKNOWN, 0, 2 * hands.holding.astype(np.int64) + low)
    texts = _holes().texts.gather(place.ravel())
    return or_null(texts, hands.holding.ravel() != UNKNOWN)


def board_text(hands: HandBatch, texts: Sequence[str]) -> pl.Series:
    """Return the board as text, (n,), of a text for each card; empty where none was dealt."""
    there = np.arange(_BOARD) < hands.dealt[:, None]
    card = pl.Series(["", *texts])
    place = np.where(there, hands.board.astype(np.int64) + 1, 0)
    return pl.select(pl.concat_str(*(pl.lit(card.gather(cards)) for cards in place.T))).to_series()


def _actions_text(hands: HandBatch) -> pl.Series:
    """Write actions as ``cr20cf``."""
    to = np.maximum(hands.action, 0)
    digits = np.zeros(len(to), np.int64)
    for digit in range(_DIGITS):
        digits += to >= 10**digit
    ends = np.cumsum(digits + 1)
    text = np.empty(int(ends[-1]) if len(ends) else 0, np.uint8)
    text[ends - digits - 1] = _LETTERS[np.minimum(hands.action, 1) + 1]
    for digit in range(int(digits.max(initial=0))):
        there = digits > digit
        text[ends[there] - 1 - digit] = ord("0") + to[there] // 10**digit % 10
    all_actions = text.tobytes().decode("ascii")
    stops = np.concatenate([[0], ends])[hands.start].tolist()
    return pl.Series([all_actions[a:b] for a, b in pairwise(stops)], dtype=pl.String)


def _batch(rows: pl.DataFrame) -> HandBatch:
    """Lay rows out as columns, all but what the actions answered."""
    if any(rows.select(pl.exclude(*_NULLABLE).is_null().any()).row(0)):
        raise _damaged("a column that lacks a value")
    rules, rules_of = _rules_of(rows["rules"])
    seats = np.array([game_rules.seats for game_rules in rules], np.int64)[rules_of]
    seated = np.arange(max((game_rules.seats for game_rules in rules), default=2)) < seats[:, None]
    names, player = _numbered(_listed(rows["players"], seats))
    holes = _listed(rows["holes"], seats).fill_null("").cast(pl.Enum(list(HOLE_OF_TEXT)))
    hole = holes.to_physical().to_numpy()
    low_first = _by_seat(_holes().low_first[hole], seated, 0)
    start, action = _read_actions(rows["actions"])
    board, dealt = _read_board(rows["board"])
    beside, beside_of = _circumstances_of(rows)
    sources, file = _numbered(rows["file"])
    line, parts = _integers(rows["line"]), _integers(rows["parts"])
    if (parts < 1).any():
        raise _damaged("parts of a chip that are none")
    if not rows["played_at"].drop_nulls().is_between(datetime.min, datetime.max).all():
        raise _damaged("a time of no year")  # Polars panics where it has to write one
    nothing = np.empty(0, np.uint8)
    none = np.empty(0, np.int64)
    return HandBatch(
        rules=rules,
        rules_of=rules_of,
        names=names,
        player=_by_seat(player, seated, UNKNOWN),
        holding=_by_seat(_holes().holding[hole], seated, UNKNOWN),
        low_first=(low_first << np.arange(seated.shape[1], dtype=np.uint32)).sum(
            axis=1, dtype=np.uint32
        ),
        board=board,
        dealt=dealt,
        start=start,
        action=action,
        answers=Answers(nothing, nothing, nothing, none, none, nothing, none),
        payoff=_by_seat(_listed(rows["payoffs"], seats).to_numpy(), seated, 0),
        parts=parts,
        number=_numbers(rows),
        played_at=_integers(rows["played_at"].cast(pl.Int64).fill_null(NO_TIME)),
        circumstances=beside,
        circumstances_of=beside_of,
        sources=sources,
        file=np.where(line == 0, UNKNOWN, file).astype(np.int32),
        line=np.where(line == 0, UNKNOWN, line),
    )


def _numbers(rows: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Return the numbers of hands as a batch has them."""
    numbers = _integers(rows["number"].fill_null(UNKNOWN))
    texts = rows["number_text"]
    for row in np.flatnonzero(texts.is_not_null().to_numpy()).tolist():
        numbers[row] = number_code(None, texts[row])
    return numbers


def _integers(column: pl.Series) -> npt.NDArray[np.int64]:
    """Copy a column, for kernels are compiled once more for arrays that cannot be written to."""
    return np.array(column.to_numpy(), dtype=np.int64)


def _numbered(texts: pl.Series) -> tuple[tuple[str, ...], npt.NDArray[np.int32]]:
    """Return the distinct texts in the order in which they come, and the number of each."""
    distinct = texts.unique(maintain_order=True)
    codes = texts.cast(pl.Enum(distinct)).to_physical().to_numpy()
    return tuple(distinct.to_list()), codes.astype(np.int32)


def _rules_of(texts: pl.Series) -> tuple[tuple[Rules, ...], npt.NDArray[np.int32]]:
    """Return the distinct rules; several texts may say the same ones."""
    distinct, codes = _numbered(texts)
    numbers: Numbered[Rules] = Numbered()
    of = np.array([numbers(parse_rules(text)) for text in distinct], np.int32)
    return numbers.values(), of[codes]


def _circumstances_of(
    rows: pl.DataFrame,
) -> tuple[tuple[Circumstances, ...], npt.NDArray[np.int32]]:
    flags = ("tournament", "play_money")
    texts = ("table", "comment", "denomination", "currency", "zoned", "number_text")
    names = (*texts, *flags, "more_boards", "house")
    code = np.zeros(rows.height, np.int64)
    for name in names:
        _, codes = _numbered(rows[name].cast(pl.String).fill_null(""))
        # Numbered anew each time, so that no product of counts can overflow.
        _, code = np.unique(code * (codes.max(initial=0) + 1) + codes, return_inverse=True)
    _, first, of = np.unique(code, return_index=True, return_inverse=True)
    circumstances = [
        Circumstances(
            table,
            comment,
            Fraction(denomination),
            currency,
            zoned,
            number or "",
            in_tournament,
            for_play_money,
            more_boards=tuple(_read_board_text(board) for board in (boards or "").split()),
            house=tuple(map(Fraction, house.split(","))) if house else (),
        )
        for (
            table,
            comment,
            denomination,
            currency,
            zoned,
            number,
            in_tournament,
            for_play_money,
            boards,
            house,
        ) in rows.select(names)[first].iter_rows()
    ]
    return tuple(circumstances), of.astype(np.int32)


def _boards_text(boards: Sequence[Sequence[Card]]) -> str | None:
    return " ".join("".join(TEXT_OF_CARD[card] for card in board) for board in boards) or None


def _read_board_text(text: str) -> tuple[Card, ...]:
    if len(text) != 2 * _BOARD:
        raise _damaged(f"a board of {text!r}")
    return tuple(CARD_OF_TEXT[text[place : place + 2]] for place in range(0, 2 * _BOARD, 2))


def _listed(lists: pl.Series, seats: npt.NDArray[np.int64]) -> pl.Series:
    """Return the elements of lists that have one for each seat, end to end."""
    if (lists.list.len().to_numpy() != seats).any():
        raise _damaged(f"{lists.name} for another number of seats")
    values = lists.explode() if len(lists) else lists.list.explode()
    if lists.name != "holes" and values.null_count():
        raise _damaged(f"{lists.name} that lack a value")
    return values


def _by_seat(
    values: npt.NDArray[Any], seated: npt.NDArray[np.bool_], beyond: int
) -> npt.NDArray[Any]:
    """Put values in the order of hands and seats into a rectangle."""
    wide = np.full(seated.shape, beyond, dtype=values.dtype)
    wide[seated] = values
    return wide


def _read_board(texts: pl.Series) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    size = texts.str.len_chars().to_numpy()
    if not np.isin(size, (0, 6, 8, 10)).all():
        raise _damaged("a board of another size")
    card = pl.Enum([*TEXT_OF_CARD, ""])
    cards = [texts.str.slice(2 * k, 2).cast(card).to_physical().to_numpy() for k in range(_BOARD)]
    dealt = (size // 2).astype(np.uint8)
    board = np.stack(cards, axis=1).astype(np.uint8)
    return np.where(np.arange(_BOARD) < dealt[:, None], board, 0).astype(np.uint8), dealt


def _read_actions(texts: pl.Series) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return where each hand's actions begin, and all actions in the engine's codes."""
    ends = np.concatenate([[0], np.cumsum(texts.str.len_bytes().to_numpy(), dtype=np.int64)])
    text = np.frombuffer("".join(texts.to_list()).encode(), dtype=np.uint8)
    is_letter = np.isin(text, _LETTERS)
    first = ends[:-1][ends[:-1] < ends[1:]]
    value = text.astype(np.int64) - ord("0")
    if not (is_letter | ((value >= 0) & (value <= 9))).all() or not is_letter[first].all():
        raise _damaged(_NOT_ACTIONS)
    letter = np.flatnonzero(is_letter)
    digits = np.diff(letter, append=len(text)) - 1
    is_raise = text[letter] == ord("r")
    if ((digits > 0) != is_raise).any() or digits.max(initial=0) > _DIGITS:
        raise _damaged(_NOT_ACTIONS)
    action = np.where(text[letter] == ord("f"), at.FOLD, at.CALL)
    for place in range(int(digits.max(initial=0))):
        there = digits > place
        action[there] = 10 * action[there] + value[letter[there] + 1 + place]
    if (action[is_raise] == 0).any():
        raise _damaged(_NOT_ACTIONS)
    before = np.concatenate([[0], np.cumsum(is_letter, dtype=np.int64)])
    return before[ends], action


class _Holes:
    """Two cards by number: the holding twice, and one more where the lower card came first."""

    def __init__(self) -> None:
        holes = list(HOLE_OF_TEXT.values())
        holding = [UNKNOWN if hole.holding is None else hole.holding for hole in holes]
        self.holding = np.array(holding, np.int16)
        """By number of the text in `HOLE_OF_TEXT`."""
        self.low_first = np.array([hole.low_first for hole in holes], np.uint32)
        order = np.argsort(2 * self.holding.astype(np.int64) + self.low_first, kind="stable")
        self.texts = pl.Series([list(HOLE_OF_TEXT)[i] for i in order[1:].tolist()])


@cache
def _holes() -> _Holes:
    return _Holes()
