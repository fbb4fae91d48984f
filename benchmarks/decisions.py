"""Do decisions keep their promises: intervals from people and a metric, a gate's alarms, a plan's power, a curve?

Everything is drawn from distributions that are known, many times. What misses 95 % by more than 1.5 points, or raises
more than 6 % false alarms, is marked with an exclamation mark.
"""

import argparse
from statistics import NormalDist

import numpy as np

from benchmarks.measure import machine, print_table
from tertium.judgments.components import Components
from tertium.judgments.metric_assisted import assisted
from tertium.judgments.planning import standard_error
from tertium.meta.thresholds import fitted
from tertium.metrics.base import Floats
from tertium.scoring.imported_scores import ImportedScores, scores_of
from tertium.significance.baselines import Baseline
from tertium.significance.gate import BETTER, WORSE, gate

SKEW = 0.75  # of exp(SKEW * normal), about as long a tail as MQM's
TRUE = Components(0, 9, 25, 16, 6, 30, 40)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--only", choices=["assisted", "gate", "plan", "curve"])
    options = parser.parse_args(arguments)
    for part in (_assisted_table, _gate_table, _plan_table, _curve_table):
        if options.only is None or part.__name__ == f"_{options.only}_table":
            part(np.random.Generator(np.random.PCG64(1)), options.draws)


def _assisted_table(rng: np.random.Generator, draws: int) -> None:
    rows = [
        [f"{segments:,} in {documents}", shape, *_assisted(rng, draws, segments, documents, shape)]
        for segments in (100, 500, 2000)
        for documents in (10, 30, 100)
        for shape in ("normal", "skewed")
    ]
    print_table(
        f"Means from people and a metric: 95 % intervals that hold the truth, and their width, {draws:,} draws",
        ["judged segments in documents", "scores", "useless: held", "width", "r = 0.6: held", "width", "people alone"],
        rows,
        [machine()],
    )


def _gate_table(rng: np.random.Generator, draws: int) -> None:
    rows = [
        [f"{segments:,}", shape, *_gate(rng, draws, segments, shape)]
        for segments in (100, 500, 2000)
        for shape in ("normal", "skewed")
    ]
    print_table(
        f"The gate at 0.05: equal systems stopped or called different, losses of the size it shows, {draws:,} draws",
        ["segments", "scores", "false alarms", "called different", "losses found"],
        rows,
        [machine()],
    )


def _plan_table(rng: np.random.Generator, draws: int) -> None:
    rows = [[f"{copies}", f"{size}", *_plan(rng, draws, copies, size)] for copies in (1, 2) for size in (1, 6)]
    print_table(
        f"Studies as planned for a power of 80 %, {draws:,} draws",
        ["judgments of each output", "segments per document", "segments", "differences found"],
        rows,
        [machine()],
    )


def _curve_table(rng: np.random.Generator, draws: int) -> None:
    rows = [[f"{systems}", *_curve(rng, draws, systems)] for systems in (10, 30)]
    print_table(
        f"Differences at which people agree about 75 of 100 pairs: 95 % intervals that hold the truth, {draws:,} draws",
        ["systems", "held"],
        rows,
        [machine()],
    )


def _alike(rng: np.random.Generator, documents: int, size: int) -> Floats:
    """Scores of which a fifth of the variance is the document's."""
    return np.sqrt(0.2) * np.repeat(rng.normal(size=documents), size) + np.sqrt(0.8) * rng.normal(size=documents * size)


