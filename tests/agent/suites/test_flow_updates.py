"""What `--update` writes anew in a flow: texts, values and titles, where the flow passes with them, and nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.reports.results import StepLine, list_steps
from agent.settings.settings import Settings
from agent.suites.flow_files import FlowFile, ReadFlow, read_flows
from agent.suites.flow_updates import KeptError, list_wanted
from agent.suites.running import EndedFlow, SuiteRunner, SuiteTerms, Workspaces
from agent.suites.trials import FlowTrial
from core.results.redaction import MASK
from fixtures.site_server import SiteServer
from tests.agent.suites.test_running import Log

FLOW = """\
# a remark
name: look at a mug
vars: {site: "SITE", price: "£1"}
goals:
  - browser.navigate: {url: "${site}/shop/item/blue-mug"}
    expect: {title: 'Some mug', timeout: 1}   # stays
  - browser.expect: {selector: testid=price, text: £9.00, timeout: 1}
  - browser.type: {selector: 'field "Quantity"', text: "2"}
    expect: {selector: 'field "Quantity"', value: "3", timeout: 1}
"""
Write = Callable[[str], ReadFlow]


@pytest.fixture
def write(tmp_path: Path, site: SiteServer, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a flow file and reads it."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def make(text: str) -> ReadFlow:
        path = tmp_path / "mug.flow.yaml"
        path.write_text(text.replace("SITE", site.url), encoding="utf-8")
        (flow,) = read_flows([FlowFile(path, path.name)], {})
        return flow

    return make


async def run_updating(flow: ReadFlow) -> EndedFlow:
    terms = SuiteTerms(settings=Settings(failure_pictures=False, log_file="off"), updates=True)
    (ended,) = (await SuiteRunner(terms, Workspaces(), Log()).run([flow])).flows
    return ended


async def test_what_differs_is_written_and_everything_else_stays_byte_for_byte(write: Write) -> None:
    flow = write(FLOW)
    before = flow.file.path.read_text(encoding="utf-8")
    ended = await run_updating(flow)
    assert ended.result.outcome == "passed", ended
    assert ended.update is not None
    after = flow.file.path.read_text(encoding="utf-8")
    wanted = before.replace("'Some mug'", '"Blue mug · Fixture Shop"').replace("£9.00", '"£8.50"')
    assert after == wanted.replace('value: "3"', 'value: "2"')
    assert [line[0] for line in ended.update.diff[3:]].count("+") == 3
    (again,) = read_flows([flow.file], {})
    assert (await run_updating(again)).update == type(ended.update)()  # it passes as it is now


async def test_nothing_is_written_where_the_flow_fails_for_another_reason(write: Write) -> None:
    flow = write(FLOW.replace('field "Quantity"\', text', 'field "Amount"\', text'))
    before = flow.file.path.read_bytes()
    ended = await run_updating(flow)
    assert ended.result.outcome == "failed"
    assert "Step 4 (line 8)" in ended.result.error
    assert ended.update is not None
    assert ended.update.kept_because == "The file was left as it is: what failed is not an expectation."
    assert flow.file.path.read_bytes() == before


SCENES: list[tuple[str, dict[str, Any], str]] = [
    ("text: old", {"what": "the page's text", "actual": "new"}, "not among what is updated"),
    ("text: old", {"what": "the number of elements", "actual": 3}, "not among"),
    ("text: old", {"what": "the state", "actual": "hidden"}, "not among"),
    ("text: old", {"what": "the address", "actual": "http://a/"}, "not among"),
    ("text: old", {"what": "the text", "actual": " "}, "would hold always"),
    ("text: old", {"what": "the text", "actual": "x" * 300 + "…"}, "too long, or secret"),
    ("text: old", {"what": "the text", "actual": f"code {MASK}"}, "too long, or secret"),
    ("text: old", {"what": "the value", "actual": "secret:pin"}, "too long, or secret"),
    ('text: "${price}"', {"what": "the text", "actual": "new"}, "comes from a variable"),
]


@pytest.mark.parametrize(("expected", "difference", "why"), SCENES)
def test_what_may_not_be_written_anew_stays_and_says_why(
    write: Write, expected: str, difference: dict[str, Any], why: str
) -> None:
    flow, trial = make_trial(write, expected, difference)
    with pytest.raises(KeptError, match=why):
        list_wanted(flow, flow.file.path.read_text(encoding="utf-8"), trial)


def test_what_a_page_shows_can_not_become_a_reference(write: Write) -> None:
    flow, trial = make_trial(write, "text: old", {"what": "the text", "actual": "  pay ${site}\n now "})
    (wanted,) = list_wanted(flow, flow.file.path.read_text(encoding="utf-8"), trial)
    assert (wanted.place, wanted.text) == (("goals", 0, "browser.expect", "text"), "pay $${site} now")


def make_trial(write: Write, expected: str, difference: dict[str, Any]) -> tuple[ReadFlow, FlowTrial]:
    """Return a flow with one expectation, and a run in which that failed."""
    start = FLOW[FLOW.index("vars") : FLOW.index("  - browser.navigate")]
    flow = write(f"{start}  - browser.expect: {{selector: testid=price, {expected}}}\n")
    error = {"code": "expectation_failed", "message": "no", "evidence": {"differences": [difference]}}
    log = {
        "action_id": "g0_expect_1",
        "goal_id": "g0",
        "name": "browser.expect",
        "result": {"status": "failed", "error": error},
    }
    document = {"run_id": "r1", "step_logs": [log]}
    steps: tuple[StepLine, ...] = list_steps(document)
    return flow, FlowTrial("failed", "no", flow.file.path.parent, steps=steps, document=document)
