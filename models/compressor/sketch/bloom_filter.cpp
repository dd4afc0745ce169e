#include "models/compressor/sketch/bloom_filter.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "models/core/random.hpp"

namespace oscar {
namespace {

// Bit number `hash` of an element, by two halves of one hash. Source: Kirsch & Mitzenmacher, ESA 2006.
std::uint64_t position(std::uint64_t drawn, std::uint32_t hash, std::uint64_t bits) {
    return ((drawn >> 32) + hash * ((drawn & 0xffffffff) | 1)) % bits;
}

}   // namespace

BloomFilter::BloomFilter(std::uint64_t bits, std::uint32_t hashes, std::uint64_t seed)
    : bits_(bits), hashes_(hashes), seed_(seed), words_((bits + 63) / 64) {
    if (bits == 0 || hashes == 0) throw std::invalid_argument("a Bloom filter needs at least one bit and one hash");
}

void BloomFilter::insert(std::uint64_t element) {
    const std::uint64_t drawn = random_at(seed_, element);
    for (std::uint32_t h = 0; h < hashes_; ++h) {
        const std::uint64_t bit = position(drawn, h, bits_);
        words_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
}

bool BloomFilter::contains(std::uint64_t element) const {
    const std::uint64_t drawn = random_at(seed_, element);
    for (std::uint32_t h = 0; h < hashes_; ++h) {
        const std::uint64_t bit = position(drawn, h, bits_);
        if ((words_[bit / 64] >> (bit % 64) & 1) == 0) return false;
    }
    return true;
}

void BloomFilter::merge(const BloomFilter& other) {
    std::ranges::transform(words_, other.words_, words_.begin(), std::bit_or{});
}

std::vector<std::uint8_t> BloomFilter::bytes() const {
    std::vector<std::uint8_t> bytes((bits_ + 7) / 8);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(words_[i / 8] >> (i % 8 * 8));
    return bytes;
}

void BloomFilter::assign(std::span<const std::uint8_t> bytes) {
    words_.assign(words_.size(), 0);
    for (std::size_t i = 0; i < bytes.size(); ++i) words_[i / 8] |= std::uint64_t{bytes[i]} << (i % 8 * 8);
}

std::uint32_t bloom_hashes(double bits_per_element) {
    return static_cast<std::uint32_t>(std::max(1.0, std::round(bits_per_element * std::numbers::ln2)));
}

}   // namespace oscar
