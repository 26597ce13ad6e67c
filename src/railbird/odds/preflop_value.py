"""The value of folding, calling and raising before the flop (Peretz 2005, "Expected Value").

On each flop the hand is worth its odds times the expected pot minus its own bets, but never less
than zero, since it can be folded there. The value is the average over all flops and over the
opponents who come in, minus the cost of the call or the raise. Amounts are in big blinds of a limit
game, in which a raise is one.

The source divides the sum over flops by their number although their probabilities already sum to
one, and subtracts the raise even if everybody folds; neither is done here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import comb, inf
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._arguments import checked
from railbird._arrays import Floats
from railbird._display import HasTable, table_of
from railbird._files import kept_arrays
from railbird._jit import room_cache
from railbird._threads import in_slices, thread_count
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, CLASSES, HandClass, parse_class
from railbird.errors import BadInput, unknown_name
from railbird.odds.arguments import (
    BIG_BLIND_SHARE,
    COLD_CALL_SHARE,
    EXPECTED_BETS,
    MOST_LOOSENESS,
    PAYING_SHARE,
    RERAISE_SHARE,
    SHARES,
    SMALL_BLIND_SHARE,
    TABLE_SEATS,
)
from railbird.odds.flop_values import (
    FlopValues,
    class_values,
    flop_values,
    keep,
    sum_over_boards,
)
from railbird.odds.positions import seat_names
from railbird.odds.spectra import board_quantiles
from railbird.progress import Progress

if TYPE_CHECKING:
    import polars as pl


# What happened before the flop at a table: seats, actions, looseness.


_ALIASES: Final[Mapping[str, str]] = {
    "BUTTON": "BTN",
    "OTB": "BTN",
    "CUTOFF": "CO",
    "HIJACK": "HJ",
    "LOJACK": "LJ",
}
_ACTIONS: Final = ("fold", "call", "raise")
MOST_RAISES: Final = 3
_MOST_BETS: Final = 100.0
"""The most big blinds of own bets; four bets a street are 20."""
"""Raises of the blind in limit."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class PreflopSituation:
    """The seats, the players who acted before us, and how loosely everybody plays.

    Raises `BadInput` for seats that do not exist, and for actions after our own.
    """

    seats: int = TABLE_SEATS
    own: int = 0
    """Our seat in the order of acting, 0 first."""
    acted: Mapping[int, str] = field(default_factory=dict)
    """Action by seat, ``call`` or ``raise``; other seats before ours folded."""
    looseness: Mapping[int, float] = field(default_factory=dict)
    """Looseness by seat; 1 for seats that are missing."""

    def __post_init__(self) -> None:
        names = seat_names(self.seats)
        if not 0 <= self.own < self.seats:
            raise BadInput(f"seat {self.own} of {self.seats}; allowed: 0 to {self.seats - 1}")
        for seat, action in self.acted.items():
            if not 0 <= seat < self.own:
                raise BadInput(
                    f"{names[seat] if 0 <= seat < self.seats else seat} acted, which does not act "
                    f"before {names[self.own]}"
                )
            if action not in _ACTIONS:
                raise unknown_name("action", action, _ACTIONS)
        if self.raises > MOST_RAISES:
            raise BadInput(f"{self.raises} raises; allowed: up to {MOST_RAISES}")
        if self.own == self.seats - 1 and not self.callers:
            raise BadInput("everybody folded to the big blind, which has won; name who is in")
        for seat, loose in self.looseness.items():
            if not 0 <= seat < self.seats or not 0 < loose <= MOST_LOOSENESS:
                raise BadInput(
                    f"looseness of {loose:g} in seat {seat}; allowed: above 0, up to "
                    f"{MOST_LOOSENESS:g}"
                )

    @classmethod
    def parse(
        cls, text: str, *, seats: int = TABLE_SEATS, own: str | None = None
    ) -> PreflopSituation:
        """Read a table such as ``utg:raise,button:call,loose=2``.

        ``loose=`` belongs to the seat before it, or to all seats if it comes first. Our seat is
        the one after the last action, unless ``own`` names it.

        >>> table = PreflopSituation.parse("utg:raise,button:call,loose=2")
        >>> table.names[table.own], table.raises, table.looseness
        ('SB', 1, {7: 2.0})
        """
        names = seat_names(seats)
        acted: dict[int, str] = {}
        looseness: dict[int, float] = {}
        seat = None
        for word in (token.strip() for token in text.split(",")):
            if word.lower().startswith("loose="):
                loose = _number(word[len("loose=") :], text)
                some = range(seats) if seat is None else (seat,)
                looseness |= dict.fromkeys(some, loose)
            elif word:
                name, colon, action = word.partition(":")
                seat = _seat(name, names)
                if colon:
                    if action.strip().lower() not in _ACTIONS:
                        raise unknown_name("action", action.strip(), _ACTIONS)
                    if seat in acted or any(later > seat for later in acted):
                        raise BadInput(f"{names[seat]} acts twice or out of turn in {text!r}")
                    acted[seat] = action.strip().lower()
        after = max(acted, default=-1) + 1
        if own is None and after == seats:
            raise BadInput(f"everybody has acted in {text!r}; name our seat")
        return cls(
            seats=seats,
            own=after if own is None else _seat(own, names),
            acted=acted,
            looseness=looseness,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the seats in the order of acting."""
        return seat_names(self.seats)

    @property
    def raises(self) -> int:
        """Number of raises so far."""
        return sum(action == "raise" for action in self.acted.values())

    @property
    def callers(self) -> tuple[int, ...]:
        """Seats that called or raised."""
        return tuple(seat for seat, action in sorted(self.acted.items()) if action != "fold")

    @property
    def ahead(self) -> tuple[int, ...]:
        """Seats that act after ours for the first time."""
        return tuple(range(self.own + 1, self.seats))

    def loose(self, seat: int) -> float:
        """Return a seat's looseness."""
        return self.looseness.get(seat, 1.0)

    def blind(self, seat: int) -> float:
        """Return the blind that a seat has posted, in big blinds."""
        return {self.seats - 2: 0.5, self.seats - 1: 1.0}.get(seat, 0.0)


def _seat(name: str, names: tuple[str, ...]) -> int:
    upper = name.strip().upper()
    upper = _ALIASES.get(upper, upper)
    if upper == "UTG" and len(names) > 2:
        return 0
    if upper not in names:
        raise unknown_name("seat", name.strip(), [seat_name.lower() for seat_name in names])
    return names.index(upper)


def _number(digits: str, text: str) -> float:
    try:
        return float(digits)
    except ValueError:
        raise BadInput(f"loose={digits} in {text!r}; allowed: a number such as 2 or 0.5") from None


# The expected value.


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """The bets after the flop, and the rake. Raises `BadInput` for amounts below 0.

    The bets are those of hands that continue; the source says only that they come from implied
    odds.
    """

    bets: float = EXPECTED_BETS
    """Own bets from the flop on, in big blinds."""
    paying: float = PAYING_SHARE
    """Share of these bets that an opponent pays on average."""
    rake: float = 0.0
    """Share of the pot that the house takes."""
    rake_cap: float = inf
    """The most that the house takes, in big blinds."""

    def __post_init__(self) -> None:
        if not 0 <= self.bets <= _MOST_BETS or not 0 <= self.paying <= 1:
            raise BadInput(
                f"bets of {self.bets:g}, paid by {self.paying:g}; "
                f"allowed: 0 to {_MOST_BETS:g}, 0 to 1"
            )
        if not 0 <= self.rake < 1 or not self.rake_cap >= 0:
            raise BadInput(
                f"a rake of {self.rake:g} up to {self.rake_cap:g}; allowed: 0 to below 1, 0 or more"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlopOutcomes(HasTable):
    """The values of flops after a call or a raise, a row for each flop and number of opponents."""

    probability: Floats
    """(rows,) probabilities, which sum to that of seeing a flop."""
    raw: Floats
    """(rows,) expected value in big blinds if the hand continued on every flop (EVraw)."""
    opponents: npt.NDArray[np.int64]
    """(rows,) number of opponents."""
    no_flop: float
    """Probability that everybody folds."""

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each flop and number of opponents."""
        import polars as pl

        names = ("probability", "raw", "opponents")
        return pl.DataFrame({name: getattr(self, name) for name in names})

    @property
    def bettable(self) -> float:
        """Share of the flops on which continuing pays."""
        return float(self.probability[self.raw > 0].sum() / self.probability.sum())

    @property
    def value(self) -> float:
        """Mean value of the flops; flops on which continuing does not pay count as 0."""
        return float(self.probability @ np.maximum(self.raw, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflopValue(HasTable):
    """Expected values before the flop, in big blinds; folding is worth nothing."""

    fold: float
    call: float | None
    raise_: float | None
    """The value of a raise; None if no raise is allowed any more."""

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

    The value is exact over all 19,600 flops and the boards after them, for opponents who are
    independent given the board. Computing the flops of a class takes some seconds, once for each
    model of the opponents. Raises `BadInput` for an unknown class.
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
    """Return the actions besides folding."""
    return ("call", "raise") if table.raises < MOST_RAISES else ("call",)


def value_of(outcomes: FlopOutcomes, table: PreflopSituation, action: str) -> float:
    """Return the value of an action: the flops' values minus its cost, and the pot if all fold."""
    # The cost comes back if everybody folds, when the pot is won as well.
    paid = cost_of(table, action) * (1 - outcomes.no_flop)
    return outcomes.value - paid + _pot_before(table) * outcomes.no_flop


def cost_of(table: PreflopSituation, action: str) -> float:
    """Return the cost of an action in big blinds."""
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
    """Return the values of all flops after ``call`` or ``raise``."""
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
    return preflop_outcomes(values, table, action, model, stakes)


@dataclass(frozen=True, kw_only=True)
class OpponentRanges:
    """Ranges of the opponents, as weights (169,) by class."""

    acted: tuple[Floats, ...]
    """Ranges of all opponents who are in the hand."""
    ahead: Floats | None
    """The range of each player who may still come in: the mean range of a whole table, so that one
    computation gives the odds of all positions."""
    enters: float
    """Mean probability that such a player comes in."""
    players_ahead: int


def opponents_of(table: PreflopSituation, action: str) -> OpponentRanges:
    """Return the ranges of the opponents who are in, and of those who may come in after our action.

    Callers also call a raise. The big blind is in if nobody raised.
    """
    raises = table.raises + (action == "raise")
    acted = []
    raised_before = 0
    for seat in table.callers:
        does = table.acted[seat]
        acted.append(class_weights(_share(does, raised_before, table, seat)))
        raised_before += does == "raise"
    ahead = list(table.ahead)
    # The big blind sees the flop for nothing, with any two cards, so it is no player who may or may
    # not come in.
    if ahead and raises == 0 and ahead[-1] == table.seats - 1:
        acted.append(class_weights(1.0))
        ahead.pop()
    if not ahead:
        return OpponentRanges(acted=tuple(acted), ahead=None, enters=0.0, players_ahead=0)
    # The ranges of a whole table are averaged, so that one computation over all flops serves every
    # position; how many come in still depends on who is left.
    others = range(1, table.seats)
    ranges = [class_weights(_share("call", raises, table, seat)) for seat in others]
    return OpponentRanges(
        acted=tuple(acted),
        ahead=np.mean(ranges, axis=0),
        enters=float(np.mean([_share("call", raises, table, seat) for seat in ahead])),
        players_ahead=len(ahead),
    )


def preflop_outcomes(
    values: FlopValues, table: PreflopSituation, action: str, model: OpponentRanges, stakes: Stakes
) -> FlopOutcomes:
    """Return the values of the flops, given their odds."""
    level = _level(table, action)
    dead = sum(table.blind(seat) for seat in range(table.seats) if _folded(table, seat))
    # The big blind's own bet is in the pot as a caller's unless somebody raised.
    blinds_ahead = sum(
        table.blind(seat) for seat in table.ahead if seat < table.seats - 1 or level > 1
    )
    probabilities, raws, counts = [], [], []
    no_flop = 0.0
    for more in range(model.players_ahead + 1):
        # Players who may come in are taken for alike and independent: a binomial distribution.
        chance = comb(model.players_ahead, more) * (
            model.enters**more * (1 - model.enters) ** (model.players_ahead - more)
        )
        opponents = len(model.acted) + more
        if opponents == 0:
            no_flop = chance
            continue
        share = more / model.players_ahead if model.players_ahead else 0.0
        pot = dead + blinds_ahead * (1 - share) + level * (1 + opponents)
        total_weight = values.whole[:, more].astype(np.float64)
        odds = values.won[:, more] / np.where(total_weight > 0, total_weight, 1.0)
        weight = values.flops * total_weight
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
    """Return what each continuing player has paid, in big blinds."""
    return 1.0 + table.raises + (action == "raise")


def _folded(table: PreflopSituation, seat: int) -> bool:
    return seat < table.own and seat not in table.callers


def _pot_before(table: PreflopSituation) -> float:
    """Return the pot before our action, including our own blind: what a steal wins."""
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
    """Return the share of hands that are worth an action after so many raises.

    The usual shares are those of a full table; they grow with fewer seats.
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


def class_weights(share: float) -> Floats:
    """Return weights (169,) of the best classes; the class at the edge has part of its weight."""
    quantiles = np.zeros(CLASSES)
    quantiles[CLASS_OF_HOLDING] = board_quantiles(())
    holdings = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES) / len(CLASS_OF_HOLDING)
    # A class's quantile is the middle of the class.
    begins = quantiles - holdings / 2
    weights: Floats = np.clip((share - begins) / holdings, 0.0, 1.0)
    return weights


# The values of all 169 hand classes by position, in a pot that nobody has entered.


_ENTERING = ("call", "raise")


@dataclass(frozen=True, kw_only=True)
class PreflopChart(HasTable):
    """Expected values in big blinds; folding is worth 0."""

    positions: tuple[str, ...]
    call: npt.NDArray[np.float64]
    """(positions, 169) value of calling the big blind."""
    raise_: npt.NDArray[np.float64]
    """(positions, 169) value of raising."""

    @property
    def best(self) -> npt.NDArray[np.float64]:
        """(positions, 169) value of the best action, 0 if that is to fold."""
        best: npt.NDArray[np.float64] = np.maximum(np.maximum(self.call, self.raise_), 0.0)
        return best

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each position and class."""
        return table_of(
            [
                {
                    "position": position,
                    "hand": name,
                    "call_bb": float(self.call[p, c]),
                    "raise_bb": float(self.raise_[p, c]),
                }
                for p, position in enumerate(self.positions)
                for c, name in enumerate(CLASS_NAMES)
            ]
        )


@checked
def preflop_chart(
    seats: int = TABLE_SEATS,
    *,
    looseness: float = 1.0,
    stakes: Stakes | None = None,
    progress: Progress | None = None,
) -> PreflopChart:
    """Return the values of all classes in every position where nobody has entered the pot.

    ``looseness`` is that of all opponents. Computed in a minute or two, and kept in the cache.
    Raises `BadInput` as `PreflopSituation` does.
    """
    stakes = stakes or Stakes()
    positions = seat_names(seats)[:-1]
    tables = [
        PreflopSituation(seats=seats, own=own, looseness=dict.fromkeys(range(seats), looseness))
        for own in range(seats - 1)
    ]
    # The key has everything that the values depend on, the kernels' code included, so that a cached
    # chart of other rules or of an older version cannot be taken for this one.
    key = hashlib.sha256(f"{room_cache('odds').name} {seats} {stakes}".encode())
    for model in (opponents_of(table, action) for action in _ENTERING for table in tables):
        key.update(f"{model.enters!r} {model.players_ahead}".encode())
        for weights in (*model.acted, model.ahead):
            key.update(b"" if weights is None else weights.tobytes())
    path = _paths.cache_folder() / "preflop_values" / f"chart-{key.hexdigest()[:24]}.npz"
    arrays = kept_arrays(path, "values")
    if arrays is not None and arrays["values"].shape == (len(_ENTERING), len(positions), CLASSES):
        values = arrays["values"]
    else:
        values = np.stack([_values(tables, action, stakes, progress) for action in _ENTERING])
        keep(path, {"values": values})
    return PreflopChart(positions=positions, call=values[0], raise_=values[1])


def _values(
    tables: list[PreflopSituation], action: str, stakes: Stakes, progress: Progress | None
) -> npt.NDArray[np.float64]:
    """Return (positions, 169) values. Later positions meet fewer of the same ranges."""
    values = np.empty((len(tables), CLASSES))

    def fill(start: int, stop: int) -> None:
        classes = np.arange(start, stop)
        heroes = np.flatnonzero(np.isin(CLASS_OF_HOLDING, classes))
        # The first position meets the most opponents. A later one meets fewer with the same mean
        # range, whose powers are among those computed.
        widest = opponents_of(tables[0], action)
        sums = sum_over_boards(
            heroes, widest.acted, widest.ahead, widest.players_ahead, progress=progress
        )
        for hand_class in classes.tolist():
            of_class = class_values(sums[:, CLASS_OF_HOLDING[heroes] == hand_class])
            for place, table in enumerate(tables):
                model = opponents_of(table, action)
                outcomes = preflop_outcomes(of_class, table, action, model, stakes)
                values[place, hand_class] = value_of(outcomes, table, action)

    in_slices(fill, CLASSES, size=-(-CLASSES // thread_count()), what="hand classes")
    return values
