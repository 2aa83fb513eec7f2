"""The throughput of the proxy that pages go through, beside a direct connection: a download of 100 MB, and 2,000 small requests.

Two processes of ours have a browser each, one of them without the proxy (`browser_jobs.py` takes it out); they open the same pages in turn. The
page itself takes the time, from its first request until the last byte is read, so that neither the browser's start nor ours counts.
"""

import statistics
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from actuators.browser.playwright.session.discovery import find_browser
from scripts.benchmarks.browser import Sides
from scripts.benchmarks.environment import keep_bytecode

ROOT = Path(__file__).resolve().parents[2]
MEBIBYTES = 100
REQUESTS = 2000
KINDS = {"download": f"/download?mib={MEBIBYTES}", "requests": f"/requests?count={REQUESTS}"}
NOTES = {
    "download_ratio": "throughput of a 100 MiB download, through the proxy / direct, median of pairs; aim ≥ 0.9",
    "requests_ratio": "the same of 2,000 small requests, six at a time; aim ≥ 0.9",
    "download_mib_per_s": "through the proxy",
    "requests_per_s": "through the proxy",
}


@contextmanager
def serve_transfers() -> Generator[str]:
    """Serve the pages that transfer something from a process of their own."""
    command = [sys.executable, str(ROOT / "scripts" / "benchmarks" / "workers" / "proxy_site.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def measure_proxy(rounds: int) -> dict[str, Any]:
    """Return figures, samples and what the figures mean."""
    find_browser().require()
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in KINDS}
    with serve_transfers() as site, keep_bytecode() as variables, ExitStack() as stack:
        sides = Sides(site, variables)
        workers = [stack.enter_context(sides.start("ours", without)) for without in ("", "proxy")]
        for number in range(rounds + 1):
            for name, address in KINDS.items():
                order = (0, 1) if number % 2 else (1, 0)
                taken = {which: float(workers[which].ask(f"{site}{address}")) for which in order}
                if number:  # the first round warms up
                    samples[name].append((taken[0], taken[1]))
    medians = {name: statistics.median(proxied for proxied, _ in pairs) for name, pairs in samples.items()}
    figures = {
        f"{name}_ratio": statistics.median(direct / proxied for proxied, direct in pairs)
        for name, pairs in samples.items()
    }
    figures |= {"download_mib_per_s": MEBIBYTES / medians["download"], "requests_per_s": REQUESTS / medians["requests"]}
    return {"name": "proxy", "figures": figures, "samples": samples, "notes": NOTES}
