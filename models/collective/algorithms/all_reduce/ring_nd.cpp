#include "models/collective/algorithms/all_reduce/ring_nd.hpp"

#include <stdexcept>
#include <string>

#include "models/collective/schedule/phases.hpp"

namespace oscar {
namespace {

/// The rings along one dimension.
struct Rings {
    std::uint32_t size, stride;   ///< ranks of a ring, and how far apart
    std::uint32_t part;           ///< chunks that a rank is left with after the reduce-scatter
};

/// In the order of the reduce-scatter.
std::vector<Rings> rings_of(std::span<const std::uint32_t> dimensions, std::uint32_t ranks) {
    std::vector<Rings> rings;
    std::uint32_t stride = 1, part = ranks;
    for (std::size_t d = dimensions.size(); d-- > 0; stride *= dimensions[d]) {
        part /= dimensions[d];
        rings.push_back({dimensions[d], stride, part});
    }
    return rings;
}

/// The first of the chunks that the rings before `phase` have left a rank.
std::uint32_t first_chunk(const std::vector<Rings>& rings, std::size_t phase, std::uint32_t rank) {
    std::uint32_t chunk = 0;
    for (std::size_t p = 0; p < phase; ++p) chunk += rank / rings[p].stride % rings[p].size * rings[p].part;
    return chunk;
}

}   // namespace

Schedule make_rings(std::span<const std::uint32_t> dimensions, std::uint32_t ranks, std::uint32_t slices) {
    const std::vector<Rings> rings = rings_of(dimensions, ranks);
    ScheduleBuilder builder(ranks, ranks * slices);
    std::uint32_t timestep = 0;
    // Of a ring whose position p begins the reduce-scatter with part p-1, or all-gather with part p.
    const auto along = [&](std::size_t phase, Op op) {
        const auto [size, stride, part] = rings[phase];
        for (std::uint32_t s = 0; s + 1 < size; ++s, ++timestep)
            for (std::uint32_t slice = 0; slice < slices; ++slice)
                for (std::uint32_t first = 0; first < ranks; ++first)
                    if (first / stride % size == 0)
                        ring_round(builder, ranks_from(first, stride, size),
                                   {slice * ranks + first_chunk(rings, phase, first), part},
                                   (op == Op::reduce ? -1 : 0) - std::int64_t{s}, op, timestep);
    };
    for (std::size_t phase = 0; phase < rings.size(); ++phase) along(phase, Op::reduce);
    for (std::size_t phase = rings.size(); phase-- > 0;) along(phase, Op::copy);
    return std::move(builder).finish();
}

Schedule make_schedule(const RingNdParams& params, std::uint32_t ranks) {
    if (params.dimensions.empty()) return make_rings(std::vector{ranks}, ranks, params.slices);
    std::uint64_t product = 1;
    for (const std::uint32_t size : params.dimensions) product *= size;
    if (product != ranks)
        throw std::invalid_argument("dimensions: their product is " + std::to_string(product) + ", and there are " +
                                    std::to_string(ranks) + " ranks; choose sizes whose product is that");
    return make_rings(params.dimensions, ranks, params.slices);
}

}   // namespace oscar
