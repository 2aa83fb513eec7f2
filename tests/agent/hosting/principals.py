"""Principals who each did one of everything in the same workspace, so that each store holds something of everybody's."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from actuators.own_folders import locate_state_folder
from agent.access.token_gate import Principal
from agent.assembly import make_session
from agent.facts.health_parts import open_health
from agent.facts.planner_health import locate_health
from agent.hosting.local_service import LocalService
from agent.models.serving.budgets import DayBook, Spent
from agent.models.serving.keeping import KeepingModel
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.planners.drift.shape_file import ShapeFile
from agent.planners.health.episodes import Episode
from agent.requests.flows import load_flow
from agent.requests.requests import Request
from agent.requests.session_wishes import SessionWishes
from agent.service.callers import ALL_SCOPES, Caller
from agent.service.orders import RunOrder, RunRecord
from agent.settings.folder_checks import locate_state
from agent.settings.model_settings import ModelSetting
from agent.settings.settings import Settings
from agent.testing.clocks import FakeClock
from agent.testing.scripted_models import ScriptedModel
from core.base.scope_paths import begin_scope
from core.planning.planners.alerts import Alert
from core.planning.planners.ports import BacklogItem, ModelQuestion

SETTINGS = Settings(trace="on", keep_pictures=True, inner_hosts=["127.0.0.1"])
_LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
_SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
_FLOW = """\
goals:
  - browser.navigate: {{url: "{site}/shop/item/blue-mug"}}
  - browser.click: {{selector: 'button "Add to basket"'}}
"""


@dataclass(slots=True)
class Someone:
    """A principal, and what is theirs.

    Attributes:
        name: Empty for the person at this machine.
        mark: Stands in all that they store, and in nothing else.
        token: Theirs.
        runs: Ids of their runs, the first one with a file.
        waiting: Id of a run that waits for a yes.
        question: Id of what it asks.
    """

    name: str
    mark: str = field(default_factory=lambda: f"mark{secrets.token_hex(8)}")
    token: str = field(default_factory=lambda: secrets.token_hex(32))
    runs: list[str] = field(default_factory=list[str])
    waiting: str = ""
    question: str = ""

    @property
    def caller(self) -> Caller:
        return Caller(principal=self.name, scopes=ALL_SCOPES, door="http")

    @property
    def principal(self) -> Principal:
        return Principal(name=self.name, token=self.token)

    @property
    def file(self) -> str:
        """The file that they write into the workspace, where everybody sees it."""
        return f"{self.name or 'person'}.txt"

    def list_traces(self) -> tuple[str, ...]:
        """Return what shows in a store that it is theirs."""
        return (self.mark, *self.runs, self.waiting)


@dataclass(frozen=True, slots=True)
class House:
    """A workspace with a service.

    Attributes:
        service: The service.
        folder: The workspace.
        site: Address of the fixture sites.
    """

    service: LocalService
    folder: Path
    site: str

    async def run(self, who: Someone, *goals: tuple[str, Mapping[str, Any]]) -> RunRecord:
        """Carry goals out in the session that all call the same."""
        told = tuple(
            dict(zip(("domain", "verb"), verb.split("."), strict=True)) | {"params": params} for verb, params in goals
        )
        order = RunOrder(goals=told, session="main", approvals=("apply_diff",))
        ticket = await self.service.begin(who.caller, order)
        who.runs.append(ticket.run_id)
        return await self.service.result(who.caller, ticket.run_id)

    async def say(self, who: Someone, text: str) -> RunRecord:
        """Say something in that session, and yes to what it asks."""
        ticket = await self.service.begin(who.caller, RunOrder(text=text, said=True, session="main"))
        async for event in self.service.follow(who.caller, ticket.run_id):
            if event["event"] == "question":
                given = event["approval_id"], event["approval_digest"]
                await self.service.answer(who.caller, *given, answer=True)
        return await self.service.result(who.caller, ticket.run_id)

    async def leave_everything(self, who: Someone) -> None:
        """Do one of everything in somebody's name."""
        await self._leave_runs(who)
        await self._leave_flow(who)
        await self._leave_planning(who)
        await self._leave_answers(who)

    async def _leave_runs(self, who: Someone) -> None:
        await self.service.open_session(who.caller, "main", SessionWishes(trace=True, video=True))
        pages = ("browser.navigate", {"url": f"{self.site}/shop"}), ("browser.screenshot", {})
        assert (await self.run(who, *pages))["outcome"] == "success"
        await self.service.close_session(who.caller, "main")
        assert (await self.run(who, *pages))["outcome"] == "success"
        assert (await self.run(who, ("memory.store", {"key": "city", "value": who.mark})))["outcome"] == "success"
        for content in ("first", who.mark):
            goal = ("file.write", {"path": f"workspace:/{who.file}", "content": content})
            assert (await self.run(who, goal))["outcome"] == "success"

    async def _leave_flow(self, who: Someone) -> None:
        path = self.folder / "flow.yaml"
        path.write_text(_FLOW.format(site=self.site), encoding="utf-8")
        async with make_session(SETTINGS, self.folder, principal=who.name) as session:
            result = await session.run(Request(flow=load_flow(path), principal=who.name))
        assert result.outcome == "success", result.reply
        who.runs.append(result.run_id)

    async def _leave_planning(self, who: Someone) -> None:
        state = locate_state(self.folder, who.name)
        ShapeFile(state).hold({})
        backlog = SqliteBacklog(state, clock=FakeClock(_LONG_AGO))
        await backlog.add(begin_scope(who.name), BacklogItem(item_id=who.mark, title=who.mark, state="active"))
        await backlog.close()
        alert = Alert(alert_id="backlog.stuck", severity="warning", subject=who.mark, summary="It is stuck.")
        episode = Episode(episode_id=who.mark, alert=alert, began_at=_LONG_AGO, seen_at=_LONG_AGO)
        async with open_health(locate_health(self.folder, who.name)) as parts:
            await parts.file.change(lambda known: ((*known, episode), None))

    async def _leave_answers(self, who: Someone) -> None:
        folder, scope = locate_state_folder() / "models", begin_scope(who.name)
        question = ModelQuestion(kind="interpret", instructions="Which word?", schema=_SCHEMA, scope=scope)
        setting = ModelSetting(provider="local", model="any", base_url="http://127.0.0.1:1")
        answer = await KeepingModel(ScriptedModel({"word": who.mark}), setting, folder).ask(question)
        assert (answer.value, answer.is_kept) == ({"word": who.mark}, False)
        assert DayBook(folder).add("any", scope.read_level("principal"), Spent(5, 0.0), Spent(9, 1.0))

    async def ask(self, who: Someone) -> None:
        """Let a run of somebody's wait for a yes."""
        goal = {
            "domain": "file",
            "verb": "write",
            "params": {"path": f"workspace:/asked-{who.file}", "content": who.mark},
        }
        ticket = await self.service.begin(who.caller, RunOrder(goals=(goal,), session="main", request_id="same"))
        async for event in self.service.follow(who.caller, ticket.run_id):
            if event["event"] == "question":
                who.waiting, who.question = ticket.run_id, event["approval_id"]
                return


def list_files(folder: Path) -> Sequence[str]:
    """Return the files below a folder, by their names relative to it."""
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


async def read_file(path: Path) -> str:
    """Return what a file holds as a text, whatever it is."""
    return (await asyncio.to_thread(path.read_bytes)).decode("utf-8", "replace")
