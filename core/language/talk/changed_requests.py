"""Changed requests: what an utterance makes of an earlier request that it puts right or repeats with something else."""

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import islice

from core.language.meanings.contexts import Context
from core.language.meanings.interpretation import Choice, GoalInterpreter, Interpretation, Refusal, Situation, SlotValue
from core.language.talk.answers import Remark
from core.language.talk.changes import (
    Change,
    ChangeReader,
    NameWords,
    SaidPart,
    SaidRequest,
    Way,
    add_at_end,
    choose_ways,
    is_alike,
    is_vague,
    list_ways,
)
from core.language.talk.languages import load_language
from core.language.talk.small_talk import load_talk

_MOST_SLOTS = 8
"""Slots that are tried for one utterance; each takes a few sentences."""


class ChangedRequests:
    """Says earlier requests anew."""

    def __init__(self, interpreter: GoalInterpreter, interpret: Callable[[str], Interpretation]) -> None:
        """Take what understands sentences; ``interpret`` does so behind all that was said before."""
        self._interpreter = interpreter
        self._interpret = interpret
        self._talk = load_talk(interpreter.language)
        self._reader = _load_changes(interpreter.language)

    def read(self, utterance: str, said: SaidRequest, *, is_open: bool) -> Remark | None:
        """Return what an utterance makes of an earlier request; None if it asks for no change, or for none that can be understood.

        Args:
            is_open: Whether its question is open, so that it can be put right and not repeated.
        """
        for change in self._reader.read(utterance):
            if is_open and change.kind not in {"instead", "only"}:
                continue
            if remark := self._change(change, said):
                return remark
        return None

    def _change(self, change: Change, said: SaidRequest) -> Remark | None:
        if change.kind == "again":
            interpretation = self._interpreter.interpret(said.utterance, Situation.NOTHING, said.context)
            return Remark(interpretation, said.utterance, changes="again") if interpretation.meta_goal else None
        is_request = self._reads_as_request(change.new)
        for part in said.list_parts(change.kind):
            ways = [each for each in self._list_understood(change, part, said) if not (is_request and each[0].bare)]
            if is_request and ways:
                return self._ask([way.utterance for way, _, _ in ways] + [change.new], change)
            if ways:
                return self._settle_on(ways, change)
            if added := None if is_request else self._add(change, part, said):
                return added
        alone = self._interpret(change.new) if change.kind == "instead" else None
        if alone is None or not (alone.meta_goal or (alone.refusal and alone.refusal.is_answerable)):
            return None
        return Remark(alone, change.new, changes="instead")

    def _reads_as_request(self, new: str) -> bool:
        alone = self._interpreter.interpret(new)
        named = (slot for clause in alone.clauses for slot in clause.slots)
        if any(slot.start == 0 and slot.end == len(new) for slot in named):
            return False  # a name by which alone something is opened
        return alone.refusal is None or alone.refusal.is_request or alone.refusal.code == "missing_slot"

    def _add(self, change: Change, part: SaidPart, said: SaidRequest) -> Remark | None:
        """Return a request with what is new behind it, where that fills one slot more and leaves the others as they were."""
        whole = add_at_end(part, change.new)
        interpretation = self._interpret_behind(whole, said)
        slots = [slot for clause in interpretation.clauses for slot in clause.slots]
        added = [slot for slot in slots if slot not in part.slots]
        names = tuple(clause.name for clause in interpretation.clauses)
        is_more = interpretation.meta_goal and names == part.names and len(added) == 1 and len(slots) > len(part.slots)
        if not is_more or added[0].end != len(whole) or added[0].name.removesuffix("_after") in self._talk.free:
            return None
        return Remark(interpretation, whole, changes=change.kind)

    def _list_understood(
        self, change: Change, part: SaidPart, said: SaidRequest
    ) -> list[tuple[Way, SlotValue, Interpretation]]:
        """Return the ways to say a part anew that are understood as the same request, one for each slot."""
        found: dict[str, tuple[Way, SlotValue, Interpretation]] = {}
        for ways in islice(list_ways(part, change, self._words), _MOST_SLOTS):
            for way in ways:
                if (way.utterance == part.text and change.kind == "instead") or not (
                    (change.is_sure and not way.bare) or is_alike(way)
                ):
                    continue
                interpretation = self._interpret_behind(way.utterance, said)
                if slot := self._find_new(way, interpretation):
                    found[way.utterance] = (way, slot, interpretation)
                    break
        return list(found.values())

    @cached_property
    def _words(self) -> NameWords:
        words = load_language(self._interpreter.language).vocabulary
        return NameWords(words.articles, tuple(words.referring.names.values()))

    def _find_new(self, way: Way, interpretation: Interpretation) -> SlotValue | None:
        """Return the slot with what is new, if a sentence is the same request otherwise, or lacks what it lacked before."""
        refusal, clauses = interpretation.refusal, interpretation.clauses
        if refusal:
            is_asked = not way.names and refusal.is_answerable
            return way.find_slot(refusal.slots, self._words.articles) if is_asked else None
        names = tuple(clause.name for clause in clauses)
        if way.names and names != way.names:
            return None
        return way.find_slot((slot for clause in clauses for slot in clause.slots), self._words.articles)

    def _interpret_behind(self, utterance: str, said: SaidRequest) -> Interpretation:
        context: Context = said.context
        if said.is_done:
            return self._interpret(utterance)
        return self._interpreter.interpret(utterance, Situation.NOTHING, context)

    def _settle_on(self, ways: list[tuple[Way, SlotValue, Interpretation]], change: Change) -> Remark:
        """Return the likeliest of several ways, or a question where that isn't clear."""
        likely = choose_ways([(way, slot) for way, slot, _ in ways])
        if len(likely) == 1 and not is_vague(likely[0], change, self._talk.free):
            meant = next(found for way, _, found in ways if way is likely[0])
            return Remark(meant, likely[0].utterance, changes=change.kind)
        return self._ask([way.utterance for way in likely], change)

    def _ask(self, names: Sequence[str], change: Change) -> Remark:
        replies = self._talk.replies
        message = replies["which_change"].format(clause=change.new)
        asks = replies["ask_whether" if len(names) == 1 else "ask_change"]
        choices = tuple(Choice(name, name) for name in dict.fromkeys(names))
        question = asks.format(things=self._talk.quote(tuple(names)))
        refusal = Refusal("ambiguous", message, question, clause=change.new, choices=choices)
        return Remark(Interpretation(refusal=refusal), change.new, changes=change.kind)


@cache
def _load_changes(language: str) -> ChangeReader:
    return ChangeReader(load_talk(language))
