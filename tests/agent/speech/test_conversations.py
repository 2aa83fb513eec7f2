"""What is said at doors that speak, and what is said back."""

import asyncio
import time
from pathlib import Path

import pytest

from agent.assembly import make_session
from agent.hosting.hub import ServiceLimits
from agent.hosting.local_service import LocalService
from agent.service.callers import Caller
from agent.settings.settings import Settings
from agent.speech.conversations import SpokenConversations, SpokenReply, name_session
from tests.agent.hosting.conftest import LampHouse

VOICE = Caller(door="voice")
ME = Caller()


@pytest.fixture
def talk(service: LocalService) -> SpokenConversations:
    return SpokenConversations(service)


async def hear(talk: SpokenConversations, text: str, conversation: str = "kitchen") -> SpokenReply:
    return await talk.hear(VOICE, conversation, text)


def list_texts(folder: Path) -> list[str]:
    return [each.read_text(encoding="utf-8") for each in folder.glob("*.txt")]


async def wait_for_runs(service: LocalService, session: str) -> None:
    """Give way until something goes on in a session."""
    for _ in range(1000):
        if any(each.name == session and each.running for each in await service.list_sessions(ME)):
            return
        await asyncio.sleep(0)
    raise AssertionError(session)


async def test_what_was_done_is_said_in_words(talk: SpokenConversations, house: LampHouse) -> None:
    reply = await hear(talk, "light hall")
    assert (reply.text, reply.kind, reply.is_handled) == ("I switched hall on.", "done", True)
    assert house.families["", "voice.kitchen"].lamps.shown["hall"] == "on"


async def test_what_was_read_is_an_answer(talk: SpokenConversations) -> None:
    assert (await hear(talk, "look at hall")).kind == "answer"


async def test_what_is_missing_is_asked_and_kept_per_conversation(talk: SpokenConversations, house: LampHouse) -> None:
    asked = await hear(talk, "light")
    assert (asked.text, asked.kind) == ("Which room?", "question")
    elsewhere = await hear(talk, "hall", "garage")
    assert elsewhere.kind == "refused"
    assert (await hear(talk, "hall")).kind == "done"
    assert house.families["", "voice.kitchen"].lamps.shown["hall"] == "on"
    assert "hall" not in house.families["", "voice.garage"].lamps.shown


async def test_a_choice_is_asked_and_answered(talk: SpokenConversations, house: LampHouse) -> None:
    asked = await hear(talk, "lamp hall")
    assert (asked.text, asked.kind) == ("Shall I light it, or look at it?", "question")
    assert (await hear(talk, "the first one")).kind == "done"


async def test_what_is_not_understood_is_refused(talk: SpokenConversations) -> None:
    reply = await hear(talk, "make me a sandwich")
    assert (reply.kind, reply.code, reply.is_handled) == ("refused", "no_intent_match", False)


async def test_silence_begins_nothing(talk: SpokenConversations, house: LampHouse) -> None:
    assert (await hear(talk, "  ")).code == "nothing_said"
    assert house.families == {}


async def test_an_approval_needs_a_person_and_a_spoken_yes_is_told_so(
    talk: SpokenConversations, service: LocalService, house: LampHouse
) -> None:
    asked = await hear(talk, "smash hall")
    assert (asked.text, asked.kind) == ("A person has to confirm that: Smash hall. Say no to leave it.", "question")
    assert "A person has to confirm that" in (await hear(talk, "yes")).text
    assert house.families["", "voice.kitchen"].lamps.calls == []
    (open_question,) = await service.list_questions(ME)
    await service.answer(ME, open_question.question_id, open_question.digest, answer=True)


async def test_a_spoken_no_leaves_it(talk: SpokenConversations, service: LocalService, house: LampHouse) -> None:
    await hear(talk, "smash hall")
    reply = await hear(talk, "no")
    assert reply.kind == "failed"
    assert "smash" in reply.text.lower()
    assert await service.list_questions(ME) == []
    assert house.families["", "voice.kitchen"].lamps.calls == []


