"""The conversations in ``fixtures/dialogues``, each played from its first line to its last with a machine in memory."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from actuators.verb_table import PLANNER_RULES
from agent.assembly import SessionDefaults, make_simulated_session
from agent.sessions.conversation import Conversation, Reply
from agent.sessions.session import AgentSession
from agent.simulation.machines import HOME, build_simulation
from agent.store.journal.sqlite_journal import SqliteJournal
from core.addresses.platforms import SEARCH_PLATFORMS
from core.language.interpreter import GrammarInterpreter
from core.results.tool_results import RunResult
from core.rules.rule_types import list_destroyed
from fixtures.dialogue_files import MACHINE, Transcript, Turn, is_told, list_dialogues, read_dialogue

_WORKSPACE = f"{HOME}/work"
_LONGEST_TURN_S = 20.0


def open_session(transcript: Transcript, folder: Path) -> AgentSession:
    """Put a session together on the machine of the conversations, in the language of one."""
    simulation = build_simulation(MACHINE, SEARCH_PLATFORMS)
    standing = SessionDefaults(journal=SqliteJournal(folder))
    session = make_simulated_session(simulation.machine, simulation.environment, standing=standing)
    interpreter = GrammarInterpreter(
        transcript.language,
        list_programs=lambda: [
            name for each in simulation.machine.system.programs for name in (each.name, *each.names)
        ],
        destroyed=list_destroyed(PLANNER_RULES),
    )
    return AgentSession(replace(session.parts, interpreter=interpreter))


def shorten(text: str) -> str:
    """Return a text with the folders of the machine as people would write them."""
    return text.replace(f"{_WORKSPACE}/", "").replace(_WORKSPACE, "the workspace").replace(HOME, "~")


def show_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(show_value, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {show_value(each)}" for key, each in value.items()) + "}"
    return shorten(str(value))


def list_deeds(result: RunResult) -> list[str]:
    """Return what a run did: each step that succeeded, with those of its parameters that aren't always the same."""
    deeds: list[str] = []
    for log in result.step_logs:
        if log.result.status != "ok":
            continue
        domain, _, verb = log.name.partition(".")
        usual = PLANNER_RULES[domain, verb].default_params
        own = {name: value for name, value in log.args.items() if usual.get(name) != value}
        deeds.append(" ".join(filter(None, (log.name, show_value(own) if own else ""))))
    return deeds


@dataclass
class Stage:
    """A conversation that is going on, and what was said in it that isn't answered yet."""

    conversation: Conversation
    pending: list["asyncio.Task[Reply]"] = field(default_factory=list)

    async def say(self, turn: Turn) -> tuple[list[str], str]:
        """Say something; return what was done and what was said back, once there is nothing to wait for."""
        task = asyncio.ensure_future(self.conversation.say(turn.said))
        self.pending.append(task)
        async with asyncio.timeout(_LONGEST_TURN_S):
            while not await self._is_quiet():
                pass
        ended = [each for each in self.pending if each.done()]
        self.pending = [each for each in self.pending if not each.done()]
        results = [each.result().result for each in ended]
        deeds = [deed for result in results if result for deed in list_deeds(result)]
        own = task.result().text if task.done() else ""
        others = [each.result().text for each in ended if each is not task]
        asked = self.conversation.asked if self.conversation.questions.list_open() else ""
        told = own or " ".join(filter(None, (*(others if task.done() else ()), asked)))
        return deeds, shorten(told)

    async def _is_quiet(self) -> bool:
        """Whether nothing goes on but what waits for an answer, and did so a moment ago."""
        for _ in range(2):
            await asyncio.wait(self.pending, timeout=0.005)
            waiting = [each for each in self.pending if not each.done()]
            if waiting and (len(waiting) > 1 or not self.conversation.questions.list_open()):
                return False
        return True


@pytest.mark.parametrize("path", list_dialogues(), ids=lambda path: path.stem)
async def test_a_conversation_goes_as_it_is_written(path: Path, tmp_path: Path) -> None:
    transcript = read_dialogue(path)
    async with open_session(transcript, tmp_path) as session:
        stage = Stage(Conversation(session))
        for turn in transcript.turns:
            deeds, told = await stage.say(turn)
            place = f"{path.name}, line {turn.line}: {turn.said}"
            assert (deeds, is_told(turn.told, told)) == (turn.does, True), f"{place}\nsurehand: {told}"
        assert not stage.pending
