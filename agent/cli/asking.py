"""What was asked on the command line, as a Request."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.assembly import locate_folder
from agent.flows import Flow, load_flow
from agent.goal_files import load_goals
from agent.requests import Request
from core.approvals import ApprovalGate, ClassGate
from core.budgets import Budget
from core.errors import InputError
from core.policy import Policy
from core.urls import parse_host

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
        roots: The only folders whose files may be used; none named means the workspace.
        timeout_s: Budget of the run in seconds.
    """

    what: str
    goals: Path | None
    workspace: Path
    variables: Sequence[str] = ()
    hosts: tuple[str, ...] = ()
    roots: tuple[Path, ...] = ()
    timeout_s: float | None = None

    def make_request(self, mode: Literal["plan", "execute"] = "execute", gate: ApprovalGate | None = None) -> Request:
        """Read the files and return the request.

        Raises:
            InputError: If it isn't exactly one of a sentence, a flow and a goals file, or a file is bad.
        """
        if not self.workspace.is_dir():
            raise InputError(f'The workspace "{self.workspace}" is not a folder.', hint="Create it, or name another.")
        if self.timeout_s is not None and not self.timeout_s > 0:
            raise InputError("--timeout must be above 0 seconds.")
        _check_hosts(self.hosts)
        flow = self._read_flow()
        return Request(
            utterance=None if flow else self.what,
            flow=flow,
            mode=mode,
            policy=Policy(
                hosts=self.hosts or None, roots=tuple(str(locate_folder(root)) for root in self.roots) or None
            ),
            budget=Budget(self.timeout_s),
            gate=gate or ClassGate(),
        )

    def _read_flow(self) -> Flow | None:
        if bool(self.what.strip()) == bool(self.goals):
            raise InputError("Say what to do: a sentence, a flow file, or --goals FILE; exactly one of them.")
        if not self.goals and _is_flow_file(self.what):
            return load_flow(Path(self.what), _read_variables(self.variables))
        if self.variables:
            raise InputError("--var sets variables of a flow file, and this is none.")
        return load_goals(self.goals) if self.goals else None


def _is_flow_file(what: str) -> bool:
    """Tell whether it is the path of a flow: by its ending, and as one word or an existing file."""
    path = Path(what)
    return path.suffix.lower() in _FLOW_ENDINGS and (len(what.split()) == 1 or _exists(path))


def _check_hosts(hosts: Sequence[str]) -> None:
    for host in hosts:
        if parse_host(host.removeprefix("*.")) is None:
            raise InputError(f'--host "{host}" is no host.', hint="Write HOST, HOST:PORT or *.DOMAIN, without http://.")


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
