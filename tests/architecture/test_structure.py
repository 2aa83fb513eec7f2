import ast
import subprocess
from pathlib import Path

import pytest

from scripts.checks import structure
from scripts.checks.import_graph import find_circle, find_longest_chain, lift_to_packages, list_circles, read_imports
from scripts.checks.structure import House
from scripts.checks.weights import Weight, weigh
from tests.architecture.sources import ROOT, SHIPPED

HOUSE = House(ROOT)


def test_no_folder_has_too_many_modules() -> None:
    assert HOUSE.list_full_folders() == []


def test_no_room_is_too_heavy() -> None:
    assert HOUSE.list_heavy_rooms() == []


def test_chains_of_imports_are_short() -> None:
    chain = find_longest_chain(HOUSE.modules)
    assert len(chain) - 1 <= structure.IMPORTS_IN_A_ROW, " → ".join(chain)


def test_packages_stand_on_few_floors_and_in_no_circle() -> None:
    assert find_circle(HOUSE.packages) == []
    floors = find_longest_chain(HOUSE.packages)
    assert len(floors) <= structure.FLOORS, " → ".join(floors)


def test_no_files_import_each_other_be_it_late_or_for_types_only() -> None:
    assert HOUSE.circles == []


def test_no_name_of_a_class_means_two_things() -> None:
    assert HOUSE.list_twins() == []


def test_every_package_says_what_lives_there() -> None:
    packages = [name for name in HOUSE.files if name.endswith("__init__.py") and name.partition("/")[0] in SHIPPED]
    silent = [name for name in packages if not ast.get_docstring(ast.parse((ROOT / name).read_text(encoding="utf-8")))]
    assert silent == []


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A house of four modules in three rooms."""
    texts = {
        "core/base/errors.py": "class Fault: ...\n",
        "core/plans/graph.py": "from core.base.errors import Fault\n",
        "core/plans/late.py": "def run():\n    from core.run.steps import walk\n",
        "core/run/steps.py": "import typing\nfrom core.plans import graph\nclass _Fault: ...\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return House(tmp_path)


def test_a_chain_is_followed_to_its_end(house: House) -> None:
    assert find_longest_chain(house.modules) == ["core.run.steps", "core.plans.graph", "core.base.errors"]
    assert find_longest_chain(house.packages) == ["core.run", "core.plans", "core.base"]


def test_what_is_imported_late_or_for_types_only_is_in_no_chain(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "one.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from core.two import Two\nelse:\n    import core.three\n",
        encoding="utf-8",
    )
    for name in ("two", "three"):
        (tmp_path / "core" / f"{name}.py").write_text("", encoding="utf-8")
    assert read_imports(tmp_path, ["core"])["core.one"] == {"core.three"}


def test_a_circle_is_found_that_is_closed_late_by_name_or_for_types_only(tmp_path: Path) -> None:
    texts = {
        "one.py": "def run():\n    from core.two import Two\n",
        "two.py": "if TYPE_CHECKING:\n    from core.one import One\n",
        "three.py": "four = import_module('core.four')\n",
        "four.py": "import core.three\n",
        "five.py": "import core.one\n",
    }
    (tmp_path / "core").mkdir()
    for name, text in texts.items():
        (tmp_path / "core" / name).write_text(text, encoding="utf-8")
    assert find_circle(read_imports(tmp_path, ["core"])) == []
    circles = list_circles(read_imports(tmp_path, ["core"], ever=True))
    assert sorted(sorted(set(circle)) for circle in circles) == [["core.four", "core.three"], ["core.one", "core.two"]]


def test_what_is_imported_by_its_distance_is_followed(tmp_path: Path) -> None:
    texts = {
        "one.py": "from .two import Two\nfrom . import four\n",
        "two.py": "",
        "four.py": "",
        "deep/three.py": "from ..two import Two\n",
    }
    for name, text in texts.items():
        (tmp_path / "core" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "core" / name).write_text(text, encoding="utf-8")
    imports = read_imports(tmp_path, ["core"])
    assert imports["core.one"] == {"core.two", "core.four"}
    assert imports["core.deep.three"] == {"core.two"}


def test_a_circle_is_found() -> None:
    assert find_circle({"a": {"b"}, "b": {"a"}}) in (["a", "b", "a"], ["b", "a", "b"])
    assert find_circle({"a": {"b"}, "b": set()}) == []


def test_a_module_beside_rooms_is_a_room_of_its_own() -> None:
    lifted = lift_to_packages({"core.table": {"core.base.errors"}, "core.base.errors": set()})
    assert lifted == {"core.table": {"core.base"}, "core.base": set()}


def test_a_name_that_differs_by_an_underscore_only_is_a_twin(house: House) -> None:
    assert house.list_twins() == ["Fault: core/base/errors.py, core/run/steps.py"]


def test_a_full_folder_is_named(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "core").mkdir()
    for number in range(17):
        (tmp_path / "core" / f"m{number}.py").write_text("", encoding="utf-8")
    (tmp_path / "core" / "__init__.py").write_text("", encoding="utf-8")
    assert House(tmp_path).list_full_folders() == ["core: 17 modules, 16 allowed"]


def test_a_heavy_room_is_named(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "agent/cli").mkdir(parents=True)
    (tmp_path / "agent/cli/main.py").write_text('"""' + "word\n" * 24_001 + '"""\n', encoding="utf-8")
    told = ["agent/cli: 24,002 lines, 8,500 allowed", "24,002 lines of docstrings"]
    assert House(tmp_path).list_heavy_rooms() == told


def test_what_only_one_other_imports_is_listed(house: House) -> None:
    assert house.list_owned()["core.plans.graph"] == "core.run.steps"
    assert house.count_small_owned() == len(house.list_owned())


def test_lines_are_told_by_room_and_those_of_docstrings_apart(house: House) -> None:
    rooms = house.weigh_rooms()
    assert rooms["core/run"] == Weight(3, 3, 0)
    assert weigh('"""What.\n\nWhy.\n"""\n\n# So.\nx = 1\n') == Weight(7, 1, 4)
    assert sum(rooms.values(), Weight()).lines == 7
