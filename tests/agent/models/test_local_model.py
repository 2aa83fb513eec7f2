"""A real model of 135 million parameters: it keeps to the schema, and authority holds whatever it says.

A lane of its own: `scripts/bench.py local-model` fetches the model once, into an environment beside the project's; without that, it is skipped.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.models.serving.adapter import open_adapter
from agent.settings.model_settings import ModelSetting
from core.goals.secret_values import NO_VAULT
from core.planning.authority import enforce_authority, list_candidates
from core.planning.plans import thaw
from core.results.tool_results import ToolCall
from fixtures.machine.models.local_model import NoLocalModelError, serve_local_model
from fixtures.recording_tools import Recorder
from scripts.benchmarks.models.local_model import make_resolve_question
from tests.agent.models.questions import ask_for_word
from tests.core.samples import plan_action

ROOT = Path(__file__).resolve().parents[3]
PREPARED = sorted(ROOT.glob("build/local-models-*/done"))

pytestmark = [
    pytest.mark.skipif(not PREPARED, reason="no local model: run scripts/bench.py local-model once, which fetches it"),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def setting() -> Iterator[ModelSetting]:
    try:
        with serve_local_model(PREPARED[-1].parent / "bin" / "python") as served:
            yield served
    except NoLocalModelError as error:
        pytest.skip(str(error))


async def test_a_real_model_answers_in_the_schema(setting: ModelSetting) -> None:
    model = await open_adapter("local", setting, NO_VAULT)
    answer = await model.ask(ask_for_word(timeout_s=300.0, max_tokens=60))
    assert list(answer.value) == ["word"]
    assert answer.tokens_in > 0
    assert answer.tokens_out > 0
    await model.close()


async def test_authority_holds_over_a_real_model(setting: ModelSetting) -> None:
    model = await open_adapter("local", setting, NO_VAULT)
    action = plan_action("browser", "read", {"target": "text"})
    candidates = list_candidates(action, Recorder().make_registry().specs())
    answer = await model.ask(make_resolve_question(action, candidates))
    given = {pair["name"]: pair["value"] for pair in answer.value["arguments"]}
    enforced = enforce_authority(action, ToolCall(str(answer.value["tool"]), given), candidates)
    assert enforced.call.params == thaw(action.args)
    await model.close()
