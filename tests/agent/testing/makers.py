"""A question to a model, for tests of the kit."""

from typing import Any

from core.base.scope_paths import begin_scope
from core.planning.planners.ports import ModelQuestion


def make_question(**given: Any) -> ModelQuestion:
    usual: dict[str, Any] = {"kind": "propose", "instructions": "Propose calls.", "schema": {}}
    usual["scope"] = begin_scope("ada")
    return ModelQuestion(**{**usual, **given})
