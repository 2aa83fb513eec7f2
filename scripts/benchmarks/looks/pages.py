"""The pages that are looked at, all served on this machine: our own sign-in, TodoMVC, two pages of documentation, Django's admin."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fixtures.site_server import SiteServer
from scripts.benchmarks.looks.admin import serve_admin
from scripts.benchmarks.looks.documentation import LARGE, SMALL, find_documentation
from scripts.benchmarks.looks.installing import require_package

TODOS = """<!doctype html><title>Three todos</title><script>
localStorage.setItem('todos-vuejs', JSON.stringify([
  {title: 'Buy milk', completed: false}, {title: 'Water the plants', completed: true}, {title: 'Call Ada', completed: false},
]));
</script>"""


@dataclass(frozen=True, slots=True)
class LookPage:
    """A page, as long as it is served.

    Attributes:
        name: How it is asked for.
        addresses: What to go to, one after another; the last one is the page.
        host: Where it comes from: name and port.
    """

    name: str
    addresses: tuple[str, ...]
    host: str


@dataclass(frozen=True, slots=True)
class PageAims:
    """What is aimed at on a page.

    Attributes:
        limit_s: Most seconds of a look.
        most_tokens: Most tokens; None for those of the best of the others.
    """

    limit_s: float
    most_tokens: int | None = None


AIMS = {
    "signin": PageAims(0.3, 41),
    "todomvc": PageAims(0.3, 130),
    "docs290": PageAims(0.5, 2500),
    "docs750": PageAims(1.2, 5000),
    "admin": PageAims(0.3),
}
PAGES = tuple(AIMS)


@asynccontextmanager
async def serve_page(name: str) -> AsyncGenerator[LookPage]:
    """Serve a page.

    Args:
        name: One of `PAGES`.

    Raises:
        MissingToolError: If it can't be had on this machine.
    """
    with contextlib.ExitStack() as stack:
        addresses = stack.enter_context(await asyncio.to_thread(_SERVERS[name]))
        yield LookPage(name, addresses, urlsplit(addresses[0]).netloc)


def _serve_signin() -> AbstractContextManager[tuple[str, ...]]:
    @contextmanager
    def serve() -> Generator[tuple[str, ...]]:
        with SiteServer() as server:
            yield (f"{server.url}/shop/signin",)

    return serve()


def _serve_todomvc() -> AbstractContextManager[tuple[str, ...]]:
    folder = require_package("todomvc") / "examples" / "vue"
    return serve_folder(folder, ("three-todos.html", "index.html"), {"/three-todos.html": TODOS})


def _serve_documentation(size: str) -> AbstractContextManager[tuple[str, ...]]:
    return serve_folder(find_documentation(), (size,), {})


def _serve_admin() -> AbstractContextManager[tuple[str, ...]]:
    return serve_admin()


_SERVERS: dict[str, Callable[[], AbstractContextManager[tuple[str, ...]]]] = {
    "signin": _serve_signin,
    "todomvc": _serve_todomvc,
    "docs290": partial(_serve_documentation, SMALL),
    "docs750": partial(_serve_documentation, LARGE),
    "admin": _serve_admin,
}


@contextmanager
def serve_folder(folder: Path, paths: tuple[str, ...], made: dict[str, str]) -> Generator[tuple[str, ...]]:
    """Serve a folder, and pages that are made up beside its files; yield the addresses of the paths.

    Args:
        folder: What is served.
        paths: Pages in it.
        made: Content of pages that are no files, by path.
    """

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path not in made:
                super().do_GET()
                return
            body = made[self.path].encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any, **__: Any) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield tuple(f"http://127.0.0.1:{server.server_port}/{path}" for path in paths)
        finally:
            server.shutdown()
            thread.join()
