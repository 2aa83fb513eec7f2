"""A private desktop with the real back end on it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actuators.base import Environment
from actuators.desktop.platforms.linux import make_back_end
from fixtures.machine.desktop import PrivateDesktop
from tests.actuators.desktop.perception.programs import Programs


@pytest.fixture
async def programs(desk: PrivateDesktop, tmp_path: Path) -> AsyncIterator[Programs]:
    """The private desktop, where programs that a test starts are ended after it."""
    started = Programs(desk, make_back_end(Environment(platform="linux", variables=desk.environ, state_dir=tmp_path)))
    yield started
    await started.close()
