"""Tuning: known costs are found again, noise is not taken for a gain, splits keep documents together."""

import json
import tomllib
from itertools import pairwise

import numpy as np
import pytest

from tertium import BLEU, CHRF, METEOR, Averaged, Combination, TERp, parse_metric, score
from tertium.errors import InputError, UnknownNameError
from tertium.judgments import Judgments
from tertium.meta import tune
from tertium.meta.tuning.searches import Found, Space, search
from tertium.meta.tuning.tune import _folds, task_of
from tertium.metrics import METRICS
from tertium.metrics.tuning import tuning

TRUE = {"insertion": 0.3, "deletion": 1.0, "substitution": 1.5, "stem": 0.1, "synonym": 0.6, "shift": 0.8}
SYSTEMS = ("north", "south", "east")


def made_rows(segments, seed=1):
    """Return rows of TERp as texts might give them: counts of edits, and lengths."""
    rng = np.random.default_rng(seed)
    metric = TERp(costs="ter", stems="none", synonyms="none")
    rows = {}
    for k, name in enumerate(SYSTEMS):
        made = np.zeros((segments, len(metric.columns)))
        for column, mean in (("insertions", 2 + k), ("deletions", 3), ("substitutions", 4 - k), ("stems", 2),
                             ("synonyms", 2), ("shifts", 1.5)):  # fmt: skip
            made[:, metric.columns.index(column)] = rng.poisson(mean, segments)
        made[:, -1] = rng.integers(15, 40, segments)
        rows[name] = made
    return rows


def judged(scores, noise=0.0, seed=2):
    rng = np.random.default_rng(seed)
    system, segment, score = [], [], []
    for name, values in scores.items():
        spread = values.std()
        system += [name] * len(values)
        segment += range(1, len(values) + 1)
        score += (values + rng.normal(0, noise * spread, len(values))).tolist()
    return Judgments.of(system=system, segment=segment, score=score, kind="adequacy")


def terp(**options):
    return tuning(TERp(costs="ter", stems="none", synonyms="none", cap=False, **options)).with_values(
        {"stem": 1.0, "synonym": 1.0, "w1": 1.0}
    )


def documents(segments, each=5):
    return [f"d{i // each}" for i in range(segments)]


@pytest.mark.slow
def test_known_costs_are_found_again():
    rows, metric = made_rows(300), terp()
    truth = tuning(metric).with_values(TRUE)
    judgments = judged({name: -truth.score(made) for name, made in rows.items()}, noise=0.7)
    result = tune(metric, lambda _: rows, judgments, documents=documents(300), free=list(TRUE), folds=3)
    order = sorted(TRUE, key=TRUE.get)
    for one, two in pairwise(order):
        if TRUE[two] - TRUE[one] >= 0.2:
            assert result.values[one] < result.values[two]
    assert result.better
    assert result.p_value < 0.01
    cube = np.concatenate([rows[name] for name in SYSTEMS])
    human = np.concatenate([judgments.segment_scores("adequacy")[name] for name in SYSTEMS])
    reached = np.corrcoef(-tuning(metric).with_values(TRUE).score(cube), human)[0, 1]
    assert result.held_out > reached - 0.005
    assert result.held_out - result.held_out_before == pytest.approx(result.gain)
    assert result.low < result.gain < result.high


def test_the_same_seed_gives_the_same_whatever_the_threads():
    rows, metric = made_rows(120), terp()
    judgments = judged({name: -tuning(metric).with_values(TRUE).score(made) for name, made in rows.items()}, noise=1)
    options = {"documents": documents(120), "free": ["insertion", "shift"], "folds": 3, "samples": 200}
    one, two = (tune(metric, lambda _: rows, judgments, threads=threads, **options).to_dict() for threads in (1, 3))
    assert one == two
    other = tune(metric, lambda _: rows, judgments, seed=99, **options)
    assert other.folds[0].values != one["folds"][0]["values"]


@pytest.mark.slow
def test_noise_is_not_taken_for_a_gain():
    metric = terp()
    better = 0
    for seed in range(8):
        rows = made_rows(60, seed)
        rng = np.random.default_rng([7, seed])
        judgments = judged({name: rng.normal(size=60) for name in SYSTEMS})
        result = tune(metric, lambda _, rows=rows: rows, judgments, split="segment", folds=3, restarts=0,
                      free=["insertion", "shift"], samples=200, seed=seed)  # fmt: skip
        better += result.better
    assert better <= 2  # 1 in 40 is expected


