"""Archives: folders of Parquet files that hold hands of any format."""

from railbird.histories.archive.query import Query
from railbird.histories.archive.store import Added, add, count, players, read, read_batches

__all__ = ["Added", "Query", "add", "count", "players", "read", "read_batches"]
