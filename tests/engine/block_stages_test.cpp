// The engine of kind pipelined beside the arrays that are stepped through cycle by cycle, on random blocks. Seeds are
// printed.
#include "models/engine/block_stages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>

#include "models/codec/interface/packed.hpp"
#include "models/codec/kinds/codecs.hpp"
#include "models/codec/message/inline_table.hpp"
#include "models/engine/arrays/decoder_cycles.hpp"
#include "models/engine/arrays/encoder_cycles.hpp"

namespace oscar::block_stages_test {
namespace {

class Draw {
public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}
    std::uint32_t operator()(std::uint32_t least, std::uint32_t most) {
        return std::uniform_int_distribution<std::uint32_t>(least, most)(random_);
    }
    std::mt19937_64& random() { return random_; }

private:
    std::mt19937_64 random_;
};

/// A message with what codes it.
struct Message {
    Context context{};
    std::vector<Symbol> symbols;
    std::vector<std::uint8_t> classes;
    std::vector<Table> tables;
    Encoded encoded;
};

/// A block of a message, and the cycle from which on it is offered.
struct Offer {
    const Message* message;
    const Block* block;
    Cycles ready;
};

std::vector<Symbol> normal_symbols(Draw& draw, std::uint32_t count, std::uint32_t width) {
    std::normal_distribution<double> normal(0, std::exp(draw(0, 40) / 10.0));
    const double most = (1 << (width - 1)) - 1;
    std::vector<Symbol> symbols(count);
    for (Symbol& symbol : symbols)
        symbol = static_cast<Symbol>(std::lround(std::clamp(normal(draw.random()), -most, most)));
    return symbols;
}

/// Coded with one table, or with that of the message before.
void encode_with_table(const Codec& codec, Message& message, const Message* before) {
    if (before == nullptr) {
        Counts counts;
        codec.learn(message.symbols, message.context.width, counts);
        message.tables = {codec.make_table(counts, message.context.width)};
    } else {
        message.tables = before->tables;
    }
    message.encoded = codec.encode(message.symbols, message.context, &message.tables[0]);
}

/// Coded with a table for each of some classes, which both ends hold.
void encode_with_tables(Draw& draw, const Codec& codec, Message& message) {
    const std::uint32_t classes = draw(0, 1) == 0 ? 1 : draw(2, 8);
    std::vector<std::vector<Symbol>> of_class(classes, std::vector<Symbol>(1));
    for (const Symbol symbol : message.symbols) {
        message.classes.push_back(static_cast<std::uint8_t>(draw(0, classes - 1)));
        of_class[message.classes.back()].push_back(symbol);
    }
    for (const auto& symbols : of_class) {
        Counts counts;
        codec.learn(symbols, message.context.width, counts);
        message.tables.push_back(codec.make_table(counts, message.context.width));
    }
    std::vector<const Table*> pointers;
    for (const Table& table : message.tables) pointers.push_back(&table);
    const Tables tables = classes == 1 ? Tables(pointers[0]) : Tables(pointers, message.classes);
    message.encoded = codec.encode(message.symbols, message.context, tables);
}

/// Coded with the table that it brings, if it brings one.
void encode_alone(const Codec& codec, Message& message) {
    message.encoded = codec.encode(message.symbols, message.context, {});
    const auto brings = std::ranges::find(message.encoded.blocks, BlockMode::coded_inline, &Block::mode);
    if (brings == message.encoded.blocks.end()) return;
    const std::uint32_t width = message.context.width;
    const auto bytes = std::span(message.encoded.bytes).subspan(brings->offset + block_header_bytes);
    message.tables = {read_table(bytes.first(inline_table_bytes(Layout::ranges, width)), Layout::ranges, width)};
}

/// As ArrayEngineModule::block_of().
ArrayBlock block_of(const Framing& framing, const Offer& offer) {
    const Message& message = *offer.message;
    const Block& block = *offer.block;
    const auto bytes = std::span(message.encoded.bytes).subspan(block.offset, block.bytes);
    const bool raw = block.mode == BlockMode::raw,
               bare = raw && block.bytes == packed_bytes(block.values, message.context.width);
    const std::uint32_t sub_streams =
        bare ? std::min(block.values, framing.sub_streams()) : framing.sub_streams_for(block.values);
    const auto classes = message.tables.size() > 1 ? std::span(message.classes) : std::span<const std::uint8_t>();
    return {.header = bare ? make_header(message.context, block.values) : read_header(bytes),
            .bare = bare,
            .width = message.context.width,
            .sub_streams = sub_streams,
            .slots = (block.values + sub_streams - 1) / sub_streams,
            .symbols = std::span(message.symbols).subspan(block.first_value, block.values),
            .classes = classes.empty() ? classes : classes.subspan(block.first_value, block.values),
            .bytes = bytes,
            .tables = raw ? std::span<const Table>() : message.tables};
}

/// What an array has taken up.
struct TakenUp {
    ArrayModel::Widths widths = {};
    std::vector<Table> tables = {};
};

/// What an array has to take up for a block; `loads`: tables, too.
struct Wanted {
    TakenUp after;
    bool loads;
    Wanted(const TakenUp& before, const Offer& offer, bool decodes) : after(before), loads(false) {
        const Message& message = *offer.message;
        after.widths.symbols = message.context.width;
        if (offer.block->mode == BlockMode::raw) return;
        after.widths.tables = message.tables.front().width;
        after.tables = message.tables;
        loads = before.tables != message.tables && !(decodes && offer.block->mode == BlockMode::coded_inline);
    }
};

/// The cycle in which each block leaves an array that is stepped through.
std::vector<Cycles> stepped(ArrayModel& array, const Framing& framing, const std::vector<Offer>& offers, bool decodes) {
    std::vector<Cycles> done;
    TakenUp taken_up;
    Cycles cycle = 0;
    const auto step = [&] {
        ++cycle;
        if (array.step().finished) done.push_back(cycle);
    };
    for (const Offer& offer : offers) {
        while (cycle < offer.ready) step();
        const Wanted wanted(taken_up, offer, decodes);
        if (wanted.loads || !(wanted.after.widths == taken_up.widths)) {
            while (done.size() < static_cast<std::size_t>(&offer - offers.data())) step();
            cycle += array.load(wanted.after.widths,
                                wanted.loads ? std::span(wanted.after.tables) : std::span<const Table>());
        }
        taken_up = wanted.after;
        while (!array.can_take()) step();
        array.take(block_of(framing, offer));
    }
    while (done.size() < offers.size()) step();
    return done;
}

/// The same by the recurrence.
template <class Stages>
std::vector<Cycles> computed(const EngineParams& engine, const std::vector<Offer>& offers, bool decodes) {
    Stages stages;
    std::vector<Cycles> done;
    for (const Offer& offer : offers)
        done.push_back(
            stages
                .serve(offer.ready, decodes ? decode_demand(engine, *offer.block) : encode_demand(engine, *offer.block))
                .done);
    return done;
}

EngineParams random_engine(Draw& draw) {
    EngineParams engine;
    engine.lanes = 16u << draw(0, 4);
    engine.streams = draw(0, 3) == 0 ? 2 : 1;
    engine.blocks = draw(0, 1) == 0 ? 1 : draw(2, 16);
    engine.min_lane_values = draw(0, 1) == 0 ? 16 : 64;
    return engine;
}

std::unique_ptr<Codec> codec_of(std::uint32_t kind, const Framing& framing) {
    if (kind == 0) return make_codec(FixedPointParams{.blocks = 65'536}, framing);   // the shortest: most pauses
    if (kind == 1 || kind == 3) return make_codec(AscParams{}, framing);
    return make_codec(AtalantaParams{.table = AtalantaTable::sent_inline}, framing);
}

/// Messages of a codec, and their blocks: all at once, with gaps between blocks, or with gaps between messages.
struct Work {
    std::vector<std::unique_ptr<Message>> messages;
    std::vector<Offer> offers;
    Work(Draw& draw, std::uint32_t kind, const EngineParams& engine) {
        const auto codec = codec_of(kind, engine.framing());
        const std::uint32_t gaps = draw(0, 2), width = draw(8, 11);
        Cycles ready = 5;
        for (std::uint32_t i = kind == 3 ? 20 : draw(1, 4); i > 0; --i) {
            const Message* const before = messages.empty() ? nullptr : messages.back().get();
            Message& message = *messages.emplace_back(std::make_unique<Message>());
            message.context.width = kind == 3 ? width : draw(8, 11);
            message.symbols = normal_symbols(draw,
                                             kind == 3         ? draw(20, 800)
                                             : draw(0, 1) == 0 ? draw(10, 4'000)
                                                               : draw(1'000, 40'000),
                                             message.context.width);
            if (kind == 1) encode_with_tables(draw, *codec, message);
            else if (kind == 3) encode_with_table(*codec, message, before);
            else encode_alone(*codec, message);
            if (gaps == 2) ready += draw(0, 6'000);
            for (const Block& block : message.encoded.blocks) {
                if (gaps == 1) ready += draw(0, 1'500);
                offers.push_back({&message, &block, ready});
            }
        }
    }
};

/// By how many cycles blocks are off.
struct Differences {
    std::size_t blocks = 0, far = 0;
    Cycles most = 0;
    std::string where = {};   ///< of the block that is most off
    void add(const std::vector<Cycles>& computed, const std::vector<Cycles>& stepped, Cycles near, std::uint64_t seed) {
        ASSERT_EQ(computed.size(), stepped.size());
        for (std::size_t i = 0; i < computed.size(); ++i) {
            const Cycles off = std::max(computed[i], stepped[i]) - std::min(computed[i], stepped[i]);
            ++blocks;
            far += off > near ? 1 : 0;
            if (off > most) where = "block " + std::to_string(i) + " of seed " + std::to_string(seed);
            most = std::max(most, off);
        }
    }
};

/// Over sequences of blocks. Queues of lanes, the beat into which a last chunk spills, and words that lanes fetch for
/// the next block between those of this one are not in the recurrence; short uncoded blocks between coded ones are off
/// most.
template <class Stages, class Array>
Differences differences(bool decodes) {
    Differences all;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Draw draw(seed);
        const EngineParams engine = random_engine(draw);
        const Work work(draw, draw(0, 3), engine);
        Array array({.lanes = engine.lanes, .streams = engine.streams});
        all.add(computed<Stages>(engine, work.offers, decodes), stepped(array, engine.framing(), work.offers, decodes),
                4, seed);
    }
    return all;
}

void expect_near(const Differences& all) {
    EXPECT_GT(all.blocks, 3'000u);
    EXPECT_LT(static_cast<double>(all.far), 0.03 * static_cast<double>(all.blocks));
    EXPECT_LT(all.most, 16u) << all.where << "; " << all.far << " of " << all.blocks << " by more than 4";
}

TEST(RandomBlocks, LeaveTheEncoderWithinAFewCyclesOfItsArray) {
    expect_near(differences<EncoderStages, EncoderCycles>(false));
}

TEST(RandomBlocks, LeaveTheDecoderWithinAFewCyclesOfItsArray) {
    expect_near(differences<DecoderStages, DecoderCycles>(true));
}

}   // namespace
}   // namespace oscar::block_stages_test
