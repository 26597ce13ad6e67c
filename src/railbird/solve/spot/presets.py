"""Ranges and pots of common heads-up no-limit spots with 100 big blinds, at six seats or at two.

The ranges are Railbird's own estimate of how regular players play, not a solution: a starting point
to edit. Published charts determined how many hands each range has, but not which. A big blind is
ten chips. Openers raise to 2.5 big blinds, the small blind to 3. Three-bets are to 7.5 big blinds
in position, to 11 out of position, and to 10 with two seats. The charts of `preflop_seats` for two
seats are not used: they limp two hands in five, and which hands raise is nearly chance there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from railbird.solve.spot.spot import STREETS

BIG_BLIND: Final = 10
"""Chips of a big blind in the presets."""

BLINDS_DEEP: Final = 100
"""Big blinds that each player begins with."""

USUAL_SIZES: Final = {
    "flop": {
        "flop_bets": "50%",
        "turn_bets": "75%",
        "river_bets": "75%",
        **{f"{street}_raises": "3x1r" for street in STREETS},
        **{f"{street}_donk": "-" for street in STREETS[1:]},
    },
    "turn": {
        "turn_bets": "33%, 75%",
        "turn_raises": "3x",
        "river_bets": "75%",
        "river_raises": "3x",
        "all_in_threshold": "1.5",
    },
    "river": {
        "river_bets": "33%, 75%, 150%",
        "river_raises": "3x",
        "all_in_threshold": "1.5",
    },
}
"""Lines of a spot's file, by the street on which it begins. From the flop on every street has one
raise, and there are no donk bets: the widest preset then takes 1,008 MB with 16 bits at six seats,
and 1,638 MB heads-up, where ranges are wider."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A pot in which two players see the flop."""

    name: str
    short: str
    """The abbreviations of its seats."""
    title: str
    oop: str
    """The range of the first to act."""
    ip: str
    paid: int
    """Chips that each player has put in before the flop."""
    dead: int
    """Chips of players who have folded."""
    source: str
    """Where its ranges come from, in a sentence."""
    seats: int = 6
    """Seats of the table."""

    @property
    def kind(self) -> str:
        """The kind of pot."""
        if self.seats == 2:
            return "Two seats, heads-up"
        return "Three-bet pots" if self.name.endswith("-3") else "Single-raised pots"

    @property
    def pot(self) -> int:
        """Chips in the pot on the flop."""
        return 2 * self.paid + self.dead

    @property
    def stack(self) -> int:
        """Chips behind."""
        return BLINDS_DEEP * BIG_BLIND - self.paid

    def lines(self) -> dict[str, str]:
        """Return the preset as lines of a spot's file."""
        return {
            "oop": self.oop,
            "ip": self.ip,
            "pot": str(self.pot),
            "stack": str(self.stack),
            "big_blind": str(BIG_BLIND),
        }


