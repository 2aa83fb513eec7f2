"""A start with another shape is refused and names the migration; what is only added locks nobody out."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from agent.planners.backlog.sealed_rows import BACKLOG_SCHEMA
from agent.planners.drift.program_shapes import STORES, describe_shapes
from agent.planners.drift.shape_file import SHAPES, SHAPES_FILE, Contract, ShapeFile, Shapes, find_breaks
from agent.planners.host import describe_program
from agent.store.seals import Seal
from core.base.errors import SchemaError
from core.planning.planners.ports import PromptTemplate
from core.rules.param_types import WORD
from core.rules.rule_types import PlannerRule
from tests.core.samples import make_registry

TOOLS = make_registry().specs()
COPY = ("file", "copy")
RULE = PLANNER_RULES[COPY]
PROMPT = PromptTemplate(template_id="explore.propose", version=1, text="{task}", placeholders=frozenset({"task"}))
NAMES = st.sampled_from(["a", "b", "c"])
CONTRACTS = st.builds(
    Contract,
    meaning=st.sampled_from(["", "m"]),
    takes=st.dictionaries(NAMES, st.sampled_from(["str", "int", "int or str"])),
    needs=st.lists(NAMES, unique=True).map(tuple),
    choices=st.dictionaries(NAMES, st.lists(st.sampled_from("xyz"), unique=True).map(tuple)),
)
ANY_SHAPES = st.dictionaries(st.sampled_from(["rules", "tools"]), st.dictionaries(NAMES, CONTRACTS))


@dataclass(frozen=True)
class Program:
    """What a start is made from."""

    rules: Mapping[tuple[str, str], PlannerRule]
    tools: Any = TOOLS
    templates: Any = (PROMPT,)
    stores: Any = None

    def describe(self) -> Shapes:
        return describe_shapes(self.rules, self.tools, self.templates, self.stores or STORES)


SHIPPED = Program(PLANNER_RULES)


def change_rule(**parts: Any) -> Program:
    return replace(SHIPPED, rules={**PLANNER_RULES, COPY: replace(RULE, **parts)})


def change_tool(**parts: Any) -> Program:
    return replace(SHIPPED, tools=[replace(spec, **parts) if spec.name == "file_copy" else spec for spec in TOOLS])


def change_prompt(**parts: Any) -> Program:
    return replace(SHIPPED, templates=(replace(PROMPT, **parts),))


ANOTHER_SHAPE = {
    "a verb is gone": (
        replace(SHIPPED, rules={key: rule for key, rule in PLANNER_RULES.items() if key != COPY}),
        "rule file.copy is gone",
    ),
    "a param is gone": (
        change_rule(optional_params=(), default_params={}),
        "rule file.copy no longer takes “overwrite”",
    ),
    "a param has to be given": (
        change_rule(required_params=("source", "destination", "overwrite"), optional_params=(), default_params={}),
        "rule file.copy needs “overwrite” now",
    ),
    "a param has another type": (
        change_rule(param_types={**RULE.param_types, "overwrite": WORD}),
        "rule file.copy takes plain str as “overwrite”, not plain bool",
    ),
    "a set is closed": (
        change_rule(allowed_values={"overwrite": (True,)}),
        "rule file.copy takes only some values as “overwrite” now",
    ),
    "an approval falls away": (
        change_rule(approval="none"),
        "rule file.copy was “actuate, approval apply_diff”, and is “actuate, approval none”",
    ),
    "a tool is gone": (
        replace(SHIPPED, tools=[spec for spec in TOOLS if spec.name != "file_copy"]),
        "tool file_copy is gone",
    ),
    "a tool needs more": (change_tool(required=("source", "destination", "depth")), "tool file_copy needs “depth” now"),
    "a template is gone": (replace(SHIPPED, templates=()), "template explore.propose@1 is gone"),
    "a template has other placeholders": (
        change_prompt(placeholders=frozenset({"goal"})),
        "template explore.propose@1 was “{task}”, and is “{goal}”",
    ),
    "a store has another version": (
        replace(SHIPPED, stores={**STORES, "journal": "3"}),
        "store journal was “version 2”, and is “version 3”",
    ),
    "a store is gone": (
        replace(SHIPPED, stores={name: version for name, version in STORES.items() if name != "journal"}),
        "store journal is gone",
    ),
}
COMPATIBLE = {
    "a verb is added": replace(SHIPPED, rules={**PLANNER_RULES, ("file", "shred"): RULE}),
    "a param that may be left out is added": change_rule(
        optional_params=("overwrite", "depth"), param_types={**RULE.param_types, "depth": WORD}
    ),
    "a param may be left out": change_rule(required_params=("source",), optional_params=("destination", "overwrite")),
    "words change": change_rule(summary="duplicated {source}", description_template="Duplicate {source}", timeout_s=9),
    "a default changes": change_rule(default_params={"overwrite": True}),
    "a tool is added": replace(SHIPPED, tools=[*TOOLS, replace(TOOLS[0], name="file_shred")]),
    "a text is reworded": change_prompt(text="Please {task}"),
    "a template has a higher version": change_prompt(version=2, placeholders=frozenset({"goal"})),
    "a template is added": replace(SHIPPED, templates=(PROMPT, replace(PROMPT, template_id="explore.judge"))),
    "a store is added": replace(SHIPPED, stores={**STORES, "memory": "1"}),
}


@pytest.fixture
def file(tmp_path: Path) -> ShapeFile:
    return ShapeFile(tmp_path / ".surehand")


def test_the_first_start_states_the_shapes_and_the_same_program_starts_again(file: ShapeFile) -> None:
    assert file.hold(SHIPPED.describe()) == ()
    stated = file.path.read_bytes()
    assert file.hold(SHIPPED.describe()) == ()
    assert file.path.read_bytes() == stated
    assert file.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("case", ANOTHER_SHAPE)
def test_a_start_with_another_shape_is_refused_until_it_is_migrated(file: ShapeFile, case: str) -> None:
    program, told = ANOTHER_SHAPE[case]
    file.hold(SHIPPED.describe())
    stated = file.path.read_bytes()
    with pytest.raises(SchemaError) as caught:
        file.hold(program.describe())
    assert (caught.value.code, caught.value.evidence["changes"]) == ("schema_drift", [told])
    assert told in caught.value.message
    assert "surehand migrate" in caught.value.hint
    assert file.path.read_bytes() == stated

    (dry,) = file.migrate(program.describe(), dry=True)
    assert (dry.changes, dry.backup, file.path.read_bytes()) == ((told,), "", stated)
    (migrated,) = file.migrate(program.describe())
    assert migrated.changes == (told,)
    assert Path(migrated.backup).read_bytes() == stated
    assert file.hold(program.describe()) == ()
    assert file.migrate(program.describe()) == []


@pytest.mark.parametrize("case", COMPATIBLE)
def test_what_is_only_added_or_reworded_locks_nobody_out_and_counts_from_then_on(file: ShapeFile, case: str) -> None:
    grown = COMPATIBLE[case].describe()
    file.hold(SHIPPED.describe())
    assert file.migrate(grown) == []
    assert file.hold(grown) == ()
    assert json.loads(file.path.read_bytes())["shapes"] == json.loads(json.dumps(to_plain(grown)))


def to_plain(shapes: Shapes) -> dict[str, dict[str, dict[str, Any]]]:
    return {
        part: {
            name: {"meaning": each.meaning, "takes": each.takes, "needs": each.needs, "choices": each.choices}
            for name, each in contracts.items()
        }
        for part, contracts in shapes.items()
    }


def test_other_tables_of_the_backlog_are_another_shape() -> None:
    altered = replace(BACKLOG_SCHEMA, tables=(*BACKLOG_SCHEMA.tables, "CREATE TABLE more (id)"))
    before, now = (
        replace(SHIPPED, stores={"backlog": schema.describe()}).describe() for schema in (BACKLOG_SCHEMA, altered)
    )
    (fault,) = find_breaks(before, now)
    assert fault.startswith("store backlog was “version 1, tables ")
    assert describe_program(TOOLS, ())["stores"]["backlog"].meaning == f"version {BACKLOG_SCHEMA.describe()}"


def test_every_verb_and_tool_is_described() -> None:
    shapes = SHIPPED.describe()
    assert shapes["rules"].keys() == {f"{domain}.{verb}" for domain, verb in PLANNER_RULES}
    assert shapes["tools"].keys() == {spec.name for spec in TOOLS}
    assert all(
        contract.takes.keys() >= set(contract.needs)
        for part in ("rules", "tools")
        for contract in shapes[part].values()
    )


@given(ANY_SHAPES)
def test_a_program_never_breaks_with_itself(shapes: Shapes) -> None:
    assert find_breaks(shapes, shapes) == []


@given(ANY_SHAPES, ANY_SHAPES, ANY_SHAPES)
def test_what_is_let_in_step_by_step_is_let_in_at_once(first: Shapes, second: Shapes, third: Shapes) -> None:
    if not find_breaks(first, second) and not find_breaks(second, third):
        assert find_breaks(first, third) == []


@given(ANY_SHAPES, ANY_SHAPES)
def test_adding_things_never_breaks(shapes: Shapes, more: Shapes) -> None:
    grown = {part: {**more.get(part, {}), **shapes.get(part, {})} for part in shapes.keys() | more.keys()}
    assert find_breaks(shapes, grown) == []


def test_shapes_of_somebody_else_are_moved_aside_and_said(tmp_path: Path, file: ShapeFile) -> None:
    other = ShapeFile(file.path.parent, replace(SHAPES, seal=Seal(tmp_path / "other")))
    other.hold(replace(SHIPPED, templates=()).describe())
    (migrated,) = file.migrate(SHIPPED.describe())
    assert "may not be yours" in migrated.fault
    (note,) = file.hold(SHIPPED.describe())
    assert "may not be yours" in note
    assert [path.name.partition("-")[0] for path in sorted(file.path.parent.iterdir())] == [
        SHAPES_FILE,
        f"{SHAPES_FILE}.foreign",
    ]
    assert file.hold(SHIPPED.describe()) == ()


def test_shapes_of_somebody_else_become_ones_own_by_ones_word(tmp_path: Path, file: ShapeFile) -> None:
    other = ShapeFile(file.path.parent, replace(SHAPES, seal=Seal(tmp_path / "other")))
    other.hold(replace(SHIPPED, stores={"cellar": "1"}).describe())
    (migrated,) = file.migrate(SHIPPED.describe(), adopt=True)
    assert (migrated.is_adopted, migrated.changes) == (True, ("store cellar is gone",))
    assert file.hold(SHIPPED.describe()) == ()


@pytest.mark.parametrize("content", ["", "{", '{"kind": "planner_shapes"}'])
def test_shapes_that_cannot_be_read_are_moved_aside_and_said(file: ShapeFile, content: str) -> None:
    file.hold(SHIPPED.describe())
    file.path.write_text(content, encoding="utf-8")
    (note,) = file.hold(SHIPPED.describe())
    assert "can't be understood" in note
    assert file.hold(SHIPPED.describe()) == ()
