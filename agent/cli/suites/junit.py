"""What came of a suite as JUnit XML, which CI systems read."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from agent.cli.screen.output import MARKS
from agent.reports.results import FlowResult, StepLine, SuiteResult
from core.base.errors import InputError
from core.base.phrases import escape_text
from core.base.shortages import explain_system_error

_NOT_REACHED = ("·", "")
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no way to write, not even as a character reference."""

_ENDING = re.compile(r"(\.flow)?\.(ya?ml|json)$", re.IGNORECASE)


def write_junit(suite: SuiteResult, path: Path) -> None:
    """Write what came of a suite.

    Args:
        path: Where to; folders are made, and an earlier file is overwritten.
    """
    tree = ElementTree(build_junit(suite))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        tree.write(path, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise InputError(
            f'"{path}" can\'t be written: {explain_system_error(error).message}', code="no_output"
        ) from None


def build_junit(suite: SuiteResult) -> Element:
    """Return it as a tree: one ``testsuite``, a ``testcase`` for each flow."""
    outcomes = [flow.outcome for flow in suite.flows]
    totals = {
        "name": _clean(suite.name),
        "tests": str(len(outcomes)),
        "failures": str(outcomes.count("failed")),
        "errors": str(outcomes.count("error")),
        "skipped": str(outcomes.count("skipped")),
        "time": _tell_seconds(suite.ms),
    }
    top = Element("testsuites", totals)
    part = SubElement(top, "testsuite", totals | {"timestamp": suite.began_at[:19]})
    for flow in suite.flows:
        _add_case(part, flow)
    indent(top)
    return top


def _add_case(part: Element, flow: FlowResult) -> None:
    named = {"name": flow.name, "classname": _name_class(flow.path), "file": flow.path, "time": _tell_seconds(flow.ms)}
    case = SubElement(part, "testcase", {name: _clean(value) for name, value in named.items()})
    properties = SubElement(case, "properties")
    for name, value in _list_properties(flow):
        SubElement(properties, "property", {"name": name, "value": _clean(value)})
    if flow.outcome in {"failed", "error", "skipped"}:
        kind = "failure" if flow.outcome == "failed" else flow.outcome
        told = SubElement(case, kind, {"message": _clean(" ".join(flow.error.split()))})
        if kind != "skipped":
            told.set("type", _clean(_find_code(flow)))
            told.text = _clean(flow.error)
    if flow.steps:
        SubElement(case, "system-out").text = _clean("\n".join(map(_tell_step, flow.steps)))


def _list_properties(flow: FlowResult) -> Iterator[tuple[str, str]]:
    yield "outcome", flow.outcome
    yield "attempts", str(flow.attempts)
    if flow.run_id:
        yield "run_id", flow.run_id
    if flow.outcome == "flaky":
        yield "flaky", flow.error


def _find_code(flow: FlowResult) -> str:
    step = next((each for each in flow.steps if each.is_trouble), None)
    return (step.code if step else "") or flow.outcome


def _tell_step(step: StepLine) -> str:
    """Return a step as a line, with what was read or went wrong below it."""
    where = f" (line {step.line})" if step.line else ""
    groups = "".join(f"{group} › " for group in step.groups)
    first = f"{step.number} {MARKS.get(step.status, _NOT_REACHED)[0]} {groups}{step.title}{where} ({step.ms:.0f} ms)"
    return "\n".join([first, *(f"    {line}" for line in step.text.splitlines())])


def _name_class(path: str) -> str:
    """Return a path as CI systems group tests: ``shop/order.flow.yaml`` is ``shop.order``."""
    parts = re.split(r"[/\\]+", _ENDING.sub("", path))
    return ".".join(part for part in parts if part.strip(".")) or path


def _tell_seconds(ms: float) -> str:
    return f"{ms / 1000:.3f}"


def _clean(text: str) -> str:
    r"""Return a text without what XML can't hold: such characters are shown as escapes, such as ``\x1b``."""
    return _FORBIDDEN.sub(lambda found: _escape(found[0]), text)


def _escape(char: str) -> str:
    shown = escape_text(char)
    return shown if not _FORBIDDEN.search(shown) else f"\\u{ord(char):04x}"
