"""Clients of the tournament server: programs, our players, and what bot writers begin with."""
