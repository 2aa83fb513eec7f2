"""Which application or process a name means."""

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from rapidfuzz import fuzz, process

from actuators.system.ports.programs import Application, Process
from core.base.errors import DeviceError

_NEAREST = 5
_LEAST_SCORE = 65
_SUFFIXES = (".desktop", ".exe", ".app")
_LINUX_NAME = 15
"""Characters that the kernel keeps of a process's name."""


def find_application(applications: Sequence[Application], wanted: str) -> Application | None:
    """Return the application of a name: by id, else name, executable, and other names; ``app_ambiguous`` if two are."""
    asked = _fold(wanted)
    ranks = (
        lambda each: [each.id],
        lambda each: [each.name],
        lambda each: [_stem(each.executable), each.id.rpartition(".")[2]],
        lambda each: each.names,
    )
    for rank in ranks:
        found = [each for each in applications if asked in {_fold(name) for name in rank(each) if name}]
        if len({each.argv for each in found}) > 1:
            raise _ambiguous(wanted, found)
        if found:
            return found[0]
    return None


def find_processes(
    processes: Sequence[Process], wanted: str, applications: Sequence[Application] = ()
) -> tuple[Process, ...]:
    """Return the processes of an application: those whose program, or that of the application of that name, is it.

    Raises:
        DeviceError: ``process_missing`` if none is; lists the nearest.
    """
    names = {_fold(wanted)}
    names |= {_fold(_stem(each.executable)) for each in applications if _fold(wanted) in _all_names(each)}
    found = tuple(each for each in processes if _program_names(each) & names)
    if found:
        return found
    nearest = nearest_names(wanted, {each.name for each in processes})
    raise DeviceError(
        f"No running program is called “{wanted}”." + _suggest(nearest),
        code="process_missing",
        hint="List the processes to see what is running.",
        evidence={"nearest": nearest},
    )


def find_pid(processes: Sequence[Process], pid: int) -> Process:
    """Return the process of a number; DeviceError ``process_missing``."""
    for each in processes:
        if each.pid == pid:
            return each
    raise DeviceError(
        f"Process {pid} does not exist.",
        code="process_missing",
        hint="List the processes to see what is running.",
        evidence={"pid": pid},
    )


def application_missing(applications: Sequence[Application], wanted: str) -> DeviceError:
    """Return the error for a name that neither the desktop nor the path knows; it lists the nearest."""
    nearest = nearest_names(wanted, {each.name for each in applications})
    return DeviceError(
        f"No application or executable “{wanted}” found." + _suggest(nearest),
        code="app_missing",
        hint="List the applications to see their names, or give the path of an executable.",
        evidence={"nearest": nearest, "applications": len(applications)},
    )


def nearest_names(wanted: str, names: Iterable[str]) -> list[str]:
    """Return the names that are most like one, the nearest first; those that aren't like it are left out."""
    ordered = sorted(set(names))
    found = process.extract(
        wanted, ordered, scorer=fuzz.WRatio, processor=str.casefold, limit=_NEAREST, score_cutoff=_LEAST_SCORE
    )
    return [name for name, _, _ in found]


def is_running(application: Application, running: frozenset[str]) -> bool:
    """Tell whether an application's program is among the names that ``running_names`` gave."""
    return _fold(_stem(application.executable)) in running


def running_names(processes: Iterable[Process]) -> frozenset[str]:
    """Return all names that the programs of processes go by."""
    return frozenset(name for each in processes for name in _program_names(each))


def with_descendants(processes: Sequence[Process], roots: Sequence[Process]) -> tuple[Process, ...]:
    """Return processes together with all that they started, parents first."""
    children: dict[int, list[Process]] = {}
    for each in processes:
        children.setdefault(each.parent, []).append(each)
    ordered: dict[int, Process] = {}
    waiting = list(roots)
    while waiting:
        each = waiting.pop(0)
        if each.pid not in ordered:
            ordered[each.pid] = each
            waiting += [child for child in children.get(each.pid, []) if child.started_s >= each.started_s]
    return tuple(ordered.values())


def _program_names(process_: Process) -> set[str]:
    """Return what a process goes by; the program of an interpreter is the script that it runs."""
    names = {process_.name, _stem(process_.executable)}
    if process_.argv:
        names.add(_stem(process_.argv[0]))
        if len(process_.name) == _LINUX_NAME:
            names |= {_stem(part) for part in process_.argv[:2] if _stem(part).startswith(process_.name)}
        names |= {_stem(part) for part in process_.argv[1:2] if _stem(part) == process_.name}
    return {_fold(name) for name in names if name}


def _all_names(application: Application) -> set[str]:
    names = (application.id, application.name, *application.names, application.id.rpartition(".")[2])
    return {_fold(name) for name in names if name}


def _stem(path: str) -> str:
    return PurePath(path.replace("\\", "/")).name


def _fold(name: str) -> str:
    folded = " ".join(name.split()).casefold()
    for suffix in _SUFFIXES:
        folded = folded.removesuffix(suffix)
    return folded


def _suggest(nearest: Sequence[str]) -> str:
    return f" Nearest: {', '.join(nearest)}." if nearest else ""


def _ambiguous(wanted: str, found: Sequence[Application]) -> DeviceError:
    listed = [{"name": each.name, "id": each.id, "executable": each.executable} for each in found]
    return DeviceError(
        f"“{wanted}” may be one of {len(found)} applications: {', '.join(each.id or each.name for each in found)}.",
        code="app_ambiguous",
        hint="Name it by its id.",
        evidence={"applications": listed},
    )
