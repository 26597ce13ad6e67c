"""The front page as a mount of the web application."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from railbird.serve import pages
from railbird.serve.mounts import Mount, links
from railbird.serve.session import Caller

WORDS = {
    "table": "Tournaments and ring games with people, bots and the house; practice with hints.",
    "drills": "One puzzle a day, more of them, and quick decisions with what each costs.",
    "pushfold": "All-in or fold against the equilibrium; every decision is scored.",
    "blackjack": "Every decision compared with the best one, by exact values.",
    "odds": "Your odds against opponents who have acted.",
    "spots": "Any spot of no-limit hold'em from the flop on, solved for your ranges and sizes.",
    "report": "A log of your hands: what was luck, what was skill, which decisions cost most.",
    "standings": "How tournaments ended, who is ahead, and the hands of every game.",
    "account": "Log in, sign up, change the password.",
}
"""What each mount is, in a sentence."""


def mount() -> Mount:
    """Return the front page, where every other page's name leads."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def front(request: Request, visitor: Caller) -> Response:
        """Offer a table at once, and say what else is here."""
        people = request.app.state.table
        if people is not None:
            people.host.house.house_workers.prepare()
        return pages.page_response(
            "front/page.html.jinja",
            tiles=[(link, WORDS.get(link.name, "")) for link in links()],
            plays=people is not None,
            token=visitor.form_token,
        )

    return Mount(name="front", router=router)
