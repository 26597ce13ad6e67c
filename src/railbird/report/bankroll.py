"""What a win rate in any game means for a bankroll, as a table."""

from __future__ import annotations

import math
from collections.abc import Callable

from railbird.estimates import Bankroll, Spread
from railbird.report.document import Table
from railbird.report.number_format import TOO_FEW, about, interval, number, percent, signed

_NEVER = "never"
_NONE = "none is enough"


def bankroll_table(
    bankroll: Bankroll, *, rate: str, unit: str, hands: str, per: int = 1, decimals: int = 2
) -> Table:
    """Lay out a bankroll's numbers; the rate is so many ``unit`` in ``per`` of the ``hands``.

    ``rate`` names the unit of the rate, such as ``bb / 100``, which is written with ``decimals``.
    """

    def amount(value: float) -> str:
        return number(value, 0 if value >= 100 else 1)

    def row(label: str, spread: Spread, write: Callable[[float], str], none: str) -> list[str]:
        if math.isinf(bankroll.rate.low):
            within = TOO_FEW
        elif math.isinf(spread.low):
            within = none
        elif math.isinf(spread.high):
            within = f"{write(spread.low)} or more"
        else:
            within = f"{write(spread.low)} to {write(spread.high)}"
        return [label, none if math.isinf(spread.value) else write(spread.value), within]

    def risk(value: float) -> str:
        return percent(value, 1 if value >= 0.01 else 2)

    half_kelly = Spread(*(2 * bound for bound in bankroll.kelly))
    named = f", {unit}" if unit else ""
    rows = [
        [
            f"win rate, {rate}",
            signed(bankroll.rate.value, decimals),
            interval(*bankroll.rate[1:], decimals),
        ],
        ["standard deviation", number(bankroll.sd, 2), ""],
        row(f"N0, about, {hands}", Spread(*(bound * per for bound in bankroll.n0)), about, _NEVER),
        *(
            row(f"bankroll for {percent(risk, 0)} risk of ruin{named}", needed, amount, _NONE)
            for risk, needed in bankroll.needed.items()
        ),
        row(f"bankroll for full Kelly{named}", bankroll.kelly, amount, _NONE),
        row(f"bankroll for half Kelly{named}", half_kelly, amount, _NONE),
    ]
    if bankroll.bankroll is not None and bankroll.ruin is not None:
        lost = f"risk of losing {number(bankroll.bankroll, 0)}{f' {unit}' if unit else ''}"
        rows.append(row(f"{lost}, ever", bankroll.ruin, risk, ""))
        if bankroll.ruin_by_then is not None:
            when = f"within {number(bankroll.horizon * per, 0)} {hands}"
            rows.append(row(f"{lost}, {when}", bankroll.ruin_by_then, risk, ""))
    table = Table(("", "estimate", "95 % interval"), rows, is_right=True)
    return table if bankroll.rate.low < bankroll.rate.high else table.without({2})
