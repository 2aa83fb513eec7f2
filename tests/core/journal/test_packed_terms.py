import json
from dataclasses import replace

from core.goals.references import Reference, Template
from core.goals.step_terms import RowLoop, StepCondition, StepTerms
from core.journal.run_rows import pack_terms, unpack_terms
from tests.core.toys import plan_toys, toy

TERMS = StepTerms(
    conditions=(StepCondition(Template(("a ", Reference("g0", "x"))), "is", "b", unless=True),),
    only_with="g0",
    follows=("g1", "g2"),
    attempts=3,
    wait_s=0.5,
    is_question=True,
    always=True,
    loop=RowLoop(
        "g1",
        Reference("g0", "rows"),
        7,
        "item",
        collects=True,
        conditions=(StepCondition(Reference("g0", "x"), "above", 2),),
        each="**",
        within=RowLoop("g0", Reference("g0", "rows"), 2),
    ),
    round_of="g1r1",
    rounds_above=("g1",),
    row_digest="ab",
)


def test_terms_and_groups_are_read_back_as_they_were() -> None:
    (action,) = plan_toys([toy("note", text="a")]).nodes.values()
    packed = json.loads(json.dumps(pack_terms(replace(action, terms=TERMS, groups=("One", "row 1 of 2")))))
    assert unpack_terms(packed) == {"terms": TERMS, "groups": ("One", "row 1 of 2")}


def test_an_action_without_any_has_none_in_its_row() -> None:
    (action,) = plan_toys([toy("note", text="a")]).nodes.values()
    assert pack_terms(action) == {}
    assert unpack_terms({}) == {"terms": action.terms, "groups": ()}
