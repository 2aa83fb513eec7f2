"""Paths as the browser verbs need them: anchored or relative texts, resolved to absolute paths within the allowed roots.

Pure: nothing is looked up on the disk. A bad path is refused, never repaired.
"""

import ntpath
import posixpath
import re
from collections.abc import Mapping
from types import ModuleType

from core.errors import PolicyError

_ANCHORED = re.compile(r"([a-z]{2,}):/(.*)", re.DOTALL)
_DOTS = re.compile(r"(?!\.$)[. ]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def resolve_path(text: str, anchors: Mapping[str, str], platform: str) -> str:
    """Return the absolute path that a text means.

    Args:
        text: ``<anchor>:/a/b.txt``, a path relative to the workspace, or an absolute path.
        anchors: Absolute folders by anchor name.
        platform: ``win32`` for Windows paths, anything else for POSIX ones.

    Raises:
        PolicyError: If the text has control characters, goes upwards, holds a token that a shell would expand, or
            names an unknown anchor.
    """
    flavour: ModuleType = ntpath if platform == "win32" else posixpath
    _refuse_tricks(text)
    base, rest = anchors.get("workspace", ""), text
    anchored = _ANCHORED.fullmatch(text)
    if anchored:
        name, rest = anchored.groups()
        if name not in anchors:
            known = ", ".join(f"{each}:/" for each in sorted(anchors))
            raise PolicyError(f'"{text}" starts with an unknown anchor.', code="path_refused", hint=f"Known: {known}.")
        base, rest = anchors[name], rest.lstrip("/\\")
    return str(flavour.normpath(flavour.join(base, rest)))


def check_roots(path: str, roots: tuple[str, ...], platform: str) -> None:
    """Refuse a path outside all roots.

    Raises:
        PolicyError: If no root contains it.
    """
    parts = _split(path, platform)
    for root in roots:
        above = _split(root, platform)
        if parts[: len(above)] == above:
            return
    raise PolicyError(
        f'"{path}" is outside the folders that this run may use ({", ".join(roots) or "none"}).',
        code="path_refused",
        hint="Use a path below the workspace, or name its folder as the workspace or in policy.roots.",
    )


def _refuse_tricks(text: str) -> None:
    if _CONTROL.search(text):
        reason = "holds a control character"
    elif any(_DOTS.fullmatch(part) for part in re.split(r"[/\\]", text)):
        reason = "goes upwards with .., or has a part of dots and spaces only, which Windows reads so"
    elif text.startswith(("~", "file:")) or re.search(r"%\w+%|\$env:|\$\{", text):
        reason = "holds something that a shell would expand"
    else:
        return
    raise PolicyError(f"The path {text!r} {reason}.", code="path_refused", hint="Write the path out.")


def _split(path: str, platform: str) -> list[str]:
    flavour: ModuleType = ntpath if platform == "win32" else posixpath
    normal = str(flavour.normcase(flavour.normpath(path)))
    return [part for part in re.split(r"[/\\]" if platform == "win32" else "/", normal) if part]
