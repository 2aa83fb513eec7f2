"""LogLevel: from which level on log lines are written; ``off`` writes none."""

from typing import Literal

LogLevel = Literal["off", "debug", "info", "warning", "error"]
