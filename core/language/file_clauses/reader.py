"""FileClauseReader: what a clause about files comes to, in whatever order it is said."""

from collections.abc import Iterator

from core.language.file_clauses.changing import CHANGING, create
from core.language.file_clauses.frames import FileFrame, FileGoal
from core.language.file_clauses.lexicon import ACT, FileLexicon, FileToken
from core.language.file_clauses.looking import LOOKING
from core.language.file_clauses.pieces import FileClause, FilePiece, Ways, is_manner, list_covers
from core.language.file_clauses.slots import FileSlotReader, SlotReading
from core.language.grammars.grammar import Vocabulary
from core.language.grammars.word_classes import FileClauseWords
from core.language.meanings.contexts import START, Context
from core.language.sentences.spans import Span

_ACTS = {**CHANGING, **LOOKING}
_WISHES = ("wish", "wish_for", "should", "needs", "can")
_MOST_TOKENS = 40
_MOST_COVERS = 40
_HINTS = frozenset(
    {"file", "files", "folder", "folders", "entries", "kinds", "sorts", "sort", "everything", "contents_of", "ending"}
)
_WANTED = frozenset({ACT, "wish_for", "new"})
_SOME = frozenset({"all", "files", "sorts"})
_REFERRING = frozenset({"it", "them"})
_MOST_UNKNOWN = 6
_IN_FRONT = frozenset({"place", "from", "into", "except"})
_MOST_IN_FRONT = 10
_MORE, _TELLING = frozenset({"ends", "starts", "calling"}), frozenset({"end", "start", "named"})
_TOLD = {"age": ("newer", "older"), "text": ("content",)}
_SEARCHES = frozenset({LOOKING["find"], LOOKING["search"], LOOKING["show"]})
_TAKING_AWAY = frozenset({"delete", "purge", "trash"})
_SAYING, _HOW = frozenset({"report", "manner"}), frozenset({"quiet", "leave"})


class FileClauseReader:
    """Reads clauses about files, whatever their order."""

    def __init__(self, words: FileClauseWords, vocabulary: Vocabulary) -> None:
        self._lexicon = FileLexicon(words, vocabulary.file_endings, vocabulary.files.no_name, vocabulary.bare_files)
        known = (*vocabulary.files.anchors, *vocabulary.files.bare_anchors, *vocabulary.files.searching.places)
        self._spots = frozenset(word for name in known for word in name.split()) - set(vocabulary.articles)
        self._ways = Ways(words.pieces)
        self._hints, self._wanted, self._some, self._referring = map(
            self._lexicon.list_beginnings, (_HINTS, _WANTED, _SOME, _REFERRING)
        )

    def list_goals(self, span: Span, context: Context, readers: SlotReading) -> Iterator[tuple[float, FileGoal]]:
        """Yield what a clause can come to, and how badly that explains it, the best first; nothing for other clauses."""
        clause = self._divide(span, context, readers)
        if not (self._may_tell(clause.tokens, context) and _may_be(clause, context)):
            return
        is_read, refused = False, None
        for cover, _ in zip(list_covers(clause), range(_MOST_COVERS), strict=False):
            frame = FileFrame(clause, cover)
            untold = _find_untold(frame)
            refused = refused or untold
            goal = None if untold else _read_frame(frame)
            if goal is not None:
                is_read = True
                yield cover.cost, _add_front(FileFrame(clause, cover), goal)

        if refused is not None and not is_read:
            yield 0, refused

    def is_in_front(self, span: Span, readers: SlotReading) -> bool:
        """Whether a span that begins like that is only a place, or how something is done, in front of what is done."""
        clause = self._divide(span, START, readers)
        end = len(clause.tokens)
        if not 1 < end <= _MOST_IN_FRONT:
            return False
        reached = {0}
        for position in range(end):
            if position in reached:
                pieces = clause.list_pieces(position)
                reached.update(piece.end for piece in pieces if piece.role in _IN_FRONT or is_manner(piece))
        return end in reached

    def is_manner(self, span: Span, readers: SlotReading) -> bool:
        """Whether a span that begins like that only says how files are changed, so that no step begins with it."""
        clause = self._divide(span, START, readers)
        is_said = any(piece.role in _HOW and piece.end == len(clause.tokens) for piece in _list_first(clause, _SAYING))
        # Or it goes on with the things in front: "end with .bak", "call it Mugs".
        return is_said or any(piece.role in _TELLING for piece in _list_first(clause, _MORE))

    def _may_tell(self, tokens: list[FileToken], context: Context) -> bool:
        texts = {token.text for token in tokens}
        if not tokens or (self._wanted.isdisjoint(texts) and tokens[0].text not in self._some):
            return False
        if not self._hints.isdisjoint(texts) or any(token.is_written for token in tokens):
            return True
        is_spoken_of = bool(context.mentions) and not self._referring.isdisjoint(texts)
        return is_spoken_of or any(map(self._lexicon.is_ending, texts))

    def _divide(self, span: Span, context: Context, readers: SlotReading) -> FileClause:
        return FileClause(span, self._lexicon, self._ways, FileSlotReader(readers, self._spots, context))


