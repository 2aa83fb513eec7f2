"""ConsoleKeys: who may sit at the console.

A one-time code begins it: it is shown where only the person looks, at the terminal or in a notification, and typed into their browser.
That browser keeps a key in two halves: a cookie that no script reads, and a word of the page's own origin, which no other port is sent.
"""

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock

from agent.store.private_files import make_private_folder, write_whole
from core.base.errors import RefusedError

CONSOLE_KEY_S = 30 * 86_400
"""Seconds that a browser stays signed in to the console."""

KEYS_FILE = "consoles.json"
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without letters and digits that are taken for each other."""

_CODE_S = 600.0
_TRIES = 5
_MOST_KEYS = 100
_PAUSE_S = 5.0
_WAIT_S = 10.0

Keys = dict[str, tuple[str, str, float]]
"""By the digest of a key: the workspace that it opens, as whom, and until when (seconds since 1970)."""


class ConsoleKeys:
    """Codes, which live as long as the service, and keys, which outlive it."""

    def __init__(self, folder: Path | None = None, place: str = "") -> None:
        """Know no code.

        Args:
            folder: The person's own folder for what belongs to them and this machine; None to keep keys in memory.
            place: The workspace that keys made here open; they open no other.
        """
        self._file = folder / KEYS_FILE if folder else None
        self._place = place
        self._codes: dict[str, tuple[str, float]] = {}
        self._tries_left = _TRIES
        self._asked_at = -_PAUSE_S
        self._kept = self._read()

    def make_code(self, principal: str, *, unasked: bool = False) -> str:
        """Return a code that lets one browser in, once, within ten minutes.

        Raises:
            RefusedError: ``over_quota`` if strangers want many.
        """
        now = time.monotonic()
        if unasked and now - self._asked_at < _PAUSE_S:
            text, hint = "A code was shown a moment ago.", "Look there, or ask again in a few seconds."
            raise RefusedError(text, code="over_quota", hint=hint, evidence={"retry_after_s": round(_PAUSE_S)})
        self._asked_at = now if unasked else self._asked_at
        code = "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(2))
        waiting = {each: found for each, found in self._codes.items() if found[1] > now}
        self._codes = {**waiting, code: (principal, now + _CODE_S)}
        self._tries_left = _TRIES
        return code

    def make_key(self, code: str) -> tuple[str, str]:
        """Return both halves of a new key for a code, which counts no longer.

        Raises:
            RefusedError: ``code_unknown``; after five wrong ones no code counts any more.
        """
        typed = code.strip().upper().replace(" ", "-")
        found = next((each for each in self._codes if hmac.compare_digest(each.encode(), typed.encode())), "")
        principal, until = self._codes.pop(found, ("", 0.0))
        if until <= time.monotonic():
            self._tries_left -= 1
            if not self._tries_left:
                self._codes.clear()
            text = "This code is wrong, used or too old."
            raise RefusedError(text, code="code_unknown", hint="Ask for another one: surehand console shows one.")
        halves = secrets.token_hex(32), secrets.token_hex(32)
        with self._change() as keys:
            keys[_digest(*halves)] = (self._place, principal, time.time() + CONSOLE_KEY_S)
        return halves

    def find(self, cookie: str, word: str) -> str | None:
        """Return who sits at a console; None where the key opens nothing."""
        place, principal, until = self._kept.get(_digest(cookie, word), ("", "", 0.0))
        return principal if until > time.time() and place == self._place else None

    def end(self, cookie: str, word: str) -> None:
        """Forget a key."""
        with self._change() as keys:
            keys.pop(_digest(cookie, word), None)

    @contextmanager
    def _change(self) -> Generator[Keys]:
        if self._file is None:
            yield self._kept
            return
        try:
            make_private_folder(self._file.parent)
            with FileLock(self._file.with_suffix(".lock"), timeout=_WAIT_S, mode=0o600):
                keys = {each: found for each, found in self._read().items() if found[2] > time.time()}
                yield keys
                self._kept = dict(sorted(keys.items(), key=lambda each: each[1][2])[-_MOST_KEYS:])
                write_whole(self._file, json.dumps(self._kept).encode())
        except OSError as error:
            text = f"Who is signed in can't be written to {self._file}: {error.strerror or error}."
            raise RefusedError(text, code="not_saved", hint="Check the folder and the disk.") from error

    def _read(self) -> Keys:
        """Return the keys of the file; none where it isn't what this writes: then everybody signs in anew."""
        if self._file is None:
            return {}
        with suppress(OSError, ValueError, TypeError, AttributeError):
            if self._file.lstat().st_nlink > 1:
                return {}  # whoever writes the other name could let themselves in
            told = json.loads(self._file.read_bytes())
            return {str(each): (str(place), str(who), float(until)) for each, (place, who, until) in told.items()}
        return {}


def _digest(cookie: str, word: str) -> str:
    return hashlib.sha256(f"{cookie}.{word}".encode("utf-8", "replace")).hexdigest()
