"""What came of flows, read from what is kept of their runs."""

import subprocess
import sys
from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from agent.reports.results import FlowResult, SuiteResult, list_steps
from tests.agent.reports.kept_documents import make_error, make_log, make_node, make_run

PARTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["nodes", "action_id", "result", "error", "output", "text", "groups", "ms"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


def test_steps_stand_in_the_order_of_the_plan_with_groups_lines_and_what_was_read() -> None:
    nodes = [make_node(0, groups=["Sign in", "row 1"]), make_node(1), make_node(2)]
    logs = [
        make_log(1, "failed", error=make_error("No button.", "Look again.")),
        make_log(0, output={"text": " £27.50 "}),
    ]
    steps = list_steps(make_run(nodes, logs).document, {"g1": 12})
    assert [(step.number, step.status, step.groups, step.text, step.line) for step in steps] == [
        (1, "ok", ("Sign in", "row 1"), "£27.50", 0),
        (2, "failed", (), "No button. Look again.", 12),
        (3, "planned", (), "", 0),
    ]


def test_what_a_flow_left_out_by_its_own_words_is_no_trouble() -> None:
    logs = [make_log(0, "skipped", error=make_error("Not needed.", code="not_needed")), make_log(1)]
    steps = list_steps(make_run([make_node(0), make_node(1)], logs).document)
    assert [step.is_trouble for step in steps] == [False, False]


@given(st.dictionaries(st.sampled_from(["plan", "step_logs", "errors"]), PARTS))
def test_a_damaged_document_is_read_as_far_as_it_goes(document: dict[str, object]) -> None:
    steps = list_steps(document)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))


def test_flows_are_counted_the_worst_first() -> None:
    flows = tuple(FlowResult(each, each, each) for each in ("passed", "failed", "passed", "flaky", "skipped"))
    suite = SuiteResult("shop", "2026-11-24T10:20:26+00:00", 12.0, flows)
    assert list(suite.count().items()) == [("failed", 1), ("flaky", 1), ("passed", 2), ("skipped", 1)]
    assert asdict(suite)["flows"][1]["outcome"] == "failed"


def test_results_cost_no_import_but_the_standard_librarys() -> None:
    program = (
        "import sys; before = set(sys.modules); import agent.reports.results;"
        "print([name for name in set(sys.modules) - before if name.split('.')[0] in ('jinja2', 'PIL', 'pydantic', 'playwright', 'core', 'actuators')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
