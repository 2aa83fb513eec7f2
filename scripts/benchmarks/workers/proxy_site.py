"""A site for the proxy's benchmark: pages that transfer something and show the seconds that it took. Prints its address.

`/download?mib=N` reads `/bytes?mib=N` to its end; `/requests?count=N` makes N small requests, six at a time, as browsers do.
"""

import asyncio
from urllib.parse import SplitResult, parse_qs, urlsplit

CHUNK = bytes(256 * 1024)
CHUNKS_PER_MIB = 4
PAGE = """<!doctype html><meta charset="utf-8"><title>transfer</title><body><script type="module">
const wish = new URLSearchParams(location.search);
async function download() {
  const reader = (await fetch(`/bytes?mib=${wish.get('mib')}`)).body.getReader();
  while (!(await reader.read()).done);
}
async function request() {
  let left = Number(wish.get('count'));
  const go = async () => { while (left-- > 0) await (await fetch(`/small?${left}`, { cache: 'no-store' })).text(); };
  await Promise.all(Array.from({ length: 6 }, go));
}
const began = performance.now();
await (location.pathname === '/download' ? download() : request());
const told = document.body.appendChild(document.createElement('p'));
told.dataset.testid = 'seconds';
told.textContent = String((performance.now() - began) / 1000);
</script>"""


def write_head(kind: str, length: int) -> bytes:
    """Return the head of an answer."""
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\n\r\n".encode()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            await send(urlsplit(head.split(b" ", 2)[1].decode()), writer)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # the browser has closed it
    finally:
        writer.close()


async def send(address: SplitResult, writer: asyncio.StreamWriter) -> None:
    """Send what an address stands for."""
    if address.path == "/bytes":
        mebibytes = int(parse_qs(address.query)["mib"][0])
        writer.write(write_head("application/octet-stream", mebibytes * CHUNKS_PER_MIB * len(CHUNK)))
        for _ in range(mebibytes * CHUNKS_PER_MIB):
            writer.write(CHUNK)
            await writer.drain()
    else:
        body = b"small" if address.path == "/small" else PAGE.encode()
        writer.write(write_head("text/html; charset=utf-8", len(body)) + body)
        await writer.drain()


async def main() -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
