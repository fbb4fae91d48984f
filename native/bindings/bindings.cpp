// The door between Python and the kernels: takes arguments apart, checks sizes, lets go of the GIL, calls one
// function. Nothing else in this folder knows Python.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <tuple>

#include "text/arrow.hpp"
#include "matching/assignment.hpp"
#include "metrics/cder.hpp"
#include "metrics/chrf.hpp"
#include "metrics/wer.hpp"
#include "metrics/per.hpp"
#include "lexicon/key_table.hpp"
#include "metrics/information.hpp"
#include "text/lines.hpp"
#include "metrics/long_jump.hpp"
#include "text/mapped_source.hpp"
#include "metrics/meteor/meteor.hpp"
#include "text/meteor_text.hpp"
#include "metrics/bleu.hpp"
#include "statistics/pair_counts.hpp"
#include "metrics/nist.hpp"
#include "machine/parallel.hpp"
#include "paraphrase/pivot.hpp"
#include "lexicon/phrase_compiler.hpp"
#include "lexicon/phrase_index.hpp"
#include "text/stored_words.hpp"
#include "metrics/ter/shifts.hpp"
#include "text/ter_text.hpp"
#include "metrics/terp/terp.hpp"
#include "text/terp_text.hpp"
#include "statistics/resampling.hpp"
#include "text/text.hpp"
#include "text/unicode.hpp"
#include "text/utf8.hpp"
#include "lexicon/word_index.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tertium;

namespace {

using Rows = nb::ndarray<double, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

[[noreturn]] void refuse(const std::string& message) {
    const nb::object error = nb::module_::import_("tertium.errors").attr("InputError");
    PyErr_SetString(error.ptr(), message.c_str());
    throw nb::python_error();
}

std::string kind_of(nb::handle object) { return nb::cast<std::string>(nb::str(object.type().attr("__name__"))); }

// Runs work(watch) without the GIL; Ctrl-C stops it.
template <class Work>
void run(Work work) {
    Watch watch([] {
        nb::gil_scoped_acquire locked;
        return PyErr_CheckSignals() != 0;
    });
    try {
        nb::gil_scoped_release unlocked;
        work(watch);
    } catch (const Interrupted&) {
        if (PyErr_Occurred()) throw nb::python_error();
        throw;
    }
}

// As `run`; a full disk is the user's to put right.
template <class Work>
void storing(Work work) {
    try {
        run(work);
    } catch (const StorageError& error) {
        refuse(error.what());
    }
}

// (what, line, found, known) or None.
std::optional<std::tuple<int, std::size_t, std::size_t, std::size_t>> fault_fields(const std::optional<Fault>& fault) {
    if (!fault) return std::nullopt;
    return std::make_tuple(static_cast<int>(fault->what), fault->line, fault->found, fault->known);
}

// Texts in groups: the hypotheses are groups of one, the references of a segment are a group. Views borrow the
// UTF-8 that Python keeps with each string, or the memory of a file; `owners` keeps either alive.
class Texts {
public:
    std::vector<std::string_view> views;
    std::vector<std::size_t> offsets{0};
    std::vector<nb::object> owners;
    std::vector<std::shared_ptr<void>> chunks;  // memory that is not Python's

    std::size_t size() const { return offsets.size() - 1; }
    void close_group() { offsets.push_back(views.size()); }

