#include "models/codec/entropy/lane_costs.hpp"

#include <algorithm>

#include "models/codec/entropy/lane_vector.hpp"

namespace oscar {

namespace {

// A cost for each legal symbol v of one table, at v + 2^(width-1).
class CostOfSymbols {
public:
    CostOfSymbols(const Table& table, const RowBits& bits, std::uint32_t width)
        : zero_(std::size_t{1} << (width - 1)), costs_(2 * zero_) {
        for (std::size_t i = 1; i < costs_.size(); ++i) {
            const std::uint32_t row =
                table.locate(static_cast<Symbol>(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(zero_))).row;
            costs_[i] = {bits[row], table.offset_bits[row]};
        }
    }
    const LaneCost* at_zero() const { return costs_.data() + zero_; }

private:
    std::size_t zero_;
    std::vector<LaneCost> costs_;
};

void add(LaneCost& sum, const LaneCost& cost) {
    sum.row_bits += cost.row_bits;
    sum.offset_bits += cost.offset_bits;
}

// Calls add_cost(lane's sum, i) for each symbol i.
template <class F>
std::vector<LaneCost> over_lanes(std::size_t size, std::uint32_t lanes, F&& add_cost) {
    std::vector<LaneCost> sums(lanes);
    LaneCost* const sum = sums.data();
    for (std::size_t first = 0; first < size; first += lanes) {
        const std::size_t here = std::min<std::size_t>(lanes, size - first);
        for (std::size_t lane = 0; lane < here; ++lane) add_cost(sum[lane], first + lane);
    }
    return sums;
}

// Filling the look-up of each table costs about as much as locating its symbols.
bool worth_a_look_up(std::size_t symbols, std::uint32_t width, std::size_t tables) {
    return width < 24 && symbols / tables >> width != 0;
}

// The vector loops gather numbers of tables of ranges and of tables by class, and AVX2 gathers slowly: look-ups are
// faster where two of the three hold.
InstructionSet best_form(std::size_t symbols, std::uint32_t width, const Tables& tables) {
    const InstructionSet best = best_instruction_set();
    const int slow = (tables.of_class(0)->layout == Layout::ranges ? 1 : 0) + (tables.count() > 1 ? 1 : 0) +
                     (best == InstructionSet::avx2 ? 1 : 0);
    return slow > 1 && worth_a_look_up(symbols, width, tables.count()) ? InstructionSet::portable : best;
}

[[maybe_unused]] bool costs_fit_vectors(std::size_t symbols, std::uint32_t lanes, const Tables& tables,
                                        std::span<const RowBits> bits) {
    return fits_vectors(symbols, lanes, tables, {}) && std::ranges::all_of(bits, [](const RowBits& rows) {
               return std::ranges::max(rows) >> vector_cost_bits == 0;
           });
}

std::vector<LaneCost> portable_costs(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                     const Tables& tables, std::span<const RowBits> bits) {
    const std::uint8_t* const classes = tables.count() > 1 ? tables.classes().data() : nullptr;
    if (!worth_a_look_up(symbols.size(), width, tables.count()))
        return over_lanes(symbols.size(), lanes, [&](LaneCost& sum, std::size_t i) {
            const std::size_t c = classes != nullptr ? classes[i] : 0;
            const Table& table = *tables.of_class(c);
            const std::uint32_t row = table.locate(symbols[i]).row;
            add(sum, {bits[c][row], table.offset_bits[row]});
        });
    std::vector<CostOfSymbols> look_ups;
    for (std::size_t c = 0; c < tables.count(); ++c) look_ups.emplace_back(*tables.of_class(c), bits[c], width);
    const Symbol* const symbol = symbols.data();
    if (classes == nullptr)
        return over_lanes(
            symbols.size(), lanes,
            [symbol, costs = look_ups.front().at_zero()](LaneCost& sum, std::size_t i) { add(sum, costs[symbol[i]]); });
    return over_lanes(symbols.size(), lanes,
                      [&](LaneCost& sum, std::size_t i) { add(sum, look_ups[classes[i]].at_zero()[symbol[i]]); });
}

}   // namespace

std::vector<LaneCost> lane_costs(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                 const Tables& tables, std::span<const RowBits> bits, InstructionSet form) {
#if defined(__x86_64__)
    if (form != InstructionSet::portable && costs_fit_vectors(symbols.size(), lanes, tables, bits))
        return form == InstructionSet::avx512 ? avx512::lane_costs(symbols, lanes, tables, bits)
                                              : avx2::lane_costs(symbols, lanes, tables, bits);
#endif
    return portable_costs(symbols, width, lanes, tables, bits);
}

std::vector<LaneCost> lane_costs(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                 const Tables& tables, std::span<const RowBits> bits) {
    return lane_costs(symbols, width, lanes, tables, bits, best_form(symbols.size(), width, tables));
}

}   // namespace oscar
