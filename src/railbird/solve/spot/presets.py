"""Ranges and pots of common spots at six seats with 100 big blinds, to begin with.

They are Railbird's own estimate of what regular players do, from no published chart and no
solution: a starting point to be edited. A big blind is ten chips. Openers raise to 2.5 big blinds,
the small blind to 3; three-bets are to 7.5 big blinds in position, 11 out of position, 9 from the
big blind against the small one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BIG_BLIND: Final = 10
"""Chips of a big blind in the presets."""

_STACK: Final = 1000

SOURCE: Final = "Railbird's own estimate, from no published chart: a starting point to be edited"


@dataclass(frozen=True, slots=True)
class Preset:
    """A pot that two players see the flop of."""

    name: str
    short: str
    """Its seats in letters."""
    title: str
    oop: str
    """Range of the first to act."""
    ip: str
    paid: int
    """Chips that each has put in before the flop."""
    dead: int
    """Chips of players who have folded."""

    @property
    def kind(self) -> str:
        """What kind of pot it is."""
        return "Three-bet pots" if self.name.endswith("-3") else "Single-raised pots"

    @property
    def pot(self) -> int:
        """Chips in the pot on the flop."""
        return 2 * self.paid + self.dead

    @property
    def stack(self) -> int:
        """Chips behind."""
        return _STACK - self.paid


_LOJACK: Final = (
    "66+,55:0.5,A9s+,A5s-A3s,ATo:0.5,AJo+,KTs+,K9s:0.5,KQo,QTs+,J9s:0.5,JTs,T9s,98s:0.5"
)
_CUTOFF: Final = (
    "22+,A2s+,ATo+,A9o:0.5,"
    "K7s+,KTo:0.5,KJo+,Q9s+,QJo,J9s+,JTo:0.5,T8s+,97s:0.5,98s,87s,76s,65s,54s:0.5"
)
_BUTTON: Final = (
    "22+,A2s+,A4o+,A3o-A2o:0.5,K2s+,K9o+,K8o:0.5,Q4s+,Q9o+,J7s+,J9o+,T6s+,T9o,T8o:0.5,96s+,98o,85s+,"
    "75s+,64s+,53s+,43s"
)
_SMALL_BLIND: Final = (
    "22+,A2s+,A4o+,K2s+,K8o+,Q4s+,Q9o+,J6s+,J9o+,T6s+,T8o+,96s+,98o,85s+,75s+,64s+,54s"
)
_CALL_LOJACK: Final = (
    "JJ-22,AKo:0.5,AQs-A2s,AQo:0.75,AJo:0.5,K9s+,KQo:0.5,Q9s+,J9s+,T8s+,97s+,86s+,75s+,65s,54s"
)
_CALL_CUTOFF: Final = (
    "TT-22,AQs:0.5,AJs-A2s,AQo:0.75,AJo,ATo:0.75,KJs-K6s,KQs:0.5,KQo,KJo:0.5,Q8s+,QJo:0.5,J8s+,T7s+,96s+,"
    "86s+,75s+,64s+,54s"
)
_CALL_BUTTON: Final = (
    "99-22,TT:0.5,AJs:0.5,ATs-A6s,A5s-A2s:0.5,AQo:0.5,AJo-A8o,A7o-A5o:0.5,KQs:0.5,KJs-K2s,KQo-K9o,QJs:0.5,"
    "QTs-Q4s,QJo-Q9o,J7s+,J9o+,T6s+,T8o+,96s+,98o,85s+,87o:0.5,74s+,64s+,53s+,43s"
)
_CALL_SMALL_BLIND: Final = (
    "88-22,99:0.5,ATs-A2s,AJo-A2o,KJs-K2s,KQo-K8o,QTs-Q3s,QJo-Q9o,J6s+,J9o+,T6s+,T8o+,95s+,97o+,85s+,87o,"
    "74s+,63s+,53s+,43s"
)
_FLAT_BUTTON: Final = (
    "JJ-66,QQ:0.25,55-22:0.5,AKo:0.25,AQs,AJs,ATs,A9s:0.5,A5s:0.5,AQo:0.5,KQs,KJs,KTs:0.5,KQo:0.5,QJs,QTs,"
    "JTs,T9s,98s:0.5,87s:0.5,76s:0.5"
)
_THREE_BET_BIG_BLIND: Final = (
    "TT:0.5,JJ+,AQs+,AJs:0.5,AKo,AQo:0.5,A5s-A2s:0.5,KQs:0.5,KJs:0.25,QJs:0.5,JTs:0.25,T9s:0.25,76s:0.25,"
    "K9o:0.1,Q9o:0.1"
)
_THREE_BET_SMALL_BLIND: Final = (
    "TT+,99:0.75,88-77:0.5,ATs+,A9s:0.5,A5s-A4s:0.75,AQo+,AJo:0.75,KTs+,KQo:0.75,QTs+,JTs,T9s:0.5"
)
_THREE_BET_BUTTON: Final = (
    "QQ+,JJ:0.75,TT:0.5,AKs,AKo:0.75,AQs:0.5,AQo:0.5,AJo:0.25,A9s:0.25,A5s-A3s:0.5,KQo:0.25,K9s:0.25,"
    "KJs:0.25,QTs:0.25,T9s:0.25,76s:0.25"
)
_CALL_THREE_BET_BUTTON: Final = (
    "TT-55,JJ:0.75,QQ:0.25,44-22:0.5,AQs,AJs,ATs,A9s-A6s:0.5,A5s-A4s:0.75,AKo:0.25,AQo:0.75,AJo:0.25,KQs,KJs,"
    "KTs,K9s:0.5,KQo:0.5,QJs,QTs,Q9s:0.5,JTs,J9s:0.75,T9s,T8s:0.5,98s,87s:0.75,76s:0.75,65s:0.75,54s:0.5"
)
_CALL_THREE_BET_CUTOFF: Final = (
    "TT-66,JJ:0.75,QQ:0.25,55-22:0.25,AQs,AJs,ATs,A9s:0.25,A5s-A4s:0.5,AKo:0.25,AQo:0.5,KQs,KJs,KTs:0.75,"
    "KQo:0.25,QJs,QTs:0.75,JTs,T9s:0.75,98s:0.75,87s:0.5,76s:0.75,65s:0.5"
)

_OPEN: Final = 25
_DEAD_SMALL: Final = 5

PRESETS: Final = {
    each.name: each
    for each in (
        Preset(
            "lj-bb",
            "LJ - BB",
            "Lojack raises, big blind calls",
            _CALL_LOJACK,
            _LOJACK,
            _OPEN,
            _DEAD_SMALL,
        ),
        Preset(
            "co-bb",
            "CO - BB",
            "Cutoff raises, big blind calls",
            _CALL_CUTOFF,
            _CUTOFF,
            _OPEN,
            _DEAD_SMALL,
        ),
        Preset(
            "bu-bb",
            "BTN - BB",
            "Button raises, big blind calls",
            _CALL_BUTTON,
            _BUTTON,
            _OPEN,
            _DEAD_SMALL,
        ),
        Preset(
            "sb-bb",
            "SB - BB",
            "Small blind raises, big blind calls",
            _SMALL_BLIND,
            _CALL_SMALL_BLIND,
            30,
            0,
        ),
        Preset(
            "co-bu", "CO - BTN", "Cutoff raises, button calls", _CUTOFF, _FLAT_BUTTON, _OPEN, 15
        ),
        Preset(
            "bu-bb-3",
            "BB 3-bets BTN",
            "Big blind three-bets, button calls",
            _THREE_BET_BIG_BLIND,
            _CALL_THREE_BET_BUTTON,
            110,
            _DEAD_SMALL,
        ),
        Preset(
            "bu-sb-3",
            "SB 3-bets BTN",
            "Small blind three-bets, button calls",
            _THREE_BET_SMALL_BLIND,
            _CALL_THREE_BET_BUTTON,
            110,
            BIG_BLIND,
        ),
        Preset(
            "co-bu-3",
            "BTN 3-bets CO",
            "Button three-bets, cutoff calls",
            _CALL_THREE_BET_CUTOFF,
            _THREE_BET_BUTTON,
            75,
            15,
        ),
    )
}
"""By name: four single-raised pots with the big blind, one with the button, and three-bet pots."""
