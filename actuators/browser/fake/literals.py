"""The literal selectors that the fake understands: simple CSS, which is enough for pages that one declares oneself."""

import re
from collections.abc import Callable

from actuators.browser.fake.documents import LiveElement
from core.base.errors import UnsupportedError

Test = Callable[[LiveElement], bool]

_NAME = r"[A-Za-z_][\w-]*"
_VALUE = r"\"[^\"]*\"|'[^']*'|[\w-]+"
_PART = re.compile(rf"#(?P<id>{_NAME})|\.(?P<class>{_NAME})|\[(?P<attribute>[\w-]+)(?:=(?P<value>{_VALUE}))?\]")
_COMPOUND = re.compile(rf"(?P<tag>{_NAME}|\*)?(?P<parts>(?:#{_NAME}|\.{_NAME}|\[[\w-]+(?:=(?:{_VALUE}))?\])*)")


def compile_literal(source: str) -> Callable[[list[LiveElement]], list[LiveElement]]:
    """Return what finds the elements of a literal selector among all that there are.

    Understood are tags, ``#id``, ``.class``, ``[attribute]``, ``[attribute=value]``, their combinations, and a space
    between two of them for "somewhere in".

    Raises:
        UnsupportedError: If it is anything else.
    """
    words = _split(source.strip().removeprefix("css=").strip())
    steps = [_compile_compound(word, source) for word in words]

    def find(elements: list[LiveElement]) -> list[LiveElement]:
        return [each for each in elements if steps[-1](each) and _is_placed(each, steps[:-1])]

    return find


def _split(css: str) -> list[str]:
    """Split at white space outside of brackets."""
    return re.findall(r"(?:\[[^\]]*\]|[^\s\[])+", css) or [css]


def _compile_compound(css: str, source: str) -> Test:
    match = _COMPOUND.fullmatch(css)
    if match is None or not css:
        raise UnsupportedError(
            f"The simulated browser does not understand the selector {source!r}.",
            hint='Use a plain form such as button "Log in" or testid=total, or simple CSS such as #id, tag or [name=value].',
            evidence={"selector": source},
        )
    tests = [_compile_part(part) for part in _PART.finditer(match["parts"])]
    tag = (match["tag"] or "*").lower()
    return lambda element: tag in ("*", element.tag) and all(test(element) for test in tests)


def _compile_part(part: re.Match[str]) -> Test:
    if part["id"]:
        return lambda element: element.declared.id == part["id"]
    if part["class"]:
        return lambda element: part["class"] in (element.attribute("class") or "").split()
    name, value = part["attribute"], part["value"]
    if value is None:
        return lambda element: element.attribute(name) is not None
    wanted = value.strip("\"'")
    return lambda element: element.attribute(name) == wanted


def _is_placed(element: LiveElement, outer: list[Test]) -> bool:
    """Tell whether an element is in ancestors that pass the tests, the last test innermost."""
    left = list(outer)
    for each in element.ancestors():
        if left and left[-1](each):
            left.pop()
    return not left
