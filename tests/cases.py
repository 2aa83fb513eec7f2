"""Tables of cases that one test goes through, in place of one test per case.

`pytest.mark.parametrize` makes each case a test: collected by every worker, set up, torn down and reported. Where there are
hundreds of cases of a millisecond, that costs more than the cases. `each_case` reads like it and makes one test; each case that
fails is a failed subtest with a name of its own. Only those: pytest's own subtests report, and send, each that passes.
"""

import functools
import inspect
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

Check = Callable[..., Any]
_SUBTESTS = inspect.Parameter("subtests", inspect.Parameter.POSITIONAL_OR_KEYWORD)


def each_case(
    names: str | Sequence[str], cases: Iterable[Any], ids: Callable[[Any], str] = repr
) -> Callable[[Check], Check]:
    """Have a test go through cases one after another; none hides the next, and each that fails is named.

    For cases without a fixture that one of them could leave changed for the next: they share what the test is given.

    Args:
        names: The parameters that a case gives, as `pytest.mark.parametrize` takes them.
        cases: A tuple of values per case, or the values of the only parameter.
        ids: What names a value where its case fails; an empty text leaves it out.

    Returns:
        What turns the function that checks one case into the test of all.
    """
    params = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    listed = [dict(zip(params, case if len(params) > 1 else (case,), strict=True)) for case in cases]

    def decorate(check: Check) -> Check:
        @functools.wraps(check)
        def test(subtests: pytest.Subtests, **fixtures: Any) -> None:
            __tracebackhide__ = True
            assert listed, "there is no case"
            for case in listed:
                with _named(case, ids, subtests):
                    check(**fixtures, **case)

        @functools.wraps(check)
        async def async_test(subtests: pytest.Subtests, **fixtures: Any) -> None:
            __tracebackhide__ = True
            assert listed, "there is no case"
            for case in listed:
                with _named(case, ids, subtests):
                    await check(**fixtures, **case)

        chosen = async_test if inspect.iscoroutinefunction(check) else test
        # Pytest reads from the signature which fixtures to give.
        signature = inspect.signature(check)
        fixtures = [each for name, each in signature.parameters.items() if name not in params]
        chosen.__dict__["__signature__"] = signature.replace(parameters=[_SUBTESTS, *fixtures])
        return chosen

    return decorate


@contextmanager
def _named(case: Mapping[str, Any], ids: Callable[[Any], str], subtests: pytest.Subtests) -> Generator[None]:
    __tracebackhide__ = True
    try:
        yield
    except (Exception, pytest.fail.Exception) as error:
        if "pytest-timeout" in str(error):
            raise  # the time was that of the whole test: nothing would stop the next case
        with subtests.test("-".join(filter(None, map(ids, case.values())))):
            raise
