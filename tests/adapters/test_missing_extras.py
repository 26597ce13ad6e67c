"""What an adapter says whose library is not installed."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from railbird._extras import how_to_install


@pytest.mark.parametrize(
    ("extra", "missing"),
    [("gymnasium", "gymnasium"), ("pettingzoo", "gymnasium"), ("openspiel", "pyspiel")],
)
def test_an_adapter_says_how_to_install_its_library(
    extra: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"railbird.adapters.{extra}", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError) as refused:
        import_module(f"railbird.adapters.{extra}")
    assert str(refused.value) == f"this needs {missing}: {how_to_install(extra)}"


def test_the_server_says_how_to_install_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    serve = import_module("railbird.serve")
    monkeypatch.delitem(vars(serve), "create_app", raising=False)  # asked for before
    monkeypatch.delitem(sys.modules, "railbird.serve.app", raising=False)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    with pytest.raises(ModuleNotFoundError, match=r"fastapi: .*install .*\[serve\]'$"):
        _ = serve.create_app
