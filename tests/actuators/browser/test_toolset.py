"""What the browser's tools know of verbs comes from the table."""

import inspect

from actuators.browser.tools.toolset import opens_address
from actuators.verb_table import PLANNER_RULES, load_toolsets
from core.tools.registry import list_verbs
from tests.cases import each_case

VERBS = sorted(verb for domain, verb in PLANNER_RULES if domain == "browser")


@each_case("verb", VERBS)
def test_a_verb_opens_an_address_if_its_url_is_one_and_no_pattern(verb: str) -> None:
    takes_url = "url" in PLANNER_RULES["browser", verb].declared_params
    toolset = next(each for each in load_toolsets("browser") if verb in list_verbs(each))
    opens = takes_url and opens_address(toolset, verb, {"url": "http://127.0.0.1/"})
    assert opens == (verb in {"navigate", "open_tab", "download"})
    assert not opens_address(toolset, verb, {})


def test_each_verb_of_the_table_is_one_method_of_one_toolset() -> None:
    assert sorted(verb for toolset in load_toolsets("browser") for verb in list_verbs(toolset)) == VERBS
    assert not any(inspect.isabstract(toolset) for toolset in load_toolsets("browser"))
