"""A folder with a small file of every kind that commands read, and command lines that read them."""

import json
from pathlib import Path

import numpy as np
from tests.corpus import samples

from tools.attack.commands import run

TWO = ["north.txt", "south.txt", "-r", "reference.a.txt"]
JUDGED = [*TWO, "--judgments", "judgments.tsv"]
GATE = ["gate", "north.txt", "-r", "reference.a.txt", "-m", "bleu"]

# Each command, as it is used; `out` is what it writes. Whatever else is named and exists is read.
LINES: dict[str, list[str]] = {
    "score": ["score", *TWO, "-m", "bleu", "-m", "chrf", "--level", "segment", "--format", "tsv", "--output", "out"],
    "score documents": ["score", *TWO, "--documents", "documents.txt", "--level", "document", "--output", "out"],
    "score terp": ["score", *TWO, "-m", "terp:paraphrases=phrases.tsv,stopwords=stop.txt", "--output", "out"],
    "score meteor": ["score", *TWO, "-m", "meteor:function_words=stop.txt,synonyms=words.txt", "--output", "out"],
    "score rows": ["score", "table.parquet:hyp", "-r", "table.parquet:ref", "-m", "bleu", "--rows", "out.parquet"],
    "score tsv": ["score", "table.tsv:sys", "-r", "table.tsv:one", "-r", "table.tsv:two", "-m", "chrf"],
    "score csv": ["score", "table.csv:sys", "-r", "table.csv:one", "-m", "chrf"],
    "score jsonl": ["score", "table.jsonl:sys", "-r", "table.jsonl:refs", "-m", "chrf"],
    "score parquet": ["score", "table.parquet:hyp", "-r", "table.parquet:ref", "-m", "chrf"],
    "score xml": ["score", "set.xml", "-r", "set.xml", "-m", "chrf"],
    "score sgml": ["score", "hyp.sgm", "-r", "ref.sgm", "-m", "nist"],
    "score trans": ["score", "hyp.trans", "-r", "ref.trans", "-m", "ter"],
    "score tmx": ["score", "memory.tmx:xx", "-r", "memory.tmx:zz", "-m", "bleu"],
    "score xliff": ["score", "job.xlf:alternative", "-r", "job.xlf:target", "-m", "bleu"],
    "score xliff 2": ["score", "job2.xlf:alternative", "-r", "job2.xlf:target", "-m", "bleu"],
    "score xlsx": ["score", "sheet.xlsx:sys", "-r", "sheet.xlsx:one", "-m", "wer"],
    "score ods": ["score", "sheet.ods:sys", "-r", "sheet.ods:one", "-m", "per"],
    "score gz": ["score", "hyp.txt.gz", "-r", "one.txt", "-m", "cder"],
    "score xz": ["score", "hyp.txt.xz", "-r", "one.txt", "-m", "chrf++"],
    "score bz2": ["score", "hyp.txt.bz2", "-r", "one.txt", "-m", "bleu:tokenize=intl"],
    "align": ["align", "north.txt", "-r", "reference.a.txt", "--output", "out"],
    "align html": ["align", "north.txt", "-r", "reference.a.txt", "-m", "meteor", "--output", "out.html"],
    "align pra": ["align", "north.txt", "-r", "reference.a.txt", "--format", "pra", "--output", "out"],
    "compare": ["compare", *TWO, "-m", "bleu", "--samples", "200", "--format", "json", "--output", "out"],
    "compare scores": ["compare", *TWO, "-m", "bleu", "--samples", "99", "--scores", "scores.tsv", "--output", "out"],
    "compare plot": ["compare", *TWO, "-m", "bleu", "--samples", "200", "--plot", "out.svg"],
    "compare report": ["compare", *TWO, "-m", "bleu", "--samples", "200", "--report", "out.html"],
    "gate": [*GATE, "--baseline", "base.json", "--output", "out"],
    "gate update": [*GATE, "--update", "--baseline", "out.json"],
    "gate junit": [*GATE, "--baseline", "base.json", "--junit", "out.xml"],
    "correlate": ["correlate", *JUDGED, "-m", "bleu", "--output", "out"],
    "correlate plot": ["correlate", *JUDGED, "-m", "bleu", "-m", "chrf", "--plot", "out.svg"],
    "rank": ["rank", *JUDGED, "-m", "bleu", "-m", "chrf", "--samples", "50", "--output", "out"],
    "rank report": ["rank", *JUDGED, "-m", "bleu", "-m", "chrf", "--samples", "50", "--report", "out.html"],
    "shared-task": ["shared-task", "mini24", "en-de", "--kind", "mqm", "--samples", "20", "--out", "out.tables"],
    "judgments info": ["judgments", "info", "judgments.tsv"],
    "judgments import": ["judgments", "import", "judgments.tsv", "--output", "out"],
    "judgments pearmut": ["judgments", "import", "campaign.jsonl", "--output", "out"],
    "judgments mtme": ["judgments", "info", "mini24/human-scores/en-de.mqm.seg.score"],
    "judgments study": ["judgments", "aggregate", "study.db", "--output", "out"],
    "judgments aggregate": ["judgments", "aggregate", "judgments.tsv", "--output", "out"],
    "judgments normalise": ["judgments", "normalise", "judgments.tsv", "--output", "out"],
    "judgments pairs": ["judgments", "pairs", "judgments.tsv", "--output", "out"],
    "judgments raters": ["judgments", "raters", "judgments.tsv", "--output", "out"],
    "judgments agreement": ["judgments", "agreement", "judgments.tsv", "--samples", "20", "--output", "out"],
    "judgments hter": ["judgments", "hter", "north.txt", "--post-edit", "south.txt", "--output", "out"],
    "judgments forms": ["judgments", "forms", "--format", "json", "--output", "out"],
    "tune": ["tune", *JUDGED, "-m", "terp:costs=ter", "--free", "shift", "--split", "segment",
             "--restarts", "1", "--rounds", "1", "--samples", "9",
             "--output", "out"],
    "orange": ["orange", "nbest.txt", "-r", "reference.a.txt", "-r", "reference.b.txt", "--samples", "9",
               "--output", "out"],
    "mbr": ["mbr", "nbest.txt", "--weights", "weights.txt", "--output", "out"],
    "mbr jsonl": ["mbr", "nbest.jsonl", "-m", "bleu", "--method", "prune", "--format", "jsonl", "--output", "out"],
    "best": ["best", "nbest.txt", "-r", "reference.a.txt", "--with-scores", "--output", "out"],
    "pairwise": ["pairwise", "north.txt", "south.txt", "-m", "wer", "--output", "out.tsv"],
    "pairwise npy": ["pairwise", "north.txt", "south.txt", "--output", "out.npy"],
    "pairwise parquet": ["pairwise", "north.txt", "south.txt", "--output", "out.parquet"],
    "resegment": ["resegment", "stream.txt", "-r", "reference.a.txt", "--output", "out"],
    "resegment yaml": ["resegment", "talks.txt", "-r", "talks.ref.txt", "--segments", "talks.yaml", "--output", "out"],
    "latency": ["latency", "instances.log", "-r", "talks.ref.txt", "--output", "out"],
    "latency stream": ["latency", "talks.log", "-r", "talks.ref.txt", "--segments", "talks.yaml", "--output", "out"],
    "merge": ["merge", "rows.parquet", "--output", "out"],
    "metrics": ["metrics", "--format", "json", "--output", "out"],
    "explain": ["explain", "bleu|refs=1|tertium=0.1.0", "--output", "out"],
    "testsets list": ["testsets", "list", "--format", "json", "--output", "out"],
    "testsets add": ["testsets", "add", "mine", "-l", "en-de", "-r", "reference.a.txt", "--source", "north.txt"],
    "testsets archive": ["testsets", "add", "wmt17", "archive.tgz"],
    "resources add": ["resources", "add", "paraphrases", "mine", "phrases.tsv"],
    "paraphrases convert": ["paraphrases", "convert", "phrases.tsv", "out.tsv"],
    "paraphrases index": ["paraphrases", "convert", "phrases.tsv", "out.index"],
    "paraphrases info": ["paraphrases", "info", "table.index"],
    "paraphrases extract": ["paraphrases", "extract", "--bitext", "north.txt", "south.txt", "--links", "links.txt",
                            "--output", "out.tsv"],
    "annotate new": ["annotate", "new", "out.db", "--source", "south.txt", "north.txt", "south.txt", "--documents",
                     "documents.txt"],
    "annotate import": ["annotate", "import", "out.db", "campaign.json"],
    "annotate status": ["annotate", "status", "study.db", "--output", "out"],
    "annotate export": ["annotate", "export", "study.db", "--output", "out"],
    "annotate report": ["annotate", "report", "study.db", "--output", "out.html"],
    "annotate page": ["annotate", "page", "study.db", "--annotator", "A01", "--output", "out.html"],
    "annotate links": ["annotate", "links", "study.db"],
    "annotate backup": ["annotate", "backup", "study.db", "out.db"],
    "annotate collect": ["annotate", "collect", "study.db", "result.json"],
    "annotate plan": ["annotate", "plan", "--judgments", "judgments.tsv", "--difference", "1", "--output", "out"],
    "annotate select": ["annotate", "select", *TWO, "-m", "bleu", "--budget", "3", "--output", "out"],
    "sacrebleu": ["sacrebleu", "reference.a.txt", "-i", "north.txt", "-m", "bleu", "chrf", "ter"],
    "demo": ["demo", "--keep", "out.demo"],
}  # fmt: skip


