// Messages whose symbols have classes, and the codecs that code them.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <type_traits>

#include "models/codec/message/split.hpp"
#include "tests/codec/every_codec.hpp"

namespace oscar::test {

inline constexpr std::uint32_t classes = 3;
inline constexpr Framing framing{.lanes = 8, .lane_values = 40, .min_lane_values = 4};

/// Symbols whose class tells their scale: zero mostly, small, large; and the tables of a codec for them.
struct Message {
    std::vector<Symbol> symbols;
    std::vector<std::uint8_t> of;
    std::vector<Table> owned;
    std::vector<const Table*> tables;

    Message(const Codec& codec, std::size_t size, std::uint32_t width, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        std::vector<std::vector<Symbol>> samples(classes);
        for (auto& sample : samples) sample.push_back(1);
        for (std::size_t i = 0; i < size; ++i) {
            const auto c = static_cast<std::uint8_t>(random() % classes);
            const std::int64_t range =
                c == 0 ? (random() % 20 == 0) : std::min<std::int64_t>(largest(width), c == 1 ? 3 : 60);
            symbols.push_back(static_cast<Symbol>(
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * range + 1)) - range));
            of.push_back(c);
            samples[c].push_back(symbols.back());
        }
        if (codec.table_source() == TableSource::none || codec.table_source() == TableSource::adaptive) return;
        for (const auto& sample : samples) owned.push_back(table_of(codec, sample, width));
        for (const Table& table : owned) tables.push_back(&table);
    }
    Tables view() const { return {tables, of}; }
    /// What a codec takes: tables by class, or the first one for all.
    Tables view_for(bool takes_classes) const {
        if (takes_classes) return view();
        return tables.empty() ? Tables() : Tables(tables.front());
    }
};

struct SplitCase {
    std::string name;   ///< of codec and split
    CodecChoice choice;
    bool takes_classes;
};

/// Calls f(codec, case) for each codec under each split that it can have.
template <class F>
void for_each_split_codec(F&& f) {
    for (const auto& [name, choice] : all_codecs())
        for_each_kind(splits, [&, &name = name, &choice = choice]<class S>(const Kind<S>& split) {
            auto inner = make_codec(choice, framing);
            const bool in_context = inner->uses_classes();
            if (std::is_same_v<S, ContextSplitParams> && !in_context) return;
            const SplitCase tested{name + ", split " + std::string(split.name), choice,
                                   !std::is_same_v<S, NoSplitParams> || in_context};
            SCOPED_TRACE(tested.name);
            f(*make_split_codec(S{}, std::move(inner), framing, classes), tested);
        });
}

}   // namespace oscar::test
