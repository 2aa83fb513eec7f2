"""What was asked on the command line: each request with the options that make it. What reads files is imported when there is one to read."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from agent.cli.limits import Limits
from agent.cli.options import (
    HERE,
    OUTPUT,
    AsJson,
    DryRun,
    Faults,
    Full,
    Goals,
    Headed,
    KeepPictures,
    Language,
    LogLevel,
    Machine,
    ModelName,
    Ops,
    Option,
    Quiet,
    Record,
    Replay,
    Report,
    Simulate,
    Timeout,
    Trace,
    Vars,
    Verbose,
    What,
    Workspace,
    Yes,
)
from agent.models.wishes import ModelWish
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass, field

if TYPE_CHECKING:
    from agent.requests.flows import Flow
    from agent.requests.requests import Request
    from agent.settings.settings import Settings
    from core.approvals.approvals import ApprovalGate
    from core.rules.approval_classes import ApprovalClass

_FLOW_ENDINGS = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True)
class Asked:
    """What to do, and what may be touched.

    Attributes:
        what: A sentence or the path of a flow.
        goals: Path of a goals file, instead.
        variables: ``NAME=VALUE`` for the flow.
        ops: Ids of the changes that are made, with commas; None for all.
    """

    what: What = ""
    goals: Goals = None
    workspace: Workspace = HERE
    variables: Vars = ()
    limits: Limits = field(default_factory=Limits)
    timeout_s: float | None = None
    ops: str | None = None

    def make_request(self, mode: Literal["plan", "execute"], gate: "ApprovalGate | None" = None) -> "Request":
        """Read the files and return the request."""
        from agent.requests.requests import Request
        from core.approvals.approvals import ClassGate
        from core.base.budgets import Budget

        self.check()
        policy = self.limits.read_policy()
        flow = self._read_flow()
        return Request(
            utterance=None if flow else self.what,
            flow=flow,
            mode=mode,
            policy=policy,
            budget=Budget(self.timeout_s),
            gate=gate or ClassGate(),
            selected_diff_ops=self.read_ops(),
        )

    @property
    def flow_file(self) -> Path | None:
        """The flow file that is named; None where a sentence or a goals file is."""
        return Path(self.what) if not self.goals and _is_flow_file(self.what) else None

    def check(self) -> None:
        """Check what no file says."""
        check_workspace(self.workspace)
        check_timeout(self.timeout_s)

    def check_kind(self) -> None:
        """Check that one thing is asked for."""
        if bool(self.what.strip()) == bool(self.goals):
            raise InputError("Give exactly one of a sentence, a flow file and --goals FILE.")
        if self.variables and not self.flow_file:
            raise InputError("--var sets variables of a flow file, but this is not a flow file.")

    def read_ops(self) -> tuple[str, ...] | None:
        """Return the ids of the changes that are to be made; None for all."""
        return None if self.ops is None else tuple(part.strip() for part in self.ops.split(",") if part.strip())

    def read_variables(self) -> dict[str, str]:
        """Return the variables of the flow by name."""
        return read_pairs(self.variables)

    def _read_flow(self) -> "Flow | None":
        from agent.requests.flows import load_flow
        from agent.requests.goal_files import load_goals

        self.check_kind()
        if self.flow_file:
            return load_flow(
                self.flow_file, self.read_variables(), workspace=self.workspace, environment=dict(os.environ)
            )
        return load_goals(self.goals) if self.goals else None


@dataclass(frozen=True, slots=True)
class AskedRun(Asked):
    """The same, with how long it may take and which changes are made."""

    timeout_s: Timeout = None
    ops: Ops = None


@dataclass(frozen=True, slots=True)
class Simulated:
    """Whether, and on what machine, a run is simulated, and what goes wrong on purpose."""

    wanted: Simulate = False
    machine: Machine = None
    faults: Faults = ()


@dataclass(frozen=True, slots=True)
class ModelOptions(ModelWish):
    """Which model helps where a sentence is not understood."""

    name: ModelName = ""
    replay: Replay = None
    record: Record = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run and what to print; None leaves it to the settings."""

    as_json: AsJson = False
    dry_run: DryRun = False
    approved: Yes = ""
    headed: Headed = False
    trace: Trace = None
    log_level: LogLevel = None
    quiet: Quiet = False
    verbose: Verbose = False
    simulated: Simulated = field(default_factory=Simulated)
    full: Full = False
    model: ModelOptions = field(default_factory=ModelOptions)
    language: Language = ""
    keep_pictures: KeepPictures = False
    report: Report = None

    def read_approved(self) -> "tuple[ApprovalClass, ...]":
        """Return the classes of approval that are given beforehand."""
        return read_approved(self.approved)


