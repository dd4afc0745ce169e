// An encoder and a decoder lane behind one another: what goes in comes out.
#include "AscDecoderLane1x1.h"
#include "AscEncoderLane1x1.h"
#include "models/codec/kinds/codecs.hpp"
#include "tests/engine/rtl/decoder_bench.hpp"
#include "tests/engine/rtl/encoder_bench.hpp"

namespace oscar::lane_pair_test {
namespace {

using test::CodedStream;
using test::LaneSymbol;
using Encoder = test::Variant<AscEncoderLane1x1, 1, 1, Layout::magnitude>;
using Decoder = test::Variant<AscDecoderLane1x1, 1, 1, Layout::magnitude>;

/// Both lanes, with one table.
class LanePair {
public:
    explicit LanePair(const Table& table) : tables_{table}, encoder_(tables_), decoder_(tables_) {}
    /// The streams that the encoder makes of the symbols.
    CodedStream encode(const std::vector<LaneSymbol>& symbols) {
        encoder_.code({symbols});
        while (!encoder_.finished(1)) encoder_.step();
        CodedStream stream{encoder_.symbols[0].bytes(), encoder_.offsets[0].bytes(), encoder_.symbols[0].bits,
                           encoder_.offsets[0].bits};
        encoder_.symbols = encoder_.offsets = {};
        return stream;
    }
    std::vector<Symbol> decode(const std::vector<LaneSymbol>& symbols, const CodedStream& stream) {
        std::mt19937_64 random(1);
        decoder_.out.clear();
        decoder_.decode({{symbols}, {stream}}, random, 0);
        return decoder_.out;
    }
    std::span<const Table> tables() const { return tables_; }

private:
    std::vector<Table> tables_;
    test::EncoderBench<Encoder> encoder_;
    test::DecoderBench<Decoder> decoder_;
};

/// Cumulative counts of one table that is nearly flat and of one that gives each row but the first a single count.
Cumulative flat() {
    Cumulative cumulative{};
    for (std::size_t k = 0; k <= table_rows; ++k) cumulative[k] = static_cast<std::uint16_t>(64 * k);
    return cumulative;
}
Cumulative steep() {
    Cumulative cumulative{};
    for (std::size_t k = 1; k <= table_rows; ++k) cumulative[k] = static_cast<std::uint16_t>(1008 + k);
    return cumulative;
}

/// 16 + 256 + 4,096 + 65,536 sequences; a symbol of each row, 2^(k-1) of row k.
TEST(LanesBehindOneAnother, GiveBackEverySequenceOfUpToFourRowsUnderTwoTables) {
    for (const Cumulative& cumulative : {flat(), steep()}) {
        LanePair lanes(Table::magnitudes(16, cumulative));
        std::uint64_t sequences = 0;
        for (std::uint32_t length = 1; length <= 4; ++length)
            for (std::uint32_t number = 0; number < 1u << (4 * length); ++number, ++sequences) {
                std::vector<LaneSymbol> symbols;
                std::vector<Symbol> expected;
                for (std::uint32_t i = 0; i < length; ++i) {
                    const std::uint32_t row = number >> (4 * i) & 15;
                    expected.push_back(row == 0 ? 0 : 1 << (row - 1));
                    symbols.push_back({expected.back(), 0});
                }
                ASSERT_EQ(lanes.decode(symbols, lanes.encode(symbols)), expected) << number << " of " << length;
            }
        EXPECT_EQ(sequences, 69'904u);
    }
}

TEST(LanesBehindOneAnother, GiveBackTenMillionSymbolsWithTheBitsOfTheModel) {
    std::mt19937_64 random(1);
    constexpr std::size_t of_block = 16'384;
    for (std::size_t coded = 0; coded < 10'000'000; coded += of_block * 31) {
        LanePair lanes(test::random_table(random, Layout::magnitude, 11));
        for (int block = 0; block < 31; ++block) {
            std::vector<LaneSymbol> symbols(of_block);
            std::vector<Symbol> expected;
            for (LaneSymbol& symbol : symbols) {
                symbol.symbol = test::random_symbol(random, lanes.tables()[0], block % 4 != 0);
                expected.push_back(symbol.symbol);
            }
            const CodedStream model = test::coded(symbols, lanes.tables()), rtl = lanes.encode(symbols);
            ASSERT_EQ(rtl.symbols, model.symbols);
            ASSERT_EQ(rtl.offsets, model.offsets);
            ASSERT_EQ(lanes.decode(symbols, rtl), expected);
        }
    }
}

}   // namespace
}   // namespace oscar::lane_pair_test
