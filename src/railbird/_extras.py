"""The optional parts of an installation, pip's extras: which modules each of them brings."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from railbird._version import __version__

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
        *("argon2", "fastapi", "fsrs", "itsdangerous", "prometheus_client", "pydantic"),
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
    """Say how one gets an extra, by the program and from the place that Railbird came by.

    It names a clone or a wheel, never the name alone: on the public index that name is nobody's,
    so whoever registers it would be installed.
    """
    return install_command(extra, *_origin())


def install_command(extra: str, installer: str, origin: str) -> str:
    """Return the command that adds an extra to what ``installer`` made of ``origin``.

    ``origin`` is a clone's folder or a wheel's file.

    >>> install_command("serve", "pip install -e", "/src/railbird")
    "pip install -e '/src/railbird[serve]'"
    >>> install_command("papers", "pip install", "/src/railbird")
    'pip install /src/railbird/papers'
    >>> install_command("papers", "pipx install --force", "railbird-0.2.0-py3-none-any.whl")
    'pipx inject railbird railbird_papers-0.2.0-py3-none-any.whl'
    """
    name = f"{origin}[{extra}]"
    if extra == "papers":  # a package of its own, beside the clone's or the wheel
        file = PurePath(origin)
        tools = {
            "pipx install": "pipx inject railbird",
            "uv tool install": f"uv tool install --force {shlex.quote(origin)} --with",
        }
        installer = next((tools[tool] for tool in tools if installer.startswith(tool)), installer)
        wheel = f"railbird_papers-{__version__}-py3-none-any.whl"
        name = str(file.with_name(wheel) if file.suffix == ".whl" else file / "papers")
    return f"{installer} {shlex.quote(name)}"


def _origin() -> tuple[str, str]:
    """Return how Railbird was installed, and from which clone or wheel."""
    wheel = f"railbird-{__version__}-py3-none-any.whl"
    try:
        installed = metadata.distribution("railbird")
        source = json.loads(installed.read_text("direct_url.json") or "{}")
        by = (installed.read_text("INSTALLER") or "").strip()
    except (metadata.PackageNotFoundError, ValueError):
        return "pip install", wheel
    url = urlsplit(source.get("url", ""))
    origin = url2pathname(url.path) if url.scheme == "file" else wheel
    if Path(sys.prefix, "uv-receipt.toml").is_file():
        installer = "uv tool install --force"
    elif Path(sys.prefix, "pipx_metadata.json").is_file():
        installer = "pipx install --force"
    else:
        installer = "uv pip install" if by == "uv" else "pip install"
    if source.get("dir_info", {}).get("editable"):
        installer += " -e"
    return installer, origin


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
