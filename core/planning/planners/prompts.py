"""Renders prompts: placeholders are plain names, and each stands for a value of ours."""

from collections.abc import Mapping
from string import Formatter
from typing import Any

from core.base.errors import TableError
from core.planning.planners.ports import PromptTemplate


def list_placeholders(text: str) -> frozenset[str]:
    """Return the names that stand in braces in a text.

    Raises:
        TableError: If a brace isn't closed, or holds anything else than a name.
    """
    try:
        fields = [(name, spec, form) for _, name, spec, form in Formatter().parse(text) if name is not None]
    except ValueError as error:
        raise TableError(f"A prompt can't be read: {error}.", code="bad_template") from error
    for name, spec, form in fields:
        if not name.isidentifier() or spec or form:
            text = f"A prompt may hold names in braces only, and not “{{{name}}}”."
            raise TableError(text, code="bad_template", hint="Write {{ for a brace.")
    return frozenset(name for name, _, _ in fields)


def render_prompt(template: PromptTemplate, values: Mapping[str, Any]) -> str:
    """Return a prompt with its values.

    Args:
        template: The prompt.
        values: By name.

    Raises:
        TableError: If the values are others than those that the text needs.
    """
    needed = list_placeholders(template.text)
    if lacking := sorted(needed - values.keys()):
        raise _refuse(template, f"it needs {', '.join(lacking)}")
    if unknown := sorted(values.keys() - needed - template.placeholders):
        raise _refuse(template, f"it has no place for {', '.join(unknown)}")
    return template.text.format_map(values)


def _refuse(template: PromptTemplate, why: str) -> TableError:
    return TableError(f"Prompt “{template.template_id}” can't be used: {why}.", code="bad_template")
