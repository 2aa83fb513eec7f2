"""What was asked on the command line, as a Request."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.cli.limits import PolicyOptions
from agent.requests.flows import Flow, load_flow
from agent.requests.goal_files import load_goals
from agent.requests.requests import Request
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.budgets import Budget
from core.base.errors import InputError

_FLOW_ENDINGS = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True)
class Asked:
    """The arguments that say what to do.

    Attributes:
        what: A sentence or the path of a flow.
        goals: Path of a goals file, instead.
        workspace: Working folder.
        variables: ``NAME=VALUE`` for the flow.
        hosts: The only hosts that may be reached; none named means no limit.
        roots: The only folders whose files may be used, by path or by anchor; none named means the workspace and the
            folders for desktop, documents and downloads.
        timeout_s: Budget of the run in seconds.
        allow: Verbs that run only where they are named.
        policy: Path of a file of rules.
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

    def make_request(self, mode: Literal["plan", "execute"], gate: ApprovalGate | None = None) -> Request:
        """Read the files and return the request.

        Args:
            mode: Whether to carry it out.
            gate: Who answers approval requests.

        Raises:
            InputError: If it isn't exactly one of a sentence, a flow and a goals file, or a file is bad.
        """
        if not self.workspace.is_dir():
            raise InputError(f'The workspace "{self.workspace}" is not a folder.', hint="Create it, or name another.")
        if self.timeout_s is not None and not self.timeout_s > 0:
            raise InputError("--timeout must be above 0 seconds.")
        policy = PolicyOptions(self.hosts, self.roots, self.allow, self.policy).read_policy()
        flow = self._read_flow()
        return Request(
            utterance=None if flow else self.what,
            flow=flow,
            mode=mode,
            policy=policy,
            budget=Budget(self.timeout_s),
            gate=gate or ClassGate(),
            selected_diff_ops=None if self.ops is None else _read_ops(self.ops),
        )

    def _read_flow(self) -> Flow | None:
        if bool(self.what.strip()) == bool(self.goals):
            raise InputError("Give exactly one of a sentence, a flow file and --goals FILE.")
        if not self.goals and _is_flow_file(self.what):
            return load_flow(Path(self.what), _read_variables(self.variables))
        if self.variables:
            raise InputError("--var sets variables of a flow file, but this is not a flow file.")
        return load_goals(self.goals) if self.goals else None


def _is_flow_file(what: str) -> bool:
    """Tell whether it is the path of a flow: by its ending, and as one word or an existing file."""
    path = Path(what)
    return path.suffix.lower() in _FLOW_ENDINGS and (len(what.split()) == 1 or _exists(path))


def _read_ops(ops: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in ops.split(",") if part.strip())


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a long sentence is no possible name of a file
        return False


def _read_variables(pairs: Sequence[str]) -> dict[str, str]:
    variables: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise InputError(f'--var "{pair}" is not NAME=VALUE.')
        variables[name] = value
    return variables
