#include "machine/external_sort.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#if defined(_WIN32)
#include <filesystem>
#endif

namespace tertium {

namespace {

constexpr std::size_t kFileBuffer = 1 << 18;
constexpr std::size_t kMostFiles = 128;  // read at once: some systems let a process open no more than 256

[[noreturn]] void fail(const std::string& path, const char* what) {
    throw Refused(path + " could not be " + what + ": " + std::strerror(errno) + ".");
}

// The first eight bytes of a key as a number settle most comparisons.
struct Entry {
    std::uint64_t head;
    std::uint32_t index;
};

std::uint64_t head_of(const char* record, std::size_t key_size) {
    std::uint64_t head = 0;
    for (std::size_t i = 0; i < 8; ++i) head = head << 8 | (i < key_size ? static_cast<unsigned char>(record[i]) : 0u);
    return head;
}

// Paths are UTF-8, which Windows takes for something else unless it is told.
std::FILE* opened(const std::string& path, const char* mode) {
#if defined(_WIN32)
    const std::filesystem::path wide(std::u8string(path.begin(), path.end()));
    return _wfopen(wide.c_str(), std::wstring(mode, mode + std::strlen(mode)).c_str());
#else
    return std::fopen(path.c_str(), mode);
#endif
}
void removed(const std::string& path) {
#if defined(_WIN32)
    _wremove(std::filesystem::path(std::u8string(path.begin(), path.end())).c_str());
#else
    std::remove(path.c_str());
#endif
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), file_(opened(path_, "wb")) {
    if (!file_) fail(path_, "written");
    std::setvbuf(file_, nullptr, _IOFBF, kFileBuffer);
}

OutputFile::~OutputFile() {
    if (!file_) return;
    std::fclose(file_);
    removed(path_);
}

void OutputFile::write(const void* bytes, std::size_t size) {
    if (std::fwrite(bytes, 1, size, file_) != size) fail(path_, "written");
}

void OutputFile::close() {
    std::FILE* const file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0) {
        removed(path_);
        fail(path_, "written");
    }
}

RecordFile::RecordFile(const std::string& path, std::size_t record_size)
    : path_(path), file_(opened(path, "rb")), record_size_(record_size),
      buffer_(std::max<std::size_t>(kFileBuffer / record_size, 1) * record_size) {
    if (!file_) fail(path_, "read");
    fill();
}

RecordFile::~RecordFile() { std::fclose(file_); }

void RecordFile::advance() {
    at_ += record_size_;
    if (at_ == filled_) fill();
}

void RecordFile::fill() {
    filled_ = std::fread(buffer_.data(), 1, buffer_.size(), file_);
    if (std::ferror(file_) || filled_ % record_size_) fail(path_, "read");
    at_ = 0;
    at_end_ = filled_ == 0;
}

ExternalSort::ExternalSort(std::string prefix, std::size_t record_size, std::size_t key_size, std::size_t memory,
                           unsigned threads, Combine combine)
    : prefix_(std::move(prefix)), record_size_(record_size), key_size_(key_size),
      most_(std::clamp<std::size_t>(memory / (record_size + sizeof(Entry)), 1024, 0xFFFFFFFFu)),
      threads_(std::max(threads, 1u)), combine_(combine) {}

ExternalSort::~ExternalSort() {
    for (const auto& run : runs_) removed(run);
}

void ExternalSort::add(const char* record, Watch& watch) {
    if (count_ == most_) write_runs(watch);
    if (buffer_.size() < (count_ + 1) * record_size_) buffer_.resize(std::min(most_, 2 * count_ + 1024) * record_size_);
    std::memcpy(buffer_.data() + count_++ * record_size_, record, record_size_);
}

// Each thread sorts its share of the buffer and writes it as a run of its own.
void ExternalSort::write_runs(Watch& watch) {
    const std::size_t share = (count_ + threads_ - 1) / threads_;
    const std::size_t first_run = runs_.size();
    for (unsigned part = 0; part < threads_; ++part) runs_.push_back(new_run());
    parallel_for(
        threads_, threads_, watch,
        [&] {
            return [&](std::size_t part, std::size_t) {
                const std::size_t begin = std::min(part * share, count_), end = std::min(begin + share, count_);
                std::vector<Entry> entries(end - begin);
                for (std::size_t i = begin; i < end; ++i)
                    entries[i - begin] = {head_of(buffer_.data() + i * record_size_, key_size_),
                                          static_cast<std::uint32_t>(i)};
                std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
                    if (a.head != b.head) return a.head < b.head;
                    const int order = std::memcmp(buffer_.data() + a.index * record_size_,
                                                  buffer_.data() + b.index * record_size_, key_size_);
                    return order != 0 ? order < 0 : a.index < b.index;
                });
                OutputFile file(runs_[first_run + part]);
                std::vector<char> kept(record_size_);
                bool any = false;
                for (const Entry& entry : entries) {
                    const char* const record = buffer_.data() + entry.index * record_size_;
                    if (any && combine_ && std::memcmp(kept.data(), record, key_size_) == 0) {
                        combine_(kept.data(), record);
                        continue;
                    }
                    if (any) file.write(kept.data(), record_size_);
                    std::memcpy(kept.data(), record, record_size_);
                    any = true;
                }
                if (any) file.write(kept.data(), record_size_);
                file.close();
            };
        },
        1);
    count_ = 0;
}

