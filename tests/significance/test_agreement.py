"""sacreBLEU's own p-values, means and intervals, on real data (made with sacreBLEU 2.6.0, NumPy 2, seed 12345)."""

import csv
from pathlib import Path

import pytest

from oracles.wmt import ORACLE, needs_oracle
from tertium import BLEU, CHRF, score
from tertium.significance import like_sacrebleu

pytestmark = needs_oracle
SETS = ["wmt21.en-de", "wmt22.zh-en"]


def expected(name):
    with open(ORACLE / "expected" / f"{name}.sacrebleu.paired.tsv") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def lines(path):
    return Path(path).read_text(encoding="utf-8").split("\n")[:-1]


@pytest.mark.parametrize("name", SETS)
def test_p_values_are_sacrebleus(name):
    data = ORACLE / "data" / name
    records = expected(name)
    for refs in {record["refs"] for record in records}:
        some = [record for record in records if record["refs"] == refs]
        systems = {record["system"]: lines(data / f"hyp.{record['system']}.txt") for record in some}
        sets = [lines(data / f"ref.{one}.txt") for one in refs.split("+")]
        scores = score({"BLEU": BLEU(), "chrF2": CHRF()}, systems, reference_sets=sets)
        for test, short in (("randomization", "paired-ar"), ("bootstrap", "paired-bs")):
            found = like_sacrebleu(scores, test=test, baseline=some[0]["baseline"])
            results = {(one.metric, one.system): one for one in found}
            for record in some:
                if record["test"] != short:
                    continue
                one = results[record["metric"], record["system"]]
                assert str(one.p_value) == record["p_value"]
                assert one.score == pytest.approx(float(record["score"]), rel=1e-13)
                if short == "paired-bs":
                    assert one.mean == pytest.approx(float(record["mean"]), rel=1e-13)
                    assert one.ci == pytest.approx(float(record["ci"]), rel=1e-12)
