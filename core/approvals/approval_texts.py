"""What a person reads before agreeing: rendered from the action by our own code, with nothing left out or invisible."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.base.phrases import cut_text, escape_text, find_disguised_host, tell_value
from core.goals.references import has_reference
from core.planning.plans import PlannedAction, thaw
from core.results.provenance import MODEL, Origin, Sources

_HEADLINE = 120
_ESCAPED_QUOTES = {ord(mark): f"\\u{ord(mark):04x}" for mark in "“”"}


def describe_action(action: PlannedAction, sources: Sources) -> str:
    """Return what would be done, with every text in full: what a description leaves out or cuts, was read or a model wrote is added."""
    text = escape_text(action.description)
    unseen = [
        f"{name} = {escape_text(tell_value(action.args[name], as_words=True))}"
        for name in _list_untold(action)
        if name not in sources
    ]
    if unseen:
        text = f"{text} — with {'; '.join(unseen)}"
    for words, names in _sort_sources(action, sources):
        told = (_describe_source(name, action.args[name], sources[name]) for name in names)
        text = f"{text} — with values that {words}: {'; '.join(told)}"
    if action.author:
        text = f"{text} — proposed by {escape_text(str(Origin(MODEL, action.author)))}"
    hosts = dict.fromkeys(host for value in action.args.values() if (host := find_disguised_host(value)))
    return f"{text} — at the host {', '.join(hosts)}" if hosts else text


def show_headline(text: str, sources: Sources) -> str:
    """Return what a question is about on two or three lines of a terminal, for whoever has lost sight of its beginning."""
    read = "; ".join(f"{name} from {', '.join(steps)}" for name, steps in sources.items())
    return cut_text(text, _HEADLINE) + (f" — read: {cut_text(escape_text(read), _HEADLINE)}" if read else "")


def _sort_sources(action: PlannedAction, sources: Sources) -> Iterator[tuple[str, list[str]]]:
    """Yield in words what became of values that nobody vouches for, and which arguments those are."""
    for words, is_written in (("were read", False), ("a model wrote", True)):
        if names := [name for name in sources if (name in action.written) is is_written]:
            yield words, names


def _describe_source(name: str, value: Any, steps: tuple[str, ...]) -> str:
    if has_reference(value):
        return f"{name}, not known yet (from {escape_text(', '.join(steps))})"
    return f"{name} = {_quote_whole(value)} (from {escape_text(', '.join(steps))})"


def _quote_whole(value: Any) -> str:
    """Return a value that was read in full, between quotation marks that it can't close."""
    if isinstance(value, str):
        return f"“{escape_text(value).translate(_ESCAPED_QUOTES)}”"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_quote_whole, value))}]"
    return escape_text(str(thaw(value))).translate(_ESCAPED_QUOTES)


def _list_untold(action: PlannedAction) -> list[str]:
    """Return the args that the description doesn't show in full; numbers, and what isn't switched on, it may leave out.

    The longest are looked for first, and what shows one can't show another as well: a text that happens to be a part of
    a path is not shown by the path.
    """
    rest, told = action.description, set[str]()
    for name, value in sorted(action.args.items(), key=lambda item: -len(tell_value(item[1]))):
        ways = _list_ways(value)
        shown = next((way for way in ways if way in rest), None)
        if shown is not None:
            rest = rest.replace(shown, "\0", 1) if shown else rest
            told.add(name)
    return [name for name in action.args if name not in told]


def _list_ways(value: Any) -> tuple[str, ...]:
    """Return the ways in which a description may show a value so that it can't be taken for another."""
    if value is True:
        return ()
    if isinstance(value, list | tuple):
        pieces: Sequence[Any] = value
        apart = all("," not in tell_value(each) for each in pieces)
        return (tell_value(value, as_words=True), *((tell_value(value),) if apart else ()))
    return (tell_value(value),) if isinstance(value, str | Mapping) else ("",)
