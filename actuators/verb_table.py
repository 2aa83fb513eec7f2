"""PLANNER_RULES: the table of verbs, each row joined with the signature of its tool; and the toolsets of every family.

Nothing of a back end is imported here.
"""

from collections.abc import Mapping

from actuators.audio.tools import AUDIO_TOOLSETS
from actuators.browser.tools.toolsets import BROWSER_TOOLSETS
from actuators.desktop.api.tools import DESKTOP_TOOLSETS
from actuators.files.api.tools import FILE_TOOLSETS
from actuators.media.tools import MEDIA_TOOLSETS
from actuators.memory.tools import MEMORY_TOOLSETS
from actuators.project.tools import PROJECT_TOOLSETS
from actuators.system.api.tools import SYSTEM_TOOLSETS
from core.planner_rules import VERB_ROWS
from core.rules.rule_types import PlannerRule, RuleKey
from core.rules.signatures import join_rows
from core.tools.ports import Toolset
from core.tools.registry import read_toolset

ALL_TOOLSETS: tuple[type[Toolset], ...] = (
    *BROWSER_TOOLSETS,
    *FILE_TOOLSETS,
    *SYSTEM_TOOLSETS,
    *DESKTOP_TOOLSETS,
    *AUDIO_TOOLSETS,
    *MEDIA_TOOLSETS,
    *MEMORY_TOOLSETS,
    *PROJECT_TOOLSETS,
)
"""The toolsets of every family, in the order in which they are listed."""

PLANNER_RULES: Mapping[RuleKey, PlannerRule] = join_rows(
    VERB_ROWS, [tool for toolset in ALL_TOOLSETS for tool in read_toolset(toolset)]
)
