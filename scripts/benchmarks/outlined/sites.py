"""Where tasks are done: the fixture sites, pages of kits with a line that tells their model to their server, and Django's admin."""

import json
import re
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from fixtures.kits.bundles import KITS
from fixtures.site_server import SiteServer
from scripts.benchmarks.looks.admin import serve_admin
from scripts.benchmarks.looks.installing import require_package

_TELLING = """<script>addEventListener("load", () => {
  let told;
  setInterval(() => {
    let model;
    try { model = JSON.stringify(READ); } catch { return; }
    if (model !== told) fetch("/__model", {method: "POST", keepalive: true, body: told = model});
  }, 50);
});</script>"""


@dataclass(frozen=True, slots=True)
class Place:
    """A page that is served, and how its site's own state is read.

    Attributes:
        address: Of the page.
        read: Returns what the site says of itself.
    """

    address: str
    read: Callable[[], Any]


Serve = Callable[[], AbstractContextManager[Place]]


def on_fixtures(path: str, read: Callable[[SiteServer], Any]) -> Serve:
    """Return what serves a page of the fixture sites; its state is what their server received.

    Args:
        path: Of the page.
        read: Reads it.
    """

    @contextmanager
    def serve() -> Generator[Place]:
        with SiteServer() as server:
            yield Place(server.url + path, lambda: read(server))

    return serve


def on_kit(package: str, page: str, read: str, made: Mapping[str, str] | None = None) -> Serve:
    """Return what serves a page of npm's package, or one of ours that is made of it; its state is what its own model says.

    Args:
        package: The package; all others are served as well, each under its name.
        page: Path of the page in it, or the name of one in `kits/pages/flows`.
        read: What the model is, in the page's own script.
        made: Files that stand in for those of the package, by path.
    """

    @contextmanager
    def serve() -> Generator[Place]:
        own = KITS / "pages" / "flows" / page
        modules = require_package(package, KITS).parents[package.count("/")]
        path = f"/{page}" if own.exists() else f"/{package}/{page}"
        source = (own if own.exists() else modules / package / page).read_text(encoding="utf-8")
        shown = {path: source.replace("<head>", "<head>" + _TELLING.replace("READ", read), 1)}
        with KitServer(modules, shown | {f"/{package}/{name}": text for name, text in (made or {}).items()}) as server:
            yield Place(server.url + path, lambda: server.model)

    return serve


def on_admin(path: str, pattern: str, start: str = "") -> Serve:
    """Return what serves Django's admin; its state is what the pattern finds on another of its pages.

    Args:
        path: Of the page that is read afterwards, by another visitor.
        pattern: What is found there.
        start: The page to begin on; where absent, the one that is read.
    """

    @contextmanager
    def serve() -> Generator[Place]:
        with serve_admin() as (address,):
            parts = urlsplit(address)
            base = f"{parts.scheme}://{parts.netloc}"

            def read() -> list[str]:
                with closing(HTTPConnection(parts.netloc)) as visit:
                    visit.request("GET", path)
                    return re.findall(pattern, visit.getresponse().read().decode())

            yield Place(base + (start or path), read)

    return serve


class KitServer:
    """Serves packages, pages that are made up beside them, and takes what the pages tell of their models."""

    def __init__(self, folder: Path, made: Mapping[str, str]) -> None:
        """Take what is served.

        Args:
            folder: The packages.
            made: Texts by path.
        """
        self.model: Any = None
        self._server = _Listener(folder, made, self._take)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _take(self, model: Any) -> None:
        self.model = model


class _Listener(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder: Path, made: Mapping[str, str], take: Callable[[Any], None]) -> None:
        self.folder = folder
        self.made = made
        self.take = take
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(SimpleHTTPRequestHandler):
    @property
    def _listener(self) -> _Listener:
        assert isinstance(self.server, _Listener)
        return self.server

    def translate_path(self, path: str) -> str:
        """Return the file behind a path."""
        self.directory = str(self._listener.folder)
        return super().translate_path(path)

    def do_GET(self) -> None:
        """Answer with what is made up, or with a file; what is asked of `/api/` is told as the model."""
        if self.path.startswith("/api/"):
            self._listener.take(f"{self.command} {self.path}")
            self._answer(b"{}", "application/json")
        elif (text := self._listener.made.get(urlsplit(self.path).path)) is not None:
            self._answer(text.encode(), self.guess_type(urlsplit(self.path).path) + "; charset=utf-8")
        else:
            super().do_GET()

    def do_POST(self) -> None:
        """Take what a page tells."""
        self._listener.take(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self._answer(b"", "text/plain")

    def log_message(self, *_: Any, **__: Any) -> None:
        """Print nothing."""

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
