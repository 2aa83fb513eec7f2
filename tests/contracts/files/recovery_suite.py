"""What holds when a process dies in the middle of a verb: it was done once in the end, and nothing else is left."""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from actuators.files.stores.fake_store import DiedError
from core.base.errors import FileError
from core.results.tool_results import Finding, ToolOutcome
from tests.contracts.files.mortal import Life
from tests.contracts.files.mortal_bench import SCENES, Scene, World, call, predict, reconcile, take_back

MakeWorld = Callable[[], World]
_MOST_STEPS = 400


async def act(world: World, scene: Scene, args: dict[str, Any], left: int | None = None) -> tuple[Any, bool]:
    """Foresee, then act in a process that may die; return the facts and whether it came to its end."""
    back_end = world.start()
    facts = await predict(back_end, scene.verb, world.context(), args)
    await back_end.close()
    back_end = world.start(Life(left))
    try:
        await call(back_end, scene.verb, world.context(), args)
    except DiedError:
        return facts, False
    finally:
        await back_end.close()
    return facts, True


async def settle(
    world: World, scene: Scene, args: dict[str, Any], facts: Any, *, again: bool = True
) -> tuple[Finding, ToolOutcome | None]:
    """Find out in a new process, and act again if nothing was done."""
    back_end = world.start()
    found = await reconcile(back_end, scene.verb, world.context(), args, facts)
    outcome = found.outcome
    if found.state == "not_done" and again:
        outcome = await call(back_end, scene.verb, world.context(), args)
    await back_end.close()
    return found, outcome


async def back_and_forth(world: World, scene: Scene, left: int | None) -> dict[str, Any]:
    """Act, take it back in a process that may die, and go on with that; return what is there then."""
    args = await world.prepare(scene)
    back_end = world.start()
    outcome = await call(back_end, scene.verb, world.context(), args)
    await back_end.close()
    back_end, ended = world.start(Life(left)), True
    try:
        await take_back(back_end, world.context("undo"), outcome)
    except DiedError:
        ended = False
    await back_end.close()
    if not ended:
        back_end = world.start()
        await take_back(back_end, replace(world.context("undo"), begun_before=True), outcome)
        await back_end.close()
    return {**world.look(), "ended": ended}


