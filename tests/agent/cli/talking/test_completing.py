"""What the chat proposes while somebody types."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from agent.cli.talking.completing import ChatCompleter, ChatHistory, list_verbs, read_names

NAMES = ('link "Catalogue"', 'button "Add to basket"', 'field "E-mail address"', 'field "Email" in "Billing"')


async def find_names() -> Sequence[str]:
    return NAMES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    for name in ("notes.txt", "Nothing.md", ".hidden", "sub/deep.txt"):
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.fixture
def completer(folder: Path) -> ChatCompleter:
    return ChatCompleter({"/look": "look", "/save": "save"}, folder, find_names)


async def complete(completer: ChatCompleter, typed: str) -> list[str]:
    """Return the lines that the proposals make of what was typed."""
    document = Document(typed)
    found = [each async for each in completer.get_completions_async(document, CompleteEvent())]
    return [typed[: len(typed) + each.start_position] + each.text for each in found]


async def test_orders_are_proposed_by_their_beginning(completer: ChatCompleter) -> None:
    assert await complete(completer, "/") == ["/look", "/save"]
    assert await complete(completer, "/sa") == ["/save"]


async def test_verbs_are_proposed_where_a_part_of_a_sentence_begins(completer: ChatCompleter) -> None:
    assert "click" in await complete(completer, "cli")
    assert "open the shop and click" in await complete(completer, "open the shop and cli")
    assert "open the shop, then read" in await complete(completer, "open the shop, then rea")
    assert await complete(completer, "the cli") == []


@pytest.mark.parametrize(
    ("typed", "proposed"),
    [
        ("click Cata", 'click link "Catalogue"'),
        ("click link Cat", 'click link "Catalogue"'),
        ("click zebra", ""),
        ('click link "Cat', 'click link "Catalogue"'),
        ("click add to", 'click button "Add to basket"'),
        ('type "x" into e-mail', 'type "x" into field "E-mail address"'),
    ],
)
async def test_names_on_the_page_are_proposed_by_their_words(
    completer: ChatCompleter, typed: str, proposed: str
) -> None:
    assert (await complete(completer, typed))[:1] == ([proposed] if proposed else [])


async def test_files_are_proposed_and_hidden_ones_where_a_dot_is_typed(completer: ChatCompleter, folder: Path) -> None:
    assert await complete(completer, "read no") == ["read Nothing.md", "read notes.txt"]
    assert await complete(completer, "read sub/") == ["read sub/deep.txt"]
    assert await complete(completer, "read .h") == ["read .hidden"]
    assert await complete(completer, f"read {folder}/su") == [f"read {folder}/sub/"]
    assert await complete(completer, "/save no") == ["/save Nothing.md", "/save notes.txt"]
    assert await complete(completer, "read /root-that-is-not/x") == []


def test_names_are_those_of_the_lines_of_an_outline_once() -> None:
    lines = [{"text": "# Shop"}, *({"text": name, "selector": name} for name in (NAMES[0], NAMES[0], "main"))]
    assert read_names({"lines": lines}) == [NAMES[0]]
    assert read_names({}) == []


def test_verbs_are_words() -> None:
    verbs = list_verbs()
    assert {"click", "open", "read", "type", "write"} <= set(verbs)
    assert all(verb.isalpha() for verb in verbs)


def test_the_history_keeps_the_last_lines_and_no_secrets(tmp_path: Path) -> None:
    path = tmp_path / "surehand" / "chat_history"
    history = ChatHistory(path)
    for line in ("open the shop", 'type "x" into the Password field', "read the title"):
        history.store_string(line)
    assert list(ChatHistory(path).load_history_strings()) == ["read the title", "open the shop"]
    for number in range(1005):
        history.store_string(f"line {number}")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 1000


def test_a_history_that_can_not_be_kept_ends_no_chat(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    history = ChatHistory(tmp_path / "file" / "chat_history")
    history.store_string("open the shop")
    assert list(history.load_history_strings()) == []
