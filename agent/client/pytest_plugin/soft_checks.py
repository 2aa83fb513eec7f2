"""Soft expectations: those that did not hold fail their test when it is over, all together."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from .expectations import ExpectationNotMetError


@contextmanager
def telling_unmet(unmet: Sequence[ExpectationNotMetError]) -> Generator[None]:
    """Raise, at the end, the expectations that did not hold, beside what else made the test fail.

    Args:
        unmet: Those that did not hold; filled meanwhile.
    """
    __tracebackhide__ = True
    try:
        yield
    except Exception as error:
        if not unmet:
            raise
        raise ExceptionGroup("The test failed, and these expectations do not hold", [error, *unmet]) from None
    if len(unmet) == 1:
        raise unmet[0]
    if unmet:
        raise ExceptionGroup("These expectations do not hold", list(unmet))
