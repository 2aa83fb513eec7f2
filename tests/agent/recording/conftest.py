"""A person at a page, fresh for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.recorded_person import RecordedPerson, open_person


@pytest.fixture
async def person(browser: Browser, tmp_path: Path) -> AsyncIterator[RecordedPerson]:
    """A person in a fresh context."""
    async with open_person(browser, tmp_path) as found:
        yield found
