"""``railbird experiment``: the sources' experiments, which are a package of their own."""

from __future__ import annotations

from typing import Any, Final

import click

from railbird.cli._repeated_options import check_repeated
from railbird.cli._typed_command import TypedContext

VERBS: Final = "railbird.verbs"
"""Entry points of packages that have verbs: by the verb, its command of click."""


class _OfPackage(click.Command):
    """A verb of another package, found when it is called; here is what the list of verbs says."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Parse the arguments as the package's command does.

        Raises `BadInput` without the package, or for that of another version: no requirement can
        say so, since the index knows neither name.
        """
        from importlib.metadata import entry_points

        from railbird._extras import how_to_install, needs
        from railbird._version import __version__
        from railbird.errors import BadInput

        verb_entries = [*entry_points(group=VERBS, name=self.name or "")]
        if verb_entries:
            version = verb_entries[0].dist.version if verb_entries[0].dist else __version__
            if version != __version__:
                words = f"railbird_papers {version} with Railbird {__version__}"
                raise BadInput(f"{words}; allowed: the same version: {how_to_install('papers')}")
            command: click.Command = verb_entries[0].load()
            command.context_class = TypedContext
            if parent is not None and not extra.get("resilient_parsing"):
                check_repeated(parent, command, args)
            return command.make_context(info_name, args, parent, **extra)
        if extra.get("resilient_parsing"):  # the shell asks what could be written
            return super().make_context(info_name, args, parent, **extra)
        raise BadInput(needs("railbird_papers", "papers"))


command = _OfPackage(
    name="experiment",
    help="Run an experiment from the sources and compare its numbers with the published ones.",
)
