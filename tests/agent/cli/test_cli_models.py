"""`--model`, `--replay` and `--record` on the command line, with a model server of ours."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fixtures.model_server import ModelServer
from fixtures.site_server import SiteServer
from tests.agent.conftest import Command

SAID = "frobnicate todo.txt with hello"
KEY = "sk-0123456789-abcdefghij"
READING = {
    "steps": [{"verb": "file.read", "params": [{"name": "path", "value": "todo.txt"}], "scope": ""}],
    "refusal": "",
}
WRITING = {
    "steps": [
        {
            "verb": "file.write",
            "params": [{"name": "path", "value": "todo.txt"}, {"name": "content", "value": "a poem"}],
            "scope": "",
        }
    ],
    "refusal": "",
}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(autouse=True)
def own_settings(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who has one model."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("SUREHAND_SECRET_MODEL_KEY", KEY)
    folder = tmp_path / "config" / "surehand"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text(
        f'[models.small]\nprovider = "openai"\nmodel = "m"\nbase_url = "{server.root}/v1"\nkey = "secret:model_key"\n'
    )
    (tmp_path / "todo.txt").write_text("milk")


def test_without_the_option_no_model_is_asked(surehand: Command, server: ModelServer) -> None:
    said = surehand("run", SAID)
    assert (said.code, server.asked) == (2, [])
    assert "no_intent_match" in said.err


def test_a_run_with_a_model_reads_what_it_proposes(surehand: Command, server: ModelServer) -> None:
    server.answer(READING)
    said = surehand("run", SAID, "--model", "small")
    assert (said.code, said.err) == (0, ""), said
    assert "todo.txt" in said.out
    assert len(server.asked) == 1


def test_an_act_is_not_done_where_nobody_can_confirm_it(surehand: Command, server: ModelServer, tmp_path: Path) -> None:
    server.answer(WRITING)
    said = surehand("run", SAID, "--model", "small", "--yes", "apply_diff")
    assert said.code == 3
    assert (tmp_path / "todo.txt").read_text() == "milk"
    assert "a poem" in said.out + said.err


def test_a_plan_with_a_model_is_shown(surehand: Command, server: ModelServer) -> None:
    server.answer(READING)
    said = surehand("plan", SAID, "--model", "small", "--json")
    assert said.code == 0, said
    (goal,) = json.loads(said.out)["goals"]
    assert (goal["verb"], goal["author"]) == ("read", "small")


def test_explain_shows_just_what_left_with_secrets_taken_out(surehand: Command, server: ModelServer) -> None:
    server.answer(READING)
    said = surehand("interpret", f"{SAID} {KEY}", "--model", "small", "--explain")
    assert said.code == 0, said
    shown = json.loads(said.out)
    (exchange,) = shown["models"]
    body = server.asked[0].body
    assert exchange["left"]["instructions"] == body["messages"][0]["content"]
    assert [each["text"] for each in exchange["left"]["data"]] == [json.loads(body["messages"][1]["content"])["text"]]
    assert exchange["answer"]["value"] == READING
    assert shown["goals"][0] | {"params": {}} == {
        "domain": "file",
        "verb": "read",
        "params": {},
        "scope": "root",
        "model": "small",
        "written": [],
    }
    assert KEY not in said.out + said.err


def test_interpret_says_what_was_wrong_with_both(surehand: Command, server: ModelServer) -> None:
    server.fail("server_error")
    said = surehand("interpret", SAID, "--model", "small")
    assert said.code == 2
    assert json.loads(said.out)["refusal"]["code"] == "no_intent_match"
    assert "model_server_error" in said.err


def test_a_recording_is_replayed_by_all_three_commands(surehand: Command, server: ModelServer, tmp_path: Path) -> None:
    server.answer(READING)
    file = str(tmp_path / "replies.jsonl")
    assert surehand("run", SAID, "--model", "small", "--record", file).code == 0
    assert KEY not in Path(file).read_text()
    for command in ("run", "plan", "interpret"):
        said = surehand(command, SAID, "--replay", file)
        assert (said.code, said.err) == (0, ""), said
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--model", "large"), "model_unknown"),
        (("--model", "small", "--replay", "x"), "bad_usage"),
        (("--record", "x"), "bad_usage"),
        (("--replay", "none.jsonl"), "model_bad_recording"),
    ],
)
@pytest.mark.parametrize("command", ["run", "plan", "interpret"])
def test_wrong_options_are_told(surehand: Command, command: str, options: tuple[str, ...], code: str) -> None:
    said = surehand(command, SAID, *options)
    assert said.code == 2
    assert code in said.err + said.out


@pytest.mark.parametrize(
    "text",
    [
        '[models.mine]\nprovider = "openai"\nmodel = "m"\nbase_url = "http://evil.example/v1"\n',
        '[models.small]\nprovider = "openai"\nmodel = "m"\nbase_url = "http://evil.example/v1"\nkey = "secret:model_key"\n',
        "[models.small]\nprovider = 'openai'\nmodel = 'm'\nusd_budget = 1000000\n",
        "models = {}\n",
    ],
)
def test_a_folder_adds_no_model_redirects_none_and_widens_no_budget(
    surehand: Command, server: ModelServer, tmp_path: Path, text: str
) -> None:
    (tmp_path / ".surehand").mkdir(mode=0o700)
    (tmp_path / ".surehand" / "settings.toml").write_text(text)
    said = surehand("run", SAID, "--model", "small")
    assert (said.code, server.asked) == (2, [])
    assert "Only your own settings can do that" in said.err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('key = "sk-0123456789"', "never the key itself"),
        ('base_url = "ftp://x/"', "scheme"),
        ('base_url = "https://me:pw@x/"', "without a user name"),
        ("tokens_budget = 0", "tokens_budget"),
        ("usd_budget = -1", "usd_budget"),
        ("temprature = 1", "temprature"),
    ],
)
def test_a_setting_that_makes_no_sense_is_told_and_no_key_is_quoted(
    surehand: Command, tmp_path: Path, line: str, words: str
) -> None:
    file = tmp_path / "config" / "surehand" / "settings.toml"
    file.write_text(f'[models.small]\nprovider = "openai"\nmodel = "m"\n{line}\n')
    said = surehand("run", SAID, "--model", "small")
    assert said.code == 2
    assert words in said.err
    assert "sk-0123456789" not in said.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('provider = "local"\nmodel = "m"\n', "needs base_url"),
        (
            'provider = "openai"\nmodel = "m"\nbase_url = "http://far.example/v1"\nkey = "secret:model_key"\n',
            "without encryption",
        ),
    ],
)
def test_a_model_that_could_not_be_asked_safely_is_not(
    surehand: Command, tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "config" / "surehand" / "settings.toml").write_text(f"[models.small]\n{text}")
    said = surehand("run", SAID, "--model", "small")
    assert said.code == 2
    assert words in said.err


def test_a_person_s_private_rule_holds_for_what_a_flow_says(surehand: Command, tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text("rules:\n  - private: {hosts: ['bank.example']}\n")
    said = surehand("run", "create a file called a.txt", "--policy", "policy.yaml", "--dry-run")
    assert said.code == 0, said


def test_help_and_a_run_without_a_model_import_no_library_of_models(
    start: Callable[..., subprocess.Popen[bytes]],
) -> None:
    code = (
        "import sys\nfrom agent.cli.main import main\nsys.argv = ['surehand', 'plan', 'create a file called a.txt']\n"
        "main()\nprint([name for name in sys.modules if name.split('.')[0] in {'pydantic_ai', 'openai', 'httpx2'}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "[]", done


def write_reading(tmp_path: Path, site: SiteServer) -> None:
    flow = f"goals:\n  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.read: {{target: text}}\n"
    (tmp_path / "read.yaml").write_text(flow)


def test_a_model_that_helps_is_not_asked_for_tools(
    surehand: Command, server: ModelServer, site: SiteServer, tmp_path: Path
) -> None:
    write_reading(tmp_path, site)
    assert surehand("run", "read.yaml", "--model", "small").code == 0
    assert server.asked == []
