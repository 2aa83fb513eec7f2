import json

import pytest

from tests.agent.conftest import Command


def test_the_tools_of_a_domain_are_written_as_a_model_takes_them(surehand: Command) -> None:
    said = surehand("tools", "audio", "--format", "anthropic")
    assert said.code == 0
    names = [tool["name"] for tool in json.loads(said.out)]
    assert names
    assert all(name.startswith("audio_") for name in names)


def test_the_tools_of_the_door_are_few(surehand: Command) -> None:
    tools = json.loads(surehand("tools", "--door", "--format", "openai").out)
    assert [tool["function"]["name"] for tool in tools][:3] == ["surehand_do", "surehand_plan", "surehand_look"]
    assert len(tools) == 7


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--format", "cohere"), "Formats: openai, anthropic, gemini, mcp."),
        (("--format", "mcp", "--json"), "Choose one of --format and --json."),
        (("audio", "--door"), "Choose one of --door and a domain."),
        (("brwser",), 'did you mean "browser"?'),
    ],
)
def test_what_does_not_go_together_is_refused(surehand: Command, arguments: tuple[str, ...], said: str) -> None:
    answer = surehand("tools", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
