from pathlib import Path

import pytest

from agent.assembly import make_session
from agent.requests import Request
from agent.settings import PERSONAL, Settings, load_settings, locate_config_folder
from core.errors import InputError
from core.goals import Goal


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("BROWSER_PATH", "HEADED", "PLATFORMS"):
        monkeypatch.delenv(f"SUREHAND_{name}", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / ".surehand").mkdir()
    return tmp_path


def write(workspace: Path, text: str) -> None:
    (workspace / ".surehand" / "settings.toml").write_text(text, encoding="utf-8")


def write_own(text: str) -> None:
    file = locate_config_folder() / "settings.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_without_a_file_everything_has_its_default(workspace: Path) -> None:
    settings = load_settings(workspace)
    assert settings.model_dump() == Settings.model_construct().model_dump()
    assert (settings.browser_path, settings.headed, settings.platforms) == (None, False, {})


def test_the_environment_wins_over_the_file(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(workspace, "headed = true")
    write_own('browser_path = "/own"\nheaded = false')
    assert load_settings(workspace).browser_path == "/own"
    monkeypatch.setenv("SUREHAND_BROWSER_PATH", "/environment")
    settings = load_settings(workspace)
    assert (settings.headed, settings.browser_path) == (True, "/environment")


def test_one_workspace_does_not_know_the_settings_of_another(workspace: Path, tmp_path: Path) -> None:
    write(workspace, "headed = true")
    assert load_settings(workspace).headed
    assert not load_settings(tmp_path / "other").headed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("browser_pat = 'x'", 'browser_pat (did you mean "browser_path"?)'),
        ("headed = 'perhaps'", "headed"),
        (
            "rules = [{allow = 'file.*'}]",
            "rules.0.allow: settings may only ask and deny; what allows is given by --policy FILE",
        ),
        ("[platforms.x]\nhome_url = 'http://a.test'", "platforms.x.search_url"),
        ("headed = ", "can't be read"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_by_name(text: str, words: str, workspace: Path) -> None:
    write(workspace, text)
    with pytest.raises(InputError) as caught:
        load_settings(workspace)
    assert words in caught.value.message
    assert "settings.toml" in str(caught.value)
    assert caught.value.code == "bad_settings"


@pytest.mark.parametrize(("name", "value"), [("HEADED", "perhaps"), ("PLATFORMS", "{no json")])
def test_a_variable_that_makes_no_sense_is_refused(
    name: str, value: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"SUREHAND_{name}", value)
    with pytest.raises(InputError, match="SUREHAND_"):
        load_settings(workspace)


def test_a_file_that_is_no_text_is_refused(workspace: Path) -> None:
    (workspace / ".surehand" / "settings.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="can't be read"):
        load_settings(workspace)


async def test_a_platform_of_ones_own_can_be_searched_by_its_name(workspace: Path) -> None:
    write(workspace, "[platforms.Intranet]\nhome_url = 'http://a.test/'\nsearch_url = 'http://a.test/?q={query}'")
    async with make_session(load_settings(workspace), workspace) as session:
        planned = session.plan(Request(utterance="search intranet for blue mugs"))
        assert planned.orchestration
        assert planned.errors == ()
        action = next(iter(planned.orchestration.graph.nodes.values()))
        assert dict(action.args) == {"query": "blue mugs", "platform": "intranet"}
    async with make_session(Settings.model_construct(), workspace) as plain:
        goal = Goal("browser", "search", {"query": "blue mugs", "platform": "intranet"})
        assert plain.plan(Request(goals=(goal,))).errors[0].code == "value_not_allowed"


@pytest.mark.parametrize("name", sorted(PERSONAL))
def test_a_folder_can_not_set_what_only_the_person_may(name: str, workspace: Path) -> None:
    write(workspace, f"{name} = 'evil.example'")
    with pytest.raises(InputError) as caught:
        load_settings(workspace)
    assert name in caught.value.message
    assert str(locate_config_folder() / "settings.toml") in caught.value.hint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("browser_path = 5", "browser_path"),
        ("inner_hosts = ['http://box.lan/']", "inner_hosts"),
        ("inner_hosts = ['*.lan']", "name each"),
    ],
)
def test_what_the_person_set_wrong_is_refused_by_name(text: str, words: str, workspace: Path) -> None:
    write_own(text)
    with pytest.raises(InputError, match=words):
        load_settings(workspace)
