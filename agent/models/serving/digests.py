"""Digests of questions: equal ones ask the same of the same model, byte for byte."""

import hashlib
import json
from typing import Any

from agent.settings.model_settings import ModelSetting
from core.planning.planners.ports import ModelQuestion

FORMAT = 1
"""Of what is digested; a change gives every question another digest."""


def digest_question(question: ModelQuestion, setting: ModelSetting | None = None) -> str:
    """Return the SHA-256 of a question, in hexadecimal.

    Args:
        question: What is asked; for whom makes no difference.
        setting: The model that is asked, with all that its answer depends on; None for whichever.
    """
    content: list[Any] = [FORMAT, question.kind, question.instructions, question.schema, question.max_tokens]
    content.append([[each.label, each.text, each.source, each.is_tainted] for each in question.data])
    if setting:
        content.append([setting.provider, setting.model, setting.base_url, setting.answers])
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), default=list)
    return hashlib.sha256(text.encode()).hexdigest()
