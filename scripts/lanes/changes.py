"""What changed in the tree, as git knows it."""

from __future__ import annotations

import subprocess
from pathlib import Path

KEPT = {"docs/lanes.toml", "scripts/lanes/costs.txt"}
"""What runs of whole areas write: a record, no change."""


def ask_git(root: Path, *arguments: str) -> str:
    """Return what git says; nothing where there is no history, or no such commit."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "-c", "core.quotePath=false", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def list_changes(root: Path, reference: str) -> list[str]:
    """Return the files that differ from a commit, those that git doesn't know yet included.

    Args:
        root: The tree.
        reference: The commit.
    """
    known = ask_git(root, "diff", "--name-only", "--no-renames", reference, "--")
    fresh = ask_git(root, "ls-files", "--others", "--exclude-standard")
    return sorted({*known.splitlines(), *fresh.splitlines()} - KEPT)


def list_latest(root: Path) -> tuple[str, list[str]]:
    """Return what a change is when nobody says since when: what isn't committed, else the last commit."""
    if changed := list_changes(root, "HEAD"):
        return "HEAD", changed
    return "HEAD~1", list_changes(root, "HEAD~1")


def name_commit(root: Path) -> str:
    """Return the name of the commit that the tree stands on, with a mark where more has changed; nothing without history."""
    commit = ask_git(root, "rev-parse", "--short=10", "HEAD")
    return f"{commit}+" if commit and list_changes(root, "HEAD") else commit


def is_held(root: Path, commit: str) -> bool:
    """Tell whether this history holds a commit."""
    return bool(commit) and bool(ask_git(root, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"))


def is_known(root: Path, reference: str) -> bool:
    """Tell whether git knows a commit, or a range of commits, by this name."""
    return bool(ask_git(root, "rev-parse", "--quiet", "--revs-only", reference))