async def test_a_spoken_yes_counts_where_the_settings_trust_the_voice(house: LampHouse) -> None:
    service = LocalService(house.open, ServiceLimits(voice_approves=frozenset({"apply_diff"})))
    talk = SpokenConversations(service)
    asked = await hear(talk, "smash hall")
    assert asked.text == "Smash hall: shall I do that?"
    reply = await hear(talk, "yes")
    assert reply.text.startswith("I smashed hall.")
    await service.close(drain_s=0)


async def test_what_another_door_answers_is_told_when_somebody_asks(
    talk: SpokenConversations, service: LocalService
) -> None:
    await hear(talk, "smash hall")
    (asked,) = await service.list_questions(ME)
    await service.answer(ME, asked.question_id, asked.digest, answer=True)
    await service.result(ME, asked.run_id)
    assert (await hear(talk, "light kitchen")).text == "I switched kitchen on."


async def test_what_is_asked_before_an_undo_is_asked_aloud_and_answered(tmp_path: Path) -> None:
    limits = ServiceLimits(voice_approves=frozenset({"apply_diff"}))
    service = LocalService(lambda *_: make_session(Settings(), tmp_path), limits)
    talk = SpokenConversations(service)
    asked = await hear(talk, 'write "hello" to notes.txt')
    assert (asked.kind, asked.text) == ("question", "Write notes.txt, with content hello: shall I do that?")
    assert (await hear(talk, "yes")).text == "I wrote notes.txt."
    assert list_texts(tmp_path) == ["hello"]
    again = await hear(talk, "undo that")
    assert again.kind == "question"
    assert again.text.endswith("shall I do that?")
    assert (await hear(talk, "yes")).is_handled
    assert list_texts(tmp_path) == []
    await service.close(drain_s=0)


async def test_stop_ends_what_goes_on_at_once(talk: SpokenConversations, service: LocalService) -> None:
    running = asyncio.ensure_future(hear(talk, "hold hall"))
    await wait_for_runs(service, "voice.kitchen")
    began = time.perf_counter()
    reply = await hear(talk, "stop")
    assert reply.text == "Stopped."
    assert "stopped" in (await running).text
    assert time.perf_counter() - began < 10  # what is held would never end


async def test_stop_in_a_new_conversation_ends_what_the_voice_began_elsewhere(
    talk: SpokenConversations, service: LocalService
) -> None:
    running = asyncio.ensure_future(hear(talk, "hold hall"))
    await wait_for_runs(service, "voice.kitchen")
    assert (await hear(talk, "stop", "another")).text == "Stopped."
    assert "stopped" in (await running).text


async def test_a_spoken_stop_leaves_alone_what_other_doors_began(
    talk: SpokenConversations, service: LocalService
) -> None:
    console = SpokenConversations(service)
    running = asyncio.ensure_future(console.hear(Caller(door="console"), "desk", "hold hall"))
    await wait_for_runs(service, "console.desk")
    assert (await hear(talk, "stop")).text == "Nothing is running."
    assert not running.done()
    await service.stop(ME)
    await running


async def test_after_a_while_it_is_said_that_work_goes_on_and_the_status_tells_the_end(service: LocalService) -> None:
    talk = SpokenConversations(service, patience_s=1.0)
    await hear(talk, "what are you doing?")  # words to a run are read when they are first needed
    reply = await hear(talk, "hold hall")
    assert (reply.text, reply.kind) == ("I am still at it. Now: Hold hall. Ask me for the status.", "working")
    assert (await hear(talk, "what are you doing?")).text == "Now: Hold hall."
    assert (await hear(talk, "stop")).text == "Stopped."


async def test_what_the_token_may_not_do_is_said(service: LocalService) -> None:
    reply = await SpokenConversations(service).hear(Caller(door="voice", scopes=frozenset({"read"})), "k", "light hall")
    assert (reply.kind, reply.code) == ("failed", "scope_missing")


def test_whatever_a_conversation_is_called_its_session_has_a_name() -> None:
    assert name_session(VOICE, "01JABC") == "voice.01JABC"
    assert name_session(Caller(door="home-assistant"), "x" * 200).startswith("home.")
    assert len(name_session(VOICE, "../../etc/passwd\ud800")) == len("voice.") + 32
