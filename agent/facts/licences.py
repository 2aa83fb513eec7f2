"""The licences of what is installed of Surehand's requirements, as its packages tell them."""

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from core.base.late_dataclasses import dataclass

BASE = "base"
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)\s*(?:\[(?P<extras>[^\]]*)\])?")
_EXTRA = re.compile(r"""\bextra\s*==\s*['"]([^'"]+)['"]""")
_WEAK = re.compile(r"\b(?:LGPL|MPL|EPL|EUPL|CDDL)|Lesser General|Library General|Mozilla Public|Eclipse Public")
_STRONG = re.compile(r"\b(?:A?GPL)|General Public License")
_CLASSIFIER = "License :: "
_LONGEST = 60

_Asked = set[tuple[str, frozenset[str], str]]
"""Names of packages, with the extras of them that are asked for, and the extra of ours that asks."""


@dataclass(frozen=True, slots=True)
class PackageLicence:
    """A package that is installed.

    Attributes:
        licence: As it says; ``unknown`` where it doesn't.
        extras: Of Surehand, which ask for it; ``base`` for what is always installed.
        copyleft: ``copyleft``, ``weak copyleft``, or empty.
    """

    name: str
    version: str
    licence: str
    extras: tuple[str, ...]
    copyleft: str


def list_licences(project: str = "surehand") -> tuple[PackageLicence, ...]:
    """Return what is installed of all that a project asks for, also through others, by name."""
    asked: _Asked = set()
    for name, extras, group in _list_requirements(distribution(project)):
        _follow((_fold(name), extras, group or BASE), asked)
    groups = {
        name: tuple(sorted({group for each, _, group in asked if each == name}))
        for name in sorted({each for each, _, _ in asked})
    }
    return tuple(describe(distribution(name), extras) for name, extras in groups.items())


def judge_copyleft(licence: str) -> str:
    """Return whether a licence asks that what is made with its work is given on under it: ``copyleft``, ``weak copyleft``, or empty."""
    if _WEAK.search(licence):
        return "weak copyleft"
    return "copyleft" if _STRONG.search(licence) else ""


def _follow(one: tuple[str, frozenset[str], str], asked: _Asked) -> None:
    name, extras, group = one
    try:
        package = distribution(name)
    except PackageNotFoundError:
        return  # for another platform, or its extra isn't installed
    if one in asked:
        return
    asked.add(one)
    for each, inner, extra in _list_requirements(package):
        if not extra or extra in extras:
            _follow((_fold(each), inner, group), asked)


def _list_requirements(package: Distribution) -> Iterator[tuple[str, frozenset[str], str]]:
    for text in package.requires or ():
        requirement, _, marker = text.partition(";")
        if found := _REQUIREMENT.match(requirement.strip()):
            extra = _EXTRA.search(marker)
            wanted = frozenset(each.strip() for each in (found["extras"] or "").split(",") if each.strip())
            yield found["name"], wanted, extra[1] if extra else ""


def describe(package: Distribution, extras: tuple[str, ...]) -> PackageLicence:
    """Return what is told of a package that is installed."""
    metadata = package.metadata
    told = [each.rpartition(" :: ")[2] for each in metadata.get_all("Classifier", []) if each.startswith(_CLASSIFIER)]
    # What isn't there raises where the library's newer form is loaded, so it is asked for as a list.
    written, old = ((metadata.get_all(name) or [""])[0] for name in ("License-Expression", "License"))
    lines = (written or " or ".join(told) or old or "unknown").splitlines()
    licence = lines[0].strip()[:_LONGEST]
    return PackageLicence(metadata["Name"], package.version, licence, extras, judge_copyleft(licence))


def _fold(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