def fill(folder: Path) -> None:
    """Write all the files that the lines above read."""
    demo = Path(__file__).parents[2] / "src" / "tertium" / "data" / "demo"
    for file in demo.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    for name, content in samples.files().items():
        (folder / name).write_bytes(content)
    north, south = (_lines(folder / f"{name}.txt") for name in ("north", "south"))
    made = {
        "table.parquet": _parquet(north, south),
        "stop.txt": "the\na\nof\n",
        "words.txt": "boat\tship\n",
        "phrases.tsv": "phrase_ref\tphrase_hyp\tprob\nthe boat\ta ship\t0.5\nold\tthe old\t0.25\n",
        "scores.tsv": "system\tsegment\tmetric\tscore\n"
        + "".join(f"{name}\t{i}\tcomet\t{(7 * i) % 10}\n" for name in ("north", "south") for i in range(1, 13)),
        "nbest.txt": "".join(f"{i} ||| {a} ||| 0\n{i} ||| {b} ||| 0\n" for i, (a, b) in _numbered(north, south)),
        "nbest.jsonl": "".join(json.dumps({"id": i, "candidates": both}) + "\n" for i, both in _numbered(north, south)),
        "weights.txt": "0.5 0.5\n" * len(north),
        "stream.txt": " ".join(north) + "\n",
        "links.txt": "0-0 1-1\n" * len(north),
        "archive.tgz": (folder / "hyp.txt.gz").read_bytes(),
        "campaign.json": json.dumps(_campaign(north, south)),
        "campaign.jsonl": json.dumps(_judged(north, south)) + "\n",
        **_talks(),
        **_shared_task(),
    }  # fmt: skip
    for name, content in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    for line in (
        [*GATE, "--baseline", "base.json", "--update"],
        ["score", "table.parquet:hyp", "-r", "table.parquet:ref", "-m", "bleu", "--rows", "rows.parquet"],
        ["paraphrases", "convert", "phrases.tsv", "table.index"],
        ["annotate", "new", "study.db", "--source", "south.txt", "north.txt", "south.txt", "--protocol", "adequacy"],
        ["annotate", "page", "study.db", "--annotator", "A01", "--output", "page.html"],
        ["annotate", "page", "study.db", "--annotator", "A02", "--output", "other.html"],
    ):
        _must(line, folder)
    for page, person, name in (("page.html", "A01", "first.json"), ("other.html", "A02", "result.json")):
        (folder / name).write_text(json.dumps(_result(folder / page, person)), encoding="utf-8")
    _must(["annotate", "collect", "study.db", "first.json"], folder)


