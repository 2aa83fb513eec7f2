"""ModelSetting: a model that the person has: who serves it, what it may cost, and how long it may take."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, field_validator

from core.addresses.urls import judge_address
from core.base.errors import SurehandError
from core.goals.secret_values import read_handle

Provider = Literal["openai", "anthropic", "google", "ollama", "local"]
AnswerForm = Literal["auto", "schema", "tool"]

_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=1, le=1_000_000_000)]

NEEDS_ADDRESS = frozenset({"ollama", "local"})


def _is_sealed(url: str) -> bool:
    judged = judge_address(url)
    host = judged.hostname
    return judged.scheme == "https" or host in {"localhost", "[::1]"} or host.startswith("127.")


class ModelSetting(BaseModel, extra="forbid", frozen=True):
    """A model by name.

    Attributes:
        provider: How it is spoken to: ``openai`` (also whoever speaks as OpenAI does), ``anthropic``, ``google``,
            ``ollama``, or ``local`` for a server of one's own that speaks as OpenAI does.
        base_url: Where it is served; the provider's own address where absent.
        key: ``secret:NAME``, the handle of its key; none where it needs none.
        answers: How it is held to a schema: by its own structured output (``schema``) or as arguments of a tool
            (``tool``); ``auto`` takes what its provider does best.
        max_tokens: Tokens that an answer may have.
        timeout_s: Seconds that an answer may take.
        tokens_budget: Tokens of questions and answers together that one run may use.
        usd_budget: Dollars that one run may cost.
        tokens_a_day: Tokens that a day may use.
        usd_a_day: Dollars that a day may cost.
    """

    provider: Provider
    model: str = Field(min_length=1, max_length=200)
    base_url: str | None = None
    key: str | None = None
    answers: AnswerForm = "auto"
    max_tokens: _Count = 2000
    timeout_s: float = Field(default=60.0, gt=0, le=3600)
    tokens_budget: _Count = 100_000
    usd_budget: _Amount = 1.0
    tokens_a_day: _Count = 2_000_000
    usd_a_day: _Amount = 10.0
    price_in: _Amount = 0.0
    price_out: _Amount = 0.0

    @field_validator("key")
    @classmethod
    def _check_key(cls, value: str | None) -> str | None:
        """Refuse a key itself: it would stand in a file that is read, copied and shown."""
        if value is not None and read_handle(value) is None:
            raise ValueError("write the handle of a secret, such as secret:openai, and never the key itself")
        return value

    @field_validator("base_url")
    @classmethod
    def _check_address(cls, value: str | None) -> str | None:
        """Refuse what is no address of a server, and one with a password in it."""
        if value is None:
            return value
        try:
            judged = judge_address(value)
        except SurehandError as error:
            raise ValueError(error.message) from None
        if judged.is_blank or "@" in value.partition("://")[2].partition("/")[0]:
            raise ValueError("write http://HOST:PORT/… or https://…, without a user name")
        return value

    def find_fault(self) -> str:
        """Return what is missing for it to be asked; empty where nothing is."""
        if self.provider in NEEDS_ADDRESS and self.base_url is None:
            return f"provider {self.provider} needs base_url"
        if self.key and self.base_url and not _is_sealed(self.base_url):
            return f"its key would go to {self.base_url} without encryption; use https"
        return ""

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """Return the dollars that so many tokens cost."""
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1_000_000
