"""What was asked on the command line. What reads files is imported when there is one to read."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.base.errors import InputError

if TYPE_CHECKING:
    from agent.models.serving.wishes import ModelWish
    from agent.requests.flows import Flow
    from agent.requests.requests import Request
    from core.approvals.approvals import ApprovalGate
    from core.rules.approval_classes import ApprovalClass

_FLOW_ENDINGS = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True)
class Asked:
    """The arguments that say what to do.

    Attributes:
        what: A sentence or the path of a flow.
        goals: Path of a goals file, instead.
        variables: ``NAME=VALUE`` for the flow.
        hosts: The only hosts that may be reached; none named means no limit.
        roots: The only folders whose files may be used, by path or by anchor; none named means the workspace and the
            folders for desktop, documents and downloads.
        allow: Verbs that run only where they are named.
        ops: Ids of the changes that are made, with commas; None for all.
    """

    what: str
    goals: Path | None
    workspace: Path
    variables: Sequence[str] = ()
    hosts: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    timeout_s: float | None = None
    allow: tuple[str, ...] = ()
    policy: Path | None = None
    ops: str | None = None

    def make_request(self, mode: Literal["plan", "execute"], gate: "ApprovalGate | None" = None) -> "Request":
        """Read the files and return the request.

        Raises:
            InputError: If it isn't exactly one of a sentence, a flow and a goals file, or a file is bad.
        """
        from agent.cli.limits import PolicyOptions
        from agent.requests.requests import Request
        from core.approvals.approvals import ClassGate
        from core.base.budgets import Budget

        self.check()
        policy = PolicyOptions(self.hosts, self.roots, self.allow, self.policy).read_policy()
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
        """Check what no file says.

        Raises:
            InputError: If it isn't exactly one of a sentence, a flow and a goals file, or an option makes no sense.
        """
        if not self.workspace.is_dir():
            raise InputError(f'The workspace "{self.workspace}" is not a folder.', hint="Create it, or name another.")
        if self.timeout_s is not None and not self.timeout_s > 0:
            raise InputError("--timeout must be above 0 seconds.")

    def check_kind(self) -> None:
        """Check that one thing is asked for.

        Raises:
            InputError: If it isn't exactly one of a sentence, a flow and a goals file, or variables are set of what is no flow.
        """
        if bool(self.what.strip()) == bool(self.goals):
            raise InputError("Give exactly one of a sentence, a flow file and --goals FILE.")
        if self.variables and not self.flow_file:
            raise InputError("--var sets variables of a flow file, but this is not a flow file.")

    def read_ops(self) -> tuple[str, ...] | None:
        """Return the ids of the changes that are to be made; None for all."""
        return None if self.ops is None else tuple(part.strip() for part in self.ops.split(",") if part.strip())

    def read_variables(self) -> dict[str, str]:
        """Return the variables of the flow by name.

        Raises:
            InputError: If one is not ``NAME=VALUE``.
        """
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
class Simulated:
    """Whether, and on what machine, a run is simulated."""

    wanted: bool = False
    machine: Path | None = None
    faults: tuple[str, ...] = ()


def _want_no_model() -> "ModelWish":
    from agent.models.serving.wishes import NO_MODEL

    return NO_MODEL


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run and what to print.

    Attributes:
        as_json: Whether to write events as JSON lines.
        dry_run: Whether only to plan.
        trace: Whether to record a Playwright trace: ``off``, ``on`` or ``on-failure``; None leaves it to the settings.
        log_level: From which level on log lines go to stderr; None leaves it to the settings.
        quiet: Whether only the reply is printed.
        model: Which model helps where a sentence is not understood.
        language: Tag of the language in which it is said; empty leaves it to the settings.
        keep_pictures: Whether pictures of every step on a page are kept, and what the page said.
        report: Where a report is written, which needs them; None for nowhere.
    """

    as_json: bool = False
    dry_run: bool = False
    approved: str = ""
    headed: bool = False
    trace: str | None = None
    log_level: str | None = None
    quiet: bool = False
    verbose: bool = False
    simulated: Simulated = field(default_factory=Simulated)
    full: bool = False
    model: "ModelWish" = field(default_factory=_want_no_model)
    language: str = ""
    keep_pictures: bool = False
    report: Path | None = None

    def read_approved(self) -> "tuple[ApprovalClass, ...]":
        """Return the classes of approval that are given beforehand.

        Raises:
            InputError: If one can't be.
        """
        return read_approved(self.approved)


def check_language(tag: str) -> str:
    """Return the tag of a language.

    Args:
        tag: As it was given to ``--language``.

    Raises:
        InputError: If it is none that is understood.
    """
    from core.language.talk.languages import FOLDERS

    if tag not in FOLDERS:
        raise InputError(f'--language takes {", ".join(FOLDERS)}, not "{tag}".', code="bad_usage")
    return tag


def read_approved(listed: str) -> "tuple[ApprovalClass, ...]":
    """Return the classes of approval that ``--yes`` gives beforehand.

    Raises:
        InputError: If a class can't be approved beforehand.
    """
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
    """Return what ``--var`` sets, by name.

    Args:
        pairs: ``NAME=VALUE`` each.

    Raises:
        InputError: If one is not.
    """
    variables: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise InputError(f'--var "{pair}" is not NAME=VALUE.')
        variables[name] = value
    return variables
