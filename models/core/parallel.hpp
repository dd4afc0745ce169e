// Parallel loops: pure code runs its independent parts on threads that its caller lends it.
#pragma once

#include <cstddef>
#include <functional>

namespace oscar {

/// Calls body(0) to body(count - 1), in any order and on any threads, and returns after all of them. Throws what the
/// body of the lowest index threw. A body runs no parallel loop itself.
/// Law: bodies that change only what is theirs leave the same for any number of threads.
using ParallelFor = std::function<void(std::size_t count, const std::function<void(std::size_t)>& body)>;

/// The parallel loop of one thread.
inline void serial_for(std::size_t count, const std::function<void(std::size_t)>& body) {
    for (std::size_t i = 0; i < count; ++i) body(i);
}

}   // namespace oscar
