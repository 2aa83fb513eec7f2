"""Replies to what asks for no act: why something is asked, what would be done, what can be said at all, and small talk."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from core.approvals.approvals import ApprovalRequest
from core.base.late_dataclasses import dataclass
from core.language.meanings.interpretation import ControlKind, Refusal, TalkKind
from core.language.talk.answers import Remark
from core.language.talk.small_talk import Talk, load_talk
from core.tools.previews import list_items

_IDLE: Mapping[ControlKind, str] = {"confirm": "not_asked", "deny": "not_asked", "undo": "not_undone"}


@dataclass(frozen=True, slots=True)
class OpenMatters:
    """What is open in a conversation.

    Attributes:
        asked: All of it as a question; empty where nothing is open.
        running: What goes on, as a sentence; empty where nothing does.
        outcome: What came of the last request; empty where there was none.
    """

    approvals: Sequence[ApprovalRequest]
    question: Refusal | None
    asked: str
    running: str
    outcome: str


class TalkReplies:
    """Says something back, in the language of a conversation."""

    def __init__(self, language: str) -> None:
        self._language = language

    @cached_property
    def _talk(self) -> Talk:
        return load_talk(self._language)

    def tell(self, talk: TalkKind, matters: OpenMatters) -> str:
        """Return what to say back."""
        if talk == "why":
            return self._tell_why(matters)
        if talk == "explain":
            return self._explain(matters)
        if talk == "unsure" and not matters.asked:
            return matters.running or self._say("unsure_nothing")
        if not matters.asked:
            return self._say(talk)
        is_choice = talk == "any" and matters.question and matters.question.choices
        short = "any_choice" if is_choice else f"{talk}_open"
        return _join(self._say(short if short in self._talk.replies else talk), matters.asked)

    def say(self, name: str, **words: str) -> str:
        """Return something that is always said in the same words."""
        return self._talk.replies[name].format(**words)

    def ask(self, approvals: Sequence[ApprovalRequest], question: Refusal | None) -> str:
        """Return in words what is asked; empty where nothing is."""
        asked = [self.say("shall_i", text=each.text) for each in approvals]
        return _join(*asked, question.question if question else "")

    def help(self, matters: OpenMatters) -> str:
        """Return what can be said to what is open, behind the question itself."""
        if matters.approvals:
            return _join(matters.asked, self.say("help_approval"))
        if matters.question is None:
            return self.say("help_run")
        names = self._talk.replies["last_joint"].join(each.name for each in matters.question.choices)
        return _join(matters.asked, self.say("help_choice", names=names) if names else self.say("help_missing"))

    def tell_idle(self, kind: ControlKind, told: str) -> str:
        """Return what to say back to words that are for a question or a run, where there is neither."""
        if kind == "help":
            return self._say("ability")
        if kind == "repeat" and told:
            return told
        return self._say(_IDLE.get(kind, "not_running"))

    def tell_beside(self, remark: Remark, question: Refusal | None) -> str:
        """Return what to say behind a request: that a question is still open; empty where none is."""
        if not remark.is_beside or question is None:
            return ""
        return self._talk.replies["still_open"].format(question=question.question)

    def _say(self, name: str) -> str:
        return self._talk.replies[name].format(examples=self._talk.quote(self._talk.examples))

    def _tell_why(self, matters: OpenMatters) -> str:
        if matters.approvals:
            reason = self._talk.replies[f"why_{matters.approvals[0].kind}"]
            return _join(reason, matters.asked)
        if matters.question:
            return _join(matters.question.message, matters.asked)
        return matters.running or matters.outcome or self._say("why_nothing")

    def _explain(self, matters: OpenMatters) -> str:
        replies = self._talk.replies
        if matters.approvals:
            told = replies["explain_approval"].format(acts="; ".join(map(_describe, matters.approvals)))
            is_kept = all(each.kind == "apply_diff" for each in matters.approvals)
            return _join(told, replies["explain_undo"] if is_kept else "")
        if matters.question and matters.question.choices:
            choices = self._talk.quote(tuple(each.utterance for each in matters.question.choices))
            return _join(replies["explain_choice"].format(choices=choices), matters.asked)
        if matters.question:
            return _join(replies["explain_missing"].format(clause=matters.question.clause), matters.asked)
        return matters.running or matters.outcome or self._say("not_running")


def _describe(request: ApprovalRequest) -> str:
    items = list_items(request.preview.operation) if request.preview else ()
    return f"{request.text} ({', '.join(items)})" if items else request.text


def _join(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
