"""What was measured last on each kind of processor: `benchmarks/results.json`, and the README's tables made from it.

Ratios differ between processors by up to a half, so a row is held against what was recorded on the same kind alone.

python -m benchmarks.results      writes the tables into README.md
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.race import Row

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("results.json")
README = ROOT / "README.md"
SLACK = 0.75  # of the last recorded ratio: what lies below has fallen behind

# The rows of the short table: what the reader knows, and the contests in which we meet it.
KNOWN = {
    "sacreBLEU 2.6, BLEU": ("BLEU",),
    "sacreBLEU 2.6, chrF and chrF++": ("chrF", "chrF++"),
    "sacreBLEU 2.6, TER of sentences up to 20 words": ("TER, up to 20 tokens",),
    "sacreBLEU 2.6, TER of longer ones": ("TER, 21 to 45 tokens", "TER, more than 45 tokens"),
    "jiwer 4, WER": ("WER",),
    "METEOR 1.5's program": ("METEOR 1.5",),
    "sacreBLEU 2.6, significance tests": ("randomization test", "bootstrap"),
}


def recorded() -> dict[str, dict[str, Any]]:
    """Return what was measured, by processor; what was measured last stands last."""
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}


def last_rows(processor: str) -> dict[str, dict[str, Any]]:
    """Return the rows that were recorded on this kind of processor, by their names."""
    return {row["name"]: row for row in recorded().get(processor, {"rows": []})["rows"]}


def fallen(rows: Sequence[Row], last: dict[str, dict[str, Any]]) -> list[str]:
    """Return a sentence for each row that fell behind its last recorded ratio by a quarter or more.

    A row that takes less time than it did is not behind: what stands beside it, BLEU for instance, became faster.
    """
    return [
        f"{row.name}: {row.ratio:.2f} times as fast as {row.peer}, {last[row.name]['ratio']:.2f} before."
        for row in rows
        if row.name in last and row.ratio < SLACK * last[row.name]["ratio"] and row.ours > last[row.name]["ours"]
    ]


def record(rows: Sequence[Row], processor: str, **about: object) -> None:
    """Write the rows over those of the same names and processor; what was not measured now is kept."""
    found = recorded()
    before = found.pop(processor, {"rows": []})["rows"]
    kept = {row["name"]: row for row in before} | {row.name: row.to_dict() for row in rows}
    found[processor] = {**about, "rows": list(kept.values())}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def seconds(value: float) -> str:
    """Return a duration with three digits and the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.0f} ns"


def times(ratio: float) -> str:
    """Return how many times as fast, with two or three digits."""
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2g}x"


def tables(found: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the README's tables by the name of their place: ratios on all processors, all rows of the last one."""
    short = ["| the same numbers as | how many times as fast |", "|---|---|"]
    for known, contests in KNOWN.items():
        ratios = [
            row["ratio"]
            for one in found.values()
            for row in one["rows"]
            if row["name"].removesuffix(" (WMT22)") in contests
        ]
        if ratios:
            ends = [f"{one:,}" for one in sorted({_rounded(min(ratios)), _rounded(max(ratios))})]
            short.append(f"| {known} | {' to '.join(ends)} |")
    long = ["| what | tertium | beside it | | ratio |", "|---|---:|---|---:|---:|"]
    last = list(found.values())[-1]
    for row in last["rows"]:
        unit = f" a {row['unit']}" if row["unit"] else ""
        ours, theirs = f"{seconds(row['ours'])}{unit}", seconds(row["theirs"])
        long.append(f"| {row['name']} | {ours} | {row['peer']} | {theirs} | {times(row['ratio'])} |")
    return {"faster": "\n".join(short), "speed": "\n".join([*long, "", f"Measured on {last['machine']}."])}


def _rounded(ratio: float) -> int:
    """Return two digits of a ratio, rounded down."""
    step = 10 ** max(0, len(str(int(ratio))) - 2)
    return int(ratio) // step * step


def written(text: str, found: dict[str, dict[str, Any]]) -> str:
    """Return the README with the tables in their places."""
    for place, table in tables(found).items():
        begin, end = f"<!-- {place}: begin -->\n", f"<!-- {place}: end -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}{table}\n{end}{after}"
    return text


if __name__ == "__main__":
    README.write_text(written(README.read_text(encoding="utf-8"), recorded()), encoding="utf-8")
