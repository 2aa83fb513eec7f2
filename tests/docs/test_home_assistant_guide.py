"""The guide for Home Assistant, tried as Home Assistant would: its configuration read, its templates filled in, its calls made."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment
from ruamel.yaml import YAML

from fixtures.machine.signals import heed_signals
from fixtures.site_server import SiteServer
from tests.docs.examples import list_examples

GUIDE = "docs/guides/home-assistant.md"
SITES, SERVICE = "127.0.0.1:8123", "http://127.0.0.1:8137"
PROGRAM = Path(sys.executable).parent / "surehand"


def read_configuration(secrets: Mapping[str, str]) -> dict[str, Any]:
    """Return what the guide's blocks configure together; `!secret` is looked up as Home Assistant does it."""
    reader = YAML(typ="safe")
    reader.constructor.add_constructor("!secret", lambda _, node: secrets[node.value])
    found: dict[str, Any] = {}
    for example in list_examples("yaml home-assistant"):
        found |= reader.load(example.text)
    return found


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Return a template filled in, with the filter that Home Assistant adds."""
    environment = SandboxedEnvironment(undefined=StrictUndefined)
    environment.filters["to_json"] = json.dumps
    return environment.from_string(template).render(values)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Of a person whose own settings are those of the guide."""
    folder = tmp_path / "config" / "surehand"
    folder.mkdir(parents=True, mode=0o700)
    own = next(each for each in list_examples("toml own") if each.file == GUIDE)
    (folder / "settings.toml").write_text(own.text, encoding="utf-8")
    return os.environ | {"XDG_CONFIG_HOME": str(tmp_path / "config")}


@pytest.fixture
def start(tmp_path: Path, environment: dict[str, str]) -> Iterator[Callable[..., str]]:
    """Starts a command in an empty folder, and returns the first line that it prints."""
    started: list[subprocess.Popen[str]] = []
    (tmp_path / "work").mkdir()

    def run(*arguments: str) -> str:
        with heed_signals():
            process = subprocess.Popen(
                [str(PROGRAM), *arguments],
                cwd=tmp_path / "work",
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        started.append(process)
        assert process.stdout
        return process.stdout.readline().strip()

    yield run
    for process in started:
        process.terminate()
        process.wait(timeout=30)
        if process.stdout:
            process.stdout.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a signal ends the service")
def test_what_the_guide_configures_says_the_price_of_the_day(start: Callable[..., str], site: SiteServer) -> None:
    token = start("service", "token", "home")
    served = json.loads(start("serve", "--port", "0", "--json"))
    configuration = read_configuration({"surehand_token": f"Bearer {token}"})
    command, (automation,) = configuration["rest_command"]["surehand"], configuration["automation"]
    asking, telling = automation["actions"]
    text = asking["data"]["text"].replace(SITES, site.url.removeprefix("http://"))
    answer = httpx.request(
        command["method"],
        command["url"].replace(SERVICE, served["address"]),
        headers={"content-type": command["content_type"], **command["headers"]},
        content=fill(command["payload"], {"text": text}),
        timeout=command["timeout"],
        trust_env=False,
    )
    assert answer.status_code == 200, answer.text
    said = fill(telling["data"]["message"], {asking["response_variable"]: {"content": answer.json()}})
    assert said.endswith("says: “eight pounds fifty”.")
    assert answer.json()["conversation_id"] == "house"


@pytest.fixture
def site() -> Iterator[SiteServer]:
    with SiteServer() as server:
        yield server
