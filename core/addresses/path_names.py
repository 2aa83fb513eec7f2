"""The rules that every component of a path keeps, one function each, and the table of them.

Source: Microsoft, "Naming Files, Paths, and Namespaces"; the Unicode character database for P16.
"""

import re
import unicodedata
from collections.abc import Callable

from core.addresses.path_terms import PathTerms, count_units
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late
from core.base.phrases import cut_text, escape_text

_FORBIDDEN = compile_late(r'[<>"|?*]')
_FORBIDDEN_IN_GLOBS = compile_late(r'[<>"|]')
_PLAIN = compile_late(r"[A-Za-z0-9_ .,;+=@#&()!'-]{0,254}[A-Za-z0-9_,;+=@#&()!'-]")
"""Names that only P5, P13 (which needs a tilde) and P17 could object to: nearly all that occur."""

_DEVICES = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{port}{digit}" for port in ("COM", "LPT") for digit in "123456789¹²³"]
)
_TOKEN = compile_late(r"~|.*(?:%[\w()]+%|\$\{|\$env:).*", re.IGNORECASE | re.DOTALL)
_SHORT_NAME = compile_late(r"(?=[^.]{3,8}(?:\.|$))[^.~]+~[0-9]{1,6}(?:\.[^.]{1,3})?")
_INVISIBLE = compile_late(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_LOOKALIKES = compile_late(r'[<>"|?*:/\\]')
_SYSTEM_FILES = frozenset(["desktop.ini", "autorun.inf"])
_VOLUME_FILES = frozenset(
    f"${name}"
    for name in [
        *("mft", "mftmirr", "logfile", "volume", "attrdef", "bitmap", "boot", "badclus", "secure", "upcase", "extend"),
        *("quota", "objid", "reparse", "usnjrnl", "rmmetadata", "deleted", "txf", "txflog", "repair", "tops"),
    ]
)
_SHELL_FOLDER = compile_late(r".*\.\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}", re.IGNORECASE)
_LONGEST_NAME = 255
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class NameRule:
    """One rule for one component; its reason ends a sentence about the path, with ``{name}`` for the component."""

    rule: str
    breaks: Callable[[str, PathTerms], bool]
    reason: str
    hint: str

    def explain(self, name: str) -> str:
        """Return the reason with the component in it; what is invisible is shown as an escape."""
        return self.reason.replace("{name}", cut_text(escape_text(name), _SHOWN))


def is_plain(name: str) -> bool:
    """Tell whether a name has nothing in it that only the slower rules could judge."""
    return _PLAIN.fullmatch(name) is not None


def is_device(name: str, terms: PathTerms) -> bool:
    """P5: tell whether Windows opens a device by that name, in any folder and with any extension."""
    stem = name.partition(".")[0].partition(":")[0].strip(" ").upper()
    return stem in _DEVICES or stem in terms.reserved_by_policy


def is_volume_file(name: str) -> bool:
    """Tell whether it is one of the files in which NTFS keeps itself."""
    return name.partition(":")[0].casefold() in _VOLUME_FILES


def _has_forbidden(name: str, terms: PathTerms) -> bool:
    return (_FORBIDDEN_IN_GLOBS if terms.globs else _FORBIDDEN).search(name) is not None


def _ends_badly(name: str, _: PathTerms) -> bool:
    return name.endswith((".", " "))


def _has_invisible(name: str, _: PathTerms) -> bool:
    return not name.isascii() and (_INVISIBLE.search(name) is not None or name[-1].isspace())


def _turns_bad(name: str, terms: PathTerms) -> bool:
    """Tell whether another program that normalises names would make a refused one of it."""
    if name.isascii():
        return False
    normal = unicodedata.normalize("NFKC", name)
    if normal == name:
        return False
    return _LOOKALIKES.search(normal) is not None or _ends_badly(normal, terms) or is_device(normal, terms)


def _is_new_short_name(name: str, terms: PathTerms) -> bool:
    return terms.creating and _SHORT_NAME.fullmatch(name) is not None


def _is_system_file(name: str, terms: PathTerms) -> bool:
    if not terms.writing:
        return False
    return name.casefold() in _SYSTEM_FILES or is_volume_file(name) or _SHELL_FOLDER.fullmatch(name) is not None


_OTHER_NAME = "Choose another name."

NAME_RULES: tuple[NameRule, ...] = (
    NameRule(
        "P12",
        lambda name, _: _TOKEN.fullmatch(name) is not None,
        "holds “{name}”, which a shell would expand",
        "Write the path out.",
    ),
    NameRule(
        "P5",
        is_device,
        "holds “{name}”, which is the name of a device on Windows, with or without an extension",
        _OTHER_NAME,
    ),
    NameRule(
        "P4",
        lambda name, _: ":" in name,
        "has a colon in “{name}”, which on Windows names a hidden stream of a file",
        "A colon stands only behind an anchor or a drive letter, before a separator: desktop:/a.txt, D:/a.txt.",
    ),
    NameRule(
        "P3", _has_forbidden, 'has one of < > " | ? * in “{name}”, which Windows does not allow in names', _OTHER_NAME
    ),
    NameRule(
        "P11",
        lambda name, _: name.strip(" ") == "..",
        "goes upwards with ..",
        "Name the folder from its anchor on, such as documents:/a.",
    ),
    NameRule(
        "P6",
        _ends_badly,
        "holds “{name}”, which ends with a dot or a space; Windows would drop it",
        "Remove dots and spaces at the end.",
    ),
    NameRule(
        "P16",
        _has_invisible,
        "has an invisible or text-turning character in “{name}”",
        "Remove the character, so that the name is what it looks like.",
    ),
    NameRule(
        "P16",
        _turns_bad,
        "holds “{name}”, which turns into a refused name when its characters are normalised",
        _OTHER_NAME,
    ),
    NameRule(
        "P13",
        _is_new_short_name,
        "would create “{name}”, which has the form of a short name that Windows makes by itself",
        "Choose another name, or name what exists by its long name.",
    ),
    NameRule(
        "P14",
        lambda name, _: count_units(name) > _LONGEST_NAME,
        f"has a name of more than {_LONGEST_NAME} UTF-16 units",
        "Choose a shorter name.",
    ),
    NameRule(
        "P17",
        _is_system_file,
        "would write “{name}”, which the system or the shell reads by itself",
        "Change such files with the system's own tools.",
    ),
)
"""In the order in which they are looked at; the first that is broken is told."""


def find_broken_rule(name: str, terms: PathTerms) -> NameRule | None:
    """Return the first rule that a component, not empty and without control characters, breaks, or None."""
    if is_plain(name) and not terms.writing and not is_device(name, terms):
        return None
    return next((each for each in NAME_RULES if each.breaks(name, terms)), None)
