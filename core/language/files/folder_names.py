"""Reading how people name folders: known ones, drives, those that were made, and those that are called one."""

from core.language.files.located_paths import HERE, LocatedPath, is_glob, put_into
from core.language.files.path_words import PathWords
from core.language.meanings.contexts import Context, Created
from core.language.sentences.spans import Span, UnreadableError

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
        if drive := self._words.patterns.drive.fullmatch(inner.mask):
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
        if self._words.patterns.stand_in.fullmatch(span.words):
            raise UnreadableError  # what was only put something into isn't what "it" is
        located = self.read(span, context)
        if located.path == HERE and located.base.startswith(_INSIDE):
            return LocatedPath(located.folder)  # one that an earlier step creates, itself
        if located.path == HERE or not located.is_one or is_glob(span) or span.literal is not None:
            raise UnreadableError  # too much, or a file just as well
        return located

    def try_read(self, span: Span, context: Context) -> LocatedPath | None:
        """Return a folder, or None where the words name none."""
        try:
            return self.read(span, context)
        except UnreadableError:
            return None

    def _read_stand_in(self, words: str, context: Context) -> LocatedPath | None:
        """Return the folder that words such as "here" and "it" stand for, if they are such words."""
        is_here, stands_in = self._words.patterns.here.fullmatch(words), self._words.patterns.stand_in.fullmatch(words)
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
        match = self._words.patterns.folder_noun.fullmatch(inner.mask)
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
