"""How many paths are judged in a second: short and long ones, anchored, not ASCII, and some that are refused."""

import time

from core.addresses.paths import judge_path
from core.base.errors import PolicyError

ROUNDS = 5
JUDGEMENTS_PER_ROUND = 20_000
PATHS = (
    "total.txt",
    "documents:/Reports/2026/total.txt",
    "a/b c/d (1)/e-f/g.tar.gz",
    "C:\\Users\\ada\\Desktop\\Notes.md",
    "drive:D:/Photos/2026-05-01 12.30.00.jpg",
    "desktop:/żółć 日本 😀.txt",
    "Straße/naïve/déjà vu.pdf",
    "a/~$report.docx",
    "reports/nul.txt",
    "../secret",
)


def measure_judgements() -> float:
    """Return the judgements in a second, of the best of some rounds, over paths of all kinds in turn."""
    return max(_measure_round() for _ in range(ROUNDS))


def _measure_round() -> float:
    start_s = time.perf_counter()
    for _ in range(JUDGEMENTS_PER_ROUND // len(PATHS)):
        for path in PATHS:
            _judge(path)
    return JUDGEMENTS_PER_ROUND / (time.perf_counter() - start_s)


def _judge(path: str) -> None:
    try:
        judge_path(path)
    except PolicyError:
        return