void ExternalSort::each(Watch& watch, const std::function<void(const char*)>& take) {
    if (count_) write_runs(watch);
    buffer_ = {};
    // Neighbours are merged into one that takes their place, so that the order of adding is kept.
    while (runs_.size() > kMostFiles) {
        std::vector<std::string> fewer;
        for (std::size_t begin = 0; begin < runs_.size(); begin += kMostFiles) {
            const auto first = runs_.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto last = runs_.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kMostFiles, runs_.size()));
            const std::vector<std::string> group(first, last);
            fewer.push_back(new_run());
            OutputFile file(fewer.back());
            merge(group, watch, [&](const char* record) { file.write(record, record_size_); });
            file.close();
            for (const auto& run : group) removed(run);
        }
        runs_ = std::move(fewer);
    }
    merge(runs_, watch, take);
    for (const auto& run : runs_) removed(run);
    runs_.clear();
}

void ExternalSort::merge(const std::vector<std::string>& runs, Watch& watch,
                         const std::function<void(const char*)>& take) const {
    std::vector<std::unique_ptr<RecordFile>> files;
    for (const auto& run : runs) files.push_back(std::make_unique<RecordFile>(run, record_size_));

    // A heap of run numbers; of equal keys the earlier run comes first, so the order is that of adding.
    const auto later = [&](std::size_t a, std::size_t b) {
        const int order = std::memcmp(files[a]->record(), files[b]->record(), key_size_);
        return order != 0 ? order > 0 : a > b;
    };
    std::vector<std::size_t> heap;
    for (std::size_t i = 0; i < files.size(); ++i)
        if (files[i]->record()) heap.push_back(i);
    std::make_heap(heap.begin(), heap.end(), later);

    std::vector<char> kept(record_size_);
    bool any = false;
    for (std::size_t taken = 0; !heap.empty(); ++taken) {
        if (taken % 4096 == 0) watch.checkpoint();
        std::pop_heap(heap.begin(), heap.end(), later);
        RecordFile& file = *files[heap.back()];
        if (any && combine_ && std::memcmp(kept.data(), file.record(), key_size_) == 0) {
            combine_(kept.data(), file.record());
        } else {
            if (any) take(kept.data());
            std::memcpy(kept.data(), file.record(), record_size_);
            any = true;
        }
        file.advance();
        if (file.record())
            std::push_heap(heap.begin(), heap.end(), later);
        else
            heap.pop_back();
    }
    if (any) take(kept.data());
}

}  // namespace tertium
