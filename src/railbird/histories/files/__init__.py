"""Log files, compressed or not, alone or in folders and zip archives; atomic writing."""

from railbird.histories.files.logs import (
    ARCHIVE_MARK,
    STANDARD,
    LogFile,
    holds_logs,
    logs_in,
    write_text,
)

__all__ = ["ARCHIVE_MARK", "STANDARD", "LogFile", "holds_logs", "logs_in", "write_text"]
