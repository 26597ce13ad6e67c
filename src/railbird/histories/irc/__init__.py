"""The IRC poker database, read and written."""
