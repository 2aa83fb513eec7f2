"""The truth benchmark: what is told of acts on pages that take them back, or keep them while they go on working.

Each case is a flow, run by a session as shipped; what is so is what the page's own reports say a while later, never an answer of ours. Half of
the pages take back what was done, by a way that need not be known to us; the other half do the same work and keep it.
"""

import asyncio
import io
import secrets
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ruamel.yaml import YAML

from agent.assembly import make_session
from agent.requests.flows import parse_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.goals.meta_goals import Goal
from fixtures.site_server import SiteServer
from scripts.benchmarks.told.cases import Case, list_cases
from scripts.benchmarks.told.verdicts import Ended, add_up, judge, write_table

AT_ONCE = 2
LATER_S = 1.5
"""When the far end is asked, after the run has ended."""

_CASE_LIMIT_S = 60.0
_HEARD_S = 2.0


async def measure_truth(only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the report, and print the table.

    Args:
        only: Families, or parts of the names of open cases; empty for all.

    Raises:
        SystemExit: If there is no such case.
    """
    chosen = [case for case in list_cases() if not only or any(_is_meant(case, each) for each in only)]
    if not chosen:
        raise SystemExit(f"no such case: {', '.join(only)}")
    ended = await run_cases(chosen)
    print(write_table(ended), flush=True)
    return {"name": "truth", **add_up(ended), "samples": {"truth": [each.as_json() for each in ended]}}


async def run_cases(cases: Sequence[Case], at_once: int = AT_ONCE) -> list[Ended]:
    """Run cases, and return what came of them, in their order.

    Args:
        cases: The cases.
        at_once: How many sessions share them.
    """
    with SiteServer() as site:
        shares = await asyncio.gather(*(_run_share(site, cases[turn::at_once]) for turn in range(at_once)))
    places = {id(case): place for place, case in enumerate(cases)}
    return sorted((each for share in shares for each in share), key=lambda each: places[id(each.case)])


async def _run_share(site: SiteServer, cases: Sequence[Case]) -> list[Ended]:
    settings = Settings(failure_pictures=False, log_file="off")
    with tempfile.TemporaryDirectory(prefix="surehand-truth-") as folder:
        (Path(folder) / "report.pdf").write_bytes(b"%PDF-1.4\n")
        async with make_session(settings, Path(folder)) as session:
            return [await _run_case(session, site, case) for case in cases]


async def _run_case(session: AgentSession, site: SiteServer, case: Case) -> Ended:
    visit = secrets.token_hex(8)
    flow = parse_flow(write_flow(case, f"{site.url}/truth/{case.address}&visit={visit}"))
    result = await asyncio.wait_for(session.run(Request(flow=flow)), _CASE_LIMIT_S)
    await asyncio.sleep(LATER_S)
    heard = len(site.events(f"value {visit}"))
    await session.run(Request(goals=(Goal("browser", "navigate", {"url": f"{site.url}/truth/blank"}),)))
    with suppress(TimeoutError):  # a page that is gone, or never came, tells nothing as it is left
        await asyncio.to_thread(site.received.wait_for_events, f"value {visit}", heard + 1, _HEARD_S)
    told = sorted((event.detail for event in site.events(f"value {visit}")), key=lambda detail: detail["at"])
    return judge(case, result, told[-1]["value"] if told else None)


def write_flow(case: Case, address: str) -> str:
    """Return a case as a flow file.

    Args:
        case: The case.
        address: Of its page.
    """
    text = io.StringIO()
    goals = [{"browser.navigate": {"url": address}}, *case.goals]
    YAML(typ="safe").dump(
        {"name": case.family, "policy": {"hosts": [urlsplit(address).hostname]}, "goals": goals}, text
    )
    return text.getvalue()


def _is_meant(case: Case, asked: str) -> bool:
    return asked == case.family or (not case.closed and asked in case.name)
