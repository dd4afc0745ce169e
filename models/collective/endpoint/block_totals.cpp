#include "models/collective/endpoint/block_totals.hpp"

#include <algorithm>

#include "models/codec/bits/little_endian.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t most_units = 0xFFFF;

std::uint16_t saturated(std::uint64_t units) { return static_cast<std::uint16_t>(std::min(units, most_units)); }

}   // namespace

BlockUnit finest_unit(std::uint32_t granularity, std::uint32_t messages, std::uint32_t bits) {
    const std::uint64_t most = std::uint64_t{granularity} * messages * bits * 256;
    std::uint32_t shift = 0;
    while ((most >> shift) + messages > most_units) ++shift;   // each message may round up by one
    return {granularity, shift};
}

void BlockTotals::begin(std::uint32_t elements) {
    units_.assign((elements + unit_.granularity - 1) / unit_.granularity, 0);
}

void BlockTotals::add_costs(std::span<const Segment> chunk, std::span<const std::uint32_t> costs,
                            std::uint32_t messages) {
    for_each_block(chunk, [&](std::uint32_t block) {
        const auto own = costs.first(std::min<std::size_t>(costs.size(), unit_.granularity));
        std::uint64_t cost = 0;
        for (const std::uint32_t c : own) cost += std::uint64_t{c} * messages;
        const std::uint64_t half = (std::uint64_t{1} << unit_.shift) / 2;
        units_[block] = saturated(units_[block] + ((cost + half) >> unit_.shift));
        costs = costs.subspan(own.size());
    });
}

std::uint64_t BlockTotals::trailer_bytes(std::span<const Segment> chunk) const {
    std::uint64_t bytes = 0;
    for_each_block(chunk, [&](std::uint32_t) { bytes += 2; });
    return bytes;
}

void BlockTotals::append_trailer(std::span<const Segment> chunk, std::vector<std::byte>& out) const {
    for_each_block(chunk, [&](std::uint32_t block) { append_little_endian(out, units_[block], 2); });
}

void BlockTotals::add(std::span<const Segment> chunk, std::span<const std::byte> trailer) {
    for_each_block(chunk, [&, at = std::size_t{0}](std::uint32_t block) mutable {
        units_[block] = saturated(std::uint64_t{units_[block]} + little_endian(trailer, at, 2));
        at += 2;
    });
}

void BlockTotals::replace(std::span<const Segment> chunk, std::span<const std::byte> trailer) {
    for_each_block(chunk, [&](std::uint32_t block) { units_[block] = 0; });
    add(chunk, trailer);
}

std::vector<std::uint32_t> BlockTotals::costs(std::uint32_t elements) const {
    std::vector<std::uint32_t> costs(elements);
    for (std::size_t block = 0; block < units_.size(); ++block) costs[block * unit_.granularity] = units_[block];
    return costs;
}

}   // namespace oscar
