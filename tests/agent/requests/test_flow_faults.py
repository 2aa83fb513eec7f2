"""Everything that can be wrong with a flow before it is planned: where it is, what it is, what to do."""

import pytest

from agent.requests.flows import parse_flow
from core.base.errors import FlowError
from tests.cases import each_case

TOP = "name: x\ngoals:\n  - browser.back:\n"


def fail(text: str, **overrides: str) -> FlowError:
    with pytest.raises(FlowError) as caught:
        parse_flow(text, overrides, name="f.yaml")
    return caught.value


@each_case(
    ("text", "place", "words"),
    [
        ("", "1:1", "a flow must be a mapping with the key goals"),
        ("- browser.back:", "1:1", "a flow must be a mapping with the key goals"),
        ("name: x", "1:1", "at least one goal"),
        ("name: x\ngoals: []", "2:1", "at least one goal"),
        ("goals:", "1:1", "goals: input should be a valid list"),
        ("name: 5\ngoals: [{a.b: }]", "1:1", "name: input should be a valid string"),
        ("name: x\ngaols:\n  - browser.back:", "2:1", 'unknown key "gaols" (did you mean "goals"?)'),
        ("vars: [a]\ngoals: [{a.b: }]", "1:1", "vars: input should be a valid dictionary"),
        ("vars:\n  a: [1]\ngoals: [{a.b: }]", "2:3", 'the variable "a" must be text, a number, or true or false'),
        ("vars:\n  a:\ngoals: [{a.b: }]", "2:3", 'the variable "a" must be text'),
        ("vars: {a: .inf}\ngoals: [{a.b: }]", "1:8", 'the variable "a" must be text'),
        ("vars: {a.b: 1}\ngoals: [{a.b: }]", "1:8", '"a.b" is not a name'),
        ("vars: {g1: 1}\ngoals: [{a.b: }]", "1:8", '"g1" is not a name'),
        ("vars: {b: '${a}', a: x}\ngoals: [{a.b: }]", "1:8", 'unknown variable "a"'),
        ("policy: {host: [a]}\ngoals: [{a.b: }]", "1:10", 'unknown key "policy.host" (did you mean "hosts"?)'),
        ("policy: {hosts: a}\ngoals: [{a.b: }]", "1:10", "policy.hosts: input should be a valid list"),
        ("policy: {hosts: [1]}\ngoals: [{a.b: }]", "1:18", "policy.hosts.0: input should be a valid string"),
        ("policy: {hosts: ['${x}']}\ngoals: [{a.b: }]", "1:18", 'unknown variable "x"'),
        ("policy: {hosts: ['${x.url}']}\ngoals: [{id: x, a.b: }]", "1:18", "no earlier goal is called"),
        ("budget: {second: 1}\ngoals: [{a.b: }]", "1:10", '(did you mean "seconds"?)'),
        ("budget: {seconds: 0}\ngoals: [{a.b: }]", "1:10", "greater than 0"),
        ("budget: {actions: 1.5}\ngoals: [{a.b: }]", "1:10", "budget.actions: input should be a valid integer"),
        ("budget: {seconds: '60'}\ngoals: [{a.b: }]", "1:10", "budget.seconds: input should be a valid number"),
        (TOP + "  - browser.back", "4:5", "a goal must be a mapping"),
        (TOP + "  - 5", "4:5", "a goal must be a mapping"),
        (TOP + "  - {}", "4:5", "this one has none"),
        (TOP + "  - id: x\n    scope: root", "4:5", "this one has none"),
        (TOP + "  - a.b: {}\n    c.d: {}", "5:5", "a goal needs one verb; this one has a.b, c.d"),
        (TOP + "  - a.b: {}\n    expct: {}", "5:5", 'unknown key "expct" (did you mean "expect"?)'),
        (TOP + "  - click: {}", "4:5", 'unknown key "click"; write verbs as domain.verb'),
        (TOP + "  - browser.: {}", "4:5", 'unknown key "browser."'),
        (TOP + "  - a.b: [1]", "4:5", "params must be a mapping"),
        (TOP + "  - a.b: text", "4:5", "params must be a mapping"),
        (TOP + "  - a.b: {}\n    expect: visible", "5:5", "params must be a mapping"),
        (TOP + "  - a.b: {}\n    object: 5", "5:5", "the object must be text, not 5"),
        (TOP + "  - a.b: {}\n    id: 5", "5:5", "5 is not a name"),
        (TOP + "  - a.b: {}\n    id: a b", "5:5", '"a b" is not a name'),
        (TOP + "  - a.b: {}\n    id: g7", "5:5", '"g7" is not a name'),
        (TOP + "  - a.b: {}\n    id:", "5:5", "None is not a name"),
        (TOP + "  - {id: x, a.b: }\n  - {a.b: , id: x}", "5:13", 'the name "x" is taken'),
        ("vars: {x: 1}\n" + TOP + "  - {id: x, a.b: }", "5:6", 'the name "x" is taken'),
    ],
)
def test_a_fault_of_form_is_named_where_it_stands(text: str, place: str, words: str) -> None:
    error = fail(text)
    assert error.message.startswith(f"f.yaml:{place}: ")
    assert words in error.message
    assert error.code == ("unknown_name" if "${" in text else "bad_flow")


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        ("after:total", '"total" comes later in the flow'),
        ("after:here", "a goal can't come after itself"),
        ("after:frist", 'no earlier goal has the id or verb “frist” (did you mean "first"?)'),
        ("after:g9", "no earlier goal has the id or verb “g9”"),
        ("after:click", "no earlier goal has the id or verb “click”"),
        ("after:", "it names nothing after after:"),
        ("after", "a scope is root, after:<goal id or verb>"),
        ("", "a scope is root"),
        ("inside:notes", "no earlier goal creates the folder “notes”"),
        ("drive:xy", "“xy” is not a drive letter"),
    ],
)
def test_a_scope_that_names_no_earlier_goal_is_refused_at_its_line(scope: str, words: str) -> None:
    text = f"goals:\n  - {{id: first, browser.back: }}\n  - id: here\n    scope: '{scope}'\n    browser.back:\n"
    error = fail(text + "  - {id: total, browser.back: }\n")
    assert error.message.startswith(f'f.yaml:4:5: the scope "{scope}" can\'t be used: ')
    assert words in error.message
    assert error.code == "bad_scope"


