"""`surehand extract`: records on stdout or in a file, what is missing on stderr, and exit codes that say how it went."""

import asyncio
import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.assembly import make_session
from agent.cli.commands.extract import write_records
from agent.models.serving.recording import RecordingModel
from agent.settings.settings import Settings
from agent.testing.scripted_models import ScriptedModel
from fixtures.machine.desktop import PrivateDesktop
from fixtures.site_server import SiteServer
from tests.agent.conftest import Command
from tests.agent.planners.extract.extracting import extract, make_list

MUGS = make_list(article={"type": "string"}, unit_price={"type": "number"})
NAMED = make_list(name={"type": "string"}, price={"type": "number"})


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "mugs.schema.json"
    path.write_text(json.dumps(MUGS), encoding="utf-8")
    return path


def test_records_are_data_on_stdout_and_what_is_missing_is_told_on_stderr(
    surehand: Command, site: SiteServer, schema: Path
) -> None:
    said = surehand("extract", f"{site.url}/records/first", "--schema", str(schema))
    assert json.loads(said.out) == [
        {"article": "Blue mug", "unit_price": 8.5},
        {"article": "Red mug", "unit_price": 1009.0},
        {"article": "Old mug"},
    ]
    assert said.code == 1, "what the schema requires is missing"
    assert said.err == "note: “unit_price” is missing in 1 of 3 records: it contains no number.\n"


def test_several_pages_end_in_one_table(surehand: Command, site: SiteServer, schema: Path) -> None:
    options = ("--next", 'link "Next page"', "-o", "mugs.csv", "--quiet")
    said = surehand("extract", f"{site.url}/records/first", "--schema", str(schema), *options)
    assert (said.out, said.err) == ("", "")
    with Path("mugs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["article"], row["unit_price"]) for row in rows] == [
        ("Blue mug", "8.5"),
        ("Red mug", "1009.0"),
        ("Old mug", ""),
        ("Travel mug", "14.95"),
    ]


def test_each_value_is_told_with_its_line_where_all_is_asked_for(
    surehand: Command, site: SiteServer, schema: Path
) -> None:
    said = surehand("extract", f"{site.url}/records/second", "--schema", str(schema), "--json")
    told = json.loads(said.out)
    assert (said.code, told["outcome"], told["missing"]) == (0, "success", [])
    source = told["sources"][0]["unit_price"]
    assert (source["written"], source["way"]) == ("£14.95", "table")
    assert "Travel mug | £14.95" in source["line"]
    assert told["origins"] == [{"kind": "page", "place": f"{site.url}/records/second"}]


def test_what_no_rule_finds_a_recorded_model_says_again(surehand: Command, site: SiteServer, tmp_path: Path) -> None:
    talk, wanted, url = tmp_path / "talk.jsonl", tmp_path / "named.json", f"{site.url}/records/prose"
    wanted.write_text(json.dumps(NAMED), encoding="utf-8")

    def answer(question: Any) -> dict[str, Any]:
        line = next(int(each.split(":")[0]) for each in question.data[0].text.splitlines() if "The blue mug" in each)
        texts = {"name": "blue mug", "price": "£8.50"}
        return {"values": [{"record": 1, "entry": 0, "line": line, "property": n, "text": t} for n, t in texts.items()]}

    async def record() -> None:
        async with make_session(Settings(), tmp_path) as session:
            await extract(session, NAMED, RecordingModel(ScriptedModel(answer), talk), url=url)

    asyncio.run(record())
    said = surehand("extract", url, "--schema", str(wanted), "--replay", str(talk))
    assert (said.code, json.loads(said.out)) == (0, [{"name": "blue mug", "price": 8.5}]), said.err


REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "no such schema": (("--schema", "none.json"), "file_unreadable"),
    "a schema that no page can fill": (("--schema", "text.json"), "bad_schema"),
    "not JSON": (("--schema", "broken.json"), "bad_schema"),
    "pages without a way on": (("--schema", "mugs.schema.json", "--pages", "3"), "bad_usage"),
    "an unknown form": (("--schema", "mugs.schema.json", "-o", "mugs.txt"), "bad_usage"),
    "a file that is there": (("--schema", "mugs.schema.json", "-o", "text.json"), "file_exists"),
    "an unknown model": (("--schema", "mugs.schema.json", "--model", "nobody"), "model_unknown"),
}


@pytest.mark.parametrize(("options", "code"), list(REFUSED.values()), ids=list(REFUSED))
def test_what_can_not_be_done_is_refused_before_anything_is_opened(
    surehand: Command, site: SiteServer, schema: Path, options: tuple[str, ...], code: str
) -> None:
    Path("text.json").write_text('{"type": "string"}', encoding="utf-8")
    Path("broken.json").write_text("{", encoding="utf-8")
    said = surehand("extract", f"{site.url}/records/first", *options)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"error ({code}): ")
    assert not site.received.requests("/records/first")


def test_a_page_without_such_records_is_an_error_with_a_way_on(
    surehand: Command, site: SiteServer, tmp_path: Path
) -> None:
    (tmp_path / "named.json").write_text(json.dumps(NAMED), encoding="utf-8")
    said = surehand("extract", f"{site.url}/records/prose", "--schema", "named.json")
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("error (nothing_found): ")
    assert "--model" in said.err


def test_a_text_that_a_table_program_would_run_is_kept_from_it() -> None:
    records = [{"name": "=HYPERLINK(0)", "price": -5, "tags": ["a", "b"], "maker": {"name": "Ada"}, "gone": None}]
    content, guarded = write_records(records, Path("mugs.csv"))
    assert guarded == 1
    assert content.decode().splitlines() == ["name,price,tags,maker.name,gone", "'=HYPERLINK(0),-5,a; b,Ada,"]
    whole, _ = write_records(records, Path("mugs.json"))
    assert json.loads(whole) == records


def test_a_window_is_read_as_well_and_each_value_has_its_line(
    desk: PrivateDesktop, start: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    (tmp_path / "prices.txt").write_text("milk\n", encoding="utf-8")
    (tmp_path / "window.json").write_text('{"type": "object", "properties": {"title": {"type": "string"}}}')
    program = desk.open("mousepad", "--disable-server", str(tmp_path / "prices.txt"))
    try:
        sought = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "prices"]
        subprocess.run(sought, env=desk.environ, check=True, timeout=30, stdout=subprocess.DEVNULL)
        process = start("extract", "prices", "--schema", "window.json", "--json", **desk.environ)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        told = json.loads(out)
        assert "prices.txt" in told["records"]["title"]
        assert told["sources"][0]["title"]["line"] == f"# {told['records']['title']}"
        assert told["origins"][0]["kind"] == "window"
    finally:
        desk.end(program)
