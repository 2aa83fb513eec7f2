"""Templates that ship, a person's own in their place, and those that are changed while planners run."""

import os
import threading
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.planners.templates.template_files import StepTemplates, TemplateFiles, load_shipped
from agent.planners.templates.template_sets import PromptError, TemplateNeed, read_prompts
from core.base.errors import InputError, TableError
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, StepDescriptor
from core.planning.planners.ports import name_placeholders, render_template
from tests.docs.examples import list_examples
from tests.thoroughness import examples

SHIPPED = """
[explore.propose]
version = 1
text = "Do {task}, at most {most}."

[explore.judge]
version = 2
text = "Is {task} done?"
"""
OWN = '[explore.propose]\nversion = 1\ntext = "Kindly do {task}, {most} at most."\n'
EXPLORE = PlannerMetadata(
    name="explore",
    description="Explores.",
    capabilities=("explore",),
    inputs=(PlannerInput(name="task", kind="text", description="What."),),
    settings={"most": 5},
    steps=(
        StepDescriptor(step_id="propose", description="Proposes.", template_id="explore.propose"),
        StepDescriptor(step_id="judge", description="Judges.", template_id="explore.judge"),
    ),
)


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    folder = tmp_path / "shipped"
    folder.mkdir()
    (folder / "explore.toml").write_text(SHIPPED, encoding="utf-8")
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    return folder


@pytest.fixture
def templates(shipped: Path, outside: Path) -> TemplateFiles:
    made = TemplateFiles(outside, shipped=shipped)
    made.check([EXPLORE])
    return made


def write(folder: Path, text: str, name: str = "mine.toml") -> None:
    (folder / name).write_text(text, encoding="utf-8")


def test_all_that_ships_is_well_formed() -> None:
    load_shipped()


def test_a_template_is_read_by_id_and_the_highest_version_counts(shipped: Path) -> None:
    write(shipped, '[["a.b"]]\nversion = 2\ntext = "two"\n[["a.b"]]\nversion = 10\ntext = "ten"\n')
    templates = TemplateFiles(shipped=shipped)
    assert templates.read_template("a.b").text == "ten"
    assert templates.read_template("a.b@2").text == "two"
    found = templates.read_template("explore.propose")
    assert (found.template_id, found.version, found.placeholders) == ("explore.propose", 1, {"task", "most"})
    assert [each.template_id for each in templates.list_shipped()] == ["a.b", "a.b", "explore.judge", "explore.propose"]


