"""What CI systems read of a suite: the structure of JUnit XML, and texts that XML can't hold."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cli.suites.junit import build_junit, write_junit
from agent.reports.results import FlowOutcome, FlowResult, StepLine, SuiteResult
from core.base.errors import InputError

STEPS = (
    StepLine(1, "Open http://shop.test/", "ok", ms=12.0, line=3),
    StepLine(
        2,
        'Click button "Pay"',
        "failed",
        groups=("Checkout", "round 2"),
        text="Nothing matches.\nLook.",
        line=4,
        code="target_missing",
    ),
)
OUTCOMES: tuple[FlowOutcome, ...] = ("passed", "failed", "error", "skipped", "flaky")
CHILDREN = {"properties", "failure", "error", "skipped", "system-out"}
ORDER = ["properties", "skipped", "error", "failure", "system-out"]
"""As the schemas of Jenkins and Maven have it."""


def make_flow(
    outcome: FlowOutcome = "failed", error: str = "Step 2 (line 4): Click\nNothing matches.", name: str = "pay"
) -> FlowResult:
    return FlowResult(
        name, f"shop/{name}.flow.yaml", outcome, 2, 1234.5, "r1", STEPS, "" if outcome == "passed" else error
    )


def check_structure(top: ET.Element) -> None:
    """Check what readers of JUnit XML rely on."""
    assert top.tag == "testsuites"
    (suite,) = top
    assert suite.tag == "testsuite"
    cases = list(suite)
    assert {case.tag for case in cases} <= {"testcase"}
    for part in (top, suite):
        assert int(part.attrib["tests"]) == len(cases)
        for attribute, child in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(part.attrib[attribute]) == sum(case.find(child) is not None for case in cases)
        assert float(part.attrib["time"]) >= 0
    for case in cases:
        assert {"name", "classname", "time", "file"} == set(case.attrib)
        tags = [child.tag for child in case]
        assert set(tags) <= CHILDREN
        assert tags == sorted(tags, key=ORDER.index)
        assert len(set(tags)) == len(tags)


def _read_property(case: ET.Element, name: str) -> str:
    found = case.find(f"properties/property[@name='{name}']")
    return "" if found is None else found.attrib["value"]


def test_every_outcome_is_told_as_readers_expect(tmp_path: Path) -> None:
    file = tmp_path / "new" / "results.xml"
    write_junit(SuiteResult("shop", "2026-11-24T10:00:00.000+00:00", 5000.0, tuple(map(make_flow, OUTCOMES))), file)
    top = ET.parse(file).getroot()
    check_structure(top)
    assert top.attrib | {"timestamp": "2026-11-24T10:00:00"} == top[0].attrib
    assert (top.attrib["tests"], top.attrib["failures"], top.attrib["errors"], top.attrib["skipped"]) == (
        "5",
        "1",
        "1",
        "1",
    )
    told = {_read_property(case, "outcome"): case for case in top[0]}
    assert [child.tag for child in told["flaky"]] == ["properties", "system-out"]
    assert _read_property(told["flaky"], "flaky").startswith("Step 2")


def test_a_failure_says_what_went_wrong_and_its_steps_stand_below() -> None:
    (case,) = build_junit(SuiteResult("shop", "", 0.0, (make_flow(),)))[0]
    failure = case.find("failure")
    assert failure is not None
    assert failure.attrib == {"message": "Step 2 (line 4): Click Nothing matches.", "type": "target_missing"}
    assert case.attrib == {"name": "pay", "classname": "shop.pay", "file": "shop/pay.flow.yaml", "time": "1.234"}
    assert case.findtext("system-out") == (
        "1 ✓ Open http://shop.test/ (line 3) (12 ms)\n"
        '2 ✗ Checkout › round 2 › Click button "Pay" (line 4) (0 ms)\n    Nothing matches.\n    Look.'
    )


@given(st.text(), st.text(min_size=1))
def test_any_text_of_a_page_makes_xml_that_can_be_read(error: str, name: str) -> None:
    step = StepLine(1, error, "failed", groups=(name,), text=error, code=name)
    flow = FlowResult(name, error or "a.yaml", "failed", 1, 1.0, "r1", (step,), error)
    text = ET.tostring(build_junit(SuiteResult(name, "", 1.0, (flow,))), encoding="utf-8")
    check_structure(ET.fromstring(text))


def test_what_a_terminal_would_obey_stands_as_an_escape() -> None:
    flow = make_flow(error="red: \x1b[31m, null: \x00, half: \ud800")
    (case,) = build_junit(SuiteResult("shop", "", 0.0, (flow,)))[0]
    assert case.findtext("failure") == "red: \\x1b[31m, null: \\x00, half: \\ud800"


def test_a_file_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="can't be written"):
        write_junit(SuiteResult("shop", "", 0.0), tmp_path / "file" / "results.xml")
