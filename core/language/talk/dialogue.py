"""Dialogue: what one person says, one utterance after another, with what was asked and spoken of before.

The question of a refusal stays open. What is said next answers it if that makes one whole of the sentence, is a new request
if it is one, and ends it if it says so ("never mind"). Nothing is guessed: what could be both an answer and a request is
asked about.

What was carried out leaves the folder, the page and the text that "there" and "it" mean in the next utterance.
"""

from functools import cached_property

from core.base.late_dataclasses import dataclass, replace
from core.goals.meta_goals import Goal, MetaGoal
from core.goals.references import find_references
from core.language.meanings.contexts import START, Context, Created
from core.language.meanings.interpretation import (
    Clause,
    GoalInterpreter,
    Interpretation,
    Refusal,
    Situation,
    SpokenControl,
    TalkKind,
)
from core.language.talk.answers import AnswerReader, Remark, agrees
from core.language.talk.changed_requests import ChangedRequests
from core.language.talk.changes import SaidRequest
from core.language.talk.control import load_controls
from core.language.talk.small_talk import ABOUT_QUESTIONS, TalkReader, load_talk_reader

_DIVIDER = "; "
_FILES = "file"


@dataclass(frozen=True, slots=True)
class _EarlierReading:
    """The step that read a text which "it" may mean."""

    text: str
    goal: Goal

    def is_first(self, clauses: tuple[Clause, ...], meta_goal: MetaGoal) -> bool:
        """Whether this is the first step of a sentence, whole and as it was, and a later one takes its text."""
        first = meta_goal.goals[0]
        is_apart = len(clauses) > 1 and clauses[0].end <= len(self.text) <= clauses[1].start
        is_same = (first.name, dict(first.params)) == (self.goal.name, dict(self.goal.params))
        return is_apart and is_same and any(first.goal_id in _list_sources(goal) for goal in meta_goal.goals[1:])


