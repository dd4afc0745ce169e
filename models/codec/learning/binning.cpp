#include "models/codec/learning/binning.hpp"

#include <bit>

namespace oscar {

namespace {

constexpr std::uint32_t exact_width = 8;   // up to here every pattern is a bin
constexpr std::uint32_t unit_bits = 6;     // beyond, sizes below 2^6 are
constexpr std::uint32_t cut_bits = 2;      // and each octave has 2^2 bins

}   // namespace

Binning::Binning(std::uint32_t width)
    : width_(width),
      half_(width <= exact_width ? std::size_t{1} << (width - 1)
                                 : (std::size_t{1} << unit_bits) + ((width - 1 - unit_bits) << cut_bits)) {}

std::size_t Binning::half_bin(std::uint32_t size) const {
    if (width_ <= exact_width || size >> unit_bits == 0) return size;
    const auto octave = static_cast<std::uint32_t>(std::bit_width(size)) - 1;
    const std::uint32_t cut = size >> (octave - cut_bits) & ((1u << cut_bits) - 1);
    return (std::size_t{1} << unit_bits) + ((octave - unit_bits) << cut_bits) + cut;
}

std::uint32_t Binning::half_bin_start(std::size_t bin) const {
    if (width_ <= exact_width || bin >> unit_bits == 0) return static_cast<std::uint32_t>(bin);
    const std::size_t beyond = bin - (std::size_t{1} << unit_bits);
    const auto octave = static_cast<std::uint32_t>(beyond >> cut_bits) + unit_bits;
    const auto leading = static_cast<std::uint32_t>(beyond & ((1u << cut_bits) - 1)) | 1u << cut_bits;
    return leading << (octave - cut_bits);
}

std::vector<std::uint64_t> Binning::edges() const {
    std::vector<std::uint64_t> edges;
    edges.reserve(bins() + 1);
    for (std::size_t bin = 0; bin < half_; ++bin) edges.push_back(half_bin_start(bin));
    edges.push_back(std::uint64_t{1} << (width_ - 1));
    const std::uint64_t patterns = std::uint64_t{1} << width_;
    for (std::size_t bin = half_; bin-- > 0;) edges.push_back(patterns - half_bin_start(bin));
    return edges;
}

}   // namespace oscar
