"""Every way in which a model fails, each with a code of its own and what to do about it."""

from core.base.errors import ModelError
from core.base.phrases import cut_text, escape_text

_SHOWN = 160


def fail_unknown(name: str, known: list[str]) -> ModelError:
    """Return that no model of that name is set up."""
    listed = f"Models that are: {', '.join(known)}." if known else "None is. docs/guides/models.md says how."
    return ModelError(f"No model is called “{name}” in your settings.", code="model_unknown", hint=listed)


def fail_missing_library(library: str) -> ModelError:
    """Return that what speaks to models is not installed."""
    text = f"Models can't be asked: {library} is not installed."
    return ModelError(text, code="model_not_installed", hint="Install it: pip install 'surehand[models]'.")


def fail_setting(name: str, fault: str) -> ModelError:
    """Return that the setting of a model lacks something."""
    text = f"The model “{name}” is not set up: {fault}."
    return ModelError(text, code="model_not_set_up", hint="Correct it in your settings file.")


def fail_unreachable(name: str, why: str) -> ModelError:
    """Return that nobody answers at its address."""
    text = f"The model “{name}” can't be reached: {_show(why)}."
    return ModelError(text, code="model_unreachable", hint="Check that its server runs, and its base_url.")


def fail_slow(name: str, timeout_s: float) -> ModelError:
    """Return that it took too long."""
    text = f"The model “{name}” did not answer within {timeout_s:g} s."
    return ModelError(text, code="model_slow", hint="Raise its timeout_s, or use a faster one.")


def fail_too_large(name: str, limit_bytes: int) -> ModelError:
    """Return that its answer was longer than anything that is read."""
    text = f"The model “{name}” answered with more than {limit_bytes:,} bytes; the rest was not read."
    return ModelError(text, code="model_too_large", hint="Check what serves it.")


def fail_key(name: str, status: int) -> ModelError:
    """Return that its key is not accepted."""
    text = f"The model “{name}” refused the key (HTTP {status})."
    return ModelError(text, code="model_key_refused", hint="Set the secret again: surehand secrets set NAME.")


def fail_throttled(name: str, retry_after: str) -> ModelError:
    """Return that it is asked too often."""
    wait = f" It says: try again after {_show(retry_after)} s." if retry_after else ""
    text = f"The model “{name}” is asked too often (HTTP 429).{wait}"
    return ModelError(text, code="model_throttled", hint="Wait, then repeat.", evidence={"retry_after": retry_after})


def fail_status(name: str, status: int) -> ModelError:
    """Return that its server answered with another error."""
    text = f"The server of the model “{name}” answered HTTP {status}."
    if status >= 500:
        return ModelError(text, code="model_server_error", hint="Repeat it later, or check the server.")
    return ModelError(text, code="model_request_refused", hint="Check the model's name, base_url and answers.")


def fail_answer(name: str, what: str) -> ModelError:
    """Return that its answer can't be used."""
    text = f"The model “{name}” gave no usable answer: {_show(what)}."
    return ModelError(text, code="model_bad_answer", hint="Repeat it, say it in other words, or use another model.")


def fail_cut(name: str, max_tokens: int) -> ModelError:
    """Return that its answer broke off."""
    text = f"The answer of the model “{name}” broke off after {max_tokens:,} tokens."
    return ModelError(text, code="model_cut_off", hint="Raise its max_tokens, or ask for less at once.")


def fail_declined(name: str, why: str) -> ModelError:
    """Return that it doesn't want to answer."""
    said = f": “{_show(why)}”" if why.strip() else ""
    text = f"The model “{name}” declined to answer{said}."
    return ModelError(text, code="model_declined", hint="Say it in other words, or do it yourself.")


def fail_wrong_tool(name: str, tool: str) -> ModelError:
    """Return that it called a tool that nobody offered."""
    text = f"The model “{name}” called “{_show(tool)}”, which it was not offered."
    return ModelError(text, code="model_wrong_tool", hint="Repeat it, or use another model.")


def fail_budget(name: str, what: str) -> ModelError:
    """Return that it may not cost more."""
    text = f"The model “{name}” is not asked: {what}."
    return ModelError(text, code="model_budget", hint="Wait for tomorrow, or raise its budget in your settings.")


def fail_unrecorded(name: str) -> ModelError:
    """Return that a recording doesn't have the answer to a question."""
    text = f"The recording “{name}” has no answer to this question."
    return ModelError(text, code="model_not_recorded", hint="Record it again with --record FILE.")


def fail_recording(name: str, why: str) -> ModelError:
    """Return that a recording can't be read or written."""
    text = f"The recording “{name}” can't be used: {_show(why)}."
    return ModelError(text, code="model_bad_recording", hint="Record it again with --record FILE.")


def _show(text: str) -> str:
    """Return what somebody else wrote on one line, without what can't be seen."""
    return cut_text(escape_text(text.strip().rstrip(".")), _SHOWN)
