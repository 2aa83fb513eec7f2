"""Everyday jobs on pages of others, as `fixtures/kits/jobs/*.yaml` says them: what to do in three ways, and what the far end should know then."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass as checked
from ruamel.yaml import YAML

from fixtures.kits.bundles import KITS, SHELVES

JOBS = KITS / "jobs"
CLOSED = "closed"
PATTERNS = (
    "choose",
    "choose-many",
    "autocomplete",
    "date",
    "date-range",
    "time",
    "number",
    "slider",
    "switch",
    "dialog",
    "drawer",
    "menu",
    "tabs",
    "accordion",
    "table",
    "tree",
    "tags",
    "upload",
    "rich-text",
    "toast",
    "infinite-list",
    "reorder",
    "field",
    "keyboard",
)


@checked(frozen=True, config=ConfigDict(extra="forbid"))
class Job:
    """One thing that a person wants done.

    Attributes:
        name: In the person's words.
        pattern: One of `PATTERNS`.
        page: Where it is done: a page of the kit, or a path of the application.
        steps: Goals as a flow file has them, after the page is open.
        sentence: The same in words; empty where nobody would say it.
        want: What the far end should know, by name.
        answer: What the last step's text should hold; empty where nothing is read.
        files: Texts of files in the workspace, by name.
    """

    name: str
    pattern: str
    page: str
    steps: list[dict[str, Any]]
    sentence: str = ""
    want: dict[str, Any] = Field(default_factory=dict)
    answer: str = ""
    files: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wish:
    """Which jobs are asked for.

    Attributes:
        kits: Names of kits, of applications and of whole shelves; empty for all but the closed ones.
        patterns: Patterns; empty for all.
        name: A part of the names of jobs.
    """

    kits: Collection[str] = ()
    patterns: Collection[str] = ()
    name: str = ""


def read_jobs(file: Path) -> list[Job]:
    """Return the jobs of a file.

    Args:
        file: It is named after its kit or application.

    Raises:
        ValueError: If one of them is wrong.
    """
    jobs = TypeAdapter(list[Job]).validate_python(YAML(typ="safe", pure=True).load(file.read_text(encoding="utf-8")))
    if wrong := [job.name for job in jobs if job.pattern not in PATTERNS]:
        raise ValueError(f"{file.name}: no such pattern: {', '.join(wrong)}")
    return jobs


def list_job_files() -> list[Path]:
    """Return the files of jobs, shelf by shelf."""
    return [file for shelf in SHELVES for file in sorted((shelf / "jobs").glob("*.yaml"))]


def choose_jobs(wish: Wish) -> dict[str, list[Job]]:
    """Return the jobs that are asked for, by kit.

    Args:
        wish: Which.

    Raises:
        SystemExit: If there is none.
    """
    chosen: dict[str, list[Job]] = {}
    for file in list_job_files():
        jobs = [job for job in read_jobs(file) if _is_wanted(job, file, wish)]
        if jobs:
            chosen[file.stem] = jobs
    if not chosen:
        raise SystemExit("no such job")
    return chosen


def _is_wanted(job: Job, file: Path, wish: Wish) -> bool:
    shelf = file.parents[1].name
    return (
        (bool({file.stem, shelf} & {*wish.kits}) if wish.kits else shelf != CLOSED)
        and (not wish.patterns or job.pattern in wish.patterns)
        and wish.name.casefold() in job.name.casefold()
    )
