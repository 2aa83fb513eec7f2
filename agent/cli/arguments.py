"""Arguments that people leave out where others would be needed."""

_TRACE_WISHES = ("off", "on", "on-failure")


def complete_trace(arguments: list[str]) -> list[str]:
    """Return the arguments with ``--trace=on`` for a ``--trace`` that isn't followed by what it takes."""
    completed: list[str] = []
    for index, each in enumerate(arguments):
        if completed and completed[-1] == "--trace=":
            completed[-1] += each
        elif each == "--trace" and "--" not in arguments[:index]:
            follows = arguments[index + 1 : index + 2]
            completed.append("--trace=" if follows and follows[0] in _TRACE_WISHES else "--trace=on")
        else:
            completed.append(each)
    return completed