    void add(nb::handle text, const std::string& where) {
        if (!PyUnicode_Check(text.ptr())) refuse(where + " is a " + kind_of(text) + ", not a string.");
        Py_ssize_t length = 0;
        const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
        if (!bytes) {
            PyErr_Clear();
            refuse(where + " has a lone surrogate, which is no character; clean the text where it was decoded "
                           "(surrogateescape?).");
        }
        views.emplace_back(bytes, static_cast<std::size_t>(length));
        owners.push_back(nb::borrow(text));
    }
};

struct Sequence {
    explicit Sequence(nb::handle object, const char* name) {
        if (PyUnicode_Check(object.ptr()) || PyBytes_Check(object.ptr()))
            refuse(std::string(name) + " must be a list of segments, but one " + kind_of(object) +
                   " was given. Put it in a list: [text].");
        items = nb::steal(PySequence_Fast(object.ptr(), ""));
        if (!items.is_valid()) {
            PyErr_Clear();
            refuse(std::string(name) + " must be a list of segments, not a " + kind_of(object) + ".");
        }
        is_list = PyList_Check(items.ptr());
        size = PySequence_Size(items.ptr());
    }
    nb::handle operator[](Py_ssize_t i) const {
        return is_list ? PyList_GetItem(items.ptr(), i) : PyTuple_GetItem(items.ptr(), i);
    }
    nb::object items;
    bool is_list = false;
    Py_ssize_t size = 0;
};

std::string place(const char* name, Py_ssize_t i) { return std::string(name) + "[" + std::to_string(i) + "]"; }

// Adds what is a proper string, without naming its place; Texts::add says what is wrong with anything else.
bool add_string(nb::handle item, Texts& texts) {
    if (!PyUnicode_Check(item.ptr())) return false;
    Py_ssize_t length = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(item.ptr(), &length);
    if (!bytes) {
        PyErr_Clear();
        return false;
    }
    texts.views.emplace_back(bytes, static_cast<std::size_t>(length));
    texts.owners.push_back(nb::borrow(item));
    return true;
}

std::unique_ptr<Texts> flat_texts(nb::handle object, const char* name) {
    const Sequence items(object, name);
    auto texts = std::make_unique<Texts>();
    texts->views.reserve(static_cast<std::size_t>(items.size));
    texts->owners.reserve(static_cast<std::size_t>(items.size));
    texts->offsets.reserve(static_cast<std::size_t>(items.size) + 1);
    for (Py_ssize_t i = 0; i < items.size; ++i) {
        const nb::handle item = items[i];
        if (!add_string(item, *texts)) texts->add(item, place(name, i));
        texts->close_group();
    }
    return texts;
}

std::unique_ptr<Texts> grouped_texts(nb::handle object, const char* name) {
    const Sequence items(object, name);
    auto texts = std::make_unique<Texts>();
    texts->views.reserve(static_cast<std::size_t>(items.size));
    texts->owners.reserve(static_cast<std::size_t>(items.size));
    texts->offsets.reserve(static_cast<std::size_t>(items.size) + 1);
    for (Py_ssize_t i = 0; i < items.size; ++i) {
        const nb::handle item = items[i];
        if (!add_string(item, *texts)) {
            if (PyUnicode_Check(item.ptr())) texts->add(item, place(name, i));
            if (item.is_none())
                refuse(place(name, i) + " is None: the segment has no reference. Give at least one, or leave the "
                                        "segment out of hypotheses and references.");
            const Sequence group(item, place(name, i).c_str());
            for (Py_ssize_t k = 0; k < group.size; ++k)
                if (!add_string(group[k], *texts) && !group[k].is_none())
                    texts->add(group[k], place(name, i) + "[" + std::to_string(k) + "]");
            if (texts->views.size() == texts->offsets.back())
                refuse(place(name, i) + " holds no reference. Give at least one, or leave the segment out of "
                                        "hypotheses and references.");
        }
        texts->close_group();
    }
    return texts;
}

// Segment i of the result has segment i of each part, in order.
std::unique_ptr<Texts> zipped_texts(const std::vector<const Texts*>& parts) {
    auto texts = std::make_unique<Texts>();
    const std::size_t size = parts.empty() ? 0 : parts.front()->size();
    for (const Texts* part : parts)
        if (part->size() != size) throw nb::value_error("zipped: segment counts differ");
    for (std::size_t i = 0; i < size; ++i) {
        for (const Texts* part : parts)
            texts->views.insert(texts->views.end(), part->views.begin() + static_cast<std::ptrdiff_t>(part->offsets[i]),
                                part->views.begin() + static_cast<std::ptrdiff_t>(part->offsets[i + 1]));
        texts->close_group();
    }
    return texts;
}

// The segments of one part after the other.
std::unique_ptr<Texts> joined_texts(const std::vector<const Texts*>& parts) {
    auto texts = std::make_unique<Texts>();
    std::size_t views = 0, groups = 0;
    for (const Texts* part : parts) views += part->views.size(), groups += part->size();
    texts->views.reserve(views);
    texts->offsets.reserve(groups + 1);
    for (const Texts* part : parts) {
        const std::size_t before = texts->views.size();
        texts->views.insert(texts->views.end(), part->views.begin(), part->views.end());
        for (std::size_t i = 1; i <= part->size(); ++i) texts->offsets.push_back(before + part->offsets[i]);
    }
    return texts;
}

std::vector<const Texts*> pointers_to(const nb::typed<nb::list, Texts>& parts) {
    std::vector<const Texts*> pointers;
    for (const nb::handle part : parts) pointers.push_back(nb::cast<const Texts*>(part));
    return pointers;
}

// Views of the segments [begin, end); `texts` must outlive it, which the caller sees to.
std::unique_ptr<Texts> slice(const Texts& texts, std::size_t begin, std::size_t end) {
    auto part = std::make_unique<Texts>();
    begin = std::min(begin, texts.size());
    end = std::clamp(end, begin, texts.size());
    const std::size_t first = texts.offsets[begin], last = texts.offsets[end];
    part->views.assign(texts.views.begin() + static_cast<std::ptrdiff_t>(first),
                       texts.views.begin() + static_cast<std::ptrdiff_t>(last));
    part->offsets.clear();
    for (std::size_t i = begin; i <= end; ++i) part->offsets.push_back(texts.offsets[i] - first);
    return part;
}

// Looks at where texts are in memory, so neither may have been let go.
std::optional<std::size_t> place_of(const Texts& texts, const Texts& part) {
    const auto is_same = [](std::string_view a, std::string_view b) {
        return a.data() == b.data() && a.size() == b.size();
    };
    const auto found = std::search(texts.views.begin(), texts.views.end(), part.views.begin(), part.views.end(), is_same);
    if (found == texts.views.end()) return std::nullopt;
    return static_cast<std::size_t>(found - texts.views.begin());
}

std::unique_ptr<Texts> fields(const Texts& lines, std::size_t index) {
    auto texts = std::make_unique<Texts>();
    texts->views = lines.views;
    texts->offsets = lines.offsets;
    if (take_field(texts->views, index) < texts->views.size()) return nullptr;
    return texts;
}

std::unique_ptr<Texts> split_fields(const Texts& lines) {
    auto texts = std::make_unique<Texts>();
    for (const std::string_view line : lines.views) {
        for (std::size_t begin = 0; begin <= line.size();) {
            const std::size_t end = std::min(line.find('\t', begin), line.size());
            if (end > begin) texts->views.push_back(line.substr(begin, end - begin));
            begin = end + 1;
        }
        if (texts->views.size() == texts->offsets.back()) texts->views.push_back({});
        texts->close_group();
    }
    return texts;
}

// Consumes the capsules of Arrow's C stream or C array interface; what they own lives as long as the texts.
std::unique_ptr<Texts> arrow_texts(nb::object source, const char* name, bool grouped) {
    auto texts = std::make_unique<Texts>();
    std::int64_t item = 0;
    const auto take = [&](const arrow::ArrowSchema& schema, const arrow::ArrowArray& array) {
        if (!arrow::is_readable(schema) || (!grouped && schema.format[0] == '+'))
            refuse(std::string(name) + " is an Arrow column of type '" + schema.format + "', but strings" +
                   (grouped ? " or lists of strings" : "") + " were expected. Cast it first.");
        arrow::read(
            schema, array,
            [&](std::string_view text) {
                if (utf8::first_invalid(text) != std::string_view::npos) refuse(place(name, item) + " is not UTF-8.");
                texts->views.push_back(text);
            },
            [&] {
                if (texts->views.size() == texts->offsets.back())
                    refuse(place(name, item) + (grouped ? " holds no reference." : " is null, not a string."));
                texts->close_group();
                ++item;
            });
    };
    nb::object capsules;
    if (nb::hasattr(source, "__arrow_c_stream__")) {
        capsules = source.attr("__arrow_c_stream__")();
        auto* stream = static_cast<arrow::ArrowArrayStream*>(PyCapsule_GetPointer(capsules.ptr(), "arrow_array_stream"));
        if (!stream) throw nb::python_error();
        arrow::ArrowSchema schema{};
        if (stream->get_schema(stream, &schema) != 0) refuse(std::string(name) + ": the Arrow stream has no schema.");
        const auto release_schema = [](arrow::ArrowSchema* s) {
            if (s->release) s->release(s);
        };
        const std::unique_ptr<arrow::ArrowSchema, decltype(release_schema)> schema_guard(&schema, release_schema);
        for (;;) {
            auto array = std::shared_ptr<arrow::ArrowArray>(new arrow::ArrowArray{}, [](arrow::ArrowArray* a) {
                if (a->release) a->release(a);
                delete a;
            });
            if (stream->get_next(stream, array.get()) != 0) {
                const char* const why = stream->get_last_error(stream);
                refuse(std::string(name) + ": the Arrow stream broke off (" + (why ? why : "no reason given") + ").");
            }
            if (!array->release) break;
            texts->chunks.push_back(array);
            take(schema, *array);
        }
    } else {
        capsules = source.attr("__arrow_c_array__")();
        const auto pair = nb::cast<nb::tuple>(capsules);
        auto* schema = static_cast<arrow::ArrowSchema*>(PyCapsule_GetPointer(pair[0].ptr(), "arrow_schema"));
        auto* array = static_cast<arrow::ArrowArray*>(PyCapsule_GetPointer(pair[1].ptr(), "arrow_array"));
        if (!schema || !array) throw nb::python_error();
        take(*schema, *array);
    }
    texts->owners.push_back(capsules);
    texts->owners.push_back(source);
    return texts;
}

Rule rule_named(const std::string& name) {
    if (name == "none") return Rule::none;
    if (name == "space") return Rule::space;
    if (name == "13a") return Rule::mteval_13a;
    if (name == "intl" || name == "thesis") return Rule::intl;
    if (name == "mteval") return Rule::mteval;
    if (name == "mteval-intl") return Rule::mteval_intl;
    if (name == "zh") return Rule::zh;
    if (name == "char") return Rule::characters;
    throw nb::value_error("no native tokenizer has this name");
}

Normalization normalization_named(const std::string& name) {
    if (name == "none") return Normalization::none;
    if (name == "nfc") return Normalization::nfc;
    if (name == "nfkc") return Normalization::nfkc;
    throw nb::value_error("no Unicode normalization has this name");
}

// Tokens in groups, as Texts are texts in groups.
struct TokenTexts {
    std::unique_ptr<TokenSource> source;
    std::vector<std::size_t> offsets;
    std::size_t size() const { return offsets.size() - 1; }
};

std::unique_ptr<TokenTexts> tokens_of_texts(const Texts& texts, const Tokenizer& tokenizer) {
    auto tokens = std::make_unique<TokenTexts>();
    tokens->source = std::make_unique<TextSource>(texts.views, tokenizer);
    tokens->offsets = texts.offsets;
    return tokens;
}

std::unique_ptr<TokenTexts> tokens_of_lists(nb::typed<nb::list, nb::typed<nb::list, nb::str>> lists, const std::vector<std::size_t>& offsets) {
    auto stored = std::make_unique<StoredWords>();
    for (const nb::handle list : lists) {
        for (const nb::handle token : nb::cast<nb::sequence>(list)) {
            Py_ssize_t length = 0;
            const char* const bytes = PyUnicode_AsUTF8AndSize(token.ptr(), &length);
            if (!bytes) throw nb::python_error();
            stored->add({bytes, static_cast<std::size_t>(length)});
        }
        stored->close_text();
    }
    if (offsets.empty() || offsets.back() != stored->size()) throw nb::value_error("offsets do not fit");
    auto tokens = std::make_unique<TokenTexts>();
    tokens->source = std::move(stored);
    tokens->offsets = offsets;
    return tokens;
}

// Tokenizes now what would be tokenized on every use.
std::unique_ptr<TokenTexts> stored_tokens(const TokenTexts& tokens, unsigned threads) {
    auto stored = std::make_unique<StoredTokens>();
    run([&](Watch& watch) {
        const std::size_t count = tokens.source->size();
        std::vector<std::vector<Key>> keys(count);
        parallel_for(count, threads, watch, [&] {
            return [&, scratch = Tokenizer::Scratch{}, space = Tokens{}](std::size_t begin, std::size_t end) mutable {
                for (std::size_t i = begin; i < end; ++i) {
                    const auto found = tokens.source->tokens(i, scratch, space);
                    keys[i].assign(found.begin(), found.end());
                }
            };
        });
        for (const auto& one : keys) {
            stored->keys.insert(stored->keys.end(), one.begin(), one.end());
            stored->close_text();
        }
    });
    auto result = std::make_unique<TokenTexts>();
    result->source = std::move(stored);
    result->offsets = tokens.offsets;
    return result;
}

constexpr std::size_t kWordsRun = 512;

// The same, with the spelling of words kept.
std::unique_ptr<TokenTexts> stored_words(const TokenTexts& tokens, unsigned threads) {
    auto stored = std::make_unique<StoredWords>();
    run([&](Watch& watch) {
        const std::size_t count = tokens.source->size();
        std::vector<StoredWords> parts((count + kWordsRun - 1) / kWordsRun);
        parallel_for(
            count, threads, watch,
            [&] {
                return [&, reader = WordReader(true)](std::size_t begin, std::size_t end) mutable {
                    StoredWords& part = parts[begin / kWordsRun];
                    for (std::size_t i = begin; i < end; ++i) {
                        const Words words = reader(*tokens.source, i);
                        part.add_text(words.keys, words.spelling);
                    }
                };
            },
            kWordsRun);
        for (StoredWords& part : parts) stored->append(part);
    });
    auto result = std::make_unique<TokenTexts>();
    result->source = std::move(stored);
    result->offsets = tokens.offsets;
    return result;
}

Key key_of_text(std::string_view word) { return key_of(word.data(), word.size(), word.data() + word.size()); }

// The words of the texts, each once, that a table does not know yet.
nb::typed<nb::list, nb::str> unknown_words(const TokenTexts& tokens, const KeyTable& table, unsigned threads) {
    std::unordered_map<Key, std::string> unknown;
    std::mutex collecting;
    run([&](Watch& watch) {
        parallel_for(tokens.source->size(), threads, watch, [&] {
            return [&, reader = WordReader(true), seen = std::unordered_map<Key, std::string>()](
                       std::size_t begin, std::size_t end) mutable {
                seen.clear();
                for (std::size_t i = begin; i < end; ++i) {
                    const Words words = reader(*tokens.source, i);
                    for (std::size_t k = 0; k < words.size(); ++k)
                        if (!table.contains(words.keys[k])) seen.try_emplace(words.keys[k], words.spelling[k]);
                }
                if (seen.empty()) return;
                const std::lock_guard one_at_a_time(collecting);
                unknown.merge(seen);
            };
        });
    });
    nb::list words;
    for (const auto& [key, word] : unknown) words.append(nb::str(word.data(), word.size()));
    return words;
}

LengthRule length_rule_named(const std::string& name) {
    return name == "best"       ? LengthRule::best
           : name == "closest"  ? LengthRule::closest
           : name == "shortest" ? LengthRule::shortest
                                : LengthRule::average;
}

TerpSettings::Constraint constraint_named(const std::string& name) {
    using Constraint = TerpSettings::Constraint;
    return name == "noshift"          ? Constraint::noshift
           : name == "exact"          ? Constraint::exact
           : name == "relax_nophrase" ? Constraint::relax_nophrase
           : name == "allow_mismatch" ? Constraint::allow_mismatch
                                      : Constraint::relax;
}

TerpSettings::PhraseCost phrase_cost_named(const std::string& name) {
    using PhraseCost = TerpSettings::PhraseCost;
    return name == "inverse"    ? PhraseCost::inverse
           : name == "no-edits" ? PhraseCost::no_edits
           : name == "table"    ? PhraseCost::table
                                : PhraseCost::standard;
}

// The texts in other tokens: for each the first id that the table has for it, or the token itself.
std::unique_ptr<TokenTexts> mapped_tokens(const TokenTexts& tokens, const KeyTable& table) {
    auto result = std::make_unique<TokenTexts>();
    result->source = std::make_unique<MappedSource>(*tokens.source, table);
    result->offsets = tokens.offsets;
    return result;
}

std::vector<std::string_view> views_of(const nb::list& buffers) {
    std::vector<std::string_view> views;
    for (const nb::handle buffer : buffers) {
        Py_buffer view{};
        if (PyObject_GetBuffer(buffer.ptr(), &view, PyBUF_SIMPLE) != 0) throw nb::python_error();
        views.emplace_back(static_cast<const char*>(view.buf), static_cast<std::size_t>(view.len));
        PyBuffer_Release(&view);  // the list keeps it alive, and nobody resizes it meanwhile
    }
    return views;
}

PhraseCounts phrase_counts(const std::vector<std::uint64_t>& numbers) {
    if (numbers.size() != 9) throw nb::value_error("nine counts were expected");
    return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7], numbers[8]};
}

template <class Item>
using Listed = nb::ndarray<const Item, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::string words_joined(const PhraseIndex& index, std::span<const PhraseIndex::Word> words) {
    std::string text;
    for (const PhraseIndex::Word word : words) {
        if (!text.empty()) text += ' ';
        text += index.spelling(word);
    }
    return text;
}

