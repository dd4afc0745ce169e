#include "models/compressor/base/magnitude.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace oscar {
namespace {

/// Digits of a magnitude, the first of which is its exponent and 3 bits of its fraction.
struct Digit {
    std::uint32_t shift, bits;
    std::uint32_t of(std::uint32_t magnitude) const { return magnitude >> shift & ((1u << bits) - 1); }
};
constexpr std::array digits{Digit{20, 11}, Digit{10, 10}, Digit{0, 10}};
using Counts = std::array<std::uint32_t, 1u << 11>;

/// Counts of the values of one digit: at(0 .. size-1) are magnitudes, and only magnitudes whose digits before it are
/// `prefix` count. Four tables, for equal digits in a row would wait for one another's count.
template <class At>
Counts count_digits(std::size_t size, Digit digit, std::uint32_t prefix, At at) {
    std::array<Counts, 4> tables{};
    const auto count = [&](std::size_t table, std::size_t i) {
        const std::uint32_t magnitude = at(i);
        tables[table][digit.of(magnitude)] += magnitude >> (digit.shift + digit.bits) == prefix;
    };
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4)
        for (std::size_t t = 0; t < 4; ++t) count(t, i + t);
    for (; i < size; ++i) count(0, i);
    for (std::size_t t = 1; t < 4; ++t) std::ranges::transform(tables[0], tables[t], tables[0].begin(), std::plus{});
    return tables[0];
}

/// The digit in which the k-th largest lies; k becomes its place among the magnitudes with that digit.
std::uint32_t digit_of_kth(const Counts& counts, std::uint64_t& k) {
    auto digit = static_cast<std::uint32_t>(counts.size() - 1);
    while (counts[digit] < k) k -= counts[digit--];
    return digit;
}

/// Positions of the magnitudes of at least `lowest`. Written without branches, for which they are is unpredictable:
/// each position is stored and the next one overwrites it unless it stays.
std::vector<std::uint32_t> collect(std::span<const float> values, std::uint32_t lowest, std::uint64_t count) {
    std::vector<std::uint32_t> positions(count + 1);
    std::size_t filled = 0;
    for (std::size_t i = 0; i < values.size() && filled < count; ++i) {
        positions[filled] = static_cast<std::uint32_t>(i);
        filled += magnitude_bits(values[i]) >= lowest;
    }
    positions.resize(filled);
    return positions;
}

std::uint64_t count_at_least(std::span<const float> values, std::uint32_t lowest) {
    std::uint64_t count = 0;
    for (const float v : values) count += magnitude_bits(v) >= lowest;
    return count;
}

/// What the first digits say of the k-th largest.
struct FirstDigit {
    std::uint32_t value = 0;
    std::uint64_t k = 0;            ///< its place among the magnitudes with that digit
    std::uint64_t candidates = 0;   ///< magnitudes that may be among the k largest: of that digit or a greater one
};
FirstDigit first_digit(std::span<const float> values, std::uint64_t k) {
    const Counts counts =
        count_digits(values.size(), digits[0], 0, [&](std::size_t i) { return magnitude_bits(values[i]); });
    FirstDigit result{0, k, 0};
    result.value = digit_of_kth(counts, result.k);
    result.candidates = k - result.k + counts[result.value];
    return result;
}

/// Of the candidates, which are at `size` positions, position(i).
template <class Position>
KthMagnitude kth_of(std::span<const float> values, FirstDigit first, std::size_t size, Position position) {
    KthMagnitude kth{first.value, first.k};
    for (const Digit digit : {digits[1], digits[2]}) {
        const Counts counts =
            count_digits(size, digit, kth.bits, [&](std::size_t i) { return magnitude_bits(values[position(i)]); });
        kth.bits = kth.bits << digit.bits | digit_of_kth(counts, kth.ties);
    }
    return kth;
}

