"""Words: what is typed, and whether it may be told."""

from dataclasses import dataclass, field

from core.base.errors import ActionError
from core.goals.secret_values import Secret

_REASONS = {
    "not_typed": "the field holds other text",
    "unsupported_text": "the keyboard can't type it here without loss, so nothing was pressed",
}


@dataclass(frozen=True, slots=True)
class TypedWords:
    """What is typed.

    Attributes:
        secret: The handle that it came from; None where it may be told.
    """

    text: str = field(repr=False)
    secret: Secret | None = None


def hide_reasons(error: ActionError, secret: Secret) -> ActionError:
    """Return an error of typing a secret without anything that would tell parts of it."""
    if error.code not in _REASONS:
        return error
    return ActionError(
        f"{secret} was not typed as intended: {_REASONS[error.code]}.",
        code=error.code,
        hint=error.hint,
        evidence={"secret": secret.name},
    )
