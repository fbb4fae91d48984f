"""How often do the tests call equal systems different, and how often do intervals hold the truth?

Systems and scores are drawn from distributions that are known, many times. A test at 0.05 should reject one true
hypothesis in twenty, a 95 % interval should miss one truth in twenty; with 2,000 draws, chance moves both by about
one percentage point.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from benchmarks.measure import machine, print_table
from tertium import BLEU
from tertium.judgments import Judgments
from tertium.judgments.rank_rules import RULES
from tertium.meta import Task, compare_metrics, task_averages
from tertium.metrics import Averaged, Metric
from tertium.metrics.base import Floats
from tertium.scoring.imported_scores import ImportedScores
from tertium.significance import bca, percentile
from tertium.significance.bootstrap import bootstrapped
from tertium.significance.randomization import randomized, slack
from tertium.significance.runs import like_multeval
from tertium.significance.sampling import replicate_scores, state_of

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from significance.simulated import alike_runs, bleu_like, skewed, swapped_by_item

PLAIN = BLEU(tokenize="none")
MEAN = Averaged(PLAIN)
RANK_TESTS = ("two-sided", "perm-inputs", "perm-both")  # the default, and what the WMT tasks do


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=2000)
    options = parser.parse_args(arguments)
    rows = []
    for segments in (50, 200):
        rates = _rejections(options.draws, segments, documents=1)
        rows.append([f"BLEU, {segments} segments", *rates])
    rows.append(["mean of 200 alike in tens, by segment", *_rejections(options.draws, 200, documents=10, unit=1)])
    rows.append(["mean of 200 alike in tens, by document", *_rejections(options.draws, 200, documents=10, unit=10)])
    rows.append(["mean of 60, three runs that are alike", *_rejections(options.draws, 60, documents=0)])
    rows.append(["the same, run by run as MultEval", _multeval_rejections(options.draws, 60), "-"])
    print_table(
        f"Equal systems called different at 0.05, {options.draws:,} draws",
        ["data", "randomization", "bootstrap, two-sided"],
        rows,
        [machine()],
    )
    rows = [[f"{n} segments", *_coverage(options.draws, n)] for n in (50, 150, 500)]
    print_table(
        f"95 % intervals of the mean of skewed scores that hold the true mean, {options.draws:,} draws",
        ["data", "percentile", "BCa"],
        rows,
    )
    ways = [("pearson", "none"), ("kendall-b", "item"), ("acc-eq", "item")]
    draws = {test: options.draws // (1 if test == RANK_TESTS[0] else 4) for test in RANK_TESTS}
    rows = [[test, *(_metrics(test, *way, draws[test]) for way in ways)] for test in RANK_TESTS]
    print_table(
        f"Equal metrics called different at 0.05 on 8 systems x 60 items, {options.draws:,} draws, others a quarter",
        ["rank --test", *(f"{method}, group {group}" for method, group in ways)],
        rows,
    )
    print_table(
        f"The same on average over three tasks, {options.draws // 4:,} draws",
        ["rank --tasks", "two-sided"],
        [["Pearson in two language pairs, acc-eq in one", _averages(options.draws // 4)]],
    )
    rows = [[rule, *(_judged(rule, options.draws, n) for n in (30, 200))] for rule in RULES]
    print_table(
        f"Equal systems that people judged, called different at 0.05, {options.draws:,} draws",
        ["aggregate --clusters --like", "30 segments", "200 segments"],
        rows,
    )


def _rejections(draws: int, segments: int, *, documents: int, unit: int = 1) -> list[str]:
    rng = np.random.default_rng(segments + 7 * documents + unit)
    rejected = np.zeros(2)
    for draw in range(draws):
        metric, pair = _null_pair(rng, segments, documents)
        pair = [rows.reshape(-1, unit, rows.shape[1]).sum(axis=1) for rows in pair]
        chance = randomized(metric, pair, [(0, 1)], side=0, samples=999, seed=draw, threads=1)[0]
        replicates = replicate_scores(metric, pair, state_of(draw), 999, 1)
        real = np.array([float(metric.score(rows.sum(axis=0))) for rows in pair])
        tolerance = max(slack(metric, rows) for rows in pair)
        by_document = len(pair[0]) if unit > 1 else None
        drawn = bootstrapped(replicates[0], replicates[1], real, 0, tolerance, documents=by_document)
        rejected += [chance.p_value <= 0.05, drawn.p_value <= 0.05]
    return [f"{100 * share:.1f} %" for share in rejected / draws]


def _multeval_rejections(draws: int, segments: int) -> str:
    rng = np.random.default_rng(segments)
    rejected = 0
    for draw in range(draws):
        pair = [np.vstack(alike_runs(rng, segments)) for _ in range(2)]
        chance = like_multeval(MEAN, pair, [(0, 1)], runs=3, samples=999, seed=draw, threads=1)[0]
        rejected += chance.p_value_without_ties <= 0.05
    return f"{100 * rejected / draws:.1f} %"


def _null_pair(rng: np.random.Generator, segments: int, documents: int) -> tuple[Metric, list[Floats]]:
    if documents == 0:
        return MEAN, [sum(alike_runs(rng, segments)) for _ in range(2)]
    if documents == 1:
        return PLAIN, bleu_like(rng, segments)
    pair = []
    for _ in range(2):
        by_document = np.repeat(rng.normal(0, 1, size=segments // documents), documents)
        pair.append(np.column_stack([by_document + rng.normal(0, 1, size=segments), np.ones(segments)]))
    return MEAN, pair


def _coverage(draws: int, segments: int) -> list[str]:
    rng = np.random.default_rng(segments)
    hits = np.zeros(2)
    for draw in range(draws):
        rows, mean = skewed(rng, segments)
        replicates = replicate_scores(MEAN, [rows], state_of(draw), 1000, 1)[0]
        total = rows.sum(axis=0)
        found = [percentile(replicates), bca(replicates, float(MEAN.score(total)), 0.95, MEAN.score(total - rows))]
        hits += [low <= mean <= high for low, high in found]
    return [f"{100 * share:.1f} %" for share in hits / draws]


def _metrics(test: str, method: str, group: str, draws: int) -> str:
    """Two metrics of different kinds, swapped by a coin item by item: on the whole, neither is better."""
    rng = np.random.default_rng(len(method))
    differ = 0
    for draw in range(draws):
        metrics, human = swapped_by_item(rng, systems=8, items=60)
        found = compare_metrics(metrics, human, method=method, group=group, test=test, samples=199, seed=draw)
        differ += found.comparisons[0].significant
    return f"{100 * differ / draws:.1f} %"


def _averages(draws: int) -> str:
    """Two such metrics on average over Pearson and acc-eq of the segments of two language pairs."""
    rng = np.random.default_rng(11)
    names = tuple(f"s{k}" for k in range(6))
    tasks = [
        Task(level="segment", method="pearson", pairs=("x",)),
        Task(level="segment", method="pearson", pairs=("y",)),
        Task(level="segment", method="acc-eq", group="item", pairs=("x",)),
    ]
    differ = 0
    for draw in range(draws):
        sets = {}
        for pair in ("x", "y"):
            metrics, human = swapped_by_item(rng, systems=6, items=40)
            tables = {name: {"segment": dict(zip(names, one, strict=True))} for name, one in metrics.items()}
            judgments = Judgments.of(
                system=[name for name in names for _ in range(40)], segment=[*range(1, 41)] * 6, score=human.ravel()
            )
            sets[pair] = ImportedScores(names, 40, tables), judgments
        found = task_averages(sets, tasks, test="two-sided", samples=199, seed=draw)
        assert found.ranks is not None
        differ += found.ranks.comparisons.comparisons[0].significant
    return f"{100 * differ / draws:.1f} %"


def _judged(like: str, draws: int, segments: int) -> str:
    """Scores from 0 to 100, many of them at the top, as direct assessment gives them."""
    rng = np.random.default_rng(segments)
    rule = RULES[like]
    differ = 0
    for _ in range(draws):
        table = np.clip(np.round(rng.normal(75, 20, (2, segments))), 0, 100)
        p_values = rule.p_values(table, [None] * segments)
        np.fill_diagonal(p_values, 1)
        differ += bool(rule.wins(p_values, table.mean(axis=1), 0.05).any())
    return f"{100 * differ / draws:.1f} %"


if __name__ == "__main__":
    main()
