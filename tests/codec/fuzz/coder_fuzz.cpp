#include "tests/codec/fuzz/coder_fuzz.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>

#include "models/codec/kinds/codecs.hpp"
#include "models/codec/learning/table_store.hpp"
#include "models/codec/message/split.hpp"

namespace oscar::test {
namespace {

using Random = std::mt19937_64;

std::uint32_t below(Random& random, std::uint64_t end) { return static_cast<std::uint32_t>(random() % end); }

void require(bool condition, const char* what) {
    if (!condition) throw std::logic_error(what);
}

Update draw_update(Random& random) { return choices(Update{})[below(random, 3)].value; }

CodecChoice draw_codec(Random& random) {
    const Layout layout = below(random, 2) != 0 ? Layout::ranges : Layout::magnitude;
    switch (below(random, 12)) {
        case 0:
            return FixedPointParams{};
        case 1:
            return ZeroValueParams{};
        case 2:
            return ShapeShifterParams{1 + below(random, 40),
                                      below(random, 2) != 0 ? GroupZeros::mask : GroupZeros::none};
        case 3:
            return below(random, 2) != 0 ? CodecChoice(Lz4Params{}) : CodecChoice(BytePlaneParams{});
        case 4:
            return AacParams{draw_update(random), 1 + below(random, 20), 16 + below(random, 300)};
        case 5:
            return AtalantaParams{};
        case 6:
        case 7:
        case 8:
            return RansParams{.layout = layout};
        default:
            return AscParams{.layout = layout,
                             .adapt = draw_update(random),
                             .adapt_interval = 1 + below(random, 20),
                             .adapt_window = 16 + below(random, 300)};
    }
}

Framing draw_framing(Random& random) {
    return {1 + below(random, below(random, 4) == 0 ? 80 : 9), 1 + below(random, 60), 1 + below(random, 70)};
}

/// Counts that are even, skewed or nearly certain.
Cumulative draw_counts(Random& random, std::size_t rows) {
    std::array<std::uint64_t, table_rows> counts{};
    const std::uint64_t spread = 1 + below(random, 50);
    for (std::size_t row = 0; row < rows; ++row) counts[row] = random() >> (14 + random() % spread);
    counts[below(random, rows)] += 1;
    return normalise(counts);
}

Table draw_table(Random& random, Layout layout, std::uint32_t width) {
    if (layout == Layout::magnitude) return Table::magnitudes(width, draw_counts(random, table_rows));
    const std::size_t rows = Table::rows_for(width);
    std::array<std::uint32_t, table_rows> first{};
    while (true) {
        for (std::size_t row = 1; row < rows; ++row)
            first[row] = static_cast<std::uint32_t>(random() % (std::uint64_t{1} << width) >> random() % width);
        std::sort(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(rows));
        const auto used = std::span(first).first(rows);
        if (std::ranges::adjacent_find(used) == used.end())
            return Table::ranges(width, first, draw_counts(random, rows));
        if (width <= 5)   // few ways to draw 16 different patterns of 32
            for (std::size_t row = 0; row < rows; ++row) first[row] = static_cast<std::uint32_t>(row);
        if (width <= 5) return Table::ranges(width, first, draw_counts(random, rows));
    }
}

/// Legal symbols, of a scale that changes on the way.
std::vector<Symbol> draw_symbols(Random& random, std::size_t size, std::uint32_t width) {
    std::vector<Symbol> symbols(size);
    const std::uint32_t bits = width == 32 ? 31 : width - 1;
    std::uint32_t scale = below(random, bits + 1);
    for (Symbol& symbol : symbols) {
        if (below(random, 50) == 0) scale = below(random, bits + 1);
        const auto magnitude = static_cast<Symbol>(random() & low_mask(scale));
        symbol = random() % 2 != 0 ? magnitude : -magnitude;
    }
    return symbols;
}

/// A message and what both of its ends know.
struct Case {
    explicit Case(Random& random)
        : framing(draw_framing(random)),
          choice(draw_codec(random)),
          width(1 + below(random, 32)),
          classes(1 + below(random, 4)) {
        const auto& kinds = splits;
        std::uint32_t chosen = below(random, kinds.size);
        codec = make_codec(choice, framing);
        for_each_kind(kinds, [&]<class S>(const Kind<S>&) {
            if (chosen-- != 0 || codec->constant_rate()) return;
            if (std::is_same_v<S, ContextSplitParams> && !codec->uses_classes()) return;
            codec = make_split_codec(S{}, std::move(codec), framing, classes);
        });
        symbols = draw_symbols(random, below(random, 8) == 0 ? below(random, 3) : below(random, 300), width);
        by_class = codec->uses_classes() && below(random, 3) != 0;
        if (by_class)
            for (std::size_t i = 0; i < symbols.size(); ++i)
                of.push_back(static_cast<std::uint8_t>(below(random, classes)));
        draw_tables(random, owned);
    }
    void draw_tables(Random& random, std::vector<Table>& into) const {
        into.clear();
        if (codec->table_source() == TableSource::none || codec->table_source() == TableSource::adaptive) return;
        if (below(random, layout_of(choice) == Layout::ranges ? 60 : 6) == 0) return;   // to search one takes long
        const Layout layout = layout_of(choice);
        const std::uint32_t wider = std::min(32u, width + below(random, 3));
        for (std::uint32_t c = 0; c < (by_class ? classes : 1); ++c) into.push_back(draw_table(random, layout, wider));
    }
    static Layout layout_of(const CodecChoice& choice) {
        if (const auto* asc = std::get_if<AscParams>(&choice.params)) return asc->layout;
        if (const auto* rans = std::get_if<RansParams>(&choice.params)) return rans->layout;
        return std::holds_alternative<AtalantaParams>(choice.params) ? Layout::ranges : Layout::magnitude;
    }
    Context context() const { return {.width = width, .epoch = 7, .timestep = Timestep{3}, .chunk = ChunkId{2}}; }

