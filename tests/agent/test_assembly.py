from pathlib import Path

import pytest

from agent.assembly import make_session
from agent.requests import Request
from agent.settings import Settings
from core.goals import Goal


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
