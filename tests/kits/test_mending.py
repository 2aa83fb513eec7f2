"""Steps on kits of others whose words have changed."""

from pathlib import Path

from agent.sessions.session import AgentSession
from fixtures.kits.kit_site import KitSite
from scripts.benchmarks.mend import try_renamed
from scripts.benchmarks.mend.cases import KITS
from tests.thoroughness import spread


async def test_what_kits_call_otherwise_now_is_proposed(
    session: AgentSession, kit_site: KitSite, tmp_path: Path
) -> None:
    cases = spread(KITS, 2)
    tried = [await try_renamed(session, tmp_path / f"{at}.json", case, kit_site.host) for at, case in enumerate(cases)]
    assert {each["name"]: each["told"] for each in tried} == {case.name: case.wanted for case in cases}
