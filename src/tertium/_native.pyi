"""Counting, in C++. Use it through the metrics."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def processor() -> str:
    """The level of instructions in use."""

def processors() -> list[str]:
    """Those that this machine can run, lowest first."""

unicode_version: str = '17.0'

class Texts:
    """Texts in groups, borrowed from Python strings or from a file."""

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> list[str]: ...

    def fields(self, index: int, columns: int) -> Texts | None:
        """
        The field at an index of each line of tab-separated fields; None if one has not as many as `columns`.
        """

    def split_fields(self) -> Texts:
        """Each line's tab-separated fields as a group; empty ones are missing."""

    @property
    def group_size(self) -> int:
        """How many texts each group has; 0 if that varies."""

    def empty(self) -> tuple[int, int]:
        """How many texts are empty, and which is the first."""

    @property
    def offsets(self) -> list[int]: ...

    def missing(self) -> list[int]:
        """Which groups hold no text."""

    def filled(self) -> Texts:
        """The same, with an empty text in groups that hold none."""

    def slice(self, begin: int, end: int) -> Texts: ...

    def place_of(self, part: Texts) -> int | None:
        """
        Where other texts stand among these, in the same memory and in a row; None if they do not.
        """

    def are_strings_of(self, texts: object | None) -> bool:
        """
        Whether the items of a list are the very strings that these were borrowed from, one for each group.
        """

def flat_texts(texts: object | None, name: str) -> Texts: ...

def grouped_texts(groups: object | None, name: str) -> Texts: ...

def zipped_texts(parts: list[Texts]) -> Texts: ...

def joined_texts(parts: list[Texts]) -> Texts: ...

class LineReader:
    """The lines of a file that lies in memory, block by block."""

    def __init__(self, buffer: object, lines_before: int = 0) -> None: ...

    def take(self, most: int) -> Texts | None: ...

    @property
    def at_end(self) -> bool: ...

    @property
    def had_byte_order_mark(self) -> bool: ...

    @property
    def first_inner_mark(self) -> int: ...

    @property
    def first_mark_within(self) -> int: ...

    @property
    def first_crlf(self) -> int: ...

    @property
    def first_odd_separator(self) -> int: ...

    @property
    def final_newline(self) -> bool: ...

    @property
    def bad_line(self) -> int: ...

    @property
    def bad_column(self) -> int: ...

    @property
    def bad_byte(self) -> int: ...

def lower(text: str, like: str = 'python') -> str: ...

def normalize(text: str, form: str) -> str: ...

def properties(code: int) -> int: ...

def first_invalid_utf8(bytes: bytes) -> int: ...

def arrow_texts(source: object, name: str, grouped: bool, first: int = 0) -> Texts: ...

def arrow_texts_or_none(source: object, name: str, grouped: bool, first: int = 0) -> Texts:
    """
    As arrow_texts, but items that are null, or lists that hold nothing else, are empty groups.
    """

class TokenTexts:
    """Tokens in groups, stored or made on the way."""

    def __len__(self) -> int: ...

    def stored(self, threads: int) -> TokenTexts: ...

    def stored_words(self, threads: int) -> TokenTexts:
        """Stored with their spelling, for those who look words up."""

    def unknown_words(self, table: KeyTable, threads: int) -> list[str]:
        """The words that the table does not know, each once."""

    def mapped(self, table: KeyTable) -> TokenTexts:
        """
        The same texts with the first id of each token in its place, where the table has one.
        """

def tokens_of_lists(lists: list[list[str]], offsets: Sequence[int]) -> TokenTexts: ...

class Tokenizer:
    """A native tokenizer with its case folding and Unicode normalization."""

    def __init__(self, rule: str, lowercase: bool, unicode: str) -> None: ...

    def split(self, text: str) -> list[str]: ...

    def tokens(self, texts: Texts) -> TokenTexts: ...

class TerText:
    """How TER's programs split texts."""

    def __init__(self, *, sacrebleu: bool, release_0_7: bool, normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool, twice: bool, unicode: str) -> None: ...

    def split(self, text: str) -> list[str]: ...

    def tokens(self, texts: Texts) -> TokenTexts: ...

class TerpText:
    """How TERp splits texts."""

    def __init__(self, *, normalized: bool, new_normalization: bool, no_punct: bool, normalize_numbers: bool, case_sensitive: bool, unicode: str, equivalences: Sequence[Sequence[str]]) -> None: ...

    def split(self, text: str) -> list[str]: ...

    def tokens(self, texts: Texts) -> TokenTexts: ...

