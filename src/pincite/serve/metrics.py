"""Metrics for Prometheus: requests, their duration, and what is waiting."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Each server has its own registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self.requests = Counter("pincite_requests", "Requests.", labels, registry=self.registry)
        self.seconds = Histogram(
            "pincite_request_seconds", "Duration of a request.", ("route",), buckets=BUCKETS, registry=self.registry
        )
        self.in_flight = Gauge("pincite_requests_in_flight", "Requests in progress.", registry=self.registry)
        self.waiting = Gauge("pincite_waiting", "Waiting questions.", ("collection",), registry=self.registry)
        self.documents = Gauge("pincite_documents", "Documents.", ("collection",), registry=self.registry)

    def text(self) -> bytes:
        return generate_latest(self.registry)
