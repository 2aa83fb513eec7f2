"""Which flows are meant by files, folders and globs, and in which part of a suite each is."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.suites.flow_files import choose_flows, gather_flows, read_shard
from core.base.errors import InputError

COUNTS = st.integers(1, 40)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with flows, and with files that are none."""
    for name in (
        "flows/order.flow.yaml",
        "flows/deep/er/pay.flow.yml",
        "flows/deep/refund.FLOW.JSON",
        "flows/notes.yaml",
        "flows/.hidden/old.flow.yaml",
        "flows/node_modules/kit/kit.flow.yaml",
        "other.yaml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("goals: []", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def list_names(*places: str, only: tuple[str, ...] = ()) -> list[str]:
    return [each.name for each in choose_flows(gather_flows(places), only)]


@pytest.mark.usefixtures("here")
def test_a_folder_means_its_flows_however_deep_and_nothing_hidden() -> None:
    assert list_names("flows") == ["flows/deep/er/pay.flow.yml", "flows/deep/refund.FLOW.JSON", "flows/order.flow.yaml"]


@pytest.mark.usefixtures("here")
def test_a_file_that_is_named_need_not_be_called_a_flow() -> None:
    assert list_names("other.yaml", "flows/notes.yaml") == ["flows/notes.yaml", "other.yaml"]


@pytest.mark.usefixtures("here")
def test_a_glob_finds_files_by_their_names() -> None:
    assert list_names("flows/**/*.y*ml", only=("deep", "ORDER")) == [
        "flows/deep/er/pay.flow.yml",
        "flows/order.flow.yaml",
    ]


def test_a_glob_may_begin_at_the_root(here: Path) -> None:
    assert list_names(f"{here}/flows/*.flow.yaml") == [f"{here.as_posix()}/flows/order.flow.yaml"]


def test_a_flow_that_is_named_twice_is_there_once(here: Path) -> None:
    (here / "flows" / "same.flow.yaml").symlink_to(here / "flows" / "order.flow.yaml")
    assert list_names("flows/order.flow.yaml", "flows/order*", str(here / "flows" / "same.flow.yaml")) == [
        "flows/order.flow.yaml"
    ]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("flwos", "There is no file or folder"),
        ("flows/.hidden/../nothing*.yaml", "No flow matches"),
        ("flows/node_modules", None),
        ("README.md", "There is no file"),
    ],
)
def test_a_place_without_flows_is_told(here: Path, place: str, told: str | None) -> None:
    (here / "empty").mkdir()
    if told is None:
        assert list_names(place) == ["flows/node_modules/kit/kit.flow.yaml"]  # a folder that is named is meant itself
        return
    with pytest.raises(InputError, match=told) as caught:
        gather_flows([place])
    assert caught.value.code == "no_flows"


def test_a_name_that_no_flow_has_says_which_there_are(here: Path) -> None:
    with pytest.raises(InputError, match='No flow has "checkout" in its name') as caught:
        choose_flows(gather_flows([str(here / "flows")]), ("checkout",))
    assert "pay.flow.yml" in caught.value.info().hint


@given(st.lists(st.text(max_size=5), unique=True, max_size=120), COUNTS)
def test_every_flow_is_in_exactly_one_part(names: list[str], count: int) -> None:
    ordered = sorted(names)
    parts = [ordered[read_shard(f"{number}/{count}")] for number in range(1, count + 1)]
    assert sorted(each for part in parts for each in part) == ordered
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1


@given(COUNTS, COUNTS)
def test_a_part_is_read_as_it_is_written(number: int, more: int) -> None:
    count = number + more - 1
    assert read_shard(f"{number}/{count}") == slice(number - 1, None, count)


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "a/b", "-1/3", "1/3/5", "1/100000", "١/٣"])
def test_what_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a part of a suite"):
        read_shard(text)
