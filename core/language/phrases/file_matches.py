"""FileMatches: clauses about files that no phrase has, as matches; and what they have against one that a phrase has."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from core.language.file_clauses.lexicon import find_first_token
from core.language.files.located_paths import LocatedPath
from core.language.grammars.grammar import Grammar, Phrase, VerbPhrases
from core.language.grammars.word_classes import FileClauseWords
from core.language.meanings.contexts import START, Context, Mention
from core.language.phrases.entries import PhraseEntry
from core.language.phrases.matches import Match
from core.language.phrases.referents import Referent, ReferentReader
from core.language.phrases.shared_phrases import load_file_reader
from core.language.sentences.spans import Span, try_read
from core.language.talk.languages import load_file_clauses

if TYPE_CHECKING:
    from core.language.file_clauses.frames import FileGoal
    from core.language.file_clauses.reader import FileClauseReader
    from core.language.phrases.slot_readers import SlotReaders

_FILES = "file"
_SEEING = frozenset({"file.find", "file.list", "file.read", "file.info", "file.hash", "file.wait"})
_NEAR = 0.4
# The classes whose words such a clause begins with: without one, what reads clauses isn't even loaded.
_FRONT = ("in", "from", "to", "excepting")
_HOW = ("report", "ends", "starts", "calling")
_FOLDER_KIND, _LIST_KIND = "named_folder", "file_list"


class FileMatches:
    """Makes matches of clauses about files."""

    def __init__(self, grammar: Grammar, get_readers: Callable[[], "SlotReaders"], referents: ReferentReader) -> None:
        self._grammar = grammar
        self._get_readers, self._referents = get_readers, referents

    @cached_property
    def _clauses(self) -> "FileClauseReader | None":
        return load_file_reader(self._grammar)

    @cached_property
    def _words(self) -> FileClauseWords | None:
        return load_file_clauses(self._grammar.language)

    @cached_property
    def _known(self) -> tuple[Mapping[str, str], frozenset[str]]:
        readers = self._get_readers()
        return readers.shapes, readers.kinds

    def weigh(self, found: Match | None, span: Span, context: Context) -> Match | None:
        """Return what a phrase has found, unless the clause as a whole says more, or something else."""
        if found and not _may_doubt(found):
            return found
        match = self.match(span, context)
        if match is None or (context.is_inside and match.has_bare_path):
            return found
        if found is None or found.entry.phrase.refuses or found.is_ambiguous:
            return match
        is_other = {step.name for step in found.steps} != {step.name for step in match.steps}
        return replace(found, is_ambiguous=True) if is_other else found

    def match(self, span: Span, context: Context) -> Match | None:
        """Return what a clause comes to, or None if that isn't clear or it isn't about files."""
        if self._clauses is None:
            return None
        best: Match | None = None
        worst = float("inf")
        for cost, goal in self._clauses.list_goals(span, context, self._get_readers()):
            if cost > worst:
                break
            match = self._make_match(span, goal, context)
            if match is None:
                continue
            if best is not None and _tell(best) != _tell(match):
                return None
            best, worst = best or match, min(worst, cost + _NEAR)
        return best

    def find_mention(self, span: Span) -> Mention | None:
        """Return the file or folder that words name, as later words may mean it; None where they name none."""
        for kind, slot in (("file", "quoted_file"), ("folder", "folder")):
            found = try_read(self._get_readers().read, slot, span, START)
            if isinstance(found, LocatedPath) and found.is_one and not found.is_glob:
                return Mention(kind, found.full)
        return None

    def is_file(self, words: str) -> bool:
        """Whether words are the path of a file by its ending."""
        return self._get_readers().files.is_file(words)

    @cached_property
    def _front(self) -> frozenset[str]:
        return self._words.list_beginnings(_FRONT) if self._words else frozenset()

    @cached_property
    def _how(self) -> frozenset[str]:
        return self._words.list_beginnings(_HOW) if self._words else frozenset()

    def is_in_front(self, span: Span) -> bool:
        """Whether a span is only a place, or how something is done, in front of what is done: "from Documents, …", "in any case, …"."""
        clauses = self._clauses if _begins(span, self._front) else None
        return clauses is not None and clauses.is_in_front(span, self._get_readers())

    def is_manner(self, span: Span) -> bool:
        """Whether a span only says how files are changed, so that no step begins with it: "print a message for each"."""
        clauses = self._clauses if _begins(span, self._how) else None
        return clauses is not None and clauses.is_manner(span, self._get_readers())

    def _make_match(self, span: Span, goal: "FileGoal", context: Context) -> Match | None:
        referent: Referent | None = None
        if goal.said is not None:
            found = self._find_referent(goal, context)
            if found is None:
                return None
            goal, referent = found
        domain, _, verb = goal.verb.partition(".")
        named = {slot.name for slot in goal.slots}
        template = " ".join([verb, *(f"{{{name}:{kind}}}" for name, kind in goal.kinds.items() if name in named)])
        phrase = Phrase(template, {}, sets=goal.sets, steps=goal.steps)
        if goal.untold and self._words:
            phrase = phrase._replace(refuses="not_supported_here", asks=self._words.untold[goal.untold])
        entry = PhraseEntry(VerbPhrases(domain, verb, (phrase,)), phrase, template, {}, *self._known)
        return Match(entry, span, goal.slots, referents=(referent,) if referent else ())

    def _find_referent(self, goal: "FileGoal", context: Context) -> "tuple[FileGoal, Referent] | None":
        assert goal.said is not None, "only a goal with such words is asked"
        name, type_name, span = goal.said
        kind = goal.kinds[name]
        kinds = {kind: "file"} if kind == _LIST_KIND else {kind: "file", _FOLDER_KIND: "folder"}
        found = [
            (referent, each, noun)
            for each, noun in kinds.items()
            if (referent := self._referents.read(goal.verb, name, each, span, context))
        ]
        if not found or (kind == _LIST_KIND and type_name):
            return None
        referent, kind, noun = max(found, key=lambda each: each[0].mention.order)
        sets = {**goal.sets, **({type_name: noun} if type_name else {})}
        return goal._replace(slots=(referent.slot, *goal.slots), kinds={**goal.kinds, name: kind}, sets=sets), referent


def _begins(span: Span, words: frozenset[str]) -> bool:
    token = find_first_token(span)
    return token is not None and token.text in words


def _may_doubt(match: Match) -> bool:
    """Whether a phrase is one about files of which a second opinion is needed: not where it only looks at some."""
    if match.entry.verb.domain != _FILES:
        return False
    return not match.is_goal or any(step.name not in _SEEING for step in match.steps)


def _tell(match: Match) -> object:
    return [(step.name, dict(step.params), step.base) for step in match.steps]
