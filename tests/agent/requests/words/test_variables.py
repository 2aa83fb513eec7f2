import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.requests.flows import Flow, parse_flow
from agent.requests.words.flow_files import SentFiles
from core.base.errors import FlowError


def read(vars_line: str, environment: dict[str, str] | None = None, **overrides: str) -> Flow:
    text = f"vars: {{v: {vars_line}}}\ngoals:\n  - browser.type: {{selector: css=a, text: '${{v}}'}}\n"
    return parse_flow(text, overrides, name="f.yaml", files=SentFiles(environment=environment))


def find_fault(vars_line: str, environment: dict[str, str] | None = None, **overrides: str) -> FlowError:
    with pytest.raises(FlowError) as caught:
        read(vars_line, environment, **overrides)
    return caught.value


def find_value(flow: Flow) -> object:
    return flow.goals[0].params["text"]


def test_a_variable_has_what_the_environment_says_and_its_default_where_that_says_nothing() -> None:
    line = "{env: SHOP_USER, default: ada}"
    assert find_value(read(line, {"SHOP_USER": "bob"})) == "bob"
    assert find_value(read(line, {})) == "ada"
    assert find_value(read(line, {"SHOP_USER": "bob"}, v="eve")) == "eve"


@pytest.mark.parametrize(
    ("line", "text", "value"),
    [
        ("{env: N, default: 2}", "3", 3),
        ("{env: N, default: 2.5}", "3", 3.0),
        ("{env: N, default: true}", "false", False),
        ("{env: N, type: integer}", "7", 7),
        ("{env: N, type: text}", "7", "7"),
        ("{env: N}", "7", "7"),
    ],
)
def test_what_the_environment_says_is_read_as_the_type_that_the_flow_gives(line: str, text: str, value: object) -> None:
    found = find_value(read(line, {"N": text}))
    assert (type(found), found) == (type(value), value)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"])))
def test_what_the_environment_says_is_taken_byte_for_byte(text: str) -> None:
    assert find_value(read("{env: N}", {"N": text})) == text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{env: N, type: integer}", 'f.yaml:1:8: N must be a whole number, and "x" in the environment is not.'),
        ("{env: N, default: 2, type: text}", "f.yaml:1:20: the default of v must be text, not 2."),
        ("{env: SHOP_PASSWORD}", "f.yaml:1:12: SHOP_PASSWORD sounds like a secret"),
        ("{env: api_key}", "sounds like a secret"),
        ("{env: '${x}'}", "v.env: "),
        ("{env: N, defautl: 2}", 'unknown key "defautl" of v (did you mean "default"?)'),
        ("{}", "v needs env."),
        ("[1]", 'the variable "v" must be text, a number, or true or false'),
    ],
)
def test_a_variable_that_makes_no_sense_is_refused_with_its_place(line: str, words: str) -> None:
    error = find_fault(line, {"N": "x", "SHOP_PASSWORD": "x"})
    assert error.message.startswith("f.yaml:1:")
    assert words in error.message


def test_a_variable_that_is_not_set_and_has_no_default_is_refused_and_it_is_said_how_to_give_it() -> None:
    error = find_fault("{env: SHOP_USER}", {})
    assert error.message == 'f.yaml:1:8: the variable "v" comes from SHOP_USER, which is not set, and has no default.'
    assert "--var v=VALUE" in error.hint
    assert find_value(read("{env: SHOP_USER}", {}, v="eve")) == "eve"


def test_a_flow_that_was_sent_sees_nothing_of_the_environment_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_USER", "bob")
    assert find_value(read("{env: SHOP_USER, default: ada}")) == "ada"
    assert "can't look at the environment here" in find_fault("{env: SHOP_USER}").hint


def test_a_flow_says_what_it_took_from_the_environment_and_nothing_else() -> None:
    assert read("{env: N, default: x}", {"N": "1", "HOME": "/root"}).environment == {"N": "1"}
