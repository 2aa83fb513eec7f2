import sys
from pathlib import Path
from typing import Any

import pytest

from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.goals.meta_goals import Goal


def plan_pdf(workspace: Path, path: str) -> str:
    """Return the path that a goal's file gets in a workspace, or the code of the refusal."""
    goals = (
        Goal("browser", "navigate", {"url": "http://127.0.0.1/"}),
        Goal("browser", "pdf", {"path": path}, scope="after:g0"),
    )
    planned = make_session(Settings.model_construct(), workspace).plan(Request(goals=goals))
    if planned.orchestration is None or planned.errors:
        return planned.errors[0].code
    return planned.orchestration.graph.nodes["g1_pdf_1"].args["path"]


@pytest.mark.parametrize("workspace", ["shop", "shop/../shop", "./shop", "link/../shop", "shop/inner/.."])
def test_a_workspace_may_be_written_in_any_way(workspace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop" / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "shop", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    assert plan_pdf(Path(workspace), "a.pdf") == str(tmp_path.resolve() / "shop" / "a.pdf")
    assert plan_pdf(Path(workspace), "../a.pdf") == "path_refused"
    assert plan_pdf(Path(workspace), str(tmp_path / "a.pdf")) == "path_refused"


def test_a_workspace_that_is_a_link_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "shop", target_is_directory=True)
    path = str(tmp_path / "link" / "a.pdf")
    assert plan_pdf(tmp_path / "link", "a.pdf") == plan_pdf(tmp_path / "link", path) == path


def write_entry(folder: Path, name: str, *lines: str) -> None:
    """Write the desktop entry of a program."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n".join(("[Desktop Entry]", "Type=Application", f"Name={name}", "Exec=true", *lines))
    (folder / f"{name.lower()}.desktop").write_text(text)


@pytest.mark.skipif(sys.platform != "linux", reason="desktop entries are what programs are known by on Linux")
def test_a_sentence_knows_the_programs_that_are_installed_when_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "none"))
    session = make_session(Settings.model_construct(), tmp_path)
    # Written behind the start, which therefore didn't look.
    write_entry(tmp_path / "applications", "Frobnicator")
    write_entry(tmp_path / "applications", "Grommet", "NoDisplay=true")
    (tmp_path / "applications" / "bad.desktop").write_text("[Desktop Entry]\nType=Application\nName=Bad\nExec='")
    assert list_said(session, "open the frobnicator") == [("system.launch", {"app": "frobnicator"})]
    assert list_said(session, "open the grommet") == []
    assert list_said(session, "open the bad") == []


def list_said(session: AgentSession, utterance: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the goals that a sentence means to a session."""
    interpretation = session.plan(Request(utterance=utterance)).interpretation
    goals = interpretation.meta_goal.goals if interpretation and interpretation.meta_goal else ()
    return [(goal.name, dict(goal.params)) for goal in goals]
