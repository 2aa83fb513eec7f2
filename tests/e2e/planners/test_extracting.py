"""Records of real pages: by rules first, each value with the line that it came from; a model adds only what stands on the page."""

from typing import Any

import pytest

from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.testing.scripted_models import ScriptedModel
from core.base.errors import ModelError
from core.goals.meta_goals import Goal
from core.planning.planners.ports import ModelQuestion
from fixtures.site_server import SiteServer
from tests.agent.planners.extract.extracting import extract, make_list

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
MUG = make_list(
    article=TEXT, unit_price=NUMBER, inStock={"type": "boolean"}, added={"type": "string", "format": "date"}
)
NAMED = make_list(name=TEXT, price=NUMBER)


async def test_a_table_is_read_by_its_headings_and_what_is_missing_is_told_with_the_reason(
    session: AgentSession, site: SiteServer
) -> None:
    result = await extract(session, MUG, url=f"{site.url}/records/first")
    assert result.artifacts["records"] == [
        {"article": "Blue mug", "unit_price": 8.5, "inStock": True, "added": "2025-12-24"},
        {"article": "Red mug", "unit_price": 1009.0, "inStock": False, "added": "2026-01-02"},
        {"article": "Old mug", "inStock": False},
    ]
    assert result.outcome == "partial"
    assert [(each["path"], each["record"], each["why"]) for each in result.artifacts["missing"]] == [
        ("unit_price", 3, "“on request” under “Unit price”: it contains no number"),
        ("added", 3, "its cell is empty"),
    ]


async def test_each_source_is_a_selector_that_finds_its_value_again(session: AgentSession, site: SiteServer) -> None:
    result = await extract(session, MUG, url=f"{site.url}/records/first")
    for record in result.artifacts["sources"]:
        for source in record.values():
            goal = Goal("browser", "read", {"target": "text", "selector": source["selector"]})
            read = await session.run(Request(goals=(goal,)))
            assert source["written"] in read.step_logs[-1].result.output["text"], source


async def test_links_of_one_name_lead_each_where_its_row_does(session: AgentSession, site: SiteServer) -> None:
    schema = make_list(article=TEXT, url={"type": "string", "format": "uri"})
    result = await extract(session, schema, url=f"{site.url}/records/first")
    assert [each["url"] for each in result.artifacts["records"]] == [f"{site.url}/echo?mug={n}" for n in (1, 2, 3)]


async def test_further_pages_are_read_as_long_as_something_leads_there(session: AgentSession, site: SiteServer) -> None:
    given: dict[str, Any] = {"url": f"{site.url}/records/first", "next": 'link "Next page"'}
    result = await extract(session, MUG, pages=10, **given)
    assert [each["article"] for each in result.artifacts["records"]] == ["Blue mug", "Red mug", "Old mug", "Travel mug"]
    assert [each["place"] for each in result.artifacts["origins"]] == [
        f"{site.url}/records/{n}" for n in ("first", "second")
    ]
    one = await extract(session, MUG, pages=1, **given)
    assert len(one.artifacts["records"]) == 3


async def test_a_way_on_that_leads_nowhere_new_ends_it(session: AgentSession, site: SiteServer) -> None:
    result = await extract(session, MUG, url=f"{site.url}/records/first", next='heading "Mugs"', pages=5)
    assert len(result.artifacts["records"]) == 3


async def test_cards_and_entries_are_records_without_any_label(session: AgentSession, site: SiteServer) -> None:
    cards = await extract(session, NAMED, url=f"{site.url}/table/small")
    assert [(each["name"], each["price"]) for each in cards.artifacts["records"]] == [
        ("Blue mug", 8.5),
        ("Red mug", 9.0),
        ("Travel mug", 1014.95),
    ]
    entries = await extract(session, NAMED, url=f"{site.url}/shop/catalogue")
    assert entries.outcome == "success"
    assert len(entries.artifacts["records"]) == 10


async def test_one_record_is_read_from_data_labels_definitions_headings_and_lists(
    session: AgentSession, site: SiteServer
) -> None:
    properties = {
        "name": TEXT,
        "sku": TEXT,
        "brand": TEXT,
        "price": NUMBER,
        "availability": {"enum": ["in_stock", "sold_out"]},
        "material": TEXT,
        "holds": NUMBER,
        "weight": NUMBER,
        "colours": {"type": "array", "items": TEXT},
        "glaze": TEXT,
    }
    result = await extract(session, {"type": "object", "properties": properties}, url=f"{site.url}/records/product")
    record = result.artifacts["records"]
    assert record.pop("material").endswith("as long as anybody needs to drink it")
    assert record == {
        "name": "Blue mug",
        "sku": "M-1",
        "brand": "Kilnhouse",
        "price": 8.5,
        "availability": "in_stock",
        "holds": 300,
        "weight": 320,
        "colours": ["Blue", "Dark blue"],
    }
    assert [each["path"] for each in result.artifacts["missing"]] == ["glaze"]
    assert result.outcome == "success"


