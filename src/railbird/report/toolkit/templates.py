"""Self-contained pages from the templates in the rooms' ``assets``."""

from __future__ import annotations

import base64
from functools import cache
from importlib import resources

import jinja2
from markupsafe import Markup

import railbird
from railbird.report.toolkit import number_format
from railbird.report.toolkit.palette import theme_css

_REPORT = "railbird.report"


def fill(template: str, *, room: str = _REPORT, **values: object) -> str:
    """Fill a template of a room; all values are escaped.

    Each template may use ``version`` and ``style``, the sheet of all pages.
    """
    style = Markup(theme_css() + asset("page.css"))
    chosen = _environment(room).get_template(template)
    return chosen.render(version=railbird.__version__, style=style, **values)


@cache
def asset(name: str, room: str = _REPORT) -> str:
    """Read a file of a room's ``assets``."""
    return resources.files(room).joinpath("assets", name).read_text("utf-8")


def svg_uri(svg: str | bytes) -> str:
    """Return a picture as a data URI, which is part of the page.

    >>> svg_uri("<svg/>")
    'data:image/svg+xml;base64,PHN2Zy8+'
    """
    data = svg.encode() if isinstance(svg, str) else svg
    return "data:image/svg+xml;base64," + base64.b64encode(data).decode()


@cache
def _environment(room: str) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: asset(name, room)),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "counted": number_format.counted,
        "number": number_format.number,
        "signed": number_format.signed,
    }
    return environment
