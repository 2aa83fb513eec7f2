"""The script that runs the tests gives them what makes them quick."""

from scripts import test
from scripts.setup import bootstrap


def test_where_no_bytecode_may_lie_beside_the_sources_it_is_kept_elsewhere() -> None:
    environment = {"PYTHONDONTWRITEBYTECODE": "1", "HOME": "/home/ada"}
    test.keep_bytecode(environment)
    assert environment == {"HOME": "/home/ada", "PYTHONPYCACHEPREFIX": str(bootstrap.VENV / "bytecode")}


def test_a_place_for_bytecode_that_somebody_chose_stays() -> None:
    environment = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": "/cache"}
    test.keep_bytecode(environment)
    assert environment == {"PYTHONPYCACHEPREFIX": "/cache"}


def test_where_bytecode_may_lie_beside_the_sources_nothing_is_changed() -> None:
    environment = {"HOME": "/home/ada"}
    test.keep_bytecode(environment)
    assert environment == {"HOME": "/home/ada"}
