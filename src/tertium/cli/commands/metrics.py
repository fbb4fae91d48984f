"""`tertium metrics`: what there is, with direction, range, settings and source."""

import sys
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.options import output_options
from tertium.cli.output.progress import warner
from tertium.cli.output.writing import RECORDS, emit, records_as, table
from tertium.errors import TertiumError, UnknownNameError

if TYPE_CHECKING:
    from tertium.metrics import Metric


@click.command("metrics")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@output_options
def command(names: tuple[str, ...], style: str, output: str | None, quiet: bool, no_color: bool) -> None:
    """Show the metrics there are, a line each; of those named, range, settings with defaults, source.

    \b
    Examples:
      tertium metrics
      tertium metrics bleu
      tertium metrics --format json
    """
    from tertium.metrics import ALIASES, METRICS
    from tertium.metrics.plugins import plugin, plugin_names

    known = {metric.name: metric for metric in METRICS}
    for name in plugin_names():
        try:
            brought = plugin(name)
        except TertiumError as error:
            warner(quiet)(f"{error} It is left out.")
            continue
        if name in known:
            warner(quiet)(f"Another package brings a metric called {name}, too; ours is used.")
        elif brought is not None:
            known[name] = brought
    wanted = {ALIASES.get(name, name).partition(":")[0] for name in names}
    for name in sorted(wanted - set(known)):
        raise UnknownNameError.of("metric", name, [*known, *ALIASES])
    cards = [_card(metric) for name, metric in known.items() if not names or name in wanted]
    if style in RECORDS:
        flat = [
            {**card, "settings": "; ".join(f"{k}={v['default']}" for k, v in card["settings"].items())}
            for card in cards
        ]
        rows = cards if style in ("json", "jsonl") else flat
        emit(records_as(style, rows, head={"aliases": ALIASES}, key="metrics"), output)
        return
    if style in ("markdown", "latex"):
        cells = [[c["metric"], k, s["default"], s["meaning"]] for c in cards for k, s in c["settings"].items()]
        emit(table(style, ["metric", "setting", "default", "meaning"], cells, best=set(), texts=4), output)
        return
    text = "\n".join(map(_as_text, cards)) if names else "".join(map(_line, known.values()))
    if not names or any(name in ALIASES for name in names):
        aliases = "\n".join(f"  {alias:<8} {meaning}" for alias, meaning in ALIASES.items())
        text += (
            f"\nAliases\n{aliases}\n\nThe mean of segment scores of any metric: averaged-NAME, such as averaged-bleu.\n"
            "A weighted sum of metrics: NAME+NAME, such as cder+per:weights=0.6+0.4.\n"
            + ("" if names else "Settings, range and source of a metric: tertium metrics NAME.\n")
        )
    emit(text, output)


def _line(metric: "type[Metric]") -> str:
    """Return what a metric is on one line: its name, the better direction, what its file says of it."""
    said = (sys.modules[metric.__module__].__doc__ or metric.__doc__ or "").strip().splitlines()[0]
    return f"{metric.name:<7}{'↑' if metric.higher_is_better else '↓'} {said.partition(': ')[2] or said}\n"


def _card(metric: "type[Metric]") -> dict[str, Any]:
    from tertium.metrics.composed import MeanOfScores
    from tertium.metrics.plugins import package_of
    from tertium.metrics.settings import settings_of

    usual = metric()
    written = usual.settings()
    least, most = usual.limits
    return {
        "metric": metric.name,
        "title": getattr(usual, "title", "") or metric.name,
        "package": "tertium" if metric.__module__.startswith("tertium.") else package_of(metric.name),
        "higher_is_better": metric.higher_is_better,
        "direction": "maximize" if metric.higher_is_better else "minimize",
        "range": metric.range,
        "minimum": least,
        "maximum": most,
        "perfect": usual.perfect,
        "scale": "percent" if usual.perfect is not None or most == 100 else "unbounded",
        "reads": ["hypothesis", "reference"],
        "references": "one or more, their number may vary by segment",
        "source_text": False,
        "levels": ["segment", "document", "corpus"],
        "additive": True,
        "corpus_is_mean_of_segments": isinstance(usual, MeanOfScores),
        "learns_from_references": not usual.is_fitted,
        "aligns": usual.aligns,
        "columns": list(usual.columns) if usual.is_fitted else None,
        "aggregation": metric.aggregation,
        "source": metric.source,
        "summary": (metric.__doc__ or "").strip().splitlines()[0],
        "settings": {
            name: {
                "default": written[name],
                "choices": list(one.choices),
                "meaning": one.meaning,
                "expected": one.expected if one.number or one.whole else None,
            }
            for name, one in settings_of(metric).items()
        },
    }


def _as_text(card: dict[str, Any]) -> str:
    direction = "higher is better" if card["higher_is_better"] else "lower is better"
    lines = [card["metric"], f"  {card['summary']}", f"  {card['range']}, {direction}; {card['aggregation']}"]
    lines += [f"  source: {card['source']}", "  settings:"]
    for name, setting in card["settings"].items():
        values = ", ".join(setting["choices"]) or setting["expected"]
        choices = f" ({values})" if values else ""
        lines.append(f"    {name}={setting['default']}: {setting['meaning']}{choices}")
    return "\n".join(_wrapped(line) for line in lines) + "\n"


def _wrapped(line: str) -> str:
    import textwrap

    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return "\n".join(textwrap.wrap(line, 80, subsequent_indent=indent, break_on_hyphens=False)) or line
