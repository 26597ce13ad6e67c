"""The cached hand-rank tables: built once, memory-mapped, accessed by index."""
