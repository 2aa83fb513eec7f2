import pytest

from core.base import errors
from core.base.errors import ErrorInfo, SurehandError, TargetError


def list_errors(base: type[SurehandError]) -> list[type[SurehandError]]:
    return [each for child in base.__subclasses__() for each in (child, *list_errors(child))]


ERRORS = [each for each in list_errors(SurehandError) if each.__module__ == errors.__name__]


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_stands_in_the_tree_on_top_of_the_module(kind: type[SurehandError]) -> None:
    assert f" {kind.__name__} " in (errors.__doc__ or "")


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [kind.code for kind in ERRORS]
    assert len(set(codes)) == len(codes)


def test_an_error_carries_code_message_hint_and_evidence_as_data() -> None:
    error = TargetError("It is covered.", code="target_covered", hint="Close it.", evidence={"by": "#x"})
    assert error.info() == ErrorInfo("target_covered", "It is covered.", "Close it.", {"by": "#x"})
    assert str(error) == "It is covered. Close it."


def test_an_error_without_a_code_has_that_of_its_class() -> None:
    assert TargetError("It is gone.").info() == ErrorInfo("target_missing", "It is gone.")
