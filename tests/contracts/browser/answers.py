"""What every back end does for reading words."""

from typing import Any

import pytest

from core.base.errors import InputError, SurehandError, TargetError
from tests.contracts.browser.bench import Bench


class AnswerConformance:
    """Finding one thing in a text."""

    @pytest.mark.parametrize(("index", "word"), [(1, "Every"), (3, "end"), (-1, "here")])
    async def test_a_word_is_read_by_its_number_without_its_punctuation(self, bench: Bench, index: int, word: str):
        await bench.open()
        outcome = await bench.call("read", target="word", selector="testid=prose", index=index)
        assert (outcome.output["text"], outcome.output["value"]) == (word, word)

    @pytest.mark.parametrize(
        ("args", "error", "code"),
        [
            ({"target": "word", "selector": "h1", "index": 9}, TargetError, "word_missing"),
            ({"target": "word", "selector": "h1"}, InputError, "bad_input"),
            ({"target": "text", "selector": "h1", "index": 1}, InputError, "bad_input"),
        ],
    )
    async def test_what_is_not_in_the_text_is_not_made_up(
        self, bench: Bench, args: dict[str, Any], error: type[SurehandError], code: str
    ):
        await bench.open()
        with pytest.raises(error) as caught:
            await bench.call("read", **args)
        assert caught.value.code == code
