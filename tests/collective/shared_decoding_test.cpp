// A message that several ranks receive is decoded once, if they would decode it alike.
#include "models/collective/endpoint/shared_decoding.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "tests/collective/support.hpp"

namespace oscar::shared_decoding_test {
namespace {

using ::testing::ElementsAre;

/// A decoder that counts its calls and returns the number of the last as the only symbol.
class Decoder {
public:
    SharedDecoding::Decode decode() {
        return [this] { return Decoded{{++calls_}, {}}; };
    }
    Symbol calls() const { return calls_; }

private:
    Symbol calls_ = 0;
};

const Table one = Table::magnitudes(8, {}), wider = Table::magnitudes(9, {});
const std::vector<std::uint8_t> classes{1}, others{0};
const std::vector<const Table*> both{&one, &wider};

TEST(SharedDecodings, DecodeOnceForEqualStates) {
    SharedDecoding shared;
    Decoder decoder;
    const DecoderState state{{8, 1, Timestep{2}, ChunkId{3}}, {both, classes}, 1, 10};
    const Table same_one = one, same_wider = wider;   // the tables of another rank
    const std::vector<const Table*> same_tables{&same_one, &same_wider};
    const std::vector<std::uint8_t> same_classes = classes;
    const auto first = shared.get(state, decoder.decode());
    EXPECT_THAT(first->symbols, ElementsAre(1));
    EXPECT_EQ(shared.get({state.context, {same_tables, same_classes}, 1, 10}, decoder.decode()), first);
    EXPECT_EQ(decoder.calls(), 1);
}

TEST(SharedDecodings, DecodeAnewForAnyDifferenceOfStates) {
    const Context context{8, 1, Timestep{2}, ChunkId{3}};
    const DecoderState state{context, {both, classes}, 1, 10};
    const std::vector<const Table*> swapped{&wider, &one};
    const std::vector<DecoderState> different{{{9, 1, Timestep{2}, ChunkId{3}}, state.tables, 1, 10},
                                              {{8, 2, Timestep{2}, ChunkId{3}}, state.tables, 1, 10},
                                              {{8, 1, Timestep{1}, ChunkId{3}}, state.tables, 1, 10},
                                              {{8, 1, Timestep{2}, ChunkId{0}}, state.tables, 1, 10},
                                              {context, {swapped, classes}, 1, 10},
                                              {context, {both, others}, 1, 10},
                                              {context, &one, 1, 10},
                                              {context, {}, 1, 10},
                                              {context, state.tables, 2, 10},
                                              {context, state.tables, 1, 11}};
    for (std::size_t i = 0; i < different.size(); ++i) {
        SharedDecoding shared;
        Decoder decoder;
        shared.get(state, decoder.decode());
        EXPECT_THAT(shared.get(different[i], decoder.decode())->symbols, ElementsAre(2)) << i;
        EXPECT_THAT(shared.get(state, decoder.decode())->symbols, ElementsAre(1)) << i;
    }
}

TEST(SharedDecodings, AreTriedAgainAfterAnError) {
    SharedDecoding shared;
    Decoder decoder;
    const DecoderState state{{}, {}, 1, 10};
    EXPECT_THROW(shared.get(state, []() -> Decoded { throw CorruptStream("damaged"); }), CorruptStream);
    EXPECT_THAT(shared.get(state, decoder.decode())->symbols, ElementsAre(1));
}

TEST(SharedDecodings, DecodeOnceForManyThreads) {
    SharedDecoding shared;
    Decoder decoder;
    const DecoderState state{{}, {}, 1, 10};
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { shared.get(state, decoder.decode()); });
    threads.clear();
    EXPECT_EQ(decoder.calls(), 1);
}

}   // namespace
}   // namespace oscar::shared_decoding_test
