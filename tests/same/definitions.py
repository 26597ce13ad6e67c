"""Compare the definitions of two source trees, whatever files they stand in.

A change of structure moves functions, classes and constants, imports them otherwise, writes
`game.Rules` for `Rules` and renames parameters and local variables. None of that changes what the
code does, and a diff shows little else. So each statement at the top of a module is written down as
its syntax tree in which a name that was imported from the project stands for what is imported, by
its own name and without the module; a function's parameters and local variables are numbered in the
order in which they appear; imports, ``__all__`` and docstrings are left out. Two trees whose
written statements are the same collection differ in place and in local names alone. A call that
gives a parameter by its name differs if the parameter was renamed.

Where several definitions of a tree have one name, a digest of the one meant is written beside it:
`settings.MOST` of one room is not `settings.MOST` of another. What this cannot see is the order of
statements in a module, which importing it shows, and a definition that is looked up by a name in a
string.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final

LEFT_OUT: Final = {"__all__", "__getattr__", "__dir__"}
"""Names of a package's door, which say what it offers and from where."""
PLACES: Final = ("src", "papers/src", "tests")


@dataclass(frozen=True)
class Module:
    """A source file: its dotted name, its statements, and what its imports stand for."""

    name: str
    path: Path
    body: list[ast.stmt]
    imported: dict[str, str] = field(default_factory=dict)
    """Full dotted name by the name in this file."""

    @classmethod
    def read(cls, path: Path, top: Path) -> Module:
        parts = path.relative_to(top).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        parts = parts[:-1] if is_package else parts
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = cls(".".join(parts), path, tree.body)
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for one in node.names:
                    name = one.name if one.asname else one.name.partition(".")[0]
                    module.imported[one.asname or name] = name
            elif isinstance(node, ast.ImportFrom):
                up = parts[: len(parts) - node.level + is_package] if node.level else ()
                for one in node.names:
                    full = ".".join(filter(None, (*up, node.module, one.name)))
                    module.imported[one.asname or one.name] = full
        return module


class Tree:
    """The statements at the top of a tree's modules."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._modules = {
            module.name: module
            for place in PLACES
            for path in sorted((folder / place).rglob("*.py"))
            for module in [Module.read(path, folder / place)]
        }
        self._homes: dict[str, dict[str, ast.stmt]] = defaultdict(dict)
        for module in self._modules.values():
            for node in module.body:
                for name in _bound(node):
                    self._homes[name][module.name] = node
        self._ambiguous = {name for name, homes in self._homes.items() if len(homes) > 1}
        self._digests: dict[tuple[str, str], str] = {}

    def texts(self, other: Tree) -> dict[str, list[str]]:
        """Return where each text stands; names that mean several things in either tree are told."""
        self._digests = {}
        ambiguous = self._ambiguous | other._ambiguous
        places = defaultdict(list)
        for module in self._modules.values():
            for node in module.body:
                names = _bound(node)
                if _is_kept(node) and not LEFT_OUT & set(names):
                    where = f"{module.path.relative_to(self._folder)}:{node.lineno}"
                    what = ", ".join(names) or type(node).__name__
                    places[self._text(module, node, ambiguous)].append(f"{where} {what}")
        return places

    def _text(self, module: Module, node: ast.stmt, ambiguous: Collection[str]) -> str:
        numbered = _Locals().visit(copy.deepcopy(node))
        return "".join(_written(numbered, lambda names: self._meant(module, names, ambiguous)))

    def _meant(self, module: Module, names: list[str], ambiguous: Collection[str]) -> str:
        """Return how a name and its attributes are written: without the modules that lead there."""
        first, *rest = names
        imported = module.imported.get(first)
        if imported is None:
            if module.name not in self._homes.get(first, {}):
                return ".".join(names)
            home, parts = module.name, names
        else:
            parts, home = [*imported.split("."), *rest], ""
            for count in range(len(parts), 0, -1):
                if ".".join(parts[:count]) in self._modules:
                    home, parts = ".".join(parts[:count]), parts[count:]
                    break
            if not home or not parts:
                return ".".join(parts) or "<module>"
        name, *rest = parts
        if name in ambiguous:
            home = self._home(home, name)
            name += f"<{self._digest(home, name)}>" if home else ""
        return ".".join([name, *rest])

    def _digest(self, home: str, name: str) -> str:
        """Return a digest of what a definition says; of what it names, the bare names count."""
        key = home, name
        if key not in self._digests:
            said = self._text(self._modules[home], self._homes[name][home], frozenset())
            self._digests[key] = hashlib.sha256(said.encode()).hexdigest()[:12]
        return self._digests[key]

    def _home(self, module: str, name: str) -> str:
        """Return the module that defines what a module or a package's stub offers by a name."""
        seen = set[str]()
        while module in self._modules and module not in seen:
            if module in self._homes.get(name, {}):
                return module
            seen.add(module)
            path = self._modules[module].path
            stub = path.with_suffix(".pyi")
            offering = self._modules[module]
            if stub.exists():
                offering = Module.read(stub, stub.parents[module.count(".") + 1])
            module, _, name = offering.imported.get(name, "").rpartition(".")
        return ""


