"""What becomes of labelled sentences with another version of the language: `bench.py language --against REF`.

The version's `core` is taken out of git into a temporary folder and read from there by a process of its own, which is this file; the labels
and the judging are those of today, so that only the language differs.
"""

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MOST_SHOWN = 200


def judge_with(ref: str, files: Sequence[Path], root: Path = ROOT) -> list[tuple[str, str]]:
    """Return the verdict and the reading of every sentence, in the order of the files.

    Args:
        ref: The version, as git names it.
        files: Labelled sentences.
        root: The checkout that knows the version.

    Raises:
        SystemExit: If git doesn't know the version, or it can't read sentences.
    """
    packed = subprocess.run(["git", "archive", ref, "core"], cwd=root, capture_output=True, check=False)
    if packed.returncode:
        sys.exit(f"There is no version {ref} to compare with: {packed.stderr.decode(errors='replace').strip()}")
    with tempfile.TemporaryDirectory(prefix="surehand-") as folder:
        with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
        variables = os.environ | {"PYTHONPATH": os.pathsep.join((folder, str(ROOT)))}
        command = [sys.executable, str(Path(__file__).resolve()), *map(str, files)]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"The language of {ref} could not be asked:\n{done.stderr.strip()}")
    return [(kind, reading) for kind, reading in json.loads(done.stdout)]


def describe_differences(
    sentences: Iterable[tuple[str, bool]], before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]
) -> list[str]:
    """Return the lines that tell which verdicts differ, the closed sentences as a number only.

    Args:
        sentences: Each sentence, and whether it is closed.
        before: Verdict and reading of each, with the other version.
        after: The same of today.
    """
    lines: list[str] = []
    closed: dict[str, int] = {}
    for (text, is_closed), was, now in zip(sentences, before, after, strict=True):
        if was == now:
            continue
        kinds = f"{was[0]} → {now[0]}"
        if is_closed:
            closed[kinds] = closed.get(kinds, 0) + 1
        else:
            lines.append(f"  {kinds:<20} {text} | {was[1] or 'refused'} → {now[1] or 'refused'}")
    lines.sort(key=lambda line: (" → false" not in line, " → wrong" not in line, "right → refused" not in line))
    more = [f"  and {len(lines) - MOST_SHOWN} more"] if len(lines) > MOST_SHOWN else []
    numbers = ", ".join(f"{kinds}: {number}" for kinds, number in sorted(closed.items())) or "none"
    return [
        f"{len(lines)} open sentences are read otherwise:",
        *lines[:MOST_SHOWN],
        *more,
        f"Of the closed ones, {numbers}.",
    ]


def main() -> None:
    """Print verdicts and readings of the sentences of the files that are named, as JSON."""
    from core.language.interpreter import GrammarInterpreter
    from scripts.benchmarks.sentences.labels import judge, read_labelled

    interpreter = GrammarInterpreter()
    sentences = [sentence for file in sys.argv[1:] for sentence in read_labelled(Path(file))]
    verdicts = [judge(interpreter, sentence) for sentence in sentences]
    print(json.dumps([(verdict.kind, verdict.reading) for verdict in verdicts]))


if __name__ == "__main__":
    main()
