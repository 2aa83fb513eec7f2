"""Serves the pages of MiniWoB++ on this machine, each with a few lines that begin its episode and tell how it ends.

A page's path begins with its seed: `/10/miniwob/NAME.html`. The lines seed the page's own random numbers, start the episode, and
report the task, in the page's own words, and at the end the reward, without what the page takes off for time. Pages are otherwise as they are.
"""

import asyncio
import json
import threading
from collections.abc import Mapping
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_LINES = """<script>
addEventListener("load", () => setTimeout(() => {
  const report = (what) => fetch("/report", {method: "POST", keepalive: true, body: JSON.stringify({...what, page: location.pathname})});
  const end = core.endEpisode;
  core.endEpisode = function (...given) {
    const open = core.EP_TIMER !== null;
    end.apply(core, given);
    if (open) report({reward: WOB_RAW_REWARD_GLOBAL, reason: String(WOB_REWARD_REASON ?? "")});
  };
  Math.seedrandom(SEED);
  core.startEpisodeReal();
  const said = core.getUtterance();
  report({task: said.utterance ?? said});
}));
</script>"""


class MiniwobPages:
    """The pages on a free port of this machine. Starts on entering the `with` block, and stops when it is left."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of the pages.

        Args:
            folder: The one that holds `core` and `miniwob`.
        """
        self._reports: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        self._server = _Server(folder, lambda report: loop.call_soon_threadsafe(self._reports.put_nowait, report))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def host(self) -> str:
        """Where pages come from: address and port."""
        return f"127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def address(self, name: str, seed: int) -> str:
        """Return the address of a page, which begins its episode when it is opened."""
        return f"http://{self.host}/{seed}/miniwob/{name}.html"

    async def take_report(self, address: str, kind: str) -> Mapping[str, Any]:
        """Wait for a report of a page and return it; those of other pages are dropped.

        Args:
            address: Of the page.
            kind: `task` or `reward`.
        """
        while True:
            report = await self._reports.get()
            if kind in report and address.endswith(report["page"]):
                return report


class _Server(ThreadingHTTPServer):
    """Hands the folder of the pages and whoever takes reports to the handlers."""

    daemon_threads = True

    def __init__(self, folder: Path, tell: Any) -> None:
        self.folder = folder
        self.tell = tell
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(SimpleHTTPRequestHandler):
    @property
    def _pages(self) -> _Server:
        if not isinstance(self.server, _Server):
            raise TypeError(f"pages are served by a _Server, not by {self.server!r}")
        return self.server

    def translate_path(self, path: str) -> str:
        """Return the file behind a path, whose first part is the seed."""
        self.directory = str(self._pages.folder)
        return super().translate_path("/" + path.lstrip("/").partition("/")[2])

    def do_GET(self) -> None:
        """Answer with a page and our lines in it, or with what it is made of."""
        seed, _, rest = self.path.lstrip("/").partition("/")
        if not (seed.isdigit() and rest.startswith("miniwob/") and rest.endswith(".html")):
            super().do_GET()
            return
        page = Path(self.translate_path(self.path)).read_text(encoding="utf-8")
        body = page.replace("<head>", "<head>" + _LINES.replace("SEED", seed), 1).encode()
        self._answer(body, "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """Take a report."""
        self._pages.tell(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self._answer(b"", "text/plain")

    def log_message(self, *_: Any, **__: Any) -> None:
        """Print nothing."""

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)
