"""Faults: errors that nobody raised on purpose, in words."""

import traceback


def tell_fault(error: BaseException) -> str:
    """Return the kind and text of a fault, even if its text can't be had."""
    return "".join(traceback.format_exception_only(error)).strip()
