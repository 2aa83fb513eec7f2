"""Flow files as tests: one item each, with the fixtures, marks and reports that every test has."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..reports import HandError
from .fixtures import RECORD
from .pytest_hands import PytestHand
from .step_lines import read_name

_MARKS = re.compile(r"^#\s*marks?\s*:\s*(.+)$", re.MULTILINE)


class PytestFlowFile(pytest.Module):
    """A flow file. To pytest it is a module without Python in it, as its own text files with doctests are."""

    obj: Any = None

    def collect(self) -> Iterator["FlowItem"]:
        """Yield its one test."""
        item: FlowItem = FlowItem.from_parent(self, name=read_name(self.path), callobj=_run_flow(self.path))
        item.add_marker("surehand_flow")
        for name in _read_marks(self.path):
            item.add_marker(getattr(pytest.mark, name))
        yield item


class FlowItem(pytest.Function):
    """A flow as a test."""

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where it stands and what it is called."""
        return self.path, 0, f"flow: {self.name}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what went wrong and its steps instead of a traceback, where a step failed."""
        if not isinstance(excinfo.value, HandError):
            return super().repr_failure(excinfo)
        del style
        record = self.stash.get(RECORD, None)
        told = excinfo.getrepr(style="value")
        if told.reprcrash:  # one line, as pytest's summary shows all of it where it runs for CI
            told.reprcrash.message = " ".join(excinfo.value.message.split())
        if lines := record.tell() if record else []:
            told.addsection(f"Flow {self.path.name}: {self.name}", "\n".join(lines))
        return told


def _run_flow(path: Path) -> Any:
    def run_flow(surehand: PytestHand) -> None:
        surehand.flow(path)

    return run_flow


def _read_marks(path: Path) -> list[str]:
    """Return the marks that a comment of the file names: ``# marks: smoke, slow``."""
    if path.suffix == ".json":
        return []
    found = _MARKS.search(path.read_text(encoding="utf-8", errors="replace"))
    return [each for each in re.split(r"[,\s]+", found[1]) if each.isidentifier()] if found else []
