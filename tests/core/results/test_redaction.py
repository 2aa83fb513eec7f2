"""What was revealed is found in every encoding, and nothing else is touched."""

import base64
import html
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.results.redaction import MASK, SHORT_CHARS, Redactor
from tests.spies import find_leaks

SECRETS = st.text(min_size=SHORT_CHARS, max_size=40).filter(
    lambda text: len(text.strip()) >= SHORT_CHARS and "•" not in text
)
AROUND = st.text(alphabet="abc .,:=&?/\"'<>{}[]%+\\\n", max_size=12)

ENCODERS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON without escapes": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "JSON in JSON": lambda text: json.dumps(json.dumps(text))[1:-1],
    "repr": lambda text: repr(text)[1:-1],
    "HTML": html.escape,
    "HTML text": lambda text: html.escape(text, quote=False),
    "HTML numbers": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "percent": lambda text: quote(text, safe=""),
    "percent but slashes": quote,
    "percent, small letters": lambda text: (
        quote(text, safe="").lower() if text.isascii() and text.islower() else quote(text)
    ),
    "percent twice": lambda text: quote(quote(text, safe=""), safe=""),
    "encodeURI": lambda text: quote(text, safe=";,/?:@&=+$-_.!~*'()#"),
    "form": quote_plus,
    "form in JSON": lambda text: json.dumps(quote_plus(text))[1:-1],
    "hexadecimal": lambda text: text.encode().hex(),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 behind one byte": lambda text: base64.b64encode(b"u" + text.encode()).decode(),
    "base64 behind two bytes": lambda text: base64.b64encode(b"u:" + text.encode() + b"!").decode(),
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(b"user:" + text.encode()).decode(),
    "upper case": str.upper,
    "lower case": str.lower,
}


def redactor_of(*values: str) -> Redactor:
    redactor = Redactor()
    for value in values:
        redactor.add(value)
    return redactor


@pytest.mark.parametrize("encoding", ENCODERS)
@given(secret=SECRETS, before=AROUND, after=AROUND)
@example(secret='pä ss"w\\o/r&d😀', before="", after="")
@example(secret="%41%42", before="", after="")
@example(secret="\\n\\u0041&amp;", before="", after="")
def test_a_secret_in_any_encoding_is_replaced(encoding: str, secret: str, before: str, after: str) -> None:
    encoded = ENCODERS[encoding](secret)
    # What stands in front may change the meaning of what follows: a backslash, or half of an escape.
    before = before.rstrip("\\%&")
    told = redactor_of(secret).redact_text(f"{before} {encoded} {after}")
    assert MASK in told
    assert encoded not in told
    assert secret not in told


@given(SECRETS, st.lists(st.sampled_from(sorted(ENCODERS)), min_size=1, max_size=5))
def test_no_encoding_is_left_of_many_in_one_text(secret: str, encodings: list[str]) -> None:
    text = " | ".join(ENCODERS[each](secret) for each in encodings)
    assert find_leaks(secret, redactor_of(secret).redact_text(text).encode()) == []


@given(st.lists(SECRETS, min_size=1, max_size=4), st.text(max_size=200))
def test_whatever_the_text_no_secret_is_left_in_it(secrets: list[str], text: str) -> None:
    told = redactor_of(*secrets).redact_text(text + "".join(secrets) + text)
    assert all(secret not in told for secret in secrets)


@given(SECRETS, st.text(alphabet="0123456789", max_size=100))
def test_a_text_without_the_secret_stays_the_same_object(secret: str, text: str) -> None:
    assume(not any(char.isdecimal() for char in secret))
    assert redactor_of(secret).redact(text) is text


def test_white_space_that_a_page_folded_does_not_hide_a_secret() -> None:
    redactor = redactor_of("correct  horse\tbattery")
    assert redactor.redact_text("It is correct horse\n   battery.") == f"It is {MASK}."


def test_a_secret_that_was_cut_is_replaced_before_the_ellipsis() -> None:
    assert redactor_of("correct horse battery").redact_text('not "correct hor…"') == f'not "{MASK}…"'


