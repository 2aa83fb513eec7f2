"""`surehand.pytest_plugin`: Surehand in pytest, found by it through the entry point `pytest11`; the standard library, pytest and the client alone.

Flow files are tests, and tests have a hand: the fixture `surehand`. Nothing of Surehand's own tree is imported into the process of the tests: what
is asked for is done by a private service, one a worker, which is started by the first test that needs it.
"""

from collections.abc import Generator
from pathlib import Path

import pytest

from . import base_address
from .fixtures import RECORD, asurehand, surehand, surehand_attached, surehand_storage_state, surehand_worker
from .options import add_browser_options, add_own_options, lacks_base_address

__all__ = [
    "asurehand",
    "pytest_addoption",
    "pytest_collect_file",
    "pytest_configure",
    "pytest_fixture_setup",
    "pytest_load_initial_conftests",
    "pytest_runtest_call",
    "pytest_runtest_makereport",
    "pytest_sessionfinish",
    "surehand",
    "surehand_attached",
    "surehand_storage_state",
    "surehand_worker",
]

_FLOWS = (".flow.yaml", ".flow.yml", ".flow.json")
_LAUNCHING = "browser_type_launch_args"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that are ours alone."""
    add_own_options(parser)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config, parser: pytest.Parser) -> Generator[None]:
    """Add pytest-playwright's options where nobody has: by now every plugin is known, and the command line not read yet."""
    yield
    add_browser_options(early_config, parser)
    if lacks_base_address(early_config.pluginmanager):
        early_config.pluginmanager.register(base_address, "surehand-base-url")


def pytest_configure(config: pytest.Config) -> None:
    """Say what our mark means, and make room for the report."""
    config.addinivalue_line("markers", "surehand_flow: a flow file that is run as a test")
    if config.getoption("surehand_html") and not hasattr(config, "workerinput"):
        from .suite_pages import clear_folder

        clear_folder(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take flow files for tests."""
    if not file_path.name.endswith(_FLOWS):
        return None
    from .flow_items import PytestFlowFile

    return PytestFlowFile.from_parent(parent, path=file_path)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Have pytest-playwright's browser open a port where a test wants one page in both hands."""
    made = yield
    if fixturedef.argname == _LAUNCHING and any(
        "surehand_attached" in getattr(each, "fixturenames", ()) for each in request.session.items
    ):
        from .attaching import ask_for_port

        ask_for_port(made)
    return made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Fail a test whose soft expectations did not hold, once it is over."""
    if RECORD not in item.stash:
        return (yield)
    from .step_lines import telling_unmet

    with telling_unmet(item.stash[RECORD].unmet):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell the steps of a test's runs where it failed, and keep what its browser left."""
    report = yield
    if record := item.stash.get(RECORD, None):
        record.note(report)
        if report.when == "teardown" and item.config.getoption("surehand_html"):
            from .suite_pages import write_case

            write_case(item, record)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the report of the whole run."""
    if session.config.getoption("surehand_html") and not hasattr(session.config, "workerinput"):
        from .suite_pages import write_suite

        write_suite(session.config)
