// Entropy of the sent symbols: the bits that an ideal coder with one table per timestep and class would need.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/core/index.hpp"

namespace oscar {

/// Zero-order entropy of the symbols of each timestep, over all links together, conditioned on their class. A static
/// code with a table per timestep and class, even one made of these very symbols, cannot be shorter; one that adapts to
/// parts of a message, or has tables per link, can.
class StepEntropy {
public:
    /// `classes` of each symbol; empty: all are of one class.
    void add(Timestep timestep, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes);

    /// The number of symbols added.
    std::uint64_t symbols() const { return symbols_; }
    /// The entropy of all symbols added, in bits.
    double bits() const;

private:
    /// Counts of symbols; those near zero, which are nearly all, lie in a table.
    class Histogram {
    public:
        void count(Symbol symbol) {
            const std::size_t place = static_cast<std::size_t>(symbol) + near_zero;   // wraps for negative ones
            if (place < near_.size()) ++near_[place];
            else ++others_[symbol];
        }
        void count(std::span<const Symbol> symbols);
        std::vector<std::uint64_t> counts() const;

    private:
        static constexpr std::size_t near_zero = 4096;
        std::vector<std::uint64_t> near_ = std::vector<std::uint64_t>(2 * near_zero);
        std::unordered_map<Symbol, std::uint64_t> others_;
    };
    std::map<std::pair<std::uint32_t, std::uint8_t>, Histogram> histograms_;   ///< by timestep and class
    std::uint64_t symbols_ = 0;
};

}   // namespace oscar
