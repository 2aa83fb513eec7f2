"""A summary of a real workspace and one of declared parts are alike."""

from pathlib import Path

import pytest

from actuators.project.back_end import ProjectSources, list_folder
from agent.store.context_file import ContextFile
from core.memory.facts import ContextMemory
from tests.contracts.project.conformance import MEMORY, PAGE, SummarizingConformance, summarize


class TestRealWorkspace(SummarizingConformance):
    """A folder, and a memory in a file."""

    @pytest.fixture
    async def sources(self, tmp_path: Path) -> ProjectSources:
        workspace = tmp_path / "work"
        workspace.mkdir()
        (workspace / "notes.txt").write_text("mine", encoding="utf-8")
        (workspace / ".hidden").write_text("mine", encoding="utf-8")
        file = ContextFile(tmp_path / "state")
        await file.change(lambda _: MEMORY)
        return ProjectSources(
            workspace=str(workspace),
            list_entries=lambda: list_folder(workspace),
            list_pages=lambda: (PAGE,),
            read_memory=file.read,
            settings=("trace",),
        )

    async def test_hidden_files_are_not_told(self, sources: ProjectSources):
        assert ".hidden" not in (await summarize(sources)).output["text"]


class TestDeclaredParts(SummarizingConformance):
    """Nothing but what is declared."""

    @pytest.fixture
    def sources(self) -> ProjectSources:
        async def read() -> ContextMemory:
            return MEMORY

        return ProjectSources(
            workspace="/home/ada/work",
            list_entries=lambda: ("notes.txt",),
            list_pages=lambda: (PAGE,),
            read_memory=read,
            settings=("trace",),
        )


def test_a_folder_that_is_gone_has_no_names(tmp_path: Path):
    assert list_folder(tmp_path / "gone") == ()
