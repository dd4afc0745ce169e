// Carrier: who carries the collectives of a compressor's step, and merges the words of the ranks.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/codec/interface/element_type.hpp"
#include "models/codec/interface/packed.hpp"
#include "models/compressor/base/compressor.hpp"

namespace oscar {

/// Bits of an integer in [-largest, largest].
constexpr std::uint64_t signed_bits(std::uint64_t largest) { return std::bit_width(2 * largest); }

/// The words that each rank brings into an exchange.
struct RankWords {
    ElementType type = ElementType::float32;
    std::uint32_t bits = 32;                       ///< of an integer of one rank: |word| < 2^(bits-1); sums widen
    std::vector<std::vector<Symbol>> of_ranks{};   ///< [rank]; as long as each other where they merge
    /// Values of the gradient that they represent: of the sum where they merge, else of all ranks together. 0 for words
    /// that accompany those of another exchange: scales, sizes, indices, second factors.
    std::uint64_t represented = 0;
};
/// Words of the rank that brings the most.
std::size_t longest(const RankWords& words);

/// True if the words of the ranks become one: all_reduce, reduce_scatter and reduce.
constexpr bool merges(CollectiveKind carrier) {
    return carrier == CollectiveKind::all_reduce || carrier == CollectiveKind::reduce_scatter ||
           carrier == CollectiveKind::reduce;
}

/// Carries the exchanges of a step in the order in which the compressor asks for them, each of which begins when the
/// ones that it depends on are complete.
class Carrier {
public:
    virtual ~Carrier() = default;
    /// The words that the exchange leaves. Where it merges them: those of all ranks, merged as their type says in
    /// whatever order the schedule adds them. all_gather: of all ranks, one after the other, each padded with
    /// zeros to the longest. all_to_all and shift: none. broadcast: rank 0's.
    virtual std::vector<Symbol> carry(const WordExchange& exchange, const RankWords& words) = 0;
};

/// The words of all ranks, one after the other, each padded with zeros to the longest.
std::vector<Symbol> gathered(const RankWords& words);

/// Merges in the order of the ranks, at once: there is no schedule and no network.
class RankOrderCarrier final : public Carrier {
public:
    std::vector<Symbol> carry(const WordExchange& exchange, const RankWords& words) override;
};

/// A step under way: what its exchanges carried so far, and who carries them.
class StepExchanges {
public:
    StepExchanges(Carrier& carrier, CompressionResult& result) : carrier_(carrier), result_(result) {}

    /// The place of the next exchange among those of the step, for WordExchange::after.
    std::uint32_t next() const;
    /// Adds work of the busiest rank to the step that makes the words of its next exchange, and of the exchanges before
    /// needs those alone that this one does. Work that is added to CompressionResult::operations comes after them all.
    void encode(const ComputeCost& work);
    /// Adds work on what the last exchange left, which later ones do not wait for.
    void decode(const ComputeCost& work);
    /// Carries `exchange`, whose sizes follow from the words, and returns what it leaves. `floats` of the exchange are
    /// the caller's. Exchanges without a word are left out, and leave none.
    std::vector<Symbol> carry(WordExchange exchange, const RankWords& words);
    /// The sums of the ranks' floats over the number of ranks, by all-reduce or what the exchange says. `represented`:
    /// RankWords::represented, where the floats are not values of the gradient themselves.
    std::vector<float> mean(WordExchange exchange, std::span<const std::span<const float>> values,
                            std::optional<std::uint64_t> represented = {});

private:
    Carrier& carrier_;
    CompressionResult& result_;
    ComputeCost encoding_;   ///< of the next exchange
};

/// Bit patterns of floats.
std::vector<Symbol> words_of_floats(std::span<const float> values);
std::vector<float> floats_of_words(std::span<const Symbol> words);
/// Bytes as words of 32 bits, the first byte in the lowest bits; the last word is padded with zeros.
std::vector<Symbol> words_of_bytes(std::span<const std::uint8_t> bytes);
/// The first `count` bytes of such words.
std::vector<std::uint8_t> bytes_of_words(std::span<const Symbol> words, std::size_t count);
/// Integers modulo 2^bits as words of int8x4, int16x2 or int32, for `bits` of 8, 16 and 32.
std::vector<Symbol> packed_cells(std::span<const std::int32_t> cells, std::uint32_t bits);
/// The first `count` integers of such words, in [-2^(bits-1), 2^(bits-1)).
std::vector<std::int32_t> unpacked_cells(std::span<const Symbol> words, std::size_t count, std::uint32_t bits);
/// The type of such words.
ElementType cell_type(std::uint32_t bits);

/// Fields of `bits` each, one after the other from the lowest bit on, in words of 32 bits; the last is padded with
/// zeros. Precondition: 1 <= bits <= 32, and each field is below 2^bits.
std::vector<Symbol> packed_fields(std::span<const std::uint32_t> fields, std::uint32_t bits);

}   // namespace oscar
