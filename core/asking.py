"""Asking: an approval request goes to whoever answers, and nothing but yes lets an action go on."""

import asyncio
import math

from core.approvals import ApprovalGate, ApprovalRequest
from core.errors import ApprovalError, SurehandError
from core.faults import tell_fault


async def ask_for(gate: ApprovalGate, request: ApprovalRequest, left_s: float) -> None:
    """Return once the gate said yes.

    Args:
        gate: Who answers.
        request: What is asked.
        left_s: Seconds that are left of the run.

    Raises:
        ApprovalError: If it said anything else, or nothing in time.
    """
    if await _await_answer(gate, request, left_s):
        return
    hint = "It needs a person at the terminal." if request.kind == "confirm" else f"Allow it: --yes {request.kind}."
    raise ApprovalError(f"Not approved ({request.kind}): {request.text}.", hint=hint)


async def _await_answer(gate: ApprovalGate, request: ApprovalRequest, left_s: float) -> bool:
    """Return whether the gate said yes, and nothing else than yes, while the run had time left."""
    try:
        async with asyncio.timeout(None if math.isinf(left_s) else left_s):
            return await gate.decide(request) is True
    except TimeoutError:
        text = f"Nobody answered in the time of the run ({request.kind}): {request.text}."
        raise ApprovalError(text, hint="Give the run a larger budget, or answer sooner.") from None
    except SurehandError:
        raise
    except Exception as error:
        text = f"Nobody could be asked ({request.kind}): {request.text}: {tell_fault(error)}."
        raise ApprovalError(text) from error
