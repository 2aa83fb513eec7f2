"""The path judge and the one resolver: a text that names a file becomes an absolute path of this platform, or a refusal.

Pure: nothing is looked up on the disk, and the verdict is the same on every host. A bad path is refused with the id of
the rule that it breaks, never repaired: what is opened is what was written.

    desktop:/a/b.txt   below an anchor            a/b.txt   below the base, which is the workspace if nothing else is
    drive:D:/a.txt     on a drive                 D:/a.txt  on a drive           /a.txt   on POSIX only, from the root
"""

import ntpath
from collections.abc import Iterable, Mapping

from core.addresses.path_names import find_broken_rule
from core.addresses.path_parts import choose_flavour, cut_tail, find_head, find_tail, fold_parts, lies_inside
from core.addresses.path_rules import (
    check_characters,
    check_length,
    check_start_up,
    judge_parts,
    measure_path,
    read_prefix,
)
from core.addresses.path_terms import OPEN_ANCHORS, READING, RULES, JudgedPath, PathTerms, count_units, refuse_path
from core.base.errors import PolicyError

__all__ = [
    "OPEN_ANCHORS",
    "RULES",
    "JudgedPath",
    "PathTerms",
    "check_roots",
    "judge_member",
    "judge_name",
    "judge_path",
    "resolve_path",
]

_NEW_NAME = PathTerms(creating=True, writing=True)
_MEMBER = PathTerms(creating=True, writing=True, long_paths=True)


def judge_path(text: str, *, terms: PathTerms = READING) -> JudgedPath:
    r"""Judge a path by P1 to P18; the verdict depends on nothing but the arguments.

    Args:
        text: ``desktop:/a/b.txt``, ``drive:D:/a``, ``D:/a``, or ``a/b.txt``; ``/`` and ``\`` are the same.

    Returns:
        The path, taken apart and not changed: doubled separators and single dots apart.

    Raises:
        PolicyError: With the code ``path_refused``; its evidence names ``rule``, ``path`` and ``component``.
    """
    check_characters(text)
    prefix = read_prefix(text, terms)
    parts = judge_parts(text, prefix.rest, terms)
    check_length(text, measure_path(prefix.drive, parts, terms.base_length), terms)
    check_start_up(text, parts, terms)
    return JudgedPath(prefix.anchor, prefix.drive, parts)


def judge_name(name: str, *, terms: PathTerms = _NEW_NAME) -> str:
    """Judge a single name, a new one that is written unless its terms say otherwise; return it as it is."""
    check_characters(name)
    if not name or "/" in name or "\\" in name:
        hint = "Give the name alone, without folders."
        raise refuse_path("P18", name, name, "is not a single name", hint)
    if broken := find_broken_rule(name, terms):
        raise refuse_path(broken.rule, name, name, broken.explain(name), broken.hint)
    return name


def judge_member(name: str, *, terms: PathTerms = _MEMBER) -> JudgedPath:
    """P21: judge the name of a member of an archive, or what a link in it points to; new and written by default."""
    judged = judge_path(name, terms=terms)
    if judged.anchor or judged.drive:
        reason = "is a member of an archive and leads out of the archive's folder"
        raise refuse_path("P21", name, name, reason, "Unpack it with a program you trust, and look inside.")
    return judged


def resolve_path(
    text: str, anchors: Mapping[str, str], platform: str, base: str = "", terms: PathTerms = READING
) -> str:
    """Return the absolute path that a text means.

    What lies in the folder of an anchor is judged from there on, for that folder is given by the system, whatever its
    name. On POSIX one leading ``/`` is the root of the file system, and the rest is judged; on Windows it is refused.

    Args:
        text: A path in one of the forms that ``judge_path`` takes, or an absolute one of this platform.
        anchors: Absolute folders by anchor name; those without a folder are empty or left out.
        platform: ``win32`` for Windows paths, anything else for POSIX ones.
        base: The folder that relative paths hang below, absolute or anchored, and that any path must lie in; without
            one relative paths hang below the workspace, and others may lie anywhere.

    Raises:
        PolicyError: If a rule refuses it, this machine lacks the anchor, or it doesn't lie in the base.
    """
    folder = _find_base(base, anchors, platform)
    check_characters(text)
    path = _place(text, anchors, platform, folder, terms)
    if base and not lies_inside(path, folder, platform):
        hint = "Name it relative to that folder, or take it out of the scope."
        raise refuse_path("P15", text, path, f"is outside “{folder}”, the folder of this goal", hint)
    check_start_up(text, cut_tail(path, platform), terms)
    if platform == "win32":
        check_length(text, count_units(path), terms)
    return path


