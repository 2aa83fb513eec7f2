"""The rules about a whole path: its characters, what it starts with, its length, and the folders on its way.

Source: Microsoft, "Naming Files, Paths, and Namespaces" and "File path formats on Windows systems".
"""

import re
from collections.abc import Sequence

from core.addresses.path_names import find_broken_rule, is_device, is_volume_file
from core.addresses.path_terms import ANCHOR_NAMES, PathTerms, count_units, refuse_path
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late

_UNENCODABLE = compile_late(r"[\x00\ud800-\udfff]")
_CONTROL = compile_late(r"[\x01-\x1f\x7f-\x9f]")
_ANCHORED = compile_late(r"([a-z]{2,}):/", re.IGNORECASE)
_DRIVE_ANCHOR = compile_late(r"drive:(?:([a-z]:)/)?", re.IGNORECASE)
_DRIVE = compile_late(r"[a-z]:/", re.IGNORECASE)
_VARIABLE = compile_late(r"\$[A-Za-z_]\w*")
_SHARE = compile_late(r"//([^/]+)/+([^/]+)")

_LONGEST_PATH = 259
_LONGEST_FOLDER = 247
_LONGEST_VERBATIM = 32_766

_START_UPS = (
    ("start menu", "programs", "startup"),
    (".config", "autostart"),
    ("library", "launchagents"),
    ("library", "launchdaemons"),
)
"""Folders out of which something is started at log-in, on any platform."""

_ANCHOR_HINT = f"Known: {', '.join(f'{each}:/' for each in sorted(ANCHOR_NAMES))}, drive:<letter>:/."
_WHOLE_HINT = "Write the whole path, such as C:/a/b.txt, or one relative to the folder that is meant."


@dataclass(frozen=True, slots=True)
class Prefix:
    r"""What a path starts with.

    Attributes:
        anchor: In lower case; None if it names none.
        drive: ``D:``, or ``\\host\share``; empty without one.
    """

    anchor: str | None
    drive: str
    rest: str


# Tried in this order on the path with / for every separator: rule, pattern, what is wrong, hint.
_BAD_STARTS = tuple(
    (rule, compile_late(pattern, re.IGNORECASE | re.DOTALL), reason, hint)
    for rule, pattern, reason, hint in (
        (
            "P12",
            r"~|file:",
            "starts with something that a shell would expand",
            "Write the path out; ./~a is a file whose name starts so.",
        ),
        (
            "P7",
            (
                r"//\.(?:/|$)|/\?\?(?:/|$)"
                r"|//\?/+(?:global(?:root)?|pipe|mailslot|device|physicaldrive\d+|harddisk\w+|cdrom\d+|con|prn|aux|nul"
                r"|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:[/.:]|$)"
            ),
            "reaches into the device name space",
            "Name a file by its drive and folders.",
        ),
        (
            "P9",
            r"//\?/+unc(?:/|$)",
            "names a network share with a verbatim prefix",
            "Write //host/share, and put both on the allow list.",
        ),
        (
            "P8",
            r"//\?(?:/|$)",
            "has a verbatim prefix of its own",
            "Write the path without it; long paths are taken care of.",
        ),
        ("P10", r"/(?!/)", "is relative to the root of the current drive", _WHOLE_HINT),
        (
            "P10",
            r"(?![a-z]:/).:",
            "has a one-letter prefix, which means the current folder of a drive or nothing",
            _WHOLE_HINT,
        ),
    )
)


def check_characters(text: str) -> None:
    """P1, P2: refuse by a PolicyError NUL, lone surrogates and control characters."""
    if text.isascii() and text.isprintable():
        return
    for rule, pattern, what in (
        ("P1", _UNENCODABLE, "NUL or half of a surrogate pair"),
        ("P2", _CONTROL, "a control character"),
    ):
        if found := pattern.search(text):
            raise refuse_path(rule, text, found.group(), f"holds {what}", "Remove it.")


def read_prefix(text: str, terms: PathTerms) -> Prefix:
    """Return what a path starts with, and the rest; PolicyError by P4, P5, P7 to P10 or P12, or if it is empty."""
    if not text:
        raise refuse_path("P18", text, "", "is empty", "A single dot means the folder itself.")
    if ":" not in text and text[0] not in "/\\~$":
        return Prefix(None, "", text)
    slashed = text.replace("\\", "/")
    for rule, pattern, reason, hint in _BAD_STARTS:
        if found := pattern.match(slashed):
            raise refuse_path(rule, text, found.group(), reason, hint)
    if slashed.startswith("//"):
        return _read_share(text, slashed, terms)
    if _DRIVE.match(slashed):
        return Prefix(None, text[:2], text[3:])
    _refuse_variable(text, slashed)
    return _read_anchor(text, slashed, terms)


