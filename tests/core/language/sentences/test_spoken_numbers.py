"""Numbers and lengths of time in words: every number that can be said is read back, and what is no number is none."""

from hypothesis import given
from hypothesis import strategies as st

from core.language.sentences.spoken_numbers import NumberParser
from core.language.talk.languages import load_language
from core.language.values.amounts import DurationParser
from tests.cases import each_case

WORDS = load_language("en").vocabulary
NUMBERS = NumberParser(WORDS.numbers)
DURATIONS = DurationParser(WORDS.durations, NUMBERS)
SMALL = {value: word for word, value in WORDS.numbers.small.items() if word not in {"fourty", "ninty"}}
SCALES = ((1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))


def spell(number: int, joint: str = " ", last: str = " ") -> str:
    """Return a whole number in words."""
    if number in SMALL:
        return SMALL[number]
    if number < 100:
        return f"{SMALL[number - number % 10]}{joint}{SMALL[number % 10]}"
    size, name = next(scale for scale in SCALES if number >= scale[0])
    front, rest = divmod(number, size)
    words = f"{spell(front, joint, last)} {name}"
    if not rest:
        return words
    return f"{words}{last if rest < 100 else ' '}{spell(rest, joint, last)}"


@given(st.integers(0, 999_999_999), st.sampled_from([" ", "-"]), st.sampled_from([" ", " and "]))
def test_every_whole_number_is_read_back_from_its_words(number: int, joint: str, last: str) -> None:
    assert NUMBERS.parse(spell(number, joint, last)) == number


@given(st.integers(0, 999), st.lists(st.integers(0, 9), min_size=1, max_size=6))
def test_digits_behind_the_point_are_read_one_by_one(whole: int, digits: list[int]) -> None:
    said = f"{spell(whole)} point {' '.join(spell(digit) for digit in digits)}"
    assert NUMBERS.parse(said) == float(f"{whole}.{''.join(str(digit) for digit in digits)}")


@given(st.integers(0, 999_999_999))
def test_digits_stay_what_they_are_with_and_without_thousands_set_off(number: int) -> None:
    assert NUMBERS.parse(str(number)) == number
    assert NUMBERS.parse(f"{number:,}") == number


@given(st.integers(1, 99), st.integers(1, 99))
def test_two_numbers_beside_each_other_are_one_only_where_they_make_one(first: int, second: int) -> None:
    makes_one = first >= 20 and first % 10 == 0 and second < 10
    assert NUMBERS.parse(f"{spell(first)} {spell(second)}") == (first + second if makes_one else None)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz -", max_size=40))
def test_words_that_are_no_numbers_are_none(text: str) -> None:
    known = {*WORDS.numbers.small, *WORDS.numbers.scales, *WORDS.numbers.parts, *WORDS.numbers.counts}
    if not known.intersection(text.replace("-", " ").split()):
        assert NUMBERS.parse(text) is None


@each_case(
    ("said", "number"),
    [
        ("half", 0.5),
        ("a quarter", 0.25),
        ("three quarters", 0.75),
        ("two and a half", 2.5),
        ("2 and a half", 2.5),
        ("one and three quarters", 1.75),
        ("a hundred", 100),
        ("nineteen hundred", 1900),
        ("3.5 million", 3_500_000),
        ("5 thousand", 5000),
        ("point five", 0.5),
        ("a", 1),
    ],
)
def test_numbers_are_said_in_other_ways_too(said: str, number: float) -> None:
    assert NUMBERS.parse(said) == number


@each_case(
    "said",
    [
        *("", "-", "-5", "and", "two and", "and two", "two point", "point", "two and three", "half two", "five half"),
        *("twenty eleven", "hundred hundred", "thousand million", "two thousand thousand", "two hundred hundred"),
        *("ten point twelve", "two and a half and a half", "to", "for", "twenty-", "1,00", "1.2.3", "four quarters"),
    ],
)
def test_what_is_no_whole_number_is_none(said: str) -> None:
    assert NUMBERS.parse(said) is None


@given(st.integers(0, 50), st.integers(0, 59), st.integers(0, 59), st.booleans())
def test_hours_minutes_and_seconds_add_up_however_they_are_said(h: int, m: int, s: int, is_spelt: bool) -> None:
    write = spell if is_spelt else str
    seconds = h * 3600 + m * 60 + s
    assert DURATIONS.parse(f"{write(h)} hours {write(m)} minutes and {write(s)} seconds") == seconds
    assert DURATIONS.parse(f"{write(h)} hours and {write(m)} minutes") == h * 3600 + m * 60
    assert DURATIONS.parse(f"{h}h{m}m{s}s") == seconds


@each_case(
    ("said", "seconds"),
    [
        ("ten minutes", 600),
        ("a minute", 60),
        ("half an hour", 1800),
        ("half a minute", 30),
        ("a quarter of an hour", 900),
        ("three quarters of an hour", 2700),
        ("an hour and a half", 5400),
        ("one and a half hours", 5400),
        ("two and a half minutes", 150),
        ("a couple of minutes", 120),
        ("one minute thirty", 90),
        ("1h30", 5400),
        ("90s", 90),
        ("5min", 300),
        ("500 ms", 0.5),
        ("1.5 hours", 5400),
        ("for minutes", 240),
        ("too hours", 7200),
    ],
)
def test_lengths_of_time_are_said_in_many_ways(said: str, seconds: float) -> None:
    assert DURATIONS.parse(said) == seconds


@each_case(
    "said",
    [
        *("", "minutes", "ten", "a while", "a few minutes", "ten minutes and", "ten minutes ten hours", "ten bananas"),
        *("five minutes five minutes", "an hour and", "two of an hour", "ten seconds thirty", "an hour and ninety"),
        *("and ten minutes", "ten minutes and and five seconds", "half", "some minutes"),
    ],
)
def test_what_is_no_certain_length_of_time_is_none(said: str) -> None:
    assert DURATIONS.parse(said) is None
