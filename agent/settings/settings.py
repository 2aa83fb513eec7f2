"""Settings: what may be set, and what is read of it from the environment and the settings files."""

import os
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from actuators.own_folders import locate_config_folder
from agent.requests.words.policy_parts import LimitingRulePart
from agent.settings.folder_checks import check_folder
from agent.settings.folder_settings import join_settings
from agent.settings.health_settings import HealthSettings
from agent.settings.model_settings import ModelSetting
from agent.settings.service_settings import ServiceSettings
from agent.settings.surroundings import PREFIX, SETTINGS_FILE
from agent.telemetry.log_levels import LogLevel
from core.addresses.path_parts import STATE_FOLDER
from core.addresses.urls import is_host_entry
from core.base.errors import InputError
from core.language.talk.languages import FOLDERS
from core.rules.params import suggest

TraceWish = Literal["off", "on", "on-failure"]
BrowserChannel = Literal["", "chromium", "chrome", "msedge"]


class PlatformSetting(BaseModel, extra="forbid"):
    """A search platform of one's own.

    Attributes:
        search_url: Address of its results page, with ``{query}`` in it.
    """

    home_url: str
    search_url: str


class Settings(BaseSettings):
    """What may be set: by ``SUREHAND_…`` variables, in ``.surehand/settings.toml`` of the workspace, or in the person's own file.

    What the workspace's file may say is in ``agent.settings.folder_settings``.

    Attributes:
        browser_path: Browser to use; a good one is looked for where absent.
        browser_channel: Which browser to look for, as Playwright names it: ``chromium``, ``chrome`` or ``msedge``; any where empty.
        inner_hosts: Hosts of this machine or of inner networks, written as in ``policy.hosts``, that all pages may reach.
        rules: Rules of the policy that ask or deny, whatever is requested; docs/guides/approvals.md says how they are written.
        trace: Whether to record Playwright traces, into ``.surehand/traces``: ``off``, ``on`` (as ``true``), or
            ``on-failure``, which keeps those in whose time a step on a page failed.
        failure_pictures: Whether a step that fails on a page or on the desktop leaves a picture of what was there.
        keep_pictures: Whether every step on a page keeps pictures before and after, and what the page said and missed meanwhile;
            steps on the desktop keep one after. A report shows them.
        log_level: From which level on log lines go to stderr.
        log_file: The same for ``.surehand/logs/surehand.jsonl``.
        templates_folder: Folder with prompt templates of one's own, in place of those that ship; docs/guides/planners.md says how.
        otlp_endpoint: Address of an OpenTelemetry collector that takes spans by HTTP, such as
            ``http://127.0.0.1:4318``; ``OTEL_EXPORTER_OTLP_ENDPOINT`` where absent.
        language: The language in which you speak to Surehand, by its tag: ``en`` or ``de``. A sentence that is clearly of another is understood, too.
        health: From when on planners count as ill, and who is told; docs/guides/health.md says how it is written.
        service: What the service is held to, and who else may use it; docs/guides/service.md says how it is written.
        models: Models by the name that ``--model`` takes; docs/guides/models.md says how they are set up.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid")

    browser_path: str | None = None
    browser_channel: BrowserChannel = ""
    headed: bool = False
    platforms: dict[str, PlatformSetting] = Field(default_factory=dict)
    inner_hosts: list[str] = Field(default_factory=list[str], max_length=1000)
    rules: list[LimitingRulePart] = Field(default_factory=list[LimitingRulePart], max_length=1000)
    trace: TraceWish = "off"
    failure_pictures: bool = True
    keep_pictures: bool = False
    log_level: LogLevel = "off"
    log_file: LogLevel = "info"
    templates_folder: Path | None = None
    otlp_endpoint: str | None = None
    language: str = "en"
    health: HealthSettings = Field(default_factory=HealthSettings)
    service: ServiceSettings = Field(default_factory=ServiceSettings)
    models: dict[str, ModelSetting] = Field(default_factory=dict, max_length=100)

    @field_validator("trace", mode="before")
    @classmethod
    def _read_trace(cls, value: object) -> object:
        if isinstance(value, bool):
            return "on" if value else "off"
        return (
            {"true": "on", "1": "on", "false": "off", "0": "off"}.get(value, value) if isinstance(value, str) else value
        )

    @field_validator("language")
    @classmethod
    def _check_language(cls, tag: str) -> str:
        if tag not in FOLDERS:
            raise ValueError(f"{tag!r} isn't understood; there are {', '.join(FOLDERS)}")
        return tag

    @field_validator("inner_hosts")
    @classmethod
    def _check_hosts(cls, hosts: list[str]) -> list[str]:
        """Refuse what names no single host: it would open nothing, and look as if it did."""
        for host in hosts:
            if not is_host_entry(host):
                raise ValueError(f"{host!r} is not a host; write HOST or HOST:PORT")
            if host.startswith("*"):
                raise ValueError(f"{host!r} is too wide for inner hosts; name each host")
        return hosts

    @field_validator("templates_folder")
    @classmethod
    def _check_folder(cls, folder: Path | None) -> Path | None:
        """Refuse a folder that would be another one wherever the program is started."""
        folder = folder.expanduser() if folder else None
        if folder and not folder.is_absolute():
            raise ValueError(f"{str(folder)!r} is not an absolute path")
        return folder

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read arguments first, then the environment, then the person's own file."""
        del dotenv_settings, file_secret_settings
        personal = TomlConfigSettingsSource(settings_cls, locate_config_folder() / SETTINGS_FILE)
        return (init_settings, env_settings, personal)