class Dialogue:
    """Understands the utterances of one person in their order. It says what is meant and does nothing."""

    def __init__(self, interpreter: GoalInterpreter) -> None:
        self._interpreter = interpreter
        self._open: Refusal | None = None
        self._context = START
        self._read: _EarlierReading | None = None
        self._asked: SaidRequest | None = None
        self._latest: SaidRequest | None = None
        self._is_passed = False
        self._is_missed = False

    @cached_property
    def _talk(self) -> TalkReader:
        return load_talk_reader(self._interpreter.language)

    @cached_property
    def _changed(self) -> ChangedRequests:
        return ChangedRequests(self._interpreter, self._interpret)

    @cached_property
    def _answers(self) -> AnswerReader:
        return AnswerReader(self._interpreter, self._interpret)

    @property
    def question(self) -> Refusal | None:
        """The refusal whose question is open, or None."""
        return self._open

    def forget(self) -> None:
        """Forget the open question and all that was spoken of; what was asked for last can still be asked for again."""
        self._open, self._read, self._context = None, None, START

    def hear(self, utterance: str, situation: Situation = Situation.NOTHING) -> Remark:
        """Understand what is said next.

        Args:
            situation: What else is open, beside the question of the dialogue itself.
        """
        if control := self.hear_control(utterance, situation):
            return Remark(Interpretation(control=control), utterance)
        if self._open and (talk := self.hear_talk(utterance, situation | Situation.QUESTION)):
            return Remark(Interpretation(talk=talk), utterance)
        if self._open and (changed := self._hear_correction(utterance)):
            return self._remember(changed)
        alone = self._interpret(utterance)
        answered = self._answers.read(utterance, self._open) if self._open else None
        if answered is None:
            return self._take_alone(alone, utterance)
        # Words of one of the things to choose from mean that thing.
        if not (self._open and self._open.choices) and _is_request(alone, answered):
            if alone.meta_goal and self._is_passed:
                return self._take_alone(alone, utterance)
            question = self._open.question if self._open else ""
            return Remark(_refuse_both(self._interpreter.language, question, utterance), utterance)
        return self._remember(answered)

    def hear_control(self, utterance: str, situation: Situation = Situation.NOTHING) -> SpokenControl | None:
        """Understand what is said to the open question or to what goes on; None if it says something else."""
        here = situation | Situation.QUESTION if self._open else situation
        control = self._interpreter.read_control(utterance, here)
        if control and self._open and agrees(control, self._open.choices):
            return None  # a yes to the one thing that was asked about is an answer
        if control and here == Situation.DONE and control.kind == "undo" and self._interpret(utterance).meta_goal:
            return None  # it names what it is about: "restore it"
        if control and {"stop", "deny"} & {control.kind, *control.kinds} and not control.is_pause:
            self._open = None
        return control

    def hear_talk(self, utterance: str, situation: Situation = Situation.NOTHING) -> TalkKind | None:
        """Understand what asks for no act; None if it says something else.

        Args:
            situation: Where a question is open, only what is said about one counts.
        """
        talk = self._talk.read(utterance)
        if Situation.QUESTION not in situation or talk in ABOUT_QUESTIONS:
            return talk
        return talk if talk == "any" and self._open and self._open.choices else None

    def hear_change(self, utterance: str, *, is_open: bool = False) -> Remark | None:
        """Understand an utterance that puts right what was asked for last, or repeats it; None if it says something else.

        Args:
            is_open: Whether that isn't carried out yet, so that it can only be put right.
        """
        if self._latest is None:
            return None
        if is_open:
            self.settle(self._latest.interpretation, is_done=False)  # it was spoken of
        changed = self._changed.read(utterance, self._latest, is_open=is_open)
        return self._remember(changed) if changed else None

    def understands(self, utterance: str) -> bool:
        """Whether an utterance is a request, also one that can't be carried out; nothing is remembered of it."""
        alone = self._interpret(utterance)
        return alone.refusal is None or alone.refusal.code != "no_intent_match"

    def begins_as_request(self, utterance: str) -> bool:
        """Whether an utterance is a request, or begins as one; nothing is remembered of it."""
        refusal = self._interpret(utterance).refusal
        return refusal is None or refusal.is_request or refusal.code != "no_intent_match"

    def begins_with_no(self, utterance: str) -> bool:
        """Whether the first word of an utterance, or what stands in front of its first comma, is a no or a stop."""
        heads = {utterance.split(",", maxsplit=1)[0], *utterance.replace(",", " ").split()[:1]}
        controls = [self._interpreter.read_control(head, Situation.QUESTION) for head in heads]
        return any(each is not None and each.kind in {"deny", "stop"} and not each.is_pause for each in controls)

    def settle(self, interpretation: Interpretation, *, is_done: bool = True) -> None:
        """Note what was spoken of, so that later utterances may speak of it.

        Args:
            is_done: Whether they were carried out. Otherwise they only leave what they spoke of, and what is destroyed by
                such words is asked about first.
        """
        meta_goal, behind = interpretation.meta_goal, interpretation.behind
        if meta_goal is None:
            return
        if self._latest and self._latest.interpretation is interpretation:
            self._latest = self._latest._replace(is_done=is_done)
        if not is_done:
            kept = tuple(each._replace(is_gone=each.is_gone and each.age > 0) for each in behind.mentions)
            mentions = replace(behind, mentions=kept).grow_older().grow_older().mentions
            self._context = replace(self._context, mentions=mentions)
            return
        self._read = _find_read(interpretation, meta_goal)
        folders = tuple(Created(each.full, each.full, is_past=True) for each in behind.folders)
        is_inside = self._is_inside(meta_goal, behind)
        older = behind.grow_older()
        self._context = replace(older, step=0, given=(), folders=folders, is_inside=is_inside)

    def _is_inside(self, meta_goal: MetaGoal, behind: Context) -> bool:
        if not behind.is_inside or not self._context.is_inside:
            return behind.is_inside
        if all(goal.domain != _FILES for goal in meta_goal.goals):
            return True
        outside = replace(self._context, is_inside=False)
        return self._interpreter.interpret(meta_goal.source, Situation.NOTHING, outside).behind.is_inside

    def _take_alone(self, alone: Interpretation, utterance: str) -> Remark:
        """Return an utterance that answers nothing. One that isn't understood leaves the question open, and so does one request."""
        asked = _find_question(alone)
        if alone.meta_goal and self._open and not self._is_passed:
            self._is_passed = True
            self._latest = SaidRequest(utterance, alone, self._context)
            return Remark(alone, utterance, is_beside=True)
        if alone.meta_goal or asked:
            return self._repeat_whole(alone, utterance) or self._remember(Remark(alone, utterance))
        talk = self._talk.read(utterance)
        changed = None if talk or self._open or self._is_said_to_run(utterance) else self.hear_change(utterance)
        if changed:
            return changed
        if talk:
            return Remark(Interpretation(talk=talk), utterance)
        return self._take_unknown(alone, utterance)

    def _take_unknown(self, alone: Interpretation, utterance: str) -> Remark:
        """Return what isn't understood at all: it leaves a question open once, or else may have been misspelt."""
        if self._open is None or any(choice.is_whole for choice in self._open.choices):
            proposed = self._interpreter.propose(utterance, alone, self._context)
            if proposed is not alone:
                return self._remember(Remark(proposed, utterance))
        if self._open is None or alone.refusal is None:
            self._context = self._context.grow_older()  # who knows what that was about
            return Remark(alone, utterance)
        if self._is_missed:
            question, self._open = self._open, None
            return Remark(_give_up(self._interpreter.language, question, utterance), utterance)
        self._is_missed = True
        refusal = replace(alone.refusal, question=self._open.question, slot=self._open.slot)
        return Remark(replace(alone, refusal=refusal), utterance)

    def _is_said_to_run(self, utterance: str) -> bool:
        """Whether these words would end or confirm something, so that they change nothing: "no, don't"."""
        control = self._interpreter.read_control(utterance, Situation.QUESTION | Situation.RUN)
        return control is not None and control.kind in {"confirm", "deny", "stop"}

    def _hear_correction(self, utterance: str) -> Remark | None:
        said = (self._latest if self._is_passed else None, self._asked, self._latest)
        found = (self._changed.read(utterance, each, is_open=True) for each in said if each)
        return next((each for each in found if each), None)

    def _repeat_whole(self, alone: Interpretation, utterance: str) -> Remark | None:
        """Return what "and costs.txt" means behind a request that said more than that: the same, with where it was; else None."""
        if alone.meta_goal is None or self._latest is None or not self._latest.is_done or self._open:
            return None
        changed = self._changed.read(utterance, self._latest, is_open=False)
        if changed is None or changed.changes != "another" or changed.interpretation.meta_goal is None:
            return None
        if self._interpreter.interpret(utterance).meta_goal:
            return None  # it needs nothing in front of it
        names = [goal.name for goal in changed.interpretation.meta_goal.goals]
        return self._remember(changed) if names == [goal.name for goal in alone.meta_goal.goals] else None

    def _remember(self, remark: Remark) -> Remark:
        """Return a remark, with what it leaves: a question, or a request that can be put right."""
        self._open, self._is_passed, self._is_missed = _find_question(remark.interpretation), False, False
        said = SaidRequest(remark.utterance, remark.interpretation, self._context)
        if self._open:
            self._asked = said
        elif remark.interpretation.meta_goal:
            self._latest = said
        return remark

    def _interpret(self, utterance: str) -> Interpretation:
        alone = self._interpreter.interpret(utterance, Situation.NOTHING, self._context)
        if alone.refusal is None or self._read is None:
            return alone
        return self._interpret_behind(self._read, utterance) or alone

    def _interpret_behind(self, read: "_EarlierReading", utterance: str) -> Interpretation | None:
        front = read.text + _DIVIDER
        whole = self._interpreter.interpret(front + utterance, Situation.NOTHING, self._context)
        if whole.meta_goal is None or not read.is_first(whole.clauses, whole.meta_goal):
            return None
        clauses = tuple(_shift(clause, len(front)) for clause in whole.clauses[1:])
        return replace(whole, meta_goal=replace(whole.meta_goal, source=utterance), clauses=clauses)


