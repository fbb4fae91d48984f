"""What it costs to read tables: Arrow's columns, Polars, shards, Spark, each against the plain way.

    python -m benchmarks.scale [door] [polars] [shards] [poisson] [spark] [--lines N]

CPU seconds, the best of some runs; ratios are what counts. `shards` makes files of a million lines in a temporary
folder and scores them with two threads; `spark` needs Java and takes minutes.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.texts import pairs
from tertium import BLEU, CHRF
from tertium.metrics.base import Metric

SHARD = 1_000_000

# Runs the command and says how much memory it had at most, in KiB; what getrusage says may be its parent's.
_TOLD = """
import re, sys
from pathlib import Path
from tertium.cli.main import main
main()
sys.stderr.write(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


def cpu(work: Callable[[], Any], repeat: int = 5) -> float:
    """Return the least CPU seconds of some runs."""
    best = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def door(lines: int) -> None:
    """Compare rows from Arrow columns with rows from lists, one thread."""
    import pyarrow as pa

    texts = pairs(min(lines, 100_000))
    metrics: list[Metric] = [BLEU(), CHRF()]
    print(f"Rows from columns, {len(texts):,} pairs ({texts.origin}), one thread, CPU seconds")
    for metric in metrics:
        lists = cpu(lambda m=metric: m.statistics(texts.hypotheses, texts.references, threads=1), 9)  # type: ignore[misc]
        for kind in ("string", "large_string", "string_view"):
            ours, theirs = (pa.array(side, getattr(pa, kind)()) for side in (texts.hypotheses, texts.references))
            found = cpu(lambda m=metric, a=ours, b=theirs: m.statistics(a, b, threads=1), 9)  # type: ignore[misc]
            print(f"  {metric.name:5} lists {lists:.3f}  {kind:13} {found:.3f}  ratio {found / lists:.2f}")


def polars(lines: int) -> None:
    """Compare the expression with a Python function on strings."""
    import polars as pl

    import tertium.polars as tp

    texts = pairs(100_000)
    times = max(1, lines // len(texts))
    frame = pl.DataFrame({"hyp": texts.hypotheses * times, "ref": texts.references * times})
    metric = CHRF()

    def by_strings(series: pl.Series) -> pl.Series:
        fields = series.struct.unnest()
        rows = metric.statistics(fields["hyp"].to_list(), fields["ref"].to_list(), threads=1)
        return pl.Series(metric.score(rows))

    struct = pl.struct("hyp", "ref").map_batches(by_strings, return_dtype=pl.Float64)
    strings = cpu(lambda: frame.select(struct), 2)
    expression = cpu(lambda: frame.select(tp.chrf("hyp", "ref")), 2)
    print(
        f"Polars, chrF of {len(frame):,} pairs, CPU seconds: map_batches on strings {strings:.2f}, "
        f"expression {expression:.2f}"
    )
    print(f"  ratio {strings / expression:.2f}")


def made_shards(folder: Path, count: int, lines: int) -> None:
    """Write shards that are all alike, which costs nothing to make, as Parquet and as text."""
    import pyarrow as pa
    from pyarrow import parquet

    texts = pairs(100_000)
    times = lines // len(texts)
    table = pa.table({"hyp": texts.hypotheses * times, "ref": texts.references * times})
    parquet.write_table(table, folder / "part-0.parquet", row_group_size=100_000)
    for name, side in (("hyp", texts.hypotheses), ("ref", texts.references)):
        (folder / f"{name}-0.txt").write_text("".join(f"{line}\n" for line in side * times), encoding="utf-8")
    for k in range(1, count):
        os.link(folder / "part-0.parquet", folder / f"part-{k}.parquet")
        for name in ("hyp", "ref"):
            os.link(folder / f"{name}-0.txt", folder / f"{name}-{k}.txt")


def shards(lines: int) -> None:
    """Score shards of Parquet and of text with two threads, in a process of their own."""
    count = max(1, lines // SHARD)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made_shards(folder, count, min(lines, SHARD))
        print(f"Shards, {count} of {min(lines, SHARD):,} lines, BLEU, two threads")
        found = {}
        for kind, ours, theirs in (
            ("text", "hyp-*.txt", "ref-*.txt"),
            ("parquet", "part-*.parquet:hyp", "part-*.parquet:ref"),
        ):
            command = [
                sys.executable,
                "-c",
                _TOLD,
                "score",
                ours,
                "-r",
                theirs,
                "-m",
                "bleu",
                "--threads",
                "2",
                "--quiet",
            ]
            began = time.perf_counter()
            with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
                assert process.stderr is not None
                megabytes = int(process.stderr.read()) / 1024
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = status
            assert status == 0
            found[kind] = usage.ru_utime + usage.ru_stime
            wall = time.perf_counter() - began
            print(f"  {kind:8} {found[kind]:7.2f} CPU s, {wall:7.2f} s, {megabytes:.0f} MB at most")
        print(f"  ratio {found['parquet'] / found['text']:.2f}")


def poisson(lines: int) -> None:
    """Say what a thousand replicates cost beside the rows."""
    from tertium import _native

    texts = pairs(50_000)
    for metric in (BLEU(), CHRF()):
        rows = metric.statistics(texts.hypotheses, texts.references)
        keys = np.arange(len(rows), dtype=np.uint64)
        sums = np.zeros((rows.shape[1], 1000))
        drawn = cpu(lambda r=rows, k=keys, s=sums: _native.add_poisson_sums(r, k, seed=1, threads=1, sums=s), 2)  # type: ignore[misc]
        counted = cpu(lambda m=metric: m.statistics(texts.hypotheses, texts.references, threads=1), 2)  # type: ignore[misc]
        print(
            f"Bootstrap by keys, {metric.name}, {len(rows):,} rows: rows {counted:.2f} CPU s, "
            f"1000 replicates {drawn:.2f}"
        )


def spark(lines: int) -> None:
    """Score shards on Spark with two cores; a bare scan of the file and our own run beside it."""
    import tertium.spark
    from tertium.shards.patterns import found
    from tertium.shards.scoring import Shards, score_shards

    if shutil.which("java") is None:
        raise SystemExit("There is no Java, which Spark needs.")
    count = max(1, lines // SHARD)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made_shards(folder, count, min(lines, SHARD))
        ours, theirs = found(f"{folder}/part-*.parquet:hyp"), found(f"{folder}/part-*.parquet:ref")
        job = Shards({"hyp": ours}, [theirs])
        start = time.process_time()
        local = score_shards(job, {"bleu": BLEU()}, seed=1, threads=2, warn=print)
        own = time.process_time() - start
        with tertium.spark.session("local[2]") as session:
            _scan(session, folder)  # warm
            before = _all_cpu()
            _scan(session, folder)
            scan = _all_cpu() - before
            tertium.spark.score_patterns(job, {"bleu": BLEU()}, master=None, samples=0, seed=1)  # warm
            before = _all_cpu()
            remote = tertium.spark.score_patterns(job, {"bleu": BLEU()}, master=None, samples=0, seed=1)
            spent = _all_cpu() - before
        assert remote.totals["hyp"]["bleu"].tolist() == local.sums["hyp"].totals["bleu"].tolist()
        print(
            f"Spark local[2], {count * min(lines, SHARD):,} pairs, BLEU, CPU seconds: ours {own:.1f}, scan {scan:.1f}, "
            f"Spark {spent:.1f}"
        )
        print(f"  ratio to ours and the scan {spent / (own + scan):.2f}; the same integers")


def _scan(session: Any, folder: Path) -> None:
    from pyspark.sql import functions

    frame = session.read.parquet(*(str(path) for path in sorted(folder.glob("*.parquet"))))
    frame.select(functions.sum(functions.length("hyp")), functions.sum(functions.length("ref"))).collect()


def _all_cpu() -> float:
    """Return the CPU seconds of this process and of all it has started, Java and its workers among them."""
    ticks = os.sysconf("SC_CLK_TCK")
    children: dict[int, list[tuple[int, float]]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            spent = sum(int(one) for one in fields[11:15]) / ticks
            children.setdefault(int(fields[1]), []).append((int(entry.name), spent))
    total, queue = time.process_time(), [os.getpid()]
    while queue:
        for child, spent in children.get(queue.pop(), []):
            total += spent
            queue.append(child)
    return total


def main() -> None:
    """Run what was asked for."""
    parts = {"door": door, "polars": polars, "shards": shards, "poisson": poisson, "spark": spark}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="default: all but spark")
    parser.add_argument("--lines", type=int, default=SHARD)
    given = parser.parse_args()
    for name in given.parts or [part for part in parts if part != "spark"]:
        parts[name](given.lines)


if __name__ == "__main__":
    main()
