// A network that consists of processes of its own.
#pragma once

#include <cstdint>
#include <functional>

namespace oscar {

/// Its processes post events for its client. The process that runs these events must be notified of them.
struct ProcessNetwork {
    virtual ~ProcessNetwork() = default;
    /// `posted` is called whenever one of its processes has posted an event.
    virtual void on_event(std::function<void()> posted) = 0;
    /// Activations of its processes so far.
    virtual std::uint64_t activations() const = 0;
};

}   // namespace oscar
