#include "models/compressor/sketch/lhc_sum.hpp"

#include <algorithm>
#include <bit>

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

template <class Cell>
std::vector<std::uint32_t> merged_list(const PerRank<Cell>& values, const LhcShape& shape, const LhcCoding& coding) {
    std::vector<std::uint8_t> merged;
    for (const auto& of_rank : values) {
        const auto index = make_index(std::span(of_rank).first(covered(shape, coding)), coding.index);
        if (merged.empty()) merged = index;
        else merge_index(merged, index, coding.index);
    }
    return listed_elements(merged, covered(shape, coding), coding.index);
}

template <class Cell>
LhcDecoded<Cell> sum_of_sketches(const PerRank<Cell>& values, const LhcShape& shape,
                                 const std::vector<std::uint32_t>& listed, CellCounting counts) {
    std::vector<Cell> sum(shape.cells());
    for (const auto& of_rank : values) {
        std::vector<Cell> cells(shape.cells());   // of its own: fp32 sketches are summed whole
        lhc_encode(shape, std::span<const Cell>(of_rank), std::span(cells));
        std::ranges::transform(sum, cells, sum.begin(), [](Cell a, Cell b) { return wrapping_sum(a, b); });
    }
    return lhc_decode(shape, std::move(sum), listed, counts == CellCounting::packed_as_published);
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

template <class Cell>
void account(LhcSum& result, const LhcDecoded<Cell>& decoded, std::uint64_t listed, const LhcShape& shape,
             const LhcCoding& coding, std::uint32_t ranks) {
    result.listed = listed;
    result.rest = decoded.rest.size();
    if (coding.cells == SketchCells::int32) result.exchanges.push_back(peak_exchange(ranks));
    for (const bool index : {true, false}) {
        std::vector<std::uint32_t> after;
        if (!result.exchanges.empty()) after.push_back(static_cast<std::uint32_t>(result.exchanges.size() - 1));
        result.exchanges.push_back(index ? equal_exchange("index", CollectiveKind::all_reduce,
                                                          index_bytes(shape.elements, coding.index), 0, ranks, after)
                                         : equal_exchange("sketch", CollectiveKind::all_reduce,
                                                          sizeof(Cell) * shape.cells(), shape.cells(), ranks, after));
    }
    const std::uint64_t hashes = shape.blocks() * sketch_hashes;
    result.encoding.elements = 2 * shape.elements;   // index and sketch
    result.encoding.comparisons = shape.elements;
    result.encoding.hashes = hashes;
    result.encoding.additions = sketch_hashes * shape.elements;
    ComputeCost& work = result.decoding;
    work.elements = (1 + std::uint64_t{decoded.rounds}) * shape.elements;   // counting, and a pass for each round
    work.hashes = (1 + std::uint64_t{decoded.rounds}) * hashes;
    work.additions = sketch_hashes * (listed + 2 * (listed - decoded.rest.size()));   // counts in; both out again
    work.comparisons = sketch_hashes * listed * decoded.rounds;
    work.rounds = decoded.rounds;
}

LhcSum sum_of_floats(std::span<const std::span<const float>> fragments, const LhcShape& shape,
                     const LhcCoding& coding) {
    LhcSum result;
    for (const auto fragment : fragments) result.sent.emplace_back(fragment.begin(), fragment.end());
    const auto listed = merged_list(result.sent, shape, coding);
    PerRank<float> values = result.sent;
    if (coding.cells == SketchCells::fp32_as_published) put_flags(values, listed);
    auto decoded = sum_of_sketches(values, shape, listed, coding.counts);
    if (coding.cells == SketchCells::fp32_as_published)
        for (const std::uint32_t element : listed)
            decoded.values[element] = with_lowest_bit(decoded.values[element], false);
    account(result, decoded, listed.size(), shape, coding, static_cast<std::uint32_t>(fragments.size()));
    result.sum = std::move(decoded.values);
    return result;
}

std::vector<float> values_of(const std::vector<std::int32_t>& codes, double step) {
    std::vector<float> values(codes.size());
    std::ranges::transform(codes, values.begin(), [step](std::int32_t code) { return value_of(code, step); });
    return values;
}

LhcSum sum_of_integers(std::span<const std::span<const float>> fragments, const LhcShape& shape,
                       const LhcCoding& coding) {
    check_code_width(coding.bits, static_cast<std::uint32_t>(fragments.size()));
    LhcSum result;
    const double step = shared_code_step(fragments, coding.bits);
    PerRank<std::int32_t> codes;
    for (const auto fragment : fragments) {
        codes.push_back(codes_of(fragment, step, coding.bits));
        result.sent.push_back(values_of(codes.back(), step));
    }
    const auto listed = merged_list(codes, shape, coding);
    const auto decoded = sum_of_sketches(codes, shape, listed, coding.counts);
    account(result, decoded, listed.size(), shape, coding, static_cast<std::uint32_t>(fragments.size()));
    result.encoding.elements += 2 * shape.elements;   // the peak and the codes
    result.sum = values_of(decoded.values, step);
    return result;
}

}   // namespace

LhcSum lhc_sum(std::span<const std::span<const float>> fragments, const LhcShape& shape, const LhcCoding& coding) {
    return coding.cells == SketchCells::int32 ? sum_of_integers(fragments, shape, coding)
                                              : sum_of_floats(fragments, shape, coding);
}

}   // namespace oscar
