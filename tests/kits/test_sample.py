"""Jobs on pages of others, a few of each pattern, of which each run of the tests draws some; `scripts/bench.py pages` does them all."""

from pathlib import Path

import pytest

from agent.sessions.session import AgentSession
from fixtures.kits.kit_site import KitSite
from fixtures.kits.places import KitPlace
from scripts.benchmarks.everyday.jobs import JOBS, read_jobs
from scripts.benchmarks.everyday.running import do_job
from tests.thoroughness import spread

SAMPLE = {
    "mui": [
        "Choose an age group",
        "Ask for the monthly letter",
        "Subscribe in a dialog",
        "Go to the drafts by a drawer",
        "Print from a context menu",
        "Hide the profile behind a tab",
        "Write a note in a closed part, revealed",
        "Select two rows",
        "Undo by a toast",
    ],
    "antd": [
        "Turn the volume up",
        "A budget between two bounds",
        "Move to the trash by a menu in a menu",
        "Open a folder in a tree and choose what is in it",
        "Tick a branch of a tree",
        "Rename in place",
        "Add a label",
        "Pay an order far down an endless list",
    ],
    "aria": [
        "Paste from a menu",
        "Share by link, a menu in a menu",
        "Sort by age",
        "Remove a tag",
        "Close a toast",
        "Choose by keys alone",
    ],
}


@pytest.mark.parametrize("kit", SAMPLE)
async def test_everyday_jobs_are_done_on_pages_of_others(
    kit: str, kit_site: KitSite, session: AgentSession, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    jobs = {job.name: job for job in read_jobs(JOBS / f"{kit}.yaml")}
    place = KitPlace(kit_site, kit)
    for name in spread(SAMPLE[kit], 3):
        for file, text in jobs[name].files.items():
            (tmp_path / file).write_text(text, encoding="utf-8")
        with subtests.test(name):
            ended = await do_job(session, place, kit, jobs[name], "flow")
            assert (ended.verdict, ended.trouble) == ("done", "")


async def test_a_sentence_is_said_of_the_page_that_is_open(kit_site: KitSite, session: AgentSession) -> None:
    (job,) = (job for job in read_jobs(JOBS / "flatpickr.yaml") if job.name == "a day of this month")
    ended = await do_job(session, KitPlace(kit_site, "flatpickr"), "flatpickr", job, "sentence")
    assert (ended.verdict, ended.trouble) == ("done", "")
