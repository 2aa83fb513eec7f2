"""Handles of secrets: who can make one, where one may stand, and what is planned with it."""

from collections.abc import Collection
from typing import Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.base.errors import ErrorInfo, UnsupportedError
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template, bind_value
from core.goals.secret_values import NO_VAULT, Secret, is_misspelt_handle, is_secret_name, read_handle
from core.goals.world import Capability, WorldState
from core.journal.serialization import pack_value, unpack_value
from core.planning.context import PlanningContext
from core.planning.planner import GoalPlanner
from core.planning.plans import compute_digest
from core.results.records import to_data
from core.rules.params import validate_bound, validate_params

WORLD = WorldState(capabilities={"browser": Capability(True)}, sessions=frozenset({"page"}))
TYPE = PLANNER_RULES["browser", "type"]
TAKERS = [(key, name) for key, rule in PLANNER_RULES.items() for name, kind in rule.param_types.items() if kind.secret]
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,20}", fullmatch=True)


class NamesOnly:
    """A vault that knows names and breaks if it is asked for more."""

    def __init__(self, *names: str) -> None:
        self._names = names

    async def reveal(self, secret: Secret, address: str = "") -> str:
        raise AssertionError(f"{secret} was asked for at {address}")

    def redact(self, value: Any) -> Any:
        return value

    def find_lack(self, secret: Secret) -> ErrorInfo | None:
        return None if secret.name in self._names else ErrorInfo("missing_secret", f"no {secret.name}", "set it")

    def list_revealed(self) -> tuple[str, ...]:
        return ()

    async def recollect_known(self) -> None:
        """Know none."""

    async def recollect(self, secrets: Collection[Secret]) -> None:
        return None

    def limit(self, names: Collection[str] | None) -> Self:
        return self


def plan(text: Any, *names: str) -> Any:
    goal = Goal("browser", "type", {"selector": 'field "Password"', "text": text}, goal_id="g0")
    return GoalPlanner(PLANNER_RULES).plan(goal, PlanningContext(WORLD, vault=NamesOnly(*names)))


def test_the_fields_of_pages_and_windows_take_secrets_and_nothing_else_does() -> None:
    assert TAKERS == [(("browser", "type"), "text"), (("desktop", "type"), "text"), (("desktop", "set_value"), "value")]


@given(NAMES)
def test_what_an_author_writes_as_a_whole_value_is_a_handle(name: str) -> None:
    report = validate_params(TYPE, {"selector": "#a", "text": f"secret:{name}"}, WORLD)
    assert report.problems == ()
    assert report.params["text"] == Secret(name)


@pytest.mark.parametrize(
    "text", ["my secret:pin", "secret: pin", "secret:pin ", "secret:", "Secret:pin", "a\nsecret:pin"]
)
def test_a_text_that_only_looks_like_a_handle_is_text(text: str) -> None:
    report = validate_params(TYPE, {"selector": "#a", "text": text}, WORLD)
    assert (report.problems, report.params["text"]) == ((), text)


@pytest.mark.parametrize("text", ["secret:my-pin", "secret:1st", "secret:pin!", "secret:Zażółć", f"secret:{'a' * 101}"])
def test_a_handle_with_a_name_that_no_secret_can_have_is_refused_and_not_typed(text: str) -> None:
    report = validate_params(TYPE, {"selector": "#a", "text": text}, WORLD)
    assert [problem.param for problem in report.problems] == ["text"]
    assert "handle" in report.problems[0].message
    assert is_misspelt_handle(text)


@pytest.mark.parametrize(
    ("key", "params"),
    [
        (("browser", "search"), {"query": "secret:pin"}),
        (("file", "write"), {"path": "a.txt", "content": "secret:pin"}),
        (("browser", "select"), {"selector": "#a", "value": ["x", "secret:pin"]}),
        (("system", "run"), {"argv": ["curl", "secret:pin"]}),
        (("browser", "type"), {"selector": "secret:pin", "text": "x"}),
    ],
)
def test_a_handle_where_no_secret_may_stand_is_refused(key: tuple[str, str], params: dict[str, Any]) -> None:
    report = validate_params(PLANNER_RULES[key], params, WORLD)
    assert any("can't hold a secret" in problem.message for problem in report.problems)


@given(NAMES, st.booleans())
def test_a_value_that_was_read_is_never_a_handle(name: str, within: bool) -> None:
    reference = Reference("g0", "text")
    written = Template(("", reference)) if within else reference
    planned = validate_params(TYPE, {"selector": "#a", "text": written}, WORLD)
    assert planned.params["text"] == written
    bound = {key: bind_value(value, {"g0": {"text": f"secret:{name}"}}) for key, value in planned.params.items()}
    report = validate_bound(TYPE, bound, WORLD)
    assert report.problems == ()
    assert report.params["text"] == f"secret:{name}"
    assert type(report.params["text"]) is str


@given(NAMES, NAMES)
def test_a_value_that_was_read_can_not_be_put_together_to_a_handle(start: str, end: str) -> None:
    written = Template(("secret:", Reference("g0", "text")))
    bound = bind_value(written, {"g0": {"text": f"{start}{end}"}})
    report = validate_bound(TYPE, {"selector": "#a", "text": bound}, WORLD)
    assert type(report.params["text"]) is str


def test_a_handle_beside_a_value_that_was_read_stays_a_handle() -> None:
    args = {"selector": "#a", "text": Secret("pin"), "mode": "replace", "submit": False}
    assert validate_bound(TYPE, args, WORLD).params == args


def test_a_handle_where_no_secret_may_stand_does_not_pass_binding() -> None:
    assert validate_bound(TYPE, {"selector": Secret("pin"), "text": "x"}, WORLD).problems != ()


def test_planning_keeps_the_handle_and_asks_for_no_value() -> None:
    (action,) = plan("secret:pin", "pin").plan
    assert action.args["text"] == Secret("pin")
    assert "secret:pin" in action.description
    assert unpack_value(pack_value(action.args["text"])) == Secret("pin")
    assert to_data(action.args)["text"] == "secret:pin"


def test_a_secret_that_there_is_not_is_refused_before_anything_is_done() -> None:
    result = plan("secret:pin", "pan")
    assert (result.status, result.plan) == ("blocked", ())
    assert (result.error.code, result.error.hint) == ("missing_secret", "set it")
    assert result.error.evidence["params"] == ["text"]


def test_the_digest_tells_a_handle_from_the_same_characters() -> None:
    handle = compute_digest("d", "i", "v", {"text": Secret("pin")})
    assert handle != compute_digest("d", "i", "v", {"text": "secret:pin"})
    assert handle != compute_digest("d", "i", "v", {"text": Secret("pan")})
    assert handle == compute_digest("d", "i", "v", {"text": Secret("pin")})


async def test_without_a_vault_there_is_no_secret() -> None:
    with pytest.raises(UnsupportedError):
        await NO_VAULT.reveal(Secret("pin"))
    lack = NO_VAULT.find_lack(Secret("pin"))
    assert lack is not None
    assert lack.code == "missing_secret"


@given(st.text(max_size=10))
def test_a_handle_is_read_only_where_its_name_is_one(name: str) -> None:
    assert (read_handle(f"secret:{name}") is not None) == is_secret_name(name)
