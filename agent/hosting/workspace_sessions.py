"""WorkspaceSessions: opens the sessions of a workspace's service; those of one principal share a browser."""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from actuators.catalog import BrowserShare
from agent.assembly import SessionPages, make_session
from agent.hosting.hosted_sessions import Quota
from agent.hosting.hub import ServiceLimits
from agent.requests.session_wishes import USUAL_SESSION, SessionWishes
from agent.sessions.session import AgentSession
from agent.sessions.session_parts import OpenNamed
from agent.settings.folder_checks import locate_state
from agent.settings.service_settings import ServiceSettings
from agent.settings.settings import Settings
from agent.store.private_files import make_private_folder
from core.base.errors import ModelError
from core.goals.secret_values import Vault
from core.planning.planners.ports import Model

RECORDINGS = "recordings"
"""Folder, in that of what is kept, with a folder of traces and videos for each session that asked for some."""

Prepare = Callable[[AgentSession, str], None]
"""Gives a principal's new session what its front end has for it, such as telemetry or a model."""


class WorkspaceSessions:
    """Opens sessions, and has what they have together."""

    def __init__(
        self, settings: Settings, workspace: Path, prepare: Prepare = lambda _session, _principal: None
    ) -> None:
        self._settings = settings
        self._workspace = workspace
        self._prepare = prepare
        self._shares: dict[str, BrowserShare] = {}

    def open(self, principal: str, name: str, wishes: SessionWishes = USUAL_SESSION, /) -> AgentSession:
        """Return a new session; others than the person at this machine have only those secrets that they were given.

        Raises:
            RefusedError: If what the workspace keeps isn't what Surehand makes, or what it is to attach to isn't on this machine.
        """
        share = self._shares.setdefault(principal, BrowserShare())
        state = locate_state(self._workspace, principal)
        if principal:
            with suppress(OSError):  # whatever is to be kept there tells it
                make_private_folder(state)  # before anything else is made in it: that gives no mode to what lies above
        pages = SessionPages(wishes, state / RECORDINGS / name)
        session = make_session(self._settings, self._workspace, share, pages, principal=principal)
        if principal:
            given = self._settings.service.principals.get(principal)
            parts = session.parts
            names, models = (given.secrets, given.models) if given else ((), ())
            limited = replace(parts, vault=parts.vault.limit(names), open_model=_limit_models(parts.open_model, models))
            session = AgentSession(limited)
        self._prepare(session, principal)
        return session

    async def close(self) -> None:
        """Stop the browsers; calling it again does nothing."""
        for share in self._shares.values():
            await share.close()


def _limit_models(open_model: OpenNamed, names: Collection[str]) -> OpenNamed:
    """Return what opens only these models."""

    def open_granted(name: str, vault: Vault) -> Model:
        if name not in names:
            text, hint = f"The model “{name}” was not granted to you.", "Ask the person at this machine for it."
            raise ModelError(text, code="model_not_granted", hint=hint)
        return open_model(name, vault)

    return open_granted


def read_limits(settings: ServiceSettings) -> ServiceLimits:
    """Return what a service holds its callers to, as the person has set it."""
    return ServiceLimits(
        session_idle_s=settings.session_idle_minutes * 60,
        usual=Quota(settings.sessions, settings.runs_at_once, settings.planners_at_once),
        quotas={
            name: Quota(each.sessions, each.runs_at_once, each.planners_at_once)
            for name, each in settings.principals.items()
        },
        voice_approves=settings.voice_approves,
    )
