from pathlib import Path

import pytest

from agent.assembly import make_session
from agent.requests.requests import Request
from agent.settings.folder_settings import PERSONAL
from agent.settings.settings import Settings, load_settings, locate_config_folder
from agent.settings.surroundings import read_environment
from agent.settings.unset_settings import USUAL, find_settings
from core.approvals.approval_texts import describe_action
from core.base.errors import InputError, RefusedError
from core.goals.meta_goals import Goal
from core.planning.planner import bind_action


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


def test_where_nothing_is_set_what_is_found_is_what_would_be_read(workspace: Path) -> None:
    found, read = find_settings(workspace), Settings.model_construct()
    assert {name: getattr(found, name) or None for name in USUAL} == {
        name: getattr(read, name) or None for name in USUAL
    }
    assert found.model_dump() == read.model_dump()


def test_whatever_is_set_is_read(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_own("headed = true")
    assert find_settings(workspace).headed
    write(workspace, "failure_pictures = false")
    assert not find_settings(workspace).failure_pictures
    monkeypatch.setenv("surehand_trace", "on")
    assert find_settings(workspace).trace == "on"


def test_settings_that_cannot_be_looked_at_are_not_taken_for_none(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "config").write_text("no folder", encoding="utf-8")
    monkeypatch.setattr("agent.settings.unset_settings.locate_config_folder", lambda: workspace / "config" / "own")
    monkeypatch.setattr("agent.settings.settings.locate_config_folder", lambda: workspace / "config" / "own")
    (workspace / ".surehand" / "settings.toml").symlink_to(workspace / "elsewhere")
    with pytest.raises(RefusedError):
        find_settings(workspace)


def test_the_environment_wins_over_the_file(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_own('browser_path = "/own"\nheaded = true')
    assert load_settings(workspace).browser_path == "/own"
    monkeypatch.setenv("SUREHAND_BROWSER_PATH", "/environment")
    settings = load_settings(workspace)
    assert (settings.headed, settings.browser_path) == (True, "/environment")


def test_one_workspace_does_not_know_the_settings_of_another(workspace: Path, tmp_path: Path) -> None:
    write(workspace, "failure_pictures = false")
    assert not load_settings(workspace).failure_pictures
    assert load_settings(tmp_path / "other").failure_pictures


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("browser_pat = 'x'", 'browser_pat (did you mean "browser_path"?)'),
        ("headed = 'perhaps'", "headed"),
        (
            "rules = [{allow = 'file.*'}]",
            "rules.0.allow: settings can only ask and deny; to allow, use --policy FILE",
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


OTHERS = """
[[rules]]
[rules.ask]
verbs = ["file.write"]
"""
PLATFORM = "[platforms.{name}]\nhome_url = 'https://{host}/'\nsearch_url = 'https://{host}/?q={{query}}'\n"
GIVEN = {
    "browser_channel": '"chrome"',
    "browser_path": '"/evil"',
    "headed": "true",
    "health": "{stuck_after_s = 5}",
    "inner_hosts": '["evil.example"]',
    "language": '"de"',
    "models": '{fast = {provider = "openai", model = "m"}}',
    "log_file": '"off"',
    "log_level": '"debug"',
    "otlp_endpoint": '"http://evil.example"',
    "service": '{voice_approves = ["confirm"]}',
    "templates_folder": '"/evil"',
}
STRICTER = {  # what the person has, what a folder says, and what then holds
    "failure_pictures": [("true", "false", False), ("false", "false", False), ("true", "true", True)],
    "keep_pictures": [("true", "false", False), ("false", "false", False), ("true", "true", True)],
    "trace": [('"on"', '"off"', "off"), ('"on"', '"on-failure"', "on-failure"), ('"off"', '"off"', "off")],
}
LOOSER = {
    "failure_pictures": [("false", "true")],
    "keep_pictures": [("false", "true")],
    "trace": [('"off"', '"on"'), ('"off"', '"on-failure"'), ('"on-failure"', "true")],
}


def test_every_setting_is_the_persons_alone_or_a_folder_can_only_make_it_stricter() -> None:
    assert set(GIVEN) == PERSONAL
    assert set(STRICTER) == set(LOOSER)
    assert {*GIVEN, *STRICTER, "rules", "platforms"} == Settings.model_fields.keys()


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, cases in STRICTER.items() for case in cases])
def test_what_a_folder_makes_stricter_holds(workspace: Path, name: str, case: tuple[str, str, object]) -> None:
    write_own(f"{name} = {case[0]}")
    write(workspace, f"{name} = {case[1]}")
    assert getattr(load_settings(workspace), name) == case[2]


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, cases in LOOSER.items() for case in cases])
def test_what_a_folder_would_loosen_is_refused_by_name(workspace: Path, name: str, case: tuple[str, str]) -> None:
    write_own(f"{name} = {case[0]}")
    write(workspace, f"{name} = {case[1]}")
    with pytest.raises(InputError, match=name) as caught:
        load_settings(workspace)
    assert "Only your own settings can do that" in caught.value.message


