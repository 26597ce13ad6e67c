"""Railbird: a laboratory for computer poker.

Where to find what:

- `railbird.assessment`: who played better: ``assess("match.log")``, ``score_hand(text)``; of any
  hold'em ``assess_table("ring.log")``, ``score_table_hand(text)``
- `railbird.odds`: ``equity``, ``hand_odds``, hand ranks, strength and potential
- `railbird.arena`: ``play(Match(...))``, leagues, ring games, tournaments
- `railbird.players`: the players, their specs, and what a player of yours must have
- `railbird.histories`: logs of every format, read, written and converted
- `railbird.solve`: equilibria, such as ``solve_pushfold(10)``
- `railbird.report`: the HTML report, tables and figures of an assessment
- `railbird.cards`, `railbird.game`: cards, holdings, ranges; rules, actions, the engine
- `railbird.blackjack`: blackjack, where every value is exact, skill and luck as well
- `railbird.baseline`, `railbird.modelling`: DIVAT's policy; what a player learns of others
- `railbird.estimates`, `railbird.tournament`: results with intervals; payouts and blinds
- `railbird.acpc`, `railbird.adapters`: the ACPC's protocol; other libraries
- `railbird.serve`, `railbird.protocol`: the web application; the tournament server's messages
- `railbird.errors`, `railbird.units`: what is raised; names for numbers
- `railbird.extending`: for packages that build on Railbird, as `railbird_papers` does, which has
  what the sources published, beside what comes out here

Results show themselves in notebooks and by ``print``, and have ``to_polars()`` and
``to_pandas()``. What cannot be used raises `railbird.errors.BadInput`, in one line. The rooms are
imported on first use, so that ``import railbird`` loads neither NumPy nor Numba.

>>> from railbird.odds import equity
>>> [round(each.equity, 4) for each in equity(["AcKc", "QQ+"], "Kd9s2h").players]
[0.5636, 0.4364]
"""

from typing import Any

import lazy_loader

from railbird import _services
from railbird._version import __version__ as __version__

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=[
        "acpc",
        "adapters",
        "arena",
        "assessment",
        "baseline",
        "blackjack",
        "cards",
        "errors",
        "estimates",
        "extending",
        "game",
        "histories",
        "modelling",
        "odds",
        "players",
        "protocol",
        "report",
        "serve",
        "solve",
        "tournament",
        "units",
    ],
)


def _layout() -> Any:
    from railbird.report import notebook

    return notebook


def _divat_scorer() -> Any:
    from railbird.assessment.divat.scorer import open_scorer
    from railbird.baseline import STANDARD

    return open_scorer(STANDARD)


_services.layout, _services.divat_scorer = _layout, _divat_scorer
