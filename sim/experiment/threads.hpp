// Threads of a run.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstdint>

#include "models/core/parallel.hpp"

namespace oscar::inline experiment {

/// A pool whose threads work through parallel loops together with the thread that calls them.
class Threads {
public:
    /// `count` threads, at least one, including the caller's.
    explicit Threads(std::uint32_t count) : helpers_(count - 1), pool_(helpers_) {}

    /// Valid as long as the threads.
    ParallelFor parallel_for() {
        if (helpers_ == 0) return serial_for;
        return [this](std::size_t count, const std::function<void(std::size_t)>& body) { run(count, body); };
    }

private:
    void run(std::size_t count, const std::function<void(std::size_t)>& body);

    std::size_t helpers_;
    boost::asio::thread_pool pool_;
};

}   // namespace oscar::inline experiment
