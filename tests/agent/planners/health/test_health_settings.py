"""Settings of alerts that can't work: refused when they are read, every fault with its place and file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agent.settings.alert_channels import PAGERDUTY_URL, EmailSetting, WebhookSetting
from agent.settings.health_settings import HealthSettings
from agent.settings.settings import load_settings, locate_config_folder
from core.base.errors import InputError
from core.planning.planners.alerts import ALERT_KINDS

THRESHOLDS = (
    "failure_rate",
    "least_runs",
    "latency_p95_s",
    "template_failures",
    "stuck_after_s",
    "most_flips",
    "backlog_age_h",
    "coverage",
    "coverage_after_h",
    "debounce_s",
    "check_every_s",
)
MAIL = 'kind = "email"\nhost = "mail.example"\nsender = "a@example.com"\nrecipients = ["b@example.com"]\n'


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "work"


def write_own(text: str) -> Path:
    file = locate_config_folder() / "settings.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def refuse(text: str, workspace: Path) -> InputError:
    write_own(text)
    with pytest.raises(InputError) as caught:
        load_settings(workspace)
    assert caught.value.code == "bad_settings"
    return caught.value


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('[health.channels.ops]\nkind = "webhook"', "health.channels.ops.url", "a webhook needs a url"),
        ('[health.channels.ops]\nkind = "webhook"\nurl = "hooks"', "health.channels.ops.url", "not a complete"),
        ('[health.channels.ops]\nkind = "webhook"\nurl = "http://a.test/x"', "health.channels.ops.url", "not https"),
        (
            '[health.channels.ops]\nkind = "webhook"\nurl = "ftp://a.test/x"',
            "health.channels.ops.url",
            "not a complete",
        ),
        (
            '[health.channels.ops]\nkind = "webhook"\nurl = "https://me:pw@a.test/"',
            "health.channels.ops.url",
            "a password",
        ),
        ('[health.channels.ops]\nkind = "webhook"\nurl = "secret:my key"', "health.channels.ops.url", "secret:NAME"),
        ('[health.channels.ops]\nkind = "webhook"\npayload = "slak"', "health.channels.ops.payload", "'slack'"),
        ('[health.channels.ops]\nkind = "webhook"\npayload = "pagerduty"', "health.channels.ops.routing_key", "needs"),
        (
            '[health.channels.ops]\nkind = "webhook"\npayload = "pagerduty"\nrouting_key = "abcdef"',
            "health.channels.ops.routing_key",
            "secret:NAME",
        ),
        ('[health.channels.ops]\nkind = "pigeon"', "health.channels.ops", "pigeon"),
        ('[health.channels."o ps"]\nkind = "log"', "health.channels.o ps", "pattern"),
        (f'[health.channels.ops]\n{MAIL}security = "none"', "health.channels.ops.security", "in the clear"),
        (f'[health.channels.ops]\n{MAIL}user = "ada"', "health.channels.ops.password", "belong together"),
        (f'[health.channels.ops]\n{MAIL}user = "ada"\npassword = "x"', "health.channels.ops.password", "secret:NAME"),
        (f"[health.channels.ops]\n{MAIL}port = 0", "health.channels.ops.port", "greater than 0"),
        (
            '[health.channels.ops]\nkind = "email"\nhost = "h"\nsender = "a@b\\nBcc: c@d"\nrecipients = ["b@c"]',
            "health.channels.ops.sender",
            "not an e-mail address",
        ),
        (
            '[health.channels.ops]\nkind = "log"\n[[health.routes]]\nchannels = ["opps"]',
            "health.routes.0.channels",
            'channel "opps" is unknown (did you mean "ops"?)',
        ),
        ("[[health.routes]]\nchannels = []", "health.routes.0.channels", "at least 1"),
        (
            '[health.channels.ops]\nkind = "log"\n[[health.routes]]\nchannels = ["ops"]\nalerts = ["backlog.stuk"]',
            "health.routes.0.alerts",
            'alert "backlog.stuk" is unknown (did you mean "backlog.stuck"?)',
        ),
        (
            '[health.channels.ops]\nkind = "log"\n[[health.routes]]\nchannels = ["ops"]\nseverities = ["bad"]',
            "health.routes.0.severities.0",
            "'critical'",
        ),
        ('[health.severities]\n"backlog.stuck" = "bad"', "health.severities.backlog.stuck", "'critical'"),
        ('[health.severities]\n"backlog.stuc" = "info"', "health.severities.backlog.stuc", "did you mean"),
        ("[health]\nstuck = 5", "health.stuck", "not permitted"),
    ],
)
def test_what_can_not_work_is_refused_by_place_and_file(text: str, place: str, words: str, workspace: Path) -> None:
    error = refuse(text, workspace)
    assert f"the setting {place}: " in error.message
    assert words in error.message
    assert str(locate_config_folder() / "settings.toml") in error.hint


@pytest.mark.parametrize("name", THRESHOLDS)
@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", '"much"'])
def test_no_threshold_is_zero_less_or_no_number(name: str, value: str, workspace: Path) -> None:
    assert f"the setting health.{name}: " in refuse(f"[health]\n{name} = {value}", workspace).message


def test_every_threshold_is_tried_above() -> None:
    assert {*THRESHOLDS, "severities", "channels", "routes"} == HealthSettings.model_fields.keys()


def test_all_faults_are_named_at_once(workspace: Path) -> None:
    text = refuse(
        '[health]\nfailure_rate = 0\n[health.channels.ops]\nkind = "webhook"\n[health.channels.mail]\nkind = "email"\n'
        '[[health.routes]]\nchannels = ["ops", "nobody"]\nalerts = ["x"]\n',
        workspace,
    ).message
    places = ["failure_rate", "channels.ops.url", "channels.mail.host", "channels.mail.sender", "routes.0.alerts"]
    assert [place for place in places if f"the setting health.{place}: " not in text] == []
    assert 'channel "nobody" is unknown' in text


def test_a_value_that_should_have_been_a_handle_is_not_repeated(workspace: Path) -> None:
    text = '[health.channels.ops]\nkind = "webhook"\npayload = "pagerduty"\nrouting_key = "R0123456789"'
    assert "R0123456789" not in str(refuse(text, workspace))


@pytest.mark.parametrize("part", ["debounce_s = 99999", '[health.channels.ops]\nkind = "log"', "[health.severities]"])
def test_a_folder_changes_nothing_of_it(part: str, workspace: Path) -> None:
    file = workspace / ".surehand" / "settings.toml"
    file.parent.mkdir(parents=True, mode=0o700)
    file.write_text(f"[health]\n{part}" if "=" in part.split("\n", maxsplit=1)[0] else part, encoding="utf-8")
    with pytest.raises(InputError, match="sets health") as caught:
        load_settings(workspace)
    assert "Only your own settings can do that" in caught.value.message


def test_what_is_usual_holds_where_nothing_is_set() -> None:
    webhook = WebhookSetting.model_validate({"kind": "webhook", "payload": "pagerduty", "routing_key": "secret:pd"})
    assert (webhook.url, webhook.tells_end) == (PAGERDUTY_URL, True)
    mail = EmailSetting.model_validate(
        {"kind": "email", "host": "h.example", "sender": "a@b", "recipients": ("c@d",), "security": "tls"}
    )
    assert (mail.known_port, mail.tells_end) == (465, False)


@pytest.mark.parametrize(
    ("url", "is_taken"),
    [
        ("http://127.0.0.1:8080/x", True),
        ("http://127.9.9.9/x", True),
        ("http://[::1]/x", True),
        ("http://localhost/x", True),
        ("http://127.0.0.1.evil.example/x", False),
        ("http://10.0.0.1/x", False),
        ("http://0.0.0.0/x", False),
        ("https://10.0.0.1/x", True),
        ("secret:ops_url", True),
    ],
)
def test_only_https_and_this_machine_are_posted_to(url: str, is_taken: bool) -> None:
    data = {"channels": {"ops": {"kind": "webhook", "url": url}}}
    if is_taken:
        assert HealthSettings.model_validate(data).channels
    else:
        with pytest.raises(ValidationError):
            HealthSettings.model_validate(data)


def route(*routes: dict[str, object]) -> HealthSettings:
    channels = {name: {"kind": "log"} for name in ("ops", "mail", "file")}
    return HealthSettings.model_validate({"channels": channels, "routes": routes})


def test_without_routes_every_channel_gets_every_alert() -> None:
    assert route().find_channels("backlog.stuck", "info") == ("ops", "mail", "file")


def test_an_alert_goes_where_its_id_and_severity_lead_and_to_each_channel_once() -> None:
    settings = route(
        {"alerts": ["backlog.*"], "channels": ["ops", "mail"]},
        {"severities": ["critical"], "channels": ["mail", "file"]},
    )
    assert settings.find_channels("backlog.stuck", "critical") == ("ops", "mail", "file")
    assert settings.find_channels("backlog.stuck", "info") == ("ops", "mail")
    assert settings.find_channels("planner.slow", "warning") == ()


@given(st.sampled_from(sorted(ALERT_KINDS)), st.sampled_from(["info", "warning", "critical"]))
def test_a_severity_that_was_set_holds(alert_id: str, severity: str) -> None:
    settings = HealthSettings.model_validate({"severities": {alert_id: severity}})
    assert settings.find_severity(alert_id) == severity
    assert all(
        settings.find_severity(other) == ALERT_KINDS[other].severity for other in ALERT_KINDS if other != alert_id
    )
