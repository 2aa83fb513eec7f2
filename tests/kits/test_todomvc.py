"""One flow, unchanged, on variants of an application of others; `scripts/bench.py todomvc` runs it on all of them."""

import re
from pathlib import Path

import pytest

from agent.reports.results import FlowResult
from fixtures.kits.bundles import KITS
from scripts.benchmarks.everyday.todomvc import Variant, judge, list_variants, run_variants, tell
from scripts.benchmarks.looks.installing import find_modules
from tests.architecture.sources import ROOT, list_files
from tests.thoroughness import spread

SAMPLE = ("angularjs", "backbone", "react", "vanillajs", "vue")
ENGINE = ("actuators/", "agent/", "core/outlines/", "core/selectors/")
WORDS = {"flight", "require"}
"""Names of variants that are words besides."""


@pytest.fixture(scope="module")
def modules() -> Path:
    """The packages, where they are installed."""
    found = find_modules(KITS)
    if found is None:
        pytest.skip("the kits are not installed; scripts/test.py does that")
    return found


async def test_the_same_flow_passes_on_variants_of_todomvc(modules: Path) -> None:
    drawn = spread(SAMPLE, 2)
    variants = await run_variants(drawn, modules)
    assert {each.name: each.why for each in variants} == dict.fromkeys(drawn, "")


async def test_a_variant_that_lacks_its_files_is_named_with_what_its_page_said(modules: Path) -> None:
    (variant,) = await run_variants(["sapui5"], modules)
    assert variant.outcome == "failed"
    assert 'Nothing matches field "What needs to be done?"' in variant.why
    assert "Its page: GET https://sapui5" in variant.why


def test_variants_without_a_page_are_left_out_with_the_reason(modules: Path) -> None:
    ready, left_out = list_variants(modules)
    assert set(SAMPLE) <= set(ready)
    assert len(ready) >= 60
    assert {each.outcome for each in left_out} == {"left out"}
    assert "toolchain" in tell(left_out[0])


def test_no_variant_is_named_in_what_acts_on_pages(modules: Path) -> None:
    ready, left_out = list_variants(modules)
    names = {part for each in (*ready, *(one.name for one in left_out)) for part in re.split("[_-]", each)} - WORDS
    named = re.compile(rf"\b({'|'.join(sorted(names, key=len, reverse=True))})\b", re.IGNORECASE)
    files = [file for file in list_files() if file.startswith(ENGINE) and "/engine/built/" not in file]
    found = {
        file: hit.group() for file in files if (hit := named.search((ROOT / file).read_text("utf-8", errors="ignore")))
    }
    assert found == {}


def test_what_a_page_said_stands_behind_what_went_wrong() -> None:
    result = FlowResult("todos", "vue", "failed", 1, 1500.0, error="Step 1: Open\nIt failed.")
    assert judge(result, ["GET a.js: 404", "x is not defined"]) == Variant(
        "vue", "failed", "Step 1: Open It failed. Its page: GET a.js: 404; x is not defined.", 1.5
    )