    Framing framing;
    CodecChoice choice;
    std::uint32_t width, classes;
    std::unique_ptr<Codec> codec;
    std::vector<Symbol> symbols;
    bool by_class = false;
    std::vector<std::uint8_t> of;
    std::vector<Table> owned;
};

/// Tables of a case, as a message wants to see them.
class View {
public:
    View(const Case& c, const std::vector<Table>& owned) : case_(c) {
        for (const Table& table : owned) tables_.push_back(&table);
    }
    Tables tables() const {
        if (case_.by_class) return {tables_, case_.of};
        return tables_.empty() ? Tables() : Tables(tables_.front());
    }

private:
    const Case& case_;
    std::vector<const Table*> tables_;
};

void expect_round_trip(const Case& c, const Tables& tables, const Encoded& message) {
    std::vector<Symbol> out(c.symbols.size());
    require(c.codec->decode(message.bytes, c.context(), tables, out) == message.blocks, "blocks differ");
    require(out == c.symbols, "symbols differ");
    require(message.size() == message.bytes.size(), "blocks do not tile the bytes");
    std::uint64_t values = 0;
    for (const Block& block : c.codec->sized_blocks(c.symbols, c.context(), tables)) values += block.values;
    std::uint64_t made = 0;
    for (const Block& block : message.blocks) made += block.values;
    require(values == made, "sized blocks have other values");
}

void damage(Random& random, std::vector<std::byte>& bytes) {
    const auto any = [&] { return below(random, bytes.size()); };
    switch (bytes.empty() ? 4 : below(random, 6)) {
        case 0:
            bytes[any()] ^= static_cast<std::byte>(1u << below(random, 8));
            break;
        case 1:
            for (std::uint32_t hits = 1 + below(random, 5); hits > 0; --hits)
                bytes[any()] = static_cast<std::byte>(random());
            break;
        case 2:
            bytes.resize(any());
            break;
        case 3:
            std::swap(bytes[any()], bytes[any()]);
            break;
        case 4:
            bytes.resize(bytes.size() + 1 + below(random, 9), static_cast<std::byte>(random()));
            break;
        default:
            std::fill(bytes.begin() + any(), bytes.end(), static_cast<std::byte>(random()));
    }
}

/// Whatever comes out but CorruptStream is a defect.
void decode_or_refuse(const Case& c, const std::vector<std::byte>& bytes, const Context& context,
                      const Tables& tables) {
    std::vector<Symbol> out(c.symbols.size());
    try {
        c.codec->decode(bytes, context, tables, out);
    } catch (const CorruptStream&) {
    }
}

void expect_no_crash(Random& random, const Case& c, const Tables& tables, const Encoded& message) {
    for (int trial = 0; trial < 3; ++trial) {
        // A copy of its own size, so that sanitizers see a read behind it.
        std::vector<std::byte> bytes = message.bytes;
        damage(random, bytes);
        decode_or_refuse(c, std::vector<std::byte>(bytes), c.context(), tables);
    }
    std::vector<Table> others;
    c.draw_tables(random, others);
    decode_or_refuse(c, message.bytes, c.context(), View(c, others).tables());
    Context other = c.context();
    if (below(random, 2) != 0) other.epoch = 8;
    else other.width = 1 + below(random, c.width);
    decode_or_refuse(c, message.bytes, other, tables);
}

/// Two ends that see the same, each in an order of its own.
void expect_equal_ends(Random& random, const Case& c) {
    const bool searches = Case::layout_of(c.choice) == Layout::ranges;
    if (c.codec->table_source() == TableSource::none || (searches && below(random, 64) != 0)) return;
    const std::uint32_t width = searches ? std::min(c.width, 8u) : c.width;
    TableStore one(*c.codec, c.classes), other(*c.codec, c.classes);
    const TableKey key{below(random, 3), Timestep{below(random, 3)}};
    for (std::uint32_t turn = 1 + below(random, searches ? 2 : 5); turn > 0; --turn) {
        const auto symbols = draw_symbols(random, 1 + below(random, 120), width);
        std::vector<std::uint8_t> of(symbols.size());
        for (auto& each : of) each = static_cast<std::uint8_t>(below(random, c.classes));
        const std::size_t cut = below(random, symbols.size() + 1);
        const auto learn = [&](TableStore& store, std::size_t begin, std::size_t size) {
            store.learn(key, std::span(symbols).subspan(begin, size), std::span(of).subspan(begin, size), width);
        };
        learn(one, 0, symbols.size());
        learn(other, cut, symbols.size() - cut);
        learn(other, 0, cut);
        const std::uint32_t end = below(random, 8);
        for (TableStore* store : {&one, &other}) {
            if (end == 0) store->reset();
            else if (end == 1) store->rollback();
            else store->commit();
        }
        require(one.digest() == other.digest(), "the tables of two ends differ");
        require(one.by_class(key).size() == other.by_class(key).size(), "the classes of two ends differ");
    }
}

}   // namespace

void fuzz_coder(std::uint64_t seed) {
    Random random(seed);
    try {
        const Case c(random);
        const View view(c, c.owned);
        const Encoded message = c.codec->encode(c.symbols, c.context(), view.tables());
        expect_round_trip(c, view.tables(), message);
        expect_no_crash(random, c, view.tables(), message);
        expect_equal_ends(random, c);
    } catch (const std::exception& error) {
        throw std::logic_error("coder fuzz, seed " + std::to_string(seed) + ": " + error.what());
    }
}

}   // namespace oscar::test
