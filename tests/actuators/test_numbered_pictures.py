"""Numbers on a picture: seen, told apart, covering as little as can be, and nothing else of the picture changed."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from actuators.numbered_pictures import COLORS, LIGHT, NumberedBox, choose_color, draw_numbers, place_labels

SIZE = (320, 200)
BOXES = st.builds(
    NumberedBox,
    number=st.integers(1, 9999),
    x=st.floats(-500, 800),
    y=st.floats(-500, 800),
    width=st.floats(0, 900),
    height=st.floats(0, 900),
)


def make_png(color: str, size: tuple[int, int] = SIZE) -> bytes:
    target = BytesIO()
    Image.new("RGB", size, color).save(target, "PNG")
    return target.getvalue()


def read_png(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content)).convert("RGB")


def find_changed(before: bytes, after: bytes) -> set[tuple[int, int]]:
    one, other = read_png(before), read_png(after)
    width, height = one.size
    return {(x, y) for x in range(width) for y in range(height) if one.getpixel((x, y)) != other.getpixel((x, y))}


def measure_light(color: str) -> float:
    """Return the relative luminance of a colour, as WCAG 2 defines it."""
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("color", COLORS)
def test_digits_can_be_read_on_every_color(color: str) -> None:
    assert (measure_light(LIGHT) + 0.05) / (measure_light(color) + 0.05) >= 4.5


@pytest.mark.parametrize("background", ["#ffffff", "#000000", *COLORS])
def test_a_frame_and_a_number_show_on_any_background(background: str) -> None:
    before = make_png(background)
    assert len(find_changed(before, draw_numbers(before, [NumberedBox(1, 60, 60, 80, 30)]))) > 200


def test_what_a_thing_shows_stays_as_it_is() -> None:
    before = make_png("#ffffff")
    changed = find_changed(before, draw_numbers(before, [NumberedBox(7, 60, 60, 80, 30)]))
    assert changed
    assert {(x, y) for x, y in changed if 60 <= x < 140 and 60 <= y < 90} == set()


def test_neighbours_have_different_colors() -> None:
    assert all(choose_color(number) != choose_color(number + 1) for number in range(100))


def test_a_picture_without_boxes_shows_what_it_showed() -> None:
    before = make_png("#123456")
    assert find_changed(before, draw_numbers(before, [])) == set()


@pytest.mark.parametrize(
    "box",
    [
        NumberedBox(1, -200, 10, 50, 20),
        NumberedBox(1, 10, -200, 50, 20),
        NumberedBox(1, 320, 10, 50, 20),
        NumberedBox(1, 10, 200, 50, 20),
        NumberedBox(1, -50, 10, 50, 20),
    ],
)
def test_what_lies_outside_of_the_picture_has_no_number_on_it(box: NumberedBox) -> None:
    before = make_png("#ffffff")
    assert find_changed(before, draw_numbers(before, [box])) == set()


def test_a_point_has_a_number_too() -> None:
    before = make_png("#ffffff")
    assert find_changed(before, draw_numbers(before, [NumberedBox(1, 100, 100, 0, 0)]))


def test_a_number_covers_no_text_beside_its_thing() -> None:
    picture = Image.new("RGB", SIZE, "#ffffff")
    for x in range(60, 140, 3):
        picture.paste("#000000", (x, 40, x + 1, 60))  # what stands above it
    assert place_labels([(60, 60, 140, 90)], [(20, 18)], picture) == [(60, 90, 80, 108)]


@given(st.lists(BOXES, max_size=12))
def test_any_boxes_can_be_drawn_and_the_size_stays(boxes: list[NumberedBox]) -> None:
    assert read_png(draw_numbers(make_png("#ffffff"), boxes)).size == SIZE


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 9)), max_size=30, unique=True))
def test_numbers_of_things_in_a_grid_cover_no_other_number(cells: list[tuple[int, int]]) -> None:
    rects = [(x * 60 + 20, y * 50 + 20, x * 60 + 50, y * 50 + 45) for x, y in cells]
    places = place_labels(rects, [(24, 18)] * len(rects), Image.new("RGB", (960, 560)))
    for index, (left, top, right, bottom) in enumerate(places):
        for other in places[:index]:
            assert left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]
        for rect in rects:
            assert left >= rect[2] or right <= rect[0] or top >= rect[3] or bottom <= rect[1]


def test_thousands_of_numbers_are_drawn_in_a_moment() -> None:
    boxes = [NumberedBox(number, number * 37 % 1200, number * 91 % 700, 30, 12) for number in range(5000)]
    assert read_png(draw_numbers(make_png("#ffffff", (1280, 720)), boxes)).size == (1280, 720)