class RecoveryConformance:
    """A subclass has a fixture ``make_world``, which gives a new folder at every call.

    Attributes:
        scenes: Names of the scenes that fit the machine, for the tests that take a ``name``.
        stride: Every how many steps it dies; more than one where the same code ran on another store at every step.
    """

    scenes: ClassVar[Sequence[str]] = tuple(name for name, scene in SCENES.items() if not scene.needs)
    stride: ClassVar[int] = 1

    async def test_a_death_at_any_step_leaves_one_execution_and_nothing_else(self, make_world: MakeWorld, name: str):
        scene = SCENES[name]
        world = make_world()
        args = await world.prepare(scene)
        before = world.look()
        await act(world, scene, args)
        wanted, states, ended = world.look(), set[str](), False
        for left in range(0, _MOST_STEPS, self.stride):
            world = make_world()
            args = await world.prepare(scene)
            facts, ended = await act(world, scene, args, left)
            found, outcome = await settle(world, scene, args, facts)
            assert found.state in {"done", "not_done"}, (left, found)
            assert world.look() == wanted, (left, found.state)
            assert outcome is not None
            if scene.back:
                back_end = world.start()
                await take_back(back_end, world.context("undo"), outcome)
                await back_end.close()
                assert world.look() == {**before, **_keep_trash(world.look(), before)}, left
            states.add(found.state)
            if ended:
                break
        assert states == {"done", "not_done"}
        assert ended

    async def test_taking_back_that_dies_at_any_step_is_brought_to_its_end(self, make_world: MakeWorld, name: str):
        scene = SCENES[name]
        if scene.verb == "purge":
            pytest.skip("there is no way back")
        wanted, ended = await back_and_forth(make_world(), scene, None), False
        for left in range(0, _MOST_STEPS, self.stride):
            told = await back_and_forth(make_world(), scene, left)
            assert told == {**wanted, "ended": told["ended"]}, left
            if ended := bool(told["ended"]):
                break
        assert ended

    async def test_what_is_found_done_is_told_as_the_act_would_have_told_it(self, make_world: MakeWorld, name: str):
        scene = SCENES[name]
        world = make_world()
        args = await world.prepare(scene)
        back_end = world.start()
        facts = await predict(back_end, scene.verb, world.context(), args)
        told = await call(back_end, scene.verb, world.context(), args)
        found = await reconcile(back_end, scene.verb, world.context(), args, facts)
        await back_end.close()
        assert found.outcome is not None
        assert (found.state, dict(found.outcome.output)) == ("done", dict(told.output))
        assert (found.outcome.undo, found.outcome.effect) == (told.undo, told.effect)
        assert found.outcome.undo_record == told.undo_record

    async def test_what_was_not_begun_is_not_done(self, make_world: MakeWorld, name: str):
        scene = SCENES[name]
        world = make_world()
        args = await world.prepare(scene)
        before = world.look()
        back_end = world.start()
        facts = await predict(back_end, scene.verb, world.context(), args)
        assert world.look() == before
        found = await reconcile(back_end, scene.verb, world.context(), args, facts)
        await back_end.close()
        assert (found.state, world.look()) == ("not_done", before)

    @pytest.mark.parametrize("verb", ["write", "append", "edit"])
    async def test_a_file_that_something_else_changed_meanwhile_is_unknown(self, make_world: MakeWorld, verb: str):
        world, scene = make_world(), SCENES[verb]
        args = await world.prepare(scene)
        facts, _ = await act(world, scene, args, 0)
        world.eyes.put(world.path("a.txt"), b"old\ntheirs\n")
        found, _ = await settle(world, scene, args, facts)
        assert (found.state, world.eyes.look(world.path("a.txt"))) == ("unknown", b"old\ntheirs\n")
        assert found.evidence["reason"]

    async def test_the_same_text_appended_by_something_else_is_not_taken_for_ours(self, make_world: MakeWorld):
        world, scene = make_world(), SCENES["append"]
        args = await world.prepare(scene)
        facts, _ = await act(world, scene, args, 0)
        world.eyes.put(world.path("a.txt"), b"old\nmore\n")  # into the same file, as others append
        found, _ = await settle(world, scene, args, facts)
        assert found.state == "unknown"

    @pytest.mark.parametrize(
        "scene_name", ["move a file", "copy a file", "create a file", "zip", "unzip into a folder"]
    )
    async def test_something_else_in_the_place_is_unknown(self, make_world: MakeWorld, scene_name: str):
        world, scene = make_world(), SCENES[scene_name]
        args = await world.prepare(scene)
        facts, _ = await act(world, scene, args, 0)
        place: str = args["name"] if "name" in args else args["destination"]
        place = f"{place}/a.txt" if scene.verb == "unzip" else place
        world.eyes.put(place, b"not ours")
        found, _ = await settle(world, scene, args, facts)
        assert (found.state, world.eyes.look(place)) == ("unknown", b"not ours")

    async def test_finding_out_twice_finds_the_same(self, make_world: MakeWorld):
        for name in ("unzip into a folder", "copy over a file", "purge a folder"):
            for left in range(0, 60, 5):
                world, scene = make_world(), SCENES[name]
                args = await world.prepare(scene)
                facts, _ = await act(world, scene, args, left)
                back_end = world.start()
                found = [await reconcile(back_end, scene.verb, world.context(), args, facts) for _ in range(2)]
                await back_end.close()
                assert found[0].state == found[1].state, (name, left)

    async def test_a_change_is_not_taken_back_twice(self, make_world: MakeWorld):
        for name, scene in SCENES.items():
            world = make_world()
            if scene.needs or scene.verb == "purge":
                continue
            args = await world.prepare(scene)
            back_end = world.start()
            outcome = await call(back_end, scene.verb, world.context(), args)
            await take_back(back_end, world.context("undo"), outcome)
            there = world.look()
            with contextlib.suppress(FileError):  # where nothing was changed, nothing can be refused
                await take_back(back_end, world.context("again"), outcome)
                assert name in {"write the same", "append nothing"}
            await back_end.close()
            assert world.look() == there, name


def _keep_trash(now: dict[str, bytes | None], before: dict[str, bytes | None]) -> dict[str, bytes | None]:
    """Return the empty folders of the trash, which stay once they were made."""
    return {
        place: None for place, content in now.items() if content is None and place not in before and _is_trash(place)
    }


def _is_trash(place: str) -> bool:
    return not place.startswith("0") or "/.Trash" in place
