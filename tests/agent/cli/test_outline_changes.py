"""What has become of an outline that was kept, told from its lines."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cli.kept_outlines import tell_changes
from core.outlines.tokens import bound_tokens

SAME = "… nothing has changed since the last look"
BEFORE = [
    "# Basket",
    'checkbox "Milk" # not ticked',
    'checkbox "Tea" # ticked',
    'field "Name" # = "Ada, \\"the first\\"", required',
    'frame "Pay" >> field "Card number"',
    'table "Users"',
    '  row "Ada"',
    "    - 36 years",
    '    button "Delete" in "Ada"',
    '  row "Bob"',
    '    button "Delete" in "Bob"',
    'button "Buy"',
    "… 180 more rows like this",
]
LINE = st.builds(
    lambda spaces, line: f"{'  ' * spaces}{line}",
    st.integers(0, 3),
    st.one_of(
        st.from_regex(
            r'(button|field|row) "[a-z ]{0,3}"( # (= "[a-z,]{0,3}"|ticked|disabled, focused))?', fullmatch=True
        ),
        st.text(alphabet='ab #=,"…\\\\', min_size=1, max_size=8).map(lambda text: f"- {text}"),
        st.from_regex(r"#{1,6} [a-z]{1,4}", fullmatch=True),
        st.just("… 3 more"),
    ),
)


def read(lines: list[str]) -> list[dict[str, str]]:
    """Return lines as data, as an outline has them."""
    return [
        {"text": each, "selector": "" if each.lstrip()[0] in "-#…" else each.strip().split(" # ")[0]} for each in lines
    ]


def tell(before: list[str], after: list[str], max_tokens: int = 2000) -> str:
    return asyncio.run(tell_changes(read(before), read(after), max_tokens)).text


def change(line: str, *others: str) -> list[str]:
    """Return the outline with other lines in the place of one."""
    return [new for each in BEFORE for new in (others if each == line else (each,))]


@pytest.mark.parametrize(
    ("line", "others", "told"),
    [
        (BEFORE[1], ['checkbox "Milk" # ticked'], 'checkbox "Milk" # ticked, was: not ticked'),
        (BEFORE[2], ['checkbox "Tea"'], 'checkbox "Tea" # not ticked, was: ticked'),
        (BEFORE[3], ['field "Name" # = "Bob", required'], '# = "Bob", required, was: "Ada, \\"the first\\""'),
        (
            BEFORE[4],
            ['frame "Pay" >> field "Card number" # = "4"'],
            'frame "Pay" >> field "Card number" # = "4", was: empty',
        ),
        (BEFORE[-2], [BEFORE[-2], 'link "Undo"'], 'link "Undo" # new'),
        (BEFORE[-2], [], 'button "Buy" # gone'),
        (BEFORE[7], ["    - 37 years"], '- 37 years # was: "36 years"'),
    ],
)
def test_a_change_is_the_one_line_that_is_told(line: str, others: list[str], told: str) -> None:
    lines = [each for each in tell(BEFORE, change(line, *others)).splitlines() if " # " in each]
    assert len(lines) == 1
    assert told in lines[0]


def test_a_button_that_is_named_otherwise_since_its_neighbour_went_is_still_there() -> None:
    after = [each for each in change(BEFORE[10], '    button "Delete"') if each not in BEFORE[6:9]]
    assert [each.strip() for each in tell(BEFORE, after).splitlines() if each.endswith("# gone")] == [
        'row "Ada" # gone'
    ]


def test_folds_are_not_compared() -> None:
    assert tell(BEFORE, BEFORE[:-1]) == SAME


@given(st.lists(LINE, max_size=12))
def test_nothing_has_changed_between_an_outline_and_itself(lines: list[str]) -> None:
    assert tell(lines, lines) == SAME


@given(st.lists(LINE, max_size=12), st.lists(LINE, max_size=12), st.integers(20, 200))
def test_any_two_outlines_can_be_compared_within_a_budget(one: list[str], other: list[str], most: int) -> None:
    assert bound_tokens(tell(one, other, most)) <= most
