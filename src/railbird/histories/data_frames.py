"""Hands as data frames, for analyses that have no function here: a row a hand, seat or action.

>>> from railbird.histories import read_hand
>>> found = frames([read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC")])
>>> found.actions.select("street", "seat", "action", "amount", "pot").row(6)
('turn', 0, 'bet', 20, 60)
>>> found.players["won"].to_list()
[110.0, -110.0]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird.cards import TEXT_OF_CARD
from railbird.errors import NothingUsable
from railbird.game import Rules, Street
from railbird.game.actions import ActionName
from railbird.histories.any_format import HandsLike, OnSkip, hands_from
from railbird.histories.columns import NO_TIME, UNKNOWN, HandBatch, batches_of
from railbird.histories.record import Skipped, SkipReason
from railbird.histories.same_hands import SeenHands, whole_hands
from railbird.progress import Progress

if TYPE_CHECKING:
    import polars as pl


class Frames(NamedTuple):
    """Hands as Polars data frames, joined by ``hand``, which counts from 0."""

    hands: pl.DataFrame
    """A row a hand: ``hand``, ``file`` and ``line`` where it stands (null for hands that were not
    read), ``number`` (the log's own), ``table``, ``played_at``, ``betting``, ``seats``,
    ``small_blind``, ``big_blind``, ``ante``, ``straddle`` (chips), ``currency`` and ``chip`` (what
    a chip is worth in it), ``board`` (in the order of dealing), ``actions`` (how many), ``rake``
    (chips)."""
    players: pl.DataFrame
    """A row a seat of a hand: ``hand``, ``seat``, ``player``, ``from_button`` (0 is the button, the
    blinds have the highest), ``cards`` (null if not known), ``stack`` (chips before any post; null
    if unlimited), ``won`` (chips, after rake), ``won_bb`` (big blinds) and ``house`` (chips that
    the house paid beside the pots, where a hand was sold or insured or money dropped; negative if
    it took more)."""
    actions: pl.DataFrame
    """A row an action, without the posts: ``hand``, ``action_number`` (from 0), ``street``,
    ``seat``, ``player``, ``action`` (fold, check, call, bet, raise), ``amount`` (chips that the
    seat then has in on this street), ``to_call`` (the cost of a call), ``pot`` (all chips in play
    before the action, those of this street included), ``bets`` (bets and raises on this street
    before it; a blind is one)."""


@checked
def frames(
    source: HandsLike,
    *,
    game: str | Rules | None = None,
    on_skip: OnSkip | None = None,
    progress: Progress | None = None,
) -> Frames:
    """Return the hands of logs, folders, archives, matches or records as data frames.

    A hand in several files counts once, with the cards that any of them shows, as everywhere in
    Railbird. ``game`` is for logs that do not name theirs. Unreadable hands,
    and views that contradict an earlier one of their hand, are passed to ``on_skip`` and left out.

    Raises `railbird.errors.BadInput` as `railbird.histories.read` does, `NothingUsable` if no hand
    could be read.
    """
    import polars as pl

    parts: list[Frames] = []
    count = 0
    for batch in whole_batches(source, game=game, on_skip=on_skip, progress=progress):
        parts.append(_frames_of(batch, count))
        count += len(batch)
    return Frames(*(pl.concat(tables) for tables in zip(*parts, strict=True)))


def whole_batches(
    source: HandsLike,
    *,
    game: str | Rules | None = None,
    on_skip: OnSkip | None = None,
    progress: Progress | None = None,
) -> Iterator[HandBatch]:
    """Give the hands of a source some thousand at a time, each hand once, as `frames` counts them.

    Raises what `frames` does.
    """
    hands = hands_from(source, game=game, progress=progress)
    seen, is_empty = SeenHands(), True
    for batch, skipped in whole_hands(batches_of(hands), seen):
        for skip in skipped:
            if on_skip is not None:
                on_skip(skip)
        if len(batch):
            is_empty = False
            yield batch
    if on_skip is not None:
        for skip in _contradictions(seen):
            on_skip(skip)
    if is_empty:
        raise NothingUsable("no hand could be read")


def _contradictions(seen: SeenHands) -> Iterator[Skipped]:
    """Give the contradictions that are known in words, then the number of the others."""
    details = [str(contradiction) for contradiction in seen.told]
    if more := seen.contradictions - len(details):
        details.append(f"{more:,} further views contradict a hand that was there already")
    return (Skipped(SkipReason.CONTRADICTED, 0, detail) for detail in details)


def _frames_of(batch: HandBatch, first: int) -> Frames:
    import polars as pl

    from railbird.histories.archive_rows import board_text, hole_texts, or_null, repeat_values

    number = first + np.arange(len(batch))
    rules, beside = batch.rules, batch.circumstances
    names = pl.Series(batch.names, dtype=pl.String)

    # A batch has many hands under few rules: each is looked at once, and spread by index.
    def of_rules(values: Iterable[int]) -> npt.NDArray[np.int64]:
        return np.array([*values], np.int64)[batch.rules_of]

    blinds = [
        sorted(int(post) for post in game_rules.blinds if post) or [0] for game_rules in rules
    ]
    is_read = batch.line != UNKNOWN
    file = repeat_values([*batch.sources, ""], np.where(is_read, batch.file, -1))
    moments = pl.Series(np.where(batch.played_at == NO_TIME, 0, batch.played_at))
    hands = pl.DataFrame(
        {
            "hand": number,
            "file": pl.select(pl.when(pl.lit(pl.Series(is_read))).then(pl.lit(file))).to_series(),
            "line": or_null(batch.line, is_read),
            "number": or_null(batch.whole_number, batch.whole_number != UNKNOWN),
            "table": repeat_values(
                [circumstances.table for circumstances in beside], batch.circumstances_of
            ),
            "played_at": or_null(moments, batch.played_at != NO_TIME).cast(pl.Datetime("us")),
            "betting": repeat_values(
                [game_rules.betting.value for game_rules in rules], batch.rules_of
            ),
            "seats": batch.seats.astype(np.int16),
            "small_blind": of_rules(posts[0] for posts in blinds),
            "big_blind": of_rules(int(game_rules.big_blind) for game_rules in rules),
            "ante": of_rules(int(max(game_rules.antes, default=0)) for game_rules in rules),
            "straddle": of_rules(int(game_rules.straddle) for game_rules in rules),
            "currency": repeat_values(
                [circumstances.currency for circumstances in beside], batch.circumstances_of
            ),
            "chip": np.array([float(circumstances.denomination) for circumstances in beside])[
                batch.circumstances_of
            ],
            "board": board_text(batch, list(TEXT_OF_CARD)),
            "actions": np.diff(batch.start),
            "rake": batch.rake,
        }
    )
    hand, seat = np.nonzero(batch.player != UNKNOWN)
    width = batch.player.shape[1]
    stacks = np.array([_stacks(game_rules, width) for game_rules in rules], np.int64)[
        batch.rules_of
    ]
    won = batch.chips
    big = of_rules(int(game_rules.big_blind) for game_rules in rules)
    players = pl.DataFrame(
        {
            "hand": number[hand],
            "seat": seat.astype(np.int16),
            "player": names.gather(batch.player[hand, seat]),
            "from_button": (batch.seats[hand] - 1 - seat).astype(np.int16),
            "cards": hole_texts(batch).gather(hand * width + seat),
            "stack": or_null(stacks[hand, seat], stacks[hand, seat] >= 0),
            "won": won[hand, seat],
            "won_bb": (won / big[:, None])[hand, seat],
            "house": _house(batch, width)[hand, seat],
        }
    )
    answers, of = batch.answers, batch.hand_of
    actions = pl.DataFrame(
        {
            "hand": number[of],
            "action_number": np.arange(len(of)) - batch.start[of],
            "street": repeat_values([street.name.lower() for street in Street], answers.street),
            "seat": answers.seat.astype(np.int16),
            "player": names.gather(batch.player[of, answers.seat]),
            "action": repeat_values([name.word for name in ActionName], answers.name),
            "amount": answers.amount,
            "to_call": answers.to_call,
            "pot": answers.pot,
            "bets": answers.bets.astype(np.int16),
        }
    )
    return Frames(hands, players, actions)


def _house(batch: HandBatch, width: int) -> Floats:
    """Return the chips of the house beside the pots, (n, S)."""
    chips = np.zeros((len(batch.circumstances), width))
    for place, beside in enumerate(batch.circumstances):
        chips[place, : len(beside.house)] = list(map(float, beside.house))
    of_hand: Floats = chips[batch.circumstances_of]
    return of_hand


def _stacks(rules: Rules, width: int) -> Sequence[int]:
    """Return the stacks by seat, -1 where they are unlimited and for seats that there are not."""
    stacks = [*map(int, rules.stacks or (-1,) * rules.seats)]
    return stacks + [-1] * (width - len(stacks))