@dataclass(frozen=True, slots=True)
class PlanShowing:
    """How a plan is shown, and who helps to make it."""

    as_json: AsJson = False
    mermaid: Annotated[bool, Option("--mermaid", "Write a Mermaid flow chart.", OUTPUT)] = False
    verbose: Verbose = False
    model: ModelOptions = field(default_factory=ModelOptions)


def check_workspace(workspace: Path, hint: str = "Create it, or name another.") -> None:
    """Check that a working folder is one."""
    if not workspace.is_dir():
        raise InputError(f'The workspace "{workspace}" is not a folder.', hint=hint)


def locate_kept(workspace: Path) -> Path:
    """Return the folder with what is kept of a workspace."""
    from agent.settings.folder_checks import locate_state

    check_workspace(workspace, "Name another.")
    return locate_state(workspace)


def find_address(what: str) -> str | None:
    """Return the address that is named; None where a window is."""
    from core.addresses.spelled_addresses import complete_address
    from core.language.talk.languages import load_language

    words = what.split()
    is_spaced = len(words) > 1 and "://" not in words[0]
    return None if is_spaced else complete_address(what, load_language("en").vocabulary.unhosted_endings)


def check_folder(path: Path) -> None:
    """Check that the folder of a file is there."""
    if not path.parent.is_dir():
        hint = "Create it, or name another."
        raise InputError(f"The folder of {path} does not exist.", code="not_found", hint=hint)


def check_new_file(path: Path) -> None:
    """Check that a file can be made without anything being lost."""
    check_folder(path)
    if path.exists():
        hint = "Choose another name; nothing is overwritten."
        raise InputError(f"{path} already exists.", code="file_exists", hint=hint)


def check_timeout(seconds: float | None) -> None:
    """Check that a run has time at all."""
    if seconds is not None and not seconds > 0:
        raise InputError("--timeout must be above 0 seconds.")


def check_language(tag: str) -> str:
    """Return the tag of a language, as it was given to ``--language``."""
    from core.language.talk.languages import FOLDERS

    return _check_choice("language", tag, tuple(FOLDERS))


def choose_settings(
    workspace: Path,
    *,
    headed: bool = False,
    keep_pictures: bool = False,
    trace: str | None = None,
    log_level: str | None = None,
    language: str = "",
) -> "Settings":
    """Return the settings of a folder, but for what the command line says."""
    from agent.settings.settings import TraceWish, load_settings
    from agent.telemetry.log_levels import LogLevel

    settings = load_settings(workspace)
    chosen: dict[str, Any] = {
        "headed": headed or settings.headed,
        "keep_pictures": keep_pictures or settings.keep_pictures,
    }
    if trace is not None:
        chosen["trace"] = _check_choice("trace", trace, get_args(TraceWish))
    if log_level is not None:
        chosen["log_level"] = _check_choice("log-level", log_level, get_args(LogLevel))
    if language:
        chosen["language"] = check_language(language)
    return settings.model_copy(update=chosen)


def _check_choice(option: str, given: str, known: Sequence[str]) -> str:
    if given not in known:
        raise InputError(f'--{option} takes {", ".join(known)}, not "{given}".', code="bad_usage")
    return given


def read_approved(listed: str) -> "tuple[ApprovalClass, ...]":
    """Return the classes of approval that ``--yes`` gives beforehand."""
    from core.rules.approval_classes import APPROVAL_CLASSES, GIVEN_BEFOREHAND

    classes: list[ApprovalClass] = []
    known: dict[str, ApprovalClass] = {each: each for each in GIVEN_BEFOREHAND}
    for name in filter(None, (part.strip() for part in listed.split(","))):
        found = known.get(name)
        if found is None:
            is_asked = name in APPROVAL_CLASSES and name != "none"
            hint = "Only a person at the terminal can confirm, one action at a time." if is_asked else ""
            raise InputError(f'--yes takes {" and ".join(GIVEN_BEFOREHAND)}, not "{name}".', hint=hint)
        classes.append(found)
    return tuple(classes)


def _is_flow_file(what: str) -> bool:
    """Tell whether it is the path of a flow: by its ending, and as one word or an existing file."""
    path = Path(what)
    return path.suffix.lower() in _FLOW_ENDINGS and (len(what.split()) == 1 or _exists(path))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a long sentence is no possible name of a file
        return False


def read_pairs(pairs: Sequence[str]) -> dict[str, str]:
    """Return what ``--var`` sets, by name."""
    variables: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise InputError(f'--var "{pair}" is not NAME=VALUE.')
        variables[name] = value
    return variables
