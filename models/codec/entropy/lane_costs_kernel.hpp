// Kernel of the costs of the symbols of each lane.
#pragma once

#include <algorithm>
#include <vector>

#include "models/codec/entropy/lane_costs.hpp"
#include "models/codec/entropy/lane_group_kernel.hpp"
#include "models/codec/entropy/lane_table_kernel.hpp"
#include "models/codec/entropy/lane_vector.hpp"

#if defined(__x86_64__)

namespace oscar::OSCAR_VECTORS {

/// Costs of a group of lanes, in the units of LaneCost.
struct alignas(64) CostGroup {
    LaneWords<lanes_per_register> row_bits{}, offset_bits{};
};

/// Costs of all lanes of a block.
class BlockCosts {
public:
    BlockCosts(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
               std::span<const RowBits> bits)
        : symbols_(symbols),
          lanes_(lanes),
          table_(*tables.of_class(0)),
          classes_(tables, {0, 0}),
          words_(tables),
          sums_(lanes) {
        for (const RowBits& of_class : bits)
            for (const std::uint64_t row : of_class) row_costs_.push_back(static_cast<std::uint32_t>(row));
    }

    /// Adds the costs of all symbols; `one` if there is a single table. Sums of 32 bits are emptied before they can
    /// overflow.
    template <bool one>
    OSCAR_VECTOR_LOOP void run() {
        for (std::size_t first = 0; first < symbols_.size(); first += until_full * lanes_) {
            std::vector<CostGroup> groups(groups_of(lanes_));
            add<one>(first, std::min(symbols_.size(), first + until_full * lanes_), groups);
            for (std::size_t lane = 0; lane < lanes_; ++lane) {
                sums_[lane].row_bits += groups[lane / lanes_per_register].row_bits[lane % lanes_per_register];
                sums_[lane].offset_bits += groups[lane / lanes_per_register].offset_bits[lane % lanes_per_register];
            }
        }
    }
    std::vector<LaneCost> take() { return std::move(sums_); }   ///< moves the sums out of this object

private:
    static constexpr std::size_t until_full = std::size_t{1} << (32 - vector_cost_bits);   // symbols of a lane

    template <bool one>
    OSCAR_VECTOR_LOOP void add(std::size_t first, std::size_t last, std::vector<CostGroup>& groups) const {
        const PlaceColumns<one> places(table_, words_);
        const Column<one> row_costs(row_costs_.data());
        for (std::size_t step = first; step < last; step += lanes_) {
            const std::size_t here = std::min(lanes_, last - step);
            for (std::size_t lane = 0; lane < here; lane += lanes_per_register) {
                const Turn turn{step + lane, lane, std::min(lanes_per_register, here - lane),
                                first_elements(here - lane)};
                const Vector where = classes_.index(turn).places;
                const Places place = places.locate(where, load(turn.active, symbols_.data() + turn.i));
                CostGroup& group = groups[lane / lanes_per_register];
                accumulate(group.row_bits, only(turn.active, row_costs.at(where, place.row)));
                accumulate(group.offset_bits, only(turn.active, place.bits));
            }
        }
    }
    OSCAR_VECTOR_LOOP static void accumulate(LaneWords<lanes_per_register>& sums, Vector costs) {
        store(sums.data(), load(sums.data()) + costs);
    }

    std::span<const Symbol> symbols_;
    std::size_t lanes_;
    const Table& table_;
    Classes classes_;
    PlaceWords words_;
    std::vector<std::uint32_t> row_costs_;   // of all rows, table after table
    std::vector<LaneCost> sums_;
};

/// lane_costs() of these vectors; see there for `bits`. Precondition: no row costs 2^vector_cost_bits or more.
inline std::vector<LaneCost> cost_block(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                                        std::span<const RowBits> bits) {
    BlockCosts costs(symbols, lanes, tables, bits);
    if (tables.count() == 1) costs.run<true>();
    else costs.run<false>();
    return costs.take();
}

}   // namespace oscar::OSCAR_VECTORS

#endif
