// Roofline of a compressed ring AllReduce: the time that its busiest resource needs, were all others free.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"
#include "models/predict/predicted.hpp"

namespace oscar {

using namespace literals;

enum class RooflineSchedule : std::uint8_t { one_bucket, pipelined };
constexpr auto choices(RooflineSchedule) {
    return std::array{
        Choice{"one_bucket", RooflineSchedule::one_bucket, "reduce-scatter, then all-gather of the same bucket"},
        Choice{"pipelined", RooflineSchedule::pipelined,
               "time per bucket of many: the reduce-scatter of the next overlaps the all-gather of this one"}};
}

/// The resources of a rank, one of each, any of which can limit it.
enum class Resource : std::uint8_t { wire, dma_read, dma_write, encoder, decoder };
constexpr auto choices(Resource) {
    return std::array{Choice{"wire", Resource::wire, "the link out of a rank"},
                      Choice{"dma_read", Resource::dma_read, "DMA from GPU memory"},
                      Choice{"dma_write", Resource::dma_write, "DMA to GPU memory"},
                      Choice{"encoder", Resource::encoder, "encoder lanes of the engine"},
                      Choice{"decoder", Resource::decoder, "decoder lanes of the engine"}};
}

/// The defaults are uncompressed fp32, also in GPU memory, which no engine codes.
struct RooflineParams {
    Bandwidth link_bandwidth = 400_Gbps, dma_bandwidth = 461_Gbps;
    double reduce_scatter_bits = 32, all_gather_bits = 32, read_bits = 32, written_bits = 32;
    std::uint32_t lanes = 0;
    Frequency clock = 1_GHz;
    std::uint32_t table_update = 0, table_values = 65'536;
    RooflineSchedule schedule = RooflineSchedule::one_bucket;
    static constexpr auto fields() {
        using R = RooflineParams;
        return Entries{
            field("link_bandwidth", &R::link_bandwidth, "B: raw rate of a rank's link in one direction", 1_Mbps,
                  100'000_Gbps),
            field("dma_bandwidth", &R::dma_bandwidth, "P: DMA bandwidth of each direction", 1_Mbps, 100'000_Gbps),
            field("reduce_scatter_bits", &R::reduce_scatter_bits,
                  "b1: bits on the wire per value in the reduce-scatter, to a millionth", 0.0, 64.0),
            field("all_gather_bits", &R::all_gather_bits, "b2: the same in the all-gather", 0.0, 64.0),
            field("read_bits", &R::read_bits, "r: bits read from GPU memory per value, to a millionth", 0.0, 64.0),
            field("written_bits", &R::written_bits, "w: bits written to GPU memory per value, to a millionth", 0.0,
                  64.0),
            field("lanes", &R::lanes, "coders side by side, in the encoder and in the decoder; 0: no engine", 0u,
                  4096u),
            field("clock", &R::clock, "clock of the engine; a lane codes one value per cycle", 1_MHz, 1000_GHz),
            field("table_update", &R::table_update,
                  "u: cycles of taking up an adaptive table, in which no lane codes; 0: hidden", 0u, 65'536u),
            field("table_values", &R::table_values, "v: values that are coded between two such tables", 1u,
                  67'108'864u),
            field("schedule", &R::schedule, "overlap of the two halves of an AllReduce"),
        };
    }
};

/// A part of the AllReduce in which all resources work at the same time.
struct RooflinePhase {
    std::string_view name;
    std::array<Time, 5> times = {};   ///< that each Resource needs, each of its terms rounded up to the picosecond

    /// The time that a resource needs in this phase; 0 if it is idle.
    Time time_of(Resource resource) const { return times[static_cast<std::size_t>(resource)]; }
    /// The resource with the longest time; of equal ones the first in Resource.
    Resource limiter() const;
};

/// With n ranks, f = (n-1)/n, E values per second of an array of lanes, 1/E = 1/(lanes * clock) + u/(v * clock), and
/// times per value of fp32, of which `size` has size/4:
///
///     phase            wire           dma_read  dma_write  encoder   decoder
///     reduce_scatter   f b1 / B       r / P     -          f / E     f / E
///     all_gather       f b2 / B       -         w / P      1/n / E   f / E
///     pipelined        f (b1+b2) / B  r / P     w / P      1 / E     2f / E
///
/// One bucket has the first two phases, one after the other; pipelined buckets have the last. Without lanes the engine
/// takes no time. Not counted: latency, packet headers, imbalance of chunks, kernels of the GPU, masks and tables that
/// are read. Exact for every size. Throws OutOfRange if a resource needs more than 106 days. Precondition: ranks >= 2.
std::vector<RooflinePhase> roofline_phases(const RooflineParams& params, std::uint32_t ranks, Bytes size);

/// Ridge point: the bits on the wire per value, in 1/256 bit, with which the wire takes as long as the busiest other
/// resource, in the phase in which that is most; 65,535 at most. With fewer bits it takes no less time. The bits on the
/// wire that `params` has are ignored. Precondition: ranks >= 2.
std::uint32_t ridge_point(RooflineParams params, std::uint32_t ranks);

/// The sum over the phases of the longest time in each, with the resources that take it. Laws: pipelined is never
/// slower than one bucket, and no resource takes longer than the whole. Throws OutOfRange beyond 106 days.
std::vector<Predicted> predictions(const RooflineParams& params, std::uint32_t ranks, Bytes size);

}   // namespace oscar
