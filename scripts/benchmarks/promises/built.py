"""Pages built with what others have made, to try outlines on: examples and kits out of npm's packages, and Python's documentation of Debian's.

The lock of the kits is `fixtures/kits/package-lock.json`.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from fixtures.kits.bundles import KITS
from scripts.benchmarks.looks.installing import prepare_modules, require_package
from scripts.benchmarks.looks.pages import serve_folder
from scripts.benchmarks.looks.tools import MissingToolError

BUILT = Path(__file__).resolve().parents[1] / "built"
PYTHON_DOC = Path("/usr/share/doc/python3.11/html")
TODOS = (
    "react",
    "angularjs",
    "jquery",
    "backbone",
    "vue",
    "emberjs",
    "knockoutjs",
    "vanillajs",
    "dojo",
    "polymer",
    "mithril",
    "ractive",
)
DOCUMENTS = ("library/functions.html", "library/stdtypes.html", "genindex-A.html", "index.html", "search.html")
PAGES = ("bootstrap", "jquery-ui", "material", "shoelace", "swagger")


@contextmanager
def serve_built() -> Generator[dict[str, str]]:
    """Serve all of them that can be had; say of others why not. Yields their addresses by their names."""
    pages: dict[str, str] = {}
    with _serve_kits() as kits, _serve_todos() as todos, _serve_documents() as documents:
        pages |= kits | todos | documents
        yield pages


@contextmanager
def _serve_kits() -> Generator[dict[str, str]]:
    try:
        modules = prepare_modules(KITS)
    except MissingToolError as error:
        print(f"pages of kits are left out: {error}", flush=True)
        yield {}
        return
    made = {f"/{name}.html": (BUILT / f"{name}.html").read_text(encoding="utf-8") for name in PAGES}
    paths = (*(each[1:] for each in made), "jquery-ui-dist/index.html")
    with serve_folder(modules, paths, made) as addresses:
        yield dict(zip((*PAGES, "jquery-ui's own"), addresses, strict=True))


@contextmanager
def _serve_todos() -> Generator[dict[str, str]]:
    try:
        folder = require_package("todomvc", KITS) / "examples"
    except MissingToolError as error:
        print(f"TodoMVC is left out: {error}", flush=True)
        yield {}
        return
    there = [name for name in TODOS if (folder / name / "index.html").exists()]
    with serve_folder(folder, tuple(f"{name}/index.html" for name in there), {}) as addresses:
        yield {f"TodoMVC {name}": address for name, address in zip(there, addresses, strict=True)}


@contextmanager
def _serve_documents() -> Generator[dict[str, str]]:
    there = [name for name in DOCUMENTS if (PYTHON_DOC / name).exists()]
    if not there:
        print("Python's documentation is left out: python3.11-doc isn't installed", flush=True)
        yield {}
        return
    with serve_folder(PYTHON_DOC, tuple(there), {}) as addresses:
        yield {f"python3-doc {name}": address for name, address in zip(there, addresses, strict=True)}
