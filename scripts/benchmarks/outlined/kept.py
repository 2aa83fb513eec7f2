"""What an engineer would keep of a task: a flow file of the lines that worked, run once more without any outline."""

import io
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ruamel.yaml import YAML

from actuators.child_environments import make_child_environment
from scripts.benchmarks.environment import BUILD
from scripts.benchmarks.outlined.walking import GoalParts

RUN_LIMIT_S = 120.0
_LAST_WORDS = 400


def write_flow(name: str, goals: Sequence[GoalParts]) -> str:
    """Return a flow file.

    Args:
        name: Of the flow.
        goals: What it does.
    """
    said = [{f"browser.{verb}": dict(params)} for verb, params in goals]
    text = io.StringIO()
    writer = YAML()
    writer.default_flow_style = False
    writer.dump({"name": name, "policy": {"hosts": ["127.0.0.1"]}, "goals": said}, text)
    return text.getvalue()


def save_flow(name: str, flow: str) -> Path:
    """Write a flow file where it can be looked at afterwards; return where that is.

    Args:
        name: Of the flow.
        flow: Its text.
    """
    file = BUILD / "flows" / f"{'-'.join(re.findall(r'[a-z0-9]+', name.casefold()))}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(flow, encoding="utf-8")
    return file


def run_flow(flow: str, folder: Path) -> str:
    """Run a flow file as a person does; return what went wrong, or nothing.

    Args:
        flow: Its text.
        folder: An empty one to run it in.
    """
    (folder / "flow.yaml").write_text(flow, encoding="utf-8")
    command = [str(Path(sys.executable).with_name("surehand")), "run", "flow.yaml", "--quiet"]
    done = subprocess.run(
        command,
        cwd=folder,
        env=make_child_environment(),
        capture_output=True,
        text=True,
        timeout=RUN_LIMIT_S,
        check=False,
    )
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip()[-_LAST_WORDS:]
