// The door between Python and the kernels: this folder takes arguments apart, checks sizes, lets go of the
// interpreter's lock and calls one function. Nothing else in native/ knows Python.

#include <cstdlib>
#include <string_view>

#include "bindings/calls.hpp"
#include "machine/processor.hpp"
#include "text/unicode.hpp"

namespace {

// A message may quote bytes of a variable of the environment, which need not be text.
void refuse(std::string_view message) {
    const auto size = static_cast<Py_ssize_t>(message.size());
    const auto said = nb::steal(PyUnicode_DecodeUTF8(message.data(), size, "replace"));
    PyErr_SetObject(nb::module_::import_("tertium.errors").attr("InputError").ptr(), said.ptr());
}

}  // namespace

NB_MODULE(_native, m) {
    using namespace tertium;
    m.doc() = "Counting, in C++. Use it through the metrics.";
#if defined(NDEBUG)
    nb::set_leak_warnings(false);  // a fitted metric may well live until Python ends
#endif
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const TooCostly& refused) {
            const nb::object error = nb::module_::import_("tertium.errors").attr("SegmentError");
            PyErr_SetObject(error.ptr(), error(refused.segment, refused.what()).ptr());
        } catch (const Refused& refused) {
            refuse(refused.what());
        }
    });
    if (const char* const processor = std::getenv("TERTIUM_PROCESSOR"); processor && *processor) {
        try {
            choose_processor(processor);
        } catch (const Refused& refused) {  // translators are for calls; this is the import
            refuse(refused.what());
            throw nb::python_error();
        }
    }
    m.def(
        "processor", [] { return nb::str(processor_name().data(), processor_name().size()); },
        "The level of instructions in use.");
    m.def(
        "processors",
        [] {
            nb::typed<nb::list, nb::str> names;
            for (const std::string_view name : processor_names()) names.append(nb::str(name.data(), name.size()));
            return names;
        },
        "Those that this machine can run, lowest first.");
    m.attr("unicode_version") = nb::str(unicode::version.data(), unicode::version.size());
    bind_texts(m);
    bind_arrow(m);
    bind_tokens(m);
    bind_lexicon(m);
    bind_ngrams(m);
    bind_pairwise(m);
    bind_word_errors(m);
    bind_ter(m);
    bind_terp(m);
    bind_meteor(m);
    bind_statistics(m);
    bind_paraphrase(m);
    bind_resegmentation(m);
}
