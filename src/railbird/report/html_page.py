"""A document of any game as one self-contained HTML file, with styles and figures.

`document` has the form for the terminal.

The same document gives the same bytes, but for the command that the record names. Names and texts
that come from a log are hostile input. The template escapes them, and data stands in a JSON element
that no text can end. The page's own policy loads nothing and runs no script except the two of a
page whose figures follow the pointer, which it names by their digests.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cache, lru_cache
from importlib import resources
from itertools import count
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree

import jinja2
from markupsafe import Markup

from railbird import _provenance
from railbird._extras import how_to_install, is_installed
from railbird._files import replace_files
from railbird._terminal_safe import visible
from railbird.errors import BadInput
from railbird.report.altair import alt
from railbird.report.charts import CONFIG, Theme, finite, resolve, theme_css
from railbird.report.document import hand_anchor

if TYPE_CHECKING:
    from railbird.report.document import Document, Figure, KeyFigure, ReplayedHand, Section, Table


# A document as Markdown: for a wiki, a post, or a paper's appendix.


_SIGNS = re.compile(r"([\\`*_\[\]<>#|])")


def markdown(document: Document) -> str:
    """Write the document; figures are described in words, and nothing in it is read as markup."""
    parts = [f"# {_plain(document.title)}"]
    if document.lead:
        parts.append(f"**{_plain(document.lead)}**")
    for section in document.sections:
        parts += _section(section, 2)
    if document.footer:
        parts.append(_plain(document.footer))
    parts.append(_plain(f"Made by {_provenance.current_provenance(timed=False)}."))
    return "\n\n".join(parts) + "\n"


def markdown_table(table: Table) -> str:
    """Write a table with pipes, numbers to the right."""
    is_right = [table.is_numeric(column) for column in range(len(table.columns))]
    return pipe_table(table.columns, table.rows, is_right)


def pipe_table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], is_right: Sequence[bool]
) -> str:
    """Write cells between pipes; ``is_right`` says of each column on which side they stand."""
    lines = [[cell.replace("|", r"\|") for cell in line] for line in (heads, *rows)]
    # Two more than the head, as the package tabulate writes it.
    widths = [max(len(head) + 2, *map(len, cells)) for head, *cells in zip(*lines, strict=True)]
    sides = [">" if right else "<" for right in is_right]
    head, *body = (
        " | ".join(f"{line[i]:{sides[i]}{width}}" for i, width in enumerate(widths))
        for line in lines
    )
    rule = "|".join(f"{':':-{sides[i]}{width + 2}}" for i, width in enumerate(widths))
    return "\n".join([f"| {head} |", f"|{rule}|", *(f"| {line} |" for line in body)])


def _section(section: Section, level: int) -> Iterator[str]:
    if section.heading:
        yield f"{'#' * level} {_plain(section.heading)}"
    if section.key:
        yield "\n".join(map(_key_figure, section.key))
    if section.words:
        yield _plain(section.words)
    yield from (f"*{_plain(figure.words)}*" for figure in section.figures)
    if section.table is not None and section.table.rows:
        yield from _titled(section.table)
    if section.terms:
        yield "\n".join(f"- {_plain(word)}: {_plain(meaning)}" for word, meaning in section.terms)
    if section.note:
        yield _plain(section.note)
    for hand in section.hands:
        yield f"{'#' * (level + 1)} {_plain(_hand(hand))}"
        for part in hand.sections:
            yield from _section(part, level + 2)


def _key_figure(figure: KeyFigure) -> str:
    under = f" ({_plain(figure.under)})" if figure.under else ""
    return f"- {_plain(figure.name)}: **{_plain(figure.value)}**{under}"


def _titled(table: Table) -> Iterator[str]:
    if table.title:
        yield f"{_plain(table.title)}:"
    yield markdown_table(table)


def _hand(hand: ReplayedHand) -> str:
    return ", ".join(filter(None, (hand.name, hand.amount, hand.cards)))


def _plain(text: str) -> str:
    return _SIGNS.sub(r"\\\1", text)


# Figures drawn: as specifications for Vega, and as files.


_WIDTH: Final = 760
_SCALE: Final = 2
_FRAME: Final = {"background": "var(--paper)", "padding": 16}

Columns = Mapping[str, Mapping[str, Sequence[float]]]
"""Data that figures refer to by name, as columns."""


FILES: Final = ("report.html", "scores.parquet", "figures/*")
"""Files of a report on a match in its folder, as patterns."""


class Image(Enum):
    """File formats of a figure."""

    SVG = "svg"
    PNG = "png"


def specification(figure: Figure, data: Columns, *, subtitle: str) -> dict[str, Any]:
    """Return the Vega-Lite specification of a figure with its data, colours named by meaning."""
    shared = {
        name: [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        for name, columns in data.items()
    }
    spec = figure.spec()
    return spec | {
        "datasets": {**spec.get("datasets", {}), **finite(shared)},
        "width": _WIDTH,
        "title": {"text": figure.title, "subtitle": subtitle},
        **_FRAME,
    }


def together(*charts: alt.LayerChart, columns: int = 2) -> dict[str, Any]:
    """Put charts beside and below one another, as one specification in the look of all figures."""
    chart = charts[0]
    if len(charts) > 1:
        several = alt.ConcatChart(concat=list(charts), columns=columns, spacing=32)
        chart = several.resolve_scale(color="independent", strokeDash="independent")
    spec: dict[str, Any] = finite(chart.to_dict())
    return spec | {"config": CONFIG | {"view": {"stroke": None}}}


def framed(*charts: alt.LayerChart, columns: int = 2) -> dict[str, Any]:
    """Put charts together for a separate file."""
    return together(*charts, columns=columns) | _FRAME


def picture(
    charts: Sequence[alt.LayerChart],
    image: Image,
    *,
    title: str = "",
    subtitle: Sequence[str] = (),
    columns: int = 2,
) -> bytes:
    """Draw charts as one file."""
    spec = framed(*charts, columns=columns)
    if title:
        # The title of a single chart would be lost.
        lines = [*([spec["title"]] if "title" in spec else []), *subtitle]
        spec["title"] = {"text": title} | ({"subtitle": lines} if lines else {})
    return render(spec, image)


def render(spec: Mapping[str, Any], image: Image, *, theme: Theme = Theme.LIGHT) -> bytes:
    """Draw a specification whose colours are named by meaning."""
    check_pictures()
    import vl_convert

    resolved = resolve(dict(spec), theme)
    if image is Image.SVG:
        return str(vl_convert.vegalite_to_svg(resolved)).encode()
    return bytes(vl_convert.vegalite_to_png(resolved, scale=_SCALE))


def check_pictures() -> None:
    """Raise `BadInput` if pictures cannot be drawn, for want of an extra of 88 MB."""
    if not is_installed("images"):
        raise BadInput(f"pictures (.svg, .png) need vl_convert: {how_to_install('images')}")


_INHERITED: Final = (
    *("fill", "fill-opacity", "font-family", "font-size", "font-style", "font-weight"),
    *("stroke", "stroke-dasharray", "stroke-linecap", "stroke-opacity", "stroke-width"),
    "text-anchor",
)
"""Attributes that hold for all that is in an element."""
_NOT_NEEDED: Final = ("aria-hidden", "aria-roledescription", "pointer-events", "role", "version")
"""Attributes of marks that someone points at or listens to."""
_LONG_NUMBER: Final = re.compile(r"\d*\.\d{3,}(?:e-\d+)?")
_SVG: Final = "{http://www.w3.org/2000/svg}"


def drawing(spec: Mapping[str, Any]) -> str:
    """Draw a specification as an SVG element of a page, colours still named, for both themes.

    Whatever a name from a log holds is text in it: the renderer's XML is parsed and written anew.
    Nobody can read a mark's label in it, so there are none.
    """
    # As text the specification can be the key of a cache: the same picture may stand on a page
    # twice.
    return _drawing(json.dumps(dict(spec) | {"config": {**spec["config"], "aria": False}}))


@lru_cache(maxsize=64)
def _drawing(spec: str) -> str:
    """Draw once what stands on a page twice: drawing is nearly all that a page costs."""
    import vl_convert

    # XML knows no control characters, which names from logs may have.
    root = ElementTree.fromstring(visible(vl_convert.vegalite_to_svg(spec)))
    _shorten(root, prefix=f"f{hashlib.sha256(spec.encode()).hexdigest()[:8]}-")
    return ElementTree.tostring(root, encoding="unicode")


def _shorten(element: ElementTree.Element, *, prefix: str) -> None:
    """Say once what all of a group's marks have, and round to a hundredth of a pixel.

    The grid of a range is three times as long otherwise. Identifiers get a ``prefix``, as a page
    has many pictures.
    """
    element.tag = element.tag.removeprefix(_SVG)
    for name, value in list(element.items()):
        if name in _NOT_NEEDED:
            del element.attrib[name]
        elif name == "id":
            element.set(name, prefix + value)
        else:
            rounded = _LONG_NUMBER.sub(lambda number: f"{float(number[0]):.2f}", value)
            element.set(name, rounded.replace("url(#", f"url(#{prefix}"))
    for part in element:
        _shorten(part, prefix=prefix)
    if element.tag == "g" and len(element):
        for name in _INHERITED:
            if name in element[0].attrib and len({part.get(name) for part in element}) == 1:
                element.set(name, element[0].attrib[name])
                for part in element:
                    del part.attrib[name]


PAGES: Final = (".html", ".md")
"""Endings of documents as text."""
PICTURES: Final = (".svg", ".png")

_PHONE: Final = 54
"""Characters in a line of a table on a phone."""
_LINE: Final = 84
"""Characters in a line above a picture, which are no wider than one of its charts."""
_GAP: Final = 2
"""Characters between two columns."""
_JSON_ESCAPES: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def page(document: Document) -> str:
    """Write the page; it follows the reader's light or dark theme, and all text is escaped.

    Figures without shared data are pictures in it, or where the extra `images` is not installed
    drawn by the page's script as well.
    """
    # Without the extra that draws pictures the page's own script draws them, which needs names and
    # data for every figure.
    if document.data is None and not is_installed("images") and [*_figures(document.sections)]:
        document = _scripted(document)
    made = _provenance.current_provenance(timed=False)
    scripts = [] if document.data is None else [_asset("vega.min.js"), _asset("page.js")]
    return _template("page.html.jinja").render(
        document=document,
        policy=_policy(scripts),
        made=made,
        record=json.dumps(made.as_json()),
        style=Markup(theme_css() + _asset("page.css")),
        data=Markup() if document.data is None else _data(document),
        scripts=[Markup(script) for script in scripts],
    )


def fragment(document: Document) -> str:
    """Write a document without its figures, for a page with other styles."""
    body = _template("body.html.jinja").render(document=document, without_figures=True)
    return f"<style>.railbird .n {{ text-align: right }}</style><div class=railbird>{body}</div>"


def write(document: Document, path: Path) -> None:
    """Write a document as a page or as Markdown, or its figures as a picture, by the ending."""
    ending = path.suffix.lower()
    if ending == ".html":
        text = page(document).encode()
    elif ending == ".md":
        text = markdown(document).encode()
    else:
        figure_texts = [
            f"{figure.name}: {figure.value}" for part in document.sections for figure in part.key
        ]
        text = picture(
            [figure.draw() for figure in document.figures],
            Image(ending[1:]),
            title=document.title,
            subtitle=[*wrap(document.lead, _LINE), *wrap("; ".join(figure_texts), _LINE)],
        )
    replace_files({path: text})


def json_element(value: object) -> Markup:
    r"""Serialize for a ``<script type="application/json">``; no text in it can end the element.

    >>> print(json_element({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(_JSON_ESCAPES))


def _data(document: Document) -> Markup:
    figures = {figure.name: figure.spec() for figure in _figures(document.sections)}
    return json_element({"figures": figures, "datasets": document.data})


def _figures(sections: Sequence[Section]) -> Iterator[Figure]:
    for section in sections:
        yield from section.figures
        for hand in section.hands:
            yield from _figures(hand.sections)


def _scripted(document: Document) -> Document:
    """Give every figure a name and all of its data, so that the script can draw it."""
    numbers = count(1)

    def scripted(section: Section) -> Section:
        figures = [replace(figure, name=str(next(numbers))) for figure in section.figures]
        hands = [
            replace(hand, sections=[scripted(part) for part in hand.sections])
            for hand in section.hands
        ]
        return replace(section, figures=figures, hands=hands)

    return replace(document, sections=[scripted(section) for section in document.sections], data={})


def _policy(scripts: list[str]) -> str:
    # The policy names the page's scripts by their digests, so a script that a log smuggled into the
    # page would not run.
    digests = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts
    )
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return f"{policy}; script-src {allowed}" if allowed else policy


@cache
def _asset(name: str) -> str:
    return resources.files("railbird.report").joinpath("assets", name).read_text("utf-8")


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        # A misspelt name in a template is an error here, where otherwise nothing would be shown.
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "anchor": hand_anchor,
        "drawing": _figure_drawing,
        "is_wide": _is_wide,
        "sides": _sides,
    }
    return environment.get_template(name)


def _figure_drawing(figure: Figure) -> Markup:
    return Markup(drawing(together(figure.draw()) if figure.whole is None else figure.whole()))


def _sides(table: Table) -> list[bool]:
    """Return for each column whether it is set to the right."""
    return [table.is_numeric(column) for column in range(len(table.columns))]


def _is_wide(table: Table) -> bool:
    """Return whether a phone cannot show the table, so that its rows become lists of cells."""
    columns = zip(table.columns, *table.rows, strict=True)
    return sum(max(map(len, cells)) + _GAP for cells in columns) > _PHONE
