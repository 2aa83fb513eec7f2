"""The Wyoming service, asked by the protocol's own client."""

import asyncio
import time
from typing import Any

from wyoming.asr import Transcript
from wyoming.client import AsyncClient
from wyoming.event import Event
from wyoming.handle import Handled, HandledChunk, HandledStart, HandledStop, NotHandled
from wyoming.info import Describe, Info
from wyoming.intent import Intent, IntentsStart, IntentsStop, NotRecognized, Recognize
from wyoming.ping import Ping, Pong

from agent.hosting.local_service import LocalService
from agent.service.callers import Caller
from agent.wyoming.server import WyomingPlace
from tests.agent.hosting.conftest import LampHouse

ME = Caller()


def connect(place: WyomingPlace) -> AsyncClient:
    return AsyncClient.from_uri(str(place), read_timeout=20)


async def read(client: AsyncClient) -> Event:
    event = await client.read_event()
    assert event
    return event


async def read_reply(client: AsyncClient) -> Handled | NotHandled:
    """Return the next whole reply, as a client does that knows nothing of streams."""
    while True:
        event = await read(client)
        if Handled.is_type(event.type):
            return Handled.from_event(event)
        if NotHandled.is_type(event.type):
            return NotHandled.from_event(event)


async def say(place: WyomingPlace, text: str, **context: Any) -> Handled | NotHandled:
    """Say something on a connection of its own, as Home Assistant does."""
    async with connect(place) as client:
        await client.write_event(Transcript(text, context=context or None, language="en").event())
        return await read_reply(client)


async def wait_for_runs(service: LocalService) -> None:
    for _ in range(100_000):
        if any(each.running for each in await service.list_sessions(ME)):
            return
        await asyncio.sleep(0)
    raise AssertionError("nothing began")


async def test_the_service_describes_itself(place: WyomingPlace) -> None:
    async with connect(place) as client:
        await client.write_event(Describe().event())
        info = Info.from_event(await read(client))
    assert [(each.name, each.installed, each.supports_handled_streaming) for each in info.handle] == [
        ("surehand", True, True)
    ]
    assert [each.name for each in info.intent] == ["surehand"]
    assert not info.asr + info.tts + info.wake
    assert {language for model in info.handle[0].models for language in model.languages} == {"en", "de"}


async def test_what_was_said_is_handled(place: WyomingPlace, house: LampHouse) -> None:
    reply = await say(place, "light hall", conversation_id="01JABC", device_id="d", satellite_id="s")
    assert isinstance(reply, Handled)
    assert reply.text == "I switched hall on."
    assert reply.context == {"conversation_id": "01JABC", "continue_conversation": False}
    assert house.families["", "voice.01JABC"].lamps.shown["hall"] == "on"


async def test_a_reply_is_streamed_in_sentences_and_sent_whole(place: WyomingPlace) -> None:
    async with connect(place) as client:
        await client.write_event(Transcript("light kitchen and light cellar").event())
        events = [await read(client)]
        while not (HandledStop.is_type(events[-1].type) or NotHandled.is_type(events[-1].type)):
            events.append(await read(client))
    assert HandledStart.is_type(events[0].type)
    chunks = [HandledChunk.from_event(each).text for each in events if HandledChunk.is_type(each.type)]
    assert len(chunks) > 1
    assert "".join(chunks) == Handled.from_event(events[-2]).text


async def test_what_is_not_understood_is_not_handled(place: WyomingPlace) -> None:
    reply = await say(place, "make me a sandwich")
    assert isinstance(reply, NotHandled)
    assert reply.text
    assert "not understood" in reply.text


async def test_a_question_is_kept_per_conversation_across_connections(place: WyomingPlace, house: LampHouse) -> None:
    asked = await say(place, "light", conversation_id="one")
    assert asked.text == "Which room?"
    assert asked.context == {"conversation_id": "one", "continue_conversation": True}
    assert isinstance(await say(place, "hall", conversation_id="two"), NotHandled)
    assert isinstance(await say(place, "hall", conversation_id="one"), Handled)
    assert house.families["", "voice.one"].lamps.shown["hall"] == "on"


