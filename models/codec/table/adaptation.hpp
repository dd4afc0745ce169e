// Adaptive tables: counts that follow the coded symbols of a block, identically at encoder and decoder.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/codec/table/row_bounds.hpp"
#include "models/codec/table/tables.hpp"
#include "models/core/fields.hpp"

namespace oscar {

enum class Update : std::uint8_t { none, block, symbol };
constexpr auto choices(Update) {
    return std::array{
        Choice{"none", Update::none, "no adaptation"},
        Choice{"block", Update::block,
               "all lanes stop together after every adapt_interval values and share one new table"},
        Choice{"symbol", Update::symbol, "each lane updates its own table after each of its values"},
    };
}

/// Adaptation of the tables inside a block. Each block begins with a table from an earlier time, which its symbols then
/// move; nothing passes to the next block.
struct Adaptation {
    Update update = Update::none;
    std::uint32_t interval = 16;      ///< values of each lane between two tables (update block), at least 1
    std::uint32_t window = 256;       ///< values of each lane that are remembered, at least 2
    std::uint32_t experience = 256;   ///< values of each lane for which the first table counts, at least 2
    std::uint32_t quick_rate = 0;     ///< of the second speed of update symbol, 1..15; 0: there is none
};

/// Tables that the lanes take up while they code a block of `values`: one of each class in every interval (update
/// block), or at the begin of the block (update symbol).
inline std::uint64_t tables_taken_up(const Adaptation& adaptation, const Tables& tables, std::uint64_t values,
                                     std::uint64_t lanes) {
    if (adaptation.update == Update::none) return 0;
    const std::uint64_t of_interval = lanes * adaptation.interval;
    const bool once = adaptation.update == Update::symbol;
    return tables.count() * (once ? 1 : (values + of_interval - 1) / of_interval);
}

inline constexpr const char* quick_meaning =
    "update by symbol: half of each bound moves by 2^-this of its way, however much was seen; 0: all as the window "
    "says";

/// Counts that never move.
class FixedModel {
public:
    explicit FixedModel(const Table& table) : bounds_(table.cumulative) {}

    /// Values of each lane between two calls of synchronise(); 0: it is never called.
    std::uint32_t interval() const { return 0; }
    /// Bounds of a lane: the same for all.
    const RowBounds& bounds(std::size_t) const { return bounds_; }
    void update(std::size_t, std::uint32_t) {}   ///< no row moves anything
    void synchronise() {}                        ///< nothing to do

private:
    RowBounds bounds_;
};

/// One table for all lanes, made anew every `interval` values of a lane from counts over all of them: the lanes of a
/// decoder work at the same pace, so at that point their counters can be added. While they code an interval, the
/// table of the one before is made (one reciprocal, 16 multiplications), so that nobody waits: what was coded in
/// interval i speaks in interval i + 2. Counts begin as the table's shares of `experience` and are halved when their
/// sum exceeds `window`, both times the lanes (Witten, Neal and Cleary 1987).
class BlockModel {
public:
    BlockModel(const Table& table, const Adaptation& adaptation, std::size_t lanes);

    /// Values of each lane between two calls of synchronise().
    std::uint32_t interval() const { return interval_; }
    /// Bounds of a lane: the same for all, constant between two calls of synchronise().
    const RowBounds& bounds(std::size_t) const { return bounds_; }
    /// Counts a coded row, of any lane. Order does not matter.
    void update(std::size_t, std::uint32_t row) { ++hits_[row]; }
    /// Takes up the table made at the last call, and makes the next one from counts that include the interval just
    /// ended.
    void synchronise();

private:
    void add_hits();

    std::uint32_t interval_;
    std::uint64_t limit_;   // of the sum of the counts
    std::array<std::uint64_t, table_rows> counts_{};
    std::array<std::uint64_t, table_rows> hits_{};   // of the running interval
    RowBounds bounds_, next_;
};

/// The counts of one lane, moved by shifts after each value, as in the coder of AV1: each bound moves by 2^-rate of its
/// distance towards 0 or 1, whichever the value asks for. The rate is log2 of what has been seen, at most of the
/// window. With a quick rate a second set of bounds moves no slower than that, and the mean of the two sets is what
/// codes: one follows the layers of a message, the other keeps what the table knew. Bounds are kept in 1/65536 of the
/// 1008 counts that remain when each of 16 rows has one, so that every row stays codable.
class SymbolCounts {
public:
    SymbolCounts(const Cumulative& start, const Adaptation& adaptation);

    static constexpr std::int32_t one = 1 << 16;

    /// Bounds under which the next row of the lane is coded.
    const RowBounds& bounds() const { return bounds_; }
    /// Moves all bounds after a coded row. Every row keeps at least one count of 1024.
    void update(std::uint32_t row) {
        const auto [rate, quick_rate] = next_rates();
        for (std::int32_t k = 1; k < static_cast<std::int32_t>(table_rows); ++k) {
            const std::int32_t target = k > static_cast<std::int32_t>(row) ? one : 0;
            std::int32_t& steady = steady_[static_cast<std::size_t>(k)];
            std::int32_t& quick = quick_[static_cast<std::size_t>(k)];
            steady += (target - steady) >> rate;
            quick += (target - quick) >> quick_rate;
            const std::int32_t place = (steady + quick) / 2;
            bounds_.starts[static_cast<std::size_t>(k)] = ((place << 10) - (place << 4)) / one + k;   // 1008 = 2^10-2^4
        }
    }

