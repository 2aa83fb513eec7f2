"""Settings of planners: a JSON file for each principal over the defaults, checked as a whole."""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.planners.planner_settings import (
    PlannerSettingsFiles,
    find_value_faults,
    merge_settings,
    name_file,
    read_principal,
)
from agent.planners.templates.template_files import TemplateFiles
from core.base.errors import InputError, RefusedError
from core.planning.planners.metadata import PlannerMetadata, StepDescriptor
from tests.docs.examples import list_examples

DEFAULTS = {
    "most": 5,
    "ratio": 0.5,
    "words": ["a"],
    "tone": "dry",
    "limits": {"rows": 10, "wide": True},
    "any": None,
    "open": {},
    "critique": False,
}
EXPLORE = PlannerMetadata(
    name="explore",
    description="Explores.",
    capabilities=("explore", "look"),
    settings=DEFAULTS,
    steps=(
        StepDescriptor(step_id="propose", description="Proposes.", template_id="explore.propose"),
        StepDescriptor(step_id="again", description="Proposes again.", template_id="explore.propose"),
        StepDescriptor(step_id="act", description="Acts."),
    ),
)
CAREFUL = PlannerMetadata(name="careful", description="Explores with care.", capabilities=("explore",))
PROMPTS = """
[explore.propose]
version = 1
text = "Do {most}."
[my.propose]
version = 1
text = "Kindly do {most}."
"""
NAMES = st.sampled_from(["a", "b", "c", "d"])
SCALARS = st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3)
VALUES = st.recursive(
    SCALARS | st.none() | st.lists(SCALARS, max_size=3),
    lambda inner: st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
TABLES = st.dictionaries(NAMES, VALUES, max_size=4)


@pytest.fixture
def files(tmp_path: Path) -> PlannerSettingsFiles:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "p.toml").write_text(PROMPTS, encoding="utf-8")
    templates = TemplateFiles(shipped=tmp_path / "prompts")
    templates.check([EXPLORE, CAREFUL])
    return PlannerSettingsFiles(tmp_path / "config", [EXPLORE, CAREFUL], templates)


def put(files: PlannerSettingsFiles, text: str) -> Path:
    path = files.locate("ann")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return path


def test_without_a_file_the_defaults_hold_and_nothing_is_made(files: PlannerSettingsFiles) -> None:
    found = files.read("ann")
    assert found.planners["explore"].values == DEFAULTS
    assert found.planners["careful"].values == {}
    assert found.capabilities == {}
    assert not files.locate("ann").parent.exists()