/// The k largest of the candidates, ascending; of candidates equal to the k-th the first. `positions` may be the
/// candidates' own, else it has room for k + 1.
template <class Position>
std::vector<std::uint32_t> largest_of(std::span<const float> values, KthMagnitude kth, std::uint64_t k,
                                      std::size_t size, Position position, std::vector<std::uint32_t> positions) {
    std::size_t filled = 0;
    for (std::size_t i = 0; i < size && filled < k; ++i) {
        const std::uint32_t candidate = position(i), bits = magnitude_bits(values[candidate]);
        const bool tie = bits == kth.bits && kth.ties > 0;
        positions[filled] = candidate;
        filled += bits > kth.bits || tie;
        kth.ties -= tie;
    }
    positions.resize(filled);
    return positions;
}

/// Where nearly all are candidates, as of equal magnitudes, it takes less to go over all again than to list them.
bool nearly_all(const FirstDigit& first, std::size_t size) { return first.candidates > size - size / 8; }

constexpr auto itself = [](std::size_t i) { return static_cast<std::uint32_t>(i); };

/// Sums term(value) over eight interleaved sums, which the processor adds at once.
template <class Term>
double interleaved_sum(std::span<const float> values, Term term) {
    std::array<double, 8> sums{};
    std::size_t i = 0;
    for (; i + 8 <= values.size(); i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += term(values[i + lane]);
    for (; i < values.size(); ++i) sums[0] += term(values[i]);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}   // namespace

KthMagnitude kth_magnitude(std::span<const float> values, std::uint64_t k) {
    const FirstDigit first = first_digit(values, k);
    if (nearly_all(first, values.size())) return kth_of(values, first, values.size(), itself);
    const auto listed = collect(values, first.value << digits[0].shift, first.candidates);
    return kth_of(values, first, listed.size(), [&](std::size_t i) { return listed[i]; });
}

std::vector<std::uint32_t> largest_positions(std::span<const float> values, std::uint64_t k) {
    if (k == 0) return {};
    const FirstDigit first = first_digit(values, k);
    if (nearly_all(first, values.size())) {
        const KthMagnitude kth = kth_of(values, first, values.size(), itself);
        return largest_of(values, kth, k, values.size(), itself, std::vector<std::uint32_t>(k + 1));
    }
    std::vector<std::uint32_t> listed = collect(values, first.value << digits[0].shift, first.candidates);
    const auto at = [candidates = listed.data()](std::size_t i) { return candidates[i]; };
    const std::size_t size = listed.size();
    const KthMagnitude kth = kth_of(values, first, size, at);
    return largest_of(values, kth, k, size, at, std::move(listed));
}

std::vector<std::uint32_t> positions_at_least(std::span<const float> values, float threshold) {
    const std::uint32_t lowest = magnitude_bits(threshold);
    return collect(values, lowest, count_at_least(values, lowest));
}

std::vector<std::uint32_t> positions_above(std::span<const float> values, float threshold) {
    const std::uint32_t lowest = magnitude_bits(threshold) + 1;
    return collect(values, lowest, count_at_least(values, lowest));
}

std::uint64_t count_above(std::span<const float> values, float threshold) {
    return count_at_least(values, magnitude_bits(threshold) + 1);
}

std::vector<float> gather(std::span<const float> values, std::span<const std::uint32_t> positions) {
    std::vector<float> result(positions.size());
    std::ranges::transform(positions, result.begin(), [&](std::uint32_t position) { return values[position]; });
    return result;
}

MagnitudeStatistics magnitude_statistics(std::span<const float> values) {
    if (values.empty()) return {};
    std::uint32_t largest = 0;
    for (const float v : values) largest = std::max(largest, magnitude_bits(v));
    const double sum = interleaved_sum(values, [](float v) { return static_cast<double>(std::fabs(v)); });
    return {sum / static_cast<double>(values.size()), std::bit_cast<float>(largest)};
}

double squared_norm(std::span<const float> values) {
    return interleaved_sum(values, [](float v) { return static_cast<double>(v) * static_cast<double>(v); });
}

}   // namespace oscar
