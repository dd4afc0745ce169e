#include "models/predict/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "models/core/long_time.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t bytes_of_value = 4;   // fp32

/// A part of all values.
struct Share {
    std::uint64_t part, whole;
};

Time rounded_up(UInt128 numerator, UInt128 denominator) { return to_time((numerator + denominator - 1) / denominator); }

/// Millionths, so that 4.9 is itself.
std::uint64_t micro_bits(double bits) { return static_cast<std::uint64_t>(std::llround(bits * 1e6)); }

/// Of `share` of the values, with so many bits each: 10^-6 bit / (mbps * 10^6 bit/s) is 1 / mbps ps. The product has
/// at most 64 + 27 + 33 bits.
Time transfer(Bytes size, Share share, std::uint64_t micro_bits, Bandwidth rate) {
    return rounded_up(UInt128{size.count} * micro_bits * share.part, UInt128{share.whole} * bytes_of_value * rate.mbps);
}

/// Of `cycles` of 10^9 / kHz ps for every `values` of `share` of the values. The product has at most 64 + 30 + 13 + 17
/// bits.
Time engine_time(Bytes size, Share share, std::uint32_t cycles, std::uint32_t values, Frequency clock) {
    constexpr std::uint64_t ps_khz = 1'000'000'000;
    return rounded_up(UInt128{size.count} * ps_khz * share.part * cycles,
                      UInt128{share.whole} * bytes_of_value * values * clock.khz);
}

/// One value per lane and cycle, and the cycles in which tables are taken up.
Time coding(Bytes size, Share share, const RooflineParams& params) {
    if (params.lanes == 0) return {};
    const LongTime lanes = engine_time(size, share, 1, params.lanes, params.clock);
    return (lanes + engine_time(size, share, params.table_update, params.table_values, params.clock)).narrowed();
}

/// Of a phase in which each value takes one bit on the wire.
std::uint64_t ridge_point(const RooflinePhase& phase) {
    const Time busiest = *std::max_element(phase.times.begin() + 1, phase.times.end());   // all but the wire
    return static_cast<std::uint64_t>(256 * busiest.ps / phase.time_of(Resource::wire).ps);
}

}   // namespace

Resource RooflinePhase::limiter() const {
    return static_cast<Resource>(std::ranges::max_element(times) - times.begin());
}

std::vector<RooflinePhase> roofline_phases(const RooflineParams& params, std::uint32_t ranks, Bytes size) {
    const Share all{1, 1}, own{1, ranks}, passed_on{ranks - 1, ranks}, twice{2 * (std::uint64_t{ranks} - 1), ranks};
    const auto wire = [&](std::uint64_t bits) { return transfer(size, passed_on, bits, params.link_bandwidth); };
    const auto code = [&](Share share) { return coding(size, share, params); };
    const std::uint64_t b1 = micro_bits(params.reduce_scatter_bits), b2 = micro_bits(params.all_gather_bits);
    const Time read = transfer(size, all, micro_bits(params.read_bits), params.dma_bandwidth);
    const Time written = transfer(size, all, micro_bits(params.written_bits), params.dma_bandwidth);
    if (params.schedule == RooflineSchedule::pipelined)
        return {{"pipelined", {wire(b1 + b2), read, written, code(all), code(twice)}}};
    return {{"reduce_scatter", {wire(b1), read, Time{}, code(passed_on), code(passed_on)}},
            {"all_gather", {wire(b2), Time{}, written, code(own), code(passed_on)}}};
}

std::uint32_t ridge_point(RooflineParams params, std::uint32_t ranks) {
    params.reduce_scatter_bits = params.all_gather_bits = 1;
    std::uint64_t most = 0;
    // 2^20 values: long enough for picoseconds, and none of their times overflows.
    for (const RooflinePhase& phase : roofline_phases(params, ranks, Bytes{4u << 20}))
        most = std::max(most, ridge_point(phase));
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, 65'535));
}

std::vector<Predicted> predictions(const RooflineParams& params, std::uint32_t ranks, Bytes size) {
    Predicted predicted{std::string(to_text(params.schedule)), {}};
    LongTime sum;
    for (const RooflinePhase& phase : roofline_phases(params, ranks, size)) {
        const Resource limiter = phase.limiter();
        predicted.phases.push_back({std::string(phase.name), phase.time_of(limiter), std::string(to_text(limiter))});
        sum = sum + phase.time_of(limiter);
    }
    predicted.time = sum.narrowed();
    return {predicted};
}

}   // namespace oscar