def test_two_goals_that_wait_for_each_other_are_refused_at_the_first() -> None:
    error = fail("goals:\n  - {id: a, scope: 'after:b', x.y: }\n  - {id: b, scope: 'after:a', x.y: }\n")
    assert error.message.startswith("f.yaml:2:13: ")
    assert '"b" comes later in the flow' in error.message


def test_a_scope_that_is_no_text_is_refused() -> None:
    assert fail(TOP + "  - {a.b: , scope: 5}").message == "f.yaml:4:13: the scope must be text, not 5."


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("${shpo}", "4:13", 'unknown variable "shpo" (did you mean "shop"?)'),
        ("${}", "4:13", 'unknown variable ""'),
        ("a ${shop", "4:13", "${ has no closing }"),
        ("${", "4:13", "${ has no closing }"),
        ("${shop${shop}", "4:13", "${ has no closing }"),
        ("${frist.text}", "4:13", 'no earlier goal is called "frist" (did you mean "first"?)'),
        ("${later.text}", "4:13", 'no earlier goal is called "later"'),
        ("${here.text}", "4:13", 'no earlier goal is called "here"'),
        ("${first}", "4:13", '"first" is a goal; say which of its outputs, such as ${first.text}'),
        ("${first.}", "4:13", "no earlier goal is called"),
        ("${shop.text}", "4:13", 'no earlier goal is called "shop"'),
    ],
)
def test_an_unknown_name_is_refused_at_its_param(text: str, place: str, words: str) -> None:
    error = fail(
        "vars: {shop: x}\ngoals:\n  - {id: first, a.b: }\n"
        f"  - {{a.b: {{ x: '{text}'}}, id: here}}\n  - {{id: later, a.b: }}"
    )
    assert error.message.startswith(f"f.yaml:{place}: ")
    assert words in error.message
    assert (error.code, error.hint) == ("unknown_name", "To write ${ itself, write $${.")


@pytest.mark.parametrize("word", ["repeat", "when", "retry", "include"])
def test_a_word_of_entries_is_unknown_at_the_top(word: str) -> None:
    assert fail(f"{word}: {{}}\n{TOP}").message.startswith(f'f.yaml:1:1: unknown key "{word}"')


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"shpo": "x"}, 'unknown variable "shpo" (did you mean "shop"?)'),
        ({"n": "x"}, 'the variable "n" is a whole number in the flow, and "x" is not'),
        ({"n": "2.5"}, "a whole number"),
        ({"f": "nan"}, 'the variable "f" is a number in the flow'),
        ({"b": "yes"}, 'the variable "b" is true or false in the flow'),
    ],
)
def test_an_override_that_does_not_fit_is_refused(overrides: dict[str, str], words: str) -> None:
    error = fail("name: x\nvars: {shop: x, n: 2, f: 2.5, b: true}\ngoals: [{a.b: }]", **overrides)
    assert error.message.startswith("f.yaml:2:")
    assert words in error.message
