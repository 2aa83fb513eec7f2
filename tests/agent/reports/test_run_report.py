"""The report of a run: what it says, and that it says it of old, foreign, damaged and very large runs, too."""

import json
import re
import stat
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from agent.reports.picture_book import MOST_BYTES
from agent.reports.rendering import MARK
from agent.reports.run_report import write_run_report
from agent.store.session_files import KeptRun
from core.base.errors import InputError
from tests.agent.reports.kept_documents import (
    RUN_ID,
    draw_picture,
    keep_picture,
    make_error,
    make_log,
    make_node,
    make_run,
    make_small_run,
)

DIFF = "--- a\n+++ b\n@@ -1,2 +1,3 @@\n Shopping\n-Gift wrap: no.\n+Gift wrap: yes.\n+Two mugs.\n"


def write(folder: Path, run: KeptRun, most_bytes: int = MOST_BYTES) -> str:
    path = folder / "report.html"
    size = write_run_report(run, folder, path, most_bytes=most_bytes)
    text = path.read_text("utf-8")
    assert size == path.stat().st_size
    assert text.startswith(MARK)
    return text


def read_words(text: str) -> str:
    """Return what a person reads of a page."""
    body = text.partition("<main>")[2]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body)).replace("&#34;", '"').replace("&#39;", "'")


def test_it_tells_what_was_asked_what_came_of_it_and_each_step(tmp_path: Path) -> None:
    words = read_words(write(tmp_path, make_small_run()))
    for told in ("Flow order two mugs Done", "24 November 2026, 10:20:26 UTC", "10.0 s", "3 steps", "I did it."):
        assert told in words, told
    assert words.count("Clicked button “1”") >= 2  # in the plan, and among the steps
    assert f"Run {RUN_ID}" in words


def test_a_failure_tells_what_why_and_what_to_do_and_is_unfolded(tmp_path: Path) -> None:
    logs = [
        make_log(0),
        make_log(1, "failed", error=make_error("No button “1” is on the page.", "Did you mean “One”?")),
        make_log(2, "skipped", error=make_error("Skipped: step 2 failed (no element matches).", code="skipped"), ms=0),
    ]
    run = make_run([make_node(each) for each in range(3)], logs, outcome="partial")
    text = write(tmp_path, run)
    words = read_words(text)
    assert "What went wrong" in words
    assert "Step 2: Click button “1” No button “1” is on the page. What to do Did you mean “One”?" in words
    assert "Skipped: step 2 failed (no element matches)." in words
    opened = re.findall(r'id="step-r0123456789abcdef-(\d)" data-step>\s*<details open>', text)
    assert opened == ["2"]


def test_it_folds_the_plan_by_groups(tmp_path: Path) -> None:
    nodes = [make_node(0, groups=["Order", "row 1"]), make_node(1, groups=["Order", "row 2"]), make_node(2)]
    text = write(tmp_path, make_run(nodes, [make_log(each) for each in range(3)]))
    assert re.findall(r'group-title">([^<]+)<', text) == ["Order", "row 1", "row 2"]
    assert "2 steps, 160 ms" in read_words(text)


def test_it_shows_diffs_receipts_approvals_and_what_was_read(tmp_path: Path) -> None:
    logs = [
        make_log(
            0,
            output={"text": "£27.50"},
            evidence={"navigated_to": "/thanks", "page_log": "/x/pages.json"},
            args_digest="ab" * 32,
        )
    ]
    run = make_run(
        [make_node(0)],
        logs,
        diff_preview=[{"id": "g0_click_1", "text": "Write notes.txt", "diff": DIFF}],
        required_approvals=[{"action_id": "g0_click_1", "approval": "apply_diff", "approved": True}],
    )
    words = read_words(write(tmp_path, run))
    assert "Write notes.txt +2 −1" in words
    assert "removed Gift wrap: no." in words
    assert "added Gift wrap: yes." in words
    for told in ("£27.50", "navigated to /thanks", "ab" * 32, "apply_diff: yes", "confirmed"):
        assert told in words, told
    assert "/x/pages.json" not in words


def test_each_dialog_of_a_page_stands_at_its_step_with_the_answer(tmp_path: Path) -> None:
    dialogs = [
        {"kind": "alert", "message": "Saved", "answer": "dismiss"},
        {"kind": "confirm", "answer": ["dismiss"]},
        7,
    ]
    run = make_run([make_node(0)], [make_log(0, evidence={"dialogs": dialogs, "since_last_action": 1})])
    assert "The page said “Saved”, and OK was pressed." in read_words(write(tmp_path, run))


def test_it_shows_what_pages_said_and_missed_by_step(tmp_path: Path) -> None:
    steps = {
        "g0_click_1": {
            "url": "http://shop.test/",
            "console": [{"kind": "warning", "text": "slow"}],
            "errors": [{"text": "it broke"}],
            "requests": [{"method": "GET", "url": "http://shop.test/x.png", "outcome": "404", "type": "image"}],
        }
    }
    keep_picture(tmp_path, "pages.json", json.dumps({"version": 1, "steps": steps}).encode())
    words = read_words(write(tmp_path, make_small_run(1)))
    for told in ("3 faults on the page", "warning slow", "uncaught it broke", "404 GET http://shop.test/x.png"):
        assert told in words, told