@pytest.mark.parametrize("name", ["a.c", "a.b@3", "a.b@0", "a.b@x", "explore", "", "@1"])
def test_a_template_that_is_not_there_is_an_error_with_the_nearest(shipped: Path, name: str) -> None:
    write(shipped, '["a.b"]\nversion = 2\ntext = "two"\n')
    templates = TemplateFiles(shipped=shipped)
    with pytest.raises(TableError) as caught:
        templates.read_template(name)
    assert caught.value.code == "template_missing"
    with pytest.raises(TableError, match='did you mean "explore'):
        templates.read_template("explore.propos")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "it holds no template"),
        ("# only this", "it holds no template"),
        ("\n[a.b\n", "line 2"),
        ("x = 1", "x is not a table"),
        ("[a]\nversion = 1\ntext = 't'", "a can't name a template"),
        ("[A.b]\nversion = 1\ntext = 't'", "A.b can't name a template"),
        ("[a.b]\ntext = 't'", "a.b.version must be a number from 1"),
        ("[a.b]\nversion = 0\ntext = 't'", "a.b.version must be a number from 1"),
        ("[a.b]\nversion = true\ntext = 't'", "a.b.version must be a number from 1"),
        ("[a.b]\nversion = 1", "a.b.text must be a text"),
        ("[a.b]\nversion = 1\ntext = ' '", "a.b.text must be a text"),
        ("[a.b]\nversion = 1\ntext = 3", "a.b.text must be a text"),
        ("[a.b]\nversion = 1\ntext = 't'\nallow = 'all'", "a.b.allow is unknown"),
        ("[a.b]\nversion = 1\ntext = 't'\ndescription = 'd'", "a.b.description is unknown"),
        ("[a.b]\nversion = 1\ntext = '{'", "a.b.text: "),
        ("[a.b]\nversion = 1\ntext = '{x.__class__}'", "must be a name alone"),
        ("[a.b]\nversion = 1\ntext = '{x[0]}'", "must be a name alone"),
        ("[a.b]\nversion = 1\ntext = '{x!r}'", "must be a name alone"),
        ("[a.b]\nversion = 1\ntext = '{x:>9}'", "must be a name alone"),
        ("[a.b]\nversion = 1\ntext = '{}'", "must be a name alone"),
    ],
)
def test_a_malformed_prompt_is_named_with_file_and_place(text: str, told: str) -> None:
    with pytest.raises(PromptError) as caught:
        read_prompts(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml: ")
    assert told in str(caught.value)


@given(st.text(max_size=60))
def test_whatever_a_text_holds_its_placeholders_are_names_and_it_renders_or_is_refused(text: str) -> None:
    try:
        names = name_placeholders(text)
    except ValueError:
        return
    assert all(name.isidentifier() for name in names)
    assert text.format_map(dict.fromkeys(names, "{task}")).count("{task}") >= len(names)


def test_a_value_is_put_in_as_it_is_and_never_read_as_a_template(templates: TemplateFiles) -> None:
    template = templates.read_template("explore.propose")
    values = {"task": "{most} {task.__class__} {{", "most": 3, "unused": "x"}
    assert render_template(template, values) == "Do {most} {task.__class__} {{, at most 3."
    with pytest.raises(TableError, match="needs “most”"):
        render_template(template, {"task": "x"})


def test_all_that_planners_lack_at_the_start_is_named_at_once(shipped: Path) -> None:
    steps = (
        *EXPLORE.steps,
        StepDescriptor(step_id="look", description="Looks.", template_id="explore.prupose"),
        StepDescriptor(step_id="read", description="Reads.", template_id="explore.read"),
    )
    write(shipped, '[explore.read]\nversion = 1\ntext = "{task} {page} {line}"', "read.toml")
    with pytest.raises(TableError) as caught:
        TemplateFiles(shipped=shipped).check([replace(EXPLORE, steps=steps)])
    assert "step “look” of planner “explore” needs template “explore.prupose”, which does not exist" in str(
        caught.value
    )
    assert "template “explore.read” has {line}, {page}, which step “read” of planner “explore” does not give" in str(
        caught.value
    )


def test_all_malformed_files_that_ship_are_named_at_once(shipped: Path) -> None:
    write(shipped, "[", "a.toml")
    write(shipped, "[a.b]", "b.toml")
    with pytest.raises(TableError) as caught:
        TemplateFiles(shipped=shipped)
    assert "a.toml: " in str(caught.value)
    assert "b.toml: a.b" in str(caught.value)
    write(shipped, "[a.b]\nversion = 1\ntext = 'x'", "a.toml")
    write(shipped, "[a.b]\nversion = 1\ntext = 'y'", "b.toml")
    with pytest.raises(TableError, match=r"b.toml: version 1 of a.b is in a.toml as well"):
        TemplateFiles(shipped=shipped)


def test_a_persons_own_template_replaces_the_one_that_ships_while_planners_run(
    templates: TemplateFiles, outside: Path
) -> None:
    assert templates.read_template("explore.propose").text == "Do {task}, at most {most}."
    write(outside, OWN)
    assert templates.read_template("explore.propose").text == "Kindly do {task}, {most} at most."
    assert templates.read_template("explore.judge").text == "Is {task} done?"
    (outside / "mine.toml").unlink()
    assert templates.read_template("explore.propose").text == "Do {task}, at most {most}."
    assert templates.take_notes() == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (OWN[:40], "mine.toml: "),
        ("", "it holds no template"),
        (OWN.replace("{most} at most", ""), "mine.toml: version 1 of explore.propose lacks {most}"),
        (OWN.replace("{most}", "{most} {secret}"), "version 1 of explore.propose may not have {secret}"),
        (
            OWN.replace("version = 1", "version = 2"),
            "version 2 of explore.propose replaces nothing; Surehand has version 1",
        ),
        (OWN + 'allow = ["system.run"]', "explore.propose.allow is unknown"),
        (OWN + "\n[explore.judge]\nversion = 2", "explore.judge.text must be a text"),
    ],
)
def test_what_does_not_fit_changes_nothing_and_is_said_once(
    templates: TemplateFiles, outside: Path, text: str, told: str
) -> None:
    write(outside, OWN)
    before = templates.read_template("explore.propose")
    write(outside, text)
    for _ in range(3):
        assert templates.read_template("explore.propose") == before
    (note,) = templates.take_notes()
    assert told in note
    assert note.endswith("The earlier ones stay in use.")
    write(outside, OWN.replace("Kindly", "Gently"))
    assert templates.read_template("explore.propose").text == "Gently do {task}, {most} at most."
    assert templates.take_notes() == ()
    write(outside, text)
    templates.read_template("explore.propose")
    assert len(templates.take_notes()) == 1


def test_one_bad_file_keeps_all_of_a_change_out(templates: TemplateFiles, outside: Path) -> None:
    write(outside, OWN)
    write(outside, "[", "other.toml")
    assert templates.read_template("explore.propose").text == "Do {task}, at most {most}."


def test_a_folder_that_goes_away_keeps_what_held_and_comes_back(templates: TemplateFiles, outside: Path) -> None:
    write(outside, OWN)
    before = templates.read_template("explore.propose")
    outside.rename(outside.with_name("moved"))
    assert templates.read_template("explore.propose") == before
    (note,) = templates.take_notes()
    assert "can't be read" in note
    outside.with_name("moved").rename(outside)
    write(outside, OWN.replace("Kindly", "Gently"))
    assert templates.read_template("explore.propose").text.startswith("Gently")


