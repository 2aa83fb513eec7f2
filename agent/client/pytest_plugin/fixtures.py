"""Fixtures: a hand for a test, the worker's service behind it, and where the sign-in of a worker comes from."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .case_records import CaseRecord
    from .pytest_hands import AsyncPytestHand, PytestHand
    from .workers import WorkerService

RECORD: "pytest.StashKey[CaseRecord]" = pytest.StashKey()
"""What a test did with its hands; here, so that tests without a hand load nothing else."""


@pytest.fixture(scope="session")
def surehand_worker(pytestconfig: pytest.Config, base_url: str | None) -> "Iterator[WorkerService]":
    """The worker's own service, in a temporary workspace: ``with surehand_worker.open() as hand`` gives a hand that outlives tests."""
    from .workers import WorkerService

    with WorkerService(pytestconfig, base_url or "") as worker:
        yield worker


@pytest.fixture(scope="session")
def surehand_storage_state() -> Any:
    """Cookies and storage that every test's session begins with: none. Override it to sign in once a worker.

    It returns what ``hand.save_state()`` returned, a path of a file that ``context.storage_state(path=…)`` wrote, or the state itself.
    """
    return


@pytest.fixture
def surehand(
    request: pytest.FixtureRequest, surehand_worker: "WorkerService", surehand_storage_state: Any
) -> "Iterator[PytestHand]":
    """A hand with a session of its own, which ends with the test."""
    with surehand_worker.open_for(_hold_record(request.node)) as hand:
        if surehand_storage_state is not None:
            hand.load_state(surehand_storage_state)
        yield hand


@pytest.fixture
def asurehand(surehand: "PytestHand") -> "AsyncPytestHand":
    """The same hand, for tests that are coroutines."""
    from .pytest_hands import AsyncPytestHand

    return AsyncPytestHand(surehand)


@pytest.fixture
def surehand_attached(request: pytest.FixtureRequest, surehand_worker: "WorkerService") -> "Iterator[PytestHand]":
    """A hand on the page of pytest-playwright's fixture `page`: one page in both hands.

    The browser has a debugging port on this machine while it runs, and the wall around pages does not stand around this one.
    """
    from .attaching import find_page

    page = request.getfixturevalue("page")
    with surehand_worker.open_for(_hold_record(request.node), find_page(page)) as hand:
        yield hand


def _hold_record(item: pytest.Item) -> "CaseRecord":
    """Return the record of a test; all its hands share one."""
    from .case_records import CaseRecord

    return item.stash.setdefault(RECORD, CaseRecord(item))
