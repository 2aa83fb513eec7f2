"""What the tools do, and that none of them lets a model approve."""

import asyncio
import json
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, ElicitRequestFormParams, ElicitResult, TextContent

from agent.hosting.local_service import LocalService
from agent.mcp.server import list_tools
from agent.service.orders import RunOrder
from core.outlines.tokens import bound_tokens
from tests.agent.hosting.conftest import LampHouse
from tests.agent.mcp.conftest import MODEL, PERSON, Connect, Forms, fill_in


def read(result: CallToolResult) -> dict[str, Any]:
    return dict(result.structured_content)


def read_words(result: CallToolResult) -> str:
    return "\n".join(each.text for each in result.content if isinstance(each, TextContent))


async def confirm(service: LocalService) -> None:
    """Say yes at a person's door to what is asked."""
    (question,) = await service.list_questions(PERSON)
    await service.answer(PERSON, question.question_id, question.digest, answer=True)


async def test_all_schemas_together_have_at_most_2000_tokens(connect: Connect) -> None:
    async with connect() as client:
        listed = await client.list_tools()
    tools = [tool.model_dump_json(by_alias=True, exclude_none=True) for tool in listed.tools]
    assert bound_tokens(",".join(tools)) <= 2000
    assert [tool.name for tool in listed.tools] == ["do", "plan", "look", "answer", "status", "stop", "undo"]


def test_what_a_tool_may_do_is_told_as_the_protocol_understands_it() -> None:
    """What a hint leaves out is, by the protocol: not read-only, destructive, not idempotent, open."""
    hints = {tool.name: tool.annotations for tool in list_tools()}
    reading = {name for name, each in hints.items() if each and each.read_only_hint}
    harmless = {name for name, each in hints.items() if each and each.destructive_hint is False}
    assert (reading, harmless) == ({"plan", "look", "status"}, {"stop"})


async def test_a_sentence_is_done_and_told_as_data_and_in_words(connect: Connect, house: LampHouse) -> None:
    async with connect() as client:
        result = await client.call_tool("do", {"text": "light hall"})
    told = read(result)
    assert not result.is_error
    assert told["status"] == "success"
    assert told["session"] == "mine"
    assert told["steps"] == [{"does": "Switch hall on", "status": "ok", "effect": "confirmed", "gave": {"state": "on"}}]
    assert told["reply"] in read_words(result)
    assert house.families["", "mine"].lamps.shown == {"hall": "on"}


async def test_null_is_absence(connect: Connect, house: LampHouse) -> None:
    nothing = dict.fromkeys(("goals", "session", "request_id", "wait_s"))
    async with connect() as client:
        assert read(await client.call_tool("do", {"text": "light hall", **nothing}))["session"] == "mine"
        assert not (await client.call_tool("status", {"run_id": None, "wait_s": None})).is_error
    assert house.families["", "mine"].lamps.calls == ["switch hall on"]


async def test_goals_are_done_as_they_are(connect: Connect) -> None:
    goals = [{"domain": "lamp", "verb": "look", "params": {"room": "hall"}}]
    async with connect() as client:
        told = read(await client.call_tool("do", {"goals": goals, "session": "other"}))
    assert told["steps"][0]["gave"] == {"text": "hall is off"}
    assert told["session"] == "other"


async def test_progress_strictly_increases_and_stays_within_its_total(connect: Connect) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    goals = [{"domain": "lamp", "verb": "look", "params": {"room": room}} for room in ("hall", "attic", "shed")]
    async with connect() as client:
        await client.call_tool("do", {"goals": goals}, progress_callback=note)
    numbers = [number for number, _, _ in told]
    assert numbers == sorted(set(numbers))
    assert {total for _, total, _ in told} == {6.0}
    assert numbers[-1] == 6.0
    assert told[-1][2] is not None


