#include "models/compressor/sketch/lhc_sum.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "models/compressor/base/integer_codes.hpp"

namespace oscar {
namespace {

template <class Cell>
using PerRank = std::vector<std::vector<Cell>>;

std::uint64_t covered(const LhcShape& shape, const LhcCoding& coding) {
    if (coding.cover == IndexCover::all_blocks) return shape.elements;
    const std::uint64_t group = 8 / index_bits(coding.index);
    return std::min(shape.elements, shape.blocks() / group * group * shape.lanes);
}

/// An exchange after the one that was carried last, if there was one in this sum.
WordExchange next_exchange(const char* what, const StepExchanges& traffic, bool follows) {
    WordExchange exchange{.what = what};
    if (follows && traffic.next() > 0) exchange.after.push_back(traffic.next() - 1);
    return exchange;
}

template <class Cell>
std::vector<std::uint32_t> merged_list(const PerRank<Cell>& values, const LhcShape& shape, const LhcCoding& coding,
                                       StepExchanges& traffic) {
    const std::uint64_t listable = covered(shape, coding);
    RankWords words{.type = coding.index == IndexMerge::bitwise_or ? ElementType::bitmap : ElementType::int8x4};
    for (const auto& of_rank : values)
        words.of_ranks.push_back(words_of_bytes(make_index(std::span(of_rank).first(listable), coding.index)));
    const std::vector<Symbol> merged =
        traffic.carry(next_exchange("index", traffic, coding.cells == SketchCells::int32), words);
    return listed_elements(bytes_of_words(merged, index_bytes(listable, coding.index)), listable, coding.index);
}

std::vector<Symbol> words_of(std::vector<float> cells) { return words_of_floats(cells); }
std::vector<Symbol> words_of(std::vector<std::int32_t> cells) { return cells; }

template <class Cell>
LhcDecoded<Cell> sum_of_sketches(const PerRank<Cell>& values, const LhcShape& shape,
                                 const std::vector<std::uint32_t>& listed, const LhcCoding& coding,
                                 StepExchanges& traffic, std::optional<std::uint32_t> owner) {
    constexpr bool floats = std::is_same_v<Cell, float>;
    RankWords words{.type = floats ? ElementType::float32 : ElementType::int32};
    words.represented = shape.elements;
    for (const auto& of_rank : values) {
        std::vector<Cell> cells(shape.cells());   // of its own: fp32 sketches are summed whole
        lhc_encode(shape, std::span<const Cell>(of_rank), std::span(cells));
        words.of_ranks.push_back(words_of(std::move(cells)));
    }
    WordExchange exchange = next_exchange("sketch", traffic, true);
    exchange.floats = shape.cells();
    if (owner) {
        exchange.carrier = CollectiveKind::reduce;
        exchange.root = *owner;
    }
    const bool packed = coding.counts == CellCounting::packed_as_published;
    std::vector<Symbol> left = traffic.carry(std::move(exchange), words);
    if constexpr (floats) return lhc_decode(shape, floats_of_words(left), listed, packed);
    else return lhc_decode(shape, std::move(left), listed, packed);
}

float with_lowest_bit(float value, bool bit) {
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) & ~1u) | static_cast<std::uint32_t>(bit));
}

void put_flags(PerRank<float>& values, const std::vector<std::uint32_t>& listed) {
    for (auto& of_rank : values) {
        for (float& v : of_rank) v = with_lowest_bit(v, false);
        for (const std::uint32_t element : listed) of_rank[element] = with_lowest_bit(of_rank[element], true);
    }
}

/// Of every rank: of index and sketch.
ComputeCost encoding(const LhcShape& shape) {
    return {.elements = 2 * shape.elements,
            .comparisons = shape.elements,
            .hashes = shape.blocks() * sketch_hashes,
            .additions = sketch_hashes * shape.elements};
}

template <class Cell>
void account(LhcSum& result, const LhcDecoded<Cell>& decoded, std::uint64_t listed, const LhcShape& shape) {
    result.listed = listed;
    result.rest = decoded.rest.size();
    const std::uint64_t hashes = encoding(shape).hashes;
    ComputeCost& work = result.decoding;
    work.elements = (1 + std::uint64_t{decoded.rounds}) * shape.elements;   // counting, and a pass for each round
    work.hashes = (1 + std::uint64_t{decoded.rounds}) * hashes;
    work.additions = sketch_hashes * (listed + 2 * (listed - decoded.rest.size()));   // counts in; both out again
    work.comparisons = sketch_hashes * listed * decoded.rounds;
    work.rounds = decoded.rounds;
}

LhcSum sum_of_floats(std::span<const std::span<const float>> fragments, const LhcShape& shape, const LhcCoding& coding,
                     StepExchanges& traffic, std::optional<std::uint32_t> owner) {
    LhcSum result;
    traffic.encode(encoding(shape));
    for (const auto fragment : fragments) result.sent.emplace_back(fragment.begin(), fragment.end());
    const auto listed = merged_list(result.sent, shape, coding, traffic);
    PerRank<float> values = result.sent;
    if (coding.cells == SketchCells::fp32_as_published) put_flags(values, listed);
    auto decoded = sum_of_sketches(values, shape, listed, coding, traffic, owner);
    if (coding.cells == SketchCells::fp32_as_published)
        for (const std::uint32_t element : listed)
            decoded.values[element] = with_lowest_bit(decoded.values[element], false);
    account(result, decoded, listed.size(), shape);
    result.sum = std::move(decoded.values);
    return result;
}

std::vector<float> values_of(const std::vector<std::int32_t>& codes, double step) {
    std::vector<float> values(codes.size());
    std::ranges::transform(codes, values.begin(), [step](std::int32_t code) { return value_of(code, step); });
    return values;
}

LhcSum sum_of_integers(std::span<const std::span<const float>> fragments, const LhcShape& shape,
                       const LhcCoding& coding, StepExchanges& traffic, std::optional<std::uint32_t> owner) {
    check_code_width(coding.bits, static_cast<std::uint32_t>(fragments.size()));
    LhcSum result;
    traffic.encode({.elements = shape.elements});   // the peak
    const double step = agreed_code_step(fragments, coding.bits, 100, traffic);
    traffic.encode({.elements = shape.elements});   // the codes
    traffic.encode(encoding(shape));
    PerRank<std::int32_t> codes;
    for (const auto fragment : fragments) {
        codes.push_back(codes_of(fragment, step, coding.bits));
        result.sent.push_back(values_of(codes.back(), step));
    }
    const auto listed = merged_list(codes, shape, coding, traffic);
    const auto decoded = sum_of_sketches(codes, shape, listed, coding, traffic, owner);
    account(result, decoded, listed.size(), shape);
    result.sum = values_of(decoded.values, step);
    return result;
}

}   // namespace

LhcSum lhc_sum(std::span<const std::span<const float>> fragments, const LhcShape& shape, const LhcCoding& coding,
               StepExchanges& traffic, std::optional<std::uint32_t> owner) {
    return coding.cells == SketchCells::int32 ? sum_of_integers(fragments, shape, coding, traffic, owner)
                                              : sum_of_floats(fragments, shape, coding, traffic, owner);
}

}   // namespace oscar
