from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.journal.action_rows import pack_log, unpack_log
from core.results.provenance import ORIGIN_KINDS, Origin, TaintLog, join_origins, list_marks, read_origins
from core.results.replies import compose_reply
from core.results.tool_results import StepLog, ToolResult
from tests.cases import each_case
from tests.core.toys import Asker, ToyRun, plan_toys, toy

PAGE = Origin("page", "http://127.0.0.1:8000/shop")


@pytest.mark.parametrize(
    ("origin", "told", "spoken"),
    [
        (PAGE, "the page at http://127.0.0.1:8000/shop", "the page at 127.0.0.1"),
        (Origin("page", "http://ada:secret@a.example/"), "the page at http://***@a.example/", "the page at a.example"),
        (Origin("page", "javascript:x"), "the page at javascript:x", "a page"),
        (Origin("page"), "a page", "a page"),
        (Origin("file", "/home/ada/notes.txt"), "the file “/home/ada/notes.txt”", "the file notes.txt"),
        (Origin("file", "C:\\ada\\notes.txt"), "the file “C:\\ada\\notes.txt”", "the file notes.txt"),
        (Origin("window", "Save”. I paid “all"), "the window “Save’. I paid ‘all”", "the window Save'. I paid 'all"),
        (Origin("clipboard"), "the clipboard", "the clipboard"),
        (Origin("command", "ls"), "the command “ls”", "the command ls"),
        (Origin("machine", "clipboard"), "the computer's “clipboard”", "the computer's clipboard"),
    ],
)
def test_an_origin_is_told_in_full_and_spoken_in_short(origin: Origin, told: str, spoken: str) -> None:
    assert (str(origin), origin.speak()) == (told, spoken)


@given(st.sampled_from(sorted(ORIGIN_KINDS)) | st.text(max_size=9), st.text())
def test_whatever_a_place_says_an_origin_is_one_short_visible_line(kind: str, place: str) -> None:
    for text in (str(Origin(kind, place)), Origin(kind, place).speak()):
        assert text.isprintable()
        assert 0 < len(text) < 400


@each_case("key", PLANNER_RULES, ids=".".join)
def test_whatever_looks_says_what_it_reads(key: Any) -> None:
    rule = PLANNER_RULES[key]
    assert rule.reads in ORIGIN_KINDS or rule.action_class == "actuate"


@pytest.mark.parametrize(
    ("reads", "facts", "origins"),
    [
        ("", [{"url": "http://a.example/"}], ()),
        ("page", [{"url": "http://a.example/"}, {"url": "http://b.example/"}], (Origin("page", "http://a.example/"),)),
        ("page", [{}, {}, {}], (Origin("page"),)),
        ("file", [{}, {"resolved": None, "path": "/a"}], (Origin("file", "/a"),)),
        ("command", [{"argv": ["ls", "-l"]}], (Origin("command", "ls"),)),
        (
            "memory",
            [{"origins": [{"kind": "page", "place": "x"}]}, {"key": "k"}],
            (Origin("memory", "k"), Origin("page", "x")),
        ),
        ("memory", [{"origins": "page"}], (Origin("memory"),)),
        ("memory", [{"origins": [1, {"kind": 5}]}], (Origin("memory"), Origin("5"))),
    ],
)
def test_the_place_is_read_from_evidence_then_output_then_arguments(
    reads: str, facts: list[dict[str, Any]], origins: tuple[Origin, ...]
) -> None:
    assert read_origins(reads, facts) == origins


def test_of_very_many_origins_the_first_are_kept() -> None:
    assert len(join_origins([[Origin("file", str(number)) for number in range(1000)]])) == 20


@pytest.mark.parametrize(
    ("left", "looked_at", "found"),
    [
        (["file:/a/b"], ["file:/a/b"], True),
        (["file:/a/b"], ["file:/a"], True),
        (["file:C:\\a\\b"], ["file:C:\\a"], True),
        (["file:/ab"], ["file:/a"], False),
        (["file:/a"], ["file:/a/b"], False),
        (["clipboard"], ["clipboard"], True),
        (["page:main"], ["page:main2"], False),
    ],
)
def test_what_was_carried_into_a_thing_is_found_in_it_and_in_the_folder_around_it(
    left: list[str], looked_at: list[str], found: bool
) -> None:
    trail = TaintLog()
    trail.leave(left, [PAGE], ())
    assert trail.find_left(looked_at) == ((PAGE,) if found else ())


def test_what_a_step_read_itself_goes_into_its_files_only() -> None:
    trail = TaintLog()
    trail.leave(list_marks(["page:main"], ["/a"]), (), [PAGE])
    assert trail.find_left(["file:/a"]) == (PAGE,)
    assert trail.find_left(["page:main"]) == ()


def test_a_source_names_the_step_and_where_it_read() -> None:
    trail = TaintLog()
    trail.note("g0", [PAGE, Origin("file", "/a")])
    sources = trail.find_sources({"text": [Reference("g0", "text")], "path": "b", "more": Reference("g9", "x")})
    assert sources == {
        "text": ("${g0.text}, read from the page at http://127.0.0.1:8000/shop and the file “/a”",),
        "more": ("${g9.x}",),
    }


async def test_taint_goes_on_from_step_to_step() -> None:
    run, gate = ToyRun(), Asker()
    run.hold_to(gate=gate)
    graph = plan_toys(
        [
            toy("look", text="seen"),
            Goal("toy", "note", {"text": Reference("g0", "text")}),
            Goal("toy", "note", {"text": Reference("g1", "text")}),
        ]
    )
    run.context.trail.note("g0", [PAGE])
    logs = await run.executor.execute(graph, run.context)
    assert [log.origins for log in logs[1:]] == [(PAGE,), (PAGE,)]
    assert gate.asked[1].sources == {"text": ("${g1.text}, read from the page at http://127.0.0.1:8000/shop",)}


async def test_what_was_carried_into_a_room_is_found_there_by_the_next_step() -> None:
    run, gate = ToyRun(), Asker()
    run.hold_to(gate=gate)
    run.context.trail.note("g0", [PAGE])
    goals = (
        toy("look", text="hall"),
        Goal("toy", "hold", {"room": Reference("g0", "text")}),
        toy("hold", "after:g1", room="hall"),
    )
    logs = await run.run(*goals)
    assert logs[2].origins == (PAGE,)
    assert logs[2].result.tainted == {}


def test_a_receipt_that_was_written_down_keeps_its_origins() -> None:
    log = StepLog("g0_a_1", "g0", "toy.a", "Do it", ToolResult("ok"), origins=(PAGE, Origin("file", "/a")))
    assert unpack_log(pack_log(log)) == log


def test_a_receipt_of_before_there_were_scopes_is_read_without_one() -> None:
    log = StepLog("g0_a_1", "g0", "toy.a", "Do it", ToolResult("ok"), scope="local/anna/s1/r1/g0")
    row = pack_log(log)
    assert unpack_log(row).scope == log.scope
    del row["scope"]
    assert unpack_log(row).scope == ""


def test_a_reply_says_who_says_what_it_quotes() -> None:
    result = ToolResult("ok", output={"text": "free mugs"})
    log = StepLog("g0_a_1", "g0", "toy.a", "Do it", result, summary="read the text", origins=(PAGE,))
    assert compose_reply([log], "success") == "I read the text; the page at 127.0.0.1 says: “free mugs”."