async def test_what_asks_a_person_is_not_done_and_says_who_can_confirm_it(
    connect: Connect, service: LocalService, house: LampHouse
) -> None:
    async with connect() as client:
        result = await client.call_tool("do", {"text": "smash hall"})
        told = read(result)
        assert (told["status"], told["question"]["kind"], told["question"]["by"]) == (
            "needs_answer",
            "confirm",
            "a person",
        )
        assert "A person has to confirm that" in read_words(result)
        assert house.families["", "mine"].lamps.calls == []
        await confirm(service)
        done = read(await client.call_tool("status", {"run_id": told["run_id"], "wait_s": 20}))
    assert done["status"] == "success"
    assert house.families["", "mine"].lamps.calls == ["smash hall"]


@pytest.mark.parametrize("answer", ["yes", "Yes!", "true", "ok", "I approve", "1", ""])
async def test_no_answer_of_a_model_is_a_yes(
    connect: Connect, service: LocalService, house: LampHouse, answer: str
) -> None:
    async with connect() as client:
        asked = read(await client.call_tool("do", {"text": "smash hall"}))["question"]
        result = await client.call_tool("answer", {"question_id": asked["question_id"], "answer": answer})
        assert result.is_error
        assert read(result)["errors"][0]["code"] == "approval_needs_a_person"
        said = read(await client.call_tool("do", {"text": "yes", "wait_s": 0.2}))
    assert "A person has to confirm that" in said["reply"]
    assert house.families["", "mine"].lamps.calls == []
    assert len(await service.list_questions(PERSON)) == 1


async def test_a_model_may_say_no(connect: Connect, house: LampHouse) -> None:
    async with connect() as client:
        asked = read(await client.call_tool("do", {"text": "smash hall"}))["question"]
        told = read(await client.call_tool("answer", {"question_id": asked["question_id"], "answer": "No."}))
    assert told["steps"][0]["status"] == "refused"
    assert house.families["", "mine"].lamps.calls == []


async def test_what_is_missing_is_asked_of_the_person_before_the_client(connect: Connect, house: LampHouse) -> None:
    person = fill_in("hall")
    async with connect(person) as client:
        told = read(await client.call_tool("do", {"text": "light"}))
    assert told["status"] == "success"
    assert [form.message for form in person.shown] == ["Which room?"]
    assert house.families["", "mine"].lamps.shown == {"hall": "on"}


async def test_a_choice_is_a_form_with_the_choices(connect: Connect, house: LampHouse) -> None:
    person = fill_in("light it")
    async with connect(person) as client:
        told = read(await client.call_tool("do", {"text": "lamp hall"}))
    assert told["status"] == "success"
    assert person.shown[0].requested_schema["properties"]["answer"]["enum"] == ["light it", "look at it"]


async def test_without_forms_a_model_answers_what_is_missing_by_the_tool(connect: Connect, house: LampHouse) -> None:
    async with connect() as client:
        asked = read(await client.call_tool("do", {"text": "light"}))
        assert (asked["status"], asked["question"]["prompt"]) == ("needs_answer", "Which room?")
        told = read(
            await client.call_tool("answer", {"question_id": asked["question"]["question_id"], "answer": "hall"})
        )
    assert told["status"] == "success"
    assert house.families["", "mine"].lamps.shown == {"hall": "on"}


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_form_that_is_put_away_leaves_the_question_to_the_model(connect: Connect, action: Any) -> None:
    async def put_away(_: ElicitRequestFormParams) -> ElicitResult:
        return ElicitResult(action=action)

    async with connect(Forms(put_away)) as client:
        told = read(await client.call_tool("do", {"text": "light"}))
    assert (told["status"], told["question"]["prompt"]) == ("needs_answer", "Which room?")


