"""A player of any game that bets according to what its cards are worth: `sensible`.

`tight` and `loki` play only hold'em, and better; `simple` has players that ignore their cards.

By sampling it estimates which share of the pot its hand wins against random cards of those still in
(`railbird.odds.variant_equity`), given all that it sees: its own cards, up cards and boards. The
samples do not depend on the seed, so the same cards are always worth the same. It judges the share
by its edge, the odds of the share over the odds of an equal share, because 40 % among four is
better than 60 % between two. It bets and raises from an edge that rises by street and with each
raise, calls if the share pays for the call with a margin that rises too, and otherwise folds. It
does not bluff and has no memory, so an opponent who notices that can fold to its raises.

In a draw it throws away by a fixed rule (`railbird.odds.discards_by_rule`), and takes everybody to
do so: who has drawn three cards has another hand than who stood pat. Where cards have to go it
keeps those with the largest share; before that it takes all to stay, so Irish is worth what Omaha
is.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.cards import Card, Variant
from railbird.game import Action, Call, Discard, Fold, HandState, Phase, Raise, View
from railbird.odds import discards_by_rule, share_after_draws, share_against_unknown
from railbird.players.explanation import Explanation, Reading, Requirement, action_words
from railbird.players.policy import Distribution, RangeDistribution, ask_each

_EDGES: Final = (
    (1.3, 1.9, 2.8, 4.0),
    (1.5, 2.6, 4.5, 8.0),
    (1.7, 3.2, 6.0, 10.0),
    (1.9, 4.0, 8.0, 14.0),
)
"""By street: the edge needed for the first bet or raise, the second, the third and later ones. A
game of five streets uses the last row twice. A blind is not a bet."""
_MARGINS: Final = (0.15, 0.25, 0.3, 0.35)
"""By number of bets on the street: how far a call's share must exceed the pot odds, as a part of
them."""
_BLIND_MARGIN: Final = 0.1
"""The same to call nothing but blinds, for a seat that posted none."""


class SensiblePlayer:
    """Bets and calls by the share of the pot that its cards win against random ones."""

    def reset(self, rng: np.random.Generator) -> None:
        """Do nothing: there is nothing to forget."""

    def act(self, view: View) -> Action:
        """Raise with an edge, call if the share pays for it, otherwise check or fold."""
        state = view.state
        if state.phase is Phase.DRAW:
            return _discard(view)
        share = _share(view)
        pot_sized = view.legal.nearest(state.bet + state.pot + state.to_call)
        if pot_sized is not None and _edge(share, state) >= _edge_needed(state):
            return Raise(pot_sized)
        stays = state.must_bring_in or share >= _share_needed(state)
        return Call() if stays else Fold()

    def distribution(self, view: View) -> Distribution:
        """Return its one action: it draws nothing."""
        return Distribution.certain(self.act(view))

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the answers for the given holdings."""
        return ask_each(self, view, holdings)

    def plays(self, variant: Variant) -> bool:
        """Return True: it plays every game."""
        return True

    def explain(self, view: View) -> Explanation:
        """Explain the answer to a view; it depends on nothing else."""
        if view.state.phase is Phase.DRAW:
            return _explained_discard(view)
        state, share, taken = view.state, _share(view), self.act(view)
        rows: list[tuple[str, str, type[Action]]] = []
        if state.min_raise_to is not None:
            name = "raise" if state.bet else "bet"
            rows.append((name, f"an edge of {_edge_needed(state):.2f}", Raise))
        if state.to_call:
            rows.append((f"call {state.to_call}", f"a share of {_share_needed(state):.3f}", Call))
        rows.append(("fold", "nothing", Fold) if state.to_call else ("check", "nothing", Call))
        if state.must_bring_in:
            rows[-2:] = [(f"bring it in for {state.to_call}", "nothing", Call)]
        return Explanation(
            rule="It bets and calls by the share of the pot that its cards win against any others.",
            readings=(
                Reading(name="share of the pot", value=share, decimals=3),
                Reading(name="edge over an equal share", value=_edge(share, state), decimals=2),
                Reading(name="raises on the street", value=state.raises),
            ),
            requirements=tuple(
                [
                    Requirement(
                        action=action,
                        needed=needed,
                        actual="the rest"
                        if needed == "nothing"
                        else f"{_edge(share, state):.2f}"
                        if kind is Raise
                        else f"{share:.3f}",
                        decided=isinstance(taken, kind),
                    )
                    for action, needed, kind in rows
                ]
            ),
        )


