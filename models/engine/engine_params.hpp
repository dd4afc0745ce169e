// Parameters of the compression engine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/codec/interface/codec.hpp"
#include "models/core/fields.hpp"
#include "models/core/units.hpp"
#include "models/engine/technology.hpp"
#include "models/timing/exposure.hpp"

namespace oscar {

using namespace literals;

/// What serves blocks. Kinds cycles and rtl have the same cycles, which their arrays give; those of kind pipelined are
/// parameters.
enum class EngineKind : std::uint8_t { pipelined, cycles, rtl };
constexpr auto choices(EngineKind) {
    return std::array{
        Choice{"pipelined", EngineKind::pipelined,
               "a block is one transaction, whose cycles follow from its values, bytes and coding cost"},
        Choice{"cycles", EngineKind::cycles,
               "the arrays of the RTL, stepped through cycle by cycle; intervals, loops and latencies are theirs"},
        Choice{"rtl", EngineKind::rtl,
               "the RTL itself codes every block; needs a library that scripts/rtl_engine makes"},
    };
}

/// Where messages are coded.
enum class EnginePlace : std::uint8_t { nic, gpu };
constexpr auto choices(EnginePlace) {
    return std::array{
        Choice{"nic", EnginePlace::nic, "in the NIC, by the lanes of an engine"},
        Choice{
            "gpu", EnginePlace::gpu,
            "in the GPU, by kernels with the speeds of gpu.coding: DMA moves coded bytes, and each message costs its "
            "sender and its receiver a call"},
    };
}

/// The compression engine of one NIC: an encoder and a decoder array of `lanes` lanes each (docs/engine.md).
struct EngineParams {
    EnginePlace place = EnginePlace::nic;
    EngineKind kind = EngineKind::pipelined;
    std::uint32_t lanes = 64;
    Frequency clock = 1_GHz;
    std::uint32_t lane_values = 1024;
    std::uint32_t min_lane_values = 64;
    std::uint32_t encode_interval = 1, decode_interval = 1;
    std::uint32_t encode_loop = 1, decode_loop = 1;
    std::uint32_t finish_slots = 1;
    std::uint32_t encode_latency = 12, decode_latency = 18;
    RowSearch search = RowSearch::flash;
    std::uint32_t streams = 1;
    std::uint32_t packers = 1, packer_interval = 1;
    std::uint32_t blocks = 1;
    Bytes mask_sram = 64_KiB, table_sram = 256_KiB;
    std::uint32_t table_update = 0;
    std::uint32_t table_load = 16;
    Exposure learning = Exposure::hidden;
    Time answer_limit = 1_ms;
    std::optional<Technology> technology = {};
    static constexpr auto fields() {   // NOLINT(readability-function-size): a table
        return Entries{
            field("place", &EngineParams::place, "where messages are coded"),
            field("kind", &EngineParams::kind, "what serves blocks, and with which cycles"),
            field("lanes", &EngineParams::lanes, "coders side by side, in the encoder and in the decoder", 1u, 4096u),
            per_rank(field("clock", &EngineParams::clock, "clock of the engine; above 10 GHz an idealisation", 1_MHz,
                           1000_GHz)),
            field("lane_values", &EngineParams::lane_values, "most values of one lane in a block", 1u, 16384u),
            field("min_lane_values", &EngineParams::min_lane_values,
                  "fewest values of a lane; a short block uses fewer lanes", 1u, 65536u),
            per_rank(field("encode_interval", &EngineParams::encode_interval,
                           "cycles from one value into an encoder lane to the next", 1u, 64u)),
            per_rank(field("decode_interval", &EngineParams::decode_interval,
                           "cycles from one value out of a decoder lane to the next", 1u, 64u)),
            per_rank(field("encode_loop", &EngineParams::encode_loop,
                           "cycles in which the interval of a stream is updated at the encoder; streams fill them", 1u,
                           64u)),
            per_rank(field("decode_loop", &EngineParams::decode_loop,
                           "cycles from a row of a stream to the search of the next; streams fill them", 1u, 64u)),
            per_rank(field("finish_slots", &EngineParams::finish_slots,
                           "slots that a stream's end takes at the encoder, for arithmetic coders", 0u, 64u)),
            per_rank(field("encode_latency", &EngineParams::encode_latency,
                           "cycles from the last value in to the block's bytes out: pipeline, flush, header", 0u,
                           10000u)),
            per_rank(field("decode_latency", &EngineParams::decode_latency,
                           "cycles added to a block: header, table select, row search, add of the local values", 0u,
                           10000u)),
            per_rank(field("search", &EngineParams::search, "row search of an arithmetic decoder")),
            field("streams", &EngineParams::streams,
                  "interleaved streams of a lane in a block, which hide a search of several cycles", 1u, 16u),
            field("packers", &EngineParams::packers,
                  "packers of 64 bytes a cycle at the encoder, and unpackers at the decoder: one for each array into "
                  "which the lanes are divided",
                  1u, 256u),
            field("packer_interval", &EngineParams::packer_interval,
                  "cycles in which a packer or unpacker moves its 64 bytes: 1 in the RTL", 1u, 65536u),
            field("blocks", &EngineParams::blocks,
                  "blocks of a message, so that one is coded while another is sent; fewer where a lane would have less "
                  "than min_lane_values",
                  1u, 1024u),
            field("mask_sram", &EngineParams::mask_sram,
                  "size of the memory for classes of values; classes that do not fit are read by DMA"),
            field("table_sram", &EngineParams::table_sram,
                  "size of the memory for tables and counters; if they do not fit, each timestep's are read by DMA"),
            per_rank(field("table_update", &EngineParams::table_update,
                           "cycles to make a table from counts, during which an array codes nothing; charged for each "
                           "adaptive table of a block and for each inline table; 0: made while another table is in use",
                           0u, 65536u)),
            per_rank(field("table_load", &EngineParams::table_load,
                           "cycles in which an array takes up a table, of each class one, while it is empty: 16 in the "
                           "RTL, a row each; 0: it has a second bank for the next tables, and goes on coding",
                           0u, 1024u)),
            field("learning", &EngineParams::learning,
                  "making of the tables of the next iteration, table_update cycles each; kinds cycles and rtl: in the "
                  "table unit"),
            field(
                "answer_limit", &EngineParams::answer_limit,
                "time from a block's data to its end after which an engine of one's own that answers later is given up",
                1_ns, 10'000_ms),
            field("technology", &EngineParams::technology,
                  "area and energy of the engine's parts, for the cost in the report, with all figures but period; "
                  "null: none is "
                  "reported"),
        };
    }
    /// The part of the engine that is visible in the bytes.
    Framing framing() const { return {lanes, lane_values, min_lane_values, blocks, streams}; }
    friend bool operator==(const EngineParams&, const EngineParams&) = default;
};

}   // namespace oscar
