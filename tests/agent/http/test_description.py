"""The API's description is true: schemathesis, which others made, finds nothing in all of it, with a token and without."""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.agent.http.conftest import Served
from tests.thoroughness import is_thorough, spread

EXAMPLES = "4"


async def run_schemathesis(served: Served, folder: Path, *options: str) -> tuple[int, str]:
    """Let schemathesis ask everything that the description has, and return its exit code and what it says."""
    async with served.open() as client:
        described = await client.get("/v1/openapi.json")
    (folder / "openapi.json").write_bytes(described.content)
    started = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("schemathesis")),
        *("run", "openapi.json", "--url", f"http://127.0.0.1:{served.port}", "--no-color"),
        *("--max-examples", EXAMPLES, "--generation-deterministic", "--request-timeout", "100", *options),
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    told, _ = await started.communicate()
    return started.returncode or 0, told.decode()


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "part",
    [
        # Plans take the bodies that runs take: once is enough for every day.
        pytest.param(("--phases", "coverage", "--include-path", "/v1/plan"), id="plans", marks=pytest.mark.soak),
        *spread(
            [
                pytest.param(("--phases", "coverage", "--exclude-path", "/v1/plan"), id="coverage"),
                pytest.param(("--phases", "fuzzing,stateful"), id="fuzzing"),
            ],
            1,
        ),
    ],
)
async def test_schemathesis_finds_nothing_with_a_token(served: Served, tmp_path: Path, part: tuple[str, ...]) -> None:
    code, told = await run_schemathesis(served, tmp_path, "--header", "Authorization: Bearer owner", *part)
    assert code == 0, told
    assert {each["status"] for each in served.notes} >= {200, 422}


@pytest.mark.timeout(300)
async def test_schemathesis_finds_nothing_without_a_token_and_gets_at_nothing(served: Served, tmp_path: Path) -> None:
    code, told = await run_schemathesis(served, tmp_path, *(() if is_thorough() else ("--phases", "fuzzing")))
    assert code == 0, told
    without = [each for each in served.notes if not each["principal"]]
    assert {each["route"] for each in without if each["status"] < 400} == {"/v1/live"}


async def test_the_description_names_every_route_its_token_and_its_errors(served: Served) -> None:
    async with served.open() as client:
        described = (await client.get("/v1/openapi.json")).json()
    operations = [(path, each) for path, found in described["paths"].items() for each in found.values()]
    assert len({each["operationId"] for _, each in operations}) == len(operations)
    for path, each in operations:
        assert ("security" in each) is (path != "/v1/live")
        assert each["responses"]["401"]["content"].keys() == {"application/json"}
        assert each["description"]
