"""Metrics: what Prometheus may know of a service; numbers and names of routes, nothing of anybody."""

from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder

_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "WEBSOCKET"})


class Metrics:
    """Counts requests, and keeps what the service measures of itself: for everybody, and for each principal their own."""

    def __init__(self, *, is_whole: bool = True) -> None:
        """Begin at nothing, in a registry of its own.

        Args:
            is_whole: Whether it is that of the person at this machine, who is told of the process and of all principals.
        """
        self._registry = CollectorRegistry()
        self._others: dict[str, Metrics] = {}
        if is_whole:
            ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "surehand_http_requests",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "surehand_http_request_seconds",
            "Time from a request to the end of its answer.",
            ("method", "route"),
            buckets=_BUCKETS_S,
            registry=self._registry,
        )
        self._measured: dict[str, Gauge] = {}

    def count_request(self, noted: Mapping[str, Any]) -> None:
        """Count a request."""
        # A client chooses its method; each label would be kept for ever.
        method = noted["method"] if noted["method"] in _METHODS else "other"
        self._requests.labels(method, noted["route"], str(noted["status"])).inc()
        self._seconds.labels(method, noted["route"]).observe(noted["ms"] / 1000)
        if principal := noted["principal"]:
            self.choose(principal).count_request({**noted, "principal": ""})

    def choose(self, principal: str) -> "Metrics":
        """Return what a principal is told; empty for the person at this machine."""
        if principal and principal not in self._others:
            self._others[principal] = Metrics(is_whole=False)
        return self._others.get(principal, self)

    def take_measures(self, measured: Mapping[str, Any]) -> None:
        """Keep what the service says of itself; what is no number is left out."""
        for name, value in measured.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                self._find_gauge(name).set(value)

    def _find_gauge(self, name: str) -> Gauge:
        if name not in self._measured:
            words = name.removesuffix("_s").replace("_", " ")
            full = f"surehand_{name.removesuffix('_s')}_seconds" if name.endswith("_s") else f"surehand_{name}"
            self._measured[name] = Gauge(full, f"{words.capitalize()} of the service.", registry=self._registry)
        return self._measured[name]

    def write(self, accepted: str) -> tuple[bytes, str]:
        """Return all of it as text, and the text's type."""
        encode, media_type = choose_encoder(accepted)
        return encode(self._registry), media_type
