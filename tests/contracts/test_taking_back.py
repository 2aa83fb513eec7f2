"""What the table says can be taken back is taken back, on a machine in memory: every such verb, once and not twice."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from actuators.audio.platforms.fake import FakeSound
from actuators.audio.ports import AudioDevice, AudioStream
from actuators.base import Environment, Family
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.pages import FakePage, FakeWeb
from actuators.browser.saved.files import record_new_file, write_private_file
from actuators.desktop.fake.state import FakeDesktop, FakeDesktopElement, FakeWindow
from actuators.desktop.ports.desktop import Rect
from actuators.media.platforms.fake import FakeMedia, FakePlayer
from actuators.simulation import SimulatedMachine
from actuators.system.fake.machine import FakeMachine, FakeProgram
from actuators.verb_table import PLANNER_RULES
from core.base.errors import SurehandError
from core.policy.policy import Policy
from core.results.tool_results import Finding, ToolOutcome, UndoRecord
from core.rules.rule_types import RuleKey
from core.tools.ports import ActionContext
from core.tools.registry import list_verbs

WORK = "/home/ada/work"


@dataclass(frozen=True, slots=True)
class Act:
    """A verb that can be taken back, with what is done before."""

    args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    before: tuple[tuple[str, Mapping[str, Any]], ...] = ()


ACTS: Mapping[RuleKey, Act] = {
    ("file", "create"): Act({"object_type": "file", "name": f"{WORK}/n/o.txt", "content": "x"}),
    ("file", "write"): Act({"path": f"{WORK}/a.txt", "content": "new"}),
    ("file", "append"): Act({"path": f"{WORK}/a.txt", "content": "new"}),
    ("file", "edit"): Act({"path": f"{WORK}/a.txt", "find": "old", "replace": "new"}),
    ("file", "copy"): Act({"source": f"{WORK}/a.txt", "destination": f"{WORK}/c.txt"}),
    ("file", "move"): Act({"source": f"{WORK}/a.txt", "destination": f"{WORK}/c.txt"}),
    ("file", "rename"): Act({"source": f"{WORK}/a.txt", "target": "c.txt"}),
    ("file", "delete"): Act({"object_type": "file", "name": f"{WORK}/a.txt"}),
    ("file", "restore"): Act(
        {"path": f"{WORK}/a.txt"}, (("delete", {"object_type": "file", "name": f"{WORK}/a.txt"}),)
    ),
    ("file", "zip"): Act({"source": f"{WORK}/a.txt", "destination": f"{WORK}/z.zip"}),
    ("file", "unzip"): Act(
        {"source": f"{WORK}/z.zip", "destination": f"{WORK}/out"},
        (("zip", {"source": f"{WORK}/a.txt", "destination": f"{WORK}/z.zip"}),),
    ),
    ("audio", "set_volume"): Act({"level": 20}),
    ("audio", "volume_up"): Act(),
    ("audio", "volume_down"): Act(),
    ("audio", "mute"): Act(),
    ("audio", "unmute"): Act({}, (("mute", {}),)),
    ("audio", "toggle_mute"): Act(),
    ("audio", "set_default"): Act({"device": "headset"}),
    ("audio", "route_app"): Act({"app": "Tone", "device": "headset"}),
    ("media", "play"): Act(),
    ("media", "pause"): Act({}, (("play", {}),)),
    ("media", "play_pause"): Act(),
    ("media", "seek"): Act({"position": 30}),
    ("system", "launch"): Act({"app": "Calculator", "cwd": str(Path(__file__).parent)}),
    ("system", "set"): Act(
        {"target": "clipboard", "value": "new"}, (("set", {"target": "clipboard", "value": "old"}),)
    ),
    ("system", "shutdown"): Act({"delay": 3600.0}),
    ("system", "restart"): Act({"delay": 3600.0}),
    ("desktop", "set_value"): Act({"target": 'field "Name"', "value": "new"}),
    ("desktop", "focus_window"): Act({"window": "back"}),
    ("desktop", "move_window"): Act({"window": "front", "bounds": {"x": 50, "y": 60}}),
    ("desktop", "resize_window"): Act({"window": "front", "bounds": {"width": 300, "height": 200}}),
    ("desktop", "minimize"): Act({"window": "front"}),
    ("desktop", "maximize"): Act({"window": "front"}),
    ("desktop", "restore"): Act({"window": "front"}, (("maximize", {"window": "front"}),)),
    ("memory", "store"): Act({"key": "city", "value": "Berlin"}),
    ("memory", "forget"): Act({"key": "city"}, (("store", {"key": "city", "value": "Berlin"}),)),
}
HARMLESS = {("media", "seek")}
"""What can be taken back again without harm: going to the same place of the same track."""


def make_machine() -> SimulatedMachine:
    """Return a machine that has one of everything."""
    name = FakeDesktopElement(
        "textbox", "Name", Rect(10, 10, 200, 20), value="old", states={"enabled", "visible", "editable"}
    )
    front = FakeWindow("front", "editor", Rect(0, 0, 600, 400), elements=[name])
    back = FakeWindow("back", "viewer", Rect(100, 100, 600, 400))
    speakers = AudioDevice("speakers", "Speakers", "output", 50.0, muted=False, is_default=True)
    headset = AudioDevice("headset", "Head Set", "output", 50.0, muted=False)
    tone = AudioStream("s1", "Tone", "tone", 1, "output", "speakers", 100.0, muted=False)
    machine = SimulatedMachine(
        browser=FakeBrowser(FakeWeb({"http://shop.test/": FakePage(title="Shop")})),
        system=FakeMachine([FakeProgram(executable="/opt/calc", name="Calculator", id="calc")]),
        desktop=FakeDesktop(front, back),
        sound=FakeSound([speakers, headset], [tone]),
        media=FakeMedia([FakePlayer(name="Radio", status="paused")]),
    )
    machine.files.store.put(f"{WORK}/a.txt", b"old")
    return machine


class Desk:
    """The families of a machine, called as a run calls them."""

    def __init__(self, machine: SimulatedMachine) -> None:
        flavour: Any = machine.files.store.flavour
        environment = Environment(platform="linux", workspace=Path(WORK), state_dir=flavour("/home/ada/state"))
        self._families = machine.list_families(environment)

    async def call(self, key: RuleKey, args: Mapping[str, Any], action_id: str = "g0_a_1") -> ToolOutcome:
        """Call a verb."""
        family, toolset = self._find(*key)
        tools = await family.provide(toolset)
        return await getattr(tools, key[1])(self._context(action_id), **args)

    async def settle(self, key: RuleKey, args: Mapping[str, Any]) -> list[Finding]:
        """Foresee, find out, act, and find out again."""
        family, toolset = self._find(*key)
        tools = await family.provide(toolset)
        context = self._context("g0_b_1")
        facts = json.loads(json.dumps(dict(await tools.predict(key[1], context, args))))
        found = [await tools.reconcile(key[1], context, args, facts)]
        await getattr(tools, key[1])(context, **args)
        return [*found, await tools.reconcile(key[1], context, args, facts)]

    async def take_back(self, record: UndoRecord) -> ToolOutcome:
        """Take back, by a record as a journal keeps it."""
        params, guard = (json.loads(json.dumps(dict(each))) for each in (record.params, record.guard))
        family = next(each for each in self._families if each.toolsets[0].domain == record.domain)
        return await family.take_back(self._context("undo"), UndoRecord(record.domain, record.operation, params, guard))

    async def close(self) -> None:
        """Let go of everything."""
        for family in self._families:
            await family.close()

    def _find(self, domain: str, verb: str) -> tuple[Family, Any]:
        return next(
            (family, toolset)
            for family in self._families
            for toolset in family.toolsets
            if toolset.domain == domain and verb in list_verbs(toolset)
        )

    def _context(self, action_id: str) -> ActionContext:
        return ActionContext(action_id, timeout_s=20.0, policy=Policy(roots=(WORK,)), run_id="r0")


def list_undoable() -> set[RuleKey]:
    """Return what the table says can be taken back, but for what leaves a file of the browser's."""
    return {
        key for key, rule in PLANNER_RULES.items() if rule.action_class == "actuate" and rule.undo != "irreversible"
    }


