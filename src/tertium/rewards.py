"""A metric as the reward of a training run: one object that each trainer calls its own way.

| trainer | calls |
|---|---|
| TRL (GRPO) | `reward(prompts=…, completions=…, ground_truth=[…], …)`, wants a list |
| verl, sample by sample | `reward(data_source, solution_str, ground_truth, extra_info)`, wants a number |
| verl, batches | `reward(data_sources, solution_strs, ground_truths, extra_infos)`, wants a list |
| OpenRLHF | `reward(queries, prompts, labels)`, wants a dict of tensors |
| verifiers | `reward(prompt=…, completion=…, answer=…)`, wants a number |

Which one it is shows in the names of the arguments. Rewards lie between 0 and 1 and higher is better, whichever way the
metric counts. Nothing that goes wrong becomes a silent 0: an error names the sample.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tertium.errors import InputError, MissingExtraError
from tertium.metrics import parse_metric
from tertium.metrics.base import Metric, thread_count
from tertium.metrics.settings import is_number

_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_MOST_THREADS = 4  # a trainer has other work for the cores

Extract = Callable[[str], str]


@dataclass(frozen=True, kw_only=True)
class Reward:
    """Scores completions against their references, scaled to 0 … 1."""

    metric: Metric
    reference: str = "ground_truth"
    extract: str | Extract | None = None
    scale: float | None = None
    empty: float = 0.0
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.scale is None and self.metric.perfect is None and self.metric.higher_is_better:
            raise InputError(
                f"{self.metric.name} has no highest score, so its reward needs a scale: the score that is worth 1."
            )
        if self.scale is not None and not (is_number(self.scale) and self.scale > 0):
            raise InputError(f"scale must be a number above 0, not {self.scale!r}.")
        if not is_number(self.empty) or not 0 <= self.empty <= 1:
            raise InputError(f"empty must be a number from 0 to 1, not {self.empty!r}.")

    @property
    def __name__(self) -> str:
        """What trainers call the reward in their logs."""
        return f"{self.metric.name}_reward"

    def scores(self, completions: Sequence[Any], references: Sequence[Any]) -> list[float]:
        """Return one reward per completion, from one call of the core; a reference may be a list of several."""
        if len(completions) != len(references):
            raise InputError(
                f"There are {len(completions):,} completions, but {len(references):,} references. Each completion "
                "needs its own."
            )
        if not len(completions):
            return []
        texts = [self._text(completion, index) for index, completion in enumerate(completions)]
        groups = [_group(reference, index) for index, reference in enumerate(references)]
        metric = self.metric if self.metric.is_fitted else self.metric.fitted_to(groups)
        threads = min(thread_count(self.threads), _MOST_THREADS) if self.threads is None else self.threads
        rewards = self._scaled(np.asarray(metric.score(metric.statistics(texts, groups, threads=threads))))
        return [
            self.empty if not text.strip() else reward for text, reward in zip(texts, rewards.tolist(), strict=True)
        ]

    def _scaled(self, scores: Any) -> Any:
        full = 100.0 if self.scale is None else self.scale
        share = np.clip(scores / full, 0.0, 1.0)
        return share if self.metric.higher_is_better else 1.0 - share

    def __call__(self, *positional: Any, **named: Any) -> Any:
        """Answer as the trainer that calls expects it; its names of the arguments tell which one it is."""
        named = _named(positional, named)
        if "queries" in named:
            return self._open_rlhf(named)
        if "solution_str" in named:
            return self.scores([named["solution_str"]], [_given(named, "ground_truth")])[0]
        if "solution_strs" in named:
            return self.scores(named["solution_strs"], _given(named, "ground_truths"))
        if "completions" in named:
            return self.scores(named["completions"], self._column(named))
        if "completion" in named:
            name = self.reference if self.reference in named else "answer"
            return self.scores([named["completion"]], [_given(named, name)])[0]
        raise InputError(
            f"A reward was called with {', '.join(named) or 'nothing'}, which no known trainer does. Known: "
            "completions (TRL), solution_str or solution_strs (verl), queries (OpenRLHF), completion (verifiers)."
        )

    def _column(self, named: Mapping[str, Any]) -> Any:
        if self.reference not in named:
            known = ", ".join(name for name in named if name not in ("prompts", "completions", "completion_ids"))
            raise InputError(
                f"The data set has no column '{self.reference}' with the references; it has {known or 'none'}. Name "
                f"it: reward(…, reference=COLUMN)."
            )
        return named[self.reference]

    def _open_rlhf(self, named: Mapping[str, Any]) -> dict[str, Any]:
        """Take the prompt off each query, and answer with tensors."""
        try:
            import torch
        except ImportError:
            raise MissingExtraError("OpenRLHF wants tensors, but torch is not installed: pip install torch.") from None
        queries, prompts, labels = named["queries"], _given(named, "prompts"), _given(named, "labels")
        completions = [
            query.removeprefix(prompt) if isinstance(query, str) and isinstance(prompt, str) else query
            for query, prompt in zip(queries, prompts, strict=True)
        ]
        rewards = torch.tensor(self.scores(completions, labels))
        return {"rewards": rewards, "scores": rewards, "extra_logs": {}}

    def _text(self, completion: Any, index: int) -> str:
        text = completion
        if isinstance(completion, Sequence) and not isinstance(completion, str):
            if not completion or not isinstance(completion[-1], Mapping) or "content" not in completion[-1]:
                raise InputError(
                    f"Completion {index} is {completion!r:.60}, but a text, or messages with a content, were expected."
                )
            text = completion[-1]["content"]
        if not isinstance(text, str):
            raise InputError(f"Completion {index} is {text!r:.60}, but a text was expected.")
        return self._extracted(text, index)

    def _extracted(self, text: str, index: int) -> str:
        extract = self._extract
        if extract is None:
            return text
        found = extract(text)
        if not isinstance(found, str):
            raise InputError(f"extract made {found!r:.60} of completion {index}, but a text was expected.")
        return found

    @cached_property
    def _extract(self) -> Extract | None:
        if self.extract is None or callable(self.extract):
            return self.extract
        if self.extract == "answer":
            return _answer
        try:
            pattern = re.compile(self.extract, re.DOTALL)
        except re.error as error:
            raise InputError(f"extract is no regular expression: {self.extract!r:.60} ({error}).") from None
        return lambda text: _matched(pattern, text)


def reward(
    metric: str | Metric = "chrf",
    reference: str = "ground_truth",
    *,
    extract: str | Extract | None = None,
    scale: float | None = None,
    empty: float = 0.0,
    threads: int | None = None,
) -> Reward:
    """Return a reward that TRL, verl, OpenRLHF and verifiers can call.

    `metric` is a metric or what comes after -m; BLEU counts only the orders a text has (effective_order) unless it was
    given otherwise. `reference` is the data set's column with the references, a text or a list of texts per sample.
    `extract` takes the translation out of a completion: a regular expression (its first group, or all of it), a
    function, or "answer" for what stands in <answer> tags, without <think> parts. `scale` is the score that is worth 1
    (100 by default); an empty translation is worth `empty`.
    """
    if isinstance(metric, str):
        name = "bleu:effective_order=true" if metric == "bleu" else metric
        metric = parse_metric(name)
    made = Reward(metric=metric, reference=reference, extract=extract, scale=scale, empty=empty, threads=threads)
    made._extract  # noqa: B018  # a bad expression is refused now, not after an hour of training
    return made


_SINGLE = ("data_source", "solution_str", "ground_truth", "extra_info")
_BATCH = ("data_sources", "solution_strs", "ground_truths", "extra_infos")
_OPEN_RLHF = ("queries", "prompts", "labels")


def _named(positional: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """Give positional arguments the names that the trainer's own code has for them."""
    if not positional:
        return dict(named)
    if len(positional) == 3 and all(isinstance(value, Sequence) and not isinstance(value, str) for value in positional):
        names: tuple[str, ...] = _OPEN_RLHF
    elif len(positional) in (3, 4):
        names = _SINGLE if isinstance(positional[1], str) else _BATCH
    elif len(positional) == 2:
        names = ("prompts", "completions")
    else:
        raise InputError(f"A reward was called with {len(positional)} arguments by position. Call it by their names.")
    return dict(zip(names, positional, strict=False)) | dict(named)


def _given(named: Mapping[str, Any], name: str) -> Any:
    if name not in named:
        raise InputError(f"The trainer gave no '{name}'. It gave {', '.join(named)}.")
    return named[name]


def _group(reference: Any, index: int) -> list[str]:
    group = [reference] if isinstance(reference, str) else reference
    if isinstance(group, Sequence) and group and all(isinstance(text, str) for text in group):
        return list(group)
    raise InputError(f"Sample {index}: the reference is {reference!r:.60}, but a text or a list of texts was expected.")


def _answer(text: str) -> str:
    """Return what stands in the last <answer> tags, or all that is no <think> part."""
    text = _THOUGHT.sub("", text)
    found = _ANSWER.findall(text)
    return (found[-1] if found else text).strip()


def _matched(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    if found is None:
        return ""
    return found[1] or "" if pattern.groups else found[0]
