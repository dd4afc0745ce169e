#include "sim/commands/trace/statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "models/quantise/quantiser.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t code_bits = 8;
constexpr std::uint64_t values_read = 1U << 18;

/// An array of the trace, read block by block as fp32.
class Source {
public:
    Source(const Trace& trace, std::size_t position)
        : trace_(trace), position_(position), array_(trace.array(position)), scale_(trace.scale(position)) {}

    /// The values at `first` of a rank's gradient; the next call overwrites them.
    std::span<const float> block(std::uint64_t rank, std::uint64_t first, std::uint64_t count) {
        const std::span<const std::byte> stored = array_.bytes(rank, first, count);
        trace_.check_finite(array_, stored, position_);
        values_.resize(static_cast<std::size_t>(count));
        widen(stored, array_.type(), scale_, values_);
        if (array_.bytes().size() > keep_bytes) array_.file().forget(stored);
        return values_;
    }

private:
    static constexpr std::size_t keep_bytes = std::size_t{64} << 20;
    const Trace& trace_;
    std::size_t position_;
    NpyArray array_;
    float scale_;
    std::vector<float> values_;
};

/// The values of one layer in the gradients of all ranks.
struct Layer {
    std::uint64_t first, size;
    std::uint32_t ranks;

    /// Calls f(rank, first, count) for blocks of the layer, rank after rank.
    template <class F>
    void for_each_block(F&& f) const {
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            for (std::uint64_t at = 0; at < size; at += values_read)
                f(rank, first + at, std::min(values_read, size - at));
    }
};

/// The results of the first pass over a layer.
struct Sums {
    float peak = 0;
    double sum = 0;
    std::uint64_t zeros = 0;
    std::vector<double> squares;   // per rank
};

/// floor(log2 |value|) of a value other than zero, from its bits; a subnormal is multiplied by 2^64 first.
int magnitude_of(float value) {
    constexpr int bias = 127;
    const auto exponent = static_cast<int>(std::bit_cast<std::uint32_t>(value) >> 23 & 0xffU);
    return exponent != 0 ? exponent - bias : magnitude_of(value * 0x1p64F) - 64;
}

Sums first_pass(Source& source, const Layer& layer, std::array<std::uint64_t, 512>& magnitudes) {
    Sums sums;
    sums.squares.resize(layer.ranks);
    layer.for_each_block([&](std::uint32_t rank, std::uint64_t first, std::uint64_t count) {
        for (const float value : source.block(rank, first, count)) {
            const double wide = value;
            sums.peak = std::max(sums.peak, std::fabs(value));
            sums.sum += wide;
            sums.squares[rank] += wide * wide;
            if (value == 0) ++sums.zeros;
            else ++magnitudes[static_cast<std::size_t>(magnitude_of(value)) + 256];
        }
    });
    return sums;
}

float peak_of(Source& source, const Layer& layer) {
    float peak = 0;
    layer.for_each_block([&](std::uint32_t rank, std::uint64_t first, std::uint64_t count) {
        for (const float value : source.block(rank, first, count)) peak = std::max(peak, std::fabs(value));
    });
    return peak;
}

std::vector<std::int32_t> codes_of(std::span<const float> values, float peak) {
    const Segment whole{0, static_cast<std::uint32_t>(values.size())};
    FixedPoint params;
    params.bits = code_bits;
    return quantise(values, {&whole, 1}, {&peak, 1}, params).codes;
}

/// Zero codes of two iterations.
struct ZeroCounts {
    std::uint64_t now = 0, before = 0, both = 0;
    std::optional<Repetition> repetition(std::uint64_t values) const {
        const std::uint64_t either = now + before - both;
        if (either == 0) return {};
        const double p = static_cast<double>(now) / static_cast<double>(values),
                     q = static_cast<double>(before) / static_cast<double>(values);
        return Repetition{static_cast<double>(both) / static_cast<double>(either), p * q / (p + q - p * q)};
    }
};

double entropy(const std::array<std::uint64_t, 256>& counts, std::uint64_t total) {
    double bits = 0;
    for (const std::uint64_t count : counts)
        if (count > 0) {
            const double share = static_cast<double>(count) / static_cast<double>(total);
            bits -= share * std::log2(share);
        }
    return bits;
}

/// The second pass: moments about the mean, and codes by the peak.
void second_pass(Source& source, Source* before, const Layer& layer, const Sums& sums, LayerStatistics& figures) {
    const auto total = static_cast<double>(figures.values);
    const double mean = sums.sum / total;
    const float peak_before = before != nullptr ? peak_of(*before, layer) : 0;
    double second = 0, fourth = 0;
    std::array<std::uint64_t, 256> counts{};
    ZeroCounts zeros;
    layer.for_each_block([&](std::uint32_t rank, std::uint64_t first, std::uint64_t count) {
        const std::span<const float> values = source.block(rank, first, count);
        const std::vector<std::int32_t> codes = codes_of(values, sums.peak);
        for (const float value : values) {
            const double square = (value - mean) * (value - mean);
            second += square;
            fourth += square * square;
        }
        for (const std::int32_t code : codes) ++counts[static_cast<std::size_t>(code) + 128];
        if (before == nullptr) return;
        const std::vector<std::int32_t> earlier = codes_of(before->block(rank, first, count), peak_before);
        for (std::size_t i = 0; i < codes.size(); ++i) {
            zeros.before += earlier[i] == 0;
            zeros.both += earlier[i] == 0 && codes[i] == 0;
        }
    });
    zeros.now = counts[128];
    figures.kurtosis = second > 0 ? fourth * total / (second * second) : 0;
    figures.entropy_bits = entropy(counts, figures.values);
    figures.zero_codes = static_cast<double>(zeros.now) / total;
    if (before != nullptr) figures.repetition = zeros.repetition(figures.values);
}

}   // namespace

IterationStatistics iteration_statistics(const Trace& trace, std::size_t position) {
    Source source(trace, position);
    std::optional<Source> before;
    if (trace.follows(position)) before.emplace(trace, position - 1);

    IterationStatistics result;
    std::array<std::uint64_t, 512> magnitudes{};   // by exponent + 256
    std::vector<double> squares(trace.ranks());
    for (std::size_t l = 0; l < trace.manifest().layers.size(); ++l) {
        const std::uint64_t first = trace.layer_offsets()[l], size = trace.layer_offsets()[l + 1] - first;
        const Layer layer{first, size, trace.ranks()};
        const Sums sums = first_pass(source, layer, magnitudes);
        LayerStatistics figures;
        figures.values = size * trace.ranks();
        for (std::size_t rank = 0; rank < squares.size(); ++rank) {
            figures.norm += std::sqrt(sums.squares[rank]) / trace.ranks();
            squares[rank] += sums.squares[rank];
        }
        figures.zeros = static_cast<double>(sums.zeros) / static_cast<double>(figures.values);
        second_pass(source, before ? &*before : nullptr, layer, sums, figures);
        result.magnitudes.zeros += sums.zeros;
        result.layers.push_back(figures);
    }
    for (const double square : squares) result.norm += std::sqrt(square) / trace.ranks();
    for (std::size_t i = 0; i < magnitudes.size(); ++i)
        if (magnitudes[i] > 0) result.magnitudes.counts[static_cast<int>(i) - 256] = magnitudes[i];
    return result;
}

}   // namespace oscar
