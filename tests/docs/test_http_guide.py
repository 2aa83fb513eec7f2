"""The guide to HTTP, tried as its reader would: a principal, a token, the commands, and the back end."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from fixtures.machine.signals import heed_signals
from fixtures.site_server import SiteServer
from tests.docs.examples import ROOT, list_examples

GUIDE = "docs/guides/http.md"
SITES, SERVICE = "127.0.0.1:8123", "http://127.0.0.1:8137"
PROGRAM = Path(sys.executable).parent / "surehand"
PRICE = "£8.50"


@dataclass(frozen=True)
class Reader:
    """Who follows the guide.

    Attributes:
        address: Of the service.
        site: Where the fixture sites are.
        environment: With the token.
    """

    address: str
    site: str
    environment: dict[str, str]

    def adapt(self, text: str) -> str:
        """Return a text of the guide with the addresses of this test."""
        return text.replace(SERVICE, self.address).replace(SITES, self.site)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    tmp_path = tmp_path_factory.mktemp("reader")
    own = next(each for each in list_examples("toml own") if each.file == GUIDE)
    config, work = tmp_path / "config" / "surehand", tmp_path / "work"
    config.mkdir(parents=True, mode=0o700)
    work.mkdir()
    (config / "settings.toml").write_text(own.text, encoding="utf-8")
    environment = os.environ | {"XDG_CONFIG_HOME": str(config.parent)}
    made = [PROGRAM, "service", "token", "chat"]
    token = subprocess.run(made, env=environment, cwd=work, capture_output=True, check=True, text=True).stdout.strip()
    with heed_signals():
        service = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--json"], env=environment, cwd=work, stdout=subprocess.PIPE, text=True
        )
    try:
        assert service.stdout
        address = json.loads(service.stdout.readline())["address"]
        with SiteServer() as site:
            yield Reader(address, site.url.removeprefix("http://"), environment | {"TOKEN": token})
    finally:
        service.terminate()
        service.communicate(timeout=20)


@pytest.mark.skipif(shutil.which("curl") is None, reason="the guide's commands are curl's")
def test_the_commands_of_the_guide_do_what_it_says(reader: Reader) -> None:
    answers: list[dict[str, Any]] = []
    for example in list_examples("bash http"):
        script = reader.adapt(example.text)
        done = subprocess.run(["sh", "-ec", script], env=reader.environment, capture_output=True, check=True, text=True)
        decoder, told = json.JSONDecoder(), done.stdout
        while told.strip():
            answer, end = decoder.raw_decode(told.strip())
            answers.append(answer)
            told = told.strip()[end:]
    bought, first, again = answers
    assert (bought["outcome"], PRICE in bought["reply"]) == ("success", True)
    assert first["outcome"] == "success"
    assert first["run_id"] == again["run_id"] != bought["run_id"]


def test_the_back_end_of_the_guide_shows_steps_and_the_reply(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = list_examples("python http")
    monkeypatch.setenv("TOKEN", reader.environment["TOKEN"])
    names: dict[str, Any] = {}
    exec(compile(reader.adapt(example.text), f"{ROOT / GUIDE}", "exec"), names)
    hear = cast("Callable[[str, str, str], Iterator[str]]", names["hear"])
    with names["surehand"]:
        *steps, reply = hear("ada", "m1", f"open {reader.site}/shop/item/blue-mug and read the price")
        assert [each.partition(":")[0] for each in steps] == ["ok", "ok"]
        assert PRICE in reply
        assert list(hear("ada", "m1", f"open {reader.site}/shop/item/blue-mug and read the price"))[-1] == reply
        assert list(hear("no/such", "m2", "stop")) == ["Nothing has this address."]
