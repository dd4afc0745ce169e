// Parameters of a NIC without its compression engine.
#pragma once

#include <cstdint>

#include <optional>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

using namespace literals;

inline constexpr Cycles adder_latency = 1;   // the second stage of the reduce unit

/// The NIC without the engine.
struct NicParams {
    Time latency = 100_ns;
    std::uint32_t adders = 64;
    Frequency clock = 1_GHz;
    Time message_latency = 0_ps;
    std::optional<Bytes> staging_memory = {};
    /// The halves of message_latency: from the GPU to its NIC, and back.
    Time to_nic() const { return {message_latency.ps / 2}; }
    Time to_gpu() const { return message_latency - to_nic(); }
    static constexpr auto fields() {
        return Entries{
            field("latency", &NicParams::latency, "time of a packet in the transmit or the receive pipeline", 0_ps,
                  1_ms),
            field("adders", &NicParams::adders,
                  "fp32 additions per cycle of the reduce unit; each packet begins a new cycle, and codecs add in "
                  "their decoder",
                  1u, 65'536u),
            field("clock", &NicParams::clock, "clock of the reduce unit", 1_MHz, 10_GHz),
            field("message_latency", &NicParams::message_latency,
                  "time of a message between GPU and NIC that does not depend on its bytes, half of it at either end: "
                  "proxy thread, doorbell, completion, flush of GPUDirect; gpu.staging decides which messages take it",
                  0_ps, 1_ms),
            field("staging_memory", &NicParams::staging_memory,
                  "memory for received bytes until they are decoded, added or in GPU memory; packets that find no room "
                  "wait in the buffer of their link, whose credits return later; null: unlimited",
                  1_B, 1024_GiB),
        };
    }
    friend bool operator==(const NicParams&, const NicParams&) = default;
};

}   // namespace oscar