def _must(line: list[str], folder: Path) -> None:
    ending = run(line, folder)
    assert ending.code == 0, (line, ending)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _numbered(*texts: list[str]) -> list[tuple[int, tuple[str, ...]]]:
    return list(enumerate(zip(*texts, strict=True)))


def _parquet(hypotheses: list[str], references: list[str]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    out = pa.BufferOutputStream()
    table = pa.table({"hyp": hypotheses, "ref": references, "id": list(range(len(hypotheses)))})
    parquet.write_table(table, out, write_page_checksum=True)
    return out.getvalue().to_pybytes()


def _talks() -> dict[str, str]:
    reference = ["The sun is out.", "Birds sing.", "Nothing here."]
    said = ["The sun shines.", "The birds sing.", "There is nothing."]
    log = [
        {"index": i, "prediction": text, "delays": [100.0 * k for k in range(1, len(text.split()) + 1)],
         "elapsed": [110.0 * k for k in range(1, len(text.split()) + 1)], "prediction_length": len(text.split()),
         "reference": reference[i], "source": [f"{i}.wav"], "source_length": 2500.0}
        for i, text in enumerate(said)
    ]  # fmt: skip
    words = " ".join(said).split()
    whole = log[0] | {
        "prediction": " ".join(words), "delays": [700.0 * k for k in range(1, len(words) + 1)], "source_length": 9000.0,
        "elapsed": [710.0 * k for k in range(1, len(words) + 1)], "prediction_length": len(words), "source": ["t.wav"],
    }  # fmt: skip
    return {
        "talks.txt": " ".join(said) + "\n",
        "talks.ref.txt": "".join(f"{line}\n" for line in reference),
        "talks.yaml": "".join(f"- {{wav: t.wav, offset: {3 * i}.0, duration: 2.5}}\n" for i in range(3)),
        "instances.log": "".join(json.dumps(one) + "\n" for one in log),
        "talks.log": json.dumps(whole) + "\n",
    }


def _shared_task() -> dict[str, str]:
    rng = np.random.default_rng(1)
    systems = ["mill", "river", "stone"]
    files = {
        "sources/en-de.txt": "one\n" * 6,
        "documents/en-de.docs": "news d1\n" * 6,
        "references/en-de.refA.txt": "eins\n" * 6,
    }
    for name in systems:
        files[f"system-outputs/en-de/{name}.txt"] = "eins\n" * 6
    files["human-scores/en-de.mqm.seg.score"] = "".join(f"{s}\t{-rng.integers(9)}\n" for s in systems for _ in range(6))
    files["human-scores/en-de.mqm.sys.score"] = "".join(f"{s}\t{-i}\n" for i, s in enumerate(systems))
    for metric in ("BLEU-refA", "COMET-src"):
        files[f"metric-scores/en-de/{metric}.seg.score"] = "".join(
            f"{s}\t{rng.random()}\n" for s in systems for _ in range(6)
        )
        files[f"metric-scores/en-de/{metric}.sys.score"] = "".join(f"{s}\t{rng.random()}\n" for s in systems)
    return {f"mini24/{name}": text for name, text in files.items()}


def _campaign(north: list[str], south: list[str]) -> dict[str, object]:
    """A campaign in Pearmut's form."""
    items = [
        {"src": b, "tgt": {"north": a, "south": b}, "item_id": f"d_#_{i}"} for i, (a, b) in _numbered(north, south)
    ]
    return {
        "campaign_id": "c",
        "info": {"assignment": "task-based", "protocol": "ESA"},
        "data": [[items[:3], items[3:6]]],
    }


def _judged(north: list[str], south: list[str]) -> dict[str, object]:
    answer = {"score": 70, "error_spans": [{"start_i": 0, "end_i": 2, "severity": "minor", "category": None}]}
    item = {"item_id": "d_#_1", "src": south[0], "tgt": {"north": north[0], "south": south[0]}}
    return {"user_id": "ada", "item_i": 0, "item": [item], "annotation": [{"north": answer, "south": answer}]}


def _result(page: Path, person: str) -> dict[str, object]:
    """What an offline page hands back when somebody has answered everything."""
    task = json.loads(page.read_text(encoding="utf-8").split('id="task">')[1].split("</script>")[0])
    outputs = [
        (number, output["id"])
        for number, screen in enumerate(task["screens"], start=1)
        for row in screen["rows"]
        for output in row["outputs"]
    ]
    answer = {"fluency": 4, "adequacy": 2}
    answers = [
        {"id": f"{person}-offline-{i}", "screen": n, "output": output, "answer": answer, "session": "x", "trace": []}
        for i, (n, output) in enumerate(outputs)
    ]
    done = list(range(1, len(task["screens"]) + 1))
    return {"format": "tertium-result 1", "study": task["study"], "person": person, "answers": answers, "done": done}
