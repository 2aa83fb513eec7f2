"""EmailChannel: alerts by SMTP, through the standard library on a thread of its own."""

import smtplib
from contextlib import suppress
from email.message import EmailMessage

from actuators.platforms.device_thread import DeviceThread
from agent.planners.health.channels.posting import Notice, escape_cut, explain_fault, fail_sending, make_tls
from agent.settings.alert_channels import EmailSetting
from core.base.errors import ActionError
from core.goals.secret_values import PREFIX, Secret, Vault

LIMIT_S = 10.0

_OWN_NAME = "[127.0.0.1]"
"""How this machine greets a server; its real name is nobody's business, and asking for it may take long."""

_LONGEST_SUBJECT = 150
_LONGEST = 2000


class EmailChannel:
    """Sends each notice as a message."""

    def __init__(self, setting: EmailSetting, vault: Vault, *, limit_s: float = LIMIT_S) -> None:
        """Connect to nothing yet.

        Args:
            limit_s: Seconds that a message may take in all.
        """
        self._setting = setting
        self._vault = vault
        self._limit_s = limit_s

    async def send(self, notice: Notice) -> None:
        """Send a notice."""
        setting, thread = self._setting, DeviceThread("alert mail")
        handle = setting.password.removeprefix(PREFIX)
        password = await self._vault.reveal(Secret(handle)) if handle else ""
        message = write_message(self._vault.redact(notice), setting)
        try:
            await thread.run(lambda: self._deliver(message, password), timeout_s=self._limit_s)
        except smtplib.SMTPResponseException as error:
            raise self._fail(f"refused it (SMTP status {error.smtp_code})") from None
        except smtplib.SMTPRecipientsRefused:
            raise self._fail("refused every recipient") from None
        except smtplib.SMTPException as error:
            raise self._fail(f"did not take it ({type(error).__name__})") from None
        except OSError as error:
            raise self._fail(explain_fault(error, self._limit_s)) from None
        finally:
            await thread.close()

    def _deliver(self, message: EmailMessage, password: str) -> None:
        server = self._connect()
        try:
            if self._setting.user:
                server.login(self._setting.user, password)
            server.send_message(message)
        except BaseException:
            server.close()
            raise
        with suppress(smtplib.SMTPException, OSError):  # it was taken; how the server takes its leave is its own affair
            server.quit()
        server.close()

    def _connect(self) -> smtplib.SMTP:
        setting = self._setting
        place = (setting.host, setting.known_port, _OWN_NAME)
        if setting.security == "tls":
            return smtplib.SMTP_SSL(*place, timeout=self._limit_s, context=make_tls(setting.ca_file))
        server = smtplib.SMTP(*place, timeout=self._limit_s)
        if setting.security == "starttls":
            try:
                server.starttls(context=make_tls(setting.ca_file))
            except BaseException:
                server.close()
                raise
        return server

    def _fail(self, what: str) -> ActionError:
        return fail_sending(self._setting.host, what, "Mail server ")


def write_message(notice: Notice, setting: EmailSetting) -> EmailMessage:
    """Return a notice as a message; one that is sent again has the same id."""
    alert, message = notice.alert, EmailMessage()
    message["From"] = setting.sender
    message["To"] = ", ".join(setting.recipients)
    message["Subject"] = escape_cut(f"[Surehand] {notice.title} ({notice.source})", _LONGEST_SUBJECT)
    message["Date"] = notice.ended_at or notice.began_at
    message["Message-ID"] = f"<{notice.episode_id}.{notice.moment}@surehand.invalid>"
    message["Auto-Submitted"] = "auto-generated"
    lines = [escape_cut(notice.text, _LONGEST), "", f"Alert: {alert.alert_id}", f"Severity: {alert.severity}"]
    lines += [
        f"About: {escape_cut(alert.subject, _LONGEST)}",
        f"Since: {notice.began_at.isoformat(timespec='seconds')}",
    ]
    lines += [f"{name}: {escape_cut(str(value), _LONGEST)}" for name, value in alert.facts.items()]
    lines += ["", f"To be told no more until it ends: surehand health ack {alert.alert_id}"]
    message.set_content("\n".join(lines) + "\n")
    return message
