"""Trace ids as W3C Trace Context writes them."""

import re
import secrets
from collections.abc import Mapping

_PARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?", re.DOTALL)


def find_trace_id(context: Mapping[str, str]) -> str:
    """Return the trace that a run belongs to, as 32 hexadecimal digits: that of its caller, or a new one.

    Args:
        context: ``traceparent`` as the caller gave it, where it did; one that can't be understood counts as none.
    """
    found = _PARENT.fullmatch(context.get("traceparent", ""))
    return found[1] if found else secrets.token_hex(16)
