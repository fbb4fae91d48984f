// Segments over threads, with interruption.
//
// Segments are independent, so threads take small runs of them from one counter and share nothing else.
// The calling thread works too, and looks up every few milliseconds to ask whether the user wants to stop:
// `Watch` is that question. Only bindings.cpp knows that the answer comes from Python's signal handlers.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "machine/budget.hpp"

namespace tertium {

struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("interrupted") {}
};

// One per parallel run. Workers look at `stopped()`; the calling thread also polls.
class Watch {
public:
    explicit Watch(std::function<bool()> wants_to_stop = {}, Budget budget = {})
        : wants_to_stop_(std::move(wants_to_stop)), budget_(budget) {
        begin(0);
    }

    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
    void stop() { stopped_.store(true, std::memory_order_relaxed); }

    // Called by the thread that started the run, between pieces of work: asks at most every 20 ms.
    void poll();

    // For one long piece of work (a very long segment): leave now if the run was stopped.
    void checkpoint();

    // What a thread spends from here on belongs to this segment.
    void begin(std::size_t segment) { effort() = {segment, 0}; }
    // A checkpoint that counts what was done since the last one.
    void spend(std::size_t steps);
    // Before much memory is taken.
    void hold(std::size_t count, std::size_t size) const;

private:
    struct Effort {
        std::size_t segment;
        double steps;
    };
    static Effort& effort() {
        thread_local Effort mine{};
        return mine;
    }
    static std::int64_t milliseconds();

    std::function<bool()> wants_to_stop_;
    Budget budget_;
    std::atomic<bool> stopped_{false};
    std::int64_t last_ = milliseconds();     // when it was asked
    const Effort* const owner_ = &effort();  // each thread has an effort of its own, which tells them apart
};

// What one thread does; with scratch space of its own.
struct Worker {
    virtual ~Worker() = default;
    virtual void operator()(std::size_t begin, std::size_t end) = 0;
};
void share_out(std::size_t count, unsigned threads, Watch& watch,
               const std::function<std::unique_ptr<Worker>()>& make_worker, std::size_t run, std::size_t step);

inline constexpr std::size_t kStep = 8;

// Calls work(begin, end) on pieces of at most `step` that cover [0, count); threads take them in runs. `make_worker()`
// gives each thread its own scratch space. A worker that needs larger pieces must look at the watch by itself.
template <class MakeWorker>
void parallel_for(std::size_t count, unsigned threads, Watch& watch, MakeWorker make_worker, std::size_t run = 64,
                  std::size_t step = kStep) {
    struct Held final : Worker {
        std::decay_t<decltype(make_worker())> work;
        explicit Held(MakeWorker& make) : work(make()) {}
        void operator()(std::size_t begin, std::size_t end) override { work(begin, end); }
    };
    share_out(count, threads, watch, [&] { return std::make_unique<Held>(make_worker); }, run, step);
}

}  // namespace tertium
