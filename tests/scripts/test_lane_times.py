"""A run of the tests says where its time went."""

import pytest

from scripts.lanes.times import name_folder, write_lines


@pytest.mark.parametrize(
    ("nodeid", "folder"),
    [
        ("tests/core/language/test_rules.py::test_one[a/b::c]", "core/language"),
        ("tests/actuators/desktop/perception/test_x.py::TestX::test_one", "actuators/desktop"),
        ("tests/actuators/browser/session/test_tabs.py::test_one", "actuators/browser"),
        ("tests/test_one.py::test_one", "."),
        ("test_one.py::test_one", "."),
    ],
)
def test_a_test_counts_for_its_second_level_folder(nodeid: str, folder: str) -> None:
    assert name_folder(nodeid) == folder


def test_folders_and_tests_are_told_the_slowest_first() -> None:
    seconds = {f"tests/core/base/test_x.py::test_{number}": number / 10 for number in range(20)}
    lines = write_lines({**seconds, "tests/e2e/test_y.py::test_slow": 30.0})
    assert [line.split() for line in lines[1:4]] == [
        ["e2e", "1", "30.0"],
        ["core/base", "20", "19.0"],
        ["all", "21", "49.0"],
    ]
    slowest = [line.split() for line in lines[lines.index("slowest 15") + 1 :]]
    assert slowest[:2] == [["30.0", "tests/e2e/test_y.py::test_slow"], ["1.9", "tests/core/base/test_x.py::test_19"]]
    assert len(slowest) == 15
