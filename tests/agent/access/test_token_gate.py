"""Who may come: tokens, doors and how much in a minute."""

import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.access.token_files import make_token, read_token
from agent.access.token_gate import Principal, TokenGate, choose_door, list_principals
from agent.service.callers import ALL_SCOPES, PERSONS_DOORS, AccessScope, Caller
from agent.settings.service_settings import PrincipalSetting, ServiceSettings
from core.base.errors import RefusedError, SurehandError

KITCHEN = Principal(
    name="kitchen", token="k" * 64, scopes=frozenset({"read", "run"}), requests_per_minute=3, runs_per_minute=2
)
OFFICE = Principal(name="office", token="o" * 64)
SCOPES: list[AccessScope] = ["read", "run", "approve"]


@pytest.fixture
def gate() -> TokenGate:
    return TokenGate([KITCHEN, OFFICE, Principal(name="nobody", token="")])


def test_a_token_tells_whose_it_is_and_what_it_carries(gate: TokenGate) -> None:
    assert gate.recognise("k" * 64, "") == Caller(principal="kitchen", scopes=KITCHEN.scopes, door="http")
    assert gate.recognise("o" * 64, "console") == Caller(principal="office", scopes=ALL_SCOPES, door="console")


@pytest.mark.parametrize("token", ["", "k", "k" * 63, "k" * 65, "K" * 64, "ö" * 64, "k" * 64 + "\n", "\udcff"])
def test_any_other_token_is_unknown(token: str, gate: TokenGate) -> None:
    with pytest.raises(RefusedError) as refused:
        gate.recognise(token, "")
    assert refused.value.code == "token_unknown"


@given(
    door=st.text(max_size=12) | st.sampled_from(sorted(PERSONS_DOORS)), scopes=st.frozensets(st.sampled_from(SCOPES))
)
def test_no_door_gives_more_than_the_token_carries(door: str, scopes: frozenset[AccessScope]) -> None:
    caller = Caller(scopes=scopes, door=choose_door(door, scopes))
    assert caller.may_approve == ("approve" in scopes and (not door or door in PERSONS_DOORS))


@pytest.mark.parametrize("door", ["mcp", "completions", "voice", "home-assistant"])
def test_a_door_that_only_loses_rights_may_be_named_by_anybody(door: str) -> None:
    assert choose_door(door, ALL_SCOPES) == choose_door(door, frozenset({"run"})) == door


def test_who_asks_too_much_is_told_when_to_ask_again(gate: TokenGate) -> None:
    caller = gate.recognise("k" * 64, "")
    for _ in range(3):
        gate.admit(caller, heavy=False)
    with pytest.raises(RefusedError) as refused:
        gate.admit(caller, heavy=False)
    assert refused.value.code == "over_quota"
    assert 1 <= refused.value.evidence["retry_after_s"] <= 60
    gate.admit(gate.recognise("o" * 64, ""), heavy=True)


def test_runs_are_counted_for_themselves(gate: TokenGate) -> None:
    caller = gate.recognise("k" * 64, "")
    gate.admit(caller, heavy=True)
    gate.admit(caller, heavy=True)
    with pytest.raises(RefusedError, match="2 runs in a minute"):
        gate.admit(caller, heavy=True)


def test_a_minute_moves_on_with_each_request_and_counting_starts_no_thread() -> None:
    now = [0.0]
    gate = TokenGate([KITCHEN], clock=lambda: now[0])
    caller, before = gate.recognise("k" * 64, ""), threading.enumerate()
    for now[0] in (0.0, 20.0, 40.0, 60.0, 80.0):
        gate.admit(caller, heavy=False)
    with pytest.raises(RefusedError) as refused:
        gate.admit(caller, heavy=False)
    assert refused.value.evidence["retry_after_s"] == 20
    assert threading.enumerate() == before


def test_a_token_is_made_for_its_owners_eyes_only_and_read_again(tmp_path: Path) -> None:
    token = make_token(tmp_path, "kitchen")
    assert read_token(tmp_path, "kitchen") == token
    assert len(token) == 64
    assert make_token(tmp_path, "kitchen") != token
    if sys.platform != "win32":
        assert (tmp_path / "tokens" / "kitchen").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "tokens").stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="the profile's access list keeps others out")
def test_a_token_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    make_token(tmp_path, "kitchen")
    (tmp_path / "tokens" / "kitchen").chmod(0o640)
    with pytest.raises(SurehandError) as refused:
        read_token(tmp_path, "kitchen")
    assert refused.value.code == "token_unsafe"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_token_behind_a_link_is_not_used(tmp_path: Path) -> None:
    make_token(tmp_path, "kitchen")
    (tmp_path / "tokens" / "office").symlink_to(tmp_path / "tokens" / "kitchen")
    with pytest.raises(SurehandError) as refused:
        read_token(tmp_path, "office")
    assert refused.value.code == "token_unsafe"


@pytest.mark.parametrize("content", [b"", b"short", b"\xff" * 64, b"a" * 40 + b"\x00" + b"b" * 40])
def test_a_token_that_could_be_guessed_or_not_be_sent_is_not_used(content: bytes, tmp_path: Path) -> None:
    make_token(tmp_path, "kitchen")
    (tmp_path / "tokens" / "kitchen").write_bytes(content)
    with pytest.raises(SurehandError) as refused:
        read_token(tmp_path, "kitchen")
    assert refused.value.code == "token_unsafe"


def test_who_may_approve_for_all_may_approve_their_own_and_only_at_a_persons_door(tmp_path: Path) -> None:
    settings = ServiceSettings(principals={"deputy": PrincipalSetting(scopes=frozenset({"read", "approve-all"}))})
    token = make_token(tmp_path, "deputy")
    gate = TokenGate(list_principals(settings, tmp_path))
    found = {door: gate.recognise(token, door) for door in ("console", "mcp")}
    assert [(each.may_approve, each.answers_all) for each in found.values()] == [(True, True), (False, False)]
    assert [Caller(principal=name).answers_all for name in ("", "office")] == [True, False]


def test_principals_without_a_token_can_not_come(tmp_path: Path) -> None:
    settings = ServiceSettings(principals={"kitchen": PrincipalSetting(), "office": PrincipalSetting()})
    token = make_token(tmp_path, "office")
    found = list_principals(settings, tmp_path)
    gate = TokenGate(found)
    assert gate.recognise(token, "").principal == "office"
    assert [each.token for each in found] == ["", token]
    with pytest.raises(RefusedError):
        gate.recognise("", "")
