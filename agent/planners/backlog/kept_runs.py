"""How much is kept of a planner's run: enough to see why it failed, and no more than a screenful of each thing."""

from dataclasses import replace

from core.base.phrases import cut_text
from core.planning.planners.results import KeptPlannerRun
from core.planning.planners.transcripts import TranscriptEntry

LONGEST_TEXT = 2000
MOST_ENTRIES = 200


def bound_run(run: KeptPlannerRun) -> KeptPlannerRun:
    """Return a run with at most ``MOST_ENTRIES`` entries in its transcript, each of at most ``LONGEST_TEXT`` characters."""
    kept, _ = _bound_entries(run.transcript, MOST_ENTRIES)
    count = _count(run.transcript)
    told = (f"Of {count} entries of the transcript the first {MOST_ENTRIES} were saved.",) * (count > MOST_ENTRIES)
    return replace(run, transcript=kept, diagnostics=(*run.diagnostics, *told))


def _count(entries: tuple[TranscriptEntry, ...]) -> int:
    return sum(1 + _count(entry.inner) for entry in entries)


def _bound_entries(entries: tuple[TranscriptEntry, ...], most: int) -> tuple[tuple[TranscriptEntry, ...], int]:
    """Return what fits of the entries, in order, and how many more would."""
    kept: list[TranscriptEntry] = []
    for entry in entries:
        if most <= 0:
            break
        inner, most = _bound_entries(entry.inner, most - 1)
        kept.append(replace(entry, text=cut_text(entry.text, LONGEST_TEXT), inner=inner))
    return tuple(kept), most
