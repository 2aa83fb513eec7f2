"""A report as one file: templates filled in with escaping, styles, scripts and pictures within it, under a policy that lets nothing else in."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from agent.reports.words import clean_text, count_of, list_notes, tell_moment, tell_ms
from agent.store.private_files import write_whole
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass

MARK = "<!doctype html><!-- Surehand report -->"
"""How every report begins, so that one may be written over an earlier one, and over nothing else."""

ENDINGS = (".html", ".htm")

_HOME = Path(__file__).parent
_FIRST_SCRIPT = "theme.js"
"""The script that runs before anything is drawn, so that nothing flashes."""


@dataclass(frozen=True, slots=True)
class _Inlay:
    """A style or script within a report."""

    text: str
    digest: str


def check_report_place(path: Path) -> None:
    """Check that a report can be written to a file.

    Raises:
        InputError: If its folder is missing, something else is there, or its ending is another.
    """
    if path.suffix.lower() not in ENDINGS:
        text = f"{path} is not a name for a report."
        raise InputError(text, code="bad_usage", hint="Name a file that ends in .html.")
    if not path.parent.is_dir():
        raise InputError(f"The folder of {path} does not exist.", code="not_found", hint="Create it, or name another.")
    if path.exists() and not _is_report(path):
        hint = "Choose another name; only reports are overwritten."
        raise InputError(f"{path} already exists, and is not a report.", code="file_exists", hint=hint)


def write_page(template: str, values: dict[str, Any], path: Path) -> int:
    """Write a report in the place of an earlier one; return how many bytes it has.

    Raises:
        InputError: If it can't be written there.
    """
    check_report_place(path)
    styles, scripts = _read_styles(), _read_scripts()
    head = {"styles": styles, "scripts": scripts, "rules": _write_rules(styles, scripts), "opening": MARK}
    content = _open_pages().get_template(template).render(**head, **values).encode("utf-8", "replace")
    try:
        write_whole(path, content, durable=False)
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror}.", code="not_writable") from error
    return len(content)


def _is_report(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MARK)) == MARK.encode()
    except OSError:
        return False


def _clean(value: object) -> object:
    """Return what is written into a page: of a text, whatever can't be seen stands as an escape."""
    return clean_text(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


@cache
def _open_pages() -> Environment:
    pages = Environment(
        loader=FileSystemLoader(_HOME / "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Any] = pages.filters
    filters.update({"moment": tell_moment, "ms": tell_ms, "counted": count_of, "notes": list_notes})
    return pages


@cache
def _read_styles() -> Sequence[_Inlay]:
    paths = sorted((_HOME / "styles").glob("*.css"))
    return (_make_inlay("\n".join(path.read_text("utf-8") for path in paths)),)


@cache
def _read_scripts() -> Sequence[_Inlay]:
    paths = sorted((_HOME / "scripts").glob("*.js"), key=lambda path: (path.name != _FIRST_SCRIPT, path.name))
    return tuple(_make_inlay(path.read_text("utf-8")) for path in paths)


def _make_inlay(text: str) -> _Inlay:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return _Inlay(text, f"'sha256-{digest}'")


def _write_rules(styles: Sequence[_Inlay], scripts: Sequence[_Inlay]) -> str:
    """Return the policy of the page: its own styles and scripts, by their digests, pictures within it, and nothing else."""
    rules = (
        "default-src 'none'",
        f"script-src {' '.join(each.digest for each in scripts)}",
        f"style-src {' '.join(each.digest for each in styles)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return "; ".join(rules)
