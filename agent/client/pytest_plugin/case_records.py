"""CaseRecord: what one test did with its hands: runs, expectations that did not hold, and what its browser left."""

import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ..reports import HandError, RunReport
from .step_lines import ExpectationNotMetError, write_lines

_LONGEST_NAME = 100
_STEPS = "Steps of Surehand"
# pytest shows what was told at the teardown of a test that failed if its name says so.
_FILES = "Surehand at teardown"
_PAGES = frozenset({"page", "context", "new_context"})


class CaseRecord:
    """What one test did.

    Attributes:
        runs: What came of its runs, in order.
        unmet: Soft expectations that did not hold.
        seconds: How long it took, without what is set up and torn down for it.
    """

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self._is_told = False
        self.files: list[tuple[str, Path]] = []
        self.runs: list[RunReport] = []
        self.unmet: list[ExpectationNotMetError] = []
        self.flow: Path | None = None
        self.failed = False
        self.seconds = 0.0
        self._skipped = False

    @property
    def outcome(self) -> str:
        """``failed``, ``skipped`` or ``passed``."""
        return "failed" if self.failed else "skipped" if self._skipped else "passed"

    def tell(self) -> list[str]:
        """Return its steps in lines; they are not told a second time."""
        self._is_told = True
        return write_lines(self.runs, self.flow)

    def note(self, report: pytest.TestReport) -> None:
        """Complete pytest's report of a part of the test: setup, call or teardown."""
        self.failed |= report.failed
        self._skipped |= report.skipped
        self.seconds += report.duration if report.when == "call" else 0.0  # the rest may be what tests share
        if report.failed and self.runs and not self._is_told:
            report.sections.append((_STEPS, "\n".join(self.tell())))
        if report.when == "teardown":
            self._conclude(report)

    def keep_page(self, take_picture: Callable[[], bytes | None]) -> None:
        """Keep a picture of the page at the end of the test, where that is asked for."""
        wish = self._read_option("--screenshot")
        if wish != "on" and not (wish == "only-on-failure" and self.failed):
            return
        with suppress(HandError, OSError):  # no page is open, or the service is gone: the test has said so itself
            if data := take_picture():
                place = self._make_place(f"test-{'failed' if self.failed else 'finished'}-1.png")
                place.write_bytes(data)
                self.files.append(("screenshot", place))

    def keep_recordings(self, folder: Path) -> None:
        """Keep the trace and the videos of a session that has ended, where that is asked for; remove the rest."""
        found = sorted(folder.iterdir()) if folder.is_dir() else []
        for kind, option, ending in (("trace", "--tracing", ".zip"), ("video", "--video", ".webm")):
            wish = self._read_option(option)
            if wish == "on" or (wish == "retain-on-failure" and self.failed):
                self._keep(kind, [each for each in found if each.suffix == ending])
        shutil.rmtree(folder, ignore_errors=True)

    def _keep(self, kind: str, found: list[Path]) -> None:
        for number, file in enumerate(found, 1):
            place = self._make_place(f"{kind}{file.suffix}" if len(found) == 1 else f"{kind}-{number}{file.suffix}")
            shutil.move(file, place)
            self.files.append((kind, place))

    def _make_place(self, name: str) -> Path:
        """Return where a file of the test goes; pytest-playwright's own files for the same test keep their names."""
        name = f"surehand-{name}" if _PAGES & set(getattr(self._item, "fixturenames", ())) else name
        folder = Path(str(self._item.config.getoption("--output", "test-results"))).absolute() / self._name_folder()
        folder.mkdir(parents=True, exist_ok=True)
        return folder / name

    def _name_folder(self) -> str:
        attempt = int(getattr(self._item, "execution_count", 1)) - 1
        name = re.sub(r"[^a-z0-9]+", "-", self._item.nodeid.lower()).strip("-")[-_LONGEST_NAME:]
        return f"{name}-retry{attempt}" if attempt > 0 else name

    def _conclude(self, report: pytest.TestReport) -> None:
        report.user_properties += [("surehand_run", done.run_id) for done in self.runs]
        report.user_properties += [(f"surehand_{kind}", str(place)) for kind, place in self.files]
        if self.files and self.failed:
            report.sections.append((_FILES, "\n".join(f"{kind}: {place}" for kind, place in self.files)))

    def _read_option(self, name: str) -> Any:
        return self._item.config.getoption(name, "off")
