"""What an archive may hold: everything is judged before anything is unpacked."""

import stat
import struct
import zipfile
from collections.abc import Sequence
from typing import Literal

from actuators.files.stores.failures import refuse
from core.addresses.paths import judge_member
from core.base.errors import FileError
from core.base.late_dataclasses import dataclass
from core.base.phrases import escape_text

MOST_BYTES = 1 << 30
MOST_MEMBERS = 10_000
MOST_RATIO = 200
TIME_FIELD = 0x5455  # "extended timestamp": seconds since 1970, which the archive's own times lack
_FREE_BYTES = 1 << 20  # below this size a high ratio does no harm
_LONGEST_LINK = 4_096
_ENCRYPTED = 0x1
_METHODS = frozenset([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])  # LZMA takes memory as it likes


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of an archive that may be unpacked; its time and permission bits are None if the archive doesn't say them."""

    info: zipfile.ZipInfo
    parts: tuple[str, ...]
    kind: Literal["file", "folder", "link"]
    modified_ns: int | None
    mode: int | None

    @property
    def path(self) -> str:
        """Its path, with slashes."""
        return "/".join(self.parts)


def judge_archive(infos: Sequence[zipfile.ZipInfo], path: str) -> list[Member]:
    """Judge all members of an archive by ``archive_limit``, ``bad_archive``, and the rules of paths (PolicyError)."""
    if len(infos) > MOST_MEMBERS:
        raise refuse_limit(path, f"has {len(infos)} members; {MOST_MEMBERS} are allowed")
    size = sum(info.file_size for info in infos)
    if size > MOST_BYTES:
        raise refuse_limit(path, f"would unpack to {size} bytes, {MOST_BYTES} are allowed")
    members = [_judge(info, path) for info in infos]
    _refuse_clashes(members, path)
    return members


def refuse_limit(path: str, why: str) -> FileError:
    """Return the refusal of an archive that is too much."""
    return refuse(path, why, "Unpack it with a program you trust, and look inside.", code="archive_limit", rule="P21")


def refuse_archive(path: str, why: str) -> FileError:
    """Return the refusal of an archive that is bad."""
    return refuse(path, why, "Unpack it with a program you trust, and look inside.", code="bad_archive", rule="P21")


def judge_link(target: str, path: str) -> None:
    """Refuse a link that leads anywhere but downwards by a PolicyError, and one that is too long by ``bad_archive``."""
    if len(target) > _LONGEST_LINK or "\\" in target:
        raise refuse_archive(path, "contains a link that can't be followed here")
    judge_member(target)


def _judge(info: zipfile.ZipInfo, path: str) -> Member:
    name = info.orig_filename
    if info.flag_bits & _ENCRYPTED:
        raise refuse_archive(path, f"has an encrypted member, “{escape_text(name)}”")
    if info.compress_type not in _METHODS:
        raise refuse_archive(path, f"has a member with an unknown packing method, “{escape_text(name)}”")
    if info.file_size > _FREE_BYTES and info.file_size > MOST_RATIO * max(1, info.compress_size):
        raise refuse_limit(path, f"has a member that grows more than {MOST_RATIO} times, “{escape_text(name)}”")
    parts = judge_member(name).parts
    if not parts:
        raise refuse_archive(path, "has a member without a name")
    mode = info.external_attr >> 16 if info.create_system == 3 else 0
    return Member(
        info=info,
        parts=parts,
        kind=_find_kind(name, mode, info.file_size, path),
        modified_ns=_find_time(info.extra),
        mode=stat.S_IMODE(mode) & 0o777 or None,
    )


def _find_kind(name: str, mode: int, size_bytes: int, path: str) -> Literal["file", "folder", "link"]:
    kind = stat.S_IFMT(mode)
    if stat.S_ISLNK(mode):
        if size_bytes > _LONGEST_LINK:
            raise refuse_archive(path, f"has a link that leads nowhere here, “{escape_text(name)}”")
        return "link"
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise refuse_archive(path, f"has a member that is a device or pipe, “{escape_text(name)}”")
    return "folder" if name.endswith(("/", "\\")) or stat.S_ISDIR(mode) else "file"


def _find_time(extra: bytes) -> int | None:
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind == TIME_FIELD and size >= 5 and len(extra) >= 9 and extra[4] & 1:
            return int(struct.unpack_from("<l", extra, 5)[0]) * 1_000_000_000
        extra = extra[4 + size :]
    return None


def _refuse_clashes(members: Sequence[Member], path: str) -> None:
    kinds: dict[tuple[str, ...], str] = {}
    for member in members:
        key = tuple(part.casefold() for part in member.parts)
        if key in kinds and not (member.kind == kinds[key] == "folder"):
            raise refuse_archive(path, f"has two members with the same name, “{escape_text(member.path)}”")
        kinds[key] = member.kind
    for key in kinds:
        if any(kinds.get(key[:length], "folder") != "folder" for length in range(1, len(key))):
            raise refuse_archive(path, f"has members below one that is not a folder, “{escape_text('/'.join(key))}”")
