"""Results as tables: in a notebook, by ``print``, for Polars and for pandas.

What a table does not say, the words and figures of a match, comes from `railbird.report`, by the
service `railbird._services.layout`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from railbird import _services
from railbird._extras import needing

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
    import polars as pl


class HasTable:
    """A result that has a table."""

    __slots__ = ()

    def to_polars(self) -> pl.DataFrame:
        """Return the table as a Polars data frame: a row with the fields, where nothing else is."""
        return table_of([_row_of(self)])

    def to_pandas(self) -> pd.DataFrame:
        """Return the table as a pandas data frame; needs the extra ``pandas``."""
        with needing("pandas"):
            import pandas as pd
        return pd.DataFrame({column.name: column.to_list() for column in self.to_polars()})

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Give the table to any library that reads Arrow, by its PyCapsule interface."""
        return self.to_polars().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        return str(self.to_polars()._repr_html_())

    def __str__(self) -> str:
        """Show the table, or its first rows and columns, in at most 1,500 characters."""
        return str(_services.layout().small_table(self))


class ByPlayer(HasTable):
    """A result with a row for each player."""

    __slots__ = ()

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON, with ``players`` by name."""
        raise NotImplementedError

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each player."""
        players: Mapping[str, Any] = self.as_json()["players"]
        return table_of({"player": name, **row} for name, row in players.items())


class HasFigures(HasTable):
    """A result with figures, shown in a notebook as on the page of its report."""

    __slots__ = ()

    def figure(self, name: str, *, theme: str = "light") -> alt.LayerChart:
        """Draw one of the figures of the result's report as an Altair chart.

        Raises `BadInput` that lists the names for an unknown one.
        """
        chart: alt.LayerChart = _services.layout().figure(self, name, theme=theme)
        return chart

    @property
    def figures(self) -> tuple[str, ...]:
        """Name the figures."""
        names: tuple[str, ...] = _services.layout().figure_names(self)
        return names

    def _repr_html_(self) -> str:
        return str(_services.layout().html(self))


def table_of(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Make a table of JSON objects: an estimate becomes columns, ``money`` and ``money_stderr``.

    Faults become their number, and a list numbered columns.

    >>> print(table_of([{"player": "tom", "money": {"value": 0.5, "stderr": 0.25}}]).to_dicts())
    [{'player': 'tom', 'money': 0.5, 'money_stderr': 0.25}]
    """
    import polars as pl

    return pl.DataFrame([dict(_flat(row)) for row in rows], infer_schema_length=None)


def _row_of(result: Any) -> Mapping[str, Any]:
    """Return a result's JSON or, without any, its fields."""
    if hasattr(result, "as_json"):
        row: Mapping[str, Any] = result.as_json()
        return row
    return {field.name: getattr(result, field.name) for field in fields(result)}


def _flat(row: Mapping[Any, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    for key, value in row.items():
        name = f"{before}{key}"
        if hasattr(value, "as_json"):
            value = value.as_json()
        if key == "faults":
            yield name, sum(fault["count"] for fault in value.values())
        elif isinstance(value, Mapping):
            for inner, item in _flat(value, f"{name}_"):
                yield inner.removesuffix("_value"), item
        elif isinstance(value, list | tuple):
            yield from _flat(
                {f"{number}": item for number, item in enumerate(value, 1)}, f"{name}_"
            )
        else:
            yield name, value
