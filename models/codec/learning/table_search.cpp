#include "models/codec/learning/table_search.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "models/codec/learning/binning.hpp"

namespace oscar {

namespace {

std::uint32_t offset_length(std::uint64_t size) { return static_cast<std::uint32_t>(std::bit_width(size - 1)); }

// Costs of all ranges of bins. The coded bits and the tie-break are one integer, compared lexicographically: below 2^32
// symbols at 42 bits of 1/256 are below 2^46, and 2 * 164 bins at 32 bits are below 2^14.
class RangeCosts {
public:
    static constexpr std::uint32_t tie_bits = 14;
    static constexpr std::uint64_t most_symbols = std::uint64_t{1} << 32;

    RangeCosts(std::span<const std::uint64_t> counts, std::span<const std::uint64_t> edges)
        : bins_(counts.size()), costs_(bins_ * (bins_ + 1) / 2) {
        std::vector<std::uint64_t> hits(bins_ + 1), unseen(bins_ + 1);   // sums over the bins before
        std::partial_sum(counts.begin(), counts.end(), hits.begin() + 1);
        for (std::size_t bin = 0; bin < bins_; ++bin) unseen[bin + 1] = unseen[bin] + (counts[bin] == 0 ? 1 : 0);
        std::uint64_t* cost = costs_.data();
        for (std::size_t end = 1; end <= bins_; ++end)
            for (std::size_t begin = 0; begin < end; ++begin) {
                const std::uint64_t size = edges[end] - edges[begin];
                const std::uint64_t coded = range_cost(hits[end] - hits[begin], hits.back(), size);
                *cost++ = (coded << tie_bits) + (unseen[end] - unseen[begin]) * offset_length(size);
            }
    }
    std::size_t bins() const { return bins_; }
    /// Costs of the ranges that end before bin `end`, by their first bin 0 .. end-1.
    const std::uint64_t* ending_at(std::size_t end) const { return costs_.data() + end * (end - 1) / 2; }

private:
    std::size_t bins_;
    std::vector<std::uint64_t> costs_;
};

// best[end]: the least cost of tiling bins 0 .. end-1 with one range for each round made. Appends to `from` where
// the last of these ranges begins.
void add_range(const RangeCosts& costs, std::vector<std::uint64_t>& best, std::vector<std::vector<std::size_t>>& from) {
    constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max() / 2;
    std::vector<std::uint64_t> next(best.size(), impossible);
    std::vector<std::size_t> begins(best.size(), 0);
    for (std::size_t end = 1; end <= costs.bins(); ++end) {
        const std::uint64_t* cost = costs.ending_at(end);
        for (std::size_t begin = 0; begin < end; ++begin)
            if (best[begin] + cost[begin] < next[end]) {
                next[end] = best[begin] + cost[begin];
                begins[end] = begin;
            }
    }
    best = std::move(next);
    from.push_back(std::move(begins));
}

// Histograms of more symbols than the costs have room for lose their lowest bits.
Counts limited(std::span<const std::uint64_t> counts) {
    Counts result(counts.begin(), counts.end());
    while (std::accumulate(result.begin(), result.end(), std::uint64_t{0}) >= RangeCosts::most_symbols)
        for (std::uint64_t& count : result) count /= 2;
    return result;
}

}   // namespace

std::uint64_t range_cost(std::uint64_t count, std::uint64_t total, std::uint64_t size) {
    const auto share = static_cast<std::uint32_t>(1 + count * (probability_total - table_rows) / total);
    return count * (offset_length(size) * 256 + row_cost(share));
}

std::vector<std::size_t> best_partition(std::span<const std::uint64_t> counts, std::span<const std::uint64_t> edges,
                                        std::size_t rows) {
    const Counts hits = limited(counts);
    if (std::ranges::all_of(hits, [](std::uint64_t n) { return n == 0; }))
        throw std::invalid_argument("table search: no symbol was counted");
    const RangeCosts costs(hits, edges);
    std::vector<std::uint64_t> best(costs.bins() + 1, std::numeric_limits<std::uint64_t>::max() / 2);
    best.front() = 0;
    std::vector<std::vector<std::size_t>> from;
    for (std::size_t row = 0; row < rows; ++row) add_range(costs, best, from);

    std::vector<std::size_t> firsts(rows);
    std::size_t end = costs.bins();
    for (std::size_t row = rows; row-- > 0;) end = firsts[row] = from[row][end];
    return firsts;
}

Table search_ranges(const Counts& counts, std::uint32_t width, PartitionSearch& search) {
    const std::vector<std::uint64_t> edges = Binning(width).edges();
    if (edges.size() != counts.size() + 1)
        throw std::invalid_argument("table search: the histogram was not learnt at this width");
    const std::vector<std::size_t> firsts = search(counts, edges, Table::rows_for(width));
    std::array<std::uint32_t, table_rows> first{};
    std::array<std::uint64_t, table_rows> hits{};
    for (std::size_t row = 0; row < firsts.size(); ++row) {
        const std::size_t end = row + 1 < firsts.size() ? firsts[row + 1] : counts.size();
        first[row] = static_cast<std::uint32_t>(edges[firsts[row]]);
        for (std::size_t bin = firsts[row]; bin < end; ++bin) hits[row] += counts[bin];
    }
    return Table::ranges(width, first, normalise(hits));
}

}   // namespace oscar