def test_a_secret_that_the_end_of_a_long_text_cut_is_replaced() -> None:
    text = "x" * 5000 + "correct hor"
    assert redactor_of("correct horse battery").redact_text(text) == "x" * 5000 + MASK
    assert redactor_of("password1").redact_text("Enter your password") == "Enter your password"


def test_a_short_secret_is_replaced_where_it_stands_alone_and_ruins_nothing() -> None:
    redactor = redactor_of("123")
    assert redactor.redact_text("123") == MASK
    assert redactor.redact_text("code 123, or cvv=123&x") == f"code {MASK}, or cvv={MASK}&x"
    assert redactor.redact_text("41239 x123") == "41239 x123"


def test_a_secret_of_one_character_is_replaced_only_as_a_whole_text() -> None:
    redactor = redactor_of("a")
    assert redactor.redact_text(" a\n") == MASK
    assert redactor.redact_text("a cat") == "a cat"


@dataclass(frozen=True)
class Part:
    text: str
    parts: tuple[object, ...] = ()
    number: int = 0


def test_values_of_every_shape_are_looked_through() -> None:
    redactor = redactor_of("s3cret", "12345678")
    value = {
        "s3cret key": ["a s3cret", ("s3cret",), {"s3cret"}],
        "n": 12345678,
        "f": 123456789,
        "none": None,
        "yes": True,
    }
    assert redactor.redact(value) == {
        f"{MASK} key": [f"a {MASK}", (MASK,), {MASK}],
        "n": MASK,
        "f": f"{MASK}9",
        "none": None,
        "yes": True,
    }
    assert redactor.redact(Part("s3cret", (Part("x"), b"a s3cret"), 1)) == Part(
        MASK, (Part("x"), f"a {MASK}".encode()), 1
    )
    assert redactor.redact(PurePosixPath("/tmp/s3cret.txt")) == PurePosixPath(f"/tmp/{MASK}.txt")
    assert redactor.redact(MappingProxyType({"a": "s3cret"})) == {"a": MASK}


def test_a_value_without_secrets_is_the_same_object() -> None:
    value = {"a": [1, 2.5, "x", None, {"b": ("c",)}]}
    assert redactor_of("s3cret").redact(value) is value
    assert Redactor().redact(value) is value


def test_a_value_that_is_too_deep_is_replaced_and_not_an_error() -> None:
    deep: list[object] = ["s3cret"]
    for _ in range(400):
        deep = [deep]
    assert "s3cret" not in repr(redactor_of("s3cret").redact(deep))


def test_white_space_alone_is_nothing_to_hide() -> None:
    redactor = redactor_of("", "   \n ")
    assert len(redactor) == 0
    assert redactor.redact_text("a    b") == "a    b"


@pytest.mark.parametrize("unit", ["a", "\\", "%41", "&amp;", "aaab", "+ ", "…abc", "\\u0061"])
def test_the_time_grows_with_the_length_and_not_with_its_square(unit: str) -> None:
    redactor = redactor_of("a" * 30 + "b", "\\" * 40 + "x", "abcd" * 10)

    def measure(count: int) -> float:
        text = unit * count
        began = time.process_time()
        redactor.redact_text(text)
        return time.process_time() - began

    measure(1_000)
    small = min(measure(20_000) for _ in range(3))
    large = min(measure(200_000) for _ in range(2))
    assert large < 50 * max(small, 0.004)  # ten times the text; a square would be a hundred times the time


def test_a_text_that_was_without_secrets_is_looked_through_again_once_there_are_more() -> None:
    redactor = redactor_of("s3cret")
    text = "of a page " * 100 + "hunter2"
    assert redactor.redact_text(text) is text
    redactor.add("hunter2")
    assert redactor.redact_text(text).endswith("of a page •••")


def test_many_long_texts_are_each_looked_through() -> None:
    redactor = redactor_of("s3cret")
    texts = [f"{number}{'x' * 600}s3cret" for number in range(200)]
    assert all("s3cret" not in redactor.redact_text(redactor.redact_text(text)) for text in texts)
