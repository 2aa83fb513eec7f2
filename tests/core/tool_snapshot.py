"""The snapshot of what `surehand tools --json` prints.

After a change of a tool's signature or docstring, look at the difference and take it over:

    python -m tests.core.tool_snapshot
"""

import json
from pathlib import Path

from core.tools.schemas import describe_tool
from tests.core.samples import make_registry

SNAPSHOT = Path(__file__).parent / "snapshots" / "tools.json"


def render_tools() -> str:
    """Return every tool with its schema, as text."""
    described = [describe_tool(spec) for spec in make_registry().specs()]
    return json.dumps(described, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    SNAPSHOT.write_text(render_tools(), encoding="utf-8")
