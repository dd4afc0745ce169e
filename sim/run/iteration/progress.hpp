// Progress of a collective: the share of its messages that have come.
#pragma once

#include <cstddef>
#include <functional>

namespace oscar {

/// Called with the share of a collective, 0..1, whose messages have been received.
using ShareDone = std::function<void(double share)>;

/// An observer for Job::received that tells `progress` the share of `messages` of which it has been told.
/// `progress` must outlive it.
inline std::function<void()> share_of(std::size_t messages, const ShareDone& progress) {
    return [messages, &progress, received = std::size_t{0}]() mutable {
        progress(static_cast<double>(++received) / static_cast<double>(messages));
    };
}

}   // namespace oscar