def test_a_run_of_before_shows_what_was_kept_of_its_failure(tmp_path: Path) -> None:
    scene = {
        "url": "http://shop.test/",
        "requests": ["GET http://shop.test/: 200", "GET http://shop.test/x.png: net::ERR_FAILED"],
        "console": ["error: it broke"],
    }
    run = make_run([make_node(0)], [make_log(0, "failed", error=make_error("No."), evidence={"scene": scene})])
    keep_picture(tmp_path, "g0_click_1.png", draw_picture(kind="PNG"))
    text = write(tmp_path, run)
    words = read_words(text)
    assert "When it failed" in words
    assert "net::ERR_FAILED GET http://shop.test/x.png" in words
    assert "error it broke" in words
    assert text.count("data:image/jpeg;base64,") == 1


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"status": "running", "plan": {"nodes": [make_node(0)]}},
        {"step_logs": {"cut": "x"}, "plan": None, "request": 5, "metrics": []},
    ],
)
def test_what_is_missing_or_damaged_is_left_out(tmp_path: Path, document: dict[str, object]) -> None:
    words = read_words(write(tmp_path, KeptRun(RUN_ID, document)))
    assert f"Run {RUN_ID}" in words


def test_a_foreign_run_is_told_to_be_one_and_reads_no_file_but_its_own(tmp_path: Path) -> None:
    outside = tmp_path / "outside.jpg"
    outside.write_bytes(draw_picture())
    (tmp_path / "artifacts" / RUN_ID).mkdir(parents=True)
    (tmp_path / "artifacts" / RUN_ID / "g0_click_1.after.jpg").symlink_to(outside)
    logs = [make_log(0, evidence={"pictures": {"after": str(outside)}})]
    text = write(tmp_path, make_run([make_node(0)], logs, is_foreign=True))
    assert "This run may not be yours" in read_words(text)
    assert "data:image" not in text


def test_pictures_that_are_none_are_counted_and_left_out(tmp_path: Path) -> None:
    keep_picture(tmp_path, "g0_click_1.before.jpg", b"<svg onload='alert(1)'>")
    keep_picture(tmp_path, "g0_click_1.after.jpg", draw_picture())
    text = write(tmp_path, make_small_run(1))
    assert text.count("data:image/jpeg;base64,") == 1
    assert "1 picture could not be read" in read_words(text)


def test_five_hundred_steps_with_pictures_fit_into_a_mail(tmp_path: Path) -> None:
    picture = draw_noise()
    for number in range(0, 500, 25):
        keep_picture(tmp_path, f"g{number}_click_1.before.jpg", picture)
        keep_picture(tmp_path, f"g{number}_click_1.after.jpg", picture)
    run = make_small_run(500)
    text = write(tmp_path, run, most_bytes=1_200_000)
    assert text.count("data:image/jpeg;base64,") == 40
    assert len(text) < 3_500_000
    assert text.count("data-step>") == 500


def draw_noise() -> bytes:
    """Return a picture that can't be packed well."""
    content = BytesIO()
    Image.effect_noise((1280, 720), 12).convert("RGB").save(content, "JPEG", quality=90)
    return content.getvalue()


def test_a_large_value_is_shown_in_its_beginning(tmp_path: Path) -> None:
    text = write(tmp_path, make_run([make_node(0)], [make_log(0, output={"text": "x" * 1_000_000})]))
    assert len(text) < 200_000


def test_any_text_is_shown_as_it_is_and_what_hides_is_shown(tmp_path: Path) -> None:
    node = make_node(0, description="Żółć, 日本 😀 \u202egnp.exe \ud800")
    words = read_words(
        write(tmp_path, make_run([node], [{**make_log(0, "failed"), "description": node["description"]}]))
    )
    assert "Żółć, 日本 😀" in words
    assert "\u202e" not in words
    assert "\\u202e" in words


def test_a_report_is_written_over_a_report_and_over_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, make_small_run(1))
    assert "3 steps" in read_words(write(tmp_path, make_small_run(3)))
    (tmp_path / "notes.html").write_text("mine")
    with pytest.raises(InputError, match="is not a report"):
        write_run_report(make_small_run(), tmp_path, tmp_path / "notes.html")
    with pytest.raises(InputError, match="not a name for a report"):
        write_run_report(make_small_run(), tmp_path, tmp_path / "report.exe")
    with pytest.raises(InputError, match="does not exist"):
        write_run_report(make_small_run(), tmp_path, tmp_path / "none" / "report.html")
    assert (tmp_path / "notes.html").read_text() == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights elsewhere")
def test_a_report_is_for_its_owner_until_it_is_sent(tmp_path: Path) -> None:
    write(tmp_path, make_small_run(1))
    assert stat.S_IMODE((tmp_path / "report.html").stat().st_mode) == 0o600


def test_the_traces_of_its_time_are_named_with_the_command_that_opens_them(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    for name in ("20261124-102030-000001", "20261124-110000-000001", "20261124-090000-000001", "mine"):
        (traces / f"{name}.zip").write_bytes(b"")
    words = read_words(write(tmp_path, make_small_run(1)))
    assert re.findall(r"show-trace \S+traces/(\S+)\.zip", words) == ["20261124-102030-000001"]


def test_the_report_has_the_colours_of_the_console() -> None:
    root = Path(__file__).resolve().parents[3] / "agent"
    own, others = ((root / room / "styles" / "colours.css").read_text() for room in ("reports", "console"))
    assert [line for line in others.splitlines()[1:] if line not in own.splitlines()] == []
