"""What comes to the door that does not belong there: wrong hosts, origins, tokens and types; oversized, slow and smuggled bodies."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable

import httpx
import pytest

from agent.web.server import HurriedProtocol
from tests.agent.http.conftest import Served

LIVE, RUNS = b"GET /v1/live HTTP/1.1", b"POST /v1/runs HTTP/1.1"
TOKEN, JSON = b"Authorization: Bearer owner", b"Content-Type: application/json"


async def send_raw(
    served: Served, *lines: bytes, body: bytes = b"", host: bytes = b"Host: localhost"
) -> list[tuple[int, str]]:
    """Send bytes, and return the status and code of each answer until the service closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(b"\r\n".join([lines[0], *([host] if host else []), *lines[1:], b"", body]))
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    return list(split_answers(answer))


def split_answers(told: bytes) -> Iterable[tuple[int, str]]:
    for part in told.split(b"HTTP/1.1 ")[1:]:
        body = part.partition(b"\r\n\r\n")[2]
        yield int(part[:3]), json.loads(body)["error"]["code"] if body.startswith(b'{"error"') else ""


def close(*lines: bytes) -> tuple[bytes, ...]:
    return (*lines, b"Connection: close")


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1:1", "localhost.evil.example", "", "127.0.0.1@evil", "[::1"]
)
async def test_a_host_that_is_not_ours_is_misdirected(served: Served, host: str) -> None:
    async with served.open() as client:
        for path in ("/v1/live", "/v1/health", "/nothing"):
            answer = await client.get(path, headers={"Host": host})
            assert (answer.status_code, answer.json()["error"]["code"]) == (421, "wrong_host")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
async def test_the_names_of_this_machine_are_ours(served: Served, host: str) -> None:
    async with served.open() as client:
        assert (await client.get("/v1/live", headers={"Host": host})).status_code == 200
        assert (await client.get("/v1/live", headers={"Host": f"{host}:{served.port}"})).status_code == 200


@pytest.mark.parametrize(
    "origin", ["null", "", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1", "file://"]
)
async def test_pages_of_other_origins_are_refused_whatever_token_they_have(served: Served, origin: str) -> None:
    async with served.open(Origin=origin.format(port=served.port)) as client:
        for path in ("/v1/live", "/v1/health"):
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "wrong_origin")


async def test_a_page_of_ours_may_ask(served: Served) -> None:
    async with served.open(Origin=f"http://127.0.0.1:{served.port}") as client:
        answer = await client.get("/v1/health")
    assert answer.status_code == 200
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer wrong", "Basic owner", "owner", "Bearer owner x"])
async def test_without_a_known_token_nothing_is_told_not_even_which_paths_there_are(served: Served, shown: str) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{served.port}", trust_env=False) as client:
        answers = [
            await client.get(path, headers={"Authorization": shown}) for path in ("/v1/runs", "/v1/openapi.json", "/x")
        ]
        assert [(each.status_code, each.headers["www-authenticate"]) for each in answers] == [
            (401, 'Bearer realm="surehand"')
        ] * 3
        in_address = await client.get("/v1/runs?token=owner&access_token=owner")
        assert in_address.status_code == 401
        assert (await client.get("/v1/live")).json() == {"status": "ok"}


async def test_a_wrong_host_is_told_before_a_wrong_token_and_that_before_a_wrong_body(served: Served) -> None:
    async with served.open("wrong", Origin="http://evil.example") as client:
        answers = [
            await client.post("/v1/runs", content=b"x", headers=headers) for headers in ({"Host": "evil.example"}, {})
        ]
    assert [each.status_code for each in answers] == [421, 403]
    async with served.open("wrong") as client:
        assert (await client.post("/v1/runs", content=b"x")).status_code == 401


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        "application/json; charset=utf-16",
        "application/jsonx",
    ],
)
async def test_only_json_is_taken(served: Served, kind: str) -> None:
    async with served.open() as client:
        answer = await client.post("/v1/runs", content=b'{"text": "light hall"}', headers={"Content-Type": kind})
        assert (answer.status_code, answer.json()["error"]["code"]) == (415, "wrong_content_type")
        assert (await client.get("/v1/runs")).json() == []


@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_beyond_the_cap_is_refused_and_who_sends_it_reads_why(served: Served, chunked: bool) -> None:
    body = b'{"text": "' + b"x" * 3_000_000 + b'"}'

    async def give() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 65_536):
            yield body[start : start + 65_536]

    async with served.open(**{"Content-Type": "application/json"}) as client:
        answer = await client.post("/v1/runs", content=give() if chunked else body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "body_too_large")
        assert (await client.get("/v1/runs")).json() == []


async def test_a_body_that_is_told_to_be_endless_is_refused(served: Served) -> None:
    answers = await send_raw(served, RUNS, TOKEN, JSON, b"Content-Length: 99999999999999999999", body=b"{")
    assert answers == [(413, "body_too_large")]


async def test_a_slow_body_is_given_up(served: Served) -> None:
    assert await send_raw(served, RUNS, TOKEN, JSON, b"Content-Length: 100", body=b'{"te') == [(408, "body_slow")]


async def test_a_body_that_ends_early_begins_nothing(served: Served) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(
        b"\r\n".join([RUNS, b"Host: localhost", TOKEN, JSON, b"Content-Length: 30", b"", b'{"text": "light hall"}'])
    )
    await writer.drain()
    writer.close()
    async with served.open() as client:
        assert (await client.get("/v1/runs")).json() == []


SMUGGLED = b"GET /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer owner\r\n\r\n"


