// The room lexicon: tables of words, and tables of phrases with what compiles them.

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/texts.hpp"
#include "lexicon/key_table.hpp"
#include "lexicon/phrase_compiler.hpp"
#include "lexicon/phrase_index.hpp"
#include "lexicon/word_index.hpp"
#include "machine/block_hash.hpp"
#include "text/java.hpp"

namespace tertium {
namespace {

PhraseForm form_named(std::string_view name) {
    return named<PhraseForm>("form of a table", name,
                             {{"meteor", PhraseForm::meteor},
                              {"terp", PhraseForm::terp},
                              {"tsv", PhraseForm::tsv},
                              {"ppdb", PhraseForm::ppdb},
                              {"moses", PhraseForm::moses}});
}

// Two tables find words by the same methods.
template <class Table>
nb::class_<Table> bind_word_table(nb::module_& m, const char* name, const char* what) {
    return nb::class_<Table>(m, name, what)
        .def("__len__", &Table::size)
        .def(
            "__contains__", [](const Table& table, std::string_view word) { return table.contains(key_of(word)); },
            "word"_a)
        .def(
            "ids",
            [](const Table& table, std::string_view word) {
                const auto ids = table.find(key_of(word));
                return std::vector<std::uint64_t>(ids.begin(), ids.end());
            },
            "word"_a);
}

void bind_word_tables(nb::module_& m) {
    m.def(
        "block_hash",
        [](nb::handle buffer, std::size_t begin, std::size_t end) {
            const Buffer held(buffer);
            if (begin > end || end > held.bytes().size()) throw nb::value_error("block_hash: there is no such block");
            nb::gil_scoped_release unlocked;
            return block_hash(held.bytes().subspan(begin, end - begin));
        },
        "buffer"_a, "begin"_a, "end"_a, "A 64-bit hash of some bytes, as fast as they are read.",
        nb::sig("def block_hash(buffer: object, begin: int, end: int) -> int"));
    m.def(
        "word_keys",
        [](const nb::typed<nb::list, nb::str>& words, Column<std::uint64_t> keys) {
            if (keys.shape(0) != words.size()) throw nb::value_error("word_keys: sizes differ");
            std::size_t at = 0;
            for (const nb::handle word : words) keys.data()[at++] = key_of(nb::cast<std::string_view>(word));
        },
        "words"_a, "keys"_a.noconvert(), "Fills in the token key of each word.");
    bind_word_table<KeyTable>(m, "KeyTable", "Words with ids: grows, and may be read meanwhile.")
        .def(nb::init<>())
        .def(
            "add",
            [](KeyTable& table, const std::vector<std::string_view>& words,
               const std::vector<std::vector<std::uint64_t>>& ids) {
                if (words.size() != ids.size()) throw nb::value_error("add: one list of ids per word is needed");
                for (std::size_t i = 0; i < words.size(); ++i) table.add(key_of(words[i]), ids[i]);
            },
            "words"_a, "ids"_a)
        .def(
            "add_words",
            [](KeyTable& table, const std::vector<std::string_view>& words,
               const std::vector<std::string_view>& forms) {
                if (words.size() != forms.size()) throw nb::value_error("add_words: one form per word is needed");
                for (std::size_t i = 0; i < words.size(); ++i) {
                    const std::uint64_t id = key_of(forms[i]);
                    table.add(key_of(words[i]), {&id, 1});
                }
            },
            "words"_a, "forms"_a, "The id of each word is the token key of its form.")
        .def(
            "add_hash_codes",
            [](KeyTable& table, const std::vector<std::string_view>& words,
               const std::vector<std::string_view>& forms) {
                if (words.size() != forms.size()) throw nb::value_error("add_hash_codes: one form per word is needed");
                for (std::size_t i = 0; i < words.size(); ++i) {
                    const std::uint64_t id = java::hash_code(forms[i]);
                    table.add(key_of(words[i]), {&id, 1});
                }
            },
            "words"_a, "forms"_a, "The id of each word is Java's hash code of its form.");
    bind_word_table<WordIndex>(m, "WordIndex", "Words with ids, in arrays that may be a mapped file.")
        .def(
            "__init__",
            [](WordIndex* self, Column<const std::uint64_t> keys, Column<const std::uint32_t> ends,
               Column<const std::uint32_t> ids) { new (self) WordIndex(span_of(keys), span_of(ends), span_of(ids)); },
            "keys"_a.noconvert(), "ends"_a.noconvert(), "ids"_a.noconvert(), nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>());
}

PhraseCounts phrase_counts(const std::vector<std::uint64_t>& n) {
    if (n.size() != 9) throw nb::value_error("nine counts were expected");
    return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]};
}

