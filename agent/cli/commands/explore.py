"""`surehand explore`: a model proposes steps towards a task; what may be done is done, and what worked is kept as a flow."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from agent.assembly import list_families, locate_secrets, make_registry, make_session
from agent.cli.commands.run import carry_out, choose_detail, is_at_terminal, write_line
from agent.cli.exits import APPROVAL_MISSING, BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED
from agent.cli.limits import PolicyOptions
from agent.cli.models import give_model
from agent.cli.screen.exploration import ExplorationProgress
from agent.cli.screen.output import write_error, write_json, write_notes, write_result
from agent.cli.screen.prompts import TerminalGate
from agent.cli.telemetry import open_telemetry
from agent.models.opening import NO_MODEL, ModelWish
from agent.planners.explore.planner import ExplorePlanner
from agent.planners.hands import HandsTerms, SessionHands
from agent.planners.registry import PlannerRegistry
from agent.planners.workspace_planners import PlannerPlaces, open_planners
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.folder_checks import locate_state
from agent.settings.settings import Settings, load_settings, locate_config_folder
from agent.secrets.vaults import SessionVault
from agent.tool_schemas import describe_tool
from core.addresses.spelled_addresses import complete_address
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.budgets import Budget
from core.base.errors import InputError, SurehandError
from core.base.phrases import quote_text
from core.base.scope_paths import begin_scope
from core.execution.run_context import make_run_id
from core.planning.planners.budgets import PlannerBudget
from core.planning.planners.context import PlannerContextParts
from core.planning.planners.results import PlannerResult
from core.results.events import Emit
from core.results.records import to_data

_STEPS_A_ROUND = 4
_TRIES_BESIDE = 10
