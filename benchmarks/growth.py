"""How do costs grow with the number of segments, tokens, references, systems and threads?

    python -m benchmarks.growth            measures, prints tables, says what bends upwards
    python -m benchmarks.growth --write    also draws docs/images/growth-*.svg

Processor time (for threads: time on the wall), the shortest of some runs. What doubles with its input grows by the
power of 1, and nothing may exceed that by more than chance. The tokens of a segment grow while those of all segments
stay as many: what compares each word of a segment with each grows by the power of 1, too, n-grams hardly at all.
"""

import argparse
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import tertium
from benchmarks.measure import least, machine, print_table
from benchmarks.texts import Pairs, generated
from tertium.report.drawing import palette, svg
from tertium.report.drawing.svg import Drawing, Scale, element

IMAGES = Path(__file__).parents[1] / "docs" / "images"
METRICS = ("bleu", "chrf", "nist", "wer", "per", "cder", "ter", "terp", "meteor")
SIZES = {
    "segments": (1000, 2000, 4000, 8000, 16_000),
    "tokens": (10, 20, 40, 80, 160, 320),
    "references": (1, 2, 4, 8),
    "systems": (1, 2, 4, 8),
    "threads": (1, 2),
}
LABELS = {
    "segments": "segments",
    "tokens": "tokens of a segment",
    "references": "references of a segment",
    "systems": "systems",
    "threads": "threads",
}
Work = Callable[[], object]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="draw the pictures of the documentation")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=list(SIZES), default=list(SIZES), help="what grows")
    options = parser.parse_args(arguments)
    texts = generated(SIZES["segments"][-1])
    notes = [machine()]
    for kind in options.only:
        sizes = SIZES[kind]
        clock = time.perf_counter if kind == "threads" else time.process_time
        found = {
            name: [least(work, repeats=options.repeats, clock=clock) for work in _works(kind, name, texts)]
            for name in METRICS
        }
        print_table(
            f"Cost against {LABELS[kind]}, seconds",
            ["metric", *(f"{size:,}" for size in sizes), "growth"],
            [[name, *(f"{one:.4f}" for one in costs), f"{growth(sizes, costs):.2f}"] for name, costs in found.items()],
            notes,
        )
        notes = []
        for name, costs in found.items():
            if bends(sizes, costs):
                print(f"\n{name} bends upwards.")
        if options.write:
            path = IMAGES / f"growth-{kind}.svg"
            path.write_text(picture(kind, sizes, found), encoding="utf-8")


def growth(sizes: Sequence[int], costs: Sequence[float]) -> float:
    """Return the power by which costs grow over the upper half of the sizes: what is fixed has faded there."""
    middle = (len(sizes) - 1) // 2
    return math.log(costs[-1] / costs[middle]) / math.log(sizes[-1] / sizes[middle])


def bends(sizes: Sequence[int], costs: Sequence[float]) -> bool:
    """Say whether costs grow faster than their input, by more than chance."""
    return growth(sizes, costs) > 1.35


def _works(kind: str, name: str, texts: Pairs) -> list[Work]:
    return [_work(kind, name, texts, size) for size in SIZES[kind]]


def _work(kind: str, name: str, texts: Pairs, size: int) -> Work:
    """Return one scoring in which one number is `size` and the others stay as they are."""
    hypotheses, references, threads = texts.hypotheses[:1000], texts.references[:1000], 1
    given: Any = hypotheses
    grouped: Any = references
    if kind == "segments":
        given, grouped = texts.hypotheses[:size], texts.references[:size]
    elif kind == "tokens":
        given, grouped = (_of_length(side, size) for side in (hypotheses, references))
    elif kind == "references":
        grouped = [[texts.references[(i + 17 * k) % len(texts)] for k in range(size)] for i in range(1000)]
    elif kind == "systems":
        given = {f"s{k}": texts.hypotheses[k : k + 1000] for k in range(size)}
    else:
        given, grouped, threads = texts.hypotheses, texts.references, size
    metric = tertium.parse_metric(name)
    work: Work = lambda: tertium.score(metric, given, grouped, threads=threads)  # noqa: E731
    work()  # words are looked up, tables are loaded
    return work


def _of_length(side: list[str], size: int) -> list[str]:
    """Return segments of `size` tokens each: what there is, run together and cut again."""
    words = " ".join(side).split()
    count = max(4, min(len(words), 16_000) // size)
    return [" ".join((words * 2)[k * size : (k + 1) * size]) for k in range(count)]


def picture(kind: str, sizes: Sequence[int], found: dict[str, list[float]]) -> str:
    """Draw the costs on scales of doublings: a straight line is a power, the dashed one is what to expect."""
    width, height, left, right, top, bottom = 560.0, 340.0, 64.0, 450.0, 16.0, 292.0
    every = [one for costs in found.values() for one in costs]
    low, high = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))
    along = Scale(math.log2(sizes[0]), math.log2(sizes[-1]), left, right)
    above = Scale(low, high, bottom, top)
    parts = [
        element("style", palette.chart_css(palette.LIGHT)),
        element("rect", width=width, height=height, class_="paper"),
    ]
    for size in sizes:
        x = along(math.log2(size))
        parts += [svg.line(x, top, x, bottom, "grid"), svg.text(f"{size:,}", x, bottom + 16, "middle", "small")]
    for power in range(low, high + 1):
        y = above(power)
        parts += [svg.line(left, y, right, y, "grid"), svg.text(_seconds(power), left - 6, y + 4, "end", "small")]
    parts += [
        _guide(kind, sizes, found, along, above),
        svg.text(LABELS[kind], (left + right) / 2, height - 12, "middle"),
    ]
    ends: list[float] = []
    for k, (name, costs) in sorted(enumerate(found.items()), key=lambda one: -one[1][1][-1]):
        points = [(along(math.log2(size)), above(math.log10(one))) for size, one in zip(sizes, costs, strict=True)]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        label = max([points[-1][1] + 4, *(end + 14 for end in ends[-1:])])
        ends.append(label)
        said = f"{name}: {', '.join(f'{one:.4g} s' for one in costs)}"
        parts.append(
            svg.titled(said, element("path", d=path, class_=f"curve l{k % palette.SERIES}"),
                       *(svg.marker(k // palette.SERIES, x, y, f"f{k % palette.SERIES}") for x, y in points),
                       svg.text(name, right + 10, label))
        )  # fmt: skip
    title = f"Seconds against {LABELS[kind]}, one line for each metric"
    return Drawing(width, height, title, tuple(parts)).svg(width=width, height=height) + "\n"


def _guide(kind: str, sizes: Sequence[int], found: dict[str, list[float]], along: Scale, above: Scale) -> str:
    """Return a dashed line that doubles with the input, or is halved by twice the threads, from the lowest cost on."""
    start = math.log10(min(costs[0] for costs in found.values()))
    steps = math.log10(sizes[-1] / sizes[0]) * (-1 if kind == "threads" else 1)
    return element(
        "line", x1=along(math.log2(sizes[0])), y1=above(start), x2=along(math.log2(sizes[-1])), y2=above(start + steps),
        class_="axis", stroke_dasharray="4 4",
    )  # fmt: skip


def _seconds(power: int) -> str:
    return {-6: "1 µs", -5: "10 µs", -4: "0.1 ms", -3: "1 ms", -2: "10 ms", -1: "0.1 s", 0: "1 s", 1: "10 s"}.get(
        power, f"1e{power} s"
    )


if __name__ == "__main__":
    main()
