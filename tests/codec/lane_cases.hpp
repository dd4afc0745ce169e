// Random blocks of lanes, their tables and their damage.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/codec/entropy/lane_streams.hpp"
#include "tests/codec/support.hpp"

namespace oscar::test {

/// 16 rows of 64 counts.
inline Cumulative even_counts() {
    Cumulative cumulative{};
    for (std::uint16_t row = 1; row <= table_rows; ++row) cumulative[row] = static_cast<std::uint16_t>(64 * row);
    return cumulative;
}

/// A block of 1 .. 130 lanes with one or more tables of either layout, adaptive or not.
struct LaneCase {
    std::uint64_t seed;
    std::uint32_t width, lanes;
    Layout layout;
    Adaptation adaptation;
    std::vector<Symbol> symbols;
    std::vector<std::uint8_t> of_class;
    std::vector<Table> owned;

    explicit LaneCase(std::uint64_t given) : seed(given) {
        std::mt19937_64 random(seed);
        const auto below = [&](std::uint64_t end) { return static_cast<std::uint32_t>(random() % end); };
        width = 1 + below(32);
        lanes = 1 + below(130);
        layout = below(2) != 0 ? Layout::ranges : Layout::magnitude;
        adaptation = {.update = choices(Update{})[below(3)].value,
                      .interval = 1 + below(20),
                      .window = 16 + below(300),
                      .experience = 2 + below(300),
                      .quick_rate = below(16)};
        constexpr std::array distributions{"geometric", "uniform", "constant", "extremes", "zero"};
        const std::size_t size = lanes + below(below(8) == 0 ? 20'000 : 500);
        symbols = make_symbols(distributions[below(distributions.size())], size, width, seed);
        const std::uint32_t class_count = below(3) == 0 ? 1 + below(20) : 1;
        for (std::size_t i = 0; i < size; ++i) of_class.push_back(static_cast<std::uint8_t>(below(class_count)));
        const std::uint32_t table_width = std::min(32u, width + below(3));
        for (std::uint32_t c = 0; c < class_count; ++c) owned.push_back(draw_table(random, table_width));
        point();
    }
    LaneCase(const LaneCase& other) { *this = other; }
    LaneCase& operator=(const LaneCase& other) {
        std::tie(seed, width, lanes, layout, adaptation.update) =
            std::tie(other.seed, other.width, other.lanes, other.layout, other.adaptation.update);
        adaptation = other.adaptation;
        symbols = other.symbols;
        of_class = other.of_class;
        owned = other.owned;
        point();
        return *this;
    }
    LaneCase with_other_tables() const {
        LaneCase result = *this;
        std::mt19937_64 random(seed + 1'000'000);
        for (Table& table : result.owned) table = draw_table(random, table.width);
        return result;
    }

    Tables tables() const { return pointers_.size() == 1 ? Tables(pointers_.front()) : Tables(pointers_, of_class); }
    std::string text() const {
        std::ostringstream out;
        out << "seed " << seed << ", width " << width << ", lanes " << lanes << ", " << symbols.size() << " symbols, "
            << owned.size() << " tables, layout " << static_cast<int>(layout) << ", update "
            << static_cast<int>(adaptation.update);
        return out.str();
    }

private:
    void point() {
        pointers_.clear();
        for (const Table& table : owned) pointers_.push_back(&table);
    }
    /// Every row has a count. Fixed tables may have a total below 1024.
    Table draw_table(std::mt19937_64& random, std::uint32_t table_width) const {
        std::array<std::uint64_t, table_rows> counts{};
        const std::uint64_t spread = 1 + random() % 50;
        for (std::uint64_t& count : counts) count = random() >> (14 + random() % spread);
        counts[random() % table_rows] += 1;
        Cumulative cumulative = normalise(counts);
        if (adaptation.update == Update::none && random() % 3 == 0 && cumulative.back() - cumulative[15] > 1)
            --cumulative.back();
        if (layout == Layout::magnitude) return Table::magnitudes(table_width, cumulative);
        return Table::ranges(table_width, draw_first(random, table_width), cumulative);
    }
    static std::array<std::uint32_t, table_rows> draw_first(std::mt19937_64& random, std::uint32_t table_width) {
        const std::size_t rows = Table::rows_for(table_width);
        std::array<std::uint32_t, table_rows> first{};
        std::vector<std::uint64_t> chosen{0};
        const std::uint64_t patterns = std::uint64_t{1} << table_width;
        while (chosen.size() < rows) {
            std::uint64_t pattern = random() % patterns >> random() % table_width;
            while (std::find(chosen.begin(), chosen.end(), pattern) != chosen.end()) pattern = (pattern + 1) % patterns;
            chosen.push_back(pattern);
        }
        std::sort(chosen.begin(), chosen.end());
        std::transform(chosen.begin(), chosen.end(), first.begin(),
                       [](std::uint64_t pattern) { return static_cast<std::uint32_t>(pattern); });
        return first;
    }

    std::vector<const Table*> pointers_;
};

/// Changes bytes or lengths of the streams.
inline void damage(std::mt19937_64& random, LaneStreams& streams) {
    const auto any_byte = [&]() -> std::byte& { return streams.bytes[random() % streams.bytes.size()]; };
    switch (random() % 6) {
        case 0:
        case 1:
            any_byte() ^= static_cast<std::byte>(1u << random() % 8);
            break;
        case 2:
            for (std::uint64_t hits = 1 + random() % 5; hits > 0; --hits) any_byte() = static_cast<std::byte>(random());
            break;
        case 3:
            std::fill(streams.bytes.begin(), streams.bytes.end(), static_cast<std::byte>(random() % 2 != 0 ? 0xFF : 0));
            break;
        case 4:
            streams.bytes.resize(random() % (streams.bytes.size() + 9));
            break;
        default: {   // the end of a stream in another one, the bytes as many as before
            LaneLengths& lane = streams.lengths[random() % streams.lengths.size()];
            const std::uint32_t bits = lane.symbol_bits / 8 * 8 / 2;
            lane.symbol_bits -= bits;
            lane.offset_bits += bits;
        }
    }
}

}   // namespace oscar::test
