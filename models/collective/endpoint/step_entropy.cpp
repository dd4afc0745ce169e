#include "models/collective/endpoint/step_entropy.hpp"

#include <algorithm>
#include <array>
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

/// Neighbours are often equal and would wait for each other's counter, so that they are counted apart.
void StepEntropy::Histogram::count(std::span<const Symbol> symbols) {
    constexpr std::size_t apart = 4;
    std::vector<std::array<std::uint32_t, apart>> counters;   // 32 bits: enough for 16 GiB of one symbol
    if (symbols.size() >= 8 * near_.size()) counters.resize(near_.size());
    const std::size_t together = counters.empty() ? 0 : symbols.size() / apart * apart;
    for (std::size_t i = 0; i < together; ++i) {
        const std::size_t place = static_cast<std::size_t>(symbols[i]) + near_zero;
        if (place < counters.size()) ++counters[place][i % apart];
        else ++others_[symbols[i]];
    }
    for (std::size_t place = 0; place < counters.size(); ++place)
        for (const std::uint32_t count : counters[place]) near_[place] += count;
    for (const Symbol symbol : symbols.subspan(together)) count(symbol);
}

std::vector<std::uint64_t> StepEntropy::Histogram::counts() const {
    std::vector<std::uint64_t> counts;
    for (const std::uint64_t count : near_)
        if (count > 0) counts.push_back(count);
    for (const auto& [symbol, count] : others_) counts.push_back(count);
    return counts;
}

void StepEntropy::add(Timestep timestep, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes) {
    if (symbols.empty()) return;
    symbols_ += symbols.size();
    if (classes.empty()) return histograms_[{timestep.value, std::uint8_t{0}}].count(symbols);
    std::array<Histogram*, 256> of_class{};
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const std::uint8_t c = classes[i];
        if (of_class[c] == nullptr) of_class[c] = &histograms_[{timestep.value, c}];
        of_class[c]->count(symbols[i]);
    }
}

double StepEntropy::bits() const {
    double total = 0;
    for (const auto& [key, histogram] : histograms_) total += bits_of(histogram.counts());
    return total;
}

}   // namespace oscar
