#include "models/codec/learning/table_heuristic.hpp"

#include <numeric>
#include <stdexcept>

#include "models/codec/learning/table_search.hpp"

namespace oscar {

namespace {

class Partition {
public:
    Partition(std::span<const std::uint64_t> counts, std::span<const std::uint64_t> edges, std::size_t rows)
        : edges_(edges), hits_(counts.size() + 1), firsts_(rows + 1) {
        std::partial_sum(counts.begin(), counts.end(), hits_.begin() + 1);
        if (hits_.back() == 0) throw std::invalid_argument("table search: no symbol was counted");
        for (std::size_t row = 0; row <= rows; ++row) firsts_[row] = counts.size() * row / rows;
    }
    std::uint64_t cost() const {
        std::uint64_t sum = 0;
        for (std::size_t row = 0; row + 1 < firsts_.size(); ++row) sum += cost(firsts_[row], firsts_[row + 1]);
        return sum;
    }
    /// Each inner boundary once.
    void pass() {
        for (std::size_t row = 1; row + 1 < firsts_.size(); ++row) move(row);
    }
    std::vector<std::size_t> firsts() const { return {firsts_.begin(), firsts_.end() - 1}; }

private:
    std::uint64_t cost(std::size_t begin, std::size_t end) const {
        return range_cost(hits_[end] - hits_[begin], hits_.back(), edges_[end] - edges_[begin]);
    }
    void move(std::size_t row) {
        const std::size_t below = firsts_[row - 1], above = firsts_[row + 1];
        const auto cost_at = [&](std::size_t place) { return cost(below, place) + cost(place, above); };
        std::size_t best = below + 1;
        for (std::size_t place = below + 2; place < above; ++place)
            if (cost_at(place) < cost_at(best)) best = place;
        firsts_[row] = best;
    }

    std::span<const std::uint64_t> edges_;
    std::vector<std::uint64_t> hits_;   // sums over the bins before
    std::vector<std::size_t> firsts_;   // and the number of bins
};

}   // namespace

std::vector<std::size_t> heuristic_partition(std::span<const std::uint64_t> counts,
                                             std::span<const std::uint64_t> edges, std::size_t rows) {
    Partition partition(counts, edges, rows);
    std::uint64_t before = partition.cost();
    while (true) {
        partition.pass();
        const std::uint64_t after = partition.cost();
        if (after * 100 >= before * 99) return partition.firsts();
        before = after;
    }
}

}   // namespace oscar
