"""Debian's chromium, for the pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from helpers.hosted import PATIENCE_S

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
    "--disable-component-update",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"needs {CHROMIUM} (Debian's package chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        _wait_for_states(browser)
        yield browser
        browser.close()


def _wait_for_states(browser: Browser) -> None:
    """Raise playwright's limits of 30 and 5 seconds, which a busy machine exceeds."""
    expect.set_options(timeout=PATIENCE_S * 1000)
    new_context = browser.new_context

    def patient_context(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(PATIENCE_S * 1000)
        return context

    browser.new_context = patient_context  # type: ignore[method-assign]
