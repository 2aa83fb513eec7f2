"""What runs leave: files with their digests, a way back, what a page shows; and a spoken yes where a person trusts it."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.hosting.hub import ServiceLimits
from agent.hosting.local_service import LocalService
from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.serving.opening import make_local_service
from agent.settings.settings import Settings
from core.base.errors import SurehandError
from fixtures.site_server import SiteServer
from tests.agent.hosting.conftest import LampHouse
from tests.agent.ledger import Ledger, make_ledger_session

ME = Caller()
OTHER = Caller(principal="other")


@pytest.fixture
async def workspace(tmp_path: Path) -> AsyncIterator[LocalService]:
    """A service on real files in an empty folder."""
    service = make_local_service(Settings(), tmp_path)
    yield service
    await service.close(drain_s=0)


async def test_a_run_is_undone_over_its_session_and_only_by_its_principal(tmp_path: Path) -> None:
    ledger = Ledger()
    service = LocalService(lambda *_: make_ledger_session(ledger, tmp_path / "state"))
    goals = ({"domain": "ledger", "verb": "set", "params": {"text": "new"}},)
    ticket = await service.begin(ME, RunOrder(goals=goals))
    await service.result(ME, ticket.run_id)
    with pytest.raises(SurehandError):
        await service.undo(OTHER, ticket.run_id)
    told = await service.undo(ME, ticket.run_id, dry=True)
    assert (told["dry"], ledger.value) == (True, "new")
    undone = await service.undo(ME, ticket.run_id)
    assert (undone["reply"], ledger.value) == ("Undid 1 of 1 step.", "")
    assert await service.list_sessions(ME) == []
    await service.close()


async def test_a_run_of_the_journal_that_no_service_took_on_is_the_persons_to_undo(tmp_path: Path) -> None:
    ledger = Ledger()
    async with make_ledger_session(ledger, tmp_path / "state") as session:
        from_elsewhere = LocalService(lambda *_: make_ledger_session(ledger, tmp_path / "state"))
        goals = ({"domain": "ledger", "verb": "set", "params": {"text": "new"}},)
        ticket = await from_elsewhere.begin(ME, RunOrder(goals=goals))
        await from_elsewhere.result(ME, ticket.run_id)
        await from_elsewhere.close()
        assert await session.find_run(ticket.run_id) == ticket.run_id
    service = LocalService(lambda *_: make_ledger_session(ledger, tmp_path / "state"))
    with pytest.raises(SurehandError):
        await service.undo(OTHER, ticket.run_id)
    assert (await service.undo(ME, ticket.run_id))["steps"][0]["status"] == "taken_back"
    unknown = await service.undo(ME, "r" + "0" * 16)
    assert [each["code"] for each in unknown["errors"]] == ["unknown_run"]
    await service.close()


async def test_files_of_a_run_are_given_out_as_they_were_when_it_ended(
    workspace: LocalService, site: SiteServer
) -> None:
    goals = (
        {"domain": "browser", "verb": "navigate", "params": {"url": f"{site.url}/shop/"}},
        {"domain": "browser", "verb": "screenshot", "scope": "after:g0"},
    )
    ticket = await workspace.begin(ME, RunOrder(goals=goals, session="main"))
    record = await workspace.result(ME, ticket.run_id)
    made = await workspace.list_artifacts(ME, ticket.run_id)
    kinds = [(each.media_type, each.action_id) for each in made]
    assert kinds == [("image/png", "g1_screenshot_1"), ("image/jpeg", "g0_navigate_1")], "and a picture after the act"
    assert [each.pages for each in await workspace.list_sessions(ME)] == [(f"{site.url}/shop/",)]
    assert 'link "Catalogue"' in (await workspace.look(ME, "main", {"max_tokens": 500}))["text"]
    assert [each.name for each in made][:1] == [Path(path).name for path in record["artifacts"]]
    for each in made:
        artifact, content = await workspace.read_artifact(ME, each.artifact_id)
        assert (artifact, hashlib.sha256(content).hexdigest(), len(content)) == (each, each.sha256, each.size)
        with pytest.raises(SurehandError) as refused:
            await workspace.read_artifact(OTHER, each.artifact_id)
        assert refused.value.code == "unknown_artifact"
        spoilt = Path(next(file["path"] for file in record["files"] if file["name"] == each.name))
        await asyncio.to_thread(spoilt.write_bytes, content + b"!")
        with pytest.raises(SurehandError) as refused:
            await workspace.read_artifact(ME, each.artifact_id)
        assert refused.value.code == "artifact_changed"


@pytest.mark.parametrize("artifact_id", ["", "x", "r0.0", "../../etc/passwd", "r" + "0" * 16 + ".0"])
async def test_what_is_no_files_id_is_unknown(artifact_id: str, service: LocalService) -> None:
    with pytest.raises(SurehandError) as refused:
        await service.read_artifact(ME, artifact_id)
    assert refused.value.code == "unknown_artifact"


async def test_a_look_where_no_page_is_open_is_told_as_an_error_of_that(workspace: LocalService) -> None:
    with pytest.raises(SurehandError) as refused:
        await workspace.look(ME, "main", {})
    assert refused.value.code not in {"internal_error", "error"}
    with pytest.raises(SurehandError) as refused:
        await workspace.look(ME, "main", {"nonsense": 1})
    assert refused.value.code not in {"internal_error", "error"}


@pytest.mark.parametrize(
    ("classes", "caller", "counts"),
    [
        (frozenset({"apply_diff"}), Caller(door="voice"), True),
        (frozenset({"confirm"}), Caller(door="voice"), False),
        (frozenset({"apply_diff"}), Caller(door="voice", scopes=frozenset({"read", "run"})), False),
        (frozenset({"apply_diff"}), Caller(door="home-assistant"), False),
        (frozenset({"apply_diff"}), Caller(door="mcp"), False),
    ],
)
async def test_a_spoken_yes_counts_only_where_the_person_trusts_that_door_for_that_class(
    classes: frozenset[str], caller: Caller, counts: bool, house: LampHouse
) -> None:
    limits = ServiceLimits(voice_approves=frozenset(each for each in ("confirm", "apply_diff") if each in classes))
    service = LocalService(house.open, limits)
    run = await service.begin(caller, RunOrder(text="smash hall", said=True, session="kitchen"))
    async for record in service.follow(caller, run.run_id):
        if record["event"] == "question":
            break
    (asked,) = await service.list_questions(caller)
    assert asked.needs_person is not counts
    word = await service.begin(caller, RunOrder(text="yes", said=True, session="kitchen"))
    reply = (await service.result(caller, word.run_id))["reply"]
    assert reply.startswith("A person has to confirm that: ") is not counts
    if not counts:
        await service.begin(caller, RunOrder(text="no", said=True, session="kitchen"))
    record = await service.result(caller, run.run_id)
    assert (record["outcome"] == "success") is counts
    await service.close()
