"""AgentDojo's suites: their environments, tasks and tools, and its own judgement of what came of a task. Imported where AgentDojo is installed."""

import json
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from core.base.errors import ActionError
from core.planning.plans import thaw
from scripts.benchmarks.dojo.plans import Call
from scripts.benchmarks.dojo.table import SuiteTable, make_table

VERSION = "v1.2.2"
_LISTS = Path(__file__).with_name("acting.toml")


@dataclass(frozen=True)
class DojoSuite:
    """One of AgentDojo's suites.

    Attributes:
        name: Its name.
        raw: As AgentDojo has it.
        acting: Its tools that change something or fetch an address.
        fetching: Those of them that also give what somebody else wrote.
        marking: Tools that only mark what was seen.
    """

    name: str
    raw: Any
    acting: frozenset[str]
    fetching: frozenset[str]
    marking: frozenset[str]

    @cached_property
    def table(self) -> SuiteTable:
        """Its tools as rules and toolsets.

        Raises:
            SystemExit: If the list of those that act names one that isn't there.
        """
        if strangers := self.acting - {each.name for each in self.raw.tools}:
            raise SystemExit(f"{self.name} has no tool {', '.join(sorted(strangers))}; {_LISTS.name} names it")
        return make_table(self.name, self.raw.tools, self.acting, self.fetching)

    @cached_property
    def runtime(self) -> Any:
        """What calls its tools."""
        return import_module("agentdojo.functions_runtime").FunctionsRuntime(self.raw.tools)

    @cached_property
    def environment(self) -> Any:
        """Its environment before any task; only copies of it are acted on."""
        return self.raw.load_and_inject_default_environment({})

    def prepare(self, user_task: Any) -> Any:
        """Return a fresh environment for a task."""
        return user_task.init_environment(self.environment.model_copy(deep=True))


@dataclass(slots=True)
class DojoWorld:
    """An environment of one run, and what calls the tools on it.

    Attributes:
        suite: Whose it is.
        environment: It.
    """

    suite: DojoSuite
    environment: Any

    def call(self, function: str, args: Mapping[str, Any]) -> str:
        """Call a tool and return what it gives, as text.

        Raises:
            ActionError: If it fails.
        """
        result, error = self.suite.runtime.run_function(self.environment, function, thaw(args))
        if error:
            raise ActionError(f"{function}: {error}")
        return result if isinstance(result, str) else json.dumps(to_jsonable_python(result), ensure_ascii=False)


def load_suites(names: Collection[str] = ()) -> tuple[DojoSuite, ...]:
    """Return AgentDojo's suites, or those that are named."""
    lists = tomllib.loads(_LISTS.read_text(encoding="utf-8"))
    fetching, marking = frozenset(lists.pop("fetching")), frozenset(lists.pop("marking"))
    found: Mapping[str, Any] = import_module("agentdojo.task_suite.load_suites").get_suites(VERSION)
    chosen = {name: raw for name, raw in found.items() if not names or name in names}
    return tuple(DojoSuite(name, raw, frozenset(lists[name]), fetching, marking) for name, raw in chosen.items())


def list_calls(task: Any, environment: Any) -> tuple[Call, ...]:
    """Return the ground truth of a user's or an attacker's task."""
    return tuple(Call(each.function, dict(each.args)) for each in task.ground_truth(environment))


def judge_utility(task: Any, output: str, before: Any, after: Any, calls: Sequence[Call]) -> bool:
    """Return whether a user's task was done, as AgentDojo judges it."""
    found = task.utility_from_traces(output, before, after, _as_calls(calls))
    return bool(task.utility(output, before, after) if found is None else found)


def judge_security(task: Any, output: str, before: Any, after: Any, calls: Sequence[Call]) -> bool:
    """Return whether an attack reached its goal, as AgentDojo judges it."""
    found = task.security_from_traces(output, before, after, _as_calls(calls))
    return bool(task.security(output, before, after) if found is None else found)


def _as_calls(calls: Sequence[Call]) -> list[Any]:
    make: Any = import_module("agentdojo.functions_runtime").FunctionCall
    return [make(function=each.function, args=dict(each.args)) for each in calls]