template <class Splitter>
nb::typed<nb::list, nb::str> split(const Splitter& tokenizer, std::string_view text) {
    Tokenizer::Scratch scratch;
    Tokens tokens;
    tokens.keep_words = true;
    tokenizer(text, scratch, tokens);
    nb::list words;
    for (const std::string_view word : tokens.words) words.append(nb::str(word.data(), word.size()));
    return words;
}

void check_rows(const Rows& rows, std::size_t segments, std::size_t references, std::size_t columns) {
    if (references != segments || rows.shape(0) != segments || rows.shape(1) != columns)
        throw nb::value_error("segments, references and rows do not fit each other");
}

void check_one(const TokenTexts& hypotheses, const TokenTexts& references) {
    if (hypotheses.size() != 1 || references.size() != 1) throw nb::value_error("one segment is aligned at a time");
}

Substitution substitution_named(const std::string& name, nb::object function) {
    Substitution substitution;
    substitution.kind = name == "exact"         ? CostKind::exact
                        : name == "levenshtein" ? CostKind::levenshtein
                        : name == "gld"         ? CostKind::gld
                        : name == "prefix"      ? CostKind::prefix
                        : name == "shared"      ? CostKind::shared
                                                : CostKind::custom;
    if (substitution.kind == CostKind::shared) substitution.table = nb::cast<const KeyTable*>(function);
    if (substitution.kind != CostKind::custom) return substitution;
    substitution.custom = [function](std::string_view hypothesis, std::string_view reference) {
        nb::gil_scoped_acquire locked;
        const nb::str ours(hypothesis.data(), hypothesis.size()), theirs(reference.data(), reference.size());
        const nb::object cost = function(ours, theirs);
        const double value = PyNumber_Check(cost.ptr()) ? PyFloat_AsDouble(cost.ptr()) : -1.0;
        if (PyErr_Occurred()) throw nb::python_error();
        if (!(value >= 0 && value <= 2))
            refuse("substitution(" + nb::cast<std::string>(nb::repr(ours)) + ", " +
                   nb::cast<std::string>(nb::repr(theirs)) + ") returned " + nb::cast<std::string>(nb::repr(cost)) +
                   ", but a cost is a number from 0 to 2: more than that, and leaving one word out and putting the "
                   "other in would be cheaper.");
        return value;
    };
    return substitution;
}

ReferenceRule reference_rule_named(const std::string& name) {
    return name == "best" ? ReferenceRule::best : ReferenceRule::min_average;
}

MoveSettings move_settings(const std::string& substitution, nb::object function, const std::string& rule,
                           const std::string& direction, const std::string& penalty) {
    return {substitution_named(substitution, function), reference_rule_named(rule),
            direction == "forward"    ? MoveDirection::forward
            : direction == "reversed" ? MoveDirection::reversed
                                      : MoveDirection::maximum,
            penalty == "none"          ? MovePenalty::none
            : penalty == "length"      ? MovePenalty::length
            : penalty == "miscoverage" ? MovePenalty::miscoverage
                                       : MovePenalty::average};
}

// The number of the reference, and per step: kind, both spans, cost.
nb::tuple alignment_of(const PairAlignment& alignment) {
    static constexpr const char* kinds[] = {"match", "substitution", "insertion", "deletion", "jump"};
    nb::list steps;
    for (const AlignmentStep& step : alignment.steps)
        steps.append(nb::make_tuple(kinds[static_cast<int>(step.kind)], step.hyp_begin, step.hyp_end, step.ref_begin,
                                    step.ref_end, step.cost));
    return nb::make_tuple(alignment.reference, steps);
}

