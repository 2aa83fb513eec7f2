"""Which session a chat acts in: the interface of completions has no name for a chat, only all that was said in it."""

import hashlib
import json
import secrets
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from typing import Final

from agent.http.completion_bodies import ChatMessage

_MOST: Final = 1000
"""Chats of one principal; the oldest go first."""


class ChatThreads:
    """Knows chats again by what was said in them so far, and calls that are sent again by a client that got no answer."""

    def __init__(self) -> None:
        self._sessions: defaultdict[str, OrderedDict[str, str]] = defaultdict(OrderedDict)
        self._calls: defaultdict[str, OrderedDict[str, str]] = defaultdict(OrderedDict)

    def find_session(self, principal: str, said: Sequence[ChatMessage], call: str) -> str:
        """Return the session of a chat; a new one where nobody said that before.

        Args:
            said: All before what is said now.
            call: Id of the call; sent again, it finds the same session.
        """
        known = self._sessions[principal].get(_digest(said)) if _has_answers(said) else None
        return known or f"chat-{hashlib.sha256(f'{principal} {call}'.encode()).hexdigest()[:12]}"

    def keep(self, principal: str, said: Sequence[ChatMessage], reply: str, session: str) -> None:
        """Remember where a chat acts, for when it goes on."""
        whole = [*said, ChatMessage(role="assistant", content=reply)]
        _remember(self._sessions[principal], _digest(whole), session)

    def name_call(self, principal: str, body: bytes, *, is_again: bool) -> str:
        """Return the id under which a call is carried out once."""
        digest, known = hashlib.sha256(body).hexdigest(), self._calls[principal]
        if not is_again or digest not in known:
            _remember(known, digest, f"completion-{secrets.token_hex(12)}")
        return known[digest]


def _has_answers(said: Sequence[ChatMessage]) -> bool:
    """Tell whether a chat has begun: who begins with the same words as somebody else is somebody else."""
    return any(each.role == "assistant" for each in said)


def _digest(said: Sequence[ChatMessage]) -> str:
    told = [[each.role, each.text] for each in said if each.role in {"user", "assistant"}]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _remember(known: OrderedDict[str, str], key: str, value: str) -> None:
    known[key] = value
    known.move_to_end(key)
    while len(known) > _MOST:
        known.popitem(last=False)
