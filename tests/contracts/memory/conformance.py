"""What every memory does, whatever it is kept in."""

from typing import Any

import pytest

from actuators.memory.back_end import Memories, MemoryBackEnd, MemoryTools
from core.base.errors import ActionError, PolicyError
from core.goals.secret_values import EmptyVault
from core.memory.facts import LONGEST_VALUE, MOST_PREFERENCES, ContextMemory, Preference, store_preference
from core.results.provenance import Origin
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext

PAGE = Origin("page", "http://127.0.0.1/shop")


class MaskingVault(EmptyVault):
    """Knows one secret."""

    def redact(self, value: Any) -> Any:
        return value.replace("hunter2", "•••") if isinstance(value, str) else value


def find_tools(memories: Memories) -> MemoryTools:
    tools = MemoryBackEnd(memories).toolsets[MemoryTools]
    assert isinstance(tools, MemoryTools)
    return tools


async def call(memories: Memories, verb: str, *origins: Origin, **params: object) -> ToolOutcome:
    context = ActionContext("g0_memory_1", run_id="r0123456789abcdef", origins=origins)
    return await getattr(find_tools(memories), verb)(context, **params)


async def take_back(memories: Memories, record: UndoRecord | None) -> ToolOutcome:
    assert record is not None
    return await MemoryBackEnd(memories).take_back(ActionContext(""), record)


async def fail(memories: Memories, verb: str, **params: object) -> ActionError:
    with pytest.raises(ActionError) as caught:
        await call(memories, verb, **params)
    return caught.value


class RememberingConformance:
    """Storing, recalling, forgetting, listing."""

    async def test_what_was_stored_is_read_back_and_recalled_exactly(self, memories: Memories):
        value = ' two  spaces, "quotes", \n a line, 日本 and \x00'
        outcome = await call(memories, "store", key="Wifi code", value=value)
        assert (outcome.effect, outcome.output["value"], outcome.output["before"]) == ("confirmed", value, None)
        assert outcome.evidence["entry"]["value"] == value
        found = await call(memories, "recall", key="Wifi code")
        assert (found.effect, found.output["value"], found.output["text"]) == ("none", value, value)
        assert found.evidence["run"] == "r0123456789abcdef"

    @pytest.mark.parametrize("value", [True, False, 0, -7, 2**53, 1.5, 5.0, "", "true", "5"])
    async def test_a_value_keeps_its_type(self, memories: Memories, value: object):
        await call(memories, "store", key="k", value=value)
        found = (await call(memories, "recall", key="k")).output["value"]
        assert (found, type(found)) == (value, type(value))

    async def test_names_are_compared_without_case_and_width_of_spaces(self, memories: Memories):
        await call(memories, "store", key="Wifi  Code", value="1")
        outcome = await call(memories, "store", key="wifi code", value="2")
        assert outcome.output["before"] == "1"
        assert (await call(memories, "recall", key="WIFI CODE")).output["value"] == "2"
        assert (await call(memories, "list")).output["count"] == 1

    async def test_a_value_that_was_read_stays_one_that_was_read(self, memories: Memories):
        await call(memories, "store", PAGE, key="total", value="12")
        found = await call(memories, "recall", key="total")
        assert found.output["origins"] == ["the page at http://127.0.0.1/shop"]
        assert found.evidence["origins"] == [{"kind": "page", "place": "http://127.0.0.1/shop"}]
        assert (await call(memories, "list")).output["entries"][0]["origins"] == found.output["origins"]

    async def test_what_a_person_said_comes_from_nowhere_else(self, memories: Memories):
        await call(memories, "store", PAGE, key="total", value="12")
        await call(memories, "store", key="total", value="13")
        assert (await call(memories, "recall", key="total")).output["origins"] == []

    async def test_what_was_never_stored_is_an_error_that_names_the_nearest(self, memories: Memories):
        await call(memories, "store", key="wifi code", value="1")
        for verb in ("recall", "forget"):
            error = await fail(memories, verb, key="wify code")
            assert error.code == "not_remembered"
            assert '"wifi code"' in error.message

    async def test_what_was_forgotten_is_gone(self, memories: Memories):
        await call(memories, "store", key="a", value="1")
        outcome = await call(memories, "forget", key="A")
        assert (outcome.effect, outcome.output) == ("confirmed", {"key": "a", "before": "1"})
        assert (await fail(memories, "recall", key="a")).code == "not_remembered"

    async def test_the_list_tells_the_latest_first(self, memories: Memories):
        assert (await call(memories, "list")).output["text"] == "Nothing is remembered."
        for key in "abc":
            await call(memories, "store", key=key, value=key * 2)
        told = (await call(memories, "list")).output
        assert [each["key"] for each in told["entries"]] == ["c", "b", "a"]
        assert told["text"] == "c: cc; b: bb; a: aa"

    async def test_a_full_memory_refuses_more_and_loses_nothing(self, memories: Memories):
        def fill(memory: ContextMemory) -> ContextMemory:
            for number in range(MOST_PREFERENCES):
                memory = store_preference(memory, Preference(key=f"k{number}", value="v"))
            return memory

        await memories.change(fill)
        assert (await fail(memories, "store", key="one more", value="v")).code == "memory_full"
        assert (await call(memories, "store", key="k0", value="other")).effect == "confirmed"
        assert (await call(memories, "list")).output["count"] == MOST_PREFERENCES

    async def test_a_value_that_is_too_long_is_refused_rather_than_cut(self, memories: Memories):
        assert (await fail(memories, "store", key="k", value="x" * (LONGEST_VALUE + 1))).code == "too_large"
        assert (await call(memories, "list")).output["count"] == 0

    @pytest.mark.parametrize(("key", "value"), [("k", "my hunter2"), ("hunter2", 1)])
    async def test_a_secret_is_not_remembered(self, memories: Memories, key: str, value: str | int):
        context = ActionContext("a", vault=MaskingVault())
        with pytest.raises(PolicyError) as caught:
            await find_tools(memories).store(context, key, value)
        assert caught.value.code == "holds_secret"
        assert (await call(memories, "list")).output["count"] == 0


