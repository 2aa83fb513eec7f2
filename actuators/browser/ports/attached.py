"""AttachedPage: a page of a browser that another program started, which a session acts on beside that program."""

import re
from dataclasses import dataclass

from core.base.errors import InputError, RefusedError

_LOOPBACK = re.compile(r"http://(?:127\.0\.0\.1|\[::1\]):([0-9]{1,5})/?")
_TARGET = re.compile(r"[0-9A-Fa-f]{1,64}")


@dataclass(frozen=True, slots=True)
class AttachedPage:
    """Where a page of another program is."""

    address: str
    target: str

    def __post_init__(self) -> None:
        found = _LOOPBACK.fullmatch(self.address)
        if found is None or not 0 < int(found[1]) < 65536:
            raise RefusedError(
                f"“{self.address}” is not the port of a browser on this machine.",
                code="attach_refused",
                hint="Write http://127.0.0.1:PORT; whoever reaches a browser's port has all that is in it.",
            )
        if not _TARGET.fullmatch(self.target):
            raise InputError(
                f"“{self.target}” does not name a page.",
                code="bad_target",
                hint="Name the page's target: Target.getTargetInfo of the DevTools protocol tells it.",
            )
