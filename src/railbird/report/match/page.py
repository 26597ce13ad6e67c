"""The report as one self-contained HTML file, with styles, figures and their library.

The same assessment gives the same bytes. Names and texts that come from a log are hostile input:
the template escapes them, data stands in a JSON element that no text can end, and the page's own
policy runs no script but the two whose digests it names and loads nothing at all.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import vl_convert
from markupsafe import Markup

from railbird.report.match import charts as charts
from railbird.report.match.costly_spots import CostlySpot
from railbird.report.match.hand_replay import Story
from railbird.report.match.key_figures import key_figures
from railbird.report.match.match_summary import MatchSummary
from railbird.report.match.provenance import Provenance, pot_words
from railbird.report.match.running_sums import STREETS
from railbird.report.toolkit.change_of_play_text import COLUMNS, course_rows, course_words
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.templates import asset, fill

if TYPE_CHECKING:
    from railbird.assessment.change_of_play import ChangeOfPlay

_JSON_ESCAPES = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def json_element(value: object) -> Markup:
    r"""Serialize for a ``<script type="application/json">``; no text in it can end the element.

    >>> print(json_element({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(_JSON_ESCAPES))


def render(
    facts: MatchSummary,
    drawn: Sequence[Figure],
    *,
    title: str,
    spots: Mapping[str, Sequence[CostlySpot]],
    stories: Sequence[Story],
    course: ChangeOfPlay | None = None,
    skipped: Mapping[str, int],
    provenance: Provenance,
) -> str:
    """Write the page; ``spots`` are by the name of the player who lost in them.

    ``course`` is the first player's, in a long match.
    """
    vega, page_js = _vega(), asset("page.js")
    data = {
        "figures": {figure.name: figure.spec() for figure in drawn},
        "datasets": charts.datasets(facts),
    }
    return fill(
        "report.html.jinja",
        facts=facts,
        figures={figure.name: figure for figure in drawn},
        key_figures=key_figures(facts),
        title=title,
        spots=spots,
        stories=stories,
        course=_course(facts, course),
        skipped=skipped,
        provenance=provenance,
        streets=STREETS,
        pot_words=pot_words,
        policy=_policy(vega, page_js),
        data=json_element(data),
        vega=Markup(vega),
        page_js=Markup(page_js),
    )


def _course(facts: MatchSummary, course: ChangeOfPlay | None) -> dict[str, object] | None:
    """The stretches of a long match in words."""
    if course is None:
        return None
    return {
        "label": facts.row(course.estimator).label,
        "words": course_words(facts.first, course, facts.unit),
        "columns": COLUMNS,
        "rows": course_rows(course),
    }


def _policy(*scripts: str) -> str:
    digests = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts
    )
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src {allowed}"


@cache
def _vega() -> str:
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script")