@pytest.mark.parametrize(
    ("level", "method"),
    [("document", "pearson"), ("document", "spearman"), ("document", "kendall-b"), ("system", "pearson")],
)
def test_other_levels_and_coefficients(level, method):
    rows, metric = made_rows(60), terp()
    judgments = judged({name: -tuning(metric).with_values(TRUE).score(made) for name, made in rows.items()}, noise=1)
    result = tune(metric, lambda _: rows, judgments, level=level, method=method, documents=documents(60),
                  free=["shift"], folds=2, samples=20)  # fmt: skip
    assert result.tuned_on >= result.tuned_on_before
    assert -1 <= result.held_out <= 1


def test_no_document_stands_on_both_sides():
    judgments = judged({name: np.arange(30.0) for name in SYSTEMS})
    ids = [f"d{i % 7}" for i in range(30)]
    task = task_of(judgments, SYSTEMS, 30, kind=None, level="segment", method="pearson", group="none", documents=ids,
                   split="document", lengths=None, threshold=25)  # fmt: skip
    parts = _folds(task, 3, seed=1)
    assert sorted(np.concatenate(parts).tolist()) == list(range(30))
    seen = [{ids[i] for i in part} for part in parts]
    assert sum(map(len, seen)) == len(set(ids))


def test_settings_that_need_other_rows_are_tried_each():
    texts = {"a": ["the cat sat here today", "a dog barked"] * 6, "b": ["the cat sits here", "the dog is barking"] * 6}
    references = [["the cat sat there today"], ["a dog was barking"]] * 6
    calls = []

    def rows(metric):
        calls.append(metric.signature())
        return {name: metric.statistics(one, references) for name, one in texts.items()}

    scores = {
        name: CHRF(char_order=2).score(CHRF(char_order=2).statistics(one, references)) for name, one in texts.items()
    }
    result = tune(CHRF(), rows, judged(scores), free=["char_order", "beta"], bounds={"char_order": (1, 3)},
                  split="segment", folds=2, samples=20, restarts=0)  # fmt: skip
    assert result.values["char_order"] == 2
    assert len(calls) == len(set(calls))  # rows are made once
    assert result.metric.char_order == 2


def test_a_few_documents_are_no_evidence():
    rows, metric = made_rows(60), terp()
    judgments = judged({name: -tuning(metric).with_values(TRUE).score(made) for name, made in rows.items()})
    result = tune(
        metric, lambda _: rows, judgments, documents=documents(60, each=20), free=["shift"], folds=3, samples=20
    )
    assert np.isnan(result.low)
    assert not result.better


def test_preferences_can_be_tuned_for():
    from tertium.judgments import Preferences

    rows, metric = made_rows(80), terp()
    scores = {name: -tuning(metric).with_values(TRUE).score(made) for name, made in rows.items()}
    judgments = judged(scores)
    pairs = judgments.score_pairs("adequacy")
    assert isinstance(pairs, Preferences)
    from dataclasses import replace

    only = replace(judgments, preferences=pairs)
    result = tune(metric, lambda _: rows, only, kind="preference", method="wmt13", split="segment", folds=2, samples=20,
                  free=["shift", "insertion"], restarts=0)  # fmt: skip
    assert result.tuned_on > result.tuned_on_before
    assert result.p_value is None


def test_a_stopped_search_keeps_the_best_and_a_state_goes_on(tmp_path):
    rows, metric = made_rows(60), terp()
    judgments = judged({name: -tuning(metric).with_values(TRUE).score(made) for name, made in rows.items()})
    options = {"split": "segment", "folds": 3, "free": ["insertion", "shift"], "samples": 20,
               "state": tmp_path / "state.json"}  # fmt: skip

    def stop_in_second_fold(message, share):
        if message.startswith("fold 2"):
            raise KeyboardInterrupt

    stopped = tune(metric, lambda _: rows, judgments, progress=stop_in_second_fold, **options)
    assert stopped.interrupted
    assert not stopped.better
    assert list(json.loads((tmp_path / "state.json").read_text())["folds"]) == ["0"]
    again = tune(metric, lambda _: rows, judgments, **options)
    fresh = tune(metric, lambda _: rows, judgments, **options | {"state": None})
    assert again.to_dict() == fresh.to_dict()


def test_what_is_saved_is_what_was_tuned(tmp_path):
    rows, metric = made_rows(60), terp()
    judgments = judged({name: -tuning(metric).with_values(TRUE).score(made) for name, made in rows.items()})
    result = tune(metric, lambda _: rows, judgments, split="segment", folds=2, samples=20,
                  free=["insertion", "w1"], restarts=0)  # fmt: skip
    for name in ("t.toml", "t.json"):
        result.save(tmp_path / name)
        assert parse_metric(str(tmp_path / name)).signature() == result.metric.signature()
        taken = TERp(costs=str(tmp_path / name), stems="none", synonyms="none", cap=False)
        assert taken.costs_by_name == result.metric.costs_by_name
        assert taken.alignment_costs == result.metric.alignment_costs
    assert tomllib.loads((tmp_path / "t.toml").read_text())["tuned"]["judged"] == 180


