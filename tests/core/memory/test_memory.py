"""What runs leave in mind: bounded, typed, with where it was read."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.base.errors import ActionError, ErrorInfo
from core.memory.facts import (
    LONGEST_NOTE,
    LONGEST_WORDS,
    MOST_NOTES,
    MOST_ORIGINS,
    MOST_PREFERENCES,
    ContextMemory,
    EndedRun,
    Preference,
    clear_notes,
    fold_key,
    forget_preference,
    put_back,
    remember_run,
    store_preference,
)
from core.results.provenance import Origin
from core.results.records import from_data, to_data
from core.results.tool_results import StepLog, ToolResult

UNTIMED = settings(deadline=None)
PAGE = Origin("page", "http://127.0.0.1/shop")
ORIGINS = st.lists(st.builds(Origin, st.sampled_from(["page", "file"]), st.text(max_size=400)), max_size=30).map(tuple)
KEYS = st.sampled_from(["a", "A", "b", " b ", "wifi code", "Straße", "STRASSE"])
RULES = {f"{domain}.{verb}": rule for (domain, verb), rule in PLANNER_RULES.items()}
OPENED = {name: rule.opens for name, rule in RULES.items() if rule.opens}
CREATED = {name: rule.makes for name, rule in RULES.items() if rule.makes}
TARGETS = sorted({name for rule in RULES.values() for name in rule.targets})
NAMES = [*OPENED, *CREATED, "file.read", "browser.click", "memory.store"]


def log(name: str, *, args: Any = None, output: Any = None, **parts: Any) -> StepLog:
    result: dict[str, Any] = {"status": "ok", "effect": "none", "output": output or {}, **parts.pop("result", {})}
    return StepLog("g0_x_1", "g0", name, f"Do {name}", ToolResult(**result), args=args or {}, **parts)


NOTHING = ContextMemory()


def remember(*logs: StepLog, memory: ContextMemory = NOTHING, run_id: str = "r1") -> ContextMemory:
    return remember_run(memory, EndedRun(run_id=run_id, at="2026-01-01T00:00:00+00:00", steps=logs), PLANNER_RULES)


@st.composite
def steps(draw: st.DrawFn) -> StepLog:
    status = draw(st.sampled_from(["ok", "failed", "refused", "skipped", "cancelled"]))
    texts = st.text(max_size=20) | st.just("x" * (LONGEST_NOTE + 1))
    args = draw(st.dictionaries(st.sampled_from(TARGETS), texts | st.dictionaries(texts, texts, max_size=2)))
    error = (
        ErrorInfo(draw(st.sampled_from(["not_found", "x"])), draw(texts)) if status in {"failed", "refused"} else None
    )
    return log(
        draw(st.sampled_from(NAMES)),
        args=args,
        output=draw(st.dictionaries(st.sampled_from(["text", "path", "url", "rows"]), texts)),
        origins=draw(ORIGINS),
        result={
            "status": status,
            "error": error,
            "artifacts": tuple(draw(st.lists(texts, max_size=3))),
            "tainted": dict.fromkeys(draw(st.sets(st.sampled_from(TARGETS))), ("${g0.text}",)),
        },
    )


def test_what_opens_or_makes_something_names_it_by_a_param_or_an_address() -> None:
    assert [*OPENED] == [
        "browser.navigate",
        "browser.search",
        "browser.open_tab",
        "file.open",
        "system.launch",
        "system.open",
    ]
    assert [*CREATED] == [f"file.{verb}" for verb in ("create", "write", "copy", "move", "rename", "zip")]
    for name, opened in OPENED.items():
        assert opened.name in RULES[name].declared_params or opened.name == "url", name
    assert {made.name for made in CREATED.values()} == {"path"}


def test_what_is_acted_on_is_told_by_the_types_of_params() -> None:
    names = {
        "url",
        "selector",
        "path",
        "source",
        "destination",
        "tab",
        "app",
        "window",
        "device",
        "player",
        "target",
        "until",
    }
    assert sorted(names) == TARGETS
    assert RULES["file.delete"].targets == ()
    assert RULES["desktop.drag"].targets == ("target", "window")
    assert "cwd" not in RULES["system.run"].targets


def test_a_page_that_was_opened_is_remembered_with_run_and_time() -> None:
    memory = remember(log("browser.navigate", args={"url": "http://a/"}, output={"url": "http://a/b"}))
    (note,) = memory.opened
    assert (note.kind, note.value, note.run_id, note.at, note.origins) == (
        "page",
        "http://a/",
        "r1",
        "2026-01-01T00:00:00+00:00",
        (),
    )


def test_an_address_that_the_step_ended_at_comes_from_where_it_was_read() -> None:
    memory = remember(
        log("browser.search", args={"query": "mugs"}, output={"url": "http://a/?q=mugs"}, origins=(PAGE,))
    )
    assert [(note.value, note.origins) for note in memory.opened] == [("http://a/?q=mugs", (PAGE,))]


def test_a_tainted_argument_stays_tainted() -> None:
    read = log(
        "browser.navigate", args={"url": "http://a/"}, origins=(PAGE,), result={"tainted": {"url": ("${g0.text}",)}}
    )
    memory = remember(read)
    assert memory.opened[0].origins == memory.targeted[0].origins == (PAGE,)


def test_a_password_in_an_address_is_not_remembered() -> None:
    memory = remember(log("browser.navigate", args={"url": "http://ada:hunter2@a/"}))
    assert "hunter2" not in str(to_data(memory))


def test_what_was_found_out_is_a_result_and_what_was_done_is_none() -> None:
    memory = remember(
        log("file.read", output={"text": "12"}, origins=(PAGE,)),
        log("file.write", output={"path": "/a"}, result={"effect": "confirmed"}),
    )
    assert [(note.kind, note.value, note.origins) for note in memory.results] == [("file.read", "12", (PAGE,))]
    assert [note.value for note in memory.created] == ["/a"]


def test_what_could_not_be_done_is_remembered_with_its_code() -> None:
    failed = log("file.read", result={"status": "failed", "error": ErrorInfo("not_found", "There is no a.txt.")})
    assert [(note.kind, note.value) for note in remember(failed).failures] == [("not_found", "There is no a.txt.")]


def test_the_same_thing_is_noted_once_and_comes_to_the_front() -> None:
    memory = remember(*(log("browser.navigate", args={"url": f"http://{host}/"}) for host in "aba"))
    assert [note.value for note in memory.opened] == ["http://a/", "http://b/"]


def test_the_oldest_goes_first() -> None:
    memory = ContextMemory()
    for number in range(MOST_NOTES + 3):
        memory = remember(log("system.launch", args={"app": f"app{number}"}), memory=memory)
    assert len(memory.opened) == MOST_NOTES
    assert (memory.opened[0].value, memory.opened[-1].value) == (f"app{MOST_NOTES + 2}", "app3")


@UNTIMED
@given(st.lists(st.lists(steps(), max_size=4), max_size=6))
def test_the_bounds_hold_after_any_runs(runs: list[list[StepLog]]) -> None:
    memory = ContextMemory(preferences=(Preference(key="k", value="v"),))
    for number, done in enumerate(runs):
        memory = remember(*done, memory=memory, run_id=f"r{number}")
    assert memory.preferences == (Preference(key="k", value="v"),)
    for notes in (memory.opened, memory.created, memory.targeted, memory.results, memory.failures):
        assert len(notes) <= MOST_NOTES
        assert len({(note.kind, note.value) for note in notes}) == len(notes)
        for note in notes:
            assert len(note.value) <= LONGEST_NOTE
            assert len(note.about) <= LONGEST_WORDS
            assert len(note.origins) <= MOST_ORIGINS
            assert all(len(origin.place) <= LONGEST_WORDS for origin in note.origins)
            note.value.encode()


@UNTIMED
@given(st.lists(st.tuples(st.sampled_from(["store", "forget"]), KEYS, st.integers() | st.text(), ORIGINS), max_size=20))
def test_preferences_are_a_mapping_by_folded_name(orders: list[tuple[str, str, Any, tuple[Origin, ...]]]) -> None:
    memory, expected = ContextMemory(), dict[str, Any]()
    for order, key, value, origins in orders:
        if order == "store":
            memory = store_preference(memory, Preference(key=key, value=value, origins=origins))
            expected[fold_key(key)] = value
        elif expected.pop(fold_key(key), None) is None:
            assert memory.find(key) is None
        else:
            memory = forget_preference(memory, key)
    assert {fold_key(each.key): each.value for each in memory.preferences} == expected
    assert all(from_data(Preference, to_data(each)) == each for each in memory.preferences)


@UNTIMED
@given(st.text(min_size=1, max_size=50))
def test_a_name_finds_what_was_stored_under_it(key: str) -> None:
    if not fold_key(key):
        with pytest.raises(ActionError):
            store_preference(ContextMemory(), Preference(key=key, value=1))
        return
    memory = store_preference(ContextMemory(), Preference(key=key, value=1))
    assert memory.find(key) == memory.find(f"  {key}\t") == memory.preferences[0]
    assert put_back(memory, key, None) == ContextMemory()


def test_there_are_never_more_preferences_than_the_most() -> None:
    memory = ContextMemory()
    for number in range(MOST_PREFERENCES):
        memory = store_preference(memory, Preference(key=str(number), value=number))
    with pytest.raises(ActionError) as caught:
        store_preference(memory, Preference(key="more", value=1))
    assert caught.value.code == "memory_full"


def test_clearing_keeps_preferences_unless_they_shall_go() -> None:
    memory = remember(log("system.launch", args={"app": "a"}))
    memory = store_preference(memory, Preference(key="k", value="v"))
    assert clear_notes(memory) == ContextMemory(preferences=memory.preferences)
    assert clear_notes(memory, preferences=True) == ContextMemory()
