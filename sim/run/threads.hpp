// Threads of a run.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstdint>

#include "models/core/parallel.hpp"
#include "sim/files/ending_signals.hpp"

namespace oscar {

/// A pool whose threads work through parallel loops together with the thread that calls them. Signals that end the
/// program interrupt none of the pool's own.
class Threads {
public:
    /// `count` threads, at least one, including the caller's.
    explicit Threads(std::uint32_t count) : Threads(count, {}) {}

    /// Valid as long as the threads.
    ParallelFor parallel_for() {
        if (helpers_ == 0) return serial_for;
        return [this](std::size_t count, const std::function<void(std::size_t)>& body) { run(count, body); };
    }

private:
    Threads(std::uint32_t count, const BlockedEndingSignals&) : helpers_(count - 1), pool_(helpers_) {}
    void run(std::size_t count, const std::function<void(std::size_t)>& body);

    std::size_t helpers_;
    boost::asio::thread_pool pool_;
};

}   // namespace oscar
