"""What runs inside pages is one script made of several parts."""

import re
from collections import Counter

from actuators.browser.playwright.page_engine import ENGINE_SCRIPT

DECLARED = re.compile(r"^(?:const|let|function) (\w+)", re.MULTILINE)


def test_no_two_parts_of_the_page_engine_declare_the_same_name() -> None:
    counted = Counter(DECLARED.findall(ENGINE_SCRIPT))
    assert [name for name, count in counted.items() if count > 1] == []
