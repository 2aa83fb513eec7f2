"""A backlog in a database and one in memory do the same."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.planners.backlog.memory_backlog import MemoryBacklog
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from core.base.errors import GoalError
from core.base.scope_paths import ScopePath, begin_scope, read_scope
from tests.agent.planners.backlog.taking import take_next
from tests.contracts.backlog.conformance import (
    ANN,
    BEGAN,
    RUN,
    STATES,
    ItemConformance,
    PlanConformance,
    RunConformance,
    SettableClock,
    Store,
    make_item,
)

NAMES = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=12)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
QUICK = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])

SCOPES = st.sampled_from([ANN, ANN.child("s1"), RUN, RUN.child("g0"), ANN.child("s2"), begin_scope("bob")])
IDS = st.sampled_from(["a", "b", "c"])
PLANS = st.sampled_from(["", "p", "q"])
Told = object
Order = Callable[[Store], Awaitable[Told]]


def order_add(scope: ScopePath, item_id: str, plan_id: str) -> Order:
    return lambda store: store.add(scope, make_item(item_id, plan_id=plan_id))


ORDERS = st.one_of(
    st.builds(order_add, SCOPES, IDS, PLANS),
    st.builds(
        lambda scope, item_id, state, because: lambda store: store.flip(scope, item_id, state, because),
        SCOPES,
        IDS,
        st.sampled_from(STATES),
        st.sampled_from(["", "why"]),
    ),
    st.builds(lambda scope: lambda store: take_next(store, scope, "x", "taken"), SCOPES),
    st.builds(
        lambda scope, plan, data: lambda store: store.keep_checkpoint(scope, plan, data),
        SCOPES,
        PLANS,
        st.dictionaries(IDS, JSON, max_size=2),
    ),
    st.builds(lambda scope, plan: lambda store: store.read_checkpoint(scope, plan), SCOPES, PLANS),
    st.builds(lambda scope, plan: lambda store: store.find_coverage(scope, plan), SCOPES, PLANS),
    st.builds(
        lambda scope, state: lambda store: store.list_items(scope, state), SCOPES, st.sampled_from([None, *STATES])
    ),
    st.builds(
        lambda scope, minutes: lambda store: store.list_transitions(scope, BEGAN + timedelta(minutes=minutes)),
        SCOPES,
        st.integers(0, 9),
    ),
)


async def obey(store: Store, order: Order) -> Told:
    """Return what a store says to an order, also where that is no."""
    try:
        return await order(store)
    except GoalError as error:
        return error.info()


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


class TestSqlite(ItemConformance, PlanConformance, RunConformance):
    """The database of a workspace."""

    @pytest.fixture
    async def store(self, tmp_path: Path, clock: SettableClock) -> AsyncIterator[SqliteBacklog]:
        backlog = SqliteBacklog(tmp_path / "state", clock=clock)
        yield backlog
        await backlog.close()


class TestMemory(ItemConformance, PlanConformance, RunConformance):
    """The shipped fake."""

    @pytest.fixture
    def store(self, clock: SettableClock) -> MemoryBacklog:
        return MemoryBacklog(clock)


@QUICK
@given(orders=st.lists(ORDERS, max_size=25))
async def test_whatever_is_asked_of_both_they_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, orders: list[Order]
) -> None:
    clock = SettableClock()
    memory, database = MemoryBacklog(clock), SqliteBacklog(tmp_path_factory.mktemp("state"), clock=clock)
    for order in orders:
        assert await obey(memory, order) == await obey(database, order)
        clock.now += timedelta(minutes=1)
    assert await memory.list_transitions(ANN) == await database.list_transitions(ANN)
    await database.close()


@QUICK
@given(data=st.dictionaries(st.text(), JSON, max_size=3), item_id=NAMES, names=st.lists(NAMES, min_size=1, max_size=4))
async def test_whatever_json_an_item_holds_in_whatever_scope_comes_back_from_the_disk(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, object], item_id: str, names: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("state")
    scope = begin_scope(names[0])
    for name in names[1:]:
        scope = scope.child(name)
    first = SqliteBacklog(folder)
    await first.add(scope, make_item(item_id, data=data))
    await first.close()
    second = SqliteBacklog(folder)
    (found,) = await second.list_items(begin_scope(names[0]))
    assert (found.item_id, found.data, read_scope(found.scope)) == (item_id, data, scope)
    assert (await second.flip(begin_scope(names[0]), item_id, "done", "from above")).scope == str(scope)
    await second.close()
