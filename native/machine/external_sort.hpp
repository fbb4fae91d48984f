// Sorts more records than memory holds: sorted runs go to files, which are then merged.
//
// A record is a fixed number of bytes that begins with its key; keys are compared as bytes, so numbers in a key
// stand with their highest byte first. Records with equal keys can be made one on the way.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "machine/parallel.hpp"
#include "machine/refused.hpp"

namespace tertium {

class ExternalSort {
public:
    using Combine = void (*)(char* kept, const char* same);

    // Files are called `prefix` and a number, and live no longer than the object.
    ExternalSort(std::string prefix, std::size_t record_size, std::size_t key_size, std::size_t memory,
                 unsigned threads, Combine combine = nullptr);
    ~ExternalSort();
    ExternalSort(const ExternalSort&) = delete;
    ExternalSort& operator=(const ExternalSort&) = delete;

    void add(const char* record, Watch& watch);
    // Every record in the order of keys. Ends the life of what was added.
    void each(Watch& watch, const std::function<void(const char*)>& take);

private:
    void write_runs(Watch& watch);
    void merge(const std::vector<std::string>& runs, Watch& watch, const std::function<void(const char*)>& take) const;
    std::string new_run() { return prefix_ + std::to_string(named_++); }

    std::string prefix_;
    std::size_t record_size_, key_size_, most_;
    unsigned threads_;
    Combine combine_;
    std::vector<char> buffer_;
    std::size_t count_ = 0;
    std::vector<std::string> runs_;
    std::size_t named_ = 0;
};

// Writes a file whole, or throws and leaves none.
class OutputFile {
public:
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    void write(const void* bytes, std::size_t size);
    void close();

private:
    std::string path_;
    std::FILE* file_;
};

// Reads fixed-size records in order.
class RecordFile {
public:
    RecordFile(const std::string& path, std::size_t record_size);
    ~RecordFile();
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;
    const char* record() const { return at_end_ ? nullptr : buffer_.data() + at_; }
    void advance();

private:
    void fill();

    std::string path_;
    std::FILE* file_;
    std::size_t record_size_;
    std::vector<char> buffer_;
    std::size_t at_ = 0, filled_ = 0;
    bool at_end_ = false;
};

}  // namespace tertium
