"""What an error of the system means: a code, what happened, why, and what to do."""

import errno
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from core.base.errors import FileError
from core.base.late_dataclasses import dataclass
from core.base.phrases import escape_text


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an error number means for a person."""

    code: str
    reason: str
    hint: str


_TOO_MANY = Meaning("too_many_files", "too many files are open", "Close some programs and try again.")
_MEANINGS: Mapping[int, Meaning] = {
    errno.ENOENT: Meaning("not_found", "it does not exist", "List the folder with file.list."),
    errno.EEXIST: Meaning(
        "already_exists", "something with that name exists", "Choose another name, or set overwrite."
    ),
    errno.ENOTEMPTY: Meaning("already_exists", "the folder is not empty", "List what is in it."),
    errno.EISDIR: Meaning("wrong_type", "it is a folder", "Name a file."),
    errno.ENOTDIR: Meaning("wrong_type", "a part of the path is not a folder", "Check the folders above it."),
    errno.EINVAL: Meaning(
        "wrong_type", "it is not an ordinary file, or can't be used this way", "Check it with file.info."
    ),
    errno.ELOOP: Meaning(
        "outside_roots", "the path goes through a link, or keeps changing", "Check where the link leads."
    ),
    errno.EXDEV: Meaning("file_failed", "it is on another volume", "Copy it instead."),
    errno.EACCES: Meaning("no_permission", "permission denied", "Change its permissions, or choose another place."),
    errno.EPERM: Meaning(
        "no_permission", "the system does not allow it", "It may be protected, or belong to another user."
    ),
    errno.EROFS: Meaning("read_only", "the volume is read-only", "Choose a place on another volume."),
    errno.ENOSPC: Meaning(
        "no_space", "the volume is full; the earlier content is intact", "Free some space and try again."
    ),
    errno.EDQUOT: Meaning("no_space", "the quota is used up; the earlier content is intact", "Free some space."),
    errno.EFBIG: Meaning("no_space", "it would be larger than allowed here", "Write less, or raise the limit."),
    errno.EBUSY: Meaning("in_use", "it is in use", "Close the program that has it open."),
    errno.ETXTBSY: Meaning("in_use", "it is a running program", "End that program."),
    errno.ENAMETOOLONG: Meaning("file_failed", "the name is too long", "Use a shorter name."),
    errno.EMFILE: _TOO_MANY,
    errno.ENFILE: _TOO_MANY,
}
_WINDOWS: Mapping[int, Meaning] = {
    32: Meaning("in_use", "another program has it open", "Close it there, then try again."),
    33: Meaning("in_use", "another program has locked a part of it", "Close it there, then try again."),
    19: _MEANINGS[errno.EROFS],
    39: _MEANINGS[errno.ENOSPC],
    112: _MEANINGS[errno.ENOSPC],
    1224: Meaning("in_use", "a program uses it in memory", "Close that program."),
    303: Meaning("in_use", "it is being deleted while another program has it open", "Close it there."),
}
_UNKNOWN = Meaning("file_failed", "", "Check the folder and the volume.")


def explain_failure(error: OSError, doing: str, path: str) -> FileError:
    """Return what an error of the system means, with what was tried, such as ``write``."""
    number = getattr(error, "winerror", None)
    meaning = _WINDOWS.get(number or 0) or _MEANINGS.get(error.errno or 0, _UNKNOWN)
    said = error.strerror or str(error)
    holders = getattr(error, "holders", ())
    who = f" (by {', '.join(holders)})" if holders else ""
    evidence = {"path": path, "errno": errno.errorcode.get(error.errno or 0, str(error.errno)), "system": said}
    return FileError(
        f"Could not {doing} “{escape_text(path)}”: {meaning.reason or said}{who}.",
        code=meaning.code,
        hint=meaning.hint,
        evidence=evidence | ({"winerror": number} if number else {}) | ({"holders": list(holders)} if holders else {}),
    )


@contextmanager
def explaining(doing: str, path: str) -> Generator[None]:
    """Turn errors of the system into ours, with what is tried, such as ``write``."""
    try:
        yield
    except OSError as error:
        raise explain_failure(error, doing, path) from error


@contextmanager
def allowing_missing() -> Generator[None]:
    """Go on behind the block where something that is looked for in it isn't there (``not_found``)."""
    try:
        yield
    except FileError as error:
        if error.code != "not_found":
            raise


def refuse(path: str, what: str, hint: str = "", *, code: str, **evidence: object) -> FileError:
    """Return the refusal of a path, by what is said of it, such as ``is not empty``, and what to do."""
    return FileError(f"“{escape_text(path)}” {what}.", code=code, hint=hint, evidence={"path": path, **evidence})


def refuse_outside(path: str, roots: Sequence[str]) -> FileError:
    """Return the refusal of a path that leads out of the folders that may be used."""
    what = "is outside the folders that this run may use"
    hint = "Use a path inside one of them; links must stay inside too."
    return refuse(path, what, hint, code="outside_roots", rule="P19", roots=list(roots))