    /// The parts of update(), for kernels that move all bounds at once: the shifts by which the next value moves
    /// bounds, and sets of `table_rows` numbers that move, in each of which number 0 stays zero. Without a quick rate,
    /// where both sets of bounds are the same, `quick` is null.
    struct Rates {
        std::int32_t steady, quick;
    };
    /// Shifts for the next value, which it counts as seen: call it once per value.
    Rates next_rates() {
        const auto rate = static_cast<std::int32_t>(std::bit_width(seen_)) - 1;
        seen_ += seen_ < window_ ? 1 : 0;
        return {rate, std::min(rate, quick_rate_)};
    }
    struct Numbers {
        std::int32_t *steady, *quick, *starts;
    };
    /// Pointers to the numbers, which the caller moves as update() would.
    Numbers numbers() {
        return {steady_.data(), quick_rate_ == no_quick_rate ? nullptr : quick_.data(), bounds_.starts.data()};
    }

private:
    static constexpr std::int32_t no_quick_rate = 31;   // never the lower

    std::uint32_t seen_, window_;
    std::int32_t quick_rate_;
    alignas(16) std::array<std::int32_t, table_rows> steady_{}, quick_{};
    RowBounds bounds_;
};

/// SymbolCounts for each lane: no lane needs to hear of another.
class SymbolModel {
public:
    SymbolModel(const Table& table, const Adaptation& adaptation, std::size_t lanes)
        : lanes_(lanes, SymbolCounts(table.cumulative, adaptation)) {}

    /// 0: synchronise() is never called.
    std::uint32_t interval() const { return 0; }
    /// Bounds under which the next row of this lane is coded.
    const RowBounds& bounds(std::size_t lane) const { return lanes_[lane].bounds(); }
    /// Moves the bounds of this lane only.
    void update(std::size_t lane, std::uint32_t row) { lanes_[lane].update(row); }
    void synchronise() {}   ///< nothing to do

private:
    std::vector<SymbolCounts> lanes_;
};

/// The interface of a model to loops over symbols, where one model and table serve every symbol.
template <class Model>
class OneClass {
public:
    OneClass(const Table& table, Model model) : table_(table), model_(std::move(model)) {}

    std::uint32_t interval() const { return model_.interval(); }
    /// Table of symbol i, for its row and offset: the same for all.
    const Table& table(std::size_t) const { return table_; }
    /// Bounds of the row of symbol i, which `lane` codes.
    const RowBounds& bounds(std::size_t lane, std::size_t) const { return model_.bounds(lane); }
    /// Tells the model that `lane` coded `row` for symbol i.
    void update(std::size_t lane, std::size_t, std::uint32_t row) { model_.update(lane, row); }
    void synchronise() { model_.synchronise(); }

private:
    const Table& table_;
    Model model_;
};

/// A model per class; the class of symbol i of the block chooses.
template <class Model>
class ManyClasses {
public:
    ManyClasses(const Tables& tables, std::vector<Model> models) : tables_(tables), models_(std::move(models)) {}

    /// Values of each lane between two calls of synchronise(), the same for all classes.
    std::uint32_t interval() const { return models_.front().interval(); }
    /// Table of the class of symbol i.
    const Table& table(std::size_t i) const { return *tables_.of_class(tables_.classes()[i]); }
    /// Bounds in the model of the class of symbol i.
    const RowBounds& bounds(std::size_t lane, std::size_t i) const {
        return models_[tables_.classes()[i]].bounds(lane);
    }
    /// Tells the model of the class of symbol i alone.
    void update(std::size_t lane, std::size_t i, std::uint32_t row) { models_[tables_.classes()[i]].update(lane, row); }
    /// Synchronises the models of all classes.
    void synchronise() {
        for (Model& model : models_) model.synchronise();
    }

private:
    Tables tables_;
    std::vector<Model> models_;
};

/// Calls f with the model that `make` makes of each table.
template <class Make, class F>
auto with_classes(const Tables& tables, Make&& make, F&& f) {
    using Model = decltype(make(*tables.of_class(0)));
    if (tables.count() == 1) return f(OneClass<Model>(*tables.of_class(0), make(*tables.of_class(0))));
    std::vector<Model> models;
    for (std::size_t c = 0; c < tables.count(); ++c) models.push_back(make(*tables.of_class(c)));
    return f(ManyClasses<Model>(tables, std::move(models)));
}

/// Calls f(model) with the model of a block of `lanes` lanes that begins with `tables`. Precondition: there are some,
/// and unless the update is none, every row of them has a count.
template <class F>
auto with_model(const Tables& tables, const Adaptation& adaptation, std::size_t lanes, F&& f) {
    switch (adaptation.update) {
        case Update::block:
            return with_classes(
                tables, [&](const Table& t) { return BlockModel(t, adaptation, lanes); }, f);
        case Update::symbol:
            return with_classes(
                tables, [&](const Table& t) { return SymbolModel(t, adaptation, lanes); }, f);
        case Update::none:
            break;
    }
    return with_classes(
        tables, [](const Table& t) { return FixedModel(t); }, f);
}

}   // namespace oscar