def test_what_a_principal_sets_is_put_over_the_defaults_and_holds_for_nobody_else(files: PlannerSettingsFiles) -> None:
    given = {
        "planners": {
            "explore": {
                "settings": {"most": 9, "ratio": 1, "words": ["b", "c"], "limits": {"rows": 3}, "critique": True},
                "templates": {"propose": "my.propose"},
            }
        },
        "capabilities": {"explore": "careful"},
    }
    files.write("ann", given)
    found = files.read("ann")
    assert found.planners["explore"].values == {
        **DEFAULTS,
        "most": 9,
        "ratio": 1,
        "words": ["b", "c"],
        "limits": {"rows": 3, "wide": True},
        "critique": True,
    }
    assert found.planners["explore"].templates == {"explore.propose": "my.propose"}
    assert found.capabilities == {"explore": "careful"}
    assert files.read("bob").planners["explore"].values["most"] == 5


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_a_file_is_for_its_owner_alone_and_refused_where_others_may_change_it(files: PlannerSettingsFiles) -> None:
    files.write("ann", {})
    path = files.locate("ann")
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o666)
    with pytest.raises(RefusedError) as caught:
        files.read("ann")
    assert caught.value.code == "unsafe_folder"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1, column 1"),
        ('{\n "planners": {,}}', "line 2, column 15"),
        ("[]", "it is not an object"),
        ('{"planners": 3}', "planners is not an object"),
        ('{"planner": {}}', 'planner is unknown (did you mean "planners"?)'),
        ('{"planners": {"explor": {}}}', 'planners.explor is not a planner (did you mean "explore"?)'),
        (
            '{"planners": {"explore": {"setting": {}}}}',
            'planners.explore.setting is unknown (did you mean "settings"?)',
        ),
        ('{"planners": {"explore": {"settings": {"mots": 3}}}}', "planners.explore.settings.mots is unknown"),
        (
            '{"planners": {"explore": {"settings": {"most": "3"}}}}',
            "planners.explore.settings.most is not a whole number",
        ),
        ('{"planners": {"explore": {"settings": {"most": 3.0}}}}', "settings.most is not a whole number"),
        ('{"planners": {"explore": {"settings": {"most": true}}}}', "settings.most is not a whole number"),
        ('{"planners": {"explore": {"settings": {"most": null}}}}', "settings.most is not a whole number"),
        ('{"planners": {"explore": {"settings": {"critique": 1}}}}', "settings.critique is not true or false"),
        ('{"planners": {"careful": {"settings": {"critique": true}}}}', "careful.settings.critique is unknown"),
        ('{"planners": {"explore": {"settings": {"fallback_plan": true}}}}', "settings.fallback_plan is unknown"),
        ('{"planners": {"explore": {"settings": {"ratio": 1e999}}}}', "settings.ratio is not a number"),
        ('{"planners": {"explore": {"settings": {"ratio": NaN}}}}', "NaN is not a number of JSON"),
        ('{"planners": {"explore": {"settings": {"words": "a"}}}}', "settings.words is not a list"),
        ('{"planners": {"explore": {"settings": {"words": ["a", 1]}}}}', "settings.words[1] is not a text"),
        ('{"planners": {"explore": {"settings": {"limits": {"row": 1}}}}}', "settings.limits.row is unknown"),
        ('{"planners": {"explore": {"settings": {"limits": {"rows": "1"}}}}}', "limits.rows is not a whole number"),
        ('{"planners": {"explore": {"settings": {"limits": 3}}}}', "settings.limits is not an object"),
        ('{"planners": {"explore": {"settings": {"most": 1, "most": 2}}}}', "“most” is set twice"),
        (
            '{"planners": {"explore": {"templates": {"act": "my.propose"}}}}',
            "templates.act is not a step with a template",
        ),
        ('{"planners": {"explore": {"templates": {"propose": 3}}}}', "templates.propose is not the name of a template"),
        ('{"planners": {"explore": {"templates": {"propose": "gone.x"}}}}', "template “gone.x”, which does not exist"),
        (
            '{"planners": {"explore": {"templates": {"propose": "my.propose", "again": "explore.propose"}}}}',
            "templates.again shares “explore.propose” with another step",
        ),
        ('{"capabilities": {"explor": "careful"}}', "capabilities.explor is not a capability"),
        ('{"capabilities": {"look": "careful"}}', "capabilities.look must be one of explore"),
        ('{"capabilities": {"explore": ["careful"]}}', "capabilities.explore must be one of careful, explore"),
        ("{" * 100_000, "planners.ann.json can't be used"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_place(files: PlannerSettingsFiles, text: str, told: str) -> None:
    path = put(files, text)
    with pytest.raises(InputError) as caught:
        files.read("ann")
    assert caught.value.code == "bad_settings"
    assert caught.value.message.startswith(f"{path} can't be used: ")
    assert told in caught.value.message


def test_all_that_is_wrong_is_named_at_once_and_nothing_wrong_is_ever_written(files: PlannerSettingsFiles) -> None:
    wrong = {"planners": {"explore": {"settings": {"most": "x", "mots": 1}}, "nobody": {}}, "more": 1}
    with pytest.raises(InputError) as caught:
        files.write("ann", wrong)
    for told in ("settings.most", "settings.mots", "planners.nobody", "more is unknown"):
        assert told in caught.value.message
    assert not files.locate("ann").exists()


def test_what_no_default_limits_may_be_anything(files: PlannerSettingsFiles) -> None:
    put(files, json.dumps({"planners": {"explore": {"settings": {"any": [1, {"x": None}], "open": {"new": [2]}}}}}))
    values = files.read("ann").planners["explore"].values
    assert (values["any"], values["open"]) == ([1, {"x": None}], {"new": [2]})


@given(TABLES)
def test_settings_that_say_nothing_change_nothing(defaults: Mapping[str, Any]) -> None:
    assert merge_settings(defaults, {}) == defaults
    assert merge_settings(defaults, defaults) == defaults
    assert list(find_value_faults(defaults, defaults, "s")) == []


@given(TABLES, TABLES)
def test_settings_that_fit_keep_every_name_and_type_of_the_defaults(
    defaults: Mapping[str, Any], given_values: Mapping[str, Any]
) -> None:
    if list(find_value_faults(defaults, given_values, "s")):
        return
    merged = merge_settings(defaults, given_values)
    assert merged.keys() == defaults.keys()
    assert merge_settings(merged, given_values) == merged
    for name, default in defaults.items():
        if name not in given_values:
            assert merged[name] == default
        elif not isinstance(default, dict):
            assert merged[name] == given_values[name]
        if default is not None and not isinstance(default, float):
            assert type(merged[name]) is type(default)


@given(TABLES, TABLES, NAMES)
def test_an_unknown_name_is_always_a_fault_that_names_it(
    defaults: Mapping[str, Any], given_values: Mapping[str, Any], name: str
) -> None:
    known = {key: value for key, value in defaults.items() if key != name}
    faults = list(find_value_faults(known, {**given_values, name: 1}, "s"))
    assert any(fault.startswith(f"s.{name} is unknown") for fault in faults)


@given(st.text(min_size=1, max_size=200), st.text(min_size=1, max_size=200))
def test_no_two_principals_share_a_file_and_none_lies_elsewhere(one: str, other: str) -> None:
    names = [name_file(each) for each in (one, other)]
    assert (names[0].lower() == names[1].lower()) == (one == other)
    for name in names:
        assert name.isascii()
        assert not set(name) & set('/\\:*?"<>|\0\n')
        assert len(name) <= 100


def test_the_settings_of_the_guide_name_what_there_is() -> None:
    (example,) = list_examples("json planners")
    found, faults = read_principal(
        json.loads(example.text), [EXPLORE, replace(CAREFUL, name="extract", capabilities=("extract",))]
    )
    assert faults == []
    assert found.planners["explore"].values["critique"] is True
