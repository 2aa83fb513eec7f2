"""Nothing is accepted that does nothing: each setting and each template of a planner that ships is read by something that ships."""

import ast
import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from agent.planners.health.facts import list_templates
from agent.planners.registry import list_shipped_planners
from agent.planners.templates.template_files import load_shipped
from agent.settings.health_settings import HealthSettings
from core.planning.planners.base import PlannerBase
from core.planning.planners.metadata import PlannerMetadata
from tests.architecture.sources import ROOT

PLANNERS = {each.name: each for each in list_shipped_planners()}
OWN = {
    each.metadata.name: Path(inspect.getfile(each))
    for each in PlannerBase.__subclasses__()
    if getattr(each, "metadata", None) in PLANNERS.values()
}
SHARED = {*(ROOT / "agent/planners").glob("*.py"), *(ROOT / "core/planning/planners").rglob("*.py")} - {*OWN.values()}


def walk_room(planner: PlannerMetadata) -> Iterator[ast.AST]:
    """Yield what a planner is made of: the files of its folder, or its own where it lies among others."""
    file = OWN[planner.name]
    lies_apart = file.parent.name == planner.name
    yield from walk(file.parent.rglob("*.py") if lies_apart else [file])


def walk(files: Iterable[Path]) -> Iterator[ast.AST]:
    for file in files:
        yield from ast.walk(ast.parse(file.read_text(encoding="utf-8")))


def list_read(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names by which settings are read: ``settings["name"]``, ``settings.get("name")``."""
    keys: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(("settings", "values")):
            keys.append(node.slice)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("settings.get", "values.get")):
            keys += node.args[:1]
    return {text for key in keys for text in list_texts(key)}


def list_texts(node: ast.AST) -> list[str]:
    return [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def list_rendered(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the templates that are rendered, by their names or the constants that stand for these."""
    constants: dict[str, str] = {}
    rendered: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Assign):
            names = [each.id for each in ast.walk(node.targets[0]) if isinstance(each, ast.Name)]
            constants |= dict(zip(names, list_texts(node.value), strict=False))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".render"):
            rendered.add(ast.unparse(node.args[0]).strip("'"))
    return {constants.get(name, name) for name in rendered}


@pytest.mark.parametrize("name", list(PLANNERS))
def test_each_setting_of_a_planner_is_read_by_it_or_by_what_carries_it_out(name: str) -> None:
    planner = PLANNERS[name]
    assert not planner.settings.keys() - list_read(walk_room(planner)) - list_read(walk(SHARED))


@pytest.mark.parametrize("name", list(PLANNERS))
def test_each_template_of_a_planner_is_rendered_by_it(name: str) -> None:
    planner = PLANNERS[name]
    assert set(list_templates([planner])) == list_rendered(walk_room(planner))


def test_no_template_ships_that_no_planner_names() -> None:
    assert {each.template_id for each in load_shipped()} == set(list_templates(PLANNERS.values()))


def test_each_setting_of_health_is_read_by_what_judges_or_tells() -> None:
    rooms = [*(ROOT / "agent/planners/health").rglob("*.py"), *(ROOT / "agent/facts").rglob("*.py")]
    read = {node.attr for node in walk(rooms) if isinstance(node, ast.Attribute)}
    own = {"severities", "routes"}  # by what the settings themselves answer
    assert HealthSettings.model_fields.keys() - read == own
    assert {"find_severity", "find_channels"} <= read
