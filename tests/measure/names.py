"""How the source names things: words that say nothing of what a variable holds, and doubled names.

A parameter or local variable *lives* from the first line to the last that uses it, in its function
and in those nested in it. A public function or class stands at the top of a module and its name has
no underscore before it. What all modules of a kind must offer by one name is `MANDATORY`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

PARTICLES: Final = {"found", "each", "told", "whole", "one"}
"""Words that never say what a variable holds."""
VAGUE: Final = PARTICLES | {"before", "other", "part", "place", "kept", "given", "shown", "said"}
"""Words that say it only where all lines that use the variable are seen at once."""
LIFE: Final = 5
"""Lines between the first and the last use within which a vague name may stand."""
MANDATORY: Final = frozenset(
    ("main", "command", "warm_up_steps", "read", "write", "recognises", "mount", "perform")
)
"""What verbs, rooms, formats of hands, mounts and experiments are asked for."""
MIGRATIONS: Final = {"upgrade", "downgrade"}
"""What Alembic calls."""


def particles(tree: ast.Module) -> Iterator[str]:
    """Yield ``line name`` for each time that a particle is assigned to."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in PARTICLES:
            yield f"{node.lineno} {node.id}"


def long_lived(tree: ast.Module) -> Iterator[str]:
    """Yield ``line name in function`` for each vague name that lives longer than `LIFE` lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for name, lines in _uses(node).items():
                if max(lines) - min(lines) > LIFE:
                    yield f"{min(lines)} {name} in {node.name}"


def _uses(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, list[int]]:
    """The lines that use each vague name which a function binds."""
    bound, lines = set[str](), defaultdict(list)
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name):
                is_bound = isinstance(node.ctx, ast.Store)
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                is_bound = True
            case _:
                continue
        if name in VAGUE:
            lines[name].append(node.lineno)
            if is_bound:
                bound.add(name)
    return {name: lines[name] for name in sorted(bound)}


def in_several_files(
    modules: Iterable[tuple[str, ast.Module]], *kinds: type[ast.stmt]
) -> dict[str, list[str]]:
    """Return the files of each public name at the top of more than one module."""
    files = defaultdict(list)
    for path, tree in modules:
        for name in sorted({node.name for node in tree.body if isinstance(node, kinds)}):  # type: ignore[attr-defined]
            if not name.startswith("_") and name not in MANDATORY | MIGRATIONS:
                files[name].append(path)
    return {name: paths for name, paths in sorted(files.items()) if len(paths) > 1}
