"""The guides for assistants and chat front ends: every program that they show is run, against a service of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from agent.remote.service_file import find_running
from tests.agent.conftest import PROGRAM
from tests.agent.mcp.test_stdio import start
from tests.agent.mcp.test_tools import read
from tests.cases import each_case
from tests.docs.examples import Example, list_examples

GUIDES = ("mcp.md", "chat-front-ends.md")
ADDRESS = "http://127.0.0.1:8137"
PROGRAMS = [each for kind in ("python mcp", "python mcp-http", "python completions") for each in list_examples(kind)]


def run(program: str, folder: Path) -> str:
    """Run a program in a folder, with the installed command on its path; return what it prints."""
    environment = os.environ | {"PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}", "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """What stands for the address and the token in the guides: those of a service of a folder of its own."""
    tmp_path = tmp_path_factory.mktemp("served")
    process = subprocess.Popen([str(PROGRAM), "serve", "--port", "0"], cwd=tmp_path, stdout=subprocess.PIPE)
    with process:
        assert process.stdout
        process.stdout.readline()
        running = find_running(tmp_path)
        assert running
        yield {ADDRESS: running.address, "TOKEN": running.token}
        process.terminate()


def test_there_is_one_of_each_program() -> None:
    assert [each.file.rpartition("/")[2] for each in PROGRAMS] == ["mcp.md", "mcp.md", "chat-front-ends.md"]
    shown = [each for guide in GUIDES for each in list_examples("python") if each.file.endswith(f"/{guide}")]
    assert len(shown) == len(PROGRAMS)


def test_a_client_over_stdio_does_what_it_says(tmp_path: Path) -> None:
    (example,) = list_examples("python mcp")
    assert run(example.text, tmp_path) == "success I remembered blue as desk.\n"


@each_case(("example", "printed"), [(PROGRAMS[1], "1 step.\n"), (PROGRAMS[2], "I remembered blue as desk.\n")], ids=str)
def test_a_program_over_http_does_what_it_says(
    example: Example, printed: str, served: Mapping[str, str], tmp_path: Path
) -> None:
    program = example.text
    for shown, real in served.items():
        program = program.replace(shown, real)
    assert run(program, tmp_path) == printed


async def test_what_an_assistant_is_told_to_start_is_a_server_with_the_tools_of_the_guide(tmp_path: Path) -> None:
    (example,) = list_examples("json mcp")
    server = json.loads(example.text)["mcpServers"]["surehand"]
    assert server["command"] == "surehand"
    options = [option.replace("/home/ada/desk", str(tmp_path)) for option in server["args"]]
    assert options[0] == "mcp"
    async with start(tmp_path, *options[1:]) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        assert read(await client.call_tool("status", {}))["reply"] == "Nothing is running."
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "mcp.md").read_text(encoding="utf-8")
    assert tools == [line.split("`")[1] for line in guide.splitlines() if line.startswith("| `")]
