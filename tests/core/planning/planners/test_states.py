from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import TableError
from core.planning.planners.states import (
    RUN_TABLE,
    STEP_TABLE,
    RunMove,
    RunState,
    StateMachine,
    StateTable,
    StepMove,
    StepState,
)

TABLES = {"run": (RUN_TABLE, RunState, RunMove), "step": (STEP_TABLE, StepState, StepMove)}
ENDS = {
    "run": {"success", "partial", "failed", "cancelled", "rejected"},
    "step": {"done", "skipped", "failed", "cancelled"},
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_has_every_state_and_only_moves_and_states_that_there_are(kind: str) -> None:
    table, states, moves = TABLES[kind]
    assert set(table.moves) == set(get_args(states))
    used = [(move, after) for each in table.moves.values() for move, after in each.items()]
    assert {after for _, after in used} | {table.start} == set(get_args(states))
    assert {move for move, _ in used} == set(get_args(moves))


@pytest.mark.parametrize("kind", TABLES)
def test_what_has_ended_has_no_moves_and_everything_else_can_be_cancelled(kind: str) -> None:
    table: StateTable[Any, Any] = TABLES[kind][0]
    assert {state for state in table.moves if not table.moves[state]} == ENDS[kind]
    assert all(table.moves[state].get("cancel") == "cancelled" for state in table.moves if table.moves[state])


@pytest.mark.parametrize("kind", TABLES)
def test_every_state_is_reached_and_leads_to_an_end(kind: str) -> None:
    table: StateTable[Any, Any] = TABLES[kind][0]
    assert find_reached(table, table.start) == set(table.moves)
    assert all(find_reached(table, state) & ENDS[kind] for state in table.moves)


def find_reached(table: StateTable[Any, Any], start: str) -> set[str]:
    reached, pending = set[str](), [start]
    while pending:
        state = pending.pop()
        if state not in reached:
            reached.add(state)
            pending += table.moves[state].values()
    return reached


@pytest.mark.parametrize("kind", TABLES)
@given(data=st.data())
def test_a_machine_goes_where_its_table_says_and_stays_where_it_says_nothing(kind: str, data: st.DataObject) -> None:
    table: StateTable[Any, Any] = TABLES[kind][0]
    machine = StateMachine[Any, Any](table)
    for move in data.draw(st.lists(st.sampled_from(get_args(TABLES[kind][2])), max_size=30)):
        before = machine.state
        if move in table.moves[before]:
            assert machine.move(move) == table.moves[before][move] == machine.state
        else:
            with pytest.raises(TableError) as caught:
                machine.move(move)
            assert machine.state == before
            assert caught.value.code == "bad_move"
    assert machine.is_ended == (machine.state in ENDS[kind])