def test_a_change_that_leaves_size_and_time_as_they_were_is_noticed(templates: TemplateFiles, outside: Path) -> None:
    write(outside, OWN)
    facts = (outside / "mine.toml").stat()
    assert templates.read_template("explore.propose").text.startswith("Kindly")
    with (outside / "mine.toml").open("r+b") as file:
        file.write(OWN.replace("Kindly", "Gently").encode())
    os.utime(outside / "mine.toml", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert templates.read_template("explore.propose").text.startswith("Gently")


def test_at_the_start_a_persons_own_that_do_not_fit_are_refused_all_together(shipped: Path, outside: Path) -> None:
    write(outside, "[", "a.toml")
    write(outside, "[explore.propose]\nversion = 1\n", "b.toml")
    with pytest.raises(InputError) as caught:
        TemplateFiles(outside, shipped=shipped).check([EXPLORE])
    assert caught.value.code == "bad_templates"
    assert "a.toml: " in caught.value.message
    assert "b.toml: explore.propose.text" in caught.value.message
    with pytest.raises(InputError, match="can't be read: No such file"):
        TemplateFiles(outside / "gone", shipped=shipped).check([EXPLORE])


def test_a_template_that_settings_name_stays_until_nothing_is_lost(templates: TemplateFiles, outside: Path) -> None:
    need = TemplateNeed("my.propose", "planners.explore.templates", instead_of="explore.propose")
    (fault,) = templates.require([need])
    assert fault.startswith("planners.explore.templates needs template “my.propose”, which does not exist")
    write(outside, OWN.replace("explore.propose", "my.propose"))
    assert templates.require([need]) == []
    seen = StepTemplates(templates, {"explore.propose": "my.propose"})
    assert seen.read_template("explore.propose").text.startswith("Kindly")
    assert seen.read_template("explore.judge").text == "Is {task} done?"
    (outside / "mine.toml").unlink()
    assert seen.read_template("explore.propose").text.startswith("Kindly")
    (note,) = templates.take_notes()
    assert "my.propose" in note


def test_a_template_with_other_placeholders_stands_in_for_none(templates: TemplateFiles, outside: Path) -> None:
    write(outside, '[my.propose]\nversion = 1\ntext = "Do {task}."\n')
    need = TemplateNeed("my.propose", "planners.explore.templates", instead_of="explore.propose")
    assert templates.require([need]) == ["template “my.propose” has other placeholders than “explore.propose”"]


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, len(OWN.encode())))
def test_a_file_that_is_written_in_part_is_never_used(templates: TemplateFiles, outside: Path, cut: int) -> None:
    write(outside, OWN)
    assert templates.read_template("explore.propose").text.startswith("Kindly")
    new = OWN.replace("Kindly", "Please, if you will, ")
    (outside / "mine.toml").write_bytes(new.encode()[:cut])
    found = templates.read_template("explore.propose").text
    assert found in {"Kindly do {task}, {most} at most.", "Please, if you will,  do {task}, {most} at most."}


class ChangingFolder(type(Path())):
    """A folder whose file somebody has written anew each time that one looks."""

    texts: ClassVar[list[str]] = []

    def iterdir(self) -> Generator[Path]:
        """Write what is next, if there is any, and list the files."""
        if self.texts:
            write(self, self.texts.pop())
        yield from super().iterdir()


def test_what_changes_while_it_is_read_is_left_until_the_next_time_and_is_no_fault(
    shipped: Path, outside: Path
) -> None:
    write(outside, OWN)
    changing = TemplateFiles(ChangingFolder(outside), shipped=shipped)
    changing.check([EXPLORE])
    ChangingFolder.texts = [OWN.replace("Kindly", "Quickly"), OWN[:20], OWN[:40], OWN.replace("Kindly", "Gently")]
    for _ in range(2):
        assert changing.read_template("explore.propose").text.startswith("Kindly")
    assert changing.read_template("explore.propose").text.startswith("Quickly")
    assert changing.take_notes() == ()


def test_whoever_reads_while_files_are_written_sees_whole_templates_only(
    templates: TemplateFiles, outside: Path
) -> None:
    texts = [OWN.replace("Kindly", f"{word} " * 2000) for word in ("Kindly", "Gently", "Quickly")]
    whole = {text.split('"')[1] for text in (*texts, SHIPPED)}
    write(outside, texts[0])
    ended = threading.Event()

    def write_on() -> None:
        for number in range(150):
            with (outside / "mine.toml").open("w", encoding="utf-8", buffering=512) as file:
                file.write(texts[number % 3])
        ended.set()

    writer = threading.Thread(target=write_on)
    writer.start()
    seen: set[str] = set()
    while not ended.is_set():
        seen.add(templates.read_template("explore.propose").text)
    writer.join()
    assert seen <= whole
    assert templates.read_template("explore.propose").text == texts[149 % 3].split('"')[1]


def test_the_prompts_of_the_guide_can_be_read() -> None:
    (example,) = list_examples("toml prompts")
    (found,) = read_prompts(example.text, example.file)
    assert found.key == ("explore.judge", 1)