def test_every_verb_that_the_table_says_can_be_taken_back_is_tried():
    assert set(ACTS) == list_undoable() - {("browser", "download"), ("browser", "save_session")}


@pytest.mark.parametrize("key", ACTS, ids=".".join)
async def test_what_the_table_says_can_be_taken_back_is_and_not_twice(key: RuleKey):
    desk = Desk(make_machine())
    for number, (verb, args) in enumerate(ACTS[key].before):
        await desk.call((key[0], verb), args, f"g{number}_before")
    outcome = await desk.call(key, ACTS[key].args)
    assert outcome.undo_record is not None, outcome.undo
    back = await desk.take_back(outcome.undo_record)
    assert back.effect == "confirmed"
    if key not in HARMLESS:
        with pytest.raises(SurehandError) as caught:
            await desk.take_back(outcome.undo_record)
        assert caught.value.code in {"changed_since", "not_undoable"}
    await desk.close()


@pytest.mark.parametrize("domain", ["file", "audio", "media", "system", "desktop", "memory", "browser"])
async def test_a_record_that_nobody_knows_is_refused(domain: str):
    desk = Desk(make_machine())
    with pytest.raises(SurehandError) as caught:
        await desk.take_back(UndoRecord(domain, "explode", {"path": f"{WORK}/a.txt"}))
    assert caught.value.code == "not_undoable"
    await desk.close()


@pytest.mark.parametrize(
    "key", [key for key, rule in PLANNER_RULES.items() if rule.settled_by == "compare" and key in ACTS], ids=".".join
)
async def test_what_the_table_says_is_settled_by_looking_is(key: RuleKey):
    desk = Desk(make_machine())
    for number, (verb, args) in enumerate(ACTS[key].before):
        await desk.call((key[0], verb), args, f"g{number}_before")
    before, after = await desk.settle(key, ACTS[key].args)
    assert (before.state, after.state) == ("not_done", "done")
    assert after.outcome is not None
    assert after.outcome.undo_record is not None
    assert (await desk.take_back(after.outcome.undo_record)).effect == "confirmed"
    await desk.close()


if sys.platform != "win32":
    from actuators.files.platforms.linux import make_back_end

    @pytest.mark.parametrize("changed", [False, True])
    async def test_a_file_of_the_browser_is_taken_back_by_the_tools_of_files_unless_it_was_changed(
        tmp_path: Path, *, changed: bool
    ):
        path = tmp_path / "report.pdf"
        record = record_new_file(path, write_private_file(path, b"whole"))
        assert record is not None
        if changed:
            path.write_bytes(b"theirs")
        back_end = make_back_end(Environment(platform="linux", workspace=tmp_path, state_dir=tmp_path / "state"))
        context = ActionContext("undo", policy=Policy(roots=(str(tmp_path),)))
        if changed:
            with pytest.raises(SurehandError) as caught:
                await back_end.take_back(context, record)
            assert caught.value.code == "changed_since"
        else:
            await back_end.take_back(context, record)
        assert path.exists() == changed
        await back_end.close()