class TakingBackConformance:
    """Undo, and what a crash leaves to find out."""

    @pytest.mark.parametrize("before", [None, "old"])
    async def test_storing_is_taken_back(self, memories: Memories, before: str | None):
        if before is not None:
            await call(memories, "store", PAGE, key="k", value=before)
        kept = await memories.read()
        outcome = await call(memories, "store", key="K", value="new")
        assert (await take_back(memories, outcome.undo_record)).effect == "confirmed"
        assert (await memories.read()).preferences == kept.preferences

    async def test_forgetting_is_taken_back_with_its_origins(self, memories: Memories):
        await call(memories, "store", PAGE, key="k", value="v")
        kept = await memories.read()
        outcome = await call(memories, "forget", key="k")
        await take_back(memories, outcome.undo_record)
        assert (await memories.read()).preferences == kept.preferences

    async def test_what_was_changed_since_is_not_taken_back(self, memories: Memories):
        outcome = await call(memories, "store", key="k", value="v")
        await call(memories, "store", key="k", value="later")
        with pytest.raises(ActionError) as caught:
            await take_back(memories, outcome.undo_record)
        assert caught.value.code == "changed_since"
        assert (await call(memories, "recall", key="k")).output["value"] == "later"

    async def test_taking_back_twice_does_nothing_harmful(self, memories: Memories):
        outcome = await call(memories, "store", key="k", value="v")
        await take_back(memories, outcome.undo_record)
        with pytest.raises(ActionError):
            await take_back(memories, outcome.undo_record)
        assert (await call(memories, "list")).output["count"] == 0

    async def test_an_unknown_record_is_refused(self, memories: Memories):
        with pytest.raises(ActionError) as caught:
            await take_back(memories, UndoRecord("memory", "explode", {"key": "k"}))
        assert caught.value.code == "not_undoable"

    @pytest.mark.parametrize("then", ["nothing", "forget", "store"])
    async def test_after_a_crash_the_memory_tells_whether_something_was_forgotten(self, memories: Memories, then: str):
        await call(memories, "store", key="k", value="v")
        tools, context = find_tools(memories), ActionContext("a")
        facts = await tools.predict("forget", context, {"key": "k"})
        if then != "nothing":
            await call(memories, then, key="k", **({"value": "other"} if then == "store" else {}))
        finding = await tools.reconcile("forget", context, {"key": "k"}, facts)
        assert finding.state == {"nothing": "not_done", "forget": "done", "store": "unknown"}[then]
        if finding.outcome:
            await take_back(memories, finding.outcome.undo_record)
            assert (await call(memories, "recall", key="k")).output["value"] == "v"
