"""Pages that make it hard to tell what became of an element: near-ties, decoys, and words that try to give the answer."""

from pathlib import Path

from actuators.catalog import BrowserShare
from agent.assembly import make_session
from agent.settings.settings import Settings
from fixtures.site_server import SiteServer
from scripts.benchmarks.mend import try_case
from scripts.benchmarks.mend.cases import OURS


async def test_each_changed_page_has_the_one_right_proposal_or_none(
    tmp_path: Path, site: SiteServer, share: BrowserShare
) -> None:
    wrong: list[str] = []
    async with make_session(Settings(failure_pictures=False), tmp_path, share) as session:
        for number, case in enumerate(OURS):
            addresses = f"{site.url}/mending/{case.name}-then", f"{site.url}/mending/{case.name}-now"
            tried = await try_case(session, tmp_path / f"flow-{number}.json", case, addresses)
            if not tried["is_right"]:
                wrong.append(f"{case.name}: {case.selector} → {tried['told']}, not {case.wanted or 'none'}")
    assert wrong == []
