"""The HTTP interface keeps to its own description, whatever is sent (schemathesis)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from helpers.threaded_server import threaded_server
from helpers.web_person import app_of
from railbird.serve.api.mount import described, mount
from railbird.serve.api.settings import ApiSettings
from railbird.serve.host.host import HostSettings
from railbird.serve.host.mount import mount as host_mount

OPERATIONS = (
    *("GET /api/session", "POST /api/session", "DELETE /api/session", "POST /api/accounts"),
    *("GET /api/account", "GET /api/account/export", "DELETE /api/account"),
    *("PUT /api/account/password", "GET /api/bots", "POST /api/bots", "DELETE /api/bots/{name}"),
    *("GET /api/bots/{name}/tokens", "POST /api/bots/{name}/tokens"),
    *("DELETE /api/bots/{name}/tokens/{token}", "GET /api/ratings", "GET /api/results"),
    *("GET /api/results/{tournament}", "GET /api/schemas/{side}"),
    *("GET /api/lobby", "GET /api/servers", "GET /api/games/{game}/{form}"),
)
OPERATORS = (
    *("GET /health", "GET /metrics", "GET /admin/state", "GET /admin/partiality"),
    *("POST /admin/drain", "POST /admin/pause", "POST /admin/close", "POST /admin/announce"),
    *("POST /admin/ban", "POST /admin/rename"),
)
TOKEN = "the operator's"
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


def application(folder: Path) -> FastAPI:
    """A server without limits on rates, which would answer most of what is sent."""
    many = ApiSettings(log_ins_per_address=1e9, failures_per_account=1e9, sign_ups_per_address=1e9)
    playing = host_mount(HostSettings(journal=folder / "journal", admin_token=TOKEN))
    rates = {"requests_per_second": 1e9, "burst": 10**9}
    return app_of(f"sqlite:///{folder / 'x.sqlite3'}", mount(many), playing, **rates)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with threaded_server(application(tmp_path_factory.mktemp("api"))) as at:
        yield at


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The operators' operations at another server, which is drained and bans whoever it likes."""
    app = application(tmp_path_factory.mktemp("admin"))
    description = described(app.routes, "/admin/", "/health", "/metrics")
    with threaded_server(app) as at:
        schema = schemathesis.openapi.from_dict(description)
        schema.config.update(base_url=at)
        yield by_label(schema)


@pytest.fixture(scope="module")
def logged_in(address: str) -> Iterator[dict[str, str]]:
    """Headers of a browser that has logged in."""
    with httpx.Client(base_url=address) as client:
        body = {"name": "ann", "password": "correct horse"}
        answer = client.post("/api/accounts", json=body)
        assert answer.status_code == 201
        csrf = {"X-CSRF-Token": answer.json()["csrf_token"]}
        for name in ("shark", "0"):
            assert client.post("/api/bots", json={"name": name}, headers=csrf).status_code == 201
        yield {"Cookie": f"railbird={client.cookies['railbird']}", **csrf}


def operations(address: str) -> dict[str, Any]:
    return by_label(schemathesis.openapi.from_url(f"{address}/api/openapi.json"))


def by_label(schema: Any) -> dict[str, Any]:
    found = (result.ok() for result in schema.get_all_operations())
    return {operation.label: operation for operation in found}


def fuzz(operation: Any, callers: tuple[dict[str, str], ...], *, examples: int) -> None:
    @given(case=operation.as_strategy())
    @settings(
        max_examples=examples,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    def sent(case: Any) -> None:
        for headers in callers:
            answer = case.call(headers=headers)
            case.validate_response(answer, checks=list(CHECKS))

    sent()


def test_every_operation_is_fuzzed(address: str, operated: dict[str, Any]) -> None:
    assert set(operations(address)) == set(OPERATIONS)
    assert set(operated) == set(OPERATORS)


@pytest.mark.parametrize("label", OPERATIONS)
@pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_answers_are_as_described(
    address: str, logged_in: dict[str, str], label: str, many: bool
) -> None:
    fuzz(operations(address)[label], ({}, logged_in), examples=200 if many else 8)


@pytest.mark.parametrize("label", OPERATORS)
@pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_operators_are_answered_as_described(
    operated: dict[str, Any], label: str, many: bool
) -> None:
    token = {"Authorization": f"Bearer {TOKEN}"}
    few = label == "GET /admin/partiality"  # which starts a process each time
    fuzz(operated[label], ({}, token), examples=8 if few or not many else 200)
