// Bloom filter: a set of elements that ranks merge by OR.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oscar {

/// Contains all that was inserted, and others with a probability of (1 - exp(-h k / m))^h for k elements in m bits with
/// h hashes. Law: merging filters is inserting all they hold. Source: Bloom, CACM 13(7), 1970.
class BloomFilter {
public:
    /// Throws std::invalid_argument for no bits or no hashes.
    BloomFilter(std::uint64_t bits, std::uint32_t hashes, std::uint64_t seed);

    /// Sets the bits of all hashes of `element`; inserting it again changes nothing.
    void insert(std::uint64_t element);
    /// True for every inserted element, and for others with the probability above.
    bool contains(std::uint64_t element) const;
    /// `other` has the same bits, hashes and seed.
    void merge(const BloomFilter& other);
    /// The bits of the filter in bytes, as a message has them.
    std::vector<std::uint8_t> bytes() const;
    /// Takes over the bits of such a message. Precondition: as many bytes as bytes() has.
    void assign(std::span<const std::uint8_t> bytes);

private:
    std::uint64_t bits_;
    std::uint32_t hashes_;
    std::uint64_t seed_;
    std::vector<std::uint64_t> words_;
};

/// Hashes that make the fewest false members at so many bits per element: round(bits * ln 2), at least 1.
std::uint32_t bloom_hashes(double bits_per_element);

}   // namespace oscar
