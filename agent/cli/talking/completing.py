"""Completion of what is typed in the chat: orders, verbs, names of what is on the page, and files."""

import re
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import History
from prompt_toolkit.patch_stdout import patch_stdout

from agent.cli.screen.output import fit_encoding
from agent.store.private_files import make_private_folder, write_whole
from core.language.grammars.templates import ANY_WORD, Beginnings, find_first_words
from core.language.talk.languages import load_language

HISTORY = "chat_history"
_KEPT = 1000
_PROMPT, _ANSWER = "› ", "… "
_UNTOLD = re.compile(r"pass(?:word|code|phrase|wort)|secret|token|\bpin\b|kennwort", re.IGNORECASE)


class ChatHistory(History):
    """The lines of earlier chats, in a file for the person's eyes only; lines with passwords are not kept."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def load_history_strings(self) -> Iterable[str]:
        """Return the lines, the latest first; none where they can't be read."""
        return reversed(self._read())

    def store_string(self, string: str) -> None:
        """Keep a line, unless it may hold a secret; a disk that takes nothing is no reason to end a chat."""
        if _UNTOLD.search(string) or "\n" in string:
            return
        lines = [*self._read(), string][-_KEPT:]
        try:
            make_private_folder(self._path.parent)
            write_whole(self._path, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"), durable=False)
        except OSError:
            return

    def _read(self) -> list[str]:
        try:
            return self._path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
        except OSError:
            return []


class LineReader:
    """Asks for lines at the terminal."""

    def __init__(self, history: History, completer: Completer) -> None:
        """Offer these."""
        self._session: PromptSession[str] = PromptSession(
            history=history,
            completer=completer,
            complete_while_typing=False,
            auto_suggest=AutoSuggestFromHistory(),
        )

    async def read(self, *, is_answer: bool = False) -> str | None:
        """Return the next line; empty for one that ctrl-C dropped, None at the end."""
        prompt = fit_encoding(_ANSWER if is_answer else _PROMPT, sys.stdout.encoding or "utf-8")
        try:
            with patch_stdout():
                return await self._session.prompt_async(prompt)
        except KeyboardInterrupt:
            return ""
        except EOFError:
            return None


_CLAUSE = re.compile(r"(?:^|,\s*(?:and\s+|then\s+)*|\band\s+(?:then\s+)?|\bthen\s+)(\w*)$", re.IGNORECASE)
_LAST_WORD = re.compile(r"[^\s\"“”']*$")
_MOST = 40
_MOST_WORDS = 4
_SHOWN_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')

FindNames = Callable[[], Awaitable[Sequence[str]]]


class ChatCompleter(Completer):
    """Proposes what may come next; nothing is asked of anybody before the person asks for it."""

    def __init__(self, orders: Mapping[str, str], workspace: Path, find_names: FindNames, language: str = "en") -> None:
        """Propose these.

        Args:
            find_names: Returns the names of what is on the page, as sentences take them.
        """
        self._orders = orders
        self._workspace = workspace
        self._find_names = find_names
        self._language = language

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what is known without asking the page."""
        del complete_event
        return self._propose(document.text_before_cursor, ())

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Yield everything, names on the page as well."""
        del complete_event
        typed = document.text_before_cursor
        names = () if typed.startswith("/") else await self._find_names()
        for each in self._propose(typed, names):
            yield each

    def _propose(self, typed: str, names: Sequence[str]) -> Iterator[Completion]:
        if typed.startswith("/") and " " not in typed:
            for order, meaning in self._orders.items():
                if order.startswith(typed):
                    yield Completion(order, -len(typed), display_meta=meaning)
            return
        if not typed.startswith("/") and (clause := _CLAUSE.search(typed)):
            yield from _match_words(list_verbs(self._language), clause[1])
        yield from _match_names(names, typed)
        yield from self._match_files(_find_last(typed))

    def _match_files(self, typed: str) -> Iterator[Completion]:
        """Yield the files whose path begins so; of the workspace where none other is named."""
        folder, _, beginning = typed.rpartition("/")
        if not typed:
            return
        place = Path(f"{folder}/").expanduser() if folder or typed.startswith("/") else Path()
        for entry in _list_folder(self._workspace / place, beginning):
            ending = "/" if entry.is_dir() else ""
            yield Completion(f"{entry.name}{ending}", -len(beginning), display_meta="folder" if ending else "file")


def list_verbs(language: str = "en") -> Sequence[str]:
    """Return the words with which sentences of a language begin."""
    grammar = load_language(language)
    phrases = (phrase for verb in grammar.verbs for phrase in verb.phrases if not phrase.is_frame)
    known: Beginnings = {}
    words = {word for phrase in phrases for word in find_first_words(phrase.template, grammar.fragments, known)}
    return sorted(word for word in words if word != ANY_WORD and word.isalpha())


def read_names(outline: Mapping[str, object]) -> Sequence[str]:
    """Return the names of what can be acted on in an outline, as sentences take them; each once."""
    lines = outline.get("lines")
    found = (each.get("selector") for each in lines if isinstance(each, Mapping)) if isinstance(lines, list) else ()
    return list(dict.fromkeys(each for each in found if isinstance(each, str) and _SHOWN_NAME.search(each)))


def _match_words(words: Iterable[str], typed: str) -> Iterator[Completion]:
    for word in [each for each in words if typed and each.startswith(typed.lower())][:_MOST]:
        yield Completion(word, -len(typed))


def _match_names(names: Sequence[str], typed: str) -> Iterator[Completion]:
    """Yield the names of which the last words that were typed are the beginning; the more words the better."""
    told: set[str] = set()
    for ending in _list_endings(typed):
        for name in names:
            if name not in told and _begins(name, ending):
                told.add(name)
                yield Completion(name, -len(ending), display_meta="on the page")
        if told:
            return


def _begins(name: str, typed: str) -> bool:
    shown = _SHOWN_NAME.search(name)
    kind = name[: shown.start()] if shown else ""
    ways = (name, shown[1], f'"{shown[1]}', kind + shown[1]) if shown else (name,)
    return any(each.lower().startswith(typed.lower()) for each in ways if each)


def _list_endings(typed: str) -> Iterator[str]:
    starts = [0, *(match.end() for match in re.finditer(r"\s+", typed))][-_MOST_WORDS:]
    return (typed[start:] for start in starts if typed[start:].strip())


def _find_last(typed: str) -> str:
    found = _LAST_WORD.search(typed)
    return found[0] if found else ""


def _list_folder(folder: Path, beginning: str) -> Sequence[Path]:
    """Return what is in a folder and begins so, hidden files only where a dot was typed; nothing where it can't be read."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return ()
    wanted = (each for each in entries if each.name.lower().startswith(beginning.lower()))
    return [each for each in wanted if beginning.startswith(".") or not each.name.startswith(".")][:_MOST]
