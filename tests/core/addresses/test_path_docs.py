import re

import pytest

from core.addresses.paths import RULES, PathTerms, judge_path
from core.base.errors import PolicyError
from tests.architecture.sources import ROOT

ROW = re.compile(r"\| (P\d+) \| .+? \| (?:`(.+)`)? ?\|")
ROWS = ROW.findall((ROOT / "docs" / "guides" / "paths.md").read_text(encoding="utf-8"))
EXAMPLES = [
    (rule, re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found.group(1), 16)), text)) for rule, text in ROWS if text
]


def test_the_document_lists_every_rule_once() -> None:
    assert [rule for rule, _ in ROWS] == list(RULES)


@pytest.mark.parametrize(("rule", "text"), EXAMPLES)
def test_every_example_of_the_document_is_refused_by_its_rule(rule: str, text: str) -> None:
    with pytest.raises(PolicyError) as caught:
        judge_path(text, terms=PathTerms(creating=True, writing=True))
    assert caught.value.evidence["rule"] == rule
