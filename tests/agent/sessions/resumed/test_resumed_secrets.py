"""A run that is gone on with or taken back uses the secrets that it might use, and shows none of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from agent.requests.flows import Flow, parse_flow
from agent.requests.requests import Request
from agent.secrets.vaults import SessionVault
from agent.sessions.resume import ResumeRequest
from agent.sessions.undo import UndoRequest
from agent.store.journal.sqlite_journal import SqliteJournal
from core.journal.resume import Settlement
from core.journal.run_rows import read_run
from core.results.records import to_data
from core.results.tool_results import RunResult
from tests.agent.ledger import LEDGER_RULES, Ledger, chain, crash_request, make_ledger_session
from tests.spies import find_leaks, read_everything
from tests.vaults import make_vault

TOKEN = "hunter2-token"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


def make_flow(*steps: tuple[str, str], secrets: tuple[str, ...] | None = ("token",)) -> Request:
    flow: Flow = parse_flow("goals: [{system.info: {}}]")
    return Request(flow=replace(flow, goals=chain(*steps), places=(("goals", 0),) * len(steps), secrets=secrets))


async def resume(ledger: Ledger, left: Path, run_id: str, vault: SessionVault, **said: Settlement) -> RunResult:
    async with make_ledger_session(ledger, left, vault) as session:
        return await session.resume(ResumeRequest(run_id=run_id, settlements=said))


async def test_a_secret_that_a_flow_may_use_is_used_by_what_is_left_of_it(folder: Path) -> None:
    ledger = Ledger()
    request = make_flow(("post", "rent"), ("post", "secret:token"))
    run_id, left = await crash_request(ledger, folder, "before post", request, make_vault(token=TOKEN))
    result = await resume(ledger, left, run_id, make_vault(token=TOKEN), g0_post_1="not_done")
    assert (result.outcome, ledger.lines) == ("success", ["post rent", f"post {TOKEN}"])


@pytest.mark.parametrize("secrets", [("token",), None])
async def test_which_secrets_a_run_may_use_is_written_down(folder: Path, secrets: tuple[str, ...] | None) -> None:
    request = make_flow(("post", "rent"), ("post", "secret:token"), secrets=secrets)
    run_id, left = await crash_request(Ledger(), folder, "before post", request, make_vault(token=TOKEN))
    journal = SqliteJournal(left)
    recorded = read_run(await journal.read(run_id), LEDGER_RULES)
    await journal.close()
    assert recorded.secrets == secrets


async def test_a_run_may_use_no_secret_that_is_not_among_those(folder: Path) -> None:
    ledger, vault = Ledger(), make_vault(token=TOKEN)
    request = make_flow(("post", "rent"), ("post", "secret:token"))
    run_id, left = await crash_request(ledger, folder, "before post", request, vault)
    result = await resume(ledger, left, run_id, vault.limit(["other"]), g0_post_1="not_done")
    assert [error.code for error in result.errors] == ["secret_not_listed"]
    assert ledger.lines == []


async def test_a_secret_that_is_gone_is_said_before_anything_is_done(folder: Path) -> None:
    ledger = Ledger()
    request = make_flow(("post", "rent"), ("post", "secret:token"))
    run_id, left = await crash_request(ledger, folder, "before post", request, make_vault(token=TOKEN))
    result = await resume(ledger, left, run_id, make_vault(), g0_post_1="not_done")
    assert [error.code for error in result.errors] == ["missing_secret"]
    assert ledger.lines == []


async def test_what_the_earlier_process_gave_away_is_not_shown_by_the_next(folder: Path) -> None:
    ledger = Ledger()
    request = make_flow(("post", "secret:token"), ("set", "a"), ("look", "lines"))
    run_id, left = await crash_request(ledger, folder, "after set", request, make_vault(token=TOKEN))
    result = await resume(ledger, left, run_id, make_vault(token=TOKEN))
    assert result.intermediate_results["g2_look_1"]["lines"] == ["post •••"]
    assert [name for name, content in read_everything(left) if find_leaks(TOKEN, content)] == []


async def test_an_act_with_a_secret_that_the_world_tells_of_is_settled_without_showing_it(folder: Path) -> None:
    ledger = Ledger()
    request = make_flow(("add", "secret:token"), ("set", "a"))
    run_id, left = await crash_request(ledger, folder, "after add", request, make_vault(token=TOKEN))
    result = await resume(ledger, left, run_id, make_vault(token=TOKEN))
    assert (result.outcome, ledger.lines) == ("success", [f"add {TOKEN}"])
    assert result.step_logs[0].result.undo_record is None
    assert not find_leaks(TOKEN, repr(result).encode())
    assert [name for name, content in read_everything(left) if find_leaks(TOKEN, content)] == []


async def test_a_run_that_is_taken_back_does_not_tell_what_stands_there_now(folder: Path) -> None:
    ledger = Ledger()
    async with make_ledger_session(ledger, folder, make_vault(token=TOKEN)) as session:
        done = await session.run(Request(goals=chain(("set", "a"))))
        await session.run(Request(goals=chain(("post", "secret:token"))))
        ledger.value = TOKEN
        undone = await session.undo(UndoRequest(run_id=done.run_id))
    assert undone.steps[0].error is not None
    assert undone.steps[0].error.message == "The value is ••• by now."
    assert not find_leaks(TOKEN, repr(to_data(undone)).encode())
    assert [name for name, content in read_everything(folder) if find_leaks(TOKEN, content)] == []
