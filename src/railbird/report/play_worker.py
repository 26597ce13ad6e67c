"""A process that makes one person's report, or an assessment, within limits, and ends.

`railbird.serve.spots_worker` is the process that solves spots.

It reads one line of JSON from standard input, ``{"path", "player", "known", "assess",
"only_results", "night", "memory", "cpu_s", "nice"}``, and writes lines of JSON: ``progress``, and
at last ``report``, ``whose`` or ``problem``. With ``assess``, the arguments of
`railbird.report.play_data.assessed`, the report is its answer; with ``only_results`` that of
`railbird.report.play_data.hand_results`, and with ``night`` that of
`railbird.report.night_page.made_night`.
Uploads are parsed here, so no upload can take the server's memory or time.
"""

from __future__ import annotations

from railbird._programs import WorkerChannel
from railbird.errors import RailbirdError


def main() -> None:
    """Make the report that standard input asks for."""
    channel = WorkerChannel()
    asked = channel.begin()
    path, player, known = asked["path"], asked["player"], asked["known"]

    def report_progress(done: int, total: int, what: str) -> None:
        channel.progress(done, total, what if "/" not in what else "reading")

    try:
        from railbird.report.play_data import WhoseLog, assessed, hand_results, made_report

        try:
            if asked["night"]:
                from railbird.report.night_page import made_night

                report = made_night(path, report_progress)
            elif asked["only_results"]:
                report = hand_results(path, player, report_progress)
            elif asked["assess"] is None:
                report = made_report(path, player, report_progress, known=known)
            else:
                report = assessed(path, report_progress, **asked["assess"])
        except WhoseLog as unknown:
            channel.say(whose=unknown.names)
        else:
            channel.say(report=report)
    except RailbirdError as problem:
        channel.refuse(problem, path)
    except MemoryError:
        channel.say(problem="this takes more memory than a report may have; upload fewer hands")


if __name__ == "__main__":
    main()