def _assisted(rng: np.random.Generator, draws: int, segments: int, documents: int, shape: str) -> list[str]:
    """A third of all segments is judged, in whole documents."""
    size = max(1, segments // documents)
    names = np.repeat(np.arange(3 * documents), size).tolist()
    judged = np.array(names) < documents
    truth = -np.exp(SKEW**2 / 2) if shape == "skewed" else 0.0
    found: dict[float, list[tuple[bool, float]]] = {0.0: [], 0.6: []}
    alone = []
    for _ in range(draws):
        people, other = _alike(rng, 3 * documents, size), _alike(rng, 3 * documents, size)
        human = -np.exp(-SKEW * people) if shape == "skewed" else people
        for agreement, results in found.items():
            metric = agreement * people + np.sqrt(1 - agreement**2) * other
            one = assisted(np.where(judged, human, np.nan), metric, documents=names)
            results.append((one.low <= truth <= one.high, (one.high - one.low) / (one.human_high - one.human_low)))
        alone.append(one.human_low <= truth <= one.human_high)
    cells = []
    for results in found.values():
        held, width = np.array(results, np.float64).mean(axis=0)
        cells += [_held(held), f"{width:.3f}"]
    return [*cells, _held(float(np.mean(alone)))]


def _held(share: float) -> str:
    return f"{100 * share:.1f} %{' !' if abs(share - 0.95) > 0.015 else ''}"


def _gate(rng: np.random.Generator, draws: int, segments: int, shape: str) -> list[str]:
    alarms = different = found = 0
    for _ in range(draws):
        before, noise = rng.normal(size=segments), rng.normal(size=(2, segments))
        if shape == "skewed":
            noise = np.exp(SKEW * noise)
        ours, theirs = before + noise
        decision = _decided(theirs, ours)
        alarms += decision.verdict == WORSE
        different += decision.verdict in (WORSE, BETTER)
        shows = decision.checks[0].detectable
        assert shows is not None
        found += _decided(theirs, ours - shows).verdict == WORSE
    rate = alarms / draws
    return [
        f"{100 * rate:.1f} %{' !' if rate > 0.06 else ''}",
        f"{100 * different / draws:.1f} %",
        f"{100 * found / draws:.0f} %",
    ]


def _decided(before: Floats, now: Floats):  # type: ignore[no-untyped-def]
    def scores(values: Floats):  # type: ignore[no-untyped-def]
        return scores_of(ImportedScores(("s",), len(values), {"m": {"segment": {"s": values}}}))

    kept = Baseline.of(scores(before), "s", references="", source="")
    return gate(scores(now), kept, samples=1000, threads=1)


def _plan(rng: np.random.Generator, draws: int, copies: int, size: int) -> list[str]:
    """Draw studies with as many segments as are needed, and test the difference by documents."""
    difference = 3.0
    one = standard_error(TRUE, segments=1, documents=1 / size, raters=copies)
    documents = int(np.ceil((one * (1.959964 + 0.841621) / difference) ** 2 / size))
    v = {name: np.sqrt(value or 0.0) for name, value in TRUE.to_dict().items()}
    found = 0
    for _ in range(draws):
        by_document = rng.normal(0, v["system_document"], (2, documents)).repeat(size, axis=1)
        raters = rng.normal(0, v["rater"], (copies, 2, documents)).repeat(size, axis=2)
        outputs = rng.normal(0, v["system_segment"], (2, documents * size))
        errors = rng.normal(0, v["error"], (copies, 2, documents * size))
        scores = by_document + outputs + (raters + errors).mean(axis=0)
        apart = (scores[0] - scores[1] + difference).reshape(documents, size).mean(axis=1)
        found += abs(apart.mean()) / (apart.std(ddof=1) / np.sqrt(documents)) > 1.959964
    return [f"{documents * size:,}", f"{100 * found / draws:.1f} %"]


def _curve(rng: np.random.Generator, draws: int, systems: int) -> list[str]:
    def both(count: int) -> tuple[Floats, Floats]:
        quality = rng.normal(0, 2, count)
        return quality + rng.normal(0, 1.5, count), quality

    share = 2**2 / (2**2 + 1.5**2)  # of a difference by the metric that is real; what is left is normal
    truth = NormalDist().inv_cdf(0.75) * np.sqrt(2 * 2**2 * (1 - share)) / share
    held = 0
    for _ in range(draws):
        one = fitted(*both(systems), samples=200).needed[3]
        held += one.low <= truth <= one.high
    return [_held(held / draws)]


if __name__ == "__main__":
    main()
