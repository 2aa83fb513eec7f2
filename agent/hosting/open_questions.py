"""QuestionDesk: what waits for an answer in the sessions of a caller, and who may give it."""

import asyncio
import hashlib
import json
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.hosting.hosted_sessions import HostedSession
from agent.hosting.hub import Hub
from agent.hosting.open_outcomes import OpenOutcome
from agent.service.callers import Caller
from agent.service.orders import OpenQuestion, RunOrder
from core.approvals.approvals import ApprovalRequest
from core.base.errors import ApprovalError, InputError, RefusedError
from core.base.scope_paths import LOCAL_PRINCIPAL
from core.language.meanings.interpretation import Refusal
from core.results.records import to_data

Answer = bool | str


class QuestionDesk:
    """Tells of questions, and takes answers by their ids and digests."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def list_open(self, caller: Caller, session: str) -> list[OpenQuestion]:
        """Return what waits for an answer of a caller; empty ``session`` for all that is theirs to answer, their own first."""
        await _let_ask()
        return [each for found in self._find_sessions(caller, session) for each in self._list(caller, found)]

    def _find_sessions(self, caller: Caller, session: str = "") -> Sequence[HostedSession]:
        """Return the sessions in which a caller may be asked something; names of sessions are each principal's own."""
        own = self._hub.desk.list_of(caller.principal, session)
        if session or not caller.answers_all:
            return own
        return [*own, *(each for each in self._hub.desk.list_all() if each.principal != caller.principal)]

    async def answer(self, caller: Caller, question_id: str, digest: str, answer: Answer) -> RunOrder | None:
        """Answer a question.

        Returns:
            What has to be said in the session now, where the answer completes a sentence.

        Raises:
            RefusedError: ``unknown_question``, or why the answer does not count.
            InputError: If it is no answer to that question.
        """
        await _let_ask()
        for session in self._find_sessions(caller):
            for asked in session.conversation.questions.list_open():
                if asked.approval_id == question_id:
                    self._decide(caller, session, asked, (digest, answer))
                    return None
            if outcome := session.outcomes.get(question_id):
                _check_digest(digest, outcome.question.digest)
                outcome.answer(caller, answer)
                return None
            choice = session.conversation.open_choice if session.principal == caller.principal else None
            if choice and _name_choice(session, choice) == question_id:
                _check_digest(digest, _digest(session, choice))
                words = answer if isinstance(answer, str) else "yes" if answer else "never mind"
                return RunOrder(text=words, said=True, session=session.name)
        raise RefusedError("No such question is open.", code="unknown_question", hint="List the open questions.")

    def _decide(
        self, caller: Caller, session: HostedSession, asked: ApprovalRequest, given: tuple[str, Answer]
    ) -> None:
        digest, answer = given
        if not isinstance(answer, bool):
            raise InputError("This question takes true or false.", hint="Answer with a truth value.")
        if answer and not self._hub.may_say_yes(caller, asked):
            raise refuse_yes(asked.text)
        session.conversation.questions.answer(asked.approval_id, digest, yes=answer, by=caller.told)

    def _list(self, caller: Caller, session: HostedSession) -> Iterator[OpenQuestion]:
        """Yield what is asked in a session; of another principal's what takes a person's yes, since words are for whoever speaks."""
        is_own = session.principal == caller.principal
        asker = "" if is_own else session.principal or LOCAL_PRINCIPAL
        for asked in session.conversation.questions.list_open():
            needs_person = not self._hub.may_say_yes(caller, asked)
            yield replace(_describe_approval(session, asked), needs_person=needs_person, asker=asker)
        for outcome in session.outcomes.values():
            yield replace(_describe_outcome(outcome), needs_person=not caller.may_approve, asker=asker)
        if is_own and (choice := session.conversation.open_choice):
            yield _describe_choice(session, choice)


def refuse_yes(text: str) -> ApprovalError:
    """Return why a yes does not count that came through a door which may not say it."""
    hint = "Say yes in the console, in a chat, on the command line, or by a client whose token may approve."
    return ApprovalError(f"A person has to confirm that: {text}.", code="approval_needs_a_person", hint=hint)


async def _let_ask() -> None:
    """Let what was told to be asked be open: the event leaves a moment before."""
    await asyncio.sleep(0)


def _describe_approval(session: HostedSession, asked: ApprovalRequest) -> OpenQuestion:
    return OpenQuestion(
        question_id=asked.approval_id,
        digest=asked.approval_digest,
        kind="confirm",
        session=session.name,
        run_id=session.askers.get(asked.approval_id, ""),
        prompt=asked.text,
        approval=asked.kind,
        operation=to_data(asked.preview.operation) if asked.preview else {},
        diff=asked.preview.diff if asked.preview else "",
        expires_in_s=_find_left(asked.expires),
    )


def _describe_outcome(outcome: OpenOutcome) -> OpenQuestion:
    return replace(outcome.question, expires_in_s=_find_left(outcome.expires))


def _describe_choice(session: HostedSession, choice: Refusal) -> OpenQuestion:
    return OpenQuestion(
        question_id=_name_choice(session, choice),
        digest=_digest(session, choice),
        kind="slot" if choice.code == "missing_slot" else "disambiguate",
        session=session.name,
        prompt=choice.question,
        choices=tuple(each.name for each in choice.choices),
    )


def _name_choice(session: HostedSession, choice: Refusal) -> str:
    """Return the id of a question of words: the same as long as it is open, and another one when it is asked again."""
    if session.choice is None or session.choice[0] is not choice:
        session.choice = (choice, secrets.token_hex(16))
    return session.choice[1]


def _digest(session: HostedSession, choice: Refusal) -> str:
    content = json.dumps([_name_choice(session, choice), to_data(choice)], sort_keys=True)
    return hashlib.sha256(content.encode("ascii")).hexdigest()


def _check_digest(given: object, digest: str) -> None:
    if not (isinstance(given, str) and secrets.compare_digest(given.encode("utf-8", "replace"), digest.encode())):
        hint = "Answer the open question by its own id and digest."
        raise ApprovalError("The digest does not match the question.", code="approval_mismatch", hint=hint)


def _find_left(expires: float) -> float:
    return round(max(0.0, expires - time.monotonic()), 3)
