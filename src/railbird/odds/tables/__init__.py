"""The cached hand-rank tables: built once, memory-mapped, read by index."""
