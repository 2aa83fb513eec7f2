"""Warming: what sentences of each kind need is read and compiled while nobody asks for anything, so that no first one waits for it."""

import asyncio
from collections.abc import Callable, Iterator

from agent.requests.requests import Request
from agent.requests.session_wishes import USUAL_SESSION
from agent.sessions.session import AgentSession
from core.language.talk.languages import load_language

QUIET_S = 1.0
"""Seconds without anything to do before the next sentence is tried; whoever starts a service mostly wants something at once."""


async def warm_up(
    open_session: Callable[..., AgentSession], measure_idle: Callable[[], float], quiet_s: float = QUIET_S
) -> None:
    """Plan a sentence of each verb in a session of its own; nothing is done, and no more than one is planned once somebody asks.

    Args:
        measure_idle: Returns for how many seconds there was nothing to do; 0 while something goes on.
    """
    await _wait_quiet(measure_idle, quiet_s)
    session = await asyncio.to_thread(open_session, "", "warming", USUAL_SESSION)
    try:
        for sentence in await asyncio.to_thread(lambda: list(_list_sentences(session.parts.interpreter.language))):
            await _wait_quiet(measure_idle, quiet_s)
            await asyncio.to_thread(session.plan, Request(utterance=sentence, mode="plan"))
    finally:
        await session.close()


def _list_sentences(language: str) -> Iterator[str]:
    """Yield the first example of each verb of a language."""
    for verb in load_language(language).verbs:
        yield from [each for phrase in verb.phrases for each in phrase.examples][:1]


async def _wait_quiet(measure_idle: Callable[[], float], quiet_s: float) -> None:
    left = quiet_s - measure_idle()
    while left > 0:
        await asyncio.sleep(left)
        left = quiet_s - measure_idle()