class MeteorText:
    """How METEOR splits texts."""

    def __init__(self, *, style: str, any_alphabet: bool, apostrophe: str, punctuation: bool, unicode: str, prefixes: Sequence[str], number_prefixes: Sequence[str]) -> None: ...

    def split(self, text: str) -> list[str]: ...

    def tokens(self, texts: Texts) -> TokenTexts: ...

def digits_of(word: str) -> str:
    """The digits that a word stands for; empty if it is no number."""

def block_hash(buffer: object, begin: int, end: int) -> int:
    """A 64-bit hash of some bytes, as fast as they are read."""

def word_keys(words: list[str], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Fills in the token key of each word."""

class KeyTable:
    """Words with ids: grows, and may be read meanwhile."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def __contains__(self, word: str) -> bool: ...

    def ids(self, word: str) -> list[int]: ...

    def add(self, words: Sequence[str], ids: Sequence[Sequence[int]]) -> None: ...

    def add_words(self, words: Sequence[str], forms: Sequence[str]) -> None:
        """The id of each word is the token key of its form."""

    def add_hash_codes(self, words: Sequence[str], forms: Sequence[str]) -> None:
        """The id of each word is Java's hash code of its form."""

class WordIndex:
    """Words with ids, in arrays that may be a mapped file."""

    def __init__(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def __contains__(self, word: str) -> bool: ...

    def ids(self, word: str) -> list[int]: ...

class PhraseIndex:
    """A table of phrase pairs, mapped into memory."""

    def __init__(self, buffer: object, offset: int, counts: Sequence[int]) -> None: ...

    def __len__(self) -> int: ...

    @property
    def longest(self) -> int: ...

    @property
    def longest_paraphrase(self) -> int: ...

    def paraphrases(self, words: Sequence[str]) -> list[tuple[str, float]]: ...

    def find_all(self, tokens: TokenTexts) -> int:
        """How many entries the spans of these texts have."""

    def phrases(self, first_slot: int, most: int) -> tuple[int | None, list[tuple[str, str, float]]]: ...

class PhraseCompiler:
    """Makes a PhraseIndex of lines, in bounded memory."""

    def __init__(self, form: str, *, v1_bug: bool = False, any_number: bool = False, numbered: bool = False) -> None: ...

    def read(self, lines: Texts) -> tuple[int, str] | None: ...

    def end(self) -> tuple[int, str] | None: ...

    def add(self, phrases: Sequence[str], paraphrases: Sequence[str], probabilities: Sequence[float]) -> tuple[int, str] | None: ...

    @property
    def held(self) -> int: ...

    @property
    def left_out(self) -> int: ...

    @property
    def above_one(self) -> int: ...

    def take_records(self) -> bytes: ...

    def number_words(self) -> None: ...

    def sorted(self, records: bytes) -> bytes: ...

    def count(self, pieces: list[object]) -> list[int]: ...

    def bytes(self, counts: Sequence[int]) -> int: ...

    def write(self, pieces: list[object], counts: Sequence[int], out: object, offset: int) -> None: ...

def bleu_rows(hypotheses: TokenTexts, references: TokenTexts, *, orders: Sequence[int], reference_length: str, initial: bool, final: bool, single_boundary: bool, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

class Information:
    """What each n-gram of the references tells."""

    def __init__(self, references: TokenTexts, order: int, threads: int) -> None: ...

    @property
    def mark(self) -> int: ...

    @property
    def order(self) -> int: ...

    @property
    def total(self) -> int: ...

    @property
    def keeps_texts(self) -> bool:
        """Whether nist_rows_of_learnt can be used."""

    def __getstate__(self) -> tuple[int, int, bytes, bytes]: ...

    def __setstate__(self, arg: tuple[int, int, bytes, bytes], /) -> None: ...

def nist_rows(hypotheses: TokenTexts, references: TokenTexts, *, information: Information, zero_prefix: bool, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def nist_rows_of_learnt(hypotheses: TokenTexts, references: Texts, *, first: int, information: Information, zero_prefix: bool, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """
    The same rows, for references that are texts first, first + 1, … of those the information was learnt from.
    """

def chrf_rows(hypotheses: Texts, references: Texts, *, char_order: int, word_order: int, beta: float, lowercase: bool, whitespace: bool, eps_smoothing: bool, unicode: str, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def taken_texts(texts: Texts, places: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Texts:
    """Texts, one per place, each a group of its own."""

def taken_tokens(tokens: TokenTexts, places: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> TokenTexts:
    """Tokens of texts, one per place, each a group of its own."""

class BleuPairs:
    """References for the rows of BLEU with every hypothesis."""

    def __init__(self, references: TokenTexts, orders: Sequence[int], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def fill(self, hypotheses: TokenTexts, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

class ChrfPairs:
    """References for the rows of chrF with every hypothesis."""

    def __init__(self, references: Texts, char_order: int, word_order: int, lowercase: bool, whitespace: bool, unicode: str, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def fill(self, hypotheses: Texts, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def wer_rows(hypotheses: TokenTexts, references: TokenTexts, *, substitution: str, function: object | None, rule: str, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def wer_alignment(hypotheses: TokenTexts, references: TokenTexts, *, substitution: str, function: object | None, rule: str) -> tuple[int, list[tuple[str, int, int, int, int, float]]]: ...

def wer_runs(hypotheses: TokenTexts, references: TokenTexts, threads: int) -> list[list[tuple[int, int, int, int, int]]]:
    """
    Per segment: kind (match, substitution, insertion, deletion), reference [start, end), hypothesis [start, end).
    """

def per_rows(hypotheses: TokenTexts, references: TokenTexts, *, substitution: str, function: object | None, rule: str, variant: str, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def cheapest_assignment(costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> list[int]:
    """Which column each row gets."""

def cder_rows(hypotheses: TokenTexts, references: TokenTexts, *, substitution: str, function: object | None, rule: str, direction: str, penalty: str, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def cder_alignment(hypotheses: TokenTexts, references: TokenTexts, *, substitution: str, function: object | None, rule: str, direction: str, penalty: str) -> tuple[int, list[tuple[str, int, int, int, int, float]]]: ...

def long_jump_distance(hypotheses: TokenTexts, references: TokenTexts, *, substitution: str, function: object | None) -> float | None:
    """
    The exact distance of one pair; None if the search would take too long.
    """

class TerSettings:
    """Costs and limits of the search for shifts."""

    def __init__(self, *, variant: str, insertion: float, deletion: float, substitution: float, shift: float, match: float, max_shift_size: float, max_shift_distance: float, max_candidates: float, beam: float, max_tokens: int) -> None: ...

def ter_rows(hypotheses: TokenTexts, references: TokenTexts, *, lengths_from: TokenTexts | None, settings: TerSettings, reference_length: str, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def ter_alignment(hypothesis: Sequence[str], reference: Sequence[str], settings: TerSettings) -> tuple[float, str, list[tuple[int, int, int, int, int]]]: ...

class TerpSettings:
    """Costs, limits and tables of TERp."""

    def __init__(self, *, stems: KeyTable | None, synonyms: KeyTable | None, numbers: KeyTable | None, phrases: PhraseIndex | None, stop_words: Sequence[str], constraint: str, phrase_cost: str, match: float, insertion: float, deletion: float, substitution: float, stem: float, synonym: float, shift: float, w1: float, w2: float, w3: float, w4: float, phrase_minimum: float, phrase_maximum: float, beam: float, max_shift_distance: float, max_shift_size: int, max_tokens: int) -> None: ...

def terp_rows(hypotheses: TokenTexts, references: TokenTexts, *, lengths_from: TokenTexts | None, settings: TerpSettings, reference_length: str, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def terp_alignment(hypothesis: Sequence[str], reference: Sequence[str], settings: TerpSettings) -> tuple[float, list[tuple[str, int, int, float, float, float]], list[tuple[int, int, int, int, int]]]: ...

class MeteorSettings:
    """What matches, how matches are chosen, and what they weigh."""

    def __init__(self, *, matching: str, stems: KeyTable | None, synonyms: KeyTable | None, paraphrases: PhraseIndex | None, function_words: KeyTable | None, group_words: KeyTable | None, by_hash_code: bool, characters: bool, alpha: float, beta: float, gamma: float, delta: float, weights: Sequence[float]) -> None: ...

def meteor_rows(hypotheses: TokenTexts, references: TokenTexts, *, settings: MeteorSettings, threads: int, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def meteor_alignment(hypotheses: TokenTexts, references: TokenTexts, settings: MeteorSettings) -> tuple[int, list[tuple[str, int, int, int, int]], bool]: ...

def add_poisson_sums(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], *, seed: int, threads: int, sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def text_keys(texts: Texts, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    A key of 64 bits for each group of texts: equal groups have equal ones.
    """

def exponentials(numbers: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]) -> None: ...

def logarithms(numbers: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]) -> None: ...

def powers(numbers: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], exponent: float) -> None: ...

def subset_sums(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], *, generator: Sequence[int], first: int, threads: int, sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def bootstrap_sums(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], *, generator: Sequence[int], skipped: int, threads: int, sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> int: ...

def shuffled_sums(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], *, runs: int, generator: Sequence[int], first: int, threads: int, sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], turned: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def pair_counts(metrics: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], human: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int, counts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def drawn_pair_counts(metric: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], human: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], *, items: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu')], item: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], systems: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu')] | None, system: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')] | None, threads: int, counts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def gap_counts(far: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], other: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], *, gap: float, above: bool, items: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu')] | None, item: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')] | None, systems: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu')] | None, system: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')] | None, threads: int, counts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def calibrated_ties(metric: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], human: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], sampled: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')] | None) -> tuple[float, float]: ...

def mid_ranks(values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int, ranks: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def drawn_spearman(metric: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], human: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], *, items: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu')], item: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], systems: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu')] | None, system: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')] | None, threads: int, values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None: ...

def swapped_sign_counts(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu')], *, judged: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], swapped: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], flips: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], tolerance: float, threads: int, counts: Annotated[NDArray[numpy.uint16], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> None: ...

class WordNumbers:
    """Words, numbered from 1 in the order in which they are met."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def add(self, texts: Texts) -> None: ...

    def words(self, begin: int, end: int) -> list[str]: ...

class PivotSource:
    """Phrase pairs of one bitext or phrase table, counted and sorted."""

    def __init__(self, words: WordNumbers, *, prefix: str, longest: int, memory: int, threads: int, counted: bool) -> None: ...

    def add_sentences(self, texts: Texts, pivots: Texts, links: Texts, inverse: bool, skip_empty: bool) -> tuple[int, int, int, int] | None: ...

    def add_table(self, lines: Texts, phrases_are_sources: bool) -> tuple[int, int, int, int] | None: ...

    def finish(self, path: str) -> str: ...

    @property
    def counts(self) -> dict[str, int]: ...

class WordForms:
    """What filters know of each word, by its number."""

    def __init__(self, *, lowered: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], bare: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], stem: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], is_number: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], is_function_word: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class PivotFilters:
    """Which pairs are left out."""

    def __init__(self, *, same: bool, punctuation: bool, numbers: bool, function_words: bool, stems: bool, floor: float, top: int) -> None: ...

class PivotReport:
    """How many pairs each filter left out, and how many were kept."""

    def __init__(self) -> None: ...

    @property
    def floor(self) -> int: ...

    @property
    def same(self) -> int: ...

    @property
    def punctuation(self) -> int: ...

    @property
    def numbers(self) -> int: ...

    @property
    def function_words(self) -> int: ...

    @property
    def stems(self) -> int: ...

    @property
    def top(self) -> int: ...

    @property
    def kept(self) -> int: ...

class Pivot:
    """
    Phrases and the pivots they share, ready to give the paraphrases of each phrase.
    """

    def __init__(self, words: WordNumbers, *, paths: Sequence[str], counted: Sequence[bool], weights: Sequence[float], prefix: str, longest: int, memory: int, threads: int) -> None: ...

    def __len__(self) -> int: ...

    @property
    def shared_pivots(self) -> int: ...

    @property
    def all_phrases(self) -> int: ...

    @property
    def all_pivots(self) -> int: ...

    @property
    def all_pairs(self) -> int: ...

    def filter(self, forms: WordForms, filters: PivotFilters, threads: int) -> None: ...

    def lines(self, begin: int, end: int, layout: str, report: PivotReport, threads: int) -> bytes: ...

class CutSettings:
    """How pairs of tokens and places of cuts are weighed."""

    def __init__(self, *, letters: bool, equal: int, other: int, alone: int, doubt: float, final: int, any_final: int, large: int, pause: int, mark: int, line: int) -> None: ...

def segment_cuts(units: TokenTexts, line_ends: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], references: TokenTexts, documents: Sequence[tuple[int, int, int, int]], settings: CutSettings, threads: int, places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], confidences: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], chosen: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Fill the unit before which each segment ends, how sure that is, and costs.
    """

lost_token: int = 4294967295

def mwer_segmenter(stream: TokenTexts, inside: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], references: TokenTexts) -> tuple[list[int], float]:
    """Where mwerSegmenter cuts, and the edits it counts."""

def soft_segmenter(stream: Sequence[str], references: Sequence[str], segment_of: Sequence[int], characters: bool) -> list[int]:
    """Which segment SoftSegmenter gives each token of a stream."""
