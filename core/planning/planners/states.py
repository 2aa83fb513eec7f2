"""The lifecycle of a planner's run, and of each of its steps, as tables.

Theory. A run, and a step, is a finite automaton. It is in one state, and a move takes it to the next; what is not in the table
can't happen. So the code that carries a planner out decides nothing about order by itself: it says what it wants to do, and the
table says whether that may come now.

    new → validating → preparing → drafting → executing → finalising → success | partial | failed
              ↓            ↓           ↓          ↺
          rejected       failed      failed    (critique)

A run can be cancelled from any state that is not an end, and an end has no moves. A step is tried until it is done, or its tries
are used up: waiting → before → trying → judging → after → done, with … → between → before where it is tried again.
"""

from collections.abc import Mapping
from typing import Final, Generic, Literal, TypeVar

from core.base.errors import TableError
from core.base.late_dataclasses import dataclass

RunState = Literal[
    "new",
    "validating",
    "preparing",
    "drafting",
    "executing",
    "critiquing",
    "finalising",
    "success",
    "partial",
    "failed",
    "cancelled",
    "rejected",
]
RunMove = Literal[
    "validate",
    "reject",
    "prepare",
    "draft",
    "execute",
    "critique",
    "finalise",
    "succeed",
    "end_partly",
    "fail",
    "cancel",
]
StepState = Literal[
    "waiting", "before", "trying", "judging", "between", "after", "done", "skipped", "failed", "cancelled"
]
StepMove = Literal["begin", "skip", "try", "judge", "pause", "pass", "give_up", "end", "cancel"]

State = TypeVar("State", bound=str)
Move = TypeVar("Move", bound=str)


@dataclass(frozen=True, slots=True)
class StateTable(Generic[State, Move]):
    """All states of something and the moves between them; nothing follows a state without moves."""

    name: str
    start: State
    moves: Mapping[State, Mapping[Move, State]]


class StateMachine(Generic[State, Move]):
    """Something that is in one state of a table, and only moves as the table says."""

    def __init__(self, table: StateTable[State, Move]) -> None:
        self._table = table
        self.state: State = table.start

    @property
    def is_ended(self) -> bool:
        """Whether nothing can follow."""
        return not self._table.moves[self.state]

    def move(self, move: Move) -> State:
        """Move, and return the state that it is in then.

        Raises:
            TableError: If the table has no such move here; the state stays as it was.
        """
        possible = self._table.moves[self.state]
        if move not in possible:
            text = f"{self._table.name} can't “{move}” while it is “{self.state}”."
            evidence = {"state": self.state, "move": move, "possible": sorted(possible)}
            raise TableError(text, code="bad_move", evidence=evidence)
        self.state = possible[move]
        return self.state


RUN_TABLE: Final[StateTable[RunState, RunMove]] = StateTable(
    "A planner's run",
    "new",
    {
        "new": {"validate": "validating", "cancel": "cancelled"},
        "validating": {"prepare": "preparing", "reject": "rejected", "cancel": "cancelled"},
        "preparing": {"draft": "drafting", "fail": "failed", "cancel": "cancelled"},
        "drafting": {"execute": "executing", "fail": "failed", "cancel": "cancelled"},
        "executing": {"critique": "critiquing", "finalise": "finalising", "cancel": "cancelled"},
        "critiquing": {"execute": "executing", "finalise": "finalising", "cancel": "cancelled"},
        "finalising": {"succeed": "success", "end_partly": "partial", "fail": "failed", "cancel": "cancelled"},
        "success": {},
        "partial": {},
        "failed": {},
        "cancelled": {},
        "rejected": {},
    },
)

STEP_TABLE: Final[StateTable[StepState, StepMove]] = StateTable(
    "A planner's step",
    "waiting",
    {
        "waiting": {"begin": "before", "skip": "skipped", "give_up": "failed", "cancel": "cancelled"},
        "before": {"try": "trying", "pause": "between", "give_up": "failed", "cancel": "cancelled"},
        "trying": {"judge": "judging", "pause": "between", "give_up": "failed", "cancel": "cancelled"},
        "judging": {"pass": "after", "pause": "between", "give_up": "failed", "cancel": "cancelled"},
        "between": {"begin": "before", "give_up": "failed", "cancel": "cancelled"},
        "after": {"end": "done", "give_up": "failed", "cancel": "cancelled"},
        "done": {},
        "skipped": {},
        "failed": {},
        "cancelled": {},
    },
)
