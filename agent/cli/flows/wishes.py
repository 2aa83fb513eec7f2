"""What is asked of the commands about flow files."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from agent.cli.asking import Asked
from agent.cli.limits import Limits
from agent.cli.options import HERE, OUTPUT, AsJson, Headed, Option, Timeout, Vars, Workspace, Yes


@dataclass(frozen=True, slots=True)
class MendWish:
    """Which flow is mended, and how; the page goes beside the run's pictures where it is None."""

    flow: Annotated[str, Option("FLOW", "The path of a flow file.")]
    runs: Annotated[bool, Option("--run", "Run the flow now, and go on past a miss with what you accept.")] = False
    page: Annotated[Path | None, Option("--page FILE", "Write the page with the pictures here.", OUTPUT)] = None
    as_json: AsJson = False
    variables: Vars = ()
    approved: Yes = ""
    workspace: Workspace = HERE
    limits: Limits = field(default_factory=Limits)
    timeout_s: Timeout = None
    headed: Headed = False

    @property
    def asked(self) -> Asked:
        """What a run of it may touch."""
        return Asked(self.flow, None, self.workspace, self.variables, self.limits, self.timeout_s)
