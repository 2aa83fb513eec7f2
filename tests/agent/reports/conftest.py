"""A browser that opens reports as files, as a person does, and tells everything that they ask for."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright

from actuators.browser.playwright.session.discovery import find_browser
from actuators.browser.playwright.session.programs import inspect_machine


@pytest.fixture(scope="module")
async def reader() -> AsyncIterator[Browser]:
    """A browser as a person has one: no wall is around it, so that whatever a report asks for is seen."""
    found = find_browser(None, headed=False).require()
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(
            executable_path=found.executable, chromium_sandbox=not inspect_machine().is_root
        )
        yield started
        await started.close()