// The lists keep the buffers alive, and nobody resizes them meanwhile.
std::vector<std::string_view> views_of(const nb::list& buffers) {
    std::vector<std::string_view> views;
    for (const nb::handle buffer : buffers) views.push_back(Buffer(buffer).text());
    return views;
}

void bind_phrase_index(nb::module_& m) {
    nb::class_<PhraseIndex>(m, "PhraseIndex", "A table of phrase pairs, mapped into memory.")
        .def(
            "__init__",
            [](PhraseIndex* self, nb::object buffer, std::size_t offset, const std::vector<std::uint64_t>& counts) {
                const std::string_view bytes = Buffer(buffer).text();
                if (offset > bytes.size()) throw nb::value_error("phrase index: the file is too short");
                new (self) PhraseIndex(bytes.substr(offset), phrase_counts(counts));
            },
            "buffer"_a, "offset"_a, "counts"_a, nb::keep_alive<1, 2>())
        .def("__len__", &PhraseIndex::size)
        .def_prop_ro("longest", &PhraseIndex::longest)
        .def_prop_ro("longest_paraphrase", &PhraseIndex::longest_paraphrase)
        .def(
            "paraphrases",
            [](const PhraseIndex& index, const std::vector<std::string_view>& words) {
                nb::list found;
                for (const PhraseIndex::Entry entry : index.find(keys_of(words)))
                    found.append(nb::make_tuple(index.text(entry.words), entry.probability));
                return found;
            },
            "words"_a, nb::sig("def paraphrases(self, words: Sequence[str]) -> list[tuple[str, float]]"))
        .def(
            "find_all",
            [](const PhraseIndex& index, const TokenTexts& tokens) {
                return run([&](Watch& watch) {
                    WordReader reader(false);
                    std::size_t found = 0;
                    for (std::size_t i = 0; i < tokens.source->size(); ++i) {
                        if (i % kStep == 0) watch.checkpoint();
                        found += index.entries_of_spans(reader(*tokens.source, i).keys);
                    }
                    return found;
                });
            },
            "tokens"_a, "How many entries the spans of these texts have.")
        .def(
            "phrases",
            [](const PhraseIndex& index, std::size_t first_slot, std::size_t most) {
                nb::list found;
                std::vector<PhraseIndex::Word> words;
                std::size_t slot = first_slot;
                for (; slot < index.slots() && nb::len(found) < most; ++slot) {
                    const auto node = static_cast<PhraseIndex::Node>(slot);
                    const PhraseIndex::Entries entries = index.entries(node);
                    if (entries.empty()) continue;
                    index.words_to(node, words);
                    const std::string phrase = index.text(words);
                    for (const PhraseIndex::Entry entry : entries)
                        found.append(nb::make_tuple(phrase, index.text(entry.words), entry.probability));
                }
                return nb::make_tuple(slot < index.slots() ? nb::object(nb::int_(slot)) : nb::none(), found);
            },
            "first_slot"_a, "most"_a,
            nb::sig("def phrases(self, first_slot: int, most: int) -> tuple[int | None, list[tuple[str, str, "
                    "float]]]"));
}

// What is wrong with which line, or None.
template <class Work>
nb::object fault_of(Work work) {
    try {
        nb::gil_scoped_release unlocked;
        work();
    } catch (const BadPhrase& bad) {
        return nb::make_tuple(bad.line, bad.what());
    }
    return nb::none();
}

