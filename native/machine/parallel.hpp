// Segments over threads, with interruption.
//
// Segments are independent, so threads take small runs of them from one counter and share nothing else.
// The calling thread works too, and looks up every few milliseconds to ask whether the user wants to stop:
// `Watch` is that question. Only bindings.cpp knows that the answer comes from Python's signal handlers.

#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

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
    void poll() {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(20)) return;
        last_ = now;
        if (wants_to_stop_ && wants_to_stop_()) stop();
    }

    // For one long piece of work (a very long segment): leave now if the run was stopped.
    void checkpoint() {
        if (std::this_thread::get_id() == owner_) poll();
        if (stopped()) throw Interrupted();
    }

    // What a thread spends from here on belongs to this segment.
    void begin(std::size_t segment) { effort() = {segment, 0}; }
    // A checkpoint that counts what was done since the last one.
    void spend(std::size_t steps) {
        checkpoint();
        Effort& mine = effort();
        if ((mine.steps += static_cast<double>(steps)) > budget_.steps)
            throw TooCostly(mine.segment, budget_.steps, budget_.times, "steps");
    }
    // Before much memory is taken.
    void hold(std::size_t count, std::size_t size) const {
        if (static_cast<double>(count) * static_cast<double>(size) > budget_.bytes)
            throw TooCostly(effort().segment, budget_.bytes, budget_.times, "bytes");
    }

private:
    struct Effort {
        std::size_t segment;
        double steps;
    };
    static Effort& effort() {
        thread_local Effort mine{};
        return mine;
    }

    std::function<bool()> wants_to_stop_;
    Budget budget_;
    std::atomic<bool> stopped_{false};
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    std::thread::id owner_ = std::this_thread::get_id();
};

inline constexpr std::size_t kStep = 8;

// Calls work(begin, end) on pieces of at most `step` that cover [0, count); threads take them in runs. `make_worker()`
// gives each thread its own scratch space. A worker that needs larger pieces must look at the watch by itself.
template <class MakeWorker>
void parallel_for(std::size_t count, unsigned threads, Watch& watch, MakeWorker make_worker, std::size_t run = 64,
                  std::size_t step = kStep) {
    const std::size_t runs = (count + run - 1) / run;
    threads = static_cast<unsigned>(std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(runs, 1)));

    std::atomic<std::size_t> next{0};
    std::atomic<unsigned> working{threads - 1};
    std::vector<std::exception_ptr> failures(threads);
    const auto take_runs = [&](unsigned index, bool may_poll) {
        try {
            auto work = make_worker();
            while (!watch.stopped()) {
                const std::size_t begin = next.fetch_add(run, std::memory_order_relaxed);
                if (begin >= count) break;
                const std::size_t end = std::min(begin + run, count);
                // In small steps: where segments are long, a whole run would keep Ctrl-C waiting.
                for (std::size_t at = begin; at < end && !watch.stopped(); at += step) {
                    work(at, std::min(at + step, end));
                    if (may_poll) watch.poll();
                }
            }
        } catch (...) {
            failures[index] = std::current_exception();
            watch.stop();
        }
    };

    {
        std::vector<std::jthread> pool;
        for (unsigned index = 1; index < threads; ++index)
            pool.emplace_back([&, index] {
                take_runs(index, false);
                working.fetch_sub(1);
            });
        take_runs(0, true);
        // A long segment may still be under way elsewhere; stay reachable while it is.
        while (working.load() > 0) {
            watch.poll();
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    }
    for (const auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
    if (watch.stopped()) throw Interrupted();
}

}  // namespace tertium
