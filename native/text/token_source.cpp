#include "text/token_source.hpp"

#include <algorithm>

#include "text/equal_texts.hpp"
#include "text/taken_texts.hpp"

namespace tertium {

void KeyNumbers::grow() {
    slots_.assign(slots_.empty() ? 64 : 4 * slots_.size(), 0);
    for (std::size_t number = 0; number < keys_.size(); ++number)
        slots_[slot_of(keys_[number])] = static_cast<std::uint32_t>(number + 1);
}

void StoredTokens::add(std::string_view word) {
    keys_.push_back(key_of(word));
    numbers_.push_back(number_of(keys_.back(), word));
}

void StoredTokens::close_text() { offsets_.push_back(keys_.size()); }

void StoredTokens::add_text(const Words& words) {
    keys_.insert(keys_.end(), words.keys.begin(), words.keys.end());
    for (std::size_t i = 0; i < words.spelling.size(); ++i)
        numbers_.push_back(number_of(words.keys[i], words.spelling[i]));
    close_text();
}

std::uint32_t StoredTokens::number_of(Key key, std::string_view word) {
    const std::uint32_t number = words_.number(key);
    if (number == ends_.size()) {
        bytes_.append(word);
        ends_.push_back(bytes_.size());
    }
    return number;
}

std::span<const Key> StoredTokens::tokens(std::size_t index, Tokenizer::Scratch&, Tokens& space) const {
    const std::size_t begin = offsets_[index], end = offsets_[index + 1];
    if (space.keep_words) spell(begin, end, space.words);
    return std::span(keys_).subspan(begin, end - begin);
}

void StoredTokens::append(const StoredTokens& other) {
    const std::size_t words = keys_.size();
    keys_.insert(keys_.end(), other.keys_.begin(), other.keys_.end());
    for (std::size_t text = 1; text < other.offsets_.size(); ++text) offsets_.push_back(words + other.offsets_[text]);
    std::vector<std::uint32_t> ours;
    ours.reserve(other.ends_.size());
    for (std::size_t k = 0; k < other.ends_.size(); ++k)
        ours.push_back(number_of(other.different()[k], other.spelling(k)));
    for (const std::uint32_t number : other.numbers_) numbers_.push_back(ours[number]);
}

void StoredTokens::spell(std::size_t begin, std::size_t end, std::vector<std::string_view>& words) const {
    words.clear();
    for (std::size_t i = begin; i < end && i < numbers_.size(); ++i) words.push_back(spelling(numbers_[i]));
}

StoredTokens StoredTokens::taken(std::span<const std::uint32_t> places) && {
    StoredTokens result;
    result.words_ = std::move(words_);
    result.bytes_ = std::move(bytes_);
    result.ends_ = std::move(ends_);
    std::size_t words = 0;
    for (const std::uint32_t place : places) words += offsets_[place + 1] - offsets_[place];
    result.keys_.reserve(words);
    result.numbers_.reserve(numbers_.empty() ? 0 : words);
    result.offsets_.reserve(places.size() + 1);
    const auto copy = [](const auto& from, std::size_t begin, std::size_t end, auto& to) {
        to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
                  from.begin() + static_cast<std::ptrdiff_t>(end));
    };
    for (const std::uint32_t place : places) {
        copy(keys_, offsets_[place], offsets_[place + 1], result.keys_);
        if (!numbers_.empty()) copy(numbers_, offsets_[place], offsets_[place + 1], result.numbers_);
        result.close_text();
    }
    return result;
}

namespace {

StoredTokens stored_one_by_one(const TokenSource& source, bool spelt, unsigned threads, Watch& watch) {
    // What threads store apart is put together in the end; one alone has nothing to put together.
    const std::size_t run = threads == 1 ? std::max<std::size_t>(source.size(), 1) : 512;
    std::vector<StoredTokens> parts((source.size() + run - 1) / run);
    parallel_for(
        source.size(), threads, watch,
        [&] {
            return [&, reader = WordReader(spelt)](std::size_t begin, std::size_t end) mutable {
                StoredTokens& part = parts[begin / run];
                for (std::size_t i = begin; i < end; ++i) part.add_text(reader(source, i));
            };
        },
        run);
    if (parts.size() == 1) return std::move(parts[0]);
    StoredTokens all;
    for (const StoredTokens& part : parts) all.append(part);
    return all;
}

}  // namespace

// References are often the same for many systems.
StoredTokens stored_tokens(const TokenSource& source, bool spelt, unsigned threads, Watch& watch) {
    const EqualTexts equal = equal_texts(source, watch);
    if (equal.firsts.size() == source.size()) return stored_one_by_one(source, spelt, threads, watch);
    return stored_one_by_one(TakenTexts(source, equal.firsts), spelt, threads, watch).taken(equal.which);
}

const StoredTokens& spelt_tokens(const TokenSource& source, StoredTokens& space, unsigned threads, Watch& watch) {
    if (const StoredTokens* const stored = source.with_spelling()) return *stored;
    return space = stored_tokens(source, true, threads, watch);
}

}  // namespace tertium