def _read_share(text: str, slashed: str, terms: PathTerms) -> Prefix:
    found = _SHARE.match(slashed)
    allowed = {(host.casefold(), share.casefold()) for host, share in terms.unc_shares}
    if found is None or (found.group(1).casefold(), found.group(2).casefold()) not in allowed:
        hint = "Use a folder of this machine, or put host and share on the allow list."
        raise refuse_path("P9", text, slashed, "leads to a network share that is not allowed", hint)
    return Prefix(None, f"\\\\{found.group(1)}\\{found.group(2)}", text[found.end() :])


def _refuse_variable(text: str, slashed: str) -> None:
    """P12: refuse ``$HOME/a``; a name with a dollar sign within, or one of NTFS itself, is another matter."""
    first = slashed.partition("/")[0]
    if _VARIABLE.fullmatch(first) and not is_volume_file(first):
        raise refuse_path("P12", text, first, "starts with something that a shell would expand", "Write the path out.")


def _read_anchor(text: str, slashed: str, terms: PathTerms) -> Prefix:
    if found := _DRIVE_ANCHOR.match(slashed):
        if found.group(1):
            return Prefix("drive", found.group(1), text[found.end() :])
        hint = "Write drive:D:/a.txt, with a letter, a colon and a separator."
        raise refuse_path("P10", text, slashed, "names no drive, or is relative to one", hint)
    found = _ANCHORED.match(slashed)
    if found is None:
        return Prefix(None, "", text)
    name = found.group(1).lower()
    if name in ANCHOR_NAMES:
        return Prefix(name, "", text[found.end() :])
    if is_device(name, terms):
        raise refuse_path("P5", text, name, "starts with the name of a device", "Choose another name.")
    raise refuse_path("P4", text, found.group(), f"starts with an unknown anchor, “{name}:/”", _ANCHOR_HINT)


def judge_parts(text: str, rest: str, terms: PathTerms) -> tuple[str, ...]:
    """Return the components of the rest of a path, each judged; single dots and doubled separators fall away (P18).

    Raises:
        PolicyError: By the first rule that one of them breaks.
    """
    slashed = rest.replace("\\", "/") if "\\" in rest else rest
    parts = tuple([part for part in slashed.split("/") if part not in {"", "."}])
    for part in parts:
        if broken := find_broken_rule(part, terms):
            reason = broken.explain(part)
            raise refuse_path(broken.rule, text, part, reason, broken.hint)
    return parts


def check_length(text: str, units: int, terms: PathTerms) -> None:
    """P14: refuse by a PolicyError a path longer than the terms allow, in UTF-16 units from its drive on, without the NUL."""
    limit = _LONGEST_FOLDER if terms.creating and terms.folder else _LONGEST_PATH
    limit = _LONGEST_VERBATIM if terms.long_paths else limit
    if units > limit:
        reason = f"has {units} UTF-16 units from its drive on, and Windows takes {limit} here"
        raise refuse_path("P14", text, "", reason, "Use shorter names or fewer folders.")


def check_start_up(text: str, parts: Sequence[str], terms: PathTerms) -> None:
    """P17: refuse by a PolicyError to write where the system starts programs from at log-in."""
    if not terms.writing:
        return
    folded = tuple(part.casefold() for part in parts)
    for folder in _START_UPS:
        for start in range(len(folded) - len(folder) + 1):
            if folded[start : start + len(folder)] == folder:
                reason = "would write into a folder whose programs start at log-in"
                raise refuse_path("P17", text, "/".join(parts[start : start + len(folder)]), reason, "Write elsewhere.")


def measure_path(drive: str, parts: Sequence[str], base_length: int) -> int:
    """Return the length of a path in UTF-16 units: the drive, or the folder that it hangs below, then its parts."""
    above = count_units(drive) if drive else base_length
    below = sum(map(len, parts)) if all(map(str.isascii, parts)) else sum(map(count_units, parts))
    return above + below + len(parts) - (0 if above else 1)
