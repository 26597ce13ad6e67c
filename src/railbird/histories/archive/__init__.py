"""Archives: folders of Parquet files that hold hands of any format."""

from railbird.histories.archive.store import Added, Query, add, read

__all__ = ["Added", "Query", "add", "read"]