def _list_first(clause: FileClause, kinds: frozenset[str]) -> list[FilePiece]:
    is_told = 1 < len(clause.tokens) <= _MOST_IN_FRONT and any(sense.kind in kinds for sense in clause.senses[0])
    return clause.list_pieces(0) if is_told else []


def _may_be(clause: FileClause, context: Context) -> bool:
    """Whether there is something in a clause that is done and something that may be a file; anything else is no clause of ours."""
    if not 1 < len(clause.tokens) <= _MOST_TOKENS:
        return False
    kinds = {sense.kind for senses in clause.senses for sense in senses}
    is_told = any(token.is_written for token in clause.tokens) or not kinds.isdisjoint(_HINTS)
    is_told = is_told or (bool(context.mentions) and not kinds.isdisjoint(_REFERRING))
    is_wanted = not kinds.isdisjoint(_WANTED) or any(sense.kind in _SOME for sense in clause.senses[0])
    return is_told and is_wanted and _count_unknown(clause) <= _MOST_UNKNOWN


def _count_unknown(clause: FileClause) -> int:
    ends, unknown = 0, 0
    for position, (token, senses) in enumerate(zip(clause.tokens, clause.senses, strict=True)):
        ends = max([ends, *(position + sense.size for sense in senses)])
        unknown += position >= ends and token.literal is None and not token.is_written and token.text != ","
    return unknown


def _read_frame(frame: FileFrame) -> FileGoal | None:
    """Return what a frame comes to, if its form says that it is wanted."""
    wishes = [role for role in _WISHES if role in frame.roles]
    is_question = _is_asked(frame.clause.span)
    if (
        len(wishes) > 1
        or (wishes and wishes != ["can"] and is_question)
        or ("can" in wishes) != ("be_done" in frame.roles)
    ):
        return None
    if not frame.act:
        thing = frame.thing
        is_new = thing is not None and thing.is_new and thing.start == 0 and not wishes and not is_question
        is_wanted = is_new or (wishes == ["wish_for"] and thing is not None and (thing.is_one or thing.is_new))
        if is_wanted:
            return create(frame)
        return None if wishes or is_question or frame.place_read is None else LOOKING["find"](frame)
    if "can" in wishes and frame.act in _TAKING_AWAY:
        return None  # whether it may be deleted, rather than that it shall be
    expected = {"": "plain", "needs": "gerund", "wish": "done", "should": "done", "can": "done"}
    if frame.form == "wanted" and is_question:
        return None
    if frame.form != expected.get(wishes[0] if wishes else "", "") and (wishes or frame.form != "wanted"):
        return None
    return _ACTS[frame.act](frame)


def _find_untold(frame: FileFrame) -> FileGoal | None:
    if not frame.act or frame.thing is None or any(role in frame.roles for role in _WISHES):
        return None
    if "size" in frame.roles or frame.has_class("thing", "sized"):
        return _refuse(frame, "size")
    if frame.has_class("thing", "aged"):
        return _refuse(frame, "order")
    is_searched = _ACTS[frame.act] in _SEARCHES
    told = next((name for name, roles in _TOLD.items() if not frame.roles.keys().isdisjoint(roles)), "")
    if not told or is_searched or _read_frame(frame.without(*_TOLD[told])) is None:
        return None
    return _refuse(frame, told)


def _refuse(frame: FileFrame, untold: str) -> FileGoal:
    return FileGoal(f"file.{frame.act}", (), {}, untold=untold)


def _add_front(frame: FileFrame, goal: FileGoal) -> FileGoal:
    act, place = frame.roles.get(ACT), frame.find_read("place")
    if act is None or place is None or place.start > act.start:
        return goal
    return goal._replace(slots=(*goal.slots, frame.make_slot("_below", place.value, place)))


def _is_asked(span: Span) -> bool:
    return span.sentence.mask[span.end :].lstrip().startswith("?")
