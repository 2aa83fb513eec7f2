"""Rendering: a prompt out of its template. Values are put in as they are, and never read as templates themselves."""

import string
from collections.abc import Mapping

from core.base.errors import TableError
from core.planning.planners.ports import PromptTemplate


def name_placeholders(text: str) -> frozenset[str]:
    """Return the names that a template's text has in braces.

    Raises:
        ValueError: If its braces can't be read, or hold anything but a name: no part of a value, no format.
    """
    names: set[str] = set()
    for _, name, spec, conversion in string.Formatter().parse(text):
        if name is None:
            continue
        if not name.isidentifier() or spec or conversion:
            raise ValueError(f"“{{{name}}}” must be a name alone; write {{{{ for a brace")
        names.add(name)
    return frozenset(names)


def render_template(template: PromptTemplate, values: Mapping[str, object]) -> str:
    """Return the text of a template with its placeholders filled in.

    Args:
        values: By placeholder; others are ignored.

    Raises:
        TableError: ``bad_template`` if a value is missing, or the braces of the text can't be read.
    """
    try:
        needed = name_placeholders(template.text)
    except ValueError as error:
        raise TableError(f"Template “{template.template_id}” can't be read: {error}.", code="bad_template") from None
    if missing := sorted(needed - values.keys()):
        named = ", ".join(f"“{name}”" for name in missing)
        text = f"Template “{template.template_id}” needs {named}, which its planner does not give."
        raise TableError(text, code="bad_template")
    return template.text.format_map({name: str(values[name]) for name in needed})