def _discard(view: View) -> Discard:
    """Return what the fixed rule throws away, or all but the cards that are worth most."""
    variant = view.rules.variant
    if variant.discards:
        return Discard(_worst(view))
    left = sum(street.draw > 0 for street in variant.streets[view.state.street + 1 :])
    return Discard(discards_by_rule(variant, view.cards, left=left))


def _worst(view: View) -> tuple[Card, ...]:
    """Return the cards without which the others win the largest share."""
    variant, cards, boards = view.rules.variant, view.cards, view.state.boards
    rivals: list[tuple[Card, ...]] = [()] * (len(view.state.in_hand) - 1)

    def share(away: tuple[Card, ...]) -> float:
        rest = [card for card in cards if card not in away]
        return share_against_unknown(variant, rest, rivals, boards, dead=away)

    return max(combinations(cards, variant.discards), key=share)


def _explained_discard(view: View) -> Explanation:
    action = _discard(view)
    thrown, words = action.cards, action_words(action, view.state)
    row = Requirement(action=words, needed="nothing", actual="the rest", decided=True)
    return Explanation(
        rule="It keeps the cards that win the largest part of the pot against any others."
        if view.rules.variant.discards
        else "It throws away by a fixed rule, which looks at its own cards and the draws left.",
        readings=(Reading(name="cards thrown away", value=len(thrown)),),
        requirements=(row,),
    )


def _share(view: View) -> float:
    """Return the part of the pot that the own cards win against any others of those still in."""
    state, variant = view.state, view.rules.variant
    if variant.draws:
        drawn = [state.drawn[seat] for seat in state.in_hand if seat != view.seat]
        of_draws = [counts[1 : state.street + 1] for counts in drawn]
        return share_after_draws(variant, view.cards, of_draws, dead=state.discards[view.seat])
    up_cards, own, boards = state.up_cards, view.cards, state.boards
    if not variant.board_sizes[-1]:
        own, boards = (*own, *state.board), ()  # the last card may be one for all
    rivals = [up_cards[seat] for seat in state.in_hand if seat != view.seat]
    folded = [cards for seat, cards in enumerate(up_cards) if seat not in state.in_hand]
    dead = [card for cards in (*folded, state.discards[view.seat]) for card in cards]
    if len(own) > variant.hand_size:
        variant = variant.undiscarded
    while variant.has_bring_in and not _serves(variant, len(rivals), len(dead)):
        dead += rivals.pop()
    return share_against_unknown(variant, own, rivals, boards, dead=dead)


def _serves(variant: Variant, rivals: int, dead: int) -> bool:
    """Return whether the deck has all cards for so many hands: at a table of eight it may not."""
    return variant.hand_size * (1 + rivals) + dead <= len(variant.deck)


def _edge(share: float, state: HandState) -> float:
    """Return the odds of a share over the odds of an equal share."""
    return share * (len(state.in_hand) - 1) / max(1 - share, 1e-9)


def _edge_needed(state: HandState) -> float:
    row = _EDGES[min(state.street, len(_EDGES) - 1)]
    return row[min(state.raises, len(row) - 1)]


def _share_needed(state: HandState) -> float:
    if not state.to_call:
        return 0.0
    odds = state.to_call / (state.pot + state.to_call)
    bets = _MARGINS[min(state.street, len(_MARGINS) - 1)] * min(state.raises, len(_EDGES))
    return odds * (1 + (bets or _BLIND_MARGIN))