@pytest.mark.parametrize("given", ["rules = []", OTHERS])
def test_the_rules_of_a_folder_are_added_to_the_persons(workspace: Path, given: str) -> None:
    write_own('[[rules]]\n[rules.deny]\nverbs = ["system.run"]\n')
    write(workspace, given)
    told = [rule.model_dump(exclude_none=True) for rule in load_settings(workspace).rules]
    assert told[0] == {"deny": {"verbs": ["system.run"], "because": ""}}
    assert len(told) == 1 + (given == OTHERS)


@pytest.mark.parametrize(
    "name", ["google", "Google", "GOOGLE", "'google  images'", "own", "Own", "wiki", "gmail", "youtube", "firefox"]
)
def test_a_folder_gives_no_name_a_new_meaning(workspace: Path, name: str) -> None:
    write_own(PLATFORM.format(name="own", host="own.example"))
    write(workspace, PLATFORM.format(name=name, host="evil.example"))
    with pytest.raises(InputError, match="another meaning") as caught:
        load_settings(workspace)
    assert caught.value.code == "bad_settings"


def test_the_person_may_give_a_built_in_name_another_meaning(workspace: Path) -> None:
    write_own(PLATFORM.format(name="google", host="own.example"))
    assert load_settings(workspace).platforms["google"].home_url == "https://own.example/"


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8123", "localhost", "[::1]", "10.1.2.3", "router", "box.lan", "169.254.169.254", "2130706433"]
)
def test_a_platform_of_a_folder_leads_to_no_inner_host_that_the_person_did_not_name(workspace: Path, host: str) -> None:
    write(workspace, PLATFORM.format(name="shop", host=host))
    with pytest.raises(InputError, match="this machine or an inner network") as caught:
        load_settings(workspace)
    assert "SUREHAND_INNER_HOSTS" in caught.value.hint
    if host != "2130706433":
        write_own(f'inner_hosts = ["{host}"]')
        assert "shop" in load_settings(workspace).platforms


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("search google for mugs", "Search google (www.google.com) for “mugs”"),
        ("search intranet for mugs", "Search intranet (docs.example) for “mugs”"),
        ("open intranet", "Open https://docs.example/"),
    ],
)
async def test_a_plan_says_the_host_that_a_search_goes_to(workspace: Path, sentence: str, told: str) -> None:
    write(workspace, PLATFORM.format(name="intranet", host="docs.example"))
    async with make_session(load_settings(workspace), workspace) as session:
        planned = session.plan(Request(utterance=sentence))
    assert planned.orchestration
    (action,) = planned.orchestration.graph.nodes.values()
    assert action.description == told
    assert describe_action(action, {}).startswith(told)


async def test_a_search_for_what_was_read_says_its_host_too(workspace: Path) -> None:
    async with make_session(load_settings(workspace), workspace) as session:
        terms = session.plan(Request(utterance="search mdn for mugs"))
    assert terms.orchestration
    (action,) = terms.orchestration.graph.nodes.values()
    bound = bind_action(action, {**action.args, "query": "x"}, {**action.args, "query": "“x”"}, terms.world)
    assert "developer.mozilla.org" in bound.description


@pytest.mark.parametrize("name", sorted(PERSONAL))
def test_a_folder_can_not_set_what_only_the_person_may(name: str, workspace: Path) -> None:
    write(workspace, f"{name} = {GIVEN[name]}")
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


def test_a_folder_of_templates_is_named_from_the_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SUREHAND_TEMPLATES_FOLDER", "prompts")
    with pytest.raises(InputError, match="'prompts' is not an absolute path"):
        load_settings(tmp_path)
    monkeypatch.setenv("SUREHAND_TEMPLATES_FOLDER", str(tmp_path))
    assert load_settings(tmp_path).templates_folder == tmp_path
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SUREHAND_TEMPLATES_FOLDER", "~/prompts")
    assert load_settings(tmp_path).templates_folder == tmp_path / "prompts"


@pytest.mark.parametrize("names", [("person",), ("Person",), ("con",), ("ada", "Ada")])
def test_a_principal_that_could_be_taken_for_another_is_refused(
    names: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = locate_config_folder() / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text("".join(f"[service.principals.{name}]\n" for name in names), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        load_settings(tmp_path)
    assert (refused.value.code, names[-1] in refused.value.message) == ("bad_settings", True)


def test_what_hands_start_is_marked(tmp_path: Path) -> None:
    assert read_environment(tmp_path, tmp_path / ".surehand", {}).variables["SUREHAND_INSIDE"] == "1"