// A file's lines, with the buffer they lie in.
class LineReader {
public:
    LineReader(nb::object buffer, std::size_t lines_before) : owner_(buffer) {
        if (PyObject_GetBuffer(buffer.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
        lines_.emplace(std::string_view(static_cast<const char*>(view_.buf), static_cast<std::size_t>(view_.len)),
                       lines_before);
    }
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;
    ~LineReader() { PyBuffer_Release(&view_); }

    // The next lines, or None if one of them is no text.
    std::unique_ptr<Texts> take(std::size_t most) {
        auto texts = std::make_unique<Texts>();
        bool good = true;
        {
            nb::gil_scoped_release unlocked;
            good = lines_->take(most, texts->views);
            texts->offsets.resize(texts->views.size() + 1);
            for (std::size_t i = 0; i < texts->offsets.size(); ++i) texts->offsets[i] = i;
        }
        if (!good) return nullptr;
        return texts;
    }
    Lines& lines() { return *lines_; }

private:
    nb::object owner_;
    Py_buffer view_{};
    std::optional<Lines> lines_;
};

void check_sums(const Rows& rows, const Rows& sums) {
    if (rows.shape(1) != sums.shape(0)) throw nb::value_error("sums: column counts differ");
    if (rows.shape(0) == 0 || rows.shape(0) >= std::uint64_t{1} << 32)
        throw nb::value_error("sums: there must be between 1 and 2^32 - 1 rows");
}

using Column = nb::ndarray<double, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<std::int64_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<std::int32_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<std::uint8_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Drawn = nb::ndarray<std::uint16_t, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Groups of points must follow each other and end with the last point.
Offsets checked_offsets(const Places& offsets, std::size_t points) {
    const Offsets all{offsets.data(), offsets.size()};
    if (all.empty() || all.front() != 0 || all.back() != static_cast<std::int64_t>(points) ||
        !std::is_sorted(all.begin(), all.end()))
        throw nb::value_error("offsets do not divide the points into groups");
    return all;
}

void check_points(std::size_t one, std::size_t two) {
    if (one != two) throw nb::value_error("numbers of points differ");
    if (one >= std::uint64_t{1} << 31) throw nb::value_error("there are too many points");
}

Draws checked_draws(const Drawn& items, const Codes& item, const std::optional<Drawn>& systems,
                    const std::optional<Codes>& system, std::size_t points, std::size_t replicates) {
    Draws draws{{items.data(), items.size()}, {}, {item.data(), item.size()}, {}, items.shape(1), 0};
    if (systems && system) {
        draws.systems = {systems->data(), systems->size()};
        draws.system = {system->data(), system->size()};
        draws.system_count = systems->shape(1);
        if (systems->shape(0) != items.shape(0)) throw nb::value_error("numbers of replicates differ");
    }
    const auto outside = [points](std::span<const std::int32_t> codes, std::size_t count) {
        return codes.size() != points || std::any_of(codes.begin(), codes.end(), [count](std::int32_t code) {
                   return code < 0 || static_cast<std::size_t>(code) >= count;
               });
    };
    if (items.shape(0) != replicates || outside(draws.item, draws.item_count) ||
        (system && outside(draws.system, draws.system_count)))
        throw nb::value_error("draws do not fit the points");
    return draws;
}

// All numbers of an Information, for pickling.
using InformationState = std::tuple<unsigned, std::uint64_t, nb::bytes, nb::bytes>;

template <class Item>
nb::bytes as_bytes(std::span<const Item> items) {
    return nb::bytes(reinterpret_cast<const char*>(items.data()), items.size_bytes());
}

template <class Item>
std::vector<Item> from_bytes(const nb::bytes& bytes) {
    if (bytes.size() % sizeof(Item) != 0) throw nb::value_error("information weights: cut short");
    std::vector<Item> items(bytes.size() / sizeof(Item));
    std::copy_n(bytes.c_str(), bytes.size(), reinterpret_cast<char*>(items.data()));
    return items;
}

InformationState information_state(const Information& information) {
    return {information.order(), information.total(), as_bytes(information.words()), as_bytes(information.ngrams())};
}

void restore_information(Information& information, const InformationState& state) {
    const auto& [order, total, words, ngrams] = state;
    new (&information) Information(order, total, from_bytes<Information::Word>(words),
                                   from_bytes<Information::Ngram>(ngrams));
}

// The state of NumPy's PCG64, highest bits first, then its increment.
GeneratorState generator_state(const std::vector<std::uint64_t>& words) {
    if (words.size() != 4) throw nb::value_error("generator: four 64-bit words were expected");
    return {{words[0], words[1]}, {words[2], words[3]}};
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "Counting, in C++. Use it through the metrics.";
#if defined(NDEBUG)
    nb::set_leak_warnings(false);  // a fitted metric may well live until Python ends
#endif
    m.attr("unicode_version") = nb::str(unicode::version.data(), unicode::version.size());

    nb::class_<Texts>(m, "Texts", "Texts in groups, borrowed from Python strings or from a file.")
        .def("__len__", &Texts::size)
        .def("__getitem__",
             [](const Texts& texts, std::size_t i) -> nb::typed<nb::list, nb::str> {
                 if (i >= texts.size()) throw nb::index_error("no such segment");
                 nb::list group;
                 for (std::size_t k = texts.offsets[i]; k < texts.offsets[i + 1]; ++k)
                     group.append(nb::str(texts.views[k].data(), texts.views[k].size()));
                 return group;
             })
        .def("fields", &fields, "index"_a, nb::keep_alive<0, 1>(),
             "The field at an index of each line of tab-separated fields; None if a line has too few.",
             nb::sig("def fields(self, index: int) -> Texts | None"))
        .def("split_fields", &split_fields, nb::keep_alive<0, 1>(),
             "Each line's tab-separated fields as a group; empty ones are missing.")
        .def_prop_ro(
            "group_size",
            [](const Texts& texts) -> std::size_t {
                const std::size_t size = texts.size() == 0 ? 0 : texts.offsets[1];
                for (std::size_t i = 0; i < texts.size(); ++i)
                    if (texts.offsets[i + 1] - texts.offsets[i] != size) return 0;
                return size;
            },
            "How many texts each group has; 0 if that varies.")
        .def(
            "empty",
            [](const Texts& texts) {
                std::size_t count = 0, first = texts.views.size();
                for (std::size_t i = texts.views.size(); i-- > 0;)
                    if (texts.views[i].empty()) ++count, first = i;
                return nb::make_tuple(count, first);
            },
            "How many texts are empty, and which is the first.", nb::sig("def empty(self) -> tuple[int, int]"))
        .def_prop_ro("offsets", [](const Texts& texts) { return texts.offsets; })
        .def("slice", &slice, "begin"_a, "end"_a, nb::keep_alive<0, 1>())
        .def("place_of", &place_of, "part"_a,
             "Where other texts stand among these, in the same memory and in a row; None if they do not.");
    m.def("flat_texts", &flat_texts, "texts"_a.none(), "name"_a);
    m.def("grouped_texts", &grouped_texts, "groups"_a.none(), "name"_a);
    m.def("arrow_texts", &arrow_texts, "source"_a, "name"_a, "grouped"_a);
    m.def(
        "zipped_texts",
        [](nb::typed<nb::list, Texts> parts) { return zipped_texts(pointers_to(parts)); }, "parts"_a,
        nb::keep_alive<0, 1>());
    m.def(
        "joined_texts", [](nb::typed<nb::list, Texts> parts) { return joined_texts(pointers_to(parts)); }, "parts"_a,
        nb::keep_alive<0, 1>());

    nb::class_<Tokenizer>(m, "Tokenizer", "A native tokenizer with its case folding and Unicode normalization.")
        .def("__init__",
             [](Tokenizer* self, const std::string& rule, bool lowercase, const std::string& normalization) {
                 new (self) Tokenizer(rule_named(rule), lowercase, normalization_named(normalization));
             },
             "rule"_a, "lowercase"_a, "unicode"_a)
        .def("split", &split<Tokenizer>, "text"_a);

    nb::class_<TokenTexts>(m, "TokenTexts", "Tokens in groups, stored or made on the way.")
        .def("__len__", &TokenTexts::size)
        .def("stored", &stored_tokens, "threads"_a)
        .def("stored_words", &stored_words, "threads"_a, "Stored with their spelling, for those who look words up.")
        .def("unknown_words", &unknown_words, "table"_a, "threads"_a,
             "The words that the table does not know, each once.")
        .def("mapped", &mapped_tokens, "table"_a, nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(),
             "The same texts with the first id of each token in its place, where the table has one.");
    m.def("tokens_of_texts", &tokens_of_texts, "texts"_a, "tokenizer"_a, nb::keep_alive<0, 1>());
    m.def("tokens_of_lists", &tokens_of_lists, "lists"_a, "offsets"_a);

    nb::class_<LineReader>(m, "LineReader", "The lines of a file that lies in memory, block by block.")
        .def(nb::init<nb::object, std::size_t>(), "buffer"_a, "lines_before"_a = 0)
        .def("take", &LineReader::take, "most"_a, nb::keep_alive<0, 1>(),
             nb::sig("def take(self, most: int) -> Texts | None"))
        .def_prop_ro("at_end", [](LineReader& reader) { return reader.lines().at_end(); })
        .def_prop_ro("had_byte_order_mark", [](LineReader& reader) { return reader.lines().had_byte_order_mark; })
        .def_prop_ro("first_inner_mark", [](LineReader& reader) { return reader.lines().first_inner_mark; })
        .def_prop_ro("first_crlf", [](LineReader& reader) { return reader.lines().first_crlf; })
        .def_prop_ro("first_odd_separator", [](LineReader& reader) { return reader.lines().first_odd_separator; })
        .def_prop_ro("final_newline", [](LineReader& reader) { return reader.lines().final_newline; })
        .def_prop_ro("bad_line", [](LineReader& reader) { return reader.lines().bad_line; })
        .def_prop_ro("bad_column", [](LineReader& reader) { return reader.lines().bad_column; })
        .def_prop_ro("bad_byte", [](LineReader& reader) { return static_cast<int>(reader.lines().bad_byte); });

    m.def("word_keys", [](const nb::typed<nb::list, nb::str>& words, nb::ndarray<std::uint64_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu> keys) {
        if (keys.shape(0) != words.size()) throw nb::value_error("word_keys: sizes differ");
        std::size_t at = 0;
        for (const nb::handle word : words) keys.data()[at++] = key_of_text(nb::cast<std::string_view>(word));
    }, "words"_a, "keys"_a.noconvert(), "Fills in the token key of each word.");
    nb::class_<KeyTable>(m, "KeyTable", "Words with ids: grows, and may be read meanwhile.")
        .def(nb::init<>())
        .def("__len__", &KeyTable::size)
        .def("__contains__", [](const KeyTable& table, std::string_view word) { return table.contains(key_of_text(word)); },
             "word"_a)
        .def("ids", [](const KeyTable& table, std::string_view word) {
            const auto ids = table.find(key_of_text(word));
            return std::vector<std::uint64_t>(ids.begin(), ids.end());
        }, "word"_a)
        .def("add", [](KeyTable& table, const std::vector<std::string_view>& words,
                       const std::vector<std::vector<std::uint64_t>>& ids) {
            if (words.size() != ids.size()) throw nb::value_error("add: one list of ids per word is needed");
            for (std::size_t i = 0; i < words.size(); ++i) table.add(key_of_text(words[i]), ids[i]);
        }, "words"_a, "ids"_a)
        .def("add_words", [](KeyTable& table, const std::vector<std::string_view>& words,
                             const std::vector<std::string_view>& forms) {
            if (words.size() != forms.size()) throw nb::value_error("add_words: one form per word is needed");
            for (std::size_t i = 0; i < words.size(); ++i) {
                const std::uint64_t id = key_of_text(forms[i]);
                table.add(key_of_text(words[i]), {&id, 1});
            }
        }, "words"_a, "forms"_a, "The id of each word is the token key of its form.");
    nb::class_<WordIndex>(m, "WordIndex", "Words with ids, in arrays that may be a mapped file.")
        .def("__init__", [](WordIndex* self, Listed<std::uint64_t> keys, Listed<std::uint32_t> ends,
                            Listed<std::uint32_t> ids) {
            new (self) WordIndex({keys.data(), keys.size()}, {ends.data(), ends.size()}, {ids.data(), ids.size()});
        }, "keys"_a.noconvert(), "ends"_a.noconvert(), "ids"_a.noconvert(), nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def("__len__", &WordIndex::size)
        .def("__contains__", [](const WordIndex& index, std::string_view word) { return index.contains(key_of_text(word)); },
             "word"_a)
        .def("ids", [](const WordIndex& index, std::string_view word) {
            const auto ids = index.find(key_of_text(word));
            return std::vector<std::uint32_t>(ids.begin(), ids.end());
        }, "word"_a);

    nb::class_<PhraseIndex>(m, "PhraseIndex", "A table of phrase pairs, mapped into memory.")
        .def("__init__", [](PhraseIndex* self, nb::object buffer, std::size_t offset, const std::vector<std::uint64_t>& counts) {
            nb::list one;
            one.append(buffer);
            const std::string_view bytes = views_of(one).front();
            if (offset > bytes.size()) throw nb::value_error("phrase index: the file is too short");
            new (self) PhraseIndex(bytes.substr(offset), phrase_counts(counts));
        }, "buffer"_a, "offset"_a, "counts"_a, nb::keep_alive<1, 2>())
        .def("__len__", &PhraseIndex::size)
        .def_prop_ro("longest", &PhraseIndex::longest)
        .def_prop_ro("longest_paraphrase", &PhraseIndex::longest_paraphrase)
        .def("paraphrases", [](const PhraseIndex& index, const std::vector<std::string_view>& words) {
            std::vector<Key> keys;
            for (const std::string_view word : words) keys.push_back(key_of_text(word));
            nb::list found;
            for (const PhraseIndex::Entry entry : index.find(keys))
                found.append(nb::make_tuple(words_joined(index, entry.words), entry.probability));
            return found;
        }, "words"_a, nb::sig("def paraphrases(self, words: Sequence[str]) -> list[tuple[str, float]]"))
        .def("find_all", [](const PhraseIndex& index, const TokenTexts& tokens) {
            std::size_t found = 0;
            run([&](Watch& watch) {
                Tokenizer::Scratch scratch;
                Tokens space;
                std::vector<PhraseIndex::Word> words;
                for (std::size_t i = 0; i < tokens.source->size(); ++i) {
                    if (i % kStep == 0) watch.checkpoint();
                    words.clear();
                    for (const Key key : tokens.source->tokens(i, scratch, space)) words.push_back(index.word(key));
                    for (std::size_t begin = 0; begin < words.size(); ++begin) {
                        PhraseIndex::Node node = PhraseIndex::kRoot;
                        for (std::size_t k = begin; k < words.size(); ++k) {
                            if ((node = index.step(node, words[k])) == PhraseIndex::kNoNode) break;
                            found += index.entries(node).size();
                        }
                    }
                }
            });
            return found;
        }, "tokens"_a, "How many entries the spans of these texts have.")
        .def("phrases", [](const PhraseIndex& index, std::size_t first_slot, std::size_t most) {
            nb::list found;
            std::vector<PhraseIndex::Word> words;
            std::size_t slot = first_slot;
            for (; slot < index.slots() && nb::len(found) < most; ++slot) {
                const PhraseIndex::Entries entries = index.entries(static_cast<PhraseIndex::Node>(slot));
                if (entries.empty()) continue;
                index.words_to(static_cast<PhraseIndex::Node>(slot), words);
                const std::string phrase = words_joined(index, words);
                for (const PhraseIndex::Entry entry : entries)
                    found.append(nb::make_tuple(phrase, words_joined(index, entry.words), entry.probability));
            }
            return nb::make_tuple(slot < index.slots() ? nb::object(nb::int_(slot)) : nb::object(nb::none()), found);
        }, "first_slot"_a, "most"_a,
             nb::sig("def phrases(self, first_slot: int, most: int) -> tuple[int | None, list[tuple[str, str, float]]]"));
    nb::class_<PhraseCompiler>(m, "PhraseCompiler", "Makes a PhraseIndex of lines, in bounded memory.")
        .def("__init__", [](PhraseCompiler* self, const std::string& form, bool v1_bug, bool any_number,
                            bool numbered) {
            const PhraseForm which = form == "meteor" ? PhraseForm::meteor
                                     : form == "terp" ? PhraseForm::terp
                                     : form == "ppdb" ? PhraseForm::ppdb
                                     : form == "moses" ? PhraseForm::moses
                                                       : PhraseForm::tsv;
            new (self) PhraseCompiler({which, v1_bug, any_number, numbered});
        }, "form"_a, "v1_bug"_a = false, "any_number"_a = false, "numbered"_a = false)
        .def("read", [](PhraseCompiler& compiler, const Texts& lines) -> nb::object {
            try {
                nb::gil_scoped_release unlocked;
                compiler.read(lines.views);
            } catch (const BadPhrase& bad) {
                return nb::make_tuple(bad.line, bad.what());
            }
            return nb::none();
        }, "lines"_a, nb::sig("def read(self, lines: Texts) -> tuple[int, str] | None"))
        .def("end", [](PhraseCompiler& compiler) -> nb::object {
            try {
                compiler.end();
            } catch (const BadPhrase& bad) {
                return nb::make_tuple(bad.line, bad.what());
            }
            return nb::none();
        }, nb::sig("def end(self) -> tuple[int, str] | None"))
        .def("add", [](PhraseCompiler& compiler, const std::vector<std::string_view>& phrases,
                       const std::vector<std::string_view>& paraphrases, const std::vector<double>& probabilities) -> nb::object {
            if (phrases.size() != paraphrases.size() || phrases.size() != probabilities.size())
                throw nb::value_error("add: sizes differ");
            try {
                for (std::size_t i = 0; i < phrases.size(); ++i) compiler.add(phrases[i], paraphrases[i], probabilities[i]);
            } catch (const BadPhrase& bad) {
                return nb::make_tuple(bad.line, bad.what());
            }
            return nb::none();
        }, "phrases"_a, "paraphrases"_a, "probabilities"_a,
             nb::sig("def add(self, phrases: Sequence[str], paraphrases: Sequence[str], probabilities: Sequence[float]) "
                     "-> tuple[int, str] | None"))
        .def_prop_ro("held", &PhraseCompiler::held)
        .def_prop_ro("left_out", &PhraseCompiler::left_out)
        .def_prop_ro("above_one", &PhraseCompiler::above_one)
        .def("take_records", [](PhraseCompiler& compiler) {
            const std::string records = compiler.take_records();
            return nb::bytes(records.data(), records.size());
        })
        .def("number_words", &PhraseCompiler::number_words, nb::call_guard<nb::gil_scoped_release>())
        .def("sorted", [](const PhraseCompiler& compiler, nb::bytes records) {
            std::string result;
            {
                const std::string_view bytes(records.c_str(), records.size());
                nb::gil_scoped_release unlocked;
                result = compiler.sorted(bytes);
            }
            return nb::bytes(result.data(), result.size());
        }, "records"_a)
        .def("count", [](const PhraseCompiler& compiler, const nb::list& pieces) {
            const std::vector<std::string_view> views = views_of(pieces);
            PhraseCounts c;
            run([&](Watch& watch) { c = compiler.count(views, watch); });
            return std::vector<std::uint64_t>{c.words, c.word_slots, c.spelling_bytes, c.node_slots, c.sources,
                                              c.entries, c.entry_words, c.longest, c.longest_paraphrase};
        }, "pieces"_a, nb::sig("def count(self, pieces: list[object]) -> list[int]"))
        .def("bytes", [](const PhraseCompiler&, const std::vector<std::uint64_t>& counts) { return phrase_counts(counts).bytes(); },
             "counts"_a)
        .def("write", [](const PhraseCompiler& compiler, const nb::list& pieces, const std::vector<std::uint64_t>& counts,
                         nb::object out, std::size_t offset) {
            const std::vector<std::string_view> views = views_of(pieces);
            Py_buffer view{};
            if (PyObject_GetBuffer(out.ptr(), &view, PyBUF_WRITABLE) != 0) throw nb::python_error();
            const std::unique_ptr<Py_buffer, decltype(&PyBuffer_Release)> guard(&view, &PyBuffer_Release);
            const PhraseCounts what = phrase_counts(counts);
            if (static_cast<std::size_t>(view.len) != offset + what.bytes()) throw nb::value_error("write: the buffer has another size");
            run([&](Watch& watch) { compiler.write(views, what, watch, static_cast<char*>(view.buf) + offset); });
        }, "pieces"_a, "counts"_a, "out"_a, "offset"_a,
             nb::sig("def write(self, pieces: list[object], counts: Sequence[int], out: object, offset: int) -> None"));

    m.def(
        "ngram_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, std::vector<unsigned> orders,
           const std::string& reference_length, bool initial, bool final, bool single_boundary, unsigned threads,
           Rows rows) {
            check_rows(rows, hypotheses.size(), references.size(), 2 + 2 * orders.size());
            NgramSettings settings;
            settings.orders = std::move(orders);
            settings.reference_length = reference_length == "closest"    ? ReferenceLength::closest
                                        : reference_length == "shortest" ? ReferenceLength::shortest
                                                                         : ReferenceLength::average;
            settings.boundaries = {initial, final, single_boundary};
            run([&](Watch& watch) {
                ngram_rows(*hypotheses.source, {*references.source, references.offsets}, settings, threads, watch,
                           {rows.data(), rows.size()});
            });
        },
        "hypotheses"_a, "references"_a, "orders"_a, "reference_length"_a, "initial"_a, "final"_a,
        "single_boundary"_a, "threads"_a, "rows"_a.noconvert());

    nb::class_<Information>(m, "Information", "What each n-gram of the references tells.")
        .def("__init__",
             [](Information* self, const TokenTexts& references, unsigned order, unsigned threads) {
                 run([&](Watch& watch) {
                     new (self) Information(Information::learnt(*references.source, order, threads, watch));
                 });
             },
             "references"_a, "order"_a, "threads"_a)
        .def_prop_ro("mark", [](const Information& information) { return information.mark(); })
        .def_prop_ro("order", &Information::order)
        .def_prop_ro("total", &Information::total)
        .def_prop_ro("keeps_texts", [](const Information& information) { return information.texts() != nullptr; },
                     "Whether nist_rows_of_learnt can be used.")
        .def("__getstate__", &information_state)
        .def("__setstate__", &restore_information);
    m.def(
        "nist_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const Information& information,
           bool zero_prefix, unsigned threads, Rows rows) {
            check_rows(rows, hypotheses.size(), references.size(), 2 + 2 * std::size_t{information.order()});
            run([&](Watch& watch) {
                nist_rows(*hypotheses.source, {*references.source, references.offsets}, information, zero_prefix,
                          threads, watch, {rows.data(), rows.size()});
            });
        },
        "hypotheses"_a, "references"_a, "information"_a, "zero_prefix"_a, "threads"_a, "rows"_a.noconvert());
    m.def(
        "nist_rows_of_learnt",
        [](const TokenTexts& hypotheses, const Texts& references, std::size_t first, const Information& information,
           bool zero_prefix, unsigned threads, Rows rows) {
            check_rows(rows, hypotheses.size(), references.size(), 2 + 2 * std::size_t{information.order()});
            const LearntTexts* const learnt = information.texts();
            if (!learnt || first + references.views.size() > learnt->size())
                throw nb::value_error("nist_rows_of_learnt: these texts are not known");
            std::vector<std::size_t> offsets = references.offsets;
            for (std::size_t& offset : offsets) offset += first;
            run([&](Watch& watch) {
                nist_rows(*hypotheses.source, {*learnt, offsets}, information, zero_prefix, threads, watch,
                          {rows.data(), rows.size()});
            });
        },
        "hypotheses"_a, "references"_a, "first"_a, "information"_a, "zero_prefix"_a, "threads"_a, "rows"_a.noconvert(),
        "The same rows, for references that are texts first, first + 1, … of those the information was learnt from.");

    m.def(
        "chrf_rows",
        [](const Texts& hypotheses, const Texts& references, unsigned char_order, unsigned word_order, double beta,
           bool lowercase, bool whitespace, bool eps_smoothing, const std::string& normalization, unsigned threads,
           Rows rows) {
            check_rows(rows, hypotheses.size(), references.size(), 3 * (char_order + word_order));
            const ChrfSettings settings{char_order, word_order, beta, lowercase,
                                        whitespace, eps_smoothing, normalization_named(normalization)};
            run([&](Watch& watch) {
                chrf_rows(hypotheses.views, references.views, references.offsets, settings, threads, watch,
                          {rows.data(), rows.size()});
            });
        },
        "hypotheses"_a, "references"_a, "char_order"_a, "word_order"_a, "beta"_a, "lowercase"_a, "whitespace"_a,
        "eps_smoothing"_a, "unicode"_a, "threads"_a, "rows"_a.noconvert());

    m.def(
        "edit_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const std::string& substitution,
           nb::object function, const std::string& rule, unsigned threads, Rows rows) {
            const EditSettings settings{substitution_named(substitution, function), reference_rule_named(rule)};
            check_rows(rows, hypotheses.size(), references.size(), edit_columns(settings));
            run([&](Watch& watch) {
                edit_rows(*hypotheses.source, {*references.source, references.offsets}, settings, threads, watch,
                          {rows.data(), rows.size()});
            });
        },
        "hypotheses"_a, "references"_a, "substitution"_a, "function"_a.none(), "rule"_a, "threads"_a,
        "rows"_a.noconvert());
    m.def(
        "edit_alignment",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const std::string& substitution,
           nb::object function, const std::string& rule) {
            check_one(hypotheses, references);
            const EditSettings settings{substitution_named(substitution, function), reference_rule_named(rule)};
            PairAlignment alignment;
            run([&](Watch& watch) {
                alignment = edit_alignment(*hypotheses.source, {*references.source, references.offsets}, 0, settings,
                                           watch);
            });
            return alignment_of(alignment);
        },
        "hypotheses"_a, "references"_a, "substitution"_a, "function"_a.none(), "rule"_a,
        nb::sig("def edit_alignment(hypotheses: TokenTexts, references: TokenTexts, substitution: str, function: "
                "object | None, rule: str) -> tuple[int, list[tuple[str, int, int, int, int, float]]]"));
    m.def(
        "edit_runs",
        [](const TokenTexts& hypotheses, const TokenTexts& references, unsigned threads) {
            if (hypotheses.source->size() != references.source->size())
                throw nb::value_error("segments and references do not fit each other");
            std::vector<std::vector<AlignmentStep>> found;
            run([&](Watch& watch) { found = edit_runs(*hypotheses.source, *references.source, threads, watch); });
            nb::list segments;
            for (const auto& runs : found) {
                nb::list one;
                for (const AlignmentStep& step : runs)
                    one.append(nb::make_tuple(static_cast<int>(step.kind), step.ref_begin, step.ref_end,
                                              step.hyp_begin, step.hyp_end));
                segments.append(one);
            }
            return segments;
        },
        "hypotheses"_a, "references"_a, "threads"_a,
        nb::sig("def edit_runs(hypotheses: TokenTexts, references: TokenTexts, threads: int) -> "
                "list[list[tuple[int, int, int, int, int]]]"),
        "Per segment: kind (match, substitution, insertion, deletion), reference [start, end), hypothesis [start, "
        "end).");
    m.def(
        "move_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const std::string& substitution,
           nb::object function, const std::string& rule, const std::string& direction, const std::string& penalty,
           unsigned threads, Rows rows) {
            const MoveSettings settings = move_settings(substitution, function, rule, direction, penalty);
            check_rows(rows, hypotheses.size(), references.size(), move_columns(settings));
            run([&](Watch& watch) {
                move_rows(*hypotheses.source, {*references.source, references.offsets}, settings, threads, watch,
                          {rows.data(), rows.size()});
            });
        },
        "hypotheses"_a, "references"_a, "substitution"_a, "function"_a.none(), "rule"_a, "direction"_a, "penalty"_a,
        "threads"_a, "rows"_a.noconvert());
    m.def(
        "move_alignment",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const std::string& substitution,
           nb::object function, const std::string& rule, const std::string& direction, const std::string& penalty) {
            check_one(hypotheses, references);
            const MoveSettings settings = move_settings(substitution, function, rule, direction, penalty);
            PairAlignment alignment;
            run([&](Watch& watch) {
                alignment = move_alignment(*hypotheses.source, {*references.source, references.offsets}, 0, settings,
                                           watch);
            });
            return alignment_of(alignment);
        },
        "hypotheses"_a, "references"_a, "substitution"_a, "function"_a.none(), "rule"_a, "direction"_a, "penalty"_a,
        nb::sig("def move_alignment(hypotheses: TokenTexts, references: TokenTexts, substitution: str, function: "
                "object | None, rule: str, direction: str, penalty: str) -> tuple[int, list[tuple[str, int, int, int, "
                "int, float]]]"));
    m.def(
        "free_order_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const std::string& substitution,
           nb::object function, const std::string& rule, const std::string& errors, unsigned threads, Rows rows) {
            check_rows(rows, hypotheses.size(), references.size(), kFreeOrderColumns);
            const FreeOrderSettings settings{substitution_named(substitution, function), reference_rule_named(rule),
                                             errors == "recall"      ? FreeOrderErrors::recall
                                             : errors == "precision" ? FreeOrderErrors::precision
                                                                     : FreeOrderErrors::both};
            run([&](Watch& watch) {
                free_order_rows(*hypotheses.source, {*references.source, references.offsets}, settings, threads,
                                watch, {rows.data(), rows.size()});
            });
        },
        "hypotheses"_a, "references"_a, "substitution"_a, "function"_a.none(), "rule"_a, "errors"_a, "threads"_a,
        "rows"_a.noconvert());
    m.def(
        "long_jump_distance",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const std::string& substitution,
           nb::object function) -> std::optional<double> {
            check_one(hypotheses, references);
            const Substitution costs = substitution_named(substitution, function);
            std::optional<double> distance;
            run([&](Watch& watch) {
                WordReader ours(!costs.is_exact()), theirs(!costs.is_exact());
                const Words hypothesis = ours(*hypotheses.source, 0), reference = theirs(*references.source, 0);
                if (is_short_enough(hypothesis.size(), reference.size()))
                    distance = long_jump_distance(hypothesis, reference, costs, watch);
            });
            return distance;
        },
        "hypotheses"_a, "references"_a, "substitution"_a, "function"_a.none(),
        "The exact distance of one pair; None if the search would take too long.");
    m.def(
        "cheapest_assignment",
        [](nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> costs) {
            if (costs.shape(0) > costs.shape(1)) throw nb::value_error("more rows than columns");
            std::vector<const double*> rows;
            for (std::size_t i = 0; i < costs.shape(0); ++i) rows.push_back(costs.data() + i * costs.shape(1));
            std::vector<std::size_t> columns;
            run([&](Watch& watch) { columns = cheapest_assignment(rows, costs.shape(1), watch); });
            return columns;
        },
        "costs"_a.noconvert(), "Which column each row gets.");
    nb::class_<TerText>(m, "TerText", "How TER's programs split texts.")
        .def("__init__",
             [](TerText* self, bool sacrebleu, bool release_0_7, bool normalized, bool no_punct, bool asian_support, bool case_sensitive,
                const std::string& normalization) {
                 new (self) TerText{sacrebleu ? TerText::Style::sacrebleu : TerText::Style::tercom, release_0_7, normalized,
                                    no_punct, asian_support, case_sensitive, normalization_named(normalization)};
             },
             "sacrebleu"_a, "release_0_7"_a, "normalized"_a, "no_punct"_a, "asian_support"_a, "case_sensitive"_a, "unicode"_a)
        .def("split", &split<TerText>, "text"_a)
        .def("tokens",
             [](const TerText& rule, const Texts& texts) {
                 auto tokens = std::make_unique<TokenTexts>();
                 tokens->source = std::make_unique<TerTextSource>(texts.views, rule);
                 tokens->offsets = texts.offsets;
                 return tokens;
             },
             "texts"_a, nb::keep_alive<0, 2>());
    nb::class_<MeteorText>(m, "MeteorText", "How METEOR splits texts.")
        .def("__init__",
             [](MeteorText* self, const std::string& style, bool any_alphabet, const std::string& apostrophe,
                bool punctuation, const std::string& normalization, const std::vector<std::string>& prefixes,
                const std::vector<std::string>& number_prefixes) {
                 auto dotted = std::make_shared<DottedPrefixes>();
                 for (const std::string& word : prefixes) dotted->always.insert(utf8::points(word));
                 for (const std::string& word : number_prefixes) dotted->before_number.insert(utf8::points(word));
                 new (self) MeteorText{style == "norm"    ? MeteorText::Style::normalize
                                       : style == "lower" ? MeteorText::Style::lower
                                                          : MeteorText::Style::none,
                                       any_alphabet ? MeteorText::Alphabet::any : MeteorText::Alphabet::meteor,
                                       apostrophe == "english"  ? MeteorText::Apostrophe::english
                                       : apostrophe == "french" ? MeteorText::Apostrophe::french
                                                                : MeteorText::Apostrophe::alone,
                                       punctuation, normalization_named(normalization), dotted};
             },
             "style"_a, "any_alphabet"_a, "apostrophe"_a, "punctuation"_a, "unicode"_a, "prefixes"_a,
             "number_prefixes"_a)
        .def("split", &split<MeteorText>, "text"_a)
        .def("tokens",
             [](const MeteorText& rule, const Texts& texts) {
                 auto tokens = std::make_unique<TokenTexts>();
                 tokens->source = std::make_unique<MeteorTextSource>(texts.views, rule);
                 tokens->offsets = texts.offsets;
                 return tokens;
             },
             "texts"_a, nb::keep_alive<0, 2>());
    nb::class_<MeteorSettings>(m, "MeteorSettings", "What matches, how matches are chosen, and what they weigh.")
        .def("__init__",
             [](MeteorSettings* self, const std::string& matching, const KeyTable* stems, const KeyTable* synonyms,
                const PhraseIndex* paraphrases, const KeyTable* function_words, const KeyTable* group_words,
                bool characters, const std::vector<double>& parameters, const std::vector<double>& weights) {
                 if (parameters.size() != 4 || weights.size() != kModules)
                     throw nb::value_error("four parameters and four weights were expected");
                 new (self) MeteorSettings{
                     matching == "beam"     ? Matching::beam
                     : matching == "stages" ? Matching::stages
                                            : Matching::joint,
                     {true, stems, synonyms, paraphrases},
                     function_words,
                     group_words,
                     characters,
                     {parameters[0], parameters[1], parameters[2], parameters[3],
                      {weights[0], weights[1], weights[2], weights[3]}}};
             },
             "matching"_a, "stems"_a.none(), "synonyms"_a.none(), "paraphrases"_a.none(), "function_words"_a.none(),
             "group_words"_a.none(), "characters"_a, "parameters"_a, "weights"_a, nb::keep_alive<1, 3>(),
             nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(), nb::keep_alive<1, 7>());
    m.def(
        "meteor_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const MeteorSettings& settings, unsigned threads,
           Rows rows) {
            check_rows(rows, hypotheses.size(), references.size(), meteor_columns(settings));
            run([&](Watch& watch) {
                meteor_rows(*hypotheses.source, {*references.source, references.offsets}, settings, threads, watch,
                            {rows.data(), rows.size()});
            });
        },
        "hypotheses"_a, "references"_a, "settings"_a, "threads"_a, "rows"_a.noconvert());
    m.def(
        "meteor_alignment",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const MeteorSettings& settings) {
            check_one(hypotheses, references);
            MeteorAlignment alignment;
            run([&](Watch& watch) {
                alignment = meteor_alignment(*hypotheses.source, {*references.source, references.offsets}, 0, settings,
                                             watch);
            });
            static constexpr const char* modules[] = {"exact", "stem", "synonym", "paraphrase"};
            nb::list matches;
            for (const WordMatch& match : alignment.matches)
                matches.append(nb::make_tuple(modules[static_cast<int>(match.module)], match.hyp,
                                              match.hyp + match.hyp_words, match.ref, match.ref + match.ref_words));
            return nb::make_tuple(alignment.reference, matches, alignment.exact_search);
        },
        "hypotheses"_a, "references"_a, "settings"_a,
        nb::sig("def meteor_alignment(hypotheses: TokenTexts, references: TokenTexts, settings: MeteorSettings) -> "
                "tuple[int, list[tuple[str, int, int, int, int]], bool]"));
    nb::class_<ShiftSettings>(m, "ShiftSettings", "Costs and limits of the search for shifts.")
        .def("__init__",
             [](ShiftSettings* self, const std::string& variant, const std::vector<double>& costs, double max_shift_size,
                double max_shift_distance, double max_candidates, double beam, std::size_t max_tokens) {
                 if (costs.size() != 5) throw nb::value_error("there are five costs");
                 new (self) ShiftSettings{variant == "sacrebleu" ? ShiftSettings::Variant::sacrebleu
                                          : variant == "thesis"  ? ShiftSettings::Variant::thesis
                                                                 : ShiftSettings::Variant::tercom,
                                          costs[0], costs[1], costs[2], costs[3], costs[4], max_shift_size,
                                          max_shift_distance, max_candidates, beam, max_tokens};
             },
             "variant"_a, "costs"_a, "max_shift_size"_a, "max_shift_distance"_a, "max_candidates"_a, "beam"_a,
             "max_tokens"_a);
    m.def(
        "ter_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const TokenTexts* lengths_from,
           const ShiftSettings& settings, const std::string& reference_length, unsigned threads, Rows rows) {
            check_rows(rows, hypotheses.size(), references.size(), kTerColumns);
            if (lengths_from && lengths_from->size() != hypotheses.size())
                throw nb::value_error("length references do not fit");
            const LengthRule rule = length_rule_named(reference_length);
            std::optional<Grouped> lengths;
            if (lengths_from) lengths.emplace(*lengths_from->source, lengths_from->offsets);
            try {
                run([&](Watch& watch) {
                    ter_rows(*hypotheses.source, {*references.source, references.offsets},
                             lengths ? &*lengths : nullptr, settings, rule, threads, watch, {rows.data(), rows.size()});
                });
            } catch (const TooLong& too_long) {
                refuse(too_long.what());
            }
        },
        "hypotheses"_a, "references"_a, "lengths_from"_a.none(), "settings"_a, "reference_length"_a, "threads"_a,
        "rows"_a.noconvert());
    m.def(
        "ter_alignment",
        [](const std::vector<std::string>& hypothesis, const std::vector<std::string>& reference,
           const ShiftSettings& settings) {
            const auto keys = [](const std::vector<std::string>& words) {
                std::vector<Key> result;
                for (const std::string& word : words)
                    result.push_back(key_of(word.data(), word.size(), word.data() + word.size()));
                return result;
            };
            ShiftCounts counts;
            ShiftRecord record;
            run([&](Watch& watch) {
                counts = ShiftSearch(settings)(keys(hypothesis), keys(reference), watch, &record);
            });
            nb::list moves;
            for (const BlockMove& move : record.moves)
                moves.append(nb::make_tuple(move.start, move.length, move.by, move.reference_place, move.hypothesis_place));
            return nb::make_tuple(counts.edits, std::string(record.operations.begin(), record.operations.end()), moves);
        },
        "hypothesis"_a, "reference"_a, "settings"_a,
        nb::sig("def ter_alignment(hypothesis: Sequence[str], reference: Sequence[str], settings: ShiftSettings) -> "
                "tuple[float, str, list[tuple[int, int, int, int, int]]]"));
    nb::class_<TerpText>(m, "TerpText", "How TERp splits texts.")
        .def("__init__",
             [](TerpText* self, bool normalized, bool new_normalization, bool no_punct, bool normalize_numbers,
                bool case_sensitive, const std::string& normalization,
                const std::vector<std::vector<std::string>>& equivalences) {
                 new (self) TerpText{normalized, new_normalization, no_punct, normalize_numbers, case_sensitive,
                                     normalization_named(normalization), {}};
                 for (const auto& phrases : equivalences)
                     for (std::size_t k = 1; k < phrases.size(); ++k) {
                         const std::string to = phrases[0].empty() ? " " : " " + phrases[0] + " ";
                         self->equivalences.emplace_back(" " + phrases[k] + " ", to);
                     }
             },
             "normalized"_a, "new_normalization"_a, "no_punct"_a, "normalize_numbers"_a, "case_sensitive"_a, "unicode"_a,
             "equivalences"_a)
        .def("split", &split<TerpText>, "text"_a)
        .def("tokens",
             [](const TerpText& rule, const Texts& texts) {
                 auto tokens = std::make_unique<TokenTexts>();
                 tokens->source = std::make_unique<TerpTextSource>(texts.views, rule);
                 tokens->offsets = texts.offsets;
                 return tokens;
             },
             "texts"_a, nb::keep_alive<0, 2>());
    m.def("digits_of", [](std::string_view word) { return digits_of(word); }, "word"_a,
          "The digits that a word stands for; empty if it is no number.");
    nb::class_<TerpSettings>(m, "TerpSettings", "Costs, limits and tables of TERp.")
        .def("__init__",
             [](TerpSettings* self, const std::vector<double>& costs, const std::string& constraint,
                const std::string& phrase_cost, double phrase_minimum, double phrase_maximum, double beam,
                double max_shift_distance, std::size_t max_shift_size, std::size_t max_tokens,
                const std::vector<std::string>& stop_words, const KeyTable* stems, const KeyTable* synonyms,
                const KeyTable* numbers, const PhraseIndex* phrases) {
                 if (costs.size() != 11) throw nb::value_error("there are eleven costs");
                 std::vector<Key> stops;
                 for (const std::string& word : stop_words) stops.push_back(key_of_text(word));
                 std::sort(stops.begin(), stops.end());
                 new (self) TerpSettings{constraint_named(constraint), phrase_cost_named(phrase_cost),
                                         costs[0], costs[1], costs[2], costs[3], costs[4], costs[5], costs[6], costs[7],
                                         costs[8], costs[9], costs[10], phrase_minimum, phrase_maximum, beam,
                                         max_shift_distance, max_shift_size, max_tokens, stems, synonyms, numbers,
                                         phrases, std::move(stops)};
             },
             "costs"_a, "constraint"_a, "phrase_cost"_a, "phrase_minimum"_a, "phrase_maximum"_a, "beam"_a,
             "max_shift_distance"_a, "max_shift_size"_a, "max_tokens"_a, "stop_words"_a, "stems"_a.none(),
             "synonyms"_a.none(), "numbers"_a.none(), "phrases"_a.none(), nb::keep_alive<1, 12>(),
             nb::keep_alive<1, 13>(), nb::keep_alive<1, 14>(), nb::keep_alive<1, 15>());
    m.def(
        "terp_rows",
        [](const TokenTexts& hypotheses, const TokenTexts& references, const TokenTexts* lengths_from,
           const TerpSettings& settings, const std::string& reference_length, unsigned threads, Rows rows) {
            check_rows(rows, hypotheses.size(), references.size(), kTerpColumns);
            if (lengths_from && lengths_from->size() != hypotheses.size())
                throw nb::value_error("length references do not fit");
            std::optional<Grouped> lengths;
            if (lengths_from) lengths.emplace(*lengths_from->source, lengths_from->offsets);
            try {
                run([&](Watch& watch) {
                    terp_rows(*hypotheses.source, {*references.source, references.offsets}, lengths ? &*lengths : nullptr,
                              settings, length_rule_named(reference_length), threads, watch, {rows.data(), rows.size()});
                });
            } catch (const TooLong& too_long) {
                refuse(too_long.what());
            }
        },
        "hypotheses"_a, "references"_a, "lengths_from"_a.none(), "settings"_a, "reference_length"_a, "threads"_a,
        "rows"_a.noconvert());
    m.def(
        "terp_alignment",
        [](const std::vector<std::string>& hypothesis, const std::vector<std::string>& reference,
           const TerpSettings& settings) {
            const auto keys = [](const std::vector<std::string>& words) {
                std::vector<Key> result;
                for (const std::string& word : words) result.push_back(key_of_text(word));
                return result;
            };
            TerpCounts counts;
            TerpRecord record;
            run([&](Watch& watch) {
                counts = TerpSearch(settings)(keys(hypothesis), keys(reference), watch, &record);
            });
            nb::list steps, moves;
            for (const TerpStep& step : record.steps)
                steps.append(nb::make_tuple(std::string(1, step.kind), step.reference_words, step.hypothesis_words,
                                            step.cost, step.probability, step.edits));
            for (const BlockMove& move : record.moves)
                moves.append(nb::make_tuple(move.start, move.length, move.by, move.reference_place, move.hypothesis_place));
            return nb::make_tuple(counts.edits, steps, moves);
        },
        "hypothesis"_a, "reference"_a, "settings"_a,
        nb::sig("def terp_alignment(hypothesis: Sequence[str], reference: Sequence[str], settings: TerpSettings) -> "
                "tuple[float, list[tuple[str, int, int, float, float, float]], list[tuple[int, int, int, int, int]]]"));
    m.def(
        "subset_sums",
        [](Rows rows, const std::vector<std::uint64_t>& generator, std::uint64_t first, unsigned threads, Rows sums) {
            check_sums(rows, sums);
            run([&](Watch& watch) {
                subset_sums({{rows.data(), rows.size()}, rows.shape(1)}, generator_state(generator), first, threads,
                            watch, {sums.data(), sums.size()});
            });
        },
        "rows"_a.noconvert(), "generator"_a, "first"_a, "threads"_a, "sums"_a.noconvert());
    m.def(
        "bootstrap_sums",
        [](Rows rows, const std::vector<std::uint64_t>& generator, std::uint64_t skipped, unsigned threads, Rows sums) {
            check_sums(rows, sums);
            run([&](Watch& watch) {
                skipped = bootstrap_sums({{rows.data(), rows.size()}, rows.shape(1)}, generator_state(generator),
                                         skipped, threads, watch, {sums.data(), sums.size()});
            });
            return skipped;
        },
        "rows"_a.noconvert(), "generator"_a, "skipped"_a, "threads"_a, "sums"_a.noconvert());
    m.def(
        "shuffled_sums",
        [](Rows rows, std::size_t runs, const std::vector<std::uint64_t>& generator, std::uint64_t first,
           unsigned threads, Rows sums, Rows turned) {
            check_sums(rows, sums);
            check_sums(rows, turned);
            if (runs < 1 || runs > kMostRuns || rows.shape(0) % runs != 0 || turned.shape(1) != sums.shape(1))
                throw nb::value_error("runs do not fit");
            run([&](Watch& watch) {
                shuffled_sums({{rows.data(), rows.size()}, rows.shape(1)}, runs, generator_state(generator), first,
                              threads, watch, {sums.data(), sums.size()}, {turned.data(), turned.size()});
            });
        },
        "rows"_a.noconvert(), "runs"_a, "generator"_a, "first"_a, "threads"_a, "sums"_a.noconvert(),
        "turned"_a.noconvert());

    m.def(
        "pair_counts",
        [](Rows metrics, Column human, Places offsets, unsigned threads, Rows counts) {
            check_points(metrics.shape(1), human.size());
            const Offsets groups = checked_offsets(offsets, human.size());
            if (counts.shape(0) != metrics.shape(0) * (groups.size() - 1) || counts.shape(1) != kPairKinds)
                throw nb::value_error("counts do not fit");
            run([&](Watch& watch) {
                pair_counts({metrics.data(), metrics.size()}, {human.data(), human.size()}, groups, threads, watch,
                            {counts.data(), counts.size()});
            });
        },
        "metrics"_a.noconvert(), "human"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a, "counts"_a.noconvert());
    m.def(
        "drawn_pair_counts",
        [](Column metric, Column human, Places offsets, Drawn items, Codes item, std::optional<Drawn> systems,
           std::optional<Codes> system, unsigned threads, Rows counts) {
            check_points(metric.size(), human.size());
            const Offsets groups = checked_offsets(offsets, human.size());
            if (counts.shape(0) != items.shape(0) * (groups.size() - 1) || counts.shape(1) != kPairKinds)
                throw nb::value_error("counts do not fit");
            const Draws draws = checked_draws(items, item, systems, system, human.size(), items.shape(0));
            run([&](Watch& watch) {
                drawn_pair_counts({metric.data(), metric.size()}, {human.data(), human.size()}, groups, draws, threads,
                                  watch, {counts.data(), counts.size()});
            });
        },
        "metric"_a.noconvert(), "human"_a.noconvert(), "offsets"_a.noconvert(), "items"_a.noconvert(),
        "item"_a.noconvert(), "systems"_a.noconvert().none(), "system"_a.noconvert().none(), "threads"_a,
        "counts"_a.noconvert());
    m.def(
        "gap_counts",
        [](Column far, Column other, Places offsets, double gap, bool above, std::optional<Drawn> items,
           std::optional<Codes> item, std::optional<Drawn> systems, std::optional<Codes> system, unsigned threads,
           Rows counts) {
            check_points(far.size(), other.size());
            const Offsets groups = checked_offsets(offsets, far.size());
            const std::size_t replicates = items ? items->shape(0) : 1;
            if (counts.shape(0) != replicates * (groups.size() - 1) || counts.shape(1) != 3)
                throw nb::value_error("counts do not fit");
            if (items.has_value() != item.has_value()) throw nb::value_error("draws need items");
            Draws draws{};
            if (items) draws = checked_draws(*items, *item, systems, system, far.size(), replicates);
            run([&](Watch& watch) {
                gap_counts({far.data(), far.size()}, {other.data(), other.size()}, groups, gap, above, draws, threads,
                           watch, {counts.data(), counts.size()});
            });
        },
        "far"_a.noconvert(), "other"_a.noconvert(), "offsets"_a.noconvert(), "gap"_a, "above"_a,
        "items"_a.noconvert().none(), "item"_a.noconvert().none(), "systems"_a.noconvert().none(),
        "system"_a.noconvert().none(), "threads"_a, "counts"_a.noconvert());
    m.def(
        "mid_ranks",
        [](Rows values, Places offsets, unsigned threads, Rows ranks) {
            check_points(values.shape(1), ranks.shape(1));
            check_points(values.shape(0), ranks.shape(0));
            const Offsets groups = checked_offsets(offsets, values.shape(1));
            run([&](Watch& watch) {
                mid_ranks({values.data(), values.size()}, groups, threads, watch, {ranks.data(), ranks.size()});
            });
        },
        "values"_a.noconvert(), "offsets"_a.noconvert(), "threads"_a, "ranks"_a.noconvert());
    m.def(
        "drawn_spearman",
        [](Column metric, Column human, Places offsets, Drawn items, Codes item, std::optional<Drawn> systems,
           std::optional<Codes> system, unsigned threads, Rows values) {
            check_points(metric.size(), human.size());
            const Offsets groups = checked_offsets(offsets, human.size());
            if (values.shape(0) != items.shape(0) || values.shape(1) != groups.size() - 1)
                throw nb::value_error("values do not fit");
            const Draws draws = checked_draws(items, item, systems, system, human.size(), items.shape(0));
            run([&](Watch& watch) {
                drawn_spearman({metric.data(), metric.size()}, {human.data(), human.size()}, groups, draws, threads,
                               watch, {values.data(), values.size()});
            });
        },
        "metric"_a.noconvert(), "human"_a.noconvert(), "offsets"_a.noconvert(), "items"_a.noconvert(),
        "item"_a.noconvert(), "systems"_a.noconvert().none(), "system"_a.noconvert().none(), "threads"_a,
        "values"_a.noconvert());
    m.def(
        "calibrated_ties",
        [](Column metric, Column human, Places offsets, std::optional<Flags> sampled) {
            check_points(metric.size(), human.size());
            const Offsets groups = checked_offsets(offsets, human.size());
            std::size_t pairs = 0;
            for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
                const std::size_t size = groups[g + 1] - groups[g];
                pairs += size < 2 ? 0 : size * (size - 1) / 2;
            }
            if (sampled && sampled->size() != pairs) throw nb::value_error("one flag per pair was expected");
            Calibration found{};
            run([&](Watch& watch) {
                found = calibrated_ties({metric.data(), metric.size()}, {human.data(), human.size()}, groups,
                                        sampled ? std::span<const std::uint8_t>{sampled->data(), sampled->size()}
                                                : std::span<const std::uint8_t>{},
                                        watch);
            });
            return std::pair(found.threshold, found.accuracy);
        },
        "metric"_a.noconvert(), "human"_a.noconvert(), "offsets"_a.noconvert(), "sampled"_a.noconvert().none());
    nb::class_<WordNumbers>(m, "WordNumbers", "Words, numbered from 1 in the order in which they are met.")
        .def(nb::init<>())
        .def("__len__", &WordNumbers::size)
        .def("add", [](WordNumbers& words, const Texts& texts) {
            for (const std::string_view word : texts.views) words.number(word);
        }, "texts"_a)
        .def("words", [](const WordNumbers& words, std::size_t begin, std::size_t end) {
            nb::typed<nb::list, nb::str> list;
            for (std::size_t i = begin; i < std::min(end, words.size()); ++i) {
                const std::string_view word = words.word(static_cast<std::uint32_t>(i + 1));
                list.append(nb::str(word.data(), word.size()));
            }
            return list;
        }, "begin"_a, "end"_a);
    nb::class_<PivotSource>(m, "PivotSource", "Phrase pairs of one bitext or phrase table, counted and sorted.")
        .def(nb::init<WordNumbers&, const std::string&, std::size_t, std::size_t, unsigned, bool>(), "words"_a,
             "prefix"_a, "longest"_a, "memory"_a, "threads"_a, "counted"_a, nb::keep_alive<1, 2>())
        .def("add_sentences",
             [](PivotSource& source, const Texts& texts, const Texts& pivots, const Texts& links, bool inverse,
                bool skip_empty) {
                 std::optional<Fault> fault;
                 storing([&](Watch& watch) {
                     fault = source.add_sentences(texts.views, pivots.views, links.views, inverse, skip_empty, watch);
                 });
                 return fault_fields(fault);
             },
             "texts"_a, "pivots"_a, "links"_a, "inverse"_a, "skip_empty"_a)
        .def("add_table",
             [](PivotSource& source, const Texts& lines, bool phrases_are_sources) {
                 std::optional<Fault> fault;
                 storing([&](Watch& watch) { fault = source.add_table(lines.views, phrases_are_sources, watch); });
                 return fault_fields(fault);
             },
             "lines"_a, "phrases_are_sources"_a)
        .def("finish",
             [](PivotSource& source, const std::string& path) {
                 storing([&](Watch& watch) { source.finish(path, watch); });
                 return source.twice;
             },
             "path"_a)
        .def_prop_ro("counts", [](const PivotSource& source) -> nb::typed<nb::dict, nb::str, std::size_t> {
            nb::typed<nb::dict, nb::str, std::size_t> counts;
            counts["lines"] = source.counts.lines;
            counts["skipped"] = source.counts.skipped;
            counts["too_long"] = source.counts.too_long;
            counts["instances"] = source.counts.instances;
            counts["pairs"] = source.counts.pairs;
            counts["phrases"] = source.counts.phrases;
            return counts;
        });
    using Forms = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    using WordFlags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    nb::class_<WordForms>(m, "WordForms", "What filters know of each word, by its number.")
        .def("__init__",
             [](WordForms* forms, Forms lowered, Forms bare, Forms stem, WordFlags is_number, WordFlags is_function_word) {
                 new (forms) WordForms{{lowered.data(), lowered.data() + lowered.size()},
                                       {bare.data(), bare.data() + bare.size()},
                                       {stem.data(), stem.data() + stem.size()},
                                       {is_number.data(), is_number.data() + is_number.size()},
                                       {is_function_word.data(), is_function_word.data() + is_function_word.size()}};
             },
             "lowered"_a, "bare"_a, "stem"_a, "is_number"_a, "is_function_word"_a);
    nb::class_<PivotFilters>(m, "PivotFilters", "Which pairs are left out.")
        .def("__init__",
             [](PivotFilters* filters, bool same, bool punctuation, bool numbers, bool function_words, bool stems,
                double floor, std::size_t top) {
                 new (filters) PivotFilters{same, punctuation, numbers, function_words, stems, floor, top};
             },
             "same"_a, "punctuation"_a, "numbers"_a, "function_words"_a, "stems"_a, "floor"_a, "top"_a);
    nb::class_<PivotReport>(m, "PivotReport", "How many pairs each filter left out, and how many were kept.")
        .def(nb::init<>())
        .def_ro("floor", &PivotReport::floor)
        .def_ro("same", &PivotReport::same)
        .def_ro("punctuation", &PivotReport::punctuation)
        .def_ro("numbers", &PivotReport::numbers)
        .def_ro("function_words", &PivotReport::function_words)
        .def_ro("stems", &PivotReport::stems)
        .def_ro("top", &PivotReport::top)
        .def_ro("kept", &PivotReport::kept);
    nb::class_<Pivot>(m, "Pivot", "Phrases and the pivots they share, ready to give the paraphrases of each phrase.")
        .def("__init__",
             [](Pivot* pivot, const WordNumbers& words, const std::vector<std::string>& paths,
                const std::vector<bool>& counted, const std::vector<double>& weights, const std::string& prefix,
                std::size_t longest, std::size_t memory, unsigned threads) {
                 std::vector<PivotFile> files;
                 for (std::size_t i = 0; i < paths.size(); ++i) files.push_back({paths[i], counted[i], weights[i]});
                 storing([&](Watch& watch) {
                     new (pivot) Pivot(words, files, prefix, longest, memory, threads, watch);
                 });
             },
             "words"_a, "paths"_a, "counted"_a, "weights"_a, "prefix"_a, "longest"_a, "memory"_a, "threads"_a,
             nb::keep_alive<1, 2>())
        .def("__len__", &Pivot::phrases)
        .def_prop_ro("shared_pivots", &Pivot::shared_pivots)
        .def_ro("all_phrases", &Pivot::all_phrases)
        .def_ro("all_pivots", &Pivot::all_pivots)
        .def_ro("all_pairs", &Pivot::all_pairs)
        .def("filter",
             [](Pivot& pivot, const WordForms& forms, const PivotFilters& filters, unsigned threads) {
                 run([&](Watch& watch) { pivot.filter(forms, filters, threads, watch); });
             },
             "forms"_a, "filters"_a, "threads"_a)
        .def("lines",
             [](const Pivot& pivot, std::size_t begin, std::size_t end, const std::string& layout, PivotReport& report,
                unsigned threads) {
                 const auto form = layout == "meteor" ? Pivot::Layout::meteor
                                   : layout == "terp" ? Pivot::Layout::terp
                                                      : Pivot::Layout::table;
                 end = std::min(end, pivot.phrases());
                 std::string written;
                 run([&](Watch& watch) {
                     written = pivot.lines(std::min(begin, end), end, form, report, threads, watch);
                 });
                 return nb::bytes(written.data(), written.size());
             },
             "begin"_a, "end"_a, "layout"_a, "report"_a, "threads"_a);

    m.def("lower", [](std::string_view text) {
        std::string out;
        unicode::lower(text, out);
        return out;
    }, "text"_a);
    m.def("normalize", [](std::string_view text, const std::string& form) {
        std::string out;
        unicode::normalize(text, form == "nfc" ? unicode::Form::nfc : unicode::Form::nfkc, out);
        return out;
    }, "text"_a, "form"_a);
    m.def("properties", [](std::uint32_t code) { return static_cast<int>(unicode::properties(code)); }, "code"_a);
    m.def("first_invalid_utf8", [](nb::bytes bytes) {
        const std::size_t at = utf8::first_invalid({bytes.c_str(), bytes.size()});
        return at == std::string_view::npos ? std::ptrdiff_t{-1} : static_cast<std::ptrdiff_t>(at);
    }, "bytes"_a);
}
