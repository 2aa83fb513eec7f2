"""Dialogue: what one person says, one utterance after another, with what was asked and spoken of before.

The question of a refusal stays open. What is said next answers it if that makes one whole of the sentence, is a new request
if it is one, and ends it if it says so ("never mind"). Nothing is guessed: what could be both an answer and a request is
asked about.

What was carried out leaves the folder, the page and the text that "there" and "it" mean in the next utterance.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.goals.meta_goals import Goal, MetaGoal
from core.goals.references import find_references
from core.language.contexts import START, Context, Created
from core.language.interpretation import (
    Choice,
    Clause,
    Completion,
    GoalInterpreter,
    Interpretation,
    Refusal,
    Situation,
    SpokenControl,
)
from core.language.languages import load_controls
from core.language.literals import LongSentenceError, UnclosedQuoteError, find_literals
from core.language.templates import SEVERAL

_QUOTES = (("“", "”"), ("«", "»"), ("„", "”"), ('"', '"'), ("'", "'"))
_END = re.compile(r"[\s.!?…]+$")
_DIVIDER = "; "
_FILES = "file"


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody said, as it was understood in the dialogue.

    Attributes:
        interpretation: The goals, the refusal or the control.
        utterance: The whole sentence that this is the interpretation of: with an answer, the one that it completes.
        is_answer: Whether it answered the question that was open.
    """

    interpretation: Interpretation
    utterance: str
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class _EarlierReading:
    """The step that read a text which "it" may mean.

    Attributes:
        text: Its words.
        goal: What it did.
    """

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
        """Begin without a question and without anything that was spoken of.

        Args:
            interpreter: Understands single utterances.
        """
        self._interpreter = interpreter
        self._open: Refusal | None = None
        self._context = START
        self._read: _EarlierReading | None = None

    @property
    def question(self) -> Refusal | None:
        """The refusal whose question is open, or None."""
        return self._open

    def forget(self) -> None:
        """Forget the open question and all that was spoken of."""
        self._open, self._read, self._context = None, None, START

    def hear(self, utterance: str, situation: Situation = Situation.NOTHING) -> Remark:
        """Understand what is said next.

        Args:
            utterance: What somebody said.
            situation: What else is open, beside the question of the dialogue itself.
        """
        if control := self.hear_control(utterance, situation):
            return Remark(Interpretation(control=control), utterance)
        alone = self._interpret(utterance)
        answered = self._answer(utterance) if self._open else None
        if answered is None:
            return self._take_alone(alone, utterance)
        # Words of one of the things to choose from mean that thing.
        if not (self._open and self._open.choices) and _is_request(alone, answered):
            return Remark(self._refuse_both(utterance), utterance)
        self._open = _find_question(answered.interpretation)
        return answered

    def hear_control(self, utterance: str, situation: Situation = Situation.NOTHING) -> SpokenControl | None:
        """Understand what is said to the open question or to what goes on; None if it says something else.

        Args:
            utterance: What somebody said.
            situation: What else is open, beside the question of the dialogue itself.
        """
        here = situation | Situation.QUESTION if self._open else situation
        control = self._interpreter.read_control(utterance, here)
        if control and self._agrees(control):
            return None  # a yes to the one thing that was asked about is an answer
        if control and {"stop", "deny"} & {control.kind, *control.kinds}:
            self._open = None
        return control

    def _agrees(self, control: SpokenControl) -> bool:
        is_one = self._open is not None and len(self._open.choices) == 1
        return is_one and control.is_plain and control.kind == "confirm"

    def settle(self, interpretation: Interpretation, *, is_done: bool = True) -> None:
        """Note what was spoken of, so that later utterances may speak of it.

        Args:
            interpretation: The goals; what was refused leaves nothing.
            is_done: Whether they were carried out. Otherwise they only leave what they spoke of, and what is destroyed by
                such words is asked about first.
        """
        meta_goal, behind = interpretation.meta_goal, interpretation.behind
        if meta_goal is None:
            return
        if not is_done:
            mentions = behind.grow_older().grow_older().mentions
            self._context = replace(self._context, mentions=mentions)
            return
        self._read = _find_read(interpretation, meta_goal)
        folders = tuple(replace_created(each) for each in behind.folders)
        is_inside = self._is_inside(meta_goal, behind)
        older = behind.grow_older()
        self._context = replace(older, step=0, given=(), folders=folders, is_inside=is_inside)

    def _is_inside(self, meta_goal: MetaGoal, behind: Context) -> bool:
        """Whether a folder is open, so that it isn't clear where a bare name is: until a file is spoken of with its place."""
        if not behind.is_inside or not self._context.is_inside:
            return behind.is_inside
        if all(goal.domain != _FILES for goal in meta_goal.goals):
            return True
        outside = replace(self._context, is_inside=False)
        return self._interpreter.interpret(meta_goal.source, Situation.NOTHING, outside).behind.is_inside

    def _take_alone(self, alone: Interpretation, utterance: str) -> Remark:
        """Return an utterance that answers nothing; one that isn't understood leaves the question open."""
        asked = _find_question(alone)
        if alone.meta_goal or asked:
            self._open = asked
        elif self._open and alone.refusal:
            refusal = replace(alone.refusal, question=self._open.question, slot=self._open.slot)
            return Remark(replace(alone, refusal=refusal), utterance)
        if alone.meta_goal is None and not asked:
            self._context = self._context.grow_older()  # who knows what that was about
        return Remark(alone, utterance)

    def _interpret(self, utterance: str) -> Interpretation:
        """Return what an utterance means behind what was carried out before."""
        alone = self._interpreter.interpret(utterance, Situation.NOTHING, self._context)
        if alone.refusal is None or self._read is None:
            return alone
        return self._interpret_behind(self._read, utterance) or alone

    def _interpret_behind(self, read: "_EarlierReading", utterance: str) -> Interpretation | None:
        """Return the meaning of an utterance about the text that was read last; it is read again, as it is now."""
        front = read.text + _DIVIDER
        whole = self._interpreter.interpret(front + utterance, Situation.NOTHING, self._context)
        if whole.meta_goal is None or not read.is_first(whole.clauses, whole.meta_goal):
            return None
        clauses = tuple(_shift(clause, len(front)) for clause in whole.clauses[1:])
        return replace(whole, meta_goal=replace(whole.meta_goal, source=utterance), clauses=clauses)

    def _refuse_both(self, utterance: str) -> Interpretation:
        wording = load_controls(self._interpreter.language).wording
        words = {"question": self._open.question if self._open else "", "answer": utterance.strip()}
        message, question = wording["two_meanings"].format(**words), wording["ask_which"].format(**words)
        return Interpretation(refusal=Refusal("ambiguous", message, question, clause=utterance.strip()))

    def _answer(self, utterance: str) -> Remark | None:
        """Return what an utterance makes of the sentence whose question is open; None if it doesn't answer it."""
        refusal = self._open
        if refusal is None or not utterance.strip():
            return None
        if refusal.choices:
            return self._choose(utterance, refusal.choices)
        ways = (self._complete(utterance, completion) for completion in refusal.completions)
        return next((way for way in ways if way), None)

    def _choose(self, utterance: str, choices: tuple[Choice, ...]) -> Remark | None:
        controls = load_controls(self._interpreter.language)
        control = self._interpreter.read_control(utterance, Situation.QUESTION)
        if control and self._agrees(control):
            return Remark(self._interpret(choices[0].utterance), choices[0].utterance, is_answer=True)
        if re.fullmatch(controls.pointing, utterance.strip().rstrip(".!?").lower()):
            return None
        number = choose(utterance, [choice.name for choice in choices], controls.numbers, controls.small_words)
        if number is None:
            return None
        chosen = choices[number].utterance
        return Remark(self._interpret(chosen), chosen, is_answer=True)

    def _overruns(self, front: str, clauses: tuple[Clause, ...]) -> bool:
        """Whether what was said took in words that were put behind it: "type hello into", then "in the kitchen"."""
        said = self._open.clause if self._open else ""
        end = front.rfind(said) + len(said) if said in front else len(front)
        return any(each.start < end < each.end <= len(front) for clause in clauses for each in clause.slots)

    def _evades(self, utterance: str) -> bool:
        """Whether words ask back, put off or speak of something rather than naming it: "why", "later", "the other one"."""
        evasions = load_controls(self._interpreter.language).evasions
        said = utterance.strip().rstrip(".!")
        return said.endswith("?") or re.fullmatch(evasions, said) is not None

    def _complete(self, utterance: str, completion: Completion) -> Remark | None:
        """Return the sentence with an answer in its gap, if that is understood as one whole."""
        answer = _quote(utterance.strip()) if completion.is_quoted else _END.sub("", utterance.strip())
        if not answer or (not completion.is_quoted and self._evades(utterance)):
            return None
        whole = completion.before + answer + completion.after
        interpretation = self._interpret(whole)
        begin = len(completion.before)
        if interpretation.meta_goal is None:
            is_step = _asks_for_another(interpretation.refusal, completion.slot, answer)
            return Remark(interpretation, whole, is_answer=True) if is_step else None
        if not _fits(interpretation.clauses, completion.slot, begin, len(answer)) or self._overruns(
            completion.before, interpretation.clauses
        ):
            return None
        return Remark(interpretation, whole, is_answer=True)


