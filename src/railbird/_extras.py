"""The optional parts of an installation, pip's extras: which modules each of them brings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Final

EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "database": ("aiosqlite", "alembic", "sqlalchemy"),
    "gymnasium": ("gymnasium",),
    "images": ("vl_convert",),
    "mcp": ("anyio", "mcp"),
    "openspiel": ("pyspiel",),
    "pandas": ("pandas", "pyarrow"),
    "papers": ("railbird_papers",),
    "pettingzoo": ("pettingzoo",),
    "postgresql": ("psycopg",),
    "ray": ("ray",),
    "serve": (
        *("argon2", "fastapi", "itsdangerous", "prometheus_client", "pydantic"),
        *("python_multipart", "starlette", "uvicorn", "websockets"),
    ),
    "terminal": ("textual",),
}


def extra_of(module: str | None) -> str | None:
    """Name the extra that brings a module or what is in it; None if none does.

    >>> extra_of("starlette.requests"), extra_of("numpy")
    ('serve', None)
    """
    top = (module or "").partition(".")[0]
    return next((extra for extra, modules in EXTRAS.items() if top in modules), None)


def how_to_install(extra: str) -> str:
    """Say how one gets an extra.

    >>> how_to_install("serve")
    "pip install 'railbird[serve]'"
    """
    return f"pip install 'railbird[{extra}]'"


def needs(module: str, extra: str) -> str:
    """Say that a module is missing, and how one gets it."""
    return f"this needs {module}: {how_to_install(extra)}"


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Import what an extra brings; a `ModuleNotFoundError` says how one gets it."""
    try:
        yield
    except ModuleNotFoundError as problem:
        if problem.name is None or extra_of(problem.name) is None:
            raise
        raise ModuleNotFoundError(needs(problem.name, extra), name=problem.name) from None


def is_installed(extra: str) -> bool:
    """Tell whether all modules of an extra are there."""
    return all(find_spec(module) is not None for module in EXTRAS[extra])