async def test_a_connection_is_a_conversation_where_none_is_named(place: WyomingPlace) -> None:
    async with connect(place) as client:
        await client.write_event(Transcript("light").event())
        asked = await read_reply(client)
        await client.write_event(Transcript("hall").event())
        done = await read_reply(client)
    assert isinstance(done, Handled)
    assert asked.context
    assert done.context
    assert asked.context["conversation_id"] == done.context["conversation_id"]


async def test_a_conversation_without_a_name_ends_with_its_connection(
    place: WyomingPlace, service: LocalService
) -> None:
    async with connect(place) as client:
        await client.write_event(Transcript("light hall").event())
        await read_reply(client)
        assert len(await service.list_sessions(ME)) == 1
    await say(place, "light hall", conversation_id="k")
    assert [each.name for each in await service.list_sessions(ME)] == ["voice.k"]


async def test_a_stop_does_not_wait_for_what_it_stops(place: WyomingPlace, service: LocalService) -> None:
    async with connect(place) as client:
        await client.write_event(Transcript("hold hall", context={"conversation_id": "k"}).event())
        await wait_for_runs(service)
        began = time.perf_counter()
        assert (await say(place, "stop", conversation_id="k")).text == "Stopped."
        assert "I was stopped" in str((await read_reply(client)).text)
        assert time.perf_counter() - began < 10  # what is held would never end


async def test_a_stop_is_heard_on_the_connection_that_waits(place: WyomingPlace, service: LocalService) -> None:
    async with connect(place) as client:
        await client.write_event(Transcript("hold hall").event())
        await wait_for_runs(service)
        await client.write_event(Transcript("stop").event())
        told = {(await read_reply(client)).text for _ in range(2)}
    assert "Stopped." in told


async def test_no_voice_approves_by_itself(place: WyomingPlace, service: LocalService, house: LampHouse) -> None:
    asked = await say(place, "smash hall", conversation_id="k")
    assert asked.text == "A person has to confirm that: Smash hall. Say no to leave it."
    again = await say(place, "yes", conversation_id="k")
    assert "A person has to confirm that" in str(again.text)
    assert house.families["", "voice.k"].lamps.calls == []
    await service.stop(ME)


async def test_what_a_client_began_goes_on_without_it(place: WyomingPlace, service: LocalService) -> None:
    async with connect(place) as client:
        await client.write_event(Transcript("hold hall", context={"conversation_id": "k"}).event())
        await wait_for_runs(service)
    status = await say(place, "what are you doing?", conversation_id="k")
    assert status.text == "Now: Hold hall."
    await service.stop(ME)


async def test_what_a_sentence_means_is_told_as_intents_and_nothing_is_done(
    place: WyomingPlace, house: LampHouse
) -> None:
    async with connect(place) as client:
        await client.write_event(Recognize("light hall", context={"conversation_id": "k"}).event())
        one = Intent.from_event(await read(client))
        await client.write_event(Recognize("light hall and look at kitchen").event())
        several = [await read(client) for _ in range(4)]
        await client.write_event(Recognize("make me a sandwich").event())
        none = NotRecognized.from_event(await read(client))
    assert one.name == "lamp.switch"
    assert ("room", "hall") in [(each.name, each.value) for each in one.entities]
    assert one.context == {"conversation_id": "k"}
    assert IntentsStart.is_type(several[0].type)
    assert [Intent.from_event(each).name for each in several[1:3]] == ["lamp.switch", "lamp.look"]
    assert IntentsStop.is_type(several[3].type)
    assert none.text
    assert all(not family.lamps.calls for family in house.families.values())


async def test_a_ping_is_answered_and_what_is_for_others_goes_by(place: WyomingPlace) -> None:
    async with connect(place) as client:
        await client.write_event(Event("audio-chunk", {"rate": 16000}, payload=b"\0" * 3200))
        await client.write_event(Event("select-program", {"name": "surehand"}))
        await client.write_event(Ping("still there?").event())
        assert Pong.from_event(await read(client)).text == "still there?"
