"""Mounts: what each feature of the web application adds to it.

A feature is a module of this folder whose function ``mount()`` returns its `Mount`. Modules are
found by name, so a new one is not listed anywhere.
"""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Depends, FastAPI

_HERE = Path(__file__).parent


def at_first_use(prepare: Callable[[], object]) -> APIRouter:
    """Return a router that calls ``prepare`` in a thread before the first answer of its pages.

    So a server that nobody asks does not load machine code, which takes a hundred megabytes.
    """
    lock, is_prepared = threading.Lock(), threading.Event()

    def prepare_once() -> None:
        with lock:
            if not is_prepared.is_set():
                prepare()
                is_prepared.set()

    async def wait_until_prepared() -> None:
        if not is_prepared.is_set():
            await asyncio.to_thread(prepare_once)

    return APIRouter(dependencies=[Depends(wait_until_prepared)])


@asynccontextmanager
async def _nothing(_app: FastAPI) -> AsyncIterator[None]:
    yield


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A feature of the web application."""

    name: str
    """Name of its module, of its folder of templates, and of its state in ``app.state``."""
    router: APIRouter
    """Its pages, forms and interfaces, under a separate prefix."""
    title: str = ""
    """The text of its link at the top of every page; empty for what has no pages."""
    path: str = ""
    """Where that link leads."""
    rank: int = 100
    """Its place among the links, and among the mounts that are started."""
    heavy: tuple[str, ...] = ()
    """Beginnings of paths whose requests count as many."""
    paced: tuple[str, ...] = ()
    """Beginnings of paths whose requests the mount itself holds back, in place of the limit."""
    bodies: Mapping[str, int] = field(default_factory=dict)
    """Paths that take larger bodies than others, and how many bytes."""
    lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]] = _nothing
    """Runs while the server does; the database is open in ``app.state.database``."""


@cache
def mount_names() -> tuple[str, ...]:
    """Return the names of all modules of this folder, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules([str(_HERE)])))


def all_mounts(instead: Iterable[Mount] = ()) -> tuple[Mount, ...]:
    """Return every mount in the order of the links, with some of them replaced by name."""
    replaced = {mount.name: mount for mount in instead}
    mounts = (replaced.get(name) or _default(name) for name in mount_names())
    return tuple(sorted(mounts, key=lambda mount: (mount.rank, mount.name)))


@cache
def links() -> tuple[Mount, ...]:
    """Return the mounts to which every page links, in order."""
    return tuple(mount for mount in all_mounts() if mount.title)


def _default(name: str) -> Mount:
    made = importlib.import_module(f"railbird.serve.mounts.{name}").mount()
    assert isinstance(made, Mount)
    return made
