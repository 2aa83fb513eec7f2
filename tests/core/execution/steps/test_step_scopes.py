"""A tool is told for whom and within what it is called, and the receipt says the same, also of steps that never began."""

from core.base.scope_paths import begin_scope
from tests.core.toys import ToyRun, toy

SCOPE = begin_scope("anna").child("s1").child("r1")


async def test_a_tool_is_told_the_scope_of_its_goal() -> None:
    run = ToyRun()
    run.hold_to(scope=SCOPE)
    logs = await run.run(toy("note", text="a"), toy("look", "after:g0", text="b"))
    assert [context.scope for context in run.toys.contexts] == ["local/anna/s1/r1/g0", "local/anna/s1/r1/g1"]
    assert [log.scope for log in logs] == [context.scope for context in run.toys.contexts]


async def test_a_step_that_never_began_has_the_scope_of_its_goal() -> None:
    run = ToyRun()
    run.hold_to(scope=SCOPE)
    run.context.limits.stop.set()
    logs = await run.run(toy("note", text="a"), toy("look", "after:g0", text="b"))
    assert [log.result.status for log in logs] == ["cancelled", "cancelled"]
    assert [log.scope for log in logs] == ["local/anna/s1/r1/g0", "local/anna/s1/r1/g1"]


async def test_outside_of_a_session_it_is_the_person_at_this_machine() -> None:
    (log,) = await ToyRun().run(toy("note", text="a"))
    assert log.scope == "local/person/g0"