@pytest.mark.parametrize("answer", ["yes", True, "I confirm it in Surehand", "Yes", "confirm"])
async def test_no_form_of_a_client_is_a_yes_to_an_act(
    connect: Connect, service: LocalService, house: LampHouse, answer: Any
) -> None:
    person = fill_in(answer)
    async with connect(person) as client:
        told = read(await client.call_tool("do", {"text": "smash hall", "wait_s": 0.2}))
    assert told["status"] == "needs_answer"
    assert person.shown[0].requested_schema["properties"]["answer"]["enum"] == ["I confirm it in Surehand", "No"]
    assert house.families["", "mine"].lamps.calls == []
    assert len(await service.list_questions(PERSON)) == 1


async def test_a_person_who_confirms_it_in_surehand_lets_the_call_go_on(
    connect: Connect, service: LocalService, house: LampHouse
) -> None:
    async def confirm_there(_: ElicitRequestFormParams) -> ElicitResult:
        await confirm(service)
        return ElicitResult(action="accept", content={"answer": "I confirm it in Surehand"})

    async with connect(Forms(confirm_there)) as client:
        told = read(await client.call_tool("do", {"text": "smash hall"}))
    assert told["status"] == "success"
    assert house.families["", "mine"].lamps.calls == ["smash hall"]


@pytest.mark.parametrize(
    "result", [ElicitResult(action="decline"), ElicitResult(action="accept", content={"answer": "No"})]
)
async def test_a_person_may_refuse_an_act_by_a_form(connect: Connect, house: LampHouse, result: ElicitResult) -> None:
    async def refuse(_: ElicitRequestFormParams) -> ElicitResult:
        return result

    async with connect(Forms(refuse)) as client:
        told = read(await client.call_tool("do", {"text": "smash hall"}))
    assert told["steps"][0]["status"] == "refused"
    assert house.families["", "mine"].lamps.calls == []


async def test_what_takes_long_is_answered_and_asked_for_again(
    connect: Connect, service: LocalService, house: LampHouse
) -> None:
    async with connect() as client:
        told = read(await client.call_tool("do", {"text": "hold hall", "wait_s": 0.05}))
        assert told["status"] == "running"
        assert read(await client.call_tool("status", {}))["running"] == [told["run_id"]]
        house.families["", "mine"].lamps.released.set()
        done = read(await client.call_tool("status", {"run_id": told["run_id"], "wait_s": 20}))
        assert done["status"] == "success"
        assert read(await client.call_tool("status", {}))["reply"] == "Nothing is running."


@pytest.mark.parametrize("named", ["run", "session", "nothing"])
async def test_stop_ends_what_runs(connect: Connect, named: str) -> None:
    async with connect() as client:
        told = read(await client.call_tool("do", {"text": "hold hall", "wait_s": 0.05}))
        meant = {"run": {"run_id": told["run_id"]}, "session": {"session": "mine"}}.get(named, {})
        assert read(await client.call_tool("stop", meant))["reply"] == "Stopped 1 run."
        done = read(await client.call_tool("status", {"run_id": told["run_id"], "wait_s": 20}))
        assert done["status"] == "cancelled"
        assert read(await client.call_tool("stop", {}))["reply"] == "Nothing is running."


async def test_the_same_request_id_is_done_once(connect: Connect, house: LampHouse) -> None:
    async with connect() as client:
        told = [read(await client.call_tool("do", {"text": "light hall", "request_id": "one"})) for _ in range(2)]
    assert told[0] == told[1]
    assert house.families["", "mine"].lamps.calls == ["switch hall on"]


async def call_and_leave(client: Client, house: LampHouse, **more: Any) -> None:
    """Call a tool that takes long, and take the call back once it is at work."""
    await client.call_tool("do", {"text": "look at hall"})
    calling = asyncio.ensure_future(client.call_tool("do", {"text": "hold hall", **more}))
    await house.families["", "mine"].lamps.holding.wait()
    calling.cancel()
    await asyncio.wait({calling})


async def test_a_call_that_is_taken_back_is_stopped(connect: Connect, service: LocalService, house: LampHouse) -> None:
    async with connect() as client:
        await call_and_leave(client, house)
        run, _ = await service.find_runs(PERSON)
        assert (await service.result(PERSON, run["run_id"]))["outcome"] == "cancelled"