def test_steps_back_and_forth_meet():
    space = Space(("x", "y"), (0.85, 1 / 3), (0.0, 0.0), (1.0, 1.0))
    found = search("hill-climb", space, lambda values: -values["x"], seed=1, restarts=0, step=0.05, progress=print)
    assert found.values == {"x": 0.0, "y": 1 / 3}  # not 1.4e-17; what did not move is as it was
    seen = []
    search("hill-climb", Space(("x",), (0.3,), (0.0,), (1.0,)), lambda v: seen.append(v["x"]) or -abs(v["x"] - 0.7),
           seed=1, restarts=0, step=0.05, progress=print)  # fmt: skip
    assert all(x == round(x, 2) for x in seen)


def test_a_state_of_other_outputs_is_not_taken(tmp_path):
    metric, (one, two) = terp(), (made_rows(60, seed) for seed in (1, 5))
    judgments = judged({name: -tuning(metric).with_values(TRUE).score(made) for name, made in one.items()})
    options = {"split": "segment", "folds": 2, "free": ["insertion", "shift"], "samples": 20, "restarts": 0}
    tune(metric, lambda _: one, judgments, state=tmp_path / "state.json", **options)
    again = tune(metric, lambda _: two, judgments, state=tmp_path / "state.json", **options)
    assert again.to_dict() == tune(metric, lambda _: two, judgments, **options).to_dict()
    with pytest.raises(InputError, match="cannot be written"):
        tune(metric, lambda _: one, judgments, state=tmp_path / "nowhere" / "state.json", **options)


def texts_and_references():
    words = "the a cat dog sat ran here there today fast".split()
    rng = np.random.default_rng(4)
    references = [[" ".join(rng.choice(words, 9))] for _ in range(40)]
    texts = {}
    for name in SYSTEMS:
        texts[name] = []
        for (reference,) in references:
            kept = [word for word in reference.split() if rng.random() < 0.8]
            rng.shuffle(kept[2:5])
            texts[name].append(" ".join([*kept, *rng.choice(words, rng.integers(0, 3))]))
    return texts, references


def test_costs_to_align_with_and_rounds():
    texts, references = texts_and_references()
    metric = TERp(stems="none", synonyms="none")

    def rows(one):
        return {name: one.statistics(list_, references) for name, list_ in texts.items()}

    truth = tuning(metric).with_values({"insertion": 1.0, "alignment-shift": 2.0})
    judgments = judged({name: -truth.score(made) for name, made in rows(truth).items()}, noise=0.1)
    options = {"split": "segment", "folds": 2, "samples": 20, "restarts": 0}
    result = tune(metric, rows, judgments, free=["alignment-shift", "insertion"],
                  bounds={"alignment-shift": (0.0, 4.0)}, step=1.0, **options)  # fmt: skip
    assert result.metric.alignment_costs is not None
    assert result.values["alignment-shift"] in (0.0, 0.5620538767397316, 1.0, 2.0, 3.0, 4.0)
    assert result.tuned_on == pytest.approx(
        np.corrcoef(
            np.concatenate([-result.metric.score(made) for made in rows(result.metric).values()]),
            np.concatenate([judgments.segment_scores("adequacy")[name] for name in SYSTEMS]),
        )[0, 1]
    )
    again = tune(metric, rows, judgments, free=["insertion", "shift"], rounds=3, **options)
    assert again.metric.alignment_costs is None
    # What is reported is what the metric reaches on rows that its own costs made, and no less than at the start.
    assert again.tuned_on == pytest.approx(
        np.corrcoef(
            np.concatenate([-again.metric.score(made) for made in rows(again.metric).values()]),
            np.concatenate([judgments.segment_scores("adequacy")[name] for name in SYSTEMS]),
        )[0, 1]
    )
    assert again.tuned_on >= again.tuned_on_before
    with pytest.raises(InputError, match="alignment-shift cannot be free as well"):
        tune(metric, rows, judgments, free=["alignment-shift"], bounds={"alignment-shift": (0.0, 4.0)}, step=1.0,
             rounds=2, **options)  # fmt: skip