def wants_spans(settings: Settings) -> bool:
    """Return whether a collector for spans is named, by the settings or by OpenTelemetry's own variables."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    variables = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    return bool(settings.otlp_endpoint) or any(os.environ.get(name) for name in variables)


def load_settings(workspace: Path) -> Settings:
    """Read the settings that hold for a workspace.

    Raises:
        InputError: If the file or a variable can't be understood.
        RefusedError: If the folder isn't what Surehand makes.
    """
    file = workspace / STATE_FOLDER / SETTINGS_FILE
    check_folder(file.parent)

    class Given(Settings):
        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], *_: PydanticBaseSettingsSource, **__: PydanticBaseSettingsSource
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return (TomlConfigSettingsSource(settings_cls, file),)

    own = _read(Settings, f"{locate_config_folder() / SETTINGS_FILE} and SUREHAND_…")
    given = _read(Given, str(file))
    return _join(own, given, file) if given.model_fields_set else own


def _read(kind: type[Settings], places: str) -> Settings:
    try:
        return kind()
    except ValidationError as error:
        found = error.errors(include_url=False)
        faults = "; ".join(f"{_name_setting(each['loc'])}: {_tell_fault(each['loc'], each['msg'])}" for each in found)
        raise InputError(f"{faults}.", code="bad_settings", hint=f"Settings are read from {places}.") from None
    except (ValueError, OSError, RecursionError) as error:
        raise InputError(f"The settings ({places}) can't be read: {error}.", code="bad_settings") from None


def _join(own: Settings, given: Settings, file: Path) -> Settings:
    """Return the person's settings with what the workspace's make stricter."""
    try:
        changed = join_settings(dict(own), {name: getattr(given, name) for name in given.model_fields_set})
    except InputError as error:
        name = str(error.evidence["setting"])
        hint = f"Put it into {locate_config_folder() / SETTINGS_FILE}, or set SUREHAND_{name.upper()}."
        text = f"{file} {error.message}. Only your own settings can do that, because anybody can send you a folder."
        raise InputError(text, code=error.code, hint=hint, evidence=error.evidence) from None
    return own.model_copy(update=changed)


def _tell_fault(place: tuple[int | str, ...], message: str) -> str:
    if place[0] == "rules" and place[-1] == "allow":
        return "settings can only ask and deny; to allow, use --policy FILE"
    return message


def _name_setting(place: tuple[int | str, ...]) -> str:
    name = ".".join(str(part) for part in place)
    return f"the setting {name}{'' if place[0] in Settings.model_fields else suggest(name, Settings.model_fields)}"
