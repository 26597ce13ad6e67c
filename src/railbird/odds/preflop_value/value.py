"""Expected value of folding, calling and raising before the flop (Peretz 2005, "Expected Value").

On each flop the hand is worth its odds times the pot that can be expected, less the bets that it
takes, and never less than nothing, since it can be folded there. The average over all flops and
over who comes in, less what the call or the raise costs, is the value. Amounts are in big blinds of
a limit game, whose raise is one.

The source divides the sum over flops by their number although their probabilities sum to one, and
subtracts the raise even where everybody folds; neither is done here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, inf

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import Tabular
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HandClass, parse_class
from railbird.errors import BadInput
from railbird.odds.preflop_value.flop_values import FlopValues, flop_values
from railbird.odds.preflop_value.table import MOST_RAISES, PreflopSituation
from railbird.odds.settings import (
    BIG_BLIND_SHARE,
    COLD_CALL_SHARE,
    EXPECTED_BETS,
    PAYING_SHARE,
    RERAISE_SHARE,
    SHARES,
    SMALL_BLIND_SHARE,
    TABLE_SEATS,
)
from railbird.odds.spectra.bettable import board_quantiles
from railbird.progress import Progress

Floats = npt.NDArray[np.float64]


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """What is bet after the flop, and what the house takes. Raises `BadInput` for amounts below 0.

    The bets are those of hands that go on, of which the source says no more than that they come
    from implied odds.
    """

    bets: float = EXPECTED_BETS
    """Own bets from the flop on, in big blinds."""
    paying: float = PAYING_SHARE
    """Share of these bets that an opponent pays on average."""
    rake: float = 0.0
    """Share of the pot that the house takes."""
    rake_cap: float = inf
    """The most that it takes, in big blinds."""

    def __post_init__(self) -> None:
        if not 0 <= self.bets < inf or not 0 <= self.paying <= 1:
            raise BadInput(
                f"bets of {self.bets:g}, paid by {self.paying:g}; allowed: 0 or more, 0 to 1"
            )
        if not 0 <= self.rake < 1 or not self.rake_cap >= 0:
            raise BadInput(
                f"a rake of {self.rake:g} up to {self.rake_cap:g}; allowed: 0 to below 1, 0 or more"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlopOutcomes:
    """What flops are worth after a call or a raise; a row for each flop and number of opponents."""

    probability: Floats
    """(rows,) they sum to the probability of a flop."""
    raw: Floats
    """(rows,) expected value in big blinds if the hand went on on every flop (EVraw)."""
    opponents: npt.NDArray[np.int64]
    """(rows,) number of opponents."""
    no_flop: float
    """Probability that everybody folds."""

    @property
    def bettable(self) -> float:
        """Share of the flops that are worth going on with."""
        return float(self.probability[self.raw > 0].sum() / self.probability.sum())

    @property
    def value(self) -> float:
        """Mean value of what comes, flops that are not bettable being worth nothing."""
        return float(self.probability @ np.maximum(self.raw, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflopValue(Tabular):
    """Expected values before the flop, in big blinds; folding is worth nothing."""

    fold: float
    call: float | None
    raise_: float | None
    """None where no raise is left."""

    @property
    def best(self) -> str:
        """The action of the highest value."""
        values = {"fold": self.fold, "call": self.call, "raise": self.raise_}
        return max(
            (name for name, value in values.items() if value is not None),
            key=lambda name: values[name] or 0.0,
        )


@checked
def preflop_value(
    hand: HandClass | str,
    table: PreflopSituation | None = None,
    *,
    stakes: Stakes | None = None,
    progress: Progress | None = None,
) -> PreflopValue:
    """Return the value of folding, calling and raising with a class of hands.

    Exact over all 19,600 flops and the boards after them, for opponents that are independent given
    the board. Computing the flops of a class takes some seconds, once for each model of the
    opponents. Raises `BadInput` for a text that is no class.
    """
    table, stakes = table or PreflopSituation(), stakes or Stakes()
    values = {
        action: value_of(
            flop_outcomes(hand, table, action, stakes=stakes, progress=progress), table, action
        )
        for action in actions(table)
    }
    return PreflopValue(fold=0.0, call=values.get("call"), raise_=values.get("raise"))


def actions(table: PreflopSituation) -> tuple[str, ...]:
    """Return what can be done beside folding."""
    return ("call", "raise") if table.raises < MOST_RAISES else ("call",)


def value_of(outcomes: FlopOutcomes, table: PreflopSituation, action: str) -> float:
    """Return the value of an action: what flops are worth less its cost, or the pot without one."""
    paid = cost_of(table, action) * (1 - outcomes.no_flop)
    return outcomes.value - paid + _pot_before(table) * outcomes.no_flop


def cost_of(table: PreflopSituation, action: str) -> float:
    """Return what an action costs us, in big blinds."""
    return _level(table, action) - table.blind(table.own)


@checked
def flop_outcomes(
    hand: HandClass | str,
    table: PreflopSituation,
    action: str,
    *,
    stakes: Stakes | None = None,
    progress: Progress | None = None,
) -> FlopOutcomes:
    """Return what each flop is worth after ``call`` or ``raise``."""
    stakes = stakes or Stakes()
    if action not in actions(table):
        raise BadInput(f"{action} before the flop; allowed: {', '.join(actions(table))}")
    hand_class = parse_class(hand) if isinstance(hand, str) else hand
    if not 0 <= hand_class < CLASSES:
        raise BadInput(f"no class of hands has the number {hand_class}; allowed: 0 to 168")
    model = opponents_of(table, action)
    values = flop_values(
        hand_class, model.acted, model.ahead, model.players_ahead, progress=progress
    )
    return outcomes_of(values, table, action, model, stakes)


@dataclass(frozen=True, kw_only=True)
class OpponentModel:
    """Ranges of the opponents, as weights (169,) by class."""

    acted: tuple[Floats, ...]
    """Of everybody who is in."""
    ahead: Floats | None
    """Of each who may come in: the mean of the ranges of a whole table, so that the odds of all
    positions come from one computation."""
    enters: float
    """Mean probability that one of them does."""
    players_ahead: int


def opponents_of(table: PreflopSituation, action: str) -> OpponentModel:
    """Return the ranges of those who are in and of those who may come in after our action.

    Who has called stays for a raise. The big blind is in if nobody raised.
    """
    raises = table.raises + (action == "raise")
    acted = []
    raised_before = 0
    for seat in table.callers:
        does = table.acted[seat]
        acted.append(_range(_share(does, raised_before, table, seat)))
        raised_before += does == "raise"
    ahead = list(table.ahead)
    if ahead and raises == 0 and ahead[-1] == table.seats - 1:
        acted.append(_range(1.0))
        ahead.pop()
    if not ahead:
        return OpponentModel(acted=tuple(acted), ahead=None, enters=0.0, players_ahead=0)
    others = range(1, table.seats)
    ranges = [_range(_share("call", raises, table, seat)) for seat in others]
    return OpponentModel(
        acted=tuple(acted),
        ahead=np.mean(ranges, axis=0),
        enters=float(np.mean([_share("call", raises, table, seat) for seat in ahead])),
        players_ahead=len(ahead),
    )


def outcomes_of(
    values: FlopValues, table: PreflopSituation, action: str, model: OpponentModel, stakes: Stakes
) -> FlopOutcomes:
    """Return what flops are worth, given their odds."""
    level = _level(table, action)
    dead = sum(table.blind(seat) for seat in range(table.seats) if _folded(table, seat))
    blinds_ahead = sum(
        table.blind(seat) for seat in table.ahead if seat < table.seats - 1 or level > 1
    )
    probabilities, raws, counts = [], [], []
    no_flop = 0.0
    for more in range(model.players_ahead + 1):
        chance = comb(model.players_ahead, more) * (
            model.enters**more * (1 - model.enters) ** (model.players_ahead - more)
        )
        opponents = len(model.acted) + more
        if opponents == 0:
            no_flop = chance
            continue
        share = more / model.players_ahead if model.players_ahead else 0.0
        pot = dead + blinds_ahead * (1 - share) + level * (1 + opponents)
        whole = values.whole[:, more].astype(np.float64)
        odds = values.won[:, more] / np.where(whole > 0, whole, 1.0)
        weight = values.flops * whole
        if not weight.any():
            continue
        probabilities.append(chance * weight / weight.sum())
        raws.append(raw_value(odds, pot, opponents, stakes))
        counts.append(np.full(len(odds), opponents))
    if not probabilities:
        raise BadInput("the opponents' ranges leave them no holdings together")
    return FlopOutcomes(
        probability=np.concatenate(probabilities),
        raw=np.concatenate(raws),
        opponents=np.concatenate(counts),
        no_flop=no_flop,
    )


def raw_value(odds: Floats, pot: float, opponents: int, stakes: Stakes) -> Floats:
    """Return EVraw by flop: odds * (final pot - own bets - rake) - (1 - odds) * own bets."""
    final = pot + stakes.bets * (1 + stakes.paying * opponents)
    rake = min(stakes.rake * final, stakes.rake_cap)
    return odds * (final - stakes.bets - rake) - (1 - odds) * stakes.bets


def _level(table: PreflopSituation, action: str) -> float:
    """Return what everybody who goes on has paid, in big blinds."""
    return 1.0 + table.raises + (action == "raise")


def _folded(table: PreflopSituation, seat: int) -> bool:
    return seat < table.own and seat not in table.callers


def _pot_before(table: PreflopSituation) -> float:
    """Return the pot before our action, ours in it included: what a steal wins."""
    paid = 0.0
    level = 1.0
    for seat in range(table.seats):
        if seat in table.callers:
            level += table.acted[seat] == "raise"
            paid += level
        else:
            paid += table.blind(seat)
    return paid


def _share(action: str, raises: int, table: PreflopSituation, seat: int) -> float:
    """Return the share of hands that is worth an action after so many raises.

    The usual shares are of a full table; they grow as the seats become fewer.
    """
    if action == "raise":
        share = SHARES[0]["raise"] if raises == 0 else RERAISE_SHARE
    elif raises == 1:
        share = {1.0: BIG_BLIND_SHARE, 0.5: SMALL_BLIND_SHARE}.get(
            table.blind(seat), COLD_CALL_SHARE
        )
    else:
        share = SHARES[0]["call"] if raises == 0 else RERAISE_SHARE
    return min(1.0, share * table.loose(seat) * TABLE_SEATS / table.seats)


def _range(share: float) -> Floats:
    """Return weights (169,) of the best classes; the class at the edge has part of its weight."""
    quantiles = np.zeros(CLASSES)
    quantiles[CLASS_OF_HOLDING] = board_quantiles(())
    holdings = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES) / len(CLASS_OF_HOLDING)
    # A quantile lies in the middle of its class.
    begins = quantiles - holdings / 2
    weights: Floats = np.clip((share - begins) / holdings, 0.0, 1.0)
    return weights
