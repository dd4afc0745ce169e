#include "models/collective/endpoint/step_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace oscar {
namespace {

/// Counts are added in ascending order, so that the sum does not depend on the order of a hash map.
double bits_of(std::vector<std::uint64_t> counts) {
    std::ranges::sort(counts);
    double total = 0, weighted = 0;
    for (const std::uint64_t n : counts) {
        total += static_cast<double>(n);
        weighted += static_cast<double>(n) * std::log2(static_cast<double>(n));
    }
    return total * std::log2(total) - weighted;
}

}   // namespace

void StepEntropy::add(Timestep timestep, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes) {
    symbols_ += symbols.size();
    if (classes.empty()) {
        Histogram& histogram = histograms_[{timestep.value, 0}];
        for (const Symbol symbol : symbols) ++histogram[symbol];
        return;
    }
    for (std::size_t i = 0; i < symbols.size(); ++i) ++histograms_[{timestep.value, classes[i]}][symbols[i]];
}

double StepEntropy::bits() const {
    double total = 0;
    for (const auto& [key, histogram] : histograms_) {
        std::vector<std::uint64_t> counts;
        for (const auto& [symbol, count] : histogram) counts.push_back(count);
        total += bits_of(std::move(counts));
    }
    return total;
}

}   // namespace oscar
