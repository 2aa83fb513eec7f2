"""LogLevel: from which level on log lines are written; ``off`` writes none."""

from pathlib import Path
from typing import Literal

LogLevel = Literal["off", "debug", "info", "warning", "error"]

LOG_FILE = Path("logs") / "surehand.jsonl"
"""Where lines are kept, in the state folder of a workspace."""
