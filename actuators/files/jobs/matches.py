"""Which files a glob or a list of paths means, found out on the disk when a change is planned.

A glob names files, and folders only where the verb asks for folders. A hidden name, with a dot in front, is matched by a
pattern that begins with a dot too, and by no other. What a glob finds is judged like a path that somebody wrote.

Globs have ``*`` and ``?`` within a name, ``[…]`` for one of several characters, ``{…,…}`` for one of several texts, ``**`` for
any folders. ``!{…,…}`` in front of a name leaves names out: ``!{a.txt,*.log}*`` is every name but these.
"""

import re
from collections.abc import Iterator, Sequence

from actuators.files.jobs.jobs import FileJob
from actuators.files.jobs.states import DEEPEST, refuse_type, require_state
from actuators.files.ports import FileState, Folder
from actuators.files.stores.failures import explaining, refuse
from actuators.files.stores.temporary_names import is_temporary
from core.addresses.paths import PathTerms, resolve_path
from core.base.errors import FileError
from core.base.late_dataclasses import dataclass
from core.base.phrases import escape_text

_SET = re.compile(r"([!^]?)(\]?[^\]]*)\]")
_CHOICE = re.compile(r"(?<!!)\{([^{},/]*(?:,[^{},/]*)+)\}")
_LEFT_OUT = re.compile(r"!\{([^{}/]*)\}")
_MOST_CHOICES = 256


def compile_glob(pattern: str, *, any_case: bool) -> tuple[re.Pattern[str], bool]:
    """Return a regular expression for a whole name, or with a ``/`` for the path below the folder, and whether it is for paths."""
    slashed = pattern.replace("\\", "/")
    flags = re.DOTALL | (re.IGNORECASE if any_case else 0)
    return re.compile("|".join(map(_translate_path, _list_choices(slashed))), flags), "/" in slashed


def _list_choices(pattern: str) -> list[str]:
    """Return the patterns without braces that one with braces stands for; too many of them are taken as they are written."""
    found = [pattern]
    while any(_CHOICE.search(each) for each in found):
        found = [
            f"{each[: match.start()]}{text}{each[match.end() :]}" for each in found for match, text in _choose(each)
        ]
        if len(found) > _MOST_CHOICES:
            return [pattern]
    return found


def _choose(pattern: str) -> list[tuple[re.Match[str], str]]:
    match = _CHOICE.search(pattern)
    return [(match, text) for text in match[1].split(",")] if match else []


def _translate_path(slashed: str) -> str:
    parts = [part for part in slashed.split("/") if part]
    runs: list[list[str]] = [[]]  # of names, between any folders
    for part in parts:
        if part != "**":
            runs[-1].append(_translate(part))
        elif runs[-1] or len(runs) == 1:
            runs.append([])
    return _join_runs(runs)


def _join_runs(runs: Sequence[Sequence[str]]) -> str:
    first, *others = ("".join(f"{name}/" for name in run) for run in runs)
    if not others:
        return first.removesuffix("/")
    last = others.pop()
    between = "".join(f"(?>(?:[^/]+/)*?{run})" for run in others)
    return first + between + (f"(?:[^/]+/)*{last.removesuffix('/')}" if last else ".*")


def _translate(part: str) -> str:
    """Return what matches a name.

    What stands between two stars is taken where it comes first, and never looked for again: nothing is lost by that, and a
    glob of many stars takes no longer than the name is.
    """
    left_out = _LEFT_OUT.match(part)
    if left_out is not None:
        names = "|".join(_translate(each) for each in left_out[1].split(",") if each)
        return f"(?!(?:{names})(?:/|\\Z))" * bool(names) + _translate(part[left_out.end() :])
    first, *others = _list_runs(part)
    if not others:
        return first
    last = others.pop()
    return first + "".join(f"(?>[^/]*?{run})" for run in others if run) + f"[^/]*{last}"


def _list_runs(part: str) -> list[str]:
    """Return what matches the pieces of a name between its stars, each of which has one length only."""
    runs, place = [""], 0
    while place < len(part):
        char, place = part[place], place + 1
        if char == "*":
            runs.append("")
            continue
        closing = _SET.match(part, place) if char == "[" else None
        if closing is None or not closing[2]:
            runs[-1] += "[^/]" if char == "?" else re.escape(char)
            continue
        runs[-1] += _translate_set(closing[2], negated=bool(closing[1]))
        place = closing.end()
    return runs


def _translate_set(characters: str, *, negated: bool) -> str:
    inner, rest = "", characters
    while rest:
        if len(rest) > 2 and rest[1] == "-":
            first, last, rest = rest[0], rest[2], rest[3:]
            inner += f"{re.escape(first)}-{re.escape(last)}" if first <= last else ""
        else:
            inner, rest = inner + re.escape(rest[0]), rest[1:]
    if not inner:
        return "[^/]" if negated else "(?!)"
    return f"(?!/)[{'^' if negated else ''}{inner}]"


MOST_AT_ONCE = 1_000
"""Files that one act may concern; whoever agrees to it is shown each of them."""

