"""Seal: tells what this person kept on this machine from what came with a folder.

Whatever is kept in a workspace carries a message authentication code. Its key lies outside of every workspace, in the
person's own state folder: it is made once, and only its owner may read it. Who lacks it can write nothing that a seal proves.
"""

import hashlib
import hmac
import os
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from actuators.own_folders import locate_state_folder
from agent.store.private_files import make_private_folder, write_whole
from core.base.errors import JournalError

KEY_FILE = "seal.key"
SEAL_BYTES = 32
WHY_FOREIGN = "it comes from another folder, user or machine, from an earlier Surehand, or its key is gone"

_WAIT_S = 10.0


class Seal:
    """Signs and proves with one key. Nothing is read before it is needed, and nothing made before something is signed."""

    def __init__(self, folder: Path | None = None) -> None:
        """Remember where the key is.

        Args:
            folder: Where it lies; the person's own folder where absent.
        """
        self._folder = folder
        self._key = b""
        self._key_folder: Path | None = None

    @property
    def folder(self) -> Path:
        """Where the key lies."""
        return self._folder or locate_state_folder()

    @property
    def file(self) -> Path:
        """The key's file."""
        return self.folder / KEY_FILE

    def sign(self, kind: str, data: bytes, size: int = SEAL_BYTES) -> bytes:
        """Return the code of some bytes; makes the key where there is none.

        Args:
            kind: What they are, at most 16 ASCII characters: no code of one kind proves another.

        Raises:
            JournalError: If the key can't be read or made, or others may read it.
        """
        return _digest(self._obtain(), kind, data, size)

    def proves(self, code: bytes, kind: str, data: bytes, size: int = SEAL_BYTES) -> bool:
        """Tell whether a code is the one that ``sign`` gives; it never is without a key.

        Raises:
            JournalError: If the key can't be read, or others may read it.
        """
        key = self._recall() or self._read()
        return bool(key) and hmac.compare_digest(_digest(key, kind, data, size), code)

    def _obtain(self) -> bytes:
        """Return the key; of processes that need the first one at once, one makes it."""
        if key := self._recall() or self._read():
            return key
        try:
            make_private_folder(self.file.parent)
            with FileLock(self.file.with_suffix(".lock"), timeout=_WAIT_S, mode=0o600):
                if not self._read():
                    write_whole(self.file, secrets.token_hex(SEAL_BYTES).encode())
        except OSError as error:
            raise self._refuse(f"it can't be made: {error}") from error
        return self._read()

    def _recall(self) -> bytes:
        """Return the key that was read; nothing where it was another file's, since the person's folder is elsewhere by now."""
        return self._key if self._key_folder == self.folder else b""

    def _read(self) -> bytes:
        """Return the key, and remember it with its file; nothing where there is none."""
        self._key, self._key_folder = b"", self.folder
        try:
            descriptor = os.open(
                self._key_folder / KEY_FILE,
                os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0),
            )
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise self._refuse(f"it can't be read: {error}") from error
        with os.fdopen(descriptor, "rb") as file:
            self._check_owner(os.fstat(descriptor))
            text = file.read()
        with suppress(ValueError):
            self._key = bytes.fromhex(text.decode("ascii"))
        if len(self._key) != SEAL_BYTES:
            self._key = b""
            raise self._refuse("it holds no key")
        return self._key

    def _check_owner(self, facts: os.stat_result) -> None:
        if not stat.S_ISREG(facts.st_mode):
            raise self._refuse("it is not a file")
        if sys.platform == "win32":
            return  # the profile's own access list keeps others out
        if facts.st_uid != os.geteuid() or facts.st_nlink > 1 or stat.S_IMODE(facts.st_mode) & 0o077:
            raise self._refuse(
                "others can read or change it, or it has a second name, and somebody could sign in your name"
            )

    def _refuse(self, why: str) -> JournalError:
        return JournalError(
            f"{self.file}, the key to Surehand's saved files, can't be used: {why}.",
            code="key_unusable",
            hint="Move it away to get a new one. Earlier runs can then be shown, but not resumed or undone.",
        )


def _digest(key: bytes, kind: str, data: bytes, size: int) -> bytes:
    return hashlib.blake2b(data, digest_size=size, key=key, person=kind.encode("ascii")).digest()
