import json
from pathlib import Path

import pytest

from agent.cli.flows.commands import check_flows, format_flows, show_schema

GOOD = 'goals:\n  - browser.navigate: {url: "http://127.0.0.1/"}\n'
BAD = "goals:\n  - browser.clik: {}\n  - browser.navigate: {url: 'http://127.0.0.1/'}\n    retry: 0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(BAD)
    return tmp_path


def test_a_flow_without_faults_passes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_flows((folder / "good.yaml",), workspace=folder, as_json=False) == 0
    assert capsys.readouterr().out == "1 flow checked: no faults.\n"


def test_faults_of_the_text_are_listed_with_their_places(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        check_flows(
            (
                folder / "good.yaml",
                folder / "bad.yaml",
            ),
            workspace=folder,
            as_json=True,
        )
        == 2
    )
    (fault,) = json.loads(capsys.readouterr().out)["faults"]
    assert (fault["evidence"]["file"], fault["evidence"]["line"]) == (str(folder / "bad.yaml"), 4)


def test_faults_of_the_plan_are_listed_once_the_text_has_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.yaml").write_text(BAD.replace("retry: 0", "retry: 2"))
    assert check_flows((folder / "bad.yaml",), workspace=folder, as_json=False) == 2
    assert f"{folder / 'bad.yaml'}:2:5: There is no verb browser.clik." in capsys.readouterr().out


def test_format_says_what_would_change_and_then_changes_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "bad.yaml"
    path.write_text("goals:\n- browser.back: {}\nname: x\n")
    assert format_flows((path,), dry=True) == 1
    assert path.read_text().startswith("goals:")
    assert format_flows((path,), dry=False) == 0
    assert path.read_text() == "name: x\ngoals:\n  - browser.back: {}\n"
    assert format_flows((path,), dry=True) == 0
    assert "0 would change, 1 in form already." in capsys.readouterr().out


def test_the_schema_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    show_schema()
    assert json.loads(capsys.readouterr().out)["title"] == "Surehand flow"
