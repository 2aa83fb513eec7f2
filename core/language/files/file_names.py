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

from core.language.files.located_paths import HERE, LocatedPath, is_glob, join_path, put_into
from core.language.files.path_words import PathWords
from core.language.meanings.contexts import Context, Created
from core.language.sentences.spans import Span, UnreadableError, try_read
from core.language.values.lists import split_list

_INSIDE = "inside:"


class FolderReader:
    """Reads folders in the words of one language."""

    def __init__(self, words: PathWords) -> None:
        self._words = words

    def read(self, span: Span, context: Context) -> LocatedPath:
        """Return a folder: a known one, a drive, one that was created, a path, or one that is called a folder."""
        if (stand_in := self._read_stand_in(span.words, context)) is not None:
            return stand_in
        inner = self._words.drop_owner(span)
        if (literal := self._words.read_literal(inner)) is not None:
            if self._words.has_ending(literal.value):
                raise UnreadableError  # a file, as far as one can see
            return self._find_created(literal.value, context) or LocatedPath(literal.value)
        if drive := self._words.drive.fullmatch(inner.mask):
            letter = next(group for group in drive.groups() if group)
            return LocatedPath(HERE, f"drive:{letter.upper()}", f"drive:{letter.upper()}:/")
        if anchor := self._words.find_anchor(inner):
            return LocatedPath(anchor)
        for rest, place in self._words.split_places(inner):
            if outer := self.try_read(place, context):
                return put_into(outer, self._read_name(rest, context))
        return self._read_name(span, context)

    def read_known(self, span: Span) -> LocatedPath:
        """Return a known folder that is said without the word: ``Documents``."""
        if span.words not in self._words.words.bare_anchors:
            raise UnreadableError
        return LocatedPath(self._words.words.anchors[span.words])

    def read_spoken(self, span: Span, context: Context) -> LocatedPath:
        """Return the folder that words such as "there" stand for."""
        located = self._read_stand_in(span.words, context)
        if located is None or (located.path == HERE and not located.base):
            raise UnreadableError
        return located

    def read_said(self, span: Span, context: Context) -> LocatedPath:
        """Return a folder that is called one or known, and no path by itself."""
        if span.literal is not None:
            raise UnreadableError
        return self.read(span, context)

    def read_named(self, span: Span, context: Context) -> LocatedPath:
        """Return a folder that is neither a known one nor a whole drive, so that it can be taken away or changed."""
        if self._words.stand_in.fullmatch(span.words):
            raise UnreadableError  # what was only put something into isn't what "it" is
        located = self.read(span, context)
        if located.path == HERE and located.base.startswith(_INSIDE):
            return LocatedPath(located.folder)  # one that an earlier step creates, itself
        if located.path == HERE or not located.is_one or is_glob(span) or span.literal is not None:
            raise UnreadableError  # too much, or a file just as well
        return located

    def try_read(self, span: Span, context: Context) -> LocatedPath | None:
        """Return a folder, or None where the words name none."""
        return try_read(self.read, span, context)

    def _read_stand_in(self, words: str, context: Context) -> LocatedPath | None:
        """Return the folder that words such as "here" and "it" stand for, if they are such words."""
        is_here, stands_in = self._words.here.fullmatch(words), self._words.stand_in.fullmatch(words)
        if stands_in and context.place:
            return LocatedPath(context.place)
        if stands_in and context.folders:
            return self._go_inside(context.folders[-1])
        if stands_in and not is_here:
            raise UnreadableError
        return LocatedPath(HERE) if is_here else None

    def _read_name(self, span: Span, context: Context) -> LocatedPath:
        inner = self._words.drop_owner(span)
        if (literal := self._words.read_literal(inner)) is not None:
            if self._words.has_ending(literal.value):
                raise UnreadableError  # a file, as far as one can see
            return LocatedPath(literal.value)
        match = self._words.folder_noun.fullmatch(inner.mask)
        name = inner.cut_group(match, "name" if match["name"] else "before") if match else inner
        if match and match["before"] and self._words.tells(name):
            raise UnreadableError
        if match and (anchor := self._words.words.anchors.get(name.words)) and name.quoted is None:
            return LocatedPath(anchor)
        plain = self._words.read_plain_name(name)
        created = self._find_created(plain, context)
        if created is None and match is None:
            raise UnreadableError
        return created or LocatedPath(plain)

    def _find_created(self, name: str, context: Context) -> LocatedPath | None:
        created = context.find_folder(name)
        return self._go_inside(created) if created else None

    def _go_inside(self, folder: Created) -> LocatedPath:
        if folder.is_past:
            return LocatedPath(folder.full)
        return LocatedPath(HERE, _INSIDE + folder.said, folder.full)


