"""What acts on a page in a service leaves pictures before and after, for the console."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.serving.opening import make_local_service
from agent.settings.settings import Settings
from fixtures.site_server import SiteServer

ME = Caller()


def goal(verb: str, index: int, **params: Any) -> Mapping[str, Any]:
    scope = {"scope": f"after:g{index - 1}"} if index else {}
    return {"domain": "browser", "verb": verb, "params": params, **scope}


async def test_a_step_that_acts_has_pictures_before_and_after_and_one_that_looks_has_none(tmp_path: Path) -> None:
    service = make_local_service(Settings(), tmp_path)
    with SiteServer() as site:
        goals = (
            goal("navigate", 0, url=f"{site.url}/shop/catalogue"),
            goal("click", 1, selector='link "Blue mug"'),
            goal("read", 2, target="title"),
        )
        ticket = await service.begin(ME, RunOrder(goals=goals))
        record = await service.result(ME, ticket.run_id)
        assert record["outcome"] == "success", record["reply"]
        found = await service.list_artifacts(ME, ticket.run_id)
        names = sorted(each.name.split("_", 1)[1].split(".", 1)[1] for each in found)
        assert names == ["after.jpg", "after.jpg", "before.jpg"]  # before the first one there was nothing to see
        assert {each.media_type for each in found} == {"image/jpeg"}
        assert len({each.action_id for each in found}) == 2
        _, content = await service.read_artifact(ME, found[0].artifact_id)
        assert Image.open(BytesIO(content)).size == (1280, 720)
    await service.close(drain_s=0)


async def test_what_pages_said_is_among_the_files_of_a_run_that_keeps_it(tmp_path: Path) -> None:
    service = make_local_service(Settings(keep_pictures=True), tmp_path)
    with SiteServer() as site:
        goals = (goal("navigate", 0, url=f"{site.url}/table/"), goal("read", 1, target="title"))
        ticket = await service.begin(ME, RunOrder(goals=goals))
        await service.result(ME, ticket.run_id)
        found = {each.name: each.media_type for each in await service.list_artifacts(ME, ticket.run_id)}
        assert found["pages.json"] == "application/json"
        assert sorted(found.values()) == ["application/json", "image/jpeg", "image/jpeg"]
    await service.close(drain_s=0)


async def test_whoever_wants_no_pictures_of_failures_has_none_of_acts(tmp_path: Path) -> None:
    service = make_local_service(Settings(failure_pictures=False), tmp_path)
    with SiteServer() as site:
        ticket = await service.begin(ME, RunOrder(goals=(goal("navigate", 0, url=f"{site.url}/table/"),)))
        await service.result(ME, ticket.run_id)
        assert not await service.list_artifacts(ME, ticket.run_id)
    await service.close(drain_s=0)
