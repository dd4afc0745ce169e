#include "sim/run/threads.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <exception>
#include <latch>
#include <vector>

namespace oscar {

/// Threads take the next index when they have finished one. An exception does not keep the other bodies from running,
/// so that the one of the lowest index is known.
void Threads::run(std::size_t count, const std::function<void(std::size_t)>& body) {
    std::vector<std::exception_ptr> errors(count);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) try {
                body(i);
            } catch (...) {
                errors[i] = std::current_exception();
            }
    };
    const std::size_t helpers = std::min(helpers_, count > 0 ? count - 1 : 0);
    std::latch helped(static_cast<std::ptrdiff_t>(helpers));
    for (std::size_t h = 0; h < helpers; ++h)
        boost::asio::post(pool_, [&] {
            work();
            helped.count_down();
        });
    work();
    helped.wait();
    const auto error = std::ranges::find_if(errors, [](const std::exception_ptr& e) { return e != nullptr; });
    if (error != errors.end()) std::rethrow_exception(*error);
}

}   // namespace oscar
