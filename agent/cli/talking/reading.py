"""Reading what is typed in the chat, with its history."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import Completer
from prompt_toolkit.history import History
from prompt_toolkit.patch_stdout import patch_stdout

from agent.cli.screen.marks import fit_encoding
from agent.store.private_files import make_private_folder, write_whole

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
        """Offer these.

        Args:
            history: Earlier lines.
        """
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