def check_roots(path: str, roots: tuple[str, ...], platform: str) -> None:
    """P15: refuse an absolute path outside all roots.

    Case makes no difference on ``win32``; elsewhere ``Desktop`` and ``desktop`` can be two folders.
    """
    if any(lies_inside(path, root, platform) for root in roots):
        return
    raise PolicyError(
        f"“{path}” is outside the folders that this run may use ({', '.join(roots) or 'none'}).",
        code="path_refused",
        hint="Use a path below the workspace, or name its folder as the workspace or in policy.roots.",
        evidence={"rule": "P15", "path": path, "roots": list(roots)},
    )


def _place(text: str, anchors: Mapping[str, str], platform: str, folder: str, terms: PathTerms) -> str:
    below = _find_below(text, anchors, platform)
    if below:
        return _join(below[0], judge_parts(text, below[1], terms), platform)
    if platform != "win32" and _is_absolute(text, platform):
        return _join("/", judge_parts(text, text[1:], terms), platform)
    judged = judge_path(text, terms=terms)
    start = _find_start(text, judged, anchors, platform) or folder
    if not start:
        raise refuse_path("anchor", text, "", "is relative, and there is no workspace", "Name a workspace.")
    return _join(start, judged.parts, platform)


def _find_base(base: str, anchors: Mapping[str, str], platform: str) -> str:
    folder = base or anchors.get("workspace", "")
    flavour = choose_flavour(platform)
    return folder if not base or flavour.isabs(folder) else resolve_path(base, anchors, platform)


def _find_below(text: str, anchors: Mapping[str, str], platform: str) -> tuple[str, str] | None:
    if not _is_absolute(text, platform):
        return None
    cut, head = cut_tail(find_tail(text, platform), "win32"), find_head(text, platform)
    found, depth = "", -1
    for folder in filter(None, anchors.values()):
        above = cut_tail(find_tail(folder, platform), platform)
        same = find_head(folder, platform) == head and fold_parts(cut[: len(above)], platform) == fold_parts(
            above, platform
        )
        if same and depth < len(above):
            found, depth = folder, len(above)
    return (found, "/".join(cut[depth:])) if found else None


def _find_start(text: str, judged: JudgedPath, anchors: Mapping[str, str], platform: str) -> str:
    """Return the folder that a judged path starts from, or an empty text if it is relative."""
    if judged.anchor is None and not judged.drive:
        return ""
    key = f"drive:{judged.drive[0].upper()}" if judged.drive.endswith(":") else judged.anchor or judged.drive
    if folder := anchors.get(key):
        return folder
    if judged.drive and platform == "win32":
        return f"{judged.drive}\\"
    known = ", ".join(f"{each}:/" for each in sorted(anchors) if anchors[each]) or "none"
    what = f"the drive {judged.drive}" if judged.drive else f"an unknown anchor, “{judged.anchor}:/”"
    reason = f"starts with {what}, which this machine doesn't have"
    raise refuse_path("anchor", text, f"{key}:/", reason, f"Known: {known}.")


def _join(folder: str, parts: Iterable[str], platform: str) -> str:
    flavour = choose_flavour(platform)
    return str(flavour.normpath(flavour.join(folder, *parts)))


def _is_absolute(text: str, platform: str) -> bool:
    if platform != "win32":
        return text.startswith("/") and not text.startswith(("//", "/\\"))
    drive, tail = ntpath.splitdrive(text)
    return bool(drive) and tail.startswith(("/", "\\"))
