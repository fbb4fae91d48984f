#include "machine/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

namespace tertium {
namespace {

// Threads that are waited for, whatever happens.
struct Pool {
    std::vector<std::thread> threads;
    ~Pool() {
        for (std::thread& thread : threads) thread.join();
    }
};

}  // namespace

std::int64_t Watch::milliseconds() {
    using namespace std::chrono;
    return duration_cast<std::chrono::milliseconds>(steady_clock::now().time_since_epoch()).count();
}

void Watch::poll() {
    const std::int64_t now = milliseconds();
    if (now - last_ < 20) return;
    last_ = now;
    if (wants_to_stop_ && wants_to_stop_()) stop();
}

void Watch::checkpoint() {
    if (&effort() == owner_) poll();
    if (stopped()) throw Interrupted();
}

void Watch::spend(std::size_t steps) {
    checkpoint();
    Effort& mine = effort();
    if ((mine.steps += static_cast<double>(steps)) > budget_.steps)
        throw TooCostly(mine.segment, budget_.steps, budget_.times, "steps");
}

void Watch::hold(std::size_t count, std::size_t size) const {
    if (static_cast<double>(count) * static_cast<double>(size) > budget_.bytes)
        throw TooCostly(effort().segment, budget_.bytes, budget_.times, "bytes");
}

void share_out(std::size_t count, unsigned threads, Watch& watch,
               const std::function<std::unique_ptr<Worker>()>& make_worker, std::size_t run, std::size_t step) {
    const std::size_t runs = (count + run - 1) / run;
    threads = static_cast<unsigned>(std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(runs, 1)));

    std::atomic<std::size_t> next{0};
    std::atomic<unsigned> working{threads - 1};
    std::vector<std::exception_ptr> failures(threads);
    const auto take_runs = [&](unsigned index, bool may_poll) {
        try {
            const std::unique_ptr<Worker> work = make_worker();
            while (!watch.stopped()) {
                const std::size_t begin = next.fetch_add(run, std::memory_order_relaxed);
                if (begin >= count) break;
                const std::size_t end = std::min(begin + run, count);
                // In small steps: where segments are long, a whole run would keep Ctrl-C waiting.
                for (std::size_t at = begin; at < end && !watch.stopped(); at += step) {
                    (*work)(at, std::min(at + step, end));
                    if (may_poll) watch.poll();
                }
            }
        } catch (...) {
            failures[index] = std::current_exception();
            watch.stop();
        }
    };

    {
        Pool pool;
        for (unsigned index = 1; index < threads; ++index)
            pool.threads.emplace_back([&, index] {
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
