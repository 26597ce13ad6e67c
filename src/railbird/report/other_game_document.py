"""One person's play in a game that is not hold'em: the result, the luck in it, the hands that cost.

`play_document` has the same for hold'em, whose decisions can be judged besides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import polars as pl

from railbird.assessment.player_luck import player_luck
from railbird.report.document import Document, ReplayedHand, Section, Table, hand_anchor
from railbird.report.hand_digest import number_apart
from railbird.report.luck_sections import (
    luck_graph,
    luck_key,
    luck_sentence,
    luck_table,
    result_sentence,
)
from railbird.report.number_format import cards_text, counted, display_name, signed
from railbird.report.street_document import street_document

if TYPE_CHECKING:
    from railbird.assessment.other_games import OtherGameAssessment
    from railbird.assessment.player_luck import PlayerLuck
    from railbird.histories import HandRecord

LISTED: Final = 10
"""Hands that cost most, and those that brought most, in a report."""


def luck_in_other_game(assessed: OtherGameAssessment, player: str) -> PlayerLuck | None:
    """Return a player's luck, as the fitted estimate takes it out; None where cards are hidden."""
    if assessed.headline != "fitted":
        return None
    own = assessed.rows.filter(pl.col("player") == player)
    taken = own.select(cards=pl.col("money") - pl.col("fitted"))
    return player_luck(own["money"].to_numpy(), taken, unit=assessed.unit, all_cards=True)


def hands_of_note(assessed: OtherGameAssessment, player: str) -> pl.DataFrame:
    """Return the hands in which a player lost most and won most, the largest loss first.

    Columns: ``row`` of the hand, ``money`` and, null where cards are hidden, ``luck``, both in the
    unit of the assessment.
    """
    own = assessed.rows.filter(pl.col("player") == player).sort("money", "row")
    chosen = pl.concat([own.head(LISTED), own.tail(max(0, min(LISTED, len(own) - LISTED)))])
    return chosen.select("row", "money", luck=pl.col("money") - pl.col("fitted"))


def other_game_document(
    assessed: OtherGameAssessment,
    player: str,
    records: Mapping[int, HandRecord],
    name_of: Callable[[HandRecord], str],
) -> Document:
    """Return the report; ``records`` has the hands of `hands_of_note` by row.

    ``name_of`` names a hand in lists.
    """
    decides = assessed.headline
    mean = assessed.estimates[player][decides]
    luck = luck_in_other_game(assessed, player)
    game = f"{assessed.betting.value} {assessed.variant.title}"
    lead = [result_sentence(player, mean, decides), luck_sentence(luck)]
    return Document(
        title=f"{display_name(player)} in {game}",
        lead=" ".join(filter(None, lead)),
        sections=[
            Section(
                key=tuple(luck_key(luck, assessed.estimates[player]["money"])),
                figures=() if luck is None else (luck_graph(luck, player),),
                words=f"{counted(mean.n)} of {game}. {assessed.reason.capitalize()}.",
            ),
            *([] if luck is None else [luck_table(luck)]),
            *_hands(assessed, player, records, name_of),
        ],
        footer="Decisions are judged in hold'em alone.",
    )


def _hands(
    assessed: OtherGameAssessment,
    player: str,
    records: Mapping[int, HandRecord],
    name_of: Callable[[HandRecord], str],
) -> list[Section]:
    chosen = hands_of_note(assessed, player).to_dicts()
    rows: list[Sequence[str]] = []
    replays: list[ReplayedHand] = []
    for hand in chosen:
        record = records[hand["row"]]
        name = name_of(record)
        own = record.cards[record.players.index(player)]
        cards = cards_text([card for card in own if card is not None])
        boards = " | ".join(cards_text(board) for board in (record.board, *record.more_boards))
        won = signed(hand["money"], 1)
        rows.append(
            (name, cards, boards, won, "" if hand["luck"] is None else signed(hand["luck"], 1))
        )
        replays.append(
            ReplayedHand(
                name=f"Hand {name}{number_apart(record)}",
                anchor=hand_anchor(hand["row"]),
                amount=f"{won} {assessed.unit}",
                cards=cards,
                sections=street_document(record).sections,
            )
        )
    heads = ("hand", "cards", "board", f"won, {assessed.unit}", f"luck, {assessed.unit}")
    empty = [column for column in (2, 4) if not any(row[column] for row in rows)]
    table = Table(heads, rows).without(empty)
    return [
        Section(
            heading="Hands that lost most and won most",
            table=table,
            places=[(hand["row"], None) for hand in chosen],
            note="Luck is what the cards of all seats gave, less what they give on average.",
        ),
        Section(heading="The hands", hands=replays, page_only=True),
    ]
