"""The mend benchmark: what flows miss on pages that have changed, and whether what is proposed is right.

The fixture shop with other markup and two other labels (the purchase flow: what it misses, each mended with what was proposed until it
passes), pages that make it hard on purpose, and pages of kits of others whose words were changed on the way. A wrong proposal is worse
than none: what may be one of several, or is gone, must be told as that.
"""

import asyncio
import json
import shutil
import tempfile
import threading
import urllib.request
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from agent.assembly import make_session
from agent.requests.flow_mending import change_selector
from agent.requests.flows import load_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.outlines.recognising import MENDING, Miss, read_miss
from core.results.tool_results import RunResult
from fixtures.kits.bundles import KITS as KIT_LOCK
from fixtures.kits.kit_site import KitSite
from fixtures.site_server import SiteServer
from scripts.benchmarks.looks.installing import find_modules
from scripts.benchmarks.mend.cases import KITS, NOTHING, OURS, MendCase

PURCHASE = Path(__file__).resolve().parents[3] / "fixtures" / "flows" / "purchase.yaml"
SHOP = {'button "Add to basket"': 'button "Add to cart"', 'link "Checkout"': 'link "Proceed to payment"'}
_MOST_TRIES = 6


async def measure_mend() -> dict[str, Any]:
    """Return the report."""
    tried: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        tried += await _buy(Path(folder))
        async with make_session(Settings(inner_hosts=["127.0.0.1"]), Path(folder)) as session:
            with SiteServer() as site:
                for number, case in enumerate(OURS):
                    then, now = (f"{site.url}/mending/{case.name}-{when}" for when in ("then", "now"))
                    tried.append(await try_case(session, Path(folder) / f"ours-{number}.json", case, (then, now)))
            tried += await _try_kits(session, Path(folder))
    for each in tried:
        print(f"{'✓' if each['is_right'] else '✗'} {each['name']}: {each['selector']} → {each['told']}", flush=True)
    return {"name": "mend", **add_up(tried), "samples": {"mend": tried}}


def add_up(tried: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures of what was tried."""
    shop = [each for each in tried if each["name"] == "shop"]
    figures = {
        "missed": sum(each["is_miss"] for each in tried),
        "proposed_right": sum(bool(each["proposal"]) and each["is_right"] for each in tried),
        "proposed_wrong": sum(bool(each["proposal"]) and not each["is_right"] for each in tried),
        "rightly_none": sum(not each["proposal"] and each["is_right"] for each in tried),
        "wrongly_none": sum(not each["proposal"] and not each["is_right"] for each in tried),
        "shop_missed": len(shop),
        "shop_proposed_right": sum(each["is_right"] for each in shop),
    }
    return {"figures": figures, "notes": {"proposed_wrong": "must be 0", "missed": f"of {len(tried)} changed elements"}}


async def _buy(folder: Path) -> list[dict[str, Any]]:
    """Return what the purchase flow missed on the changed shop, mended each time with what was proposed."""
    flow = Path(shutil.copy(PURCHASE, folder / "purchase.yaml"))
    with SiteServer() as site, SiteServer(changed_shop=True) as changed:
        _expect_success(await _visit(flow, site.url))
        tried: list[dict[str, Any]] = []
        for _ in range(_MOST_TRIES):
            result = await _visit(flow, changed.url)
            if result.outcome == "success":
                return tried
            miss = find_miss(result)
            tried.append(
                _judge("shop", miss.selector if miss else "?", SHOP.get(miss.selector, "?") if miss else "?", miss)
            )
            if miss is None or not miss.proposal:
                break
            mend_file(flow, miss)
    return tried


def mend_file(flow: Path, miss: Miss) -> None:
    """Put what is proposed into a flow, as a person would who accepts it."""
    flow.write_bytes(change_selector(flow.read_bytes(), miss.place, miss.selector, miss.proposal))


def write_steps(flow: Path, case: MendCase) -> None:
    """Write the flow of a case."""
    step = {f"browser.{case.step}": {"selector": case.selector, **case.params}}
    goals = [{"browser.navigate": {"url": "${site}"}}, step]
    flow.write_text(json.dumps({"vars": {"site": ""}, "goals": goals}), encoding="utf-8")


async def try_case(session: AgentSession, flow: Path, case: MendCase, addresses: tuple[str, str]) -> dict[str, Any]:
    """Return what came of a step on a page that has changed.

    Args:
        session: Carries it out.
        flow: Where its flow file goes.
        case: The step.
        addresses: The page as it was, and as it is.
    """
    write_steps(flow, case)
    then, now = addresses
    _expect_success(await _run(session, flow, then))
    result = await _run(session, flow, now)
    return _judge(case.name, case.selector, case.wanted, find_miss(result))


def _judge(name: str, selector: str, wanted: str, miss: Miss | None) -> dict[str, Any]:
    told = "no miss that is remembered" if miss is None else miss.proposal or miss.verdict
    is_right = miss is not None and miss.proposal == wanted
    scores = list(miss.scores) if miss else []
    return {
        "name": name, "selector": selector, "wanted": wanted or NOTHING, "proposal": miss.proposal if miss else "",
        "told": told, "is_miss": miss is not None, "is_right": is_right, "scores": scores,
    }  # fmt: skip


def find_miss(result: RunResult) -> Miss | None:
    """Return the first miss of a run that is told beside what was remembered."""
    for log in result.step_logs:
        error = log.result.error
        if error and log.result.status == "failed":
            return read_miss(log.result.evidence.get(MENDING) or error.evidence.get(MENDING) or {})
    return None


async def _visit(flow: Path, site: str) -> RunResult:
    """Run a flow as a visitor that the shop doesn't know."""
    async with make_session(Settings(), flow.parent) as session:
        return await _run(session, flow, site)


async def _run(session: AgentSession, flow: Path, site: str) -> RunResult:
    return await session.run(Request(flow=load_flow(flow, {"site": site})))


def _expect_success(result: RunResult) -> None:
    if result.outcome != "success":
        raise SystemExit(f"the page as it was can't be used: {result.reply}")


async def _try_kits(session: AgentSession, folder: Path) -> list[dict[str, Any]]:
    """Return what came of steps on kits of others; nothing where these are not installed."""
    modules = find_modules(KIT_LOCK)
    if modules is None:
        print("– kits are left out: they are not installed (scripts/test.py does that)", flush=True)
        return []
    tried: list[dict[str, Any]] = []
    with KitSite(modules) as site:
        for number, case in enumerate(KITS):
            tried.append(await try_renamed(session, folder / f"kit-{number}.json", case, site.host))
    return tried


async def try_renamed(session: AgentSession, flow: Path, case: MendCase, host: str) -> dict[str, Any]:
    """Return what came of a step on a page of a kit that says something else now.

    Args:
        session: Carries it out.
        flow: Where its flow file goes.
        case: The step.
        host: Where the kit's page is.
    """
    with _Renamed(host, case.renamed) as renamed:
        return await try_case(session, flow, case, (f"http://{host}/{case.name}", f"{renamed.url}/{case.name}"))


class _Renamed:
    """Another site with other words in what it serves."""

    def __init__(self, host: str, renamed: Mapping[str, str]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                with urllib.request.urlopen(f"http://{host}{self.path}") as answer:
                    content, kind = answer.read(), answer.headers.get("content-type", "")
                for old, new in renamed.items():
                    content = content.replace(old.encode(), new.encode())
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(204)
                self.end_headers()

            def log_request(self, code: Any = "-", size: Any = "-") -> None:
                del code, size

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure_mend())["figures"], indent=2))
