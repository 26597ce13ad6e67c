"""Puzzles: one's own decisions, asked again at the table as it stood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird.histories import HandRecord, read_hand
from railbird.report.toolkit.number_format import number, percent, signed
from railbird.serve import pages
from railbird.serve.api.caller import Accounts, account_of
from railbird.serve.report.jobs import Stage
from railbird.serve.report.routes import TokenForm, own_job
from railbird.serve.session import Caller, Visitor
from railbird.serve.view.replay import Replay, Sight, replay_of, step_of
from railbird.storage import puzzles as stored

HOME: Final = "/puzzles"
_CLOSE: Final = 0.1
"""Small bets or big blinds within which an answer is as good as the best."""

router = APIRouter(include_in_schema=False)


class TakeForm(TokenForm):
    """A report whose decisions become puzzles."""

    report: Annotated[str, Field(max_length=64)]


class AnswerForm(TokenForm):
    """An answer."""

    puzzle: Annotated[int, Field(ge=1, le=2**31 - 1)]
    answer: Annotated[str, Field(max_length=100)]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is worth."""

    right: bool
    words: str
    rows: tuple[tuple[str, str, str], ...]
    """Each choice, its value beside the best, and who chose it."""
    how: str
    """Who judges, and what the judgement assumes."""


def choices_of(puzzle: Mapping[str, Any]) -> list[str]:
    """Return the answers to choose from."""
    if puzzle["options"]:
        return [words for words, _ in puzzle["options"]]
    if puzzle["by"] == "equilibrium":
        return ["fold", "call" if "call" in (puzzle["best"], puzzle["played"][:4]) else "all-in"]
    return sorted({puzzle["played"], puzzle["house"], "fold"} - {""})


def verdict_of(puzzle: Mapping[str, Any], answer: str) -> Verdict:
    """Judge an answer, which is one of `choices_of`."""
    unit = puzzle["unit"]
    house = f"{puzzle['adviser']} would {puzzle['house']}"
    if puzzle["why"]:
        house += f": {puzzle['why']}"
    if puzzle["by"] == "baseline":
        values = {words: float(value) for words, value in puzzle["options"]}
        best = max(values.values())
        lost = best - values[answer]
        right = lost <= _CLOSE or answer == puzzle["house"]
        rows = tuple(
            (words, signed(value - best, 2), _who(puzzle, words, answer))
            for words, value in sorted(values.items(), key=lambda item: -item[1])
        )
        said = "As good as it gets"
        if lost > _CLOSE:
            said = f"This gives up {number(lost, 2)} {unit}"
            said += f" in hindsight, but is what {puzzle['adviser']} would do" if right else ""
        how = (
            "Judged by the baseline, which plays on for everybody, with all cards seen: the best "
            f"in hindsight, which nobody at the table could know. Not knowing them, {house}"
        )
        return Verdict(right, said, rows, how)
    if puzzle["by"] == "equilibrium":
        right = (answer == "fold") == (puzzle["best"] == "fold")
        cost = number(puzzle["cost"], 3)
        said = "Right" if right else f"This gives up {cost} {unit}"
        rows = tuple(
            (
                words,
                number(0.0, 3) if (words == "fold") == (puzzle["best"] == "fold") else f"−{cost}",
                _who(puzzle, words, answer),
            )
            for words in choices_of(puzzle)
        )
        how = (
            f"By the push/fold equilibrium, which plays this hand {percent(puzzle['frequency'], 0)}"
            " of the time; it assumes an opponent who does so, too"
        )
        return Verdict(right, said, rows, how)
    right = answer == puzzle["house"]
    rows = tuple((words, "–", _who(puzzle, words, answer)) for words in choices_of(puzzle))
    said = "The house would, too" if right else "The house would not"
    how = f"No cost is known, since others’ cards are hidden. {house}"
    return Verdict(right, said, rows, how)


def _who(puzzle: Mapping[str, Any], words: str, answer: str) -> str:
    """Say who chose this; to the equilibrium, everything but a fold is one choice."""
    chosen = {"you, now": answer, "you, then": puzzle["played"], puzzle["adviser"]: puzzle["house"]}
    if puzzle["by"] == "equilibrium":
        other = choices_of(puzzle)[1]
        chosen = {who: "fold" if what == "fold" else other for who, what in chosen.items()}
    return ", ".join(who for who, what in chosen.items() if who and what == words)


async def _owner(request: Request, visitor: Visitor) -> stored.Owner:
    account = await account_of(request)
    return stored.Owner(None if account is None else account.id, visitor.player or "")


@router.get(HOME)
async def ask(request: Request, visitor: Caller, directory: Accounts) -> Response:
    """Ask the next puzzle."""
    owner = await _owner(request, visitor)
    kept = None
    if owner.account_id is not None or owner.token:
        kept = await directory.read(stored.next_puzzle, owner)
    count = await directory.read(stored.count_puzzles, owner)
    values: dict[str, Any] = {"token": visitor.form_token, "count": count, "kept": kept}
    values |= {"logged_in": owner.account_id is not None, "verdict": None}
    if kept is not None:
        values |= _table(kept.puzzle) | {"choices": choices_of(kept.puzzle)}
    return pages.page("report/puzzle.html.jinja", **values)


@router.post(HOME + "/take")
async def take(
    form: Annotated[TakeForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Keep the decisions of a report as puzzles."""
    visitor.check(form.token)
    job = own_job(request, visitor, form.report)
    if job.stage is Stage.DONE:
        owner = await _owner(request, visitor)
        await directory.write(stored.add_puzzles, owner, job.report["puzzles"])
    return RedirectResponse(HOME, 303)


@router.post(HOME + "/answer")
async def answer(
    form: Annotated[AnswerForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Judge an answer."""
    visitor.check(form.token)
    owner = await _owner(request, visitor)
    kept = await directory.read(stored.puzzle_of, owner, form.puzzle)
    if kept is None:
        raise HTTPException(404, "This puzzle is not there any more.")
    if form.answer not in choices_of(kept.puzzle):
        raise HTTPException(422, "Choose one of the answers.")
    verdict = verdict_of(kept.puzzle, form.answer)
    await directory.write(stored.answer_puzzle, owner, kept.id, right=verdict.right)
    return pages.page(
        "report/puzzle.html.jinja",
        token=visitor.form_token,
        count=await directory.read(stored.count_puzzles, owner),
        kept=kept,
        logged_in=owner.account_id is not None,
        choices=[],
        verdict=verdict,
        **_table(kept.puzzle, sight=Sight.OPEN),
    )


@router.post(HOME + "/forget")
async def forget(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Delete all puzzles of this visitor."""
    visitor.check(form.token)
    await directory.write(stored.forget_puzzles, await _owner(request, visitor))
    return RedirectResponse(HOME, 303)


def _table(puzzle: Mapping[str, Any], *, sight: Sight = Sight.OWN) -> dict[str, Any]:
    """Return the table before the decision."""
    record: HandRecord = read_hand(puzzle["hand"])
    replay: Replay = replay_of(
        record, viewer=puzzle["player"], step=step_of(record, puzzle["act"]), sight=sight
    )
    return {"replay": replay}