class _Locals(ast.NodeTransformer):
    """Number the parameters and local variables of functions, in order of appearance.

    A scope is a function, a lambda or a comprehension. The body of a class is none: its names are
    attributes. Numbers go on from scope to scope, so a nested function's differ from its owner's.
    """

    def __init__(self) -> None:
        self._scopes: list[dict[str, str]] = []
        self._count = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        self._defaults(node.args)
        if self._scopes:
            node.name = self._local(node.name)
        self._open([node.args, *node.body])
        self._parameters(node.args)
        node.body = [self.visit(statement) for statement in node.body]
        node.returns = node.returns and self.visit(node.returns)
        self._scopes.pop()
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._defaults(node.args)
        self._open([node.args, node.body])
        self._parameters(node.args)
        node.body = self.visit(node.body)
        self._scopes.pop()
        return node

    def visit_comprehension_owner(self, node: ast.AST) -> ast.AST:
        generators: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
        generators[0].iter = self.visit(generators[0].iter)
        self._open([generator.target for generator in generators])
        for index, generator in enumerate(generators):
            if index:
                generator.iter = self.visit(generator.iter)
            generator.target = self.visit(generator.target)
            generator.ifs = [self.visit(condition) for condition in generator.ifs]
        for name, value in ast.iter_fields(node):
            if name != "generators":
                setattr(node, name, self.visit(value))
        self._scopes.pop()
        return node

    visit_ListComp = visit_SetComp = visit_comprehension_owner  # noqa: N815
    visit_DictComp = visit_GeneratorExp = visit_comprehension_owner  # noqa: N815

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._local(node.id)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        node.names = [self._local(name) for name in node.names]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = node.name and self._local(node.name)
        return self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.AST:
        node.name = node.name and self._local(node.name)
        return self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> ast.AST:
        node.name = node.name and self._local(node.name)
        return self.generic_visit(node)

    def _defaults(self, parameters: ast.arguments) -> None:
        """Defaults belong to the scope around the function."""
        parameters.defaults = [self.visit(default) for default in parameters.defaults]
        parameters.kw_defaults = [
            default and self.visit(default) for default in parameters.kw_defaults
        ]

    def _parameters(self, parameters: ast.arguments) -> None:
        for parameter in ast.walk(parameters):
            if isinstance(parameter, ast.arg):
                parameter.arg = self._local(parameter.arg)
                parameter.annotation = parameter.annotation and self.visit(parameter.annotation)

    def _open(self, nodes: list[ast.AST]) -> None:
        """Begin a scope; its names are numbered when they first appear."""
        self._scopes.append(dict.fromkeys(_names_of_scope(nodes), ""))

    def _local(self, name: str) -> str:
        """Return a local variable's number; a name from outside of all functions stays."""
        for scope in reversed(self._scopes):
            if name in scope:
                if not scope[name]:
                    self._count += 1
                    scope[name] = f"local-{self._count}"
                return scope[name]
        return name


def _names_of_scope(nodes: list[ast.AST]) -> set[str]:
    """Return the names that statements or parameters bind, without those of scopes within."""
    names, outer = set[str](), set[str]()
    rest = list(nodes)
    while rest:
        node = rest.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            names.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            outer |= set(node.names)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
            rest += node.decorator_list
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            rest += [named for named in ast.walk(node) if isinstance(named, ast.NamedExpr)]
        elif not isinstance(node, ast.Lambda | ast.ClassDef):
            rest += ast.iter_child_nodes(node)
    return names - outer


def _written(node: ast.AST, meant: Callable[[list[str]], str]) -> Iterator[str]:
    """Write a statement with what its names mean, without imports and docstrings."""
    attributes, base = list[str](), node
    while isinstance(base, ast.Attribute):
        attributes.append(base.attr)
        base = base.value
    if isinstance(base, ast.Name):
        yield f" {meant([base.id, *reversed(attributes)])}"
        return
    yield f" {type(node).__name__}("
    for name, value in ast.iter_fields(node):
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, ast.AST):
                yield f" {one!r}"
            elif not isinstance(one, ast.stmt) or _is_kept(one):
                yield from _written(one, meant)
        yield f";{name}"
    yield ")"


def _bound(node: ast.stmt) -> list[str]:
    """Return the names that a statement at the top of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return []
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = chain.from_iterable(map(ast.walk, targets))
    return [part.id for part in parts if isinstance(part, ast.Name)]


def _is_kept(node: ast.stmt) -> bool:
    """Return whether a statement is more than an import, a docstring or a block of imports."""
    if isinstance(node, ast.If):
        return any(map(_is_kept, [*node.body, *node.orelse]))
    if isinstance(node, ast.Expr):
        return not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str))
    return not isinstance(node, ast.Import | ast.ImportFrom | ast.Pass)


def differences(old: Path, new: Path) -> Iterator[str]:
    """Yield a line for each statement that only one of two trees has, or has more often."""
    before, after = Tree(old), Tree(new)
    were, are = before.texts(after), after.texts(before)
    for sign, one, other in (("-", were, are), ("+", are, were)):
        more = (places[len(other.get(text, ())) :] for text, places in one.items())
        yield from (f"{sign} {place}" for place in sorted(chain.from_iterable(more)))
