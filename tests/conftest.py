"""What holds for all tests."""

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.async_api import Browser

from actuators.browser.playwright.session.launching import BrowserProcess, BrowserSettings
from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.sound import PrivatePulse
from tests.conformance_table import ConformanceTable
from tests.hang_limit import HangLimit
from tests.leftovers import end_leftovers, list_children
from tests.prerequisites import require
from tests.thoroughness import examples

# The conformance suites are inherited, so pytest doesn't see that they are tests. Said here, before any test imports them.
pytest.register_assert_rewrite("tests.contracts")

# Property tests have no deadline: how long an example takes says more about the machine than about the code.
# In the full lane they try as many as hypothesis does by itself, elsewhere fewer.
settings.register_profile("untimed", deadline=None, max_examples=examples(100))
settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    """Print what each back end was held to, and end what hangs."""
    if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers have the folder of whoever started them
        folder = tempfile.TemporaryDirectory(prefix="sh-state-", ignore_cleanup_errors=True)
        os.environ["XDG_STATE_HOME"] = folder.name  # no test signs with the key of whoever runs it
        config.add_cleanup(folder.cleanup)
    config.pluginmanager.register(ConformanceTable())
    config.pluginmanager.register(HangLimit())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes minutes, unless it is asked for."""
    if "soak" not in config.option.markexpr:
        items[:] = [item for item in items if "soak" not in item.keywords]


# Nothing but this machine is reachable from the tests' browser.
LOCAL_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    """Fail a test that leaves a process behind; what fixtures of more than one test started may stay."""
    before = list_children()
    yield
    if left := end_leftovers(list_children() - before):
        pytest.fail(f"left behind: {', '.join(left)}", pytrace=False)


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A running browser that all tests of this worker share."""
    process = BrowserProcess(BrowserSettings(extra_args=(LOCAL_ONLY,)))
    yield await process.start()
    await process.stop()


@pytest.fixture(scope="session")
def machine_folder() -> Iterator[Path]:
    """A folder with a short name, since the paths of sockets may have 107 characters only."""
    folder = Path(tempfile.mkdtemp(prefix="sh-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def pulse(machine_folder: Path) -> Iterator[PrivatePulse]:
    """A running PulseAudio with two null sinks that all tests of this worker share."""
    require("pulseaudio")
    (machine_folder / "pulse").mkdir()
    server = PrivatePulse(machine_folder / "pulse")
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def shared_desk(machine_folder: Path) -> Iterator[PrivateDesktop]:
    """A running desktop that all tests of this worker share."""
    require("Xvfb", "openbox", "dbus-daemon", "dunst")
    desktop = PrivateDesktop(machine_folder / "desk")
    desktop.start()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DISPLAY", "XAUTHORITY"):
            patch.setenv(name, desktop.environ[name])
        yield desktop
    desktop.stop()


@pytest.fixture
def desk(shared_desk: PrivateDesktop) -> Iterator[PrivateDesktop]:
    """The shared desktop, rid at the end of what the test left: its windows and clipboard would be another's trouble."""
    before = shared_desk.list_windows()
    yield shared_desk
    shared_desk.tidy(before)
