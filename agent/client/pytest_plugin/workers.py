"""WorkerService: the private service of one worker, in a temporary workspace."""

import shutil
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

import pytest

from ..hands import Surehand
from .pytest_hands import HandTerms, PytestHand
from .suite_pages import write_runs

if TYPE_CHECKING:
    from .attaching import SharedPage
    from .case_records import CaseRecord

_RECORDED = ("on", "retain-on-failure")


class WorkerService:
    """A service that is one worker's alone; it begins with the first call and ends with the worker."""

    def __init__(self, config: pytest.Config, base_url: str) -> None:
        self._config = config
        self._base_url = base_url
        self._folder: Path | None = None
        self._hand: Surehand | None = None
        self._runs: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        hand, self._hand = self._hand, None
        folder, self._folder = self._folder, None
        if hand:
            hand.close()
        if folder and self._config.getoption("surehand_html"):
            write_runs(self._config, folder, self._runs)
        if folder:
            shutil.rmtree(folder, ignore_errors=True)

    @property
    def workspace(self) -> Path:
        """Its folder, made at the first use."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="surehand-pytest-")).resolve()
            if files := str(self._config.getini("surehand_files")):
                shutil.copytree(self._config.rootpath / files, self._folder, dirs_exist_ok=True)
        return self._folder

    @contextmanager
    def open(self) -> Generator[PytestHand]:
        """Give a hand with a session of its own, which is no test's: to sign in, or to prepare what tests share."""
        with self._open({}, self._make_terms()) as hand:
            yield hand

    @contextmanager
    def open_for(self, record: "CaseRecord", shared: "SharedPage | None" = None) -> Generator[PytestHand]:
        """Give a hand with a session for one test; what its browser leaves is in the test's record.

        Args:
            shared: A page of pytest-playwright's to act on, in place of pages of Surehand's.
        """
        wishes: dict[str, Any] = {
            "trace": self._config.getoption("--tracing", "off") in _RECORDED,
            "video": self._config.getoption("--video", "off") in _RECORDED,
        }
        if shared:
            wishes = {"attach": shared.address, "page": shared.target}
        with self._open(wishes, replace(self._make_terms(), record=record, shared=shared)) as hand:
            try:
                yield hand
            finally:
                record.keep_page(hand.take_picture)
        self._runs += [done.run_id for done in record.runs]
        record.keep_recordings(self.workspace / ".surehand" / "recordings" / hand.session)

    @contextmanager
    def _open(self, wishes: Mapping[str, Any], terms: HandTerms) -> Generator[PytestHand]:
        endpoint = self._start().parts.locate()
        name = f"test-{uuid4().hex[:12]}"
        hand = PytestHand(str(endpoint), terms, token=endpoint.token, session=name)
        hand.open_session(base_url=self._base_url, **wishes)
        try:
            yield hand
        finally:
            hand.close_session(name)
            hand.close()

    def _start(self) -> Surehand:
        if self._hand is None:
            channel = self._config.getoption("--browser-channel", None)
            environment = {"SUREHAND_BROWSER_CHANNEL": str(channel)} if channel else {}
            self._hand = Surehand(
                workspace=self.workspace,
                headed=bool(self._config.getoption("--headed", default=False)),
                environment=environment,
            )
        return self._hand

    def _make_terms(self) -> HandTerms:
        approvals = tuple(self._config.getoption("surehand_yes") or ())
        given = [each.partition("=") for each in self._config.getoption("surehand_var") or ()]
        if faulty := [name for name, sign, _ in given if not sign or not name]:
            raise pytest.UsageError(f"--surehand-var {faulty[0]}: write it as NAME=VALUE.")
        variables = {name: value for name, _, value in given}
        return HandTerms(self.workspace, self._base_url, approvals, variables)
