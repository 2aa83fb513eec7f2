"""That the bound of tokens is never too low, and seldom much too high."""

from hypothesis import example, given
from hypothesis import strategies as st

from core.outlines.tokens import bound_tokens, cut_to_tokens
from tests.cases import each_case

# Texts and their tokens, as npm's gpt-tokenizer 3 counts them by o200k_base.
_COUNTED = [
    ("", 0),
    ("a", 1),
    (" ", 1),
    ("\n", 1),
    ('button "Delete" in "Ada"', 8),
    ('checkbox "Tea" # ticked, disabled', 9),
    ('# Sign in\nfield "Email"\nfield "Password" # secret\nbutton "Sign in"\n', 20),
    ('\u2026 180 more rows like this (scope: table "Users")', 14),
    ('navigation "Site" # 48 links folded', 9),
    ('frame "Pay" >> field "Card number"', 10),
    ("Ada's aren't WE'LL I'Ve", 8),
    ("1234567890", 4),
    ("3.14 1,000,000.00 \u20ac", 12),
    ("\n\n\n   \n  x", 4),
    ("   leading", 2),
    ("trailing   ", 3),
    ("\t\t\tdef f(x):\n\t\treturn x\n", 9),
    ("qzxjvkwqzxjvkw", 10),
    ("XQZJKVWYXQ", 7),
    ("kj", 1),
    ("aGVsbG8gd29ybGQhIQ==", 13),
    ("https://example.com/a/b?c=d&e=f#g", 12),
    ("getElementById camelCaseHTMLParser snake_case_name", 11),
    ("Donaudampfschifffahrtsgesellschaft", 10),
    ("Gr\xf6\xdfe \xfcberm\xe4\xdfig fa\xe7ade na\xefve", 7),
    ("\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440", 4),
    ("\u4f60\u597d\uff0c\u4e16\u754c\u3002\u8bbe\u7f6e", 5),
    ("\u8a2d\u5b9a\u3092\u5909\u66f4\u3059\u308b", 4),
    ("\uc548\ub155\ud558\uc138\uc694 \uc124\uc815", 3),
    ("\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645", 4),
    ("\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd", 2),
    ("\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e", 5),
    ("\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u0e0a\u0e32\u0e27\u0e42\u0e25\u0e01", 7),
    ("\U0001f469\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f \U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd", 16),
    ("\U0001fae8\U0001fabf", 6),
    ("\u200b\u200d\ufeff\u202e\u2066", 7),
    ("\U0001d518\U0001d52b\U0001d526\U0001d520\U0001d52c\U0001d521\U0001d522", 21),
    ("a\u0301e\u0301", 4),
    ("\u017fs'\u017f K", 5),
    ("'\n/'\n//", 3),
    ("================", 1),
    ("!!!???...", 3),
    ("\u3000\xa0 x", 3),
    ("\u01c5 \u02b0 \u0345", 8),
    ("\x00\x01\x1c\x85", 5),
    (
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        38,
    ),
    (
        "                                                                                                                                                                                                                                                                                                            ",
        3,
    ),
    (
        "\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9",
        100,
    ),
    ("<script>alert('x')</script>", 7),
    ('{"a": [1, 2, {"b": null}]}', 15),
]


@each_case("text, tokens", _COUNTED)
def test_the_bound_is_never_below_the_true_count(text: str, tokens: int) -> None:
    assert bound_tokens(text) >= tokens


def test_the_bound_is_near_the_true_count_of_outlines() -> None:
    counted = [(text, tokens) for text, tokens in _COUNTED if '"' in text and text.isascii()]
    assert sum(bound_tokens(text) for text, _ in counted) <= 1.8 * sum(tokens for _, tokens in counted)


@given(st.text())
def test_no_text_has_more_tokens_than_bytes(text: str) -> None:
    assert (not text) <= (bound_tokens(text) == 0)
    assert bound_tokens(text) <= len(text.encode("utf-8", "surrogatepass"))


@given(st.text(), st.integers(2, 60))
@example("\U0002ebe1\r0000000000000", 6)
def test_a_text_is_cut_to_its_tokens_and_whole_where_it_fits(text: str, most: int) -> None:
    cut = cut_to_tokens(text, most)
    assert bound_tokens(cut) <= most or len(cut) <= 1
    if cut != text:
        assert cut.endswith("…")
        assert text.startswith(cut[:-1])


def test_a_text_of_megabytes_is_counted_and_cut_at_once() -> None:
    assert bound_tokens(cut_to_tokens("word " * 1_000_000, 50)) <= 50
    assert bound_tokens("x" * 5_000_000) >= 5_000_000 // 128
