"""Reading how people name files and folders.

    total.txt in Documents             documents:/total.txt
    Documents as total.txt             documents:/total.txt
    the file "a b" on the desktop      desktop:/a b
    the Mugs folder in my downloads    downloads:/Mugs
    a.txt inside it                    a.txt, within the folder that was just created
    a.txt on drive D                   a.txt, within the drive D

Only words choose a known folder: ``"Documents"`` in quotes is a folder of that name. What is written as a path comes out
byte for byte.
"""

from collections.abc import Iterator
from typing import NamedTuple

from core.language.contexts import Context, Created
from core.language.file_patterns import FilePatterns
from core.language.grammar import Vocabulary
from core.language.located_paths import HERE, LocatedPath, get_ending, is_glob, join_path
from core.language.names import NameReader
from core.language.spans import Span, UnreadableError

_MOST_WORDS = 3
_MOST_PLACES = 4


class FileReader:
    """Reads files and folders in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        """Take the words.

        Args:
            vocabulary: The language's words.
            names: Reads names that are no paths.
        """
        self._endings = vocabulary.file_endings
        self._words = vocabulary.files
        self._patterns = FilePatterns(vocabulary)
        self._names = names

    def read_file(self, span: Span, context: Context) -> LocatedPath:
        """Return a file that is clearly one: a path, a name with an ending, or one that is called a file.

        Raises:
            UnreadableError: If the words name none, or may as well mean something else.
        """
        if (held := context.held) and not held.is_folder and self._patterns.held_file.fullmatch(span.words):
            return LocatedPath(held.path)
        inner = self._drop_owner(span)
        if literal := self._read_literal(inner):
            if literal.is_quoted and not self._has_ending(literal.value):
                raise UnreadableError
            return LocatedPath(literal.value)
        if located := self._read_named_behind(inner, context, is_clear=True):
            return located
        for rest, place in self.split_places(inner):
            if folder := self._try_folder(place, context):
                return self._put_into(folder, self._read_told(rest, context, in_folder=True))
        return self._read_told(span, context)

    def read_quoted_file(self, span: Span, context: Context) -> LocatedPath:
        """Return a file whose name may be in quotes without an ending, where the verb tells that it is a file."""
        inner = self._drop_owner(span)
        if literal := self._read_literal(inner):
            return LocatedPath(literal.value)
        return self.read_file(span, context)

    def read_entry(self, span: Span, context: Context) -> LocatedPath:
        """Return what the phrase has called a file or folder already: ``Mugs in Documents``."""
        if located := self._read_named_behind(span, context):
            return located
        for rest, place in self.split_places(span):
            if folder := self._try_folder(place, context):
                return self._put_into(folder, LocatedPath(self._read_plain_name(rest)))
        return LocatedPath(self._read_plain_name(span))

    def read_folder(self, span: Span, context: Context) -> LocatedPath:
        """Return a folder: a known one, a drive, one that was created, a path, or one that is called a folder.

        Raises:
            UnreadableError: If the words name none, or may as well mean something else.
        """
        if (stand_in := self._read_stand_in(span.words, context)) is not None:
            return stand_in
        inner = self._drop_owner(span)
        if (literal := self._read_literal(inner)) is not None:
            if self._has_ending(literal.value):
                raise UnreadableError  # a file, as far as one can see
            return self._find_created(literal.value, context) or LocatedPath(literal.value)
        if drive := self._patterns.drive.fullmatch(inner.mask):
            letter = next(group for group in drive.groups() if group)
            return LocatedPath(HERE, f"drive:{letter.upper()}", f"drive:{letter.upper()}:/")
        if anchor := self._find_anchor(inner):
            return LocatedPath(anchor)
        for rest, place in self.split_places(inner):
            if outer := self._try_folder(place, context):
                return self._put_into(outer, self._read_folder_name(rest, context))
        return self._read_folder_name(span, context)

    def read_known_folder(self, span: Span) -> LocatedPath:
        """Return a known folder that is said without the word: ``Documents``."""
        if span.words not in self._words.bare_anchors:
            raise UnreadableError
        return LocatedPath(self._words.anchors[span.words])

    def read_spoken_folder(self, span: Span, context: Context) -> LocatedPath:
        """Return the folder that words such as "there" stand for."""
        located = self._read_stand_in(span.words, context)
        if located is None or (located.path == HERE and not located.base):
            raise UnreadableError
        return located

    def read_inner_entry(self, span: Span, context: Context) -> LocatedPath:
        """Return a file or folder in the folder that was made or spoken of last."""
        located = self.read_entry(span, context)
        is_there = bool(context.place) and located.path.startswith(join_path(context.place, ""))
        if located.base or is_there:
            return located
        raise UnreadableError

    def read_said_folder(self, span: Span, context: Context) -> LocatedPath:
        """Return a folder that is called one or known, and no path by itself."""
        if span.literal is not None:
            raise UnreadableError
        return self.read_folder(span, context)

    def read_named_folder(self, span: Span, context: Context) -> LocatedPath:
        """Return a folder that is neither a known one nor a whole drive, so that it can be taken away or changed."""
        if (held := context.held) and held.is_folder and self._patterns.held_folder.fullmatch(span.words):
            return LocatedPath(held.path)
        located = self.read_folder(span, context)
        if located.path == HERE or not located.is_one or is_glob(span) or span.literal is not None:
            raise UnreadableError  # too much, or a file just as well
        return located

    def read_spot(self, span: Span, context: Context) -> LocatedPath:
        """Return where something is put: a folder or the path of a file."""
        return self._try_folder(span, context) or self.read_file(span, context)

    def read_glob_path(self, span: Span) -> str:
        """Return a path that is written as a glob: with a star, in quotes or not.

        Raises:
            UnreadableError: If it has none, or names a whole folder.
        """
        literal = self._read_literal(span) if span.literal else None
        text = literal.value if literal else span.text
        located = LocatedPath(text)
        if "*" not in text or (literal is None and span.has_literals) or located.is_sweeping:
            raise UnreadableError
        return text

    def is_file(self, path: str) -> bool:
        """Tell whether a path is that of a file by its ending."""
        return self._has_ending(path)

    def read_new_name(self, span: Span) -> str:
        """Return a name without a folder."""
        name = self._read_plain_name(span)
        if "/" in name or "\\" in name:
            raise UnreadableError
        return name

    def _read_stand_in(self, words: str, context: Context) -> LocatedPath | None:
        """Return the folder that words such as "here" and "it" stand for, if they are such words."""
        is_here, stands_in = self._patterns.here.fullmatch(words), self._patterns.stand_in.fullmatch(words)
        if stands_in and context.place:
            return LocatedPath(context.place)
        if stands_in and context.folders:
            return self._go_inside(context.folders[-1])
        if stands_in and not is_here:
            raise UnreadableError
        return LocatedPath(HERE) if is_here else None

    def _read_told(self, span: Span, context: Context, *, in_folder: bool = False) -> LocatedPath:
        """Return what is a file by its ending, by being called one, or by being quoted beside its folder."""
        inner = self._drop_owner(span)
        if literal := self._read_literal(inner):
            if not in_folder and literal.is_quoted and not self._has_ending(literal.value):
                raise UnreadableError
            return LocatedPath(literal.value)
        match = self._patterns.file_first.fullmatch(inner.mask)
        if not match:
            raise UnreadableError
        if match["before"]:
            name = inner.cut_group(match, "before")
            if self._tells(name) or (name.quoted is None and self._is_kind(name.words)):
                raise UnreadableError
            return LocatedPath(self._read_plain_name(name))
        return self.read_entry(inner.cut_group(match, "name"), context)

    def _read_named_behind(self, span: Span, context: Context, *, is_clear: bool = False) -> LocatedPath | None:
        """Return "Documents as total.txt" and "in Documents called Mugs"."""
        match = self._patterns.named_behind.fullmatch(span.mask)
        if match and match["as"] and not is_clear:
            return None
        folder = self._try_folder(span.cut_group(match, "place"), context) if match else None
        if match is None or folder is None:
            return None
        name = span.cut_group(match, "name")
        if is_clear and name.quoted is None and not self._has_ending(name.text):
            raise UnreadableError
        return self._put_into(folder, LocatedPath(self._read_plain_name(name)))

    def _read_folder_name(self, span: Span, context: Context) -> LocatedPath:
        inner = self._drop_owner(span)
        if (literal := self._read_literal(inner)) is not None:
            if self._has_ending(literal.value):
                raise UnreadableError  # a file, as far as one can see
            return LocatedPath(literal.value)
        match = self._patterns.folder_noun.fullmatch(inner.mask)
        name = inner.cut_group(match, "name" if match["name"] else "before") if match else inner
        if match and match["before"] and self._tells(name):
            raise UnreadableError
        if match and (anchor := self._words.anchors.get(name.words)) and name.quoted is None:
            return LocatedPath(anchor)
        plain = self._read_plain_name(name)
        created = self._find_created(plain, context)
        if created is None and match is None:
            raise UnreadableError
        return created or LocatedPath(plain)

    def _read_plain_name(self, span: Span) -> str:
        """Return a literal or a few words that can be a name."""
        match = self._patterns.named.fullmatch(span.mask)
        inner = span.cut_group(match, "name") if match else span
        if literal := self._read_literal(inner):
            return literal.value
        words = inner.words
        is_odd = "," in words or "'s " in f"{words} " or inner.has_literals
        if is_odd or words.count(" ") >= _MOST_WORDS or self._words.no_name.intersection(words.split()):
            raise UnreadableError
        return self._names.read_name(inner)

    def _find_anchor(self, span: Span) -> str | None:
        """Return the known folder that words mean, such as ``documents:/``."""
        words = span.words
        if words in self._words.bare_anchors:
            return self._words.anchors[words]
        noun = self._patterns.folder_noun.fullmatch(words)
        return self._words.anchors.get(noun["before"] or "") if noun else None

    def _find_created(self, name: str, context: Context) -> LocatedPath | None:
        created = context.find_folder(name)
        return self._go_inside(created) if created else None

    def _go_inside(self, folder: Created) -> LocatedPath:
        if folder.is_past:
            return LocatedPath(folder.full)
        return LocatedPath(HERE, f"inside:{folder.said}", folder.full)

    def _put_into(self, folder: LocatedPath, inner: LocatedPath) -> LocatedPath:
        if inner.base or not inner.is_relative:
            raise UnreadableError
        return folder._replace(path=join_path(folder.path, inner.path))

    def _try_folder(self, span: Span, context: Context) -> LocatedPath | None:
        try:
            return self.read_folder(span, context)
        except UnreadableError:
            return None

    def split_places(self, span: Span) -> Iterator[tuple[Span, Span]]:
        """Yield what stands in front of and behind each word such as "in"; nobody says many of them."""
        if there := self._patterns.there.fullmatch(span.mask):
            yield span.cut_group(there, "rest"), span.cut_group(there, "place")
        places = [match for match in self._patterns.placing.finditer(span.mask) if match.start()]
        if len(places) <= _MOST_PLACES:
            for match in places:
                yield span.cut(0, match.start()), span.cut(match.end(), len(span.mask))

    def _drop_owner(self, span: Span) -> Span:
        match = self._patterns.owner.fullmatch(span.mask)
        if not match:
            return span
        rest = span.cut_group(match, "rest")
        if rest.literal and rest.quoted is None and self._patterns.vague_owner.fullmatch(span.mask):
            raise UnreadableError  # "a song.mp3" may be all of the name
        return rest

    def _tells(self, span: Span) -> bool:
        """Whether unquoted words tell which file or folder is meant: "the latest", "the empty"."""
        return span.quoted is None and span.words.partition(" ")[0] in self._words.telling

    def _is_kind(self, words: str) -> bool:
        return words in self._words.kinds or words in self._endings

    def _read_literal(self, span: Span) -> "_Literal | None":
        """Return what is written as a path or in quotes; a dotted word only with the ending of a file."""
        literal = span.literal
        if literal is None or literal.kind in {"url", "email"}:
            return None
        if not literal.value.strip() or (literal.kind == "dotted" and not self._has_ending(literal.value)):
            raise UnreadableError
        is_quoted = literal.kind in {"quote", "code"}
        return _Literal(literal.value if is_quoted else self._write_home(literal.value), is_quoted)

    def _write_home(self, path: str) -> str:
        """Return a path with the known folder that ``~`` means."""
        is_home = path[:1] == "~" and path[1:2] in {"", "/", "\\"}
        return self._words.anchors["~"] + path[2:] if is_home else path

    def _has_ending(self, path: str) -> bool:
        return "." in path.strip(".") and get_ending(path) in self._endings


class _Literal(NamedTuple):
    value: str
    is_quoted: bool
