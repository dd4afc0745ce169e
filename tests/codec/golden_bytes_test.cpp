// What each coder puts on the wire, so that a change in code that both ends share, which no round trip shows, shows
// here. Libraries are left out: their bytes depend on their version, and library_test.cpp says what they are given.
#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>

#include "models/core/hash.hpp"
#include "tests/codec/every_codec.hpp"
#include "tests/codec/split_support.hpp"
#include "tests/golden/golden.hpp"

namespace oscar::golden_bytes_test {
namespace {

/// One line: length, FNV-1a hash, and the first bytes as far as they are shown.
std::string line_of(const std::string& name, std::span<const std::byte> bytes) {
    std::ostringstream line;
    line << name << ": " << bytes.size() << " bytes, " << std::hex << std::setw(16) << std::setfill('0') << fnv1a(bytes)
         << ", " << hex(bytes.first(std::min<std::size_t>(bytes.size(), 28))) << "\n";   // a header and 12 more
    return line.str();
}

/// Blocks of three lanes, the last of them shorter; three blocks of five lanes; 64 lanes of at least 64 symbols each.
struct Case {
    const char* name;
    Framing framing;
    const char* distribution;
    std::size_t symbols;
    std::uint32_t width;
};
const std::vector<Case> cases{
    {"3 lanes, width 8", {.lanes = 3, .lane_values = 37, .min_lane_values = 5}, "geometric", 250, 8},
    {"3 lanes, width 11", {.lanes = 3, .lane_values = 37, .min_lane_values = 5}, "uniform", 250, 11},
    {"5 lanes, 3 blocks", {.lanes = 5, .lane_values = 60, .min_lane_values = 7, .blocks = 3}, "geometric", 250, 8},
    {"64 lanes", {}, "geometric", 5000, 9},
};

TEST(GoldenBytes, OfEveryCodecWithItsOwnTableAndWithAGivenOne) {
    std::string text;
    for (const auto& [name, choice] : all_codecs()) {
        if (is_library(choice)) continue;
        for (const Case& c : cases) {
            const auto codec = make_codec(choice, c.framing);
            const auto symbols = make_symbols(c.distribution, c.symbols, c.width, 1);
            const Context context{.width = c.width, .epoch = 200, .timestep = {513}, .chunk = {3}};
            const std::string what = name + ", " + c.name;
            text += line_of(what, codec->encode(symbols, context, nullptr).bytes);
            if (codec->table_source() == TableSource::none) continue;
            const Table table = table_of(*codec, make_symbols("geometric", 300, c.width, 2), c.width);
            text += line_of(what + ", table given", codec->encode(symbols, context, &table).bytes);
        }
    }
    test::expect_golden("tests/golden/codec_bytes.txt", text);
}

TEST(GoldenBytes, OfEveryCodecUnderEverySplit) {
    std::string text;
    test::for_each_split_codec([&](const Codec& codec, const test::SplitCase& tested) {
        if (is_library(tested.choice)) return;
        const test::Message message(codec, 300, 8, 1);
        const Context context{.width = 8, .epoch = 3, .timestep = {2}, .chunk = {1}};
        const Encoded encoded = codec.encode(message.symbols, context, message.view_for(tested.takes_classes));
        text += line_of(tested.name, encoded.bytes);
    });
    test::expect_golden("tests/golden/split_bytes.txt", text);
}

}   // namespace
}   // namespace oscar::golden_bytes_test
