"""A memory in a file and one in memory do the same."""

import inspect
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actuators.memory.fake import FakeMemories
from actuators.verb_table import load_toolsets
from agent.store.context_file import ContextFile
from core.tools.registry import list_verbs
from tests.contracts.memory import conformance
from tests.contracts.memory.conformance import RememberingConformance, TakingBackConformance


class TestContextFile(RememberingConformance, TakingBackConformance):
    """The file of a workspace."""

    @pytest.fixture
    async def memories(self, tmp_path: Path) -> AsyncIterator[ContextFile]:
        file = ContextFile(tmp_path / "state")
        yield file
        await file.close()


class TestFake(RememberingConformance, TakingBackConformance):
    """The shipped fake."""

    @pytest.fixture
    def memories(self) -> FakeMemories:
        return FakeMemories()


def test_the_suite_calls_every_verb():
    called = set(re.findall(r'\(memories, "(\w+)"', inspect.getsource(conformance)))
    assert called >= {verb for toolset in load_toolsets("memory") for verb in list_verbs(toolset)}
