"""Who won which share of the pots in games other than hold'em: high and low, board by board.

What each hand makes, in hold'em as well, is in `railbird.table.words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from railbird.cards import HOLDEM, PotShare, Variant, share_strength, variant_from
from railbird.protocol import messages


def variant_of(hand: messages.HandView) -> Variant:
    """Return the game of a hand. Raises `railbird.errors.BadInput` for one that is not known."""
    return variant_from(hand.variant or HOLDEM)


def hand_boards(hand: messages.HandView, over: messages.HandOver | None = None) -> list[list[str]]:
    """Return the boards of a hand: one, or two in some games and where the board was run twice."""
    second = hand.second_board if over is None else over.second_board or hand.second_board
    return [hand.board] if second is None else [hand.board, second]


@dataclass(frozen=True, slots=True, kw_only=True)
class WonShare:
    """A share of a pot after a showdown."""

    label: str
    """Such as High, Low, or Main pot, low."""
    seats: tuple[int, ...]
    """Who won it; empty if nobody's hand qualified."""

    def words(self, names: Sequence[str]) -> str:
        """Say who won it.

        >>> WonShare(label="Low", seats=(0, 2)).words(["ann", "bob", "cid"])
        'Low: ann and cid'
        """
        winners = " and ".join(names[seat] for seat in self.seats)
        return f"{self.label}: {winners or 'nobody qualifies'}"


def won_shares(
    hand: messages.HandView,
    pots: Sequence[messages.PotView],
    boards: Sequence[Sequence[str]] | None = None,
) -> tuple[WonShare, ...]:
    """Return the winners of each share where there are several, after a showdown.

    ``boards`` are those of `hand_boards`, by default without a second run. Pots are told apart
    where they were won by different seats. A hand that was mucked was beaten in every share, so
    only known hands compete; of a board that was run twice nothing is said unless all are known.
    """
    variant, boards = variant_of(hand), hand_boards(hand) if boards is None else boards
    if len(variant.shares) * len(boards) < 2 or len(hand.board) < variant.board_sizes[-1]:
        return ()
    # A pot with one seat has no showdown, so that nothing can be said of its shares.
    contested = [pot.seats for pot in pots if len(pot.seats) > 1]
    if len(boards) > variant.boards and not all(
        hand.seats[seat].cards for seats in contested for seat in seats
    ):
        return ()
    won: list[WonShare] = []
    for place, board in enumerate(boards, 1):
        for share in variant.shares:
            names = (
                f"board {place}" if len(boards) > 1 else "",
                share.name if len(variant.shares) > 1 else "",
            )
            winners = [_best(share, hand, seats, board) for seats in contested]
            if len(set(winners)) == 1:  # most often: then pots need not be told apart
                won.append(WonShare(label=_label(*names), seats=winners[0]))
                continue
            for number, seats in enumerate(winners):
                label = _label(_pot_name(number, len(winners)), *names)
                won.append(WonShare(label=label, seats=seats))
    return tuple(won)


def _pot_name(number: int, pots: int) -> str:
    """Return what one of some pots is called."""
    return "side pot" + (f" {number}" if pots > 2 else "") if number else "main pot"


def _label(*parts: str) -> str:
    words = ", ".join(filter(None, parts))
    return words[:1].upper() + words[1:]


def _best(
    share: PotShare, hand: messages.HandView, seats: Sequence[int], board: Sequence[str]
) -> tuple[int, ...]:
    """Return the seats whose known hands are best in a share; none where no hand qualifies."""
    strengths = {
        seat: share_strength(share, " ".join(cards), " ".join(board))
        for seat in seats
        if (cards := hand.seats[seat].cards)
    }
    most = max(strengths.values(), default=0)
    # A strength of nought means that the hand does not qualify, so the best of those wins nothing.
    return tuple(seat for seat, value in strengths.items() if most and value == most)
