"""Which label of a page means which property: by its words, however they are written; none where two fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.planners.extract.shapes import SURE, FieldShape, ValueShape, assign_labels, score_label, split_words

SAME = {
    "letters": ("price", "Price"),
    "colon": ("price", "Price:"),
    "camel": ("orderTotal", "Order total"),
    "snake": ("order_total", "Order Total *"),
    "kebab": ("order-total", "ORDER TOTAL"),
    "acronym": ("userID", "User ID"),
    "joined": ("username", "User name"),
    "order of words": ("total_order", "Order total"),
    "several": ("tags", "Tag"),
    "accents": ("cafe", "Café"),
    "digits": ("line1", "Line 1"),
}


OTHERS = [("price", "Colour"), ("name", "Notes"), ("total", "Taxes"), ("id", "Idea"), ("date", "Update")]


@pytest.mark.parametrize(("name", "label"), list(SAME.values()), ids=list(SAME))
def test_spelling_makes_no_difference(name: str, label: str) -> None:
    assert score_label((name,), label) >= SURE


@pytest.mark.parametrize(("name", "label"), OTHERS)
def test_a_label_of_other_words_means_nothing(name: str, label: str) -> None:
    assert score_label((name,), label) == 0


def test_the_title_of_a_property_counts_as_its_name() -> None:
    assert score_label(("qty", "Quantity"), "Quantity") >= SURE


def assign(wanted: list[str], labels: list[str]) -> dict[str, int]:
    fields = [FieldShape(name=name, names=(name,), shape=ValueShape()) for name in wanted]
    return {field.name: label for field, label in assign_labels(fields, labels)}


def test_the_better_label_is_taken_and_each_once() -> None:
    assert assign(["price", "unit_price"], ["Unit price", "Price"]) == {"price": 1, "unit_price": 0}


def test_none_is_taken_where_two_fit_as_well() -> None:
    assert assign(["customer_name"], ["Customer", "Name"]) == {}
    assert assign(["price"], ["Price", "Price"]) == {}


def test_a_slip_in_a_long_word_is_forgiven_and_in_a_short_one_is_not() -> None:
    assert assign(["description"], ["Descripton"])
    assert not assign(["name"], ["Nane"])


@given(st.text(max_size=30))
def test_a_name_is_its_own_label(name: str) -> None:
    assert score_label((name,), name) == (100 if split_words(name) else 0)
