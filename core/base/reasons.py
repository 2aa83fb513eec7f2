"""Codes of errors in a few words, for sentences about another step: ``dns_failed`` is "host not found"."""

from collections.abc import Mapping

_REASONS: Mapping[str, str] = {
    "app_failed": "the application ended with an error",
    "app_missing": "application not found",
    "approval_missing": "not approved",
    "approval_void": "the approval is no longer valid",
    "bad_selector": "the selector can't be understood",
    "budget_exhausted": "the run's budget is used up",
    "changed_since": "it was changed meanwhile",
    "count_differs": "found more or less often than expected",
    "device_missing": "device not found",
    "dns_failed": "host not found",
    "expectation_failed": "not as expected",
    "http_status": "the server answered with an error",
    "internal_error": "a fault in Surehand",
    "journal_unavailable": "the journal can't be written",
    "navigation_failed": "the page could not be reached",
    "navigation_timeout": "the page did not load in time",
    "no_page": "no page is open",
    "no_permission": "not permitted",
    "no_space": "no space left",
    "not_settled": "nothing changed in time",
    "not_supported_here": "not supported on this machine",
    "outcome_unknown": "its outcome is unknown",
    "outside_roots": "outside the allowed folders",
    "player_missing": "player not found",
    "process_missing": "process not found",
    "reference_missing": "a value it refers to is missing",
    "refused_by_policy": "forbidden by policy",
    "server_missing": "a service does not answer",
    "session_lost": "its page or window is gone",
    "target_ambiguous": "several elements match",
    "target_covered": "the element is covered",
    "target_disabled": "the element is disabled",
    "target_hidden": "the element is hidden",
    "target_missing": "element not found",
    "target_moving": "the element is moving",
    "target_unsuitable": "wrong kind of element",
    "timed_out": "it took too long",
    "too_many_files": "too many open files",
    "unreachable": "server not reachable",
    "value_differs": "the page did not keep the value",
    "window_missing": "window not found",
    "wrong_type": "wrong kind of file",
}


def tell_code(code: str) -> str:
    """Return a code in a few words; one that has none of its own is spelled out."""
    return _REASONS.get(code) or code.replace("_", " ")
