"""What files and folders have in common: words around a name, and names that are written as paths."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from core.language.files.located_paths import cut_name, get_ending
from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError

if TYPE_CHECKING:
    from core.language.grammars.grammar import Vocabulary
    from core.language.values.names import NameReader

_MOST_WORDS = 3
_MOST_PLACES = 4


class WrittenPath(NamedTuple):
    """A path or name as it is written."""

    value: str
    is_quoted: bool


class PathWords:
    """The words of one language around files and folders.

    Attributes:
        joints: The words for "and".
        file_first: What is called a file.
        folder_noun: What is called a folder.
        named_behind: A folder, and the name behind it.
        stand_in: What means the folder that was created last.
        here: What means the working folder.
    """

    def __init__(self, vocabulary: "Vocabulary", names: "NameReader") -> None:
        self._kinds = vocabulary.file_endings
        self._endings = vocabulary.unhosted_endings | vocabulary.shared_endings
        self._bare = vocabulary.bare_files
        self.words = vocabulary.files
        self._names = names
        self.joints = names.joints
        words, naming = vocabulary.files, vocabulary.files.naming
        file, folder, placing = map(match_any_of, (words.file, words.folder, words.placing))
        self._owner = compile_pattern(rf"(?:{words.owner})\s+(?P<rest>.+)")
        self._vague_owner = compile_pattern(rf"(?:{words.vague_owner})\s+(?P<rest>.+)")
        self._placing = compile_pattern(rf"(?:^|\s+)(?:{placing})\s+")
        self._named = compile_pattern(rf"(?:as|{naming})\s+(?P<name>.+)")
        self._there = compile_pattern(rf"(?P<rest>.+?)(?:{words.there})")
        self.file_first = compile_pattern(
            rf"(?:{match_any_of((*words.file, *words.files))})\s+(?:(?:{naming})\s+)?(?P<name>.+)"
            rf"|(?P<before>.+?)\s+(?:{file})"
        )
        self.folder_noun = compile_pattern(
            rf"(?:{folder})\s+(?:(?:{naming})\s+)?(?P<name>.+)|(?P<before>.+?)\s+(?:{folder})(?:\s+tree)?"
        )
        self.named_behind = compile_pattern(
            rf"(?:(?:{placing})\s+)?(?P<place>.+?)\s+(?:(?P<as>as)|{naming})\s+(?P<name>\S.*)"
        )
        self.drive, self.stand_in, self.here = map(compile_pattern, (words.drive, words.stand_in, words.here))

    def read_literal(self, span: Span) -> WrittenPath | None:
        """Return what is written as a path or in quotes; a dotted word only with the ending of a file."""
        literal = span.literal
        if literal is None or literal.kind in {"url", "email"}:
            return None
        if not literal.value.strip() or (literal.kind == "dotted" and not self.has_ending(literal.value)):
            raise UnreadableError
        is_quoted = literal.kind in {"quote", "code"}
        return WrittenPath(literal.value if is_quoted else self._write_home(literal.value), is_quoted)

    def read_plain_name(self, span: Span) -> str:
        """Return a literal or a few words that can be a name."""
        match = self._named.fullmatch(span.mask)
        inner = span.cut_group(match, "name") if match else span
        if literal := self.read_literal(inner):
            return literal.value
        words = inner.words
        is_odd = "," in words or "'s " in f"{words} " or inner.has_literals
        if is_odd or words.count(" ") >= _MOST_WORDS or self.words.no_name.intersection(words.split()):
            raise UnreadableError
        return self._names.read_name(inner)

    def find_anchor(self, span: Span) -> str | None:
        """Return the known folder that words mean, such as ``documents:/``."""
        words = span.words
        if words in self.words.bare_anchors:
            return self.words.anchors[words]
        noun = self.folder_noun.fullmatch(words)
        return self.words.anchors.get(noun["before"] or "") if noun else None

    def split_places(self, span: Span) -> Iterator[tuple[Span, Span]]:
        """Yield what stands in front of and behind each word such as "in"; nobody says many of them."""
        if there := self._there.fullmatch(span.mask):
            yield span.cut_group(there, "rest"), span.cut_group(there, "place")
        places = [match for match in self._placing.finditer(span.mask) if match.start()]
        if len(places) <= _MOST_PLACES:
            for match in places:
                yield span.cut(0, match.start()), span.cut(match.end(), len(span.mask))

    def drop_owner(self, span: Span) -> Span:
        """Drop words in front of a name that aren't part of it: "my", "the"."""
        match = self._owner.fullmatch(span.mask)
        if not match:
            return span
        rest = span.cut_group(match, "rest")
        if rest.literal and rest.quoted is None and self._vague_owner.fullmatch(span.mask):
            raise UnreadableError  # "a song.mp3" may be all of the name
        return rest

    def tells(self, span: Span) -> bool:
        """Whether unquoted words tell which file or folder is meant: "the latest", "the empty"; "Old Photos" is a name."""
        is_named = span.start > 0 and span.text[:1].isupper() and not span.sentence.source.isupper()
        return span.quoted is None and not is_named and span.words.partition(" ")[0] in self.words.telling

    def is_kind(self, words: str) -> bool:
        """Whether words say what kind of file it is rather than naming it."""
        return words in self.words.kinds or words in self._kinds

    def is_dotfile(self, span: Span) -> bool:
        """Whether a word is the known name of a file that begins with a dot; ".pdf" is the ending of others."""
        return span.mask[:1] == "." and span.words[1:] in self.words.dotfiles

    def has_ending(self, path: str) -> bool:
        """Whether a path ends like that of a file."""
        return ("." in path.strip(".") and get_ending(path) in self._endings) or cut_name(path).lower() in self._bare

    def _write_home(self, path: str) -> str:
        is_home = path[:1] == "~" and path[1:2] in {"", "/", "\\"}
        return self.words.anchors["~"] + path[2:] if is_home else path
