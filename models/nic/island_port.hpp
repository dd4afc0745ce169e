// A GPU's port inside its island: what its kernels read to send, and what they add.
#pragma once

#include <vector>

#include "models/gpu/island_port_params.hpp"
#include "models/timing/servers.hpp"

namespace oscar {

/// Reading counts as the link, whose rate it has, and additions as the engine. All jobs of the GPU share it.
struct IslandPort {
    explicit IslandPort(const IslandPortParams& params)
        : read(params.bandwidth, params.latency, &CriticalPath::wire_ps),
          add(params.additions, Time{}, &CriticalPath::engine_ps) {}
    /// Nothing is under way. `noted`: the spans of use() are going to be asked for.
    void begin(bool noted) {
        read.clear(noted);
        add.clear(noted);
    }

    DmaChannel read, add;
};

}   // namespace oscar
