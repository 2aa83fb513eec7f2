"""Addresses as people write them: often without a scheme."""

from collections.abc import Collection

from core.base.late_parts import compile_late

_SCHEME = compile_late(r"[a-zA-Z][a-zA-Z0-9+.-]*://|about:blank$")
_LOCAL = compile_late(
    r"(?:localhost|[\w.-]+\.(?:localhost|local|test)|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]+\])(?=[:/?#]|$)"
)
_HOST = compile_late(r"(?:\w[\w-]*\.)+[^\W\d_]\w+(?=[:/?#]|$)")


def complete_address(text: str, file_endings: Collection[str] = ()) -> str | None:
    """Return an address as written, or with ``https://`` (``http://`` for this machine and bare numbers); None for other texts."""
    if _SCHEME.match(text):
        return text
    if _LOCAL.match(text):
        return f"http://{text}"
    host = _HOST.match(text)
    if host is None or (host.end() == len(text) and text.rpartition(".")[2].lower() in file_endings):
        return None
    return f"https://{text}"
