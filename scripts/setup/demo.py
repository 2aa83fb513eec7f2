"""Serves the fixture shop and performs fixtures/flows/demo.yaml on it: plan, progress, receipts, reply.

Run by `scripts/run.py`, which sets everything up first.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOW = ROOT / "fixtures" / "flows" / "demo.yaml"


def main() -> int:
    """Perform the demo; return the exit code of the run."""
    sys.path.insert(0, str(ROOT))
    from agent.cli.asking import Asked
    from agent.cli.commands.run import RunOptions, run_request
    from fixtures.site_server import SiteServer

    with SiteServer() as server, tempfile.TemporaryDirectory(prefix="surehand-demo-") as folder:
        sys.stdout.write(f"The fixture shop is served at {server.url}/shop/\n\n")
        asked = Asked(str(FLOW), None, Path(folder), (f"site={server.url}",))
        code = run_request(asked, RunOptions(approved="apply_diff"))
        orders = server.received.requests("/shop/order", "POST")
        sys.stdout.write(
            f"\nWhat the shop received: {len(server.received.requests())} requests, {len(orders)} order(s)"
        )
        if orders:
            sys.stdout.write(f", with the notes {orders[-1].field('notes')!r}")
        receipt = Path(folder) / "receipt.txt"
        if receipt.exists():
            sys.stdout.write(f"\n\nThe receipt that was downloaded:\n{receipt.read_text(encoding='utf-8')}")
        sys.stdout.write("\n")
        return code


if __name__ == "__main__":
    sys.exit(main())