nb::bytes as_bytes(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

void bind_phrase_compiler(nb::module_& m) {
    nb::class_<PhraseCompiler>(m, "PhraseCompiler", "Makes a PhraseIndex of lines, in bounded memory.")
        .def(
            "__init__",
            [](PhraseCompiler* self, std::string_view form, bool v1_bug, bool any_number, bool numbered) {
                new (self) PhraseCompiler({form_named(form), v1_bug, any_number, numbered});
            },
            "form"_a, nb::kw_only(), "v1_bug"_a = false, "any_number"_a = false, "numbered"_a = false)
        .def(
            "read",
            [](PhraseCompiler& compiler, const Texts& lines) { return fault_of([&] { compiler.read(lines.views); }); },
            "lines"_a, nb::sig("def read(self, lines: Texts) -> tuple[int, str] | None"))
        .def(
            "end", [](PhraseCompiler& compiler) { return fault_of([&] { compiler.end(); }); },
            nb::sig("def end(self) -> tuple[int, str] | None"))
        .def(
            "add",
            [](PhraseCompiler& compiler, const std::vector<std::string_view>& phrases,
               const std::vector<std::string_view>& paraphrases, const std::vector<double>& probabilities) {
                if (phrases.size() != paraphrases.size() || phrases.size() != probabilities.size())
                    throw nb::value_error("add: sizes differ");
                return fault_of([&] {
                    for (std::size_t i = 0; i < phrases.size(); ++i)
                        compiler.add(phrases[i], paraphrases[i], probabilities[i]);
                });
            },
            "phrases"_a, "paraphrases"_a, "probabilities"_a,
            nb::sig("def add(self, phrases: Sequence[str], paraphrases: Sequence[str], probabilities: "
                    "Sequence[float]) -> tuple[int, str] | None"))
        .def_prop_ro("held", &PhraseCompiler::held)
        .def_prop_ro("left_out", &PhraseCompiler::left_out)
        .def_prop_ro("above_one", &PhraseCompiler::above_one)
        .def("take_records", [](PhraseCompiler& compiler) { return as_bytes(compiler.take_records()); })
        .def("number_words", &PhraseCompiler::number_words, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "sorted",
            [](const PhraseCompiler& compiler, nb::bytes records) {
                const std::string_view bytes(records.c_str(), records.size());
                return as_bytes(run([&](Watch&) { return compiler.sorted(bytes); }));
            },
            "records"_a)
        .def(
            "count",
            [](const PhraseCompiler& compiler, const nb::list& pieces) {
                const std::vector<std::string_view> views = views_of(pieces);
                const PhraseCounts c = run([&](Watch& watch) { return compiler.count(views, watch); });
                return std::vector<std::uint64_t>{c.words,       c.word_slots, c.spelling_bytes,
                                                  c.node_slots,  c.sources,    c.entries,
                                                  c.entry_words, c.longest,    c.longest_paraphrase};
            },
            "pieces"_a, nb::sig("def count(self, pieces: list[object]) -> list[int]"))
        .def(
            "bytes",
            [](const PhraseCompiler&, const std::vector<std::uint64_t>& counts) {
                return phrase_counts(counts).bytes();
            },
            "counts"_a)
        .def(
            "write",
            [](const PhraseCompiler& compiler, const nb::list& pieces, const std::vector<std::uint64_t>& counts,
               nb::object out, std::size_t offset) {
                const std::vector<std::string_view> views = views_of(pieces);
                const Buffer buffer(out, PyBUF_WRITABLE);
                const PhraseCounts what = phrase_counts(counts);
                if (buffer.bytes().size() != offset + what.bytes())
                    throw nb::value_error("write: the buffer has another size");
                run([&](Watch& watch) { compiler.write(views, what, watch, buffer.bytes().data() + offset); });
            },
            "pieces"_a, "counts"_a, "out"_a, "offset"_a,
            nb::sig("def write(self, pieces: list[object], counts: Sequence[int], out: object, offset: int) -> None"));
}

}  // namespace

void bind_lexicon(nb::module_& m) {
    bind_word_tables(m);
    bind_phrase_index(m);
    bind_phrase_compiler(m);
}

}  // namespace tertium
