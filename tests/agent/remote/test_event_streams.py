"""Events come in parts of any size; the same events are read."""

import json
from collections.abc import AsyncIterator
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from agent.remote.remote import read_records

RECORDS = st.lists(
    st.fixed_dictionaries({"event": st.text(max_size=5), "text": st.text(max_size=20)}), min_size=1, max_size=5
)


@given(RECORDS, st.lists(st.integers(0, 400), max_size=20), st.sampled_from(["\n", "\r\n"]))
async def test_the_same_events_are_read_wherever_the_stream_is_cut(
    records: list[dict[str, str]], cuts: list[int], end: str
) -> None:
    told = "".join(
        f": a comment{end}event: x{end}id: {number}{end}data: {json.dumps(record)}{end}{end}"
        for number, record in enumerate(records)
    ).encode()
    places = [0, *sorted({cut for cut in cuts if cut < len(told)}), len(told)]

    async def give() -> AsyncIterator[bytes]:
        for begin, stop in pairwise(places):
            yield told[begin:stop]

    assert [record async for record in read_records(give())] == records
