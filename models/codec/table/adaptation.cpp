#include "models/codec/table/adaptation.hpp"

#include <numeric>

namespace oscar {

BlockModel::BlockModel(const Table& table, const Adaptation& adaptation, std::size_t lanes)
    : interval_(adaptation.interval),
      limit_(std::uint64_t{adaptation.window} * lanes),
      bounds_(table.cumulative),
      next_(bounds_) {
    for (std::size_t row = 0; row < table_rows; ++row)
        counts_[row] = table.count(row) * std::uint64_t{adaptation.experience} * lanes / probability_total;
}

void BlockModel::add_hits() {
    for (std::size_t row = 0; row < table_rows; ++row) counts_[row] += hits_[row];
    while (std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}) > limit_)
        for (std::uint64_t& count : counts_) count /= 2;
    hits_.fill(0);
}

void BlockModel::synchronise() {
    bounds_ = next_;
    add_hits();
    next_ = RowBounds(normalise(counts_));
}

// The inverse of the map from places to bounds, rounded up, so that the first bounds equal the table's.
SymbolCounts::SymbolCounts(const Cumulative& start, const Adaptation& adaptation)
    : seen_(adaptation.experience),
      window_(adaptation.window),
      quick_rate_(adaptation.quick_rate ? static_cast<std::int32_t>(adaptation.quick_rate) : no_quick_rate),
      bounds_(start) {
    constexpr std::uint32_t spare = probability_total - table_rows;
    for (std::uint32_t k = 1; k < table_rows; ++k)
        steady_[k] = static_cast<std::int32_t>((((start[k] - k) << 16) + spare - 1) / spare);
    quick_ = steady_;
}

}   // namespace oscar