_MARKS = re.compile(r"[*?]")
_ANY_FOLDERS = "**"
_MOST_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Glob:
    """A glob, taken apart (``steps``: a pattern for each part; empty where ``**`` stands for any number of folders)."""

    asked: str
    base: str
    parts: Sequence[str]
    pattern: re.Pattern[str]
    steps: Sequence[re.Pattern[str]]
    wanted: str

    def may_enter(self, name: str, depth: int) -> bool:
        """Tell whether something that is wanted may lie in a folder."""
        if not self.steps:
            return depth < DEEPEST and not name.startswith(".")
        return depth < len(self.parts) - 1 and self.fits_step(name, depth)

    def fits_step(self, name: str, depth: int) -> bool:
        """Tell whether a name at some depth can be a part of what is wanted."""
        part = self.parts[depth if self.steps else -1]
        shown = part.startswith(".") or not name.startswith(".")
        return shown and (not self.steps or self.steps[depth].fullmatch(name) is not None)


def is_glob(path: str) -> bool:
    """Tell whether a path is a glob: no file that Windows can have has such a name."""
    return _MARKS.search(path) is not None


def names_several(value: str | Sequence[str]) -> bool:
    """Tell whether a list, or a glob, stands where a single path could."""
    return not isinstance(value, str) or is_glob(value)


def find_matches(job: FileJob, paths: str | Sequence[str], *, wanted: str, writing: bool, but: str = "") -> list[str]:
    """Return the paths that paths and globs mean but for one, each once, those of a glob sorted; or ``too_many``."""
    found: dict[str, None] = {}
    for path in (paths,) if isinstance(paths, str) else paths:
        found |= dict.fromkeys(_expand(job, path, wanted, writing=writing, but=but) if is_glob(path) else (path,))
        if len(found) > MOST_AT_ONCE:
            raise _refuse_many(path)
    return list(found)


def find_base(job: FileJob, path: str) -> str:
    """Return the folder in front of the first wildcard of an absolute path."""
    pure = job.path(path)
    first = next((number for number, part in enumerate(pure.parts) if is_glob(part)), len(pure.parts) - 1)
    return str(job.path(pure.parts[0]).joinpath(*pure.parts[1:first]))


def _expand(job: FileJob, path: str, wanted: str, *, writing: bool, but: str) -> list[str]:
    glob = _read_glob(job, path, wanted)
    spot = job.find(glob.base)
    state = require_state(job, spot, glob.base)
    if state.kind != "folder":
        raise refuse_type(glob.base, state, "a folder")
    found: list[str] = []
    base = job.path(glob.base)
    with explaining("look into", glob.base), spot.descend() as folder:
        near = [name for name in folder.names() if not name.startswith(".")][:_MOST_SHOWN]
        for below, _ in _walk(job, glob, folder, "", 0):
            each = str(base.joinpath(*below.split("/")))
            if each != but:
                found.append(_judge(job, each, writing=writing))
            if len(found) > MOST_AT_ONCE:
                raise _refuse_many(path)
    if not found:
        raise _refuse_none(glob, near)
    return found


def _read_glob(job: FileJob, path: str, wanted: str) -> _Glob:
    base = find_base(job, path)
    parts = job.path(path).parts[len(job.path(base).parts) :]
    any_case = job.hands.store.platform == "win32"
    compiled = [compile_glob(part, any_case=any_case)[0] for part in parts]
    return _Glob(
        asked=path,
        base=base,
        parts=parts,
        pattern=compile_glob("/".join(parts), any_case=any_case)[0],
        steps=[] if _ANY_FOLDERS in parts else compiled,
        wanted=wanted,
    )


def _walk(job: FileJob, glob: _Glob, folder: Folder, prefix: str, depth: int) -> Iterator[tuple[str, FileState]]:
    """Yield what is wanted, sorted by path; what can't be looked into fails, for all of it is meant."""
    for name in folder.names():
        job.check()
        if is_temporary(name):
            continue
        state, path = folder.state(name), f"{prefix}{name}"
        if state.kind == glob.wanted and glob.fits_step(name, depth) and glob.pattern.fullmatch(path):
            yield path, state
        elif state.kind == "folder" and glob.may_enter(name, depth):
            with folder.descend(name) as below:
                yield from _walk(job, glob, below, f"{path}/", depth + 1)


def _judge(job: FileJob, path: str, *, writing: bool) -> str:
    terms = PathTerms(long_paths=True, writing=writing)
    resolve_path(path, job.environment.anchors, job.hands.store.platform, terms=terms)
    return path


def _refuse_none(glob: _Glob, near: Sequence[str]) -> FileError:
    shown = f" There are {', '.join(map(escape_text, near))}." if near else " The folder is empty."
    return FileError(
        f"No {glob.wanted} in “{escape_text(glob.base)}” matches “{escape_text('/'.join(glob.parts))}”.",
        code="not_found",
        hint=f"Check the pattern.{shown}",
        evidence={"path": glob.asked, "folder": glob.base, "nearby": near},
    )


def _refuse_many(path: str) -> FileError:
    hint = "Do it in parts, with narrower patterns."
    return refuse(path, f"matches more than {MOST_AT_ONCE} files", hint, code="too_many", limit=MOST_AT_ONCE)
