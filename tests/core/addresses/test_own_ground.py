"""What Surehand keeps for itself is on nobody's ground, however it is spelt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.addresses.own_ground import OwnGround
from core.base.errors import PolicyError

HOME = OwnGround(("/home/ada/.config/surehand", "/run/user/1000/surehand-1000"))


@pytest.mark.parametrize("name", [".surehand", ".Surehand", ".SUREHAND", ".sureHAND", ".ｓurehand"])
@pytest.mark.parametrize("path", ["/w/{}/settings.toml", "/w/{}", "C:\\w\\{}\\journal.sqlite", "/{}/a/b"])
def test_the_folder_with_the_settings_is_on_no_ground_however_it_is_spelt(path: str, name: str) -> None:
    with pytest.raises(PolicyError, match="settings and records"):
        OwnGround().check(path.format(name))


@pytest.mark.parametrize("path", ["/w/.surehandy/a", "/w/surehand/a", "/w/a.surehand", "/home/ada/.config/surehands/a"])
def test_what_only_resembles_it_is_on_the_ground(path: str) -> None:
    HOME.check(path)


@given(st.lists(st.sampled_from(["tokens", "seal.key", "a", "..", "."]), max_size=4))
def test_whatever_lies_in_a_folder_of_the_person_is_on_no_ground(parts: list[str]) -> None:
    path = "/".join([HOME.folders[0], *(each for each in parts if each != "..")])
    assert HOME.holds(path)


def test_only_the_entry_of_the_folder_itself_is_named_where_it_lies() -> None:
    assert HOME.list_names("/home/ada/.config") == {"surehand"}
    assert HOME.list_names("/home/ada") == set()
    assert OwnGround(("C:\\Users\\Ada\\Surehand",), "win32").list_names("c:\\users\\ada") == {"surehand"}
