"""Rendering of pages and parts of pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse, Response

from railbird import __version__
from railbird.cards import parse_cards, rank_of, suit_of
from railbird.report.toolkit.number_format import display_name
from railbird.serve.middleware import FOR_PROGRAMS, one_line, refusal
from railbird.serve.mounts import links
from railbird.serve.view.words import amount

_HERE = Path(__file__).parent
STATIC = _HERE / "static"

SUITS = ("club", "diamond", "heart", "spade")
_SIGNS = "♣♦♥♠"
_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
RANK_NAMES = (
    *("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)


def _faces(text: str) -> list[dict[str, str]]:
    """Describe for a template the cards of a text such as ``AsTd``."""
    return [
        {
            "rank": _RANKS[rank_of(card)],
            "suit": SUITS[suit_of(card)],
            "sign": _SIGNS[suit_of(card)],
            "name": f"{RANK_NAMES[rank_of(card)]} of {SUITS[suit_of(card)]}s",
        }
        for card in parse_cards(text)
    ]


def signed(value: float, digits: int = 1) -> str:
    """Format an amount with its sign, a true minus sign, and no sign at zero.

    >>> signed(-0.5), signed(3), signed(-0.001, 2)
    ('−0.5', '+3.0', '0.00')
    """
    text = f"{abs(value):,.{digits}f}"
    if not float(text.replace(",", "")):
        return text
    return ("−" if value < 0 else "+") + text


def plain(value: float) -> str:
    """Format an amount with all digits that it has, and no more.

    >>> plain(10.0), plain(9.5), plain(123456789.25)
    ('10', '9.5', '123456789.25')
    """
    return f"{value:.15g}"


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "faces": _faces,
        "signed": signed,
        "plain": plain,
        "chips": amount,
        "shown_name": display_name,
    }
    environment.globals |= {"version": __version__, "links": links}
    return environment


_TEMPLATES = _environment()


def is_partial(request: Request) -> bool:
    """Return whether htmx is asking for a part of the page."""
    return request.headers.get("hx-request") == "true"


def page(template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a template."""
    return HTMLResponse(_TEMPLATES.get_template(template).render(**values), status)


def part(template: str, **values: Any) -> str:
    """Render a part of a page."""
    return _TEMPLATES.get_template(template).render(**values)


def problem(request: Request, status: int, text: str) -> Response:
    """Report a problem in one line: in the page's notice area, as a page, as text, or as JSON."""
    if request.url.path.startswith(FOR_PROGRAMS):
        return refusal(request.url.path, text, status)
    wants_html = "text/html" in request.headers.get("accept", "")
    if is_partial(request) or not wants_html:
        return one_line(text, status)
    return page("problem.html.jinja", status=status, title="Sorry", text=text)