@pytest.mark.parametrize(
    "headers",
    [
        [b"Content-Length: 4", b"Transfer-Encoding: chunked"],
        [b"Transfer-Encoding: chunked", b"Content-Length: 4"],
        [b"Content-Length: 4", b"Content-Length: 5"],
        [b"Content-Length: 4, 5"],
        [b"Content-Length: +4"],
        [b"Content-Length: -4"],
        [b"Content-Length: 0x4"],
        [b"Content-Length : 4"],
        [b"Transfer-Encoding: chunked, identity"],
        [b"Transfer-Encoding: xchunked"],
        [b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity"],
        [b"Transfer-Encoding:\x0bchunked"],
    ],
)
async def test_a_body_that_could_end_in_two_ways_ends_the_connection(served: Served, headers: list[bytes]) -> None:
    answers = await send_raw(served, RUNS, TOKEN, JSON, *headers, body=b"0\r\n\r\n" + SMUGGLED)
    assert answers == [(400, "request_malformed")]


@pytest.mark.parametrize(
    "body",
    [b"5\n{}\r\n0\r\n\r\n", b"-2\r\n{}\r\n0\r\n\r\n", b"0x2\r\n{}\r\n0\r\n\r\n", b"2\r\n{}XX0\r\n\r\n", b"zz\r\n"],
)
async def test_chunks_that_are_none_are_refused(served: Served, body: bytes) -> None:
    answers = await send_raw(served, RUNS, TOKEN, JSON, b"Transfer-Encoding: chunked", body=body + SMUGGLED)
    assert answers in ([(400, "request_malformed")], [(408, "body_slow")], [])


@pytest.mark.parametrize(
    "twice", [TOKEN, b"Authorization: Bearer other", b"X-Surehand-Door: cli", JSON, b"Origin: http://localhost"]
)
async def test_a_header_that_counts_once_is_refused_twice(served: Served, twice: bytes) -> None:
    name = twice.partition(b":")[0]
    lines = [each for each in (TOKEN, JSON) if not each.startswith(name)]
    answers = await send_raw(served, *close(RUNS, *lines, twice, twice, b"Content-Length: 2"), body=b"{}")
    assert answers == [(400, "request_malformed")]


@pytest.mark.parametrize("host", [b"", b"Host: localhost\r\nHost: evil.example"])
async def test_a_request_has_exactly_one_host(served: Served, host: bytes) -> None:
    assert await send_raw(served, *close(LIVE), host=host) == [(400, "request_malformed")]


@pytest.mark.parametrize("line", [b"GET /v1/live", b"\x16\x03\x01\x02\x00", b"GET /v1/li\xffve HTTP/1.1"])
async def test_what_is_no_request_is_refused_in_json_like_all_else(served: Served, line: bytes) -> None:
    assert await send_raw(served, line, b"") == [(400, "request_malformed")]
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(LIVE + b"\r\nX-Long: " + b"x" * 20_000)
    head, _, body = (await asyncio.wait_for(reader.read(), 10)).partition(b"\r\n\r\n")
    assert (head[:12], json.loads(body)["error"]["code"]) == (b"HTTP/1.1 431", "head_too_large")
    assert b"frame-ancestors 'none'" in head
    writer.close()


async def test_an_address_in_the_request_line_does_not_lead_elsewhere(served: Served) -> None:
    absolute = await send_raw(served, *close(b"GET http://evil.example/v1/live HTTP/1.1", TOKEN))
    asterisk = await send_raw(served, *close(b"OPTIONS * HTTP/1.1", TOKEN))
    assert [status for status, _ in (*absolute, *asterisk)] == [400, 400]


async def test_a_head_that_is_too_long_is_refused(served: Served) -> None:
    assert await send_raw(served, *close(LIVE), b"X-Long: " + b"x" * 20_000) == [(431, "head_too_large")]
    assert await send_raw(served, *close(b"GET /v1/live?" + b"x" * 20_000 + b" HTTP/1.1")) == [(431, "head_too_large")]


async def test_who_asks_before_sending_too_much_is_told_before(served: Served) -> None:
    expecting = [b"Content-Length: 9000000", b"Expect: 100-continue"]
    assert await send_raw(served, RUNS, TOKEN, JSON, *expecting) == [(413, "body_too_large")]


async def test_a_head_that_never_ends_is_given_up(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HurriedProtocol, "head_s", 0.2)
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    silent, other = await asyncio.open_connection("127.0.0.1", served.port)
    for byte in LIVE[:8]:
        writer.write(bytes([byte]))
        await writer.drain()
    assert await asyncio.wait_for(asyncio.gather(reader.read(), silent.read()), 10) == [b"", b""]
    for each in (writer, other):
        each.close()
        await each.wait_closed()


async def test_a_quota_is_told_with_the_time_to_wait(served: Served) -> None:
    async with served.open("hasty") as client:
        answers = [await client.get("/v1/runs") for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert 1 <= int(answers[2].headers["retry-after"]) <= 60


async def test_every_answer_has_its_id_and_is_nothing_for_a_frame_or_a_cache(served: Served) -> None:
    async with served.open(**{"X-Request-ID": "mine-1"}) as client:
        answers = [await client.get(path) for path in ("/v1/live", "/v1/runs", "/nothing", "/v1/runs/none/events")]
        answers.append(await client.post("/v1/runs", content=b"x"))
        bad = await client.get("/v1/live", headers={"X-Request-ID": "a b\\n"})
    for each in answers:
        assert each.headers["x-request-id"] == "mine-1"
        assert "frame-ancestors 'none'" in each.headers["content-security-policy"]
        assert (each.headers["cache-control"], each.headers["x-content-type-options"]) == ("no-store", "nosniff")
        assert "server" not in each.headers
    assert bad.headers["x-request-id"] != "a b\\n"
    assert {each["correlation_id"] for each in served.notes} == {"mine-1", bad.headers["x-request-id"]}
