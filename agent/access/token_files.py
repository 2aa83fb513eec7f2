"""Token files: one for each principal, ``tokens/NAME`` of the person's own folder, for their eyes only."""

import os
import secrets
import stat
import sys
from pathlib import Path

from agent.store.private_files import make_private_folder, write_whole
from core.base.errors import RefusedError

TOKENS_FOLDER = "tokens"
_LONGEST = 4096
_SHORTEST = 32


def make_token(folder: Path, principal: str) -> str:
    """Make a new token for a principal, in the place of the one that they had, and return it.

    Raises:
        OSError: If it can't be written.
    """
    token = secrets.token_hex(32)
    make_private_folder(folder)
    make_private_folder(folder / TOKENS_FOLDER)
    write_whole(folder / TOKENS_FOLDER / principal, f"{token}\n".encode("ascii"))
    return token


def read_token(folder: Path, principal: str) -> str:
    """Return the token of a principal; empty where they have none, so that nobody can come in their name.

    Raises:
        RefusedError: ``token_unsafe`` if others can read or change it, or it could be guessed.
    """
    path = folder / TOKENS_FOLDER / principal
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise _refuse(path, f"it can't be read: {error}") from None
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise _refuse(path, "it is not a file")
        if facts.st_nlink > 1:
            raise _refuse(path, "it has a second name, perhaps in a folder that goals read")
        if sys.platform != "win32" and (facts.st_uid != os.geteuid() or stat.S_IMODE(facts.st_mode) & 0o077):
            raise _refuse(path, "others can read or change it")
        token = file.read(_LONGEST).decode("ascii", "replace").strip()
    if len(token) < _SHORTEST or not token.isprintable() or not token.isascii():
        raise _refuse(path, f"a token has at least {_SHORTEST} printable ASCII characters")
    return token


def _refuse(path: Path, why: str) -> RefusedError:
    hint = "Make a new one: surehand service token NAME."
    return RefusedError(f"The token in {path} can't be used: {why}.", code="token_unsafe", hint=hint)
