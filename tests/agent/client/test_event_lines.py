"""Server-sent events, however the bytes that carry them are cut into parts."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.client.events import PlannerTold, RunEvent, read_event
from agent.client.wire import EventLines

RECORDS = st.lists(st.dictionaries(st.text(max_size=4), st.text(max_size=8) | st.integers(), max_size=3), max_size=5)
ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])


def write(record: object, number: int, end: bytes) -> bytes:
    lines = [
        b": still here",
        b"",
        b"event: step",
        b"id: %d" % number,
        b"data: " + json.dumps(record).encode(),
        b"",
        b"",
    ]
    return end.join(lines)


@given(RECORDS, ENDS, st.lists(st.integers(0, 2000)))
def test_records_are_the_same_wherever_the_bytes_are_cut(records: list[Any], end: bytes, cuts: list[int]) -> None:
    body = b"".join(write(each, number, end) for number, each in enumerate(records)) + b"\n"
    places = sorted({0, len(body), *(cut for cut in cuts if cut < len(body))})
    lines = EventLines()
    found = [record for begin, stop in pairwise(places) for record in lines.feed(body[begin:stop])]
    assert found == records


@pytest.mark.parametrize(
    ("name", "kind"), [("planner.started", PlannerTold), ("of.tomorrow", RunEvent), ("", RunEvent)]
)
def test_an_event_that_is_not_known_is_still_an_event(name: str, kind: type[RunEvent]) -> None:
    event = read_event({"event": name, "run_id": "r1", "seq": 3, "more": True})
    assert type(event) is kind
    assert (event.event, event.seq, event.record["more"]) == (name, 3, True)
