"""Conversations: requests, answers, and words to what goes on, with lamps and a small language about them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.assembly import make_session
from agent.sessions.conversation import Conversation, Reply
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Situation
from core.results.events import Event, Final
from tests.agent.lamps import LampFamily, load_lamp_language, make_lamp_session


@pytest.fixture
def family() -> LampFamily:
    return LampFamily()


@pytest.fixture
async def session(family: LampFamily) -> AsyncIterator[AgentSession]:
    grammar = load_lamp_language()
    async with make_lamp_session(family, GrammarInterpreter(grammar)) as session:
        yield session


@pytest.fixture
def conversation(session: AgentSession) -> Conversation:
    return Conversation(session)


async def begin(conversation: Conversation, utterance: str, until: Situation) -> asyncio.Task[Reply]:
    """Say something and return when it has come so far that something else can be said to it."""
    changed = asyncio.Event()
    task = asyncio.ensure_future(conversation.say(utterance, lambda _: changed.set()))
    while until not in conversation.situation or (until == Situation.RUN and not changed.is_set()):
        await asyncio.wait_for(changed.wait(), 5)
        await asyncio.wait({task}, timeout=0.01)
    return task


async def test_a_request_is_carried_out_and_told(conversation: Conversation, family: LampFamily) -> None:
    reply = await conversation.say("light hall")
    assert reply.result is not None
    assert reply.result.outcome == "success"
    assert family.lamps.shown["hall"] == "on"
    assert reply.text == reply.result.reply


async def test_a_question_is_answered_and_the_whole_carried_out(conversation: Conversation, family: LampFamily) -> None:
    asked = await conversation.say("light")
    assert asked.text.endswith("Which room?")
    assert conversation.situation == Situation.QUESTION
    answered = await conversation.say("hall")
    assert answered.result is not None
    assert answered.result.outcome == "success"
    assert family.lamps.shown["hall"] == "on"


@pytest.mark.parametrize("said", ["the second one", "look at it", "2"])
async def test_of_several_meanings_one_is_chosen(said: str, conversation: Conversation, family: LampFamily) -> None:
    await conversation.say("lamp hall")
    reply = await conversation.say(said)
    assert reply.result is not None
    assert [log.name for log in reply.result.step_logs] == ["lamp.look"]
    assert family.lamps.shown.get("hall") != "on"


async def test_an_approval_is_given_by_a_plain_yes_and_by_nothing_else(
    conversation: Conversation, family: LampFamily
) -> None:
    run = await begin(conversation, "smash hall", Situation.QUESTION)
    praised = await conversation.say("what a wonderful answer")
    assert praised.text == "Smash hall: shall I do that?"
    assert not run.done()
    await conversation.say("yes please")
    result = (await run).result
    assert result is not None
    assert result.outcome == "success"
    assert any("smash" in call for call in family.lamps.calls)


@pytest.mark.parametrize("said", ["no", "that's wrong", "nope, I didn't say that"])
async def test_a_no_denies_what_is_asked(said: str, conversation: Conversation, family: LampFamily) -> None:
    run = await begin(conversation, "smash hall", Situation.QUESTION)
    await conversation.say(said)
    result = (await run).result
    assert result is not None
    assert result.step_logs[0].result.status == "refused"
    assert not any("smash" in call for call in family.lamps.calls)


@pytest.mark.parametrize("said", ["stop", "cancel that", "no, that's wrong", "never mind"])
async def test_a_run_is_stopped_at_once_by_words(said: str, conversation: Conversation) -> None:
    run = await begin(conversation, "hold hall", Situation.RUN)
    reply = await conversation.say(said)
    assert reply.text == "Stopped."
    result = (await asyncio.wait_for(run, 5)).result
    assert result is not None
    assert result.outcome == "cancelled"


async def test_what_waits_behind_a_stopped_run_never_begins(conversation: Conversation, family: LampFamily) -> None:
    run = await begin(conversation, "hold hall", Situation.RUN)
    waiting = asyncio.ensure_future(conversation.say("light cellar"))
    await asyncio.wait({waiting}, timeout=0.01)
    await conversation.say("stop")
    await asyncio.wait_for(run, 5)
    assert (await waiting).result is None
    assert "cellar" not in family.lamps.shown


async def test_the_status_tells_what_goes_on_and_what_is_asked(conversation: Conversation) -> None:
    run = await begin(conversation, "smash hall", Situation.QUESTION)
    assert (await conversation.say("what are you doing")).text == (
        "I'm waiting for an answer. Smash hall: shall I do that?"
    )
    assert (await conversation.say("say that again")).text == "Smash hall: shall I do that?"
    await conversation.say("no")
    done = await run
    assert (await conversation.say("did it work")).text == done.text


async def test_undo_takes_the_last_run_back(conversation: Conversation) -> None:
    nothing = await conversation.say("undo that")
    assert nothing.undone is None
    await conversation.say("light hall")
    taken = await conversation.say("undo that")
    assert taken.undone is not None


async def test_help_names_what_can_be_chosen(conversation: Conversation) -> None:
    await conversation.say("lamp hall")
    helped = await conversation.say("help")
    assert helped.text == ("Shall I light it, or look at it? You can say light it or look at it, or never mind.")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("yes", "Nothing is asked."),
        ("no", "Nothing is asked."),
        ("stop", "Nothing is running."),
        ("undo that", "There is nothing to undo."),
    ],
)
async def test_words_to_a_run_do_nothing_where_there_is_none(said: str, told: str, conversation: Conversation) -> None:
    reply = await conversation.say(said)
    assert (reply.text, reply.result) == (told, None)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("why?", "I ask because it changes what you have. Smash hall: shall I do that?"),
        ("what will that do?", "If you say yes: Smash hall. If you say no, nothing of it happens."),
        ("hmm", "Take your time. Smash hall: shall I do that?"),
        ("wait", "I'm waiting. Smash hall: shall I do that?"),
        ("thanks", "You're welcome. Smash hall: shall I do that?"),
        ("light hall", "I need an answer first, so I did nothing about “light hall”. Smash hall: shall I do that?"),
        ("blorp", "“blorp” is no answer that I understand. Smash hall: shall I do that?"),
    ],
)
async def test_what_is_said_while_an_approval_is_open_is_answered_at_once(
    said: str, told: str, conversation: Conversation, family: LampFamily
) -> None:
    run = await begin(conversation, "smash hall", Situation.QUESTION)
    reply = await asyncio.wait_for(conversation.say(said), 5)
    assert reply.text.startswith(told)
    assert not run.done()
    assert not family.lamps.calls
    await conversation.say("no")
    await run


async def test_a_no_with_anything_behind_it_approves_nothing(conversation: Conversation, family: LampFamily) -> None:
    run = await begin(conversation, "smash hall", Situation.QUESTION)
    reply = await conversation.say("no, zonk the blorp")
    assert reply.text.startswith("All right, I leave that.")
    assert (await run).result is not None
    assert (await conversation.say("yes")).text == "Nothing is asked."
    assert not family.lamps.calls


async def test_what_is_put_right_while_an_approval_is_open_is_asked_for_anew(
    conversation: Conversation, family: LampFamily
) -> None:
    run = await begin(conversation, "smash hall", Situation.QUESTION)
    second = asyncio.ensure_future(conversation.say("no, I meant cellar"))
    first = (await run).result
    assert first is not None
    assert first.step_logs[0].result.status == "refused"
    while not conversation.questions.list_open():
        await asyncio.wait({second}, timeout=0.01)
    assert conversation.asked == "Smash cellar: shall I do that?"
    await conversation.say("yes")
    await second
    assert [call for call in family.lamps.calls if "hall" in str(call)] == []


async def test_a_request_beside_a_question_says_that_it_is_still_open(conversation: Conversation) -> None:
    await conversation.say("light")
    events: list[Event] = []
    reply = await conversation.say("look at hall", events.append)
    assert reply.text.endswith("Still open: Which room?")
    final = events[-1]
    assert isinstance(final, Final)
    assert (final.reply, final.expects_reply) == (reply.text, True)


async def test_what_only_looked_is_not_what_is_taken_back(conversation: Conversation) -> None:
    await conversation.say("look at hall")
    assert (await conversation.say("undo that")).text == "There is nothing to undo."


async def approve(conversation: Conversation, utterance: str) -> Reply:
    """Say something, and yes to all that it asks."""
    run = asyncio.ensure_future(conversation.say(utterance))
    while not run.done():
        if conversation.questions.list_open():
            await conversation.say("yes, do it")
        await asyncio.wait({run}, timeout=0.01)
    return await run


async def test_a_folder_a_file_and_a_text_are_spoken_of_from_one_request_to_the_next(tmp_path: Path) -> None:
    said = (
        "create a folder called Mugs",
        "create a file called a.txt in it",
        'write "tea" to Mugs/a.txt',
        "read Mugs/a.txt",
        "save it as copy.txt",
        "create a folder called Cups",
        "copy copy.txt there",
    )
    async with make_session(Settings(), tmp_path) as session:
        conversation = Conversation(session)
        for utterance in said:
            result = (await approve(conversation, utterance)).result
            assert result is not None
            assert result.outcome == "success", (utterance, result.errors)
        undone = await approve(conversation, "undo that")
    assert undone.undone is not None
    assert not (tmp_path / "Cups" / "copy.txt").exists()
    assert (tmp_path / "copy.txt").read_text(encoding="utf-8") == "tea"


async def test_it_is_never_a_thing_that_nobody_spoke_of_lately(tmp_path: Path) -> None:
    async with make_session(Settings(), tmp_path) as session:
        conversation = Conversation(session)
        for utterance in ("create a folder called Mugs", "create a file called a.txt in it", "what time is it"):
            await approve(conversation, utterance)
        asked = await conversation.say("delete it")
        assert asked.text.endswith("Do you mean the file a.txt?")
        assert (tmp_path / "Mugs" / "a.txt").exists()
        deleted = await approve(conversation, "yes")
        assert deleted.result is not None
        assert deleted.result.outcome == "success"
        assert list((tmp_path / "Mugs").iterdir()) == []


async def test_a_request_that_failed_was_spoken_of(tmp_path: Path) -> None:
    async with make_session(Settings(), tmp_path) as session:
        conversation = Conversation(session)
        await approve(conversation, "create a folder called Mugs")
        failed = await approve(conversation, "read gone.txt")
        assert failed.result is not None
        assert failed.result.outcome != "success"
        assert (await conversation.say("delete it")).text.endswith("Do you mean the file gone.txt?")
        assert (tmp_path / "Mugs").is_dir()
