"""The HTTP interface for programs and scripts: accounts, bots, results, ratings, schemas."""