_LOJACK: Final = (
    "55+,44-22:0.25,A9s+,A8s-A6s:0.5,A5s-A3s,A2s:0.5,ATo+,K9s+,KQo,KJo:0.5,QTs+,Q9s:0.5,J9s+,T9s,98s,"
    "87s-65s:0.5"
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
    "77-22,K4s-K2s,Q7s-Q4s,J7s-T6s,T7s-74s,53s,43s,A8o,K9o,Q9o,JTo-98o,J9o-T8o,99-88:0.75,"
    "A9s-A6s:0.75,K8s-K5s:0.75,Q9s-Q8s:0.75,J9s-J8s:0.75,T8s-64s:0.75,AJo-A9o:0.75,KTo+:0.75,"
    "QTo+:0.75,TT:0.5,AJs-ATs:0.5,A5s-A2s:0.5,K9s+:0.5,QTs+:0.5,JTs-54s:0.5,AQo:0.5,A7o-A5o:0.5,"
    "87o:0.5"
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
    "JJ+,TT:0.5,99-88:0.25,AQs+,AJs-ATs:0.5,A9s-A6s:0.25,A5s-A2s:0.5,AKo,AQo:0.5,AJo-A9o:0.25,A5o-A4o:0.25,"
    "KQs-K9s:0.5,K8s-K5s:0.25,KQo-KTo:0.25,QJs-QTs:0.5,Q9s-Q8s:0.25,QJo-QTo:0.25,JTs:0.5,J9s-J8s:0.25,"
    "T9s-54s:0.5,T8s-64s:0.25"
)
_THREE_BET_SMALL_BLIND: Final = (
    "TT+,99:0.75,88-77:0.5,66:0.25,ATs+,A9s:0.5,A8s-A6s:0.25,A5s-A4s:0.75,A3s-A2s:0.5,AQo+,AJo:0.75,"
    "ATo:0.5,KTs+,K9s:0.5,KQo,KJo:0.5,QTs+,Q9s:0.25,JTs,J9s:0.5,T9s:0.5,98s:0.25,87s-54s:0.5"
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

_HEADS_UP_RAISE: Final = (
    "22+,A2s+,K2s+,Q2s+,J2s+,T2s+,92s+,84s+,74s+,63s+,52s+,42s+,A2o+,K2o+,Q2o+,J4o+,T5o+,95o+,85o+,"
    "75o+,65o,54o"
)
_HEADS_UP_CALL: Final = (
    "55-22,Q4s-Q2s,J6s-J2s,T6s-T4s,95s-84s,52s,42s+,A6o,Q9o-Q7o,J9o-86o,J8o-T7o,T9o-65o,77-66:0.75,"
    "A9s-A6s:0.75,K4s-K2s:0.75,Q9s-63s:0.75,Q8s-Q5s:0.75,J7s:0.75,97s-53s:0.75,A9o-A7o:0.75,"
    "A5o-A2o:0.75,KJo-K5o:0.75,QTo+:0.75,JTo:0.75,99-88:0.5,A5s-A2s:0.5,K9s-K5s:0.5,QJs-54s:0.5,"
    "QTs-T8s:0.5,ATo:0.5,KQo:0.5,K4o-K2o:0.5,Q6o:0.5,J7o:0.5,JJ-TT:0.25,AJs-ATs:0.25,KTs+:0.25,"
    "AQo-AJo:0.25"
)
_HEADS_UP_THREE_BET: Final = (
    "QQ+,JJ-TT:0.75,99-88:0.5,77-66:0.25,AQs+,AJs-ATs:0.75,A9s-A6s:0.25,A5s-A2s:0.5,AKo,AQo-AJo:0.75,"
    "ATo:0.5,A9o-A7o:0.25,A5o-A2o:0.25,KQs-KTs:0.75,K9s-K5s:0.5,K4s-K2s:0.25,KQo:0.5,KJo-KTo:0.25,"
    "K9o-K5o:0.25,QJs-QTs:0.5,Q9s-Q5s:0.25,QJo-QTo:0.25,JTs-J9s:0.5,J8s-J7s:0.25,JTo:0.25,"
    "T9s-T8s:0.5,T7s:0.25,98s-54s:0.5,97s-53s:0.25,96s-63s:0.25"
)
_HEADS_UP_CALL_THREE_BET: Final = (
    "JJ-33,QQ:0.5,22:0.5,AJs-A2s,AQs:0.75,AKs:0.25,AKo:0.5,AQo:0.75,AJo-A8o,A7o-A5o:0.5,KQs-K6s,"
    "K5s-K2s:0.5,KQo-KTo,K9o:0.5,QJs-Q7s,Q6s:0.5,QJo-QTo,Q9o:0.25,JTs-J8s,J7s:0.5,JTo,J9o:0.5,"
    "T9s-T7s,T9o:0.5,98s-97s,96s:0.5,98o:0.25,87s-86s,85s:0.5,76s-75s,65s-64s,54s,53s:0.5,43s:0.25"
)

_OPEN: Final = 25
_DEAD_SMALL: Final = 5

_ESTIMATE: Final = "Our own estimate, compared with no published chart"
_EARLY: Final = (
    "Our own estimate, widened from 13 to 16.5 % of hands for the lojack after a comparison with a "
    "published chart (N. Korolev, open raises at six seats), which opens 15 to 17 %"
)
_SMALL_BLIND_CHART: Final = (
    "Our own estimate, widened from 10 to 12.8 % of hands for the small blind after a comparison "
    "with a published chart (solvepoker.ai, small blind against a button's raise, 100 big blinds), "
    "which three-bets 13 %"
)
_HEADS_UP: Final = (
    "Our own estimate; the button raises 78 % of hands, beside 70 to 80 % in a published guide "
    "(PokerNews, heads-up no-limit hold'em before the flop), which says nothing of the big blind"
)

PRESETS: Final = {
    preset.name: preset
    for preset in (
        Preset(
            name="lj-bb",
            short="LJ - BB",
            title="Lojack raises, big blind calls",
            oop=_CALL_LOJACK,
            ip=_LOJACK,
            paid=_OPEN,
            dead=_DEAD_SMALL,
            source=_EARLY,
        ),
        Preset(
            name="co-bb",
            short="CO - BB",
            title="Cutoff raises, big blind calls",
            oop=_CALL_CUTOFF,
            ip=_CUTOFF,
            paid=_OPEN,
            dead=_DEAD_SMALL,
            source=_ESTIMATE,
        ),
        Preset(
            name="bu-bb",
            short="BTN - BB",
            title="Button raises, big blind calls",
            oop=_CALL_BUTTON,
            ip=_BUTTON,
            paid=_OPEN,
            dead=_DEAD_SMALL,
            source=_ESTIMATE,
        ),
        Preset(
            name="sb-bb",
            short="SB - BB",
            title="Small blind raises, big blind calls",
            oop=_SMALL_BLIND,
            ip=_CALL_SMALL_BLIND,
            paid=30,
            dead=0,
            source=_ESTIMATE,
        ),
        Preset(
            name="co-bu",
            short="CO - BTN",
            title="Cutoff raises, button calls",
            oop=_CUTOFF,
            ip=_FLAT_BUTTON,
            paid=_OPEN,
            dead=15,
            source=_ESTIMATE,
        ),
        Preset(
            name="bu-bb-3",
            short="BB 3-bets BTN",
            title="Big blind three-bets, button calls",
            oop=_THREE_BET_BIG_BLIND,
            ip=_CALL_THREE_BET_BUTTON,
            paid=110,
            dead=_DEAD_SMALL,
            source=_ESTIMATE,
        ),
        Preset(
            name="bu-sb-3",
            short="SB 3-bets BTN",
            title="Small blind three-bets, button calls",
            oop=_THREE_BET_SMALL_BLIND,
            ip=_CALL_THREE_BET_BUTTON,
            paid=110,
            dead=BIG_BLIND,
            source=_SMALL_BLIND_CHART,
        ),
        Preset(
            name="co-bu-3",
            short="BTN 3-bets CO",
            title="Button three-bets, cutoff calls",
            oop=_CALL_THREE_BET_CUTOFF,
            ip=_THREE_BET_BUTTON,
            paid=75,
            dead=15,
            source=_ESTIMATE,
        ),
        Preset(
            name="hu",
            short="BTN - BB",
            title="Heads-up, button raises, big blind calls",
            oop=_HEADS_UP_CALL,
            ip=_HEADS_UP_RAISE,
            paid=_OPEN,
            dead=0,
            source=_HEADS_UP,
            seats=2,
        ),
        Preset(
            name="hu-3",
            short="BB 3-bets BTN",
            title="Heads-up, big blind three-bets, button calls",
            oop=_HEADS_UP_THREE_BET,
            ip=_HEADS_UP_CALL_THREE_BET,
            paid=100,
            dead=0,
            source=_ESTIMATE,
            seats=2,
        ),
    )
}
"""By name: six seats, four single-raised pots with the big blind, one with the button, and
three-bet pots; then two seats."""
