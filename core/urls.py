"""The one judge of web addresses, on the WHATWG parser that browsers agree with."""

from dataclasses import dataclass

import ada_url

from core.errors import InputError, PolicyError

WEB_SCHEMES = ("http", "https")


@dataclass(frozen=True, slots=True)
class WebAddress:
    """A judged address.

    Attributes:
        href: The address as a browser would normalise it.
        scheme: ``http``, ``https`` or ``about``.
        host: Host with its port where it isn't the scheme's own.
        hostname: Host without port.
    """

    href: str
    scheme: str
    host: str
    hostname: str

    @property
    def is_blank(self) -> bool:
        """Whether this is ``about:blank``."""
        return self.href == "about:blank"


def judge_address(text: str) -> WebAddress:
    """Parse an address as a browser would and check its scheme.

    Args:
        text: An absolute address.

    Returns:
        The parsed address. The text itself is what gets executed; this is only the judgement of it.

    Raises:
        InputError: If a browser couldn't parse it.
        PolicyError: If the scheme is neither http nor https and it isn't ``about:blank``.
    """
    try:
        parsed = ada_url.URL(text)
    except ValueError:
        hint = f'Did you mean "https://{text}"?' if "://" not in text else "Check its spelling."
        raise InputError(f'"{text}" is not an absolute web address.', code="bad_url", hint=hint) from None
    scheme = parsed.protocol.rstrip(":")
    if scheme not in WEB_SCHEMES and parsed.href != "about:blank":
        raise PolicyError(
            f'"{text}" has the scheme "{scheme}"; only http, https and about:blank may be opened.',
            code="scheme_refused",
            hint="Serve the page over http instead.",
        )
    return WebAddress(parsed.href, scheme, parsed.host, parsed.hostname)
