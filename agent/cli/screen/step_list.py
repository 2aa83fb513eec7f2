"""The steps of a run as a numbered list: which number each has, and what a person reads of it."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from agent.cli.screen.outputs import tell_output
from core.base.phrases import cut_text, escape_text, join_phrases, render_phrase
from core.results.attendance import list_dialogs
from core.results.events import Step

_LONGEST_QUOTE = 80
_LONGEST_PHRASE = 300
_DIGEST = 12
_PLACES = ("navigated_to", "url")


class StepList:
    """Knows the plan, and what each step that ended gave to those after it."""

    def __init__(self) -> None:
        """Begin with no plan: every step is told by its description then."""
        self._nodes: dict[str, Mapping[str, Any]] = {}
        self._numbers: dict[str, int] = {}
        self._parents: dict[str, list[int]] = {}
        self._outputs: dict[str, Mapping[str, Any]] = {}
        self._page = ""

    def read_plan(self, plan: Mapping[str, Any]) -> None:
        """Number the steps of a plan, as the event ``accepted`` has it."""
        self._nodes = {node["action_id"]: node for node in plan["nodes"]}
        self._numbers = {action_id: number for number, action_id in enumerate(self._nodes, start=1)}
        self._parents = {action_id: [] for action_id in self._nodes}
        for parent, child in plan["edges"]:
            self._parents[child].append(self._numbers[parent])

    def list_plan(self) -> Iterator[str]:
        """Yield what will be done, and after what, where that isn't the step before."""
        for action_id, number in self._numbers.items():
            after = sorted(self._parents[action_id])
            usual = [number - 1] if number > 1 else []
            steps = f"step{'s' if len(after) > 1 else ''} {join_phrases(list(map(str, after)))}"
            note = "" if after == usual else f" (after {steps})" if after else " (at once)"
            yield f"{self.number(action_id)} {escape_text(self._nodes[action_id]['description'])}{note}"

    def number(self, action_id: str) -> str:
        """Return the number of a step, as wide as the widest; its id where the plan doesn't have it."""
        if action_id not in self._numbers:
            return action_id
        return f"{self._numbers[action_id]:>{len(str(len(self._numbers)))}}"

    def list_groups(self, action_id: str) -> tuple[str, ...]:
        """Return the titles of the groups and rounds that a step stands in, the outermost first."""
        return tuple(map(escape_text, self._nodes.get(action_id, {}).get("groups", ())))

    def name(self, action_id: str) -> str:
        """Return what a sentence calls a step: ``step 2``; its id where the plan doesn't have it."""
        return f"step {self._numbers[action_id]}" if action_id in self._numbers else action_id

    def note(self, step: Step) -> None:
        """Remember what a step gave."""
        if node := self._nodes.get(step.action_id):
            goal_id = node.get("goal_id", "")
            self._outputs[goal_id] = {**self._outputs.get(goal_id, {}), **step.output}

    def tell(self, step: Step) -> str:
        """Return what a step did, in the past where it succeeded: ``Opened http://shop.test/``."""
        node = self._nodes.get(step.action_id, {})
        if step.status != "ok" or not node.get("summary"):
            return escape_text(step.description)
        summary = render_phrase(node["summary"], {name: self._bind(value) for name, value in node["args"].items()})
        return escape_text(cut_text(summary[:1].upper() + summary[1:], _LONGEST_PHRASE))

    def _bind(self, value: Any) -> Any:
        """Return an argument with what earlier steps gave in place of its references."""
        if isinstance(value, list):
            return [self._bind(each) for each in value]
        if not isinstance(value, Mapping):
            return value
        if list(value) == ["$ref"]:
            goal_id, _, key = str(value["$ref"]).partition(".")
            found: Any = self._outputs.get(goal_id, {})
            for part in key.split("."):
                found = _take_part(found, part)
            return found if isinstance(found, str | int | float) else f"the {key} that was read"
        if list(value) == ["$template"]:
            return "".join(str(self._bind(part)) for part in value["$template"])
        return {name: self._bind(each) for name, each in value.items()}

    def tell_ids(self, step: Step) -> str:
        """Return what programs call a step and how it ended: its id, status, effect, code, and the digest of its arguments."""
        digest = self._nodes.get(step.action_id, {}).get("digest", "")
        code = (step.error.code,) if step.error else ()
        return " · ".join((step.action_id, step.status, step.effect, *code, *((digest[:_DIGEST],) if digest else ())))

    def tell_finding(self, step: Step, told: str) -> str:
        """Return what came of a step in a few words, where that adds something to what is told of it."""
        if step.effect == "none" and (found := tell_output(step.output)):
            return found
        place = next((str(step.evidence[name]) for name in _PLACES if step.evidence.get(name)), "")
        if place and step.effect != "none":
            return self._tell_place(place, told)
        path = step.output.get("path") if step.effect != "none" else None
        return f"→ {escape_text(path)}" if isinstance(path, str) and path and path not in told else ""

    def _tell_place(self, place: str, told: str) -> str:
        """Return where a step led; of a page at the same site only its path, and nothing where that is no news."""
        before, self._page = self._page, place
        if place == before or place.rstrip("/") in told:
            return ""
        old, new = urlsplit(before), urlsplit(place)
        is_near = (old.scheme, old.netloc) == (new.scheme, new.netloc) and bool(new.path)
        shown = new._replace(scheme="", netloc="").geturl() if is_near else place
        return f"→ {escape_text(cut_text(shown, _LONGEST_QUOTE))}"

    def tell_dialogs(self, step: Step) -> Iterator[str]:
        """Yield what a page's script said or asked in the time of a step that succeeded, and what was answered."""
        if step.status == "ok":
            yield from map(escape_text, list_dialogs(step.evidence))

    def tell_trouble(self, step: Step) -> Iterator[str]:
        """Yield why a step did not succeed, and what to do about it."""
        if step.error is None:
            return
        yield escape_text(step.error.message)
        if step.error.hint:
            yield escape_text(step.error.hint)


def _take_part(value: Any, part: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(part)
    is_there = isinstance(value, list | tuple) and part.isdigit() and int(part) < len(value)
    return value[int(part)] if is_there else None
