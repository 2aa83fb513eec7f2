"""Defects are found by name and syntax, wherever the code lies and however it is laid out."""

from pathlib import Path

import pytest

from scripts.mutants import planting

CODE = '''"""A module."""

LIMIT = 3


class Box:
    """A box."""

    def put(self, thing: str) -> bool:
        """Put something in; it says „ä“."""
        if (
            thing
            and len(thing) > LIMIT
        ):
            self.check(thing)  # stays
            return True
        return thing == "é" and len(thing) > LIMIT

    def check(self, thing: str) -> None:
        """Check it."""


def put(thing: str) -> None:
    """Another of that name."""
    del thing
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one module."""
    (tmp_path / "core" / "deep").mkdir(parents=True)
    (tmp_path / "core" / "deep" / "boxes.py").write_text(CODE, encoding="utf-8")
    return tmp_path


def plant(tree: Path, where: str, find: str, put: str, module: str = "") -> str:
    defect = planting.Defect(name="d", area="a", where=where, find=find, put=put, why="", tests=(), module=module)
    return planting.plant(tree, defect).text


def fail(tree: Path, where: str, find: str, put: str) -> str:
    with pytest.raises(planting.PlantingError) as error:
        plant(tree, where, find, put)
    return str(error.value)


def test_an_expression_is_found_in_any_layout_and_nothing_else_changes(tree: Path) -> None:
    planted = plant(tree, "Box.put", "thing and len(thing)   > LIMIT", "thing")
    assert planted == CODE.replace("thing\n            and len(thing) > LIMIT", "(thing)")


def test_a_place_after_letters_of_several_bytes_is_found(tree: Path) -> None:
    assert "return (not thing) and len(thing) > LIMIT" in plant(tree, "Box.put", 'thing == "é"', "not thing")


def test_a_condition_is_told_from_the_same_expression_elsewhere(tree: Path) -> None:
    (tree / "core" / "deep" / "boxes.py").write_text("def f(x):\n    print(x)\n    if x:\n        return x\n")
    assert plant(tree, "f", "if x:", "False") == "def f(x):\n    print(x)\n    if (False):\n        return x\n"


def test_a_statement_is_replaced_by_others_at_its_indentation(tree: Path) -> None:
    planted = plant(tree, "Box.put", "self.check(thing)", "pass")
    assert "            pass  # stays\n            return True\n" in planted
    planted = plant(tree, "Box.put", "return True", "if thing:\n    return False\nreturn True")
    assert "            if thing:\n                return False\n            return True\n" in planted


def test_a_place_that_is_not_there_or_there_twice_is_an_error(tree: Path) -> None:
    assert "0 times" in fail(tree, "Box.put", "len(thing) < LIMIT", "True")
    assert "2 times" in fail(tree, "Box.put", "len(thing) > LIMIT", "True")


def test_a_definition_that_is_not_there_or_there_twice_is_an_error(tree: Path) -> None:
    assert "0 definitions" in fail(tree, "Box.take", "thing", "None")
    (tree / "core" / "more.py").write_text("def put(x):\n    return x\n", encoding="utf-8")
    assert "2 definitions" in fail(tree, "put", "x", "None")
    assert plant(tree, "put", "x", "None", module="core.more") == "def put(x):\n    return (None)\n"


def test_what_is_no_code_is_not_planted(tree: Path) -> None:
    assert "no code" in fail(tree, "Box.put", "return True", "return (")
