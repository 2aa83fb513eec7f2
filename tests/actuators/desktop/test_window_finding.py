import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.desktop.finding.window_finding import describe_window, filter_windows, find_window
from actuators.desktop.ports.desktop import Display, Rect, Window
from core.base.errors import DeviceError

PLACE = Rect(10, 20, 300, 200)
titles = st.text(min_size=1, max_size=12)
lists = st.lists(st.builds(lambda n, t, a: Window(f"w{n}", t, a, n, PLACE), st.integers(1, 99), titles, titles))


def make(*titles: str, active: int = 0) -> list[Window]:
    return [Window(f"w{n}", title, "Editor", n, PLACE, active=n == active) for n, title in enumerate(titles)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("active", "w0"),
        ("id=w1", "w1"),
        ("Letter", "w0"),
        ("letter", "w0"),
        ("to anna", "w1"),
        ("LETTER TO  ANNA", "w1"),
    ],
)
def test_a_window_is_found_by(text: str, found: str):
    assert find_window(text, make("Letter", "Letter to Anna")).id == found


def test_the_application_is_asked_when_no_title_fits():
    windows = [Window("a", "notes", "Mousepad", 1, PLACE), Window("b", "shell", "XTerm", 2, PLACE)]
    assert find_window("mousepad", windows).id == "a"
    assert find_window("term", windows).id == "b"


def test_without_focus_active_is_missing():
    with pytest.raises(DeviceError, match="No window has the focus") as caught:
        find_window("active", make("one", active=-1))
    assert caught.value.code == "window_missing"


def test_without_windows_that_is_said():
    with pytest.raises(DeviceError, match="No window is open"):
        find_window("one", [])


def test_the_exact_title_wins_over_a_part():
    assert find_window("note", make("notes", "note")).id == "w1"


def test_an_exact_case_wins_over_another():
    assert find_window("Note", make("note", "Note")).id == "w1"


def attempt(text: str, windows: list[Window]) -> tuple[Window | None, DeviceError | None]:
    try:
        return find_window(text, windows), None
    except DeviceError as error:
        return None, error


@given(text=titles, windows=lists)
def test_what_is_found_bears_the_text_and_nothing_else_is_raised(text: str, windows: list[Window]):
    found, error = attempt(text, windows)
    assert found in windows or (error is not None and error.code in {"window_missing", "window_ambiguous"})
    assert error is None or len(error.evidence["windows"]) <= 20


@given(text=titles, windows=lists)
def test_a_filter_keeps_the_order_and_invents_nothing(text: str, windows: list[Window]):
    assert [each for each in windows if each in filter_windows(text, windows)] == filter_windows(text, windows)
    assert filter_windows(None, windows) == windows


def test_a_window_is_on_the_display_that_its_middle_is_on():
    displays = [Display(0, "a", Rect(0, 0, 100, 100)), Display(1, "b", Rect(100, 0, 1000, 1000))]
    assert describe_window(make("one")[0], displays)["display"] == 1
    assert describe_window(make("one")[0], displays[:1])["display"] is None