@pytest.mark.slow
def test_orders_are_tried_with_weights_of_their_own():
    texts, references = texts_and_references()

    def rows(one):
        return {name: one.statistics(list_, references) for name, list_ in texts.items()}

    bleu = BLEU(smoothing="floor")
    truth = BLEU(smoothing="floor", orders=(1, 2))
    judgments = judged({name: truth.score(made) for name, made in rows(truth).items()})
    result = tune(bleu, rows, judgments, free=["order", "weight1", "weight4"], split="segment", folds=2, samples=20)
    assert result.values["order"] == 2
    assert result.metric.orders == (1, 2)
    assert "weight4" not in result.values
    assert result.tuned_on > 0.999
    six = tuning(bleu).with_values({"order": 6, "weight1": 0.5})
    assert six.orders == (1, 2, 3, 4, 5, 6)
    assert six.weights == (0.5, *[1 / 6] * 5)


def test_a_stop_while_rows_are_made_keeps_the_best():
    texts, references = texts_and_references()
    made = []

    def rows(one):
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(one)
        return {name: one.statistics(list_, references) for name, list_ in texts.items()}

    judgments = judged({name: np.random.default_rng(3).normal(size=40) for name in SYSTEMS})
    result = tune(CHRF(), rows, judgments, free=["char_order"], split="segment", folds=2, samples=20)
    assert result.interrupted
    assert result.values == {"char_order": 1.0}
    assert not result.better
    assert json.loads(json.dumps(result.to_dict()))["gain"] is None


@pytest.mark.slow
def test_files_and_settings_are_saved_too(tmp_path):
    texts, references = texts_and_references()
    (tmp_path / "para.tsv").write_text("phrase_ref\tphrase_hyp\tprob\nthe cat\ta dog\t0.5\nfast\ttoday\t0.3\n")
    metric = TERp(stems="none", synonyms="none", cap=False, paraphrases=str(tmp_path / "para.tsv"))
    judgments = judged({name: np.random.default_rng(3).normal(size=40) for name in SYSTEMS})
    both = Combination({metric: 0.5, TERp(stems="none", synonyms="none", cap=False): 0.5})
    for one, free in ((metric, ["insertion", "w1"]), (both, ["weight1", "1.w1", "2.shift"])):
        result = tune(one, lambda m: {name: m.statistics(text, references) for name, text in texts.items()}, judgments,
                      split="segment", folds=2, samples=20, restarts=0, free=free)  # fmt: skip
        result.save(tmp_path / "t.toml")
        (tmp_path / "r.json").write_text(json.dumps(result.to_dict()))
        for name in ("t.toml", "r.json"):
            assert parse_metric(str(tmp_path / name)).signature() == result.metric.signature()
        if one is metric:  # costs bring the settings that they were tuned with, unless others are given
            assert TERp(costs=str(tmp_path / "t.toml")).signature() == result.metric.signature()
            assert TERp(costs=str(tmp_path / "t.toml"), cap=True).cap
    tune(CHRF(), lambda m: {name: m.statistics(text, references) for name, text in texts.items()}, judgments,
         split="segment", folds=2, samples=20).save(tmp_path / "chrf.toml")  # fmt: skip
    with pytest.raises(InputError, match="holds chrf, not terp"):
        TERp(costs=str(tmp_path / "chrf.toml"))


def test_weights_that_all_reach_zero_are_not_tried():
    metric = BLEU(effective_order=True, weights=(0.03, 0.0, 0.0, 0.0))
    references = [f"a b c d {i % 7} e {i % 3}" for i in range(40)]
    outputs = {name: [line.replace("c", "x") if i % k else line for i, line in enumerate(references)]
               for k, name in enumerate(SYSTEMS, 2)}  # fmt: skip
    rows = {name: score(metric, texts, references).kept_rows[""]["bleu"] for name, texts in outputs.items()}
    judgments = judged({name: metric.score(made) for name, made in rows.items()}, noise=0.5)
    result = tune(metric, lambda _: rows, judgments, free=["weight1"], split="segment", folds=2, restarts=0)
    assert result.values["weight1"] > 0
    assert not tuning(metric).possible({"weight1": 0.0})


def test_soft_pairwise_accuracy_can_be_tuned_for():
    rows, metric = made_rows(60), terp()
    judgments = judged({name: -tuning(metric).with_values(TRUE).score(made) for name, made in rows.items()}, noise=1)
    options = {"split": "segment", "free": ["insertion"], "folds": 2, "samples": 10, "restarts": 0}
    result = tune(metric, lambda _: rows, judgments, level="system", method="soft-pairwise-accuracy", **options)
    assert 0 <= result.tuned_on_before <= result.tuned_on <= 1
    with pytest.raises(InputError, match="compares systems"):
        tune(metric, lambda _: rows, judgments, method="soft-pairwise-accuracy", **options)


