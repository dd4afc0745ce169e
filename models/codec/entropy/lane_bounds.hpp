// Bounds of all tables of a block in one array, indexed by class and lane, for the vector kernels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/codec/table/adaptation.hpp"

namespace oscar {

/// Words from the bounds of one class, or lane, to the bounds of the next.
struct BoundStrides {
    std::uint32_t by_class, by_lane;
};

inline constexpr std::uint32_t bound_words = sizeof(RowBounds) / sizeof(std::int32_t);

/// Tables without adaptation.
class FixedBounds {
public:
    FixedBounds(const Tables& tables, const Adaptation&, std::size_t) {
        for (std::size_t c = 0; c < tables.count(); ++c) by_class_.emplace_back(tables.of_class(c)->cumulative);
    }

    /// Values of each lane between two calls of synchronise(); 0: it has no effect.
    std::uint32_t interval() const { return 0; }
    /// RowBounds::starts of class 0 and lane 0; strides() leads to the others.
    const std::int32_t* starts() const { return by_class_.front().starts.data(); }
    /// A class takes bound_words; all lanes share them.
    BoundStrides strides() const { return {bound_words, 0}; }
    void synchronise() {}   ///< nothing to do

private:
    std::vector<RowBounds> by_class_;
};

/// BlockModel for each class.
class BlockBounds {
public:
    BlockBounds(const Tables& tables, const Adaptation& adaptation, std::size_t lanes) {
        for (std::size_t c = 0; c < tables.count(); ++c)
            by_class_.push_back(models_.emplace_back(*tables.of_class(c), adaptation, lanes).bounds(0));
    }

    /// Values of each lane between two calls of synchronise().
    std::uint32_t interval() const { return models_.front().interval(); }
    const std::int32_t* starts() const { return by_class_.front().starts.data(); }
    BoundStrides strides() const { return {bound_words, 0}; }
    /// Counts a coded row of class c; it shows in starts() after two calls of synchronise().
    void update(std::size_t c, std::size_t lane, std::uint32_t row) { models_[c].update(lane, row); }
    /// Takes up the next table of each class and copies its bounds to starts().
    void synchronise() {
        for (std::size_t c = 0; c < models_.size(); ++c) {
            models_[c].synchronise();
            by_class_[c] = models_[c].bounds(0);
        }
    }

private:
    std::vector<BlockModel> models_;
    std::vector<RowBounds> by_class_;
};

/// SymbolCounts for each class and lane.
class SymbolBounds {
public:
    SymbolBounds(const Tables& tables, const Adaptation& adaptation, std::size_t lanes) : lanes_(lanes) {
        for (std::size_t c = 0; c < tables.count(); ++c)
            counts_.insert(counts_.end(), lanes, SymbolCounts(tables.of_class(c)->cumulative, adaptation));
    }

    /// 0: each lane goes on by itself.
    std::uint32_t interval() const { return 0; }
    const std::int32_t* starts() const { return counts_.front().bounds().starts.data(); }
    /// SymbolCounts lie class after class, within a class lane after lane.
    BoundStrides strides() const {
        constexpr std::uint32_t words = sizeof(SymbolCounts) / sizeof(std::int32_t);
        return {words * static_cast<std::uint32_t>(lanes_), words};
    }
    /// Counts of class c and lane `lane`; their bounds are what starts() and strides() address.
    SymbolCounts& of(std::size_t c, std::size_t lane) { return counts_[c * lanes_ + lane]; }
    void synchronise() {}

private:
    std::size_t lanes_;
    std::vector<SymbolCounts> counts_;   // class after class
};

/// Calls f with the bounds for `adaptation`.
template <class F>
auto with_bounds(const Tables& tables, const Adaptation& adaptation, std::size_t lanes, F&& f) {
    switch (adaptation.update) {
        case Update::block:
            return f(BlockBounds(tables, adaptation, lanes));
        case Update::symbol:
            return f(SymbolBounds(tables, adaptation, lanes));
        case Update::none:
            break;
    }
    return f(FixedBounds(tables, adaptation, lanes));
}

}   // namespace oscar
