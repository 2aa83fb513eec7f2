"""Error codes in two or three words, for a line that says why something else was skipped."""

from collections.abc import Mapping

CAUSES: Mapping[str, str] = {
    "app_missing": "program not found",
    "approval_missing": "not approved",
    "approval_void": "changed after the approval",
    "already_exists": "it already exists",
    "bad_selector": "selector not understood",
    "browser_missing": "no browser",
    "browser_start_failed": "the browser did not start",
    "budget_exhausted": "no time left",
    "changed_since": "it changed meanwhile",
    "command_failed": "the command failed",
    "connection_refused": "connection refused",
    "device_missing": "device not found",
    "dns_failed": "host not found",
    "expectation_failed": "not as expected",
    "file_missing": "file not found",
    "http_status": "the server answered with an error",
    "internal_error": "a fault in Surehand",
    "missing_secret": "secret not found",
    "navigation_failed": "the page did not open",
    "navigation_timeout": "the page took too long",
    "no_permission": "no permission",
    "no_space": "disk full",
    "not_found": "file not found",
    "not_possible": "not possible now",
    "not_settled": "no effect in time",
    "not_simulated": "not simulated",
    "not_supported_here": "this machine can't do it",
    "outcome_unknown": "outcome unknown",
    "page_closed": "the page was closed",
    "page_crashed": "the page crashed",
    "person_active": "somebody was typing",
    "player_missing": "player not found",
    "process_missing": "process not found",
    "refused_by_policy": "not allowed",
    "seat_taken": "another run has the keyboard",
    "server_missing": "no server answers",
    "target_ambiguous": "several elements match",
    "target_covered": "the element is covered",
    "target_detached": "the element went away",
    "target_disabled": "the element is disabled",
    "target_hidden": "the element is hidden",
    "target_missing": "no element matches",
    "target_moving": "the element keeps moving",
    "target_off_screen": "the element is off the screen",
    "target_readonly": "the field is read-only",
    "target_unsuitable": "wrong kind of element",
    "timed_out": "timed out",
    "value_differs": "another value came out",
    "window_missing": "window not found",
}
"""The words of the codes that people meet often; the others are told by their own name."""

_ENDS: Mapping[str, str] = {"failed": "failed", "refused": "was refused", "cancelled": "was stopped"}


def tell_cause(code: str) -> str:
    """Return a code in words.

    Args:
        code: Of an error, such as ``dns_failed``.
    """
    return CAUSES.get(code, code.replace("_", " "))


def tell_skip(place: str, status: str, code: str) -> str:
    """Return why a step was skipped.

    Args:
        place: Which step was to blame, such as ``step 1``.
        code: Of its error; may be empty.
    """
    if code == "not_selected":
        return f"Skipped: {place} was not selected."
    why = f" ({tell_cause(code)})" if code and code != "stopped" else ""
    return f"Skipped: {place} {_ENDS.get(status, 'was not done')}{why}."