class FilePhraseReader:
    """Reads files in the words of one language."""

    def __init__(self, words: PathWords, folders: FolderReader) -> None:
        self._words = words
        self._folders = folders

    def read_file(self, span: Span, context: Context) -> LocatedPath:
        """Return a file that is clearly one: a path, a name with an ending, or one that is called a file."""
        inner = self._words.drop_owner(span)
        if self._words.is_dotfile(inner):
            return LocatedPath(inner.text)
        if literal := self._words.read_literal(inner):
            if literal.is_quoted and not self._words.has_ending(literal.value):
                raise UnreadableError
            return LocatedPath(literal.value)
        if located := self._read_named_behind(inner, context, is_clear=True):
            return located
        for rest, place in self._words.split_places(inner):
            if folder := self._folders.try_read(place, context):
                return put_into(folder, self._read_told(rest, context, in_folder=True))
        return self._read_told(span, context)

    def read_quoted_file(self, span: Span, context: Context) -> LocatedPath:
        """Return a file whose name may be in quotes without an ending, where the verb tells that it is a file."""
        inner = self._words.drop_owner(span)
        if literal := self._words.read_literal(inner):
            return LocatedPath(literal.value)
        return self.read_file(span, context)

    def read_entry(self, span: Span, context: Context) -> LocatedPath:
        """Return what the phrase has called a file or folder already: ``Mugs in Documents``."""
        if located := self._read_named_behind(span, context):
            return located
        for rest, place in self._words.split_places(span):
            if folder := self._folders.try_read(place, context):
                return put_into(folder, LocatedPath(self._words.read_plain_name(rest)))
        return LocatedPath(self._words.read_plain_name(span))

    def read_inner_entry(self, span: Span, context: Context) -> LocatedPath:
        """Return a file or folder in the folder that was made or spoken of last."""
        located = self.read_entry(span, context)
        is_there = bool(context.place) and located.path.startswith(join_path(context.place, ""))
        if located.base or is_there:
            return located
        raise UnreadableError

    def read_spot(self, span: Span, context: Context) -> LocatedPath:
        """Return where something is put: a folder or the path of a file."""
        return self._folders.try_read(span, context) or self.read_file(span, context)

    def read_glob_path(self, span: Span) -> str:
        """Return a path that is written as a glob: with a star, in quotes or not."""
        literal = self._words.read_literal(span) if span.literal else None
        text = literal.value if literal else span.text
        located = LocatedPath(text)
        if "*" not in text or (literal is None and span.has_literals) or located.is_sweeping:
            raise UnreadableError
        return text

    def read_chain(self, span: Span) -> LocatedPath:
        """Return the path of folders that lie in one another, each named by itself: ``mugs and cups`` is mugs/cups."""
        return LocatedPath("/".join(self.read_new_name(part) for part in split_list(span, self._words.joints)))

    def read_new_name(self, span: Span) -> str:
        """Return a name without a folder."""
        name = self._words.read_plain_name(span)
        if "/" in name or "\\" in name:
            raise UnreadableError
        return name

    def _read_told(self, span: Span, context: Context, *, in_folder: bool = False) -> LocatedPath:
        inner = self._words.drop_owner(span)
        if literal := self._words.read_literal(inner):
            if not in_folder and literal.is_quoted and not self._words.has_ending(literal.value):
                raise UnreadableError
            return LocatedPath(literal.value)
        match = self._words.file_first.fullmatch(inner.mask)
        if not match:
            raise UnreadableError
        if match["before"]:
            name = inner.cut_group(match, "before")
            if self._words.tells(name) or (name.quoted is None and self._words.is_kind(name.words)):
                raise UnreadableError
            return LocatedPath(self._words.read_plain_name(name))
        name = inner.cut_group(match, "name")
        if name.literal and name.literal.kind == "dotted":
            return LocatedPath(name.literal.value)  # "the file script.in" is no host
        return self.read_entry(name, context)

    def _read_named_behind(self, span: Span, context: Context, *, is_clear: bool = False) -> LocatedPath | None:
        """Return "Documents as total.txt" and "in Documents called Mugs"."""
        match = self._words.named_behind.fullmatch(span.mask)
        if match and match["as"] and not is_clear:
            return None
        folder = self._folders.try_read(span.cut_group(match, "place"), context) if match else None
        if match is None or folder is None:
            return None
        name = span.cut_group(match, "name")
        if is_clear and name.quoted is None and not self._words.has_ending(name.text):
            raise UnreadableError
        return put_into(folder, LocatedPath(self._words.read_plain_name(name)))
