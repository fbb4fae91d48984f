"""Does it pay to choose which segments are judged? Ranks from a chosen tenth against ranks from a random tenth.

Test sets with human scores of segments are halved at random, many times. In each half systems are ranked by the human
scores of a chosen tenth, and of a random tenth: how many pairs of systems have the same order as by all scores of the
whole set? The interval of the difference between chosen and random holds 95 of 100 halves.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.measure import machine, print_table
from tertium import CHRF
from tertium.annotate.exchange.importing import read_foreign
from tertium.annotate.selection import consistency, diversity, variance
from tertium.judgments import read_judgments
from tertium.metrics.base import Floats

Given = tuple[str, tuple[dict[str, list[str]], list[str]], Floats]  # name, outputs and references, human scores
SETS = (("wmt21.en-de", "MQM", "ref.A.txt"), ("wmt22.ja-en", "DA-z", None), ("wmt24.en-hi", "ESA", None))
STUDY = ("240520rc6ESA.scores.csv", "batches_wmt23_en-de_esa.json")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--share", type=float, default=0.1)
    options = parser.parse_args(arguments)
    folder = Path(os.environ.get("TERTIUM_ORACLE", ""))
    if not (folder / "data").is_dir():
        print("selection: TERTIUM_ORACLE has no data; passed over.", file=sys.stderr)
        return
    rows = []
    for name, texts, human in (*_sets(folder), _study(folder)):
        rows += _compared(name, texts, human, options.draws, options.share)
    print_table(
        f"Pairs of systems in the order that all judgments give, from {100 * options.share:g} % of the segments, "
        f"{options.draws:,} halves",
        ["test set", "systems", "segments", "chosen by", "chosen", "random", "difference"],
        rows,
        [machine()],
    )


def _sets(folder: Path) -> Iterator[Given]:
    for name, kind, reference in SETS:
        here = folder / "data" / name
        judged = read_judgments(str(here / "human.seg.tsv"))
        lines = {
            path.name.removeprefix("hyp.").removesuffix(".txt"): path.read_text("utf-8").split("\n")[:-1]
            for path in sorted(here.glob("hyp.*.txt"))
        }
        chosen = here / reference if reference else min(here.glob("ref.*.txt"))
        count = len(chosen.read_text("utf-8").split("\n")[:-1])
        scores = judged.oriented().segment_scores(kind, segments=count)
        systems = [system for system in lines if system in scores]
        human = np.stack([scores[system] for system in systems])
        kept = ~np.isnan(human).any(axis=0)
        texts = {system: [lines[system][k] for k in np.flatnonzero(kept)] for system in systems}
        references = chosen.read_text("utf-8").split("\n")[:-1]
        yield name, (texts, [references[k] for k in np.flatnonzero(kept)]), human[:, kept]


def _study(folder: Path) -> Given:
    """The ESA study of WMT23 English–German, outputs from its tasks; the human one among them is the reference."""
    scores, tasks = (str(folder / "annotation" / name) for name in STUDY)
    material, _ = read_foreign(tasks)
    judged = read_judgments(scores, tasks=tasks).of_kind("ESA")
    places = {name: k for k, name in enumerate(judged.segment_ids or ())}
    rows, kept = [], []
    seen: dict[str, int] = {}
    for row, document in enumerate(material.documents or ()):
        seen[document] = seen.get(document, 0) + 1
        if (place := places.get(f"{document}:{seen[document]}")) is not None:
            rows.append(row)
            kept.append(place)
    found = judged.segment_scores("ESA")
    systems = [name for name in material.systems if name in found and not name.endswith("refA")]
    human = np.stack([found[name][kept] for name in systems])
    full = ~np.isnan(human).any(axis=0)
    used = [row for row, whole in zip(rows, full, strict=True) if whole]
    texts = {name: [material.systems[name][row] for row in used] for name in systems}
    reference = next(lines for name, lines in material.systems.items() if name.endswith("refA"))
    return "wmt23.en-de, ESA study", (texts, [reference[row] for row in used]), human[:, full]


def _compared(
    name: str, given: tuple[dict[str, list[str]], list[str]], human: Floats, draws: int, share: float
) -> list[list[str]]:
    texts, references = given
    worths = {"diversity": diversity(texts)}
    if references:
        chrf = CHRF()
        metric = np.stack([chrf.score(chrf.statistics(lines, references)) for lines in texts.values()])
        worths |= {"variance of chrF": variance(metric), "consistency of chrF": consistency(metric)}
    rng = np.random.Generator(np.random.PCG64(1))
    count = human.shape[1]
    size = max(2, round(share * count / 2))
    whole = human.mean(axis=1)
    rows = []
    for method, worth in worths.items():
        found = []
        for _ in range(draws):
            drawn = rng.permutation(count)[: count // 2]
            order = np.argsort(-(worth[drawn] + 1e-9 * rng.random(len(drawn))))[:size]
            chosen, random = drawn[order], rng.choice(drawn, size, replace=False)
            found.append([_agreement(human[:, part].mean(axis=1), whole) for part in (chosen, random)])
        ours, theirs = np.array(found).T
        low, high = np.percentile(ours - theirs, [2.5, 97.5])
        rows.append(
            [name, str(len(human)), f"{count:,}", method, f"{100 * ours.mean():.1f} %", f"{100 * theirs.mean():.1f} %",
             f"{100 * (ours - theirs).mean():+.1f} [{100 * low:+.0f}, {100 * high:+.0f}]"]
        )  # fmt: skip
    return rows


def _agreement(ours: Floats, theirs: Floats) -> float:
    i, k = np.triu_indices(len(ours), 1)
    told = theirs[i] != theirs[k]
    return float(np.mean(np.sign(ours[i] - ours[k])[told] == np.sign(theirs[i] - theirs[k])[told]))


if __name__ == "__main__":
    main()
