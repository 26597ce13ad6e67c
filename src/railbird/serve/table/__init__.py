"""The poker table for people: lobby, table, practice and watching, in the browser."""
