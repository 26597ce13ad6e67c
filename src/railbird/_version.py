"""The version of the program, which is written into logs and pages."""

__version__ = "0.2.0"
