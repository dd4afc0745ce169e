// Hash of a Count Sketch: a column and a sign for each element and row.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace oscar {

/// The family of a row's hash functions. Polynomials spread consecutive numbers too evenly for peeling, which lives on
/// cells with one element: of 2000 consecutive ones in three rows of 953 cells, up to 1713 get stuck.
enum class HashFamily : std::uint8_t { polynomial, murmur3 };

/// The size of a Count Sketch. `blocks` > 1 hashes only the first of that many parts of the vector and gives each part
/// a column offset and a sign per row of its own: fewer hashes, less randomness.
struct SketchShape {
    std::uint32_t rows = 3, columns = 1, blocks = 1;
    HashFamily family = HashFamily::polynomial;
    friend bool operator==(const SketchShape&, const SketchShape&) = default;
};

/// By murmur3 an element's number is hashed with a seed of the row; column and sign come from the two ends of the word.
/// By polynomials columns are 2-wise independent, signs 4-wise: polynomials modulo the prime 2^31-1 with coefficients
/// from the seed, equal wherever shape, length and seed are. A hash h in [0, prime) falls into column h * columns /
/// prime, and its sign is its lowest bit. Sources: Charikar, Chen, Farach-Colton, ICALP 2002, section 3; the blocks,
/// but for their offsets, which are common to all rows there, and the prime, which is 2^61-1 with products that wrap:
/// nikitaivkin/csh.
class SketchHash {
public:
    static constexpr std::uint32_t prime = 0x7fffffff;

    /// Throws std::invalid_argument for a sketch without a row, a column or a block, with more blocks than elements, or
    /// with several blocks by murmur3, and for vectors, or tables, too long for the prime.
    SketchHash(std::uint64_t elements, const SketchShape& shape, std::uint64_t seed);

    /// Columns and signs in `row` of the elements from `first` on; `negative` gets 1 where the sign is -1, else 0. Both
    /// spans are equally long.
    void places(std::uint32_t row, std::uint64_t first, std::span<std::uint32_t> columns,
                std::span<std::uint32_t> negative) const;

    std::uint64_t elements() const { return elements_; }   ///< of a vector that is hashed
    const SketchShape& shape() const { return shape_; }
    friend bool operator==(const SketchHash&, const SketchHash&) = default;

    /// Hash functions of one row: column = slope * i + offset, sign = cubic.
    struct Polynomials {
        std::array<std::uint32_t, 2> column;   ///< highest power first
        std::array<std::uint32_t, 4> sign;
        friend bool operator==(const Polynomials&, const Polynomials&) = default;
    };

private:
    void places_by_murmur3(std::uint32_t row, std::uint64_t first, std::span<std::uint32_t> columns,
                           std::span<std::uint32_t> negative) const;

    std::uint64_t elements_;
    SketchShape shape_;
    std::uint64_t block_length_;
    std::vector<Polynomials> rows_;
    std::vector<std::uint32_t> block_offsets_, block_negative_;   // per row and block; zero in block 0
};

}   // namespace oscar
