"""StepTemplates: the templates as a planner sees them whose person chose others for some of its steps."""

from collections.abc import Mapping

from core.planning.planners.ports import PromptTemplate, Templates


class StepTemplates:
    """A repository in which some templates stand in place of others."""

    def __init__(self, templates: Templates, chosen: Mapping[str, str]) -> None:
        self._templates = templates
        self._chosen = chosen

    def read_template(self, template_id: str) -> PromptTemplate:
        """Return a template.

        Raises:
            TableError: If there is none.
        """
        return self._templates.read_template(self._chosen.get(template_id, template_id))