CASES = [
    ({"search": "grid", "step": 1e-9, "free": ["shift"]}, "more than 500,000"),
    ({"step": 1e-9, "free": ["alignment-shift"]}, "would be tried with"),
    ({"bounds": {"alignment-shift": (2, 1)}, "free": ["alignment-shift"]}, "first must be below"),
    ({"bounds": {"alignment-shift": (0, 1)}}, "alignment-shift, which is not free"),
    ({"free": []}, "No setting is free"),
    ({"free": ["colour"]}, "colour"),
    ({"bounds": {"shift": (2, 1)}}, "first must be below"),
    ({"bounds": {"shift": (-1, 1)}}, "can only be from 0 to 100"),
    ({"folds": 1}, "at least 2"),
    ({"folds": 100}, "60 segments, too few for 100 folds"),
    ({"split": "document"}, "Document ids are needed"),
    ({"kind": "taste"}, "taste"),
    ({"search": "luck"}, "luck"),
    ({"search": "grid"}, "more than 500,000"),
    ({"level": "word"}, "word"),
    ({"seed": -1}, "seed"),
]


@pytest.mark.parametrize(("options", "message"), CASES)
def test_what_cannot_be_meant_is_refused(options, message):
    rows = made_rows(60)
    judgments = judged({name: np.arange(60.0) for name in SYSTEMS})
    with pytest.raises((InputError, UnknownNameError), match=message):
        tune(terp(), lambda _: rows, judgments, **{"split": "segment"} | options)


def test_constant_judgments_and_metrics_without_settings_are_refused():
    rows = made_rows(60)
    with pytest.raises(InputError, match="nothing can be learnt"):
        tune(terp(), lambda _: rows, judged({name: np.ones(60) for name in SYSTEMS}), split="segment")
    with pytest.raises(InputError, match="no setting that can be tuned"):
        tune(Averaged(BLEU()), lambda _: rows, judged({name: np.arange(60.0) for name in SYSTEMS}), split="segment")


@pytest.mark.parametrize("name", ["hill-climb", "grid", "evolution"])
def test_each_search_finds_a_hill(name):
    if name == "evolution":
        pytest.importorskip("scipy")
    space = Space(("x", "y"), (0.2, 0.9), (0.0, 0.0), (1.0, 1.0))

    def hill(values):
        return -((values["x"] - 0.65) ** 2) - (values["y"] - 0.35) ** 2

    found = search(name, space, hill, seed=1, restarts=1, step=0.05, progress=lambda count, value: None)
    assert isinstance(found, Found)
    assert found.values == pytest.approx({"x": 0.65, "y": 0.35}, abs=0.011)
    assert [value for _, value in found.trace] == sorted(value for _, value in found.trace)


TUNABLE = [
    BLEU(), CHRF(), METEOR(modules=("exact",)), terp(), Combination({BLEU(): 0.6, CHRF(): 0.4}),
    *(metric() for metric in METRICS if metric.name in ("ter", "wer", "per", "cder", "nist")),
]  # fmt: skip


@pytest.mark.parametrize("metric", TUNABLE, ids=lambda metric: metric.name)
def test_tunables_say_where_they_stand(metric):
    tunables = tuning(metric).tunables()
    assert tunables
    for name, tunable in tunables.items():
        if tunable.choices:
            assert tunable.value in tunable.choices
            other = next(choice for choice in tunable.choices if choice != tunable.value)
        else:
            assert tunable.low <= tunable.value <= tunable.high
            other = tunable.low if tunable.value != tunable.low else tunable.high / 2
        changed = tuning(metric).with_values({name: other})
        assert tuning(changed).tunables()[name].value == other
        # Weights go with the orders that they weigh.
        others = [key for key in tunables if key != name and not (name.endswith("order") and "weight" in key)]
        assert {key: tuning(changed).tunables()[key].value for key in others} == {
            key: tunables[key].value for key in others
        }


@pytest.mark.parametrize(
    "metric", [metric for metric in TUNABLE if metric.name not in ("ter", "nist")], ids=lambda m: m.name
)
def test_rescoring_is_scoring_with_other_values(metric):
    texts = ["the cat sat on a mat", "dogs bark", "where is it now ?"]
    references = [["a cat sat on the mat"], ["the dogs barked"], ["where is it ?"]]
    rows = metric.statistics(texts, references)
    for name, tunable in tuning(metric).tunables().items():
        if tunable.fixed_rows:
            values = {name: (tunable.low + tunable.high) / 2}
            assert tuning(metric).rescored(rows, values) == pytest.approx(
                tuning(metric).with_values(values).score(rows), abs=1e-12
            )
