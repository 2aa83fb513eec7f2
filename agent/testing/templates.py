"""InMemoryTemplates: prompts that a test wrote."""

from collections.abc import Mapping

from core.base.errors import TableError
from core.base.phrases import quote_text
from core.planning.planners.ports import PromptTemplate
from core.planning.planners.rendering import name_placeholders


class InMemoryTemplates:
    """A `Templates` for tests."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        """Take prompts by name; what stands in braces is what they need."""
        self._templates = {name: _make_template(name, text) for name, text in (texts or {}).items()}

    def read_template(self, template_id: str) -> PromptTemplate:
        """Return a template.

        Raises:
            TableError: If there is none.
        """
        if template_id not in self._templates:
            message = f"Prompt template {quote_text(template_id)} does not exist."
            raise TableError(message, code="template_missing", hint="Give it to InMemoryTemplates.")
        return self._templates[template_id]


def _make_template(template_id: str, text: str) -> PromptTemplate:
    return PromptTemplate(template_id=template_id, version=1, text=text, placeholders=name_placeholders(text))
