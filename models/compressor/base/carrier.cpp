#include "models/compressor/base/carrier.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/compressor/base/wrapping.hpp"
#include "models/quantise/quantiser.hpp"

namespace oscar {
namespace {

/// Bits of a word as it travels: of a sum of integers, where the exchange sums.
std::uint32_t travelling_bits(const WordExchange& exchange, const RankWords& words) {
    if (words.type != ElementType::integer) return word_bits(words.type, 32);
    if (!merges(exchange.carrier)) return words.bits;
    return widened_bits(words.bits, static_cast<std::uint32_t>(words.of_ranks.size()));
}

}   // namespace

std::size_t longest(const RankWords& words) {
    return std::ranges::max_element(words.of_ranks, {}, &std::vector<Symbol>::size)->size();
}

std::vector<Symbol> gathered(const RankWords& words) {
    const std::size_t length = longest(words);
    std::vector<Symbol> all(words.of_ranks.size() * length);
    for (std::size_t r = 0; r < words.of_ranks.size(); ++r)
        std::ranges::copy(words.of_ranks[r], all.begin() + static_cast<std::ptrdiff_t>(r * length));
    return all;
}

std::vector<Symbol> RankOrderCarrier::carry(const WordExchange& exchange, const RankWords& words) {
    if (exchange.carrier == CollectiveKind::broadcast) return words.of_ranks.front();
    if (exchange.carrier == CollectiveKind::all_gather) return gathered(words);
    if (exchange.carrier == CollectiveKind::all_to_all || exchange.carrier == CollectiveKind::shift) return {};
    std::vector<Symbol> sum = words.of_ranks.front();
    for (const std::vector<Symbol>& of_rank : std::span(words.of_ranks).subspan(1)) add(words.type, sum, of_rank);
    return sum;
}

std::uint32_t StepExchanges::next() const { return static_cast<std::uint32_t>(result_.exchanges.size()); }

void StepExchanges::encode(const ComputeCost& work) {
    result_.operations += work;
    encoding_ += work;
}

void StepExchanges::decode(const ComputeCost& work) {
    result_.operations += work;
    if (!result_.exchanges.empty()) result_.exchanges.back().decoding += work;
}

std::vector<Symbol> StepExchanges::carry(WordExchange exchange, const RankWords& words) {
    const std::uint32_t bits = travelling_bits(exchange, words);
    const bool from_rank_0 = exchange.carrier == CollectiveKind::broadcast;
    exchange.payload.clear();
    for (std::size_t r = 0; r < words.of_ranks.size(); ++r)
        exchange.payload.push_back(r > 0 && from_rank_0 ? 0 : packed_bytes(words.of_ranks[r].size(), bits));
    exchange.padded = packed_bytes(longest(words), bits);
    if (exchange.padded == 0) return {};
    exchange.encoding = std::exchange(encoding_, {});
    result_.exchanges.push_back(std::move(exchange));
    return carrier_.carry(result_.exchanges.back(), words);
}

std::vector<float> StepExchanges::mean(WordExchange exchange, std::span<const std::span<const float>> values,
                                       std::optional<std::uint64_t> represented) {
    RankWords words;
    words.represented = represented.value_or(values.front().size());
    for (const auto of_rank : values) words.of_ranks.push_back(words_of_floats(of_rank));
    exchange.floats = values.front().size();
    std::vector<float> mean = floats_of_words(carry(std::move(exchange), words));
    for (float& value : mean) value /= static_cast<float>(values.size());
    return mean;
}

std::vector<Symbol> words_of_floats(std::span<const float> values) {
    std::vector<Symbol> words(values.size());
    std::ranges::transform(values, words.begin(), [](float v) { return std::bit_cast<Symbol>(v); });
    return words;
}

std::vector<float> floats_of_words(std::span<const Symbol> words) {
    std::vector<float> values(words.size());
    std::ranges::transform(words, values.begin(), [](Symbol w) { return std::bit_cast<float>(w); });
    return values;
}

std::vector<Symbol> words_of_bytes(std::span<const std::uint8_t> bytes) {
    std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
    for (std::size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= std::uint32_t{bytes[i]} << (i % 4 * 8);
    return {words.begin(), words.end()};
}

std::vector<std::uint8_t> bytes_of_words(std::span<const Symbol> words, std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(words[i / 4]) >> (i % 4 * 8));
    return bytes;
}

std::vector<Symbol> packed_cells(std::span<const std::int32_t> cells, std::uint32_t bits) {
    const std::uint32_t per_word = 32 / bits, mask = bits == 32 ? ~0U : (1U << bits) - 1;
    std::vector<std::uint32_t> words((cells.size() + per_word - 1) / per_word);
    for (std::size_t i = 0; i < cells.size(); ++i)
        words[i / per_word] |= (static_cast<std::uint32_t>(cells[i]) & mask) << (i % per_word * bits);
    return {words.begin(), words.end()};
}

std::vector<std::int32_t> unpacked_cells(std::span<const Symbol> words, std::size_t count, std::uint32_t bits) {
    const std::uint32_t per_word = 32 / bits;
    std::vector<std::int32_t> cells(count);
    for (std::size_t i = 0; i < count; ++i)
        cells[i] = wrapped(
            static_cast<std::int32_t>(static_cast<std::uint32_t>(words[i / per_word]) >> (i % per_word * bits)), bits);
    return cells;
}

ElementType cell_type(std::uint32_t bits) {
    if (bits == 8) return ElementType::int8x4;
    return bits == 16 ? ElementType::int16x2 : ElementType::int32;
}

std::vector<Symbol> packed_fields(std::span<const std::uint32_t> fields, std::uint32_t bits) {
    std::vector<std::uint32_t> words((fields.size() * bits + 31) / 32);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t bit = i * bits;
        const std::uint64_t shifted = std::uint64_t{fields[i]} << (bit % 32);
        words[bit / 32] |= static_cast<std::uint32_t>(shifted);
        if (bit % 32 + bits > 32) words[bit / 32 + 1] |= static_cast<std::uint32_t>(shifted >> 32);
    }
    return {words.begin(), words.end()};
}

}   // namespace oscar
