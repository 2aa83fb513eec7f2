"""Rules that hold for every host, every body and every order."""

import asyncio
import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from starlette.datastructures import Headers
from starlette.types import Message

from agent.http.order_bodies import FlowOrder, GoalsOrder, OrderBody, PlannerOrder, SaidOrder, TextOrder
from agent.service.orders import RunOrder
from agent.web.answers import write_json
from agent.web.bodies import read_body
from agent.web.wall import LOOPBACK_NAMES, HostList
from core.base.errors import InputError

BODIES: TypeAdapter[TextOrder | SaidOrder | GoalsOrder | FlowOrder | PlannerOrder] = TypeAdapter(OrderBody)
NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(host=st.text(max_size=60), port=st.integers(1, 65535))
def test_no_host_but_the_names_of_this_machine_with_its_port_is_known(host: str, port: int) -> None:
    ours = {name + end for name in LOOPBACK_NAMES for end in ("", f":{port}")}
    assert HostList().knows(host, ("127.0.0.1", port)) is (host.lower() in ours)


@given(parts=st.lists(st.binary(max_size=50), min_size=1, max_size=8), most=st.integers(0, 200))
def test_a_body_is_read_whole_or_refused_however_it_is_cut(parts: list[bytes], most: int) -> None:
    waiting: list[Message] = [
        {"type": "http.request", "body": part, "more_body": number < len(parts)} for number, part in enumerate(parts, 1)
    ]

    async def receive() -> Message:
        return waiting.pop(0)

    whole = b"".join(parts)
    reading = read_body(Headers({"transfer-encoding": "chunked"}), receive, most, 5)
    if len(whole) <= most:
        assert asyncio.run(reading) == whole
        return
    with pytest.raises(InputError) as refused:
        asyncio.run(reading)
    assert refused.value.code == "body_too_large"


@given(JSON)
def test_whatever_is_answered_is_ascii_and_json(data: object) -> None:
    told = write_json(data)
    assert told.isascii()
    json.loads(told, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


@given(
    asked=st.sampled_from(["text", "goals", "flow"]),
    session=NAMES | st.just(""),
    request_id=st.text(max_size=20),
    seconds=st.none() | st.floats(0.001, 86400),
    actions=st.none() | st.integers(1, 1000),
)
def test_an_order_comes_through_a_body_as_it_was(
    asked: str, session: str, request_id: str, seconds: float | None, actions: int | None
) -> None:
    order = RunOrder(
        text="light hall" if asked == "text" else None,
        goals=({"domain": "lamp", "verb": "look"},) if asked == "goals" else None,
        flow="goals: []" if asked == "flow" else None,
        session=session,
        request_id=request_id,
        seconds=seconds,
        actions=actions,
    )
    told = {name: value for name, value in dataclasses.asdict(order).items() if value != {}}  # only flows have more
    sent = json.loads(json.dumps(told))
    assert BODIES.validate_python(sent).make_order() == order


@given(given=st.lists(st.sampled_from(["text", "goals", "flow"]), unique=True))
def test_exactly_one_of_text_goals_and_flow_is_an_order(given: list[str]) -> None:
    what = {"text": "light hall", "goals": [{}], "flow": "goals: []"}
    body = {name: what[name] for name in given}
    if len(given) == 1:
        assert BODIES.validate_python(body)
        return
    with pytest.raises(ValidationError):
        BODIES.validate_python(body)