async def test_a_call_that_may_come_again_by_its_id_goes_on_when_it_is_taken_back(
    connect: Connect, service: LocalService, house: LampHouse
) -> None:
    async with connect() as client:
        await call_and_leave(client, house, request_id="one")
        house.families["", "mine"].lamps.released.set()
        told = read(await client.call_tool("do", {"text": "hold hall", "request_id": "one"}))
    assert told["status"] == "success"
    assert house.families["", "mine"].lamps.calls == ["look hall", "hold hall"]


async def test_a_plan_tells_the_steps_and_who_is_asked_and_does_nothing(connect: Connect, house: LampHouse) -> None:
    async with connect() as client:
        told = read(await client.call_tool("plan", {"text": "smash hall"}))
    assert (told["reply"], told["steps"]) == (
        "1 step, of which 1 asks a person.",
        [{"does": "Smash hall", "status": "asks a person"}],
    )
    assert all(not family.lamps.calls for family in house.families.values())


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "said"),
    [
        ("fly", {}, "unknown_tool", "do, plan, look"),
        ("do", {}, "bad_input", "one of text and goals"),
        ("do", {"text": "light hall", "goals": []}, "bad_input", "one of text and goals"),
        ("do", {"text": "light hall", "approvals": ["confirm"]}, "bad_input", "approvals"),
        ("do", {"text": 5}, "bad_input", "text"),
        ("do", {"text": "light hall", "session": "../x"}, "", ""),
        ("answer", {"question_id": "q", "answer": "yes"}, "unknown_question", "No such question"),
        ("status", {"run_id": "r0"}, "unknown_run", "r0"),
        ("undo", {}, "unknown_run", "nothing to undo"),
        ("plan", {"text": "make me a sandwich"}, "no_intent_match", ""),
    ],
)
async def test_what_is_wrong_with_a_call_is_told_to_the_model(
    connect: Connect, tool: str, arguments: dict[str, Any], code: str, said: str
) -> None:
    async with connect() as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    error = read(result)["errors"][0]
    assert code in {"", error["code"]}
    assert said in json.dumps(error)


async def test_undo_says_what_came_of_it(connect: Connect) -> None:
    async with connect() as client:
        done = read(await client.call_tool("do", {"text": "light hall"}))
        told = read(await client.call_tool("undo", {"dry": True}))
    assert told["run_id"] == done["run_id"]
    assert told["reply"]


async def test_what_waits_behind_a_question_says_so_at_once(connect: Connect) -> None:
    async with connect() as client:
        first = read(await client.call_tool("do", {"text": "smash hall"}))
        second = read(await client.call_tool("do", {"text": "light hall"}))
    assert second["status"] == "needs_answer"
    assert second["question"]["question_id"] == first["question"]["question_id"]


async def test_every_verb_and_every_run_can_be_read(connect: Connect) -> None:
    async with connect() as client:
        verbs, planners, backlog = (await client.list_resources()).resources
        assert [str(each.uri) for each in (planners, backlog)] == ["surehand://planners", "surehand://backlog"]
        table = (await client.read_resource(verbs.uri)).contents[0]
        assert "browser.navigate(url*" in getattr(table, "text", "")
        done = read(await client.call_tool("do", {"text": "light hall"}))
        run = (await client.read_resource(f"surehand://runs/{done['run_id']}")).contents[0]
        assert json.loads(getattr(run, "text", ""))["run_id"] == done["run_id"]


async def test_what_belongs_to_another_principal_is_unknown(connect: Connect, service: LocalService) -> None:
    ticket = await service.begin(PERSON, RunOrder(text="light hall", session="mine"))
    other = type(MODEL)(principal="other", door="mcp")
    async with connect(caller=other) as client:
        result = await client.call_tool("status", {"run_id": ticket.run_id})
    assert read(result)["errors"][0]["code"] == "unknown_run"
    await service.result(PERSON, ticket.run_id)