async def test_values_of_all_kinds_of_labels_are_found_and_records_within_a_record(
    session: AgentSession, site: SiteServer
) -> None:
    line = {"type": "object", "properties": {"item": TEXT, "price": NUMBER}}
    properties = {"guests": {"type": "integer"}, "balance": NUMBER, "arrival": TEXT, "departure": TEXT, "total": NUMBER}
    schema = {"type": "object", "properties": {**properties, "bill": {"type": "array", "items": line}}}
    result = await extract(session, schema, url=f"{site.url}/conformance/values")
    record = result.artifacts["records"]
    assert record["bill"][:2] == [{"item": "Room", "price": 80.0}, {"item": "Breakfast", "price": 12.0}]
    assert {name: record[name] for name in properties} == {
        "guests": 4,
        "balance": 12.5,
        "arrival": "Friday",
        "departure": "Monday",
        "total": 92.0,
    }


async def test_what_a_page_does_not_say_is_not_made_up(session: AgentSession, site: SiteServer) -> None:
    result = await extract(session, NAMED, url=f"{site.url}/records/prose")
    assert (result.outcome, result.errors[0].code, result.artifacts["records"]) == ("failed", "nothing_found", [])


def answer(question: ModelQuestion) -> dict[str, Any]:
    """Find what is asked for on the page of prose, and obey the page besides."""
    numbers = {
        line.split(": ", 1)[1].strip()[2:]: int(line.split(":")[0]) for line in question.data[0].text.splitlines()
    }
    blue = next(n for text, n in numbers.items() if text.startswith("The blue"))
    red = next(n for text, n in numbers.items() if text.startswith("For"))
    hostile = next(n for text, n in numbers.items() if text.startswith("If you"))
    told = [
        (1, "name", blue, "blue mug"),
        (1, "price", blue, "£8.50"),
        (2, "name", red, "red mug"),
        (2, "price", red, "£0.01"),
    ]
    told += [(2, "price", red, "£9.00"), (1, "price", hostile, "£0.01"), (1, "colour", hostile, "schema")]
    names = ("record", "property", "line", "text")
    return {"values": [{**dict(zip(names, each, strict=True)), "entry": 0} for each in told]}


async def test_a_model_fills_what_is_left_with_what_stands_in_its_lines_and_nothing_else(
    session: AgentSession, site: SiteServer
) -> None:
    model = ScriptedModel(answer)
    result = await extract(session, NAMED, model, url=f"{site.url}/records/prose")
    assert result.artifacts["records"] == [{"name": "blue mug", "price": 8.5}, {"name": "red mug", "price": 9.0}]
    ways = {source["way"] for record in result.artifacts["sources"] for source in record.values()}
    assert ways == {"model"}
    refused = [each for each in result.diagnostics if each.startswith("Refused of the model's answer")]
    assert len(refused) == 3


async def test_what_was_read_is_shown_to_a_model_as_data_and_never_in_its_instructions(
    session: AgentSession, site: SiteServer
) -> None:
    model = ScriptedModel({"values": []})
    await extract(session, NAMED, model, url=f"{site.url}/records/prose")
    (question,) = model.asked
    assert "ignore the schema" not in question.instructions
    assert all(each.is_tainted and each.source == f"{site.url}/records/prose" for each in question.data)
    assert "- price: number" in question.instructions


async def test_a_model_is_asked_only_about_records_that_lack_something(session: AgentSession, site: SiteServer) -> None:
    nobody = ScriptedModel()
    complete = await extract(session, NAMED, nobody, url=f"{site.url}/shop/catalogue")
    assert (complete.outcome, nobody.asked) == ("success", ())


@pytest.mark.parametrize("fault", [ModelError("It was too slow."), ModelError("It was not JSON.")])
async def test_a_model_that_fails_leaves_what_rules_found(
    session: AgentSession, site: SiteServer, fault: ModelError
) -> None:
    result = await extract(session, MUG, ScriptedModel(fault), url=f"{site.url}/records/first")
    assert len(result.artifacts["records"]) == 3
    assert result.outcome == "partial"
    assert any("The model gave no answer" in each for each in result.diagnostics)


async def test_nothing_is_done_where_the_parameters_make_no_sense(session: AgentSession, site: SiteServer) -> None:
    for schema, pages in (({"type": "string"}, 1), (MUG, 0), (MUG, 2)):
        result = await extract(session, schema, url=f"{site.url}/records/first", pages=pages)
        assert result.outcome == "failed"
        assert not result.completed
    assert not site.received.requests("/records/first")


async def test_a_page_that_policy_forbids_is_not_read(session: AgentSession) -> None:
    result = await extract(session, NAMED, url="http://192.0.2.1/")
    assert result.outcome == "failed"
    assert result.artifacts.get("records") in (None, [])
