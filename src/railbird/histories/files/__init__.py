"""Logs as streams of lines, packed or not, alone or many; results written beside and renamed."""

from railbird.histories.files.logs import (
    ARCHIVE_MARK,
    STANDARD,
    LogFile,
    holds_logs,
    logs_in,
    write_text,
)

__all__ = ["ARCHIVE_MARK", "STANDARD", "LogFile", "holds_logs", "logs_in", "write_text"]