def choose(
    answer: str, names: list[str], numbers: Mapping[str, int], small_words: frozenset[str] = frozenset()
) -> int | None:
    """Return which of several things an answer names, counted from 0; None unless it is exactly one.

    Args:
        answer: A number or ordinal ("the second one"), a whole name, or words of one that no other has.
        names: What they are called.
        numbers: Words for numbers and ordinals; -1 is the last.
        small_words: Words that say nothing ("the", "one", "please").
    """
    said = _split(answer)
    words = [word for word in said if word not in small_words]
    own = [frozenset(_split(name)) for name in names]
    exact = [index for index, name in enumerate(names) if _split(name) == said]
    found = exact or [index for index, name in enumerate(own) if words and name.issuperset(words)]
    if len(found) == 1:
        return found[0]
    counted = [word for word in (words or said) if word in numbers or word.isdecimal()]
    if len(counted) != 1 or (words and words != counted):
        return None
    number = int(counted[0]) if counted[0].isdecimal() else numbers[counted[0]]
    place = len(names) - 1 if number == -1 else number - 1
    return place if 0 <= place < len(names) else None


def _split(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def replace_created(folder: Created) -> Created:
    """Return a folder as later utterances know it: by its whole path."""
    return Created(folder.full, folder.full, is_past=True)


def _find_question(interpretation: Interpretation) -> Refusal | None:
    """Return a refusal whose question an answer can complete, or None."""
    refusal = interpretation.refusal
    return refusal if refusal and (refusal.completions or refusal.choices) else None


def _means_same(one: Interpretation, other: Interpretation) -> bool:
    def list_goals(interpretation: Interpretation) -> list[str]:
        goals = interpretation.meta_goal.goals if interpretation.meta_goal else ()
        # Both come from the same words; only in names without a kind case may differ, where it counts for nothing.
        return [f"{goal.name} {dict(goal.params)} {goal.scope}".casefold() for goal in goals]

    return list_goals(one) == list_goals(other)


def _is_request(alone: Interpretation, answered: Remark) -> bool:
    """Whether what answers the question is a request as well, and another one than the answer makes."""
    if alone.meta_goal:
        return not _means_same(alone, answered.interpretation)
    return alone.refusal is not None and (alone.refusal.is_request or alone.refusal.code != "no_intent_match")


def _asks_for_another(refusal: Refusal | None, slot: str, answer: str) -> bool:
    """Whether a sentence with an answer in it lacks something else now, so that the next question can be asked."""
    if refusal is None or not refusal.completions:
        return False
    return refusal.slot not in {"", slot} and answer in refusal.clause


def _quote(text: str) -> str:
    """Return a text in quotes that it doesn't hold itself; as it is where it is one quoted text already, empty if none fits."""
    try:
        sentence = find_literals(text, len(text) + 1)
    except (UnclosedQuoteError, LongSentenceError):
        sentence = None
    literal = sentence.find_whole(0, len(text)) if sentence else None
    if literal and literal.kind in {"quote", "code"}:
        return text
    fitting = (f"{left}{text}{right}" for left, right in _QUOTES if left not in text and right not in text)
    return next(fitting, "")


def _fits(clauses: tuple[Clause, ...], slot: str, begin: int, length: int) -> bool:
    """Whether an answer is one piece of one step: no step begins in it, and it fills the slot that was missing, and no other."""
    end = begin + length
    if begin and any(begin <= clause.start < end for clause in clauses):
        return False
    around = [clause for clause in clauses if clause.start < end and clause.end > begin]
    if len({(clause.start, clause.end) for clause in around}) != 1:
        return False
    filled = {each.name.removesuffix("_after") for each in around[0].slots if each.start < end and each.end > begin}
    if not filled:
        return not slot
    return len(filled) == 1 and bool(filled & {slot or next(iter(filled)), SEVERAL})


def _find_read(interpretation: Interpretation, meta_goal: MetaGoal) -> _EarlierReading | None:
    """Return the step that read a text, if it is the last one, so that nothing was done behind it that changed the text."""
    given, goals, clauses = interpretation.behind.given, meta_goal.goals, interpretation.clauses
    if not given or given[-1].step != len(goals) - 1 or len(clauses) != len(goals) or _list_sources(goals[-1]):
        return None
    return _EarlierReading(clauses[-1].text, goals[-1])


def _shift(clause: Clause, offset: int) -> Clause:
    slots = tuple(replace(slot, start=slot.start - offset, end=slot.end - offset) for slot in clause.slots)
    return replace(clause, start=clause.start - offset, end=clause.end - offset, slots=slots)


def _list_sources(goal: Goal) -> list[str]:
    return [reference.goal_id for reference in find_references(goal.params)]
