"""What judging a path takes and gives: the rules by id, the terms, the judged path and the refusal."""

from collections.abc import Mapping

from core.base.errors import PolicyError
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text, escape_text

RULES: Mapping[str, str] = {
    "P1": "NUL and lone surrogates",
    "P2": "control characters",
    "P3": 'the characters < > " | ? *',
    "P4": "a colon anywhere but behind an anchor or a drive letter (alternate data streams)",
    "P5": "names of devices, alone or with an extension",
    "P6": "a name that ends with a dot or a space",
    "P7": "device name spaces",
    "P8": "the verbatim prefix from a caller",
    "P9": "network shares that are not on the allow list",
    "P10": "relative to a drive or to its root, and one-letter prefixes",
    "P11": "upwards with ..",
    "P12": "what a shell would expand",
    "P13": "creating a name in the form of 8.3 short names",
    "P14": "longer than Windows takes, in UTF-16 units",
    "P15": "outside the folder that must contain it, part by part",
    "P16": "invisible and text-turning characters, and names that turn into refused ones when normalised",
    "P17": "writing what the system or the shell reads by itself",
    "P18": "nothing between separators where a name must be",
    "P19": "a link that leads out of the folder, seen on the opened handle",
    "P20": "a target that changed between judging and creating",
    "P21": "what an archive may not hold",
}
"""What each rule refuses. P19 and P20 are seen on open handles, by whoever opens them; here they are ids only."""

ANCHOR_NAMES = frozenset({"workspace", "home", "desktop", "documents", "downloads", "temp"})
"""What may stand before ``:/``, beside ``drive:<letter>``."""

OPEN_ANCHORS = ("workspace", "desktop", "documents", "downloads")
"""Anchors that may be used where policy names no roots: not the whole home folder, and no drive."""

_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PathTerms:
    """What is to be done with a path, as far as the verdict depends on it.

    Attributes:
        creating: It may come into being, so that a name like ``PROGRA~1`` would be new (P13).
        folder: It is a folder; creating one has the shorter limit (P14).
        writing: It is written, replaced or removed (P17).
        long_paths: Whoever opens it can open paths of 32,767 units instead of 259.
        unc_shares: Network shares that may be used, as (host, share) in any case; nothing else makes P9 pass.
        base_length: UTF-16 units of the folder that a path without a drive hangs below.
        globs: Whether it may be a glob, with ``*`` and ``?`` for the names of several files (P3).
        reserved_by_policy: Names in upper case that are refused like those of devices, though Windows takes some.
    """

    creating: bool = False
    folder: bool = False
    writing: bool = False
    long_paths: bool = False
    unc_shares: tuple[tuple[str, str], ...] = ()
    base_length: int = 0
    globs: bool = False
    reserved_by_policy: frozenset[str] = frozenset({"COM0", "LPT0", "CLOCK$"})


READING = PathTerms()
"""The terms of looking at what is there."""


@dataclass(frozen=True, slots=True)
class JudgedPath:
    r"""A path that may be used, taken apart.

    Attributes:
        anchor: ``desktop``, ``drive`` and so on in lower case; None if it names none.
        drive: ``D:`` as it was written, or ``\\host\share`` for an allowed share; empty without one.
        parts: Its names as they were written; empty for the anchor, the root of the drive or the base itself.
    """

    anchor: str | None
    drive: str
    parts: tuple[str, ...]


def refuse_path(rule: str, text: str, component: str, reason: str, hint: str) -> PolicyError:
    """Return the refusal of a path by a rule, or ``anchor`` where this machine lacks it; the reason ends a sentence about the path."""
    shown = escape_text(text)
    evidence = {"rule": rule, "path": shown, "component": escape_text(component)}
    named = f" ({rule})" if rule in RULES else ""
    message = f"The path “{cut_text(shown, _SHOWN)}” {reason}{named}."
    return PolicyError(message, code="path_refused", hint=hint, evidence=evidence)


def count_units(text: str) -> int:
    """Return the length of a text in UTF-16 units, as Windows counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