def _give_up(language: str, question: Refusal, utterance: str) -> Interpretation:
    answer = utterance.strip()
    message = load_controls(language).wording["given_up"].format(clause=question.clause, answer=answer)
    return Interpretation(refusal=Refusal("no_intent_match", message, clause=answer))


def _refuse_both(language: str, question: str, utterance: str) -> Interpretation:
    wording = load_controls(language).wording
    words = {"question": question, "answer": utterance.strip()}
    message, asked = wording["two_meanings"].format(**words), wording["ask_which"].format(**words)
    return Interpretation(refusal=Refusal("ambiguous", message, asked, clause=utterance.strip()))


def _find_question(interpretation: Interpretation) -> Refusal | None:
    """Return a refusal whose question an answer can complete, or None."""
    refusal = interpretation.refusal
    return refusal if refusal and refusal.is_answerable else None


def _means_same(one: Interpretation, other: Interpretation) -> bool:
    def list_goals(interpretation: Interpretation) -> list[str]:
        goals = interpretation.meta_goal.goals if interpretation.meta_goal else ()
        # Both come from the same words; only in names without a kind case may differ, where it counts for nothing.
        return [f"{goal.name} {dict(goal.params)} {goal.scope}".casefold() for goal in goals]

    return list_goals(one) == list_goals(other)


def _is_request(alone: Interpretation, answered: Remark) -> bool:
    if alone.meta_goal:
        return not _means_same(alone, answered.interpretation)
    if answered.interpretation.meta_goal and _is_bare(alone.refusal):
        return False
    return alone.refusal is not None and (alone.refusal.is_request or alone.refusal.code != "no_intent_match")


def _is_bare(refusal: Refusal | None) -> bool:
    """Whether one word alone is asked about, which is a name as well: "delete" is a key, and "search" a button."""
    return refusal is not None and refusal.code == "missing_slot" and len(refusal.clause.split()) == 1


def _find_read(interpretation: Interpretation, meta_goal: MetaGoal) -> _EarlierReading | None:
    """Return the step that read a text, if it is the last one, so that nothing was done behind it that changed the text."""
    given, goals, clauses = interpretation.behind.given, meta_goal.goals, interpretation.clauses
    if not given or given[-1].step != len(goals) - 1 or len(clauses) != len(goals) or _list_sources(goals[-1]):
        return None
    return _EarlierReading(clauses[-1].text, goals[-1])


def _shift(clause: Clause, offset: int) -> Clause:
    slots = tuple(slot.move(-offset) for slot in clause.slots)
    return replace(clause, start=clause.start - offset, end=clause.end - offset, slots=slots)


def _list_sources(goal: Goal) -> list[str]:
    return [reference.goal_id for reference in find_references(goal.params)]
