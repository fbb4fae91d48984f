"""Metrics of other packages: those that an installed package names in the entry point group `tertium.metrics`.

They are looked for when a name is not one of ours, or when all metrics are listed, and never before: that costs time.
"""

from dataclasses import is_dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from tertium.errors import InputError
from tertium.metrics.base import Metric

GROUP = "tertium.metrics"


@cache
def _found() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def plugin_names() -> tuple[str, ...]:
    """Return the names of metrics that other packages bring."""
    return tuple(_found())


def package_of(name: str) -> str:
    """Return the package, with its version, that brings a metric."""
    source = _found()[name].dist if name in _found() else None
    return "an unknown package" if source is None else f"{source.name} {source.version}"


def plugin(name: str) -> type[Metric] | None:
    """Return a metric of another package; None if none brings it."""
    point = _found().get(name)
    if point is None:
        return None
    where = f"The metric '{name}' of {package_of(name)}"
    try:
        metric = point.load()
    except (Exception, SystemExit) as error:  # whatever another package does when it is imported
        raise InputError(f"{where} cannot be loaded: {type(error).__name__}: {error}.") from error
    if not (isinstance(metric, type) and issubclass(metric, Metric) and is_dataclass(metric)):
        raise InputError(f"{where} is {metric!r:.60}, but a frozen dataclass derived from tertium.Metric is expected.")
    if missing := sorted(metric.__abstractmethods__):
        raise InputError(f"{where} does not say how these work: {', '.join(missing)}. See tertium.Metric.")
    if metric.name != name:
        raise InputError(f"{where} calls itself '{metric.name}': its name and its entry point must be the same.")
    return metric
