"""The pipelines that are used unless others are given."""

from tertium.compat.jiwer.transforms import (
    Compose,
    ExpandCommonEnglishContractions,
    ReduceToListOfListOfChars,
    ReduceToListOfListOfWords,
    ReduceToSingleSentence,
    RemoveKaldiNonWords,
    RemoveMultipleSpaces,
    RemoveWhiteSpace,
    Strip,
    ToLowerCase,
)

_standard = [
    ToLowerCase(),
    ExpandCommonEnglishContractions(),
    RemoveKaldiNonWords(),
    RemoveWhiteSpace(replace_by_space=True),
    RemoveMultipleSpaces(),
    Strip(),
]

wer_default = Compose([RemoveMultipleSpaces(), Strip(), ReduceToListOfListOfWords()])
wer_contiguous = Compose([RemoveMultipleSpaces(), Strip(), ReduceToSingleSentence(), ReduceToListOfListOfWords()])
wer_standardize = Compose([*_standard, ReduceToListOfListOfWords()])
wer_standardize_contiguous = Compose([*_standard, ReduceToSingleSentence(), ReduceToListOfListOfWords()])
cer_default = Compose([Strip(), ReduceToListOfListOfChars()])
cer_contiguous = Compose([Strip(), ReduceToSingleSentence(), ReduceToListOfListOfChars()])
