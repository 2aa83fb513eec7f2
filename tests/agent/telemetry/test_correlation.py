"""The id of a request to a service, in the lines of what it began."""

import json
from contextvars import copy_context

from hypothesis import given
from hypothesis import strategies as st

from agent.telemetry.correlation import CORRELATION_ID, choose_correlation_id
from agent.telemetry.logs import LogBook, Outlets


def write_line(correlation_id: str) -> dict[str, str]:
    lines: list[str] = []

    def write() -> None:
        CORRELATION_ID.set(correlation_id)
        LogBook(Outlets([("debug", lines.append)])).note_request({"route": "/v1/runs", "status": 202})

    copy_context().run(write)
    return json.loads(lines[0])


def test_a_line_names_the_request_that_it_has_to_do_with() -> None:
    assert write_line("mine-1")["correlation_id"] == "mine-1"
    assert "correlation_id" not in write_line("")


@given(st.text())
def test_an_id_that_is_taken_over_breaks_no_line_and_hides_nothing(given_id: str) -> None:
    chosen = choose_correlation_id(given_id)
    assert chosen.isascii()
    assert chosen.isprintable()
    assert 1 <= len(chosen) <= 128
